"""Write the tables of keys in the documentation from the key bindings: `python -m benchmarks.key_bindings`."""

from collections.abc import Iterable
from pathlib import Path

from benchmarks.environment_pages import regenerate
from flicksim.core.atomic_files import write_atomic
from flicksim.gui.card_view.card_position_editor import CARD_EDITOR_KEYS
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.match.position_editor import EDITOR_KEYS
from flicksim.gui.menus.main_menu import main_menu_keys
from flicksim.gui.toolkit.key_bindings import (
    COMMON_KEYS,
    GLOBAL_KEYS,
    HOSTING_KEYS,
    ONLINE_KEYS,
    PLAY_KEYS,
    KeyMap,
)

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "README.md", ROOT / "flicksim" / "gui" / "keys.md")


def all_key_tables() -> tuple[KeyMap, ...]:
    """All tables of key bindings, those of the games included."""
    views = discover_game_views()
    boards = (EDITOR_KEYS, CARD_EDITOR_KEYS)
    return (main_menu_keys(views.practice_modes), *COMMON_KEYS, HOSTING_KEYS, ONLINE_KEYS, *boards, *views.keys)


def key_lists() -> dict[str, str]:
    """Markdown between the markers of a page, by marker."""
    all_keys = "\n\n".join(f"## {table.title}\n\n{_table([table])}" for table in all_key_tables())
    return {"keys": all_keys, "first": _table([PLAY_KEYS, GLOBAL_KEYS])}


def _table(tables: Iterable[KeyMap]) -> str:
    rows = [f"| {row.label.replace('   ', ' · ')} | {row.text} |" for table in tables for row in table.bindings]
    return "\n".join(["| keys | |", "|---|---|", *rows])


def main() -> None:
    """Regenerate the tables of all pages."""
    for page in PAGES:
        write_atomic(page, regenerate(page.read_text(encoding="utf-8"), key_lists()).encode())


if __name__ == "__main__":
    main()
