"""Trajectories are compared and hashed by value."""

import dataclasses
import pickle
from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim.engine import simulate
from flicksim.scene import Track, Volley, samples


def _shot(name: str, azimuth_error: float = 0.0) -> Any:
    """Trajectory of the shot of a sample that is aimed so much aside [rad]; of a launch also in a volley."""
    scene, shot = samples.sample_shot("launch" if name == "volley" else name)
    shot = msgspec.structs.replace(shot, azimuth=shot.azimuth + azimuth_error)
    if name == "volley":
        return simulate(scene, Volley(launches=(msgspec.structs.replace(shot, time=0.0),)))
    return simulate(scene, shot)


@pytest.mark.parametrize("name", ["draw", "squidge", "launch", "volley"])
def test_equal_trajectories_are_equal_and_have_one_hash(name: str) -> None:
    one, same, other = _shot(name), _shot(name), _shot(name, 0.05)
    copied = pickle.loads(pickle.dumps(one))
    assert (one == copied) is True
    assert (one == same) is True
    assert hash(one) == hash(copied) == hash(same)
    assert (one == other) is False
    assert (one != other) is True
    assert len({one, copied, same, other}) == 2
    no_trajectory: object = "a trajectory"
    assert one != no_trajectory


def test_tracks_that_differ_make_trajectories_unequal() -> None:
    flat, tumbling, launched = map(_shot, ("draw", "squidge", "launch"))
    states = flat.tracks.states.copy()
    states[-1, 0, 0] += 1e-12
    assert flat != dataclasses.replace(flat, tracks=dataclasses.replace(flat.tracks, states=states))
    heights = tumbling.tracks.heights_and_normals
    for changed in (None, heights + 1e-12, heights[:-1]):
        other = dataclasses.replace(tumbling.tracks, heights_and_normals=changed)
        assert tumbling != dataclasses.replace(tumbling, tracks=other)
    first: Track = launched.tracks[0]
    for field in ("times", "positions", "orientations"):
        moved = dataclasses.replace(first, **{field: getattr(first, field) + 1e-12})
        assert launched != dataclasses.replace(launched, tracks=(moved, *launched.tracks[1:]))


def test_pieces_that_have_left_are_equal_though_their_states_are_nan() -> None:
    scene, flick = samples.sample("draw")
    one = simulate(scene, msgspec.structs.replace(flick, speed=4.0))
    assert np.isnan(one.tracks.states).any()
    assert one == pickle.loads(pickle.dumps(one))
