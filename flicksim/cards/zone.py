"""Zones: piles of cards or tiles, each with an owner and those who see its faces; purses of tokens beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, Literal, TypeVar

import msgspec

from flicksim.base.codec import Value

T = TypeVar("T")
Sees = Literal["all", "owner", "nobody"]


class Zone(Value, Generic[T], frozen=True, kw_only=True):
    """A pile. Its last card is the top.

    Args:
        owner: seat it belongs to; None when it is everybody's.
        sees: who sees its faces.
        cards: from the bottom to the top; empty in the view of one who may not see them.
        hidden: how many cards lie here that the holder of this view may not see.
    """

    owner: int | None = None
    sees: Sees = "all"
    cards: tuple[T, ...] = ()
    hidden: int = 0

    def __len__(self) -> int:
        return len(self.cards) + self.hidden

    def open_to(self, seat: int) -> bool:
        """True where a seat sees its faces."""
        return self.sees == "all" or (self.sees == "owner" and self.owner == seat)

    def seen_by(self, seat: int) -> Zone[T]:
        """The same as a seat sees it: the faces, or their number."""
        if self.open_to(seat):
            return self
        return Zone(owner=self.owner, sees=self.sees, hidden=len(self))


class Zones(Value, Generic[T], frozen=True, kw_only=True):
    """Everything on, at and under the table.

    Args:
        piles: zones by name, like "hand:0", "stock", "discard".
        purses: tokens by name, like "tokens:0", "jar"; a stake account may be below zero.
    """

    piles: Mapping[str, Zone[T]]
    purses: Mapping[str, int] = {}

    def __getitem__(self, name: str) -> Zone[T]:
        return self.piles[name]

    def cards(self, name: str) -> tuple[T, ...]:
        """The faces in a zone, bottom first."""
        return self.piles[name].cards

    def seen_by(self, seat: int) -> Zones[T]:
        """The same as a seat sees them. Purses are open."""
        piles = {name: zone.seen_by(seat) for name, zone in self.piles.items()}
        return Zones(piles=piles, purses=self.purses)

    def every(self) -> list[T]:
        """All faces, zone by zone."""
        return [card for zone in self.piles.values() for card in zone.cards]

    def put(self, name: str, zone: Zone[T]) -> Zones[T]:
        """These zones with one put in or replaced."""
        return Zones(piles={**self.piles, name: zone}, purses=self.purses)


def hand(seat: int) -> str:
    """Name of a seat's hand: "hand:0"."""
    return f"hand:{seat}"


def purse(kind: str, seat: int) -> str:
    """Name of a seat's purse: "tokens:0"."""
    return f"{kind}:{seat}"


def refill(zone: Zone[T], cards: tuple[T, ...]) -> Zone[T]:
    """A zone with other cards in it."""
    return msgspec.structs.replace(zone, cards=cards, hidden=0)
