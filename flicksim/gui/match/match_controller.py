"""Match controller: choosing, simulating and playing back turns; it neither draws nor blocks."""

from collections.abc import Callable, Sequence
from typing import Literal

from flicksim.ai import ExecutionNoise, stop_if_cancelled
from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, State
from flicksim.gui.match.ruling_moves import gives_points_or_clears, moved_pieces, scene_while_moving
from flicksim.gui.match.turn_history import TurnHistory
from flicksim.gui.match_recorder import MatchRecorder
from flicksim.gui.table_view import Playback, PlaybackClock, scene_of
from flicksim.gui.table_view.key_moments import close_call_interval, event_sounds
from flicksim.gui.table_view.match_text import seat_text
from flicksim.match import BackgroundTask, Match, Turn
from flicksim.scene import Flick, Scene, Squidge, Trajectory

Phase = Literal["choose", "think", "settle", "show", "hold", "over", "stuck"]
BOT_AIM_TIME = 0.7
"""Time for which the aim of a bot is shown [s]."""
_DECISION_TIME = 0.8
"""Time for which a decision is shown [s]."""
_MOVE_TIME = 0.4
"""Duration of the animation of pieces moved by a ruling [s]."""
_RULING_TIME = 2.5
"""Time for which a ruling with points is shown without people [s]."""


class MatchController:
    """Controller of a running match.

    Args:
        match: the match. recorder: writes turns and undos; None when there is no record.
        choose_action: returns the action of a player; called on a background thread, may block.
    """

    def __init__(
        self,
        match: Match,
        recorder: MatchRecorder | None = None,
        choose_action: Callable[[Match], Action] = Match.ask_player,
    ) -> None:
        self.match, self._choose_action = match, choose_action
        self.history = TurnHistory(match, recorder)
        self.phase: Phase = "choose"
        self.playback: Playback | None = None
        self.turn: Turn | None = None
        self.error = ""
        self.on_change: Callable[[], None] = lambda: None
        self.rate = 0
        self.bot_action: Action = None
        """Shot that a bot is aiming; None without one."""
        self.pending: Action = None
        """Action being simulated, or simulated last."""
        self.reduced_motion = False
        """True if close calls are not shown in slow motion."""
        self.score_positions: dict[int, Point] = {}
        """Positions at which the points of seats were drawn last [pixels]."""
        self.skips_playback = False
        """True if only the end of shots is shown."""
        self.is_paused = False
        self.is_held = False
        """True if no turn starts because a self-report, or at Ice an undo that all have to agree to, is pending."""
        self.absence_text = ""
        """Sentence on the person to play, where they are not at the table; empty while they are."""
        self.remote_people: frozenset[int] = frozenset()
        """Seats of people at other machines."""
        self.is_bot_delayed = False
        """True while the flick of an aiming bot is delayed."""
        self.play_sound: Callable[[str, float], None] = lambda _name, _loud: None
        self.job: BackgroundTask[Action] | None = None
        self._hold_elapsed, self._previous_count = 0.0, 0
        self.start_turn()

    @property
    def playback_clock(self) -> PlaybackClock | None:
        """Clock of the present playback: of `playback` unless a game overrides it."""
        return self.playback

    @property
    def is_animating(self) -> bool:
        """True while anything on the table moves."""
        if self.is_paused:
            return False
        if self.phase == "show":
            return self.playback_clock is None or not self.playback_clock.is_paused
        if self.phase == "think":
            return self.bot_action is not None
        return self.phase == "hold" and self._hold_elapsed < _DECISION_TIME

    @property
    def has_humans(self) -> bool:
        """True if any seat is played at the window."""
        return any(player is None for player in self.match.players)

    def start_turn(self) -> None:
        """Start the turn of the seat to act."""
        self.cancel()
        self.playback, self.turn, self.bot_action = None, None, None
        seat = self.match.to_play
        if seat is None:
            self.phase, self.is_paused = "over", False
        elif self.match.players[seat] is None:
            self.phase = "choose"
        else:
            self.phase = "think"
            self.job = BackgroundTask(self._choose)
        self.on_change()

    def perform(self, action: Action, noise: ExecutionNoise | None = None) -> bool:
        """Perform the action of the human at the window; return False, with `error` set, if it is illegal.

        Args:
            action: to play. noise: execution noise; that of the seat by default.
        """
        self.error, self.is_paused = self.illegal_reason(action), False
        if self.phase != "choose" or self.error:
            return False
        self._simulate(action, noise)
        return True

    @property
    def can_self_report(self) -> bool:
        """True while a self-report is possible: while idle, unless a game allows it at other times too."""
        return self.is_idle

    def show_final(self) -> None:
        """Finish the playback before a self-report; nothing to do by default, as reports need an idle controller."""

    def self_report(self, action: Action) -> bool:
        """Apply a self-report of somebody at the window; return False if it is not possible."""
        self.error, self.is_paused = self.illegal_reason(action), False
        if not self.can_self_report or self.error:
            return False
        self._play_self_report(action)
        return True

    def _play_self_report(self, action: Action) -> None:
        self.cancel()
        self._simulate(action)

    def illegal_reason(self, action: Action) -> str:
        """Reason why an action is illegal now; empty if it is legal."""
        try:
            self.match.rules.check_action(self.match.state, action)
        except FlicksimError as error:
            return str(error)
        return ""

    def _simulate(self, action: Action, noise: ExecutionNoise | None = None) -> None:
        self.phase, self.pending, self._previous_count = "settle", action, len(self.match.turns)
        self.history.undone_turns.clear()
        self.job = BackgroundTask(lambda: self.match.play(action, noise=noise))
        self.on_change()

    @property
    def is_playing_turn(self) -> bool:
        """True while a turn is being played in the background."""
        return self.phase == "settle"

    def follow_host(self) -> None:
        """Show the next turn that the host of an online match has told out of order: a self-report."""
        self.cancel()
        self._simulate(None)

    def _choose(self) -> Action:
        stop_if_cancelled()
        return self._choose_action(self.match)

    def cancel(self) -> None:
        """Cancel the background computation."""
        if self.job is not None:
            self.job.cancel()
        self.job = None

    def update(self, dt: float) -> None:
        """Advance time [s]."""
        if self.is_paused:
            return
        match self.phase:
            case "think" if self.bot_action is not None:
                self._hold_elapsed += dt
                if self._hold_elapsed >= BOT_AIM_TIME and not self.is_bot_delayed:
                    self._simulate(self.bot_action)
            case "think" | "settle" if self.job is not None and self.job.is_done:
                job, self.job = self.job, None
                self._finish_job(job)
            case "show" if self.playback is not None:
                self._advance_playback(self.playback, dt)
            case "hold":
                self._hold_elapsed += dt
                if not self.is_waiting and self._hold_elapsed >= self._hold_duration():
                    self.start_turn()

    def _finish_job(self, job: BackgroundTask[Action]) -> None:
        """Take the action chosen, or the turn simulated."""
        try:
            result = job.result()
        except FlicksimError as error:
            self.fail(error)
            return
        if self.phase == "settle":
            self._start_playback(result)
        elif isinstance(result, Flick | Squidge) and (self.is_bot_delayed or not self.skips_playback):
            self.bot_action, self._hold_elapsed = result, 0.0
        else:
            self._simulate(result)

    def fail(self, error: FlicksimError) -> None:
        """Stop the match at an error: with a forfeit it is over, a person may choose anew."""
        self.error, self.phase = str(error), "stuck"
        if (forfeit := self.match.forfeit) is not None:
            self.error, self.phase = "", "over"
            self.history.record_forfeit(forfeit)
        if self.match.to_play is not None and self.match.players[self.match.to_play] is None:
            self.phase = "choose"
        self.on_change()

    def _advance_playback(self, playback: Playback, dt: float) -> None:
        """Advance the playback by a time [s], with its sounds."""
        self.rate, before = playback.rate, playback.time
        playback.advance(dt)
        for name, volume in event_sounds(playback.trajectory, before, playback.time):
            self.play_sound(name, volume)
        if playback.is_finished and not playback.is_paused:
            self.phase, self._hold_elapsed = "hold", 0.0
            self.on_change()

    def _start_playback(self, turn: Turn) -> None:
        self.turn, self._hold_elapsed, self.bot_action = turn, 0.0, None
        self.history.record_turn(turn)
        if isinstance(turn.result, Trajectory):
            interval = None if self.reduced_motion else close_call_interval(turn.result)
            self.playback, self.phase = Playback(turn.result, self.rate, interval), "show"
            if self.skips_playback:
                self.playback.skip()
        else:
            self.playback, self.phase = None, "hold"
        self.on_change()

    @property
    def is_showing_score(self) -> bool:
        """True while the table stays as it was when points were given, or before it is cleared."""
        return self.phase == "hold" and self._is_significant()

    @property
    def is_waiting(self) -> bool:
        """True if the table stays as it is until somebody continues: when points were given or the board is
        cleared."""
        return self.has_humans and self.is_showing_score

    def _is_significant(self) -> bool:
        return self.turn is not None and gives_points_or_clears(self.turn)

    def _hold_duration(self) -> float:
        if self._is_significant():
            return _RULING_TIME
        if self.playback is None:
            return _DECISION_TIME
        return _MOVE_TIME if self.turn is not None and moved_pieces(self.turn) else 0.12

    def resume(self) -> None:
        """Continue after a ruling."""
        if self.phase == "hold":
            self.start_turn()

    def skip_playback(self) -> None:
        """Skip the rest of the playback."""
        if self.playback is not None:
            self.playback.is_paused = False
            self.playback.skip()

    def toggle_pause(self) -> None:
        """Pause or resume the playback, or else the match; not after the end of the game."""
        if self.playback_clock is not None and self.phase == "show":
            self.playback_clock.is_paused = not self.playback_clock.is_paused
        elif self.phase not in ("over", "stuck"):
            self.is_paused = not self.is_paused

    def step(self, steps: int) -> None:
        """Pause the playback and step forward or back."""
        if self.playback_clock is not None:
            self.playback_clock.step(steps)

    def cycle_rate(self) -> None:
        """Switch to the next playback speed."""
        if self.playback_clock is not None:
            self.playback_clock.cycle_rate()

    # -- undo and redo -------------------------------------------------------------------------------------------

    def undo_target(self) -> int | None:
        """Number of turns left after an undo to the last human decision; None without one."""
        players, turns = self.match.players, self.match.turns
        if self.phase == "settle":
            return None
        return next((k for k in range(len(turns) - 1, -1, -1) if players[turns[k].seat] is None), None)

    def undo(self, turn_count: int | None = None) -> bool:
        """Undo to the last human decision, or to a number of turns."""
        turn_count = self.undo_target() if turn_count is None else turn_count
        if turn_count is None or self.phase == "settle":
            return False
        self.history.undo_to(turn_count)
        self.error = ""
        self.start_turn()
        return True

    def withdraw(self) -> bool:
        """Withdraw what a person has chosen and nobody has been told; return False where there is none."""
        return False

    def redo(self) -> bool:
        """Redo to the next human decision."""
        if self.phase == "settle" or not self.history.redo():
            return False
        self.error = ""
        self.start_turn()
        return True

    # -- state -----------------------------------------------------------------------------------------------------

    @property
    def last_turn(self) -> Turn | None:
        """Last turn that has been shown completely, or is being held."""
        turns = self.match.turns
        if self.phase == "show":
            return turns[-2] if len(turns) > 1 else None
        return turns[-1] if turns else None

    @property
    def bot_pull(self) -> float:
        """Visible pull of a bot's aim, 0 to 1."""
        return min(1.0, self._hold_elapsed / (0.6 * BOT_AIM_TIME)) if self.phase == "think" else 1.0

    @property
    def shown_turn(self) -> Turn | None:
        """Turn being shown or read; None without one."""
        return self.turn if self.phase in ("show", "hold") else None

    @property
    def is_idle(self) -> bool:
        """True while nothing is being simulated or shown."""
        return self.phase not in ("settle", "show")

    @property
    def seen_turns(self) -> Sequence[Turn]:
        """Turns that have been shown completely."""
        return self.match.turns if self.is_idle else self.match.turns[: self._previous_count]

    @property
    def visible_state(self) -> State:
        """State visible to people: while a turn is being shown, the one before it."""
        return self.turn.before if self.turn is not None and self.phase in ("show", "hold") else self.match.state

    @property
    def scored_state(self) -> State:
        """State whose points are shown: once a ruling can be read, its points count."""
        return self.match.state if self.phase == "hold" else self.visible_state

    @property
    def prompt(self) -> str:
        """Prompt of the present phase."""
        match, seat = self.match, self.match.to_play
        if self.is_paused:
            return "Paused: P goes on"
        if self.phase == "think" and seat is not None:
            does = "takes aim ..." if self.bot_action is not None else "is thinking ..."
            does = "is to play." if seat in self.remote_people else does
            return self.absence_text or f"{seat_text(match, seat)} {does}"
        if self.phase == "settle":
            return "The flick is made ..."
        if self.phase == "show" and self.turn is not None:
            return f"{seat_text(match, self.turn.seat)} has flicked."
        if self.is_waiting:
            return "Look at the table, then go on: Space, or a click on the board."
        if self.phase == "stuck":
            return "The game cannot go on."
        if match.forfeit is not None:
            return f"{seat_text(match, match.forfeit.seat)} forfeits: it {match.forfeit.reason}."
        return "The game is over." if match.is_over else match.legal_actions().prompt

    @property
    def seat_activity(self) -> str:
        if self.phase in ("show", "hold"):
            if self.playback is None:
                return "has decided"
            return "has squidged" if isinstance(self.playback.trajectory.flick, Squidge) else "has flicked"
        if self.is_paused and self.phase == "think":
            return "to play"
        if self.bot_action is not None:
            return "takes aim"
        return self.turn_activity

    @property
    def turn_activity(self) -> str:
        """Activity of the seat to play before it acts."""
        if self.absence_text:
            return "not there"
        is_computed = self.phase == "think" and self.match.to_play not in self.remote_people
        return "thinking ..." if is_computed else "to play"

    def visible_scene(self) -> Scene | None:
        """Scene to show without a trajectory, while the ruling moves pieces.

        A board cleared by the last ruling is shown as it was at the end of the game.
        """
        now, last = scene_of(self.match.state), self.match.turns[-1].result if self.match.turns else None
        if self.phase == "over" and isinstance(last, Trajectory) and now is not None and not now.pieces:
            return last.after
        if self.phase != "hold" or self.turn is None:
            return now
        return scene_while_moving(self.turn, self._hold_elapsed / _MOVE_TIME)
