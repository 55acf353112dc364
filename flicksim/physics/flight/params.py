"""The parameters of a wink's flight: materials, pot, air, and how finely it is solved."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ZETA: Final = np.linspace(0.0, 0.99, 991)


def e_from_zeta(zeta: float) -> float:
    """Restitution of a blow on a spring with this damping ratio, which pushes but never pulls: they part when its force
    has gone.

    >>> round(e_from_zeta(0.25), 3)
    0.506
    """
    swing = math.sqrt(1.0 - zeta * zeta)
    return math.exp(-zeta / swing * math.acos(2.0 * zeta * zeta - 1.0))


def zeta_from_e(e: float) -> float:
    """Damping ratio that makes a flat drop rebound with restitution `e`: the inverse of `e_from_zeta`, at most .99."""
    return float(np.interp(e, _E[::-1], _ZETA[::-1]))


_E: Final = np.array([e_from_zeta(zeta) for zeta in _ZETA.tolist()])


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """The contact of a wink with one kind of thing.

    Attributes:
        zeta: damping ratio of the contact spring; about .25 for hard plastic, .5 for felt. Lower bounces more.
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
        step: time step while anything touches [s]. Springs are solved as they swing, so that restitution hardly
            depends on it.
        sweeps: Gauss-Seidel sweeps over the contacts in a step.
    """

    felt: Contact = Contact(zeta=zeta_from_e(0.30), mu=0.35, roll=0.25e-3)
    pot: Contact = Contact(zeta=zeta_from_e(0.37), mu=0.30, roll=0.25e-3)
    wink: Contact = Contact(zeta=zeta_from_e(0.50), mu=0.30, roll=0.25e-3)
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
        """Rows felt, pot, wink; columns as `contacts.LOSS` says: [3, 4].

        In a step a spring brings `gain` times its depth over the step, and takes `loss` of the velocity: as much as
        makes a free swing the same after every step, however long, as that of a damped spring. Friction takes as much
        of a slip that it could end at once, which is what the reference does.
        """
        rows = []
        angle = math.sqrt(self.stiffness) * self.step
        for m in (self.felt, self.pot, self.wink):
            kept = math.exp(-m.zeta * angle)
            gain = 1.0 + kept * kept - 2.0 * kept * math.cos(angle * math.sqrt(1.0 - m.zeta * m.zeta))
            rows.append([1.0 - kept * kept, m.mu, m.roll, gain])
        return np.array(rows)

    def numbers(self) -> Floats:
        """Gravity, stiffness, step, sweeps: [4], in the order `advance` reads them."""
        return np.array([self.gravity, self.stiffness, self.step, float(self.sweeps)])


PLAY: Final = Params()
"""For play: drag on, and the pot's restitution at .37. A world-class hand (.9 % in speed, .8 degrees, tumble 100 +- 10)
then pots 57 to 58 % from three feet; the record is 12 of 21, with a 95 % interval of 34 to 78 %."""

REFERENCE: Final = Params(
    felt=Contact(zeta=zeta_from_e(0.32), mu=0.35, roll=0.0),
    pot=Contact(zeta=zeta_from_e(0.53), mu=0.30, roll=0.0),
    wink=Contact(zeta=zeta_from_e(0.505), mu=0.30, roll=0.0),
    drag=0.0,
    sweeps=4,
)
"""As the independent 3D engine was set up for its pot table: no air, a livelier pot, no rolling resistance. Its flat
drops gave back .28 to .33 on felt and .48 to .53 on the pot."""


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
