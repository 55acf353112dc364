"""Position editor: place, drag and remove pieces; validation, saving and sharing."""

from math import dist
from pathlib import Path

import numpy as np
import pygame
import pytest

from flicksim import games
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action, SimulationResult
from flicksim.games import load, names
from flicksim.gui.app import App
from flicksim.gui.match.edited_position import plain_message
from flicksim.gui.match.position_analysis import BACK_HELP
from flicksim.gui.match.position_editor import EDITOR_KEYS, PositionEditorScreen
from flicksim.gui.toolkit import Canvas, Field, clipboard, translation
from flicksim.match import decode_share_code, simulate_intended
from flicksim.scene import Flick, Piece

from ..conftest import Driver, Editors


def _drag(drive: Driver, screen: PositionEditorScreen, a: Point, b: Point) -> None:
    camera = screen.view.camera
    drive.press(camera.to_screen(a))
    drive.move(camera.to_screen(b))
    drive.release(camera.to_screen(b))


@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks", "ice"])
def test_the_table_fills_its_area(name: str, editors: Editors) -> None:
    screen = editors.open(name)
    view, outline = screen.view, screen.edited.scene.surface.outline
    xs, ys = zip(*view.camera.points_to_screen(outline), strict=True)
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    assert view.area.contains(pygame.Rect(left, top, right - left, bottom - top))
    assert max((right - left) / view.area.w, (bottom - top) / view.area.h) > 0.8


def test_a_penny_is_dragged_evaluated_and_removed(editors: Editors, drive: Driver) -> None:
    screen = editors.open("penny-white")
    red = screen.edited.scene.piece("red-1")
    _drag(drive, screen, red.position, (0.2, 0.5))
    assert screen.edited.scene.piece("red-1").position == pytest.approx((0.2, 0.5), abs=1e-3)
    assert editors.analysed[-1] is screen.edited.state
    assert screen.edited.selected == "red-1"
    drive.key(pygame.K_DELETE)
    assert not screen.edited.scene.has("red-1")
    drive.key(pygame.K_u)
    assert screen.edited.scene.has("red-1")
    _drag(drive, screen, (0.2, 0.5), (0.2, 0.9))
    assert not screen.edited.scene.has("red-1"), "off the board it is taken away"


def test_a_press_gives_the_keys_back_and_a_drag_holds_the_analysis_up(
    editors: Editors, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = editors.open("penny-white")
    deferred = list[bool]()
    monkeypatch.setattr(screen.analysis, "defer", lambda: deferred.append(True))
    drive.key(pygame.K_TAB)
    assert screen.form.focus is not None
    x, y = screen.view.camera.to_screen(screen.edited.scene.piece("red-1").position)
    drive.press((x, y))
    assert screen.form.focus is None
    drive.frames()
    assert not deferred, "nothing is moved yet"
    drive.move((x + 40, y))
    assert deferred
    drive.release((x + 40, y))
    deferred.clear()
    drive.frames()
    assert not deferred


def test_an_invalid_position_is_explained_and_not_evaluated(editors: Editors, app: App, drive: Driver) -> None:
    screen = editors.open("penny-white")
    _drag(drive, screen, screen.edited.scene.piece("red-1").position, screen.edited.scene.piece("blue-1").position)
    drive.frames()
    assert screen.edited.error == "Blue 1 and Red 1 lie in the same place. Drag one of them aside."
    assert screen.edited.state is None
    for key in (pygame.K_c, pygame.K_s, pygame.K_p):
        app.show_notice("")
        drive.key(key)
        assert app.top is screen, "what cannot be is neither shared nor played"
        assert app.notice.text == screen.edited.error
    assert editors.analysed[-1] is None
    drive.key(pygame.K_u)
    assert screen.edited.error == ""


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        ("'blue-2' goes through the pot's wall; it would be clear of it 1.925 mm farther out", "the wall of the pot"),
        ("'white' at (0.5, 0.46) m has its centre off the surface", "The white lies off the table."),
        ("'red-1' is none of these", "Red 1"),
    ],
)
def test_errors_have_no_ids_or_raw_numbers(problem: str, says: str) -> None:
    told = plain_message(problem)
    assert says in told
    assert not {"mm", "blue-2", "(0.5"} & set(told.split())
    assert told.endswith(".")


def test_keys_add_move_and_flip_pieces_as_long_as_there_is_room(
    editors: Editors, app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = editors.open("penny-white")
    drive.key(pygame.K_a)
    assert screen.edited.selected == "blue-2"
    x, y = screen.edited.scene.piece("blue-2").position
    drive.key(pygame.K_UP)
    moved = screen.edited.scene.piece("blue-2").position
    assert (abs(moved[0] - x) + abs(moved[1] - y)) * 1000.0 == pytest.approx(5.0, abs=0.2)
    drive.key(pygame.K_o)
    assert app.notice.text == "It is the same the other way up."
    before = screen.game.rules.to_play(screen.edited.state)
    drive.key(pygame.K_t)
    assert screen.game.rules.to_play(screen.edited.state) != before
    monkeypatch.setattr(screen, "max_radius", lambda: 1.0)
    full = screen.edited.position
    drive.key(pygame.K_a)
    assert screen.edited.position == full
    assert app.notice.text == "There is no room for another piece: drag one aside."


def test_winks_can_be_placed_squopping_and_potted(editors: Editors) -> None:
    screen = editors.open("tiddlywinks")
    under = screen.edited.scene.piece("green-3").position
    screen.edited.place_piece("blue-3", (under[0] + 0.004, under[1]))
    assert screen.edited.error == ""
    assert screen.edited.scene.piece("blue-3").lies_on == ("green-3",)
    screen.edited.place_piece("red-3", screen.edited.scene.surface.pot.position)
    assert "red-3" in screen.edited.state.book.potted
    screen.edited.place_piece("yellow-1", (0.3, 0.2))
    assert screen.edited.state.book.in_play("yellow-1")
    screen.edited.replace(screen.game.position_editor.remove_piece(screen.edited.position, "yellow-1"))
    assert not screen.edited.state.book.in_play("yellow-1")


def test_the_end_of_a_shown_candidate_stays_until_a_key_or_a_click(
    editors: Editors, app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = editors.open("penny-white")
    flick = Flick(piece="red-1", speed=0.6, azimuth=1.0)
    asked: list[SimulationResult] = []
    (account,) = simulate_intended("penny-white", screen.edited.state, flick)

    def show() -> bool:
        asked.append(account)
        return True

    monkeypatch.setattr(screen.analysis, "simulate_candidate", show)
    monkeypatch.setattr(screen.analysis, "take_trajectory", lambda: asked.pop() if asked else None)
    drive.frames()
    state = screen.edited.state
    for back in (
        lambda: drive.key(pygame.K_ESCAPE),
        lambda: drive.click(screen.view.unobstructed.center),
        lambda: drive.key(pygame.K_n),
    ):
        drive.key(pygame.K_v)
        assert screen.is_animating
        drive.until(lambda: not screen.is_animating, 0.1)
        drive.frames(40, 0.1)
        assert not screen.is_animating
        assert BACK_HELP in screen.status_line(), "it is still there"
        back()
        drive.frames()
        assert app.top is screen
        assert BACK_HELP not in screen.status_line()
        assert screen.edited.state is state
    drive.key(pygame.K_v)
    assert BACK_HELP in screen.status_line()
    caption = next(said.rect for said in app.tooltips.drawn_texts if said.source.lower() == "drag onto the table")
    drive.press((caption.x + 12, caption.bottom + 20))
    assert screen.held is not None
    assert BACK_HELP not in screen.status_line(), "what is dragged onto the table needs to be seen there"


def test_a_fall_over_the_edge_is_drawn_to_its_end(editors: Editors, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = editors.open("penny-white")
    (result,) = simulate_intended("penny-white", screen.edited.state, Flick(piece="red-1", speed=3.0, azimuth=1.0))
    clock, drawn = screen.make_playback(result), list[float]()
    assert clock is not None
    clock.skip()
    assert clock.duration > clock.motion_duration, "the coin falls"
    radii = list[float]()

    def draw_piece(_canvas: Canvas, _camera: object, piece: Piece, *, is_faded: bool = False, **_more: object) -> None:
        radii.extend([piece.radius] * is_faded)

    with monkeypatch.context() as patch:
        patch.setattr(screen.view.painter, "draw_piece", draw_piece)
        for share in (0.01, 0.5, 0.99):
            t = clock.motion_duration + share * (clock.duration - clock.motion_duration)
            screen.view.painter.draw_trajectory(Canvas(app.surface, 1.0), screen.view.camera, result, t)
    radius = screen.edited.scene.piece("red-1").radius
    assert [at / radius for at in radii] == pytest.approx([1.0, 0.7, 0.4], abs=0.01), "it goes away from the eye"
    monkeypatch.setattr(screen.view.painter, "draw_trajectory", lambda *args: drawn.append(args[-1]))
    screen.draw_playback(Canvas(app.surface, 1.0), screen.view.camera, clock)
    assert drawn == [clock.duration]


@pytest.mark.parametrize("game", ["penny-white", "tiddlywinks", "ice"])
def test_the_close_up_of_a_piece_comes_and_goes(editors: Editors, drive: Driver, game: str) -> None:
    screen = editors.open(game)
    drive.key(pygame.K_a)
    whole = screen.view.whole_camera.zoom
    for is_near in (True, False):
        drive.key(pygame.K_z)
        drive.frames()
        assert screen.is_animating
        drive.frames(40, 0.1)
        assert (screen.view.camera.zoom > 1.1 * whole) is is_near
        assert not screen.is_animating


def test_escape_cancels_a_pending_simulation(editors: Editors, drive: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = editors.open("penny-white")
    making, called_off = [False], list[str]()
    monkeypatch.setattr(type(screen.analysis), "is_busy", property(lambda _: screen.analysis.is_visible))
    monkeypatch.setattr(type(screen.analysis), "is_simulating", property(lambda _: making[0]))
    monkeypatch.setattr(screen.analysis, "cancel_simulation", lambda: called_off.append(screen.status_line()))
    drive.key(pygame.K_v)
    drive.frames()
    assert "Esc calls it off" in screen.status_line(), "no flick is told yet, and one is wished for"
    drive.key(pygame.K_ESCAPE)
    assert (drive.app.top, len(called_off)) == (screen, 1)
    making[0] = True
    assert "Esc calls it off" in screen.status_line(), "the wish has come true, and the shot is worked out"
    drive.key(pygame.K_ESCAPE)
    assert (drive.app.top, len(called_off)) == (screen, 2)
    making[0] = False
    drive.keys(pygame.K_v, pygame.K_F7, pygame.K_F8)
    drive.frames()
    assert "Esc back" in screen.status_line(), "nothing is weighed any more, so nothing is wished for"
    drive.key(pygame.K_ESCAPE)
    assert len(called_off) == 2
    assert not drive.app.running, "it was the only screen"


def test_the_last_position_and_its_undo_stack_are_restored(editors: Editors, app: App, drive: Driver) -> None:
    """An opened position can be undone to the last one."""
    screen = editors.open("penny-white")
    app.push(screen)
    drive.frames()
    drive.keys(pygame.K_a, pygame.K_a, pygame.K_ESCAPE)
    left, first, second = screen.edited.position, *screen.edited.scene.pieces[-2:]
    assert np.hypot(first.x - second.x, first.y - second.y) > first.radius + second.radius, "beside each other"
    setting = load("penny-white").position_editor
    opened = setting.place_piece(setting.empty_position(), "white", (0.1, 0.7))
    other = app.routes.position_editor(app, load("penny-white"), opened)
    assert other.edited.position == opened
    other.edited.undo()
    assert other.edited.position == left
    other.close()
    again = editors.open("penny-white")
    assert again.edited.position == left
    drive.keys(pygame.K_u, pygame.K_u)
    assert again.edited.position == setting.empty_position()


@pytest.mark.parametrize("name", [name for name in games.names() if load(name).uses_physics])
def test_added_pieces_do_not_overlap(name: str, editors: Editors, app: App, drive: Driver) -> None:
    screen = editors.open(name)
    for _ in range(60):
        before = len(screen.edited.scene.pieces)
        drive.key(pygame.K_a)
        if len(screen.edited.scene.pieces) == before:
            break
        places = [piece.position for piece in screen.edited.scene.pieces]
        assert all(dist(places[-1], other) > 0.015 for other in places[:-1])
        assert screen.edited.error == "" or screen.edited.error.endswith("(ITW-4d)."), (
            "at last nobody has a missile left"
        )
    assert app.notice.text == "Every piece is there already: drag it."


def test_the_close_up_is_of_the_pot_or_the_selected_piece(editors: Editors, drive: Driver) -> None:
    screen = editors.open("tiddlywinks")
    view = screen.view
    whole = view.camera.zoom
    for chosen, at in (
        (None, screen.edited.scene.surface.pot.position),
        ("red-3", screen.edited.scene.piece("red-3").position),
    ):
        screen.edited.selected = chosen
        drive.key(pygame.K_z)
        drive.frames(5, 0.2)
        assert view.camera.zoom > 2.0 * whole
        assert view.camera.to_screen(at) == pytest.approx(view.unobstructed.center, abs=2.0)
        drive.key(pygame.K_z)
        drive.frames(5, 0.2)
        assert view.camera.zoom == pytest.approx(whole)


@pytest.mark.parametrize("name", names())
def test_a_position_is_saved_shared_set_up_again_and_played(
    name: str, editors: Editors, app: App, drive: Driver, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    screen = editors.open(name)
    kept = screen.edited.position
    drive.key(pygame.K_s)
    (path,) = home.rglob(f"{name}-0001.json")
    assert screen.game.positions.load(path) == kept
    drive.key(pygame.K_c)
    text = app.top.text
    assert decode_share_code(text).decode()[1] == kept
    app.pop()
    drive.key(pygame.K_t)
    assert screen.edited.position != kept
    for pasted in (text, "nothing"):
        monkeypatch.setattr(clipboard, "paste", lambda pasted=pasted: pasted)
        screen.paste()
        assert screen.edited.position == kept
    assert "is no shared position" in app.notice.text
    drive.key(pygame.K_p)
    assert app.top.match.custom_start.position == kept


def test_every_position_editor_has_a_shot_path(app: App) -> None:
    for name in ("penny-white", "tiddlywinks"):
        game = load(name)
        state = game.positions.to_state(game.position_editor.empty_position())
        action: Action = game.bot.candidates(state, np.random.default_rng(1), 1)[0]
        screen = app.routes.position_editor(app, game, None)
        assert screen.analysis.shot_path(game, state, action) is not None
        screen.close()


@pytest.mark.parametrize("name", names())
def test_labels_of_a_small_window_are_broken_between_words(name: str, editors: Editors, app: App, german: None) -> None:
    del german
    pygame.display.set_mode((800, 600))
    canvas, form = Canvas(app.surface, app.scale), editors.open(name).form
    translation.set_language("de")  # the window has set its own
    for field in (widget for widget in form.widgets if isinstance(widget, Field)):
        available = round(field.rect.w * field.label_fraction) - canvas.px(8)
        assert " ".join(canvas.wrap(field.label, available, 12)) == translation.translate(field.label)


@pytest.mark.usefixtures("german")
def test_position_editor_keys_are_german() -> None:
    assert [row.text for row in EDITOR_KEYS.bindings if translation.translate(row.text) == row.text] == []
