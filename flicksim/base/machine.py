"""This machine and its tools in one word, to name results by."""

from __future__ import annotations

import platform
from importlib.metadata import version


def machine() -> str:
    """The system, its processors, and versions of Python and pymunk."""
    parts = (platform.system(), platform.machine(), f"py{platform.python_version()}", f"pymunk{version('pymunk')}")
    return "-".join(parts).lower()
