"""Launch of a pyramid (missile) off the tip of a hand-held one (launcher), whose base is flicked."""

from math import isfinite

from flicksim.core.errors import InvalidNumber
from flicksim.core.geometry import Point
from flicksim.core.limits import PieceId, SeatIndex
from flicksim.core.serialization import Value
from flicksim.core.units import deg2rad, mm, to_degrees, to_mm
from flicksim.scene.flick import Strike, check_point
from flicksim.scene.pyramid import Size

BASE_HEIGHT_RANGE = (mm(50.0), mm(300.0))
"""Range of the launcher's height over the table [m]: clear of standing pieces, within reach."""
STRIKE_HEIGHT_RANGE = (0.0, mm(8.0))
"""Range of the height of the strike above the launcher's base [m]: what the largest missile leaves uncovered."""
STRIKE_ELEVATION_RANGE = (deg2rad(45.0), deg2rad(85.0))
"""Range of the elevation of the strike [rad]. The missile sits on the tip and can only leave along its slopes, within
16 degrees of the launcher's axis, so a flat flick does not make it fly."""
MAX_ROLL = deg2rad(20.0)
MAX_YAW = deg2rad(45.0)
"""Largest sideways lean of the launcher, and largest rotation about its axis [rad]."""
MAX_LATERAL_OFFSET = mm(6.0)
"""Largest distance of the strike from the middle [m]: it still hits the launcher near its base."""


class Launch(Strike, Value, tag="launch", tag_field="do", frozen=True, kw_only=True, omit_defaults=True):
    """A launch of one missile off the launcher's tip.

    Args:
        piece: id the missile has, or will have, on the table. size: size of the missile. owner: seat that launches it.
        hold: centre of the launcher's base in plan [m]. lift: height of the base over the table [m].
        azimuth: direction of the strike in plan [rad], counter-clockwise from +x.
        speed: strength: speed that the flick would give a free launcher without missile [m/s].
        height: height of the strike above the launcher's base [m]; lower gives the missile more backspin.
        slant: elevation of the strike, from below [rad].
        askew: lean of the launcher to the left [rad].
        twist: rotation of the launcher about its axis from square to the strike, counter-clockwise [rad].
        aside: distance of the strike to the left of the middle of the launcher's side [m].
        time: time of the launch [s]; None at once.
    """

    piece: PieceId
    size: Size
    hold: Point
    azimuth: float
    speed: float
    height: float = mm(4.0)
    slant: float = deg2rad(65.0)
    lift: float = mm(80.0)
    askew: float = 0.0
    twist: float = 0.0
    aside: float = 0.0
    owner: SeatIndex | None = None
    time: float | None = None

    def __post_init__(self) -> None:
        self._check_numbers("height", "slant", "lift", "askew", "twist", "aside")
        check_point("hold", self.hold)
        if not all(abs(coordinate) <= 100.0 for coordinate in self.hold):
            raise InvalidNumber(f"hold {self.hold!r} m must be finite and near the table")
        if not STRIKE_HEIGHT_RANGE[0] <= self.height <= STRIKE_HEIGHT_RANGE[1]:
            raise InvalidNumber(
                f"height {to_mm(self.height):g} mm must lie in {to_mm(STRIKE_HEIGHT_RANGE[0]):g} to "
                f"{to_mm(STRIKE_HEIGHT_RANGE[1]):g} mm: "
                "it is the launcher's base that is flicked"
            )
        if not STRIKE_ELEVATION_RANGE[0] <= self.slant <= STRIKE_ELEVATION_RANGE[1]:
            low, high = (round(to_degrees(end), 6) for end in STRIKE_ELEVATION_RANGE)
            raise InvalidNumber(f"slant {to_degrees(self.slant):g} degrees must lie in {low:g} to {high:g}")
        if not BASE_HEIGHT_RANGE[0] <= self.lift <= BASE_HEIGHT_RANGE[1]:
            raise InvalidNumber(
                f"lift {to_mm(self.lift):g} mm must lie in {to_mm(BASE_HEIGHT_RANGE[0]):g} to "
                f"{to_mm(BASE_HEIGHT_RANGE[1]):g} mm over the table"
            )
        for name, limit in (("askew", MAX_ROLL), ("twist", MAX_YAW), ("aside", MAX_LATERAL_OFFSET)):
            value = getattr(self, name)
            if not -limit <= value <= limit:
                unit, convert = (("mm", to_mm)) if name == "aside" else ("degrees", to_degrees)
                raise InvalidNumber(
                    f"{name} {convert(value):g} {unit} must lie in {-convert(limit):g} to {convert(limit):g} {unit}"
                )
        if self.time is not None and not (isfinite(self.time) and self.time >= 0.0):
            raise InvalidNumber(f"time {self.time!r} s must be 0 or later")


class Volley(Value, tag="volley", tag_field="do", frozen=True, kw_only=True):
    """Overlapping launches, each with its time. They are simulated in the order in which the missiles come down.

    Args:
        launches: with `time` [s].
        lift: ids of pieces picked up first; pieces that leaned on them fall.
        until: time after which missiles stay in the air [s]; None: all come down.
        pauses: for each launch, the delay after its missile rests until the same hand may launch again [s], None for
            never; missiles that come down later than the first of these times stay in the air too.
    """

    launches: tuple[Launch, ...]
    lift: tuple[str, ...] = ()
    until: float | None = None
    pauses: tuple[float | None, ...] = ()
