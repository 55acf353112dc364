"""One folder a game, found and not listed: a game's face is a folder of its name with a `FACE` in its `face.py`.

Faces know nothing of each other. A game without one is shown as its kind of table is.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from flicksim import games
from flicksim.ui.board.face import BOARD
from flicksim.ui.frame.face import Face, Faces


def found() -> Faces:
    """All faces there are, in the order of the games."""
    there = {module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__) if module.ispkg}
    return Faces({name: _load(name) for name in games.names() if name in there}, {"table": BOARD})


def _load(name: str) -> Face:
    face = import_module(f"{__name__}.{name.replace('-', '_')}.face").FACE
    assert isinstance(face, Face)
    return face
