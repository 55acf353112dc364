"""The reference: made by the one command that the page prints, with every name of the front door on it."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import flicksim
from tests.door.examples import PAGE

ROOT = PAGE.parents[2]
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder it is made in."""
    pytest.importorskip("pdoc")
    folder = tmp_path_factory.mktemp("reference")
    (line,) = re.findall(r"^python -m pdoc .*$", PAGE.read_text(), re.M)
    words = [sys.executable, *shlex.split(line)[1:]]
    words[words.index("-o") + 1] = str(folder)
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_name_of_the_front_door_is_on_it(reference: Path) -> None:
    page = (reference / "flicksim.html").read_text()
    names = [name for name in flicksim.__all__ if name != "__version__"]
    assert [name for name in names if f'id="{name}"' not in page] == []


def test_the_rooms_are_on_it(reference: Path) -> None:
    for room in ("table", "physics", "play", "players", "referee", "lab", "drawing"):
        assert (reference / "flicksim" / f"{room}.html").is_file()
