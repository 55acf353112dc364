"""Work shared out by a process of its own, which says on stdout what it has done; it is ended from outside.

`python -m tests.robustness.worker_script FOLDER`: of four tasks the first is done at once; the others take very long.
With `killed` or `stopped` in place of the folder a worker is killed while it writes a large result, or the parent gets
Ctrl-C twice then.
"""

import os
import signal
import sys
import time
from itertools import count
from pathlib import Path
from types import FrameType

from flicksim.match.workers import map_unordered


def task(folder: str, number: int) -> int:
    """Say that it was begun; only the first is over soon."""
    (Path(folder) / f"begun-{number}").write_text(str(os.getpid()))
    time.sleep(0.01 if number == 0 else 600.0)
    return number


def half_written(ending: str) -> bytes:
    """Give a result whose length is written first, by itself, and end before the rest is."""
    writes = count()

    def end_in_second_write(_: FrameType, event: str, function: object) -> None:
        if event == "c_call" and function is os.write and next(writes) == 1:
            if ending == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            for number in (signal.SIGINT, signal.SIGTERM):
                os.kill(os.getppid(), number)
            time.sleep(600.0)

    sys.setprofile(end_in_second_write)
    return bytes(100_000)


if __name__ == "__main__":
    where = sys.argv[1]
    try:
        if where in ("killed", "stopped"):
            list(map_unordered(half_written, [(where,)], jobs=2))
        for done in map_unordered(task, [(where, number) for number in range(4)], jobs=2):
            print(f"done {done}", flush=True)
    except KeyboardInterrupt:
        print("stopped", flush=True)
        raise SystemExit(1) from None
