"""Parts of the side panel of a card table: the prompt, and the moves made last."""

import pygame

from flicksim.gui.card_view import seat_plates
from flicksim.gui.table_view import match_text, side_panel
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import Match


def draw_prompt(canvas: Canvas, rect: pygame.Rect, text: str, note: str, error: str) -> None:
    """Draw the prompt, if there is any; an error comes first so that it is never cut off."""
    if not (text or note or error):
        return
    y = side_panel.draw_caption(canvas, rect, "Now")
    if error:
        y = canvas.paragraph(error, pygame.Rect(rect.x, y, rect.w, canvas.px(80)), 14, palette.BAD, bold=True)
        y += canvas.px(3)
    y = canvas.paragraph(text, pygame.Rect(rect.x, y, rect.w, max(1, rect.bottom - y)), 15, bold=True)
    y += canvas.px(3)
    if note and rect.bottom - y > canvas.line_height(13) // 2:
        canvas.paragraph(note, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), 13, palette.GOOD)


def draw_recent_moves(canvas: Canvas, rect: pygame.Rect, match: Match) -> None:
    """Draw the latest moves, newest first, as many as fit."""
    if rect.h < canvas.px(34) or not match.turns:
        return
    y = side_panel.draw_caption(canvas, rect, "Moves")
    step = canvas.line_height(13) + canvas.px(2)
    for turn in reversed(match.turns):
        if y + step > rect.bottom:
            break
        name = match_text.seat_text(match, turn.seat)
        seat_plates.draw_badge(canvas, (rect.x + canvas.px(7), y + step // 2), step * 0.42, turn.seat, name)
        line = match_text.ruling_text(match, match_text.turn_text(match.game, turn))
        position, max_width = (rect.x + canvas.px(18), y), rect.w - canvas.px(18)
        canvas.text(line, position, 13, palette.MUTED_TEXT, max_width=max_width)
        y += step
