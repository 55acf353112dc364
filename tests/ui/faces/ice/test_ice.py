"""Pyramids at the window: all launch at once, by mouse and keys, on one clock."""

from __future__ import annotations

from math import pi
from threading import Event

import pygame
import pytest
from msgspec.structs import replace

from flicksim.base.units import degrees, mm
from flicksim.games.ice.state import Load, Wait
from flicksim.physics import settle
from flicksim.play import Warming
from flicksim.players import GRADES
from flicksim.table import Landing, Landings, Launch, PyramidScene, samples
from flicksim.ui.faces.ice.final import FinalScreen
from flicksim.ui.faces.ice.foresight import Foresight
from flicksim.ui.faces.ice.grip import Grip, Place
from flicksim.ui.faces.ice.review import IceReplay
from flicksim.ui.faces.ice.screen import IceScreen
from flicksim.ui.frame.app import App
from flicksim.ui.frame.help import HelpScreen
from flicksim.ui.match.overlays import PauseScreen
from flicksim.ui.match.starting import quick_seats
from tests.waiting import PATIENCE, until

from ...at_ice import IceHands, ice_match
from ...conftest import Keeper, looked_through


def test_one_loads_and_launches_by_keys(app: App) -> None:
    hands = IceHands(app, ice_match("human"))
    hands.key(pygame.K_3)
    assert hands.ice.grip.size == "large"
    assert "Space" in hands.ice.can()
    hands.key(pygame.K_SPACE)  # I hold it loaded (ITW-2h)
    hands.wait(lambda: hands.ice.course.table.started and hands.ice.course.now >= 0.0)
    turn = hands.ice.match.turns[0]
    assert isinstance(turn.made, Load)
    assert "large" in turn.made.piece
    hands.key(pygame.K_1)
    assert "launched first" in hands.ice.sight.note  # what is stacked
    hands.key(pygame.K_LEFT)
    hands.key(pygame.K_UP)
    hands.key(pygame.K_UP, pygame.KMOD_SHIFT)
    hands.key(pygame.K_d)
    hands.key(pygame.K_w)
    hands.key(pygame.K_e)
    hands.key(pygame.K_RIGHTBRACKET)
    hands.key(pygame.K_SPACE)
    hands.landed(1)
    made = next(turn.meant for turn in hands.ice.match.turns if isinstance(turn.made, Launch))
    assert made.azimuth == pytest.approx(pi / 2.0 + degrees(1.0))
    assert made.speed == pytest.approx(4.455)
    assert made.hold[0] == pytest.approx(0.45 + mm(5.0))
    assert made.slant == pytest.approx(degrees(66.0))
    assert made.height == pytest.approx(mm(4.5))
    assert made.lift == pytest.approx(mm(85.0))
    hands.key(pygame.K_r)
    assert hands.ice.grip.turn == 0.0


def test_the_mouse_draws_back_and_lets_go(app: App) -> None:
    hands = IceHands(app, ice_match("human"))
    screen = hands.begin()
    x, y = screen.view.area.center
    hands.press((x - 100, y))
    hands.move((x - 130, y + 150))
    assert screen.grip.turn < -degrees(5.0)  # down and to the left sends it up and to the right
    hands.press((x, y), button=3)
    assert screen.grip.turn == 0.0  # let be
    hands.release((x, y), button=3)
    hands.press((x - 100, y))
    hands.move((x - 100, y + 60))
    weak = screen.grip.speed
    hands.move((x - 100, y + 160))
    assert screen.grip.speed > weak + 0.5
    hands.release((x - 100, y + 160))
    hands.landed(1)
    assert any(isinstance(turn.made, Launch) for turn in screen.match.turns)


def test_the_right_button_slides_the_launcher_along_its_line(app: App) -> None:
    hands = IceHands(app, ice_match("human"))
    screen = hands.ice
    at = screen.view.camera.to_screen((0.6, 0.07))
    hands.press(at, button=3)
    hands.release(at, button=3)
    assert screen.grip.hold[0] == pytest.approx(0.6, abs=0.003)
    far = screen.view.camera.to_screen((3.0, 0.07))
    hands.press(at, button=3)
    hands.move(far)
    hands.release(far, button=3)
    assert screen.grip.hold[0] < 0.9  # it stays over the stash area (ITW-5b)


def test_three_launch_at_once_each_with_keys_of_their_own(app: App) -> None:
    hands = IceHands(app, ice_match("human", "human", "human"))
    hands.down(pygame.K_w)  # the first takes another size
    hands.up(pygame.K_w)
    hands.down(pygame.K_s, pygame.K_DOWN, pygame.K_k)
    hands.up(pygame.K_s, pygame.K_DOWN, pygame.K_k)
    screen = hands.ice
    hands.wait(lambda: screen.course.table.started and screen.course.now >= 0.0)
    stacked = [turn.made.piece for turn in screen.match.turns if isinstance(turn.made, Load)]
    assert sorted(stacked) == ["green-medium-1", "red-large-1", "yellow-medium-1"]
    hands.down(pygame.K_s, pygame.K_DOWN, pygame.K_k)
    hands.down(pygame.K_LEFT)
    hands.frames(25)
    assert screen.hands.grips[1].turn > degrees(5.0)  # the key is still down
    assert screen.hands.grips[0].turn == 0.0
    hands.up(pygame.K_LEFT, pygame.K_s)
    hands.frames(12)
    hands.up(pygame.K_DOWN, pygame.K_k)
    hands.wait(lambda: len(screen.course.flights) == 3)
    starts = {flight.launch.owner: flight.start for flight in screen.course.flights}
    assert starts[0] < starts[1] == starts[2]
    speeds = {flight.launch.owner: flight.launch.speed for flight in screen.course.flights}
    assert speeds[1] > speeds[0] + 0.3  # held longer
    hands.landed(3)
    landed = [one for turn in screen.match.turns if isinstance(turn.account, Landings) for one in turn.account.landings]
    down = [(one.launch.time or 0.0) + one.down for one in landed]
    assert down == sorted(down)  # they are settled as they come down (ITW-4b)


def test_a_hand_waits_for_its_own_missile_but_not_for_others(app: App) -> None:
    hands = IceHands(app, ice_match("human", "human"))
    screen = hands.begin()
    screen.flick(0)
    hands.wait(lambda: bool(screen.course.flights))
    screen.flick(0)
    assert "at rest" in screen.sight.note  # ITW-4c
    assert screen.course.free(1)
    screen.flick(1)
    hands.wait(lambda: len(screen.course.flights) == 2)
    hands.landed(2)


def test_a_click_on_a_card_gives_the_mouse_to_that_seat(app: App) -> None:
    hands = IceHands(app, ice_match("human", "human", "random"))
    hands.click(hands.ice.places.cards[1].center)
    assert hands.ice.seat == 1
    hands.click(hands.ice.places.cards[2].center)
    assert hands.ice.seat == 1  # a bot's launcher is its own


def test_bots_keep_their_tempo_while_nobody_does_anything(app: App) -> None:
    keeper = Keeper()
    hands = IceHands(app, ice_match("human", "random"), keeper)
    screen = hands.begin()
    hands.landed(2)
    launches = [turn.made for turn in screen.match.turns if isinstance(turn.made, Launch)]
    assert {launch.owner for launch in launches} <= {1, None}
    assert len(launches) >= 2
    hands.wait(lambda: len(keeper.told) == len(screen.match.turns))
    assert screen.course.free(0)


def test_the_window_goes_on_while_something_is_thought_or_settled(app: App) -> None:
    match = ice_match("human", "random")
    hands = IceHands(app, match)
    screen = hands.begin()
    player = match.players[1]
    assert player is not None

    over, thought = Event(), list[bool]()

    class Slow:
        def choose(self, view: object, choices: object, rng: object) -> object:
            thought.append(over.wait(PATIENCE))
            return player.choose(view, choices, rng)  # type: ignore[arg-type]

    match.players = (None, Slow())  # type: ignore[assignment]
    hands.landed(1)
    hands.frames(5)
    screen.undo()
    assert thought == []  # whoever thinks is not waited for
    over.set()


def test_what_is_taken_back_is_held_and_can_be_done_again(app: App) -> None:
    keeper = Keeper()
    hands = IceHands(app, ice_match("human"), keeper)
    screen = hands.begin()
    hands.key(pygame.K_SPACE)
    hands.landed(1)
    table = screen.course.table
    hands.key(pygame.K_u)
    hands.frames(3)
    assert screen.course.paused
    assert "P goes on" in screen.can()
    assert not screen.course.log_lines
    assert len(screen.course.table.hands[0]) == 14
    hands.key(pygame.K_u, pygame.KMOD_SHIFT)
    assert screen.course.table == table
    assert keeper.told[-2:] == ["undo 1", "turn 2"]


def test_why_one_cannot_launch_is_said_only_as_long_as_one_cannot(app: App) -> None:
    hands = IceHands(app, ice_match("human"))
    screen = hands.begin()
    hands.key(pygame.K_SPACE)
    hands.wait(lambda: screen.course.flying(0))
    hands.key(pygame.K_SPACE)
    assert screen.sight.note.startswith("Wait until")
    hands.wait(lambda: screen.course.free(0))
    hands.frames(2)
    assert screen.sight.note == ""


def test_the_best_launch_is_shown_again_slowly(app: App) -> None:
    hands = IceHands(app, ice_match("human"))
    screen = hands.begin()
    assert screen.finest() is None
    hands.key(pygame.K_SPACE)
    hands.landed(1)
    while screen.finest() is None:  # off the table
        screen.grip.charge(0.3)
        screen.flick(0)
        hands.landed(len(screen.course.log_lines) + 1)
    now = screen.course.now
    hands.key(pygame.K_b)
    assert screen.course.stage == "show"
    assert "Space: back to the game" in screen.can()
    reel = screen.course.reel
    assert reel is not None
    hands.frames(6)
    assert 0.0 < reel.t < 0.05  # a quarter of true speed
    hands.key(pygame.K_PERIOD)
    assert reel.paused
    hands.key(pygame.K_SPACE)
    assert screen.course.stage == "choose"
    assert screen.course.now == pytest.approx(now, abs=0.2)  # the game was held meanwhile


def test_at_the_end_what_stands_is_counted(app: App) -> None:
    hands = IceHands(app, ice_match("human", left=2))
    screen = hands.begin()

    def launch() -> None:
        if screen.course.free(0):
            screen.grip.charge(0.25)
            screen.flick(0)
        hands.frames(1, 1.0 / 30.0)

    until(lambda: screen.course.stage == "over", launch)
    end = app.top
    assert isinstance(end, FinalScreen)
    assert screen.match.scores[0] == screen.match.rules.standing(screen.match.state)[0]  # type: ignore[attr-defined]
    hands.frames(2)
    if screen.finest() is not None:
        hands.key(pygame.K_TAB)
        button = next(widget for widget in end.form.widgets if "best" in widget.label)
        hands.click(button.rect.center)
        assert screen.course.stage == "show"
        screen.course.go_on()
        hands.frames(2)
        assert isinstance(app.top, FinalScreen)  # the result is shown again afterwards


def test_a_hint_takes_the_launcher_in_hand_and_shows_dots(app: App) -> None:
    hands = IceHands(app, ice_match("human", "random"))
    screen = hands.begin()
    hands.key(pygame.K_h)
    hands.wait(lambda: screen.cloud is not None and len(screen.cloud.ends) >= 3)
    assert "club player" in screen.sight.note
    hands.key(pygame.K_LEFT)
    assert screen.cloud is None  # another aim


def test_the_view_stays_as_it_was_zoomed(app: App) -> None:
    hands = IceHands(app, ice_match("human", "random"))
    screen = hands.begin()
    zoom = screen.view.camera.zoom
    hands.key(ord("+"), text="+")
    near = screen.view.camera.zoom
    assert near > zoom
    hands.landed(1)
    assert screen.view.camera.zoom == near
    hands.key(ord("0"), text="0")
    assert screen.view.camera.zoom == zoom
    hands.key(pygame.K_z)
    hands.frames(60)
    assert screen.view.camera.zoom > 1.5 * zoom
    hands.key(pygame.K_z)
    hands.frames(90)
    assert screen.view.camera.zoom == pytest.approx(zoom, rel=0.01)


def test_the_numbers_turn_by_mouse_and_by_focus(app: App) -> None:
    hands = IceHands(app, ice_match("human"))
    screen = hands.ice
    knob = next(knob for knob in screen.knobs if knob.label == "strength")
    hands.click((knob.bar().right - 1, knob.rect.centery))
    assert screen.grip.speed > 5.8
    hands.key(pygame.K_TAB)
    assert screen.form.focused is not None
    hands.key(pygame.K_ESCAPE)
    assert isinstance(app.top, PauseScreen), "whatever has the focus"


@pytest.mark.parametrize("steps", [-100, 100])
def test_every_number_can_be_turned_to_its_end_and_launched(app: App, steps: int) -> None:
    screen = IceHands(app, ice_match("human")).ice
    for knob in screen.knobs:
        knob.wheel(steps)
        assert screen.hands.meant(screen.seat) is not None, knob.label


def test_help_tells_the_keys_of_this_table_and_its_rules(app: App) -> None:
    hands = IceHands(app, ice_match("human", "human"))
    hands.key(0, text="?")
    top = app.top
    assert isinstance(top, HelpScreen)
    words = " ".join(f"{line.word} {line.says}" for page in top.pages.values() for line in page)
    for found in ("person 2: aim", "ITW-4c", "take back", "launcher's base, from below"):
        assert found in words
    assert "squop" not in words


def test_where_all_launch_at_once_the_map_is_refused_in_a_sentence(app: App) -> None:
    hands = IceHands(app, ice_match("random", "random"))
    hands.key(pygame.K_F8)
    assert app.notice == "No map is shown while all launch at once."


def test_a_finished_game_is_looked_through_without_those_who_waited(app: App) -> None:
    hands = IceHands(app, ice_match("human", "human"))
    screen = hands.begin()
    screen.flick(0)
    screen.flick(1)
    hands.landed(2)
    assert screen.course.flights[0].start == pytest.approx(screen.course.flights[1].start, abs=0.01)
    turns = list(screen.match.turns)
    assert any(isinstance(turn.made, Wait) for turn in turns)
    screen.menu()
    replay = looked_through(app, screen.match.game, turns)
    assert isinstance(replay, IceReplay)
    app.show(replay)
    hands.frames(2)
    assert all(isinstance(turn.account, Landings) and turn.account.landings for turn in replay.turns)
    assert "medium 1" in replay.list.lines[0]
    assert replay.playback is not None
    hands.key(pygame.K_SPACE)
    hands.frames(4)
    assert 0.0 < replay.playback.t < replay.playback.length
    hands.key(pygame.K_RIGHT)
    hands.key(pygame.K_F7)
    assert replay.insight.bar, "launches are weighed as flicks are"
    assert {"A", "F7   F8", "N   V"} <= {row.shown for row in replay.keys.rows}
    app.show(looked_through(app, screen.match.game, turns[:1]))  # nothing has come down yet
    hands.frames(2)


@pytest.mark.parametrize("size", [(800, 600), (1600, 1000)])
def test_nothing_overlaps_at_any_size(app: App, size: tuple[int, int]) -> None:
    pygame.display.set_mode(size)
    hands = IceHands(app, ice_match("human", "human", "human", "human", "human", "random"))
    screen = hands.begin()
    rects = [widget.rect for widget in screen.form.widgets]
    assert all(not a.colliderect(b) for k, a in enumerate(rects) for b in rects[:k])
    assert all(pygame.Rect(0, 0, *size).contains(rect) for rect in rects)
    assert all(not rect.colliderect(screen.view.area) for rect in rects)
    assert not screen.view.side.colliderect(screen.view.area)


def test_a_quick_game_has_somebody_to_play_against() -> None:
    from flicksim.games import load

    assert quick_seats(load("ice"), "club") == ("human", "bot:club")


@pytest.mark.usefixtures("home")
def test_a_game_that_was_left_goes_on_where_it_stood(app: App) -> None:
    from flicksim.ui.match import kept_games

    match = ice_match("human", "random")
    match.opening = match.rules.start(match.options, 2, match.seeds)
    hands = IceHands(app, match, kept_games.Kept(match, ("human", "random")))
    screen = hands.begin()
    screen.flick(0)
    hands.landed(3)
    hands.wait(lambda: bool(screen.course.undo_to()))
    count, committed = len(match.turns), {piece for turn in match.turns[:6] for piece in turn.after.committed}
    app.home()
    hands.frames(2)
    hands.type("c")
    hands.wait(lambda: isinstance(app.top, IceScreen))
    again = app.top
    assert isinstance(again, IceScreen)
    assert 6 <= len(again.match.turns) <= count
    assert committed <= set(again.course.table.committed) | set(
        again.course.table.hands[0] + again.course.table.hands[1]
    )
    assert again.course.log_lines
    hands.ice = again
    told = len(again.course.log_lines)
    hands.landed(told + 1)


def test_while_the_compiler_is_at_work_the_aim_is_foreseen_beside_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    warming = Warming("the flight of pyramids", ready, ("space/*",), "advance.advance")
    monkeypatch.setattr(Warming, "ready", False)
    scene, launch = samples.launch()
    monkeypatch.setattr(warming, "settle", lambda before, made, _usual: settle(before, made))
    foresight = Foresight(scene.surface, scene.kit, warming)
    assert foresight.at_once(launch) is None
    until(lambda: foresight.of(launch) is not None)
    came = foresight.of(launch)
    assert came is not None
    assert came.down == settle(PyramidScene(surface=scene.surface, kit=scene.kit), launch).down


def test_each_of_several_people_has_the_flight_of_their_own_aim(monkeypatch: pytest.MonkeyPatch) -> None:
    warming = Warming("the flight of pyramids", ready, ("space/*",), "advance.advance")
    monkeypatch.setattr(Warming, "ready", False)
    scene, launch = samples.launch()
    made: list[Launch] = []

    def settled(before: PyramidScene, one: Launch, _usual: object) -> Landing:
        made.append(one)
        return settle(before, one)

    monkeypatch.setattr(warming, "settle", settled)
    foresight = Foresight(scene.surface, scene.kit, warming)
    aims = [replace(launch, owner=0), replace(launch, owner=1, speed=launch.speed * 0.9)]
    until(lambda: None not in [foresight.of(one) for one in aims])
    for _ in range(20):
        for one in aims:
            came = foresight.of(one)
            assert came is not None
            assert came.launch == one
    assert sorted(made, key=lambda one: one.owner or 0) == aims


def ready() -> None:
    """Nothing has to be made ready."""


def test_another_size_is_sent_as_far_as_the_one_before() -> None:
    """A strength set by hand for a large missile must not send a small one off the table."""
    grip = Grip(0, Place((0.45, 0.1), pi / 2.0, 0.2, ()))
    grip.take("large")
    usual = grip.speed
    grip.push(0.44)
    grip.take("small")
    assert grip.speed == pytest.approx(2.9 * (usual + 0.44) / usual)
    grip.reset()
    grip.take("medium")
    assert grip.speed == pytest.approx(3.5)


def test_what_is_due_names_everybody_who_has_still_to_stack(app: App) -> None:
    hands = IceHands(app, ice_match("human", "human", "human"))
    course = hands.ice.course
    assert course.says == "Everybody: stack a missile on your launcher."
    hands.key(pygame.K_s)
    assert course.loaded(0)
    assert course.says == "Yellow and Green: stack a missile on your launcher."


def test_alone_one_is_not_everybody(app: App) -> None:
    hands = IceHands(app, ice_match("human"))
    hands.key(pygame.K_SPACE)
    hands.wait(lambda: hands.ice.course.table.started)
    assert "Everybody" not in hands.ice.course.says


def test_a_launcher_held_still_is_launched_more_surely(app: App) -> None:
    hands = IceHands(app, ice_match("human"))
    screen = hands.begin()
    hands.key(pygame.K_LEFT)
    early = screen.hands.spread(0)
    hands.frames(70)
    calm = screen.hands.spread(0)
    assert early is not None
    assert calm is not None
    assert calm.turn < 0.6 * early.turn
    hands.key(pygame.K_SPACE)
    hands.wait(lambda: any(isinstance(turn.made, Launch) for turn in screen.match.turns))
    turn = next(turn for turn in screen.match.turns if isinstance(turn.made, Launch))
    assert turn.hand.azimuth == pytest.approx(0.8 * GRADES["club"].azimuth, rel=0.1)
    assert turn.made != turn.meant


def test_a_launch_to_the_rhythm(app: App) -> None:
    app.preferences.gesture = "hold"
    hands = IceHands(app, ice_match("human"))
    screen = hands.begin()
    hands.down(pygame.K_SPACE)
    hands.frames(36)
    assert not screen.course.flights
    hands.up(pygame.K_SPACE)
    hands.wait(lambda: bool(screen.course.flights))
    turn = next(turn for turn in screen.match.turns if isinstance(turn.made, Launch))
    assert turn.hand.azimuth == pytest.approx(0.8 * GRADES["club"].azimuth, rel=0.1)
