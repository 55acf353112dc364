"""The words of a position, over the mat for as long as it is played from."""

from __future__ import annotations

import pygame

from flicksim.play import Match
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas

_SIZE = 13.0


def _lines(canvas: Canvas, match: Match, wide: int) -> list[str]:
    if match.begun is None:
        return []
    position = match.begun.position
    words = f"{position.title}: {position.look}" if position.look else position.title
    return canvas.wrapped(words, wide - 2 * canvas.px(14), _SIZE)


def high(canvas: Canvas, match: Match, wide: int) -> int:
    """Its height over the mat [pixels]; none when the game began at its beginning."""
    lines = _lines(canvas, match, wide)
    return len(lines) * canvas.high(_SIZE) + canvas.px(10) if lines else 0


def draw(canvas: Canvas, match: Match, table: pygame.Rect) -> None:
    """The strip over the mat."""
    lines = _lines(canvas, match, table.w)
    if not lines:
        return
    canvas.box(pygame.Rect(0, 0, table.w, table.y), palette.PANEL)
    for k, line in enumerate(lines):
        canvas.text(line, (canvas.px(14), canvas.px(5) + k * canvas.high(_SIZE)), _SIZE, palette.TEXT)
