"""Options of Ice Tiddly Winks: what the rules leave open, with default and ledger row."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from flicksim.core.units import mm
from flicksim.referee import GameOptions, option_help
from flicksim.scene import DEFAULT_DENSITY, SIZES, PyramidSet, PyramidShape, standard_shape

_Millimetres = Annotated[float, Meta(ge=4.0, le=200.0)]
_NARROWEST = 100.0
"""Smallest distance between the start lines [mm]."""


class Options(GameOptions, frozen=True, kw_only=True):
    """Options of Ice Tiddly Winks."""

    ADDED_LATER: ClassVar[frozenset[str]] = frozenset({"prop"})

    table: Annotated[Literal["rectangle", "round"], option_help("shape of the table (ITW-2a)")] = "rectangle"
    table_mm: Annotated[
        tuple[Annotated[float, Meta(ge=300.0, le=3000.0)], Annotated[float, Meta(ge=300.0, le=3000.0)]],
        option_help("table, width and length [mm]; a round one has the width for its diameter (ITW-2a)"),
    ] = (900.0, 900.0)
    top: Annotated[Literal["wood", "polished", "slate", "cloth"], option_help("what the table is topped with")] = "wood"
    sizes_mm: Annotated[
        tuple[_Millimetres, _Millimetres, _Millimetres, _Millimetres, _Millimetres, _Millimetres] | None,
        option_help(
            "base and height of small, medium and large pieces [mm]; none keeps those of Icehouse pieces (ITW-1b)"
        ),
    ] = None
    wall_mm: Annotated[
        Annotated[float, Meta(ge=0.5, le=6.0)], option_help("thickness of their walls [mm] (ITW-1b)")
    ] = 2.24
    density: Annotated[
        Annotated[float, Meta(ge=200.0, le=9000.0)], option_help("density of what they are made of [kg/m^3] (ITW-1b)")
    ] = DEFAULT_DENSITY
    start_line_mm: Annotated[
        Annotated[float, Meta(ge=40.0, le=600.0)],
        option_help("start lines so far in from the table's edge [mm] (ITW-2c)"),
    ] = 150.0
    markers: Annotated[bool, option_help("start lines are marked on the table, or imaginary (ITW-2d)")] = False
    stash_bodies: Annotated[
        bool, option_help("pieces not yet launched stand in the stash areas and can be hit, or are kept off (ITW-2e)")
    ] = False
    bad_hold: Annotated[
        Literal["return", "refuse"],
        option_help(
            "launcher held outside the own stash area: the missile is handed back, or may not be launched (ITW-5a)"
        ),
    ] = "return"
    landing: Annotated[
        Literal["rest", "first_touch"],
        option_help("a missile has landed where it rests, or where it first touches (ITW-5c)"),
    ] = "rest"
    line: Annotated[
        Literal["wholly_beyond", "middle"],
        option_help("the whole missile must be beyond the own start line, or its middle (ITW-5c)"),
    ] = "wholly_beyond"
    knock_off: Annotated[
        Literal["return", "lost"],
        option_help("a piece later knocked off the table goes back to its owner to be launched, or is lost (ITW-6c)"),
    ] = "return"
    knock_into_stash: Annotated[
        Literal["stays", "return"],
        option_help("a piece later knocked into its owner's stash area stays there, or goes back to him (ITW-6c)"),
    ] = "stays"
    disturb: Annotated[
        Literal["restore", "stands"],
        option_help("pieces owned up to have been moved by a hand: put back as they lay, or left as they lie (ITW-3a)"),
    ] = "restore"
    upright_deg: Annotated[
        Annotated[float, Meta(ge=0.0, le=40.0)], option_help("a piece leaning by no more than this is upright (ITW-7e)")
    ] = 10.0
    lean_deg: Annotated[
        Annotated[float, Meta(ge=0.0, le=90.0)],
        option_help("a piece with its base on another that is not upright may lean by less than this (ITW-7f)"),
    ] = 60.0
    prop: Annotated[
        Literal["scoreless", "not_upright"],
        option_help(
            "prop that doubles what stands on it: one that scores nothing itself, or any that is not upright (ITW-7f)"
        ),
    ] = "scoreless"
    tie: Annotated[
        Literal["joint", "upright"], option_help("level: joint winners, or whoever has more pieces standing (ITW-7h)")
    ] = "joint"

    def check_combination(self) -> None:
        """Check that missiles have room to land and that the pieces are possible."""
        extent = min(self.table_mm) if self.table == "rectangle" else self.table_mm[0]
        if extent - 2.0 * self.start_line_mm < _NARROWEST:
            raise ValueError(
                f"a table {extent:g} mm across with start lines {self.start_line_mm:g} mm in leaves no middle to land on; "
                f"with that table they may be at most {(extent - _NARROWEST) / 2.0:g} mm in"
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
