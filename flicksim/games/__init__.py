"""Plug-in discovery of games: each is a folder here with a `GAME`; there is no list."""

from __future__ import annotations

import copyreg
import pkgutil
from collections.abc import Callable
from importlib import import_module

from flicksim.core.errors import InvalidOption
from flicksim.referee import Game, PositionNotation

_ORDER = ("penny-white", "tiddlywinks", "ice", "dominoes", "tinkle")
"""Order in which the shipped games are shown; others follow by name."""


def names() -> tuple[str, ...]:
    """Names of all games."""
    found = {module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__) if module.ispkg}
    return tuple(name for name in _ORDER if name in found) + tuple(sorted(found - set(_ORDER)))


def load(name: str) -> Game:
    """Load a game by name.

    Raises:
        InvalidOption: there is none; lists those there are.
    """
    if name not in names():
        raise InvalidOption(f"no game {name!r}; there are {', '.join(names())}")
    game = import_module(f"{__name__}.{name.replace('-', '_')}").GAME
    assert isinstance(game, Game)
    return game


def _pickle_by_name(game: Game) -> tuple[Callable[[str], Game], tuple[str]] | str | tuple[object, ...]:
    """Pickle a game that is found here by its name: its rules are modules, which cannot be."""
    if game.name in names() and load(game.name) is game:
        return load, (game.name,)
    return object.__reduce_ex__(game, 4)


copyreg.pickle(Game, _pickle_by_name)  # type: ignore[arg-type]  # it may return all that `__reduce__` may


def games_with_positions() -> list[tuple[Game, PositionNotation]]:
    """Games with a position notation, by name."""
    cards = [load(name) for name in names()]
    return [(card, card.positions) for card in cards if card.positions is not None]
