"""The table of pyramids in sight and sound: points fly, missiles that totter are slow, bots aim, dust flies."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin

import numpy as np
import pygame
import pytest

from flicksim.base.units import degrees
from flicksim.table import Landing, Launch, Pyramid, PyramidScene
from flicksim.table.attitude import turn_of
from flicksim.table.landing import Hit, Track
from flicksim.table.pyramid import shape_of
from flicksim.ui.faces.ice import film, moments, panel
from flicksim.ui.faces.ice.count import Counted
from flicksim.ui.faces.ice.flight import Flight
from flicksim.ui.frame.app import App
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.match.course import AIMING
from flicksim.ui.table import effects
from flicksim.ui.table.as_button import KEY
from flicksim.ui.table.playback import SLOW

from ...at_ice import IceHands, ice_match


def _landing(tilts: Sequence[tuple[float, float]]) -> Landing:
    """A missile that comes down after .2 s and is tilted so at these times [s, degrees over the brink]."""
    scene: PyramidScene = ice_match("human").state.scene
    launch = Launch(piece="red-small-1", size="small", hold=(0.1, 0.1), azimuth=0.0, speed=2.0, owner=0)
    brink = scene.kit.shape("small").topple
    times = np.array([t for t, _ in tilts])
    angles = [brink + degrees(over) for _, over in tilts]
    turns = np.array([turn_of((cos(a), 0.0, -sin(a)), (sin(a), 0.0, cos(a))) for a in angles])
    track = Track(id=launch.piece, times=times, middles=np.zeros((len(times), 3)), turns=turns)
    hits = (Hit(t=0.2, piece=launch.piece, on="surface", point=(0.3, 0.3), height=0.0, speed=1.0),)
    return Landing(before=scene, launch=launch, after=scene, events=hits, tracks=(track,), down=0.2,
                   duration=float(times[-1]))  # fmt: skip


def test_what_stays_on_the_brink_totters_and_what_only_falls_over_does_not() -> None:
    rocks = _landing([(0.0, -40.0), (0.2, -40.0), (0.3, -4.0), (0.4, -3.0), (0.5, -40.0)])
    falls = _landing([(0.0, -40.0), (0.2, -40.0), (0.22, 40.0), (0.5, 60.0)])
    close = moments.totters(rocks)
    assert close is not None
    assert 0.2 < close[0] < 0.3
    assert close[1] <= 0.5
    assert moments.totters(falls) is None


def test_what_totters_is_shown_slowly_once_unless_one_hurries_or_likes_it_calm(app: App) -> None:
    hands = IceHands(app, ice_match("human"))
    course = hands.begin().course
    flight = Flight(Launch(piece="x", size="small", hold=(0.1, 0.1), azimuth=0.0, speed=2.0, owner=0), course.now,
                    _landing([(0.0, 0.0), (2.0, 0.0)]), _landing([(0.0, 0.0), (2.0, 0.0)]))  # fmt: skip
    flight.close = (0.0, 1.0)
    course.flights.append(flight)
    course.now += 0.1

    def gone(dt: float = 0.04) -> float:
        before = course.now
        course.update(dt)
        return course.now - before

    assert gone() == pytest.approx(0.04 * SLOW)
    course.calm = True
    assert gone() == pytest.approx(0.04)
    course.calm = False
    assert course.slowed
    hands.key(pygame.K_f)
    assert not course.slowed


def _standing(owner: int, x: float) -> Pyramid:
    return Pyramid(id=f"{owner}-{x}", size="small", shape=shape_of("small"), x=x, y=0.4, owner=owner)


def test_what_comes_to_stand_wins_and_what_stands_no_more_loses() -> None:
    mine, other = _standing(0, 0.3), _standing(1, 0.5)
    before: Counted = [(mine, 2)]
    after: Counted = [(mine, 0), (other, 3)]
    assert moments.won(before, after) == [(0, -2, mine.centre[:2]), (1, 3, other.centre[:2])]
    assert moments.won(before, []) == [(0, -2, mine.centre[:2])]
    assert moments.won(after, after) == []


def test_points_fly_to_the_card_when_a_turn_becomes_known_and_not_when_it_is_taken_back(app: App) -> None:
    screen = IceHands(app, ice_match("human", "human")).begin()
    flown: list[object] = []
    screen.effects.fly = lambda *told: flown.append(told[:2])  # type: ignore[method-assign]
    course = screen.course
    course.paused = True
    for last in (course.known - 1, course.known + 1):
        screen.counted = (last, ())
        course.counted = (course.state, [(_standing(1, 0.4), 3)])  # as if it had come down
        screen.update(0.0)
        assert flown == [("+3", "yellow")]


def test_bots_are_seen_to_aim_before_they_launch(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = IceHands(app, ice_match("human", "bot:club"))
    screen = hands.begin()
    course = screen.course
    hands.wait(lambda: any(flight.launch.owner == 1 and flight.start > course.now for flight in course.flights))
    flight = next(flight for flight in course.flights if flight.launch.owner == 1)
    assert flight.meant is not None
    drawn: list[float] = []
    monkeypatch.setattr(effects, "drawn_out", lambda *args: drawn.append(args[-1]))
    course.paused = True
    for left in (2.0 * AIMING, AIMING / 2.0, -0.1):
        course.now = flight.start - left
        hands.frames(1)
    assert len(drawn) == 1
    assert 0.0 < drawn[0] <= 1.0


def test_dust_flies_where_a_missile_comes_down() -> None:
    landing = _landing([(0.0, 0.0), (1.0, 0.0)])
    [met] = film.met(landing, 0.25)
    assert (met.since, met.soft, met.speed) == (pytest.approx(0.05), True, 1.0)


def test_a_touchpad_key_draws_back_as_the_button_does(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = IceHands(app, ice_match("human"))
    screen = hands.begin()
    at = screen.view.area.center
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: at)
    hands.down(KEY)
    assert screen.hands.pull is not None
    there = (at[0], at[1] + 120)
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: there)
    hands.move(there)
    hands.up(KEY)
    hands.wait(lambda: bool(screen.course.flights))
    assert screen.hands.pull is None


def test_practising_says_what_the_referee_has_counted(app: App) -> None:
    assert panel.practised([], []) == "Nothing launched yet."
    hands = IceHands(app, ice_match("human", left=2))
    screen = hands.begin()
    screen.grip.charge(0.25)
    screen.flick(0)
    hands.landed(1)
    words = panel.practised(screen.course.log_lines, screen.course.counting)
    points = screen.match.rules.standing(screen.match.state)[0]  # type: ignore[attr-defined]
    assert words.startswith("1 launched · 1 × ")
    assert words.endswith(f" · What stands counts {points}.")


def test_no_spark_is_left_over_a_table_whose_clock_stands_still(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = IceHands(app, ice_match("human"))
    course = hands.begin().course
    landing = _landing([(0.0, 0.0), (1.0, 0.0)])
    course.flights.append(Flight(landing.launch, course.now - 0.25, landing, landing))
    course.paused = True
    drawn: list[object] = []
    monkeypatch.setattr(effects, "sparks", lambda *args: drawn.append(args))
    hands.frames(1)
    assert len(drawn) == 1
    course.stage = "over"
    hands.ice.draw(Canvas(app.surface, app.scale))
    assert len(drawn) == 1
