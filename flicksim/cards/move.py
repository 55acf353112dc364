"""Moves: what a player may do with cards and tiles, as values with a notation that can be typed and read back.

6-4 left      pass            draw             meld KS KH 2D      layoff KD 2H on 3
take 2D from 3                move 2D from 3 to 4                 discard 7C          keep
"""

from __future__ import annotations

from collections.abc import Iterable
from types import UnionType
from typing import ClassVar, Literal, Self, get_args

from flicksim.base.bounds import whole
from flicksim.base.codec import Value
from flicksim.base.errors import BadInput
from flicksim.base.kinds import Action, Kinds
from flicksim.cards.card import Card
from flicksim.cards.tile import Tile


class Move(Value, frozen=True, kw_only=True):
    """Root of all moves. `str` writes one, `read_move` takes it back; `form` shows how it is written."""

    form: ClassVar[str] = ""

    @classmethod
    def read(cls, words: list[str]) -> Self | None:
        """The move these words write, None when they write another kind.

        Raises:
            ValueError: it is this kind but cannot be; says why.
        """
        verb, *rest = cls.form.split()
        return cls() if words == [verb] and not rest else None

    def __str__(self) -> str:
        return self.form


class Lay(Move, tag="lay", tag_field="do", frozen=True, kw_only=True):
    """Put a tile to the line. Without an end it goes to the only one it fits."""

    form: ClassVar[str] = "6-4 left"
    tile: Tile
    end: Literal["left", "right"] | None = None

    def __str__(self) -> str:
        return f"{self.tile} {self.end}" if self.end else str(self.tile)

    @classmethod
    def read(cls, words: list[str]) -> Lay | None:
        """As `Move.read`."""
        if not words[0][:1].isdigit() or "-" not in words[0]:
            return None
        tile = Tile.read(words[0])
        match words[1:]:
            case []:
                return cls(tile=tile)
            case ["left"]:
                return cls(tile=tile, end="left")
            case ["right"]:
                return cls(tile=tile, end="right")
        raise ValueError(f"no end {' '.join(words[1:])!r}; it is left or right")


class Pass(Move, tag="pass", tag_field="do", frozen=True, kw_only=True):
    """Play nothing."""

    form: ClassVar[str] = "pass"


class TurnUp(Move, tag="turn_up", tag_field="do", frozen=True, kw_only=True):
    """Turn the top of the boneyard over; it is the lead."""

    form: ClassVar[str] = "turn-up"


class Draw(Move, tag="draw", tag_field="do", frozen=True, kw_only=True):
    """Take the top card of the stock."""

    form: ClassVar[str] = "draw"


class Meld(Move, tag="meld", tag_field="do", frozen=True, kw_only=True):
    """Put cards down as a new group."""

    form: ClassVar[str] = "meld KS KH 2D"
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"meld {' '.join(map(str, self.cards))}"

    @classmethod
    def read(cls, words: list[str]) -> Meld | None:
        """As `Move.read`."""
        return cls(cards=_cards(words[1:])) if words[0] == "meld" else None


class LayOff(Move, tag="layoff", tag_field="do", frozen=True, kw_only=True):
    """Add cards to a group on the table."""

    form: ClassVar[str] = "layoff KD 2H on 3"
    cards: tuple[Card, ...]
    group: int

    def __str__(self) -> str:
        return f"layoff {' '.join(map(str, self.cards))} on {self.group}"

    @classmethod
    def read(cls, words: list[str]) -> LayOff | None:
        """As `Move.read`."""
        if words[0] not in ("layoff", "lay-off"):
            return None
        if len(words) < 4 or words[-2] != "on":
            raise ValueError(f"{' '.join(words)!r} must be written {cls.form}")
        return cls(cards=_cards(words[1:-2]), group=_number(words[-1]))


class TakeBack(Move, tag="take", tag_field="do", frozen=True, kw_only=True):
    """Take a card put down this turn up again."""

    form: ClassVar[str] = "take 2D from 3"
    card: Card
    group: int

    def __str__(self) -> str:
        return f"take {self.card} from {self.group}"

    @classmethod
    def read(cls, words: list[str]) -> TakeBack | None:
        """As `Move.read`."""
        match words:
            case ["take", card, "from", group]:
                return cls(card=Card.read(card), group=_number(group))
            case ["take", *_]:
                raise ValueError(f"{' '.join(words)!r} must be written {cls.form}")
        return None


class MoveWild(Move, tag="move", tag_field="do", frozen=True, kw_only=True):
    """Move a wild card put down this turn to another group."""

    form: ClassVar[str] = "move 2D from 3 to 4"
    card: Card
    source: int
    target: int

    def __str__(self) -> str:
        return f"move {self.card} from {self.source} to {self.target}"

    @classmethod
    def read(cls, words: list[str]) -> MoveWild | None:
        """As `Move.read`."""
        match words:
            case ["move", card, "from", source, "to", target]:
                return cls(card=Card.read(card), source=_number(source), target=_number(target))
            case ["move", *_]:
                raise ValueError(f"{' '.join(words)!r} must be written {cls.form}")
        return None


class Discard(Move, tag="discard", tag_field="do", frozen=True, kw_only=True):
    """Put a card on the discard pile; that ends the turn."""

    form: ClassVar[str] = "discard 7C"
    card: Card

    def __str__(self) -> str:
        return f"discard {self.card}"

    @classmethod
    def read(cls, words: list[str]) -> Discard | None:
        """As `Move.read`."""
        match words:
            case ["discard", card]:
                return cls(card=Card.read(card))
            case ["discard", *_]:
                raise ValueError(f"{' '.join(words)!r} must be written {cls.form}")
        return None


class Keep(Move, tag="keep", tag_field="do", frozen=True, kw_only=True):
    """End the turn without a discard, keeping the last card."""

    form: ClassVar[str] = "keep"


def _cards(words: Iterable[str]) -> tuple[Card, ...]:
    cards = tuple(Card.read(word) for word in words)
    if not cards:
        raise ValueError("no cards are named")
    return cards


def _number(word: str) -> int:
    number = whole(word)
    if number is None or number < 0:
        raise ValueError(f"{word!r} is not a whole number")
    return number


def read_move(text: str, kinds: Kinds) -> Action:
    """The move written by a line, of one of the kinds a game has (`game.action`).

    Raises:
        BadInput: it writes none; quotes it and shows how they are written.
    """
    members: tuple[Kinds, ...] = get_args(kinds) if isinstance(kinds, UnionType) else (kinds,)
    words = text.lower().split()
    try:
        for kind in members:
            move = kind.read(words) if words else None
            if move is not None:
                return move
    except ValueError as wrong:
        raise BadInput(str(wrong)) from None
    forms = ", ".join(kind.form for kind in members)
    raise BadInput(f"no move {text!r}; moves are written {forms}")
