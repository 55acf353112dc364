"""Fuzz test of the wink simulation: random squidges, checked for physically impossible results.

Every shot begins where the last one left the winks: in piles, leaning, in the pot, against its wall, on its rim. Dice
are handed in; nothing here draws by itself.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Protocol

import numpy as np

from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.winks.bodies import lowest_height, make_bodies
from flicksim.engine.winks.contacts import RIM_SAMPLES
from flicksim.engine.winks.narrowphase_cup import collide_cup, is_in_cup
from flicksim.engine.winks.params import LARGE_WINK, PLAY_PARAMS, SMALL_WINK, Cup, Floats
from flicksim.engine.winks.result import Status, WinkResult
from flicksim.engine.winks.separation import separation
from flicksim.engine.winks.wink_simulation import simulate_winks
from flicksim.engine.winks.wink_states import WinkStates, launch_motion

MAX_PENETRATION: Final = 30e-6
"""Depth to which winks at rest may sink into each other, the pot or the felt [m]."""
MAX_ENERGY_GAIN: Final = 0.02
"""Energy a shot may gain by how it is solved [J/kg]: 2 mm of height."""
MAX_DURATION: Final = 40.0
"""By when a shot has come to rest, or it never will: the fastest roll on their edge for some twenty seconds [s]."""
_FRAME: Final = 1.0 / 240.0


class NoiseSource(Protocol):
    """Random number source, such as a numpy Generator."""

    def uniform(self, low: float, high: float) -> float: ...
    def integers(self, high: int) -> int: ...


def problems(dice: NoiseSource, count: int) -> list[str]:
    """Problems of `count` successive random squidges about a pot, as sentences; empty if there are none."""
    pot = Cup() if dice.uniform(0.0, 1.0) < 0.5 else Cup(base_radius=Cup().top_radius)
    end = _random_mat(dice, pot)
    said = [f"strewing {len(end.winks.R)} winks: {what}" for what in _problems(end, pot)]
    for shot in range(count):
        if said and not np.isfinite(end.winks.c).all():
            break
        shooter, v, spin, how = _squidge(dice, end.winks, pot)
        lifted = None if any(shooter in (one.upper, one.lower) for one in end.lies_on) else shooter
        still = replace(end.winks, v=np.zeros_like(end.winks.v), L=np.zeros_like(end.winks.L))
        end = simulate_winks(
            still.with_motion(shooter, v, spin),
            PLAY_PARAMS,
            pot,
            shooter=lifted,
            t_max=MAX_DURATION,
            keyframe_interval=_FRAME,
        )
        said += [f"shot {shot + 1}, wink {shooter} {how}: {what}" for what in _problems(end, pot)]
    return said


def _random_mat(dice: NoiseSource, pot: Cup) -> WinkResult:
    """Random winks dropped about the pot, onto each other and into it."""
    sizes = [LARGE_WINK if dice.uniform(0.0, 1.0) < 0.4 else SMALL_WINK for _ in range(2 + dice.integers(9))]
    heaps = [(0.0, 0.0), (pot.top_radius + 6e-3, 0.0), (0.08, 0.05)]
    c, n = np.zeros((len(sizes), 3)), np.zeros((len(sizes), 3))
    for i in range(len(sizes)):
        x, y = heaps[dice.integers(len(heaps))]
        wide = 6e-3 if x == 0.0 else 14e-3
        c[i] = x + dice.uniform(-wide, wide), y + dice.uniform(-wide, wide), 0.055 + 0.025 * i
        n[i] = dice.uniform(-1.0, 1.0), dice.uniform(-1.0, 1.0), dice.uniform(-1.0, 1.0)
    n /= np.linalg.norm(n, axis=1)[:, None]
    winks = WinkStates.at_rest(c, sizes, n)
    return simulate_winks(
        winks, PLAY_PARAMS, pot, moving=range(len(sizes)), t_max=MAX_DURATION, keyframe_interval=_FRAME
    )


def _squidge(dice: NoiseSource, winks: WinkStates, pot: Cup) -> tuple[int, Floats, Floats, str]:
    """Random squidge of any wink at the pot, at another wink or anywhere: index, velocities, description."""
    shooter = dice.integers(len(winks.R))
    goal = dice.integers(len(winks.R) + 2)
    to = winks.c[goal, :2] if goal < len(winks.R) else np.array([pot.x, pot.y])
    far = math.hypot(*(to - winks.c[shooter, :2]))
    azimuth = math.atan2(to[1] - winks.c[shooter, 1], to[0] - winks.c[shooter, 0]) + dice.uniform(-0.2, 0.2)
    elevation = math.radians(dice.uniform(2.0, 88.0))
    speed = math.sqrt(9.81 * max(far, 0.02) / math.sin(2.0 * elevation)) * dice.uniform(0.8, 1.3)
    if dice.uniform(0.0, 1.0) < 0.2 or speed > 6.0:
        speed, azimuth = dice.uniform(0.05, 6.0), dice.uniform(-math.pi, math.pi)
    tumble = dice.uniform(-150.0, 150.0)
    v, spin = launch_motion(
        float(winks.R[shooter]), float(winks.h[shooter]), winks.n[shooter], speed, elevation, azimuth, tumble
    )
    how = f"at {speed:.6f} m/s, azimuth {azimuth:.6f}, elevation {elevation:.6f}, tumble {tumble:.3f} rad/s"
    return shooter, v, spin, how


def _problems(end: WinkResult, pot: Cup) -> Iterator[str]:
    """Problems of a result and of its tracks."""
    w = end.winks
    if not (np.isfinite(end.track_poses).all() and np.isfinite(w.c).all() and np.isfinite(w.n).all()):
        yield "a place is not a number"
        return
    if end.energy_gain > MAX_ENERGY_GAIN:
        yield f"{end.energy_gain:.4f} J/kg came from nowhere"
    yield from _tunnelled(end, pot)
    if not end.settled:
        who = ", ".join(str(i) for i in end.unsettled)
        yield f"after {end.time:.1f} s {who} still moved"
        return
    if any(status in (Status.LEFT, Status.MOVING) for status in end.status):
        yield f"a wink was lost: {[status.value for status in end.status]}"
    yield from _penetration(w, pot)


def _tunnelled(end: WinkResult, pot: Cup) -> Iterator[str]:
    """Winks whose centre passed through the pot's wall between two frames."""
    c = end.track_poses[:, :, :3]
    if len(c) < 2:
        return
    x, y, z = c[:, :, 0] - pot.x, c[:, :, 1] - pot.y, c[:, :, 2]
    inside = (
        np.hypot(x, y)
        < pot.base_radius + z / pot.height * (pot.top_radius - pot.base_radius) - 0.5 * pot.wall_thickness
    ) & (z < pot.height)
    way = np.linalg.norm(np.diff(c, axis=0), axis=2)
    low = np.maximum(z[1:], z[:-1]) < pot.height - way - 1e-4
    for t, i in np.argwhere((inside[1:] != inside[:-1]) & low).tolist():
        yield f"wink {i} went through the wall after {end.track_times[t]:.4f} s, {1000.0 * z[t, i]:.2f} mm up"


def _penetration(w: WinkStates, pot: Cup) -> Iterator[str]:
    """Winks at rest that penetrate one another, the wall or the ground."""
    discs, cup = len(w.R), pot.to_array()
    b = make_bodies(w.c, w.v, w.n, w.L, w.R, w.h, w.mass, np.zeros(discs))
    pairs, k, near = np.zeros((discs, discs, 4)), np.zeros((64, C.CONTACT_COLUMNS)), np.zeros(RIM_SAMPLES)
    for i in range(discs):
        for j in range(i + 1, discs):
            gap = separation(b, i, j, pairs)
            if gap < -MAX_PENETRATION:
                yield f"winks {i} and {j} rest {-1e6 * gap:.0f} um deep in each other"
        count, _ = collide_cup(b, i, cup, k, 0, 0.0, near)
        if count and float(k[:count, C.GAP].min()) < -MAX_PENETRATION:
            yield f"wink {i} rests {-1e6 * float(k[:count, C.GAP].min()):.0f} um deep in the wall"
        level = pot.floor_height if is_in_cup(w.c[i, 0] - pot.x, w.c[i, 1] - pot.y, w.c[i, 2], cup) else 0.0
        if lowest_height(b, i) < level - MAX_PENETRATION:
            yield f"wink {i} rests {1e6 * (level - lowest_height(b, i)):.0f} um below the ground"


__all__ = ["MAX_DURATION", "MAX_ENERGY_GAIN", "MAX_PENETRATION", "NoiseSource", "problems"]
