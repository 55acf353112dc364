"""A child process that is spoken to in lines, and that nobody trusts.

It may keep silent, flood, talk nonsense, not listen, or die. Each of its pipes has a thread of its own, so nothing it
does or leaves undone holds up the one who asks for longer than he will wait. It and all it starts are a group of
processes, which ends when the game does and when this process does, whatever ends it.
"""

from __future__ import annotations

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

from flicksim.base.errors import BadOption, Forfeited

LONGEST = 1 << 20
"""An answer longer than this is cut, and then is no JSON [bytes]."""
_FAREWELL = 0.5
"""Time a program has to end by itself once its input is closed [s]."""
_WATCH = ("/bin/sh", "-c", "read none; kill -KILL 0")
"""Waits for the end of its input, and then ends its group, itself with it."""


def words_of(command: str) -> list[str]:
    """A command line as its words.

    Raises:
        BadOption: there are none, or a quotation does not end.
    """
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as wrong:
        raise BadOption(f"program {command!r} cannot be read: {str(wrong).lower()}") from None
    if not words:
        raise BadOption("no program after 'cmd:'; write the command that starts it, as 'cmd:python3 player.py'")
    return words


def must_be_there(command: str) -> None:
    """Raises:
    BadOption: no such program can be started here.
    """
    program = words_of(command)[0]
    if shutil.which(program) is None:
        raise BadOption(f"no program {program!r} to start for seat 'cmd:{command}'; give its path, or install it")


class _Group:
    """A group of processes that ends with this one.

    A watchman belongs to it, who reads from a pipe that is written to by nobody and held open here: it closes with
    this process, also when that is killed. Where there are no such groups, on Windows, a program that outlives us only
    learns of it by the end of its input.
    """

    def __init__(self) -> None:
        self._watch: subprocess.Popen[bytes] | None = None
        if os.name != "posix":
            return
        theirs, self._ours = os.pipe()
        try:
            self._watch = subprocess.Popen(
                _WATCH, stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0
            )
        except OSError:
            os.close(self._ours)
            raise
        finally:
            os.close(theirs)

    @property
    def number(self) -> int | None:
        """Its number; None where there are no groups."""
        return None if self._watch is None else self._watch.pid

    def end(self, process: subprocess.Popen[bytes] | None = None) -> None:
        """End whoever is in it, and this one of them even if it has left."""
        if self._watch is None:
            if process is not None and process.poll() is None:
                subprocess.run(("taskkill", "/F", "/T", "/PID", str(process.pid)), capture_output=True, check=False)
        else:
            # the watchman was not waited for yet, so nobody else can have the group's number
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._watch.pid, signal.SIGKILL)
            os.close(self._ours)
        for one in (process, self._watch):
            if one is not None:
                one.kill()
                with suppress(subprocess.TimeoutExpired):
                    one.wait(timeout=_FAREWELL)


class Child:
    """A running program. It is ended with the game, and whatever it started with it.

    Args:
        words: command and arguments.

    Raises:
        Forfeited: it cannot be started.
    """

    def __init__(self, words: Sequence[str]) -> None:
        # unbuffered: a program in Python that forgets to flush is heard all the same
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        group: _Group | None = None
        try:
            group = _Group()
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                env=environment, process_group=group.number,
            )  # fmt: skip
        except (OSError, ValueError) as wrong:
            if group is not None:
                group.end()
            reason = getattr(wrong, "strerror", None) or str(wrong)
            raise Forfeited(f"could not be started: {reason.lower()}") from None
        self._asked: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: Queue[bytes | None] = Queue(maxsize=8)
        self._murmurs: deque[bytes] = deque(maxlen=8)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._threads = (
            Thread(target=_speak, args=(process.stdin, self._asked), daemon=True),
            Thread(target=_listen, args=(process.stdout, self._answers), daemon=True),
            Thread(target=_overhear, args=(process.stderr, self._murmurs), daemon=True),
        )
        for thread in self._threads:
            thread.start()
        self._finalizer = weakref.finalize(self, group.end, process)

    def ask(self, line: bytes, until: float) -> bytes:
        """Its next line after it was sent this one.

        Args:
            until: when its time is over, on the clock `time.monotonic` [s].

        Raises:
            TimeoutError: its time is over. Forfeited: it has ended.
        """
        self._asked.put(line)
        try:
            answer = self._answers.get(timeout=max(0.0, until - monotonic()))
        except Empty:
            raise TimeoutError from None
        if answer is None:
            raise Forfeited(self._last_words())
        return answer

    def _last_words(self) -> str:
        """Its end in words, and the last thing it complained of."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=_FAREWELL)
        self._threads[2].join(timeout=_FAREWELL)
        code = self._process.poll()
        how = "closed its output" if code is None else f"ended with exit code {code}"
        if code is not None and code < 0:
            how = f"was ended by signal {-code}"
        said = [text for murmur in self._murmurs if (text := murmur.decode(errors="replace").strip())]
        return f"{how} without an answer" + (f" ({said[-1][:200]})" if said else "")

    def close(self, *, at_once: bool = False) -> None:
        """End it: by closing its input and, if that is not heard, by force."""
        self._asked.put(None)
        if not at_once:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=_FAREWELL)
        self._finalizer()
        _drain(self._answers, self._threads[1])
        for thread in self._threads:
            thread.join(timeout=_FAREWELL)


def _speak(pipe: IO[bytes], lines: SimpleQueue[bytes | None]) -> None:
    with suppress(OSError), pipe:
        while (line := lines.get()) is not None:
            left = memoryview(line + b"\n")
            while left:
                left = left[pipe.write(left) or 0 :]


def _listen(pipe: IO[bytes], answers: Queue[bytes | None]) -> None:
    """Its lines into the queue; None once there are no more. A flood waits in the pipe, not in memory."""
    rest = b""
    with suppress(OSError, ValueError), pipe:
        while piece := pipe.read(65536):
            *lines, rest = (rest + piece).split(b"\n")
            if len(rest) > LONGEST:
                lines, rest = [*lines, rest[:LONGEST]], b""
            for line in filter(bytes.strip, lines):
                answers.put(line)
    answers.put(None)


def _overhear(pipe: IO[bytes], murmurs: deque[bytes]) -> None:
    """The last of what it writes to its stderr, and no more."""
    rest = b""
    with suppress(OSError, ValueError), pipe:
        while piece := pipe.read(65536):
            *lines, rest = (rest + piece).split(b"\n")
            rest = rest[-4096:]
            murmurs.extend(line[-4096:] for line in lines[-8:])
    murmurs.append(rest)


def _drain(answers: Queue[bytes | None], listener: Thread) -> None:
    """Take lines nobody will read, so that who brings them comes to the end."""
    until = monotonic() + _FAREWELL
    while listener.is_alive() and monotonic() < until:
        with suppress(Empty):
            answers.get(timeout=0.01)
