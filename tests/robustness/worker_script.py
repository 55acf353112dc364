"""Work shared out by a process of its own, which says on stdout what it has done; it is ended from outside.

`python -m tests.robustness.worker_script FOLDER`: of four tasks the first is done at once; the others take very long.
"""

import os
import sys
import time
from pathlib import Path

from flicksim.match.workers import map_unordered


def task(folder: str, number: int) -> int:
    """Say that it was begun; only the first is over soon."""
    (Path(folder) / f"begun-{number}").write_text(str(os.getpid()))
    time.sleep(0.01 if number == 0 else 600.0)
    return number


if __name__ == "__main__":
    try:
        for done in map_unordered(task, [(sys.argv[1], number) for number in range(4)], jobs=2):
            print(f"done {done}", flush=True)
    except KeyboardInterrupt:
        print("stopped", flush=True)
        raise SystemExit(1) from None
