"""Candidate actions, heuristic value and state evaluation for bots of Ice Tiddly Winks.

A returned launch costs nothing (ITW-5g), so the objective is the probability that a missile that stays also stands.
Candidates are launches from a table (`known_launches`), aimed clear of the own scoring pieces. Small missiles go first:
later ones are disturbed less, and find more props to lean on and count double. A beginner has no table, aims at an open
spot, and plays the best of three launches simulated once. Other grades do not search: the outcome of a launch is mostly
random, and up to sixteen simulations of each candidate gave no measurable gain.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from math import atan2, cos, hypot, log, sin

import msgspec
import numpy as np

from flicksim.ai import GRADES, ExecutionNoise, LookaheadConfig
from flicksim.core.arrays import Floats
from flicksim.core.geometry import Point, is_inside_convex, wrap_angle
from flicksim.core.units import deg2rad, mm
from flicksim.games.ice import rules
from flicksim.games.ice.aiming import KNOWN_LAUNCHES, SLANTS, KnownLaunch, LaunchesBySize, carry_for, speed_for_carry
from flicksim.games.ice.scoring import TableCount
from flicksim.games.ice.state import Action, Load, State, Wait
from flicksim.games.ice.table_layout import seat_areas, size_of
from flicksim.referee import LaunchRange
from flicksim.scene import Launch, Pyramid, PyramidSet, Size

LOOKAHEAD_CONFIGS: Mapping[str, LookaheadConfig] = {
    grade: LookaheadConfig(candidates=3 if grade == "beginner" else 1, refined=1, samples=1) for grade in GRADES
}
"""Search budget by grade: candidates, those simulated again with execution noise, and simulations of each."""
RELOAD_TIME = (0.8, 2.0)
"""Range of the time a bot takes to stack and launch the next missile [s]."""
MISSILE_VALUES: Mapping[Size, float] = {"small": 0.5, "medium": 0.9, "large": 1.1}
"""Expected final points of a missile in hand, for a club player on a quiet table."""
EXTRA_WAIT = 1.2
"""Extra wait while another seat has more missiles left [s]: it is free, and late missiles are disturbed least."""
_ROLL_OUT = mm(60.0)
"""Typical distance a missile rolls after it comes down [m]: small and medium ones 50 mm, large ones 85 mm."""
_SAMPLED_SPOTS = 16
"""Number of spots sampled for a clear one."""
HOLD_RANGE = 0.35
"""Range of the launcher along the start line, to either side of its middle, as a fraction of its length."""
_AZIMUTH_RANGE = deg2rad(30.0)
"""Range of the azimuth to either side of straight ahead [rad]."""
_EDGE_MARGIN = mm(50.0)
"""Margin to the table's edge that a missile should keep [m]."""
_CLEARANCE = mm(90.0)
"""Distance from own scoring pieces at which a spot is clear [m]."""
_TARGET_RADIUS = mm(60.0)
"""Largest distance from a piece at which a launch counts as aimed at it [m]."""


def search_state(state: State) -> State:
    """State from which a search continues: without the other seats, so that the own missile comes down at once."""
    seat = rules.to_play(state)
    hands = tuple(hand if other == seat else () for other, hand in enumerate(state.hands))
    return msgspec.structs.replace(state, hands=hands, aloft=())


def value(state: State, seat: int) -> float:
    """Present and expected points, less half the leading opponent's and half the opponents' mean."""
    points = rules.provisional_points(state)
    hoped = sum(MISSILE_VALUES[size_of(name)] for name in state.hands[seat])
    others = [had for other, had in enumerate(points) if other != seat]
    if not others:
        return points[seat] + hoped
    return points[seat] + hoped - 0.5 * max(others) - 0.5 * sum(others) / len(others)


class Bot:
    """Candidate launches and heuristic value, from a set of known launches.

    Args:
        known: known launches.
    """

    def __init__(self, known: LaunchesBySize) -> None:
        self._known_launches = known

    def candidates(self, state: State, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions to evaluate, ordered by prior; later ones are random variations."""
        legal = rules.legal_actions(state)
        if not legal.flicks:
            return list[Action](action for action in legal.actions if isinstance(action, Load))[:1]
        seat = rules.to_play(state)
        assert seat is not None
        is_ahead = any(len(hand) > len(state.hands[seat]) for hand in state.hands)
        time = round(state.ready[seat] + float(rng.uniform(*RELOAD_TIME)) + (EXTRA_WAIT if is_ahead else 0.0), 3)
        ranges = [launch_range for launch_range in legal.flicks if isinstance(launch_range, LaunchRange)]
        launches = islice(self._candidate_launches(state, seat, ranges, rng), count)
        return [msgspec.structs.replace(launch, owner=seat, time=time) for launch in launches]

    search_state = staticmethod(search_state)
    value = staticmethod(value)

    def _candidate_launches(
        self, state: State, seat: int, ranges: list[LaunchRange], rng: np.random.Generator
    ) -> Iterator[Launch]:
        """Candidate launches: missile, launch parameters and target."""
        area = seat_areas(state.options, state.seats)[seat]
        count = TableCount(state)
        own: list[Pyramid] = []
        props: list[Pyramid] = []
        scorers: list[Pyramid] = []
        for piece in state.scene.pieces:
            points = count.points(piece.id)
            (props if not points else own if piece.owner == seat else scorers).append(piece)
        scorers.sort(key=lambda piece: (-count.points(piece.id), piece.id))
        props.sort(key=lambda piece: (hypot(piece.x - area.default_hold[0], piece.y - area.default_hold[1]), piece.id))
        first, last = ranges[0], ranges[-1]
        for _ in range(2):
            yield self._standing_launch(state, seat, first, own, rng)
        if scorers:
            yield launch_at(last, scorers[0].position, rng)
        if props:
            yield launch_at(first, props[0].position, rng)
        while True:
            launch_range = ranges[int(rng.integers(len(ranges)))]
            draw = float(rng.random())
            if scorers and draw < 0.15:
                yield launch_at(launch_range, scorers[int(rng.integers(min(3, len(scorers))))].position, rng)
            elif props and draw < 0.3:
                yield launch_at(launch_range, props[int(rng.integers(len(props)))].position, rng)
            elif draw < 0.35:
                yield launch_at(launch_range, _open_spot(state, seat, rng), rng)
            else:
                yield self._standing_launch(state, seat, launch_range, own, rng, int(rng.integers(4)))

    def _standing_launch(
        self,
        state: State,
        seat: int,
        launch_range: LaunchRange,
        own: list[Pyramid],
        rng: np.random.Generator,
        index: int = 0,
    ) -> Launch:
        """Launch with a high probability to stand: from the table of known launches, else at an open spot."""
        known = self._known_launches.get(launch_range.size)
        if known and state.scene.kit == PyramidSet():
            return _known_launch(state, seat, launch_range, known[index % len(known)], own, rng)
        return launch_at(launch_range, _open_spot(state, seat, rng), rng)  # the table is for pieces of the standard set


def for_grade(grade: str) -> Bot:
    """Bot with the known launches of a grade."""
    return Bot(KNOWN_LAUNCHES[grade])


candidates = for_grade("world").candidates


def target_of(state: State, launch: Launch) -> str:
    """Piece that a launch is aimed at; empty if it is aimed at an open place."""
    known = [launch_entry for by_size in KNOWN_LAUNCHES.values() for launch_entry in by_size.get(launch.size, ())]
    if any((launch.speed, launch.slant) == (launch_entry.speed, launch_entry.slant) for launch_entry in known):
        return ""
    carry = carry_for(launch.size, launch.slant, launch.speed) + _ROLL_OUT
    spot = (launch.hold[0] + carry * cos(launch.azimuth), launch.hold[1] + carry * sin(launch.azimuth))
    distance, name = min(
        ((hypot(piece.x - spot[0], piece.y - spot[1]), piece.id) for piece in state.scene.pieces),
        default=(_TARGET_RADIUS, ""),
    )
    return name if distance < _TARGET_RADIUS else ""


def _known_launch(
    state: State, seat: int, launch_range: LaunchRange, known: KnownLaunch, own: list[Pyramid], rng: np.random.Generator
) -> Launch:
    """Known launch from the sampled place and direction that ends clearest of own scoring pieces.

    Among clear spots the one nearest the middle of the table is taken (ITW-3e).
    """
    area = seat_areas(state.options, state.seats)[seat]
    ax, ay = area.start_line[0]
    bx, by = area.start_line[1]
    centre = _table_centre(state)
    best: tuple[tuple[float, float], Launch] | None = None
    for _ in range(_SAMPLED_SPOTS):
        offset, turn = (
            float(rng.uniform(-HOLD_RANGE, HOLD_RANGE)),
            float(rng.uniform(-_AZIMUTH_RANGE, _AZIMUTH_RANGE)),
        )
        hold = (launch_range.hold[0] + offset * (bx - ax), launch_range.hold[1] + offset * (by - ay))
        azimuth = area.facing + turn
        spot = (hold[0] + known.carry * cos(azimuth), hold[1] + known.carry * sin(azimuth))
        beyond = (spot[0] + _EDGE_MARGIN * cos(azimuth), spot[1] + _EDGE_MARGIN * sin(azimuth))
        clearance = min((hypot(piece.x - spot[0], piece.y - spot[1]) for piece in own), default=_CLEARANCE)
        score = min(clearance, _CLEARANCE), -hypot(spot[0] - centre[0], spot[1] - centre[1])
        if best is not None and score <= best[0]:
            continue
        launch = Launch(
            piece=launch_range.piece, size=launch_range.size, hold=hold, azimuth=wrap_angle(azimuth), speed=known.speed,
            height=known.height, slant=known.slant, lift=known.lift,
        )  # fmt: skip
        scene = state.scene.without(*state.lift, launch_range.piece)
        if (
            is_inside_convex(hold, area.stash)
            and is_inside_convex(beyond, state.scene.surface.outline)
            and not is_inside_convex(spot, area.stash)
            and scene.find_obstruction(launch) is None
        ):
            best = (score, launch)
    return best[1] if best is not None else launch_at(launch_range, _open_spot(state, seat, rng), rng)


def _open_spot(state: State, seat: int, rng: np.random.Generator) -> Point:
    """Random spot between the own start line and a little beyond the middle of the table."""
    area = seat_areas(state.options, state.seats)[seat]
    centre = _table_centre(state)
    ax, ay = (sum(at) / 2.0 for at in zip(*area.start_line, strict=True))
    fraction, offset = float(rng.uniform(0.5, 1.1)), float(rng.normal(0.0, mm(60.0)))
    c, s = cos(area.facing), sin(area.facing)
    return (ax + (centre[0] - ax) * fraction - offset * s, ay + (centre[1] - ay) * fraction + offset * c)


def _table_centre(state: State) -> Point:
    outline = state.scene.surface.outline
    return (sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline))


def launch_at(span: LaunchRange, target: Point, rng: np.random.Generator) -> Launch:
    """Random launch that comes down a little short of a spot, steep or flat, with random tumble."""
    dx, dy = target[0] - span.hold[0], target[1] - span.hold[1]
    slant = int(rng.integers(len(SLANTS)))
    carry = max(mm(60.0), hypot(dx, dy) - _ROLL_OUT) * float(rng.normal(1.0, 0.04))
    return Launch(
        piece=span.piece, size=span.size, hold=span.hold, azimuth=wrap_angle(atan2(dy, dx)),
        speed=speed_for_carry(span.size, slant, carry), height=float(rng.uniform(*span.height)), slant=SLANTS[slant],
        lift=span.lift,
    )  # fmt: skip


def fraction_played(state: State) -> float:
    """Fraction of the game played, 0 to 1."""
    played, left = len(state.committed), sum(map(len, state.hands)) + len(state.aloft)
    return played / max(1, played + left)


def is_final_shot(state: State) -> bool:
    """Return True if the last missile is due, so that its result is final unless it is returned."""
    return sum(map(len, state.hands)) + len(state.aloft) == 1


_MAX_FLIGHT_TIME = 60.0
"""Upper bound of the time in flight [s]."""


def wait_for_landings(state: State) -> Wait | None:
    """Waiting action of the only seat with a missile left, until the others' missiles are down; else None."""
    seats = [seat for seat, hand in enumerate(state.hands) if hand]
    if not state.aloft or len(seats) != 1 or len(state.hands[seats[0]]) != 1:
        return None
    return Wait(until=state.ready[seats[0]] + _MAX_FLIGHT_TIME)


EXPECTED_POINTS: Mapping[str, Mapping[Size, float]] = {
    "beginner": {"small": 0.23, "medium": 0.34, "large": 0.49},
    "club": {"small": 0.50, "medium": 0.74, "large": 0.86},
    "world": {"small": 0.58, "medium": 0.82, "large": 1.07},
}
"""Expected final points of a missile in hand, by execution noise: regression of final points on missiles left, in 40
games each of two and four bots with all known launches."""
_PIPS: Mapping[Size, int] = {"small": 1, "medium": 2, "large": 3}
_DOUBLE_FRACTION = 0.2
"""Fraction of those points that is from pieces that count double."""
_SAMPLES = 300
"""Number of samples of the launches to come, for each seat."""


def evaluate_state(view: State, after: State, seat: int, noise: ExecutionNoise) -> tuple[float, float]:
    """Expected win probability and lead in points over the others' mean.

    Args:
        view: state before the launch, for the other seats' missiles in hand and in flight.
        after: state after the launch. noise: execution noise of every player.
    """
    missiles = [after.hands[other] if other == seat else view.hands[other] for other in range(view.seats)]
    for launch in view.aloft:
        if launch.owner is not None and launch.owner != seat:
            missiles[launch.owner] = (*missiles[launch.owner], launch.piece)
    standing = np.array(rules.provisional_points(after), np.float64)
    means = expected_missile_points(noise)
    expected = np.array([sum(means[size_of(name)] for name in names) for names in missiles])
    totals_expected = standing + expected
    points = float(totals_expected[seat] - (totals_expected.sum() - totals_expected[seat]) / max(1, view.seats - 1))
    if not any(missiles):
        winners = rules.leaders(after)
        return (1.0 / len(winners) if seat in winners else 0.0), points
    totals = standing[None] + np.stack(
        [_sampled_points(noise, names, other, view.seats) for other, names in enumerate(missiles)], axis=1
    )
    is_best = totals >= totals.max(axis=1, keepdims=True)
    return float((is_best[:, seat] / is_best.sum(axis=1)).mean()), points


@lru_cache(maxsize=16)
def expected_missile_points(noise: ExecutionNoise) -> Mapping[Size, float]:
    """Expected points of a missile at a level of execution noise, interpolated between the measured levels."""
    errors = [log(GRADES[name].speed) for name in EXPECTED_POINTS]
    x = log(max(noise.speed, 1e-6))
    sizes: tuple[Size, ...] = ("small", "medium", "large")
    return {
        size: float(np.interp(x, errors[::-1], [by_size[size] for by_size in EXPECTED_POINTS.values()][::-1]))
        for size in sizes
    }


def _sampled_points(noise: ExecutionNoise, missiles: tuple[str, ...], seat: int, seats: int) -> Floats:
    """Sampled points of these missiles of a seat: nothing, their pips, or twice as much. [W]"""
    samples, means = _uniform_samples(seats)[:, seat], expected_missile_points(noise)
    points = np.zeros(len(samples))
    for k, name in enumerate(missiles):
        size = size_of(name)
        standing_probability = means[size] / _PIPS[size]
        points += _PIPS[size] * (samples[:, k] < (1.0 - 0.5 * _DOUBLE_FRACTION) * standing_probability)
        points += _PIPS[size] * (samples[:, k] < 0.5 * _DOUBLE_FRACTION * standing_probability)
    return points


@lru_cache(maxsize=8)
def _uniform_samples(seats: int) -> Floats:
    """Uniform samples of every missile, common to all states and symmetric in the seats. [W, seats, missiles]"""
    drawn = np.random.Generator(np.random.PCG64(seats)).random((_SAMPLES, seats, 15))
    return np.concatenate([np.roll(drawn, turn, axis=1) for turn in range(seats)])
