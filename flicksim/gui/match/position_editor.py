"""Position editor (study board) of flicking games: edit a position by hand with live analysis."""

from collections.abc import Callable, Sequence
from math import dist, hypot

import pygame

from flicksim import match
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Position, SimulationResult
from flicksim.core.units import mm
from flicksim.gui.app import App, ShotPath
from flicksim.gui.match.edited_position import EditedScene
from flicksim.gui.match.position_analysis import BACK_HELP, PositionAnalysis, draw_shown_caption
from flicksim.gui.match.study_board import StudyBoardScreen
from flicksim.gui.match.value_overlay import BAR_COLUMN_WIDTH
from flicksim.gui.table_view import Playback, PlaybackClock, TableView
from flicksim.gui.table_view.side_panel import draw_caption
from flicksim.gui.toolkit import KEY_MAPS, Button, Canvas, palette, piece_sprites
from flicksim.referee import Game
from flicksim.render import Camera
from flicksim.scene import Piece, Surface, Trajectory

EDITOR_KEYS = KEY_MAPS["study_board"]
"""Key bindings of the position editor."""
_STATUS_ITEMS = ("Drag pieces", "G piece", "A another", "Arrows move it", "Z nearer", "T to play", "N next flick",
                 "V shows it")  # fmt: skip
_MOVE_STEP, _FINE_STEP = mm(5.0), mm(1.0)
_DEFAULT_RADIUS = mm(16.0)
"""Radius of a piece while the table is empty [m]."""
_CLOSE_UP_WIDTH = 0.4
"""Least width of a close-up [m]."""


class PositionEditorScreen(StudyBoardScreen):
    """Study board of a game of pieces: the table on the left.

    Args:
        game: with a position editor. position: initial one; None for the last one edited, else the game's own.
        view: makes the camera view. shot_path: start and end of a flick [m].
        warmups: of the physics, awaited before the first evaluation.
    """

    edited: EditedScene
    EDITED = EditedScene
    key_map = EDITOR_KEYS

    def __init__(
        self,
        app: App,
        game: Game,
        position: Position | None = None,
        *,
        view: Callable[[Sequence[str], Surface, str], TableView] = TableView,
        shot_path: ShotPath | None = None,
        warmups: Sequence[match.Warmup] = (),
    ) -> None:
        analysis = PositionAnalysis(game, shot_path, *match.wait_for_warmups(*warmups, match.bot_warmup(game)))
        analysis.is_map_visible = True
        buttons = {
            "show": Button("Show me", self.show_candidate, key="V", is_primary=True),
            "take": Button("Take away", self.remove_piece, key="Del"),
        }
        super().__init__(app, game, position, analysis, buttons)
        surface = self.edited.spec.to_scene(self.edited.position).surface
        self.view = view(game.seat_names, surface, "players' edge")
        self._is_demo_requested = False
        """True if a candidate is to be shown as soon as there is one."""
        self._playback: PlaybackClock | None = None
        """Playback of a candidate; its end stays until a key or a click."""
        self._tray: list[tuple[pygame.Rect, str]] = []

    # -- the position ---------------------------------------------------------------------------------------------

    def on_change(self) -> None:
        """Update the fields after a change; end a demonstration."""
        super().on_change()
        self._playback, self._is_demo_requested = None, False

    def _selected_piece(self) -> str | None:
        """Selected piece; with a notice if there is none."""
        if self.edited.selected is None:
            self.app.show_notice("Choose a piece first: click on it, or G.")
        return self.edited.selected

    def remove_piece(self) -> None:
        """Remove the selected piece."""
        if (piece := self._selected_piece()) is not None:
            self.edited.replace(self.edited.spec.remove_piece(self.edited.position, piece))

    def flip_piece(self) -> None:
        """Flip the selected piece."""
        if (piece := self._selected_piece()) is not None:
            flipped = self.edited.spec.flip_piece(self.edited.position, piece)
            if flipped == self.edited.position:
                self.app.show_notice("It is the same the other way up.")
            self.edited.replace(flipped)

    def _add_piece(self) -> None:
        """Place another piece at the free spot nearest to the centre of the view."""
        available = self.edited.spec.available_pieces(self.edited.position)
        center = self.view.camera.to_table(self.view.unobstructed.center)
        if not available:
            self.app.show_notice("Every piece is there already: drag it.")
        elif (spot := self.edited.free_spot(center, self.max_radius())) is None:
            self.app.show_notice("There is no room for another piece: drag one aside.")
        else:
            self.edited.place_piece(available[0], spot)

    def _move_piece(self, dx: int, dy: int, *, is_fine: bool) -> None:
        """Move the selected piece by a step on the screen."""
        edited = self.edited
        if edited.selected is None or edited.selected_position is None:
            return
        x, y = edited.selected_position
        sx, sy = self.view.camera.vector_to_table(dx, dy)
        step = (_FINE_STEP if is_fine else _MOVE_STEP) / max(hypot(sx, sy), 1e-12)
        edited.place_piece(edited.selected, (x + sx * step, y + sy * step))

    def show_candidate(self) -> None:
        """Show the selected candidate without noise."""
        is_started = self.analysis.simulate_candidate()
        self._is_demo_requested = not is_started and not self.edited.error and self.analysis.is_visible
        if self._is_demo_requested:
            self.app.show_notice("It is shown as soon as the first flicks are told.")
        elif not is_started:
            self.app.show_notice(self.edited.error or "Nothing is evaluated while bar and map are off.")

    # -- events, time ---------------------------------------------------------------------------------------------

    def status_line(self) -> str:
        if self._playback is not None:
            return "   ·   ".join(["V shows it again", "N next flick", BACK_HELP, "? help"])
        escape = "Esc calls it off" if self._is_demo_pending else "Esc back"
        return "   ·   ".join([*_STATUS_ITEMS, *self.analysis.key_help, "? help", escape])

    @property
    def _is_demo_pending(self) -> bool:
        """True while a candidate to be shown is not simulated yet."""
        return self._is_demo_requested or self.analysis.is_simulating

    def handle(self, event: pygame.event.Event) -> None:
        if (self._playback is not None or self._is_demo_pending) and self._ends_demo(event):
            self._playback, self._is_demo_requested = None, False
            self.analysis.cancel_simulation()
            return
        if event.type == pygame.KEYDOWN:
            if not self.handle_key(event):
                self.view.handle(event)
            return
        if not ((self.held is None and self.form.handle(event)) or self.handle_drag(event)):
            self.view.handle(event)

    def _ends_demo(self, event: pygame.event.Event) -> bool:
        """Return True if an event ends the demonstration: Esc, or a click on the table while one is shown."""
        if event.type == pygame.KEYDOWN:
            return bool(event.key == pygame.K_ESCAPE)
        is_click = event.type == pygame.MOUSEBUTTONDOWN and event.button == 1
        return self._playback is not None and is_click and self.view.area.collidepoint(event.pos)

    def key_handlers(self, direction: int, *, is_fine: bool) -> dict[str, Callable[[], None]]:
        """Actions of keys on pieces and candidates."""
        return {
            "piece": self.edited.select_next,
            "add": self._add_piece,
            "over": self.flip_piece,
            "next": self.analysis.cycle_candidate,
            "aside": lambda: self._move_piece(direction, 0, is_fine=is_fine),
            "along": lambda: self._move_piece(0, direction, is_fine=is_fine),
            "near": self.toggle_close_up,
        }

    def before_action(self, action: str) -> None:
        """End a demonstration."""
        if action not in ("show", "help"):
            self._playback = None

    def toggle_close_up(self) -> None:
        """Toggle the close-up of the selected piece, of the pot or of the middle of the pieces."""
        view = self.view
        if view.camera.zoom > 1.01 * view.whole_camera.zoom:
            view.animate_to(view.whole_camera)
        elif self.edited.focus is not None:
            view.animate_to(view.camera_for([self.edited.focus], _CLOSE_UP_WIDTH))

    def grab(self, position: tuple[int, int]) -> str | None:
        """Select the piece under the mouse, or take one from the tray."""
        name = next((name for rect, name in self._tray if rect.collidepoint(position)), None)
        if name is None and self.view.area.collidepoint(position):
            name = self.piece_at(self.view.camera.to_table(position))
        if name is not None:
            self._playback = None
        self.edited.selected = name if name is not None and self.edited.scene.has(name) else None
        return name

    def drop(self, held: str, *, is_dragged: bool) -> None:
        """Place a piece where it was dropped; beside the view it is removed."""
        del is_dragged  # it lies under the mouse from the press on
        on_table, was_on_table = self.view.area.collidepoint(self.mouse), self.edited.scene.has(held)
        target = self.view.camera.to_table(self.mouse)
        is_unmoved = was_on_table and dist(target, self.edited.scene.piece(held).position) < mm(1.0)
        if not is_unmoved and (on_table or was_on_table):
            self.edited.place_piece(held, target if on_table else (-1e3, -1e3))

    # -- pieces, overridden by kind of piece -----------------------------------------------------------------------

    def max_radius(self) -> float:
        """Reach of the widest piece from its middle [m]."""
        return max((piece.radius for piece in self.edited.scene.pieces), default=_DEFAULT_RADIUS)

    def piece_at(self, point: Point) -> str | None:
        """Uppermost piece under a point of the table [m]."""
        tolerance = 6.0 * self.app.scale / self.view.camera.zoom
        pieces: Sequence[Piece] = self.edited.scene.pieces
        hits = [piece for piece in pieces if dist(piece.position, point) <= max(piece.radius, tolerance)]
        return max(hits, key=lambda piece: piece.highest).id if hits else None

    def draw_pieces(self, canvas: Canvas, camera: Camera, excluded: str | None) -> None:
        """Draw all pieces but one."""
        pieces = [piece for piece in self.edited.scene.pieces if piece.id != excluded]
        self.view.painter.draw_pieces(canvas, camera, pieces)

    def draw_highlight(self, canvas: Canvas, camera: Camera, name: str) -> None:
        """Highlight a piece."""
        self.view.painter.draw_highlight(canvas, camera, self.edited.scene.piece(name))

    def draw_piece_sprite(self, name: str, size: float) -> pygame.Surface:
        """Sprite of a piece, dragged or in the tray, of at least a size [pixels]."""
        pieces: Sequence[Piece] = self.edited.scene.pieces
        other = pieces[0].radius if pieces else 0.01
        own = next((piece.radius for piece in pieces if piece.id == name), other)
        radius = max(size, own * self.view.camera.zoom) if self.held is not None else size
        kind = "white" if name == "white" else "penny"
        return piece_sprites.piece_sprite(radius, palette.seat_key(None, self.game.seat_names, name), kind, 0.0)

    def make_playback(self, result: SimulationResult) -> PlaybackClock | None:
        """Playback of a result; None if it is no trajectory."""
        return Playback(result, 0) if isinstance(result, Trajectory) else None

    def draw_playback(self, canvas: Canvas, camera: Camera, clock: PlaybackClock) -> None:
        """Draw the present frame of a playback."""
        if isinstance(clock, Playback):
            self.view.painter.draw_trajectory(canvas, camera, clock.trajectory, clock.time)

    # -- time -----------------------------------------------------------------------------------------------------

    @property
    def is_animating(self) -> bool:
        return (self._playback is not None and not self._playback.is_finished) or self.view.is_animating

    def update(self, dt: float) -> None:
        """Collect results of the analysis; advance the playback."""
        super().update(dt)
        analysis = self.analysis
        if self._is_demo_requested and analysis.best_candidates:
            self.show_candidate()
        self._is_demo_requested = self._is_demo_requested and analysis.is_busy
        playback = self.make_playback(analysis.take_trajectory())
        if playback is not None:
            self._playback = playback
        if self._playback is not None:
            self._playback.advance(dt)
        self.view.update(dt)
        self.buttons["show"].enabled = bool(analysis.best_candidates) and self.edited.state is not None
        self.buttons["take"].enabled = self.edited.selected is not None

    # -- drawing --------------------------------------------------------------------------------------------------

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the table on the left, the panel on the right."""
        self.layout_panel(size, scale)
        bar_width = self.analysis.bar_width(scale)
        self.view.set_bare_area(pygame.Rect(bar_width, 0, self.panel.x - bar_width, size[1]), 46 * scale)

    def draw(self, canvas: Canvas) -> None:
        view, playback = self.view, self._playback
        with canvas.clipped(view.area):
            view.draw(canvas)
            if playback is not None:
                self.draw_playback(canvas, view.camera, playback)
                draw_shown_caption(canvas, view.unobstructed, self.analysis.selected)
            else:
                self._draw_pieces(canvas)
        self.analysis.draw_bar(canvas, pygame.Rect(0, view.area.y, canvas.px(BAR_COLUMN_WIDTH), view.area.h))
        self.draw_panel(canvas)
        if self.held is not None:
            sprite = self.draw_piece_sprite(self.held, canvas.px(8))
            canvas.surface.blit(sprite, sprite.get_rect(center=self.mouse))
            canvas.circle(self.mouse, sprite.get_width() / 2.0 + canvas.px(4), palette.HIGHLIGHT, canvas.px(2))

    def _draw_pieces(self, canvas: Canvas) -> None:
        camera, dragged = self.view.camera, self.held
        if dragged is None:
            self.analysis.draw_underlay(canvas, camera)
        self.draw_pieces(canvas, camera, dragged)
        if self.edited.selected is not None and self.edited.selected != dragged:
            self.draw_highlight(canvas, camera, self.edited.selected)
        if dragged is None:
            self.analysis.draw_overlay(canvas, camera)

    def draw_panel_top(self, canvas: Canvas, rect: pygame.Rect) -> int:
        """Draw the pieces that can be placed. Return their lower end [pixels]."""
        self._tray = []
        available = self.edited.spec.available_pieces(self.edited.position)
        if not available:
            return rect.y + canvas.px(4)
        y = draw_caption(canvas, rect, "Drag onto the table")
        sprites = [self.draw_piece_sprite(name, canvas.px(13)) for name in available]
        x, height = rect.x, max(sprite.get_height() for sprite in sprites)
        for name, sprite in zip(available, sprites, strict=True):
            if x + sprite.get_width() > rect.right:
                x, y = rect.x, y + height + canvas.px(6)
            place = sprite.get_rect(midleft=(x, y + height // 2))
            canvas.surface.blit(sprite, place)
            self._tray.append((place.inflate(canvas.px(8), canvas.px(8)), name))
            x = place.right + canvas.px(16)
        return y + height + canvas.px(14)
