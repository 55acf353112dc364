"""Just-in-time compilation by numba, if it is installed, and the cache of compiled code.

The solver's loops are plain functions of numbers and arrays. With numba they are compiled once and stored in the user's
cache; if nothing can be stored, or others could have put code there, every start compiles again and logs a warning.
Without numba the same functions run interpreted, far slower, with the same results: no fast-math, no fused or reordered
arithmetic.
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
from types import BuiltinFunctionType
from typing import Any, TypeVar

from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import InvalidInput
from flicksim.core.paths import CACHE_VARIABLE, make_private_dir, untrusted_reason, user_dir

F = TypeVar("F", bound=Callable[..., object])

NO_JIT_VARIABLE = "FLICKSIM_DISABLE_JIT"
"""Environment variable that disables compilation, as if numba were not installed."""
_OLD_NO_JIT_VARIABLE = "FLICKSIM_PLAIN"
"""Former name of that variable, read too."""

numba_njit: Any = None
numba: Any = None
_REFCOUNTED: dict[str, bool] = {}
_NO_REFCOUNT: dict[str, bool] = {}
"""Options that switch reference counting of arrays in numba on and off, where it has that private option. It must be
given either way: by default a function inherits it from its caller."""
if not {NO_JIT_VARIABLE, _OLD_NO_JIT_VARIABLE} & os.environ.keys():
    with suppress(ImportError):  # the extra `fast` may not be installed
        numba = importlib.import_module("numba")
        numba_njit = numba.njit
        if hasattr(importlib.import_module("numba.core.options").DefaultOptions, "_nrt"):
            _REFCOUNTED, _NO_REFCOUNT = {"_nrt": True}, {"_nrt": False}

_TYPE_CACHE: dict[tuple[int, tuple[object, ...]], tuple[object, object]] = {}


def _cache_call_types() -> None:
    """Make numba cache the result type of operators on numbers and arrays.

    It resolves every operator again for every product of two floats, which took a third of the compile time. Results
    do not change; where the internals of numba differ, nothing is patched.
    """
    functions, types = (importlib.import_module(f"numba.core.types{name}") for name in (".functions", ""))
    usual = functions.Function.get_call_type
    plain = (types.Float, types.Integer, types.Boolean, types.IntegerLiteral, types.Array, types.BaseTuple)

    def remembered(function: Any, context: object, args: tuple[object, ...], kws: object) -> object:
        if kws or not isinstance(function.typing_key, BuiltinFunctionType):
            return usual(function, context, args, kws)
        if (id(function), args) in _TYPE_CACHE:
            return _TYPE_CACHE[id(function), args][1]
        found = usual(function, context, args, kws)
        if all(isinstance(one, plain) for one in args):
            _TYPE_CACHE[id(function), args] = function, found  # the function is stored so that its id stays unique
        return found

    functions.Function.get_call_type = remembered


if numba_njit is not None:
    with suppress(ImportError, AttributeError):
        _cache_call_types()

_NO_CACHE_SHOWN = "FLICKSIM_NO_CACHE_SHOWN"
"""Environment variable set once that warning has been logged, so that later workers do not repeat it."""
_COMPILE_SHOWN = "FLICKSIM_COMPILES"
"""Environment variable set once the start of the compilation has been logged."""


def _cache_root() -> Path | None:
    """Root folder of the compile cache; None for a user without a folder of their own.

    Raises:
        InvalidInput: the chosen folder is not an absolute path.
    """
    if os.environ.get(CACHE_VARIABLE) or not (chosen := numba.config.CACHE_DIR):
        return user_dir("cache")
    if not Path(chosen).is_absolute():
        raise InvalidInput(f"NUMBA_CACHE_DIR={chosen!r} must be a whole path, from the root on")
    return Path(chosen)


def _source_hash() -> str:
    """Hash of the sources of this package, which names the cache folder.

    numba stamps a cached function with its own file only: a changed callee in another file would go unnoticed and old
    code would run under new sources. So every state of the sources has a folder of its own.
    """
    sources = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        sources.update(path.read_bytes())
    return sources.hexdigest()[:16]


@cache
def cache_dir() -> str:
    """Folder of compiled code, created if missing; "" if nothing is compiled or can be stored.

    Compiled code is read by `pickle`, which can execute anything: files that others could have written are not read.
    """
    if numba_njit is None:
        return ""
    try:
        own = _cache_root()
    except InvalidInput as wrong:
        _warn_not_cached(str(wrong))
        return ""
    if own is None:
        _warn_not_cached(f"there is no folder for it; {CACHE_VARIABLE} may name one")
        return ""
    place = own / "compiled" / _source_hash()
    try:
        make_private_dir(place, own)
        if why := untrusted_reason(place, own):
            _warn_not_cached(f"{why}; {CACHE_VARIABLE} may name another folder")
            return ""
        tempfile.TemporaryFile(dir=place).close()
    except OSError as wrong:
        _warn_unwritable(place, wrong)
        return ""
    return str(place)


def _warn_unwritable(place: Path, wrong: OSError) -> None:
    _warn_not_cached(
        f"{str(place)!r} cannot be written ({os_error_message(wrong)}); {CACHE_VARIABLE} may name another folder"
    )


def _warn_not_cached(reason_text: str) -> None:
    """Log once, for this process and its workers, that compiled code cannot be stored."""
    _warn_once(_NO_CACHE_SHOWN, f"The compiled physics is not kept, and compiled anew each time: {reason_text}.")


def _warn_once(variable: str, words: str) -> None:
    """Log a warning, unless this process or its parent has logged it before."""
    one_of_many = parent_process() is not None and not current_process().name.endswith("-1")
    if not one_of_many and variable not in os.environ:
        os.environ[variable] = "1"
        logging.getLogger("flicksim").warning(words)


class _KernelCache:
    """Cache interface of numba on top of its own file cache in our folder; tolerates unreadable files."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function

    @cached_property
    def _files(self) -> Any:
        folder = cache_dir()
        if not folder:
            return None
        caching, config = importlib.import_module("numba.core.caching"), numba.config
        before, config.CACHE_DIR = config.CACHE_DIR, folder  # numba asks while it holds its lock
        try:
            return caching.FunctionCache(self._function)
        finally:
            config.CACHE_DIR = before

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Load a compiled function; None if it is not cached."""
        found = None
        if self._files is not None:
            try:
                found = self._files.load_overload(signature, context)
            except Exception:  # a file truncated by a power cut can raise anything
                with suppress(OSError):
                    self._files.flush()
        if found is None and self._function.__module__.startswith("flicksim.engine"):
            _warn_once(
                _COMPILE_SHOWN, "The physics is being compiled, once; the first shot waits for it, for a minute or so."
            )
        return found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Store a compiled function, if that is possible."""
        if self._files is None:
            return
        try:
            self._files.save_overload(signature, compiled)
        except OSError as wrong:
            _warn_unwritable(Path(cache_dir()), wrong)


def njit(function: F) -> F:
    """Compile a function if numba is installed."""
    return _jit(function, **_REFCOUNTED)


def njit_no_refcount(function: F) -> F:
    """Compile a function without reference counting: for one that neither creates nor returns an array.

    References would be counted at every call, however small, and among small functions that call one another cost
    twice as much as their work.
    """
    return _jit(function, **_NO_REFCOUNT)


def njit_inline(function: F) -> F:
    """Compile as `njit_no_refcount`, and have LLVM inline it into compiled callers.

    For functions called in every step with a tuple of many arrays, where passing that takes longer than the work.
    Inlining by numba itself, before types are known, would compile far longer.
    """
    return _jit(function, forceinline=True, **_NO_REFCOUNT)


def _jit(function: F, **options: Any) -> F:
    if numba_njit is None:
        return function
    # no_rewrites, no_cfunc_wrapper: compiling is shorter by a tenth without what is of no use here;
    # error_model: a division never needs Python's zero check here, and the check costs a branch each time;
    # nogil: threads that simulate shots do not block one another
    quick: F = numba_njit(error_model="numpy", nogil=True, no_rewrites=True, no_cfunc_wrapper=True, **options)(function)
    quick._cache = _KernelCache(function)  # type: ignore[attr-defined]
    return quick
