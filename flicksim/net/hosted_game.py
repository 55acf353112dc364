"""One game of a host: its match, record and hashes, and the messages by which a seat is told of it."""

import asyncio
from collections.abc import Sequence
from copy import copy
from dataclasses import replace

import msgspec

from flicksim import match as matches
from flicksim.ai import describe_decision
from flicksim.core.errors import CannotContinue, InvalidFile
from flicksim.core.serialization import to_builtins
from flicksim.core.type_aliases import Action, State
from flicksim.net import protocol
from flicksim.net.remote_match import KnownResult

_MAX_MISSED = 100
"""Most turns sent one by one to a client that comes back: more would not fit into the queue of its connection."""


class HostedGame:
    """Game of a table.

    Every message is for a seat; `protocol.WATCHER` stands for spectators.

    Args:
        match: with nobody at the seats of people. seats: as specified. recorder: of the match.
        number: of the game at the table, from 1. hashes: of the lines by number of turns, of a game gone on with.
    """

    def __init__(
        self, match: matches.Match, seats: Sequence[matches.Seat], recorder: matches.Recorder, number: int,
        hashes: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        self.match, self.recorder, self.number = match, recorder, number
        self.header = protocol.public_header(matches.match_header(match, tuple(map(str, seats))))
        self.hides = match.rules.view(match.opening, protocol.WATCHER) is not match.opening
        """True with hidden cards or tiles."""
        self.hashes = [protocol.first_hash(self.header)] if hashes is None else list(hashes)
        """Hash of the lines by number of turns."""

    # -- what changes it: on the disk first ----------------------------------------------------------------------------

    async def play(self, action: Action) -> matches.Turn:
        """Play a turn and record it.

        Raises:
            IllegalAction: the rules do not allow it. InvalidFile: it cannot be written; nothing was played.
        """
        turn = await asyncio.to_thread(self._play_and_record, action)
        self.hashes.append(protocol.line_hash(self.hashes[-1], matches.turn_line(turn)))
        return turn

    def _play_and_record(self, action: Action) -> matches.Turn:
        turn = self.match.play(action)
        try:
            self.recorder.write_turn(turn)
        except InvalidFile:
            self.match.undo()
            raise
        return turn

    async def take_back(self, turns: int) -> protocol.Undone:
        """Take turns back until so many are left, and return the message of it.

        Raises:
            InvalidFile: it cannot be written; nothing was taken back.
        """
        await asyncio.to_thread(self.recorder.write_undo, turns)
        while len(self.match.turns) > turns:
            self.match.undo()
        self.match.forfeit = None
        hashed = protocol.line_hash(self.hashes[-1], matches.UndoLine(turns=turns))
        self.hashes = [*self.hashes[:turns], hashed]
        return protocol.Undone(turns=turns, hash=hashed)

    def forfeit(self, forfeit: matches.Forfeit) -> None:
        """End the game by a forfeit.

        Raises:
            InvalidFile: it cannot be written, and does not count.
        """
        self.recorder.write_forfeit(forfeit)
        self.match.forfeit_by(forfeit)
        self.hashes[-1] = protocol.line_hash(
            self.hashes[-1], matches.ForfeitLine(seat=forfeit.seat, reason=forfeit.reason)
        )

    def match_for_player(self) -> matches.Match:
        """Copy of the match as it stands, for a bot or program that thinks in a thread of its own.

        The players are the same. Turns taken back meanwhile stay in the copy, and a forfeit is of the copy alone: it
        counts once it is recorded (`forfeit`).
        """
        match = copy(self.match)
        match.players = self.match.players  # which copying leaves out
        match.turns = list(self.match.turns)
        return match

    def close(self) -> None:
        """Close the players and the record."""
        self.match.close(force=True)
        self.recorder.close()

    # -- what a seat is told -------------------------------------------------------------------------------------------

    def view(self, state: State, seat: int) -> State:
        """State as a seat sees it."""
        return self.match.rules.view(state, seat)

    def snapshot(self, seat: int) -> protocol.GameSnapshot:
        """The game as it stands."""
        view = self.view(self.match.state, seat)
        return protocol.GameSnapshot(
            game_number=self.number, header=self.header, turn=len(self.match.turns), view=view,
            state=matches.state_fingerprint(view), hash=self.hashes[-1], forfeit=self.match.forfeit,
        )  # fmt: skip

    def turn_message(self, turn: matches.Turn, seat: int) -> protocol.TurnPlayed:
        """Turn as the seat may see it."""
        line = msgspec.Raw(protocol.public_line(matches.turn_line(turn)))
        view, hashed = self.view(turn.after, seat), self.hashes[turn.number]
        if not self.hides:
            return protocol.TurnPlayed(state=matches.state_fingerprint(view), hash=hashed, line=line)
        ruling = turn.verdict.ruling
        if not isinstance(ruling, self.match.game.ruling):
            raise CannotContinue(f"a ruling of {self.match.game.title} is not a {self.match.game.ruling.__name__}")
        moved = None if turn.result is None else turn.result.view_for(seat).moved
        return protocol.TurnPlayed(
            state=matches.state_fingerprint(view), hash=hashed, view=view, ruling=ruling, moved=moved, line=line
        )

    def decision(self, seat: int, limit: float | None) -> protocol.Decide:
        """Decision that is due to the seat to play; `limit`: time for it [s]."""
        match = self.match
        offered = msgspec.structs.replace(match.legal_actions(), self_reports=())
        header = matches.decision_header(match.game, len(match.players), seat)
        described = describe_decision(header, self.view(match.state, seat), offered)
        return protocol.Decide(turn=len(match.turns) + 1, limit=limit, **described)

    def end(self) -> protocol.Over:
        """End of the game."""
        match = self.match
        return protocol.Over(
            winners=match.winners, points=to_builtins(match.scores), forfeit=match.forfeit, hash=self.hashes[-1]
        )

    def missed_turns(self, count: int, known_hash: str) -> list[matches.Turn] | None:
        """Turns that a client has missed since it knew so many, with a hash; None if it needs the whole game."""
        if not 0 <= count < len(self.hashes) or self.hashes[count] != known_hash:
            return None
        missed = self.match.turns[count:]
        if len(missed) > _MAX_MISSED or any(
            # a hash of a take-back or forfeit after the turn
            self.hashes[turn.number] != protocol.line_hash(self.hashes[turn.number - 1], matches.turn_line(turn))
            for turn in missed
        ):
            return None
        return missed

    def seen_turns(self, seat: int, count: int) -> tuple[State, list[matches.Turn]]:
        """Opening and the first turns, `count` at most, as a seat sees them; called in any thread."""
        match, cache = self.match, matches.ResultCache()  # that of the match is the loop's
        return self.view(match.opening, seat), [self._seen_turn(turn, seat, cache) for turn in match.turns[:count]]

    def _seen_turn(self, turn: matches.Turn, seat: int, cache: matches.ResultCache) -> matches.Turn:
        game, simulator = self.match.game, self.match.simulator
        lazy_result = matches.LazyResult(game, simulator, turn.before, turn.made, cache)
        if not self.hides:
            return replace(turn, lazy_result=lazy_result)
        before, after, result = self.view(turn.before, seat), self.view(turn.after, seat), lazy_result.result
        known = None if result is None else result.view_for(seat)
        lazy_result = KnownResult(game, simulator, before, turn.made, cache, known=known)
        return replace(turn, before=before, after=after, lazy_result=lazy_result)
