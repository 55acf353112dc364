"""Warning that the engine is not compiled: without the extra `fast` winks and pyramids are 200 times slower."""

import warnings
from functools import cache

from flicksim.engine.jit import numba_njit


@cache
def warn_if_uncompiled(env_name: str) -> None:
    """Warn once for each kind of environment if the engine is not compiled."""
    if numba_njit is None:
        warnings.warn(
            f"{env_name} runs in plain Python, at about 3 shots a second: the extra 'fast' makes it hundreds of times "
            "faster: pip install 'flicksim[fast]'",
            stacklevel=2,
        )
