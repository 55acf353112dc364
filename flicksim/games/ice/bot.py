"""What is worth a thought in Ice Tiddly Winks, and how good a table is. A search in the slice does the rest.

Players drop a missile in the open and hope that it stands, aim at a lying piece so that it comes to lean on it for a
double, or at an opponent's scorer to knock it over. Which of these pays with which missile, the search finds out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import atan2, cos, hypot, pi, sin
from typing import Any

import msgspec
import numpy as np

from flicksim.base.geometry import Point
from flicksim.base.units import mm
from flicksim.games.ice import rules
from flicksim.games.ice.aim import SLANTS, strength_for
from flicksim.games.ice.scoring import Count
from flicksim.games.ice.seats import places
from flicksim.games.ice.state import Load, State
from flicksim.referee import LaunchRange
from flicksim.table.launch import Launch
from flicksim.table.pyramid import Pyramid

THOUGHTS: Mapping[str, tuple[int, int, int]] = {
    "beginner": (3, 1, 1),
    "club": (6, 2, 2),
    "expert": (9, 3, 3),
    "world": (12, 4, 4),
}
"""How deep a grade thinks here: launches tried as meant, how many of them again with its own hand, how often each.

There is little time to think with all launching at once, and a launch is mostly luck.
"""
TEMPO = (0.8, 2.0)
"""How long a bot takes to stack the next missile and flick it, from, to [s]."""
_RUN = mm(40.0)
"""How much farther than it comes down a missile mostly ends [m]."""


def candidates(state: State, rng: np.random.Generator, count: int) -> list[Any]:
    """Up to `count` actions worth a thought, the most natural first; later ones are varied at random."""
    choices = rules.choices(state)
    if not choices.flicks:
        return [action for action in reversed(choices.actions) if isinstance(action, Load)][:1]
    seat = rules.to_play(state)
    assert seat is not None
    time = round(state.ready[seat] + float(rng.uniform(*TEMPO)), 3)
    spans = [span for span in reversed(choices.flicks) if isinstance(span, LaunchRange)]
    found: list[Any] = []
    for span, target in _ideas(state, seat, spans, rng):
        if len(found) >= count:
            break
        found.append(_launch(state, seat, span, target, time, rng))
    return found


def _ideas(
    state: State, seat: int, spans: list[LaunchRange], rng: np.random.Generator
) -> Iterator[tuple[LaunchRange, Point]]:
    """Which missile where to, the large ones first: they count most."""
    place = places(state.options, state.seats)[seat]
    count = Count(state.scene, state.options, state.committed)
    props: list[Pyramid] = []
    scorers: list[Pyramid] = []
    for piece in state.scene.pieces:
        points = count.points(piece.id)
        if not points:
            props.append(piece)
        elif piece.owner != seat:
            scorers.append(piece)
    scorers.sort(key=lambda piece: (-count.points(piece.id), piece.id))
    props.sort(key=lambda piece: (hypot(piece.x - place.hold[0], piece.y - place.hold[1]), piece.id))
    yield spans[0], _open(state, seat, rng)
    for piece in scorers[:1]:
        yield spans[0], piece.at
    for piece in props[:2]:
        yield spans[-1], piece.at
    while True:
        span = spans[int(rng.integers(len(spans)))]
        draw = float(rng.random())
        if scorers and draw < 0.3:
            yield span, scorers[int(rng.integers(min(3, len(scorers))))].at
        elif props and draw < 0.55:
            yield span, props[int(rng.integers(len(props)))].at
        else:
            yield span, _open(state, seat, rng)


def _open(state: State, seat: int, rng: np.random.Generator) -> Point:
    """Somewhere between the own start line and a little beyond the middle of the table."""
    place = places(state.options, state.seats)[seat]
    edge = state.scene.surface.outline
    middle = (sum(x for x, _ in edge) / len(edge), sum(y for _, y in edge) / len(edge))
    ax, ay = (sum(at) / 2.0 for at in zip(*place.line, strict=True))
    share = float(rng.uniform(0.5, 1.1))
    aside = float(rng.normal(0.0, mm(60.0)))
    c, s = cos(place.facing), sin(place.facing)
    return (ax + (middle[0] - ax) * share - aside * s, ay + (middle[1] - ay) * share + aside * c)


def _launch(state: State, seat: int, span: LaunchRange, target: Point, time: float, rng: np.random.Generator) -> Launch:
    """A launch that should come down a little short of a spot, steeply or flat, with more or less tumble."""
    place = places(state.options, state.seats)[seat]
    dx, dy = target[0] - place.hold[0], target[1] - place.hold[1]
    slant = int(rng.integers(len(SLANTS)))
    carry = max(mm(60.0), hypot(dx, dy) - _RUN) * float(rng.normal(1.0, 0.04))
    return Launch(
        piece=span.piece, size=span.size, hold=place.hold, azimuth=(atan2(dy, dx) + pi) % (2.0 * pi) - pi,
        speed=strength_for(span.size, slant, carry), height=float(rng.uniform(*span.height)), slant=SLANTS[slant],
        lift=span.lift, owner=seat, time=time,
    )  # fmt: skip


def imagined(state: State) -> State:
    """The state as a search plays on it: nobody else flicks meanwhile, so its own missile comes down at once."""
    seat = rules.to_play(state)
    hands = tuple(hand if other == seat else () for other, hand in enumerate(state.hands))
    return msgspec.structs.replace(state, hands=hands, aloft=())


def value(state: State, seat: int) -> float:
    """Points standing, less what the others have: half of it the leader's, half their mean."""
    points = rules.standing(state)
    others = [had for other, had in enumerate(points) if other != seat]
    if not others:
        return float(points[seat])
    return points[seat] - 0.5 * max(others) - 0.5 * sum(others) / len(others)
