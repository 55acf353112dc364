"""The settings of the physics. Everything here has a default that needs no touching."""

from __future__ import annotations

from numbers import Real

from flicksim.base.codec import Value
from flicksim.base.units import GRAVITY
from flicksim.physics.launcher import LauncherSettings
from flicksim.table.material import PAIRINGS, Pairings

_BOUNDS = {
    "gentle": (1e-9, 10.0), "max_impacts": (1, 10**7), "max_time": (1e-6, 3600.0), "frame": (1e-4, 10.0),
    "drag": (0.0, 100.0), "rolling": (0.0, 0.01), "max_flight": (0.0, 3600.0), "coarse": (0.1, 4.0),
}  # fmt: skip
"""Beyond these nothing could be settled in any time or memory, or would gain energy."""


class Settings(Value, frozen=True, kw_only=True):
    """The settings by which the world is settled.

    Args:
        pairings: friction and restitution by pair of materials.
        gravity: [m/s^2].
        nail_friction: how well a nail holds the rim [-]; off-centre flicks beyond its cone slip (judged, 0.2-0.5).
        gentle: approach speeds below this [m/s] are taken up without loss, so that pieces leaning on one another
            cannot bounce for ever in no time.
        max_impacts: impacts in one flick after which the world is held not to settle.
        max_time: simulated time after which it is held not to settle [s].
        frame: longest time between knots of the tracks while a piece spins [s]; a quarter of it in the air.
        drag: drag coefficient of a tumbling wink on its mean area [-]; 0 is a vacuum.
        rolling: rolling resistance of winks, lever arm of the normal force [m].
        max_flight: simulated time after which winks that whirl on are slowed harder [s].
        coarse: a step of winks that touch is so many times as long, and what they touch the square of it softer [-]; at
            3 a thought takes half the time and comes to the same as often.
        launcher: of the launches of pyramids.
    """

    pairings: Pairings = PAIRINGS
    gravity: float = GRAVITY
    nail_friction: float = 0.35
    gentle: float = 5e-4
    max_impacts: int = 20_000
    max_time: float = 120.0
    frame: float = 1.0 / 30.0
    drag: float = 1.17
    rolling: float = 0.25e-3
    max_flight: float = 6.0
    coarse: float = 1.0
    launcher: LauncherSettings = LauncherSettings()

    def __post_init__(self) -> None:
        for name in ("gravity", "nail_friction", *_BOUNDS):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Real):
                raise ValueError(f"{name} {value!r} must be a number")
        if not 0.0 < self.gravity <= 100.0:
            raise ValueError(f"gravity {self.gravity!r} m/s^2 must be above 0 and at most 100")
        if not 0.0 <= self.nail_friction <= 5.0:
            raise ValueError(f"nail_friction {self.nail_friction!r} must lie in 0 to 5")
        for name, (low, high) in _BOUNDS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise ValueError(f"{name} {value!r} must lie in {low:g} to {high:g}")
