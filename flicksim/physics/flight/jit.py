"""The one place that knows whether numba is here.

The solver's loops are plain functions of numbers and arrays. With numba they are compiled once and kept among the
user's own files; where nothing can be kept, every start compiles anew and says so. Without numba the same functions
run as they stand, far slower, with the same results: no fast-math, no fused or reordered arithmetic.
"""

import hashlib
import importlib
import logging
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from multiprocessing import current_process, parent_process
from pathlib import Path
from typing import Any, TypeVar

from flicksim.base.files import reason
from flicksim.base.places import HOME, own_place

F = TypeVar("F", bound=Callable[..., object])

njit: Any = None
numba: Any = None
with suppress(ImportError):  # the extra `fast` may not be installed
    numba = importlib.import_module("numba")
    njit = numba.njit

_SAID = "FLICKSIM_COMPILES_ANEW"
"""Environment variable: set once it has been said, so that workers begun later need not say it again."""


def _place() -> Path | None:
    """The folder for code compiled from just these sources; None for a user who has no place of their own.

    numba stamps what it keeps with the caller's own file only; a changed callee in a neighbouring file would go
    unnoticed and old physics would run under new source. So every state of the sources has a folder of its own.
    """
    own = numba.config.CACHE_DIR or own_place("cache")
    if not own:
        return None
    sources = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        sources.update(path.read_bytes())
    return Path(own) / "compiled" / sources.hexdigest()[:16]


PLACE = _place() if njit is not None else None
"""Where compiled code is kept, if anything can be written there."""


@cache
def kept_in() -> str:
    """The folder for compiled code, made if need be; empty where nothing is compiled, or can be kept."""
    if njit is None:
        return ""
    if PLACE is None:
        _say(f"there is no folder for it; {HOME} may name one")
        return ""
    try:
        PLACE.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=PLACE).close()
    except OSError as wrong:
        _say(f"{str(PLACE)!r} cannot be written ({reason(wrong)}); {HOME} may name another folder")
        return ""
    return str(PLACE)


def _say(why: str) -> None:
    """Say, once for this process and its workers, that nothing is kept."""
    one_of_many = parent_process() is not None and not current_process().name.endswith("-1")
    if not one_of_many and _SAID not in os.environ:
        os.environ[_SAID] = "1"
        logging.getLogger("flicksim").warning("The compiled physics is not kept, and compiled anew each time: %s.", why)


class _Kept:
    """What numba asks for compiled code: its own files in our folder, as far as they can be used."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function

    @cached_property
    def _files(self) -> Any:
        folder = kept_in()
        if not folder:
            return None
        caching, config = importlib.import_module("numba.core.caching"), numba.config
        before, config.CACHE_DIR = config.CACHE_DIR, folder  # numba asks while it holds its lock
        try:
            return caching.FunctionCache(self._function)
        finally:
            config.CACHE_DIR = before

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled function, None where it is not there."""
        if self._files is None:
            return None
        try:
            return self._files.load_overload(signature, context)
        except Exception:  # whatever a file makes of itself that was cut by a power cut
            with suppress(OSError):
                self._files.flush()
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled function, where that can be."""
        if self._files is None:
            return
        try:
            self._files.save_overload(signature, compiled)
        except OSError as wrong:
            _say(f"{str(PLACE)!r} cannot be written ({reason(wrong)}); {HOME} may name another folder")


def compiled(function: F) -> F:
    """The same function, compiled when numba is installed."""
    return _compiled(function, counts=True)


def borrowing(function: F) -> F:
    """`compiled` for a function that makes no arrays, and keeps none of those it is handed.

    It counts no references to them, which of short functions took a third of the time: counts are kept safe from other
    threads, whether there are any or not. Whoever calls holds what he hands over.
    """
    return _compiled(function, counts=False)


def _compiled(function: F, *, counts: bool) -> F:
    if njit is None:
        return function
    # error_model: a division never needs Python's zero check here, and the check costs a branch each time;
    # nogil: whoever settles shots in a thread does not hold up the others
    quick: F = njit(error_model="numpy", nogil=True, _nrt=counts)(function)
    quick._cache = _Kept(function)  # type: ignore[attr-defined]
    return quick
