"""Card table of Tinkle: input, sounds, scores and drawing."""

import pygame

from flicksim.cards import Discard, Draw, LayOff, Meld, MoveWild, TakeBack
from flicksim.games.tinkle.action_generation import most_tokens
from flicksim.games.tinkle.melds import table_points
from flicksim.games.tinkle.state import Tinkle
from flicksim.gui.card_view import card_images
from flicksim.gui.card_view.card_table import ScoreGain, format_signed
from flicksim.gui.game_views import load_key_maps
from flicksim.gui.game_views.tinkle.meld_area import DISCARD_PILE, FALL_TIME, NEW_GROUP, ShownTable
from flicksim.gui.game_views.tinkle.turn import TinkleTurn
from flicksim.gui.toolkit import Canvas
from flicksim.match import Turn


class TinkleTable(TinkleTurn):
    """Table of Tinkle."""

    key_map = load_key_maps(__package__)["tinkle"]

    # -- keys -----------------------------------------------------------------------------------------------------

    def handle_key(self, event: pygame.event.Event) -> bool:
        command, direction = self.key_map.match(event)
        if command == "go":
            self.hand_view.move_cursor(direction)
            if not self.hand_view.selected:
                self._reset_target()
        elif self.view.phase == "draw":
            return self._handle_draw_key(command, direction)
        elif command == "toggle":
            self.hand_view.toggle(self.hand_view.cursor)
            self._reset_target()
        elif command == "target":
            targets = self.targets()
            at = targets.index(self._target) if self._target in targets else 0
            self._target = targets[(at + direction) % len(targets)]
        elif command in self._commands:
            self._commands[command]()
        else:
            return False
        return True

    def _handle_draw_key(self, command: str, direction: int) -> bool:
        cards = self.hand_view.selected_items
        match command:
            case "draw" | "tinkle" | "enter" | "toggle":
                self._commands["enter" if command == "toggle" else command]()
            case "tokens" | "target":
                by = direction if command == "tokens" else -direction
                self.tokens = max(1, min(max(1, most_tokens(self.view)), self.tokens + by))
            case "meld" if cards:
                self.perform(Meld(cards=cards))
            case "discard" if cards:
                self.perform(Discard(card=cards[0]))
            case _:
                return False
        return True

    # -- mouse ----------------------------------------------------------------------------------------------------

    def on_press(self, pos: tuple[int, int]) -> None:
        at = self.hand_view.item_at(pos)
        if at is not None:
            self.hand_view.cursor = at

    def on_drag_start(self, pos: tuple[int, int]) -> None:
        """Begin to drag the selected cards with the pressed one, or a provisional card from the table."""
        at = self.hand_view.item_at(pos)
        if at is not None:
            if at not in self.hand_view.selected:
                self.hand_view.selected = set()
            self.hand_view.dragged = set(self.hand_view.selected | {at})
            return
        hit = self.meld_area.card_at(pos)
        if hit is not None and self.is_playing:
            self._dragged_card = hit

    def _is_dragging_table_item(self) -> bool:
        return self._dragged_card is not None

    def on_drop(self, pos: tuple[int, int]) -> None:
        """Drop cards: a group takes them, the free table makes a new one, the pile ends the turn."""
        carried, self._dragged_card = self._dragged_card, None
        target = self.meld_area.target_at(pos)
        if carried is not None:
            number, card = carried
            if target is not None and target > 0 and target != number:
                self.perform(MoveWild(card=card, source=number, target=target))
            elif target != number:
                self.perform(TakeBack(card=card, group=number))
            return
        cards = tuple(self.hand_view.items[k] for k in sorted(self.hand_view.dragged))
        if target is None or self.hand_view.rect.collidepoint(pos):
            return
        if target == DISCARD_PILE and len(cards) > 1:
            self.show_refusal("One card is discarded; drag a single one.")
        elif target == DISCARD_PILE:
            self.perform(Discard(card=cards[0]))
        else:
            self.perform(Meld(cards=cards) if target == NEW_GROUP else LayOff(cards=cards, group=target))

    def on_click(self, pos: tuple[int, int]) -> None:
        """Select a card, or use a pile, the jar or a group."""
        at = self.hand_view.item_at(pos)
        if at is not None:
            if self.is_playing:
                self.hand_view.toggle(at)
                self._reset_target()
            return
        if self.view.phase == "draw":
            if self.meld_area.stock.collidepoint(pos):
                self.perform(Draw())
            elif self.meld_area.discard.collidepoint(pos) or self.meld_area.jar.collidepoint(pos):
                self._pay_tokens()
            return
        hit, target = self.meld_area.card_at(pos), self.meld_area.target_at(pos)
        if hit is not None and not self.hand_view.selected:
            self.perform(TakeBack(card=hit[1], group=hit[0]))
        elif target is not None and (self.hand_view.selected or target == DISCARD_PILE):
            self._play_to(target)
        elif target is not None:
            self._target = target

    # -- sound, time, sheet ---------------------------------------------------------------------------------------

    def on_turn(self, turn: Turn) -> None:
        """Play the sounds of a turn: a token falls into the jar and rings, a card is put down."""
        super().on_turn(turn)
        if isinstance(turn.made, Tinkle):
            self._falling_tokens = [-0.22 * k for k in range(min(turn.made.count, 6))]
        else:
            self.sounds.play("card")

    def score_gain(self, turn: Turn) -> list[ScoreGain]:
        """Flights of a turn's gains: points of cards to the seat, tokens from the seat into the jar."""
        seat, action = turn.seat, turn.made
        if isinstance(action, Tinkle):
            return [(f"−{action.count}", self.score_position(seat), self.meld_area.jar.center)]
        if turn.verdict.ruling.closed is not None:  # type: ignore[attr-defined]
            return super().score_gain(turn)
        more = table_points(turn.after.groups, seat) - table_points(turn.before.groups, seat)
        number = action.group if isinstance(action, LayOff) else -1
        begin = self.meld_area.groups.get(number, self.table_rect).center
        text = f"{format_signed(more)} points at the round's end"  # the score waits until then
        return [(text, begin, self.score_position(seat))] if more > 0 else []

    def update(self, dt: float) -> None:
        super().update(dt)
        before = self._falling_tokens
        self._falling_tokens = [t + dt for t in before if t + dt < FALL_TIME]
        if len(self._falling_tokens) < len(before):
            self.sounds.play("tinkle")

    def score_columns(self, turn: Turn) -> tuple[str, list[str], list[list[str]]]:
        closed = turn.verdict.ruling.closed  # type: ignore[attr-defined]
        how = "nobody goes out" if closed.out is None else f"{self.seat_name(closed.out)} goes out"
        cells = []
        for seat, points in enumerate(closed.points):
            bonus = closed.bonus if seat == closed.dealer else 0
            held, cut = format_signed(-closed.held[seat]), format_signed(bonus) if bonus else "–"
            cells.append([str(closed.tabled[seat]), held, cut, format_signed(points)])
        return f"Round {turn.before.round}: {how}", ["table", "in hand", "cut", "this round"], cells

    # -- picture --------------------------------------------------------------------------------------------------

    def _draw_table(self, canvas: Canvas) -> None:
        view = self.view
        cards = self.hand_view.selected_items if self.is_playing else ()
        lit = set()
        if self.is_playing and cards:
            lit = {number for number in self.meld_area.groups if self.is_allowed(LayOff(cards=cards, group=number))}
            if self._may_discard():
                lit.add(DISCARD_PILE)
            if len(cards) > 1 and self.is_allowed(Meld(cards=cards)):
                lit.add(NEW_GROUP)
        shown = ShownTable(
            view=view, card_image=self._card_image, highlighted=lit,
            target=self._target if self.is_playing else None, may_draw=self.is_choosing and view.phase == "draw",
            token_count=self.tokens, falling_tokens=self._falling_tokens, hidden_card=self._dragged_card,
            last_action=self.last_action, flight_rect=self.flight_rect, seat_name=self.seat_name,
        )  # fmt: skip
        self.meld_area.draw(canvas, shown)
        if self.is_flying and isinstance(self.last_action, Draw | Tinkle):
            stock = self.meld_area.stock
            canvas.surface.blit(card_images.back_image(stock.w), self.flight_rect(stock, is_leaving=True))
        if self._dragged_card is not None:
            picture = self._card_image(self._dragged_card[1], self.meld_area.card_width)
            canvas.surface.blit(picture, picture.get_rect(center=self._mouse_position))
