"""Games told in full: they teach a game, and show what a change of the program has changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flicksim.cli import app
from flicksim.games import names
from tests.match.transcripts import GAMES, HERE, transcript_of

_NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")


def test_every_game_has_one() -> None:
    assert set(GAMES) == set(names())


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_as_it_went(name: str) -> None:
    """Differs it rightly, `python -m tests.match.transcripts` tells it anew."""
    now, then = transcript_of(name), (HERE / f"{name}.txt").read_text()
    # a last bit of a sine may differ from one processor to another
    assert _NUMBER.sub("#", now).splitlines() == _NUMBER.sub("#", then).splitlines()
    for one, other in zip(now.splitlines(), then.splitlines(), strict=True):
        assert [float(n) for n in _NUMBER.findall(one)] == pytest.approx(
            [float(n) for n in _NUMBER.findall(other)], rel=1e-4, abs=1e-6
        ), other


def test_a_record_is_told_in_full(tmp_path: Path) -> None:
    shell, record = CliRunner(), str(tmp_path / "game.jsonl")
    words = ["play", "dominoes", "--headless", "--seat", "random", "--seat", "random", "--option", "rounds=1"]
    assert shell.invoke(app, [*words, "--seed", "3", "--record", record]).exit_code == 0
    said = shell.invoke(app, ["replay", record, "--transcript"]).output
    for part in ("seed 3", "options: ", "\n1 ", "  due: ", "  meant: ", "  ruled: ", "  score: "):
        assert part in said
