"""Limits of the shots a person may aim: the same in the window and at the terminal."""

from math import pi

from flicksim.core.units import deg2rad
from flicksim.referee.legal_actions import FlickRange, LaunchRange, SquidgeRange
from flicksim.scene import FULL_TURN, MAX_SPEED, MAX_TUMBLE, STRIKE_ELEVATION_RANGE, STRIKE_HEIGHT_RANGE

MIN_FLICK_SPEED = 0.05
"""Lowest speed of a flick [m/s]; slower coins move less than their length."""
MIN_SQUIDGE_SPEED = 0.1
"""Lowest speed of a squidge [m/s]."""
LAUNCH_SPEED_RANGE = (1.0, 6.0)
"""Range of flick speeds of a launch [m/s]: below it the missile stays on the tip, above it the missile clears the
table."""
MAX_LAUNCH_TURN = deg2rad(80.0)
"""Largest angle of a launch to either side of straight ahead [rad]."""
_ANY_AZIMUTH = (-FULL_TURN, FULL_TURN)


def aim_limits(span: FlickRange) -> dict[str, tuple[float, float]]:
    """Limits of the fields of a shot, by name [m/s, rad, rad/s, m]; wider than the useful ranges of `span`."""
    match span:
        case SquidgeRange():
            return {
                "speed": (MIN_SQUIDGE_SPEED, MAX_SPEED), "azimuth": _ANY_AZIMUTH, "elevation": (0.0, pi / 2.0),
                "tumble": (-MAX_TUMBLE, MAX_TUMBLE),
            }  # fmt: skip
        case LaunchRange():
            ahead = sum(span.azimuth) / 2.0
            return {
                "speed": LAUNCH_SPEED_RANGE, "azimuth": (ahead - MAX_LAUNCH_TURN, ahead + MAX_LAUNCH_TURN),
                "height": STRIKE_HEIGHT_RANGE, "slant": STRIKE_ELEVATION_RANGE,
            }  # fmt: skip
    return {"speed": (MIN_FLICK_SPEED, span.speed[1]), "azimuth": _ANY_AZIMUTH}
