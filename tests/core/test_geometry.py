"""Plane geometry against independent formulas."""

from math import cos, hypot, isclose, pi, sin
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from flicksim.core import geometry
from flicksim.core.units import deg2rad, format_azimuth, grams, mm, to_degrees, to_mm

coordinate = st.floats(-10.0, 10.0)
point = st.tuples(coordinate, coordinate)


@given(point, point)
def test_distance_is_euclidean(a: tuple[float, float], b: tuple[float, float]) -> None:
    assert geometry.distance(a, b) == pytest.approx(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5, abs=1e-9)


@pytest.mark.parametrize(
    ("p", "q", "found", "why"),
    [
        ((0.0, 0.0), (0.0, 2.0), pytest.approx(0.25), "a quarter of the way"),
        ((0.0, 2.0), (0.0, 0.0), pytest.approx(0.75), "from the other side"),
        ((0.0, 0.0), (0.0, 0.5), 1.0, "arriving on a line is crossing it"),
        ((0.0, 0.5), (0.0, 2.0), None, "leaving a line is not crossing it again"),
        ((0.0, 0.0), (0.0, 0.4), None, "stopping short is not crossing"),
        ((2.0, 0.0), (2.0, 1.0), None, "passing beside its end is not crossing"),
        ((0.0, 0.5), (0.7, 0.5), None, "running along it is not crossing"),
    ],
)
def test_segment_intersections(p: Any, q: Any, found: float | None, why: str) -> None:
    assert geometry.segment_intersection(p, q, (-1.0, 0.5), (1.0, 0.5)) == found, why


@given(point, point, st.floats(0.05, 0.95))
def test_the_intersection_is_on_both_segments(p: tuple[float, float], q: tuple[float, float], part: float) -> None:
    assume(geometry.distance(p, q) > 0.1)
    x, y = p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])
    nx, ny = -(q[1] - p[1]), q[0] - p[0]
    found = geometry.segment_intersection(p, q, (x - nx, y - ny), (x + nx, y + ny))
    assert isclose(found, part, abs_tol=1e-9)


@given(st.floats(0.0, 6.28), st.floats(-2.0, 2.0))
def test_side_is_the_signed_distance_left_of_the_line(turn: float, off: float) -> None:
    a, b = (1.0, 2.0), (1.0 + 3 * cos(turn), 2.0 + 3 * sin(turn))
    p = (1.0 + cos(turn) - off * sin(turn), 2.0 + sin(turn) + off * cos(turn))
    assert geometry.signed_line_distance(p, a, b) == pytest.approx(off, abs=1e-9)


def test_the_edge_of_a_polygon_counts_as_inside() -> None:
    board = geometry.rectangle(0.3, 0.8)
    assert geometry.is_inside_convex((0.0, 0.4), board)
    assert geometry.is_inside_convex((0.3, 0.8), board)
    assert not geometry.is_inside_convex((0.3 + 1e-12, 0.4), board)
    assert not geometry.is_inside_convex((0.15, -1e-12), board)


@given(st.floats(-0.2, 0.5), st.floats(-0.2, 1.0))
def test_clearance_is_the_distance_from_the_nearest_edge(x: float, y: float) -> None:
    due = min(x, 0.3 - x, y, 0.8 - y)
    assert geometry.clearance((x, y), geometry.rectangle(0.3, 0.8)) == pytest.approx(due, abs=1e-12)
    assert geometry.is_inside_convex((x, y), geometry.rectangle(0.3, 0.8)) == (
        geometry.clearance((x, y), geometry.rectangle(0.3, 0.8)) >= 0.0
    )


def test_rectangles_run_counter_clockwise_from_their_corner() -> None:
    corners = geometry.rectangle(2.0, 3.0, 1.0, -1.0)
    assert corners == ((1.0, -1.0), (3.0, -1.0), (3.0, 2.0), (1.0, 2.0))
    area = sum(corners[i - 1][0] * corners[i][1] - corners[i][0] * corners[i - 1][1] for i in range(4)) / 2
    assert area == pytest.approx(6.0)


@given(st.floats(-1e4, 1e4))
def test_unit_round_trips(value: float) -> None:
    assert to_mm(mm(value)) == pytest.approx(value, abs=1e-8)
    assert to_degrees(deg2rad(value)) == pytest.approx(value, abs=1e-8)
    assert grams(value) == pytest.approx(value / 1000.0, abs=1e-11)


def test_millimetres_are_rounded_and_azimuths_formatted_uniquely() -> None:
    assert mm(20.3) == 0.0203
    assert to_mm(0.0203) == 20.3
    assert hypot(mm(3), mm(4)) == pytest.approx(0.005)
    labels = {-190.1: "169.9", 183.1: "-176.9", 540.0: "180.0", -180.0: "180.0", -179.97: "180.0", -0.02: "0.0"}
    assert {way: format_azimuth(deg2rad(way)) for way in labels} == labels
    assert format_azimuth(deg2rad(-179.7), 0) == "180"


@given(st.floats(-50.0, 50.0))
def test_wrap_angle(angle: float) -> None:
    found = geometry.wrap_angle(angle)
    assert -pi < found <= pi
    assert found == angle or not -pi < angle <= pi, "what lies there already keeps its bits"
    assert (cos(found), sin(found)) == pytest.approx((cos(angle), sin(angle)), abs=1e-9)
