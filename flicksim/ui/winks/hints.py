"""Asking a club player what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flicksim.play import Match
from flicksim.play.open_match import GameModel
from flicksim.players import GRADES, SearchPlayer
from flicksim.players.hand import STEADY
from flicksim.players.search import THOUGHTS
from flicksim.ui.later import Later

STEADINESS = ("club", "expert", "world", "steady", "beginner")
"""Hands a person at the window may have; "steady" does just what is aimed."""


def lend(match: Match, name: str) -> None:
    """Give the people of a match a hand of that grade: an aim by numbers alone would never miss."""
    hand = GRADES.get(name, STEADY)
    match.hands = tuple(hand if player is None else own for own, player in zip(match.hands, match.players, strict=True))


def ask(match: Match, ready: Callable[[], None]) -> Later[Any] | None:
    """A club player's thought about what is due, under way; None when nothing is."""
    seat = match.to_play
    if seat is None:
        return None
    model = GameModel(match.game, match.stage)
    rng = np.random.Generator(np.random.PCG64(len(match.turns)))
    player = SearchPlayer(model, seat, GRADES["club"], THOUGHTS["club"])
    view, choices = match.rules.view(match.state, seat), match.choices()

    def think() -> Any:
        ready()
        return player.choose(view, choices, rng)

    return Later(think)
