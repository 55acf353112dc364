"""What stands beside the table of pyramids: each seat's launcher, stash and score; the launch in hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from flicksim.games.ice.scoring import Count
from flicksim.games.ice.seats import size_of
from flicksim.games.ice.state import State
from flicksim.play import Match
from flicksim.table import SIZES, Pyramid, Size
from flicksim.table.pyramid_scene import Kit
from flicksim.ui import coins, palette, standing
from flicksim.ui.canvas import Canvas
from flicksim.ui.ice import pictures


@dataclass(frozen=True, slots=True)
class Tally:
    """What a seat has standing.

    Args:
        upright, doubled: points of pieces standing, and of those standing on one that lies; by size in between.
        counts: how many of each size count once, and how many twice.
    """

    upright: int
    doubled: int
    counts: tuple[tuple[int, int], ...]

    @property
    def points(self) -> int:
        """All of it."""
        return self.upright + self.doubled


def tally(state: State, seat: int) -> Tally:
    """What a seat's pieces count as they stand."""
    once, twice = dict.fromkeys(SIZES, 0), dict.fromkeys(SIZES, 0)
    for piece, points in scorers(state):
        if piece.owner == seat and points:
            (twice if points > piece.shape.pips else once)[piece.size] += 1
    kit = state.scene.kit
    return Tally(
        sum(kit.shape(size).pips * n for size, n in once.items()),
        sum(2 * kit.shape(size).pips * n for size, n in twice.items()),
        tuple((once[size], twice[size]) for size in SIZES),
    )


def scorers(state: State) -> list[tuple[Pyramid, int]]:
    """Every piece that counts at all, and what it counts as it stands."""
    count = Count(state.scene, state.options, state.committed)
    return [(state.scene.piece(name), count.points(name)) for name in state.committed if state.scene.has(name)]


def stash(state: State, seat: int) -> dict[Size, int]:
    """How many missiles of each size a seat has in hand."""
    return {size: sum(size_of(name) == size for name in state.hands[seat]) for size in SIZES}


@dataclass(frozen=True, slots=True)
class Card:
    """What is shown of a seat.

    Args:
        doing: what it does, in a few words. keys: its keys, if it has its own. charge: strength gathered, 0 to 1;
            None while it does not. chosen: whether the mouse is its. lit: whether it may flick now.
    """

    doing: str
    keys: str = ""
    charge: float | None = None
    chosen: bool = False
    lit: bool = False


def seats(
    canvas: Canvas, rect: pygame.Rect, match: Match, state: State, seen: State, cards: Sequence[Card], high: float
) -> tuple[int, list[pygame.Rect]]:
    """A card for each seat: mark, name, what it does, its stash, its points. Returns where they end, and the cards."""
    y, tall, found = rect.y, canvas.px(high), []
    for seat, card in enumerate(cards):
        box = pygame.Rect(rect.x, y, rect.w, tall)
        found.append(box)
        canvas.box(box, palette.RAISED if card.chosen else palette.PANEL, 8,
                   palette.ACCENT if card.chosen else palette.EDGE)  # fmt: skip
        _card(canvas, box, match, state, seen, seat, card)
        y += tall + canvas.px(5)
    return y, found


def _card(canvas: Canvas, box: pygame.Rect, match: Match, state: State, seen: State, seat: int, card: Card) -> None:
    key = palette.seat_key(seat, match.game.seat_names)
    mark = coins.coin(canvas.px(12), key, "penny", 0.0)
    canvas.surface.blit(mark, mark.get_rect(center=(box.x + canvas.px(20), box.y + canvas.px(21))))
    x = box.x + canvas.px(40)
    title = canvas.text(standing.name(match, seat), (x, box.y + canvas.px(5)), 16, bold=True)
    canvas.text(f"{standing.who(match, seat)}: {card.doing}", (title.right + canvas.px(7), title.bottom - canvas.px(2)),
                12, palette.ACCENT if card.lit else palette.FAINT, anchor="bottomleft",
                within=box.right - canvas.px(54) - title.right)  # fmt: skip
    found = tally(seen, seat)
    points = canvas.text(str(found.points), (box.right - canvas.px(10), box.y + canvas.px(3)), 25, bold=True,
                         anchor="topright")  # fmt: skip
    low = box.bottom - canvas.px(11)
    words = f"{found.upright} up  {found.doubled} dbl" if found.doubled else f"{found.upright} upright"
    told = canvas.text(words, (box.right - canvas.px(10), low), 11, palette.FAINT, anchor="midright")
    _stash(canvas, (x, low), state.scene.kit, key, stash(state, seat), min(told.x, points.x) - canvas.px(6))
    if card.keys:
        canvas.text(card.keys, (x, box.y + canvas.px(25)), 12, palette.TEXT, within=points.x - x)
    if card.charge is not None:
        bar = pygame.Rect(box.x + 2, box.bottom - canvas.px(4), box.w - 4, canvas.px(4))
        canvas.box(bar, palette.WELL)
        fill = palette.mix(palette.GOOD, palette.BAD, max(0.0, card.charge * 1.6 - 0.6))
        canvas.surface.fill(fill, (bar.x, bar.y, max(2, round(bar.w * card.charge)), bar.h))


def _stash(canvas: Canvas, at: tuple[int, int], kit: Kit, key: str | None, left: dict[Size, int], right: int) -> None:
    """A small pyramid of each size, and how many of it are in hand."""
    x, y = at
    if not any(left.values()):
        canvas.text("none left in hand", (x, y), 11, palette.FAINT, anchor="midleft", within=right - x)
        return
    for size in SIZES:
        shape = kit.shape(size)
        zoom = canvas.px(20) / kit.large.height
        picture = pictures.from_side(shape, zoom, key, 0.0, 0.0)
        faint = left[size] == 0
        if faint:
            picture = picture.copy()
            picture.set_alpha(70)
        wide = round(shape.base * zoom)
        foot = y + canvas.px(8)
        canvas.surface.blit(picture, picture.get_rect(center=(x + wide // 2, foot)))
        shown = canvas.text(f"{left[size]}", (x + wide + canvas.px(3), y), 13,
                            palette.FAINT if faint else palette.TEXT, bold=not faint, anchor="midleft")  # fmt: skip
        x = shown.right + canvas.px(9)
