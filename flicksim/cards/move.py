"""Moves of card and tile games: values with a notation that can be typed and parsed.

6-4 left      pass            draw             meld KS KH 2D      layoff KD 2H on 3
take 2D from 3                move 2D from 3 to 4                 discard 7C          keep
"""

from collections.abc import Callable, Mapping
from types import UnionType
from typing import ClassVar, Literal, Self, get_args

from flicksim.cards.card import Card
from flicksim.cards.tile import Tile
from flicksim.core.errors import InvalidInput, InvalidValue
from flicksim.core.limits import parse_int
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, ActionTypes, JsonValue


class Move(Value, frozen=True, kw_only=True):
    """Base of all moves. `str` encodes a move, `parse_move` decodes it.

    Class variables:
        form: its words, with a field in braces; `{cards}` stands for one word or more. Fields other than card, cards,
            group, source and target need a `read` of their own. Without a form, the notation is the form.
        notation: an example of it.
    """

    form: ClassVar[str] = ""
    notation: ClassVar[str] = ""

    @classmethod
    def read(cls, words: list[str]) -> Self | None:
        """Parse a move from words; None if they are another kind of move.

        Raises:
            InvalidValue: they are a malformed move of this kind.
        """
        form = (cls.form or cls.notation).split()
        verb = _VERBS.get(words[0], words[0])
        if verb != form[0] or (len(form) == 1 and len(words) > 1):
            return None
        read = list(words)
        if "{cards}" in form:
            start, end = form.index("{cards}"), len(words) - len(form) + form.index("{cards}") + 1
            read[start:end] = [" ".join(words[start:end])]
        fields = {word[1:-1]: text for word, text in zip(form, read, strict=False) if word.startswith("{")}
        if len(read) != len(form) or " ".join(form).format_map(fields).split()[1:] != words[1:]:
            raise InvalidValue(f"{' '.join(words)!r} must be written {cls.notation}")
        return cls(**{name: _FIELD_PARSERS[name](text) for name, text in fields.items()})

    def __str__(self) -> str:
        values = {name: getattr(self, name) for name in self.__struct_fields__}
        joined = {name: " ".join(map(str, value)) for name, value in values.items() if isinstance(value, tuple)}
        return (self.form or self.notation).format_map(values | joined)


class PlaceTile(Move, tag="lay", tag_field="do", frozen=True, kw_only=True):
    """Place a tile at an end of the line; without an end, at the only one it fits."""

    notation = "6-4 left"
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
        raise InvalidValue(f"no end {' '.join(words[1:])!r}; it is left or right")


class Pass(Move, tag="pass", tag_field="do", frozen=True, kw_only=True):
    """Pass without playing."""

    form = notation = "pass"


class TurnUp(Move, tag="turn_up", tag_field="do", frozen=True, kw_only=True):
    """Turn over the top tile of the boneyard as the lead."""

    form = notation = "turn-up"


class Draw(Move, tag="draw", tag_field="do", frozen=True, kw_only=True):
    """Take the top card of the stock."""

    form = notation = "draw"


class Meld(Move, tag="meld", tag_field="do", frozen=True, kw_only=True):
    """Put cards down as a new group."""

    form, notation = "meld {cards}", "meld KS KH 2D"
    cards: tuple[Card, ...]


class LayOff(Move, tag="layoff", tag_field="do", frozen=True, kw_only=True):
    """Add cards to a group on the table."""

    form, notation = "layoff {cards} on {group}", "layoff KD 2H on 3"
    cards: tuple[Card, ...]
    group: int


class TakeBack(Move, tag="take", tag_field="do", frozen=True, kw_only=True):
    """Take back a card put down this turn."""

    form, notation = "take {card} from {group}", "take 2D from 3"
    card: Card
    group: int


class MoveWild(Move, tag="move", tag_field="do", frozen=True, kw_only=True):
    """Move a wild card put down this turn to another group."""

    form, notation = "move {card} from {source} to {target}", "move 2D from 3 to 4"
    card: Card
    source: int
    target: int


class Discard(Move, tag="discard", tag_field="do", frozen=True, kw_only=True):
    """Put a card on the discard pile; that ends the turn."""

    form, notation = "discard {card}", "discard 7C"
    card: Card


class KeepLastCard(Move, tag="keep", tag_field="do", frozen=True, kw_only=True):
    """End the turn without a discard, keeping the last card."""

    form = notation = "keep"


def _parse_cards(text: str) -> tuple[Card, ...]:
    cards = tuple(Card.parse(word) for word in text.split())
    if not cards:
        raise InvalidValue("no cards are named")
    return cards


def _parse_count(word: str) -> int:
    number = parse_int(word)
    if number is None or number < 0:
        raise InvalidValue(f"{word!r} is not a whole number")
    return number


_VERBS = {"lay-off": "layoff"}
"""Other spellings of verbs."""
_FIELD_PARSERS: Mapping[str, Callable[[str], JsonValue]] = {
    "card": Card.parse, "cards": _parse_cards, "group": _parse_count, "source": _parse_count, "target": _parse_count,
}  # fmt: skip


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
