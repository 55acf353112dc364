"""The height layer: winks in the air, at the pot's rim, and on each other, as rigid discs.

For motion that leaves the plane. It never draws dice, never reads rules, and knows nothing of the rest of the house:
numbers in, a frozen account out.
"""

from flicksim.physics.flight.account import Exit, FlightResult, Impact, Status
from flicksim.physics.flight.bodies import drag_by_side
from flicksim.physics.flight.contacts import FELT, POT
from flicksim.physics.flight.fly import Flight, Until, fly
from flicksim.physics.flight.params import LARGE, PLAY, REFERENCE, SMALL, Contact, Params, Pot, e_from_zeta, zeta_from_e
from flicksim.physics.flight.support import Lying, overlap
from flicksim.physics.flight.winks import Winks, launch

__all__ = [
    "FELT",
    "LARGE",
    "PLAY",
    "POT",
    "REFERENCE",
    "SMALL",
    "Contact",
    "Exit",
    "Flight",
    "FlightResult",
    "Impact",
    "Lying",
    "Params",
    "Pot",
    "Status",
    "Until",
    "Winks",
    "drag_by_side",
    "e_from_zeta",
    "fly",
    "launch",
    "overlap",
    "zeta_from_e",
]
