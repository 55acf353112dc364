"""The one place that knows whether numba is here.

The solver's loops are plain functions of numbers and arrays. With numba they are compiled once and kept in the user's
cache; where nothing can be kept, or others could have put code there, every start compiles anew and says so. Without
numba the same functions run as they stand, far slower, with the same results: no fast-math, no fused or reordered
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

from flicksim.base.errors import BadInput
from flicksim.base.files import reason
from flicksim.base.places import CACHE, own_place, private, untrusted

F = TypeVar("F", bound=Callable[..., object])

PLAIN = "FLICKSIM_PLAIN"
"""Environment variable: set, nothing is compiled, as if numba were not here."""

njit: Any = None
numba: Any = None
_COUNTED: dict[str, bool] = {}
_UNCOUNTED: dict[str, bool] = {}
"""Option that tells numba to count references to arrays or not to, if it knows it; it has no public word for it. It
must be told either way: of itself it goes on as in whatever function calls."""
if PLAIN not in os.environ:
    with suppress(ImportError):  # the extra `fast` may not be installed
        numba = importlib.import_module("numba")
        njit = numba.njit
        if hasattr(importlib.import_module("numba.core.options").DefaultOptions, "_nrt"):
            _COUNTED, _UNCOUNTED = {"_nrt": True}, {"_nrt": False}

_TYPED: dict[tuple[int, tuple[object, ...]], tuple[object, object]] = {}


def _remember_types() -> None:
    """Have numba work out once what an operation on such numbers and arrays gives, and not for each that is written.

    It asks all that is known of each operator again for every product of two floats, which took a third of the whole
    compile. Nothing comes out otherwise; where numba has changed inside, it goes on as it did.
    """
    functions, types = (importlib.import_module(f"numba.core.types{name}") for name in (".functions", ""))
    usual = functions.Function.get_call_type
    plain = (types.Float, types.Integer, types.Boolean, types.IntegerLiteral, types.Array, types.BaseTuple)

    def remembered(function: Any, context: object, args: tuple[object, ...], kws: object) -> object:
        if kws or not isinstance(function.typing_key, BuiltinFunctionType):
            return usual(function, context, args, kws)
        if (id(function), args) in _TYPED:
            return _TYPED[id(function), args][1]
        found = usual(function, context, args, kws)
        if all(isinstance(one, plain) for one in args):
            _TYPED[id(function), args] = function, found  # kept, so that no other is given its number
        return found

    functions.Function.get_call_type = remembered


if njit is not None:
    with suppress(ImportError, AttributeError):
        _remember_types()

_SAID = "FLICKSIM_COMPILES_ANEW"
"""Environment variable: set once it has been said, so that workers begun later need not say it again."""
_WAITS = "FLICKSIM_COMPILES"
"""The same for what everybody waits for."""


def _cache() -> Path | None:
    """The folder for what is compiled; None for a user who has no place of their own.

    Raises:
        BadInput: the folder chosen for it is not a whole path.
    """
    if os.environ.get(CACHE) or not (chosen := numba.config.CACHE_DIR):
        return own_place("cache")
    if not Path(chosen).is_absolute():
        raise BadInput(f"NUMBA_CACHE_DIR={chosen!r} must be a whole path, from the root on")
    return Path(chosen)


def _state() -> str:
    """A name for just these sources.

    numba stamps what it keeps with the caller's own file only; a changed callee in a neighbouring file would go
    unnoticed and old physics would run under new source. So every state of the sources has a folder of its own.
    """
    sources = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        sources.update(path.read_bytes())
    return sources.hexdigest()[:16]


@cache
def kept_in() -> str:
    """The folder for compiled code, made if need be; empty where nothing is compiled, or can be kept.

    Compiled code is read by `pickle`, which does whatever a file says: what others could have written is not read.
    """
    if njit is None:
        return ""
    try:
        own = _cache()
    except BadInput as wrong:
        _say(str(wrong))
        return ""
    if own is None:
        _say(f"there is no folder for it; {CACHE} may name one")
        return ""
    place = own / "compiled" / _state()
    try:
        private(place, own)
        if why := untrusted(place, own):
            _say(f"{why}; {CACHE} may name another folder")
            return ""
        tempfile.TemporaryFile(dir=place).close()
    except OSError as wrong:
        _cannot(place, wrong)
        return ""
    return str(place)


def _cannot(place: Path, wrong: OSError) -> None:
    _say(f"{str(place)!r} cannot be written ({reason(wrong)}); {CACHE} may name another folder")


def _say(why: str) -> None:
    """Say, once for this process and its workers, that nothing is kept."""
    _once(_SAID, f"The compiled physics is not kept, and compiled anew each time: {why}.")


def _once(variable: str, words: str) -> None:
    """Say it, unless this process, or the one that began it, has said it before."""
    one_of_many = parent_process() is not None and not current_process().name.endswith("-1")
    if not one_of_many and variable not in os.environ:
        os.environ[variable] = "1"
        logging.getLogger("flicksim").warning(words)


class _Kept:
    """The cache that numba asks for compiled code: its own files in our folder, as far as they can be used."""

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
        found = None
        if self._files is not None:
            try:
                found = self._files.load_overload(signature, context)
            except Exception:  # whatever a file makes of itself that was cut by a power cut
                with suppress(OSError):
                    self._files.flush()
        if found is None and self._function.__module__.startswith("flicksim.physics"):
            _once(_WAITS, "The physics is being compiled, once; the first shot waits for it, for a minute or so.")
        return found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled function, where that can be."""
        if self._files is None:
            return
        try:
            self._files.save_overload(signature, compiled)
        except OSError as wrong:
            _cannot(Path(kept_in()), wrong)


def compiled(function: F) -> F:
    """The same function, compiled when numba is installed."""
    return _quick(function, **_COUNTED)


def bare(function: F) -> F:
    """The same for a function that neither makes an array nor returns one.

    Nothing then counts who holds which array. It would be counted at every call, however small, and among small
    functions that call one another cost twice as much as all they do.
    """
    return _quick(function, **_UNCOUNTED)


def inlined(function: F) -> F:
    """The same as `bare`, written out wherever it is called from compiled code, by LLVM: numba, which can do that
    before it knows types, takes far longer over one long function than over its parts.

    For what is called in every step with a tuple of many arrays: handing that over takes longer than the work.
    """
    return _quick(function, forceinline=True, **_UNCOUNTED)


def _quick(function: F, **options: Any) -> F:
    if njit is None:
        return function
    # no_rewrites, no_cfunc_wrapper: compiling is shorter by a tenth without what is of no use here;
    # error_model: a division never needs Python's zero check here, and the check costs a branch each time;
    # nogil: whoever settles shots in a thread does not hold up the others
    quick: F = njit(error_model="numpy", nogil=True, no_rewrites=True, no_cfunc_wrapper=True, **options)(function)
    quick._cache = _Kept(function)  # type: ignore[attr-defined]
    return quick
