"""Match as a client sees it: other seats act by messages of the host, and own actions are sent to it.

In games without hidden cards every turn is simulated here again from the action made, so that the film is the host's;
in others its result comes as the seat sees it. States are compared by fingerprint; a difference is reported.
"""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Condition
from typing import get_args, get_type_hints

import msgspec
import numpy as np

from flicksim import match as matches
from flicksim.ai import GRADES, NO_NOISE, ExecutionNoise, noise_named, stop_if_cancelled
from flicksim.cards import CardMovement, Dealer, TransferResult
from flicksim.core.errors import Cancelled, FlicksimError, InvalidInput
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_builtins, from_json, to_builtins
from flicksim.core.type_aliases import Action, SimulationResult, State, View
from flicksim.games import load, names
from flicksim.net import protocol
from flicksim.referee import Game, LegalActions, Reason, Verdict

Incoming = protocol.GameSnapshot | protocol.TurnPlayed | protocol.Undone | protocol.Over
"""Message that changes a match."""
_NOT_MADE = "the turn cannot be made here as at the host; the game is asked for anew"
_POLL_INTERVAL = 0.1
"""Interval at which a waiting thread looks whether it is still wanted [s]."""


class RemotePlayer:
    """Player of a seat of others: its choice is the action of the next turn that the host tells.

    Args:
        match: to which the turn is told.
    """

    def __init__(self, match: "RemoteMatch") -> None:
        self._match = match

    def choose(self, view: View, legal_actions: LegalActions, rng: np.random.Generator) -> Action:
        """Wait for the next turn and return its action.

        Raises:
            Cancelled: turns were taken back, the game is over, or the match was closed.
            FlicksimError: the turn cannot be made here; the game is asked for anew.
        """
        del view, legal_actions, rng
        item = self._match.wait_incoming()
        if not isinstance(item, protocol.TurnPlayed):
            raise Cancelled("the game went on otherwise")
        try:
            return from_builtins(_decode_line(item).meant, self._match.game.action, name="the action")
        except InvalidInput:
            self._match.apply_incoming()  # which tells the difference
            raise FlicksimError(_NOT_MADE) from None


@dataclass(frozen=True, slots=True, eq=False)
class KnownResult(matches.LazyResult):
    """Simulation result that came with the turn."""

    known: SimulationResult = None

    @property
    def result(self) -> SimulationResult:
        """Movements of cards; None when nothing moved."""
        return self.known


class RemoteMatch(matches.Match):
    """Match of a client. The messages wait in a queue until they are applied, in the thread that shows the match.

    Args:
        start: the game as it stands. seats: own ones, whose actions come from outside.
        send: sends a message to the host, from any thread.

    Raises:
        InvalidInput: the game, or its edition, is not known here.
    """

    def __init__(
        self, start: protocol.GameSnapshot, seats: tuple[int, ...], send: Callable[[protocol.ClientMessage], None]
    ) -> None:
        header = start.header
        if header.game not in names():
            raise InvalidInput(f"the host plays {header.game!r}; this flicksim has {', '.join(names())}")
        game = load(header.game)
        if header.edition != game.rules_version:
            raise InvalidInput(
                f"the host plays edition {header.edition} of {game.title}, this flicksim {game.rules_version}; "
                "update the older"
            )
        state = from_builtins(start.view, game.state, name="the view")
        options = from_builtins(header.options, game.options, name="the game's options")
        own = [number in seats for number in range(len(header.seats))]
        players = [None if mine else RemotePlayer(self) for mine in own]
        noise = [_noise_of(word) for word in header.seats]
        super().__init__(
            game, options, RandomStreams(seed=0), matches.PhysicsSimulator() if game.uses_physics else Dealer(), noise,
            players, matches.CustomStart(position=None, state=state), header.bounds,
        )  # fmt: skip
        self.custom_start = None  # it was the state alone, of no position by name
        self.header, self.seats, self.game_number, self.turns_before = header, seats, start.game_number, start.turn
        """`turns_before`: number of turns played before those in `turns`."""
        self.forfeit = start.forfeit
        self.differences: list[int] = []
        """Numbers of turns that had another result here."""
        self.send = send
        self.unread: deque[Incoming | protocol.Refused] = deque()
        """Turns, take-backs and refusals of the host that are not applied yet."""
        self._condition = Condition()
        self._is_closed = False
        self.pending: protocol.Act | None = None
        """Own action that the host has not answered yet."""

    def add_earlier(self, opening: State, turns: Sequence[matches.Turn]) -> None:
        """Put the turns before the first one told in front, as this seat sees them; others than those are left out.

        Args:
            opening: state before them.
        """
        if (
            not self.turns
            and len(turns) == self.turns_before > 0
            and matches.state_fingerprint(turns[-1].after) == matches.state_fingerprint(self.opening)
        ):
            self.opening, self.turns_before = opening, 0
            self.turns.extend(turns)

    @property
    def turn_count(self) -> int:
        """Number of turns played, those before this client came included."""
        return self.turns_before + len(self.turns)

    @property
    def is_own_turn(self) -> bool:
        """True while the host waits for this client."""
        return self.to_play in self.seats

    def receive(self, message: Incoming | protocol.Refused) -> None:
        """Queue a message of the host; called in the thread of the client."""
        with self._condition:
            self.unread.append(message)
            self._condition.notify_all()

    def close(self, *, force: bool = False) -> None:
        """End the match here: whoever waits for the host gets `Cancelled`."""
        del force
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()

    def _first(self) -> Incoming | protocol.Refused | None:
        """First message of the queue, without refusals of actions that are no longer waited for."""
        while self.unread and isinstance(self.unread[0], protocol.Refused) and (
            self.pending is None or self.unread[0].turn != self.pending.turn
        ):  # fmt: skip
            self.unread.popleft()
        return self.unread[0] if self.unread else None

    @property
    def incoming(self) -> Incoming | None:
        """Next message that changes the match; None if all are applied."""
        with self._condition:
            first = self._first()
        return None if isinstance(first, protocol.Refused) else first

    def wait_incoming(self, timeout: float | None = None) -> Incoming | protocol.Refused | None:
        """Wait for the next message and return it; it stays in the queue. None after a timeout [s].

        Raises:
            Cancelled: nobody wants it any more.
        """
        left = timeout
        with self._condition:
            while (first := self._first()) is None:
                if self._is_closed:
                    raise Cancelled("the match was closed")
                stop_if_cancelled()
                if left is not None and left <= 0.0:
                    return None
                self._condition.wait(_POLL_INTERVAL if left is None else min(_POLL_INTERVAL, left))
                left = None if left is None else left - _POLL_INTERVAL
            return first

    def play(self, meant: Action, *, made: Action = None, noise: ExecutionNoise | None = None) -> matches.Turn:
        """Send an own action to the host and wait for the turn; with a turn of others waiting, return that.

        Raises:
            IllegalAction: the rules do not allow it. FlicksimError: the host refused it, turns were taken back, the
                game came anew, or a turn cannot be made here.
            Cancelled: nobody waits any more.
        """
        del made, noise  # the host has the hand
        if isinstance(self.incoming, protocol.TurnPlayed):
            turn = self.apply_incoming()
            if turn is None:
                raise FlicksimError(_NOT_MADE)
            return turn
        self.rules.check_action(self.state, meant)
        number = self.turn_count + 1
        self.pending = protocol.Act(turn=number, action=to_builtins(meant))
        try:
            self.send(self.pending)
            while True:
                item = self.wait_incoming()
                if isinstance(item, protocol.Refused):
                    raise FlicksimError(item.message)
                if isinstance(item, protocol.Over):
                    self.apply_incoming()
                else:
                    turn = self.apply_incoming()
                    if turn is None:
                        raise FlicksimError(self._no_turn_text(item, number))
                    return turn
        finally:
            self.pending = None

    def _no_turn_text(self, item: Incoming | None, number: int) -> str:
        """Reason why an own action as turn `number` has led to no turn, after a message."""
        if isinstance(item, protocol.TurnPlayed):
            return _NOT_MADE
        if self.turn_count >= number:
            return f"the host sent the game anew, with turn {number}"
        return "the game was taken back, or sent anew, meanwhile; nothing was played"

    def legal_actions(self) -> LegalActions:
        """Legal actions of the seat to play; of other seats with hidden cards only the prompt is known."""
        seat = self.to_play
        if seat is None or seat in self.seats or self.rules.view(self.state, protocol.WATCHER) is self.state:
            return super().legal_actions()
        return LegalActions(prompt=f"{self.game.seat_names[seat]} is to play.")

    def apply_incoming(self) -> matches.Turn | None:
        """Apply the next message, if any; returns the turn, if it is one."""
        with self._condition:
            item = self.unread.popleft() if self.unread else None
        match item:
            case protocol.TurnPlayed():
                return self._apply_turn(item)
            case protocol.Undone(turns=turns):
                if turns < self.turns_before:
                    self.send(protocol.Resend())
                while self.turns and self.turn_count > turns:
                    self.undo()
                self.forfeit = None
            case protocol.GameSnapshot():
                try:
                    opening = from_builtins(item.view, self.game.state, name="the view")
                except InvalidInput:
                    self._tell_difference(item.turn)
                    return None
                self.turns.clear()
                self.opening, self.turns_before, self.forfeit = opening, item.turn, item.forfeit
            case protocol.Over():
                self.forfeit = item.forfeit
        return None

    def next_turn(self, timeout: float | None = None) -> matches.Turn | None:
        """Wait for the next message and apply it; returns the turn, if it is one."""
        return None if self.wait_incoming(timeout) is None else self.apply_incoming()

    def _apply_turn(self, message: protocol.TurnPlayed) -> matches.Turn | None:
        number = self.turn_count + 1
        line: matches.TurnLine | None = None
        turn: matches.Turn | None = None
        with suppress(FlicksimError):  # as different as can be
            line = _decode_line(message)
            turn = self._make_turn(message, line)
        if turn is not None:
            self.turns.append(turn)
        if (
            turn is None
            or line is None
            or matches.state_fingerprint(turn.after) != message.state
            or turn.verdict.ruling.points != line.points
            or line.number != number
        ):
            self._tell_difference(number)
        return turn

    def _tell_difference(self, number: int) -> None:
        """Tell the host that a turn has another result here, and ask for its game."""
        self.differences.append(number)
        self.send(protocol.Differs(turn=number))
        self.send(protocol.Resend())

    def _make_turn(self, message: protocol.TurnPlayed, line: matches.TurnLine) -> matches.Turn:
        """Simulate a turn again, or take its result as it came."""
        before, game = self.state, self.game
        after: State
        meant = from_builtins(line.meant, game.action, name="the action")
        made = from_builtins(line.made, game.action, name="the action")
        lazy_result = matches.LazyResult(game, self.simulator, before, made, self.result_cache)
        if message.view is None:
            result = lazy_result.result
            verdict = self.rules.judge(before, made, result)
            after = self.rules.next_state(before, result, verdict)
            ruling = verdict.ruling
        else:
            after = from_builtins(message.view, game.state, name="the view")
            ruling = from_builtins(message.ruling, game.ruling, name="the ruling")
            result = None
            if message.moved is not None:
                result = TransferResult(before=before.zones, after=after.zones, moved=_decode_moved(game, message))
            lazy_result = KnownResult(game, self.simulator, before, made, self.result_cache, known=result)
        if line.reasons[-1:] == ("bound",):
            ruling = msgspec.structs.replace(ruling, next=None)
        verdict = Verdict(reasons=_split_reasons(line), ruling=ruling)
        return matches.Turn(
            number=line.number, seat=line.seat, before=before, meant=meant, made=made, lazy_result=lazy_result,
            verdict=verdict, after=after, noise=noise_named(line.hand), undo_count=line.undo_count,
        )  # fmt: skip


def _decode_line(message: protocol.TurnPlayed) -> matches.TurnLine:
    return from_json(bytes(message.line), matches.TurnLine, name="the turn")


def _decode_moved(game: Game, message: protocol.TurnPlayed) -> tuple[CardMovement[object], ...]:
    """Movements of the cards or tiles of a game."""
    (face,) = get_args(get_type_hints(game.state)["zones"])
    return from_builtins(message.moved, tuple[CardMovement[face], ...], name="the cards moved")  # type: ignore[valid-type]


def _split_reasons(line: matches.TurnLine) -> tuple[Reason, ...]:
    """Reasons of a recorded verdict: its text has each, followed by the rule id."""
    reasons, rest = [], line.verdict
    for rule in line.reasons:
        text, _, rest = rest.partition(f" [{rule}]")
        reasons.append(Reason(rule, text.strip()))
    return tuple(reasons)


def _noise_of(word: str) -> ExecutionNoise:
    """Execution noise of a seat, as far as its public word says."""
    if word.startswith(("cmd", "own")):
        return NO_NOISE
    hand = matches.parse_seat(word).hand
    return GRADES[hand] if hand else NO_NOISE
