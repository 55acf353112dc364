"""Compiling told part by part to whoever listens: numba says when it begins and ends with a function.

What is only loaded from the disk is not told of. Worker processes tell theirs to the process that began them.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, Protocol, TypeAlias

from flicksim.physics.flight import jit

_ROOMS = {
    "flicksim.physics.flight": "the flight of winks",
    "flicksim.physics.space": "the flight of pyramids",
}
"""Rooms that are compiled as a whole, whichever of their functions is called first, and what they are for."""
_OTHERS = {"flicksim.physics.batch": "shots by the thousand", "flicksim.games": "the bots' thought"}
"""Rooms of which that alone is compiled which is called."""
_SAID = "FLICKSIM_COMPILES"
"""Environment variable by which `jit` knows that what everybody waits for has been said: it is told of here."""
_KIND = "numba:compile"

Quick: TypeAlias = Callable[..., object]
"""A function that is compiled when it is called."""


class Compiling(NamedTuple):
    """The compiler at work.

    Args:
        what: is made ready, for people. done: parts of it that are. of: parts it has.
        over: whether the compiler is done for now.
    """

    what: str
    done: int
    of: int
    over: bool


Tell: TypeAlias = Callable[[Compiling], None]
_tells: list[Tell] = []
"""Those who listen, the last one to the ear of all."""


def told() -> Tell | None:
    """Whoever is told of compiling in this process; nobody where none listens, or none can."""
    return _tells[-1] if _tells else None


@contextmanager
def while_compiling_is_told(tell: Tell) -> Iterator[None]:
    """In here each part that is compiled is told of, and no other word is said of it."""
    events = _events()
    if events is None:
        yield
        return
    ear, before = _Ear(tell), os.environ.get(_SAID)
    _tells.append(tell)
    events.register(_KIND, ear)
    os.environ[_SAID] = "1"
    try:
        yield
    finally:
        events.unregister(_KIND, ear)
        _tells.remove(tell)
        os.environ.pop(_SAID)
        if before is not None:
            os.environ[_SAID] = before


def tell_for_good(tell: Tell) -> None:
    """Tell of each part that is compiled in this process, a worker, until it ends."""
    events = _events()
    if events is not None:
        _tells.append(tell)
        events.register(_KIND, _Ear(tell))


def _events() -> ModuleType | None:
    """The events of numba; none where it is not here, or has changed inside."""
    if jit.njit is None:
        return None
    with suppress(ImportError, AttributeError):
        events = importlib.import_module("numba.core.event")
        events.Listener.register(_Ear)
        return events
    return None


class _Event(Protocol):
    """An event of numba, as far as it is listened to."""

    data: dict[str, Quick]
    is_start: bool


@dataclass(slots=True)
class _Ear:
    """Hears when numba begins and ends with a function, those within others too."""

    tell: Tell
    depth: int = 0
    what: str = ""
    parts: dict[str, Quick] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)

    def notify(self, event: _Event) -> None:
        """An event of numba: it holds its lock meanwhile, so they come one after another."""
        function = event.data["dispatcher"]
        if event.is_start:
            self.depth += 1
            if self.depth == 1:
                self._begin(function)
        else:
            self.depth = max(0, self.depth - 1)
        done = sum(name in self.kept or bool(getattr(one, "signatures", ())) for name, one in self.parts.items())
        over = self.depth == 0
        if self.what:
            self.tell(Compiling(self.what, done if over else min(done, len(self.parts) - 1), len(self.parts), over))

    def _begin(self, function: Quick) -> None:
        before = self.what
        self.what, parts = all_of(function)
        self.parts = self.parts | parts if self.what == before else parts
        folder = jit.kept_in()
        self.kept = {name for name, one in self.parts.items() if folder and is_kept(one, Path(folder))}


def all_of(function: Quick) -> tuple[str, dict[str, Quick]]:
    """The work that a function is for, and all that is compiled with it, by name; no work of a function not ours."""
    module = function.__module__
    for room, what in _ROOMS.items():
        if module.startswith(f"{room}."):
            files = [one for name, one in list(sys.modules.items()) if name.startswith(f"{room}.")]
            return what, {_name(one): one for file in files for one in vars(file).values() if _is_in(one, room)}
    what = next((what for room, what in _OTHERS.items() if module.startswith(f"{room}.")), "")
    return what, _called(function, {})


def _is_in(thing: object, room: str) -> bool:
    """Tell whether that is a function compiled in a room."""
    return hasattr(thing, "py_func") and str(thing.__module__).startswith(f"{room}.")


def _called(function: Quick, found: dict[str, Quick]) -> dict[str, Quick]:
    """A function and those it calls, and so on."""
    plain: Quick | None = getattr(function, "py_func", None)
    if plain is None or _name(function) in found:
        return found
    found[_name(function)] = function
    names, known = plain.__code__.co_names, plain.__globals__
    files = [known[name] for name in names if isinstance(known.get(name), ModuleType)]
    for name in names:
        for one in (known.get(name), *(vars(file).get(name) for file in files)):
            if hasattr(one, "py_func"):
                _called(one, found)
    return found


def _name(function: Quick) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def is_kept(function: Quick, folder: Path) -> bool:
    """Tell whether it is on the disk, in the folder of compiled code, as its source has it: then it is only loaded."""
    source = Path(str(sys.modules[function.__module__].__file__))
    kept = folder.glob(f"{source.parent.name}_*/{source.stem}.{function.__qualname__}-*.nbi")
    return any(one.stat().st_mtime >= source.stat().st_mtime for one in kept)
