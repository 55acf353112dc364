"""Tests of impulses on arrays: those of pymunk."""

from math import cos, inf, pi, sin

import numpy as np
import pytest

from flicksim.engine import Settings
from flicksim.engine.collision_response import ImpactSolver
from flicksim.engine.planar_discs.impacts import solve_impulses
from flicksim.engine.planar_discs.plane import PlaneLaws, make_plane
from flicksim.scene import Piece

SETTINGS = Settings()


def disc(name: str, x: float, y: float, radius: float) -> Piece:
    return Piece(id=name, kind="small", x=x, y=y, radius=radius, mass=6e3 * radius**3, material="wink")


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_a_pair_gets_the_impulse_of_pymunk_to_the_bit(seed: int, fixed: bool) -> None:
    """Also with one that cannot move, which has an infinite mass on arrays."""
    rng = np.random.default_rng(seed)
    one, angle = disc("one", 0.3, 0.1, rng.choice([7.9e-3, 11.1e-3])), rng.uniform(-pi, pi)
    away = one.radius + 7.9e-3
    other = disc("other", 0.3 + away * cos(angle), 0.1 + away * sin(angle), 7.9e-3)
    motion = np.array([[p.x, p.y, 0.0, *rng.normal(0.0, 1.0, 2), rng.normal(0.0, 50.0)] for p in (one, other)])
    motion[1, 3:] *= not fixed
    closing = float((motion[0, 3] - motion[1, 3]) * cos(angle) + (motion[0, 4] - motion[1, 4]) * sin(angle))
    motion[0, 3:5] *= 1.0 if closing > 0.0 else -1.0
    motion[1, 3:5] *= 1.0 if closing > 0.0 else -1.0
    solver = ImpactSolver((one, other), SETTINGS, fixed=1 if fixed else -1)
    due = solver.resolve({k: tuple(row) for k, row in enumerate(motion.tolist())}, {(0, 1): abs(closing)})  # type: ignore[misc]
    pairing = SETTINGS.pairings.lookup("wink", "wink")
    plane = make_plane(2)
    plane.pairs[0], plane.speeds[0], plane.motion[:] = (0, 1), abs(closing), motion
    laws = PlaneLaws(
        radius=np.array([one.radius, 7.9e-3]), mass=np.array([one.mass, inf if fixed else other.mass]),
        deceleration=np.zeros(2), contact_kind=np.zeros(2, np.int64),
        friction=np.full((2, 2), pairing.friction), restitution=np.full((2, 2), pairing.restitution),
        yield_speed=np.full((2, 2), pairing.yield_speed or inf), pot_contact_distance=np.zeros(1),
        elastic_threshold=SETTINGS.elastic_threshold,
    )  # fmt: skip
    solve_impulses(plane, 1, laws)
    assert plane.motion[0, 3:].tolist() == list(due[0])
    assert plane.motion[1, 3:].tolist() == ([0.0, 0.0, 0.0] if fixed else list(due[1]))
