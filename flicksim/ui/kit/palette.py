"""Every colour in one place, and the marks that tell owners apart without colour.

The colours stand here as the player likes them: `use` puts another palette in their place. Words on panels and on the
bare ground have other colours than words and signs on tables, for a table stays dark where the panels are light.
"""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.drawing import colours
from flicksim.ui.kit import surface_cache

Colour = tuple[int, int, int]

GROUND: Colour = colours.GROUND
PANEL: Colour = (37, 34, 32)
RAISED: Colour = (54, 49, 46)
WELL: Colour = colours.WELL
"""Colour of what is sunk: lists, gauges, the side view."""
EDGE: Colour = colours.EDGE
TEXT: Colour = colours.TEXT
FAINT: Colour = colours.FAINT
ACCENT: Colour = (255, 199, 92)
ON_ACCENT: Colour = (28, 24, 20)
GOOD: Colour = (126, 211, 150)
BAD: Colour = (255, 138, 122)
DROP: Colour = colours.DROP
"""Colour of the shadow that a table throws on the ground."""

SHADE: Colour = colours.SHADE
LINE: Colour = colours.LINE
BRASS: Colour = colours.BRASS
PALE: Colour = colours.PALE
INK: Colour = colours.INK

CHALK: Colour = (240, 236, 228)
DUST: Colour = (192, 184, 172)
GLOW: Colour = colours.GLOW
ALARM: Colour = (255, 138, 122)
LUCK: Colour = (126, 211, 150)
"""On tables: words, fainter words, what is chosen, what is forbidden or missed, what is good."""

FELT: Colour = colours.FELT
CLOTH: Colour = (24, 74, 58)
POT: Colour = colours.POT
INSIDE: Colour = colours.INSIDE

BOARDS: dict[str, Colour] = colours.BOARDS
"""Surfaces by material; all dark enough for a white piece and cream lines to stand out."""

SEATS: dict[str, Colour] = colours.SEATS
MORE: dict[str, Colour] = colours.MORE
MARKS: dict[str, str] = colours.MARKS
_ORDER = (*SEATS, *MORE)

Look = dict[str, Colour | dict[str, Colour]]
"""Colours by name, as they stand above."""
_SAFE: Look = {"ACCENT": (255, 199, 92), "GOOD": (120, 190, 255), "BAD": (255, 160, 80)}
_ON_TABLES: Look = {"LUCK": (140, 205, 255), "ALARM": (255, 150, 60)}
LOOKS: dict[str, Look] = {
    "dark": {},
    "light": {
        "GROUND": (226, 222, 212), "PANEL": (246, 243, 236), "RAISED": (255, 254, 250), "WELL": (222, 217, 206),
        "EDGE": (172, 166, 154), "TEXT": (30, 33, 40), "FAINT": (86, 89, 98), "ACCENT": (158, 76, 0),
        "ON_ACCENT": (255, 252, 246), "GOOD": (18, 104, 52), "BAD": (176, 28, 20), "DROP": (176, 171, 160),
        "FELT": (96, 103, 112), "CLOTH": (30, 92, 72),
    },
    "high-contrast": {
        "GROUND": (0, 0, 0), "PANEL": (0, 0, 0), "RAISED": (38, 38, 44), "WELL": (0, 0, 0), "EDGE": (200, 200, 200),
        "TEXT": (255, 255, 255), "FAINT": (226, 226, 226), "ACCENT": (255, 224, 0), "ON_ACCENT": (0, 0, 0),
        "GOOD": (120, 255, 140), "BAD": (255, 150, 130), "DROP": (60, 60, 60), "LINE": (255, 255, 255),
        "CHALK": (255, 255, 255), "DUST": (236, 236, 236), "GLOW": (255, 224, 0), "ALARM": (255, 150, 130),
        "FELT": (40, 42, 48), "CLOTH": (10, 44, 34), "POT": (255, 255, 255), "INSIDE": (0, 0, 0),
        "BOARDS": {"polished": (74, 48, 30), "wood": (86, 60, 38), "chalked": (44, 56, 48), "slate": (36, 40, 46)},
        "SEATS": {"blue": (30, 80, 210), "red": (200, 20, 30), "green": (0, 140, 70), "yellow": (255, 216, 0)},
    },
    "deutan": {
        **_SAFE, **_ON_TABLES,
        "SEATS": {"blue": (20, 33, 163), "red": (185, 68, 28), "green": (46, 205, 171), "yellow": (250, 245, 60)},
    },
    "protan": {
        **_SAFE, **_ON_TABLES,
        "SEATS": {"blue": (59, 96, 233), "red": (130, 6, 18), "green": (40, 195, 165), "yellow": (254, 242, 16)},
    },
    "tritan": {
        "ACCENT": (255, 190, 190), "GOOD": (130, 230, 220), "BAD": (255, 110, 110), "GLOW": (255, 196, 196),
        "LUCK": (150, 240, 230), "ALARM": (255, 110, 100),
        "SEATS": {"blue": (24, 54, 148), "red": (210, 68, 63), "green": (32, 205, 55), "yellow": (249, 242, 38)},
    },
}  # fmt: skip
"""Palettes by name: what is other than above. The last three keep apart what those eyes would confuse."""

name = "dark"
_first = {key: value for key, value in globals().items() if key.isupper() and not key.startswith("_")}


def use(look: str) -> None:
    """Put this palette in place; pictures drawn in the colours before are forgotten."""
    if look != name:
        globals().update(_first | LOOKS[look], name=look)
        surface_cache.ALBUM.clear()


def board(material: str) -> Colour:
    """Colour of a surface of that material."""
    return BOARDS.get(material, (92, 98, 92))


def seat_key(seat: int | None, names: Sequence[str], piece: str = "") -> str | None:
    """Key of the colour that a piece or seat wears: by the piece's name, the seat's name, or its number."""
    colour, dash, _ = piece.partition("-")
    for word in (colour.lower() if dash else "", names[seat].lower() if seat is not None and seat < len(names) else ""):
        if word in SEATS or word in MORE:
            return word
    return None if seat is None else _ORDER[seat % len(_ORDER)]


def on(colour: Colour) -> Colour:
    """The colour seen best on another: pale on dark ones, ink on bright ones."""
    return INK if 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] > 150.0 else PALE


def seat_colour(key: str | None) -> Colour:
    """The colour a seat wears; brass for nobody's."""
    return SEATS.get(key or "", MORE.get(key or "", BRASS))


def seat_mark(key: str | None) -> str:
    """The mark a seat wears; empty for nobody's."""
    return MARKS.get(key or "", "")


mix = colours.mix
