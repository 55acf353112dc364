"""Cards and tiles, zones and who sees them, moves with a notation, and the dealer. It knows no game."""

from flicksim.cards.card import JOKER, PACK, Card, packs
from flicksim.cards.dealer import Dealer, Fresh, Gather, Moved, Pay, Play, Shift, Step, deal, shuffled
from flicksim.cards.move import (
    Discard,
    Draw,
    Keep,
    Lay,
    LayOff,
    Meld,
    Move,
    MoveWild,
    Pass,
    TakeBack,
    TurnUp,
    read_move,
)
from flicksim.cards.tile import DOUBLES, SUIT, TILES, Tile, bits, tile_set
from flicksim.cards.zone import Zone, Zones, hand, purse, refill

__all__ = [
    "DOUBLES", "JOKER", "PACK", "SUIT", "TILES", "Card", "Dealer", "Discard", "Draw", "Fresh", "Gather", "Keep", "Lay",
    "LayOff", "Meld", "Move", "MoveWild", "Moved", "Pass", "Pay", "Play", "Shift", "Step", "TakeBack", "Tile",
    "TurnUp", "Zone", "Zones", "bits", "deal", "hand", "packs", "purse", "read_move", "refill", "shuffled", "tile_set",
]  # fmt: skip
