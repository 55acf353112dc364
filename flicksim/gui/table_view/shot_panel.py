"""Shot panel: power bar, direction, nail offset, start, and playback clock."""

from collections.abc import Mapping, Sequence

import pygame

from flicksim.core.geometry import distance
from flicksim.core.units import format_azimuth, to_mm
from flicksim.gui.table_view import aim as aiming
from flicksim.gui.table_view.aim import Aim
from flicksim.gui.table_view.playback import Playback, PlaybackClock, rate_text
from flicksim.gui.table_view.shot_painter import stop_position
from flicksim.gui.table_view.side_panel import draw_caption
from flicksim.gui.toolkit import Canvas, Gesture, palette
from flicksim.scene import Piece, Surface, Trajectory, sliding_speed

AIM_HELP: Mapping[Gesture, str] = {
    "pull": "Pull back anywhere, like a slingshot, and let go. Drag the coin itself to place it.",
    "hold": "Pull back anywhere, and let go when the meter is at its top. Drag the coin itself to place it.",
    "flick": "Press beside the coin and strike through it: so fast, so hard. Drag the coin itself to place it.",
}
DECISION_HELP = "Click what is lit on the board, or go through the list with Up and Down and press Enter."


def draw_shot(
    canvas: Canvas, rect: pygame.Rect, aim: Aim, piece: Piece, surface: Surface, marks: Sequence[tuple[str, float]],
    free_trajectory: Trajectory | None, error: str, noise_text: tuple[str, str], *, has_numbers: bool,
    gesture: Gesture,
) -> None:  # fmt: skip
    """Draw the aimed flick: a power bar, and text beside it.

    Args:
        marks: names and distances [m] marked by ticks on the power bar.
        free_trajectory: of the flick on an empty board. error: why it is illegal.
        noise_text: the grade of noise and its present spread. has_numbers: show the numbers of the flick.
        gesture: that releases it.
    """
    y = draw_caption(canvas, rect, "Power")
    bar = pygame.Rect(rect.x, y, canvas.px(26), rect.bottom - y)
    split_x = rect.x + round(rect.w * 0.44)
    _draw_gauge(canvas, bar, split_x - canvas.px(6), aim, aiming.friction_deceleration(piece, surface), marks)
    area = pygame.Rect(split_x, rect.y, rect.right - split_x, rect.h)
    if error:
        y = canvas.paragraph(error, area, 13, palette.BAD)
    elif has_numbers:
        y = _draw_numbers(canvas, area, aim, free_trajectory)
    else:
        canvas.text(f"{aim.speed / aim.flick_range.speed[1]:.0%}", area.topleft, 24, palette.ACCENT, bold=True)
        y = area.y + canvas.line_height(24)
        y = canvas.paragraph(
            AIM_HELP[gesture], pygame.Rect(area.x, y, area.w, canvas.line_height(12) * 6), 12, palette.MUTED_TEXT
        )
    for text in (f"hand: {noise_text[0]}", noise_text[1]):
        if y + canvas.line_height(13) <= area.bottom:
            y = canvas.paragraph(text, pygame.Rect(area.x, y, area.w, area.bottom - y), 13)


def _draw_numbers(canvas: Canvas, area: pygame.Rect, aim: Aim, free_trajectory: Trajectory | None) -> int:
    """Draw the numbers of a flick. Return their lower end [pixels]."""
    rows = [f"{aim.speed:.3f} m/s", f"{format_azimuth(aim.azimuth, 2)}°"]
    if aim.offset:
        rows.append(f"nail {abs(aim.offset):.2f} r {'left' if aim.offset > 0 else 'right'}")
    if aim.start is not None:
        rows.append(f"from {to_mm(aim.start[0]):.1f}, {to_mm(aim.start[1]):.1f} mm")
    y = area.y
    for k, text in enumerate(rows):
        size = 13 if k else 17
        canvas.text(text, (area.x, y), size, palette.TEXT if k else palette.ACCENT, bold=not k, max_width=area.w)
        y += canvas.line_height(size)
    return canvas.paragraph(
        _roll_text(aim, free_trajectory), pygame.Rect(area.x, y, area.w, canvas.line_height(13) * 2), 13
    )


def _roll_text(aim: Aim, free_trajectory: Trajectory | None) -> str:
    if free_trajectory is None:
        return ""
    end, falls = stop_position(free_trajectory)
    travel = to_mm(distance(aim.contact_point, end))
    return f"leaves the board after {travel:.0f} mm" if falls else f"slides about {travel:.0f} mm"


def _draw_gauge(
    canvas: Canvas,
    tube: pygame.Rect,
    right: int,
    aim: Aim,
    friction_deceleration: float,
    marks: Sequence[tuple[str, float]],
) -> None:
    """Draw a bar filled by the strength of the flick, with ticks at the distances it would reach."""
    max_speed = aim.flick_range.speed[1]
    canvas.box(tube, palette.INSET_BACKGROUND, 6, palette.BORDER)
    inner = tube.inflate(-canvas.px(8), -canvas.px(8))
    share = min(aim.speed / max_speed, 1.0)
    fill = palette.mix(palette.GOOD, palette.BAD, max(0.0, share * 1.6 - 0.6))
    height = max(2, round(inner.h * share))
    canvas.box(pygame.Rect(inner.x, inner.bottom - height, inner.w, height), fill, 3)
    x, labelled = tube.right + canvas.px(4), list[float]()
    ticks = [("hardest", max_speed)]
    ticks += [
        (name, sliding_speed(max(mark_distance, 0.0), friction_deceleration)) for name, mark_distance in reversed(marks)
    ]
    for name, speed in ticks:  # by importance: a later tick is dropped where its label would overlap an earlier one
        y = inner.bottom - inner.h * speed / max_speed
        if speed <= max_speed and all(abs(y - label_y) >= canvas.px(13) for label_y in labelled):
            canvas.line((x, y), (x + canvas.px(6), y), palette.TEXT, 1.0)
            max_width = right - x - canvas.px(10)
            size = next((size for size in (12.0, 11.0, 10.0) if canvas.text_width(name, size) <= max_width), 9.0)
            canvas.text(name, (x + canvas.px(10), y), size, palette.MUTED_TEXT, anchor="midleft", max_width=max_width)
            labelled.append(y)


def draw_playback(canvas: Canvas, rect: pygame.Rect, playback: Playback) -> int:
    """Draw a playback's speed, time and bar. Return its lower end [pixels]."""
    y = draw_caption(canvas, rect, "Shown")
    return draw_time_bar(canvas, pygame.Rect(rect.x, y, rect.w, rect.h), playback, playback.trajectory.duration)


def draw_time_bar(canvas: Canvas, rect: pygame.Rect, time: PlaybackClock, duration: float) -> int:
    """Draw speed, time and bar of a playback of a duration [s]. Return its lower end [pixels]."""
    y = rect.y
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
