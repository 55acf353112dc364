"""Moves of card and tile games: values with a notation that can be typed and parsed.

6-4 left      pass            draw             meld KS KH 2D      layoff KD 2H on 3
take 2D from 3                move 2D from 3 to 4                 discard 7C          keep
"""

from collections.abc import Iterable
from types import UnionType
from typing import ClassVar, Literal, Self, get_args

from flicksim.cards.card import Card
from flicksim.cards.tile import Tile
from flicksim.core.errors import InvalidInput
from flicksim.core.limits import parse_int
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, ActionTypes


class Move(Value, frozen=True, kw_only=True):
    """Base of all moves. `str` encodes a move, `parse_move` decodes it; `notation` is an example of its form."""

    notation: ClassVar[str] = ""

    @classmethod
    def read(cls, words: list[str]) -> Self | None:
        """Parse a move from words; None if they are another kind of move.

        Raises:
            ValueError: they are a malformed move of this kind.
        """
        verb, *arguments = cls.notation.split()
        return cls() if words == [verb] and not arguments else None

    def __str__(self) -> str:
        return self.notation


class PlaceTile(Move, tag="lay", tag_field="do", frozen=True, kw_only=True):
    """Place a tile at an end of the line; without an end, at the only one it fits."""

    notation: ClassVar[str] = "6-4 left"
    tile: Tile
    end: Literal["left", "right"] | None = None

    def __str__(self) -> str:
        return f"{self.tile} {self.end}" if self.end else str(self.tile)

    @classmethod
    def read(cls, words: list[str]) -> "PlaceTile | None":
        """Parse a move from words (see `Move.read`)."""
        if not words[0][:1].isdigit() or "-" not in words[0]:
            return None
        tile = Tile.parse(words[0])
        match words[1:]:
            case []:
                return cls(tile=tile)
            case ["left"]:
                return cls(tile=tile, end="left")
            case ["right"]:
                return cls(tile=tile, end="right")
        raise ValueError(f"no end {' '.join(words[1:])!r}; it is left or right")


class Pass(Move, tag="pass", tag_field="do", frozen=True, kw_only=True):
    """Pass without playing."""

    notation: ClassVar[str] = "pass"


class TurnUp(Move, tag="turn_up", tag_field="do", frozen=True, kw_only=True):
    """Turn over the top tile of the boneyard as the lead."""

    notation: ClassVar[str] = "turn-up"


class Draw(Move, tag="draw", tag_field="do", frozen=True, kw_only=True):
    """Take the top card of the stock."""

    notation: ClassVar[str] = "draw"


class Meld(Move, tag="meld", tag_field="do", frozen=True, kw_only=True):
    """Put cards down as a new group."""

    notation: ClassVar[str] = "meld KS KH 2D"
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"meld {' '.join(map(str, self.cards))}"

    @classmethod
    def read(cls, words: list[str]) -> "Meld | None":
        """Parse a move from words (see `Move.read`)."""
        return cls(cards=_parse_cards(words[1:])) if words[0] == "meld" else None


class LayOff(Move, tag="layoff", tag_field="do", frozen=True, kw_only=True):
    """Add cards to a group on the table."""

    notation: ClassVar[str] = "layoff KD 2H on 3"
    cards: tuple[Card, ...]
    group: int

    def __str__(self) -> str:
        return f"layoff {' '.join(map(str, self.cards))} on {self.group}"

    @classmethod
    def read(cls, words: list[str]) -> "LayOff | None":
        """Parse a move from words (see `Move.read`)."""
        if words[0] not in ("layoff", "lay-off"):
            return None
        if len(words) < 4 or words[-2] != "on":
            raise ValueError(f"{' '.join(words)!r} must be written {cls.notation}")
        return cls(cards=_parse_cards(words[1:-2]), group=_parse_count(words[-1]))


class TakeBack(Move, tag="take", tag_field="do", frozen=True, kw_only=True):
    """Take back a card put down this turn."""

    notation: ClassVar[str] = "take 2D from 3"
    card: Card
    group: int

    def __str__(self) -> str:
        return f"take {self.card} from {self.group}"

    @classmethod
    def read(cls, words: list[str]) -> "TakeBack | None":
        """Parse a move from words (see `Move.read`)."""
        match words:
            case ["take", card, "from", group]:
                return cls(card=Card.parse(card), group=_parse_count(group))
            case ["take", *_]:
                raise ValueError(f"{' '.join(words)!r} must be written {cls.notation}")
        return None


class MoveWild(Move, tag="move", tag_field="do", frozen=True, kw_only=True):
    """Move a wild card put down this turn to another group."""

    notation: ClassVar[str] = "move 2D from 3 to 4"
    card: Card
    source: int
    target: int

    def __str__(self) -> str:
        return f"move {self.card} from {self.source} to {self.target}"

    @classmethod
    def read(cls, words: list[str]) -> "MoveWild | None":
        """Parse a move from words (see `Move.read`)."""
        match words:
            case ["move", card, "from", source, "to", target]:
                return cls(card=Card.parse(card), source=_parse_count(source), target=_parse_count(target))
            case ["move", *_]:
                raise ValueError(f"{' '.join(words)!r} must be written {cls.notation}")
        return None


class Discard(Move, tag="discard", tag_field="do", frozen=True, kw_only=True):
    """Put a card on the discard pile; that ends the turn."""

    notation: ClassVar[str] = "discard 7C"
    card: Card

    def __str__(self) -> str:
        return f"discard {self.card}"

    @classmethod
    def read(cls, words: list[str]) -> "Discard | None":
        """Parse a move from words (see `Move.read`)."""
        match words:
            case ["discard", card]:
                return cls(card=Card.parse(card))
            case ["discard", *_]:
                raise ValueError(f"{' '.join(words)!r} must be written {cls.notation}")
        return None


class KeepLastCard(Move, tag="keep", tag_field="do", frozen=True, kw_only=True):
    """End the turn without a discard, keeping the last card."""

    notation: ClassVar[str] = "keep"


def _parse_cards(words: Iterable[str]) -> tuple[Card, ...]:
    cards = tuple(Card.parse(word) for word in words)
    if not cards:
        raise ValueError("no cards are named")
    return cards


def _parse_count(word: str) -> int:
    number = parse_int(word)
    if number is None or number < 0:
        raise ValueError(f"{word!r} is not a whole number")
    return number


def parse_move(text: str, action_types: ActionTypes) -> Action:
    """Parse a move of one of a game's types (`game.action`).

    Raises:
        InvalidInput: the text is no such move; the message quotes it and lists the notations.
    """
    members: tuple[ActionTypes, ...] = (
        get_args(action_types) if isinstance(action_types, UnionType) else (action_types,)
    )
    words = text.lower().split()
    try:
        for move_type in members:
            move = move_type.read(words) if words else None
            if move is not None:
                return move
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    forms = ", ".join(move_type.notation for move_type in members)
    raise InvalidInput(f"no move {text!r}; moves are written {forms}")
