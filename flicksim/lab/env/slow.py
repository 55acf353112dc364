"""Without the extra `fast` winks and pyramids fly two hundred times slower, and somebody should be told."""

from __future__ import annotations

import warnings
from functools import cache

from flicksim.physics.flight.jit import njit


@cache
def warn_where_slow(what: str) -> None:
    """Say so, once for each kind of environment."""
    if njit is None:
        warnings.warn(
            f"{what} flies in plain Python, at about 3 shots a second: the extra 'fast' makes it hundreds of times "
            "faster: pip install 'flicksim[fast]'",
            stacklevel=2,
        )
