"""Canvas text: any characters from files or keyboards can be measured and drawn."""

from pathlib import Path

import pygame
import pytest

from flicksim.core.paths import assets_dir
from flicksim.gui.app import App
from flicksim.gui.toolkit import Canvas


@pytest.mark.parametrize("text", ["nought \x00 in it", "half \ud800", "\x1b[2J", "\U0001f3b2", ""])
def test_any_characters_can_be_drawn(app: App, text: str) -> None:
    canvas = Canvas(app.surface)
    assert canvas.text(text, (10, 10)).w == canvas.text_width(text)
    canvas.paragraph(text, pygame.Rect(0, 0, 100, 40))


@pytest.mark.parametrize("sign", "♠♥♦♣★→−")
def test_signs_are_drawn_whatever_fonts_the_system_has(app: App, sign: str) -> None:
    canvas = Canvas(app.surface, 2.0)

    def written(text: str) -> bytes:
        app.surface.fill((0, 0, 0))
        rect = canvas.text(text, (10, 10), 20)
        return pygame.image.tobytes(app.surface.subsurface(rect), "RGB")

    assert written(sign) != written("\U00010000")  # which has no picture in any face


def test_texts_are_laid_out_by_bundled_fonts_alone(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    files, original = list[Path](), pygame.font.Font
    monkeypatch.setattr(pygame.font, "Font", lambda file, size: files.append(Path(file)) or original(file, size))
    canvas = Canvas(app.surface)
    canvas.text("♠♥♦♣★→− 4 mm", (10, 10), 23.7)
    assert [canvas.line_height(size) for size in (12, 16, 25)] == [14, 19, 30]
    assert {file.parent for file in files} == {assets_dir() / "fonts"}


def test_a_sign_of_another_font_leaves_the_words_beside_it_as_they_are(app: App) -> None:
    canvas = Canvas(app.surface, 2.0)

    def written(text: str) -> pygame.Surface:
        app.surface.fill((0, 0, 0))
        return app.surface.subsurface(canvas.text(text, (10, 10), 20, bold=True)).copy()

    words, line = written("group 1 ("), written("group 1 (10♣) has only 1")
    assert line.get_height() == words.get_height()
    start = line.subsurface((0, 0, words.get_width() - 4, words.get_height()))
    assert pygame.image.tobytes(start, "RGB") == pygame.image.tobytes(words.subsurface(start.get_rect()), "RGB")


def test_words_wider_than_a_line_are_broken(app: App) -> None:
    canvas, path = Canvas(app.surface), "cannot read '/a/very/long/path/to/some/game-0001.jsonl', says nobody"
    lines = canvas.wrap(path, 90)
    assert len(lines) > 3
    assert all(canvas.text_width(line) <= 90 for line in lines)
    assert "".join(lines).replace(" ", "") == path.replace(" ", "")
