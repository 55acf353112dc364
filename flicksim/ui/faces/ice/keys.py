"""The keys of the pyramids: all of them for one person, a cluster of four for each when several sit down."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from flicksim.table import SIZES
from flicksim.ui.kit.keys import Key, Keys


@dataclass(frozen=True, slots=True)
class Cluster:
    """The keys of one person among several.

    Args:
        left, right: turn the aim. size: the next size of missile. flick: hold to charge, let go to launch.
        shown: how they are written: aim, size, flick.
    """

    left: int
    right: int
    size: int
    flick: int
    shown: tuple[str, str, str]


CLUSTERS = (
    Cluster(pygame.K_a, pygame.K_d, pygame.K_w, pygame.K_s, ("A D", "W", "S")),
    Cluster(pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN, ("← →", "↑", "↓")),
    Cluster(pygame.K_j, pygame.K_l, pygame.K_i, pygame.K_k, ("J L", "I", "K")),
    Cluster(pygame.K_v, pygame.K_n, pygame.K_g, pygame.K_b, ("V N", "G", "B")),
    Cluster(pygame.K_1, pygame.K_3, pygame.K_4, pygame.K_2, ("1 3", "4", "2")),
    Cluster(pygame.K_7, pygame.K_9, pygame.K_6, pygame.K_8, ("7 9", "6", "8")),
)
"""In the order in which people sit down."""

_MOUSE = (
    Key("M, held", "the mouse's button, on a touchpad"),
    Key("Pull back with the mouse", "aim and strength; let go to launch, right button or Esc to stop"),
    Key("Right button, dragged", "hold the launcher elsewhere along the line"),
)
_FOLLOW = Key("Z", "follow what happens near to, or see the whole table", ("follow",))
ALONE = Keys("Launch", (
    Key("Left  Right", "aim by 1°", ("aim",)),
    Key("Up  Down", "stronger, weaker by 0.05 m/s", ("push",)),
    Key("A  D", "hold the launcher farther left, right", ("shift",)),
    Key("W  S", "the nail comes up steeper, flatter", ("slant",)),
    Key("Q  E", "the nail strikes lower, higher", ("height",)),
    Key("[  ]", "hold the launcher lower, higher", ("lift",)),
    Key("Shift with any of these", "a tenth as much"),
    Key("1  2  3   N", "small, medium, large missile; the next size", (*SIZES, "next"), press="1   2   3   N"),
    Key("Space or Enter", "launch; the first time: I hold it loaded"),
    Key("R", "set the aim back", ("reset",)),
    *_MOUSE,
    Key("B", "the best launch so far, slowly; Space goes on", ("best",)),
    _FOLLOW,
))  # fmt: skip
SEVERAL = Keys("Launch, all at once", (
    *(
        Key("   ".join(one.shown), f"person {k + 1}: aim, next size, hold and let go to launch")
        for k, one in enumerate(CLUSTERS)
    ),
    *_MOUSE,
    Key("Click on a seat", "the mouse and the numbers on the left are that seat's"),
    Key("Space or Enter", "launch for the lit seat; on what is shown again: go on"),
    _FOLLOW,
))  # fmt: skip
