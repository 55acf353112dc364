"""Key bindings as data for screens, help and documentation.

Those of one game are in `game_views/<game>/key_bindings.toml`, those of boards, screens and all games in
`key_bindings.toml` here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import msgspec
import pygame

_KEY_NAMES = {
    "Left": (pygame.K_LEFT,), "Right": (pygame.K_RIGHT,), "Up": (pygame.K_UP,), "Down": (pygame.K_DOWN,),
    "Enter": (pygame.K_RETURN, pygame.K_KP_ENTER), "Space": (pygame.K_SPACE,), "Esc": (pygame.K_ESCAPE,),
    "Backspace": (pygame.K_BACKSPACE,), "Delete": (pygame.K_DELETE,), ".": (pygame.K_PERIOD,), ",": (pygame.K_COMMA,),
    "[": (pygame.K_LEFTBRACKET,), "]": (pygame.K_RIGHTBRACKET,),
    "+": (pygame.K_KP_PLUS,), "−": (pygame.K_KP_MINUS,), "=": (pygame.K_EQUALS,), "?": (), "0": (),
}  # fmt: skip
_TYPED_CHARACTERS = {"+": "+", "−": "-", "?": "?", "0": "0"}
"""Keys matched by the character typed, wherever a keyboard has them."""
_SHIFT, _CTRL = "Shift + ", "Ctrl + "


@dataclass(frozen=True, slots=True)
class KeyBinding:
    """Key binding: keys and their action.

    Args:
        label: the keys as the help lists them; three blanks separate groups.
        text: what they do.
        actions: name of the action of each group; empty where the row is for the help only.
        keys: the keys, in the notation of `label`, where they differ from it.
    """

    label: str
    text: str
    actions: tuple[str, ...] = ()
    keys: str = ""

    @property
    def key_groups(self) -> list[list[str]]:
        """Names of the keys of each action."""
        return [re.findall(rf"(?:{re.escape(_SHIFT)}|{re.escape(_CTRL)})?\S+", group)
                for group in re.split(" {3,}", self.keys or self.label)] if self.actions else []  # fmt: skip


@dataclass(frozen=True, slots=True)
class KeyMap:
    """Table of key bindings.

    Args:
        title: heading of the table: where the keys are valid. bindings: rows in the order of the help.
    """

    title: str
    bindings: tuple[KeyBinding, ...]

    def extended(self, *bindings: KeyBinding) -> "KeyMap":
        """Return the table with more rows."""
        return replace(self, bindings=(*self.bindings, *bindings))

    def match(self, event: pygame.event.Event, *, is_exact: bool = False) -> tuple[str, int]:
        """Return the action of a key and its direction: -1 for the first of a group, else 1.

        Args:
            event: of a key. is_exact: match only the modifiers named; else others may be held, as Shift for fine
            steps.

        Returns:
            An empty action if there is none.
        """
        mod = getattr(event, "mod", 0)
        modifiers = (bool(mod & pygame.KMOD_SHIFT), bool(mod & pygame.KMOD_CTRL))
        typed, codes = _lookup_table(self.bindings)
        if event.unicode in typed:
            return typed[event.unicode]
        tried = [modifiers] if is_exact else [modifiers, (False, False)]
        return next((codes[event.key, *mods] for mods in tried if (event.key, *mods) in codes), ("", 0))


_Match = tuple[str, int]


@cache
def _lookup_table(bindings: tuple[KeyBinding, ...]) -> tuple[dict[str, _Match], dict[tuple[int, bool, bool], _Match]]:
    """Actions by typed character, and by key, Shift and Ctrl; the first row with a key wins."""
    typed: dict[str, _Match] = {}
    codes: dict[tuple[int, bool, bool], _Match] = {}
    for row in bindings:
        for action, group in zip(row.actions, row.key_groups, strict=bool(row.actions)):
            for k, name in enumerate(group):
                plain = name.removeprefix(_SHIFT).removeprefix(_CTRL)
                match = (action, -1 if k == 0 and len(group) > 1 else 1)
                if plain in _TYPED_CHARACTERS:
                    typed.setdefault(_TYPED_CHARACTERS[plain], match)
                key = plain.lower() if len(plain) == 1 else plain
                for code in _KEY_NAMES[plain] if plain in _KEY_NAMES else (getattr(pygame, f"K_{key}"),):
                    codes.setdefault((code, name.startswith(_SHIFT), name.startswith(_CTRL)), match)
    return typed, codes


KEY_MAPS = msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=dict[str, KeyMap])
"""Key maps of all games and screens, by name."""
PLAY_KEYS, FLICK_KEYS, PLAYBACK_KEYS, GLOBAL_KEYS, HOSTING_KEYS, ONLINE_KEYS, BOARD_KEYS = (
    KEY_MAPS[name] for name in ("play", "flick", "playback", "global", "hosting", "online", "board")
)
COMMON_KEYS = (PLAY_KEYS, FLICK_KEYS, PLAYBACK_KEYS, GLOBAL_KEYS)


def common_action(event: pygame.event.Event) -> str:
    """Return the action of a key at every table; empty for none."""
    return _SHARED_KEYS.match(event, is_exact=True)[0]


_SHARED_KEYS = KeyMap("", tuple(row for keys in COMMON_KEYS for row in keys.bindings))


def help_bindings(game_keys: Iterable[KeyMap], *, has_flicks: bool, is_online: bool = False) -> list[KeyMap]:
    """Key bindings listed in the help of a game: its own, then the common ones."""
    common = (PLAYBACK_KEYS, PLAY_KEYS, FLICK_KEYS) if has_flicks else (PLAY_KEYS,)
    return [*game_keys, *common, *([ONLINE_KEYS] if is_online else ()), GLOBAL_KEYS]
