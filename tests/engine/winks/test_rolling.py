"""Rolling on one point of the edge: closed forms, and the energy that friction and rolling resistance take."""

from math import atan2, cos, pi, sin, sqrt

import numpy as np
import pytest

from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.bodies import energy, update_angular_velocity
from flicksim.engine.winks import PLAY_PARAMS, SMALL_WINK, WinkSimulation, WinkStates, simulate_winks
from flicksim.engine.winks.bodies import make_bodies
from flicksim.engine.winks.rolling import ENERGY_ERROR, roll

GRAVITY = 9.81
RADIUS, HALF, MASS = SMALL_WINK


def disc(tilt: float, velocity: tuple[float, ...], rotation: np.ndarray, half: float = HALF) -> np.ndarray:
    """Body row of a wink on the lowest point of its edge, its upper face leaning towards +x, turning so [rad/s]."""
    n = np.array([[sin(tilt), 0.0, cos(tilt)]])
    low = np.array([[0.0, 0.0, RADIUS * sin(tilt) + half * abs(cos(tilt))]])
    b = make_bodies(
        low, np.array([velocity]), n, np.zeros((1, 3)), np.array([RADIUS]), np.array([half]), np.array([MASS]),
        np.zeros(1),
    )  # fmt: skip
    across, along = RADIUS**2 / 4.0 + half**2 / 3.0, RADIUS**2 / 2.0
    b[0, B.LX : B.LZ + 1] = across * rotation + (along - across) * (rotation @ n[0]) * n[0]
    update_angular_velocity(b, 0)
    return b


def roll_for(b: np.ndarray, seconds: float, friction: float = 0.35, lever: float = 0.0) -> None:
    """Roll a wink for that time."""
    end = seconds
    while end > 0.65e-3:
        dt = roll(b, 0, friction, lever, GRAVITY, end)
        assert dt > 0.0, f"the wink no longer rolls {end} s before the end"
        end -= dt


@pytest.mark.parametrize("tilt", [0.2, 0.6, 1.0])
def test_a_thin_disc_whirls_about_its_resting_centre(tilt: float) -> None:
    """At sqrt(4 g / (R sin tilt)), when it turns about the diameter through its contact point (Euler's disc)."""
    rate = sqrt(4.0 * GRAVITY / (RADIUS * sin(tilt)))
    about = np.array([-cos(tilt), 0.0, sin(tilt)]) * rate * sin(tilt)
    b = disc(tilt, (0.0, 0.0, 0.0), about, half=1e-6)
    roll_for(b, 0.05)
    turned = atan2(b[0, B.NY], b[0, B.NX])
    assert (turned - rate * 0.05 + pi) % (2.0 * pi) - pi == pytest.approx(0.0, abs=0.04)
    assert b[0, B.NZ] == pytest.approx(cos(tilt), abs=2e-3)
    assert np.abs(b[0, B.CX : B.CY + 1]).max() < 1e-5


@pytest.mark.parametrize("speed", [0.2, 0.5])
def test_sliding_stops_the_slip_as_friction_and_inertia_say(speed: float) -> None:
    """A wink leaning across its way, sliding along it without turning, is braked by mu g at first."""
    b = disc(0.8, (0.0, speed, 0.0), np.zeros(3))
    first = b[0, B.VY]
    dt = roll(b, 0, 0.1, 0.0, GRAVITY, 1e-3)
    load = 1.0 / (1.0 + (RADIUS * cos(0.8) - HALF * sin(0.8)) ** 2 / (RADIUS**2 / 4.0 + HALF**2 / 3.0))
    assert dt > 0.0
    assert (first - b[0, B.VY]) / dt == pytest.approx(0.1 * GRAVITY * load, rel=0.03)


def test_rolling_loses_what_resistance_takes_and_never_gains() -> None:
    """The energy falls by lever times load times rotation, and not at all without."""
    rng = np.random.default_rng(1)
    steps = 0
    for _ in range(200):
        about = rng.normal(size=3) * 25.0
        b = disc(float(rng.uniform(0.2, 1.4)), (*rng.normal(size=2) * 0.2, 0.0), about)
        lever = float(rng.choice([0.0, 0.25e-3]))
        for _ in range(40):
            had, had_turn = energy(b, 0, GRAVITY), np.linalg.norm(b[0, B.WX : B.WZ + 1])
            dt = roll(b, 0, 0.35, lever, GRAVITY, 4e-3)
            if dt == 0.0:
                break
            steps += 1
            assert energy(b, 0, GRAVITY) <= had + 1e-12
            if lever > 0.0 and steps % 7 == 0:
                assert had - energy(b, 0, GRAVITY) > 0.02 * lever * GRAVITY * had_turn * dt - ENERGY_ERROR
    assert steps > 300


@pytest.mark.parametrize(
    ("tilt", "velocity", "spin"),
    [
        (0.01, (0.1, 0.0, 0.0), 0.0),  # flat
        (pi / 2 - 0.01, (0.0, 0.1, 0.0), 0.0),  # upright, on both rims
        (0.8, (0.0, 0.0, 0.05), 0.0),  # bounces
        (0.8, (0.0, 0.0, 0.0), 2000.0),  # whirls too fast for a step
    ],
)  # fmt: skip
def test_what_does_not_roll_is_left_alone(tilt: float, velocity: tuple[float, ...], spin: float) -> None:
    b = disc(tilt, velocity, np.array([0.0, 0.0, spin]))
    before = b.copy()
    assert roll(b, 0, 0.35, 0.25e-3, GRAVITY, 4e-3) == 0.0
    np.testing.assert_array_equal(b, before)


@pytest.mark.parametrize("tilt", [0.6, 1.0, 1.3])
def test_rolling_goes_where_contact_springs_take_it(tilt: float) -> None:
    """The same motion in the steps of the contact solver, which a pause every half millisecond forces."""
    n = np.array([[sin(tilt), 0.0, cos(tilt)]])
    winks = WinkStates.at_rest(np.array([[0.0, 0.0, RADIUS * sin(tilt) + HALF * cos(tilt)]]), [SMALL_WINK], n)
    b = disc(tilt, (0.0, 0.0, 0.0), np.array([-10.0, 0.0, 15.0]))
    moving = winks.with_motion(0, np.zeros(3), b[0, B.LX : B.LZ + 1])
    rolled = simulate_winks(moving, PLAY_PARAMS, t_max=0.04)
    springs = WinkSimulation(moving, PLAY_PARAMS)
    for step in range(80):
        springs.run_until(0.5e-3 * (step + 1))
    assert rolled.steps < 0.5 * springs.result().steps
    np.testing.assert_allclose(rolled.winks.c, springs.result().winks.c, atol=1e-4)
