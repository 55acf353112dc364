"""The worth of a shot: the chance to win of whoever made it, as the game's bot plays the game on from there."""

from __future__ import annotations

from functools import lru_cache

from flicksim.base.kinds import Action, State
from flicksim.play import THOUGHT, GameFuture, TableStage
from flicksim.players import GRADES
from flicksim.referee import Game

TRIES = 160
"""Lines played on after a shot, where all is played on by arrays; all shots by the same luck."""


@lru_cache(maxsize=8)
def _future(game: Game) -> GameFuture:
    return GameFuture(game, TableStage(THOUGHT))


def worth_of_shot(game: Game, state: State, made: Action, hand: str) -> float:
    """The chance to win of the seat to play once it has made this flick, all hands being of that grade."""
    seat = game.rules.to_play(state)
    assert seat is not None
    view = game.rules.view(state, seat)
    found = _future(game).play_out(view, seat, [made], GRADES[hand], TRIES, 0, exact=True)
    return float(found.chance.mean())
