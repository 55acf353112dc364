"""Images for notebooks and files: a PNG of any value, a GIF of any trajectory."""

from base64 import b64encode
from collections.abc import Sequence
from itertools import chain
from os import PathLike
from pathlib import Path

from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import InvalidFile, InvalidInput
from flicksim.core.rich_display import AnimationSequence
from flicksim.core.type_aliases import Unchecked
from flicksim.core.validation import as_path, is_real_number, short_repr
from flicksim.render import pillow_backend
from flicksim.render.display_list import DisplayList
from flicksim.render.scenes import DEFAULT_SEAT_NAMES, draw, draw_frames
from flicksim.scene import LaunchTrajectory, PyramidScene, Scene, Trajectory, VolleyTrajectory

_ANIMATION_SIZE = {True: (400, 540), False: (640, 480)}
"""Width and height of animations, of upright tables and others [pixels]."""


class StillImage:
    """Still image. It shows itself in a notebook; `save` writes a PNG, `image` makes a Pillow image."""

    def __init__(self, drawing: DisplayList) -> None:
        self.drawing = drawing

    def image(self) -> Unchecked:
        """Paint it as a Pillow image."""
        return pillow_backend.render_image(self.drawing)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write it to a PNG file.

        Raises:
            InvalidFile: the path does not end in .png, or cannot be written.
        """
        return pillow_backend.save_png(self.drawing, as_path(path, "the picture"))

    def _repr_png_(self) -> bytes:
        return pillow_backend.to_png(self.drawing)

    def __repr__(self) -> str:
        return f"<picture of {self.drawing.size[0]} x {self.drawing.size[1]} pixels>"


class Animation:
    """Animation. It shows itself in a notebook; `save` writes a GIF."""

    def __init__(self, drawings: Sequence[DisplayList], frame_interval: float) -> None:
        self.drawings, self._frame_interval = drawings, frame_interval

    def gif(self) -> bytes:
        """Paint it as the bytes of a GIF."""
        return pillow_backend.to_gif(self.drawings, self._frame_interval)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write it to a GIF file.

        Raises:
            InvalidFile: the path does not end in .gif, or cannot be written.
        """
        file = as_path(path, "the moving picture")
        if file.suffix.lower() != ".gif":
            raise InvalidFile(f"the moving picture {str(file)!r} must be called something.gif")
        write_atomic(file, self.gif())
        return file

    def _repr_html_(self) -> str:
        return f'<img src="data:image/gif;base64,{b64encode(self.gif()).decode()}">'

    def __repr__(self) -> str:
        return f"<moving picture of {len(self.drawings)} pictures>"


def plot(value: object, size: tuple[int, int] | None, seats: Sequence[str] | None, time: float | None) -> StillImage:
    """Draw a scene or a trajectory as a still image."""
    if time is not None and not is_real_number(time):
        raise InvalidInput(f"time cannot be {short_repr(time)}; it is a time [s]")
    return StillImage(_to_display_list(value, _check_size(size), seats or DEFAULT_SEAT_NAMES, time))


def to_png(value: object) -> bytes:
    """Draw a scene or a trajectory as the bytes of a PNG."""
    return pillow_backend.to_png(_to_display_list(value, None, DEFAULT_SEAT_NAMES, None))


def animate(
    value: object, size: tuple[int, int] | None, seats: Sequence[str] | None, frame_interval: float
) -> Animation:
    """Draw a trajectory, or several in a row, as an animation."""
    if not is_real_number(frame_interval) or not 0.005 <= frame_interval <= 10.0:
        raise InvalidInput(
            f"frame_interval cannot be {short_repr(frame_interval)}; it is a time between pictures, 0.005 to 10 s"
        )
    values = list(value) if isinstance(value, AnimationSequence) else [value]
    trajectories = [
        trajectory for trajectory in values if isinstance(trajectory, Trajectory | LaunchTrajectory | VolleyTrajectory)
    ]
    if not trajectories:
        raise InvalidInput("nothing of it moves that could be shown")
    surface = trajectories[0].before.surface
    upright = surface.pot is None
    image_size = _check_size(size) or _ANIMATION_SIZE[upright]
    frames = chain.from_iterable(
        draw_frames(trajectory, image_size, seats or DEFAULT_SEAT_NAMES, frame_interval) for trajectory in trajectories
    )
    return Animation(list(frames), frame_interval)


def _to_display_list(
    value: object, size: tuple[int, int] | None, seats: Sequence[str], time: float | None
) -> DisplayList:
    if isinstance(value, AnimationSequence):
        value = value.last()
    if not isinstance(value, Scene | PyramidScene | Trajectory | LaunchTrajectory | VolleyTrajectory):
        raise InvalidInput(f"nothing can be drawn of {short_repr(value)}; tables and what moves on them can")
    return draw(value, size, seats, time)


def _check_size(size: object) -> tuple[int, int] | None:
    if size is None:
        return None
    match size:
        case (int(width), int(height)) if 50 <= width <= 10_000 and 50 <= height <= 10_000:
            return (width, height)
    raise InvalidInput(f"size {size!r} must be width and height, two whole numbers of pixels, 50 to 10000")
