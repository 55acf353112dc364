"""The measure `win_chance`: a winning shot is 1, and better draws have higher values."""

from pathlib import Path

import numpy as np
import pytest

from flicksim.core.errors import FlicksimError
from flicksim.experiments import Experiment, read_experiment, run_experiment

WHITE_PLACED = {"do": "place_white", "y": 0.575}
BLUE = {"do": "flick", "piece": "blue-1", "speed": 1.3, "azimuth": 1.4}


def map_of(*measure: str, overshoot: dict[str, list[float]]) -> Experiment:
    return Experiment(
        title="win_chance", measure=measure, shots=3, hand="steady",
        game={"name": "penny-white", "options": {"jack_mode": "beginner", "first": "first", "ends": 1, "pennies": 1},
              "actions": [WHITE_PLACED, BLUE]},
        flick={"target": "white", "overshoot": overshoot},
    )  # fmt: skip


def test_the_value_of_the_last_flick_is_its_outcome() -> None:
    """Blue's only penny lies 15 cm short and aside; Red's, the last, stops farther off, or nearer the white."""
    table = run_experiment(
        map_of("win_chance", "win_chance expert", "distance white", overshoot={"values": [-0.3, -0.03, -0.05]})
    )
    order = np.argsort(table["distance_white"])
    assert np.array(table["win_chance"])[order].tolist() == [1.0, 1.0, 0.0]
    assert np.array(table["win_chance_expert"])[order].tolist() == [1.0, 1.0, 0.0]


def test_an_unknown_grade_and_a_scene_without_a_game_are_refused() -> None:
    with pytest.raises(FlicksimError, match="no grade 'giant'"):
        run_experiment(map_of("win_chance giant", overshoot={"values": [0.0]}))
    flick = {"piece": "a", "target": "white"}
    alone = Experiment(title="win_chance", measure=("win_chance",), shots=2, scene="draw", flick=flick)
    with pytest.raises(FlicksimError, match="'win_chance' needs a game"):
        run_experiment(alone)


def test_the_value_map_is_a_shipped_experiment() -> None:
    assert str(read_experiment(Path("worth-map")).measure[0]) == "win_chance"
