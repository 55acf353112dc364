"""A launch as two hands give it: one holds a large pyramid with a missile on its tip, the other flicks its base."""

from __future__ import annotations

from math import cos, isfinite, sin

from flicksim.base.codec import Value
from flicksim.base.errors import BadNumber
from flicksim.base.geometry import Point
from flicksim.base.units import degrees, mm, to_degrees, to_mm
from flicksim.table.flick import MAX_SPEED, TURN, check_numbers, check_place
from flicksim.table.pyramid import Size

LIFT = (mm(50.0), mm(300.0))
"""Lowest and highest place of the launcher over the table [m]: clear of standing pieces, within reach."""
HEIGHT = (0.0, mm(8.0))
"""Range of the nail's strike, above the launcher's base [m]: what the largest missile leaves free of it."""
SLANT = (degrees(45.0), degrees(85.0))
"""Range of the nail's slant [rad]. The missile sits on the tip like a hat and can only leave it along its slopes,
within 16 degrees of the launcher's axis, so a flat flick does not make it fly."""
ASKEW = degrees(20.0)
TWIST = degrees(45.0)
"""Largest angle of a launcher that is held leaning aside, and turned about its axis [rad]."""
ASIDE = mm(6.0)
"""Largest distance of the nail's strike from the middle [m]: then it is still on the launcher near its base."""


class Launch(Value, tag="launch", tag_field="do", frozen=True, kw_only=True, omit_defaults=True):
    """A launch of one missile off the launcher's tip.

    Args:
        piece: id the missile has, or will have, on the table. size: which it is. owner: seat that launches it.
        hold: where the middle of the launcher's base is held in plan [m]. lift: how high over the table [m].
        azimuth: which way the nail strikes, in plan [rad], counter-clockwise from +x.
        speed: the strength: what speed the flick would give the bare launcher, were it free [m/s].
        height: where the nail strikes, above the launcher's base [m]. Lower leaves the missile with more backspin.
        slant: how steeply the nail comes up from below [rad].
        askew: how far to the left the launcher is held leaning [rad].
        twist: how far it is held turned about its own axis from being square to the flick, counter-clockwise [rad].
        aside: how far left of the middle of the launcher's side the nail strikes [m].
        time: when [s]; None at once.
    """

    piece: str
    size: Size
    hold: Point
    azimuth: float
    speed: float
    height: float = mm(4.0)
    slant: float = degrees(65.0)
    lift: float = mm(80.0)
    askew: float = 0.0
    twist: float = 0.0
    aside: float = 0.0
    owner: int | None = None
    time: float | None = None

    def __post_init__(self) -> None:
        check_numbers(self, "speed", "azimuth", "height", "slant", "lift", "askew", "twist", "aside")
        if not (isfinite(self.speed) and 0.0 < self.speed <= MAX_SPEED):
            raise BadNumber(f"speed {self.speed!r} m/s must be above 0 and at most {MAX_SPEED:g}")
        if not (isfinite(self.azimuth) and abs(self.azimuth) <= TURN):
            raise BadNumber(f"azimuth {self.azimuth!r} rad must lie within one turn, -6.2832 to 6.2832")
        check_place("hold", self.hold)
        if not all(abs(at) <= 100.0 for at in self.hold):
            raise BadNumber(f"hold {self.hold!r} m must be finite and near the table")
        if not HEIGHT[0] <= self.height <= HEIGHT[1]:
            raise BadNumber(
                f"height {to_mm(self.height):g} mm must lie in {to_mm(HEIGHT[0]):g} to {to_mm(HEIGHT[1]):g} mm: "
                "it is the launcher's base that is flicked"
            )
        if not SLANT[0] <= self.slant <= SLANT[1]:
            low, high = (round(to_degrees(end), 6) for end in SLANT)
            raise BadNumber(f"slant {to_degrees(self.slant):g} degrees must lie in {low:g} to {high:g}")
        if not LIFT[0] <= self.lift <= LIFT[1]:
            raise BadNumber(
                f"lift {to_mm(self.lift):g} mm must lie in {to_mm(LIFT[0]):g} to {to_mm(LIFT[1]):g} mm over the table"
            )
        for name, most in (("askew", ASKEW), ("twist", TWIST), ("aside", ASIDE)):
            value = getattr(self, name)
            if not -most <= value <= most:
                unit, told = (("mm", to_mm)) if name == "aside" else ("degrees", to_degrees)
                raise BadNumber(f"{name} {told(value):g} {unit} must lie in {-told(most):g} to {told(most):g} {unit}")
        if self.time is not None and not (isfinite(self.time) and self.time >= 0.0):
            raise BadNumber(f"time {self.time!r} s must be 0 or later")

    @property
    def direction(self) -> Point:
        """Unit vector of the nail's way in plan."""
        return (cos(self.azimuth), sin(self.azimuth))


class Volley(Value, tag="volley", tag_field="do", frozen=True, kw_only=True):
    """Launches under way together, each with its time. They are settled in the order in which they come down.

    Args:
        launches: with `time` [s].
        lift: ids of pieces that hands pick up first; what leaned on them falls.
        until: what comes down later than this stays in the air [s]; None for all.
        pauses: for each launch, how long after its missile rests the same hand may flick again [s], None for never:
            what comes down later than the first of these stays in the air too, for that hand may get there before it.
    """

    launches: tuple[Launch, ...]
    lift: tuple[str, ...] = ()
    until: float | None = None
    pauses: tuple[float | None, ...] = ()
