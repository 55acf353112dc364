"""Candidate shots and heuristic value for bots of tiddlywinks."""

from collections.abc import Mapping
from math import pi

import msgspec
import numpy as np

from flicksim.ai import LookaheadConfig, SearchConfig
from flicksim.core.geometry import wrap_angle
from flicksim.games.tiddlywinks import legal_actions
from flicksim.games.tiddlywinks.candidate_shots import candidate_shots
from flicksim.games.tiddlywinks.heuristic_value import DEFAULT_STYLE, STYLES_BY_NAME, Style, position_value
from flicksim.games.tiddlywinks.heuristic_value import fraction_played as fraction_played
from flicksim.games.tiddlywinks.rollout_evaluation import JIT_FUNCTIONS as JIT_FUNCTIONS
from flicksim.games.tiddlywinks.rollout_evaluation import has_rollouts as has_rollouts
from flicksim.games.tiddlywinks.rollout_evaluation import prior_values as prior_values
from flicksim.games.tiddlywinks.rollout_evaluation import rollout as rollout
from flicksim.games.tiddlywinks.rollout_evaluation import warmup as warmup
from flicksim.games.tiddlywinks.state import Action, Decide, State
from flicksim.scene import MAX_SPEED, Squidge

LOOKAHEAD_CONFIGS: Mapping[str, LookaheadConfig] = {"beginner": LookaheadConfig(candidates=5, refined=2, samples=1)}
"""Search budget by grade: shots simulated without noise, those simulated again with noise, and simulations of each.

Simulating a wink takes ten times as long as a coin, so there are fewer than at Penny White.
"""
SEARCH_CONFIGS: Mapping[str, SearchConfig] = {
    "club": SearchConfig(shots=0, candidates=5, new_candidates=0, prior_tries=6),
    "expert": SearchConfig(shots=25, candidates=12, new_candidates=0, min_tries=1, prior_tries=2),
    "world": SearchConfig(shots=98, candidates=24, new_candidates=0, min_tries=2, prior_tries=2),
}
"""Search budget of the other grades: club players use rollouts by shot chances (`prior_values`); experts and world
class also simulate every candidate once or twice and the better ones more often, and roll the game out after each."""
SEARCH_CONFIGS_NO_JIT: Mapping[str, SearchConfig] = dict.fromkeys(
    ("club", "expert", "world"), SearchConfig(shots=0, candidates=8, new_candidates=0)
)
"""Search budget without compiled functions: a shot takes a third of a second, so only priors are used."""
_FOUL_REPLAY_TIME_LIMIT = 1200.0
"""Game clock after which a foul shot is never replayed [s], so that two bots cannot replay one for ever."""
DEFAULT_SHOTS = 600
"""Default number of simulated shots for a position: five to ten seconds of computing."""
STYLES = tuple(STYLES_BY_NAME)
"""Names of the playing styles, the default first."""


def limit_config(state: State, config: SearchConfig) -> SearchConfig:
    """Reduce a search budget in the squidge-off: it takes the default candidate, without any compiled code."""
    return config if has_rollouts(state) else msgspec.structs.replace(config, shots=0)


def search_state(state: State) -> State:
    """State from which a search continues: without potted winks, to save their simulation."""
    potted = state.book.potted
    return msgspec.structs.replace(state, scene=state.scene.without(*potted)) if potted else state


class Bot:
    """Candidate shots and heuristic values of a playing style."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def candidates(self, state: State, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions to evaluate, the most promising first; beyond those, random variations."""
        legal = legal_actions.legal_actions(state)
        if state.phase == "foul" and (state.book.laps is not None or state.book.clock > _FOUL_REPLAY_TIME_LIMIT):
            return [Decide(replay=False)]
        if not legal.flicks:
            return list(legal.actions)
        shots = [candidate.shot for candidate in candidate_shots(state, self._style)]
        actions = list[Action](shots[:count])
        while shots and len(actions) < count:
            actions.append(_perturbed(shots[int(rng.integers(len(shots)))], rng))
        return [*actions, *legal.actions]

    search_state = staticmethod(search_state)

    def value(self, state: State, seat: int) -> float:
        """Expected lead of a seat's pair in points."""
        return position_value(state, seat, self._style)


def for_style(style: str) -> Bot:
    """Bot of a playing style."""
    return Bot(STYLES_BY_NAME[style])


_DEFAULT_BOT = for_style(DEFAULT_STYLE)
candidates = _DEFAULT_BOT.candidates
value = _DEFAULT_BOT.value


def _perturbed(shot: Squidge, rng: np.random.Generator) -> Squidge:
    """Random perturbation of a shot in speed, azimuth and elevation."""
    speed_change, azimuth_change, elevation_change = (float(change) for change in rng.normal(0.0, (0.03, 0.02, 0.07)))
    return msgspec.structs.replace(
        shot,
        speed=min(MAX_SPEED, shot.speed * (1.0 + speed_change)),
        azimuth=wrap_angle(shot.azimuth + azimuth_change),
        elevation=min(pi / 2.1, max(0.1, shot.elevation + elevation_change)),
    )
