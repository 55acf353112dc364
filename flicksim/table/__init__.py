"""Everything that can be said of a table without moving it: materials, pieces, surfaces, scenes, flicks, motions."""

from flicksim.table.flick import MAX_SPEED, SQUIDGER, Flick, Squidge
from flicksim.table.material import PAIRINGS, Pairing, Pairings
from flicksim.table.motion import Crossed, Event, Landed, Left, Motion, Rested, SquidgerTouch, Struck, Touched, Tracks
from flicksim.table.piece import Piece, Support
from flicksim.table.pot import Pot
from flicksim.table.scene import Scene
from flicksim.table.surface import Line, Surface

__all__ = [
    "MAX_SPEED",
    "PAIRINGS",
    "SQUIDGER",
    "Crossed",
    "Event",
    "Flick",
    "Landed",
    "Left",
    "Line",
    "Motion",
    "Pairing",
    "Pairings",
    "Piece",
    "Pot",
    "Rested",
    "Scene",
    "Squidge",
    "SquidgerTouch",
    "Struck",
    "Support",
    "Surface",
    "Touched",
    "Tracks",
]
