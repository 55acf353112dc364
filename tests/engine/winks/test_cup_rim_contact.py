"""Tests of contact between the pot's rim and the side of a wink: a wink just outside the pot does not stay up."""

from math import hypot

import msgspec
import pytest

from flicksim.engine import simulate
from flicksim.games import load
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.scene import Scene, Squidge

_CLIP = Squidge(
    piece="red-1",
    speed=1.4294918156025005,
    azimuth=2.9166495557926155,
    elevation=1.2098047682162634,
    tumble=-67.99118830338955,
    squidger=0.0381,
)
"""Comes down flat on the far side of the rim's outer edge."""


@pytest.mark.parametrize("harder", [0.994, 0.997, 1.0, 1.003, 1.006])
def test_a_wink_that_clips_the_rim_from_outside_comes_down(harder: float) -> None:
    """One of them once hung there, a fifth of a millimetre beyond the wall: its circles touched, its side did not."""
    options = load("tiddlywinks").options()
    wink = kit.wink(options, "red-1", (0.147740552, -0.032813964))
    scene = Scene(surface=kit.mat_surface(options), pieces=(wink,))
    motion = simulate(scene, msgspec.structs.replace(_CLIP, speed=harder * _CLIP.speed))
    assert not motion.after.problems()
    for piece in motion.after.pieces:
        assert piece.support in ("surface", "leaning") or hypot(piece.x, piece.y) < 0.0238125
