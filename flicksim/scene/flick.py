"""Actions on flat pieces: the flick of a coin and the squidge of a wink."""

from math import cos, isfinite, pi, sin
from typing import TYPE_CHECKING

from flicksim.core.errors import InvalidNumber
from flicksim.core.geometry import Point
from flicksim.core.limits import MAX_COORDINATE, are_valid_coordinates
from flicksim.core.serialization import Value
from flicksim.core.units import mm
from flicksim.core.validation import is_real_number, short_repr

FULL_TURN = 2.0 * pi
"""Largest magnitude of an azimuth: one full turn [rad]."""
MAX_SPEED = 20.0
"""Largest speed of a flick [m/s]; fingertips reach 10 (Acharya et al., J. R. Soc. Interface 18, 2021)."""

SQUIDGER_DIAMETER_RANGE = (mm(25.4), mm(50.8))
"""Smallest and largest diameter of a squidger [m]: 1 to 2 inches inclusive."""
MAX_TUMBLE = 2000.0
"""Largest spin of a wink [rad/s]; long pots show about 100."""
MAX_FOLLOW_THROUGH = 0.1
"""Largest follow-through of the squidger [m]."""


class Strike:
    """Base of actions with a piece, a speed and an azimuth."""

    __slots__ = ()
    if TYPE_CHECKING:
        piece: str
        speed: float
        azimuth: float

    @property
    def direction(self) -> Point:
        """Unit vector of the azimuth in plan."""
        return (cos(self.azimuth), sin(self.azimuth))

    def _check_numbers(self, *names: str) -> None:
        """Check that the piece is a string, that speed, azimuth and the named fields are numbers, and the first two.

        Raises:
            InvalidNumber: one is not, or is out of range; quotes it.
        """
        if not isinstance(self.piece, str):
            piece = short_repr(self.piece)
            raise InvalidNumber(f"{type(self).__name__}: piece cannot be {piece}; give the id of a piece, as 'a'")
        for name in ("speed", "azimuth", *names):
            if not is_real_number(value := getattr(self, name)):
                raise InvalidNumber(f"{type(self).__name__}: {name} cannot be {short_repr(value)}; give a number")
        if not (isfinite(self.speed) and 0.0 < self.speed <= MAX_SPEED):
            raise InvalidNumber(f"speed {self.speed!r} m/s must be above 0 and at most {MAX_SPEED:g}")
        if not (isfinite(self.azimuth) and abs(self.azimuth) <= FULL_TURN):
            raise InvalidNumber(f"azimuth {self.azimuth!r} rad must lie within one turn, -6.2832 to 6.2832")


def check_point(name: str, point: object) -> None:
    """Check that a point is two finite numbers within `MAX_COORDINATE`.

    Raises:
        InvalidNumber: it is not; quotes it.
    """
    if hasattr(point, "__array__"):
        raise InvalidNumber(f"{name} cannot be {short_repr(point)}; give a tuple, as (0.12, 0.04)")
    if not (
        isinstance(point, tuple | list)
        and len(point) == 2
        and all(map(is_real_number, point))
        and are_valid_coordinates(*point)
    ):
        raise InvalidNumber(f"{name} {point!r} must be two finite numbers, x and y, within {MAX_COORDINATE:g} m")


class Flick(Strike, Value, tag="flick", tag_field="do", frozen=True, kw_only=True):
    """A finger flick of one piece lying flat.

    Args:
        piece: id of the piece.
        speed: speed that a central strike of the nail would give it [m/s].
        azimuth: direction [rad], counter-clockwise from +x; accepted within one turn, reported in (-pi, pi].
        offset: lateral offset of the strike from the centre line [radii], positive to the left.
        start: position to which the piece is moved first [m]; None leaves it where it lies.
    """

    piece: str
    speed: float
    azimuth: float
    offset: float = 0.0
    start: Point | None = None

    def __post_init__(self) -> None:
        self._check_numbers("offset")
        if not -0.95 <= self.offset <= 0.95:
            raise InvalidNumber(f"offset {self.offset!r} radii must lie in -0.95 to 0.95; further out the nail misses")
        if self.start is not None:
            check_point("start", self.start)


class Squidge(Strike, Value, tag="squidge", tag_field="do", frozen=True, kw_only=True):
    """Squidge: the edge of a squidger is pressed on a wink and slides off, and the wink jumps away.

    Args:
        piece: id of the wink.
        speed: launch speed of the wink [m/s].
        azimuth: direction in plan [rad], counter-clockwise from +x.
        elevation: launch angle above the horizontal [rad]; mostly 30 to 45 degrees, steeper near the pot.
        tumble: backspin [rad/s], positive when the leading edge rises.
        squidger: diameter of the squidger [m].
        press: fraction of the impulse that also goes into the winks below, in a pile [-].
        drag: follow-through of the squidger along the azimuth, through the winks below, after the wink left [m].
        start: position to which a wink behind its base line is moved first [m]; None leaves it where it lies.
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
        self._check_numbers("elevation", "tumble", "squidger", "press", "drag")
        if not 0.0 <= self.elevation <= pi / 2.0:
            raise InvalidNumber(f"elevation {self.elevation!r} rad must lie in 0 to 1.5708, 0 to 90 degrees")
        if not abs(self.tumble) <= MAX_TUMBLE:
            raise InvalidNumber(f"tumble {self.tumble!r} rad/s must lie in -{MAX_TUMBLE:g} to {MAX_TUMBLE:g}")
        if not SQUIDGER_DIAMETER_RANGE[0] <= self.squidger <= SQUIDGER_DIAMETER_RANGE[1]:
            low, high = SQUIDGER_DIAMETER_RANGE
            raise InvalidNumber(f"squidger {self.squidger!r} m wide must be {low} to {high} m, 1 to 2 inches (TW-4d)")
        if not 0.0 <= self.press <= 1.0:
            raise InvalidNumber(f"press {self.press!r} must lie in 0 to 1")
        if not 0.0 <= self.drag <= MAX_FOLLOW_THROUGH:
            raise InvalidNumber(f"drag {self.drag!r} m must lie in 0 to {MAX_FOLLOW_THROUGH:g}")
        if self.start is not None:
            check_point("start", self.start)
