"""Plug-in discovery of games: every package in this folder that defines a `GAME`."""

import copyreg
import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module

from flicksim.core.errors import InvalidOption
from flicksim.referee import Game, PositionNotation

_ORDER = ("penny-white", "tiddlywinks", "ice", "dominoes", "tinkle")
"""Order in which the shipped games are shown; others follow by name."""


def names() -> tuple[str, ...]:
    """Names of all games."""
    return _names_in(tuple(__path__))


@cache
def _names_in(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the games in these folders, read once: every `load` asks for them."""
    packages = {module.name.replace("_", "-") for module in pkgutil.iter_modules(folders) if module.ispkg}
    return tuple(name for name in _ORDER if name in packages) + tuple(sorted(packages - set(_ORDER)))


def load(name: str) -> Game:
    """Load a game by name.

    Raises:
        InvalidOption: there is none of that name, or it is empty; the message lists the names.
    """
    if name not in names():
        raise InvalidOption(f"no game {repr(name) if name else 'is named'}; there are {', '.join(names())}")
    game = import_module(f"{__name__}.{name.replace('-', '_')}").GAME
    assert isinstance(game, Game)
    return game


def _pickle_by_name(game: Game) -> tuple[Callable[[str], Game], tuple[str]] | str | tuple[object, ...]:
    """Pickle a discovered game by its name: its rules are modules, which cannot be pickled."""
    if game.name in names() and load(game.name) is game:
        return load, (game.name,)
    return object.__reduce_ex__(game, 4)


copyreg.pickle(Game, _pickle_by_name)  # type: ignore[arg-type]  # it may return all that `__reduce__` may


def games_with_positions() -> list[tuple[Game, PositionNotation]]:
    """Games with a position notation, by name."""
    games = [load(name) for name in names()]
    return [(game, game.positions) for game in games if game.positions is not None]
