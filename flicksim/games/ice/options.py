"""Options of Ice Tiddly Winks: what the rules leave open, with default and rule id."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from flicksim.core.units import mm
from flicksim.referee import GameOptions, load_option_help
from flicksim.scene import DEFAULT_DENSITY, SIZES, PyramidSet, PyramidShape, standard_shape

_Millimetres = Annotated[float, Meta(ge=4.0, le=200.0)]
_NARROWEST = 100.0
"""Smallest distance between the start lines [mm]."""


class Options(GameOptions, frozen=True, kw_only=True):
    """Options of Ice Tiddly Winks."""

    HELP: ClassVar[Mapping[str, str]] = load_option_help(Path(__file__).parent)
    ADDED_LATER: ClassVar[frozenset[str]] = frozenset({"prop"})

    table: Literal["rectangle", "round"] = "rectangle"
    table_mm: tuple[Annotated[float, Meta(ge=300.0, le=3000.0)], Annotated[float, Meta(ge=300.0, le=3000.0)]] = (
        900.0,
        900.0,
    )
    top: Literal["wood", "polished", "slate", "cloth"] = "wood"
    sizes_mm: tuple[_Millimetres, _Millimetres, _Millimetres, _Millimetres, _Millimetres, _Millimetres] | None = None
    wall_mm: Annotated[float, Meta(ge=0.5, le=6.0)] = 2.24
    density: Annotated[float, Meta(ge=200.0, le=9000.0)] = DEFAULT_DENSITY
    start_line_mm: Annotated[float, Meta(ge=40.0, le=600.0)] = 150.0
    markers: bool = False
    stash_bodies: bool = False
    bad_hold: Literal["return", "refuse"] = "return"
    landing: Literal["rest", "first_touch"] = "rest"
    line: Literal["wholly_beyond", "middle"] = "wholly_beyond"
    knock_off: Literal["return", "lost"] = "return"
    knock_into_stash: Literal["stays", "return"] = "stays"
    disturb: Literal["restore", "stands"] = "restore"
    upright_deg: Annotated[float, Meta(ge=0.0, le=40.0)] = 10.0
    lean_deg: Annotated[float, Meta(ge=0.0, le=90.0)] = 60.0
    prop: Literal["scoreless", "not_upright"] = "scoreless"
    tie: Literal["joint", "upright"] = "joint"

    def check_combination(self) -> None:
        """Check that missiles have room to land and that the pieces are possible."""
        extent = min(self.table_mm) if self.table == "rectangle" else self.table_mm[0]
        if extent - 2.0 * self.start_line_mm < _NARROWEST:
            raise ValueError(
                f"a table {extent:g} mm across with start lines {self.start_line_mm:g} mm in leaves no middle to land "
                f"on; with that table they may be at most {(extent - _NARROWEST) / 2.0:g} mm in"
            )
        kit(self)


def kit(options: Options) -> PyramidSet:
    """Dimensions of the pieces (ITW-1b).

    Raises:
        ValueError: the pieces cannot be made so, or do not grow from small to large.
    """
    wall, density = mm(options.wall_mm), options.density
    if options.sizes_mm is None:
        small, medium, large = (standard_shape(size, wall, density) for size in SIZES)
    else:
        small, medium, large = (
            PyramidShape(pips=n + 1, base=mm(base), height=mm(height), wall=wall, density=density)
            for n, (base, height) in enumerate(zip(options.sizes_mm[::2], options.sizes_mm[1::2], strict=True))
        )
        if not (small.base <= medium.base <= large.base and small.height <= medium.height <= large.height):
            raise ValueError(f"sizes_mm {options.sizes_mm!r} must grow from small over medium to large")
    return PyramidSet(small=small, medium=medium, large=large)
