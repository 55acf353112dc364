"""Texts of a game from the file `rulebook.toml` beside its modules: title, summary and the like, paraphrased rules, and
descriptions of options.

The table `rules` maps rule ids to sentences, or to a sentence and the `option` that changes the rule; `options` maps
names of options to descriptions.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from flicksim.core.serialization import Value, from_builtins
from flicksim.core.type_aliases import JsonValue


class RuleEntry(Value, frozen=True, kw_only=True):
    """Rule of a game, paraphrased.

    Args:
        id: rule id. text: the rule. option: name of the option that changes it, if any.
    """

    id: str
    text: str
    option: str | None = None


@cache
def _texts(folder: Path) -> dict[str, JsonValue]:
    return tomllib.loads((folder / "rulebook.toml").read_text(encoding="utf-8"))


def load_rulebook(folder: Path) -> tuple[RuleEntry, ...]:
    """Load the rulebook of a game from its folder."""
    rules = _texts(folder)["rules"]
    entries = [{"id": id_, **({"text": rule} if isinstance(rule, str) else rule)} for id_, rule in rules.items()]
    return from_builtins(entries, tuple[RuleEntry, ...])


def load_texts(folder: Path) -> dict[str, JsonValue]:
    """Load title, summary, description, sources and rulebook of a game from its folder, as arguments of `Game`."""
    texts = {name: text for name, text in _texts(folder).items() if name not in ("rules", "options")}
    return texts | {"sources": tuple(texts["sources"]), "rulebook": load_rulebook(folder)}


def load_option_help(folder: Path) -> Mapping[str, str]:
    """Load the descriptions of a game's options from its folder."""
    return from_builtins(_texts(folder)["options"], dict[str, str])
