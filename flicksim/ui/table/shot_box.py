"""The shot in numbers, beside the board: power on a gauge, way, nail, start; and the clock of a playback."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from flicksim.base.geometry import distance
from flicksim.base.units import direction, to_mm
from flicksim.table import Motion, Piece, Surface, sliding
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.preferences import Gesture
from flicksim.ui.table import aim as aiming
from flicksim.ui.table.aim import Aim
from flicksim.ui.table.playback import Clock, Playback, rate_words
from flicksim.ui.table.shot_painter import stop
from flicksim.ui.table.side_panel import caption

HOW: Mapping[Gesture, str] = {
    "pull": "Pull back anywhere, like a slingshot, and let go. Drag the coin itself to place it.",
    "hold": "Pull back anywhere, and let go when the meter is at its top. Drag the coin itself to place it.",
    "flick": "Press beside the coin and strike through it: so fast, so hard. Drag the coin itself to place it.",
}
DECIDE = "Click what is lit on the board, or go through the list with Up and Down and press Enter."


def shot(
    canvas: Canvas, rect: pygame.Rect, aim: Aim, piece: Piece, surface: Surface, marks: Sequence[tuple[str, float]],
    free: Motion | None, wrong: str, hand: tuple[str, str], *, numbers: bool,
    gesture: Gesture,
) -> None:  # fmt: skip
    """The flick being aimed: a gauge, and beside it words.

    Args:
        marks: names and distances [m] worth a tick on the gauge.
        free: the flick on a board with nothing else on it. wrong: why it is not allowed so.
        hand: whose it is, and how far off it may make the flick now. numbers: with the numbers of the flick.
        gesture: how it is given.
    """
    y = caption(canvas, rect, "Power")
    tube = pygame.Rect(rect.x, y, canvas.px(26), rect.bottom - y)
    middle = rect.x + round(rect.w * 0.44)
    _gauge(canvas, tube, middle - canvas.px(6), aim, aiming.pull(piece, surface), marks)
    room = pygame.Rect(middle, rect.y, rect.right - middle, rect.h)
    if wrong:
        y = canvas.paragraph(wrong, room, 13, palette.BAD)
    elif numbers:
        y = _numbers(canvas, room, aim, free)
    else:
        canvas.text(f"{aim.speed / aim.span.speed[1]:.0%}", room.topleft, 24, palette.ACCENT, bold=True)
        y = room.y + canvas.high(24)
        y = canvas.paragraph(HOW[gesture], pygame.Rect(room.x, y, room.w, canvas.high(12) * 6), 12, palette.FAINT)
    for words in (f"hand: {hand[0]}", hand[1]):
        if y + canvas.high(13) <= room.bottom:
            y = canvas.paragraph(words, pygame.Rect(room.x, y, room.w, room.bottom - y), 13)


def _numbers(canvas: Canvas, room: pygame.Rect, aim: Aim, free: Motion | None) -> int:
    """Draw a flick in numbers. Returns where they end [pixels]."""
    rows = [f"{aim.speed:.3f} m/s", f"{direction(aim.azimuth, 2)}°"]
    if aim.offset:
        rows.append(f"nail {abs(aim.offset):.2f} r {'left' if aim.offset > 0 else 'right'}")
    if aim.start is not None:
        rows.append(f"from {to_mm(aim.start[0]):.1f}, {to_mm(aim.start[1]):.1f} mm")
    y = room.y
    for k, words in enumerate(rows):
        size = 13 if k else 17
        canvas.text(words, (room.x, y), size, palette.TEXT if k else palette.ACCENT, bold=not k, within=room.w)
        y += canvas.high(size)
    return canvas.paragraph(_rolls(aim, free), pygame.Rect(room.x, y, room.w, canvas.high(13) * 2), 13)


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
    ticks = [("hardest", most), ("", 0.0)]
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
    words = "paused" if shown.paused else shown.pace
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
