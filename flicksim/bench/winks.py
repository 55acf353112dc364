"""The layer held against an independent 3D engine, over many noisy shots a condition.

Outcomes are chaotic after two or three contacts: only probabilities and medians are compared, never single shots. Dice
and tables are handed in; nothing here draws or reads by itself.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from flicksim.physics.flight.fly import Until, fly
from flicksim.physics.flight.params import PLAY, REFERENCE, SMALL, Floats, Params, Pot
from flicksim.physics.flight.winks import Winks, launch

Row = Mapping[str, str]
"""One row of a table, as csv.DictReader gives it."""

Shot = tuple[Floats, Floats, Winks]
"""Velocity, angular momentum per mass, and the wink that is given them."""

CARRY: Final = replace(REFERENCE, felt=replace(REFERENCE.felt, roll=0.25e-3), sweeps=8)
"""The engine's set-up for landings on bare felt, with rolling resistance."""
SQUOP: Final = CARRY
"""And for winks lobbed at winks."""
_SPEED, _AZIMUTH, _ELEVATION = 0.01, math.radians(0.4), math.radians(0.5)
_TUMBLE: Final = 10.0
"""Spread of the tumble in play, a world-class hand's [rad/s]; the tables have none."""


class Dice(Protocol):
    """Source of noise, such as a numpy Generator."""

    def standard_normal(self, size: tuple[int, ...]) -> Floats: ...
    def random(self, size: tuple[int, ...]) -> Floats: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """One claim, measured.

    Attributes:
        claim: what is compared, in words.
        oracle: the reference's value.
        measured: ours.
        difference: measured less oracle.
        tolerance: how far they may be apart.
        n: shots.
    """

    claim: str
    oracle: float
    measured: float
    difference: float
    tolerance: float
    n: int

    @property
    def holds(self) -> bool:
        """True where the difference is within the tolerance."""
        return abs(self.difference) <= self.tolerance


def _truth(claim: str, oracle: float, measured: float, tolerance: float, n: int) -> Truth:
    return Truth(claim=claim, oracle=oracle, measured=measured, difference=measured - oracle, tolerance=tolerance, n=n)


def _shots(row: Row, n: int, dice: Dice, spread: float = 0.0) -> Iterator[Shot]:
    """Noisy shots of a small wink from (-distance, 0) along +x: velocity, angular momentum, and the wink on the felt;
    the tumble with that standard deviation [rad/s]."""
    R, h, _ = SMALL
    wink = Winks.at_rest(np.array([[-float(row["distance_m"]), 0.0, h]]), [SMALL])
    speed, elevation = float(row["speed_m_s"]), math.radians(float(row["elevation_deg"]))
    for ds, da, de, dt in dice.standard_normal((n, 4)):
        v, spin = launch(
            R,
            h,
            wink.n[0],
            speed * (1.0 + _SPEED * ds),
            elevation + _ELEVATION * de,
            _AZIMUTH * da,
            float(row["tumble_rad_s"]) + spread * dt,
        )
        yield v, spin, wink


def pot_probability(row: Row, n: int, dice: Dice, params: Params = REFERENCE) -> float:
    """Share of `n` noisy shots that end in the pot, under the conditions of a row of the pot table."""
    pot = Pot() if row["pot_variant"] == "taper" else Pot(base=Pot().top)
    potted = 0
    for v, spin, wink in _shots(row, n, dice):
        end = fly(wink.moved(0, v, spin), params, pot, shooter=0, until=Until.VERDICT, t_max=4.0)
        x, y, z = end.winks.c[0]
        # without rolling resistance a few whirl round the wall for ever; they are in
        potted += end.potted if end.potted is not None else math.hypot(x, y) < pot.top and z < pot.height
    return potted / n


def pot_truths(rows: Sequence[Row], n: int, dice: Dice, params: Params = REFERENCE) -> list[Truth]:
    """Pot probability against every row; .12 at worst where tumble is 100 and the elevation 45 or 60 degrees, and .05
    in the mean of those; the other rows depend on the engine's own friction and are told, with .2, for completeness."""
    truths: list[Truth] = []
    fair: list[float] = []
    for row in rows:
        name = f"pot {row['pot_variant']} {row['distance_m']} m {row['elevation_deg']} deg {row['tumble_rad_s']} rad/s"
        judged = float(row["tumble_rad_s"]) == 100.0 and row["elevation_deg"] in ("45", "60")
        truth = _truth(name, float(row["p_pot"]), pot_probability(row, n, dice, params), 0.12 if judged else 0.2, n)
        truths.append(truth)
        if judged:
            fair.append(abs(truth.difference))
    if fair:
        truths.append(_truth("pot, mean |difference|, tumble 100, 45 and 60 deg", 0.0, sum(fair) / len(fair), 0.05, n))
    every = [abs(t.difference) for t in truths[: len(rows)]]
    truths.append(_truth("pot, mean |difference|, all rows", 0.0, sum(every) / len(every), 0.05, n))
    return truths


@dataclass(frozen=True, slots=True, kw_only=True)
class Landings:
    """Of landings: how far the centre came along the flight from the first contact to rest [n] [m], and the share that
    came to lie upside down."""

    carries: Floats
    turned: float


def landings(row: Row, n: int, dice: Dice, params: Params = CARRY) -> Landings:
    """`n` landings under the conditions of a row. The wink begins with its lowest point 1 mm above the felt."""
    R, h, _ = SMALL
    angle, speed = math.radians(float(row["landing_angle_deg"])), float(row["speed_m_s"])
    tumble, random = float(row["tumble_rad_s"]), row["attitude"] == "random"
    v = np.array([speed * math.cos(angle), 0.0, -speed * math.sin(angle)])
    out, turned = np.zeros(n), 0
    phases = 2.0 * math.pi * dice.random((n, 1))[:, 0]
    tilts = math.radians(3.0) * dice.standard_normal((n, 2))
    for q in range(n):
        pitch = float(phases[q]) if random else float(tilts[q, 0])
        roll = float(tilts[q, 1])
        across = np.array([math.sin(pitch) * math.cos(roll), -math.sin(roll), math.cos(pitch) * math.cos(roll)])
        drop = R * math.hypot(float(across[0]), float(across[1])) + h * abs(float(across[2]))
        wink = Winks.at_rest(np.array([[0.0, 0.0, drop + 1e-3]]), [SMALL], across[None])
        _, spin = launch(R, h, across, 0.0, 0.0, 0.0, tumble)
        end = fly(wink.moved(0, v, spin), params, t_max=8.0)
        out[q] = end.winks.c[0, 0] - float(v[0]) * end.impacts[0].time
        turned += bool(end.winks.n[0, 2] < 0.0)
    return Landings(carries=out, turned=turned / n)


def carry_truths(rows: Sequence[Row], n: int, dice: Dice, params: Params = CARRY) -> list[Truth]:
    """Median carry after landing against every row: 8 % in the mean, a third at worst; and how many of those that land
    flat turn over, .15 at worst."""
    truths: list[Truth] = []
    turned: list[Truth] = []
    for row in rows:
        name = f"{row['attitude']} {row['landing_angle_deg']} deg {row['speed_m_s']} m/s {row['tumble_rad_s']} rad/s"
        oracle, got = float(row["p50_m"]), landings(row, n, dice, params)
        truths.append(_truth(f"carry {name}", oracle, float(np.median(got.carries)), oracle / 3.0, n))
        if row["attitude"] == "flat":
            turned.append(_truth(f"turned over {name}", float(row["frac_upside_down"]), got.turned, 0.15, n))
    mean = sum(abs(t.difference) / t.oracle for t in truths) / len(truths)
    return [*truths, _truth("carry, mean |relative difference|", 0.0, mean, 0.08, n), *turned]


@dataclass(frozen=True, slots=True, kw_only=True)
class Squops:
    """Of shots at a wink: share that squopped, by more than a tenth, with the shooter under, unsettled, and energy
    gain."""

    squopped: float
    by_a_tenth: float
    under: float
    unsettled: float
    gain: float


ROLL_FROM: Final = 0.75
"""Distance at which the shots land whose roll-out is measured [m]."""
FELT: Final = ((0.2, 0.4), (0.5, 0.2))
"""Tournament felt as the sources bound it, the livelier end first: friction .2 to .5, a flat drop's restitution .4 to
.2, both judged from balls on billiard cloth. Nobody has measured a wink's way on it."""
_LOB: Final = (math.radians(40.0), 100.0)
"""Elevation within the 30 to 45 degrees of a proper take-off, and tumble [rad/s], of the shots whose roll-out is
measured."""


def slid(flat: float, down: float, mu: float, e: float, gravity: float) -> float:
    """Way after landing with these speeds along and into the ground [m/s], of a wink that stays level: hops, each
    braked by what its blow allows, and the slide that is left [m]."""
    way = 0.0
    while flat > 0.0 and down > 1e-4:
        flat = max(0.0, flat - mu * (1.0 + e) * down)
        down *= e
        way += flat * 2.0 * down / gravity
    return way + flat * flat / (2.0 * mu * gravity)


def roll_outs(n: int, dice: Dice, params: Params = PLAY) -> Floats:
    """Ways of a club player's winks from where they land to where they rest, thrown to land about three quarters of a
    metre away [n] [m]; its hand has twice the spread of a world-class one."""
    R, h, _ = SMALL
    wink = Winks.at_rest(np.array([[0.0, 0.0, h]]), [SMALL])

    def shot(speed: float, elevation: float, azimuth: float, tumble: float) -> tuple[float, float]:
        v, spin = launch(R, h, wink.n[0], speed, elevation, azimuth, tumble)
        end = fly(wink.moved(0, v, spin), params, shooter=0, t_max=8.0)
        x, y, _ = end.impacts[0].point
        return math.hypot(x, y), math.hypot(end.winks.c[0, 0] - x, end.winks.c[0, 1] - y)

    low, high = 2.0, 5.0
    for _ in range(12):
        speed = 0.5 * (low + high)
        low, high = (speed, high) if shot(speed, _LOB[0], 0.0, _LOB[1])[0] < ROLL_FROM else (low, speed)
    out = np.zeros(n)
    for q, (ds, da, de, dt) in enumerate(dice.standard_normal((n, 4))):
        aimed = speed * (1.0 + 0.018 * ds), _LOB[0] + math.radians(2.0) * de, math.radians(1.6) * da
        out[q] = shot(*aimed, _LOB[1] + 2.0 * _TUMBLE * dt)[1]
    return out


def roll_truths(n: int, dice: Dice, params: Params = PLAY) -> list[Truth]:
    """The median roll-out in the play set, between what felt at either end of the sources would let slide."""
    speed = math.sqrt(params.gravity * ROLL_FROM / math.sin(2.0 * _LOB[0]))
    flat, down = speed * math.cos(_LOB[0]), speed * math.sin(_LOB[0])
    far, near = (slid(flat, down, mu, e, params.gravity) for mu, e in FELT)
    measured = float(np.median(roll_outs(n, dice, params)))
    claim = f"roll-out in play after landing {ROLL_FROM:g} m away, median [m]"
    return [_truth(claim, 0.5 * (far + near), measured, 0.5 * (far - near), n)]


def squops(row: Row, shots: Sequence[Shot], params: Params = SQUOP) -> Squops:
    """Lobs of a small wink at a small free one, as far away as the row says.

    Begun on the felt; the shooter ignores it until it is clear, where the reference begins just before the target.
    """
    n = len(shots)
    h = SMALL[1]
    hits = tenths = under = open_ = 0
    gain = 0.0
    aim = float(row["distance_m"])
    for v, spin, _ in shots:
        scene = Winks.at_rest(np.array([[-aim, 0.0, h], [0.0, 0.0, h]]), [SMALL, SMALL])
        end = fly(scene.moved(0, v, spin), params, shooter=0, t_max=3.0)
        gain = max(gain, end.energy_gain)
        open_ += not end.settled
        for lying in end.lies_on:
            if lying.upper == 0:
                hits += 1
                tenths += lying.overlap > 0.1
            else:
                under += 1
    return Squops(squopped=hits / n, by_a_tenth=tenths / n, under=under / n, unsettled=open_ / n, gain=gain)


def squop_truths(rows: Sequence[Row], n: int, dice: Dice, params: Params = SQUOP) -> list[Truth]:
    """Squop probability against every row: .10 in the mean, .25 at worst, at the one tumble of the reference.

    Then the same shots with the tumble spread as a hand spreads it, against themselves with half the step, .08 at
    worst: what is told of them must not hang on how finely they are solved.
    """
    truths: list[Truth] = []
    halved: list[Truth] = []
    fine = replace(params, step=0.5 * params.step)
    for row in rows:
        name = f"squop {row['target']} {row['distance_m']} m {row['elevation_deg']} deg {row['tumble_rad_s']} rad/s"
        got = squops(row, list(_shots(row, n, dice)), params)
        truths.append(_truth(name, float(row["p_squop"]), got.squopped, 0.25, n))
        truths.append(_truth(name + ", over 10 %", float(row["p_squop_gt10pct"]), got.by_a_tenth, 0.25, n))
        shots = list(_shots(row, n, dice, _TUMBLE))
        here, there = squops(row, shots, params), squops(row, shots, fine)
        name += f" +- {_TUMBLE:g}, half the step"
        halved.append(_truth(name, here.squopped, there.squopped, 0.08, n))
        halved.append(_truth(name + ", over 10 %", here.by_a_tenth, there.by_a_tenth, 0.08, n))
    for title, part in (("squop", truths[0::2]), ("squop over 10 %", truths[1::2])):
        mean = sum(abs(t.difference) for t in part) / len(part)
        truths.append(_truth(f"{title}, mean |difference|", 0.0, mean, 0.10, n))
    return truths + halved


__all__ = [
    "CARRY",
    "FELT",
    "ROLL_FROM",
    "SQUOP",
    "Dice",
    "Landings",
    "Squops",
    "Truth",
    "carry_truths",
    "landings",
    "pot_probability",
    "pot_truths",
    "roll_outs",
    "roll_truths",
    "slid",
    "squop_truths",
    "squops",
]
