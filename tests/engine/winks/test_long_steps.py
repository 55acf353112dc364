"""Long steps of gentle contacts: their springs, their energy, their number, and what a pause leaves."""

from math import cos, sin

import numpy as np
import pytest

from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.winks import PLAY_PARAMS, SMALL_WINK, WinkResult, WinkSimulation, WinkStates
from flicksim.engine.winks import params as M
from flicksim.engine.winks.bodies import make_bodies
from flicksim.engine.winks.contact_solver import spring_energy
from flicksim.engine.winks.integrator import SOFTEST_SCALE

RADIUS, HALF, MASS = SMALL_WINK


def eigenvalues(row: np.ndarray) -> np.ndarray:
    """Eigenvalues of a step v' = v + gain d - loss v, d' = d - v' (depth over the step)."""
    gain, loss = row[M.SPRING_GAIN], row[M.DAMPING_GAIN]
    return np.sort_complex(np.linalg.eigvals(np.array([[1.0 - loss, gain], [loss - 1.0, 1.0 - gain]])))


@pytest.mark.parametrize("material", range(3))
def test_a_spring_swings_alike_in_long_steps(material: int) -> None:
    """A long step turns and damps it as so many steps do: the discretisation is exact."""
    step, long_step, _ = PLAY_PARAMS.material_table()[:, material]
    length = M.STEP_LENGTHS[M.LONG_STEP]
    assert eigenvalues(long_step) == pytest.approx(np.sort_complex(eigenvalues(step) ** length), rel=1e-12)


@pytest.mark.parametrize("material", range(3))
def test_a_contact_in_a_pile_neither_bounces_nor_slips_on(material: int) -> None:
    """Its velocity is that which removes a tenth of the overlap in a step; nothing of the slip is kept."""
    pile = PLAY_PARAMS.material_table()[M.PILE_STEP, material]
    assert pile[M.DAMPING_GAIN] == 1.0
    assert pile[M.SPRING_GAIN] == 0.1


@pytest.mark.parametrize("dt", [50e-6, 100e-6, 400e-6])
def test_the_energy_of_a_spring_is_bounded_from_above(dt: float) -> None:
    """By half its stiffness times the square of its depth, per mass, whatever the step."""
    winks = WinkStates.at_rest(np.array([[0.0, 0.0, HALF]]), [SMALL_WINK])
    b = make_bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, np.zeros(1))
    k, depth = np.zeros((1, C.CONTACT_COLUMNS)), 2e-6
    k[0, C.BODY_B], k[0, C.SPRING_DEPTH] = -1, depth
    energy = 0.5 * PLAY_PARAMS.stiffness * depth**2 / b[0, B.INV_MASS]
    assert spring_energy(b, k, 1, PLAY_PARAMS.stiffness, dt) >= 0.999999 * energy


def simulate_wink(lean: float, speed: float, spin: float, pauses: list[float]) -> WinkResult:
    """A wink with its lowest point on the mat, sent along +x, turning about the vertical [rad, m/s, rad/s]."""
    n = np.array([[sin(lean), 0.0, cos(lean)]])
    winks = WinkStates.at_rest(np.array([[0.0, 0.0, HALF * cos(lean) + RADIUS * sin(lean)]]), [SMALL_WINK], n)
    moving = winks.with_motion(0, np.array([speed, 0.0, 0.0]), np.array([0.0, 0.0, 0.5 * RADIUS**2 * spin]))
    simulation = WinkSimulation(moving, PLAY_PARAMS)
    for time in pauses:
        simulation.run_until(time)
    return simulation.result()


def test_a_wink_that_settles_takes_few_steps() -> None:
    """Fewer than soft contacts alone would have."""
    end = simulate_wink(0.3, 0.0, 20.0, [5.0])
    assert end.settled
    assert end.steps * PLAY_PARAMS.time_step / SOFTEST_SCALE < 0.9 * end.time


def test_pauses_leave_no_impulses() -> None:
    """Steps before a pause are short: a long one cut off would have the friction of a whole one."""
    whole, paused = simulate_wink(0.0, 1.0, 0.0, [0.2]), simulate_wink(0.0, 1.0, 0.0, [0.005 * k for k in range(1, 41)])
    assert paused.winks.v[0, 0] == pytest.approx(whole.winks.v[0, 0], abs=2e-5)
