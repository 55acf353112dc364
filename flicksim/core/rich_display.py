"""Rich display of values in notebooks (`_repr_png_`, `plot`, `animate`) by a renderer that a higher layer registers."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Protocol, cast

from flicksim.core.deprecation import renamed_keywords


class Picture(Protocol):
    """Image that shows itself in a notebook and can be saved."""

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the image to a file."""


class Renderer(Protocol):
    """Renderer of values as images."""

    def plot(
        self, value: object, size: tuple[int, int] | None, seats: Sequence[str] | None, time: float | None
    ) -> Picture:
        """Still image of a value."""

    def animate(
        self, value: object, size: tuple[int, int] | None, seats: Sequence[str] | None, frame_interval: float
    ) -> Picture:
        """Animation of a value."""

    def to_png(self, value: object) -> bytes:
        """Still image of a value, as the bytes of a PNG."""


_renderer_module = ""


def set_renderer(module: str) -> None:
    """Register the module that renders values; it is imported with the first image."""
    global _renderer_module
    _renderer_module = module


def get_renderer() -> Renderer:
    """Import and return the registered renderer."""
    return cast(Renderer, import_module(_renderer_module))


class Displayable:
    """Base of values that can be drawn: by a notebook, or by `plot`."""

    __slots__ = ()

    def display_value(self) -> object:
        """Value that is drawn in its place."""
        return self

    @renamed_keywords(at="time")
    def plot(
        self, size: tuple[int, int] | None = None, seats: Sequence[str] | None = None, time: float | None = None
    ) -> Picture:
        """Draw it as a still image, without a window; `save("shot.png")` writes it.

        Args:
            size: width and height [pixels]; None: as suits the table. seats: names of the seats, which give colours.
            time: time within a trajectory [s]; None: its end.

        Raises:
            MissingExtra: Pillow is not installed (the extra `pictures`). InvalidInput: it cannot be drawn.
        """
        return get_renderer().plot(self.display_value(), size, seats, time)

    def _repr_png_(self) -> bytes | None:
        """PNG for notebooks; None if Pillow is not installed or the value cannot be drawn."""
        from flicksim.core.errors import (  # imported late: this module is loaded with the package
            InvalidInput,
            MissingExtra,
        )

        try:
            return get_renderer().to_png(self.display_value())
        except (MissingExtra, InvalidInput):
            return None


class Animatable(Displayable):
    """Base of values that can be animated."""

    __slots__ = ()

    @renamed_keywords(every="frame_interval")
    def animate(
        self, size: tuple[int, int] | None = None, seats: Sequence[str] | None = None, frame_interval: float = 0.04
    ) -> Picture:
        """Draw it as an animation, without a window; `save("shot.gif")` writes it.

        Args:
            size: width and height [pixels]. seats: names of the seats, which give colours.
            frame_interval: time between frames [s].

        Raises:
            MissingExtra: Pillow is not installed (the extra `pictures`). InvalidInput: nothing in it moves.
        """
        return get_renderer().animate(self.display_value(), size, seats, frame_interval)


class HasResult(Protocol):
    """Anything with a simulation result, as a turn of a match."""

    @property
    def result(self) -> object: ...


class AnimationSequence:
    """Simulation results of several turns: drawn as the last one, animated one after another."""

    def __init__(self, turns: Sequence[HasResult]) -> None:
        self._turns = turns

    def __iter__(self) -> Iterator[object]:
        return (turn.result for turn in self._turns if turn.result is not None)

    def last(self) -> object:
        """Last result; None if nothing moved."""
        return next((turn.result for turn in reversed(self._turns) if turn.result is not None), None)
