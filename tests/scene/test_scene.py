"""Validation and queries of scenes."""

import re
from math import atan2, cos, sin
from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim.core.errors import InvalidScene, InvalidValue, NameNotFound
from flicksim.core.geometry import rectangle
from flicksim.scene import DEFAULT_PAIRINGS, Flick, Line, Pairing, Pairings, Piece, Pot, Scene, Surface, Tracks, samples
from flicksim.scene.samples import BOARD, penny
from flicksim.scene.scene import OVERLAP_TOLERANCE

R = 0.01015


def test_a_scene_without_fault_has_no_problems_and_touching_is_no_overlap() -> None:
    for name in samples.sample_names():
        scene, _ = samples.sample(name)
        assert scene.problems() == []
        assert scene.validated() is scene
        assert samples.sample_description(name)
    for gap, count in ((0.0, 0), (-0.9 * OVERLAP_TOLERANCE, 0), (-1.5 * OVERLAP_TOLERANCE, 1)):  # X-2
        scene = Scene(surface=BOARD, pieces=(penny("a", 0.1, 0.1), penny("b", 0.1 + 2 * R + gap, 0.1)))
        assert len(scene.problems()) == count


def test_every_problem_is_named_at_once() -> None:
    pieces = (penny("a", 0.1, 0.1), penny("a", 0.2, 0.1), penny("b", 0.1, 0.1 + 2 * R - 0.001), penny("c", 0.4, 0.1))
    with pytest.raises(InvalidScene) as wrong:
        Scene(surface=BOARD, pieces=pieces).validated()
    found = wrong.value.problems
    assert len(found) == 3
    assert "two pieces are called 'a'" in found[0]
    assert "'a' and 'b' overlap by 1.000 mm" in found[1]
    assert "'c' at (0.4, 0.1) m has its centre off the surface" in found[2]


def test_piece_that_lies_on_others_may_overhang_the_edge() -> None:
    """As winks do come to rest: two hold a third, whose centre is a little over the edge."""
    lower = (penny("a", R, 0.1), penny("b", R, 0.1 + 2.5 * R))
    upper = msgspec.structs.replace(penny("c", -0.1 * R, 0.1 + 1.25 * R), z=1.5 * lower[0].thickness)
    assert "off the surface" in Scene(surface=BOARD, pieces=(*lower, upper)).problems()[0]
    assert Scene(surface=BOARD, pieces=(*lower, msgspec.structs.replace(upper, lies_on=("a", "b")))).problems() == []


def test_tilted_pieces_rim_beside_rim_are_not_in_one_another() -> None:
    """From above the upper corner of one is .24 mm over the lower corner of the other; in space they are apart."""
    one = Piece(
        id="a", kind="wink", x=0.0, y=0.0, radius=0.01156, thickness=0.003284, mass=1e-3, material="wink",
        z=0.003456, tilt=0.1594, lean=-1.906, lies_on=("c",),
    )  # fmt: skip
    at = (-0.011161, 0.017912, 0.006826)
    for closer, count in ((0.0, 0), (1e-4, 0), (4e-4, 1)):
        x, y = (part * (1.0 - closer / 0.0211) for part in at[:2])
        other = Piece(
            id="b", kind="wink", x=x, y=y, radius=0.009629, thickness=0.002836, mass=1e-3, material="wink", z=at[2],
            tilt=0.3141, lean=-1.6301, lies_on=("c",),
        )  # fmt: skip
        found = Scene(
            surface=Surface(material="felt", outline=rectangle(2.0, 2.0, -1.0, -1.0)),
            pieces=(one, other, penny("c", x, y + 0.015)),
        ).problems()
        assert len([one for one in found if "'a' and 'b' overlap" in one]) == count


def slanting_wink_problems(farther: float, higher: float = 0.0) -> list[str]:
    """Faults of a wink that lies on another, through the pot's wall, so much farther out and higher [m]."""
    pot = Pot(height=0.0355, top_radius=0.033275, base_radius=0.033891, wall=0.00056, material="pot")
    way = atan2(0.032795, 0.007357)
    x, y = (0.03361 + farther) * cos(way), (0.03361 + farther) * sin(way)
    wink = Piece(
        id="a", kind="wink", x=x, y=y, radius=0.017657, thickness=0.001572, mass=1.5e-3, material="wink",
        z=0.001511 + higher, tilt=0.041096, lean=-2.569209, lies_on=("b",),
    )  # fmt: skip
    under = Piece(
        id="b", kind="wink", x=x + 0.0065, y=y + 0.0042, radius=0.005589, thickness=0.00081, mass=1.5e-4,
        material="wink", z=0.000405 + higher, lies_on=("c",) if higher else (),
    )  # fmt: skip
    surface = Surface(material="felt", outline=rectangle(2.0, 2.0, -1.0, -1.0), pot=pot)
    return [one for one in Scene(surface=surface, pieces=(wink, under)).problems() if one.startswith("'a'")]


def test_a_slanting_piece_may_not_go_through_the_pots_wall() -> None:
    """Its edge counts where that is nearest to the pot, or farthest out in it; over the rim it may be."""
    (message,) = slanting_wink_problems(0.0)
    assert message == "'a' goes through the pot's wall; it would be clear of it 17.913 mm farther out"
    assert slanting_wink_problems(0.0178) == slanting_wink_problems(0.018) == []
    assert "farther in" in slanting_wink_problems(-0.01)[0]
    assert slanting_wink_problems(-0.03) == ["'a' is inside the pot, but not said to lie in it"]
    assert not any("wall" in one for one in slanting_wink_problems(0.0, higher=0.0345))


def test_a_centre_on_the_edge_is_on_the_surface_and_a_line_needs_length() -> None:
    assert Scene(surface=BOARD, pieces=(penny("a", 0.0, 0.8),)).problems() == []
    with pytest.raises(InvalidValue, match="no length"):
        Line(name="l", a=(1.0, 1.0), b=(1.0, 1.0))


def test_pieces_are_found_added_replaced_moved_and_taken_away() -> None:
    scene = Scene(surface=BOARD, pieces=(penny("a", 0.1, 0.1), penny("b", 0.2, 0.1)))
    assert scene.with_piece_at("a", (0.1, 0.5)).piece("a").position == (0.1, 0.5)
    assert [p.id for p in scene.with_piece_at("a", (0.1, 0.5)).pieces] == ["a", "b"]
    assert [p.id for p in scene.with_piece(penny("c", 0.1, 0.3)).pieces] == ["a", "b", "c"]
    assert [p.id for p in scene.without("a").pieces] == ["b"]
    assert scene.has("a")
    assert not scene.without("a").has("a")
    assert scene.piece("a").position == (0.1, 0.1), "the first scene is as it was"
    with pytest.raises(InvalidScene, match="no piece 'z' on the table; pieces there: a, b"):
        scene.piece("z")


@pytest.mark.parametrize(
    "changes",
    [
        {"radius": 0.0}, {"radius": 2.0}, {"mass": -1.0}, {"mass": 3.56}, {"mass": float("nan")}, {"ring": -0.1},
        {"ring": 1.1}, {"thickness": -1.0}, {"x": float("inf")}, {"y": float("nan")}, {"angle": float("nan")},
        {"z": float("nan")}, {"z": 10.1}, {"z": -10.1}, {"tilt": 1.6},
    ],
)  # fmt: skip
def test_invalid_pieces_are_refused(changes: dict[str, float]) -> None:
    good: dict[str, Any] = {"x": 0.0, "y": 0.0, "radius": 0.01, "mass": 0.003}
    with pytest.raises(InvalidValue, match="kg of 'a' must lie in 1e-06 to 1" if "mass" in changes else "'a'"):
        Piece(id="a", kind="penny", material="bronze", **{**good, **changes})


@pytest.mark.parametrize(
    ("outline", "message"),
    [
        (((0.0, 0.0), (1.0, 0.0)), "three"),
        (((0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)), "counter-clockwise"),
        (((0.0, 0.0), (2.0, 0.0), (0.5, 0.5), (0.0, 2.0)), "convex"),
        (((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 1.0)), "convex"),
        (((0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)), "different"),
    ],
)
def test_invalid_outlines_are_refused(outline: Any, message: str) -> None:
    with pytest.raises(InvalidValue, match=message):
        Surface(material="wood", outline=outline)


@pytest.mark.parametrize(
    "changes",
    [
        {"speed": 0.0}, {"speed": -1.0}, {"speed": 20.1}, {"speed": float("nan")}, {"azimuth": 8.0},
        {"azimuth": float("inf")}, {"offset": 0.96}, {"offset": float("nan")}, {"start": (0.0, float("nan"))},
    ],
)  # fmt: skip
def test_invalid_flicks_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue, match=next(iter(changes))):
        Flick(piece="a", **{"speed": 1.0, "azimuth": 0.0, **changes})


def test_pairings_belong_to_unordered_pairs() -> None:
    assert DEFAULT_PAIRINGS.lookup("bronze", "wood") == DEFAULT_PAIRINGS.lookup("wood", "bronze")
    changed = DEFAULT_PAIRINGS.with_pairing("wood", "bronze", Pairing(friction=0.9))
    assert changed.lookup("bronze", "wood").friction == 0.9
    assert DEFAULT_PAIRINGS.lookup("bronze", "wood").friction != 0.9
    with pytest.raises(InvalidScene, match=r"'bronze' and 'cheese'.*bronze"):
        DEFAULT_PAIRINGS.lookup("bronze", "cheese")
    for name in ("wood|bronze", "bronze", "|bronze", "bronze|"):
        with pytest.raises(InvalidValue, match=rf"pairing '{re.escape(name)}' would never be .* as 'bronze\|"):
            Pairings(pairs={name: Pairing(friction=0.9)})
    assert all(pair.source for pair in DEFAULT_PAIRINGS.pairs.values())


def test_restitution_falls_with_speed_as_the_quarter_power() -> None:
    pair = Pairing(friction=0.1, restitution=0.8, yield_speed=2.0)
    assert pair.restitution_at(1.9) == 0.8
    assert pair.restitution_at(32.0) == pytest.approx(0.4)
    assert Pairing(friction=0.1, restitution=0.8).restitution_at(50.0) == 0.8
    speeds = np.linspace(0.1, 10.0, 50)
    assert np.all(np.diff([pair.restitution_at(float(v)) for v in speeds]) <= 0.0)


def test_cubic_interpolation_is_exact_for_a_pure_slide() -> None:
    pull, v = 2.0, 1.5
    times = np.array([0.0, 0.3, v / pull])
    states = np.zeros((3, 1, 6))
    states[:, 0, 0], states[:, 0, 3] = v * times - pull * times**2 / 2, v - pull * times
    tracks = Tracks(ids=("a",), times=times, states=states)
    for t in np.linspace(0.0, v / pull, 41):
        assert tracks.poses_at(float(t))[0, 0] == pytest.approx(v * t - pull * t * t / 2, abs=1e-12)
    assert np.array_equal(tracks.poses_at(-1.0), states[0, :, :3])
    assert np.array_equal(tracks.poses_at(9.0), states[-1, :, :3])


def test_poses_at_impacts_and_of_pieces_off_the_table() -> None:
    times = np.array([0.0, 1.0, 1.0, 2.0])
    states = np.zeros((4, 2, 6))
    states[:, 0, 0], states[:, 0, 3] = [0.0, 1.0, 1.0, 0.0], [1.0, 1.0, -1.0, -1.0]
    states[2:, 1] = np.nan
    tracks = Tracks(ids=("a", "b"), times=times, states=states)
    assert tracks.poses_at(0.5)[0, 0] == pytest.approx(0.5)
    assert tracks.poses_at(1.5)[0, 0] == pytest.approx(0.5)
    assert tracks.poses_at(1.0)[0, 0] == pytest.approx(1.0)
    assert np.isnan(tracks.poses_at(1.5)[1]).all()
    assert np.isfinite(tracks.poses_at(0.5)[1]).all()


def test_an_unknown_sample_is_refused_with_a_list() -> None:
    with pytest.raises(NameNotFound, match=r"'nowhere'.*draw"):
        samples.sample("nowhere")


def test_a_rack_is_loose_by_half_a_millimetre_all_over() -> None:
    scene, _ = samples.sample("break-up")
    rack = [piece for piece in scene.pieces if piece.id.startswith("p")]
    assert len(rack) == 25
    near = [sorted(np.hypot(a.x - b.x, a.y - b.y) for b in rack if b is not a) for a in rack]
    assert all(row[0] - 2 * R == pytest.approx(0.0005, abs=1e-9) for row in near)
    assert max(sum(gap < 0.021 for gap in row) for row in near) == 6, "the middle has six about it"


def make_wink(name: str, x: float, z: float, on: tuple[str, ...] = (), **more: float) -> Piece:
    return Piece(
        id=name, kind="wink", material="plastic", x=x, y=0.3, radius=0.008, thickness=0.0016, mass=0.00038, z=z,
        lies_on=on, **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("upper", "message"),
    [
        (make_wink("a", 0.105, 0.0024, ("b",)), ""),
        (make_wink("a", 0.105, 0.0024, ("nobody",)), "'a' is said to lie on 'nobody', which is not on the table"),
        (make_wink("a", 0.13, 0.0024, ("b",)), "'a' is said to lie on 'b', but does not overlap it"),
        (make_wink("a", 0.105, 0.0044, ("b",)), "'a' hangs 2.000 mm above what it is said to lie on"),
        (make_wink("a", 0.13, 0.0028), "'a' hangs 2.000 mm in the air with nothing under it"),
        (make_wink("a", 0.13, 0.0004), "'a' is sunk 0.400 mm into the surface"),
    ],
)
def test_a_wink_lies_on_the_mat_or_on_what_is_under_it(upper: Piece, message: str) -> None:
    found = Scene(surface=BOARD, pieces=(make_wink("b", 0.1, 0.0008), upper)).problems()
    assert found[:1] == ([message] if message else [])


def test_pieces_behind_a_line_are_not_in_the_field() -> None:
    field = Surface(
        material="felt", outline=rectangle(1.0, 1.0), lines=(Line(name="base", a=(0.0, 0.2), b=(1.0, 0.2)),)
    )
    assert [field.is_behind_line((0.5, y)) for y in (0.1, 0.2, 0.3)] == [True, False, False]
