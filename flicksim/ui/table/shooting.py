"""A hand at the window: keys and mouse become an aim, and the aim a flick."""

from __future__ import annotations

from math import hypot

import msgspec
import pygame

from flicksim.base.errors import FlicksimError
from flicksim.base.geometry import Point
from flicksim.base.units import degrees
from flicksim.drawing import Camera
from flicksim.play import Match
from flicksim.referee import FlickRange
from flicksim.table import Flick, Motion, Piece, Scene, sliding
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.keys import BOARD
from flicksim.ui.table import shot_painter, slingshot
from flicksim.ui.table.aim import GENTLEST, Aim, pull
from flicksim.ui.table.aiming import SHIFT, AimingHand
from flicksim.ui.table.calm import Spread
from flicksim.ui.table.painter import scene_of
from flicksim.ui.table.view import TableView

_TURN, _PUSH, _LEAN = degrees(1.0), 0.05, 0.05
"""Change by one press of a key: way [rad], speed [m/s], nail [radii]; with Shift a tenth of it."""


class Shooter(AimingHand[Aim, Flick]):
    """Aims the flicks of a match.

    Args:
        match: whose choices are aimed. view: where the table is seen.
    """

    keys = BOARD

    def __init__(self, match: Match, view: TableView) -> None:
        super().__init__(match, view)
        self.piece: Piece | None = None
        self._free: tuple[Flick, Motion | None] | None = None

    def choose(self, span: FlickRange) -> None:
        """Aim this piece, straight on, with the strength to go half the table's length."""
        state = self._match.state
        scene = scene_of(state)
        assert scene is not None
        start: Point | None = None
        if span.start:
            settled = getattr(self._match.rules, "default_start", None)
            n = len(span.start)
            middle = (sum(p[0] for p in span.start) / n, sum(p[1] for p in span.start) / n)
            start = settled(state) if settled else middle
        here = scene.piece(span.piece).at if start is None else start
        self.aim = Aim(span, start, here, span.speed[0])
        self.piece = self._piece(scene)
        ys = [p[1] for p in scene.surface.outline]
        self.aim.speed = min(
            sliding(0.6 * (max(ys) - min(ys)), pull(self.piece, scene.surface)), max(span.speed[1], GENTLEST)
        )
        self.look()

    def _piece(self, scene: Scene) -> Piece:
        """The piece as it will be struck."""
        assert self.aim is not None
        staged = self._match.rules.stage(self._match.state, self.aim.flick)
        before = staged[0] if staged is not None else scene
        assert isinstance(before, Scene)
        return before.piece(self.aim.span.piece)

    def _shot(self, aim: Aim) -> Flick:
        return aim.flick

    def free(self) -> Motion | None:
        """The flick settled with nothing else on the table; asked anew only when the aim has changed."""
        if self.aim is None or self.piece is None:
            return None
        flick = self.aim.flick
        if self._free is None or self._free[0] != flick:
            scene = scene_of(self._match.state)
            assert scene is not None
            alone = msgspec.structs.replace(scene, pieces=(self._lying(),))
            try:
                came = self._match.stage.settle(alone, flick)
            except FlicksimError:
                came = None
            self._free = (flick, came if isinstance(came, Motion) else None)
        return self._free[1]

    def _lying(self) -> Piece:
        assert self.aim is not None
        assert self.piece is not None
        return msgspec.structs.replace(self.piece, x=self.aim.at[0], y=self.aim.at[1])

    def _as(self, aim: Aim, shot: Flick) -> None:
        if shot.start is not None:
            aim.put(shot.start)
        aim.azimuth, aim.speed, aim.offset = shot.azimuth, shot.speed, shot.offset

    # -- keys -----------------------------------------------------------------------------------------------------

    def _key(self, aim: Aim, event: pygame.event.Event, part: float) -> bool:
        word, way = self.keys.pressed(event)
        match word:
            case "turn":
                aim.turn(-way * _TURN * part)
            case "push":
                aim.push(-way * _PUSH * part)
            case "shift":
                aim.shift(way * SHIFT * part, 0.0)
            case "lean":
                aim.lean(-way * _LEAN * part)
            case "reset":
                self.choose(aim.span)
            case _:
                return False
        return True

    # -- mouse ----------------------------------------------------------------------------------------------------

    def _down(self, at: tuple[int, int]) -> None:
        assert self.aim is not None
        assert self.piece is not None
        for span in self.spans:
            if span.piece != self.aim.span.piece and self._covers(self._at(span), at):
                self.choose(span)
                return
        self.sling.take(self.aim, at, places=self.aim.start is not None and self._covers(self.aim.at, at))

    def _at(self, span: FlickRange) -> Point:
        scene = scene_of(self._match.state)
        return scene.piece(span.piece).at if scene is not None and scene.has(span.piece) else (1e9, 1e9)

    def _covers(self, piece: Point, at: tuple[int, int]) -> bool:
        assert self.piece is not None
        x, y = self._view.camera.to_screen(piece)
        return hypot(at[0] - x, at[1] - y) <= self.piece.radius * self._view.camera.zoom + 4.0 * self.sling.scale

    def _strength(self, hard: float) -> float:
        """Speed of a pull, 0 to 1 [m/s]."""
        assert self.aim is not None
        return max(GENTLEST, hard * self.aim.span.speed[1])

    # -- drawing --------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, camera: Camera, spread: Spread | None) -> None:
        """The piece in hand, its way or where a hand spreads it, and the pull."""
        if self.aim is None or self.piece is None:
            return
        view = self._view
        if self.aim.span.start:
            view.painter.zone(canvas, camera, self.aim.span.start)
        for span in self.spans:
            if span.piece != self.aim.span.piece:
                canvas.ring(camera.to_screen(self._at(span)), self.piece.radius * camera.zoom + canvas.px(3),
                            palette.DUST, canvas.px(1.5))  # fmt: skip
        scene = scene_of(self._match.state)
        others = scene.pieces if scene is not None else ()
        shot_painter.aim(canvas, camera, view.painter, self._lying(), self.aim, self.free(), others, bool(self.wrong),
                         spread)  # fmt: skip
        if camera is view.camera:
            slingshot.draw(canvas, self.sling.pull)
