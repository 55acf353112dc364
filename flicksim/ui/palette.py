"""Every colour in one place, and the marks that tell owners apart without colour."""

from __future__ import annotations

from collections.abc import Sequence

Colour = tuple[int, int, int]

GROUND: Colour = (20, 24, 31)
PANEL: Colour = (31, 37, 47)
RAISED: Colour = (44, 52, 65)
EDGE: Colour = (70, 81, 98)
TEXT: Colour = (234, 238, 244)
FAINT: Colour = (164, 175, 190)
ACCENT: Colour = (255, 199, 92)
GOOD: Colour = (126, 211, 150)
BAD: Colour = (255, 138, 122)
SHADE: Colour = (8, 10, 14)

LINE: Colour = (250, 243, 226)
BRASS: Colour = (196, 154, 96)
PALE: Colour = (252, 250, 244)
INK: Colour = (24, 26, 30)

BOARDS: dict[str, Colour] = {
    "polished": (124, 84, 54),
    "wood": (150, 112, 74),
    "chalked": (86, 104, 92),
    "slate": (70, 78, 88),
}
"""Surfaces by material; all dark enough for a white piece and cream lines to stand out."""

SEATS: dict[str, Colour] = {
    "blue": (38, 98, 190),
    "red": (190, 42, 46),
    "green": (30, 130, 76),
    "yellow": (222, 170, 22),
}
MARKS: dict[str, str] = {"blue": "ring", "red": "cross", "green": "bar", "yellow": "dots"}
_ORDER = tuple(SEATS)


def board(material: str) -> Colour:
    """Colour of a surface of that material."""
    return BOARDS.get(material, (92, 98, 92))


def seat_key(seat: int | None, names: Sequence[str], piece: str = "") -> str | None:
    """Which of the four colours a piece or seat wears: by the piece's name, the seat's name, or its number."""
    for word in (
        piece.partition("-")[0].lower(),
        names[seat].lower() if seat is not None and seat < len(names) else "",
    ):
        if word in SEATS:
            return word
    return None if seat is None else _ORDER[seat % len(_ORDER)]


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """One colour with a share (0 to 1) of the other."""
    k = min(max(share, 0.0), 1.0)
    return (
        round(one[0] + (other[0] - one[0]) * k),
        round(one[1] + (other[1] - one[1]) * k),
        round(one[2] + (other[2] - one[2]) * k),
    )
