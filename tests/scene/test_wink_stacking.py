"""Winks placed by hand lie on what is below, without overlap."""

from math import cos, pi, sin
from random import Random

import pytest

from flicksim.core.units import mm
from flicksim.scene import Piece, place_piece
from tests.scene.sampled_wink_distance import lowest_point, wink_distance

NEAR = 5e-5


def make_wink(name: str, x: float, *, z: float | None = None, tilt: float = 0.0) -> Piece:
    size = {"radius": mm(7.9375), "thickness": mm(1.5875)}
    return Piece(id=name, kind="small", x=x, y=0.0, mass=0.0005, material="wink", owner=0, z=z, tilt=tilt, **size)


@pytest.mark.parametrize("tilt", [1.45, pi / 2.0 - 1e-7, pi / 2.0])
def test_a_wink_on_an_upright_one_is_no_higher_than_both(tilt: float) -> None:
    standing = make_wink("red-1", 0.0, z=mm(8.0), tilt=tilt)
    for aside in (0.0, 0.0004, 0.004):
        laid = place_piece([standing], make_wink("blue-1", 0.1), (aside, 0.0))
        assert mm(0.7) < laid.z < mm(35.0)
        if laid.lies_on:
            assert (laid.tilt, laid.lies_on) == (0.0, ("red-1",))


def random_pile(dice: Random) -> list[Piece]:
    """Two to five winks, small and large, each laid where it is likely to lie on others."""
    pieces: list[Piece] = []
    for k in range(dice.randint(2, 5)):
        size = dice.choice([(7.9375, 1.5875), (11.1125, 2.38125)])
        radius, at = mm(size[0]), (0.0, 0.0)
        if pieces:
            other = dice.choice(pieces)
            distance, way = dice.uniform(0.0, 1.1) * (other.radius + radius), dice.uniform(-pi, pi)
            at = (other.x + distance * cos(way), other.y + distance * sin(way))
        put = Piece(
            id=f"wink-{k}", kind="", x=0.0, y=0.0, radius=radius, thickness=mm(size[1]), mass=5e-4, material="wink"
        )
        pieces.append(place_piece(pieces, put, at))
        assert pieces[-1].position == pytest.approx(at, abs=1e-9)
    return pieces


def test_piles_have_no_overlap_and_no_gap() -> None:
    """150 random piles, to .05 mm."""
    dice = Random(7)
    wrong = []
    for number in range(150):
        pieces = random_pile(dice)
        for k, upper in enumerate(pieces):
            gaps = {lower.id: wink_distance(upper, lower) for lower in pieces[:k]}
            if min([lowest_point(upper), *gaps.values()]) < -NEAR:
                wrong.append(f"pile {number}: {upper.id} is in another")
            if max((gaps[lower] for lower in upper.lies_on), default=lowest_point(upper)) > NEAR:
                wrong.append(f"pile {number}: {upper.id} hangs over what it lies on")
    assert wrong == []


def test_over_two_level_winks_on_one_side_it_lies_on_both_and_on_the_mat() -> None:
    pieces = [make_wink("red-1", 0.0)]
    pieces.append(place_piece(pieces, make_wink("red-2", 0.0), (mm(12.0), mm(12.0))))
    across = place_piece(pieces, make_wink("blue-1", 0.0), (0.0, mm(14.0)))
    assert across.lies_on == ("red-1", "red-2")
    assert lowest_point(across) == pytest.approx(0.0, abs=NEAR)
    assert [wink_distance(across, other) for other in pieces] == pytest.approx([0.0, 0.0], abs=NEAR)
