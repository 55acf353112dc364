"""Gymnasium environment of one seat of a game; opponents at the other seats move within a step."""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

from flicksim.ai import ExecutionNoise
from flicksim.core.arrays import Bools
from flicksim.core.errors import InvalidInput, InvalidOption
from flicksim.envs.arguments import accept_old_keywords, check_reset_options, to_seed
from flicksim.envs.features import Array
from flicksim.envs.game_adapter import ILLEGAL_REWARD, GameAdapter
from flicksim.envs.rendering import Painter
from flicksim.games import names
from flicksim.match import Match, Seat, SeatLike

VERSION = 0


class VersusEnv(gymnasium.Env[Array, Any]):
    """Gymnasium environment of one seat of a game, one decision of that seat a step.

    Observations, actions and rewards are those of `GameEnv`, for this seat alone: a reward is what it gained from one
    of its decisions to the next. In games of cards and tiles the mask of legal moves is `info["action_mask"]`, and
    `action_masks()` as sb3-contrib calls it. An illegal move loses at once (`info["illegal"]` says why).

    Args:
        game, options, execution_noise, raw, max_turns, render_mode, painter: as for `GameEnv`; noise of this seat only.
        opponent: a word ("random", "bot:club", "cmd:PROGRAM"), a `Player`, or a function of view, legal actions and
            random generator; or one of these for each other seat, in their order.
        seat: the agent's own; None: drawn for each game.
        seats: number of seats; by default the fewest who can play against each other.
        reward: "win" or "points".

    Raises:
        InvalidOption: no such game, option, grade, reward, render mode or opponent; too few or too many seats.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012 - as Gymnasium has it

    @accept_old_keywords
    def __init__(
        self,
        game: str,
        *,
        opponent: SeatLike | Sequence[SeatLike] = "bot:club",
        seat: int | None = None,
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
            painter=painter, suffix="-vs",
        )  # fmt: skip
        self.game, self._seats, self.render_mode = self.adapter.game, self.adapter.seats, render_mode
        if self._seats < 2:
            raise InvalidOption(f"seats={seats} leaves nobody to play against; {self.game.title} is for two and more")
        if seat is not None and (isinstance(seat, bool) or seat not in range(self._seats)):
            raise InvalidOption(f"seat={seat!r} must be 0 to {self._seats - 1}, or None for any")
        self._fixed_seat, self._opponents = seat, self._opponent_seats(opponent)
        self.metadata = {**self.metadata, "render_modes": self.adapter.render_modes}
        self.seat = 0 if seat is None else seat
        self.match = self._new_match(self.seat, 0)
        self.observation_space = self.adapter.observation_space  # type: ignore[assignment]  # of numbers of 32 bits
        self.action_space = self.adapter.action_space
        self._is_running = False

    def _opponent_seats(self, opponent: SeatLike | Sequence[SeatLike]) -> tuple[SeatLike, ...]:
        if isinstance(opponent, Sequence) and not isinstance(opponent, str):
            found = tuple(opponent)
        else:
            found = (opponent,) * (self._seats - 1)
        if len(found) != self._seats - 1:
            raise InvalidOption(
                f"{len(found)} opponents cannot fill {self._seats - 1} seats; name one each, or one for all"
            )
        for one in found:
            if one == "human":
                raise InvalidOption("opponent 'human' cannot answer within a step; it may be random, bot:GRADE, ...")
        return found

    def _new_match(self, seat: int, seed: int) -> Match:
        players = [*self._opponents[:seat], Seat(kind="human"), *self._opponents[seat:]]
        return self.adapter.open_match(players, seed)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Start a game, with the opponents' moves before this seat's. `options` is None or empty.

        Raises:
            InvalidOption: there is an option. InvalidInput: the seed is no whole number, or negative.
            PlayerError: an opponent in Python failed. Forfeited: an opponent program cannot go on.
        """
        check_reset_options(options)
        super().reset(seed=to_seed(seed))
        self.match.close()
        self.seat = int(self.np_random.integers(self._seats)) if self._fixed_seat is None else self._fixed_seat
        self._is_running = False
        self.match = self._new_match(self.seat, int(self.np_random.integers(2**53)))
        self._play_opponents()
        self._is_running = True
        return self._observation(), self._info()

    def _play_opponents(self) -> float:
        """Let the opponents play; return the points this seat gained."""
        gained = 0.0
        while not self.match.is_over and not self.adapter.is_truncated(self.match) and self.match.to_play != self.seat:
            gained += float(self.match.play(self.match.ask_player()).verdict.ruling.points[self.seat])
        return gained

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Play an action, then let the opponents play; numbers of an array beyond -1 and 1 are clipped.

        Raises:
            InvalidInput: no game is on, or the action is no such array or number; nothing has changed.
            PlayerError: an opponent in Python failed. Forfeited: an opponent program cannot go on.
        """
        if not self._is_running:
            raise InvalidInput("the game is over, or has not begun; call reset before the next step")
        if self.adapter.move_space is not None and not self.action_space.contains(action):
            raise InvalidInput(
                f"action {action!r} is no move; it is a whole number, 0 to {self.adapter.move_space.size - 1}"
            )
        try:
            meant = self.adapter.decode_action(self.match, self.seat, action)
        except InvalidInput as error:
            if self.adapter.move_space is None:
                raise
            self._is_running = False
            return self._observation(), ILLEGAL_REWARD, True, False, {**self._info(), "illegal": str(error)}
        gained = float(self.match.play(meant).verdict.ruling.points[self.seat])
        gained += self._play_opponents()
        cut = self.adapter.is_truncated(self.match)
        over = self.match.is_over and not cut
        reward = gained if self.adapter.reward == "points" else self.adapter.win_rewards(self.match)[self.seat]
        self._is_running = not (over or cut)
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, over, cut, self._info()

    def _observation(self) -> Array:
        return self.adapter.observe(self.match, self.seat)

    def _info(self) -> dict[str, Any]:
        return (
            {} if self.adapter.move_space is None else {"action_mask": self.adapter.action_mask(self.match, self.seat)}
        )

    def action_masks(self) -> Bools:
        """Mask of the legal moves, under the name that sb3-contrib's MaskablePPO calls. [actions]

        Raises:
            InvalidInput: actions are arrays, all of which are legal.
        """
        return self.adapter.action_mask(self.match, self.seat).astype(np.bool_)

    def legal_moves(self) -> dict[int, Any]:
        """Legal moves by number; empty where actions are arrays."""
        return dict(self.adapter.legal_moves(self.match, self.seat))

    def render(self) -> Any:
        """Render the view of this seat: words, pixels [height, width, 3], or None when it was printed."""
        return self.adapter.render(self.match, self.seat)

    def close(self) -> None:
        """Close the opponents; external programs are ended."""
        self.match.close()


def register() -> None:
    """Make the games known to `gymnasium.make`, as "flicksim/dominoes-vs-v0"."""
    for name in names():
        gymnasium.register(
            id=f"flicksim/{name}-vs-v{VERSION}", entry_point=f"{__name__}:VersusEnv", kwargs={"game": name}
        )
