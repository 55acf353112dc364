"""Answers to a search: many shots at once where that can be, one by one where not, and the same either way."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from flicksim.base.errors import FlicksimError
from flicksim.games import load
from flicksim.physics.flight.jit import PLAIN
from flicksim.play import TableStage, open_match, parse_seat
from flicksim.play.model import GameModel, settle_each
from flicksim.table import Flick, samples


def kinds(account: Any) -> list[tuple[type, str]]:
    return [(type(event), event.piece) for event in account.events]


def test_flicks_on_a_board_are_told_as_each_is_told_alone() -> None:
    shots = [samples.sample(name) for name in ("draw", "late-end", "crowd")]
    stage = TableStage()
    for (scene, flick), account in zip(shots, settle_each(stage, shots), strict=True):
        alone = stage.settle(scene, flick)
        assert (account.before, account.flick) == (alone.before, alone.flick)
        assert kinds(account) == kinds(alone)
        assert account.duration == pytest.approx(alone.duration, abs=1e-9)
        for piece in alone.after.pieces:
            assert account.after.piece(piece.id).at == pytest.approx(piece.at, abs=1e-8)


def test_a_shot_that_cannot_be_made_is_answered_in_its_place() -> None:
    scene, flick = samples.sample("draw")
    absent = Flick(piece="nobody", speed=1.0, azimuth=1.0)
    first, wrong, last = settle_each(TableStage(), [(scene, flick), (scene, absent), (scene, flick)])
    assert first.after == last.after
    assert isinstance(wrong, FlicksimError)
    assert "nobody" in str(wrong)
    lying = scene.moved("white", (9.0, 9.0))
    first, wrong = settle_each(TableStage(), [(scene, flick), (lying, flick)])
    assert first.after == last.after
    assert "off the surface" in str(wrong)
    (wrong,) = settle_each(TableStage(), [(lying, flick)])
    assert "off the surface" in str(wrong)
    assert list(settle_each(TableStage(), [])) == []


def test_what_no_batch_can_settle_is_settled_one_by_one_when_it_is_asked_for() -> None:
    class Counting:
        settled = 0

        def settle(self, before: Any, action: Any) -> Any:
            self.settled += 1
            return TableStage().settle(before, action)

    stage, shot = Counting(), samples.sample("draw")
    accounts = settle_each(stage, [shot, shot])
    assert stage.settled == 0
    assert next(accounts).after == TableStage().settle(*shot).after
    assert stage.settled == 1


def test_a_model_answers_every_action_in_order() -> None:
    game = load("penny-white")
    match = open_match(game, game.options(), [parse_seat("random")] * 2, 3)
    model = GameModel(game, TableStage())
    near, far = model.candidates(match.state, np.random.default_rng(1), 7)[:2]
    forbidden = Flick(piece="nobody", speed=1.0, azimuth=1.0)
    each = list(model.imagine(match.state, [near, forbidden, far]))
    assert isinstance(each[1], FlicksimError)
    assert [each[0]] == list(model.imagine(match.state, [near]))
    assert [each[2]] == list(model.imagine(match.state, [far]))
    assert each[0] != each[2]


DECISIONS = """
from flicksim.games import load
from flicksim.play import GameFuture, TableStage, open_match
from flicksim.players import GRADES, Depth, WeighingPlayer
game = load("penny-white")
player = WeighingPlayer(GameFuture(game, TableStage()), 0, GRADES["club"], Depth(shots=300, plans=12, wider=2))
match = open_match(game, game.options(pennies=2), [player, "bot:club/beginner"], 5)
for _ in range(5):
    print(match.play(match.ask()).meant)
"""


def test_a_bot_that_thinks_as_deep_decides_the_same_with_and_without_a_compiler() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", DECISIONS], env=os.environ | more, capture_output=True, text=True, check=True
        )
        for more in ({}, {PLAIN: "1"})
    ]
    assert told[0].stdout == told[1].stdout
    assert told[0].stdout.count("Flick(") == 5


def test_where_nothing_is_compiled_bots_think_less_and_it_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    opening = importlib.import_module("flicksim.play.open_match")
    for name in ("penny-white", "tiddlywinks"):
        game = load(name)
        monkeypatch.setattr(opening, "njit", object())
        whole = [opening.depth_of(game, grade) for grade in ("club", "expert", "world")]
        monkeypatch.setattr(opening, "njit", None)
        less = [opening.depth_of(game, grade) for grade in ("club", "expert", "world")]
        assert all((few.shots, few.trust) < (many.shots, many.trust) for few, many in zip(less, whole, strict=True))
        assert opening.depth_of(game, "beginner") is None
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == len(set(said)) <= 2
    assert all("pip install 'flicksim[fast]'" in one for one in said)
