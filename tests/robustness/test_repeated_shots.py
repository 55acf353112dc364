"""Short form of `python -m benchmarks.shot_sequences`: the result of a shot is a valid start of the next."""

from math import pi

import pytest

from benchmarks import shot_sequences
from flicksim.core.geometry import clearance, rectangle
from flicksim.scene import Piece, Pot, Scene, Surface


def test_result_of_a_shot_is_valid_as_the_next_start() -> None:
    found = shot_sequences.run_trials(2, range(60))
    assert found.findings == []
    assert found.total("shots") > 150


@pytest.mark.parametrize("turn", [0.0, 0.1, 0.7, 1.3])
def test_position_stays_inside_the_edge(turn: float) -> None:
    for corners in (3, 4, 7):
        outline = shot_sequences.regular_polygon(0.3, corners, turn)
        surface = Surface(material="wood", outline=outline)
        for k in range(200):
            a, b, part = outline[k % corners - 1], outline[k % corners], (k + 0.5) / 200.0
            x, y = a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])
            kept = surface.round_inside((x, y))
            assert clearance(kept, outline) >= 0.0
            assert kept == (round(kept[0], 9), round(kept[1], 9))
            assert max(abs(kept[0] - x), abs(kept[1] - y)) < 5e-9
    assert surface.round_inside((0.0123456784, -0.01)) == (0.012345678, -0.01)


def wink(at: float, **how: object) -> Scene:
    """A wink so far from the axis of a pot that widens, or narrows, towards its rim."""
    top, base = how.pop("pot", (0.02, 0.04))  # type: ignore[misc]
    pot = Pot(height=0.04, top_radius=top, base_radius=base, wall=0.002, material="pot")
    piece = Piece(id="w", kind="small", x=at, y=0.0, radius=0.008, thickness=0.0016, mass=4e-4, material="wink", **how)  # type: ignore[arg-type]
    surface = Surface(material="felt", outline=rectangle(1.0, 1.0, -0.5, -0.5), pot=pot)
    return Scene(surface=surface, pieces=(piece,))


def test_wink_leans_on_a_sloped_pot_wall() -> None:
    """Not only on the rim: a pot may be wider below."""
    leaning = {"tilt": 0.3, "lean": pi, "z": 0.0032, "support": "leaning"}
    assert wink(0.047, **leaning).problems() == []
    assert "is said to lean on the pot" in wink(0.053, **leaning).problems()[0]


def test_wink_touches_a_slope_with_its_edge_centre() -> None:
    assert wink(0.0477, pot=(0.02, 0.04)).problems() == []
    assert "goes through the pot's wall" in wink(0.0470, pot=(0.02, 0.04)).problems()[0]
