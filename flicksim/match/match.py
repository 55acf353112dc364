"""Match loop: a player chooses, noise is added, the simulator runs, the rules judge, the state advances."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Annotated, Protocol, runtime_checkable

import msgspec
import numpy as np

from flicksim.ai import NO_NOISE, AbsentPlayer, ExecutionNoise, could_result_from
from flicksim.core.counting import count_of
from flicksim.core.errors import CannotContinue, DidNotSettle, FlicksimError, Forfeited, IllegalAction, InvalidInput
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.signals import check_interrupt
from flicksim.core.type_aliases import Action, InitialState, Position, SimulationResult, State, View
from flicksim.referee import Game, LegalActions, Reason, Rules, SelfReport, Verdict, top_scorers

_CACHED_TURNS = 256
"""Number of turns whose simulation result stays in memory; that of an older turn is simulated again on access."""
_LIMIT_RULE = "bound"
"""Rule id in the ruling of a turn at which a limit, not a rule, ends the game."""


class Simulator(Protocol):
    """Computes the result of an action from an initial state: physics for flicks, the dealer for card moves."""

    def simulate(self, before: InitialState, action: Action) -> SimulationResult:
        """Compute the result of an action."""


class Player(Protocol):
    """Chooses an action from a view."""

    def choose(self, view: View, legal_actions: LegalActions, rng: np.random.Generator) -> Value:
        """Choose a legal action; randomness comes from `rng` alone."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Pending decision of a player: its inputs, to be computed in this process or in another.

    Args:
        rng: only source of randomness.
    """

    player: Player
    view: View
    legal_actions: LegalActions
    rng: np.random.Generator

    def compute(self) -> Value:
        """Compute the player's action."""
        return self.player.choose(self.view, self.legal_actions, self.rng)


@runtime_checkable
class Closeable(Protocol):
    """Player that holds resources between turns, such as a running program."""

    def close(self, *, force: bool = False) -> None:
        """Release the resources; force: without waiting for a program to exit by itself."""


class Forfeit(Value, frozen=True, kw_only=True):
    """Loss of a seat whose player could not continue, with the reason."""

    seat: int
    reason: str = msgspec.field(name="says")


class MatchLimits(Value, frozen=True, kw_only=True):
    """Limits on the length of a match, far beyond any real one: some games have no end of their own.

    A match that reaches a limit ends there and is scored as it stands; the last ruling says so.

    Args:
        turns: in total. moves: consecutive ones of one seat.
    """

    turns: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 20_000
    moves: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 5_000


class ResultCache(dict["LazyResult", SimulationResult]):
    """Simulation results of a match's last turns, oldest first. A copy, pickled or not, is empty."""

    def __reduce__(self) -> "tuple[type[ResultCache], tuple[()]]":
        return ResultCache, ()


@dataclass(frozen=True, slots=True, eq=False)
class LazyResult:
    """Simulation result of a turn: cached for a while, then evicted and simulated again on access, with equal outcome.

    Args:
        game, simulator: what simulates it. before: state. made: executed action. cache: of the results in memory.
    """

    game: Game
    simulator: Simulator
    before: State
    made: Action
    cache: ResultCache

    @property
    def result(self) -> SimulationResult:
        """Trajectory of a flick; None when nothing moved."""
        if self not in self.cache:
            setup = self.game.rules.simulation_setup(self.before, self.made)
            self.cache[self] = None if setup is None else self.simulator.simulate(*setup)
            if len(self.cache) > _CACHED_TURNS:
                del self.cache[next(iter(self.cache))]
        return self.cache[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One action with its result, verdict and next state.

    Args:
        number: from 1. seat: that acted. before, after: states.
        meant, made: the action as intended and as executed. noise: execution noise of the hand that made it.
        undo_count: turns that had been undone in the match before, on which the error of the hand depends.
        lazy_result: simulation result, in memory or to be simulated again.
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
    undo_count: int = 0

    @property
    def result(self) -> SimulationResult:
        """Simulation result (a Trajectory for flicks), None when nothing moved; that of an old turn is simulated
        again."""
        return self.lazy_result.result


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomStart:
    """Start of a match from a position instead of the game's opening.

    Args:
        position: as written. state: that it denotes. corrections: adjustments made to it, with reasons.
    """

    position: Position
    state: State
    corrections: tuple[Reason, ...] = ()


class Match:
    """Game in progress.

    Args:
        game: to be played. options: of the game. streams: random streams. simulator: of actions.
        noise: execution noise by seat.
        players: by seat; None for a seat whose actions come from outside (a person at the window).
        custom_start: position to start from, instead of the game's opening.
        limits: on its length.
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
        """Execution noise by seat at the start; `set_noise` may change that of people."""
        self.custom_start, self.limits = custom_start, limits or MatchLimits()
        self.opening = (
            self.rules.initial_state(options, len(self.players), streams)
            if custom_start is None
            else custom_start.state
        )
        self.turns: list[Turn] = []
        self.undo_count = 0
        """Number of turns that have been undone."""
        self.player_names: dict[int, str] = {}
        """Names of people by seat, where known; for display only."""
        self.forfeit: Forfeit | None = None
        self.result_cache = ResultCache()

    def __getstate__(self) -> dict[str, object]:
        """State without the players: bots, programs and functions stay in the process that played the game."""
        names = self.game.seat_names
        absent = [
            None if player is None else AbsentPlayer(name) for player, name in zip(self.players, names, strict=False)
        ]
        return {**vars(self), "players": tuple(absent)}

    @property
    def rules(self) -> Rules:
        """Rules of the game."""
        return self.game.rules

    @property
    def state(self) -> State:
        """Current state."""
        return self.turns[-1].after if self.turns else self.opening

    @property
    def to_play(self) -> int | None:
        """Seat to play; None when the game is over."""
        return None if self.forfeit is not None or self.is_truncated else self.rules.to_play(self.state)

    @property
    def is_over(self) -> bool:
        """True once the game is over."""
        return self.to_play is None

    @property
    def is_truncated(self) -> bool:
        """True once a limit has ended the match."""
        return bool(self.turns) and self.turns[-1].verdict.rule_ids[-1:] == (_LIMIT_RULE,)

    @property
    def scores(self) -> tuple[Fraction, ...]:
        """Points by seat; a forfeit does not change them."""
        return self.rules.scores(self.state)

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats that win or share the win; empty while the game is in progress.

        After a forfeit the leader among the other seats wins; a partner loses together with the seat that forfeits.
        """
        if self.forfeit is None:
            return self.rules.leaders(self.state) if self.is_over else ()
        loser = self.forfeit.seat
        if self.game.has_partners:
            return tuple(seat for seat in range(len(self.players)) if (seat - loser) % 2)
        others = [seat for seat in range(len(self.players)) if seat != loser]
        return tuple(others[k] for k in top_scorers([self.scores[seat] for seat in others]))

    def legal_actions(self) -> LegalActions:
        """Legal actions of the current state."""
        return self.rules.legal_actions(self.state)

    @property
    def self_reports(self) -> tuple[SelfReport, ...]:
        """Self-reports open to people, in any seat's turn and after the last one; empty without people."""
        if self.forfeit is not None or self.is_truncated or not any(player is None for player in self.players):
            return ()
        return self.legal_actions().self_reports

    def decision(self) -> Decision:
        """Prepare the decision of the player to move.

        Raises:
            FlicksimError: nobody is to play, or the seat is played from outside.
        """
        seat = self.to_play
        player = self.players[seat] if seat is not None else None
        if seat is None or player is None:
            raise FlicksimError("nobody here can choose now" if seat is None else f"seat {seat} is played from outside")
        # one stream per decision, so that a resumed game continues exactly as an uninterrupted one
        rng = self.streams.spawn("player", seat, len(self.turns) + 1).generator()
        offered = msgspec.structs.replace(self.legal_actions(), self_reports=())  # those are for people
        return Decision(player, self.rules.view(self.state, seat), offered, rng)

    def ask_player(self) -> Value:
        """Choose the action of the player to move.

        Raises:
            Forfeited: the player cannot continue; the game is over, and `forfeit` is set.
            FlicksimError: see `decision`.
        """
        decision = self.decision()
        try:
            return decision.compute()
        except Forfeited as error:
            assert self.to_play is not None
            self.forfeit_by(Forfeit(seat=self.to_play, reason=str(error)))
            raise

    def forfeit_by(self, forfeit: Forfeit) -> None:
        """End the game by the forfeit of a seat."""
        self.forfeit = forfeit
        self.close()

    def execute(self, meant: Value, noise: ExecutionNoise | None = None) -> Action:
        """Execute an intended action with noise, by default that of the seat to play. Repeatable until
        the turn is undone: nobody knows the error of a second try."""
        seat = self.to_play
        if seat is None:
            return meant
        noise = self.noise[seat] if noise is None else noise
        stream = self.streams.spawn("hand", len(self.turns) + 1)
        return noise.execute(meant, (stream.spawn(self.undo_count) if self.undo_count else stream).generator())

    def play(self, meant: Value, *, made: Value | None = None, noise: ExecutionNoise | None = None) -> Turn:
        """Play one turn. A self-report after the last turn counts as by the seat that acted last.

        Args:
            meant: intended action. made: executed action, when it is already known (a replay).
            noise: execution noise; by default that of the seat to play.

        Raises:
            IllegalAction: the rules do not allow it; nothing has changed.
            FlicksimError: no noise turns `meant` into `made`, a seat has forfeited, or a limit has ended the match.
        """
        if self.forfeit is not None:
            raise FlicksimError(f"{self.game.seat_names[self.forfeit.seat]} has forfeited; nothing more is played")
        if self.is_truncated:
            raise FlicksimError(f"the game has ended after {count_of(len(self.turns), 'turn')}; nothing more is played")
        state, seat = self.state, self.to_play
        self.rules.check_action(state, meant)
        if seat is None:
            seat = self.turns[-1].seat
        number = len(self.turns) + 1
        if made is None:
            made = self.execute(meant, noise)
        elif not could_result_from(meant, made):
            raise FlicksimError(
                "what was made cannot result from what was meant: execution noise changes the stroke alone"
            )
        lazy_result = LazyResult(self.game, self.simulator, state, made, self.result_cache)
        result = lazy_result.result
        verdict = self.rules.judge(state, made, result)
        after = self.rules.next_state(state, result, verdict)
        turn = Turn(
            number=number,
            seat=seat,
            before=state,
            meant=meant,
            made=made,
            lazy_result=lazy_result,
            verdict=self._apply_limits(number, seat, verdict),
            after=after,
            noise=self.noise[seat] if noise is None else noise,
            undo_count=self.undo_count,
        )
        self.turns.append(turn)
        if turn.verdict.ruling.is_over:
            self.close()
        return turn

    def _apply_limits(self, number: int, seat: int, verdict: Verdict) -> Verdict:
        """Return the verdict, made final where the match has reached one of its limits."""
        if verdict.ruling.is_over:
            return verdict
        turns, moves = self.limits.turns, self.limits.moves
        if number >= turns:
            limit = count_of(turns, "turn")
        elif number >= moves and all(turn.seat == seat for turn in islice(reversed(self.turns), moves - 1)):
            limit = f"{count_of(moves, 'move')} of one seat in a row"
        else:
            return verdict
        reason = Reason(_LIMIT_RULE, f"The bound of {limit} is reached; the game ends and counts as it stands.")
        ruling = msgspec.structs.replace(verdict.ruling, next=None)
        return msgspec.structs.replace(verdict, reasons=(*verdict.reasons, reason), ruling=ruling)

    def undo(self) -> Turn | None:
        """Take back the last turn, and a forfeit; None when there is no turn."""
        self.forfeit = None
        self.undo_count += bool(self.turns)
        return self.turns.pop() if self.turns else None

    def redo(self, turn: Turn) -> None:
        """Restore a turn that was taken back.

        Raises:
            FlicksimError: it was not played from the current state.
        """
        if turn.before is not self.state:
            raise FlicksimError(
                f"turn {turn.number} was not played from here; only the last one taken back can be redone"
            )
        self.turns.append(turn)

    def set_noise(self, noise: ExecutionNoise, seat: int | None = None) -> None:
        """Set the execution noise of all people, or of the person at one seat, from the next turn on."""
        self.noise = tuple(
            noise if player is None and seat in (None, k) else current
            for k, (current, player) in enumerate(zip(self.noise, self.players, strict=True))
        )

    def set_opening(self, state: State) -> None:
        """Replace the opening state.

        Raises:
            FlicksimError: turns have been played.
        """
        if self.turns:
            raise FlicksimError(
                f"after {count_of(len(self.turns), 'turn')} it is too late; only a new match can be set up otherwise"
            )
        self.opening = state

    def run(
        self, human_action: Callable[[], Value] | None = None, choose: "Callable[[Match], Value] | None" = None
    ) -> Iterator[Turn]:  # fmt: skip
        """Play turn by turn until the game ends, a limit is reached or a seat forfeits.

        Args:
            human_action: returns a legal action for a seat that is played from outside.
            choose: chooses the action of any other seat; `Match.ask_player` by default.

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
                except (InvalidInput, IllegalAction, DidNotSettle) as error:
                    after = f"after turn {len(self.turns)}" if self.turns else "from its beginning"
                    raise CannotContinue(
                        f"the game of seed {self.streams.seed} cannot go on {after}: {error}"
                    ) from error
                yield turn
            force = False
        finally:
            self.close(force=force)

    def close(self, *, force: bool = False) -> None:
        """Close players that hold resources; a program is started again when next asked."""
        for player in self.players:
            if isinstance(player, Closeable):
                player.close(force=force)
