"""Surface cache: limited by memory, not by number of surfaces."""

from threading import Thread

import pygame
import pytest

from flicksim.gui.game_views.tiddlywinks import wink_sprites
from flicksim.gui.toolkit.surface_cache import CACHE, SurfaceCache

_ONE = 10 * 10 * 4


def _draw(side: int = 10) -> pygame.Surface:
    return pygame.Surface((side, side), depth=32)


def test_the_least_recently_used_surface_is_evicted_and_a_larger_one_not_cached() -> None:
    surface_cache = SurfaceCache(3 * _ONE)
    first = [surface_cache.get_or_draw(k, _draw) for k in range(3)]
    assert surface_cache.get_or_draw(0, _draw) is first[0]
    surface_cache.get_or_draw(3, _draw)
    assert surface_cache.size == 3 * _ONE
    assert surface_cache.get_or_draw(0, _draw) is first[0], "just seen"
    assert surface_cache.get_or_draw(1, _draw) is not first[1], "the oldest went"
    surface_cache = SurfaceCache(3 * _ONE)
    kept = surface_cache.get_or_draw("small", _draw)
    assert surface_cache.get_or_draw("large", lambda: _draw(100)).get_width() == 100
    assert surface_cache.get_or_draw("small", _draw) is kept
    assert len(surface_cache) == 1


def test_the_cache_is_thread_safe() -> None:
    surface_cache = SurfaceCache(5 * _ONE)
    threads = [Thread(target=lambda: [surface_cache.get_or_draw(k % 9, _draw) for k in range(400)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert surface_cache.size == len(surface_cache) * _ONE <= surface_cache.capacity


def test_large_sprites_of_winks_stay_within_the_capacity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CACHE, "capacity", 1_000_000)
    for k in range(10):
        wink_sprites.wink_sprite(120.0 + 4.0 * k, "red", 1, 0.5, 1.0)
    assert 500_000 < CACHE.size <= CACHE.capacity
