"""Tests of batches of launches: results equal those of single simulations."""

import msgspec
import numpy as np
import pytest

from flicksim.core.errors import InvalidAction
from flicksim.core.geometry import rectangle
from flicksim.engine import simulate, simulate_batch
from flicksim.engine.batch import launch_batch
from flicksim.engine.batch.shot_columns import Launches
from flicksim.scene import PyramidCollision, PyramidLeftSurface, samples
from flicksim.scene.launch import Launch
from flicksim.scene.pyramid import SIZES, Pyramid, standard_shape
from flicksim.scene.surface import Surface
from tests.engine.pyramids.pyramid_scenes import stacked

SMALL_TABLE = msgspec.structs.replace(
    samples.scattered_pyramids(12), surface=Surface(material="wood", outline=rectangle(0.7, 0.62, 0.1, 0.1))
)

HUNG = msgspec.structs.replace(
    SMALL_TABLE,
    pieces=(Pyramid(id="t", size="large", shape=standard_shape("large"), x=0.46, y=0.12, z=0.01),),
)
"""Table with a piece in the air."""


def launches(count: int) -> list[Launch]:
    """Launches over the whole range of speed and slant, one of them too weak to fly."""
    rng = np.random.default_rng(5)
    made = [
        Launch(
            piece="missile", size=SIZES[k % 3], hold=(0.45, 0.12), azimuth=float(rng.uniform(1.0, 2.1)),
            speed=float(rng.uniform(2.0, 4.5)), height=float(rng.uniform(0.0, 0.008)),
            slant=float(rng.uniform(0.9, 1.3)), askew=float(rng.normal(0.0, 0.03)), lift=float(rng.uniform(0.06, 0.2)),
        )
        for k in range(count)
    ]  # fmt: skip
    return [msgspec.structs.replace(made[0], speed=0.2), *made[1:]]


def summary(settled: launch_batch.LaunchBatchResult, row: int) -> dict[str, tuple[float, ...]]:
    """Rest positions of all pieces in one row of a batch."""
    at = np.concatenate([settled.positions[row], settled.orientations[row]], axis=1).tolist()
    return {
        name: tuple(at[c])
        for c, name in enumerate(settled.ids)
        if settled.outcome[row, c] in (launch_batch.UPRIGHT, launch_batch.ON_SIDE, launch_batch.LEANING)
    }


def test_each_launch_equals_its_single_simulation_bit_for_bit() -> None:
    made = launches(60)
    settled = simulate_batch(SMALL_TABLE, made)
    assert settled.ids == (*(piece.id for piece in SMALL_TABLE.pieces), "missile")
    seen = set()
    for row, launch in enumerate(made):
        landing = simulate(SMALL_TABLE, launch)
        after = {p.id: (p.x, p.y, p.z, p.tilt, p.heading, p.roll) for p in landing.after.pieces}
        assert summary(settled, row) == after
        assert settled.first_contact_time[row] == landing.first_contact_time
        assert settled.duration[row] == landing.duration
        fell = {event.piece: event.point for event in landing.events if isinstance(event, PyramidLeftSurface)}
        for column, name in enumerate(settled.ids):
            outcome = int(settled.outcome[row, column])
            seen.add(outcome)
            assert (outcome == launch_batch.FELL) == (name in fell)
            if name in fell:
                assert tuple(settled.positions[row, column, :2]) == fell[name]
                assert np.isnan(settled.orientations[row, column]).all()
            elif name in after:
                piece = landing.after.piece(name)
                assert (outcome == launch_batch.UPRIGHT) == piece.is_upright
                assert (outcome == launch_batch.ON_SIDE) == piece.is_on_side
        bears = {
            (settled.ids[c], settled.ids[on], stands) for s, c, on, stands in settled.supports.tolist() if s == row
        }
        assert bears == {
            (p.id, name, int(name in p.stands_on))
            for p in landing.after.pieces
            if landing.track(p.id) is not None
            for name in p.rests_on
        }
        moved = {settled.ids[c] for c in np.flatnonzero(settled.moved[row])}
        assert moved == {track.id for track in landing.tracks if row} - {"launcher"}
        hit = next(
            (e for e in landing.events if isinstance(e, PyramidCollision) and "missile" in (e.piece, e.on)), None
        )
        if hit is None:
            assert settled.first_contact[row] == launch_batch.ON_NOTHING
        else:
            other = hit.on if hit.piece == "missile" else hit.piece
            assert settled.first_contact[row] == (
                launch_batch.ON_TABLE if other == "surface" else settled.column(other)
            )
    assert seen >= {launch_batch.UPRIGHT, launch_batch.ON_SIDE, launch_batch.FELL, launch_batch.NOT_RELEASED}
    assert settled.outcome[0, -1] == launch_batch.NOT_RELEASED


def test_each_launch_may_have_its_own_table() -> None:
    made = launches(3)[1:]
    bare = msgspec.structs.replace(SMALL_TABLE, pieces=SMALL_TABLE.pieces[:1])
    settled = simulate_batch([SMALL_TABLE, bare], made)
    assert (settled.outcome[1, 1:-1] == launch_batch.ABSENT).all()
    for row, scene in enumerate((SMALL_TABLE, bare)):
        after = simulate(scene, made[row]).after
        assert summary(settled, row) == {p.id: (p.x, p.y, p.z, p.tilt, p.heading, p.roll) for p in after.pieces}


def test_what_does_not_go_together_is_said_in_a_sentence() -> None:
    made = launches(2)[1]
    with pytest.raises(InvalidAction, match="speed must have 4 rows, or one for all"):
        Launches(
            piece="m", size="small", hold=np.zeros((4, 2)), azimuth=np.zeros(1), speed=np.ones(2), height=np.zeros(4)
        ).row_count()
    with pytest.raises(InvalidAction, match=r"launch 0: 'p0' lies on the table; a missile to launch is in the hand"):
        simulate_batch(SMALL_TABLE, msgspec.structs.replace(made, piece="p0"))
    with pytest.raises(InvalidAction, match="the launcher cannot be held 50 mm over"):
        simulate_batch(stacked("large", "large"), msgspec.structs.replace(made, lift=0.05, hold=(0.44, 0.45)))


def test_a_launcher_is_not_held_where_no_hand_reaches() -> None:
    table, launch = samples.launch_sample()
    far = msgspec.structs.replace(launch, hold=(5.0, 0.075))
    with pytest.raises(
        InvalidAction, match=r"\(5000, 75\) mm: that is 4100 mm beyond the table's edge; hold it within 500"
    ):
        simulate(table, far)
    assert "beyond the table's edge" in simulate_batch(table, far, on_error="mark").error[0]


def test_results_are_a_table_of_launches() -> None:
    settled = simulate_batch(SMALL_TABLE, launches(4))
    table = settled.table()
    assert table["missile_outcome"][0] == "kept on the launcher"
    words = {
        launch_batch.UPRIGHT: "standing",
        launch_batch.ON_SIDE: "on its side",
        launch_batch.LEANING: "leaning",
        launch_batch.FELL: "fell",
        launch_batch.NOT_RELEASED: "kept on the launcher",
    }
    assert table["missile_outcome"].tolist() == [words[int(outcome)] for outcome in settled.outcome[:, -1]]
    assert table.units["missile_tilt"] == "rad"
