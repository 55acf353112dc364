"""Grades of execution noise by seat, hints, the delay of bots, and the demonstration of a puzzle's solution."""

from collections.abc import Callable

from flicksim.ai import GRADES, NO_NOISE, ExecutionNoise
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action
from flicksim.gui.app import MatchSession
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.match.position_analysis import PositionAnalysis
from flicksim.gui.match.value_overlay import PlanArrow, clip_to_table, draw_arrows
from flicksim.gui.table_view import Hint, OutcomeScatter, TableView, execution_noise_of, match_text
from flicksim.gui.toolkit import Button, Canvas, palette
from flicksim.match import BackgroundTask, Match
from flicksim.referee import Challenge

_DEMO_GRADE = "club"
"""Grade of execution noise in challenges and lessons for people without noise."""
_MAX_WAIT, _VIEWING_TIME = 15.0, 1.5
"""Longest time that bots wait for the map of a position, and time for which it is shown [s]."""


def default_grade(session: MatchSession, preferred: str) -> str:
    """Grade of seats without one of their own: the preferred one, online that of the host."""
    if session.bar is not None:
        return "steady"
    return _DEMO_GRADE if session.activity_card is not None and preferred == "steady" else preferred


def playback_buttons(controller: Callable[[], MatchController]) -> dict[str, Button]:
    """Buttons for what is shown, by name."""
    return {
        "back": Button("Back", lambda: controller().step(-1), key=","),
        "step": Button("Step", lambda: controller().step(1), key="."),
        "slow": Button("Slower", lambda: controller().cycle_rate(), key="S"),
        "skip": Button("Skip", lambda: controller().skip_playback(), key="F"),
    }


class NoiseGrades:
    """Grades of execution noise by seat, applied to a match.

    Args:
        match: of the people. default: grade of seats without one of their own.
    """

    def __init__(self, match: Match, default: str) -> None:
        self._match = match
        self._own = match_text.noise_grades(match)
        self.by_seat = dict.fromkeys(range(len(match.players)), default) | self._own
        self._apply()

    def _apply(self) -> None:
        if self._match.game.uses_physics:
            for seat, name in self.by_seat.items():
                self._match.set_noise(execution_noise_of(name), seat)

    @property
    def _acting_seat(self) -> int:
        """Seat whose grade is shown: the person's to play, or the first."""
        humans = [seat for seat, player in enumerate(self._match.players) if player is None]
        return self._match.to_play if self._match.to_play in humans else next(iter(humans), 0)

    @property
    def current(self) -> str:
        """Grade of the person to play."""
        return self.by_seat[self._acting_seat]

    def cycle(self) -> str:
        """Switch to the next grade, for the person to play if people have their own, else for all. Return it."""
        names = tuple(GRADES)
        grade = names[(names.index(self.current) + 1) % len(names)] if self.current in names else names[0]
        self.by_seat |= dict.fromkeys([self._acting_seat] if self._own else self.by_seat, grade)
        self._apply()
        return grade


class Hints:
    """Hint that is being worked out for a match screen, and the outcome scatter of the shot hinted last."""

    def __init__(self) -> None:
        self.request: BackgroundTask[Hint] | None = None
        self.scatter: OutcomeScatter | None = None

    @property
    def is_requested(self) -> bool:
        """True while a hint is being worked out."""
        return self.request is not None

    def poll(self, on_hint: Callable[[Hint], None]) -> None:
        """Hand over the hint requested, once it is done."""
        if self.request is not None and self.request.is_done:
            request, self.request = self.request, None
            on_hint(request.result())

    def cancel(self) -> None:
        """Cancel the request."""
        if self.request is not None:
            self.request.cancel()
        self.request = None

    def show_scatter(self, scatter: OutcomeScatter) -> None:
        """Show an outcome scatter in place of the last one."""
        self.clear_scatter()
        self.scatter = scatter

    def clear_scatter(self) -> None:
        """Remove the outcome scatter."""
        if self.scatter is not None:
            self.scatter.cancel()
        self.scatter = None


class BotDelay:
    """Delay of the bots' flicks until the map of the position is complete and has been shown, for a limited time."""

    def __init__(self) -> None:
        self._bot_wait_time = self._map_view_time = 0.0
        """Time since a bot has aimed, and since the map of the position is complete [s]."""

    def update(self, controller: MatchController, analysis: PositionAnalysis | None, dt: float) -> None:
        """Hold or release the bots; analysis: of the position, None where it is not shown."""
        if analysis is None or not (analysis.is_map_visible and controller.phase == "think"):
            self._bot_wait_time, self._map_view_time, controller.is_bot_delayed = 0.0, 0.0, False
            return
        if not controller.is_paused:
            self._bot_wait_time += dt if controller.bot_action is not None else 0.0
            self._map_view_time += dt if analysis.is_complete else 0.0
        controller.is_bot_delayed = self._bot_wait_time < _MAX_WAIT and self._map_view_time < _VIEWING_TIME


class Demonstration:
    """Demonstration of the solution of a puzzle, as an arrow and by playing it to the end of the attempt.

    Args:
        puzzle: with its solution; None: nothing is demonstrated. match: at its position. execute: plays an action with
            execution noise; returns False if it is refused.
    """

    def __init__(
        self, puzzle: Challenge | None, match: Match, execute: Callable[[Action, ExecutionNoise], bool]
    ) -> None:
        self.puzzle, self._match, self._execute = puzzle, match, execute
        self.solution = None if puzzle is None else puzzle.solution
        self.is_running = False
        """True while the demonstration is played, to the end of the attempt."""

    @property
    def is_available(self) -> bool:
        """True while there is a solution, and the position is still the one of the puzzle."""
        return self.solution is not None and not self._match.turns and not self.is_running

    def play(self) -> bool:
        """Play the solution, or what its policy does after it; return False if it is refused."""
        assert self.puzzle is not None
        assert self.solution is not None
        action, match = self.solution.action, self._match
        if self.is_running and self.puzzle.policy is not None:
            action = self.puzzle.policy(match.state, match.streams.spawn("plan", len(match.turns)).generator())
        self.is_running = self._execute(action, GRADES.get(self.solution.grade, NO_NOISE))
        return self.is_running

    def draw(self, canvas: Canvas, view: TableView, segment: tuple[Point, Point] | None) -> None:
        """Draw the solution as an arrow along its path on a free table [m]."""
        if segment is not None and self.solution is not None:
            outline = self._match.state.scene.surface.outline
            start, end = map(view.camera.to_screen, clip_to_table(segment, outline))
            with canvas.clipped(view.area):
                draw_arrows(canvas, [PlanArrow(start, end, palette.HIGHLIGHT, f"{self.solution.chance:.0%}")])
