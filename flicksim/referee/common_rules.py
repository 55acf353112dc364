"""Functions of rules that several games share: their `rules` modules name them as their own (see `Rules`)."""

from fractions import Fraction

import msgspec

from flicksim.core.type_aliases import State
from flicksim.referee.verdict import top_scorers


def to_play(state: State) -> int | None:
    """Seat that acts now, as the state says; None when the game is over."""
    seat: int | None = state.to_play
    return seat


def scores(state: State) -> tuple[Fraction, ...]:
    """Points by seat, as the state says: at dominoes chips or rounds won, at Tinkle those of the finished rounds."""
    return tuple(map(Fraction, state.scores))


def leaders(state: State) -> tuple[int, ...]:
    """Seats that win or share the win at the current score (PW-9b)."""
    return top_scorers(state.scores)


def view(state: State, seat: int) -> State:
    """View of the state for a seat: nothing is hidden."""
    del seat
    return state


def view_of_zones(state: State, seat: int) -> State:
    """View of the state for a seat: its own faces and those that lie open, else numbers of cards or tiles; no seeds."""
    return msgspec.structs.replace(state, zones=state.zones.view_for(seat), seeds=None)
