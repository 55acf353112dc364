"""Sounds made of sines and noise: a token dropping into a glass jar, a card, a tile. Silent without a device."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pygame

RATE = 44100
Wave = npt.NDArray[np.float64]


def _time(seconds: float) -> Wave:
    return np.arange(int(RATE * seconds)) / RATE


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
    noise = np.random.default_rng(3).standard_normal(t.size)
    return np.asarray(0.10 * np.convolve(noise, np.ones(6) / 6.0, "same") * np.exp(-t * 55.0))


def tile() -> Wave:
    """A tile on wood: a knock."""
    t = _time(0.14)
    body = np.sin(2.0 * np.pi * 410.0 * t) + 0.6 * np.sin(2.0 * np.pi * 1130.0 * t)
    return np.asarray(0.28 * body * np.exp(-t * 48.0))


WAVES: dict[str, Callable[[], Wave]] = {"tinkle": tinkle, "card": card, "tile": tile}


class Sounds:
    """Plays them by name; opens the device when the first one is wanted."""

    def __init__(self) -> None:
        self._made: dict[str, pygame.mixer.Sound] = {}
        self._able: bool | None = None
        self.played: list[str] = []

    def play(self, name: str, *, quiet: bool = False) -> None:
        """Play one; nothing happens when it is to be quiet or no device can be had."""
        if quiet:
            return
        self.played = [*self.played[-31:], name]
        if self._able is None:
            self._able = _opened()
        if not self._able:
            return
        try:
            if name not in self._made:
                whole = np.int16(np.clip(WAVES[name](), -1.0, 1.0) * 32767)
                self._made[name] = pygame.mixer.Sound(buffer=np.repeat(whole, 2).tobytes())
            self._made[name].play()
        except pygame.error:
            self._able = False

    def close(self) -> None:
        """Give the device back."""
        if self._able and pygame.mixer.get_init():
            pygame.mixer.quit()
        self._able, self._made = None, {}


def _opened() -> bool:
    try:
        pygame.mixer.init(RATE, -16, 2, 512, allowedchanges=0)
    except (pygame.error, NotImplementedError):
        return False
    return True
