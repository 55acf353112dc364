"""Friction on the mat: against the slip, and for a flat wink the law of a uniform disc that slides and turns."""

from __future__ import annotations

from dataclasses import replace
from math import cos, hypot, radians, sin

import numpy as np
import pytest

from flicksim.physics.flight import LARGE, PLAY, SMALL, FlightResult, Params, Winks, fly
from flicksim.physics.flight.rub import TWIST, _nearest, rubbed
from flicksim.physics.friction import Glide, grip

STILL = replace(PLAY, drag=0.0, felt=replace(PLAY.felt, roll=0.0))
"""As in play, without air and rolling resistance."""
PULL = PLAY.felt.mu * PLAY.gravity


def slide(
    speed: float, spin: float = 0.0, size: tuple[float, float, float] = SMALL, *,
    tilt: float = 0.0, lean: float = 0.0, params: Params = STILL, t_max: float = 5.0,
) -> FlightResult:  # fmt: skip
    """A wink on the mat with its lowest point, sent along +x, turning about its own axis."""
    radius, half, _ = size
    n = np.array([sin(tilt) * cos(lean), sin(tilt) * sin(lean), cos(tilt)])
    wink = Winks.at_rest(np.array([[0.0, 0.0, half * cos(tilt) + radius * sin(tilt)]]), [size], n[None])
    moved = wink.moved(0, np.array([speed, 0.0, 0.0]), 0.5 * radius * radius * spin * n)
    return fly(moved, params, t_max=t_max)


@pytest.mark.parametrize("speed", [0.2, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_flat_slide_ends_as_the_closed_form_says(speed, size):
    x, y, _ = slide(speed, size=size).winks.c[0]
    assert x == pytest.approx(speed**2 / (2.0 * PULL), rel=5e-4)
    assert abs(y) < 5e-8


@pytest.mark.parametrize("tilt", [1.0, 2.0, 3.0])
@pytest.mark.parametrize("lean", [0.0, 45.0, 90.0, 180.0])
def test_a_tilted_slide_goes_straight_and_as_far(tilt, lean):
    """Friction that was not against the slip once sent it 6 % too far, and millimetres aside."""
    x, y, _ = slide(1.0, tilt=radians(tilt), lean=radians(lean)).winks.c[0]
    assert x == pytest.approx(1.0 / (2.0 * PULL), rel=5e-3)
    assert abs(y) < 5e-5


@pytest.mark.parametrize(("speed", "spin"), [(0.3, 100.0), (0.5, -20.0), (0.3, 40.0), (1.0, 100.0), (0.05, 200.0)])
@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("roll", [0.0, PLAY.felt.roll])
def test_spin_lengthens_a_slide_as_that_of_a_uniform_disc(speed, spin, size, roll):
    """Four points at the rim once gave it a rim's friction, and rolling resistance braked its spin as well."""
    params = replace(STILL, felt=replace(PLAY.felt, roll=roll))
    x, y, _ = slide(speed, spin, size, params=params).winks.c[0]
    assert hypot(x, y) == pytest.approx(Glide(speed, size[0] * spin, size[0], PULL, 0.0).length, rel=2e-3)
    assert abs(y) < 1e-6


@pytest.mark.parametrize("eps", [0.5, 0.653, 1.0])
def test_slide_and_spin_come_to_rest_together(eps):
    """A uniform disc does so at v / (R omega) = 0.653, wherever it began."""
    radius = SMALL[0]
    spin = 1.0 / eps / radius
    glide = Glide(1.0, 1.0 / eps, radius, PULL, 0.0)
    for part in (0.5, 0.9, 0.997):
        end = slide(1.0, spin, t_max=part * glide.stop)
        _, _, v, w = glide.at(part * glide.stop)
        speed, rim = float(end.winks.v[0, 0]), radius * float(end.winks.spin()[0, 2])
        assert (speed, rim) == (pytest.approx(v, abs=4e-4), pytest.approx(w, abs=4e-4))
        assert speed / rim == pytest.approx(v / w, rel=0.02)
    assert speed / rim == pytest.approx(0.653, rel=0.02)


def test_a_wink_turning_on_the_spot_is_braked_by_friction_alone():
    radius, spin = SMALL[0], 150.0
    stop = 0.5 * radius * spin / (TWIST * PULL)
    for roll in (0.0, 1e-3):
        end = slide(0.0, spin, params=replace(PLAY, felt=replace(PLAY.felt, roll=roll)), t_max=0.5 * stop)
        assert float(end.winks.spin()[0, 2]) == pytest.approx(0.5 * spin, rel=1e-3)


def test_what_friction_can_do_is_the_uniform_disc_s():
    """Whatever is asked of it: what is left over points along the slip that calls up just that friction."""
    for force, torque in ((1.5, 0.1), (0.9, 0.9), (0.3, 1.4), (40.0, 25.0), (0.05, 1.2), (1.1, 0.01)):
        f, t = _nearest(force, torque)
        slip, turn = force - f, (torque - t) / TWIST
        expected, twist = grip(np.array([slip]), np.array([turn]), 0.0)
        assert f == pytest.approx(float(expected[0]), abs=0.01)
        assert t == pytest.approx(float(twist[0]) / TWIST, abs=0.01)
    assert _nearest(0.4, 0.5) == (0.4, 0.5)


def test_a_point_is_rubbed_against_its_slip_and_no_harder_than_the_limit():
    give = (2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5)
    assert rubbed(0.0, 0.0, 0.0, 0.1, 0.2, 0.0, 1.0, *give) == (0.2, 0.2, 0.0)
    slips = rubbed(0.0, 0.0, 0.0, 3.0, 4.0, 0.0, 0.5, *give)
    assert slips == pytest.approx((0.3, 0.4, 0.0))
    assert slips == pytest.approx(rubbed(0.0, 0.0, 0.0, 3.0, 4.0, 1e-12, 0.5, *give), abs=1e-9)
