"""Worth as pictures: a graph of what was gone through, one line or one a side."""

from __future__ import annotations

from itertools import pairwise
from math import pi

import pytest

from flicksim.core.units import deg2rad, format_azimuth
from flicksim.render import DisplayList, Polyline, WinChanceSeries, value_heatmap, win_chance_chart
from flicksim.render.colours import PALE, mix, seat_colour
from flicksim.render.display_list import Disc, Label


def label_positions(drawing: DisplayList) -> dict[str, tuple[float, float]]:
    return {mark.text: mark.position for mark in drawing.primitives if isinstance(mark, Label)}


def test_the_axis_goes_from_the_first_turn_gone_through() -> None:
    drawn = win_chance_chart("a game", [WinChanceSeries("Red", "red", (3, 4, 9), (0.5, 0.4, 1.0))], {4}, (1, 9))
    told = label_positions(drawn)
    assert {"1", "3", "5", "7", "9", "chance of Red to win"} <= set(told)
    assert "0" not in told
    dots = [mark for mark in drawn.primitives if isinstance(mark, Disc)]
    assert len(dots) == 1
    assert told["1"][0] < dots[0].centre[0] < told["5"][0]


def test_each_of_many_sides_has_a_line_and_a_name_of_its_own() -> None:
    sides = (("Ann", "red"), ("Bob", "green"), ("Cy", "blue"))
    courses = [WinChanceSeries(who, key, (k, k + 3), (0.3, 0.3)) for k, (who, key) in enumerate(sides, 1)]
    drawn = win_chance_chart("a game", courses, (), (1, 6))
    told = label_positions(drawn)
    assert "chance to win" in told
    heights = sorted(told[who][1] for who in ("Ann", "Bob", "Cy"))
    assert min(b - a for a, b in pairwise(heights)) > 15.0
    worn = [mix(seat_colour(key), PALE, 0.35) for _, key in sides]
    lines = [mark for mark in drawn.primitives if isinstance(mark, Polyline) and mark.width == 2.5]
    assert [line.colour for line in lines] == worn
    names = {mark.text: mark.colour for mark in drawn.primitives if isinstance(mark, Label)}
    assert [names[who] for who, _ in sides] == worn


def test_names_of_many_that_end_at_nothing_stay_beside_the_field() -> None:
    ends = {"Ann": 1.0, "Bob": 0.02, "Cy": 0.0, "Dot": 0.0, "Eve": 0.0, "Fay": 0.0}
    drawn = win_chance_chart(
        "a game", [WinChanceSeries(who, "red", (1, 2), (0.5, end)) for who, end in ends.items()], (), (1, 2)
    )
    told = label_positions(drawn)
    heights = [told[who][1] for who in ends]
    assert heights[0] == pytest.approx(told["100%"][1]), "the first is not in the way of the others"
    assert min(b - a for a, b in pairwise(heights)) > 15.0
    assert heights[-1] == pytest.approx(told["0%"][1])


def test_the_directions_under_a_map_are_told_in_one_way_across_half_a_turn() -> None:
    ways = [deg2rad(way) for way in (176.0, 178.0, 180.0, 182.0, 184.0)]
    forms = (format_azimuth, "{:.2f}".format)
    drawn = label_positions(
        value_heatmap("a map", ways, (1.0, 2.0), [[0.5] * 5] * 2, ("way", "speed"), (pi, 1.5), forms)
    )
    across = [text for text, (_, y) in sorted(drawn.items(), key=lambda one: one[1]) if text[-2:] == ".0"]
    assert across == ["176.0", "178.0", "180.0", "-178.0", "-176.0"]
