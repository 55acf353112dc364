"""Tests of the planar validation cases, and of their reference values against quadrature and an ODE solver."""

from math import atan2, cos, hypot, pi, sin

import numpy as np
import pytest
from scipy.integrate import dblquad, solve_ivp

from flicksim.engine.friction import SlidingDisc, elliptic_integrals, friction_force_torque
from flicksim.validation import planar_discs as measured
from flicksim.validation.planar_discs import (
    DISC_FRICTION_TABLE,
    RIM_FRICTION_TABLE,
    SPINNING_SLIDE_TABLE,
    ValidationCase,
    validation_cases,
)

ALL = list(validation_cases())


@pytest.mark.parametrize("truth", ALL, ids=[truth.claim for truth in ALL])
def test_validation_case(truth: ValidationCase) -> None:
    assert truth.passed, f"{truth.claim}: {truth.measured!r}, not {truth.oracle!r}; off by {truth.error:.3g}"


def test_mirrored_shots_end_mirrored() -> None:
    for name in ("draw", "late-end", "crowd"):
        scene, flick = measured.sample(name)
        one = measured.simulate(scene, flick).after
        other = measured.simulate(*measured.mirrored(scene, flick, 0.15)).after
        for piece in one.pieces:
            twin = other.piece(piece.id)
            assert (0.3 - twin.x, twin.y) == pytest.approx((piece.x, piece.y), abs=1e-6)


def _mean_over_ring(eps: float, ring: float) -> tuple[float, float]:
    """Force and torque by plain integration over the contact: no formula but Coulomb's law at every point."""

    def along(phi: float, r: float) -> float:
        vx, vy = eps - r * sin(phi), r * cos(phi)
        return r * vx / hypot(vx, vy)

    def turning(phi: float, r: float) -> float:
        vx, vy = eps - r * sin(phi), r * cos(phi)
        return r * (r * cos(phi) * vy - r * sin(phi) * vx) / hypot(vx, vy)

    area = pi * (1 - ring**2)
    spans = (ring, 1.0, -pi / 2, pi / 2)  # the half contact stands for the whole
    force, torque = (2 * dblquad(f, *spans, epsabs=1e-7)[0] / area for f in (along, turning))
    return force, torque


@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@pytest.mark.parametrize("eps", [0.1, 0.5, 2.0])
@pytest.mark.parametrize("ring", [0.0, 0.5, 0.9])
def test_the_laws_are_coulombs_law_summed_over_the_contact(eps: float, ring: float) -> None:
    force, torque = friction_force_torque(np.array([eps]), np.array([1.0]), ring)
    due_force, due_torque = _mean_over_ring(eps, ring)
    assert force[0] == pytest.approx(due_force, abs=2e-5)
    assert torque[0] == pytest.approx(due_torque, abs=2e-5)


def test_elliptic_integrals_are_scipys() -> None:
    from scipy.special import ellipe, ellipk

    k = np.array([0.0, 0.1, 0.5, 0.9, 0.999, 1 - 1e-9])
    big_k, big_e = elliptic_integrals(k)
    assert big_k == pytest.approx(ellipk(k * k), rel=1e-7)
    assert big_e == pytest.approx(ellipe(k * k), rel=1e-7)


def test_the_thin_rim_trades_force_for_torque() -> None:
    eps = np.array([0.1, 0.25, 0.5, 0.9])
    force, torque = friction_force_torque(eps, np.ones(4), 1.0)
    back_force, back_torque = friction_force_torque(1 / eps, np.ones(4), 1.0)
    assert force == pytest.approx(back_torque, abs=1e-9)
    assert torque == pytest.approx(back_force, abs=1e-9)


def test_the_limits_of_the_laws() -> None:
    for ring in (0.0, 0.5, 0.9, 1.0):
        force, torque = friction_force_torque(np.array([1e-6, 1e6]), np.array([1.0, 1.0]), ring)
        assert force == pytest.approx([0.0, 1.0], abs=1e-5)
        assert torque[1] == pytest.approx(0.0, abs=1e-5)
    assert friction_force_torque(np.array([0.0]), np.array([1.0]), 0.0)[1][0] == pytest.approx(2 / 3)
    assert friction_force_torque(np.array([0.0]), np.array([1.0]), 1.0)[1][0] == pytest.approx(1.0)


@pytest.mark.parametrize("ring", [0.0, 0.9, 1.0])
@pytest.mark.parametrize("eps", [0.3, 1.0, 3.0])
def test_a_slide_satisfies_the_equations_of_motion(ring: float, eps: float) -> None:
    v0, radius, pull = 1.2, 0.01, 1.962
    glide = SlidingDisc(v0, -v0 / eps, radius, pull, ring)

    def slopes(_t: float, y: np.ndarray) -> list[float]:
        _, _, v, w = y
        force, torque = friction_force_torque(np.array([max(v, 1e-12)]), np.array([max(w, 1e-12)]), ring)
        return [v, w, -pull * force[0], -2 * pull * torque[0]]

    until = 0.98 * glide.stop_time
    due = solve_ivp(
        slopes, (0, until), [0, 0, v0, v0 / eps], method="DOP853", rtol=1e-8, atol=1e-11, dense_output=True
    ).sol
    for t in np.linspace(0.0, until, 60):
        way, turn, v, w = glide.state_at(float(t))
        x, angle, due_v, due_w = due(t)
        assert way == pytest.approx(x, abs=2e-5 * glide.stop_distance + 1e-7)
        assert -turn * radius == pytest.approx(angle, abs=1e-4 * v0 * glide.stop_time)
        assert v == pytest.approx(due_v, abs=3e-3 * v0)
        assert -w == pytest.approx(due_w, abs=3e-3 * v0 / eps)
        assert glide.distance_and_speed(float(t)) == (way, v)
        if way > 0.0:
            assert glide.time_at_distance(way) == pytest.approx(t, abs=1e-8)
    assert glide.time_at_distance(1.01 * glide.stop_distance) == float("inf")


def test_slide_and_spin_stop_together() -> None:
    for eps in (0.2, 1.0, 5.0):
        glide = SlidingDisc(1.0, 1.0 / eps, 0.01, 2.0, 0.0)
        assert glide.state_at(glide.stop_time)[2:] == (0.0, 0.0)
        _, _, v, w = glide.state_at(glide.stop_time * 0.999)
        assert v > 0.0
        assert w > 0.0


def test_the_tables_agree_with_one_another() -> None:
    """eps0 solves F = 2 eps T; the spin table's fixed point lies at the same place."""
    force, torque = DISC_FRICTION_TABLE[0.653]
    assert force == pytest.approx(2 * 0.653 * torque, abs=1e-4)
    assert SPINNING_SLIDE_TABLE[0.653][0] == SPINNING_SLIDE_TABLE[0.653][1] == pytest.approx(1 / force, rel=1e-5)
    assert RIM_FRICTION_TABLE[0.5][0] == RIM_FRICTION_TABLE[2.0][1]


def test_a_case_that_is_off_or_not_a_number_fails() -> None:
    for error, holds in ((0.0, True), (1e-3, True), (1.1e-3, False), (float("nan"), False)):
        assert (
            ValidationCase(claim="c", oracle=1.0, measured=1.0, error=error, tolerance=1e-3, unit="-").passed is holds
        )  # fmt: skip


def test_the_oblique_angle_lies_on_the_right_side() -> None:
    """The one hit goes along the line of centres, the hitter to the other side of its old way."""
    _, after = measured.velocities_at_impact(measured.oblique_shot(0.5, measured.pair_settings(0.75, 0.0)))
    (ax, ay), (bx, by) = after["a"], after["b"]
    assert atan2(by, bx) == pytest.approx(0.5, abs=1e-6)
    assert ay < 0.0 < ax
