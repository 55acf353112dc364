"""What can be set about launches and slices. Everything here has a default that needs no touching."""

from __future__ import annotations

from flicksim.base.codec import Value
from flicksim.base.units import mm


class SliceSettings(Value, frozen=True, kw_only=True):
    """How launches are made and settled.

    Args:
        grip: how high over the launcher's base the fingers hold it, at most; they leave the missile's rim free [m].
        stiffness: of the fingers against being pushed [N/m]. damping: share of critical [-].
        turn_stiffness: of the fingers against being turned [N m/rad]. turn_damping: share of critical [-].
        push: how long the nail pushes [s].
        step: no point of a piece moves farther than this in a step [m]; it is also how deep things can seem to be in
            one another for a moment.
        longest, shortest: steps [s].
        slop: overlap that the engine leaves alone [m].
        gentle: slower than this nothing bounces any more [m/s].
        still: slower than this is slow enough to rest [m/s].
        patience: simulated time after which what still moves is slowed [s]; after thrice this it is an error.
        frame: longest time between knots of the tracks [s].
    """

    grip: float = mm(14.0)
    stiffness: float = 500.0
    damping: float = 0.3
    turn_stiffness: float = 0.02
    turn_damping: float = 1.5
    push: float = 1e-3
    step: float = mm(0.15)
    longest: float = 1e-3
    shortest: float = 2e-5
    slop: float = 1e-5
    gentle: float = 0.06
    still: float = 0.004
    patience: float = 3.0
    frame: float = 1.0 / 120.0

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if not 0.0 < value < 1e6:
                raise ValueError(f"{name} {value!r} of the slice must be above 0")
