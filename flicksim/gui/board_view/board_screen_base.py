"""Base screen of tables where pieces are aimed and decisions taken from a list: boards and mats."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pygame

from flicksim.ai import ExecutionNoise
from flicksim.core.type_aliases import Action
from flicksim.gui.app import App, MatchSession
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.table_view import AimController, MouseKey, TableView, effects, gestures, key_moments
from flicksim.gui.table_view.decisions import Decision, decisions
from flicksim.gui.table_view.gestures import GestureNoise, ShotSpread, shot_spread
from flicksim.gui.table_view.hints import Hint, compute_hint, execution_noise_of
from flicksim.gui.toolkit import PRESS_KEYS, Button, Canvas, ListBox, Widget, key_bindings, palette
from flicksim.match import Turn, Warmup, action_chooser
from flicksim.referee import Policy
from flicksim.render import Camera
from flicksim.scene import Flick, Scene, Squidge

_INPUT_GRACE_TIME = 1.0
"""Time after a new turn, or a table that replaces another, during which a key does not shoot an untouched aim [s]."""
_WIDGET_KEYS = (
    *PRESS_KEYS, pygame.K_UP, pygame.K_DOWN, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_HOME, pygame.K_END,
    pygame.K_PAGEUP, pygame.K_PAGEDOWN,
)  # fmt: skip
"""Keys that widgets use."""


class BoardScreenBase(MatchScreen):
    """Match screen where lying pieces are flicked and decisions may be due (see `MatchScreen`)."""

    view: TableView
    aim_controller: AimController[Any]
    warmup_task: Warmup
    PLAYBACK_BUTTONS: Sequence[str] = ("pause", "step", "slow", "skip")
    """Names of the buttons shown during playback."""
    ACTION_VERB = "flick"
    """Verb for performing the aimed shot."""
    PERMANENT_BUTTONS: Sequence[str] = ("undo", "hint", "help", "fold", "menu")
    """Names of the buttons that are always shown."""

    def __init__(self, app: App, session: MatchSession) -> None:
        super().__init__(app, session)
        self.decisions: tuple[Decision, ...] = ()
        self.error = ""
        self.gesture_noise = GestureNoise(app.preferences.gesture)
        self.gesture_noise.has_effect = self.bar is None
        own = (turn.number for turn in reversed(self.match.turns) if self.match.players[turn.seat] is None)
        self._last_gesture = (next(own, 0), "")
        """Number of the last turn played at the window, and the gesture that gave it; of a resumed game unknown."""
        self._due_time = 0.0
        """Time since the seat is to act [s]."""
        self._scattered_shot: Action = None
        """Shot whose outcome scatter is shown."""
        self._mouse_key = MouseKey(self.handle_mouse)
        self._left_panel = self._right_panel = pygame.Rect(0, 0, 0, 0)
        self._decision_list = ListBox("Decide", [], on_activate=self._decide, row_height=26.0)
        self.buttons |= {
            "decide": Button("Do it", lambda: self._decide(self._decision_list.index), key="Enter", is_primary=True),
            "on": Button("Go on", lambda: self.controller.resume(), key="Space", is_primary=True),
        }

    def begin(self) -> None:
        """Begin to play, once the view and the aim are made."""
        self.warmup_task.start()
        choose_action = action_chooser(self.match, self.warmup_task)
        self.controller = self.configure(MatchController(self.match, self.session.recorder, choose_action))
        self.controller.on_change = self._on_change
        self._on_change()

    # -- overridden by table --------------------------------------------------------------------------------------

    def take_shot(self) -> None:
        """Play the shot that is aimed."""
        shot = self.aim_controller.take_shot()
        if shot is not None:
            self._perform(shot)

    def handle_mouse(self, event: pygame.event.Event) -> None:
        """Handle a mouse event that no widget has used."""
        raise NotImplementedError

    def on_aim_changed(self) -> None:
        """Called after a key has changed the aim."""
        self._notice = self.error = ""
        self.aim_controller.slingshot.is_aim_set = True

    def handle_own_key(self, event: pygame.event.Event) -> bool:
        """Handle a key that only this table has; return True if it was used."""
        del event
        return False

    def cancel_own(self) -> bool:
        """Cancel what only this table has under way (Esc); return True if there was anything."""
        return False

    def aim_widgets(self) -> list[Widget]:
        """Widgets shown while a shot is aimed."""
        raise NotImplementedError

    def decision_lines(self) -> list[str]:
        """Labels of the decisions in the list."""
        return [decision.short_text for decision in self.decisions]

    def _layout_decisions(self) -> None:
        """Place the list of decisions, if any are due, and its button."""
        raise NotImplementedError

    def set_shot(self, action: Action) -> bool:
        """Set the aim to a given shot (a hint); return False if the action is no shot."""
        if is_shot := isinstance(action, Flick | Squidge):
            self.aim_controller.set_shot(action)
        return is_shot

    def on_state_changed(self) -> None:
        """Let the view follow the action again after a change of the match, once the legal actions are known."""
        self.view.resume_following()

    def gesture_text(self) -> str:
        """Gesture that gives the shot, for the status line."""
        return gestures.RELEASE_TEXTS[self.gesture_noise.gesture].format(verb=self.ACTION_VERB)

    # -- legal actions -------------------------------------------------------------------------------------------

    @property
    def is_deciding(self) -> bool:
        """True while a decision is due and no shot."""
        return bool(self.decisions) and self.aim_controller.aim is None

    def _on_change(self) -> None:
        """Load the legal actions after a change of the match."""
        self.hints.cancel()
        self.hints.clear_scatter()
        self._notice, self.error, self.decisions = "", "", ()
        self._due_time, self.aim_controller.slingshot.is_aim_set = 0.0, False
        self.gesture_noise.reset()  # a gesture in progress was meant for the last position
        if self.controller.phase == "choose":
            self.aim_controller.refresh()
            self.decisions = decisions(self.match)
        else:
            self.aim_controller.clear()
        if self.controller.phase == "hold" and self.controller.turn is not None:
            self._show_score_gains(self.controller.turn)
        self._decision_list.set_lines(self.decision_lines(), self._default_decision())
        self.on_state_changed()
        self.build_form()

    def _default_decision(self) -> int:
        """Index of the decision selected at first."""
        return 0

    def build_form(self) -> None:
        """Build the widgets for the current phase."""
        buttons, controller = self.buttons, self.controller
        widgets: list[Widget] = []
        if controller.phase == "choose" and self.aim_controller.aim is not None:
            widgets = self.aim_widgets()
        elif controller.phase == "show":
            widgets = [buttons[k] for k in self.PLAYBACK_BUTTONS]
        elif controller.is_waiting:
            widgets = [buttons["on"]]
        if self.decisions:
            widgets = [*widgets, self._decision_list, buttons["decide"]]
        buttons["undo"].enabled = self.can_undo
        buttons["hint"].enabled = self.can_help and controller.phase == "choose"
        self.show_widgets(
            [buttons["fold"]] if self.is_folded else [*widgets, *(buttons[k] for k in self.PERMANENT_BUTTONS)]
        )
        if self.is_deciding:
            self.form.focus = self.form.widgets.index(self._decision_list)

    @property
    def is_folded(self) -> bool:
        """True while the panels are hidden; never while a decision is due."""
        return super().is_folded and not self.decisions

    @property
    def execution_noise(self) -> ExecutionNoise:
        """Execution noise of the person at the window, before that of the gesture."""
        return execution_noise_of(self.noise_grade)

    @property
    def shot_spread(self) -> ShotSpread | None:
        """Spread of shots with the current aim and gesture noise; None without execution noise."""
        return self.gesture_noise.spread(self.execution_noise, self.aim_controller.intended_shot)

    def _perform(self, action: Action) -> None:
        """Play an action with the current gesture noise, or show why it is refused."""
        self._last_gesture = (len(self.match.turns) + 1, gestures.gesture_feedback(self.gesture_noise))
        self.execute(action, self.execution_noise.scaled(self.gesture_noise.noise_scale))
        self.gesture_noise.reset()

    def execute(self, action: Action, noise_grade: ExecutionNoise) -> bool:
        """Play a flick with an execution noise grade; return False and show the reason if it is refused."""
        is_played = super().execute(action, noise_grade)
        if not is_played:
            self.error = self.controller.error
        return is_played

    @property
    def shot_feedback(self) -> str:
        """Feedback on a person's last flick: its deviation and its gesture; empty while the flick is under way."""
        number, gesture = self._last_gesture
        if self.controller.phase == "settle" or self.demo.is_running:
            return ""
        if not 0 < number <= len(self.match.turns):
            return self.activity_card.feedback if self.activity_card is not None else ""
        return gestures.shot_feedback(self.match.turns[number - 1], gesture)

    def _decide(self, index: int) -> None:
        if index < len(self.decisions):
            self._perform(self.decisions[index].action)

    def request_hint(self) -> None:
        """Ask a club player for a hint and set the aim to it."""
        seat = self.match.to_play
        if self.controller.phase == "choose" and seat is not None and self.hints.request is None:
            self.hints.request = compute_hint(self.match, seat, self.warmup_task, policy=self._hint_policy)

    @property
    def _hint_policy(self) -> Policy | None:
        return self.activity_card.hint_policy if self.activity_card is not None else None

    def _on_hint(self, hint: Hint) -> None:
        if self.set_shot(hint.action):
            self.aim_controller.slingshot.is_aim_set = True
            self.gesture_noise.accept_aim(self.aim_controller.intended_shot)
            self.show_outcome_scatter(hint.action)
            self._scattered_shot = self.aim_controller.intended_shot
            begin = "So a club player would aim." if self._hint_policy is None else "So the goal can be reached."
            self._notice = f"{begin}{hint.idea} Change it as you like, then {self.ACTION_VERB}."
            return
        for k, decision in enumerate(self.decisions):
            if decision.action == hint.action:
                self._decision_list.select(k)
                self._notice = "So a club player would decide."

    # -- events, time ---------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN:
            self._handle_key(event)
        elif event.type == pygame.KEYUP:
            self._handle_key_up(event)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.gesture_noise.reset()
            self.aim_controller.cancel()
        elif self.form.handle(event):
            if event.type == pygame.MOUSEBUTTONUP and self.form.focused is not self._decision_list:
                self.form.focus = None  # a clicked button gives the keys back to the table
        else:
            self.handle_mouse(event)

    def _handle_key_up(self, event: pygame.event.Event) -> None:
        """Handle the release of a key: it may give the flick or end a pull."""
        if event.key in PRESS_KEYS and self.gesture_noise.release() and self.controller.phase == "choose":
            self.take_shot()
        else:
            self._mouse_key.release(event)

    def _handle_continue_click(self, event: pygame.event.Event) -> bool:
        """Focus the table on a click and continue a waiting game; return True if it did."""
        if event.type != pygame.MOUSEBUTTONDOWN or event.button != 1 or not self.view.contains(event.pos):
            return False
        self.form.focus = None
        was_waiting = self.controller.is_waiting
        if was_waiting:
            self.controller.resume()
        return was_waiting

    def _handle_key(self, event: pygame.event.Event) -> None:
        is_aiming = self.controller.phase == "choose" and self.aim_controller.aim is not None
        if event.key == pygame.K_ESCAPE:
            if not (self.aim_controller.cancel() or self.gesture_noise.reset() or self.cancel_own()):
                self.open_menu()
            return
        is_form_key = event.key == pygame.K_TAB or (self.form.focus is not None and event.key in _WIDGET_KEYS)
        if is_form_key and self.form.handle(event, can_leave=is_aiming or not self.decisions):
            return
        common = key_bindings.common_action(event)
        if common in ("help", "undo", "redo") or (common == "show plan" and self.demo.solution is not None):
            self.handle_common_key(event)
        elif is_aiming and self.aim_controller.handle_key(event):
            self.on_aim_changed()
        elif not (
            (is_aiming and self._mouse_key.press(event, self.view.area))
            or self.handle_own_key(event)
            or self.view.handle(event)
        ):
            self._handle_letter(event)

    def _handle_letter(self, event: pygame.event.Event) -> None:
        """Handle a key that neither a widget nor the aim has used."""
        if self.handle_common_key(event) or event.key not in PRESS_KEYS:
            return
        if self.controller.is_waiting:
            self.controller.resume()
        elif self.controller.phase == "choose" and self.is_deciding:
            self._decide(self._decision_list.index)
        elif self.controller.phase == "choose" and self._is_in_grace_time:
            self._notice = f"Your turn. Aim, then Space to {self.ACTION_VERB}."
        elif self.controller.phase == "choose" and self.gesture_noise.press():
            self.take_shot()

    @property
    def _is_in_grace_time(self) -> bool:
        """Return True if a key may still have been meant for what was shown before, so that it must not shoot."""
        has_changed = bool(self.match.turns) or (self.activity_card is not None and self.activity_card.replaces_table)
        return has_changed and not self.aim_controller.slingshot.is_aim_set and self._due_time < _INPUT_GRACE_TIME

    @property
    def is_animating(self) -> bool:
        return super().is_animating or self.gesture_noise.is_changing or self.aim_controller.is_pulling

    def update(self, dt: float) -> None:
        super().update(dt)
        self.controller.update(dt)
        self._due_time += dt
        self.gesture_noise.gesture = self.app.preferences.gesture
        self.aim_controller.slingshot.scale = self.app.scale
        intended = self.aim_controller.intended_shot if self.controller.phase == "choose" else None
        self.gesture_noise.update(intended, dt, is_pulling=self.aim_controller.is_pulling)
        if intended != self._scattered_shot:  # the dots are of the hinted shot
            self.hints.clear_scatter()
        self.hints.poll(self._on_hint)
        if self.activity_card is not None:
            self.activity_card.feedback = self.shot_feedback
        self.on_end()
        playback = self.controller.playback
        if playback is not None:
            self.buttons["pause"].label = "Go on" if playback.is_paused else "Pause"
        self._layout_decisions()
        self.open_self_report()

    # -- effects --------------------------------------------------------------------------------------------------

    def _show_score_gains(self, turn: Turn) -> None:
        """Let the points won in a turn fly to the score."""
        for seat, text, position in key_moments.score_gains(turn):
            end = self.controller.score_positions.get(seat)
            if end is not None:
                key = palette.seat_key(seat, self.match.game.seat_names)
                self.effects.fly_score(text, key, partial(self.view.to_screen, position), end)
                self.app.sounds.play("chime", 0.6)

    def draw_pending_piece(self, canvas: Canvas, shot: Action) -> None:
        """Draw a piece that a shot, if any is made, brings in from the hand at its starting place."""

    @property
    def wait_text(self) -> str:
        text = super().wait_text
        if not text:
            return ""
        first, stop, _ = self.warmup_task.message.partition(". ")
        return first + stop.rstrip() or text

    def draw_underlay(self, canvas: Canvas) -> None:
        """Draw the map of the best flick and the aim of a bot under the pieces."""
        if self.controller.phase in ("think", "choose"):
            self.analysis.draw_underlay(canvas, self.view.camera)
        if self.controller.bot_action is not None and self.match.to_play is not None:
            self._draw_bot_aim(canvas, self.match.to_play)

    def draw_overlay(self, canvas: Canvas) -> None:
        """Draw the piece a bot brings in, impacts and the analysis, then the common overlay."""
        controller, view = self.controller, self.view
        is_shown = controller.phase == "show"
        with canvas.clipped(view.area):
            contact = self.aim_controller.contact_point
            meter_time = self.gesture_noise.meter_time
            if controller.phase == "choose" and meter_time is not None and contact is not None:
                effects.draw_meter(canvas, view.camera.to_screen(contact), gestures.meter_height(meter_time))
            self.draw_pending_piece(
                canvas, controller.pending if controller.phase == "settle" else controller.bot_action
            )
            if (playback := controller.playback) is not None and is_shown and not controller.reduced_motion:
                effects.draw_impacts(canvas, view.camera, playback.trajectory.events, playback.time)
            if controller.phase in ("think", "choose"):
                self.analysis.draw_overlay(canvas, view.camera)
        if playback is not None and is_shown and playback.is_slowed:
            effects.draw_slow_motion_label(canvas, view.unobstructed)
        super().draw_overlay(canvas)

    def _draw_bot_aim(self, canvas: Canvas, seat: int) -> None:
        """Draw the spread of a bot's aim, growing as it draws back."""
        segment = self.shot_path(self.controller.bot_action)
        if segment is not None:
            colour = palette.seat_colour(palette.seat_key(seat, self.match.game.seat_names))
            progress = 1.0 if self.controller.reduced_motion else self.controller.bot_pull
            spread = shot_spread(self.match.noise[seat], meant=self.controller.bot_action)
            effects.draw_bot_aim(canvas, self.view.camera, segment, spread, colour, progress)

    def draw_pieces(self, canvas: Canvas, camera: Camera, excluded: str | None = None) -> Scene | None:
        """Draw the pieces as they move or lie, but an excluded one. Return the scene where they lie."""
        painter, controller = self.view.painter, self.controller
        if controller.phase == "show" and controller.playback is not None:
            painter.draw_trajectory(canvas, camera, controller.playback.trajectory, controller.playback.time)
            return None
        scene = controller.visible_scene()
        if controller.phase == "hold" and controller.playback is not None:
            painter.draw_paths(canvas, camera, controller.playback.trajectory)
        if scene is not None:
            pieces = (piece for piece in scene.pieces if piece.id != excluded)
            painter.draw_pieces(canvas, camera, pieces, is_moving=self.view.is_animating)
        return scene
