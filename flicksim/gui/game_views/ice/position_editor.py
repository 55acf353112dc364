"""Position editor for pyramids: edited from above, with launches shown from above and from the side."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from flicksim.core.geometry import Point
from flicksim.core.type_aliases import SimulationResult
from flicksim.games.ice.position import Position, empty_position
from flicksim.games.ice.table_layout import owner_of, seat_areas, size_of
from flicksim.gui.app.application import App
from flicksim.gui.game_views.ice import pyramid_sprites
from flicksim.gui.game_views.ice.camera_view import IceView, with_start_lines
from flicksim.gui.game_views.ice.flight import SequenceClock, sequence_clock, shot_path
from flicksim.gui.game_views.ice.painter import IcePainter
from flicksim.gui.match.position_editor import PositionEditorScreen
from flicksim.gui.table_view.camera_view import TableView
from flicksim.gui.table_view.playback import PlaybackClock
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.match import PYRAMID_WARMUP
from flicksim.referee import Game
from flicksim.render import Camera
from flicksim.scene import Pyramid, Surface


class _WholeTableView(IceView):
    """View of the whole table without a close-up or a side view."""

    is_table_only = True

    def fit_table(self) -> None:
        """Show the whole table, centred."""
        TableView.fit_table(self)
        self._whole_camera, self._target, self._magnifier_rect = self.camera, None, None


class IcePositionEditor(PositionEditorScreen):
    """Position editor of a game of pyramids (see `PositionEditorScreen`)."""

    view: IceView

    def __init__(self, app: App, game: Game, position: Position | None = None) -> None:
        shown_position = position if position is not None else empty_position()
        seats = seat_areas(shown_position.options, len(shown_position.left))

        def view(names: Sequence[str], surface: Surface, corner: str) -> TableView:
            del corner
            lined = with_start_lines(surface, seats, names)
            return _WholeTableView(names, lined, unmarked_lines=not shown_position.options.markers)

        self._painter = IcePainter(game.seat_names)
        super().__init__(app, game, position, view=view, shot_path=shot_path, warmups=(PYRAMID_WARMUP,))

    def max_radius(self) -> float:
        """Radius of the largest piece, standing or lying [m]."""
        return float(self.edited.scene.kit.large.bounding_radius)

    def piece_at(self, point: Point) -> str | None:
        """Uppermost piece under a point of the table [m]."""
        x, y = self.view.camera.to_screen(point)
        piece = self.view.piece_at((round(x), round(y)), self.edited.scene.pieces)
        return piece.id if piece is not None else None

    def draw_pieces(self, canvas: Canvas, camera: Camera, excluded: str | None) -> None:
        """Draw all pieces but the excluded one."""
        self._painter.draw_pyramids(
            canvas, camera, [piece for piece in self.edited.scene.pieces if piece.id != excluded]
        )

    def draw_highlight(self, canvas: Canvas, camera: Camera, name: str) -> None:
        """Draw an outline around a piece."""
        self._painter.draw_outline(canvas, camera, self.edited.scene.piece(name), palette.HIGHLIGHT, 4.0)

    def draw_piece_sprite(self, name: str, size: float) -> pygame.Surface:
        """Draw a piece seen from above: as it lies, or upright as it is brought in."""
        piece: Pyramid | None = next((one for one in self.edited.scene.pieces if one.id == name), None)
        shape = self.edited.scene.kit.shape(size_of(name))
        tilt, heading = (piece.tilt, piece.heading) if piece is not None else (0.0, 0.0)
        largest = self.edited.scene.kit.large.base
        key = palette.seat_key(owner_of(name), self.game.seat_names)
        zoom = max(self.view.camera.zoom, 2.0 * size / largest)
        sprite = pyramid_sprites.top_sprite(shape, zoom, key, tilt, heading + self.view.camera.rotation)
        return sprite.subsurface(sprite.get_bounding_rect())

    def make_playback(self, result: SimulationResult) -> PlaybackClock | None:
        """Playback of a launch."""
        return sequence_clock(result, 0)

    def draw_playback(self, canvas: Canvas, camera: Camera, clock: PlaybackClock) -> None:
        """Draw the pieces during a launch."""
        if isinstance(clock, SequenceClock):
            self._painter.draw_sequence(canvas, camera, clock.sequence, clock.sequence_time)
