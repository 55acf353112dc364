"""A player that weighs its plans by playing them out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from flicksim.base.errors import GivenUp
from flicksim.base.kinds import Action, View
from flicksim.players.allowed import Allowed
from flicksim.players.cancellation import while_wanted
from flicksim.players.hand import Hand
from flicksim.players.outlook import Future
from flicksim.players.weigher import Depth, Race


class WeighingPlayer:
    """Races the plans it has, and does what wins most.

    Args:
        future: what is to come, as the game has it. seat: whose good it seeks. hand: its own, which it takes to be
            everybody's. depth: how deep it looks. plain: how deep where nothing is compiled; as deep without.
    """

    def __init__(
        self, future: Future, seat: int, hand: Hand, depth: Depth, plain: Depth | None = None
    ) -> None:  # fmt: skip
        self._future, self._seat, self._hand, self._depth, self._plain = future, seat, hand, depth, plain or depth

    @property
    def too_deep(self) -> bool:
        """True where it settles shots, and would do no such thing if nothing were compiled: that would take minutes."""
        return self._depth.shots > 0 == self._plain.shots

    def choose(self, view: View, choices: Allowed, rng: np.random.Generator) -> Action:
        """The action that wins most, by all that was tried, or the usual one where habit holds against it."""
        race = Race(self._future, self._hand, self._depth, view, self._seat, rng)
        race.run()
        return _chosen(race, choices)

    def hurried(
        self, view: View, choices: Allowed, rng: np.random.Generator, wanted: Callable[[], bool]
    ) -> Action:  # fmt: skip
        """The same of a thought as deep as where nothing is compiled; the best so far once it is not wanted any
        more."""
        race = Race(self._future, self._hand, self._plain, view, self._seat, rng)
        with suppress(GivenUp), while_wanted(wanted):
            race.run()
        return _chosen(race, choices)


def _chosen(race: Race, choices: Allowed) -> Action:
    action = race.choice
    return choices.actions[0] if action is None else action
