"""Decisions of card games as whole numbers: the same move has the same number whenever it may be made."""

from __future__ import annotations

from itertools import product
from operator import index
from typing import get_args
from zlib import crc32

import numpy as np
import numpy.typing as npt
from msgspec import inspect

from flicksim.base.codec import Word
from flicksim.base.errors import BadInput
from flicksim.base.kinds import Action, Given, Plain
from flicksim.lab.env.parts import faces
from flicksim.referee import Choices, Game

PLACES = 4096
"""Numbers for the moves of a game that has more than can be counted out."""


class Moves:
    """The numbers of a game's moves.

    Where every move can be counted out from the types of its fields (a tile, an end) each has a number of its own.
    Else, where a move may name any cards, its number comes from a checksum of how it is written, or is the next free
    one when two moves on offer share it: with 50 on offer that happens in about one decision of four, to one move.

    Args:
        game: which. size: how many numbers there are.
    """

    def __init__(self, game: Game) -> None:
        members = get_args(game.action) or (game.action,)
        written = [_written(kind) for kind in members]
        self._number: dict[str, int] | None = None
        if all(some is not None for some in written):
            self._number = {word: k for k, word in enumerate(word for some in written for word in some or ())}
        self.size = PLACES if self._number is None else len(self._number)

    def offered(self, choices: Choices) -> dict[int, Action]:
        """The moves that may be made now, by number."""
        if self._number is not None:
            return {self._number[str(action)]: action for action in choices.actions}
        found: dict[int, Action] = {}
        for word, action in sorted((str(action), action) for action in choices.actions):
            number = crc32(word.encode()) % PLACES
            while number in found:
                number = (number + 1) % PLACES
            found[number] = action
        return found

    def mask(self, offered: dict[int, Action]) -> npt.NDArray[np.int8]:
        """Numbers that may be chosen now. [size]"""
        found = np.zeros(self.size, dtype=np.int8)
        found[list(offered)] = 1
        return found


def pick(offered: dict[int, Action], action: Action) -> Action:
    """The move of a number.

    Raises:
        BadInput: it is not on offer, or no whole number; says what is.
    """
    try:
        number = index(action)
    except TypeError:
        number = -1
    if number not in offered:
        said = ", ".join(f"{k} ({action})" for k, action in sorted(offered.items())[:8])
        more = " and more" if len(offered) > 8 else ""
        raise BadInput(f"action {action} is not on offer now; there are {said or 'none'}{more}: see the action mask")
    return offered[number]


def _written(kind: Given) -> list[str] | None:
    """Every move of a kind as it is written; None when they cannot be counted out."""
    told = inspect.type_info(kind)
    assert isinstance(told, inspect.StructType)
    values = [_values(entry.type) for entry in told.fields]
    if any(some is None for some in values):
        return None
    names = [entry.name for entry in told.fields]
    return [str(kind(**dict(zip(names, one, strict=True)))) for one in product(*(some or [] for some in values))]


def _values(kind: inspect.Type) -> list[Plain] | None:
    """Every value of a type; None when there is no end of them."""
    match kind:
        case inspect.NoneType():
            return [None]
        case inspect.BoolType():
            return [False, True]
        case inspect.LiteralType(values=words):
            return list(words)
        case inspect.CustomType(cls=cls) if issubclass(cls, Word):
            return list(faces(cls))
        case inspect.UnionType(types=types):
            some = [_values(one) for one in types]
            return None if any(one is None for one in some) else [value for one in some for value in one or []]
    return None
