"""Shots and thoughts while the compiler is at work: a process that compiles nothing makes them, slower, with the same
bits."""

from __future__ import annotations

import copyreg
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from queue import SimpleQueue
from threading import Lock, Thread
from types import ModuleType
from typing import BinaryIO, Protocol, cast
from weakref import finalize

from flicksim.base.errors import FlicksimError
from flicksim.base.kinds import Account, Action, Staged
from flicksim.physics import Settings, settle
from flicksim.physics.flight.jit import PLAIN
from flicksim.play import Question


class _Asked(Protocol):
    """Something to be worked out."""

    def answer(self) -> object:
        """The outcome."""


@dataclass(frozen=True, slots=True)
class _Shot:
    """A shot to be settled."""

    before: Staged
    action: Action
    settings: Settings

    def answer(self) -> Account:
        """The finished motion."""
        return settle(self.before, self.action, self.settings)


class _Packed(pickle.Pickler):
    """Players know the rules and the bot of their game, which are modules: those go by their names."""

    dispatch_table = copyreg.dispatch_table | {ModuleType: lambda one: (import_module, (one.__name__,))}


class Meanwhile:
    """A process that works with plain functions. It begins when it is first wanted, and ends with this one."""

    def __init__(self) -> None:
        self._talk = Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self._end: Callable[[], object] = lambda: None
        self._over = False

    def begin(self) -> None:
        """Begin it, so that the first shot need not wait for it."""
        with self._talk, suppress(OSError):
            self._begun()

    def settle(self, before: Staged, action: Action, settings: Settings) -> Account:
        """The finished motion.

        Raises:
            OSError: there is no such process. FlicksimError: as of `settle`.
        """
        return cast(Account, self._answered(_Shot(before, action, settings)))

    def choose(self, question: Question) -> Action:
        """The action that a bot chooses.

        Raises:
            OSError: there is no such process. FlicksimError: as of the player.
        """
        return cast(Action, self._answered(question))

    def _answered(self, asked: _Asked) -> object:
        packed = BytesIO()
        _Packed(packed).dump(asked)
        with self._talk:
            process = self._begun()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(packed.getbuffer())
                process.stdin.flush()
                came: object = pickle.load(process.stdout)
            except (EOFError, ValueError, pickle.UnpicklingError) as wrong:
                self._end()
                raise OSError("the process that makes shots has ended") from wrong
        if isinstance(came, FlicksimError):
            raise came
        return came

    def end(self) -> None:
        """End it; nobody asks for more, and whoever waits for a shot is told."""
        self._over = True
        self._end()

    def _begun(self) -> subprocess.Popen[bytes]:
        if self._over:
            raise OSError("no more shots are made here")
        if self.process is None or self.process.poll() is not None:
            code = f"from {__name__} import serve; serve()"
            self.process = subprocess.Popen(
                [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env={**os.environ, PLAIN: "1"},
            )  # fmt: skip
            self._end = finalize(self, _ended, self.process)
        return self.process


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # what was still to be written is of no use any more
            assert pipe is not None
            pipe.close()
    process.wait()


def serve() -> None:
    """In the process: work out what is asked for, until nobody can ask any more."""
    # what else is written must not come between the answers
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    asked: SimpleQueue[_Asked] = SimpleQueue()
    Thread(target=_read, args=(sys.stdin.buffer, asked), daemon=True).start()
    while True:
        one = asked.get()
        came: object
        try:
            came = one.answer()
        except FlicksimError as wrong:
            came = wrong
        pickle.dump(came, answers)
        answers.flush()


def _read(asking: BinaryIO, asked: SimpleQueue[_Asked]) -> None:
    """Hand on what is asked; who asks may end in the middle of it, and then nobody wants it."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            asked.put(pickle.load(asking))
    os._exit(0)
