"""Variables and answers, as columns of the results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from flicksim.base.bounds import TITLE, Name, Title, bounded
from flicksim.base.codec import Value
from flicksim.base.kinds import Plain
from flicksim.lab.measure import Kind, plain
from flicksim.lab.spread import Spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A quantity that varies: where it stands in the experiment, and how it varies."""

    path: tuple[str, ...]
    spread: Spread

    @property
    def title(self) -> str:
        """The name for people."""
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


Role = Literal["index", "grid", "drawn", "noise", "answer", "failed"]


class Column(Value, frozen=True, kw_only=True):
    """A column of the results.

    Args:
        name: of the column. kind: what it holds. unit: of a number, where it is known.
        role: the shot's index; a quantity that goes through a grid, is drawn evenly, or is noise about a mean; an
            answer; or why the shot failed.
        title: what people call it.
    """

    name: Name
    kind: Kind
    role: Role
    title: Title
    unit: Name = ""

    @property
    def whole(self) -> bool:
        """True of the index of the shots."""
        return self.role == "index"


def axes_of(given: Mapping[str, Plain]) -> Iterator[Axis]:
    """The axes, in the order of the columns: that of the experiment as it is written.

    Args:
        given: the groups of an experiment: its hand, the fields of its flick, and so on.
    """

    def below(path: tuple[str, ...], value: Plain) -> Iterator[Axis]:
        if isinstance(value, Spread):
            yield Axis(path=path, spread=value)
        elif isinstance(value, Mapping):
            for name, part in sorted(value.items()):
                yield from below((*path, name), part)
        elif isinstance(value, tuple):
            for name, part in zip(("x", "y"), value, strict=False):
                yield from below((*path, name), part)

    for group in ("hand", "flick", "pieces", "settings", "pairings"):
        yield from below((group,), given[group])


def varied(axes: Iterable[Axis]) -> list[Column]:
    """The columns of what varies."""
    axes = list(axes)
    short = [axis.spread.called or axis.path[-1] for axis in axes]
    found = []
    for axis, name in zip(axes, short, strict=True):
        spread, unit = axis.spread, UNITS.get(axis.path[-1], "")
        name = plain(name if short.count(name) == 1 else "_".join(axis.path[1:]))
        kind: Kind = "text" if isinstance(spread.typical, str) else "number"
        role: Role = "grid" if spread.levels is not None else "drawn" if spread.uniform is not None else "noise"
        found.append(Column(name=name, kind=kind, role=role, title=bounded(axis.title, TITLE), unit=unit))
    return found


UNITS = {
    "speed": "m/s", "azimuth": "rad", "elevation": "rad", "turn": "rad", "lean": "rad", "tilt": "rad", "angle": "rad",
    "tumble": "rad/s", "x": "m", "y": "m", "z": "m", "beyond": "m", "drag": "", "press": "", "squidger": "m",
    "offset": "radii", "gravity": "m/s²", "rolling": "m", "radius": "m", "mass": "kg", "yield_speed": "m/s",
    "slant": "rad", "height": "m", "lift": "m", "askew": "rad", "twist": "rad", "aside": "m",
}  # fmt: skip
"""Units of quantities by the last word of their path; the rest are pure numbers."""
