"""What the slice is measured by: closed forms, geometry and symmetry."""

from __future__ import annotations

from math import atan2, cos, degrees, hypot, pi, radians, sin

import msgspec
import numpy as np
import pytest
from slices import FLOOR, PAIRS, SETTINGS, Unbound, Watched, launches, lying, over_an_edge, standing, strewn

from flicksim.base.codec import fingerprint
from flicksim.physics import settle
from flicksim.physics.slice import launcher
from flicksim.physics.slice.rest import outcome
from flicksim.table.landing import Hit, Kept, Launched
from flicksim.table.launch import Launch
from flicksim.table.pyramid import SIZES, Pyramid, Size, shape_of
from flicksim.table.pyramid_scene import DEEP, PyramidScene
from flicksim.table.solid import depth

OVERLAP = shape_of("large").mass * SETTINGS.gravity * SETTINGS.slice.step
"""What the overlap of a step is worth in height [J]: a thousandth of the energy of a launch."""
sizes = pytest.mark.parametrize("size", SIZES)


def let_go(size: Size, tilt: float) -> Pyramid:
    """Where a piece ends that is let go tilted over an edge of its base."""
    piece = over_an_edge(size, tilt)
    world = Watched((piece,))
    world.loosen("m")
    world.run()
    assert world.rises() <= OVERLAP
    found, loose = outcome(world, world.members["m"])
    assert not loose
    return found


@sizes
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_piece_topples_at_the_angle_that_geometry_says(size: Size, way: float) -> None:
    """Over when its middle of mass is past the edge, 43 to 44.5 degrees with this wall; else it stands again."""
    topple = shape_of(size).topple
    assert let_go(size, way * (topple - radians(0.3))).standing
    assert let_go(size, way * (topple + radians(0.3))).on_side


def flown(
    size: Size, speed: float, slant: float = radians(65.0)
) -> tuple[Launch, list[tuple[float, float, float]], Launched]:
    """A launch over the floor: t, s, z of the missile's middle of mass while it flies, and how it left."""
    launch = Launch(piece="m", size=size, hold=(0.0, 0.0), azimuth=0.0, speed=speed, slant=slant)
    landing = settle(FLOOR, launch)
    left = next(event for event in landing.events if isinstance(event, Launched))
    part, up = landing.slices[0], shape_of(size).centroid
    column = part.ids.index("m")
    path = []
    for t, (s, z, tilt) in zip(part.times, part.states[:, column], strict=True):
        if left.t <= t <= landing.down:
            path.append((float(t), float(s + up * sin(tilt)), float(z + up * cos(tilt))))
    return launch, path, left


@sizes
@pytest.mark.parametrize("speed", [2.5, 3.0, 4.0])
def test_a_flight_is_the_parabola_of_its_start(size: Size, speed: float) -> None:
    _, path, left = flown(size, speed)
    (t0, s0, z0), (vs, vz) = path[0], left.velocity
    assert len(path) > 10
    for t, s, z in path:
        assert s == pytest.approx(s0 + vs * (t - t0), abs=1e-6)
        assert z == pytest.approx(z0 + vz * (t - t0) - SETTINGS.gravity / 2 * (t - t0) ** 2, abs=1e-6)


def test_itw_3d_a_flick_at_the_base_sends_the_missile_up_in_an_arc() -> None:
    """ITW-3d: it leaves upward and forward, higher and farther the harder the flick; too weak a one leaves it there."""
    tops, ways = [], []
    for speed in (2.0, 2.5, 3.0, 4.0):
        _, path, left = flown("small", speed)
        assert left.velocity[0] > 0.0
        assert left.velocity[1] > 0.0
        tops.append(max(z for _, _, z in path))
        ways.append(path[-1][1])
    assert tops == sorted(tops)
    assert ways == sorted(ways)
    weak = settle(FLOOR, Launch(piece="m", size="small", hold=(0.0, 0.0), azimuth=0.0, speed=0.2))
    assert [type(event) for event in weak.events] == [Kept]
    assert weak.missile is None


@sizes
@pytest.mark.parametrize("speed", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("down", [False, True])
def test_a_free_slide_ends_where_friction_says(size: Size, speed: float, down: bool) -> None:
    """v squared over twice mu g, standing and on a side, to 2 %."""
    start = lying("m", size, 0.0, 0.0, pi) if down else standing("m", size, 0.0, 0.0)
    world = Watched()
    s, _, z = start.centre
    world.throw(start, (s, z), (speed, 0.0), 0.0, 0.0)
    world.run()
    rest, _ = outcome(world, world.members["m"])
    mu = PAIRS[1].friction
    assert rest.x - start.x == pytest.approx(speed**2 / (2 * mu * SETTINGS.gravity), rel=0.02, abs=1e-4)
    assert (rest.on_side, rest.standing) == (down, not down)
    assert world.rises() <= OVERLAP


def test_a_drop_bounces_as_high_as_restitution_says() -> None:
    """An upright piece let fall level comes up again to e squared of the height."""
    shape, drop = shape_of("large"), 0.05
    world = Watched()
    world.throw(standing("m", "large", 0.0, 0.0), (0.0, drop + shape.centroid), (0.0, 0.0), 0.0, 0.0)
    world.run()
    track = np.array(world.members["m"].track)
    first = int(np.argmin(track[:, 2] > 1e-3))
    again = track[first + 1 :, 2].max()
    assert again == pytest.approx(PAIRS[1].restitution ** 2 * drop, rel=0.1)


def test_the_launcher_holds_the_missile_on_its_tip_until_it_is_flicked_off() -> None:
    """ITW-3c: nested at its seat, axis on axis, when the nail strikes."""
    for size in SIZES:
        launch = Launch(piece="m", size=size, hold=(0.0, 0.0), azimuth=0.0, speed=3.0)
        part = settle(FLOOR, launch).slices[0]
        held, missile = (part.states[0, part.ids.index(name)] for name in ("launcher", "m"))
        seat = shape_of(size).seat(FLOOR.kit.large)
        assert held == pytest.approx([0.0, launch.lift, 0.0], abs=1e-9)
        assert missile == pytest.approx([0.0, launch.lift + seat, 0.0], abs=2e-5)


@sizes
def test_a_missile_leaves_as_fast_however_long_the_steps(size: Size, monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps grow when the nail has done pushing; that is no push of its own."""
    launch = Launch(piece="m", size=size, hold=(0.0, 0.0), azimuth=0.0, speed=3.0)
    _, _, left = flown(size, launch.speed, launch.slant)
    launcher._release.cache_clear()
    monkeypatch.setattr(launcher, "_GLIDE", launcher._STEP)
    _, _, again = flown(size, launch.speed, launch.slant)
    launcher._release.cache_clear()
    assert left.velocity == pytest.approx(again.velocity, rel=0.08)


def test_itw_3b_three_fingers_keep_the_launcher_nearly_upright() -> None:
    """ITW-3b: it gives as a stiff damped spring does, by millimetres and degrees, and does not fly itself."""
    part = settle(FLOOR, Launch(piece="m", size="medium", hold=(0.0, 0.0), azimuth=0.0, speed=3.0)).slices[0]
    held = part.states[part.times < 0.05, part.ids.index("launcher")]
    assert 1e-4 < np.abs(held[:, 0]).max() < 0.02
    assert np.abs(held[:, 2]).max() < radians(35.0)


@pytest.mark.parametrize("launch", launches(9, seed=3))
def test_a_mirrored_launch_gives_the_mirrored_result(launch: Launch) -> None:
    """Mirrored in the line of the launcher, table and all: the same by the eye, the first contact to a micrometre."""
    scene = strewn(12, seed=4)
    other = msgspec.structs.replace(scene, pieces=tuple(mirrored(piece) for piece in scene.pieces))
    x, y = launch.hold
    back = msgspec.structs.replace(launch, hold=(0.9 - x, y), azimuth=pi - launch.azimuth)
    one, two = settle(scene, launch), settle(other, back)
    assert two.down == pytest.approx(one.down, abs=1e-6)
    hits = [[event for event in found.events if isinstance(event, Hit)] for found in (one, two)]
    for first, again in zip(hits[0][:1], hits[1][:1], strict=True):
        assert again.point == pytest.approx((0.9 - first.point[0], first.point[1]), abs=1e-6)
        assert (again.piece, again.on) == (first.piece, first.on)
    for piece in one.after.pieces:
        here, there = mirrored(piece), two.after.piece(piece.id)
        assert there.centre == pytest.approx(here.centre, abs=1e-6)
        assert there.axis == pytest.approx(here.axis, abs=1e-6)
        assert (there.stands_on, there.leans_on) == (here.stands_on, here.leans_on)


def mirrored(piece: Pyramid) -> Pyramid:
    return msgspec.structs.replace(piece, x=0.9 - piece.x, heading=(2 * pi - piece.heading) % (2 * pi) - pi)


def test_thrown_the_other_way_a_piece_ends_the_other_way() -> None:
    """In the slice itself, left for right, on bare wood: to a micrometre at first contact."""
    for k in range(40):
        rng = np.random.default_rng(k)
        v, w, a, spin = rng.uniform(0.2, 1.5), rng.uniform(0.0, 2.0), rng.uniform(-0.5, 0.5), rng.uniform(-10.0, 10.0)
        ends = []
        for way in (1.0, -1.0):
            world = Watched()
            world.throw(standing("m", "medium", 0.0, 0.0), (0.0, 0.1), (way * v, w), way * a, way * spin)
            world.run()
            rest, _ = outcome(world, world.members["m"])
            ends.append((world.met, rest.tilt, way * rest.centre[0]))
        assert ends[0][:2] == pytest.approx(ends[1][:2], abs=1e-6)
        assert ends[0][2] == pytest.approx(ends[1][2], abs=1e-5)


@pytest.mark.parametrize("count", [0, 20, 80])
def test_every_launch_ends_with_every_piece_in_a_possible_attitude(count: int) -> None:
    """Nothing in another, nothing hanging, nothing balanced, nothing lost but off the table."""
    scene = strewn(count, seed=count)
    for launch in launches(36, seed=count):
        landing = settle(scene, launch)
        assert landing.after.problems() == []
        fell = {event.piece for event in landing.events if event.__class__.__name__ in ("Fell", "Kept")}
        assert {p.id for p in landing.after.pieces} | fell == {p.id for p in scene.pieces} | {"missile"}
        assert {p.id: p.mass for p in landing.after.pieces if p.id != "missile"}.items() <= {
            p.id: p.mass for p in scene.pieces
        }.items()


def test_one_launch_after_the_other_the_table_stays_sound() -> None:
    """Piles grow: forty missiles onto the same spot."""
    scene = FLOOR
    deepest = 0.0
    for k, launch in enumerate(launches(40, seed=9)):
        there = msgspec.structs.replace(launch, piece=f"m{k}", hold=(0.0, 0.0), azimuth=0.02 * (k % 5), speed=3.0)
        scene = settle(scene, there).after
        assert scene.problems() == []
        for i, one in enumerate(scene.pieces):
            deepest = max(deepest, *[depth(one, other) for other in scene.pieces[:i]], 0.0)
    assert len(scene.pieces) == 40
    assert deepest <= DEEP


def test_energy_never_rises() -> None:
    """From look to look, of all pieces in the slice, over launches into a crowd; but for the overlap of a step."""
    crowd = strewn(40, seed=2)
    for k in range(40):
        rng = np.random.default_rng(k)
        pieces = [msgspec.structs.replace(piece, x=piece.x - 0.45, y=piece.y - 0.45) for piece in crowd.pieces]
        world = Watched(pieces, ground=(-0.45, 0.45))
        missile = standing("m", SIZES[k % 3], -0.4, float(rng.uniform(-0.2, 0.2)))
        world.throw(missile, (-0.4, 0.15), (float(rng.uniform(0.5, 1.5)), 1.0), 0.1, float(rng.uniform(-9, 9)))
        world.run()
        assert world.rises() <= OVERLAP
        assert world.spent[-1][1] < world.spent[0][1]


def test_a_missile_onto_a_capped_piece_and_its_neighbours_gains_nothing() -> None:
    """It once rose to five times what all the energy allowed: steps after an impact gave part of it once more."""
    crowd = [
        standing("under", "small", 0.1985, 0.0056, heading=0.683),
        standing("cap", "large", 0.1985, 0.0056, heading=0.683, stands_on=("under",)),
        standing("beside", "small", 0.2224, 0.0145, heading=1.357),
        lying("behind", "small", 0.2583, 0.0047, 1.773),
    ]
    for k in range(12):
        world = Unbound(crowd)
        missile = standing("m", "large", 0.015, 0.0)
        world.throw(missile, (0.0149 + 0.003 * k, 0.1536), (0.6191, 1.2612), 0.8683, 35.027)
        world.run()
        assert {"m", "cap"} <= world.members.keys()
        assert world.rises() <= OVERLAP


@sizes
def test_steps_of_unequal_length_make_no_motion(size: Size) -> None:
    """Of an impact on bare wood nothing is left for the longer steps after it, with nothing taken out of the slice."""
    for k in range(20):
        rng = np.random.default_rng(k)
        world = Unbound()
        missile = standing("m", size, 0.0, 0.0)
        world.throw(missile, (0.0, 0.1), (rng.uniform(0.2, 1.5), 1.0), rng.uniform(-0.5, 0.5), rng.uniform(-40.0, 40.0))
        world.run()
        assert world.rises() <= OVERLAP


def test_the_same_launch_gives_the_same_bits() -> None:
    scene = strewn(30, seed=6)
    for launch in launches(6, seed=6):
        one, two = settle(scene, launch), settle(scene, launch)
        assert fingerprint(one.after) == fingerprint(two.after)
        assert one.events == two.events
        assert all(
            np.array_equal(a.states, b.states, equal_nan=True) for a, b in zip(one.slices, two.slices, strict=True)
        )


def test_off_the_table_is_off() -> None:
    """Over the edge it falls; half over, with its middle on the table, it stays."""
    from slices import TABLE

    far = settle(TABLE, Launch(piece="m", size="small", hold=(0.45, 0.8), azimuth=pi / 2, speed=4.0))
    assert far.missile is None
    assert any(event.__class__.__name__ == "Fell" for event in far.events)
    shape = shape_of("large")
    for over, stays in ((shape.base / 2 - 0.001, True), (shape.base / 2 + 0.001, False)):
        world = Watched(ground=(-1.0, 0.0))
        start = standing("m", "large", over - shape.base / 2, 0.0)
        world.throw(start, (start.x, shape.centroid), (0.0, 0.0), 0.0, 0.0)
        world.run()
        assert ("m" not in world.fallen) == stays


def test_a_piece_that_is_met_is_pushed_and_toppled_with_its_own_mass() -> None:
    """A small standing piece goes over where a large one is only pushed."""
    scene = PyramidScene(surface=FLOOR.surface, pieces=(standing("p", "small", 0.25, 0.0),))
    hits = [
        settle(scene, msgspec.structs.replace(launch, hold=(0.0, 0.0), azimuth=0.0)) for launch in launches(30, seed=1)
    ]
    pushed = [found for found in hits if found.after.piece("p") != scene.piece("p")]
    assert pushed
    assert any(found.after.piece("p").on_side for found in pushed)


def test_what_leans_on_a_piece_that_goes_falls() -> None:
    """A missile propped on a lying piece comes down when that is picked up."""
    prop = lying("prop", "large", 0.45, 0.42, pi / 2)
    from flicksim.physics.launch import settle_volley
    from flicksim.table import samples
    from flicksim.table.launch import Volley

    scene, launch = samples.launch()
    leaning = settle(scene, launch).after
    assert leaning.piece("missile").stands_on == ("prop",)
    down = settle_volley(leaning, Volley(launches=(), lift=("prop",)), SETTINGS).after
    assert not down.has("prop")
    assert down.piece("missile").standing or down.piece("missile").on_side
    assert prop.on_side
    assert atan2(hypot(*down.piece("missile").axis[:2]), down.piece("missile").axis[2]) < pi
    assert degrees(down.piece("missile").tilt) in (pytest.approx(0.0), pytest.approx(degrees(shape_of("small").lying)))
