"""Results as data sets, and what reports say of cells without chance and of what they take together."""

from __future__ import annotations

import csv
from pathlib import Path

import msgspec
import numpy as np
import pytest
from pyarrow import parquet

from flicksim.base.errors import BadFile, BadInput
from flicksim.lab import Experiment, Run, Spread, ask, read_results
from flicksim.lab.dataset import write_dataset
from flicksim.lab.report import write_report
from flicksim.lab.report.summary import cells, certain, factors

ASKED = Experiment(
    title="a | draw", about="how near", scene="draw", measure=("gap white", "off"), shots=30,
    flick={"piece": "a", "to": "white", "beyond": Spread(grid=(-0.02, 0.0, 0.02)), "offset": Spread(grid=(0.0, 0.1))},
)  # fmt: skip


def carried_out(folder: Path, **changed: object) -> Path:
    """A folder with the answer."""
    for _ in Run(msgspec.structs.replace(ASKED, **changed), folder):
        pass
    return folder


def test_a_data_set_says_what_it_is(tmp_path: Path) -> None:
    manifest, table = read_results(carried_out(tmp_path / "near"))
    data, sheet = write_dataset(str(tmp_path / "near.csv"), manifest, table)
    rows = list(csv.DictReader(data.read_text().splitlines()))
    assert len(rows) == 30
    assert [float(row["gap_white"]) for row in rows] == table["gap_white"].tolist()
    assert {row["off"] for row in rows} == {"0"}
    assert [row["shot"] for row in rows] == [str(number) for number in range(30)]
    assert table["shot"].dtype == table.to_pandas()["shot"].dtype == np.int64
    assert table.to_polars()["shot"].to_list() == list(range(30))
    says = sheet.read_text()
    for part in ("how near", f"`{manifest.hash}`", "| seed | 1 |", "| `gap_white` |", "| m | measured |", '"a | draw"'):
        assert part in says
    made, _ = write_dataset(tmp_path / "near.parquet", manifest, table)
    held = parquet.read_table(made)
    assert held.schema.metadata[b"seed"] == b"1"
    assert str(held.schema.field("shot").type) == "int64"
    assert held.schema.field("gap_white").metadata[b"unit"] == b"m"
    with pytest.raises(BadFile, match=r"must be called something\.csv or something\.parquet"):
        write_dataset(tmp_path / "near.txt", manifest, table)


def test_cells_without_chance_have_no_interval() -> None:
    table = ask(ASKED)
    over = factors(table)
    found = cells(over, table.columns["gap_white"], table, certain(table, "steady"))
    assert len(found) == 6
    assert all(np.isnan(one.low) and one.count == 5 for one in found.values())
    pooled = cells(over[:1], table.columns["gap_white"], table, certain(table, "steady"))
    assert not any(np.isnan(one.low) for one in pooled.values())
    shaky = ask(msgspec.structs.replace(ASKED, hand=Spread(grid=("steady", "club")), shots=120))
    sure = certain(shaky, "steady")
    assert sure.tolist() == [hand == "steady" for hand in shaky["hand"]]


def test_a_report_says_what_was_sure_and_what_is_taken_together(tmp_path: Path) -> None:
    three = {**ASKED.flick, "effort": Spread(grid=(0.9, 1.1))}
    folder = carried_out(tmp_path / "near", flick=three)
    page = write_report(folder, *read_results(folder))[0].read_text()
    assert "Nothing was left to chance: one shot of each cell says all" in page
    assert "a line for every effort. Over all offset." in page
    assert "Calibration" not in page
    assert "95 % intervals" not in page
    folder = carried_out(tmp_path / "shaky", hand="club")
    page = write_report(folder, *read_results(folder))[0].read_text()
    assert "Nothing was left to chance" not in page
    assert "bands are 95 % intervals" in page


def test_a_count_raised_in_the_file_is_made(tmp_path: Path) -> None:
    folder = carried_out(tmp_path / "near")
    more = Run(msgspec.structs.replace(ASKED, shots=48), folder, resume=True)
    assert list(more)[-1] == more.total == 48
    said = Run(msgspec.structs.replace(ASKED, shots=48), folder, resume=True, shots=60)
    assert list(said)[-1] == 60
    kept = Run(msgspec.structs.replace(ASKED, shots=48), folder, resume=True)
    assert kept.total == 60
    kept.release()


@pytest.mark.parametrize("scene", ["launch", "sample:launch", "mine.json"])
def test_tables_of_every_kind_go_by_name_or_file(scene: str, tmp_path: Path) -> None:
    from flicksim import load_pyramids
    from flicksim.base.codec import to_json
    from flicksim.lab import read_experiment

    (tmp_path / "mine.json").write_bytes(to_json(load_pyramids("launch")))
    launch = (
        '[flick]\ndo = "launch"\npiece = "m"\nsize = "small"\nhold = [0.45, 0.075]\nazimuth = 1.5708\nspeed = 2.6\n'
    )
    for key in ("scene", "pyramids"):
        path = tmp_path / f"{key}.toml"
        path.write_text(f'title = "a"\n{key} = "{scene}"\nmeasure = ["upright"]\nshots = 2\n{launch}')
        assert read_experiment(path).pyramids == load_pyramids("launch")
    path.write_text(f'title = "a"\nscene = "sample:none"\nmeasure = ["off"]\n{launch}')
    with pytest.raises(BadInput, match="no sample 'none'; there are slide"):
        read_experiment(path)
