"""Win probability after a shot, by rollouts of the game's heuristic policy with common random numbers."""

from functools import lru_cache

from flicksim.ai import GRADES
from flicksim.core.type_aliases import Action, State
from flicksim.match import SEARCH_SETTINGS, GameRolloutModel, PhysicsSimulator
from flicksim.referee import Game

ROLLOUTS = 160
"""Rollouts after a shot; all shots use common random numbers."""


@lru_cache(maxsize=8)
def _rollout_model(game: Game) -> GameRolloutModel:
    return GameRolloutModel(game, PhysicsSimulator(SEARCH_SETTINGS))


def shot_value(game: Game, state: State, made: Action, hand: str) -> float:
    """Win probability of the seat to play after this flick; all players have the execution noise of that grade."""
    seat = game.rules.to_play(state)
    assert seat is not None
    view = game.rules.view(state, seat)
    outcomes = _rollout_model(game).rollout(view, seat, [made], GRADES[hand], ROLLOUTS, 0, exact=True)
    return float(outcomes.win_probability.mean())
