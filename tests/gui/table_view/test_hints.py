"""Hints without a compiler, and outcome scatter: final positions of a batch equal those of single shots."""

import sys
import time
from threading import Event

import numpy as np
import pygame
import pytest

from flicksim.ai import GRADES
from flicksim.engine import Settings, simulate
from flicksim.games import load
from flicksim.gui.game_views.tiddlywinks.practice import Drill
from flicksim.gui.table_view.hints import OutcomeScatter, compute_hint, final_positions
from flicksim.gui.toolkit import Canvas, palette, translation
from flicksim.match import Warmup, warmups_of
from flicksim.render import Camera
from flicksim.scene import Flick, Squidge, samples
from tests.matches import new_match
from tests.polling import wait_until

from ..conftest import penny_white_match

HAND = GRADES["beginner"]


@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks", "ice", "tinkle"])
def test_hint_does_not_wait_for_the_compiler(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = Event()
    monkeypatch.setattr(Warmup, "is_cached", False)
    module = sys.modules[Warmup.__module__]
    monkeypatch.setattr(module, "_BOT_WARMUPS", {})
    monkeypatch.setattr(module, "run_script", lambda *_: compiled.wait(60.0))
    match = new_match(name, *["human"] * load(name).seats[1])
    if (positions := match.game.positions) is not None and name == "tiddlywinks":
        match.set_opening(positions.start_state(positions.load_builtin(positions.builtin_names()[0]))[0])
    physics = [Warmup("shots", lambda: None) for _ in warmups_of(match.game)]
    for one in physics:
        match.simulator = one.with_fallback(match.simulator)
    request = compute_hint(match, match.to_play, *physics)
    try:
        wait_until(lambda: request.is_done)
        hint = request.result()
    finally:
        compiled.set()
    match.rules.check_action(match.state, hint.action)
    assert physics == [] or hint.purpose is None, "it would be found by shots"
    assert ("Searched less deeply" in hint.idea) == (physics != []), "weaker than a club player, and told so"


def test_hint_at_cards_is_without_the_slips_of_a_grade() -> None:
    match = new_match("tinkle", *["human"] * 4, seed=3)
    for _ in range(60):
        view = match.rules.view(match.state, match.to_play)
        best = match.game.bot.candidates(view, np.random.default_rng(1), 1)[0]
        assert compute_hint(match, match.to_play).result().action == best
        match.play(best)


@pytest.mark.parametrize("name", ["dominoes", "tinkle"])
def test_idea_of_a_hint_rests_on_what_the_seat_sees(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match, seen = new_match(name, *["human"] * load(name).seats[1]), []
    monkeypatch.setattr("flicksim.match.GameRolloutModel.purpose", lambda _model, view, _action: seen.append(view))
    assert compute_hint(match, match.to_play).result().purpose is None
    assert seen == [match.rules.view(match.state, match.to_play)]
    assert seen != [match.state]


def _made(action, shots: int) -> list:
    rng = np.random.default_rng(4)
    return [HAND.execute(action, rng) for _ in range(shots)]


@pytest.mark.parametrize("kind", ["flick", "squidge", "launch"])
def test_final_positions_of_a_batch_equal_single_shots(kind: str) -> None:
    if kind == "flick":
        scene, action = samples.sample("late-end")
    elif kind == "squidge":
        scene, action = Drill().make_match().state.scene, Squidge(piece="blue-3", speed=2.0, azimuth=3.5)
    else:
        scene, action = samples.launch_sample()
    made = _made(action, 6)
    ends = list(final_positions([(scene, one) for one in made], Settings()))
    assert len(set(ends)) > 1
    for one, end in zip(made, ends, strict=True):
        account = simulate(scene, one)
        if kind == "launch":
            missile = account.missile
            alone = missile.centre_of_mass[:2] if missile is not None else None
        else:
            alone = account.after.piece(one.piece).position if account.after.has(one.piece) else None
        assert end == (alone if alone is None else pytest.approx(alone, abs=1e-8))


def test_a_failed_shot_has_no_final_position() -> None:
    scene, flick = samples.sample("draw")
    nobodys, off = (Flick(piece=name, speed=1.0, azimuth=0.0) for name in ("nobody", "a"))
    ends = list(final_positions([(scene, flick), (scene, nobodys), (scene, off)], None))
    assert len(ends) == 2
    assert ends[1] is None, "that one leaves the board at its side"
    assert list(final_positions([], None)) == []


def test_an_outcome_scatter_waits_for_compilation() -> None:
    match, ready = penny_white_match("bot:club", "bot:club"), Event()
    cloud = OutcomeScatter(match, match.ask_player(), "club", lambda: ready.wait(60.0) and None)
    time.sleep(0.05)
    assert cloud.ends == []
    assert cloud.text == ""
    ready.set()
    cloud.job.result()
    assert len(cloud.ends) == 500
    assert cloud.text.startswith("Dots: where 500 such shots of a club player")


def test_overlapping_dots_are_brighter() -> None:
    match = penny_white_match("bot:club", "bot:club")
    cloud = OutcomeScatter(match, match.ask_player(), "club")
    cloud.job.result()
    cloud.ends[:] = [(10.0, 10.0)] * 5 + [(50.0, 50.0), None]
    surface = pygame.Surface((80, 80))
    camera = Camera((30.0, 30.0), 1.0, (30.0, 30.0))
    cloud.draw(Canvas(surface), camera)
    many, one = (surface.get_at(tuple(map(round, camera.to_screen(at))))[1] for at in ((10.0, 10.0), (50.0, 50.0)))
    assert 0 < one < many <= palette.TABLE_GOOD[1]


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("grade", GRADES)
def test_an_outcome_scatter_is_told_in_german(grade: str) -> None:
    match, go = penny_white_match("human", "human"), Event()
    scatter = OutcomeScatter(match, Flick(piece="blue-1", speed=1.0, azimuth=1.5), grade, go.wait)
    scatter.cancel()
    go.set()
    for ends, text in (([(0.1, 0.1)], " enden."), ([(0.1, 0.1), None], " enden; 1 vom Tisch.")):
        scatter.ends = ends
        assert translation.translate(scatter.text).startswith("Punkte: ")
        assert translation.translate(scatter.text).endswith(text)
