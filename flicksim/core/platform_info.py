"""One-line description of the platform and library versions, stored with results."""

import platform
from importlib.metadata import version


def platform_tag() -> str:
    """Operating system, processor, and versions of Python and pymunk, as one tag."""
    parts = (platform.system(), platform.machine(), f"py{platform.python_version()}", f"pymunk{version('pymunk')}")
    return "-".join(parts).lower()
