"""Progress of JIT compilation, from numba's compiler events.

Functions loaded from the cache are not reported. Worker processes report to the process that started them.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
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
    stop, before = report_compiling_always(on_progress), os.environ.get(_ANNOUNCED_ENV)
    if stop is None:
        yield
        return
    os.environ[_ANNOUNCED_ENV] = "1"
    try:
        yield
    finally:
        stop()
        _listeners.remove(on_progress)
        os.environ.pop(_ANNOUNCED_ENV)
        if before is not None:
            os.environ[_ANNOUNCED_ENV] = before


def report_compiling_always(on_progress: ProgressCallback) -> Callable[[], None] | None:
    """Report compiled functions of this process; returns a function that ends that, None without numba."""
    if jit.numba_njit is None:
        return None
    _listeners.append(on_progress)
    return jit.listen_to_compiler(_CompileListener(on_progress).notify)


@dataclass(slots=True)
class _CompileListener:
    """Listener of numba's compile events, which nest for callees."""

    on_progress: ProgressCallback
    depth: int = 0
    label: str = ""
    parts: dict[str, CompiledFunction] = field(default_factory=dict)
    ready: set[str] = field(default_factory=set)

    def notify(self, event: Any) -> None:
        """Handle an event; numba holds its compiler lock meanwhile, so that events never overlap."""
        function = event.data["dispatcher"]
        self.depth = max(0, self.depth + (1 if event.is_start else -1))
        if not event.is_start:
            self.ready.add(_qualified_name(function))
        elif self.depth == 1:
            self._start(function)
        finished, total, done = self.depth == 0, len(self.parts), len(self.ready & self.parts.keys())
        if self.label:
            self.on_progress(CompileProgress(self.label, done if finished else min(done, total - 1), total, finished))

    def _start(self, function: CompiledFunction) -> None:
        label, parts = functions_compiled_with(function)
        self.label, self.parts = label, self.parts | parts if self.label == label else parts
        stored = (part for part in self.parts.values() if hasattr(part, "py_func") and jit.is_cached(part))
        self.ready.update(_qualified_name(kernel) for part in stored for kernel in jit.kernels_of(part))


def functions_compiled_with(function: CompiledFunction) -> tuple[str, dict[str, CompiledFunction]]:
    """Label of a function's purpose, and all functions compiled with it, by name; an empty label outside flicksim."""
    labels = {**_WHOLE_PACKAGES, **_PARTIAL_PACKAGES}
    package = next((name for name in labels if function.__module__.startswith(f"{name}.")), "")
    if package not in _WHOLE_PACKAGES:
        return labels.get(package, ""), {_qualified_name(kernel): kernel for kernel in jit.kernels_of(function)}
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(f"{package}.")]
    kernels = (member for module in modules for member in vars(module).values() if jit.is_kernel(member))
    return labels[package], {
        _qualified_name(kernel): kernel for kernel in kernels if str(kernel.__module__).startswith(f"{package}.")
    }


def _qualified_name(function: CompiledFunction) -> str:
    plain = getattr(function, "py_func", function)
    return f"{plain.__module__}.{plain.__qualname__}"
