"""An ordinary shot in a sentence: which wink, and where it lies now."""

from __future__ import annotations

from math import hypot

from flicksim.base.units import to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.hearing import Hearing


def from_pot(hearing: Hearing, wink: str) -> str:
    """Distance of a wink's edge from the pot's, in whole millimetres; from near in tenths."""
    piece, pot = hearing.scene.piece(wink), hearing.scene.surface.pot
    assert pot is not None
    gap = to_mm(max(0.0, hypot(piece.x - pot.x, piece.y - pot.y) - piece.radius - pot.top_radius))
    return f"{gap:.0f} mm from the pot" if gap >= 20.0 else f"{gap:.1f} mm from the pot"


def shot_told(hearing: Hearing, wink: str) -> str:
    """Account of where the squidged wink came to rest, and of what it lies on."""
    name = kit.called(wink)
    if wink in hearing.book.behind:
        return f"{name} stays behind its base line."
    if wink in hearing.book.potted:
        return f"{name} stays in the pot."
    brought = " is brought in and" if wink in hearing.was.behind else ""
    on = hearing.scene.piece(wink).lies_on
    lies = f" lies on {' and '.join(map(kit.called, on))}," if on else " rests"
    return f"{name}{brought}{lies} {from_pot(hearing, wink)}."
