"""Colours of images, and the default palette of the window."""

from collections.abc import Sequence

from flicksim.render.display_list import Colour

BACKGROUND: Colour = (26, 23, 21)
TEXT: Colour = (240, 235, 227)
MUTED_TEXT: Colour = (182, 172, 160)
DROP_SHADOW: Colour = (10, 8, 7)
SHADE: Colour = (10, 8, 7)
LINE: Colour = (250, 243, 226)
BRASS: Colour = (196, 154, 96)
PALE: Colour = (252, 250, 244)
INK: Colour = (24, 26, 30)
HIGHLIGHT: Colour = (255, 199, 92)
FELT: Colour = (62, 84, 74)
POT: Colour = (232, 228, 218)
POT_INSIDE: Colour = (38, 36, 38)
EDGE: Colour = (86, 78, 72)
PANEL: Colour = (24, 21, 19)
BOARD_COLOURS: dict[str, Colour] = {
    "polished": (134, 88, 54), "wood": (156, 112, 70), "chalked": (86, 104, 92), "slate": (70, 78, 88),
}  # fmt: skip
SEAT_COLOURS: dict[str, Colour] = {
    "blue": (38, 98, 190), "red": (190, 42, 46), "green": (30, 130, 76), "yellow": (222, 170, 22),
}  # fmt: skip
EXTRA_SEAT_COLOURS: dict[str, Colour] = {"black": (52, 54, 62), "white": (238, 234, 222)}
OWNER_MARKS: dict[str, str] = {
    "blue": "ring", "red": "cross", "green": "bar", "yellow": "dots", "black": "core", "white": "hem",
}  # fmt: skip
_ALL_SEAT_COLOURS = {**SEAT_COLOURS, **EXTRA_SEAT_COLOURS}


def board_colour(material: str) -> Colour:
    """Colour of a board by material."""
    return BOARD_COLOURS.get(material, (92, 98, 92))


def colour_key(owner: int | None, names: Sequence[str], piece: str = "") -> str:
    """Colour key of a piece, from its id, the name of its owner's seat or the seat number; "" without an owner."""
    first, dash, _ = piece.partition("-")
    seat_name = names[owner].lower() if owner is not None and owner < len(names) else ""
    for key in (first.lower() if dash else "", seat_name):
        if key in _ALL_SEAT_COLOURS:
            return key
    return "" if owner is None else list(_ALL_SEAT_COLOURS)[owner % len(_ALL_SEAT_COLOURS)]


def seat_colour(key: str) -> Colour:
    """Colour of a key; brass for the empty key."""
    return _ALL_SEAT_COLOURS.get(key, BRASS)


def contrasting_text(colour: Colour) -> Colour:
    """Text colour that contrasts with a background: pale on dark ones, ink on bright ones."""
    return INK if 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] > 150.0 else PALE


def mix(first: Colour, second: Colour, fraction: float) -> Colour:
    """Mix a fraction (0 to 1) of the other colour into one."""
    k = min(max(fraction, 0.0), 1.0)
    red, green, blue = (round(a + (b - a) * k) for a, b in zip(first, second, strict=True))
    return (red, green, blue)
