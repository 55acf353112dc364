"""Base class of match screens: hints, demonstration, analysis, undo and redo, menu, help, pause, status line."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import pygame

from flicksim.ai import ExecutionNoise
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action
from flicksim.gui.app import App, HelpScreen, MatchSession, Screen, ShotPath
from flicksim.gui.match import bot_delay, demonstration, hint_requests, match_status
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.match.noise_grades import NoiseGrades
from flicksim.gui.match.overlays import ConfirmScreen, EndScreen, PauseScreen, host_question
from flicksim.gui.match.playback_toolbar import playback_buttons
from flicksim.gui.match.position_analysis import PositionAnalysis
from flicksim.gui.match.self_report import SelfReportScreen
from flicksim.gui.match.self_report_requests import SelfReportRequests
from flicksim.gui.match.start_match import ALSO_YOU, YOU
from flicksim.gui.match.undo_requests import NO_UNDO_TEXT, UndoRequests
from flicksim.gui.match.value_overlay import BAR_COLUMN_WIDTH
from flicksim.gui.table_view import Hint, OutcomeScatter, TableView
from flicksim.gui.table_view.effects import Effects
from flicksim.gui.table_view.hints import noise_text
from flicksim.gui.toolkit import PRESS_KEYS, Button, Canvas, Form, Widget, key_bindings
from flicksim.match import Warmup, bot_warmup, wait_for_warmups

PLAYBACK_SPEEDS = ("true speed", "slow", "very slow")
"""Value of the preference for each of `playback.RATES`."""
_MIN_CARD_WIDTH = 200.0
"""Least width of an activity card [units]."""
_FOLD_HELP = "Panels away, so that the table fills the window."
_NO_REMOTE_PAUSE_TEXT = "The others do not see a pause here: say that you need a moment (F4)."
_HOSTS_HAND_TEXT = "How steady your hand is was said at the host, who also makes its error."
_ANALYSIS_UNAVAILABLE = "Positions are evaluated in games between bots, in finished games, and at the study board."
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
        self.noise_grades = NoiseGrades(session, app.preferences.hand)
        self.hints = hint_requests.HintRequests()
        puzzle = self.activity_card.shown_puzzle if self.activity_card is not None else None
        self.demo = demonstration.Demonstration(puzzle, self.match, lambda action, noise: self.execute(action, noise))
        self.effects = Effects()
        self.bot_warmup = bot_warmup(self.match.game)
        hooks = wait_for_warmups(self.warmup_task, self.bot_warmup)
        self.analysis = PositionAnalysis(self.match.game, self.SHOT_PATH, *hooks)
        self._bot_delay = bot_delay.BotDelay()
        self.turn_announcer = match_status.TurnAnnouncer(session)
        self._undo_requests = UndoRequests(app, session, self._on_undone, has_turns=self.has_turns)
        self._restart = session.restart
        self._is_result_shown = False
        self.buttons = {
            "hand": Button("", self.cycle_noise_grade, key="Y", help_text="How steady your hand is."),
            "pause": Button("Pause", self.toggle_pause, key="P"),
            **playback_buttons(lambda: self.controller),
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
        self._self_reports = SelfReportRequests(session)

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
            self._notice = NO_UNDO_TEXT
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

    def _on_hint(self, hint: Hint) -> None:
        """Show a hint."""

    @property
    def noise_grade(self) -> str:
        """Grade of the execution noise."""
        return self.noise_grades.current

    def show_outcome_scatter(self, action: Action) -> None:
        """Show the outcome scatter of a shot with one's own execution noise."""
        grade = self.noise_grade if self.noise_grade != "steady" else self.app.preferences.hand
        prepare = self.warmup_task.wait if self.warmup_task is not None else lambda: None
        self.hints.show_scatter(OutcomeScatter(self.match, action, grade, prepare))

    def announce_turn(self) -> None:
        """Announce a new turn once; cards that others play without delay are not announced."""
        is_delayed = self.match.game.uses_physics or bool(self.app.preferences.turn_delay_scale)
        self.turn_announcer.announce(self.effects, with_others=is_delayed)

    @property
    def wait_text(self) -> str:
        """Short text of the computation waited for; empty without one."""
        if self.hints.is_requested:
            return "A club player is asked"
        return match_status.wait_text(self.controller, self.match, self.bot_warmup)

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
        return self._self_reports.are_possible

    def self_report(self) -> None:
        """Open a self-report, once nothing is being shown or simulated."""
        self._notice = self._self_reports.request(self.controller) or self._notice

    @property
    def piece_positions(self) -> list[tuple[float, float]]:
        """Window positions of the pieces [pixels]."""
        view, scene = self.view, self.controller.visible_state.scene
        positions = [] if view is None else [view.camera.to_screen(piece.position) for piece in scene.pieces]
        return [position for position in positions if view is not None and view.area.collidepoint(position)]

    def open_self_report(self) -> None:
        """Open the requested self-report, if nothing is being simulated or shown."""
        if self.view is not None and self.app.top is self and self._self_reports.is_due(self.controller):
            self._is_result_shown = False  # the result may change
            self.controller.show_final()
            self.app.push(SelfReportScreen(self.app, self.controller, self.view))

    # -- undo and redo -------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Undo to the last decision of a person at the window; a serious game needs consent."""
        self._notice = self._undo_requests.undo(self.controller) or self._notice

    def _on_undone(self) -> None:
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

    def redo(self) -> None:
        """Redo."""
        self._notice = self._undo_requests.redo(self.controller) or self._notice

    def undo_to(self, turn_count: int) -> None:
        """Undo to a number of turns (chosen in the replay)."""
        while self.app.top is not self and self.app.screens:
            self.app.pop()
        self._undo_requests.go_to(self.controller, turn_count)

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
        self.hints.clear_scatter()
        self.hints.cancel()
        self.analysis.shut_down()
        self.controller.cancel()
        self.session.close()

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
        self._bot_delay.update(self.controller, self.analysis if self.may_analyse else None, dt)
        if self.has_turns and self.controller.phase in ("choose", "think"):
            self.announce_turn()

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
        choices = [*self.available_choices(), *["H hint"] * self.can_hint, *["V shows it"] * self.demo.is_available]
        is_activity = self.activity_card is not None
        items = match_status.phase_keys(controller, self.match.game, choices, is_activity=is_activity)
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
        return "   ·   ".join([*items, "? help", "Esc back" if is_activity else "Esc menu"])

    @property
    def can_undo(self) -> bool:
        """True if an undo is possible: never in a challenge or lesson."""
        return self._undo_requests.can_undo(self.controller)

    def available_choices(self) -> list[str]:
        """Short texts of the actions of the seat to act."""
        return []


def piece_positions_below(overlay: Screen) -> list[tuple[float, float]]:
    """Window positions of the pieces under an overlay [pixels]."""
    screens = overlay.app.screens
    below = screens[screens.index(overlay) - 1] if overlay in screens[1:] else None
    return below.piece_positions if isinstance(below, MatchScreen) and below.match.game.uses_physics else []
