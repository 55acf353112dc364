"""Resting statistics of pyramids over many launches, and a comparison with throws in a 3D engine.

Random generators and tables are arguments.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, hypot, pi, radians, sin

import numpy as np

from flicksim.core.geometry import rectangle
from flicksim.core.serialization import Value
from flicksim.core.units import mm
from flicksim.engine.pyramid_launch import simulate_launch
from flicksim.engine.pyramids.pyramid_world import PyramidWorld
from flicksim.engine.settings import Settings
from flicksim.scene import SIZES, STRIKE_HEIGHT_RANGE, Launch, Point3, Pyramid, Size, samples, standard_shape
from flicksim.validation.winks import Row

LAUNCH_SPEEDS: Mapping[Size, tuple[float, ...]] = {
    "small": (2.25, 2.75, 3.25), "medium": (2.75, 3.25, 4.0), "large": (3.25, 4.25, 5.0),
}  # fmt: skip
"""Speeds of the table for each size [m/s]: short, to the middle of a table, far."""
_LAUNCHER_POSITION = (0.45, 0.075)
"""Position of the launcher: in the middle of a stash area [m]."""
_FLOOR = rectangle(8.0, 8.0, -4.0, -4.0)


class LaunchOutcomes(Value, frozen=True, kw_only=True):
    """Outcomes of launches of one size and speed.

    Args:
        pieces: on the table before. size, speed: of the launches [m/s]. n: number of launches.
        upright, side, leaning, off: of these; upright is on the table or on another piece, off is off the table.
        carry: median distance from the launcher at rest [m]. spread: from the 16th to the 84th percentile, halved [m].
    """

    pieces: int
    size: str
    speed: float
    n: int
    upright: int
    side: int
    leaning: int
    off: int
    carry: float
    spread: float


def launch_outcomes(shots: int, rng: np.random.Generator, pieces: int) -> Iterator[LaunchOutcomes]:
    """So many launches of each size and strength from the middle of one side of a table to its middle, by a club
    hand: 4 % in strength, 2 degrees in slant, 3 in direction, held 2 degrees from upright and 4 from square to the
    flick, struck 0.8 mm beside the middle and at any height of the base.

    Args:
        pieces: strewn about the middle of the table before each.
    """
    settings, scene = Settings(), samples.scattered_pyramids(pieces)
    for size in SIZES:
        for speed in LAUNCH_SPEEDS[size]:
            found: list[Pyramid | None] = []
            noise, where = rng.standard_normal((shots, 6)), rng.random(shots)
            for (push, rise, turn, lean, square, aside), high in zip(noise, where, strict=True):
                launch = Launch(
                    piece="missile", size=size, hold=_LAUNCHER_POSITION, azimuth=pi / 2.0 + radians(3.0) * float(turn),
                    speed=speed * (1.0 + 0.04 * float(push)), height=STRIKE_HEIGHT_RANGE[1] * float(high),
                    slant=radians(65.0) + radians(2.0) * float(rise), askew=radians(2.0) * float(lean),
                    twist=radians(4.0) * float(square), aside=mm(0.8) * float(aside),
                )  # fmt: skip
                found.append(simulate_launch(scene, launch, settings).missile)
            yield _count_outcomes(pieces, size, speed, found)


def _count_outcomes(pieces: int, size: str, speed: float, found: Sequence[Pyramid | None]) -> LaunchOutcomes:
    remaining = [piece for piece in found if piece is not None]
    distances = [
        hypot(piece.centre_of_mass[0] - _LAUNCHER_POSITION[0], piece.centre_of_mass[1] - _LAUNCHER_POSITION[1])
        for piece in remaining
    ] or [0.0]
    low, middle, high = (float(share) for share in np.percentile(distances, (16.0, 50.0, 84.0)))
    upright, side = sum(piece.is_upright for piece in remaining), sum(piece.is_on_side for piece in remaining)
    return LaunchOutcomes(
        pieces=pieces, size=size, speed=speed, n=len(found), upright=upright, side=side,
        leaning=len(remaining) - upright - side, off=len(found) - len(remaining), carry=middle,
        spread=(high - low) / 2.0,
    )  # fmt: skip


class ReferenceComparison(Value, frozen=True, kw_only=True):
    """Throws beside the same in the 3D engine.

    Args:
        speed: of the throw [m/s]. n: throws. upright: share standing here. low, high: its 95 % interval in 3D,
            whose own share is `reference`. flight, flight_3d: mean way to the first contact [m]. drift, drift_3d: mean
            way from there to rest [m].
    """

    speed: float
    n: int
    upright: float
    reference: float
    low: float
    high: float
    flight: float
    flight_3d: float
    drift: float
    drift_3d: float


def compare_with_reference(rows: Sequence[Row], shots: int, rng: np.random.Generator) -> Iterator[ReferenceComparison]:
    """Throws as in the 3D engine: base at 0.12 m, nearly upright, turned anyhow, 60 degrees up, tumbling at random."""
    settings = Settings()
    pair = settings.pairings.lookup("styrene", "wood"), settings.pairings.lookup("styrene", "styrene")
    bare = Pyramid(id="m", size="medium", shape=standard_shape("medium"), x=0.0, y=0.0)
    up = bare.shape.centroid
    for row in rows:
        speed, rise = float(row["speed_m_s"]), radians(float(row["elevation_deg"]))
        standing, flown, drift = 0, 0.0, 0.0
        for (roll, pitch, tumble), turn in zip(rng.standard_normal((shots, 3)), rng.random((shots,)), strict=True):
            side, axis = _nearly_upright(
                2.0 * pi * float(turn), radians(5.0) * float(pitch), radians(5.0) * float(roll)
            )
            missile = bare.with_pose((up * axis[0], up * axis[1], 0.12 + up * axis[2]), side, axis)
            world = PyramidWorld((missile,), _FLOOR, *pair, settings.gravity)
            world.set_velocity("m", (speed * cos(rise), 0.0, speed * sin(rise)), (0.0, 6.0 + 4.0 * float(tumble), 0.0))
            world.run()
            rest = world.pieces()[0]
            standing += rest.tilt < radians(5.0)
            flown += world.first_contact_time * speed * cos(rise)
            drift += rest.centre_of_mass[0] - missile.centre_of_mass[0] - world.first_contact_time * speed * cos(rise)
        yield ReferenceComparison(
            speed=speed, n=shots, upright=standing / shots, reference=float(row["p_upright"]), low=float(row["lo"]),
            high=float(row["hi"]), flight=flown / shots, flight_3d=float(row["mean_flight_x_m"]),
            drift=drift / shots, drift_3d=float(row["mean_drift_m"]),
        )  # fmt: skip


def _nearly_upright(yaw: float, pitch: float, roll: float) -> tuple[Point3, Point3]:
    """A side and the axis of a piece turned about its axis, then about y, then about x."""
    side, axis = (cos(yaw) * cos(pitch), sin(yaw), -cos(yaw) * sin(pitch)), (sin(pitch), 0.0, cos(pitch))
    c, s = cos(roll), sin(roll)
    return (side[0], c * side[1] - s * side[2], s * side[1] + c * side[2]), (axis[0], -s * axis[2], c * axis[2])
