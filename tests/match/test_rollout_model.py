"""Rollout model: model error."""

from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from flicksim.ai import ModelError, ModelErrorTable, model_error_at
from flicksim.ai.model_error import FILE_NAME
from flicksim.cards import Dealer
from flicksim.core.serialization import to_json
from flicksim.games import load, names
from flicksim.match import GameRolloutModel, PhysicsSimulator
from tests.matches import new_match


@pytest.mark.parametrize("name", names())
def test_model_error_depends_on_the_fraction_played(name: str) -> None:
    """As `python -m benchmarks.model_error` measured it; it lies beside the game's bot."""
    match = new_match(name, *["bot:beginner"] * max(2, load(name).seats[0]), seed=3)
    game, asked = match.game, GameRolloutModel(match.game, PhysicsSimulator())
    told = [match.state, *(turn.after for turn in islice(match.run(), 12))]
    views = [game.rules.view(state, game.rules.to_play(state) or 0) for state in told]
    gone = [asked.fraction_played(view) for view in views]
    assert gone == sorted(gone)
    assert 0.0 <= gone[0] <= gone[-1] <= 1.0
    for view in views:
        error = asked.model_error(view)
        assert 0.005 < error.level < 0.25
        assert error.gap is None or 0.0 < error.gap < 0.25


def test_last_flick_and_last_missile_have_no_model_error() -> None:
    match = new_match("penny-white", "bot:beginner", "bot:beginner", seed=3, ends=1, pennies=1, first="first")
    asked = GameRolloutModel(match.game, PhysicsSimulator())
    known = [asked.model_error(turn.before) is not None for turn in match.run()]
    assert known == [True, True, False]
    match = new_match("ice", "bot:beginner", "bot:beginner", seed=3)
    state, asked = match.state, GameRolloutModel(match.game, PhysicsSimulator())
    for hands, known in (((state.hands[0][:1], state.hands[1][:1]), True), ((state.hands[0][:1], ()), False)):
        assert (asked.model_error(replace(state, hands=hands)) is not None) == known


def test_the_final_value_is_that_of_a_game_of_flicks_that_is_over() -> None:
    for name, options, simulator, is_known in (
        ("penny-white", {"ends": 1, "pennies": 1, "first": "first"}, PhysicsSimulator(), True),
        ("dominoes", {"rounds": 1}, Dealer(), False),
    ):
        match = new_match(name, "random", "random", seed=3, **options)
        model = GameRolloutModel(match.game, simulator)
        assert model.final_value(match.state, 0) is None
        list(match.run())
        found = [model.final_value(match.state, seat) for seat in (0, 1)]
        shares = [float(seat in match.winners) / len(match.winners) for seat in (0, 1)]
        assert [value and value.win_probability for value in found] == (shares if is_known else [None, None])


def test_unmeasured_game_has_no_model_error(tmp_path: Path) -> None:
    assert model_error_at(tmp_path, 0.5) is None
    thirds = ModelErrorTable(seed=1, positions=3, games=9, stages=tuple(ModelError(level=k / 100.0) for k in (1, 2, 3)))
    (tmp_path / FILE_NAME).write_bytes(to_json(thirds))
    other = tmp_path / "other"
    other.mkdir()
    (other / FILE_NAME).write_bytes(to_json(thirds))
    levels = [model_error_at(other, gone) for gone in (0.0, 0.34, 0.99, 1.0)]
    assert [one and one.level for one in levels] == [0.01, 0.02, 0.03, 0.03]
