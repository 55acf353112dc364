"""Tracks interpolate between keyframes up to their end."""

from typing import get_args

import numpy as np
import pytest

from flicksim.scene.launch_trajectory import (
    Launched,
    LaunchEvent,
    LaunchFailed,
    PyramidCameToRest,
    PyramidCollision,
    PyramidLeftSurface,
    Track,
)

STILL = (1.0, 0.0, 0.0, 0.0)


def make_track(*, gone: bool) -> Track:
    middles = np.array([[0.0, 0.0, 0.1], [0.2, 0.0, 0.1], [0.2, 0.4, 0.0]])
    return Track(
        id="m",
        times=np.array([0.5, 1.0, 2.0]),
        positions=middles,
        orientations=np.tile(STILL, (3, 1)),
        has_left_table=gone,
    )


@pytest.mark.parametrize(
    ("t", "place"),
    [
        (0.0, (0.0, 0.0, 0.1)), (0.5, (0.0, 0.0, 0.1)), (0.75, (0.1, 0.0, 0.1)), (1.0, (0.2, 0.0, 0.1)),
        (1.25, (0.2, 0.1, 0.075)), (2.0, (0.2, 0.4, 0.0)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("gone", [False, True])
def test_tracks_interpolate_between_keyframes(t: float, place: tuple[float, float, float], gone: bool) -> None:
    found = make_track(gone=gone).pose_at(t)
    assert found[0] == pytest.approx(place)
    assert found[1] == STILL


def test_a_track_ends_at_its_last_keyframe() -> None:
    assert make_track(gone=True).pose_at(2.001) is None
    rests = make_track(gone=False).pose_at(2.001)
    assert rests[0] == (0.2, 0.4, 0.0)


@pytest.mark.parametrize("kind", get_args(LaunchEvent))
def test_events_are_named_and_frozen(
    kind: type[Launched | LaunchFailed | PyramidCollision | PyramidLeftSurface | PyramidCameToRest],
) -> None:
    with pytest.raises(TypeError):
        kind(0.5, "m")  # type: ignore[misc, call-arg, arg-type]
    event = (
        LaunchFailed(t=0.5, piece="m") if kind is LaunchFailed else kind(**dict.fromkeys(kind.__struct_fields__, 0.5))
    )
    with pytest.raises(AttributeError):
        event.t = 0.6
