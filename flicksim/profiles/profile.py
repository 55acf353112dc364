"""Profile of the player at this machine: name, colour, last companions, lessons done."""

from typing import Annotated, Literal, get_args

import msgspec

from flicksim.core.errors import InvalidInput
from flicksim.core.serialization import Value, from_json

PROFILE_VERSION = 1
"""Version of the file format; increased when older versions of flicksim could not read it."""
MAX_NAME_LENGTH = 24
"""Longest name [characters]."""
_MAX_FRIENDS = 12

Colour = Literal["blue", "green", "red", "yellow"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME_LENGTH)]


class Profile(Value, frozen=True, kw_only=True):
    """Profile of a player.

    Args:
        version: version of the file format. name: empty until chosen. colour: preferred colour.
        greeted: whether the player has been asked for both. lessons: games whose lesson was finished.
        played: games begun on this machine. friends: names of companions, the latest first.
    """

    version: int = PROFILE_VERSION
    name: Name = ""
    colour: Colour = "blue"
    greeted: bool = False
    lessons: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    friends: Annotated[tuple[Name, ...], msgspec.Meta(max_length=_MAX_FRIENDS)] = ()

    def __post_init__(self) -> None:
        for name in (self.name, *self.friends):
            if clean_name(name) != name:
                raise ValueError(f"name {name[:40]!r} holds what cannot be seen, or begins or ends with a space")

    def with_friend(self, name: str) -> "Profile":
        """Copy with a companion put first."""
        friends = (name, *(other for other in self.friends if other != name))[:_MAX_FRIENDS]
        return msgspec.structs.replace(self, friends=friends)


class _VersionHeader(msgspec.Struct):
    """Field that every version has."""

    version: int = PROFILE_VERSION


class NewerVersion(InvalidInput):
    """The profile was written by a newer flicksim; it must not be changed."""


def clean_name(text: str) -> str:
    """Remove unprintable characters and extra spaces from a name and cut it to length; may become empty."""
    printable = "".join(letter for letter in text if letter.isprintable())
    return " ".join(printable.split())[:MAX_NAME_LENGTH].strip()


def parse_profile(text: bytes, name: str) -> Profile:
    """Decode a profile from the text of its file.

    Raises:
        NewerVersion: a newer flicksim wrote it. InvalidInput: it is no valid profile.
    """
    try:
        version = msgspec.json.decode(text, type=_VersionHeader).version
    except (msgspec.DecodeError, UnicodeDecodeError):
        version = PROFILE_VERSION
    if version > PROFILE_VERSION:
        raise NewerVersion(
            f"{name} is of version {version}, from a newer flicksim; this one knows version {PROFILE_VERSION}"
        )
    return from_json(text, Profile, name=name)
