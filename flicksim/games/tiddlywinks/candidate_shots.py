"""Candidate shots of tiddlywinks, each with a prior value from tabled chances.

Players' words: bring in, pot, squop, desquop (free what lies below), boondock (send what lies below far away), break up
(drive into a pile), protect (go out of reach).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, cos, exp, hypot, pi, sin
from typing import NamedTuple

from flicksim.core.errors import IllegalAction
from flicksim.core.geometry import Point, wrap_angle
from flicksim.core.units import degrees, mm
from flicksim.games.tiddlywinks import aiming
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.heuristic_value import pot_likelihood
from flicksim.games.tiddlywinks.legal_actions import check_action
from flicksim.games.tiddlywinks.playing_style import Style
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.scene import MAX_SPEED, Piece, Squidge

NEAR, POT, OTHER = "near", "pot", ""


class CandidateShot(NamedTuple):
    """Candidate shot with its prior value.

    Args:
        prior_value: of what it may bring [points]. shot: as meant.
        target: `POT`, `NEAR` it, the wink to be covered, or `OTHER`, where no table tells how often it comes off.
    """

    prior_value: float
    shot: Squidge
    target: str = OTHER


_APPROACH_DISTANCE = mm(110.0)
"""Distance from the pot to which winks are brought [m]: easily potted, and near what there is to squop."""


def candidate_shots(state: State, style: Style) -> list[CandidateShot]:
    """All candidate shots, the best prior value first."""
    seat = state.book.to_play
    assert seat is not None
    squops = Squops(state.scene, state.book)
    found: list[CandidateShot] = []
    kinds = set()
    for wink in squops.playable_winks(seat):
        if wink in state.book.behind:
            if kit.kind_of(wink) in kinds:
                continue
            kinds.add(kit.kind_of(wink))
        found += _candidates_for(state, squops, style, wink)
    return sorted(found, key=lambda plan: -plan.prior_value)


def _candidates_for(state: State, squops: Squops, style: Style, wink: str) -> Iterator[CandidateShot]:
    piece = state.scene.piece(wink)
    start = None
    if wink in state.book.behind:
        start = _free_start(state, wink)
        if start is None:
            return
    shooter = _ShotGenerator(state, squops, style, piece, start)
    yield from shooter.pots()
    if state.book.phase == "squidge_off":
        yield from shooter.squidge_off_shots()
        return
    yield from shooter.approaches()
    if style.uses_squops and not state.book.potted_out:
        yield from shooter.squops()
        yield from shooter.break_ups()
    yield from shooter.from_the_pile()
    yield from shooter.retreats()


def _free_start(state: State, wink: str) -> Point | None:
    """Free start for bringing a wink in."""
    x, y = spot = kit.start_spot(state.options, kit.seat_of(wink), kit.kind_of(wink))
    for side in (0.0, 0.03, -0.03, 0.06, -0.06):
        apart = hypot(*spot)
        # along the base line, which stands across the diagonal
        at = (round(x - side * y / apart, 9), round(y + side * x / apart, 9))
        shot = Squidge(piece=wink, speed=1.0, azimuth=0.0, start=at)
        try:
            check_action(state, shot)
        except IllegalAction:
            continue
        return at
    return None


class _ShotGenerator:
    """Generator of candidate shots of one wink."""

    def __init__(self, state: State, squops: Squops, style: Style, piece: Piece, start: Point | None) -> None:
        self._state, self._squops, self._style, self._piece, self._start = state, squops, style, piece, start
        self._at = piece.position if start is None else start
        self._pair = kit.pair_of(kit.seat_of(piece.id))
        under = [] if start is not None else squops.covered(piece.id)
        self._friends = [name for name in under if kit.pair_of(kit.seat_of(name)) == self._pair]
        self._enemies = [name for name in under if name not in self._friends]
        # a wink that goes away frees what it lay on
        self._leave_value = 0.6 * len(self._friends) - (0.3 + style.squop_value) * len(self._enemies)

    def pots(self) -> Iterator[CandidateShot]:
        """Shots into the pot."""
        way = hypot(*self._at)
        gain = (self._style.pot_value - 1.0) * exp(-((way / 0.55) ** 2)) + 0.05 + self._leave_value
        for k, elevation in enumerate(aiming.pot_elevations(way)):
            yield CandidateShot(gain - 0.3 * k, self._lob((0.0, 0.0), kit.POT_HEIGHT, elevation), POT)

    def squidge_off_shots(self) -> Iterator[CandidateShot]:
        """Shots of the squidge-off, to end near the pot."""
        for short, gain in ((mm(60.0), 0.5), (mm(90.0), 0.4), (mm(130.0), 0.2)):
            yield CandidateShot(gain, self._skim(_point_short_of((0.0, 0.0), self._at, short)))

    def approaches(self) -> Iterator[CandidateShot]:
        """Approaches: to the front and sides of the pot, or near an enemy wink that could be squopped next."""
        far = hypot(*self._at)
        if far < 1.6 * _APPROACH_DISTANCE:
            return
        bring = 0.8 if self._start is not None else 0.5 * (1.0 - pot_likelihood(self._piece))
        for turn, gain in ((0.0, 0.0), (0.5, -0.1), (-0.5, -0.1)):
            bearing = atan2(self._at[1], self._at[0]) + turn
            shot = self._skim((_APPROACH_DISTANCE * cos(bearing), _APPROACH_DISTANCE * sin(bearing)))
            yield CandidateShot(bring + gain + self._leave_value, shot, NEAR)
        if self._style.uses_squops:
            for enemy in self._open_enemies()[:2]:
                yield CandidateShot(
                    bring - 0.15 + self._leave_value, self._skim(_point_short_of(enemy.position, self._at, mm(45.0)))
                )

    def _open_enemies(self) -> list[Piece]:
        """Uncovered enemy winks in play, nearest first."""
        book = self._state.book
        found = [
            piece
            for piece in self._state.scene.pieces
            if book.in_play(piece.id) and kit.pair_of(kit.seat_of(piece.id)) != self._pair
            if not self._squops.is_squopped(piece.id) and piece.id not in self._enemies
        ]
        return sorted(found, key=lambda piece: _distance(piece.position, self._at))

    def squops(self) -> Iterator[CandidateShot]:
        """Squops of enemy winks; one that squops a friendly wink is valued higher."""
        for enemy in self._open_enemies()[:4]:
            way = _distance(enemy.position, self._at)
            if way > 0.6:
                break
            holds = sum(kit.pair_of(kit.seat_of(name)) == self._pair for name in self._squops.covered(enemy.id))
            gain = (
                exp(-((way / 0.11) ** 1.2)) * (0.7 + self._style.squop_value + pot_likelihood(enemy) + 0.5 * holds)
                + self._leave_value
            )
            short = aiming.squop_aim_offset(way)
            for k, elevation in enumerate(aiming.SQUOP_ELEVATIONS):
                shot = self._lob(_point_short_of(enemy.position, self._at, short), aiming.LANDING_HEIGHT, elevation)
                yield CandidateShot(gain - 0.1 * k, shot, enemy.id)

    def break_ups(self) -> Iterator[CandidateShot]:
        """Hard, low shots into a pile in which an enemy wink covers a friendly one."""
        for enemy in self._open_enemies():
            held = [n for n in self._squops.covered(enemy.id) if kit.pair_of(kit.seat_of(n)) == self._pair]
            way = _distance(enemy.position, self._at)
            if not held or way > 0.5:
                continue
            for speed, gain in ((3.5, 0.0), (2.0, -0.05)):
                azimuth = atan2(enemy.y - self._at[1], enemy.x - self._at[0])
                guess = (0.5 * len(held)) * exp(-way / 0.3) + gain + self._leave_value
                yield CandidateShot(guess, self._shot(azimuth, speed, degrees(12.0)))

    def from_the_pile(self) -> Iterator[CandidateShot]:
        """Shots off a pile: gentle, to free a friendly wink below, or drawn through, to send what lies below away."""
        if not (self._friends or self._enemies):
            return
        outward = atan2(self._at[1], self._at[0])
        if self._friends:
            for turn in (0.0, pi / 2.0, -pi / 2.0, pi):
                yield CandidateShot(0.2 + self._leave_value, self._shot(outward + turn, 0.7, degrees(45.0)))
        if self._enemies:
            # boondock: the wink played goes up and comes down near, those below are drawn away from the pot
            for speed, rising in ((2.5, 80.0), (1.6, 75.0)):
                guess = 0.15 + 0.5 * self._leave_value
                shot = self._shot(outward, speed, degrees(rising), press=1.0, follow_through=mm(20.0))
                yield CandidateShot(guess, shot)
        for turn in (0.4, -0.4):
            shot = self._shot(outward + turn, 1.2, degrees(60.0), press=0.6, follow_through=mm(15.0))
            yield CandidateShot(0.1 + self._leave_value, shot)

    def retreats(self) -> Iterator[CandidateShot]:
        """Retreats out of reach of an enemy wink nearby, or from it towards the pot."""
        if self._start is not None or self._friends or self._enemies:
            return
        for enemy in self._open_enemies()[:1]:
            way = _distance(enemy.position, self._at)
            if way > mm(90.0):
                return
            azimuth = atan2(self._at[1] - enemy.y, self._at[0] - enemy.x)
            for far, gain in ((mm(120.0), 0.25), (mm(200.0), 0.15)):
                to = (self._at[0] + far * cos(azimuth), self._at[1] + far * sin(azimuth))
                yield CandidateShot(gain, self._skim(to))

    def _lob(self, target: Point, height: float, elevation: float) -> Squidge:
        elevation, speed = aiming.lob_elevation_and_speed(self._piece, _distance(target, self._at), height, elevation)
        return self._shot(atan2(target[1] - self._at[1], target[0] - self._at[0]), speed, elevation)

    def _skim(self, target: Point) -> Squidge:
        speed = aiming.slide_speed(self._piece, _distance(target, self._at))
        return self._shot(atan2(target[1] - self._at[1], target[0] - self._at[0]), speed, aiming.SLIDE_ELEVATION)

    def _shot(
        self, azimuth: float, speed: float, elevation: float, *, press: float = 0.0, follow_through: float = 0.0
    ) -> Squidge:
        return Squidge(
            piece=self._piece.id,
            speed=min(speed, MAX_SPEED),
            azimuth=wrap_angle(azimuth),
            elevation=elevation,
            squidger=mm(self._state.options.squidger_diameter_mm),
            press=press,
            drag=follow_through,
            start=self._start,
        )


def _distance(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _point_short_of(target: Point, source: Point, short_by: float) -> Point:
    """Point short of a target by a distance, seen from an origin."""
    apart = max(_distance(target, source), 1e-6)
    share = min(0.9, short_by / apart)
    return (target[0] + (source[0] - target[0]) * share, target[1] + (source[1] - target[1]) * share)
