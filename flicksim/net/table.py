"""Table of a host: referee of one game, its record, its seats and spectators; no sockets.

A turn is on the disk before anybody is told. A seat belongs to the holder of its token, connected or not; code and
tokens are kept in a private file beside the record, so that a host can go on with it.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from secrets import randbelow

import msgspec

from flicksim.core.atomic_files import path_exists
from flicksim.core.counting import count_of
from flicksim.core.errors import FlicksimError, Forfeited, InvalidFile, InvalidInput
from flicksim.core.limits import MAX_SEED
from flicksim.core.serialization import from_builtins, to_json
from flicksim.core.type_aliases import Action
from flicksim.match import Forfeit, Match, Recorder, Seat, match_header, open_match
from flicksim.net import protocol, security
from flicksim.net.agreements import Agreements
from flicksim.net.bot_thread import BotThread
from flicksim.net.chair import Chair, DecisionClock, Peer, view_seat
from flicksim.net.host_file import HostFile, SavedChair, TlsChoice, discard_record
from flicksim.net.hosted_game import HostedGame
from flicksim.net.participants import Participants, shown_name

_logger = logging.getLogger("flicksim")


class Table:
    """Game of a host with its seats and spectators. Its methods are called in one event loop.

    Args:
        match: with nobody at the seats of people. seats: as specified. recorder: of the match.
        limit: time for a decision of a person [s]. pause_clock: whether it stands still while a connection is lost.
        choose: chooses the action of a bot or program, in a thread.
        tls: choice of TLS, kept for a later host.
        saved: what an earlier host has kept: code, owners of seats, and the limit unless another is given.
    """

    def __init__(
        self, match: Match, seats: Sequence[Seat], recorder: Recorder, *, limit: float | None = None,
        pause_clock: bool = False, choose: Callable[[Match], Action] | None = None, saved: HostFile | None = None,
        hashes: Sequence[str] | None = None, tls: TlsChoice | None = None,
    ) -> None:  # fmt: skip
        self.seats = tuple(seats)
        self.participants = Participants(match.game, match.options, seats)
        self.code, number = security.new_code(), 1
        self.listen, self.port, self._tls = "127.0.0.1", 0, tls or TlsChoice()
        if saved is not None:
            limit, pause_clock = saved.limit if limit is None else limit, pause_clock or saved.pause_clock
            self._tls = tls or saved.tls
            self.code, number = saved.code, saved.game_number
            self.listen, self.port = saved.listen, saved.port
            for chair, owner in zip(self.participants.chairs, saved.chairs, strict=False):
                chair.token_digest, chair.name = owner.token_digest, owner.name
        self._clock = DecisionClock(limit, pause_clock)
        self.code_digest = security.digest(security.normal_code(self.code))
        self.lock, self.wake = asyncio.Lock(), asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._agreements = Agreements(self.participants.chairs, self.participants.tell, self._carry_out)
        self._is_stuck = False
        self.bots = BotThread(choose or Match.ask_player, self.wake.set)
        self.hosted = HostedGame(match, self.seats, recorder, number, hashes)
        self._save(self.hosted)

    @property
    def match(self) -> Match:
        """Match of the game that is played."""
        return self.hosted.match

    def _save(self, hosted: HostedGame) -> None:
        """Write the private file beside the record of a game.

        Raises:
            InvalidFile: it cannot be written.
        """
        chairs = self.participants.chairs
        owners = tuple(SavedChair(token_digest=chair.token_digest, name=chair.name) for chair in chairs)
        saved = HostFile(
            code=self.code, game_number=hosted.number, chairs=owners, listen=self.listen, port=self.port,
            limit=self._clock.limit, pause_clock=self._clock.pauses, tls=self._tls,
        )  # fmt: skip
        saved.write(hosted.recorder.path)

    def set_address(self, listen: str, port: int) -> None:
        """Keep the address of the host, for a later one that goes on with the game."""
        self.listen, self.port = listen, port
        self._save(self.hosted)

    # -- joining and leaving -------------------------------------------------------------------------------------------

    async def join(self, peer: Peer, hello: protocol.Hello) -> Chair | None:
        """Seat a client, or let it watch: returns its chair, None for a spectator.

        It waits for a turn that is being played, which the client would else get twice: in the game, and as a turn.

        Raises:
            WrongSecret: its token is of no seat here, and too short for one of its own. InvalidInput: there is no such
                seat free, or too many look on. InvalidFile: the seat cannot be kept.
        """
        async with self.lock:
            return self._join(peer, hello)

    def _join(self, peer: Peer, hello: protocol.Hello) -> Chair | None:
        if hello.watch:
            self.participants.add_watcher(peer)
            _logger.info(f"{peer.name or 'a spectator'} looks on")
            peer.send(protocol.Welcome(version=protocol.VERSION))
            self._catch_up(peer, None, hello)
            self.tell_presence()
            self.wake.set()
            return None
        chair, token, is_new = self.participants.find_chair(hello)
        self._set_owner(chair, security.digest(token), shown_name(hello.name) or chair.name)
        former, chair.peer, chair.differences = chair.peer, peer, set()
        peer.name = chair.name
        _logger.info(f"{self.participants.label(chair)} {'joins' if is_new else 'is back'}")
        if former is not None:
            former.end("the seat is played over another connection now")
        elif self._to_play_chair() is chair:
            if is_new:
                self._clock.restart()
            elif self._clock.pauses:
                self._clock.go_on()  # else reconnecting would give more time
        peer.send(protocol.Welcome(version=protocol.VERSION, seats=chair.seats, token=token))
        self._catch_up(peer, chair, hello)
        self._ask(chair)
        if is_new:
            self._agreements.join(chair)
        elif self._agreements.open is not None:
            peer.send(self._agreements.open)
        self.tell_presence()
        self.wake.set()
        return chair

    def _set_owner(self, chair: Chair, token_digest: str, name: str) -> None:
        """Give a chair to a person, or to nobody.

        Raises:
            InvalidFile: it cannot be written; nothing has changed.
        """
        former = chair.token_digest, chair.name
        chair.token_digest, chair.name = token_digest, name
        try:
            self._save(self.hosted)
        except InvalidFile:
            chair.token_digest, chair.name = former
            raise

    def leave(self, peer: Peer) -> None:
        """Remove a client whose connection has ended."""
        chair = self.participants.chair_of(peer)
        if peer in self.participants.watchers:
            self.participants.watchers.remove(peer)
            _logger.info(f"{peer.name or 'a spectator'} looks on no longer")
        elif chair is None:
            return  # it had not come in, or another connection has its seat
        else:
            if self._to_play_chair() is chair:
                self._clock.on_connection_lost()
            chair.peer = None
            if chair.token_digest:
                _logger.info(f"the connection to {self.participants.label(chair)} is lost")
        self.tell_presence()
        self.wake.set()

    async def _give_up(self, peer: Peer, chair: Chair) -> None:
        """Free the chair of a client that leaves for good; an open proposal no longer waits for it."""
        label = self.participants.label(chair)
        self._set_owner(chair, "", "")
        _logger.info(f"{label} leaves")
        self.leave(peer)
        peer.end("you have left the table", "leave")
        await self._agreements.leave(chair)

    def _catch_up(self, peer: Peer, chair: Chair | None, hello: protocol.Hello) -> None:
        """Send what a client has missed: the turns since its last, or the whole game."""
        seat, missed = view_seat(chair), self.hosted.missed_turns(hello.turn, hello.hash)
        if missed is None:
            peer.send(self.hosted.snapshot(seat))
        else:
            for turn in missed:
                peer.send(self.hosted.turn_message(turn, seat))
        if self.match.is_over:
            peer.send(self.hosted.end())

    # -- messages ------------------------------------------------------------------------------------------------------

    def submit(self, peer: Peer, chair: Chair | None, message: protocol.ClientMessage) -> "asyncio.Future[None]":
        """Handle a message; what it began is finished even if the connection ends meanwhile."""
        task = asyncio.get_running_loop().create_task(self._handle(peer, chair, message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return asyncio.shield(task)

    async def _handle(self, peer: Peer, chair: Chair | None, message: protocol.ClientMessage) -> None:
        try:
            async with self.lock:
                if chair is not None and chair.peer is not peer:
                    return  # another connection has taken the seat
                await self._apply(peer, chair, message)
        except Exception as error:  # also of a fault: the client waits for an answer
            turn = message.turn if isinstance(message, protocol.Act) else None
            kind = str(message.__struct_config__.tag)
            peer.send(protocol.Refused(about=kind, turn=turn, message=public_reason(error)))

    async def _apply(self, peer: Peer, chair: Chair | None, message: protocol.ClientMessage) -> None:
        match message:
            case protocol.Say(phrase=phrase):
                if phrase not in protocol.PHRASES:
                    raise InvalidInput(f"there is no phrase {phrase[:40]!r}; there are {', '.join(protocol.PHRASES)}")
                seat = chair.seats[0] if chair else None
                self.participants.tell(protocol.Said(seat=seat, name=peer.name, phrase=phrase))
            case protocol.Resend():
                peer.send(self.hosted.snapshot(view_seat(chair)))
                if chair is not None:
                    self._ask(chair)
            case protocol.Differs() if chair is not None:
                if not 0 <= message.turn <= len(self.match.turns):
                    raise InvalidInput(f"turn {message.turn} was not played; {len(self.match.turns)} were")
                if message.turn not in chair.differences:
                    chair.differences.add(message.turn)
                    _logger.warning(f"{peer.name or 'a client'} has another result of turn {message.turn}")
                    self.participants.tell(msgspec.structs.replace(message, name=peer.name))
            case protocol.Differs():
                pass  # anybody with the code may look on
            case protocol.Hello():
                raise InvalidInput("hello is said once, at first")
            case _ if chair is None:
                raise InvalidInput("a spectator looks on, and may say phrases")
            case protocol.Act():
                await self._act(chair, message)
            case protocol.Propose():
                await self._agreements.propose(chair, message, self.match)
            case protocol.Answer():
                await self._agreements.answer(chair, message)
            case protocol.Leave():
                await self._give_up(peer, chair)

    async def _act(self, chair: Chair, message: protocol.Act) -> None:
        match = self.match
        number, seat = len(match.turns) + 1, match.to_play
        if message.turn != number:
            raise InvalidInput(f"turn {message.turn} is not due; the next is turn {number}")
        action = from_builtins(message.action, match.game.action, name="the action")
        report = next((report for report in match.self_reports if report.stands_for(action)), None)
        if report is not None:
            concerned = getattr(action, "seat", None) if report.seat is None else report.seat
            if concerned not in chair.seats:
                raise InvalidInput("a self-report comes from the seat concerned alone; nothing was played")
        elif seat not in chair.seats:
            due = "the game is over" if seat is None else f"it is the turn of {self.participants.seat_label(seat)}"
            raise InvalidInput(f"{due}; nothing was played")
        await self._play(action)

    async def _play(self, action: Action) -> None:
        """Play a turn, keep it, and tell it."""
        turn = await self.hosted.play(action)
        self._agreements.settle(agreed=False)
        encoded: dict[int, bytes] = {}
        for peer, chair in self.participants.peers():
            seat = view_seat(chair)
            if seat not in encoded:
                encoded[seat] = to_json(self.hosted.turn_message(turn, seat))
            peer.send(encoded[seat])
        self._go_on()

    def _go_on(self) -> None:
        """Ask the next seat, or tell the end of the game; a bot that still thinks is not waited for."""
        self.bots.dismiss()
        self._clock.restart()
        self._is_stuck = False
        if self.match.is_over:
            self.participants.tell(self.hosted.end())
            _logger.info(self.result_text())
        for chair in self.participants.chairs:
            self._ask(chair)
        self.tell_presence()
        self.wake.set()

    def _forfeit(self, forfeit: Forfeit) -> None:
        self.hosted.forfeit(forfeit)
        self._agreements.settle(agreed=False)
        self._go_on()

    async def _carry_out(self, proposal: protocol.Proposal) -> None:
        """Do what all people have agreed to.

        Raises:
            FlicksimError: it cannot be kept on the disk; nothing has changed.
        """
        if proposal.what == "undo" and proposal.turns is not None:
            undone = await self.hosted.take_back(proposal.turns)
            self._agreements.settle(agreed=True)
            self.participants.tell(undone)
            _logger.info(f"the game is back at turn {undone.turns}")
        else:
            hosted = await asyncio.to_thread(self._new_game)
            await asyncio.to_thread(self.close)
            self.hosted = hosted
            for owned in self.participants.chairs:
                owned.differences.clear()
            _logger.warning(f"Game {hosted.number} is recorded in {hosted.recorder.path}")
            self._agreements.settle(agreed=True)
            for peer, chair in self.participants.peers():
                peer.send(hosted.snapshot(view_seat(chair)))
        self._go_on()

    def _new_game(self) -> HostedGame:
        """Open the next game of the same players, with a seed and a record of its own."""
        path, number, match = self.hosted.recorder.path, self.hosted.number, self.match
        stem = path.stem.removesuffix(f"-{number}") if number > 1 else path.stem
        number += 1
        while path_exists(next_path := path.with_name(f"{stem}-{number}{path.suffix}")):
            number += 1  # an earlier game was gone on with
        with ExitStack() as stack:
            match = open_match(match.game, match.options, self.seats, new_seed(), bounds=match.limits)
            stack.callback(match.close, force=True)
            recorder = Recorder(next_path, match_header(match, tuple(map(str, self.seats))))
            stack.callback(discard_record, recorder)
            hosted = HostedGame(match, self.seats, recorder, number)
            self._save(hosted)
            stack.pop_all()
        return hosted

    # -- what is told --------------------------------------------------------------------------------------------------

    def tell_presence(self) -> None:
        """Tell everybody who is there."""
        left, chair, watchers = self.time_left(), self._to_play_chair(), self.participants.watchers
        is_paused = left is not None and chair is not None and chair.peer is None and self._clock.pauses
        self.participants.tell(
            protocol.Presence(
                seats=self.participants.seat_presence(self.hosted.header.seats),
                watchers=tuple(peer.name for peer in watchers[:50]), left=left, to_play=self.match.to_play,
                paused=is_paused,
            )
        )  # fmt: skip

    def result_text(self) -> str:
        """Result of a game that is over, in one line: winners, points, and the forfeit that may have ended it."""
        match = self.match
        points = ", ".join(f"{self.participants.seat_label(seat)} {points}" for seat, points in enumerate(match.scores))
        winners = " and ".join(self.participants.seat_label(seat) for seat in match.winners) or "nobody"
        forfeit = match.forfeit
        why = "" if forfeit is None else f"; {self.participants.seat_label(forfeit.seat)} forfeits: it {forfeit.reason}"
        return f"the game is over after {count_of(len(match.turns), 'turn')}, won by {winners}: {points}{why}"

    def _ask(self, chair: Chair) -> None:
        """Describe the decision that is due to the client at a chair."""
        seat = self.match.to_play
        if seat not in chair.seats or chair.peer is None or seat is None:
            return
        chair.peer.send(self.hosted.decision(seat, self.time_left()))

    # -- bots, programs and the clock ----------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play the bots and programs, and keep the clock, until cancelled."""
        while True:
            self.wake.clear()
            try:
                await self.step()
            except Exception as error:  # also of a fault: without a word the bots and the clock would stand still
                self._is_stuck = True  # until turns are taken back
                self.participants.tell(protocol.Refused(about="turn", message=public_reason(error)))

    async def step(self) -> None:
        """Play a bot, end a decision whose time is over, or wait until something happens."""
        seat, left, chair = self.match.to_play, self.time_left(), self._to_play_chair()
        if seat is not None and not self._is_stuck:
            has_begun = bool(self.match.turns) or self.participants.is_anybody_here
            is_bot = self.match.players[seat] is not None
            if has_begun and is_bot and self.bots.asked_game is not self.hosted:
                await self._play_bot(seat)
                return
            if left is not None and left <= 0.0:
                async with self.lock:
                    left = self.time_left()  # None once the seat is left
                    if self.match.to_play == seat and left is not None and left <= 0.0:
                        self._forfeit(Forfeit(seat=seat, reason=f"did not answer within {self._clock.limit:g} s"))
                return
        is_running = not self._is_stuck and chair is not None and (chair.peer is not None or not self._clock.pauses)
        with suppress(TimeoutError):
            async with asyncio.timeout(left if is_running else None):
                await self.wake.wait()

    async def _play_bot(self, seat: int) -> None:
        async with self.lock:  # a turn that is being played is told first: telling it makes an answer unwanted
            hosted, state = self.hosted, self.match.state
        if self.match.to_play != seat:
            return
        thinking = await self.bots.choose(hosted)
        if thinking is None:
            return
        async with self.lock:
            if self.hosted is not hosted or self.match.state is not state:  # a take-back or a self-report came first
                return
            try:
                await self._play(thinking.result())
            except Forfeited as error:
                # clients are not told what its program wrote
                _logger.warning(f"{self.participants.seat_label(seat)} {error}")
                self._forfeit(Forfeit(seat=seat, reason=error.reason))

    def _to_play_chair(self) -> Chair | None:
        """Chair of the person to play, if it has an owner."""
        return self.participants.chair_at(self.match.to_play)

    def time_left(self) -> float | None:
        """Time left for the decision of a person [s]; None without a limit, and while a seat has no owner."""
        chair = self._to_play_chair()
        return None if chair is None else self._clock.time_left(is_connected=chair.peer is not None)

    def close(self) -> None:
        """Close the players and the record."""
        self.hosted.close()


def new_seed() -> int:
    """Seed that nobody can guess: a small one could be found by trying, and with it all hidden cards."""
    return randbelow(MAX_SEED)


def public_reason(error: Exception) -> str:
    """Text of an error for clients; paths of the host and the details of a fault are logged alone."""
    match error:
        case InvalidFile():  # as of a full disk
            _logger.error(str(error))
            return "the host cannot write its record"
        case FlicksimError():
            return str(error)
    _logger.error(f"the table has failed: {type(error).__name__}: {error}")
    return f"the host has failed ({type(error).__name__})"
