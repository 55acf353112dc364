"""Winks that jam in the pot and never come to rest: they are laid flat on the others there after the shot."""

from flicksim.engine.winks import bodies as W
from flicksim.engine.winks.narrowphase_cup import is_in_cup
from flicksim.engine.winks.params import Floats
from flicksim.engine.winks.shot_arrays import IN_POT, MOVING, SETTLED, ResultArrays


def lay_in_pot(row: int, pot: Floats, results: ResultArrays, bodies: Floats) -> None:
    """Lay the winks of a shot that still move flat in the pot, the lowest first; change nothing if any moves elsewhere.

    Args:
        bodies: body rows of the mat, for the sizes of the winks. [N, BODY_COLUMNS]
    """
    poses, outcome = results.poses[row], results.outcome[row]
    moving = [i for i in range(len(bodies)) if outcome[i] == MOVING]
    if not len(pot):
        return
    inside = [i for i, (x, y, z) in enumerate(poses[:, :3]) if is_in_cup(x - pot[0], y - pot[1], z, pot)]
    if not set(moving) <= set(inside):
        return
    radius, half = bodies[:, W.RADIUS], bodies[:, W.HALF_THICKNESS]
    slope = (poses[:, 3] ** 2 + poses[:, 4] ** 2) ** 0.5
    tops = poses[:, 2] + radius * slope + half * abs(poses[:, 5])
    top = max((float(tops[i]) for i in inside if i not in moving), default=float(pot[6]))
    for i in sorted(moving, key=lambda i: float(poses[i, 2])):
        poses[i] = pot[0], pot[1], top + half[i], 0.0, 0.0, 1.0 if poses[i, 5] >= 0.0 else -1.0
        outcome[i] = IN_POT
        top += 2.0 * half[i]
    results.status[row] = SETTLED
