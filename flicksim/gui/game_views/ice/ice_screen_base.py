"""Base class of the screen of pyramid games: its widgets, launching and hints."""

from dataclasses import replace

import msgspec

from flicksim.ai import ExecutionNoise
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action
from flicksim.games.ice.state import Load
from flicksim.games.ice.table_layout import size_of
from flicksim.gui.app.application import App
from flicksim.gui.app.match_session import MatchSession
from flicksim.gui.game_views.ice import flight, launch_log
from flicksim.gui.game_views.ice.camera_view import IceView
from flicksim.gui.game_views.ice.flight import FlightPredictor
from flicksim.gui.game_views.ice.ice_controller import IceMatchController
from flicksim.gui.game_views.ice.launcher_control import LauncherControl
from flicksim.gui.game_views.ice.launcher_pose import SLIDERS, LauncherPose
from flicksim.gui.game_views.ice.screen_layout import IceDrawing
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.table_view import Hint, compute_hint, execution_noise_of, gestures
from flicksim.gui.toolkit import Button, NumericSlider, Widget
from flicksim.match import PYRAMID_WARMUP, Warmup, action_chooser
from flicksim.scene import SIZES, Launch, LaunchTrajectory, Size, VolleyTrajectory


class IceScreenBase(MatchScreen):
    """Screen of a game of pyramids without its events and its picture (see `IceScreen`)."""

    controller: IceMatchController
    view: IceView

    has_turns = False
    warmup_task: Warmup = PYRAMID_WARMUP

    def __init__(self, app: App, session: MatchSession) -> None:
        super().__init__(app, session)
        match, state = self.match, self.match.state
        self.view = IceView.of_state(state, match.game.seat_names)
        self.people = [seat for seat, player in enumerate(match.players) if player is None]
        self._blocked_notice: tuple[int, str] | None = None
        """Seat that tried to launch before it may, and the notice shown for it."""
        self._gesture_texts: dict[str, str] = {}
        """Gesture of the last launch of each missile, as text."""
        self._early_seats = set[int]()
        """Seats of people who flicked in the countdown: they launch as the clock starts."""
        match.simulator = self.warmup_task.with_fallback(match.simulator)
        self.warmup_task.start()
        controller = IceMatchController(match, session.recorder, action_chooser(match, self.warmup_task))
        self.launcher_control = LauncherControl(
            self.people, controller, self.view, self.launch,
            lambda seat: execution_noise_of(self.noise_grades.by_seat[seat]),
        )  # fmt: skip
        predictor = FlightPredictor(self.view.surface, state.scene.kit, self.warmup_task)
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
        if (bar := session.bar) is not None:
            controller.has_incoming_turn = lambda: bar.has_turn
        self.controller = controller
        controller.on_change = self.build_form
        self.build_form()

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
        if last is None or not isinstance(last.made, Launch) or self.demo.is_running:
            return ""
        return gestures.shot_feedback(last, self._gesture_texts.get(last.made.piece, ""))

    @property
    def note(self) -> str:
        """Note under the prompt."""
        is_asked = self.hints.is_requested
        note = "A club player is asked ..." if is_asked else self._notice or self.warmup_task.message
        return note if self.hints.scatter is None else f"{note} {self.hints.scatter.text}"

    @property
    def seat(self) -> int:
        """Seat that the mouse and the sliders control."""
        return self.launcher_control.seat

    @property
    def pose(self) -> LauncherPose:
        """Launcher pose that the mouse and the sliders control."""
        return self.launcher_control.pose

    def _on_aim_changed(self) -> None:
        """React to a change of the aimed launch."""
        self.drawing.aim_change_time = self.controller.time
        self._notice = self.controller.error = ""
        self.hints.clear_scatter()

    def load_missile(self, size: Size | None) -> None:
        """Stack a missile of a size, or of the next size."""
        self._on_aim_changed()
        self._notice = self.launcher_control.load(self.seat, size)

    def launch(self, seat: int) -> None:
        """Launch; before the game has begun, report that the launcher is loaded."""
        launch = self.launcher_control.intended_launch(seat) if seat in self.people else None
        if launch is None:
            if seat in self.people and self.controller.phase == "choose":
                self._show_blocked_reason(seat)
            return
        self._on_aim_changed()
        if self.controller.is_counting_down:
            self._early_seats.add(seat)
            self._notice = "It flies as the clock starts."
            return
        noise = self.launcher_control.execution_noise(seat)
        gesture_text = gestures.gesture_feedback(self.launcher_control.gesture_noises[seat])
        action = launch if self.controller.rules_state.started else Load(piece=launch.piece)
        if self._request(seat, action, noise):
            self._gesture_texts[launch.piece] = gesture_text
        self.launcher_control.gesture_noises[seat].reset()

    def launch_early_seats(self) -> None:
        """Launch for those who flicked in the countdown, once it has ended."""
        if self._early_seats and self.controller.phase == "choose" and not self.controller.is_counting_down:
            seats, self._early_seats = self._early_seats, set()
            for seat in seats:
                self.launch(seat)

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
        seat = self.match.to_play
        return super().is_idle and seat is not None and self.controller.can_act(seat)

    def execute(self, action: Action, noise_grade: ExecutionNoise) -> bool:
        """Play a launch with a noise grade once its seat is loaded; return False and show the reason if refused."""
        seat = self.match.to_play
        return isinstance(action, Launch | Load) and seat is not None and self._request(seat, action, noise_grade)

    def shot_path(self, shot: Action) -> tuple[Point, Point] | None:
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

    @property
    def can_hint(self) -> bool:
        """True if a hint is available to the selected seat, which has missiles left."""
        return super().can_hint and bool(self.controller.rules_state.hands[self.seat])

    def request_hint(self) -> None:
        """Ask a club player for a launch of the selected seat."""
        seat, state = self.seat, self.controller.rules_state
        if self.hints.is_requested or not self.launcher_control.is_aiming:
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
        self.hints.request = compute_hint(self.match, seat, self.warmup_task, state=state)

    def _on_hint(self, hint: Hint) -> None:
        action = hint.action
        if isinstance(action, Load):
            refusal = self.launcher_control.load(self.seat, size_of(action.piece))
            self._notice = refusal or "So a club player would begin."
        elif isinstance(action, Launch) and action.owner in self.people:
            self.launcher_control.copy_launch(action.owner, action)
            self._on_aim_changed()
            self.show_outcome_scatter(action)
            self._notice = f"So a club player would launch.{hint.idea} Change it as you like, then flick."
