"""Tests of the public simulation functions: results equal the engine's, and invalid input is refused in a sentence."""

from fractions import Fraction
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flicksim
from flicksim import (
    Flick,
    Scene,
    Squidge,
    engine,
    load_flick,
    load_launch,
    load_pyramids,
    load_scene,
    simulate,
    simulate_batch,
)
from flicksim.core.errors import FlicksimError, InvalidAction, NameNotFound
from flicksim.engine import Flicks
from flicksim.scene import Tracks
from flicksim.scene.samples import all_sample_names

SCENE, FLICK = load_scene("draw"), Flick(piece="a", speed=1.46, azimuth=1.5708)


@pytest.fixture(scope="module")
def tracks() -> Tracks:
    """Tracks of the shot."""
    return simulate(SCENE, FLICK).tracks


def test_one_shot_equals_that_of_the_engine() -> None:
    assert simulate(SCENE, FLICK).after == engine.simulate(SCENE, FLICK).after


def test_many_shots_equal_those_of_the_engine_and_may_be_an_iterator() -> None:
    flicks = [Flick(piece="a", speed=speed, azimuth=1.5708) for speed in (1.3, 1.5)]
    mine, theirs = simulate_batch(SCENE, iter(flicks)), engine.simulate_batch(SCENE, flicks)
    assert np.array_equal(mine.positions, theirs.positions)
    lists: Any = Flicks(piece=["a", "a"], speed=[1.3, 1.5], azimuth=1.5708, start=[[0.15, 0.0395]])  # type: ignore[arg-type]
    assert np.array_equal(simulate_batch(SCENE, lists).positions[:, 1], theirs.positions[:, 1])
    places = [[[piece.x, piece.y, piece.angle] for piece in SCENE.pieces]]
    assert np.array_equal(simulate_batch(SCENE, flicks, positions=places).positions, theirs.positions)


@pytest.mark.parametrize("name", ["draw", "sample:draw", "assets/scenes/draw.json"])
def test_a_scene_goes_by_name_or_file_from_anywhere(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_scene(name) == SCENE
    assert load_scene("pile_of_three").surface.pot is not None
    assert load_scene(Path("assets/scenes/squidge.json")) == load_scene("squidge")
    assert isinstance(load_flick("squidge"), Squidge)
    assert load_pyramids("launch").pieces
    assert load_launch("launch").size == "small"


def invalid_scene(**given: Any) -> Scene:
    """Build a scene in Python from invalid values."""
    return Scene(**{"surface": SCENE.surface, "pieces": SCENE.pieces, **given})


def many_flicks(**given: Any) -> Flicks:
    """Build a flick as arrays, of which one may be invalid."""
    return Flicks(**{"piece": "a", "speed": np.ones(1), "azimuth": np.ones(1), **given})


def make_flick(**given: Any) -> Flick:
    """Build a flick in Python from values of which one may be invalid."""
    return Flick(**{"piece": "a", "speed": 1.0, "azimuth": 0.0, **given})


@pytest.mark.parametrize(
    ("function", "given", "message"),
    [
        (simulate, (FLICK, SCENE), "scene is a Flick and action is a Scene: the scene comes first, then the action"),
        (simulate, (SCENE, {"piece": "a"}), "action cannot be a dict; it is a Flick, a Squidge or a Launch"),
        (simulate, ("draw", FLICK), "scene cannot be 'draw'; it is a Scene or a PyramidScene (load_scene"),
        (simulate, (SCENE, FLICK, {"gravity": 9}), "settings cannot be a dict; it is a Settings"),
        (simulate, (invalid_scene(pieces=["a"]), FLICK), "scene: expected an object, got a text at pieces[0]"),
        (simulate, (invalid_scene(pieces=None), FLICK), "scene: expected a list, got null at pieces"),
        (simulate, (invalid_scene(surface="wood"), FLICK), "scene: expected an object, got a text at surface"),
        (make_flick, {"speed": "fast"}, "Flick: speed cannot be 'fast'; give a number"),
        (make_flick, {"piece": None}, "Flick: piece cannot be None; give the id of a piece"),
        (make_flick, {"speed": -1.0}, "speed -1.0 m/s must be above 0 and at most 20"),
        (make_flick, {"start": 3}, "start 3 must be two finite numbers, x and y"),
        (make_flick, {"start": np.array([0.12, 0.04])}, "start cannot be a ndarray; give a tuple, as (0.12, 0.04)"),
        (Squidge, {"piece": "a", "speed": 1.0, "azimuth": np.ones(2)}, "azimuth cannot be a ndarray; give a number"),
        (simulate_batch, (FLICK, SCENE), "scene is a Flick and flicks is a Scene: the scene comes first, then the"),
        (simulate_batch, (SCENE, []), "flicks is empty; give a Flick, a Squidge or a Launch at least"),
        (simulate_batch, (SCENE, [FLICK, load_flick("squidge")]), "flicks[1] is a Squidge and the first is a Flick"),
        (simulate_batch, (SCENE, [FLICK, None]), "flicks[1] cannot be None; each is a Flick"),
        (simulate_batch, ([], FLICK), "scene is empty; give a Scene or a PyramidScene at least"),
        (simulate_batch, ([invalid_scene(pieces=["a"])], FLICK), "scene[0]: expected an object, got a text"),
        (simulate_batch, {"settings": 3}, "settings cannot be 3; give a Settings, or many"),
        (simulate_batch, {"positions": "here"}, "positions cannot be 'here'; give real numbers [shots, pieces, 3]"),
        (simulate_batch, {"positions": []}, "positions is empty; give real numbers [shots, pieces, 3]"),
        (simulate_batch, {"threads": "all"}, "threads cannot be 'all'; it is a whole number, 1 to 1024"),
        (simulate_batch, (SCENE, many_flicks(speed=np.ones((1, 2)))), "speed has shape [1, 2]; it must be [shots]"),
        (simulate_batch, (SCENE, many_flicks(speed=[])), "speed is empty; give real numbers, one a shot"),
        (simulate_batch, (SCENE, many_flicks(speed=True)), "speed cannot be True; give real numbers, one a shot"),
        (simulate_batch, (SCENE, many_flicks(speed=[1.0, None])), "speed cannot be a list; give real numbers"),
        (simulate_batch, (SCENE, many_flicks(speed=[1.0, True])), "speed cannot be a list; give real numbers"),
        (simulate_batch, (SCENE, many_flicks(speed=np.array([1, True], object))), "speed cannot be a ndarray"),
        (simulate_batch, (SCENE, many_flicks(speed=np.array(["1"], object))), "speed cannot be a ndarray; give real"),
        (simulate_batch, (SCENE, many_flicks(azimuth=np.ones(1) * 1j)), "azimuth cannot be a ndarray; give real"),
        (simulate_batch, (SCENE, many_flicks(offset=np.ma.masked_less([0.1], 0.2))), "offset cannot be a MaskedArray"),
        (simulate_batch, (SCENE, many_flicks(start=[[1.0], [1.0, 2.0]])), "start cannot be a list; give real numbers"),
        (simulate_batch, (SCENE, many_flicks(piece=None)), "piece cannot be None; give the id of a piece, or one a"),
        (load_scene, (3,), "the scene cannot be 3; name it by a string or a Path"),
        (load_scene, ("",), "the scene cannot be ''; name it by a string or a Path"),
        (load_scene, ("launch",), "'launch' is a table with pyramids; load_pyramids reads it"),
        (load_pyramids, ("draw",), "'draw' is a table of flat pieces; load_scene reads it"),
        (load_flick, ("launch",), "'launch' is a launch; load_launch reads it"),
        (load_launch, ("draw",), "'draw' is no launch; load_flick reads it"),
        (load_scene, ("sample:x",), "no sample 'x'; there are slide, draw, late-end, crowd, break-up, squidge"),
        (load_scene, ("x",), "samples are slide, draw"),
    ],
)
def test_invalid_arguments_are_refused_in_a_sentence(function: Any, given: Any, message: str) -> None:
    usual = {"scene": SCENE, "flicks": FLICK} if function is simulate_batch else {}
    with pytest.raises(FlicksimError) as wrong:
        function(**(usual | given)) if isinstance(given, dict) else function(*given)
    assert message in str(wrong.value)


def test_numbers_of_a_flick_are_refused_as_flicks_and_as_values() -> None:
    for kind in (InvalidAction, ValueError):
        with pytest.raises(kind):
            Flick(piece="a", speed=0.0, azimuth=0.0)
    with pytest.raises(NameNotFound):
        load_scene("nowhere")


@pytest.mark.parametrize("speeds", [[np.array(1.0), np.array(2.0)], [1, Fraction(2)], np.array([1.0, 2], dtype=object)])
def test_columns_are_any_real_numbers(speeds: Any) -> None:
    shots = simulate_batch(SCENE, many_flicks(speed=speeds))
    assert np.array_equal(shots.positions, simulate_batch(SCENE, many_flicks(speed=[1.0, 2.0])).positions)


@pytest.mark.parametrize(
    ("method", "time", "message"),
    [
        ("poses_at", nan, "time cannot be nan; give seconds"),
        ("poses_at", [0.0, nan], "time cannot be nan; give seconds"),
        ("poses_at", "soon", "time cannot be 'soon'; give seconds, or an array of them"),
        ("heights_and_normals_at", 0.0, "these tracks are flat: nothing left the surface"),
    ],
)
def test_times_that_tracks_do_not_have_are_refused(tracks: Tracks, method: str, time: object, message: str) -> None:
    with pytest.raises(FlicksimError) as wrong:
        getattr(tracks, method)(time)
    assert message in str(wrong.value)


def test_poses_at_many_times(tracks: Tracks) -> None:
    times = np.linspace(-0.1, 1.0, 7)
    assert np.array_equal(tracks.poses_at(times), np.stack([tracks.poses_at(float(t)) for t in times]))
    assert tracks.poses_at([[0.1, 0.2]]).shape == (1, 2, 2, 3)
    assert tracks.poses_at([]).shape == (0, 2, 3)
    air = simulate(load_scene("squidge"), load_flick("squidge")).tracks
    assert air.heights_and_normals_at(times).shape == (7, 3, 4)


def test_representations_are_one_line() -> None:
    motion = simulate(SCENE, FLICK)
    assert repr(motion) == "<trajectory of 'a' at 1.46 m/s: 6 events, at rest after 0.723 s>"
    assert repr(SCENE) == "<scene on polished: 2 pieces, a, white>"
    assert repr(motion.tracks).startswith("<tracks of a, white: ")
    landing = simulate(load_pyramids("launch"), load_launch("launch"))
    assert repr(landing).startswith("<launch trajectory of 'missile' at 2.6 m/s: ")
    assert repr(landing.before).startswith("<table with pyramids on wood: 2 pieces, prop, post")
    assert len(repr(flicksim.load_game("ice"))) < 80


def test_until_takes_its_old_word_with_a_warning() -> None:
    scene, squidge = load_scene("squidge"), load_flick("squidge")
    decided = simulate_batch(scene, [squidge], until="decided")
    for function in (simulate_batch, engine.simulate_batch):
        with pytest.warns(DeprecationWarning, match="until='verdict' is now until='decided'") as warned:
            old = function(scene, [squidge], until="verdict")  # type: ignore[call-overload]
        assert warned[0].filename == __file__
        assert old.duration.tolist() == decided.duration.tolist()


@pytest.mark.parametrize(("load", "name"), [(load_flick, "squige"), (load_launch, "x")])
def test_an_unknown_shot_lists_the_samples(load: Any, name: str) -> None:
    with pytest.raises(NameNotFound) as wrong:
        load(name)
    assert str(wrong.value) == f"no shot file and no sample {name!r}; samples are {', '.join(all_sample_names())}"
