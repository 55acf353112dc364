"""Tests of the energy limiter: no shot gains energy, and no wink placed by geometry hangs in the air."""

import numpy as np
import pytest

from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies import previous_contacts as P
from flicksim.engine.rigid_bodies.bodies import total_energy
from flicksim.engine.rigid_bodies.energy_limiter import limit_energy, store_motion
from flicksim.engine.winks import PLAY_PARAMS, SMALL_WINK, WinkStates, simulate_winks
from flicksim.engine.winks.bodies import make_bodies
from flicksim.engine.winks.contact_solver import DEPTH_TOLERANCE, prepare_contacts
from flicksim.engine.winks.contacts import FELT


@pytest.mark.parametrize("against", [FELT, 1])
def test_energy_gain_is_removed_and_momentum_conserved(against: int) -> None:
    """Two winks part too fast, as if pushed from nowhere; a wink that leaves the felt so is slowed as a whole."""
    winks = WinkStates.at_rest(np.array([[0.0, 0.0, 0.01], [0.016, 0.0, 0.01]]), [SMALL_WINK, SMALL_WINK])
    b = make_bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, np.zeros(2))
    b[:, B.STATE] = B.AWAKE
    b[:, B.VX] = 0.3, 0.3
    both = np.arange(2)
    store_motion(b, both)
    had = total_energy(b, both, 9.81)
    b[0, B.VX : B.VZ + 1] += -0.2, 0.05, 0.4
    b[0, B.LX : B.LZ + 1] += 1e-4, 2e-4, 0.0
    if against == 1:
        b[1, B.VX : B.VZ + 1] -= -0.2, 0.05, 0.4
    momentum, other = b[:, B.VX : B.VZ + 1].sum(axis=0), b[1].copy()
    k = np.zeros((1, C.CONTACT_COLUMNS))
    k[0, C.BODY_A], k[0, C.BODY_B] = 0, against
    was, left = limit_energy(b, both, k, 1, 9.81, had)
    assert was > 1.1 * had
    assert left == pytest.approx(had, rel=1e-12)
    if against == 1:
        assert b[:, B.VX : B.VZ + 1].sum(axis=0) == pytest.approx(momentum)
    else:
        assert (b[1, B.VX : B.VZ + 1] == other[B.VX : B.VZ + 1]).all()


@pytest.mark.parametrize(("had", "felt"), [(0.0, DEPTH_TOLERANCE), (2e-5, 2e-5 + DEPTH_TOLERANCE), (2e-4, 1e-4)])
@pytest.mark.parametrize("closing", [0.0, 0.5, -0.5])
def test_a_spring_feels_only_the_depth_that_an_approach_explains(had: float, felt: float, closing: float) -> None:
    """Of two winks a tenth of a millimetre in one another: what it felt before, their way of a step, and a hair."""
    dt, deep = 1e-5, 1e-4
    across = 2.0 * SMALL_WINK[0] - deep
    winks = WinkStates.at_rest(np.array([[0.0, 0.0, 0.01], [across, 0.0, 0.01]]), [SMALL_WINK, SMALL_WINK])
    b = make_bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, np.zeros(2))
    b[:, B.STATE], b[1, B.VX] = B.AWAKE, -closing
    k, last = np.zeros((1, C.CONTACT_COLUMNS)), np.zeros((1, P.PREV_CONTACT_COLUMNS))
    k[0, C.BODY_A], k[0, C.BODY_B], k[0, C.GAP], k[0, C.NORMAL_X] = 0, 1, -deep, -1.0
    k[0, C.POINT_X : C.POINT_Z + 1] = last[0, P.PREV_POINT : P.PREV_POINT + 3] = SMALL_WINK[0] - deep / 2.0, 0.0, 0.01
    last[0, P.PREV_BODY_B], last[0, P.PREV_NORMAL], last[0, P.PREV_DEPTH] = 1, -1.0, had
    prepare_contacts(b, np.arange(2), k, last, 1, 1, PLAY_PARAMS.material_table()[0], dt)
    assert k[0, C.NORMAL_VELOCITY] == pytest.approx(-closing)
    assert k[0, C.SPRING_DEPTH] == pytest.approx(min(felt + max(0.0, closing) * dt, deep), rel=1e-12)


@pytest.mark.parametrize("stacked", [(), ((1, 0),)])
def test_a_wink_placed_slightly_above_another_falls_when_that_leaves(stacked: tuple[tuple[int, int], ...]) -> None:
    """Farther above it than winks at rest touch, it hung in the air when the one below was shot away."""
    half = SMALL_WINK[1]
    winks = WinkStates.at_rest(np.array([[0.0, 0.0, half], [0.004, 0.0, 3.0 * half + 40e-6]]), [SMALL_WINK, SMALL_WINK])
    end = simulate_winks(winks.with_motion(0, np.array([-1.0, 0.0, 0.0]), np.zeros(3)), PLAY_PARAMS, stacked=stacked)
    assert end.settled
    assert (end.winks.c[1, 2] < 2.0 * half) == bool(stacked)
