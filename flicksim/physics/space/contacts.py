"""The list of contacts of one step: how a corner or an edge meets walls and edges."""

from typing import Final

from flicksim.physics.flight.jit import bare
from flicksim.physics.space.bodies import Floats

TABLE: Final = -1
"""In place of a second body: the table."""

FIRST, SECOND, KIND, GAP, DEPTH, APPROACH, AX, AY, AZ = range(9)
"""Columns of the contacts [C, WIDTH]: the body pushed, and what pushes it (a body or TABLE); a number for the corner
and wall or the two edges that meet, the same as long as they do; distance, negative where they overlap [m]; overlap the
spring is allowed to feel [m]; normal velocity before the step's impulses [m/s]; the point [m]."""
DX, DY, DZ = 9, 10, 11
"""The unit normal pushing the first body; two tangents follow it. Row q of three is at + 3 q, here and below."""
TA, IA, TB, IB = 18, 27, 36, 45
"""Torque arms r x d of the three directions on the first body [m], and the angular velocity they give it per impulse
over mass; the same on the second body."""
GOAL, PUSH, GIVE = 54, 57, 60
"""Relative velocities aimed at [m/s]; impulses [N s]; 1 / k_n, the inverse friction matrix (11, 12, 22) and what moves
the contact as much as a push against its slip may [kg]."""
WIDTH: Final = 66


@bare
def add(
    k: Floats, m: int, a: int, b: int, kind: int, x: float, y: float, z: float, nx: float, ny: float, nz: float,
    gap: float,
) -> int:  # fmt: skip
    """One contact more, if there is room: the new count."""
    if m >= len(k):
        return m
    k[m, FIRST], k[m, SECOND], k[m, KIND] = a, b, kind
    k[m, AX], k[m, AY], k[m, AZ] = x, y, z
    k[m, DX], k[m, DY], k[m, DZ] = nx, ny, nz
    k[m, GAP] = gap
    k[m, DEPTH] = -gap
    return m + 1
