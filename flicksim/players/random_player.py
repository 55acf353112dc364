"""A player without a plan: anything allowed, drawn evenly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np

from flicksim.base.errors import IllegalAction
from flicksim.base.geometry import Point, half_turn
from flicksim.base.kinds import Action, View
from flicksim.players.allowed import Allowed
from flicksim.table import Flick, Launch, Size, Squidge


class Range(Protocol):
    """A piece as it must know it that may be flicked (see `referee.FlickRange`)."""

    @property
    def piece(self) -> str: ...
    @property
    def start(self) -> tuple[Point, ...]: ...
    @property
    def azimuth(self) -> tuple[float, float]: ...
    @property
    def speed(self) -> tuple[float, float]: ...


@runtime_checkable
class SquidgeSpan(Range, Protocol):
    """A wink as it must know it besides that may be squidged (see `referee.SquidgeRange`)."""

    @property
    def elevation(self) -> tuple[float, float]: ...
    @property
    def tumble(self) -> tuple[float, float]: ...


@runtime_checkable
class LaunchSpan(Range, Protocol):
    """A missile as it must know it besides that may be launched (see `referee.LaunchRange`)."""

    @property
    def size(self) -> Size: ...
    @property
    def height(self) -> tuple[float, float]: ...
    @property
    def slant(self) -> tuple[float, float]: ...
    @property
    def lift(self) -> float: ...


_TRIES = 1000
"""Draws before it gives the last one, for the rules to refuse aloud."""


class RandomPlayer:
    """Draws from what is allowed.

    Args:
        check: raises IllegalAction where the rules forbid an action after all (a start on top of a coin).
    """

    def __init__(self, check: Callable[[View, Action], None] | None = None) -> None:
        self._check = check

    def choose(self, view: View, choices: Allowed, rng: np.random.Generator) -> Action:
        """An allowed action; drawn again while the rules refuse it."""
        for _ in range(_TRIES):
            action = self._draw(choices, rng)
            if self._allowed(view, action):
                return action
        return action

    def _allowed(self, view: View, action: Action) -> bool:
        try:
            if self._check is not None:
                self._check(view, action)
        except IllegalAction:
            return False
        return True

    def _draw(self, choices: Allowed, rng: np.random.Generator) -> Action:
        count = len(choices.flicks) + len(choices.actions)
        pick = int(rng.integers(count))
        if pick >= len(choices.flicks):
            return choices.actions[pick - len(choices.flicks)]
        return _flick(choices.flicks[pick], rng)


def _flick(span: Range, rng: np.random.Generator) -> Flick | Squidge | Launch:
    start = None
    if span.start:
        share = rng.dirichlet(np.ones(len(span.start)))
        start = (
            float(sum(k * p[0] for k, p in zip(share, span.start, strict=True))),
            float(sum(k * p[1] for k, p in zip(share, span.start, strict=True))),
        )
    speed, azimuth = float(rng.uniform(*span.speed)), half_turn(float(rng.uniform(*span.azimuth)))
    if isinstance(span, LaunchSpan) and start is not None:
        return Launch(
            piece=span.piece,
            size=span.size,
            hold=start,
            azimuth=azimuth,
            speed=speed,
            height=float(rng.uniform(*span.height)),
            slant=float(rng.uniform(*span.slant)),
            lift=span.lift,
        )
    if isinstance(span, SquidgeSpan):
        return Squidge(
            piece=span.piece,
            speed=speed,
            azimuth=azimuth,
            elevation=float(rng.uniform(*span.elevation)),
            tumble=float(rng.uniform(*span.tumble)),
            start=start,
        )
    return Flick(piece=span.piece, speed=speed, azimuth=azimuth, start=start)
