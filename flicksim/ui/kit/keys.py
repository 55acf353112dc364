"""All keys as data: screens ask a table what a key means, the help and the pages beside the code show its rows.

Keys of one kind of table stand beside it (`faces/<game>/keys.py`); those of boards and of all games stand here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

import pygame

_NAMED = {
    "Left": (pygame.K_LEFT,), "Right": (pygame.K_RIGHT,), "Up": (pygame.K_UP,), "Down": (pygame.K_DOWN,),
    "Enter": (pygame.K_RETURN, pygame.K_KP_ENTER), "Space": (pygame.K_SPACE,), "Esc": (pygame.K_ESCAPE,),
    "Backspace": (pygame.K_BACKSPACE,), "Delete": (pygame.K_DELETE,), ".": (pygame.K_PERIOD,), ",": (pygame.K_COMMA,),
    "[": (pygame.K_LEFTBRACKET,), "]": (pygame.K_RIGHTBRACKET,),
    "+": (pygame.K_KP_PLUS,), "−": (pygame.K_KP_MINUS,), "=": (pygame.K_EQUALS,), "?": (), "0": (),
}  # fmt: skip
_TYPED = {"+": "+", "−": "-", "?": "?", "0": "0"}
"""Keys known by what they type, wherever a keyboard has them."""
_SHIFT, _CTRL = "Shift + ", "Ctrl + "


@dataclass(frozen=True, slots=True)
class Key:
    """A row of a table: some keys and what they do.

    Args:
        shown: as the help lists them; three blanks part groups.
        says: what they do.
        means: the word screens know each group by; none where the row only tells.
        press: the keys, written alike, where they are not just those shown.
    """

    shown: str
    says: str
    means: tuple[str, ...] = ()
    press: str = ""

    @property
    def groups(self) -> list[list[str]]:
        """Names of the keys of each meaning."""
        return [re.findall(rf"(?:{re.escape(_SHIFT)}|{re.escape(_CTRL)})?\S+", group)
                for group in re.split(" {3,}", self.press or self.shown)] if self.means else []  # fmt: skip


@dataclass(frozen=True, slots=True)
class Keys:
    """A table of keys.

    Args:
        where: where they hold, the heading of the table. rows: in the order in which the help lists them.
    """

    where: str
    rows: tuple[Key, ...]

    def plus(self, *rows: Key) -> Keys:
        """The table with more rows."""
        return replace(self, rows=(*self.rows, *rows))

    def pressed(self, event: pygame.event.Event, *, exact: bool = False) -> tuple[str, int]:
        """The meaning of a key here, and which way of two it goes: -1 for the first of a group, else 1.

        Args:
            exact: only with just the modifiers that are named; else others may be held, as Shift for fine steps.

        Returns:
            An empty word where it means nothing.
        """
        return _pressed(self.rows, event, exact)


def _pressed(rows: tuple[Key, ...], event: pygame.event.Event, exact: bool) -> tuple[str, int]:
    mod = getattr(event, "mod", 0)
    held = (bool(mod & pygame.KMOD_SHIFT), bool(mod & pygame.KMOD_CTRL))
    typed, codes = _presses(rows)
    if event.unicode in typed:
        return typed[event.unicode]
    loose = [] if exact else [(False, False)]
    return next((codes[event.key, *one] for one in [held, *loose] if (event.key, *one) in codes), ("", 0))


_Meant = tuple[str, int]


@cache
def _presses(rows: tuple[Key, ...]) -> tuple[dict[str, _Meant], dict[tuple[int, bool, bool], _Meant]]:
    """Meanings by what is typed, and by key, Shift and Ctrl; the first row that has a key gives it."""
    typed: dict[str, _Meant] = {}
    codes: dict[tuple[int, bool, bool], _Meant] = {}
    for row in rows:
        for word, group in zip(row.means, row.groups, strict=bool(row.means)):
            for k, name in enumerate(group):
                plain = name.removeprefix(_SHIFT).removeprefix(_CTRL)
                meant = (word, -1 if k == 0 and len(group) > 1 else 1)
                if plain in _TYPED:
                    typed.setdefault(_TYPED[plain], meant)
                for code in _NAMED[plain] if plain in _NAMED else (getattr(pygame, f"K_{_plain(plain)}"),):
                    codes.setdefault((code, name.startswith(_SHIFT), name.startswith(_CTRL)), meant)
    return typed, codes


def _plain(name: str) -> str:
    return name.lower() if len(name) == 1 else name


PLAYING = Keys("In every game", (
    Key("U", "take back to your last decision", ("undo",), press="U  Ctrl + Z"),
    Key("Shift + U", "do again what was taken back", ("redo",), press="Shift + U  Ctrl + Y"),
    Key("H", "what a club player would do", ("hint",)),
    Key("P", "hold everything, and go on", ("pause",)),
))  # fmt: skip
FLICKING = Keys("At every table of flicks", (
    Key("Y", "whose hand you have; held still for a second, the aim is at its surest", ("hand",)),
    Key("F3", "own up to what the referee did not see", ("own up",)),
    Key("F6", "panels away, or back; they come when they are needed", ("fold",)),
    Key("Wheel   + −   0", "nearer, farther, all of it; the middle button drags", ("zoom", "fit"), press="− +   0"),
    Key("F5", "rulers and numbers, or none", ("rulers",)),
    Key("F7   F8", "what the position is worth; best flicks, with a map: where only bots play", ("worth", "map")),
    Key("N", "the next of these flicks, where only bots play", ("next flick",)),
    Key("V", "in a puzzle: play the solution, once it was told", ("show plan",)),
))  # fmt: skip
WATCHING = Keys("While a shot is shown", (
    Key("S", "slower: a quarter, a tenth, true speed", ("slow",)),
    Key(".", "one step on", ("step",)),
    Key(",", "one step back", ("step back",)),
    Key("F", "show the rest at once", ("skip",)),
))  # fmt: skip
ALWAYS = Keys("Always", (
    Key("Tab, Shift + Tab", "go through buttons and lists; arrows, Space, Enter use them"),
    Key("?  F1", "keys, rules and words", ("help",)),
    Key("F2, or rest the mouse", "what the words and rule numbers on the screen mean", ("words",), press="F2"),
    Key("F9", "sounds on or off", ("sound",)),
    Key("F12", "keep a picture of the window", ("picture",)),
    Key("F11", "whole screen", ("full",)),
    Key("Esc", "let go, go back, menu", ("menu",)),
))  # fmt: skip
BOARD = Keys("Flick", (
    Key("Left  Right", "turn the flick by 1°", ("turn",)),
    Key("Up  Down", "harder, gentler by 0.05 m/s", ("push",)),
    Key("A  D, or Ctrl + arrows", "move the start by 2 mm", ("shift",), press="A  D"),
    Key("Q  E", "nail to the left, to the right of the middle", ("lean",)),
    Key("Shift with any of these", "a tenth as much"),
    Key("Space or Enter", "flick"),
    Key("R   N", "reset the aim; next piece, where one may choose", ("reset", "next")),
    Key("Pull back with the mouse", "aim and power; let go to flick, right button or Esc to stop"),
    Key("Drag the coin", "move the start"),
    Key("M, held", "the mouse's button, on a touchpad"),
    Key("In the settings", "other ways to flick: to a rhythm, a true flick"),
))  # fmt: skip
"""The keys of a board."""
COMMON = (PLAYING, FLICKING, WATCHING, ALWAYS)


def meant(event: pygame.event.Event) -> str:
    """The meaning of a key at every table; empty when nothing."""
    return _pressed(_SHARED, event, exact=True)[0]


_SHARED = tuple(row for keys in COMMON for row in keys.rows)


def listed(own: Iterable[Keys], *, table: bool) -> list[Keys]:
    """The keys the help lists for a game: its own keys, then those of every game; table: whether flicks are shown."""
    return [*own, *((WATCHING, PLAYING, FLICKING) if table else (PLAYING,)), ALWAYS]
