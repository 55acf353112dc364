"""Options of a game in plain words."""

from __future__ import annotations

import re

from flicksim.referee import Option


def plain(option: Option) -> str:
    """The subject of an option, in words: the beginning of what is said of it."""
    says = option.says.partition(" (")[0]
    unit = next((f" [{unit}]" for unit in ("mm", "s", "%") if f"[{unit}]" in option.says), "")
    words = re.split("[;:]", says)[0].removesuffix(unit).strip()
    if option.allowed == "true | false":
        words = words.partition(", or ")[0]  # what no would mean
    return (words[:1].upper() + words[1:] + unit) if words else option.name.replace("_", " ")


def written(value: object) -> str:
    """A default as one would type it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ",".join(written(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
