"""Dask scheduler and workers as local processes, for the time of a test."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Self

from tests.polling import TIMEOUT, wait_until

ROOT = Path(__file__).resolve().parents[2]


class Cluster:
    """A scheduler and some workers with one thread each; all are gone at the end of the `with`."""

    def __init__(self, folder: Path, workers: int) -> None:
        self._folder, self._count = folder, workers
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []
        self.address = ""

    def __enter__(self) -> Self:
        try:
            file = self._folder / "scheduler.json"
            self.scheduler = self._start(
                "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)
            )
            wait_until(lambda: file.exists() and file.read_text().strip())
            self.address = file.read_text().split('"address": "')[1].split('"')[0]
            for number in range(self._count):
                self.workers.append(
                    self._start(
                        "worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--name",
                        f"w{number}", "--local-directory", str(self._folder), "--host", "127.0.0.1",
                    )
                )  # fmt: skip
            self.wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self, *text: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
        with (self._folder / f"{text[0]}-{len(self.workers)}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *text], cwd=self._folder, env=environment, stdout=log, stderr=log
            )

    def wait(self) -> None:
        """Until every worker has come to the scheduler."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(self._count, timeout=TIMEOUT)

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers, *([self.scheduler] if self.scheduler is not None else [])):
            process.kill()
            process.wait()
