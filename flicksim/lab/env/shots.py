"""Single shots as tasks to be learned: what lies there, what is seen of it, what an action means, what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import atan2, cos, exp, hypot, pi, sin
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from flicksim.base.errors import BadOption
from flicksim.base.geometry import distance
from flicksim.base.units import degrees, mm
from flicksim.games.penny_white import equipment as board_kit
from flicksim.games.penny_white.equipment import Options as CoinOptions
from flicksim.games.tiddlywinks import equipment as mat_kit
from flicksim.games.tiddlywinks.options import Options as WinkOptions
from flicksim.table import Flick, Piece, Scene, Squidge
from flicksim.table.pile import beneath

Array = npt.NDArray[np.float32]
Action = npt.NDArray[np.float64]
Shot = Flick | Squidge


class Ended(Protocol):
    """What is known of a shot that is over; a `Motion` knows it."""

    @property
    def flick(self) -> Shot: ...
    @property
    def after(self) -> Scene: ...


class Task(Protocol):
    """A kind of shot.

    Args:
        sees: least and most of each number that is seen. does: what each number of an action is called.
    """

    @property
    def sees(self) -> tuple[tuple[float, float], ...]: ...
    @property
    def does(self) -> tuple[str, ...]: ...

    def lay(self, rng: np.random.Generator) -> Scene:
        """What lies there this time."""

    def look(self, scene: Scene) -> list[float]:
        """What is seen of it."""

    def shot(self, scene: Scene, action: Action) -> tuple[Scene, Shot]:
        """What an action in [-1, 1] means there: the table as it lies when the shot is made, and the shot."""

    def worth(self, motion: Ended) -> tuple[float, dict[str, Any]]:
        """The reward, and what else is to be said of it."""


_RISE = (degrees(15.0), degrees(80.0))
_TUMBLE = (0.0, 100.0)
ASIDE = degrees(15.0)
"""How far to either side of the straight line a shot may be aimed [rad]."""
_WINKS = WinkOptions()
_MAT, _FIELD = mat_kit.mat(_WINKS), mat_kit.edges(_WINKS)


def span(low: float, high: float, number: Any) -> Any:
    """-1 to 1 as low to high; of a number or an array of them."""
    return low + (high - low) * (number + 1.0) / 2.0


def _squidge(scene: Scene, to: tuple[float, float], action: Action, speeds: tuple[float, float]) -> Squidge:
    """A squidge of the first wink towards a place."""
    wink = scene.pieces[0]
    straight = atan2(to[1] - wink.y, to[0] - wink.x)
    return Squidge(
        piece=wink.id,
        azimuth=straight + span(-ASIDE, ASIDE, float(action[0])),
        speed=span(*speeds, float(action[1])),
        elevation=span(*_RISE, float(action[2])),
        tumble=span(*_TUMBLE, float(action[3])),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pot:
    """Tiddlywinks: pot a wink that lies anywhere on the mat.

    Seen: x, y and distance from the pot's axis [m]; 1 for a large wink, else 0.
    Reward: 1 for a pot, else 0; with `shaping`, less that much for each metre the wink rests from the pot.

    Args:
        near, far: least and greatest distance from the pot's axis [m]. large: share of large winks.
    """

    near: float = 0.08
    far: float = 0.60
    large: float = 0.0
    shaping: float = 0.0
    does = ("aside", "speed", "elevation", "tumble")

    def __post_init__(self) -> None:
        if not mm(40.0) <= self.near < self.far <= mm(900.0):
            raise BadOption(f"near={self.near:g} and far={self.far:g} must lie in 0.04 to 0.9 m, the nearer first")
        if not 0.0 <= self.large <= 1.0:
            raise BadOption(f"large={self.large:g} must be a share, 0 to 1")

    @property
    def sees(self) -> tuple[tuple[float, float], ...]:
        """As `Task.sees`."""
        half = _MAT.outline[2]
        return ((-half[0], half[0]), (-half[1], half[1]), (0.0, hypot(*half)), (0.0, 1.0))

    def lay(self, rng: np.random.Generator) -> Scene:
        """One wink, at a distance drawn evenly, anywhere in the field that far from the pot."""
        name = "blue-1" if rng.random() < self.large else "blue-3"
        far = float(rng.uniform(self.near, self.far))
        while True:
            angle = float(rng.uniform(-pi, pi))
            wink = mat_kit.wink(_WINKS, name, (far * cos(angle), far * sin(angle)))
            if all(edge.inward(wink.at) > wink.radius for edge in _FIELD):
                return Scene(surface=_MAT, pieces=(wink,))

    def look(self, scene: Scene) -> list[float]:
        """As `Task.look`."""
        if not scene.pieces:  # it has left the mat
            x, y = _MAT.outline[2]
            return [x, y, hypot(x, y), 0.0]
        wink = scene.pieces[0]
        return [wink.x, wink.y, hypot(wink.x, wink.y), float(wink.kind == "large")]

    def shot(self, scene: Scene, action: Action) -> tuple[Scene, Shot]:
        """Speed 0.4 to 3.4 m/s, up to 15 degrees beside the line to the pot."""
        return scene, _squidge(scene, (0.0, 0.0), action, (0.4, 3.4))

    def worth(self, motion: Ended) -> tuple[float, dict[str, Any]]:
        """As `Task.worth`."""
        wink = _still_there(motion, motion.flick.piece)
        potted = wink is not None and wink.support == "pot"
        far = hypot(wink.x, wink.y) if wink is not None else mm(1000.0)
        return float(potted) - (0.0 if potted else self.shaping * far), {"potted": potted, "distance": far}


@dataclass(frozen=True, slots=True, kw_only=True)
class Squop:
    """Tiddlywinks: come to rest on an opposing wink.

    Seen: where the other lies from one's own, x and y, and how far off [m].
    Reward: 1 for a squop, else 0; with `shaping`, less that much for each metre between the two at rest.

    Args:
        near, far: least and greatest distance of the two [m].
    """

    near: float = 0.03
    far: float = 0.25
    shaping: float = 0.0
    does = ("aside", "speed", "elevation", "tumble")

    def __post_init__(self) -> None:
        if not mm(20.0) <= self.near < self.far <= mm(500.0):
            raise BadOption(f"near={self.near:g} and far={self.far:g} must lie in 0.02 to 0.5 m, the nearer first")

    @property
    def sees(self) -> tuple[tuple[float, float], ...]:
        """As `Task.sees`."""
        long, wide = _MAT.outline[2]
        return ((-2.0 * long, 2.0 * long), (-2.0 * wide, 2.0 * wide), (0.0, 2.0 * hypot(long, wide)))

    def lay(self, rng: np.random.Generator) -> Scene:
        """The other wink anywhere well inside the field and clear of the pot, one's own beside it."""
        while True:
            other = mat_kit.wink(_WINKS, "green-3", (float(rng.uniform(-0.8, 0.8)), float(rng.uniform(-0.4, 0.4))))
            far, angle = float(rng.uniform(self.near, self.far)), float(rng.uniform(-pi, pi))
            own = mat_kit.wink(_WINKS, "blue-3", (other.x + far * cos(angle), other.y + far * sin(angle)))
            clear_of_the_pot = min(hypot(other.x, other.y), hypot(own.x, own.y)) > mm(50.0)
            if clear_of_the_pot and all(edge.inward(wink.at) > wink.radius for edge in _FIELD for wink in (own, other)):
                return Scene(surface=_MAT, pieces=(own, other))

    def look(self, scene: Scene) -> list[float]:
        """As `Task.look`."""
        own, other = (_at(scene, name) for name in ("blue-3", "green-3"))
        return [other[0] - own[0], other[1] - own[1], distance(own, other)]

    def shot(self, scene: Scene, action: Action) -> tuple[Scene, Shot]:
        """Speed 0.2 to 2.2 m/s, up to 15 degrees beside the line to the other."""
        return scene, _squidge(scene, scene.piece("green-3").at, action, (0.2, 2.2))

    def worth(self, motion: Ended) -> tuple[float, dict[str, Any]]:
        """As `Task.worth`."""
        squopped = motion.after.has("blue-3") and "green-3" in beneath(motion.after.pieces, "blue-3")
        far = distance(_at(motion.after, "blue-3"), _at(motion.after, "green-3"))
        return float(squopped) - (0.0 if squopped else self.shaping * far), {"squopped": squopped, "distance": far}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Penny White: roll a penny up to the white, past what lies in the way.

    Seen: y of the white; x and y of every guard, 0 and 0 for one that is not there; all in metres.
    Reward: exp(-gap / 30 mm) of the edges at rest, 0 when penny or white has left the board.

    Args:
        guards: most opposing pennies that lie about; how many, and where, is drawn.
    """

    guards: int = 2
    does = ("start", "aside", "speed", "offset")

    def __post_init__(self) -> None:
        if not 0 <= self.guards <= 8:
            raise BadOption(f"guards={self.guards} must be 0 to 8")

    @property
    def sees(self) -> tuple[tuple[float, float], ...]:
        """As `Task.sees`."""
        wide, long = (mm(side) for side in COINS.board_mm)
        return ((0.0, long), *((0.0, wide), (0.0, long)) * self.guards)

    def lay(self, rng: np.random.Generator) -> Scene:
        """The white on the middle line past the 45 cm line; guards where they touch nothing."""
        numbers = rng.random(2 + 2 * self.guards).tolist()
        pieces = [white(white_at(numbers[0]))]
        for number in range(1, int(numbers[1] * (self.guards + 1)) + 1):
            at = guard_at(*numbers[2 * number : 2 * number + 2])
            while any(distance(at, piece.at) <= APART for piece in pieces):
                at = guard_at(*rng.random(2).tolist())
            pieces.append(guard(number, at))
        return Scene(surface=board_kit.board(COINS), pieces=tuple(pieces))

    def look(self, scene: Scene) -> list[float]:
        """As `Task.look`."""
        places = [_at(scene, f"red-{number}") for number in range(1, self.guards + 1)]
        return [_at(scene, board_kit.WHITE)[1], *(number for place in places for number in place)]

    def shot(self, scene: Scene, action: Action) -> tuple[Scene, Shot]:
        """From anywhere just behind the 5 cm line, up to 15 degrees beside the line to the white, 0.6 to 2.4 m/s."""
        aside, speed, offset = (float(number) for number in action[1:])
        start, target = start_at(float(action[0])), scene.piece(board_kit.WHITE)
        straight = atan2(target.y - start[1], target.x - start[0])
        azimuth = straight + span(-ASIDE, ASIDE, aside)
        flick = Flick(piece=PENNY, speed=span(*PUSH, speed), azimuth=azimuth, offset=span(*OFFSET, offset))
        return scene.with_piece(penny(start)), flick

    def worth(self, motion: Ended) -> tuple[float, dict[str, Any]]:
        """As `Task.worth`."""
        own, target = _still_there(motion, PENNY), _still_there(motion, board_kit.WHITE)
        gap = float("inf") if own is None or target is None else max(0.0, distance(own.at, target.at) - 2.0 * _SIZE)
        return closeness(gap), {"gap": gap}


COINS = CoinOptions()
PENNY = "blue-1"
PUSH, OFFSET = (0.6, 2.4), (-0.5, 0.5)
"""What -1 to 1 mean: speed [m/s], and where the nail strikes [radii]."""
_SIZE = board_kit.radius(COINS)
APART = 2.0 * _SIZE + mm(1.0)
"""How far the middles of guards are from all else, at least [m]."""


def white(at: tuple[float, float]) -> Piece:
    """The white, lying there."""
    return board_kit.coin(COINS, board_kit.WHITE, None, at)


def guard(number: int, at: tuple[float, float]) -> Piece:
    """An opposing penny, lying there."""
    return board_kit.coin(COINS, f"red-{number}", 1, at)


def penny(at: tuple[float, float]) -> Piece:
    """The penny that is flicked, lying there."""
    return board_kit.coin(COINS, PENNY, 0, at)


def white_at(number: Any) -> tuple[Any, Any]:
    """Where the white lies, by a number from 0 to 1 or an array of them [m, m]."""
    return board_kit.start_spot(COINS)[0], mm(470.0) + mm(290.0) * number


def guard_at(one: Any, other: Any) -> tuple[Any, Any]:
    """Where a guard lies, by two numbers from 0 to 1 or arrays of them [m, m]."""
    return _SIZE + (mm(COINS.board_mm[0]) - 2.0 * _SIZE) * one, mm(120.0) + mm(660.0) * other


def start_at(number: Any) -> tuple[Any, Any]:
    """Where the penny is flicked from, by the first number of an action or an array of them [m, m]."""
    return span(_SIZE, mm(COINS.board_mm[0]) - _SIZE, number), board_kit.start_spot(COINS)[1]


def closeness(gap: float) -> float:
    """What it is worth to come so near [m]."""
    return exp(-gap / mm(30.0))


def _still_there(motion: Ended, name: str) -> Piece | None:
    return motion.after.piece(name) if motion.after.has(name) else None


def _at(scene: Scene, name: str) -> tuple[float, float]:
    """Where a piece lies; the origin when it has left."""
    return scene.piece(name).at if scene.has(name) else (0.0, 0.0)


TASKS: dict[str, Callable[..., Task]] = {"Pot": Pot, "Squop": Squop, "Draw": Draw}
"""The kinds there are."""
