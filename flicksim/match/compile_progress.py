"""Progress of JIT compilation, from numba's compiler events.

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

from flicksim.engine import jit

_WHOLE_PACKAGES = {
    "flicksim.engine.winks": "the flight of winks",
    "flicksim.engine.pyramids": "the flight of pyramids",
}
"""Rooms that are compiled as a whole, whichever of their functions is called first, and what they are for."""
_PARTIAL_PACKAGES = {"flicksim.engine.batch": "shots by the thousand", "flicksim.games": "the bots' thought"}
"""Rooms of which that alone is compiled which is called."""
_ANNOUNCED_ENV = "FLICKSIM_COMPILES"
"""Environment variable by which `jit` knows that what everybody waits for has been said: it is told of here."""
_NUMBA_EVENT = "numba:compile"

CompiledFunction: TypeAlias = Callable[..., object]
"""A function that is compiled when it is called."""


class CompileProgress(NamedTuple):
    """The compiler at work.

    Args:
        label: is made ready, for people. done: parts of it that are. total: parts it has.
        is_idle: whether the compiler is done for now.
    """

    label: str
    done: int
    total: int
    is_idle: bool


ProgressCallback: TypeAlias = Callable[[CompileProgress], None]
_listeners: list[ProgressCallback] = []
"""Those who listen, the last one to the ear of all."""


def current_listener() -> ProgressCallback | None:
    """Whoever is told of compiling in this process; nobody where none listens, or none can."""
    return _listeners[-1] if _listeners else None


@contextmanager
def report_compiling(on_progress: ProgressCallback) -> Iterator[None]:
    """In here each part that is compiled is told of, and no other word is said of it."""
    events = _numba_events()
    if events is None:
        yield
        return
    ear, before = _CompileListener(on_progress), os.environ.get(_ANNOUNCED_ENV)
    _listeners.append(on_progress)
    events.register(_NUMBA_EVENT, ear)
    os.environ[_ANNOUNCED_ENV] = "1"
    try:
        yield
    finally:
        events.unregister(_NUMBA_EVENT, ear)
        _listeners.remove(on_progress)
        os.environ.pop(_ANNOUNCED_ENV)
        if before is not None:
            os.environ[_ANNOUNCED_ENV] = before


def report_compiling_always(on_progress: ProgressCallback) -> None:
    """Tell of each part that is compiled in this process, a worker, until it ends."""
    events = _numba_events()
    if events is not None:
        _listeners.append(on_progress)
        events.register(_NUMBA_EVENT, _CompileListener(on_progress))


def _numba_events() -> ModuleType | None:
    """The events of numba; none where it is not here, or has changed inside."""
    if jit.numba_njit is None:
        return None
    with suppress(ImportError, AttributeError):
        events = importlib.import_module("numba.core.event")
        events.Listener.register(_CompileListener)
        return events
    return None


class _NumbaEvent(Protocol):
    """An event of numba, as far as it is listened to."""

    data: dict[str, CompiledFunction]
    is_start: bool


@dataclass(slots=True)
class _CompileListener:
    """Hears when numba begins and ends with a function, those within others too."""

    on_progress: ProgressCallback
    depth: int = 0
    label: str = ""
    parts: dict[str, CompiledFunction] = field(default_factory=dict)
    cached: set[str] = field(default_factory=set)

    def notify(self, event: _NumbaEvent) -> None:
        """An event of numba: it holds its lock meanwhile, so they come one after another."""
        function = event.data["dispatcher"]
        if event.is_start:
            self.depth += 1
            if self.depth == 1:
                self._start(function)
        else:
            self.depth = max(0, self.depth - 1)
        done = sum(name in self.cached or bool(getattr(one, "signatures", ())) for name, one in self.parts.items())
        over = self.depth == 0
        if self.label:
            self.on_progress(
                CompileProgress(self.label, done if over else min(done, len(self.parts) - 1), len(self.parts), over)
            )

    def _start(self, function: CompiledFunction) -> None:
        before = self.label
        self.label, parts = functions_compiled_with(function)
        self.parts = self.parts | parts if self.label == before else parts
        folder = jit.cache_dir()
        self.cached = {name for name, one in self.parts.items() if folder and is_cached(one, Path(folder))}


def functions_compiled_with(function: CompiledFunction) -> tuple[str, dict[str, CompiledFunction]]:
    """The work that a function is for, and all that is compiled with it, by name; no work of a function not ours."""
    module = function.__module__
    for package, what in _WHOLE_PACKAGES.items():
        if module.startswith(f"{package}."):
            files = [one for name, one in list(sys.modules.items()) if name.startswith(f"{package}.")]
            return what, {
                _qualified_name(one): one
                for file in files
                for one in vars(file).values()
                if _is_compiled_in(one, package)
            }
    what = next((what for package, what in _PARTIAL_PACKAGES.items() if module.startswith(f"{package}.")), "")
    return what, _collect_callees(function, {})


def _is_compiled_in(thing: object, package: str) -> bool:
    """Tell whether that is a compiled function of a package."""
    return hasattr(thing, "py_func") and str(thing.__module__).startswith(f"{package}.")


def _collect_callees(function: CompiledFunction, found: dict[str, CompiledFunction]) -> dict[str, CompiledFunction]:
    """A function and those it calls, and so on."""
    plain: CompiledFunction | None = getattr(function, "py_func", None)
    if plain is None or _qualified_name(function) in found:
        return found
    found[_qualified_name(function)] = function
    names, known = plain.__code__.co_names, plain.__globals__
    files = [known[name] for name in names if isinstance(known.get(name), ModuleType)]
    for name in names:
        for one in (known.get(name), *(vars(file).get(name) for file in files)):
            if hasattr(one, "py_func"):
                _collect_callees(one, found)
    return found


def _qualified_name(function: CompiledFunction) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def is_cached(function: CompiledFunction, folder: Path) -> bool:
    """Tell whether it is on the disk, in the folder of compiled code, as its source has it: then it is only loaded."""
    source = Path(str(sys.modules[function.__module__].__file__))
    kept = folder.glob(f"{source.parent.name}_*/{source.stem}.{function.__qualname__}-*.nbi")
    return any(one.stat().st_mtime >= source.stat().st_mtime for one in kept)
