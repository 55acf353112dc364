"""Shots and thoughts while the compiler is at work: a process that compiles nothing makes them, slower, with the same
bits; thoughts that somebody waits for are less deep there."""

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
from time import monotonic
from types import ModuleType
from typing import BinaryIO, Protocol, cast
from weakref import finalize

from flicksim.base.errors import FlicksimError
from flicksim.base.kinds import Account, Action, Staged
from flicksim.games import load
from flicksim.physics import Settings, settle
from flicksim.physics.flight.jit import PLAIN
from flicksim.play.background import Background
from flicksim.play.interrupt import safe_point
from flicksim.play.match import Question
from flicksim.players import SearchPlayer, WeighingPlayer, stop_if_cancelled
from flicksim.referee import Game

THINKERS = (SearchPlayer, WeighingPlayer)
"""Players whose thoughts go by what is compiled."""
_LOOKS = 0.05
"""So often it is seen to whether a thought is still wanted [s]."""


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


@dataclass(frozen=True, slots=True)
class _Hurried:
    """A question to a player that answers as well as it can until then [s, `time.monotonic`]."""

    question: Question
    until: float

    def answer(self) -> Action:
        """The player's action."""
        asked = self.question
        assert isinstance(asked.player, THINKERS)
        return asked.player.hurried(asked.view, asked.choices, asked.rng, lambda: monotonic() < self.until)


class _Packed(pickle.Pickler):
    """Players know their game, its rules and its bot, which are modules: those go by their names."""

    dispatch_table = copyreg.dispatch_table | {
        ModuleType: lambda one: (import_module, (one.__name__,)),
        Game: lambda one: (load, (one.name,)),
    }


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
        return cast(Account, self._answered(_Shot(before, action, settings), safe_point))

    def choose(
        self, question: Question, patience: float | None = None, look: Callable[[], None] = stop_if_cancelled
    ) -> Action:  # fmt: skip
        """The action that a bot chooses. Where it is given up, the process ends with it.

        Args:
            patience: about so long it has, and thinks as deep as bots do where nothing is compiled [s]; without it
                thinks as it always does. look: is called again and again meanwhile, and may raise.

        Raises:
            OSError: there is no such process, or the question cannot be handed to it.
            FlicksimError: as of the player. GivenUp: nobody waits any more.
        """
        asked: _Asked = question if patience is None else _Hurried(question, monotonic() + patience)
        return cast(Action, self._answered(asked, look))

    def _answered(self, asked: _Asked, look: Callable[[], None]) -> object:
        """The answer; `look` is called again and again meanwhile, and may raise."""
        packed = BytesIO()
        try:
            _Packed(packed).dump(asked)
        except (AttributeError, TypeError, pickle.PicklingError) as wrong:
            raise OSError("this cannot be handed to another process") from wrong
        with self._talk:
            look()
            process = self._begun()
            job = Background(lambda: _exchanged(process, packed.getvalue()))
            try:
                while not job.wait(_LOOKS):
                    look()
                came = job.result()
            except (FlicksimError, KeyboardInterrupt):
                self._end()
                raise
            except Exception as wrong:
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
                stderr=subprocess.DEVNULL, env={**os.environ, PLAIN: "1"}, start_new_session=True,
            )  # fmt: skip
            self._end = finalize(self, _ended, self.process)
        return self.process


def _exchanged(process: subprocess.Popen[bytes], packed: bytes) -> object:
    """Hand a question over, and wait for the answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(packed)
    process.stdin.flush()
    return cast(object, pickle.load(process.stdout))


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
    try:
        while True:
            asked.put(pickle.load(asking))
    finally:
        os._exit(0)  # also where it cannot be read: who asks is told by that
