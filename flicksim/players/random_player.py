"""A player without a plan: anything allowed, drawn evenly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from flicksim.base.geometry import Point
from flicksim.table.flick import Flick


class Range(Protocol):
    """What it must know of a piece that may be flicked (see `referee.FlickRange`)."""

    @property
    def piece(self) -> str: ...
    @property
    def start(self) -> tuple[Point, ...]: ...
    @property
    def azimuth(self) -> tuple[float, float]: ...
    @property
    def speed(self) -> tuple[float, float]: ...


class Allowed(Protocol):
    """What it must know of the choices (see `referee.Choices`)."""

    @property
    def flicks(self) -> Sequence[Any]: ...
    @property
    def actions(self) -> Sequence[Any]: ...


class RandomPlayer:
    """Draws from what is allowed."""

    def choose(self, view: Any, choices: Allowed, rng: np.random.Generator) -> Any:
        """Any allowed action."""
        del view
        count = len(choices.flicks) + len(choices.actions)
        pick = int(rng.integers(count))
        if pick >= len(choices.flicks):
            return choices.actions[pick - len(choices.flicks)]
        return _flick(choices.flicks[pick], rng)


def _flick(span: Range, rng: np.random.Generator) -> Flick:
    start = None
    if span.start:
        share = rng.dirichlet(np.ones(len(span.start)))
        start = (
            float(sum(k * p[0] for k, p in zip(share, span.start, strict=True))),
            float(sum(k * p[1] for k, p in zip(share, span.start, strict=True))),
        )
    return Flick(
        piece=span.piece,
        speed=float(rng.uniform(*span.speed)),
        azimuth=float(rng.uniform(*span.azimuth)),
        start=start,
    )
