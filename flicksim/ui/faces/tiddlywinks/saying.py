"""The words at the mat: what is due, and the position it is played from."""

from __future__ import annotations

import pygame

from flicksim.play import Match, Warming
from flicksim.ui.faces.tiddlywinks.kept import kept
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.match.course import Course
from flicksim.ui.table import standing


def now(course: Course, warming: Warming, note: str, wrong: str, told: str) -> tuple[str, str, str]:
    """The lines at the side: what is due, a note, and what is wrong.

    Args:
        told: how the last flick of a person went, where that stands nowhere else.
    """
    match, seat = course.match, course.match.to_play
    if not warming.ready and not note:
        note = warming.says
    wrong = wrong or course.unkept
    if course.paused:
        return "Paused: P goes on", note, wrong
    match course.stage:
        case "choose":
            return kept(match.state, "says", lambda: match.choices().says), note, wrong
        case "think" if seat is not None:
            does = "takes aim" if course.aimed is not None else "is thinking"
            return f"{standing.name(match, seat)} {does} ...", told or note, wrong
        case "settle":
            return "The wink flies ...", note, wrong
        case "show" if course.turn is not None:
            return f"{standing.name(match, course.turn.seat)} has squidged.", told, wrong
        case "hold" if course.waits:
            return "Look at the mat, then go on: Space, or a click on the mat.", told, wrong
        case "stuck":
            return "The game cannot go on.", "", course.wrong
    return (
        (kept(match.state, "says", lambda: match.choices().says) if not match.over else course.says),
        "",
        wrong,
    )


_SIZE = 13.0


def _lines(canvas: Canvas, match: Match, wide: int) -> list[str]:
    if match.begun is None:
        return []
    position = match.begun.position
    words = f"{position.title}: {position.look}" if position.look else position.title
    return canvas.wrapped(words, wide - 2 * canvas.px(14), _SIZE)


def position_high(canvas: Canvas, match: Match, wide: int) -> int:
    """Its height over the mat [pixels]; none when the game began at its beginning."""
    lines = _lines(canvas, match, wide)
    return len(lines) * canvas.high(_SIZE) + canvas.px(10) if lines else 0


def draw_position(canvas: Canvas, match: Match, table: pygame.Rect) -> None:
    """The strip over the mat."""
    lines = _lines(canvas, match, table.w)
    if not lines:
        return
    canvas.box(pygame.Rect(0, 0, table.w, table.y), palette.PANEL)
    for k, line in enumerate(lines):
        canvas.text(line, (canvas.px(14), canvas.px(5) + k * canvas.high(_SIZE)), _SIZE, palette.TEXT)
