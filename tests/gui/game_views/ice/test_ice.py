"""Tests of the pyramid screen: simultaneous launches by mouse and keys on one clock."""

import dataclasses
from itertools import accumulate, combinations, islice
from math import pi
from threading import Event
from types import SimpleNamespace
from typing import Any

import msgspec
import pygame
import pytest
from msgspec.structs import replace

from flicksim.ai import GRADES
from flicksim.core.units import deg2rad, mm
from flicksim.engine import simulate
from flicksim.games.ice.state import Load, Wait
from flicksim.gui.app import App
from flicksim.gui.game_views.ice import SHARED_KEYS, launch_log, panel, side_view
from flicksim.gui.game_views.ice.end_screen import IceEndScreen
from flicksim.gui.game_views.ice.flight import FlightPredictor
from flicksim.gui.game_views.ice.ice_screen import IceScreen
from flicksim.gui.game_views.ice.launcher_pose import SLIDERS, LauncherPlace, LauncherPose
from flicksim.gui.match.game_analysis import turn_at
from flicksim.gui.match.overlays import PauseScreen
from flicksim.gui.table_view import SidePlane
from flicksim.gui.table_view.gestures import SPREAD_SIGMAS
from flicksim.gui.toolkit import Button, Canvas
from flicksim.match import Warmup
from flicksim.scene import Launch, LaunchTrajectory, Line, PyramidScene, VolleyTrajectory, samples
from tests.polling import TIMEOUT, wait_until

from ...conftest import Driver, FakeRecorder, FakeWorker, replay_screen
from ...ice_helpers import IceDriver, ice_match, landings, started_match


def test_the_name_of_the_start_line_lies_under_the_flights(app: App) -> None:
    line, canvas = Line(name="own", a=(0.0, mm(75.0)), b=(1.0, mm(75.0))), Canvas(app.surface)
    surface = replace(ice_match("human").state.scene.surface, lines=(line,))
    plane = SidePlane((0.5, 0.0), pi / 2.0, 600.0, 200.0, 300.0)
    side_view.draw_frame(canvas, pygame.Rect(0, 0, 600, 320), plane, surface, "aimed")
    name = next(said.rect for said in canvas.drawn_texts if said.source == "own line")
    assert name.centerx == pytest.approx(plane.to_screen(mm(75.0), 0.0)[0] + 30, abs=1)
    for reach, side in ((0.1, -1), (0.3, 1)):
        side_view.draw_frame(canvas, pygame.Rect(0, 0, 600, 320), plane, surface, "aimed", end=(reach, 0.02))
        name = [said.rect for said in canvas.drawn_texts if said.source == "own line"][-1]
        assert (name.centerx - plane.to_screen(mm(75.0), 0.0)[0]) * side > 0, "beside a missile that lands near it"
    assert name.top > plane.to_screen(mm(75.0), mm(60.0))[1], "a missile leaves its launcher at 80 mm, upwards"


def test_loading_and_launching_by_keyboard(app: App) -> None:
    driver = IceDriver(app, ice_match("human"))
    driver.key(pygame.K_3)
    assert driver.ice_screen.pose.size == "large"
    assert "Space" in driver.ice_screen.status_line()
    driver.key(pygame.K_SPACE)  # counted as loaded (ITW-2h)
    driver.until(lambda: driver.ice_screen.controller.rules_state.started)
    assert "Everybody" not in driver.ice_screen.controller.prompt
    driver.until(lambda: driver.ice_screen.controller.time >= 0.0)
    turn = driver.ice_screen.match.turns[0]
    assert "large" in turn.made.piece
    driver.key(pygame.K_1)
    assert "launched first" in driver.ice_screen.note  # the loaded missile
    driver.keys(pygame.K_LEFT, pygame.K_UP)
    driver.key(pygame.K_UP, pygame.KMOD_SHIFT)
    driver.keys(pygame.K_d, pygame.K_w, pygame.K_e, pygame.K_RIGHTBRACKET, pygame.K_SPACE)
    driver.wait_for_landings(1)
    launch = next(turn.meant for turn in driver.ice_screen.match.turns if isinstance(turn.made, Launch))
    assert launch.azimuth == pytest.approx(pi / 2.0 + deg2rad(1.0))
    assert launch.speed == pytest.approx(4.455)
    assert launch.hold[0] == pytest.approx(0.45 + mm(5.0))
    assert launch.slant == pytest.approx(deg2rad(66.0))
    assert launch.height == pytest.approx(mm(4.5))
    assert launch.lift == pytest.approx(mm(85.0))
    driver.key(pygame.K_r)
    assert driver.ice_screen.pose.aim_offset == 0.0


def test_a_mouse_pull_launches(app: App) -> None:
    driver, screen = started_match(app, "human")
    x, y = screen.view.area.center
    driver.press((x - 100, y))
    driver.move((x - 130, y + 150))
    assert screen.pose.aim_offset < -deg2rad(5.0)  # down and to the left sends it up and to the right
    driver.press((x, y), button=3)
    assert screen.pose.aim_offset == 0.0  # released without a pull
    driver.release((x, y), button=3)
    driver.press((x - 100, y))
    driver.move((x - 100, y + 60))
    weak = screen.pose.speed
    driver.move((x - 100, y + 160))
    assert screen.pose.speed > weak + 0.5
    driver.release((x - 100, y + 160))
    driver.wait_for_landings(1)
    assert any(isinstance(turn.made, Launch) for turn in screen.match.turns)


def test_the_right_button_moves_the_launcher_along_its_line(app: App) -> None:
    driver = IceDriver(app, ice_match("human"))
    screen = driver.ice_screen
    at = screen.view.camera.to_screen((0.6, 0.07))
    driver.press(at, button=3)
    driver.release(at, button=3)
    assert screen.pose.position[0] == pytest.approx(0.6, abs=0.003)
    far_end = screen.view.camera.to_screen((3.0, 0.07))
    driver.press(at, button=3)
    driver.move(far_end)
    driver.release(far_end, button=3)
    assert screen.pose.position[0] < 0.9  # it stays over the stash area (ITW-5b)


def test_three_people_launch_with_their_own_keys(app: App) -> None:
    driver = IceDriver(app, ice_match("human", "human", "human"))
    driver.down(pygame.K_w)  # the first takes another size
    driver.up(pygame.K_w)
    driver.down(pygame.K_s, pygame.K_DOWN, pygame.K_k)
    driver.up(pygame.K_s, pygame.K_DOWN, pygame.K_k)
    screen = driver.ice_screen
    assert screen.extra_keys() == (SHARED_KEYS,)
    driver.until(lambda: screen.controller.rules_state.started and screen.controller.time >= 0.0)
    stacked = [turn.made.piece for turn in screen.match.turns if isinstance(turn.made, Load)]
    assert sorted(stacked) == ["green-medium-1", "red-large-1", "yellow-medium-1"]
    driver.down(pygame.K_s, pygame.K_DOWN, pygame.K_k)
    driver.down(pygame.K_LEFT)
    driver.frames(25)
    assert screen.launcher_control.poses[1].aim_offset > deg2rad(5.0)  # the key is still down
    assert screen.launcher_control.poses[0].aim_offset == 0.0
    driver.up(pygame.K_LEFT, pygame.K_s)
    driver.frames(12)
    driver.up(pygame.K_DOWN, pygame.K_k)
    driver.until(lambda: len(screen.controller.visible.flights) == 3)
    starts = {flight.launch.owner: flight.start for flight in screen.controller.visible.flights}
    assert starts[0] < starts[1] == starts[2]
    speeds = {flight.launch.owner: flight.launch.speed for flight in screen.controller.visible.flights}
    assert speeds[1] > speeds[0] + 0.3  # held longer
    driver.wait_for_landings(3)
    down = [(one.launch.time or 0.0) + one.first_contact_time for one in landings(screen.match)]
    assert down == sorted(down)  # outcomes are settled in order of landing (ITW-4b)


def test_a_seat_waits_only_for_its_own_missile(app: App) -> None:
    driver, screen = started_match(app, "human", "human")
    screen.launch(0)
    driver.until(lambda: bool(screen.controller.visible.flights))
    screen.launch(0)
    assert "at rest" in screen.note  # ITW-4c
    assert screen.controller.can_act(1)
    screen.launch(1)
    driver.until(lambda: len(screen.controller.visible.flights) == 2)
    driver.wait_for_landings(2)


def test_a_click_on_a_seat_card_or_a_key_assigns_the_mouse(app: App) -> None:
    driver = IceDriver(app, ice_match("human", "human", "random"))
    driver.click(driver.ice_screen.drawing.cards[1].center)
    assert driver.ice_screen.seat == 1
    driver.click(driver.ice_screen.drawing.cards[2].center)
    assert driver.ice_screen.seat == 1  # a bot's launcher is its own
    assert "Nobody at this window launches for that seat" in driver.screen_text()
    driver.click(driver.ice_screen.drawing.cards[0].center)
    assert "launches for that seat" not in driver.screen_text()
    for seat in (1, 0):
        driver.key(pygame.K_t)
        assert driver.ice_screen.seat == seat
    assert "T next seat" in driver.ice_screen.status_line()


def test_the_only_seat_is_named_so_and_its_last_launch_as_in_the_game(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver, screen = started_match(app, "human", "random")
    driver.key(pygame.K_t)
    assert screen.seat == 0
    assert "Yours is the only seat at this window." in driver.screen_text()
    monkeypatch.setattr(type(screen), "shot_feedback", "It went just as you meant.")
    driver.frames(2)
    assert "your last launch" in driver.screen_text().lower()


def test_an_undo_leaves_the_gesture_of_the_launch_that_stands(app: App) -> None:
    driver, screen = started_match(app, "human")
    texts = []
    for hold_frames in (1, 70):
        driver.key(pygame.K_LEFT)
        driver.frames(hold_frames)
        driver.key(pygame.K_SPACE)
        driver.wait_for_landings(len(texts) + 1)
        driver.until(lambda: screen.controller.can_act(0))
        texts.append(screen.shot_feedback)
    assert "You let go" in texts[0]
    assert "You let go" not in texts[1]
    driver.key(pygame.K_u)
    driver.until(lambda: len(screen.controller.launch_log) == 1)
    assert screen.shot_feedback == texts[0]


def test_a_key_takes_a_seat_that_gets_a_missile_back(app: App) -> None:
    match = ice_match("human", "human")
    armed = match.opening
    match.opening = msgspec.structs.replace(armed, hands=(armed.hands[0], ()))
    driver = IceDriver(app, match)
    screen = driver.ice_screen
    driver.key(pygame.K_t)
    assert screen.seat == 0, "the other has nothing to launch"
    assert "No other seat at this window has missiles left to launch." in driver.screen_text()
    match.opening = armed
    driver.keys(pygame.K_t, pygame.K_LEFT)
    assert screen.seat == 1
    assert screen.pose.aim_offset > 0.0
    assert any("T" in row.label and "seat" in row.actions for row in screen.extra_keys()[0].bindings)
    driver.key(pygame.K_t)
    assert screen.seat == 0


def test_a_seat_without_missiles_is_not_offered_a_launch(app: App) -> None:
    driver, screen = started_match(app, "human", "human", left=1)
    screen.launcher_control.clusters.clear()  # as with one person, who plays against bots
    assert screen.buttons["launch"].enabled
    assert screen.buttons["hint"].enabled
    assert "Pull back" in screen.status_line()
    screen.launch(0)
    driver.until(lambda: bool(screen.controller.visible.flights))
    driver.frames(2)
    assert not screen.buttons["launch"].enabled
    assert not screen.buttons["hint"].enabled
    driver.wait_for_landings(1)
    driver.key(pygame.K_SPACE)
    assert "All your missiles have been launched." in driver.screen_text()
    assert "hands" not in driver.screen_text().lower()
    assert "Pull back" not in screen.status_line()
    assert "ends by itself" in screen.status_line()
    assert "H hint" not in screen.status_line()
    driver.key(pygame.K_t)
    assert screen.buttons["launch"].enabled
    assert screen.buttons["hint"].enabled


@pytest.mark.parametrize("size", [(800, 600), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("is_folded", [False, True])
def test_texts_on_the_cards_of_six_people_do_not_overlap(app: App, size: tuple[int, int], is_folded: bool) -> None:
    pygame.display.set_mode(size)
    driver = IceDriver(app, ice_match(*["human"] * 6))
    if is_folded:
        driver.key(pygame.K_F6)
    driver.frames(2)
    for card in driver.ice_screen.drawing.cards:
        texts = [said.rect for said in app.tooltips.drawn_texts if card.colliderect(said.rect)]
        shrunk = [rect.inflate(-2, -round(rect.h * 0.35)) for rect in texts]  # less the space above and below letters
        assert len(texts) >= 7
        assert not [pair for pair in combinations(shrunk, 2) if pair[0].colliderect(pair[1])]


def test_bots_launch_at_their_pace_while_people_are_idle(app: App) -> None:
    recorder = FakeRecorder()
    driver, screen = started_match(app, "human", "random", recorder=recorder)
    driver.wait_for_landings(2)
    launches = [turn.made for turn in screen.match.turns if isinstance(turn.made, Launch)]
    assert {launch.owner for launch in launches} <= {1, None}
    assert len(launches) >= 2
    driver.until(lambda: len(recorder.calls) == len(screen.match.turns))
    assert screen.controller.can_act(0)


@pytest.mark.parametrize("waits", [True, False])
def test_a_bot_that_waits_for_the_people_is_said_to(app: App, waits: bool) -> None:
    driver, screen = started_match(app, "human", "bot:beginner")
    screen.controller.bots_wait = waits
    driver.until(lambda: screen.controller.time > 0.0)
    driver.frames(2)
    texts = {said.source for said in app.tooltips.drawn_texts}
    assert any("waits for you" in text for text in texts) is waits


def test_launches_are_numbered_without_stacking_and_aims_are_labelled(app: App) -> None:
    driver, screen = started_match(app, "human")
    driver.frames(3)
    assert "aims, without bounces" in driver.screen_text()
    assert " nail " in driver.screen_text()
    driver.key(pygame.K_SPACE)
    driver.wait_for_landings(1)
    driver.frames(3)
    assert screen.controller.launch_log[0].turn.number > 1
    assert ", LAUNCH 1 " in driver.screen_text()
    canvas = Canvas(app.surface, 1.0)
    for height, count in ((2 * canvas.line_height(14) - 1, 0), (2 * canvas.line_height(14), 3)):
        canvas.drawn_texts = []
        panel.draw_ruling(canvas, pygame.Rect(0, 0, 300, height), screen.match, screen.controller.launch_log[0], 1)
        assert len(canvas.drawn_texts) == count, "the caption only with a sentence under it, and its rule"


def test_an_undo_pauses_and_can_be_redone(app: App) -> None:
    recorder = FakeRecorder()
    driver, screen = started_match(app, "human", recorder=recorder)
    driver.key(pygame.K_SPACE)
    driver.wait_for_landings(1)
    table = screen.controller.rules_state
    driver.key(pygame.K_u)
    driver.frames(3)
    assert screen.controller.is_paused
    assert "P goes on" in screen.status_line()
    assert not screen.controller.launch_log
    assert len(screen.controller.rules_state.hands[0]) == 14
    driver.key(pygame.K_u, pygame.KMOD_SHIFT)
    assert screen.controller.rules_state == table
    assert recorder.calls[-2:] == ["undo 1", "turn 2"]


class _SlowPlayer:
    """Player that chooses as another, but only once it may.

    Args:
        player: whose choice it is.
    """

    def __init__(self, player: Any) -> None:
        self._player, self.asked, self.may_choose = player, Event(), Event()

    def choose(self, view: object, choices: object, rng: object) -> object:
        self.asked.set()
        self.may_choose.wait(TIMEOUT)
        return self._player.choose(view, choices, rng)


def _after_a_launch_of_the_person(app: App) -> tuple[IceDriver, IceScreen, _SlowPlayer]:
    """A game against a slow player, who decides, after a launch of the person."""
    match = ice_match("human", "random")
    slow, driver = _SlowPlayer(match.players[1]), IceDriver(app, match)
    screen = driver.start()
    driver.key(pygame.K_SPACE)
    driver.until(lambda: any(isinstance(one.made, Launch) and one.seat == 0 for one in match.turns))
    driver.until(lambda: screen.controller.can_act(0))
    match.players = (None, slow)  # type: ignore[assignment]
    driver.until(slow.asked.is_set)
    return driver, screen, slow


def test_no_launch_is_lost_while_an_undo_waits_for_a_decision(app: App) -> None:
    driver, screen, slow = _after_a_launch_of_the_person(app)
    driver.keys(pygame.K_u, pygame.K_SPACE)
    driver.frames(2)
    assert screen.controller.is_paused
    assert "still being taken back" in screen.note
    slow.may_choose.set()
    driver.until(lambda: screen.controller.can_act(0))
    driver.frames(2)
    assert screen.note == ""
    driver.key(pygame.K_SPACE)
    driver.until(lambda: screen.controller.is_in_flight(0))


def test_an_undo_of_a_launch_that_is_not_played_yet_leaves_the_one_before(app: App) -> None:
    driver, screen, slow = _after_a_launch_of_the_person(app)
    launches = [turn for turn in screen.match.turns if turn.seat == 0 and isinstance(turn.made, Launch)]
    driver.key(pygame.K_SPACE)
    assert not screen.controller.can_act(0)
    driver.key(pygame.K_u)
    slow.may_choose.set()
    driver.until(lambda: screen.controller.can_act(0))
    driver.frames(2)
    assert screen.controller.is_paused
    assert [turn for turn in screen.match.turns if turn.seat == 0 and isinstance(turn.made, Launch)] == launches


def test_an_undo_from_the_replay_takes_turns_of_bots_back(app: App) -> None:
    match = ice_match("random", "random")
    driver = IceDriver(app, match)
    screen = driver.start()
    driver.until(lambda: len(match.turns) > 3)
    screen.undo_to(2)
    driver.until(lambda: len(match.turns) == 2)
    assert screen.controller.is_paused


def test_who_has_to_wait_is_told_why_and_tires_no_hand(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    driver, screen = started_match(app, "human")
    driver.key(pygame.K_SPACE)
    driver.until(lambda: screen.controller.is_in_flight(0))
    driver.key(pygame.K_SPACE)
    assert screen.note.startswith("Wait until")
    driver.until(lambda: screen.controller.can_act(0))
    driver.frames(2)
    assert screen.note == ""
    control = screen.launcher_control
    monkeypatch.setattr(screen.controller, "can_act", lambda _seat: False)
    driver.key(pygame.K_LEFT)
    driver.frames(66, 0.1)
    assert control.gesture_noises[0].hold_time <= 1.5, "that of an aim nobody holds"
    monkeypatch.undo()
    driver.key(pygame.K_LEFT)
    driver.frames(66, 0.1)
    assert control.gesture_noises[0].hold_time > 5.0
    launch = control.intended_launch(0)
    control.copy_launch(0, replace(launch, azimuth=launch.azimuth + 0.2))
    driver.frames(66, 0.1)
    assert control.gesture_noises[0].hold_time <= 1.5


def test_the_best_launch_is_replayed_in_slow_motion(app: App) -> None:
    driver, screen = started_match(app, "human")
    assert screen.best_launch() is None
    driver.key(pygame.K_SPACE)
    driver.wait_for_landings(1)
    while screen.best_launch() is None:  # off the table
        screen.pose.set_strength(0.3)
        screen.launch(0)
        driver.wait_for_landings(len(screen.controller.launch_log) + 1)
    now = screen.controller.time
    driver.key(pygame.K_b)
    assert screen.controller.phase == "show"
    assert "Space: back to the game" in screen.status_line()
    replay = screen.controller.launch_replay
    driver.frames(6)
    assert 0.0 < replay.time < 0.05  # a quarter of true speed
    driver.key(pygame.K_PERIOD)
    assert replay.is_paused
    driver.key(pygame.K_SPACE)
    assert screen.controller.phase == "choose"
    assert screen.controller.time == pytest.approx(now, abs=0.2)  # the game was held meanwhile
    driver.keys(pygame.K_p, pygame.K_b)
    driver.frames(6)
    assert screen.controller.launch_replay.time > 0.0, "it plays although the game is paused"
    assert "P goes on" not in screen.status_line()
    driver.key(pygame.K_SPACE)
    assert screen.controller.is_paused
    assert "P goes on" in screen.status_line()


def test_standing_pieces_are_counted_at_the_end(app: App) -> None:
    driver, screen = started_match(app, "human", left=2)

    def launch() -> None:
        if screen.controller.can_act(0):
            screen.pose.set_strength(0.25)
            screen.launch(0)
        driver.frames(1, 1.0 / 30.0)

    wait_until(lambda: screen.controller.phase == "over", launch)
    end = driver.top(IceEndScreen)
    assert screen.match.scores[0] == screen.match.rules.provisional_points(screen.match.state)[0]  # type: ignore[attr-defined]
    driver.frames(2)
    if screen.best_launch() is not None:
        driver.key(pygame.K_TAB)
        button = next(widget for widget in end.form.widgets if "best" in widget.label)
        driver.click(button.rect.center)
        assert screen.controller.phase == "show"
        screen.controller.resume()
        driver.frames(2)
        assert isinstance(app.top, IceEndScreen)  # the result is shown again afterwards


def test_a_hint_sets_the_launcher_and_shows_dots(app: App) -> None:
    driver, screen = started_match(app, "human", "random")
    driver.key(pygame.K_h)
    driver.until(lambda: screen.hints.scatter is not None and len(screen.hints.scatter.ends) >= 3)
    assert "club player" in screen.note
    driver.key(pygame.K_LEFT)
    assert screen.hints.scatter is None  # another aim


def test_the_view_keeps_its_zoom(app: App) -> None:
    driver, screen = started_match(app, "human", "random")
    zoom = screen.view.camera.zoom
    driver.key(ord("+"), text="+")
    near = screen.view.camera.zoom
    assert near > zoom
    driver.wait_for_landings(1)
    assert screen.view.camera.zoom == near
    driver.key(ord("0"), text="0")
    assert screen.view.camera.zoom == zoom
    driver.key(pygame.K_z)
    driver.frames(10, 0.1)
    assert screen.view.camera.zoom > 1.5 * zoom
    driver.key(pygame.K_z)
    driver.frames(15, 0.1)
    assert screen.view.camera.zoom == pytest.approx(zoom, rel=0.01)


def test_sliders_are_changed_by_mouse_and_by_focus(app: App) -> None:
    driver = IceDriver(app, ice_match("human"))
    screen = driver.ice_screen
    knob = next(knob for knob in screen.sliders if knob.label == "strength")
    driver.click((knob.bar_rect().right - 1, knob.rect.centery))
    assert screen.pose.speed > 5.8
    keys = next(said.rect for said in app.tooltips.drawn_texts if said.source == knob.spec.keys)
    assert keys.right <= knob.bar_rect().x, "the bar covers no key"
    driver.key(pygame.K_TAB)
    assert screen.form.focused is not None
    driver.key(pygame.K_ESCAPE)
    assert isinstance(app.top, PauseScreen), "whatever has the focus"


@pytest.mark.parametrize("steps", [-100, 100])
def test_launches_at_both_ends_of_every_slider(app: App, steps: int) -> None:
    screen = IceDriver(app, ice_match("human")).ice_screen
    for knob in screen.sliders:
        knob.handle_wheel(steps)
        assert screen.launcher_control.intended_launch(screen.seat) is not None, knob.label


def test_the_value_map_is_refused_in_a_simultaneous_game(app: App) -> None:
    driver = IceDriver(app, ice_match("random", "random"))
    driver.key(pygame.K_F8)
    assert app.notice.text == "No map is shown while all launch at once."


def test_a_replay_skips_waiting_turns(app: App) -> None:
    driver, screen = started_match(app, "human", "human")
    screen.launch(0)
    screen.launch(1)
    driver.wait_for_landings(2)
    flights = screen.controller.visible.flights
    assert flights[0].start == pytest.approx(flights[1].start, abs=0.01)
    turns = list(screen.match.turns)
    assert any(isinstance(turn.made, Wait) for turn in turns)
    screen.open_menu()
    replay = driver.show(replay_screen(app, screen.match.game, turns), 2)
    assert all(isinstance(turn.result, VolleyTrajectory) and turn.result.trajectories for turn in replay.turns)
    assert "medium 1" in replay.list.lines[0]
    driver.key(pygame.K_z)
    driver.frames(2)
    assert replay.is_animating
    driver.frames(40, 0.1)
    assert replay.view.camera.zoom > 1.1 * replay.view.whole_camera.zoom, "it follows what comes down"
    assert "LAUNCHES 1–2 OF 2 " in driver.screen_text()
    buttons = [one.label for one in replay.form.widgets if isinstance(one, Button)]
    assert "Next launch" in buttons
    assert not [label for label in buttons if "turn" in label.lower()]
    driver.key(pygame.K_SPACE)
    driver.frames(4)
    assert 0.0 < replay.playback.time < replay.playback.duration
    driver.keys(pygame.K_RIGHT, pygame.K_F7)
    assert replay.analysis.position.is_bar_visible, "launches are weighed as flicks are"
    assert {"A", "F7   F8", "N   V"} <= {row.label for row in replay.keys.bindings}
    driver.show(replay_screen(app, screen.match.game, turns[:1]), 2)  # nothing has come down yet


def test_launches_of_another_game_are_replayed_without_what_only_states_of_ice_tell(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a game is shown by its scenes alone; a launch without a time was looked up in the state of Ice."""
    match = ice_match("random", "random")
    while not isinstance((turn := match.play(match.ask_player())).made, Launch):
        pass
    monkeypatch.setattr(match.game.rules, "scores", lambda _: (3, 0))
    states = {name: SimpleNamespace(scene=getattr(turn, name).scene) for name in ("before", "after")}
    other = dataclasses.replace(turn, made=replace(turn.made, time=None), **states)
    drive.show(replay_screen(app, match.game, [other]), 2)
    assert "3" in drive.screen_text().split(), "its own points"


def test_the_launch_that_comes_down_is_analysed_not_one_made_meanwhile(app: App, drive: Driver) -> None:
    match = ice_match("random", "random", "random")
    turns = list(islice(match.run(), 30))
    replay, crossed = drive.show(replay_screen(app, match.game, turns)), 0
    for index, turn in enumerate(replay.turns):
        replay.list.select(index)
        app.run_frame(0.02)
        landed = [trajectory.launch.piece for trajectory in turn.result.trajectories]
        assert replay.action_turn.made.piece in landed
        assert replay.action_turn.number <= turn.number
        crossed += turn.meant.piece not in landed
    assert crossed, "another seat launched before a missile came down"


def test_launches_are_counted_alike_in_list_heading_and_analysis(drive: Driver, workers: list[FakeWorker]) -> None:
    """A turn in which several come down counted once in the list, and loads counted in the analysis' progress."""
    match = ice_match("random", "random", "random", left=3)
    turns = list(match.run())
    launches = sum(isinstance(turn.made, Launch) for turn in turns)
    assert launches < len(turns), "the record has a line for what is stacked, too"
    replay = drive.show(replay_screen(drive.app, match.game, turns))
    numbers = [line.partition(".")[0].split("–") for line in replay.list.lines]
    ends = [int(number[-1]) for number in numbers]
    landed = [len(turn.result.trajectories) for turn in replay.turns]
    assert max(landed) > 1
    assert ends == list(accumulate(landed))
    assert ends[-1] == launches
    assert [int(number[0]) for number in numbers] == [end - many + 1 for end, many in zip(ends, landed, strict=True)]
    for many in (1, max(landed)):
        index = landed.index(many)
        replay.list.select(index)
        heading = f"{'launch' if many == 1 else 'launches'} {'–'.join(numbers[index])} of {launches} ".upper()
        assert heading in drive.screen_text()
    drive.key(pygame.K_a)
    workers[-1].shots_done = 1
    assert replay.analysis.game.status_text == f"0 of {launches} launches, 1 shots"
    drive.show(IceEndScreen(drive.app, match, None, lambda: None))
    assert {"Look through the launches", "Share"} <= {widget.label for widget in drive.app.top.form.widgets}
    drive.frames(2)
    note = next(said.rect for said in drive.app.tooltips.drawn_texts if said.source.startswith("Upright counts"))
    gap = drive.app.top.form.widgets[0].rect.y - note.bottom
    assert 0 < gap < 60 * drive.app.scale, "few buttons leave no hole above them"


@pytest.mark.parametrize("size", [(800, 600), (1600, 1000)])
def test_widgets_do_not_overlap_at_any_size(app: App, size: tuple[int, int]) -> None:
    pygame.display.set_mode(size)
    _, screen = started_match(app, "human", "human", "human", "human", "human", "random")
    rects = [widget.rect for widget in screen.form.widgets]
    assert all(not a.colliderect(b) for k, a in enumerate(rects) for b in rects[:k])
    assert all(pygame.Rect(0, 0, *size).contains(rect) for rect in rects)
    assert all(not rect.colliderect(screen.view.area) for rect in rects)
    assert not screen.view.side_rect.colliderect(screen.view.area)


@pytest.mark.usefixtures("home")
def test_a_saved_game_continues_from_its_last_state(app: App) -> None:
    from flicksim.gui.match import saved_games

    match = ice_match("human", "random")
    match.opening = match.rules.initial_state(match.options, 2, match.streams)
    driver = IceDriver(app, match, saved_games.GameSaver(match, ("human", "random")))
    screen = driver.start()
    screen.launch(0)
    driver.wait_for_landings(3)
    driver.until(lambda: bool(screen.controller.undo_target()))
    count, committed = len(match.turns), {piece for turn in match.turns[:6] for piece in turn.after.committed}
    app.show_main_menu()
    driver.frames(2)
    driver.type("c")
    driver.until(lambda: isinstance(app.top, IceScreen))
    again = driver.top(IceScreen)
    assert 6 <= len(again.match.turns) <= count
    assert committed <= set(again.controller.rules_state.committed) | set(
        again.controller.rules_state.hands[0] + again.controller.rules_state.hands[1]
    )
    assert again.controller.launch_log
    driver.ice_screen = again
    outcome_count = len(again.controller.launch_log)
    driver.wait_for_landings(outcome_count + 1)


@pytest.mark.usefixtures("home")
def test_a_game_cut_off_continues_at_the_time_that_was_recorded_last(app: App) -> None:
    """With a missile in the air the clock went back to when its seat was last at rest."""
    driver, screen = started_match(app, "human", "human")
    driver.until(lambda: screen.controller.time >= 5.0)
    screen.launch(1)
    driver.until(lambda: bool(screen.match.turns) and isinstance(screen.match.turns[-1].made, Launch))
    launched = screen.match.turns[-1].made.time
    assert launched >= 5.0
    assert screen.controller.rules_state.aloft, "it is not down yet"
    again = IceDriver(app, screen.match).ice_screen  # as from its record, the launch having been the last line
    assert again.controller.time == pytest.approx(launched, abs=0.1)
    match = ice_match("human", "human", "random")
    while not match.state.started:
        match.play(Load(piece=match.state.hands[match.to_play][0]))
    for _ in range(3):
        match.play(Wait(until=(5.0, 2.0, 3600.0)[match.to_play]))
    controller = IceDriver(app, match).ice_screen.controller
    assert controller.time == pytest.approx(5.0, abs=0.1), "a bot waits ahead of the clock, and people do not"
    controller.remote_people = frozenset({2})
    controller.start_turn()
    assert controller.time == 3600.0


def test_aims_are_predicted_in_the_background_for_each_person_during_warmup(monkeypatch: pytest.MonkeyPatch) -> None:
    warmup = Warmup("the simulation of pyramids", ready)
    monkeypatch.setattr(Warmup, "is_ready", False)
    scene, launch = samples.launch_sample()
    simulated: list[Launch] = []

    def simulate_and_record(before: PyramidScene, one: Launch, _usual: object) -> LaunchTrajectory:
        simulated.append(one)
        return simulate(before, one)

    monkeypatch.setattr(warmup, "simulate", simulate_and_record)
    predictor = FlightPredictor(scene.surface, scene.kit, warmup)
    assert predictor.predict_now(launch) is None
    aims = [replace(launch, owner=0), replace(launch, owner=1, speed=launch.speed * 0.9)]
    wait_until(lambda: None not in [predictor.prediction(one) for one in aims])
    for one in 20 * aims:
        trajectory = predictor.prediction(one)
        assert trajectory.launch == one
        assert not trajectory.before.pieces
    assert sorted(simulated, key=lambda one: one.owner or 0) == aims


def ready() -> None:
    """Warmup shot that needs no compiled code."""


def test_the_place_of_the_launcher_is_told_in_millimetres() -> None:
    held = next(slider for slider in SLIDERS if slider.name == "held")
    pose = LauncherPose(0, LauncherPlace((0.45, 0.1), pi / 2.0, 0.2))
    texts = [held.format(pose, value) for value in (mm(-111.5), 0.0, mm(15.0))]
    assert texts == ["← 111.5 mm", "middle", "→ 15 mm"]


def test_a_change_of_size_keeps_the_carry() -> None:
    """A strength set by hand for a large missile must not send a small one off the table."""
    grip = LauncherPose(0, LauncherPlace((0.45, 0.1), pi / 2.0, 0.2))
    grip.set_size("large")
    usual = grip.speed
    grip.speed += 0.44
    grip.set_size("small")
    assert grip.speed == pytest.approx(2.9 * (usual + 0.44) / usual)
    grip.reset()
    grip.set_size("medium")
    assert grip.speed == pytest.approx(3.5)


def test_the_prompt_names_all_seats_that_have_not_loaded(app: App) -> None:
    driver = IceDriver(app, ice_match("human", "human", "human"))
    controller = driver.ice_screen.controller
    assert controller.prompt == "Everybody: stack a missile on your launcher."
    driver.key(pygame.K_s)
    assert controller.is_loaded(0)
    assert controller.prompt == "Yellow and Green: stack a missile on your launcher."
    controller.absence_text = "Green is away."  # as the bar of an online game says
    assert controller.prompt == "Green is away."


def test_holding_still_lowers_the_execution_noise(app: App) -> None:
    driver, screen = started_match(app, "human")
    driver.key(pygame.K_LEFT)
    early = screen.launcher_control.shot_spread(0)
    by_speed, by_turn = GRADES["club"].speed_and_azimuth_std(screen.launcher_control.intended_launch(0))
    assert (early.speed, early.azimuth) == pytest.approx(
        (SPREAD_SIGMAS * early.noise_scale * by_speed, SPREAD_SIGMAS * early.noise_scale * by_turn)
    ), "the factor of a launcher in the hand counts once"
    driver.frames(70)
    spread = screen.launcher_control.shot_spread(0)
    assert spread.azimuth < 0.6 * early.azimuth
    driver.key(pygame.K_SPACE)
    driver.until(lambda: any(isinstance(turn.made, Launch) for turn in screen.match.turns))
    turn = next(turn for turn in screen.match.turns if isinstance(turn.made, Launch))
    assert turn.noise.azimuth == pytest.approx(0.8 * GRADES["club"].azimuth, rel=0.1)
    assert turn.made != turn.meant


def test_a_launch_by_the_rhythm_gesture(app: App) -> None:
    app.preferences.gesture = "hold"
    driver, screen = started_match(app, "human")
    driver.down(pygame.K_SPACE)
    driver.frames(36)
    assert not screen.controller.visible.flights
    driver.up(pygame.K_SPACE)
    driver.until(lambda: bool(screen.controller.visible.flights))
    turn = next(turn for turn in screen.match.turns if isinstance(turn.made, Launch))
    assert turn.noise.azimuth == pytest.approx(0.8 * GRADES["club"].azimuth, rel=0.1)


def test_what_is_flicked_or_held_in_the_countdown_counts_as_the_clock_starts(app: App) -> None:
    driver = IceDriver(app, ice_match("human"))
    screen = driver.ice_screen
    control, controller = screen.launcher_control, screen.controller
    screen.launch(0)
    driver.until(lambda: controller.is_counting_down)
    driver.key(pygame.K_SPACE)
    assert "It flies as the clock starts." in driver.screen_text()
    driver.key(pygame.K_ESCAPE)
    assert app.top is screen, "Esc takes it back"
    assert "It flies" not in driver.screen_text()
    driver.until(lambda: controller.time > 0.2)
    assert controller.can_act(0)
    screen.undo()
    driver.until(lambda: not controller.rules_state.started)
    screen.launch(0)
    driver.until(lambda: controller.is_counting_down)
    driver.keys(pygame.K_SPACE, pygame.K_LEFT)
    driver.until(lambda: controller.is_in_flight(0))
    assert controller.visible.flights[0].start < 0.2
    assert "Red aims" not in driver.screen_text(), "one's own flight is seen from the side, not the next aim"
    driver = IceDriver(app, ice_match("human"))
    screen, controller = driver.ice_screen, driver.ice_screen.controller
    screen.launch(0)
    driver.until(lambda: controller.is_counting_down)
    driver.key(pygame.K_SPACE)
    screen.undo()
    driver.frames(5, 0.1)
    assert not controller.is_loaded(0), "an undo takes back what was flicked early, too"
    driver = IceDriver(app, ice_match("human", "human", "human"))
    control, controller = driver.ice_screen.launcher_control, driver.ice_screen.controller
    driver.down(pygame.K_s, pygame.K_DOWN, pygame.K_k)
    driver.until(lambda: controller.is_counting_down)
    driver.up(pygame.K_s, pygame.K_DOWN, pygame.K_k)
    driver.down(pygame.K_DOWN)
    driver.down(pygame.K_k)
    driver.up(pygame.K_k)
    driver.until(lambda: controller.time > 0.2)
    assert list(control.charge_times) == [1], "a key held since the countdown charges"
    flights = [(flight.launch.owner, flight.start < 0.2) for flight in controller.visible.flights]
    assert flights == [(2, True)], "a key pressed and let go in it flicks, one that had loaded does not"
    driver.up(pygame.K_DOWN)
    driver.until(lambda: controller.is_in_flight(1))


def test_the_side_view_stays_with_an_aim_whoever_else_launches(app: App) -> None:
    driver, screen = started_match(app, "human", "random")
    controller = screen.controller

    def others() -> bool:
        return any(one.start <= controller.time < one.rest_time for one in controller.visible.flights_of(1))

    driver.until(others)
    assert controller.time < 3.0
    assert "Red aims" in driver.screen_text()
    driver.until(lambda: controller.time > 4.5 and others())
    assert "Red aims" not in driver.screen_text()
    driver.key(pygame.K_LEFT)
    assert "Red aims" in driver.screen_text()


def test_a_missile_that_came_back_flies_again_at_once_and_then_nobody_is_waited_for(app: App) -> None:
    """Its first flight was taken for the second, which so was in the air for ever: a wait was recorded every frame."""
    driver, screen = started_match(app, "human", "human")
    control, controller = screen.launcher_control, screen.controller
    control.poses[0].set_strength(0.0)
    for count in (1, 2):
        screen.launch(0)
        driver.wait_for_landings(count)
        driver.until(lambda: controller.can_act(0))
    flights = [flight.launch.piece for flight in controller.visible.flights]
    assert len(flights) == 2
    assert len(set(flights)) == 1
    played = len(screen.match.turns)
    driver.frames(30, 0.02)
    assert len(screen.match.turns) == played
    assert all(flight.trajectory is not None for flight in controller.visible.flights)


def test_the_graph_of_the_analysis_counts_as_the_list_does(app: App, drive: Driver, workers: list[FakeWorker]) -> None:
    del workers
    match = ice_match("bot:beginner", "bot:beginner", left=3)
    screen = drive.show(replay_screen(app, match.game, list(match.run())))
    drive.key(pygame.K_a)
    assert screen.turns[-1].number > len(screen.turns)
    counts = [line.partition(".")[0].rpartition("–")[2] for line in screen.list.lines]
    labels = [said.source for said in app.tooltips.drawn_texts if screen.analysis.graph_area.contains(said.rect)]
    assert [text for text in labels if text.isdigit()] == [counts[0], counts[(len(counts) - 1) // 2], counts[-1]]
    assert f"LAUNCH 1 OF {counts[-1]}" in drive.screen_text()
    rect, analysis = screen.analysis.graph_area, screen.analysis.game
    launches = {
        (turn.made.piece, turn.made.speed): turn.number for turn in match.turns if isinstance(turn.made, Launch)
    }
    for index, turn in enumerate(screen.turns):  # a click at a launch shows where it came down
        launch = launch_log.launch_outcomes(turn)[-1].trajectory.launch
        number = launches[launch.piece, launch.speed]
        xs = [x for x in range(rect.x, rect.right) if turn_at(rect, analysis, x, app.scale) == number]
        drive.click((xs[len(xs) // 2], rect.centery))
        assert screen.list.index == index
