"""Tests of the hand-over: flat winks slide in the plane, and states are handed over both ways."""

from math import atan2, cos, hypot, pi, sin

import msgspec
import numpy as np
import pytest

from flicksim.engine import Settings, simulate
from flicksim.engine.friction import SlidingDisc
from flicksim.engine.planar_discs import sliding_disc
from flicksim.engine.planar_discs.board import BoardArrays, make_board
from flicksim.engine.planar_discs.plane import IMPACTS, SLIDING, PlaneLaws
from flicksim.engine.planar_discs.slides import read_motion
from flicksim.engine.planar_world import PlanarWorld, pot_foot_radius
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.wink_scenes import mat_arrays, wink_params, wink_states
from flicksim.engine.winks import Status, Until, WinkResult, damping_from_restitution, simulate_winks, sliding_plane
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks import recorder as R
from flicksim.engine.winks.bodies import system_energy
from flicksim.engine.winks.integrator import UNTIL_SLIDE
from flicksim.engine.winks.planar_handover import place_flat
from flicksim.engine.winks.result import make_result
from flicksim.engine.winks.shot_arrays import PAUSED, SETTLED, ShotArrays, make_results, make_workspace
from flicksim.engine.winks.shots import simulate_shots
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.scene import Collision, Flick, Landed, LeftSurface, Scene, Squidge
from tests.engine.mats import mat as mat_of

OPTIONS = Options()
SETTINGS = Settings(drag_coefficient=0.0)
FELT = SETTINGS.pairings.lookup("wink", "felt")
WINK = SETTINGS.pairings.lookup("wink", "wink")
PULL = FELT.friction * SETTINGS.gravity
SMALL, LARGE = 7.9375e-3, 11.1125e-3

Motions = dict[str, tuple[float, float, float]]
"""Velocity and spin given to winks [m/s, m/s, rad/s]."""


class Mat:
    """A mat on which some winks slide or are in the air, at a height and vertical velocity [m, m/s]; a batch of one."""

    def __init__(
        self, scene: Scene, motions: Motions, record: float | None = None,
        up: dict[str, tuple[float, float]] | None = None,
    ) -> None:  # fmt: skip
        self.scene, lines, at = scene, scene.surface.lines, {p.id: i for i, p in enumerate(scene.pieces)}
        self.mats = mat_arrays([(scene, SETTINGS)], [0.0])
        self.mats.keyframe_interval[0] = record or 0.0
        self.board: BoardArrays = make_board(
            tuple(scene.surface.outline), tuple((*line.a, *line.b) for line in lines), (0.0,)
        )
        launched = sorted({at[name] for name in (*motions, *(up or {}))})
        self.shots = ShotArrays(
            mat=np.zeros(1, np.int64), shooter=np.array([-1]), launched=np.array([launched], np.int64),
            velocity=np.zeros((1, len(launched), 3)), angular_momentum=np.zeros((1, len(launched), 3)),
            positions=np.zeros((1, 0, 2)),
        )  # fmt: skip
        for name, (vx, vy, spin) in motions.items():
            q = launched.index(at[name])
            self.shots.velocity[0, q, :2] = vx, vy
            self.shots.angular_momentum[0, q, 2] = 0.5 * scene.pieces[at[name]].radius ** 2 * spin
        for name, (z, vz) in (up or {}).items():
            self.mats.bodies[0, at[name], B.CZ] = z
            self.shots.velocity[0, launched.index(at[name]), 2] = vz
        self.results = make_results(1, len(scene.pieces), len(lines))
        self.work = make_workspace(len(scene.pieces), self.mats.outline)

    @property
    def laws(self) -> PlaneLaws:
        m = self.mats
        return PlaneLaws(
            m.radius[0], m.mass[0], m.deceleration[0], m.contact_kind[0],
            m.friction[0], m.restitution[0], m.yield_speed[0], m.pot_contact_distance[0],
            float(m.elastic_threshold[0]),
        )  # fmt: skip

    def run(self, seconds: float = 6.0) -> bool:
        """Simulate so long, at the same rolling resistance, or until all rests: True if it does. What still slides is
        taken back into 3D."""
        self.mats.max_flight_time[0] = seconds
        mats = self.mats._replace(materials=self.mats.materials[:, :1].copy())
        simulate_shots(0, 1, UNTIL_SLIDE, mats, self.shots, self.board, self.results, self.work)
        rests = int(self.results.status[0]) == SETTLED
        self.results.status[0] = PAUSED
        return rests

    def result(self) -> WinkResult:
        return make_result(self.work, self.results, 0, wink_states(self.scene), None)

    def slide(self, i: int) -> tuple[float, float]:
        """Beginning and end of the last slide of a wink [s, s]; zeros if it never slid."""
        begin, end = self.work.plane.segments[i, [sliding_disc.START_TIME, sliding_disc.END_TIME]].tolist()
        return begin, end


def simulate_mat(scene: Scene, motions: Motions, record: float | None = None) -> tuple[WinkResult, Mat]:
    mat = Mat(scene, motions, record)
    assert mat.run()
    return mat.result(), mat


def deepest(result: WinkResult) -> float:
    """Greatest overlap of two flat winks in plan [m]."""
    c, radius = result.winks.c, result.winks.R
    gaps = np.hypot(*(c[:, None, :2] - c[None, :, :2]).T) - radius - radius[:, None]
    np.fill_diagonal(gaps, 1.0)
    return float(-gaps.min())


@pytest.mark.parametrize(("name", "radius"), [("blue-3", SMALL), ("blue-1", LARGE)])
@pytest.mark.parametrize(("v", "spin"), [(0.3, 0.0), (1.5, 0.0), (0.3, 100.0), (0.5, -20.0), (0.05, 300.0)])
def test_a_flat_wink_slides_and_spins_as_a_uniform_disc(name: str, radius: float, v: float, spin: float) -> None:
    start = (-0.6, 0.2)
    result, mat = simulate_mat(mat_of((name, *start)), {name: (v * cos(0.3), v * sin(0.3), spin)})
    due = SlidingDisc(v, spin * radius, radius, PULL, 0.0)
    x, y = (result.winks.c[0, :2] - start).tolist()
    assert x * cos(0.3) + y * sin(0.3) == pytest.approx(due.stop_distance, rel=0.01)
    assert abs(y * cos(0.3) - x * sin(0.3)) < 0.05e-3
    assert result.time == pytest.approx(due.stop_time, rel=0.01)
    assert result.status == (Status.FLAT,)
    if spin and v > 0.25 * abs(spin) * radius:  # slower than that beside its spin it gets there only when it lies
        run = mat.work.plane.segments[0]
        before_rest = run[sliding_disc.STOP_TIME] * (1.0 - 1e-5)
        _, late = sliding_disc.distance_and_speed(run, mat.board, before_rest)
        _, rim = sliding_disc.rotation_and_rim_speed(run, mat.board, before_rest)
        assert late / abs(rim) == pytest.approx(0.653, rel=0.02)


def test_most_of_a_slide_is_planar() -> None:
    _, mat = simulate_mat(mat_of(("blue-3", -0.6, 0.2)), {"blue-3": (1.0, 0.0, 0.0)})
    begin, end = mat.slide(0)
    assert begin == pytest.approx(5e-3, abs=2e-4)
    assert end == pytest.approx(1.0 / PULL, rel=1e-3)


def test_head_on_the_ways_are_as_the_restitution_says() -> None:
    """((1-e)/(1+e))^2, and the place where they met in between."""
    result, _ = simulate_mat(mat_of(("blue-3", -0.6, 0.2), ("red-3", -0.5, 0.2)), {"blue-3": (1.5, 0.0, 0.0)})
    hitter, hit = result.winks.c[0, 0] - (-0.5 - 2 * SMALL), result.winks.c[1, 0] + 0.5
    e = WINK.restitution
    assert hitter / hit == pytest.approx(((1 - e) / (1 + e)) ** 2, rel=0.02)
    (impact,) = result.contacts[1:] if result.contacts[0].other < 0 else result.contacts
    assert impact.speed == pytest.approx((1.5**2 - 2 * PULL * (0.1 - 2 * SMALL)) ** 0.5, rel=0.01)


@pytest.mark.parametrize("other", ["red-3", "red-1"])
@pytest.mark.parametrize("aside", [0.0, 4e-3, -9e-3])
def test_hits_in_the_plane_keep_momentum_and_bring_no_energy(aside: float, other: str) -> None:
    scene = mat_of(("blue-3", -0.6, 0.2), (other, -0.5, 0.2 + aside))
    mat, world = Mat(scene, {}), PlanarWorld(scene, SETTINGS)
    p, run, laws, board = mat.work.plane, mat.work.run, mat.laws, mat.board
    sliding_plane.clear_plane(p, mat.mats.pot)
    assert sliding_plane.update_obstacles(p, mat.mats.bodies[0], mat.mats.pot)
    sliding_plane.add_sliding(p, 0, -0.6, 0.2, 1.5, 0.0, 30.0, run, laws, board)
    sliding_plane.update_all_collision_times(p, laws, board)
    world.set_velocity(0, (1.5, 0.0), 30.0)
    mass = [piece.mass for piece in scene.pieces]
    while p.counts[SLIDING] < 2:
        had = sliding_plane.sliding_energy(p, laws, board)
        p.clock[0] = sliding_plane.next_event_time(p)  # what it has just before
        read_motion(p, 0, board)
        v = p.motion[0, 3:].tolist()
        sliding_plane.step_to_next_event(p, run, laws, board, mat.mats.bodies[0, :, W.HALF_THICKNESS])
        world.step_to_next_event()
    for i in range(2):
        read_motion(p, i, board)
        assert p.motion[i].tolist() == list(world.state(i)), "as pymunk says, to the bit"
    after = p.motion[:2, 3:].tolist()
    for axis in range(2):
        now = sum(m * motion[axis] for m, motion in zip(mass, after, strict=True))
        assert now == pytest.approx(mass[0] * v[axis], rel=1e-6, abs=1e-6 * mass[0])
    assert sliding_plane.sliding_energy(p, laws, board) < had


def test_winks_give_back_as_much_in_the_plane_and_in_the_height_layer() -> None:
    """The same values of the pair; the height layer's springs, in steps, give them back a little more or less."""
    params = wink_params(mat_of(("blue-3", -0.6, 0.2)), SETTINGS)
    assert (params.wink.friction, params.felt.friction) == (WINK.friction, FELT.friction)
    assert (params.wink.damping_ratio, params.felt.damping_ratio) == (
        damping_from_restitution(WINK.restitution),
        damping_from_restitution(FELT.restitution),
    )
    given_back = []
    for aside in (0.0, 5e-3, 9e-3):
        for v in (0.4, 1.2, 3.0):
            along = ((2 * SMALL) ** 2 - aside**2) ** 0.5
            scene = mat_of(("blue-3", -0.6, 0.2), ("red-3", -0.6 + along + 1e-4, 0.2 + aside))
            winks = wink_states(scene).with_motion(0, np.array([v, 0.0, 0.0]), np.zeros(3))
            flown = simulate_winks(winks, params, until=Until.REST, t_max=1.5e-3 + 1e-4 / v)
            n = np.array([along, aside]) / (2 * SMALL)
            given_back.append(float((flown.winks.v[1, :2] - flown.winks.v[0, :2]) @ n / (v * n[0])))
    assert np.mean(given_back) == pytest.approx(WINK.restitution, abs=0.03)
    assert given_back == pytest.approx([WINK.restitution] * len(given_back), abs=0.1)


def test_mirrored_slides_are_mirrored() -> None:
    ends = []
    for side in (1.0, -1.0):
        scene = mat_of(("blue-3", -0.3, 0.05 * side), ("red-3", -0.2, 0.04 * side), ("red-4", -0.16, 0.035 * side))
        motion = simulate(scene, Squidge(piece="blue-3", speed=1.8, azimuth=-0.08 * side, elevation=0.0), SETTINGS)
        ends.append({p.id: (p.x, side * p.y) for p in motion.after.pieces})
        assert sum(isinstance(event, Collision) for event in motion.events) >= 2
    for name, at in ends[0].items():
        assert ends[1][name] == pytest.approx(at, abs=1e-6)


def test_the_pots_foot_stands_fixed() -> None:
    pot = kit.pot(OPTIONS)
    scene = mat_of(("blue-3", -0.2, 0.0))
    result, _ = simulate_mat(scene, {"blue-3": (1.2, 0.0, 0.0)})
    reach = SMALL + pot_foot_radius(pot, scene.pieces[0].thickness)
    met = (1.2**2 - 2 * PULL * (0.2 - reach)) ** 0.5
    back = SETTINGS.pairings.lookup("wink", "pot").restitution * met
    assert result.winks.c[0, 0] == pytest.approx(-reach - back**2 / (2 * PULL), rel=0.01)
    assert result.winks.c[0, 1] == pytest.approx(0.0, abs=1e-6)
    oblique, _ = simulate_mat(mat_of(("blue-3", -0.2, 0.02)), {"blue-3": (1.2, 0.0, 0.0)})
    assert oblique.winks.c[0, 1] > 0.02


def test_a_coin_flicked_at_a_pot_does_not_pass_through() -> None:
    scene = mat_of(("blue-3", -0.2, 0.0))
    motion = simulate(scene, Flick(piece="blue-3", speed=2.0, azimuth=0.0), SETTINGS)
    assert motion.after.piece("blue-3").x < -pot_foot_radius(kit.pot(OPTIONS), 0.0) - SMALL
    assert [event.on for event in motion.events if isinstance(event, Landed)] == ["pot"]


@pytest.mark.parametrize("seed", range(6))
def test_what_goes_over_and_comes_back_keeps_its_momentum_and_gains_no_energy(seed: int) -> None:
    """At any moment of a slide, a hop or a rattle that counts as flat."""
    rng = np.random.default_rng(seed)
    scene = mat_of(("blue-3", -0.6, 0.2))
    motion = {"blue-3": (*rng.uniform(-1.0, 1.0, 2), rng.uniform(-200.0, 200.0))}
    mat = Mat(scene, motion, up={"blue-3": (scene.pieces[0].height, rng.uniform(0.0, 0.05))})  # and a little hop
    mat.shots.angular_momentum[0, 0, :2] = 1e-6 * rng.uniform(-5.0, 5.0, 2)  # and a rattle
    b, clock, gravity = mat.work.bodies, mat.work.run.clock, SETTINGS.gravity
    for _ in range(6):
        mat.run(rng.uniform(1e-4, 2e-2))
        x, y, vx, vy, turning = b[0, [B.CX, B.CY, B.VX, B.VY, B.LZ]].tolist()
        had, bound = system_energy(b, gravity), clock[R.MIN_ENERGY] - system_energy(b, gravity) / clock[R.MASS_UNIT]
        place_flat(b, 0, x, y, 0.0, 0.0, 0.0, clock, gravity)
        place_flat(b, 0, x, y, vx, vy, 2.0 * turning / SMALL**2, clock, gravity)
        assert (b[0, B.VX], b[0, B.VY]) == (vx, vy)
        assert b[0, B.LZ] == pytest.approx(turning, rel=1e-12)
        now = system_energy(b, gravity)
        assert now <= had * (1.0 + 1e-12)
        assert clock[R.MIN_ENERGY] - now / clock[R.MASS_UNIT] == pytest.approx(bound, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_a_slide_taken_back_at_any_moment_goes_as_far(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = mat_of(("blue-3", -0.6, 0.2), ("red-3", -0.6, -0.2))
    mat, slid = Mat(scene, {"blue-3": (0.8, 0.0, 60.0)}, up={"red-3": (1e-3, 2.5)}), set()  # one is in the air
    for _ in range(4):
        if mat.run(rng.uniform(5e-3, 0.06)):
            break
        slid.add(mat.slide(0))
    assert mat.run()
    assert len(slid) > 1, "it was taken back"
    result = mat.result()
    assert result.winks.c[0, 0] + 0.6 == pytest.approx(
        SlidingDisc(0.8, 60.0 * SMALL, SMALL, PULL, 0.0).stop_distance, rel=0.01
    )
    assert result.energy_gain < 1e-3


def test_a_glide_ends_at_a_pile_and_the_pile_is_pushed_as_what_it_is() -> None:
    scene = mat_of(("blue-3", -0.6, 0.2), ("red-3", -0.5, 0.2), ("green-3", -0.497, 0.2))
    assert scene.pieces[2].lies_on == ("red-3",)
    result, mat = simulate_mat(scene, {"blue-3": (1.5, 0.0, 0.0)})
    assert not mat.work.plane.counts[IMPACTS], "what lies under another is not the plane's"
    assert any((i.disc, i.other) == (0, 1) for i in result.contacts)
    assert result.winks.c[1, 0] > -0.5 + 1e-3
    assert result.energy_gain < 1e-3


def test_a_glide_ends_at_a_wink_that_leans_on_the_pot() -> None:
    pot, lean = kit.pot(OPTIONS), 0.8
    wink = kit.wink(OPTIONS, "red-3", (0.0, 0.0))
    low = wink.radius * sin(lean) + wink.thickness / 2.0 * cos(lean)
    apart = pot.outer_radius(low) + wink.radius * cos(lean) + wink.thickness / 2.0 * sin(lean)
    leaning = msgspec.structs.replace(wink, x=-apart, y=0.0, z=low, tilt=lean, lean=pi, support="leaning")
    scene = mat_of(("blue-3", -0.25, 0.0)).with_piece(leaning).validated()
    result, mat = simulate_mat(scene, {"blue-3": (1.5, 0.0, 0.0)})
    assert not mat.work.plane.counts[IMPACTS]
    assert any((i.disc, i.other) == (0, 1) for i in result.contacts)
    assert hypot(*(result.winks.c[1] - wink_states(scene).c[1])) > 1e-4


def test_a_glide_passes_under_what_is_high_enough() -> None:
    """A wink on the pot's rim is in nobody's way on the mat."""
    pot = kit.pot(OPTIONS)
    wink = kit.wink(OPTIONS, "red-3", (pot.top_radius, 0.0))
    rim = msgspec.structs.replace(wink, z=pot.height + wink.thickness / 2.0, support="rim")
    scene = mat_of(("blue-3", pot.top_radius + 2e-3 + SMALL, -0.1)).with_piece(rim)
    result, mat = simulate_mat(scene, {"blue-3": (0.0, 1.0, 0.0)})
    assert mat.slide(0)[1] == result.time, "it slid to rest"
    assert result.winks.c[0, 1] + 0.1 == pytest.approx(1.0 / (2 * PULL), rel=0.01)


def test_over_the_edge_it_falls_as_from_the_height_layer() -> None:
    scene = mat_of(("blue-3", 0.8, 0.2))
    edge = max(x for x, _ in scene.surface.outline)
    result, _ = simulate_mat(scene, {"blue-3": (1.5, 0.0, 0.0)}, record=1 / 120)
    assert result.status == (Status.LEFT,)
    (gone,) = result.exits
    assert (gone.x, gone.y) == pytest.approx((edge, 0.2), abs=1e-6)
    v = (1.5**2 - 2 * PULL * (edge - 0.8)) ** 0.5
    assert gone.time == pytest.approx((1.5 - v) / PULL, rel=0.01)
    motion = simulate(scene, Squidge(piece="blue-3", speed=1.5, azimuth=0.0, elevation=0.0), SETTINGS)
    (left,) = [event for event in motion.events if isinstance(event, LeftSurface)]
    assert left.velocity[0] == pytest.approx(v, rel=0.01)
    assert not motion.after.has("blue-3")


def test_sliding_and_flying_winks_share_one_clock() -> None:
    scene = mat_of(("blue-3", -0.6, 0.2), ("red-3", -0.6, -0.2))
    mat = Mat(scene, {"blue-3": (1.0, 0.0, 0.0), "red-3": (1.0, 0.0, 0.0)}, 1 / 240, {"red-3": (1e-3, 2.5)})
    assert mat.run()
    result = mat.result()
    assert result.winks.c[0, 0] + 0.6 == pytest.approx(1.0 / (2 * PULL), rel=0.01)
    high = result.track_poses[:, 1, 2] > 0.05
    slow = result.track_times < 1.0 / PULL
    assert (high & slow).sum() > 20, "one is in the air while the other glides"
    due = result.track_times - 0.5 * PULL * result.track_times**2
    np.testing.assert_allclose(result.track_poses[slow, 0, 0] + 0.6, due[slow], atol=1e-3)
    assert (np.diff(result.track_times) >= 0.0).all()


def test_what_comes_down_in_the_way_of_a_glide_is_met_in_space() -> None:
    scene = mat_of(("blue-3", -0.6, 0.2), ("red-3", -0.5, 0.2))
    mat = Mat(scene, {"blue-3": (1.0, 0.0, 0.0)}, up={"red-3": (20e-3, 0.3)})
    assert mat.run()
    result = mat.result()
    assert mat.slide(0)[0] > 0.0, "it glided at first"
    assert any((i.disc, i.other) == (0, 1) for i in result.contacts)
    assert deepest(result) < 2 * SMALL
    assert result.energy_gain < 1e-3


@pytest.mark.parametrize("seed", range(8))
def test_many_slide_at_once_and_come_to_rest_side_by_side(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [f"{colour}-{k}" for colour in ("blue", "red", "green") for k in (1, 3, 4, 5)]
    places = [(-0.5 + 0.03 * (k % 4), 0.1 + 0.03 * (k // 4)) for k in range(len(names))]
    scene = mat_of(*((name, *at) for name, at in zip(names, places, strict=True)))
    moving = {name: (*rng.uniform(-0.8, 0.8, 2), rng.uniform(-100.0, 100.0)) for name in names[::3]}
    result, mat = simulate_mat(scene, moving, record=1 / 120)
    assert all(mat.slide(names.index(name))[0] > 0.0 for name in moving)
    assert set(result.status) == {Status.FLAT}
    assert deepest(result) < 1e-6
    assert result.energy_gain < 1e-3
    assert np.isfinite(result.track_poses).all()
    jumps = np.hypot(*(np.diff(result.track_poses[:, :, :2], axis=0)).transpose(2, 0, 1)).max(axis=1)
    assert (jumps <= 1.5 * np.diff(result.track_times) + 1e-5).all(), "no wink leaps from one place to another"
    assert (mat.work.bodies[:, B.STATE] == B.ASLEEP).all()


def test_collision_events_agree_with_the_tracks() -> None:
    scene = mat_of(("blue-3", -0.6, 0.2), ("red-1", -0.5, 0.205))
    motion = simulate(scene, Squidge(piece="blue-3", speed=1.5, azimuth=0.0, elevation=0.0), SETTINGS)
    (touch,) = [event for event in motion.events if isinstance(event, Collision)]
    assert {touch.piece, touch.other} == {"blue-3", "red-1"}
    (ax, ay, _), (bx, by, _) = motion.tracks.poses_at(touch.t)
    assert hypot(bx - ax, by - ay) == pytest.approx(SMALL + LARGE, abs=1e-6)
    assert atan2(touch.normal[1], touch.normal[0]) == pytest.approx(atan2(by - ay, bx - ax), abs=1e-5)
    assert motion.after.problems() == []
    again = simulate(motion.after, Squidge(piece="blue-3", speed=0.4, azimuth=pi, elevation=0.0), SETTINGS)
    assert again.after.piece("red-1") == motion.after.piece("red-1")
