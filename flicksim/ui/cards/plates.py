"""A plate for every seat at the table: badge, name, who plays, how many cards or tiles, tokens, points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from colorsys import hls_to_rgb
from dataclasses import dataclass
from functools import lru_cache

import pygame

from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.palette import Colour

HIGH = 58.0
"""Height of a plate [units]."""


@dataclass(frozen=True, slots=True)
class Plate:
    """The words of a plate.

    Args:
        seat: whose. name, who: "Bob", "bot, club". count: cards or tiles in hand. points: as written.
        unit: what they are. marks: short words: dealer, out. tokens: how many; None where there are none.
        note: what was just done.
    """

    seat: int
    name: str
    who: str
    count: int
    points: str
    marks: str = ""
    tokens: int | None = None
    note: str = ""
    unit: str = "pts"


@lru_cache(maxsize=32)
def hue(seat: int) -> Colour:
    """A colour of its own for each seat, as far from its neighbours' as can be."""
    r, g, b = hls_to_rgb((0.58 + seat * 0.381966) % 1.0, 0.40 if seat % 2 else 0.46, 0.62)
    return round(r * 255), round(g * 255), round(b * 255)


def badge(canvas: Canvas, at: tuple[float, float], radius: float, seat: int, name: str) -> None:
    """A seat's disc with its initial."""
    canvas.disc(at, radius, palette.mix(hue(seat), palette.PALE, 0.55))
    canvas.disc(at, radius * 0.86, hue(seat))
    canvas.text(name[:1], at, radius * 1.25 / canvas.scale, palette.PALE, bold=True, anchor="center")


def token(canvas: Canvas, at: tuple[float, float], radius: float) -> None:
    """A brass token."""
    canvas.disc(at, radius, palette.mix(palette.BRASS, palette.SHADE, 0.45))
    canvas.disc(at, radius * 0.9, palette.mix(palette.BRASS, palette.PALE, 0.25))
    canvas.disc(at, radius * 0.66, palette.BRASS)


def columns(count: int, wide: int, scale: float) -> int:
    """The number of plates side by side."""
    most = max(1, int(wide // (150 * scale)))
    rows = -(-count // most) or 1
    return max(1, -(-count // rows))


def high(count: int, wide: int, scale: float) -> int:
    """Height of that many plates [pixels]."""
    if not count:
        return 0
    rows = -(-count // columns(count, wide, scale))
    return rows * round((HIGH + 6 if rows <= 2 else 44) * scale)


def place(count: int, rect: pygame.Rect, scale: float) -> list[pygame.Rect]:
    """Places of the plates."""
    across = columns(count, rect.w, scale)
    rows = -(-count // across) if count else 1
    gap, step = round(6 * scale), rect.h // rows
    wide = min((rect.w - (across - 1) * gap) // across, round(250 * scale))
    found = []
    for k in range(count):
        row, at = divmod(k, across)
        many = min(across, count - row * across)
        x = rect.centerx - (many * (wide + gap) - gap) // 2
        found.append(pygame.Rect(x + at * (wide + gap), rect.y + row * step, wide, step - gap))
    return found


def draw(
    canvas: Canvas, rect: pygame.Rect, plate: Plate, back: Callable[[int], pygame.Surface], *, acting: bool
) -> None:
    """One plate; `back` draws a card or tile face down so high [pixels]."""
    canvas.box(rect, palette.RAISED if acting else palette.PANEL, 8, palette.ACCENT if acting else palette.EDGE)
    low = rect.h < canvas.px(46)
    r = min(rect.h * 0.3, canvas.px(16))
    badge(canvas, (rect.x + canvas.px(8) + r, rect.centery), r, plate.seat, plate.name)
    x = round(rect.x + canvas.px(14) + 2 * r)
    edge = (rect.right - canvas.px(8), rect.y + canvas.px(6))
    unit = canvas.text(plate.unit, edge, 11, palette.FAINT, anchor="topright")
    points = canvas.text(plate.points, (unit.x - canvas.px(3), rect.y + canvas.px(3)), 16, bold=True, anchor="topright")
    name = canvas.text(plate.name, (x, rect.y + canvas.px(4)), 15, bold=True)
    room = points.x - name.right - canvas.px(10)
    if room > canvas.px(24):
        canvas.text(canvas.fitting(told(plate), room, 11), (name.right + canvas.px(6), name.bottom - canvas.px(1)), 11,
                    palette.ACCENT if plate.note or plate.marks else palette.FAINT, anchor="bottomleft")  # fmt: skip
    y = rect.bottom - canvas.px(5 if not low else 3)
    foot = max(canvas.px(10), y - name.bottom - canvas.px(1))
    right = rect.right - canvas.px(8)
    if plate.tokens is not None:
        size = canvas.px(6)
        words = canvas.text(f"×{plate.tokens}", (right, y), 13, anchor="bottomright")
        token(canvas, (words.x - size - canvas.px(2), words.centery), size)
        right = words.x - 2 * size - canvas.px(8)
    words = canvas.text(str(plate.count), (right, y), 13, bold=True, anchor="bottomright")
    _fan(canvas, pygame.Rect(x, y - foot, words.x - canvas.px(5) - x, foot), plate.count, back)


def told(plate: Plate) -> tuple[str, ...]:
    """The one who sits there, their marks and what was just done, in ever fewer words."""
    whole = (plate.who, plate.marks, plate.note)
    short = (plate.who.removeprefix("bot, "), plate.marks, plate.note)
    ways = (whole, short, whole[::2], short[::2], (plate.note or plate.marks or short[0],))
    return tuple(", ".join(filter(None, way)) for way in ways)


def _fan(canvas: Canvas, rect: pygame.Rect, count: int, back: Callable[[int], pygame.Surface]) -> None:
    """So many backs side by side."""
    if not count or rect.w < 6:
        return
    picture = back(rect.h)
    step = min(picture.get_width() + 1.0, (rect.w - picture.get_width()) / max(1, count - 1))
    shown = count if step >= 2.0 else max(1, int((rect.w - picture.get_width()) / 2.0) + 1)
    step = max(step, 2.0)
    for k in range(shown):
        canvas.surface.blit(picture, (round(rect.x + k * step), rect.y))


def order(seats: int, first: int | None) -> Sequence[int]:
    """Seats as they sit from the left of one's own; all of them when it is nobody's place."""
    if first is None:
        return tuple(range(seats))
    return tuple((first + k) % seats for k in range(1, seats))
