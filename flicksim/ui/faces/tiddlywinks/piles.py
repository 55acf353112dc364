"""A wink in words, where it lies: whose, how, on and under what, and whether it may be played."""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

from flicksim.base.units import to_degrees, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.table import Piece, overlap


def pile_of(state: State, wink: str) -> tuple[Piece, ...]:
    """The winks over and under one another with this one, from the top down; itself alone when it lies free."""
    there = [piece for piece in state.scene.pieces if state.book.in_play(piece.id)]
    found, edge = {wink}, [wink]
    while edge:
        piece = state.scene.piece(edge.pop())
        for other in there:
            if other.id not in found and overlap(piece, other) > 1e-5:
                found.add(other.id)
                edge.append(other.id)
    squops = Squops(state.scene, state.book)
    left = sorted((state.scene.piece(name) for name in found), key=lambda piece: -piece.highest)
    order: list[Piece] = []
    while left:
        top = next((p for p in left if not any(over in {q.id for q in left} for over in squops.over(p.id))), left[0])
        left.remove(top)
        order.append(top)
    return tuple(order)


class Line(NamedTuple):
    """A line about a wink or its pile.

    Args:
        words: in it. own: whether it is about the wink itself. barred: whether it says why that may not be played.
    """

    words: str
    own: bool = True
    barred: bool = False


def about(state: State, wink: str) -> list[Line]:
    """Lines about a wink and its pile."""
    piece, book = state.scene.piece(wink), state.book
    squops = Squops(state.scene, book)
    size = f"{piece.kind}, {to_mm(2 * piece.radius):.1f} mm"
    lines = [Line(f"{kit.called(wink)} ({size}){', turned over, so darker' if piece.face < 0 else ''}")]
    if wink in book.potted:
        held = "balanced on the rim" if piece.support == "rim" else "in the pot"
        return [*lines, Line(f"potted: {held}; 3 points when time runs out")]
    if wink in book.behind:
        return [*lines, Line("behind its base line, not yet in play")]
    gap = hypot(piece.x, piece.y) - piece.radius - kit.POT_TOP
    lines.append(Line(f"{to_mm(max(gap, 0.0)):.1f} mm from the pot"))
    over, under = squops.over(wink), squops.under(wink)
    if over:
        lines.append(Line(f"squopped by {_names(over)}: may not be played (TW-9a1)", barred=True))
    if under:
        lines.append(Line(f"squops {_names(under)}"))
    if not over and not under:
        lines.append(Line("free"))
    pile = pile_of(state, wink)
    if len(pile) > 1:
        lines.append(Line("Pile, from the top:", own=False))
        for other in pile:
            tilt = f", tilted {to_degrees(other.tilt):.0f}°" if other.tilt > 0.005 else ""
            on = f" on {_names(other.lies_on)}" if other.lies_on else " on the mat"
            lines.append(Line(f"{kit.called(other.id)}{on}{tilt}", own=other.id == wink))
    return lines


def in_order(state: State) -> tuple[str, ...]:
    """All winks in play, piles first and each pile from the top: the order in which one looks through them."""
    seen: list[str] = []
    alone: list[str] = []
    for piece in state.scene.pieces:
        if piece.id in seen or not state.book.in_play(piece.id):
            continue
        pile = pile_of(state, piece.id)
        if len(pile) > 1:
            seen += [other.id for other in pile if other.id not in seen]
        else:
            alone.append(piece.id)
    return (*seen, *alone)


def _names(winks: tuple[str, ...]) -> str:
    return " and ".join(kit.called(wink) for wink in winks)
