"""Pieces at a time of a trajectory: what lies under what, and which face is up."""

import numpy as np
from msgspec.structs import replace

from flicksim import load_scene
from flicksim.render import stacking_order, winks_at
from flicksim.scene import Flick, Scene, Tracks, Trajectory

_SCENE = load_scene("squidge")
_LOWER = replace(_SCENE.pieces[0], id="lower", z=0.003, tilt=0.5)
"""Wink that leans, and so reaches higher than what lies flat on its lower side."""


def _trajectory(scene: Scene, normals: list[float] | None = None) -> Trajectory:
    """Every wink slides 0.1 m to the right in one second; normals: upward part of each, in flight at 10 mm."""
    states = np.zeros((2, len(scene.pieces), 6))
    states[:, :, 0] = [[piece.x for piece in scene.pieces], [piece.x + 0.1 for piece in scene.pieces]]
    poses = None if normals is None else np.array([[(0.01, 0.0, 0.0, up) for up in normals]] * 2)
    names, times = tuple(piece.id for piece in scene.pieces), np.array([0.0, 1.0])
    shot = Flick(piece="lower", speed=1.0, azimuth=0.0)
    tracks = Tracks(ids=names, times=times, states=states, heights_and_normals=poses)
    return Trajectory(before=scene, flick=shot, after=scene, events=(), tracks=tracks, duration=1.0)


def test_a_wink_that_lies_on_another_comes_after_it_though_that_one_reaches_higher() -> None:
    upper = replace(_SCENE.pieces[0], id="upper", z=0.005, lies_on=("lower",))
    assert upper.highest < _LOWER.highest
    assert [wink.id for wink in stacking_order((upper, _LOWER))] == ["lower", "upper"]
    level = replace(upper, z=_LOWER.highest - 0.5 * _LOWER.thickness * np.cos(0.5))
    moving = winks_at(_trajectory(replace(_SCENE, pieces=(level, _LOWER))), 0.5)
    assert [wink.id for wink in moving] == ["lower", "upper"], "as high as each other in motion, too"


def test_winks_in_flight_turn_over_and_are_those_of_the_time_asked_for() -> None:
    other = replace(_LOWER, id="other", face=-1)
    trajectory = _trajectory(replace(_SCENE, pieces=(_LOWER, other)), [-1.0, -1.0])
    assert {wink.id: wink.face for wink in winks_at(trajectory, 0.0)} == {"lower": -1, "other": 1}
    first, last = (next(wink.x for wink in winks_at(trajectory, t)) for t in (0.0, 1.0))
    assert last - first > 0.09
