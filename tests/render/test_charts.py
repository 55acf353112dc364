"""Charts of win probability: lines by side, heat maps."""

from itertools import pairwise
from math import pi

import pytest

from flicksim.core.units import deg2rad, format_azimuth
from flicksim.render import Disc, DisplayList, Label, Polyline, WinChanceSeries, value_heatmap, win_chance_chart
from flicksim.render.colours import PALE, mix, seat_colour


def label_positions(drawing: DisplayList) -> dict[str, tuple[float, float]]:
    return {mark.text: mark.position for mark in drawing.primitives if isinstance(mark, Label)}


def test_the_axis_begins_at_the_first_reviewed_turn() -> None:
    drawn = win_chance_chart("a game", [WinChanceSeries("Red", "red", (3, 4, 9), (0.5, 0.4, 1.0))], {4}, (1, 9))
    labels = label_positions(drawn)
    assert {"1", "3", "5", "7", "9", "chance of Red to win"} <= set(labels)
    assert "0" not in labels
    dots = [mark for mark in drawn.primitives if isinstance(mark, Disc)]
    assert len(dots) == 1
    assert labels["1"][0] < dots[0].centre[0] < labels["5"][0]


def test_every_side_has_a_labelled_line() -> None:
    sides = (("Ann", "red"), ("Bob", "green"), ("Cy", "blue"))
    courses = [WinChanceSeries(who, key, (k, k + 3), (0.3, 0.3)) for k, (who, key) in enumerate(sides, 1)]
    drawn = win_chance_chart("a game", courses, (), (1, 6))
    labels = label_positions(drawn)
    assert "chance to win" in labels
    heights = sorted(labels[who][1] for who in ("Ann", "Bob", "Cy"))
    assert min(b - a for a, b in pairwise(heights)) > 15.0
    worn = [mix(seat_colour(key), PALE, 0.35) for _, key in sides]
    lines = [mark for mark in drawn.primitives if isinstance(mark, Polyline) and mark.width == 2.5]
    assert [line.colour for line in lines] == worn
    names = {mark.text: mark.colour for mark in drawn.primitives if isinstance(mark, Label)}
    assert [names[who] for who, _ in sides] == worn


def test_labels_stay_within_the_chart() -> None:
    ends = {"Ann": 1.0, "Bob": 0.02, "Cy": 0.0, "Dot": 0.0, "Eve": 0.0, "Fay": 0.0}
    drawn = win_chance_chart(
        "a game", [WinChanceSeries(who, "red", (1, 2), (0.5, end)) for who, end in ends.items()], (), (1, 2)
    )
    labels = label_positions(drawn)
    heights = [labels[who][1] for who in ends]
    assert heights[0] == pytest.approx(labels["100%"][1]), "the first is not in the way of the others"
    assert min(b - a for a, b in pairwise(heights)) > 15.0
    assert heights[-1] == pytest.approx(labels["0%"][1])


def test_azimuth_labels_across_180_degrees() -> None:
    ways = [deg2rad(way) for way in (176.0, 178.0, 180.0, 182.0, 184.0)]
    forms = (format_azimuth, "{:.2f}".format)
    drawn = label_positions(
        value_heatmap("a map", ways, (1.0, 2.0), [[0.5] * 5] * 2, ("way", "speed"), (pi, 1.5), forms)
    )
    across = [text for text, (_, y) in sorted(drawn.items(), key=lambda one: one[1]) if text[-2:] == ".0"]
    assert across == ["176.0", "178.0", "180.0", "-178.0", "-176.0"]
