"""Player that draws uniformly from the legal actions."""

from collections.abc import Callable
from typing import Any

import numpy as np

from flicksim.ai.legal_actions import LegalActionsLike
from flicksim.core.errors import IllegalAction
from flicksim.core.geometry import wrap_angle
from flicksim.core.type_aliases import Action, View
from flicksim.scene import Flick, Launch, Squidge

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
        return sample_flick(legal_actions.flicks[pick], rng)


def sample_flick(span: Any, rng: np.random.Generator) -> Flick | Squidge | Launch:
    """Draw a flick from a `FlickRange`, `SquidgeRange` or `LaunchRange`, told apart by their fields."""
    start = None
    if span.start:
        share = rng.dirichlet(np.ones(len(span.start)))
        x, y = (float(sum(k * p[axis] for k, p in zip(share, span.start, strict=True))) for axis in (0, 1))
        start = (x, y)
    speed, azimuth = float(rng.uniform(*span.speed)), wrap_angle(float(rng.uniform(*span.azimuth)))
    if hasattr(span, "lift") and start is not None:
        height, slant = float(rng.uniform(*span.height)), float(rng.uniform(*span.slant))
        return Launch(
            piece=span.piece, size=span.size, hold=start, azimuth=azimuth, speed=speed, height=height, slant=slant,
            lift=span.lift,
        )  # fmt: skip
    if hasattr(span, "elevation"):
        elevation, tumble = float(rng.uniform(*span.elevation)), float(rng.uniform(*span.tumble))
        return Squidge(
            piece=span.piece, speed=speed, azimuth=azimuth, elevation=elevation, tumble=tumble, start=start
        )  # fmt: skip
    return Flick(piece=span.piece, speed=speed, azimuth=azimuth, start=start)
