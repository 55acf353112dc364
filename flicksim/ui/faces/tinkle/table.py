"""The cloth of Tinkle: stock, discards, jar, and the groups with their owners.

What was put down in the turn that is still going on is provisional, and drawn so: raised, in dashes, and named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from flicksim.base.kinds import Action
from flicksim.cards import Card, Discard, LayOff, Meld
from flicksim.games.tinkle import deck
from flicksim.games.tinkle.deck import DISCARD, JAR, NAMES, STOCK, WILD
from flicksim.games.tinkle.state import State
from flicksim.games.tinkle.table import Group
from flicksim.ui.cards import card_faces, plates
from flicksim.ui.cards.cloth import dashed
from flicksim.ui.faces.tinkle.contracts import RANKS, contract
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.palette import Colour

FALL = 0.55
"""Time that a token falls [s]."""
_NEW, _PILE = -1, -2
_SEEN = 5
"""Discards shown beside each other, the top one last."""


class Table:
    """Places and picture of the open part of the table."""

    def __init__(self) -> None:
        self.groups: dict[int, pygame.Rect] = {}
        self.cards: dict[int, list[pygame.Rect]] = {}
        self.fresh: dict[int, list[Card | None]] = {}
        self.stock = self.discard = self.jar = self.new = self._area = pygame.Rect(0, 0, 0, 0)
        self.wide = 40
        self._made: Action = None
        self._flown: Callable[[pygame.Rect], pygame.Rect] = lambda rect: rect
        self._scale = 1.0

    # -- places ---------------------------------------------------------------------------------------------------

    def place(self, view: State, rect: pygame.Rect, scale: float, *, new: bool) -> None:
        """Piles and jar along the top, groups under them as large as they fit."""
        self._scale = scale
        w = round(min(62 * scale, rect.h * 0.24))
        h = card_faces.tall(w)
        top = rect.y + round(20 * scale)
        x = rect.x + round(8 * scale)
        self.stock = pygame.Rect(x, top, w, h)
        x += w + round(16 * scale)
        self.discard = pygame.Rect(x, top, w + (_SEEN - 1) * round(w * 0.36), h)
        self.jar = pygame.Rect(self.discard.right + round(24 * scale), top, round(w * 1.15), h)
        y = top + h + round(14 * scale)
        self._area = pygame.Rect(rect.x, y, rect.w, max(10, rect.bottom - y - round(4 * scale)))
        ordered = sorted(view.groups, key=lambda group: (group.owner, group.number))
        high = min(64 * scale, self._area.h * 0.5)
        while True:
            self.wide = max(12, round(high))
            fits = self._flow(view, ordered, new=new)
            if fits or high < 14 * scale:
                break
            high *= 0.93

    def _flow(self, view: State, ordered: Sequence[Group], *, new: bool) -> bool:
        """Put groups in rows; whether all of them fit."""
        w, scale, area = self.wide, self._scale, self._area
        h, step, label = card_faces.tall(w), w * 0.40, round(19 * scale)
        gap, pad = round(10 * scale), round(5 * scale)
        x, y = area.x, area.y
        self.groups, self.cards, self.fresh = {}, {}, {}
        sizes = [(group, round(w + step * (len(group.puts) - 1)) + 2 * pad) for group in ordered]
        for group, wide in sizes:
            fresh = view.turn == group.made and view.to_play == group.owner
            wide = max(wide, round((172 if fresh and w > 44 * scale else 112) * scale))
            if x + wide > area.right and x > area.x:
                x, y = area.x, y + h + label + gap + pad
            self.groups[group.number] = pygame.Rect(x, y, wide, h + label + pad)
            self.cards[group.number] = [
                pygame.Rect(round(x + pad + k * step), y + label, w, h) for k in range(len(group.puts))
            ]
            x += wide + gap
        wide = round(112 * scale) if new else 0
        if wide and x + wide > area.right and x > area.x:
            x, y = area.x, y + h + label + gap + pad
        self.new = pygame.Rect(x, y, wide, h + label + pad)
        return y + h + label + pad <= area.bottom

    def target_at(self, pos: tuple[int, int]) -> int | None:
        """Target of cards dropped there; None outside the table."""
        for number, rect in self.groups.items():
            if rect.collidepoint(pos):
                return number
        if self.discard.inflate(20, 20).collidepoint(pos):
            return _PILE
        return _NEW if self._area.collidepoint(pos) else None

    def card_at(self, pos: tuple[int, int]) -> tuple[int, Card] | None:
        """The provisional card at a point, and its group."""
        for number, rects in self.cards.items():
            for k in range(len(rects) - 1, -1, -1):
                if rects[k].collidepoint(pos):
                    known = self.fresh.get(number, [])
                    card = known[k] if k < len(known) else None
                    return (number, card) if card is not None else None
        return None

    # -- picture --------------------------------------------------------------------------------------------------

    def draw(
        self, canvas: Canvas, view: State, four: bool, *, lit: set[int], target: int | None, drawing: bool,
        tokens: int, falling: Sequence[float], hidden: tuple[int, Card] | None, made: Action,
        flown: Callable[[pygame.Rect], pygame.Rect],
    ) -> None:  # fmt: skip
        """All of it. lit: targets that would take what is chosen. target: the one pointed at. made: the last move;
        flown: where a card is that came by it."""
        self._made, self._flown = made, flown
        self._draw_stock(canvas, view, lit=drawing)
        self._draw_discards(canvas, view, four, tokens if drawing else 0, lit, target)
        self._draw_jar(canvas, view, falling, lit=drawing)
        self._draw_contract(canvas, view)
        for group in view.groups:
            if group.number in self.groups:
                self._draw_group(canvas, view, group, four, lit, target, hidden)
        if self.new.w:
            colour = palette.GLOW if target == _NEW else palette.PALE if _NEW in lit else palette.DUST
            dashed(canvas, self.new, colour, 2.5 if target == _NEW or _NEW in lit else 1.2)
            canvas.text("new group", self.new.center, 13, colour, bold=target == _NEW, anchor="center")

    def _draw_stock(self, canvas: Canvas, view: State, *, lit: bool) -> None:
        count, rect = len(view.zones[STOCK]), self.stock
        canvas.text(f"stock {count}", (rect.centerx, rect.y - canvas.px(6)), 13, palette.DUST, anchor="midbottom")
        picture = card_faces.back(rect.w)
        for k in range(min(3, 1 + count // 12) if count else 0):
            canvas.surface.blit(picture, rect.move(-canvas.px(2) * k, -canvas.px(2) * k))
        if not count:
            dashed(canvas, rect, palette.DUST, 1.0)
        if lit:
            canvas.outline(rect.inflate(canvas.px(6), canvas.px(6)), palette.PALE, 2.5)

    def _draw_discards(
        self, canvas: Canvas, view: State, four: bool, tokens: int, lit: set[int], target: int | None
    ) -> None:
        cards, rect = view.zones.cards(DISCARD), self.discard
        w = self.stock.w
        canvas.text(f"discards {len(cards)}", (rect.x, rect.y - canvas.px(6)), 13, palette.DUST, anchor="bottomleft")
        top = cards[-_SEEN:]
        step = round(w * 0.36)
        end = rect
        for k, card in enumerate(top):
            end = pygame.Rect(rect.x + k * step, rect.y, w, rect.h)
            came = isinstance(self._made, Discard) and k == len(top) - 1
            canvas.surface.blit(card_faces.face(card, w, four, deck.kind(card) == WILD),
                                self._flown(end) if came else end)  # fmt: skip
            if k >= len(top) - tokens:
                # what the tokens would buy
                canvas.outline(end.inflate(2, 2), palette.PALE, 2.0)
        if not cards:
            end = pygame.Rect(rect.x, rect.y, w, rect.h)
            dashed(canvas, end, palette.DUST, 1.0)
        if target == _PILE or _PILE in lit:
            colour = palette.GLOW if target == _PILE else palette.PALE
            canvas.outline(end.inflate(canvas.px(7), canvas.px(7)), colour, 3.0 if target == _PILE else 1.5)

    def _draw_jar(self, canvas: Canvas, view: State, falling: Sequence[float], *, lit: bool) -> None:
        """A glass jar with what was paid, and tokens on their way into it."""
        rect, count = self.jar, view.zones.purses[JAR]
        late = len(falling)
        canvas.text(f"jar {count}", (rect.centerx, rect.y - canvas.px(6)), 13, palette.DUST, anchor="midbottom")
        body = pygame.Rect(rect.x, rect.y + round(rect.h * 0.16), rect.w, rect.h - round(rect.h * 0.16))
        glass = palette.mix(palette.CLOTH, palette.PALE, 0.16)
        canvas.box(body, glass, 12, palette.mix(palette.CLOTH, palette.PALE, 0.6))
        neck = pygame.Rect(0, 0, round(rect.w * 0.74), round(rect.h * 0.15))
        neck.midbottom = (rect.centerx, body.y + canvas.px(3))
        canvas.box(neck, glass, 4, palette.mix(palette.CLOTH, palette.PALE, 0.6))
        r = max(3.0, rect.w * 0.115)
        each = max(1, int((body.w - 2 * r) // (2 * r)))
        for k in range(min(count - late, each * 4)):
            row, at = divmod(k, each)
            x = body.x + body.w / 2 + (at - (each - 1) / 2) * 2 * r + (r * 0.35 if row % 2 else -r * 0.35)
            plates.token(canvas, (x, body.bottom - canvas.px(4) - r - row * r * 1.5), r)
        for t in falling:
            if t >= 0.0:
                share = (t / FALL) ** 2
                y = rect.y - canvas.px(30) + share * (body.bottom - r - rect.y + canvas.px(20))
                plates.token(canvas, (rect.centerx, y), r)
        if lit:
            canvas.outline(body.inflate(canvas.px(4), canvas.px(4)), palette.mix(palette.BRASS, palette.PALE, 0.4), 1.5)

    def _draw_contract(self, canvas: Canvas, view: State) -> None:
        x, y = self.jar.right + canvas.px(22), self.jar.y - canvas.px(12)
        room = self._area.right - x
        if room < canvas.px(90):
            return
        canvas.text("CONTRACT OF THE ROUND", (x, y), 11, palette.GLOW, bold=True, within=room)
        y = canvas.paragraph(contract(view.round), pygame.Rect(x, y + canvas.px(16), room, canvas.px(50)), 19,
                             palette.PALE, bold=True)  # fmt: skip
        canvas.paragraph("twos and jokers are wild ★, always fewer than the naturals", pygame.Rect(
            x, y + canvas.px(3), room, canvas.px(34)), 12, palette.DUST)  # fmt: skip

    def _draw_group(
        self, canvas: Canvas, view: State, group: Group, four: bool, lit: set[int], target: int | None,
        hidden: tuple[int, Card] | None,
    ) -> None:  # fmt: skip
        rect = self.groups[group.number]
        fresh = [put.turn == view.turn and view.to_play == put.by for put in group.puts]
        made = all(fresh)
        self.fresh[group.number] = [put.card if new else None for put, new in zip(group.puts, fresh, strict=True)]
        colour: Colour = palette.mix(palette.CLOTH, palette.SHADE, 0.22)
        canvas.box(rect, colour, 6)
        if target == group.number or group.number in lit:
            canvas.outline(rect, palette.GLOW if target == group.number else palette.PALE,
                           3.0 if target == group.number else 1.5)  # fmt: skip
        elif made:
            dashed(canvas, rect, palette.GLOW, 1.2)
        r = canvas.px(8)
        plates.badge(canvas, (rect.x + r + canvas.px(3), rect.y + r + canvas.px(2)), r, group.owner, NAMES[group.owner])
        rank = RANKS[group.rank] if group.rank else "wilds"
        words = f"{group.number}: {rank}"
        if made:
            longer = f"{words} (provisional)"
            fits = canvas.wide(longer, 12) <= rect.w - 2 * r - canvas.px(9)
            words = longer if fits else f"{words} (new)"
        canvas.text(words, (rect.x + 2 * r + canvas.px(7), rect.y + canvas.px(1)), 12,
                    palette.GLOW if made else palette.DUST, within=rect.w - 2 * r - canvas.px(9))  # fmt: skip
        skipped = False
        first = len(group.puts) - self._came(view, group)
        for k, (put, new, at) in enumerate(zip(group.puts, fresh, self.cards[group.number], strict=True)):
            if hidden is not None and not skipped and new and hidden == (group.number, put.card):
                skipped = True
                continue
            shown = at.move(0, -canvas.px(2)) if new else at
            if k >= first:
                shown = self._flown(shown)
            canvas.surface.blit(card_faces.face(put.card, at.w, four, deck.kind(put.card) == WILD), shown)
            if new:
                dashed(canvas, shown.inflate(-2, -2), palette.mix(palette.GLOW, palette.SHADE, 0.25), 2.2)
            if put.by != group.owner:
                # who laid it off: it counts for him
                plates.badge(canvas, (at.x + at.w * 0.2, at.bottom - at.w * 0.2), at.w * 0.16, put.by, NAMES[put.by])

    def _came(self, view: State, group: Group) -> int:
        """The number of a group's last cards that came by the last move."""
        made = self._made
        if isinstance(made, LayOff) and made.group == group.number:
            return len(made.cards)
        newest = group.number == max(one.number for one in view.groups)
        return len(made.cards) if isinstance(made, Meld) and newest else 0
