"""Match loop: a player chooses, noise is added, the simulator runs, the rules judge, the state advances."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Annotated, Protocol, runtime_checkable

import msgspec
import numpy as np

from flicksim.ai import NO_NOISE, AbsentPlayer, ExecutionNoise, could_result_from
from flicksim.core.errors import CannotContinue, DidNotSettle, FlicksimError, Forfeited, IllegalAction, InvalidInput
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, InitialState, Position, SimulationResult, State, View
from flicksim.match.interrupts import check_interrupt
from flicksim.referee import Game, LegalActions, Reason, Rules, SelfReport, Verdict, top_scorers

_CACHED_TURNS = 256
"""So many turns of a match keep what moved in them; what moved in others is settled again when it is asked for."""
_LIMIT_RULE = "bound"
"""Stands in a ruling where a ledger id would, when a bound and no rule ends the game."""


class Simulator(Protocol):
    """Settles what the rules put on it: the physics for flicks, the dealer for moves."""

    def simulate(self, before: InitialState, action: Action) -> SimulationResult:
        """A finished, frozen account."""


class Player(Protocol):
    """Answers a view with an action."""

    def choose(self, view: View, legal_actions: LegalActions, rng: np.random.Generator) -> Action:
        """One of the things allowed; all its chance comes from `rng`."""


@dataclass(frozen=True, slots=True)
class Decision:
    """All that a player is asked at a time: whoever has it may answer it, here or in another process.

    Args:
        rng: all chance of the answer.
    """

    player: Player
    view: View
    legal_actions: LegalActions
    rng: np.random.Generator

    def compute(self) -> Action:
        """The player's action."""
        return self.player.choose(self.view, self.legal_actions, self.rng)


@runtime_checkable
class Closeable(Protocol):
    """A player that holds something beyond its turn: a program that runs."""

    def close(self, *, force: bool = False) -> None:
        """The game is over; force: do not wait for it to end by itself."""


class Forfeit(Value, frozen=True, kw_only=True):
    """A seat lost because its player could not go on, and why."""

    seat: int
    says: str


class MatchLimits(Value, frozen=True, kw_only=True):
    """The longest a match may last, far beyond any real one: some games have no end of their own.

    A match that reaches a bound ends there, and counts as it stands; the last ruling says so.

    Args:
        turns: in all. moves: of one seat, one after another.
    """

    turns: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 20_000
    moves: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 5_000


class ResultCache:
    """The turns of a match whose motion is kept, the oldest first. A copy, pickled or not, keeps none."""

    def __init__(self) -> None:
        self._turns: deque[LazyResult] = deque()

    def add(self, result: LazyResult) -> None:
        """Keep one more, and let the oldest go."""
        self._turns.append(result)
        if len(self._turns) > _CACHED_TURNS:
            self._turns.popleft().clear()

    def __len__(self) -> int:
        return len(self._turns)

    def __reduce__(self) -> tuple[type[ResultCache], tuple[()]]:
        return ResultCache, ()


class LazyResult:
    """The motion of a turn: kept for a while, then let go, and settled again by whoever asks; it comes out the same.

    Args:
        game, simulator: they settle it. before: the state. made: the action. cache: those that are.
    """

    __slots__ = ("_before", "_cache", "_game", "_made", "_result", "_simulator")

    def __init__(self, game: Game, simulator: Simulator, before: State, made: Action, cache: ResultCache) -> None:
        self._game, self._simulator, self._before, self._made, self._cache = game, simulator, before, made, cache
        self.clear()

    def clear(self) -> None:
        """Keep nothing any more."""
        self._result: SimulationResult = self  # stands for "not kept": None is an account too

    def __reduce__(self) -> tuple[type[LazyResult], tuple[Game, Simulator, State, Action, ResultCache]]:
        return LazyResult, (self._game, self._simulator, self._before, self._made, self._cache)

    @property
    def result(self) -> SimulationResult:
        """A Motion for flicks, None when nothing moved."""
        account = self._result
        if account is self:
            staged = self._game.rules.simulation_setup(self._before, self._made)
            account = self._result = None if staged is None else self._simulator.simulate(*staged)
            self._cache.add(self)
        return account


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One action and all that came of it.

    Args:
        number: from 1. seat: who acted. before, after: states.
        meant, made: the action as chosen and as the hand made it. noise: which.
        lazy_result: what moved.
    """

    number: int
    seat: int
    before: State
    meant: Action
    made: Action
    lazy_result: LazyResult = field(repr=False, compare=False)
    verdict: Verdict
    after: State
    noise: ExecutionNoise = NO_NOISE

    @property
    def result(self) -> SimulationResult:
        """The account of what moved (a Motion for flicks); None when nothing did. Of an old turn it is settled
        again."""
        return self.lazy_result.result


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomStart:
    """Start of a match that does not begin at the game's beginning.

    Args:
        position: as a person wrote it. state: to play on from. corrections: what had to be put right first, and why.
    """

    position: Position
    state: State
    corrections: tuple[Reason, ...] = ()


class Match:
    """A game being played.

    Args:
        game: which. options: its switches. streams: its chance. seats: how many sit down.
        simulator: settles what moves. noise: execution error by seat.
        players: who chooses, by seat; None where somebody outside does (a window).
        custom_start: where it begins, when that is a position and not the game's beginning.
        limits: the longest it may last.
    """

    def __init__(
        self,
        game: Game,
        options: Value,
        streams: RandomStreams,
        simulator: Simulator,
        noise: Sequence[ExecutionNoise],
        players: Sequence[Player | None],
        custom_start: CustomStart | None = None,
        limits: MatchLimits | None = None,
    ) -> None:
        self.game, self.options, self.streams, self.simulator = game, options, streams, simulator
        self.noise, self.players = tuple(noise), tuple(players)
        self.seated_noise = self.noise
        """The hands that all sat down with; people may be lent others."""
        self.custom_start, self.limits = custom_start, limits or MatchLimits()
        self.opening = (
            self.rules.initial_state(options, len(self.players), streams)
            if custom_start is None
            else custom_start.state
        )
        self.turns: list[Turn] = []
        self.player_names: dict[int, str] = {}
        """Names of those who sit there, by seat, where they have said one. For showing alone."""
        self.forfeit: Forfeit | None = None
        self.result_cache = ResultCache()

    def __getstate__(self) -> dict[str, object]:
        """All but those who chose: bots, programs and functions stay where the game was played."""
        names = self.game.seat_names
        gone = [None if one is None else AbsentPlayer(name) for one, name in zip(self.players, names, strict=False)]
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
        return None if self.forfeit is not None or self.is_truncated else self.rules.to_play(self.state)

    @property
    def is_over(self) -> bool:
        """True once the game is over."""
        return self.to_play is None

    @property
    def is_truncated(self) -> bool:
        """True where one of the bounds has ended it."""
        return bool(self.turns) and self.turns[-1].verdict.rule_ids[-1:] == (_LIMIT_RULE,)

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
            return self.rules.leaders(self.state) if self.is_over else ()
        lost = self.forfeit.seat
        if self.game.has_partners:
            return tuple(seat for seat in range(len(self.players)) if (seat - lost) % 2)
        others = [seat for seat in range(len(self.players)) if seat != lost]
        return tuple(others[k] for k in top_scorers([self.scores[seat] for seat in others]))

    def legal_actions(self) -> LegalActions:
        """The choices now."""
        return self.rules.legal_actions(self.state)

    @property
    def self_reports(self) -> tuple[SelfReport, ...]:
        """The things people at the table may own up to, in anybody's turn and after the last; nothing where none
        sit."""
        if self.forfeit is not None or self.is_truncated or not any(player is None for player in self.players):
            return ()
        return self.legal_actions().self_reports

    def decision(self) -> Decision:
        """All that the player whose turn it is, is asked now.

        Raises:
            FlicksimError: nobody is to play, or the seat is played from outside.
        """
        seat = self.to_play
        player = self.players[seat] if seat is not None else None
        if seat is None or player is None:
            raise FlicksimError("nobody here can choose now" if seat is None else f"seat {seat} is played from outside")
        # a stream for each decision: a game that was resumed goes on as if it had never stopped
        rng = self.streams.spawn("player", seat, len(self.turns) + 1).generator()
        offered = msgspec.structs.replace(
            self.legal_actions(), self_reports=()
        )  # only people can say what was not seen
        return Decision(player, self.rules.view(self.state, seat), offered, rng)

    def ask_player(self) -> Action:
        """Ask the player whose turn it is.

        Raises:
            Forfeited: he cannot go on; the game is over, and `forfeit` tells of it.
            FlicksimError: see `decision`.
        """
        asked = self.decision()
        try:
            return asked.compute()
        except Forfeited as lost:
            assert self.to_play is not None
            self.forfeit_by(Forfeit(seat=self.to_play, says=str(lost)))
            raise

    def forfeit_by(self, forfeit: Forfeit) -> None:
        """A seat loses here and now; nothing more is played."""
        self.forfeit = forfeit
        self.close()

    def execute(self, meant: Action, noise: ExecutionNoise | None = None) -> Action:
        """The action as a hand makes it now, that of the seat to play unless told: the same every time it is asked."""
        seat = self.to_play
        if seat is None:
            return meant
        noise = self.noise[seat] if noise is None else noise
        return noise.execute(meant, self.streams.spawn("hand", len(self.turns) + 1).generator())

    def play(self, meant: Action, *, made: Action = None, noise: ExecutionNoise | None = None) -> Turn:
        """Do it: one whole turn. What is owned up to after the last, is said by the seat that acted last.

        Args:
            meant: the action chosen. made: the action as made, when it is already known (a replay).
            noise: whose it is; that of the seat to play unless told.

        Raises:
            IllegalAction: the rules do not allow it; nothing has changed.
            FlicksimError: no hand makes that of what was meant, a seat has forfeited the game, or a bound has ended it.
        """
        if self.forfeit is not None:
            raise FlicksimError(f"{self.game.seat_names[self.forfeit.seat]} has forfeited; nothing more is played")
        if self.is_truncated:
            raise FlicksimError(f"the game has ended after {len(self.turns)} turns; nothing more is played")
        state, seat = self.state, self.to_play
        self.rules.check_action(state, meant)
        if seat is None:
            seat = self.turns[-1].seat
        number = len(self.turns) + 1
        if made is None:
            made = self.execute(meant, noise)
        elif not could_result_from(meant, made):
            raise FlicksimError("no hand makes that of what was meant; it changes how hard and where to, nothing else")
        settling = LazyResult(self.game, self.simulator, state, made, self.result_cache)
        account = settling.result
        verdict = self.rules.judge(state, made, account)
        after = self.rules.next_state(state, account, verdict)
        turn = Turn(
            number=number,
            seat=seat,
            before=state,
            meant=meant,
            made=made,
            lazy_result=settling,
            verdict=self._apply_limits(number, seat, verdict),
            after=after,
            noise=self.noise[seat] if noise is None else noise,
        )
        self.turns.append(turn)
        if turn.verdict.ruling.is_over:
            self.close()
        return turn

    def _apply_limits(self, number: int, seat: int, verdict: Verdict) -> Verdict:
        """The verdict on a turn; when the match has lasted as long as it may, it ends the game too."""
        if verdict.ruling.is_over:
            return verdict
        turns, moves = self.limits.turns, self.limits.moves
        if number >= turns:
            reached = f"{turns} turn{'s' if turns > 1 else ''}"
        elif number >= moves and all(turn.seat == seat for turn in islice(reversed(self.turns), moves - 1)):
            reached = f"{moves} moves of one seat in a row" if moves > 1 else "1 move of one seat in a row"
        else:
            return verdict
        reason = Reason(
            rule=_LIMIT_RULE, text=f"The bound of {reached} is reached; the game ends and counts as it stands."
        )
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

    def set_noise(self, noise: ExecutionNoise, seat: int | None = None) -> None:
        """Give everybody a hand who is not played here, or the one at a seat, from the next turn on."""
        self.noise = tuple(
            noise if player is None and seat in (None, k) else own
            for k, (own, player) in enumerate(zip(self.noise, self.players, strict=True))
        )

    def use_simulator(self, simulator: Simulator) -> None:
        """Settle shots by another stage from the next one on."""
        self.simulator = simulator

    def set_opening(self, state: State) -> None:
        """Begin the game in this state instead.

        Raises:
            FlicksimError: it has begun.
        """
        if self.turns:
            raise FlicksimError(f"{len(self.turns)} turns have been played; only a new match can be set up otherwise")
        self.opening = state

    def run(
        self, human_action: Callable[[], Action] | None = None, choose: Callable[[Match], Action] | None = None
    ) -> Iterator[Turn]:  # fmt: skip
        """Play on to its end or to one of its bounds, turn by turn, or until somebody forfeits.

        Args:
            human_action: asked for what a seat does that is played from outside; it gives what the rules allow.
            choose: the way to ask the others; `ask_player` without.

        Raises:
            CannotContinue: the next turn cannot be played; all before it stand.
        """
        force = True
        try:
            while not self.is_over:
                check_interrupt()
                try:
                    outside = human_action if self.players[self.to_play or 0] is None else None
                    turn = self.play((choose or Match.ask_player)(self) if outside is None else outside())
                except Forfeited:
                    break
                except (InvalidInput, IllegalAction, DidNotSettle) as wrong:
                    after = f"after turn {len(self.turns)}" if self.turns else "from its beginning"
                    raise CannotContinue(
                        f"the game of seed {self.streams.seed} cannot go on {after}: {wrong}"
                    ) from wrong
                yield turn
            force = False
        finally:
            self.close(force=force)

    def close(self, *, force: bool = False) -> None:
        """Let players go that hold something: programs end. One that is asked again starts anew."""
        for player in self.players:
            if isinstance(player, Closeable):
                player.close(force=force)
