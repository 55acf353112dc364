"""Endings of rounds with all hands known, solved exactly: everybody seeks the largest share of the round."""

from __future__ import annotations

from flicksim.games.dominoes.line import lowest
from flicksim.games.dominoes.quick import Quick

SOLVED = 8
"""With so many tiles in all hands together, at most, an ending is solved where rounds are played out."""

Shares = tuple[float, ...]
_Key = tuple[tuple[int, ...], int, int, int, bool]


def left(quick: Quick) -> int:
    """Tiles in all hands."""
    return quick.held.bit_count()


def shares(quick: Quick, tie: str) -> Shares:
    """The share of a finished round that each seat has."""
    won = (quick.out,) if quick.out is not None else lowest(quick.hands, tie)
    return tuple(1.0 / len(won) if seat in won else 0.0 for seat in range(len(quick.hands)))


def solved(quick: Quick, tie: str) -> Shares:
    """The share that each seat has when all play best from here; of moves that are alike the first is made."""
    return _best(quick, tie, {})


def _best(quick: Quick, tie: str, known: dict[_Key, Shares]) -> Shares:
    if quick.over:
        return shares(quick, tie)
    key = (tuple(quick.hands), quick.seat, quick.left, quick.right, quick.second)
    found = known.get(key)
    if found is None:
        for move in quick.moves():
            after = quick.copy()
            after.play(move)
            told = _best(after, tie, known)
            if found is None or told[quick.seat] > found[quick.seat]:
                found = told
        assert found is not None
        known[key] = found
    return found
