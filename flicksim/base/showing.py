"""The showing of values as pictures, by whoever paints here. Rooms above say who that is; this one asks them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Protocol, cast


class Picture(Protocol):
    """Something drawn: it shows itself in a notebook, and can be kept."""

    def save(self, path: str | PathLike[str]) -> Path:
        """Write it to a file."""


class Painter(Protocol):
    """Draws values."""

    def plot(
        self, shown: object, size: tuple[int, int] | None, seats: Sequence[str] | None, at: float | None
    ) -> Picture:
        """A picture."""

    def animate(
        self, shown: object, size: tuple[int, int] | None, seats: Sequence[str] | None, every: float
    ) -> Picture:
        """A moving picture."""

    def png(self, shown: object) -> bytes:
        """A picture as a PNG."""


_painter = ""


def painted_by(module: str) -> None:
    """Have values drawn by this module, which is loaded with the first picture."""
    global _painter
    _painter = module


def painter() -> Painter:
    """Whoever draws."""
    return cast(Painter, import_module(_painter))


class Shows:
    """A value that can be seen: in a notebook by itself, or by `plot`."""

    __slots__ = ()

    def shown_as(self) -> object:
        """The part of it that is drawn."""
        return self

    def plot(
        self, size: tuple[int, int] | None = None, seats: Sequence[str] | None = None, at: float | None = None
    ) -> Picture:
        """A picture of it, drawn without a window; `save("shot.png")` keeps it.

        Args:
            size: width and height [pixels]; as suits the table without. seats: names of the seats, which give colours.
            at: of what moves, as it is then [s]; at its end without.

        Raises:
            MissingExtra: Pillow is not installed (the extra `pictures`). BadInput: nothing of it can be drawn.
        """
        return painter().plot(self.shown_as(), size, seats, at)

    def _repr_png_(self) -> bytes | None:
        """A picture for notebooks; none where Pillow is not installed, or nothing can be drawn."""
        from flicksim.base.errors import (  # light to import as it is, this file is with the package
            BadInput,
            MissingExtra,
        )

        try:
            return painter().png(self.shown_as())
        except (MissingExtra, BadInput):
            return None


class Moves(Shows):
    """Something that moves, and can be seen moving."""

    __slots__ = ()

    def animate(
        self, size: tuple[int, int] | None = None, seats: Sequence[str] | None = None, every: float = 0.04
    ) -> Picture:
        """A moving picture of it, drawn without a window; `save("shot.gif")` keeps it.

        Args:
            size: width and height [pixels]. seats: names of the seats, which give colours. every: between pictures [s].

        Raises:
            MissingExtra: Pillow is not installed (the extra `pictures`). BadInput: nothing of it moves.
        """
        return painter().animate(self.shown_as(), size, seats, every)


class Account(Protocol):
    """A turn, as far as what moved in it goes."""

    @property
    def account(self) -> object: ...


class Moved:
    """All that moved in some turns: seen still it is the last, seen moving one after another."""

    def __init__(self, turns: Sequence[Account]) -> None:
        self._turns = turns

    def __iter__(self) -> Iterator[object]:
        return (turn.account for turn in self._turns if turn.account is not None)

    def last(self) -> object:
        """The last; None where nothing moved."""
        return next((turn.account for turn in reversed(self._turns) if turn.account is not None), None)
