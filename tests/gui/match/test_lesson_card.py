"""Lessons: positions can be set up, steps recognise their completion, leaving loses nothing."""

from math import atan2

import msgspec
import pygame
import pytest

from flicksim.ai import GRADES
from flicksim.challenges import attempt_status, find_challenge
from flicksim.core.type_aliases import Action
from flicksim.games import load, names
from flicksim.games.ice.table_layout import seat_areas
from flicksim.gui.app import App, HelpScreen
from flicksim.gui.app.activity_card import Lesson, LessonStep, action_made
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.game_views.ice.ice_controller import IceMatchController
from flicksim.gui.game_views.ice.ice_screen import IceScreen
from flicksim.gui.match.lesson_card import LessonCard, LessonEndScreen
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.menus.challenges import ChallengesScreen
from flicksim.gui.menus.main_menu import MainMenuScreen
from flicksim.gui.menus.welcome import LessonsScreen
from flicksim.gui.table_view import compute_hint, match_text
from flicksim.gui.toolkit.sounds import WAVES
from flicksim.match import Match
from flicksim.scene import Launch, Squidge
from tests.matches import new_match
from tests.polling import wait_until

from ..conftest import Driver

pytestmark = pytest.mark.usefixtures("home")


def lesson(app: App, game: str) -> LessonCard:
    begin = app.routes.start_lesson(app, load(game))
    begin()
    beside = app.top.activity_card
    assert isinstance(beside, LessonCard)
    return beside


@pytest.mark.parametrize("name", names())
def test_every_lesson_can_be_stepped_through_and_left(app: App, drive: Driver, name: str) -> None:
    steps = discover_game_views().view_of(load(name)).lesson
    teaching = lesson(app, name)
    for number, step in enumerate(steps.steps):
        drive.frames(2)
        assert isinstance(app.top, MatchScreen)
        assert (teaching.step_index, teaching.text) == (number, step.text)
        match = app.top.match
        assert number or match.players[match.to_play] is None, "the person begins, not a bot"
        assert not steps.is_done(step, ())
        drive.key(pygame.K_PAGEDOWN)
    assert isinstance(app.top, LessonEndScreen)
    assert app.player.profile.lessons == (name,)
    drive.key(pygame.K_r)
    assert teaching.step_index == 0
    assert len(app.screens) == 2
    drive.key(pygame.K_ESCAPE)
    assert isinstance(app.top, MainMenuScreen)


def test_a_flick_completes_the_first_step_and_the_next_follows(drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(drive.app.sounds, "play", lambda name, _loud=1.0: heard.append(name))
    teaching = lesson(drive.app, "penny-white")
    drive.frames()
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("hold", "over")
    drive.frames(2)
    assert teaching.is_done
    assert teaching.text == teaching.lesson.steps[0].praise
    drive.frames(60, 0.05)
    assert (teaching.step_index, teaching.is_done) == (1, False)
    assert not drive.top_screen.match.turns
    assert len(drive.app.screens) == 2
    assert set(heard) <= set(WAVES)


def test_an_exhausted_table_is_set_up_again(app: App, drive: Driver) -> None:
    teaching = lesson(app, "penny-white")
    drive.keys(pygame.K_PAGEDOWN, pygame.K_PAGEDOWN)
    drive.frames()
    table = drive.top_screen
    for _ in range(12):
        drive.key(pygame.K_DOWN)  # too gently to come near
    assert (table.match.player_names[0], match_text.player_text(table.match, 0)) == ("you", "you")
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("hold", "over")
    drive.frames(2)
    assert teaching.note == "Not yet: Red keeps the end."
    drive.until(lambda: drive.top_screen is not table, 0.05)
    assert teaching.step_index == 2
    assert teaching.text == f"Once more. {teaching.lesson.steps[2].text}"
    assert drive.top_screen.match.streams.seed != table.match.streams.seed, "the hand errs otherwise"
    drive.key(pygame.K_SPACE)  # meant to go on from the last table
    assert drive.top_screen.controller.phase == "choose"
    drive.frames(11, 0.1)
    assert not drive.top_screen.match.turns
    drive.key(pygame.K_SPACE)
    assert drive.top_screen.controller.phase != "choose"


def test_the_praise_of_a_pot_says_whose_turn_it_is() -> None:
    game = load("tiddlywinks")
    step = discover_game_views().view_of(game).lesson.steps[1]
    match = step.make_match(0)
    wink = match.state.scene.piece("blue-3")
    shot = Squidge(piece=wink.id, speed=1.4, azimuth=atan2(-wink.y, -wink.x), elevation=1.3)
    turn = match.play(shot, made=shot)
    assert attempt_status(find_challenge(step.challenge), [turn]).is_solved
    assert match.to_play != turn.seat
    assert "the turn passes on" in step.praise


def hint(match: Match, step: LessonStep) -> Action:
    request = compute_hint(match, match.to_play, policy=step.hint_policy)
    wait_until(lambda: request.is_done)
    return request.result().action


@pytest.mark.parametrize("name", names())
def test_what_a_hint_shows_completes_a_step_of_a_lesson(name: str) -> None:
    lesson = discover_game_views().view_of(load(name)).lesson
    match = lesson.steps[0].make_match(0)
    for step in lesson.steps:
        if step.challenge:
            action, tries, done = hint(step.make_match(0), step), 20, 0
            for seed in range(tries):
                match = step.make_match(seed)
                match.set_noise(GRADES["club"])
                done += lesson.is_done(step, [match.play(action)])
            is_chancy = "try until one does" in step.text or "a few tries" in step.text
            assert done >= (0.4 if is_chancy else 0.9) * tries, (step, done)
        else:
            turns = []
            while not lesson.is_done(step, turns):
                is_bot = match.players[match.to_play] is not None
                turns += [match.play(match.ask_player() if is_bot else hint(match, step))]
                assert len(turns) < 12, step


def test_lessons_are_found_at_the_main_menu_and_in_the_help(app: App, drive: Driver) -> None:
    drive.show(MainMenuScreen(app, discover_game_views()))
    drive.key(pygame.K_l)
    assert isinstance(app.top, LessonsScreen)
    drive.key(pygame.K_3)
    assert isinstance(app.top, IceScreen)
    drive.key(ord("?"), text="?")
    assert isinstance(app.top, HelpScreen)
    assert [widget.label for widget in app.top.form.widgets][-2:] == ["Play the lesson", "Back"]
    drive.click(app.top.form.widgets[-2].rect.center)
    assert isinstance(app.top.activity_card, LessonCard)
    assert len(app.screens) == 2


def test_letters_over_the_lessons_go_to_the_main_menu(app: App, drive: Driver) -> None:
    app.replace_all(menu := MainMenuScreen(app, discover_game_views()))
    menu.open_lessons()
    drive.frames()
    drive.key(pygame.K_h)
    assert isinstance(app.top, ChallengesScreen)
    assert app.screens == [menu, app.top]


def test_a_beginner_who_waits_is_the_opponent_until_a_game_is_won(app: App, drive: Driver) -> None:
    for first in (True, True, True, False):
        if not first:
            app.player.record_game("ice", "beginner", 1.0, (0, 0), profile_name=app.player.name)
        drive.show(MainMenuScreen(app, discover_game_views()))
        drive.key(pygame.K_3)
        table = drive.top(IceScreen)
        assert table.controller.bots_wait is first
        assert table.match.noise[1] == GRADES["beginner" if first else "club"]


def test_a_bot_that_waits_launches_after_the_person() -> None:
    match = new_match("ice", "human", "bot:beginner", seed=3)
    hands = tuple(hand[:2] for hand in match.state.hands)
    match.set_opening(msgspec.structs.replace(match.state, started=True, hands=hands))
    course = IceMatchController(match)
    course.bots_wait = True
    for _ in range(80):
        course.update(0.1)
    assert [len(hand) for hand in match.state.hands] == [2, 2]
    place = seat_areas(match.options, 2)[0]
    course.request(
        0, Launch(piece="red-small-1", size="small", hold=place.default_hold, azimuth=place.facing, speed=2.6, owner=0)
    )

    def launches() -> list[Launch]:
        return [turn.made for turn in match.turns if isinstance(turn.made, Launch)]

    wait_until(lambda: len(launches()) >= 2, lambda: course.update(0.1))
    launched = launches()
    assert [launch.owner for launch in launched[:2]] == [0, 1]
    assert len(match.state.hands[1]) == 1
    assert launched[1].time > 8.0


def test_a_ruling_is_whole_beside_the_praise_in_large_letters(app: App, drive: Driver) -> None:
    app.preferences.scale = 1.3
    card, table = lesson(app, "ice"), drive.top(IceScreen)
    drive.frames(40, 0.1)
    drive.key(pygame.K_UP)  # the aim is taken in hand
    drive.frames(10, 0.1)
    drive.key(pygame.K_SPACE)
    drive.until(lambda: card.is_done and table.controller.launch_log, 0.1)
    drive.frames(2)
    reasons = table.controller.launch_log[0].reasons
    assert reasons
    assert all(match_text.ruling_text(table.match, reason.text) in drive.screen_text() for reason in reasons)


def test_unknown_condition_of_a_step_is_refused() -> None:
    step = LessonStep(text="Flick.", praise="Well done.", condition="flown")
    with pytest.raises(ValueError, match=r"no condition 'flown' of a lesson's step; there are solved, flicked"):
        Lesson((step,), "", {"flicked": action_made()})
