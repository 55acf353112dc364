"""The cloth of Tinkle: its turn driven by keys and mouse, heard, counted and drawn."""

from __future__ import annotations

import pygame

from flicksim.cards import Discard, Draw, Keep, LayOff, Meld, MoveWild, TakeBack
from flicksim.games.tinkle.deck import NAMES
from flicksim.games.tinkle.moves import Tinkle
from flicksim.games.tinkle.offers import most_tokens
from flicksim.games.tinkle.table import tabled
from flicksim.play import Turn
from flicksim.ui.cards import card_faces
from flicksim.ui.cards.cloth import Won, signed
from flicksim.ui.faces.tinkle import table as tinkle_table
from flicksim.ui.faces.tinkle.turn import NEW, PILE, TinkleTurn
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.keys import Key, Keys

_KEYS = Keys("Tinkle", (
    Key("D   T   + −", "draw; tinkle; with more or fewer tokens", ("draw", "tinkle", "tokens", "tokens"),
        press="D   T   − +   − ="),
    Key("Left  Right, Space", "go through the hand; choose several cards", ("go", "toggle"),
        press="Left Right   Space"),
    Key("Up  Down", "where they go: a new group, a group on the table, the discards", ("target",)),
    Key("Enter", "do what the large button says", ("enter",)),
    Key("M   X   K", "put down a new group; discard; keep a last card", ("meld", "discard", "keep"),
        press="M   X Delete   K"),
    Key("Backspace   W", "take a card of this turn back; move a wild to the chosen group", ("take up", "wild")),
    Key("G", "choose the next group that can be put down; cards of use have a green edge", ("suggest",)),
    Key("Mouse", "click cards, then where they go; or drag them, and back"),
))  # fmt: skip


class TinkleCloth(TinkleTurn):
    """Tinkle."""

    keys = _KEYS

    # -- keys -----------------------------------------------------------------------------------------------------

    def key(self, event: pygame.event.Event) -> bool:
        """Everything without a mouse."""
        word, way = self.keys.pressed(event)
        if word == "go":
            self.rack.go(way)
            if not self.rack.chosen:
                self._meant = False
                self._aim()
            return True
        return self._draw_key(word, way) if self.view.phase == "draw" else self._play_key(word, way)

    def _draw_key(self, word: str, way: int) -> bool:
        match word:
            case "draw":
                self.act(Draw())
            case "tinkle":
                self._pay()
            case "tokens" | "target":
                by = way if word == "tokens" else -way
                self.tokens = max(1, min(max(1, most_tokens(self.view)), self.tokens + by))
            case "enter" | "toggle":
                self.enter()
            case "meld" if self.rack.items:
                self.act(Meld(cards=self.rack.picked))
            case "discard" if self.rack.items:
                self.act(Discard(card=self.rack.picked[0]))
            case _:
                return False
        return True

    def _play_key(self, word: str, way: int) -> bool:
        match word:
            case "toggle":
                self.rack.toggle(self.rack.cursor)
                self._meant = False
                self._aim()
            case "target":
                found = self.targets()
                at = found.index(self._target) if self._target in found else 0
                self._target = found[(at + way) % len(found)]
                self._meant = True
            case "enter":
                self.enter()
            case "meld":
                self._to(NEW)
            case "discard":
                self._to(PILE)
            case "keep":
                self.act(Keep())
            case "draw":
                self.act(Draw())
            case "tinkle":
                self._pay()
            case "suggest":
                self._suggest()
            case "wild":
                self._move_wild()
            case "take up":
                self._take_up()
            case _:
                return False
        return True

    # -- mouse ----------------------------------------------------------------------------------------------------

    def pressed(self, pos: tuple[int, int]) -> None:
        """The card under the mouse takes the cursor."""
        at = self.rack.at(pos)
        if at is not None:
            self.rack.cursor = at

    def lifted(self, pos: tuple[int, int]) -> None:
        """Drag what is chosen together with the card, or a card of this turn from the table."""
        at = self.rack.at(pos)
        if at is not None:
            if at not in self.rack.chosen:
                self.rack.chosen = set()
            self.rack.dragged = set(self.rack.chosen | {at})
            return
        hit = self.table.card_at(pos)
        if hit is not None and self.playing:
            self._carried = hit

    def _carrying(self) -> bool:
        return self._carried is not None

    def dropped(self, pos: tuple[int, int]) -> None:
        """A group takes the cards; free cloth makes a new one; the pile ends the turn; the hand takes back."""
        carried, self._carried = self._carried, None
        target = self.table.target_at(pos)
        if carried is not None:
            number, card = carried
            if target is not None and target > 0 and target != number:
                self.act(MoveWild(card=card, source=number, target=target))
            elif target != number:
                self.act(TakeBack(card=card, group=number))
            return
        cards = tuple(self.rack.items[k] for k in sorted(self.rack.dragged))
        if target is None or self.rack.rect.collidepoint(pos):
            return
        if target == PILE and len(cards) > 1:
            self.refuse("One card is discarded; drag a single one.")
        elif target == PILE:
            self.act(Discard(card=cards[0]))
        else:
            self.act(Meld(cards=cards) if target == NEW else LayOff(cards=cards, group=target))

    def clicked(self, pos: tuple[int, int]) -> None:
        """Cards are chosen; piles, jar and groups are used."""
        at = self.rack.at(pos)
        if at is not None:
            if self.playing:
                self.rack.toggle(at)
                self._meant = False
                self._aim()
            return
        if self.view.phase == "draw":
            if self.table.stock.collidepoint(pos):
                self.act(Draw())
            elif self.table.discard.collidepoint(pos) or self.table.jar.collidepoint(pos):
                self._pay()
            return
        hit, target = self.table.card_at(pos), self.table.target_at(pos)
        if hit is not None and not self.rack.chosen:
            self.act(TakeBack(card=hit[1], group=hit[0]))
        elif target is not None and (self.rack.chosen or target == PILE):
            self._to(target)
        elif target is not None:
            self._target, self._meant = target, True

    # -- sound, time, sheet ---------------------------------------------------------------------------------------

    def heard(self, turn: Turn) -> None:
        """A token falls into the jar and rings there; a card is softly put."""
        super().heard(turn)
        if isinstance(turn.made, Tinkle):
            self._falling = [-0.22 * k for k in range(min(turn.made.count, 6))]
        else:
            self.sounds.play("card")

    def won(self, turn: Turn) -> list[Won]:
        """Points of cards put down fly to the seat, tokens from the seat into the jar."""
        seat, made = turn.seat, turn.made
        if isinstance(made, Tinkle):
            return [(f"−{made.count}", self.scored(seat), self.table.jar.center)]
        if turn.verdict.ruling.closed is not None:  # type: ignore[attr-defined]
            return super().won(turn)
        more = tabled(turn.after.groups, seat) - tabled(turn.before.groups, seat)
        number = made.group if isinstance(made, LayOff) else -1
        begin = self.table.groups.get(number, self.middle).center
        return [(signed(more), begin, self.scored(seat))] if more > 0 else []

    def update(self, dt: float) -> None:
        """Let tokens fall."""
        super().update(dt)
        before = self._falling
        self._falling = [t + dt for t in before if t + dt < tinkle_table.FALL]
        if len(self._falling) < len(before):
            self.sounds.play("tinkle")

    def columns(self, turn: Turn) -> tuple[str, list[str], list[list[str]]]:
        """Table, hand, bonus, and what they come to."""
        closed = turn.verdict.ruling.closed  # type: ignore[attr-defined]
        how = "nobody goes out" if closed.out is None else f"{NAMES[closed.out]} goes out"
        cells = []
        for seat, points in enumerate(closed.points):
            bonus = closed.bonus if seat == closed.dealer else 0
            cells.append([str(closed.tabled[seat]), signed(-closed.held[seat]), signed(bonus) if bonus else "–",
                          signed(points)])  # fmt: skip
        return f"Round {turn.before.round}: {how}", ["table", "in hand", "cut", "this round"], cells

    # -- picture --------------------------------------------------------------------------------------------------

    def _draw_table(self, canvas: Canvas) -> None:
        view = self.view
        cards = self.rack.picked if self.playing else ()
        lit = set()
        if self.playing and cards:
            lit = {number for number in self.table.groups if self.allowed(LayOff(cards=cards, group=number))}
            if self._may_throw():
                lit.add(PILE)
            if len(cards) > 1 and self.allowed(Meld(cards=cards)):
                lit.add(NEW)
        self.table.draw(
            canvas, view, self.preferences.four, lit=lit, target=self._target if self.playing else None,
            drawing=self.choosing and view.phase == "draw", tokens=self.tokens, falling=self._falling,
            hidden=self._carried, made=self.made, flown=self.flown,
        )  # fmt: skip
        if self.flying and isinstance(self.made, Draw | Tinkle):
            canvas.surface.blit(card_faces.back(self.table.stock.w), self.flown(self.table.stock, away=True))
        if self._carried is not None:
            picture = self._picture(self._carried[1], self.table.wide)
            canvas.surface.blit(picture, picture.get_rect(center=self._mouse))
