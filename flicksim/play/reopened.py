"""A record made ready to be played again."""

from __future__ import annotations

from flicksim.base.errors import BadFile, FlicksimError
from flicksim.games import load, names
from flicksim.play.open_match import Seat, open_match, parse_seat
from flicksim.play.record import Record, Replay, must_be_whole, position_in
from flicksim.referee import parse_options


def reopened(record: Record) -> tuple[Replay, list[Seat]]:
    """A record ready to be played again, and who sits there.

    Raises:
        Altered: it was altered so that it cannot be.
        BadFile: it is a game that is not here, or cannot be set up as it says. BadOption: nor can its seats.
    """
    try:
        return _opened(record)
    except FlicksimError:
        must_be_whole(record)
        raise


def _opened(record: Record) -> tuple[Replay, list[Seat]]:
    header = record.header
    if header.game not in names():
        raise BadFile(f"{str(record.path)!r} is a game of {header.game!r}; this flicksim has {', '.join(names())}")
    card = load(header.game)
    seats = [parse_seat(word) for word in header.seats]
    position = position_in(header, card)
    options = parse_options(card, header.options)
    match = open_match(card, options, seats, header.seed, position=position, bounds=header.bounds)
    return Replay(record, match), seats
