"""Single shots as tasks to be learned: what lies there, what is seen of it, what an action means, what it is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from flicksim.base.errors import BadOption
from flicksim.base.kinds import Action, Given, Plain
from flicksim.base.units import degrees, mm
from flicksim.games.penny_white import equipment as board_kit
from flicksim.games.penny_white.equipment import Options as CoinOptions
from flicksim.games.tiddlywinks import equipment as mat_kit
from flicksim.games.tiddlywinks.options import Options as WinkOptions
from flicksim.lab.env.parts import Bools, Number, between
from flicksim.table import Piece

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Doing:
    """One number of an action: -1 means `low`, 1 means `high`, in its unit."""

    name: str
    low: float
    high: float
    unit: str
    says: str

    def meant(self, number: Given) -> Action:
        """The meaning of a number in [-1, 1], or of an array of them."""
        return self.low + (self.high - self.low) * (number + 1.0) / 2.0


class Task(Protocol):
    """A kind of shot.

    Args:
        sees: what each number that is seen is. does: what each number of an action means.
    """

    @property
    def sees(self) -> tuple[Number, ...]: ...
    @property
    def does(self) -> tuple[Doing, ...]: ...


_ASIDE = degrees(15.0)
WINKS = WinkOptions()
MAT = mat_kit.mat(WINKS)
_HALF = MAT.outline[2]


def _stroke(to: str, slow: float, fast: float) -> tuple[Doing, ...]:
    return (
        Doing("aside", -_ASIDE, _ASIDE, "rad", f"how far left of the straight line to {to} it is aimed"),
        Doing("speed", slow, fast, "m/s", "how fast it leaves"),
        Doing("elevation", degrees(15.0), degrees(80.0), "rad", "how steeply it leaves"),
        Doing("tumble", 0.0, 100.0, "rad/s", "its backspin"),
    )


def _positive(name: str, value: Plain) -> None:
    if not 0.0 <= value <= 1000.0:
        raise BadOption(f"{name}={value!r} must be 0 to 1000")


def _ways(near: float, far: float, low: float, high: float) -> None:
    if not mm(low) <= near < far <= mm(high):
        raise BadOption(
            f"near={near:g} and far={far:g} must lie in {mm(low):g} to {mm(high):g} m, the nearer first"
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Pot:
    """Tiddlywinks: pot a wink that lies anywhere on the mat.

    A shot is followed until it is sure whether it pots; with `shaping` to rest, which takes three times as long.

    Args:
        near, far: least and greatest distance from the pot's axis [m]. large: share of large winks.
        shaping: taken off the reward for each metre a wink that is not potted rests from the pot.
    """

    near: float = 0.08
    far: float = 0.60
    large: float = 0.0
    shaping: float = 0.0
    does = _stroke("the pot", 0.4, 3.4)

    def __post_init__(self) -> None:
        _ways(self.near, self.far, 40.0, 900.0)
        if not 0.0 <= self.large <= 1.0:
            raise BadOption(f"large={self.large:g} must be a share, 0 to 1")
        _positive("shaping", self.shaping)

    @property
    def sees(self) -> tuple[Number, ...]:
        """As `Task.sees`."""
        long, wide = (min(self.far, half) for half in _HALF)
        return (
            between("x", -long, long, "m", "where the wink lies; the pot stands at 0, 0"),
            between("y", -wide, wide, "m"),
            between("distance", self.near, self.far, "m", "from the pot's axis"),
            Number(name="large", says="1 for a large wink, 0 for a small one"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Squop:
    """Tiddlywinks: come to rest on an opposing wink.

    Args:
        near, far: least and greatest distance of the two [m].
        shaping: taken off the reward for each metre between the two at rest, where there is no squop.
    """

    near: float = 0.03
    far: float = 0.25
    shaping: float = 0.0
    does = _stroke("the other", 0.2, 2.2)

    def __post_init__(self) -> None:
        _ways(self.near, self.far, 20.0, 500.0)
        _positive("shaping", self.shaping)

    @property
    def sees(self) -> tuple[Number, ...]:
        """As `Task.sees`."""
        long, wide = _HALF
        return (
            between("other x", -self.far, self.far, "m", "where the other wink lies from one's own"),
            between("other y", -self.far, self.far, "m"),
            between("distance", self.near, self.far, "m", "of the two middles"),
            between("own x", -long, long, "m", "where one's own wink lies; the pot stands at 0, 0"),
            between("own y", -wide, wide, "m"),
        )


COINS = CoinOptions()
PENNY = "blue-1"
SIZE = board_kit.radius(COINS)
APART = 2.0 * SIZE + mm(1.0)
"""Least distance of the middles of guards from all else [m]."""
MIDDLE, START = board_kit.start_spot(COINS)
"""Middle line, and the start of a penny up the board [m]."""
WHITE = (mm(470.0), mm(760.0))
"""Range of the white's place up the board, from and to [m]."""
GUARD = (mm(120.0), mm(780.0))
"""The same for guards [m]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Penny White: roll a penny up to the white, past what lies in the way.

    Args:
        guards: most opposing pennies that lie about; how many, and where, is drawn.
    """

    guards: int = 2
    does = (
        Doing("start", SIZE - MIDDLE, MIDDLE - SIZE, "m", "how far right of the middle line it starts"),
        Doing("aside", -_ASIDE, _ASIDE, "rad", "how far left of the straight line to the white it is aimed"),
        Doing("speed", 0.6, 2.4, "m/s", "how fast it leaves"),
        Doing("offset", -0.5, 0.5, "radii", "how far left of its middle it is struck: it spins"),
    )  # fmt: skip

    def __post_init__(self) -> None:
        if not (isinstance(self.guards, int) and 0 <= self.guards <= 8):
            raise BadOption(f"guards={self.guards!r} must be 0 to 8")

    @property
    def sees(self) -> tuple[Number, ...]:
        """As `Task.sees`."""
        wide = MIDDLE - SIZE
        found = [between("white", *WHITE, "m", "how far up the board the white lies")]
        for k in range(1, self.guards + 1):
            low, high = GUARD[0] - WHITE[1], GUARD[1] - WHITE[0]
            found += [
                Number(name=f"guard {k}: there", says="1 where that guard lies on the board; else all three are 0"),
                Number(name=f"guard {k}: across", unit="m", low=-wide, high=wide, says="right of the middle line"),
                Number(name=f"guard {k}: beyond", unit="m", low=low, high=high, says="farther up than the white"),
            ]
        return tuple(found)


def white_at(number: Given) -> tuple[Given, Given]:
    """Place of the white, by a number from 0 to 1 or an array of them [m, m]."""
    return MIDDLE, WHITE[0] + (WHITE[1] - WHITE[0]) * number


def guard_at(one: Given, other: Given) -> tuple[Given, Given]:
    """Place of a guard, by two numbers from 0 to 1 or arrays of them [m, m]."""
    return SIZE + 2.0 * (MIDDLE - SIZE) * one, GUARD[0] + (GUARD[1] - GUARD[0]) * other


def coins(guards: int) -> tuple[Piece, ...]:
    """The white, the penny that is flicked and the guards, somewhere."""
    white = board_kit.coin(COINS, board_kit.WHITE, None, white_at(0.0))
    penny = board_kit.coin(COINS, PENNY, 0, (MIDDLE, START))
    others = (board_kit.coin(COINS, f"red-{k + 1}", 1, guard_at(0.0, k / 8.0)) for k in range(guards))
    return (white, penny, *others)


def closeness(gap: Floats) -> Floats:
    """The worth of coming so near [m]."""
    found: Floats = np.exp(-gap / mm(30.0))
    return found


def in_the_field(x: Floats, y: Floats, radius: float) -> Bools:
    """Tell which winks lie wholly in the field of play."""
    found = np.ones(len(x), np.bool_)
    for edge in mat_kit.edges(WINKS):
        found &= edge.inward((x, y)) > radius  # type: ignore[arg-type]  # plain arithmetic: of arrays as of numbers
    return found


TASKS: dict[str, Callable[..., Task]] = {"Pot": Pot, "Squop": Squop, "Draw": Draw}
"""The kinds there are."""
