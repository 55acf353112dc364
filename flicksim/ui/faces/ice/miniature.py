"""A small living table of pyramids for the first screen: launches recorded long before, shown over and over."""

from __future__ import annotations

import numpy as np
import pygame

from flicksim.base.codec import Value
from flicksim.base.geometry import Point
from flicksim.drawing import Camera, fit
from flicksim.referee import Game
from flicksim.table import Landing, Launch, Point3, PyramidScene, Track, Turn
from flicksim.ui.faces.ice.film import Film
from flicksim.ui.faces.ice.painter import IcePainter
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas

_REST = 1.6
"""Time that the end is left to be seen [s]."""


class Way(Value, frozen=True, kw_only=True):
    """A track as it is shipped (see `Track`)."""

    id: str
    times: tuple[float, ...]
    middles: tuple[Point3, ...]
    turns: tuple[Turn, ...]
    gone: bool = False


class Thrown(Value, frozen=True, kw_only=True):
    """A landing as it is shipped, when it was launched [s] among them: enough to be seen, not to be ruled on."""

    start: float
    before: PyramidScene
    after: PyramidScene
    launch: Launch
    down: float
    duration: float
    ways: tuple[Way, ...]

    def landing(self) -> Landing:
        """The landing to be shown."""
        tracks = tuple(
            Track(id=way.id, times=np.array(way.times), middles=np.array(way.middles), turns=np.array(way.turns),
                  gone=way.gone)
            for way in self.ways
        )  # fmt: skip
        return Landing(before=self.before, launch=self.launch, after=self.after, events=(), tracks=tracks,
                       down=self.down, duration=self.duration)  # fmt: skip


class IceSketch(Value, frozen=True, kw_only=True):
    """Launches as they are shipped.

    Args:
        thrown: in the order in which they come down. look: corners of the part of the table that is shown [m].
    """

    thrown: tuple[Thrown, ...]
    look: tuple[Point, ...]

    def film(self) -> Film:
        """All of it in time."""
        landings = tuple(one.landing() for one in self.thrown)
        return Film(landings[0].before, landings, tuple(one.start for one in self.thrown))


def sketched(film: Film, look: tuple[Point, ...], every: float = 1.0 / 40.0) -> IceSketch:
    """A film with fewer knots and digits, to be shipped as assets/miniatures/GAME.json."""
    found = []
    for start, landing in zip(film.starts, film.landings, strict=True):
        ways = tuple(_way(track, every) for track in landing.tracks)
        found.append(
            Thrown(
                start=round(start, 4), before=landing.before, after=landing.after, launch=landing.launch,
                down=round(landing.down, 4), duration=round(landing.duration, 4), ways=ways,
            )
        )  # fmt: skip
    return IceSketch(thrown=tuple(found), look=look)


def _way(track: Track, every: float) -> Way:
    begin, end = float(track.times[0]), float(track.times[-1])
    times = [min(begin + k * every, end) for k in range(int((end - begin) / every) + 2)]
    found = [now for t in times if (now := track.at(t)) is not None]
    return Way(
        id=track.id, times=tuple(round(t, 4) for t in times), gone=track.gone,
        middles=tuple((round(x, 5), round(y, 5), round(z, 5)) for (x, y, z), _ in found),
        turns=tuple((round(a, 4), round(b, 4), round(c, 4), round(d, 4)) for _, (a, b, c, d) in found),
    )  # fmt: skip


class IceMiniature:
    """A table on which the same missiles fly over and over."""

    def __init__(self, game: Game, sketch: IceSketch) -> None:
        self.film, self._look = sketch.film(), sketch.look
        self._painter = IcePainter(game.seat_names)
        self._painter.imaginary = True
        self._bare: tuple[object, pygame.Surface] | None = None

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """The table as it is at a time [s]."""
        camera = fit(self._look, (rect.x, rect.y, rect.w, rect.h))
        film = self.film
        now = min(t % (film.duration + _REST), film.duration)
        with canvas.clipped(rect):
            self._surface(canvas, rect, camera)
            for start, landing in zip(film.starts, film.landings, strict=True):
                self._painter.way(canvas, camera, landing, now - start)
            self._painter.pyramids(canvas, camera, film.pieces_at(now))

    def _surface(self, canvas: Canvas, rect: pygame.Rect, camera: Camera) -> None:
        """The bare table, drawn anew only when it is seen otherwise than the last time."""
        key = (rect.topleft, rect.size, palette.name)
        if self._bare is None or self._bare[0] != key:
            canvas.surface.fill(palette.GROUND, rect)
            self._painter.surface(canvas, camera, self.film.before.surface)
            self._bare = (key, canvas.surface.subsurface(rect).copy())
        canvas.surface.blit(self._bare[1], rect)
