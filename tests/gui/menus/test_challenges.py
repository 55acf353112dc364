"""Challenges in the window: the list, a try by keys alone, stars, again, next, and what is kept of it."""

import dataclasses
from datetime import date
from math import dist
from pathlib import Path

import msgspec
import numpy as np
import pygame
import pytest

from flicksim.ai import NO_NOISE
from flicksim.challenges import all_challenges, find_challenge
from flicksim.core.units import mm
from flicksim.games.ice.challenges import load_puzzles
from flicksim.games.tiddlywinks.challenges import load_puzzles as load_last_turns
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.gui.app import App
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.game_views.ice import SHARED_KEYS
from flicksim.gui.game_views.ice.ice_screen import IceScreen
from flicksim.gui.game_views.tiddlywinks.tiddlywinks_screen import TiddlywinksScreen
from flicksim.gui.match import challenge_card
from flicksim.gui.match.challenge_card import NO_STARS_TEXT, ChallengeCard, ChallengeEndScreen, no_stars_text
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.menus.challenges import ChallengesScreen
from flicksim.gui.menus.main_menu import MainMenuScreen
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import Button, translation
from flicksim.profiles import AttemptEntry, BestAttempt, ProfileStore
from flicksim.referee import AttemptStatus
from flicksim.scene import Flick

from ..conftest import Driver

TODAY = date(2025, 1, 1)


@pytest.fixture
def page(home: Path, app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> ChallengesScreen:
    """Challenges screen with a temporary folder of player files; all attempts have the same seed."""
    del home
    monkeypatch.setattr(challenge_card.secrets, "randbelow", lambda _: 2)
    return drive.show(ChallengesScreen(app, discover_game_views(), TODAY))


def start_challenge(page: ChallengesScreen, drive: Driver, name: str) -> ChallengeCard:
    """Select a challenge in the list, from the one above it, and start it."""
    rows = [row.entry.challenge.name for row in page.rows]
    page.form.focus = rows.index(name) - 1
    drive.keys(pygame.K_DOWN, pygame.K_RETURN)
    card = page.app.top.activity_card
    assert isinstance(card, ChallengeCard)
    return card


def play_to_result(drive: Driver, key: int = pygame.K_SPACE) -> ChallengeEndScreen:
    """Play a shot and wait for the result screen."""
    drive.key(key)
    drive.until(lambda: isinstance(drive.app.top, ChallengeEndScreen), 0.05)
    return drive.top(ChallengeEndScreen)


def test_a_key_of_the_main_menu_opens_the_challenges(app: App, drive: Driver) -> None:
    drive.show(MainMenuScreen(app, discover_game_views()))
    drive.key(pygame.K_h)
    assert len(drive.top(ChallengesScreen).rows) == 2 + len(all_challenges())
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, MainMenuScreen)


def test_an_attempt_is_judged_recorded_and_repeated(page: ChallengesScreen, drive: Driver, home: Path) -> None:
    app, card = page.app, start_challenge(page, drive, "draw-30")
    result = play_to_result(drive)
    drive.key(pygame.K_SPACE)  # too late
    assert app.top is result
    first = ProfileStore(home / "data" / "player").entries
    assert [(line.challenge, line.tried) for line in first if isinstance(line, AttemptEntry)] == [
        ("penny-white/draw-30", 1)
    ]
    drive.key(pygame.K_r)
    assert drive.top(BoardScreen).activity_card is card
    assert (card.attempts == 2) is not bool(first[0].stars)  # type: ignore[union-attr]
    assert not app.top.match.turns
    assert app.screens == [page, app.top]
    drive.key(pygame.K_ESCAPE)
    assert app.top is page
    row = next(row for row in page.rows if row.entry.challenge.name == "draw-30")
    assert row.best.attempts == 1


@pytest.mark.parametrize("is_in_flight", [False, True])
@pytest.mark.parametrize("name", ["puzzle-3", "nearest-of-5", "last-missile-1"])
def test_a_shot_whose_table_is_left_counts_as_a_try(
    page: ChallengesScreen, drive: Driver, name: str, is_in_flight: bool
) -> None:
    card = start_challenge(page, drive, name)
    drive.key(pygame.K_ESCAPE)
    assert not page.app.player.history, "nothing was played"
    page.start(card.entry)
    table = drive.top(MatchScreen)
    drive.key(pygame.K_SPACE)
    if is_in_flight:
        drive.until(lambda: table.match.turns)
    drive.key(pygame.K_ESCAPE)
    assert page.app.top is page
    assert page.app.player.best_results()[card.entry.name].attempts == 1
    assert [row.best.attempts for row in page.rows if row.entry == card.entry] == [1]
    page.start(card.entry)
    drive.key(pygame.K_SPACE)
    page.app.close()
    assert page.app.player.best_results()[card.entry.name].attempts == 2, "closing the window leaves it too"


def test_a_failed_attempt_is_not_the_best(page: ChallengesScreen, drive: Driver) -> None:
    card = start_challenge(page, drive, "draw-30")
    for outcome, had, text in (
        (AttemptStatus(measure=20.0), None, ""), (AttemptStatus(measure=20.0), 30.0, "Better than before."),
        (AttemptStatus(is_solved=True, measure=2.0), 30.0, "Your best so far!"),
    ):  # fmt: skip
        card.status = outcome
        best = None if had is None else BestAttempt(attempts=1, stars=0, measure=had, unit="mm")
        assert ChallengeEndScreen(page.app, card, 0, best, "0:01", False).record_text == text


@pytest.mark.parametrize(("name", "other"), [("draw-30", "also Ada"), ("puzzle-3", "")])
def test_one_person_plays_all_seats_but_the_opponents_of_a_puzzle(
    page: ChallengesScreen, drive: Driver, name: str, other: str
) -> None:
    page.app.player.update_profile(lambda had: msgspec.structs.replace(had, name="Ada"))
    start_challenge(page, drive, name)
    assert [match_text.player_text(drive.top_screen.match, seat) for seat in (0, 1)] == ["Ada", other]


def test_next_starts_the_following_challenge(page: ChallengesScreen, drive: Driver) -> None:
    start_challenge(page, drive, "draw-10")
    result = play_to_result(drive)
    assert not result.form.press_shortcut(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_s)), "no solution"
    drive.key(pygame.K_n)
    card = page.app.top.activity_card
    assert isinstance(card, ChallengeCard)
    assert card.entry.challenge.name == "draw-30"
    assert len(page.app.screens) == 2


def test_challenges_offer_no_undo_or_hints(page: ChallengesScreen, drive: Driver) -> None:
    page.app.preferences.hand = "steady"
    start_challenge(page, drive, "draw-10")
    table = drive.top(MatchScreen)
    assert table.noise_grade == "club"
    assert not table.buttons["hand"].enabled
    drive.key(pygame.K_y)
    assert table.noise_grade == "club"
    drive.key(pygame.K_h)
    assert drive.top_screen.hints.request is None
    assert "H hint" not in table.status_line()
    assert not drive.button("Hint").enabled
    assert not drive.button("Undo").enabled
    play_to_result(drive)
    page.app.pop()
    drive.key(pygame.K_u)
    assert len(table.match.turns) == 1
    assert not drive.button("Undo").enabled, "a flick of a try stays"
    assert not table.can_self_report


@pytest.mark.parametrize("name", ["squop-30", "stand-small"])
def test_challenges_of_winks_and_pyramids_use_their_match_screens(
    page: ChallengesScreen, drive: Driver, name: str
) -> None:
    card = start_challenge(page, drive, name)
    drive.frames(3)
    assert isinstance(page.app.top, MatchScreen)
    assert page.app.top.match.game is find_challenge(name).game
    if name == "squop-30":  # aimed at the green wink
        aim, scene = page.app.top.aim_controller.aim, page.app.top.match.state.scene
        assert dist(aim.landing_point, scene.piece("green-1").position) < mm(5.0)
        drive.key(pygame.K_t)
        assert dist(aim.landing_point, scene.surface.pot.position) < mm(10.0), "the next target is the pot"
    assert card.text == find_challenge(name).challenge.goal
    drive.key(pygame.K_ESCAPE)
    assert page.app.top is page


def test_a_clipped_row_ignores_clicks_keys_go_to_the_ends_of_the_list_and_a_second_click_starts(
    page: ChallengesScreen, drive: Driver
) -> None:
    rows = [row.rect for row in page.rows]
    cut = next(rect for rect in rows if rect.bottom > page.list.viewport.bottom > rect.top)
    drive.click((cut.centerx, (cut.top + page.list.viewport.bottom) // 2))
    assert page.form.focused is page.rows[0]
    for key, at in ((pygame.K_END, -1), (pygame.K_HOME, 0), (pygame.K_PAGEDOWN, 10), (pygame.K_PAGEUP, 0)):
        drive.key(key)
        assert page.form.focused is page.rows[at]
    drive.key(pygame.K_END)
    assert page.app.surface.get_rect().contains(page.rows[-1].rect), "the chosen one is seen"
    drive.key(pygame.K_HOME)
    for shown in (ChallengesScreen, BoardScreen):
        drive.click(page.rows[2].rect.center)
        assert isinstance(page.app.top, shown)


@pytest.mark.parametrize(("seat", "who"), [(0, "Red"), (1, "Yellow")])
def test_the_owner_of_the_last_missile_is_highlighted_and_named(
    page: ChallengesScreen, drive: Driver, seat: int, who: str
) -> None:
    number = [puzzle.seat for puzzle in load_puzzles()].index(seat) + 1
    start_challenge(page, drive, f"last-missile-{number}")
    drive.frames()
    table = drive.top(IceScreen)
    assert table.seat == table.match.to_play == seat
    assert table.controller.prompt == f"{who} has the last missile."
    assert SHARED_KEYS not in table.extra_keys(), "the other has nothing to launch"
    assert not drive.button("Hint").enabled


def test_a_puzzle_whose_solution_was_shown_earns_no_stars(page: ChallengesScreen, drive: Driver, home: Path) -> None:
    card = start_challenge(page, drive, "puzzle-3")
    drive.key(pygame.K_v)
    assert not drive.top_screen.controller.pending, "before a try nothing is shown"
    result = play_to_result(drive)
    assert "Solution, then no stars" in drive.screen_text(), "what it costs is said before"
    coins = drive.top_screen.piece_positions
    assert coins
    assert not [at for at in coins if result.rect.collidepoint(at)], "the result covers none of them"
    assert all(result.rect.contains(widget.rect) for widget in result.form.widgets)
    drive.key(pygame.K_s)
    drive.frames(2)
    assert card.text.endswith("Club hand: 99 of 100; the next best 80.")
    assert NO_STARS_TEXT in card.note
    assert "99%" in drive.screen_text(), "the arrow has its chance"
    assert drive.button("Show me").enabled
    table, solution = drive.top(MatchScreen), find_challenge("puzzle-3").challenge.solution
    end_screen = play_to_result(drive, pygame.K_v)
    assert table.match.turns[0].meant == solution.action
    assert table.match.turns[0].made != solution.action, "it is made by a hand"
    assert card.demo_counts == (1, int(card.status.is_solved))
    assert not end_screen.form.press_shortcut(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_s))
    drive.key(pygame.K_r)
    play_to_result(drive)
    attempts = [line for line in ProfileStore(home / "data" / "player").entries if isinstance(line, AttemptEntry)]
    assert [line.told for line in attempts] == [False, True], "only the try before it was told is kept"
    drive.key(pygame.K_ESCAPE)
    page.start(card.entry)
    drive.frames(2)
    assert not drive.top_screen.match.turns
    assert NO_STARS_TEXT in drive.screen_text()
    assert "99%" in drive.screen_text(), "told already, it is shown at once"
    play_to_result(drive, pygame.K_v)
    assert page.app.player.best_results()[card.entry.name].attempts == 1, "a showing is no try"
    assert "Shown so far: " in drive.screen_text()
    drive.key(pygame.K_r)
    card = drive.top_screen.activity_card
    card.status = AttemptStatus(is_over=True, is_solved=True, text="Blue takes the end.")
    drive.app.push(ChallengeEndScreen(drive.app, card, 0, None, "0:12", True))
    assert "Done!" in drive.screen_text()
    assert "Shown" not in drive.screen_text(), "an own try after the solution is no showing of it"


def test_a_solution_is_shown_only_in_its_own_position(page: ChallengesScreen, drive: Driver) -> None:
    card = start_challenge(page, drive, "puzzle-1")
    card.reveal_solution()
    drive.frames(2)
    table, solution = drive.top_screen, card.solution
    assert isinstance(solution.action, Flick)
    gentle = msgspec.structs.replace(solution.action, speed=0.05)
    assert "V shows it" in table.status_line()
    assert drive.button("Show me").enabled
    turn = table.match.play(gentle)
    table.match.turns[:] = [dataclasses.replace(turn, after=turn.before)]  # the same seat plays on, as after a pot
    table.controller.start_turn()
    drive.frames(2)
    assert table.controller.phase == "choose", "somebody at the window plays on"
    assert "V shows it" not in table.status_line() + card.note
    assert not drive.button("Show me").enabled
    drive.key(pygame.K_v)
    assert table.controller.phase == "choose"
    assert not table.demo.is_running
    assert not card.is_demo_played, "so it is no showing of the solution"


def test_a_solution_is_shown_where_the_wink_lies_on_a_pile(page: ChallengesScreen, drive: Driver) -> None:
    """V plays it then, and draws the squidger on less before it was told."""
    number = next(
        number
        for number, puzzle in enumerate(load_last_turns(), 1)
        if Squops(puzzle.state.scene, puzzle.state.book).covered(puzzle.solution.piece)
    )
    card = start_challenge(page, drive, f"last-turn-{number}")
    table, shot = drive.top(TiddlywinksScreen), card.solution.action
    assert table.set_shot(msgspec.structs.replace(shot, drag=0.01))
    drive.key(pygame.K_v)
    assert table.aim_controller.intended_shot.drag == pytest.approx(0.009)
    card.reveal_solution()
    drive.frames(2)
    drive.key(pygame.K_v)
    assert card.is_demo_played


@pytest.mark.parametrize("name", ["puzzle-3", "last-missile-1"])
def test_a_refused_solution_action_is_reported_once(
    page: ChallengesScreen, drive: Driver, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    card = start_challenge(page, drive, name)
    card.reveal_solution()
    drive.frames(2)
    table = drive.top(MatchScreen)
    action, requests = table.demo.solution.action, list[object]()
    asked = dataclasses.replace(table.demo.puzzle, policy=lambda state, _dice: requests.append(state) or action)
    table.demo.puzzle = asked
    monkeypatch.setattr(table.controller, "illegal_reason", lambda _action: "no flicks today")
    drive.key(pygame.K_v)
    assert "no flicks today" in drive.screen_text()
    assert not table.demo.is_running
    assert not card.is_demo_played
    table.demo.is_running = True
    drive.frames(5)
    assert len(requests) == 1
    assert not table.demo.is_running


def test_every_solution_starts_with_its_published_action() -> None:
    puzzles = [one.challenge for one in all_challenges() if one.challenge.group == "Puzzles"]
    assert len(puzzles) >= 60
    for puzzle in puzzles:
        solution, plan = puzzle.solution, puzzle.policy
        assert plan(puzzle.initial_state(), np.random.default_rng(1)) == solution.action
        assert 0.0 <= solution.next_best_chance < solution.chance <= 1.0
        text = challenge_card.solution_text(solution)
        assert (text[:6], text[-1]) == ("Best: ", "."), "as it is not played yet"


def test_a_puzzle_of_dominoes_is_played_against_a_bot(page: ChallengesScreen, drive: Driver) -> None:
    drive.frames(2)
    card = start_challenge(page, drive, "ending-1")
    table = drive.top(MatchScreen)
    assert not table.buttons["hint"].enabled
    drive.frames(3)
    assert "MOVES" not in drive.screen_text(), "a heading without any"
    card.reveal_solution()
    drive.frames(2)
    assert card.text.endswith(card.solution.idea)
    assert card.note.startswith("V shows it. ")
    play_to_result(drive, pygame.K_v)
    assert card.status.is_solved
    assert card.demo_counts == (1, 1)
    assert "Shown so far" not in drive.screen_text(), "without a hand it goes the same way each time"
    page.app.pop()
    assert "MOVES" in drive.screen_text()
    drive.key(pygame.K_ESCAPE)
    assert NO_STARS_TEXT in drive.screen_text()
    page.start(card.entry)
    assert drive.top(MatchScreen).execute(card.solution.action, NO_NOISE)
    play_to_result(drive, pygame.K_LSHIFT)  # a key of no meaning
    drive.frames()
    assert {"Done!", NO_STARS_TEXT} <= {said.source for said in drive.app.tooltips.drawn_texts}
    best = page.app.player.best_results()[card.entry.name]
    assert (best.stars, best.attempts, best.is_told) == (0, 1, True)


@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks", "ice", "dominoes"])
def test_the_card_of_a_puzzle_covers_no_text_in_a_small_window(
    page: ChallengesScreen, drive: Driver, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    pygame.display.set_mode((800, 600), pygame.RESIZABLE)
    entries = [row.entry for row in page.rows if row.entry.game.name == name]
    puzzles = (entry for entry in entries if entry.challenge.solution is not None)
    page.start(max(puzzles, key=lambda entry: len(entry.challenge.goal)))
    feedback = "A little too hard, and too far to the left. " * 3
    monkeypatch.setattr(type(drive.app.top), "shot_feedback", feedback, raising=False)
    drive.frames(3)
    card = drive.app.top.activity_card
    drawn = drive.app.tooltips.drawn_texts
    first = next(k for k, said in enumerate(drawn) if said.text[:8] == card.title[:8] and said.rect.y > card.rect.y)
    assert [said.text for said in drawn[:first] if said.rect.colliderect(card.rect)] == []
    buttons = [widget for widget in drive.app.top.form.widgets if isinstance(widget, Button)]
    assert [button.label for button in buttons if button.rect.colliderect(card.rect)] == []


def test_a_small_window_cuts_neither_title_nor_prompt_of_a_challenge(page: ChallengesScreen, drive: Driver) -> None:
    pygame.display.set_mode((800, 528), pygame.RESIZABLE)
    drive.key(pygame.K_DOWN)
    drive.frames()
    puzzle = page.rows[1].entry
    assert puzzle.challenge.title in drive.screen_text()
    page.start(puzzle)
    drive.frames(3)
    assert puzzle.title in drive.screen_text()
    page.start(next(row.entry for row in page.rows if row.entry.name.endswith("draw-10")))
    drive.frames(3)
    assert drive.top_screen.controller.prompt in drive.screen_text()
    assert "Try 1" in [said.source.partition("   ")[0] for said in drive.app.tooltips.drawn_texts], "on one line"


@pytest.mark.parametrize("size", [(800, 528), (1280, 800)])
@pytest.mark.parametrize("is_told", [False, True])
def test_the_box_at_the_end_of_an_attempt_fits_its_text(
    page: ChallengesScreen, drive: Driver, size: tuple[int, int], is_told: bool
) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
    card = start_challenge(page, drive, "puzzle-3")
    if is_told:
        card.reveal_solution()
    card.status = AttemptStatus(is_over=True, text="Another penny lies nearer to the white. " * 3 + "Last words.")
    drive.app.push(box := ChallengeEndScreen(drive.app, card, 0, None, "0:12", True))
    drive.frames(2)
    buttons = [widget.rect for widget in box.form.widgets]
    last = next(said for said in drive.app.tooltips.drawn_texts if said.text.endswith("words."))
    below = [said.rect for said in drive.app.tooltips.drawn_texts if last.rect.y <= said.rect.y < buttons[0].y]
    assert all(box.rect.contains(rect) for rect in (*buttons, *below))
    assert max(rect.bottom for rect in below) < buttons[0].y < box.rect.bottom
    assert drive.app.screen_area.contains(box.rect)


def test_a_puzzle_of_dominoes_calls_the_player_by_name(page: ChallengesScreen, drive: Driver) -> None:
    """The seats of tiles are called Ann and Bob: it said "Bob is to play" to a player called Ada."""
    page.app.player.update_profile(lambda had: msgspec.structs.replace(had, name="Ada"))
    entry = find_challenge("ending-1").challenge
    assert entry.goal.startswith("Bob is to play")
    page.form.focus = [row.entry.challenge.name for row in page.rows].index("ending-1")
    drive.keys(pygame.K_DOWN, pygame.K_UP)
    assert "Ada is to play" in drive.screen_text()
    drive.key(pygame.K_RETURN)
    card = page.app.top.activity_card
    assert card.text == entry.goal.replace("Bob", "Ada")
    assert "Bob" not in drive.screen_text()
    card.reveal_solution()
    drive.frames(2)
    assert "only Ada has left" in card.text
    play_to_result(drive, pygame.K_v)
    assert "Ada wins, whatever Ann plays." in drive.screen_text()
    assert "Bob" not in drive.screen_text()


@pytest.mark.parametrize(("name", "other"), [("Bob Lee", "Ann"), ("Ann", "Bob")])
def test_a_player_with_the_name_of_a_seat_is_named_once_after_restarts_and_swaps_names_with_another(
    page: ChallengesScreen, drive: Driver, name: str, other: str
) -> None:
    page.app.player.update_profile(lambda had: msgspec.structs.replace(had, name=name))
    card = start_challenge(page, drive, "ending-1")
    goal = card.text
    assert goal.startswith(f"{name} is to play")
    assert [match_text.seat_text(drive.app.top.match, seat) for seat in (0, 1)] == [other, name]
    card.restart()
    card.restart()
    assert card.text == goal
    card.reveal_solution()
    card.restart()
    assert f"only {name} has left" in card.text
    assert "Lee Lee" not in card.text


def test_tries_are_counted_on_when_a_challenge_is_opened_again(page: ChallengesScreen, drive: Driver) -> None:
    card = start_challenge(page, drive, "puzzle-3")
    player, entry = page.app.player, card.entry
    for number in (1, 2):
        player.record_attempt(entry, AttemptStatus(is_over=True), number, 0)
    drive.key(pygame.K_ESCAPE)
    page.start(entry)
    assert "Try 3" in drive.screen_text()
    player.record_attempt(entry, AttemptStatus(is_over=True, is_solved=True), 3, 2)
    drive.key(pygame.K_ESCAPE)
    page.start(entry)
    assert "New series, try 1" in drive.screen_text(), "solved, it begins anew, and can earn more stars"


@pytest.mark.parametrize(
    ("earned", "now", "label"),
    [(0, 0, "Solution, then no stars"), (1, 0, "Solution, then no more stars"), (0, 3, "Solution"), (3, 1, "Solution")],
)
def test_a_solution_costs_only_stars_that_are_not_earned_yet(
    page: ChallengesScreen, drive: Driver, earned: int, now: int, label: str
) -> None:
    card = start_challenge(page, drive, "puzzle-3")
    best = BestAttempt(attempts=1, stars=earned)
    drive.app.push(ChallengeEndScreen(drive.app, card, now, best, "0:12", True))
    assert drive.button(label).enabled
    assert bool(no_stars_text(dataclasses.replace(best, is_told=True))) == (earned < 3)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_puzzle_of_the_day_is_called_so_after_a_try(page: ChallengesScreen, drive: Driver, language: str) -> None:
    pygame.display.set_mode((800, 600), pygame.RESIZABLE)
    translation.set_language(language)
    drive.frames(2)
    for row in page.rows[:2]:
        assert row.label in drive.screen_text()
        page.app.player.record_attempt(row.entry, AttemptStatus(is_over=True), 1, 0)
    page.refresh()
    drive.frames(2)
    for row in page.rows[:2]:
        assert row.label in drive.screen_text()
    translation.set_language("en")


@pytest.mark.usefixtures("german")
def test_the_texts_of_a_challenge_are_whole_in_large_german_letters(page: ChallengesScreen, drive: Driver) -> None:
    pygame.display.set_mode((1280, 800), pygame.RESIZABLE)
    page.app.preferences.scale = 1.3
    for row in page.rows:
        row.best = BestAttempt(stars=0, attempts=1)
    for k in range(len(page.rows)):
        page.form.focus = k
        drive.key(pygame.K_LSHIFT)  # a key of no meaning selects the row
        drive.frames()
        drawn = {said.text: said.rect for said in drive.app.tooltips.drawn_texts}
        assert drawn["Bisher ein Versuch."].bottom <= page.form.widgets[-2].rect.y, page.rows[k].label


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks"])
def test_a_told_solution_stays_off_the_board_in_a_small_german_window(
    page: ChallengesScreen, drive: Driver, name: str
) -> None:
    pygame.display.set_mode((800, 600), pygame.RESIZABLE)
    entries = [row.entry for row in page.rows if row.entry.game.name == name]
    puzzles = [entry for entry in entries if entry.challenge.solution is not None]
    page.start(max(puzzles, key=lambda entry: len(entry.challenge.solution.description)))
    card = drive.app.top.activity_card
    card.reveal_solution()
    drive.frames(3)
    assert not card.rect.colliderect(drive.app.top.view.area)
