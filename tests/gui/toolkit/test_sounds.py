"""Sounds: by material and impact speed, once, at the chosen volume."""

from dataclasses import replace

import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from flicksim.gui.table_view import GestureNoise, event_sounds
from flicksim.gui.toolkit import Preferences
from flicksim.gui.toolkit.sounds import SAMPLE_RATE, WAVES, Sounds, with_reverb
from flicksim.scene import Collision
from flicksim.scene.samples import sample

from ..conftest import penny_white_match
from ..tiddlywinks_helpers import at_position, winks_match

Floats = npt.NDArray[np.float64]


def _level(name: str) -> Floats:
    """RMS level of a sound with reverberation in windows of 10 ms."""
    wave = with_reverb(WAVES[name]())
    return np.sqrt(np.convolve(wave**2, np.ones(SAMPLE_RATE // 100) / (SAMPLE_RATE // 100), "same"))


def _lasts(name: str) -> float:
    """Time after which the level stays below a tenth of its maximum [s]."""
    level = _level(name)
    return float(np.flatnonzero(level > 0.1 * level.max())[-1]) / SAMPLE_RATE


@pytest.mark.parametrize("name", list(WAVES))
def test_sounds_are_short_and_with_reverb_do_not_clip_and_have_similar_levels(name: str) -> None:
    wave = WAVES[name]()
    assert 0.02 < len(wave) / SAMPLE_RATE < 1.0
    assert 0.03 < float(np.abs(wave).max()) <= 1.0
    assert abs(float(wave[-1])) < 0.05  # no crack at the end
    wave = with_reverb(WAVES[name]())
    assert float(np.abs(wave).max()) < 0.99
    assert abs(float(wave.mean())) < 0.01  # about the middle, so that nothing thumps as it begins or ends
    assert float(np.abs(wave[-SAMPLE_RATE // 200 :]).max()) < 0.05 * float(np.abs(wave).max())  # it dies away
    loudest = {other: float(_level(other).max()) for other in WAVES}
    assert 0.15 < loudest[name] / float(np.median(list(loudest.values()))) < 4.0


def test_a_pot_rings_longer_than_a_tap() -> None:
    assert _lasts("ring") > 4.0 * max(_lasts(tap) for tap in ("click", "knock", "snap"))
    assert _lasts("rattle") > 2.0 * _lasts("knock")
    assert _lasts("clap") > _lasts("squop")


def test_glass_and_metal_are_bright_felt_and_falls_are_dull() -> None:
    def pitch(name: str) -> float:
        """Spectral centroid [Hz]."""
        wave = WAVES[name]()
        strength = np.abs(np.fft.rfft(wave)) ** 2
        return float((np.fft.rfftfreq(wave.size, 1.0 / SAMPLE_RATE) * strength).sum() / strength.sum())

    assert pitch("click") > pitch("tinkle") > pitch("ring") > pitch("tile") > pitch("fall")
    assert pitch("knock") < pitch("squop")


def test_coin_sounds_follow_the_collision_and_its_speed() -> None:
    loud, motion = [], penny_white_match("random", "random").simulator.simulate(*sample("draw"))
    first = next(event for event in motion.events if isinstance(event, Collision))
    for speed in (0.1, 0.4, 0.9, 1.4):
        met = replace(motion, events=(msgspec.structs.replace(first, t=0.01, speed=speed),))
        loud.append(dict(event_sounds(met, 0.0, 0.02))["click"])
    assert loud == sorted(set(loud))
    assert 0.0 < loud[0] < 0.3 < 0.8 < loud[-1] <= 1.0
    whole = dict(event_sounds(motion, 0.0, motion.duration + 1.0))
    assert {"snap", "slide", "click"} <= set(whole)
    assert all(0.0 < loud <= 1.0 for loud in whole.values())
    assert "click" not in dict(event_sounds(motion, 0.0, first.t - 1e-6))
    assert "click" in dict(event_sounds(motion, first.t - 1e-6, first.t))
    assert not event_sounds(motion, motion.duration + 0.5, motion.duration + 1.0)


def test_a_potted_wink_rattles_and_one_on_another_squops() -> None:
    from flicksim.gui.game_views.tiddlywinks.camera_view import WinkView
    from flicksim.gui.game_views.tiddlywinks.squidge_controller import SquidgeController

    match = at_position(winks_match(), (("blue-3", 150, 0), ("green-1", -300, 100)))
    shooter = SquidgeController(match, WinkView(match.game.seat_names, match.state.scene.surface), GestureNoise())
    shooter.refresh()
    assert shooter.aim_at_pot()
    motion = match.play(shooter.aim.shot).result
    names = dict(event_sounds(motion, 0.0, motion.duration + 1.0))
    assert "rattle" in names
    assert "squop" not in names


def test_mute_and_volume_apply_without_a_device() -> None:
    preferences = Preferences(volume=0.5)
    sounds = Sounds(preferences)
    sounds.play("click")
    assert sounds.played == ["click"]
    sounds.play("click", 0.01)
    assert sounds.played == ["click"]
    preferences.muted = True
    sounds.play("click")
    assert sounds.played == ["click"]
    sounds.close()
