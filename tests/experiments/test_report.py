"""Reports: estimates with intervals, tables and plots."""

import re
from pathlib import Path

import numpy as np
import pytest

from flicksim.core.errors import InvalidFile, InvalidInput, MissingExtra
from flicksim.experiments import (
    Experiment,
    Measure,
    ParameterSpec,
    ReferenceValue,
    Run,
    Table,
    read_results,
    run_experiment,
)
from flicksim.experiments.report import write_report
from flicksim.experiments.report.plots import Plotter, level_name
from flicksim.experiments.report.summary import (
    capitalise,
    cell_estimates,
    estimate,
    factors,
    place_columns,
    word_counts,
)
from flicksim.experiments.result_columns import Column
from flicksim.match.series import wilson_interval
from tests.experiments import custom_measures
from tests.experiments.custom_measures import make_experiment


def make_report(question: Experiment, folder: Path) -> tuple[str, set[str]]:
    """The page, and the names of the pictures beside it."""
    list(Run(question, folder))
    written = write_report(folder, *read_results(folder))
    for path in written[1:]:
        assert path.read_bytes().startswith(b"\x89PNG")
    return written[0].read_text(), {path.name for path in written[1:]}


def test_a_page_has_tables_with_intervals_and_shows_every_picture(tmp_path: Path) -> None:
    mark = ReferenceValue(
        label="known <b>",
        measure="off_surface",
        parameters={"overshoot": 0.0, "hand": "club"},
        value=0.1,
        low=0.0,
        high=0.2,
    )
    question = make_experiment(title="1 < 2?", references=(mark,), description="why & how", settings={})
    page, pictures = make_report(question, tmp_path / "out")
    assert {"heat-off_surface.png", "curve-off_surface.png", "cloud-rest_position.png"} <= pictures
    assert pictures == set(re.findall(r'src="([^"]*)"', page))
    assert all(re.findall(r'alt="([^"]+)"', page))
    assert "1 &lt; 2?" in page
    assert "why &amp; how" in page
    table = run_experiment(question)
    mine = (table["hand"] == "club") & (table["overshoot"] == -0.02)
    rate = float(table["touched_white"][mine].mean())
    low, high = wilson_interval(rate, int(mine.sum()))
    assert f"<td>{int(mine.sum())}</td><td>{rate:.1%}</td><td>{low:.1%} to {high:.1%}</td>" in page


def test_a_report_needs_shots(tmp_path: Path) -> None:
    run = Run(make_experiment(), tmp_path / "out")
    run.release()
    with pytest.raises(InvalidFile, match="holds no shots yet; continue with"):
        write_report(run.folder, *read_results(run.folder))


def test_text_factors_are_not_binned_and_long_labels_truncated(tmp_path: Path) -> None:
    """However few the shots, however many the words."""
    list(Run(make_experiment(shots=3), tmp_path / "out"))
    assert len(write_report(tmp_path / "out", *read_results(tmp_path / "out"))) > 1
    hand = Column(name="hand", kind="text", role="grid", title="hand")
    shot = Column(name="shot", kind="number", role="index", title="shot")
    (many,) = factors(Table((shot, hand), [(k, f"h{k}") for k in range(100)]))
    assert len(many.levels) == 60
    assert many.levels[-1] == "others"
    assert list(many.at[[0, 58, 59, 99]]) == [0, 58, 59, 59]
    (long,) = factors(Table((shot, hand), [(0, "x" * 200_000)]))
    assert len(level_name(long, 0)) <= 100


def test_titles_begin_with_a_capital_but_for_ids_of_pieces() -> None:
    assert capitalise("potted") == "Potted"
    assert [capitalise(title) for title in ("a touched white", "red-3 potted")] == ["a touched white", "red-3 potted"]


def test_column_titles_are_short() -> None:
    with pytest.raises(InvalidInput, match=r"a column would have a name of 200 letters, 'xxx.* the most is 150"):
        run_experiment(make_experiment(hand=ParameterSpec(values=("club", "world"), name="x" * 200)), shots=20)


def test_two_numbers_make_a_heat_map_and_three_panels(tmp_path: Path) -> None:
    flick = {"piece": "a", "speed": ParameterSpec(values=(1.2, 1.4)), "azimuth": ParameterSpec(uniform=(1.5, 1.64))}
    question = make_experiment(
        flick=flick, measure=("off_surface", Measure.from_function(custom_measures.side)), settings={}
    )
    page, pictures = make_report(question, tmp_path / "out")
    assert pictures == {"heat-off_surface.png", "curve-off_surface.png"}
    assert re.search(r"<h3>side</h3>.*>left<.*>right<|<h3>side</h3>.*>right<.*>left<", page)
    assert "in 12 bins here" in page


def test_reports_without_parameters_or_with_custom_measures(tmp_path: Path) -> None:
    flick = {"piece": "a", "speed": 1.4, "azimuth": 1.57}
    question = make_experiment(
        flick=flick,
        settings={},
        hand="club",
        measure=(Measure.from_function(custom_measures.to_the_left), "rest_position", "off_surface a"),
    )
    page, pictures = make_report(question, tmp_path / "out")
    assert pictures == {"bars-to_the_left.png", "bars-off_surface_a.png", "cloud-rest_position.png"}
    assert "Nothing varies" in page


def test_a_report_names_failed_shots_and_an_unfinished_run(tmp_path: Path) -> None:
    places_of_white = {"white": {"y": ParameterSpec(values=(0.575, 0.05))}}
    run = Run(make_experiment(pieces=places_of_white, shots=60), tmp_path / "out", chunk=20)
    next(iter(run))
    found = read_results(tmp_path / "out")
    page = write_report(tmp_path / "out", *found)[0].read_text()
    failed = sum(why is not None for why in found[1]["error"])
    assert 0 < failed < 20
    assert "The experiment is not finished." in page
    assert "Failed shots" in page
    assert f"{failed} of 20" in page


def test_estimates_of_known_samples() -> None:
    share = Column(name="s", kind="boolean", role="measure", title="s")
    number = Column(name="n", kind="number", role="measure", title="n")
    found = estimate(share, np.array([1.0, 0.0, 1.0, 1.0, np.nan]))
    assert (found.count, found.value, found.low, found.high) == (4, 0.75, *wilson_interval(0.75, 4))
    found = estimate(number, np.array([1.0, 2.0, 3.0, 6.0]))
    assert (found.value, found.median, found.deviation) == (3.0, 2.5, pytest.approx(2.160247))
    assert found.high - found.value == pytest.approx(1.959964 * 2.160247 / 2.0)
    assert estimate(number, np.array([np.nan])).count == 0


def test_cell_estimates_equal_those_of_their_rows() -> None:
    columns = (
        Column(name="shot", kind="number", role="index", title="shot"),
        Column(name="hand", kind="text", role="grid", title="hand"),
        Column(name="x", kind="number", role="grid", title="x"),
        Column(name="noise", kind="number", role="noise", title="noise"),
        Column(name="hit", kind="boolean", role="measure", title="hit"),
        Column(name="who", kind="text", role="measure", title="who"),
    )
    rng = np.random.default_rng(2)
    rows = [
        (k, ("a", "b")[k % 2], float(k % 3), float(rng.normal()), int(rng.random() < 0.5), ("", "red")[k % 2])
        for k in range(60)
    ]
    table = Table(columns, rows)
    over = factors(table)
    assert [factor.column.name for factor in over] == ["hand", "x"]
    found = cell_estimates(over, columns[4], table, np.zeros(len(table), dtype=bool))
    for (h, x), one in found.items():
        mine = [row[4] for row in rows if row[1] == "ab"[h] and row[2] == x]
        assert (one.count, one.value) == (len(mine), pytest.approx(sum(mine) / len(mine)))
    assert word_counts(columns[5], table) == [("", 30), ("red", 30)]
    assert place_columns(table) == ()


def test_a_missing_matplotlib_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"drawing a report needs the extra 'lab'"):
        Plotter(tmp_path)
