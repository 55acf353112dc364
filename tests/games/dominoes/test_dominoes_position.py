"""Positions of dominoes: written down and read back, refused in a sentence with its rule where they cannot be."""

from typing import Any

import msgspec
import pytest

from flicksim.cards import Tile, line_halves
from flicksim.core.errors import InvalidOption
from flicksim.core.serialization import from_json, to_json
from flicksim.games.dominoes import GAME, rules
from flicksim.games.dominoes import position as notation
from flicksim.games.dominoes.deck import BONEYARD, LAYOUT, Options
from flicksim.games.dominoes.endgame import best_move
from flicksim.games.dominoes.position import Position
from flicksim.games.dominoes.state import State
from flicksim.match import open_match
from tests.games.dominoes.domino_helpers import AMERICAN, initial_state, tiles
from tests.games.positions import check_problem


def _position(hands: list[str], line: str = "", **fields: Any) -> Position:
    return Position(title="x", hands=tuple(map(tiles, hands)), line=tiles(line), **fields)


def _without_hidden(state: State) -> State:
    """State without what a position does not hold: order of the boneyard, seed, and scores of each round."""
    boneyard = state.zones[BONEYARD]
    zones = state.zones.with_zone(BONEYARD, msgspec.structs.replace(boneyard, cards=tuple(sorted(boneyard.cards))))
    return msgspec.structs.replace(state, zones=zones, seeds=None, sheet=())


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, Options(rounds=2)),
        (4, Options(rounds=3, must_play=False, chain_doubles=True, british_stake=2)),
        (6, Options(version="american", rounds=12, tie="carry")),
        (11, Options(rounds=1)),
    ],
)
def test_every_decision_of_a_game_can_be_written_down(seats: int, options: Options) -> None:
    """DO-A8, DO-A11, DO-A19, DO-B8, DO-B12: leads, turned-up leads, chips and pool are there too."""
    phases = set()
    match = open_match(GAME, options, ["random"] * seats, 4)
    for turn in match.run():
        position = notation.from_state(turn.before, "x")
        again, reasons = notation.start_state(from_json(to_json(position), Position))
        assert not reasons
        assert _without_hidden(again) == _without_hidden(turn.before)
        assert notation.from_state(again, "x") == position
        phases.add(turn.before.phase)
    assert phases >= {"lead", "tile", "second"}
    with pytest.raises(InvalidOption, match="the game is over"):
        notation.from_state(match.state, "x")


def test_a_lead_turned_up_is_due_where_nobody_has_a_double() -> None:
    """DO-A11, DO-A12."""
    hands = ["1-0 2-0 2-1", "3-0 3-1 3-2", "4-0 4-1 4-2", "5-0 5-1 5-2", "6-0 6-1 6-2"]
    state = notation.to_state(_position(hands, options=AMERICAN, dealer=1, to_play=2))
    assert rules.legal_actions(state).prompt.startswith("Cy: nobody has a double")
    after = notation.to_state(_position([*hands[:4], "6-1 6-2"], "4-3", options=AMERICAN))
    assert (after.left, after.right, after.led) == (-1, 4, Tile.parse("4-3"))


def test_tiles_lie_as_their_neighbours_say() -> None:
    """DO-B9: either half may be written first."""
    state = notation.to_state(_position(["2-0 3-0", "6-1 5-1"], "4-6 6-6 6-5 5-5 5-3"))
    assert line_halves(state.zones.cards(LAYOUT)) == ((4, 6), (6, 6), (6, 5), (5, 5), (5, 3))
    assert (state.left, state.right, state.led) == (4, 3, Tile.parse("6-6"))
    assert len(state.zones[BONEYARD]) == 28 - 9


def test_hidden_hands_are_not_written_down() -> None:
    """DO-B1."""
    with pytest.raises(InvalidOption, match="hands are hidden"):
        notation.from_state(rules.view(initial_state(2), 0), "x")


REFUSED: list[tuple[Position, str | None]] = [
    (_position(["6-5"], "6-6"), r"there are 1 hands; .* two and more players \(DO-0a\)"),
    (_position(["6-5", "6-4"], "6-6", options=AMERICAN), r"5 to 8 players, not 2 \(DO-A4\)"),
    (_position(["6-5", "6-4"], "6-6", to_play=2), "to_play is seat 2; with 2 hands seats are 0 to 1"),
    (_position(["6-5", "6-4"], "6-6", dealer=2), "dealer is seat 2; with 2 hands seats are 0 to 1"),
    (_position(["6-5", "6-4"], "6-6", scores=(1, 0, 0)), "scores are of 3 seats"),
    (_position(["6-5", "6-4"], "6-6", lacks=((1,), (), ())), "lacks are of 3 seats"),
    (_position(["6-5", *["6-4"] * 4], "6-6", options=msgspec.structs.replace(AMERICAN, set=9)), r"not set=9 \(DO-A3\)"),
    (_position(["6-5", "6-4"], "6-6", scores=(-1, 0)), r"Ann has -1 points; .* \(DO-B12\)"),
    (
        _position(["6-5", "6-4"], "6-6", scores=(3, 0), options=Options(british_stake=1)),
        r"points come to 3; .* \(DO-B12\)",
    ),
    (_position(["6-5", "6-4"], "6-6", round=6), r"round 6 is after the last one, 5 \(DO-X4\)"),
    (_position(["6-5", "6-4"], "6-6", passes=2), r"2 turns in a row are passed; .* \(DO-X1\)"),
    (_position(["6-5 6-6", "6-4"], "6-6"), r"6-6 is in two places; .* \(DO-B1\)"),
    (_position(["6-5", "7-4"], "6-6"), r"7-4 is not in the set, which goes up to 6-6 \(DO-B2\)"),
    (_position(["1-0 2-0 3-0 4-0 5-0 6-0", *["6-5"] * 4], "6-6"), r"Ann holds 6 tiles; .* 5 are dealt \(DO-B4\)"),
    (_position(["", "6-4"], "6-6"), r"Ann has no tile left: the round is over \(DO-B12\)"),
    (_position(["6-5", "6-4"], "6-6", lacks=((5,), ())), r"known to hold no 5, and holds 6-5 \(DO-X1\)"),
    (_position(["6-5", "6-4"], "6-6 5-4"), r"5-4 does not match 6-6 at its left, where 6 is open \(DO-B10\)"),
    (_position(["6-5", "6-4"], "6-3"), r"the line has no double; .* \(DO-B8\)"),
    (_position(["6-5", "6-4"], "6-6", led=Tile.parse("5-5")), "5-5 led the round and is not in the line"),
    (_position(["6-5", "6-4"], "6-6 6-3", phase="second"), None),
    (_position(["6-5", "6-4"], "6-1 6-6 6-3", phase="second"), r"none is at an open end \(DO-B11\)"),
    (_position(["5-5", "6-4"], phase="second"), r"the round is led first; .* \(DO-B8\)"),
    (_position(["5-4", "3-2"], "6-6"), r"nobody can play: the round is blocked \(DO-B13\)"),
    (_position(["5-4", "6-5"]), r"nobody has a double to lead with \(DO-B8\)"),
    (_position(["5-5", "6-6"]), r"Bob has the largest double, 6-6, and leads, so to_play is 1 \(DO-B8\)"),
    (
        _position(["6-5", "6-4", "6-3", "6-2", "6-1"], "5-3 5-5", options=AMERICAN, led=Tile.parse("5-5")),
        r"begins with its lead \(DO-A2\)",
    ),
    (
        _position(["6-5", "6-4", "6-3", "6-2", "6-1"], "5-3 3-1 1-6", options=AMERICAN),
        r"goes on from its higher end \(DO-A12\)",
    ),
]
"""Positions and the message of their problem; None: they have none."""


@pytest.mark.parametrize(("position", "message"), REFUSED)
def test_impossible_positions_are_refused_with_the_rule(position: Position, message: str | None) -> None:
    check_problem(notation, position, message)


def test_all_problems_are_told_at_once() -> None:
    """DO-B1, DO-B4, DO-B10."""
    position = _position(["6-5", "6-5"], "6-6 5-4")
    assert [problem[-7:] for problem in position.problems()] == ["(DO-B1)", "(DO-B10)"[-7:]]


def test_a_game_goes_on_from_every_shipped_position() -> None:
    """DO-B11, DO-B12."""
    assert notation.builtin_names() == ("second_tile", "shut_out")
    for name in notation.builtin_names():
        position = notation.load_builtin(name)
        match = open_match(GAME, position.options, ["human", "human"], 1, position=position)
        first = match.to_play
        while not match.is_over:
            match.play(best_move(match.state))
        assert match.winners == (first,)
        assert match.turns[0].before.zones.cards(LAYOUT) == position.line
