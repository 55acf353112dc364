"""Files of release 0.1.0: experiments and results folders are read, and give the same values bit for bit."""

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flicksim import experiments
from flicksim.core.errors import InvalidFile, InvalidInput
from flicksim.core.serialization import from_builtins, from_json, to_builtins, to_json
from flicksim.core.version import __version__
from flicksim.engine.settings import OLD_KEYS, Settings
from flicksim.experiments import Experiment, ParameterSpec, Run, read_experiment, read_results, run_experiment
from flicksim.experiments.old_words import old_identity
from flicksim.experiments.result_columns import axes_of, axis_columns
from flicksim.experiments.run import MANIFEST
from flicksim.scene.samples import sample_shot
from tests.cli_runner import run

OLD = Path(__file__).parent / "release_0_1_0"
OLD_WORDS, NEW_WORDS = OLD / "experiment.toml", OLD / "in_new_words.toml"
HASH_16 = "d5d8cb614932ce34ce47b57c5ea10ea3bd0c8368844427fb59a2dd2065195678"
HASH_24 = "48f8b69747a2da8671dabdc5eaf24e81dc27ae06c21c96c86f3b7dcf2ff427c2"
"""Hashes that release 0.1.0 printed for 16 and 24 shots of the experiment."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the results folder."""
    return Path(shutil.copytree(OLD / "results", tmp_path / "results"))


def test_an_experiment_in_old_words_is_the_same_as_in_new_ones() -> None:
    assert read_experiment(OLD_WORDS) == read_experiment(NEW_WORDS)


def test_values_are_those_of_the_old_release_bit_for_bit(folder: Path) -> None:
    table = run_experiment(read_experiment(NEW_WORDS), shots=16)
    _, stored = read_results(folder)
    assert list(table) == [
        "shot", "hand", "overshoot", "speed_factor", "turned", "distance_white", "off_surface", "displacement",
        "rest_position_x", "rest_position_y", "touched_white", "executed_speed", "error",
    ]  # fmt: skip
    for new_name, old_name in zip(table, stored, strict=True):
        assert table.to_list(new_name) == stored.to_list(old_name)


def test_an_old_folder_is_read_with_its_own_column_names(folder: Path) -> None:
    manifest, table = read_results(folder)
    assert manifest.hash == HASH_16
    assert manifest.experiment.description.startswith("Pennies")
    assert list(table) == [
        "shot", "hand", "beyond", "effort", "turned", "gap_white", "off", "way", "rest_x", "rest_y", "touched_white",
        "made_speed", "failed",
    ]  # fmt: skip
    assert [table.columns[name].role for name in ("beyond", "turned", "effort", "off", "failed")] == [
        "grid", "random", "noise", "measure", "error",
    ]  # fmt: skip
    assert table.columns["off"].kind == "boolean"


@pytest.mark.long
def test_an_old_folder_is_reported_and_exported(folder: Path, tmp_path: Path) -> None:
    manifest, table = read_results(folder)
    written = experiments.write_report(folder, manifest, table)
    page = written[0].read_text()
    assert "<code>beyond</code>" in page
    assert {"heat-gap_white.png", "curve-gap_white.png", "cloud-rest.png"} <= {path.name for path in written}
    assert "Marks are reference values." in page
    file, sheet = experiments.write_dataset(tmp_path / "old.csv", manifest, table)
    assert file.read_text().startswith("shot,hand,beyond,effort,turned,gap_white,off,way,")
    assert '"overshoot"' in sheet.read_text()


@pytest.mark.parametrize("file", [OLD_WORDS, NEW_WORDS], ids=["old", "new"])
def test_an_old_folder_is_resumed_to_the_same_hash(folder: Path, file: Path) -> None:
    experiment = read_experiment(file)
    run = Run(experiment, folder, resume=True, shots=24)
    assert run.done == 16
    assert run.manifest.flicksim == __version__
    assert list(run)[-1] == 24
    manifest, table = read_results(folder)
    assert manifest.hash == HASH_24
    assert list(table)[-1] == "failed"
    assert read_results(folder)[0].flicksim == __version__ != "0.1.0"
    again = Run(experiment, folder, resume=True)
    assert list(again) == []
    assert again.manifest.hash == HASH_24


def test_an_old_folder_with_a_measure_that_is_refused_now_says_why_it_is_not_resumed(folder: Path) -> None:
    """0.1.0 measured `potted` without a pot, as never; what it stored is read as before."""
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["experiment"]["shots"] = manifest["shots"] = 24
    manifest["experiment"]["measure"][1] = next(c for c in manifest["columns"] if c["name"] == "off")["name"] = "potted"
    manifest["identity"] = old_identity(manifest["experiment"])
    manifest["hash"] = None
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with closing(sqlite3.connect(folder / "shots.sqlite")) as stored, stored:
        stored.execute("ALTER TABLE shots RENAME COLUMN off TO potted")
    experiment = read_results(folder)[0].experiment
    why = "was begun by flicksim 0.1.0, and .* cannot resume it: measure 'potted': there is no pot here"
    with pytest.raises(InvalidFile, match=f"{why}; `flicksim report` shows the 16 shots it has"):
        Run(experiment, folder, resume=True)
    assert len(read_results(folder)[1]) == 16


@pytest.mark.parametrize(("key", "field"), OLD_KEYS.items())
def test_a_setting_is_read_by_its_old_name(tmp_path: Path, key: str, field: str) -> None:
    flick = {name: value for name, value in to_builtins(sample_shot("squidge")[1]).items() if value is not None}
    fields = {"title": "t", "scene": "squidge", "flick": flick, "measure": ["displacement"], "shots": 4}
    default = getattr(Settings(), field)
    file = tmp_path / "experiment.json"
    tables = []
    for name in (key, field):
        file.write_text(json.dumps({**fields, "settings": {name: {"uniform": [default, 1.25 * default]}}}))
        tables.append(run_experiment(read_experiment(file)))
    old, new = tables
    assert list(old) == list(new)
    assert old.to_list(field) == new.to_list(field)
    assert old.to_list("displacement") == new.to_list("displacement")
    file.write_text(json.dumps({**fields, "settings": {key: default, field: default}}))
    with pytest.raises(InvalidInput, match=f"{key!r} is the old name of {field!r}"):
        read_experiment(file)


def test_random_settings_are_drawn_in_the_order_of_their_old_names(tmp_path: Path) -> None:
    """Release 0.1.0 drew `frame` before `gravity`, and these values."""
    file = tmp_path / "experiment.toml"
    file.write_text("""
        title = "physics in the words of 0.1.0"
        scene = "draw"
        hand = "club"
        measure = ["gap white"]
        shots = 3
        seed = 5
        flick = { piece = "a", to = "white" }
        settings = { frame = { uniform = [0.02, 0.05] }, gravity = { uniform = [9.0, 10.0] } }
    """)
    table = run_experiment(read_experiment(file))
    assert table.to_list("output_interval") == [0.0346095741704177, 0.041732599466033776, 0.03171813614823949]
    assert table.to_list("gravity") == [9.720591146758562, 9.70100616165395, 9.809175270083884]
    assert table.to_list("distance_white") == [0.029996789817661785, 0.035864645582451796, 0.03280921778252159]


def test_settings_are_written_by_field_and_read_by_either_name() -> None:
    settings = Settings(step_factor=3.0, drag_coefficient=0.5)
    text = to_json(settings)
    assert set(OLD_KEYS.values()) <= set(json.loads(text))
    old = json.dumps({"coarse": 3.0, "drag": 0.5, "gravity": settings.gravity})
    assert from_json(text, Settings) == from_json(old, Settings) == from_builtins(json.loads(old), Settings) == settings
    with pytest.raises(InvalidInput, match="unknown field 'drag'"):
        from_json('{"drag": 1.0, "drag_coefficient": 1.0}', Settings)


def test_the_settings_of_an_old_folder_keep_their_names() -> None:
    settings = {name: ParameterSpec(uniform=(1.0, 2.0)) for name in ("step_factor", "gravity")}
    experiment = Experiment(title="t", scene="draw", flick={}, settings=settings, measure=("duration",))
    columns = axis_columns(axes_of(experiment), old_names=True)
    assert [column.name for column in columns] == ["coarse", "gravity"]


def test_an_altered_old_manifest_is_refused(folder: Path) -> None:
    plain = json.loads((folder / MANIFEST).read_text())
    plain["experiment"]["flick"]["beyond"]["steps"] = [-0.02, 0.05, 3]
    (folder / MANIFEST).write_text(json.dumps(plain))
    with pytest.raises(InvalidFile, match="has another experiment than that of"):
        read_results(folder)


def new_keywords(warned: pytest.WarningsRecorder) -> list[str]:
    """The new keywords that warnings tell, sorted."""
    return sorted(re.findall(r" is now (\w+)=", " ".join(str(one.message) for one in warned)))


def test_old_keywords_are_accepted_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match=r"ParameterSpec\(grid=\.\.\.\) is now values="):
        assert ParameterSpec(grid=(1, 2)) == ParameterSpec(values=(1, 2))
    with pytest.warns(DeprecationWarning, match=" is now ") as warned:
        assert ParameterSpec(steps=(0, 1, 3), called="x") == ParameterSpec(linspace=(0, 1, 3), name="x")
    assert new_keywords(warned) == ["linspace", "name"]
    with pytest.warns(DeprecationWarning, match="is now actions="):
        assert experiments.GamePosition(name="ice", played=()) == experiments.GamePosition(name="ice")
    with pytest.warns(DeprecationWarning, match=" is now ") as warned:
        mark = experiments.ReferenceValue(says="m", measure="off", at={}, value=1.0, low=0.0, high=2.0)
    assert new_keywords(warned) == ["label", "parameters"]
    with pytest.warns(DeprecationWarning, match=" is now ") as warned:
        old = Experiment(
            title="t", about="a", scene="draw", flick={"to": "white"}, measure=("gap white",), marks=(mark,)
        )
    assert new_keywords(warned) == ["description", "references"]
    assert old.flick == {"target": "white"}
    assert [str(one) for one in old.measures] == ["distance white"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("values = [", 'grid = ["club"], values = [', "'grid' is the old name of 'values'"),
        ("aim_offset =", "turn = 0.0\naim_offset =", "'turn' is the old name of 'aim_offset'"),
        ("seed = 3", 'seed = 3\nabout = "a draw"', "'about' is the old name of 'description'"),
        ('label = "', 'says = "a figure"\nlabel = "', "'says' is the old name of 'label'"),
    ],
)
def test_an_old_word_beside_its_new_one_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    file = tmp_path / "mixed.toml"
    file.write_text(NEW_WORDS.read_text().replace(old, new, 1))
    with pytest.raises(InvalidInput) as wrong:
        read_experiment(file)
    assert str(wrong.value) == f"{file}: {message}; give one of the two"


def test_old_words_are_reported_to_the_reader(tmp_path: Path) -> None:
    reported: list[Path] = []
    new = NEW_WORDS.read_text()
    mixed = tmp_path / "mixed.toml"
    mixed.write_text(new.replace("distance white", "gap white").replace("distance_white", "gap_white"))
    for file in (OLD_WORDS, NEW_WORDS, mixed):
        read_experiment(file, on_old_words=reported.append)
    assert reported == [OLD_WORDS, mixed]


def test_the_command_notes_old_words_of_a_file_on_one_line(folder: Path, tmp_path: Path) -> None:
    process = run("experiment", OLD_WORDS, "--out", tmp_path / "again", "--shots", "2")
    note = f"flicksim: {OLD_WORDS} is in the words of 0.1.0, which are still read; the changelog lists the new ones"
    assert process.stderr.count(note) == 1
    assert "0.1.0" not in process.stdout
    assert "0.1.0" not in run("experiment", NEW_WORDS, "--out", tmp_path / "n", "--shots", "2").stderr
    assert "0.1.0" not in run("export", str(folder), str(tmp_path / "old.csv")).stderr
