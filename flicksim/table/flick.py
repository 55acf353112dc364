"""A flick as a hand gives it: of a coin by a nail, or of a wink by a squidger."""

from __future__ import annotations

from math import cos, isfinite, pi, sin

from flicksim.base.asked import number, shown
from flicksim.base.bounds import PLACE, near
from flicksim.base.codec import Value
from flicksim.base.errors import BadNumber
from flicksim.base.geometry import Point
from flicksim.base.units import mm, to_mm

TURN = 2.0 * pi
"""An azimuth says a way; nobody needs more than one turn of it [rad]."""
MAX_SPEED = 20.0
"""No finger sends a piece off faster [m/s]; fingertips reach 10 (Acharya et al., J. R. Soc. Interface 18, 2021)."""

SQUIDGER = (mm(25.4), mm(50.8))
"""Least and greatest diameter of a squidger [m]: 1 to 2 inches, both allowed."""
MAX_TUMBLE = 2000.0
"""No wink is spun faster [rad/s]; far pots show about 100."""
MAX_DRAG = 0.1
"""No stroke is drawn on farther [m]."""


def check_numbers(flick: Value, *names: str) -> None:
    """See that an action names its piece, and that what should be numbers are some.

    Raises:
        BadNumber: a name is none, or a number is none; quotes it.
    """
    what = type(flick).__name__
    for name, given in ((name, getattr(flick, name)) for name in ("piece", *names)):
        if name == "piece" and not isinstance(given, str):
            raise BadNumber(f"{what}: piece cannot be {shown(given)}; give the id of a piece, as 'a'")
        if name != "piece" and not number(given):
            raise BadNumber(f"{what}: {name} cannot be {shown(given)}; give a number")


def check_place(what: str, place: object) -> None:
    """See that a place is two numbers within reach.

    Raises:
        BadNumber: it is something else; quotes it.
    """
    if hasattr(place, "__array__"):
        raise BadNumber(f"{what} cannot be {shown(place)}; give a tuple, as (0.12, 0.04)")
    if not (isinstance(place, tuple | list) and len(place) == 2 and all(map(number, place)) and near(*place)):
        raise BadNumber(f"{what} {place!r} must be two finite numbers, x and y, within {PLACE:g} m")


class Flick(Value, tag="flick", tag_field="do", frozen=True, kw_only=True):
    """A finger flick of one piece lying flat.

    Args:
        piece: id of the piece.
        speed: speed [m/s] a nail on the centre line would give it.
        azimuth: direction [rad], counter-clockwise from +x; taken within one turn, told above -pi and up to pi.
        offset: where the nail strikes, sideways of the centre line [radii], positive to the left of the way.
        start: where the piece is put before it is flicked [m]; None leaves it where it lies.
    """

    piece: str
    speed: float
    azimuth: float
    offset: float = 0.0
    start: Point | None = None

    def __post_init__(self) -> None:
        check_numbers(self, "speed", "azimuth", "offset")
        if not (isfinite(self.speed) and 0.0 < self.speed <= MAX_SPEED):
            raise BadNumber(f"speed {self.speed!r} m/s must be above 0 and at most {MAX_SPEED:g}")
        if not (isfinite(self.azimuth) and abs(self.azimuth) <= TURN):
            raise BadNumber(f"azimuth {self.azimuth!r} rad must lie within one turn, -6.2832 to 6.2832")
        if not -0.95 <= self.offset <= 0.95:
            raise BadNumber(f"offset {self.offset!r} radii must lie in -0.95 to 0.95; further out the nail misses")
        if self.start is not None:
            check_place("start", self.start)

    @property
    def direction(self) -> Point:
        """Unit vector of the nail's way."""
        return (cos(self.azimuth), sin(self.azimuth))


class Squidge(Value, tag="squidge", tag_field="do", frozen=True, kw_only=True):
    """A squidge: the edge of a squidger is pressed on a wink and slides off, and the wink jumps away.

    Args:
        piece: id of the wink.
        speed: with which it leaves [m/s].
        azimuth: direction in plan [rad], counter-clockwise from +x.
        elevation: above the horizontal [rad]; mostly 30 to 45 degrees for a full shot, steeper near the pot.
        tumble: backspin [rad/s], positive when the leading edge rises.
        squidger: its diameter [m].
        press: share of the push that also goes into the winks below, in a pile [-].
        drag: how far the squidger is drawn on, along the azimuth, through the winks below once the wink is off [m].
        start: where a wink still behind its base line is put first [m]; None leaves it where it lies.
    """

    piece: str
    speed: float
    azimuth: float
    elevation: float = pi / 4.0
    tumble: float = 0.0
    squidger: float = mm(38.1)
    press: float = 0.0
    drag: float = 0.0
    start: Point | None = None

    def __post_init__(self) -> None:
        check_numbers(self, "speed", "azimuth", "elevation", "tumble", "squidger", "press", "drag")
        if not (isfinite(self.speed) and 0.0 < self.speed <= MAX_SPEED):
            raise BadNumber(f"speed {self.speed!r} m/s must be above 0 and at most {MAX_SPEED:g}")
        if not (isfinite(self.azimuth) and abs(self.azimuth) <= TURN):
            raise BadNumber(f"azimuth {self.azimuth!r} rad must lie within one turn, -6.2832 to 6.2832")
        if not 0.0 <= self.elevation <= pi / 2.0:
            raise BadNumber(f"elevation {self.elevation!r} rad must lie in 0 to 1.5708, 0 to 90 degrees")
        if not abs(self.tumble) <= MAX_TUMBLE:
            raise BadNumber(f"tumble {self.tumble!r} rad/s must lie in -{MAX_TUMBLE:g} to {MAX_TUMBLE:g}")
        if not SQUIDGER[0] <= self.squidger <= SQUIDGER[1]:
            low, high = map(to_mm, SQUIDGER)
            raise BadNumber(f"squidger {to_mm(self.squidger):g} mm wide must be {low:g} to {high:g} mm (TW-4d)")
        if not 0.0 <= self.press <= 1.0:
            raise BadNumber(f"press {self.press!r} must lie in 0 to 1")
        if not 0.0 <= self.drag <= MAX_DRAG:
            raise BadNumber(f"drag {self.drag!r} m must lie in 0 to {MAX_DRAG:g}")
        if self.start is not None:
            check_place("start", self.start)

    @property
    def direction(self) -> Point:
        """Unit vector of its way in plan."""
        return (cos(self.azimuth), sin(self.azimuth))
