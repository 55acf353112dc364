"""Data sets of results, and reports on deterministic cells and pooled parameters."""

import csv
from pathlib import Path

import msgspec
import numpy as np
import pytest
from pyarrow import parquet

from flicksim.core.errors import InvalidFile, InvalidInput
from flicksim.experiments import Experiment, ParameterSpec, Run, read_results, run_experiment
from flicksim.experiments.dataset import write_dataset
from flicksim.experiments.report import write_report
from flicksim.experiments.report.summary import cell_estimates, factors, is_deterministic

EXPERIMENT = Experiment(
    title="a | draw", description="how near", scene="draw", measure=("distance white", "off_surface"), shots=30,
    flick={
        "piece": "a", "target": "white", "overshoot": ParameterSpec(values=(-0.02, 0.0, 0.02)),
        "offset": ParameterSpec(values=(0.0, 0.1)),
    },
)  # fmt: skip


def run_to_folder(folder: Path, **changed: object) -> Path:
    """A folder with the answer."""
    list(Run(msgspec.structs.replace(EXPERIMENT, **changed), folder))
    return folder


def test_a_data_set_has_a_data_sheet(tmp_path: Path) -> None:
    manifest, table = read_results(run_to_folder(tmp_path / "near"))
    data, sheet = write_dataset(str(tmp_path / "near.csv"), manifest, table)
    rows = list(csv.DictReader(data.read_text().splitlines()))
    assert len(rows) == 30
    assert [float(row["distance_white"]) for row in rows] == table["distance_white"].tolist()
    assert {row["off_surface"] for row in rows} == {"0"}
    assert [row["shot"] for row in rows] == [str(number) for number in range(30)]
    assert table["shot"].dtype == table.to_pandas()["shot"].dtype == np.int64
    assert table.to_polars()["shot"].to_list() == list(range(30))
    text = sheet.read_text()
    for part in (
        "how near",
        f"`{manifest.hash}`",
        "| seed | 1 |",
        "| `distance_white` |",
        "| m | measured |",
        '"a | draw"',
    ):
        assert part in text
    made, _ = write_dataset(tmp_path / "near.parquet", manifest, table)
    held = parquet.read_table(made)
    assert held.schema.metadata[b"seed"] == b"1"
    assert str(held.schema.field("shot").type) == "int64"
    assert held.schema.field("distance_white").metadata[b"unit"] == b"m"
    with pytest.raises(InvalidFile, match=r"must be called something\.csv or something\.parquet"):
        write_dataset(tmp_path / "near.txt", manifest, table)


def test_deterministic_cells_have_no_interval() -> None:
    table = run_experiment(EXPERIMENT)
    over = factors(table)
    found = cell_estimates(over, table.columns["distance_white"], table, is_deterministic(table, "steady"))
    assert len(found) == 6
    assert all(np.isnan(one.low) and one.count == 5 for one in found.values())
    pooled = cell_estimates(over[:1], table.columns["distance_white"], table, is_deterministic(table, "steady"))
    assert not any(np.isnan(one.low) for one in pooled.values())
    shaky = run_experiment(
        msgspec.structs.replace(EXPERIMENT, hand=ParameterSpec(values=("steady", "club")), shots=120)
    )
    sure = is_deterministic(shaky, "steady")
    assert sure.tolist() == [hand == "steady" for hand in shaky["hand"]]


def test_a_report_names_deterministic_and_pooled_results(tmp_path: Path) -> None:
    three = {**EXPERIMENT.flick, "speed_factor": ParameterSpec(values=(0.9, 1.1))}
    folder = run_to_folder(tmp_path / "near", flick=three)
    page = write_report(folder, *read_results(folder))[0].read_text()
    assert "Nothing is random: one shot of each cell determines it" in page
    assert "a line for every speed factor. Over all offset." in page
    assert "Calibration" not in page
    assert "95 % intervals" not in page
    folder = run_to_folder(tmp_path / "shaky", hand="club")
    page = write_report(folder, *read_results(folder))[0].read_text()
    assert "Nothing was left to chance" not in page
    assert "bands are 95 % intervals" in page
    assert "which have no value" not in page
    gone = {"piece": "a", "speed": ParameterSpec(values=(1.0, 20.0)), "azimuth": 1.57}  # fast ones leave the board
    folder = run_to_folder(tmp_path / "gone", flick=gone)
    page = write_report(folder, *read_results(folder))[0].read_text()
    assert page.count("Without 15 of 30 shots, which have no value: ") == 3, "two captions of a picture, one of a table"


def test_a_larger_number_of_shots_in_the_file_is_run(tmp_path: Path) -> None:
    folder = run_to_folder(tmp_path / "near")
    more = Run(msgspec.structs.replace(EXPERIMENT, shots=48), folder, resume=True)
    assert list(more)[-1] == more.total == 48
    longer = Run(msgspec.structs.replace(EXPERIMENT, shots=48), folder, resume=True, shots=60)
    assert list(longer)[-1] == 60
    again = Run(msgspec.structs.replace(EXPERIMENT, shots=48), folder, resume=True)
    assert again.total == 60
    again.release()


@pytest.mark.parametrize("scene", ["launch", "sample:launch", "mine.json"])
def test_scenes_of_every_kind_are_given_by_name_or_file(scene: str, tmp_path: Path) -> None:
    from flicksim import load_pyramids
    from flicksim.core.serialization import to_json
    from flicksim.experiments import read_experiment

    (tmp_path / "mine.json").write_bytes(to_json(load_pyramids("launch")))
    launch = (
        '[flick]\ndo = "launch"\npiece = "m"\nsize = "small"\nhold = [0.45, 0.075]\nazimuth = 1.5708\nspeed = 2.6\n'
    )
    for key in ("scene", "pyramids"):
        path = tmp_path / f"{key}.toml"
        path.write_text(f'title = "a"\n{key} = "{scene}"\nmeasure = ["upright"]\nshots = 2\n{launch}')
        assert read_experiment(path).pyramids == load_pyramids("launch")
    path.write_text(f'title = "a"\nscene = "sample:none"\nmeasure = ["off_surface"]\n{launch}')
    with pytest.raises(InvalidInput, match="no sample 'none'; there are slide"):
        read_experiment(path)
