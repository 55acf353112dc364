"""The colours of pictures, and the first palette of the window: dark warm neutrals about a lit table."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.drawing.marks import Colour

GROUND: Colour = (26, 23, 21)
TEXT: Colour = (240, 235, 227)
FAINT: Colour = (182, 172, 160)
DROP: Colour = (10, 8, 7)
SHADE: Colour = (10, 8, 7)
LINE: Colour = (250, 243, 226)
BRASS: Colour = (196, 154, 96)
PALE: Colour = (252, 250, 244)
INK: Colour = (24, 26, 30)
GLOW: Colour = (255, 199, 92)
FELT: Colour = (62, 84, 74)
POT: Colour = (232, 228, 218)
INSIDE: Colour = (38, 36, 38)
EDGE: Colour = (86, 78, 72)
WELL: Colour = (24, 21, 19)
BOARDS: dict[str, Colour] = {
    "polished": (134, 88, 54), "wood": (156, 112, 70), "chalked": (86, 104, 92), "slate": (70, 78, 88),
}  # fmt: skip
SEATS: dict[str, Colour] = {
    "blue": (38, 98, 190), "red": (190, 42, 46), "green": (30, 130, 76), "yellow": (222, 170, 22),
}  # fmt: skip
MORE: dict[str, Colour] = {"black": (52, 54, 62), "white": (238, 234, 222)}
MARKS: dict[str, str] = {
    "blue": "ring", "red": "cross", "green": "bar", "yellow": "dots", "black": "core", "white": "hem",
}  # fmt: skip
_ALL = {**SEATS, **MORE}


def board(material: str) -> Colour:
    """The colour of a board."""
    return BOARDS.get(material, (92, 98, 92))


def key_of(owner: int | None, names: Sequence[str], piece: str = "") -> str:
    """The colour a piece wears, by its own name, its owner's or its owner's number; "" for nobody's."""
    first, dash, _ = piece.partition("-")
    named = names[owner].lower() if owner is not None and owner < len(names) else ""
    for word in (first.lower() if dash else "", named):
        if word in _ALL:
            return word
    return "" if owner is None else list(_ALL)[owner % len(_ALL)]


def seat(key: str) -> Colour:
    """The colour of a key; brass for nobody's."""
    return _ALL.get(key, BRASS)


def on(colour: Colour) -> Colour:
    """Pale on dark colours, ink on bright ones."""
    return INK if 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] > 150.0 else PALE


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """One colour with a share (0 to 1) of the other."""
    k = min(max(share, 0.0), 1.0)
    red, green, blue = (round(a + (b - a) * k) for a, b in zip(one, other, strict=True))
    return (red, green, blue)
