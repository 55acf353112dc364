"""Line-based communication with an untrusted child process and its process group.

The child may hang, flood its output, write invalid lines, not read its input, or die. Each of its pipes has a thread of
its own, so that no request takes longer than its deadline. The child and its descendants are a process group, which is
killed with the game and with this process, however that ends.
"""

import os
import shlex
import shutil
import signal
import subprocess
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, Queue, SimpleQueue
from threading import Thread
from time import monotonic
from typing import IO

from flicksim.core.errors import Forfeited, InvalidOption

MAX_ANSWER_BYTES = 1 << 20
"""Length to which an answer is truncated, which then is no valid JSON [bytes]."""
_SHUTDOWN_TIMEOUT = 0.5
"""Time that a program has to exit once its input is closed [s]."""
_KILL_TIMEOUT = 10.0
"""Time in which a killed process has ended even on a machine that is very busy [s]."""
_WATCHDOG_COMMAND = ("/bin/sh", "-c", "read none; kill -KILL 0")
"""Watchdog: waits for the end of its input, then kills its process group, itself included."""


def split_command(command: str) -> list[str]:
    """Split a command line into words.

    Raises:
        InvalidOption: it is empty, or a quotation is not closed.
    """
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        raise InvalidOption(f"program {command!r} cannot be read: {str(error).lower()}") from None
    if not words:
        raise InvalidOption("no program after 'cmd:'; write the command that starts it, as 'cmd:python3 player.py'")
    return words


def require_executable(command: str) -> None:
    """Check that the program of a command exists.

    Raises:
        InvalidOption: no such program can be started here.
    """
    program = split_command(command)[0]
    if shutil.which(program) is None:
        raise InvalidOption(f"no program {program!r} to start for seat 'cmd:{command}'; give its path, or install it")


class _ProcessGroup:
    """Process group that is killed when this process ends.

    A watchdog in the group reads from a pipe whose write end is open here and never written to: the pipe closes with
    this process, also when it is killed. On Windows, which has no such groups, a program that outlives this process
    only sees the end of its input.
    """

    def __init__(self) -> None:
        self._watchdog: subprocess.Popen[bytes] | None = None
        self.pgid: int | None = None
        """Process group id; None where the platform has no groups."""
        if os.name != "posix":
            return
        read_end, self._pipe_write_end = os.pipe()
        try:
            self._watchdog = subprocess.Popen(
                _WATCHDOG_COMMAND, stdin=read_end, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0
            )
            self.pgid = self._watchdog.pid
        except OSError:
            os.close(self._pipe_write_end)
            raise
        finally:
            os.close(read_end)

    def kill(self, process: subprocess.Popen[bytes] | None = None) -> None:
        """Kill all processes of the group, and `process` even if it has left the group."""
        if self._watchdog is None:
            if process is not None and process.poll() is None:
                subprocess.run(("taskkill", "/F", "/T", "/PID", str(process.pid)), capture_output=True, check=False)
        else:
            # the watchdog is not reaped yet, so the group id cannot have been reused
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._watchdog.pid, signal.SIGKILL)
            os.close(self._pipe_write_end)
        for child in (process, self._watchdog):
            if child is not None:
                child.kill()
                with suppress(subprocess.TimeoutExpired):
                    child.wait(timeout=_KILL_TIMEOUT)


class SubprocessClient:
    """Running program with line-based requests; it and its child processes are killed with the game.

    Args:
        command: command and arguments.

    Raises:
        Forfeited: it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        # unbuffered: answers of a Python program that does not flush arrive all the same
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        group: _ProcessGroup | None = None
        try:
            group = _ProcessGroup()
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                env=environment, process_group=group.pgid,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            if group is not None:
                group.kill()
            reason = getattr(error, "strerror", None) or str(error)
            raise Forfeited(f"could not be started: {reason.lower()}") from None
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self._responses: Queue[bytes | None] = Queue(maxsize=8)
        self._stderr_lines: deque[bytes] = deque(maxlen=8)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._threads = (
            Thread(target=_write_lines, args=(process.stdin, self._requests), daemon=True),
            Thread(target=_read_lines, args=(process.stdout, self._responses), daemon=True),
            Thread(target=_read_stderr, args=(process.stderr, self._stderr_lines), daemon=True),
        )
        for thread in self._threads:
            thread.start()
        self._finalizer = weakref.finalize(self, group.kill, process)

    def request(self, line: bytes, deadline: float) -> bytes:
        """Send a line and return the next line of the program.

        Args:
            deadline: latest time of the answer, on the clock `time.monotonic` [s].

        Raises:
            TimeoutError: its time is over. Forfeited: it has ended.
        """
        self._requests.put(line)
        try:
            answer = self._responses.get(timeout=max(0.0, deadline - monotonic()))
        except Empty:
            raise TimeoutError from None
        if answer is None:
            raise self._exit_error()
        return answer

    def _exit_error(self) -> Forfeited:
        """Error that tells how the program ended, with the last line of its stderr."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=_SHUTDOWN_TIMEOUT)
        self._threads[2].join(timeout=_SHUTDOWN_TIMEOUT)
        code = self._process.poll()
        exit_text = "closed its output" if code is None else f"ended with exit code {code}"
        if code is not None and code < 0:
            exit_text = f"was ended by signal {-code}"
        lines = [text for line in self._stderr_lines if (text := line.decode(errors="replace").strip())]
        reason = f"{exit_text} without an answer"
        return Forfeited(reason + (f" ({lines[-1][:200]})" if lines else ""), reason)

    def close(self, *, force: bool = False) -> None:
        """End the program by closing its input, then kill its process group."""
        self._requests.put(None)
        if not force:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=_SHUTDOWN_TIMEOUT)
        self._finalizer()
        _drain_queue(self._responses, self._threads[1])
        for thread in self._threads:
            thread.join(timeout=_SHUTDOWN_TIMEOUT)


def _write_lines(pipe: IO[bytes], lines: SimpleQueue[bytes | None]) -> None:
    with suppress(OSError), pipe:
        while (line := lines.get()) is not None:
            left = memoryview(line + b"\n")
            while left:
                left = left[pipe.write(left) or 0 :]


def _read_lines(pipe: IO[bytes], answers: Queue[bytes | None]) -> None:
    """Put lines of the program into a bounded queue, which limits memory; None after the last."""
    rest = b""
    with suppress(OSError, ValueError), pipe:
        while piece := pipe.read(65536):
            *lines, rest = (rest + piece).split(b"\n")
            if len(rest) > MAX_ANSWER_BYTES:
                lines, rest = [*lines, rest[:MAX_ANSWER_BYTES]], b""
            for line in filter(bytes.strip, lines):
                answers.put(line)
    answers.put(None)


def _read_stderr(pipe: IO[bytes], stderr_lines: deque[bytes]) -> None:
    """Keep the last lines of the program's stderr, of limited length."""
    rest = b""
    with suppress(OSError, ValueError), pipe:
        while piece := pipe.read(65536):
            *lines, rest = (rest + piece).split(b"\n")
            rest = rest[-4096:]
            stderr_lines.extend(line[-4096:] for line in lines[-8:])
    stderr_lines.append(rest)


def _drain_queue(answers: Queue[bytes | None], listener: Thread) -> None:
    """Discard queued lines until the reader thread ends."""
    until = monotonic() + _SHUTDOWN_TIMEOUT
    while listener.is_alive() and monotonic() < until:
        with suppress(Empty):
            answers.get(timeout=0.01)
