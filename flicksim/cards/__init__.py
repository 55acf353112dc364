"""Engine of card and tile games: cards, tiles, zones with visibility, moves with a notation, and a dealer."""

from typing import TYPE_CHECKING

from flicksim.cards.card import JOKER, STANDARD_DECK, Card, make_decks
from flicksim.cards.dealer import (
    AddCards,
    CardMovement,
    Dealer,
    Reshuffle,
    Step,
    TransferCards,
    TransferResult,
    TransferTokens,
    deal,
    shuffle,
)
from flicksim.cards.move import (
    Discard,
    Draw,
    KeepLastCard,
    LayOff,
    Meld,
    Move,
    MoveWild,
    Pass,
    PlaceTile,
    TakeBack,
    TurnUp,
    parse_move,
)
from flicksim.cards.tile import DOUBLES_MASK, SUIT_MASKS, TILES, Tile, tile_mask, tile_set
from flicksim.cards.zone import Zone, Zones, hand_zone, purse_name, with_cards
from flicksim.core.deprecation import renamed_attribute

__all__ = [
    "DOUBLES_MASK",
    "JOKER",
    "STANDARD_DECK",
    "SUIT_MASKS",
    "TILES",
    "AddCards",
    "Card",
    "CardMovement",
    "Dealer",
    "Discard",
    "Draw",
    "KeepLastCard",
    "LayOff",
    "Meld",
    "Move",
    "MoveWild",
    "Pass",
    "PlaceTile",
    "Reshuffle",
    "Step",
    "TakeBack",
    "Tile",
    "TransferCards",
    "TransferResult",
    "TransferTokens",
    "TurnUp",
    "Zone",
    "Zones",
    "deal",
    "hand_zone",
    "make_decks",
    "parse_move",
    "purse_name",
    "shuffle",
    "tile_mask",
    "tile_set",
    "with_cards",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__ = renamed_attribute(__name__)
