"""Steps of free flight: as long as nothing can be met, and never longer."""

import numpy as np
import pytest

from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import update_angular_velocity
from flicksim.engine.winks import LARGE_WINK, SMALL_WINK, Cup
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import recorder as R
from flicksim.engine.winks.bodies import integrate_free_flight, lowest_height, make_bodies
from flicksim.engine.winks.broadphase import find_contacts, free_flight_step, list_awake
from flicksim.engine.winks.narrowphase_cup import collide_cup

GRAVITY = 9.81
SHORTEST = 50e-6


@pytest.mark.parametrize("base_radius", [19.0e-3, 23.8125e-3])
def test_nothing_is_met_within_a_step(base_radius: float) -> None:
    """Winks about the pot, tumbling: neither wall, rim, floor nor felt is met in steps longer than the shortest."""
    pot, rng = Cup(base_radius=base_radius).to_array(), np.random.default_rng(7)
    k, scratch, long_steps = np.zeros((64, C.CONTACT_COLUMNS)), np.zeros(16), 0
    for _ in range(400):
        radius, half, mass = SMALL_WINK if rng.random() < 0.5 else LARGE_WINK
        c = np.array([[*rng.uniform(-0.035, 0.035, 2), rng.uniform(0.002, 0.06)]])
        n, spin = rng.normal(size=(1, 3)), rng.normal(size=(1, 3)) * radius**2 * 30.0
        b = make_bodies(
            c, rng.normal(size=(1, 3)) * 0.6, n / np.linalg.norm(n), spin, np.array([radius]), np.array([half]),
            np.array([mass]), np.array([0.22]),
        )  # fmt: skip
        b[0, B.STATE] = B.AWAKE
        update_angular_velocity(b, 0)
        run = R.make_run_state(1, np.zeros((0, 2)), 8, 0)
        list_awake(b, run, GRAVITY)
        if find_contacts(b, run, k, pot, GRAVITY) > 0:
            continue
        dt = free_flight_step(b, run, k, pot, GRAVITY, SHORTEST)
        assert dt >= SHORTEST
        if dt == SHORTEST:
            continue
        long_steps += 1
        for _ in range(25):
            integrate_free_flight(b, 0, dt / 25, GRAVITY)
            found, _ = collide_cup(b, 0, pot, k, 0, 0.0, scratch)
            assert found == 0
            floor = pot[6] if np.hypot(*b[0, B.CX : B.CY + 1]) < pot[2] and b[0, B.CZ] < pot[4] else 0.0
            assert lowest_height(b, 0) > floor
    assert long_steps > 100


def test_a_wink_far_from_everything_flies_on() -> None:
    """The longest step, high above the felt; shorter ones as it comes down, none once it is nearly there."""
    radius, half, mass = SMALL_WINK
    steps = []
    for height in (0.2, 0.012, 0.00801):
        b = make_bodies(
            np.array([[0.3, 0.0, height]]), np.array([[1.0, 0.0, -1.0]]), np.array([[1.0, 0.0, 0.0]]), np.zeros((1, 3)),
            np.array([radius]), np.array([half]), np.array([mass]), np.zeros(1),
        )  # fmt: skip
        b[0, B.STATE], b[0, W.OVER_MAT] = B.AWAKE, 1.0
        run = R.make_run_state(1, np.zeros((0, 2)), 8, 0)
        list_awake(b, run, GRAVITY)
        steps.append(free_flight_step(b, run, np.zeros((8, C.CONTACT_COLUMNS)), np.zeros(0), GRAVITY, SHORTEST))
    assert steps[0] == 4e-3
    assert 1e-3 < steps[1] < 4e-3
    assert steps[2] == SHORTEST
