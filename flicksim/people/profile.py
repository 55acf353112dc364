"""Player at this window: a name and a colour, what has been seen already, and with whom they play."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from flicksim.base.codec import Value, from_json
from flicksim.base.errors import BadInput

VERSION = 1
"""Raised when a profile cannot be read as before."""
LONGEST = 24
"""No name is longer [letters]."""
_MOST_FRIENDS = 12

Colour = Literal["blue", "green", "red", "yellow"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
Name = Annotated[str, msgspec.Meta(max_length=LONGEST)]


class Profile(Value, frozen=True, kw_only=True):
    """A player.

    Args:
        version: of this file. name: empty while nobody has said one. colour: liked.
        greeted: whether they have been asked for both. lessons: games whose lesson was gone through.
        played: games begun at this window. friends: names of those who played along, the last first.
    """

    version: int = VERSION
    name: Name = ""
    colour: Colour = "blue"
    greeted: bool = False
    lessons: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    friends: Annotated[tuple[Name, ...], msgspec.Meta(max_length=_MOST_FRIENDS)] = ()

    def __post_init__(self) -> None:
        for name in (self.name, *self.friends):
            if checked_name(name) != name:
                raise ValueError(f"name {name[:40]!r} holds what cannot be seen, or begins or ends with a space")

    def with_friend(self, name: str) -> Profile:
        """The same with somebody who played along."""
        friends = (name, *(other for other in self.friends if other != name))[:_MOST_FRIENDS]
        return msgspec.structs.replace(self, friends=friends)


class _Versioned(msgspec.Struct):
    """The one field that every version has."""

    version: int = VERSION


class Newer(BadInput):
    """A profile that a newer flicksim wrote: it is left as it is."""


def checked_name(text: str) -> str:
    """A name as it may be shown: what cannot be seen left out, as long as may be; empty where nothing is left."""
    seen = "".join(letter for letter in text if letter.isprintable())
    return " ".join(seen.split())[:LONGEST].strip()


def read(text: bytes, name: str) -> Profile:
    """A profile from its file.

    Raises:
        Newer: a newer flicksim wrote it. BadInput: it is none.
    """
    try:
        version = msgspec.json.decode(text, type=_Versioned).version
    except (msgspec.DecodeError, UnicodeDecodeError):
        version = VERSION
    if version > VERSION:
        raise Newer(f"{name} is of version {version}, from a newer flicksim; this one knows version {VERSION}")
    return from_json(text, Profile, name=name)
