"""Base of scenes: pieces in a fixed order, without duplicate ids, looked up and replaced by id."""

from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, Self, TypeVar

import msgspec

from flicksim.core.errors import InvalidScene
from flicksim.core.rich_display import Displayable
from flicksim.scene.surface import Surface


class HasId(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """Id, unique in its scene."""


P = TypeVar("P", bound=HasId)


class PieceScene(Displayable, Generic[P]):
    """Base of a surface with pieces on it. Subclasses have the fields `surface` and `pieces`."""

    __slots__ = ()
    label: ClassVar[str]
    if TYPE_CHECKING:
        surface: Surface
        pieces: tuple[P, ...]

    def __repr__(self) -> str:
        names = [str(getattr(piece, "id", piece)) for piece in self.pieces or ()]  # also of unvalidated values
        some = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
        material = getattr(self.surface, "material", self.surface)
        return f"<{self.label} on {material}: {len(names)} pieces" + (f", {some}>" if some else ">")

    def piece(self, name: str) -> P:
        """Find a piece by id.

        Raises:
            InvalidScene: there is none; lists those there are.
        """
        for piece in self.pieces:
            if piece.id == name:
                return piece
        ids = ", ".join(piece.id for piece in self.pieces) or "none"
        raise InvalidScene([f"no piece {name!r} on the table; pieces there: {ids}"])

    def has(self, name: str) -> bool:
        """True if a piece of that id is in the scene."""
        return any(piece.id == name for piece in self.pieces)

    def with_piece(self, piece: P) -> Self:
        """Copy with a piece added last, or replacing the one of the same id."""
        pieces = tuple(piece if old.id == piece.id else old for old in self.pieces)
        if not self.has(piece.id):
            pieces = (*pieces, piece)
        return msgspec.structs.replace(self, pieces=pieces)  # type: ignore[type-var]

    def problems(self) -> list[str]:
        """List everything wrong with the scene, one sentence each; empty for a valid scene."""
        raise NotImplementedError

    def validated(self) -> Self:
        """Return the scene itself if it is valid.

        Raises:
            InvalidScene: it is not; lists all problems.
        """
        if messages := self.problems():
            raise InvalidScene(messages)
        return self
