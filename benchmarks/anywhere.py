"""flicksim where nothing can be kept: a package that cannot be written, no home, another user, a full disk.

`python -m benchmarks.anywhere [--times N] [--seed S] [--only NUMBER]`. A copy of the package is made that nobody may
write to; every command is run from it in each of these places, by a user who owns nothing where that can be had (by
root, with util-linux's `setpriv`). Each must end with 0, and say at most once that what it compiles is not kept.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import flicksim
from benchmarks.tally import Tally, parser
from flicksim.base.places import CACHE, HOME, assets

_NOWHERE = "/proc/nope"
_NOBODY = 65534
_SAID = "The compiled physics is not kept"
_LONGEST = 900.0
_SMALL = 20_000
"""Bytes that a full disk still takes of a file: less than what is compiled, more than a record."""

COMMANDS = (
    "--version",
    "games",
    "rules ice",
    "settle {assets}/scenes/draw.json {assets}/flicks/draw.json --json",
    "settle {assets}/scenes/squidge.json {assets}/flicks/squidge.json",
    "position pile_of_three",
    "play penny-white --seat random --seat random -o ends=1 --headless --record game.jsonl",
    "replay game.jsonl --verify",
    "match penny-white --seat random --seat random -o ends=1 --games 2 --jobs 2",
    "experiment jack-hugging --out out --shots 20 --jobs 2",
    "experiment pot-chance --out pots --shots 20 --jobs 2",
    "report out",
)


def _homeless(_: Path) -> dict[str, str]:
    spots = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), _NOWHERE)
    return {**spots, HOME: "", CACHE: ""}


def _kept(work: Path) -> dict[str, str]:
    return {HOME: str(work / "home"), CACHE: str(work / "home" / "cache")}


PLACES: dict[str, tuple[Callable[[Path], dict[str, str]], int]] = {
    "no home": (_homeless, 0),
    "a home": (_kept, 0),
    "a full disk": (_kept, _SMALL),
}
"""Settings of each, and the largest size of a file (0: as long as it likes)."""


def _as_nobody() -> list[str]:
    """Words that make a command somebody else's who may read everything and owns nothing; nothing where that cannot
    be."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return []
    keep = [f"--{kind}=-all,+dac_read_search" for kind in ("inh-caps", "ambient-caps", "bounding-set")]
    return ["setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups", *keep]


def _copied(folder: Path) -> Path:
    """A copy of the package and what is shipped with it, not to be written to."""
    shutil.copytree(
        Path(flicksim.__file__).parent, folder / "flicksim", ignore=shutil.ignore_patterns("__pycache__", "_assets")
    )
    shutil.copytree(assets(), folder / "assets")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    return folder


def tries_of(numbers: Sequence[int]) -> Tally:
    """The places of these numbers."""
    found = Tally()
    with TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)  # noqa: PTH101
        package = _copied(Path(scratch) / "package")
        before = sorted(str(path) for path in package.rglob("*"))
        for number in numbers:
            row = list(PLACES)[number % len(PLACES)]
            work = Path(scratch) / f"work-{number}"
            work.mkdir()
            work.chmod(0o777)
            for words in COMMANDS:
                found.count(row, "commands")
                if wrong := _tried(words, package, work, row, found):
                    found.find(row, f"{words}: {wrong}", f"python -m benchmarks.anywhere --only {number}")
        if sorted(str(path) for path in package.rglob("*")) != before:
            found.find("-", "something was written into the package", "python -m benchmarks.anywhere")
        for path in (package, *package.rglob("*")):
            path.chmod(0o755)
    return found


def _tried(words: str, package: Path, work: Path, row: str, found: Tally) -> str:
    """Faults of a command run there; empty when there are none."""
    around, small = PLACES[row]
    spoken = {**os.environ, "PYTHONPATH": str(package), **around(work)}

    def limited() -> None:
        if small:
            resource.setrlimit(resource.RLIMIT_FSIZE, (small, small))

    command = [*_as_nobody(), sys.executable, "-m", "flicksim", *words.format(assets=package / "assets").split()]
    done = subprocess.run(
        command, cwd=work, env=spoken, capture_output=True, text=True, timeout=_LONGEST, check=False, preexec_fn=limited
    )
    said = done.stderr.count(_SAID)
    found.count(row, "said it compiles anew", said)
    if small and done.returncode == 2 and "file too large" in done.stderr and done.stderr.count("\n") <= 3:
        found.count(row, "said the disk is full")
        return ""
    if done.returncode != 0 or "Traceback" in done.stderr:
        return f"ended with {done.returncode}: {done.stderr[-300:]!r}"
    return f"said {said} times that nothing is kept" if said > 1 else ""


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    given = parser("anywhere", __doc__, times=1).parse_args(words)
    numbers = range(given.times * len(PLACES)) if given.only is None else [given.only]
    return tries_of(numbers).show(f"Anywhere, {'another user' if _as_nobody() else 'the same user'}")


if __name__ == "__main__":
    raise SystemExit(main())
