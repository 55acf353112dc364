"""What varies and what is answered, as columns of the results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flicksim.base.codec import Value
from flicksim.lab.measure import Kind
from flicksim.lab.spread import Spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A quantity that varies: where it stands in the experiment, and how it varies."""

    path: tuple[str, ...]
    spread: Spread

    @property
    def title(self) -> str:
        """What people call it."""
        match self.path:
            case _ if self.spread.called:
                return self.spread.called
            case ("pieces", piece, name):
                return f"{name} of {piece}"
            case ("pairings", pair, name):
                return f"{name.replace('_', ' ')}, {pair.replace('|', ' on ')}"
            case ("flick", name, part):
                return f"{name} {part}"
        return self.path[-1].replace("_", " ")


class Column(Value, frozen=True, kw_only=True):
    """A column of the results.

    Args:
        name: of the column. kind: what it holds. unit: of a number, where it is known.
        role: the shot's index; a quantity that goes through a grid, is drawn evenly, or is noise about a mean; an
            answer; or why the shot failed.
        title: what people call it.
    """

    name: str
    kind: Kind
    role: Literal["index", "grid", "drawn", "noise", "answer", "failed"]
    title: str
    unit: str = ""


UNITS = {
    "speed": "m/s", "azimuth": "rad", "elevation": "rad", "turn": "rad", "lean": "rad", "tilt": "rad", "angle": "rad",
    "tumble": "rad/s", "x": "m", "y": "m", "z": "m", "beyond": "m", "drag": "", "press": "", "squidger": "m",
    "offset": "radii", "gravity": "m/s²", "rolling": "m", "radius": "m", "mass": "kg", "yield_speed": "m/s",
    "slant": "rad", "height": "m", "lift": "m", "askew": "rad", "twist": "rad", "aside": "m",
}  # fmt: skip
"""Units of quantities by the last word of their path; the rest are pure numbers."""
