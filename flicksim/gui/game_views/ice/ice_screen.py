"""Match screen of pyramid games: simultaneous launches, by mouse and by keys for every seat."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import pygame

from flicksim.ai import ExecutionNoise
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action
from flicksim.games.ice.state import Load, State
from flicksim.games.ice.table_layout import seat_areas, size_of
from flicksim.gui.app.application import App
from flicksim.gui.app.match_session import MatchSession
from flicksim.gui.game_views.ice import flight, launch_log, screen_layout
from flicksim.gui.game_views.ice.camera_view import IceView
from flicksim.gui.game_views.ice.end_screen import IceEndScreen
from flicksim.gui.game_views.ice.flight import FlightPredictor
from flicksim.gui.game_views.ice.ice_controller import IceMatchController
from flicksim.gui.game_views.ice.key_bindings import SHARED_KEYS, SINGLE_PLAYER_KEYS
from flicksim.gui.game_views.ice.launch_log import CountedPieces
from flicksim.gui.game_views.ice.launcher_control import LauncherControl
from flicksim.gui.game_views.ice.launcher_pose import SLIDERS, LauncherPose, launcher_place
from flicksim.gui.game_views.ice.screen_layout import IceDrawing
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.table_view import effects, gestures, shot_feedback, side_panel
from flicksim.gui.table_view.gesture_noise import GestureNoise
from flicksim.gui.table_view.hints import compute_hint, execution_noise_of
from flicksim.gui.table_view.mouse_key import MouseKey
from flicksim.gui.toolkit import PRESS_KEYS, Button, Canvas, Widget, key_bindings, palette
from flicksim.gui.toolkit.numeric_slider import NumericSlider
from flicksim.match import PYRAMID_WARMUP, Warmup
from flicksim.scene import SIZES, Launch, LaunchTrajectory, Size, VolleyTrajectory

_INPUT_GRACE_TIME = 1.0
"""Time after the end of a replay during which a key launches nothing [s]."""


class IceScreen(MatchScreen):
    """Match of a game of pyramids in the window (see `MatchScreen`)."""

    controller: IceMatchController
    has_turns = False

    def __init__(self, app: App, session: MatchSession, warmup_task: Warmup = PYRAMID_WARMUP) -> None:
        super().__init__(app, session)
        match = self.match
        state = match.state
        assert isinstance(state, State), "this screen shows pyramids"
        self.view = IceView.of_state(state, match.game.seat_names)
        self.people = [seat for seat, player in enumerate(match.players) if player is None]
        self._blocked_notice: tuple[int, str] | None = None
        """Seat that tried to launch before it may, and the notice shown for it."""
        self._mouse_key = MouseKey(self._handle_mouse)
        self.counted_pieces: tuple[int, CountedPieces] = (0, ())
        """Number of turns seen, and the points of the pieces then."""
        self._replay_end_time = 0.0
        """Time during which a key may still have been meant for the replay [s]."""
        self._gesture_texts: dict[int, str] = {}
        """Gesture of the last launch of each seat, as text."""
        self.warmup_task = warmup_task
        match.use_simulator(warmup_task.with_fallback(match.simulator))
        warmup_task.start()
        controller = IceMatchController(match, session.recorder, warmup_task.action_chooser())
        seats = enumerate(seat_areas(state.options, state.seats))
        places = {k: launcher_place(seat.stash, seat.default_hold, seat.facing) for k, seat in seats}
        self.launcher_control = LauncherControl(places, self.people, controller, self.view, self.launch)
        predictor = FlightPredictor(self.view.surface, state.scene.kit, warmup_task)
        self.drawing = IceDrawing(controller, self.launcher_control, self.view, predictor)
        specs = [replace(spec, keys="") if self.launcher_control.clusters else spec for spec in SLIDERS]
        self.sliders = [NumericSlider(spec, lambda: self.pose, self._on_aim_changed) for spec in specs]
        self.buttons |= {
            "launch": Button("Launch", lambda: self.launch(self.seat), key="Space", is_primary=True),
            **{
                size: Button(size.capitalize(), lambda size=size: self.load_missile(size), key=str(k + 1))  # type: ignore[misc]
                for k, size in enumerate(SIZES)
            },
            "best": Button("Best launch", self.replay_best, key="B"),
            "follow": Button("Nearer", self.view.toggle_follow, key="Z"),
            "on": Button("Back to the game", lambda: self.controller.resume(), key="Space", is_primary=True),
        }
        self.configure(controller)
        controller.rate, controller.bots_wait = 1, session.bots_wait
        self.controller = controller
        controller.on_change = self.build_form
        self.build_form()

    # -- widgets and turns ----------------------------------------------------------------------------------------

    def build_form(self) -> None:
        """Build the widgets for the current phase; correct sizes of missiles that are no longer in hand."""
        self.launcher_control.fix_sizes()
        named, controller, is_shared = self.buttons, self.controller, bool(self.launcher_control.clusters)
        widgets: list[Widget] = []
        if controller.phase == "show":
            widgets = [named[k] for k in ("on", "pause", "back", "step", "slow")]
        elif self.people and controller.phase == "choose":
            widgets = [named["launch"], *(named[size] for size in SIZES), *self.sliders, named["hand"]]
        named["launch"].label = "Launch" if controller.rules_state.started else "Ready"
        for name, key in (*((size, str(k + 1)) for k, size in enumerate(SIZES)), ("best", "B")):
            named[name].shortcut = "" if is_shared else key
        named["undo"].enabled = self.can_undo
        named["hint"].enabled = self.can_help and controller.phase == "choose"
        named["best"].enabled = controller.phase in ("choose", "over") and self.best_launch() is not None
        always = ("best", "follow", "undo", "hint", "fold", "help", "menu")
        self.show_widgets([named["fold"]] if self.is_folded else [*widgets, *(named[k] for k in always)])

    @property
    def is_folded(self) -> bool:
        """True while the panels are hidden; never during a replay."""
        return super().is_folded and self.controller.phase != "show"

    @property
    def shot_feedback(self) -> str:
        """Feedback on the last launch of the selected seat: its deviation and its gesture."""
        last = next((turn for turn in reversed(self.match.turns) if turn.seat == self.seat
                     and isinstance(turn.made, Launch)), None)  # fmt: skip
        if last is None or self.is_following_demo:
            return ""
        return shot_feedback.shot_feedback(last, self._gesture_texts.get(self.seat, ""))

    @property
    def note(self) -> str:
        """Note under the prompt."""
        is_asked = self.hint_request is not None
        note = "A club player is asked ..." if is_asked else self._notice or self.warmup_task.message
        return note if self.outcome_scatter is None else f"{note} {self.outcome_scatter.text}"

    @property
    def seat(self) -> int:
        """Seat that the mouse and the sliders control."""
        return self.launcher_control.seat

    @property
    def pose(self) -> LauncherPose:
        """Launcher pose that the mouse and the sliders control."""
        return self.launcher_control.pose

    # -- actions --------------------------------------------------------------------------------------------------

    def _on_aim_changed(self) -> None:
        """React to a change of the aimed launch."""
        self.drawing.aim_change_time = self.controller.time
        self._notice = self.controller.error = ""
        self.clear_outcome_scatter()

    def load_missile(self, size: Size | None) -> None:
        """Stack a missile of a size, or of the next size."""
        self._on_aim_changed()
        self._notice = self.launcher_control.load(self.seat, size)

    def launch(self, seat: int) -> None:
        """Launch; before the game has begun, report that the launcher is loaded."""
        launch = self.launcher_control.intended_launch(seat) if seat in self.people else None
        if launch is None:
            return
        self._on_aim_changed()
        noise = self.launcher_control.execution_noise(seat)
        self._gesture_texts[seat] = shot_feedback.gesture_feedback(self.launcher_control.gesture_noises[seat])
        action = launch if self.controller.rules_state.started else Load(piece=launch.piece)
        self._request(seat, action, noise)
        self.launcher_control.gesture_noises[seat].reset()

    def _request(self, seat: int, action: Launch | Load, noise: ExecutionNoise) -> bool:
        is_accepted = self.controller.request(seat, action, noise)
        if not is_accepted and not self.controller.error:
            self._show_blocked_reason(seat)
        return is_accepted

    def _show_blocked_reason(self, seat: int) -> None:
        """Show why a seat cannot launch, for as long as it cannot."""
        self._notice = self.controller.blocked_reason(seat)
        self._blocked_notice = seat, self._notice

    @property
    def is_idle(self) -> bool:
        """True if the seat to play may launch and nothing is in flight."""
        seat = self.match.to_play
        return super().is_idle and seat is not None and self.controller.can_act(seat)

    def execute(self, action: Action, noise_grade: ExecutionNoise) -> bool:
        """Play a launch with a noise grade once its seat is loaded; return False and show the reason if refused."""
        seat = self.match.to_play
        return isinstance(action, Launch | Load) and seat is not None and self._request(seat, action, noise_grade)

    def shot_path(self, shot: Action) -> tuple[Point, Point] | None:
        """Approximate path from the launcher to the landing [m]."""
        return flight.shot_path(self.match.game, self.match.state, shot)

    def replay_best(self) -> None:
        """Replay the best launch so far in slow motion."""
        best = self.best_launch()
        if best is not None:
            self._is_result_shown = False  # at the end of the game the result is shown again afterwards
            seat_name = self.match.game.seat_names[best.launch.owner or 0]
            text = f"The best launch so far: {seat_name} {launch_log.missile_name(best.launch.piece)}."
            self.controller.replay_launch(best, text)

    def best_launch(self) -> LaunchTrajectory | None:
        """Best launch that has been seen."""
        results = (turn.result for turn in self.controller.seen_turns if isinstance(turn.result, VolleyTrajectory))
        return flight.best_launch([trajectory for result in results for trajectory in result.trajectories])

    def request_hint(self) -> None:
        """Ask a club player for a launch of the selected seat."""
        seat, state = self.seat, self.controller.rules_state
        if self.hint_request is not None or not self.launcher_control.is_aiming:
            return
        if not state.hands[seat] or not self.controller.can_act(seat):
            self._show_blocked_reason(seat)
            return
        if state.started:  # as if this seat were the next to launch
            late = max(state.ready) + 1.0
            ready = tuple(state.ready[k] if k == seat else late for k in range(state.seats))
            state = msgspec.structs.replace(state, ready=ready, aloft=())
        elif self.match.rules.to_play(state) != seat:
            self._notice = "Any missile will do to begin with."
            return
        self.hint_request = compute_hint(self.match, seat, self.warmup_task.wait, state=state)

    @property
    def batch_warmups(self) -> Sequence[Warmup]:
        """Warmup of the simulation of launches."""
        return (self.warmup_task,)

    def _on_hint(self, action: object) -> None:
        if isinstance(action, Load):
            refusal = self.launcher_control.load(self.seat, size_of(action.piece))
            self._notice = refusal or "So a club player would begin."
        elif isinstance(action, Launch) and action.owner in self.people:
            self.launcher_control.seat = action.owner
            self.pose.copy_launch(action)
            self._on_aim_changed()
            self.show_outcome_scatter(action)
            self._notice = "So a club player would launch. Change it as you like, then flick."

    # -- events ---------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Handle keys and mouse."""
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
            card = next((k for k, rect in enumerate(self.drawing.rects.cards) if rect.collidepoint(event.pos)), None)
            if card in self.people:
                self._on_aim_changed()
                control.seat = card
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

    def _handle_key(self, event: pygame.event.Event) -> None:
        control, common = self.launcher_control, key_bindings.common_action(event)
        is_single, is_aiming = not control.clusters, control.is_aiming
        plain = event.key in (*PRESS_KEYS, pygame.K_LEFT, pygame.K_RIGHT)
        is_for_form = event.key == pygame.K_TAB or (self.form.focus is not None and plain)
        if event.key == pygame.K_ESCAPE:
            if not control.cancel():
                self.open_menu()
            return
        if is_aiming and not is_single and control.handle_key(event):
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
        """Key bindings for one person, or for several."""
        return (SHARED_KEYS if self.launcher_control.clusters else SINGLE_PLAYER_KEYS,)

    def available_choices(self) -> list[str]:
        """Hints of the keys to load, aim and flick."""
        started = self.controller.rules_state.started
        if not self.people:
            return ["The bots play by themselves", "B best launch", "P pause"]
        if self.launcher_control.clusters:
            first = (
                "Hold your key to charge, let go to launch" if started else "Each: choose a size, then your launch key"
            )
            return [first, "the mouse plays the lit seat", "P pause"]
        if not started:
            return ["1 2 3 choose a missile", "Space: I hold it loaded"]
        return [
            "Pull back and let go, or arrows and Space",
            "1 2 3 missile",
            "W S Q E nail",
            "Z nearer",
            "B best launch",
        ]

    def status_line(self) -> str:
        """Status line: the actions available now."""
        more = {"show": "Space: back to the game", "over": "B best launch   ·   Z nearer"}.get(self.controller.phase)
        line = super().status_line()
        return f"{more}   ·   {line}" if more is not None and not self.controller.is_paused else line

    # -- time and picture -----------------------------------------------------------------------------------------

    def on_undo(self) -> None:
        """Cancel pulls and charges after an undo."""
        self.launcher_control.cancel()
        self.clear_outcome_scatter()
        self._notice = ""

    @property
    def is_animating(self) -> bool:
        """True while anything on the screen moves or a launch is being prepared."""
        gesture_noise = self._gesture_noise
        return (
            super().is_animating
            or self.launcher_control.is_busy
            or bool(self.launcher_control.charge_times)
            or (gesture_noise is not None and gesture_noise.is_changing)
        )

    def update(self, dt: float) -> None:
        """Advance the screen by `dt` [s]."""
        super().update(dt)
        controller = self.controller
        self.launcher_control.noise_of = lambda seat: execution_noise_of(self.noise_grades.by_seat[seat])
        for gesture_noise in self.launcher_control.gesture_noises.values():
            # with several people at one keyboard no key is free
            gesture_noise.gesture = self.app.preferences.gesture if not self.launcher_control.clusters else "pull"
        if not controller.is_paused:
            self.launcher_control.update(dt)
        showing, before = controller.phase == "show", controller.time
        controller.update(dt)
        if before < 0.0 <= controller.time and controller.phase == "choose":
            self.effects.show_turn_banner("Launch!", "", None)
        self._show_score_gains()
        has_ended = showing and controller.phase == "choose"
        self._replay_end_time = _INPUT_GRACE_TIME if has_ended else max(0.0, self._replay_end_time - dt)
        if self._blocked_notice is not None and controller.can_act(self._blocked_notice[0]):
            self._notice = "" if self._notice == self._blocked_notice[1] else self._notice
            self._blocked_notice = None
        self.poll_hint()
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
        self.view.update(dt)
        self.view.close_up_center = self.drawing.close_up_center()
        self.open_self_report()

    def _show_score_gains(self) -> None:
        """Let points gained or lost fly to the card of their seat."""
        controller = self.controller
        before, self.counted_pieces = self.counted_pieces, (controller.visible_turn_count, controller.counted_pieces)
        if controller.visible_turn_count <= before[0]:  # no new turn, or an undo
            return
        for seat, points, at in launch_log.score_changes(before[1], controller.counted_pieces):
            card, away = self.drawing.rects.cards[seat], round(22 * self.app.scale)
            end = (card.right - away, card.y + away)
            key = palette.seat_key(seat, self.match.game.seat_names)
            self.effects.fly_score(f"{points:+d}", key, self.view.camera.to_screen(at), end)
            self.app.sounds.play("chime" if points > 0 else "murmur", 0.6)

    @property
    def camera_view(self) -> IceView:
        """Camera view of the table."""
        return self.view

    def result_screen(self) -> IceEndScreen:
        """End screen with the standing pieces and the winner."""
        best = self.replay_best if self.best_launch() else None
        return IceEndScreen(self.app, self.match, self._restart, self.undo, best, self._self_report_action)

    def card_area(self, area: pygame.Rect) -> pygame.Rect:
        """Area of the activity card: in the game panel, over its buttons."""
        rects = self.drawing.rects
        if self.is_folded or not rects.inner:
            return area
        return pygame.Rect(rects.inner.x, rects.cards_bottom, rects.inner.w, rects.footer_top - rects.cards_bottom)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the launch on the left, table and side view in the middle, the seats on the right."""
        seats = len(self.match.players)
        self.drawing.rects = (
            screen_layout.layout_table_only(self.buttons, self.view, seats, size, scale)
            if self.is_folded
            else screen_layout.layout(self.buttons, self.sliders, self.view, seats, size, scale)
        )

    def draw(self, canvas: Canvas) -> None:
        """Draw table, side view, launch and seats."""
        drawing, card = self.drawing, self.activity_card
        drawing.outcome_scatter = self.outcome_scatter
        drawing.draw_table(canvas)
        if self.is_folded:
            drawing.draw_cards(canvas)
            fold = self.buttons["fold"].rect
            messages = (self.controller.prompt, self._notice, self.controller.error)
            side_panel.draw_chip(canvas, (self.app.scale * 8, fold.bottom), fold.x - fold.w, messages)
        else:
            foot = drawing.rects.footer_top
            if card is not None and card.rect.h:
                foot = min(foot, card.rect.y - round(8 * self.app.scale))
            drawing.draw_side_view(canvas)
            drawing.draw_launcher(canvas)
            drawing.draw_panel(canvas, self.note, self.shot_feedback, foot)
        self.form.draw(canvas)
