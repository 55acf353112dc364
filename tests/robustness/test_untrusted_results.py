"""Altered, truncated or malicious results are read correctly or refused, and never run."""

import json
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim.core.errors import InvalidFile, InvalidInput
from flicksim.experiments import Measure, Run, Table, read_experiment, read_results, run_experiment, write_report
from flicksim.experiments.report.html_page import render_page
from flicksim.experiments.result_columns import Column
from flicksim.experiments.results_store import MASTER_JOURNAL_MAGIC, open_store, verified_rows
from tests.cli_runner import assert_error, run
from tests.experiments.custom_measures import make_experiment

STORES = ("sqlite", "parquet")


Results = Callable[..., Path]


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("originals")


@pytest.fixture
def results(originals: Path, tmp_path: Path) -> Results:
    """Makes a folder of results in a store, with all shots or stopped half-way."""

    def copy(store: str, *, whole: bool = True) -> Path:
        original = originals / f"{store}-{whole}"
        if not original.exists():
            for done in Run(make_experiment(shots=60), original, store=store, chunk=20):
                if done == 40 and not whole:
                    break
        return Path(shutil.copytree(original, tmp_path / "deep" / "er" / "out"))

    return copy


def assert_refused(folder: Path, message: str, shots: int = 60) -> None:
    """Results are neither read nor gone on with, and the error says what to do."""
    experiment = make_experiment(shots=shots)
    for opened in (lambda: read_results(folder), lambda: Run(experiment, folder, shots=shots, resume=True)):
        with pytest.raises(InvalidFile, match=message) as wrong:
            opened()
        assert str(wrong.value).endswith("; run the experiment anew in another folder")


def execute(folder: Path, statement: str, values: Sequence[Any] = ()) -> list[Any]:
    """Rows of a statement on the base of a folder of results, which it may change."""
    with closing(sqlite3.connect(folder / "shots.sqlite")) as base, base:
        return base.execute(statement, values).fetchall()


def assert_altered_refused(folder: Path, store: str, change: Callable[[list[Any]], None]) -> None:
    """Change the third shot, by the means of those who know the format."""
    if store == "sqlite":
        row = list(execute(folder, "SELECT * FROM shots WHERE shot = 2")[0])
        change(row)
        execute(folder, f"REPLACE INTO shots VALUES ({', '.join('?' * len(row))})", row)
        return
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    path = min(folder.glob("*.parquet"))
    table = parquet.ParquetFile(path).read()
    rows = [list(row) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)]
    change(rows[2])
    columns = [list(column) for column in zip(*rows, strict=True)]
    parquet.write_table(arrow.table(columns, schema=table.schema), path)


def change_slightly(row: list[Any]) -> None:
    row[2] = float(np.nextafter(row[2], 9.0))


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("store", STORES)
def test_altered_value_is_detected(store: str, whole: bool, results: Results) -> None:
    folder = results(store, whole=whole)
    assert_altered_refused(folder, store, change_slightly)
    before = (folder / "manifest.json").read_bytes()
    assert_refused(folder, "shots 0 to 19 do not match their hash: altered, or cut")
    assert (folder / "manifest.json").read_bytes() == before


def test_cli_reports_the_error_with_exit_code_2(results: Results) -> None:
    folder = results("sqlite")
    assert_altered_refused(folder, "sqlite", change_slightly)
    assert_error("report", folder, message="do not match their hash")
    assert not (folder / "report.html").exists()


def test_altered_shots_with_their_hash_fail_the_total_hash(tmp_path: Path, results: Results) -> None:
    folder = results("sqlite")
    manifest, _ = read_results(folder)
    store = open_store("sqlite", folder, manifest.columns)
    rows = list(store.rows())
    store.close()

    def said(rows: list[Any]) -> str:
        with pytest.raises(InvalidFile) as wrong:
            list(verified_rows(manifest.columns, rows, manifest.hash, tmp_path))
        return str(wrong.value)

    assert "other shots than those of its hash" in said(rows[:-1])
    assert "holds shot 0 twice" in said([rows[0], *rows])
    for value in ("far", None, float("nan"), float("inf"), b"1"):
        row = (*rows[5][:2], value, *rows[5][3:])
        assert "holds an invalid shot" in said([*rows[:5], row, *rows[6:]])


@pytest.mark.parametrize("store", STORES)
def test_truncated_file_is_detected(store: str, results: Results) -> None:
    folder = results(store)
    path = min((*folder.glob("*.parquet"), *folder.glob("*.sqlite")))
    text = path.read_bytes()
    for share in (0.0, 0.1, 0.4, 0.5, 0.7, 0.9, 0.999):
        path.write_bytes(text[: int(share * len(text))])
        with pytest.raises(InvalidFile) as wrong:
            read_results(folder)
        assert "\n" not in str(wrong.value)
    path.write_bytes(text)
    assert len(read_results(folder)[1]) == 60


def same(one: Table, other: Table) -> bool:
    kinds = {name: one.columns[name].kind for name in one}
    return all(np.array_equal(one[name], other[name], equal_nan=kind != "text") for name, kind in kinds.items())


@pytest.mark.parametrize("store", STORES)
def test_any_corrupt_byte_is_read_correctly_or_refused(store: str, results: Results) -> None:
    folder = results(store)
    right = read_results(folder)[1]
    rng = np.random.default_rng(11)
    files = sorted(folder.iterdir())
    told = 0
    for _ in range(120):
        path = files[int(rng.integers(len(files)))]
        text = path.read_bytes()
        spoiled = bytearray(text)
        for at in rng.integers(len(text), size=int(rng.integers(1, 4))):
            spoiled[at] = int(rng.integers(256))
        path.write_bytes(bytes(spoiled))
        try:
            found, why = read_results(folder)[1], ""
        except InvalidInput as wrong:
            found, why = right, str(wrong)
        assert same(right, found)
        assert len(why.splitlines()) <= 1, why
        told += bool(why)
        path.write_bytes(text)
        for strange in set(folder.iterdir()) - set(files):
            strange.unlink()
    assert told > 20


# -- made to do harm --------------------------------------------------------------------------------------------------


def changed(folder: Path, **news: Any) -> dict[str, Any]:
    """The manifest with some of it changed."""
    path = folder / "manifest.json"
    plain: dict[str, Any] = json.loads(path.read_text())
    path.write_text(json.dumps(plain | news))
    return plain


def change_column(folder: Path, at: int, news: dict[str, Any]) -> None:
    """Change what a folder of results says of one column."""
    columns = changed(folder)["columns"]
    changed(folder, columns=[*columns[:at], columns[at] | news, *columns[at + 1 :]])


@pytest.mark.parametrize(
    ("store", "at", "news", "problem"),
    [
        *(
            ("sqlite", 2, {"name": name}, "must be made of letters, digits and underscores")
            for name in ("../../outside", "/etc/outside", 'x" TEXT); DROP TABLE chunks; --', "", "a b")
        ),
        *(
            ("parquet", at, news, "contradicts the experiment, which gives")
            for at, news in ((1, {"role": "noise"}), (1, {"kind": "number"}), (2, {"unit": "kg"}),
                             (6, {"kind": "number"}), (5, {"name": "o"}))
        ),
    ],
)  # fmt: skip
def test_columns_are_validated_and_match_the_experiment(
    store: str, at: int, news: dict[str, Any], problem: str, results: Results
) -> None:
    folder = results(store)
    change_column(folder, at, news)
    with pytest.raises(InvalidFile, match=problem):
        read_results(folder)


def test_inconsistent_manifest_is_refused(results: Results) -> None:
    folder = results("sqlite")
    plain = changed(folder)
    columns = plain["columns"]
    for wrong in ([], columns[1:], columns[:-1], [*columns[:2], *columns[1:]], [columns[0], *columns]):
        changed(folder, columns=wrong)
        with pytest.raises(InvalidFile, match=r"must begin with 'shot' and end with 'error'|have duplicate names"):
            read_results(folder)
    changed(folder, columns=columns, experiment=plain["experiment"] | {"seed": 4}, seed=4)
    with pytest.raises(InvalidFile, match="has another experiment than that of"):
        read_results(folder)
    changed(
        folder, experiment=plain["experiment"], seed=3, columns=[columns[0], columns[1] | {"title": "?"}, *columns[2:]]
    )
    with pytest.raises(InvalidFile, match="has other columns than this experiment"):
        Run(make_experiment(shots=60), folder, resume=True)


@pytest.mark.parametrize(
    ("field", "problem"),
    [
        *((field, f"of length <= 150 at {field}") for field in ("machine", "begun", "flicksim", "hash")),
        *((f"columns {field}", f"at columns\\[2\\].{field}") for field in ("name", "title", "unit")),
    ],
)
def test_texts_are_limited(field: str, problem: str, results: Results) -> None:
    folder = results("sqlite")
    if field.startswith("columns "):
        change_column(folder, 2, {field.removeprefix("columns "): "x" * 200_000})
    else:
        changed(folder, **{field: "x" * 200_000})
    with pytest.raises(InvalidFile, match=problem) as wrong:
        read_results(folder)
    assert len(str(wrong.value)) < 500


@pytest.mark.parametrize(
    ("news", "says"),
    [
        ({"seed": 4}, "seed 4 contradicts its experiment, which has 3"),
        ({"shots": 61}, "shots 61 contradicts its experiment, which has 60"),
        ({"shots": -1}, "expected a whole number >= 0"),
        ({"done": 61}, "done 61 and failed 0 contradict"),
        ({"done": 59}, "done 59 and failed 0 contradict each other, or shots 60 and a hash over all"),
        ({"done": -1}, "expected a whole number >= 0"),
        ({"failed": 61}, "failed 61 contradict"),
        ({"failed": 1}, "says that 1 shots failed; 0 did"),
        ({"seconds": -1.0}, "expected a number >= 0"),
    ],
)
def test_manifest_numbers_match_the_results(news: dict[str, Any], says: str, results: Results) -> None:
    folder = results("sqlite")
    changed(folder, **news)
    assert_refused(folder, "(?i)" + re.escape(says))


@pytest.mark.parametrize("store", STORES)
def test_missing_shots_are_detected(store: str, results: Results) -> None:
    folder = results(store, whole=False)
    changed(folder, done=55)
    with pytest.raises(InvalidFile, match="says that 55 shots are there, and holds 40"):
        read_results(folder)
    for path in folder.glob("shots*"):
        path.unlink()
    with pytest.raises(InvalidFile, match="says that 55 shots are there, and holds 0"):
        read_results(folder)
    changed(folder, done=0)
    assert not len(read_results(folder)[1])
    assert [path.name for path in folder.iterdir() if path.name != ".lock"] == ["manifest.json"], "none is made"


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("shot", [50, 10_000, -1])
def test_unaccounted_shots_are_detected(shot: int, whole: bool, results: Results) -> None:
    folder = results("sqlite", whole=whole)
    if whole and shot == 50:
        shot = 60
    row = [shot, *execute(folder, "SELECT * FROM shots WHERE shot = 2")[0][1:]]
    execute(folder, f"INSERT INTO shots VALUES ({', '.join('?' * len(row))})", row)
    assert_refused(folder, r"holds \d+ shots, but its chunks have \d+: it has been altered")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("shots-0000000060-0000000079.parquet", "holds shot 79, but was asked for 60"),
        ("shots-0000000040-0000000059.parquet", "do not match their hash"),
        ("shots-0000000030-0000000049.parquet", "holds shot 30 twice"),
        ("shots-0000000019-0000000000.parquet", "ends before it begins, by its name"),
    ],
)
def test_unknown_files_are_detected(name: str, says: str, results: Results) -> None:
    folder = results("parquet", whole=False)
    shutil.copy(min(folder.glob("*.parquet")), folder / name)
    with pytest.raises(InvalidFile, match=says):
        read_results(folder)


def test_manifest_text_is_escaped_in_the_report(results: Results) -> None:
    manifest, table = read_results(results("sqlite"))
    evil = "<script>alert(1)</script>"
    words = {"flicksim": evil, "machine": evil, "begun": evil, "hash": evil}
    spoken = msgspec.structs.replace(
        manifest, **words, experiment=msgspec.structs.replace(manifest.experiment, title=evil, description=evil)
    )
    table.columns = {
        name: Column(name=name, kind=c.kind, role=c.role, title=evil, unit=evil) for name, c in table.columns.items()
    }
    assert "<script" not in render_page(spoken, table, (), [])


def test_titles_are_no_formulas_and_matplotlibrc_is_ignored(tmp_path: Path) -> None:
    """A `matplotlibrc` beside the results asks for things, as to run TeX, and they are not done."""
    question = make_experiment(title="$\\frac{", measure=(Measure("off_surface"),), shots=40)
    list(Run(question, tmp_path / "out"))
    manifest, table = read_results(tmp_path / "out")
    table.columns = {
        name: msgspec.structs.replace(column, title="5$ or $\\frac{") for name, column in table.columns.items()
    }
    with import_module("matplotlib").rc_context({"text.usetex": True}):
        assert len(write_report(tmp_path / "out", manifest, table)) > 1


@pytest.mark.parametrize("store", STORES)
def test_links_out_of_the_folder_are_refused(tmp_path: Path, store: str, results: Results) -> None:
    folder = results(store)
    path = min((*folder.glob("*.parquet"), *folder.glob("*.sqlite")))
    outside = path.rename(tmp_path / "outside")
    path.symlink_to(outside)
    before = outside.read_bytes()
    assert_refused(folder, "is no regular file; results are stored in their folder", shots=80)
    assert outside.read_bytes() == before


def test_report_replaces_links_without_following(tmp_path: Path, results: Results) -> None:
    folder = results("sqlite")
    precious = tmp_path / "precious"
    precious.write_bytes(b"mine")
    for name in ("report.html", "curve-off_surface.png"):
        (folder / name).symlink_to(precious)
    write_report(folder, *read_results(folder))
    assert precious.read_bytes() == b"mine"
    assert not (folder / "report.html").is_symlink()


def test_journal_deleting_another_file_is_refused(results: Results) -> None:
    folder = results("sqlite")
    (folder / "shots.sqlite-journal").write_bytes(b"/home/somebody/precious" + bytes(8) + MASTER_JOURNAL_MAGIC)
    with pytest.raises(InvalidFile, match="would have SQLite delete another file"):
        read_results(folder)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON shots BEGIN DELETE FROM chunks; END",
        "ALTER TABLE shots DROP COLUMN off_surface",
    ],
)
def test_other_tables_are_refused_and_triggers_not_executed(statement: str, results: Results) -> None:
    folder = results("sqlite", whole=False)
    execute(folder, statement)
    assert_refused(folder, "holds other tables than its manifest says")


def test_a_table_of_another_shape_is_refused(results: Results) -> None:
    """No traceback; and a stranger beside the chunks is no chunk."""
    folder, parquet = results("parquet"), import_module("pyarrow.parquet")
    (folder / "shots-copy.parquet").write_bytes(b"mine")
    assert len(read_results(folder)[1]) == 60
    parquet.write_table(import_module("pyarrow").table({"a": [1] * 20}), min(folder.glob("shots-0*.parquet")))
    assert_refused(folder, "has other columns or shots than its manifest and its name say")


MINE = """
from pathlib import Path
Path("it-ran").touch()
def far(shot) -> float:
    return shot.motion.duration
"""


def test_reading_results_runs_no_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what lies beside the experiment, nor what its name might find elsewhere."""
    monkeypatch.chdir(tmp_path)
    beside, path = tmp_path / "theirs", tmp_path / "theirs" / "q.toml"
    beside.mkdir()
    (beside / "module_of_theirs.py").write_text(MINE)
    path.write_text(
        'title = "t"\nscene = "draw"\nmeasure = ["module_of_theirs:far"]\nshots = 20\nhand = "club"\n'
        '[flick]\npiece = "a"\nspeed = 1.4\nazimuth = 1.57\n'
    )
    question = read_experiment(path)
    for unasked in (lambda: Run(question, tmp_path / "out", module_folder=beside), lambda: run_experiment(question)):
        with pytest.raises(InvalidInput, match=r"which can do anything you can; if you trust it, give --trust \(in"):
            unasked()
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "it-ran").exists()
    assert str(beside) not in sys.path

    monkeypatch.setattr(sys, "path", [*sys.path])
    list(Run(question, tmp_path / "out", module_folder=beside, trust=True))
    assert (tmp_path / "it-ran").exists()

    (tmp_path / "it-ran").unlink()
    monkeypatch.delitem(sys.modules, "module_of_theirs")
    write_report(tmp_path / "out", *read_results(tmp_path / "out"))
    assert "module_of_theirs" not in sys.modules
    assert not (tmp_path / "it-ran").exists()


def test_cli_runs_measures_only_with_trust(tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text(MINE)
    (tmp_path / "q.toml").write_text(
        'title = "t"\nscene = "draw"\nmeasure = ["theirs:far"]\nshots = 20\nhand = "club"\n'
        '[flick]\npiece = "a"\nspeed = 1.4\nazimuth = 1.57\n'
    )
    assert_error("experiment", "q.toml", "--out", "out", message="'theirs:far' runs code that comes with", cwd=tmp_path)
    assert not (tmp_path / "it-ran").exists()
    assert "--trust" in run("experiment", "--help").stdout
