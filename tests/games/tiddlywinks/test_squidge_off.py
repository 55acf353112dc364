"""Paragraph 6: the squidge-off."""

from typing import Any

import msgspec
import pytest

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import rules
from flicksim.games.tiddlywinks.state import State
from flicksim.scene.flick import Squidge

from .helpers import BLUE, GREEN, RED, YELLOW, ShotBuilder, initial_state, position_of_wink, refusal, shot

EDGE = 23.8125 + 7.9375  # centre distance of a small wink that touches the pot [mm]


def heat(state: State, *places: tuple[float, float] | str | None) -> State:
    """Each seat in turn squidges its third wink, a small one, to a place [mm], into the pot or off the mat."""
    for place in places:
        wink = kit.winks_of(state.to_play)[2]
        going: ShotBuilder = shot(state, wink)
        if place == "pot":
            going.pot(wink)
        elif place == "off":
            going.off(wink, 914.4, 0)
        elif isinstance(place, tuple):
            going.to(wink, *place)
        state = going.then()
    return state


def test_winks_begin_behind_their_own_base_lines() -> None:
    """TW-6a: all six wholly behind, none overlapping, the line may be touched."""
    state = initial_state()
    for piece in state.scene.pieces:
        assert kit.is_behind_line(state.options, piece.owner, piece.position, piece.radius)
    assert state.scene.problems() == []
    touching = kit.start_spot(state.options, BLUE, "small")
    rules.check_action(state, Squidge(piece="blue-3", speed=1.0, azimuth=0.0, start=touching))
    nearer = (touching[0] - 1e-5, touching[1])
    assert refusal(state, Squidge(piece="blue-3", speed=1.0, azimuth=0.0, start=nearer)) == "TW-6a"


def test_everybody_squidges_one_clockwise() -> None:
    """TW-6b: Blue, Green, Red, Yellow, one each; earlier winks stay where they lie and may be hit."""
    state = initial_state()
    order = []
    for x in (100, 120, 140):
        order.append(state.to_play)
        state = heat(state, (x, 0))
    assert [*order, state.to_play] == [BLUE, GREEN, RED, YELLOW]
    assert position_of_wink(state, "blue-3") == pytest.approx((100, 0))
    hit = shot(state, "yellow-3").to("blue-3", 40, 0).to("yellow-3", 60, 0).then()
    assert hit.book.opener == BLUE
    toss = {initial_state(seed, squidgeoff_order="toss").to_play for seed in range(20)}
    assert toss == {0, 1, 2, 3}


def test_winks_go_back_behind_the_lines() -> None:
    """TW-6c: also a potted one; no extra shot, no fine, nothing potted carries over."""
    state = heat(initial_state(), "pot", (100, 0), (0, 100), "off")
    assert state.book.opener == BLUE
    assert state.book.behind == kit.WINKS
    assert state.book.potted == ()
    assert state.book.missing == ()
    assert state.book.extra == 0
    for piece in state.scene.pieces:
        assert piece.position == kit.home_spot(state.options, piece.id)
        assert piece.support == "surface"


@pytest.mark.parametrize(("places", "winner"), [
    (((EDGE + 9, 0), (0, EDGE + 8), (EDGE + 20, 0), (0, -EDGE - 30)), GREEN),
    (((EDGE + 9, 0), "off", (EDGE + 7, 0), (880, 0)), RED),
    (((EDGE + 9, 0), (EDGE, 30), (-EDGE, 0), "pot"), YELLOW),
    (("off", "off", "off", (880, 0)), YELLOW),
    (((300, 448.5), "off", "off", "off"), BLUE),
    (((300, 449.3), "off", "off", (500, 400)), YELLOW),
])  # fmt: skip
def test_nearest_wink_opens(places: Any, winner: int) -> None:
    """TW-6d: nearest the pot has the first squidge; potted is nearest, off the field farthest; a wink too near the edge
    to be played lies on the field all the same, one on the edge does not."""
    state = heat(initial_state(), *places)
    assert state.book.opener == winner
    assert state.to_play == winner
    assert state.phase == "shot"


def test_nearness_is_measured_from_the_edge() -> None:
    """TW-6d: a large wink farther by its centre can be nearer by its edge; the option says which counts."""
    for measure, winner in (("edge", GREEN), ("centre", BLUE)):
        state = initial_state(squidgeoff_measure=measure)
        state = shot(state, "blue-3").to("blue-3", 100, 0).then()
        state = shot(state, "green-1").to("green-1", 0, 102).then()
        state = heat(state, (0, -200), (-200, 0))
        assert state.book.opener == winner


def test_ties_squidge_again() -> None:
    """TW-6e: those level for nearest, and they alone, until one is nearest."""
    state = heat(initial_state(), (100, 0), (0, 100), (-150, 0), (0, -100))
    assert state.phase == "squidge_off"
    assert state.book.heat == (BLUE, GREEN, YELLOW)
    assert state.book.opener is None
    state = heat(state, "pot", "pot", (50, 0))
    assert state.book.heat == (BLUE, GREEN)
    state = heat(state, (100, 0), (0, 100.5))
    assert state.book.opener == BLUE
    close = msgspec.structs.replace(initial_state(measure_tol_mm=1.0))
    assert heat(close, (100, 0), (0, 100.5), "off", "off").book.heat == (BLUE, GREEN)
    assert heat(initial_state(), (100, 0), (0, 100.05), "off", "off").book.opener == BLUE
    again = heat(initial_state(), "off", "off", "off", "off")
    assert again.book.heat == (BLUE, GREEN, RED, YELLOW)
    assert heat(again, (100, 0), "off", "off", "off").book.opener == BLUE  # what was off before is not off now
