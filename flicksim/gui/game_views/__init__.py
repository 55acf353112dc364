"""Views of single games, discovered as plugins: a package of a game's name with a `GAME_VIEW` in its `game_view.py`.

Views know nothing of each other. A game without one is shown by the default view of its kind of table. Glossary and
lesson of a game are read from `texts.toml` in the package of its view, its keys from `key_bindings.toml`.
"""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from importlib.resources import files
from itertools import chain

import msgspec

from flicksim import games
from flicksim.core.serialization import Value
from flicksim.gui.app import GameView, GameViews, GlossarySection
from flicksim.gui.app.activity_card import Condition, Lesson, LessonStep
from flicksim.gui.board_view.board_game_view import BOARD_GAME_VIEW
from flicksim.gui.toolkit import KeyBinding, KeyMap


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


class _Lesson(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    summary: str
    steps: tuple[LessonStep, ...]


class _Terms(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: str
    entries: dict[str, str]


class _Texts(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    terms: _Terms
    lesson: _Lesson


def load_texts(package: str, conditions: Mapping[str, Condition]) -> tuple[GlossarySection, Lesson]:
    """Load the glossary and the lesson of a game view.

    Args:
        package: of the game view. conditions: of the steps of the lesson, by name.
    """
    texts = msgspec.toml.decode((files(package) / "texts.toml").read_bytes(), type=_Texts)
    terms = GlossarySection(texts.terms.title, tuple(texts.terms.entries.items()))
    return terms, Lesson(texts.lesson.steps, texts.lesson.summary, conditions)


class _KeyTable(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    bindings: tuple[KeyBinding | str, ...]
    title: str = ""


def load_key_maps(package: str) -> dict[str, KeyMap]:
    """Load the key bindings of a game view, by name; a row that is a name stands for the rows of that map above."""
    tables = msgspec.toml.decode((files(package) / "key_bindings.toml").read_bytes(), type=dict[str, _KeyTable])
    maps: dict[str, KeyMap] = {}
    for name, table in tables.items():
        rows = (maps[row].bindings if isinstance(row, str) else (row,) for row in table.bindings)
        maps[name] = KeyMap(table.title, tuple(chain.from_iterable(rows)))
    return maps
