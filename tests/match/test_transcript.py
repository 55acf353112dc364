"""Transcripts of games."""

import re
from pathlib import Path

import pytest

from flicksim.games import names
from tests.cli_runner import invoke
from tests.match.transcripts import GAMES, HERE, transcript_of

_NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")


def test_every_game_has_a_transcript() -> None:
    assert set(GAMES) == set(names())


@pytest.mark.parametrize("name", GAMES)
def test_transcript_is_unchanged(name: str) -> None:
    """After an intended change `python -m tests.match.transcripts` writes it again."""
    now, then = transcript_of(name), (HERE / f"{name}.txt").read_text()
    # a last bit of a sine may differ from one processor to another
    assert _NUMBER.sub("#", now).splitlines() == _NUMBER.sub("#", then).splitlines()
    for one, other in zip(now.splitlines(), then.splitlines(), strict=True):
        assert [float(n) for n in _NUMBER.findall(one)] == pytest.approx(
            [float(n) for n in _NUMBER.findall(other)], rel=1e-4, abs=1e-6
        ), other


def test_replay_command_prints_a_transcript(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    words = ["play", "dominoes", "--headless", "--seat", "random", "--seat", "random", "--option", "rounds=1"]
    invoke(*words, "--seed", "3", "--record", record)
    said = invoke("replay", record, "--transcript").output
    for part in ("seed 3", "options: ", "\n1 ", "  due: ", "  meant: ", "  ruled: ", "  score: "):
        assert part in said
