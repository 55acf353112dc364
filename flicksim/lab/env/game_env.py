"""Every game as a PettingZoo environment in which agents act in turn (AEC), taken by its card."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pettingzoo
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from flicksim.base.errors import BadOption
from flicksim.games import load, names
from flicksim.lab.env.flicks import Flicks
from flicksim.lab.env.moves import Moves, pick
from flicksim.lab.env.numbers import MOST, Numbers
from flicksim.lab.env.picture import Picture, paint, scene_of, told
from flicksim.play import Bounds, Match, Seat, open_match
from flicksim.players import GRADES, grade
from flicksim.referee import Choices, check_seats, parse_options

REWARDS = ("win", "points")
ILLEGAL = -1.0
"""Reward of who chooses what is not on offer; the game ends there."""


class GameEnv(AECEnv[str, Any, Any]):
    """A game, one decision a step.

    What an agent observes is its seat's view as numbers (`Numbers`; `legend` says what each is), never more than that
    seat may see. In games of cards and tiles an observation is a dict of `observation` and `action_mask`, and an action
    the number of a move (`Moves`; `offered` says which move a number is). In flicking games it is the numbers alone,
    and an action an array in [-1, 1] (`Flicks`).

    Args:
        game: name, as `flicksim games` lists them.
        seats: how many sit down; the fewest the game is for, when not said.
        options: the game's switches by name.
        hand: how steady flicks are: a grade, or None, which makes every flick just as it is meant.
        reward: "win": at the end 1 to winners and -1 to losers, 0 to all of a draw; "points": what a turn gained.
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
        options: Mapping[str, Any] | None = None,
        hand: str | None = None,
        reward: str = "win",
        max_turns: int | None = None,
        render_mode: str | None = None,
        painter: Callable[[Any], Picture] | None = None,
    ) -> None:
        self.game = load(game)
        self._seats = self.game.seats[0] if seats is None else seats
        check_seats(self.game, self._seats)
        self._options = parse_options(self.game, options or {})
        self._hand = None if hand is None else GRADES[grade(hand)]
        if reward not in REWARDS:
            raise BadOption(f"no reward {reward!r}; there are {', '.join(REWARDS)}")
        self._reward, self._max_turns, self._painter = reward, max_turns, painter
        modes = ["human", "ansi"] + ["rgb_array"] * (self.game.wing == "table" or painter is not None)
        if render_mode not in (None, *modes):
            raise BadOption(f"{self.game.title} has no render mode {render_mode!r}; it has {', '.join(modes)}")
        self.render_mode = render_mode
        self.metadata = {
            "name": f"flicksim/{self.game.name}-v0", "render_modes": modes, "render_fps": 2, "is_parallelizable": False,
        }  # fmt: skip

        called = self.game.seat_names[: self._seats]
        self.possible_agents = [f"{name.lower()}_{seat}" for seat, name in enumerate(called)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.match = self._opened(0)
        self._numbers = Numbers(self.game, self.match.opening, self._seats)
        self._moves = Moves(self.game) if self.game.wing == "cards" else None
        self._flicks = Flicks(self.game) if self.game.wing == "table" else None
        self._observation_spaces = {agent: self._observed() for agent in self.possible_agents}
        self._action_spaces = {agent: self._acted() for agent in self.possible_agents}
        self._rng = np.random.default_rng()
        self.agents = []

    def _opened(self, seed: int) -> Match:
        outside = [Seat(kind="human")] * self._seats
        usual = Bounds()
        bounds = usual if self._max_turns is None else Bounds(turns=max(usual.turns, self._max_turns + 1))
        match = open_match(self.game, self._options, outside, seed, bounds=bounds)
        if self._hand is not None:
            match.hands = (self._hand,) * self._seats
        return match

    # -- spaces -------------------------------------------------------------------------------------------------------

    @property
    def legend(self) -> tuple[str, ...]:
        """What each number of an observation is called."""
        return self._numbers.names + (self._flicks.offers if self._flicks is not None else ())

    def _observed(self) -> Space[Any]:
        numbers = Box(-MOST, MOST, (len(self.legend),), np.float32)
        if self._moves is None:
            return numbers
        return Dict({"observation": numbers, "action_mask": Box(0, 1, (self._moves.size,), np.int8)})

    def _acted(self) -> Space[Any]:
        if self._moves is not None:
            return Discrete(self._moves.size)
        assert self._flicks is not None
        return Box(-1.0, 1.0, (len(self._flicks.names),), np.float32)

    def observation_space(self, agent: str) -> Space[Any]:
        """What an agent may observe."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """What an agent may answer."""
        return self._action_spaces[agent]

    # -- the course of a game -----------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
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

    def step(self, action: Any) -> None:
        """Do it for the agent whose turn it is.

        Raises:
            BadInput: what is chosen is not on offer, or no such array; nothing has changed. (`env` ends the game when
                what is chosen is not on offer.)
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        turn = self.match.play(self._meant(action))
        self._cumulative_rewards[agent] = 0.0
        cut = self.match.cut_short or (not self.match.over and turn.number == self._max_turns)
        gained = self._won() if self._reward == "win" else [float(points) for points in turn.verdict.ruling.points]
        self.rewards = dict(zip(self.possible_agents, gained, strict=True))
        self.terminations = dict.fromkeys(self.agents, self.match.over and not cut)
        self.truncations = dict.fromkeys(self.agents, cut)
        self.infos = {name: {} for name in self.agents}
        self._accumulate_rewards()
        self._turn_to_play()
        if self.render_mode == "human":
            self.render()

    def _meant(self, action: Any) -> Any:
        choices = self.match.choices()
        if self._moves is not None:
            return pick(self._moves.offered(choices), action)
        assert self._flicks is not None
        state, check = self.match.state, self.match.rules.check
        return self._flicks.read(choices, action, lambda meant: check(state, meant))

    def _won(self) -> list[float]:
        best = () if self.match.cut_short else self.match.winners
        if len(best) in (0, self._seats):
            return [0.0] * self._seats
        return [1.0 if seat in best else -1.0 for seat in range(self._seats)]

    # -- what is seen -------------------------------------------------------------------------------------------------

    def view(self, agent: str) -> Any:
        """All that an agent's seat may see, as the game has it."""
        return self.match.rules.view(self.match.state, self._seat_of[agent])

    def _choices(self, agent: str) -> Choices | None:
        """What is on offer to an agent; None when it is not its turn."""
        return self.match.choices() if self.match.to_play == self._seat_of[agent] else None

    def offered(self, agent: str) -> dict[int, Any]:
        """Moves an agent may make now, by the number that stands for each; empty where actions are arrays."""
        choices = self._choices(agent)
        return {} if choices is None or self._moves is None else self._moves.offered(choices)

    def observe(self, agent: str) -> Any:
        """What an agent observes now: an array of its own each time."""
        view = self.view(agent)
        numbers = self._numbers.read(view, self._seat_of[agent])
        if self._moves is not None:
            return {"observation": numbers, "action_mask": self._moves.mask(self.offered(agent))}
        assert self._flicks is not None
        scene = scene_of(view)
        assert scene is not None
        offers = np.array(self._flicks.told(self._choices(agent), scene), dtype=np.float32)
        return np.concatenate([numbers, np.clip(offers, -MOST, MOST)])

    def render(self) -> Any:
        """What the seat to play sees: words, pixels [height, width, 3], or None when it was printed."""
        seat = self.match.to_play
        if self.render_mode == "rgb_array":
            view = self.match.rules.view(self.match.state, seat or 0)
            if self._painter is not None:
                return self._painter(view)
            scene = scene_of(view)
            assert scene is not None
            return paint(scene, self.game.seat_names)
        if self.render_mode == "ansi":
            return told(self.match, seat)
        if self.render_mode == "human":
            sys.stdout.write(told(self.match, seat))
        return None

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
    """Make the games known to `pettingzoo.make`, as "flicksim/dominoes-v0"."""
    for name in names():
        pettingzoo.register("aec", f"flicksim/{name}-v0", f"{__name__}:env", kwargs={"game": name})
        pettingzoo.register("parallel", f"flicksim/{name}-v0", f"{__name__}:parallel_env", kwargs={"game": name})
