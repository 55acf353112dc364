"""Demonstration of a puzzle's solution."""

from collections.abc import Callable

from flicksim.ai import GRADES, NO_NOISE, ExecutionNoise
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action
from flicksim.gui.match.value_overlay import PlanArrow, clip_to_table, draw_arrows
from flicksim.gui.table_view import TableView
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import Match
from flicksim.referee import Challenge


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
