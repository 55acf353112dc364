"""The environments' pages: every environment has one, and its tables are what the environment is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flicksim.games import names
from flicksim.lab.env import GameEnv, ShotEnv
from flicksim.lab.env.game_env import VERSION as GAME_VERSION
from flicksim.lab.env.pages import PAGES, every, pictures, renewed, tables
from flicksim.lab.env.shot_env import VERSION as SHOT_VERSION
from flicksim.lab.env.shots import TASKS
from flicksim.lab.env.versus_env import VERSION as VERSUS_VERSION

every_page = pytest.mark.parametrize("page", every())


def text(page: str) -> str:
    """A page."""
    return (PAGES / f"{page}.md").read_text(encoding="utf-8")


@every_page
def test_tables_are_what_the_environment_is(page: str) -> None:
    """`python -m flicksim.lab.env.pages` writes them anew."""
    assert renewed(text(page), tables(page)) == text(page)
    assert set(re.findall(r"<!-- (\w+) -->", text(page))) == {*tables(page), "end"}


def test_there_is_a_page_for_every_environment_and_none_besides() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == set(every())
    readme = (PAGES.parent / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(pages/([\w-]+)\.md\)", readme)) == set(every())


@every_page
def test_pages_tell_the_versions_there_are(page: str) -> None:
    shot = next((name for name in TASKS if name.lower() == page), None)
    known = (f"flicksim/{shot}-v{SHOT_VERSION}",) if shot else (
        f"flicksim/{page}-v{GAME_VERSION}", f"flicksim/{page}-vs-v{VERSUS_VERSION}",
    )  # fmt: skip
    assert all(f'"{one}"' in text(page) for one in known)


@every_page
def test_every_number_is_in_a_table(page: str) -> None:
    """Rows tell of one number, or of so many from one on."""
    shot = next((name for name in TASKS if name.lower() == page), None)
    count = len(ShotEnv(shot).task.sees) if shot else len(GameEnv(page).legend)
    rows = tables(page)["observations"].splitlines()
    told = [re.match(r"\| (\d+)(?: from \d+ on)? \|", row) for row in rows]
    total = sum(int(row[1]) if " from " in row[0] else 1 for row in told if row is not None)
    assert total == count
    if shot is None:
        assert f"{count:,} numbers" in text(page).replace(f"{count} numbers", f"{count:,} numbers")


def test_pictures_are_painted(tmp_path: Path) -> None:
    pictures(tmp_path)
    tables_shown = {
        name
        for name in (*TASKS, *names())
        if (PAGES.parents[3] / "assets" / "environments" / f"{name.lower()}.png").exists()
    }
    assert {path.stem for path in tmp_path.glob("*.png")} == {name.lower() for name in tables_shown}
    assert len(tables_shown) == 6
