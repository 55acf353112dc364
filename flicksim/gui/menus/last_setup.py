"""Last seats and options of each game, restored when it is set up again."""

from typing import Annotated

import msgspec

from flicksim.core.atomic_files import path_exists, write_atomic
from flicksim.core.errors import FlicksimError, InvalidInput
from flicksim.core.limits import Name
from flicksim.core.serialization import Value, from_json, read_bytes
from flicksim.gui.toolkit.user_folders import ensure_folder, user_folder
from flicksim.match import parse_seat

FILE_NAME = "seats.json"
_MAX_SEATS = 20
"""Upper limit of the number of seats of a game."""


class LastSetup(Value, frozen=True, kw_only=True):
    """Seats and options of a game as they were last set up.

    Args:
        who: plays, in one word. own: seat of the player at home. seats: seat specifications. names: of the players;
            empty for none. options: that differ from their defaults, as text. serious: True if an undo asks for
            consent.
    """

    who: Name
    own: Annotated[int, msgspec.Meta(ge=0, le=_MAX_SEATS)] = 0
    seats: Annotated[tuple[Name, ...], msgspec.Meta(max_length=_MAX_SEATS)] = ()
    names: Annotated[tuple[Name, ...], msgspec.Meta(max_length=_MAX_SEATS)] = ()
    options: dict[Name, Name] = msgspec.field(default_factory=dict)
    serious: bool = False


def load_setups() -> tuple[dict[str, LastSetup], str]:
    """Load the setups by name of the game, with an error message if the file was invalid."""
    folder = user_folder("data")
    if folder is None:
        return {}, ""
    path = folder / "player" / FILE_NAME
    try:
        setups = from_json(read_bytes(path), dict[str, LastSetup], name=FILE_NAME) if path_exists(path) else {}
        for setup_read in setups.values():
            for seat in setup_read.seats:
                parse_seat(seat)
    except InvalidInput as wrong:
        return {}, f"Seats are as usual: {wrong}."
    return setups, ""


def save_setup(game: str, setup: LastSetup) -> str:
    """Save the setup of a game. Return the reason if that fails, else an empty string."""
    folder = user_folder("data")
    if folder is None:
        return ""
    try:
        text = msgspec.json.format(msgspec.json.encode(load_setups()[0] | {game: setup}), indent=2)
        write_atomic(ensure_folder(folder / "player") / FILE_NAME, text + b"\n")
    except FlicksimError as wrong:
        return f"These seats are not remembered: {wrong}."
    return ""
