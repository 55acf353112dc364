"""Features of observations: name, unit, bounds and scaling of each number; checks of action arrays."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box

from flicksim.core.arrays import Bools
from flicksim.core.errors import InvalidInput, InvalidOption
from flicksim.core.serialization import StringValue
from flicksim.core.type_aliases import Action, JsonValue, Unchecked, View

Array = npt.NDArray[np.float32]
InfoColumns = dict[str, tuple[npt.NDArray[Any], Bools]]
"""Info arrays of many shots: by name the values, and a mask of the rows that have one."""

LOG_SCALE_MAX = 1e4
"""Unbounded features are log-scaled, and clipped to 1 from here on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """Specification of one number of an observation.

    Scaled as (value - centre) / scale, clipped to [-1, 1]. So a missing value, 0, stays 0 unless there is a centre.

    Args:
        name: its name. unit: "m", "rad" and the like; "" for a count, a share, a boolean.
        low, high: bounds in its unit; infinite where it has none.
        centre: value scaled to 0. half_range: distance from there that is scaled to 1; None: that of the farther bound.
        description: for people, where the name does not say it.
    """

    name: str
    unit: str = ""
    low: float = 0.0
    high: float = 1.0
    centre: float = 0.0
    half_range: float | None = None
    description: str = ""

    @property
    def is_log_scaled(self) -> bool:
        """True where it is scaled as sign(x) ln(1 + |x|) / ln(1 + `LOG_SCALE_MAX`)."""
        return self.half_range is None and max(-self.low, self.high) == inf

    @property
    def scale(self) -> float:
        """Distance from the centre that is scaled to 1; of a log-scaled feature, the logarithm of that."""
        if self.is_log_scaled:
            return float(np.log1p(LOG_SCALE_MAX))
        return max(self.high - self.centre, self.centre - self.low) if self.half_range is None else self.half_range


def bounded_feature(name: str, low: float, high: float, unit: str, description: str = "") -> Feature:
    """Feature scaled from its bounds to [-1, 1]."""
    return Feature(name=name, unit=unit, low=low, high=high, centre=(low + high) / 2.0, description=description)


def unbounded_feature(name: str) -> Feature:
    """Feature without bounds, log-scaled."""
    return Feature(name=name, low=-inf, high=inf)


class FeatureScaler:
    """Scaler of features to [-1, 1], and their observation space.

    Args:
        features: in order. raw: leave values unscaled, in their units.

    Raises:
        InvalidOption: `raw` is neither True nor False.
    """

    def __init__(self, features: Sequence[Feature], *, raw: bool) -> None:
        if not isinstance(raw, bool | np.bool_):
            raise InvalidOption(f"raw={raw!r} must be True or False")
        self.features, self._raw = tuple(features), raw
        self._centre = np.array([number.centre for number in features])
        self._scale = np.array([number.scale for number in features])
        self._log_scaled = np.flatnonzero([number.is_log_scaled for number in features])
        low, high = np.array([(number.low, number.high) for number in features]).T
        if not raw:
            low, high = self._scaled(low), self._scaled(high)
        # rounded outwards to 32 bits, so that a value on a bound lies within it
        self.space: Box[np.float32] = Box(
            _round_outwards(low, -np.inf), _round_outwards(high, np.inf), dtype=np.float32
        )

    def transform(self, values: npt.ArrayLike) -> Array:
        """Scale feature values to an observation. [..., N]"""
        array = np.asarray(values, dtype=np.float64)
        scaled: Array = (array if self._raw else self._scaled(array)).astype(np.float32)
        return scaled

    def _scaled(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        scaled = values - self._centre
        if len(self._log_scaled):
            unbounded = values[..., self._log_scaled]
            scaled[..., self._log_scaled] = np.sign(unbounded) * np.log1p(np.abs(unbounded))
        scaled /= self._scale
        clipped: npt.NDArray[np.float64] = np.clip(scaled, -1.0, 1.0)
        return clipped


def _round_outwards(bounds: npt.NDArray[np.float64], direction: float) -> Array:
    rounded = bounds.astype(np.float32)
    is_inside = rounded < bounds if direction > 0.0 else rounded > bounds
    return np.where(is_inside, np.nextafter(rounded, np.float32(direction)), rounded).astype(np.float32)


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """A group of features, and the function that encodes them from the view of a seat."""

    features: tuple[Feature, ...]
    encode: Callable[[View, int], list[float]]


def boolean_features(names: Iterable[str]) -> tuple[Feature, ...]:
    """Features that are 1 for true and 0 for false."""
    return tuple(Feature(name=name) for name in names)


def one_hot(index: int, length: int) -> list[float]:
    """One-hot encoding of an index."""
    return [float(k == index) for k in range(length)]


def relative_seat_name(offset: int, seats: int) -> str:
    """Name of the seat at an offset from the observer's."""
    return "me" if not offset else f"seat +{offset}" if seats > 2 else "the other"


def card_faces(kind: type[StringValue]) -> tuple[JsonValue, ...]:
    """Faces of a kind of cards or tiles by index."""
    faces_by_name: dict[str, JsonValue] = kind.by_name  # type: ignore[attr-defined]
    return tuple(sorted(faces_by_name.values(), key=lambda face: face.index))


def count_features(kind: type[StringValue], path: str, get: Callable[[View, int], Iterable[JsonValue]]) -> FeatureGroup:
    """Features that count each card or tile."""
    known = card_faces(kind)

    def write(view: View, seat: int) -> list[float]:
        counts = [0.0] * len(known)
        for face in get(view, seat):
            counts[face.index] += 1.0
        return counts

    return FeatureGroup(tuple(Feature(name=f"{path}: {face}", high=inf, half_range=1.0) for face in known), write)


def clip_action(action: Action, names: Sequence[str]) -> npt.NDArray[np.float64]:
    """Check an action and clip it to [-1, 1]. [len(names)]

    Raises:
        InvalidInput: it is of another length, or not of numbers.
    """
    try:
        array = np.asarray(action, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if array.shape != (len(names),):
        raise InvalidInput(f"action {_short(action)} must be an array of {len(names)} numbers: {', '.join(names)}")
    if np.isnan(array).any():
        raise InvalidInput(
            f"action {_short(action)} must be numbers in -1 to 1; {names[int(np.isnan(array).argmax())]!r} is NaN"
        )
    return array.clip(-1.0, 1.0)


def clip_actions(actions: Action, names: Sequence[str], count: int) -> npt.NDArray[np.float64]:
    """Check `count` actions, a row each, and clip them. [count, len(names)]

    Raises:
        InvalidInput: they are not one row for each, or not of numbers.
    """
    shape = (count, len(names))
    try:
        array = np.asarray(actions, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(f"actions {_short(actions)} must be numbers of shape {shape}, a row each") from None
    if array.shape != shape:
        raise InvalidInput(f"actions of shape {array.shape} must be of {shape}, a row each")
    for row in np.flatnonzero(np.isnan(array).any(axis=1)):
        clip_action(array[row], names)  # raises for this row
    return array.clip(-1.0, 1.0)


def _short(value: Unchecked) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
