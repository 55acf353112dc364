"""Detection of the game of a position file."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from flicksim.core.errors import InvalidInput, InvalidScene
from flicksim.core.serialization import to_json
from flicksim.match import game_of_position, load_scene_by_name

LAST = '{"title": "Last pennies", "white": [150, 600], "blue": [[128, 548]], "options": {"ends": 1, "pennies": 2}}'
WINKS = '{"title": "One wink", "winks": []}'


@pytest.mark.parametrize(("text", "game"), [(LAST, "penny-white"), (WINKS, "tiddlywinks"), ("spoiled", "tiddlywinks")])
def test_game_of_position_file(text: str, game: str, tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(text, encoding="utf-8")
    assert game_of_position(str(path)).name == game


def test_game_of_builtin_position() -> None:
    assert game_of_position("pile_of_three").name == "tiddlywinks"


@pytest.mark.parametrize("sample", ["sample:draw", "sample:launch"])
def test_scene_of_file_is_validated(sample: str, tmp_path: Path) -> None:
    path, scene = tmp_path / "scene.json", load_scene_by_name(sample)
    path.write_bytes(to_json(replace(scene, pieces=scene.pieces[:1] * 2)))
    with pytest.raises(InvalidScene, match=f"^{path}: two pieces are called '{scene.pieces[0].id}'"):
        load_scene_by_name(str(path))


def test_misspelt_field_is_reported_by_nearest_notation(tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(LAST.replace("blue", "blu"), encoding="utf-8")
    with pytest.raises(InvalidInput, match="unknown field 'blu'"):
        load_scene_by_name(str(path))
