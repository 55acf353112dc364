"""Hands on winks between shots: lift them, put them somewhere, drop them back into the pot."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, hypot, pi, sin

import msgspec

from flicksim.base.units import mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.table import Piece, Pot, Scene, come_down, drop


def arranged(scene: Scene, pieces: Iterable[Piece]) -> Scene:
    """The scene with just these pieces, in the fixed order."""
    return msgspec.structs.replace(scene, pieces=kit.in_order(tuple(pieces)))


def lift(scene: Scene, winks: Iterable[str]) -> Scene:
    """The scene without these winks; what lay on them comes down."""
    pot = scene.surface.pot
    return arranged(scene, come_down(scene.pieces, winks, pot.floor if pot is not None else 0.0))


def put(scene: Scene, piece: Piece) -> Scene:
    """The scene with a wink lifted from wherever it lay and put there."""
    return arranged(scene, (*lift(scene, (piece.id,)).pieces, piece))


def moved(before: Scene, after: Scene) -> tuple[Piece, ...]:
    """Pieces that lie otherwise than before, or did not lie there."""
    was = {piece.id: piece for piece in before.pieces}
    return tuple(piece for piece in after.pieces if was.get(piece.id) != piece)


def into_pot(scene: Scene, piece: Piece, pot: Pot) -> Scene:
    """The scene with a wink laid into the pot, where the heap in it is lowest (TW-7g)."""
    rest = lift(scene, (piece.id,))
    # along the wall, so that two large winks or three small ones lie side by side
    room = min(pot.inner(0.0), pot.inner(pot.height)) - piece.radius - mm(0.05)
    spots = [(pot.x + room * cos(k * pi / 3), pot.y + room * sin(k * pi / 3)) for k in range(6)]
    laid = [drop(rest.pieces, piece, spot, pot.floor) for spot in spots]
    return arranged(rest, (*rest.pieces, min(laid, key=lambda lying: lying.height)))


def touching_pot(piece: Piece, pot: Pot, way: tuple[float, float]) -> tuple[float, float]:
    """Centre of a flat wink that just touches the pot's outside on that bearing [m]."""
    apart = pot.outer(piece.highest) + piece.radius
    far = hypot(*way) or 1.0
    return (pot.x + apart * way[0] / far, pot.y + apart * way[1] / far)
