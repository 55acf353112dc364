"""The figures of a game at its end, and its best shot."""

from __future__ import annotations

from flicksim.ui.match.figures import best, figures, shots

from ..at_cards import cards
from ..conftest import match_of


def test_shots_touches_and_errors_are_told_by_seat() -> None:
    match = match_of("bot:club", "random", options=("ends=1", "pennies=2"))
    for _ in match.run():
        pass
    rows = dict(figures(match))
    assert rows["Shots"] == tuple(str(len(shots(match, seat))) for seat in (0, 1))
    assert all(word.endswith("%") for word in rows["Touched another"])
    assert all("°" in word for word in rows["Off the aim, on average"])
    place = best(match)
    assert place is not None
    assert match.turns[place].account is not None


def test_where_nothing_is_shot_there_are_none() -> None:
    match = cards("dominoes", "random", "random")
    for _ in match.run():
        pass
    assert figures(match) == ()
    assert best(match) is None
