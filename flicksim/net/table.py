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
from flicksim.core.sanitize import escape_unprintable
from flicksim.core.serialization import from_builtins, to_json
from flicksim.core.type_aliases import Action
from flicksim.match import BackgroundTask, Forfeit, Match, Recorder, Seat, match_header, open_match
from flicksim.net import protocol, security
from flicksim.net.agreements import Agreements
from flicksim.net.chair import Chair, DecisionClock, Peer, people_seats, seat_label, view_seat
from flicksim.net.host_file import HostFile, SavedChair, TlsChoice, discard_record
from flicksim.net.hosted_game import HostedGame

_logger = logging.getLogger("flicksim")
MAX_WATCHERS = 400
"""Most spectators of a table."""


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
        self._choose = choose or Match.ask_player
        self.chairs = [Chair(seats=held) for held in people_seats(match.game, match.options, seats)]
        self.code, number = security.new_code(), 1
        self.listen, self.port, self._tls = "127.0.0.1", 0, tls or TlsChoice()
        if saved is not None:
            limit, pause_clock = saved.limit if limit is None else limit, pause_clock or saved.pause_clock
            self._tls = tls or saved.tls
            self.code, number = saved.code, saved.game_number
            self.listen, self.port = saved.listen, saved.port
            for chair, owner in zip(self.chairs, saved.chairs, strict=False):
                chair.token_digest, chair.name = owner.token_digest, owner.name
        self._clock = DecisionClock(limit, pause_clock)
        self.code_digest = security.digest(security.normal_code(self.code))
        self.watchers: list[Peer] = []
        self.lock, self.wake = asyncio.Lock(), asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._agreements = Agreements(self.chairs, self.tell, self._carry_out)
        self._is_stuck = False
        self.asked_game: HostedGame | None = None
        """Game whose bot thinks, wanted or not."""
        self._is_thought = asyncio.Event()
        """Set once the bot has chosen, or its choice is unwanted."""
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
        owners = tuple(SavedChair(token_digest=chair.token_digest, name=chair.name) for chair in self.chairs)
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
            if len(self.watchers) >= MAX_WATCHERS:
                raise InvalidInput(f"{MAX_WATCHERS} spectators are here; no more can come in")
            self.watchers.append(peer)
            _logger.info(f"{peer.name or 'a spectator'} looks on")
            peer.send(protocol.Welcome(version=protocol.VERSION))
            self._catch_up(peer, None, hello)
            self.tell_presence()
            self.wake.set()
            return None
        chair, token, is_new = self._take_chair(hello)
        self._set_owner(chair, security.digest(token), shown_name(hello.name) or chair.name)
        former, chair.peer, chair.differences = chair.peer, peer, set()
        peer.name = chair.name
        _logger.info(f"{self._label(chair)} {'joins' if is_new else 'is back'}")
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

    def _take_chair(self, hello: protocol.Hello) -> tuple[Chair, str, bool]:
        """Chair for a client, its token, and whether the chair was free.

        The token of a free chair is the client's own where it has one: a connection lost on the way cannot lose that.

        Raises:
            WrongSecret, InvalidInput: see `join`.
        """
        if hello.token:
            owned = [chair for chair in self.chairs if security.same_secret(hello.token, chair.token_digest)]
            if owned:
                return owned[0], hello.token, False
            if len(hello.token) < security.MIN_TOKEN_LENGTH:
                raise WrongSecret("the token is of no seat here")
        free = [chair for chair in self.chairs if not chair.token_digest]
        if hello.seat is not None:
            free = [chair for chair in free if hello.seat in chair.seats]
        if not free:
            names = self.match.game.seat_names
            which = "every seat" if hello.seat is None else f"seat {hello.seat}"
            of_people = ", ".join(f"{seat} ({names[seat]})" for chair in self.chairs for seat in chair.seats)
            raise InvalidInput(
                f"{which} is taken, or not for people; theirs are {of_people or 'none'}; --watch looks on"
            )
        return free[0], hello.token or security.new_token(), True

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
        chair = next((chair for chair in self.chairs if chair.peer is peer), None)
        if peer in self.watchers:
            self.watchers.remove(peer)
            _logger.info(f"{peer.name or 'a spectator'} looks on no longer")
        elif chair is None:
            return  # it had not come in, or another connection has its seat
        else:
            if self._to_play_chair() is chair:
                self._clock.on_connection_lost()
            chair.peer = None
            if chair.token_digest:
                _logger.info(f"the connection to {self._label(chair)} is lost")
        self.tell_presence()
        self.wake.set()

    async def _give_up(self, peer: Peer, chair: Chair) -> None:
        """Free the chair of a client that leaves for good; an open proposal no longer waits for it."""
        label = self._label(chair)
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
                self.tell(protocol.Said(seat=chair.seats[0] if chair else None, name=peer.name, phrase=phrase))
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
                    self.tell(msgspec.structs.replace(message, name=peer.name))
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
            due = "the game is over" if seat is None else f"it is the turn of {self.seat_label(seat)}"
            raise InvalidInput(f"{due}; nothing was played")
        await self._play(action)

    async def _play(self, action: Action) -> None:
        """Play a turn, keep it, and tell it."""
        turn = await self.hosted.play(action)
        self._agreements.settle(agreed=False)
        encoded: dict[int, bytes] = {}
        for peer, chair in self.peers():
            seat = view_seat(chair)
            if seat not in encoded:
                encoded[seat] = to_json(self.hosted.turn_message(turn, seat))
            peer.send(encoded[seat])
        self._go_on()

    def _go_on(self) -> None:
        """Ask the next seat, or tell the end of the game; a bot that still thinks is not waited for."""
        self._is_thought.set()
        self._clock.restart()
        self._is_stuck = False
        if self.match.is_over:
            self.tell(self.hosted.end())
            _logger.info(self.result_text())
        for chair in self.chairs:
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
            self.tell(undone)
            _logger.info(f"the game is back at turn {undone.turns}")
        else:
            hosted = await asyncio.to_thread(self._new_game)
            await asyncio.to_thread(self.close)
            self.hosted = hosted
            for owned in self.chairs:
                owned.differences.clear()
            _logger.warning(f"Game {hosted.number} is recorded in {hosted.recorder.path}")
            self._agreements.settle(agreed=True)
            for peer, chair in self.peers():
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

    def peers(self) -> list[tuple[Peer, Chair | None]]:
        """Clients that are connected, with their chairs."""
        seated: list[tuple[Peer, Chair | None]] = [(chair.peer, chair) for chair in self.chairs if chair.peer]
        return seated + [(peer, None) for peer in self.watchers]

    def tell(self, message: protocol.Message) -> None:
        """Send the same message to everybody."""
        encoded = to_json(message)
        for peer, _ in self.peers():
            peer.send(encoded)

    def tell_presence(self) -> None:
        """Tell everybody who is there."""
        people = {seat: chair for chair in self.chairs for seat in chair.seats}
        seats = []
        for number, player in enumerate(self.hosted.header.seats):
            chair = people.get(number)
            peer = None if chair is None else chair.peer
            here, lag = chair is None or peer is not None, None if peer is None else peer.lag
            name = "" if chair is None else chair.name
            seats.append(protocol.SeatPresence(seat=number, player=player, name=name, here=here, lag=lag))
        left, chair = self.time_left(), self._to_play_chair()
        self.tell(
            protocol.Presence(
                seats=tuple(seats), watchers=tuple(peer.name for peer in self.watchers[:50]), left=left,
                to_play=self.match.to_play,
                paused=left is not None and chair is not None and chair.peer is None and self._clock.pauses,
            )
        )  # fmt: skip

    def _label(self, chair: Chair) -> str:
        names = " and ".join(self.match.game.seat_names[seat] for seat in chair.seats)
        return f"{names} ({chair.name})" if chair.name else names

    def seat_label(self, seat: int) -> str:
        """Name of a seat, with that of the person who has it."""
        name = next((chair.name for chair in self.chairs if seat in chair.seats), "")
        return seat_label(self.match.game, seat, name)

    def result_text(self) -> str:
        """Result of a game that is over, in one line: winners, points, and the forfeit that may have ended it."""
        match = self.match
        points = ", ".join(f"{self.seat_label(seat)} {points}" for seat, points in enumerate(match.scores))
        winners = " and ".join(self.seat_label(seat) for seat in match.winners) or "nobody"
        forfeit = match.forfeit
        why = "" if forfeit is None else f"; {self.seat_label(forfeit.seat)} forfeits: it {forfeit.reason}"
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
                self.tell(protocol.Refused(about="turn", message=public_reason(error)))

    async def step(self) -> None:
        """Play a bot, end a decision whose time is over, or wait until something happens."""
        seat, left, chair = self.match.to_play, self.time_left(), self._to_play_chair()
        if seat is not None and not self._is_stuck:
            # somebody has come, to play or to watch
            has_begun = bool(self.match.turns or self.watchers or any(chair.token_digest for chair in self.chairs))
            is_bot = self.match.players[seat] is not None
            if has_begun and is_bot and self.asked_game is not self.hosted:  # a player is asked by one thread at a time
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
        thinking = await self._think(hosted)
        if thinking is None:
            return
        async with self.lock:
            if self.hosted is not hosted or self.match.state is not state:  # a take-back or a self-report came first
                return
            try:
                await self._play(thinking.result())
            except Forfeited as error:
                _logger.warning(f"{self.seat_label(seat)} {error}")  # clients are not told what its program wrote
                self._forfeit(Forfeit(seat=seat, reason=error.reason))

    async def _think(self, hosted: HostedGame) -> BackgroundTask[Action] | None:
        """Choose the action of a bot or program; None, without waiting for it, once it is unwanted."""
        loop, is_thought, match = asyncio.get_running_loop(), asyncio.Event(), hosted.match_for_player()

        def work() -> Action:
            try:
                return self._choose(match)
            finally:
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(self._on_thought, hosted, is_thought)

        self.asked_game, self._is_thought = hosted, is_thought
        thinking = BackgroundTask(work)
        try:
            await is_thought.wait()
        finally:
            thinking.cancel()
        return None if self.asked_game is hosted else thinking

    def _on_thought(self, hosted: HostedGame, is_thought: asyncio.Event) -> None:
        """Note that no bot of a game thinks any more, and wake the table."""
        if self.asked_game is hosted:
            self.asked_game = None
        is_thought.set()
        self.wake.set()

    def _to_play_chair(self) -> Chair | None:
        """Chair of the person to play, if it has an owner."""
        seat = self.match.to_play
        return next((chair for chair in self.chairs if seat in chair.seats and chair.token_digest), None)

    def time_left(self) -> float | None:
        """Time left for the decision of a person [s]; None without a limit, and while a seat has no owner."""
        chair = self._to_play_chair()
        return None if chair is None else self._clock.time_left(is_connected=chair.peer is not None)

    def close(self) -> None:
        """Close the players and the record."""
        self.hosted.close()


class WrongSecret(InvalidInput):
    """A code or token is wrong; counted as a try."""


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


def shown_name(name: str) -> str:
    """Name of a person as it may be shown."""
    return escape_unprintable(name).strip()[:40]
