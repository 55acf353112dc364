"""Prompts of a match of launches: who has to load yet, the countdown, and who may launch."""

from collections.abc import Sequence
from math import ceil

from flicksim.games.ice.state import State
from flicksim.gui.table_view.match_text import seat_text
from flicksim.match import Match


def loading_prompt(match: Match, unloaded: Sequence[int]) -> str:
    """Prompt to the seats that have not loaded yet."""
    if len(unloaded) == len(match.players):
        return "Everybody: stack a missile on your launcher."
    seats = [seat_text(match, seat) for seat in unloaded]
    names = " and ".join(filter(None, [", ".join(seats[:-1]), *seats[-1:]]))
    return f"{names}: stack a missile on your launcher."


def launching_prompt(match: Match, state: State, time: float) -> str:
    """Prompt at a time of the game's clock [s]; before 0 it is counted down."""
    is_single = state.seats == 1
    if time < 0.0:
        return f"{'You hold' if is_single else 'Everybody holds'} a loaded launcher. Ready ... {ceil(-time)}"
    if is_single:
        return "Launch whenever you like."
    armed = [seat for seat, hand in enumerate(state.hands) if hand]
    if sum(len(state.hands[seat]) for seat in armed) > 1:
        return "All launch at once. Flick whenever you are loaded."
    return f"{seat_text(match, armed[0])} has the last missile." if armed else "Every missile is launched."
