"""Result tables: previews and conversions."""

import sys
from typing import Any

import numpy as np
import pytest

from flicksim.core.errors import MissingExtra
from flicksim.core.results_table import ColumnInfo, ColumnNotFound, ResultsTable

TABLE = ResultsTable(
    [
        ColumnInfo(name="x", unit="m"),
        ColumnInfo(name="hit", kind="boolean"),
        ColumnInfo(name="who", kind="text", title="<b>"),
    ],
    [(0.25, 1, "a"), (0.5, None, None), (1.0, 0, "<i>")],
)


def test_text_and_html_previews() -> None:
    assert repr(TABLE) == "<table of 3 rows: x, hit, who>"
    assert str(TABLE).splitlines()[1].split() == ["0.25", "1", "a"]
    assert "&lt;i&gt;" in TABLE._repr_html_()
    assert "x [m]" in TABLE._repr_html_()
    long = ResultsTable([ColumnInfo(name="k")], [(k,) for k in range(1000)])
    assert str(long).splitlines()[7].strip() == "..."
    assert len(str(long).splitlines()) == 14


def test_conversion_to_pandas_polars_and_arrow() -> None:
    frame = TABLE.to_pandas()
    assert frame.attrs["units"] == {"x": "m"}
    assert frame["x"].tolist() == [0.25, 0.5, 1.0]
    polars = TABLE.to_polars()
    assert polars["hit"].to_list() == [1, None, 0]
    arrow = TABLE.to_arrow()
    assert arrow.column("who").to_pylist() == ["a", None, "<i>"]
    assert arrow.schema.field("x").metadata == {b"unit": b"m", b"title": b""}


def test_without_rows_it_keeps_its_columns() -> None:
    empty = ResultsTable([ColumnInfo(name="x"), ColumnInfo(name="who", kind="text")], [])
    assert len(empty) == 0
    for made in (empty.to_pandas(), empty.to_polars()):
        assert list(made.columns) == ["x", "who"]
    assert str(empty).split() == ["x", "who"]


@pytest.mark.parametrize("name", ["y", 3, None, ["x"]])
def test_an_unknown_column_is_named(name: Any) -> None:
    with pytest.raises(ColumnNotFound, match="there are x, hit, who"):
        TABLE[name]
    with pytest.raises(KeyError):
        TABLE["y"]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_missing_library_names_the_extra(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    how = {"pandas": TABLE.to_pandas, "polars": TABLE.to_polars, "pyarrow": TABLE.to_arrow}[library]
    with pytest.raises(MissingExtra, match="pip install 'flicksim"):
        how()
    assert np.isnan(TABLE["hit"][1])


@pytest.mark.parametrize("rows", [[(1.0,)], [(1.0, 2.0, 3.0)], [(1.0, 2.0), (1.0,)]])
def test_rows_are_as_wide_as_the_table(rows: list[tuple[float, ...]]) -> None:
    with pytest.raises(ValueError, match="zip"):
        ResultsTable([ColumnInfo(name="x"), ColumnInfo(name="y")], rows)
