"""Shot tasks: parameters, observation features, action dimensions and rewards of the single-shot environments."""

from dataclasses import dataclass, replace

import numpy as np

from flicksim.core.arrays import Bools, Floats
from flicksim.core.errors import InvalidOption
from flicksim.core.type_aliases import Action, Unchecked
from flicksim.core.units import deg2rad, mm
from flicksim.envs.features import Feature, bounded_feature
from flicksim.games.penny_white import equipment as board_kit
from flicksim.games.penny_white.equipment import Options as CoinOptions
from flicksim.games.tiddlywinks import equipment as mat_kit
from flicksim.games.tiddlywinks.equipment import Options as WinkOptions
from flicksim.scene import Piece


@dataclass(frozen=True, slots=True)
class ActionDimension:
    """Dimension of an action: -1 is `low` and 1 is `high`, in its unit."""

    name: str
    low: float
    high: float
    unit: str
    description: str

    def to_value(self, number: Unchecked) -> Action:
        """Convert a number in [-1, 1], or an array of them, to its unit."""
        return self.low + (self.high - self.low) * (number + 1.0) / 2.0


_MAX_AIM_OFFSET = deg2rad(15.0)
WINK_OPTIONS = WinkOptions()
MAT = mat_kit.mat_surface(WINK_OPTIONS)
_MAT_HALF_SIZE = MAT.outline[2]


def _aside_dimension(target: str) -> ActionDimension:
    description = f"how far left of the straight line to {target} it is aimed"
    return ActionDimension("aside", -_MAX_AIM_OFFSET, _MAX_AIM_OFFSET, "rad", description)


def _squidge_dimensions(target: str, min_speed: float, max_speed: float) -> tuple[ActionDimension, ...]:
    return (
        _aside_dimension(target),
        ActionDimension("speed", min_speed, max_speed, "m/s", "how fast it leaves"),
        ActionDimension("elevation", deg2rad(15.0), deg2rad(80.0), "rad", "how steeply it leaves"),
        ActionDimension("tumble", 0.0, 100.0, "rad/s", "its backspin"),
    )


def _check_task(task: "PotTask | SquopTask", lowest_mm: float, highest_mm: float) -> None:
    """Check the range of distances, which must lie in another, and the penalty."""
    if not mm(lowest_mm) <= task.min_distance < task.max_distance <= mm(highest_mm):
        raise InvalidOption(
            f"min_distance={task.min_distance:g} and max_distance={task.max_distance:g} must lie "
            f"in {mm(lowest_mm):g} to {mm(highest_mm):g} m, the nearer first"
        )
    if not 0.0 <= task.distance_penalty <= 1000.0:
        raise InvalidOption(f"distance_penalty={task.distance_penalty!r} must be 0 to 1000")


@dataclass(frozen=True, slots=True, kw_only=True)
class PotTask:
    """Tiddlywinks: pot a wink that lies anywhere on the mat.

    A shot is simulated until potted or missed; with `distance_penalty` to rest, which takes three times as long.

    Args:
        min_distance, max_distance: range of the distance from the pot's axis [m]. large_share: share of large winks.
        distance_penalty: taken off the reward for each metre a wink that is not potted rests from the pot.
    """

    min_distance: float = 0.08
    max_distance: float = 0.60
    large_share: float = 0.0
    distance_penalty: float = 0.0
    action_dimensions = _squidge_dimensions("the pot", 0.4, 3.4)

    def __post_init__(self) -> None:
        _check_task(self, 40.0, 900.0)
        if not 0.0 <= self.large_share <= 1.0:
            raise InvalidOption(f"large_share={self.large_share:g} must be a share, 0 to 1")

    @property
    def features(self) -> tuple[Feature, ...]:
        """Specification of each number of an observation."""
        long, half_width = (min(self.max_distance, half) for half in _MAT_HALF_SIZE)
        return (
            bounded_feature("x", -long, long, "m", "where the wink lies; the pot stands at 0, 0"),
            bounded_feature("y", -half_width, half_width, "m"),
            bounded_feature("distance", self.min_distance, self.max_distance, "m", "from the pot's axis"),
            Feature(name="large", description="1 for a large wink, 0 for a small one"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SquopTask:
    """Tiddlywinks: come to rest on an opposing wink.

    Args:
        min_distance, max_distance: range of the distance between the two winks [m].
        distance_penalty: taken off the reward for each metre between the two at rest, where there is no squop.
    """

    min_distance: float = 0.03
    max_distance: float = 0.25
    distance_penalty: float = 0.0
    action_dimensions = _squidge_dimensions("the other", 0.2, 2.2)

    def __post_init__(self) -> None:
        _check_task(self, 20.0, 500.0)

    @property
    def features(self) -> tuple[Feature, ...]:
        """Specification of each number of an observation."""
        long, half_width = _MAT_HALF_SIZE
        return (
            bounded_feature(
                "other x", -self.max_distance, self.max_distance, "m", "where the other wink lies from one's own"
            ),
            bounded_feature("other y", -self.max_distance, self.max_distance, "m"),
            bounded_feature("distance", self.min_distance, self.max_distance, "m", "of the two middles"),
            bounded_feature("own x", -long, long, "m", "where one's own wink lies; the pot stands at 0, 0"),
            bounded_feature("own y", -half_width, half_width, "m"),
        )


COIN_OPTIONS = CoinOptions()
PENNY_ID = "blue-1"
COIN_RADIUS = board_kit.radius(COIN_OPTIONS)
MIN_SPACING = 2.0 * COIN_RADIUS + mm(1.0)
"""Least distance of the middles of guards from all else [m]."""
MIDDLE_LINE, START_LINE = board_kit.start_spot(COIN_OPTIONS)
"""Middle line, and the start of a penny up the board [m]."""
_HALF_WIDTH = MIDDLE_LINE - COIN_RADIUS
"""Distance from the middle line of a penny that touches the edge [m]."""
WHITE_RANGE = (mm(470.0), mm(760.0))
"""Range of the white's place up the board, from and to [m]."""
GUARD_RANGE = (mm(120.0), mm(780.0))
"""The same for guards [m]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawTask:
    """Penny White: roll a penny up to the white, past guards.

    Args:
        guards: most opposing pennies that lie about; how many, and where, is drawn.
    """

    guards: int = 2
    action_dimensions = (
        ActionDimension("start", -_HALF_WIDTH, _HALF_WIDTH, "m", "how far right of the middle line it starts"),
        _aside_dimension("the white"),
        ActionDimension("speed", 0.6, 2.4, "m/s", "how fast it leaves"),
        ActionDimension("offset", -0.5, 0.5, "radii", "how far left of its middle it is struck: it spins"),
    )

    def __post_init__(self) -> None:
        if not (isinstance(self.guards, int) and 0 <= self.guards <= 8):
            raise InvalidOption(f"guards={self.guards!r} must be a whole number, 0 to 8")

    @property
    def features(self) -> tuple[Feature, ...]:
        """Specification of each number of an observation."""
        low, high = GUARD_RANGE[0] - WHITE_RANGE[1], GUARD_RANGE[1] - WHITE_RANGE[0]
        guard = (
            Feature(name="there", description="1 where that guard lies on the board; else all three are 0"),
            Feature(
                name="across", unit="m", low=-_HALF_WIDTH, high=_HALF_WIDTH, description="right of the middle line"
            ),
            Feature(name="beyond", unit="m", low=low, high=high, description="farther up than the white"),
        )
        return (
            bounded_feature("white", *WHITE_RANGE, "m", "how far up the board the white lies"),
            *(replace(one, name=f"guard {k}: {one.name}") for k in range(1, self.guards + 1) for one in guard),
        )


def white_position(number: Unchecked) -> tuple[Unchecked, Unchecked]:
    """Position of the white from a number in 0 to 1, or an array of them [m, m]."""
    return MIDDLE_LINE, WHITE_RANGE[0] + (WHITE_RANGE[1] - WHITE_RANGE[0]) * number


def guard_position(u: Unchecked, v: Unchecked) -> tuple[Unchecked, Unchecked]:
    """Position of a guard from two numbers in 0 to 1, or arrays of them [m, m]."""
    return COIN_RADIUS + 2.0 * _HALF_WIDTH * u, GUARD_RANGE[0] + (GUARD_RANGE[1] - GUARD_RANGE[0]) * v


def make_coins(guards: int) -> tuple[Piece, ...]:
    """The white, the penny that is flicked and the guards, at provisional places."""
    white = board_kit.coin(COIN_OPTIONS, board_kit.WHITE, None, white_position(0.0))
    penny = board_kit.coin(COIN_OPTIONS, PENNY_ID, 0, (MIDDLE_LINE, START_LINE))
    guard_coins = (board_kit.coin(COIN_OPTIONS, f"red-{k + 1}", 1, guard_position(0.0, k / 8.0)) for k in range(guards))
    return (white, penny, *guard_coins)


def in_field_of_play(x: Floats, y: Floats, radius: float) -> Bools:
    """Mask of winks wholly in the field of play."""
    mask = np.ones(len(x), np.bool_)
    for edge in mat_kit.edges(WINK_OPTIONS):
        mask &= edge.inward((x, y)) > radius  # type: ignore[arg-type]  # plain arithmetic: of arrays as of numbers
    return mask


ShotTask = PotTask | SquopTask | DrawTask
TASKS: dict[str, type[PotTask] | type[SquopTask] | type[DrawTask]]
TASKS = {"Pot": PotTask, "Squop": SquopTask, "Draw": DrawTask}
"""Shot tasks by name."""
