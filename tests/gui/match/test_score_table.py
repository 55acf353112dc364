"""Shot statistics of a game at its end, and its best shot."""

from flicksim.gui.match.score_table import best_shot, shot_statistics, shots_of

from ..card_helpers import card_match
from ..conftest import penny_white_match


def test_shots_touches_and_errors_are_reported_by_seat() -> None:
    match = penny_white_match("bot:club", "random", ends=1, pennies=2)
    for _ in match.run():
        pass
    rows = dict(shot_statistics(match))
    assert rows["Shots"] == tuple(str(len(shots_of(match, seat))) for seat in (0, 1))
    assert all(word.endswith("%") for word in rows["Touched another"])
    assert all("°" in word for word in rows["Off the aim, on average"])
    place = best_shot(match)
    assert place is not None
    assert match.turns[place].result is not None
    tiles = card_match("dominoes", "random", "random")
    tiles.play(tiles.ask_player())
    assert (shot_statistics(tiles), best_shot(tiles)) == ((), None), "without shots"
