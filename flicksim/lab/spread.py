"""A number that is not one number: a grid to go through, or a distribution to draw from."""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, inf, sqrt

import numpy as np

from flicksim.base.bounds import NUMBER, Title, bounded
from flicksim.base.codec import Value
from flicksim.base.errors import BadQuestion

Level = int | float | str

_FAR = 5.0
"""Number of standard deviations off that a normal draw may be expected to fall, in as many shots as anybody will ask
for."""
_RARE = 1e-3
"""A distribution of which less than this lies within its limits would be drawn in vain too often."""


class Spread(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The way a quantity varies from shot to shot: exactly one of the first four.

    Args:
        grid: values gone through in turn; several grids are crossed.
        steps: the same, as from, to, how many.
        uniform: from, to.
        normal: mean, standard deviation.
        within: limits of a normal distribution; what falls outside is drawn again.
        called: its name in tables and pictures, where another says more than the field it fills.

    Raises:
        BadQuestion: it cannot be drawn from; says why not.
    """

    grid: tuple[Level, ...] | None = None
    steps: tuple[float, float, int] | None = None
    uniform: tuple[float, float] | None = None
    normal: tuple[float, float] | None = None
    within: tuple[float, float] | None = None
    called: Title = ""

    def __post_init__(self) -> None:
        given = [name for name in ("grid", "steps", "uniform", "normal") if getattr(self, name) is not None]
        if len(given) != 1:
            found = " and ".join(given) or "none of them"
            raise BadQuestion(f"a quantity varies by one of grid, steps, uniform, normal; here is {found}")
        numbers = [v for v in (*self._numbers(), *(self.within or ())) if not isinstance(v, str)]
        if not all(-NUMBER <= value <= NUMBER for value in numbers):
            shown = bounded(repr(list(getattr(self, given[0]))), 100)
            raise BadQuestion(f"{given[0]} {shown} must be finite, of numbers from {-NUMBER:g} to {NUMBER:g}")
        if self.within is not None and self.normal is None:
            raise BadQuestion("within limits a normal distribution only; the others have limits of their own")
        if self.grid is not None and (not self.grid or len(set(self.grid)) < len(self.grid)):
            raise BadQuestion(f"grid {list(self.grid)!r} needs at least one value, and each only once")
        if self.grid is not None and len({isinstance(value, str) for value in self.grid}) > 1:
            raise BadQuestion(f"grid {list(self.grid)!r} must be all numbers or all words")
        if self.steps is not None and not (2 <= self.steps[2] <= 10_000 and self.steps[0] != self.steps[1]):
            raise BadQuestion(f"steps {list(self.steps)!r} must be from, to, and how many: 2 to 10000")
        if self.uniform is not None and not self.uniform[0] < self.uniform[1]:
            raise BadQuestion(f"uniform {list(self.uniform)!r} must go from less to more")
        if self.normal is not None and not self.normal[1] > 0.0:
            raise BadQuestion(f"normal {list(self.normal)!r} needs a standard deviation above 0")
        if self.within is not None and not self._share() > _RARE:
            raise BadQuestion(f"normal {list(self.normal or ())!r} would hardly ever fall within {list(self.within)!r}")

    def _numbers(self) -> Sequence[Level]:
        return self.grid or self.steps or self.uniform or self.normal or ()

    def _share(self) -> float:
        """The share of the normal distribution that lies within the limits."""
        assert self.normal is not None
        assert self.within is not None
        low, high = ((edge - self.normal[0]) / self.normal[1] / sqrt(2.0) for edge in self.within)
        return 0.5 * (erf(high) - erf(low))

    @property
    def levels(self) -> tuple[Level, ...] | None:
        """The values of a grid; None where values are drawn."""
        if self.steps is not None:
            low, high, count = self.steps
            return tuple(round(low + (high - low) * k / (count - 1), 12) for k in range(count))
        return self.grid

    @property
    def typical(self) -> Level:
        """A value from its middle."""
        if self.levels is not None:
            return self.levels[len(self.levels) // 2]
        if self.uniform is not None:
            return 0.5 * (self.uniform[0] + self.uniform[1])
        assert self.normal is not None
        low, high = self.within or (-inf, inf)
        return min(max(self.normal[0], low), high)

    @property
    def extremes(self) -> tuple[Level, ...]:
        """Values at its edges: whatever these allow, all it brings allows."""
        if self.levels is not None:
            return self.levels
        if self.uniform is not None:
            return self.uniform
        assert self.normal is not None
        mean, sd = self.normal
        return self.within or (mean - _FAR * sd, mean + _FAR * sd)

    def draw(self, rng: np.random.Generator) -> float:
        """One value of a distribution."""
        if self.uniform is not None:
            return float(rng.uniform(*self.uniform))
        assert self.normal is not None
        value = float(rng.normal(*self.normal))
        if self.within is not None:
            while not self.within[0] <= value <= self.within[1]:
                value = float(rng.normal(*self.normal))
        return value

    def __str__(self) -> str:
        for name in ("grid", "steps", "uniform", "normal"):
            if (values := getattr(self, name)) is not None:
                limits = f" within {list(self.within)}" if self.within is not None else ""
                return f"{name} {list(values)}{limits}"
        return "nothing"


Quantity = int | float | str | Spread
"""A fixed number or word, or one that varies."""
