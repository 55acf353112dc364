"""Sounds made of sines and noise: a click, a wink on felt, a pot that rattles, a card, a token in a glass jar.

Silent without a device. The device is opened and the waves are made beside the window, before the first is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pygame

from flicksim.play import Background
from flicksim.ui.kit.preferences import Preferences

RATE = 44100
Wave = npt.NDArray[np.float64]
Heard = tuple[str, float]
"""A sound's name and how loud it is, 0 to 1."""
_FAINTEST = 0.02
_TOGETHER, _LOWERED = 80, 0.6
"""Sounds that begin within so many milliseconds are one crowd: those after the first are so much lower."""


def _time(seconds: float) -> Wave:
    return np.arange(int(RATE * seconds)) / RATE


def _noise(size: int, seed: int, smooth: int) -> Wave:
    """Hiss; the more it is smoothed [samples], the duller."""
    raw = np.random.default_rng(seed).standard_normal(size)
    return np.convolve(raw, np.ones(smooth) / smooth, "same")


def _rung(seconds: float, partials: Sequence[tuple[float, float, float]]) -> Wave:
    """Partials of so many hertz, so loud, fading so fast [1/s]."""
    t = _time(seconds)
    return np.asarray(sum(loud * np.sin(2.0 * np.pi * hertz * t) * np.exp(-t * fade) for hertz, loud, fade in partials))


def tinkle() -> Wave:
    """Glass rings in partials that are no whole multiples; the token strikes, bounces twice and lies still."""
    t = _time(0.9)
    wave = np.zeros_like(t)
    for start, strength, pitch in ((0.0, 1.0, 1.0), (0.11, 0.55, 1.035), (0.18, 0.3, 0.985)):
        later = np.maximum(t - start, 0.0)
        ring = sum(
            loud * np.sin(2.0 * np.pi * hertz * pitch * later) * np.exp(-later * fade)
            for hertz, loud, fade in ((2093, 0.6, 7.0), (3170, 0.5, 9.0), (4710, 0.35, 12.0), (6630, 0.2, 18.0))
        )
        wave += np.where(t >= start, strength * ring, 0.0)
    return np.asarray(0.32 * wave)


def card() -> Wave:
    """A card on cloth: a short breath of noise."""
    t = _time(0.09)
    return np.asarray(0.24 * _noise(t.size, 3, 6) * np.exp(-t * 55.0))


def tile() -> Wave:
    """A tile on wood: a knock."""
    return 0.28 * _rung(0.14, ((410, 1.0, 48.0), (1130, 0.6, 48.0)))


def click() -> Wave:
    """Coin on coin: bright and over at once."""
    return 0.30 * _rung(0.12, ((3900, 0.8, 70.0), (5600, 0.6, 90.0), (2450, 0.5, 60.0), (8200, 0.3, 140.0)))


def snap() -> Wave:
    """A nail or a squidger sends a piece off."""
    t = _time(0.05)
    return np.asarray(0.5 * _noise(t.size, 5, 3) * np.exp(-t * 160.0) + 0.3 * np.sin(9000 * t) * np.exp(-t * 220.0))


def knock() -> Wave:
    """A wink comes down on felt: dull."""
    t = _time(0.11)
    return np.asarray(0.7 * _noise(t.size, 7, 14) * np.exp(-t * 60.0)) + 0.22 * _rung(0.11, ((240, 1.0, 55.0),))


def rattle() -> Wave:
    """A wink in the plastic pot: knocks closer and closer together."""
    t = _time(0.42)
    wave = np.zeros_like(t)
    for start, strength in ((0.0, 1.0), (0.09, 0.7), (0.155, 0.5), (0.2, 0.34), (0.232, 0.24), (0.255, 0.16)):
        later = np.maximum(t - start, 0.0)
        body = np.sin(2.0 * np.pi * 1320 * later) + 0.7 * np.sin(2.0 * np.pi * 2210 * later)
        wave += np.where(t >= start, strength * body * np.exp(-later * 75.0), 0.0)
    return np.asarray(0.22 * wave)


def squop() -> Wave:
    """A wink comes to lie on another: two soft clacks."""
    one = _rung(0.16, ((1500, 0.7, 85.0), (620, 0.6, 60.0)))
    late = np.zeros_like(one)
    gap = int(0.045 * RATE)
    late[gap:] = 0.6 * one[:-gap]
    return 0.28 * (one + late)


def ring() -> Wave:
    """A wink is potted: the pot's rim rings on."""
    return 0.26 * _rung(0.75, ((1320, 1.0, 6.0), (2210, 0.6, 8.0), (3460, 0.35, 11.0), (660, 0.3, 7.0)))


def clap() -> Wave:
    """A squop, clapped at by a few hands."""
    t = _time(0.6)
    wave = np.zeros_like(t)
    for k, start in enumerate((0.0, 0.031, 0.11, 0.15, 0.24, 0.27, 0.36, 0.43)):
        later = np.maximum(t - start, 0.0)
        wave += np.where(t >= start, _noise(t.size, 40 + k, 4) * np.exp(-later * 90.0), 0.0)
    return np.asarray(0.24 * wave * np.exp(-t * 2.2))


def murmur() -> Wave:
    """A near miss: a low murmur that rises and falls."""
    t = _time(0.7)
    return np.asarray(1.1 * _noise(t.size, 61, 90) * np.sin(np.pi * np.minimum(t / 0.68, 1.0)) ** 2)


def chime() -> Wave:
    """Points: two soft notes."""
    one = _rung(0.5, ((784, 0.7, 9.0), (1568, 0.3, 14.0)))
    late = np.zeros_like(one)
    gap = int(0.11 * RATE)
    late[gap:] = (_rung(0.5, ((1175, 0.7, 9.0), (2350, 0.3, 14.0))))[:-gap]
    return np.asarray(0.22 * (one + late))


def in_a_room(wave: Wave) -> Wave:
    """The same with the short echo of a room."""
    heard = np.concatenate([wave, np.zeros(int(0.08 * RATE))])
    for delay, share in ((0.029, 0.16), (0.053, 0.09), (0.071, 0.05)):
        late = int(delay * RATE)
        heard[late:] += share * np.concatenate([wave, np.zeros(int(0.08 * RATE))])[:-late]
    return np.asarray(heard)


def slide() -> Wave:
    """A coin slides over wood, slower and slower."""
    t = _time(0.5)
    return np.asarray(0.30 * _noise(t.size, 11, 5) * np.exp(-t * 6.0) * (1.0 - np.exp(-t * 120.0)))


def fall() -> Wave:
    """A piece falls off the table."""
    return 0.34 * _rung(0.3, ((180, 1.0, 22.0), (95, 0.8, 14.0)))


WAVES: dict[str, Callable[[], Wave]] = {
    "tinkle": tinkle, "card": card, "tile": tile, "click": click, "snap": snap, "knock": knock, "rattle": rattle,
    "squop": squop, "slide": slide, "fall": fall, "ring": ring, "clap": clap, "murmur": murmur, "chime": chime,
}  # fmt: skip


class Sounds:
    """Plays them by name, as loud as the player likes.

    Args:
        preferences: volume, and whether it is to be quiet.
    """

    def __init__(self, preferences: Preferences) -> None:
        self._taste = preferences
        self._made: dict[str, pygame.mixer.Sound] = {}
        self._opening: Background[dict[str, bytes] | None] | None = None
        self._waves: dict[str, bytes] | None = None
        self.played: list[str] = []
        self._last = -1000

    def play(self, name: str, loud: float = 1.0) -> None:
        """Play one; nothing happens when it is to be quiet or no device can be had."""
        loud *= self._taste.loud
        if loud < _FAINTEST:
            return
        self.played = [*self.played[-31:], name]
        if not self._ready():
            return
        try:
            if name not in self._made:
                assert self._waves is not None
                self._made[name] = pygame.mixer.Sound(buffer=self._waves[name])
            now = pygame.time.get_ticks()
            loud, self._last = loud * (_LOWERED if now - self._last < _TOGETHER else 1.0), now
            channel = self._made[name].play()
            if channel is not None:
                channel.set_volume(min(loud, 1.0))
        except pygame.error:
            self._waves = None

    def _ready(self) -> bool:
        """True where the device is open; asks for it the first time."""
        if self._opening is None:
            self._opening = Background(_opened)
        elif self._waves is None and not self._made and self._opening.done:
            self._waves = self._opening.result()
        return self._waves is not None

    def close(self) -> None:
        """Give the device back."""
        if self._opening is not None and self._opening.done and pygame.mixer.get_init():
            pygame.mixer.quit()
        self._opening, self._waves, self._made = None, None, {}


def _opened() -> dict[str, bytes] | None:
    """Every wave as the device wants it; None without one."""
    try:
        pygame.mixer.init(RATE, -16, 2, 512, allowedchanges=0)
    except (pygame.error, NotImplementedError):
        return None
    return {
        name: np.repeat(np.int16(np.clip(in_a_room(wave()), -1.0, 1.0) * 32767), 2).tobytes()
        for name, wave in WAVES.items()
    }
