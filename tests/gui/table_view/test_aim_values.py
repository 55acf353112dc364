"""Camera, aim, playback clock and colours, without a window."""

from dataclasses import replace
from itertools import pairwise
from math import pi

import msgspec
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flicksim.core.geometry import is_inside_convex, rectangle
from flicksim.core.units import deg2rad
from flicksim.engine import simulate
from flicksim.gui.app import App
from flicksim.gui.game_views.ice import launcher_pose
from flicksim.gui.game_views.tiddlywinks import squidge_aim
from flicksim.gui.game_views.tiddlywinks.squidge_aim import SquidgeAim
from flicksim.gui.table_view import Playback, event_sounds, match_text, side_panel
from flicksim.gui.table_view.aim import Aim, nearest_point, pull_vector
from flicksim.gui.table_view.camera_view import PAN_TIME, TableView
from flicksim.gui.table_view.playback import RATES
from flicksim.gui.table_view.shot_painter import first_contact, stop_position
from flicksim.gui.toolkit import Canvas, palette
from flicksim.referee import FlickRange
from flicksim.render import fit_camera
from flicksim.scene import CameToRest, Flick, Launch, LeftSurface, Squidge, Surface, samples
from flicksim.scene.samples import sample

from ..conftest import match_screen, penny_white_match

BOARD = rectangle(0.3, 0.8)
points = st.tuples(st.floats(-1.0, 2.0), st.floats(-1.0, 2.0))


def test_a_fitted_outline_is_visible() -> None:
    camera = fit_camera(BOARD, (100.0, 0.0, 700.0, 600.0), 40.0)
    corners = [camera.to_screen(p) for p in BOARD]
    assert all(140.0 <= x <= 760.0 and 39.9 <= y <= 560.1 for x, y in corners)
    assert camera.to_screen((0.15, 0.0))[1] > camera.to_screen((0.15, 0.8))[1]


@given(points)
def test_the_nearest_point_is_in_the_zone(at: tuple[float, float]) -> None:
    x, y = nearest_point(at, rectangle(0.3, 0.04))
    assert is_inside_convex((round(x, 12), round(y, 12)), rectangle(0.3 + 2e-12, 0.04 + 2e-12, -1e-12, -1e-12))


def test_aims_stay_within_their_limits() -> None:
    span = FlickRange(piece="a", start=rectangle(0.3, 0.04), azimuth=(1.0, 2.0), speed=(0.3, 3.0))
    aim = Aim(span, (0.15, 0.03), sample("draw")[0].pieces[0], 1.0)
    for _ in range(400):
        aim.rotate(0.1)
        aim.change_speed(0.05)
        aim.change_offset(0.05)
        aim.move_start(0.01, 0.01)
    flick = aim.shot
    assert abs(flick.azimuth) <= pi
    assert (flick.speed, flick.offset) == (3.0, 0.9)
    assert flick.start == (0.3, 0.04)
    for _ in range(400):
        aim.change_speed(-0.05)
    assert aim.shot.speed > 0.0


def test_the_free_travel_follows_friction() -> None:
    scene, flick = sample("draw")
    alone = scene.without("white")
    free = penny_white_match("random", "random").simulator.simulate(alone, flick)
    end, falls = stop_position(free)
    assert not falls
    assert end[1] - alone.piece("a").y == pytest.approx(flick.speed**2 / (2.0 * 0.2 * 9.81), rel=1e-6)
    met = first_contact(alone.piece("a").position, (0.15, 0.7), alone.piece("a"), scene.pieces)
    assert met == pytest.approx((0.15, 0.575 - 0.0203))


def test_playback_rates_steps_and_seeking() -> None:
    motion = penny_white_match("random", "random").simulator.simulate(*sample("draw"))
    playback = Playback(motion)
    playback.advance(0.2)
    assert playback.time == pytest.approx(0.2)
    for rate in (*RATES[1:], RATES[0]):
        playback.cycle_rate()
        assert playback.speed == rate
    playback.seek(0.5)
    assert playback.is_paused
    assert playback.time == pytest.approx(playback.duration / 2)
    playback.step(-1)
    assert playback.time < playback.duration / 2
    playback.skip()
    assert playback.is_finished


def test_owners_are_distinguishable_without_colour_and_pieces_named() -> None:
    assert len({palette.OWNER_MARKS[seat] for seat in palette.SEAT_COLOURS}) == 4
    assert palette.seat_key(0, ("Blue", "Red"), "blue-1") == "blue"
    assert palette.seat_key(1, ("North", "South")) == "red"
    assert palette.seat_key(None, ("Blue", "Red"), "white") is None
    assert match_text.piece_text("red-2") == "Red 2"
    assert match_text.piece_text("white") == "the white"


@pytest.mark.parametrize(
    ("ruling", "shown"),
    [
        ("Dot lays 10D off on JK and QS, see TK-9d.", "Dot lays 10♦ off on joker and Q♠, see TK-9d."),
        ("Cy takes JC JK.", "Cy takes J♣, joker."),
        ("Cy puts down JK JK 10D 2C.", "Cy puts down joker, joker, 10♦ 2♣."),
        ("the QD", "the Q\u2666"),
        ("yellow-small-3 lies on red-2 (PW-4b)", "Yellow small 3 lies on red 2 (PW-4b)"),
        ("yellow-small-3 goes off the table.", "Yellow small 3 goes off the table."),
        ("Red stacks red-large-1 on the launcher.", "Red stacks red large 1 on the launcher."),
    ],
)
def test_rulings_name_pieces_and_cards_and_begin_with_a_capital(ruling: str, shown: str) -> None:
    assert match_text.with_card_symbols(ruling) == shown


def test_a_played_piece_is_not_in_hand() -> None:
    match = penny_white_match("bot:club", "bot:club", ends=2, pennies=1, jack_mode="beginner")
    left = []
    while not match.is_over:
        turn = match.play(match.ask_player())
        left.append([match_text.pieces_in_hand_after(match.game, turn, seat) for seat in (0, 1)])
    assert left[2] == [0, 0]  # the last of the first end, though the second has begun with full hands
    assert left[-1] == [0, 0]


@pytest.mark.parametrize("way", [90.0, 85.9, -170.2])
def test_directions_have_one_format(way: float, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints in numbers match those of the aim, from any side of the table."""
    turn, drawn = deg2rad(way), list[str]()
    made = (
        Flick(piece="red-2", speed=2.0, azimuth=turn), Squidge(piece="red-2", speed=2.0, azimuth=turn, elevation=1.0),
        Launch(piece="red-small-2", size="small", hold=(0.0, 0.0), azimuth=turn, speed=2.0),
    )  # fmt: skip
    told = [match_text.format_action(one) for one in made]
    assert all(f" m/s, {way:.1f}" in says for says in told), told
    span = FlickRange(piece="red-2", start=(), azimuth=(-pi, pi), speed=(0.3, 3.0))
    wink = SquidgeAim(span, sample("draw")[0].pieces[0], None, 0.03)
    wink.azimuth = turn
    assert next(dial for dial in squidge_aim.SLIDERS if dial.name == "direction").format(wink, turn) == f"{way:.1f}°"
    held = launcher_pose.LauncherPose(0, launcher_pose.LauncherPlace((0.45, 0.1), turn - deg2rad(5.0), 0.2))
    held.aim_offset = deg2rad(5.0)
    assert (
        next(dial for dial in launcher_pose.SLIDERS if dial.name == "way").format(held, -held.aim_offset)
        == f"{way:.1f}°"
    )
    screen = match_screen(app, penny_white_match("human", "human"))
    screen.view.has_rulers, screen.aim_controller.aim.azimuth = True, turn
    app.push(screen)
    app.layout_screen(screen)

    def noted(_canvas: Canvas, text: str, *_given: object, **_more: object) -> pygame.Rect:
        drawn.append(text)
        return pygame.Rect(0, 0, 1, 1)

    monkeypatch.setattr(Canvas, "text", noted)
    screen.draw(Canvas(app.surface, app.scale))
    assert f"{way:.2f}°" in drawn


@pytest.mark.parametrize(
    ("rest", "speed", "end"), [(0.2, 0.0, 0.5), (0.2, 0.1, 0.5), (0.2, 2.0, 0.2), (0.13, 2.0, 0.16), (0.8, 0.1, 0.8)]
)
def test_a_playback_ends_once_nothing_visible_moves(
    rest: float, speed: float, end: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    motion = simulate(*samples.sample("draw"))
    assert Playback(motion).duration == motion.duration
    left = LeftSurface(t=0.1, piece="white", point=(0.0, 0.0), velocity=(speed, 0.0))
    stop = CameToRest(t=rest, piece=motion.flick.piece, point=(0.0, 0.0))
    shown = Playback(replace(motion, events=(left, stop), duration=1.7))  # a wink beside the mat is simulated on
    assert (shown.duration, shown.motion_duration) == (pytest.approx(end), rest)
    shown.skip()
    canvas, texts = Canvas(pygame.Surface((300, 200)), 1.0), list[str]()
    monkeypatch.setattr(canvas, "text", lambda text, *_, **__: texts.append(text))
    side_panel.draw_time_bar(canvas, canvas.surface.get_rect(), shown)
    assert f"{rest:.2f} of {rest:.2f} s" in texts


def test_a_squop_is_heard_while_another_wink_flies_off_the_mat() -> None:
    motion = simulate(*samples.sample("draw"))
    left = LeftSurface(t=0.1, piece="white", point=(0.0, 0.0), velocity=(1.0, 0.0))
    lower, upper = motion.after.pieces[:2]
    covering = msgspec.structs.replace(upper, lies_on=(lower.id,))
    after = msgspec.structs.replace(motion.after, pieces=(lower, covering, *motion.after.pieces[2:]))
    motion = replace(motion, after=after, events=(left,), duration=1.7)
    assert "squop" in dict(event_sounds(motion, 0.0, Playback(motion).duration))


def _lying() -> TableView:
    view = TableView(("Blue", "Red"), Surface(material="wood", outline=rectangle(0.3, 0.8)))
    view.set_area(pygame.Rect(0, 0, 1200, 700), 10.0, pygame.Rect(0, 80, 1200, 420))
    return view


@pytest.mark.parametrize(
    ("pressed", "meant"),
    [
        (pygame.K_RIGHT, pygame.K_UP), (pygame.K_LEFT, pygame.K_DOWN),
        (pygame.K_UP, pygame.K_LEFT), (pygame.K_DOWN, pygame.K_RIGHT), (pygame.K_d, pygame.K_d),
    ],
)  # fmt: skip
def test_arrows_follow_the_table(pressed: int, meant: int) -> None:
    view = _lying()
    assert view.camera.quarter_turns == 3
    event = pygame.event.Event(pygame.KEYDOWN, key=pressed, mod=pygame.KMOD_SHIFT, unicode="")
    assert view.to_player_direction(event).key == meant
    assert view.to_player_direction(event).mod == pygame.KMOD_SHIFT


def test_a_pull_along_the_screen_sends_the_piece_along_the_table() -> None:
    camera = _lying().camera
    drawn = pull_vector((300, 300), (200, 300), 1.0, camera.rotation)
    assert drawn[0] == pytest.approx(1.5707963)


def test_the_camera_is_animated_both_ways() -> None:
    view = _lying()
    whole = view.camera
    view.follow([(0.15, 0.6)], 0.3)
    zooms = []
    for _ in range(round(PAN_TIME * 60) + 1):
        view.update(1.0 / 60.0)
        zooms.append(view.camera.zoom)
    assert not view.is_animating
    assert zooms == sorted(zooms)
    assert max(b / a for a, b in pairwise(zooms)) < 1.1  # no jump
    assert view.camera.zoom > 1.5 * whole.zoom
    view.follow([], 0.3)
    view.update(PAN_TIME)
    assert view.camera == whole


def test_the_camera_does_not_follow_under_user_control_or_reduced_motion() -> None:
    view = _lying()
    view.follow([(0.15, 0.6)], 0.3, reduced_motion=True)
    view.update(PAN_TIME)
    assert view.camera == view.whole_camera
    view.zoom(3.0)
    held = view.camera
    view.follow([(0.15, 0.6)], 0.3)
    view.update(PAN_TIME)
    assert view.camera == held
    view.resume_following()
    view.follow([], 0.3)
    view.update(PAN_TIME)
    assert view.camera == view.whole_camera


def test_obstructions_are_not_part_of_the_table() -> None:
    view = _lying()
    view.obstructions = [pygame.Rect(0, 500, 1200, 200)]
    assert view.contains((600, 300))
    assert not view.contains((600, 600))
