"""Texts of the tiddlywinks screen: the prompt, and the description of the starting position."""

from __future__ import annotations

import pygame

from flicksim.gui.game_views.tiddlywinks.state_cache import cached
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.match import Match, Warmup


def prompt_lines(
    controller: MatchController, warmup: Warmup, note: str, error: str, feedback: str
) -> tuple[str, str, str]:
    """Lines of the side panel: the prompt, a note, an error.

    Args:
        controller: of the match. warmup: of the physics. note, error: to be shown. feedback: on a person's last
            flick, where it is shown nowhere else.
    """
    match, seat = controller.match, controller.match.to_play
    if not warmup.is_ready and not note:
        note = warmup.message
    error = error or controller.recording_error
    if controller.is_paused:
        return "Paused: P goes on", note, error
    match controller.phase:
        case "choose":
            return cached(match.state, "prompt", lambda: match.legal_actions().prompt), note, error
        case "think" if seat is not None:
            activity = "takes aim" if controller.bot_action is not None else "is thinking"
            return f"{match_text.seat_text(match, seat)} {activity} ...", feedback or note, error
        case "settle":
            return "The wink flies ...", note, error
        case "show" if controller.turn is not None:
            return f"{match_text.seat_text(match, controller.turn.seat)} has squidged.", feedback, error
        case "hold" if controller.is_waiting:
            return "Look at the mat, then go on: Space, or a click on the mat.", feedback, error
        case "stuck":
            return "The game cannot go on.", "", controller.error
    return (
        (
            cached(match.state, "prompt", lambda: match.legal_actions().prompt)
            if not match.is_over
            else controller.prompt
        ),
        "",
        error,
    )


_TEXT_SIZE = 13.0


def _position_lines(canvas: Canvas, match: Match, width: int) -> list[str]:
    if match.custom_start is None:
        return []
    position = match.custom_start.position
    text = f"{position.title}: {position.look}" if position.look else position.title
    return canvas.wrap(text, width - 2 * canvas.px(14), _TEXT_SIZE)


def position_height(canvas: Canvas, match: Match, width: int) -> int:
    """Height of the description over the mat [pixels]; zero if the match began from the usual start."""
    lines = _position_lines(canvas, match, width)
    return len(lines) * canvas.line_height(_TEXT_SIZE) + canvas.px(10) if lines else 0


def draw_position(canvas: Canvas, match: Match, table_rect: pygame.Rect) -> None:
    """Draw the description over the mat."""
    lines = _position_lines(canvas, match, table_rect.w)
    if not lines:
        return
    canvas.box(pygame.Rect(0, 0, table_rect.w, table_rect.y), palette.PANEL)
    for k, line in enumerate(lines):
        canvas.text(line, (canvas.px(14), canvas.px(5) + k * canvas.line_height(_TEXT_SIZE)), _TEXT_SIZE, palette.TEXT)
