"""Candidate shots and heuristic value for bots of tiddlywinks."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

import msgspec
import numpy as np

from flicksim.ai import SearchConfig
from flicksim.core.geometry import wrap_angle
from flicksim.games.tiddlywinks import legal_actions
from flicksim.games.tiddlywinks.candidate_shots import candidate_shots
from flicksim.games.tiddlywinks.heuristic_value import fraction_played, position_value
from flicksim.games.tiddlywinks.playing_style import DEFAULT_STYLE, STYLES_BY_NAME, Style
from flicksim.games.tiddlywinks.rollout_evaluation import JIT_FUNCTIONS, has_rollouts, prior_values, rollout, warmup
from flicksim.games.tiddlywinks.state import Action, Decide, State
from flicksim.scene import MAX_SPEED, Squidge

__all__ = [
    "DEFAULT_SHOTS",
    "JIT_FUNCTIONS",
    "LOOKAHEAD_CONFIGS",
    "SEARCH_CONFIGS",
    "SEARCH_CONFIGS_NO_JIT",
    "STYLES",
    "candidates",
    "for_style",
    "fraction_played",
    "has_rollouts",
    "prior_values",
    "rollout",
    "search_state",
    "value",
    "warmup",
]

LOOKAHEAD_CONFIGS: Mapping[str, tuple[int, int, int]] = {"beginner": (5, 2, 1)}
"""Search budget by grade: shots tried as meant, those tried again with its own hand, and tries of each.

A wink takes ten times as long to settle as a coin, so fewer are tried than on a board.
"""
SEARCH_CONFIGS: Mapping[str, SearchConfig] = {
    "club": SearchConfig(shots=0, candidates=5, new_candidates=0, prior_tries=6),
    "expert": SearchConfig(shots=0, candidates=16, new_candidates=0, prior_tries=6),
    "world": SearchConfig(shots=50, candidates=16, new_candidates=0, min_tries=3, prior_tries=6),
}
"""Search budget of the others: club players and experts go by tables and by games rolled out (`prior_values`),
experts with more ideas; world class simulates shots too, and rolls the game out after each."""
SEARCH_CONFIGS_NO_JIT: Mapping[str, SearchConfig] = dict.fromkeys(
    ("club", "expert", "world"), SearchConfig(shots=0, candidates=8, new_candidates=0)
)
"""The same where nothing is compiled: a shot takes a third of a second there, so they do what is most natural."""
_FOUL_REPLAY_TIME_LIMIT = 1200.0
"""After so long [s], or once time is up, a foul shot is left as it lies: no two bots play one again for ever."""
DEFAULT_SHOTS = 600
"""Shots settled for a position, where nobody says how many: five seconds' or ten."""
STYLES = tuple(STYLES_BY_NAME)
"""Ways of playing a seat may ask for, the usual one first."""


class Bot:
    """Candidate shots and heuristic values of a playing style."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def candidates(self, state: State, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions worth evaluating, the most promising first; the last ones are varied at random."""
        choices = legal_actions.legal_actions(state)
        if state.phase == "foul" and (state.book.laps is not None or state.book.clock > _FOUL_REPLAY_TIME_LIMIT):
            return [Decide(replay=False)]
        if not choices.flicks:
            return list(choices.actions)
        thought_of = [plan.shot for plan in candidate_shots(state, self._style)]
        own = max(1, count - count // 4)
        found = list[Action](thought_of[:own])
        while thought_of and len(found) < count:
            found.append(_perturbed(thought_of[int(rng.integers(min(own, len(thought_of))))], rng))
        return [*found, *choices.actions]

    def search_state(self, state: State) -> State:
        """State from which a search plays on."""
        return search_state(state)

    def value(self, state: State, seat: int) -> float:
        """Expected lead of a seat's pair in points."""
        return position_value(state, seat, self._style)


def search_state(state: State) -> State:
    """State from which a search plays on: without potted winks, which each further pot would simulate again."""
    potted = state.book.potted
    return msgspec.structs.replace(state, scene=state.scene.without(*potted)) if potted else state


def for_style(style: str) -> Bot:
    """Bot of a playing style."""
    return Bot(STYLES_BY_NAME[style])


_DEFAULT_BOT = for_style(DEFAULT_STYLE)
candidates = _DEFAULT_BOT.candidates
value = _DEFAULT_BOT.value


def _perturbed(shot: Squidge, rng: np.random.Generator) -> Squidge:
    """Random perturbation of a shot in speed, azimuth and elevation."""
    push, turn, rise = (float(x) for x in rng.normal(0.0, (0.03, 0.02, 0.07)))
    return msgspec.structs.replace(
        shot,
        speed=min(MAX_SPEED, shot.speed * (1.0 + push)),
        azimuth=wrap_angle(shot.azimuth + turn),
        elevation=min(pi / 2.1, max(0.1, shot.elevation + rise)),
    )
