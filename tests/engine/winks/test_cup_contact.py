"""Tests of contact with the pot: a wink does not penetrate its wall at any speed, nor hang on its rim."""

from math import hypot, pi

import msgspec
import numpy as np
import pytest

from flicksim.engine import simulate
from flicksim.engine.wink_scenes import cup_geometry
from flicksim.engine.winks.narrowphase_cup import wall_signed_distance
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.wink_placement import spot_touching_pot
from flicksim.scene import Scene, Squidge
from tests.engine.mats import mat

OPTIONS = Options()
POT = kit.pot(OPTIONS)


def against_pot() -> Scene:
    """One wink that touches the pot's foot, and not by a rounding error only."""
    wink = kit.wink(OPTIONS, "red-6", (0.1, 0.0))
    x, y = spot_touching_pot(wink, POT, (1.0, 0.0))
    return Scene(surface=kit.mat_surface(OPTIONS), pieces=(msgspec.structs.replace(wink, x=x - 1e-9, y=y),))


@pytest.mark.parametrize("speed", [14.0, 16.0, 18.0, 20.0])
@pytest.mark.parametrize("aside", [-0.3, 0.0, 0.3])
def test_a_wink_that_lies_against_the_pot_bounces_off_its_wall(speed: float, aside: float) -> None:
    """In one first step of the usual length it was half through the wall, and some came to rest in it."""
    shot = Squidge(piece="red-6", speed=speed, azimuth=pi + aside, elevation=0.195, tumble=2.0)
    motion = simulate(against_pot(), shot)
    nearest = np.hypot(motion.tracks.states[:, 0, 0], motion.tracks.states[:, 0, 1])
    assert np.nanmin(nearest) > POT.outer_radius(0.0) + motion.before.pieces[0].radius - 0.4e-3


def test_a_wide_wink_tumbled_fast_against_a_low_pot_comes_to_rest() -> None:
    """Turned through the thin wall in the first step it stood astride of it, pushed both ways for ever."""
    pot = msgspec.structs.replace(
        POT, height=0.01774443297667399, top_radius=0.019261265174715443, base_radius=0.015156157358016975,
        wall=0.0006355292490959645,
    )  # fmt: skip
    wink = msgspec.structs.replace(
        kit.wink(OPTIONS, "green-1", (0.026735289, 0.017599175)), radius=0.016538495572914598,
        thickness=0.001354083054109348, mass=0.0015045693679095376,
    )  # fmt: skip
    scene = Scene(surface=msgspec.structs.replace(kit.mat_surface(OPTIONS), pot=pot), pieces=(wink,))
    shot = Squidge(
        piece="green-1", speed=3.913875081306971, azimuth=-1.2574570781955445, elevation=1.006924095614664,
        tumble=-1354.712977891365,
    )  # fmt: skip
    assert simulate(scene, shot).duration < 3.0


@pytest.mark.parametrize(
    ("wall", "speed", "elevation", "aside"),
    [(0.3e-3, 6.0, 0.1, 0.1), (0.3e-3, 6.0, 0.2, 0.075), (0.6e-3, 15.0, 0.1, 0.0)],
)
def test_a_fast_wink_does_not_stick_in_a_thin_wall(wall: float, speed: float, elevation: float, aside: float) -> None:
    """A spring of the usual stiffness lets it deeper than half of the wall, where both sides hold it for ever."""
    surface = msgspec.structs.replace(kit.mat_surface(OPTIONS), pot=msgspec.structs.replace(POT, wall=wall))
    scene = Scene(surface=surface, pieces=(kit.wink(OPTIONS, "red-6", (0.2, 0.0)),))
    shot = Squidge(piece="red-6", speed=speed, azimuth=pi + aside, elevation=elevation, tumble=-20.0)
    for wink in simulate(scene, shot).after.pieces:  # none if it left the mat
        assert wink.z is None
        assert np.hypot(wink.x, wink.y) > POT.outer_radius(0.0) + wink.radius


_CLIP = Squidge(
    piece="red-1", speed=1.4294918156025005, azimuth=2.9166495557926155, elevation=1.2098047682162634,
    tumble=-67.99118830338955, squidger=0.0381,
)  # fmt: skip
"""Comes down flat on the far side of the rim's outer edge."""


@pytest.mark.parametrize("harder", [0.994, 0.997, 1.0, 1.003, 1.006])
def test_a_wink_that_clips_the_rim_from_outside_comes_down(harder: float) -> None:
    """One of them once hung there, a fifth of a millimetre beyond the wall: its circles touched, its side did not."""
    scene = mat(("red-1", 0.147740552, -0.032813964))
    motion = simulate(scene, msgspec.structs.replace(_CLIP, speed=harder * _CLIP.speed))
    assert not motion.after.problems()
    for piece in motion.after.pieces:
        assert piece.support in ("surface", "leaning") or hypot(piece.x, piece.y) < POT.top_radius


def test_the_foot_of_the_wall_pushes_outwards_only() -> None:
    """Were the wall to end on the felt, its lower end would push down a wink that is pressed against its foot."""
    cup = cup_geometry(POT)
    distance, outward, upward = wall_signed_distance(POT.outer_radius(0.0) - 0.1e-3, 0.02e-3, cup.to_array())
    assert distance == pytest.approx(-0.1e-3)
    assert (outward, upward) == pytest.approx((1.0, 0.0))
