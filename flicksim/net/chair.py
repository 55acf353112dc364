"""Chairs of a table: places of people, with the connection to each; and the clock of their decisions."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Protocol

from flicksim.core.serialization import Value
from flicksim.match import Seat
from flicksim.net import protocol
from flicksim.referee import Game


class Peer(Protocol):
    """Connection to a client."""

    name: str

    def send(self, message: protocol.Message | bytes) -> None:
        """Send a message, or one already encoded, without waiting."""

    def end(self, reason: str, about: str = "") -> None:
        """End the connection for good; `about`: kind of message that led to it."""

    @property
    def lag(self) -> int | None:
        """Round trip [ms]; None while unknown."""


@dataclass(slots=True, eq=False)
class Chair:
    """Place of one person: its seats (two where two people hold two each), its owner, and the connection to them.

    Args:
        differences: turns that had another result at this client.
    """

    seats: tuple[int, ...]
    token_digest: str = ""
    name: str = ""
    peer: Peer | None = None
    differences: set[int] = field(default_factory=set)


class DecisionClock:
    """Time for one decision of a person.

    Args:
        limit: [s]; None without one.
        pauses: whether it stands still while the connection of the person to play is lost.
    """

    def __init__(self, limit: float | None, pauses: bool) -> None:
        self.limit, self.pauses = limit, pauses
        self.restart()

    def restart(self) -> None:
        """Begin a new decision."""
        self._used = 0.0
        self.go_on()

    def go_on(self) -> None:
        """Count from now on, beside what is used already."""
        self._start = monotonic()

    def on_connection_lost(self) -> None:
        """Keep the time used so far, if the clock pauses now."""
        if self.pauses:
            self._used += monotonic() - self._start

    def time_left(self, *, is_connected: bool) -> float | None:
        """Time left [s]; None without a limit."""
        if self.limit is None:
            return None
        running = 0.0 if self.pauses and not is_connected else monotonic() - self._start
        return max(0.0, self.limit - self._used - running)


def view_seat(chair: Chair | None) -> int:
    """Seat whose view a client gets; `protocol.WATCHER` for a spectator, who has no chair."""
    return protocol.WATCHER if chair is None else chair.seats[0]


def people_seats(game: Game, options: Value, seats: Sequence[Seat]) -> list[tuple[int, ...]]:
    """Seats of each person: partners' seats together where two people hold two each (option seats=2)."""
    people = [number for number, seat in enumerate(seats) if seat.kind == "human"]
    if game.has_partners and getattr(options, "seats", None) == 2:
        return [held for held in game.sides(len(seats)) if held[0] in people]
    return [(number,) for number in people]


def seat_label(game: Game, seat: int, name: str) -> str:
    """Name of a seat, followed by that of the person who has it."""
    return f"{game.seat_names[seat]} ({name})" if name else game.seat_names[seat]
