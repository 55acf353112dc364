"""Sample of the comparison with an independent 3D engine; `flicksim bench winks` runs all of it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from flicksim.engine.winks import REFERENCE_PARAMS, SMALL_WINK, WinkStates, restitution_from_damping, simulate_winks
from flicksim.validation import winks as truths
from tests.engine.winks.wink_shots import table


@pytest.mark.parametrize(("distance", "elevation"), [("0.3", "60"), ("0.914", "45"), ("0.914", "60")])
def test_pot_probability(distance, elevation):
    rows = [
        row
        for row in table("pot_table")
        if (row["distance_m"], row["elevation_deg"], row["tumble_rad_s"]) == (distance, elevation, "100.0")
    ]
    assert rows
    for truth in truths.pot_cases(rows, 250, np.random.default_rng(1))[: len(rows)]:
        assert truth.passed, truth


def test_median_carry():
    rows = [row for row in table("bounce_roll") if row["attitude"] == "random" and row["landing_angle_deg"] == "45"]
    for truth in truths.carry_cases(rows, 60, np.random.default_rng(2))[: len(rows)]:
        assert truth.passed, truth


def test_squop_probability():
    rows = [row for row in table("squop") if row["tumble_rad_s"] == "100.0" and row["distance_m"] in ("0.1", "0.2")]
    found = truths.squop_cases(rows, 40, np.random.default_rng(3))
    for truth in found[: 2 * len(rows) + 2]:
        assert truth.passed, truth
    moved = [abs(truth.difference) for truth in found[2 * len(rows) + 2 :]]
    assert len(moved) == 2 * len(rows)
    assert np.mean(moved) < 0.08, "half the step is another physics"


def test_winks_that_land_flat_turn_over():
    """Landing at 45 degrees and 2 m/s, half of them in the reference: three points bear them there too."""
    rows = [row for row in table("bounce_roll") if row["attitude"] == "flat" and row["speed_m_s"] == "2.0"]
    row = next(row for row in rows if (row["landing_angle_deg"], row["tumble_rad_s"]) == ("45", "0.0"))
    _, turned = truths.simulate_landings(row, 150, np.random.default_rng(4))
    assert turned == pytest.approx(float(row["frac_upside_down"]), abs=0.15)


def test_roll_out():
    """Between the ends that the sources leave for tournament felt; and what they leave is a closed form."""
    assert truths.slide_distance(1.0, 0.0, 0.35, 0.3, 9.81) == pytest.approx(1.0 / (2 * 0.35 * 9.81))
    assert truths.slide_distance(0.3, 1.0, 0.35, 0.3, 9.81) == 0.0, "so steep a landing stops it"
    (found,) = truths.roll_out_cases(40, np.random.default_rng(6))
    assert found.passed, found
    assert 0.1 < found.oracle - found.tolerance < found.oracle + found.tolerance < 1.0


def test_a_level_wink_that_lands_slides_as_the_closed_form_says():
    """With no tilt, no air and no rolling: hops and slide of the impulses that friction allows."""
    _, half, _ = SMALL_WINK
    params = replace(REFERENCE_PARAMS, felt=replace(REFERENCE_PARAMS.felt, friction=0.2))
    e = restitution_from_damping(params.felt.damping_ratio)
    wink = WinkStates.at_rest(np.array([[0.0, 0.0, half + 1e-3]]), [SMALL_WINK])
    end = simulate_winks(wink.with_motion(0, np.array([1.5, 0.0, -0.4]), np.zeros(3)), params)
    way = float(end.winks.c[0, 0]) - 1.5 * end.contacts[0].time
    assert way == pytest.approx(truths.slide_distance(1.5, math.sqrt(0.4**2 + 2 * 9.81e-3), 0.2, e, 9.81), rel=0.03)
