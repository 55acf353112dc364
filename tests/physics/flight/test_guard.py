"""No squidge brings energy, and nothing hangs where hands laid it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from flicksim.base.codec import from_plain
from flicksim.physics import Settings
from flicksim.physics.flight import PLAY, SMALL, Winks, fly
from flicksim.physics.flight.bodies import AWAKE, LX, LZ, STATE, VX, VZ, bodies
from flicksim.physics.flight.contacts import APPROACH, DEPTH, DX, FELT, FIRST, GAP, PX, PZ, SECOND, WIDTH
from flicksim.physics.flight.guard import LEEWAY, hold, remember, whole
from flicksim.physics.flight.solve import SLACK, prepare
from flicksim.physics.squidge import flown
from flicksim.table.flick import Squidge
from flicksim.table.scene import Scene


def test_a_squidge_into_a_pile_brings_no_energy() -> None:
    """It once brought .26 J/kg: a contact that had lost a part of its depth pushed too evenly as it parted."""
    kept = json.loads((Path(__file__).parent / "gaining.json").read_text(encoding="utf-8"))
    flight, _ = flown(from_plain(kept["scene"], Scene), from_plain(kept["squidge"], Squidge), Settings())
    assert flight.settled
    assert flight.energy_gain < 1.01 * LEEWAY


@pytest.mark.parametrize("against", [FELT, 1])
def test_who_gained_too_much_is_slowed_and_momentum_stays(against: int) -> None:
    """Two winks part too fast, as if pushed from nowhere; a wink that leaves the felt so is slowed as a whole."""
    winks = Winks.at_rest(np.array([[0.0, 0.0, 0.01], [0.016, 0.0, 0.01]]), [SMALL, SMALL])
    b = bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, np.zeros(2))
    b[:, STATE] = AWAKE
    b[:, VX] = 0.3, 0.3
    both = np.arange(2)
    remember(b, both)
    had = whole(b, 9.81)
    b[0, VX : VZ + 1] += -0.2, 0.05, 0.4
    b[0, LX : LZ + 1] += 1e-4, 2e-4, 0.0
    if against == 1:
        b[1, VX : VZ + 1] -= -0.2, 0.05, 0.4
    momentum, other = b[:, VX : VZ + 1].sum(axis=0), b[1].copy()
    k = np.zeros((1, WIDTH))
    k[0, FIRST], k[0, SECOND] = 0, against
    was, left = hold(b, both, k, 1, 9.81, had)
    assert was > 1.1 * had
    assert left == pytest.approx(had, rel=1e-12)
    if against == 1:
        assert b[:, VX : VZ + 1].sum(axis=0) == pytest.approx(momentum)
    else:
        assert (b[1, VX : VZ + 1] == other[VX : VZ + 1]).all()


@pytest.mark.parametrize(("had", "felt"), [(0.0, SLACK), (2e-5, 2e-5 + SLACK), (2e-4, 1e-4)])
@pytest.mark.parametrize("closing", [0.0, 0.5, -0.5])
def test_a_spring_feels_only_the_depth_that_an_approach_explains(had: float, felt: float, closing: float) -> None:
    """Of two winks a tenth of a millimetre in one another: what it felt before, their way of a step, and a hair."""
    dt, deep = 1e-5, 1e-4
    across = 2.0 * SMALL[0] - deep
    winks = Winks.at_rest(np.array([[0.0, 0.0, 0.01], [across, 0.0, 0.01]]), [SMALL, SMALL])
    b = bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, np.zeros(2))
    b[:, STATE], b[1, VX] = AWAKE, -closing
    k, last = np.zeros((1, WIDTH)), np.zeros((1, 9))
    k[0, FIRST], k[0, SECOND], k[0, GAP], k[0, DX] = 0, 1, -deep, -1.0
    k[0, PX : PZ + 1] = last[0, 2:5] = SMALL[0] - deep / 2.0, 0.0, 0.01
    last[0, :2], last[0, 5], last[0, 8] = (0, 1), -1.0, had
    prepare(b, np.arange(2), k, last, 1, 1, PLAY.materials(), dt)
    assert k[0, APPROACH] == pytest.approx(-closing)
    assert k[0, DEPTH] == pytest.approx(min(felt + max(0.0, closing) * dt, deep), rel=1e-12)
    assert last[0, 8] == k[0, DEPTH]


@pytest.mark.parametrize("laid", [(), ((1, 0),)])
def test_what_hands_laid_a_hair_above_a_wink_falls_when_that_goes(laid: tuple[tuple[int, int], ...]) -> None:
    """Farther above it than winks at rest touch, it hung in the air when the one below was shot away."""
    half = SMALL[1]
    winks = Winks.at_rest(np.array([[0.0, 0.0, half], [0.004, 0.0, 3.0 * half + 40e-6]]), [SMALL, SMALL])
    end = fly(winks.moved(0, np.array([-1.0, 0.0, 0.0]), np.zeros(3)), PLAY, laid=laid)
    assert end.settled
    assert (end.winks.c[1, 2] < 2.0 * half) == bool(laid)
