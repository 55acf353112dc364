"""The one loop: a player chooses, a hand makes it, the stage settles it, the rules judge, the state goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np

from flicksim.base.codec import Value
from flicksim.base.errors import FlicksimError, Forfeited
from flicksim.base.seeding import Seeds
from flicksim.play.interrupt import safe_point
from flicksim.players.hand import STEADY, Hand, could_make
from flicksim.referee import Choices, Game, Reason, Verdict, winners


class Rules(Protocol):
    """What a game's rules answer. Pure: the same questions get the same answers."""

    def start(self, options: Any, seats: int, seeds: Seeds) -> Any:
        """The state before the first action."""

    def to_play(self, state: Any) -> int | None:
        """Seat that acts now; None when the game is over."""

    def view(self, state: Any, seat: int) -> Any:
        """What a seat may see of a state."""

    def choices(self, state: Any) -> Choices:
        """What the seat to play may do."""

    def check(self, state: Any, action: Any) -> None:
        """Raises IllegalAction when the rules do not allow it now."""

    def stage(self, state: Any, action: Any) -> tuple[Any, Any] | None:
        """What is to be settled, or None when nothing moves."""

    def judge(self, state: Any, action: Any, account: Any) -> Verdict:
        """The ruling on a finished account."""

    def advance(self, state: Any, account: Any, verdict: Verdict) -> Any:
        """The next state."""

    def scores(self, state: Any) -> tuple[Fraction, ...]:
        """Points by seat."""

    def winning(self, state: Any) -> tuple[int, ...]:
        """Seats that win or share the win as it stands."""


class Stage(Protocol):
    """Settles what the rules put on it: the physics for flicks, the dealer for moves."""

    def settle(self, before: Any, action: Any) -> Any:
        """A finished, frozen account."""


class Player(Protocol):
    """Answers a view with an action."""

    def choose(self, view: Any, choices: Choices, rng: np.random.Generator) -> Any:
        """One of the things allowed; all its chance comes from `rng`."""


@runtime_checkable
class Closing(Protocol):
    """A player that holds something beyond its turn: a program that runs."""

    def close(self) -> None:
        """The game is over."""


class Forfeit(Value, frozen=True, kw_only=True):
    """A seat lost because its player could not go on, and why."""

    seat: int
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One action and all that came of it.

    Args:
        number: from 1. seat: who acted. before, after: states.
        meant, made: the action as chosen and as the hand made it. hand: which.
        account: what moved (a Motion for flicks); None when nothing did.
    """

    number: int
    seat: int
    before: Any
    meant: Any
    made: Any
    account: Any
    verdict: Verdict
    after: Any
    hand: Hand = STEADY


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """Where a match begins that does not begin at the game's beginning.

    Args:
        position: as a person wrote it. state: to play on from. reasons: what had to be put right first, and why.
    """

    position: Any
    state: Any
    reasons: tuple[Reason, ...] = ()


class Match:
    """A game being played.

    Args:
        game: which. options: its switches. seeds: its chance. seats: how many sit down.
        stage: settles what moves. hands: execution error by seat.
        players: who chooses, by seat; None where somebody outside does (a window).
        begun: where it begins, when that is a position and not the game's beginning.
    """

    def __init__(
        self,
        game: Game,
        options: Value,
        seeds: Seeds,
        stage: Stage,
        hands: Sequence[Hand],
        players: Sequence[Player | None],
        begun: Begun | None = None,
    ) -> None:
        self.game, self.options, self.seeds, self.stage = game, options, seeds, stage
        self.rules: Rules = game.rules
        self.hands, self.players = tuple(hands), tuple(players)
        self.begun = begun
        self.opening = self.rules.start(options, len(self.players), seeds) if begun is None else begun.state
        self.turns: list[Turn] = []
        self.forfeit: Forfeit | None = None

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self.turns[-1].after if self.turns else self.opening

    @property
    def to_play(self) -> int | None:
        """Seat that acts now; None when the game is over."""
        return None if self.forfeit is not None else self.rules.to_play(self.state)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.to_play is None

    @property
    def scores(self) -> tuple[Fraction, ...]:
        """Points by seat; a forfeit leaves them as they stand."""
        return self.rules.scores(self.state)

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats that win or share the win; empty while the game goes on.

        After a forfeit whoever of the others is ahead wins; a partner loses with the one who forfeits.
        """
        if self.forfeit is None:
            return self.rules.winning(self.state) if self.over else ()
        lost = self.forfeit.seat
        if self.game.partners:
            return tuple(seat for seat in range(len(self.players)) if (seat - lost) % 2)
        others = [seat for seat in range(len(self.players)) if seat != lost]
        return tuple(others[k] for k in winners([self.scores[seat] for seat in others]))

    def choices(self) -> Choices:
        """What may be done now."""
        return self.rules.choices(self.state)

    def ask(self) -> Any:
        """What the player whose turn it is wants to do.

        Raises:
            Forfeited: he cannot go on; the game is over, and `forfeit` tells of it.
            FlicksimError: nobody is to play, or the seat is played from outside.
        """
        seat = self.to_play
        player = self.players[seat] if seat is not None else None
        if seat is None or player is None:
            raise FlicksimError("nobody here can choose now" if seat is None else f"seat {seat} is played from outside")
        # a stream for each decision: a game that was resumed goes on as if it had never stopped
        rng = self.seeds.child("player", seat, len(self.turns) + 1).generator()
        try:
            return player.choose(self.rules.view(self.state, seat), self.choices(), rng)
        except Forfeited as lost:
            self.give_up(Forfeit(seat=seat, says=str(lost)))
            raise

    def give_up(self, forfeit: Forfeit) -> None:
        """A seat loses here and now; nothing more is played."""
        self.forfeit = forfeit
        self.close()

    def made(self, meant: Any, hand: Hand | None = None) -> Any:
        """What a hand, that of the seat to play unless told, makes of it now: the same every time it is asked."""
        seat = self.to_play
        if seat is None:
            return meant
        hand = self.hands[seat] if hand is None else hand
        return hand.make(meant, self.seeds.child("hand", len(self.turns) + 1).generator())

    def play(self, meant: Any, *, made: Any = None, hand: Hand | None = None) -> Turn:
        """Do it: one whole turn.

        Args:
            meant: the action chosen. made: the action as made, when it is already known (a replay).
            hand: whose it is; that of the seat to play unless told.

        Raises:
            IllegalAction: the rules do not allow it; nothing has changed.
            FlicksimError: no hand makes that of what was meant, or a seat has forfeited the game.
        """
        if self.forfeit is not None:
            raise FlicksimError(f"{self.game.seat_names[self.forfeit.seat]} has forfeited; nothing more is played")
        state, seat = self.state, self.to_play
        self.rules.check(state, meant)
        assert seat is not None
        number = len(self.turns) + 1
        if made is None:
            made = self.made(meant, hand)
        elif not could_make(meant, made):
            raise FlicksimError("no hand makes that of what was meant; it changes how hard and where to, nothing else")
        staged = self.rules.stage(state, made)
        account = None if staged is None else self.stage.settle(*staged)
        verdict = self.rules.judge(state, made, account)
        after = self.rules.advance(state, account, verdict)
        turn = Turn(
            number=number,
            seat=seat,
            before=state,
            meant=meant,
            made=made,
            account=account,
            verdict=verdict,
            after=after,
            hand=self.hands[seat] if hand is None else hand,
        )
        self.turns.append(turn)
        if verdict.ruling.over:
            self.close()
        return turn

    def undo(self) -> Turn | None:
        """Take the last turn back, and a forfeit with it; None when there is none."""
        self.forfeit = None
        return self.turns.pop() if self.turns else None

    def run(self) -> Iterator[Turn]:
        """Play on to the end, turn by turn, or until somebody forfeits; between turns Ctrl-C is heard."""
        try:
            while not self.over:
                safe_point()
                try:
                    action = self.ask()
                except Forfeited:
                    return
                yield self.play(action)
        finally:
            self.close()

    def close(self) -> None:
        """Let players go that hold something: programs end. One that is asked again starts anew."""
        for player in self.players:
            if isinstance(player, Closing):
                player.close()
