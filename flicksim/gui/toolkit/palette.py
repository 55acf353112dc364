"""Colour palettes, and the owner marks that work without colour.

The colours of the present palette are module variables, replaced by `set_palette`. Text on panels and text on tables
have separate colours, as a table stays dark where panels are light.
"""

import tomllib
from collections.abc import Mapping, Sequence
from colorsys import hls_to_rgb
from functools import lru_cache
from pathlib import Path
from typing import Any

from flicksim.gui.toolkit import surface_cache
from flicksim.render import colours

Colour = tuple[int, int, int]

BACKGROUND: Colour = colours.BACKGROUND
PANEL: Colour = (37, 34, 32)
RAISED_PANEL: Colour = (54, 49, 46)
INSET_BACKGROUND: Colour = colours.PANEL
"""Background of lists, gauges and the side view."""
BORDER: Colour = colours.EDGE
TEXT: Colour = colours.TEXT
MUTED_TEXT: Colour = colours.MUTED_TEXT
ACCENT: Colour = (255, 199, 92)
ON_ACCENT: Colour = (28, 24, 20)
GOOD: Colour = (126, 211, 150)
BAD: Colour = (255, 138, 122)
DROP_SHADOW: Colour = colours.DROP_SHADOW
"""Shadow of a table on the ground."""

OVERLAY_SHADE: Colour = colours.SHADE
LINE: Colour = colours.LINE
BRASS: Colour = colours.BRASS
LIGHT_TEXT: Colour = colours.PALE
DARK_TEXT: Colour = colours.INK

TABLE_TEXT: Colour = (240, 236, 228)
TABLE_MUTED_TEXT: Colour = (192, 184, 172)
HIGHLIGHT: Colour = colours.HIGHLIGHT
TABLE_BAD: Colour = (255, 138, 122)
TABLE_GOOD: Colour = (126, 211, 150)
"""On tables: text, muted text, selection, illegal or missed, good."""

FELT: Colour = colours.FELT
TABLECLOTH: Colour = (24, 74, 58)
POT: Colour = colours.POT
POT_INSIDE: Colour = colours.POT_INSIDE

BOARD_COLOURS: dict[str, Colour] = colours.BOARD_COLOURS
"""Surfaces by material; all dark enough for a white piece and cream lines to stand out."""

SEAT_COLOURS: dict[str, Colour] = colours.SEAT_COLOURS
EXTRA_SEAT_COLOURS: dict[str, Colour] = colours.EXTRA_SEAT_COLOURS
OWNER_MARKS: dict[str, str] = colours.OWNER_MARKS

Palette = dict[str, Colour | dict[str, Colour]]
"""Colours by name of the module variable."""


def _parse(table: Mapping[str, Any]) -> Any:
    return {key: tuple(value) if isinstance(value, list) else _parse(value) for key, value in table.items()}


PALETTES: dict[str, Palette] = _parse(tomllib.loads(Path(__file__).with_name("palettes.toml").read_text()))
"""Palettes by name: differences to the default. The last three are for colour-blind eyes."""

palette_name = "dark"
_default_palette = {key: value for key, value in globals().items() if key.isupper() and not key.startswith("_")}


def set_palette(palette: str) -> None:
    """Set the palette and clear the images cached with the last one."""
    if palette != palette_name:
        globals().update(_default_palette | PALETTES[palette], palette_name=palette)
        surface_cache.CACHE.clear()


def board_colour(material: str) -> Colour:
    """Colour of a surface of that material."""
    return BOARD_COLOURS.get(material, (92, 98, 92))


def seat_key(seat: int | None, names: Sequence[str], piece: str = "") -> str | None:
    """Colour key of a piece or seat: by the piece's name, the seat's name, or its number."""
    return colours.colour_key(seat, names, piece) or None


def contrasting_text(colour: Colour) -> Colour:
    """Text colour with the best contrast on a colour: pale on dark ones, ink on bright ones."""
    return DARK_TEXT if 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] > 150.0 else LIGHT_TEXT


def _luminance(colour: Colour) -> float:
    """Relative luminance of the Web Content Accessibility Guidelines, 0 to 1."""
    r, g, b = (c / 3294.6 if c <= 10 else ((c / 255.0 + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def visible_on(colour: Colour, ground: Colour) -> Colour:
    """Colour mixed with that of text as far as a line needs to be seen on a panel: a contrast ratio of 3."""
    shades = (mix(colour, TEXT, 0.1 * step) for step in range(10))
    ground_light = _luminance(ground) + 0.05
    ratios = ((shade, (_luminance(shade) + 0.05) / ground_light) for shade in shades)
    return next((shade for shade, ratio in ratios if not 1 / 3 < ratio < 3), TEXT)


@lru_cache(maxsize=32)
def seat_hue(seat: int) -> Colour:
    """Colour of a seat at cards, as far from its neighbours' as possible."""
    r, g, b = hls_to_rgb((0.58 + seat * 0.381966) % 1.0, 0.40 if seat % 2 else 0.46, 0.62)
    return round(r * 255), round(g * 255), round(b * 255)


def seat_colour(key: str | None) -> Colour:
    """Colour of a seat; brass for none."""
    return SEAT_COLOURS.get(key or "", EXTRA_SEAT_COLOURS.get(key or "", BRASS))


def seat_mark(key: str | None) -> str:
    """Mark of a seat; empty for none."""
    return OWNER_MARKS.get(key or "", "")


mix = colours.mix
