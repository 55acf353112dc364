"""Trajectories are compared and hashed by value."""

import dataclasses
import pickle
from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from flicksim.engine import simulate
from flicksim.scene import LaunchTrajectory, Track, Trajectory, Volley, VolleyTrajectory, samples
from flicksim.scene.samples import launch_sample

AnyTrajectory = Trajectory | LaunchTrajectory | VolleyTrajectory


def _flick(azimuth_error: float) -> Trajectory:
    scene, flick = samples.sample("draw")
    return simulate(scene, msgspec.structs.replace(flick, azimuth=flick.azimuth + azimuth_error))


def _squidge(azimuth_error: float) -> Trajectory:
    scene, squidge = samples.sample_shot("squidge")
    return simulate(scene, msgspec.structs.replace(squidge, azimuth=squidge.azimuth + azimuth_error))


def _launch(azimuth_error: float) -> LaunchTrajectory:
    scene, launch = launch_sample()
    return simulate(scene, msgspec.structs.replace(launch, azimuth=launch.azimuth + azimuth_error))


def _volley(azimuth_error: float) -> VolleyTrajectory:
    scene, launch = launch_sample()
    launch = msgspec.structs.replace(launch, azimuth=launch.azimuth + azimuth_error, time=0.0)
    return simulate(scene, Volley(launches=(launch,)))


@pytest.mark.parametrize("shot", [_flick, _squidge, _launch, _volley])
def test_equal_trajectories_are_equal_and_have_one_hash(shot: Callable[[float], AnyTrajectory]) -> None:
    one, same, other = shot(0.0), shot(0.0), shot(0.05)
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
    flat, tumbling, launched = _flick(0.0), _squidge(0.0), _launch(0.0)
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
