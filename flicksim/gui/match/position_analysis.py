"""Position analysis beside a table: value, best candidates and value map, from a worker process.

It runs in a worker process for the position shown; a new position cancels the analysis of the last. Shots to be shown
are simulated in a second one, so that the analysis continues.
"""

from collections.abc import Callable
from itertools import zip_longest

import pygame

from flicksim.ai import CandidateValue, ValueMap
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, SimulationResult, State
from flicksim.gui.app import ShotPath
from flicksim.gui.match import value_overlay
from flicksim.gui.table_view import match_text, scene_of
from flicksim.gui.toolkit import Canvas, WorkerProcess, palette
from flicksim.match import Analysis, analyse_position, default_shots, expected_shots, iter_value_maps, simulate_intended
from flicksim.referee import Game
from flicksim.render import Camera
from flicksim.scene import Flick, Launch, Squidge, Trajectory, VolleyTrajectory

NOISE_GRADE = "club"
"""Grade of the execution noise of every analysis."""
_SEED = 1
BACK_HELP = "Esc or a click goes back"
"""Status text while a candidate is shown."""
_DEBOUNCE_TIME = 0.25
"""Time for which a position must be unchanged before it is analysed [s]."""


def draw_shown_caption(canvas: Canvas, rect: pygame.Rect, index: int = 0) -> None:
    """Draw the caption of a shown candidate, by its rank from 0, and the key that returns."""
    position = (rect.centerx, rect.y + canvas.px(12))
    text = f"Flick {index + 1}, as it is meant" if index else "The best flick, as it is meant"
    y = canvas.text(text, position, 16, palette.HIGHLIGHT, bold=True, anchor="midtop").bottom
    canvas.text(BACK_HELP, (rect.centerx, y), 13, palette.TABLE_TEXT, anchor="midtop")


def waiting_text(compiler_status: str) -> str:
    """Text shown before the first estimate.

    Args:
        compiler_status: progress of compilation in a sentence; empty when done.
    """
    return (
        f"The analyst waits for the compiler. {compiler_status}" if compiler_status else "The analyst is starting ..."
    )


def trial_noun(game: Game) -> str:
    """Name of what the analysis of a game simulates, in the plural."""
    return "shots" if game.uses_physics else "deals"


def _action_text(action: Action, state: State) -> str:
    """Text of an action; a piece to come is named without its number where fewer lie there than that counts."""
    text, scene = match_text.format_action(action), scene_of(state)
    if not isinstance(action, Flick) or scene is None or scene.has(action.piece):
        return text
    kind, _, number = action.piece.rpartition("-")
    lying = sum(piece.id.startswith(f"{kind}-") for piece in scene.pieces)
    is_misleading = number.isdigit() and int(number) != lying + 1
    return text.replace(match_text.piece_text(action.piece), "The next piece", 1) if is_misleading else text


class PositionAnalysis:
    """Analysis of a position shown beside a table.

    Args:
        game: of the position. shot_path: start and end of a flick [m]; None: arrows and maps are not shown.
        prepare: called on a thread of the window before the first request; may block. wait_text: returns a
            sentence about what it waits for.
    """

    def __init__(
        self, game: Game, shot_path: ShotPath | None = None, prepare: Callable[[], None] = lambda: None,
        wait_text: Callable[[], str] = lambda: "",
    ) -> None:  # fmt: skip
        self.game, self.shot_path, self._wait_text = game, shot_path, wait_text
        self.is_bar_visible = self.is_map_visible = False
        """True if the bar, or the map with the best flicks, is shown."""
        self.selected = 0
        self._state: State = None
        self._state_age = 0.0
        self._requested_state: State = None
        self._analysis_worker = WorkerProcess[Analysis | ValueMap](prepare)
        self._simulation_worker = WorkerProcess[Trajectory | VolleyTrajectory](prepare)
        self._analysis: Analysis | None = None
        self._last_analysis: tuple[Analysis, State] | None = None
        """Last analysis of any position, and its state; shown in the bar until there is a newer one."""
        self._budget = (0, 0)
        """Least and greatest number of shots of the last request."""
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

    def toggle(self, kind: str) -> None:
        """Show or hide the bar ("value"), or the map with the best flicks ("map")."""
        if kind == "value":
            self.is_bar_visible = not self.is_bar_visible
        else:
            self.is_map_visible = not self.is_map_visible

    def set_state(self, state: State, dt: float) -> None:
        """Analyse this state from now on; none for None. To be called once a frame."""
        if state is not self._state:
            self._state, self._simulation_worker.error = state, ""
            self._reset()
            self._last_analysis = None if state is None else self._last_analysis
        self._state_age += dt
        is_new = state is not None and self._requested_state is not state
        if self.is_visible and is_new and self._state_age >= _DEBOUNCE_TIME:
            self._requested_state = state
            with_map = self._is_mapped = self.is_map_visible and self.shot_path is not None
            self._budget = expected_shots(self.game, with_map=with_map)
            self._analysis_worker.submit(analyse_position, self.game.name, state, NOISE_GRADE, _SEED, with_map)
        self._analysis_worker.update()
        self._simulation_worker.update()
        if self._requested_state is state:
            self._collect_results(state)

    def _collect_results(self, state: State) -> None:
        """Take new results of the analysis of this state, and request the maps that are missing."""
        worker = self._analysis_worker
        self._is_evaluated = self._is_evaluated or (worker.is_done and self._is_mapped and not worker.error)
        for result in worker.results:
            if isinstance(result, Analysis):
                self._analysis, self._last_analysis = result, (result, state)
            else:
                segment = self.shot_path(self.game, state, result.action) if self.shot_path is not None else None
                edge = state.scene.surface.outline
                value_map = None if segment is None else value_overlay.ValueMapOverlay(result, segment, edge)
                self._value_maps[result.action] = value_map
        worker.results = []
        for candidate in self.best_candidates:
            if (value_map := self._value_maps.get(candidate.action)) is not None:
                value_map.extend_scale(candidate.value.win_probability)
        self._request_maps()

    def defer(self) -> None:
        """Suspend the analysis while the position is being changed. To be called once a frame."""
        if self._requested_state is not None:
            self._reset()
        self._state_age = 0.0

    def _reset(self) -> None:
        """Call off what was requested, and forget its results."""
        self._analysis_worker.cancel()
        self.cancel_simulation()
        self._analysis_worker.results, self._analysis_worker.error, self._value_maps, self.selected = [], "", {}, 0
        self._requested_state, self._analysis, self._is_evaluated, self._state_age = None, None, False, 0.0

    def _shot_line(self, action: Action) -> tuple[Point, Point] | None:
        """Start and end of a flick, clipped to the table's edge [m]."""
        state = self._requested_state
        segment = self.shot_path(self.game, state, action) if self.shot_path is not None else None
        return None if segment is None else value_overlay.clip_to_table(segment, state.scene.surface.outline)

    def _request_maps(self) -> None:
        """Request the maps of the best flicks, once they have their full number of shots."""
        worker, actions = self._analysis_worker, [candidate.action for candidate in self.best_candidates]
        flicks = [action for action in actions if isinstance(action, Flick | Squidge | Launch)]
        missing = tuple(flick for flick in flicks if flick not in self._value_maps)
        if self.is_map_visible and self.shot_path is not None and worker.is_done and missing:
            self._value_maps |= dict.fromkeys(missing)
            self._budget = (default_shots(self.game) * len(missing),) * 2
            worker.submit(iter_value_maps, self.game.name, self._requested_state, NOISE_GRADE, _SEED, missing)

    # -- results --------------------------------------------------------------------------------------------------

    @property
    def analysis(self) -> Analysis | None:
        """The latest analysis of the position shown; None while there is none."""
        return self._analysis if self._requested_state is self._state else None

    @property
    def best_candidates(self) -> tuple[CandidateValue, ...]:
        """The best candidates, the best first."""
        return self.analysis.evaluation.best if self.analysis is not None else ()

    @property
    def plan_points(self) -> tuple[Point, ...]:
        """Starts and ends of the best flicks, where they are shown [m]."""
        if not self.is_map_visible:
            return ()
        lines = (self._shot_line(candidate.action) for candidate in self.best_candidates)
        return tuple(point for line in lines if line is not None for point in line)

    @property
    def is_busy(self) -> bool:
        """True while the analysis runs."""
        is_due = self._requested_state is not self._state or not self._analysis_worker.is_done
        return self.is_visible and self._state is not None and is_due

    @property
    def is_complete(self) -> bool:
        """True once the best flick of the position has its map, or there is nothing to show."""
        worker = self._analysis_worker
        is_shown = self._value_map is not None or (bool(self.best_candidates) and worker.is_done)
        return self._requested_state is self._state and (bool(worker.error) or is_shown)

    @property
    def shot_progress(self) -> tuple[int, int] | None:
        """Shots simulated of the present request and their number; None while idle."""
        worker, is_requested = self._analysis_worker, self._requested_state is self._state
        if not (self.is_busy and is_requested) or worker.error or self._is_starting:
            return None
        minimum, maximum = self._budget
        return min(worker.shots_done, maximum), minimum if worker.shots_done < minimum else maximum

    @property
    def _is_starting(self) -> bool:
        """True until the first shots are simulated: before, compiled code is loaded."""
        return self._analysis_worker.is_starting or (self._analysis is None and self._analysis_worker.shots_done == 0)

    @property
    def status_text(self) -> str:
        """Progress or error as a sentence; empty once it is complete."""
        error = self._analysis_worker.error or self._simulation_worker.error
        if error and self._requested_state is self._state:
            return f"{error[:1].upper()}{error[1:]}."
        if self.analysis is None:
            return waiting_text(self._wait_text()) if self._is_starting else "Evaluating the position ..."
        if not self._simulation_worker.is_done:
            return "The shot is worked out ..."
        if self.is_map_visible and self._value_maps and self._value_map is None:
            return "The map is being drawn ..."
        if self.analysis.is_preliminary:
            return f"That is a first estimate; more {trial_noun(self.game)} follow ..."
        return f"Evaluating it with more {trial_noun(self.game)} ..." if self.is_busy else ""

    def win_chances(self) -> tuple[value_overlay.WinChance, ...]:
        """Win chances of the sides for the bar: the last known; empty before."""
        if self._last_analysis is None:
            return ()
        analysis, state = self._last_analysis
        names, seats = self.game.seat_names, len(self.game.rules.scores(state))
        sides = self.game.sides(seats)
        chances = []
        for share, (seat, *_) in zip(analysis.win_chances(sides), sides, strict=True):
            key = match_text.seat_key(self.game, seat)
            colour = palette.seat_colour(key) if self.game.uses_physics else palette.seat_hue(seat)
            chances.append(value_overlay.WinChance(*share, key, names[seat], colour))
        return tuple(chances)

    @property
    def _value_map(self) -> value_overlay.ValueMapOverlay | None:
        """Value map of the selected candidate; None until there is one."""
        return self._value_maps.get(self.best_candidates[self.selected].action) if self.best_candidates else None

    def cycle_candidate(self, step: int = 1) -> None:
        """Select the next of the best candidates."""
        if self.best_candidates:
            self.selected = (self.selected + step) % len(self.best_candidates)

    # -- simulation------------------------------------------------------------------------------------------------

    def simulate_candidate(self) -> bool:
        """Simulate the selected candidate without noise; False where there is none."""
        if not self.best_candidates or not self.game.uses_physics:
            return False
        action = self.best_candidates[self.selected].action
        self._simulation_worker.submit(simulate_intended, self.game.name, self._requested_state, action)
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

    # -- drawing --------------------------------------------------------------------------------------------------

    def bar_width(self, scale: float) -> int:
        """Width that the bar needs at the table's left edge [pixels]."""
        return round(value_overlay.BAR_COLUMN_WIDTH * scale) if self.is_bar_visible else 0

    def draw_bar(self, canvas: Canvas, column: pygame.Rect) -> None:
        """Draw the bar, if visible."""
        if self.is_bar_visible:
            is_stale = self._last_analysis is not None and self._last_analysis[1] is not self._requested_state
            value_overlay.draw_win_bar(canvas, column, self.win_chances(), is_stale=is_stale)

    def draw_underlay(self, canvas: Canvas, camera: Camera) -> None:
        """Draw the map over the table: before the pieces, so that they stay visible."""
        if self.is_map_visible and self._requested_state is self._state and self._value_map is not None:
            self._value_map.draw(canvas, camera)

    def draw_overlay(self, canvas: Canvas, camera: Camera) -> None:
        """Draw the best candidates as arrows with their chances, the selected one on top."""
        if not self.is_map_visible or self._requested_state is not self._state:
            return
        arrows = list[tuple[bool, value_overlay.PlanArrow]]()
        for k, candidate in reversed(list(enumerate(self.best_candidates))):
            value_map = self._value_maps.get(candidate.action)
            segment = value_map.shot_path if value_map is not None else self._shot_line(candidate.action)
            if segment is not None:
                colour = palette.HIGHLIGHT if k == self.selected else palette.TABLE_TEXT
                label = f"{k + 1}: {candidate.value.win_probability:.0%}"
                begin, end = map(camera.to_screen, segment)
                arrows.append((k == self.selected, value_overlay.PlanArrow(begin, end, colour, label)))
        labels = value_overlay.draw_arrows(canvas, [arrow for _, arrow in sorted(arrows, key=lambda pair: pair[0])])
        value_map = self._value_map
        if value_map is not None and value_map.is_small(canvas, camera):
            covered = [camera.to_screen(piece.position) for piece in self._requested_state.scene.pieces]
            for rect in labels:
                covered += [rect.topleft, rect.topright, rect.bottomleft, rect.bottomright]
            value_map.draw_inset(canvas, camera, covered)

    def draw_text(self, canvas: Canvas, rect: pygame.Rect) -> int:
        """Draw the best candidates, the legend of the map and the progress. Return the lower end [pixels]."""
        y, analysis = rect.y, self.analysis
        if self.status_text:
            y = self._draw_progress(canvas, rect) + canvas.px(6)
        purposes = analysis.purposes if analysis is not None else ()
        for k, (candidate, purpose) in enumerate(zip_longest(self.best_candidates, purposes)):
            if y + canvas.line_height(14) > rect.bottom:
                return y
            area = pygame.Rect(rect.x, y, rect.w, rect.bottom - y)
            y = self._draw_candidate(canvas, area, k, candidate, "" if purpose is None else purpose.text)
        if self.is_map_visible and self._value_map is not None and y + 4 * canvas.line_height(12) < rect.bottom:
            legend_area = pygame.Rect(rect.x, y + canvas.px(4), rect.w, 0)
            y = self._value_map.draw_legend(canvas, legend_area, tolerance=self.selected == 0 and self._is_evaluated)
        notes = [] if analysis is None else [_NOISE_NOTE if self.game.uses_physics else _HIDDEN_NOTE]
        notes += [_HEURISTIC_NOTE] if analysis is not None and analysis.is_heuristic else []
        for text in notes:
            top, height = y + canvas.px(2), len(canvas.wrap(text, rect.w, 13)) * canvas.line_height(13)
            if top + height <= rect.bottom:
                y = canvas.paragraph(text, pygame.Rect(rect.x, top, rect.w, height), 13, palette.MUTED_TEXT)
        return y

    def _draw_candidate(
        self, canvas: Canvas, rect: pygame.Rect, index: int, candidate: CandidateValue, purpose: str
    ) -> int:
        """Draw the chance, the purpose and the numbers of a candidate. Return the lower end [pixels]."""
        y, action = rect.y, _action_text(candidate.action, self._state)
        colour = palette.ACCENT if index == self.selected and len(self.best_candidates) > 1 else palette.TEXT
        chance = f"{index + 1}: {candidate.value.win_probability:.0%}"
        head = canvas.text(chance, rect.topleft, 14, colour, bold=True)
        x = max(head.right, rect.x + canvas.px(54)) + canvas.px(8)
        lines = [(purpose, 14, colour), (action, 12, palette.MUTED_TEXT)] if purpose else [(action, 13, palette.TEXT)]
        for text, size, tint in lines:
            height = min(2 * canvas.line_height(size), rect.bottom - y)
            if height >= canvas.line_height(size):
                y = canvas.paragraph(text, pygame.Rect(x, y, rect.right - x, height), size, tint)
        return y + canvas.px(2)

    def _draw_progress(self, canvas: Canvas, rect: pygame.Rect) -> int:
        """Draw the progress over a thin bar with its shots. Return the lower end [pixels]."""
        area = pygame.Rect(rect.x, rect.y, rect.w, 3 * canvas.line_height(13))
        y = canvas.paragraph(self.status_text, area, 13, palette.MUTED_TEXT)
        if self.shot_progress is None:
            return y
        shots, total = self.shot_progress
        bar = pygame.Rect(rect.x, y + canvas.px(2), rect.w, canvas.px(5))
        canvas.progress_bar(bar, shots / max(1, total))
        text = f"{shots:,} of {total:,} {trial_noun(self.game)}"
        return canvas.text(text, (bar.x, bar.bottom + canvas.px(1)), 12, palette.MUTED_TEXT, max_width=rect.w).bottom


_NOISE_NOTE = "All players are assumed to have a club player's hand."
_HIDDEN_NOTE = "It goes by what the seat to play sees: other hands and what is to be drawn are sampled."
_HEURISTIC_NOTE = "This game is not played out to its end: the chance is judged by how the table looks after the flick."
