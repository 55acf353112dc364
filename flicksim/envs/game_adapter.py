"""Adapter between games and agents: matches, observations, action spaces and masks, rewards; checks of arguments."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete

from flicksim.ai import ExecutionNoise
from flicksim.core.errors import InvalidInput, InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.core.type_aliases import Action, JsonValue, State
from flicksim.envs import rendering
from flicksim.envs.action_spaces import FlickActionSpace, MoveActionSpace, decode_move
from flicksim.envs.arguments import to_execution_noise, warn_if_uncompiled
from flicksim.envs.features import Array, Feature, FeatureScaler
from flicksim.envs.observation_encoder import ObservationEncoder
from flicksim.games import load
from flicksim.match import Match, MatchLimits, SeatLike, Turn, open_match
from flicksim.referee import Game, LegalActions, check_seat_count, parse_options

REWARDS = ("win", "points")
ILLEGAL_REWARD = -1.0
"""Reward of an illegal action, which ends the game."""


class GameAdapter:
    """Adapter between a game and an agent: matches, observations, action space, masks, rewards, rendering.

    Args:
        name: of the game. suffix: of the name of the environment, after that of the game.
        seats, options, execution_noise, reward, raw, max_turns, render_mode, painter: as for `GameEnv`.

    Raises:
        InvalidOption: one of them is invalid.
    """

    def __init__(
        self, name: str, seats: int | None, options: Mapping[str, JsonValue] | None,
        execution_noise: str | ExecutionNoise | None, reward: str | None, *, raw: bool, max_turns: int | None,
        render_mode: str | None, painter: rendering.Painter | None, suffix: str = "",
    ) -> None:  # fmt: skip
        self.game = game = load(name)
        modes = ["human", "ansi"] + ["rgb_array"] * (game.category == "table" or painter is not None)
        if render_mode not in (None, *modes):
            raise InvalidOption(f"{game.title} has no render mode {render_mode!r}; it has {', '.join(modes)}")
        self.render_modes, self.render_mode, self._painter = modes, render_mode, painter
        self.seats = seat_count(game, seats)
        self._options = parse_options(game, _check_options(options))
        self._noise = to_execution_noise(execution_noise)
        self.reward = _check_reward(reward, self.seats)
        self._limits, self._max_turns = _match_limits(max_turns), max_turns
        opening = game.rules.initial_state(self._options, self.seats, RandomStreams(seed=0))
        self._encoder = ObservationEncoder(game, opening, self.seats)
        self.move_space = MoveActionSpace(game) if game.category == "cards" else None
        scene = rendering.scene_of(opening)
        self.flick_space = None if scene is None else FlickActionSpace(game, scene)
        self.scaler = FeatureScaler(
            self._encoder.features + (() if self.flick_space is None else self.flick_space.choice_features), raw=raw
        )
        if game.category == "table" and game.name != "penny-white":
            warn_if_uncompiled(f"flicksim/{game.name}{suffix}")
        self._choices_cache: tuple[State, LegalActions] | None = None
        self._legal_cache: tuple[LegalActions, dict[int, Action]] | None = None

    def open_match(self, players: Sequence[SeatLike], seed: int) -> Match:
        """Open a match of these players with the options, limits and execution noise."""
        match = open_match(self.game, self._options, players, seed, bounds=self._limits)
        if self._noise is not None:
            match.set_noise(self._noise)
        return match

    def is_truncated(self, match: Match) -> bool:
        """True if a match is cut off."""
        too_long = self._max_turns is not None and len(match.turns) >= self._max_turns
        return match.is_truncated or (not match.is_over and too_long)

    def rewards(self, match: Match, turn: Turn) -> list[float]:
        """Reward of each seat for the last turn."""
        if self.reward == "points":
            return list(map(float, turn.verdict.ruling.points))
        return self.win_rewards(match)

    def win_rewards(self, match: Match) -> list[float]:
        """Reward of a match by seat: 1 to winners, -1 to losers; 0 before its end, or if all win."""
        winners = () if match.is_truncated else match.winners
        if len(winners) in (0, self.seats):
            return [0.0] * self.seats
        return [1.0 if seat in winners else -1.0 for seat in range(self.seats)]

    @property
    def features(self) -> tuple[Feature, ...]:
        """Specification of each number of an observation."""
        return self.scaler.features

    @property
    def observation_space(self) -> Box:
        """Observation space."""
        return Box(self.scaler.space.low, self.scaler.space.high, dtype=np.float32)

    @property
    def action_space(self) -> Box | Discrete[np.int64]:
        """Action space."""
        if self.move_space is not None:
            return Discrete(self.move_space.size)
        assert self.flick_space is not None
        return Box(-1.0, 1.0, (len(self.flick_space.names),), np.float32)

    def observe(self, match: Match, seat: int) -> Array:
        """Observation of a seat, in a new array."""
        view = match.rules.view(match.state, seat)
        features = self._encoder.encode(view, seat)
        if self.flick_space is not None:
            scene = rendering.scene_of(view)
            assert scene is not None
            features += self.flick_space.encode_choices(self._choices(match) if match.to_play == seat else None, scene)
        return self.scaler.transform(features)

    def render(self, match: Match, seat: int | None) -> JsonValue:
        """Render the view of a seat, None for the seat to play (see `rendering.render_view`)."""
        return rendering.render_view(match, seat, self.render_mode, self._painter)

    def _choices(self, match: Match) -> LegalActions:
        """Legal actions of the current state, cached."""
        if self._choices_cache is None or self._choices_cache[0] is not match.state:
            self._choices_cache = match.state, match.legal_actions()
        return self._choices_cache[1]

    def legal_moves(self, match: Match, seat: int) -> dict[int, Action]:
        """Legal moves of a seat by number; empty where actions are arrays."""
        if self.move_space is None or match.to_play != seat:
            return {}
        choices = self._choices(match)
        if self._legal_cache is None or self._legal_cache[0] is not choices:
            self._legal_cache = choices, self.move_space.legal_moves(choices)
        return self._legal_cache[1]

    def action_mask(self, match: Match, seat: int) -> npt.NDArray[np.int8]:
        """Action mask of a seat.

        Raises:
            InvalidInput: actions are arrays, all of which are legal.
        """
        if self.move_space is None:
            raise InvalidInput(f"{match.game.title} has no action mask; every array in -1 to 1 is an action")
        return self.move_space.action_mask(self.legal_moves(match, seat))

    def decode_action(self, match: Match, seat: int, action: Action) -> Action:
        """Decode the action of the seat to play.

        Raises:
            InvalidInput: it is not legal, or no such array.
        """
        if self.move_space is not None:
            return decode_move(self.legal_moves(match, seat), action)
        assert self.flick_space is not None
        return self.flick_space.decode(
            self._choices(match), action, lambda meant: match.rules.check_action(match.state, meant)
        )


def seat_count(game: Game, seats: int | None) -> int:
    """Number of seats: as given, or the fewest who can play against each other.

    Raises:
        InvalidOption: the game is not for so many.
    """
    low, high = game.seats
    if seats is None:
        return min(max(2, low), high)
    if isinstance(seats, bool) or not isinstance(seats, int):
        raise InvalidOption(f"seats={seats!r} must be a whole number")
    check_seat_count(game, seats)
    return seats


def _check_reward(reward: str | None, seats: int) -> str:
    """Check the kind of reward; by default "win" with opponents and "points" alone."""
    if reward not in (None, *REWARDS):
        raise InvalidOption(f"no reward {reward!r}; there are {', '.join(REWARDS)}")
    if reward == "win" and seats == 1:
        raise InvalidOption("reward 'win' is always 0 for a single seat; use 'points', or two seats")
    return reward or ("win" if seats > 1 else "points")


def _check_options(options: Mapping[str, JsonValue] | None) -> Mapping[str, JsonValue]:
    """Check that options of a game are given by name."""
    if options is not None and not isinstance(options, Mapping):
        raise InvalidOption(f"options={options!r} must be by name, as {{'rounds': 1}}")
    return options or {}


def _match_limits(max_turns: int | None) -> MatchLimits:
    """Limits of a game that the environment truncates after so many turns."""
    if max_turns is not None and (isinstance(max_turns, bool) or not isinstance(max_turns, int) or max_turns < 1):
        raise InvalidOption(f"max_turns={max_turns!r} must be a whole number, 1 or more")
    default = MatchLimits()
    return default if max_turns is None else MatchLimits(turns=max(default.turns, max_turns + 1))
