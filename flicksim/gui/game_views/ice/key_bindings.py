"""Key bindings of the pyramid table: all for one person, a cluster of four for each of several."""

from dataclasses import dataclass, replace

import pygame

from flicksim.gui.game_views import load_key_maps
from flicksim.gui.toolkit import KeyBinding


@dataclass(frozen=True, slots=True)
class KeyCluster:
    """Keys of one of several people.

    Args:
        left, right: turn the aim. size: next size of missile. flick: hold to charge, release to launch. labels: of
            aim, size and flick.
    """

    left: int
    right: int
    size: int
    flick: int
    labels: tuple[str, str, str]

    @property
    def keys(self) -> tuple[int, int, int, int]:
        """All keys of the cluster."""
        return (self.left, self.right, self.size, self.flick)


KEY_CLUSTERS = (
    KeyCluster(pygame.K_a, pygame.K_d, pygame.K_w, pygame.K_s, ("A D", "W", "S")),
    KeyCluster(pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN, ("← →", "↑", "↓")),
    KeyCluster(pygame.K_j, pygame.K_l, pygame.K_i, pygame.K_k, ("J L", "I", "K")),
    KeyCluster(pygame.K_v, pygame.K_n, pygame.K_g, pygame.K_b, ("V N", "G", "B")),
    KeyCluster(pygame.K_1, pygame.K_3, pygame.K_4, pygame.K_2, ("1 3", "4", "2")),
    KeyCluster(pygame.K_7, pygame.K_9, pygame.K_6, pygame.K_8, ("7 9", "6", "8")),
)
"""Key clusters in the order in which people are seated."""

_KEY_MAPS = load_key_maps(__package__)
SINGLE_PLAYER_KEYS, _SHARED_KEYS = _KEY_MAPS["single"], _KEY_MAPS["shared"]
_CLUSTER_KEYS = (
    KeyBinding("   ".join(one.labels), f"person {k + 1}: aim, next size, hold and let go to launch")
    for k, one in enumerate(KEY_CLUSTERS)
)
SHARED_KEYS = replace(_SHARED_KEYS, bindings=(*_CLUSTER_KEYS, *_SHARED_KEYS.bindings))
