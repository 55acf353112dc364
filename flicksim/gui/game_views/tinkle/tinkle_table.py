"""Card table of Tinkle: the selected cards, their target, what the turn lacks, and the resulting action; sounds, scores
and drawing."""

import pygame

from flicksim.cards import Card, Discard, Draw, KeepLastCard, LayOff, Meld, MoveWild, TakeBack
from flicksim.core import type_aliases
from flicksim.core.type_aliases import Action
from flicksim.games.tinkle import deck
from flicksim.games.tinkle.action_generation import most_tokens
from flicksim.games.tinkle.deck import HANDS, ROUNDS, TOKENS, WILD
from flicksim.games.tinkle.melds import cards_put_this_turn, find_group, table_points
from flicksim.games.tinkle.state import Tinkle
from flicksim.gui.card_view import card_images
from flicksim.gui.card_view.card_table import CardTable, ScoreGain, format_signed, state_at_round_end
from flicksim.gui.card_view.hand_view import HandView
from flicksim.gui.card_view.seat_plates import SeatPlate
from flicksim.gui.game_views import load_key_maps
from flicksim.gui.game_views.tinkle import meld_area, turn_text
from flicksim.gui.toolkit import Button, Canvas
from flicksim.match import Turn


class TinkleTable(CardTable):
    """Table of Tinkle."""

    key_map = load_key_maps(__package__)["tinkle"]
    hand_heights = (26, 186.0, 212.0)

    def _make_hand(self) -> HandView:
        self.tokens = 1
        self._target = meld_area.DISCARD_PILE
        self._suggestion_index = -1
        self._dragged_card: tuple[int, Card] | None = None
        self._falling_tokens: list[float] = []
        self.meld_area = meld_area.MeldArea(self, self._card_image)
        self._buttons = {
            "enter": Button("", self.perform_main, key="Enter", is_primary=True),
            "draw": Button("Draw", lambda: self.perform(Draw()), key="D", is_primary=True),
            "tinkle": Button("Tinkle", self._pay_tokens, key="T"),
            "more": Button("More tokens", self._add_token, key="+"),
            "meld": Button("New group", lambda: self._play_to(meld_area.NEW_GROUP), key="M"),
            "suggest": Button("Find group", self._select_suggestion, key="G"),
            "take up": Button("Take back", self._take_back, key="Backspace"),
            "wild": Button("Move wild", self._move_wild, key="W"),
            "discard": Button("Discard", lambda: self._play_to(meld_area.DISCARD_PILE), key="X"),
            "keep": Button("Keep last", lambda: self.perform(KeepLastCard()), key="K"),
        }
        """Buttons by the actions of their keys in the key map."""
        return HandView(self._card_image, card_images.ASPECT_RATIO, card_images.INDEX_WIDTH, 92.0, dims_unusable=False)

    def _card_image(self, card: Card, width: int) -> pygame.Surface:
        return card_images.card_image(card, width, self.preferences.four_suit_colours, deck.kind(card) == WILD)

    def _back_image(self, height: int) -> pygame.Surface:
        return card_images.back_image(max(6, round(height / card_images.ASPECT_RATIO)))

    def _seat_plate(self, seat: int) -> SeatPlate:
        view = self.view
        notes = ["dealer"] if seat == view.dealer else []
        if view.opened and view.opened[seat]:
            notes.append("opened")
        return SeatPlate(
            seat=seat, name=self.seat_name(seat), player=self._player_text(seat), count=len(view.zones[HANDS[seat]]),
            points=format_signed(view.scores[seat]) if view.scores[seat] else "0", marks=", ".join(notes),
            tokens=view.zones.purses[TOKENS[seat]],
        )  # fmt: skip

    # -- the view -------------------------------------------------------------------------------------------------

    def state_before_deal(self, turn: Turn) -> type_aliases.State:
        return state_at_round_end(turn, groups=turn.verdict.ruling.groups)  # type: ignore[attr-defined]

    def stage_text(self) -> str:
        return f"Round {self.view.round} of {ROUNDS}"

    def hand_items(self) -> tuple[Card, ...]:
        """Hand sorted by the player's preference; wild cards stand at the right."""

        def order(card: Card) -> tuple[int, int, int]:
            rank, suit = 14 if card.rank == 1 else card.rank, "SHCD".find(card.suit)
            return (deck.kind(card) == WILD, *((suit, rank) if self.preferences.sort_by_suit else (rank, suit)))

        return tuple(sorted(super().hand_items(), key=order))

    @property
    def is_playing(self) -> bool:
        """True if cards may be put down now."""
        return self.is_choosing and self.view.phase == "play"

    def on_view_changed(self) -> None:
        offered = self.offered_actions(Meld, LayOff) if self.is_playing else []
        usable = {card for action in offered for card in action.cards}
        self.hand_view.set_items(self.hand_items(), lambda card: card in usable)
        self._suggestion_index, self._dragged_card = -1, None
        may_draw = self.is_choosing and self.view.phase == "draw"
        self.tokens = max(1, min(self.tokens, most_tokens(self.view))) if may_draw else 1
        self._reset_target()

    def layout_table(self) -> None:
        self.meld_area.layout(self.table_rect, self.scale, has_new_group=self.is_playing)

    def targets(self) -> list[int]:
        """Targets of cards, in the order of the Up and Down keys."""
        return [meld_area.DISCARD_PILE, meld_area.NEW_GROUP, *self.meld_area.groups]

    def _reset_target(self) -> None:
        """Aim at the most likely target of the selected cards."""
        if not self.is_playing:
            return
        cards = self.hand_view.selected_items
        self._target = meld_area.DISCARD_PILE
        if not cards:
            return
        numbers = (group.number for group in self.view.groups)
        groups = [number for number in numbers if self.is_allowed(LayOff(cards=cards, group=number))]
        own = [number for number in groups if getattr(find_group(self.view.groups, number), "owner", None) == self.seat]
        offered = any(set(action.cards) >= set(cards) for action in self.offered_actions(LayOff)) or len(cards) > 1
        if len(cards) >= 3 and not own and self.is_allowed(Meld(cards=cards)):
            self._target = meld_area.NEW_GROUP
        elif groups and offered and self.hand_view.selected:
            self._target = (own or groups)[0]
        elif len(cards) > 1:
            self._target = meld_area.NEW_GROUP

    # -- widgets and turns ----------------------------------------------------------------------------------------

    def buttons(self) -> list[Button]:
        if not self.is_choosing:
            return []
        named = self._buttons
        if self.view.phase == "draw":
            named["tinkle"].label = f"Tinkle ×{self.tokens}"
            return [named["draw"], *(named["tinkle"], named["more"])[: min(most_tokens(self.view), 2)]]
        action = self._current_action()
        named["enter"].label = turn_text.action_label(action, has_cards=bool(self.hand_view.items))
        named["enter"].enabled = action is not None and self.is_allowed(action)
        is_set = self._target != meld_area.NEW_GROUP and len(self.hand_view.selected_items) > 1
        is_allowed = {
            "enter": True,
            "meld": is_set and self.is_allowed(Meld(cards=self.hand_view.selected_items)),
            "suggest": bool(self.offered_actions(Meld)),
            "take up": bool(cards_put_this_turn(self.view.groups, self.view.turn)),
            "wild": self._wild_action() is not None,
            "discard": self._target != meld_area.DISCARD_PILE and self._may_discard(),
            "keep": self.is_allowed(KeepLastCard()),
        }
        return [named[name] for name, allowed in is_allowed.items() if allowed]

    def _may_discard(self) -> bool:
        cards = self.hand_view.selected_items
        return len(cards) == 1 and self.is_allowed(Discard(card=cards[0]))

    def _current_action(self) -> Action:
        """Action of the Enter key."""
        return self._action_at(self._target, self.hand_view.selected_items)

    def _action_at(self, target: int, cards: tuple[Card, ...]) -> Action:
        """Action that puts cards on a target; None if it does not take so many."""
        if target == meld_area.DISCARD_PILE:
            return Discard(card=cards[0]) if len(cards) == 1 else None
        if not cards:
            return None
        return Meld(cards=cards) if target == meld_area.NEW_GROUP else LayOff(cards=cards, group=target)

    def hint_text(self) -> str:
        if not self.is_choosing or self.seat is None:
            return ""
        return turn_text.hint_text(self.view, self.seat, len(self.hand_view.items))

    # -- actions --------------------------------------------------------------------------------------------------

    def perform_main(self) -> None:
        """Perform the action of the main button."""
        if self.view.phase == "draw":
            self.perform(Draw())
            return
        action = self._current_action()
        if action is None:
            one = "One card is discarded; choose a single one."
            self.show_refusal(one if self.hand_view.items else "There is no card left.")
        else:
            self.perform(action)

    def _play_to(self, target: int) -> None:
        self._target = target
        self.perform_main()

    def _pay_tokens(self) -> None:
        self.perform(Tinkle(count=self.tokens))

    def _add_token(self) -> None:
        maximum = max(1, most_tokens(self.view))
        self.tokens = self.tokens % maximum + 1

    def _select_suggestion(self) -> None:
        """Select the cards of the next suggested group: those with fewer wilds, which fit anywhere, come first."""
        melds = sorted(self.offered_actions(Meld), key=lambda meld: sum(deck.kind(card) == WILD for card in meld.cards))
        if melds:
            self._suggestion_index = (self._suggestion_index + 1) % len(melds)
            self.hand_view.select(melds[self._suggestion_index].cards)
            self._target = meld_area.NEW_GROUP
        else:
            self.show_refusal("No whole group can be put down out of this hand now.")

    def _take_back(self) -> None:
        down = cards_put_this_turn(self.view.groups, self.view.turn)
        candidates = [pair for pair in down if pair[0].number == self._target] or down
        if not candidates:
            self.show_refusal("Nothing was put down this turn; what lies from earlier turns stays (TK-9f).")
            return
        group, card = candidates[-1]
        self.perform(TakeBack(card=card, group=group.number))

    def _wild_action(self) -> MoveWild | None:
        """Action that moves a wild card of this turn to the selected group."""
        for group, card in cards_put_this_turn(self.view.groups, self.view.turn):
            if deck.kind(card) == WILD and group.number != self._target and self._target > 0:
                move = MoveWild(card=card, source=group.number, target=self._target)
                if self.is_allowed(move):
                    return move
        return None

    def _move_wild(self) -> None:
        move = self._wild_action()
        if move is None:
            self.show_refusal("Point at a group (Up, Down) that can take a wild put down this turn (TK-9e).")
        else:
            self.perform(move)

    def set_action(self, action: Action) -> str:
        match action:
            case Tinkle(count=count):
                self.tokens = count
            case Meld(cards=cards):
                self.hand_view.select(cards)
                self._target = meld_area.NEW_GROUP
                return f"put down {' '.join(map(str, cards))}"
            case LayOff(cards=cards, group=number):
                self.hand_view.select(cards)
                self._target = number
                return f"lay {' '.join(map(str, cards))} on group {number}"
            case Discard(card=card):
                self.hand_view.selected = set()
                self.hand_view.cursor = self.hand_view.items.index(card)
                self._target = meld_area.DISCARD_PILE
        return str(action)

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
        elif command in self._buttons:
            self._buttons[command].action()
        else:
            return False
        return True

    def _handle_draw_key(self, command: str, direction: int) -> bool:
        cards = self.hand_view.selected_items
        match command:
            case "draw" | "tinkle" | "enter" | "toggle":
                self._buttons["enter" if command == "toggle" else command].action()
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
        if (action := self._action_at(target, cards)) is not None:
            self.perform(action)
        else:
            self.show_refusal("One card is discarded; drag a single one.")

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
        elif target is not None and (self.hand_view.selected or target == meld_area.DISCARD_PILE):
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
            return [(f"{self.seat_name(seat)}: −{action.count}", self.score_position(seat), self.meld_area.jar.center)]
        if turn.verdict.ruling.closed is not None:  # type: ignore[attr-defined]
            return super().score_gain(turn)
        more = table_points(turn.after.groups, seat) - table_points(turn.before.groups, seat)
        number = action.group if isinstance(action, LayOff) else -1
        begin = self.meld_area.groups.get(number, self.table_rect).center
        text = f"{self.seat_name(seat)}: {format_signed(more)} points at the round's end"  # the score waits until then
        return [(text, begin, self.score_position(seat))] if more > 0 else []

    def update(self, dt: float) -> None:
        super().update(dt)
        before = self._falling_tokens
        self._falling_tokens = [t + dt for t in before if t + dt < meld_area.FALL_TIME]
        if len(self._falling_tokens) < len(before):
            self.sounds.play("tinkle")

    def score_columns(self, turn: Turn) -> tuple[str, list[str], list[list[str]]]:
        return turn_text.score_columns(turn, self.seat_name)

    # -- picture --------------------------------------------------------------------------------------------------

    def _draw_table(self, canvas: Canvas) -> None:
        cards, lit = self.hand_view.selected_items if self.is_playing else (), set[int]()
        if cards:
            lit = {number for number in self.meld_area.groups if self.is_allowed(LayOff(cards=cards, group=number))}
            if self._may_discard():
                lit.add(meld_area.DISCARD_PILE)
            if len(cards) > 1 and self.is_allowed(Meld(cards=cards)):
                lit.add(meld_area.NEW_GROUP)
        target, may_draw = self._target if self.is_playing else None, self.is_choosing and self.view.phase == "draw"
        tokens = self.tokens if may_draw else 0
        self.meld_area.draw(canvas, target, lit, tokens, self._falling_tokens, self._dragged_card)
        if self.is_flying and isinstance(self.last_action, Draw | Tinkle):
            stock = self.meld_area.stock
            canvas.surface.blit(card_images.back_image(stock.w), self.flight_rect(stock, is_leaving=True))
        if self._dragged_card is not None:
            picture = self._card_image(self._dragged_card[1], self.meld_area.card_width)
            canvas.surface.blit(picture, picture.get_rect(center=self._mouse_position))
