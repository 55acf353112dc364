"""Aliases of renamed modules and names: they resolve to the new ones and warn, for one release.

Old modules are found by a finder at the end of `sys.meta_path` (PEP 302), so it sees only modules that do not exist.
The table of old and new names is `renamed.json`; it is read when an old name is first used.
"""

import json
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, wraps
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_PACKAGE = "flicksim"


@cache
def renames() -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Table of renamed modules, old to new, and of renamed names by new module; without the package's own name."""
    table = json.loads(Path(__file__).with_name("renamed.json").read_text(encoding="utf-8"))
    return table["modules"], table["names"]


def new_module(old: str) -> str | None:
    """New dotted name of a module; None where it was not renamed."""
    below = old.removeprefix(f"{_PACKAGE}.")
    for prefix in _self_and_parents(below):
        if (found := renames()[0].get(prefix)) is not None:
            return f"{_PACKAGE}.{found}{below[len(prefix) :]}"
    return None


def new_name(module: str, old: str) -> str | None:
    """New name for an old name in a module or in a package that exports it; None where it was not renamed."""
    for name in _self_and_parents(module.removeprefix(f"{_PACKAGE}.")):
        if (found := renames()[1].get(name, {}).get(old)) is not None:
            return found
    return None


def _self_and_parents(dotted: str) -> Iterator[str]:
    while dotted:
        yield dotted
        dotted = dotted.rpartition(".")[0]


def warn_renamed(old: str, new: str, stacklevel: int = 3) -> None:
    """Warn the caller's caller that a name has changed."""
    warnings.warn(
        f"{old} is now {new}; the old name will be removed in the next release", DeprecationWarning, stacklevel
    )


def renamed_attribute(module: str) -> Callable[[str], Any]:
    """Module-level `__getattr__` of a module that kept its name: old names in it resolve, and warn once each."""

    def find(name: str) -> Any:
        new = None if name.startswith("_") else new_name(module, name)
        if new is None or not hasattr(sys.modules[module], new):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn_renamed(f"{module}.{name}", new)
        found = getattr(sys.modules[module], new)
        setattr(sys.modules[module], name, found)
        return found

    return find


def renamed_keywords(**old_to_new: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator of a function that takes old keywords too, with a warning."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        owner = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]

        @wraps(function)
        def call(*args: P.args, **keywords: P.kwargs) -> R:
            rename_keywords(owner, keywords, old_to_new)
            return function(*args, **keywords)

        return call

    return decorate


def rename_keywords(owner: str, keywords: dict[str, Any], old_to_new: Mapping[str, str]) -> None:
    """Rename old keywords in place, with a warning to the caller's caller of `owner`.

    Raises:
        TypeError: both the old and the new one are given.
    """
    for old in [old for old in old_to_new if old in keywords]:
        new = old_to_new[old]
        if new in keywords:
            raise TypeError(f"{owner}() got {old!r} and {new!r}, which are one")
        warn_renamed(f"{owner}({old}=...)", f"{new}=...", stacklevel=4)
        keywords[new] = keywords.pop(old)


def rename_value(name: str, value: T, old_to_new: Mapping[str, T], stacklevel: int = 4) -> T:
    """New value of an argument whose words have changed; warns the caller of the function that has the argument."""
    if not isinstance(value, str) or value not in old_to_new:
        return value
    warn_renamed(f"{name}={value!r}", f"{name}={old_to_new[value]!r}", stacklevel)
    return old_to_new[value]


class _RenamedModule(ModuleType):
    """Stand-in for a module under its old name: everything is looked up in the new one."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        target = str(new_module(self.__name__))
        module = import_module(target)
        new = new_name(target, name)
        if new is not None and hasattr(module, new):
            warn_renamed(f"{self.__name__}.{name}", f"{target}.{new}")
            self.__dict__[name] = getattr(module, new)
            return self.__dict__[name]
        below = f"{self.__name__}.{name}"
        if not hasattr(module, name) and below in sys.modules:
            return sys.modules[below]
        if not hasattr(module, name):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(module, name)

    def __setattr__(self, name: str, value: Any) -> None:
        # the import system puts modules into their parent, where a function may have the same old name
        if not isinstance(value, _RenamedModule):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return dir(import_module(str(new_module(self.__name__))))


class _RenamedFinder:
    """Finder and loader of modules under their old names.

    Its bases of `importlib.abc` are left out: they do nothing, but to import them takes a quarter of the time of
    `import flicksim`, in which Ctrl-C cannot be handled yet.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if not fullname.startswith(f"{_PACKAGE}."):
            return None
        new = new_module(fullname)
        if new is None:
            return None
        try:
            import_module(new)
        except ModuleNotFoundError as missing:
            if missing.name != new:
                raise
            return None  # so that the import system tells the name that was typed
        warn_renamed(fullname, new)
        loader: Any = self  # typed as one of `importlib.abc`
        return ModuleSpec(fullname, loader, origin=new, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _RenamedModule(spec.name, f"Old name of `{spec.origin}`.")

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: names are looked up when they are used."""


def install() -> None:
    """Install the finder of old module names, once."""
    if not any(isinstance(finder, _RenamedFinder) for finder in sys.meta_path):
        sys.meta_path.append(_RenamedFinder())
