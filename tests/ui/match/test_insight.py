"""The analyst beside a table: the bar and the map, where that is fair."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import hypot
from typing import Any, ClassVar, Generic, TypeVar

import pygame
import pytest

from flicksim.drawing import Camera
from flicksim.play import Appraisal, Match, appraising, expected, showing
from flicksim.players import Chart, Weighed, Weighing, Worth
from flicksim.referee import Purpose
from flicksim.table import Flick, Motion
from flicksim.ui.frame.app import App
from flicksim.ui.kit import language, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.match import insight, worths
from flicksim.ui.table import standing
from flicksim.ui.table.playback import Playback

from ..conftest import Driver, looked_through, match_of, table

EDGE = ((0.0, 0.0), (0.3, 0.0), (0.3, 0.8), (0.0, 0.8))


def _until(drive: Driver, true: Callable[[], bool]) -> None:
    for _ in range(3000):
        drive.frames(2, 0.1)
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


def test_at_a_table_with_people_the_analyst_keeps_silent_and_says_why(app: App, drive: Driver) -> None:
    screen = table(app, match_of("human", "bot:beginner"))
    app.show(screen)
    drive.key(pygame.K_F7)
    assert not screen.insight.on
    assert app.notice.startswith("What the position is worth is told where bots play")


def test_where_only_bots_play_the_bar_tells_the_chance_of_both_sides(app: App, drive: Driver) -> None:
    screen = table(app, match_of("bot:beginner", "bot:beginner", options=("ends=1",)))
    app.show(screen)
    screen.course.paused = True
    drive.frames()
    room = screen.view.area.x
    drive.key(pygame.K_F7)
    assert screen.view.area.x > room, "the bar has room of its own"
    _until(drive, lambda: bool(screen.insight.shares()))
    first, other = screen.insight.shares()
    assert first.chance + other.chance == pytest.approx(1.0)
    assert first.low <= first.chance <= first.high
    drive.key(pygame.K_F7)
    assert not screen.insight.on


def test_looking_through_a_game_the_best_flicks_are_mapped_and_one_is_shown(app: App, drive: Driver) -> None:
    match = match_of("bot:beginner", "bot:beginner", options=("ends=1", "pennies=1"))
    made = [match.play(match.ask()) for _ in range(3)]
    screen = looked_through(app, match.game, made)
    app.show(screen)
    drive.key(pygame.K_v)
    drive.key(pygame.K_F8)
    assert screen.at_rest, "the table lies as it did before the turn"
    _until(drive, lambda: not screen.insight.busy)
    assert screen.insight.says == ""
    chosen = screen.insight.best[0].action
    drive.key(pygame.K_v)
    _until(drive, lambda: isinstance(screen.playback, Playback) and screen.playback.motion.flick == chosen)
    assert isinstance(screen.playback.motion, Motion)


def test_a_way_ends_at_the_edge_of_the_table() -> None:
    begin = (0.15, 0.04)
    assert worths.kept((begin, (0.15, 0.5)), EDGE) == (begin, (0.15, 0.5))
    assert worths.kept((begin, (0.15, 1.6)), EDGE)[1] == pytest.approx((0.15, 0.8), abs=1e-3)


def test_a_map_is_laid_where_its_flicks_would_end_and_no_farther_than_the_table_goes() -> None:
    flick = Flick(piece="blue-1", speed=1.0, azimuth=1.57, start=(0.15, 0.04))
    chart = Chart(action=flick, speeds=(0.8, 1.0, 1.2), azimuths=(1.4, 1.57, 1.7), chance=((0.1,) * 3,) * 3, shots=9)
    whole = worths.Spread(chart, ((0.15, 0.04), (0.15, 0.3)), EDGE)
    assert whole.near == pytest.approx(1.0)
    assert whole.way[1] == pytest.approx((0.15, 0.3))
    nearer = worths.Spread(chart, ((0.15, 0.04), (0.15, 0.78)), EDGE)
    assert nearer.near < 0.75
    assert hypot(nearer.way[1][0] - 0.15, nearer.way[1][1] - 0.04) < 0.6


def test_the_scale_of_a_map_reaches_to_the_chance_of_its_own_flick() -> None:
    flick = Flick(piece="blue-1", speed=1.0, azimuth=1.57, start=(0.15, 0.04))
    chart = Chart(
        action=flick, speeds=(0.8, 1.0, 1.2), azimuths=(1.4, 1.57, 1.7), chance=((0.2, 0.3, 0.4),) * 3, shots=9
    )
    spread = worths.Spread(chart, ((0.15, 0.04), (0.15, 0.3)), EDGE)
    spread.hold_against(0.35)
    assert (spread.low, spread.high, spread.best) == (0.2, 0.4, 0.35)
    spread.hold_against(0.5)
    assert (spread.low, spread.high) == (0.2, 0.5)
    assert spread.shade(0.5) == worths.WARM


T = TypeVar("T")


class _Asked(Generic[T]):
    """Work that is only asked for."""

    every: ClassVar[list[_Asked[object]]] = []

    def __init__(self, _ready: Callable[[], None]) -> None:
        self.every.append(self)
        self.told: list[object] = []
        self.done, self.wrong, self.waits, self.settled = True, "", False, 0
        self.asked: list[object] = []

    def ask(self, tell: object, *_given: object) -> None:
        self.done = False
        self.asked.append(tell)

    def update(self) -> None:
        """Nothing is told by itself."""

    def drop(self) -> None:
        self.done = True

    def leave(self) -> None:
        self.drop()


def _beside(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[_Asked[object]], Match]:
    """The analyst of a game, its bar on, and all it asks of others."""
    monkeypatch.setattr(insight, "Apart", _Asked)
    monkeypatch.setattr(_Asked, "every", works := [])
    match = match_of("bot:beginner", "bot:beginner", options=("ends=1", "pennies=1"))
    match.play(match.ask())
    one = insight.Insight(match.game)
    one.bar = True
    return one, works, match


def test_until_shots_are_settled_it_says_what_it_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = ["Getting bots ready, once: 2 of 22 parts."]
    _, _, match = _beside(monkeypatch)
    one = insight.Insight(match.game, waits=lambda: compiler[0])
    one.bar, work = True, _Asked.every[-2]
    one.look(match.state, 1.0)
    for waits in (True, False):  # it may have begun, and still load what is compiled
        work.waits = waits
        assert one.says == "The analyst waits for the compiler. Getting bots ready, once: 2 of 22 parts."
        assert one.measure is None
    compiler[0] = ""
    assert one.says == "The analyst is starting ..."
    work.settled = 40
    assert one.says == "The position is being weighed ..."
    assert one.measure is not None
    assert one.measure[0] == 40


def test_a_position_that_was_left_and_comes_back_is_asked_about_again(monkeypatch: pytest.MonkeyPatch) -> None:
    one, (work, _), match = _beside(monkeypatch)
    one.look(match.state, 1.0)
    assert work.asked == [appraising]
    one.look(None, 1.0)
    assert work.done
    assert one.shares() == ()
    one.look(match.state, 1.0)
    assert work.asked == [appraising] * 2


def test_bots_wait_with_their_flick_for_the_map_of_the_position(
    app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(insight, "Apart", _Asked)
    monkeypatch.setattr(_Asked, "every", [])
    screen = table(app, match_of("bot:beginner", "bot:beginner", options=("ends=1", "pennies=1")))
    app.show(screen)
    drive.key(pygame.K_F8)
    _until(drive, lambda: screen.course.aimed is not None)
    assert screen.course.lingers
    drive.frames(20, 0.1)
    assert screen.course.stage == "think", "nobody flicks before the map is there"
    monkeypatch.setattr(insight.Insight, "seen", property(lambda _: True))
    _until(drive, lambda: screen.course.stage != "think")
    assert "N next flick" in screen.can()


def test_what_is_shown_leaves_the_weighing_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    one, (work, maker), match = _beside(monkeypatch)
    one.look(match.state, 1.0)
    worth = Worth(chance=0.5, low=0.4, high=0.6, points=0.0, give=0.1, tries=10)
    plan = Weighed(action=Flick(piece="white", speed=1.0, azimuth=1.57), worth=worth)
    weighing = Weighing(seat=match.to_play or 0, best=(plan,), sure=False, shots=10, each=1.0)
    work.told = [Appraisal(weighing=weighing, guessed=False)]
    one.look(match.state, 0.1)
    assert len(one.shares()) == 2
    assert one.show()
    assert (work.asked, work.done) == ([appraising], False), "it is still weighed with more shots"
    assert maker.asked == [showing]
    assert one.says == "The shot is worked out ..."
    assert one.making
    one.call_off()
    assert (one.making, one.motion()) == (False, None)
    assert one.show()
    maker.told, maker.done = ["motion"], True
    assert (one.motion(), one.motion()) == ("motion", None)
    assert one.says == "It is weighed with more shots ..."


@pytest.mark.parametrize(("high", "said"), [(400, 3), (45, 2), (20, 1)])
def test_a_flick_says_what_it_is_for_before_its_numbers_as_far_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch, high: int, said: int
) -> None:
    one, (work, _), match = _beside(monkeypatch)
    one.look(match.state, 1.0)
    worth = Worth(chance=0.5, low=0.4, high=0.6, points=0.0, give=0.1, tries=10)
    plans = tuple(Weighed(action=Flick(piece="white", speed=s, azimuth=1.57), worth=worth) for s in (1.0, 1.2))
    weighing = Weighing(seat=match.to_play or 0, best=plans, sure=False, shots=10, each=1.0)
    guard = Purpose(kind="guard", of=("white",), says="guard the white")
    work.told, work.done = [Appraisal(weighing=weighing, guessed=False, purposes=(guard, None))], True
    one.look(match.state, 0.1)
    canvas, told = Canvas(pygame.Surface((400, 600)), 1.0), list[tuple[str, int]]()
    paragraph = Canvas.paragraph

    def noted(self: Canvas, text: str, rect: pygame.Rect, *given: Any, **more: Any) -> int:
        end = paragraph(self, text, rect, *given, **more)
        told.append((text, end))
        return end

    monkeypatch.setattr(Canvas, "paragraph", noted)
    rect = pygame.Rect(0, 0, 300, high)
    one.tell(canvas, rect)
    numbers = [standing.action(plan.action) for plan in plans]
    assert [text for text, _ in told[:3]] == ["guard the white", *numbers][:said]
    assert all(end <= rect.bottom for _, end in told)


def test_words_of_the_analyst_have_german() -> None:
    lines = [
        "The position is being weighed ...", "The map is being drawn ...", "It is weighed with more shots ...",
        "Before the turn", "Chance to win when it is meant so", "Drawn nearer: some would leave the table.",
        "The shot is worked out ...", "No map is shown while all launch at once.",
        "Nothing can be worked out here: cannot allocate memory.", "The process that works it out has ended.",
        "The game is over there, and nobody is to play.",
        "1.20 to 1.60 m/s, 80° to 97°", "F7 worth", "F7 worth off", "F8 map",
        "F8 map off", "N next flick", "V shows it",
        "Red small 1 launched at 2.57 m/s, 84.0°",
    ]  # fmt: skip
    assert language.use("de") == ""
    try:
        assert [line for line in lines if language.said(line) == line] == []
    finally:
        language.use("en")


def test_how_far_the_weighing_is_stands_in_shots_and_a_piece_in_hand_calls_it_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, (work, _), match = _beside(monkeypatch)
    one.look(match.state, 1.0)
    soonest, most = expected(match.game, mapped=False)
    work.settled = 1
    assert (one.measure, soonest < most) == ((1, soonest), True)
    work.settled = soonest // 2
    assert one.measure == (soonest // 2, soonest)
    work.settled = soonest + 1
    assert one.measure == (soonest + 1, most), "it is not sure enough yet"
    one.hold()
    assert work.done, "nobody waits for what is moved away"
    one.look(match.state, 0.1)
    assert work.asked == [appraising]
    one.look(match.state, 1.0)
    assert work.asked == [appraising] * 2
    work.done = True
    one.look(match.state, 0.1)
    assert one.measure is None


def test_labels_of_arrows_are_clear_of_arrows_and_of_one_another() -> None:
    area = pygame.Rect(0, 0, 800, 600)
    drawn = [
        worths.Arrow((400.0, 500.0), end, (255, 255, 255), "1: 70%")
        for end in ((300.0, 100.0), (308.0, 104.0), (420.0, 120.0))
    ]
    taken: list[pygame.Rect] = []
    for one in drawn:
        taken.append(worths.clear_place(one, (50, 16), drawn, taken, area, 5))
    for plate in taken:
        assert area.contains(plate)
        assert not any(plate.clipline(one.here, one.end) for one in drawn)
        assert len(plate.collidelistall(taken)) == 1, "only itself"


def test_a_map_stands_out_from_wood_and_cloth() -> None:
    flick = Flick(piece="blue-1", speed=1.0, azimuth=1.57, start=(0.15, 0.04))
    chart = Chart(
        action=flick, speeds=(0.8, 1.0, 1.2), azimuths=(1.4, 1.57, 1.7), chance=((0.2, 0.3, 0.4),) * 3, shots=9
    )
    spread = worths.Spread(chart, ((0.15, 0.04), (0.15, 0.3)), EDGE)
    shades = [spread.shade(0.2 + 0.02 * k) for k in range(11)]
    bright = [0.3 * r + 0.59 * g + 0.11 * b for r, g, b in shades]
    assert bright == sorted(bright), "brighter is better"
    for ground in (*palette.BOARDS.values(), palette.FELT, palette.CLOTH):
        for shade in shades:
            assert sum(abs(a - b) for a, b in zip(ground, shade, strict=True)) > 80, (ground, shade)


def test_a_map_of_a_short_toss_is_drawn_by_itself_where_it_covers_no_piece() -> None:
    launch = Flick(piece="blue-1", speed=1.0, azimuth=1.57, start=(0.15, 0.04))
    chart = Chart(
        action=launch, speeds=(0.8, 1.0, 1.2), azimuths=(1.4, 1.57, 1.7), chance=((0.2, 0.3, 0.4),) * 3, shots=9
    )
    camera = Camera(centre=(0.15, 0.4), zoom=700.0, middle=(400.0, 300.0))
    far, short = (worths.Spread(chart, ((0.15, 0.04), (0.15, 0.04 + way)), EDGE) for way in (0.4, 0.02))
    canvas = Canvas(pygame.Surface((800, 600)), 1.0)
    canvas.said = []
    assert not far.small(canvas, camera)
    assert short.small(canvas, camera)
    short.hold_against(0.35)
    corner = short.inset(canvas, camera, [])
    assert canvas.surface.get_rect().contains(corner)
    assert short.inset(canvas, camera, [corner.center]) != corner, "a piece lies there"
    words = [one.text for one in canvas.said]
    for text in ("The map, larger", "m/s", "direction", "0.80", "1.20", "80°", "this flick 35%"):
        assert text in words
