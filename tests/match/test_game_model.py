"""Forward model: batched and single simulation with equal results."""

import importlib
from typing import Any

import numpy as np
import pytest

from flicksim.core.errors import FlicksimError
from flicksim.engine.jit import NO_JIT_VARIABLE
from flicksim.games import load
from flicksim.match import PhysicsSimulator
from flicksim.match.game_model import GameModel, simulate_each
from flicksim.scene import Flick, samples
from tests.matches import new_match
from tests.python_process import run_code


def kinds(account: Any) -> list[tuple[type, str]]:
    return [(type(event), event.piece) for event in account.events]


def test_batched_flicks_equal_single_ones() -> None:
    shots = [samples.sample(name) for name in ("draw", "late-end", "crowd")]
    stage = PhysicsSimulator()
    for (scene, flick), account in zip(shots, simulate_each(stage, shots), strict=True):
        alone = stage.simulate(scene, flick)
        assert (account.before, account.flick) == (alone.before, alone.flick)
        assert kinds(account) == kinds(alone)
        assert account.duration == pytest.approx(alone.duration, abs=1e-9)
        for piece in alone.after.pieces:
            assert account.after.piece(piece.id).position == pytest.approx(piece.position, abs=1e-8)


def test_failed_shot_yields_its_error_in_order() -> None:
    scene, flick = samples.sample("draw")
    absent = Flick(piece="nobody", speed=1.0, azimuth=1.0)
    first, wrong, last = simulate_each(PhysicsSimulator(), [(scene, flick), (scene, absent), (scene, flick)])
    assert first.after == last.after
    assert isinstance(wrong, FlicksimError)
    assert "nobody" in str(wrong)
    lying = scene.with_piece_at("white", (9.0, 9.0))
    first, wrong = simulate_each(PhysicsSimulator(), [(scene, flick), (lying, flick)])
    assert first.after == last.after
    assert "off the surface" in str(wrong)
    (wrong,) = simulate_each(PhysicsSimulator(), [(lying, flick)])
    assert "off the surface" in str(wrong)
    assert list(simulate_each(PhysicsSimulator(), [])) == []


def test_unbatchable_shots_are_simulated_lazily_one_by_one() -> None:
    class Counting:
        settled = 0

        def simulate(self, before: Any, action: Any) -> Any:
            self.settled += 1
            return PhysicsSimulator().simulate(before, action)

    stage, shot = Counting(), samples.sample("draw")
    accounts = simulate_each(stage, [shot, shot])
    assert stage.settled == 0
    assert next(accounts).after == PhysicsSimulator().simulate(*shot).after
    assert stage.settled == 1


def test_model_yields_a_state_per_action_in_order() -> None:
    match = new_match("penny-white", "random", "random", seed=3)
    model = GameModel(match.game, PhysicsSimulator())
    near, far = model.candidates(match.state, np.random.default_rng(1), 7)[:2]
    forbidden = Flick(piece="nobody", speed=1.0, azimuth=1.0)
    each = list(model.next_states(match.state, [near, forbidden, far]))
    assert isinstance(each[1], FlicksimError)
    assert [each[0]] == list(model.next_states(match.state, [near]))
    assert [each[2]] == list(model.next_states(match.state, [far]))
    assert each[0] != each[2]


DECISIONS = """
from flicksim.games import load
from flicksim.match import GameRolloutModel, PhysicsSimulator, open_match
from flicksim.ai import GRADES, RolloutPlayer, SearchConfig
game = load("penny-white")
config = SearchConfig(shots=300, candidates=12, new_candidates=2)
player = RolloutPlayer(GameRolloutModel(game, PhysicsSimulator()), 0, GRADES["club"], config)
match = open_match(game, game.options(pennies=2), [player, "bot:club/beginner"], 5)
for _ in range(5):
    print(match.play(match.ask_player()).meant)
"""


@pytest.mark.long
def test_equal_search_decides_equally_with_and_without_jit() -> None:
    with_jit, without = (run_code(DECISIONS, **more).stdout for more in ({}, {NO_JIT_VARIABLE: "1"}))
    assert with_jit == without
    assert with_jit.count("Flick(") == 5


def test_reduced_search_without_jit_warns_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    opening = importlib.import_module("flicksim.match.match_factory")
    for name in ("penny-white", "tiddlywinks"):
        game = load(name)
        monkeypatch.setattr(opening, "numba_njit", object())
        whole = [opening.search_config_of(game, grade) for grade in ("club", "expert", "world")]
        monkeypatch.setattr(opening, "numba_njit", None)
        less = [opening.search_config_of(game, grade) for grade in ("club", "expert", "world")]
        assert all(
            (few.shots, few.prior_tries) < (many.shots, many.prior_tries) for few, many in zip(less, whole, strict=True)
        )
        assert opening.search_config_of(game, "beginner") is None
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == len(set(said)) <= 2
    assert all("pip install 'flicksim[fast]'" in one for one in said)
