"""The shot in numbers, beside the board: power on a gauge, way, nail, start; and the clock of a playback."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from flicksim.base.geometry import distance
from flicksim.base.units import to_degrees, to_mm
from flicksim.table import Motion, Piece, Surface, sliding
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.table import aim as aiming
from flicksim.ui.table.aim import Aim
from flicksim.ui.table.playback import Clock, Playback, rate_words
from flicksim.ui.table.shot_painter import stop
from flicksim.ui.table.side_panel import caption

HOW = "Pull back anywhere on the board, like a slingshot, and let go to flick. Drag the coin itself to place it."
DECIDE = "Click what is lit on the board, or go through the list with Up and Down and press Enter."
KEYS = "Arrows aim and push, Shift fine; A D place, Q E nail, Space flicks. All keys: ?"


def shot(
    canvas: Canvas, rect: pygame.Rect, aim: Aim, piece: Piece, surface: Surface, marks: Sequence[tuple[str, float]],
    free: Motion | None, wrong: str, hand: tuple[str, str],
) -> None:  # fmt: skip
    """The flick being aimed.

    Args:
        marks: names and distances [m] worth a tick on the gauge.
        free: the flick on a board with nothing else on it. wrong: why it is not allowed so.
        hand: whose it is, and how far off it may make the flick now.
    """
    y = caption(canvas, rect, "Power")
    foot = canvas.high(14) * 11
    tube = pygame.Rect(rect.x, y, canvas.px(30), max(canvas.px(90), rect.bottom - y - foot))
    _gauge(canvas, tube, rect.right, aim, aiming.pull(piece, surface), marks)
    y = tube.bottom + canvas.px(8)
    canvas.text(f"{aim.speed:.3f} m/s", (rect.x, y), 20, palette.ACCENT, bold=True)
    y += canvas.high(20)
    y = canvas.paragraph(_rolls(aim, free), pygame.Rect(rect.x, y, rect.w, canvas.high(14) * 2), 14)
    y += canvas.px(6)
    left = to_degrees(aim.azimuth) - 90.0
    way = "straight up" if abs(left) < 0.005 else f"{abs(left):.2f}° {'left' if left > 0 else 'right'}"
    nail = "centre" if aim.offset == 0 else f"{abs(aim.offset):.2f} r {'left' if aim.offset > 0 else 'right'}"
    rows = [("way", way), ("nail", nail), ("hand", hand[0]), ("", hand[1])]
    if aim.start is not None:
        rows.append(("start", f"{to_mm(aim.start[0]):.1f}, {to_mm(aim.start[1]):.1f} mm"))
    for name, words in rows:
        canvas.text(name, (rect.x, y), 13, palette.FAINT)
        canvas.text(words, (rect.x + canvas.px(42), y), 14, within=rect.w - canvas.px(42))
        y += canvas.high(14)
    y += canvas.px(6)
    room = pygame.Rect(rect.x, y, rect.w, max(rect.bottom - y, canvas.high(12)))
    if wrong:
        canvas.paragraph(wrong, room, 13, palette.BAD)


def _rolls(aim: Aim, free: Motion | None) -> str:
    if free is None:
        return ""
    end, falls = stop(free)
    way = to_mm(distance(aim.at, end))
    return f"leaves the board after {way:.0f} mm" if falls else f"slides about {way:.0f} mm"


def _gauge(
    canvas: Canvas, tube: pygame.Rect, right: int, aim: Aim, slowed: float, marks: Sequence[tuple[str, float]]
) -> None:
    """A tube filled as high as the flick is strong, with ticks at what it would reach."""
    most = aim.span.speed[1]
    canvas.box(tube, palette.WELL, 6, palette.EDGE)
    inner = tube.inflate(-canvas.px(8), -canvas.px(8))
    share = min(aim.speed / most, 1.0)
    fill = palette.mix(palette.GOOD, palette.BAD, max(0.0, share * 1.6 - 0.6))
    high = max(2, round(inner.h * share))
    canvas.box(pygame.Rect(inner.x, inner.bottom - high, inner.w, high), fill, 3)
    x, written = tube.right + canvas.px(4), list[float]()
    ticks = [(f"{most:g} m/s", most), ("0", 0.0)]
    ticks += [(name, sliding(max(far, 0.0), slowed)) for name, far in reversed(marks)]
    for name, speed in ticks:  # the weightiest first: a later name gives way to one that stands there
        if speed > most:
            continue
        y = inner.bottom - inner.h * speed / most
        canvas.line((x, y), (x + canvas.px(6), y), palette.TEXT, 1.0)
        if all(abs(y - other) >= canvas.px(13) for other in written):
            room = right - x - canvas.px(10)
            canvas.text(name, (x + canvas.px(10), y), 12, palette.FAINT, anchor="midleft", within=room)
            written.append(y)


def clock(canvas: Canvas, rect: pygame.Rect, playback: Playback) -> int:
    """Draw how a playback goes: speed, time, a bar. Returns where it ends [pixels]."""
    y = caption(canvas, rect, "Shown")
    return times(canvas, pygame.Rect(rect.x, y, rect.w, rect.h), playback, playback.motion.duration)


def times(canvas: Canvas, rect: pygame.Rect, shown: Clock, duration: float) -> int:
    """Speed, time and a bar of whatever is shown for so long [s]. Returns where it ends [pixels]."""
    y = rect.y
    words = "paused" if shown.paused else rate_words(shown.rate)
    canvas.text(words, (rect.x, y), 17, palette.ACCENT if shown.paused else palette.TEXT, bold=True)
    y += canvas.high(17)
    if shown.paused and shown.rate:
        canvas.text(rate_words(shown.rate), (rect.x, y), 13, palette.FAINT)
    y += canvas.high(13)
    canvas.text(f"{min(shown.t, duration):.2f} of {duration:.2f} s", (rect.x, y), 14)
    y += canvas.high(14) + canvas.px(4)
    bar = pygame.Rect(rect.x, y, rect.w, canvas.px(8))
    canvas.box(bar, palette.WELL, 4)
    canvas.box(pygame.Rect(bar.x, bar.y, max(2, round(bar.w * shown.share)), bar.h), palette.ACCENT, 4)
    return bar.bottom + canvas.px(14)


def decide(canvas: Canvas, rect: pygame.Rect) -> None:
    """Draw how to decide."""
    y = caption(canvas, rect, "Decide")
    canvas.paragraph(DECIDE, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), 14, palette.FAINT)


def how(canvas: Canvas, rect: pygame.Rect) -> None:
    """Draw how to flick, in two short paragraphs."""
    y = canvas.paragraph(HOW, rect, 13, palette.FAINT) + canvas.px(6)
    canvas.paragraph(KEYS, pygame.Rect(rect.x, y, rect.w, max(1, rect.bottom - y)), 13, palette.FAINT)
