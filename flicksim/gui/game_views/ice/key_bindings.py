"""Key bindings of the pyramid table: all for one person, a cluster of four for each of several."""

from dataclasses import dataclass

import pygame

from flicksim.gui.toolkit import KeyBinding, KeyMap
from flicksim.scene import SIZES


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

_MOUSE_KEYS = (
    KeyBinding("M, held", "the mouse's button, on a touchpad"),
    KeyBinding("Pull back with the mouse", "aim and strength; let go to launch, right button or Esc to stop"),
    KeyBinding("Right button, dragged", "hold the launcher elsewhere along the line"),
)
_FOLLOW_KEY = KeyBinding("Z", "follow what happens near to, or see the whole table", ("follow",))
SINGLE_PLAYER_KEYS = KeyMap("Launch", (
    KeyBinding("Left  Right", "aim by 1°", ("aim",)),
    KeyBinding("Up  Down", "stronger, weaker by 0.05 m/s", ("push",)),
    KeyBinding("A  D", "hold the launcher farther left, right", ("shift",)),
    KeyBinding("W  S", "the nail comes up steeper, flatter", ("slant",)),
    KeyBinding("Q  E", "the nail strikes lower, higher", ("height",)),
    KeyBinding("[  ]", "hold the launcher lower, higher", ("lift",)),
    KeyBinding("Shift with any of these", "a tenth as much"),
    KeyBinding("1  2  3   N", "small, medium, large missile; the next size", (*SIZES, "next"), keys="1   2   3   N"),
    KeyBinding("Space or Enter", "launch; the first time: I hold it loaded"),
    KeyBinding("R", "set the aim back", ("reset",)),
    *_MOUSE_KEYS,
    KeyBinding("B", "the best launch so far, slowly; Space goes on", ("best",)),
    _FOLLOW_KEY,
))  # fmt: skip
SHARED_KEYS = KeyMap("Launch, all at once", (
    *(
        KeyBinding("   ".join(one.labels), f"person {k + 1}: aim, next size, hold and let go to launch")
        for k, one in enumerate(KEY_CLUSTERS)
    ),
    *_MOUSE_KEYS,
    KeyBinding("Click on a seat", "the mouse and the numbers on the left are that seat's"),
    KeyBinding("Space or Enter", "launch for the lit seat; on what is shown again: go on"),
    _FOLLOW_KEY,
))  # fmt: skip
