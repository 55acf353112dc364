"""Parameters of the wink simulation: materials, pot geometry, air and solver."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flicksim.engine.rigid_bodies.contact_solver import spring_coefficients

Floats = NDArray[np.float64]

DAMPING_GAIN, FRICTION, ROLLING_RESISTANCE, SPRING_GAIN = range(4)
"""Columns of `WinkParams.material_table` [3, 3, 4]: fraction of its velocity that a contact loses in a step, at most
that of its slip too; Coulomb friction; rolling resistance lever [m]; velocity gained from the spring in a step, over
its depth per step."""

LONG_STEP, PILE_STEP = 1, 2
"""Kinds of step besides the nominal one, 0, where all contacts are gentle; the second of slow winks that are not on
level ground alone."""
STEP_LENGTHS: Final = np.array([1.0, 2.0, 4.0])
"""Lengths of the steps of each kind, in time steps."""
PILE_CORRECTION: Final = 0.1
"""Part of its overlap that a contact loses in a step of a pile, besides all of its normal velocity (Baumgarte): springs
as stiff as elsewhere make piles jitter in steps so long, and slide apart."""

MAX_POINT_SPEED: Final = 6.0
"""Rim speed up to which the nominal time step is fine enough [m/s]; above, step and stiffness are scaled."""
MAX_WALL_DEPTH: Final = 0.8
"""Largest depth of an impact in the pot's wall over half its thickness: behind the middle winks come out on the other
side."""

_DAMPING_RATIOS: Final = np.linspace(0.0, 0.99, 991)


def restitution_from_damping(zeta: float) -> float:
    """Restitution of an impact on a spring-damper of this damping ratio, which ends when its force drops to zero.

    >>> round(restitution_from_damping(0.25), 3)
    0.506
    """
    swing = math.sqrt(1.0 - zeta * zeta)
    return math.exp(-zeta / swing * math.acos(2.0 * zeta * zeta - 1.0))


def damping_from_restitution(e: float) -> float:
    """Damping ratio for restitution `e`: the inverse of `restitution_from_damping`, at most .99."""
    return float(np.interp(e, _RESTITUTIONS[::-1], _DAMPING_RATIOS[::-1]))


_RESTITUTIONS: Final = np.array([restitution_from_damping(zeta) for zeta in _DAMPING_RATIOS.tolist()])


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactParams:
    """Contact material of a wink with one kind of body.

    Attributes:
        damping_ratio: of the contact spring; about .25 for hard plastic, .5 for felt. Lower is bouncier.
        friction: Coulomb coefficient.
        rolling_resistance: lever arm of the normal force [m]. Without any, winks spin on their edge for seconds.
    """

    damping_ratio: float
    friction: float
    rolling_resistance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WinkParams:
    """Materials, air and solver settings.

    Attributes:
        felt: wink on the mat.
        pot: wink on the pot, its floor included.
        wink: wink on wink.
        drag_coefficient: of a tumbling disc on its mean area (a quarter of its surface); 0 in vacuum. It is larger
            broadside and smaller edge-on (see `bodies.drag_components`).
        air_density: [kg/m^3].
        gravity: [m/s^2].
        stiffness: square of a contact's natural frequency [1/s^2]; an impact lasts about pi/sqrt(stiffness).
        time_step: step while anything touches [s]. Springs are integrated exactly, so restitution hardly depends on
            it.
        iterations: Gauss-Seidel iterations over the contacts in a step.
    """

    felt: ContactParams = ContactParams(
        damping_ratio=damping_from_restitution(0.30), friction=0.35, rolling_resistance=0.25e-3
    )
    pot: ContactParams = ContactParams(
        damping_ratio=damping_from_restitution(0.37), friction=0.30, rolling_resistance=0.25e-3
    )
    wink: ContactParams = ContactParams(
        damping_ratio=damping_from_restitution(0.50), friction=0.30, rolling_resistance=0.25e-3
    )
    drag_coefficient: float = 1.17
    air_density: float = 1.204
    gravity: float = 9.81
    stiffness: float = 1e8
    time_step: float = 50e-6
    iterations: int = 8

    def drag_rate(self, radius: Floats, half: Floats, mass: Floats) -> Floats:
        """Drag deceleration over speed squared, rho Cd A / 2m, of tumbling winks [N] -> [N] [1/m]; .22 for a small
        wink."""
        mean_area = 0.5 * math.pi * radius * (radius + 2.0 * half)
        rate: Floats = self.air_density * self.drag_coefficient * mean_area / (2.0 * mass)
        return rate

    def material_table(self) -> Floats:
        """Coefficients of the materials: by kind of step; rows felt, pot, wink; columns from `DAMPING_GAIN` on.
        [3, 3, 4]

        In a step a spring adds `gain` times its depth over the step to the velocity and removes the fraction `loss` of
        it: the exact discretisation of a damped oscillator, for any step. Friction removes at most the same fraction of
        slip, as the reference does. The array is shared: do not modify it.
        """
        return _material_table(self)

    def solver_array(self, cup: "Cup | None") -> Floats:
        """Gravity, stiffness, time step, iterations, and the rim speed up to which that step is fine enough with this
        pot, as `integrator.simulate_until` reads them. [5]"""
        finest = MAX_POINT_SPEED
        if cup is not None:  # an impact on a spring is as deep as its speed over the natural frequency
            finest = min(finest, MAX_WALL_DEPTH * 0.5 * cup.wall_thickness * math.sqrt(self.stiffness))
        return np.array([self.gravity, self.stiffness, self.time_step, float(self.iterations), finest])


@lru_cache(maxsize=64)
def _material_table(params: WinkParams) -> Floats:
    table = np.empty((3, 3, 4))
    for kind, length in enumerate(STEP_LENGTHS.tolist()):
        angle = math.sqrt(params.stiffness) * params.time_step * length
        for row, m in enumerate((params.felt, params.pot, params.wink)):
            gain, loss = spring_coefficients(m.damping_ratio, angle)
            if kind == PILE_STEP:
                gain, loss = PILE_CORRECTION, 1.0
            table[kind, row] = loss, m.friction, m.rolling_resistance, gain
    return table


PLAY_PARAMS: Final = WinkParams()
"""For play: with drag, and a restitution of .37 on the pot. World-class execution noise (.9 % in speed, .8 degrees,
tumble 100 +- 10) then pots 57 to 58 % from three feet; the record is 12 of 21, with a 95 % interval of 34 to 78 %."""

REFERENCE_PARAMS: Final = WinkParams(
    felt=ContactParams(damping_ratio=damping_from_restitution(0.32), friction=0.35, rolling_resistance=0.0),
    pot=ContactParams(damping_ratio=damping_from_restitution(0.53), friction=0.30, rolling_resistance=0.0),
    wink=ContactParams(damping_ratio=damping_from_restitution(0.505), friction=0.30, rolling_resistance=0.0),
    drag_coefficient=0.0,
    iterations=4,
)
"""Setup of the independent 3D engine for its pot table: no air, a bouncier pot, no rolling resistance. Its flat drops
had a restitution of .28 to .33 on felt and .48 to .53 on the pot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cup:
    """Thin-walled cup on the felt: a surface of revolution with a rectangular wall section.

    Attributes:
        x, y: position of its axis [m].
        height: [m].
        top_radius: outer radius at the rim [m].
        base_radius: outer radius at the felt [m]; equal to `top_radius` for a straight pot.
        wall_thickness: [m].
        floor_height: height of the floor inside [m].
    """

    x: float = 0.0
    y: float = 0.0
    height: float = 38.1e-3
    top_radius: float = 23.8125e-3
    base_radius: float = 19.0e-3
    wall_thickness: float = 1.5e-3
    floor_height: float = 1.5e-3

    def to_array(self) -> Floats:
        """x, y, radius of the wall's midline at the base and top, height, half the wall's thickness, floor height, wall
        direction (rho, z), wall length. [10]"""
        half = 0.5 * self.wall_thickness
        rb, rt = self.base_radius - half, self.top_radius - half
        length = math.hypot(rt - rb, self.height)
        return np.array(
            [
                self.x,
                self.y,
                rb,
                rt,
                self.height,
                half,
                self.floor_height,
                (rt - rb) / length,
                self.height / length,
                length,
            ]
        )


SMALL_WINK: Final = (7.9375e-3, 0.79375e-3, 0.38e-3)
"""Radius [m], half thickness [m] and mass [kg] of the small wink of the reference tables."""

LARGE_WINK: Final = (11.1125e-3, 1.190625e-3, 1.118e-3)
"""The same for its large wink."""
