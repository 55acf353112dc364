"""Values handed to our functions in Python, held against what they should be: one sentence where they are not."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from os import PathLike, fspath
from pathlib import Path
from typing import TypeVar

from flicksim.base.errors import BadInput, FlicksimError
from flicksim.base.kinds import Given, Plain

T = TypeVar("T")


def shown(thing: Given) -> str:
    """A thing as a message quotes it: short, with its kind where that does not go without saying."""
    if isinstance(thing, str | int | float | bool | None):
        return reprlib.repr(thing)
    name = type(thing).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def must_be(thing: Given, kind: type[T] | tuple[type[T], ...], what: str, right: str) -> T:
    """The thing itself.

    Args:
        kind: what it must be an instance of. what: how it is called. right: what would be right, as a sentence ends.

    Raises:
        BadInput: it is something else.
    """
    if not isinstance(thing, kind):
        raise BadInput(f"{what} cannot be {shown(thing)}; {right}")
    return thing


def path_of(given: str | PathLike[str], what: str = "the file") -> Path:
    """A path, given as a string or as a path.

    Raises:
        BadInput: it is neither.
    """
    must_be(given, (str, PathLike), what, "name it by a string or a Path")
    found = fspath(given)
    return Path(must_be(found, str, what, "name it by a string or a Path"))


def whole_number(given: Given, what: str, low: int, high: int) -> int:
    """A whole number within limits.

    Raises:
        BadInput: it is none, or lies beyond.
    """
    if isinstance(given, bool) or not isinstance(given, Integral) or not low <= int(given) <= high:
        raise BadInput(f"{what} cannot be {shown(given)}; it is a whole number, {low} to {high}")
    return int(given)


def number(given: Given) -> bool:
    """Tell whether it is a number that physics can reckon with: words and lists are none."""
    return type(given) is float or (isinstance(given, Real) and not isinstance(given, bool))


@contextmanager
def explained(**given: Given) -> Iterator[None]:
    """Tell what goes wrong inside, because a value given is not what its own type says, as that.

    Values are checked when they are read, not when they are made in Python: so they are looked at only when something
    has gone wrong with them.

    Raises:
        BadInput: one of the values given cannot be; says which, where in it, and what should stand there.
    """
    try:
        yield
    except FlicksimError:
        raise
    except (AttributeError, TypeError, ValueError, LookupError, ArithmeticError) as wrong:
        from flicksim.base.codec import from_plain, to_plain

        for name, thing in _by_name(given):
            try:
                from_plain(to_plain(thing), type(thing), name=name)
            except (TypeError, NotImplementedError, RecursionError) as odd:
                raise BadInput(f"{name} holds what cannot stand there: {odd}") from wrong
            except BadInput as told:
                raise told from wrong
        raise


def _by_name(given: dict[str, Plain]) -> Iterator[tuple[str, Plain]]:
    """Every value given, those of lists by their number."""
    for name, thing in given.items():
        if isinstance(thing, list):
            yield from ((f"{name}[{row}]", one) for row, one in enumerate(thing))
        else:
            yield name, thing
