"""Keywords of environments in release 0.1.0, accepted with a DeprecationWarning."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec
from warnings import warn

P = ParamSpec("P")

OLD_KEYWORDS = {
    "hand": "execution_noise", "near": "min_distance", "far": "max_distance", "large": "large_share",
    "shaping": "distance_penalty",
}  # fmt: skip
"""Old name to new."""
OLD_INFO_KEYS = {"gap": "distance", "unsettled": "did_not_settle"}
"""Old name to new; an `info` has both for one release."""


def accept_old_keywords(function: Callable[P, None]) -> Callable[P, None]:
    """Decorate a constructor so that it accepts the old keywords."""

    @wraps(function)
    def renamed(*args: P.args, **keywords: P.kwargs) -> None:
        for old, new in OLD_KEYWORDS.items():
            if old in keywords and new not in keywords:
                warn(f"{old}= is deprecated; use {new}=", DeprecationWarning, stacklevel=2)
                keywords[new] = keywords.pop(old)
        function(*args, **keywords)

    return renamed
