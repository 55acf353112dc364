"""Letters that come from elsewhere: whatever a file or a keyboard holds can be measured and shown."""

from __future__ import annotations

import pygame
import pytest

from flicksim.ui.frame.app import App
from flicksim.ui.kit.canvas import Canvas


@pytest.mark.parametrize("text", ["nought \x00 in it", "half \ud800", "\x1b[2J", "\U0001f3b2", ""])
def test_any_letters_can_be_shown(app: App, text: str) -> None:
    canvas = Canvas(app.surface)
    assert canvas.text(text, (10, 10)).w == canvas.wide(text)
    canvas.paragraph(text, pygame.Rect(0, 0, 100, 40))


@pytest.mark.parametrize("sign", "♠♥♦♣★→−")
def test_signs_that_the_shipped_face_lacks_are_no_boxes(app: App, sign: str) -> None:
    canvas = Canvas(app.surface, 2.0)

    def written(text: str) -> bytes:
        app.surface.fill((0, 0, 0))
        rect = canvas.text(text, (10, 10), 20)
        return pygame.image.tobytes(app.surface.subsurface(rect), "RGB")

    assert written(sign) != written("\U00010000")  # which has no picture in either face


def test_a_word_wider_than_a_line_goes_on_in_the_next(app: App) -> None:
    canvas, path = Canvas(app.surface), "cannot read '/a/very/long/path/to/some/game-0001.jsonl', says nobody"
    lines = canvas.wrapped(path, 90)
    assert len(lines) > 3
    assert all(canvas.wide(line) <= 90 for line in lines)
    assert "".join(lines).replace(" ", "") == path.replace(" ", "")
