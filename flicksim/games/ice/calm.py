"""Positions of Ice Tiddly Winks in which nothing is in the air, so that a launch can be thought of by itself."""

from __future__ import annotations

from flicksim.games.ice.state import State, Wait

_PATIENCE = 60.0
"""Longer than anything is in the air [s]."""


def calmed(state: State) -> Wait | None:
    """To wait until the others' last missiles are down, for whoever alone has one more to launch; else nothing."""
    seats = [seat for seat, hand in enumerate(state.hands) if hand]
    if not state.aloft or len(seats) != 1 or len(state.hands[seats[0]]) != 1:
        return None
    return Wait(until=state.ready[seats[0]] + _PATIENCE)
