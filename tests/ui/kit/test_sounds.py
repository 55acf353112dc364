"""Sounds: by what met what and how hard, once, and as loud as the player likes."""

from __future__ import annotations

import numpy as np
import pytest

from flicksim.table.samples import sample
from flicksim.ui.kit.preferences import Preferences
from flicksim.ui.kit.sounds import RATE, WAVES, Sounds
from flicksim.ui.table.listening import heard

from ..at_winks import at_position, winks_match
from ..conftest import match_of


@pytest.mark.parametrize("name", list(WAVES))
def test_sounds_are_short_and_within_bounds(name: str) -> None:
    wave = WAVES[name]()
    assert 0.02 < len(wave) / RATE < 1.0
    assert 0.03 < float(np.abs(wave).max()) <= 1.0
    assert abs(float(wave[-1])) < 0.05  # no crack at the end


def test_a_coin_snaps_slides_and_clicks_as_hard_as_it_meets() -> None:
    motion = match_of("random", "random").stage.settle(*sample("draw"))
    whole = dict(heard(motion, 0.0, motion.duration + 1.0))
    assert {"snap", "slide", "click"} <= set(whole)
    assert all(0.0 < loud <= 1.0 for loud in whole.values())
    met = next(event for event in motion.events if type(event).__name__ == "Touched")
    assert "click" not in dict(heard(motion, 0.0, met.t - 1e-6))
    assert "click" in dict(heard(motion, met.t - 1e-6, met.t))
    assert not heard(motion, motion.duration + 0.5, motion.duration + 1.0)


def test_a_potted_wink_rattles_and_one_on_another_squops() -> None:
    from flicksim.ui.faces.tiddlywinks.shooter import WinkShooter
    from flicksim.ui.faces.tiddlywinks.view import WinkView

    match = at_position(winks_match(), (("blue-3", 150, 0), ("green-1", -300, 100)))
    shooter = WinkShooter(match, WinkView(match.game.seat_names, match.state.scene.surface))
    shooter.renew()
    assert shooter.at_pot()
    assert shooter.aim is not None
    motion = match.play(shooter.aim.squidge).account
    names = dict(heard(motion, 0.0, motion.duration + 1.0))
    assert "rattle" in names
    assert "squop" not in names


def test_quiet_and_volume_are_minded_and_no_device_is_needed() -> None:
    preferences = Preferences(volume=0.5)
    sounds = Sounds(preferences)
    sounds.play("click")
    assert sounds.played == ["click"]
    sounds.play("click", 0.01)
    assert sounds.played == ["click"]
    preferences.quiet = True
    sounds.play("click")
    assert sounds.played == ["click"]
    sounds.close()
