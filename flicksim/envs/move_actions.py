"""Discrete action space of card games: every move has a fixed number."""

from itertools import product
from operator import index
from typing import get_args
from zlib import crc32

import numpy as np
import numpy.typing as npt
from msgspec import inspect

from flicksim.core.errors import InvalidInput
from flicksim.core.serialization import StringValue
from flicksim.core.type_aliases import Action, JsonValue, Unchecked
from flicksim.envs.features import card_faces
from flicksim.referee import Game, LegalActions

HASHED_MOVES = 4096
"""Size of the action space of a game whose moves cannot be enumerated."""


class MoveActionSpace:
    """Discrete action space of a card game.

    Where all moves can be enumerated from the types of their fields (a tile, an end) each has its own number. Else,
    where a move may name any cards, its number is the CRC-32 of its notation, or the next free one when two legal moves
    share it: with 50 legal moves that happens in about one decision of four, to one move.

    Args:
        game: the game.

    Attributes:
        size: number of actions.
    """

    def __init__(self, game: Game) -> None:
        members = get_args(game.action) or (game.action,)
        notations = [_enumerate_moves(kind) for kind in members]
        self._number: dict[str, int] | None = None
        if all(some is not None for some in notations):
            self._number = {word: k for k, word in enumerate(word for some in notations for word in some or ())}
        self.size = HASHED_MOVES if self._number is None else len(self._number)

    def legal_moves(self, choices: LegalActions) -> dict[int, Action]:
        """Legal moves by number."""
        if self._number is not None:
            return {self._number[str(action)]: action for action in choices.actions}
        moves: dict[int, Action] = {}
        for notation, action in sorted((str(action), action) for action in choices.actions):
            number = crc32(notation.encode()) % HASHED_MOVES
            while number in moves:
                number = (number + 1) % HASHED_MOVES
            moves[number] = action
        return moves

    def action_mask(self, legal_moves: dict[int, Action]) -> npt.NDArray[np.int8]:
        """Mask of the legal moves. [size]"""
        mask = np.zeros(self.size, dtype=np.int8)
        mask[list(legal_moves)] = 1
        return mask


def decode_move(legal_moves: dict[int, Action], action: Action) -> Action:
    """Decode a move by its number.

    Raises:
        InvalidInput: it is not legal, or no whole number; lists the legal ones.
    """
    try:
        number = index(action)
    except TypeError:
        number = -1
    if number not in legal_moves:
        listed = ", ".join(f"{k} ({action})" for k, action in sorted(legal_moves.items())[:8])
        more = " and more" if len(legal_moves) > 8 else ""
        raise InvalidInput(f"action {action} is not legal now; there are {listed or 'none'}{more}: see the action mask")
    return legal_moves[number]


def _enumerate_moves(kind: Unchecked) -> list[str] | None:
    """Notation of every move of a kind; None if they cannot be enumerated."""
    struct_type = inspect.type_info(kind)
    assert isinstance(struct_type, inspect.StructType)
    values = [_enumerate_values(entry.type) for entry in struct_type.fields]
    if any(choices is None for choices in values):
        return None
    names = [entry.name for entry in struct_type.fields]
    return [str(kind(**dict(zip(names, one, strict=True)))) for one in product(*(choices or [] for choices in values))]


def _enumerate_values(kind: inspect.Type) -> list[JsonValue] | None:
    """Every value of a type; None if they cannot be enumerated."""
    match kind:
        case inspect.NoneType():
            return [None]
        case inspect.BoolType():
            return [False, True]
        case inspect.LiteralType(values=words):
            return list(words)
        case inspect.CustomType(cls=cls) if issubclass(cls, StringValue):
            return list(card_faces(cls))
        case inspect.UnionType(types=types):
            some = [_enumerate_values(one) for one in types]
            return None if any(one is None for one in some) else [value for one in some for value in one or []]
    return None
