"""Processes that are still there: each inherits the mark its forefather was started with."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

MARK = "FLICKSIM_TRIAL"
"""Stands in the environment of a process on trial, and so in that of all it starts."""


def marked(mark: str) -> dict[str, str]:
    """An environment with a mark."""
    return {**os.environ, MARK: mark}


def left(mark: str) -> dict[int, str]:
    """Processes that carry a mark and have not ended: number and command line."""
    if not Path("/proc/self/environ").exists():
        rows = subprocess.run(("ps", "eww", "-A", "-o", "pid=,command="), capture_output=True, text=True, check=True)
        found = (row.split(maxsplit=1) for row in rows.stdout.splitlines() if f"{MARK}={mark}" in row)
        return {int(number): words for number, words in found if int(number) != os.getpid()}
    wanted = f"{MARK}={mark}".encode()
    there = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            with suppress(OSError):  # it has ended, or is another user's; what has ended shows no environment
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    there[int(folder.name)] = words.strip()
    return there


def outlived(mark: str, patience: float) -> dict[int, str]:
    """Those that are still there after so long [s]."""
    until = monotonic() + patience
    while (there := left(mark)) and monotonic() < until:
        sleep(0.02)
    return there
