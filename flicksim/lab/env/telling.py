"""A seat at a game as an agent has it: what it sees as numbers, what it may answer, and what an answer means."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete

from flicksim.base.errors import BadInput, BadOption
from flicksim.base.kinds import Action, Given, Plain, State
from flicksim.base.seeding import Seeds
from flicksim.lab.env.flicks import Flicks
from flicksim.lab.env.moves import Moves, pick
from flicksim.lab.env.numbers import Numbers
from flicksim.lab.env.parts import Array, Number, Scale
from flicksim.lab.env.picture import scene_of
from flicksim.play import Bounds, Match
from flicksim.players import GRADES, Hand, grade
from flicksim.referee import Choices, Game, check_seats

REWARDS = ("win", "points")
ILLEGAL = -1.0
"""Reward of who chooses what is not on offer; the game ends there."""


class Telling:
    """The way in which a game is told to agents, and in which they answer.

    Args:
        game: which. options: its switches. seats: how many sit down. raw: numbers as they are, in their units.
    """

    def __init__(self, game: Game, options: Given, seats: int, *, raw: bool) -> None:
        opening = game.rules.start(options, seats, Seeds(seed=0))
        self._numbers = Numbers(game, opening, seats)
        self.moves = Moves(game) if game.wing == "cards" else None
        scene = scene_of(opening)
        self.flicks = None if scene is None else Flicks(game, scene)
        self.scale = Scale(self._numbers.numbers + (() if self.flicks is None else self.flicks.offers), raw=raw)
        self._asked: tuple[State, Choices] | None = None
        self._offered: tuple[Choices, dict[int, Action]] | None = None

    @property
    def numbers(self) -> tuple[Number, ...]:
        """The meaning of each number of an observation."""
        return self.scale.numbers

    @property
    def observation_space(self) -> Box:
        """The space of an agent's observations."""
        return Box(self.scale.space.low, self.scale.space.high, dtype=np.float32)

    @property
    def action_space(self) -> Box | Discrete[np.int64]:
        """The space of an agent's actions."""
        if self.moves is not None:
            return Discrete(self.moves.size)
        assert self.flicks is not None
        return Box(-1.0, 1.0, (len(self.flicks.names),), np.float32)

    def observe(self, match: Match, seat: int) -> Array:
        """The observation of a seat now, in an array of its own each time."""
        view = match.rules.view(match.state, seat)
        found = self._numbers.read(view, seat)
        if self.flicks is not None:
            scene = scene_of(view)
            assert scene is not None
            found += self.flicks.told(self._choices(match) if match.to_play == seat else None, scene)
        return self.scale.told(found)

    def _choices(self, match: Match) -> Choices:
        """The moves that may be made now; asked once for each state."""
        if self._asked is None or self._asked[0] is not match.state:
            self._asked = match.state, match.choices()
        return self._asked[1]

    def offered(self, match: Match, seat: int) -> dict[int, Action]:
        """Moves a seat may make now, by the number that stands for each; empty where answers are arrays."""
        if self.moves is None or match.to_play != seat:
            return {}
        choices = self._choices(match)
        if self._offered is None or self._offered[0] is not choices:
            self._offered = choices, self.moves.offered(choices)
        return self._offered[1]

    def mask(self, match: Match, seat: int) -> npt.NDArray[np.int8]:
        """Numbers a seat may choose now.

        Raises:
            BadInput: answers are arrays, all of which are allowed.
        """
        if self.moves is None:
            raise BadInput(f"{match.game.title} has no action mask; every array in -1 to 1 is an action")
        return self.moves.mask(self.offered(match, seat))

    def meant(self, match: Match, seat: int, answer: Action) -> Action:
        """The action that an answer of the seat to play means.

        Raises:
            BadInput: it is not on offer, or no such array.
        """
        if self.moves is not None:
            return pick(self.offered(match, seat), answer)
        assert self.flicks is not None
        return self.flicks.read(self._choices(match), answer, lambda meant: match.rules.check(match.state, meant))


def seats_of(game: Game, seats: int | None) -> int:
    """The number of seats: as many as are asked for, or the fewest who can play against each other.

    Raises:
        BadOption: the game is not for so many.
    """
    low, high = game.seats
    if seats is None:
        return min(max(2, low), high)
    if isinstance(seats, bool) or not isinstance(seats, int):
        raise BadOption(f"seats={seats!r} must be a whole number")
    check_seats(game, seats)
    return seats


def reward_of(reward: str | None, seats: int) -> str:
    """The reward of an agent: as asked, or by winning where there is somebody to win against.

    Raises:
        BadOption: no such reward, or none that tells anything.
    """
    if reward is None:
        return "win" if seats > 1 else "points"
    if reward not in REWARDS:
        raise BadOption(f"no reward {reward!r}; there are {', '.join(REWARDS)}")
    if reward == "win" and seats == 1:
        raise BadOption("reward 'win' tells nothing where one sits alone; ask for 'points', or for two seats")
    return reward


def hand_of(hand: str | Hand | None) -> Hand | None:
    """A hand by its grade, or as it is.

    Raises:
        BadOption: no such grade, or no hand.
    """
    if hand is None or isinstance(hand, Hand):
        return hand
    if isinstance(hand, str):
        return GRADES[grade(hand)]
    raise BadOption(f"hand {hand!r} is none; it may be a Hand, or a grade of {', '.join(GRADES)}")


def switches(options: Mapping[str, Plain] | None) -> Mapping[str, Plain]:
    """A game's options as they were given.

    Raises:
        BadOption: they are not by name.
    """
    if options is not None and not isinstance(options, Mapping):
        raise BadOption(f"options={options!r} must be by name, as {{'rounds': 1}}")
    return options or {}


def bounds_of(max_turns: int | None) -> Bounds:
    """The longest a game may last that is cut off by the environment after so many turns.

    Raises:
        BadOption: no such number.
    """
    if max_turns is not None and (isinstance(max_turns, bool) or not isinstance(max_turns, int) or max_turns < 1):
        raise BadOption(f"max_turns={max_turns!r} must be a whole number, 1 or more")
    usual = Bounds()
    return usual if max_turns is None else Bounds(turns=max(usual.turns, max_turns + 1))


def won(match: Match, seats: int) -> list[float]:
    """The worth of a game's end to each seat: 1 to winners, -1 to losers; nothing before it, or to all alike."""
    best = () if match.cut_short else match.winners
    if len(best) in (0, seats):
        return [0.0] * seats
    return [1.0 if seat in best else -1.0 for seat in range(seats)]
