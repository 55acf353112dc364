"""Position analysis beside a table: value, best candidates and value map, from a worker process.

It works in a process of its own (`WorkerProcess`), for the position that is shown; a new one calls the old one off.
Shots to be shown are simulated in another, so that the analysis goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

import pygame

from flicksim.ai import CandidateValue, ValueMap
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, SimulationResult, State
from flicksim.gui.app.game_view import ShotPath
from flicksim.gui.match import value_overlay
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.worker_process import WorkerProcess
from flicksim.match import Analysis, analyse_position, default_shots, expected_shots, iter_value_maps, simulate_intended
from flicksim.referee import Game
from flicksim.render import Camera
from flicksim.scene import Flick, Launch, Squidge, Trajectory, VolleyTrajectory

NOISE_GRADE = "club"
"""Grade of the execution noise of every analysis."""
_SEED = 1
BACK_HELP = "Esc or a click goes back"
"""Words for the way back from a flick that is shown to the position."""
_DEBOUNCE_TIME = 0.25
"""Time that a position must stay before it is asked about: what is dragged counts where it is let go [s]."""


def draw_shown_caption(canvas: Canvas, rect: pygame.Rect, index: int = 0) -> None:
    """Draw the caption of a shown candidate, by its rank from 0, and the key that returns."""
    at = (rect.centerx, rect.y + canvas.px(12))
    says = f"Flick {index + 1}, as it is meant" if index else "The best flick, as it is meant"
    y = canvas.text(says, at, 16, palette.HIGHLIGHT, bold=True, anchor="midtop").bottom
    canvas.text(BACK_HELP, (rect.centerx, y), 13, palette.TABLE_TEXT, anchor="midtop")


def waiting_text(compiler_status: str) -> str:
    """Text shown before the first estimate.

    Args:
        compiler_status: progress of compilation in a sentence; empty when done.
    """
    return (
        f"The analyst waits for the compiler. {compiler_status}" if compiler_status else "The analyst is starting ..."
    )


class PositionAnalysis:
    """Analysis of a position shown beside a table.

    Args:
        game: of the position. shot_path: start and end of a flick [m]; None: arrows and maps are not shown.
        prepare: called on a thread of the window before the first request; may block. wait_text: a sentence on what
        it
            waits for.
    """

    def __init__(
        self, game: Game, shot_path: ShotPath | None = None, prepare: Callable[[], None] = lambda: None,
        wait_text: Callable[[], str] = lambda: "",
    ) -> None:  # fmt: skip
        self.game, self.shot_path, self._wait_text = game, shot_path, wait_text
        self.is_bar_visible = self.is_map_visible = False
        """True if the bar, the map with the best flicks, is to be seen."""
        self.selected = 0
        self._state: State = None
        self._state_age = 0.0
        self._requested_state: State = None
        self._analysis_worker = WorkerProcess[Analysis | ValueMap](prepare)
        self._simulation_worker = WorkerProcess[Trajectory | VolleyTrajectory](prepare)
        self._analysis: Analysis | None = None
        self._last_analysis: tuple[Analysis, State] | None = None
        """The last word about any position, and which: the bar keeps it until there is a newer one."""
        self._budget = (0, 0)
        """Shots that are settled for what was asked last: soonest, and at most."""
        self._is_evaluated = self._is_mapped = False
        """True once no candidate is better than the best beyond statistical error; True once mapped."""
        self._value_maps: dict[Action, value_overlay.ValueMapOverlay | None] = {}
        """Value maps requested; None until one is there."""

    @property
    def is_visible(self) -> bool:
        """True while the bar or the map is shown."""
        return self.is_bar_visible or self.is_map_visible

    @property
    def key_help(self) -> list[str]:
        """Keys that show or hide the analysis, for the status line."""
        mapped = [] if self.shot_path is None else ["F8 map off" if self.is_map_visible else "F8 map"]
        return ["F7 worth off" if self.is_bar_visible else "F7 worth", *mapped]

    def set_state(self, state: State, dt: float) -> None:
        """Analyse this state from now on; none for None. To be called once a frame."""
        if state is not self._state:
            self._state, self._requested_state, self._state_age = state, None, 0.0
            self._analysis_worker.cancel()
            self.cancel_simulation()
            self._analysis_worker.results, self._analysis_worker.error, self._simulation_worker.error = [], "", ""
            self._analysis, self._value_maps, self.selected, self._is_evaluated = None, {}, 0, False
            self._last_analysis = None if state is None else self._last_analysis
        self._state_age += dt
        if (
            self.is_visible
            and state is not None
            and self._requested_state is not state
            and self._state_age >= _DEBOUNCE_TIME
        ):
            self._requested_state = state
            mapped = self._is_mapped = self.is_map_visible and self.shot_path is not None
            self._budget = expected_shots(self.game, with_map=mapped)
            self._analysis_worker.submit(analyse_position, self.game.name, state, NOISE_GRADE, _SEED, mapped)
        self._analysis_worker.update()
        self._simulation_worker.update()
        if self._requested_state is not state:
            return
        self._is_evaluated = self._is_evaluated or (
            self._analysis_worker.is_done and self._is_mapped and not self._analysis_worker.error
        )
        for one in self._analysis_worker.results:
            if isinstance(one, Analysis):
                self._analysis, self._last_analysis = one, (one, state)
            else:
                way = self.shot_path(self.game, state, one.action) if self.shot_path is not None else None
                edge = state.scene.surface.outline
                self._value_maps[one.action] = (
                    value_overlay.ValueMapOverlay(one, way, edge) if way is not None else None
                )
        self._analysis_worker.results = []
        for weighed in self.best_candidates:
            spread = self._value_maps.get(weighed.action)
            if spread is not None:
                spread.extend_scale(weighed.value.win_probability)
        self._request_maps()

    def defer(self) -> None:
        """Suspend the analysis while the position is being changed. To be called once a frame."""
        if self._requested_state is not None:
            self._analysis_worker.cancel()
            self.cancel_simulation()
            self._analysis_worker.results, self._analysis_worker.error, self._value_maps, self.selected = [], "", {}, 0
            self._requested_state, self._analysis, self._is_evaluated = None, None, False
        self._state_age = 0.0

    def _shot_line(self, action: Action) -> tuple[Point, Point] | None:
        """Start and end of a flick, clipped to the table's edge [m]."""
        way = self.shot_path(self.game, self._requested_state, action) if self.shot_path is not None else None
        return None if way is None else value_overlay.clip_to_table(way, self._requested_state.scene.surface.outline)

    def _request_maps(self) -> None:
        """Request the maps of the best flicks, once they have their full number of shots."""
        flicks = [one.action for one in self.best_candidates if isinstance(one.action, Flick | Squidge | Launch)]
        missing = tuple(flick for flick in flicks if flick not in self._value_maps)
        if self.is_map_visible and self.shot_path is not None and self._analysis_worker.is_done and missing:
            self._value_maps |= dict.fromkeys(missing)
            self._budget = (default_shots(self.game) * len(missing),) * 2
            self._analysis_worker.submit(
                iter_value_maps, self.game.name, self._requested_state, NOISE_GRADE, _SEED, missing
            )

    # -- what is told ---------------------------------------------------------------------------------------------

    @property
    def analysis(self) -> Analysis | None:
        """The latest analysis of the position shown; None while there is none."""
        return self._analysis if self._requested_state is self._state else None

    @property
    def best_candidates(self) -> tuple[CandidateValue, ...]:
        """The best candidates, the best first."""
        return self.analysis.evaluation.best if self.analysis is not None else ()

    @property
    def is_busy(self) -> bool:
        """True while the analysis runs."""
        return (
            self.is_visible
            and self._state is not None
            and (self._requested_state is not self._state or not self._analysis_worker.is_done)
        )

    @property
    def is_complete(self) -> bool:
        """True once the best flick of the position has its map, or there is nothing to show."""
        return self._requested_state is self._state and bool(
            self._analysis_worker.error
            or self._value_map is not None
            or (self.best_candidates and self._analysis_worker.is_done)
        )

    @property
    def shot_progress(self) -> tuple[int, int] | None:
        """Shots simulated of the present request and their number; None while idle."""
        if (
            not self.is_busy
            or self._requested_state is not self._state
            or self._analysis_worker.error
            or self._is_starting
        ):
            return None
        soonest, most = self._budget
        return min(
            self._analysis_worker.shots_done, most
        ), soonest if self._analysis_worker.shots_done < soonest else most

    @property
    def _is_starting(self) -> bool:
        """True until the first shots are simulated: before, compiled code is loaded."""
        return self._analysis_worker.is_starting or (self._analysis is None and self._analysis_worker.shots_done == 0)

    @property
    def status_text(self) -> str:
        """Progress or error as a sentence; empty once it is complete."""
        wrong = self._analysis_worker.error or self._simulation_worker.error
        if wrong and self._requested_state is self._state:
            return f"{wrong[:1].upper()}{wrong[1:]}."
        if self.analysis is None:
            return waiting_text(self._wait_text()) if self._is_starting else "The position is being weighed ..."
        if not self._simulation_worker.is_done:
            return "The shot is worked out ..."
        if self.is_map_visible and self._value_maps and self._value_map is None:
            return "The map is being drawn ..."
        if self.analysis.is_preliminary:
            return "That is a first estimate; more shots follow ..."
        return "It is weighed with more shots ..." if self.is_busy else ""

    def win_chances(self) -> tuple[value_overlay.WinChance, ...]:
        """Win chances of the first side and of the other for the bar: the last known; empty before."""
        if self._last_analysis is None:
            return ()
        told, state = self._last_analysis
        names, seats = self.game.seat_names, len(self.game.rules.scores(state))
        sides = self.game.sides(seats)
        first, other = sides[0], sides[-1]
        if len(sides) != 2:
            first = (told.evaluation.seat,)
            other = next((side for side in sides if told.evaluation.seat not in side), first)
        keys = (palette.seat_key(side[0], names) for side in (first, other))
        return tuple(
            value_overlay.WinChance(*share, key) for share, key in zip(told.win_chances(sides), keys, strict=True)
        )

    @property
    def _value_map(self) -> value_overlay.ValueMapOverlay | None:
        """The map of the chosen plan; None as long as there is none."""
        return self._value_maps.get(self.best_candidates[self.selected].action) if self.best_candidates else None

    def cycle_candidate(self, step: int = 1) -> None:
        """Select the next of the best candidates."""
        if self.best_candidates:
            self.selected = (self.selected + step) % len(self.best_candidates)

    # -- show me --------------------------------------------------------------------------------------------------

    def simulate_candidate(self) -> bool:
        """Simulate the selected candidate without noise; False where there is none."""
        if not self.best_candidates or not self.game.uses_physics:
            return False
        self._simulation_worker.submit(
            simulate_intended, self.game.name, self._requested_state, self.best_candidates[self.selected].action
        )
        return True

    @property
    def is_simulating(self) -> bool:
        """True while a candidate to be shown is simulated."""
        return not self._simulation_worker.is_done

    def cancel_simulation(self) -> None:
        """Cancel the simulation to be shown."""
        self._simulation_worker.cancel()
        self._simulation_worker.results = []

    def take_trajectory(self) -> SimulationResult:
        """Take the simulated trajectory, once; None while there is none."""
        return self._simulation_worker.results.pop() if self._simulation_worker.results else None

    def shut_down(self) -> None:
        """End the worker processes."""
        self._analysis_worker.shut_down()
        self._simulation_worker.shut_down()

    # -- seen -----------------------------------------------------------------------------------------------------

    def bar_width(self, scale: float) -> int:
        """Width that the bar needs at the table's left edge [pixels]."""
        return round(value_overlay.BAR_COLUMN_WIDTH * scale) if self.is_bar_visible else 0

    def draw_bar(self, canvas: Canvas, column: pygame.Rect) -> None:
        """Show the bar, if it is to be seen."""
        if self.is_bar_visible:
            value_overlay.draw_win_bar(
                canvas,
                column,
                self.win_chances(),
                is_stale=self._last_analysis is not None and self._last_analysis[1] is not self._requested_state,
            )

    def draw_underlay(self, canvas: Canvas, camera: Camera) -> None:
        """Draw the map over the table: before the pieces, so that they stay visible."""
        if self.is_map_visible and self._requested_state is self._state and self._value_map is not None:
            self._value_map.draw(canvas, camera)

    def draw_overlay(self, canvas: Canvas, camera: Camera) -> None:
        """Draw the best plans as arrows with their chances, the chosen one uppermost."""
        if not self.is_map_visible or self._requested_state is not self._state:
            return
        drawn = list[tuple[bool, value_overlay.PlanArrow]]()
        for k, one in reversed(list(enumerate(self.best_candidates))):
            spread = self._value_maps.get(one.action)
            way = spread.shot_path if spread is not None else self._shot_line(one.action)
            if way is not None:
                colour = palette.HIGHLIGHT if k == self.selected else palette.TABLE_TEXT
                label = f"{k + 1}: {one.value.win_probability:.0%}"
                begin, end = map(camera.to_screen, way)
                drawn.append((k == self.selected, value_overlay.PlanArrow(begin, end, colour, label)))
        labels = value_overlay.draw_arrows(canvas, [one for _, one in sorted(drawn, key=lambda pair: pair[0])])
        spread = self._value_map
        if spread is not None and spread.is_small(canvas, camera):
            told = [corner for one in labels for corner in (one.topleft, one.topright, one.bottomleft, one.bottomright)]
            spread.draw_inset(
                canvas, camera, [*told, *(camera.to_screen(one.position) for one in self._requested_state.scene.pieces)]
            )

    def draw_text(self, canvas: Canvas, rect: pygame.Rect) -> int:
        """Write the best plans, the legend of the map and how far it is. Returns where it ends [pixels]."""
        y, told = rect.y, self.analysis
        if self.status_text:
            y = self._draw_progress(canvas, rect) + canvas.px(6)
        for k, (one, purpose) in enumerate(
            zip_longest(self.best_candidates, told.purposes if told is not None else ())
        ):
            if y + canvas.line_height(14) > rect.bottom:
                return y
            colour = palette.ACCENT if k == self.selected and len(self.best_candidates) > 1 else palette.TEXT
            head = canvas.text(f"{k + 1}: {one.value.win_probability:.0%}", (rect.x, y), 14, colour, bold=True)
            x = max(head.right, rect.x + canvas.px(54)) + canvas.px(8)
            lines = [(match_text.format_action(one.action), 13, palette.TEXT)]
            if purpose is not None:
                lines = [(purpose.text, 14, colour), (match_text.format_action(one.action), 12, palette.MUTED_TEXT)]
            for says, size, tint in lines:
                high = min(2 * canvas.line_height(size), rect.bottom - y)
                if high >= canvas.line_height(size):
                    y = canvas.paragraph(says, pygame.Rect(x, y, rect.right - x, high), size, tint)
            y += canvas.px(2)
        if self.is_map_visible and self._value_map is not None and y + 4 * canvas.line_height(12) < rect.bottom:
            under = pygame.Rect(rect.x, y + canvas.px(4), rect.w, 0)
            y = self._value_map.draw_legend(canvas, under, tolerance=self.selected == 0 and self._is_evaluated)
        for says in (_NOISE_NOTE, _HEURISTIC_NOTE if told is not None and told.is_heuristic else ""):
            room = rect.bottom - y
            if told is not None and says and room >= canvas.line_height(13):
                y = canvas.paragraph(says, pygame.Rect(rect.x, y + canvas.px(2), rect.w, room), 13, palette.MUTED_TEXT)
        return y

    def _draw_progress(self, canvas: Canvas, rect: pygame.Rect) -> int:
        """Write how far it is, over a thin bar with its shots. Returns where it ends [pixels]."""
        y = canvas.paragraph(
            self.status_text, pygame.Rect(rect.x, rect.y, rect.w, 3 * canvas.line_height(13)), 13, palette.MUTED_TEXT
        )
        if self.shot_progress is None:
            return y
        done, of = self.shot_progress
        bar = pygame.Rect(rect.x, y + canvas.px(2), rect.w, canvas.px(5))
        canvas.progress_bar(bar, done / max(1, of))
        words = f"{done:,} of {of:,} shots"
        return canvas.text(words, (bar.x, bar.bottom + canvas.px(1)), 12, palette.MUTED_TEXT, max_width=rect.w).bottom


_NOISE_NOTE = "Everybody is taken to have a club player's hand."
_HEURISTIC_NOTE = "This game is not played out to its end: the chance is judged by how the table looks after the flick."
