"""Dealer: shuffles by a seed, deals in order, and carries out transfers of cards and tokens.

It knows no rules. Its result is immutable: the zones before and after, and the movement of each card in order.
"""

from collections.abc import Sequence
from typing import Generic, TypeVar

from flicksim.cards.zone import Zone, Zones, with_cards
from flicksim.core.errors import InvalidInput
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import JsonValue

T = TypeVar("T")


class TransferCards(Value, tag="shift", tag_field="do", frozen=True, kw_only=True):
    """Move cards from one zone to another.

    Args:
        source, target: names of the zones.
        cards: cards to move; if empty, `top`: number of cards from the top, one by one.
        under: whether they go to the bottom of the target (a line's left end) instead of the top.
    """

    source: str
    target: str
    cards: tuple[JsonValue, ...] = ()
    top: int = 0
    under: bool = False


class TransferTokens(Value, tag="pay", tag_field="do", frozen=True, kw_only=True):
    """Move tokens from one purse to another."""

    source: str
    target: str
    amount: int


class Reshuffle(Value, tag="gather", tag_field="do", frozen=True, kw_only=True):
    """Shuffle all but the top cards of a pile, and put them under another zone.

    Args:
        source, target: names of the zones. seeds: random stream of the shuffle. keep: number of top cards that stay.
    """

    source: str
    target: str
    seeds: RandomStreams
    keep: int = 1


class AddCards(Value, tag="fresh", tag_field="do", frozen=True, kw_only=True):
    """Put new cards, shuffled, under a zone: the only step that adds cards to the game.

    Args:
        target: name of the zone. cards: cards to add. seeds: random stream of the shuffle.
    """

    target: str
    cards: tuple[JsonValue, ...]
    seeds: RandomStreams


Step = TransferCards | TransferTokens | Reshuffle | AddCards


class CardMovement(Value, Generic[T], frozen=True, kw_only=True):
    """Movement of one card between zones; `card` is None if its face is hidden."""

    card: T | None
    source: str
    target: str


class TransferResult(Value, Generic[T], frozen=True, kw_only=True):
    """Result of a sequence of steps: zones before and after, and the movement of each card."""

    before: Zones[T]
    after: Zones[T]
    moved: tuple[CardMovement[T], ...] = ()

    def view_for(self, seat: int) -> "TransferResult[T]":
        """View of a seat: a card's face only if it came from or went to a zone whose faces the seat sees."""
        before, after = self.before, self.after

        def is_visible(name: str) -> bool:
            zones = after if name in after.piles else before
            return name in zones.piles and zones[name].is_visible_to(seat)

        moved = tuple(
            m
            if is_visible(m.source) or is_visible(m.target)
            else CardMovement[T](card=None, source=m.source, target=m.target)
            for m in self.moved
        )
        return TransferResult(before=before.view_for(seat), after=after.view_for(seat), moved=moved)


class Dealer:
    """Dealer that carries out steps on zones."""

    def simulate(self, before: Zones[T], steps: Sequence[Step]) -> TransferResult[T]:
        """Carry out steps and return their result.

        Raises:
            InvalidInput: a card is not in its source zone; the message names it.
        """
        piles, purses = dict(before.piles), before.purses
        moved: list[CardMovement[T]] = []
        for step in steps:
            if type(step) is TransferCards:
                transferred = _transfer_cards(piles, step)
                moved += [CardMovement(card=card, source=step.source, target=step.target) for card in transferred]
            elif type(step) is TransferTokens:
                purses = {**purses, step.source: purses.get(step.source, 0) - step.amount}
                purses = {**purses, step.target: purses.get(step.target, 0) + step.amount}
            elif type(step) is Reshuffle:
                pile = piles[step.source].cards
                shuffled, top_cards = pile[: len(pile) - step.keep], pile[len(pile) - step.keep :]
                piles[step.source] = with_cards(piles[step.source], top_cards)
                piles[step.target] = with_cards(
                    piles[step.target], (*shuffle(shuffled, step.seeds), *piles[step.target].cards)
                )
                moved += [CardMovement(card=card, source=step.source, target=step.target) for card in shuffled]
            elif type(step) is AddCards:
                added: tuple[T, ...] = shuffle(step.cards, step.seeds)
                piles[step.target] = with_cards(piles[step.target], (*added, *piles[step.target].cards))
                moved += [CardMovement(card=card, source="box", target=step.target) for card in added]
        return TransferResult(before=before, after=Zones(piles=piles, purses=purses), moved=tuple(moved))


def _transfer_cards(zones: dict[str, Zone[T]], step: TransferCards) -> tuple[T, ...]:
    source = zones[step.source]
    if step.cards:
        remaining_cards = list(source.cards)
        for card in step.cards:
            if card not in remaining_cards:
                raise InvalidInput(f"{card} does not lie in {step.source!r}")
            # of equal faces the last one is taken, to preserve the order of the others
            del remaining_cards[len(remaining_cards) - 1 - remaining_cards[::-1].index(card)]
        transferred: tuple[T, ...] = step.cards
        remaining = tuple(remaining_cards)
    else:
        if step.top > len(source.cards):
            raise InvalidInput(f"{step.top} cards cannot come from {step.source!r}: it has {len(source.cards)}")
        kept_count = len(source.cards) - step.top
        transferred, remaining = source.cards[kept_count:][::-1], source.cards[:kept_count]
    zones[step.source] = with_cards(source, remaining)
    target = zones[step.target] if step.target in zones else Zone()
    zones[step.target] = with_cards(
        target, (*transferred, *target.cards) if step.under else (*target.cards, *transferred)
    )
    return transferred


def shuffle(cards: Sequence[T], streams: RandomStreams) -> tuple[T, ...]:
    """Permute cards by a random stream."""
    return tuple(cards[k] for k in streams.generator().permutation(len(cards)))


def deal(
    deck: Sequence[T], seats: int, cards_each: int, first_seat: int
) -> tuple[tuple[tuple[T, ...], ...], tuple[T, ...]]:
    """Deal from the top, one card at a time, clockwise from seat `first_seat`: hands by seat, and the cards left.

    Raises:
        InvalidInput: the deck is too small.
    """
    if seats * cards_each > len(deck):
        raise InvalidInput(f"{len(deck)} cards cannot give {cards_each} each to {seats}")
    dealt_cards = tuple(reversed(deck[len(deck) - seats * cards_each :]))
    hands = tuple(dealt_cards[(seat - first_seat) % seats :: seats] for seat in range(seats))
    return hands, tuple(deck[: len(deck) - seats * cards_each])
