"""The study board of pyramids: set up from above, and launches shown as they go, from above and from the side."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from flicksim.base.geometry import Point
from flicksim.base.kinds import Account
from flicksim.drawing import Camera
from flicksim.games.ice.position import Position, bare
from flicksim.games.ice.seats import owner_of, places, size_of
from flicksim.play import PYRAMIDS
from flicksim.referee import Game
from flicksim.table import Landing, Landings, Pyramid, Surface
from flicksim.ui.faces.ice import pictures
from flicksim.ui.faces.ice.film import filmed
from flicksim.ui.faces.ice.painter import IcePainter
from flicksim.ui.faces.ice.review import FilmClock
from flicksim.ui.faces.ice.view import IceView, lined
from flicksim.ui.faces.ice.ways import way
from flicksim.ui.frame.app import App
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.match.study import StudyScreen
from flicksim.ui.table.playback import Clock
from flicksim.ui.table.view import TableView


class _Whole(IceView):
    """The table alone, without a nearer look."""

    def fit(self) -> None:
        """See all of it, in the middle."""
        TableView.fit(self)
        self._all, self._aim, self._glass = self.camera, None, None


class IceStudy(StudyScreen):
    """A study board of pyramids (see `StudyScreen`)."""

    def __init__(self, app: App, game: Game, position: Position | None = None) -> None:
        shown = position if position is not None else bare()
        seats = places(shown.options, len(shown.left))

        def view(names: Sequence[str], surface: Surface, near: str) -> TableView:
            del near
            seen = _Whole(names, lined(surface, seats, names), imaginary=not shown.options.markers)
            seen.alone = True
            return seen

        self._painter = IcePainter(game.seat_names)
        super().__init__(app, game, position, view=view, way=way, warmings=(PYRAMIDS,))

    def reach(self) -> float:
        """Reach of the largest piece, on its side too [m]."""
        return float(self.scene.kit.large.reach)

    def under(self, at: Point) -> str | None:
        """The highest piece under a point of the table [m]."""
        camera, pieces = self.view.camera, self.scene.pieces
        assert isinstance(self.view, IceView)
        x, y = camera.to_screen(at)
        found = self.view.under((round(x), round(y)), pieces)
        return found.id if found is not None else None

    def draw_pieces(self, canvas: Canvas, camera: Camera, but: str | None) -> None:
        """All pieces but one."""
        self._painter.pyramids(canvas, camera, [piece for piece in self.scene.pieces if piece.id != but])

    def light(self, canvas: Canvas, camera: Camera, name: str) -> None:
        """A line about a piece."""
        self._painter.halo(canvas, camera, self.scene.piece(name), palette.GLOW, 4.0)

    def token(self, name: str, high: float) -> pygame.Surface:
        """A piece seen from above: as it lies, or upright as it is brought in."""
        piece: Pyramid | None = next((one for one in self.scene.pieces if one.id == name), None)
        shape = self.scene.kit.shape(size_of(name))
        tilt, heading = (piece.tilt, piece.heading) if piece is not None else (0.0, 0.0)
        largest = self.scene.kit.large.base
        key = palette.seat_key(owner_of(name), self.game.seat_names)
        zoom = max(self.view.camera.zoom, 2.0 * high / largest)
        seen = pictures.from_above(shape, zoom, key, tilt, heading + self.view.camera.turned)
        return seen.subsurface(seen.get_bounding_rect())

    def showing(self, account: Account) -> Clock | None:
        """A launch in time."""
        return FilmClock(filmed(account), 0) if isinstance(account, Landing | Landings) else None

    def draw_shown(self, canvas: Canvas, camera: Camera, clock: Clock) -> None:
        """The missile on its way."""
        if isinstance(clock, FilmClock):
            film, t = clock.film, min(clock.t, clock.moves)
            for start, landing in zip(film.starts, film.landings, strict=True):
                self._painter.way(canvas, camera, landing, t - start)
            self._painter.pyramids(canvas, camera, film.pieces_at(t))
