"""At the table: aiming, flicking, deciding, watching, taking back, ending."""

from math import degrees
from types import SimpleNamespace

import pygame
import pytest

from flicksim.ai import GRADES, NO_NOISE
from flicksim.core.errors import InvalidFile
from flicksim.gui.app import App
from flicksim.gui.board_view.board_screen import BoardScreen
from flicksim.gui.match.overlays import ConfirmScreen, EndScreen, PauseScreen
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.table_view import effects, shot_painter
from flicksim.gui.toolkit import translation
from flicksim.match import Turn
from flicksim.scene import Flick

from ..conftest import Driver, FakeRecorder, match_screen, penny_white_match


def _sit(app: App, drive: Driver, *seats: str, recorder: FakeRecorder | None = None, **options: object) -> BoardScreen:
    return drive.show(match_screen(app, penny_white_match(*(seats or ("human", "human")), **options), recorder))


def _straight(piece: str, speed: float, x: float = 0.15) -> Flick:
    return Flick(piece=piece, speed=speed, azimuth=1.5707963, start=(x, 0.03985))


def test_a_flick_is_aimed_and_played_by_keys(app: App, drive: Driver) -> None:
    table = _sit(app, drive)
    aim = table.aim_controller.aim
    speed, x = aim.speed, aim.contact_point[0]
    drive.key(pygame.K_UP)
    drive.key(pygame.K_UP, pygame.KMOD_SHIFT)
    drive.key(pygame.K_RIGHT)
    drive.key(pygame.K_LEFT, pygame.KMOD_SHIFT)
    drive.key(pygame.K_d)
    drive.key(pygame.K_UP, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    drive.keys(pygame.K_q, pygame.K_SPACE)
    drive.wait_for_phase("show")
    made = table.match.turns[0].made
    meant = table.match.turns[0].meant
    assert degrees(meant.azimuth) == pytest.approx(91.1)
    assert meant.speed == pytest.approx(speed + 0.045)
    assert meant.offset == pytest.approx(0.05)
    assert made.start[0] == pytest.approx(x + 0.0018)
    assert made.azimuth != meant.azimuth
    drive.wait_for_phase("choose")
    assert table.match.turns[0].seat == 0


def test_the_start_stays_in_its_zone_and_a_pull_is_cancelled_or_flicks_the_other_way(app: App, drive: Driver) -> None:
    table = _sit(app, drive)
    for _ in range(100):
        drive.key(pygame.K_a)
    aim = table.aim_controller.aim
    assert aim.contact_point[0] == 0.0
    drive.key(pygame.K_r)
    assert table.aim_controller.aim.contact_point[0] == pytest.approx(0.15)
    aim = table.aim_controller.aim
    drive.press(table.view.camera.to_screen(aim.contact_point))
    drive.move(table.view.camera.to_screen((0.08, 0.3)))
    drive.release(table.view.camera.to_screen((0.08, 0.3)))
    assert aim.contact_point == pytest.approx((0.08, 0.03985), abs=1e-3)
    assert not table.match.turns
    before = table.aim_controller.aim.shot if table.aim_controller.aim else None
    at = table.view.camera.to_screen((0.1, 0.3))
    for stop in (lambda: drive.key(pygame.K_ESCAPE), lambda: drive.press(at, 3)):
        drive.press(at)
        drive.move((at[0] + 30, at[1] + 90))
        stop()
        drive.release((at[0] + 30, at[1] + 90))
        assert table.aim_controller.aim.shot == before
    assert app.top is table
    assert not table.match.turns
    x, y = table.view.camera.to_screen((0.15, 0.4))
    drive.press((x, y))
    drive.move((x - 100, y))
    aim = table.aim_controller.aim
    assert degrees(aim.azimuth) == pytest.approx(90.0)
    weak = aim.speed
    drive.move((x - 160, y))
    assert aim.speed > weak
    drive.release((x - 160, y))
    drive.wait_for_phase("show")
    assert degrees(table.match.turns[0].meant.azimuth) == pytest.approx(90.0)
    assert table.match.turns[0].meant.speed == pytest.approx((160 - 10) / 290 * 3.0)


@pytest.mark.parametrize("first", ["human", "bot:beginner"])
def test_the_spread_lies_under_the_pieces(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch, first: str) -> None:
    table, drawn = _sit(app, drive, first, "human"), list[str]()
    drive.until(lambda: table.controller.phase == "choose" or table.controller.bot_action is not None)
    for module in (shot_painter, effects):  # a player's, a bot's
        monkeypatch.setattr(module, "draw_spread", lambda *_: drawn.append("spread"))
    monkeypatch.setattr(shot_painter, "draw_distance_beyond", lambda *_: drawn.append("note"))
    monkeypatch.setattr(table.view.painter, "draw_pieces", lambda *_, **__: drawn.append("pieces"))
    drive.frames()
    assert drawn == ["spread", "pieces", *(["note"] if first == "human" else [])], "a note over them can be read"


def test_noise_is_least_after_a_second_of_holding(app: App, drive: Driver) -> None:
    table = _sit(app, drive)
    drive.key(pygame.K_UP)
    hasty = table.shot_spread
    drive.frames(60)
    calm = table.shot_spread
    drive.frames(50, 0.1)
    tired = table.shot_spread
    assert calm.azimuth < tired.azimuth <= hasty.azimuth
    assert table.gesture_noise.spread_text(GRADES["club"]) == "±4.8°, ±5 %"
    drive.key(pygame.K_UP)
    drive.frames(61)
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("show")
    turn = table.match.turns[0]
    assert turn.noise == GRADES["club"].scaled(0.8)
    assert turn.made == turn.noise.execute(turn.meant, table.match.streams.spawn("hand", 1).generator())


def test_without_noise_the_stopping_point_is_shown(app: App, drive: Driver) -> None:
    app.preferences.hand = "steady"
    table = _sit(app, drive)
    drive.frames(3)
    assert table.shot_spread is None
    assert table.gesture_noise.spread_text(NO_NOISE) == "exact"
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("show")
    assert table.match.turns[0].made == table.match.turns[0].meant


def test_the_white_is_placed_by_keys_and_by_mouse(app: App, drive: Driver) -> None:
    table = _sit(app, drive, jack_mode="beginner")
    assert len(table.decisions) == 10  # 565 to 610 mm by fives: 575 is among them
    drive.keys(pygame.K_DOWN, pygame.K_RETURN)
    drive.wait_for_phase("choose")
    assert table.match.state.scene.piece("white").y == pytest.approx(0.58)
    drive.key(pygame.K_u)
    spot = table.decisions[2].placed_piece
    drive.click(table.view.camera.to_screen(spot.position))
    drive.wait_for_phase("choose")
    assert table.match.state.scene.piece("white").y == pytest.approx(spot.y)


def _to_removal(table: BoardScreen, drive: Driver) -> None:
    """Red flicks a penny of Blue off the board, so that Blue may remove one of Red's."""
    for flick in (
        _straight("white", 1.45),
        _straight("blue-1", 1.0, 0.02),
        _straight("red-1", 1.3, 0.25),
        _straight("blue-2", 0.6),
        _straight("red-2", 3.0, 0.02),
    ):
        assert table.controller.perform(flick), table.controller.error
        drive.wait_for_phase("show")
        drive.key(pygame.K_f)
        drive.wait_for_phase("choose")


def test_removals_are_decided_on_the_board_or_in_the_list(app: App, drive: Driver) -> None:
    table = _sit(app, drive)
    _to_removal(table, drive)
    assert [decision.piece_id for decision in table.decisions][-1] is None
    assert "declines" in table.decisions[-1].text
    drive.frames()
    choices, told = drive.widget("Decide").rect, table.decisions[0].text
    assert drive.widget("Decide").visible_rows == len(table.decisions) == 3
    assert not choices.colliderect(drive.button("Do it").rect)
    lines = [line.rect for line in app.tooltips.drawn_texts if line.source in told and " " in line.source]
    assert lines
    assert choices.collidelist(lines) == -1, "the list covers what a choice does"
    chosen = table.decisions[0].piece_id
    drive.click(table.view.camera.to_screen(table.match.state.scene.piece(chosen).position))
    drive.wait_for_phase("choose")
    assert not table.match.state.scene.has(chosen)
    drive.key(pygame.K_u)
    assert table.match.state.scene.has(chosen)
    drive.keys(pygame.K_END, pygame.K_RETURN)
    drive.wait_for_phase("choose")
    assert table.match.state.scene.has(chosen)
    assert table.match.turns[-1].made.penny is None


def test_a_forbidden_flick_is_refused_and_points_wait_until_they_have_been_read(app: App, drive: Driver) -> None:
    table = _sit(app, drive)
    assert not table.controller.perform(Flick(piece="white", speed=1.0, azimuth=1.5, start=(0.15, 0.2)))
    assert "PW-5a" in table.controller.error
    assert table.controller.phase == "choose"
    assert table.controller.perform(Flick(piece="white", speed=0.5, azimuth=1.57, start=(0.15, 0.03985)))
    drive.wait_for_phase("hold")
    drive.frames(100, 0.1)
    assert table.controller.is_waiting
    drive.key(pygame.K_SPACE)
    assert table.controller.phase == "choose"
    assert table.match.scores == (0, 1)


def test_playback_pauses_steps_slows_and_skips(app: App, drive: Driver) -> None:
    table = _sit(app, drive)
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("show")
    playback = table.controller.playback
    assert "P pauses" in table.status_line()
    drive.key(pygame.K_p)
    assert "P goes on" in table.status_line()
    stood = playback.time
    drive.frames(5)
    assert playback.time == stood
    drive.key(pygame.K_PERIOD)
    assert playback.time == pytest.approx(stood + 1 / 60)
    drive.key(pygame.K_COMMA)
    assert playback.time == pytest.approx(stood)
    drive.key(pygame.K_s)
    assert playback.speed == 0.25
    drive.key(pygame.K_p)
    now = playback.time
    drive.frames(4)
    assert playback.time == pytest.approx(now + 4 / 60 * 0.25)
    drive.key(pygame.K_f)
    drive.wait_for_phase("choose")
    assert table.controller.playback is None


def test_undo_takes_back_to_the_last_human_decision(app: App, drive: Driver) -> None:
    recorder = FakeRecorder()
    table = _sit(app, drive, "human", "bot:beginner", recorder=recorder)
    drive.key(pygame.K_u)
    assert recorder.calls == []
    for flick in (_straight("white", 1.45), _straight("blue-1", 1.2)):
        assert table.controller.perform(flick)
        drive.wait_for_phase("choose")
    assert [turn.seat for turn in table.match.turns] == [0, 0, 1]
    drive.key(pygame.K_u)
    assert len(table.match.turns) == 1
    assert table.controller.phase == "choose"
    assert recorder.calls == ["turn 1", "turn 2", "turn 3", "undo 1"]


def test_undo_while_the_bot_thinks_or_its_flick_is_shown(app: App, drive: Driver) -> None:
    table = _sit(app, drive, "human", "bot:club")
    assert table.controller.perform(_straight("white", 1.45))
    drive.wait_for_phase("choose")
    assert table.controller.perform(_straight("blue-1", 1.2))
    drive.wait_for_phase("think", dt=0.05)
    drive.key(pygame.K_u)
    assert (len(table.match.turns), table.controller.phase) == (1, "choose")
    assert table.controller.perform(_straight("blue-1", 1.25))
    drive.wait_for_phase("choose")
    assert len(table.match.turns) == 3


def test_a_hint_sets_the_aim(app: App, drive: Driver) -> None:
    table = _sit(app, drive)
    before = table.aim_controller.aim.shot if table.aim_controller.aim else None
    drive.key(pygame.K_h)
    drive.until(lambda: table.hints.request is None)
    assert table.aim_controller.aim.shot != before
    assert "So a club player would aim. The idea: " in drive.screen_text()


def test_the_end_shows_the_result_and_the_replay(app: App, drive: Driver) -> None:
    _sit(app, drive, "random", "random", ends=1, pennies=1)
    drive.until(lambda: isinstance(app.top, EndScreen), 0.1)
    end = drive.top(EndScreen)
    assert end.match.is_over
    labels = [button.label for button in end.form.widgets]
    assert labels == ["Look through the turns", "Analyse the game", "Look at the table", "Watch the best shot", "Share",
                      "Main menu", "Quit"]  # fmt: skip
    assert [label for label, _ in end.statistics] == ["Shots", "Touched another", "Off the aim, on average"]
    for late in (pygame.K_SPACE, pygame.K_RETURN):
        drive.key(late)
    assert app.top is end  # nothing is pressed that nobody has gone to
    assert "Enter presses" not in end.status_line()
    assert not any(button.is_primary for button in end.form.widgets)
    drive.keys(pygame.K_UP, pygame.K_RETURN)
    assert isinstance(app.top, ConfirmScreen)  # "Quit" asks
    drive.keys(pygame.K_ESCAPE, pygame.K_DOWN, pygame.K_RETURN)
    assert isinstance(app.top, ReplayScreen)
    drive.key(pygame.K_ESCAPE)
    assert app.top is end
    drive.key(pygame.K_v)  # away with the card, to look at the table
    assert app.top is drive.top_screen
    assert "Space: the result" in app.top.status_line()
    drive.frames(5)
    assert app.top is drive.top_screen
    drive.key(pygame.K_SPACE)
    drive.frames(2)
    assert isinstance(app.top, EndScreen)
    drive.key(pygame.K_a)
    assert isinstance(app.top, ReplayScreen)
    assert app.top.analysis.game is not None
    assert not any(app.top.notice_area.colliderect(one.rect) for one in app.top.form.widgets)
    shown = range(app.top.list.first_visible, app.top.list.first_visible + app.top.list.visible_rows)
    assert app.top.list.index in shown
    drive.key(pygame.K_ESCAPE)
    drive.key(pygame.K_b)  # the best shot, to be watched again
    assert isinstance(app.top, ReplayScreen)
    assert app.top.list.index == end.best_shot
    assert not app.top.playback.is_paused


def test_tab_goes_through_the_buttons_and_back_to_the_board(app: App, drive: Driver) -> None:
    table = _sit(app, drive)
    seen = []
    for _ in range(6):
        drive.key(pygame.K_TAB)
        focused = table.form.focused
        seen.append(focused.label if focused else "board")
    assert seen == ["Flick", "Hint", "Help", "Hide panels", "Menu", "board"]
    drive.key(pygame.K_TAB, pygame.KMOD_SHIFT)
    drive.key(pygame.K_RETURN)
    assert isinstance(app.top, PauseScreen)


@pytest.mark.parametrize("size", [(800, 600), (1280, 800), (2560, 1440), (3840, 2160)])
def test_the_window_can_have_any_size(app: App, drive: Driver, size: tuple[int, int]) -> None:
    table = _sit(app, drive)
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1]))
    drive.frames(2)
    assert app.size == size
    widgets = table.form.widgets
    window = pygame.Rect((0, 0), size)
    assert all(window.contains(widget.rect) for widget in widgets)
    assert all(not a.rect.colliderect(b.rect) for k, a in enumerate(widgets) for b in widgets[:k])
    board = [table.view.camera.to_screen(p) for p in table.match.state.scene.surface.outline]
    assert all(table.view.area.collidepoint(p) for p in board)
    assert "45 cm line" in [said.text for said in app.tooltips.drawn_texts], "the scale of the power is not cut"


def test_the_window_may_close_in_mid_shot_and_mid_thought(app: App, drive: Driver) -> None:
    table = _sit(app, drive, "human", "bot:world")
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("show")
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert app.run() == 0
    assert len(table.match.turns) == 1
    assert not pygame.display.get_init()


def test_a_full_disk_does_not_end_the_game(app: App, drive: Driver) -> None:
    class Full(FakeRecorder):
        def write_turn(self, turn: Turn) -> None:
            raise InvalidFile(f"cannot write turn {turn.number}: no space left")

    _sit(app, drive, recorder=Full())
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("choose")
    assert "no space left" in drive.screen_text()


def test_toggling_rulers_changes_neither_aim_nor_noise(app: App, drive: Driver) -> None:
    table = _sit(app, drive)
    drive.key(pygame.K_RIGHT)
    drive.frames(50)
    meant, held = table.aim_controller.intended_shot, table.gesture_noise.hold_time
    bare = pygame.image.tobytes(app.surface.subsurface(table.view.unobstructed), "RGB")
    drive.key(pygame.K_F5)
    assert table.view.has_rulers
    heights = [y for _, y in table.view.camera.points_to_screen(table.match.state.scene.surface.outline)]
    area, room = table.view.unobstructed, 30.0 * app.scale
    assert area.top + room < min(heights) < max(heights) < area.bottom - room, (
        "numbers and names of lines fit beside it"
    )
    assert pygame.image.tobytes(app.surface.subsurface(table.view.unobstructed), "RGB") != bare
    assert table.aim_controller.intended_shot == meant
    assert table.gesture_noise.hold_time > held  # it goes on growing calm
    drive.key(pygame.K_F5)
    assert not table.view.has_rulers
    assert not table.match.turns


def test_undo_while_space_is_held_cancels_the_flick(app: App, drive: Driver) -> None:
    app.preferences.gesture = "hold"
    table = _sit(app, drive)
    table.controller.perform(table.aim_controller.aim.shot)  # type: ignore[union-attr]
    drive.wait_for_phase("show")
    table.controller.skip_playback()
    drive.wait_for_phase("choose")
    count = len(table.match.turns)
    drive.key(pygame.K_UP)  # the aim is taken in hand
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE, mod=0, unicode=" "))
    drive.frames(20)
    assert table.gesture_noise.meter_time is not None
    drive.key(pygame.K_u)
    assert len(table.match.turns) == count - 1
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_SPACE, mod=0, unicode=" "))
    drive.frames(30)
    assert table.controller.phase == "choose"
    assert len(table.match.turns) == count - 1


def test_compiler_messages_are_german_sentences(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _sit(app, drive)
    first = "Getting bots ready, once: 12 of 22 parts."
    monkeypatch.setattr(screen, "warmup_task", SimpleNamespace(message=f"{first} You can play; bots search less."))
    assert screen.wait_text == "", "nobody waits for anything"
    screen.controller.phase = "settle"
    assert screen.wait_text == first
    assert translation.set_language("de") == ""
    assert translation.translate(screen.wait_text).startswith("Einmalige Vorbereitung, Bots: 12 von 22")
    translation.set_language("en")


def test_the_frame_rate_is_low_while_idle(app: App, drive: Driver) -> None:
    screen = _sit(app, drive)
    drive.frames(40, 0.1)
    assert app.is_idle, "an aim that nobody has touched does not tire"
    drive.key(pygame.K_LEFT)
    assert not app.is_idle, "somebody has just aimed"
    drive.frames(30, 0.1)
    assert screen.gesture_noise.is_changing
    assert not app.is_idle, "the hand grows tired, which is seen"
    drive.frames(30, 0.1)
    assert app.is_idle
    drive.key(pygame.K_SPACE)
    drive.wait_for_phase("show")
    assert screen.is_animating, "a penny slides"
