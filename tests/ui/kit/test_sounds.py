"""Sounds: by what met what and how hard, once, and as loud as the player likes."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from flicksim.table import Touched
from flicksim.table.samples import sample
from flicksim.ui.kit.preferences import Preferences
from flicksim.ui.kit.sounds import RATE, WAVES, Sounds, in_a_room
from flicksim.ui.table.listening import heard

from ..at_winks import at_position, winks_match
from ..conftest import match_of

Floats = npt.NDArray[np.float64]


@pytest.mark.parametrize("name", list(WAVES))
def test_sounds_are_short_and_within_bounds(name: str) -> None:
    wave = WAVES[name]()
    assert 0.02 < len(wave) / RATE < 1.0
    assert 0.03 < float(np.abs(wave).max()) <= 1.0
    assert abs(float(wave[-1])) < 0.05  # no crack at the end


def _level(name: str) -> Floats:
    """Loudness of a sound as it is heard, in its room, from moment to moment: the root mean square of 10 ms."""
    wave = in_a_room(WAVES[name]())
    return np.sqrt(np.convolve(wave**2, np.ones(RATE // 100) / (RATE // 100), "same"))


def _lasts(name: str) -> float:
    """Time until a sound has fallen for good to a tenth of its loudest [s]."""
    level = _level(name)
    return float(np.flatnonzero(level > 0.1 * level.max())[-1]) / RATE


@pytest.mark.parametrize("name", list(WAVES))
def test_sounds_in_their_room_do_not_clip_and_none_is_lost_or_shouts(name: str) -> None:
    wave = in_a_room(WAVES[name]())
    assert float(np.abs(wave).max()) < 0.99
    assert abs(float(wave.mean())) < 0.01  # about the middle, so that nothing thumps as it begins or ends
    assert float(np.abs(wave[-RATE // 200 :]).max()) < 0.05 * float(np.abs(wave).max())  # it dies away
    loudest = {other: float(_level(other).max()) for other in WAVES}
    assert 0.15 < loudest[name] / float(np.median(list(loudest.values()))) < 4.0


def test_a_pot_rings_on_where_a_tap_is_over_at_once() -> None:
    assert _lasts("ring") > 4.0 * max(_lasts(tap) for tap in ("click", "knock", "snap"))
    assert _lasts("rattle") > 2.0 * _lasts("knock")
    assert _lasts("clap") > _lasts("squop")


def test_glass_and_metal_are_bright_felt_and_falls_are_dull() -> None:
    def pitch(name: str) -> float:
        """The middle of what is in it [Hz], by strength."""
        wave = WAVES[name]()
        strength = np.abs(np.fft.rfft(wave)) ** 2
        return float((np.fft.rfftfreq(wave.size, 1.0 / RATE) * strength).sum() / strength.sum())

    assert pitch("click") > pitch("tinkle") > pitch("ring") > pitch("tile") > pitch("fall")
    assert pitch("knock") < pitch("squop")


def test_the_harder_two_meet_the_louder_it_is() -> None:
    loud, motion = [], match_of("random", "random").stage.settle(*sample("draw"))
    first = next(event for event in motion.events if isinstance(event, Touched))
    for speed in (0.1, 0.4, 0.9, 1.4):
        met = replace(motion, events=(msgspec.structs.replace(first, t=0.01, speed=speed),))
        loud.append(dict(heard(met, 0.0, 0.02))["click"])
    assert loud == sorted(set(loud))
    assert 0.0 < loud[0] < 0.3 < 0.8 < loud[-1] <= 1.0


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
