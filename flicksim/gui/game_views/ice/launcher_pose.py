"""Pose of a launcher: where it is held, what sits on it, how it will be flicked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from flicksim.core.geometry import Point, clearance, wrap_angle
from flicksim.core.units import deg2rad, format_azimuth, mm, to_degrees, to_mm
from flicksim.gui.game_view_kit.sliders import attribute_slider
from flicksim.gui.toolkit.numeric_slider import SliderSpec
from flicksim.scene import BASE_HEIGHT_RANGE, SIZES, STRIKE_ELEVATION_RANGE, STRIKE_HEIGHT_RANGE, Launch, Size

SPEED_RANGE = (1.0, 6.0)
"""Range of flick speeds [m/s]: below it the missile stays on the tip, above it the missile clears the table."""
MAX_TURN = deg2rad(80.0)
"""Largest angle of the aim to either side."""
_DEFAULT_SPEED: dict[Size, float] = {"small": 2.9, "medium": 3.5, "large": 4.4}
"""Flick speeds by size that bring a missile towards the middle of a usual table [m/s]."""


@dataclass(frozen=True, slots=True)
class LauncherPlace:
    """Place of a seat at the table.

    Args:
        center: of its stash area [m]. forward: direction towards its table [rad]. half_width: range of the launcher
            along its line to either side [m]. area: its stash area [m].
    """

    center: Point
    forward: float
    half_width: float
    area: tuple[Point, ...]


def launcher_place(area: Sequence[Point], position: Point, direction: float) -> LauncherPlace:
    """Place of a seat from its stash area, the centre of it and the direction into the table."""
    along = (sin(direction), -cos(direction))
    height = 0.0
    while height < 0.6 and all(
        clearance((position[0] + k * (height + 0.01) * along[0], position[1] + k * (height + 0.01) * along[1]), area)
        > mm(15.0)
        for k in (-1, 1)
    ):
        height += 0.01
    return LauncherPlace(position, direction, height, tuple(area))


class LauncherPose:
    """Launcher pose and aim of one seat.

    Args:
        seat: its index. place: its place at the table.
    """

    def __init__(self, seat: int, place: LauncherPlace) -> None:
        self.seat, self.place = seat, place
        self.size: Size = "medium"
        self.reset()

    def reset(self) -> None:
        """Reset pose and aim."""
        self.aim_offset = 0.0
        """Angle to the left of straight ahead [rad]."""
        self.lateral_offset = 0.0
        """Offset of the launcher to the right of the middle of its line [m]."""
        self.speed = _DEFAULT_SPEED[self.size]
        self.height, self.slant, self.lift = mm(4.0), deg2rad(65.0), mm(80.0)
        self.is_speed_set = False
        """True once the player has set the speed; another size then scales it relative to the default."""

    @property
    def azimuth(self) -> float:
        """Direction of the strike [rad]."""
        return wrap_angle(self.place.forward + self.aim_offset)

    @property
    def position(self) -> Point:
        """Position of the launcher [m]."""
        x, y = self.place.center
        right = self.place.forward - pi / 2.0
        return (x + self.lateral_offset * cos(right), y + self.lateral_offset * sin(right))

    @property
    def strength(self) -> float:
        """Speed as a share of the greatest."""
        return min(max((self.speed - SPEED_RANGE[0]) / (SPEED_RANGE[1] - SPEED_RANGE[0]), 0.0), 1.0)

    def make_launch(self, piece: str, time: float | None = None) -> Launch:
        """Launch with this pose."""
        return Launch(
            piece=piece, size=self.size, hold=self.position, azimuth=self.azimuth, speed=self.speed, height=self.height,
            slant=self.slant, lift=self.lift, owner=self.seat, time=time,
        )  # fmt: skip

    def set_size(self, size: Size) -> None:
        """Change the size of the missile; a speed set by the player keeps its ratio to the default."""
        if size != self.size:
            share = self.speed / _DEFAULT_SPEED[self.size] if self.is_speed_set else 1.0
            self.speed = min(max(_DEFAULT_SPEED[size] * share, SPEED_RANGE[0]), SPEED_RANGE[1])
        self.size = size

    def next_size(self, remaining: dict[Size, int]) -> None:
        """Select the next size that is in hand."""
        order = [*SIZES[SIZES.index(self.size) + 1 :], *SIZES[: SIZES.index(self.size) + 1]]
        size = next((size for size in order if remaining.get(size, 0) > 0), None)
        if size is not None:
            self.set_size(size)

    def rotate(self, angle: float) -> None:
        """Turn the aim by an angle [rad]."""
        self.aim_offset = min(max(self.aim_offset + angle, -MAX_TURN), MAX_TURN)

    def change_speed(self, delta: float) -> None:
        """Change the speed [m/s]."""
        self.speed = min(max(self.speed + delta, SPEED_RANGE[0]), SPEED_RANGE[1])
        self.is_speed_set = True

    def set_strength(self, fraction: float) -> None:
        """Set the speed to a share of the greatest, 0 to 1."""
        self.speed = SPEED_RANGE[0] + (SPEED_RANGE[1] - SPEED_RANGE[0]) * min(max(fraction, 0.0), 1.0)
        self.is_speed_set = True

    def move(self, distance: float) -> None:
        """Move the launcher to the right [m]."""
        self.lateral_offset = min(max(self.lateral_offset + distance, -self.place.half_width), self.place.half_width)

    def copy_launch(self, launch: Launch) -> None:
        """Copy the pose of another launch (a hint)."""
        x, y = self.place.center
        right = self.place.forward - pi / 2.0
        self.set_size(launch.size)
        self.move((launch.hold[0] - x) * cos(right) + (launch.hold[1] - y) * sin(right) - self.lateral_offset)
        self.aim_offset = wrap_angle(launch.azimuth - self.place.forward)
        self.speed, self.height, self.slant, self.lift = launch.speed, launch.height, launch.slant, launch.lift


def _side_text(value: float, zero: str, left: str, right: str) -> str:
    return zero if abs(value) < 0.05 else f"{abs(value):.1f}{left if value > 0.0 else right}"


def _set_speed(pose: LauncherPose, value: float) -> None:
    pose.speed, pose.is_speed_set = round(value, 6), True


def _set_aim_offset(pose: LauncherPose, value: float) -> None:
    pose.aim_offset = min(max(round(-value, 6), -MAX_TURN), MAX_TURN)


SLIDERS = (
    SliderSpec("strength", "↑ ↓", *SPEED_RANGE, 0.05, lambda pose: pose.speed, _set_speed,
               lambda _, v: f"{v:.2f} m/s", is_highlighted=True),
    SliderSpec("way", "← →", -MAX_TURN, MAX_TURN, deg2rad(1.0), lambda pose: -pose.aim_offset, _set_aim_offset,
               lambda pose, v: "ahead" if abs(v) < deg2rad(0.05) else f"{format_azimuth(pose.azimuth)}°"),
    SliderSpec("held", "A D", -0.3, 0.3, mm(5.0), lambda pose: pose.lateral_offset,
               lambda pose, v: pose.move(v - pose.lateral_offset),
               lambda _, v: _side_text(-to_mm(v), "middle", " left", " right")),
    attribute_slider("slant", "W S", STRIKE_ELEVATION_RANGE, deg2rad(1.0), "slant",
                     lambda v: f"{to_degrees(v):.0f}° up", is_clamped=True),
    attribute_slider("nail at", "Q E", STRIKE_HEIGHT_RANGE, mm(0.5), "height", lambda v: f"{to_mm(v):.1f} mm",
                     is_clamped=True),
    attribute_slider("lifted", "[ ]", BASE_HEIGHT_RANGE, mm(5.0), "lift", lambda v: f"{to_mm(v):.0f} mm",
                     is_clamped=True),
)  # fmt: skip
"""Sliders of a launch."""
