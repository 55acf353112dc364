"""Validation cases of the planar simulation: each claim beside an independent reference value.

References are closed forms and six-digit tables that were integrated independently, never earlier output. Tests and
`flicksim bench validation` use the same cases.
"""

from collections.abc import Iterator
from math import atan2, cos, hypot, pi, radians, sin, tan

import msgspec
import numpy as np

from flicksim.core.geometry import Point
from flicksim.core.serialization import Value, fingerprint
from flicksim.core.units import GRAVITY, to_degrees
from flicksim.engine.friction import SlidingDisc, friction_force_torque
from flicksim.engine.planar_world import PlanarWorld
from flicksim.engine.settings import Settings
from flicksim.engine.simulate import simulate
from flicksim.scene import DEFAULT_PAIRINGS, FLOOR, Collision, Flick, Pairing, Scene, Trajectory, penny, sample


class ValidationCase(Value, frozen=True, kw_only=True):
    """Validation case: a claim with its reference and measured value.

    Args:
        claim: text. oracle: reference value. measured: simulated value.
        error: difference. tolerance: largest error to pass. unit: of both: "relative", "degrees", "m" or "-".
    """

    claim: str
    oracle: float
    measured: float
    error: float
    tolerance: float
    unit: str

    @property
    def passed(self) -> bool:
        """True if the error is within its tolerance; False for NaN."""
        return self.error <= self.tolerance


SPINNING_SLIDE_TABLE = {
    10.0: (1.00251, 1.00872), 4.0: (1.01581, 1.04053), 2.0: (1.06471, 1.12169), 1.0: (1.27480, 1.34030),
    0.653: (1.62329, 1.62329), 0.25: (3.56681, 3.24220),
}  # fmt: skip
"""Uniform disc started at eps = v / (R*omega): ratio of distance and time to rest to those without spin (DOP853)."""
SLOWED_RATIO_TABLE = {0.25: 0.612, 0.653: 0.653, 2.0: 0.6566, 10.0: 0.6627}
"""Uniform disc by initial eps: eps when its speed is a thousandth of its initial R*omega."""
DISC_FRICTION_TABLE = {
    0.1: (0.099875, 0.661676), 0.25: (0.248031, 0.635786), 0.5: (0.483844, 0.547748), 0.653: (0.616032, 0.471694),
    1.0: (0.848826, 0.282942), 2.0: (0.967688, 0.127809), 4.0: (0.992125, 0.062831),
}  # fmt: skip
"""Uniform disc: force in mu*N and torque in mu*N*R by eps (quadrature about the instantaneous centre)."""
RIM_FRICTION_TABLE = {
    0.1: (0.050063, 0.997495), 0.25: (0.126000, 0.984187), 0.5: (0.258658, 0.934215), 0.653: (0.347533, 0.882872),
    0.9: (0.522306, 0.745926), 1.1: (0.738665, 0.530333), 2.0: (0.934215, 0.258658), 4.0: (0.984187, 0.126000),
}  # fmt: skip
"""The same for a thin rim."""
RESTING_RATIO_TABLE = {
    0.0: 0.6530, 0.2: 0.7134, 0.4: 0.8414, 0.5: 0.9131, 0.6: 0.9902, 0.7: 1.1169, 0.8: 1.3583, 0.9: 1.924,
}  # fmt: skip
"""Coin on a raised rim, by inner over outer radius of the contact: eps at rest."""

_MU = DEFAULT_PAIRINGS.lookup("bronze", "polished").friction


def _relative_case(claim: str, oracle: float, measured: float, tolerance: float) -> ValidationCase:
    error = abs(measured - oracle) / abs(oracle)
    return ValidationCase(
        claim=claim, oracle=oracle, measured=measured, error=error, tolerance=tolerance, unit="relative"
    )


def straight_slides() -> Iterator[ValidationCase]:
    """A straight slide ends at v^2 / (2 mu g)."""
    scene = Scene(surface=FLOOR, pieces=(penny("a", -5.0, 0.0),))
    for speed in (0.2, 0.5, 1.0, 2.0, 5.0):
        piece = simulate(scene, Flick(piece="a", speed=speed, azimuth=0.3)).after.piece("a")
        distance = hypot(piece.x + 5.0, piece.y)
        yield _relative_case(
            f"straight slide from {speed:g} m/s: distance [m]", speed**2 / (2 * _MU * GRAVITY), distance, 1e-3
        )


def spinning_slides() -> Iterator[ValidationCase]:
    """Spin lengthens the slide of a uniform disc (`SPINNING_SLIDE_TABLE`)."""
    piece = penny("a", 0.0, 0.0, ring=0.0)
    speed = 1.5
    for eps, (ratio, time) in SPINNING_SLIDE_TABLE.items():
        world = PlanarWorld(Scene(surface=FLOOR, pieces=(piece,)), Settings())
        world.set_velocity(0, (speed, 0.0), speed / eps / piece.radius)
        world.run()
        free = speed**2 / (2 * _MU * GRAVITY)
        motion = world.to_trajectory(Flick(piece="a", speed=speed, azimuth=0.0))
        yield _relative_case(f"disc from eps {eps:g}: D/D0", ratio, motion.after.piece("a").x / free, 5e-3)
        yield _relative_case(f"disc from eps {eps:g}: t/t0", time, motion.duration / (speed / (_MU * GRAVITY)), 5e-3)


def resting_ratios() -> Iterator[ValidationCase]:
    """A uniform disc comes to rest at v / (R omega) = 0.653 from any initial value, late in its motion."""
    for eps in (0.25, 0.653, 2.0, 10.0):
        glide = SlidingDisc(1.0, 1.0 / eps, 0.01, _MU * GRAVITY, 0.0)
        late = 1e-3 / eps
        _, _, v, w = glide.state_at(_time_of_speed(glide, late))
        yield _relative_case(
            f"disc from eps {eps:g}: v/(R omega) at a thousandth", SLOWED_RATIO_TABLE[eps], v / w, 0.02
        )
        if eps > 0.5:  # slower than any disc can be seen to move
            _, _, v, w = glide.state_at(glide.stop_time * (1.0 - 1e-5))
            yield _relative_case(f"disc from eps {eps:g}: last v/(R omega)", 0.6530017892, v / w, 0.02)


def _time_of_speed(glide: SlidingDisc, speed: float) -> float:
    """Time at which the speed has fallen to a value, by bisection."""
    low, high = 0.0, glide.stop_time
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if glide.state_at(middle)[2] > speed else (low, middle)
    return low


def friction_laws() -> Iterator[ValidationCase]:
    """Force and torque of the disc, of the thin rim, and the resting ratio of coins between them."""
    for name, ring, table in (("disc", 0.0, DISC_FRICTION_TABLE), ("rim", 1.0, RIM_FRICTION_TABLE)):
        eps = np.array(list(table))
        force, torque = friction_force_torque(eps, np.ones_like(eps), ring)
        for k, (value, (f, t)) in enumerate(table.items()):
            yield _relative_case(f"{name} at eps {value:g}: F/(mu N)", f, float(force[k]), 0.01)
            yield _relative_case(f"{name} at eps {value:g}: T/(mu N R)", t, float(torque[k]), 0.01)
    for ring, eps0 in RESTING_RATIO_TABLE.items():
        yield _relative_case(f"coin on a rim from {ring:g} R: last v/(R omega)", eps0, _resting_ratio(ring), 0.01)


def _resting_ratio(ring: float) -> float:
    """The eps at which slide and spin decay at the same rate: F = 2 eps T for a flat disc."""
    low, high = 0.1, 20.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        force, torque = friction_force_torque(np.array([middle]), np.array([1.0]), ring)
        low, high = (middle, high) if force[0] < 2.0 * middle * torque[0] else (low, middle)
    return low


def pair_settings(e: float, friction: float) -> Settings:
    """Default settings with another pairing of bronze with bronze."""
    bronze = Pairing(friction=friction, restitution=e, source="set for a measurement")
    return Settings(pairings=DEFAULT_PAIRINGS.with_pairing("bronze", "bronze", bronze))


def head_on_collisions() -> Iterator[ValidationCase]:
    """Head-on equal discs: distance of the hitter over that of the hit piece is ((1-e)/(1+e))^2."""
    for e in (0.9, 0.8, 0.7, 0.6, 0.5):
        scene = Scene(surface=FLOOR, pieces=(penny("a", 0.0, 0.0), penny("b", 0.2, 0.0)))
        after = simulate(scene, Flick(piece="a", speed=1.5, azimuth=0.0), pair_settings(e, 0.12)).after
        hitter, hit = after.piece("a").x - (0.2 - 2 * 0.01015), after.piece("b").x - 0.2
        yield _relative_case(
            f"head-on, e = {e:g}: distance of hitter / of hit", ((1 - e) / (1 + e)) ** 2, hitter / hit, 0.02
        )


def oblique_shot(phi: float, settings: Settings, *, speed: float = 1.5, offset: float = 0.0) -> Trajectory:
    """Trajectory of a flicked along x into b, with the line of centres at phi [rad] to its direction."""
    reach = 2 * 0.01015
    scene = Scene(
        surface=FLOOR, pieces=(penny("a", 0.0, 0.0), penny("b", 0.1 + reach * cos(phi), reach * sin(phi)))
    )  # fmt: skip
    return simulate(scene, Flick(piece="a", speed=speed, azimuth=0.0, offset=offset), settings)


def first_contact(motion: Trajectory) -> Collision:
    """First collision of a trajectory."""
    return next(event for event in motion.events if isinstance(event, Collision))


def velocities_at_impact(motion: Trajectory) -> tuple[dict[str, Point], dict[str, Point]]:
    """Velocities just before and just after the first impact [m/s], by piece."""
    t = first_contact(motion).t
    first, last = np.flatnonzero(motion.tracks.times == t)[[0, -1]]
    states = motion.tracks.states
    return tuple(  # type: ignore[return-value]
        {name: (float(states[k, i, 3]), float(states[k, i, 4])) for i, name in enumerate(motion.tracks.ids)}
        for k in (first, last)
    )


def oblique_collisions() -> Iterator[ValidationCase]:
    """Frictionless rims: the ways part at tan(Theta) = 2 tan(phi) / (1-e)."""
    for e in (0.5, 0.75, 0.9):
        for phi in (15.0, 30.0, 45.0, 60.0):
            _, after = velocities_at_impact(oblique_shot(radians(phi), pair_settings(e, 0.0)))
            (ax, ay), (bx, by) = after["a"], after["b"]
            angle = to_degrees(abs(atan2(ax * by - ay * bx, ax * bx + ay * by)))
            due = to_degrees(atan2(2 * tan(radians(phi)), 1 - e))
            claim = f"oblique at {phi:g} degrees, e = {e:g}: angle between the ways [degrees]"
            yield ValidationCase(
                claim=claim, oracle=due, measured=angle, error=abs(angle - due), tolerance=0.5, unit="degrees"
            )  # fmt: skip


def momentum_conservation() -> Iterator[ValidationCase]:
    """A free collision keeps momentum, friction of the rims or not, spin or not."""
    for phi, offset in ((0.0, 0.0), (0.5, 0.0), (1.0, 0.3), (0.3, -0.5)):
        before, after = velocities_at_impact(oblique_shot(phi, pair_settings(0.75, 0.12), offset=offset))
        had, has = (np.sum(list(those.values()), axis=0) for those in (before, after))
        error = float(np.hypot(*(has - had)) / np.hypot(*had))
        yield ValidationCase(
            claim=f"momentum, hit at {phi:g} rad, nail at {offset:g} R [m/s per unit mass]",
            oracle=float(np.hypot(*had)), measured=float(np.hypot(*has)),
            error=error, tolerance=1e-9, unit="relative",
        )  # fmt: skip


def mirrored(scene: Scene, flick: Flick, x: float) -> tuple[Scene, Flick]:
    """The same seen in a mirror standing at x [m]."""
    pieces = tuple(msgspec.structs.replace(p, x=2 * x - p.x, angle=-p.angle) for p in scene.pieces)
    start = None if flick.start is None else (2 * x - flick.start[0], flick.start[1])
    return (
        msgspec.structs.replace(scene, pieces=pieces),
        msgspec.structs.replace(flick, azimuth=pi - flick.azimuth, offset=-flick.offset, start=start),
    )


def symmetries() -> Iterator[ValidationCase]:
    """The first contact of a mirrored shot is the mirrored contact; the same shot twice is the same to the bit."""
    for name in ("draw", "crowd", "break-up"):
        scene, flick = sample(name)
        one, other = simulate(scene, flick), simulate(*mirrored(scene, flick, 0.15))
        a, b = (first_contact(m) for m in (one, other))
        error = hypot(a.point[0] - (0.3 - b.point[0]), a.point[1] - b.point[1])
        yield ValidationCase(
            claim=f"{name!r} mirrored: first contact, x from the middle [m]", oracle=a.point[0] - 0.15,
            measured=0.15 - b.point[0], error=error, tolerance=1e-6, unit="m",
        )  # fmt: skip
        bits = [int(fingerprint(simulate(scene, flick)), 16) for _ in range(2)]
        yield ValidationCase(
            claim=f"{name!r} twice: fingerprint", oracle=float(bits[0]), measured=float(bits[1]),
            error=float(bits[0] != bits[1]), tolerance=0.0, unit="-",
        )  # fmt: skip


def validation_cases() -> Iterator[ValidationCase]:
    """Every claim about the plane, in the order of the physics."""
    first = (straight_slides, spinning_slides, resting_ratios, friction_laws)
    for part in (*first, head_on_collisions, oblique_collisions, momentum_conservation, symmetries):
        yield from part()
