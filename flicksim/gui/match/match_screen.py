"""Base class of match screens: undo and redo, menu, help, pause, status line."""

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from flicksim.gui.app import App, HelpScreen, MatchSession, Screen
from flicksim.gui.match.assisted_screen import AssistedScreen
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.match.overlays import ConfirmScreen, EndScreen, PauseScreen, host_question
from flicksim.gui.match.self_report import SelfReportScreen
from flicksim.gui.table_view import match_text
from flicksim.gui.table_view.hints import noise_text
from flicksim.gui.toolkit import PRESS_KEYS, Button, Form, Widget, key_bindings

PLAYBACK_SPEEDS = ("true speed", "slow", "very slow")
"""Value of the preference for each of `playback.RATES`."""
_MIN_CARD_WIDTH = 200.0
"""Least width of an activity card [units]."""
_FOLD_HELP = "Panels away, so that the table fills the window."
_NO_UNDO_TEXT = "Here it stays as it is: begin again instead."
_NO_REMOTE_PAUSE_TEXT = "The others do not see a pause here: say that you need a moment (F4)."
_NO_REDO_TEXT = "What the others have agreed to take back is played anew."
_HOSTS_HAND_TEXT = "How steady your hand is was said at the host, who also makes its error."


class MatchScreen(AssistedScreen):
    """Base class of match screens.

    Args:
        session: the match and its recorder.
    """

    def __init__(self, app: App, session: MatchSession) -> None:
        super().__init__(app, session)
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
