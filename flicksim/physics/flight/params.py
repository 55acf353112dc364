"""What the flight of a wink depends on: materials, pot, air, and how finely it is solved."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Flat drop of a small wink at 1.5 m/s, step 50 us: damping ratio -> coefficient of restitution (trial runs).
_ZETA: Final = (0.160, 0.240, 0.317, 0.358, 0.404, 0.445, 0.479, 0.559)
_E: Final = (0.64, 0.53, 0.43, 0.40, 0.37, 0.34, 0.31, 0.26)


def zeta_from_e(e: float) -> float:
    """Damping ratio that makes a flat drop rebound with restitution `e`; the ends of the table are extended level.

    >>> round(zeta_from_e(0.37), 3)
    0.404
    """
    return float(np.interp(e, _E[::-1], _ZETA[::-1]))


def e_from_zeta(zeta: float) -> float:
    """Restitution of a flat drop at damping ratio `zeta`, the inverse of `zeta_from_e`."""
    return float(np.interp(zeta, _ZETA, _E))


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """How a wink meets one kind of thing.

    Attributes:
        zeta: damping ratio of the contact spring; about .24 for hard plastic, .45 for felt. Lower bounces more.
        mu: Coulomb friction.
        roll: rolling resistance, the lever arm of the normal force [m]. Without any, winks whirl on their edge for
        seconds.
    """

    zeta: float
    mu: float
    roll: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """Everything the solver needs besides the winks and the pot.

    Attributes:
        felt: wink on the mat.
        pot: wink on the pot, its floor included.
        wink: wink on wink.
        drag: drag coefficient of a tumbling disc on its mean area (a quarter of its surface); 0 in vacuum. Broadside
            the disc feels more, edge-on less (see `bodies.drag_by_side`).
        air: density of air [kg/m^3].
        gravity: [m/s^2].
        stiffness: square of a contact's natural frequency [1/s^2]; a blow lasts about pi/sqrt(stiffness).
        step: time step while anything touches [s]; restitution is tabled for step * sqrt(stiffness) = 0.5.
        sweeps: Gauss-Seidel sweeps over the contacts in a step.
    """

    felt: Contact = Contact(zeta=0.445, mu=0.35, roll=0.25e-3)
    pot: Contact = Contact(zeta=0.404, mu=0.30, roll=0.25e-3)
    wink: Contact = Contact(zeta=0.240, mu=0.30, roll=0.25e-3)
    drag: float = 1.17
    air: float = 1.204
    gravity: float = 9.81
    stiffness: float = 1e8
    step: float = 50e-6
    sweeps: int = 8

    def drag_rate(self, radius: Floats, half: Floats, mass: Floats) -> Floats:
        """Drag deceleration over speed squared, rho Cd A / 2m, of winks that tumble [N] -> [N] [1/m]; .22 for a
        small wink."""
        mean_area = 0.5 * math.pi * radius * (radius + 2.0 * half)
        rate: Floats = self.air * self.drag * mean_area / (2.0 * mass)
        return rate

    def materials(self) -> Floats:
        """Rows felt, pot, wink; columns zeta, mu, roll: [3, 3]."""
        return np.array([[m.zeta, m.mu, m.roll] for m in (self.felt, self.pot, self.wink)])

    def numbers(self) -> Floats:
        """Gravity, stiffness, step, sweeps: [4], in the order `advance` reads them."""
        return np.array([self.gravity, self.stiffness, self.step, float(self.sweeps)])


PLAY: Final = Params()
"""For play: drag on, and the pot's restitution at .37. A world-class hand (.9 % in speed, .8 degrees, tumble 100 +- 10)
then pots about 60 % from three feet; the record is 12 of 21, with a 95 % interval of 34 to 78 %."""

REFERENCE: Final = Params(
    felt=Contact(zeta=0.445, mu=0.35, roll=0.0),
    pot=Contact(zeta=0.240, mu=0.30, roll=0.0),
    wink=Contact(zeta=0.240, mu=0.30, roll=0.0),
    drag=0.0,
    sweeps=4,
)
"""As the independent 3D engine was set up for its pot table: no air, a livelier pot, no rolling resistance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pot:
    """A thin-walled cup standing on the felt: a surface of revolution with a rectangular wall section.

    Attributes:
        x: where its axis stands [m].
        y: where its axis stands [m].
        height: [m].
        top: outer radius at the rim [m].
        base: outer radius at the felt [m]; equal to `top` for a straight pot.
        wall: thickness of the wall [m].
        floor: height of the floor inside [m].
    """

    x: float = 0.0
    y: float = 0.0
    height: float = 38.1e-3
    top: float = 23.8125e-3
    base: float = 19.0e-3
    wall: float = 1.5e-3
    floor: float = 1.5e-3

    def numbers(self) -> Floats:
        """x, y, base and top radius of the wall's axis, height, half wall, floor, wall direction (rho, z), length:
        [10]."""
        half = 0.5 * self.wall
        rb, rt = self.base - half, self.top - half
        length = math.hypot(rt - rb, self.height)
        return np.array(
            [self.x, self.y, rb, rt, self.height, half, self.floor, (rt - rb) / length, self.height / length, length]
        )


SMALL: Final = (7.9375e-3, 0.79375e-3, 0.38e-3)
"""Radius [m], half thickness [m] and mass [kg] of the small wink of the reference tables."""

LARGE: Final = (11.1125e-3, 1.190625e-3, 1.118e-3)
"""The same for its large wink."""
