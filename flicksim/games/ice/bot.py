"""Candidate actions and heuristic value for bots of Ice Tiddly Winks.

A launch that is handed back costs nothing (ITW-5g), so what counts is how often a missile that stays also stands.
Players know a few launches that stand best (`practice`), the more of them the longer they have practised, and send them
where none of their own can be hit. Small ones go first: what is launched late has less to survive, and lies about it
what makes a piece lean and count double. A beginner knows no launch from the table of known launches, aims at an open
spot, and takes the best of three things tried once. Others try nothing: whether one launch stands is mostly luck, and
with up to sixteen tries each nothing was seen to be gained by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from math import atan2, cos, hypot, sin

import msgspec
import numpy as np

from flicksim.core.geometry import Point, is_inside_convex, wrap_angle
from flicksim.core.units import degrees, mm
from flicksim.games.ice import rules
from flicksim.games.ice.aiming import SLANTS, carry_for, speed_for_carry
from flicksim.games.ice.known_launches import KNOWN_LAUNCHES, KnownLaunch, LaunchesBySize
from flicksim.games.ice.quiescence import wait_for_landings
from flicksim.games.ice.scoring import TableCount
from flicksim.games.ice.state import Action, Load, State
from flicksim.games.ice.state_evaluation import evaluate_state
from flicksim.games.ice.table_layout import seat_areas, size_of
from flicksim.referee import LaunchRange
from flicksim.scene import Launch, Pyramid, PyramidSet, Size

__all__ = [
    "EXTRA_WAIT",
    "LOOKAHEAD_CONFIGS",
    "MISSILE_VALUES",
    "RELOAD_TIME",
    "candidates",
    "evaluate_state",
    "for_grade",
    "fraction_played",
    "is_final_shot",
    "search_state",
    "target_of",
    "value",
    "wait_for_landings",
]

LOOKAHEAD_CONFIGS: Mapping[str, tuple[int, int, int]] = {
    "beginner": (3, 1, 1),
    "club": (1, 1, 1),
    "expert": (1, 1, 1),
    "world": (1, 1, 1),
}
"""Search budget by grade: launches thought of, those tried again with its own hand, and tries of each."""
RELOAD_TIME = (0.8, 2.0)
"""Time a bot takes to stack the next missile and flick it, from, to [s]."""
MISSILE_VALUES: Mapping[Size, float] = {"small": 0.5, "medium": 0.9, "large": 1.1}
"""Points a missile in hand may be expected to count in the end, in a club player's hands on a quiet table."""
EXTRA_WAIT = 1.2
"""Extra wait while somebody else has more left [s]: it costs nothing, and what lands late is knocked least."""
_ROLL_OUT = mm(60.0)
"""Distance that a missile mostly ends beyond where it comes down [m]: small and medium ones 50 mm, large ones 85 mm."""
_SAMPLED_SPOTS = 16
"""Spots looked at for a clear one."""
_HOLD_RANGE = 0.35
"""Reach along one's line while holding the launcher, of its length, to either side of the middle."""
_AZIMUTH_RANGE = degrees(30.0)
"""And how far aside one launches [rad]."""
_EDGE_MARGIN = mm(50.0)
"""So far short of the table's edge a missile should end [m]."""
_CLEARANCE = mm(90.0)
"""So far from one's own scorers a spot is clear [m]."""
_TARGET_RADIUS = mm(60.0)
"""A launch that ends so near a piece is aimed at it [m]."""


class Bot:
    """Candidate launches and heuristic value, from a set of known launches.

    Args:
        known: known launches.
    """

    def __init__(self, known: LaunchesBySize) -> None:
        self._known_launches = known

    def candidates(self, state: State, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions worth evaluating, the most natural first; later ones are varied at random."""
        choices = rules.legal_actions(state)
        if not choices.flicks:
            return list[Action](action for action in choices.actions if isinstance(action, Load))[:1]
        seat = rules.to_play(state)
        assert seat is not None
        leads = any(len(hand) > len(state.hands[seat]) for hand in state.hands)
        time = round(state.ready[seat] + float(rng.uniform(*RELOAD_TIME)) + (EXTRA_WAIT if leads else 0.0), 3)
        spans = [span for span in choices.flicks if isinstance(span, LaunchRange)]
        ideas = islice(self._candidate_launches(state, seat, spans, rng), count)
        return [msgspec.structs.replace(launch, owner=seat, time=time) for launch in ideas]

    def search_state(self, state: State) -> State:
        """State from which a search plays on."""
        return search_state(state)

    def value(self, state: State, seat: int) -> float:
        """Expected lead of a seat in points."""
        return value(state, seat)

    def _candidate_launches(
        self, state: State, seat: int, spans: list[LaunchRange], rng: np.random.Generator
    ) -> Iterator[Launch]:
        """Candidate launches: missile, launch parameters and target."""
        place = seat_areas(state.options, state.seats)[seat]
        count = TableCount(state.scene, state.options, state.committed)
        own: list[Pyramid] = []
        props: list[Pyramid] = []
        scorers: list[Pyramid] = []
        for piece in state.scene.pieces:
            points = count.points(piece.id)
            (props if not points else own if piece.owner == seat else scorers).append(piece)
        scorers.sort(key=lambda piece: (-count.points(piece.id), piece.id))
        props.sort(
            key=lambda piece: (hypot(piece.x - place.default_hold[0], piece.y - place.default_hold[1]), piece.id)
        )
        first, last = spans[0], spans[-1]
        for _ in range(2):
            yield self._standing_launch(state, seat, first, own, rng)
        if scorers:
            yield _launch_at(last, scorers[0].position, rng)
        if props:
            yield _launch_at(first, props[0].position, rng)
        while True:
            span = spans[int(rng.integers(len(spans)))]
            draw = float(rng.random())
            if scorers and draw < 0.15:
                yield _launch_at(span, scorers[int(rng.integers(min(3, len(scorers))))].position, rng)
            elif props and draw < 0.3:
                yield _launch_at(span, props[int(rng.integers(len(props)))].position, rng)
            elif draw < 0.35:
                yield _launch_at(span, _open_spot(state, seat, rng), rng)
            else:
                yield self._standing_launch(state, seat, span, own, rng, int(rng.integers(4)))

    def _standing_launch(
        self, state: State, seat: int, span: LaunchRange, own: list[Pyramid], rng: np.random.Generator, which: int = 0
    ) -> Launch:
        """A launch that often comes to stand: from the table of known launches, or at an open spot where none is
        known."""
        known = self._known_launches.get(span.size)
        if known and state.scene.kit == PyramidSet():
            return _known_launch(state, seat, span, known[which % len(known)], own, rng)
        return _launch_at(span, _open_spot(state, seat, rng), rng)  # nobody has practised with such pieces


def for_grade(grade: str) -> Bot:
    """Bot of a grade: the higher the grade, the more known launches it has."""
    return Bot(KNOWN_LAUNCHES[grade])


candidates = for_grade("world").candidates


def target_of(state: State, launch: Launch) -> str:
    """Piece that a launch is aimed at; None if it is aimed at an open place."""
    by_heart = [one for known in KNOWN_LAUNCHES.values() for one in known.get(launch.size, ())]
    if any((launch.speed, launch.slant) == (one.speed, one.slant) for one in by_heart):
        return ""
    carry = carry_for(launch.size, launch.slant, launch.speed) + _ROLL_OUT
    spot = (launch.hold[0] + carry * cos(launch.azimuth), launch.hold[1] + carry * sin(launch.azimuth))
    away, name = min(
        ((hypot(p.x - spot[0], p.y - spot[1]), p.id) for p in state.scene.pieces), default=(_TARGET_RADIUS, "")
    )
    return name if away < _TARGET_RADIUS else ""


def _known_launch(
    state: State, seat: int, span: LaunchRange, known: KnownLaunch, own: list[Pyramid], rng: np.random.Generator
) -> Launch:
    """Known launch from that place and direction, if it ends clear of one's own scorers.

    Of the clear spots it is the one nearest the middle of the table (ITW-3e).
    """
    place = seat_areas(state.options, state.seats)[seat]
    ax, ay = place.start_line[0]
    bx, by = place.start_line[1]
    middle = _table_centre(state)
    best: tuple[tuple[float, float], Launch] | None = None
    for _ in range(_SAMPLED_SPOTS):
        along, aside = (
            float(rng.uniform(-_HOLD_RANGE, _HOLD_RANGE)),
            float(rng.uniform(-_AZIMUTH_RANGE, _AZIMUTH_RANGE)),
        )
        hold = (span.hold[0] + along * (bx - ax), span.hold[1] + along * (by - ay))
        way = place.facing + aside
        spot = (hold[0] + known.carry * cos(way), hold[1] + known.carry * sin(way))
        beyond = (spot[0] + _EDGE_MARGIN * cos(way), spot[1] + _EDGE_MARGIN * sin(way))
        room = min((hypot(piece.x - spot[0], piece.y - spot[1]) for piece in own), default=_CLEARANCE)
        good = min(room, _CLEARANCE), -hypot(spot[0] - middle[0], spot[1] - middle[1])
        if best is not None and good <= best[0]:
            continue
        launch = Launch(
            piece=span.piece, size=span.size, hold=hold, azimuth=wrap_angle(way), speed=known.speed,
            height=known.height, slant=known.slant, lift=known.lift,
        )  # fmt: skip
        there = state.scene.without(*state.lift, span.piece)
        if (
            is_inside_convex(hold, place.stash)
            and is_inside_convex(beyond, state.scene.surface.outline)
            and not is_inside_convex(spot, place.stash)
            and there.find_obstruction(launch) is None
        ):
            best = (good, launch)
    return best[1] if best is not None else _launch_at(span, _open_spot(state, seat, rng), rng)


def _open_spot(state: State, seat: int, rng: np.random.Generator) -> Point:
    """Random spot between the own start line and a little beyond the middle of the table."""
    place = seat_areas(state.options, state.seats)[seat]
    middle = _table_centre(state)
    ax, ay = (sum(at) / 2.0 for at in zip(*place.start_line, strict=True))
    share, aside = float(rng.uniform(0.5, 1.1)), float(rng.normal(0.0, mm(60.0)))
    c, s = cos(place.facing), sin(place.facing)
    return (ax + (middle[0] - ax) * share - aside * s, ay + (middle[1] - ay) * share + aside * c)


def _table_centre(state: State) -> Point:
    edge = state.scene.surface.outline
    return (sum(x for x, _ in edge) / len(edge), sum(y for _, y in edge) / len(edge))


def _launch_at(span: LaunchRange, target: Point, rng: np.random.Generator) -> Launch:
    """Random launch that comes down a little short of a spot, steep or flat, with random tumble."""
    dx, dy = target[0] - span.hold[0], target[1] - span.hold[1]
    slant = int(rng.integers(len(SLANTS)))
    carry = max(mm(60.0), hypot(dx, dy) - _ROLL_OUT) * float(rng.normal(1.0, 0.04))
    return Launch(
        piece=span.piece, size=span.size, hold=span.hold, azimuth=wrap_angle(atan2(dy, dx)),
        speed=speed_for_carry(span.size, slant, carry), height=float(rng.uniform(*span.height)), slant=SLANTS[slant],
        lift=span.lift,
    )  # fmt: skip


def search_state(state: State) -> State:
    """State from which a search plays on: nobody else flicks meanwhile, so its own missile comes down at once."""
    seat = rules.to_play(state)
    hands = tuple(hand if other == seat else () for other, hand in enumerate(state.hands))
    return msgspec.structs.replace(state, hands=hands, aloft=())


def fraction_played(state: State) -> float:
    """Fraction of the game played, 0 to 1."""
    played, left = len(state.committed), sum(map(len, state.hands)) + len(state.aloft)
    return played / max(1, played + left)


def is_final_shot(state: State) -> bool:
    """Return True if the last missile is due, so that what it leads to is counted, but where it is handed back."""
    return sum(map(len, state.hands)) + len(state.aloft) == 1


def value(state: State, seat: int) -> float:
    """Points standing and to be expected, less those of the others: half the leader's, half their mean."""
    points = rules.provisional_points(state)
    hoped = sum(MISSILE_VALUES[size_of(name)] for name in state.hands[seat])
    others = [had for other, had in enumerate(points) if other != seat]
    if not others:
        return points[seat] + hoped
    return points[seat] + hoped - 0.5 * max(others) - 0.5 * sum(others) / len(others)
