"""Positions of pyramids: written down and read back, set up by hand, refused in a sentence where they cannot be."""

import msgspec
import pytest

from flicksim.core.errors import InvalidOption, InvalidScene
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_json, to_json
from flicksim.games.ice import GAME, rules
from flicksim.games.ice import position as notation
from flicksim.games.ice.aiming import SLANTS, carry_for, speed_for_carry
from flicksim.games.ice.bot import wait_for_landings
from flicksim.games.ice.state import Wait
from flicksim.games.ice.table_layout import Options
from flicksim.match import open_match


def test_position_of_a_game_state_is_exact() -> None:
    match, seen = open_match(GAME, Options(), ["bot:club/beginner"] * 2, 5), 0
    for turn in match.run():
        state = turn.before
        if not state.started or state.aloft:
            continue
        seen += 1
        again, _ = notation.start_state(from_json(to_json(notation.from_state(state, "x")), notation.Position))
        assert rules.provisional_points(again) == rules.provisional_points(state)
        assert rules.to_play(again) == turn.seat
        assert [sorted(map(rules.size_of, hand)) for hand in again.hands] == [
            sorted(map(rules.size_of, hand)) for hand in state.hands
        ]
    assert seen >= 2


def test_editor_places_turns_and_removes_pyramids() -> None:
    position = notation.empty_position()
    assert position.problems() == []
    assert rules.provisional_points(notation.start_state(position)[0]) == (2, 4)
    flat = notation.flip_piece(position, "red-medium-1")
    assert rules.provisional_points(notation.start_state(flat)[0]) == (0, 4)
    for _ in range(4):
        flat = notation.flip_piece(flat, "red-medium-1")
    assert rules.provisional_points(notation.start_state(flat)[0]) == (2, 4), "upright again after all four sides"
    name = next(name for name in notation.available_pieces(position) if name.startswith("red-large"))
    more = notation.place_piece(position, name, (0.3, 0.6))
    assert rules.provisional_points(notation.start_state(more)[0]) == (5, 4)
    assert rules.provisional_points(notation.start_state(notation.remove_piece(more, "yellow-large-1"))[0]) == (5, 1)
    other = notation.with_current_seat(notation.set_counter(position, "1-0", 2), 1)
    assert rules.to_play(notation.start_state(other)[0]) == 1
    assert [one.value for one in notation.counters(other)] == [0, 0, 1, 2, 0, 0]


def test_what_rested_on_a_piece_comes_down_as_it_lay() -> None:
    """A lying piece goes on lying, and scores nothing; a tower sinks as a whole."""
    base = notation.PiecePlacement(piece="red-large-1", at=(500.0, 500.0))
    lying = notation.PiecePlacement(
        piece="red-small-1", at=(510.0, 500.0), on_side=True, z=30.0, leans_on=("red-large-1",)
    )
    (fell,) = notation.remove_piece(notation.Position(title="x", pieces=(base, lying)), "red-large-1").pieces
    assert fell == notation.PiecePlacement(piece="red-small-1", at=(510.0, 500.0), on_side=True)
    middle = notation.PiecePlacement(piece="red-medium-1", at=(500.0, 500.0), z=12.0, stands_on=("red-large-1",))
    top = notation.PiecePlacement(piece="red-small-1", at=(500.0, 500.0), z=20.0, stands_on=("red-medium-1",))
    tower = notation.Position(title="x", pieces=(top, middle, base))
    assert {one.piece: (one.z, one.stands_on) for one in notation.remove_piece(tower, "red-large-1").pieces} == {
        "red-medium-1": (0.0, ()), "red-small-1": (8.0, ("red-medium-1",))
    }  # fmt: skip
    assert {one.piece: (one.z, one.on_side) for one in notation.flip_piece(tower, "red-medium-1").pieces} == {
        "red-large-1": (0.0, False), "red-medium-1": (0.0, True), "red-small-1": (0.0, False)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (notation.place_piece(notation.empty_position(), "red-medium-1", (0.455, 0.56)), "in one another"),
        (notation.with_current_seat(notation.empty_position(), 1), "Yellow is to play and has no missile left"),
        (
            msgspec.structs.replace(notation.empty_position(), left=((0, 0, 5), (0, 0, 0))),
            "Red has 0 large on the table and 5 to launch",
        ),
        (
            msgspec.structs.replace(
                notation.empty_position(), pieces=(notation.PiecePlacement(piece="pink-1", at=(1.0, 1.0)),)
            ),
            "no missile 'pink-1'",
        ),
        (
            msgspec.structs.replace(notation.empty_position(), options=Options(stash_bodies=True)),
            "give stash_bodies=false",
        ),
    ],
)
def test_what_cannot_be_is_said(position: notation.Position, message: str) -> None:
    with pytest.raises(InvalidScene, match=message):
        notation.start_state(position)


def test_no_position_before_the_start_of_the_game() -> None:
    with pytest.raises(InvalidOption, match="nothing is in the air"):
        notation.from_state(rules.initial_state(Options(), 2, RandomStreams(seed=1)), "x")


def test_whoever_alone_has_a_missile_left_waits_for_what_is_in_the_air() -> None:
    state, _ = notation.start_state(notation.empty_position())
    assert wait_for_landings(state) is None
    launch = GAME.bot.candidates(state, RandomStreams(seed=1).generator(), 1)[0]
    waits = wait_for_landings(msgspec.structs.replace(state, aloft=(msgspec.structs.replace(launch, owner=1),)))
    assert isinstance(waits, Wait)


def test_speed_for_carry_matches_carry_for() -> None:
    for slant, angle in enumerate(SLANTS):
        assert carry_for("medium", angle, speed_for_carry("medium", slant, 0.4)) == pytest.approx(0.4, abs=0.02)
