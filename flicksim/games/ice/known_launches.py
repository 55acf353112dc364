"""Table of launches after which the missile often stands, found by sampling on a bare table."""

from __future__ import annotations

from collections.abc import Mapping

from flicksim.core.serialization import Value
from flicksim.core.units import deg2rad, mm
from flicksim.scene import Size


class KnownLaunch(Value, frozen=True, kw_only=True):
    """Known launch, independent of its direction and of its place along the start line.

    Args:
        speed: [m/s]. slant: elevation of the strike [rad]. height: height of the strike on the base [m].
        lift: height of the launcher over the table [m]. carry: distance at which a standing missile ends [m].
    """

    speed: float
    slant: float
    height: float
    lift: float
    carry: float


def _launch(speed: float, slant: float, height: float, lift: float, carry: float) -> KnownLaunch:
    return KnownLaunch(speed=speed, slant=deg2rad(slant), height=mm(height), lift=mm(lift), carry=mm(carry))


LaunchesBySize = Mapping[Size, tuple[KnownLaunch, ...]]

KNOWN_LAUNCHES: Mapping[str, LaunchesBySize] = {
    "beginner": {},
    "club": {
        "small": (
            _launch(2.57, 57.6, 7.6, 69.7, 261.0),
            _launch(1.73, 71.9, 5.8, 52.9, 162.5),
            _launch(1.70, 84.1, 5.1, 62.3, 259.1),
            _launch(2.90, 52.1, 0.6, 51.9, 147.3),
        ),
        "medium": (
            _launch(3.85, 52.7, 7.6, 67.8, 317.6),
            _launch(3.85, 51.0, 7.4, 51.3, 283.5),
            _launch(4.14, 54.1, 1.0, 88.9, 264.3),
        ),
        "large": (
            _launch(3.87, 76.9, 0.7, 70.5, 404.9),
            _launch(3.78, 74.0, 7.1, 91.9, 382.0),
            _launch(3.73, 72.0, 1.3, 93.0, 376.2),
        ),
    },
    "expert": {
        "small": (_launch(1.499, 85.0, 8.0, 90.3, 176.0), _launch(1.416, 85.0, 0.8, 102.6, 142.0)),
        "medium": (_launch(3.820, 51.2, 7.2, 96.4, 290.0),),
        "large": (_launch(4.246, 52.8, 2.6, 147.8, 360.0), _launch(4.161, 53.4, 2.6, 142.2, 362.0)),
    },
    "world": {
        "small": (_launch(1.499, 85.0, 8.0, 90.3, 176.0), _launch(1.416, 85.0, 0.8, 102.6, 142.0)),
        "medium": (_launch(2.544, 46.4, 6.6, 100.2, 118.0), _launch(2.632, 46.8, 6.7, 103.3, 127.0)),
        "large": (_launch(1.856, 82.4, 5.8, 183.4, 142.0), _launch(1.800, 82.7, 5.8, 180.8, 163.0)),
    },
}
"""Known launches by grade of the bot and size of the missile; a beginner has none.

Fraction of staying missiles that stand, for the first entry of each list, with the execution noise of world class,
expert, club and beginner (400 launches each, independent of the search): club entries small .52, .49, .39, .18; medium
.57, .40, .37, .18; large .36, .26, .20, .08; expert entries small .66, .58, .49, .30; medium .51, .52, .39, .13; large
.49, .46, .38, .16; world-class entries small as the expert's, medium .54, .56, .43, .14, large .38, .38, .37, .27. Half
of the world-class medium and two thirds of its large missiles stay, of the others nearly all; a miss costs nothing
(ITW-5g), and both end near the own line, where fewer missiles land on them.

Found by searches like `python -m benchmarks.launch_search`; to be repeated when the physics of launches changes.
"""
