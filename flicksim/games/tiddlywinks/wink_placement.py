"""Moving winks by hand between shots: lift, place, put back into the pot."""

from collections.abc import Iterable
from math import cos, hypot, pi, sin

import msgspec

from flicksim.core.units import mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.scene import Piece, Pot, Scene, drop_into_pot, lower_unsupported


def scene_with_pieces(scene: Scene, pieces: Iterable[Piece]) -> Scene:
    """Scene with just these pieces, in the fixed order."""
    return msgspec.structs.replace(scene, pieces=kit.in_order(tuple(pieces)))


def lift_winks(scene: Scene, winks: Iterable[str]) -> Scene:
    """Scene without some winks; those that lay on them drop."""
    pot = scene.surface.pot
    return scene_with_pieces(scene, lower_unsupported(scene.pieces, winks, pot.floor if pot is not None else 0.0))


def place_wink(scene: Scene, piece: Piece) -> Scene:
    """Scene with a wink lifted from where it lay and put at a place."""
    return scene_with_pieces(scene, (*lift_winks(scene, (piece.id,)).pieces, piece))


def moved_pieces(before: Scene, after: Scene) -> tuple[Piece, ...]:
    """Pieces that lie differently from before, or are new."""
    former = {piece.id: piece for piece in before.pieces}
    return tuple(piece for piece in after.pieces if former.get(piece.id) != piece)


def place_in_pot(scene: Scene, piece: Piece, pot: Pot) -> Scene:
    """Scene with a wink laid into the pot, where the heap in it is lowest (TW-7g)."""
    others = lift_winks(scene, (piece.id,))
    # along the wall, so that two large winks or three small ones lie side by side
    radius = min(pot.inner_radius(0.0), pot.inner_radius(pot.height)) - piece.radius - mm(0.05)
    spots = [(pot.x + radius * cos(k * pi / 3), pot.y + radius * sin(k * pi / 3)) for k in range(6)]
    dropped = [drop_into_pot(others.pieces, piece, spot, pot.floor) for spot in spots]
    return scene_with_pieces(others, (*others.pieces, min(dropped, key=lambda lying: lying.height)))


def spot_touching_pot(piece: Piece, pot: Pot, bearing: tuple[float, float]) -> tuple[float, float]:
    """Centre of a flat wink that just touches the pot's outside on that bearing [m]."""
    distance = pot.outer_radius(piece.highest) + piece.radius
    length = hypot(*bearing) or 1.0
    return (pot.x + distance * bearing[0] / length, pot.y + distance * bearing[1] / length)
