"""Positions in files: of which game they are, without being told."""

from __future__ import annotations

from pathlib import Path

import pytest

from flicksim.core.errors import InvalidInput
from flicksim.match import game_of_position, load_scene_by_name

LAST = '{"title": "Last pennies", "white": [150, 600], "blue": [[128, 548]], "options": {"ends": 1, "pennies": 2}}'
WINKS = '{"title": "One wink", "winks": []}'


@pytest.mark.parametrize(("text", "game"), [(LAST, "penny-white"), (WINKS, "tiddlywinks"), ("spoiled", "tiddlywinks")])
def test_a_file_tells_of_which_game_it_is(text: str, game: str, tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(text, encoding="utf-8")
    assert game_of_position(str(path)).name == game


def test_a_shipped_position_is_of_its_game() -> None:
    assert game_of_position("pile_of_three").name == "tiddlywinks"


def test_a_word_misspelt_is_told_by_the_notation_it_is_nearest_to(tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(LAST.replace("blue", "blu"), encoding="utf-8")
    with pytest.raises(InvalidInput, match="unknown field `blu`"):
        load_scene_by_name(str(path))
