"""Positions of pyramids: written down and read back, set up by hand, refused in a sentence where they cannot be."""

from __future__ import annotations

import msgspec
import pytest

from flicksim.base.codec import from_json, to_json
from flicksim.base.errors import BadOption, BadScene
from flicksim.base.seeding import Seeds
from flicksim.games.ice import GAME, rules
from flicksim.games.ice.aim import SLANTS, carry_for, strength_for
from flicksim.games.ice.calm import calmed
from flicksim.games.ice.options import Options
from flicksim.games.ice.position import (
    Lying,
    Position,
    bare,
    begin,
    counted,
    counts,
    due,
    position_of,
    put,
    spare,
    taken,
    turned,
)
from flicksim.games.ice.state import Wait
from flicksim.play import open_match


def test_a_position_out_of_a_game_stands_as_it_stood() -> None:
    match, seen = open_match(GAME, Options(), ["bot:club/beginner"] * 2, 5), 0
    for turn in match.run():
        state = turn.before
        if not state.started or state.aloft:
            continue
        seen += 1
        again, _ = begin(from_json(to_json(position_of(state, "x")), Position))
        assert rules.standing(again) == rules.standing(state)
        assert rules.to_play(again) == turn.seat
        assert [sorted(map(rules.size_of, hand)) for hand in again.hands] == [
            sorted(map(rules.size_of, hand)) for hand in state.hands
        ]
    assert seen >= 2


def test_pyramids_are_put_turned_and_taken_away() -> None:
    position = bare()
    assert position.problems() == []
    assert rules.standing(begin(position)[0]) == (2, 4)
    flat = turned(position, "red-medium-1")
    assert rules.standing(begin(flat)[0]) == (0, 4)
    for _ in range(4):
        flat = turned(flat, "red-medium-1")
    assert rules.standing(begin(flat)[0]) == (2, 4), "upright again after all four sides"
    name = next(name for name in spare(position) if name.startswith("red-large"))
    more = put(position, name, (0.3, 0.6))
    assert rules.standing(begin(more)[0]) == (5, 4)
    assert rules.standing(begin(taken(more, "yellow-large-1"))[0]) == (5, 1)
    other = due(counted(position, "1-0", 2), 1)
    assert rules.to_play(begin(other)[0]) == 1
    assert [one.value for one in counts(other)] == [0, 0, 1, 2, 0, 0]


def test_what_rested_on_a_piece_comes_down_as_it_lay() -> None:
    """A lying piece goes on lying, and scores nothing; a tower sinks as a whole."""
    base = Lying(piece="red-large-1", at=(500.0, 500.0))
    lying = Lying(piece="red-small-1", at=(510.0, 500.0), on_side=True, z=30.0, leans_on=("red-large-1",))
    (fell,) = taken(Position(title="x", pieces=(base, lying)), "red-large-1").pieces
    assert fell == Lying(piece="red-small-1", at=(510.0, 500.0), on_side=True)
    middle = Lying(piece="red-medium-1", at=(500.0, 500.0), z=12.0, stands_on=("red-large-1",))
    top = Lying(piece="red-small-1", at=(500.0, 500.0), z=20.0, stands_on=("red-medium-1",))
    tower = Position(title="x", pieces=(top, middle, base))
    assert {one.piece: (one.z, one.stands_on) for one in taken(tower, "red-large-1").pieces} == {
        "red-medium-1": (0.0, ()), "red-small-1": (8.0, ("red-medium-1",))
    }  # fmt: skip
    assert {one.piece: (one.z, one.on_side) for one in turned(tower, "red-medium-1").pieces} == {
        "red-large-1": (0.0, False), "red-medium-1": (0.0, True), "red-small-1": (0.0, False)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("position", "says"),
    [
        (put(bare(), "red-medium-1", (0.455, 0.56)), "in one another"),
        (due(bare(), 1), "Yellow is to play and has no missile left"),
        (msgspec.structs.replace(bare(), left=((0, 0, 5), (0, 0, 0))), "Red has 0 large on the table and 5 to launch"),
        (msgspec.structs.replace(bare(), pieces=(Lying(piece="pink-1", at=(1.0, 1.0)),)), "no missile 'pink-1'"),
        (msgspec.structs.replace(bare(), options=Options(stash_bodies=True)), "give stash_bodies=false"),
    ],
)
def test_what_cannot_be_is_said(position: Position, says: str) -> None:
    with pytest.raises(BadScene, match=says):
        begin(position)


def test_nothing_is_written_down_before_the_game_is_on() -> None:
    with pytest.raises(BadOption, match="nothing is in the air"):
        position_of(rules.start(Options(), 2, Seeds(seed=1)), "x")


def test_whoever_alone_has_a_missile_left_waits_for_what_is_in_the_air() -> None:
    state, _ = begin(bare())
    assert calmed(state) is None
    launch = GAME.bot.candidates(state, Seeds(seed=1).generator(), 1)[0]
    waits = calmed(msgspec.structs.replace(state, aloft=(msgspec.structs.replace(launch, owner=1),)))
    assert isinstance(waits, Wait)


def test_a_launch_carries_as_far_as_its_strength_was_chosen_for() -> None:
    for slant, angle in enumerate(SLANTS):
        assert carry_for("medium", angle, strength_for("medium", slant, 0.4)) == pytest.approx(0.4, abs=0.02)
