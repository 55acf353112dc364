"""Open part of Tinkle's table: stock, discards, jar, and the groups with their owners; contracts and cards as text.

Cards put down in the current turn are provisional and drawn so: raised, dashed and labelled.
"""

from collections.abc import Callable, Sequence

import pygame

from flicksim.cards import Card, Discard, LayOff, Meld
from flicksim.games.tinkle.deck import DISCARD, JAR, STOCK
from flicksim.games.tinkle.melds import CONTRACTS, Group
from flicksim.gui.card_view import card_images, seat_plates
from flicksim.gui.card_view.card_table import CardTable, draw_dashed_rect
from flicksim.gui.toolkit import Canvas, palette

_NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six")
_SUIT_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RANK_NAMES = ("wilds", "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens",
              "jacks", "queens", "kings")  # fmt: skip
"""Names of groups by rank."""


def number_word(number: int) -> str:
    """Small number as a word."""
    return _NUMBER_WORDS[number] if number < len(_NUMBER_WORDS) else str(number)


def groups_text(sizes: Sequence[int]) -> str:
    """Groups of one size as text: "two groups of four"."""
    noun = "group" if len(sizes) == 1 else "groups"
    return f"{number_word(len(sizes))} {noun} of {number_word(sizes[0])}"


def contract_text(round_: int) -> str:
    """Contract of a round as text."""
    return groups_text(CONTRACTS[round_ - 1])


def card_text(card: Card) -> str:
    """Card with its suit symbol."""
    return "joker" if card.is_joker else f"{card.name[:-1]}{_SUIT_SYMBOLS[card.suit]}"


_WILD_TEXT = "twos and jokers are wild ★, always fewer than the naturals"
FALL_TIME = 0.55
"""Duration of the fall of a token [s]."""
NEW_GROUP, DISCARD_PILE = -1, -2
"""Targets other than a group: a new group, and the discard pile."""
_VISIBLE_DISCARDS = 5
"""Number of discards shown side by side, the top one last."""


class MeldArea:
    """Layout and drawing of the open part of a table.

    Args:
        table: whose view, last move and names are shown. card_image: draws a card at a width [pixels].
    """

    def __init__(self, table: CardTable, card_image: Callable[[Card, int], pygame.Surface]) -> None:
        self._table, self._card_image = table, card_image
        self.groups: dict[int, pygame.Rect] = {}
        self.cards: dict[int, list[pygame.Rect]] = {}
        self.new_cards: dict[int, list[Card | None]] = {}
        self.stock = self.discard = self.jar = self.new_group = self._area = pygame.Rect(0, 0, 0, 0)
        self.card_width = 40
        self._scale = 1.0
        self._target: int | None = None
        self._highlighted: set[int] = set()

    # -- places ---------------------------------------------------------------------------------------------------

    def layout(self, rect: pygame.Rect, scale: float, *, has_new_group: bool) -> None:
        """Place piles and jar along the top, and groups under them as large as they fit."""
        self._scale = scale
        w = round(min(62 * scale, rect.h * 0.24))
        h = card_images.card_height(w)
        top = rect.y + round(20 * scale)
        x = rect.x + round(8 * scale)
        self.stock = pygame.Rect(x, top, w, h)
        x += w + round(16 * scale)
        self.discard = pygame.Rect(x, top, w + (_VISIBLE_DISCARDS - 1) * round(w * 0.36), h)
        self.jar = pygame.Rect(self.discard.right + round(24 * scale), top, round(w * 1.15), h)
        y = top + h + round(14 * scale)
        self._area = pygame.Rect(rect.x, y, rect.w, max(10, rect.bottom - y - round(4 * scale)))
        ordered = sorted(self._table.view.groups, key=lambda group: (group.owner, group.number))
        height = min(64 * scale, self._area.h * 0.5)
        while True:
            self.card_width = max(12, round(height))
            is_fitting = self._layout_groups(ordered, has_new_group=has_new_group)
            if is_fitting or height < 14 * scale:
                break
            height *= 0.93

    def _layout_groups(self, groups: Sequence[Group], *, has_new_group: bool) -> bool:
        """Place the groups in rows; return True if all of them fit."""
        view, w, scale, area = self._table.view, self.card_width, self._scale, self._area
        h, step, label = card_images.card_height(w), w * 0.40, round(19 * scale)
        gap, pad = round(10 * scale), round(5 * scale)
        x, y = area.x, area.y
        self.groups, self.cards, self.new_cards = {}, {}, {}
        sizes = [(group, round(w + step * (len(group.puts) - 1)) + 2 * pad) for group in groups]
        for group, wide in sizes:
            is_new = view.turn == group.melded_turn and view.to_play == group.owner
            wide = max(wide, round((172 if is_new and w > 44 * scale else 112) * scale))
            if x + wide > area.right and x > area.x:
                x, y = area.x, y + h + label + gap + pad
            self.groups[group.number] = pygame.Rect(x, y, wide, h + label + pad)
            self.cards[group.number] = [
                pygame.Rect(round(x + pad + k * step), y + label, w, h) for k in range(len(group.puts))
            ]
            x += wide + gap
        wide = round(112 * scale) if has_new_group else 0
        if wide and x + wide > area.right and x > area.x:
            x, y = area.x, y + h + label + gap + pad
        self.new_group = pygame.Rect(x, y, wide, h + label + pad)
        return y + h + label + pad <= area.bottom

    def target_at(self, pos: tuple[int, int]) -> int | None:
        """Target of cards dropped at a point; None outside the table."""
        for number, rect in self.groups.items():
            if rect.collidepoint(pos):
                return number
        if self.discard.inflate(20, 20).collidepoint(pos):
            return DISCARD_PILE
        return NEW_GROUP if self._area.collidepoint(pos) else None

    def card_at(self, pos: tuple[int, int]) -> tuple[int, Card] | None:
        """Provisional card at a point, and its group."""
        for number, rects in self.cards.items():
            for k in range(len(rects) - 1, -1, -1):
                if rects[k].collidepoint(pos):
                    known = self.new_cards.get(number, [])
                    card = known[k] if k < len(known) else None
                    return (number, card) if card is not None else None
        return None

    # -- picture --------------------------------------------------------------------------------------------------

    def draw(
        self, canvas: Canvas, target: int | None, highlighted: set[int], token_count: int,
        falling_tokens: Sequence[float], hidden_card: tuple[int, Card] | None,
    ) -> None:  # fmt: skip
        """Draw the open part of the table.

        Args:
            target: the selected one. highlighted: targets that would take the selected cards. token_count: tokens to
                be paid for a draw; 0 where none may be made. falling_tokens: their progress. hidden_card: group and
                card that is not drawn.
        """
        self._target, self._highlighted = target, highlighted
        self._draw_stock(canvas, may_draw=token_count > 0)
        self._draw_discards(canvas, token_count)
        self._draw_jar(canvas, falling_tokens, may_draw=token_count > 0)
        self._draw_contract(canvas)
        for group in self._table.view.groups:
            if group.number in self.groups:
                self._draw_group(canvas, group, hidden_card)
        if self.new_group.w:
            is_target, is_lit = target == NEW_GROUP, NEW_GROUP in highlighted
            lit_colour = palette.LIGHT_TEXT if is_lit else palette.TABLE_MUTED_TEXT
            colour = palette.HIGHLIGHT if is_target else lit_colour
            draw_dashed_rect(canvas, self.new_group, colour, 2.5 if is_target or is_lit else 1.2)
            canvas.text("new group", self.new_group.center, 13, colour, bold=is_target, anchor="center")

    def _draw_caption(self, canvas: Canvas, rect: pygame.Rect, text: str) -> None:
        """Draw a caption over a pile."""
        at = (rect.centerx, rect.y - canvas.px(6))
        canvas.text(text, at, 13, palette.TABLE_MUTED_TEXT, anchor="midbottom")

    def _draw_stock(self, canvas: Canvas, *, may_draw: bool) -> None:
        count, rect = len(self._table.view.zones[STOCK]), self.stock
        self._draw_caption(canvas, rect, f"stock {count}")
        picture = card_images.back_image(rect.w)
        for k in range(min(3, 1 + count // 12) if count else 0):
            canvas.surface.blit(picture, rect.move(-canvas.px(2) * k, -canvas.px(2) * k))
        if not count:
            draw_dashed_rect(canvas, rect, palette.TABLE_MUTED_TEXT, 1.0)
        if may_draw:
            canvas.outline(rect.inflate(canvas.px(6), canvas.px(6)), palette.LIGHT_TEXT, 2.5)

    def _draw_discards(self, canvas: Canvas, token_count: int) -> None:
        table, rect, w = self._table, self.discard, self.stock.w
        cards, faint = table.view.zones.cards(DISCARD), palette.TABLE_MUTED_TEXT
        canvas.text(f"discards {len(cards)}", (rect.x, rect.y - canvas.px(6)), 13, faint, anchor="bottomleft")
        top, step, end = cards[-_VISIBLE_DISCARDS:], round(w * 0.36), rect
        for k, card in enumerate(top):
            end = pygame.Rect(rect.x + k * step, rect.y, w, rect.h)
            is_last_move = isinstance(table.last_action, Discard) and k == len(top) - 1
            canvas.surface.blit(self._card_image(card, w), table.flight_rect(end) if is_last_move else end)
            if k >= len(top) - token_count:
                # the card that the tokens would buy
                canvas.outline(end.inflate(2, 2), palette.LIGHT_TEXT, 2.0)
        if not cards:
            end = pygame.Rect(rect.x, rect.y, w, rect.h)
            draw_dashed_rect(canvas, end, palette.TABLE_MUTED_TEXT, 1.0)
        self._outline_target(canvas, end.inflate(canvas.px(7), canvas.px(7)), DISCARD_PILE)

    def _outline_target(self, canvas: Canvas, rect: pygame.Rect, number: int) -> bool:
        """Draw an outline around a target that is selected, or would take the cards; return True if it does."""
        is_target = self._target == number
        if is_target or number in self._highlighted:
            colour = palette.HIGHLIGHT if is_target else palette.LIGHT_TEXT
            canvas.outline(rect, colour, 3.0 if is_target else 1.5)
            return True
        return False

    def _draw_jar(self, canvas: Canvas, falling_tokens: Sequence[float], *, may_draw: bool) -> None:
        """Draw a glass jar with the paid tokens, and those falling into it."""
        rect, count = self.jar, self._table.view.zones.purses[JAR]
        self._draw_caption(canvas, rect, f"jar {count}")
        body = pygame.Rect(rect.x, rect.y + round(rect.h * 0.16), rect.w, rect.h - round(rect.h * 0.16))
        glass = palette.mix(palette.TABLECLOTH, palette.LIGHT_TEXT, 0.16)
        canvas.box(body, glass, 12, palette.mix(palette.TABLECLOTH, palette.LIGHT_TEXT, 0.6))
        neck = pygame.Rect(0, 0, round(rect.w * 0.74), round(rect.h * 0.15))
        neck.midbottom = (rect.centerx, body.y + canvas.px(3))
        canvas.box(neck, glass, 4, palette.mix(palette.TABLECLOTH, palette.LIGHT_TEXT, 0.6))
        r = max(3.0, rect.w * 0.115)
        per_row = max(1, int((body.w - 2 * r) // (2 * r)))
        for k in range(min(count - len(falling_tokens), per_row * 4)):
            row, at = divmod(k, per_row)
            x = body.x + body.w / 2 + (at - (per_row - 1) / 2) * 2 * r + (r * 0.35 if row % 2 else -r * 0.35)
            seat_plates.draw_token(canvas, (x, body.bottom - canvas.px(4) - r - row * r * 1.5), r)
        for t in falling_tokens:
            if t >= 0.0:
                share = (t / FALL_TIME) ** 2
                y = rect.y - canvas.px(30) + share * (body.bottom - r - rect.y + canvas.px(20))
                seat_plates.draw_token(canvas, (rect.centerx, y), r)
        if may_draw:
            colour = palette.mix(palette.BRASS, palette.LIGHT_TEXT, 0.4)
            canvas.outline(body.inflate(canvas.px(4), canvas.px(4)), colour, 1.5)

    def _draw_contract(self, canvas: Canvas) -> None:
        x, y = self.jar.right + canvas.px(22), self.jar.y - canvas.px(12)
        width = self._area.right - x
        if width < canvas.px(90):
            return
        caption = "CONTRACT OF THE ROUND"
        if canvas.text_width(caption, 11, bold=True) > width:
            caption = "CONTRACT"
        canvas.text(caption, (x, y), 11, palette.HIGHLIGHT, bold=True, max_width=width)
        y, contract = y + canvas.px(16), contract_text(self._table.view.round)
        room = self._area.y - y - canvas.px(3) - 3 * canvas.line_height(8)  # over the text on wild cards
        rect = pygame.Rect(x, y, width, max(canvas.px(24), min(canvas.px(50), room)))
        size = canvas.size_to_fit(contract, rect.size, 19, 9, bold=True)
        y = canvas.paragraph(contract, rect, size, palette.LIGHT_TEXT, bold=True) + canvas.px(3)
        rect = pygame.Rect(x, y, width, self._area.y - y)
        size = canvas.size_to_fit(_WILD_TEXT, rect.size, 12, 8)
        canvas.paragraph(_WILD_TEXT, rect, size, palette.TABLE_MUTED_TEXT)

    def _draw_group(self, canvas: Canvas, group: Group, hidden_card: tuple[int, Card] | None) -> None:
        rect, table, view = self.groups[group.number], self._table, self._table.view
        new_puts = [put.turn == view.turn and view.to_play == put.by for put in group.puts]
        is_provisional, puts = all(new_puts), list(zip(group.puts, new_puts, strict=True))
        self.new_cards[group.number] = [put.card if new else None for put, new in puts]
        canvas.box(rect, palette.mix(palette.TABLECLOTH, palette.OVERLAY_SHADE, 0.22), 6)
        if not self._outline_target(canvas, rect, group.number) and is_provisional:
            draw_dashed_rect(canvas, rect, palette.HIGHLIGHT, 1.2)
        r = canvas.px(8)
        center = (rect.x + r + canvas.px(3), rect.y + r + canvas.px(2))
        seat_plates.draw_badge(canvas, center, r, group.owner, table.seat_name(group.owner))
        rank = RANK_NAMES[group.rank] if group.rank else "wilds"
        label = f"{group.number}: {rank}"
        if is_provisional:
            longer = f"{label} (provisional)"
            is_fitting = canvas.text_width(longer, 12) <= rect.w - 2 * r - canvas.px(9)
            label = longer if is_fitting else f"{label} (new)"
        colour = palette.HIGHLIGHT if is_provisional else palette.TABLE_MUTED_TEXT
        at = (rect.x + 2 * r + canvas.px(7), rect.y + canvas.px(1))
        canvas.text(label, at, 12, colour, max_width=rect.w - 2 * r - canvas.px(9))
        skipped, edge = False, palette.mix(palette.HIGHLIGHT, palette.OVERLAY_SHADE, 0.25)
        first = len(group.puts) - self._new_card_count(group)
        for k, ((put, new), place) in enumerate(zip(puts, self.cards[group.number], strict=True)):
            if not skipped and new and hidden_card == (group.number, put.card):
                skipped = True
                continue
            card_rect = place.move(0, -canvas.px(2)) if new else place
            if k >= first:
                card_rect = table.flight_rect(card_rect)
            canvas.surface.blit(self._card_image(put.card, place.w), card_rect)
            if new:
                draw_dashed_rect(canvas, card_rect.inflate(-2, -2), edge, 2.2)
            if put.by != group.owner:  # the seat that laid it off gets its points
                corner = (place.x + place.w * 0.2, place.bottom - place.w * 0.2)
                seat_plates.draw_badge(canvas, corner, place.w * 0.16, put.by, table.seat_name(put.by))

    def _new_card_count(self, group: Group) -> int:
        """Number of a group's last cards that came by the last move."""
        action = self._table.last_action
        if isinstance(action, LayOff) and action.group == group.number:
            return len(action.cards)
        newest = group.number == max(one.number for one in self._table.view.groups)
        return len(action.cards) if isinstance(action, Meld) and newest else 0
