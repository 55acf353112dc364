"""Arguments that all environments share: old keywords, noise, options of a reset; a warning of slow simulation."""

import warnings
from collections.abc import Mapping
from functools import cache

from flicksim.ai import GRADES, ExecutionNoise, parse_grade
from flicksim.core.deprecation import renamed_keywords
from flicksim.core.errors import InvalidOption
from flicksim.core.shell import install_command
from flicksim.core.validation import check_int
from flicksim.engine.jit import numba_njit

accept_old_keywords = renamed_keywords(
    hand="execution_noise", near="min_distance", far="max_distance", large="large_share", shaping="distance_penalty"
)
"""Decorator: accept keywords of release 0.1.0 with a DeprecationWarning."""


@cache
def warn_if_uncompiled(env_name: str) -> None:
    """Warn once for each kind of environment if the engine is not compiled: winks and pyramids are 200 times slower."""
    if numba_njit is None:
        warnings.warn(
            f"{env_name} runs in plain Python, at about 3 shots a second: the extra 'fast' makes it hundreds of times "
            f"faster: {install_command('fast')}",
            stacklevel=2,
        )


def check_reset_options(options: object, *known: str) -> None:
    """Check that the options of a reset have known names; None and an empty mapping have none.

    Raises:
        InvalidOption: one has another name, or they are not by name.
    """
    if options is not None and not isinstance(options, Mapping):
        raise InvalidOption(f"options={options!r} of reset must be by name")
    if unknown := [name for name in options or () if name not in known]:
        there = f"it has {', '.join(known)}" if known else "an environment is set up when it is made"
        raise InvalidOption(f"reset has no option {unknown[0]!r}; {there}")


def to_seed(seed: object) -> int | None:
    """Seed of a reset; None goes on with the random numbers there are.

    Raises:
        InvalidInput: it is no whole number, or negative.
    """
    return None if seed is None else check_int(seed, "seed", 0)


def to_execution_noise(noise: str | ExecutionNoise | None) -> ExecutionNoise | None:
    """Execution noise by its grade, or as given.

    Raises:
        InvalidOption: no such grade, or no execution noise.
    """
    if noise is None or isinstance(noise, ExecutionNoise):
        return noise
    if isinstance(noise, str):
        return GRADES[parse_grade(noise)]
    raise InvalidOption(
        f"execution_noise {noise!r} is invalid; it is an ExecutionNoise, or a grade of {', '.join(GRADES)}"
    )
