"""Coins by the thousand come to rest where `settle` puts each of them."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from flicksim.base.errors import BadFlick, BadInput, BadScene, Unsettled
from flicksim.games.tiddlywinks import equipment
from flicksim.games.tiddlywinks.options import Options
from flicksim.physics import Flicks, Settings, settle, settle_many
from flicksim.physics.batch import ABSENT, GONE, RESTS, many
from flicksim.table import Flick, Scene, samples
from tests.physics.batch.boards import apart, chaotic, random_shot, replaced


def noisy(flick: Flick, shots: int, seed: int = 1) -> Flicks:
    rng = np.random.default_rng(seed)
    return Flicks(
        piece=flick.piece,
        speed=flick.speed * (1.0 + 0.05 * rng.standard_normal(shots)),
        azimuth=flick.azimuth + 0.03 * rng.standard_normal(shots),
        offset=np.clip(flick.offset + 0.1 * rng.standard_normal(shots), -0.9, 0.9),
        start=None if flick.start is None else np.array([flick.start]),
    )


def places(scene: Scene) -> dict[tuple[str, str], float]:
    return {(piece.id, name): getattr(piece, name) for piece in scene.pieces for name in ("x", "y", "angle")}


@pytest.mark.parametrize(
    ("name", "shots"), [("slide", 20), ("draw", 60), ("late-end", 40), ("crowd", 25), ("break-up", 4)]
)
def test_shots_of_the_bench_scenes_end_where_settle_ends_them(name: str, shots: int) -> None:
    scene, flick = samples.sample(name)
    flicks = noisy(flick, shots)
    found = settle_many(scene, flicks, events=True)
    for shot in range(shots):
        alone = settle(scene, flicks.row(shot))
        assert apart(found, shot, alone) <= 1e-8
        assert found.duration[shot] == pytest.approx(alone.duration, abs=1e-9)
        told = found.motion(shot)
        assert [(type(e), e.piece) for e in told.events] == [(type(e), e.piece) for e in alone.events]
        assert [e.t for e in told.events] == pytest.approx([e.t for e in alone.events], abs=1e-9)
        assert places(told.after) == pytest.approx(places(alone.after), abs=2e-9)


def test_random_boards_agree_but_where_a_picometre_decides() -> None:
    rng = np.random.default_rng(5)
    steady = 0
    for _ in range(40):
        scene, flick, settings = random_shot(rng)
        far = apart(settle_many(scene, flick, settings), 0, settle(scene, flick, settings))
        assert far <= 1e-8 or chaotic(scene, flick, settings)
        steady += far <= 1e-8
    assert steady > 30


def test_a_scene_and_settings_a_shot_are_as_many_single_shots() -> None:
    rng = np.random.default_rng(8)
    one, flick, _ = random_shot(rng)
    scenes = [one, one.without(one.pieces[0].id), one.moved(one.pieces[1].id, one.pieces[1].at)]
    physics = [Settings(gravity=gravity) for gravity in (6.0, 9.8, 12.0)]
    found = settle_many(scenes, flick, physics)
    for shot in range(3):
        assert apart(found, shot, settle(scenes[shot], flick, physics[shot])) <= 1e-8
    assert found.fate[1, found.column(one.pieces[0].id)] == ABSENT


def test_what_is_told_besides_places() -> None:
    scene, flick = samples.sample("draw")
    found = settle_many(scene, [flick, replaced(flick, speed=3.0), replaced(flick, azimuth=0.0)])
    a, white = found.column("a"), found.column("white")
    assert tuple(found.first[0]) == (min(a, white), max(a, white))
    assert tuple(found.first[2]) == (-1, -1)  # off the side before it met anything
    assert found.fate[2, a] == GONE
    assert found.fate[2, white] == RESTS
    assert not found.moved[2, white]
    assert found.crossed[0, a].sum() == sum(type(e).__name__ == "Crossed" for e in settle(scene, flick).events)
    assert found.after(0).pieces == settle(scene, flick).after.pieces


def test_threads_and_chunks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, flick = samples.sample("late-end")
    flicks = noisy(flick, 50)
    alone = settle_many(scene, flicks, events=True)
    monkeypatch.setattr(many, "CHUNK", 7)
    several = settle_many(scene, flicks, events=True, threads=3)
    assert alone.places.tobytes() == several.places.tobytes()
    assert alone.duration.tobytes() == several.duration.tobytes()
    assert all(alone.events(shot) == several.events(shot) for shot in range(50))


PLAIN = """
from tests.physics.batch.test_coins import noisy
from flicksim.physics import settle_many
from flicksim.table import samples
scene, flick = samples.sample("crowd")
print(settle_many(scene, noisy(flick, 3)).places.tobytes().hex())
"""


def test_the_same_bits_without_a_compiler() -> None:
    scene, flick = samples.sample("crowd")
    plain = subprocess.run(
        [sys.executable, "-c", PLAIN], env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert plain.stdout.strip() == settle_many(scene, noisy(flick, 3)).places.tobytes().hex()


ALONE = """
from flicksim.physics import settle_many
from flicksim.physics.batch.coins import shoot
from flicksim.table import samples
from tests.physics.batch.test_coins import noisy
scene, flick = samples.sample("draw")
for flicks in (flick, [flick], noisy(flick, 3)):
    settle_many(scene, flicks, events=True)
print(len(getattr(shoot, "signatures", ())) or 1)
"""


def test_it_is_compiled_by_itself_and_once_for_one_flick_and_for_many() -> None:
    alone = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    assert alone.stdout.strip() == "1"


# -- bad input --------------------------------------------------------------------------------------------------------


def test_a_scene_that_cannot_be_is_marked_each_time_it_comes() -> None:
    scene, flick = samples.sample("draw")
    wrong = scene.moved("white", (9.0, 9.0))
    found = settle_many([scene, wrong, wrong, scene], flick, failed="mark")
    assert ["off the surface" in why for why in found.failed] == [False, True, True, False]


def test_the_first_bad_row_and_their_number_are_named() -> None:
    scene, flick = samples.sample("draw")
    flicks = Flicks(piece="a", speed=np.array([1.0, np.nan, 1.0, 30.0]), azimuth=np.array([1.5]))
    with pytest.raises(BadFlick, match=r"shot 1: speed must be .* \(2 of 4 shots cannot be\)"):
        settle_many(scene, flicks)
    found = settle_many(scene, flicks, failed="mark")
    assert [bool(why) for why in found.failed] == [False, True, False, True]
    assert np.isnan(found.places[1]).all()
    assert apart(found, 2, settle(scene, Flick(piece="a", speed=1.0, azimuth=1.5))) <= 1e-8
    with pytest.raises(BadInput, match="shot 1 failed"):
        found.motion(1)
    with pytest.raises(BadFlick, match="no piece 'nobody'"):
        settle_many(scene, replaced(flick, piece="nobody"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("flicks", "says"),
    [
        (Flicks(piece="a", speed=np.ones(3), azimuth=np.ones(2)), "do not match in length"),
        (Flicks(piece="a", speed=np.ones(2), azimuth=np.ones(2), offset=np.array([0.0, 2.0])), "shot 1: offset"),
        (Flicks(piece="a", speed=np.ones(1), azimuth=np.ones(1), start=np.ones((1, 3))), r"\[shots, 2\]"),
        (Flicks(piece="a", speed=np.ones(1), azimuth=np.ones(1), start=np.array([[9.0, 9.0]])), "off the surface"),
        (Flicks(piece="a", speed=np.ones(1), azimuth=np.ones(1), start=np.array([[0.15, 0.58]])), "overlaps another"),
    ],
)
def test_flicks_that_cannot_be_are_told(flicks: Flicks, says: str) -> None:
    with pytest.raises(BadFlick, match=says):
        settle_many(samples.sample("draw")[0], flicks)


def test_scenes_that_cannot_be_are_told() -> None:
    scene, flick = samples.sample("draw")
    off = scene.moved("white", (5.0, 5.0))
    with pytest.raises(BadScene, match="scene 1: 'white'"):
        settle_many([scene, off], flick)
    assert settle_many([scene, off], flick, failed="mark").failed[1]
    with pytest.raises(BadScene, match="another surface"):
        settle_many([scene, samples.sample("slide")[0]], flick)
    with pytest.raises(BadScene, match="a pot stands there"):
        settle_many(Scene(surface=equipment.mat(Options())), flick)
    with pytest.raises(BadInput, match="2 scenes, 1 settings, 3 flicks do not go together"):
        settle_many([scene, scene], [flick] * 3)
    with pytest.raises(BadInput, match="no events were kept"):
        settle_many(scene, flick).events(0)


def test_what_never_settles_is_told() -> None:
    scene, flick = samples.sample("break-up")
    with pytest.raises(Unsettled, match="shot 0: it would not come to rest"):
        settle_many(scene, flick, Settings(max_impacts=1))


@pytest.mark.parametrize("shot", [5, -1, "0", 1.0, True])
def test_a_shot_that_was_not_made_is_told(shot: Any) -> None:
    scene, flick = samples.sample("draw")
    settled = settle_many(scene, [flick, flick], events=True)
    assert repr(settled) == "<2 shots: pieces a, white>"
    for asked in (settled.after, settled.events, settled.motion):
        with pytest.raises(BadInput, match=r"shot cannot be .*; it is a whole number, 0 to 1"):
            asked(shot)
    assert settled.motion(1).events == settled.motion(np.int64(1)).events


def test_results_are_a_table_of_shots() -> None:
    scene, flick = samples.sample("draw")
    settled = settle_many(scene, noisy(flick, 5))
    table = settled.table()
    assert table["failed"].tolist() == [""] * 5
    for column, piece in enumerate(settled.ids):
        assert table[f"{piece}_fate"].tolist() == [
            {RESTS: "rests", GONE: "gone"}[int(f)] for f in settled.fate[:, column]
        ]
        assert table[f"{piece}_angle"].tolist() == settled.places[:, column, 2].tolist()
    assert "<td>rests</td>" in settled._repr_html_()
