"""Validation of arguments of the public Python functions."""

import reprlib
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from numbers import Integral, Real
from os import PathLike, fspath
from pathlib import Path
from typing import TypeVar

from flicksim.core.errors import FlicksimError, InvalidInput
from flicksim.core.type_aliases import JsonValue, Unchecked

T = TypeVar("T")


def short_repr(value: Unchecked) -> str:
    """Short representation of a value for error messages: a literal, or the name of its type."""
    if isinstance(value, str | int | float | bool | None):
        return reprlib.repr(value)
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def check_type(value: Unchecked, expected: type[T] | tuple[type[T], ...], name: str, hint: str) -> T:
    """Check the type of a value and return it.

    Args:
        expected: required type, or several. name: name of the value in messages. hint: what would be right, as the end
            of a sentence.

    Raises:
        InvalidInput: the value is of another type.
    """
    if not isinstance(value, expected):
        raise InvalidInput(f"{name} cannot be {short_repr(value)}; {hint}")
    return value


def as_path(value: str | PathLike[str], name: str = "the file") -> Path:
    """Convert a string or path-like value to a Path.

    Raises:
        InvalidInput: it is neither, or empty.
    """
    check_type(value, (str, PathLike), name, "name it by a string or a Path")
    path = check_type(fspath(value), str, name, "name it by a string or a Path")
    if not path:
        raise InvalidInput(f"{name} cannot be ''; name it by a string or a Path")
    return Path(path)


def check_int(value: Unchecked, name: str, low: int, high: float = inf) -> int:
    """Check that a value is an integer from `low` to `high` and return it.

    Raises:
        InvalidInput: it is no integer, or out of range.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or not low <= int(value) <= high:
        limits = f"{low} or more" if high == inf else f"{low} to {high}"
        raise InvalidInput(f"{name} cannot be {short_repr(value)}; it is a whole number, {limits}")
    return int(value)


def is_real_number(value: Unchecked) -> bool:
    """True for a real number; bools, strings and arrays are none."""
    return type(value) is float or (isinstance(value, Real) and not isinstance(value, bool))


@contextmanager
def explain_type_errors(**values: Unchecked) -> Iterator[None]:
    """Context manager: turn an error inside into InvalidInput if one of these values does not match its own type.

    Values are validated when they are decoded, not when they are constructed in Python; so they are validated here only
    after something has failed.

    Raises:
        InvalidInput: one of the values is invalid; says which, the path in it, and what is expected there.
    """
    try:
        yield
    except FlicksimError:
        raise
    except (AttributeError, TypeError, ValueError, LookupError, ArithmeticError) as error:
        from flicksim.core.serialization import from_builtins, to_builtins

        for name, value in _named_values(values):
            try:
                from_builtins(to_builtins(value), type(value), name=name)
            except (TypeError, NotImplementedError, RecursionError) as cause:
                raise InvalidInput(f"{name} holds what cannot stand there: {cause}") from error
            except InvalidInput as invalid:
                raise invalid from error
        raise


def _named_values(values: dict[str, JsonValue]) -> Iterator[tuple[str, JsonValue]]:
    """Every value with its name, items of lists separately, as "name[row]"."""
    for name, value in values.items():
        if isinstance(value, list):
            yield from ((f"{name}[{row}]", item) for row, item in enumerate(value))
        else:
            yield name, value
