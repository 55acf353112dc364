"""The winks that are potted, go back into the pot, or leaned on it and are laid flat (TW-7e to TW-7i)."""

from __future__ import annotations

from math import cos, sin

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.hands import into_pot, lift, put, touching_pot
from flicksim.games.tiddlywinks.hearing import Hearing
from flicksim.table import Piece, Pot, Scene, flat, lay


def lies_potted(scene: Scene, piece: Piece) -> bool:
    """True where a wink at rest is in the pot, or balanced on its rim and held by nothing else (TW-7e, TW-7f)."""
    return piece.support == "pot" or (piece.support == "rim" and not _propped(scene, piece))


def leans(scene: Scene, piece: Piece) -> bool:
    """True where a wink at rest leans against the pot; one on the rim that a wink props up does (TW-7h)."""
    return piece.support == "leaning" or (piece.support == "rim" and _propped(scene, piece))


def _propped(scene: Scene, piece: Piece) -> bool:
    return any(scene.piece(under).support in ("surface", "leaning") for under in piece.lies_on)


def count_potted(hearing: Hearing, lost: tuple[Piece, ...]) -> None:
    """Newly potted winks are entered; potted ones no longer in the pot are put back (TW-7e to TW-7g).

    Args:
        lost: pieces that left the mat, as they were before.
    """
    for piece in hearing.scene.pieces:
        if piece.id not in hearing.book.potted and lies_potted(hearing.scene, piece):
            rule, where = ("TW-7e", "rests in the pot") if piece.support == "pot" else ("TW-7f", "balances on the rim")
            hearing.say(rule, f"{kit.called(piece.id)} {where}: it is potted.")
            hearing.enter(
                potted=(*hearing.book.potted, piece.id),
                behind=tuple(wink for wink in hearing.book.behind if wink != piece.id),
            )
    potted = hearing.book.potted
    out = [piece for piece in hearing.scene.pieces if piece.id in potted and not lies_potted(hearing.scene, piece)]
    for piece in (*out, *(piece for piece in lost if piece.id in potted)):
        hearing.scene = into_pot(hearing.scene, piece, _pot(hearing.scene))
        hearing.say("TW-7g", f"{kit.called(piece.id)} was knocked out of the pot and is put back.")


def lay_leaners(hearing: Hearing) -> None:
    """Every wink leaning on the pot is laid flat, just touching it, on top of whatever lies there (TW-7h, TW-7i)."""
    pot = _pot(hearing.scene)
    leaning = [piece for piece in hearing.scene.pieces if leans(hearing.scene, piece)]
    for piece in sorted(leaning, key=lambda piece: piece.height):
        rest = lift(hearing.scene, (piece.id,)).pieces
        way, down = _bearing(piece, pot), flat(piece, piece.at)
        laid = lay(rest, down, touching_pot(down, pot, way))
        # on a tapered pot a wink lying higher stands farther out
        laid = lay(rest, down, touching_pot(laid, pot, way))
        hearing.scene = put(hearing.scene, laid)
        under = [name for name in laid.lies_on if hearing.book.in_play(name)]
        where = "just touching it" + (f", on top of {', '.join(map(kit.called, under))}" if under else "")
        rule = "TW-7i" if under else "TW-7h"
        hearing.say(rule, f"{kit.called(piece.id)} leaned against the pot and is laid flat, {where}.")


def _pot(scene: Scene) -> Pot:
    assert scene.surface.pot is not None
    return scene.surface.pot


def _bearing(piece: Piece, pot: Pot) -> tuple[float, float]:
    """The way from the pot to a leaning wink: to its centre, or to its foot when its centre is over the pot (TW-7h)."""
    way = (piece.x - pot.x, piece.y - pot.y)
    if way[0] ** 2 + way[1] ** 2 > pot.top_radius**2:
        return way
    foot = piece.radius * cos(piece.tilt)
    return (way[0] + foot * cos(piece.lean), way[1] + foot * sin(piece.lean))
