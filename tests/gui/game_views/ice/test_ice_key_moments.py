"""Tests of key moments of pyramid games: score gains, slow motion near toppling, aims of bots, impacts."""

from collections.abc import Sequence
from math import cos, sin

import numpy as np
import pygame
import pytest

from flicksim.ai import GRADES
from flicksim.core.type_aliases import Unchecked
from flicksim.core.units import deg2rad
from flicksim.gui.app import App
from flicksim.gui.game_views.ice import flight as flights
from flicksim.gui.game_views.ice import launch_log, panel
from flicksim.gui.game_views.ice.flight import Flight
from flicksim.gui.game_views.ice.launch_log import CountedPieces
from flicksim.gui.match.match_controller import BOT_AIM_TIME
from flicksim.gui.table_view import ShotSpread, effects
from flicksim.gui.table_view.gestures import SPREAD_SIGMAS
from flicksim.gui.table_view.playback import CLOSE_CALL_RATE
from flicksim.gui.table_view.slingshot import MOUSE_KEY
from flicksim.gui.toolkit import Canvas, palette
from flicksim.render import Camera
from flicksim.scene import Launch, LaunchTrajectory, Pyramid, PyramidScene
from flicksim.scene.launch_trajectory import PyramidCollision, Track
from flicksim.scene.orientation import quaternions_from_axes
from flicksim.scene.pyramid import standard_shape

from ...ice_helpers import IceDriver, ice_match, started_match


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
