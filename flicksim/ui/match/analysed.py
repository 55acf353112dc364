"""A game gone through by the analyst, beside the window: worth turn by turn, told in words and drawn as a graph."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, sin

import pygame

from flicksim.base.errors import FlicksimError
from flicksim.base.geometry import Point
from flicksim.base.kinds import Account, Action
from flicksim.drawing import Camera
from flicksim.play import (
    Past,
    Review,
    Reviewed,
    TableStage,
    Turn,
    Untold,
    Warming,
    awaited,
    joined,
    review_of,
    reviewed,
    thoughts_of,
    usual_shots,
)
from flicksim.referee import Game
from flicksim.table import Flick, Launch, Squidge
from flicksim.ui.kit import palette
from flicksim.ui.kit.apart import Apart
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.match import worths
from flicksim.ui.match.insight import HAND, waiting
from flicksim.ui.table import standing
from flicksim.ui.table.painter import scene_of

_SEED = 1
_LEFT, _FOOT = 38.0, 20.0
"""Room for its percents on the left, and for its numbers of turns under it [units]."""
_EDGE = 6.0
"""Free edge about the graph."""
_THIN = 4.0
"""Thickness of the bar that says how far the work has come [units]."""
_ARROW = 0.32
"""Length of the arrow of a plan, over the shorter side of the table's view."""


class Analysis:
    """The turns of a game, gone through one by one in a process of its own.

    Args:
        game: whose. turns: all of them, in order; whoever sat there, they are weighed with a club player's hand.
        warmings: of the physics; the first turn waits for them.
    """

    def __init__(self, game: Game, turns: Sequence[Turn], warmings: Sequence[Warming] = ()) -> None:
        self.game, self.turns = game, list(turns)
        ready, self._waits = awaited(*warmings, thoughts_of(game))
        self._usual = usual_shots(game)
        self._seats = len(game.rules.scores(turns[0].before))
        sides = game.sides(self._seats)
        self.side = next(side for side in sides if 0 in side)
        self.two = len(sides) == 2
        self._told: list[Reviewed | Untold] = []
        self._work = Apart[tuple[Reviewed | Untold, int]](ready)
        self._work.ask(reviewed, game.name, tuple(map(Past.of, self.turns)), HAND, _SEED)

    def update(self) -> None:
        """Take in what has been found since; to be called once a frame."""
        self._work.update()
        if len(self._told) != len(self._work.told):
            self._told = joined(self.game, [one for one, _ in self._work.told], self._seats)

    @property
    def done(self) -> bool:
        """True once all turns are gone through, or it was called off."""
        return self._work.done

    @property
    def says(self) -> str:
        """Words for how far it has come, or for what went wrong; empty once it is done."""
        if not self.done:
            if self._work.waits:
                return waiting(self._waits())
            return f"{len(self._work.told)} of {len(self.turns)} turns are analysed"
        if not self._work.wrong:
            return ""
        return f"The analysis ended after {len(self._work.told)} of {len(self.turns)} turns: {self._work.wrong}"

    @property
    def reached(self) -> int:
        """The number of the last turn that is gone through; 0 before the first."""
        return max((one.number for one in self._told), default=0)

    @property
    def share(self) -> float:
        """The share of the work that is done: of the turn at work, by its shots [1]."""
        told, shots = len(self._work.told), sum(shots for _, shots in self._work.told)
        begun = min(1.0, max(0, self._work.settled - shots) / self._usual)
        return 1.0 if self.done else (told + begun) / len(self.turns)

    def leave(self) -> None:
        """Nobody waits for it any more."""
        self._work.leave()

    def of(self, turn: Turn) -> Reviewed | Untold | None:
        """Review of a turn; None as long as there is none."""
        return next((one for one in self._told if one.number == turn.number), None)

    def chance(self, one: Reviewed) -> float:
        """The chance of the first seat's side once a turn was made; of games for more than two sides, the actor's."""
        return one.after.chance if one.seat in self.side or not self.two else 1.0 - one.after.chance

    def review(self) -> Review:
        """All that was found so far, with the turning points and the accuracy of every seat."""
        return review_of(self.game, self._told, len(self.turns), sum(shots for _, shots in self._work.told))

    def best_shown(self, turn: Turn, one: Reviewed) -> Account:
        """The motion of the best plan, made exactly as it is meant; None where nothing moves."""
        if not self.game.flicked:
            return None
        try:
            staged = self.game.rules.stage(turn.before, one.best)
            return TableStage().settle(*staged) if staged is not None else None
        except FlicksimError:
            return None


def words(one: Reviewed | Untold | None, *, done: bool = False) -> tuple[str, ...]:
    """Sentences about a turn: what it was worth, what was lost and by what, what would have been best.

    Args:
        done: whether the analysis has ended, so that nothing more is to come.
    """
    if one is None:
        return ("This turn was not analysed." if done else "This turn is not analysed yet.",)
    if isinstance(one, Untold):
        return ("There was nothing to choose." if one.why == "nothing to choose" else "Too few shots tell nothing.",)
    chances = f"{one.before.chance:.0%} to win at best, {one.meant_worth.chance:.0%} as meant, {one.after.chance:.0%} "
    meant, best = one.meant_purpose, one.best_purpose
    found = [f"Meant: {meant.says}."] if meant is not None else []
    found.append(chances + "once made.")
    if one.sure:
        found.append(f"The plan lost {one.lost_as_meant:.1%}.")
        found += [f"Better: {best.says}."] if best is not None else []
        found.append(f"{'Better: ' if best is None else ''}{standing.action(one.best)}.")
    else:
        found.append("No better plan was found.")
    hand = one.lost_by_hand
    if not one.by_luck:
        found.append(f"The hand lost {hand:.1%}." if hand > 0.0 else f"The hand was lucky: {-hand:.1%} more.")
    return tuple(found)


def accuracy(analysis: Analysis) -> str:
    """The accuracy of every seat, in a line."""
    names = analysis.game.seat_names
    marks = [f"{names[row.seat]} {row.accuracy:.0f}" for row in analysis.review().accuracy]
    return f"Accuracy of 100: {', '.join(marks)}" if marks else ""


def graph(canvas: Canvas, rect: pygame.Rect, analysis: Analysis, turn: Turn) -> None:
    """The chance after every turn as a line from left to right; turning points have a dot, the turn shown a mark."""
    canvas.box(rect, palette.WELL, 6, palette.EDGE)
    names, review = analysis.game.seat_names, analysis.review()
    who = " and ".join(names[seat] for seat in analysis.side) if analysis.two else "Whoever acted,"
    inner = rect.inflate(-2 * canvas.px(_EDGE), -2 * canvas.px(_EDGE))
    canvas.text(f"{who} to win", inner.topleft, 11, palette.FAINT)
    if analysis.says:
        room = inner.w - canvas.wide(f"{who} to win", 11) - canvas.px(10)
        canvas.text(analysis.says, inner.topright, 11, palette.FAINT, anchor="topright", within=room)
    if not analysis.done:
        canvas.gauge(pygame.Rect(rect.x, rect.y, rect.w, canvas.px(_THIN)), analysis.share)
    inner = _plot(rect, canvas.scale, canvas.high(11) + canvas.px(4))
    for share in (0.0, 0.5, 1.0):
        y = inner.bottom - share * inner.h
        canvas.line((inner.x, y), (inner.right, y), palette.EDGE, 1.0)
        canvas.text(f"{share:.0%}", (inner.x - canvas.px(4), y), 10, palette.FAINT, anchor="midright")
    first, last = analysis.turns[0].number, analysis.turns[-1].number
    for number in sorted({first, (first + last) // 2, last}):
        at = (_across(inner, analysis, number), inner.bottom + canvas.px(3))
        canvas.text(f"{number}", at, 10, palette.FAINT, anchor="midtop")
    spots = {
        one.number: (_across(inner, analysis, one.number), inner.bottom - analysis.chance(one) * inner.h)
        for one in review.turns
    }
    if analysis.reached < last:
        begin = round(_across(inner, analysis, max(analysis.reached, first))) if analysis.reached else inner.x
        rest = pygame.Rect(begin, inner.y, inner.right - begin, inner.h)
        canvas.veil(rest, palette.EDGE, 90)
        says = "not analysed" if analysis.done else "not analysed yet"
        if canvas.wide(says, 11) < rest.w:
            canvas.text(says, rest.center, 11, palette.FAINT, anchor="center")
    here = _across(inner, analysis, turn.number)
    canvas.line((here, inner.y), (here, inner.bottom), palette.FAINT, 1.0)
    tint = palette.seat_colour(palette.seat_key(0, names)) if analysis.two else palette.GLOW
    if len(spots) > 1:
        canvas.path(list(spots.values()), tint, 2.0)
    for number, spot in spots.items():
        if number in review.turning:
            canvas.disc(spot, canvas.px(4), palette.TEXT)
    if turn.number in spots:
        canvas.ring(spots[turn.number], canvas.px(5), palette.GLOW, 2.0)


def _plot(rect: pygame.Rect, scale: float, head: int = 0) -> pygame.Rect:
    """Room of the line itself in the graph: percents stand to the left of it, numbers of turns under it [pixels]."""
    edge, left, foot = round(_EDGE * scale), round(_LEFT * scale), round(_FOOT * scale)
    return pygame.Rect(rect.x + left, rect.y + edge + head, rect.w - left - 2 * edge, rect.h - head - foot - edge)


def _across(rect: pygame.Rect, analysis: Analysis, number: int) -> float:
    first, last = analysis.turns[0].number, analysis.turns[-1].number
    return rect.x + rect.w * ((number - first) / (last - first) if last > first else 0.5)


def turn_at(rect: pygame.Rect, analysis: Analysis, x: float, scale: float) -> int:
    """The number of the turn at a place of the graph; scale: pixels per unit."""
    inner = _plot(rect, scale)
    first, last = analysis.turns[0].number, analysis.turns[-1].number
    return min(max(first + round((x - inner.x) / max(1, inner.w) * (last - first)), first), last)


def bar(canvas: Canvas, column: pygame.Rect, analysis: Analysis, one: Reviewed, *, before: bool) -> None:
    """A bar at the table's left edge: the chance of the first seat's side before the turn, or once it was made."""
    if not analysis.two:
        return
    names = analysis.game.seat_names
    other = next(seat for seat in range(len(names)) if seat not in analysis.side)
    worth = one.before if before else one.after
    own = (worth.chance, worth.low, worth.high)
    rest = (1.0 - worth.chance, 1.0 - worth.high, 1.0 - worth.low)
    first, last = (own, rest) if one.seat in analysis.side else (rest, own)
    keys = palette.seat_key(0, names), palette.seat_key(other, names)
    worths.bar(canvas, column, (worths.Share(*first, keys[0]), worths.Share(*last, keys[1])))


def arrows(canvas: Canvas, camera: Camera, area: pygame.Rect, turn: Turn, one: Reviewed) -> None:
    """The plan of a turn as an arrow, and a better one where there was one, each with its chance."""
    plans = [(turn.meant, one.meant_worth.chance, palette.CHALK, "meant")]
    if one.sure:
        plans.append((one.best, one.before.chance, palette.GLOW, "best"))
    length, drawn = _ARROW * min(area.size), list[worths.Arrow]()
    # slides and throws go by the square of their speed
    energy = [getattr(plan, "speed", 0.0) ** 2 for plan, *_ in plans]
    for plan, chance, colour, called in plans:
        begin, way = _from(turn, plan), getattr(plan, "azimuth", None)
        if begin is None or way is None:
            continue
        here, ahead = camera.to_screen(begin), camera.to_screen((begin[0] + cos(way), begin[1] + sin(way)))
        far = hypot(ahead[0] - here[0], ahead[1] - here[1])
        part = length / far * max(0.25, plan.speed**2 / max(energy))
        end = (here[0] + (ahead[0] - here[0]) * part, here[1] + (ahead[1] - here[1]) * part)
        drawn.append(worths.Arrow(here, end, colour, f"{called} {chance:.0%}"))
    worths.arrows(canvas, drawn)


def _from(turn: Turn, plan: Action) -> Point | None:
    """The place from which a plan is made; None where it is no flick."""
    if isinstance(plan, Launch):
        return plan.hold
    scene = scene_of(turn.before)
    if not isinstance(plan, Flick | Squidge) or scene is None:
        return None
    if plan.start is not None:
        return plan.start
    return scene.piece(plan.piece).at if scene.has(plan.piece) else None
