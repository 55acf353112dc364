"""Validation of the wink simulation against an independent 3D engine, over many noisy shots a condition.

Outcomes are chaotic after two or three contacts: only probabilities and medians are compared, never single shots.
Random generators and tables are arguments.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from flicksim.engine.winks.params import PLAY_PARAMS, REFERENCE_PARAMS, SMALL_WINK, Cup, Floats, WinkParams
from flicksim.engine.winks.wink_simulation import Until, simulate_winks
from flicksim.engine.winks.wink_states import WinkStates, launch_motion

Row = Mapping[str, str]
"""One row of a table, as csv.DictReader gives it."""

Shot = tuple[Floats, Floats, WinkStates]
"""Velocity, angular momentum per mass, and the wink."""

CARRY_PARAMS: Final = replace(
    REFERENCE_PARAMS, felt=replace(REFERENCE_PARAMS.felt, rolling_resistance=0.25e-3), iterations=8
)
"""Parameters for landings on bare felt, with rolling resistance."""
SQUOP_PARAMS: Final = CARRY_PARAMS
"""Parameters for winks lobbed at winks."""
_SPEED_NOISE, _AZIMUTH_NOISE, _ELEVATION_NOISE = 0.01, math.radians(0.4), math.radians(0.5)
_TUMBLE_NOISE: Final = 10.0
"""Standard deviation of the tumble of a world-class player [rad/s]; the tables have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationCase:
    """Validation case: a claim with its reference and measured value.

    Attributes:
        claim: text.
        oracle: reference value.
        measured: simulated value.
        difference: measured minus oracle.
        tolerance: largest difference to pass.
        n: number of shots.
    """

    claim: str
    oracle: float
    measured: float
    difference: float
    tolerance: float
    n: int

    @property
    def passed(self) -> bool:
        """True if the difference is within the tolerance."""
        return abs(self.difference) <= self.tolerance


def _case(claim: str, oracle: float, measured: float, tolerance: float, n: int) -> ValidationCase:
    return ValidationCase(
        claim=claim, oracle=oracle, measured=measured, difference=measured - oracle, tolerance=tolerance, n=n
    )


def _noisy_shots(row: Row, n: int, rng: np.random.Generator, spread: float = 0.0) -> Iterator[Shot]:
    """Noisy shots of a small wink from (-distance, 0) along +x: velocity, angular momentum, and the wink on the felt;
    the tumble with that standard deviation [rad/s]."""
    R, h, _ = SMALL_WINK
    wink = WinkStates.at_rest(np.array([[-float(row["distance_m"]), 0.0, h]]), [SMALL_WINK])
    speed, elevation = float(row["speed_m_s"]), math.radians(float(row["elevation_deg"]))
    for ds, da, de, dt in rng.standard_normal((n, 4)):
        noisy_speed, rise = speed * (1.0 + _SPEED_NOISE * ds), elevation + _ELEVATION_NOISE * de
        tumble = float(row["tumble_rad_s"]) + spread * dt
        yield *launch_motion(R, h, wink.n[0], noisy_speed, rise, _AZIMUTH_NOISE * da, tumble), wink


def pot_probability(row: Row, n: int, rng: np.random.Generator) -> float:
    """Share of `n` noisy shots that end in the pot, under the conditions of a row of the pot table."""
    pot = Cup() if row["pot_variant"] == "taper" else Cup(base_radius=Cup().top_radius)
    potted = 0
    for v, spin, wink in _noisy_shots(row, n, rng):
        shot = wink.with_motion(0, v, spin)
        end = simulate_winks(shot, REFERENCE_PARAMS, pot, shooter=0, until=Until.DECIDED, t_max=4.0)
        x, y, z = end.winks.c[0]
        # without rolling resistance a few circle in the pot for ever; they count as potted
        potted += end.potted if end.potted is not None else math.hypot(x, y) < pot.top_radius and z < pot.height
    return potted / n


def pot_cases(rows: Sequence[Row], n: int, rng: np.random.Generator) -> list[ValidationCase]:
    """Pot probability against every row; .12 at worst where tumble is 100 and the elevation 45 or 60 degrees, and .05
    in the mean of those; the other rows depend on the friction of the engine and have a tolerance of .2."""
    cases: list[ValidationCase] = []
    judged_differences: list[float] = []
    for row in rows:
        name = f"pot {row['pot_variant']} {row['distance_m']} m {row['elevation_deg']} deg {row['tumble_rad_s']} rad/s"
        judged = float(row["tumble_rad_s"]) == 100.0 and row["elevation_deg"] in ("45", "60")
        case = _case(name, float(row["p_pot"]), pot_probability(row, n, rng), 0.12 if judged else 0.2, n)
        cases.append(case)
        if judged:
            judged_differences.append(abs(case.difference))
    if judged_differences:
        mean = sum(judged_differences) / len(judged_differences)
        cases.append(_case("pot, mean |difference|, tumble 100, 45 and 60 deg", 0.0, mean, 0.05, n))
    differences = [abs(t.difference) for t in cases[: len(rows)]]
    cases.append(_case("pot, mean |difference|, all rows", 0.0, sum(differences) / len(differences), 0.05, n))
    return cases


def simulate_landings(row: Row, n: int, rng: np.random.Generator) -> tuple[Floats, float]:
    """`n` landings under the conditions of a row: distances of the centre along the flight from first contact to rest
    [n] [m], and the share that ended upside down. Initially its lowest point is 1 mm above the felt."""
    R, h, _ = SMALL_WINK
    angle, speed = math.radians(float(row["landing_angle_deg"])), float(row["speed_m_s"])
    tumble, random = float(row["tumble_rad_s"]), row["attitude"] == "random"
    v = np.array([speed * math.cos(angle), 0.0, -speed * math.sin(angle)])
    distances, turned = np.zeros(n), 0
    phases = 2.0 * math.pi * rng.random(n)
    tilts = math.radians(3.0) * rng.standard_normal((n, 2))
    for q in range(n):
        pitch = float(phases[q]) if random else float(tilts[q, 0])
        roll = float(tilts[q, 1])
        across = np.array([math.sin(pitch) * math.cos(roll), -math.sin(roll), math.cos(pitch) * math.cos(roll)])
        drop = R * math.hypot(float(across[0]), float(across[1])) + h * abs(float(across[2]))
        wink = WinkStates.at_rest(np.array([[0.0, 0.0, drop + 1e-3]]), [SMALL_WINK], across[None])
        _, spin = launch_motion(R, h, across, 0.0, 0.0, 0.0, tumble)
        end = simulate_winks(wink.with_motion(0, v, spin), CARRY_PARAMS, t_max=8.0)
        distances[q] = end.winks.c[0, 0] - float(v[0]) * end.contacts[0].time
        turned += bool(end.winks.n[0, 2] < 0.0)
    return distances, turned / n


def carry_cases(rows: Sequence[Row], n: int, rng: np.random.Generator) -> list[ValidationCase]:
    """Median carry after landing against every row: 8 % in the mean, a third at worst; and the share of flat
    landings that turn over, .15 at worst."""
    cases: list[ValidationCase] = []
    turned_over: list[ValidationCase] = []
    for row in rows:
        name = f"{row['attitude']} {row['landing_angle_deg']} deg {row['speed_m_s']} m/s {row['tumble_rad_s']} rad/s"
        oracle, (distances, turned_share) = float(row["p50_m"]), simulate_landings(row, n, rng)
        cases.append(_case(f"carry {name}", oracle, float(np.median(distances)), oracle / 3.0, n))
        if row["attitude"] == "flat":
            turned_over.append(_case(f"turned over {name}", float(row["frac_upside_down"]), turned_share, 0.15, n))
    mean = sum(abs(t.difference) / t.oracle for t in cases) / len(cases)
    return [*cases, _case("carry, mean |relative difference|", 0.0, mean, 0.08, n), *turned_over]


LANDING_DISTANCE: Final = 0.75
"""Distance at which the shots land whose roll-out is measured [m]."""
FELT_RANGE: Final = ((0.2, 0.4), (0.5, 0.2))
"""Tournament felt as the sources bound it, the livelier end first: friction .2 to .5, a flat drop's restitution .4 to
.2, both judged from balls on billiard cloth. No measurement of a wink's slide on it is known."""
_LOB_SHOT: Final = (math.radians(40.0), 100.0)
"""Elevation within the 30 to 45 degrees of a proper take-off, and tumble [rad/s], of the shots whose roll-out is
measured."""


def slide_distance(flat: float, down: float, mu: float, e: float, gravity: float) -> float:
    """Distance after landing with these speeds along and into the ground [m/s], of a wink that stays level: hops with
    Coulomb friction at each impact, then a slide [m]."""
    distance = 0.0
    while flat > 0.0 and down > 1e-4:
        flat = max(0.0, flat - mu * (1.0 + e) * down)
        down *= e
        distance += flat * 2.0 * down / gravity
    return distance + flat * flat / (2.0 * mu * gravity)


def roll_out_distances(n: int, rng: np.random.Generator) -> Floats:
    """Distances from landing to rest of a club player's winks that land about three quarters of a metre away [n] [m];
    the noise is twice that of a world-class player."""
    R, h, _ = SMALL_WINK
    wink = WinkStates.at_rest(np.array([[0.0, 0.0, h]]), [SMALL_WINK])

    def shot(speed: float, elevation: float, azimuth: float, tumble: float) -> tuple[float, float]:
        v, spin = launch_motion(R, h, wink.n[0], speed, elevation, azimuth, tumble)
        end = simulate_winks(wink.with_motion(0, v, spin), PLAY_PARAMS, shooter=0, t_max=8.0)
        x, y, _ = end.contacts[0].point
        return math.hypot(x, y), math.hypot(end.winks.c[0, 0] - x, end.winks.c[0, 1] - y)

    low, high = 2.0, 5.0
    for _ in range(12):
        speed = 0.5 * (low + high)
        low, high = (
            (speed, high) if shot(speed, _LOB_SHOT[0], 0.0, _LOB_SHOT[1])[0] < LANDING_DISTANCE else (low, speed)
        )
    distances = np.zeros(n)
    for q, (ds, da, de, dt) in enumerate(rng.standard_normal((n, 4))):
        aimed = speed * (1.0 + 0.018 * ds), _LOB_SHOT[0] + math.radians(2.0) * de, math.radians(1.6) * da
        distances[q] = shot(*aimed, _LOB_SHOT[1] + 2.0 * _TUMBLE_NOISE * dt)[1]
    return distances


def roll_out_cases(n: int, rng: np.random.Generator) -> list[ValidationCase]:
    """Median roll-out with `PLAY_PARAMS`, between the slides on felt at both ends of `FELT_RANGE`."""
    speed = math.sqrt(PLAY_PARAMS.gravity * LANDING_DISTANCE / math.sin(2.0 * _LOB_SHOT[0]))
    flat, down = speed * math.cos(_LOB_SHOT[0]), speed * math.sin(_LOB_SHOT[0])
    far, near = (slide_distance(flat, down, mu, e, PLAY_PARAMS.gravity) for mu, e in FELT_RANGE)
    measured = float(np.median(roll_out_distances(n, rng)))
    claim = f"roll-out in play after landing {LANDING_DISTANCE:g} m away, median [m]"
    return [_case(claim, 0.5 * (far + near), measured, 0.5 * (far - near), n)]


def simulate_squops(row: Row, shots: Sequence[Shot], params: WinkParams = SQUOP_PARAMS) -> tuple[float, float]:
    """Lobs of a small wink at a small free one, as far away as the row says: share that squopped, and by more than a
    tenth.

    The shot starts on the felt; the reference starts just before the target.
    """
    n = len(shots)
    h = SMALL_WINK[1]
    hits = tenths = 0
    aim = float(row["distance_m"])
    for v, spin, _ in shots:
        scene = WinkStates.at_rest(np.array([[-aim, 0.0, h], [0.0, 0.0, h]]), [SMALL_WINK, SMALL_WINK])
        end = simulate_winks(scene.with_motion(0, v, spin), params, shooter=0, t_max=3.0)
        overlaps = [lying.overlap for lying in end.lies_on if lying.upper == 0]
        hits += len(overlaps)
        tenths += sum(overlap > 0.1 for overlap in overlaps)
    return hits / n, tenths / n


def squop_cases(rows: Sequence[Row], n: int, rng: np.random.Generator) -> list[ValidationCase]:
    """Squop probability against every row: .10 in the mean, .25 at worst, at the one tumble of the reference.

    Then shots with noise on the tumble, against the same with half the time step, .08 at worst: results must not depend
    on the step.
    """
    cases: list[ValidationCase] = []
    halved: list[ValidationCase] = []
    fine = replace(SQUOP_PARAMS, time_step=0.5 * SQUOP_PARAMS.time_step)
    for row in rows:
        name = f"squop {row['target']} {row['distance_m']} m {row['elevation_deg']} deg {row['tumble_rad_s']} rad/s"
        squopped, over_tenth = simulate_squops(row, list(_noisy_shots(row, n, rng)))
        cases.append(_case(name, float(row["p_squop"]), squopped, 0.25, n))
        cases.append(_case(name + ", over 10 %", float(row["p_squop_gt10pct"]), over_tenth, 0.25, n))
        shots = list(_noisy_shots(row, n, rng, _TUMBLE_NOISE))
        coarse, refined = simulate_squops(row, shots), simulate_squops(row, shots, fine)
        name += f" +- {_TUMBLE_NOISE:g}, half the step"
        halved.append(_case(name, coarse[0], refined[0], 0.08, n))
        halved.append(_case(name + ", over 10 %", coarse[1], refined[1], 0.08, n))
    for title, part in (("squop", cases[0::2]), ("squop over 10 %", cases[1::2])):
        mean = sum(abs(t.difference) for t in part) / len(part)
        cases.append(_case(f"{title}, mean |difference|", 0.0, mean, 0.10, n))
    return cases + halved
