"""Winks by the hundred end as `settle` ends each of them."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import msgspec
import numpy as np
import pytest

from flicksim.base.errors import BadFlick, BadInput, BadScene, FlicksimError
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.physics import Settings, SettledMats, Squidges, settle, settle_many
from flicksim.physics.batch import ABSENT, GONE, UNTOLD, mats
from flicksim.physics.flight import FELT, POT
from flicksim.table import Crossed, Landed, Motion, Scene, Squidge, Touched, samples
from flicksim.table.ballistics import speed_to
from flicksim.table.pile import lay

OPTIONS = Options()
MAT = kit.mat(OPTIONS)
OWN = "blue-3"


def alone(x: float, y: float, name: str = OWN) -> Scene:
    return Scene(surface=MAT, pieces=(kit.wink(OPTIONS, name, (x, y)),))


def at_the_pot(shots: int, far: float, seed: int = 1) -> tuple[Scene, Squidges]:
    rng, scene = np.random.default_rng(seed), alone(far, 0.0)
    speed = speed_to(scene.pieces[0], far, MAT.pot.height, 0.873, 60.0)  # type: ignore[union-attr]
    return scene, Squidges(
        piece=OWN,
        speed=speed * (1.0 + 0.02 * rng.standard_normal(shots)),
        azimuth=math.pi + 0.03 * rng.standard_normal(shots),
        elevation=0.873 + 0.035 * rng.standard_normal(shots),
        tumble=60.0 + 20.0 * rng.standard_normal(shots),
    )


def wild(shots: int, seed: int = 2) -> tuple[list[Scene], Squidges]:
    """From anywhere, any way: over the edge, on to the rim, against the wall, rolling off."""
    rng = np.random.default_rng(seed)
    scenes = []
    while len(scenes) < shots:
        x, y = rng.uniform(-0.85, 0.85), rng.uniform(-0.42, 0.42)
        if math.hypot(x, y) > 0.05:
            scenes.append(alone(x, y, "blue-1" if rng.random() < 0.3 else OWN))
    return scenes, Squidges(
        piece=[scene.pieces[0].id for scene in scenes],
        speed=rng.uniform(0.05, 5.0, shots),
        azimuth=rng.uniform(-3.1, 3.1, shots),
        elevation=rng.uniform(0.0, 1.55, shots),
        tumble=rng.uniform(-150.0, 200.0, shots),
    )


def among(shots: int, seed: int = 3) -> tuple[Scene, Squidges]:
    """At winks near by, some in piles."""
    rng, pieces = np.random.default_rng(seed), []
    for k, name in enumerate(kit.WINKS[:9]):
        far, way = 0.09 + 0.011 * k, 2.4 * k
        at = (pieces[-1].x + 0.009, pieces[-1].y) if k % 4 == 3 else (far * math.cos(way), far * math.sin(way))
        pieces.append(lay(pieces, kit.wink(OPTIONS, name), at))
    scene = Scene(surface=MAT, pieces=tuple(pieces))
    return scene, Squidges(
        piece=[pieces[k % 9].id for k in range(shots)],
        speed=rng.uniform(0.3, 1.6, shots),
        azimuth=rng.uniform(-3.1, 3.1, shots),
        elevation=rng.uniform(0.3, 1.2, shots),
        tumble=rng.uniform(0.0, 80.0, shots),
    )


def motion(scene: Scene, squidge: Squidge) -> Motion | str:
    try:
        return settle(scene, squidge)
    except FlicksimError as wrong:
        return str(wrong)


def check(found: SettledMats, shot: int, scene: Scene) -> None:
    """See that a shot came out as `settle` has it, to the bit as it is kept."""
    squidge = found.flicks.row(shot)
    told = motion(scene, squidge)
    if isinstance(told, str):
        assert found.failed[shot] == told
        return
    assert found.after(shot) == told.after
    assert found.duration[shot] == pytest.approx(told.duration, abs=1e-9)
    k = found.column(squidge.piece)
    rests = told.after.piece(squidge.piece) if told.after.has(squidge.piece) else None
    assert found.potted[shot] == (rests is not None and rests.support in ("pot", "rim"))
    assert (found.fate[shot, k] == GONE) == (rests is None)
    if rests is not None:
        assert found.places[shot, k] == pytest.approx((rests.x, rests.y, rests.height), abs=1e-9)
    landed = [e for e in told.events if isinstance(e, Landed) and e.piece == squidge.piece]
    assert np.isnan(found.landing[shot, 0]) == (not landed)
    if landed:
        assert found.landing[shot] == pytest.approx(landed[0].point, abs=1e-9)
    for n, line in enumerate(found.lines):
        crossed = sum(isinstance(e, Crossed) and e.line == line and e.piece == squidge.piece for e in told.events)
        assert found.crossed[shot, k, n] == crossed
    met = {frozenset((e.piece, e.other)) for e in told.events if isinstance(e, Touched)}
    there = {frozenset((found.ids[a], found.ids[b])) for a, b in np.argwhere(found.met[shot]).tolist()}
    assert there == met


@pytest.mark.parametrize(("far", "shots"), [(0.1, 30), (0.457, 60), (0.9, 40)])
def test_pots_and_misses_are_those_of_settle(far: float, shots: int) -> None:
    scene, squidges = at_the_pot(shots, far)
    found = settle_many(scene, squidges)
    for shot in range(shots):
        check(found, shot, scene)
    assert found.by_itself.mean() < 0.1


def test_wild_shots_are_those_of_settle() -> None:
    scenes, squidges = wild(150)
    found = settle_many(scenes, squidges)
    for shot, scene in enumerate(scenes):
        check(found, shot, scene)
    assert found.by_itself.mean() < 0.1
    assert (found.fate == GONE).sum() > 30
    assert (found.fate == ABSENT).any()
    assert found.crossed.sum() > 10


def test_shots_among_others_are_those_of_settle() -> None:
    scene, squidges = among(36)
    found = settle_many(scene, squidges)
    for shot in range(36):
        check(found, shot, scene)
    assert 0.0 < found.by_itself.mean() < 1.0
    assert found.met.any()


def test_the_verdict_is_that_at_rest() -> None:
    for scene, squidges in (at_the_pot(120, 0.457), at_the_pot(40, 0.1), among(9)):
        rest, verdict = settle_many(scene, squidges), settle_many(scene, squidges, until="verdict")
        assert (rest.potted == verdict.potted).all()
    early = settle_many(*at_the_pot(4, 0.457), until="verdict")
    assert (early.fate == UNTOLD).all()
    assert np.isnan(early.places).all()
    with pytest.raises(BadInput, match="no further than was asked"):
        early.after(0)


def test_a_potted_wink_may_be_followed_no_further_and_all_else_to_rest() -> None:
    scene, squidges = at_the_pot(120, 0.457)
    rest, found = settle_many(scene, squidges), settle_many(scene, squidges, until="potted")
    assert (rest.potted == found.potted).all()
    told = found.fate[:, 0] != UNTOLD
    assert 0 < told.sum() < 120
    assert found.potted[~told].all()
    assert np.array_equal(rest.places[told], found.places[told], equal_nan=True)
    assert np.isnan(found.places[~told]).all()
    assert (found.duration[~told] < rest.duration[~told] - 0.02).all()


def test_coarse_steps_come_to_the_same_as_often() -> None:
    """Thoughts go by them: pots within four standard errors, and as far off."""
    scene, shots = at_the_pot(400, 0.6)
    fine, coarse = (settle_many(scene, shots, Settings(coarse=by), failed="mark") for by in (1.0, 3.0))
    assert (coarse.failed != "").mean() < 0.01
    assert 0.2 < fine.potted.mean() < 0.8
    assert coarse.potted.mean() == pytest.approx(fine.potted.mean(), abs=4.0 * math.sqrt(0.5 / 400))
    assert (coarse.potted != fine.potted).any(), "they are coarse indeed"
    ways = [np.sort(np.nan_to_num(np.hypot(*one.places[:, 0, :2].T), nan=9.0)) for one in (fine, coarse)]
    at = np.concatenate(ways)
    first, second = (np.searchsorted(way, at, side="right") / len(way) for way in ways)
    assert np.abs(first - second).max() < 1.63 * math.sqrt(2.0 / 400), "Kolmogorov and Smirnov's limit of one in 100"


def test_what_moves_away_from_the_pot_is_missed_as_soon_as_it_comes_down() -> None:
    shot = Squidge(piece=OWN, speed=1.5, azimuth=0.3, elevation=0.8, tumble=40.0)
    landed = next(e for e in settle(alone(0.2, 0.0), shot).events if isinstance(e, Landed))
    verdict = settle_many(alone(0.2, 0.0), [shot], until="verdict")
    assert not verdict.potted[0]
    assert verdict.duration[0] == pytest.approx(landed.t, abs=3e-3)


def test_what_was_touched_first() -> None:
    scene, squidges = at_the_pot(30, 0.457)
    found = settle_many(scene, squidges)
    assert set(found.first[:, 1].tolist()) == {FELT, POT}
    for shot in range(30):
        first = next(e for e in settle(scene, squidges.row(shot)).events if isinstance(e, Landed))
        assert found.first[shot, 1] == (POT if first.on == "pot" else FELT)


def test_threads_and_chunks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, squidges = at_the_pot(20, 0.3)
    one = settle_many(scene, squidges)
    monkeypatch.setattr(mats, "CHUNK", 3)
    several = settle_many(scene, squidges, threads=3)
    for name in ("places", "normals", "fate", "duration", "landing", "crossed", "first"):
        assert getattr(one, name).tobytes() == getattr(several, name).tobytes()


def test_a_mat_and_settings_a_shot_are_as_many_single_shots() -> None:
    scenes = [alone(0.3, 0.1), alone(0.4, -0.1), alone(0.3, 0.1, "blue-1")]
    squidge = Squidge(piece=OWN, speed=1.7, azimuth=3.2, elevation=0.9, tumble=40.0)
    physics = [Settings(drag=drag) for drag in (0.0, 1.0, 2.0)]
    found = settle_many(scenes[:2], [squidge, squidge], physics[:2])
    for shot in range(2):
        assert found.after(shot) == settle(scenes[shot], squidge, physics[shot]).after
    marked = settle_many(scenes, [squidge] * 3, physics, failed="mark")
    assert marked.failed.tolist()[:2] == ["", ""]
    assert "no piece 'blue-3'" in marked.failed[2]


def test_a_wink_put_down_first() -> None:
    squidge = Squidge(piece=OWN, speed=1.2, azimuth=3.0, elevation=0.9, start=(0.2, 0.1))
    found = settle_many(alone(0.5, 0.3), [squidge])
    assert found.after(0) == settle(alone(0.5, 0.3), squidge).after


PLAIN = """
from tests.physics.batch.test_mats import at_the_pot
from flicksim.physics import settle_many
found = settle_many(*at_the_pot(2, 0.2))
print((found.places.tobytes() + found.normals.tobytes() + found.duration.tobytes()).hex())
"""


def test_the_same_bits_without_a_compiler() -> None:
    plain = subprocess.run(
        [sys.executable, "-c", PLAIN], env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    found = settle_many(*at_the_pot(2, 0.2))
    assert plain.stdout.strip() == (found.places.tobytes() + found.normals.tobytes() + found.duration.tobytes()).hex()


# -- bad input --------------------------------------------------------------------------------------------------------


ONCE = """
from tests.physics.batch.test_mats import at_the_pot
from flicksim.physics import settle_many
from flicksim.physics.batch.lone import shoot
scene, squidges = at_the_pot(3, 0.3)
for scenes, made in ((scene, squidges), ([scene] * 3, squidges), (scene, squidges.row(0))):
    settle_many(scenes, made)
print(len(getattr(shoot, "signatures", ())) or 1)
"""


def test_it_is_compiled_once_for_one_squidge_and_for_many() -> None:
    told = subprocess.run([sys.executable, "-c", ONCE], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "1"


def test_the_first_bad_row_and_their_number_are_named() -> None:
    scene, _ = at_the_pot(1, 0.3)
    squidges = Squidges(piece=OWN, speed=np.array([1.0, np.nan, 1.0, 30.0]), azimuth=np.array([3.0]))
    with pytest.raises(BadFlick, match=r"shot 1: speed must be .* \(2 of 4 shots cannot be\)"):
        settle_many(scene, squidges)
    found = settle_many(scene, squidges, failed="mark")
    assert [bool(why) for why in found.failed] == [False, True, False, True]
    assert np.isnan(found.places[1]).all()
    assert found.after(2) == settle(scene, Squidge(piece=OWN, speed=1.0, azimuth=3.0)).after
    with pytest.raises(BadInput, match="shot 1 failed"):
        found.after(1)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"speed": np.ones(3), "azimuth": np.ones(2)}, "do not match in length"),
        ({"elevation": 2.0}, "shot 0: elevation must lie in"),
        ({"tumble": np.array([0.0, 1e9])}, "shot 1: tumble must lie in"),
        ({"press": 2.0}, "press must lie in"),
        ({"drag": np.nan}, "drag must lie in"),
        ({"squidger": 1.0}, "squidger must be"),
        ({"start": np.ones((1, 3))}, r"\[shots, 2\]"),
        ({"start": np.array([[9.0, 9.0]])}, "off the surface"),
        ({"start": np.array([[0.0, 0.02]])}, "overlaps another|cannot be|pot"),
        ({"piece": "nobody"}, "no piece 'nobody'"),
    ],
)
def test_squidges_that_cannot_be_are_told(wrong: dict[str, object], says: str) -> None:
    given = {"piece": OWN, "speed": np.ones(1), "azimuth": np.ones(1), **wrong}
    with pytest.raises(BadFlick, match=says):
        settle_many(alone(0.3, 0.0), Squidges(**given))  # type: ignore[arg-type]


def test_mats_that_cannot_be_are_told() -> None:
    squidge = Squidge(piece=OWN, speed=1.0, azimuth=3.0)
    with pytest.raises(BadScene, match="scene 1: 'blue-3'"):
        settle_many([alone(0.3, 0.0), alone(5.0, 0.0)], squidge)
    assert settle_many([alone(0.3, 0.0), alone(5.0, 0.0)], squidge, failed="mark").failed[1]
    with pytest.raises(BadScene, match="another surface"):
        settle_many([alone(0.3, 0.0), samples.sample("slide")[0]], squidge)
    with pytest.raises(BadInput, match="2 scenes, 1 settings, 3 flicks do not go together"):
        settle_many([alone(0.3, 0.0)] * 2, [squidge] * 3)
    with pytest.raises(BadInput, match="only flicks of coins keep events"):
        settle_many(alone(0.3, 0.0), squidge, events=True)  # type: ignore[call-overload]
    with pytest.raises(BadInput, match="for squidges"):
        settle_many(*samples.sample("draw"), until="verdict")  # type: ignore[call-overload]


def test_what_is_asked_wrongly_is_told_before_anything_moves() -> None:
    scene, flick = samples.sample("draw")
    table, launch = samples.launch()
    for wrong, says in (
        (lambda: settle_many(scene, flick, failed="maybe"), "'maybe'"),  # type: ignore[call-overload]
        (lambda: settle_many(scene, flick, threads=0), "threads 0"),
        (lambda: settle_many(scene, flick, until="verdict"), "'verdict'"),  # type: ignore[call-overload]
        (lambda: settle_many(scene, launch), "launches are made"),  # type: ignore[call-overload]
        (lambda: settle_many(table, flick), "flicks are made on a Scene"),  # type: ignore[call-overload]
        (lambda: settle_many(scene, flick, places=np.full((1, 2, 3), np.nan)), "nan"),
    ):
        with pytest.raises(BadInput, match=says):
            wrong()


def test_a_shot_that_failed_leaves_nothing_at_rest() -> None:
    scene, flick = samples.sample("draw")
    wrong = msgspec.structs.replace(flick, piece="nobody")
    settled = settle_many(scene, [flick, wrong], failed="mark")
    assert settled.fate[0].tolist() == [0, 0]
    assert settled.fate[1].tolist() == [-1, -1]


def test_a_squidge_that_failed_leaves_nothing_at_rest() -> None:
    scene, columns = at_the_pot(2, 0.3)
    squidges = [columns.row(0), columns.row(1)]
    wrong = msgspec.structs.replace(squidges[1], piece="nobody")
    settled = settle_many(scene, [squidges[0], wrong], failed="mark")
    assert (settled.fate[0] != ABSENT).any()
    assert (settled.fate[1] == ABSENT).all()


def test_results_are_a_table_of_shots() -> None:
    scene, flicks = at_the_pot(6, 0.3)
    settled = settle_many(scene, flicks)
    table = settled.table()
    assert len(table) == 6
    assert table.units[f"{OWN}_x"] == "m"
    assert table["shot"].tolist() == list(range(6))
    assert table[f"{OWN}_z"].tolist() == settled.places[:, 0, 2].tolist()
    potted = [fate in ("in the pot", "on the rim") for fate in table[f"{OWN}_fate"]]
    assert potted == settled.potted.tolist()
    assert "<table>" in settled._repr_html_()
