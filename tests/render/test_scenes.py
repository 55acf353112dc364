"""Images without a window equal those of the window, in notebooks and in files."""

import sys
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import PIL.Image
import pytest

import flicksim
from flicksim.core.errors import InvalidFile, InvalidInput, MissingExtra
from flicksim.core.geometry import clip_behind_line
from flicksim.gui.toolkit import palette
from flicksim.render import Bitmap, Label, colours, draw, pillow_backend
from flicksim.scene import Scene
from tests.python_process import run_code


@pytest.fixture(scope="module")
def motions() -> dict[str, Any]:
    """Trajectories of the shipped shots, by the name of the shot."""
    launch = flicksim.simulate(flicksim.load_pyramids("launch"), flicksim.load_launch("launch"))
    flat = {
        name: flicksim.simulate(flicksim.load_scene(name), flicksim.load_flick(name)) for name in ("draw", "squidge")
    }
    return {**flat, "launch": launch}


def decode_png(png: bytes) -> Any:
    """A PNG as numbers. [height, width, 3]"""
    return np.asarray(PIL.Image.open(BytesIO(png)).convert("RGB"), dtype=np.float64)


@pytest.mark.parametrize(
    ("name", "is_moving", "least"),
    [("draw", True, 0.97), ("break-up", False, 0.97), ("squidge", False, 0.9), ("squidge", True, 0.9)],
)
def test_images_use_the_textures_of_the_window(
    motions: dict[str, Any], name: str, is_moving: bool, least: float, tmp_path: Path
) -> None:
    shown = motions[name] if is_moving else flicksim.load_scene(name)
    theirs = decode_png(flicksim.gui.save_image(shown, tmp_path / "window.png").read_bytes())
    ours = decode_png(shown._repr_png_())
    assert ours.shape == theirs.shape
    assert float((np.abs(ours - theirs).max(axis=2) < 24.0).mean()) > least


def test_colours_are_those_of_the_window() -> None:
    for owner, piece in ((None, "a"), (1, "a"), (5, "a"), (0, "green-2")):
        key = palette.seat_key(owner, ("Blue", "Red"), piece)
        assert colours.colour_key(owner, ("Blue", "Red"), piece) == (key or "")


@pytest.mark.parametrize("name", ["draw", "squidge", "launch", "launch before", "squidge before"])
def test_still_images(motions: dict[str, Any], name: str, tmp_path: Path) -> None:
    shot, _, before = name.partition(" ")
    shown = motions[shot].before if before else motions[shot]
    assert shown.plot(size=(300, 200)).save(tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert shown.plot(size=(300, 200)).image().size == (300, 200)
    assert shown._repr_png_().startswith(b"\x89PNG")


def test_ids_of_pieces_are_written_beside_them_and_not_on_one_another(motions: dict[str, Any]) -> None:
    pile = flicksim.load_scene("pile_of_three")
    for scene in (*(motion.before for motion in motions.values()), pile):
        ids = {piece.id for piece in scene.pieces}
        labels = [one for one in draw(scene, with_ids=True).primitives if isinstance(one, Label) and one.text in ids]
        assert {label.text for label in labels} == ids
        assert not any(isinstance(one, Label) and one.text in ids for one in draw(scene).primitives)
    places = [label.position for label in labels if label.colour == colours.TEXT]
    assert all(abs(a[0] - b[0]) > 60.0 or abs(a[1] - b[1]) > 12.0 for a, b in combinations(places, 2))
    beside = [label.position[0] for label in labels if label.text in ("yellow-4", "green-1", "red-3")]
    assert max(beside) - min(beside) < 2.0, "to the right of the whole pile"


@pytest.mark.parametrize("name", ["draw", "squidge", "launch"])
def test_animations(motions: dict[str, Any], name: str, tmp_path: Path) -> None:
    shown = motions[name]
    film = shown.animate(size=(160, 200), frame_interval=0.2)
    assert film._repr_html_().startswith('<img src="data:image/gif;base64,')
    with PIL.Image.open(film.save(str(tmp_path / "a.gif"))) as made:
        assert made.n_frames > 1  # type: ignore[attr-defined]
    assert not np.array_equal(decode_png(shown.plot(time=0.0)._repr_png_()), decode_png(shown.plot()._repr_png_()))


def test_images_of_games_records_and_positions(tmp_path: Path) -> None:
    played = flicksim.play_game(
        "penny-white", ["random"] * 2, options={"ends": 1}, max_turns=3, record=tmp_path / "a.jsonl"
    )
    record = flicksim.read_record(tmp_path / "a.jsonl")
    assert record._repr_png_() == played._repr_png_() is not None
    assert "<table>" in record._repr_html_() == played._repr_html_()
    assert len(repr(played.animate(size=(80, 120), frame_interval=0.5)))
    cards = flicksim.play_game("tinkle", ["bot:club"] * 3, max_turns=2)
    assert cards._repr_png_() is None
    notation = flicksim.load_game("tiddlywinks").positions
    assert notation.load_builtin("leaning_on_the_pot")._repr_png_()


def test_a_wink_that_is_tilted_is_an_ellipse() -> None:
    flat = flicksim.load_scene("squidge")
    tilted = flat.with_piece(msgspec.structs.replace(flat.piece("red-3"), tilt=0.8, lean=0.0))

    def narrowest(scene: Scene) -> float:
        sheets = [
            mark.pixels[..., 3] > 128 for mark in draw(scene).primitives if isinstance(mark, Bitmap) and not mark.name
        ]
        spans = [(cover.any(axis=0).sum(), cover.any(axis=1).sum()) for cover in sheets if cover.any()]
        return min(float(across / down) for across, down in spans)

    assert narrowest(flat) == pytest.approx(1.0, abs=0.02)
    assert narrowest(tilted) == pytest.approx(np.cos(0.8), abs=0.03)


def test_a_stash_area_is_what_lies_behind_its_line() -> None:
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    area = clip_behind_line(square, (0.2, 0.3), (0.8, 0.3))
    assert {(round(x, 9), round(y, 9)) for x, y in area} == {(0.2, 0.3), (0.8, 0.3), (0.2, 0.0), (0.8, 0.0)}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda draw: draw.plot(size=3), "size 3 must be width and height"),
        (lambda draw: draw.plot(size=(1, 1)), "size (1, 1) must be width and height"),
        (lambda draw: draw.plot(time="end"), "time cannot be 'end'; it is a time"),
        (lambda draw: draw.animate(frame_interval=0.0), "frame_interval cannot be 0.0; it is a time between"),
        (lambda _: flicksim.play_game("tinkle", ["bot:club"] * 3, max_turns=1).animate(), "nothing of it moves"),
        (lambda _: flicksim.play_game("tinkle", ["bot:club"] * 3, max_turns=1).plot(), "nothing can be drawn of"),
    ],
)
def test_values_that_cannot_be_drawn_are_refused(motions: dict[str, Any], call: Any, message: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        call(motions["draw"])
    assert message in str(wrong.value)


def test_file_suffixes_are_checked(motions: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match=r"must be called something\.png"):
        motions["draw"].plot().save(tmp_path / "a.jpg")
    with pytest.raises(InvalidFile, match=r"must be called something\.gif"):
        motions["draw"].animate(frame_interval=0.5).save(tmp_path / "a.png")


def test_without_pillow_plot_names_the_extra(motions: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    assert motions["draw"]._repr_png_() is None
    with pytest.raises(MissingExtra, match=r"pip install 'flicksim\[pictures\]'"):
        pillow_backend.to_png(draw(motions["draw"]))


def test_the_shell_draws_without_pygame(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pygame'] = None; sys.argv = ['flicksim', 'settle', 'sample:draw', '--png', 'a.png']\n"
        "from flicksim.__main__ import run\nsys.exit(run())"
    )
    run_code(code, cwd=tmp_path)
    assert decode_png((tmp_path / "a.png").read_bytes()).shape == (1200, 900, 3)
