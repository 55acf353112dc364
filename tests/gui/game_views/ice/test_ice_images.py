"""Tests of pyramid images from above, from the side and in files, and of texts about launches."""

from collections.abc import Sequence
from dataclasses import replace as with_fields
from math import cos, pi, sin
from pathlib import Path

import numpy as np
import pygame
import pytest
from msgspec.structs import replace
from PIL import Image

from flicksim import gui
from flicksim.ai import GRADES
from flicksim.core.geometry import clip_behind_line, is_inside_convex
from flicksim.core.type_aliases import Unchecked
from flicksim.core.units import deg2rad
from flicksim.engine import simulate
from flicksim.games import load
from flicksim.games.ice.state import Load, Wait
from flicksim.games.ice.table_layout import SEATS, Options, initial_scene, kit, missiles, seat_areas
from flicksim.gui.app import App
from flicksim.gui.game_views import discover_game_views
from flicksim.gui.game_views.ice import flight as flights
from flicksim.gui.game_views.ice import launch_log, panel, pyramid_sprites, side_view
from flicksim.gui.game_views.ice.camera_view import with_start_lines
from flicksim.gui.game_views.ice.flight import Flight, LaunchSequence, best_launch
from flicksim.gui.game_views.ice.launch_log import CountedPieces, count_of, counted_pieces
from flicksim.gui.game_views.ice.launcher_pose import LauncherPose, launcher_place
from flicksim.gui.game_views.ice.painter import IcePainter
from flicksim.gui.match.match_controller import BOT_AIM_TIME
from flicksim.gui.table_view import ShotSpread, effects
from flicksim.gui.table_view.gestures import SPREAD_SIGMAS
from flicksim.gui.table_view.playback import CLOSE_CALL_RATE
from flicksim.gui.table_view.slingshot import MOUSE_KEY
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import Match
from flicksim.render import Camera
from flicksim.scene import SIZES, Launch, LaunchTrajectory, Pyramid, PyramidScene
from flicksim.scene.launch_trajectory import PyramidCollision, Track
from flicksim.scene.orientation import quaternions_from_axes
from flicksim.scene.pyramid import standard_shape

from ...ice_helpers import IceDriver, ice_match, landings, started_match


def _played(launches: int = 3) -> Match:
    """Match of two people, the first of whom launches straight ahead."""
    match = ice_match("human", "human")
    for _ in range(2):
        match.play(Load(piece=missiles(match.to_play or 0)[5]))
    grips = [LauncherPose(k, launcher_place(seat)) for k, seat in enumerate(seat_areas(Options(), 2))]
    for k in range(launches):
        seat, state = match.to_play, match.state
        piece = state.loaded[seat] or next(name for name in state.hands[seat] if "medium" in name)
        match.play(grips[seat].make_launch(piece, state.ready[seat] + 0.05 * k))
    return match


def _grey(picture: pygame.Surface) -> np.ndarray:  # type: ignore[type-arg]
    return np.asarray(pygame.surfarray.array3d(picture), dtype=float) @ np.array([0.299, 0.587, 0.114])


@pytest.mark.parametrize("look", ["dark", "high-contrast", "deutan"])
def test_owners_are_distinguishable_without_colour(look: str) -> None:
    palette.set_palette(look)
    try:
        shape = kit(Options()).large
        keys = [palette.seat_key(seat, SEATS) for seat in range(6)]
        for tilt in (0.0, pi / 2.0 + 0.2):
            greys = [_grey(pyramid_sprites.pyramid_sprite(shape, 1200.0, key, tilt, 0.0)) for key in keys]
            for k, one in enumerate(greys):
                for other in greys[:k]:
                    assert np.abs(one - other).max() > 60.0
    finally:
        palette.set_palette("dark")


def test_pose_and_size_of_a_pyramid_are_visible_from_above() -> None:
    shapes = kit(Options())
    upright, lying, over = (pyramid_sprites.pyramid_sprite(shapes.large, 1000.0, "red", t, 0.0) for t in (0.0, 1.9, pi))
    assert (_grey(upright) != _grey(lying)).any()
    assert (_grey(upright) != _grey(over)).any()
    wide = [
        pyramid_sprites.pyramid_sprite(shapes.shape(size), 1000.0, "red", 0.0, 0.0).get_bounding_rect().w
        for size in SIZES
    ]
    assert wide[0] < wide[1] < wide[2]


def test_every_seat_has_its_stash_area_tinted() -> None:
    for options, seats in ((Options(), 4), (Options(table="round"), 6)):
        sat = seat_areas(options, seats)
        outline = initial_scene(options, seats).surface.outline
        for seat in sat:
            line = with_start_lines(initial_scene(options, seats).surface, [seat], SEATS).lines[0]
            clipped = clip_behind_line(outline, line.a, line.b)
            assert is_inside_convex(seat.default_hold, clipped)
            assert not is_inside_convex((0.45, 0.45), clipped)


def test_a_sequence_shows_overlapping_flights_in_launch_order() -> None:
    match = _played(2)
    while match.state.aloft:
        match.play(Wait(until=match.state.ready[match.to_play or 0] + 5.0))
    landed = landings(match)
    film = LaunchSequence(landed[0].before, tuple(landed), tuple(one.launch.time or 0.0 for one in landed))
    first_down = min(start + one.first_contact_time for start, one in zip(film.starts, landed, strict=True))
    t = (max(film.starts) + first_down) / 2.0
    assert max(film.starts) < t < first_down
    flying = [piece.id for piece in film.pieces_at(t) if piece.z > 0.05]
    assert set(flying) == {one.launch.piece for one in landed}
    assert len(flying) == 2
    assert {piece.id for piece in film.pieces_at(film.duration)} == {piece.id for piece in landed[-1].after.pieces}
    names = [name for name, _ in film.sounds_between(-1.0, film.duration + 1.0)]
    assert "snap" in names
    assert "tile" in names
    assert film.sounds_between(film.duration + 1.0, film.duration + 2.0) == []


def test_outcomes_have_rule_ids_and_points_are_those_of_the_rules() -> None:
    match = _played(4)
    outcomes = [one for turn in match.turns for one in launch_log.launch_outcomes(turn)]
    assert outcomes
    for one in outcomes:
        assert one.reasons[0].rule.startswith("ITW-")
        assert one.trajectory.launch.piece in one.reasons[0].text
        assert launch_log.outcome_text(one)
    assert launch_log.turn_text(match.game, match.turns[0]).endswith("stacks medium 1")
    state = match.state
    counted = counted_pieces(state)
    assert tuple(count_of(counted, seat).points for seat in range(2)) == match.rules.provisional_points(state)  # type: ignore[attr-defined]


def test_weak_launches_and_launches_off_the_table_are_reported() -> None:
    scene = initial_scene(Options(), 1)
    grip = LauncherPose(0, launcher_place(seat_areas(Options(), 1)[0]))
    for speed, text in ((1.0, "stays on the launcher"), (6.0, "off the table")):
        match = ice_match("human")
        match.play(Load(piece="red-medium-1"))
        grip.speed = speed
        turn = match.play(grip.make_launch("red-medium-1"))
        assert text in launch_log.outcome_text(launch_log.launch_outcomes(turn)[0])
    assert best_launch([simulate(scene, grip.make_launch("red-medium-1"))]) is None
    canvas = Canvas(pygame.Surface((400, 400)), 1.0)
    panel.draw_recent_launches(canvas, pygame.Rect(0, 0, 160, 90), match, launch_log.launch_outcomes(turn))
    assert " ".join(drawn.text for drawn in canvas.drawn_texts).endswith("medium 1 off the table, used again")


def test_a_launch_is_drawn_at_any_moment() -> None:
    scene = initial_scene(Options(), 1)
    launch = Launch(piece="red-large-1", size="large", hold=(0.45, 0.075), azimuth=pi / 2.0, speed=4.0, owner=0)
    landing = simulate(scene, launch)
    images = []
    for t in (0.0, landing.first_contact_time / 2.0, landing.duration):
        canvas = Canvas(pygame.Surface((500, 260)), 0.8)
        rect = pygame.Rect(10, 30, 480, 220)
        side_view.draw_launch(canvas, rect, landing, t, SEATS, scene.surface, starts_close=True)
        images.append(pygame.image.tobytes(canvas.surface, "RGB"))
    assert len(set(images)) == 3


def test_leaning_pieces_are_connected_to_their_supports() -> None:
    shape = kit(Options()).large
    under = Pyramid(id="red-large-1", size="large", shape=shape, x=0.4, y=0.4, owner=0)
    leaning = Pyramid(
        id="yellow-large-1", size="large", shape=shape, x=0.43, y=0.4, tilt=0.5, heading=pi, owner=1,
        leans_on=("red-large-1",),
    )  # fmt: skip
    drawn = []
    for pieces in ([under, leaning], [under, replace(leaning, leans_on=())]):
        canvas = Canvas(pygame.Surface((300, 300)), 1.0)
        IcePainter(SEATS).draw_pyramids(canvas, Camera((0.41, 0.4), 1500.0, (150.0, 150.0)), pieces)
        drawn.append(pygame.image.tobytes(canvas.surface, "RGB"))
    assert drawn[0] != drawn[1]


def test_the_main_menu_has_an_animated_miniature() -> None:
    small = discover_game_views().view_of(load("ice")).miniature(load("ice"))
    images = []
    for t in np.linspace(0.0, small.sequence.duration, 16):
        canvas = Canvas(pygame.Surface((200, 150)), 1.0)
        small.draw(canvas, pygame.Rect(0, 0, 200, 150), float(t))
        images.append(pygame.image.tobytes(canvas.surface, "RGB"))
    assert images[0] != images[-1]
    assert len(set(images)) > 8  # a missile is out of sight while it passes over what is not shown


def test_turns_are_exported_as_gifs_without_their_numbers_and_positions_as_images(tmp_path: Path) -> None:
    match = _played(3)
    turn = next(turn for turn in match.turns if launch_log.launch_outcomes(turn))
    frames = discover_game_views().view_of(match.game).turn_renderer.frames
    image, other = (next(frames(match.game, [one]))[0] for one in (turn, with_fields(turn, number=turn.number + 7)))
    assert np.array_equal(_grey(image), _grey(other))
    path = gui.save_gif(match.game, [turn], tmp_path / "turn.gif")
    with Image.open(path) as moving:
        assert getattr(moving, "n_frames", 1) >= 5
        assert moving.size == (560, 800)
    assert not list(frames(match.game, match.turns[:2])), "nothing has moved yet"
    both = enumerate((turn.after.scene, turn.result))
    shots = [gui.save_image(shown, tmp_path / f"{k}.png", seats=SEATS) for k, shown in both]
    assert all(pygame.image.load(shot).get_size() == (1000, 1200) for shot in shots)


def test_the_hand_covers_no_numbers_of_the_side_view(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, mark = initial_scene(Options(), 1), (255, 0, 255)
    launch = Launch(piece="red-large-1", size="large", hold=(0.45, 0.075), azimuth=pi / 2.0, speed=4.0, owner=0)
    rect, canvas = pygame.Rect(10, 30, 480, 220), Canvas(pygame.Surface((500, 260)), 1.0)
    monkeypatch.setattr(side_view, "draw_hand", lambda canvas, *_: canvas.surface.fill(mark))
    side_view.draw_launch(canvas, rect, simulate(scene, launch), 0.1, SEATS, scene.surface)
    covered = pygame.mask.from_threshold(canvas.surface, mark, (1, 1, 1)).get_bounding_rects()
    assert covered
    assert all(one.x >= rect.x + 30 and one.bottom <= rect.bottom - 12 for one in covered)


def _landing(tilts: Sequence[tuple[float, float]]) -> LaunchTrajectory:
    """Trajectory of a missile that lands after 0.2 s, tilted at given times [s, degrees past the balance point]."""
    scene: PyramidScene = ice_match("human").state.scene
    launch = Launch(piece="red-small-1", size="small", hold=(0.1, 0.1), azimuth=0.0, speed=2.0, owner=0)
    brink = scene.kit.shape("small").toppling_angle
    times = np.array([t for t, _ in tilts])
    angles = [brink + deg2rad(over) for _, over in tilts]
    sides, axes = ([(cos(a), 0.0, -sin(a)) for a in angles], [(sin(a), 0.0, cos(a)) for a in angles])
    turns = quaternions_from_axes(np.array(sides), np.array(axes))
    track = Track(id=launch.piece, times=times, positions=np.zeros((len(times), 3)), orientations=turns)
    hits = (PyramidCollision(t=0.2, piece=launch.piece, on="surface", point=(0.3, 0.3), height=0.0, speed=1.0),)
    return LaunchTrajectory(
        before=scene,
        launch=launch,
        after=scene,
        events=hits,
        tracks=(track,),
        first_contact_time=0.2,
        duration=float(times[-1]),
    )


def test_only_a_piece_balancing_on_an_edge_is_a_near_topple() -> None:
    rocks = _landing([(0.0, -40.0), (0.2, -40.0), (0.3, -4.0), (0.4, -3.0), (0.5, -40.0)])
    falls = _landing([(0.0, -40.0), (0.2, -40.0), (0.22, 40.0), (0.5, 60.0)])
    close = flights.near_topple_interval(rocks)
    assert 0.2 < close[0] < 0.3
    assert close[1] <= 0.5
    assert flights.near_topple_interval(falls) is None


def test_a_near_topple_is_shown_slowly_unless_skipped_or_motion_is_reduced(app: App) -> None:
    driver = IceDriver(app, ice_match("human"))
    controller = driver.start().controller
    flight = Flight(Launch(piece="x", size="small", hold=(0.1, 0.1), azimuth=0.0, speed=2.0, owner=0), controller.time,
                    _landing([(0.0, 0.0), (2.0, 0.0)]), _landing([(0.0, 0.0), (2.0, 0.0)]))  # fmt: skip
    flight.near_topple = (0.0, 1.0)
    controller.visible.flights.append(flight)
    controller.time += 0.1

    def elapsed(dt: float = 0.04) -> float:
        before = controller.time
        controller.update(dt)
        return controller.time - before

    assert elapsed() == pytest.approx(0.04 * CLOSE_CALL_RATE)
    controller.reduced_motion = True
    assert elapsed() == pytest.approx(0.04)
    controller.reduced_motion = False
    assert controller.is_slowed
    driver.key(pygame.K_f)
    assert not controller.is_slowed


def _standing(owner: int, x: float) -> Pyramid:
    return Pyramid(id=f"{owner}-{x}", size="small", shape=standard_shape("small"), x=x, y=0.4, owner=owner)


def test_gains_and_losses_follow_from_standing_pieces() -> None:
    mine, other = _standing(0, 0.3), _standing(1, 0.5)
    before: CountedPieces = [(mine, 2)]
    after: CountedPieces = [(mine, 0), (other, 3)]
    assert launch_log.score_changes(before, after) == [
        (0, -2, mine.centre_of_mass[:2]),
        (1, 3, other.centre_of_mass[:2]),
    ]
    assert launch_log.score_changes(before, []) == [(0, -2, mine.centre_of_mass[:2])]
    assert launch_log.score_changes(after, after) == []


def test_points_fly_after_a_turn_but_not_after_an_undo(app: App) -> None:
    screen = IceDriver(app, ice_match("human", "human")).start()
    flown: list[object] = []
    screen.effects.fly_score = lambda *args: flown.append(args[:2])  # type: ignore[method-assign]
    controller = screen.controller
    controller.is_paused = True
    for last in (controller.visible.turn_count - 1, controller.visible.turn_count + 1):
        screen.counted_pieces = (last, ())
        standing = [(_standing(1, 0.4), 3)]
        controller.visible.counted_cache = (controller.visible_state, standing)  # as if it had come down
        screen.update(0.0)
        assert flown == [("+3", "yellow")]


def test_bots_aim_visibly_before_they_launch(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    driver, screen = started_match(app, "human", "bot:club")
    controller = screen.controller
    driver.until(lambda: any(flight.start > controller.time for flight in controller.visible.flights_of(1)))
    flight = next(controller.visible.flights_of(1))
    drawn: list[float] = []
    spreads: list[ShotSpread] = []

    def draw(*args: Unchecked) -> None:
        spreads.append(args[3])
        drawn.append(args[-1])

    monkeypatch.setattr(effects, "draw_bot_aim", draw)
    controller.is_paused = True
    for left in (2.0 * BOT_AIM_TIME, BOT_AIM_TIME / 2.0, -0.1):
        controller.time = flight.start - left
        driver.frames(1)
    assert len(drawn) == 1
    assert 0.0 < drawn[0] <= 1.0
    by_speed, by_turn = GRADES["club"].speed_and_azimuth_std(flight.intended)
    spread = (SPREAD_SIGMAS * by_speed, SPREAD_SIGMAS * by_turn)
    assert (spreads[0].speed, spreads[0].azimuth) == pytest.approx(spread), "of a launch, not of a flick"


def test_a_landing_missile_emits_dust(monkeypatch: pytest.MonkeyPatch) -> None:
    bursts: list[tuple[object, ...]] = []
    monkeypatch.setattr(effects, "_draw_burst", lambda _canvas, _center, *drawn: bursts.append(drawn))
    canvas, camera = Canvas(pygame.Surface((40, 30))), Camera((0.0, 0.0), 100.0, (20.0, 15.0))
    effects.draw_impacts(canvas, camera, _landing([(0.0, 0.0), (1.0, 0.0)]).events, 0.25)
    assert bursts == [((1.0 / 1.5) ** 0.6, pytest.approx(0.05 / 0.28), 0, palette.LIGHT_TEXT)]


def test_a_touchpad_key_pulls_like_the_mouse_button(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    driver, screen = started_match(app, "human")
    at = screen.view.area.center
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: at)
    driver.down(MOUSE_KEY)
    assert screen.launcher_control.slingshot.pull is not None
    mouse = (at[0], at[1] + 120)
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: mouse)
    driver.move(mouse)
    driver.up(MOUSE_KEY)
    driver.until(lambda: bool(screen.controller.visible.flights))
    assert screen.launcher_control.slingshot.pull is None


def test_practice_shows_the_points_of_the_referee(app: App) -> None:
    assert panel.practice_summary([], []) == "Nothing launched yet."
    driver, screen = started_match(app, "human", left=2)
    screen.pose.set_strength(0.25)
    screen.launch(0)
    driver.wait_for_landings(1)
    summary = panel.practice_summary(screen.controller.launch_log, screen.controller.visible.counted_pieces)
    points = screen.match.rules.provisional_points(screen.match.state)[0]  # type: ignore[attr-defined]
    assert summary.startswith("1 launched · 1 × ")
    assert summary.endswith(f" · What stands counts {points}.")


def test_particles_end_while_the_game_is_paused(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = IceDriver(app, ice_match("human"))
    controller = driver.start().controller
    landing = _landing([(0.0, 0.0), (1.0, 0.0)])
    controller.visible.flights.append(Flight(landing.launch, controller.time - 0.25, landing, landing))
    controller.is_paused = True
    drawn: list[object] = []
    monkeypatch.setattr(effects, "draw_impacts", lambda *args: drawn.append(args))
    driver.frames(1)
    assert len(drawn) == 1
    controller.phase = "over"
    driver.ice_screen.draw(Canvas(app.surface, app.scale))
    assert len(drawn) == 1
