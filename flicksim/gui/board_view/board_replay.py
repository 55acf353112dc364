"""Replay screen of a board, with a close-up where a board that lies on its side leaves room."""

import pygame

from flicksim.core.geometry import Point
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.table_view import scene_of
from flicksim.gui.table_view.camera_view import Magnifier
from flicksim.gui.table_view.side_plane import draw_caption
from flicksim.gui.toolkit import Canvas
from flicksim.match import Turn
from flicksim.render import Camera
from flicksim.scene import Piece, Trajectory

_CLOSE_UP_HEIGHT = 0.1
"""Height of the part of the board in the close-up [m]."""
_MIN_HEIGHT, _MARGIN, _PAD, _CAPTION = 120.0, 46.0, 12.0, 18.0
"""Least height of the close-up, margin of the board, distance of the close-up from the edges, height of its caption
[units]."""


class BoardReplay(ReplayScreen):
    """Replay screen of a board; under one that lies on its side the surroundings of the white are shown larger."""

    close_up_rect: pygame.Rect | None = None
    _ends = (0.0, 0.0)
    """Ends of the board [m]."""

    def layout(self, size: tuple[int, int], scale: float) -> None:
        super().layout(size, scale)
        self.close_up_rect, view = None, self.view
        scene = next((scene_of(turn.after) for turn in self.turns if _white_of(turn) is not None), None)
        if view is None or scene is None:
            return
        area, margin = view.area, _MARGIN * scale
        self._ends = min(y for _, y in scene.surface.outline), max(y for _, y in scene.surface.outline)
        ys = [y for _, y in view.whole_camera.points_to_screen(scene.surface.outline)]
        strip = area.h - round(max(ys) - min(ys) + 2.0 * margin)
        height = strip - round((_CAPTION + _PAD) * scale)
        if height >= _MIN_HEIGHT * scale:
            view.set_area(pygame.Rect(area.x, area.y, area.w, area.h - strip), margin)
            pad = round(_PAD * scale)
            top = view.area.bottom + round(_CAPTION * scale)
            self.close_up_rect = pygame.Rect(area.x + pad, top, area.w - 2 * pad, height)

    def _draw_view(self, canvas: Canvas, turn: Turn) -> None:
        super()._draw_view(canvas, turn)
        rect, view, white = self.close_up_rect, self.view, _white_of(turn)
        if rect is None or view is None or white is None:
            return
        zoom = rect.h / _CLOSE_UP_HEIGHT
        camera = Camera(self._centre(white, rect.w / zoom), zoom, rect.center, view.camera.quarter_turns)
        with view.magnified(canvas, Magnifier(rect, camera)):
            self._draw_table(canvas, view, camera, turn)
        draw_caption(canvas, rect, f"{rect.w / zoom * 1000:.0f} mm across", "AT THE WHITE")

    def _centre(self, white: Piece, width: float) -> Point:
        """Centre of the close-up, on the white or so near to it that no end of the board is passed.

        Args:
            width: of the part shown, along the board [m].
        """
        x, y = white.position
        return x, max(self._ends[0] + width / 2.0, min(y, self._ends[1] - width / 2.0))


def _white_of(turn: Turn) -> Piece | None:
    """The white at the end of a turn, or where it was before one that knocked it off; None without one."""
    before = turn.result.before if isinstance(turn.result, Trajectory) else None
    scenes = (scene for scene in (scene_of(turn.after), before) if scene is not None)
    return next((piece for scene in scenes for piece in scene.pieces if piece.kind == "white"), None)
