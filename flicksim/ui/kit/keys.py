"""The keys that mean the same in every game, written once: screens ask what a key means, the help shows the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pygame

Meaning = Literal[
    "", "undo", "redo", "hint", "hand", "own up", "pause", "slow", "skip", "step", "step back", "help", "sound",
    "picture", "words", "full", "menu", "fold",
]  # fmt: skip
Lines = Sequence[tuple[str, str]]
"""Keys and what they do, for the help; a line without the second is a heading."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A key and its meaning.

    Args:
        means: the word screens know it by. shown, says: as the help lists it.
        keys: pygame's. text: or what it types. shift, ctrl: whether these must be held down.
    """

    means: Meaning
    shown: str
    says: str
    keys: tuple[int, ...] = ()
    text: str = ""
    shift: bool = False
    ctrl: bool = False


PLAYING = (
    Bound("undo", "U", "take back to your last decision", (pygame.K_u,)),
    Bound("redo", "Shift + U", "do again what was taken back", (pygame.K_u,), shift=True),
    Bound("hint", "H", "what a club player would do", (pygame.K_h,)),
    Bound("pause", "P", "hold everything, and go on", (pygame.K_p,)),
)
WATCHING = (
    Bound("slow", "S", "slower: a quarter, a tenth, true speed", (pygame.K_s,)),
    Bound("step", ".", "one step on", (pygame.K_PERIOD,)),
    Bound("step back", ",", "one step back", (pygame.K_COMMA,)),
    Bound("skip", "F", "show the rest at once", (pygame.K_f,)),
)
HAND = (Bound("hand", "Y", "whose hand you have; held still for a second, the aim is at its surest", (pygame.K_y,)),)
OWN_UP = (Bound("own up", "F3", "own up to what the referee did not see", (pygame.K_F3,)),)
FOLD = (Bound("fold", "F6", "panels away, or back; they come when they are needed", (pygame.K_F6,)),)
ALWAYS = (
    Bound("help", "?  F1", "keys, rules and words", (pygame.K_F1,), "?"),
    Bound("words", "F2, or rest the mouse", "what the words and rule numbers on the screen mean", (pygame.K_F2,)),
    Bound("sound", "F9", "sounds on or off", (pygame.K_F9,)),
    Bound("picture", "F12", "keep a picture of the window", (pygame.K_F12,)),
    Bound("full", "F11", "whole screen", (pygame.K_F11,)),
    Bound("menu", "Esc", "let go, go back, menu", (pygame.K_ESCAPE,)),
)
_ALSO = (
    Bound("undo", "Ctrl + Z", "", (pygame.K_z,), ctrl=True),
    Bound("redo", "Ctrl + Y", "", (pygame.K_y,), ctrl=True),
)
_LOOK: Lines = (
    ("Wheel   + −   0", "nearer, farther, all of it; the middle button drags"),
    ("F5", "rulers and numbers, or none"),
)


def meant(event: pygame.event.Event) -> Meaning:
    """The meaning of a key at every table; empty when nothing."""
    mod = getattr(event, "mod", 0)
    shift, ctrl = bool(mod & pygame.KMOD_SHIFT), bool(mod & pygame.KMOD_CTRL)
    for bound in (*_ALSO, *PLAYING, *WATCHING, *HAND, *OWN_UP, *FOLD, *ALWAYS):
        if bound.text and event.unicode == bound.text:
            return bound.means
        if event.key in bound.keys and bound.ctrl == ctrl and bound.shift == shift:
            return bound.means
    return ""


def listed(own: Lines, *, table: bool) -> Lines:
    """The keys the help lists for a game: its own keys, then those of every game; table: whether flicks are shown."""
    found = [*own]
    if table:
        found += [("While a shot is shown", ""), *((one.shown, one.says) for one in WATCHING)]
    more = (*PLAYING, *HAND, *OWN_UP, *FOLD) if table else PLAYING
    found += [("In every game", ""), *((one.shown, one.says) for one in more)]
    if table:
        found += _LOOK
    found.append(("Tab, Shift + Tab", "go through buttons and lists; arrows, Space, Enter use them"))
    return [*found, *((one.shown, one.says) for one in ALWAYS)]


BOARD: Lines = (
    ("Flick", ""),
    ("Left  Right", "turn the flick by 1°"),
    ("Up  Down", "harder, gentler by 0.05 m/s"),
    ("A  D, or Ctrl + arrows", "move the start by 2 mm"),
    ("Q  E", "nail to the left, to the right of the middle"),
    ("Shift with any of these", "a tenth as much"),
    ("Space or Enter", "flick"),
    ("R   N", "reset the aim; next piece, where one may choose"),
    ("Pull back with the mouse", "aim and power; let go to flick, right button or Esc to stop"),
    ("Drag the coin", "move the start"),
    ("M, held", "the mouse's button, on a touchpad"),
    ("In the settings", "other ways to flick: to a rhythm, a true flick"),
)
"""The keys of a board."""
