"""Questions by the front door."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from flicksim import Experiment, ask, read_results
from flicksim.base.errors import FlicksimError

ASKED = Experiment(title="a draw", scene="draw", flick={"piece": "a", "to": "white"}, measure=("gap white",), shots=40)


def test_an_executor_may_come_second() -> None:
    with ThreadPoolExecutor(1) as executor:
        assert (ask(ASKED, executor)["gap_white"] == ask(ASKED)["gap_white"]).all()


def test_a_file_is_as_good_as_an_experiment(tmp_path: Path) -> None:
    path = tmp_path / "q.toml"
    path.write_text('title = "a"\nscene = "sample:draw"\nmeasure = ["off"]\n[flick]\npiece = "a"\nto = "white"\n')
    assert len(ask(path, shots=7)) == len(ask(str(path), shots=7)) == 7


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: ask("nope"), "no experiment 'nope'; ready ones are"),
        (lambda: ask(3), "experiment cannot be 3; it is an Experiment"),
        (lambda: ask(ASKED, 100), "executor cannot be 100; it is one of concurrent.futures, and shots=..."),
        (lambda: ask(ASKED, shots=0), "shots cannot be 0; it is a whole number"),
        (lambda: ask(ASKED, jobs="x"), "jobs cannot be 'x'"),
        (lambda: read_results(3), "the folder cannot be 3; name it by a string or a Path"),
        (lambda: ask(ASKED, shots=5)["gap"], "no column 'gap'; there are shot, gap_white, failed"),
    ],
)
def test_what_is_wrong_with_a_question_is_said_in_a_sentence(call: Any, says: str) -> None:
    with pytest.raises(FlicksimError) as wrong:
        call()
    assert says in str(wrong.value)
