"""PettingZoo environment of any game, in which agents act in turn (AEC); parallel and guarded variants."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pettingzoo
from gymnasium.spaces import Box, Dict, Space
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from flicksim.ai import ExecutionNoise
from flicksim.core.errors import InvalidInput
from flicksim.envs.arguments import accept_old_keywords, check_reset_options, to_seed
from flicksim.envs.game_adapter import ILLEGAL_REWARD, GameAdapter
from flicksim.envs.rendering import Painter
from flicksim.games import names
from flicksim.match import Match, Seat

VERSION = 1


class GameEnv(AECEnv[str, Any, Any]):
    """PettingZoo environment of a game, one decision a step.

    An observation is the view of the agent's seat as numbers (`ObservationEncoder`; names in `feature_names`), never
    more than that seat may see. In games of cards and tiles it is a dict of `observation` and `action_mask`, and an
    action is the number of a move (`MoveActionSpace`; `legal_moves` maps numbers to moves). In flicking games it is the
    array alone, and an action is an array in [-1, 1] (`FlickActionSpace`).

    Args:
        game: name, as `flicksim games` lists them.
        seats: number of seats; by default the fewest who can play against each other.
        options: options of the game by name.
        execution_noise: noise of flicks: a grade or an `ExecutionNoise`; None executes flicks exactly as meant.
        reward: "win": at the end 1 to winners and -1 to losers, 0 to all of a draw; "points": what a turn gained.
            Default: "win", or "points" with one seat.
        raw: observations in their own units, instead of in [-1, 1].
        max_turns: turns after which the game is cut off; None: as late as any game (`match.MatchLimits`).
        render_mode: "ansi", "human" (the same, printed), or "rgb_array" (where there is a table or a painter).
        painter: renderer of a seat's view, in place of the built-in one (`rendering.paint`).

    Raises:
        InvalidOption: no such game, option, grade, reward or render mode; too few or too many seats.
    """

    @accept_old_keywords
    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        execution_noise: str | ExecutionNoise | None = None,
        reward: str | None = None,
        raw: bool = False,
        max_turns: int | None = None,
        render_mode: str | None = None,
        painter: Painter | None = None,
    ) -> None:
        self.adapter = GameAdapter(
            game, seats, options, execution_noise, reward, raw=raw, max_turns=max_turns, render_mode=render_mode,
            painter=painter,
        )  # fmt: skip
        self.game, self.reward, self.render_mode = self.adapter.game, self.adapter.reward, render_mode
        self.metadata = {
            "name": f"flicksim/{self.game.name}-v{VERSION}", "render_modes": self.adapter.render_modes,
            "render_fps": 2, "is_parallelizable": False,
        }  # fmt: skip
        seat_names = self.game.seat_names[: self.adapter.seats]
        self.possible_agents = [f"{name.lower()}_{seat}" for seat, name in enumerate(seat_names)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.match = self._new_match(0)
        # each agent samples from its own spaces
        self._observation_spaces = {agent: self._make_observation_space() for agent in self.possible_agents}
        self._action_spaces = {agent: self._make_action_space() for agent in self.possible_agents}
        self._rng = np.random.default_rng()
        self.agents = []

    def _new_match(self, seed: int) -> Match:
        return self.adapter.open_match([Seat(kind="human")] * self.adapter.seats, seed)

    # -- spaces -------------------------------------------------------------------------------------------------------

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the numbers of an observation (see `adapter.features`)."""
        return tuple(number.name for number in self.adapter.features)

    def _make_action_space(self) -> Space[Any]:
        return self.adapter.action_space

    def _make_observation_space(self) -> Space[Any]:
        if self.adapter.move_space is None:
            return self.adapter.observation_space
        mask = Box(0, 1, (self.adapter.move_space.size,), np.int8)
        return Dict({"observation": self.adapter.observation_space, "action_mask": mask})

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of an agent's observations."""
        return self._observation_spaces[self._check_agent(agent)]

    def action_space(self, agent: str) -> Space[Any]:
        """The space of an agent's actions."""
        return self._action_spaces[self._check_agent(agent)]

    def _check_agent(self, agent: str) -> str:
        if agent not in self._seat_of:
            raise InvalidInput(f"no agent {agent!r} sits here; there are {', '.join(self.possible_agents)}")
        return agent

    # -- stepping -----------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. The same seed starts the same one; without a seed, the next of the last seed's sequence.

        Args:
            options: None or empty; options of the game are set in the constructor. One called "options" is ignored:
                PettingZoo's own checks give it.

        Raises:
            InvalidOption: there is another option. InvalidInput: the seed is no whole number, or negative.
        """
        if isinstance(options, dict):
            options = {name: value for name, value in options.items() if name != "options"}
        check_reset_options(options)
        if seed is not None:
            self._rng = np.random.default_rng(to_seed(seed))
        self.match = self._new_match(int(self._rng.integers(2**53)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._select_agent()

    def _select_agent(self) -> None:
        seat = self.match.to_play
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]

    def step(self, action: Any) -> None:
        """Play the action of the agent whose turn it is; numbers of an array beyond -1 and 1 are clipped.

        Raises:
            InvalidInput: the action is illegal, of another shape, or the game is over; nothing has changed. (`env`
                ends the game on an illegal action.)
        """
        if not self.agents:
            raise InvalidInput("no game is on; call reset before the next step")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise InvalidInput(f"the game is over; of {agent} only None is taken, not action {action!r}")
            self._was_dead_step(action)
            return
        turn = self.match.play(self.adapter.decode_action(self.match, self._seat_of[agent], action))
        self._cumulative_rewards[agent] = 0.0
        cut = self.adapter.is_truncated(self.match)
        self.rewards = dict(zip(self.possible_agents, self.adapter.rewards(self.match, turn), strict=True))
        self.terminations = dict.fromkeys(self.agents, self.match.is_over and not cut)
        self.truncations = dict.fromkeys(self.agents, cut)
        self.infos = {name: {} for name in self.agents}
        self._accumulate_rewards()
        self._select_agent()
        if self.render_mode == "human":
            self.render()

    # -- observation -------------------------------------------------------------------------------------------------

    def view(self, agent: str) -> Any:
        """View of an agent's seat, as the game has it."""
        return self.match.rules.view(self.match.state, self._seat_of[self._check_agent(agent)])

    def legal_moves(self, agent: str) -> dict[int, Any]:
        """Legal moves of an agent by number; empty where actions are arrays."""
        return dict(self.adapter.legal_moves(self.match, self._seat_of[self._check_agent(agent)]))

    def observe(self, agent: str) -> Any:
        """Observation of an agent, in a new array.

        Raises:
            InvalidInput: there is no such agent, or it has left: the game is over.
        """
        seat = self._seat_of[self._check_agent(agent)]
        if agent not in self.agents:
            raise InvalidInput(f"no game is on in which {agent} sits; call reset first")
        numbers = self.adapter.observe(self.match, seat)
        if self.adapter.move_space is None:
            return numbers
        return {"observation": numbers, "action_mask": self.adapter.action_mask(self.match, seat)}

    def render(self) -> Any:
        """The view of the seat to play: words, pixels [height, width, 3], or None when it was printed."""
        return self.adapter.render(self.match, None)

    def close(self) -> None:
        """Do nothing: no resource is held."""


def env(game: str, **settings: Any) -> AECEnv[str, Any, Any]:
    """`GameEnv` in PettingZoo's usual wrappers: an illegal move loses the game, arrays are clipped to the bounds."""
    raw = GameEnv(game, **settings)
    guarded: AECEnv[str, Any, Any]
    if raw.game.category == "cards":
        guarded = wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, ILLEGAL_REWARD))
    else:
        guarded = wrappers.ClipOutOfBoundsWrapper(raw)
    return wrappers.OrderEnforcingWrapper(guarded)


def parallel_env(game: str, **settings: Any) -> ParallelEnv[str, Any, Any]:
    """The same as a `ParallelEnv`: only the action of the agent whose turn it is counts."""
    return turn_based_aec_to_parallel(env(game, **settings))


def register() -> None:
    """Make the games known to `pettingzoo.make`, as "flicksim/dominoes-v1"."""
    for name in names():
        known = f"flicksim/{name}-v{VERSION}"
        pettingzoo.register("aec", known, f"{__name__}:env", kwargs={"game": name})
        pettingzoo.register("parallel", known, f"{__name__}:parallel_env", kwargs={"game": name})
