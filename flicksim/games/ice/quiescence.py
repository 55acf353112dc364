"""Quiescent states of Ice Tiddly Winks: no missile in flight, so that one launch can be evaluated."""

from __future__ import annotations

from flicksim.games.ice.state import State, Wait

_MAX_FLIGHT_TIME = 60.0
"""Upper bound of the time in flight [s]."""


def wait_for_landings(state: State) -> Wait | None:
    """Waiting action of the only seat with a missile left, until the others' missiles are down; else None."""
    seats = [seat for seat, hand in enumerate(state.hands) if hand]
    if not state.aloft or len(seats) != 1 or len(state.hands[seats[0]]) != 1:
        return None
    return Wait(until=state.ready[seats[0]] + _MAX_FLIGHT_TIME)
