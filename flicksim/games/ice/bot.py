"""The actions worth a thought in Ice Tiddly Winks, and how good a table is. A search does the rest.

A launch that is handed back costs nothing (ITW-5g), so what counts is how often a missile that stays also stands.
Players have a few launches by heart that stand best (`practice`), the more of them the longer they have practised,
and send them where none of their own can be hit. Small ones go first: what is launched late has less to survive, and
lies about it what makes a piece lean and count double. A beginner knows no launch by heart, aims at an open spot, and
takes the best of three things tried once. Others try nothing: whether one launch stands is mostly luck, and with up to
sixteen tries each nothing was seen to be gained by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from math import atan2, cos, hypot, sin

import msgspec
import numpy as np

from flicksim.base.geometry import Point, half_turn, inside
from flicksim.base.units import degrees, mm
from flicksim.games.ice import rules
from flicksim.games.ice.aim import SLANTS, carry_for, strength_for
from flicksim.games.ice.calm import calmed
from flicksim.games.ice.outlook import told
from flicksim.games.ice.practice import KNACKS, Knack, Known
from flicksim.games.ice.scoring import Count
from flicksim.games.ice.seats import places, size_of
from flicksim.games.ice.state import Action, Load, State
from flicksim.referee import LaunchRange
from flicksim.table import Kit, Launch, Pyramid, Size

__all__ = [
    "LINGER",
    "TEMPO",
    "THOUGHTS",
    "WORTH",
    "aimed_at",
    "calmed",
    "candidates",
    "gone",
    "imagined",
    "last",
    "practised",
    "told",
    "value",
]

THOUGHTS: Mapping[str, tuple[int, int, int]] = {
    "beginner": (3, 1, 1),
    "club": (1, 1, 1),
    "expert": (1, 1, 1),
    "world": (1, 1, 1),
}
"""Depth of thought by grade: launches thought of, those tried again with its own hand, and tries of each."""
TEMPO = (0.8, 2.0)
"""Time a bot takes to stack the next missile and flick it, from, to [s]."""
WORTH: Mapping[Size, float] = {"small": 0.5, "medium": 0.9, "large": 1.1}
"""Points a missile in hand may be expected to count in the end, in a club player's hands on a quiet table."""
LINGER = 1.2
"""Extra wait while somebody else has more left [s]: it costs nothing, and what lands late is knocked least."""
_RUN = mm(60.0)
"""Distance that a missile mostly ends beyond where it comes down [m]: small and medium ones 50 mm, large ones 85 mm."""
_SPOTS = 16
"""Spots looked at for a clear one."""
_REACH = 0.35
"""Reach along one's line while holding the launcher, of its length, to either side of the middle."""
_FAN = degrees(30.0)
"""And how far aside one launches [rad]."""
_EDGE = mm(50.0)
"""So far short of the table's edge a missile should end [m]."""
_CLEAR = mm(90.0)
"""So far from one's own scorers a spot is clear [m]."""
_AT = mm(60.0)
"""A launch that ends so near a piece is aimed at it [m]."""


class Bot:
    """Candidates of a player who has practised so much.

    Args:
        known: launches by heart.
    """

    def __init__(self, known: Known) -> None:
        self._known = known

    def candidates(self, state: State, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions worth a thought, the most natural first; later ones are varied at random."""
        choices = rules.choices(state)
        if not choices.flicks:
            return list[Action](action for action in choices.actions if isinstance(action, Load))[:1]
        seat = rules.to_play(state)
        assert seat is not None
        leads = any(len(hand) > len(state.hands[seat]) for hand in state.hands)
        time = round(state.ready[seat] + float(rng.uniform(*TEMPO)) + (LINGER if leads else 0.0), 3)
        spans = [span for span in choices.flicks if isinstance(span, LaunchRange)]
        ideas = islice(self._ideas(state, seat, spans, rng), count)
        return [msgspec.structs.replace(launch, owner=seat, time=time) for launch in ideas]

    def imagined(self, state: State) -> State:
        """The state as a search plays on it."""
        return imagined(state)

    def value(self, state: State, seat: int) -> float:
        """Points that a seat is ahead by, or may expect to be."""
        return value(state, seat)

    def _ideas(self, state: State, seat: int, spans: list[LaunchRange], rng: np.random.Generator) -> Iterator[Launch]:
        """Launches worth a try: which missile, how, and where to."""
        place = places(state.options, state.seats)[seat]
        count = Count(state.scene, state.options, state.committed)
        own: list[Pyramid] = []
        props: list[Pyramid] = []
        scorers: list[Pyramid] = []
        for piece in state.scene.pieces:
            points = count.points(piece.id)
            (props if not points else own if piece.owner == seat else scorers).append(piece)
        scorers.sort(key=lambda piece: (-count.points(piece.id), piece.id))
        props.sort(key=lambda piece: (hypot(piece.x - place.hold[0], piece.y - place.hold[1]), piece.id))
        first, last = spans[0], spans[-1]
        for _ in range(2):
            yield self._stood(state, seat, first, own, rng)
        if scorers:
            yield _aimed(last, scorers[0].at, rng)
        if props:
            yield _aimed(first, props[0].at, rng)
        while True:
            span = spans[int(rng.integers(len(spans)))]
            draw = float(rng.random())
            if scorers and draw < 0.15:
                yield _aimed(span, scorers[int(rng.integers(min(3, len(scorers))))].at, rng)
            elif props and draw < 0.3:
                yield _aimed(span, props[int(rng.integers(len(props)))].at, rng)
            elif draw < 0.35:
                yield _aimed(span, _open(state, seat, rng), rng)
            else:
                yield self._stood(state, seat, span, own, rng, int(rng.integers(4)))

    def _stood(
        self, state: State, seat: int, span: LaunchRange, own: list[Pyramid], rng: np.random.Generator, which: int = 0
    ) -> Launch:
        """A launch that often comes to stand: by heart, or at an open spot where none is known."""
        known = self._known.get(span.size)
        if known and state.scene.kit == Kit():
            return _practised(state, seat, span, known[which % len(known)], own, rng)
        return _aimed(span, _open(state, seat, rng), rng)  # nobody has practised with such pieces


def practised(thought: str) -> Bot:
    """The bot that thinks like a grade: the higher it is, the more it knows by heart."""
    return Bot(KNACKS[thought])


candidates = practised("world").candidates


def aimed_at(state: State, launch: Launch) -> str:
    """The piece that a launch is sent at, or nothing: in the open one place is as good as another."""
    by_heart = [one for known in KNACKS.values() for one in known.get(launch.size, ())]
    if any((launch.speed, launch.slant) == (one.speed, one.slant) for one in by_heart):
        return ""
    carry = carry_for(launch.size, launch.slant, launch.speed) + _RUN
    spot = (launch.hold[0] + carry * cos(launch.azimuth), launch.hold[1] + carry * sin(launch.azimuth))
    away, name = min(((hypot(p.x - spot[0], p.y - spot[1]), p.id) for p in state.scene.pieces), default=(_AT, ""))
    return name if away < _AT else ""


def _practised(
    state: State, seat: int, span: LaunchRange, knack: Knack, own: list[Pyramid], rng: np.random.Generator
) -> Launch:
    """A launch by heart, from there and that way where it ends clear of one's own scorers.

    Of the clear spots it is the one nearest the middle of the table (ITW-3e).
    """
    place = places(state.options, state.seats)[seat]
    ax, ay = place.line[0]
    bx, by = place.line[1]
    middle = _middle(state)
    best: tuple[tuple[float, float], Launch] | None = None
    for _ in range(_SPOTS):
        along, aside = float(rng.uniform(-_REACH, _REACH)), float(rng.uniform(-_FAN, _FAN))
        hold = (span.hold[0] + along * (bx - ax), span.hold[1] + along * (by - ay))
        way = place.facing + aside
        spot = (hold[0] + knack.carry * cos(way), hold[1] + knack.carry * sin(way))
        beyond = (spot[0] + _EDGE * cos(way), spot[1] + _EDGE * sin(way))
        room = min((hypot(piece.x - spot[0], piece.y - spot[1]) for piece in own), default=_CLEAR)
        good = min(room, _CLEAR), -hypot(spot[0] - middle[0], spot[1] - middle[1])
        if best is not None and good <= best[0]:
            continue
        launch = Launch(
            piece=span.piece, size=span.size, hold=hold, azimuth=half_turn(way), speed=knack.speed,
            height=knack.height, slant=knack.slant, lift=knack.lift,
        )  # fmt: skip
        there = state.scene.without(*state.lift, span.piece)
        if (
            inside(hold, place.area)
            and inside(beyond, state.scene.surface.outline)
            and not inside(spot, place.area)
            and there.in_the_way(launch) is None
        ):
            best = (good, launch)
    return best[1] if best is not None else _aimed(span, _open(state, seat, rng), rng)


def _open(state: State, seat: int, rng: np.random.Generator) -> Point:
    """Somewhere between the own start line and a little beyond the middle of the table."""
    place = places(state.options, state.seats)[seat]
    middle = _middle(state)
    ax, ay = (sum(at) / 2.0 for at in zip(*place.line, strict=True))
    share, aside = float(rng.uniform(0.5, 1.1)), float(rng.normal(0.0, mm(60.0)))
    c, s = cos(place.facing), sin(place.facing)
    return (ax + (middle[0] - ax) * share - aside * s, ay + (middle[1] - ay) * share + aside * c)


def _middle(state: State) -> Point:
    edge = state.scene.surface.outline
    return (sum(x for x, _ in edge) / len(edge), sum(y for _, y in edge) / len(edge))


def _aimed(span: LaunchRange, target: Point, rng: np.random.Generator) -> Launch:
    """A launch that should come down a little short of a spot, steeply or flat, with more or less tumble."""
    dx, dy = target[0] - span.hold[0], target[1] - span.hold[1]
    slant = int(rng.integers(len(SLANTS)))
    carry = max(mm(60.0), hypot(dx, dy) - _RUN) * float(rng.normal(1.0, 0.04))
    return Launch(
        piece=span.piece, size=span.size, hold=span.hold, azimuth=half_turn(atan2(dy, dx)),
        speed=strength_for(span.size, slant, carry), height=float(rng.uniform(*span.height)), slant=SLANTS[slant],
        lift=span.lift,
    )  # fmt: skip


def imagined(state: State) -> State:
    """The state as a search plays on it: nobody else flicks meanwhile, so its own missile comes down at once."""
    seat = rules.to_play(state)
    hands = tuple(hand if other == seat else () for other, hand in enumerate(state.hands))
    return msgspec.structs.replace(state, hands=hands, aloft=())


def gone(state: State) -> float:
    """The share of the game that is over, 0 to 1."""
    played, left = len(state.committed), sum(map(len, state.hands)) + len(state.aloft)
    return played / max(1, played + left)


def last(state: State) -> bool:
    """True where the last missile is due, so that what it leads to is counted, but where it is handed back."""
    return sum(map(len, state.hands)) + len(state.aloft) == 1


def value(state: State, seat: int) -> float:
    """Points standing and still to be had, less what the others have: half of it the leader's, half their mean."""
    points = rules.standing(state)
    hoped = sum(WORTH[size_of(name)] for name in state.hands[seat])
    others = [had for other, had in enumerate(points) if other != seat]
    if not others:
        return points[seat] + hoped
    return points[seat] + hoped - 0.5 * max(others) - 0.5 * sum(others) / len(others)
