"""Run the commands from a read-only installation: without a home directory, as another user, and on a full disk.

`python -m benchmarks.read_only_installs [--times N] [--seed S] [--only NUMBER]`. Every command runs from a read-only
copy of the package in each environment, if possible as an unprivileged user (needs root and util-linux's `setpriv`).
Each must exit with 0 and warn at most once that compiled code is not cached.
"""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import flicksim
from benchmarks import command_line
from benchmarks.trial_report import TrialReport
from flicksim.core.paths import CACHE_VARIABLE, HOME_VARIABLE, assets_dir

_NO_HOME = "/proc/nope"
_UNPRIVILEGED_UID = 65534
_NOT_CACHED_TEXT = "The compiled physics is not kept"
_TIMEOUT = 900.0
_SMALL_DISK = 20_000
"""Largest file on the full disk: smaller than compiled code, larger than a record [bytes]."""

COMMANDS = (
    "--version",
    "games",
    "rules ice",
    "simulate {assets}/scenes/draw.json {assets}/flicks/draw.json --json",
    "simulate {assets}/scenes/squidge.json {assets}/flicks/squidge.json",
    "position pile_of_three",
    "play penny-white --seat random --seat random -o ends=1 --headless --record game.jsonl",
    "replay game.jsonl --verify",
    "match penny-white --seat random --seat random -o ends=1 --games 2 --jobs 2",
    "experiment jack-hugging --out out --shots 20 --jobs 2",
    "experiment pot-chance --out pots --shots 20 --jobs 2",
    "report out",
)


def _homeless(_: Path) -> dict[str, str]:
    variables = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), _NO_HOME)
    return {**variables, HOME_VARIABLE: "", CACHE_VARIABLE: ""}


def _cached(work: Path) -> dict[str, str]:
    return {HOME_VARIABLE: str(work / "home"), CACHE_VARIABLE: str(work / "home" / "cache")}


ENVIRONMENTS: dict[str, tuple[Callable[[Path], dict[str, str]], int]] = {
    "no home": (_homeless, 0),
    "a home": (_cached, 0),
    "a full disk": (_cached, _SMALL_DISK),
}
"""Environment variables of each, and the largest file size (0: no limit) [bytes]."""


def _as_unprivileged() -> list[str]:
    """Prefix that runs a command as an unprivileged user who may read every file; empty where that is impossible."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return []
    keep = [f"--{kind}=-all,+dac_read_search" for kind in ("inh-caps", "ambient-caps", "bounding-set")]
    return ["setpriv", f"--reuid={_UNPRIVILEGED_UID}", f"--regid={_UNPRIVILEGED_UID}", "--clear-groups", *keep]


def _copy_package(folder: Path) -> Path:
    """Make a read-only copy of the package and its assets."""
    shutil.copytree(
        Path(flicksim.__file__).parent, folder / "flicksim", ignore=shutil.ignore_patterns("__pycache__", "_assets")
    )
    shutil.copytree(assets_dir(), folder / "assets")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    return folder


def run_trials(numbers: Sequence[int]) -> TrialReport:
    """Run the commands in the environments of these numbers."""
    report = TrialReport()
    with TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)  # noqa: PTH101
        package = _copy_package(Path(scratch) / "package")
        before = sorted(str(path) for path in package.rglob("*"))
        for number in numbers:
            row = list(ENVIRONMENTS)[number % len(ENVIRONMENTS)]
            work = Path(scratch) / f"work-{number}"
            work.mkdir()
            work.chmod(0o777)
            for words in COMMANDS:
                report.count(row, "commands")
                if problem := _run_command(words, package, work, row, report):
                    report.find(row, f"{words}: {problem}", f"python -m benchmarks.read_only_installs --only {number}")
        if sorted(str(path) for path in package.rglob("*")) != before:
            report.find("-", "something was written into the package", "python -m benchmarks.read_only_installs")
        for path in (package, *package.rglob("*")):
            path.chmod(0o755)
    return report


def _run_command(words: str, package: Path, work: Path, row: str, report: TrialReport) -> str:
    """Run a command in an environment; return its problem, or an empty text."""
    variables, max_file_size = ENVIRONMENTS[row]
    env = {**os.environ, "PYTHONPATH": str(package), **variables(work)}

    def limit_file_size() -> None:
        if max_file_size:
            resource.setrlimit(resource.RLIMIT_FSIZE, (max_file_size, max_file_size))

    command = [*_as_unprivileged(), sys.executable, "-m", "flicksim", *words.format(assets=package / "assets").split()]
    completed = subprocess.run(
        command,
        cwd=work,
        env=env,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        check=False,
        preexec_fn=limit_file_size,
    )
    warnings = completed.stderr.count(_NOT_CACHED_TEXT)
    report.count(row, "warned: not cached", warnings)
    if (
        max_file_size
        and completed.returncode == 2
        and "file too large" in completed.stderr
        and completed.stderr.count("\n") <= 3
    ):
        report.count(row, "disk full")
        return ""
    if completed.returncode != 0 or "Traceback" in completed.stderr:
        return f"ended with {completed.returncode}: {completed.stderr[-300:]!r}"
    return f"warned {warnings} times that nothing is cached" if warnings > 1 else ""


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    args = command_line.trial_parser("read_only_installs", __doc__, times=1).parse_args(argv)
    numbers = range(args.times * len(ENVIRONMENTS)) if args.only is None else [args.only]
    return run_trials(numbers).show(
        f"Read-only installation, {'another user' if _as_unprivileged() else 'the same user'}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
