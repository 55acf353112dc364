"""Demonstration of a solution at a table: the arrow of its shot, and its play to the end of the attempt."""

from collections.abc import Callable

from flicksim.ai import GRADES, NO_NOISE, ExecutionNoise
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action
from flicksim.gui.app.activity_card import DemoShot
from flicksim.gui.match.value_overlay import PlanArrow, clip_to_table, draw_arrows
from flicksim.gui.table_view.camera_view import TableView
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import Match


class Demonstration:
    """Demonstration of a shot in the position it was made for.

    Args:
        shot: the shot and the policy after it. match: at the position. execute: plays an action with execution noise;
            returns False if it is refused.
    """

    def __init__(self, shot: DemoShot, match: Match, execute: Callable[[Action, ExecutionNoise], bool]) -> None:
        self.shot, self._match, self._execute = shot, match, execute
        self.is_running = False
        """True while the demonstration is played, to the end of the attempt."""

    @property
    def is_available(self) -> bool:
        """True while the position is still the one of the shot."""
        return not self._match.turns and not self.is_running

    def start(self) -> bool:
        """Play the shot; return False if it is refused."""
        self.is_running = self._execute(self.shot.action, GRADES.get(self.shot.execution_noise_grade, NO_NOISE))
        return self.is_running

    def resume(self) -> None:
        """Continue with the policy, if the shot did not end the attempt."""
        match = self._match
        rng = match.streams.spawn("plan", len(match.turns)).generator()
        action = self.shot.policy(match.state, rng)
        self.is_running = self._execute(action, GRADES.get(self.shot.execution_noise_grade, NO_NOISE))

    def draw(self, canvas: Canvas, view: TableView, segment: tuple[Point, Point] | None) -> None:
        """Draw the shot as an arrow along its path on a free table [m]."""
        if segment is not None:
            outline = self._match.state.scene.surface.outline
            start, end = map(view.camera.to_screen, clip_to_table(segment, outline))
            with canvas.clipped(view.area):
                draw_arrows(canvas, [PlanArrow(start, end, palette.HIGHLIGHT, self.shot.label)])
