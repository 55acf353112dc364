"""Side panel: rulings in letters that can be read, each with its rule id beside it."""

from itertools import product

import pygame
import pytest

from flicksim.gui.table_view import side_panel
from flicksim.gui.toolkit import Canvas, palette

from ..conftest import penny_white_match

pytestmark = pytest.mark.usefixtures("app")


def canvas_of(scale: float) -> Canvas:
    return Canvas(pygame.Surface((400, 400)), scale)


@pytest.mark.parametrize("size", [14.0, 10.0])
def test_a_rule_id_stands_in_the_line_of_its_sentence(size: float) -> None:
    canvas = canvas_of(0.79)
    side_panel.draw_sentences(canvas, pygame.Rect(0, 0, 380, 200), [("PW-5b", "Blue has flicked a penny.")], size)
    rule, sentence = sorted(canvas.drawn_texts, key=lambda said: -said.rect.x)
    assert rule.source == "PW-5b"
    assert abs(rule.rect.centery - sentence.rect.centery) <= 1


def test_a_ruling_that_is_cut_ends_in_dots_once() -> None:
    texts = ["Blue 2 is off the field. It is put back on it, 22 mm in.", "Red misses his shot ... so his turn passes."]
    sentences = [(f"TW-{k}", text) for k, text in enumerate(texts * 2)]
    cut = 0
    for width, height in product(range(110, 260, 3), range(12, 110, 7)):
        canvas = canvas_of(0.79)
        side_panel.draw_sentences(canvas, pygame.Rect(0, 0, width, height), sentences)
        drawn = [said.text for said in canvas.drawn_texts if not said.source.startswith("TW-")]
        ends = [text for text in drawn if text.endswith("...") and not text.endswith("shot ...")]
        assert len(ends) <= 1, (width, height, drawn)
        assert not [text for text in ends if text.removesuffix("...").rstrip().endswith(".")], (width, height, drawn)
        cut += len(ends)
    assert cut > 100


def test_a_ruling_in_a_small_window_has_letters_of_nine_pixels() -> None:
    match = penny_white_match("random", "random", ends=1)
    turn = match.play(match.ask_player())
    canvas = canvas_of(0.66)
    side_panel.draw_ruling(canvas, pygame.Rect(0, 0, 150, 40), match, turn)
    sentences = [said for said in canvas.drawn_texts if said.source.split()[0] in str(turn.verdict)]
    assert sentences
    assert all(said.pixels >= 9 for said in sentences)


def test_no_caption_is_drawn_without_what_stands_under_it() -> None:
    canvas, match = canvas_of(1.0), penny_white_match("random", "random", ends=1)
    turn = match.play(match.ask_player())
    rect = pygame.Rect(0, 0, 300, 2 * canvas.line_height(14))
    for draw in (
        lambda area: side_panel.draw_ruling(canvas, area, match, turn),
        lambda area: side_panel.draw_shot_feedback(canvas, area, "It went as meant."),
    ):
        canvas.drawn_texts = []
        assert draw(rect.inflate(0, -1)) == rect.inflate(0, -1).y
        assert not canvas.drawn_texts
        draw(rect)
        assert len(canvas.drawn_texts) > 1


@pytest.mark.parametrize(("height", "shown"), [(40, 1), (60, 1), (85, 2)])
def test_a_log_shows_whole_texts(height: int, shown: int) -> None:
    canvas, match = canvas_of(1.0), penny_white_match("random", "random", ends=1)
    texts = [(0, "small 1 off the table", palette.TEXT), (1, "small 2 off the table, used again", palette.TEXT)]
    side_panel.draw_log(canvas, pygame.Rect(0, 0, 180, height), match, "Landed", texts)
    said = " ".join(drawn.text for drawn in canvas.drawn_texts)
    assert said == " ".join(["LANDED", *(text for _, text, _ in texts[:shown])])
