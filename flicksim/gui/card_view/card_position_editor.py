"""Study board of card and tile games: all hands open, cards moved between places by mouse or keys, live analysis."""

from collections.abc import Callable
from typing import cast

import pygame

from flicksim import match
from flicksim.core.type_aliases import Position
from flicksim.gui.app import App
from flicksim.gui.card_view import seat_plates
from flicksim.gui.card_view.card_table import CardTable, draw_dashed_rect
from flicksim.gui.card_view.hand_view import HandView
from flicksim.gui.match.position_analysis import PositionAnalysis
from flicksim.gui.match.study_board import StudyBoardScreen
from flicksim.gui.match.value_overlay import BAR_COLUMN_WIDTH
from flicksim.gui.toolkit import KEY_MAPS, Button, Canvas, palette
from flicksim.referee import CardPositionEditor, CardZone, Game

CARD_EDITOR_KEYS = KEY_MAPS["card_study_board"]
"""Key bindings of the study board of cards and tiles."""
_STATUS_ITEMS = ("Arrows choose one", "1 to 9 send it", "Del takes it away", "T to play", "U undo")
_HEADING = 20.0
"""Height of the heading of a place [units]."""
_HAND_COLUMNS, _TABLE_COLUMNS = 2, 3
"""Columns of the hands, from three of them on, and of what lies on the table."""
_REST_SHARE, _LINE_SHARE = 1.7, 1.5
"""Heights of the cards that are left over and of a place alone in its row, as multiples of that of a hand."""


class CardPositionEditorScreen(StudyBoardScreen):
    """Study board of a game of cards or tiles: its places on the left, each with its cards.

    Args:
        game: with a position editor. position: initial one; None for the last one edited, else the game's own.
        table_class: card table of the game.
    """

    key_map = CARD_EDITOR_KEYS
    candidates_title = "Best moves"
    DRAG_THRESHOLD = 5

    def __init__(self, app: App, game: Game, position: Position | None = None, *, table_class: type[CardTable]) -> None:
        self._table = table_class(game, lambda _: "", app.preferences, app.sounds)
        self._editor = cast(CardPositionEditor, game.position_editor)
        self.zones: tuple[CardZone, ...] = ()
        self.views: dict[str, HandView] = {}
        self.boxes: dict[str, pygame.Rect] = {}
        self._zone, self._card = 0, 0
        """Chosen place, and card in it."""
        self._area, self._scale = pygame.Rect(0, 0, 0, 0), 1.0
        analysis = PositionAnalysis(game, None, *match.wait_for_warmups(match.bot_warmup(game)))
        super().__init__(app, game, position, analysis, {"take": Button("Take away", self.remove_card, key="Del")})
        self._update_zones()

    # -- the position ---------------------------------------------------------------------------------------------

    def on_change(self) -> None:
        super().on_change()
        self._update_zones()

    def _update_zones(self) -> None:
        self.zones = self._editor.zones(self.edited.position)
        names = [zone.name for zone in self.zones]
        self.views = {name: self.views.get(name) or self._table.zone_view(name) for name in names}
        for zone in self.zones:
            self.views[zone.name].set_items(self._table.zone_items(zone))
        self.choose(self._zone, self._card)
        self._layout_zones()

    def choose(self, zone: int, card: int) -> None:
        """Choose a card by the numbers of its place and of itself there."""
        self._zone = zone % len(self.zones)
        self._card = max(0, min(card, len(self.zones[self._zone].cards) - 1))
        for k, one in enumerate(self.zones):
            view = self.views[one.name]
            view.selected = {self._card} if k == self._zone and one.cards else set()

    def _move_card(self, target: int, index: int) -> None:
        """Move the chosen card to an index of a place, and choose it there."""
        source, zone = self.zones[self._zone], self.zones[target]
        if not source.cards:
            noun = "card" if self._table.has_suits else "tile"
            self.app.show_notice(f"Choose a {noun} first: click on it, or go there by the arrows.")
            return
        card, others = source.cards[self._card], () if target == self._zone else (source.cards[self._card],)
        wanted = sorted(map(str, (*zone.cards, *others)))
        self.edited.replace(self._editor.move_card(self.edited.position, card, source.name, zone.name, index))
        near = (k for k in (target, target - 1) if 0 <= k < len(self.zones))  # a group before it may have ended
        at = next(
            (k for k in near if sorted(map(str, self.zones[k].cards)) == wanted), min(target, len(self.zones) - 1)
        )
        places = [k for k, one in enumerate(self.zones[at].cards) if one is card]
        self.choose(at, min(places, key=lambda k: abs(k - index), default=index))

    def _send(self, number: int) -> None:
        """Send the chosen card to the end of the place of a number from 1."""
        if number <= len(self.zones) - 1:
            zone = self.zones[number - 1]
            self._move_card(number - 1, len(zone.cards) - (number - 1 == self._zone))

    def remove_card(self) -> None:
        """Put the chosen card back to those that are left over; the next one is chosen."""
        if not self.zones[self._zone].is_rest:
            chosen = self._zone, self._card
            self._move_card(len(self.zones) - 1, 0)
            self.choose(*chosen)

    # -- events, time ---------------------------------------------------------------------------------------------

    def status_line(self) -> str:
        drag = "Drag cards" if self._table.has_suits else "Drag tiles"
        return "   ·   ".join([drag, *_STATUS_ITEMS, "F7 worth", "? help", "Esc back"])

    def key_handlers(self, direction: int, *, is_fine: bool) -> dict[str, Callable[[], None]]:
        count = len(self.zones[self._zone].cards)

        def go() -> None:
            if is_fine and 0 <= self._card + direction < count:
                self._move_card(self._zone, self._card + direction)
            elif not is_fine and count:
                self.choose(self._zone, (self._card + direction) % count)

        return {"card": go, "zone": lambda: self.choose(self._zone - direction, self._card)}

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN:
            if self.held is not None and event.key != pygame.K_ESCAPE:
                return  # the card under the mouse stays the chosen one until it is dropped
            digit = event.unicode if self.form.focus is None else ""
            if len(digit) == 1 and digit in "123456789":
                self._send(int(digit))
            else:
                self.handle_key(event)
        elif self.held is not None or not self.form.handle(event):
            self.handle_drag(event)
            if self.is_dragging and self.held is not None:
                self.views[self.held].dragged = {self._card}

    def grab(self, position: tuple[int, int]) -> str | None:
        """Choose the card under the mouse."""
        held = None
        for k, zone in enumerate(self.zones):
            if (card := self.views[zone.name].item_at(position)) is not None:
                self.choose(k, card)
                held = zone.name
        return held

    def drop(self, held: str, *, is_dragged: bool) -> None:
        """Move the dragged card to the place under the mouse, before the card whose middle is right of it."""
        self.views[held].dragged = set()
        x, y = self.mouse
        for k, zone in enumerate(self.zones):
            if is_dragged and self.boxes[zone.name].collidepoint(x, y):
                rects = [rect for j, rect in enumerate(self.views[zone.name].item_rects)
                         if k != self._zone or j != self._card]  # fmt: skip
                self._move_card(k, sum(rect.bottom <= y or (rect.y <= y and rect.centerx < x) for rect in rects))
                return

    def update(self, dt: float) -> None:
        super().update(dt)
        self.buttons["take"].enabled = bool(self.zones[self._zone].cards) and not self.zones[self._zone].is_rest

    # -- drawing --------------------------------------------------------------------------------------------------

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place hands, table and the rest on the left, the panel on the right."""
        self.layout_panel(size, scale)
        bar = self.analysis.bar_width(scale)
        self._area = pygame.Rect(bar, 0, self.panel.x - bar, size[1]).inflate(-round(12 * scale), -round(12 * scale))
        self._scale = scale
        self._layout_zones()

    def _rows(self) -> list[tuple[float, list[CardZone]]]:
        """Places of each row, with its height as a multiple of that of a hand."""
        hands = [zone for zone in self.zones if zone.name.startswith("hand:")]
        rest = [zone for zone in self.zones if zone.is_rest]
        table = [zone for zone in self.zones if zone not in hands and zone not in rest]
        width = 1 if len(hands) < 3 else _HAND_COLUMNS
        rows = [(1.0, hands[k : k + width]) for k in range(0, len(hands), width)]
        if len(table) == 1:
            rows.append((_LINE_SHARE, table))
        else:
            rows += [(1.0, table[k : k + _TABLE_COLUMNS]) for k in range(0, len(table), _TABLE_COLUMNS)]
        return [*rows, (_REST_SHARE, rest)]

    def _layout_zones(self) -> None:
        """Place the places in rows."""
        gap, rows = round(6 * self._scale), self._rows()
        unit = max(1.0, (self._area.h - gap * (len(rows) - 1)) / sum(share for share, _ in rows))
        y = float(self._area.y)
        for share, zones in rows:
            width = (self._area.w - gap * (len(zones) - 1)) // len(zones)
            for k, zone in enumerate(zones):
                box = pygame.Rect(self._area.x + k * (width + gap), round(y), width, round(unit * share))
                self.boxes[zone.name] = box
                head = round(_HEADING * self._scale)
                cards = pygame.Rect(box.x + gap, box.y + head, box.w - 2 * gap, box.h - head - gap)
                self.views[zone.name].set_area(cards, self._scale)
            y += unit * share + gap

    def draw(self, canvas: Canvas) -> None:
        canvas.box(pygame.Rect(0, 0, self.panel.x, canvas.size[1]), palette.TABLECLOTH)
        for number, zone in enumerate(self.zones, 1):
            is_target = self.is_dragging and self.boxes[zone.name].collidepoint(self.mouse)
            self._draw_zone(canvas, number, zone, is_target=is_target)
        self.analysis.draw_bar(canvas, pygame.Rect(0, 0, canvas.px(BAR_COLUMN_WIDTH), self._area.bottom))
        self.draw_panel(canvas)
        if self.is_dragging:
            self.views[self.zones[self._zone].name].draw_dragged(canvas, self.mouse)

    def _draw_zone(self, canvas: Canvas, number: int, zone: CardZone, *, is_target: bool) -> None:
        """Draw a place: its number, owner and name, and its cards."""
        box, is_chosen = self.boxes[zone.name], number - 1 == self._zone
        canvas.box(box, palette.mix(palette.TABLECLOTH, palette.OVERLAY_SHADE, 0.22), 6)
        if is_target or is_chosen:
            canvas.outline(box, palette.HIGHLIGHT if is_target else palette.TABLE_MUTED_TEXT, 2.0)
        elif not zone.cards:
            draw_dashed_rect(canvas, box, palette.TABLE_MUTED_TEXT, 1.0)
        x, mid = box.x + canvas.px(6), box.y + canvas.px(_HEADING / 2)
        if not zone.is_rest and number <= 9:
            x = canvas.text(str(number), (x, mid), 12, palette.TABLE_MUTED_TEXT, anchor="midleft").right + canvas.px(6)
        is_hand = zone.name.startswith("hand:")
        if zone.seat is not None:
            r = canvas.px(8)
            seat_plates.draw_badge(canvas, (x + r, mid), r, zone.seat, self.game.seat_names[zone.seat])
            x += 2 * r + canvas.px(5)
        colour = palette.HIGHLIGHT if is_hand and zone.seat == self.edited.seat else palette.TABLE_TEXT
        x = canvas.text(zone.label, (x, mid), 13, colour, bold=True, anchor="midleft").right + canvas.px(8)
        canvas.text(str(len(zone.cards)), (x, mid), 12, palette.TABLE_MUTED_TEXT, anchor="midleft")
        with canvas.clipped(box):
            self.views[zone.name].draw(canvas, is_active=False)
