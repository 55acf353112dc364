"""Practice screen: set up a drill, aim, shoot once to see it or many times to count it."""

import secrets

import pygame

from flicksim.ai import GRADES, ExecutionNoise
from flicksim.core.limits import parse_int
from flicksim.core.units import mm
from flicksim.games import load
from flicksim.gui.app import App, HelpScreen, Screen
from flicksim.gui.game_views.tiddlywinks import PRACTICE_KEYS, side_view
from flicksim.gui.game_views.tiddlywinks.camera_view import WinkView
from flicksim.gui.game_views.tiddlywinks.practice import MAX_DISTANCE, Drill, ShotSeries, ShotTally
from flicksim.gui.game_views.tiddlywinks.squidge_aim import SLIDERS
from flicksim.gui.game_views.tiddlywinks.squidge_controller import SquidgeController
from flicksim.gui.table_view import GestureNoise, MouseKey, Playback, effects, event_sounds, gestures, side_panel
from flicksim.gui.table_view.hints import execution_noise_of
from flicksim.gui.table_view.side_panel import draw_caption
from flicksim.gui.toolkit import PRESS_KEYS, Button, Canvas, Choice, Form, TextField, Widget, palette, place_in_grid
from flicksim.gui.toolkit.key_bindings import common_action, help_bindings
from flicksim.gui.toolkit.numeric_slider import NumericSlider
from flicksim.match import WINK_WARMUP, Match
from flicksim.render import Camera
from flicksim.scene import Squidge

_NO_NOISE = "exact"
"""Choice without execution noise: it plays just the aimed flick, for study."""
NOISE_GRADES = (_NO_NOISE, *reversed(GRADES))
_HIT_TEXT, _MISS_TEXT = "Hit.", "Missed."


class PracticeScreen(Screen):
    """Screen with a drill, the aim and the tally.

    Args:
        app: the application. drill: to begin with.
    """

    def status_line(self) -> str:
        gesture_keys = {"pull": "Space, or drag back anywhere", "hold": "hold Space, let go at the top",
                  "flick": "two beats of Space, or a stroke"}[self.gesture_noise.gesture]  # fmt: skip
        hints = ["Arrows aim and push", "W S rise", "O aims at the target", f"once: {gesture_keys}", "N shoots many"]
        return "   ·   ".join([*hints, "Tab goes through the numbers", "? help", "Esc back"])

    def __init__(self, app: App, drill: Drill | None = None) -> None:
        super().__init__(app)
        self.drill = drill or Drill()
        WINK_WARMUP.start()
        self.tally, self.series = ShotTally(), None  # type: tuple[ShotTally, ShotSeries | None]
        self.playback: Playback | None = None
        self.gesture_noise = GestureNoise(app.preferences.gesture)
        self._mouse_key = MouseKey(self._handle_mouse)
        self.notice, self.error = "", ""
        self._single_shot = False
        self.match = self._drill_match()
        self.game = self.match.game
        self.view = WinkView(self.match.game.seat_names, self.match.state.scene.surface)
        self.view.has_rulers = True
        self.aim_controller = SquidgeController(self.match, self.view, self.gesture_noise)
        apply, begin = self._apply_drill, self.drill
        self._target = Choice("Target", ("pot", "wink"), int(begin.target == "wink"), apply, "What to hit.")
        self._kind = Choice("Your wink", ("small", "large"), int(begin.kind == "large"), apply, "Its size.")
        distance = f"{begin.distance * 1000:.0f}"
        self._distance = TextField("Distance [mm]", distance, apply, "Middle to middle.", (20, 950))
        usual, help_text = NOISE_GRADES.index("club"), "Errs as at the table; exact is for study."
        self._noise_choice = Choice("Hand", NOISE_GRADES, usual, apply, help_text)
        self._shot_count = TextField("Shots", "100", None, "How many at one go.", (1, 5000))
        self.sliders = [
            NumericSlider(spec, lambda: self.aim_controller.aim, self.aim_controller.check_legality) for spec in SLIDERS
        ]
        self._buttons: dict[str, Button] = {
            "once": Button("Shoot once", self.shoot_once, key="Space", is_primary=True),
            "many": Button("Shoot many", self.toggle_series, key="N"),
            "aim": Button("Aim at the target", self.aim_at_target, key="O"),
            "forget": Button("Clear", self.clear_tally, key="C"),
            "back": Button("Back", app.pop, key="Esc"),
        }
        """Buttons by the actions of their keys."""
        self.fields: list[Widget] = [self._target, self._kind, self._distance, self._noise_choice, self._shot_count]
        self.form = Form([*self.fields, *self.sliders, *self._buttons.values()], None, arrows=True)
        self._panel_rect = self._aim_rect = self._frame = pygame.Rect(0, 0, 0, 0)
        self.aim_at_target()

    # -- setting it up --------------------------------------------------------------------------------------------

    def _apply_drill(self) -> None:
        """Start a changed drill, or show what is wrong with it."""
        distance, limit = self._distance.value, MAX_DISTANCE[self._target.value]
        self._distance.error = self.error = ""
        mms = parse_int(distance)
        if mms is None or not 20 <= mms <= limit:
            self._distance.error = self.error = f"distance {distance!r} must be a whole number of mm, 20 to {limit}"
            return
        target, kind = self._target.value, self._kind.value
        drill = Drill("wink" if target == "wink" else "pot", "large" if kind == "large" else "small", mm(float(mms)))
        if drill == self.drill:
            return
        self.drill = drill
        self.clear_tally()
        self.match = self._drill_match()
        before = self.aim_controller.slingshot
        self.aim_controller = SquidgeController(self.match, self.view, self.gesture_noise)
        self.aim_controller.slingshot.is_aim_set, self.aim_controller.slingshot.scale = before.is_aim_set, before.scale
        self.aim_at_target()

    def aim_at_target(self) -> None:
        """Aim at the target."""
        if self.aim_controller.aim is None:
            self.aim_controller.refresh()
        if self.drill.target == "pot":
            reached = self.aim_controller.aim_at_pot()
        else:
            target = next(piece for piece in self.aim_controller.scene.pieces if piece.id != self.drill.wink)
            reached = self.aim_controller.aim_at(target.id, target.position, target.highest)
        self.notice = "" if reached else "It cannot be reached like this."
        self.view.resume_following()

    def clear_tally(self) -> None:
        """Reset the tally."""
        self.stop_series()
        self.tally, self.playback, self.series = ShotTally(), None, None

    def stop_series(self) -> None:
        """Stop a series."""
        if self.series is not None:
            self.series.is_stopped = True

    # -- shooting -------------------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """True while shots are being simulated."""
        return self.series is not None and not self.series.job.is_done

    def _drill_match(self) -> Match:
        match = self.drill.make_match()
        match.simulator = WINK_WARMUP.with_fallback(match.simulator)
        return match

    @property
    def execution_noise(self) -> ExecutionNoise:
        """Execution noise that is practised."""
        return execution_noise_of(self._noise_choice.value)

    def shoot_once(self, shot: Squidge | None = None) -> None:
        """Play and show one shot with the current gesture noise."""
        self._start_series(1, shot, self.execution_noise.scaled(self.gesture_noise.noise_scale))
        self._single_shot = True
        self.gesture_noise.reset()

    def toggle_series(self) -> None:
        """Start a series of shots, or stop it."""
        if self.is_busy:
            self.stop_series()
            return
        count = parse_int(self._shot_count.value)
        if count is None or not 1 <= count <= 5000:
            self.error = f"shots {self._shot_count.value!r} must be a whole number from 1 to 5000"
            return
        self._single_shot = False
        self._start_series(count, None, self.execution_noise)

    def _start_series(self, shots: int, shot: Squidge | None, noise: ExecutionNoise) -> None:
        intended = shot or self.aim_controller.take_shot()
        if intended is None or self.is_busy or self.error:
            return
        self.playback, self.notice = None, ""
        self.series = ShotSeries(self.drill, self.match, intended, noise, shots, self.tally, secrets.randbelow(2**63),
                                 lambda: WINK_WARMUP.is_ready)  # fmt: skip

    def show_help(self) -> None:
        self.app.push(HelpScreen(self.app, help_bindings((PRACTICE_KEYS,), has_flicks=True), load("tiddlywinks")))

    # -- events ---------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN:
            self._handle_key(event)
            return
        if event.type == pygame.KEYUP:
            if event.key in PRESS_KEYS and self.gesture_noise.release() and not self.is_busy:
                self.shoot_once()
            self._mouse_key.release(event)
            return
        if event.type == pygame.WINDOWFOCUSLOST:
            self.gesture_noise.reset()
        if self.form.handle(event):
            if event.type == pygame.MOUSEBUTTONUP and not isinstance(self.form.focused, TextField):
                self.form.focus = None
            return
        self._handle_mouse(event)

    def _handle_mouse(self, event: pygame.event.Event) -> None:
        """Handle the mouse: aim, pull back, strike, move the view."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.form.focus = None
        mouse = event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION)
        if mouse and getattr(event, "button", 1) == 1 and not self.is_busy:
            shot = self.aim_controller.handle_mouse(event)
            if shot is not None:
                self.shoot_once(shot)
                return
            if self.aim_controller.slingshot.pull is not None:
                return
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3 and self.aim_controller.cancel():
            return
        self.view.handle(event)

    def _handle_key(self, event: pygame.event.Event) -> None:
        if event.key == pygame.K_ESCAPE:
            if not self.aim_controller.cancel() and not self.gesture_noise.reset():
                self.app.pop()
            return
        is_for_form = event.key == pygame.K_TAB or self.form.focused is not None
        if is_for_form and self.form.handle(event, can_leave=True):
            return
        command = PRACTICE_KEYS.match(event)[0] or common_action(event)
        if command == "help":
            self.show_help()
        elif command in self._buttons:
            self._buttons[command].action()
        elif event.key in PRESS_KEYS:
            if not self.is_busy and self.gesture_noise.press():
                self.shoot_once()
        elif not self._mouse_key.press(event, self.view.area) and not self._handle_playback_key(command):
            if self.aim_controller.handle_key(event):
                self.aim_controller.slingshot.is_aim_set = True
            else:
                self.view.handle(event)

    def _handle_playback_key(self, command: str) -> bool:
        """Handle a key while a shot is shown; return True if it was one for that."""
        playback = self.playback
        match command:
            case _ if playback is None:
                return False
            case "pause":
                playback.is_paused = not playback.is_paused
            case "step" | "step back":
                playback.step(1 if command == "step" else -1)
            case "skip":
                playback.skip()
            case _:
                return False
        return True

    # -- time and picture -----------------------------------------------------------------------------------------

    @property
    def is_animating(self) -> bool:
        is_playing = self.playback is not None and not self.playback.is_paused
        is_aiming = self.gesture_noise.is_changing or self.aim_controller.is_pulling
        return is_playing or is_aiming or self.view.is_animating

    def update(self, dt: float) -> None:
        self.gesture_noise.gesture = self.app.preferences.gesture
        self.gesture_noise.update(
            None if self.is_busy else self.aim_controller.intended_shot, dt, is_pulling=self.aim_controller.is_pulling
        )
        series = self.series
        if series is not None and series.job.is_done:
            series.job.result()
            if self._single_shot and series.last_result is not None:
                self.playback, self._single_shot = Playback(series.last_result), False
                self.notice = _HIT_TEXT if self.tally.end_points and self.tally.end_points[-1][1] else _MISS_TEXT
            self.series = None
        if self.playback is not None:
            before = self.playback.time
            self.playback.advance(dt)
            for name, volume in event_sounds(self.playback.trajectory, before, self.playback.time):
                self.app.sounds.play(name, volume)
            if self.playback.is_finished and not self.playback.is_paused:
                self.playback = None
        self._buttons["many"].label = "Stop" if self.is_busy else f"Shoot {self._shot_count.value or '?'}"
        self._buttons["once"].enabled = not self.is_busy
        aim = self.aim_controller.aim
        if aim is not None:
            self.view.follow_points([aim.contact_point, (0.0, 0.0)])
        self.view.update(dt)

    def close(self) -> None:
        self.stop_series()

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place mat, aim and side view as in a match, and the drill on the right."""
        w, h = size
        pad, right = round(14 * scale), round(324 * scale)
        edge = round(8 * scale)
        self._panel_rect = pygame.Rect(w - right, edge, right - edge, h - 2 * edge)
        self.view.reserved_width = round(262 * scale)
        self.view.set_area(pygame.Rect(0, 0, w, h), 46 * scale, pygame.Rect(0, 0, w - right, h))
        self.aim_controller.slingshot.scale = scale
        top = self.view.unobstructed.bottom + round(10 * scale)
        self._aim_rect = pygame.Rect(pad, top, round(248 * scale), h - top - pad)
        self._frame = self._aim_rect.inflate(pad, pad)
        self.view.obstructions = [*self.view.obstructions[:2], self._panel_rect, self._frame]
        inner, row, gap = self._panel_rect.inflate(-2 * pad, -2 * pad), round(36 * scale), round(6 * scale)
        place_in_grid(self.fields, inner.move(0, round(40 * scale)), row - gap, gap)
        foot = place_in_grid(list(self._buttons.values()), inner, row, gap, at_bottom=True).y
        self.notice_area = pygame.Rect(self._panel_rect.topleft, (right - edge, foot - edge))
        high, step = round(22 * scale), round(26 * scale)
        place_in_grid(self.sliders, self._aim_rect.move(0, round(20 * scale)), high, step - high)
        self._sliders_bottom = self.sliders[-1].rect.y + step

    _sliders_bottom = 0

    def draw(self, canvas: Canvas) -> None:
        with canvas.clipped(self.view.area):
            self.view.draw(canvas)
            self._draw_mat(canvas, self.view.camera)
        self.view.draw_shelf(canvas, lambda camera: self._draw_mat(canvas, camera))
        aim = self.aim_controller.aim
        canvas.panel(self._frame)
        playback, side, rect = self.playback, self.view.side_rect, self._aim_rect
        if playback is not None:
            side_view.draw_flight(canvas, side, self.view.painter, playback.trajectory, playback.time)
            side_panel.draw_playback(canvas, rect, playback) if aim is None else None
        elif aim is not None:
            side_view.draw_predicted(canvas, side, self.view.painter, self.aim_controller)
        if aim is not None:
            draw_caption(canvas, rect, "aim")
            text_rect = pygame.Rect(rect.x, self._sliders_bottom + 4, rect.w, canvas.line_height(13) * 3)
            how = self.gesture_noise.spread_text(self.execution_noise, self.aim_controller.intended_shot)
            canvas.paragraph(f"{aim.arc_text}; {how}", text_rect, 13, palette.ACCENT)
        self._draw_panel(canvas)
        self.form.draw(canvas)

    def _draw_mat(self, canvas: Canvas, camera: Camera) -> None:
        painter, aim = self.view.painter, self.aim_controller.aim
        spread = self.gesture_noise.spread(self.execution_noise, self.aim_controller.intended_shot)
        meter_time = self.gesture_noise.meter_time
        if self.playback is not None:
            painter.draw_trajectory(canvas, camera, self.playback.trajectory, self.playback.time)
        else:
            self.aim_controller.draw_spread(canvas, camera, painter, spread)
            painter.draw_pieces(canvas, camera, self.aim_controller.scene.pieces)
        for end, hit in self.tally.end_points[-2000:]:
            if end is None:
                continue
            x, y = camera.to_screen(end)
            s = canvas.px(3)
            if hit:
                canvas.circle((x, y), s + 1, palette.TABLE_GOOD, max(1.5, canvas.px(1.6)))
            else:
                canvas.line((x - s, y - s), (x + s, y + s), palette.TABLE_BAD, 1.5)
                canvas.line((x - s, y + s), (x + s, y - s), palette.TABLE_BAD, 1.5)
        if aim is not None and self.playback is None:
            self.aim_controller.draw(canvas, camera, painter, spread)
            if camera is self.view.camera and meter_time is not None:
                at = camera.to_screen(aim.contact_point)
                effects.draw_meter(canvas, at, gestures.meter_height(meter_time))

    def _draw_panel(self, canvas: Canvas) -> None:
        """Draw the drill and the tally."""
        canvas.panel(self._panel_rect)
        pad = canvas.px(14)
        rect = self._panel_rect.inflate(-2 * pad, -2 * pad)
        canvas.text("Practice", rect.topleft, 20, bold=True)
        y = self.fields[-1].rect.bottom + canvas.px(14)
        y = draw_caption(canvas, pygame.Rect(rect.x, y, rect.w, 20), "hits")
        tally = self.tally
        share = f"{tally.hits / tally.shots:.0%}" if tally.shots else "–"
        y = canvas.text(share, (rect.x, y), 34, palette.GOOD if tally.shots else palette.MUTED_TEXT, bold=True).bottom
        y = canvas.paragraph(tally.text(), pygame.Rect(rect.x, y, rect.w, canvas.line_height(14) * 2), 14)
        if tally.shots:
            off = sum(end is None for end, _ in tally.end_points)
            text = "On the mat: a ring where a hit came to rest, a cross for a miss."
            text += f" {off} left the mat." if off else ""
            y = canvas.paragraph(text, pygame.Rect(rect.x, y + canvas.px(4), rect.w, canvas.line_height(12) * 3), 12,
                                 palette.MUTED_TEXT)  # fmt: skip
        note = self.notice
        if self.is_busy and self.series is not None:
            note = f"Shooting ... {self.series.remaining} to come."
        elif not WINK_WARMUP.is_ready and not note:
            note = WINK_WARMUP.message
        foot = self._buttons["once"].rect.y
        note_colour = palette.GOOD if note == _HIT_TEXT else palette.BAD if note == _MISS_TEXT else palette.TEXT
        for text, colour in ((note, note_colour), (self.error or self.aim_controller.error, palette.BAD)):
            if text:
                high = max(canvas.line_height(14), foot - y - canvas.px(10))
                y = canvas.paragraph(text, pygame.Rect(rect.x, y + canvas.px(8), rect.w, high), 14, colour)
