"""The course of a game without turns: a clock that runs, hands that flick when they like, missiles in the air.

The rules ask one seat after another, by who may flick first. Here time goes on by itself: whoever is asked and does
nothing is said to wait, just as far as others need it; what comes down is settled the moment it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

import msgspec

from flicksim.base.errors import FlicksimError
from flicksim.base.kinds import Action
from flicksim.games.ice.state import Load, State, Wait
from flicksim.play import Background, Match, Turn
from flicksim.players import Hand
from flicksim.table import Landing, Landings, Launch, Pyramid, PyramidScene
from flicksim.ui.faces.ice.count import counted
from flicksim.ui.faces.ice.film import Film, heard
from flicksim.ui.faces.ice.flight import Flight, Played, Reel
from flicksim.ui.faces.ice.log_lines import Told, told
from flicksim.ui.faces.ice.moments import totters
from flicksim.ui.frame.sitting import Keeper
from flicksim.ui.match.course import Course
from flicksim.ui.table.playback import SLOW, Clock
from flicksim.ui.table.standing import name

READY = 2.0
"""Time that everybody holds a loaded launcher before the first flick [s]."""
_STACK = "Everybody: stack a missile on your launcher."
_LATE = 0.5
"""A bot that has waited so much longer than it had to begins anew [s]."""
_PATIENCE = 1e-3
"""Somebody who waits, waits at least so long [s]."""


class IceCourse(Course):
    """A match of launches under way (see `Course`).

    Args:
        match, keeper, asks: see there.
    """

    def __init__(self, match: Match, keeper: Keeper | None = None, asks: Callable[[Match], Action] = Match.ask) -> None:
        self.now = 0.0
        self.flights: list[Flight] = []
        self.reel: Reel | None = None
        self._asked: dict[int, Launch | Load] = {}
        self._hands: dict[int, Hand] = {}
        """The hands that make what was asked for."""
        self._news: list[tuple[float, Turn]] = []
        self._tale: list[tuple[float, Told]] = []
        self.counted: tuple[State | None, list[tuple[Pyramid, int]]] = (None, [])
        self.known = 0
        self.patient = False
        """True if bots wait until every person has launched as often as they."""
        self._landings = 0
        self.playing: Background[Played] | None = None
        self._back: int | None = None
        super().__init__(match, keeper, asks)

    # -- where it stands ------------------------------------------------------------------------------------------

    @property
    def clock(self) -> Clock | None:
        """Of the launch shown again."""
        return self.reel

    @property
    def table(self) -> State:
        """The state as the rules have it, which may be ahead of what is seen."""
        state = self.match.state
        assert isinstance(state, State)
        return state

    @property
    def state(self) -> State:
        """The state people have seen come about."""
        seen: State = self.match.turns[self.known - 1].after if self.known else self.match.opening
        return seen

    @property
    def quiet(self) -> bool:
        """True while nothing is in the air or shown again."""
        return self.stage != "show" and not any(flight.end > self.now for flight in self.flights)

    @property
    def seen(self) -> Sequence[Turn]:
        """The turns people have seen come about."""
        return self.match.turns[: self.known]

    @property
    def scored(self) -> State:
        """The state whose points are shown."""
        return self.state

    @property
    def last(self) -> Turn | None:
        """The last turn worth telling of that has been seen."""
        turns = self.match.turns[: self.known]
        return next((turn for turn in reversed(turns) if not isinstance(turn.made, Wait)), None)

    @property
    def log_lines(self) -> list[Told]:
        """Every missile whose coming to rest has been seen, the last first."""
        return [one for when, one in reversed(self._tale) if when <= self.now]

    @property
    def counting(self) -> list[tuple[Pyramid, int]]:
        """Every piece played, and what it counts as people see it."""
        if self.counted[0] is not self.state:
            self.counted = (self.state, counted(self.state))
        return self.counted[1]

    @property
    def says(self) -> str:
        """A line for what is due."""
        match, state = self.match, self.table
        if self.stage == "show" and self.reel is not None:
            return self.reel.says
        if self.stage in ("stuck", "over"):
            return "The game cannot go on." if self.stage == "stuck" else "The game is over."
        if not state.started:
            due = [name(match, seat) for seat in range(state.seats) if not self.loaded(seat)]
            words = " and ".join(filter(None, [", ".join(due[:-1]), *due[-1:]]))
            return f"{words}: stack a missile on your launcher." if len(due) < state.seats else _STACK
        alone = state.seats == 1
        if self.now < 0.0:
            return f"{'You hold' if alone else 'Everybody holds'} a loaded launcher. Ready ... {ceil(-self.now)}"
        if alone:
            return "Launch whenever you like."
        armed = [seat for seat, hand in enumerate(state.hands) if hand]
        if sum(len(state.hands[seat]) for seat in armed) > 1:
            return "All launch at once. Flick whenever you are loaded."
        return f"{name(match, armed[0])} has the last missile." if armed else "Every missile is launched."

    @property
    def doing(self) -> str:
        """Said of each seat by itself."""
        return ""

    def loaded(self, seat: int) -> bool:
        """True where a seat has stacked its first missile, be it known to the rules already or not."""
        return self.table.loaded[seat] is not None or seat in self._asked

    def free(self, seat: int) -> bool:
        """True where a seat may load or flick now."""
        state = self.table
        if self.stage != "choose" or seat in self._asked:
            return False
        if not state.started:
            return state.loaded[seat] is None
        ready = max(0.0, state.ready[seat] - 2.0 * _PATIENCE)  # whoever only waited may flick at that very moment
        return bool(state.hands[seat]) and not self.flying(seat) and self.now >= ready

    def holds(self, seat: int) -> bool:
        """True where a seat holds a missile it will launch next, be it time already or not."""
        return bool(self.table.hands[seat]) and not self.flying(seat)

    def not_yet(self, seat: int) -> str:
        """Reason why a seat cannot launch now."""
        state = self.table
        if seat in self._asked:
            return ""
        if not state.started:
            return "Loaded. The others are still stacking." if state.loaded[seat] is not None else ""
        if self.now < 0.0:
            return "Everybody begins together, in a moment."
        if not state.hands[seat] and not self.flying(seat):
            return "All your missiles have been launched."
        return "Wait until your last missile is at rest."

    def flying(self, seat: int) -> bool:
        """True where a missile of a seat is not yet at rest."""
        return any(flight.launch.owner == seat and self.now < flight.end for flight in self.flights) or any(
            launch.owner == seat for launch in self.table.aloft
        )

    @property
    def moving(self) -> bool:
        """True while anything is in the air or shown again, or the clock counts down to the first launches."""
        if self.stage == "show":
            return super().moving
        return (
            self.stage == "choose" and not self.paused and (not self.quiet or (self.table.started and self.now < 0.0))
        )

    # -- doing ----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Take the match up as it stands."""
        self.turn, self.reel = None, None
        self._asked, self._news, self.known = {}, [], len(self.match.turns)
        self._tale = [(-READY, one) for turn in self.match.turns for one in told(turn)]
        state = self.table
        self.flights = [self._flight(launch) for launch in state.aloft]
        waiting = [ready for ready, hand in zip(state.ready, state.hands, strict=True) if hand]
        self.now = max(state.clock, min(waiting, default=0.0)) if self._launched() else -READY
        self.stage = "over" if self.match.over else "choose"
        self.changed()

    def leave(self) -> None:
        """Nobody waits any more for what is being played."""
        super().leave()
        if self.playing is not None:
            self.playing.leave()

    def _launched(self) -> bool:
        return self.table.started and (self.table.clock > 0.0 or bool(self.table.aloft) or max(self.table.ready) > 0.0)

    def _flight(self, launch: Launch) -> Flight:
        bare = PyramidScene(surface=self.table.scene.surface, kit=self.table.scene.kit)
        alone = self.match.stage.settle(bare, launch)
        assert isinstance(alone, Landing)
        return Flight(launch, launch.time or 0.0, alone)

    def offer(self, seat: int, action: Launch | Load, hand: Hand | None = None) -> bool:
        """Let a person at the window load or flick; False, with the reason in `wrong`, when that cannot be.

        Args:
            hand: that makes it; that of the seat unless told.
        """
        self.wrong, self.paused = "", False
        if not self.free(seat):
            self.wrong = "" if self.stage == "choose" else self.says
            return False
        if isinstance(action, Launch):
            action = msgspec.structs.replace(action, time=max(self.now, self.table.ready[seat], 0.0))
        if self.match.to_play == seat and (wrong := self.objection(action)):
            self.wrong = wrong
            return False
        self._asked[seat] = action
        self._hands.pop(seat, None)
        if hand is not None:
            self._hands[seat] = hand
        self.undone.clear()
        self._next()
        return True

    @property
    def may_own_up(self) -> bool:
        """True while nothing is being settled or shown again."""
        return self.playing is None and self.stage != "show"

    def see_all(self) -> None:
        """Show all that has come down at rest."""
        self.flights = [flight for flight in self.flights if flight.landing is None]
        self._news, self.known = [], len(self.match.turns)
        self._tale = [(min(when, self.now), one) for when, one in self._tale]
        self.changed()

    def own_up(self, action: Action) -> bool:
        """Do what somebody at the window owned up to; the clock goes on."""
        self.wrong, self.paused = self.objection(action), False
        if not self.may_own_up or self.wrong:
            return False
        turn = self.match.play(action)
        self.undone.clear()
        self._tell(lambda keeper: keeper.turn(turn))
        self.stage = "over" if self.match.over else "choose"
        self.see_all()
        return True

    def update(self, dt: float) -> None:
        """Let time go on [s]."""
        self._take_back()
        if self.paused:
            return
        if self.stage == "show" and self.reel is not None:
            before = self.reel.t
            self.reel.advance(dt)
            for sound, loud in heard(self.reel.landing, before, self.reel.t):
                self.sound(sound, loud)
            self.rate = self.reel.rate
            if self.reel.done and not self.reel.paused:
                self.go_on()
            return
        if self.stage != "choose":
            return
        if self.playing is not None and self.playing.done:
            self._took()
        if self.table.started:
            before, dt = self.now, dt * (SLOW if self.slowed else 1.0)
            self.now += dt
            for flight in self.flights:
                for sound, loud in heard(flight.shown, before - flight.start, self.now - flight.start):
                    self.sound(sound, loud)
        self._next()
        self._learn()

    @property
    def slowed(self) -> bool:
        """True while a missile that totters is shown slowly, and all else with it."""
        close = [(self.now - one.start, one.close) for one in self.flights if one.close is not None]
        return not self.calm and self.stage == "choose" and any(span[0] <= t < span[1] for t, span in close)

    def hurry(self) -> None:
        """Show nothing slowly any more that has come down."""
        for flight in self.flights:
            flight.close = None

    def _next(self) -> None:
        """Let the rules have what they ask for next, if it is there; beside the window."""
        if self.playing is not None or self.stage != "choose" or self.held:
            return
        now, asked = self.now, dict(self._asked)
        due = any(flight.landing is None and flight.down <= now for flight in self.flights)
        if self._due(now, asked, due) is not None:
            self.playing = Background(lambda: self._play_on(now, asked, due))

    def _due(self, now: float, asked: dict[int, Launch | Load], due: bool) -> Callable[[], Action] | None:
        """The deed of the seat to play at that time; None when all still wait for it.

        Args:
            asked: what people want to do. due: whether something has to come down.
        """
        match, seat, state = self.match, self.match.to_play, self.table
        if seat is None:
            return None
        if match.players[seat] is not None and not self._holds_back(seat):
            if self.patient and state.started and state.ready[seat] < now - _LATE:
                return lambda: Wait(until=now)  # what it launches next, it launches from now on
            return self._ask if not state.started or state.ready[seat] <= now else None
        if seat in asked:
            return lambda: asked[seat]
        if not state.started or now <= state.ready[seat]:
            return None
        if not due and not any(self._goes(other, now, asked) for other in range(state.seats) if other != seat):
            return None
        until = max(now, state.ready[seat] + _PATIENCE)
        return lambda: Wait(until=until)

    def _holds_back(self, seat: int) -> bool:
        """True of a bot that waits for the people."""
        hands, players = self.table.hands, self.match.players
        left = [len(hand) for hand, player in zip(hands, players, strict=True) if player is None]
        return self.patient and self.table.started and bool(left) and len(hands[seat]) <= max(left)

    def _goes(self, seat: int, now: float, asked: dict[int, Launch | Load]) -> bool:
        """True where a seat would launch if only it were asked."""
        state = self.table
        if not state.hands[seat] or any(one.owner == seat for one in state.aloft):
            return False
        if self.match.players[seat] is not None and self._holds_back(seat):
            return False
        return seat in asked or (self.match.players[seat] is not None and state.ready[seat] <= now)

    def _play_on(self, now: float, asked: dict[int, Launch | Load], due: bool) -> Played:
        """Play turns until one of them is worth seeing: those who wait are passed over at once."""
        found = Played([])
        while (choose := self._due(now, asked, due)) is not None:
            seat = self.match.to_play
            hand = self._hands.get(seat) if seat is not None and seat in asked else None
            try:
                turn = self.match.play(choose(), hand=hand)
            except FlicksimError as wrong:
                found.wrong = str(wrong)
                break
            flight = None
            if isinstance(turn.made, Launch):
                time = turn.made.time if turn.made.time is not None else turn.before.ready[turn.seat]
                flight = self._flight(msgspec.structs.replace(turn.made, owner=turn.seat, time=time))
                if isinstance(turn.meant, Launch):
                    flight.meant = msgspec.structs.replace(turn.meant, owner=turn.seat)
            found.turns.append((turn, flight))
            if not isinstance(turn.made, Wait) or told(turn):
                break
        return found

    def _took(self) -> None:
        """Take in what was played."""
        job, self.playing = self.playing, None
        assert job is not None
        played = job.result()
        for turn, _ in played.turns:
            if not isinstance(turn.made, Wait):
                self._asked.pop(turn.seat, None)
        for turn, flight in played.turns:
            self._tell(lambda keeper, turn=turn: keeper.turn(turn))  # type: ignore[misc]
            if flight is not None:
                self.flights.append(flight)
            when = self.now
            for one in told(turn):
                mine = next((f for f in self.flights if f.launch.piece == one.landing.launch.piece), None)
                if mine is not None:
                    mine.landing, mine.order = one.landing, self._landings
                    if not self.humans or self.match.players[one.seat] is None:
                        mine.close = totters(one.landing)
                    self._landings += 1
                    when = max(when, mine.end)
                self._tale.append((mine.end if mine is not None else when, one))
            self._tale.sort(key=lambda entry: entry[0])
            self._news.append((when, turn))
        if played.wrong:
            self.wrong, seat = played.wrong, self.match.to_play
            self._asked.pop(seat if seat is not None else -1, None)
            if seat is not None and self.match.players[seat] is not None:
                self.stage = "stuck"
        self.changed()

    def _learn(self) -> None:
        """Turns become known when all they brought about has been seen."""
        while self._news and self._news[0][0] <= self.now:
            _, turn = self._news.pop(0)
            self.known = turn.number
            if not isinstance(turn.made, Wait) or isinstance(turn.account, Landings):
                self.changed()
        gone = [flight for flight in self.flights if flight.landing is not None and flight.end + 1.5 < self.now]
        for flight in gone:
            self.flights.remove(flight)
        if self.match.over and self.playing is None and not self._news:
            self.stage = "over"
            self.changed()

    # -- showing again --------------------------------------------------------------------------------------------

    def show_again(self, landing: Landing, says: str) -> None:
        """Hold the game and show a launch slowly."""
        if self.stage in ("choose", "over"):
            self.reel, self.stage = Reel(landing, says, max(self.rate, 1)), "show"
            self.changed()

    def go_on(self) -> None:
        """Back to the game."""
        if self.stage == "show":
            self.reel, self.stage = None, "over" if self.match.over else "choose"
            self.changed()

    def skip(self) -> None:
        """No more of what is shown."""
        self.go_on()

    # -- taking back ----------------------------------------------------------------------------------------------

    def undo_to(self) -> int | None:
        """The number of turns left after taking back to the last launch of a person."""
        players, turns = self.match.players, self.match.turns
        mine = [k for k, turn in enumerate(turns) if players[turn.seat] is None and not isinstance(turn.made, Wait)]
        return mine[-1] if mine else None

    def undo(self, left: int | None = None) -> bool:
        """Take back and hold everything; what is just being thought is forgotten as soon as it is known."""
        left = self.undo_to() if left is None else left
        if left is None:
            return False
        self._back, self.paused = left, True
        self._take_back()
        return True

    def _take_back(self) -> None:
        if self._back is None or (self.playing is not None and not self.playing.done):
            return
        if self.playing is not None:
            self._took()
        left, self._back = self._back, None
        super().undo(left)

    def redo(self) -> bool:
        """Do again what was taken back, on to the next launch of a person; everything stays held."""
        done = False
        while self.playing is None and super().redo():
            done = self.paused = True
            if not isinstance(self.match.turns[-1].made, Wait):
                break
        return done

    # -- what lies there ------------------------------------------------------------------------------------------

    def film(self) -> Film | None:
        """The film of what has come down and still moves, or is yet to; None when all lies still."""
        landed = [flight for flight in self.flights if flight.landing is not None and flight.end > self.now]
        if not landed:
            return None
        first = min(flight.order for flight in landed)
        row = [one for one in self.flights if one.landing is not None and one.order >= first]
        row.sort(key=lambda one: one.order)
        landings = tuple(one.landing for one in row if one.landing is not None)
        return Film(landings[0].before, landings, tuple(one.start for one in row))

    def pieces(self) -> tuple[Pyramid, ...]:
        """Everything on the table and in the air as it is seen just now."""
        film = self.film()
        if film is not None:
            found = list(film.pieces_at(self.now))
        else:
            scene = self.table.scene
            found = [piece for piece in scene.pieces if piece.id not in self.table.lift]
        for flight in self.flights:
            if flight.landing is None and flight.start <= self.now:
                t = min(self.now - flight.start, flight.alone.down)
                found += [piece for piece in flight.alone.pieces_at(t) if piece.id == flight.launch.piece]
        return tuple(found)
