"""Paragraph 8: which winks went out, where they are put back, and what it costs."""

from math import cos, hypot, radians, sin
from typing import Any

import msgspec
import pytest

from flicksim.core.geometry import distance
from flicksim.core.units import mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.boundaries import out_of_bounds_rule
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.scene import Landed, overlap, place_piece
from tests.games.tiddlywinks import helpers as h

S, L = 7.9375, 11.1125  # radii of small and large winks [mm]
X, Y = 914.4, 457.2  # edges of the mat [mm]
IN = 22.225


def table(**options: Any) -> State:
    """Two winks of each seat well apart; Blue to play."""
    return h.state_from_position(
        {"blue-3": (500, 0), "blue-1": (500, 100), "green-3": (500, -200), "red-3": (-500, 0), "yellow-3": (-500, 200)},
        options=options,
    )


def gaps(state: State, wink: str) -> list[float]:
    """From a wink's edge to every boundary, nearest first [mm]."""
    piece = state.scene.piece(wink)
    return sorted((edge.inward(piece.position) - piece.radius) * 1000 for edge in kit.edges(state.options))


def out(going: h.ShotBuilder, wink: str = "blue-3") -> bool:
    """Return True if the rules put a wink back."""
    state, verdict = going.judged()
    moved = any(piece.id == wink for piece in verdict.ruling.moved)
    assert moved == (min(gaps(state, wink)) == pytest.approx(IN, abs=1e-5))
    return moved


def test_the_boundaries() -> None:
    """TW-8a: four base lines and four edges of the mat; the field is all inside them."""
    edges = kit.edges(Options())
    assert [edge.seat for edge in edges] == [1, None, 0, None, 3, None, 2, None]
    assert all(edge.inward((0.0, 0.0)) > 0.45 for edge in edges)


def test_over_the_boundary_is_put_back() -> None:
    """TW-8b: off the mat, past a base line, or once landed outside; flight over it and back cannot be."""
    state = table()
    assert out(h.shot(state, "blue-3").off("blue-3", X, 0))
    assert out(h.shot(state, "blue-3").crossed("blue-3", 0, 860, 325, forward=False).to("blue-3", 890, 420))
    landed = Landed(t=0.5, piece="blue-3", on="surface", point=(0.880, 0.420), speed=1.0)
    back = h.shot(state, "blue-3").happened(landed).to("blue-3", 700, 0)
    assert out(back)
    assert not out(h.shot(table(boundary_return="rest"), "blue-3").happened(landed).to("blue-3", 700, 0))
    inside = Landed(t=0.5, piece="blue-3", on="surface", point=(0.7, 0.0), speed=1.0)
    assert not out(h.shot(state, "blue-3").happened(inside).to("blue-3", 700, 0))


def test_on_the_boundary_is_put_back() -> None:
    """TW-8c: partly over or just touching; a hundredth of a millimetre clear of a base line is in."""
    state = table()
    piece = state.scene.piece("blue-3")
    foot = (piece.radius, 2 / 5**0.5, 1 / 5**0.5)

    def beside(clear: float) -> tuple[float, float]:
        far = 914.4 - S - clear
        return (far * foot[1], far * foot[2])

    for clear, is_out in ((-3.0, True), (0.0, True), (0.02, False), (1.0, False)):
        assert out(h.shot(state, "blue-3").to("blue-3", *beside(clear))) is is_out
    assert not out(h.shot(table(boundary_touch="in"), "blue-3").to("blue-3", *beside(0.0)))
    wide = table(baseline_width_mm=4.0)
    assert (
        out_of_bounds_rule(wide.options, kit.wink(wide.options, "blue-3", tuple(v / 1000 for v in beside(1.0))))
        == "TW-8c"
    )


@pytest.mark.parametrize(("clear", "is_out"), [(0.5, True), (1.98, True), (2.02, False)])
def test_too_near_the_edge_is_put_back(clear: float, is_out: bool) -> None:
    """TW-8d: nearer than 2 mm to the mat's edge; base lines have no such margin."""
    assert out(h.shot(table(), "blue-3").to("blue-3", 300, Y - S - clear)) is is_out
    assert not out(h.shot(table(unplayable_margin_mm=0.3), "blue-3").to("blue-3", 300, Y - S - clear))


def test_every_wink_sent_off_is_put_back() -> None:
    """TW-8e, TW-8f: whoever owns it, at any time, before an extra shot; a wink that stays behind its own base line has
    crossed nothing."""
    state = table()
    after = h.shot(state, "blue-3").to("blue-3", 600, 0).off("red-3", -X, 0).off("yellow-3", 0, Y).then()
    extra = h.shot(state, "blue-3").pot("blue-3").off("red-3", -X, 0).then()
    assert extra.to_play == h.BLUE
    for back, wink in ((after, "red-3"), (after, "yellow-3"), (extra, "red-3")):
        assert gaps(back, wink)[0] == pytest.approx(IN, abs=1e-5)
    short, verdict = h.shot(state, "blue-4").to("blue-4", 890, 410).judged()
    assert h.cites_rule(verdict, "TW-8e")
    assert "blue-4" in short.book.behind
    assert short.scene.piece("blue-4").position == kit.home_spot(state.options, "blue-4")
    assert short.book.missing == ()
    assert short.to_play == h.GREEN
    on_line = h.shot(state, "blue-4").to("blue-4", 914.4 * 0.8944, 914.4 * 0.4472).then()
    assert "blue-4" not in on_line.book.behind
    assert on_line.book.missing == (h.BLUE,)
    off = h.shot(state, "blue-4").off("blue-4", X, 430).then()
    assert (off.book.missing, "blue-4" in off.book.behind) == ((h.BLUE,), False)
    stays = h.shot(table(bring_in_short="stay"), "blue-4").to("blue-4", 914.4 * 0.8944, 914.4 * 0.4472).then()
    assert "blue-4" in stays.book.behind
    assert stays.book.missing == ()
    there_and_back = h.shot(state, "blue-4").crossed("blue-4", 0, 850, 340, forward=True, t=0.2)
    there_and_back.crossed("blue-4", 0, 850, 340, forward=False, t=0.4).to("blue-4", 890, 410)
    assert "blue-4" not in there_and_back.then().book.behind


def test_a_bounce_behind_its_own_line_is_not_out() -> None:
    """TW-8b, TW-8e: a wink brought in may touch down behind its own base line first, and nowhere else outside."""
    state = table()
    for spot, fine in (((0.88, 0.40), True), ((0.88, -0.40), False)):
        bounced = Landed(t=0.1, piece="blue-4", on="surface", point=spot, speed=1.0)
        going = h.shot(state, "blue-4").happened(bounced).crossed("blue-4", 0, 850, 340, forward=True, t=0.2)
        after = going.to("blue-4", 600, 300).then()
        assert (after.book.missing == ()) is fine
        assert (h.position_of_wink(after, "blue-4") == pytest.approx((600, 300))) is fine


@pytest.mark.parametrize(("wink", "radius"), [("blue-3", S), ("blue-1", L)])
def test_a_large_winks_width_in(wink: str, radius: float) -> None:
    """TW-8g: 22.225 mm from the boundary to its edge, and no less to any other boundary."""
    after = h.shot(table(), wink).off(wink, X, 100).then()
    assert h.position_of_wink(after, wink) == pytest.approx((X - IN - radius, 100), abs=1e-4)
    corner = h.shot(table(), wink).off(wink, X, 215.8).then()
    assert gaps(corner, wink)[:2] == pytest.approx([IN, IN], abs=1e-4)
    centre = h.shot(table(replace_measure="centre"), wink).off(wink, X, 100).then()
    assert h.position_of_wink(centre, wink) == pytest.approx((X - IN, 100), abs=1e-4)


def test_put_back_near_where_it_left() -> None:
    """TW-8h: opposite the spot, slid along no farther than it must, clockwise when level; earlier leavers first."""
    crowd = {"green-3": (X - IN - S, 100), "blue-3": (500, 0), "green-1": (500, -200), "red-1": (-500, 0)}
    after = h.shot(h.state_from_position(crowd), "blue-3").off("blue-3", X, 100).then()
    assert h.position_of_wink(after, "blue-3") == pytest.approx((X - IN - S, 100 - 2 * S), abs=1e-3)
    off_centre = h.shot(h.state_from_position(crowd), "blue-3").off("blue-3", X, 103).then()
    assert h.position_of_wink(off_centre, "blue-3") == pytest.approx((X - IN - S, 100 + 2 * S), abs=1e-3)
    both = h.shot(h.state_from_position(crowd), "blue-3").off("green-1", X, 0, t=0.5).off("blue-3", X, 0, t=0.9).then()
    assert h.position_of_wink(both, "green-1")[1] == pytest.approx(0, abs=1e-3)
    # the two sizes lie on slightly different lines, 3.175 mm apart
    assert h.position_of_wink(both, "blue-3")[1] == pytest.approx(
        -(((101.6 + S + L) ** 2 - (L - S) ** 2) ** 0.5), abs=1e-3
    )


def test_the_point_of_departure() -> None:
    """TW-D5: where the centre crossed, or the boundary point nearest to a wink resting on it."""
    state = table()
    going = (
        h.shot(state, "blue-3").crossed("blue-3", 0, 843.75, 357.2, forward=False, t=0.4).off("blue-3", X, 420, t=0.6)
    )
    piece = going.then().scene.piece("blue-3")
    line = next(edge for edge in kit.edges(state.options) if edge.seat == h.BLUE)
    foot = (piece.x + 0.8944272 * line.inward(piece.position), piece.y + 0.4472136 * line.inward(piece.position))
    assert distance(foot, (0.84375, 0.3572)) < 1e-4
    resting = h.shot(state, "blue-3").to("blue-3", 123, Y).then()
    assert h.position_of_wink(resting, "blue-3") == pytest.approx((123, Y - IN - S), abs=1e-4)


def test_own_wink_off_costs_the_next_shot() -> None:
    """TW-8i, TW-8j: an extra shot just earned is the one lost, else the next turn passes; several winks are one shot; a
    wink of partner or opponent costs nothing."""
    state = table()
    after = h.shot(state, "blue-3").off("blue-3", X, 0).off("blue-1", X, 200).then()
    assert after.book.missing == (h.BLUE,)
    for wink in ("green-3", "red-3", "yellow-3"):
        after = h.shot_that_stays(after, wink)
    assert after.to_play == h.GREEN
    assert after.book.missing == ()
    lost, verdict = h.shot(state, "blue-3").pot("blue-3").off("blue-1", X, 200).judged()
    assert (lost.to_play, lost.book.missing) == (h.GREEN, ())
    assert h.cites_rule(verdict, "TW-8i")
    two, _ = h.shot(state, "blue-3").pot("blue-3").pot("blue-4").off("blue-1", X, 200).judged()
    assert (two.to_play, two.book.missing, two.book.extra) == (h.BLUE, (), 0)  # of two extra shots one is lost
    later = h.shot(table(miss_scope="next_turn"), "blue-3").pot("blue-3").off("blue-1", X, 200).then()
    assert (later.to_play, later.book.missing) == (h.BLUE, (h.BLUE,))
    for wink in ("red-3", "green-3", "yellow-3"):
        after, verdict = h.shot(state, "blue-3").to("blue-3", 600, 0).off(wink, X, 0).judged()
        assert after.book.missing == ()
        assert not h.cites_rule(verdict, "TW-8i")
        assert h.cites_rule(verdict, "TW-8b")


def test_put_back_four_inches_apart() -> None:
    """TW-8k: edge to edge, those of one shot; those of another shot need only be clear."""
    state = table()
    after = (
        h.shot(state, "blue-3").off("blue-3", X, 0, t=0.5).off("blue-1", X, 5, t=0.6).off("red-3", X, -4, t=0.7).then()
    )
    winks = [after.scene.piece(wink) for wink in ("blue-3", "blue-1", "red-3")]
    for i, a in enumerate(winks):
        for b in winks[:i]:
            assert (hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius) * 1000 >= 101.6 - 1e-5
    near = h.shot(after, "green-3").off("green-3", X, 0).then()
    a, b = near.scene.piece("green-3"), near.scene.piece("blue-3")
    assert hypot(a.x - b.x, a.y - b.y) == pytest.approx(a.radius + b.radius, abs=1e-6)
    centres = table(apart_measure="centre")
    after = h.shot(centres, "blue-3").off("blue-3", X, 0, t=0.5).off("blue-1", X, 5, t=0.6).then()
    assert distance(after.scene.piece("blue-3").position, after.scene.piece("blue-1").position) == pytest.approx(
        0.1016, abs=2e-5
    )


def test_never_put_back_on_another() -> None:
    """TW-8l: neither on nor under one, however crowded the boundary."""
    crowd = {
        f"{c}-{n}": (X - IN - S, 16 * k - 60)
        for k, (c, n) in enumerate((c, n) for c in ("green", "red") for n in range(3, 7))
    }
    state = h.state_from_position({**crowd, "blue-3": (500, 0)})
    after = h.shot(state, "blue-3").off("blue-3", X, 0).then()
    piece = after.scene.piece("blue-3")
    for other in after.scene.pieces:
        if other.id != "blue-3":
            assert distance(piece.position, other.position) >= piece.radius + other.radius
    assert gaps(after, "blue-3")[0] == pytest.approx(IN, abs=1e-5)


def test_what_lay_on_a_wink_put_back_comes_down() -> None:
    """TW-8b: a wink on top of one that is out stays where it is, on the mat, if it is in."""
    state = h.state_from_position(
        {"red-1": (880, 0), "green-3": (870, 0), "blue-3": (500, 0)}, options={"unplayable_margin_mm": 0.0}
    )
    after = h.shot(state, "blue-3").off("red-1", X, 0).to("blue-3", 600, 0).then()
    green = after.scene.piece("green-3")
    assert (green.lies_on, green.height) == ((), green.thickness / 2)
    assert after.scene.problems() == []
    assert after.to_play == h.GREEN
    assert h.RED not in after.book.missing


def test_what_a_shot_did_not_move_it_did_not_send_off() -> None:
    """TW-8d, TW-8c: a wink that hands laid too near the edge, or on a boundary, lies there till a shot moves it."""
    state = table()
    for gap in (1.9, 0.0):
        near = kit.wink(state.options, "red-3", (-0.2, (Y - S - gap) / 1000))
        laid = msgspec.structs.replace(state, scene=state.scene.with_piece(near))
        assert out_of_bounds_rule(laid.options, near) is not None
        after = h.shot_that_stays(laid, "blue-3")
        assert after.scene.piece("red-3") == near
        own = msgspec.structs.replace(laid, book=msgspec.structs.replace(laid.book, to_play=h.RED, turn=h.RED))
        elsewhere = h.shot(own, "red-1").crossed("red-1", h.RED, -860, -325, forward=True).to("red-1", -500, 100).then()
        assert elsewhere.book.missing == ()
        assert elsewhere.scene.piece("red-3") == near
        nudged, verdict = h.shot(own, "red-3").to("red-3", -200.02, Y - S - gap).judged()
        assert nudged.book.missing == (h.RED,)
        assert h.cites_rule(verdict, "TW-8i")


@pytest.mark.parametrize("bearing", range(0, 360, 30))
def test_a_tilted_wink_is_not_touched_from_above_either(bearing: int) -> None:
    """TW-8l, TW-9a2: its rim reaches a little farther than its radius, whichever way it leans."""
    direction = radians(bearing)
    apart = mm(14.0)
    spot = (0.3, (Y - S - IN) / 1000)  # where a wink that leaves straight above goes
    state = table()
    lower = kit.wink(
        state.options, "yellow-1", (spot[0] - apart * cos(direction), spot[1] - 0.013 - apart * sin(direction))
    )
    upper = place_piece((lower,), kit.wink(state.options, "red-4", spot), (spot[0], spot[1] - 0.013))
    assert upper.tilt > 0.0
    scene = state.scene.with_piece(lower).with_piece(upper)
    known = tuple(wink for wink in state.book.behind if wink not in ("yellow-1", "red-4"))
    state = msgspec.structs.replace(state, scene=scene, book=msgspec.structs.replace(state.book, behind=known))
    after = h.shot(state, "blue-3").off("green-3", spot[0] * 1000, Y).then()
    back = after.scene.piece("green-3")
    for other in after.scene.pieces:
        assert other.id == "green-3" or overlap(back, other) <= 0.0
    covers = Squops(after.scene, after.book)
    assert not covers.is_squopped("green-3")
    assert not covers.is_squopping("green-3")
