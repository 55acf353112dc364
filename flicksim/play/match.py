"""The one loop: a player chooses, a hand makes it, the stage settles it, the rules judge, the state goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Annotated, Protocol, runtime_checkable

import msgspec
import numpy as np

from flicksim.base.codec import Value
from flicksim.base.errors import BadInput, CannotGoOn, FlicksimError, Forfeited, IllegalAction, Unsettled
from flicksim.base.kinds import Account, Action, Position, Staged, State, View
from flicksim.base.seeding import Seeds
from flicksim.play.interrupt import safe_point
from flicksim.players import STEADY, Absent, Hand, could_make
from flicksim.referee import Choices, Game, OwnUp, Reason, Rules, Verdict, winners

_WHOLE = 256
"""So many turns of a match keep what moved in them; what moved in others is settled again when it is asked for."""
_BOUND = "bound"
"""Stands in a ruling where a ledger id would, when a bound and no rule ends the game."""


class Stage(Protocol):
    """Settles what the rules put on it: the physics for flicks, the dealer for moves."""

    def settle(self, before: Staged, action: Action) -> Account:
        """A finished, frozen account."""


class Player(Protocol):
    """Answers a view with an action."""

    def choose(self, view: View, choices: Choices, rng: np.random.Generator) -> Action:
        """One of the things allowed; all its chance comes from `rng`."""


@dataclass(frozen=True, slots=True)
class Question:
    """All that a player is asked at a time: whoever has it may answer it, here or in another process.

    Args:
        rng: all chance of the answer.
    """

    player: Player
    view: View
    choices: Choices
    rng: np.random.Generator

    def answer(self) -> Action:
        """The player's action."""
        return self.player.choose(self.view, self.choices, self.rng)


@runtime_checkable
class Closing(Protocol):
    """A player that holds something beyond its turn: a program that runs."""

    def close(self, *, at_once: bool = False) -> None:
        """The game is over; at once: do not wait for it to end by itself."""


class Forfeit(Value, frozen=True, kw_only=True):
    """A seat lost because its player could not go on, and why."""

    seat: int
    says: str


class Bounds(Value, frozen=True, kw_only=True):
    """The longest a match may last, far beyond any real one: some games have no end of their own.

    A match that reaches a bound ends there, and counts as it stands; the last ruling says so.

    Args:
        turns: in all. moves: of one seat, one after another.
    """

    turns: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 20_000
    moves: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 5_000


class Kept:
    """The turns of a match whose motion is kept, the oldest first. A copy, pickled or not, keeps none."""

    def __init__(self) -> None:
        self._turns: deque[Settling] = deque()

    def add(self, settling: Settling) -> None:
        """Keep one more, and let the oldest go."""
        self._turns.append(settling)
        if len(self._turns) > _WHOLE:
            self._turns.popleft().let_go()

    def __len__(self) -> int:
        return len(self._turns)

    def __reduce__(self) -> tuple[type[Kept], tuple[()]]:
        return Kept, ()


class Settling:
    """The motion of a turn: kept for a while, then let go, and settled again by whoever asks; it comes out the same.

    Args:
        game, stage: they settle it. before: the state. made: the action. kept: those that are.
    """

    __slots__ = ("_account", "_before", "_game", "_kept", "_made", "_stage")

    def __init__(self, game: Game, stage: Stage, before: State, made: Action, kept: Kept) -> None:
        self._game, self._stage, self._before, self._made, self._kept = game, stage, before, made, kept
        self.let_go()

    def let_go(self) -> None:
        """Keep nothing any more."""
        self._account: Account = self  # stands for "not kept": None is an account too

    def __reduce__(self) -> tuple[type[Settling], tuple[Game, Stage, State, Action, Kept]]:
        return Settling, (self._game, self._stage, self._before, self._made, self._kept)

    @property
    def account(self) -> Account:
        """A Motion for flicks, None when nothing moved."""
        account = self._account
        if account is self:
            staged = self._game.rules.stage(self._before, self._made)
            account = self._account = None if staged is None else self._stage.settle(*staged)
            self._kept.add(self)
        return account


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One action and all that came of it.

    Args:
        number: from 1. seat: who acted. before, after: states.
        meant, made: the action as chosen and as the hand made it. hand: which.
        settling: what moved.
    """

    number: int
    seat: int
    before: State
    meant: Action
    made: Action
    settling: Settling = field(repr=False, compare=False)
    verdict: Verdict
    after: State
    hand: Hand = STEADY

    @property
    def account(self) -> Account:
        """The account of what moved (a Motion for flicks); None when nothing did. Of an old turn it is settled
        again."""
        return self.settling.account


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """Start of a match that does not begin at the game's beginning.

    Args:
        position: as a person wrote it. state: to play on from. reasons: what had to be put right first, and why.
    """

    position: Position
    state: State
    reasons: tuple[Reason, ...] = ()


class Match:
    """A game being played.

    Args:
        game: which. options: its switches. seeds: its chance. seats: how many sit down.
        stage: settles what moves. hands: execution error by seat.
        players: who chooses, by seat; None where somebody outside does (a window).
        begun: where it begins, when that is a position and not the game's beginning.
        bounds: the longest it may last.
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
        bounds: Bounds | None = None,
    ) -> None:
        self.game, self.options, self.seeds, self.stage = game, options, seeds, stage
        self.hands, self.players = tuple(hands), tuple(players)
        self.own_hands = self.hands
        """The hands that all sat down with; people may be lent others."""
        self.begun, self.bounds = begun, bounds or Bounds()
        self.opening = self.rules.start(options, len(self.players), seeds) if begun is None else begun.state
        self.turns: list[Turn] = []
        self.people: dict[int, str] = {}
        """Names of those who sit there, by seat, where they have said one. For showing alone."""
        self.forfeit: Forfeit | None = None
        self.kept = Kept()

    def __getstate__(self) -> dict[str, object]:
        """All but those who chose: bots, programs and functions stay where the game was played."""
        names = self.game.seat_names
        gone = [None if one is None else Absent(name) for one, name in zip(self.players, names, strict=False)]
        return {**vars(self), "players": tuple(gone)}

    @property
    def rules(self) -> Rules:
        """Rules of the game."""
        return self.game.rules

    @property
    def state(self) -> State:
        """State of the game now."""
        return self.turns[-1].after if self.turns else self.opening

    @property
    def to_play(self) -> int | None:
        """Seat that acts now; None when the game is over."""
        return None if self.forfeit is not None or self.cut_short else self.rules.to_play(self.state)

    @property
    def over(self) -> bool:
        """True once the game is over."""
        return self.to_play is None

    @property
    def cut_short(self) -> bool:
        """True where one of the bounds has ended it."""
        return bool(self.turns) and self.turns[-1].verdict.rules[-1:] == (_BOUND,)

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
        """The choices now."""
        return self.rules.choices(self.state)

    @property
    def own_up(self) -> tuple[OwnUp, ...]:
        """The things people at the table may own up to, in anybody's turn and after the last; nothing where none
        sit."""
        if self.forfeit is not None or self.cut_short or not any(player is None for player in self.players):
            return ()
        return self.choices().own_up

    def question(self) -> Question:
        """All that the player whose turn it is, is asked now.

        Raises:
            FlicksimError: nobody is to play, or the seat is played from outside.
        """
        seat = self.to_play
        player = self.players[seat] if seat is not None else None
        if seat is None or player is None:
            raise FlicksimError("nobody here can choose now" if seat is None else f"seat {seat} is played from outside")
        # a stream for each decision: a game that was resumed goes on as if it had never stopped
        rng = self.seeds.child("player", seat, len(self.turns) + 1).generator()
        offered = msgspec.structs.replace(self.choices(), own_up=())  # only people can say what was not seen
        return Question(player, self.rules.view(self.state, seat), offered, rng)

    def ask(self) -> Action:
        """Ask the player whose turn it is.

        Raises:
            Forfeited: he cannot go on; the game is over, and `forfeit` tells of it.
            FlicksimError: see `question`.
        """
        asked = self.question()
        try:
            return asked.answer()
        except Forfeited as lost:
            assert self.to_play is not None
            self.give_up(Forfeit(seat=self.to_play, says=str(lost)))
            raise

    def give_up(self, forfeit: Forfeit) -> None:
        """A seat loses here and now; nothing more is played."""
        self.forfeit = forfeit
        self.close()

    def made(self, meant: Action, hand: Hand | None = None) -> Action:
        """The action as a hand makes it now, that of the seat to play unless told: the same every time it is asked."""
        seat = self.to_play
        if seat is None:
            return meant
        hand = self.hands[seat] if hand is None else hand
        return hand.make(meant, self.seeds.child("hand", len(self.turns) + 1).generator())

    def play(self, meant: Action, *, made: Action = None, hand: Hand | None = None) -> Turn:
        """Do it: one whole turn. What is owned up to after the last, is said by the seat that acted last.

        Args:
            meant: the action chosen. made: the action as made, when it is already known (a replay).
            hand: whose it is; that of the seat to play unless told.

        Raises:
            IllegalAction: the rules do not allow it; nothing has changed.
            FlicksimError: no hand makes that of what was meant, a seat has forfeited the game, or a bound has ended it.
        """
        if self.forfeit is not None:
            raise FlicksimError(f"{self.game.seat_names[self.forfeit.seat]} has forfeited; nothing more is played")
        if self.cut_short:
            raise FlicksimError(f"the game has ended after {len(self.turns)} turns; nothing more is played")
        state, seat = self.state, self.to_play
        self.rules.check(state, meant)
        if seat is None:
            seat = self.turns[-1].seat
        number = len(self.turns) + 1
        if made is None:
            made = self.made(meant, hand)
        elif not could_make(meant, made):
            raise FlicksimError("no hand makes that of what was meant; it changes how hard and where to, nothing else")
        settling = Settling(self.game, self.stage, state, made, self.kept)
        account = settling.account
        verdict = self.rules.judge(state, made, account)
        after = self.rules.advance(state, account, verdict)
        turn = Turn(
            number=number,
            seat=seat,
            before=state,
            meant=meant,
            made=made,
            settling=settling,
            verdict=self._within_bounds(number, seat, verdict),
            after=after,
            hand=self.hands[seat] if hand is None else hand,
        )
        self.turns.append(turn)
        if turn.verdict.ruling.over:
            self.close()
        return turn

    def _within_bounds(self, number: int, seat: int, verdict: Verdict) -> Verdict:
        """The verdict on a turn; when the match has lasted as long as it may, it ends the game too."""
        if verdict.ruling.over:
            return verdict
        turns, moves = self.bounds.turns, self.bounds.moves
        if number >= turns:
            reached = f"{turns} turn{'s' if turns > 1 else ''}"
        elif number >= moves and all(turn.seat == seat for turn in islice(reversed(self.turns), moves - 1)):
            reached = f"{moves} moves of one seat in a row" if moves > 1 else "1 move of one seat in a row"
        else:
            return verdict
        reason = Reason(rule=_BOUND, says=f"The bound of {reached} is reached; the game ends and counts as it stands.")
        ruling = msgspec.structs.replace(verdict.ruling, next=None)
        return msgspec.structs.replace(verdict, reasons=(*verdict.reasons, reason), ruling=ruling)

    def undo(self) -> Turn | None:
        """Take the last turn back, and a forfeit with it; None when there is none."""
        self.forfeit = None
        return self.turns.pop() if self.turns else None

    def redo(self, turn: Turn) -> None:
        """Put a turn back that was taken back, just as it was.

        Raises:
            FlicksimError: it was not played from where the game stands.
        """
        if turn.before is not self.state:
            raise FlicksimError(
                f"turn {turn.number} was not played from here; only the last one taken back can be redone"
            )
        self.turns.append(turn)

    def lend(self, hand: Hand, seat: int | None = None) -> None:
        """Give everybody a hand who is not played here, or the one at a seat, from the next turn on."""
        self.hands = tuple(
            hand if player is None and seat in (None, k) else own
            for k, (own, player) in enumerate(zip(self.hands, self.players, strict=True))
        )

    def settled_by(self, stage: Stage) -> None:
        """Settle shots by another stage from the next one on."""
        self.stage = stage

    def set_up(self, state: State) -> None:
        """Begin the game in this state instead.

        Raises:
            FlicksimError: it has begun.
        """
        if self.turns:
            raise FlicksimError(f"{len(self.turns)} turns have been played; only a new match can be set up otherwise")
        self.opening = state

    def run(
        self, people: Callable[[], Action] | None = None, asks: Callable[[Match], Action] | None = None
    ) -> Iterator[Turn]:  # fmt: skip
        """Play on to its end or to one of its bounds, turn by turn, or until somebody forfeits.

        Args:
            people: asked for what a seat does that is played from outside; it gives what the rules allow.
            asks: the way to ask the others; `ask` without.

        Raises:
            CannotGoOn: the next turn cannot be played; all before it stand.
        """
        at_once = True
        try:
            while not self.over:
                safe_point()
                try:
                    outside = people if self.players[self.to_play or 0] is None else None
                    turn = self.play((asks or Match.ask)(self) if outside is None else outside())
                except Forfeited:
                    break
                except (BadInput, IllegalAction, Unsettled) as wrong:
                    after = f"after turn {len(self.turns)}" if self.turns else "from its beginning"
                    raise CannotGoOn(f"the game of seed {self.seeds.seed} cannot go on {after}: {wrong}") from wrong
                yield turn
            at_once = False
        finally:
            self.close(at_once=at_once)

    def close(self, *, at_once: bool = False) -> None:
        """Let players go that hold something: programs end. One that is asked again starts anew."""
        for player in self.players:
            if isinstance(player, Closing):
                player.close(at_once=at_once)
