"""One folder a game, found and not listed: a new game is a new folder with a `GAME` in it and nothing else."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from flicksim.base.errors import BadOption
from flicksim.referee import Game, Positions

_ORDER = ("penny-white", "tiddlywinks", "ice", "dominoes", "tinkle")
"""Order in which the shipped games are shown; others follow by name."""


def names() -> tuple[str, ...]:
    """Names of all games there are."""
    found = {module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__) if module.ispkg}
    return tuple(name for name in _ORDER if name in found) + tuple(sorted(found - set(_ORDER)))


def load(name: str) -> Game:
    """The game of that name.

    Raises:
        BadOption: there is none; lists those there are.
    """
    if name not in names():
        raise BadOption(f"no game {name!r}; there are {', '.join(names())}")
    game = import_module(f"{__name__}.{name.replace('-', '_')}").GAME
    assert isinstance(game, Game)
    return game


def with_positions() -> list[tuple[Game, Positions]]:
    """The games whose positions can be written down, each with its notation."""
    cards = [load(name) for name in names()]
    return [(card, card.positions) for card in cards if card.positions is not None]
