"""The most that is taken from outside. Every bound on files, lines, words and numbers stands here.

They are far beyond anything that is meant, and near enough that nothing fills the memory or takes for ever.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

FILE = 16_000_000
"""A file somebody brings: a position, a scene, an experiment, settings [bytes]. Those that are shipped have a few
thousand."""
RECORD = 256_000_000
"""A recorded game [bytes]: some 300,000 turns."""
LINE = 1_000_000
"""One line of a record [bytes]: a turn has 500, the header of a game begun at a position 5,000."""
SENTENCE = 800
"""A message [letters]; what it quotes is cut out of its middle."""
NUMBER = 1e15
"""The size of a number that stands by itself: as many digits as are exact."""
WHOLE = 2**63 - 1
"""The size of a whole number."""
SEED = 2**53 - 1
"""A seed: what every language reads back exactly."""
PLACE = 1e6
"""Largest distance of anything from the middle of things, each way [m]: there a nanometre still counts."""

TITLE, NAME = 300, 150
"""A title, and a name [letters]."""

Title = Annotated[str, msgspec.Meta(max_length=TITLE)]
"""Name shown to people, as long as a title may be."""
Name = Annotated[str, msgspec.Meta(max_length=NAME)]
"""Name in the name of a file, or in a narrow place: a column, a unit, a machine, a time."""
Words = Annotated[str, msgspec.Meta(max_length=10_000)]
"""A few sentences."""
SeedNumber = Annotated[int, msgspec.Meta(ge=0, le=SEED)]
"""A seed read from a file."""


def bounded(text: str, most: int = SENTENCE) -> str:
    """A text, its middle left out where it is too long to be read [letters]."""
    if len(text) <= most:
        return text
    head, tail = most * 2 // 3, most // 3 - 5
    return f"{text[:head]} ... {text[-tail:]}"


def whole(text: str) -> int | None:
    """The whole number that is written there in plain digits; None for anything else, and for one past `WHOLE`."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len(str(WHOLE)):
        return None
    number = int(text)
    return number if abs(number) <= WHOLE else None


def near(*places: float) -> bool:
    """True where all of these are numbers, and within reach [m]."""
    return all(-PLACE <= place <= PLACE for place in places)
