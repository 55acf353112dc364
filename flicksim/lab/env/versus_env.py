"""One seat of a game as a Gymnasium environment: the other seats are taken by opponents, who answer within a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from flicksim.base.errors import BadInput, BadOption
from flicksim.base.kinds import Action, Plain
from flicksim.games import load, names
from flicksim.lab.env.parts import Array
from flicksim.lab.env.picture import Picture, modes_of, rendered, shown
from flicksim.lab.env.slow import warn_where_slow
from flicksim.lab.env.telling import ILLEGAL, Telling, bounds_of, hand_of, reward_of, seats_of, switches, won
from flicksim.play import Match, Seat, Seating, open_match
from flicksim.players import Hand
from flicksim.referee import parse_options

VERSION = 0


class VersusEnv(gymnasium.Env[Array, Any]):
    """A game from one seat, one decision of that seat a step.

    Observations, actions and rewards are those of `GameEnv`, for this seat alone: a reward is what came of it from one
    decision of its own to the next. In games of cards and tiles which moves are allowed stands in
    `info["action_mask"]`, and in `action_masks()` as sb3-contrib asks for it. Who chooses another loses at once
    (`info["illegal"]` says why).

    Args:
        game, options, hand, raw, max_turns, render_mode, painter: as for `GameEnv`; the hand is this seat's.
        opponent: who sits opposite: a word ("random", "bot:club", "cmd:PROGRAM"), a `Player`, or a function of view,
            choices and dice; or one of these for each other seat, in their order.
        seat: which is one's own; None: drawn anew for each game.
        seats: how many sit down; the fewest who can play against each other, when not said.
        reward: "win" or "points".

    Raises:
        BadOption: no such game, option, grade, reward or way to render; nobody who could be an opponent; seats that
            cannot be.
    """

    metadata: dict[str, Plain] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str,
        *,
        opponent: Seating | Sequence[Seating] = "bot:club",
        seat: int | None = None,
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
        if self._seats < 2:
            raise BadOption(f"seats={seats} leaves nobody to play against; {self.game.title} is for two and more")
        if seat is not None and (isinstance(seat, bool) or seat not in range(self._seats)):
            raise BadOption(f"seat={seat!r} must be 0 to {self._seats - 1}, or None for any")
        self._options = parse_options(self.game, switches(options))
        self._hand = hand_of(hand)
        self._reward = reward_of(reward, self._seats)
        self._bounds, self._max_turns = bounds_of(max_turns), max_turns
        self._asked, self._opponents = seat, self._others(opponent)
        self.metadata = {**self.metadata, "render_modes": modes_of(self.game, painter)}
        self.render_mode, self._painter = rendered(self.game, render_mode, painter), painter
        if self.game.wing == "table" and self.game.name != "penny-white":
            warn_where_slow(f"flicksim/{self.game.name}-vs")
        self.seat = 0 if seat is None else seat
        self.match = self._opened(self.seat, 0)
        self.telling = Telling(self.game, self._options, self._seats, raw=raw)
        self.observation_space = self.telling.observation_space  # type: ignore[assignment]  # of numbers of 32 bits
        self.action_space = self.telling.action_space
        self._on = False

    def _others(self, opponent: Seating | Sequence[Seating]) -> tuple[Seating, ...]:
        if isinstance(opponent, Sequence) and not isinstance(opponent, str):
            found = tuple(opponent)
        else:
            found = (opponent,) * (self._seats - 1)
        if len(found) != self._seats - 1:
            raise BadOption(
                f"{len(found)} opponents cannot fill {self._seats - 1} seats; name one each, or one for all"
            )
        for one in found:
            if one == "human":
                raise BadOption("opponent 'human' cannot answer within a step; it may be random, bot:GRADE, ...")
        return found

    def _opened(self, seat: int, seed: int) -> Match:
        sitting = [*self._opponents[:seat], Seat(kind="human"), *self._opponents[seat:]]
        match = open_match(self.game, self._options, sitting, seed, bounds=self._bounds)
        if self._hand is not None:
            match.lend(self._hand)
        return match

    def reset(
        self, *, seed: int | None = None, options: dict[str, Plain] | None = None
    ) -> tuple[Array, dict[str, Plain]]:
        """Begin a game, and let others begin it where they do. Nothing is taken from `options`.

        Raises:
            BadPlayer: an opponent in Python did what cannot be. Forfeited: one that is a program cannot go on.
        """
        super().reset(seed=seed, options=options)
        self.match.close()
        self.seat = int(self.np_random.integers(self._seats)) if self._asked is None else self._asked
        self._on = False
        self.match = self._opened(self.seat, int(self.np_random.integers(2**53)))
        self._until_own_turn()
        self._on = True
        return self._seen(), self._info()

    def _cut(self) -> bool:
        turns = len(self.match.turns)
        return self.match.cut_short or (
            not self.match.over and self._max_turns is not None and turns >= self._max_turns
        )

    def _until_own_turn(self) -> float:
        """Let the others play; the points this seat gained by it."""
        gained = 0.0
        while not self.match.over and not self._cut() and self.match.to_play != self.seat:
            gained += float(self.match.play(self.match.ask()).verdict.ruling.points[self.seat])
        return gained

    def step(self, action: Action) -> tuple[Array, float, bool, bool, dict[str, Plain]]:
        """Do it, and let the others answer.

        Raises:
            BadInput: no game is on, or the action is no such array or number; nothing has changed.
            BadPlayer: an opponent in Python did what cannot be. Forfeited: one that is a program cannot go on.
        """
        if not self._on:
            raise BadInput("the game is over, or has not begun; call reset before the next step")
        if self.telling.moves is not None and not self.action_space.contains(action):
            raise BadInput(f"action {action!r} is no move; it is a whole number, 0 to {self.telling.moves.size - 1}")
        try:
            meant = self.telling.meant(self.match, self.seat, action)
        except BadInput as wrong:
            if self.telling.moves is None:
                raise
            self._on = False
            return self._seen(), ILLEGAL, True, False, {**self._info(), "illegal": str(wrong)}
        gained = float(self.match.play(meant).verdict.ruling.points[self.seat])
        gained += self._until_own_turn()
        cut = self._cut()
        over = self.match.over and not cut
        reward = gained if self._reward == "points" else won(self.match, self._seats)[self.seat]
        self._on = not (over or cut)
        if self.render_mode == "human":
            self.render()
        return self._seen(), reward, over, cut, self._info()

    def _seen(self) -> Array:
        return self.telling.observe(self.match, self.seat)

    def _info(self) -> dict[str, Plain]:
        return {} if self.telling.moves is None else {"action_mask": self.telling.mask(self.match, self.seat)}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Moves allowed now, as sb3-contrib's MaskablePPO asks for them. [actions]

        Raises:
            BadInput: actions are arrays, all of which are allowed.
        """
        return self.telling.mask(self.match, self.seat).astype(np.bool_)

    def offered(self) -> dict[int, Action]:
        """Moves that may be made now, by the number that stands for each; empty where actions are arrays."""
        return dict(self.telling.offered(self.match, self.seat))

    def render(self) -> Plain:
        """The view of this seat: words, pixels [height, width, 3], or None when it was printed."""
        return shown(self.match, self.seat, self.render_mode, self._painter)

    def close(self) -> None:
        """Let opponents go that hold something: programs end."""
        self.match.close()


def register() -> None:
    """Make the games known to `gymnasium.make`, as "flicksim/dominoes-vs-v0"."""
    for name in names():
        gymnasium.register(
            id=f"flicksim/{name}-vs-v{VERSION}", entry_point=f"{__name__}:VersusEnv", kwargs={"game": name}
        )
