"""Legal actions of a seat: ranges of flicks, with the limits of the aim; decisions, and self-reported fouls."""

from collections.abc import Mapping
from math import pi
from typing import Literal

import msgspec

from flicksim.core.geometry import Point
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, JsonValue
from flicksim.core.units import deg2rad
from flicksim.scene import (
    FULL_TURN,
    MAX_FOLLOW_THROUGH,
    MAX_SPEED,
    MAX_TUMBLE,
    STRIKE_ELEVATION_RANGE,
    STRIKE_HEIGHT_RANGE,
    Size,
)

MIN_FLICK_SPEED = 0.05
"""Lowest speed of a flick [m/s]; slower coins move less than their length."""
MIN_SQUIDGE_SPEED = 0.1
"""Lowest speed of a squidge [m/s]."""
LAUNCH_SPEED_RANGE = (1.0, 6.0)
"""Range of flick speeds of a launch [m/s]: below it the missile stays on the tip, above it the missile clears the
table."""
MAX_NAIL_OFFSET = 0.9
"""Largest offset of the nail from the middle of a flat piece [radii]."""
MAX_LAUNCH_TURN = deg2rad(80.0)
"""Largest angle of a launch to either side of straight ahead [rad]."""
_ANY_AZIMUTH = (-FULL_TURN, FULL_TURN)


class FlickRange(Value, tag="flick", tag_field="do", frozen=True, kw_only=True):
    """Piece that may be flicked with a finger now, with ranges of the action. Its JSON tag `do` equals the action's.

    Args:
        piece: id.
        start: corners of the convex region in which its centre may be placed first [m]; empty: it stays where it lies.
        azimuth: range [rad].
        speed: range useful in the game [m/s]; the rules set no limit.
    """

    piece: str
    start: tuple[Point, ...] = ()
    azimuth: tuple[float, float]
    speed: tuple[float, float]


class SquidgeRange(FlickRange, tag="squidge", tag_field="do", frozen=True, kw_only=True):
    """Wink that may be squidged now, with ranges of the action.

    Args:
        elevation: range [rad]. tumble: range [rad/s].
    """

    elevation: tuple[float, float]
    tumble: tuple[float, float]


class LaunchRange(FlickRange, tag="launch", tag_field="do", frozen=True, kw_only=True):
    """Missile that may be launched now, with ranges of the action; `start` is the region of the launcher's base.

    Args:
        size: size of the missile. height: range of the height of the strike [m]. slant: range of its elevation [rad].
        hold, lift: default position and height of the launcher's base [m].
    """

    size: Size
    height: tuple[float, float]
    slant: tuple[float, float]
    hold: Point
    lift: float


def aim_limits(span: FlickRange) -> dict[str, tuple[float, float]]:
    """Limits of the fields of a shot that a person may aim, by name [m/s, rad, rad/s, m, radii].

    They are wider than the useful ranges of `span`, and the same in the window and at the terminal.
    """
    match span:
        case SquidgeRange():
            return {
                "speed": (MIN_SQUIDGE_SPEED, MAX_SPEED), "azimuth": _ANY_AZIMUTH, "elevation": (0.0, pi / 2.0),
                "tumble": (-MAX_TUMBLE, MAX_TUMBLE), "press": (0.0, 1.0), "drag": (0.0, MAX_FOLLOW_THROUGH),
            }  # fmt: skip
        case LaunchRange():
            ahead = sum(span.azimuth) / 2.0
            return {
                "speed": LAUNCH_SPEED_RANGE, "azimuth": (ahead - MAX_LAUNCH_TURN, ahead + MAX_LAUNCH_TURN),
                "height": STRIKE_HEIGHT_RANGE, "slant": STRIKE_ELEVATION_RANGE,
            }  # fmt: skip
    return {
        "speed": (MIN_FLICK_SPEED, span.speed[1]), "azimuth": _ANY_AZIMUTH,
        "offset": (-MAX_NAIL_OFFSET, MAX_NAIL_OFFSET),
    }  # fmt: skip


class ActionField(Value, frozen=True, kw_only=True):
    """Field of an action that the player still has to fill in.

    Args:
        field: name of the field. prompt: what to choose, for people.
        kind: "one" of `options`, "some" of them (a tuple, not empty), a "point" of the table [m], or a "number".
        options: values to choose from: ids of pieces, seats, strings.
        none_label: label for leaving it out, for people; None: it is required. Left out, the field keeps its value.
    """

    field: str
    prompt: str
    kind: Literal["one", "some", "point", "number"]
    options: tuple[JsonValue, ...] = ()
    none_label: str | None = None


class SelfReport(Value, frozen=True, kw_only=True):
    """Self-reported foul or event at a real table that the rules cannot observe.

    Args:
        text: what is reported, for people.
        action: action it stands for, without the fields still to be chosen. fields: those fields, in order.
        seat: the one that did it; None where the action's own field `seat` says so.
    """

    text: str
    action: Action
    fields: tuple[ActionField, ...] = ()
    seat: int | None = None

    def with_choices(self, chosen: Mapping[str, JsonValue]) -> Action:
        """Action with the chosen values, by field."""
        return msgspec.structs.replace(self.action, **chosen)

    def stands_for(self, action: Action) -> bool:
        """Return True if an action is this report, with whatever choices."""
        if type(action) is not type(self.action):
            return False
        left = {field.field: getattr(self.action, field.field) for field in self.fields}
        return bool(msgspec.structs.replace(action, **left) == self.action)


class LegalActions(Value, frozen=True, kw_only=True):
    """Legal actions of a seat.

    Args:
        prompt: one-line prompt for the player.
        flicks: pieces that may be flicked.
        actions: complete decisions that may be taken instead.
        self_reports: self-reports that people may make, in any turn and after the last; bots, programs and environments
            are not offered them.
    """

    prompt: str = msgspec.field(name="says")
    flicks: tuple[FlickRange | SquidgeRange | LaunchRange, ...] = ()
    actions: tuple[Action, ...] = ()
    self_reports: tuple[SelfReport, ...] = ()
