"""Inspection of a wink: under the mouse, or one after another by a key, with its pile as text."""

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

import pygame

from flicksim.core.units import to_degrees, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.gui.game_views.tiddlywinks.camera_view import WinkView
from flicksim.gui.game_views.tiddlywinks.painter import wink_at
from flicksim.gui.game_views.tiddlywinks.state_cache import cached
from flicksim.gui.toolkit import Canvas, palette
from flicksim.scene import Piece, overlap


class WinkInspector:
    """Selection of the wink to be inspected.

    Args:
        view: of the mat.
    """

    def __init__(self, view: WinkView) -> None:
        self._view = view
        self.wink: str | None = None
        self.is_by_key = False
        self.lines: list[InspectionLine] = []

    def clear(self) -> None:
        """Clear the selection."""
        self.wink, self.is_by_key, self.lines = None, False, []

    def hover(self, position: tuple[int, int], winks: Sequence[Piece], scale: float) -> None:
        """Select the wink under the mouse."""
        camera = self._view.camera
        wink = wink_at(camera, winks, position, 3.0 * scale) if self._view.contains(position) else None
        self.wink, self.is_by_key = (wink.id if wink is not None else None), False

    def step(self, state: State, step: int) -> None:
        """Select the next wink in play, piles first; none after the last."""
        order = inspection_order(state)
        at = order.index(self.wink) + step if self.wink in order else (0 if step > 0 else len(order) - 1)
        self.wink, self.is_by_key = (order[at] if 0 <= at < len(order) else None), True

    def draw(self, canvas: Canvas, state: State, winks: Sequence[Piece]) -> None:
        """Draw a halo, and a card beside the wink."""
        wink = next((wink for wink in winks if wink.id == self.wink), None)
        if wink is None or not state.scene.has(wink.id):
            self.lines = []
            return
        self.lines = inspection_lines(state, wink.id)
        camera, area = self._view.camera, self._view.unobstructed
        x, y = camera.to_screen(wink.position)
        r = max(wink.radius * camera.zoom, 3.0) + canvas.px(5)
        step, size = canvas.line_height(13), 13.0
        wide = max(canvas.text_width(line.text, size, bold=line.is_about_wink) for line in self.lines) + canvas.px(20)
        rect = pygame.Rect(0, 0, min(wide, area.w - 8), step * len(self.lines) + canvas.px(12))
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
            at, is_title = (rect.x + canvas.px(10), top + k * step), line.is_about_wink and k == 0
            canvas.text(line.text, at, size, colour, bold=is_title, max_width=rect.w - canvas.px(16))


def pile_of(state: State, wink: str) -> tuple[Piece, ...]:
    """Winks of the pile of a wink, from the top down; itself alone if it lies free."""
    in_play = [piece for piece in state.scene.pieces if state.book.in_play(piece.id)]
    members, edge = {wink}, [wink]
    while edge:
        piece = state.scene.piece(edge.pop())
        for other in in_play:
            if other.id not in members and overlap(piece, other) > 1e-5:
                members.add(other.id)
                edge.append(other.id)
    squops = Squops(state.scene, state.book)
    ordered = sorted((state.scene.piece(name) for name in members), key=lambda piece: -piece.highest)
    order: list[Piece] = []
    while ordered:
        names = {piece.id for piece in ordered}
        free = (piece for piece in ordered if names.isdisjoint(squops.covering(piece.id)))
        top = next(free, ordered[0])
        ordered.remove(top)
        order.append(top)
    return tuple(order)


class InspectionLine(NamedTuple):
    """Line about a wink or its pile.

    Args:
        text: of the line. is_about_wink: True if it is about the wink itself. is_unplayable: True if it says why
            that may not be played.
    """

    text: str
    is_about_wink: bool = True
    is_unplayable: bool = False


@cached
def inspection_lines(state: State, wink: str) -> list[InspectionLine]:
    """Lines about a wink and its pile."""
    piece, book = state.scene.piece(wink), state.book
    squops = Squops(state.scene, book)
    size = f"{piece.kind}, {to_mm(2 * piece.radius):.1f} mm"
    lines = [InspectionLine(f"{kit.display_name(wink)} ({size}){', turned over, so darker' if piece.face < 0 else ''}")]
    if wink in book.potted:
        held = "balanced on the rim" if piece.support == "rim" else "in the pot"
        return [*lines, InspectionLine(f"potted: {held}; 3 points when time runs out")]
    if wink in book.behind:
        return [*lines, InspectionLine("behind its base line, not yet in play")]
    gap = hypot(piece.x, piece.y) - piece.radius - kit.POT_TOP
    lines.append(InspectionLine(f"{to_mm(max(gap, 0.0)):.1f} mm from the pot"))
    over, under = squops.covering(wink), squops.covered(wink)
    if over:
        lines.append(InspectionLine(f"squopped by {_name_list(over)}: may not be played (TW-9a1)", is_unplayable=True))
    if under:
        lines.append(InspectionLine(f"squops {_name_list(under)}"))
    if not over and not under:
        lines.append(InspectionLine("free"))
    pile = pile_of(state, wink)
    if len(pile) > 1:
        lines.append(InspectionLine("Pile, from the top:", is_about_wink=False))
        for other in pile:
            tilt = f", tilted {to_degrees(other.tilt):.0f}°" if other.tilt > 0.005 else ""
            on = f" on {_name_list(other.lies_on)}" if other.lies_on else " on the mat"
            lines.append(InspectionLine(f"{kit.display_name(other.id)}{on}{tilt}", is_about_wink=other.id == wink))
    return lines


def inspection_order(state: State) -> tuple[str, ...]:
    """Winks in play in the order of inspection: piles first, each from the top."""
    names: list[str] = []
    free: list[str] = []
    for piece in state.scene.pieces:
        if piece.id in names or not state.book.in_play(piece.id):
            continue
        pile = pile_of(state, piece.id)
        if len(pile) > 1:
            names += [other.id for other in pile if other.id not in names]
        else:
            free.append(piece.id)
    return (*names, *free)


def _name_list(winks: tuple[str, ...]) -> str:
    return " and ".join(kit.display_name(wink) for wink in winks)
