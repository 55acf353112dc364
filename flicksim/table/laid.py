"""Pieces by name, on any table: they lie in one fixed order, and no two share an id."""

from __future__ import annotations

from typing import Protocol, TypeVar

from flicksim.base.errors import BadScene


class Named(Protocol):
    """Anything that lies on a table under a name."""

    @property
    def id(self) -> str:
        """Its name."""


class Made(Protocol):
    """The makings of a table."""

    @property
    def material(self) -> str:
        """Its name."""


P = TypeVar("P", bound=Named)


def named(pieces: tuple[P, ...], name: str) -> P:
    """The piece of that id.

    Raises:
        BadScene: there is none; lists those there are.
    """
    for piece in pieces:
        if piece.id == name:
            return piece
    there = ", ".join(piece.id for piece in pieces) or "none"
    raise BadScene([f"no piece {name!r} on the table; pieces there: {there}"])


def holds(pieces: tuple[Named, ...], name: str) -> bool:
    """True where a piece of that id is among them."""
    return any(piece.id == name for piece in pieces)


def laid(pieces: tuple[P, ...], piece: P) -> tuple[P, ...]:
    """All of them with this one added last, or put in the place of its namesake."""
    if holds(pieces, piece.id):
        return tuple(piece if old.id == piece.id else old for old in pieces)
    return (*pieces, piece)


def described(what: str, surface: Made, pieces: tuple[Named, ...]) -> str:
    """A table in a few words, whatever it was made from in Python."""
    names = [str(getattr(piece, "id", piece)) for piece in pieces or ()]
    some = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
    material = getattr(surface, "material", surface)
    return f"<{what} on {material}: {len(names)} pieces" + (f", {some}>" if some else ">")
