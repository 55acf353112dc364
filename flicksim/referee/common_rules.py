"""Functions of rules that several games share; their `rules` modules import them (see `Rules`)."""

from fractions import Fraction

import msgspec

from flicksim.core.type_aliases import State
from flicksim.referee.verdict import top_scorers


def to_play(state: State) -> int | None:
    """Seat that acts now, as the state says; None when the game is over."""
    seat: int | None = state.to_play
    return seat


def scores(state: State) -> tuple[Fraction, ...]:
    """Points by seat, as the state says."""
    return tuple(map(Fraction, state.scores))


def leaders(state: State) -> tuple[int, ...]:
    """Seats that win or share the win at the current score."""
    return top_scorers(state.scores)


def view(state: State, seat: int) -> State:
    """View of the state for a seat: nothing is hidden."""
    del seat
    return state


def view_of_zones(state: State, seat: int) -> State:
    """View of the state for a seat: zones whose faces it sees, and of the others the numbers of cards; no seeds."""
    return msgspec.structs.replace(state, zones=state.zones.view_for(seat), seeds=None)
