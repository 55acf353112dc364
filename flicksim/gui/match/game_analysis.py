"""Analysis of a finished game in a worker process: value per turn, in words and as a graph."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, cos, dist, sin
from time import monotonic

import pygame

from flicksim import match
from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, SimulationResult
from flicksim.gui.match import value_overlay
from flicksim.gui.match.position_analysis import NOISE_GRADE, trial_noun, waiting_text
from flicksim.gui.table_view import interpolate, match_text, scene_of
from flicksim.gui.toolkit import Canvas, WorkerProcess, palette
from flicksim.referee import Game
from flicksim.render import Camera
from flicksim.scene import Flick, Launch, Squidge

_SEED = 1
_LEFT_MARGIN, _BOTTOM_MARGIN = 46.0, 25.0
"""Margins for the axis labels of the graph [units]."""
_LABEL_GAP = 8.0
"""Gap between the plot and its axis labels, wider than the marks on its edge [units]."""
_GRAPH_MARGIN = 6.0
"""Margin around the graph [units]."""
_PROGRESS_HEIGHT = 4.0
"""Thickness of the progress bar [units]."""
_ARROW_LENGTH = 0.32
"""Length of the arrow of a candidate, relative to the shorter side of the view."""


class GameAnalysis:
    """Analysis of the turns of a game, one by one in a worker process.

    Args:
        game: of the turns. turns: in order; all are evaluated with the club grade's execution noise.
        prepare: called on a thread of the window before the first turn; may block. wait_text: returns a sentence about
            what it waits for.
    """

    def __init__(
        self, game: Game, turns: Sequence[match.Turn], prepare: Callable[[], None], wait_text: Callable[[], str]
    ) -> None:
        self.game, self.turns, self._wait_text = game, list(turns), wait_text
        self.first, self.last = turns[0].number, turns[-1].number
        self._default_time = match.default_shots(game)
        self._seats = len(game.rules.scores(turns[0].before))
        self.sides = game.sides(self._seats)
        self.first_side = next(side for side in self.sides if 0 in side)
        self.is_two_sided = len(self.sides) == 2
        self._reviews: list[match.ReviewedTurn | match.SkippedTurn] = []
        self._start_time: float | None = None
        """Time at which the first turn was begun [s]."""
        self._worker = WorkerProcess[tuple[match.ReviewedTurn | match.SkippedTurn, int]](prepare)
        self._worker.submit(
            match.iter_reviewed_turns, game.name, tuple(map(match.PastTurn.from_turn, self.turns)), NOISE_GRADE, _SEED
        )

    def update(self) -> None:
        """Collect new results; to be called once a frame."""
        self._worker.update()
        if self._start_time is None and not self._worker.is_starting:
            self._start_time = monotonic()
        if len(self._reviews) != len(self._worker.results):
            self._reviews = match.join_turns(self.game, [review for review, _ in self._worker.results], self._seats)

    @property
    def is_done(self) -> bool:
        """True once all turns are analysed, or the analysis was cancelled."""
        return self._worker.is_done

    @property
    def status_text(self) -> str:
        """Progress or error as text; empty once it is done."""
        if not self.is_done:
            if self._worker.is_starting or not (self._worker.results or self._worker.shots_done):
                return waiting_text(self._wait_text())
            shots = f", {self._worker.shots_done:,} {trial_noun(self.game)}" if self._worker.shots_done else ""
            return f"{self._count_text}{self._time_left_text or shots}"
        return f"The analysis ended after {self._count_text}: {self._worker.error}" if self._worker.error else ""

    @property
    def _count_text(self) -> str:
        """Number of turns analysed and of all; where every turn is a launch, of launches."""
        noun = "launches" if isinstance(self.turns[0].made, Launch) else "turns"
        return f"{len(self._worker.results)} of {len(self.turns)} {noun}"

    @property
    def _time_left_text(self) -> str:
        """Estimated time left, after a comma; empty until a turn has taken shots."""
        if self._start_time is None or not any(shots for _, shots in self._worker.results):
            return ""
        seconds = (monotonic() - self._start_time) * (1.0 - self.progress) / self.progress
        return f", about {f'{ceil(seconds / 60.0)} min' if seconds > 90.0 else f'{5 * ceil(seconds / 5.0)} s'} left"

    @property
    def last_analysed(self) -> int:
        """Number of the last turn analysed; 0 before the first."""
        return max((review.number for review in self._reviews), default=0)

    @property
    def progress(self) -> float:
        """Fraction of the work done, with the shots of the present turn [1]."""
        completed, shots = len(self._worker.results), sum(shots for _, shots in self._worker.results)
        fraction = min(1.0, max(0, self._worker.shots_done - shots) / self._default_time)
        return 1.0 if self.is_done else (completed + fraction) / len(self.turns)

    def cancel(self) -> None:
        """Cancel the analysis."""
        self._worker.shut_down()

    def review_of(self, turn: match.Turn) -> match.ReviewedTurn | match.SkippedTurn | None:
        """Review of a turn; None until there is one."""
        return next((review for review in self._reviews if review.number == turn.number), None)

    def win_probability(self, turn_review: match.ReviewedTurn) -> float:
        """Win chance of the first seat's side after a turn; in games for more than two sides, the actor's."""
        chance = turn_review.value_after.win_probability
        return chance if turn_review.seat in self.first_side or not self.is_two_sided else 1.0 - chance

    def line_of(self, turn_review: match.ReviewedTurn) -> int:
        """First seat of the side whose line in the graph the turn belongs to."""
        return 0 if self.is_two_sided else next(side[0] for side in self.sides if turn_review.seat in side)

    def final_share(self, seat: int) -> float | None:
        """Share of the win that a seat's side has after the last turn; None if the game goes on."""
        rules, after = self.game.rules, self.turns[-1].after
        if rules.to_play(after) is not None:
            return None
        won = [side for side in self.sides if set(side) & set(rules.leaders(after))]
        return any(seat in side for side in won) / len(won)

    def review(self) -> match.Review:
        """Review of the results so far, with turning points and accuracy of every seat."""
        shots = sum(shots for _, shots in self._worker.results)
        return match.make_review(self.game, self._reviews, len(self.turns), shots)

    def best_trajectory(self, turn: match.Turn, turn_review: match.ReviewedTurn) -> SimulationResult:
        """Trajectory of the best candidate without execution noise; None where nothing moves."""
        if not self.game.uses_physics:
            return None
        try:
            setup = self.game.rules.simulation_setup(turn.before, turn_review.best)
            return match.PhysicsSimulator().simulate(*setup) if setup is not None else None
        except FlicksimError:
            return None


def turn_text(
    turn_review: match.ReviewedTurn | match.SkippedTurn | None, names: Sequence[str], *, is_done: bool = False
) -> tuple[str, ...]:
    """Sentences about a turn: its value, the losses by plan and execution, and the best candidate; names: of seats."""
    if turn_review is None:
        return ("This turn was not analysed." if is_done else "This turn is not analysed yet.",)
    if isinstance(turn_review, match.SkippedTurn):
        is_forced = turn_review.reason == "nothing to choose"
        return ("There was nothing to choose." if is_forced else "Too few shots tell nothing.",)
    values = turn_review.value_before, turn_review.value_meant, turn_review.value_after
    chances = "{}: {:.0%} to win at best, {:.0%} as meant, {:.0%} once made.".format(
        names[turn_review.seat], *(value.win_probability for value in values)
    )
    meant, best = turn_review.meant_purpose, turn_review.best_purpose
    lines = [*([f"Meant: {meant.text}."] if meant is not None else []), chances]
    if turn_review.is_significant:
        lines.append(f"The plan lost {turn_review.loss_by_choice:.1%}.")
        lines += [f"Better: {best.text}."] if best is not None else []
        lines.append(f"{'Better: ' if best is None else ''}{match_text.format_action(turn_review.best)}.")
    else:
        is_best = values[0].win_probability - values[1].win_probability < 0.005
        lines.append("No better plan was found." if is_best else "No plan was better for certain.")
    hand = turn_review.loss_by_execution
    if not turn_review.within_noise:
        lines.append(f"The hand lost {hand:.1%}." if hand > 0.0 else f"The hand was lucky: {-hand:.1%} more.")
    return tuple(lines)


def accuracy_text(analysis: GameAnalysis) -> str:
    """Accuracy of every seat, in one line."""
    names = analysis.game.seat_names
    marks = [f"{names[row.seat]} {row.accuracy:.0f}" for row in analysis.review().accuracy]
    return f"Accuracy of 100: {', '.join(marks)}" if marks else ""


def draw_graph(
    canvas: Canvas, rect: pygame.Rect, analysis: GameAnalysis, turn: match.Turn, ticks: Mapping[int, int]
) -> None:
    """Draw the win chance after every turn as a line, of more than two sides one for each, which goes through its own
    turns; it ends in the result. Turning points have a dot, the turn shown a mark.

    Args:
        ticks: label on the axis by turn number.
    """
    canvas.box(rect, palette.INSET_BACKGROUND, 6, palette.BORDER)
    names, review = analysis.game.seat_names, analysis.review()
    first_side = " and ".join(names[seat] for seat in analysis.first_side)
    label = first_side if analysis.is_two_sided else "Each after their turns,"
    inner = rect.inflate(-2 * canvas.px(_GRAPH_MARGIN), -2 * canvas.px(_GRAPH_MARGIN))
    end = canvas.text(f"{label} to win", inner.topleft, 11, palette.MUTED_TEXT)
    legend, status = legend_seats(analysis), analysis.status_text
    if status and legend:
        canvas.text(status, (inner.x, end.bottom), 11, palette.MUTED_TEXT, max_width=inner.w)
    elif status:
        max_width = inner.right - end.right - canvas.px(10)
        canvas.text(status, inner.topright, 11, palette.MUTED_TEXT, anchor="topright", max_width=max_width)
    else:
        _draw_legend(canvas, analysis, inner, end.bottom)
    if not analysis.is_done:
        canvas.progress_bar(pygame.Rect(rect.x, rect.y, rect.w, canvas.px(_PROGRESS_HEIGHT)), analysis.progress)
    lines = 2 if legend else 1
    inner = _plot_area(rect, canvas.scale, lines * canvas.line_height(11) + canvas.px(9))
    for share in (0.0, 0.5, 1.0):
        y = inner.bottom - share * inner.h
        canvas.line((inner.x, y), (inner.right, y), palette.BORDER, 1.0)
        canvas.text(f"{share:.0%}", (inner.x - canvas.px(_LABEL_GAP), y), 10, palette.MUTED_TEXT, anchor="midright")
    for number, place in ticks.items():
        tick_x = _x_of_turn(inner, analysis, min(max(number, analysis.first), analysis.last))
        position = (tick_x, inner.bottom + canvas.px(_LABEL_GAP))
        canvas.text(f"{place}", position, 10, palette.MUTED_TEXT, anchor="midtop")
    points = {
        turn.number: (_x_of_turn(inner, analysis, turn.number), inner.bottom - analysis.win_probability(turn) * inner.h)
        for turn in review.turns
    }
    if analysis.last_analysed < analysis.last:
        _draw_pending(canvas, inner, analysis)
    cursor_x = _x_of_turn(inner, analysis, turn.number)
    canvas.line((cursor_x, inner.y), (cursor_x, inner.bottom), palette.MUTED_TEXT, 1.0)
    for seat in sorted(set(map(analysis.line_of, review.turns))):
        line = [points[turn.number] for turn in review.turns if analysis.line_of(turn) == seat]
        if analysis.last_analysed >= analysis.last and (result := analysis.final_share(seat)) is not None:
            line.append((inner.right, inner.bottom - result * inner.h))
        if len(line) > 1:
            canvas.polyline(line, _line_colour(analysis, seat), 2.0)
    for number, point in points.items():
        if number in review.turning_points:
            canvas.disc(point, canvas.px(4), palette.TEXT)
    if turn.number in points:
        canvas.circle(points[turn.number], canvas.px(5), palette.HIGHLIGHT, 2.0)


def legend_seats(analysis: GameAnalysis) -> list[int]:
    """First seats of the sides that the graph names once it is done: of more than two sides."""
    return [] if analysis.is_two_sided else [side[0] for side in analysis.sides]


def _draw_legend(canvas: Canvas, analysis: GameAnalysis, rect: pygame.Rect, y: int) -> None:
    """Draw the names of the sides in the colours of their lines."""
    x = rect.x
    for seat in legend_seats(analysis):
        name, colour = analysis.game.seat_names[seat], _line_colour(analysis, seat)
        x = canvas.text(name, (x, y), 11, colour, max_width=max(0, rect.right - x)).right + canvas.px(8)


def _line_colour(analysis: GameAnalysis, seat: int) -> palette.Colour:
    """Colour of a side's line in the graph."""
    key = match_text.seat_key(analysis.game, seat)
    tint = palette.seat_colour(key) if analysis.game.uses_physics else palette.seat_hue(seat)
    return palette.visible_on(tint, palette.INSET_BACKGROUND)


def _draw_pending(canvas: Canvas, plot: pygame.Rect, analysis: GameAnalysis) -> None:
    """Veil the part of the graph that is not analysed."""
    done = analysis.last_analysed
    begin = round(_x_of_turn(plot, analysis, max(done, analysis.first))) if done else plot.x
    area = pygame.Rect(begin, plot.y, plot.right - begin, plot.h)
    canvas.translucent_rect(area, palette.BORDER, 90)
    text = "not analysed" if analysis.is_done else "not analysed yet"
    if canvas.text_width(text, 11) < area.w:
        canvas.text(text, area.center, 11, palette.MUTED_TEXT, anchor="center")


def _plot_area(rect: pygame.Rect, scale: float, top_margin: int = 0) -> pygame.Rect:
    """Plot area within the graph, less the axis labels [pixels]."""
    margin, left, bottom = round(_GRAPH_MARGIN * scale), round(_LEFT_MARGIN * scale), round(_BOTTOM_MARGIN * scale)
    return pygame.Rect(
        rect.x + left, rect.y + margin + top_margin, rect.w - left - 2 * margin, rect.h - top_margin - bottom - margin
    )


def _x_of_turn(rect: pygame.Rect, analysis: GameAnalysis, turn: int) -> float:
    span = analysis.last - analysis.first
    return rect.x + rect.w * ((turn - analysis.first) / span if span else 0.5)


def turn_at(rect: pygame.Rect, analysis: GameAnalysis, x: float, scale: float) -> int:
    """Number of the turn at a point of the graph; scale: pixels per unit."""
    inner, first, last = _plot_area(rect, scale), analysis.first, analysis.last
    return min(max(first + round((x - inner.x) / max(1, inner.w) * (last - first)), first), last)


def draw_bar(
    canvas: Canvas, column: pygame.Rect, analysis: GameAnalysis, turn_review: match.ReviewedTurn, *, before: bool
) -> None:
    """Draw a bar at the table's left edge: the win chance of the first of two sides before or after the turn."""
    seats = range(len(analysis.game.seat_names))
    other_seat = next(seat for seat in seats if seat not in analysis.first_side)
    value = turn_review.value_before if before else turn_review.value_after
    own_chance = (value.win_probability, value.low, value.high)
    other_chance = (1.0 - value.win_probability, 1.0 - value.high, 1.0 - value.low)
    first, last = (own_chance, other_chance) if turn_review.seat in analysis.first_side else (other_chance, own_chance)
    keys = match_text.seat_key(analysis.game, 0), match_text.seat_key(analysis.game, other_seat)
    value_overlay.draw_win_bar(
        canvas, column, (value_overlay.WinChance(*first, keys[0]), value_overlay.WinChance(*last, keys[1]))
    )


def draw_arrows(
    canvas: Canvas, camera: Camera, area: pygame.Rect, turn: match.Turn, turn_review: match.ReviewedTurn
) -> None:
    """Draw the intended shot of a turn as an arrow, and a better one if there was one, each with its chance."""
    plans = [(turn.meant, turn_review.value_meant.win_probability, palette.TABLE_TEXT, "meant")]
    if turn_review.is_significant:
        plans.append((turn_review.best, turn_review.value_before.win_probability, palette.HIGHLIGHT, "best"))
    length, arrows = _ARROW_LENGTH * min(area.size), list[value_overlay.PlanArrow]()
    # the range of slides and throws is proportional to the square of the speed
    energy = [getattr(plan, "speed", 0.0) ** 2 for plan, *_ in plans]
    for plan, chance, colour, label in plans:
        start, azimuth = _start_of(turn, plan), getattr(plan, "azimuth", None)
        if start is None or azimuth is None:
            continue
        tail, tip = camera.to_screen(start), camera.to_screen((start[0] + cos(azimuth), start[1] + sin(azimuth)))
        fraction = length / dist(tail, tip) * max(0.25, plan.speed**2 / max(energy))
        end = interpolate((tail, tip), fraction)
        arrows.append(value_overlay.PlanArrow(tail, end, colour, f"{label} {chance:.0%}"))
    value_overlay.draw_arrows(canvas, arrows)


def _start_of(turn: match.Turn, candidate: Action) -> Point | None:
    """Start of a candidate; None if it is no flick."""
    if isinstance(candidate, Launch):
        return candidate.hold
    scene = scene_of(turn.before)
    if not isinstance(candidate, Flick | Squidge) or scene is None:
        return None
    if candidate.start is not None:
        return candidate.start
    return scene.piece(candidate.piece).position if scene.has(candidate.piece) else None
