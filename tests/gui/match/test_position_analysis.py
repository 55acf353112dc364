"""Position analysis beside a table: win bar and value map, where nobody plays."""

from itertools import pairwise
from math import hypot
from typing import Any

import pygame
import pytest
from msgspec.structs import replace

from flicksim.ai import CandidateValue, Evaluation, ValueEstimate, ValueMap
from flicksim.games import load
from flicksim.games.penny_white.position import empty_position, set_counter, with_current_seat
from flicksim.gui.app import App
from flicksim.gui.match import position_analysis, value_overlay
from flicksim.gui.table_view import Playback, match_text
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import Analysis, Match, analyse_position, expected_shots, simulate_intended
from flicksim.referee import Purpose
from flicksim.render import Camera
from flicksim.scene import Flick, Trajectory

from ..conftest import Driver, FakeWorker, match_screen, penny_white_match, replay_screen

Analysed = tuple[Any, FakeWorker, FakeWorker, Match]
EDGE = ((0.0, 0.0), (0.3, 0.0), (0.3, 0.8), (0.0, 0.8))


FLICK = Flick(piece="white", speed=1.0, azimuth=1.57)
SLOWER = replace(FLICK, speed=0.9)
WORTH = ValueEstimate(win_probability=0.5, low=0.4, high=0.6, point_margin=0.0, margin=0.1, tries=10)


def _weighed(*flicks: Flick, seat: int = 0, purposes: tuple[Purpose | None, ...] = ()) -> Analysis:
    best = tuple(CandidateValue(action=flick, value=WORTH) for flick in flicks)
    evaluation = Evaluation(seat=seat, best=best, is_decisive=False, shots=10, shots_per_try=1.0)
    return Analysis(evaluation=evaluation, is_heuristic=False, purposes=purposes)


def _overlay(length: float, *chances: float) -> value_overlay.ValueMapOverlay:
    """Map of a flick that ends so far on [m], of the chances by azimuth."""
    chart = ValueMap(
        action=FLICK, speeds=(0.8, 1.0, 1.2), azimuths=(1.4, 1.57, 1.7), win_probability=(chances,) * 3, shots=9
    )
    return value_overlay.ValueMapOverlay(chart, ((0.15, 0.04), (0.15, 0.04 + length)), EDGE)


def test_analysis_is_unavailable_while_people_play(app: App, drive: Driver) -> None:
    screen = drive.show(match_screen(app, penny_white_match("human", "bot:beginner")))
    drive.key(pygame.K_F7)
    assert not screen.analysis.is_visible
    assert app.notice.text.startswith("Positions are evaluated in games between bots")


def test_the_bar_shows_both_win_probabilities_of_bot_games(app: App, drive: Driver) -> None:
    screen = drive.show(match_screen(app, penny_white_match("bot:beginner", "bot:beginner", ends=1)))
    screen.controller.is_paused = True
    drive.frames()
    room = screen.view.area.x
    drive.key(pygame.K_F7)
    assert screen.view.area.x > room, "the bar has room of its own"
    drive.until(lambda: bool(screen.analysis.win_chances()), 0.1)
    first, other = screen.analysis.win_chances()
    assert first.probability + other.probability == pytest.approx(1.0)
    assert first.low <= first.probability <= first.high
    drive.key(pygame.K_F7)
    assert not screen.analysis.is_visible


def test_the_replay_maps_the_best_flicks_and_shows_one(app: App, drive: Driver) -> None:
    match = penny_white_match("bot:beginner", "bot:beginner", ends=1, pennies=1)
    made = [match.play(match.ask_player()) for _ in range(3)]
    screen = drive.show(replay_screen(app, match.game, made))
    drive.keys(pygame.K_v, pygame.K_F8)
    assert screen.toolbar.is_at_start, "the table lies as it did before the turn"
    drive.until(lambda: not screen.analysis.position.is_busy, 0.1)
    assert screen.analysis.position.status_text == ""
    chosen = screen.analysis.position.best_candidates[0].action
    drive.key(pygame.K_v)
    drive.until(lambda: isinstance(screen.playback, Playback) and screen.playback.trajectory.flick == chosen, 0.1)
    assert isinstance(screen.playback.trajectory, Trajectory)


def test_segments_and_maps_are_clipped_to_the_table() -> None:
    begin = (0.15, 0.04)
    assert value_overlay.clip_to_table((begin, (0.15, 0.5)), EDGE) == (begin, (0.15, 0.5))
    assert value_overlay.clip_to_table((begin, (0.15, 1.6)), EDGE)[1] == pytest.approx((0.15, 0.8), abs=1e-3)
    whole = _overlay(0.26, 0.1, 0.1, 0.1)
    assert whole.reach == pytest.approx(1.0)
    assert whole.shot_path[1] == pytest.approx((0.15, 0.3))
    nearer = _overlay(0.74, 0.1, 0.1, 0.1)
    assert nearer.reach < 0.75
    assert hypot(nearer.shot_path[1][0] - 0.15, nearer.shot_path[1][1] - 0.04) < 0.6


def test_the_map_scale_includes_its_flick_and_its_colours_differ_from_the_table() -> None:
    spread = _overlay(0.26, 0.2, 0.3, 0.4)
    spread.extend_scale(0.35)
    assert (spread.low, spread.high, spread.best) == (0.2, 0.4, 0.35)
    spread.extend_scale(0.5)
    assert (spread.low, spread.high) == (0.2, 0.5)
    assert spread.colour_of(0.5) == value_overlay.HIGH_COLOUR
    spread = _overlay(0.26, 0.2, 0.3, 0.4)
    shades = [spread.colour_of(0.2 + 0.02 * k) for k in range(11)]
    bright = [0.3 * r + 0.59 * g + 0.11 * b for r, g, b in shades]
    assert bright == sorted(bright), "brighter is better"
    for ground in (*palette.BOARD_COLOURS.values(), palette.FELT, palette.TABLECLOTH):
        for shade in shades:
            assert sum(abs(a - b) for a, b in zip(ground, shade, strict=True)) > 80, (ground, shade)


@pytest.fixture
def analysis(workers: list[FakeWorker]) -> Analysed:
    """Analysis of a game with its bar, its workers for analysis and simulation, and the game."""
    match = penny_white_match("bot:beginner", "bot:beginner", ends=1, pennies=1)
    match.play(match.ask_player())
    one = position_analysis.PositionAnalysis(match.game)
    one.is_bar_visible = True
    return one, *workers, match


def test_the_status_names_the_compiler_until_shots_are_simulated(workers: list[FakeWorker]) -> None:
    compiler = ["Getting bots ready, once: 2 of 22 parts."]
    match = penny_white_match("bot:beginner", "bot:beginner", ends=1, pennies=1)
    one = position_analysis.PositionAnalysis(match.game, wait_text=lambda: compiler[0])
    one.is_bar_visible, work = True, workers[0]
    one.set_state(match.state, 1.0)
    for waits in (True, False):  # it may have begun, and still load what is compiled
        work.is_starting = waits
        assert one.status_text == "The analyst waits for the compiler. Getting bots ready, once: 2 of 22 parts."
        assert one.shot_progress is None
    compiler[0] = ""
    assert one.status_text == "The analyst is starting ..."
    work.shots_done = 40
    assert one.status_text == "Evaluating the position ..."
    assert one.shot_progress[0] == 40


def test_a_revisited_position_is_requested_again(analysis: Analysed) -> None:
    one, work, _, match = analysis
    one.set_state(match.state, 1.0)
    assert work.submitted == [analyse_position]
    one.set_state(None, 1.0)
    assert work.is_done
    assert one.win_chances() == ()
    one.set_state(match.state, 1.0)
    assert work.submitted == [analyse_position] * 2


@pytest.mark.usefixtures("workers")
def test_bots_wait_for_the_map(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = drive.show(match_screen(app, penny_white_match("bot:beginner", "bot:beginner", ends=1, pennies=1)))
    drive.key(pygame.K_F8)
    drive.until(lambda: screen.controller.bot_action is not None, 0.1)
    assert screen.controller.is_bot_delayed
    drive.frames(20, 0.1)
    assert screen.controller.phase == "think", "nobody flicks before the map is there"
    drive.key(pygame.K_p)
    drive.frames(200, 0.1)
    drive.key(pygame.K_p)
    drive.frames(2, 0.1)
    assert screen.controller.is_bot_delayed, "a pause is no part of the time for which they wait"
    monkeypatch.setattr(position_analysis.PositionAnalysis, "is_complete", property(lambda _: True))
    drive.until(lambda: screen.controller.phase != "think", 0.1)
    assert "N next flick" in screen.status_line()


def test_showing_a_candidate_does_not_interrupt_the_analysis(analysis: Analysed) -> None:
    one, work, maker, match = analysis
    one.set_state(match.state, 1.0)
    work.results = [_weighed(FLICK)]
    one.set_state(match.state, 0.1)
    assert len(one.win_chances()) == 2
    assert one.simulate_candidate()
    assert (work.submitted, work.is_done) == ([analyse_position], False), "it is still weighed with more shots"
    assert maker.submitted == [simulate_intended]
    assert one.status_text == "The shot is worked out ..."
    assert one.is_simulating
    one.cancel_simulation()
    assert (one.is_simulating, one.take_trajectory()) == (False, None)
    assert one.simulate_candidate()
    maker.results, maker.is_done = ["motion"], True
    assert (one.take_trajectory(), one.take_trajectory()) == ("motion", None)
    assert one.status_text == "Evaluating it with more shots ..."


@pytest.mark.parametrize(("chance", "told"), [((1.0, 1.0, 1.0), ""), ((1.0, 0.999, 1.0), "±1")])
def test_only_a_decided_game_has_a_chance_without_an_error(chance: tuple[float, float, float], told: str) -> None:
    assert value_overlay.WinChance(*chance, None).margin_text == told


def test_the_bar_of_more_than_two_sides_names_each_with_its_chance() -> None:
    column = pygame.Rect(0, 0, 52, 500)
    chances = [
        value_overlay.WinChance(share, share - 0.015, share + 0.015, None, name, palette.seat_hue(seat))
        for seat, (name, share) in enumerate({"Ann": 0.6, "Bob": 0.02, "Cy": 0.03, "Dot": 0.35}.items())
    ]
    canvas = Canvas(pygame.Surface(column.size), 1.0)
    value_overlay.draw_win_bar(canvas, column, chances)
    told = [text.source for text in canvas.drawn_texts]
    assert told == [word for chance in chances for word in (chance.name, f"{chance.probability:.0%}", "±2")]
    rects = [text.rect for text in canvas.drawn_texts]
    assert all(column.contains(rect) for rect in rects)
    assert all(first.clip(other).h < 3 for k, first in enumerate(rects) for other in rects[:k])
    assert canvas.surface.get_at((8, 30))[:3] == palette.seat_hue(0)
    assert canvas.surface.get_at((8, 470))[:3] == palette.seat_hue(3)


@pytest.mark.parametrize("middles", [[10.0, 11.0, 12.0], [96.0, 98.0, 99.0], [5.0, 50.0, 95.0], [50.0] * 8])
def test_labels_are_spread_in_order_within_bounds(middles: list[float]) -> None:
    ends = value_overlay.spread_labels(middles, 20.0, 0.0, 100.0)
    step = min(20.0, 100.0 / len(middles))
    assert all(later - earlier >= step - 1e-9 for earlier, later in pairwise(ends))
    assert ends[-1] <= 80.0
    if len(middles) < 6:
        assert ends[0] >= 0.0


@pytest.mark.parametrize(("high", "said"), [(400, 3), (45, 2), (20, 1)])
def test_candidates_show_their_purpose_before_their_numbers(
    analysis: Analysed, monkeypatch: pytest.MonkeyPatch, high: int, said: int
) -> None:
    one, work, _, match = analysis
    one.set_state(match.state, 1.0)
    flicks, guard = (FLICK, SLOWER), Purpose(kind="guard", pieces=("white",), text="guard the white")
    work.results, work.is_done = [_weighed(*flicks, purposes=(guard, None))], True
    one.set_state(match.state, 0.1)
    canvas, told = Canvas(pygame.Surface((400, 600)), 1.0), list[tuple[str, int]]()
    paragraph = Canvas.paragraph

    def noted(self: Canvas, text: str, rect: pygame.Rect, *given: Any, **more: Any) -> int:
        end = paragraph(self, text, rect, *given, **more)
        told.append((text, end))
        return end

    monkeypatch.setattr(Canvas, "paragraph", noted)
    rect = pygame.Rect(0, 0, 300, high)
    one.draw_text(canvas, rect)
    numbers = [match_text.format_action(flick) for flick in flicks]
    assert [text for text, _ in told[:3]] == ["guard the white", *numbers][:said]
    assert all(end <= rect.bottom for _, end in told)


@pytest.mark.parametrize(("to_come", "name"), [(1, "Red 2"), (11, "The next piece")])
def test_a_penny_to_come_has_no_number_beyond_those_that_lie_there(
    workers: list[FakeWorker], to_come: int, name: str
) -> None:
    """As each has as many pennies as the other, the second one of Red had the number 12."""
    game = load("penny-white")
    position = set_counter(with_current_seat(empty_position(), 1), "left-0", to_come)
    state, _ = game.positions.start_state(position)
    one = position_analysis.PositionAnalysis(game)
    one.is_bar_visible = True
    one.set_state(state, 1.0)
    flick = Flick(piece=game.rules.legal_actions(state).flicks[0].piece, speed=1.0, azimuth=1.57)
    workers[0].results, workers[0].is_done = [_weighed(flick, seat=1, purposes=(None,))], True
    one.set_state(state, 0.1)
    canvas = Canvas(pygame.Surface((400, 600)), 1.0)
    one.draw_text(canvas, pygame.Rect(0, 0, 300, 500))
    assert f"{name} flicked at" in " ".join(said.source for said in canvas.drawn_texts)


def test_nothing_of_a_position_is_left_at_the_next(analysis: Analysed) -> None:
    one, work, maker, match = analysis
    one.shot_path, one.is_map_visible = (lambda *_: ((0.15, 0.04), (0.15, 0.3))), True
    weighed = _weighed(FLICK, SLOWER)
    chart = ValueMap(action=FLICK, speeds=(0.9, 1.1), azimuths=(1.5, 1.6), win_probability=((0.1, 0.9),) * 2,
                     shots=9)  # fmt: skip

    def is_brightest_place_told() -> bool:
        canvas = Canvas(pygame.Surface((400, 600)))
        one.draw_text(canvas, pygame.Rect(0, 0, 400, 600))
        return any("was tried too" in said.source for said in canvas.drawn_texts)

    one.set_state(match.state, 1.0)
    work.results, work.is_done = [weighed, chart], True
    one.set_state(match.state, 0.1)
    work.is_done = False
    one.cycle_candidate()
    assert one.simulate_candidate()
    assert (one.selected, one.is_complete, one.is_simulating) == (1, False, True)
    one.cycle_candidate()
    assert one.is_complete, "the best flick has its map"
    assert is_brightest_place_told(), "all that was asked for is done"
    one.cycle_candidate()
    work.error, work.results, maker.results = "too far", [weighed], ["motion"]
    assert one.status_text == "Too far."
    match.play(match.ask_player())
    work.submitted.clear()
    one.set_state(match.state, 0.0)
    assert (one.best_candidates, one.plan_points, one.shot_progress) == ((), (), None)
    assert (one.selected, one.is_complete, one.is_simulating, one.take_trajectory()) == (0, False, False, None)
    assert (work.results, work.error, work.is_done) == ([], "", True)
    assert work.submitted == [], "it has to stay for a moment first"
    one.set_state(match.state, 1.0)
    assert work.submitted == [analyse_position]
    assert one.best_candidates == (), "those were of the position before"
    work.results = [weighed]
    one.set_state(match.state, 0.1)
    assert not one.is_complete, "the map was that of the position before"
    work.results = [chart]
    one.set_state(match.state, 0.1)
    assert one.is_complete
    assert not is_brightest_place_told(), "it is tried now"


def test_progress_is_counted_in_shots_and_dragging_cancels_the_analysis(analysis: Analysed) -> None:
    one, work, _, match = analysis
    one.set_state(match.state, 1.0)
    soonest, most = expected_shots(match.game, with_map=False)
    work.shots_done = 1
    assert (one.shot_progress, soonest < most) == ((1, soonest), True)
    work.shots_done = soonest // 2
    assert one.shot_progress == (soonest // 2, soonest)
    work.shots_done = soonest + 1
    assert one.shot_progress == (soonest + 1, most), "it is not sure enough yet"
    one.defer()
    assert work.is_done, "nobody waits for what is moved away"
    one.set_state(match.state, 0.1)
    assert work.submitted == [analyse_position]
    one.set_state(match.state, 1.0)
    assert work.submitted == [analyse_position] * 2
    work.is_done = True
    one.set_state(match.state, 0.1)
    assert one.shot_progress is None


def test_labels_of_arrows_are_clear_of_arrows_and_of_one_another() -> None:
    area = pygame.Rect(0, 0, 800, 600)
    drawn = [
        value_overlay.PlanArrow((400.0, 500.0), end, (255, 255, 255), "1: 70%")
        for end in ((300.0, 100.0), (308.0, 104.0), (420.0, 120.0))
    ]
    taken: list[pygame.Rect] = []
    for one in drawn:
        taken.append(value_overlay.label_position(one, (50, 16), drawn, taken, area, 5))
    for plate in taken:
        assert area.contains(plate)
        assert not any(plate.clipline(one.start, one.end) for one in drawn)
        assert len(plate.collidelistall(taken)) == 1, "only itself"
    long = value_overlay.PlanArrow((-3000.0, 300.0), (760.0, 310.0), (255, 255, 255), "1: 80%")
    plate = value_overlay.label_position(long, (50, 16), [long], [], area, 5)
    assert 100 < plate.centerx < 700, "of an arrow that begins far outside the label is beside what is seen of it"


def test_a_small_map_has_an_inset_clear_of_pieces() -> None:
    camera = Camera(centre=(0.15, 0.4), zoom=700.0, view_centre=(400.0, 300.0))
    far, short = (_overlay(length, 0.2, 0.3, 0.4) for length in (0.4, 0.02))
    canvas = Canvas(pygame.Surface((800, 600)), 1.0)
    assert not far.is_small(canvas, camera)
    assert short.is_small(canvas, camera)
    short.extend_scale(0.35)
    corner = short.draw_inset(canvas, camera, [])
    assert canvas.surface.get_rect().contains(corner)
    assert short.draw_inset(canvas, camera, [corner.center]) != corner, "a piece lies there"
    words = [one.source for one in canvas.drawn_texts]
    for text in ("The map, larger", "m/s", "direction", "0.80", "1.20", "80°", "this flick 35%"):
        assert text in words


@pytest.mark.usefixtures("german")
def test_the_numbers_under_a_map_stand_apart_in_one_style() -> None:
    """Beside each other stood "57 %" and "59%"."""
    canvas = Canvas(pygame.Surface((270, 200)), 0.79)
    overlay = _overlay(0.4, 0.07, 0.3, 0.59)
    overlay.best = 0.57
    overlay.draw_legend(canvas, pygame.Rect(0, 0, 260, 150), tolerance=False)
    row = [said for said in canvas.drawn_texts if said.source.endswith("%")]
    assert sorted(said.text for said in row) == ["59 %", "7 %", "dieser Schnipser 57 %"]
    flick, high = sorted(row, key=lambda said: said.rect.x)[1:]
    assert high.rect.x - flick.rect.right >= 8
