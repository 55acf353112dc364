"""Aim of a flick: values only, changed by keys, sliders and drags."""

from collections.abc import Callable, Iterable, Sequence
from math import atan2, dist, hypot

import msgspec

from flicksim.core.geometry import Point, is_inside_convex, wrap_angle
from flicksim.core.type_aliases import Action
from flicksim.core.units import GRAVITY
from flicksim.gui.toolkit.numeric_slider import AimT, SliderSpec
from flicksim.referee import MAX_NAIL_OFFSET, MIN_FLICK_SPEED, FlickRange
from flicksim.scene import DEFAULT_PAIRINGS, Flick, Piece, Surface

_DEAD_ZONE, FULL_PULL = 10.0, 300.0
"""Length below which a pull is ignored, and that of the strongest pull [units]."""


class AimBase:
    """Base class of aims: a shot and its start.

    Args:
        flick_range: the legal pieces, starts and directions.
        start: initial position of the piece [m]; None where it lies on the table.
        piece: that is struck.
    """

    speed: float

    def __init__(self, flick_range: FlickRange, start: Point | None, piece: Piece) -> None:
        self.flick_range, self.start, self.piece = flick_range, start, piece
        self.azimuth = (flick_range.azimuth[0] + flick_range.azimuth[1]) / 2.0

    @property
    def shot(self) -> Action:
        """Shot of the present aim."""
        raise NotImplementedError

    def copy_shot(self, shot: Action) -> None:
        """Copy the aim of a shot of the same piece."""
        raise NotImplementedError

    @property
    def contact_point(self) -> Point:
        """Point at which the piece is struck [m]."""
        return self.start or self.piece.position

    @property
    def piece_at_start(self) -> Piece:
        """Piece at the contact point."""
        return msgspec.structs.replace(self.piece, x=self.contact_point[0], y=self.contact_point[1])

    @property
    def rounded_start(self) -> Point | None:
        """Start of the shot, rounded to the nanometre [m]; None where the piece lies on the table."""
        return None if self.start is None else (round(self.start[0], 9), round(self.start[1], 9))

    @property
    def pulled(self) -> tuple[float, float]:
        """Direction [rad] and speed [m/s], which a pull of the mouse changes."""
        return self.azimuth, self.speed

    @pulled.setter
    def pulled(self, before: tuple[float, float]) -> None:
        self.azimuth, self.speed = before

    def rotate(self, angle: float) -> None:
        """Rotate the direction by an angle [rad], positive to the left."""
        self.azimuth = wrap_angle(self.azimuth + angle)

    def move_start(self, dx: float, dy: float) -> None:
        """Move the start [m], within its region."""
        if self.start is not None:
            self.set_start((self.start[0] + dx, self.start[1] + dy))

    def set_start(self, point: Point) -> None:
        """Set the start to the point of its region nearest to this one."""
        if self.start is not None:
            self.start = nearest_point(point, self.flick_range.start)


class Aim(AimBase):
    """Aim of a flick.

    Args:
        flick_range, start, piece: see `AimBase`. speed: initial value [m/s].
    """

    def __init__(self, flick_range: FlickRange, start: Point | None, piece: Piece, speed: float) -> None:
        super().__init__(flick_range, start, piece)
        self.speed = min(max(speed, MIN_FLICK_SPEED), flick_range.speed[1])
        self.offset = 0.0

    @property
    def shot(self) -> Flick:
        piece, offset = self.flick_range.piece, round(self.offset, 6)
        return Flick(piece=piece, speed=self.speed, azimuth=self.azimuth, offset=offset, start=self.rounded_start)

    def copy_shot(self, shot: Flick) -> None:
        if shot.start is not None:
            self.set_start(shot.start)
        self.azimuth, self.speed, self.offset = shot.azimuth, shot.speed, shot.offset

    def change_speed(self, delta: float) -> None:
        """Change the speed by an amount [m/s]."""
        self.speed = min(max(round(self.speed + delta, 6), MIN_FLICK_SPEED), self.flick_range.speed[1])

    def change_offset(self, delta: float) -> None:
        """Move the nail to the left by an amount [radii]."""
        self.offset = min(max(round(self.offset + delta, 6), -MAX_NAIL_OFFSET), MAX_NAIL_OFFSET)


def middle_of(points: Sequence[Point]) -> Point:
    """Mean of points [m]."""
    return (sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points))


def nearest_point(point: Point, polygon: tuple[Point, ...]) -> Point:
    """Nearest point of a convex counter-clockwise polygon to a point [m]."""
    if not polygon or is_inside_convex(point, polygon):
        return point

    def on_edge(a: Point, b: Point) -> Point:
        ex, ey = b[0] - a[0], b[1] - a[1]
        fraction = min(max(((point[0] - a[0]) * ex + (point[1] - a[1]) * ey) / (ex * ex + ey * ey), 0.0), 1.0)
        return (a[0] + fraction * ex, a[1] + fraction * ey)

    return min((on_edge(polygon[i - 1], polygon[i]) for i in range(len(polygon))), key=lambda at: dist(at, point))


def pull_vector(
    start: Point, end: Point, scale: float, rotation: float = 0.0, full_pull: float = FULL_PULL
) -> tuple[float, float] | None:
    """Direction [rad] and strength, from 0 to 1, of a pull of the mouse; None if it is too short.

    Args:
        start, end: on the screen [pixels]. scale: pixels a unit. rotation: of the table on the screen [rad].
            full_pull: length of the strongest pull [units].
    """
    dx, dy = start[0] - end[0], start[1] - end[1]
    length = hypot(dx, dy) / scale
    if length <= _DEAD_ZONE:
        return None
    return wrap_angle(atan2(-dy, dx) - rotation), min((length - _DEAD_ZONE) / (full_pull - _DEAD_ZONE), 1.0)


def friction_deceleration(piece: Piece, surface: Surface) -> float:
    """Deceleration of a piece sliding on a surface [m/s^2]."""
    return DEFAULT_PAIRINGS.lookup(piece.material, surface.material).friction * GRAVITY


def attribute_slider(
    name: str, keys: str, bar: tuple[float, float], step: float, attribute: str, text: Callable[[float], str], *,
    command: str, sign: int = 1, limits: tuple[float, float] | None = None, is_highlighted: bool = False,
) -> SliderSpec:  # fmt: skip
    """Slider of an attribute of an aim, rounded to six digits.

    Args:
        name, keys, step, command, sign, is_highlighted: see `SliderSpec`. bar: its ends. attribute: of the aim. text:
            the value as text. limits: of the attribute; by default the ends of the bar.
    """
    low, high = limits or bar

    def set_value(aim: AimT, value: float) -> None:
        setattr(aim, attribute, min(max(round(value, 6), low), high))

    return SliderSpec(
        name, keys, *bar, step, lambda aim: getattr(aim, attribute), set_value, lambda _, value: text(value),
        is_highlighted, command, sign,
    )  # fmt: skip


def change_by_key(specs: Iterable[SliderSpec], aim: AimT, command: str, steps: float) -> bool:
    """Change the number of a key's command by steps of a key press; return False if none has that command."""
    spec = next((spec for spec in specs if command and spec.command == command), None)
    if spec is not None:
        spec.set(aim, spec.get(aim) + spec.sign * spec.step * steps)
    return spec is not None
