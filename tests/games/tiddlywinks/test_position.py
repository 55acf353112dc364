"""Positions as people write them: checked, ruled on and played from; those shipped."""

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from flicksim.core.errors import InvalidInput, InvalidOption, InvalidScene
from flicksim.core.serialization import from_json, to_json
from flicksim.games.tiddlywinks import position as notation
from flicksim.games.tiddlywinks import rules, scoring
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.state import State

from .helpers import BLUE, GREEN, RED, book, covers, position_of_wink, shot, shot_that_stays, state_from_position, texts

SHIPPED = (
    "balanced_on_the_rim", "boundary_crowd", "compulsory_freeing_shot", "double_squop", "free_turn_count",
    "last_round_tie", "leaning_on_the_pot", "near_the_edge", "nurdled_wink", "pile_of_three", "pot_out_uncovering",
    "squidge_off_tie",
)  # fmt: skip


def test_what_is_shipped() -> None:
    assert notation.builtin_names() == SHIPPED
    with pytest.raises(InvalidOption, match="nurdled_wink"):
        notation.load_builtin("nothing")


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_positions_start_a_game(name: str) -> None:
    found = notation.load_builtin(name)
    assert found.title
    assert len(found.look) > 40
    assert found.problems() == []
    assert from_json(to_json(found), notation.Position) == found
    state, _ = notation.start_state(found)
    assert state.scene.problems() == []
    assert from_json(to_json(state), State) == state
    assert notation.ruling_reasons(state) or name == "squidge_off_tie"
    choices = rules.legal_actions(state)
    assert choices.flicks
    after = shot_that_stays(state, choices.flicks[0].piece)
    assert after.scene.problems() == []


def shipped(name: str) -> tuple[State, list[str]]:
    state, reasons = notation.start_state(notation.load_builtin(name))
    return state, [reason.rule for reason in reasons]


def test_each_title_describes_its_puzzle() -> None:
    """TW-7h, TW-7i, TW-7f, TW-8d, TW-8g, TW-9a1, TW-9c3, TW-9c6, TW-10f, TW-11j, TW-6e: one position each."""
    state, _ = shipped("double_squop")
    assert covers(state).covered("blue-1") == ("green-3", "yellow-3")
    state, _ = shipped("pile_of_three")
    assert covers(state).covering("green-1") == ("red-3", "yellow-4")
    assert "red-3" not in covers(state).playable_winks(RED)
    state, _ = shipped("free_turn_count")
    assert state.book.episode.left == 3
    state, _ = shipped("compulsory_freeing_shot")
    assert "must free" in " ".join(reason.text for reason in notation.ruling_reasons(state))
    state, reasons = shipped("pot_out_uncovering")
    assert reasons.count("TW-10e") == 2
    assert position_of_wink(state, "green-1") == (100, 100)
    state, reasons = shipped("boundary_crowd")
    assert "TW-8g" in reasons
    assert position_of_wink(state, "red-5")[1] == pytest.approx(457.2 - 22.225 - 7.9375, abs=1e-4)
    state, reasons = shipped("near_the_edge")
    assert len(reasons) == 1
    assert position_of_wink(state, "yellow-4")[1] == pytest.approx(457.2 - 7.9375 - 3)
    state, _ = shipped("balanced_on_the_rim")
    assert state.book.potted == ("blue-3",)
    assert not covers(state).is_squopped("green-3")
    state, reasons = shipped("leaning_on_the_pot")
    assert "TW-7i" in reasons
    assert covers(state).covering("blue-3") == ("yellow-3",)
    state, _ = shipped("last_round_tie")
    half = Fraction(1, 2)
    assert scoring.provisional_points(state.options, state.scene, state.book) == (3, 3, half, half)
    assert shot_that_stays(state, "blue-3").book.points == (3, 3, half, half)
    state, _ = shipped("squidge_off_tie")
    assert shot(state, "yellow-3").to("yellow-3", 0, 300).then().book.heat == (BLUE, RED)


def wrong(*winks: notation.WinkPlacement, **more: Any) -> list[str]:
    found = notation.Position(title="wrong", winks=winks, **more)
    problems = found.problems()
    with pytest.raises(InvalidScene) as why:
        notation.to_state(found)
    assert list(why.value.problems) == problems
    return problems


def laid(wink: str, *at: float, **more: Any) -> notation.WinkPlacement:
    return notation.WinkPlacement(wink=wink, at=at or None, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lying", "message"),
    [
        ([laid("blue-7", 100, 0)], "seventh blue"),
        ([laid("pink-1", 100, 0)], "no wink 'pink-1'"),
        ([laid("red-0", 100, 0)], "no wink 'red-0'"),
        ([laid("blue-1", 100, 0), laid("blue-1", 200, 0)], "two places"),
        ([laid("blue-1")], "needs a place"),
        ([laid("blue-1", 100, 0, z=30.0)], "in the air"),
        ([laid("blue-1", 100, 0, z=-3.0)], "sunk"),
        ([laid("blue-1", 30, 0)], "through the pot's wall; it would be clear of it 4.925 mm farther out"),
        ([laid("blue-3", 0, 0)], "inside the pot"),
        ([laid("blue-1", 100, 0, where="pot")], "from its axis"),
        ([laid("blue-1", 100, 0, z=1.2), laid("red-1", 110, 0, z=1.2)], "same height"),
        ([laid("blue-1", 100, 0, z=3.6, on=("red-1",)), laid("red-1", 300, 0)], "does not overlap"),
        ([laid("blue-1", 100, 0, z=3.6, on=("red-9",))], "not on the table"),
        ([laid("blue-1", 100, 0, z=3.6, on=("red-1",)), laid("red-1", 101, 0, z=1.2, on=("blue-1",))], "on itself"),
        ([laid("blue-1", 100, 0, z=9.0, on=("red-1",)), laid("red-1", 101, 0, z=1.19)], "above"),
        ([laid("blue-1", 2000, 0)], "off the surface"),
        ([laid("blue-1", 100, 0, where="leaning", tilt=45)], "lean"),
        ([laid("blue-1", 100, 0, where="rim")], "rim"),
        ([laid("blue-1", 100, 0, tilt=20)], "need its height 'z'"),
        ([laid("blue-1", 100, 0, on=("red-1",)), laid("red-1", 101, 0)], "need its height 'z'"),
    ],
)
def test_what_is_wrong_is_said(lying: list[notation.WinkPlacement], message: str) -> None:
    """TW-3d, TW-4a: impossible positions, one sentence each."""
    assert any(message in problem for problem in wrong(*lying))


def test_all_problems_are_listed() -> None:
    problems = wrong(laid("blue-1", 100, 0, z=30.0), laid("blue-3", 30, 0), laps=9, extra=-1)
    assert len(problems) >= 4


@pytest.mark.parametrize("more", [
    {"finished": ("blue",)}, {"laps": 0}, {"clock": -1.0}, {"extra": 9}, {"free_turns": 99},
    {"finished": ("blue", "red", "green")}, {"missing": ("red", "red")},
])  # fmt: skip
def test_a_wrong_book_is_refused(more: dict[str, Any]) -> None:
    assert wrong(laid("blue-1", 100, 0), **more)


def test_free_turns_are_those_left_and_of_a_pair_that_has_them() -> None:
    """TW-9c1, TW-9c3: a position says how many are left and not how many there once were; where no pair is squopped
    altogether they are refused."""
    _, reasons = notation.start_state(notation.load_builtin("compulsory_freeing_shot"))
    assert texts(reasons, "TW-9c3") == ["Blue and Red have no free turns left."]
    _, reasons = notation.start_state(msgspec.structs.replace(notation.load_builtin("free_turn_count"), free_turns=2))
    assert texts(reasons, "TW-9c3") == ["Blue and Red have 2 free turns left."]
    none = r"free_turns 3 cannot be: no pair has every wink it has left squopped \(TW-9c1"
    with pytest.raises(InvalidScene, match=none):
        notation.start_state(notation.Position(title="t", winks=(laid("blue-1", 100, 0),), free_turns=3))


def test_who_is_to_play_and_to_miss_misses() -> None:
    """TW-8i: the next shot is the one due, unless only the next turn is missed and an extra shot comes before it."""
    there = (laid("blue-1", 100, 0),)
    state, reasons = notation.start_state(notation.Position(title="t", winks=there, missing=("blue",)))
    assert (state.to_play, state.book.missing) == (GREEN, ())
    assert [reason.rule for reason in reasons] == ["TW-8i"]
    later, _ = notation.start_state(
        notation.Position(title="t", winks=there, missing=("blue",), options=Options(miss_scope="next_turn"))
    )
    assert (later.to_play, later.book.missing) == (BLUE, (BLUE,))


def test_unfinished_finishers_are_refused() -> None:
    """TW-10a: all six in the pot is finished, and nothing else is."""
    six = tuple(notation.WinkPlacement(wink=f"blue-{n}", where="pot") for n in range(1, 7))
    assert wrong(*six)
    assert wrong(*six, finished=("blue", "blue")) == ["blue stands twice in 'finished'; once is enough"]
    assert notation.Position(title="t", winks=six, finished=("blue",), to_play="red").problems() == []


def test_files_are_read_strictly() -> None:
    with pytest.raises(InvalidInput, match="winks"):
        from_json('{"title":"x","winks":[{"wink":"blue-1","hight":3}]}', notation.Position)
    with pytest.raises(InvalidOption, match="TW-2b"):
        notation.to_state(notation.Position(title="small", options=Options(mat_size_mm=(1600.0, 900.0))))


def test_a_state_survives_conversion_to_a_position_and_back() -> None:
    winks = {"green-3": (200, 0), "blue-3": (204, 0), "red-1": (-100, 0), "yellow-3": "pot", "yellow-4": "pot"}
    state = book(state_from_position(winks, "green"), clock=300.0, missing=(RED,))
    again = notation.to_state(notation.from_state(state, "again"))
    assert again.book == state.book
    for one, other in zip(again.scene.pieces, state.scene.pieces, strict=True):
        assert (one.id, one.support, one.lies_on) == (other.id, other.support, other.lies_on)
        assert one.position == pytest.approx(other.position, abs=1e-9)
        assert one.height == pytest.approx(other.height, abs=1e-9)
