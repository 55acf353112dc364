"""Widgets, and the text that a canvas measures and draws."""

import dataclasses
from pathlib import Path

import pygame
import pytest

from flicksim.core.paths import assets_dir
from flicksim.gui.app import App
from flicksim.gui.game_views.ice import launcher_pose
from flicksim.gui.game_views.tiddlywinks import squidge_aim
from flicksim.gui.menus.welcome import WelcomeScreen
from flicksim.gui.toolkit import Button, Canvas, Form, ListBox, NumericSlider

from ..conftest import Driver


def test_select_all_is_replaced_by_what_is_typed(app: App, drive: Driver) -> None:
    field = drive.show(WelcomeScreen(app)).name
    for key, text in ((pygame.K_BACKSPACE, ""), (pygame.K_DELETE, ""), (pygame.K_z, "z")):
        drive.type("ada")
        drive.key(pygame.K_a, pygame.KMOD_LCTRL)
        assert (field.text, field.is_selected) == ("ada", True)
        drive.key(pygame.K_LSHIFT)  # as before a capital
        drive.key(key, text=text)
        assert (field.text, field.is_selected) == (text, False)


def test_a_full_field_says_how_long_it_may_be(app: App, drive: Driver, untranslated: set[str]) -> None:
    field = drive.show(WelcomeScreen(app)).name
    drive.type("a" * 23)
    assert "characters at most" not in drive.screen_text()
    drive.type("bc")
    assert field.text == "a" * 23 + "b"
    assert "24 characters at most" in drive.screen_text()
    assert not untranslated


def test_home_and_end_go_to_the_ends_of_a_form() -> None:
    def press(form: Form, key: int) -> int | None:
        form.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=""))
        return form.focus

    off, *on = (Button(label, lambda: None) for label in "abcd")
    off.enabled = False
    assert press(Form([*on, off]), pygame.K_END) == 2
    assert press(Form([off, *on], 3), pygame.K_HOME) == 1
    assert press(Form(on, 1, arrows=False), pygame.K_END) == 1


@pytest.mark.parametrize("scale", [0.78, 1.0, 1.35])
def test_lines_of_a_list_are_cut_only_where_no_size_fits(scale: float) -> None:
    canvas = Canvas(pygame.Surface((900, 100)), scale)
    for letters in range(20, 48):
        canvas.drawn_texts, line = [], "The quick brown fox jumps over the lazy dog again"[:letters].strip()
        shown = ListBox("", [line], wrap_lines=True)
        shown.rect = pygame.Rect(0, 0, 260, 100)
        shown.draw(canvas, focused=False, hovered=False)
        assert " ".join(said.source for said in canvas.drawn_texts) == line
    canvas.drawn_texts = []
    shown = ListBox("", ["Ice Tiddly Winks, 12 turns  ·  2026-11-28 22:30"], wrap_lines=True)
    shown.rect = pygame.Rect(0, 0, canvas.text_width("Ice Tiddly Winks, 12 turns  ·  2026-11-28", 13) + 40, 100)
    shown.draw(canvas, focused=False, hovered=False)
    _, below = canvas.drawn_texts
    assert below.text == "2026-11-28 22:30", "a date and its time are not parted"


def test_only_the_row_of_a_long_line_is_higher() -> None:
    canvas, lines = Canvas(pygame.Surface((400, 200))), [f"line {k}" for k in range(8)]
    lines[2] = "This line is so long that it it has to be broken in two halves"
    shown = ListBox("", lines, row_height=26.0, wrap_lines=True)
    shown.rect = pygame.Rect(0, 0, 260, 5 * 26)
    shown.draw(canvas, focused=False, hovered=False)
    assert shown.visible_rows == 4
    shown.handle_press((40, 4 * 26))
    assert shown.index == 3, "the fourth row ends lower"
    shown.select(7)
    assert (shown.first_visible, shown.visible_rows) == (3, 5)
    shown.handle_wheel(9)
    assert shown.first_visible == 0
    shown.handle_wheel(-99)
    assert shown.first_visible == 3, "the last five rows are low"
    shown.set_lines([*lines[:7], lines[2]], 7)
    shown.draw(canvas, focused=False, hovered=False)
    shown.handle_wheel(-99)
    assert (shown.first_visible, shown.visible_rows) == (4, 4), "as many lines, of which the last is higher now"


def test_arrows_presses_and_a_lost_focus_end_the_selection(app: App, drive: Driver) -> None:
    screen = drive.show(WelcomeScreen(app))
    drive.type("ada")
    for leave in (
        lambda: drive.key(pygame.K_RIGHT),
        lambda: drive.click(screen.name.rect.center),
        lambda: drive.keys(pygame.K_TAB, pygame.K_TAB, pygame.K_TAB),
    ):
        drive.key(pygame.K_a, pygame.KMOD_LCTRL)
        assert screen.name.is_selected
        leave()
        drive.type("x")
        drive.key(pygame.K_BACKSPACE)
        assert screen.name.text == "ada"


@pytest.mark.parametrize("width", [88, 100, 130])
def test_a_button_leaves_its_shortcut_out_before_its_letters_are_tiny(width: int) -> None:
    """In a window of 800x600 label and shortcut were 9 and 7 pixels high."""
    canvas = Canvas(pygame.Surface((300, 100)), 0.79)
    button = Button("Weiterspielen", lambda: None, key="Enter")
    button.rect = pygame.Rect(0, 0, width, 30)
    button.draw(canvas, focused=False, hovered=False)
    assert min(said.pixels for said in canvas.drawn_texts) >= 10
    assert len(canvas.drawn_texts) == (2 if width == 130 else 1)


def test_a_line_is_not_broken_before_a_per_cent_sign() -> None:
    canvas = Canvas(pygame.Surface((300, 100)), 1.0)
    for width in range(60, 160, 5):
        assert not [line for line in canvas.wrap("chance 50 % at best, 44 % as meant", width) if line.startswith("%")]


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


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("width", [179, 191])
def test_the_name_of_a_slider_keeps_clear_of_its_keys_in_a_small_window(width: int) -> None:
    for spec in (*squidge_aim.SLIDERS, *squidge_aim.PILE_SLIDERS, *launcher_pose.SLIDERS):
        canvas, plain = Canvas(pygame.Surface((300, 30)), 0.79), dataclasses.replace(spec, get=lambda _: 0.0)
        slider = NumericSlider(dataclasses.replace(plain, format=lambda *_: ""), object, lambda: None)
        slider.rect = pygame.Rect(0, 0, width, 20)
        slider.draw(canvas, focused=False, hovered=False)
        keys, name, *_ = sorted(canvas.drawn_texts, key=lambda said: said.source != spec.keys)
        assert keys.left - name.rect.right >= canvas.px(6), name.text
        assert keys.rect.right < slider.bar_rect().x
        assert "..." not in name.text
