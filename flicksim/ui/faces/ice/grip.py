"""The grip of a pair of hands: where the launcher is held, what sits on it, how it will be flicked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from flicksim.base.geometry import Point, clearance, half_turn
from flicksim.base.units import degrees, direction, mm, to_degrees, to_mm
from flicksim.table import HEIGHT, LIFT, SIZES, SLANT, Launch, Size
from flicksim.ui.kit.knob import Dial

SPEED = (1.0, 6.0)
"""Strengths a hand at the window has [m/s]: weaker ones leave the missile on the tip, stronger ones clear the table."""
TURN = degrees(80.0)
"""Largest angle of the aim to either side."""
_FIRST: dict[Size, float] = {"small": 2.9, "medium": 3.5, "large": 4.4}
"""Strengths that bring a missile towards the middle of a usual table [m/s]."""


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a seat at the table.

    Args:
        middle: of its stash area [m]. forward: which way its table lies [rad]. room: how far along its line it may move
            the launcher to either side [m]. area: its stash area [m].
    """

    middle: Point
    forward: float
    room: float
    area: tuple[Point, ...]


def place_of(area: Sequence[Point], hold: Point, facing: float) -> Place:
    """A seat's place, from its stash area, the middle of it and the way into the table."""
    along = (sin(facing), -cos(facing))
    room = 0.0
    while room < 0.6 and all(
        clearance((hold[0] + k * (room + 0.01) * along[0], hold[1] + k * (room + 0.01) * along[1]), area) > mm(15.0)
        for k in (-1, 1)
    ):
        room += 0.01
    return Place(hold, facing, room, tuple(area))


class Grip:
    """The hands of one seat.

    Args:
        seat: which. place: where it sits.
    """

    def __init__(self, seat: int, place: Place) -> None:
        self.seat, self.place = seat, place
        self.size: Size = "medium"
        self.reset()

    def reset(self) -> None:
        """Hold and aim as at the beginning."""
        self.turn = 0.0
        """Angle to the left of straight ahead [rad]."""
        self.aside = 0.0
        """Distance of the launcher to the right of the middle of its line [m]."""
        self.speed = _FIRST[self.size]
        self.height, self.slant, self.lift = mm(4.0), degrees(65.0), mm(80.0)
        self.tuned = False
        """True once the strength was set by hand; then another size is sent as much harder or softer than usual."""

    @property
    def azimuth(self) -> float:
        """Direction in which the nail strikes [rad]."""
        return half_turn(self.place.forward + self.turn)

    @property
    def hold(self) -> Point:
        """Place at which the launcher is held [m]."""
        x, y = self.place.middle
        right = self.place.forward - pi / 2.0
        return (x + self.aside * cos(right), y + self.aside * sin(right))

    @property
    def strength(self) -> float:
        """The speed as a share of the hardest."""
        return min(max((self.speed - SPEED[0]) / (SPEED[1] - SPEED[0]), 0.0), 1.0)

    def launch(self, piece: str, time: float | None = None) -> Launch:
        """The launch that will be made with it."""
        return Launch(
            piece=piece, size=self.size, hold=self.hold, azimuth=self.azimuth, speed=self.speed, height=self.height,
            slant=self.slant, lift=self.lift, owner=self.seat, time=time,
        )  # fmt: skip

    def take(self, size: Size) -> None:
        """Another missile on the tip, sent as far as the one before: what was set by hand is kept as a share."""
        if size != self.size:
            share = self.speed / _FIRST[self.size] if self.tuned else 1.0
            self.speed = min(max(_FIRST[size] * share, SPEED[0]), SPEED[1])
        self.size = size

    def next_size(self, left: dict[Size, int]) -> None:
        """The next size of which there is one in hand."""
        order = [*SIZES[SIZES.index(self.size) + 1 :], *SIZES[: SIZES.index(self.size) + 1]]
        size = next((size for size in order if left.get(size, 0) > 0), None)
        if size is not None:
            self.take(size)

    def aim(self, by: float) -> None:
        """Turn by so much [rad]."""
        self.turn = min(max(self.turn + by, -TURN), TURN)

    def push(self, by: float) -> None:
        """Stronger or weaker by so much [m/s]."""
        self.speed = min(max(self.speed + by, SPEED[0]), SPEED[1])
        self.tuned = True

    def charge(self, share: float) -> None:
        """As strong as so much of the hardest, 0 to 1."""
        self.speed = SPEED[0] + (SPEED[1] - SPEED[0]) * min(max(share, 0.0), 1.0)
        self.tuned = True

    def shift(self, by: float) -> None:
        """Hold it farther to the right by so much [m]."""
        self.aside = min(max(self.aside + by, -self.place.room), self.place.room)

    def copy(self, launch: Launch) -> None:
        """Hold and flick as somebody else would (a hint)."""
        x, y = self.place.middle
        right = self.place.forward - pi / 2.0
        self.take(launch.size)
        self.shift((launch.hold[0] - x) * cos(right) + (launch.hold[1] - y) * sin(right) - self.aside)
        self.turn = half_turn(launch.azimuth - self.place.forward)
        self.speed, self.height, self.slant, self.lift = launch.speed, launch.height, launch.slant, launch.lift


def _side(value: float, zero: str, left: str, right: str) -> str:
    return zero if abs(value) < 0.05 else f"{abs(value):.1f}{left if value > 0.0 else right}"


def _put_speed(grip: Grip, value: float) -> None:
    grip.speed, grip.tuned = round(value, 6), True


def _put(name: str, low: float, high: float) -> Callable[[Grip, float], None]:
    def put(grip: Grip, value: float) -> None:
        setattr(grip, name, min(max(round(value, 6), low), high))  # the ends are not round

    return put


DIALS = (
    Dial("strength", "↑ ↓", *SPEED, 0.05, lambda g: g.speed, _put_speed, lambda _, v: f"{v:.2f} m/s", hot=True),
    Dial("way", "← →", -TURN, TURN, degrees(1.0), lambda g: -g.turn,
         lambda g, v: _put("turn", -TURN, TURN)(g, -v),
         lambda g, v: "ahead" if abs(v) < degrees(0.05) else f"{direction(g.azimuth)}°"),
    Dial("held", "A D", -0.3, 0.3, mm(5.0), lambda g: g.aside, lambda g, v: g.shift(v - g.aside),
         lambda _, v: _side(-to_mm(v), "middle", " left", " right")),
    Dial("slant", "W S", *SLANT, degrees(1.0), lambda g: g.slant, _put("slant", *SLANT),
         lambda _, v: f"{to_degrees(v):.0f}° up"),
    Dial("nail at", "Q E", *HEIGHT, mm(0.5), lambda g: g.height, _put("height", *HEIGHT),
         lambda _, v: f"{to_mm(v):.1f} mm"),
    Dial("lifted", "[ ]", *LIFT, mm(5.0), lambda g: g.lift, _put("lift", *LIFT), lambda _, v: f"{to_mm(v):.0f} mm"),
)  # fmt: skip
"""The numbers of a launch that can be turned."""
