"""Squidges nobody would think of, and whether anything impossible came of them.

Every shot begins where the last one left the winks: in piles, leaning, in the pot, against its wall, on its rim. Dice
are handed in; nothing here draws by itself.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Protocol

import numpy as np

from flicksim.physics.flight.account import FlightResult, Status
from flicksim.physics.flight.apart import apart
from flicksim.physics.flight.bodies import bodies, lowest
from flicksim.physics.flight.contacts import GAP, SAMPLES, WIDTH
from flicksim.physics.flight.fly import fly
from flicksim.physics.flight.params import LARGE, PLAY, SMALL, Floats, Pot
from flicksim.physics.flight.wall import in_pot, touch_pot
from flicksim.physics.flight.winks import Winks, launch

DEEP: Final = 30e-6
"""Depth to which winks at rest may sink into each other, the pot or the felt [m]."""
GAIN: Final = 0.02
"""Energy a shot may gain by how it is solved [J/kg]: 2 mm of height."""
LAST: Final = 40.0
"""By when a shot has come to rest, or it never will: the fastest roll on their edge for some twenty seconds [s]."""
_FRAME: Final = 1.0 / 240.0


class Dice(Protocol):
    """Source of chance, such as a numpy Generator."""

    def uniform(self, low: float, high: float) -> float: ...
    def integers(self, high: int) -> int: ...


def complaints(dice: Dice, count: int) -> list[str]:
    """Faults of `count` squidges about a pot, one after another, as sentences; good ones say nothing."""
    pot = Pot() if dice.uniform(0.0, 1.0) < 0.5 else Pot(base=Pot().top)
    end = _strewn(dice, pot)
    said = [f"strewing {len(end.winks.R)} winks: {what}" for what in _wrong(end, pot)]
    for shot in range(count):
        if said and not np.isfinite(end.winks.c).all():
            break
        shooter, v, spin, how = _squidge(dice, end.winks, pot)
        lifted = None if any(shooter in (one.upper, one.lower) for one in end.lies_on) else shooter
        still = replace(end.winks, v=np.zeros_like(end.winks.v), L=np.zeros_like(end.winks.L))
        end = fly(still.moved(shooter, v, spin), PLAY, pot, shooter=lifted, t_max=LAST, record=_FRAME)
        said += [f"shot {shot + 1}, wink {shooter} {how}: {what}" for what in _wrong(end, pot)]
    return said


def _strewn(dice: Dice, pot: Pot) -> FlightResult:
    """Winks let fall about the pot, onto each other and into it."""
    sizes = [LARGE if dice.uniform(0.0, 1.0) < 0.4 else SMALL for _ in range(2 + dice.integers(9))]
    heaps = [(0.0, 0.0), (pot.top + 6e-3, 0.0), (0.08, 0.05)]
    c, n = np.zeros((len(sizes), 3)), np.zeros((len(sizes), 3))
    for i in range(len(sizes)):
        x, y = heaps[dice.integers(len(heaps))]
        wide = 6e-3 if x == 0.0 else 14e-3
        c[i] = x + dice.uniform(-wide, wide), y + dice.uniform(-wide, wide), 0.055 + 0.025 * i
        n[i] = dice.uniform(-1.0, 1.0), dice.uniform(-1.0, 1.0), dice.uniform(-1.0, 1.0)
    n /= np.linalg.norm(n, axis=1)[:, None]
    winks = Winks.at_rest(c, sizes, n)
    return fly(winks, PLAY, pot, moving=range(len(sizes)), t_max=LAST, record=_FRAME)


def _squidge(dice: Dice, winks: Winks, pot: Pot) -> tuple[int, Floats, Floats, str]:
    """Any wink, shot at the pot, at another or anywhere: who, its motion, and that in words."""
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
    v, spin = launch(
        float(winks.R[shooter]), float(winks.h[shooter]), winks.n[shooter], speed, elevation, azimuth, tumble
    )
    how = f"at {speed:.6f} m/s, azimuth {azimuth:.6f}, elevation {elevation:.6f}, tumble {tumble:.3f} rad/s"
    return shooter, v, spin, how


def _wrong(end: FlightResult, pot: Pot) -> Iterator[str]:
    """Faults of the end of a flight and of the way there."""
    w = end.winks
    if not (np.isfinite(end.track).all() and np.isfinite(w.c).all() and np.isfinite(w.n).all()):
        yield "a place is not a number"
        return
    if end.energy_gain > GAIN:
        yield f"{end.energy_gain:.4f} J/kg came from nowhere"
    yield from _through(end, pot)
    if not end.settled:
        who = ", ".join(str(i) for i in end.restless)
        yield f"after {end.time:.1f} s {who} still moved"
        return
    if any(status in (Status.LEFT, Status.MOVING) for status in end.status):
        yield f"a wink was lost: {[status.value for status in end.status]}"
    yield from _sunk(w, pot)


def _through(end: FlightResult, pot: Pot) -> Iterator[str]:
    """Winks whose centre came into the pot, or out of it, between two frames far below the rim."""
    c = end.track[:, :, :3]
    if len(c) < 2:
        return
    x, y, z = c[:, :, 0] - pot.x, c[:, :, 1] - pot.y, c[:, :, 2]
    inside = (np.hypot(x, y) < pot.base + z / pot.height * (pot.top - pot.base) - 0.5 * pot.wall) & (z < pot.height)
    way = np.linalg.norm(np.diff(c, axis=0), axis=2)
    low = np.maximum(z[1:], z[:-1]) < pot.height - way - 1e-4
    for t, i in np.argwhere((inside[1:] != inside[:-1]) & low).tolist():
        yield f"wink {i} went through the wall after {end.times[t]:.4f} s, {1000.0 * z[t, i]:.2f} mm up"


def _sunk(w: Winks, pot: Pot) -> Iterator[str]:
    """Winks at rest that are deep in one another, the wall or the ground."""
    discs, cup = len(w.R), pot.numbers()
    b = bodies(w.c, w.v, w.n, w.L, w.R, w.h, w.mass, np.zeros(discs))
    pairs, k, near = np.zeros((discs, discs, 4)), np.zeros((64, WIDTH)), np.zeros(SAMPLES)
    for i in range(discs):
        for j in range(i + 1, discs):
            gap = apart(b, i, j, pairs)
            if gap < -DEEP:
                yield f"winks {i} and {j} rest {-1e6 * gap:.0f} um deep in each other"
        count, _ = touch_pot(b, i, cup, k, 0, 0.0, near)
        if count and float(k[:count, GAP].min()) < -DEEP:
            yield f"wink {i} rests {-1e6 * float(k[:count, GAP].min()):.0f} um deep in the wall"
        level = pot.floor if in_pot(w.c[i, 0] - pot.x, w.c[i, 1] - pot.y, w.c[i, 2], cup) else 0.0
        if lowest(b, i) < level - DEEP:
            yield f"wink {i} rests {1e6 * (level - lowest(b, i)):.0f} um below the ground"


__all__ = ["DEEP", "GAIN", "LAST", "Dice", "complaints"]
