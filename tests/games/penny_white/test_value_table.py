"""Tests of the value table of Penny White: normalisation, monotonicity, symmetry."""

import numpy as np
import pytest

from flicksim.ai import GRADES, NO_NOISE
from flicksim.core.serialization import fingerprint
from flicksim.core.units import mm
from flicksim.games.penny_white import value_table
from flicksim.games.penny_white.equipment import Options

CLUB = GRADES["club"]


def laid(blue: list[float], red: list[float], pennies: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Pennies so far below the white [mm], a little to the right; Blue's first, then Red's."""
    places, there = np.zeros((1, 2 * pennies + 1, 2)), np.zeros((1, 2 * pennies + 1), np.bool_)
    places[0, -1], there[0, -1] = (0.15, 0.6), True
    for first, ways in ((0, blue), (pennies, red)):
        for k, direction in enumerate(ways):
            places[0, first + k], there[0, first + k] = (0.15 + mm(3.0), 0.6 - mm(direction)), True
    return places, there


def lying(blue: list[float], red: list[float], turn: int, left: int, hand: str = "club") -> np.ndarray:
    """Shares of the gains of an end that lies so."""
    places, there = laid(blue, red)
    return value_table.gain_probabilities(GRADES[hand], places, there, np.array([turn]), np.array([left]))[0]


def mean(shares: np.ndarray) -> float:
    return float(shares @ value_table.GAINS)


def test_value_table_matches_its_fingerprint() -> None:
    assert fingerprint(value_table.load_value_table()) == "50739f28a36900ed"
    assert len(value_table.load_networks()) == 8
    for hand in (*GRADES.values(), NO_NOISE):
        assert sum(value_table.starter_gain_probabilities(hand)) == pytest.approx(1.0, abs=1e-4)
    assert value_table.starter_gain_probabilities(NO_NOISE) == value_table.starter_gain_probabilities(
        GRADES["world"]
    ), "steadier than the best counts as the best"


@pytest.mark.parametrize("left", range(1, 9))
def test_gain_probabilities_sum_to_one_and_are_symmetric(left: int) -> None:
    result = lying([30, 80], [50], 0, left)
    assert result.sum() == pytest.approx(1.0, abs=1e-5)
    assert (result >= 0.0).all()
    assert result == pytest.approx(lying([50], [30, 80], 1, left), abs=1e-6)
    assert result == pytest.approx(lying([80, 30], [50], 0, left), abs=1e-6)
    places, there = laid([30, 80], [50])
    places[..., 0] = 0.3 - places[..., 0]
    mirrored = value_table.gain_probabilities(CLUB, places, there, np.array([0]), np.array([left]))[0]
    assert mean(mirrored) == pytest.approx(mean(result), abs=0.15), "learnt, so nearly"


@pytest.mark.parametrize("hand", ["beginner", "club", "world"])
def test_who_lies_nearer_is_better_off_and_the_last_penny_tells_most(hand: str) -> None:
    better, worse = (lying(mine, theirs, 0, 1, hand) for mine, theirs in (([25], [90]), ([90], [25])))
    assert mean(better) > mean(worse) + 0.3
    early = mean(lying([25], [90], 0, 7, hand)) - mean(lying([90], [25], 0, 7, hand))
    assert early < mean(better) - mean(worse)


def test_the_last_penny_cannot_lose_a_point_that_lies_safe_beyond_all_reach() -> None:
    """Blue has one penny to come and all the points there are: nearly always he keeps one at least."""
    assert lying([22, 26, 30], [], 0, 1, "world")[5:].sum() > 0.9


def test_whose_is_the_last_penny_is_better_off_but_for_a_good_opening() -> None:
    """Of 300 ends played by club hands the starter won .497 and was .08 points ahead, which strayed by 1.40."""
    assert mean(lying([], [], 0, 8)) < 0.0
    shares = np.array(value_table.starter_gain_probabilities(CLUB))
    assert shares[5:].sum() == pytest.approx(0.497, abs=2.0 * np.sqrt(0.25 / 300))
    assert mean(shares) == pytest.approx(0.08, abs=2.0 * 1.40 / np.sqrt(300))
    assert np.sqrt(shares @ np.square(value_table.GAINS - mean(shares))) == pytest.approx(1.40, abs=0.12)


def test_missing_pennies_have_the_features_of_pennies_off_the_board() -> None:
    few, many = (value_table.features_of(*laid([30], [50], pennies), np.array([0]), 0.0) for pennies in (2, 4))
    assert few.shape == (1, value_table.FEATURES)
    assert few == pytest.approx(many)


def test_value_table_covers_only_trained_boards_and_coins() -> None:
    assert value_table.is_covered(Options())
    assert value_table.is_covered(Options(coin="us_cent", board="slate"))
    for other in (Options(coin="old_penny"), Options(pennies=5), Options(pennies=3), Options(board_mm=(400.0, 900.0))):
        assert not value_table.is_covered(other)
