"""Analysis of a finished game in the window."""

import re
from typing import Any

import msgspec
import numpy as np
import pygame
import pytest

from flicksim.ai import ValueEstimate, estimate_value
from flicksim.games import load
from flicksim.gui.app import App
from flicksim.gui.match import game_analysis
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.table_view import Playback
from flicksim.gui.toolkit import Button, Canvas, palette, translation
from flicksim.match import ReviewedTurn, SkippedTurn
from flicksim.referee import Purpose
from flicksim.scene import Flick, Trajectory
from tests.matches import new_match

from ..conftest import Driver, FakeWorker, penny_white_match, replay_screen

NAMES = ("Blue", "Red")
WORTH = ValueEstimate(win_probability=0.5, low=0.4, high=0.6, point_margin=0.0, margin=0.1, tries=64)
FLICK = Flick(piece="blue-1", speed=1.0, azimuth=1.0)


def _reviewed(
    number: int, seat: int = 0, meant: Any = FLICK, value: ValueEstimate = WORTH, choice: float = 0.0,
    hand: float = 0.1, **more: Any,
) -> ReviewedTurn:  # fmt: skip
    """Review of a turn that was played as meant and lost so much by its choice and by the hand."""
    values = {"value_before": value, "value_meant": value, "value_after": value} | more
    return ReviewedTurn(
        number=number, seat=seat, meant=meant, made=meant, best=meant, loss_by_choice=choice, loss_by_execution=hand,
        is_significant=choice > 0.0, **values,
    )  # fmt: skip


def _shown(app: App, drive: Driver, turns: int, player: str = "random") -> ReplayScreen:
    """The replay of the first turns of a game of Penny White."""
    match = penny_white_match(player, player, ends=1)
    return drive.show(replay_screen(app, match.game, [match.play(match.ask_player()) for _ in range(turns)]))


def _analysed(app: App, drive: Driver) -> ReplayScreen:
    screen = _shown(app, drive, 3, "bot:beginner")
    drive.key(pygame.K_a)
    assert screen.analysis.game is not None
    drive.until(lambda: screen.analysis.game.is_done)
    assert screen.analysis.game.status_text == ""
    return screen


def test_a_game_is_analysed_its_best_flicks_are_shown_and_the_graph_leads_to_turns(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = _analysed(app, drive)
    analysis = screen.analysis.game
    told = [analysis.review_of(turn) for turn in screen.turns]
    assert [one.number for one in told if one is not None] == [1, 2, 3]
    flicked = [k for k, one in enumerate(told) if isinstance(one, ReviewedTurn)]
    assert flicked, "pennies were flicked"
    screen.list.select(flicked[-1])
    drive.frames()
    one = told[flicked[-1]]
    assert isinstance(one, ReviewedTurn)
    assert any(
        f"{one.value_after.win_probability:.0%} once made." in line for line in game_analysis.turn_text(one, NAMES)
    )
    assert "after the turn" in drive.screen_text(), "what the bar tells"
    drive.key(pygame.K_F7)
    assert {"before the turn", "BEFORE THE TURN, ESTIMATED AGAIN"} <= {said.source for said in app.tooltips.drawn_texts}
    drive.key(pygame.K_F7)
    screen.list.select(flicked[-1])
    drive.frames()
    meant = screen.playback
    best = analysis.best_trajectory(screen.turns[flicked[-1]], one)
    assert isinstance(best, Trajectory)
    assert best.flick == one.best
    screen.analyse()
    drive.frames()
    assert isinstance(screen.playback, Playback)
    assert screen.playback is not meant
    assert screen.playback.trajectory.flick == one.best
    drive.keys(pygame.K_LEFT, pygame.K_RIGHT)
    assert isinstance(screen.playback, Playback)
    assert screen.playback.trajectory == screen.turn.result, "the turn itself is shown again"
    with monkeypatch.context() as patch:
        patch.setattr(analysis, "best_trajectory", lambda *_: None)
        screen.analyse()
        assert app.notice.text == "What is better stands beside the table: only flicks are shown."

    for one in analysis.review().turns:
        assert analysis.win_probability(one) == pytest.approx(
            one.value_after.win_probability if one.seat == 0 else 1.0 - one.value_after.win_probability
        )
    rect = screen.analysis.graph_area
    assert screen.notice_area is not None
    assert screen.notice_area.bottom == rect.bottom, "notices cover neither evaluation nor ruling"
    drive.click((rect.right - 6, rect.centery))
    assert screen.list.index == len(screen.turns) - 1
    drive.click((rect.x + rect.w * 0.2, rect.centery))
    assert screen.list.index == 0


def test_a_key_shows_the_ruling_and_the_graph_marks_turns_not_analysed(
    app: App, drive: Driver, workers: list[FakeWorker]
) -> None:
    screen = _shown(app, drive, 12)
    drive.key(pygame.K_r)
    assert not screen.analysis.is_ruling_visible, "it stands there anyway"
    drive.keys(pygame.K_F8, pygame.K_a)
    assert "This turn is not analysed yet." in drive.screen_text()
    drawn = {said.text: said.rect for said in app.tooltips.drawn_texts}
    assert drawn["100%"].y >= drawn["Blue to win"].bottom
    assert "BEFORE THE TURN" in drive.screen_text().upper()
    assert screen.turn is not None
    drive.key(pygame.K_r)
    assert "BEFORE THE TURN" not in drive.screen_text().upper()
    assert all(reason.rule in drive.screen_text() for reason in screen.turn.verdict.reasons)
    drive.key(pygame.K_r)
    assert "BEFORE THE TURN" in drive.screen_text().upper()
    work = workers[-1]
    work.is_done, work.error = True, "the process that works it out has ended"
    assert "This turn was not analysed." in drive.screen_text()
    assert "analysed yet" not in drive.screen_text()
    assert screen.analysis.game.status_text.startswith("The analysis ended after 0 of 12 turns")


def test_how_well_it_was_played_is_told_once_all_is_analysed(drive: Driver, workers: list[FakeWorker]) -> None:
    screen = _shown(drive.app, drive, 4)
    drive.key(pygame.K_a)
    for number in range(1, 5):
        workers[-1].results.append((_reviewed(number, seat=number % 2), 9))
        assert "Accuracy of 100" not in drive.screen_text(), "more turns may change it"
    workers[-1].is_done = True
    assert "Accuracy of 100: Blue" in drive.screen_text()
    screen.analysis.toggle_ruling()
    assert "Accuracy of 100" not in drive.screen_text()


def test_marks_of_the_graph_cover_none_of_its_labels(
    app: App, drive: Driver, workers: list[FakeWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a small window the mark of the first turn lay over "50%", the dot of a lost one over its number."""
    pygame.display.set_mode((800, 600), pygame.RESIZABLE)
    screen = _shown(app, drive, 7)
    drive.key(pygame.K_a)
    values = [estimate_value(np.full(9, chance), np.zeros(9)) for chance in (0.5, 0.0)]
    for turn in screen.turns:
        value = values[turn.number > 1]
        one = _reviewed(turn.number, value=value, choice=0.5, hand=0.0, value_before=values[0])
        workers[-1].results.append((one, 9))
    workers[-1].is_done = True
    marks = list[pygame.Rect]()

    def record(_: Canvas, center: tuple[float, float], radius: float, *__: object) -> None:
        marks.append(pygame.Rect(center[0] - radius, center[1] - radius, 2 * radius, 2 * radius))

    monkeypatch.setattr(Canvas, "circle", record)
    monkeypatch.setattr(Canvas, "disc", record)
    for number in (0, 3):
        screen.list.select(number)
        drive.frames(2)
    area = screen.analysis.graph_area
    labels = [said.rect for said in app.tooltips.drawn_texts if re.fullmatch(r"\d+%?", said.source)]
    labels = [rect for rect in labels if area.contains(rect)]
    assert len(labels) == 6
    assert any(area.contains(mark) for mark in marks)
    assert [mark for mark in marks if mark.collidelist(labels) >= 0] == []


def test_of_more_than_two_sides_each_has_a_line_through_its_own_turns(
    app: App, drive: Driver, workers: list[FakeWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = new_match("dominoes", *["random"] * 4, seed=5)
    screen = drive.show(replay_screen(app, match.game, list(match.run())))
    drive.key(pygame.K_a)
    for turn in screen.turns:
        value = estimate_value(np.full(9, (turn.seat + 1) / 5.0), np.zeros(9))
        workers[-1].results.append((_reviewed(turn.number, turn.seat, turn.meant, value, hand=0.0), 9))
    workers[-1].is_done = True
    drawn = list[tuple[list[tuple[float, float]], palette.Colour]]()
    monkeypatch.setattr(Canvas, "polyline", lambda _, points, colour, *__: drawn.append((points, colour)))
    assert "Each after their turns, to win" in drive.screen_text()
    drawn = [line for line in drawn if screen.analysis.graph_area.collidepoint(line[0][0])]
    results = [points.pop() for points, _ in drawn]
    heights = [{round(y) for _, y in points} for points, _ in drawn]
    assert [len(own) for own in heights] == [1] * 4
    assert len(set.union(*heights)) == 4
    badges = [palette.visible_on(palette.seat_hue(seat), palette.INSET_BACKGROUND) for seat in range(4)]
    assert [colour for _, colour in drawn] == badges
    top, bottom = min(y for _, y in results), max(y for _, y in results)
    assert [y == top for _, y in results] == [seat in match.winners for seat in range(4)], "the line ends in the result"
    assert top < min(map(min, heights)) < max(map(max, heights)) < bottom
    assert len({x for x, _ in results}) == 1
    area = screen.analysis.graph_area
    legend = [
        said for said in app.tooltips.drawn_texts if area.contains(said.rect) and said.source in match.game.seat_names
    ]
    assert [said.source for said in legend] == list(match.game.seat_names[:4])


@pytest.mark.usefixtures("german")
def test_eight_sides_and_the_progress_are_told_whole_in_german(drive: Driver, workers: list[FakeWorker]) -> None:
    pygame.display.set_mode((800, 600), pygame.RESIZABLE)
    match = new_match("tinkle", *["random"] * 8, seed=5, max_turns=5)
    screen = drive.show(replay_screen(drive.app, match.game, list(match.run())))
    drive.key(pygame.K_a)
    workers[-1].shots_done = 1200
    area = screen.analysis.graph_area

    def told() -> list[str]:
        drive.frames()
        texts = [said.text for said in drive.app.tooltips.drawn_texts if area.contains(said.rect)]
        assert not [text for text in texts if text.endswith("...")]
        return texts

    assert any("1.200" in text for text in told())
    workers[-1].is_done = True
    assert set(match.game.seat_names[:8]) <= set(told())


def test_the_time_left_is_estimated_from_the_turns_done(
    app: App, drive: Driver, workers: list[FakeWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = _shown(app, drive, 12)
    now = 100.0
    monkeypatch.setattr(game_analysis, "monotonic", lambda: now)
    drive.key(pygame.K_a)
    assert screen.analysis.game is not None
    assert screen.analysis.game.status_text == "The analyst is starting ..."
    workers[-1].shots_done = 1200
    assert screen.analysis.game.status_text == "0 of 12 turns, 1,200 shots", "the first turn is worked on"
    skipped = SkippedTurn(number=1, seat=0, reason="nothing to choose", shots_needed=0)
    workers[-1].results, workers[-1].shots_done = [(skipped, 0)], 0
    assert screen.analysis.game.status_text == "1 of 12 turns", "a turn without a choice takes no shots"
    for passed, count, text in ((40.0, 3, "about 2 min left"), (42.0, 9, "about 15 s left")):
        now = 100.0 + passed
        workers[-1].results = [
            (SkippedTurn(number=k + 1, seat=k % 2, reason="too few shots", shots_needed=9), 5) for k in range(count)
        ]
        workers[-1].shots_done = 5 * count
        drive.frames()
        assert screen.analysis.game.status_text == f"{count} of 12 turns, {text}"
        assert text in drive.screen_text()


@pytest.mark.usefixtures("workers")
def test_a_ruling_without_room_is_told(app: App, drive: Driver) -> None:
    for size, shown in (((1280, 800), 2), ((900, 560), 1), ((640, 480), 0)):
        pygame.display.set_mode(size, pygame.RESIZABLE)
        rules = _shown(app, drive, 3).turns[0].verdict.rule_ids
        assert "R: the ruling on the turn" not in drive.screen_text()
        drive.keys(pygame.K_a, pygame.K_F8)
        assert [rule in drive.screen_text() for rule in rules] == [True] * shown + [False] * (2 - shown)
        assert ("R: the ruling on the turn" in drive.screen_text()) == (shown == 0)
        assert ("..." in [drawn.source for drawn in app.tooltips.drawn_texts]) == (shown == 1)


@pytest.mark.usefixtures("workers")
def test_who_won_is_told_first_where_the_analysis_leaves_no_room_for_all(app: App, drive: Driver) -> None:
    pygame.display.set_mode((900, 560), pygame.RESIZABLE)
    match = penny_white_match("bot:beginner", "bot:beginner", ends=1, pennies=1)
    screen = drive.show(replay_screen(app, match.game, list(match.run())))
    drive.key(pygame.K_a)
    screen.list.select(len(screen.turns) - 1)
    drive.frames()
    assert screen.turns[-1].verdict.reasons[-1].text in drive.screen_text()


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("size", [(640, 480), (800, 600), (1280, 800)])
def test_no_text_runs_under_a_button(
    app: App, drive: Driver, workers: list[FakeWorker], monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
    app.preferences.scale = 1.3
    screen = _shown(app, drive, 1)
    drive.key(pygame.K_a)
    monkeypatch.setattr(screen.form, "draw", lambda _: None)
    purpose = Purpose(kind="squop", text="squop Red 2")
    one = _reviewed(1, choice=0.2, meant_purpose=purpose, best_purpose=purpose)
    for results in ([], [(one, 9)]):
        workers[-1].results += results
        workers[-1].is_done = bool(results)
        drive.frames(2)
        buttons = [widget.rect for widget in screen.form.widgets if isinstance(widget, Button)]
        assert [said.source for said in app.tooltips.drawn_texts if said.rect.collidelist(buttons) >= 0] == []


@pytest.mark.usefixtures("german")
def test_an_action_is_told_whole_beside_its_analysis(app: App, drive: Driver, workers: list[FakeWorker]) -> None:
    pygame.display.set_mode((1280, 800), pygame.RESIZABLE)
    app.preferences.scale = 1.3
    screen = _shown(app, drive, 4, "bot:beginner")
    drive.key(pygame.K_a)
    turn, purpose = screen.turns[3], Purpose(kind="near", text="lie nearer to the white than Red 1")
    one = _reviewed(4, turn.seat, turn.meant, meant_purpose=purpose, best_purpose=purpose)
    workers[-1].results += [(one, 9)]
    screen.list.select(3)
    drive.frames(2)
    played = [said.text for said in app.tooltips.drawn_texts if "geschnippt" in said.text]
    assert played
    assert not any("..." in text for text in played), played


def test_an_unfinished_game_is_not_analysed(app: App, drive: Driver) -> None:
    bots = penny_white_match("bot:beginner", "bot:beginner")
    turns = [bots.play(bots.ask_player()) for _ in range(2)]
    screen = drive.show(app.routes.replay_screen(app, load("penny-white"), turns, lambda _: None))
    drive.key(pygame.K_a)
    assert screen.analysis.game is None
    assert not screen.may_analyse
    assert "A analyses" not in screen.status_line()


@pytest.mark.usefixtures("german")
def test_sentences_about_a_turn_have_german() -> None:
    squop, pot = Purpose(kind="squop", pieces=("red-2",), text="squop Red 2"), Purpose(kind="pot", text="pot Blue 1")
    lines = [
        *game_analysis.turn_text(_reviewed(1, choice=0.2, hand=0.0, meant_purpose=pot, best_purpose=squop), NAMES),
        *game_analysis.turn_text(_reviewed(1, choice=0.2), NAMES),
        *game_analysis.turn_text(
            _reviewed(1, seat=1, value_before=msgspec.structs.replace(WORTH, win_probability=0.6)), NAMES
        ),
        *game_analysis.turn_text(_reviewed(1, hand=-0.1), NAMES),
        *game_analysis.turn_text(None, NAMES),
        *game_analysis.turn_text(None, NAMES, is_done=True),
        *game_analysis.turn_text(SkippedTurn(number=1, seat=0, reason="nothing to choose"), NAMES),
        *game_analysis.turn_text(SkippedTurn(number=1, seat=0, reason="too few shots", shots_needed=9), NAMES),
    ]
    english = [line for line in lines if translation.translate(line) == line]
    assert english == []
    assert any("Better: Blue 1 flicked at 1.000 m/s" in line for line in lines)
    assert {"Meant: pot Blue 1.", "Better: squop Red 2."} <= set(lines)
    assert {"No better plan was found.", "No plan was better for certain."} <= set(lines)
    assert "Red: 60% to win at best, 50% as meant, 50% once made." in lines, "the chance of whoever acted"
