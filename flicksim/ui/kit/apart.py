"""Long work in a process of its own: it tells one thing after another, and nothing it does holds the window up.

A thread beside the window shares its interpreter with it, and a shot that is settled in one piece stops every frame
meanwhile. The process begins when it is first asked, waits for more, and ends with this one.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import BinaryIO, Generic, NamedTuple, TypeVar
from weakref import finalize

from flicksim.base.errors import FlicksimError
from flicksim.base.files import reason
from flicksim.players import while_heard, while_wanted

T = TypeVar("T")
_BACK = 5
"""So far behind the window it stands [nice]."""
_OFTEN = 0.1
"""So often at most it is told how many shots are settled [s]."""


class _Asked(NamedTuple):
    """A question: its number, a function that another process can import, and what that is handed."""

    number: int
    tell: Callable[..., Iterator[object]]
    given: tuple[object, ...]


class _Heard(NamedTuple):
    """A thing told of a question; `over`: the last word, which is empty or says what went wrong."""

    number: int
    thing: object
    over: bool = False


class _Settled(NamedTuple):
    """So many more shots."""

    shots: int


class Apart(Generic[T]):
    """Work that is asked for and looked in on once a frame; what was asked before is called off.

    Where the process ends or cannot begin, that is said of what was asked, and the next question begins another.

    Args:
        ready: called beside the window before the first question; may wait.
    """

    def __init__(self, ready: Callable[[], None] = lambda: None) -> None:
        self.told: list[T] = []
        """Things told of what was asked last."""
        self.done, self.wrong = True, ""
        """True if all is told; and in words why not."""
        self.settled = 0
        """Shots settled so far for what was asked last."""
        self.waits = False
        """True until the process has begun to answer."""
        self._number = 0
        self._ready = ready
        self._heard: SimpleQueue[_Heard] = SimpleQueue()
        self._asked: SimpleQueue[_Asked | None] = SimpleQueue()
        self._begun = False

    def ask(self, tell: Callable[..., Iterator[T]], *given: object) -> None:
        """Ask for all that a function tells, one thing after another."""
        self._number += 1
        self.told, self.done, self.wrong, self.settled = [], False, "", 0
        if not self._begun:
            # queues of its own: what an earlier process left unread is nobody's
            self._begun, self._asked, self._heard = True, SimpleQueue(), SimpleQueue()
            self.waits = True
            Thread(target=_talk, args=(self._asked, self._heard, self._ready), daemon=True).start()
        self._asked.put(_Asked(self._number, tell, given))

    def update(self) -> None:
        """Take in what has been told since."""
        while not self._heard.empty():
            number, thing, over = self._heard.get()
            self.waits = False
            if number == 0:
                # nobody answers any more: the next question begins anew
                self._begun = False
                self._asked.put(None)
            if self.done if number == 0 else number != self._number:
                continue
            if isinstance(thing, _Settled):
                self.settled += thing.shots
            elif over:
                self.done, self.wrong = True, str(thing or "")
            else:
                self.told.append(thing)  # type: ignore[arg-type]

    def drop(self) -> None:
        """Nobody wants what was asked any more."""
        if not self.done:
            self._number += 1
            self.done = True
            self._asked.put(_Asked(self._number, _nothing, ()))

    def leave(self) -> None:
        """Nobody will ask again."""
        self.drop()
        self._asked.put(None)


def _nothing() -> Iterator[object]:
    return iter(())


def _talk(asked: SimpleQueue[_Asked | None], heard: SimpleQueue[_Heard], ready: Callable[[], None]) -> None:
    """Beside the window: begin the process, hand on what is asked, and see that what it tells is heard."""
    try:
        ready()
        process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import serve; serve()"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, FlicksimError) as wrong:
        why = reason(wrong) if isinstance(wrong, OSError) else wrong
        heard.put(_Heard(0, f"nothing can be worked out here: {why}", over=True))
        return
    assert process.stdin is not None
    assert process.stdout is not None
    gone = finalize(heard, process.kill)  # also where the window ends without a word
    Thread(target=_listen, args=(process.stdout, heard), daemon=True).start()
    with suppress(OSError):
        while (one := asked.get()) is not None:
            pickle.dump(one, process.stdin)
            process.stdin.flush()
    gone()
    with suppress(OSError):
        process.stdin.close()
    process.wait()


def _listen(pipe: BinaryIO, heard: SimpleQueue[_Heard]) -> None:
    with suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
        while True:
            heard.put(pickle.load(pipe))
    pipe.close()
    heard.put(_Heard(0, "the process that works it out has ended", over=True))


def serve() -> None:
    """In the process: answer the newest question, until nobody can ask any more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what else is written must not come between the answers
    with suppress(AttributeError, OSError):
        os.nice(_BACK)
    asked: SimpleQueue[_Asked] = SimpleQueue()
    newest = [0]
    Thread(target=_read, args=(sys.stdin.buffer, asked, newest), daemon=True).start()

    def say(heard: _Heard) -> None:
        pickle.dump(heard, answers)
        answers.flush()

    while True:
        one = asked.get()
        if one.number == newest[0]:
            _answer(one, lambda one=one: one.number == newest[0], say)  # type: ignore[misc]


def _answer(one: _Asked, wanted: Callable[[], bool], say: Callable[[_Heard], None]) -> None:
    """Say all that is told of a question, as long as it is wanted, and now and then how many shots it has taken."""
    shots, last = 0, monotonic()

    def hear(more: int) -> None:
        nonlocal shots, last
        shots += more
        if monotonic() - last > _OFTEN:
            say(_Heard(one.number, _Settled(shots)))
            shots, last = 0, monotonic()

    say(_Heard(one.number, _Settled(0)))  # it has begun
    with while_wanted(wanted), while_heard(hear):
        try:
            for thing in one.tell(*one.given):
                say(_Heard(one.number, thing))
            say(_Heard(one.number, _Settled(shots)))
            say(_Heard(one.number, None, over=True))
        except FlicksimError as wrong:
            say(_Heard(one.number, str(wrong), over=True))


def _read(asking: BinaryIO, asked: SimpleQueue[_Asked], newest: list[int]) -> None:
    """Hand on what is asked; who asks may end in the middle of it, and then nobody wants it."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            one = pickle.load(asking)
            newest[0] = one.number
            asked.put(one)
    os._exit(0)
