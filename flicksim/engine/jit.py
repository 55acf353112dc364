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
import pickle
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property, partial, update_wrapper
from multiprocessing import current_process, parent_process
from pathlib import Path
from threading import Lock
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeVar, cast

import numpy as np

from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import InvalidInput
from flicksim.core.paths import CACHE_VARIABLE, make_private_dir, untrusted_reason, user_dir

F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T", bound=tuple[object, ...])

NO_JIT_VARIABLE = "FLICKSIM_DISABLE_JIT"
"""Environment variable that disables compilation, as if numba were not installed."""
_OLD_NO_JIT_VARIABLE = "FLICKSIM_PLAIN"
"""Former name of that variable, read too."""

numba_njit: Any = None
numba: Any = None
if not {NO_JIT_VARIABLE, _OLD_NO_JIT_VARIABLE} & os.environ.keys():
    with suppress(ImportError):  # the extra `fast` may not be installed
        numba = importlib.import_module("numba")
        numba_njit = numba.njit

_NO_CACHE_SHOWN = "FLICKSIM_NO_CACHE_SHOWN"
"""Environment variable set once that warning has been logged, so that later workers do not repeat it."""
_COMPILE_SHOWN = "FLICKSIM_COMPILES"
"""Environment variable set once the start of the compilation has been logged."""
_CUDA_SHOWN = "FLICKSIM_CUDA_COMPILES"
"""The same of the compilation for a graphics processor."""


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


_OPTIONS: Final = {
    "error_model": "numpy",
    "nogil": True,
    "no_rewrites": True,
    "no_cfunc_wrapper": True,
    "forceinline": False,
}
"""Options of numba. no_rewrites, no_cfunc_wrapper: compiling is shorter by a tenth without what is of no use here;
error_model: a division never needs Python's zero check here, and the check costs a branch each time; nogil: threads
that simulate shots do not block one another; forceinline: else inherited from a caller."""

_HELPERS: set[Callable[..., object]] = set()
"""Functions that are compiled within those that call them."""


class _Kernel:
    """Function that is compiled when it is first called, from Python or by another kernel, and then cached."""

    def __init__(self, function: Callable[..., object], options: dict[str, object]) -> None:
        update_wrapper(self, function)
        self.py_func, self._options = function, options

    def __call__(self, *args: object) -> object:
        try:
            return self.dispatcher(*args)
        except OSError as wrong:  # of its file: it could not be stored
            _warn_unwritable(Path(cache_dir()), wrong)
            self.dispatcher = numba_njit(**self._options)(self.py_func)
            return self.dispatcher(*args)

    def __reduce__(self) -> Any:
        return self.dispatcher.__reduce__()  # by value: its name is that of this object

    @cached_property
    def dispatcher(self) -> Any:
        """Dispatcher of numba, which compiles, stores and loads the function for each kind of arguments."""
        return _cached(self, numba_njit, self._options)


def _cached(function: Any, compiler: Callable[..., Any], options: dict[str, object]) -> Any:
    """Dispatcher of a function by a compiler of numba, which stores what it compiles if anything can be stored."""
    plain = _plain(function)
    if not cache_dir():
        return compiler(**options)(plain)
    with _CONFIG_LOCK:
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(_kernel_dir(function))
        try:
            return compiler(cache=True, **options)(plain)
        except RuntimeError as wrong:  # the folder could not be made
            _warn_not_cached(str(wrong))
            return compiler(**options)(plain)
        finally:
            numba.config.CACHE_DIR = before


_CONFIG_LOCK = Lock()
"""Lock of the configuration of numba, which reads the folder of its cache when a function is decorated."""


def kernels_of(function: Callable[..., object]) -> list[Any]:
    """A compiled function and all compiled functions that it calls, directly or not.

    Those are kernels, helpers, and functions of the module of their caller.
    """
    found, pending = [], [function]
    while pending:
        kernel = pending.pop()
        if kernel not in found:
            found.append(kernel)
            module = kernel.__module__
            pending.extend(
                value
                for value in _global_values(_plain(kernel))
                if is_kernel(value) or (isinstance(value, FunctionType) and value.__module__ == module)
            )
    return found


def is_kernel(value: object) -> bool:
    """Return True for a function that is compiled, by itself or within those that call it."""
    return isinstance(value, _Kernel) or (isinstance(value, FunctionType) and value in _HELPERS)


def _plain(function: Any) -> Any:
    return getattr(function, "py_func", function)


def _global_values(function: Any) -> Iterator[Any]:
    """Yield what a function can read of its module and, as an attribute, of modules imported there."""
    names, known = function.__code__.co_names, function.__globals__
    for name in names:
        value = known.get(name)
        yield value
        if isinstance(value, ModuleType) and value.__name__.startswith("flicksim"):
            yield from (vars(value).get(attribute) for attribute in names)


@cache
def kernel_hash(function: Callable[..., object]) -> str:
    """Hash of all that the machine code of a function depends on: its code, that of its callees, their constants.

    numba stamps a cached function with its own file only: after a change of a callee or a constant in another file old
    code would run under new sources. So every state of these has a folder of its own, and a change anywhere else
    leaves compiled code valid.
    """
    state = hashlib.sha256()
    _update_hash(state, *map(str, _OPTIONS.items()), _compile_reference.__code__, _compile_attribute.__code__)
    for kernel in map(_plain, kernels_of(function)):
        _update_hash(state, kernel.__qualname__, kernel.__defaults__, kernel.__code__, *_global_values(kernel))
        for kind in kernel.__annotations__.values():
            kind = kernel.__globals__.get(kind) if isinstance(kind, str) else kind
            _update_hash(state, getattr(kind, "_fields", None))  # of a named tuple, by whose order they are found
    return state.hexdigest()[:16]


def _update_hash(state: Any, *values: object) -> None:
    for value in values:
        if isinstance(value, CodeType):
            _update_hash(state, value.co_code, value.co_names, value.co_varnames, *value.co_consts)
        elif isinstance(value, np.ndarray):
            _update_hash(state, value.dtype.str, value.shape, value.tobytes())
        elif isinstance(value, frozenset):
            _update_hash(state, *sorted(map(repr, value)))
        elif isinstance(value, bool | int | float | str | bytes | tuple | None):
            state.update(f"{value!r}\n".encode())


@cache
def cache_dir() -> str:
    """Root folder of compiled code, created if missing; "" if nothing is compiled or can be stored.

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
    place = own / "compiled"
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


def is_cached(function: Callable[..., object]) -> bool:
    """Return True if a function is stored where this installation looks for it, so that it need only be loaded."""
    compiled: Any = njit_with_callees(function) if isinstance(function, FunctionType) else function
    dispatcher = compiled.dispatcher if isinstance(compiled, _Kernel) else compiled
    place = getattr(dispatcher, "stats", None) and dispatcher.stats.cache_path
    if place is None:
        return False
    plain = _plain(function)
    source = Path(plain.__code__.co_filename)
    state = source.stat()
    # of a file copied from a clock that is ahead, the first is late; on Windows the second is the time of its creation
    changed = state.st_mtime if os.name == "nt" else min(state.st_mtime, state.st_ctime)
    stored = Path(place).glob(f"{source.stem}.{plain.__qualname__}-*.nbi")
    return any(path.stat().st_mtime >= changed for path in stored)


def _kernel_dir(function: Callable[..., object]) -> Path:
    """Folder of a compiled function; files in it that were truncated, as by a power cut, are removed."""
    folder = Path(cache_dir(), kernel_hash(function))
    for path in folder.glob("*/*.nb[ci]"):
        with suppress(OSError):
            if not path.read_bytes().endswith(pickle.STOP):
                path.unlink()
    return folder


def listen_to_compiler(on_event: Callable[[Any], None]) -> Callable[[], None]:
    """Call a function when the compilation of a function starts and ends, except of cached ones.

    These are the events of `numba.core.event`, which the documentation of numba for developers describes.

    Args:
        on_event: receives the event, whose `is_start` and `data["dispatcher"]` tell what happens.

    Returns:
        Function that ends that.
    """
    events = importlib.import_module("numba.core.event")

    def notify(_: object, event: Any) -> None:
        on_event(event)

    listener = type("Listener", (events.Listener,), {"on_start": notify, "on_end": notify})()
    events.register("numba:compile", listener)
    return partial(events.unregister, "numba:compile", listener)


def _announce(event: Any) -> None:
    """Log once that functions of this package, of shots or of bots, are being compiled."""
    if event.data["dispatcher"].py_func.__module__.startswith("flicksim."):
        _warn_once(_COMPILE_SHOWN, "Code is being compiled, once; the first shot or search waits for it.")


if numba_njit is not None:
    listen_to_compiler(_announce)

    importlib.import_module("numba.extending").typeof_impl.register(
        _Kernel, lambda kernel, _purpose: numba.types.Dispatcher(kernel.dispatcher)
    )


def njit(function: F) -> F:
    """Compile a function if numba is installed.

    Reference counting of arrays is given either way: by default a function inherits it from its caller.
    """
    return _jit(function, _nrt=True)


def njit_entry(function: F) -> F:
    """Compile a function that Python calls too, without reference counting: see `njit_no_refcount`."""
    return _jit(function, _nrt=False)


def njit_no_refcount(function: F) -> F:
    """Let compiled functions call a function, without reference counting: it neither creates nor returns an array.

    References would be counted at every call, however small, and among small functions that call one another cost
    twice as much as their work. It is compiled with its callers; a call from Python is interpreted. Compiled by
    itself, with a wrapper for Python and a file of its own, the batch of discs took 16 s of CPU in place of 10.
    """
    return _jitable(function)


def njit_inline(function: F) -> F:
    """Compile as `njit_no_refcount`, and have LLVM inline it into compiled callers.

    For what is called in every step, where passing arrays takes longer than the work. Inlining by numba itself, before
    types are known, would compile far longer. What it calls is compiled once more for it: numba does so for each set of
    options of the callers.
    """
    return _jitable(function, forceinline=True)


def _jitable(function: F, **options: Any) -> F:
    if numba_njit is not None:
        importlib.import_module("numba.extending").register_jitable(**{**_OPTIONS, "_nrt": False, **options})(function)
        _HELPERS.add(function)
    return function


@cache
def njit_with_callees(function: Callable[..., object]) -> Callable[..., object]:
    """Compile a function together with the functions of its module that it calls, which are inlined."""
    if numba_njit is None:
        return function
    for callee in kernels_of(function)[1:]:
        if not is_kernel(callee):
            njit_inline(callee)
    return njit(function)


def by_reference(record: T) -> T:
    """Return a named tuple of arrays, in compiled code as a pointer to it, whose attributes are read there when used.

    By value each array is seven or more arguments of every call, and a call with a hundred arrays compiles for half a
    second. It is valid until the calling function returns; nothing but attributes can be read.
    """
    return record


def _reference_type(record: Any) -> Any:
    """Type of a reference to a named tuple; tuples in it are referred to likewise."""
    if not isinstance(record, numba.types.BaseNamedTuple):
        return record
    return _Reference(tuple(map(_reference_type, record.types)), record.instance_class)


def _value_type(reference: Any) -> Any:
    """Type of the named tuple that a reference points to."""
    if not isinstance(reference, _Reference):
        return reference
    return numba.types.NamedTuple(tuple(map(_value_type, reference.types)), reference.instance_class)


def _compile_reference(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Emit `by_reference`: store the tuple in the caller's frame."""
    with builder.goto_entry_block():  # once, whatever loop it is called in
        place = builder.alloca(args[0].type)
    builder.store(args[0], place)
    return builder.bitcast(place, context.get_value_type(signature.return_type))


def _compile_attribute(context: Any, builder: Any, reference: Any, pointer: Any, name: str) -> Any:
    """Emit the read of an attribute: load it, or point to it if it is a tuple."""
    place, index = context.get_value_type(_value_type(reference)).as_pointer(), reference.fields.index(name)
    integer = importlib.import_module("llvmlite.ir").IntType(32)
    part = builder.gep(builder.bitcast(pointer, place), [integer(0), integer(index)], inbounds=True)
    kind = reference.types[index]
    if isinstance(kind, _Reference):
        return builder.bitcast(part, pointer.type)
    value = builder.load(part)
    if context.enable_nrt:  # what is read counts as one more reference
        context.nrt.incref(builder, kind, value)
    return value


def _register_reference(extending: Any) -> None:
    """Register `by_reference` and its type with the compiler of the processor, or that of the graphics processor."""
    extending.register_model(_Reference)(getattr(extending, "core_models", extending.models).OpaqueModel)
    extending.type_callable(by_reference)(lambda _context: lambda record: _reference_type(record))
    extending.lower_builtin(by_reference, numba.types.BaseNamedTuple)(_compile_reference)
    extending.lower_getattr_generic(_Reference)(_compile_attribute)


if numba_njit is not None:
    _Reference: Any = type("Reference", (numba.types.NamedTuple,), {})
    _register_reference(importlib.import_module("numba.extending"))

_KNOWN_TO_CUDA: set[Callable[..., object]] = set()
"""Functions that kernels of numba-cuda can call."""


def compile_for_cuda(kernel: Callable[..., object]) -> Any:
    """Compile a kernel of numba-cuda, for a graphics processor, with all functions that it calls, directly or not."""
    cuda, extending = map(importlib.import_module, ("numba.cuda", "numba.cuda.extending"))
    if not _KNOWN_TO_CUDA:
        _register_reference(extending)
        device_function = cache(lambda one: cuda.jit(device=True)(one.py_func))
        extending.typeof_impl.register(_Kernel, lambda one, _purpose: numba.types.Dispatcher(device_function(one)))
    for callee in kernels_of(kernel)[1:]:
        if isinstance(callee, FunctionType) and callee not in _KNOWN_TO_CUDA:
            _KNOWN_TO_CUDA.add(extending.register_jitable(callee))
    if not (cache_dir() and any(_kernel_dir(kernel).glob("*/*.nbi"))):
        _warn_once(_CUDA_SHOWN, "The physics is being compiled for the graphics processor; that takes minutes.")
    return _cached(kernel, cuda.jit, {})


def _jit(function: F, **options: Any) -> F:
    return function if numba_njit is None else cast(F, _Kernel(function, {**_OPTIONS, **options}))
