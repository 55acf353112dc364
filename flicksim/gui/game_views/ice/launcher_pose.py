"""Pose of a launcher: where it is held, what sits on it, how it will be flicked."""

from dataclasses import dataclass
from math import cos, pi, sin

from flicksim.core.geometry import Point, clearance, wrap_angle
from flicksim.core.units import deg2rad, format_azimuth, mm, to_degrees, to_mm
from flicksim.games.ice.table_layout import SeatArea
from flicksim.gui.table_view import attribute_slider
from flicksim.gui.toolkit import SliderSpec
from flicksim.referee import LAUNCH_SPEED_RANGE, MAX_LAUNCH_TURN
from flicksim.scene import BASE_HEIGHT_RANGE, SIZES, STRIKE_ELEVATION_RANGE, STRIKE_HEIGHT_RANGE, Launch, Size

_DEFAULT_SPEED: dict[Size, float] = {"small": 2.9, "medium": 3.5, "large": 4.4}
"""Flick speeds by size that bring a missile towards the middle of a usual table [m/s]."""


@dataclass(frozen=True, slots=True)
class LauncherPlace:
    """Place of a seat at the table.

    Args:
        center: of its stash area [m]. forward: direction towards its table [rad]. half_width: range of the launcher
            along its line to either side [m].
    """

    center: Point
    forward: float
    half_width: float


def launcher_place(area: SeatArea) -> LauncherPlace:
    """Place of a seat, so wide that the launcher stays over the stash area."""
    (x, y), dx, dy = area.default_hold, sin(area.facing), -cos(area.facing)
    width = 0.0
    while width < 0.6 and all(
        clearance((x + side * (width + 0.01) * dx, y + side * (width + 0.01) * dy), area.stash) > mm(15.0)
        for side in (-1, 1)
    ):
        width += 0.01
    return LauncherPlace(area.default_hold, area.facing, width)


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
        self._speed = _DEFAULT_SPEED[self.size]
        self.height, self.slant, self.lift = mm(4.0), deg2rad(65.0), mm(80.0)
        self.is_speed_set = False
        """True once the player has set the speed; another size then scales it relative to the default."""

    @property
    def azimuth(self) -> float:
        """Direction of the strike [rad], limited to `MAX_LAUNCH_TURN` from straight ahead."""
        return wrap_angle(self.place.forward + self.aim_offset)

    @azimuth.setter
    def azimuth(self, value: float) -> None:
        self.aim_offset = 0.0
        self.rotate(wrap_angle(value - self.place.forward))

    @property
    def speed(self) -> float:
        """Speed of the flick [m/s], limited to `LAUNCH_SPEED_RANGE`."""
        return self._speed

    @speed.setter
    def speed(self, value: float) -> None:
        self._speed, self.is_speed_set = min(max(value, LAUNCH_SPEED_RANGE[0]), LAUNCH_SPEED_RANGE[1]), True

    @property
    def pulled(self) -> tuple[float, float, bool]:
        """Angle [rad] and speed [m/s], which a pull of the mouse changes, and True if the player had set the speed."""
        return self.aim_offset, self._speed, self.is_speed_set

    @pulled.setter
    def pulled(self, before: tuple[float, float, bool]) -> None:
        self.aim_offset, self._speed, self.is_speed_set = before

    @property
    def position(self) -> Point:
        """Position of the launcher [m]."""
        x, y = self.place.center
        right = self.place.forward - pi / 2.0
        return (x + self.lateral_offset * cos(right), y + self.lateral_offset * sin(right))

    @property
    def strength(self) -> float:
        """Speed as a share of the greatest."""
        low, high = LAUNCH_SPEED_RANGE
        return min(max((self._speed - low) / (high - low), 0.0), 1.0)

    def make_launch(self, piece: str, time: float | None = None) -> Launch:
        """Launch with this pose."""
        return Launch(
            piece=piece, size=self.size, hold=self.position, azimuth=self.azimuth, speed=self.speed, height=self.height,
            slant=self.slant, lift=self.lift, owner=self.seat, time=time,
        )  # fmt: skip

    def set_size(self, size: Size) -> None:
        """Change the size of the missile; a speed set by the player keeps its ratio to the default."""
        if size != self.size:
            share = self._speed / _DEFAULT_SPEED[self.size] if self.is_speed_set else 1.0
            self._speed = min(max(_DEFAULT_SPEED[size] * share, LAUNCH_SPEED_RANGE[0]), LAUNCH_SPEED_RANGE[1])
        self.size = size

    def next_size(self, remaining: dict[Size, int]) -> None:
        """Select the next size that is in hand."""
        order = [*SIZES[SIZES.index(self.size) + 1 :], *SIZES[: SIZES.index(self.size) + 1]]
        self.set_size(next((size for size in order if remaining.get(size, 0) > 0), self.size))

    def rotate(self, angle: float) -> None:
        """Turn the aim by an angle [rad]."""
        self.aim_offset = min(max(self.aim_offset + angle, -MAX_LAUNCH_TURN), MAX_LAUNCH_TURN)

    def set_strength(self, fraction: float) -> None:
        """Set the speed to a share of the greatest, 0 to 1."""
        self.speed = speed_of(fraction)

    def move_to(self, offset: float) -> None:
        """Hold the launcher at an offset to the right of the middle of its line [m], within its range."""
        self.lateral_offset = min(max(offset, -self.place.half_width), self.place.half_width)

    def copy_launch(self, launch: Launch) -> None:
        """Copy the pose of another launch (a hint)."""
        self.set_size(launch.size)
        self.set_start(launch.hold)
        self.aim_offset = wrap_angle(launch.azimuth - self.place.forward)
        self._speed, self.height, self.slant, self.lift = launch.speed, launch.height, launch.slant, launch.lift

    def set_start(self, point: Point) -> None:
        """Hold the launcher as near to a point as possible [m]."""
        right = self.place.forward - pi / 2.0
        self.move_to((point[0] - self.place.center[0]) * cos(right) + (point[1] - self.place.center[1]) * sin(right))


def speed_of(strength: float) -> float:
    """Speed of a flick of a strength from 0 to 1 [m/s]."""
    return LAUNCH_SPEED_RANGE[0] + (LAUNCH_SPEED_RANGE[1] - LAUNCH_SPEED_RANGE[0]) * min(max(strength, 0.0), 1.0)


def _side_text(value: float) -> str:
    size = f"{abs(value):.1f}".removesuffix(".0")
    return "middle" if size == "0" else f"{'←' if value < 0.0 else '→'} {size} mm"


SLIDERS = (
    attribute_slider("strength", "↑ ↓", LAUNCH_SPEED_RANGE, 0.05, "speed", lambda v: f"{v:.2f} m/s",
                     command="push", sign=-1, is_highlighted=True),
    SliderSpec("way", "← →", -MAX_LAUNCH_TURN, MAX_LAUNCH_TURN, deg2rad(1.0), lambda pose: -pose.aim_offset,
               lambda pose, v: setattr(pose, "aim_offset", min(max(round(-v, 6), -MAX_LAUNCH_TURN), MAX_LAUNCH_TURN)),
               lambda pose, v: "ahead" if abs(v) < deg2rad(0.05) else f"{format_azimuth(pose.azimuth)}°",
               command="aim"),
    SliderSpec("held", "A D", -0.3, 0.3, mm(5.0), lambda pose: pose.lateral_offset, lambda pose, v: pose.move_to(v),
               lambda _, v: _side_text(to_mm(v)), command="shift"),
    attribute_slider("slant", "W S", STRIKE_ELEVATION_RANGE, deg2rad(1.0), "slant",
                     lambda v: f"{to_degrees(v):.0f}° up", command="slant", sign=-1),
    attribute_slider("nail at", "Q E", STRIKE_HEIGHT_RANGE, mm(0.5), "height", lambda v: f"{to_mm(v):.1f} mm",
                     command="height"),
    attribute_slider("lifted", "[ ]", BASE_HEIGHT_RANGE, mm(5.0), "lift", lambda v: f"{to_mm(v):.0f} mm",
                     command="lift"),
)  # fmt: skip
"""Numbers of a launch."""
