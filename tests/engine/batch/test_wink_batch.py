"""Tests of batches of squidges: results equal those of single simulations."""

import math
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from flicksim.core.errors import FlicksimError, InvalidAction, InvalidInput
from flicksim.engine import Settings, Squidges, WinkBatchResult, simulate, simulate_batch
from flicksim.engine.batch import ABSENT, NOT_FOLLOWED, OFF_TABLE, SUPPORTS
from flicksim.engine.winks import FELT, POT, shots
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.scene import Collision, Landed, LineCrossed, Scene, Squidge, Trajectory
from flicksim.scene.ballistics import launch_speed_to_reach
from flicksim.scene.wink_stacking import place_piece

OPTIONS = Options()
MAT = kit.mat_surface(OPTIONS)
OWN = "blue-3"


def single_wink_scene(x: float, y: float, name: str = OWN) -> Scene:
    return Scene(surface=MAT, pieces=(kit.wink(OPTIONS, name, (x, y)),))


def shots_at_pot(shots: int, far: float, seed: int = 1) -> tuple[Scene, Squidges]:
    rng, scene = np.random.default_rng(seed), single_wink_scene(far, 0.0)
    speed = launch_speed_to_reach(scene.pieces[0], far, MAT.pot.height, 0.873, 60.0)  # type: ignore[union-attr]
    return scene, Squidges(
        piece=OWN,
        speed=speed * (1.0 + 0.02 * rng.standard_normal(shots)),
        azimuth=math.pi + 0.03 * rng.standard_normal(shots),
        elevation=0.873 + 0.035 * rng.standard_normal(shots),
        tumble=60.0 + 20.0 * rng.standard_normal(shots),
    )


def wild_shots(shots: int, seed: int = 2) -> tuple[list[Scene], Squidges]:
    """Squidges from anywhere in any direction: over the edge, onto the rim, against the wall, rolling off."""
    rng = np.random.default_rng(seed)
    scenes = []
    while len(scenes) < shots:
        x, y = rng.uniform(-0.85, 0.85), rng.uniform(-0.42, 0.42)
        if math.hypot(x, y) > 0.05:
            scenes.append(single_wink_scene(x, y, "blue-1" if rng.random() < 0.3 else OWN))
    return scenes, Squidges(
        piece=[scene.pieces[0].id for scene in scenes],
        speed=rng.uniform(0.05, 5.0, shots),
        azimuth=rng.uniform(-3.1, 3.1, shots),
        elevation=rng.uniform(0.0, 1.55, shots),
        tumble=rng.uniform(-150.0, 200.0, shots),
    )


def shots_among_winks(shots: int, seed: int = 3) -> tuple[Scene, Squidges]:
    """Squidges at winks nearby, some in piles."""
    rng, pieces = np.random.default_rng(seed), []
    for k, name in enumerate(kit.WINKS[:9]):
        far, way = 0.09 + 0.011 * k, 2.4 * k
        at = (pieces[-1].x + 0.009, pieces[-1].y) if k % 4 == 3 else (far * math.cos(way), far * math.sin(way))
        pieces.append(place_piece(pieces, kit.wink(OPTIONS, name), at))
    scene = Scene(surface=MAT, pieces=tuple(pieces))
    return scene, Squidges(
        piece=[pieces[k % 9].id for k in range(shots)],
        speed=rng.uniform(0.3, 1.6, shots),
        azimuth=rng.uniform(-3.1, 3.1, shots),
        elevation=rng.uniform(0.3, 1.2, shots),
        tumble=rng.uniform(0.0, 80.0, shots),
    )


def motion(scene: Scene, squidge: Squidge) -> Trajectory | str:
    try:
        return simulate(scene, squidge)
    except FlicksimError as wrong:
        return str(wrong)


def check(found: WinkBatchResult, shot: int, scene: Scene) -> None:
    """Check that a shot equals its single simulation, to the last bit."""
    squidge = found.flicks.squidge(shot)
    single = motion(scene, squidge)
    if isinstance(single, str):
        assert found.error[shot] == single
        return
    assert found.after(shot) == single.after
    assert found.duration[shot] == single.duration
    k = found.column(squidge.piece)
    rests = single.after.piece(squidge.piece) if single.after.has(squidge.piece) else None
    assert found.potted[shot] == (rests is not None and rests.support in ("pot", "rim"))
    assert (found.outcome[shot, k] == OFF_TABLE) == (rests is None)
    if rests is not None:
        assert found.positions[shot, k].tolist() == [rests.x, rests.y, rests.height]
    landed = [e for e in single.events if isinstance(e, Landed) and e.piece == squidge.piece]
    assert np.isnan(found.landing_point[shot, 0]) == (not landed)
    if landed:
        assert tuple(found.landing_point[shot].tolist()) == landed[0].point
    for piece in scene.pieces if single.before.pieces == scene.pieces else ():
        n, after = found.column(piece.id), single.after.piece(piece.id) if single.after.has(piece.id) else None
        assert (found.outcome[shot, n] == OFF_TABLE) == (after is None)
        if after is not None:
            assert found.positions[shot, n].tolist() == [after.x, after.y, after.height]
            assert found.moved[shot, n] == (after != piece)
            assert SUPPORTS[found.support[shot, n]] == after.support
            assert {found.ids[lower] for lower in np.flatnonzero(found.lies_on[shot, n])} == set(after.lies_on)
    for n, line in enumerate(found.lines):
        crossed = sum(isinstance(e, LineCrossed) and e.line == line and e.piece == squidge.piece for e in single.events)
        assert found.crossed[shot, k, n] == crossed
    met = {frozenset((e.piece, e.other)) for e in single.events if isinstance(e, Collision)}
    there = {frozenset((found.ids[a], found.ids[b])) for a, b in np.argwhere(found.collided[shot]).tolist()}
    assert there == met


@pytest.mark.parametrize(("far", "shots"), [(0.1, 30), (0.457, 60), (0.9, 40)])
def test_pots_and_misses_equal_single_simulations(far: float, shots: int) -> None:
    scene, squidges = shots_at_pot(shots, far)
    found = simulate_batch(scene, squidges)
    for shot in range(shots):
        check(found, shot, scene)
    assert found.disturbed.mean() < 0.1


def test_wild_shots_equal_single_simulations() -> None:
    scenes, squidges = wild_shots(150)
    found = simulate_batch(scenes, squidges)
    for shot, scene in enumerate(scenes):
        check(found, shot, scene)
    assert found.disturbed.mean() < 0.1
    assert (found.outcome == OFF_TABLE).sum() > 30
    assert (found.outcome == ABSENT).any()
    assert found.crossed.sum() > 10


def test_shots_among_others_equal_single_simulations() -> None:
    scene, squidges = shots_among_winks(36)
    found = simulate_batch(scene, squidges)
    for shot in range(36):
        check(found, shot, scene)
    assert 0.0 < found.disturbed.mean() < 1.0
    assert found.collided.any()


def test_winks_that_the_squidger_pushes_equal_single_simulations() -> None:
    scene, squidges = shots_among_winks(27, seed=5)
    squidges = replace(squidges, press=0.6, drag=0.02)
    found = simulate_batch(scene, squidges)
    for shot in range(27):
        check(found, shot, scene)
    assert found.moved.sum(axis=1).max() > 1


def test_the_order_of_the_winks_in_other_scenes_does_not_show() -> None:
    """Columns are those of the first scene; each mat keeps its own order."""
    scene, squidges = shots_among_winks(6, seed=7)
    mixed = msgspec.structs.replace(scene, pieces=scene.pieces[::-1])
    fewer = msgspec.structs.replace(scene, pieces=scene.pieces[:1])
    scenes = [scene, mixed, scene, mixed, mixed, fewer]
    squidges = replace(squidges, piece=[scene.pieces[0].id] * 6)
    found = simulate_batch(scenes, squidges)
    for shot, one in enumerate(scenes):
        check(found, shot, one)


def test_a_shot_with_more_keyframes_than_room_is_simulated_again(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, squidges = shots_among_winks(4)
    due, motions = simulate_batch(scene, squidges), [simulate(scene, squidges.squidge(shot)) for shot in range(4)]
    monkeypatch.setattr(shots, "KEYFRAME_ROWS", 7)
    found = simulate_batch(scene, squidges)
    for name in ("positions", "normals", "duration", "crossed", "collided", "lies_on"):
        assert getattr(found, name).tobytes() == getattr(due, name).tobytes()
    assert [simulate(scene, squidges.squidge(shot)) for shot in range(4)] == motions


def test_the_verdict_is_that_at_rest() -> None:
    for scene, squidges in (shots_at_pot(120, 0.457), shots_at_pot(40, 0.1), shots_among_winks(9)):
        rest, verdict = simulate_batch(scene, squidges), simulate_batch(scene, squidges, until="decided")
        assert (rest.potted == verdict.potted).all()
    early = simulate_batch(*shots_at_pot(4, 0.457), until="decided")
    assert (early.outcome == NOT_FOLLOWED).all()
    assert np.isnan(early.positions).all()
    with pytest.raises(InvalidInput, match="no further than was asked"):
        early.after(0)


def test_a_potted_wink_may_be_followed_no_further_and_all_else_to_rest() -> None:
    scene, squidges = shots_at_pot(120, 0.457)
    rest, found = simulate_batch(scene, squidges), simulate_batch(scene, squidges, until="potted")
    assert (rest.potted == found.potted).all()
    followed = found.outcome[:, 0] != NOT_FOLLOWED
    assert 0 < followed.sum() < 120
    assert found.potted[~followed].all()
    assert np.array_equal(rest.positions[followed], found.positions[followed], equal_nan=True)
    assert np.isnan(found.positions[~followed]).all()
    assert (found.duration[~followed] < rest.duration[~followed] - 0.02).all()


def test_coarse_steps_come_to_the_same_as_often() -> None:
    """The bots' search uses them: pots within four standard errors, and as far off."""
    scene, shots = shots_at_pot(400, 0.6)
    fine, coarse = (simulate_batch(scene, shots, Settings(step_factor=by), on_error="mark") for by in (1.0, 3.0))
    assert (coarse.error != "").mean() < 0.01
    assert 0.2 < fine.potted.mean() < 0.8
    assert coarse.potted.mean() == pytest.approx(fine.potted.mean(), abs=4.0 * math.sqrt(0.5 / 400))
    assert (coarse.potted != fine.potted).any(), "they are coarse indeed"
    ways = [np.sort(np.nan_to_num(np.hypot(*one.positions[:, 0, :2].T), nan=9.0)) for one in (fine, coarse)]
    at = np.concatenate(ways)
    first, second = (np.searchsorted(way, at, side="right") / len(way) for way in ways)
    assert np.abs(first - second).max() < 1.63 * math.sqrt(2.0 / 400), "Kolmogorov and Smirnov's limit of one in 100"


def test_what_moves_away_from_the_pot_is_missed_as_soon_as_it_comes_down() -> None:
    shot = Squidge(piece=OWN, speed=1.5, azimuth=0.3, elevation=0.8, tumble=40.0)
    landed = next(e for e in simulate(single_wink_scene(0.2, 0.0), shot).events if isinstance(e, Landed))
    verdict = simulate_batch(single_wink_scene(0.2, 0.0), [shot], until="decided")
    assert not verdict.potted[0]
    assert verdict.duration[0] == pytest.approx(landed.t, abs=3e-3)


def test_what_was_touched_first() -> None:
    scene, squidges = shots_at_pot(30, 0.457)
    found = simulate_batch(scene, squidges)
    assert set(found.first_contact[:, 1].tolist()) == {FELT, POT}
    for shot in range(30):
        first = next(e for e in simulate(scene, squidges.squidge(shot)).events if isinstance(e, Landed))
        assert found.first_contact[shot, 1] == (POT if first.on == "pot" else FELT)


def test_a_mat_and_settings_a_shot_are_as_many_single_shots() -> None:
    scenes = [single_wink_scene(0.3, 0.1), single_wink_scene(0.4, -0.1), single_wink_scene(0.3, 0.1, "blue-1")]
    squidge = Squidge(piece=OWN, speed=1.7, azimuth=3.2, elevation=0.9, tumble=40.0)
    physics = [Settings(drag_coefficient=drag) for drag in (0.0, 1.0, 2.0)]
    found = simulate_batch(scenes[:2], [squidge, squidge], physics[:2])
    for shot in range(2):
        assert found.after(shot) == simulate(scenes[shot], squidge, physics[shot]).after
    marked = simulate_batch(scenes, [squidge] * 3, physics, on_error="mark")
    assert marked.error.tolist()[:2] == ["", ""]
    assert "no piece 'blue-3'" in marked.error[2]


def test_a_wink_put_down_first() -> None:
    squidge = Squidge(piece=OWN, speed=1.2, azimuth=3.0, elevation=0.9, start=(0.2, 0.1))
    found = simulate_batch(single_wink_scene(0.5, 0.3), [squidge])
    assert found.after(0) == simulate(single_wink_scene(0.5, 0.3), squidge).after


# -- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"speed": np.ones(3), "azimuth": np.ones(2)}, "do not match in length"),
        ({"elevation": 2.0}, "shot 0: elevation 2.0 rad must lie in"),
        ({"tumble": np.array([0.0, 1e9])}, "shot 1: tumble 1000000000.0 rad/s must lie in"),
        ({"press": 2.0}, "press 2.0 must lie in"),
        ({"drag": np.nan}, "drag nan m must lie in"),
        ({"squidger": 1.0}, "squidger 1.0 m wide must be"),
        ({"start": np.ones((1, 3))}, r"\[shots, 2\]"),
        ({"start": np.array([[9.0, 9.0]])}, "off the surface"),
        ({"start": np.array([[0.0, 0.02]])}, "overlaps another|cannot be|pot"),
        ({"piece": "nobody"}, "no piece 'nobody'"),
    ],
)
def test_invalid_squidges_are_refused(wrong: dict[str, object], says: str) -> None:
    given = {"piece": OWN, "speed": np.ones(1), "azimuth": np.ones(1), **wrong}
    with pytest.raises(InvalidAction, match=says):
        simulate_batch(single_wink_scene(0.3, 0.0), Squidges(**given))  # type: ignore[arg-type]


def test_results_are_a_table_of_shots() -> None:
    scene, flicks = shots_at_pot(6, 0.3)
    settled = simulate_batch(scene, flicks)
    table = settled.table()
    assert len(table) == 6
    assert table.units[f"{OWN}_x"] == "m"
    assert table["shot"].tolist() == list(range(6))
    assert table[f"{OWN}_z"].tolist() == settled.positions[:, 0, 2].tolist()
    potted = [label in ("in the pot", "on the rim") for label in table[f"{OWN}_outcome"]]
    assert potted == settled.potted.tolist() == table["potted"].astype(bool).tolist()
    failing = replace(flicks, speed=np.array([99.0, *flicks.speed[1:]]))  # type: ignore[index]
    assert np.isnan(simulate_batch(scene, failing, on_error="mark").table()["potted"]).tolist() == [True] + [False] * 5
    assert "<table>" in settled._repr_html_()
