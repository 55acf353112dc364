"""Analysis of a finished game in a worker process: value per turn, in words and as a graph."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, sin

import pygame

from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, SimulationResult
from flicksim.gui.match import value_overlay
from flicksim.gui.match.position_analysis import NOISE_GRADE, waiting_text
from flicksim.gui.table_view import match_text
from flicksim.gui.table_view.painter import scene_of
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.worker_process import WorkerProcess
from flicksim.match import (
    PastTurn,
    PhysicsSimulator,
    Review,
    ReviewedTurn,
    SkippedTurn,
    Turn,
    Warmup,
    bot_warmup,
    default_shots,
    iter_reviewed_turns,
    join_turns,
    make_review,
    wait_for_warmups,
)
from flicksim.referee import Game
from flicksim.render import Camera
from flicksim.scene import Flick, Launch, Squidge

_SEED = 1
_LEFT_MARGIN, _BOTTOM_MARGIN = 38.0, 20.0
"""Room for its percents on the left, and for its numbers of turns under it [units]."""
_GRAPH_MARGIN = 6.0
"""Free edge about the graph."""
_PROGRESS_HEIGHT = 4.0
"""Thickness of the progress bar [units]."""
_ARROW_LENGTH = 0.32
"""Length of the arrow of a plan, over the shorter side of the table's view."""


class GameAnalysis:
    """Analysis of the turns of a game, one by one in a worker process.

    Args:
        game: whose. turns: all of them, in order; all are evaluated with the club grade's execution noise.
        warmups: of the physics; the first turn waits for them.
    """

    def __init__(self, game: Game, turns: Sequence[Turn], warmups: Sequence[Warmup] = ()) -> None:
        self.game, self.turns = game, list(turns)
        ready, self._wait_text = wait_for_warmups(*warmups, bot_warmup(game))
        self._default_time = default_shots(game)
        self._seats = len(game.rules.scores(turns[0].before))
        sides = game.sides(self._seats)
        self.first_side = next(side for side in sides if 0 in side)
        self.is_two_sided = len(sides) == 2
        self._reviews: list[ReviewedTurn | SkippedTurn] = []
        self._worker = WorkerProcess[tuple[ReviewedTurn | SkippedTurn, int]](ready)
        self._worker.submit(
            iter_reviewed_turns, game.name, tuple(map(PastTurn.from_turn, self.turns)), NOISE_GRADE, _SEED
        )

    def update(self) -> None:
        """Collect new results; to be called once a frame."""
        self._worker.update()
        if len(self._reviews) != len(self._worker.results):
            self._reviews = join_turns(self.game, [one for one, _ in self._worker.results], self._seats)

    @property
    def is_done(self) -> bool:
        """True once all turns are analysed, or the analysis was cancelled."""
        return self._worker.is_done

    @property
    def status_text(self) -> str:
        """Progress or error as text; empty once it is done."""
        if not self.is_done:
            if self._worker.is_starting:
                return waiting_text(self._wait_text())
            return f"{len(self._worker.results)} of {len(self.turns)} turns are analysed"
        if not self._worker.error:
            return ""
        return f"The analysis ended after {len(self._worker.results)} of {len(self.turns)} turns: {self._worker.error}"

    @property
    def last_analysed(self) -> int:
        """Number of the last turn analysed; 0 before the first."""
        return max((one.number for one in self._reviews), default=0)

    @property
    def progress(self) -> float:
        """Fraction of the work done, with the shots of the present turn [1]."""
        told, shots = len(self._worker.results), sum(shots for _, shots in self._worker.results)
        begun = min(1.0, max(0, self._worker.shots_done - shots) / self._default_time)
        return 1.0 if self.is_done else (told + begun) / len(self.turns)

    def cancel(self) -> None:
        """Cancel the analysis."""
        self._worker.shut_down()

    def review_of(self, turn: Turn) -> ReviewedTurn | SkippedTurn | None:
        """Review of a turn; None until there is one."""
        return next((one for one in self._reviews if one.number == turn.number), None)

    def win_probability(self, turn_review: ReviewedTurn) -> float:
        """Win chance of the first seat's side after a turn; in games for more than two sides, the actor's."""
        return (
            turn_review.value_after.win_probability
            if turn_review.seat in self.first_side or not self.is_two_sided
            else 1.0 - turn_review.value_after.win_probability
        )

    def review(self) -> Review:
        """Review of the results so far, with turning points and accuracy of every seat."""
        return make_review(self.game, self._reviews, len(self.turns), sum(shots for _, shots in self._worker.results))

    def best_trajectory(self, turn: Turn, turn_review: ReviewedTurn) -> SimulationResult:
        """Trajectory of the best candidate without execution noise; None where nothing moves."""
        if not self.game.uses_physics:
            return None
        try:
            staged = self.game.rules.simulation_setup(turn.before, turn_review.best)
            return PhysicsSimulator().simulate(*staged) if staged is not None else None
        except FlicksimError:
            return None


def turn_text(turn_review: ReviewedTurn | SkippedTurn | None, *, is_done: bool = False) -> tuple[str, ...]:
    """Sentences about a turn: its value, the losses by plan and execution, and the best candidate.

    Args:
        is_done: the analysis has ended: nothing more is to come.
    """
    if turn_review is None:
        return ("This turn was not analysed." if is_done else "This turn is not analysed yet.",)
    if isinstance(turn_review, SkippedTurn):
        return (
            "There was nothing to choose."
            if turn_review.reason == "nothing to choose"
            else "Too few shots tell nothing.",
        )
    before, meant_value, after = turn_review.value_before, turn_review.value_meant, turn_review.value_after
    chances = (
        f"{before.win_probability:.0%} to win at best, {meant_value.win_probability:.0%} as meant, "
        f"{after.win_probability:.0%} once made."
    )
    meant, best = turn_review.meant_purpose, turn_review.best_purpose
    found = [f"Meant: {meant.text}."] if meant is not None else []
    found.append(chances)
    if turn_review.is_significant:
        found.append(f"The plan lost {turn_review.loss_by_choice:.1%}.")
        found += [f"Better: {best.text}."] if best is not None else []
        found.append(f"{'Better: ' if best is None else ''}{match_text.format_action(turn_review.best)}.")
    else:
        found.append("No better plan was found.")
    hand = turn_review.loss_by_execution
    if not turn_review.within_noise:
        found.append(f"The hand lost {hand:.1%}." if hand > 0.0 else f"The hand was lucky: {-hand:.1%} more.")
    return tuple(found)


def accuracy_text(analysis: GameAnalysis) -> str:
    """Accuracy of every seat, in one line."""
    names = analysis.game.seat_names
    marks = [f"{names[row.seat]} {row.accuracy:.0f}" for row in analysis.review().accuracy]
    return f"Accuracy of 100: {', '.join(marks)}" if marks else ""


def draw_graph(canvas: Canvas, rect: pygame.Rect, analysis: GameAnalysis, turn: Turn) -> None:
    """Draw the win chance after every turn as a line; turning points have a dot, the turn shown a mark."""
    canvas.box(rect, palette.INSET_BACKGROUND, 6, palette.BORDER)
    names, review = analysis.game.seat_names, analysis.review()
    who = " and ".join(names[seat] for seat in analysis.first_side) if analysis.is_two_sided else "Whoever acted,"
    inner = rect.inflate(-2 * canvas.px(_GRAPH_MARGIN), -2 * canvas.px(_GRAPH_MARGIN))
    canvas.text(f"{who} to win", inner.topleft, 11, palette.MUTED_TEXT)
    if analysis.status_text:
        room = inner.w - canvas.text_width(f"{who} to win", 11) - canvas.px(10)
        canvas.text(analysis.status_text, inner.topright, 11, palette.MUTED_TEXT, anchor="topright", max_width=room)
    if not analysis.is_done:
        canvas.progress_bar(pygame.Rect(rect.x, rect.y, rect.w, canvas.px(_PROGRESS_HEIGHT)), analysis.progress)
    inner = _plot_area(rect, canvas.scale, canvas.line_height(11) + canvas.px(4))
    for share in (0.0, 0.5, 1.0):
        y = inner.bottom - share * inner.h
        canvas.line((inner.x, y), (inner.right, y), palette.BORDER, 1.0)
        canvas.text(f"{share:.0%}", (inner.x - canvas.px(4), y), 10, palette.MUTED_TEXT, anchor="midright")
    first, last = analysis.turns[0].number, analysis.turns[-1].number
    for number in sorted({first, (first + last) // 2, last}):
        at = (_x_of_turn(inner, analysis, number), inner.bottom + canvas.px(3))
        canvas.text(f"{number}", at, 10, palette.MUTED_TEXT, anchor="midtop")
    spots = {
        one.number: (_x_of_turn(inner, analysis, one.number), inner.bottom - analysis.win_probability(one) * inner.h)
        for one in review.turns
    }
    if analysis.last_analysed < last:
        begin = (
            round(_x_of_turn(inner, analysis, max(analysis.last_analysed, first)))
            if analysis.last_analysed
            else inner.x
        )
        rest = pygame.Rect(begin, inner.y, inner.right - begin, inner.h)
        canvas.translucent_rect(rest, palette.BORDER, 90)
        says = "not analysed" if analysis.is_done else "not analysed yet"
        if canvas.text_width(says, 11) < rest.w:
            canvas.text(says, rest.center, 11, palette.MUTED_TEXT, anchor="center")
    here = _x_of_turn(inner, analysis, turn.number)
    canvas.line((here, inner.y), (here, inner.bottom), palette.MUTED_TEXT, 1.0)
    tint = palette.seat_colour(palette.seat_key(0, names)) if analysis.is_two_sided else palette.HIGHLIGHT
    if len(spots) > 1:
        canvas.polyline(list(spots.values()), tint, 2.0)
    for number, spot in spots.items():
        if number in review.turning_points:
            canvas.disc(spot, canvas.px(4), palette.TEXT)
    if turn.number in spots:
        canvas.circle(spots[turn.number], canvas.px(5), palette.HIGHLIGHT, 2.0)


def _plot_area(rect: pygame.Rect, scale: float, top_margin: int = 0) -> pygame.Rect:
    """Plot area within the graph, less the axis labels [pixels]."""
    edge, left, foot = round(_GRAPH_MARGIN * scale), round(_LEFT_MARGIN * scale), round(_BOTTOM_MARGIN * scale)
    return pygame.Rect(
        rect.x + left, rect.y + edge + top_margin, rect.w - left - 2 * edge, rect.h - top_margin - foot - edge
    )


def _x_of_turn(rect: pygame.Rect, analysis: GameAnalysis, turn: int) -> float:
    first, last = analysis.turns[0].number, analysis.turns[-1].number
    return rect.x + rect.w * ((turn - first) / (last - first) if last > first else 0.5)


def turn_at(rect: pygame.Rect, analysis: GameAnalysis, x: float, scale: float) -> int:
    """Number of the turn at a point of the graph; scale: pixels per unit."""
    inner = _plot_area(rect, scale)
    first, last = analysis.turns[0].number, analysis.turns[-1].number
    return min(max(first + round((x - inner.x) / max(1, inner.w) * (last - first)), first), last)


def draw_bar(
    canvas: Canvas, column: pygame.Rect, analysis: GameAnalysis, turn_review: ReviewedTurn, *, before: bool
) -> None:
    """Draw a bar at the table's left edge: the win chance of the first seat's side before or after the turn."""
    if not analysis.is_two_sided:
        return
    names = analysis.game.seat_names
    other = next(seat for seat in range(len(names)) if seat not in analysis.first_side)
    worth = turn_review.value_before if before else turn_review.value_after
    own = (worth.win_probability, worth.low, worth.high)
    rest = (1.0 - worth.win_probability, 1.0 - worth.high, 1.0 - worth.low)
    first, last = (own, rest) if turn_review.seat in analysis.first_side else (rest, own)
    keys = palette.seat_key(0, names), palette.seat_key(other, names)
    value_overlay.draw_win_bar(
        canvas, column, (value_overlay.WinChance(*first, keys[0]), value_overlay.WinChance(*last, keys[1]))
    )


def draw_arrows(canvas: Canvas, camera: Camera, area: pygame.Rect, turn: Turn, turn_review: ReviewedTurn) -> None:
    """Draw the intended shot of a turn as an arrow, and a better one if there was one, each with its chance."""
    plans = [(turn.meant, turn_review.value_meant.win_probability, palette.TABLE_TEXT, "meant")]
    if turn_review.is_significant:
        plans.append((turn_review.best, turn_review.value_before.win_probability, palette.HIGHLIGHT, "best"))
    length, drawn = _ARROW_LENGTH * min(area.size), list[value_overlay.PlanArrow]()
    # slides and throws go by the square of their speed
    energy = [getattr(plan, "speed", 0.0) ** 2 for plan, *_ in plans]
    for plan, chance, colour, called in plans:
        begin, way = _start_of(turn, plan), getattr(plan, "azimuth", None)
        if begin is None or way is None:
            continue
        here, ahead = camera.to_screen(begin), camera.to_screen((begin[0] + cos(way), begin[1] + sin(way)))
        far = hypot(ahead[0] - here[0], ahead[1] - here[1])
        part = length / far * max(0.25, plan.speed**2 / max(energy))
        end = (here[0] + (ahead[0] - here[0]) * part, here[1] + (ahead[1] - here[1]) * part)
        drawn.append(value_overlay.PlanArrow(here, end, colour, f"{called} {chance:.0%}"))
    value_overlay.draw_arrows(canvas, drawn)


def _start_of(turn: Turn, candidate: Action) -> Point | None:
    """Start of a candidate; None if it is no flick."""
    if isinstance(candidate, Launch):
        return candidate.hold
    scene = scene_of(turn.before)
    if not isinstance(candidate, Flick | Squidge) or scene is None:
        return None
    if candidate.start is not None:
        return candidate.start
    return scene.piece(candidate.piece).position if scene.has(candidate.piece) else None
