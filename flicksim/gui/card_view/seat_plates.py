"""Plates of the seats: badge, name, player, number of cards or tiles, tokens, points."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from flicksim.gui.toolkit import Canvas, Untranslated, palette, translate

PLATE_HEIGHT = 58.0
"""Height of a plate [units]."""


@dataclass(frozen=True, slots=True)
class SeatPlate:
    """Contents of a seat plate.

    Args:
        seat: its index. name, player: "Bob", "bot, club". count: cards or tiles in hand. points: as text. marks:
            short words such as dealer, out. tokens: how many; None where there are none. note: the last action.
            unit: of the points.
    """

    seat: int
    name: str
    player: str
    count: int
    points: str
    marks: str = ""
    tokens: int | None = None
    note: str = ""
    unit: str = "pts"


def draw_badge(canvas: Canvas, center: tuple[float, float], radius: float, seat: int, name: str) -> None:
    """Draw a seat's disc with its initial."""
    canvas.disc(center, radius, palette.mix(palette.seat_hue(seat), palette.LIGHT_TEXT, 0.55))
    canvas.disc(center, radius * 0.86, palette.seat_hue(seat))
    canvas.text(name[:1], center, radius * 1.25 / canvas.scale, palette.LIGHT_TEXT, bold=True, anchor="center")


def draw_token(canvas: Canvas, center: tuple[float, float], radius: float) -> None:
    """Draw a brass token."""
    canvas.disc(center, radius, palette.mix(palette.BRASS, palette.OVERLAY_SHADE, 0.45))
    canvas.disc(center, radius * 0.9, palette.mix(palette.BRASS, palette.LIGHT_TEXT, 0.25))
    canvas.disc(center, radius * 0.66, palette.BRASS)


def plate_rects(count: int, rect: pygame.Rect, scale: float) -> list[pygame.Rect]:
    """Rectangles of the plates, in rows from the top of an area, whose height becomes theirs."""
    maximum = max(1, int(rect.w // (150 * scale)))
    across = max(1, -(-count // (-(-count // maximum) or 1)))
    rows = -(-count // across)
    gap, step = round(6 * scale), round((PLATE_HEIGHT + 6 if rows <= 2 else 44) * scale)
    rect.h = rows * step
    wide = min((rect.w - (across - 1) * gap) // across, round(250 * scale))
    rects = []
    for k in range(count):
        row, at = divmod(k, across)
        in_row = min(across, count - row * across)
        x = rect.centerx - (in_row * (wide + gap) - gap) // 2
        rects.append(pygame.Rect(x + at * (wide + gap), rect.y + row * step, wide, step - gap))
    return rects


def draw_plate(
    canvas: Canvas, rect: pygame.Rect, plate: SeatPlate, back_image: Callable[[int], pygame.Surface], *, is_acting: bool
) -> None:
    """Draw a plate; `back_image` draws a card or tile face down at a height [pixels]."""
    fill, edge_colour = (palette.RAISED_PANEL, palette.ACCENT) if is_acting else (palette.PANEL, palette.BORDER)
    canvas.box(rect, fill, 8, edge_colour)
    low = rect.h < canvas.px(46)
    r = min(rect.h * 0.3, canvas.px(16))
    draw_badge(canvas, (rect.x + canvas.px(8) + r, rect.centery), r, plate.seat, plate.name)
    x = round(rect.x + canvas.px(14) + 2 * r)
    edge = (rect.right - canvas.px(8), rect.y + canvas.px(6))
    name, variants = canvas.text(plate.name, (x, rect.y + canvas.px(4)), 15, bold=True), text_variants(plate)
    points_x, shortest = edge[0], canvas.text_width(variants[-1], 11)
    unit_width = canvas.text_width(plate.unit, 11) + canvas.px(3)
    points_width = canvas.text_width(plate.points, 16, bold=True)
    if edge[0] - unit_width - points_width - name.right - canvas.px(10) >= shortest:  # else the player needs its space
        points_x = canvas.text(plate.unit, edge, 11, palette.MUTED_TEXT, anchor="topright").x - canvas.px(3)
    points = canvas.text(plate.points, (points_x, rect.y + canvas.px(3)), 16, bold=True, anchor="topright")
    available = points.x - name.right - canvas.px(10)
    if available > canvas.px(24):
        size = canvas.size_to_fit(variants[-1], (available, canvas.line_height(11)), 11, 9)
        text = canvas.first_fitting(variants, available, size)
        at, colour = (name.right + canvas.px(6), name.bottom - canvas.px(1)), palette.MUTED_TEXT
        canvas.text(text, at, size, palette.ACCENT if plate.note or plate.marks else colour, anchor="bottomleft")
    y = rect.bottom - canvas.px(5 if not low else 3)
    foot = max(canvas.px(10), y - name.bottom - canvas.px(1))
    right = rect.right - canvas.px(8)
    if plate.tokens is not None:
        size = canvas.px(6)
        text_rect = canvas.text(f"×{plate.tokens}", (right, y), 13, anchor="bottomright")
        draw_token(canvas, (text_rect.x - size - canvas.px(2), text_rect.centery), size)
        right = text_rect.x - 2 * size - canvas.px(8)
    text_rect = canvas.text(str(plate.count), (right, y), 13, bold=True, anchor="bottomright")
    _draw_backs(canvas, pygame.Rect(x, y - foot, text_rect.x - canvas.px(5) - x, foot), plate.count, back_image)


def text_variants(plate: SeatPlate) -> tuple[str, ...]:
    """Texts of the player, the marks and the last action, from the longest to the shortest."""
    description = (plate.player, plate.marks, plate.note)
    short = ("bot" if plate.player.startswith("bot, ") else plate.player, plate.marks, plate.note)
    variants = (description, short, description[::2], short[::2], (plate.note or plate.marks or short[0],))
    return tuple(Untranslated(", ".join(map(translate, filter(None, parts)))) for parts in variants)


def _draw_backs(canvas: Canvas, rect: pygame.Rect, count: int, back_image: Callable[[int], pygame.Surface]) -> None:
    """Draw a number of backs side by side."""
    if not count or rect.w < 6:
        return
    picture = back_image(rect.h)
    step = min(picture.get_width() + 1.0, (rect.w - picture.get_width()) / max(1, count - 1))
    visible_count = count if step >= 2.0 else max(1, int((rect.w - picture.get_width()) / 2.0) + 1)
    step = max(step, 2.0)
    for k in range(visible_count):
        canvas.surface.blit(picture, (round(rect.x + k * step), rect.y))


def seat_order(seats: int, first: int | None) -> Sequence[int]:
    """Seats in clockwise order after one's own; all of them if there is no own seat."""
    if first is None:
        return tuple(range(seats))
    return tuple((first + k) % seats for k in range(1, seats))
