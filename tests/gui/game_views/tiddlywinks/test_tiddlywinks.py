"""Tests of the tiddlywinks screen: selection, aim by keys and mouse, piles, playback, end of the game."""

from dataclasses import replace
from itertools import pairwise
from math import cos, degrees, dist, hypot, sin
from pathlib import Path

import pygame
import pytest
from msgspec.structs import replace as struct_replace

from flicksim import gui
from flicksim.ai import CandidateValue, Evaluation, ValueEstimate
from flicksim.core.serialization import from_json
from flicksim.core.units import mm
from flicksim.engine import simulate
from flicksim.games import load
from flicksim.games.tiddlywinks import equipment
from flicksim.games.tiddlywinks.candidate_shots import BACKSPIN, SQUOP_ELEVATIONS, pot_elevations, squop_tumble
from flicksim.games.tiddlywinks.position import load_builtin, to_state
from flicksim.gui.app import App
from flicksim.gui.game_views.tiddlywinks import score_panel
from flicksim.gui.game_views.tiddlywinks.end_screen import TiddlywinksEndScreen
from flicksim.gui.game_views.tiddlywinks.painter import WinkPainter
from flicksim.gui.game_views.tiddlywinks.side_view import _interpolate_ballistic, silhouette
from flicksim.gui.game_views.tiddlywinks.squidge_aim import SquidgeAim
from flicksim.gui.game_views.tiddlywinks.squidge_controller import SquidgeController
from flicksim.gui.game_views.tiddlywinks.tiddlywinks_screen import TiddlywinksScreen
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.match.start_match import start_match
from flicksim.gui.table_view import GestureNoise, ShotSpread, match_text, shot_painter
from flicksim.gui.table_view.hints import Hint
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import Analysis, BackgroundTask, Match, open_match, parse_seat
from flicksim.referee import Purpose, Reason, Verdict
from flicksim.scene import Scene, Squidge, Trajectory
from tests.polling import wait_until

from ...conftest import Driver, FakeWorker, replay_screen
from ...tiddlywinks_helpers import at_position, winks_match


def _sit(app: App, drive: Driver, match: Match) -> TiddlywinksScreen:
    app.preferences.hand = "steady"
    start_match(app, match)
    drive.frames(2)
    return drive.top(TiddlywinksScreen)


def _shown(drive: Driver, screen: TiddlywinksScreen) -> Trajectory:
    drive.until(lambda: screen.controller.phase == "show")
    return screen.controller.playback.trajectory


def _choose(drive: Driver, screen: TiddlywinksScreen, wink: str) -> SquidgeAim:
    """Go to a wink with the key for the next one."""
    wait_until(lambda: screen.aim_controller.aim is not None and screen.aim_controller.aim.piece.id == wink,
               lambda: drive.key(pygame.K_n))  # fmt: skip
    return screen.aim_controller.aim


def _play(drive: Driver, screen: TiddlywinksScreen) -> None:
    """Squidge, and look at nothing but the end."""
    drive.key(pygame.K_SPACE)
    _shown(drive, screen)
    drive.key(pygame.K_f)
    drive.until(lambda: screen.controller.phase == "choose")


def test_a_wink_can_be_squidged_by_keyboard(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, at_position(winks_match()))
    aim = _choose(drive, screen, "blue-2")
    speed, azimuth, elevation = aim.speed, aim.azimuth, aim.elevation
    assert aim.tumble == BACKSPIN
    for key, mod in (
        (pygame.K_LEFT, 0), (pygame.K_LEFT, pygame.KMOD_SHIFT), (pygame.K_UP, 0), (pygame.K_DOWN, pygame.KMOD_SHIFT),
        (pygame.K_w, 0), (pygame.K_q, 0), (pygame.K_RIGHTBRACKET, 0),
    ):  # fmt: skip
        drive.key(key, mod)
    assert aim.start is None
    drive.key(pygame.K_SPACE)
    squidge = _shown(drive, screen).flick
    assert squidge.piece == "blue-2"
    assert squidge.speed == pytest.approx(speed + 0.045)
    assert degrees(squidge.azimuth - azimuth) == pytest.approx(1.1)
    assert degrees(squidge.elevation - elevation) == pytest.approx(1.0, abs=0.1)
    assert squidge.tumble == BACKSPIN + 5.0
    assert squidge.squidger == pytest.approx(0.0391)


def test_an_aim_at_the_pot_begins_as_bots_pot_and_at_a_wink_as_they_squop(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, at_position(winks_match()))
    aim = _choose(drive, screen, "blue-2")
    pot_stroke = pot_elevations(hypot(*aim.contact_point))[0], BACKSPIN
    assert (aim.elevation, aim.tumble) == pot_stroke
    assert aim.arc.end_surface == "in"
    drive.key(pygame.K_t)
    _, wink, _ = screen.aim_controller.targets()[1]
    assert (aim.elevation, aim.tumble) == (SQUOP_ELEVATIONS[0], squop_tumble(dist(aim.contact_point, wink)))
    assert aim.tumble <= 0.0, "a wink is not squopped with backspin"
    drive.key(pygame.K_o)
    assert (aim.elevation, aim.tumble) == pot_stroke
    drive.keys(pygame.K_q, pygame.K_t)
    assert aim.tumble == BACKSPIN + 5.0, "the player's own backspin stays"
    drive.key(pygame.K_r)
    aim = screen.aim_controller.aim
    assert (aim.elevation, aim.tumble) == pot_stroke


def test_an_aim_begins_at_its_target_and_goes_on_from_there(app: App, drive: Driver) -> None:
    match = at_position(winks_match(), (("blue-2", 300, 0), ("green-1", 200, 100), ("red-1", -60, 150)))
    screen = _sit(app, drive, match)
    plain = screen.aim_controller
    targets = plain.targets()
    assert [name for name, *_ in targets] == ["the pot", "green-1", "red-1"]
    shots = []
    for target in targets:
        assert plain.aim_at(*target)
        shots.append((plain.aim.azimuth, plain.aim.speed))
    begun = SquidgeController(match, screen.view, GestureNoise(), "green-1")
    begun.refresh()
    assert (begun.aim.azimuth, begun.aim.speed) == pytest.approx(shots[1])
    begun.handle_key(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_t, mod=0, unicode="t"))
    assert (begun.aim.azimuth, begun.aim.speed) == pytest.approx(shots[2])


def test_an_exact_squidge_at_the_pot_pots(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, at_position(winks_match(), (("blue-3", 150, 0), ("green-1", 300, 100))))
    drive.keys(pygame.K_t, pygame.K_o)
    assert screen.aim_controller.aim.arc.end_surface == "in"
    _play(drive, screen)
    assert screen.match.state.book.potted == ("blue-3",)
    assert score_panel.wink_counts(screen.match.state, 0)["potted"] == 1
    drive.key(pygame.K_u)
    assert not screen.match.turns


def test_the_last_shot_and_winks_that_wait_are_called_as_in_the_game(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = _sit(app, drive, winks_match())
    monkeypatch.setattr(type(screen), "shot_feedback", "It went just as you meant.")
    drive.frames(2)
    text = drive.screen_text().lower()
    assert "your last squidge" in text
    assert "last flick" not in text
    assert "6 to bring in" in text
    drive.key(pygame.K_SPACE)
    drive.until(lambda: screen.controller.phase == "show")
    assert "turn 1" in drive.screen_text()
    drive.key(pygame.K_f)
    drive.until(lambda: screen.controller.phase == "choose")
    drive.key(pygame.K_p)
    assert screen.controller.is_paused
    assert "Paused: P goes on" in screen.prompt_lines()[0]


@pytest.mark.parametrize("wide", [300, 360, 420])
def test_counts_of_a_seat_do_not_overlap_the_points_label(
    drive: Driver, app: App, monkeypatch: pytest.MonkeyPatch, wide: int
) -> None:
    screen = _sit(app, drive, winks_match("human", "random", "random", "random"))
    counts = {"potted": 1, "free": 1, "squopped": 1, "squopping": 1, "behind": 2}
    monkeypatch.setattr(score_panel, "wink_counts", lambda *_: counts)
    canvas = Canvas(app.surface)
    score_panel.draw_seats(canvas, pygame.Rect(0, 0, wide, 300), screen.controller)
    drawn = [(said.text, said.rect) for said in canvas.drawn_texts]
    for label in (rect for words, rect in drawn if words == "if it ended now"):
        assert not [words for words, rect in drawn if rect.colliderect(label) and "to bring in" in words]
    assert max(rect.right for words, rect in drawn if "to bring in" in words) <= wide


def test_the_name_of_the_starting_strip_is_clear_of_the_magnifier_and_the_turn_banner(app: App, drive: Driver) -> None:
    """Blue, Green and Red squidge off from their corners."""
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=(1280, 800), w=1280, h=800))
    screen = _sit(app, drive, winks_match(*["human"] * 4))

    def name() -> pygame.Rect:
        return next(said.rect for said in app.tooltips.drawn_texts if said.source.startswith("put it anywhere"))

    for _ in range(3):
        drive.frames(12, 0.1)
        assert not name().colliderect(screen.aimed_magnifier.rect)
        screen.effects.show_turn_banner("Blue: your turn", "the squidge-off decides who begins", "blue")
        drive.frames(2)
        assert not name().colliderect(screen.effects.banner_rect(Canvas(app.surface, app.scale), screen.table_area))
        _play(drive, screen)


@pytest.mark.parametrize("size", [(1280, 800), (800, 600)])
def test_the_magnifier_covers_no_waiting_winks(app: App, drive: Driver, size: tuple[int, int]) -> None:
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1]))
    screen = _sit(app, drive, winks_match(*["human"] * 4))
    drive.frames(12, 0.1)
    aim, camera, state = screen.aim_controller.aim, screen.view.camera, screen.match.state
    waiting = [state.scene.piece(name) for name in state.book.behind if name != aim.piece.id]
    for corner in aim.flick_range.start:
        aim.set_start(corner)
        screen.aim_controller.aim_at_pot()
        glass = screen.aimed_magnifier.rect
        assert not any(glass.collidepoint(camera.to_screen(wink.position)) for wink in waiting)


def test_pulling_back_squidges_in_the_opposite_direction(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, at_position(winks_match()))
    drive.key(pygame.K_z)
    drive.frames(12, 0.1)
    x, y = screen.view.camera.to_screen(screen.match.state.scene.piece("blue-2").position)
    drive.click((x, y))
    assert screen.aim_controller.aim.piece.id == "blue-2"
    drive.frames(12, 0.1)
    x, y = screen.view.unobstructed.center
    x, y = x, screen.view.unobstructed.bottom - 150
    drive.press((x, y))
    drive.move((x, y + 100))
    drive.release((x, y + 100))
    squidge = _shown(drive, screen).flick
    assert degrees(squidge.azimuth) == pytest.approx(90.0, abs=0.5)
    assert squidge.speed == pytest.approx((100 - 10) / 290 * 6.0, abs=0.05)


def test_a_click_aims_at_the_pot_or_a_point(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, at_position(winks_match(), (("blue-3", 150, 0), ("red-1", 20, 90))))
    drive.frames(12, 0.1)
    drive.click(screen.view.camera.to_screen((0.08, 0.05)))
    aim = screen.aim_controller.aim
    assert aim.arc.end_surface == "mat"
    assert aim.arc.distance == pytest.approx(0.086, abs=0.004)
    drive.click(screen.view.camera.to_screen((0.0, 0.0)))
    assert aim.arc.end_surface == "in"
    assert not screen.match.turns


def test_a_squopped_wink_is_refused_and_its_pile_listed_under_the_mouse_or_by_a_key(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, at_position(winks_match()))
    drive.frames(12, 0.1)
    assert "blue-1" in screen.view.painter.unplayable
    piece = screen.match.state.scene.piece("blue-1")
    drive.click(screen.view.camera.to_screen((piece.x - 0.006, piece.y + 0.006)))
    assert "squopped by Blue 4" in screen.error
    assert "TW-9a1" in screen.error
    assert screen.aim_controller.aim.piece.id != "blue-1"
    assert not screen.match.turns
    piece = screen.match.state.scene.piece("blue-4")
    drive.move(screen.view.camera.to_screen(piece.position))
    drive.frames(2)
    listed = [line.text for line in screen.inspector.lines]
    assert any("squops" in text for text in listed)
    pile = listed[listed.index("Pile, from the top:") + 1 :]
    assert pile[0].startswith("Blue 4 on")
    assert pile[-1] == "Red 1 on the mat"
    drive.move((5, screen.app.size[1] - 5))
    assert screen.inspector.wink is None
    drive.key(pygame.K_g)
    drive.frames(1)
    assert screen.inspector.lines[0][0].startswith("Blue 4")
    drive.key(pygame.K_ESCAPE)
    assert screen.inspector.wink is None
    assert app.top is screen


def test_a_wink_in_a_pile_can_be_selected_and_dragged(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, at_position(winks_match()))
    aim = _choose(drive, screen, "blue-5")
    assert {"press", "draw on"} <= {widget.label for widget in screen.form.widgets}
    drive.keys(pygame.K_c, pygame.K_b)
    assert (aim.press, aim.follow_through) == (0.05, 0.001)
    while getattr(screen.form.focused, "label", "") != "press":
        drive.key(pygame.K_TAB)
    drive.key(pygame.K_RIGHT)
    assert aim.press == pytest.approx(0.1)


@pytest.mark.parametrize("azimuth", [0.0, 0.7, 1.57, 3.0])
@pytest.mark.parametrize("tilt", [0.0, 0.3, 1.0, 1.57])
def test_a_wink_seen_from_the_side_is_as_high_as_it_is(tilt: float, azimuth: float) -> None:
    """From wherever: a wink that leaned across the view was a brick above the floor."""
    piece = equipment.wink(equipment.Options(), "red-1")
    heights = [z for _, z in silhouette(struct_replace(piece, tilt=tilt), azimuth)]
    top = piece.radius * sin(tilt) + piece.thickness / 2.0 * cos(tilt)
    assert (max(heights), min(heights)) == (pytest.approx(top, abs=0.2e-3), pytest.approx(-top, abs=0.2e-3))


def test_the_flight_is_drawn_from_the_side(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, at_position(winks_match(), (("blue-3", 200, 0),)))
    drive.frames(2)

    def side() -> bytes:
        return pygame.image.tobytes(app.surface.subsurface(screen.view.side_rect), "RGB")

    aimed = side()
    drive.key(pygame.K_UP)
    assert side() != aimed
    drive.key(pygame.K_SPACE)
    _shown(drive, screen)
    drive.key(pygame.K_p)
    drive.frames(1)
    early = side()
    for _ in range(6):
        drive.key(pygame.K_PERIOD)
    assert side() != early
    assert screen.controller.playback.is_paused


def test_the_view_follows_stops_on_input_and_shows_the_whole_mat(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, at_position(winks_match()))
    drive.frames(15, 0.1)
    zoom = screen.view.camera.zoom
    drive.key(pygame.K_z)
    drive.frames(20, 0.1)
    assert screen.view.camera.zoom < zoom
    drive.key(pygame.K_z)
    drive.frames(20, 0.1)
    drive.key(pygame.K_l)
    held = screen.view.camera
    drive.frames(30)
    assert screen.view.camera == held
    assert screen.view.magnifier() is not None


def test_a_foul_is_decided_by_buttons(app: App, drive: Driver) -> None:
    match = at_position(winks_match(), (("blue-3", 150, 0), ("green-1", 300, 100)))
    screen = _sit(app, drive, match)
    _play(drive, screen)
    from flicksim.games.tiddlywinks.state import CallFoul

    screen.controller.perform(CallFoul(how="stroke"))
    drive.until(lambda: bool(screen.decisions))
    assert len(screen.decisions) == 2
    assert screen.aim_controller.aim is None
    drive.keys(pygame.K_DOWN, pygame.K_RETURN)
    drive.until(lambda: screen.controller.phase == "choose" and not screen.decisions)
    assert match.turns[-1].made.replay is False


def test_bots_finish_a_game_and_the_score_is_shown(app: App, drive: Driver) -> None:
    match = winks_match(*["random"] * 4, time_limit_s=60, rounds=0)
    start_match(app, match)
    screen = drive.top(TiddlywinksScreen)

    def ended() -> bool:
        screen.controller.skip_playback()
        return app.top is not screen

    drive.until(ended, 0.1)
    final = drive.top(TiddlywinksEndScreen)
    drive.frames(2)
    assert sum(match.scores) == 7
    drive.keys(pygame.K_DOWN, pygame.K_DOWN, pygame.K_RETURN)
    drive.top(ReplayScreen)
    drive.frames(2)
    drive.keys(pygame.K_RIGHT, pygame.K_SPACE)
    drive.frames(3)
    drive.key(pygame.K_ESCAPE)
    assert app.top is final


@pytest.mark.parametrize("size", [(640, 480), (800, 600), (1920, 1080)])
def test_the_screen_fits_every_window_size(app: App, drive: Driver, size: tuple[int, int]) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
    screen = _sit(app, drive, at_position(winks_match()))
    drive.frames(3)
    for widget in screen.form.widgets:
        assert pygame.Rect((0, 0), size).contains(widget.rect), widget.label
        others = [other for other in screen.form.widgets if other is not widget]
        assert widget.rect.collidelist([other.rect for other in others]) == -1, widget.label


def _from_position(app: App, drive: Driver, name: str) -> TiddlywinksScreen:
    game = load("tiddlywinks")
    position = game.positions.load_builtin(name)
    return _sit(app, drive, open_match(game, position.options, [parse_seat("human")] * 4, 5, position=position))


def test_a_hint_to_pot_where_a_wink_must_be_freed_says_why(app: App, drive: Driver) -> None:
    """TW-9c6, TW-9c7: a wink on top of another frees it."""
    screen = _from_position(app, drive, "compulsory_freeing_shot")
    for wink, is_told in (("red-1", True), ("red-3", False)):
        aim = _choose(drive, screen, wink)
        hint = Hint(aim.shot, Purpose(kind="pot", pieces=(wink,), text="pot it"))
        screen.hints.request = BackgroundTask(lambda hint=hint: hint)  # type: ignore[misc]
        drive.until(lambda: screen.hints.request is None)
        assert ("it counts 3 points" in screen.prompt_lines()[1]) == is_told


def test_the_replay_tells_scores_once_there_are_any_and_hundredths_of_millimetres_rounded(drive: Driver) -> None:
    match = open_match(load("tiddlywinks"), equipment.Options(), [parse_seat("random")] * 4, 3)
    turns = [match.play(match.ask_player()) for _ in range(2)]
    screen = drive.show(replay_screen(drive.app, match.game, turns))
    drive.key(pygame.K_RIGHT)
    text = drive.screen_text()
    assert "Blue 0" not in text
    assert "2. Green 1 was squidged at the pot and is 328 mm from it." in screen.list.lines
    assert "327.62 mm" in text, "the ruling has it in full"
    near = Verdict(reasons=(Reason("TW-7c", "It rests 7.5 mm from the pot."),), ruling=turns[0].verdict.ruling)
    assert match_text.turn_text(match.game, replace(turns[0], verdict=near)).endswith(" 7.5 mm from the pot.")


def _seen(screen: TiddlywinksScreen, *names: str) -> bool:
    area, state = screen.view.area, screen.match.state
    return all(area.collidepoint(screen.view.camera.to_screen(state.scene.piece(name).position)) for name in names)


def test_a_position_opens_on_its_subject_and_shows_its_text(app: App, drive: Driver) -> None:
    screen = _from_position(app, drive, "pile_of_three")
    drive.frames(40, 0.1)
    assert _seen(screen, "green-1", "red-3", "yellow-4", "red-1", "blue-3")
    assert "though it squops Green 1 itself" in drive.screen_text()
    drive.key(pygame.K_SPACE)
    drive.until(lambda: bool(screen.match.turns))
    assert "though it squops Green 1 itself" in drive.screen_text()


def test_the_text_of_a_position_ends_beside_the_panel(app: App, drive: Driver) -> None:
    pygame.display.set_mode((800, 600), pygame.RESIZABLE)
    screen = _from_position(app, drive, "pile_of_three")
    drive.frames(2)
    text = [said for said in app.tooltips.drawn_texts if said.rect.bottom <= screen.view.area.y]
    assert [said.text for said in text if said.rect.x < screen.notice_area.x < said.rect.right] == []
    assert "though it squops Green 1 itself" in " ".join(said.text for said in text)


def test_corrections_of_a_position_are_shown_as_rulings(app: App, drive: Driver) -> None:
    """TW-7i"""
    _from_position(app, drive, "leaning_on_the_pot")
    assert "Yellow 3 leaned against the pot" in drive.screen_text()


def test_inspecting_moves_the_view_and_the_next_wink_ends_it(app: App, drive: Driver) -> None:
    screen = _sit(
        app, drive, at_position(winks_match(), (("blue-3", 60, 0), ("red-1", 700, 300), ("green-1", 702, 305)))
    )
    drive.frames(40, 0.1)
    assert not _seen(screen, "green-1")
    drive.key(pygame.K_g)
    drive.frames(40, 0.1)
    assert screen.inspector.wink in ("green-1", "red-1")
    assert _seen(screen, "green-1", "red-1")
    drive.key(pygame.K_n)
    drive.frames(40, 0.1)
    assert screen.inspector.wink is None
    assert screen.view.area.collidepoint(screen.view.camera.to_screen(screen.aim_controller.aim.contact_point))


@pytest.mark.parametrize("size", [(1280, 800), (800, 600)])
def test_the_full_ruling_is_shown(app: App, drive: Driver, size: tuple[int, int]) -> None:
    """TW-9c7: the sentence of the compulsory freeing shot, whatever the list of turns would like."""
    screen = _from_position(app, drive, "compulsory_freeing_shot")
    pygame.display.set_mode(size, pygame.RESIZABLE)
    for _ in range(3):
        drive.key(pygame.K_n)
    drive.key(pygame.K_SPACE)
    drive.until(lambda: screen.controller.phase == "choose" and bool(screen.match.turns))
    text = drive.screen_text()
    for reason in screen.match.turns[-1].verdict.reasons:
        assert reason.text in text


@pytest.mark.parametrize("size", [(1280, 800), (800, 600)])
def test_the_full_list_of_carried_winks_is_shown(app: App, drive: Driver, size: tuple[int, int]) -> None:
    screen = _sit(app, drive, at_position(winks_match()))
    pygame.display.set_mode(size, pygame.RESIZABLE)
    aim = _choose(drive, screen, "blue-5")
    assert aim.is_on_pile
    assert aim.arc_text in drive.screen_text()


def test_a_wink_to_be_brought_in_is_drawn_once(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _sit(app, drive, winks_match())
    aim = screen.aim_controller.aim
    assert aim.start is not None
    drawn: list[tuple[str, tuple[float, float]]] = []
    was = WinkPainter.draw_piece
    monkeypatch.setattr(
        WinkPainter, "draw_piece",
        lambda self, canvas, camera, piece, **more: (drawn.append((piece.id, piece.position)),
                                                     was(self, canvas, camera, piece, **more))[1],
    )  # fmt: skip
    assert "put it anywhere in the dashed strip" in drive.screen_text()
    assert {at for name, at in drawn if name == aim.piece.id} == {aim.start}


def test_the_side_view_shows_the_last_shot(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, at_position(winks_match("human", "bot:club", "human", "bot:club")))
    screen.aim_controller.aim.speed = 0.2
    drive.key(pygame.K_SPACE)
    drive.until(lambda: screen.controller.phase == "think")
    text = drive.screen_text()
    assert "the last shot" in text
    assert "squidged at" in text


def test_a_flight_is_drawn_smoothly() -> None:
    points = _interpolate_ballistic([(0.0, 0.0, 0.05), (0.02, 0.01, 0.05), (0.04, 0.02, 0.046)])
    slopes = [(b[2] - a[2]) / (b[1] - a[1]) for a, b in pairwise(points)]
    assert max(abs(b - a) for a, b in pairwise(slopes)) < 0.11
    assert points[5] == pytest.approx((0.02, 0.01, 0.05))


def test_a_wink_in_flight_is_tracked_at_a_minimum_size(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, winks_match())
    radius = screen.aim_controller.aim.piece.radius
    drive.key(pygame.K_SPACE)
    drive.until(lambda: screen.controller.phase == "show")
    drive.frames(24)
    assert screen.controller.phase == "show"
    assert 2.0 * radius * screen.view.camera.zoom >= 28.0 * app.scale
    flying = next(
        wink for wink in screen.visible_winks() if wink.id == screen.controller.playback.trajectory.flick.piece
    )
    assert screen.view.area.collidepoint(screen.view.camera.to_screen(flying.position))


def test_reduced_motion_keeps_the_view_of_a_flight(app: App, drive: Driver) -> None:
    app.preferences.reduced_motion = True
    screen = _sit(app, drive, winks_match())
    drive.key(pygame.K_SPACE)
    drive.until(lambda: screen.controller.phase == "show")
    drive.frames(2)
    before = screen.view.camera
    drive.frames(10)
    assert screen.controller.phase == "show"
    assert screen.view.camera == before


def test_how_much_farther_an_aim_goes_is_told_over_the_winks(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, drawn = _sit(app, drive, winks_match()), list[str]()
    drive.key(pygame.K_y)  # a hand with noise
    monkeypatch.setattr(shot_painter, "draw_distance_beyond", lambda *_: drawn.append("note"))
    monkeypatch.setattr(screen.view.painter, "draw_pieces", lambda *_, **__: drawn.append("winks"))
    drive.frames()
    assert drawn[-1] == "note"
    assert "winks" in drawn


def test_the_noise_fan_spares_the_pot_and_a_magnifier_shows_the_wink_of_a_long_shot(app: App, drive: Driver) -> None:
    screen = _sit(app, drive, winks_match())
    drive.frames(2)
    pot = screen.aim_controller.pot
    canvas, camera, painter = Canvas(pygame.Surface(app.size), app.scale), screen.view.camera, screen.view.painter
    x, y = camera.to_screen(pot.position)
    screen.aim_controller.draw_spread(canvas, camera, painter, ShotSpread(3.0, 0.9, 1.0))
    assert canvas.surface.get_at((round(x), round(y)))[:3] == (0, 0, 0)
    beside = round(x + 1.4 * pot.top_radius * camera.zoom), round(y)
    assert canvas.surface.get_at(beside)[:3] != (0, 0, 0)
    drive.frames(40)
    aim = screen.aim_controller.aim
    lens = screen.view.aimed_magnifier(aim.contact_point, aim.piece.radius, aim.landing_point)
    assert 2.0 * aim.piece.radius * screen.view.camera.zoom < 28.0
    assert 2.0 * aim.piece.radius * lens.camera.zoom >= 28.0
    assert screen.view.unobstructed.contains(lens.rect)
    assert not lens.rect.collidepoint(screen.view.camera.to_screen(aim.contact_point))
    screen.view.look_at([aim.contact_point])
    drive.frames(1)
    screen.view.camera = replace(screen.view.camera, zoom=lens.camera.zoom)
    assert screen.view.aimed_magnifier(aim.contact_point, aim.piece.radius, aim.landing_point) is None


def test_the_spread_of_shots_lies_under_the_winks(app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _sit(app, drive, at_position(winks_match(*["human"] * 4), [("blue-1", 200, 0), ("red-1", 60, 0)]))
    drive.frames(40)
    screen.aim_controller.aim_at("that place", (mm(90), 0.0), 0.0)
    assert screen.aim_controller.notice == "Aimed at that place."
    screen.aim_controller.aim_at("red-1", (mm(60), 0.0), mm(2))
    assert screen.aim_controller.notice == "Aimed at Red 1."
    spot = tuple(map(round, screen.view.camera.to_screen((mm(60), 0.0))))
    beside = tuple(map(round, screen.view.camera.to_screen((mm(60), mm(20)))))

    def colours(spread: ShotSpread) -> tuple[pygame.Color, ...]:
        monkeypatch.setattr(type(screen), "shot_spread", spread)
        drive.frames(1)
        return app.surface.get_at(spot), app.surface.get_at(beside)

    narrow, wide = colours(ShotSpread(1e-4, 1e-4, 1.0)), colours(ShotSpread(3.0, 0.9, 1.0))
    changes = [max(abs(a - b) for a, b in zip(*both, strict=True)) for both in zip(narrow, wide, strict=True)]
    assert changes[0] <= 2 < 20 < changes[1]  # a wink is not quite opaque


def test_plans_of_a_look_through_are_seen_close_up(app: App, drive: Driver, workers: list[FakeWorker]) -> None:
    match = at_position(winks_match())
    match.play(Squidge(piece="blue-2", speed=2.0, azimuth=3.5, elevation=0.9))
    screen = drive.show(replay_screen(app, match.game, match.turns))
    turn_zoom = screen.view.camera.zoom
    drive.key(pygame.K_F8)
    drive.until(lambda: workers[0].submitted, 0.1)
    worth = ValueEstimate(win_probability=0.5, low=0.4, high=0.6, point_margin=0.0, margin=0.1, tries=10)
    plan = CandidateValue(action=Squidge(piece="blue-4", speed=0.5, azimuth=2.0, elevation=1.0), value=worth)
    best = Evaluation(seat=0, best=(plan,), is_decisive=False, shots=10, shots_per_try=1.0)
    workers[0].results = [Analysis(evaluation=best, is_heuristic=False)]
    drive.frames(2)
    assert screen.view.camera.zoom > 1.5 * turn_zoom
    assert all(screen.view.unobstructed.collidepoint(screen.view.camera.to_screen(point))
               for point in screen.analysis.position.plan_points)  # fmt: skip
    drive.key(pygame.K_SPACE)
    assert screen.view.camera.zoom == turn_zoom, "the turn is played"
    drive.key(pygame.K_0)
    assert screen.view.camera == screen.view.whole_camera


ASSETS = Path(__file__).resolve().parents[4] / "assets"


def _coloured(picture: pygame.Surface, rect: pygame.Rect, colour: tuple[int, int, int]) -> int:
    """Number of pixels close to a colour, whatever the lighting."""
    part = picture.subsurface(rect)
    return pygame.mask.from_threshold(part, colour, (56, 56, 56, 255)).count()


def test_a_squidge_image_has_a_side_view_below(tmp_path: Path) -> None:
    scene = from_json((ASSETS / "scenes" / "squidge.json").read_bytes(), Scene)
    squidge = from_json((ASSETS / "flicks" / "squidge.json").read_bytes(), Squidge)
    picture = pygame.image.load(gui.save_image(simulate(scene, squidge), tmp_path / "shot.png"))
    w, h = picture.get_size()
    assert w > h
    red = palette.SEAT_COLOURS["red"]
    above, below = pygame.Rect(0, 0, w, round(h * 0.64)), pygame.Rect(0, round(h * 0.64), w, h - round(h * 0.64))
    assert _coloured(picture, above, red) > 300
    assert _coloured(picture, below, red) > 100
    arc = palette.mix(red, palette.LIGHT_TEXT, 0.6)
    high = [y for y in range(below.y, h) if any(picture.get_at((x, y))[:3] == arc for x in range(below.x, w))]
    assert max(high) - min(high) > 150


def test_a_position_fits_the_winks_in_the_field(tmp_path: Path) -> None:
    scene = to_state(load_builtin("pile_of_three")).scene
    picture = pygame.image.load(gui.save_image(scene, tmp_path / "pile.png", seats=("Blue", "Green", "Red", "Yellow")))
    assert _coloured(picture, picture.get_rect(), palette.SEAT_COLOURS["blue"]) > 600
