"""Views of single games, discovered as plugins: a package of a game's name with a `GAME_VIEW` in its `game_view.py`.

Views know nothing of each other. A game without one is shown by the default view of its kind of table.
"""

import pkgutil
from importlib import import_module

from flicksim import games
from flicksim.gui.app.game_view import GameView, GameViews
from flicksim.gui.board_view.board_game_view import BOARD_GAME_VIEW


def discover_game_views() -> GameViews:
    """All game views found, in the order of the games."""
    package_names = {module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__) if module.ispkg}
    return GameViews(
        {name: _load_game_view(name) for name in games.names() if name in package_names}, {"table": BOARD_GAME_VIEW}
    )


def _load_game_view(name: str) -> GameView:
    face = import_module(f"{__name__}.{name.replace('-', '_')}.game_view").GAME_VIEW
    assert isinstance(face, GameView)
    return face
