"""The purpose of a flick: what it serves as it is meant, and as a good hand makes it, most worth and most often."""

from __future__ import annotations

from collections import Counter

import numpy as np

from flicksim.base.errors import FlicksimError
from flicksim.base.kinds import Action, State
from flicksim.physics.flight.jit import njit
from flicksim.play.match import Stage
from flicksim.play.model import settle_each
from flicksim.players import GRADES
from flicksim.referee import Game, Purpose
from flicksim.table import Flick, Launch, Squidge

_HAND, _TRIES = GRADES["world"], 8 if njit is not None else 1
"""The hand that tries a flick, and how often: once where nothing is compiled, and a shot takes a third of a second."""
_AS_MEANT = 3
"""A flick made just as it is meant counts for so many tries."""


def purpose_of(game: Game, stage: Stage, state: State, action: Action) -> Purpose | None:
    """The purpose of a flick in a state; None of what is no flick, or serves nothing that its game has a word for."""
    told = game.purposes
    if told is None or not isinstance(action, Flick | Squidge | Launch):
        return None
    if (aimed := told.aimed(state, action)) is not None:
        kind, of = aimed
        return Purpose(kind=kind, of=of, says=told.says(kind, of))
    rng = np.random.Generator(np.random.PCG64(0))
    left = getattr(game.bot, "imagined", lambda state: state)(state)
    made = [action, *(_HAND.make(action, rng) for _ in range(_TRIES))]
    shots = [game.rules.stage(left, one) for one in made]
    served = Counter[str]()
    pieces: dict[str, Counter[str]] = {}
    accounts = settle_each(stage, [shot for shot in shots if shot is not None])
    for number, (one, account) in enumerate(zip(made, accounts, strict=True)):
        if isinstance(account, FlicksimError):
            continue
        weight = 1 if number else _AS_MEANT
        for kind, names in told.brought(left, one, account).items():
            served[kind] += weight
            pieces.setdefault(kind, Counter()).update(dict.fromkeys(names, weight))
    if not served:
        return None
    kind = max(served, key=lambda kind: told.WORTH[kind] * served[kind])
    often = [name for name, count in pieces[kind].items() if 2 * count > served[kind]]
    of = tuple(often or [name for name, _ in pieces[kind].most_common(1)])
    return Purpose(kind=kind, of=of, says=told.says(kind, of))
