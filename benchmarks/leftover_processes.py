"""Find processes that a trial left running, by an environment variable that they inherit."""

import os
import subprocess
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

MARK = "FLICKSIM_TRIAL"
"""Environment variable of a process on trial and of all its descendants."""


def marked_environment(mark: str) -> dict[str, str]:
    """This environment with a mark."""
    return {**os.environ, MARK: mark}


def running_processes(mark: str) -> dict[int, str]:
    """Command lines of the running processes with a mark, by process id."""
    if not Path("/proc/self/environ").exists():
        rows = subprocess.run(("ps", "eww", "-A", "-o", "pid=,command="), capture_output=True, text=True, check=True)
        marked = (row.split(maxsplit=1) for row in rows.stdout.splitlines() if f"{MARK}={mark}" in row)
        return {int(pid): command for pid, command in marked if int(pid) != os.getpid()}
    entry = f"{MARK}={mark}".encode()
    processes = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            with suppress(OSError):  # it has ended, or belongs to another user
                if entry in (folder / "environ").read_bytes().split(b"\0"):
                    command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    processes[int(folder.name)] = command.strip()
    return processes


def surviving_processes(mark: str, timeout: float) -> dict[int, str]:
    """Processes with a mark that are still running after a timeout [s]."""
    deadline = monotonic() + timeout
    while (processes := running_processes(mark)) and monotonic() < deadline:
        sleep(0.02)
    return processes
