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

INERTIA = 0.5
"""I / (m R^2) of a flat disc; coins keep it although they rest on their rim."""


def elliptic(k: Array) -> tuple[Array, Array]:
    """Complete elliptic integrals K, E of modulus k in [0, 1), by the arithmetic-geometric mean. [..] -> [..], [..]"""
    a, b, c = np.ones_like(k), np.sqrt(1.0 - k * k), k.copy()
    series, weight = 0.5 * c * c, 0.5
    for _ in range(8):
        a, b, c = 0.5 * (a + b), np.sqrt(a * b), 0.5 * (a - b)
        weight *= 2.0
        series = series + weight * c * c
    big_k = pi / (2.0 * a)
    return big_k, big_k * (1.0 - series)


def _disc(v: Array, w: Array) -> tuple[Array, Array]:
    """Force and torque of a uniform disc of unit radius at slide v and rim speed w, both >= 0, not both 0."""
    slow = v <= w
    k = np.minimum(np.where(slow, v, w) / np.where(slow, w, v), 1.0 - 1e-12)
    big_k, big_e = elliptic(k)
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


def _rim(v: Array, w: Array) -> tuple[Array, Array]:
    """The same for a thin rim. Mean of the local direction over the rim; torque follows by F(eps) = T(1/eps)."""
    phi = (np.arange(0, 4096) + 0.5) * (pi / 4096)  # the half circle stands for the whole by symmetry
    c, s = np.cos(phi), np.sin(phi)
    along, across = v[..., None] + w[..., None] * c, w[..., None] * s
    length = np.sqrt(along * along + across * across)
    return np.mean(along / length, axis=-1), np.mean((w[..., None] + v[..., None] * c) / length, axis=-1)


def grip(v: Array, w: Array, ring: float) -> tuple[Array, Array]:
    """Force and torque at slide speed v and rim speed w = R*omega (any common unit, >= 0, not both 0).

    Args:
        ring: inner over outer radius of the contact [-].

    Returns:
        force in mu*N against the slide, torque in mu*N*R against the spin. [..], [..]
    """
    if ring > 0.995:
        return _rim(v, w)
    force, torque = _disc(v, w)
    if ring == 0.0:
        return force, torque
    inner_force, inner_torque = _disc(v, ring * w)
    area = 1.0 - ring * ring
    return (force - ring**2 * inner_force) / area, (torque - ring**3 * inner_torque) / area


class Stops(NamedTuple):
    """The run-down to rest of a unit start (v, w) = (sin, cos) of each shape, in units with mu*g = 1.

    Rows are evenly spaced in shape = atan2(v, w) from 0 to pi/2; columns are common fractions of each row's own time
    to rest. [S, F] each, `time` [S].
    """

    fractions: Array
    time: Array
    way: Array
    turn: Array
    v: Array
    w: Array


_SHAPES = 257
_FRACTIONS = 65


@lru_cache(maxsize=32)
def stops(ring: float) -> Stops:
    """The run-down table of one kind of contact, integrated once and kept.

    Scale invariance makes one table serve every speed: with rho = hypot(v, w) and d sigma = d tau / rho the shape
    obeys an equation of its own and rho falls exponentially, so the singular stop lies at infinity.
    """
    shape = np.linspace(0.0, pi / 2, _SHAPES)
    fine = np.linspace(0.0, pi / 2, 4097)
    fine_force, fine_torque = grip(np.sin(fine), np.cos(fine), ring)
    fine_torque[-1] = 0.0

    def slopes(phi: Array) -> tuple[Array, Array]:
        force, torque = np.interp(phi, fine, fine_force), np.interp(phi, fine, fine_torque) / INERTIA
        s, c = np.sin(phi), np.cos(phi)
        return torque * s - force * c, -(force * s + torque * c)

    step, count = 0.02, 800
    phis, logs = np.empty((count + 1, _SHAPES)), np.empty((count + 1, _SHAPES))
    phi, log_rho = shape.copy(), np.zeros(_SHAPES)
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
    time, way, turn = (_simpson(f, step) for f in (rho, rho * v, rho * w))
    kept = slice(0, None, 2)
    fractions = (
        1.0 - (1.0 - np.linspace(0.0, 1.0, _FRACTIONS)) ** 3
    )  # denser towards the stop, where the shape still changes
    total = time[-1]
    table = np.empty((4, _SHAPES, _FRACTIONS))
    for row in range(_SHAPES):
        at, past = fractions * total[row], time[:, row]
        i = np.clip(np.searchsorted(past, at) - 1, 0, len(past) - 2)
        h = past[i + 1] - past[i]
        u = np.clip((at - past[i]) / h, 0.0, 1.0)
        for k, (where, rate) in enumerate(((way[:, row], v[kept, row]), (turn[:, row], w[kept, row]))):
            table[k, row] = _cubic(where[i], where[i + 1], rate[i] * h, rate[i + 1] * h, u)
            table[k + 2, row] = rate[i] + (rate[i + 1] - rate[i]) * u
        table[2:, row, -1] = 0.0
    return Stops(fractions, total, *table)


def _simpson(f: Array, step: float) -> Array:
    """Running integral at every second sample. [M, S] -> [(M + 1) / 2, S]"""
    pairs = step / 3.0 * (f[0:-2:2] + 4.0 * f[1:-1:2] + f[2::2])
    return np.vstack((np.zeros((1, f.shape[1])), np.cumsum(pairs, axis=0)))


class Glide:
    """One piece running down to rest along a straight line, undisturbed.

    Args:
        v: speed [m/s], w: signed rim speed R*omega [m/s].
        radius: [m]. pull: mu*g [m/s^2]. ring: see `grip`.
    """

    __slots__ = ("_columns", "_knots", "length", "pull", "radius", "sense", "stop", "v", "w")

    def __init__(self, v: float, w: float, radius: float, pull: float, ring: float) -> None:
        self.v, self.w, self.radius, self.pull = v, abs(w), radius, pull
        self.sense = -1.0 if w < 0.0 else 1.0
        self._knots: list[float] | None = None
        self._columns: list[list[float]] = []
        if pull <= 0.0:
            self.stop = self.length = inf if v > 0.0 or w != 0.0 else 0.0
            return
        if self.w <= 1e-9 * v:
            self.w = 0.0
            self.stop, self.length = v / pull, v * v / (2.0 * pull)
            return
        table = stops(ring)
        place = atan2(v, self.w) * ((_SHAPES - 1) / (pi / 2))
        row = min(int(place), _SHAPES - 2)
        part = place - row
        rho = sqrt(v * v + self.w * self.w)
        self.stop = float(table.time[row] * (1.0 - part) + table.time[row + 1] * part) * rho / pull
        scale = (rho * rho / pull, rho * rho / pull / radius, rho, rho)
        self._columns = [
            ((f[row] * (1.0 - part) + f[row + 1] * part) * k).tolist()
            for f, k in zip((table.way, table.turn, table.v, table.w), scale, strict=True)
        ]
        self._knots = (table.fractions * self.stop).tolist()
        self._columns[2][0], self._columns[3][0] = v, self.w
        self.length = self._columns[0][-1]

    def at(self, t: float) -> tuple[float, float, float, float]:
        """Way [m], angle turned [rad, signed], speed [m/s] and rim speed [m/s, signed] after t seconds."""
        if self.pull <= 0.0:
            return self.v * t, self.sense * self.w / self.radius * t, self.v, self.sense * self.w
        if t >= self.stop:
            turned = self._columns[1][-1] if self._knots else 0.0
            return self.length, self.sense * turned, 0.0, 0.0
        knots = self._knots
        if knots is None:
            return self.v * t - 0.5 * self.pull * t * t, 0.0, self.v - self.pull * t, 0.0
        i = bisect_right(knots, t) - 1
        h = knots[i + 1] - knots[i]
        u = (t - knots[i]) / h
        ways, turns, vs, ws = self._columns
        way = _cubic(ways[i], ways[i + 1], vs[i] * h, vs[i + 1] * h, u)
        turn = _cubic(turns[i], turns[i + 1], ws[i] * h / self.radius, ws[i + 1] * h / self.radius, u)
        return way, self.sense * turn, vs[i] + (vs[i + 1] - vs[i]) * u, self.sense * (ws[i] + (ws[i + 1] - ws[i]) * u)

    def slid(self, t: float) -> tuple[float, float]:
        """Way [m] and speed [m/s] alone: what the search for meetings asks by the thousand."""
        if self.pull <= 0.0:
            return self.v * t, self.v
        if t >= self.stop:
            return self.length, 0.0
        knots = self._knots
        if knots is None:
            return self.v * t - 0.5 * self.pull * t * t, self.v - self.pull * t
        i = bisect_right(knots, t) - 1
        h = knots[i + 1] - knots[i]
        u = (t - knots[i]) / h
        ways, _, vs, _ = self._columns
        return _cubic(ways[i], ways[i + 1], vs[i] * h, vs[i + 1] * h, u), vs[i] + (vs[i + 1] - vs[i]) * u

    def time_at(self, way: float) -> float:
        """Time at which it has come that far [s]; inf if it never does."""
        if way <= 0.0:
            return 0.0
        if way > self.length:
            return inf
        if self.pull <= 0.0:
            return way / self.v
        knots = self._knots
        if knots is None:
            return (self.v - float(sqrt(max(0.0, self.v * self.v - 2.0 * self.pull * way)))) / self.pull
        ways = self._columns[0]
        i = min(max(bisect_right(ways, way) - 1, 0), len(ways) - 2)
        low, high = knots[i], knots[i + 1]
        t = low + (high - low) * (way - ways[i]) / max(ways[i + 1] - ways[i], 1e-300)
        for _ in range(60):  # Newton, halved back into the bracket where it would leave it
            gone, speed = self.slid(t)
            if gone < way:
                low = t
            else:
                high = t
            ahead = t + (way - gone) / speed if speed > 0.0 else high
            ahead = ahead if low < ahead < high else 0.5 * (low + high)
            if abs(ahead - t) < 1e-12:
                break
            t = ahead
        return t


def _cubic(p0: Any, p1: Any, m0: Any, m1: Any, u: Any) -> Any:
    """The cubic with these ends and slopes, on numbers or arrays."""
    s = 1.0 - u
    return p0 * (1.0 + 2.0 * u) * s * s + m0 * u * s * s + p1 * u * u * (3.0 - 2.0 * u) - m1 * u * u * s
