"""Images of cards, and of domino tiles upright or lying; drawn at three times the size, smoothed down and cached."""

import pygame

from flicksim.cards import Card
from flicksim.core.geometry import Point
from flicksim.gui.toolkit import Canvas, Colour, cached_surface, palette
from flicksim.render import card_shapes

ASPECT_RATIO = 1.42
"""Height of a card over its width."""
INDEX_WIDTH = 0.36
"""Share of a card's width, from the left, that identifies it."""
_OVERSAMPLING = 3
_SIMPLE_BELOW = 66
"""Width below which cards show one large suit in place of many pips [pixels]."""
PAPER_COLOUR: Colour = (252, 251, 246)
EDGE_COLOUR: Colour = (150, 150, 150)
FOUR_COLOURS: dict[str, Colour] = {"C": (14, 122, 62), "S": card_shapes.BLACK, "H": card_shapes.RED, "D": (28, 92, 204)}
GOLD: Colour = (202, 146, 20)

_PIP_COLUMNS: dict[int, tuple[int, tuple[float, ...]]] = {
    2: (0, (0.0, 1.0)), 3: (0, (0.0, 0.5, 1.0)), 4: (2, ()), 5: (2, (0.5,)), 6: (3, ()), 7: (3, (0.25,)),
    8: (3, (0.25, 0.75)), 9: (4, (0.5,)), 10: (4, (1 / 6, 5 / 6)),
}  # fmt: skip
"""Number of pips in the two outer columns of a number card, and places of those between them, down."""


def card_height(width: int) -> int:
    """Height of a card of a given width [pixels]."""
    return round(width * ASPECT_RATIO)


@cached_surface
def card_image(card: Card, width: int, is_four_coloured: bool = False, is_wild: bool = False) -> pygame.Surface:
    """Image of a card face up; wild cards have a star."""
    surface, w, h = _blank_card(width, PAPER_COLOUR)
    canvas = Canvas(surface, 1.0)
    ink = suit_colour(card.suit, is_four_coloured)
    if card.is_joker:
        _draw_joker(surface, canvas, w, h, ink)
    else:
        rank = card.name[:-1]
        size = h * (0.25 if len(rank) == 1 else 0.17)
        canvas.text(rank, (w * 0.185, h * 0.135), size, ink, bold=True, anchor="center")
        draw_suit(surface, card.suit, (w * 0.185, h * 0.345), h * 0.155, ink)
        if width < _SIMPLE_BELOW:
            draw_suit(surface, card.suit, (w * 0.63, h * 0.68), h * 0.36, ink)
        else:
            _draw_center(surface, canvas, card, w, h, ink)
    if is_wild:
        at = (w * 0.185, h * 0.53 if not card.is_joker else h * 0.84)
        points = [(at[0] + px * h * 0.13, at[1] + py * h * 0.13) for px, py in card_shapes.star_polygon()]
        pygame.draw.polygon(surface, GOLD, points)
    return _downsample(surface)


def _draw_center(surface: pygame.Surface, canvas: Canvas, card: Card, w: float, h: float, colour: Colour) -> None:
    """Draw the pips of a card, or the crown and letter of a court card."""
    if card.rank == 1:
        draw_suit(surface, card.suit, (w * 0.63, h * 0.55), h * 0.4, colour)
        return
    if card.rank > 10:
        frame = pygame.Rect(round(w * 0.37), round(h * 0.08), round(w * 0.55), round(h * 0.84))
        pygame.draw.rect(surface, palette.mix(PAPER_COLOUR, colour, 0.10), frame, border_radius=round(w * 0.05))
        edge = palette.mix(PAPER_COLOUR, colour, 0.55)
        pygame.draw.rect(surface, edge, frame, max(1, round(w * 0.012)), round(w * 0.05))
        draw_crown(surface, (frame.centerx, h * 0.27), w * 0.36, GOLD, card.rank - 10)
        canvas.text(card.name[0], (frame.centerx, h * 0.54), h * 0.32, colour, bold=True, anchor="center")
        draw_suit(surface, card.suit, (frame.centerx, h * 0.8), h * 0.16, colour)
        return
    count, between = _PIP_COLUMNS[card.rank]
    for x, y in (*((x, k / (count - 1)) for x in (0.0, 1.0) for k in range(count)), *((0.5, y) for y in between)):
        at = (w * (0.53 + 0.32 * x), h * (0.15 + 0.70 * y))
        draw_suit(surface, card.suit, at, h * 0.14, colour, is_upside_down=y > 0.5)


def _draw_joker(surface: pygame.Surface, canvas: Canvas, w: float, h: float, ink: Colour) -> None:
    for k, letter in enumerate("JOKER"):
        canvas.text(letter, (w * 0.185, h * (0.11 + 0.135 * k)), h * 0.125, ink, bold=True, anchor="center")
    star = card_shapes.star_polygon(8, 0.3)
    for grow, colour in ((1.0, ink), (0.62, GOLD)):
        points = [(w * 0.64 + px * w * 0.62 * grow, h * 0.5 + py * w * 0.62 * grow) for px, py in star]
        pygame.draw.polygon(surface, colour, points)


@cached_surface
def back_image(width: int) -> pygame.Surface:
    """Image of a card face down."""
    surface, w, h = _blank_card(width, PAPER_COLOUR)
    inner = pygame.Rect(0, 0, round(w), round(h)).inflate(-round(w * 0.12), -round(w * 0.12))
    colour = (44, 74, 128)
    pygame.draw.rect(surface, colour, inner, border_radius=round(w * 0.06))
    lattice = palette.mix(colour, palette.LIGHT_TEXT, 0.28)
    step = w * 0.14
    surface.set_clip(inner.inflate(-round(w * 0.06), -round(w * 0.06)))
    k = -h
    while k < w + h:
        for a, b in (((k, 0.0), (k + h, h)), ((k + h, 0.0), (k, h))):
            pygame.draw.line(surface, lattice, a, b, max(1, round(w * 0.014)))
        k += step
    surface.set_clip(None)
    return _downsample(surface)


def _blank_card(width: int, colour: Colour) -> tuple[pygame.Surface, float, float]:
    """Empty card on an oversized surface, with its width and height there."""
    w, h = width * _OVERSAMPLING, card_height(width) * _OVERSAMPLING
    surface = pygame.Surface((w, h), pygame.SRCALPHA)
    r = round(w * 0.085)
    pygame.draw.rect(surface, EDGE_COLOUR, (0, 0, w, h), border_radius=r)
    line = max(_OVERSAMPLING - 1, round(w * 0.012))
    pygame.draw.rect(surface, colour, (line, line, w - 2 * line, h - 2 * line), border_radius=max(1, r - line))
    return surface, float(w), float(h)


def _downsample(surface: pygame.Surface) -> pygame.Surface:
    return pygame.transform.smoothscale(surface, (surface.width // _OVERSAMPLING, surface.height // _OVERSAMPLING))


def suit_colour(suit: str, is_four_coloured: bool) -> Colour:
    """Colour of a suit; that of the joker if there is none."""
    return (FOUR_COLOURS if is_four_coloured else card_shapes.TWO_COLOURS).get(suit, card_shapes.PURPLE)


def draw_suit(
    surface: pygame.Surface, suit: str, center: Point, height: float, colour: Colour, *, is_upside_down: bool = False
) -> None:
    """Draw a suit, `height` pixels high; a star if there is no suit."""
    scale = -height if is_upside_down else height
    (x, y), shape = center, card_shapes.SUITS[suit]
    for (cx, cy), radius in shape.discs:
        pygame.draw.circle(surface, colour, (x + cx * scale, y + cy * scale), radius * height)
    for points in shape.polygons:
        pygame.draw.polygon(surface, colour, [(x + px * scale, y + py * scale) for px, py in points])


def draw_crown(surface: pygame.Surface, center: Point, width: float, colour: Colour, points: int) -> None:
    """Draw a crown with a number of points: one for a jack, two for a queen, three for a king."""
    x, y = center
    height = width * 0.5
    foot = y + height / 2
    line: list[Point] = [(x - width / 2, foot)]
    tops = 2 * points + 1
    for j in range(tops):
        px = x - width / 2 + width * j / (tops - 1)
        line.append((px, foot - height * (0.95 if j % 2 else 0.42)))
    line.append((x + width / 2, foot))
    pygame.draw.polygon(surface, colour, line)
    for j in range(1, tops, 2):
        pygame.draw.circle(surface, colour, (line[1 + j][0], line[1 + j][1]), width * 0.055)
    band = pygame.Rect(0, 0, round(width), max(1, round(height * 0.14)))
    band.midtop = (round(x), round(foot + height * 0.1))
    pygame.draw.rect(surface, palette.mix(colour, palette.OVERLAY_SHADE, 0.2), band)


@cached_surface
def tile_image(first: int, second: int, side: int, upright: bool) -> pygame.Surface:
    """Image of a tile with its first half on top or on the left; `side` is the width of a half [pixels]."""
    s = side * _OVERSAMPLING
    w, h = (s, 2 * s) if upright else (2 * s, s)
    surface = pygame.Surface((w, h), pygame.SRCALPHA)
    _draw_tile_body(surface, s)
    line = palette.mix(card_shapes.TILE_COLOUR, palette.OVERLAY_SHADE, 0.55)
    start, end = ((s * 0.14, s), (s * 0.86, s)) if upright else ((s, s * 0.14), (s, s * 0.86))
    pygame.draw.line(surface, line, start, end, max(1, round(s * 0.035)))
    pygame.draw.circle(surface, palette.BRASS, (w / 2, h / 2), s * 0.065)
    for k, number in enumerate((first, second)):
        x0, y0 = (0, k * s) if upright else (k * s, 0)
        r = s * (0.098 if number <= 9 else 0.082)
        for x, y in card_shapes.pip_positions(number):
            # pips of a horizontal tile are rotated with it
            px, py = (x, y) if upright else (y, x)
            pygame.draw.circle(surface, card_shapes.PIP_COLOURS[number], (x0 + px * s, y0 + py * s), r)
    return _downsample(surface)


@cached_surface
def tile_back_image(side: int) -> pygame.Surface:
    """Image of a tile face down, upright."""
    s = side * _OVERSAMPLING
    surface = pygame.Surface((s, 2 * s), pygame.SRCALPHA)
    _draw_tile_body(surface, s, (52, 60, 76))
    pygame.draw.circle(surface, palette.BRASS, (s / 2, s), s * 0.12)
    return _downsample(surface)


def _draw_tile_body(surface: pygame.Surface, side: int, colour: Colour = card_shapes.TILE_COLOUR) -> None:
    rect, r = surface.get_rect(), round(side * 0.13)
    pygame.draw.rect(surface, palette.mix(colour, palette.OVERLAY_SHADE, 0.5), rect, border_radius=r)
    edge = max(2, round(side * 0.03))
    pygame.draw.rect(surface, palette.mix(colour, palette.LIGHT_TEXT, 0.6), rect.inflate(-edge, -edge), border_radius=r)
    inner = rect.inflate(-2 * edge, -2 * edge).move(edge // 2, edge // 2)
    pygame.draw.rect(surface, colour, inner, border_radius=r)
