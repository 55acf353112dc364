"""The dealer: the stage of the card wing. Shuffles by a seed, deals in true order, and carries out what rules ask for.

It knows no rules. What it hands back is finished and frozen: the zones before and after, and each card's way in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from flicksim.base.codec import Value
from flicksim.base.errors import BadInput
from flicksim.base.kinds import Plain
from flicksim.base.seeding import Seeds
from flicksim.cards.zone import Zone, Zones, refill

T = TypeVar("T")


class Shift(Value, tag="shift", tag_field="do", frozen=True, kw_only=True):
    """Cards go from one zone to another.

    Args:
        cards: which; or else top: how many from the top, one by one.
        under: they go to the bottom of the target (a line's left end), not on its top.
    """

    source: str
    target: str
    cards: tuple[Plain, ...] = ()
    top: int = 0
    under: bool = False


class Pay(Value, tag="pay", tag_field="do", frozen=True, kw_only=True):
    """Tokens go from one purse to another."""

    source: str
    target: str
    amount: int


class Gather(Value, tag="gather", tag_field="do", frozen=True, kw_only=True):
    """All of a pile but its top card is shuffled and put into another zone."""

    source: str
    target: str
    seeds: Seeds
    keep: int = 1


class Fresh(Value, tag="fresh", tag_field="do", frozen=True, kw_only=True):
    """New cards come out of the box, shuffled, into a zone: the one way in which cards become more."""

    target: str
    cards: tuple[Plain, ...]
    seeds: Seeds


Step = Shift | Pay | Gather | Fresh


class Moved(Value, Generic[T], frozen=True, kw_only=True):
    """One card's way; None for a card whose face one may not see."""

    card: T | None
    source: str
    target: str


class Play(Value, Generic[T], frozen=True, kw_only=True):
    """A finished account of what was done."""

    before: Zones[T]
    after: Zones[T]
    moved: tuple[Moved[T], ...] = ()

    def seen_by(self, seat: int) -> Play[T]:
        """The same as a seat sees it: a card's face only when it came from or went to where the seat sees faces."""
        before, after = self.before, self.after

        def open_(name: str) -> bool:
            zones = after if name in after.piles else before
            return name in zones.piles and zones[name].open_to(seat)

        moved = tuple(
            m if open_(m.source) or open_(m.target) else Moved[T](card=None, source=m.source, target=m.target)
            for m in self.moved
        )
        return Play(before=before.seen_by(seat), after=after.seen_by(seat), moved=moved)


class Dealer:
    """Carries out steps on zones."""

    def settle(self, before: Zones[T], work: Sequence[Step]) -> Play[T]:
        """The finished account of these steps.

        Raises:
            BadInput: a card is not where it is to come from; says which.
        """
        piles, purses = dict(before.piles), before.purses
        moved: list[Moved[T]] = []
        for step in work:
            if type(step) is Shift:
                went = _shift(piles, step)
                moved += [Moved(card=card, source=step.source, target=step.target) for card in went]
            elif type(step) is Pay:
                purses = _pay(purses, step)
            elif type(step) is Gather:
                pile = piles[step.source].cards
                loose, kept = pile[: len(pile) - step.keep], pile[len(pile) - step.keep :]
                piles[step.source] = refill(piles[step.source], kept)
                piles[step.target] = refill(
                    piles[step.target], (*shuffled(loose, step.seeds), *piles[step.target].cards)
                )
                moved += [Moved(card=card, source=step.source, target=step.target) for card in loose]
            elif type(step) is Fresh:
                new: tuple[T, ...] = shuffled(step.cards, step.seeds)
                piles[step.target] = refill(piles[step.target], (*new, *piles[step.target].cards))
                moved += [Moved(card=card, source="box", target=step.target) for card in new]
        return Play(before=before, after=Zones(piles=piles, purses=purses), moved=tuple(moved))


def _shift(piles: dict[str, Zone[T]], step: Shift) -> tuple[T, ...]:
    source = piles[step.source]
    if step.cards:
        rest = list(source.cards)
        for card in step.cards:
            if card not in rest:
                raise BadInput(f"{card} does not lie in {step.source!r}")
            # of equal faces the last one laid goes first, so that what lay before stays as it lay
            del rest[len(rest) - 1 - rest[::-1].index(card)]
        went: tuple[T, ...] = step.cards
        left = tuple(rest)
    else:
        if step.top > len(source.cards):
            raise BadInput(f"{step.top} cards cannot come from {step.source!r}: it has {len(source.cards)}")
        keep = len(source.cards) - step.top
        went, left = source.cards[keep:][::-1], source.cards[:keep]
    piles[step.source] = refill(source, left)
    target = piles[step.target] if step.target in piles else Zone()
    piles[step.target] = refill(target, (*went, *target.cards) if step.under else (*target.cards, *went))
    return went


def _pay(purses: Mapping[str, int], step: Pay) -> dict[str, int]:
    return {
        **purses,
        step.source: purses.get(step.source, 0) - step.amount,
        step.target: purses.get(step.target, 0) + step.amount,
    }


def shuffled(cards: Sequence[T], seeds: Seeds) -> tuple[T, ...]:
    """The cards in an order that only the seed decides."""
    return tuple(cards[k] for k in seeds.generator().permutation(len(cards)))


def deal(pack: Sequence[T], seats: int, each: int, first: int) -> tuple[tuple[tuple[T, ...], ...], tuple[T, ...]]:
    """One card at a time, clockwise, beginning with seat `first`, from the top: hands by seat, and the rest.

    Raises:
        BadInput: the pack is too small.
    """
    if seats * each > len(pack):
        raise BadInput(f"{len(pack)} cards cannot give {each} each to {seats}")
    down = tuple(reversed(pack[len(pack) - seats * each :]))
    hands = tuple(down[(seat - first) % seats :: seats] for seat in range(seats))
    return hands, tuple(pack[: len(pack) - seats * each])
