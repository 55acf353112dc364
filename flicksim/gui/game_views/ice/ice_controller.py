"""Match controller of a game without turns: a running clock, simultaneous launches, missiles in flight.

The rules ask one seat after another, by who may flick first. Here time runs continuously: a seat that does nothing is
recorded as waiting, just as long as others need it; a missile is settled at the moment it comes down.
"""

from collections.abc import Callable, Sequence

import msgspec

from flicksim.ai import ExecutionNoise
from flicksim.core.type_aliases import Action
from flicksim.games.ice.state import Load, State, Wait
from flicksim.gui.game_views.ice.due_turns import MIN_WAIT, DueTurns, PlayedTurns, Requests
from flicksim.gui.game_views.ice.flight import LaunchReplay, launch_sounds
from flicksim.gui.game_views.ice.launch_log import LaunchOutcome, launching_prompt, loading_prompt
from flicksim.gui.game_views.ice.visible_match import VisibleMatch
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.table_view.playback import CLOSE_CALL_RATE, PlaybackClock
from flicksim.match import BackgroundTask, Turn
from flicksim.scene import Launch, LaunchTrajectory

READY_TIME = 2.0
"""Time between the loading of all launchers and the first flick [s]."""


class IceMatchController(MatchController):
    """Controller of a match of launches, made as a `MatchController`."""

    time = 0.0
    """Time on the clock of the game [s]."""
    visible: VisibleMatch
    launch_replay: LaunchReplay | None = None
    bots_wait = False
    """True if bots wait until every person has launched as often as they have."""
    has_incoming_turn: Callable[[], bool] | None = None
    """Returns True if the host of an online match has told a turn; None without a host."""
    turn_job: BackgroundTask[PlayedTurns] | None = None
    _requests: Requests
    _undo_target: int | None = None
    _is_following = False
    """True if the turn job plays no action of this window."""
    _is_withdrawing = False
    """True if the undo is of a launch that was not played yet."""
    _was_paused = False

    # -- state ----------------------------------------------------------------------------------------------------

    @property
    def playback_clock(self) -> PlaybackClock | None:
        return self.launch_replay

    @property
    def rules_state(self) -> State:
        """State of the rules, which may be ahead of the visible state."""
        state: State = self.match.state
        return state

    @property
    def visible_state(self) -> State:
        return self.visible.state

    @property
    def is_idle(self) -> bool:
        return self.phase != "show" and not self.visible.is_moving(self.time)

    @property
    def seen_turns(self) -> Sequence[Turn]:
        return self.visible.turns

    @property
    def scored_state(self) -> State:
        return self.visible_state

    @property
    def last_turn(self) -> Turn | None:
        """Last visible turn that is worth reporting."""
        return next((turn for turn in reversed(self.seen_turns) if not isinstance(turn.made, Wait)), None)

    @property
    def launch_log(self) -> list[LaunchOutcome]:
        """Outcomes of all launches seen to come to rest, newest first."""
        return self.visible.outcomes(self.time)

    @property
    def prompt(self) -> str:
        state = self.rules_state
        if self.phase == "show" and self.launch_replay is not None:
            return self.launch_replay.text
        if self.phase in ("stuck", "over"):
            return "The game cannot go on." if self.phase == "stuck" else "The game is over."
        if self.absence_text:
            return self.absence_text
        if not state.started:
            return loading_prompt(self.match, [seat for seat in range(state.seats) if not self.is_loaded(seat)])
        return launching_prompt(self.match, state, self.time)

    @property
    def seat_activity(self) -> str:
        return ""

    def is_loaded(self, seat: int) -> bool:
        """Return True if a seat has stacked its first missile, whether or not the rules know it yet."""
        return self.rules_state.loaded[seat] is not None or seat in self._requests

    def can_act(self, seat: int) -> bool:
        """Return True if a seat may load or flick now."""
        state = self.rules_state
        if self.phase != "choose" or seat in self._requests or self._undo_target is not None:
            return False
        if not state.started:
            return state.loaded[seat] is None
        ready = max(0.0, state.ready[seat] - 2.0 * MIN_WAIT)  # a seat that only waited may launch at that very moment
        return bool(state.hands[seat]) and not self.is_in_flight(seat) and self.time >= ready

    def has_missile(self, seat: int) -> bool:
        """Return True if a seat holds its next missile, whether or not it may launch yet."""
        return bool(self.rules_state.hands[seat]) and not self.is_in_flight(seat)

    def has_launched_all(self, seat: int) -> bool:
        """Return True if a seat has no missile, and none in flight."""
        return not self.rules_state.hands[seat] and not self.is_in_flight(seat)

    def blocked_reason(self, seat: int) -> str:
        """Reason why a seat cannot launch now."""
        state = self.rules_state
        if self._undo_target is not None:
            return "The last launch is still being taken back, wait a moment."
        if seat in self._requests:
            return ""
        if not state.started:
            return "Loaded. The others are still stacking." if state.loaded[seat] is not None else ""
        if self.is_counting_down:
            return "Everybody begins together, in a moment."
        if self.has_launched_all(seat):
            return "All your missiles have been launched."
        return "Wait until your last missile is at rest."

    def is_in_flight(self, seat: int) -> bool:
        """Return True if a missile of a seat is not yet at rest."""
        return any(self.time < flight.rest_time for flight in self.visible.flights_of(seat)) or any(
            launch.owner == seat for launch in self.rules_state.aloft
        )

    @property
    def is_animating(self) -> bool:
        """True while anything is in flight or being replayed, or the countdown to the first launches runs."""
        if self.phase == "show":
            return super().is_animating
        return self.phase == "choose" and not self.is_paused and (not self.is_idle or self.is_counting_down)

    @property
    def is_counting_down(self) -> bool:
        """True from the loading of all launchers to the first flick."""
        return self.rules_state.started and self.time < 0.0

    # -- actions --------------------------------------------------------------------------------------------------

    def start_turn(self) -> None:
        """Start from the current state of the match."""
        self.turn, self.launch_replay = None, None
        self._requests, self.visible, state = {}, VisibleMatch(self.match), self.rules_state
        waiting = [ready for ready, hand in zip(state.ready, state.hands, strict=True) if hand]
        has_launched = state.started and (state.clock > 0.0 or bool(state.aloft) or max(state.ready) > 0.0)
        recorded = max(map(self._recorded_time, self.match.turns), default=0.0)
        self.time = max(state.clock, recorded, min(waiting, default=0.0)) if has_launched else -READY_TIME
        self.phase = "over" if self.match.is_over else "choose"
        self.on_change()

    def cancel(self) -> None:
        super().cancel()
        if self.turn_job is not None:
            self.turn_job.cancel()

    def request(self, seat: int, action: Launch | Load, noise: ExecutionNoise | None = None) -> bool:
        """Request a load or flick of a person at the window; return False and set `error` if it is refused.

        Args:
            seat: that acts. action: the load or launch. noise: execution noise; that of the seat if None.
        """
        self.error, self.is_paused = "", self._undo_target is not None
        if not self.can_act(seat):
            self.error = "" if self.phase == "choose" else self.prompt
            return False
        if isinstance(action, Launch):
            action = msgspec.structs.replace(action, time=max(self.time, self.rules_state.ready[seat], 0.0))
        if self.match.to_play == seat and (wrong := self.illegal_reason(action)):
            self.error = wrong
            return False
        self._requests[seat] = action, noise
        self.history.undone_turns.clear()
        self._play_next()
        return True

    @property
    def can_self_report(self) -> bool:
        """True while nothing is being settled or replayed; never in an online match."""
        return self.turn_job is None and self.phase != "show" and self.has_incoming_turn is None

    @property
    def is_playing_turn(self) -> bool:
        return self.turn_job is not None

    def follow_host(self) -> None:
        """Do nothing: `update` plays the turns of a host as they come."""

    def show_final(self) -> None:
        self.visible.reveal_all(self.time)
        self.on_change()

    def _play_self_report(self, action: Action) -> None:
        """Play a self-report at once; the clock goes on."""
        turn = self.match.play(action)
        self.history.undone_turns.clear()
        self.history.record_turn(turn)
        self.phase = "over" if self.match.is_over else "choose"
        self.show_final()

    def update(self, dt: float) -> None:
        self._take_back()
        if self.is_paused:
            return
        if self.phase == "show" and self.launch_replay is not None:
            before = self.launch_replay.time
            self.launch_replay.advance(dt)
            self._play_sounds(self.launch_replay.trajectory, before, self.launch_replay.time)
            self.rate = self.launch_replay.rate
            if self.launch_replay.is_finished and not self.launch_replay.is_paused:
                self.resume()
            return
        if self.phase != "choose":
            return
        if self.turn_job is not None and self.turn_job.is_done:
            self._collect_turns()
        if self.rules_state.started:
            before, dt = self.time, dt * (CLOSE_CALL_RATE if self.is_slowed else 1.0)
            self.time += dt
            for flight in self.visible.flights:
                self._play_sounds(flight.visible_trajectory, before - flight.start, self.time - flight.start)
        self._play_next()
        self._reveal_turns()

    def _play_sounds(self, trajectory: LaunchTrajectory, start_time: float, end_time: float) -> None:
        for sound, volume in launch_sounds(trajectory, start_time, end_time):
            self.play_sound(sound, volume)

    @property
    def is_slowed(self) -> bool:
        """True while a missile near toppling is shown in slow motion."""
        is_close = self.visible.is_near_toppling(self.time)
        return is_close and not self.reduced_motion and self.phase == "choose"

    def skip_slow_motion(self) -> None:
        """Skip the slow motion of missiles that have come down."""
        for flight in self.visible.flights:
            flight.near_topple = None

    def _play_next(self) -> None:
        """Play the next action in the background once it is known."""
        is_told = self.has_incoming_turn is not None and self.has_incoming_turn()
        if self.turn_job is not None or self.phase != "choose" or (self.is_held and not is_told):
            return
        now, requests = self.time, dict(self._requests)
        due = any(flight.trajectory is None and flight.landing_time <= now for flight in self.visible.flights)
        turns = DueTurns(self.match, self._choose, self.bots_wait, now, requests, due, self.has_incoming_turn, is_told)
        if turns.next_action() is not None:
            self._is_following, self.turn_job = is_told, BackgroundTask(turns.play)

    def _collect_turns(self) -> None:
        """Collect the turns played in the background."""
        job, self.turn_job = self.turn_job, None
        assert job is not None
        turns, error = job.result()
        for turn, flight in turns:
            if not isinstance(turn.made, Wait):
                self._requests.pop(turn.seat, None)
            self.history.record_turn(turn)
            if turn.seat in self.remote_people:  # a clock that is behind that of another machine would hold it up
                self.time = max(self.time, self._recorded_time(turn))
            if flight is not None and self.has_incoming_turn is not None:  # told late, it is seen from its start on
                flight.start = max(flight.start, self.time)
            self.visible.add_turn(turn, flight, self.time)
        if error:
            self.error, seat = error, self.match.to_play
            self._requests.pop(seat if seat is not None else -1, None)
            if seat is not None and self.match.players[seat] is not None:
                self.phase = "stuck"
        self.on_change()

    def _recorded_time(self, turn: Turn) -> float:
        """Time on the clock when a turn was played [s], as far as it tells: bots launch and wait ahead of time."""
        match turn.made:
            case Wait(until=time) | Launch(time=float(time)) if (
                self.match.players[turn.seat] is None or turn.seat in self.remote_people
            ):
                return time
        return 0.0

    def _reveal_turns(self) -> None:
        """Make turns known once everything they caused has been seen."""
        if self.visible.reveal(self.time):
            self.on_change()
        if self.match.is_over and self.turn_job is None and self.visible.is_complete:
            self.phase = "over"
            self.on_change()

    # -- replay ---------------------------------------------------------------------------------------------------

    def replay_launch(self, trajectory: LaunchTrajectory, text: str) -> None:
        """Hold the game, paused or not, and replay a launch in slow motion."""
        if self.phase in ("choose", "over"):
            self.launch_replay, self.phase = LaunchReplay(trajectory, text, max(self.rate, 1)), "show"
            self._was_paused, self.is_paused = self.is_paused, False  # the replay has a pause of its own
            self.on_change()

    def resume(self) -> None:
        """Return from the replay to the game, paused if it was."""
        if self.phase == "show":
            self.launch_replay, self.phase = None, "over" if self.match.is_over else "choose"
            self.is_paused = self.is_paused or self._was_paused
            self.on_change()

    def skip_playback(self) -> None:
        self.resume()

    # -- taking back ----------------------------------------------------------------------------------------------

    def undo_target(self) -> int | None:
        """Number of turns left after an undo of the last launch of a person: all, while that is not played yet."""
        turns = self.match.turns
        if any(all(turn.meant is not action for turn in turns) for action, _ in self._requests.values()):
            return len(turns)
        return next((k for k in range(len(turns) - 1, -1, -1) if self._is_of_person(turns[k])), None)

    def _is_of_person(self, turn: Turn) -> bool:
        """Return True for a load or launch of a person."""
        return self.match.players[turn.seat] is None and not isinstance(turn.made, Wait)

    def undo(self, turn_count: int | None = None) -> bool:
        """Undo and pause; a decision still being computed is discarded."""
        turn_count = self.undo_target() if turn_count is None else turn_count
        if turn_count is None:
            return False
        self._undo_target, self.is_paused = turn_count, True
        self._is_withdrawing = turn_count == len(self.match.turns)
        self._take_back()
        return True

    def _take_back(self) -> None:
        if self._undo_target is None or (self.turn_job is not None and not self.turn_job.is_done):
            return
        if self.turn_job is not None:
            self._collect_turns()
        target, self._undo_target = self._undo_target, None
        if self._is_withdrawing and not any(map(self._is_of_person, self.match.turns[target:])):
            self._requests.clear()
            self.on_change()
        else:
            super().undo(target)

    def withdraw(self) -> bool:
        is_playing = self.turn_job is not None and not self._is_following
        if is_playing or self.undo_target() != len(self.match.turns):
            return False
        self._requests.clear()
        self.on_change()
        return True

    def redo(self) -> bool:
        """Redo up to the next launch of a person; the game stays paused."""
        changed = False
        while self.turn_job is None and super().redo():
            changed = self.is_paused = True
            if not isinstance(self.match.turns[-1].made, Wait):
                break
        return changed
