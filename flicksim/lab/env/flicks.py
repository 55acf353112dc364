"""Decisions of flicking games as arrays in [-1, 1]: what to flick, squidge or launch, or to decide, and how.

The first `SLOTS` numbers are wishes, one for each thing on offer (pieces that may be flicked, then whole decisions):
the strongest wish for something that is on offer is granted. The others say how it is flicked, each from the least to
the most that is offered. So every array is a legal action, and no mask is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from math import inf, pi
from typing import get_args

import numpy as np
from msgspec import structs

from flicksim.base.errors import IllegalAction
from flicksim.base.geometry import Point
from flicksim.base.kinds import Action, Plain
from flicksim.lab.env.parts import Number, bounded, flags
from flicksim.lab.env.pieces import across, in_row
from flicksim.lab.env.pyramids import DIRECTION, HOW_HIGH, HOW_STEEP, PIPS, SPEED
from flicksim.referee import Choices, FlickRange, Game, LaunchRange, SquidgeRange
from flicksim.table import LIFT, MAX_TUMBLE, SIZES, Flick, Launch, PyramidScene, Scene, Squidge

SLOTS = 16
"""Things on offer that can be wished for; no position of the shipped games has more."""
_HOW: dict[type, tuple[str, ...]] = {
    Flick: ("offset",), Squidge: ("elevation", "tumble"), Launch: ("height", "slant"),
}  # fmt: skip
"""Parts of each kind of action besides its azimuth, speed and start."""


def _span(number: Number) -> tuple[Number, Number]:
    """From where to where something may be."""
    return replace(number, name=f"{number.name} from", low=min(0.0, number.low)), replace(
        number, name=f"{number.name} to", low=min(0.0, number.low)
    )


def _columns(scene: Scene | PyramidScene) -> tuple[Number, ...]:
    return (
        *flags(("there", "a flick")), *across(scene), *_span(DIRECTION), *_span(SPEED), *flags(("starts anew",)),
        Number(name="number", low=-inf, high=inf, most=1.0, says="the first number in a decision"),
    )  # fmt: skip


_MORE: dict[type, tuple[Number, ...]] = {
    Squidge: (
        *_span(Number(name="elevation", unit="rad", high=pi / 2.0 + 1e-6, most=pi / 2.0)),
        *_span(Number(name="tumble", unit="rad/s", low=-MAX_TUMBLE, high=MAX_TUMBLE, most=200.0)),
    ),
    Launch: (PIPS, *_span(HOW_HIGH), *_span(HOW_STEEP)),
}
_EDGE = 1e-9
"""Share of a region left free along its edge, so that a start on it is not outside by the last bit."""


class Flicks:
    """A way from arrays to actions of a game.

    Args:
        game: which. scene: its table.
        names: what each number of an action is called.
        offers: what each number that tells of the offer is.
    """

    def __init__(self, game: Game, scene: Scene | PyramidScene) -> None:
        members = get_args(game.action) or (game.action,)
        how = chain.from_iterable(more for kind, more in _HOW.items() if kind in members)
        self._how = ("azimuth", "speed", *how, "start along", "start across")
        self.names = (*(f"wish {k}" for k in range(SLOTS)), *self._how)
        more = chain.from_iterable(more for kind, more in _MORE.items() if kind in members)
        columns = (*_columns(scene), *more)
        self._columns = tuple(column.name for column in columns)
        self.offers = in_row(columns, "offer", SLOTS)

    def told(self, choices: Choices | None, scene: Scene | PyramidScene) -> list[float]:
        """The choices on offer, as numbers; None: nothing is, to this seat. [SLOTS * columns]"""
        rows = [] if choices is None else [_flick_row(span, scene) for span in choices.flicks]
        rows += [] if choices is None else [_decision_row(action, scene) for action in choices.actions]
        rows = rows[:SLOTS] + [{}] * (SLOTS - len(rows))
        return [row.get(column, 0.0) for row in rows for column in self._columns]

    def read(self, choices: Choices, action: Action, check: Callable[[Action], None]) -> Action:
        """The action an array means.

        A start that the rules refuse, on top of a coin, is taken for none; a launcher that something stands in the way
        of is held as high as hands reach.

        Args:
            check: raises IllegalAction where the rules forbid an action.

        Raises:
            BadInput: it is no such array.
        """
        numbers = bounded(action, self.names)
        on_offer = [*choices.flicks, *choices.actions][:SLOTS]
        wished = on_offer[int(np.argmax(numbers[: len(on_offer)]))]
        if not isinstance(wished, FlickRange):
            return wished
        how = dict(zip(self._how, (numbers[SLOTS:] + 1.0) / 2.0, strict=True))
        flick = _flick(wished, how)
        try:
            check(flick)
        except IllegalAction:
            return structs.replace(flick, **({"lift": LIFT[1]} if isinstance(flick, Launch) else {"start": None}))
        return flick


def _flick(span: FlickRange, how: dict[str, Plain]) -> Flick | Squidge | Launch:
    start = _within(span.start, how["start along"], how["start across"]) if span.start else None
    azimuth, speed = _between(span.azimuth, how["azimuth"]), _between(span.speed, how["speed"])
    match span:
        case LaunchRange():
            return Launch(
                piece=span.piece, size=span.size, hold=start or span.hold, azimuth=azimuth, speed=speed,
                height=_between(span.height, how["height"]), slant=_between(span.slant, how["slant"]), lift=span.lift,
            )  # fmt: skip
        case SquidgeRange():
            rise, tumble = _between(span.elevation, how["elevation"]), _between(span.tumble, how["tumble"])
            return Squidge(piece=span.piece, speed=speed, azimuth=azimuth, elevation=rise, tumble=tumble, start=start)
    offset = 0.95 * (2.0 * how["offset"] - 1.0)
    return Flick(piece=span.piece, speed=speed, azimuth=azimuth, offset=offset, start=start)


def _between(span: tuple[float, float], share: float) -> float:
    return float(span[0] + share * (span[1] - span[0]))


def _within(corners: Sequence[Point], along: float, across: float) -> Point:
    """A point of a convex region by two shares, through four of its corners [m]."""
    a, b, c, d = (corners[k * len(corners) // 4] for k in range(4))
    along, across = (_between((_EDGE, 1.0 - _EDGE), share) for share in (along, across))
    x, y = (
        (1.0 - across) * ((1.0 - along) * a[i] + along * b[i]) + across * ((1.0 - along) * d[i] + along * c[i])
        for i in (0, 1)
    )
    return (float(x), float(y))


def _flick_row(span: FlickRange, scene: Scene | PyramidScene) -> dict[str, float]:
    x, y = 0.0, 0.0
    if span.start:
        x, y = np.mean(span.start, axis=0)
    elif scene.has(span.piece):
        x, y = scene.piece(span.piece).at
    row = {"there": 1.0, "a flick": 1.0, "x": float(x), "y": float(y), "starts anew": float(bool(span.start))}
    for name in ("azimuth", "speed", "elevation", "tumble", "height", "slant"):
        row[f"{name} from"], row[f"{name} to"] = getattr(span, name, (0.0, 0.0))
    if isinstance(span, LaunchRange):
        row["pips"] = 1.0 + SIZES.index(span.size)
    return row


def _decision_row(action: Action, scene: Scene | PyramidScene) -> dict[str, float]:
    """Place of the piece that a decision names, and the first number in it."""
    values = structs.astuple(action)
    flat = [one for value in values for one in (value if isinstance(value, tuple) else (value,))]
    about = next((one for one in flat if isinstance(one, str) and scene.has(one)), None)
    x, y = scene.piece(about).at if about is not None else (0.0, 0.0)
    number = next((float(one) for one in flat if isinstance(one, bool | int | float)), 0.0)
    return {"there": 1.0, "x": x, "y": y, "number": number}
