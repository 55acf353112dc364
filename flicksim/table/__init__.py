"""Everything that can be said of a table without moving it: materials, pieces, surfaces, scenes, flicks, accounts."""

from flicksim.table.flick import MAX_SPEED, SQUIDGER, Flick, Squidge
from flicksim.table.landing import Fell, Hit, Kept, Landing, Landings, Launched, Lay, Track
from flicksim.table.launch import Launch, Volley
from flicksim.table.material import PAIRINGS, Pairing, Pairings
from flicksim.table.motion import Crossed, Event, Landed, Left, Motion, Rested, SquidgerTouch, Struck, Touched, Tracks
from flicksim.table.piece import Piece, Support
from flicksim.table.pot import Pot
from flicksim.table.pyramid import SIZES, Bearing, Pyramid, Shape, Size, shape_of
from flicksim.table.pyramid_scene import Kit, PyramidScene
from flicksim.table.scene import Scene
from flicksim.table.surface import Line, Surface

__all__ = [
    "MAX_SPEED",
    "PAIRINGS",
    "SIZES",
    "SQUIDGER",
    "Bearing",
    "Crossed",
    "Event",
    "Fell",
    "Flick",
    "Hit",
    "Kept",
    "Kit",
    "Landed",
    "Landing",
    "Landings",
    "Launch",
    "Launched",
    "Lay",
    "Left",
    "Line",
    "Motion",
    "Pairing",
    "Pairings",
    "Piece",
    "Pot",
    "Pyramid",
    "PyramidScene",
    "Rested",
    "Scene",
    "Shape",
    "Size",
    "Squidge",
    "SquidgerTouch",
    "Struck",
    "Support",
    "Surface",
    "Touched",
    "Track",
    "Tracks",
    "Volley",
    "shape_of",
]
