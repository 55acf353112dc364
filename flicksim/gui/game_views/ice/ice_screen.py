"""Match screen of pyramid games: simultaneous launches, by mouse and by keys for every seat."""

from functools import partial

import pygame

from flicksim.gui.app.application import App
from flicksim.gui.app.match_session import MatchSession
from flicksim.gui.game_views.ice import SHARED_KEYS, SINGLE_PLAYER_KEYS, launch_log
from flicksim.gui.game_views.ice.end_screen import IceEndScreen
from flicksim.gui.game_views.ice.ice_screen_base import IceScreenBase
from flicksim.gui.game_views.ice.launch_log import CountedPieces
from flicksim.gui.table_view import GestureNoise, MouseKey, effects, gestures, side_panel
from flicksim.gui.toolkit import PRESS_KEYS, Canvas, key_bindings, palette
from flicksim.scene import SIZES

_ONLY_SEAT_TEXT = "Yours is the only seat at this window."
_NO_MISSILES_TEXT = "No other seat at this window has missiles left to launch."
_INPUT_GRACE_TIME = 1.0
"""Time after the end of a replay during which a key launches nothing [s]."""


class IceScreen(IceScreenBase):
    """Match of a game of pyramids in the window (see `MatchScreen`)."""

    def __init__(self, app: App, session: MatchSession) -> None:
        super().__init__(app, session)
        self._mouse_key = MouseKey(self._handle_mouse)
        self.counted_pieces: tuple[int, CountedPieces] = (0, ())
        """Number of turns seen, and the points of the pieces then."""
        self._replay_end_time = 0.0
        """Time during which a key may still have been meant for the replay [s]."""

    # -- events ---------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        match event.type:
            case pygame.KEYDOWN:
                self._handle_key(event)
            case pygame.KEYUP:
                self.launcher_control.handle_key_up(event)
                self._mouse_key.release(event)
                noise = self._gesture_noise if event.key in PRESS_KEYS else None
                if noise is not None and noise.release() and self.launcher_control.is_aiming:
                    self.launch(self.seat)
            case pygame.WINDOWFOCUSLOST:
                self.launcher_control.cancel()
            case _:
                self._handle_mouse(event)

    def _handle_mouse(self, event: pygame.event.Event) -> None:
        control = self.launcher_control
        if not control.is_busy and self.form.handle(event):
            if event.type == pygame.MOUSEBUTTONUP:
                self.form.focus = None  # a button pressed by mouse gives the keys back to the table
            return
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            card = next((k for k, rect in enumerate(self.drawing.cards) if rect.collidepoint(event.pos)), None)
            if card is not None and self.people:
                self._choose_seat(card)
                return
            self.form.focus = None
        if control.is_aiming and control.handle_mouse(event, self.app.scale):
            if control.is_busy:
                self._on_aim_changed()
            return
        is_click = event.type == pygame.MOUSEBUTTONDOWN and event.button == 1
        if is_click and self.controller.phase == "show" and self.view.area.collidepoint(event.pos):
            self.controller.resume()
            return
        self.view.handle(event)

    def _choose_seat(self, seat: int) -> None:
        """Give the mouse to a seat, or show why it cannot be had."""
        if seat in self.people:
            self._on_aim_changed()
            self.launcher_control.seat = seat
        else:
            self._notice = "Nobody at this window launches for that seat: choose one of your own."

    def _handle_key(self, event: pygame.event.Event) -> None:
        control, common = self.launcher_control, key_bindings.common_action(event)
        is_single, is_aiming = not control.clusters, control.is_aiming
        plain = event.key in (*PRESS_KEYS, pygame.K_LEFT, pygame.K_RIGHT)
        is_for_form = event.key == pygame.K_TAB or (self.form.focus is not None and plain)
        if event.key == pygame.K_ESCAPE:
            if self._early_seats:
                self._early_seats.clear()
                self._notice = ""
            elif not control.cancel():
                self.open_menu()
            return
        if is_aiming and not is_single and control.handle_key(event):
            return
        if is_aiming and self.extra_keys()[0].match(event)[0] == "seat":
            self._on_aim_changed()
            before = self.seat
            control.select_next_seat()
            if self.seat == before:
                self._notice = _ONLY_SEAT_TEXT if len(self.people) == 1 else _NO_MISSILES_TEXT
            return
        if is_for_form and self.form.handle(event, can_leave=True):
            return
        if common in ("help", "undo", "redo"):
            self.handle_common_key(event)
            return
        if is_single and self._handle_single_key(event):
            return
        if is_aiming and self._mouse_key.press(event, self.view.area):
            return
        if common == "skip" and self.controller.is_slowed:
            self.controller.skip_slow_motion()
        elif not self.handle_common_key(event) and not self.view.handle(event) and event.key in PRESS_KEYS:
            self._handle_press_key()

    def _handle_single_key(self, event: pygame.event.Event) -> bool:
        """Handle a key of the only person at the window; return True if it was one."""
        control, command = self.launcher_control, SINGLE_PLAYER_KEYS.match(event)[0]
        if control.is_aiming and control.handle_key(event):
            self._on_aim_changed()
        elif control.is_aiming and (command in SIZES or command == "next"):
            self.load_missile(next((size for size in SIZES if size == command), None))
        elif command == "best":
            self.replay_best()
        else:
            return False
        return True

    def _handle_press_key(self) -> None:
        """Handle Space or Enter: go on from a replay, or launch."""
        if self.controller.phase == "show":
            self.controller.resume()
        elif self.launcher_control.is_aiming and self._replay_end_time > 0.0:
            self._notice = "Back in the game: Space launches."
        elif self.launcher_control.is_aiming and (
            not self.controller.rules_state.started or self._gesture_noise is None or self._gesture_noise.press()
        ):
            self.launch(self.seat)

    @property
    def _gesture_noise(self) -> GestureNoise | None:
        """Gesture noise of the seat that the keys control."""
        return self.launcher_control.gesture_noises.get(self.seat)

    def draw_overlay(self, canvas: Canvas) -> None:
        """Draw the swinging power meter beside the launcher, then the common overlay."""
        gesture_noise = self._gesture_noise
        if gesture_noise is not None and gesture_noise.meter_time is not None and self.launcher_control.is_aiming:
            at = self.view.camera.to_screen(self.pose.position)
            with canvas.clipped(self.view.area):
                effects.draw_meter(canvas, at, gestures.meter_height(gesture_noise.meter_time))
        if self.controller.is_slowed:
            effects.draw_slow_motion_label(canvas, self.view.unobstructed)
        super().draw_overlay(canvas)

    def extra_keys(self) -> tuple[key_bindings.KeyMap, ...]:
        return (SHARED_KEYS if self.launcher_control.clusters else SINGLE_PLAYER_KEYS,)

    def available_choices(self) -> list[str]:
        started = self.controller.rules_state.started
        if not self.people:
            return ["The bots play by themselves", "B best launch", "P pause"]
        if self.launcher_control.clusters:
            launch = "Hold your key to charge, let go to launch"
            first = launch if started else "Each: choose a size, then your launch key"
            return [first, "the mouse plays the lit seat", "T next seat", "P pause"]
        if not started:
            return ["1 2 3 choose a missile", "Space: ready"]
        has_others = any(seat != self.seat and self.controller.has_missile(seat) for seat in self.people)
        next_seat = ["T next seat"] * has_others
        if not self.controller.rules_state.hands[self.seat]:
            return [*next_seat, "All yours are launched: the game ends by itself", "Z nearer", "B best launch"]
        aim = ["Pull back and let go, or arrows and Space", "1 2 3 missile", "W S Q E nail"]
        return [*next_seat, *aim, "Z nearer", "B best launch"]

    def status_line(self) -> str:
        more = {"show": "Space: back to the game", "over": "B best launch   ·   Z nearer"}.get(self.controller.phase)
        line = super().status_line()
        return f"{more}   ·   {line}" if more is not None and not self.controller.is_paused else line

    # -- time and picture -----------------------------------------------------------------------------------------

    def on_undo(self) -> None:
        self.launcher_control.cancel()
        self._early_seats.clear()
        self.hints.clear_scatter()
        self._notice = ""

    @property
    def is_animating(self) -> bool:
        control, gesture_noise = self.launcher_control, self._gesture_noise
        is_launching = control.is_busy or bool(control.charge_times)
        return super().is_animating or is_launching or (gesture_noise is not None and gesture_noise.is_changing)

    def update(self, dt: float) -> None:
        super().update(dt)
        controller = self.controller
        for gesture_noise in self.launcher_control.gesture_noises.values():
            # with several people at one keyboard no key is free
            gesture_noise.has_effect = self.bar is None
            gesture_noise.gesture = self.app.preferences.gesture if not self.launcher_control.clusters else "pull"
        if not controller.is_paused:
            self.launcher_control.update(dt)
        showing, before = controller.phase == "show", controller.time
        controller.update(dt)
        if before < 0.0 <= controller.time and controller.phase == "choose":
            self.effects.show_turn_banner("Launch!", "", None)
        self.launch_early_seats()
        self._show_score_gains()
        has_ended = showing and controller.phase == "choose"
        self._replay_end_time = _INPUT_GRACE_TIME if has_ended else max(0.0, self._replay_end_time - dt)
        if self._blocked_notice is not None and controller.can_act(self._blocked_notice[0]):
            self._notice = "" if self._notice == self._blocked_notice[1] else self._notice
            self._blocked_notice = None
        self.hints.poll(self._on_hint)
        self.on_end()
        clock = controller.playback_clock
        held = clock.is_paused if clock is not None else controller.is_paused
        self.buttons["pause"].label = "Go on" if held else "Pause"
        self.buttons["hand"].label = f"Hand: {self.noise_grade}"
        self.buttons["follow"].label = "Whole table" if self.view.is_following else "Nearer"
        remaining = launch_log.stash_counts(controller.rules_state, self.seat)
        for size in SIZES:
            button = self.buttons[size]
            button.label, button.enabled = f"{size.capitalize()}  × {remaining[size]}", remaining[size] > 0
            button.is_primary = size == self.pose.size
        self.buttons["launch"].enabled = any(remaining.values())
        self.buttons["hint"].enabled = self.can_help and controller.phase == "choose"
        self.view.update(dt)
        self.view.close_up_center = self.drawing.close_up_center()
        self.open_self_report()

    def _show_score_gains(self) -> None:
        """Let points gained or lost fly to the card of their seat."""
        controller = self.controller
        before, seen = self.counted_pieces, controller.visible
        self.counted_pieces = seen.turn_count, seen.counted_pieces
        if seen.turn_count <= before[0]:  # no new turn, or an undo
            return
        for seat, points, at in launch_log.score_changes(before[1], seen.counted_pieces):
            card, away = self.drawing.cards[seat], round(22 * self.app.scale)
            end = (card.right - away, card.y + away)
            key = palette.seat_key(seat, self.match.game.seat_names)
            self.effects.fly_score(f"{points:+d}", key, partial(self.view.to_screen, at), end)
            self.app.sounds.play("chime" if points > 0 else "murmur", 0.6)

    def result_screen(self) -> IceEndScreen:
        best = self.replay_best if self.best_launch() else None
        return IceEndScreen(self.app, self.match, self._restart, self.undo, best, self._self_report_action)

    def card_area(self, area: pygame.Rect) -> pygame.Rect:
        """Area of the activity card: in the game panel, over its buttons."""
        drawing = self.drawing
        if self.is_folded or not drawing.inner:
            return area
        height = drawing.footer_top - drawing.cards_bottom
        return pygame.Rect(drawing.inner.x, drawing.cards_bottom, drawing.inner.w, height)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the launch on the left, table and side view in the middle, the seats on the right."""
        if self.is_folded:
            self.drawing.layout_table_only(self.buttons, size, scale)
            self.notice_area = None
        else:
            self.drawing.layout(self.buttons, self.sliders, size, scale)
            panel, foot = self.drawing.right, self.drawing.footer_top
            self.notice_area = pygame.Rect(panel.x, panel.y, panel.w, foot - panel.y)

    def draw(self, canvas: Canvas) -> None:
        drawing = self.drawing
        drawing.outcome_scatter = self.hints.scatter
        drawing.draw_table(canvas)
        if self.is_folded:
            drawing.draw_cards(canvas)
            fold = self.buttons["fold"].rect
            messages = (self.controller.prompt, self._notice, self.controller.error)
            side_panel.draw_chip(canvas, (self.app.scale * 8, fold.bottom), fold.x - fold.w, messages)
        else:
            drawing.draw_side_view(canvas)
            drawing.draw_launcher(canvas)
            drawing.draw_panel(canvas, self.note, self.shot_feedback, self.above_card(drawing.footer_top))
        self.form.draw(canvas)
