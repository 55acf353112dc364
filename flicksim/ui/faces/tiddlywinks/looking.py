"""Looking at a wink: under the mouse, or one after the other by a key; its pile in words beside it."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import pygame

from flicksim.games.tiddlywinks.state import State
from flicksim.ui.faces.tiddlywinks import piles
from flicksim.ui.faces.tiddlywinks.kept import kept
from flicksim.ui.faces.tiddlywinks.pose import Pose, under
from flicksim.ui.faces.tiddlywinks.view import WinkView
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas


class Looking:
    """Choice of the wink that is looked at.

    Args:
        view: where the mat is seen.
    """

    def __init__(self, view: WinkView) -> None:
        self._view = view
        self.wink: str | None = None
        self.by_key = False
        self.lines: list[piles.Line] = []

    def forget(self) -> None:
        """Look at none."""
        self.wink, self.by_key, self.lines = None, False, []

    def hover(self, at: tuple[int, int], poses: Sequence[Pose], scale: float) -> None:
        """Look at what is under the mouse."""
        camera = self._view.camera
        found = None
        if self._view.holds(at):
            found = under(poses, camera.to_table(at), 3.0 * scale / camera.zoom)
        self.wink, self.by_key = (found.piece.id if found is not None else None), False

    def step(self, state: State, by: int) -> None:
        """Look at the next wink in play, piles first; past the last at none."""
        order = piles.in_order(state)
        at = order.index(self.wink) + by if self.wink in order else (0 if by > 0 else len(order) - 1)
        self.wink, self.by_key = (order[at] if 0 <= at < len(order) else None), True

    def draw(self, canvas: Canvas, state: State, poses: Sequence[Pose]) -> None:
        """A halo, and a card beside the wink."""
        pose = next((pose for pose in poses if pose.piece.id == self.wink), None)
        if pose is None or not state.scene.has(pose.piece.id):
            self.lines = []
            return
        wink = pose.piece.id
        self.lines = kept(state, ("about", wink), lambda: piles.about(state, wink))
        camera, area = self._view.camera, self._view.clear
        x, y = camera.to_screen(pose.at)
        r = max(pose.piece.radius * camera.zoom, 3.0) + canvas.px(5)
        step, size = canvas.high(13), 13.0
        wide = min(max(canvas.wide(line.words, size, bold=line.own) for line in self.lines) + canvas.px(20), area.w - 8)
        rect = pygame.Rect(0, 0, wide, step * len(self.lines) + canvas.px(12))
        # in the upper corner away from the wink, so that its pile stays in sight
        pad = canvas.px(8)
        rect.topleft = (area.x + pad, area.y + pad)
        if x < area.centerx:
            rect.right = area.right - pad
        if rect.collidepoint(x, y) or rect.inflate(2 * r, 2 * r).collidepoint(x, y):
            rect.bottom = area.bottom - pad
        near = (
            rect.left if x < rect.left else rect.right if x > rect.right else rect.centerx,
            rect.top if y < rect.top else rect.bottom if y > rect.bottom else rect.centery,
        )
        far = hypot(near[0] - x, near[1] - y)
        with canvas.clipped(area):
            canvas.ring((x, y), r, palette.TEXT, canvas.px(2))
            if far > r:
                edge = (x + (near[0] - x) * r / far, y + (near[1] - y) * r / far)
                canvas.line(edge, near, palette.FAINT, 1.0)
        canvas.box(rect, palette.PANEL, 6, palette.ACCENT if self.by_key else palette.EDGE)
        top = rect.y + canvas.px(6)
        for k, line in enumerate(self.lines):
            colour = palette.BAD if line.barred else palette.TEXT if line.own else palette.FAINT
            canvas.text(line.words, (rect.x + canvas.px(10), top + k * step), size, colour, bold=line.own and k == 0,
                        within=rect.w - canvas.px(16))  # fmt: skip
