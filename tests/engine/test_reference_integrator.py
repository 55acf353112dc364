"""Another world, written for these tests alone: small equal steps, Coulomb's law summed over points of the contact,
impulses from the textbook. It shares no code with the package and agrees on where things come to rest.
"""

from math import pi

import numpy as np
import pytest

from flicksim.engine import simulate
from flicksim.scene import FLOOR, Flick, Scene, penny

R, M, MU, G = 0.01015, 0.00356, 0.20, 9.81
RIM_MU, E = 0.12, 0.75
STEP = 5e-5


def integrate(places: list[tuple[float, float]], velocity: tuple[float, float], spin: float, ring: float) -> np.ndarray:
    """Rest places of equal coins, the first of them sent off. [N, 2]"""
    radii = np.sqrt(np.linspace(ring**2, 1.0, 7)[:-1] + (1 - ring**2) / 12) * R
    turns = (np.arange(48) + 0.5) * (2 * pi / 48)
    points = (radii[:, None, None] * np.stack([np.cos(turns), np.sin(turns)], -1)[None]).reshape(-1, 2)
    x, v, w = np.array(places), np.zeros((len(places), 2)), np.zeros(len(places))
    v[0], w[0] = velocity, spin
    while np.any(np.abs(v) > 0) or np.any(np.abs(w) > 0):
        for i in range(len(x)):
            if not v[i].any() and w[i] == 0.0:
                continue
            local = v[i] + w[i] * np.stack([-points[:, 1], points[:, 0]], -1)
            pull = -MU * G * local / np.linalg.norm(local, axis=1, keepdims=True)
            dv = pull.mean(axis=0) * STEP
            dw = (points[:, 0] * pull[:, 1] - points[:, 1] * pull[:, 0]).mean() / (R * R / 2) * STEP
            if np.hypot(*v[i]) <= MU * G * STEP and abs(w[i]) * R <= 2 * MU * G * STEP:
                v[i], w[i] = 0.0, 0.0
                continue
            x[i] += (v[i] + dv / 2) * STEP
            v[i] += dv
            w[i] += dw
        for i in range(len(x)):
            for j in range(i):
                apply_impact(x, v, w, i, j)
    return x


def apply_impact(x: np.ndarray, v: np.ndarray, w: np.ndarray, i: int, j: int) -> None:
    apart = x[j] - x[i]
    d = np.hypot(*apart)
    if d >= 2 * R:
        return
    n = apart / d
    t = np.array([-n[1], n[0]])
    closing = (v[i] - v[j]) @ n
    if closing <= 0.0:
        return
    push = (1 + E) * closing / 2
    slip = (v[i] - v[j]) @ t + R * (w[i] + w[j])
    rub = np.clip(slip / 6, -RIM_MU * push, RIM_MU * push)
    v[i] -= push * n + rub * t
    v[j] += push * n + rub * t
    w[i] -= rub / (R / 2)
    w[j] -= rub / (R / 2)


@pytest.mark.parametrize(
    ("places", "speed", "azimuth", "offset", "ring"),
    [
        pytest.param([(0.0, 0.0)], 0.6, 0.4, 0.3, 0.9, id="a spinning slide"),
        pytest.param([(0.0, 0.0)], 0.6, 0.4, 0.3, 0.0, id="a spinning slide of a flat disc"),
        pytest.param([(0.0, 0.0), (0.0, 0.12)], 0.9, pi / 2, 0.0, 0.9, id="a draw that just pushes the white"),
        pytest.param([(0.0, 0.0), (0.012, 0.1)], 1.0, pi / 2, 0.0, 0.9, id="a glancing hit"),
        pytest.param([(0.0, 0.0), (0.008, 0.08)], 1.0, pi / 2, 0.25, 0.9, id="a glancing hit with spin"),
        pytest.param([(0.0, 0.0), (0.004, 0.06), (0.02, 0.1)], 1.0, pi / 2, 0.0, 0.9, id="a promotion onto another"),
    ],
)
def test_small_steps_come_to_the_same_places(
    places: list[tuple[float, float]], speed: float, azimuth: float, offset: float, ring: float
) -> None:
    pieces = tuple(penny(f"p{i}", *at, ring=ring) for i, at in enumerate(places))
    flick = Flick(piece="p0", speed=speed, azimuth=azimuth, offset=offset)
    motion = simulate(Scene(surface=FLOOR, pieces=pieces), flick)
    velocity = (speed * np.cos(azimuth), speed * np.sin(azimuth))
    due = integrate(places, velocity, -2 * speed * offset / R, ring)
    got = np.array([motion.after.piece(p.id).position for p in pieces])
    assert np.abs(got - due).max() < 3e-4
