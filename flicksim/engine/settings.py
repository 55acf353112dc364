"""Settings of the physics engine: laws, tolerances and limits, all with defaults."""

from __future__ import annotations

from numbers import Real
from typing import ClassVar, Final

from flicksim.core.errors import InvalidValue
from flicksim.core.serialization import RenamedFields, Value
from flicksim.core.units import GRAVITY
from flicksim.engine.launcher import LauncherSettings
from flicksim.scene.material import DEFAULT_PAIRINGS, Pairings

_LIMITS: Final = {
    "elastic_threshold": (1e-9, 10.0),
    "max_impacts": (1, 10**7),
    "max_time": (1e-6, 3600.0),
    "output_interval": (1e-4, 10.0),
    "drag_coefficient": (0.0, 100.0),
    "rolling_resistance": (0.0, 0.01),
    "max_flight_time": (0.0, 3600.0),
    "step_factor": (0.1, 4.0),
}
"""Smallest and largest value of a setting: beyond these a shot would take unbounded time or memory, or gain energy."""

OLD_KEYS: Final = {
    "gentle": "elastic_threshold",
    "frame": "output_interval",
    "drag": "drag_coefficient",
    "rolling": "rolling_resistance",
    "max_flight": "max_flight_time",
    "coarse": "step_factor",
}
"""Field of `Settings` by the name it had in release 0.1.0."""


class Settings(Value, metaclass=RenamedFields, frozen=True, kw_only=True):
    """Settings of the physics engine.

    Args:
        pairings: friction and restitution by pair of materials.
        gravity: gravitational acceleration [m/s^2].
        nail_friction: friction of a nail on the rim [-]; off-centre flicks outside its cone slip (judged, 0.2-0.5).
        elastic_threshold: approach speed [m/s] that keeps pieces that lean on one another from bouncing infinitely
            often in finite time. No impact is found at or below it unless the pieces overlap by
            `PENETRATION_TOLERANCE`; of the pairs then due, those that touch are resolved from half of it upwards, or
            at creeping speed if they overlap. An impact of at most twice it is elastic (restitution 1).
        max_impacts: impacts in one flick, or of winks that slide, after which it counts as not settling; pyramids have
            a limit of time only.
        max_time: simulated time of a shot after which it counts as not settling [s]; of a batch that ends early
            (`until`), that of the part simulated. However large, a pyramid has 15 s from its release, and winks in the
            air have three times `max_flight_time`.
        output_interval: longest time between keyframes of the tracks while a piece spins [s]; a quarter of it in the
            air.
        drag_coefficient: of a tumbling wink on its mean area [-]; 0 is a vacuum.
        rolling_resistance: of winks, as lever arm of the normal force [m].
        max_flight_time: simulated time after which winks that still whirl are slowed harder, twice [s].
        step_factor: factor on the time step of winks in contact [-]; contact stiffness falls by its square. At 3 a
            shot takes two fifths to a half less time, with the same shares of pots and squops.
        launcher: settings of the launcher of pyramids.
    """

    old_keywords: ClassVar[dict[str, str]] = OLD_KEYS
    pairings: Pairings = DEFAULT_PAIRINGS
    gravity: float = GRAVITY
    nail_friction: float = 0.35
    elastic_threshold: float = 5e-4
    max_impacts: int = 20_000
    max_time: float = 120.0
    output_interval: float = 1.0 / 30.0
    drag_coefficient: float = 1.17
    rolling_resistance: float = 0.25e-3
    max_flight_time: float = 6.0
    step_factor: float = 1.0
    launcher: LauncherSettings = LauncherSettings()

    def __post_init__(self) -> None:
        for name in ("gravity", "nail_friction", *_LIMITS):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Real):
                raise InvalidValue(f"{name} {value!r} must be a number")
        if not 0.0 < self.gravity <= 100.0:
            raise InvalidValue(f"gravity {self.gravity!r} m/s^2 must be above 0 and at most 100")
        if not 0.0 <= self.nail_friction <= 5.0:
            raise InvalidValue(f"nail_friction {self.nail_friction!r} must lie in 0 to 5")
        for name, (low, high) in _LIMITS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise InvalidValue(f"{name} {value!r} must lie in {low:g} to {high:g}")
