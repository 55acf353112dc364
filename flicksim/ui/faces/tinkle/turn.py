"""A turn of Tinkle: what is chosen in hand, where it would go, what the turn lacks, and the move that comes of it."""

from __future__ import annotations

import pygame

from flicksim.base import kinds
from flicksim.base.kinds import Action
from flicksim.cards import Card, Discard, Draw, Keep, LayOff, Meld, MoveWild, TakeBack
from flicksim.games.tinkle import deck, legality
from flicksim.games.tinkle.deck import HANDS, ROUNDS, TOKENS, WILD
from flicksim.games.tinkle.moves import Tinkle
from flicksim.games.tinkle.offers import missing, most_tokens
from flicksim.games.tinkle.table import find, fresh
from flicksim.play import Turn
from flicksim.ui.cards import card_faces
from flicksim.ui.cards.cloth import Cloth, finished, signed
from flicksim.ui.cards.plates import Plate
from flicksim.ui.cards.rack import Rack
from flicksim.ui.faces.tinkle import table as tinkle_table
from flicksim.ui.faces.tinkle.contracts import contract, groups_words, shown
from flicksim.ui.kit.widgets import Button

NEW, PILE = -1, -2
"""Targets that are not a group: a new one, the discard pile."""


class TinkleTurn(Cloth):
    """The turn of a seat in Tinkle, however it is driven."""

    def _rack(self) -> Rack:
        self.tokens = 1
        self._target = PILE
        self._meant = False
        self._cycle = -1
        self._carried: tuple[int, Card] | None = None
        self._falling: list[float] = []
        self.table = tinkle_table.Table()
        self._main = Button("", self.enter, key="Enter", main=True)
        self._draw = Button("Draw", lambda: self.act(Draw()), key="D", main=True)
        self._tinkle = Button("Tinkle", self._pay, key="T")
        self._more = Button("More tokens", self._count_on, key="+")
        self._meld = Button("New group", lambda: self._to(NEW), key="M")
        self._group = Button("Find group", self._suggest, key="G")
        self._back_up = Button("Take back", self._take_up, key="Backspace")
        self._wild = Button("Move wild", self._move_wild, key="W")
        self._throw = Button("Discard", lambda: self._to(PILE), key="X")
        self._keep = Button("Keep last", lambda: self.act(Keep()), key="K")
        return Rack(self._picture, card_faces.TALL, card_faces.INDEX, 92.0, dims=False)

    def _picture(self, card: Card, wide: int) -> pygame.Surface:
        return card_faces.face(card, wide, self.preferences.four, deck.kind(card) == WILD)

    def _back(self, high: int) -> pygame.Surface:
        return card_faces.back(max(6, round(high / card_faces.TALL)))

    def _foot(self) -> float:
        return 186.0 if len(self.hand()) <= 26 else 212.0

    def _plate(self, seat: int) -> Plate:
        view = self.view
        words = ["dealer"] if seat == view.dealer else []
        if view.opened and view.opened[seat]:
            words.append("opened")
        return Plate(
            seat=seat, name=self.called(seat), who=self._who(seat), count=len(view.zones[HANDS[seat]]),
            points=signed(view.scores[seat]) if view.scores[seat] else "0", marks=", ".join(words),
            tokens=view.zones.purses[TOKENS[seat]],
        )  # fmt: skip

    # -- the view -------------------------------------------------------------------------------------------------

    def laid(self, turn: Turn) -> kinds.State:
        """The groups at the end of a round."""
        return finished(turn, groups=turn.verdict.ruling.groups)  # type: ignore[attr-defined]

    def stretch(self) -> str:
        """The round."""
        return f"Round {self.view.round} of {ROUNDS}"

    def hand(self) -> tuple[Card, ...]:
        """The hand as the player likes it sorted; wilds stand at the right."""
        suits = "SHCD"

        def by_rank(card: Card) -> tuple[int, int, int]:
            wild = deck.kind(card) == WILD
            return (wild, 14 if card.rank == 1 else card.rank, suits.find(card.suit))

        def by_suit(card: Card) -> tuple[int, int, int]:
            wild = deck.kind(card) == WILD
            return (wild, suits.find(card.suit), 14 if card.rank == 1 else card.rank)

        return tuple(sorted(super().hand(), key=by_suit if self.preferences.by_suit else by_rank))

    @property
    def playing(self) -> bool:
        """True where cards may be put down now."""
        return self.choosing and self.view.phase == "play"

    def renew(self) -> None:
        """Hold the hand, light what can be put down."""
        usable = {card for action in self.offers(Meld, LayOff) for card in action.cards} if self.playing else set()
        self.rack.show(self.hand(), lambda card: card in usable)
        self._cycle, self._meant, self._carried = -1, False, None
        if self.choosing and self.view.phase == "draw":
            self.tokens = max(1, min(self.tokens, most_tokens(self.view)))
        else:
            self.tokens = 1
        self._aim()

    def arrange(self) -> None:
        """Piles, jar and groups in their places."""
        self.table.place(self.view, self.middle, self.scale, new=self.playing)

    def targets(self) -> list[int]:
        """Targets of cards, in the order Up and Down go through them."""
        return [PILE, NEW, *self.table.groups]

    def _aim(self) -> None:
        """Point where what is chosen would most likely go, unless the player has pointed himself."""
        if not self.playing or self._meant:
            return
        cards = self.rack.picked
        self._target = PILE
        if not cards:
            return
        fits = [group.number for group in self.view.groups if self.allowed(LayOff(cards=cards, group=group.number))]
        own = [number for number in fits if getattr(find(self.view.groups, number), "owner", None) == self.seat]
        offered = any(set(action.cards) >= set(cards) for action in self.offers(LayOff)) or len(cards) > 1
        if len(cards) >= 3 and not own and self.allowed(Meld(cards=cards)):
            self._target = NEW
        elif fits and offered and self.rack.chosen:
            self._target = (own or fits)[0]
        elif len(cards) > 1:
            self._target = NEW

    # -- what is due ----------------------------------------------------------------------------------------------

    def buttons(self) -> list[Button]:
        """Only what is allowed now, besides the main one."""
        if not self.choosing:
            return []
        if self.view.phase == "draw":
            most = most_tokens(self.view)
            self._tinkle.label = f"Tinkle ×{self.tokens}"
            return [self._draw, *([self._tinkle] if most else []), *([self._more] if most > 1 else [])]
        self._main.label = self._main_word()
        due = [self._main]
        for button, action in (
            (self._meld, self._target != NEW and len(self.rack.picked) > 1 and self._may_meld()),
            (self._group, bool(self.offers(Meld))),
            (self._back_up, bool(fresh(self.view.groups, self.view.turn))),
            (self._wild, self._wild_move() is not None),
            (self._throw, self._target != PILE and self._may_throw()),
            (self._keep, self.allowed(Keep())),
        ):
            if action:
                due.append(button)
        return due

    def _may_throw(self) -> bool:
        cards = self.rack.picked
        return len(cards) == 1 and self.allowed(Discard(card=cards[0]))

    def _may_meld(self) -> bool:
        return self.allowed(Meld(cards=self.rack.picked))

    def _move(self) -> Action:
        """The action that Enter would do."""
        cards = self.rack.picked
        if self._target == PILE:
            return Discard(card=cards[0]) if len(cards) == 1 else None
        if not cards:
            return None
        return Meld(cards=cards) if self._target == NEW else LayOff(cards=cards, group=self._target)

    def _main_word(self) -> str:
        if not self.rack.items:
            return "No card left"
        match self._move():
            case Discard(card=card):
                return f"Discard {shown(card)}"
            case Meld(cards=cards):
                return f"Put down {' '.join(map(shown, cards))}"
            case LayOff(cards=cards, group=number):
                return f"Lay {' '.join(map(shown, cards))} on group {number}"
        return "Discard one card only"

    def lacks(self) -> str:
        """Words for what the turn still lacks."""
        view, seat = self.view, self.seat
        if not self.choosing or seat is None:
            return ""
        need = missing(view, seat) if not view.opened[seat] else None
        if view.phase == "draw":
            opened = "You have opened. " if view.opened[seat] else f"To open: {contract(view.round)}. "
            return opened + "A token buys the top discard and three stock cards."
        why = legality.trouble_of(view)
        if why is not None:
            rest = f" Still needed: {groups_words(need[0])}." if need is not None else ""
            return f"The turn cannot end yet: {why[1]} ({why[0]}).{rest}"
        held = len(self.rack.items)
        end = "keep the last card (K), or lay it off" if held == 1 else "discard one card to end the turn"
        if need is not None:
            return f"To open put down {groups_words(need[0])}; or {end}."
        return f"The table may stand so. Put down or lay off more, or {end}."

    # -- doing ----------------------------------------------------------------------------------------------------

    def enter(self) -> None:
        """The words on the main button."""
        if self.view.phase == "draw":
            self.act(Draw())
            return
        action = self._move()
        if action is None:
            self.refuse("One card is discarded; choose a single one." if self.rack.items else "There is no card left.")
        else:
            self.act(action)

    def _to(self, target: int) -> None:
        self._target, self._meant = target, True
        self.enter()

    def _pay(self) -> None:
        self.act(Tinkle(count=self.tokens))

    def _count_on(self) -> None:
        most = max(1, most_tokens(self.view))
        self.tokens = self.tokens % most + 1

    def _suggest(self) -> None:
        """Choose the cards of the next group that is offered."""
        found = self.offers(Meld)
        if found:
            self._cycle = (self._cycle + 1) % len(found)
            self.rack.choose(found[self._cycle].cards)
            self._target, self._meant = NEW, True
        else:
            self.refuse("No whole group can be put down out of this hand now.")

    def _take_up(self) -> None:
        down = fresh(self.view.groups, self.view.turn)
        here = [pair for pair in down if pair[0].number == self._target] or down
        if not here:
            self.refuse("Nothing was put down this turn; what lies from earlier turns stays (TK-9f).")
            return
        group, card = here[-1]
        self.act(TakeBack(card=card, group=group.number))

    def _wild_move(self) -> MoveWild | None:
        """A wild of this turn moved to the group that is pointed at."""
        for group, card in fresh(self.view.groups, self.view.turn):
            if deck.kind(card) == WILD and group.number != self._target and self._target > 0:
                move = MoveWild(card=card, source=group.number, target=self._target)
                if self.allowed(move):
                    return move
        return None

    def _move_wild(self) -> None:
        move = self._wild_move()
        if move is None:
            self.refuse("Point at a group (Up, Down) that can take a wild put down this turn (TK-9e).")
        else:
            self.act(move)

    def take(self, action: Action) -> str:
        """Choose what a hint says, and say it as people do."""
        match action:
            case Tinkle(count=count):
                self.tokens = count
            case Meld(cards=cards):
                self.rack.choose(cards)
                self._target, self._meant = NEW, True
                return f"put down {' '.join(map(str, cards))}"
            case LayOff(cards=cards, group=number):
                self.rack.choose(cards)
                self._target, self._meant = number, True
                return f"lay {' '.join(map(str, cards))} on group {number}"
            case Discard(card=card):
                self.rack.chosen = set()
                self.rack.cursor = self.rack.items.index(card)
                self._target, self._meant = PILE, True
        return str(action)
