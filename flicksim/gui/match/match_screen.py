"""Base class of match screens: hints, demonstration, analysis, undo and redo, menu, help, pause, status line."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import pygame

from flicksim.ai import ExecutionNoise
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action
from flicksim.gui.app import App, HelpScreen, MatchSession, Screen, ShotPath
from flicksim.gui.match.assistance import Demonstration, NoiseGrades
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.match.overlays import ConfirmScreen, EndScreen, PauseScreen, host_question
from flicksim.gui.match.position_analysis import PositionAnalysis
from flicksim.gui.match.self_report import SelfReportScreen
from flicksim.gui.match.start_match import ALSO_YOU, YOU
from flicksim.gui.match.value_overlay import BAR_COLUMN_WIDTH
from flicksim.gui.table_view import Hint, OutcomeScatter, TableView, match_text
from flicksim.gui.table_view.effects import Effects
from flicksim.gui.table_view.hints import noise_text
from flicksim.gui.toolkit import PRESS_KEYS, Button, Canvas, Form, Widget, key_bindings, palette
from flicksim.match import BackgroundTask, Warmup, bot_warmup, wait_for_warmups

PLAYBACK_SPEEDS = ("true speed", "slow", "very slow")
"""Value of the preference for each of `playback.RATES`."""
_MIN_CARD_WIDTH = 200.0
"""Least width of an activity card [units]."""
_FOLD_HELP = "Panels away, so that the table fills the window."
_NO_UNDO_TEXT = "Here it stays as it is: begin again instead."
_NO_REMOTE_PAUSE_TEXT = "The others do not see a pause here: say that you need a moment (F4)."
_NO_REDO_TEXT = "What the others have agreed to take back is played anew."
_HOSTS_HAND_TEXT = "How steady your hand is was said at the host, who also makes its error."
_DEMO_GRADE = "club"
"""Grade of execution noise in challenges and lessons for people without noise."""
_ANALYSIS_UNAVAILABLE = "Positions are evaluated in games between bots, in finished games, and at the study board."
_MAX_WAIT, _VIEWING_TIME = 15.0, 1.5
"""Longest time that bots wait for the map of a position, and time for which it is shown [s]."""
_NO_HINT_TEXT = "A challenge is done without hints."
_NO_REMOTE_HINT_TEXT = "Online everybody plays without hints."


class MatchScreen(Screen):
    """Base class of match screens."""

    controller: MatchController
    view: TableView | None = None
    """View of the table; None if pieces cannot be pointed at."""
    SHOT_PATH: ShotPath | None = None
    """Function for start and end of flicks; None: maps and best flicks are not available."""
    warmup_task: Warmup | None = None
    """Warmup of the shot simulation; None where nothing is simulated."""
    has_turns = True
    """True if seats play in turn, so that a change of turn is announced."""

    def __init__(self, app: App, session: MatchSession) -> None:
        super().__init__(app)
        self.session, self.match, self.game = session, session.match, session.match.game
        self.activity_card, self.bar = session.activity_card, session.bar
        self._notice = ""
        default_grade: str = app.preferences.hand if self.bar is None else "steady"  # else that of the host
        if self.activity_card is not None and default_grade == "steady":
            default_grade = _DEMO_GRADE
        self.noise_grades = NoiseGrades(self.match, default_grade)
        self.outcome_scatter: OutcomeScatter | None = None
        self.hint_request: BackgroundTask[Hint] | None = None
        puzzle = self.activity_card.shown_puzzle if self.activity_card is not None else None
        self.demo = Demonstration(puzzle, self.match, lambda action, noise: self.execute(action, noise))
        self.effects = Effects()
        self.bot_warmup = bot_warmup(self.match.game)
        hooks = wait_for_warmups(self.warmup_task, self.bot_warmup)
        self.analysis = PositionAnalysis(self.match.game, self.SHOT_PATH, *hooks)
        self._bot_wait_time = self._map_view_time = 0.0
        """Time since a bot has aimed, and since the map of the position is complete [s]."""
        self.announced_turn: object = None
        self._restart = session.restart
        self._is_result_shown = False
        self._is_self_report_pending = False
        """True if a self-report is to be opened as soon as the controller is idle."""
        self.buttons = {
            "hand": Button("", self.cycle_noise_grade, key="Y", help_text="How steady your hand is."),
            "pause": Button("Pause", self.toggle_pause, key="P"),
            "back": Button("Back", lambda: self.controller.step(-1), key=","),
            "step": Button("Step", lambda: self.controller.step(1), key="."),
            "slow": Button("Slower", lambda: self.controller.cycle_rate(), key="S"),
            "skip": Button("Skip", lambda: self.controller.skip_playback(), key="F"),
            "undo": Button("Undo", self.undo, key="U"),
            "hint": Button("Hint", self._on_hint_key, key="H"),
            "help": Button("Help", self.show_help, key="?"),
            "fold": Button("Hide panels", self.toggle_panels, key="F6", help_text=_FOLD_HELP),
            "menu": Button("Menu", self.open_menu, key="Esc"),
        }
        """Buttons by name; each table shows some of them, and its own."""
        if self.activity_card is not None:
            self.buttons["menu"].label = "Back"
        if self.activity_card is not None or self.bar is not None:
            self.buttons["hand"].enabled = False
        if self.bar is not None:
            self.buttons["hand"].help_text = _HOSTS_HAND_TEXT
        if self.demo.solution is not None:
            self.buttons["hint"] = Button("Show me", self.show_demo, key="V", help_text="It is made by such a hand.")
        self._are_panels_folded = False
        """True if the player has hidden the panels."""
        self.form = Form([], None, arrows=False)
        self._self_report_cache: tuple[object, bool] = (None, False)

    def configure(self, controller: MatchController) -> MatchController:
        """Configure a controller by the preferences."""
        preferences, speed = self.app.preferences, self.app.preferences.playback_speed
        controller.skips_playback = speed == "at once"
        controller.rate = PLAYBACK_SPEEDS.index(speed) if speed in PLAYBACK_SPEEDS else 0
        controller.play_sound, controller.reduced_motion = self.app.sounds.play, preferences.reduced_motion
        return controller

    def shown_names(self) -> Iterable[str]:
        names = self.match.player_names.values()
        return (name for name in names if name != YOU and not name.startswith(ALSO_YOU))

    def extra_keys(self) -> tuple[key_bindings.KeyMap, ...]:
        """Key bindings of this table alone."""
        return (key_bindings.BOARD_KEYS,)

    # -- actions --------------------------------------------------------------------------------------------------

    def handle_common_key(self, event: pygame.event.Event) -> bool:
        """Handle a key that is common to all tables; return True if it was one."""
        act = self._common_actions().get(key_bindings.common_action(event))
        is_over = self.controller.phase == "over" and self.match.game.uses_physics
        if act is not None:
            act()
        elif event.key in PRESS_KEYS and is_over:
            self._is_result_shown = False  # show the result again
        else:
            return False
        return True

    def _common_actions(self) -> dict[str, Callable[[], object]]:
        """Actions that are common to all tables, by name, as far as they are possible now."""
        controller = self.controller
        actions: dict[str, Callable[[], object]] = {
            "undo": self.undo, "redo": self.redo, "hint": self._on_hint_key, "pause": self.toggle_pause,
            "own up": self.self_report, "help": self.show_help,
        }  # fmt: skip
        if self.match.game.uses_physics:
            actions |= {"hand": self.cycle_noise_grade, "fold": self.toggle_panels}
            actions |= {kind: partial(self.toggle_analysis, kind) for kind in ("value", "map")}
        if self.may_analyse and self.analysis.is_visible and self.SHOT_PATH is not None:
            actions["next flick"] = self.analysis.cycle_candidate
        if self.demo.solution is not None:
            actions["show plan"] = self.show_demo
        if controller.phase == "show":
            actions |= {"step": partial(controller.step, 1), "step back": partial(controller.step, -1)}
            actions |= {"slow": controller.cycle_rate, "skip": controller.skip_playback}
        return actions

    def toggle_pause(self) -> None:
        """Pause or resume what is shown; an online match goes on."""
        if self.bar is not None and self.controller.phase != "show":
            self._notice = _NO_REMOTE_PAUSE_TEXT
        else:
            self.controller.toggle_pause()

    @property
    def is_folded(self) -> bool:
        """True while the panels are hidden: they return when needed."""
        return self._are_panels_folded and self.activity_card is None and self.controller.phase not in ("stuck", "over")

    def toggle_panels(self) -> None:
        """Hide or show the panels."""
        self._are_panels_folded = not self._are_panels_folded
        self.buttons["fold"].label = "Show panels" if self._are_panels_folded else "Hide panels"
        self.build_form()

    def build_form(self) -> None:
        """Rebuild the form."""

    def show_widgets(self, widgets: Sequence[Widget]) -> None:
        """Show these widgets; the focus stays on its widget where that is among them."""
        focused = self.form.focused
        self.form.widgets = list(widgets)
        self.form.focus = self.form.widgets.index(focused) if focused in self.form.widgets else None
        self.app.layout_screen(self)

    def on_end(self) -> None:
        """Notify the activity card of the turns shown; else show the result once when the game is over."""
        if self.activity_card is not None:
            if self.demo.is_running and self.is_idle:
                self.demo.play()
            self.activity_card.on_turns(self.controller.seen_turns, is_idle=self.controller.is_idle)
        elif self.controller.phase == "over" and not self._is_result_shown:
            self._is_result_shown = True
            self.app.push(self.result_screen())

    def result_screen(self) -> Screen:
        """Create the result screen."""
        return EndScreen(self.app, self.match, self._restart, self.undo, self._self_report_action)

    def cycle_noise_grade(self) -> None:
        """Switch to the next grade of execution noise of the people at the window."""
        if self.activity_card is not None:
            self._notice = _NO_UNDO_TEXT
        elif self.bar is not None:
            self._notice = _HOSTS_HAND_TEXT
        else:
            self._notice = f"Your hand is now that of {noise_text(self.noise_grades.cycle())}."

    # -- hints, demonstration, analysis ---------------------------------------------------------------------------

    @property
    def may_analyse(self) -> bool:
        """True if analysis helps no player: only bots are seated."""
        return self.activity_card is None and self.bar is None and not self.controller.has_humans

    def toggle_analysis(self, kind: str) -> None:
        """Show or hide the evaluation bar, or the map with the best flicks."""
        if not self.may_analyse:
            self.app.show_notice(_ANALYSIS_UNAVAILABLE)
        elif kind == "map" and self.SHOT_PATH is None:
            self.app.show_notice("No map is shown while all launch at once.")
        else:
            self.analysis.toggle(kind)
            self.app.layout_screen(self)

    def _on_hint_key(self) -> None:
        """Request a hint, where available."""
        if self.activity_card is not None and not self.activity_card.allows_hints:
            self._notice = _NO_HINT_TEXT
        elif self.bar is not None:
            self._notice = _NO_REMOTE_HINT_TEXT
        else:
            self.request_hint()

    def request_hint(self) -> None:
        """Request a hint."""

    def show_demo(self) -> None:
        """Play the demonstration shot with its execution noise, to the end of the attempt."""
        card, may_start = self.activity_card, self.demo.is_available and self.controller.phase == "choose"
        if card is not None and may_start and self.demo.play():
            card.on_demo_shown()

    @property
    def is_idle(self) -> bool:
        """True if the seat to play may act and nothing is being simulated or shown."""
        return self.controller.phase == "choose" and self.controller.is_idle

    def execute(self, action: Action, noise_grade: ExecutionNoise) -> bool:
        """Play a flick with execution noise; return False, with a notice, if it is refused."""
        return self.controller.perform(action, noise_grade)

    def shot_path(self, shot: Action) -> tuple[Point, Point] | None:
        """Start and target of a shot [m]; None for any other action."""
        return None if self.SHOT_PATH is None else self.SHOT_PATH(self.match.game, self.match.state, shot)

    def poll_hint(self) -> None:
        """Take the result of a hint request, once it is done."""
        if self.hint_request is not None and self.hint_request.is_done:
            request, self.hint_request = self.hint_request, None
            self._on_hint(request.result())

    def _on_hint(self, hint: Hint) -> None:
        """Show a hint."""

    def cancel_hint(self) -> None:
        """Cancel the hint request."""
        if self.hint_request is not None:
            self.hint_request.cancel()
        self.hint_request = None

    @property
    def noise_grade(self) -> str:
        """Grade of the execution noise."""
        return self.noise_grades.current

    def show_outcome_scatter(self, action: Action) -> None:
        """Show the outcome scatter of a shot with one's own execution noise."""
        self.clear_outcome_scatter()
        grade = self.noise_grade if self.noise_grade != "steady" else self.app.preferences.hand
        prepare = self.warmup_task.wait if self.warmup_task is not None else lambda: None
        self.outcome_scatter = OutcomeScatter(self.match, action, grade, prepare)

    def clear_outcome_scatter(self) -> None:
        """Remove the outcome scatter."""
        if self.outcome_scatter is not None:
            self.outcome_scatter.cancel()
        self.outcome_scatter = None

    def announce_turn(self) -> None:
        """Announce a new turn once."""
        match, seat = self.match, self.match.to_play
        stage = match_text.stage_text(match.game, match.state)
        if seat is None or self.announced_turn == (seat, stage):
            return
        self.announced_turn = (seat, stage)
        if not (match.game.uses_physics or self.app.preferences.turn_delay_scale) and match.players[seat] is not None:
            return  # the others play without delay
        key = palette.seat_key(seat, match.game.seat_names)
        name, is_human = match_text.seat_text(match, seat), match.players[seat] is None
        is_only_human = self.activity_card is not None or sum(player is None for player in match.players) == 1
        details = [] if is_human and not is_only_human else [name if is_human else match_text.player_text(match, seat)]
        details += [stage] if stage else []
        text = ("Your turn" if is_only_human else f"{name}: your turn") if is_human else name
        self.effects.show_turn_banner(text, "  ·  ".join(details), key)

    @property
    def wait_text(self) -> str:
        """Short text of the computation waited for; empty without one."""
        match, seat = self.match, self.match.to_play
        if self.hint_request is not None:
            return "A club player is asked"
        if self.controller.is_paused or self.controller.bot_action is not None:
            return ""
        if self.controller.phase == "think" and self.bot_wait_text:
            return self.bot_wait_text
        if self.controller.phase == "think" and seat is not None:
            computed = (
                "" if seat in self.controller.remote_people else f"{match_text.seat_text(match, seat)} is thinking"
            )
            return self.controller.absence_text or computed
        return "The shot is worked out" if self.controller.phase == "settle" and self.match.game.uses_physics else ""

    @property
    def bot_wait_text(self) -> str:
        """Text shown while the bot to play waits for the compiler; empty otherwise."""
        warmup, match = self.bot_warmup, self.match
        player = None if match.to_play is None else match.players[match.to_play]
        return warmup.short_message if warmup is not None and warmup.is_needed_by(player, match.state) else ""

    @property
    def can_hint(self) -> bool:
        """True if hints are available at this table."""
        is_allowed = self.activity_card.allows_hints if self.activity_card is not None else self.bar is None
        return self.controller.has_humans and is_allowed

    @property
    def can_help(self) -> bool:
        """True if help is available: a hint, or a demonstration shot."""
        return self.can_hint if self.demo.solution is None else self.demo.is_available

    # -- self-reports ---------------------------------------------------------------------------------------------

    @property
    def can_self_report(self) -> bool:
        """True if a self-report is possible now."""
        state = self.match.state
        if self.activity_card is not None:
            return False
        if self._self_report_cache[0] is not state:
            self._self_report_cache = (state, bool(self.match.self_reports))
        return self._self_report_cache[1]

    def self_report(self) -> None:
        """Open a self-report, once nothing is being shown or simulated."""
        self._is_self_report_pending = self.controller.is_held = self.can_self_report
        if not self._is_self_report_pending:
            self._notice = "There is nothing to own up to now."

    @property
    def piece_positions(self) -> list[tuple[float, float]]:
        """Window positions of the pieces [pixels]."""
        view, scene = self.view, self.controller.visible_state.scene
        positions = [] if view is None else [view.camera.to_screen(piece.position) for piece in scene.pieces]
        return [position for position in positions if view is not None and view.area.collidepoint(position)]

    def open_self_report(self) -> None:
        """Open the requested self-report, if nothing is being simulated or shown."""
        view, may_open = self.view, self.controller.can_self_report and self.app.top is self
        if view is None or not (self._is_self_report_pending and may_open):
            return
        self._is_self_report_pending = self.controller.is_held = False
        if self.can_self_report:
            self._is_result_shown = False  # the result may change
            self.controller.show_final()
            self.app.push(SelfReportScreen(self.app, self.controller, view))

    # -- undo and redo -------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Undo to the last decision of a person at the window; a serious game needs consent."""
        turn_count = self.controller.undo_target()
        if self.activity_card is not None:
            self._notice = _NO_UNDO_TEXT
        elif self.bar is not None:
            if not self.controller.withdraw():
                self.bar.propose_undo(turn_count)
        elif turn_count is None:
            self._notice = "There is nothing of yours to take back."
        elif not self.session.requires_undo_consent or turn_count == len(self.match.turns):
            self._undo_to(turn_count)
        else:
            self._request_undo_consent(turn_count)

    def _undo_to(self, turn_count: int) -> None:
        if self.controller.undo(turn_count):
            self._is_result_shown = False
            self.on_undo()

    def on_undo(self) -> None:
        """Handle an undo or redo."""

    def show_match_anew(self) -> None:
        """Show the match as it stands now, after its host has taken turns back, ended it or sent it again."""
        while self.app.top is not self:
            self.app.pop()
        self._is_result_shown = False
        self.controller.start_turn()
        self.on_undo()

    def _request_undo_consent(self, turn_count: int) -> None:
        """Ask the next seat for its consent to an undo."""
        match = self.match
        seat = match.turns[turn_count].seat
        other_seat = (seat + 1) % len(match.players)
        names = match_text.seat_text(match, seat), match_text.seat_text(match, other_seat)
        if match.players[other_seat] is None:
            undone = match_text.undone_text(turn_count + 1, len(match.turns), has_turns=self.has_turns)
            question = f"{names[1]}: may {names[0]} take {undone} back?"
            self.app.push(ConfirmScreen(self.app, question, lambda: self._undo_to(turn_count)))
        elif reason := self.controller.history.undo_refusal(turn_count):
            self._notice = f"{names[1]} does not let you take it back: {reason}."
        else:
            self._undo_to(turn_count)
            self._notice = f"{names[1]} lets you take it back."

    def redo(self) -> None:
        """Redo."""
        if self.bar is not None:
            self._notice = _NO_REDO_TEXT
        elif self.controller.redo():
            self.on_undo()
        else:
            self._notice = "There is nothing to do again."

    def undo_to(self, turn_count: int) -> None:
        """Undo to a number of turns (chosen in the replay)."""
        while self.app.top is not self and self.app.screens:
            self.app.pop()
        if turn_count > len(self.match.turns):
            while len(self.match.turns) < turn_count and self.controller.redo():
                pass
        else:
            self._undo_to(turn_count)

    # -- other screens --------------------------------------------------------------------------------------------

    def show_help(self) -> None:
        """Open the help: keys, rules, glossary."""
        key_maps = key_bindings.help_bindings(
            self.extra_keys(), has_flicks=self.match.game.uses_physics, is_online=self.bar is not None
        )
        self.app.push(HelpScreen(self.app, key_maps, self.match.game))

    def open_menu(self) -> None:
        """Open the pause menu, or pass Esc to the activity card."""
        if self.activity_card is not None:
            self.activity_card.on_escape()
            return
        back = None if self.session.requires_undo_consent or self.bar is not None else self.undo_to
        restart = self._restart if self.bar is None else None  # another game begins when this one is over
        is_recorded = self.controller.history.is_recorded
        self.app.push(
            PauseScreen(self.app, self.match, restart, back, self._self_report_action, is_recorded=is_recorded)
        )

    @property
    def _self_report_action(self) -> Callable[[], None] | None:
        """Action that opens a self-report from an overlay; None where none is possible."""
        return self.self_report if self.can_self_report else None

    def close(self) -> None:
        self.clear_outcome_scatter()
        self.cancel_hint()
        self.analysis.shut_down()
        self.controller.cancel()
        if self.session.owns_recorder and self.session.recorder is not None:
            self.session.recorder.close()
        if self.bar is not None:
            self.bar.close()

    # -- time, drawing --------------------------------------------------------------------------------------------

    @property
    def is_animating(self) -> bool:
        """True while anything moves: on the table, over it, or the view itself."""
        is_moving = self.controller.is_animating or self.effects.is_active
        return is_moving or (self.view is not None and self.view.is_animating)

    @property
    def table_area(self) -> pygame.Rect:
        """Rectangle of the table [pixels]."""
        return self.view.unobstructed if self.view is not None else self.app.surface.get_rect()

    def update(self, dt: float) -> None:
        """Advance the effects over the table."""
        self.effects.reduced_motion = self.controller.reduced_motion = self.app.preferences.reduced_motion
        self.effects.update(dt, is_waiting=bool(self.wait_text))
        if self.analysis.is_visible:
            self.analysis.set_state(self.controller.visible_state, dt)
        self._delay_bots(dt)
        if self.has_turns and self.controller.phase in ("choose", "think"):
            self.announce_turn()

    def _delay_bots(self, dt: float) -> None:
        """Delay the bots' flick until the map is complete and has been shown; for a limited time."""
        controller, analysis = self.controller, self.analysis
        if not (analysis.is_map_visible and self.may_analyse and controller.phase == "think"):
            self._bot_wait_time, self._map_view_time, controller.is_bot_delayed = 0.0, 0.0, False
            return
        if not controller.is_paused:
            self._bot_wait_time += dt if controller.bot_action is not None else 0.0
            self._map_view_time += dt if analysis.is_complete else 0.0
        controller.is_bot_delayed = self._bot_wait_time < _MAX_WAIT and self._map_view_time < _VIEWING_TIME

    def draw_overlay(self, canvas: Canvas) -> None:
        """Draw evaluation bar, turn banner, points won and busy indicator."""
        if self.analysis.is_bar_visible:
            width, area = round(BAR_COLUMN_WIDTH * self.app.scale), self.table_area
            self.analysis.draw_bar(canvas, pygame.Rect(max(0, area.x - width), area.y, width, area.h))
        if self.demo.solution is not None and self.demo.is_available and self.view is not None:
            self.demo.draw(canvas, self.view, self.shot_path(self.demo.solution.action))
        self.effects.draw(canvas, self.table_area, self.wait_text)

    # -- status line ----------------------------------------------------------------------------------------------

    def card_area(self, area: pygame.Rect) -> pygame.Rect:
        """Area of the activity card: over the permanent buttons, as notices are."""
        left, right = self.buttons["undo"].rect.x, self.buttons["menu"].rect.right
        if self.notice_area is None or right - left < _MIN_CARD_WIDTH * self.app.scale:
            return area
        return pygame.Rect(left, area.y, right - left, self.notice_area.bottom - area.y)

    def above_card(self, bottom: int) -> int:
        """Lower end of what is drawn in the panel of the activity card, so that the card covers none of it [pixels]."""
        card = self.activity_card
        return bottom if card is None or not card.rect.h else min(bottom, card.rect.y - round(8 * self.app.scale))

    def closing_question(self) -> ConfirmScreen | None:
        """Question of a host, as closing ends the connections of all others."""
        return host_question(self.app, "Close the window?", self.app.quit)

    def status_line(self) -> str:
        controller = self.controller
        items = self._phase_hints()
        if self.can_undo:
            is_asked = self.session.requires_undo_consent or self.bar is not None
            items.append("U asks to take back" if is_asked else "U undo")
        if controller.history.undone_turns:
            items.append("Shift + U redo")
        if self.can_self_report and not controller.is_paused:
            items.append("F3 own up")
        if self.match.game.uses_physics and self.may_analyse and controller.phase not in ("stuck", "over"):
            items += self.analysis.key_help
            items += ["N next flick"] if self.analysis.is_visible and self.SHOT_PATH is not None else []
        items += ["F4 say something"] * (self.bar is not None)
        return "   ·   ".join([*items, "? help", "Esc menu" if self.activity_card is None else "Esc back"])

    def _phase_hints(self) -> list[str]:
        """Keys of the present phase, for the status line."""
        controller = self.controller
        if controller.is_paused:
            return ["Paused: P goes on"]
        if controller.is_waiting:
            return ["Space goes on"]
        match controller.phase:
            case "choose":
                return [
                    *self.available_choices(),
                    *["H hint"] * self.can_hint,
                    *["V shows it"] * self.demo.is_available,
                ]
            case "show":
                is_held = controller.playback_clock is not None and controller.playback_clock.is_paused
                return ["P goes on" if is_held else "P pauses", "S slower", ". , step", "F to the end"]
            case "over" if self.match.game.uses_physics and self.activity_card is None:
                return ["Space: the result"]
            case "hold":
                return ["P pauses"]
            case "think" | "settle":
                return ["Wait a moment"]
        return []

    @property
    def can_undo(self) -> bool:
        """True if an undo is possible: never in a challenge or lesson."""
        return self.activity_card is None and self.controller.undo_target() is not None

    def available_choices(self) -> list[str]:
        """Short texts of the actions of the seat to act."""
        return []


def piece_positions_below(overlay: Screen) -> list[tuple[float, float]]:
    """Window positions of the pieces under an overlay [pixels]."""
    screens = overlay.app.screens
    below = screens[screens.index(overlay) - 1] if overlay in screens[1:] else None
    return below.piece_positions if isinstance(below, MatchScreen) and below.match.game.uses_physics else []
