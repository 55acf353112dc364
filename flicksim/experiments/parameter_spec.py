"""Varying parameters of an experiment: a grid of levels, or a distribution sampled for every shot."""

from collections.abc import Callable, Sequence
from math import erf, inf, sqrt
from numbers import Integral
from typing import ClassVar

import numpy as np

from flicksim.core.errors import InvalidExperiment
from flicksim.core.limits import MAX_NUMBER, Title, truncate_middle
from flicksim.core.serialization import RenamedFields, Value
from flicksim.core.validation import is_real_number, short_repr
from flicksim.experiments.old_words import PARAMETER_KEYS

Level = int | float | str
_KINDS = ("values", "linspace", "uniform", "normal")
_MAX_SIGMAS = 5.0
"""Standard deviations within which all draws of a normal distribution are expected to lie."""
_MIN_ACCEPTANCE = 1e-3
"""Least share of a normal distribution within its limits; rejection sampling would take too long below."""


def _are_levels(values: Sequence[object]) -> bool:
    return all(isinstance(level, str) or is_real_number(level) for level in values)


def _are_steps(values: Sequence[object]) -> bool:
    return len(values) == 3 and all(is_real_number(value) for value in values) and isinstance(values[2], Integral)


def _are_two_numbers(values: Sequence[object]) -> bool:
    return len(values) == 2 and all(is_real_number(value) for value in values)


_FORMS: dict[str, tuple[str, Callable[[Sequence[object]], bool]]] = {
    "values": ("numbers or strings, as values=(1, 2)", _are_levels),
    "linspace": ("start, stop and number of levels, as linspace=(0.0, 1.0, 5)", _are_steps),
    "uniform": ("lower and upper bound, as uniform=(-1.0, 1.0)", _are_two_numbers),
    "normal": ("mean and standard deviation, as normal=(0.0, 1.0)", _are_two_numbers),
    "truncate": ("lower and upper limit, as truncate=(-2.0, 2.0)", _are_two_numbers),
}
"""Form of each field in words with an example, and its check.

Forms are validated when a value is decoded, but not when it is made in Python.
"""


class ParameterSpec(Value, metaclass=RenamedFields, frozen=True, kw_only=True, omit_defaults=True):
    """A varying parameter: exactly one of `values`, `linspace`, `uniform` and `normal`.

    Args:
        values: levels of a grid; several grids are crossed.
        linspace: the same, evenly spaced: start, stop, number of levels.
        uniform: lower and upper bound of a uniform distribution.
        normal: mean and standard deviation of a normal distribution.
        truncate: limits of a normal distribution; values outside are drawn again.
        name: name in tables and plots, by default the name of the field.

    Raises:
        InvalidExperiment: the specification is invalid; the message says what would be right.
    """

    old_keywords: ClassVar[dict[str, str]] = PARAMETER_KEYS
    argument_error: ClassVar[type[Exception]] = InvalidExperiment

    values: tuple[Level, ...] | None = None
    linspace: tuple[float, float, int] | None = None
    uniform: tuple[float, float] | None = None
    normal: tuple[float, float] | None = None
    truncate: tuple[float, float] | None = None
    name: Title = ""

    def __post_init__(self) -> None:
        for name, (form, is_right) in _FORMS.items():
            value = getattr(self, name)
            if value is not None and not (isinstance(value, tuple | list) and is_right(value)):
                found = truncate_middle(repr(value), 100) if isinstance(value, tuple | list) else short_repr(value)
                raise InvalidExperiment(f"{name} {found} must be {form}")
        forms = [kind for kind in _KINDS if getattr(self, kind) is not None]
        if len(forms) != 1:
            shown_forms = " and ".join(forms) or "none of them"
            raise InvalidExperiment(f"a parameter varies by one of {', '.join(_KINDS)}; here is {shown_forms}")
        numbers = [v for v in (*getattr(self, forms[0]), *(self.truncate or ())) if not isinstance(v, str)]
        if not all(-MAX_NUMBER <= value <= MAX_NUMBER for value in numbers):
            shown = truncate_middle(repr(list(getattr(self, forms[0]))), 100)
            raise InvalidExperiment(
                f"{forms[0]} {shown} must be finite, of numbers from {-MAX_NUMBER:g} to {MAX_NUMBER:g}"
            )
        if self.truncate is not None and self.normal is None:
            raise InvalidExperiment("truncate applies to a normal distribution only")
        if self.values is not None or self.linspace is not None:
            self._check_levels()
        else:
            self._check_distribution()

    def _check_levels(self) -> None:
        """Raise InvalidExperiment unless a grid has distinct levels of one type."""
        if self.values is not None and (not self.values or len(set(self.values)) < len(self.values)):
            raise InvalidExperiment(f"values {list(self.values)!r} needs at least one value, and each only once")
        if self.values is not None and len({isinstance(value, str) for value in self.values}) > 1:
            raise InvalidExperiment(f"values {list(self.values)!r} must be all numbers or all strings")
        if self.linspace is not None and not (2 <= self.linspace[2] <= 10_000 and self.linspace[0] != self.linspace[1]):
            raise InvalidExperiment(f"linspace {list(self.linspace)!r} must be start, stop and 2 to 10000 levels")

    def _check_distribution(self) -> None:
        """Raise InvalidExperiment unless a distribution has a width, and its limits some of it."""
        if self.uniform is not None and not self.uniform[0] < self.uniform[1]:
            raise InvalidExperiment(f"uniform {list(self.uniform)!r} must be a lower and a higher bound")
        if self.normal is not None and not self.normal[1] > 0.0:
            raise InvalidExperiment(f"normal {list(self.normal)!r} needs a standard deviation above 0")
        if self.truncate is not None and not self._acceptance() > _MIN_ACCEPTANCE:
            raise InvalidExperiment(
                f"normal {list(self.normal or ())!r} would almost never fall within {list(self.truncate)!r}"
            )

    def _acceptance(self) -> float:
        """Share of the normal distribution within the limits."""
        assert self.normal is not None
        assert self.truncate is not None
        low, high = ((edge - self.normal[0]) / self.normal[1] / sqrt(2.0) for edge in self.truncate)
        return 0.5 * (erf(high) - erf(low))

    @property
    def levels(self) -> tuple[Level, ...] | None:
        """Values of a grid; None for a distribution."""
        if self.linspace is not None:
            low, high, count = self.linspace
            return tuple(round(low + (high - low) * k / (count - 1), 12) for k in range(count))
        return self.values

    @property
    def typical(self) -> Level:
        """Middle level of a grid, or mean of a distribution."""
        if self.levels is not None:
            return self.levels[len(self.levels) // 2]
        if self.uniform is not None:
            return 0.5 * (self.uniform[0] + self.uniform[1])
        assert self.normal is not None
        low, high = self.truncate or (-inf, inf)
        return min(max(self.normal[0], low), high)

    @property
    def extremes(self) -> tuple[Level, ...]:
        """Extreme values, for validation."""
        if self.levels is not None:
            return self.levels
        if self.uniform is not None:
            return self.uniform
        assert self.normal is not None
        mean, sd = self.normal
        return self.truncate or (mean - _MAX_SIGMAS * sd, mean + _MAX_SIGMAS * sd)

    def draw(self, rng: np.random.Generator) -> float:
        """Sample the distribution once."""
        if self.uniform is not None:
            return float(rng.uniform(*self.uniform))
        assert self.normal is not None
        value = float(rng.normal(*self.normal))
        if self.truncate is not None:
            while not self.truncate[0] <= value <= self.truncate[1]:
                value = float(rng.normal(*self.normal))
        return value

    def __str__(self) -> str:
        for kind in _KINDS:
            if (values := getattr(self, kind)) is not None:
                limits = f" truncated to {list(self.truncate)}" if self.truncate is not None else ""
                return f"{kind} {list(values)}{limits}"
        return "nothing"


ParameterValue = int | float | str | ParameterSpec
"""A fixed number or word, or one that varies."""
