"""The choices of a seat: pieces that may be flicked and how, decisions, and what people may own up to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from flicksim.base.codec import Value
from flicksim.base.geometry import Point
from flicksim.base.kinds import Action, Plain
from flicksim.table import Size


class FlickRange(Value, tag="flick", tag_field="do", frozen=True, kw_only=True):
    """A piece that may be flicked now with a finger, and how. Written, it has the same `do` as what is done.

    Args:
        piece: id.
        start: corners of the convex region its centre may be put in first [m]; empty: it is flicked where it lies.
        azimuth: from, to [rad].
        speed: from, to [m/s]: what the game can use, not a limit of the rules.
    """

    piece: str
    start: tuple[Point, ...] = ()
    azimuth: tuple[float, float]
    speed: tuple[float, float]


class SquidgeRange(FlickRange, tag="squidge", tag_field="do", frozen=True, kw_only=True):
    """A wink that may be squidged now, and how.

    Args:
        elevation: from, to [rad]. tumble: from, to [rad/s].
    """

    elevation: tuple[float, float]
    tumble: tuple[float, float]


class LaunchRange(FlickRange, tag="launch", tag_field="do", frozen=True, kw_only=True):
    """A missile that may be launched now, and how; `start` is where the launcher's base may be held.

    Args:
        size: of the missile. height: from, to [m], where the nail may strike. slant: from, to [rad], how steeply.
        hold, lift: where, and how high, the launcher is held unless told otherwise [m].
    """

    size: Size
    height: tuple[float, float]
    slant: tuple[float, float]
    hold: Point
    lift: float


class Pick(Value, frozen=True, kw_only=True):
    """A field of an action that whoever takes it has still to fill in.

    Args:
        field: its name. says: what to choose, for people.
        kind: "one" of `among`, "some" of them (a tuple, not empty), a "point" of the table [m], or a "number".
        among: what may be chosen: ids of pieces, seats, words.
        none: what leaving it out means, for people; None: it may not be left out. Left out, the field stays as it is.
    """

    field: str
    says: str
    kind: Literal["one", "some", "point", "number"]
    among: tuple[Plain, ...] = ()
    none: str | None = None


class OwnUp(Value, frozen=True, kw_only=True):
    """Something that only people can say: that what the rules saw is not all that happened at the table.

    Args:
        says: what is owned up to, for people.
        action: what is then done, but for the fields still to be chosen. pick: those, in the order of asking.
    """

    says: str
    action: Action
    pick: tuple[Pick, ...] = ()

    def filled(self, chosen: Mapping[str, Plain]) -> Action:
        """The action with what was chosen, by field."""
        return msgspec.structs.replace(self.action, **chosen)


class Choices(Value, frozen=True, kw_only=True):
    """The choices of a seat now.

    Args:
        says: one line for the player.
        flicks: pieces that may be flicked.
        actions: decisions that may be taken instead, whole.
        own_up: what people may own up to, in anybody's turn and after the last; no bot, program or environment is
            offered it.
    """

    says: str
    flicks: tuple[FlickRange | SquidgeRange | LaunchRange, ...] = ()
    actions: tuple[Action, ...] = ()
    own_up: tuple[OwnUp, ...] = ()
