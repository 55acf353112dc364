"""The worth of shots as a measure: what wins is worth one, better draws are worth more, all by the same luck."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from flicksim.base.errors import FlicksimError
from flicksim.lab import Experiment, ask
from flicksim.lab.experiment import read_experiment

WHITE_PLACED = {"do": "place_white", "y": 0.575}
BLUE = {"do": "flick", "piece": "blue-1", "speed": 1.3, "azimuth": 1.4}


def map_of(*measure: str, beyond: dict[str, list[float]]) -> Experiment:
    return Experiment(
        title="worth", measure=measure, shots=3, hand="steady",
        game={"name": "penny-white", "options": {"jack_mode": "beginner", "first": "first", "ends": 1, "pennies": 1},
              "played": [WHITE_PLACED, BLUE]},
        flick={"to": "white", "beyond": beyond},
    )  # fmt: skip


def test_the_last_flick_of_a_game_is_worth_what_it_wins() -> None:
    """Blue's only penny lies 15 cm short and aside; Red's, the last, stops farther off, or nearer the white."""
    table = ask(map_of("worth", "worth expert", "gap white", beyond={"grid": [-0.3, -0.03, -0.05]}))
    order = np.argsort(table["gap_white"])
    assert np.array(table["worth"])[order].tolist() == [1.0, 1.0, 0.0]
    assert np.array(table["worth_expert"])[order].tolist() == [1.0, 1.0, 0.0]


def test_a_hand_nobody_has_and_a_bare_scene_are_refused() -> None:
    with pytest.raises(FlicksimError, match="no grade 'giant'"):
        ask(map_of("worth giant", beyond={"grid": [0.0]}))
    with pytest.raises(FlicksimError, match="'worth' needs a game"):
        ask(Experiment(title="worth", measure=("worth",), shots=2, scene="draw", flick={"piece": "a", "to": "white"}))


def test_the_map_is_a_ready_experiment() -> None:
    assert str(read_experiment(Path("worth-map")).measure[0]) == "worth"
