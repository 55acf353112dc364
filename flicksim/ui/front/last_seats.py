"""The seats and options of each game as they were the last time it was set up here; the next time begins with the
same."""

from __future__ import annotations

from typing import Annotated

import msgspec

from flicksim.base.bounds import Name
from flicksim.base.codec import Value, from_json, read_bytes
from flicksim.base.errors import BadInput, FlicksimError
from flicksim.base.files import there, write_aside
from flicksim.play import parse_seat
from flicksim.ui.kit.places import made, place

FILE = "seats.json"
_MOST = 20
"""No table has so many seats."""


class Sat(Value, frozen=True, kw_only=True):
    """The seats of a game as they were taken, and how it was played.

    Args:
        who: plays, in a word. own: the seat of the one at home. seats: as words. names: said for them; empty for none.
        options: that were not as usual, as they are written. serious: whether one asked before taking back.
    """

    who: Name
    own: Annotated[int, msgspec.Meta(ge=0, le=_MOST)] = 0
    seats: Annotated[tuple[Name, ...], msgspec.Meta(max_length=_MOST)] = ()
    names: Annotated[tuple[Name, ...], msgspec.Meta(max_length=_MOST)] = ()
    options: dict[Name, Name] = msgspec.field(default_factory=dict)
    serious: bool = False


def last_seats() -> tuple[dict[str, Sat], str]:
    """Seats by the name of the game, and a sentence about what was wrong with the file, if anything was."""
    folder = place("data")
    if folder is None:
        return {}, ""
    path = folder / "player" / FILE
    try:
        found = from_json(read_bytes(path), dict[str, Sat], name=FILE) if there(path) else {}
        for sat in found.values():
            for word in sat.seats:
                parse_seat(word)
    except BadInput as wrong:
        return {}, f"Seats are as usual: {wrong}."
    return found, ""


def keep_seats(game: str, sat: Sat) -> str:
    """Write down who sat down to a game. Returns why that cannot be; empty when it can."""
    folder = place("data")
    if folder is None:
        return ""
    try:
        found = last_seats()[0] | {game: sat}
        write_aside(made(folder / "player") / FILE, msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
    except FlicksimError as wrong:
        return f"These seats are not remembered: {wrong}."
    return ""
