"""Panel of a shot that is shown, with its playback clock, and help for decisions."""

import pygame

from flicksim.gui.table_view.playback import Playback, PlaybackClock, rate_text
from flicksim.gui.table_view.side_panel import draw_caption
from flicksim.gui.toolkit import Canvas, palette

DECISION_HELP = "Click what is lit on the board, or go through the list with Up and Down and press Enter."


def draw_playback(canvas: Canvas, rect: pygame.Rect, playback: Playback) -> int:
    """Draw a playback's speed, time and bar. Return its lower end [pixels]."""
    y = draw_caption(canvas, rect, "Shown")
    return draw_time_bar(canvas, pygame.Rect(rect.x, y, rect.w, rect.h), playback)


def draw_time_bar(canvas: Canvas, rect: pygame.Rect, time: PlaybackClock) -> int:
    """Draw speed, time and bar of a playback. Return its lower end [pixels]."""
    y, duration = rect.y, time.motion_duration
    text = "paused" if time.is_paused else time.rate_text
    canvas.text(text, (rect.x, y), 17, palette.ACCENT if time.is_paused else palette.TEXT, bold=True)
    y += canvas.line_height(17)
    if time.is_paused and time.rate:
        canvas.text(rate_text(time.rate), (rect.x, y), 13, palette.MUTED_TEXT)
    y += canvas.line_height(13)
    canvas.text(f"{min(time.time, duration):.2f} of {duration:.2f} s", (rect.x, y), 14)
    y += canvas.line_height(14) + canvas.px(4)
    bar = pygame.Rect(rect.x, y, rect.w, canvas.px(8))
    canvas.box(bar, palette.INSET_BACKGROUND, 4)
    canvas.box(pygame.Rect(bar.x, bar.y, max(2, round(bar.w * time.progress)), bar.h), palette.ACCENT, 4)
    return bar.bottom + canvas.px(14)


def draw_decision_help(canvas: Canvas, rect: pygame.Rect) -> int:
    """Draw help for decisions. Return its lower end [pixels]."""
    y = draw_caption(canvas, rect, "Decide")
    return canvas.paragraph(DECISION_HELP, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), 14, palette.MUTED_TEXT)
