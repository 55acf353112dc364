"""Tests of squidges through `simulate`: start positions, squidger contacts, and refusals in a sentence."""

from math import pi, sqrt

import msgspec
import numpy as np
import pytest

from flicksim.core.errors import InvalidAction, InvalidInput
from flicksim.core.serialization import from_json, to_json
from flicksim.engine import Settings, simulate
from flicksim.engine.squidge_motion import follow_through_below
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.wink_placement import place_in_pot
from flicksim.scene import Scene, Squidge
from tests.engine.mats import mat

OPTIONS = Options()


@pytest.mark.parametrize(
    ("start", "says"),
    [((0.0, 0.0), "inside the pot"), ((0.024, 0.0), "pot's wall"), ((0.205, 0.0), "'red-1'"), ((2.0, 0.0), "surface")],
)
def test_a_start_where_no_wink_can_lie_is_refused(start: tuple[float, float], says: str) -> None:
    """TW-3d, TW-8l: not inside the pot, its wall or another wink, nor off the mat."""
    scene = mat(("blue-3", 0.1, 0.0), ("red-1", 0.2, 0.0))
    with pytest.raises(InvalidAction, match=says) as wrong:
        simulate(scene, Squidge(piece="blue-3", speed=1.0, azimuth=0.0, start=start))
    assert repr(start) in str(wrong.value)


def test_a_wink_taken_from_a_pile_starts_flat_on_the_mat() -> None:
    scene = mat(("red-1", 0.2, 0.0), ("blue-3", 0.21, 0.0))
    assert scene.piece("blue-3").lies_on
    motion = simulate(scene, Squidge(piece="blue-3", speed=0.5, azimuth=0.0, start=(0.1, 0.1)))
    assert motion.before.piece("blue-3").lies_on == ()
    assert motion.before.piece("blue-3").lowest == pytest.approx(0.0, abs=1e-9)


def test_heights_between_keyframes_are_as_near_as_is_said() -> None:
    """Straight lines for parabolas: 0.4 mm too low at most in flight, and less at half the interval."""
    scene, squidge = mat(("blue-3", 0.5, 0.0)), Squidge(piece="blue-3", speed=3.0, azimuth=pi, elevation=1.2)
    times = np.linspace(0.05, 0.3, 2001)
    shots = (simulate(scene, squidge, Settings(output_interval=1.0 / count)) for count in (30, 60, 10_000))
    told, closer, fine = (shot.tracks.heights_and_normals_at(times)[:, 0, 0] for shot in shots)
    low = (fine - told).max()
    assert 0.1e-3 < low < 0.4e-3
    assert (told - fine).max() < 1e-6
    assert (fine - closer).max() < 0.6 * low


def test_an_azimuth_is_at_most_one_turn() -> None:
    plain = to_json(Squidge(piece="a", speed=1.0, azimuth=2.0 * pi))
    assert from_json(plain, Squidge).azimuth == 2.0 * pi
    with pytest.raises(InvalidInput, match="within one turn"):
        from_json(plain.replace(b"6.283185307179586", b"6.9"), Squidge)


def test_a_wink_that_did_not_move_lies_on_what_it_lay_on() -> None:
    """Winks placed by geometry lie slightly higher than they settle; they still count as supported."""
    scene = mat(("red-1", 0.2, 0.0), ("blue-3", 0.203, 0.0), ("green-3", -0.4, 0.2))
    upper = scene.piece("blue-3")
    assert upper.lies_on == ("red-1",)
    scene = scene.with_piece(msgspec.structs.replace(upper, z=upper.height + 1.5e-4))
    assert scene.problems() == []
    after = simulate(scene, Squidge(piece="green-3", speed=0.8, azimuth=pi / 2)).after
    assert after.piece("blue-3") == scene.piece("blue-3")
    assert after.problems() == []


def test_of_two_that_lean_on_each_other_the_upper_one_stays_above() -> None:
    """Rims crossed beside the pot touch so that either could count as the lower one: neither lies on itself."""
    leaning = kit.wink(OPTIONS, "yellow-2", (-0.007916251, 0.031427065))
    above = kit.wink(OPTIONS, "red-2", (0.01268595, 0.03253955))
    scene = mat(("green-3", 0.4, 0.2))
    for wink, pose in (
        (leaning, {"z": 0.008801135985937417, "tilt": 0.8, "lean": 1.817555628785552, "support": "leaning"}),
        (above, {"z": 0.007366421, "tilt": 0.61281923, "lean": 0.460175901, "lies_on": ("yellow-2",)}),
    ):
        scene = scene.with_piece(msgspec.structs.replace(wink, **pose))
    after = simulate(scene, Squidge(piece="green-3", speed=0.8, azimuth=pi / 2)).after
    assert after.problems() == []
    assert after.piece("red-2").lies_on == ("yellow-2",)


def touched(scene: Scene, squidge: Squidge) -> dict[str, tuple[float, float]]:
    """Pieces that the squidger touched: from where to where, as distances from the centre of the wink played [mm]."""
    log = simulate(scene, squidge).squidger
    assert [touch.begin for touch in log] == sorted(touch.begin for touch in log)
    assert len({touch.piece for touch in log}) == len(log)
    assert all(touch.way == pytest.approx((touch.end - touch.begin) * squidge.speed) for touch in log)
    return {touch.piece: (touch.begin * squidge.speed * 1000, touch.end * squidge.speed * 1000) for touch in log}


def test_the_squidger_touches_what_it_is_drawn_over() -> None:
    """TW-9b3: each wink on its way for as long as it is over it, and none beside the way or beyond its end."""
    ahead = (("red-3", 0.34, 0.105), ("green-3", 0.32, 0.1), ("red-1", 0.36, 0.13))
    scene = mat(("blue-3", 0.3, 0.1), *ahead, ("green-4", 0.25, 0.1))
    drawn = Squidge(piece="blue-3", speed=0.8, azimuth=0.0, elevation=1.4, drag=0.03)
    found = touched(scene, drawn)
    assert list(found) == ["blue-3", "green-3", "red-3"]
    assert found["blue-3"] == pytest.approx((0.0, 7.9375))
    assert found["green-3"] == pytest.approx((20.0 - 7.9375, 20.0 + 7.9375))
    half = sqrt(7.9375**2 - 5.0**2)
    assert found["red-3"] == pytest.approx((40.0 - half, 7.9375 + 30.0))
    assert list(touched(scene, msgspec.structs.replace(drawn, drag=0.0))) == ["blue-3"]
    assert list(touched(scene, msgspec.structs.replace(drawn, azimuth=pi))) == ["blue-3"]
    assert list(touched(scene, msgspec.structs.replace(drawn, azimuth=pi, drag=0.06))) == ["blue-3", "green-4"]


@pytest.mark.parametrize(("top", "below"), [("blue-3", "green-3"), ("blue-3", "red-1"), ("red-1", "blue-3")])
def test_a_push_goes_through_as_an_impulse(top: str, below: str) -> None:
    """A wink below takes up a share of the impulse the first was given: a light one goes faster than a heavy one."""
    played, under = (kit.wink(OPTIONS, name, (0.3, 0.1)) for name in (top, below))
    squidge = Squidge(piece=top, speed=0.8, azimuth=0.5, elevation=1.2, press=0.4, drag=0.01)
    ((velocity, _),), log = follow_through_below(played, [under], squidge)
    impulse = under.mass * np.linalg.norm(velocity)
    assert impulse == pytest.approx(squidge.press * played.mass * squidge.speed)
    assert [touch.piece for touch in log] == [top, below]


def test_the_squidger_touches_what_lies_under_pushed_or_not() -> None:
    """TW-9b3: the events contain it even when no push goes into it; winks in the pot are out of its way."""
    scene = mat(("green-3", 0.305, 0.1), ("blue-3", 0.3, 0.1), ("red-3", 0.02, 0.1))
    drawn = Squidge(piece="blue-3", speed=0.8, azimuth=0.0, elevation=1.4, drag=0.01)
    for press in (0.0, 0.5):
        assert list(touched(scene, msgspec.structs.replace(drawn, press=press))) == ["blue-3", "green-3"]
    gentle = msgspec.structs.replace(drawn, drag=0.0)
    assert list(touched(scene, gentle)) == ["blue-3"]
    flown, drawn_on = (simulate(scene, one) for one in (gentle, drawn))
    assert flown.after == drawn_on.after  # without a push only the log differs
    near = mat(("blue-3", 0.035, 0.0))
    potted = place_in_pot(near, kit.wink(OPTIONS, "green-1", (0.0, 0.0)), kit.pot(OPTIONS))
    assert list(touched(potted, Squidge(piece="blue-3", speed=0.8, azimuth=pi, elevation=1.4, drag=0.05))) == ["blue-3"]
