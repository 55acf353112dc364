"""Page on experiments: its example, keys, measures, and the code that reads results."""

import re
from pathlib import Path

import pytest

from flicksim.experiments import Experiment, Run, read_experiment
from flicksim.experiments.measure import BUILTIN_MEASURES
from tests.python_process import run_code
from tests.test_documentation import blocks, text

PAGE = "flicksim/experiments/README.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's question, answered in both stores."""
    folder = tmp_path_factory.mktemp("readme")
    (question,) = blocks(PAGE, "toml")
    (folder / "near.toml").write_text(question)
    experiment = read_experiment(folder / "near.toml")
    for name, store in (("near", "sqlite"), ("near-parquet", "parquet")):
        list(Run(experiment, folder / name, shots=60, chunk=25, store=store))
    return folder


@pytest.mark.parametrize("library", ["pandas", "polars", "duckdb"])
def test_results_are_read_by_other_libraries(library: str, folder: Path) -> None:
    (lines,) = [block for block in blocks(PAGE, "python") if block.startswith(f"import {library}")]
    assert len([line for line in lines.splitlines() if line]) == 3
    process = run_code(lines, cwd=folder)
    for word in ("club", "world", "overshoot", "-0.03"):
        assert word in process.stdout


def test_the_page_lists_every_key_and_measure() -> None:
    first = [cell for cell in re.findall(r"^\| (`.*?) \|", text(PAGE), re.M) if not cell.startswith("`flicksim")]
    words = [word.split()[0] for cell in first for word in re.findall(r"`([^`]*)`", cell)]
    assert sorted(words) == sorted([*Experiment.__struct_fields__, *BUILTIN_MEASURES, "mine:function"])
