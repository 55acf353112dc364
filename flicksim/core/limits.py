"""Limits on all outside input: sizes of files and lines, lengths of text, ranges of numbers.

They lie far above any sensible input, and low enough that no input exhausts memory or time.
"""

from typing import Annotated

import msgspec

MAX_FILE_BYTES = 16_000_000
"""Largest input file: a position, a scene, an experiment, settings [bytes]. Shipped ones have a few thousand."""
MAX_RECORD_BYTES = 256_000_000
"""Largest record of a game [bytes]: some 300,000 turns."""
MAX_LINE_BYTES = 1_000_000
"""Longest line of a record [bytes]: a turn has 500, the header of a game begun at a position 5,000."""
MAX_MESSAGE_LENGTH = 800
"""Longest message [characters]; longer ones are cut in the middle."""
MAX_NUMBER = 1e15
"""Largest magnitude of a number without a range of its own: as many digits as a double holds exactly."""
MAX_INT = 2**63 - 1
"""Largest magnitude of an integer."""
MAX_SEED = 2**53 - 1
"""Largest seed: every language reads it back exactly from JSON."""
MAX_COORDINATE = 1e6
"""Largest magnitude of a coordinate [m]: a double still resolves a nanometre there."""

MAX_TITLE_LENGTH, MAX_NAME_LENGTH = 300, 150
"""Longest title, and longest name [characters]."""

Title = Annotated[str, msgspec.Meta(max_length=MAX_TITLE_LENGTH)]
"""Title shown to people."""
Name = Annotated[str, msgspec.Meta(max_length=MAX_NAME_LENGTH)]
"""Short name: of a file, a column, a unit, a machine, a time."""
PieceId = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME_LENGTH)]
"""Id of a piece."""
SeatIndex = Annotated[int, msgspec.Meta(ge=0, le=99)]
"""Index of a seat."""
Text = Annotated[str, msgspec.Meta(max_length=10_000)]
"""Text of a few sentences."""
SeedInt = Annotated[int, msgspec.Meta(ge=0, le=MAX_SEED)]
"""Seed read from a file."""


def truncate_middle(text: str, max_length: int = MAX_MESSAGE_LENGTH) -> str:
    """Shorten a text to at most `max_length` characters by leaving out its middle."""
    if len(text) <= max_length:
        return text
    head, tail = max_length * 2 // 3, max_length // 3 - 5
    return f"{text[:head]} ... {text[-tail:]}"


def parse_int(text: str) -> int | None:
    """Integer written in plain digits; None for anything else, and beyond `MAX_INT`."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len(str(MAX_INT)):
        return None
    number = int(text)
    return number if abs(number) <= MAX_INT else None


def are_valid_coordinates(*coordinates: float) -> bool:
    """True if all coordinates are finite and within `MAX_COORDINATE` [m]."""
    return all(-MAX_COORDINATE <= value <= MAX_COORDINATE for value in coordinates)
