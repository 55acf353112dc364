"""The lists of keys on the pages, from the tables that the window asks: `python -m benchmarks.keys` writes them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from flicksim.base.files import write_aside
from flicksim.lab.env.pages import renewed
from flicksim.ui.faces import found
from flicksim.ui.front.menu import front_keys
from flicksim.ui.kit.keys import ALWAYS, COMMON, PLAYING, Keys
from flicksim.ui.match.study import STUDYING

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "README.md", ROOT / "flicksim" / "ui" / "keys.md")


def every() -> tuple[Keys, ...]:
    """All tables of keys there are."""
    faces = found()
    return (front_keys(faces.practices), *COMMON, STUDYING, *faces.keys)


def lists() -> dict[str, str]:
    """The text between the marks of a page, by mark."""
    whole = "\n\n".join(f"## {table.where}\n\n{_table([table])}" for table in every())
    return {"keys": whole, "first": _table([PLAYING, ALWAYS])}


def _table(tables: Iterable[Keys]) -> str:
    rows = [f"| {row.shown.replace('   ', ' · ')} | {row.says} |" for table in tables for row in table.rows]
    return "\n".join(["| keys | |", "|---|---|", *rows])


def main() -> None:
    """Write the lists anew."""
    for page in PAGES:
        write_aside(page, renewed(page.read_text(encoding="utf-8"), lists()).encode())


if __name__ == "__main__":
    main()
