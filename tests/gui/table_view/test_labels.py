"""Labels at the table: nothing is cut, nothing overlaps."""

from itertools import combinations, product

import pygame
import pytest

from flicksim.gui.app import App
from flicksim.gui.board_view.board_screen import draw_seats
from flicksim.gui.card_view import card_panel
from flicksim.gui.card_view.seat_plates import SeatPlate, text_variants
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.table_view import ShotSpread, TablePainter, draw_sentences, match_text, shot_painter, side_panel
from flicksim.gui.table_view.shot_painter import draw_noise_ring
from flicksim.gui.table_view.side_plane import draw_caption, draw_note
from flicksim.gui.toolkit import Canvas, palette
from flicksim.render import fit_camera
from flicksim.scene import Scene
from flicksim.scene.samples import BOARD, penny
from tests.matches import new_match

from ..card_helpers import card_match
from ..conftest import penny_white_match


def canvas_of(size: tuple[int, int], scale: float = 1.0) -> Canvas:
    return Canvas(pygame.Surface(size), scale)


@pytest.mark.parametrize("x", [-40.0, 3.0, 100.0, 197.0, 260.0])
def test_a_note_over_a_point_is_wholly_visible_and_clear_of_the_scale_at_the_left(x: float) -> None:
    canvas, narrow = canvas_of((200, 80)), canvas_of((60, 40))
    draw_note(canvas, "the pot, 31 mm beside", (x, 40.0), palette.TABLE_MUTED_TEXT)
    [said] = canvas.drawn_texts
    assert said.rect.w == canvas.text_width(said.source, 11.0)
    assert said.rect.x >= 30
    draw_note(narrow, "wide", (x, 30.0), palette.TABLE_MUTED_TEXT, 10.0)
    assert narrow.surface.get_rect().contains(narrow.drawn_texts[-1].rect)


def test_a_caption_beside_the_title_of_a_side_view_is_whole_in_a_narrow_one() -> None:
    canvas = canvas_of((300, 80), 1.3)
    draw_caption(canvas, pygame.Rect(10, 30, 205, 40), "aimed, no bounces")
    title, text = canvas.drawn_texts
    assert text.text == "aimed, no bounces"
    assert title.rect.right < text.rect.x


def test_distance_lines_lie_under_labels_which_do_not_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = (("white", 0.15, 0.6, None), ("blue", 0.1, 0.6, 0), ("red", 0.06, 0.602, 1), ("beside", 0.02, 0.61, 1))
    coins = (penny(name, x, y, owner=owner, kind="white" if owner is None else "penny") for name, x, y, owner in ways)
    scene = Scene(surface=BOARD, pieces=tuple(coins))
    canvas = canvas_of((700, 500))
    camera = fit_camera(scene.surface.outline, (0.0, 0.0, 700.0, 500.0), 40.0)
    order = list[str]()
    for name in ("line", "text"):
        draw = getattr(Canvas, name)
        monkeypatch.setattr(Canvas, name, lambda *args, n=name, d=draw, **kw: order.append(n) or d(*args, **kw))
    TablePainter(("Blue", "Red")).draw_distances(canvas, camera, scene)
    assert order == sorted(order)
    assert order.count("text") >= 2
    assert not any(a.rect.colliderect(b.rect) for a, b in combinations(canvas.drawn_texts, 2))
    coins_at = [camera.to_screen(piece.position) for piece in scene.pieces]
    assert not any(said.rect.collidepoint(at) for said in canvas.drawn_texts for at in coins_at)


@pytest.mark.parametrize(("size", "scale"), [((708, 365), 0.5), ((448, 240), 0.5), ((1280, 500), 1.0)])
def test_the_numbers_of_a_ruler_do_not_run_together(size: tuple[int, int], scale: float) -> None:
    canvas = canvas_of(size, scale)
    camera = fit_camera(BOARD.outline, (0.0, 0.0, *map(float, size)), 40.0 * scale, quarter_turns=1)
    TablePainter(("Blue", "Red")).draw_surface(canvas, camera, BOARD)
    numbers = [said.rect.inflate(4, 0) for said in canvas.drawn_texts if said.source.isdigit()]
    assert len(numbers) > 5
    assert not any(a.colliderect(b) for a, b in combinations(numbers, 2))


@pytest.mark.parametrize("wide", [230, 260, 300, 360])
@pytest.mark.parametrize("doing", ["thinking ...", "takes aim"])
def test_seat_cards_shorten_texts_that_do_not_fit(wide: int, doing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, match = canvas_of((2 * wide + 8, 58)), penny_white_match("bot:beginner", "human")
    monkeypatch.setattr(MatchController, "seat_activity", doing)
    draw_seats(canvas, canvas.surface.get_rect(), MatchController(match))
    ways = {*match_text.action_text(match, 0, doing), *match_text.action_text(match, 1, "")}
    assert sum(said.source in ways for said in canvas.drawn_texts) == 2
    assert [said.source for said in canvas.drawn_texts if said.source.endswith("...")] in (
        [],
        [f"bot, beginner: {doing}"],
        [doing],
    )


def test_a_bot_is_called_one_however_little_room_there_is() -> None:
    match = penny_white_match("bot:beginner", "human")
    assert match_text.action_text(match, 0, "") == ("bot, beginner", "bot")
    plate = SeatPlate(seat=0, name="Bob", player="bot, beginner", count=4, points="0", marks="dealer")
    assert text_variants(plate)[:4] == ("bot, beginner, dealer", "bot, dealer", "bot, beginner", "bot")


@pytest.mark.parametrize("width", [110, 140, 180, 400])
def test_a_long_name_is_shortened_until_it_fits_beside_what_is_done(width: int) -> None:
    canvas, match = canvas_of((500, 50)), new_match("ice", "human", "human")
    match.player_names = {0: "Maximiliane-Wilhelmina", 1: "Bo"}
    text = canvas.first_fitting(match_text.action_text(match, 0, "takes aim"), width, 12)
    assert text.startswith("Max")
    assert text.endswith(": takes aim")
    assert ("..." in text) is (width < 400)
    assert canvas.text_width(text, 12) <= width
    assert match_text.action_text(match, 1, "takes aim") == ("Bo: takes aim", "takes aim", "takes aim")


def test_a_name_is_shown_without_its_grade_before_it_is_shortened_or_dropped() -> None:
    match = new_match("ice", "human/expert", "human/club")
    match.player_names = {0: "Theo", 1: "Marianne"}
    assert match_text.action_text(match, 0, "aims") == ("Theo, expert: aims", "Theo: aims", "aims", "aims")
    assert match_text.action_text(match, 1, "aims") == (
        "Marianne, club: aims", "Marianne: aims", "Mari...: aims", "Mar...: aims", "aims", "aims",
    )  # fmt: skip


@pytest.mark.usefixtures("german")
def test_what_is_done_is_german_beside_any_name() -> None:
    match = new_match("ice", "human", "random")
    match.player_names = {0: "noch niemand"}
    for doing, told in (("loads", "lädt"), ("thinking ...", "denkt ...")):
        assert match_text.action_text(match, 0, doing)[0] == f"noch niemand: {told}"
        assert match_text.action_text(match, 1, doing)[0] == f"Zufall: {told}"


@pytest.mark.parametrize(("lines", "drawn"), [(0, []), (1, ["PW-1", "One.", "..."])])
def test_dots_for_sentences_that_do_not_fit_lie_on_no_caption(lines: int, drawn: list[str]) -> None:
    canvas = canvas_of((300, 100))
    rect = pygame.Rect(0, 40, 300, lines * canvas.line_height(14))
    draw_sentences(canvas, rect, [("PW-1", "One."), ("PW-2", "Two.")])
    assert [said.source for said in canvas.drawn_texts] == drawn


def test_seat_plates_show_occupant_and_action() -> None:
    plate = SeatPlate(seat=1, name="Bob", player="bot, club", count=5, points="0", marks="dealer", note="passes")
    ways = text_variants(plate)
    assert ways[0] == "bot, club, dealer, passes"
    assert all("bot" in way for way in ways[:-1])


@pytest.mark.usefixtures("german")
def test_the_parts_of_a_seat_plate_are_translated_one_by_one() -> None:
    for note, said in (("opened", "eröffnet"), ("passes", "passt"), ("no 4 5", "ohne 4 5")):
        plate = SeatPlate(seat=1, name="Bob", player="random", count=5, points="0", note=note)
        assert text_variants(plate)[0] == f"Zufall, {said}"


def test_the_only_person_here_is_addressed_without_a_name() -> None:
    alone, together = (card_match("tinkle", "human", other, "bot:club") for other in ("bot:club", "human"))
    for match, said in ((alone, "Draw a card"), (together, "Ann: draw a card")):
        while match.to_play:
            match.play(match.legal_actions().actions[0])
        assert match_text.prompt_text(match, "Ann: draw a card") == said


@pytest.mark.parametrize(("radius", "noise_scale", "names"), [(30.0, 1.0, ["hand"]), (30.0, 0.8, []), (10.0, 1.0, [])])
def test_the_ring_of_an_unsteady_hand_is_named_around_a_large_piece(
    radius: float, noise_scale: float, names: list[str]
) -> None:
    canvas = canvas_of((200, 200))
    draw_noise_ring(canvas, (100.0, 100.0), radius, ShotSpread(0.1, 0.1, noise_scale))
    assert [drawn.source for drawn in canvas.drawn_texts] == names


@pytest.mark.parametrize("shift", [-40.0, 0.0, 30.0])
def test_a_note_is_clear_of_the_curve(shift: float) -> None:
    canvas, curve = canvas_of((300, 120)), [(60.0 + 2.0 * k, 30.0 + (k - 40.0) ** 2 / 24.0) for k in range(81)]
    draw_note(canvas, "the pot, 45 mm beside", (130.0 + shift, 50.0), palette.TABLE_MUTED_TEXT, 10.0, curve)
    rect = canvas.drawn_texts[-1].rect
    assert canvas.surface.get_rect().contains(rect)
    assert not [point for point in curve if rect.collidepoint(point)]


def test_an_aim_that_leaves_the_view_says_how_much_farther_it_goes(app: App) -> None:
    """The fan ran off at the edge of the window, its end out of sight."""
    del app
    outline = ((0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.0, 0.5))
    for width, reach, told in ((600, 0.8, []), (600, 1.003, []), (600, 2.5, ["1500 mm farther"]), (150, 2.5, [])):
        canvas = Canvas(pygame.Surface((width, width // 2)))
        camera = fit_camera(outline, (0.0, 0.0, float(width), width / 2.0), 0.0)
        shot_painter.draw_distance_beyond(canvas, camera, (0.1, 0.25), (reach, 0.25))
        assert [said.source for said in canvas.drawn_texts] == told
        assert all(canvas.surface.get_rect().contains(said.rect) for said in canvas.drawn_texts)


@pytest.mark.parametrize("size", [14.0, 10.0])
def test_a_rule_id_stands_in_the_line_of_its_sentence(size: float) -> None:
    canvas = canvas_of((400, 400), 0.79)
    draw_sentences(canvas, pygame.Rect(0, 0, 380, 200), [("PW-5b", "Blue has flicked a penny.")], size)
    rule, sentence = sorted(canvas.drawn_texts, key=lambda said: -said.rect.x)
    assert rule.source == "PW-5b"
    assert abs(rule.rect.centery - sentence.rect.centery) <= 1


def test_a_ruling_that_is_cut_ends_in_dots_once() -> None:
    texts = ["Blue 2 is off the field. It is put back on it, 22 mm in.", "Red misses his shot ... so his turn passes."]
    sentences = [(f"TW-{k}", text) for k, text in enumerate(texts * 2)]
    cut = 0
    for width, height in product(range(110, 260, 3), range(12, 110, 7)):
        canvas = canvas_of((400, 400), 0.79)
        draw_sentences(canvas, pygame.Rect(0, 0, width, height), sentences)
        drawn = [said.text for said in canvas.drawn_texts if not said.source.startswith("TW-")]
        ends = [text for text in drawn if text.endswith("...") and not text.endswith("shot ...")]
        assert len(ends) <= 1, (width, height, drawn)
        assert not [text for text in ends if text.removesuffix("...").rstrip().endswith(".")], (width, height, drawn)
        cut += len(ends)
    assert cut > 100


def test_a_ruling_in_a_small_window_has_letters_of_nine_pixels() -> None:
    match = penny_white_match("random", "random", ends=1)
    turn = match.play(match.ask_player())
    canvas = canvas_of((400, 400), 0.66)
    side_panel.draw_ruling(canvas, pygame.Rect(0, 0, 150, 40), match, turn)
    sentences = [said for said in canvas.drawn_texts if said.source.split()[0] in str(turn.verdict)]
    assert sentences
    assert all(said.pixels >= 9 for said in sentences)


def test_no_caption_is_drawn_without_what_stands_under_it() -> None:
    canvas, match = canvas_of((400, 400)), penny_white_match("random", "random", ends=1)
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
    canvas, match = canvas_of((400, 400)), penny_white_match("random", "random", ends=1)
    texts = [(0, "small 1 off the table", palette.TEXT), (1, "small 2 off the table, used again", palette.TEXT)]
    side_panel.draw_log(canvas, pygame.Rect(0, 0, 180, height), match, "Landed", texts)
    said = " ".join(drawn.text for drawn in canvas.drawn_texts)
    assert said == " ".join(["LANDED", *(text for _, text, _ in texts[:shown])])


def test_no_heading_stands_over_an_empty_prompt_of_a_card_table() -> None:
    canvas = canvas_of((300, 150))
    card_panel.draw_prompt(canvas, canvas.surface.get_rect(), "", "", "")
    assert not canvas.drawn_texts
