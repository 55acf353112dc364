"""Answers of commands that are run in this process."""

from pathlib import Path

from benchmarks.fuzz_files import CommandOutput, run_command


def answer(*words: str | Path, code: int = 0) -> CommandOutput:
    """Answer of a command that must end with a code, and with one sentence at most where that is no success."""
    said = run_command([str(word) for word in words])
    assert (said.code, list(said.problems())) == (code, []), said
    return said


def verify(path: Path, *more: str, code: int = 0) -> CommandOutput:
    """Answer of `flicksim replay --verify` on a record."""
    return answer("replay", path, "--verify", *more, code=code)
