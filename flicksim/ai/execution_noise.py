"""Execution noise: the executed shot is the intended one with normal errors, scaled by grade."""

from collections.abc import Mapping
from math import pi, remainder

import msgspec
import numpy as np

from flicksim import scene
from flicksim.core.arrays import Floats
from flicksim.core.errors import InvalidInput, InvalidOption, InvalidValue
from flicksim.core.limits import truncate_middle
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action
from flicksim.core.units import deg2rad, mm
from flicksim.scene import Flick, Launch, Squidge

_MAX_STD = 10_000.0
"""Largest standard deviation, in the unit of its field."""
_GENTLE_SQUIDGE = 3.0
"""Speed below which the error of a squidge's speed falls no further [m/s]: a little less than the 3.3 m/s of a pot
from 3 ft, whose rates the grades are derived from. With errors in proportion to the speed a club player misses no pot
from 5 to 15 cm and pots .95 from 20 cm, where experts take up to 30 shots for 24 winks of a heap (Mapley, Winking
World 55)."""
_OTHER_ERRORS: Mapping[type, tuple[tuple[str, str, float, float], ...]] = {
    Flick: (("offset", "offset", -0.95, 0.95),),
    Squidge: (("elevation", "elevation", 0.0, pi / 2.0), ("tumble", "tumble", -scene.MAX_TUMBLE, scene.MAX_TUMBLE)),
    Launch: (
        ("height", "height", *scene.STRIKE_HEIGHT_RANGE), ("slant", "elevation", *scene.STRIKE_ELEVATION_RANGE),
        ("askew", "askew", -scene.MAX_ROLL, scene.MAX_ROLL), ("twist", "twist", -scene.MAX_YAW, scene.MAX_YAW),
        ("aside", "aside", -scene.MAX_LATERAL_OFFSET, scene.MAX_LATERAL_OFFSET),
    ),
}  # fmt: skip
"""Fields of each kind of shot that execution noise changes besides speed and azimuth, in the order of the draws: name,
standard deviation, and limits of the executed value."""


class ExecutionNoise(Value, frozen=True, kw_only=True, rename={"free_launcher_factor": "loose"}):
    """Execution noise: standard deviations of the normal error of each field.

    Args:
        speed: relative error of speed [-]; that of a squidge below 3 m/s is as large, in m/s, as at 3 m/s.
        azimuth: error of direction [rad].
        offset: error of the point of impact on a disc [radii].
        elevation: error of the launch elevation of a wink [rad].
        tumble: error of its backspin [rad/s].
        height, aside: errors of the point of impact on a launcher, vertical and lateral [m].
        askew, twist: errors of the orientation of a launcher, roll and yaw [rad].
        free_launcher_factor: factor on speed and azimuth for launches, where the launcher is held in the hand [-].
    """

    speed: float
    azimuth: float
    offset: float = 0.0
    elevation: float = 0.0
    tumble: float = 0.0
    height: float = 0.0
    aside: float = 0.0
    askew: float = 0.0
    twist: float = 0.0
    free_launcher_factor: float = 2.0

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if not 0.0 <= getattr(self, name) <= _MAX_STD:
                raise InvalidValue(f"{name} {getattr(self, name)!r} of a hand must lie in 0 to {_MAX_STD:g}")

    def scaled(self, factor: float) -> "ExecutionNoise":
        """Copy with all standard deviations multiplied by a factor."""
        errors = {
            name: factor * getattr(self, name) for name in self.__struct_fields__ if name != "free_launcher_factor"
        }
        return msgspec.structs.replace(self, **errors)

    def execute(self, meant: Action, rng: np.random.Generator) -> Action:
        """Draw the executed action of an intended one; decisions are unchanged."""
        others = _OTHER_ERRORS.get(type(meant))
        if others is None:
            return meant
        turn, push, *errors = rng.standard_normal(2 + len(others)).tolist()
        by_speed, by_turn = self.speed_and_azimuth_std(meant)
        executed = {
            name: _clip(getattr(meant, name) + getattr(self, std) * error, low, high)
            for (name, std, low, high), error in zip(others, errors, strict=True)
        }
        speed = _clip(meant.speed * (1.0 + by_speed * push), 1e-3, scene.MAX_SPEED)
        azimuth = meant.azimuth + by_turn * turn
        azimuth = azimuth if abs(azimuth) <= scene.FULL_TURN else remainder(azimuth, scene.FULL_TURN)
        return msgspec.structs.replace(meant, speed=speed, azimuth=azimuth, **executed)

    def execute_flicks(
        self, draws: Floats, speed: Floats, azimuth: Floats, offset: Floats | float
    ) -> tuple[Floats, Floats, Floats]:
        """Executed speed, azimuth and offset of many flicks, as `execute` makes them but for whole turns. [S] each

        Args:
            draws: standard normal draws. [S, 3] speed, azimuth, offset: as intended. [S]
        """
        return (
            *self._execute_speed_and_azimuth(draws, speed, azimuth, self.speed),
            np.clip(offset + self.offset * draws[:, 2], -0.95, 0.95),
        )

    def execute_squidges(
        self, draws: Floats, speed: Floats, azimuth: Floats, elevation: Floats, tumble: Floats
    ) -> tuple[Floats, ...]:
        """Executed speed, azimuth, elevation and tumble of many squidges, as `execute_flicks` with draws [S, 4]."""
        return (
            *self._execute_speed_and_azimuth(draws, speed, azimuth, self.speed * _gentle_factor(speed)),
            np.clip(elevation + self.elevation * draws[:, 2], 0.0, pi / 2.0),
            np.clip(tumble + self.tumble * draws[:, 3], -scene.MAX_TUMBLE, scene.MAX_TUMBLE),
        )

    def _execute_speed_and_azimuth(
        self, draws: Floats, speed: Floats, azimuth: Floats, by_speed: float | Floats
    ) -> tuple[Floats, Floats]:
        executed_speed: Floats = np.clip(speed * (1.0 + by_speed * draws[:, 1]), 1e-3, scene.MAX_SPEED)
        return executed_speed, azimuth + self.azimuth * draws[:, 0]

    def speed_and_azimuth_std(self, meant: Action) -> tuple[float, float]:
        """Standard deviations of the relative speed [-] and the azimuth [rad] of such a flick."""
        if isinstance(meant, Squidge):
            return self.speed * float(_gentle_factor(meant.speed)), self.azimuth
        times = self.free_launcher_factor if isinstance(meant, Launch) else 1.0
        return times * self.speed, times * self.azimuth


def _gentle_factor(speed: float | Floats) -> Floats:
    """Factor on the relative error of the speed of a squidge [m/s]."""
    factor: Floats = np.maximum(1.0, _GENTLE_SQUIDGE / speed)
    return factor


def _clip(value: float, low: float, high: float) -> float:
    return float(min(high, max(low, value)))


def could_result_from(meant: Action, executed: Action) -> bool:
    """Return True if execution noise can turn one action into the other: equal but for the noisy fields."""
    if type(meant) not in _OTHER_ERRORS or type(executed) is not type(meant):
        return bool(executed == meant)
    noisy = ("speed", "azimuth", *(name for name, *_ in _OTHER_ERRORS[type(meant)]))
    given = {name: getattr(meant, name) for name in noisy}
    return bool(msgspec.structs.replace(executed, **given) == meant)


def grade_name(noise: ExecutionNoise) -> str | ExecutionNoise:
    """Name of the grade with this noise, or "steady"; the noise itself where it has no name."""
    return next((name for name, known in NOISE_LEVELS.items() if known == noise), noise)


_WORLD_CLASS = ExecutionNoise(
    speed=0.009, azimuth=deg2rad(0.8), offset=0.02, elevation=deg2rad(1.0), tumble=10.0, height=mm(0.3), aside=mm(0.4),
    askew=deg2rad(1.0), twist=deg2rad(2.0),
)  # fmt: skip
"""World class is 0.9 % in speed and 0.8 degrees: 57 % of pots from 3 ft, the best sustained rate on record. Elevation
1 degree and tumble 10 rad/s are judged: Wang's film has single players at 2.5 rad/s from shot to shot. So are the
errors of a launch: the point of impact of the nail, 0.3 mm up and 0.4 mm aside, and the orientation of the launcher, 1
degree from upright and 2 degrees from square to the flick."""
GRADES: dict[str, ExecutionNoise] = {
    "beginner": _WORLD_CLASS.scaled(6.0), "club": _WORLD_CLASS.scaled(2.0), "expert": _WORLD_CLASS.scaled(1.4),
    "world": _WORLD_CLASS,
}  # fmt: skip
"""Execution noise by grade, weakest first."""

NO_NOISE = ExecutionNoise(speed=0.0, azimuth=0.0)
"""No execution noise: actions are executed as intended. Default of seats without a grade."""

NOISE_LEVELS = {"steady": NO_NOISE, **GRADES}
"""Execution noise by name: the grades, and "steady" without any."""


def noise_named(hand: str | ExecutionNoise) -> ExecutionNoise:
    """Execution noise of a name in `NOISE_LEVELS`, or the noise itself.

    Raises:
        InvalidInput: no such name; lists them.
    """
    noise = NOISE_LEVELS.get(hand) if isinstance(hand, str) else hand
    if noise is None:
        raise InvalidInput(f"there is no hand {truncate_middle(repr(hand), 40)}; there are {', '.join(NOISE_LEVELS)}")
    return noise


def hold_time_noise_factor(hold_time: float) -> float:
    """Factor on the noise of a person's grade after an aim was held still for `hold_time` [s].

    It falls from 1.5 to a minimum of 0.8 from one to two seconds, and rises to 1.5 at five seconds (fatigue). Judged,
    not measured.
    """
    return float(np.interp(hold_time, (0.0, 1.0, 2.0, 5.0), (1.5, 0.8, 0.8, 1.5)))


def parse_grade(name: str) -> str:
    """Canonical name of a grade, however it is spelled ("World class", "world-class").

    Raises:
        InvalidOption: no such grade; lists them.
    """
    plain = name.lower().replace("_", "-").replace(" ", "-").removesuffix("-class")
    if plain not in GRADES:
        raise InvalidOption(f"no grade {name!r}; grades are {', '.join(GRADES)}")
    return plain
