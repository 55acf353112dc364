"""Tests of what batches of coins, winks and pyramids have in common: threads, invalid rows, and what goes together."""

import re
from dataclasses import fields, replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from flicksim.core.errors import DidNotSettle, FlicksimError, InvalidAction, InvalidInput, InvalidScene
from flicksim.engine import Flicks, Settings, Squidges
from flicksim.engine.batch import ABSENT, DiscBatchResult, simulate_batch
from flicksim.engine.batch.launch_batch import LaunchBatchResult
from flicksim.engine.batch.shot_columns import Launches
from flicksim.games.tiddlywinks import equipment
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.match import load_scene_by_name, load_shot
from flicksim.match import simulate_shot as simulate
from flicksim.scene import Scene, Squidge, samples
from tests.engine.batch.test_disc_batch import noisy
from tests.engine.batch.test_launch_batch import HUNG, SMALL_TABLE, launches
from tests.engine.batch.test_wink_batch import OWN, shots_at_pot, single_wink_scene

DRAW, FLICK = samples.sample("draw")
SLIDE, MAT = samples.sample("slide")[0], single_wink_scene(0.3, 0.0)
SQUIDGE = Squidge(piece=OWN, speed=1.0, azimuth=3.0)
MANY = Launches.from_actions(launches(6))
SPEED, WRONG_SPEED = np.array([1.0, 1.2, 1.0, 1.2]), np.array([1.0, np.nan, 1.0, 30.0])


@pytest.mark.parametrize(
    ("module", "scene", "shots", "options"),
    [
        ("simulate_batch", samples.sample("late-end")[0], noisy(samples.sample("late-end")[1], 50), {"events": True}),
        ("wink_batch", *shots_at_pot(20, 0.3), {}),
        ("launch_batch", SMALL_TABLE, launches(18), {}),
    ],
    ids=["coins", "winks", "pyramids"],
)
def test_threads_chunks_and_equal_scenes_do_not_show(
    module: str, scene: Any, shots: Any, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = simulate_batch(scene, shots, **options)
    monkeypatch.setattr(import_module(f"flicksim.engine.batch.{module}"), "CHUNK_SIZE", 3)
    several = simulate_batch([scene] * len(one), shots, threads=3, **options)
    for name in (column.name for column in fields(one)):
        expected, found = getattr(one, name), getattr(several, name)
        if isinstance(expected, np.ndarray):
            assert np.array_equal(expected, found, equal_nan=expected.dtype.kind == "f"), name
    assert not options or all(one.events(shot) == several.events(shot) for shot in range(len(one)))


@pytest.mark.parametrize("name", ["draw", "squidge", "launch"])
def test_a_shot_longer_than_max_time_does_not_settle(name: str) -> None:
    scene, shot = load_scene_by_name(name), load_shot(name)
    duration = simulate(scene, shot).duration
    limits = [Settings(max_time=duration * share) for share in (1.0, 0.99, 0.1)]
    assert simulate(scene, shot, limits[0]).duration == duration
    for short in limits[1:]:
        with pytest.raises(DidNotSettle, match=f"after {short.max_time:.3g} s .* still moved"):
            simulate(scene, shot, short)
    batch = simulate_batch(scene, shot, limits, on_error="mark")
    assert batch.error[0] == ""
    for short, why in zip(limits[1:], batch.error[1:], strict=True):
        assert f" {short.max_time:.3g} s " in why
    assert (batch.outcome[1:] == ABSENT).all()
    assert np.isnan(batch.positions[1:]).all()


@pytest.mark.parametrize(
    ("scene", "shots", "changes", "wrong", "message"),
    [
        (DRAW, Flicks(piece="a", speed=SPEED, azimuth=np.array([1.5])), {"speed": WRONG_SPEED},
         {1: "speed", 3: "speed"}, r"shot 1: speed nan m/s must be above 0 .* \(2 of 4 shots cannot be\)"),
        (MAT, Squidges(piece=OWN, speed=SPEED, azimuth=np.array([3.0])), {"speed": WRONG_SPEED},
         {1: "speed", 3: "speed"}, r"shot 1: speed nan m/s must be above 0 .* \(2 of 4 shots cannot be\)"),
        (SMALL_TABLE, MANY, {"speed": np.where(np.arange(6) == 2, np.nan, MANY.speed),
                             "slant": np.where(np.arange(6) == 4, 0.1, MANY.slant)},
         {2: "speed", 4: "slant"}, r"launch 2: speed nan m/s must be above 0 .* \(2 of 6 launches cannot be\)"),
    ],
    ids=["coins", "winks", "pyramids"],
)  # fmt: skip
def test_the_first_bad_row_and_their_number_are_named_or_all_are_marked(
    scene: Any, shots: Any, changes: dict[str, Any], wrong: dict[int, str], message: str
) -> None:
    with pytest.raises(InvalidAction, match=message):
        simulate_batch(scene, replace(shots, **changes))
    whole, marked = simulate_batch(scene, shots), simulate_batch(scene, replace(shots, **changes), on_error="mark")
    for row, why in enumerate(marked.error):
        assert wrong[row] in why if row in wrong else why == ""
        assert (marked.outcome[row] == ABSENT).all() == (row in wrong)
        expected = np.full_like(whole.positions[row], np.nan) if row in wrong else whole.positions[row]
        assert np.array_equal(marked.positions[row], expected, equal_nan=True)
    for name in {column.name for column in fields(marked)} - {"outcome", "supports"}:
        values = getattr(marked, name)
        if isinstance(values, np.ndarray) and values.dtype.kind in "bif":
            unknown = np.ma.getmaskarray(values) | (np.isnan(values) if values.dtype.kind == "f" else False)
            assert unknown[list(wrong)].all(), f"{name} tells of what was not simulated"
    good = [row not in wrong for row in range(len(marked))]
    assert marked.moved.mean() == whole.moved[good].mean(), "a mean leaves out shots that failed"
    assert not isinstance(whole.moved, np.ma.MaskedArray)
    assert marked.table()[f"{marked.ids[0]}_outcome"].tolist().count("failed") == 2
    assert repr(marked).endswith(", 2 failed>")
    if not isinstance(marked, LaunchBatchResult):
        of_coins = (marked.trajectory, marked.events) if isinstance(marked, DiscBatchResult) else ()
        for read in (marked.after, *of_coins):
            with pytest.raises(InvalidInput, match="shot 1 failed"):
                read(1)


@pytest.mark.parametrize(
    ("scene", "other", "shot", "problem"),
    [
        (DRAW, DRAW.with_piece_at("white", (9.0, 9.0)), FLICK, "'white' .* off the surface"),
        (MAT, single_wink_scene(5.0, 0.0), SQUIDGE, "'blue-3'"),
        (SMALL_TABLE, HUNG, launches(2)[1], "'t' hangs"),
    ],
)
def test_an_invalid_scene_is_named_or_marked_each_time_it_comes(
    scene: Any, other: Any, shot: Any, problem: str
) -> None:
    scenes = [scene, other, other, scene]
    with pytest.raises(InvalidScene, match=f"scene 1: {problem}"):
        simulate_batch(scenes, shot)
    marked = simulate_batch(scenes, shot, on_error="mark")
    assert [bool(re.search(problem, why)) for why in marked.error] == [False, True, True, False]


@pytest.mark.parametrize(
    ("scenes", "shots", "error", "message"),
    [
        ([DRAW] * 2, [FLICK] * 3, InvalidInput, "2 scenes, 1 settings, 3 flicks do not go together"),
        ([MAT] * 2, [SQUIDGE] * 3, InvalidInput, "2 scenes, 1 settings, 3 flicks do not go together"),
        ([SMALL_TABLE] * 3, launches(4), InvalidInput, "3 scenes, 1 settings, 4 launches do not go together"),
        ([], launches(4), InvalidInput, "no scene is given"),
        ([DRAW, SLIDE], FLICK, InvalidScene, "another surface"),
        ([MAT, SLIDE], SQUIDGE, InvalidScene, "another surface"),
        (Scene(surface=equipment.mat_surface(Options())), FLICK, InvalidScene, "a pot stands there"),
    ],
)
def test_what_does_not_go_together_is_said(scenes: Any, shots: Any, error: type[FlicksimError], message: str) -> None:
    with pytest.raises(error, match=message):
        simulate_batch(scenes, shots)


@pytest.mark.parametrize(
    ("scene", "shot", "options", "message"),
    [
        (DRAW, FLICK, {"on_error": "maybe"}, "'maybe'"),
        (DRAW, FLICK, {"threads": 0}, "threads 0"),
        (DRAW, FLICK, {"until": "decided"}, "until 'decided' .*for squidges"),
        (DRAW, launches(2)[1], {}, "launches are made"),
        (SMALL_TABLE, FLICK, {}, "flicks are made on a Scene"),
        (DRAW, FLICK, {"positions": np.full((1, 2, 3), np.nan)}, "not finite"),
        (MAT, SQUIDGE, {"events": True}, "only flicks of coins keep events"),
    ],
)
def test_invalid_arguments_are_refused_before_anything_is_simulated(
    scene: Any, shot: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        simulate_batch(scene, shot, **options)


@pytest.mark.parametrize("shot", [5, -1, "0", 1.0, True])
def test_an_unknown_shot_index_is_refused(shot: Any) -> None:
    settled = simulate_batch(DRAW, [FLICK, FLICK], events=True)
    assert repr(settled) == "<2 shots: pieces a, white>"
    for asked in (settled.after, settled.events, settled.trajectory):
        with pytest.raises(InvalidInput, match=r"shot cannot be .*; it is a whole number, 0 to 1"):
            asked(shot)
    assert settled.trajectory(1).events == settled.trajectory(np.int64(1)).events
    with pytest.raises(InvalidInput, match="no events were kept"):
        simulate_batch(DRAW, FLICK).events(0)


def test_positions_that_are_none_off_the_surface_or_on_one_another_are_refused() -> None:
    """As they are in a scene."""
    ids = [piece.id for piece in DRAW.pieces]
    places = np.array([[[*piece.position, 0.0] for piece in DRAW.pieces]] * 5)
    places[3, 0, 2], places[4, 1, 0] = np.nan, np.inf
    places[1, 0, :2], places[2, 1, 0] = places[1, 1, :2], 5.0
    with pytest.raises(InvalidInput, match=rf"shot 1: {ids[0]!r} and {ids[1]!r} overlap \(4 of 5 shots cannot be\)"):
        simulate_batch(DRAW, [FLICK] * 5, positions=places)
    marked = simulate_batch(DRAW, [FLICK] * 5, positions=places, on_error="mark")
    assert list(marked.error) == [
        "",
        f"{ids[0]!r} and {ids[1]!r} overlap",
        f"{ids[1]!r} is off the surface",
        *(f"the position of {name!r} is not finite" for name in ids),
    ]
    assert np.array_equal(marked.positions[0], simulate_batch(DRAW, FLICK).positions[0])
