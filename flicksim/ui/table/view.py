"""A part of the window through which a table is seen: it fits, zooms, pans, and turns to what matters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pygame

from flicksim.base.geometry import Point
from flicksim.drawing import Camera, fit, lying, matter
from flicksim.table import Piece, Surface
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.keys import FLICKING
from flicksim.ui.kit.surface_cache import picture, surface_of
from flicksim.ui.table.painter import Place, TablePainter
from flicksim.ui.table.playback import Playback

GLIDE = 0.4
"""Time that the view takes to turn to something else [s]."""
_ARROWS = (pygame.K_UP, pygame.K_LEFT, pygame.K_DOWN, pygame.K_RIGHT)
"""Counter-clockwise."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A nearer look: where on the screen, its camera, and its name, by which what it shows is kept."""

    rect: pygame.Rect
    camera: Camera
    name: str = "beside"


class TableView:
    """View of the table: middle, scale and turn.

    Args:
        seats: names of the seats. surface: what is fitted into the view. near: what the lower edge is called.
    """

    def __init__(self, seats: Sequence[str], surface: Surface, near: str = "") -> None:
        self.painter = TablePainter(seats)
        self.area = pygame.Rect(0, 0, 100, 100)
        """All of the window in which the table is drawn."""
        self.clear = pygame.Rect(0, 0, 100, 100)
        """The part of it that nothing stands over."""
        self.covers: list[pygame.Rect] = []
        """Rectangles that stand over the table."""
        self.camera = Camera((0.0, 0.0), 100.0, (50.0, 50.0))
        self.rulers = False
        """True if numbers stand about the table."""
        self._surface, self._near = surface, near
        self._base = 100.0
        self._glass: pygame.Rect | None = None
        self._kept: dict[str, tuple[object, pygame.Surface | None]] = {}
        self._panning = False
        self._margin = 60.0
        self._glide: tuple[Camera, Camera, float] | None = None
        self._held = False
        """True while the player has the view in hand."""

    def place(self, area: pygame.Rect, margin: float, clear: pygame.Rect | None = None) -> None:
        """Put the view into an area of the window, the table fitted with a margin [pixels] into what is clear of it."""
        self.area, self.clear, self._margin = area, clear or area, margin
        self.fit()

    def bare(self, area: pygame.Rect, margin: float) -> None:
        """Put the table alone into an area, with nothing beside it."""
        self.place(area, margin)

    @property
    def whole(self) -> Camera:
        """The look at the whole table; a long one lies on its side where that shows more of it."""
        a = self.clear
        rect = (a.x, a.y, a.w, a.h)
        return fit(self._surface.outline, rect, self._margin, lying(self._surface.outline, rect))

    def fit(self) -> None:
        """See the whole table."""
        self.camera, self._glide, self._held = self.whole, None, False
        self._base = self.camera.zoom

    def holds(self, at: tuple[int, int]) -> bool:
        """True where a point of the window is on the view, and nothing stands over it there."""
        return self.area.collidepoint(at) and not any(rect.collidepoint(at) for rect in self.covers)

    def zoom(self, steps: float, about: Point | None = None) -> None:
        """Nearer or farther, between the whole table and 12 times nearer."""
        wanted = self.camera.zoom * 1.15**steps
        wanted = min(max(wanted, self._base * 0.8), self._base * 12.0)
        self.camera, self._glide = self.camera.zoomed(wanted / self.camera.zoom, about or self.clear.center), None
        self._held = True

    # -- turning to what matters ----------------------------------------------------------------------------------

    def glide(self, there: Camera) -> None:
        """Turn to another look, in a moment."""
        if self._glide is None or self._glide[1] != there:
            self._glide = (self.camera, there, 0.0) if there != self.camera else None

    def around(self, points: Sequence[Point], least: float) -> Camera:
        """The look at these points [m], at least so much of it across [m]; never farther than all of it."""
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        mx, my = (min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0
        a, whole = self.clear, self.whole
        wide = least * whole.zoom
        least_x, least_y = whole.step(wide, wide * a.h / max(a.w, 1))
        dx, dy = max(max(xs) - min(xs), abs(least_x)) / 2.0, max(max(ys) - min(ys), abs(least_y)) / 2.0
        corners = [(mx - dx, my - dy), (mx + dx, my + dy)]
        near = fit(corners, (a.x, a.y, a.w, a.h), self._margin, whole.quarters)
        return near if near.zoom > whole.zoom else whole

    def turn(self, points: Sequence[Point], least: float, *, calm: bool = False) -> None:
        """Turn to these points [m], or to the whole table where there are none; not while the player has it in hand.

        Args:
            least: see `around`. calm: stay with the whole table.
        """
        if not self._held and not calm:
            self.glide(self.around(points, least) if points else self.whole)

    def release(self) -> None:
        """Something new happens: the view follows again."""
        self._held = False

    def advance(self, dt: float) -> None:
        """Glide to where one should look."""
        if self._glide is None:
            return
        begin, there, gone = self._glide
        share = min((gone + dt) / GLIDE, 1.0)
        self.camera = begin.towards(there, share * share * (3.0 - 2.0 * share)) if share < 1.0 else there
        self._glide = (begin, there, gone + dt) if share < 1.0 else None

    @property
    def gliding(self) -> bool:
        """True while the view is on its way."""
        return self._glide is not None

    def seated(self, event: pygame.event.Event) -> pygame.event.Event:
        """A key as the players at the table mean it: its arrows follow the table as it is seen."""
        if event.key not in _ARROWS or not self.camera.quarters:
            return event
        key = _ARROWS[(_ARROWS.index(event.key) - self.camera.quarters) % 4]
        return pygame.event.Event(event.type, {**event.__dict__, "key": key})

    # -- the lens -------------------------------------------------------------------------------------------------

    def lens(self, lying: Mapping[str, tuple[Piece, Place]]) -> Lens | None:
        """A nearer look beside the table; boards are seen near enough without."""
        del lying
        return None

    @contextmanager
    def through(self, canvas: Canvas, lens: Lens) -> Iterator[None]:
        """Draw into the lens: the surface first, what follows on it, its caption last."""
        rect = lens.rect
        canvas.box(rect.inflate(canvas.px(4), canvas.px(4)), palette.EDGE)
        with canvas.clipped(rect):
            self._bare(canvas, rect, lens.camera, lens.name, words=False)
            yield
        self._caption(canvas, lens)

    def _caption(self, canvas: Canvas, lens: Lens) -> None:
        """Draw what the lens shows."""

    def handle(self, event: pygame.event.Event) -> bool:
        """The wheel zooms where the mouse is, the middle button pans, + - and 0 zoom by keys, F5 shows rulers."""
        match event.type:
            case pygame.MOUSEWHEEL:
                at = pygame.mouse.get_pos()
                if self.holds(at):
                    self.zoom(event.y, at)
                    return True
            case pygame.MOUSEBUTTONDOWN if event.button == 2 and self.holds(event.pos):
                self._panning = True
                return True
            case pygame.MOUSEBUTTONUP if event.button == 2:
                self._panning = False
            case pygame.MOUSEMOTION if self._panning:
                self.camera, self._glide, self._held = self.camera.panned(*event.rel), None, True
                return True
            case pygame.KEYDOWN:
                word, way = FLICKING.pressed(event)
                match word:
                    case "zoom":
                        self.zoom(float(way))
                    case "fit":
                        self.fit()
                    case "rulers":
                        self.rulers = not self.rulers
                    case _:
                        return False
                return True
        return False

    def beside(self, canvas: Canvas, playback: Playback | None) -> None:
        """Draw what else is shown of a motion; nothing more of one on a board."""

    def draw(self, canvas: Canvas) -> None:
        """The bare surface."""
        self._bare(canvas, self.area, self.camera, "table", words=True)

    def _bare(self, canvas: Canvas, rect: pygame.Rect, camera: Camera, name: str, *, words: bool) -> None:
        """The surface in a part of the window; kept once it is seen a second time just as it was the last time."""
        key = (rect.topleft, rect.size, camera, canvas.scale, palette.name, self.rulers)
        last, kept = self._kept.get(name, (None, None))
        if last == key and kept is not None:
            canvas.surface.blit(kept, rect)
            return
        canvas.surface.fill(palette.GROUND, rect)
        self.painter.surface(canvas, camera, self._surface, near=self._near, words=words and self.rulers)
        if palette.name != "high-contrast":
            canvas.surface.blit(lamp(rect.size), rect)
        if last == key:  # while the view moves a copy would be of no use
            kept = canvas.surface.subsurface(rect.clip(canvas.surface.get_rect())).copy()
        self._kept[name] = (key, kept if last == key else None)


@picture
def lamp(size: tuple[int, int]) -> pygame.Surface:
    """The light of the room over a part of the window of that size [pixels]."""
    return pygame.transform.smoothscale(surface_of(matter.lamp(*size)), size)
