"""Decisions of flicking games as arrays in [-1, 1]: what to flick, or to decide, and how.

The first `SLOTS` numbers are wishes, one for each thing on offer (pieces that may be flicked, then whole decisions):
the strongest wish for something that is on offer is granted. The others say how it is flicked, each from the least to
the most that is offered. So every array is a legal action, and no mask is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

import numpy as np
from msgspec import structs

from flicksim.base.errors import IllegalAction
from flicksim.base.geometry import Point
from flicksim.lab.env.parts import bounded
from flicksim.referee import Choices, FlickRange, Game
from flicksim.table import Flick, Scene, Squidge

SLOTS = 16
"""Things on offer that can be wished for; no position of the shipped games has more."""
_COLUMNS = (
    "there", "a flick", "x", "y", "azimuth from", "azimuth to", "speed from", "speed to", "elevation from",
    "elevation to", "tumble to", "starts anew", "number",
)  # fmt: skip


class Flicks:
    """How arrays become actions of a game.

    Args:
        game: which.
        names: what each number of an action is called.
        offers: what each number that tells of the offer is called.
    """

    def __init__(self, game: Game) -> None:
        members = get_args(game.action) or (game.action,)
        how = ["azimuth", "speed"]
        how += ["offset"] if Flick in members else []
        how += ["elevation", "tumble"] if Squidge in members else []
        self._how = (*how, "start along", "start across")
        self.names = (*(f"wish {k}" for k in range(SLOTS)), *self._how)
        self.offers = tuple(f"offer {k}: {column}" for k in range(SLOTS) for column in _COLUMNS)

    def told(self, choices: Choices | None, scene: Scene) -> list[float]:
        """What is on offer, as numbers; None: nothing is, to this seat. [SLOTS * columns]"""
        rows = [] if choices is None else [_flick_row(span, scene) for span in choices.flicks]
        rows += [] if choices is None else [_decision_row(action, scene) for action in choices.actions]
        rows = rows[:SLOTS] + [[0.0] * len(_COLUMNS)] * (SLOTS - len(rows))
        return [number for row in rows for number in row]

    def read(self, choices: Choices, action: Any, check: Callable[[Any], None]) -> Any:
        """The action an array means. A start that the rules refuse, on top of a coin, is taken for none.

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
            return structs.replace(flick, start=None)
        return flick


def _flick(span: FlickRange, how: dict[str, Any]) -> Flick | Squidge:
    start = _within(span.start, how["start along"], how["start across"]) if span.start else None
    azimuth, speed = _between(span.azimuth, how["azimuth"]), _between(span.speed, how["speed"])
    if span.elevation is None:
        return Flick(
            piece=span.piece, speed=speed, azimuth=azimuth, offset=0.95 * (2.0 * how["offset"] - 1.0), start=start
        )
    rise, tumble = _between(span.elevation, how["elevation"]), _between(span.tumble, how["tumble"])
    return Squidge(piece=span.piece, speed=speed, azimuth=azimuth, elevation=rise, tumble=tumble, start=start)


def _between(span: tuple[float, float], share: float) -> float:
    return float(span[0] + share * (span[1] - span[0]))


def _within(corners: Sequence[Point], along: float, across: float) -> Point:
    """A point of a convex region by two shares, through four of its corners [m]."""
    a, b, c, d = (corners[k * len(corners) // 4] for k in range(4))
    x, y = (
        (1.0 - across) * ((1.0 - along) * a[i] + along * b[i]) + across * ((1.0 - along) * d[i] + along * c[i])
        for i in (0, 1)
    )
    return (float(x), float(y))


def _flick_row(span: FlickRange, scene: Scene) -> list[float]:
    x, y = 0.0, 0.0
    if span.start:
        x, y = np.mean(span.start, axis=0)
    elif scene.has(span.piece):
        x, y = scene.piece(span.piece).at
    rise = span.elevation or (0.0, 0.0)
    new = float(bool(span.start))
    return [1.0, 1.0, float(x), float(y), *span.azimuth, *span.speed, *rise, span.tumble[1], new, 0.0]


def _decision_row(action: Any, scene: Scene) -> list[float]:
    """Where the piece lies that a decision names, and the first number in it."""
    values = structs.astuple(action)
    flat = [one for value in values for one in (value if isinstance(value, tuple) else (value,))]
    about = next((one for one in flat if isinstance(one, str) and scene.has(one)), None)
    x, y = scene.piece(about).at if about is not None else (0.0, 0.0)
    number = next((float(one) for one in flat if isinstance(one, bool | int | float)), 0.0)
    return [1.0, 0.0, x, y, *[0.0] * 8, number]
