"""Playing cards: 52 faces in four suits, and the joker. Two cards of one face are equal; packs may hold copies."""

from collections.abc import Callable
from typing import ClassVar, Self

from flicksim.core.errors import InvalidValue
from flicksim.core.serialization import StringValue

SUITS = "CDHS"
"""Clubs, diamonds, hearts, spades."""
JOKER_RANK = 0


class Face(StringValue):
    """Base of cards and tiles. There is one object per face, so faces compare and hash by identity; `<` sorts by index.

    Args:
        name: notation. index: position in the order of all faces. fields: others of the kind.
    """

    __slots__ = ("index", "name")
    name: str
    index: int

    def __init__(self, name: str, index: int, **fields: object) -> None:
        for field, value in {"name": name, "index": index, **fields}.items():
            object.__setattr__(self, field, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__.lower()}s do not change: {name}")

    def __lt__(self, other: Self) -> bool:
        return self.index < other.index

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    def __reduce__(self) -> tuple[Callable[[str], Self], tuple[str]]:
        return type(self).parse, (self.name,)


class Card(Face):
    """Playing card; sorted by rank, then suit.

    Args:
        rank: 1 (ace) to 13 (king); 0 for the joker. suit: C, D, H or S; empty for the joker.
        name: "KS", "10H", "JK".
        index: position in the order of all faces, the joker last.
    """

    __slots__ = ("rank", "suit")
    by_name: ClassVar["dict[str, Card]"] = {}
    rank: int
    suit: str

    def __init__(self, rank: int, suit: str) -> None:
        index = (rank - 1) * 4 + SUITS.index(suit) if rank else 52
        super().__init__(f"{RANK_NAMES[rank]}{suit}", index, rank=rank, suit=suit)

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Card written as a name, in either case; T may stand for 10.

        Raises:
            InvalidValue: the text names no card.
        """
        name = text.upper()
        card = cls.by_name.get(name) or cls.by_name.get(name.replace("T", "10", 1))
        if card is None:
            raise InvalidValue(f"no card {text!r}; a card is written like 7C, 10H, KS, or JK for the joker")
        return card

    @property
    def is_joker(self) -> bool:
        """True for the joker."""
        return self.rank == JOKER_RANK


RANK_NAMES = {0: "JK", 1: "A", **{n: str(n) for n in range(2, 11)}, 11: "J", 12: "Q", 13: "K"}
"""Written form of each rank."""

STANDARD_DECK = tuple(Card(rank, suit) for rank in range(1, 14) for suit in SUITS)
"""One pack of 52 in order."""
JOKER = Card(JOKER_RANK, "")
Card.by_name.update({card.name: card for card in (*STANDARD_DECK, JOKER)})


def make_decks(count: int, jokers: int) -> tuple[Card, ...]:
    """Unshuffled cards: a number of whole packs, then a number of jokers."""
    return STANDARD_DECK * count + (JOKER,) * jokers
