"""Skill of the hand: the flick meant becomes the flick made. The only dice in a shot."""

from __future__ import annotations

from math import pi, remainder

import msgspec
import numpy as np

from flicksim.base.codec import Value
from flicksim.base.errors import BadOption
from flicksim.base.kinds import Action
from flicksim.base.units import degrees, mm
from flicksim.table import ASIDE, ASKEW, HEIGHT, MAX_SPEED, MAX_TUMBLE, SLANT, TURN, TWIST, Flick, Launch, Squidge

_WILDEST = 10_000.0
"""No error is larger, in its own unit."""
_TOUCH = (
    "speed", "azimuth", "offset", "elevation", "tumble", "height", "slant", "askew", "twist", "aside",
)  # fmt: skip
"""Parts of a flick, squidge or launch that a hand may make otherwise than it was meant."""


class Hand(Value, frozen=True, kw_only=True):
    """Execution error, as standard deviations of a normal error.

    Args:
        speed: relative error of speed [-].
        azimuth: error of direction [rad].
        offset: error of where the nail strikes [radii].
        elevation: error of how steeply a wink leaves [rad].
        tumble: error of its backspin [rad/s].
        height: error of where the nail meets a launcher [m]. aside: and of how far left of its middle [m].
        askew: error of how upright a launcher is held, to the sides [rad]. twist: and of how square to the flick [rad].
        loose: how many times its errors of speed and direction are those of a launch, with the launcher held free [-].
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
    loose: float = 2.0

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if not 0.0 <= getattr(self, name) <= _WILDEST:
                raise ValueError(f"{name} {getattr(self, name)!r} of a hand must lie in 0 to {_WILDEST:g}")

    def times(self, by: float) -> Hand:
        """The same hand, all its errors so many times as large."""
        errors = {name: by * getattr(self, name) for name in self.__struct_fields__ if name != "loose"}
        return msgspec.structs.replace(self, **errors)

    def make(self, meant: Action, rng: np.random.Generator) -> Action:
        """The action as it is made when this is meant. Decisions come out as they were meant."""
        if isinstance(meant, Launch):
            return self._launched(meant, rng)
        if not isinstance(meant, Flick | Squidge):
            return meant
        turn, push, slip = rng.standard_normal(3)
        speed = float(min(MAX_SPEED, max(1e-3, meant.speed * (1.0 + self.speed * push))))
        azimuth = _within_a_turn(float(meant.azimuth + self.azimuth * turn))
        if isinstance(meant, Flick):
            offset = float(min(0.95, max(-0.95, meant.offset + self.offset * slip)))
            return msgspec.structs.replace(meant, speed=speed, azimuth=azimuth, offset=offset)
        elevation = float(min(pi / 2.0, max(0.0, meant.elevation + self.elevation * slip)))
        tumble = float(min(MAX_TUMBLE, max(-MAX_TUMBLE, meant.tumble + self.tumble * rng.standard_normal())))
        return msgspec.structs.replace(meant, speed=speed, azimuth=azimuth, elevation=elevation, tumble=tumble)

    def leading(self, meant: Action) -> tuple[float, float]:
        """The errors of speed [-] and of direction [rad] of such a flick."""
        times = self.loose if isinstance(meant, Launch) else 1.0
        return times * self.speed, times * self.azimuth

    def _launched(self, meant: Launch, rng: np.random.Generator) -> Launch:
        turn, push, slip, rise, lean, square, aside = (float(drawn) for drawn in rng.standard_normal(7))
        by_speed, by_turn = self.leading(meant)
        return msgspec.structs.replace(
            meant,
            speed=float(min(MAX_SPEED, max(1e-3, meant.speed * (1.0 + by_speed * push)))),
            azimuth=_within_a_turn(meant.azimuth + by_turn * turn),
            height=float(min(HEIGHT[1], max(HEIGHT[0], meant.height + self.height * slip))),
            slant=float(min(SLANT[1], max(SLANT[0], meant.slant + self.elevation * rise))),
            askew=min(ASKEW, max(-ASKEW, meant.askew + self.askew * lean)),
            twist=min(TWIST, max(-TWIST, meant.twist + self.twist * square)),
            aside=min(ASIDE, max(-ASIDE, meant.aside + self.aside * aside)),
        )


def _within_a_turn(azimuth: float) -> float:
    return azimuth if abs(azimuth) <= TURN else remainder(azimuth, TURN)


def could_make(meant: Action, made: Action) -> bool:
    """True where some hand could make this when that was meant: a decision as it is, of a flick only how it is
    given."""
    if not (isinstance(meant, Flick | Squidge | Launch) and type(made) is type(meant)):
        return bool(made == meant)
    given = {name: getattr(meant, name) for name in _TOUCH if hasattr(meant, name)}
    return bool(msgspec.structs.replace(made, **given) == meant)


def name_of(hand: Hand) -> str | Hand:
    """The name of a hand's grade, or "steady"; itself where it has none."""
    return next((name for name, known in HANDS.items() if known == hand), hand)


def _hand(times: float) -> Hand:
    """World class is 0.9 % in speed and 0.8 degrees: 57 % of pots from 3 ft, the best sustained rate on record.

    Elevation 1 degree and tumble 10 rad/s are judged: Wang's film has single players at 2.5 rad/s from shot to shot.
    So is all of a launch: where the nail strikes, to 0.3 mm up and 0.4 mm aside, and how the launcher is held, by eye
    and in three fingers, to 1 degree of upright and 2 degrees of square to the flick.
    """
    return Hand(
        speed=0.009 * times,
        azimuth=degrees(0.8) * times,
        offset=0.02 * times,
        elevation=degrees(1.0) * times,
        tumble=10.0 * times,
        height=mm(0.3) * times,
        aside=mm(0.4) * times,
        askew=degrees(1.0) * times,
        twist=degrees(2.0) * times,
    )


GRADES: dict[str, Hand] = {"beginner": _hand(6.0), "club": _hand(2.0), "expert": _hand(1.4), "world": _hand(1.0)}
"""Hands by grade, weakest first."""

STEADY = Hand(speed=0.0, azimuth=0.0)
"""A hand that does just what is meant: for people, whose own hand errs enough."""

HANDS = {"steady": STEADY, **GRADES}
"""Every hand with a name."""


def unrest(held: float) -> float:
    """The factor on the errors of its grade that a person's hand makes, having held an aim still for so long [s].

    It begins half as unsteady again, is calmest from one second to two, four fifths, and tires from then on: a steady
    player comes to the grade, a patient one passes it, nobody is exact. Judged, not measured.
    """
    return float(np.interp(held, (0.0, 1.0, 2.0, 5.0), (1.5, 0.8, 0.8, 1.5)))


def grade(name: str) -> str:
    """The grade of that name, however it is spelled ("World class", "world-class").

    Raises:
        BadOption: no such grade; lists them.
    """
    plain = name.lower().replace("_", "-").replace(" ", "-").removesuffix("-class")
    if plain not in GRADES:
        raise BadOption(f"no grade {name!r}; grades are {', '.join(GRADES)}")
    return plain
