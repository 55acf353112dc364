"""Scene description: materials, pieces, surfaces, scenes, actions, and the trajectories that result."""

import typing

from flicksim.core import exports
from flicksim.scene.ballistics import drag_deceleration_rates as drag_deceleration_rates
from flicksim.scene.ballistics import launch_speed_to_reach as launch_speed_to_reach
from flicksim.scene.ballistics import sliding_speed as sliding_speed
from flicksim.scene.flick import FULL_TURN as FULL_TURN
from flicksim.scene.flick import MAX_FOLLOW_THROUGH as MAX_FOLLOW_THROUGH
from flicksim.scene.flick import MAX_SPEED as MAX_SPEED
from flicksim.scene.flick import MAX_TUMBLE as MAX_TUMBLE
from flicksim.scene.flick import SQUIDGER_DIAMETER_RANGE as SQUIDGER_DIAMETER_RANGE
from flicksim.scene.flick import Flick as Flick
from flicksim.scene.flick import Squidge as Squidge
from flicksim.scene.launch import BASE_HEIGHT_RANGE as BASE_HEIGHT_RANGE
from flicksim.scene.launch import MAX_LATERAL_OFFSET as MAX_LATERAL_OFFSET
from flicksim.scene.launch import MAX_ROLL as MAX_ROLL
from flicksim.scene.launch import MAX_YAW as MAX_YAW
from flicksim.scene.launch import STRIKE_ELEVATION_RANGE as STRIKE_ELEVATION_RANGE
from flicksim.scene.launch import STRIKE_HEIGHT_RANGE as STRIKE_HEIGHT_RANGE
from flicksim.scene.launch import Launch as Launch
from flicksim.scene.launch import Volley as Volley
from flicksim.scene.launch_trajectory import LAUNCHER_ID as LAUNCHER_ID
from flicksim.scene.launch_trajectory import Launched as Launched
from flicksim.scene.launch_trajectory import LaunchEvent as LaunchEvent
from flicksim.scene.launch_trajectory import LaunchFailed as LaunchFailed
from flicksim.scene.launch_trajectory import LaunchTrajectory as LaunchTrajectory
from flicksim.scene.launch_trajectory import PyramidCameToRest as PyramidCameToRest
from flicksim.scene.launch_trajectory import PyramidCollision as PyramidCollision
from flicksim.scene.launch_trajectory import PyramidLeftSurface as PyramidLeftSurface
from flicksim.scene.launch_trajectory import Track as Track
from flicksim.scene.launch_trajectory import VolleyTrajectory as VolleyTrajectory
from flicksim.scene.material import DEFAULT_PAIRINGS as DEFAULT_PAIRINGS
from flicksim.scene.material import Pairing as Pairing
from flicksim.scene.material import Pairings as Pairings
from flicksim.scene.orientation import Point3 as Point3
from flicksim.scene.orientation import Quaternion as Quaternion
from flicksim.scene.orientation import axes_from_quaternion as axes_from_quaternion
from flicksim.scene.orientation import face_normal as face_normal
from flicksim.scene.piece import Piece as Piece
from flicksim.scene.piece import Support as Support
from flicksim.scene.pot import Pot as Pot
from flicksim.scene.pyramid import DEFAULT_DENSITY as DEFAULT_DENSITY
from flicksim.scene.pyramid import SIZES as SIZES
from flicksim.scene.pyramid import Pyramid as Pyramid
from flicksim.scene.pyramid import PyramidShape as PyramidShape
from flicksim.scene.pyramid import Size as Size
from flicksim.scene.pyramid import SupportContact as SupportContact
from flicksim.scene.pyramid import convex_hull as convex_hull
from flicksim.scene.pyramid import standard_shape as standard_shape
from flicksim.scene.pyramid_penetration import penetration_depth as penetration_depth
from flicksim.scene.pyramid_scene import PyramidScene as PyramidScene
from flicksim.scene.pyramid_scene import PyramidSet as PyramidSet
from flicksim.scene.samples import FLOOR as FLOOR
from flicksim.scene.samples import penny as penny
from flicksim.scene.samples import sample as sample
from flicksim.scene.samples import sample_description as sample_description
from flicksim.scene.scene import Scene as Scene
from flicksim.scene.surface import Line as Line
from flicksim.scene.surface import Surface as Surface
from flicksim.scene.trajectory import CameToRest as CameToRest
from flicksim.scene.trajectory import Collision as Collision
from flicksim.scene.trajectory import Event as Event
from flicksim.scene.trajectory import Landed as Landed
from flicksim.scene.trajectory import LeftSurface as LeftSurface
from flicksim.scene.trajectory import LineCrossed as LineCrossed
from flicksim.scene.trajectory import SquidgerContact as SquidgerContact
from flicksim.scene.trajectory import Struck as Struck
from flicksim.scene.trajectory import Tracks as Tracks
from flicksim.scene.trajectory import Trajectory as Trajectory
from flicksim.scene.wink_stacking import all_supports as all_supports
from flicksim.scene.wink_stacking import drop_into_pot as drop_into_pot
from flicksim.scene.wink_stacking import lower_unsupported as lower_unsupported
from flicksim.scene.wink_stacking import overlap as overlap
from flicksim.scene.wink_stacking import place_flat as place_flat
from flicksim.scene.wink_stacking import place_piece as place_piece
from flicksim.scene.wink_stacking import supporting_ids as supporting_ids
from flicksim.scene.wink_stacking import upper_piece as upper_piece

if not typing.TYPE_CHECKING:
    __all__ = exports.exported_names(__name__)
