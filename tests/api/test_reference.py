"""Tests of the API reference: the command printed on the page generates it, with every public name."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import flicksim
from tests.api.examples import PAGE

ROOT = PAGE.parents[2]
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the generated reference."""
    pytest.importorskip("pdoc")
    folder = tmp_path_factory.mktemp("reference")
    (line,) = re.findall(r"^python -m pdoc .*$", PAGE.read_text(), re.M)
    command = [sys.executable, *shlex.split(line)[1:]]
    command[command.index("-o") + 1] = str(folder)
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return folder


def test_every_public_name_is_in_the_reference(reference: Path) -> None:
    page = (reference / "flicksim.html").read_text()
    names = [name for name in flicksim.__all__ if name != "__version__"]
    assert [name for name in names if f'id="{name}"' not in page] == []


def test_the_packages_are_in_the_reference(reference: Path) -> None:
    for package in ("scene", "engine", "match", "ai", "referee", "experiments", "render"):
        assert (reference / "flicksim" / f"{package}.html").is_file()
