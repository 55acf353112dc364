"""Everything that can be said of a table without moving it: materials, pieces, surfaces, scenes, flicks, accounts."""

from flicksim.table.attitude import Point3, Turn, frame_of, outward
from flicksim.table.ballistics import drag_rates, sliding, speed_to
from flicksim.table.flick import MAX_DRAG, MAX_SPEED, MAX_TUMBLE, SQUIDGER, TURN, Flick, Squidge
from flicksim.table.landing import LAUNCHER, Fell, Hit, Kept, Landing, LandingEvent, Landings, Launched, Lay, Track
from flicksim.table.launch import ASIDE, ASKEW, HEIGHT, LIFT, SLANT, TWIST, Launch, Volley
from flicksim.table.material import PAIRINGS, Pairing, Pairings
from flicksim.table.motion import Crossed, Event, Landed, Left, Motion, Rested, SquidgerTouch, Struck, Touched, Tracks
from flicksim.table.piece import Piece, Support
from flicksim.table.pile import beneath, come_down, drop, flat, lay, overlap, upper
from flicksim.table.pot import Pot
from flicksim.table.pyramid import DENSITY, SIZES, Bearing, Pyramid, Shape, Size, hull, shape_of
from flicksim.table.pyramid_scene import Kit, PyramidScene
from flicksim.table.samples import FLOOR, penny, sample, stresses
from flicksim.table.scene import Scene
from flicksim.table.solid import depth
from flicksim.table.surface import Line, Surface

__all__ = [
    "ASIDE", "ASKEW", "DENSITY", "FLOOR", "HEIGHT", "LAUNCHER", "LIFT", "MAX_DRAG", "MAX_SPEED", "MAX_TUMBLE",
    "PAIRINGS", "SIZES", "SLANT", "SQUIDGER", "TURN", "TWIST", "Bearing", "Crossed", "Event", "Fell", "Flick", "Hit",
    "Kept", "Kit", "Landed", "Landing", "LandingEvent", "Landings", "Launch", "Launched", "Lay", "Left", "Line",
    "Motion", "Pairing", "Pairings", "Piece", "Point3", "Pot", "Pyramid", "PyramidScene", "Rested", "Scene", "Shape",
    "Size", "Squidge", "SquidgerTouch", "Struck", "Support", "Surface", "Touched", "Track", "Tracks", "Turn", "Volley",
    "beneath", "come_down", "depth", "drag_rates", "drop", "flat", "frame_of", "hull", "lay", "outward", "overlap",
    "penny", "sample", "shape_of", "sliding", "speed_to", "stresses", "upper",
]  # fmt: skip
