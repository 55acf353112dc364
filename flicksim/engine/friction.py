"""Dry friction of a flat piece that slides and spins at once.

At every point of the contact, friction opposes the local velocity, so sliding weakens the grip on spin and spinning
the grip on the slide; both stop together (Farkas, Bartels, Unger, Wolf, PRL 90, 248302, 2003). The path stays
straight. Contact is a ring from `ring * R` to R with even pressure: ring 0 is the uniform disc, 1 a thin rim
(Weidman & Malhotra, PRL 95, 264303, 2005, for the regimes).

Units of the laws: force in mu*N, torque in mu*N*R, eps = v / (R*omega).
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from math import atan2, inf, pi, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

INERTIA_FACTOR = 0.5
"""I / (m R^2) of a flat disc; coins keep it although they rest on their rim."""


def elliptic_integrals(k: Array) -> tuple[Array, Array]:
    """Complete elliptic integrals K, E of modulus k in [0, 1), by the arithmetic-geometric mean. [..] -> [..], [..]"""
    a, b, c = np.ones_like(k), np.sqrt(1.0 - k * k), k.copy()
    series, weight = 0.5 * c * c, 0.5
    for _ in range(8):
        a, b, c = 0.5 * (a + b), np.sqrt(a * b), 0.5 * (a - b)
        weight *= 2.0
        series = series + weight * c * c
    big_k = pi / (2.0 * a)
    return big_k, big_k * (1.0 - series)


def _disc_force_torque(v: Array, w: Array) -> tuple[Array, Array]:
    """Force and torque of a uniform disc of unit radius at slide v and rim speed w, both >= 0, not both 0."""
    slow = v <= w
    k = np.minimum(np.where(slow, v, w) / np.where(slow, w, v), 1.0 - 1e-12)
    big_k, big_e = elliptic_integrals(k)
    e = np.where(slow, k, 1.0 / np.maximum(k, 1e-9))
    with np.errstate(divide="ignore", invalid="ignore"):
        force_slow = 4.0 / (3.0 * pi * e) * ((e * e + 1.0) * big_e + (e * e - 1.0) * big_k)
        force_fast = 4.0 / (3.0 * pi) * ((e * e + 1.0) * big_e - (e * e - 1.0) * big_k)
        torque_slow = 4.0 / (9.0 * pi) * ((4.0 - 2.0 * e * e) * big_e + (e * e - 1.0) * big_k)
        torque_fast = 4.0 * e / (9.0 * pi) * ((4.0 - 2.0 * e * e) * big_e + (2.0 * e * e - 5.0 + 3.0 / (e * e)) * big_k)
        # the closed forms cancel badly at both ends; their own limits are good to 1e-8 there
        small, large = e < 3e-4, e > 300.0
        force = np.where(slow, np.where(small, e, force_slow), np.where(large, 1.0 - 1.0 / (8.0 * e * e), force_fast))
        torque = np.where(slow, np.where(small, 2.0 / 3.0, torque_slow), np.where(large, 1.0 / (4.0 * e), torque_fast))
    return force, torque


def _rim_force_torque(v: Array, w: Array) -> tuple[Array, Array]:
    """Force and torque of a thin rim: mean of the local direction over it; torque follows by F(eps) = T(1/eps)."""
    phi = (np.arange(0, 4096) + 0.5) * (pi / 4096)  # the half circle stands for the whole by symmetry
    c, s = np.cos(phi), np.sin(phi)
    along, across = v[..., None] + w[..., None] * c, w[..., None] * s
    length = np.sqrt(along * along + across * across)
    return np.mean(along / length, axis=-1), np.mean((w[..., None] + v[..., None] * c) / length, axis=-1)


def friction_force_torque(v: Array, w: Array, ring: float) -> tuple[Array, Array]:
    """Force and torque at slide speed v and rim speed w = R*omega (any common unit, >= 0, not both 0).

    Args:
        ring: inner over outer radius of the contact [-].

    Returns:
        force in mu*N against the slide, torque in mu*N*R against the spin. [..], [..]
    """
    if ring > 0.995:
        return _rim_force_torque(v, w)
    force, torque = _disc_force_torque(v, w)
    if ring == 0.0:
        return force, torque
    inner_force, inner_torque = _disc_force_torque(v, ring * w)
    area = 1.0 - ring * ring
    return (force - ring**2 * inner_force) / area, (torque - ring**3 * inner_torque) / area


class StoppingTable(NamedTuple):
    """Motion to rest from unit starts (v, w) = (sin, cos) of each shape, in units with mu*g = 1.

    Rows are evenly spaced in shape = atan2(v, w) from 0 to pi/2; columns are common fractions of each row's own time
    to rest. [S, F] each, `time` [S].
    """

    fractions: Array
    time: Array
    distance: Array
    angle: Array
    speed: Array
    rim_speed: Array


_SHAPE_COUNT = 257
_FRACTION_COUNT = 65


@lru_cache(maxsize=32)
def stopping_table(ring: float) -> StoppingTable:
    """Stopping table of one kind of contact, integrated once and cached.

    Scale invariance makes one table serve every speed: with rho = hypot(v, w) and d sigma = d tau / rho the shape
    obeys an equation of its own and rho falls exponentially, so the singular stop lies at infinity.
    """
    shape = np.linspace(0.0, pi / 2, _SHAPE_COUNT)
    fine = np.linspace(0.0, pi / 2, 4097)
    blocks = [friction_force_torque(np.sin(part), np.cos(part), ring) for part in np.array_split(fine, 64)]
    fine_force, fine_torque = map(np.concatenate, zip(*blocks, strict=True))  # a rim has 4096 places for each of them
    fine_torque[-1] = 0.0

    def slopes(phi: Array) -> tuple[Array, Array]:
        force, torque = np.interp(phi, fine, fine_force), np.interp(phi, fine, fine_torque) / INERTIA_FACTOR
        s, c = np.sin(phi), np.cos(phi)
        return torque * s - force * c, -(force * s + torque * c)

    step, count = 0.02, 800
    phis, logs = np.empty((count + 1, _SHAPE_COUNT)), np.empty((count + 1, _SHAPE_COUNT))
    phi, log_rho = shape.copy(), np.zeros(_SHAPE_COUNT)
    phis[0], logs[0] = phi, log_rho
    for i in range(count):
        a1, b1 = slopes(phi)
        a2, b2 = slopes(phi + 0.5 * step * a1)
        a3, b3 = slopes(phi + 0.5 * step * a2)
        a4, b4 = slopes(phi + step * a3)
        phi = np.clip(phi + step / 6.0 * (a1 + 2 * a2 + 2 * a3 + a4), 0.0, pi / 2)
        log_rho = log_rho + step / 6.0 * (b1 + 2 * b2 + 2 * b3 + b4)
        phis[i + 1], logs[i + 1] = phi, log_rho
    rho = np.exp(logs)
    v, w = rho * np.sin(phis), rho * np.cos(phis)
    # d tau = rho d sigma: Simpson over pairs of steps keeps the order of the integration
    time, distance, angle = (_cumulative_simpson(f, step) for f in (rho, rho * v, rho * w))
    even = slice(0, None, 2)
    fractions = (
        1.0 - (1.0 - np.linspace(0.0, 1.0, _FRACTION_COUNT)) ** 3
    )  # denser towards the stop, where the shape still changes
    total = time[-1]
    table = np.empty((4, _SHAPE_COUNT, _FRACTION_COUNT))
    for row in range(_SHAPE_COUNT):
        at, elapsed = fractions * total[row], time[:, row]
        i = np.clip(np.searchsorted(elapsed, at) - 1, 0, len(elapsed) - 2)
        h = elapsed[i + 1] - elapsed[i]
        u = np.clip((at - elapsed[i]) / h, 0.0, 1.0)
        for k, (value, rate) in enumerate(((distance[:, row], v[even, row]), (angle[:, row], w[even, row]))):
            table[k, row] = _cubic_hermite(value[i], value[i + 1], rate[i] * h, rate[i + 1] * h, u)
            table[k + 2, row] = rate[i] + (rate[i + 1] - rate[i]) * u
        table[2:, row, -1] = 0.0
    return StoppingTable(fractions, total, *table)


def _cumulative_simpson(f: Array, step: float) -> Array:
    """Running integral at every second sample. [M, S] -> [(M + 1) / 2, S]"""
    pairs = step / 3.0 * (f[0:-2:2] + 4.0 * f[1:-1:2] + f[2::2])
    return np.vstack((np.zeros((1, f.shape[1])), np.cumsum(pairs, axis=0)))


class SlidingDisc:
    """One disc sliding and spinning to rest along a straight line, undisturbed.

    Args:
        v: speed [m/s].
        w: signed rim speed R*omega [m/s].
        radius: [m].
        deceleration: mu*g [m/s^2].
        ring: see `friction_force_torque`.
    """

    __slots__ = (
        "_node_times",
        "_node_values",
        "deceleration",
        "radius",
        "rim_speed",
        "speed",
        "spin_sign",
        "stop_distance",
        "stop_time",
    )

    def __init__(self, v: float, w: float, radius: float, deceleration: float, ring: float) -> None:
        self.speed, self.rim_speed, self.radius, self.deceleration = v, abs(w), radius, deceleration
        self.spin_sign = -1.0 if w < 0.0 else 1.0
        self._node_times: list[float] | None = None
        self._node_values: list[list[float]] = []
        if deceleration <= 0.0:
            self.stop_time = self.stop_distance = inf if v > 0.0 or w != 0.0 else 0.0
            return
        if self.rim_speed <= 1e-9 * v:
            self.rim_speed = 0.0
            self.stop_time, self.stop_distance = v / deceleration, v * v / (2.0 * deceleration)
            return
        table = stopping_table(ring)
        place = atan2(v, self.rim_speed) * ((_SHAPE_COUNT - 1) / (pi / 2))
        row = min(int(place), _SHAPE_COUNT - 2)
        part = place - row
        rho = sqrt(v * v + self.rim_speed * self.rim_speed)
        self.stop_time = float(table.time[row] * (1.0 - part) + table.time[row + 1] * part) * rho / deceleration
        scale = (rho * rho / deceleration, rho * rho / deceleration / radius, rho, rho)
        self._node_values = [
            ((f[row] * (1.0 - part) + f[row + 1] * part) * k).tolist()
            for f, k in zip((table.distance, table.angle, table.speed, table.rim_speed), scale, strict=True)
        ]
        self._node_times = (table.fractions * self.stop_time).tolist()
        self._node_values[2][0], self._node_values[3][0] = v, self.rim_speed
        self.stop_distance = self._node_values[0][-1]

    def state_at(self, t: float) -> tuple[float, float, float, float]:
        """Distance [m], rotation [rad, signed], speed [m/s] and rim speed [m/s, signed] after t seconds."""
        if self.deceleration <= 0.0:
            rim_speed = self.spin_sign * self.rim_speed
            return self.speed * t, rim_speed / self.radius * t, self.speed, rim_speed
        if t >= self.stop_time:
            final_angle = self._node_values[1][-1] if self._node_times else 0.0
            return self.stop_distance, self.spin_sign * final_angle, 0.0, 0.0
        nodes = self._node_times
        if nodes is None:
            return self.speed * t - 0.5 * self.deceleration * t * t, 0.0, self.speed - self.deceleration * t, 0.0
        i = bisect_right(nodes, t) - 1
        h = nodes[i + 1] - nodes[i]
        u = (t - nodes[i]) / h
        distances, angles, vs, ws = self._node_values
        distance = _cubic_hermite(distances[i], distances[i + 1], vs[i] * h, vs[i + 1] * h, u)
        angle = _cubic_hermite(angles[i], angles[i + 1], ws[i] * h / self.radius, ws[i + 1] * h / self.radius, u)
        speed, rim_speed = vs[i] + (vs[i + 1] - vs[i]) * u, ws[i] + (ws[i + 1] - ws[i]) * u
        return distance, self.spin_sign * angle, speed, self.spin_sign * rim_speed

    def distance_and_speed(self, t: float) -> tuple[float, float]:
        """Distance [m] and speed [m/s] after t seconds: the fast path of the collision search."""
        if self.deceleration <= 0.0:
            return self.speed * t, self.speed
        if t >= self.stop_time:
            return self.stop_distance, 0.0
        nodes = self._node_times
        if nodes is None:
            return self.speed * t - 0.5 * self.deceleration * t * t, self.speed - self.deceleration * t
        i = bisect_right(nodes, t) - 1
        h = nodes[i + 1] - nodes[i]
        u = (t - nodes[i]) / h
        distances, _, vs, _ = self._node_values
        distance = _cubic_hermite(distances[i], distances[i + 1], vs[i] * h, vs[i + 1] * h, u)
        return distance, vs[i] + (vs[i + 1] - vs[i]) * u

    def time_at_distance(self, distance: float) -> float:
        """Time at which it has slid that far [s]; inf if it never does."""
        if distance <= 0.0:
            return 0.0
        if distance > self.stop_distance:
            return inf
        if self.deceleration <= 0.0:
            return distance / self.speed
        nodes = self._node_times
        if nodes is None:
            return (
                self.speed - float(sqrt(max(0.0, self.speed * self.speed - 2.0 * self.deceleration * distance)))
            ) / self.deceleration
        distances = self._node_values[0]
        i = min(max(bisect_right(distances, distance) - 1, 0), len(distances) - 2)
        low, high = nodes[i], nodes[i + 1]
        t = low + (high - low) * (distance - distances[i]) / max(distances[i + 1] - distances[i], 1e-300)
        for _ in range(60):  # Newton, halved back into the bracket where it would leave it
            reached, speed = self.distance_and_speed(t)
            if reached < distance:
                low = t
            else:
                high = t
            next_t = t + (distance - reached) / speed if speed > 0.0 else high
            next_t = next_t if low < next_t < high else 0.5 * (low + high)
            if abs(next_t - t) < 1e-12:
                break
            t = next_t
        return t


def _cubic_hermite(p0: Any, p1: Any, m0: Any, m1: Any, u: Any) -> Any:
    """Cubic Hermite interpolation between p0 and p1 with slopes m0 and m1, on numbers or arrays."""
    s = 1.0 - u
    return p0 * (1.0 + 2.0 * u) * s * s + m0 * u * s * s + p1 * u * u * (3.0 - 2.0 * u) - m1 * u * u * s
