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
from typing import Any, NamedTuple, TypeAlias

from flicksim.engine import jit

_WHOLE_PACKAGES = {
    "flicksim.engine.winks": "the simulation of winks",
    "flicksim.engine.pyramids": "the simulation of pyramids",
}
"""Packages compiled as a whole, whichever function is called first, with the label of their purpose."""
_PARTIAL_PACKAGES = {
    "flicksim.engine.batch": "batches of shots",
    "flicksim.engine.rigid_bodies": "the contacts of rigid bodies",
    "flicksim.games": "the bots' search",
}
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
    listener, before = report_compiling_always(on_progress), os.environ.get(_ANNOUNCED_ENV)
    if listener is None:
        yield
        return
    os.environ[_ANNOUNCED_ENV] = "1"
    try:
        yield
    finally:
        importlib.import_module("numba.core.event").unregister(_NUMBA_EVENT, listener)
        _listeners.remove(on_progress)
        os.environ.pop(_ANNOUNCED_ENV)
        if before is not None:
            os.environ[_ANNOUNCED_ENV] = before


def report_compiling_always(on_progress: ProgressCallback) -> _CompileListener | None:
    """Report compiled functions of this process until it ends; None without numba, or where its internals differ."""
    if jit.numba_njit is None:
        return None
    with suppress(ImportError, AttributeError):
        events = importlib.import_module("numba.core.event")
        events.Listener.register(_CompileListener)
        events.register(_NUMBA_EVENT, listener := _CompileListener(on_progress))
        _listeners.append(on_progress)
        return listener
    return None


@dataclass(slots=True)
class _CompileListener:
    """Listener of numba's compile events, which nest for callees."""

    on_progress: ProgressCallback
    depth: int = 0
    label: str = ""
    parts: dict[str, CompiledFunction] = field(default_factory=dict)
    cached: set[str] = field(default_factory=set)

    def notify(self, event: Any) -> None:
        """Handle an event; numba holds its compiler lock meanwhile, so that events never overlap."""
        self.depth = max(0, self.depth + (1 if event.is_start else -1))
        if event.is_start and self.depth == 1:
            self._start(event.data["dispatcher"])
        finished, total = self.depth == 0, len(self.parts)
        done = sum(name in self.cached or bool(getattr(part, "signatures", ())) for name, part in self.parts.items())
        if self.label:
            self.on_progress(CompileProgress(self.label, done if finished else min(done, total - 1), total, finished))

    def _start(self, function: CompiledFunction) -> None:
        label, parts = functions_compiled_with(function)
        self.label, self.parts = label, self.parts | parts if self.label == label else parts
        folder = jit.cache_dir()
        self.cached = {name for name, part in self.parts.items() if folder and is_cached(part, Path(folder))}


def functions_compiled_with(function: CompiledFunction) -> tuple[str, dict[str, CompiledFunction]]:
    """Label of a function's purpose, and all functions compiled with it, by name; an empty label outside flicksim."""
    labels = {**_WHOLE_PACKAGES, **_PARTIAL_PACKAGES}
    package = next((name for name in labels if function.__module__.startswith(f"{name}.")), "")
    if package not in _WHOLE_PACKAGES:
        return labels.get(package, ""), _collect_callees(function, {})
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(f"{package}.")]
    members = (member for module in modules for member in vars(module).values() if hasattr(member, "py_func"))
    return labels[package], {
        _qualified_name(member): member for member in members if member.__module__.startswith(f"{package}.")
    }


def _collect_callees(function: CompiledFunction, found: dict[str, CompiledFunction]) -> dict[str, CompiledFunction]:
    """Collect a function and, recursively, those that it calls."""
    plain: CompiledFunction | None = getattr(function, "py_func", None)
    if plain is None or _qualified_name(function) in found:
        return found
    found[_qualified_name(function)] = function
    names, known = plain.__code__.co_names, plain.__globals__
    modules = [known[name] for name in names if isinstance(known.get(name), ModuleType)]
    for name in names:
        for callee in (known.get(name), *(vars(module).get(name) for module in modules)):
            if hasattr(callee, "py_func"):
                _collect_callees(callee, found)
    return found


def _qualified_name(function: CompiledFunction) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def is_cached(function: CompiledFunction, folder: Path) -> bool:
    """Return True if the compiled function is in the cache folder, newer than its source."""
    source = Path(str(sys.modules[function.__module__].__file__))
    cached = folder.glob(f"{source.parent.name}_*/{source.stem}.{function.__qualname__}-*.nbi")
    return any(file.stat().st_mtime >= source.stat().st_mtime for file in cached)
