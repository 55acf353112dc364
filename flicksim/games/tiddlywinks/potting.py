"""Adjudication of potted winks, and of winks that lean on the pot (TW-7e to TW-7i)."""

from __future__ import annotations

from math import cos, sin

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext
from flicksim.games.tiddlywinks.wink_placement import lift_winks, place_in_pot, place_wink, spot_touching_pot
from flicksim.scene import Piece, Pot, Scene, place_flat, place_piece


def is_potted(scene: Scene, piece: Piece) -> bool:
    """Return True if a wink at rest is in the pot, or balanced on its rim and held by nothing else (TW-7e, TW-7f)."""
    return piece.support == "pot" or (piece.support == "rim" and not _is_propped(scene, piece))


def is_leaning(scene: Scene, piece: Piece) -> bool:
    """Return True if a wink at rest leans against the pot; one on the rim that a wink props up does (TW-7h)."""
    return piece.support == "leaning" or (piece.support == "rim" and _is_propped(scene, piece))


def _is_propped(scene: Scene, piece: Piece) -> bool:
    return any(scene.piece(under).support in ("surface", "leaning") for under in piece.lies_on)


def record_potted(context: AdjudicationContext, lost: tuple[Piece, ...]) -> None:
    """Record newly potted winks, and put back potted ones no longer in the pot (TW-7e to TW-7g).

    Args:
        lost: pieces that left the mat, as they were before.
    """
    for piece in context.scene.pieces:
        if piece.id not in context.book.potted and is_potted(context.scene, piece):
            rule, where_text = (
                ("TW-7e", "rests in the pot") if piece.support == "pot" else ("TW-7f", "balances on the rim")
            )
            context.add_reason(rule, f"{kit.display_name(piece.id)} {where_text}: it is potted.")
            context.update_book(
                potted=(*context.book.potted, piece.id),
                behind=tuple(wink for wink in context.book.behind if wink != piece.id),
            )
    potted = context.book.potted
    knocked_out = [
        piece for piece in context.scene.pieces if piece.id in potted and not is_potted(context.scene, piece)
    ]
    for piece in (*knocked_out, *(piece for piece in lost if piece.id in potted)):
        context.scene = place_in_pot(context.scene, piece, _pot(context.scene))
        context.add_reason("TW-7g", f"{kit.display_name(piece.id)} was knocked out of the pot and is put back.")


def lay_leaners_flat(context: AdjudicationContext) -> None:
    """Lay each wink leaning on the pot flat, just touching it, on top of whatever lies there (TW-7h, TW-7i)."""
    pot = _pot(context.scene)
    leaning = [piece for piece in context.scene.pieces if is_leaning(context.scene, piece)]
    for piece in sorted(leaning, key=lambda piece: piece.height):
        others = lift_winks(context.scene, (piece.id,)).pieces
        bearing, down = _bearing(piece, pot), place_flat(piece, piece.position)
        flat = place_piece(others, down, spot_touching_pot(down, pot, bearing))
        # on a tapered pot a wink lying higher stands farther out
        flat = place_piece(others, down, spot_touching_pot(flat, pot, bearing))
        context.scene = place_wink(context.scene, flat)
        under = [name for name in flat.lies_on if context.book.in_play(name)]
        where_text = "just touching it" + (f", on top of {', '.join(map(kit.display_name, under))}" if under else "")
        rule = "TW-7i" if under else "TW-7h"
        context.add_reason(rule, f"{kit.display_name(piece.id)} leaned against the pot and is laid flat, {where_text}.")


def _pot(scene: Scene) -> Pot:
    assert scene.surface.pot is not None
    return scene.surface.pot


def _bearing(piece: Piece, pot: Pot) -> tuple[float, float]:
    """Bearing of a leaning wink from the pot: of its centre, or of its foot if its centre is over the pot (TW-7h)."""
    offset = (piece.x - pot.x, piece.y - pot.y)
    if offset[0] ** 2 + offset[1] ** 2 > pot.top_radius**2:
        return offset
    foot = piece.radius * cos(piece.tilt)
    return (offset[0] + foot * cos(piece.lean), offset[1] + foot * sin(piece.lean))
