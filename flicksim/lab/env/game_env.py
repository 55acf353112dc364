"""Every game as a PettingZoo environment in which agents act in turn (AEC), taken by its card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pettingzoo
from gymnasium.spaces import Box, Dict, Space
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from flicksim.base.errors import BadInput
from flicksim.base.kinds import Action, Plain
from flicksim.games import load, names
from flicksim.lab.env.picture import Picture, modes_of, rendered, shown
from flicksim.lab.env.slow import warn_where_slow
from flicksim.lab.env.telling import ILLEGAL, Telling, bounds_of, hand_of, reward_of, seats_of, switches, won
from flicksim.play import Match, Seat, open_match
from flicksim.players import Hand
from flicksim.referee import parse_options

VERSION = 1


class GameEnv(AECEnv[str, Any, Any]):
    """A game, one decision a step.

    What an agent observes is its seat's view as numbers (`Numbers`; `legend` says what each is), never more than that
    seat may see. In games of cards and tiles an observation is a dict of `observation` and `action_mask`, and an action
    the number of a move (`Moves`; `offered` says which move a number is). In flicking games it is the numbers alone,
    and an action an array in [-1, 1] (`Flicks`).

    Args:
        game: name, as `flicksim games` lists them.
        seats: how many sit down; the fewest who can play against each other, when not said.
        options: the game's switches by name.
        hand: how steady flicks are: a grade or a `Hand`, or None, which makes every flick just as it is meant.
        reward: "win": at the end 1 to winners and -1 to losers, 0 to all of a draw; "points": what a turn gained.
            Not said, "win"; of one who sits alone "points".
        raw: observations in their own units, instead of in [-1, 1].
        max_turns: turns after which the game is cut off; None: as late as any game (`play.Bounds`).
        render_mode: "ansi", "human" (the same, printed), or "rgb_array" (where there is a table or a painter).
        painter: gives the picture of a seat's view, where another is wanted than this room's plain one.

    Raises:
        BadOption: no such game, option, grade, reward or way to render; too few or too many seats.
    """

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        hand: str | Hand | None = None,
        reward: str | None = None,
        raw: bool = False,
        max_turns: int | None = None,
        render_mode: str | None = None,
        painter: Callable[[Any], Picture] | None = None,
    ) -> None:
        self.game = load(game)
        self._seats = seats_of(self.game, seats)
        self._options = parse_options(self.game, switches(options))
        self._hand = hand_of(hand)
        self.reward = reward_of(reward, self._seats)
        self._bounds, self._max_turns, self._painter = bounds_of(max_turns), max_turns, painter
        self.render_mode = rendered(self.game, render_mode, painter)
        self.metadata = {
            "name": f"flicksim/{self.game.name}-v{VERSION}", "render_modes": modes_of(self.game, painter),
            "render_fps": 2, "is_parallelizable": False,
        }  # fmt: skip
        if self.game.wing == "table" and self.game.name != "penny-white":
            warn_where_slow(f"flicksim/{self.game.name}")

        called = self.game.seat_names[: self._seats]
        self.possible_agents = [f"{name.lower()}_{seat}" for seat, name in enumerate(called)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.match = self._opened(0)
        self.telling = Telling(self.game, self._options, self._seats, raw=raw)
        # each agent draws from spaces of its own
        self._observation_spaces = {agent: self._observed() for agent in self.possible_agents}
        self._action_spaces = {agent: self._acted() for agent in self.possible_agents}
        self._rng = np.random.default_rng()
        self.agents = []

    def _opened(self, seed: int) -> Match:
        outside = [Seat(kind="human")] * self._seats
        match = open_match(self.game, self._options, outside, seed, bounds=self._bounds)
        if self._hand is not None:
            match.lend(self._hand)
        return match

    # -- spaces -------------------------------------------------------------------------------------------------------

    @property
    def legend(self) -> tuple[str, ...]:
        """The name of each number of an observation; `telling.numbers` says more."""
        return tuple(number.name for number in self.telling.numbers)

    def _acted(self) -> Space[Any]:
        return self.telling.action_space

    def _observed(self) -> Space[Any]:
        if self.telling.moves is None:
            return self.telling.observation_space
        mask = Box(0, 1, (self.telling.moves.size,), np.int8)
        return Dict({"observation": self.telling.observation_space, "action_mask": mask})

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of an agent's observations."""
        return self._observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> Space[Any]:
        """The space of an agent's actions."""
        return self._action_spaces[self._known(agent)]

    def _known(self, agent: str) -> str:
        if agent not in self._seat_of:
            raise BadInput(f"no agent {agent!r} sits here; there are {', '.join(self.possible_agents)}")
        return agent

    # -- the course of a game -----------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Plain] | None = None) -> None:
        """Begin a game. The same seed begins the same one; without, one follows from the seed before.

        Args:
            options: nothing is taken from here; a game's switches are for as long as the environment.
        """
        del options
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.match = self._opened(int(self._rng.integers(2**53)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._turn_to_play()

    def _turn_to_play(self) -> None:
        seat = self.match.to_play
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]

    def step(self, action: Action) -> None:
        """Do it for the agent whose turn it is.

        Raises:
            BadInput: what is chosen is not on offer, or no such array, or the game is over; nothing has changed. (`env`
                ends the game when what is chosen is not on offer.)
        """
        if not self.agents:
            raise BadInput("no game is on; call reset before the next step")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise BadInput(f"the game is over; of {agent} only None is taken, not action {action!r}")
            self._was_dead_step(action)
            return
        turn = self.match.play(self.telling.meant(self.match, self._seat_of[agent], action))
        self._cumulative_rewards[agent] = 0.0
        cut = self.match.cut_short or (not self.match.over and turn.number == self._max_turns)
        gained = won(self.match, self._seats) if self.reward == "win" else list(map(float, turn.verdict.ruling.points))
        self.rewards = dict(zip(self.possible_agents, gained, strict=True))
        self.terminations = dict.fromkeys(self.agents, self.match.over and not cut)
        self.truncations = dict.fromkeys(self.agents, cut)
        self.infos = {name: {} for name in self.agents}
        self._accumulate_rewards()
        self._turn_to_play()
        if self.render_mode == "human":
            self.render()

    # -- what is seen -------------------------------------------------------------------------------------------------

    def view(self, agent: str) -> Plain:
        """All that an agent's seat may see, as the game has it."""
        return self.match.rules.view(self.match.state, self._seat_of[self._known(agent)])

    def offered(self, agent: str) -> dict[int, Action]:
        """Moves an agent may make now, by the number that stands for each; empty where actions are arrays."""
        return dict(self.telling.offered(self.match, self._seat_of[self._known(agent)]))

    def observe(self, agent: str) -> Plain:
        """The observation of an agent now, in an array of its own each time.

        Raises:
            BadInput: there is no such agent, or it has left: the game is over.
        """
        seat = self._seat_of[self._known(agent)]
        if agent not in self.agents:
            raise BadInput(f"no game is on in which {agent} sits; call reset first")
        numbers = self.telling.observe(self.match, seat)
        if self.telling.moves is None:
            return numbers
        return {"observation": numbers, "action_mask": self.telling.mask(self.match, seat)}

    def render(self) -> Plain:
        """The view of the seat to play: words, pixels [height, width, 3], or None when it was printed."""
        return shown(self.match, None, self.render_mode, self._painter)

    def close(self) -> None:
        """Nothing is held."""


def env(game: str, **settings: Any) -> AECEnv[str, Any, Any]:
    """A `GameEnv` with PettingZoo's usual guards: who chooses what is not on offer loses, arrays are kept in bounds."""
    raw = GameEnv(game, **settings)
    guarded: AECEnv[str, Any, Any]
    if raw.game.wing == "cards":
        guarded = wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, ILLEGAL))
    else:
        guarded = wrappers.ClipOutOfBoundsWrapper(raw)
    return wrappers.OrderEnforcingWrapper(guarded)


def parallel_env(game: str, **settings: Any) -> ParallelEnv[str, Any, Any]:
    """The same for tools that ask all agents at once: only what the agent whose turn it is answers is heard."""
    return turn_based_aec_to_parallel(env(game, **settings))


def register() -> None:
    """Make the games known to `pettingzoo.make`, as "flicksim/dominoes-v1"."""
    for name in names():
        known = f"flicksim/{name}-v{VERSION}"
        pettingzoo.register("aec", known, f"{__name__}:env", kwargs={"game": name})
        pettingzoo.register("parallel", known, f"{__name__}:parallel_env", kwargs={"game": name})
