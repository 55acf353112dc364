"""Progress of JIT compilation, from numba's compiler events.

Functions loaded from the cache are not reported. Worker processes report to the process that started them.
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
    "flicksim.engine.winks": "the simulation of winks",
    "flicksim.engine.pyramids": "the simulation of pyramids",
}
"""Packages compiled as a whole, whichever function is called first, with the label of their purpose."""
_PARTIAL_PACKAGES = {"flicksim.engine.batch": "batches of shots", "flicksim.games": "the bots' search"}
"""Packages of which only the called functions are compiled, with the label of their purpose."""
_ANNOUNCED_ENV = "FLICKSIM_COMPILES"
"""Environment variable that suppresses the compile notice of `engine.jit`, as progress is reported here."""
_NUMBA_EVENT = "numba:compile"

CompiledFunction: TypeAlias = Callable[..., object]
"""Function compiled by numba when first called."""


class CompileProgress(NamedTuple):
    """Progress of a compilation.

    Args:
        label: purpose of the compiled functions, for display. done: number compiled. total: number to compile.
        is_idle: whether the compiler has finished for now.
    """

    label: str
    done: int
    total: int
    is_idle: bool


ProgressCallback: TypeAlias = Callable[[CompileProgress], None]
_listeners: list[ProgressCallback] = []
"""Active progress callbacks, the innermost last."""


def current_listener() -> ProgressCallback | None:
    """Innermost progress callback of this process; None without one, or without numba."""
    return _listeners[-1] if _listeners else None


@contextmanager
def report_compiling(on_progress: ProgressCallback) -> Iterator[None]:
    """Report compiled functions to a callback, in place of the compile notice."""
    events = _numba_events()
    if events is None:
        yield
        return
    listener, before = _CompileListener(on_progress), os.environ.get(_ANNOUNCED_ENV)
    _listeners.append(on_progress)
    events.register(_NUMBA_EVENT, listener)
    os.environ[_ANNOUNCED_ENV] = "1"
    try:
        yield
    finally:
        events.unregister(_NUMBA_EVENT, listener)
        _listeners.remove(on_progress)
        os.environ.pop(_ANNOUNCED_ENV)
        if before is not None:
            os.environ[_ANNOUNCED_ENV] = before


def report_compiling_always(on_progress: ProgressCallback) -> None:
    """Report compiled functions of this process, a worker, until it ends."""
    events = _numba_events()
    if events is not None:
        _listeners.append(on_progress)
        events.register(_NUMBA_EVENT, _CompileListener(on_progress))


def _numba_events() -> ModuleType | None:
    """Event module of numba; None without numba, or where its internals have changed."""
    if jit.numba_njit is None:
        return None
    with suppress(ImportError, AttributeError):
        events = importlib.import_module("numba.core.event")
        events.Listener.register(_CompileListener)
        return events
    return None


class _NumbaEvent(Protocol):
    """Numba event, as far as it is used here."""

    data: dict[str, CompiledFunction]
    is_start: bool


@dataclass(slots=True)
class _CompileListener:
    """Listener of numba's compile events, which nest for callees."""

    on_progress: ProgressCallback
    depth: int = 0
    label: str = ""
    parts: dict[str, CompiledFunction] = field(default_factory=dict)
    cached: set[str] = field(default_factory=set)

    def notify(self, event: _NumbaEvent) -> None:
        """Handle an event; numba holds its compiler lock meanwhile, so that events never overlap."""
        function = event.data["dispatcher"]
        if event.is_start:
            self.depth += 1
            if self.depth == 1:
                self._start(function)
        else:
            self.depth = max(0, self.depth - 1)
        finished, total = self.depth == 0, len(self.parts)
        done = sum(name in self.cached or bool(getattr(part, "signatures", ())) for name, part in self.parts.items())
        if self.label:
            self.on_progress(CompileProgress(self.label, done if finished else min(done, total - 1), total, finished))

    def _start(self, function: CompiledFunction) -> None:
        before = self.label
        self.label, parts = functions_compiled_with(function)
        self.parts = self.parts | parts if self.label == before else parts
        folder = jit.cache_dir()
        self.cached = {name for name, one in self.parts.items() if folder and is_cached(one, Path(folder))}


def functions_compiled_with(function: CompiledFunction) -> tuple[str, dict[str, CompiledFunction]]:
    """Label of a function's purpose, and all functions compiled with it, by name; an empty label outside flicksim."""
    module = function.__module__
    for package, label in _WHOLE_PACKAGES.items():
        if module.startswith(f"{package}."):
            modules = [function_ for name, function_ in list(sys.modules.items()) if name.startswith(f"{package}.")]
            return label, {
                _qualified_name(function_): function_
                for module_ in modules
                for function_ in vars(module_).values()
                if _is_compiled_in(function_, package)
            }
    label = next((label for package, label in _PARTIAL_PACKAGES.items() if module.startswith(f"{package}.")), "")
    return label, _collect_callees(function, {})


def _is_compiled_in(thing: object, package: str) -> bool:
    """Return True for a compiled function of a package."""
    return hasattr(thing, "py_func") and str(thing.__module__).startswith(f"{package}.")


def _collect_callees(function: CompiledFunction, found: dict[str, CompiledFunction]) -> dict[str, CompiledFunction]:
    """Collect a function and, recursively, those that it calls."""
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
    """Return True if the compiled function is in the cache folder, newer than its source."""
    source = Path(str(sys.modules[function.__module__].__file__))
    cached = folder.glob(f"{source.parent.name}_*/{source.stem}.{function.__qualname__}-*.nbi")
    return any(file.stat().st_mtime >= source.stat().st_mtime for file in cached)
