"""Inspection of a wink: under the mouse, or one after another by a key, with its pile as text."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import pygame

from flicksim.games.tiddlywinks.state import State
from flicksim.gui.game_views.tiddlywinks import piles
from flicksim.gui.game_views.tiddlywinks.camera_view import WinkView
from flicksim.gui.game_views.tiddlywinks.state_cache import cached
from flicksim.gui.game_views.tiddlywinks.wink_pose import WinkPose, pose_at
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas


class WinkInspector:
    """Selection of the wink to be inspected.

    Args:
        view: of the mat.
    """

    def __init__(self, view: WinkView) -> None:
        self._view = view
        self.wink: str | None = None
        self.is_by_key = False
        self.lines: list[piles.InspectionLine] = []

    def clear(self) -> None:
        """Clear the selection."""
        self.wink, self.is_by_key, self.lines = None, False, []

    def hover(self, position: tuple[int, int], poses: Sequence[WinkPose], scale: float) -> None:
        """Select the wink under the mouse."""
        camera = self._view.camera
        pose = None
        if self._view.contains(position):
            pose = pose_at(poses, camera.to_table(position), 3.0 * scale / camera.zoom)
        self.wink, self.is_by_key = (pose.piece.id if pose is not None else None), False

    def step(self, state: State, step: int) -> None:
        """Select the next wink in play, piles first; none after the last."""
        order = piles.inspection_order(state)
        at = order.index(self.wink) + step if self.wink in order else (0 if step > 0 else len(order) - 1)
        self.wink, self.is_by_key = (order[at] if 0 <= at < len(order) else None), True

    def draw(self, canvas: Canvas, state: State, poses: Sequence[WinkPose]) -> None:
        """Draw a halo, and a card beside the wink."""
        pose = next((pose for pose in poses if pose.piece.id == self.wink), None)
        if pose is None or not state.scene.has(pose.piece.id):
            self.lines = []
            return
        wink = pose.piece.id
        self.lines = cached(state, ("about", wink), lambda: piles.inspection_lines(state, wink))
        camera, area = self._view.camera, self._view.unobstructed
        x, y = camera.to_screen(pose.position)
        r = max(pose.piece.radius * camera.zoom, 3.0) + canvas.px(5)
        step, size = canvas.line_height(13), 13.0
        wide = min(
            max(canvas.text_width(line.text, size, bold=line.is_about_wink) for line in self.lines) + canvas.px(20),
            area.w - 8,
        )
        rect = pygame.Rect(0, 0, wide, step * len(self.lines) + canvas.px(12))
        # in the upper corner away from the wink, so that its pile stays in sight
        pad = canvas.px(8)
        rect.topleft = (area.x + pad, area.y + pad)
        if x < area.centerx:
            rect.right = area.right - pad
        if rect.collidepoint(x, y) or rect.inflate(2 * r, 2 * r).collidepoint(x, y):
            rect.bottom = area.bottom - pad
        corner = (
            rect.left if x < rect.left else rect.right if x > rect.right else rect.centerx,
            rect.top if y < rect.top else rect.bottom if y > rect.bottom else rect.centery,
        )
        distance = hypot(corner[0] - x, corner[1] - y)
        with canvas.clipped(area):
            canvas.circle((x, y), r, palette.TEXT, canvas.px(2))
            if distance > r:
                edge = (x + (corner[0] - x) * r / distance, y + (corner[1] - y) * r / distance)
                canvas.line(edge, corner, palette.MUTED_TEXT, 1.0)
        canvas.box(rect, palette.PANEL, 6, palette.ACCENT if self.is_by_key else palette.BORDER)
        top = rect.y + canvas.px(6)
        for k, line in enumerate(self.lines):
            colour = palette.BAD if line.is_unplayable else palette.TEXT if line.is_about_wink else palette.MUTED_TEXT
            canvas.text(
                line.text,
                (rect.x + canvas.px(10), top + k * step),
                size,
                colour,
                bold=line.is_about_wink and k == 0,
                max_width=rect.w - canvas.px(16),
            )
