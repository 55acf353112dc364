"""The measured truths of the plane, and the oracles themselves held against a quadrature and an ODE solver."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin

import numpy as np
import pytest
from scipy.integrate import dblquad, solve_ivp

from flicksim.bench import plane as measured
from flicksim.bench.plane import DISC_TABLE, RIM_TABLE, SPIN_TABLE, Truth, truths
from flicksim.physics.friction import Glide, elliptic, grip

ALL = list(truths())


@pytest.mark.parametrize("truth", ALL, ids=[truth.claim for truth in ALL])
def test_truth(truth: Truth) -> None:
    assert truth.holds, f"{truth.claim}: {truth.measured!r}, not {truth.oracle!r}; off by {truth.error:.3g}"


def test_the_places_after_a_mirrored_shot_are_mirrored_too() -> None:
    for name in ("draw", "late-end", "crowd"):
        scene, flick = measured.sample(name)
        one = measured.settle(scene, flick).after
        other = measured.settle(*measured.mirrored(scene, flick, 0.15)).after
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
    force, torque = grip(np.array([eps]), np.array([1.0]), ring)
    due_force, due_torque = _mean_over_ring(eps, ring)
    assert force[0] == pytest.approx(due_force, abs=2e-5)
    assert torque[0] == pytest.approx(due_torque, abs=2e-5)


def test_elliptic_integrals_are_scipys() -> None:
    from scipy.special import ellipe, ellipk

    k = np.array([0.0, 0.1, 0.5, 0.9, 0.999, 1 - 1e-9])
    big_k, big_e = elliptic(k)
    assert big_k == pytest.approx(ellipk(k * k), rel=1e-7)
    assert big_e == pytest.approx(ellipe(k * k), rel=1e-7)


def test_the_thin_rim_trades_force_for_torque() -> None:
    eps = np.array([0.1, 0.25, 0.5, 0.9])
    force, torque = grip(eps, np.ones(4), 1.0)
    back_force, back_torque = grip(1 / eps, np.ones(4), 1.0)
    assert force == pytest.approx(back_torque, abs=1e-9)
    assert torque == pytest.approx(back_force, abs=1e-9)


def test_the_limits_of_the_laws() -> None:
    for ring in (0.0, 0.5, 0.9, 1.0):
        force, torque = grip(np.array([1e-6, 1e6]), np.array([1.0, 1.0]), ring)
        assert force == pytest.approx([0.0, 1.0], abs=1e-5)
        assert torque[1] == pytest.approx(0.0, abs=1e-5)
    assert grip(np.array([0.0]), np.array([1.0]), 0.0)[1][0] == pytest.approx(2 / 3)
    assert grip(np.array([0.0]), np.array([1.0]), 1.0)[1][0] == pytest.approx(1.0)


@pytest.mark.parametrize("ring", [0.0, 0.9, 1.0])
@pytest.mark.parametrize("eps", [0.3, 1.0, 3.0])
def test_a_glide_follows_the_equations_of_motion_all_the_way(ring: float, eps: float) -> None:
    v0, radius, pull = 1.2, 0.01, 1.962
    glide = Glide(v0, -v0 / eps, radius, pull, ring)

    def slopes(_t: float, y: np.ndarray) -> list[float]:
        _, _, v, w = y
        force, torque = grip(np.array([max(v, 1e-12)]), np.array([max(w, 1e-12)]), ring)
        return [v, w, -pull * force[0], -2 * pull * torque[0]]

    until = 0.98 * glide.stop
    due = solve_ivp(
        slopes, (0, until), [0, 0, v0, v0 / eps], method="DOP853", rtol=1e-8, atol=1e-11, dense_output=True
    ).sol
    for t in np.linspace(0.0, until, 60):
        way, turn, v, w = glide.at(float(t))
        x, angle, due_v, due_w = due(t)
        assert way == pytest.approx(x, abs=2e-5 * glide.length + 1e-7)
        assert -turn * radius == pytest.approx(angle, abs=1e-4 * v0 * glide.stop)
        assert v == pytest.approx(due_v, abs=3e-3 * v0)
        assert -w == pytest.approx(due_w, abs=3e-3 * v0 / eps)
        assert glide.slid(float(t)) == (way, v)
        if way > 0.0:
            assert glide.time_at(way) == pytest.approx(t, abs=1e-8)
    assert glide.time_at(1.01 * glide.length) == float("inf")


def test_both_stop_together() -> None:
    for eps in (0.2, 1.0, 5.0):
        glide = Glide(1.0, 1.0 / eps, 0.01, 2.0, 0.0)
        assert glide.at(glide.stop)[2:] == (0.0, 0.0)
        _, _, v, w = glide.at(glide.stop * 0.999)
        assert v > 0.0
        assert w > 0.0


def test_the_tables_agree_with_one_another() -> None:
    """eps0 solves F = 2 eps T; the spin table's fixed point lies at the same place."""
    force, torque = DISC_TABLE[0.653]
    assert force == pytest.approx(2 * 0.653 * torque, abs=1e-4)
    assert SPIN_TABLE[0.653][0] == SPIN_TABLE[0.653][1] == pytest.approx(1 / force, rel=1e-5)
    assert RIM_TABLE[0.5][0] == RIM_TABLE[2.0][1]


def test_a_truth_that_is_off_or_not_a_number_does_not_hold() -> None:
    for error, holds in ((0.0, True), (1e-3, True), (1.1e-3, False), (float("nan"), False)):
        assert (
            Truth(claim="c", oracle=1.0, measured=1.0, error=error, tolerance=1e-3, unit="-").holds is holds
        )  # fmt: skip


def test_the_oblique_angle_lies_on_the_right_side() -> None:
    """The one hit goes along the line of centres, the hitter to the other side of its old way."""
    _, after = measured.at_impact(measured.meeting(0.5, measured.pair(0.75, 0.0)))
    (ax, ay), (bx, by) = after["a"], after["b"]
    assert atan2(by, bx) == pytest.approx(0.5, abs=1e-6)
    assert ay < 0.0 < ax
