"""Tests of the 3D pyramid simulation: closed forms, geometry, symmetry, conservation laws and regressions."""

from math import cos, pi, radians, sin

import msgspec
import numpy as np
import pymunk
import pyramid_scenes as scenes
import pytest

from benchmarks import random_pyramids
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import fingerprint
from flicksim.engine import simulate
from flicksim.engine.pyramids import bodies as P
from flicksim.engine.pyramids.integrator import TIME_STEP, TIMED_OUT
from flicksim.engine.pyramids.pyramid_world import PyramidWorld
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies.contact_solver import spring_coefficients, spring_target
from flicksim.scene.launch import Launch, Volley
from flicksim.scene.launch_trajectory import Launched, LaunchFailed, PyramidCollision
from flicksim.scene.orientation import axes_from_quaternion
from flicksim.scene.pyramid import SIZES, SURFACE_ID, Pyramid, Size, standard_shape
from flicksim.scene.pyramid_penetration import penetration_depth
from flicksim.scene.pyramid_scene import TOUCH_TOLERANCE, PyramidScene
from flicksim.validation.pyramids import compare_with_reference
from tests.engine.winks.wink_shots import table

sizes = pytest.mark.parametrize("size", SIZES)
G = scenes.SETTINGS.gravity


# -- one piece --------------------------------------------------------------------------------------------------------


@sizes
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_piece_topples_at_the_angle_that_geometry_says(size: Size, way: float) -> None:
    """Over when its middle of mass is past the edge, 43 to 44.5 degrees with this wall; else it stands again."""
    topple = standard_shape(size).toppling_angle
    back = scenes.throw_piece(scenes.over_an_edge(size, way * (topple - radians(0.3)), 0.4))
    over = scenes.throw_piece(scenes.over_an_edge(size, way * (topple + radians(0.3)), 0.4))
    assert scenes.piece_of(back, "m").is_upright
    assert scenes.piece_of(over, "m").is_on_side


@sizes
@pytest.mark.parametrize("off", [1e-5, -1e-5, 1e-4, -1e-4])
def test_a_piece_all_but_balanced_falls_however_slowly_it_begins(size: Size, off: float) -> None:
    """On an edge of its base, to either side; on a slant edge, onto a side."""
    assert scenes.piece_of(
        scenes.throw_piece(scenes.over_an_edge(size, standard_shape(size).toppling_angle + off, 0.4)), "m"
    ).is_on_side == (off > 0.0)
    assert scenes.piece_of(scenes.throw_piece(scenes.on_a_slant_edge(size, off)), "m").is_on_side


@sizes
def test_a_piece_balanced_to_the_bit_comes_to_rest(size: Size) -> None:
    there = scenes.on_a_slant_edge(size, 0.0)
    assert scenes.piece_of(scenes.throw_piece(there), "m").tilt == pytest.approx(there.tilt, abs=1e-6)


def simulate_flight(size: Size, speed: float, slant: float = radians(65.0)) -> tuple[Launch, np.ndarray, Launched]:  # type: ignore[type-arg]
    """A launch over the floor: t, x, z of the missile's middle of mass while it flies, and how it left."""
    launch = Launch(piece="m", size=size, hold=(0.0, 0.0), azimuth=0.0, speed=speed, slant=slant)
    landing = simulate(scenes.FLOOR, launch)
    left = next(event for event in landing.events if isinstance(event, Launched))
    track = landing.track("m")
    there = (track.times >= left.t) & (track.times <= landing.first_contact_time)
    return launch, np.column_stack([track.times, track.positions[:, [0, 2]]])[there], left


@sizes
@pytest.mark.parametrize("speed", [2.5, 3.0, 4.0])
def test_a_flight_is_the_parabola_of_its_start(size: Size, speed: float) -> None:
    _, path, left = simulate_flight(size, speed)
    (t0, x0, z0), (vx, vz) = path[0], left.velocity
    assert len(path) > 10
    for t, x, z in path:
        assert x == pytest.approx(x0 + vx * (t - t0), abs=1e-6)
        assert z == pytest.approx(z0 + vz * (t - t0) - G / 2 * (t - t0) ** 2, abs=1e-6)


@sizes
def test_a_free_piece_turns_as_a_symmetric_top_does(size: Size) -> None:
    """About its axis and about its momentum, each evenly: after a second of both, by the closed form."""
    shape, spin = standard_shape(size), (7.0, -3.0, 11.0)
    start = scenes.standing("m", size, 0.0, 0.0, z=9.0, tilt=0.6, heading=0.4, roll=0.2)
    world = scenes.world_of((start,))
    world.set_velocity("m", (0.1, 0.2, 4.0), spin)
    assert scenes.advance(world, 1.0) == TIMED_OUT
    axis, side = np.array(start.axis), np.array(start.base_axes[0])
    about = float(np.dot(spin, axis))
    momentum = shape.transverse_inertia * (np.array(spin) - about * axis) + shape.axial_inertia * about * axis
    size_of = float(np.linalg.norm(momentum))
    own = (1.0 - shape.axial_inertia / shape.transverse_inertia) * about
    side = _turned(side, axis, own)
    side, axis = (_turned(one, momentum / size_of, size_of / shape.transverse_inertia) for one in (side, axis))
    row = world._bodies[0]
    assert row[P.SIDE_X : P.SIDE_Z + 1] == pytest.approx(side, abs=1e-9)
    assert row[B.NX : B.NZ + 1] == pytest.approx(axis, abs=1e-9)


def _turned(vector: np.ndarray, about: np.ndarray, angle: float) -> np.ndarray:  # type: ignore[type-arg]
    along = about * np.dot(about, vector)
    return along + cos(angle) * (vector - along) + sin(angle) * np.cross(about, vector)


@sizes
@pytest.mark.parametrize("speed", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("down", [False, True])
def test_a_free_slide_ends_where_friction_says(size: Size, speed: float, down: bool) -> None:
    """v squared over twice mu g, standing and on a side, to 2 %, and straight on."""
    start = scenes.lying("m", size, 0.0, 0.0, pi) if down else scenes.standing("m", size, 0.0, 0.0)
    rest = scenes.piece_of(scenes.throw_piece(start, (speed, 0.0, 0.0)), "m")
    way = speed**2 / (2 * scenes.PAIRS[0].friction * G)
    assert rest.x - start.x == pytest.approx(way, rel=0.02, abs=1e-4)
    assert rest.y == pytest.approx(0.0, abs=5e-5)
    assert (rest.is_on_side, rest.is_upright) == (down, not down)


@sizes
@pytest.mark.parametrize("speed", [0.2, 0.5, 1.0, 3.0])
def test_a_flat_drop_has_the_restitution_of_the_pairing(size: Size, speed: float) -> None:
    """Whatever the speed, and wherever within a step it touches."""
    for phase in np.linspace(0.0, 1.0, 7):
        world = scenes.world_of((scenes.standing("m", size, 0.0, 0.0, z=1e-4 + phase * speed * TIME_STEP),))
        world.set_velocity("m", (0.0, 0.0, -speed), (0.0, 0.0, 0.0))
        rebound = 0.0
        while world.time < 0.01:
            scenes.advance(world, TIME_STEP)
            rebound = max(rebound, world._bodies[0, B.VZ])
        assert rebound / speed == pytest.approx(scenes.PAIRS[0].restitution, abs=0.016)


@pytest.mark.parametrize(("damping_ratio", "angle"), [(0.0, 0.5), (0.3, 0.1), (0.3, 0.5), (0.3, 1.5), (1.0, 0.5)])
def test_contact_springs_swing_as_damped_oscillators_do(damping_ratio: float, angle: float) -> None:
    """Depths of a step map, against the closed form through the first two of them."""
    gain, loss = spring_coefficients(damping_ratio, angle)
    depths, velocity = [0.0, 1.0], -1.0
    for _ in range(40):
        velocity = spring_target(velocity, depths[-1], False, gain, loss, 1.0)
        depths.append(depths[-1] - velocity)
    steps, turn = np.arange(len(depths)), angle * (1.0 - damping_ratio**2) ** 0.5
    swing = np.sin(turn * steps) / np.sin(turn) if turn > 0.0 else steps
    assert depths == pytest.approx(np.exp(-damping_ratio * angle * (steps - 1)) * swing, abs=1e-9)


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("speed", [0.5, 1.0, 2.0])
def test_a_sliding_piece_strikes_another_as_rigid_impact_says(friction: float, speed: float) -> None:
    """Two standing pieces meet base edge to base edge. On the table there each turns about that edge, is held up by
    it and rubs on it: restitution, Coulomb's law and level edges determine both velocities."""
    shape = standard_shape("medium")
    inertia, half, high = shape.transverse_inertia / shape.mass, shape.base / 2.0, shape.centroid
    turning, lift = 1.0 + high**2 / (inertia + half**2), friction * half * high / (inertia + half**2)
    blow = (1.0 + scenes.PAIRS[1].restitution) / turning / (1.0 / (1.0 + lift) + 1.0 / (1.0 - lift))
    for phase in np.linspace(0.0, 3e-4, 5):
        pieces = (
            scenes.standing("m", "medium", 0.0, 0.0),
            scenes.standing("n", "medium", -shape.base - 0.03 - phase, 1e-3),
        )
        pairs = [msgspec.structs.replace(pair, friction=friction) for pair in scenes.PAIRS]
        world = PyramidWorld(pieces, scenes.FLOOR.surface.outline, pairs[0], pairs[1], G)
        world.set_velocity("n", (speed, 0.0, 0.0), (0.0, 0.0, 0.0))
        b = world._bodies
        while b[0, B.VX] == 0.0:
            before = b[1, B.VX]
            scenes.advance(world, 1e-4)
        scenes.advance(world, 4e-4)
        after = b[0, B.VX] / before, b[1, B.VX] / before
        assert after == pytest.approx((blow / (1.0 + lift), 1.0 - blow / (1.0 - lift)), abs=0.025)


@sizes
def test_what_falls_takes_its_own_energy_along_and_nobody_elses(size: Size) -> None:
    """A piece let fall bounces as high as ever, though another goes out of the world far below it."""
    dropped = scenes.standing("m", size, 0.45, 0.45, z=0.05)
    heights = []
    for others in ((), (scenes.standing("deep", "large", 5.0, 0.0, z=-0.5),)):
        world = scenes.world_of((dropped, *others), scenes.TABLE)
        for piece in (*others, dropped):
            world.set_velocity(piece.id, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        world.run()
        assert [piece.id for piece in world.pieces()] == ["m"]
        (track,) = (track for track in world.tracks() if track.id == "m")
        up = track.positions[:, 2] - dropped.shape.centroid
        heights.append(up[int(np.argmin(up > 5e-3)) + 1 :].max())
    assert heights[1] == pytest.approx(heights[0], rel=0.02)


def test_thrown_as_in_the_3d_engine_a_piece_stands_as_often_and_strays_as_far() -> None:
    """The rows of the reference: upright within .05 in the mean and .09 at worst, drift within 5 %; and what these
    few throws may err by."""
    found = list(compare_with_reference(table("pyramids"), 300, RandomStreams(seed=2).generator()))
    off = [abs(row.upright - row.reference) for row in found]
    noise = 2.0 * (0.13 * 0.87 / 300.0) ** 0.5
    assert sum(off) / 3.0 < 0.05 + noise / 3.0**0.5
    assert max(off) < 0.09 + noise
    assert all(row.flight == pytest.approx(row.flight_3d, abs=2e-3) for row in found)
    assert all(row.drift == pytest.approx(row.drift_3d, rel=0.05 + 0.07) for row in found)


# -- the launcher -----------------------------------------------------------------------------------------------------


def test_itw_3d_a_flick_at_the_base_sends_the_missile_up_in_an_arc() -> None:
    """ITW-3d: it leaves upward and forward, higher and farther the harder the flick; too weak a one leaves it there."""
    tops, ways = [], []
    for speed in (2.0, 2.5, 3.0, 4.0):
        _, path, left = simulate_flight("small", speed)
        assert left.velocity[0] > 0.0
        assert left.velocity[1] > 0.0
        tops.append(path[:, 2].max())
        ways.append(path[-1][1])
    assert tops == sorted(tops)
    assert ways == sorted(ways)
    weak = simulate(scenes.FLOOR, Launch(piece="m", size="small", hold=(0.0, 0.0), azimuth=0.0, speed=0.2))
    assert [type(event) for event in weak.events] == [LaunchFailed]
    assert weak.missile is None


def test_itw_3c_the_launcher_holds_the_missile_on_its_tip_until_it_is_flicked_off() -> None:
    """ITW-3c: nested at its seat, axis on axis, when the nail strikes."""
    for size in SIZES:
        launch = Launch(piece="m", size=size, hold=(0.0, 0.0), azimuth=0.0, speed=3.0)
        landing, shape = simulate(scenes.FLOOR, launch), standard_shape(size)
        held, missile = landing.track("launcher"), landing.track("m")
        seat = shape.stacking_height(scenes.FLOOR.kit.large)
        assert held.positions[0] == pytest.approx([0.0, 0.0, launch.lift + scenes.FLOOR.kit.large.centroid], abs=1e-9)
        assert missile.positions[0] == pytest.approx([0.0, 0.0, launch.lift + seat + shape.centroid], abs=2e-5)


@sizes
def test_a_missile_leaves_as_fast_however_long_the_steps(size: Size, monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps grow when the nail has done pushing; that is no push of its own."""
    from flicksim.engine import launcher

    launch = Launch(piece="m", size=size, hold=(0.0, 0.0), azimuth=0.0, speed=3.0)
    _, _, left = simulate_flight(size, launch.speed, launch.slant)
    launcher._simulate_launcher.cache_clear()
    monkeypatch.setattr(launcher, "_RELEASE_TIME_STEP", launcher._PUSH_TIME_STEP)
    _, _, again = simulate_flight(size, launch.speed, launch.slant)
    launcher._simulate_launcher.cache_clear()
    assert left.velocity == pytest.approx(again.velocity, rel=0.08)


def test_a_space_of_pymunk_is_emptied_before_it_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.14 crashed where one thread freed a space while the collector in another freed its shapes."""
    from flicksim.engine import launcher

    spaces: list[pymunk.Space] = []

    class KeptSpace(pymunk.Space):
        def __init__(self) -> None:
            super().__init__()
            spaces.append(self)

    monkeypatch.setattr(launcher.pymunk, "Space", KeptSpace)
    launcher._simulate_launcher.cache_clear()
    simulate_flight("small", 3.0, 1.0)
    assert spaces
    assert not any([*space.shapes, *space.bodies, *space.constraints] for space in spaces)


def test_itw_3b_three_fingers_keep_the_launcher_nearly_upright() -> None:
    """ITW-3b: it gives as a stiff damped spring does, by millimetres and degrees, and does not fly itself."""
    landing = simulate(scenes.FLOOR, Launch(piece="m", size="medium", hold=(0.0, 0.0), azimuth=0.0, speed=3.0))
    held = landing.track("launcher")
    away = np.linalg.norm(held.positions - held.positions[0], axis=1)
    assert 1e-4 < away.max() < 0.02
    tilts = [abs(2.0 * float(np.arccos(min(1.0, turn[0])))) for turn in held.orientations]
    assert max(tilts) < radians(35.0)


def test_a_launcher_held_askew_sends_the_missile_aside_and_one_held_twisted_turns_it() -> None:
    """To the left it leans, to the left it flies; a nail right of the middle first turns it counter-clockwise."""
    plain = Launch(piece="m", size="medium", hold=(0.0, 0.0), azimuth=0.0, speed=3.0)
    for change, sign in (({"askew": 0.05}, 1.0), ({"askew": -0.05}, -1.0)):
        track = simulate(scenes.FLOOR, msgspec.structs.replace(plain, **change)).track("m")
        at = float(np.interp(0.2, track.times, track.positions[:, 1]))
        assert sign * at > 0.005
    for change in ({"twist": 0.1}, {"aside": -0.002}):
        track = simulate(scenes.FLOOR, msgspec.structs.replace(plain, **change)).track("m")
        assert abs(float(np.interp(0.2, track.times, track.positions[:, 1]))) < 1e-9
        turned = track.pose_at(0.02)
        assert turned[1][3] > 1e-4


# -- several pieces ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("launch", scenes.launches(6, seed=3))
def test_a_mirrored_launch_gives_the_mirrored_result(launch: Launch) -> None:
    """Mirrored in the line of the launcher, table and all: the first contact to a micrometre."""
    scene = scenes.scattered(12, seed=4)
    other = msgspec.structs.replace(scene, pieces=tuple(mirrored(piece) for piece in scene.pieces))
    x, y = launch.hold
    back = msgspec.structs.replace(
        launch, hold=(0.9 - x, y), azimuth=pi - launch.azimuth, askew=-launch.askew, twist=-launch.twist,
        aside=-launch.aside,
    )  # fmt: skip
    one, two = simulate(scene, launch), simulate(other, back)
    assert two.first_contact_time == pytest.approx(one.first_contact_time, abs=1e-6)
    hits = [[event for event in found.events if isinstance(event, PyramidCollision)] for found in (one, two)]
    for first, again in zip(hits[0][:1], hits[1][:1], strict=True):
        assert again.point == pytest.approx((0.9 - first.point[0], first.point[1]), abs=1e-6)
        assert (again.piece, again.on) == (first.piece, first.on)
    here, there = one.track("missile"), two.track("missile")
    (ax, ay, az), (bx, by, bz) = (track.pose_at(one.first_contact_time)[0] for track in (here, there))  # type: ignore[index]
    assert (bx, by, bz) == pytest.approx((0.9 - ax, ay, az), abs=1e-6)


def mirrored(piece: Pyramid) -> Pyramid:
    heading = (2 * pi - piece.heading) % (2 * pi) - pi
    return msgspec.structs.replace(piece, x=0.9 - piece.x, heading=heading, roll=-piece.roll)


@pytest.mark.parametrize("count", [0, 20, 80])
def test_every_launch_ends_with_every_piece_in_a_possible_attitude(count: int) -> None:
    """Nothing in another, nothing hanging, nothing balanced, nothing lost but off the table."""
    scene = scenes.scattered(count, seed=count)
    for launch in scenes.launches(36, seed=count):
        landing, problems = random_pyramids.simulate_checked(scene, launch)
        assert list(problems) == []
        assert {p.id: p.mass for p in landing.after.pieces if p.id != "missile"}.items() <= {
            p.id: p.mass for p in scene.pieces
        }.items()
        check_bearings(landing.after)


def check_bearings(scene: PyramidScene) -> None:
    """Check that every support contact has a gap below 0.05 mm and names a piece that is there."""
    for piece in scene.pieces:
        for one in piece.bearings:
            assert abs(one.gap) <= TOUCH_TOLERANCE
            assert np.linalg.norm(one.normal) == pytest.approx(1.0, abs=1e-6)
            if one.on == SURFACE_ID:
                assert abs(one.at[2]) <= TOUCH_TOLERANCE
            else:
                assert abs(penetration_depth(piece, scene.piece(one.on))) <= TOUCH_TOLERANCE


def test_one_launch_after_the_other_the_table_stays_sound() -> None:
    """Piles grow: forty missiles onto the same spot."""
    scene = scenes.FLOOR
    for k, launch in enumerate(scenes.launches(40, seed=9)):
        there = msgspec.structs.replace(launch, piece=f"m{k}", hold=(0.0, 0.0), azimuth=0.02 * (k % 5), speed=3.0)
        scene = simulate(scene, there).after
        assert scene.problems() == []
        check_bearings(scene)
    assert len(scene.pieces) == 40
    assert any(piece.rests_on for piece in scene.pieces)


@pytest.mark.parametrize("tower", [("large",) * 4, ("large", "medium", "small"), ("small", "small"), ("medium",) * 3])
def test_nested_pieces_stand_and_a_table_handed_on_lies_still(tower: tuple[Size, ...]) -> None:
    """They stand when they are let be, and settled again without a flick nothing moves."""
    scene = scenes.stacked(*tower)
    world = scenes.world_of(scene.pieces, scenes.TABLE)
    world.wake("s0")
    world.run()
    stood = world.pieces()
    assert all(piece.is_upright for piece in stood)
    for before, after in zip(scene.pieces, stood, strict=True):
        assert after.centre_of_mass == pytest.approx(before.centre_of_mass, abs=TOUCH_TOLERANCE)
        assert after.rests_on == before.rests_on
        assert after.stands_on == before.stands_on
    again = msgspec.structs.replace(scene, pieces=stood)
    assert simulate(again, Volley(launches=())).after == again


def test_a_leaning_piece_stays_for_ever() -> None:
    """A piece that leans at the end of a launch has not moved after ten turns of being woken."""
    scene = scenes.scattered(80, seed=11)
    leaning = 0
    for launch in scenes.launches(200, seed=12):
        after = simulate(scene, launch).after
        names = [piece.id for piece in after.pieces if piece.leans_on or piece.stands_on]
        if not names:
            continue
        leaning += 1
        pieces = after.pieces
        for _ in range(10):
            world = scenes.world_of(pieces, scenes.TABLE)
            world.wake(names[0])
            world.run()
            pieces = world.pieces()
        now = msgspec.structs.replace(after, pieces=pieces)
        for piece in after.pieces:
            assert now.piece(piece.id).centre_of_mass == pytest.approx(piece.centre_of_mass, abs=1e-4)
        if leaning == 3:
            return
    raise AssertionError("nothing came to lean")


def test_energy_never_rises() -> None:
    """Energy of a piece thrown among other moving ones, computed from the motion while nothing touches."""
    for k in range(12):
        rng = np.random.default_rng(k)
        pieces = [
            scenes.standing(f"m{i}", SIZES[i % 3], 0.05 * (i % 3), 0.05 * (i // 3), z=0.06 + 0.05 * i, tilt=float(tilt),
                     heading=float(heading))
            for i, (tilt, heading) in enumerate(rng.uniform(0.0, 3.0, (6, 2)))
        ]  # fmt: skip
        world = scenes.world_of(pieces)
        for piece in pieces:
            vx, vy, vz = rng.normal(0.0, 0.7, 3)
            wx, wy, wz = rng.normal(0.0, 15.0, 3)
            world.set_velocity(piece.id, (-4.0 * piece.x + vx, -4.0 * piece.y + vy, vz), (wx, wy, wz))
        found = scenes.energies(world)
        assert len(found) > 20
        steps = np.diff(found)
        assert steps.max() <= 1e-6 * found[0]
        assert found[-1] < found[0]


def test_an_impact_in_the_air_keeps_momentum() -> None:
    """Of two pieces far above the table: their middle falls as it would, and their angular momentum stays."""
    met = 0
    for k in range(20):
        rng = np.random.default_rng(k)
        one = scenes.standing(
            "a", "large", 0.0, 0.0, z=2.0, tilt=float(rng.uniform(0, 3)), heading=float(rng.uniform(-3, 3))
        )
        two = scenes.standing(
            "b", SIZES[k % 3], 0.12, 0.0, z=2.0 + float(rng.normal(0.0, 0.01)), roll=float(rng.uniform(0, 1))
        )
        world = scenes.world_of((one, two))
        world.set_velocity("b", (-1.0, 0.0, 0.0), tuple(rng.normal(0.0, 10.0, 3)))
        world.set_velocity("a", (1.0, 0.1, 0.0), tuple(rng.normal(0.0, 10.0, 3)))
        before = _momenta(world, 0.0)
        scenes.advance(world, 0.2)
        after = _momenta(world, 0.2)
        met += world.first_contact_time < 0.2
        assert after == pytest.approx(before, rel=1e-6, abs=1e-6 * float(np.linalg.norm(before)))
    assert met > 10


def _momenta(world, t: float) -> np.ndarray:  # type: ignore[no-untyped-def,type-arg]
    """Momentum without what falling has given, and angular momentum about the common middle."""
    b = world._bodies
    mass = 1.0 / b[:, B.INV_MASS]
    linear = (mass[:, None] * b[:, B.VX : B.VZ + 1]).sum(axis=0) + np.array([0.0, 0.0, mass.sum() * G * t])
    middle = (mass[:, None] * b[:, B.CX : B.CZ + 1]).sum(axis=0) / mass.sum()
    angular = (
        mass[:, None] * (np.cross(b[:, B.CX : B.CZ + 1] - middle, b[:, B.VX : B.VZ + 1]) + b[:, B.LX : B.LZ + 1])
    ).sum(axis=0)
    return np.concatenate([linear, angular * 20.0])


def test_the_same_launch_gives_the_same_bits() -> None:
    scene = scenes.scattered(30, seed=6)
    for launch in scenes.launches(6, seed=6):
        one, two = simulate(scene, launch), simulate(scene, launch)
        assert fingerprint(one.after) == fingerprint(two.after)
        assert one.events == two.events
        assert all(np.array_equal(a.positions, b.positions) for a, b in zip(one.tracks, two.tracks, strict=True))


def test_off_the_table_is_off() -> None:
    """Over the edge it falls; half over, with its middle on the table, it stays."""
    far = simulate(scenes.TABLE, Launch(piece="m", size="small", hold=(0.45, 0.8), azimuth=pi / 2, speed=4.0))
    assert far.missile is None
    assert any(event.__class__.__name__ == "PyramidLeftSurface" for event in far.events)
    for over, stays in ((-0.001, True), (0.001, False), (1e-6, False)):
        for heading in (0.0, 0.3):
            world = scenes.world_of((scenes.standing("m", "large", 0.9 + over, 0.45, heading=heading),), scenes.TABLE)
            world.wake("m")
            world.run()
            assert bool(world.pieces()) == stays


def test_a_middle_beyond_the_edge_stays_where_another_weighs_down_its_near_side() -> None:
    """A piece on its side, a hair over half off the table, with another in its hollow: a table that goes on so."""
    shape = standard_shape("medium")
    deep = shape.stacking_height(
        shape
    )  # nested: so far the outer one's base is beyond the inner one's, along their axes
    up, low = shape.lying_tilt, 0.9 - 0.0023
    inner = scenes.lying("i", "medium", 0.0, 0.45)
    outer = msgspec.structs.replace(
        inner, id="o", x=inner.x + deep * inner.axis[0], z=inner.z + deep * inner.axis[2], stands_on=("i",)
    )
    assert up == inner.tilt
    drop = outer.lowest
    outer = msgspec.structs.replace(outer, z=outer.z - drop)
    inner = msgspec.structs.replace(inner, z=inner.z - drop)
    middle = (inner.centre_of_mass[0] + outer.centre_of_mass[0]) / 2.0
    pieces = tuple(msgspec.structs.replace(one, x=one.x + low - middle) for one in (inner, outer))
    world = scenes.world_of(pieces, scenes.TABLE)
    world.wake("o")
    world.run()
    stood = msgspec.structs.replace(scenes.TABLE, pieces=world.pieces())
    assert [piece.id for piece in stood.pieces] == ["i", "o"]
    assert stood.piece("o").centre_of_mass[0] > 0.9
    assert stood.problems() == []
    assert simulate(stood, Volley(launches=())).after == stood
    alone = simulate(stood, Volley(launches=(), lift=("i",))).after
    assert alone.pieces == ()


@pytest.mark.parametrize(("speed", "over"), [(0.5, False), (2.0, True)])
def test_a_piece_that_is_met_is_pushed_or_toppled(speed: float, over: bool) -> None:
    """Low down a large piece that slides pushes a small one before it; high up and fast it throws it over."""
    there = scenes.standing("p", "small", 0.03, 0.0)
    missile = scenes.standing("m", "large", 0.0, 0.0, z=0.015 if over else 0.0, heading=0.1)
    world = scenes.throw_piece(missile, (speed, 0.0, 0.0), others=(there,))
    track = next(track for track in world.tracks() if track.id == "p")
    upright = min(axes_from_quaternion(tuple(turn))[1][2] for turn in track.orientations.tolist())
    assert scenes.piece_of(world, "p").x > there.x + 1e-3
    assert (upright < 0.5) == over


def test_what_leans_on_a_piece_that_goes_falls() -> None:
    """A stack comes down when the piece under it is picked up, and what leans when its prop is."""
    scene = scenes.stacked("large", "medium")
    down = simulate(scene, Volley(launches=(), lift=("s0",))).after
    assert [piece.id for piece in down.pieces] == ["s1"]
    left = down.pieces[0]
    assert left.is_upright or left.is_on_side
    assert left.rests_on == ()
    assert down.problems() == []


@pytest.mark.parametrize("heading", [0.0, 0.6, 1.3, 2.2, pi])
def test_pieces_that_slide_on_their_sides_do_not_slide_into_one_another(heading: float) -> None:
    """A corner on the table meets the rim of a piece that lies there, a hair under its wall."""
    for turned in (-1.1, 0.0, 0.7, 2.0, pi):
        there = scenes.lying("p", "large", 0.09, 0.004, heading)
        world = scenes.throw_piece(scenes.lying("m", "large", 0.0, 0.0, turned), (1.0, 0.0, 0.0), others=(there,))
        assert penetration_depth(scenes.piece_of(world, "m"), scenes.piece_of(world, "p")) <= TOUCH_TOLERANCE
        assert scenes.piece_of(world, "p").x > there.x + 1e-3


@pytest.mark.parametrize(
    ("x", "y", "z", "heading", "velocity"),
    [
        (0.43675, 0.72184, 0.01135, 0.65, (-0.06, -0.47, -0.14)),
        (0.43678, 0.72199, 0.01132, 0.644, (-0.26, -0.39, -0.14)),
        (0.43678, 0.72163, 0.01141, 0.68, (-0.06, -0.52, -0.14)),
    ],
)
def test_a_rim_that_slides_into_the_corner_of_a_hollow_stays_out_of_the_wall(
    x: float, y: float, z: float, heading: float, velocity: tuple[float, float, float]
) -> None:
    """Past the end of the edges of a hollow nothing held it, and it came to rest a wall's thickness in another."""
    there = scenes.lying("p", "large", 0.44783, 0.71785, -1.195)
    missile = scenes.standing("m", "medium", x, y, z=z, tilt=1.8524, heading=heading, roll=-0.215)
    world = scenes.throw_piece(missile, velocity, (24.2, 11.5, 0.9), others=(there,))
    assert penetration_depth(scenes.piece_of(world, "m"), scenes.piece_of(world, "p")) <= TOUCH_TOLERANCE
