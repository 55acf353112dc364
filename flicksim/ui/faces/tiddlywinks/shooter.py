"""A hand at the mat: keys and mouse become an aim, and the aim a squidge."""

from __future__ import annotations

from math import hypot

import pygame

from flicksim.base.errors import FlicksimError
from flicksim.base.geometry import Point, inside
from flicksim.base.units import degrees, mm
from flicksim.play import Match
from flicksim.referee import FlickRange
from flicksim.table import Piece, Pot, Scene, Squidge
from flicksim.ui.faces.tiddlywinks.aim import GENTLEST, SquidgeAim
from flicksim.ui.faces.tiddlywinks.keys import KEYS
from flicksim.ui.faces.tiddlywinks.pose import at_rest, under
from flicksim.ui.table.aiming import AimingHand
from flicksim.ui.table.painter import scene_of
from flicksim.ui.table.view import TableView

_HARDEST = 6.0
"""The hardest a pull gives [m/s]."""


class WinkShooter(AimingHand[SquidgeAim, Squidge]):
    """Aims the squidges of a match.

    Args:
        match: whose choices are aimed. view: where the mat is seen.
    """

    keys = KEYS

    def __init__(self, match: Match, view: TableView) -> None:
        super().__init__(match, view)
        self.notice = ""
        self._target = 0
        self._last: dict[int, SquidgeAim] = {}

    # -- what is there --------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The winks on the mat."""
        scene = scene_of(self._match.state)
        assert scene is not None
        return scene

    @property
    def pot(self) -> Pot | None:
        """The pot."""
        return self.scene.surface.pot

    def renew(self) -> None:
        """Take up what may be squidged now; nothing when nothing may."""
        self.notice = ""
        super().renew()

    def _first(self) -> FlickRange:
        """The wink nearest to the pot, before those that wait behind a line."""
        near = {span.piece: hypot(*self.scene.piece(span.piece).at) for span in self.spans}
        return min(self.spans, key=lambda span: (bool(span.start), 0.0 if span.start else near[span.piece]))

    def choose(self, span: FlickRange) -> None:
        """Take this wink, aimed at the pot; squidger as the last time."""
        state, scene = self._match.state, self.scene
        piece, start = scene.piece(span.piece), None
        kept = self._last.get(piece.owner or 0)
        wide = kept.squidger if kept is not None else mm(getattr(state.options, "squidger_diameter_mm", 38.1))
        if span.start and span.piece in state.book.behind:
            n = len(span.start)
            start = (sum(p[0] for p in span.start) / n, sum(p[1] for p in span.start) / n)
        self.aim = SquidgeAim(span, piece, start, wide)
        if kept is not None:
            self.aim.elevation, self.aim.tumble = max(kept.elevation, degrees(30.0)), kept.tumble
        self._target = 0
        if not self.at_pot():
            self.aim.at_point((0.0, 0.0), 0.0)
        self.look()

    def at_pot(self) -> bool:
        """Aim to come down inside the pot."""
        aim, pot = self.aim, self.pot
        if aim is None or pot is None:
            return False
        rising = aim.elevation
        while rising <= degrees(85.0):
            aim.elevation = rising
            if aim.at_point(pot.at, pot.height + aim.piece.thickness / 2.0) and aim.arc(pot).ends == "in":
                return True
            rising += degrees(2.5)
        return False

    def targets(self) -> list[tuple[str, Point, float]]:
        """The targets one may aim at: the pot, then other winks in play, the nearest first: name, place, height [m]."""
        aim, state = self.aim, self._match.state
        assert aim is not None
        here = aim.at
        winks = [p for p in self.scene.pieces if state.book.in_play(p.id) and p.id != aim.piece.id]
        winks.sort(key=lambda p: (p.owner is not None and (p.owner - (aim.piece.owner or 0)) % 2 == 0,
                                  hypot(p.x - here[0], p.y - here[1])))  # fmt: skip
        return [("the pot", (0.0, 0.0), -1.0), *((p.id, p.at, p.highest + aim.piece.thickness / 2.0) for p in winks)]

    def aim_at(self, name: str, at: Point, height: float) -> bool:
        """Aim to come down on something; False when it cannot be reached from here."""
        aim = self.aim
        if aim is None:
            return False
        reached = self.at_pot() if name == "the pot" else aim.at_point(at, height)
        self.notice = f"Aimed at {_called(name)}." if reached else f"{_called(name)} cannot be reached from here."
        self.look()
        return reached

    def _shot(self, aim: SquidgeAim) -> Squidge:
        return aim.squidge

    def _as(self, aim: SquidgeAim, shot: Squidge) -> None:
        if shot.start is not None:
            aim.start = shot.start
        aim.azimuth, aim.speed, aim.elevation = shot.azimuth, shot.speed, shot.elevation
        aim.tumble, aim.squidger, aim.press, aim.drag = shot.tumble, shot.squidger, shot.press, shot.drag

    def made(self) -> Squidge | None:
        """The squidge to be made; remembered, so that the next begins like it."""
        if self.aim is not None:
            self._last[self.aim.piece.owner or 0] = self.aim
        return super().made()

    # -- keys -----------------------------------------------------------------------------------------------------

    def _key(self, aim: SquidgeAim, event: pygame.event.Event, part: float) -> bool:
        word, way = self.keys.pressed(event)
        return self._number(aim, word, way * part) or self._other(aim, word, event)

    @staticmethod
    def _number(aim: SquidgeAim, word: str, by: float) -> bool:
        match word:
            case "turn":
                aim.turn(-degrees(1.0) * by)
            case "push":
                aim.push(-0.05 * by)
            case "rise":
                aim.rise(-degrees(1.0) * by)
            case "roll":
                aim.roll(-5.0 * by)
            case "change":
                aim.change(mm(1.0) * by)
            case "lean" if aim.piled:
                aim.lean_on(-0.05 * by)
            case "draw" if aim.piled:
                aim.draw_on(-mm(1.0) * by)
            case _:
                return False
        return True

    def _other(self, aim: SquidgeAim, word: str, event: pygame.event.Event) -> bool:
        step = -1 if event.mod & pygame.KMOD_SHIFT else 1
        match word:
            case "reset":
                self._last.pop(aim.piece.owner or 0, None)
                self.choose(aim.span)
            case "pot":
                self._target = 0
                self.aim_at(*self.targets()[0])
            case "target":
                found = self.targets()
                self._target = (self._target + step) % len(found)
                self.aim_at(*found[self._target])
            case _:
                return False
        return True

    # -- mouse ----------------------------------------------------------------------------------------------------

    def _down(self, at: tuple[int, int]) -> None:
        there = self._wink(at)
        if there is not None and self._taken(there):
            return
        if self.aim is None:
            return
        x, y = self._view.camera.to_screen(self.aim.at)
        near = hypot(at[0] - x, at[1] - y) <= self.aim.piece.radius * self._view.camera.zoom + 4.0 * self.sling.scale
        self.sling.take(self.aim, at, places=self.aim.start is not None and near)

    def _taken(self, piece: Piece) -> bool:
        """Take a click; true where it took a wink, or was answered by why it cannot be taken."""
        span = next((span for span in self.spans if span.piece == piece.id), None)
        if span is not None:
            if self.aim is None or span.piece != self.aim.piece.id:
                self.choose(span)
                return True
            return False
        state = self._match.state
        if piece.owner != state.to_play or not self.spans:
            return False
        self.wrong = self.why_not(piece)
        return True

    def why_not(self, piece: Piece) -> str:
        """Reason why a wink may not be played now, in words; empty when it may."""
        try:
            self._match.rules.check(
                self._match.state, Squidge(piece=piece.id, speed=1.0, azimuth=0.0, elevation=degrees(45.0))
            )
        except FlicksimError as wrong:
            return str(wrong)
        return ""

    def _wink(self, at: tuple[int, int]) -> Piece | None:
        camera = self._view.camera
        pose = under(at_rest(self.scene), camera.to_table(at), 3.0 * self.sling.scale / camera.zoom)
        return pose.piece if pose is not None else None

    def _strength(self, hard: float) -> float:
        return max(GENTLEST, round(hard * _HARDEST, 4))

    def _pointed(self, at: tuple[int, int]) -> None:
        """A click aims at what is there: the pot, a wink, or the bare mat."""
        place = self._view.camera.to_table(at)
        pot, there = self.pot, self._wink(at)
        assert self.aim is not None
        if pot is not None and hypot(place[0] - pot.x, place[1] - pot.y) <= pot.top_radius:
            self.aim_at("the pot", pot.at, -1.0)
        elif there is not None and there.id != self.aim.piece.id:
            self.aim_at(there.id, there.at, there.highest + self.aim.piece.thickness / 2.0)
        elif there is None and inside(place, self.scene.surface.outline):
            self.aim_at("that place", place, 0.0)


def _called(name: str) -> str:
    if "-" in name:
        return name.replace("-", " ").capitalize()
    return name[0].upper() + name[1:] if name != "the pot" else "the pot"
