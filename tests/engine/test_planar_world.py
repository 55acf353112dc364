"""Invariants of the planar simulation: energy, momentum, symmetry, order of events, no overlap."""

from math import atan2, cos, hypot, inf, pi, sin

import msgspec
import numpy as np
import pytest

from flicksim.core.errors import DidNotSettle, InvalidAction, InvalidScene, InvalidValue
from flicksim.core.serialization import fingerprint
from flicksim.engine import PlanarWorld, Settings, simulate
from flicksim.engine.initial_motion import flick_velocity
from flicksim.scene import (
    DEFAULT_PAIRINGS,
    CameToRest,
    Collision,
    Flick,
    LeftSurface,
    Line,
    LineCrossed,
    Pairing,
    Scene,
    Struck,
    Surface,
    Trajectory,
    samples,
)
from flicksim.scene.samples import BOARD, FLOOR, penny
from flicksim.validation.planar_discs import oblique_shot, pair_settings, velocities_at_impact
from tests.python_process import run_code

R = 0.01015
D = 2 * R
G = 9.81


def crowded_board(seed: int) -> tuple[Scene, Flick]:
    """A random crowd, mostly touching one another, and a strong, often spinning flick into it."""
    rng = np.random.default_rng(seed)
    places = [(0.15, 0.0395)]
    while len(places) < 4 + seed % 14:
        if len(places) > 1 and rng.random() < 0.6:
            x, y = places[int(rng.integers(1, len(places)))]
            turn = rng.uniform(0, 2 * pi)
            at = (x + D * cos(turn), y + D * sin(turn))
        else:
            at = (rng.uniform(0.0, 0.3), rng.uniform(0.08, 0.35))
        if 0 <= at[0] <= 0.3 and at[1] >= 0.07 and all(hypot(at[0] - x, at[1] - y) >= D for x, y in places):
            places.append(at)
    rings = rng.choice([0.0, 0.9, 1.0], size=len(places))
    pieces = tuple(penny(f"p{i}", x, y, ring=float(rings[i])) for i, (x, y) in enumerate(places))
    x, y = places[int(rng.integers(1, len(places)))]
    return Scene(surface=BOARD, pieces=pieces), Flick(
        piece="p0",
        speed=float(rng.uniform(0.5, 6.0)),
        azimuth=float(atan2(y - 0.0395, x - 0.15) + rng.normal(0.0, 0.02)),
        offset=float(rng.uniform(-0.9, 0.9)),
    )


CROWDS = [*range(60), 67, 188, 221]  # the last three once ended with pieces inside one another


@pytest.mark.parametrize("seed", CROWDS)
def test_a_crowd_comes_to_rest_without_gaining_energy_or_sinking_in(seed: int) -> None:
    scene, flick = crowded_board(seed)
    world = PlanarWorld(scene, Settings())
    world.set_velocity(0, *flick_velocity(scene.pieces[0], flick, 1.0))
    energy = world.energy()
    while world._segments:
        world.step_to_next_event()
        assert world.impact_count < 2000
        assert world.energy() <= energy * (1 + 1e-12)
        energy = world.energy()
    motion = world.to_trajectory(flick)
    assert motion.after.problems() == []
    assert motion.settled
    check_trajectory(motion)
    check_nothing_passes_through(motion)


def check_trajectory(motion: Trajectory) -> None:
    """Check that events are in order, name pieces on the board, and agree with the scene after."""
    times = [event.t for event in motion.events]
    assert times == sorted(times)
    assert isinstance(motion.events[0], Struck)
    assert all(0.0 <= t <= motion.duration for t in times)
    gone: set[str] = set()
    for event in motion.events:
        assert event.piece not in gone, "no event follows after a piece has left"
        if isinstance(event, LeftSurface):
            gone.add(event.piece)
    assert {p.id for p in motion.before.pieces} - gone == {p.id for p in motion.after.pieces}
    for piece in motion.after.pieces:
        rests = [event for event in motion.events if isinstance(event, CameToRest) and event.piece == piece.id]
        if rests:
            assert piece.position == pytest.approx(rests[-1].point, abs=1e-9)
        else:
            assert piece == motion.before.piece(piece.id)
    assert np.all(np.diff(motion.tracks.times) >= 0.0)
    assert motion.tracks.times[0] == 0.0
    assert motion.tracks.times[-1] == motion.duration
    last = motion.tracks.poses_at(motion.duration)
    for i, name in enumerate(motion.tracks.ids):
        if name in gone:
            assert np.isnan(last[i]).all()
        else:
            assert last[i, :2] == pytest.approx(motion.after.piece(name).position, abs=1e-9)
    assert not motion.tracks.states.flags.writeable


def check_nothing_passes_through(motion: Trajectory) -> None:
    """Check that between keyframes, too, pieces overlap by at most some hundredths of a millimetre."""
    radii = np.array([p.radius for p in motion.before.pieces])
    apart = radii[:, None] + radii[None, :]
    np.fill_diagonal(apart, -inf)
    for t in np.linspace(0.0, motion.duration, 150):
        at = motion.tracks.poses_at(float(t))[:, :2]
        distance = np.linalg.norm(at[:, None] - at[None, :], axis=-1)
        assert np.nanmax(apart - distance) < 2e-5


@pytest.mark.parametrize("name", samples.sample_names())
def test_every_sample_gives_a_valid_trajectory(name: str) -> None:
    motion = simulate(*samples.sample(name))
    check_trajectory(motion)
    check_nothing_passes_through(motion)


@pytest.mark.parametrize(
    ("name", "moved"), [("late-end", 4), ("crowd", 5), ("draw", 2), ("slide", 1), ("break-up", 25)]
)
def test_the_samples_move_what_they_say(name: str, moved: int) -> None:
    motion = simulate(*samples.sample(name))
    assert len({event.piece for event in motion.events if isinstance(event, CameToRest | LeftSurface)}) == moved


@pytest.mark.parametrize("name", ["draw", "crowd", "break-up"])
def test_the_same_shot_gives_the_same_bits_in_a_fresh_process(name: str) -> None:
    """X-4: same input, same trajectory."""
    code = (
        "from flicksim.core.serialization import fingerprint; from flicksim.engine import simulate;"
        f"from flicksim.scene.samples import sample; print(fingerprint(simulate(*sample({name!r}))))"
    )
    simulate(*samples.sample("break-up"))  # what went before must not matter
    assert fingerprint(simulate(*samples.sample(name))) == run_code(code).stdout.strip()


def test_a_cradle_passes_the_blow_on_to_its_last_coin() -> None:
    """Five touching coins, perfectly elastic: the first stops, the last goes, those between do not stir."""
    pieces = (penny("a", -0.1, 0.0), *(penny(f"p{k}", k * D, 0.0) for k in range(5)))
    settings = pair_settings(1.0, 0.0)
    after = simulate(Scene(surface=FLOOR, pieces=pieces), Flick(piece="a", speed=1.5, azimuth=0.0), settings).after
    assert after.piece("a").x == pytest.approx(-D, abs=1e-6)
    for k in range(4):
        assert after.piece(f"p{k}").position == pytest.approx((k * D, 0.0), abs=1e-6)
    speed2 = 1.5**2 - 2 * 0.2 * G * (0.1 - D)
    assert after.piece("p4").x - 4 * D == pytest.approx(speed2 / (2 * 0.2 * G), rel=1e-6)


def test_a_lossy_cradle_keeps_its_momentum_and_its_order() -> None:
    pieces = (penny("a", -0.1, 0.0), *(penny(f"p{k}", k * D, 0.0) for k in range(4)))
    motion = simulate(Scene(surface=FLOOR, pieces=pieces), Flick(piece="a", speed=2.0, azimuth=0.0))
    xs = [motion.after.piece(name).x for name in ("a", "p0", "p1", "p2", "p3")]
    assert xs == sorted(xs)
    assert np.all(np.diff(xs) >= D - 1e-6)
    assert all(abs(p.y) < 1e-9 for p in motion.after.pieces)


def test_a_coin_between_two_touching_ones_sends_both_off_alike() -> None:
    """A symmetric double hit is one impact, not two after one another."""
    half = R + 1e-4
    pieces = (penny("a", 0.0, 0.0), penny("l", -half, 0.2), penny("r", half, 0.2))
    motion = simulate(Scene(surface=FLOOR, pieces=pieces), Flick(piece="a", speed=1.5, azimuth=pi / 2))
    touched = [event for event in motion.events if isinstance(event, Collision)]
    assert {event.other for event in touched[:2]} == {"l", "r"}
    assert touched[0].t == touched[1].t
    left, right, a = (motion.after.piece(name) for name in ("l", "r", "a"))
    assert (-left.x, left.y) == pytest.approx((right.x, right.y), abs=1e-6)
    assert a.x == pytest.approx(0.0, abs=1e-6)


def test_a_double_hit_follows_the_closed_form() -> None:
    """Frictionless rims, both normals at 30 degrees: u' = u (1 - 2 e c^2) / (1 + 2 c^2) for the hitter."""
    e, speed = 0.75, 1.5
    pieces = (penny("a", 0.0, 0.0), penny("l", -R, 0.2), penny("r", R, 0.2))
    motion = simulate(
        Scene(surface=FLOOR, pieces=pieces), Flick(piece="a", speed=speed, azimuth=pi / 2), pair_settings(e, 0.0)
    )  # fmt: skip
    before, after = velocities_at_impact(motion)
    c2 = 0.75
    assert after["a"][1] / before["a"][1] == pytest.approx((1 - 2 * e * c2) / (1 + 2 * c2), abs=1e-4)


def test_three_touching_coins_may_be_struck_apart() -> None:
    pieces = (penny("a", 0.0, 0.0), penny("b", D, 0.0), penny("c", R, R * 3**0.5))
    for azimuth in (0.0, pi / 6, pi / 3, pi):
        motion = simulate(Scene(surface=FLOOR, pieces=pieces), Flick(piece="a", speed=1.0, azimuth=azimuth))
        assert motion.after.problems() == []
        check_trajectory(motion)
    away = simulate(Scene(surface=FLOOR, pieces=pieces), Flick(piece="a", speed=1.0, azimuth=pi))
    assert not [event for event in away.events if isinstance(event, Collision)]


def test_restitution_falls_with_speed_in_the_world() -> None:
    got = []
    for speed in (1.0, 4.0, 16.0):
        before, after = velocities_at_impact(oblique_shot(0.0, Settings(), speed=speed))
        closing = before["a"][0]
        got.append((after["b"][0] - after["a"][0]) / closing)
        assert got[-1] == pytest.approx(DEFAULT_PAIRINGS.lookup("bronze", "bronze").restitution_at(closing), abs=1e-6)
    assert got[0] > got[1] > got[2]


@pytest.mark.parametrize(("phi", "sticks"), [(0.1, True), (1.0, False)])
def test_rims_grip_within_the_cone_and_slip_beyond(phi: float, sticks: bool) -> None:
    """Coulomb at the rims: sideways impulse at most mu times the normal one; gripping rims end up rolling."""
    mu, e = 0.12, 0.75
    motion = oblique_shot(phi, pair_settings(e, mu))
    before, after = velocities_at_impact(motion)
    n, t = np.array([cos(phi), sin(phi)]), np.array([-sin(phi), cos(phi)])
    kick = np.array(after["b"])
    normal, sideways = kick @ n, abs(kick @ t)
    assert normal == pytest.approx((1 + e) / 2 * np.array(before["a"]) @ n, rel=1e-4)
    slip = abs(np.array(before["a"]) @ t)
    # two equal discs, I = m R^2 / 2: a sideways impulse J per unit mass changes the slip by 6 J
    due = min(mu * normal, slip / 6)
    assert sideways == pytest.approx(due, rel=1e-3)
    assert (slip / 6 < mu * normal) == sticks


def test_a_coin_leaves_where_and_when_its_centre_passes_the_edge() -> None:
    pull = 0.2 * G
    scene = Scene(surface=BOARD, pieces=(penny("a", 0.15, 0.7),))
    motion = simulate(scene, Flick(piece="a", speed=1.2, azimuth=pi / 3))
    left = motion.events[-1]
    assert isinstance(left, LeftSurface)
    way = 0.1 / sin(pi / 3)
    speed = (1.2**2 - 2 * pull * way) ** 0.5
    assert left.point == pytest.approx((0.15 + way * cos(pi / 3), 0.8), abs=1e-9)
    assert left.t == pytest.approx((1.2 - speed) / pull, abs=1e-9)
    assert hypot(*left.velocity) == pytest.approx(speed, abs=1e-9)
    assert motion.after.pieces == ()
    assert motion.duration == left.t


def test_a_coin_is_seen_until_it_falls() -> None:
    scene = Scene(surface=BOARD, pieces=(penny("a", 0.15, 0.7),))
    motion = simulate(scene, Flick(piece="a", speed=1.2, azimuth=pi / 2))
    assert motion.tracks.poses_at(motion.duration - 1e-6)[0, 1] == pytest.approx(0.8, abs=1e-5)
    assert np.isnan(motion.tracks.poses_at(motion.duration)).all()


def test_a_coin_that_rests_and_is_struck_again_lies_where_it_rested_meanwhile() -> None:
    """The tracks once showed it at its last keyframe before the rest, half a millimetre away."""
    motion = simulate(*crowded_board(40))
    for event in motion.events:
        if isinstance(event, CameToRest):
            i = motion.tracks.ids.index(event.piece)
            assert motion.tracks.poses_at(event.t)[i, :2] == pytest.approx(event.point, abs=1e-9)


def test_a_coin_stays_a_hair_before_the_edge_and_once_it_has_left_hits_nothing_more() -> None:
    for gap, stays in ((1e-6, True), (-1e-6, False)):
        speed = (2 * 0.2 * G * (0.1 - gap)) ** 0.5
        scene = Scene(surface=BOARD, pieces=(penny("a", 0.15, 0.7),))
        assert simulate(scene, Flick(piece="a", speed=speed, azimuth=pi / 2)).after.has("a") is stays
    floor = Surface(material="polished", outline=((0.0, 0.0), (0.3, 0.0), (0.15, 0.3)))
    scene = Scene(surface=floor, pieces=(penny("a", 0.03, 0.03), penny("b", 0.27, 0.02)))
    motion = simulate(scene, Flick(piece="a", speed=3.0, azimuth=-pi / 2))
    assert [type(event) for event in motion.events] == [Struck, LeftSurface]


def test_lines_are_crossed_in_order_where_and_when_the_centre_passes_and_again_on_the_way_back() -> None:
    pull = 0.2 * G
    scene = Scene(surface=BOARD, pieces=(penny("a", 0.15, 0.02),))
    motion = simulate(scene, Flick(piece="a", speed=1.5, azimuth=pi / 2))
    crossed = [event for event in motion.events if isinstance(event, LineCrossed)]
    assert [(event.line, event.forward) for event in crossed] == [("5 cm", True), ("45 cm", True)]
    for event, y in zip(crossed, (0.05, 0.45), strict=True):
        way = y - 0.02
        assert event.point == pytest.approx((0.15, y), abs=1e-9)
        assert event.t == pytest.approx((1.5 - (1.5**2 - 2 * pull * way) ** 0.5) / pull, abs=1e-9)
    heavy = msgspec.structs.replace(penny("b", 0.15, 0.49), mass=1.0)  # off which it bounces back
    scene = Scene(surface=BOARD, pieces=(penny("a", 0.15, 0.4), heavy))
    motion = simulate(scene, Flick(piece="a", speed=1.2, azimuth=pi / 2))
    assert [event.forward for event in motion.events if isinstance(event, LineCrossed)] == [True, False]


def test_a_line_is_not_crossed_by_what_passes_beside_its_end() -> None:
    floor = Surface(
        material="polished", outline=FLOOR.outline, lines=(Line(name="l", a=(0.0, 0.1), b=(0.1, 0.1)),)
    )  # fmt: skip
    for x, count in ((0.05, 1), (0.15, 0)):
        motion = simulate(
            Scene(surface=floor, pieces=(penny("a", x, 0.0),)), Flick(piece="a", speed=1.0, azimuth=pi / 2)
        )
        assert sum(isinstance(event, LineCrossed) for event in motion.events) == count


@pytest.mark.parametrize("lean", [0.2, 0.3])
def test_a_nail_off_the_middle_grips_within_its_cone(lean: float) -> None:
    """tan(lean) < 0.35: the coin goes straight along and spins by the moment of the blow, 2 v offset / R."""
    (vx, vy), spin = flick_velocity(penny("a", 0, 0), Flick(piece="a", speed=1.5, azimuth=0.7, offset=sin(lean)), 0.35)
    assert (vx, vy) == pytest.approx((1.5 * cos(0.7), 1.5 * sin(0.7)))
    assert spin == pytest.approx(-2 * 1.5 * sin(lean) / R)


@pytest.mark.parametrize("offset", [0.5, -0.5, 0.9])
def test_a_nail_too_far_out_slips(offset: float) -> None:
    """Only the normal impulse and what friction carries of it arrive: slower, askew, with less spin."""
    (vx, vy), spin = flick_velocity(penny("a", 0, 0), Flick(piece="a", speed=1.5, azimuth=0.0, offset=offset), 0.35)
    normal = (1 - offset**2) ** 0.5
    assert hypot(vx, vy) == pytest.approx(1.5 * normal * (1 + 0.35**2) ** 0.5)
    assert abs(spin) == pytest.approx(2 * 1.5 * 0.35 * normal / R)
    assert np.sign(spin) == -np.sign(offset)
    assert np.sign(vy) == -np.sign(offset), "struck on the left it veers to the right"


def test_a_blow_in_the_middle_gives_no_spin_and_a_mirrored_blow_the_mirrored_one() -> None:
    flick = Flick(piece="a", speed=1.5, azimuth=0.0)
    assert flick_velocity(penny("a", 0, 0), flick, 0.35) == ((1.5, 0.0), 0.0)
    for offset in (0.2, 0.7):
        (ax, ay), a = flick_velocity(penny("a", 0, 0), msgspec.structs.replace(flick, offset=offset), 0.35)
        (bx, by), b = flick_velocity(penny("a", 0, 0), msgspec.structs.replace(flick, offset=-offset), 0.35)
        assert (ax, ay, a) == pytest.approx((bx, -by, -b))


def test_the_first_event_is_the_strike_and_no_argument_is_modified() -> None:
    scene, flick = samples.sample("draw")
    struck = simulate(scene, msgspec.structs.replace(flick, start=(0.1, 0.02))).events[0]
    assert isinstance(struck, Struck)
    assert (struck.t, struck.piece) == (0.0, "a")
    assert struck.velocity == pytest.approx((0.0, 1.46), abs=1e-12)
    scene, flick = samples.sample("break-up")
    before = fingerprint((scene, flick))
    simulate(scene, flick)
    assert fingerprint((scene, flick)) == before


def test_a_flick_starts_where_it_is_put() -> None:
    scene, flick = samples.sample("draw")
    motion = simulate(scene, msgspec.structs.replace(flick, start=(0.1, 0.02)))
    assert motion.before.piece("a").position == (0.1, 0.02)
    assert motion.before == scene.with_piece_at("a", (0.1, 0.02))
    with pytest.raises(InvalidAction, match="off the surface"):
        simulate(scene, msgspec.structs.replace(flick, start=(0.1, -0.02)))
    with pytest.raises(InvalidAction, match=r"no piece 'z'.*'a', 'white'"):
        simulate(scene, msgspec.structs.replace(flick, piece="z"))
    with pytest.raises(InvalidScene, match="overlap"):
        simulate(scene, msgspec.structs.replace(flick, start=(0.15, 0.57)))


def test_what_would_not_rest_is_named() -> None:
    """X-1: never judged in motion, never guessed."""
    ice = Settings(pairings=DEFAULT_PAIRINGS.with_pairing("bronze", "polished", Pairing(friction=0.0)))
    lone = Scene(surface=FLOOR, pieces=(penny("a", 0.0, 0.0),))
    assert not simulate(lone, Flick(piece="a", speed=1.0, azimuth=0.0), ice).after.pieces, "it slides off"
    tired = Settings(max_impacts=3)
    with pytest.raises(DidNotSettle, match=r"4 impacts .*'p\d+'.* still moved"):
        simulate(*samples.sample("break-up"), tired)
    slow = Settings(max_time=1e-3)
    with pytest.raises(DidNotSettle, match=r"after 0.001 s and 0 impacts 'a' still moved"):
        simulate(*samples.sample("break-up"), slow)


@pytest.mark.parametrize("pulls", [(0.2, 0.2), (0.1, 0.6), (0.6, 0.1)])
def test_two_that_glide_meet_when_small_steps_bring_them_together(pulls: tuple[float, float]) -> None:
    """However differently they slow down: chased, crossed or met head on."""
    pairings = DEFAULT_PAIRINGS
    for name, pull in zip("ab", pulls, strict=True):
        pairings = pairings.with_pairing(name, "polished", Pairing(friction=pull))
    for one, other in (("a", "a"), ("a", "b"), ("b", "b")):
        pairings = pairings.with_pairing(one, other, Pairing(friction=0.1, restitution=0.7))
    rng, met = np.random.default_rng(5), 0
    for _ in range(100):
        at = np.array([(0.0, 0.0), rng.uniform(-0.06, 0.06, 2)])
        if hypot(*at[1]) < 1.05 * D:
            continue
        to = rng.uniform(-0.2, 0.2, 2)  # both are sent about there
        v = (to - at) * rng.uniform(2.0, 20.0) * rng.uniform(0.7, 1.4, (2, 1))
        scene = Scene(surface=FLOOR, pieces=tuple(
            msgspec.structs.replace(penny(name, *place), material=name) for name, place in zip("ab", at, strict=True)
        ))  # fmt: skip
        world = PlanarWorld(scene.validated(), Settings(pairings=pairings))
        for i in (0, 1):
            world.set_velocity(i, (v[i, 0], v[i, 1]), 0.0)
        world.run()
        touch = next((event.t for event in world.events if isinstance(event, Collision)), None)
        times = np.arange(0.0, 1.0, 1e-4)[:, None, None]
        speed, pull = np.linalg.norm(v, axis=1)[:, None], np.array(pulls)[:, None] * G
        slid = np.minimum(times, speed / pull)
        places = at + v / speed * (speed * slid - 0.5 * pull * slid**2)
        inside = np.flatnonzero(np.linalg.norm(places[:, 0] - places[:, 1], axis=1) < D - 1e-6)
        assert (touch is None) == (len(inside) == 0)
        if touch is not None:
            met += 1
            assert touch == pytest.approx(times[inside[0], 0, 0], abs=3e-4)
    assert met > 30


def test_unknown_materials_are_refused() -> None:
    scene, flick = samples.sample("draw")
    with pytest.raises(InvalidScene, match="cheese"):
        simulate(scene.with_piece(msgspec.structs.replace(scene.pieces[1], material="cheese")), flick)
    slides = Settings(
        pairings=DEFAULT_PAIRINGS.with_pairing("cheese", "polished", DEFAULT_PAIRINGS.lookup("bronze", "polished"))
    )
    with pytest.raises(InvalidScene, match="between 'bronze' and 'cheese'"):
        simulate(scene.with_piece(msgspec.structs.replace(scene.pieces[1], material="cheese")), flick, slides)


NO_NUMBER = " .* must be a number"


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("gravity", 0.0, ""), ("gravity", 101.0, ""), ("nail_friction", -1.0, ""), ("elastic_threshold", 0.0, ""),
        ("max_time", 0.0, ""), ("output_interval", 0.0, ""), ("gravity", "x", NO_NUMBER),
        ("max_impacts", None, NO_NUMBER), ("drag_coefficient", True, NO_NUMBER), ("output_interval", [1], NO_NUMBER),
    ],
)  # fmt: skip
def test_invalid_settings_are_refused(name: str, given: object, message: str) -> None:
    with pytest.raises(InvalidValue, match=name + message):
        Settings(**{name: given})  # type: ignore[arg-type]
