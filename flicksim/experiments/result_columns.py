"""Axes (varying parameters) and columns of the results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from flicksim.core.limits import MAX_TITLE_LENGTH, Name, Title, truncate_middle
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import JsonValue
from flicksim.experiments.measure import ColumnKind, column_name
from flicksim.experiments.old_words import ERROR_COLUMN, draw_order, old_path
from flicksim.experiments.parameter_spec import ParameterSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A varying parameter: its path in the experiment and its specification."""

    path: tuple[str, ...]
    spec: ParameterSpec

    @property
    def title(self) -> str:
        """Title for display."""
        match self.path:
            case _ if self.spec.name:
                return self.spec.name
            case ("pieces", piece, name):
                return f"{name} of {piece}"
            case ("pairings", pair, name):
                return f"{name.replace('_', ' ')}, {pair.replace('|', ' on ')}"
            case ("flick", name, part):
                return f"{name} {part}"
        return self.path[-1].replace("_", " ")


Role = Literal["index", "grid", "random", "noise", "measure", "error"]


class Column(Value, frozen=True, kw_only=True):
    """A column of the results.

    Args:
        name: of the column. kind: type of its values. unit: of a number, if known.
        role: index of the shot; parameter of a grid, uniform or normal; measure; or error message of the shot.
        title: title for display.
    """

    name: Name
    kind: ColumnKind
    role: Role
    title: Title
    unit: Name = ""

    @property
    def is_integer(self) -> bool:
        """True of the index of the shots."""
        return self.role == "index"


AXIS_GROUPS = ("hand", "flick", "pieces", "settings", "pairings")
"""Fields of an experiment that hold its axes, in the order of the columns."""


def replace_axes(groups: Mapping[str, JsonValue], replace: Callable[[Axis], object]) -> dict[str, JsonValue]:
    """Copy the groups of an experiment with each axis replaced, in the order of the columns.

    Args:
        groups: values of the fields `AXIS_GROUPS`. replace: called with each axis; returns what stands for it.
    """

    def below(path: tuple[str, ...], value: JsonValue) -> JsonValue:
        if isinstance(value, ParameterSpec):
            return replace(Axis(path=path, spec=value))
        if isinstance(value, Mapping):
            key = draw_order if path in (("flick",), ("settings",)) else str
            return {name: below((*path, name), value[name]) for name in sorted(value, key=key)}
        if isinstance(value, tuple):
            return tuple(below((*path, name), part) for name, part in zip(("x", "y"), value, strict=True))
        return value

    return {group: below((group,), groups[group]) for group in AXIS_GROUPS}


def axes_of(experiment: object) -> list[Axis]:
    """Axes of an experiment, in the order of the columns."""
    axes: list[Axis] = []
    replace_axes({group: getattr(experiment, group) for group in AXIS_GROUPS}, axes.append)
    return axes


def axis_columns(axes: Sequence[Axis], *, old_names: bool = False) -> list[Column]:
    """Columns of the varying parameters.

    Args:
        axes: the parameters. old_names: names of release 0.1.0.
    """
    paths = [old_path(axis.path) if old_names else axis.path for axis in axes]
    short = [axis.spec.name or path[-1] for axis, path in zip(axes, paths, strict=True)]
    columns = []
    for axis, path, name in zip(axes, paths, short, strict=True):
        spec, unit = axis.spec, UNITS.get(axis.path[-1], "")
        name = column_name(name if short.count(name) == 1 else "_".join(path[1:]))
        kind: ColumnKind = "text" if isinstance(spec.typical, str) else "number"
        role: Role = "grid" if spec.levels is not None else "random" if spec.uniform is not None else "noise"
        columns.append(
            Column(name=name, kind=kind, role=role, title=truncate_middle(axis.title, MAX_TITLE_LENGTH), unit=unit)
        )
    return columns


def has_old_names(columns: Sequence[Column]) -> bool:
    """True of the columns of a results folder of release 0.1.0."""
    return any(column.name == ERROR_COLUMN for column in columns[-1:])


UNITS = {
    "speed": "m/s", "azimuth": "rad", "elevation": "rad", "turn": "rad", "lean": "rad", "tilt": "rad", "angle": "rad",
    "tumble": "rad/s", "x": "m", "y": "m", "z": "m", "overshoot": "m", "aim_offset": "rad", "drag": "", "press": "",
    "squidger": "m", "offset": "radii", "gravity": "m/s²", "rolling_resistance": "m", "radius": "m",
    "mass": "kg", "yield_speed": "m/s",
    "slant": "rad", "height": "m", "lift": "m", "askew": "rad", "twist": "rad", "aside": "m",
}  # fmt: skip
"""Units of quantities by the last word of their path; all others are dimensionless."""
