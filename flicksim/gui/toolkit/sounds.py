"""Synthesized sounds from sines and noise: click, felt, pot, card, token.

Silent without a device. The device is opened and the waves are synthesized on a background thread.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import numpy as np
import numpy.typing as npt
import pygame

from flicksim.gui.toolkit.preferences import Preferences
from flicksim.match import BackgroundTask

SAMPLE_RATE = 44100
Wave = npt.NDArray[np.float64]
SoundCue = tuple[str, float]
"""Name of a sound and its volume, 0 to 1."""
_MIN_VOLUME = 0.02
_SIMULTANEOUS, _DUCKING = 80, 0.6
"""Interval within which sounds count as simultaneous [ms], and volume factor of those after the first."""


def _time_axis(seconds: float) -> Wave:
    return np.arange(int(SAMPLE_RATE * seconds)) / SAMPLE_RATE


def _noise(size: int, seed: int, smooth: int) -> Wave:
    """White noise, smoothed over a number of samples."""
    raw = np.random.default_rng(seed).standard_normal(size)
    return np.convolve(raw, np.ones(smooth) / smooth, "same")


def _burst(seconds: float, amplitude: float, seed: int, smooth: int, decay: float) -> Wave:
    """Noise (see `_noise`) that dies away at a decay rate [1/s]."""
    t = _time_axis(seconds)
    return np.asarray(amplitude * _noise(t.size, seed, smooth) * np.exp(-t * decay))


def _ringing(t: Wave, partials: Sequence[tuple[float, float, float]], pitch: float = 1.0) -> Wave:
    """Sum of partials at times [s]: frequency [Hz], amplitude and decay rate [1/s]."""
    waves = (size * np.sin(2.0 * np.pi * rate * pitch * t) * np.exp(-t * decay) for rate, size, decay in partials)
    return np.asarray(sum(waves))


def _partials(seconds: float, partials: Sequence[tuple[float, float, float]]) -> Wave:
    """Sum of partials (see `_ringing`) of that length."""
    return _ringing(_time_axis(seconds), partials)


def _delayed(wave: Wave, delay: float) -> Wave:
    """Wave that begins later [s], cut to its length."""
    late, samples = np.zeros_like(wave), int(delay * SAMPLE_RATE)
    late[samples:] = wave[: wave.size - samples]
    return late


def _glass_tinkle() -> Wave:
    """Glass rings in partials that are no whole multiples; the token strikes, bounces twice and lies still."""
    t = _time_axis(0.9)
    partials = ((2093, 0.6, 7.0), (3170, 0.5, 9.0), (4710, 0.35, 12.0), (6630, 0.2, 18.0))
    wave = np.zeros_like(t)
    for start, strength, pitch in ((0.0, 1.0, 1.0), (0.11, 0.55, 1.035), (0.18, 0.3, 0.985)):
        wave += np.where(t >= start, strength * _ringing(np.maximum(t - start, 0.0), partials, pitch), 0.0)
    return np.asarray(0.32 * wave)


def _snap() -> Wave:
    t = _time_axis(0.05)
    return _burst(0.05, 0.5, 5, 3, 160.0) + 0.3 * np.sin(9000 * t) * np.exp(-t * 220.0)


def _rattle() -> Wave:
    t = _time_axis(0.42)
    wave = np.zeros_like(t)
    for start, strength in ((0.0, 1.0), (0.09, 0.7), (0.155, 0.5), (0.2, 0.34), (0.232, 0.24), (0.255, 0.16)):
        later = np.maximum(t - start, 0.0)
        body = np.sin(2.0 * np.pi * 1320 * later) + 0.7 * np.sin(2.0 * np.pi * 2210 * later)
        wave += np.where(t >= start, strength * body * np.exp(-later * 75.0), 0.0)
    return np.asarray(0.22 * wave)


def _squop() -> Wave:
    clack = _partials(0.16, ((1500, 0.7, 85.0), (620, 0.6, 60.0)))
    return np.asarray(0.28 * (clack + 0.6 * _delayed(clack, 0.045)))


def _clap() -> Wave:
    t = _time_axis(0.6)
    wave = np.zeros_like(t)
    for k, start in enumerate((0.0, 0.031, 0.11, 0.15, 0.24, 0.27, 0.36, 0.43)):
        later = np.maximum(t - start, 0.0)
        wave += np.where(t >= start, _noise(t.size, 40 + k, 4) * np.exp(-later * 90.0), 0.0)
    return np.asarray(0.24 * wave * np.exp(-t * 2.2))


def _murmur() -> Wave:
    t = _time_axis(0.7)
    return np.asarray(1.1 * _noise(t.size, 61, 90) * np.sin(np.pi * np.minimum(t / 0.68, 1.0)) ** 2)


def _chime() -> Wave:
    notes = [_partials(0.5, ((pitch, 0.7, 9.0), (2 * pitch, 0.3, 14.0))) for pitch in (784, 1175)]
    return np.asarray(0.22 * (notes[0] + _delayed(notes[1], 0.11)))


def _slide() -> Wave:
    return np.asarray(_burst(0.5, 0.30, 11, 5, 6.0) * (1.0 - np.exp(-_time_axis(0.5) * 120.0)))


def with_reverb(wave: Wave) -> Wave:
    """Add a short reverberation to a wave."""
    dry = np.concatenate([wave, np.zeros(int(0.08 * SAMPLE_RATE))])
    output = dry.copy()
    for delay, share in ((0.029, 0.16), (0.053, 0.09), (0.071, 0.05)):
        output += share * _delayed(dry, delay)
    return np.asarray(output)


WAVES: dict[str, Callable[[], Wave]] = {
    "tinkle": _glass_tinkle,
    "card": lambda: _burst(0.09, 0.24, 3, 6, 55.0),  # a card on cloth: a short breath of noise
    "tile": lambda: 0.28 * _partials(0.14, ((410, 1.0, 48.0), (1130, 0.6, 48.0))),  # a tile on wood: a knock
    # coin on coin: bright and over at once
    "click": lambda: (
        0.30 * _partials(0.12, ((3900, 0.8, 70.0), (5600, 0.6, 90.0), (2450, 0.5, 60.0), (8200, 0.3, 140.0)))
    ),
    "snap": _snap,  # a nail or a squidger sends a piece off
    "knock": lambda: _burst(0.11, 0.7, 7, 14, 60.0) + 0.22 * _partials(0.11, ((240, 1.0, 55.0),)),  # a wink on felt
    "rattle": _rattle,  # a wink in the plastic pot: knocks closer and closer together
    "squop": _squop,  # a wink comes to lie on another: two soft clacks
    "slide": _slide,  # a coin slides over wood, slower and slower
    "fall": lambda: 0.34 * _partials(0.3, ((180, 1.0, 22.0), (95, 0.8, 14.0))),  # a piece falls off the table
    # a wink is potted: the pot's rim rings on
    "ring": lambda: 0.26 * _partials(0.75, ((1320, 1.0, 6.0), (2210, 0.6, 8.0), (3460, 0.35, 11.0), (660, 0.3, 7.0))),
    "clap": _clap,  # a squop, clapped at by a few hands
    "murmur": _murmur,  # a near miss: a low murmur that rises and falls
    "chime": _chime,  # points: two soft notes
}
"""Functions that make the wave of each sound, by its name."""


class Sounds:
    """Player of sounds by name, at the volume of the preferences."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        self._opening: BackgroundTask[dict[str, bytes] | None] | None = None
        self._waves: dict[str, bytes] | None = None
        self.played: list[str] = []
        self._last_played = -1000

    def play(self, name: str, volume: float = 1.0) -> None:
        """Play a sound; do nothing when muted or without an audio device."""
        volume *= 0.0 if self._preferences.muted else self._preferences.volume
        if volume < _MIN_VOLUME:
            return
        self.played = [*self.played[-31:], name]
        if not self._open_device():
            return
        try:
            if name not in self._sounds:
                assert self._waves is not None
                self._sounds[name] = pygame.mixer.Sound(buffer=self._waves[name])
            now = pygame.time.get_ticks()
            volume, self._last_played = volume * (_DUCKING if now - self._last_played < _SIMULTANEOUS else 1.0), now
            channel = self._sounds[name].play()
            if channel is not None:
                channel.set_volume(min(volume, 1.0))
        except pygame.error:
            self._waves = None

    def _open_device(self) -> bool:
        """Open the audio device at the first call; return True if it is open."""
        if self._opening is None:
            self._opening = BackgroundTask(_load_waves)
        elif self._waves is None and not self._sounds and self._opening.is_done:
            self._waves = self._opening.result()
        return self._waves is not None

    def close(self) -> None:
        """Close the audio device."""
        if self._opening is not None and self._opening.is_done and pygame.mixer.get_init():
            pygame.mixer.quit()
        self._opening, self._waves, self._sounds = None, None, {}


@contextmanager
def _stderr_discarded() -> Iterator[None]:
    """Discard what C libraries write to stderr: ALSA prints eight lines where there is no sound card."""
    if os.name != "posix":
        yield
        return
    kept = os.dup(2)
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        os.close(null)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _load_waves() -> dict[str, bytes] | None:
    """Open the audio device; return the waves in its format, or None without one."""
    try:
        with _stderr_discarded():
            pygame.mixer.init(SAMPLE_RATE, -16, 2, 512, allowedchanges=0)
    except (pygame.error, NotImplementedError, OSError):
        return None
    return _wave_bytes()


@cache
def _wave_bytes() -> dict[str, bytes]:
    """Convert all waves to the format of the audio device."""
    return {
        name: np.repeat(np.int16(np.clip(with_reverb(wave()), -1.0, 1.0) * 32767), 2).tobytes()
        for name, wave in WAVES.items()
    }
