"""Engine of card and tile games: cards, tiles, zones with visibility, moves with a notation, and a dealer."""

import typing

from flicksim.cards.card import JOKER as JOKER
from flicksim.cards.card import STANDARD_DECK as STANDARD_DECK
from flicksim.cards.card import Card as Card
from flicksim.cards.card import make_decks as make_decks
from flicksim.cards.dealer import AddCards as AddCards
from flicksim.cards.dealer import CardMovement as CardMovement
from flicksim.cards.dealer import Dealer as Dealer
from flicksim.cards.dealer import Reshuffle as Reshuffle
from flicksim.cards.dealer import Step as Step
from flicksim.cards.dealer import TransferCards as TransferCards
from flicksim.cards.dealer import TransferResult as TransferResult
from flicksim.cards.dealer import TransferTokens as TransferTokens
from flicksim.cards.dealer import deal as deal
from flicksim.cards.dealer import shuffle as shuffle
from flicksim.cards.move import Discard as Discard
from flicksim.cards.move import Draw as Draw
from flicksim.cards.move import KeepLastCard as KeepLastCard
from flicksim.cards.move import LayOff as LayOff
from flicksim.cards.move import Meld as Meld
from flicksim.cards.move import Move as Move
from flicksim.cards.move import MoveWild as MoveWild
from flicksim.cards.move import Pass as Pass
from flicksim.cards.move import PlaceTile as PlaceTile
from flicksim.cards.move import TakeBack as TakeBack
from flicksim.cards.move import TurnUp as TurnUp
from flicksim.cards.move import parse_move as parse_move
from flicksim.cards.tile import DOUBLES_MASK as DOUBLES_MASK
from flicksim.cards.tile import SUIT_MASKS as SUIT_MASKS
from flicksim.cards.tile import TILES as TILES
from flicksim.cards.tile import Tile as Tile
from flicksim.cards.tile import line_halves as line_halves
from flicksim.cards.tile import tile_mask as tile_mask
from flicksim.cards.tile import tile_set as tile_set
from flicksim.cards.zone import Zone as Zone
from flicksim.cards.zone import Zones as Zones
from flicksim.cards.zone import hand_zone as hand_zone
from flicksim.cards.zone import purse_name as purse_name
from flicksim.cards.zone import with_cards as with_cards
from flicksim.core import deprecation, exports

if not typing.TYPE_CHECKING:
    __all__ = exports.exported_names(__name__)
    __getattr__ = deprecation.renamed_attribute(__name__)
