"""Description of a wink where it lies: owner, orientation, neighbours in its pile, and playability."""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

from flicksim.core.units import to_degrees, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.scene import Piece, overlap


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
        top = next(
            (p for p in ordered if not any(over in {q.id for q in ordered} for over in squops.covering(p.id))),
            ordered[0],
        )
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
