"""Input and output states of winks, and the motion of a wink shot off the felt."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flicksim.engine.winks.params import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class WinkStates:
    """Poses and velocities of N winks.

    Attributes:
        c: centres, z up from the felt [N, 3] [m].
        n: unit face normals [N, 3]; n.z > 0 while the face that was up is up.
        v: velocities [N, 3] [m/s].
        L: angular momenta per own mass [N, 3] [m^2/s].
        R: radii [N] [m].
        h: half thicknesses [N] [m].
        mass: [N] [kg].
    """

    c: Floats
    n: Floats
    v: Floats
    L: Floats
    R: Floats
    h: Floats
    mass: Floats

    @classmethod
    def at_rest(cls, c: Floats, size: Sequence[tuple[float, float, float]], n: Floats | None = None) -> "WinkStates":
        """Resting winks with centres [N, 3] and (radius, half thickness, mass) of each; normals [N, 3], up by
        default."""
        c = np.array(c, dtype=np.float64).reshape(-1, 3)
        sizes = np.array(size, dtype=np.float64).reshape(-1, 3)
        up = np.tile([0.0, 0.0, 1.0], (len(c), 1)) if n is None else np.array(n, dtype=np.float64)
        still = np.zeros_like(c)
        return cls(c=c, n=up, v=still, L=still.copy(), R=sizes[:, 0], h=sizes[:, 1], mass=sizes[:, 2])

    def with_motion(self, disc: int, v: Floats, L: Floats) -> "WinkStates":
        """Copy with this velocity and angular momentum per mass of `disc`."""
        vs, Ls = self.v.copy(), self.L.copy()
        vs[disc], Ls[disc] = v, L
        return WinkStates(c=self.c, n=self.n, v=vs, L=Ls, R=self.R, h=self.h, mass=self.mass)

    def angular_velocities(self) -> Floats:
        """Angular velocities [N, 3] [rad/s]."""
        it = 1.0 / (self.R * self.R / 4.0 + self.h * self.h / 3.0)
        axial = (2.0 / (self.R * self.R) - it) * np.sum(self.L * self.n, axis=1)
        w: Floats = it[:, None] * self.L + axial[:, None] * self.n
        return w


def launch_motion(
    R: float, h: float, n: Floats, speed: float, elevation: float, azimuth: float, tumble: float
) -> tuple[Floats, Floats]:
    """Velocity and angular momentum per mass of a launched wink.

    Args:
        R: radius [m].
        h: half thickness [m].
        n: its face normal [3].
        speed: of its centre [m/s].
        elevation: above the felt [rad].
        azimuth: counter-clockwise from +x [rad].
        tumble: backspin about the horizontal axis across the flight, the leading edge rising [rad/s].
    """
    flat = speed * math.cos(elevation)
    v = np.array([flat * math.cos(azimuth), flat * math.sin(azimuth), speed * math.sin(elevation)])
    w = tumble * np.array([math.sin(azimuth), -math.cos(azimuth), 0.0])
    it, ia = R * R / 4.0 + h * h / 3.0, R * R / 2.0
    return v, it * w + (ia - it) * float(np.dot(w, n)) * np.asarray(n)
