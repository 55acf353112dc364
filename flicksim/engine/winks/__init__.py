"""3D simulation of winks as rigid discs: in the air, at the pot's rim, and on each other.

For motion that leaves the plane. Deterministic and independent of rules and of the rest of the package: numbers in, a
frozen result out.
"""

from flicksim.engine.winks.bodies import drag_components
from flicksim.engine.winks.contacts import FELT, POT
from flicksim.engine.winks.params import (
    LARGE_WINK,
    PLAY_PARAMS,
    REFERENCE_PARAMS,
    SMALL_WINK,
    ContactParams,
    Cup,
    WinkParams,
    damping_from_restitution,
    restitution_from_damping,
)
from flicksim.engine.winks.result import ContactRecord, MatExit, Status, WinkResult
from flicksim.engine.winks.support import StackedPair, overlap_fraction
from flicksim.engine.winks.wink_simulation import Until, WinkSimulation, simulate_winks
from flicksim.engine.winks.wink_states import WinkStates, launch_motion

__all__ = [
    "FELT",
    "LARGE_WINK",
    "PLAY_PARAMS",
    "POT",
    "REFERENCE_PARAMS",
    "SMALL_WINK",
    "ContactParams",
    "ContactRecord",
    "Cup",
    "MatExit",
    "StackedPair",
    "Status",
    "Until",
    "WinkParams",
    "WinkResult",
    "WinkSimulation",
    "WinkStates",
    "damping_from_restitution",
    "drag_components",
    "launch_motion",
    "overlap_fraction",
    "restitution_from_damping",
    "simulate_winks",
]
