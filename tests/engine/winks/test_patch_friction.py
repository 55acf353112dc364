"""Tests of patch friction: it opposes slip, and a flat wink follows the law of a uniform sliding, spinning disc."""

from dataclasses import replace
from math import cos, hypot, radians, sin

import numpy as np
import pytest

from flicksim.engine import winks
from flicksim.engine.friction import SlidingDisc, friction_force_torque
from flicksim.engine.winks.patch_friction import MAX_TORQUE_RATIO, _project_to_limit_surface, project_friction

NO_DRAG_PARAMS = replace(
    winks.PLAY_PARAMS, drag_coefficient=0.0, felt=replace(winks.PLAY_PARAMS.felt, rolling_resistance=0.0)
)
"""As in play, without air and rolling resistance."""
DECELERATION = winks.PLAY_PARAMS.felt.friction * winks.PLAY_PARAMS.gravity


def simulate_slide(
    speed: float, spin: float = 0.0, size: tuple[float, float, float] = winks.SMALL_WINK, *,
    tilt: float = 0.0, lean: float = 0.0, params: winks.WinkParams = NO_DRAG_PARAMS, t_max: float = 5.0,
) -> winks.WinkResult:  # fmt: skip
    """A wink on the mat with its lowest point, sent along +x, turning about its own axis."""
    radius, half, _ = size
    n = np.array([sin(tilt) * cos(lean), sin(tilt) * sin(lean), cos(tilt)])
    wink = winks.WinkStates.at_rest(np.array([[0.0, 0.0, half * cos(tilt) + radius * sin(tilt)]]), [size], n[None])
    moved = wink.with_motion(0, np.array([speed, 0.0, 0.0]), 0.5 * radius * radius * spin * n)
    return winks.simulate_winks(moved, params, t_max=t_max)


@pytest.mark.parametrize("speed", [0.2, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("size", [winks.SMALL_WINK, winks.LARGE_WINK])
def test_a_flat_slide_ends_as_the_closed_form_says(speed, size):
    x, y, _ = simulate_slide(speed, size=size).winks.c[0]
    assert x == pytest.approx(speed**2 / (2.0 * DECELERATION), rel=5e-4)
    assert abs(y) < 5e-8


@pytest.mark.parametrize("tilt", [1.0, 2.0, 3.0])
@pytest.mark.parametrize("lean", [0.0, 45.0, 90.0, 180.0])
def test_a_tilted_slide_goes_straight_and_as_far(tilt, lean):
    """Friction that was not against the slip once sent it 6 % too far, and millimetres aside."""
    x, y, _ = simulate_slide(1.0, tilt=radians(tilt), lean=radians(lean)).winks.c[0]
    assert x == pytest.approx(1.0 / (2.0 * DECELERATION), rel=5e-3)
    assert abs(y) < 5e-5


@pytest.mark.parametrize(("speed", "spin"), [(0.3, 100.0), (0.5, -20.0), (0.3, 40.0), (1.0, 100.0), (0.05, 200.0)])
@pytest.mark.parametrize("size", [winks.SMALL_WINK, winks.LARGE_WINK])
@pytest.mark.parametrize("roll", [0.0, winks.PLAY_PARAMS.felt.rolling_resistance])
def test_spin_lengthens_a_slide_as_that_of_a_uniform_disc(speed, spin, size, roll):
    """Four points at the rim once gave it a rim's friction, and rolling resistance braked its spin as well."""
    params = replace(NO_DRAG_PARAMS, felt=replace(winks.PLAY_PARAMS.felt, rolling_resistance=roll))
    x, y, _ = simulate_slide(speed, spin, size, params=params).winks.c[0]
    assert hypot(x, y) == pytest.approx(
        SlidingDisc(speed, size[0] * spin, size[0], DECELERATION, 0.0).stop_distance, rel=2e-3
    )
    assert abs(y) < 1e-6


@pytest.mark.parametrize("eps", [0.5, 0.653, 1.0])
def test_slide_and_spin_come_to_rest_together(eps):
    """A uniform disc does so at v / (R omega) = 0.653, wherever it began."""
    radius = winks.SMALL_WINK[0]
    spin = 1.0 / eps / radius
    glide = SlidingDisc(1.0, 1.0 / eps, radius, DECELERATION, 0.0)
    for part in (0.5, 0.9, 0.997):
        end = simulate_slide(1.0, spin, t_max=part * glide.stop_time)
        _, _, v, w = glide.state_at(part * glide.stop_time)
        speed, rim = float(end.winks.v[0, 0]), radius * float(end.winks.angular_velocities()[0, 2])
        assert (speed, rim) == (pytest.approx(v, abs=4e-4), pytest.approx(w, abs=4e-4))
        assert speed / rim == pytest.approx(v / w, rel=0.02)
    assert speed / rim == pytest.approx(0.653, rel=0.02)


def test_a_wink_turning_on_the_spot_is_braked_by_friction_alone():
    radius, spin = winks.SMALL_WINK[0], 150.0
    stop = 0.5 * radius * spin / (MAX_TORQUE_RATIO * DECELERATION)
    for roll in (0.0, 1e-3):
        end = simulate_slide(
            0.0,
            spin,
            params=replace(winks.PLAY_PARAMS, felt=replace(winks.PLAY_PARAMS.felt, rolling_resistance=roll)),
            t_max=0.5 * stop,
        )
        assert float(end.winks.angular_velocities()[0, 2]) == pytest.approx(0.5 * spin, rel=1e-3)


def test_what_friction_can_do_is_the_uniform_disc_s():
    """Whatever is asked of it: what is left over points along the slip that calls up just that friction."""
    for force, torque in ((1.5, 0.1), (0.9, 0.9), (0.3, 1.4), (40.0, 25.0), (0.05, 1.2), (1.1, 0.01)):
        f, t = _project_to_limit_surface(force, torque)
        slip, turn = force - f, (torque - t) / MAX_TORQUE_RATIO
        expected, twist = friction_force_torque(np.array([slip]), np.array([turn]), 0.0)
        assert f == pytest.approx(float(expected[0]), abs=0.01)
        assert t == pytest.approx(float(twist[0]) / MAX_TORQUE_RATIO, abs=0.01)
    assert _project_to_limit_surface(0.4, 0.5) == (0.4, 0.5)


def test_a_point_is_rubbed_against_its_slip_and_no_harder_than_the_limit():
    give = (2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5)
    assert project_friction(0.0, 0.0, 0.0, 0.1, 0.2, 0.0, 1.0, *give) == (0.2, 0.2, 0.0)
    slips = project_friction(0.0, 0.0, 0.0, 3.0, 4.0, 0.0, 0.5, *give)
    assert slips == pytest.approx((0.3, 0.4, 0.0))
    assert slips == pytest.approx(project_friction(0.0, 0.0, 0.0, 3.0, 4.0, 1e-12, 0.5, *give), abs=1e-9)
