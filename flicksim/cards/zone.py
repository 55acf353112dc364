"""Zones: piles of cards or tiles with an owner and a visibility; token purses."""

from collections.abc import Mapping
from typing import Generic, Literal, TypeVar

import msgspec

from flicksim.core.serialization import Value

T = TypeVar("T")
Visibility = Literal["all", "owner", "nobody"]


class Zone(Value, Generic[T], frozen=True, kw_only=True):
    """Pile of cards or tiles. Its last card is the top.

    Args:
        owner: seat it belongs to; None if shared.
        sees: seats that see its faces.
        cards: from the bottom to the top; empty in the view of a seat that may not see them.
        hidden: number of cards that this view does not show.
    """

    owner: int | None = None
    sees: Visibility = "all"
    cards: tuple[T, ...] = ()
    hidden: int = 0

    def __len__(self) -> int:
        return len(self.cards) + self.hidden

    def is_visible_to(self, seat: int) -> bool:
        """True if a seat sees its faces."""
        return self.sees == "all" or (self.sees == "owner" and self.owner == seat)

    def view_for(self, seat: int) -> "Zone[T]":
        """View of a seat: the faces, or their number."""
        if self.is_visible_to(seat):
            return self
        return Zone(owner=self.owner, sees=self.sees, hidden=len(self))


class Zones(Value, Generic[T], frozen=True, kw_only=True):
    """All zones and purses of a game.

    Args:
        piles: zones by name, like "hand:0", "stock", "discard".
        purses: tokens by name, like "tokens:0", "jar"; a stake account may be below zero.
    """

    piles: Mapping[str, Zone[T]]
    purses: Mapping[str, int] = {}

    def __getitem__(self, name: str) -> Zone[T]:
        return self.piles[name]

    def cards(self, name: str) -> tuple[T, ...]:
        """Cards of a zone, from the bottom to the top."""
        return self.piles[name].cards

    def view_for(self, seat: int) -> "Zones[T]":
        """View of a seat: zones with hidden faces; purses are open."""
        piles = {name: zone.view_for(seat) for name, zone in self.piles.items()}
        return Zones(piles=piles, purses=self.purses)

    @property
    def has_hidden(self) -> bool:
        """True in the view of a seat that does not see all faces."""
        return any(zone.hidden for zone in self.piles.values())

    def all_cards(self) -> list[T]:
        """All cards, zone by zone."""
        return [card for zone in self.piles.values() for card in zone.cards]

    def with_zone(self, name: str, zone: Zone[T]) -> "Zones[T]":
        """Copy with one zone added or replaced."""
        return Zones(piles={**self.piles, name: zone}, purses=self.purses)


def hand_zone(seat: int) -> str:
    """Name of a seat's hand: "hand:0"."""
    return f"hand:{seat}"


def purse_name(kind: str, seat: int) -> str:
    """Name of a seat's purse: "tokens:0"."""
    return f"{kind}:{seat}"


def with_cards(zone: Zone[T], cards: tuple[T, ...]) -> Zone[T]:
    """Copy of a zone with other cards."""
    return msgspec.structs.replace(zone, cards=cards, hidden=0)
