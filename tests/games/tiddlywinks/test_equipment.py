"""Paragraphs 1 to 4: players, mat, pot, winks and squidger."""

from math import hypot, pi

import pytest

from flicksim.core.errors import IllegalAction, InvalidInput, InvalidOption
from flicksim.core.geometry import distance, signed_line_distance
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_json
from flicksim.games.tiddlywinks import GAME, rules
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.state import Interfere
from flicksim.referee import check_seat_count
from flicksim.scene.flick import Flick, Squidge

from .helpers import POT, apply_action, initial_state, refusal, shot, state_from_position

MM = 1000.0


def line(seat: int) -> kit.Edge:
    return next(edge for edge in kit.edges(Options()) if edge.seat == seat)


@pytest.mark.parametrize("seats", [1, 2, 3, 5])
def test_four_players(seats: int) -> None:
    """TW-1a: four seats; two people hold both colours of a pair each."""
    with pytest.raises(InvalidOption, match="4"):
        rules.initial_state(Options(), seats, RandomStreams(seed=1))
    with pytest.raises(InvalidOption):
        check_seat_count(GAME, seats)


def test_facing_players_are_partners() -> None:
    """TW-1b: Blue and Red against Green and Yellow, and they sit at opposite corners."""
    for seat in range(4):
        other = (seat + 2) % 4
        assert kit.pair_of(seat) == kit.pair_of(other)
        assert kit.pair_of(seat) != kit.pair_of((seat + 1) % 4)
        here, there = (kit.home_spot(Options(), kit.winks_of(s)[0]) for s in (seat, other))
        assert here == (-there[0], -there[1])
    assert kit.SEATS[0::2] == ("Blue", "Red")


def test_mat_is_felt_like() -> None:
    """TW-2a: bare wood is advised against, felt is not."""
    assert any("TW-2a" in message for message in kit.option_warnings(Options(mat_material="bare")))
    for mat in ("felt", "blanket", "carpet", "rug"):
        assert not any("TW-2a" in message for message in kit.option_warnings(Options(mat_material=mat)))
    assert kit.mat_surface(Options()).material == "felt"


def test_mat_is_big_enough() -> None:
    """TW-2b: a wink can be set 914.4 mm from the pot, else the mat is refused."""
    at = kit.start_spot(Options(), 0, "large")
    assert hypot(*at) >= 0.9144
    assert kit.is_behind_line(Options(), 0, at, kit.SIZES["large"].diameter / 2)
    for size, reason in (((1700.0, 800.0), "six winks do not fit"), ((1600.0, 900.0), "half its diagonal")):
        with pytest.raises(InvalidOption, match=rf"{reason}.*TW-2b"):
            rules.initial_state(Options(mat_size_mm=size), 4, RandomStreams(seed=1))


@pytest.mark.parametrize(
    "size", [(4000.0, 4000.0), (1000.0, 4000.0), (2100.0, 1050.0), (1828.8, 914.4), (2500.0, 2500.0)]
)
def test_base_lines_do_not_meet_on_the_mat(size: tuple[float, float]) -> None:
    """TW-8a: base lines and edges bound the field in turn; a mat on which lines meet is refused."""
    options = Options(mat_size_mm=size)
    if size[0] in (1828.8, 2500.0):
        corners = kit.field(options)
        assert all(signed_line_distance(corners[(k + 2) % 8], corners[k], corners[(k + 1) % 8]) > 0.0 for k in range(8))
    else:
        with pytest.raises(InvalidOption, match=r"would meet on it.*TW-8a"):
            rules.initial_state(options, 4, RandomStreams(seed=1))


def test_matches_are_played_on_two_by_one_yards() -> None:
    """TW-2c: the mat is 1828.8 by 914.4 mm; another is advised against, not forbidden."""
    xs, ys = zip(*kit.mat_surface(Options()).outline, strict=True)
    assert (max(xs) - min(xs)) * MM == pytest.approx(1828.8)
    assert (max(ys) - min(ys)) * MM == pytest.approx(914.4)
    assert kit.option_warnings(Options()) == ()
    other = Options(mat_size_mm=(2000.0, 1000.0))
    assert any("TW-2c" in message for message in kit.option_warnings(other))
    rules.initial_state(other, 4, RandomStreams(seed=1))


def test_makers_supply_mats() -> None:
    """TW-2d: for information only: the row is there and no option hangs on it."""
    row = next(row for row in GAME.rulebook if row.id == "TW-2d")
    assert row.option is None
    assert "information" in row.text


def test_the_table_is_horizontal() -> None:
    """TW-2e: a sloping table is refused."""
    assert kit.Table().problems() == []
    assert any("TW-2e" in message for message in kit.Table(slope=0.01).problems())


@pytest.mark.parametrize(("length", "width", "may"), [
    (1.8288, 0.9144, False), (1.828, 0.9144, True), (1.8288, 0.914, True), (0.9144, 1.8288, False), (3.0, 0.9, True),
    (2.5, 1.2, False),
])  # fmt: skip
def test_a_captain_may_refuse_a_small_table(length: float, width: float, may: bool) -> None:
    """TW-2f: only for being smaller than 1828.8 by 914.4 mm either way."""
    assert kit.Table(length=length, width=width).may_be_refused() is may


def test_a_base_line_at_each_corner() -> None:
    """TW-2g: four, one to a seat, clockwise from the north-east."""
    lines = kit.mat_surface(Options()).lines
    assert [one.name for one in lines] == ["blue base line", "green base line", "red base line", "yellow base line"]
    signs = [((one.a[0] + one.b[0]) > 0, (one.a[1] + one.b[1]) > 0) for one in lines]
    assert signs == [(True, True), (True, False), (False, False), (False, True)]


@pytest.mark.parametrize("seat", range(4))
def test_base_lines_cross_the_diagonal_squarely_three_feet_out(seat: int) -> None:
    """TW-2h, TW-2i: at right angles to the diagonal through its corner, the middle of the mat 914.4 mm inside; a drawn
    width narrows the field by half of it."""
    one = line(seat)
    corner = max(kit.mat_surface(Options()).outline, key=lambda p: p[0] * one.a[0] + p[1] * one.a[1])
    along = (one.b[0] - one.a[0], one.b[1] - one.a[1])
    assert along[0] * corner[0] + along[1] * corner[1] == pytest.approx(0.0, abs=1e-12)
    assert one.inward((0.0, 0.0)) == pytest.approx(0.9144, abs=1e-12)
    ends = sorted((abs(x), abs(y)) for x, y in (one.a, one.b))
    assert ends[0] == pytest.approx((0.793730, 0.4572), abs=1e-6)
    assert ends[1] == pytest.approx((0.9144, 0.215861), abs=1e-6)
    wide = next(edge for edge in kit.edges(Options(baseline_width_mm=4.0)) if edge.seat == seat)
    assert wide.inward((0.0, 0.0)) == pytest.approx(0.9124)


def test_pot_stands_in_the_middle() -> None:
    """TW-3a, TW-3b, TW-3c: 38.1 mm high, 47.625 mm wide at the top, straight unless said otherwise; fixed at the mat's
    centre."""
    pot = initial_state().scene.surface.pot
    assert (pot.height, pot.position) == (0.0381, (0.0, 0.0))
    assert pot.top_radius * 2 == pytest.approx(0.047625, abs=1e-12)
    assert pot.outer_radius(0.0) == pot.top_radius
    assert kit.pot(Options(pot_base_diameter_mm=38.0)).outer_radius(0.0) == pytest.approx(0.019)
    with pytest.raises(InvalidOption, match="pot_fixed"):
        rules.initial_state(Options(pot_fixed=False), 4, RandomStreams(seed=1))


def test_only_potted_winks_are_in_the_pot() -> None:
    """TW-3d: anything else inside it is an error of the scene."""
    scene = state_from_position({"blue-1": (200, 0)}).scene
    assert scene.problems() == []
    assert any("inside the pot" in message for message in scene.with_piece_at("blue-1", (0.0, 0.0)).problems())


def test_potted_winks_stay_potted() -> None:
    """TW-3e: they are not played, not taken out, and go back when knocked out."""
    state = state_from_position({"blue-1": POT, "blue-2": (200, 0), "blue-3": (300, 0)})
    assert refusal(state, Squidge(piece="blue-1", speed=1.0, azimuth=0.0)) == "TW-3e"
    after = shot(state, "blue-2").to("blue-1", 100, 100).then()
    assert "blue-1" in after.book.potted
    assert after.scene.piece("blue-1").support == "pot"
    taken, verdict = apply_action(state, Interfere(seat=2, wink="blue-1"))
    assert taken.scene == state.scene
    assert taken.book.phase == "shot"
    assert "TW-3e" in verdict.rule_ids


def test_six_winks_each_are_played_with_the_squidger() -> None:
    """TW-4a, TW-4e: 24 in all, six of each seat; a finger flick is no shot."""
    scene = initial_state().scene
    assert len(scene.pieces) == 24
    assert [sum(p.owner == seat for p in scene.pieces) for seat in range(4)] == [6, 6, 6, 6]
    with pytest.raises(IllegalAction, match="blue-7") as refused:
        rules.check_action(initial_state(), Squidge(piece="blue-7", speed=1.0, azimuth=0.0))
    assert refused.value.rule == "TW-4a"
    assert refusal(initial_state(), Flick(piece="blue-1", speed=1.0, azimuth=0.0)) == "TW-4e"


@pytest.mark.parametrize(("row", "kind", "count", "width", "thick"), [
    ("TW-4b", "large", 2, 22.225, 2.38125), ("TW-4c", "small", 4, 15.875, 1.5875),
])  # fmt: skip
def test_sizes(row: str, kind: str, count: int, width: float, thick: float) -> None:
    """TW-4b, TW-4c: two large winks and four small ones."""
    del row
    winks = [p for p in initial_state().scene.pieces if p.owner == 1 and p.kind == kind]
    assert len(winks) == count
    for wink in winks:
        assert wink.radius * 2 * MM == pytest.approx(width)
        assert wink.thickness * MM == pytest.approx(thick)
        assert wink.mass == pytest.approx(1200.0 * pi * wink.radius**2 * wink.thickness, rel=0.01)


@pytest.mark.parametrize(("width", "fits"), [(0.0254, True), (0.0508, True), (0.0253, False), (0.0509, False)])
def test_squidger_width(width: float, fits: bool) -> None:
    """TW-4d: 25.4 to 50.8 mm, both allowed."""
    text = '{"do":"squidge","piece":"blue-1","speed":1.0,"azimuth":0.0,"squidger":%r}' % width  # noqa: UP031
    if fits:
        assert from_json(text, Squidge).squidger == width
    else:
        with pytest.raises(InvalidInput, match="TW-4d"):
            from_json(text, Squidge)


def test_start_zones_are_free_and_behind() -> None:
    """TW-6a: every corner of the offered zone is a legal start, clear of the winks that wait."""
    state = initial_state()
    for span in rules.legal_actions(state).flicks:
        for corner in span.start:
            rules.check_action(state, Squidge(piece=span.piece, speed=1.0, azimuth=0.0, start=corner))
    for name in kit.WINKS:
        assert distance(kit.home_spot(Options(), name), (0.0, 0.0)) > 0.9144
