"""Lookup of pieces by id, in a fixed order and without duplicates."""

from __future__ import annotations

from typing import Protocol, TypeVar

from flicksim.core.errors import InvalidScene


class HasId(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """Id, unique in its scene."""


class HasMaterial(Protocol):
    """Anything with a material."""

    @property
    def material(self) -> str:
        """Name of the material."""


P = TypeVar("P", bound=HasId)


def find_piece(pieces: tuple[P, ...], name: str) -> P:
    """Find a piece by id.

    Raises:
        InvalidScene: there is none; lists those there are.
    """
    for piece in pieces:
        if piece.id == name:
            return piece
    ids = ", ".join(piece.id for piece in pieces) or "none"
    raise InvalidScene([f"no piece {name!r} on the table; pieces there: {ids}"])


def has_piece(pieces: tuple[HasId, ...], name: str) -> bool:
    """True if a piece has that id."""
    return any(piece.id == name for piece in pieces)


def add_or_replace(pieces: tuple[P, ...], piece: P) -> tuple[P, ...]:
    """Pieces with one added last, or replacing the one of the same id."""
    if has_piece(pieces, piece.id):
        return tuple(piece if old.id == piece.id else old for old in pieces)
    return (*pieces, piece)


def scene_repr(label: str, surface: HasMaterial, pieces: tuple[HasId, ...]) -> str:
    """Short representation of a scene; works for unvalidated values too."""
    names = [str(getattr(piece, "id", piece)) for piece in pieces or ()]
    some = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
    material = getattr(surface, "material", surface)
    return f"<{label} on {material}: {len(names)} pieces" + (f", {some}>" if some else ">")
