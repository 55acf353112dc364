"""Tests of the hybrid simulation: flat winks slide in the planar world, and states are handed over both ways."""

from __future__ import annotations

import os
import subprocess
import sys
from math import atan2, cos, hypot, pi, sin

import msgspec
import numpy as np
import pytest

from flicksim.engine import Settings, simulate
from flicksim.engine.friction import SlidingDisc
from flicksim.engine.hybrid_simulation import HybridSimulation, SlidingPlane
from flicksim.engine.planar_world import pot_foot_radius
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.squidge import cup_geometry, wink_params, wink_states
from flicksim.engine.winks import Status, Until, WinkResult, WinkSimulation, damping_from_restitution, simulate_winks
from flicksim.engine.winks import bodies as W
from flicksim.engine.winks.bodies import system_energy
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.scene import Flick, Scene, Squidge
from flicksim.scene.trajectory import Collision, Landed, LeftSurface
from flicksim.scene.wink_stacking import place_piece

OPTIONS = Options()
SETTINGS = Settings(drag_coefficient=0.0)
FELT = SETTINGS.pairings.lookup("wink", "felt")
WINK = SETTINGS.pairings.lookup("wink", "wink")
PULL = FELT.friction * SETTINGS.gravity
SMALL, LARGE = 7.9375e-3, 11.1125e-3

Motions = dict[str, tuple[float, float, float]]
"""Velocity and spin given to winks [m/s, m/s, rad/s]."""


def mat_of(*winks: tuple[str, float, float], options: Options = OPTIONS) -> Scene:
    scene = Scene(surface=kit.mat_surface(options), pieces=())
    for name, x, y in winks:
        scene = scene.with_piece(place_piece(scene.pieces, kit.wink(options, name, (x, y)), (x, y)))
    return scene


def wink_simulation_of(
    scene: Scene, motions: Motions, record: float | None = None, up: dict[str, tuple[float, float]] | None = None
) -> WinkSimulation:
    """Simulation of a scene's winks, some of them sliding or in the air, at a height and vertical velocity [m, m/s]."""
    winks = wink_states(scene)
    for name, (vx, vy, spin) in motions.items():
        i = next(i for i, p in enumerate(scene.pieces) if p.id == name)
        winks = winks.with_motion(
            i, np.array([vx, vy, 0.0]), np.array([0.0, 0.0, 0.5 * scene.pieces[i].radius ** 2 * spin])
        )
    at = {p.id: i for i, p in enumerate(scene.pieces)}
    for name, (z, vz) in (up or {}).items():
        winks.c[at[name], 2], winks.v[at[name], 2] = z, vz
    return WinkSimulation(
        winks, wink_params(scene, SETTINGS), cup_geometry(scene.surface.pot), outline=np.array(scene.surface.outline),
        stacked=[(at[p.id], at[lower]) for p in scene.pieces for lower in p.lies_on], keyframe_interval=record,
    )  # fmt: skip


def simulate_mat(scene: Scene, motions: Motions, record: float | None = None) -> tuple[WinkResult, HybridSimulation]:
    mat = HybridSimulation(scene, wink_simulation_of(scene, motions, record), SETTINGS)
    assert mat.run(6.0)
    return mat.result(), mat


def energy(flight: WinkSimulation) -> float:
    return float(system_energy(flight.bodies, flight.params.gravity))


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
        plane = mat._plane
        assert plane is not None
        _, _, run = plane.finished_segments[-1]
        _, _, late, rim = run.slide.state_at(run.slide.stop_time * (1.0 - 1e-5))
        assert late / abs(rim) == pytest.approx(0.653, rel=0.02)


def test_most_of_a_slide_is_planar() -> None:
    _, mat = simulate_mat(mat_of(("blue-3", -0.6, 0.2)), {"blue-3": (1.0, 0.0, 0.0)})
    plane = mat._plane
    assert plane is not None
    ((wink, end, run),) = plane.finished_segments
    assert (wink, run.start_time) == (0, pytest.approx(5e-3, abs=2e-4))
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
    plane = SlidingPlane(scene, SETTINGS)
    plane.set_resting({1: scene.pieces[1].position}, {})
    plane.add_sliding({0: (-0.6, 0.2, 1.5, 0.0, 30.0)})
    plane.update_collision_times()
    mass = [p.mass for p in scene.pieces]
    while len(plane.sliding) < 2:
        had = plane.energy()
        plane.time = plane.next_event_time  # what it has just before
        v, *_ = (plane.state(0)[3:],)
        plane.step_to_next_event()
    after = [plane.state(i)[3:] for i in range(2)]
    for axis in range(2):
        now = sum(m * motion[axis] for m, motion in zip(mass, after, strict=True))
        assert now == pytest.approx(mass[0] * v[axis], rel=1e-6, abs=1e-6 * mass[0])
    assert plane.energy() < had


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
            flight = wink_simulation_of(scene, {"blue-3": (v, 0.0, 0.0)})
            flown = simulate_winks(flight.winks, flight.params, until=Until.REST, t_max=1.5e-3 + 1e-4 / v)
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
    flight = wink_simulation_of(scene, {"blue-3": (*rng.uniform(-1.0, 1.0, 2), rng.uniform(-200.0, 200.0))})
    b = flight.bodies
    b[0, 5] = rng.uniform(0.0, 0.05)  # a little hop
    b[0, B.LZ - 2 : B.LZ] = 1e-6 * rng.uniform(-5.0, 5.0, 2)  # and a rattle
    for _ in range(6):
        flight.run_until(flight.time + rng.uniform(1e-4, 2e-2))
        x, y, vx, vy, spin = flight.planar_motion(0)
        had, turning = energy(flight), b[0, B.LZ]
        assert (vx, vy) == tuple(b[0, B.VX : B.VY + 1])
        flight.set_sliding(0, x, y, (x, y))
        assert b[0, B.STATE] == W.SLIDING
        flight.set_awake(0, x, y, (vx, vy), spin)
        assert b[0, B.STATE] == B.AWAKE
        assert (b[0, B.VX], b[0, B.VY]) == (vx, vy)
        assert b[0, B.LZ] == pytest.approx(turning, rel=1e-12)
        assert energy(flight) <= had * (1.0 + 1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_a_slide_taken_back_at_any_moment_goes_as_far(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = mat_of(("blue-3", -0.6, 0.2))
    mat = HybridSimulation(scene, wink_simulation_of(scene, {"blue-3": (0.8, 0.0, 60.0)}), SETTINGS)
    for _ in range(4):
        if mat.run(rng.uniform(5e-3, 0.06)):
            break
        plane = mat._plane
        for i in plane.sliding if plane is not None else []:
            plane.time = mat.simulation.time
            mat._resume_flight(i, plane.remove(i))
    assert mat.run(6.0)
    result = mat.result()
    assert result.winks.c[0, 0] + 0.6 == pytest.approx(
        SlidingDisc(0.8, 60.0 * SMALL, SMALL, PULL, 0.0).stop_distance, rel=0.01
    )
    assert result.energy_gain < 1e-3


def test_a_glide_ends_at_a_pile_and_the_pile_is_pushed_as_what_it_is() -> None:
    scene = mat_of(("blue-3", -0.6, 0.2), ("red-3", -0.5, 0.2), ("green-3", -0.497, 0.2))
    assert scene.pieces[2].lies_on == ("red-3",)
    result, mat = simulate_mat(scene, {"blue-3": (1.5, 0.0, 0.0)})
    plane = mat._plane
    assert plane is not None
    assert not plane.impact_count, "what lies under another is not the plane's"
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
    plane = mat._plane
    assert plane is not None
    assert not plane.impact_count
    assert any((i.disc, i.other) == (0, 1) for i in result.contacts)
    assert hypot(*(result.winks.c[1] - wink_states(scene).c[1])) > 1e-4


def test_a_glide_passes_under_what_is_high_enough() -> None:
    """A wink on the pot's rim is in nobody's way on the mat."""
    pot = kit.pot(OPTIONS)
    wink = kit.wink(OPTIONS, "red-3", (pot.top_radius, 0.0))
    rim = msgspec.structs.replace(wink, z=pot.height + wink.thickness / 2.0, support="rim")
    scene = mat_of(("blue-3", pot.top_radius + 2e-3 + SMALL, -0.1)).with_piece(rim)
    result, mat = simulate_mat(scene, {"blue-3": (0.0, 1.0, 0.0)})
    plane = mat._plane
    assert plane is not None
    assert len(plane.finished_segments) == 1
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
    flight = wink_simulation_of(
        scene, {"blue-3": (1.0, 0.0, 0.0), "red-3": (1.0, 0.0, 0.0)}, 1 / 240, {"red-3": (1e-3, 2.5)}
    )
    mat = HybridSimulation(scene, flight, SETTINGS)
    assert mat.run(6.0)
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
    flight = wink_simulation_of(
        scene, {"blue-3": (1.0, 0.0, 0.0), "red-3": (0.0, 0.0, 0.0)}, up={"red-3": (20e-3, 0.3)}
    )
    mat = HybridSimulation(scene, flight, SETTINGS)
    assert mat.run(6.0)
    result, plane = mat.result(), mat._plane
    assert plane is not None
    assert plane.finished_segments, "it glided at first"
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
    assert mat._plane is not None
    assert set(result.status) == {Status.FLAT}
    assert deepest(result) < 1e-6
    assert result.energy_gain < 1e-3
    assert np.isfinite(result.track_poses).all()
    jumps = np.hypot(*(np.diff(result.track_poses[:, :, :2], axis=0)).transpose(2, 0, 1)).max(axis=1)
    assert (jumps <= 1.5 * np.diff(result.track_times) + 1e-5).all(), "no wink leaps from one place to another"
    assert (mat.simulation.bodies[:, B.STATE] == B.ASLEEP).all()


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


_SAME = """
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.engine import simulate
from flicksim.scene import Scene, Squidge
winks = tuple(kit.wink(Options(), n, (x, .2)) for n, x in (("blue-3", -.6), ("red-3", -.58)))
scene = Scene(surface=kit.mat_surface(Options()), pieces=winks)
print(simulate(scene, Squidge(piece="blue-3", speed=.6, azimuth=.1, elevation=0.)).tracks.states.tobytes().hex())
"""


@pytest.mark.long
def test_compiled_or_not_the_same_bits() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", _SAME],
            env={**os.environ, "NUMBA_DISABLE_JIT": off}, capture_output=True, text=True, check=True,
        ).stdout
        for off in ("0", "1")
    ]  # fmt: skip
    assert runs[0] == runs[1]
    assert runs[0].strip()
