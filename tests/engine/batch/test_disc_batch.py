"""Tests of batches of coin flicks: results equal those of single simulations."""

import numpy as np
import pytest
from msgspec.structs import replace

from flicksim.core.errors import DidNotSettle, InvalidAction
from flicksim.engine import Flicks, Settings, simulate
from flicksim.engine.batch import ABSENT, AT_REST, OFF_TABLE, simulate_batch
from flicksim.scene import Flick, Scene, samples
from tests.engine.batch.random_boards import is_chaotic, max_difference, random_shot


def noisy(flick: Flick, shots: int, seed: int = 1) -> Flicks:
    rng = np.random.default_rng(seed)
    return Flicks(
        piece=flick.piece,
        speed=flick.speed * (1.0 + 0.05 * rng.standard_normal(shots)),
        azimuth=flick.azimuth + 0.03 * rng.standard_normal(shots),
        offset=np.clip(flick.offset + 0.1 * rng.standard_normal(shots), -0.9, 0.9),
        start=None if flick.start is None else np.array([flick.start]),
    )


def places(scene: Scene) -> dict[tuple[str, str], float]:
    return {(piece.id, name): getattr(piece, name) for piece in scene.pieces for name in ("x", "y", "angle")}


@pytest.mark.parametrize(
    ("name", "shots"), [("slide", 20), ("draw", 60), ("late-end", 40), ("crowd", 25), ("break-up", 4)]
)
def test_shots_of_the_sample_scenes_end_as_simulated_singly(name: str, shots: int) -> None:
    scene, flick = samples.sample(name)
    flicks = noisy(flick, shots)
    found = simulate_batch(scene, flicks, events=True)
    for shot in range(shots):
        alone = simulate(scene, flicks.flick(shot))
        assert max_difference(found, shot, alone) <= 1e-8
        assert found.duration[shot] == pytest.approx(alone.duration, abs=1e-9)
        single = found.trajectory(shot)
        assert [(type(e), e.piece) for e in single.events] == [(type(e), e.piece) for e in alone.events]
        assert [e.t for e in single.events] == pytest.approx([e.t for e in alone.events], abs=1e-9)
        assert places(single.after) == pytest.approx(places(alone.after), abs=2e-9)


def test_random_boards_agree_except_chaotic_ones() -> None:
    rng = np.random.default_rng(5)
    steady = 0
    for _ in range(40):
        scene, flick, settings = random_shot(rng)
        far = max_difference(simulate_batch(scene, flick, settings), 0, simulate(scene, flick, settings))
        assert far <= 1e-8 or is_chaotic(scene, flick, settings)
        steady += far <= 1e-8
    assert steady > 30


def test_a_scene_and_settings_a_shot_are_as_many_single_shots() -> None:
    rng = np.random.default_rng(8)
    one, flick, _ = random_shot(rng)
    scenes = [one, one.without(one.pieces[0].id), one.with_piece_at(one.pieces[1].id, one.pieces[1].position)]
    physics = [Settings(gravity=gravity) for gravity in (6.0, 9.8, 12.0)]
    found = simulate_batch(scenes, flick, physics)
    for shot in range(3):
        assert max_difference(found, shot, simulate(scenes[shot], flick, physics[shot])) <= 1e-8
    assert found.outcome[1, found.column(one.pieces[0].id)] == ABSENT


def test_results_besides_positions() -> None:
    scene, flick = samples.sample("draw")
    found = simulate_batch(scene, [flick, replace(flick, speed=3.0), replace(flick, azimuth=0.0)])
    a, white = found.column("a"), found.column("white")
    assert tuple(found.first_contact[0]) == (min(a, white), max(a, white))
    assert tuple(found.first_contact[2]) == (-1, -1)  # off the side before it met anything
    assert found.outcome[2, a] == OFF_TABLE
    assert found.outcome[2, white] == AT_REST
    assert not found.moved[2, white]
    assert found.crossed[0, a].sum() == sum(type(e).__name__ == "LineCrossed" for e in simulate(scene, flick).events)
    assert found.after(0).pieces == simulate(scene, flick).after.pieces


# -- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flicks", "says"),
    [
        (Flicks(piece="a", speed=np.ones(3), azimuth=np.ones(2)), "do not match in length"),
        (Flicks(piece="a", speed=np.ones(2), azimuth=np.ones(2), offset=np.array([0.0, 2.0])), "shot 1: offset"),
        (Flicks(piece="a", speed=np.ones(1), azimuth=np.ones(1), start=np.ones((1, 3))), r"\[shots, 2\]"),
        (Flicks(piece="a", speed=np.ones(1), azimuth=np.ones(1), start=np.array([[9.0, 9.0]])), "off the surface"),
        (Flicks(piece="a", speed=np.ones(1), azimuth=np.ones(1), start=np.array([[0.15, 0.58]])), "overlaps another"),
    ],
)
def test_invalid_flicks_are_refused(flicks: Flicks, says: str) -> None:
    with pytest.raises(InvalidAction, match=says):
        simulate_batch(samples.sample("draw")[0], flicks)


def test_shots_that_do_not_settle_are_refused() -> None:
    scene, flick = samples.sample("break-up")
    with pytest.raises(DidNotSettle, match=r"within max_impacts 1 it did not come to rest$"):
        simulate_batch(scene, flick, Settings(max_impacts=1))
    with pytest.raises(DidNotSettle, match=r"within max_time 0\.1 s it did not come to rest$"):
        simulate_batch(scene, flick, Settings(max_time=0.1))


def test_results_are_a_table_of_shots() -> None:
    scene, flick = samples.sample("draw")
    settled = simulate_batch(scene, noisy(flick, 5))
    table = settled.table()
    assert table["error"].tolist() == [""] * 5
    for column, piece in enumerate(settled.ids):
        assert table[f"{piece}_outcome"].tolist() == [
            {AT_REST: "at rest", OFF_TABLE: "off the table"}[int(f)] for f in settled.outcome[:, column]
        ]
        assert table[f"{piece}_angle"].tolist() == settled.positions[:, column, 2].tolist()
    assert "<td>at rest</td>" in settled._repr_html_()
