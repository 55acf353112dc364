"""Everything that can be said of a table without moving it: materials, pieces, surfaces, scenes, flicks, motions."""

from flicksim.table.flick import MAX_SPEED, Flick
from flicksim.table.material import PAIRINGS, Pairing, Pairings
from flicksim.table.motion import Crossed, Event, Left, Motion, Rested, Struck, Touched, Tracks
from flicksim.table.piece import Piece
from flicksim.table.scene import Scene
from flicksim.table.surface import Line, Surface

__all__ = [
    "MAX_SPEED",
    "PAIRINGS",
    "Crossed",
    "Event",
    "Flick",
    "Left",
    "Line",
    "Motion",
    "Pairing",
    "Pairings",
    "Piece",
    "Rested",
    "Scene",
    "Struck",
    "Surface",
    "Touched",
    "Tracks",
]
