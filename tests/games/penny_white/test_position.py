"""Positions of Penny White written down: read, refused with a reason, and written again from a state."""

import msgspec
import pytest

from flicksim.core.errors import InvalidOption, InvalidScene
from flicksim.games import load
from flicksim.games.penny_white import position as notation
from flicksim.match import open_match, parse_seat

GAME = load("penny-white")


def test_position_to_state_and_back() -> None:
    position = notation.empty_position()
    state, reasons = notation.start_state(position)
    assert reasons == ()
    assert (state.phase, state.to_play, state.left) == ("penny", 0, (1, 1))
    assert notation.from_state(state, "Study") == position
    match = open_match(GAME, position.options, [parse_seat("bot:beginner")] * 2, 1, position=position)
    match.play(match.ask_player())
    assert match.state.left == (0, 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"blue": ((172.0, 570.0),)}, "overlap"),
        ({"left": (0, 1)}, "Blue is to play and has no penny left"),
        ({"white": None}, "without a white"),
        ({"white": None, "blue": (), "red": (), "left": (0, 1)}, "Blue is to play and has no penny left"),
        ({"white": (150.0, 900.0)}, "off the surface"),
        ({"left": (3, 1)}, "3 to come; each has 2 in all"),
    ],
)
def test_what_cannot_be_is_said(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidScene, match=message):
        notation.start_state(msgspec.structs.replace(notation.empty_position(), **changes))


def test_without_a_white_and_pennies_the_end_is_to_be_opened() -> None:
    position = msgspec.structs.replace(notation.empty_position(), white=None, blue=(), red=(), left=(2, 2))
    state = notation.to_state(position)
    assert state.phase == "white"
    assert notation.from_state(state, "Study") == position
    other = notation.to_state(notation.with_current_seat(position, 1))
    assert (other.to_play, other.starter) == (1, 1)


def test_editor_sets_the_number_of_pennies() -> None:
    position = notation.place_piece(notation.empty_position(), "blue-2", (0.1, 0.5))
    assert position.options.pennies == 3
    assert len(position.blue) == 2
    assert notation.start_state(position)[0].left == (1, 1)
    position = notation.remove_piece(position, "blue-1")
    assert position.blue == ((100.0, 500.0),)
    assert position.options.pennies == 2
    assert notation.set_counter(position, "left-1", 4).options.pennies == 5
    assert notation.available_pieces(notation.remove_piece(position, "white"))[0] == "white"


def test_a_finished_game_has_no_position() -> None:
    state = msgspec.structs.replace(notation.to_state(notation.empty_position()), phase="over", to_play=None)
    with pytest.raises(InvalidOption, match="somebody is to flick"):
        notation.from_state(state, "x")
