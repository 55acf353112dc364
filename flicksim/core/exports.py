"""Names that a package exports: those that it imports from its modules."""

import sys
from types import ModuleType


def exported_names(package: str) -> list[str]:
    """Public names of a package for its `__all__`, without modules: constants, then types, then functions.

    Type checkers take them from the imports, each `as` itself (PEP 484).
    """
    members = vars(sys.modules[package]).items()
    names = [name for name, value in members if not name.startswith("_") and not isinstance(value, ModuleType)]
    return sorted(names, key=lambda name: (not name.isupper(), name[0].islower(), name))
