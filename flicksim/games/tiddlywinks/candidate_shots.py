"""Candidate shots of tiddlywinks, each with a prior value from the table of shot chances.

Terms: bring in, pot, squop, desquop (free a wink below), boondock (send a wink below far away), break up (drive into a
pile), protect (retreat out of reach).
"""

from collections.abc import Iterator
from math import atan2, cos, exp, hypot, pi, sin, tan
from typing import NamedTuple

import numpy as np

from flicksim.core.errors import IllegalAction
from flicksim.core.geometry import Point, wrap_angle
from flicksim.core.units import deg2rad, mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.heuristic_value import Style, pot_likelihood, pot_log_decay, squop_log_decay
from flicksim.games.tiddlywinks.legal_actions import check_action
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.scene import MAX_SPEED, Piece, Squidge, launch_speed_to_reach

BACKSPIN = 60.0
"""Backspin of shots at the pot and of sliding ones [rad/s]: the drag on a wink that turns over is averaged over its
attitudes, while that on one that hardly turns depends on the small turn it happens to have. By the table of chances
world class pots .52 of shots from .93 m, of shots without backspin .32."""
SLIDE_ELEVATION = deg2rad(20.0)
"""Elevation of sliding shots [rad]: the wink lands flat and slides on evenly. Over 0.8 m the distance has two thirds of
the standard deviation that it has from 30 degrees and without backspin."""
_SLIDE_TABLE = (
    (0.0, 0.0), (0.067, 0.025), (0.13, 0.05), (0.254, 0.1), (0.493, 0.2), (0.935, 0.4), (1.345, 0.6), (1.95, 0.9)
)  # fmt: skip
"""Distances to rest and to the first landing of sliding shots on felt [m]; measured in simulations, the last is
extrapolated."""
LANDING_HEIGHT = mm(2.0)
"""Height of a wink's centre as it lands on another or on the felt [m]."""
SQUOP_ELEVATIONS = (deg2rad(60.0), deg2rad(68.0), deg2rad(52.0))
"""Elevations of shots on to another wink, the usual one first [rad]."""
_SQUOP_TUMBLES = ((0.045, 0.0), (0.055, -60.0), (0.08, -90.0), (0.12, -150.0), (0.2, -200.0))
"""Distances to the target and backspins of squops [m], [rad/s]; negative is topspin. Measured in simulations of club
players' shots at winks of either size: from 0.1 m 1.1 to 1.4 times as many squop as without spin, from 0.16 m 1.6."""
_SHORT_OFFSET, _SHORT_FRACTION = mm(6.0), 0.055
"""A squopping wink is aimed short of the target's middle, as it slides on: constant part [m], and fraction of the
distance."""
_POT_ELEVATIONS = (
    (0.044, 80.0), (0.048, 78.0), (0.054, 75.0), (0.06, 72.0), (0.07, 69.0), (0.085, 65.0), (0.1, 62.0),
    (0.13, 58.0), (0.16, 56.0), (0.2, 55.0), (0.25, 53.0), (0.32, 51.5), (0.4, 50.0), (0.5, 48.0), (0.93, 48.0),
)  # fmt: skip
"""Distances to the pot and elevations of the surest shots into it [m], [degrees]; measured in simulations of club
players' shots. Near the pot they end at 80 degrees, as a squidger can hardly be held steeper."""
_OTHER_ELEVATION, _STEEP = deg2rad(6.0), deg2rad(75.0)
"""Difference of the other shot at the pot, which is steeper but where the usual one is steep already [rad]."""


def pot_elevations(distance: float) -> tuple[float, float]:
    """Elevations of shots into a pot at a distance [m], the usual one first [rad]."""
    distances, degrees = zip(*_POT_ELEVATIONS, strict=True)
    usual = deg2rad(float(np.interp(distance, distances, degrees)))
    return usual, usual - _OTHER_ELEVATION if usual > _STEEP else usual + _OTHER_ELEVATION


def squop_aim_offset(distance: float) -> float:
    """Distance short of the target's middle to aim at, so that a squop at a distance stays on it [m]."""
    return _SHORT_OFFSET + _SHORT_FRACTION * distance


def squop_tumble(distance: float) -> float:
    """Backspin of a squop at a distance [m]; negative, topspin, but where the target is near [rad/s]."""
    distances, tumbles = zip(*_SQUOP_TUMBLES, strict=True)
    return float(np.interp(distance, distances, tumbles))


def lob_elevation_and_speed(
    piece: Piece, distance: float, height: float, elevation: float, tumble: float = 0.0
) -> tuple[float, float]:
    """Elevation and speed that bring a wink with a backspin [rad/s] down past a height so far away, from above [rad],
    [m/s]."""
    clearing = clearing_elevation(distance, height, elevation)
    return clearing, launch_speed_to_reach(piece, distance, height, clearing, tumble)


def clearing_elevation(distance: float, height: float, elevation: float) -> float:
    """Smallest elevation, at least the given one, at which a wink descends past an edge of a height."""
    while distance * tan(elevation) - height < 0.3 * distance and elevation < 1.4:
        elevation += 0.08
    return elevation


def slide_speed(piece: Piece, distance: float) -> float:
    """Speed at which a wink squidged at `SLIDE_ELEVATION` with `BACKSPIN` comes to rest at a distance [m/s]."""
    rest_distances, landing_distances = zip(*_SLIDE_TABLE, strict=True)
    return launch_speed_to_reach(
        piece, float(np.interp(distance, rest_distances, landing_distances)), mm(2.0), SLIDE_ELEVATION, BACKSPIN
    )


NEAR, POT, OTHER = "near", "pot", ""


class CandidateShot(NamedTuple):
    """Candidate shot with its prior value.

    Args:
        prior_value: expected gain [points]. shot: intended shot.
        target: `POT`, `NEAR` the pot, the wink to be covered, or `OTHER`, for shots without a table of chances.
    """

    prior_value: float
    shot: Squidge
    target: str = OTHER


_APPROACH_DISTANCE = mm(110.0)
"""Distance from the pot to which winks are brought [m]: easy to pot from, and near winks to squop."""


def candidate_shots(state: State, style: Style) -> list[CandidateShot]:
    """All candidate shots, the best prior value first; but of those of one wink at one target, which have the same
    chances by the tables, all but the best follow the others. Each shot without a table counts for itself."""
    seat = state.book.to_play
    assert seat is not None
    squops = Squops(state.scene, state.book)
    shots: list[CandidateShot] = []
    kinds = set()
    for wink in squops.playable_winks(seat):
        if wink in state.book.behind:
            if kit.kind_of(wink) in kinds:
                continue
            kinds.add(kit.kind_of(wink))
        shots += _candidates_for(state, squops, style, wink)
    shots.sort(key=lambda candidate: -candidate.prior_value)
    seen = set[tuple[str, str]]()
    first, further = list[CandidateShot](), list[CandidateShot]()
    for candidate in shots:
        plan = candidate.shot.piece, candidate.target
        (further if candidate.target != OTHER and plan in seen else first).append(candidate)
        seen.add(plan)
    return first + further


def _candidates_for(state: State, squops: Squops, style: Style, wink: str) -> Iterator[CandidateShot]:
    piece = state.scene.piece(wink)
    start = None
    if wink in state.book.behind:
        start = _free_start(state, wink)
        if start is None:
            return
    generator = _ShotGenerator(state, squops, style, piece, start)
    yield from generator.pots()
    if state.book.phase == "squidge_off":
        yield from generator.squidge_off_shots()
        return
    yield from generator.approaches()
    if style.uses_squops and not state.book.potted_out:
        yield from generator.squops()
        yield from generator.break_ups()
    yield from generator.from_the_pile()
    yield from generator.retreats()


def _free_start(state: State, wink: str) -> Point | None:
    x, y = spot = kit.start_spot(state.options, kit.seat_of(wink), kit.kind_of(wink))
    for offset in (0.0, 0.03, -0.03, 0.06, -0.06):
        distance = hypot(*spot)
        # along the base line, perpendicular to the diagonal
        start = (round(x - offset * y / distance, 9), round(y + offset * x / distance, 9))
        shot = Squidge(piece=wink, speed=1.0, azimuth=0.0, start=start)
        try:
            check_action(state, shot)
        except IllegalAction:
            continue
        return start
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
        # a wink that leaves frees those it lies on
        self._leave_value = 0.6 * len(self._friends) - (0.3 + style.squop_value) * len(self._enemies)

    def pots(self) -> Iterator[CandidateShot]:
        """Shots into the pot."""
        distance = hypot(*self._at)
        left = set(kit.winks_of(kit.seat_of(self._piece.id))).difference(self._state.book.potted)
        # potting out ends all squops: what a colour's last wink lies on does not matter then (TW-10b)
        leave_value = self._leave_value if len(left) > 1 else 0.0
        value = (self._style.pot_value - 1.0) * exp(pot_log_decay(distance)) + 0.05 + leave_value
        for index, elevation in enumerate(pot_elevations(distance)):
            yield CandidateShot(value - 0.3 * index, self._lob((0.0, 0.0), kit.POT_HEIGHT, elevation, BACKSPIN), POT)

    def squidge_off_shots(self) -> Iterator[CandidateShot]:
        """Shots of the squidge-off, to end near the pot."""
        for short, value in ((mm(60.0), 0.5), (mm(90.0), 0.4), (mm(130.0), 0.2)):
            yield CandidateShot(value, self._skim(_point_short_of((0.0, 0.0), self._at, short)))

    def approaches(self) -> Iterator[CandidateShot]:
        """Approaches: to the front and sides of the pot, or near an enemy wink that could be squopped next."""
        distance = hypot(*self._at)
        if distance < 1.6 * _APPROACH_DISTANCE:
            return
        value = 0.8 if self._start is not None else 0.5 * (1.0 - pot_likelihood(self._piece))
        for turn, adjustment in ((0.0, 0.0), (0.5, -0.1), (-0.5, -0.1)):
            bearing = atan2(self._at[1], self._at[0]) + turn
            shot = self._skim((_APPROACH_DISTANCE * cos(bearing), _APPROACH_DISTANCE * sin(bearing)))
            yield CandidateShot(value + adjustment + self._leave_value, shot, NEAR)
        if self._style.uses_squops:
            for enemy in self._open_enemies()[:2]:
                yield CandidateShot(
                    value - 0.15 + self._leave_value, self._skim(_point_short_of(enemy.position, self._at, mm(45.0)))
                )

    def _open_enemies(self) -> list[Piece]:
        """Uncovered enemy winks in play, nearest first."""
        book = self._state.book
        open_winks = [
            piece
            for piece in self._state.scene.pieces
            if book.in_play(piece.id) and kit.pair_of(kit.seat_of(piece.id)) != self._pair
            if not self._squops.is_squopped(piece.id) and piece.id not in self._enemies
        ]
        return sorted(open_winks, key=lambda piece: _distance(piece.position, self._at))

    def squops(self) -> Iterator[CandidateShot]:
        """Squops of enemy winks; one that squops a friendly wink is valued higher."""
        for enemy in self._open_enemies()[:4]:
            distance = _distance(enemy.position, self._at)
            if distance > 0.6:
                break
            friends_below = sum(kit.pair_of(kit.seat_of(name)) == self._pair for name in self._squops.covered(enemy.id))
            value = (
                exp(squop_log_decay(distance))
                * (0.7 + self._style.squop_value + pot_likelihood(enemy) + 0.5 * friends_below)
                + self._leave_value
            )
            target = _point_short_of(enemy.position, self._at, squop_aim_offset(distance))
            for k, elevation in enumerate(SQUOP_ELEVATIONS):
                shot = self._lob(target, LANDING_HEIGHT, elevation, squop_tumble(distance))
                yield CandidateShot(value - 0.1 * k, shot, enemy.id)

    def break_ups(self) -> Iterator[CandidateShot]:
        """Hard, low shots into a pile in which an enemy wink covers a friendly one."""
        for enemy in self._open_enemies():
            friends_below = [
                name for name in self._squops.covered(enemy.id) if kit.pair_of(kit.seat_of(name)) == self._pair
            ]
            distance = _distance(enemy.position, self._at)
            if not friends_below or distance > 0.5:
                continue
            for speed, adjustment in ((3.5, 0.0), (2.0, -0.05)):
                azimuth = atan2(enemy.y - self._at[1], enemy.x - self._at[0])
                value = (0.5 * len(friends_below)) * exp(-distance / 0.3) + adjustment + self._leave_value
                yield CandidateShot(value, self._shot(azimuth, speed, deg2rad(12.0)))

    def from_the_pile(self) -> Iterator[CandidateShot]:
        """Shots off a pile: gentle, to free a friendly wink below, or drawn through, to send what lies below away."""
        if not (self._friends or self._enemies):
            return
        outward = atan2(self._at[1], self._at[0])
        if self._friends:
            for turn in (0.0, pi / 2.0, -pi / 2.0, pi):
                yield CandidateShot(0.2 + self._leave_value, self._shot(outward + turn, 0.7, deg2rad(45.0)))
        if self._enemies:
            # boondock: the played wink lands nearby, those below are drawn away from the pot
            for speed, elevation in ((2.5, 80.0), (1.6, 75.0)):
                value = 0.15 + 0.5 * self._leave_value
                shot = self._shot(outward, speed, deg2rad(elevation), press=1.0, follow_through=mm(20.0))
                yield CandidateShot(value, shot)
        for turn in (0.4, -0.4):
            shot = self._shot(outward + turn, 1.2, deg2rad(60.0), press=0.6, follow_through=mm(15.0))
            yield CandidateShot(0.1 + self._leave_value, shot)

    def retreats(self) -> Iterator[CandidateShot]:
        """Retreats out of reach of an enemy wink nearby, or from it towards the pot."""
        if self._start is not None or self._friends or self._enemies:
            return
        for enemy in self._open_enemies()[:1]:
            gap = _distance(enemy.position, self._at)
            if gap > mm(90.0):
                return
            azimuth = atan2(self._at[1] - enemy.y, self._at[0] - enemy.x)
            for distance, value in ((mm(120.0), 0.25), (mm(200.0), 0.15)):
                target = (self._at[0] + distance * cos(azimuth), self._at[1] + distance * sin(azimuth))
                yield CandidateShot(value, self._skim(target))

    def _lob(self, target: Point, height: float, elevation: float, tumble: float = 0.0) -> Squidge:
        elevation, speed = lob_elevation_and_speed(self._piece, _distance(target, self._at), height, elevation, tumble)
        return self._shot(atan2(target[1] - self._at[1], target[0] - self._at[0]), speed, elevation, tumble=tumble)

    def _skim(self, target: Point) -> Squidge:
        speed = slide_speed(self._piece, _distance(target, self._at))
        azimuth = atan2(target[1] - self._at[1], target[0] - self._at[0])
        return self._shot(azimuth, speed, SLIDE_ELEVATION, tumble=BACKSPIN)

    def _shot(
        self, azimuth: float, speed: float, elevation: float, *, tumble: float = 0.0, press: float = 0.0,
        follow_through: float = 0.0,
    ) -> Squidge:  # fmt: skip
        return Squidge(
            piece=self._piece.id,
            speed=min(speed, MAX_SPEED),
            azimuth=wrap_angle(azimuth),
            elevation=elevation,
            tumble=tumble,
            squidger=mm(self._state.options.squidger_diameter_mm),
            press=press,
            drag=follow_through,
            start=self._start,
        )


def _distance(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _point_short_of(target: Point, source: Point, short_by: float) -> Point:
    """Point short of a target by a distance, seen from an origin."""
    distance = max(_distance(target, source), 1e-6)
    fraction = min(0.9, short_by / distance)
    return (target[0] + (source[0] - target[0]) * fraction, target[1] + (source[1] - target[1]) * fraction)
