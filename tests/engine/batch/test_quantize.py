import numpy as np

from flicksim.engine.batch.quantize import quantize_positions, to_nanometres
from flicksim.scene import Surface


def test_numbers_are_rounded_as_round_does_near_ties_too() -> None:
    rng = np.random.default_rng(1)
    ties = (rng.integers(-(10**9), 10**9, 2000) + 0.5) * 1e-9
    numbers = np.concatenate([rng.uniform(-3.0, 3.0, 2000), ties, np.nextafter(ties, 1.0), [0.0, 0.5e-9, -1.5e-9]])
    assert to_nanometres(numbers.reshape(-1, 3)).ravel().tolist() == [round(x, 9) for x in numbers.tolist()]


def test_moved_pieces_are_rounded_to_the_inside_and_others_are_left() -> None:
    # no corner is a whole number of nanometres, and no edge is along an axis
    outline = ((0.0, 0.0), (1.0 / 3.0, 0.1 / 7.0), (0.3, 2.0 / 3.0), (-0.1 / 3.0, 0.5))
    surface = Surface(material="formica", outline=outline)
    rng = np.random.default_rng(2)
    share = rng.random((500, 1))
    edge = (1.0 - share) * np.array(outline[0]) + share * np.array(outline[1])
    inside = np.array([0.1, 0.3]) + 0.01 * rng.standard_normal((500, 2))
    positions = np.zeros((500, 2, 3))
    positions[:, 0, :2], positions[:, 1, :2], positions[:, :, 2] = edge, inside, rng.random((500, 2))
    moved = rng.random((500, 2)) < 0.8
    before = positions.copy()
    quantize_positions(positions, moved, surface)
    assert np.array_equal(positions[~moved], before[~moved])
    for (x, y, angle), row in zip(before[moved].tolist(), positions[moved].tolist(), strict=True):
        assert row == [*surface.round_inside((x, y)), round(angle, 9)]
