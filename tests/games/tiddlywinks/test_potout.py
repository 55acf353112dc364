"""Paragraphs 5 and 10: places, the point that changes hands, and what potting out does to the mat."""

from fractions import Fraction
from math import asin, atan2, copysign, cos, degrees, hypot, pi, radians, sin
from typing import Any

import pytest

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import rules, scoring
from flicksim.games.tiddlywinks.boundaries import out_of_bounds_rule
from flicksim.games.tiddlywinks.state import Clock, State
from tests.games.tiddlywinks import helpers as h


def ending(order: tuple[str, ...], **options: Any) -> State:
    """A game in which these pot out in that order; each has one wink left, played from (200, 0) and round."""
    winks = dict.fromkeys(kit.WINKS, h.POT) | h.FOUR
    state = h.state_from_position(winks, order[0], options={"time_limit_s": None, **options})
    for colour in order:
        while state.to_play != list(h.FOUR).index(f"{colour}-3"):
            state = h.shot_that_stays(state, list(h.FOUR)[state.to_play])
        state = h.shot(state, f"{colour}-3").pot(f"{colour}-3").then()
        if rules.to_play(state) is None:
            break
    return state


@pytest.mark.parametrize(("order", "points"), [
    (("blue", "green", "red"), (5, 1, 1, 0)),
    (("blue", "red", "green"), (5, 0, 2, 0)),
    (("green", "blue", "red"), (1, 5, 1, 0)),
    (("blue", "green", "yellow"), (5, 1, 0, 1)),
])  # fmt: skip
def test_places(order: tuple[str, str, str], points: tuple[int, ...]) -> None:
    """TW-5a, TW-5b, TW-5c, TW-5d: 4, 2, 1 and 0 in order of potting out, less the point that changes hands."""
    state = ending(order)
    assert rules.to_play(state) is None
    assert state.book.points == points


def test_who_has_no_wink_left_is_not_told_of_an_extra_shot() -> None:
    """TW-7d, TW-10a: neither by the shot that pots his last wink, nor by one that pots two of his last."""
    winks = {**h.potted_except("blue", "blue-3", "blue-4"), "blue-3": (60, 0), "blue-4": (80, 0), "green-3": (0, 200)}
    after, verdict = h.shot(h.state_from_position(winks), "blue-3").pot("blue-3").pot("blue-4").judged()
    assert h.cites_rule(verdict, "TW-10a")
    assert not h.cites_rule(verdict, "TW-7d")
    assert (after.to_play, after.book.extra) == (h.GREEN, 0)
    one, verdict = h.shot(h.state_from_position(winks), "blue-3").pot("blue-3").judged()
    assert h.cites_rule(verdict, "TW-7d")
    assert one.to_play == h.BLUE


def test_play_goes_on_until_three_are_out() -> None:
    """TW-5c: unless the option stops it once the pairs' points are fixed."""
    two = ending(("blue", "red"))
    assert two.to_play == h.YELLOW
    assert two.book.finished == ((h.BLUE,), (h.RED,))
    stopped = ending(("blue", "red", "green"), stop_when_decided=True)
    assert stopped.book.finished == ((h.BLUE,), (h.RED,))
    assert scoring.pair_points(stopped.book.points) == (7, 0)
    level = ending(("blue", "green", "red"), stop_when_decided=True)
    assert level.book.finished == ((h.BLUE,), (h.GREEN,), (h.RED,))  # one of each pair decides nothing


def both_out(t_blue: float, t_green: float, **options: Any) -> State:
    winks = {**h.potted_except("blue", "blue-3"), **h.potted_except("green", "green-3"), **h.FOUR}
    state = h.state_from_position(winks, options=options)
    return h.shot(state, "blue-3").pot("blue-3", t=t_blue).pot("green-3", t=t_green).then()


def test_two_out_by_one_shot() -> None:
    """TW-5a: the one whose last wink rests first is first; at the same instant, or by option, they share."""
    assert both_out(1.0, 0.9).book.finished == ((h.GREEN,), (h.BLUE,))
    assert both_out(0.9, 1.0).book.finished == ((h.BLUE,), (h.GREEN,))
    assert both_out(1.0, 1.0).book.finished == ((h.BLUE, h.GREEN),)
    assert both_out(1.0, 0.9, simul_potout="average").book.finished == ((h.BLUE, h.GREEN),)


def test_partners_add() -> None:
    """TW-5e: and the two sums are 7."""
    points = ending(("blue", "green", "red")).book.points
    assert scoring.pair_points(points) == (6, 1)
    assert rules.leaders(ending(("blue", "green", "red"))) == (0, 2)
    assert rules.leaders(ending(("green", "blue", "yellow"))) == (1, 3)


@pytest.mark.parametrize(("before", "after"), [
    ((4, 1, 2, 0), (7, 0)), ((4, 2, 1, 0), (6, 1)), ((4, 2, 0, 1), (5, 2)), ((1, 4, 0, 2), (0, 7)),
    ((0, 4, 2, 1), (1, 6)),
    ((4, Fraction(1, 2), 2, Fraction(1, 2)), (7, 0)),
])  # fmt: skip
def test_a_point_changes_hands(before: Any, after: Any) -> None:
    """TW-5f: 6-1 becomes 7-0, 5-2 becomes 6-1, 4-3 becomes 5-2, whichever pair won; nobody falls below nothing."""
    changed = scoring.transfer_point(before)
    assert scoring.pair_points(changed) == after
    assert min(changed) >= 0


def test_whose_point_changes_hands() -> None:
    """TW-5f: it goes to the winner with more and comes from the loser with more."""
    assert scoring.transfer_point((1, 2, 4, 0)) == (1, 1, 5, 0)
    assert scoring.transfer_point((0, 1, 2, 4)) == (0, 1, 1, 5)


LAST: dict[str, Any] = {**h.potted_except("blue", "blue-3"), "blue-3": (60, 60)}
"""Blue pots out with his next pot."""


def test_potted_out() -> None:
    """TW-10a: with the sixth in the pot, whoever potted it, and said of whose winks they are; not with five."""
    state = h.state_from_position({**LAST, "green-3": (0, 200), "red-3": (0, -200)})
    assert not state.book.potted_out
    assert h.shot(state, "blue-3").pot("blue-3").then().book.finished == ((h.BLUE,),)
    other = h.state_from_position({**LAST, "green-3": (0, 200)}, "green")
    after, verdict = h.shot(other, "green-3").pot("blue-3").to("green-3", 100, 0).judged()
    assert after.book.finished == ((h.BLUE,),)
    assert "Blue has all six winks potted: first." in h.texts(verdict.reasons, "TW-10a")
    assert not h.shot(state, "blue-3").to("blue-3", 60, 0).then().book.potted_out


def test_squopping_has_no_effect_any_more() -> None:
    """TW-10b: free turns and duties are cancelled and every wink left can be played."""
    winks = {**LAST, **h.potted_except("green", "green-3"), **h.potted_except("yellow", "yellow-3"),
             "green-3": (200, 100), "yellow-3": (-200, 100), "red-3": (204, 100), "red-4": (-204, 100),
             "red-1": (0, 300)}  # fmt: skip
    state = h.state_from_position(winks)
    assert state.book.episode is not None
    after = h.shot(state, "blue-3").pot("blue-3").then()
    assert (after.book.episode, after.book.protected) == (None, None)
    assert h.covers(after).playable_winks(h.GREEN) == ("green-3",)
    assert after.to_play == h.GREEN


PILE = {"green-1": (100, 100), "red-3": (106, 103), "yellow-3": (104, 97), "red-4": (108, 99), "green-4": (250, 0),
        "red-5": (258, 3)}  # fmt: skip


def uncovered() -> tuple[State, State]:
    state = h.state_from_position({**LAST, **PILE})
    return state, h.shot(state, "blue-3").pot("blue-3").then()


def test_all_are_uncovered_at_once() -> None:
    """TW-10c, TW-10e: piles from the top down; the squopping wink is moved, the one under it stays where it is."""
    before, after = uncovered()
    assert any(h.covers(before).is_squopped(wink) for wink in PILE)
    assert not any(h.covers(after).is_squopped(wink) or h.covers(after).is_squopping(wink) for wink in PILE)
    assert all(piece.z is None and not piece.lies_on for piece in after.scene.pieces if after.book.in_play(piece.id))
    for wink in ("green-1", "green-4"):
        assert h.position_of_wink(after, wink) == h.position_of_wink(before, wink)
    assert h.position_of_wink(after, "red-5") != h.position_of_wink(before, "red-5")
    for middle, top in (("red-3", "yellow-3"), ("yellow-3", "red-3")):
        stair = {"green-1": (200, 100), middle: (212, 106), top: (224, 112)}  # each over the one before only
        _, verdict = h.shot(h.state_from_position({**LAST, **stair}), "blue-3").pot("blue-3").judged()
        order = [reason.text.split(" is moved")[0] for reason in verdict.reasons if reason.rule == "TW-10e"]
        assert order == [top.title().replace("-", " "), middle.title().replace("-", " ")]


def test_so_are_those_squopped_later() -> None:
    """TW-10d: after every later shot."""
    _, after = uncovered()
    squop = h.shot(after, "green-1").to("green-1", 300, 300).to("red-5", 300, 296).then()
    assert not h.covers(squop).is_squopped("green-1")
    assert not h.covers(squop).is_squopping("red-5")


def test_at_the_same_distance_from_the_pot() -> None:
    """TW-10f: by the smaller turn, clockwise when level, the other way when that would leave the field."""
    before, after = uncovered()
    for wink in PILE:
        assert hypot(*h.position_of_wink(after, wink)) == pytest.approx(
            hypot(*h.position_of_wink(before, wink)), abs=1e-5
        )
    state = h.state_from_position({**LAST, "green-4": (250, 0), "red-5": (252, 3)})
    turned = h.position_of_wink(h.shot(state, "blue-3").pot("blue-3").then(), "red-5")
    assert turned[1] > 0
    level = h.state_from_position({**LAST, "green-4": (250, 0), "red-5": (252, 0)})
    assert h.position_of_wink(h.shot(level, "blue-3").pot("blue-3").then(), "red-5")[1] < 0
    corner = h.state_from_position({**LAST, "green-4": (560, 444), "red-5": (558, 447)})
    moved = h.position_of_wink(h.shot(corner, "blue-3").pot("blue-3").then(), "red-5")
    assert moved[0] > 560
    assert moved[1] < 444


def test_until_it_covers_no_wink() -> None:
    """TW-10g: nor does it come to rest under or on another that happens to lie in the way."""
    crowd = {"green-4": (250, 0), "red-5": (252, 3), "green-5": (250, 17), "green-6": (250, -16), "yellow-4": (249, 34)}
    state = h.state_from_position({**LAST, **crowd})
    after = h.shot(state, "blue-3").pot("blue-3").then()
    mine = after.scene.piece("red-5")
    for other in crowd:
        if other != "red-5":
            piece = after.scene.piece(other)
            assert hypot(mine.x - piece.x, mine.y - piece.y) >= mine.radius + piece.radius
    assert hypot(mine.x, mine.y) == pytest.approx(hypot(0.252, 0.003), abs=1e-7)


@pytest.mark.parametrize("bearing", [-1.726, 0.0, 0.8, 1.5707])
def test_nor_a_wink_that_stands_on_its_edge(bearing: float) -> None:
    """TW-10c, TW-10g: its thickness reaches further than its radius; uncovering once went on for ever."""
    state = h.state_from_position({**LAST, "green-1": (25.571, 40.692), "red-3": (7.1, 45.331)})
    edge = {"tilt": pi / 2 - 1e-6, "lean": bearing, "z": 0.0079375}
    after = h.shot(state, "blue-3").pot("blue-3").set("red-3", **edge).then()
    assert not h.covers(after).is_squopping("green-1")
    assert not h.covers(after).is_squopped("green-1")


def test_nothing_limits_the_game_any_more() -> None:
    """TW-10h: neither clock nor rounds, even in the last round."""
    state = h.state_from_position(
        {**LAST, "green-3": (0, 200), "red-3": (-200, 0), "yellow-3": (0, -200)}, laps=1, opener="blue"
    )
    after, verdict = h.shot(state, "blue-3").pot("blue-3").judged()
    assert h.cites_rule(verdict, "TW-10h")
    assert after.book.laps is None
    after, _ = h.apply_action(after, Clock(seconds=80000.0))
    assert after.book.laps is None
    for _ in range(3):
        for wink in ("green-3", "red-3", "yellow-3"):
            after = h.shot_that_stays(after, wink)
    assert after.to_play == h.GREEN


def bearing(state: State, wink: str) -> float:
    """On which side of the pot a wink lies [degrees]."""
    x, y = h.position_of_wink(state, wink)
    return degrees(atan2(y, x))


def polar(far: float, angle: float) -> tuple[float, float]:
    return (far * cos(radians(angle)), far * sin(radians(angle)))


@pytest.mark.parametrize(("angle", "to"), [
    (29.0, 25.0342), (-29.0, -25.0342), (151.0, 154.9658), (209.0, -154.9658), (-28.5, -25.0342), (24.5, 23.2920),
])  # fmt: skip
def test_the_way_round_goes_on_beyond_a_corner(angle: float, to: float) -> None:
    """TW-10f: at that distance from the pot, also where the circle first leaves the field and comes back into it.

    It comes in again where a large wink lies clear of the base line: acos((914.4 - 11.1125 - 0.01) / 903.6) from the
    diagonal, 26.5651 degrees; the last one stays inside, 2 asin(19.05 / 2 / 903.6) from the wink it lay on.
    """
    far = 903.6
    state = h.state_from_position(
        {**LAST, "green-3": polar(far, angle), "red-1": polar(far, angle + copysign(0.3, angle))}
    )
    assert h.covers(state).is_squopped("green-3")
    after = h.shot(state, "blue-3").pot("blue-3").then()
    assert hypot(*h.position_of_wink(after, "red-1")) == pytest.approx(far, abs=1e-4)
    assert bearing(after, "red-1") == pytest.approx(to, abs=1e-3)
    assert not h.covers(after).is_squopped("green-3")
    assert out_of_bounds_rule(after.options, after.scene.piece("red-1")) is None


@pytest.mark.parametrize(("options", "gap"), [
    ({}, 2.0), ({"unplayable_margin_mm": 5.0}, 5.0), ({"unplayable_margin_mm": 0.0}, 0.01),
    ({"unplayable_margin_mm": 0.0, "boundary_touch": "in"}, 0.0),
])  # fmt: skip
def test_a_wink_is_moved_aside_to_where_one_may_lie(options: dict[str, Any], gap: float) -> None:
    """TW-10f, TW-8c, TW-8d: neither on a boundary nor too near the mat's edge; so no later shot finds it out.

    Others stand in its way to one side, so it goes to where the circle comes back from the edge on the other.
    """
    far = 452.0
    lower = degrees(asin((457.2 - 7.9375 - gap) / far)) - 1.2
    guards = ("green-4", "green-5", "green-6", "red-4", "red-5", "red-6")
    state = h.state_from_position(
        {**LAST, "green-3": polar(far, lower), "red-3": polar(far, lower + 0.5), "yellow-3": (-300, 0),
         "green-1": (0, -300), **{wink: polar(far, lower - 3.9 * (k + 1)) for k, wink in enumerate(guards)}},
        options=options,
    )  # fmt: skip
    assert h.covers(state).is_squopped("green-3")
    state = h.shot(state, "blue-3").pot("blue-3").then()
    where = h.position_of_wink(state, "red-3")
    assert hypot(*where) == pytest.approx(far, abs=1e-4)
    assert out_of_bounds_rule(state.options, state.scene.piece("red-3")) is None
    assert where[0] < 0.0
    assert 457.2 - 7.9375 - where[1] == pytest.approx(gap, abs=1e-3)
    state = h.shot_that_stays(h.shot_that_stays(h.shot_that_stays(state, "green-1"), "red-4"), "yellow-3")
    assert h.position_of_wink(state, "red-3") == where
    assert state.book.missing == ()
