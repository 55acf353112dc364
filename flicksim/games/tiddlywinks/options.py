"""Options of tiddlywinks: what the rules leave open, with default and rule id."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from flicksim.referee import GameOptions, load_option_help


class Options(GameOptions, frozen=True, kw_only=True):
    """Options of tiddlywinks."""

    HELP: ClassVar[Mapping[str, str]] = load_option_help(Path(__file__).parent)
    seats: Literal[4, 2] = 4
    mat_material: Literal["felt", "blanket", "carpet", "rug", "bare"] = "felt"
    mat_size_mm: tuple[Annotated[float, Meta(ge=1000.0, le=4000.0)], Annotated[float, Meta(ge=600.0, le=4000.0)]] = (
        1828.8,
        914.4,
    )
    baseline_width_mm: Annotated[float, Meta(ge=0.0, le=10.0)] = 0.0
    pot_base_diameter_mm: Annotated[float, Meta(ge=30.0, le=60.0)] = 47.625
    pot_fixed: bool = True
    squidger_diameter_mm: Annotated[float, Meta(ge=25.4, le=50.8)] = 38.1
    simul_potout: Literal["rest_order", "average"] = "rest_order"
    stop_when_decided: bool = False
    squidgeoff_order: Literal["blue_first", "toss"] = "blue_first"
    squidgeoff_measure: Literal["edge", "centre"] = "edge"
    measure_tol_mm: Annotated[float, Meta(ge=0.001, le=5.0)] = 0.01
    allow_pass: bool = False
    boundary_return: Literal["ground_contact_out", "rest"] = "ground_contact_out"
    boundary_touch: Literal["out", "in"] = "out"
    unplayable_margin_mm: Annotated[float, Meta(ge=0.0, le=20.0)] = 2.0
    bring_in_short: Literal["literal", "stay"] = "literal"
    replace_measure: Literal["edge", "centre"] = "edge"
    miss_scope: Literal["next_shot", "next_turn"] = "next_shot"
    apart_measure: Literal["edge", "centre"] = "edge"
    stroke_max_mm: Annotated[float, Meta(ge=1.0, le=500.0)] = 50.0
    stroke_max_s: Annotated[float, Meta(ge=0.01, le=10.0)] = 1.0
    aside_choice: Literal["shooter", "smallest"] = "shooter"
    free_turn_pot: Literal["continue", "cease"] = "continue"
    resquop_remedy: Literal["move_aside", "foul"] = "move_aside"
    time_limit_s: Annotated[float, Meta(ge=1.0, le=86400.0)] | None = 1200.0
    seconds_per_shot: Annotated[float, Meta(ge=0.0, le=3600.0)] = 15.0
    rounds: Annotated[int, Meta(ge=0, le=50)] = 5
    behind_counts: bool = False
    obstruct_fallback: Literal["projected", "replay"] = "projected"
    foul_replay_restores: bool = True
    foul_keep_extras: bool = True
    match_pairs: Annotated[int, Meta(ge=1, le=12)] = 4
    match_tie: Literal["draw", "games_won"] = "draw"
