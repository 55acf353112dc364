"""Pictures as notebooks and files take them: a PNG of anything, a GIF of what moves."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from itertools import chain
from os import PathLike
from pathlib import Path

from flicksim.base.asked import number, path_of
from flicksim.base.asked import shown as said
from flicksim.base.errors import BadFile, BadInput
from flicksim.base.files import write_aside
from flicksim.base.kinds import Given
from flicksim.base.showing import Moved
from flicksim.drawing import brush
from flicksim.drawing.marks import Drawing
from flicksim.drawing.scenes import SEATS_SHOWN, frames, picture
from flicksim.table import Landing, Landings, Motion, PyramidScene, Scene

_SMALL = {True: (400, 540), False: (640, 480)}
"""Width and height of moving pictures, of upright tables and others [pixels]."""


class Still:
    """A picture. It shows itself in a notebook; `save` keeps it as a PNG, `image` is Pillow's."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing

    def image(self) -> Given:
        """The same as an image of Pillow's."""
        return brush.painted(self.drawing)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write a PNG.

        Raises:
            BadFile: it cannot be called so, or not be written.
        """
        return brush.save(self.drawing, path_of(path, "the picture"))

    def _repr_png_(self) -> bytes:
        return brush.png(self.drawing)

    def __repr__(self) -> str:
        return f"<picture of {self.drawing.size[0]} x {self.drawing.size[1]} pixels>"


class Film:
    """A moving picture. It shows itself in a notebook; `save` keeps it as a GIF."""

    def __init__(self, drawings: Sequence[Drawing], every: float) -> None:
        self.drawings, self._every = drawings, every

    def gif(self) -> bytes:
        """The same as the bytes of a GIF."""
        return brush.gif(self.drawings, self._every)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write a GIF.

        Raises:
            BadFile: it cannot be called so, or not be written.
        """
        file = path_of(path, "the moving picture")
        if file.suffix.lower() != ".gif":
            raise BadFile(f"the moving picture {str(file)!r} must be called something.gif")
        write_aside(file, self.gif())
        return file

    def _repr_html_(self) -> str:
        return f'<img src="data:image/gif;base64,{b64encode(self.gif()).decode()}">'

    def __repr__(self) -> str:
        return f"<moving picture of {len(self.drawings)} pictures>"


def plot(shown: object, size: tuple[int, int] | None, seats: Sequence[str] | None, at: float | None) -> Still:
    """A picture of a table, or of what moved there."""
    if at is not None and not number(at):
        raise BadInput(f"at cannot be {said(at)}; it is a time [s]")
    return Still(_drawn(shown, _size(size), seats or SEATS_SHOWN, at))


def png(shown: object) -> bytes:
    """The same as a PNG."""
    return brush.png(_drawn(shown, None, SEATS_SHOWN, None))


def animate(shown: object, size: tuple[int, int] | None, seats: Sequence[str] | None, every: float) -> Film:
    """Pictures of what moved, from beginning to end; of several, one after another."""
    if not number(every) or not 0.005 <= every <= 10.0:
        raise BadInput(f"every cannot be {said(every)}; it is a time between pictures, 0.005 to 10 s")
    parts = list(shown) if isinstance(shown, Moved) else [shown]
    moved = [one for one in parts if isinstance(one, Motion | Landing | Landings)]
    if not moved:
        raise BadInput("nothing of it moves that could be shown")
    surface = moved[0].before.surface
    upright = surface.pot is None
    asked = _size(size) or _SMALL[upright]
    drawn = chain.from_iterable(frames(one, asked, seats or SEATS_SHOWN, every) for one in moved)
    return Film(list(drawn), every)


def _drawn(shown: object, size: tuple[int, int] | None, seats: Sequence[str], at: float | None) -> Drawing:
    if isinstance(shown, Moved):
        shown = shown.last()
    if not isinstance(shown, Scene | PyramidScene | Motion | Landing | Landings):
        raise BadInput(f"nothing can be drawn of {said(shown)}; tables and what moves on them can")
    return picture(shown, size, seats, at)


def _size(given: object) -> tuple[int, int] | None:
    if given is None:
        return None
    match given:
        case (int(width), int(height)) if 50 <= width <= 10_000 and 50 <= height <= 10_000:
            return (width, height)
    raise BadInput(f"size {given!r} must be width and height, two whole numbers of pixels, 50 to 10000")
