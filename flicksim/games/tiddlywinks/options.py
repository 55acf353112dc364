"""Options of tiddlywinks: what the rules leave open, with default and ledger row."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from flicksim.referee import GameOptions, option_help


class Options(GameOptions, frozen=True, kw_only=True):
    """Options of tiddlywinks."""

    seats: Annotated[
        Literal[4, 2], option_help("people at the table: four, or two with both colours of a pair each (TW-1a)")
    ] = 4
    mat_material: Annotated[
        Literal["felt", "blanket", "carpet", "rug", "bare"],
        option_help("what is played on; bare wood is advised against (TW-2a)"),
    ] = "felt"
    mat_size_mm: Annotated[
        tuple[Annotated[float, Meta(ge=1000.0, le=4000.0)], Annotated[float, Meta(ge=600.0, le=4000.0)]],
        option_help("mat, length and width [mm] (TW-2b, TW-2c)"),
    ] = (1828.8, 914.4)
    baseline_width_mm: Annotated[
        Annotated[float, Meta(ge=0.0, le=10.0)],
        option_help("width of the drawn base lines; touching it is touching the line [mm] (TW-2i)"),
    ] = 0.0
    pot_base_diameter_mm: Annotated[
        Annotated[float, Meta(ge=30.0, le=60.0)],
        option_help("outside diameter of the pot at the mat; real pots taper to about 38 [mm] (TW-3b)"),
    ] = 47.625
    pot_fixed: Annotated[bool, option_help("the pot cannot be knocked over; a loose one is not simulated (TW-3c)")] = (
        True
    )
    squidger_diameter_mm: Annotated[
        Annotated[float, Meta(ge=25.4, le=50.8)], option_help("squidger offered to players [mm] (TW-4d)")
    ] = 38.1
    simul_potout: Annotated[
        Literal["rest_order", "average"],
        option_help(
            "two players potting out by one shot: the one whose last wink rests first is first, or they share (TW-5a)"
        ),
    ] = "rest_order"
    stop_when_decided: Annotated[
        bool, option_help("stop once the pairs' points can no longer change, or play on until three are out (TW-5c)")
    ] = False
    squidgeoff_order: Annotated[
        Literal["blue_first", "toss"], option_help("who begins the squidge-off; it goes on clockwise (TW-6b)")
    ] = "blue_first"
    squidgeoff_measure: Annotated[
        Literal["edge", "centre"], option_help("nearness to the pot from the wink's edge or from its centre (TW-6d)")
    ] = "edge"
    measure_tol_mm: Annotated[
        Annotated[float, Meta(ge=0.001, le=5.0)], option_help("distances this close are a tie [mm] (TW-6e)")
    ] = 0.01
    allow_pass: Annotated[
        bool, option_help("a player may decline his shot, but for one that must free a wink (TW-7c)")
    ] = False
    boundary_return: Annotated[
        Literal["ground_contact_out", "rest"],
        option_help("a wink is out once it has touched down outside, or only if it rests there (TW-8b)"),
    ] = "ground_contact_out"
    boundary_touch: Annotated[
        Literal["out", "in"], option_help("a wink that just touches the boundary is out, or in (TW-8c)")
    ] = "out"
    unplayable_margin_mm: Annotated[
        Annotated[float, Meta(ge=0.0, le=20.0)],
        option_help("nearer than this to the mat's edge cannot be played [mm] (TW-8d)"),
    ] = 2.0
    bring_in_short: Annotated[
        Literal["literal", "stay"],
        option_help(
            "a wink brought in that rests on its own base line or off the mat there: replaced and fined, or it stays behind (TW-8e)"
        ),
    ] = "literal"
    replace_measure: Annotated[
        Literal["edge", "centre"], option_help("what of a replaced wink lies 22.225 mm in (TW-8g)")
    ] = "edge"
    miss_scope: Annotated[
        Literal["next_shot", "next_turn"],
        option_help("own wink sent off costs the very next shot, an extra shot included, or the next turn (TW-8i)"),
    ] = "next_shot"
    apart_measure: Annotated[
        Literal["edge", "centre"], option_help("what of replaced winks lies 101.6 mm apart (TW-8k)")
    ] = "edge"
    stroke_max_mm: Annotated[
        Annotated[float, Meta(ge=1.0, le=500.0)], option_help("longest way of a short stroke [mm] (TW-9b2)")
    ] = 50.0
    stroke_max_s: Annotated[
        Annotated[float, Meta(ge=0.01, le=10.0)], option_help("longest time of a short stroke [s] (TW-9b2)")
    ] = 1.0
    aside_choice: Annotated[
        Literal["shooter", "smallest"],
        option_help("which squopping wink is moved aside: the shooter says, or the smallest move (TW-9c7)"),
    ] = "shooter"
    free_turn_pot: Annotated[
        Literal["continue", "cease"],
        option_help(
            "a freed wink potted in a free turn: free turns go on, or they cease and another wink is moved aside (TW-9c9)"
        ),
    ] = "continue"
    resquop_remedy: Annotated[
        Literal["move_aside", "foul"],
        option_help(
            "a freed pair squopped again too early: the squopping wink is moved aside, or it is a foul (TW-9c11)"
        ),
    ] = "move_aside"
    time_limit_s: Annotated[
        Annotated[float, Meta(ge=1.0, le=86400.0)] | None,
        option_help("time limit of a game [s]; none: no limit (TW-11a)"),
    ] = 1200.0
    seconds_per_shot: Annotated[
        Annotated[float, Meta(ge=0.0, le=3600.0)],
        option_help(
            "what a shot, also one declined, takes on the game's clock [s]; judged: 80 shots in 20 minutes (TW-11a)"
        ),
    ] = 15.0
    rounds: Annotated[Annotated[int, Meta(ge=0, le=50)], option_help("full rounds after the time limit (TW-11c)")] = 5
    behind_counts: Annotated[bool, option_help("winks never brought in count a point at the time limit (TW-11f)")] = (
        False
    )
    obstruct_fallback: Annotated[
        Literal["projected", "replay"],
        option_help("no agreement on an obstructed wink: where it would have rested, or where it lay before (TW-12b)"),
    ] = "projected"
    foul_replay_restores: Annotated[
        bool, option_help("playing again after a foul puts everything back first (TW-12e)")
    ] = True
    foul_keep_extras: Annotated[bool, option_help("a foul shot left standing earns its extra shots (TW-12f)")] = True
    match_pairs: Annotated[Annotated[int, Meta(ge=1, le=12)], option_help("pairs in a team (TW-13a)")] = 4
    match_tie: Annotated[
        Literal["draw", "games_won"], option_help("teams level on points: a draw, or more games won decides (TW-13d)")
    ] = "draw"
