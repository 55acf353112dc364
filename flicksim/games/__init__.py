"""One folder a game, found and not listed: a new game is a new folder with a `GAME` in it and nothing else."""

from __future__ import annotations

import copyreg
import pkgutil
from collections.abc import Callable
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


def _by_name(game: Game) -> tuple[Callable[[str], Game], tuple[str]] | str | tuple[object, ...]:
    """Pickle a game that is found here by its name: its rules are modules, which cannot be."""
    if game.name in names() and load(game.name) is game:
        return load, (game.name,)
    return object.__reduce_ex__(game, 4)


copyreg.pickle(Game, _by_name)  # type: ignore[arg-type]  # it may return all that `__reduce__` may


def with_positions() -> list[tuple[Game, Positions]]:
    """The games whose positions can be written down, each with its notation."""
    cards = [load(name) for name in names()]
    return [(card, card.positions) for card in cards if card.positions is not None]
