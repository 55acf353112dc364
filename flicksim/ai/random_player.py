"""Player that draws uniformly from the legal actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np

from flicksim.ai.legal_actions import LegalActionsLike
from flicksim.core.errors import IllegalAction
from flicksim.core.geometry import Point, wrap_angle
from flicksim.core.type_aliases import Action, View
from flicksim.scene import Flick, Launch, Size, Squidge


class FlickRangeLike(Protocol):
    """Ranges of a flick (structural type of `referee.FlickRange`)."""

    @property
    def piece(self) -> str: ...
    @property
    def start(self) -> tuple[Point, ...]: ...
    @property
    def azimuth(self) -> tuple[float, float]: ...
    @property
    def speed(self) -> tuple[float, float]: ...


@runtime_checkable
class SquidgeRangeLike(FlickRangeLike, Protocol):
    """Ranges of a squidge (structural type of `referee.SquidgeRange`)."""

    @property
    def elevation(self) -> tuple[float, float]: ...
    @property
    def tumble(self) -> tuple[float, float]: ...


@runtime_checkable
class LaunchRangeLike(FlickRangeLike, Protocol):
    """Ranges of a launch (structural type of `referee.LaunchRange`)."""

    @property
    def size(self) -> Size: ...
    @property
    def height(self) -> tuple[float, float]: ...
    @property
    def slant(self) -> tuple[float, float]: ...
    @property
    def lift(self) -> float: ...


_MAX_DRAWS = 1000
"""Largest number of draws for a legal action; the last is returned even if illegal."""


class RandomPlayer:
    """Player that draws uniformly from the legal actions.

    Args:
        check: raises IllegalAction where the rules forbid an action after all (a start on top of a coin).
    """

    def __init__(self, check: Callable[[View, Action], None] | None = None) -> None:
        self._check = check

    def choose(self, view: View, legal_actions: LegalActionsLike, rng: np.random.Generator) -> Action:
        """Draw a random legal action; draw again while the rules refuse it."""
        for _ in range(_MAX_DRAWS):
            action = self._sample(legal_actions, rng)
            if self._is_legal(view, action):
                return action
        return action

    def _is_legal(self, view: View, action: Action) -> bool:
        try:
            if self._check is not None:
                self._check(view, action)
        except IllegalAction:
            return False
        return True

    def _sample(self, legal_actions: LegalActionsLike, rng: np.random.Generator) -> Action:
        count = len(legal_actions.flicks) + len(legal_actions.actions)
        pick = int(rng.integers(count))
        if pick >= len(legal_actions.flicks):
            return legal_actions.actions[pick - len(legal_actions.flicks)]
        return _sample_flick(legal_actions.flicks[pick], rng)


def _sample_flick(span: FlickRangeLike, rng: np.random.Generator) -> Flick | Squidge | Launch:
    start = None
    if span.start:
        share = rng.dirichlet(np.ones(len(span.start)))
        start = (
            float(sum(k * p[0] for k, p in zip(share, span.start, strict=True))),
            float(sum(k * p[1] for k, p in zip(share, span.start, strict=True))),
        )
    speed, azimuth = float(rng.uniform(*span.speed)), wrap_angle(float(rng.uniform(*span.azimuth)))
    if isinstance(span, LaunchRangeLike) and start is not None:
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
    if isinstance(span, SquidgeRangeLike):
        return Squidge(
            piece=span.piece,
            speed=speed,
            azimuth=azimuth,
            elevation=float(rng.uniform(*span.elevation)),
            tumble=float(rng.uniform(*span.tumble)),
            start=start,
        )
    return Flick(piece=span.piece, speed=speed, azimuth=azimuth, start=start)
