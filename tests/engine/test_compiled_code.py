"""Compiled code gives the bits that the same gives uncompiled, and is compiled once whatever form the shots have."""

import pytest

from tests.python_process import run_code

FLIGHT = """
import numpy as np
from flicksim.engine.winks import PLAY_PARAMS, SMALL_WINK, Cup, WinkStates, launch_motion, simulate_winks
c = np.array([[0, -.12, SMALL_WINK[1]], [0.001, -.04, SMALL_WINK[1]], [0.004, -.035, 3 * SMALL_WINK[1]]])
w = WinkStates.at_rest(c, [SMALL_WINK] * 3)
v, L = launch_motion(SMALL_WINK[0], SMALL_WINK[1], w.n[0], 1.0, 0.8, 1.57, 60.0)
end = simulate_winks(w.with_motion(0, v, L), PLAY_PARAMS, Cup(), shooter=0, t_max=0.25)
print(end.winks.c.tobytes().hex(), end.winks.n.tobytes().hex(), end.steps)
"""
SLIDE = """
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.engine import simulate
from flicksim.scene import Scene, Squidge
winks = tuple(kit.wink(Options(), n, (x, .2)) for n, x in (("blue-3", -.6), ("red-3", -.58)))
scene = Scene(surface=kit.mat_surface(Options()), pieces=winks)
print(simulate(scene, Squidge(piece="blue-3", speed=.6, azimuth=.1, elevation=0.)).tracks.states.tobytes().hex())
"""
LAUNCH = """
from flicksim.core.serialization import fingerprint
from flicksim.engine import simulate
from flicksim.engine import simulate_batch
from flicksim.scene.launch import Launch
from flicksim.scene.pyramid import Pyramid, standard_shape
from flicksim.scene.pyramid_scene import PyramidScene
from flicksim.scene.samples import scattered_pyramids
there = Pyramid(id="p", size="small", shape=standard_shape("small"), x=.45, y=.15, heading=.3)
scene = PyramidScene(surface=scattered_pyramids(0).surface, pieces=(there,))
launch = Launch(piece="m", size="small", hold=(.45, .1), azimuth=1.5, speed=1.5, lift=.05)
landing, settled = simulate(scene, launch), simulate_batch(scene, launch)
print(fingerprint(landing.after), landing.events)
for t in landing.tracks:
    print(t.id, *(array.tobytes().hex() for array in (t.times, t.positions, t.orientations)))
print(settled.positions.tobytes().hex(), settled.orientations.tobytes().hex(), settled.outcome, settled.supports)
print(settled.first_contact_time)
"""
COINS = """
from tests.engine.batch.test_disc_batch import noisy
from flicksim.engine import simulate_batch
from flicksim.scene import samples
scene, flick = samples.sample("crowd")
print(simulate_batch(scene, noisy(flick, 3)).positions.tobytes().hex())
"""
SQUIDGES = """
from tests.engine.batch.test_wink_batch import shots_at_pot
from flicksim.engine import simulate_batch
found = simulate_batch(*shots_at_pot(2, 0.2))
print((found.positions.tobytes() + found.normals.tobytes() + found.duration.tobytes()).hex())
"""


@pytest.mark.parametrize(
    ("code", "part"),
    [
        pytest.param(COINS, "", id="coins in a batch"),
        pytest.param(FLIGHT, "", id="a wink", marks=pytest.mark.long),
        pytest.param(SLIDE, "", id="a wink that slides", marks=pytest.mark.long),
        pytest.param(SQUIDGES, "", id="winks in a batch", marks=pytest.mark.long),
        pytest.param(LAUNCH, "'p'", id="a launch, alone and in a batch", marks=pytest.mark.long),
    ],
)
def test_compiled_or_not_the_same_bits(code: str, part: str) -> None:
    compiled, plain = (run_code(code, NUMBA_DISABLE_JIT=off).stdout for off in ("0", "1"))
    assert compiled.strip()
    assert compiled == plain
    assert part in compiled


ONCE_COINS = """
from flicksim.engine import simulate_batch
from flicksim.engine.batch.disc_batch import simulate_shots
from flicksim.scene import samples
from tests.engine.batch.test_disc_batch import noisy
scene, flick = samples.sample("draw")
for flicks in (flick, [flick], noisy(flick, 3)):
    simulate_batch(scene, flicks, events=True)
print(len(getattr(simulate_shots, "signatures", ())) or 1)
"""
ONCE_SQUIDGES = """
from tests.engine.batch.test_wink_batch import shots_at_pot
from flicksim.engine import simulate_batch
from flicksim.engine.winks.shots import simulate_shots
scene, squidges = shots_at_pot(3, 0.3)
for scenes, made in ((scene, squidges), ([scene] * 3, squidges), (scene, squidges.squidge(0))):
    simulate_batch(scenes, made)
print(len(getattr(simulate_shots, "signatures", ())) or 1)
"""


@pytest.mark.parametrize("code", [ONCE_COINS, ONCE_SQUIDGES], ids=["coins", "winks"])
def test_a_batch_is_compiled_once_for_one_shot_and_for_many(code: str) -> None:
    assert run_code(code).stdout.strip() == "1"
