"""Pages of the environments: one each, with current tables."""

import re
from pathlib import Path

import pytest

from benchmarks.environment_pages import DOC_PAGES, ROOT, page_names, paint_pictures, regenerate, tables
from flicksim.envs import GameEnv, ShotEnv
from flicksim.envs.game_env import VERSION as GAME_VERSION
from flicksim.envs.shot_env import VERSION as SHOT_VERSION
from flicksim.envs.shot_tasks import TASKS
from flicksim.envs.versus_env import VERSION as VERSUS_VERSION
from flicksim.games import names

every_page = pytest.mark.parametrize("page", page_names())


def text(page: str) -> str:
    """A page."""
    return (DOC_PAGES / f"{page}.md").read_text(encoding="utf-8")


@every_page
def test_tables_of_the_pages_are_current(page: str) -> None:
    """`python -m benchmarks.environment_pages` writes them anew."""
    assert regenerate(text(page), tables(page)) == text(page)
    assert set(re.findall(r"<!-- (\w+) -->", text(page))) == {*tables(page), "end"}


def test_every_environment_has_one_page() -> None:
    assert {path.stem for path in DOC_PAGES.glob("*.md")} == set(page_names())
    readme = (DOC_PAGES.parent / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(pages/([\w-]+)\.md\)", readme)) == set(page_names())


@every_page
def test_pages_name_the_current_versions(page: str) -> None:
    shot = next((name for name in TASKS if name.lower() == page), None)
    known = (f"flicksim/{shot}-v{SHOT_VERSION}",) if shot else (
        f"flicksim/{page}-v{GAME_VERSION}", f"flicksim/{page}-vs-v{VERSUS_VERSION}",
    )  # fmt: skip
    assert all(f'"{one}"' in text(page) for one in known)


@every_page
def test_every_number_is_in_a_table(page: str) -> None:
    """Rows tell of one number, or of so many from one on."""
    shot = next((name for name in TASKS if name.lower() == page), None)
    count = len(ShotEnv(shot).task.features) if shot else len(GameEnv(page).feature_names)
    rows = tables(page)["observations"].splitlines()
    matches = [re.match(r"\| (\d+)(?: from \d+ on)? \|", row) for row in rows]
    total = sum(int(row[1]) if " from " in row[0] else 1 for row in matches if row is not None)
    assert total == count
    if shot is None:
        assert f"{count:,} numbers" in text(page).replace(f"{count} numbers", f"{count:,} numbers")


def test_pictures_are_painted(tmp_path: Path) -> None:
    paint_pictures(tmp_path)
    tables_shown = {
        name for name in (*TASKS, *names()) if (ROOT / "assets" / "environments" / f"{name.lower()}.png").exists()
    }
    assert {path.stem for path in tmp_path.glob("*.png")} == {name.lower() for name in tables_shown}
    assert len(tables_shown) == 6
