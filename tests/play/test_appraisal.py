"""A position appraised: the first word soon, the last with more shots; chances of both sides; maps and motions."""

from __future__ import annotations

import pytest

from flicksim.base.errors import BadOption
from flicksim.games import load
from flicksim.play import Appraisal, appraising, charting, expected, open_match, parse_seat, showing
from flicksim.players import Weighed, Weighing, Worth, while_heard
from flicksim.referee import parse_options
from flicksim.table import Flick, Motion

GAME = load("penny-white")


def _match(turns: int):
    options = parse_options(GAME, ["ends=1", "pennies=1", "first=first"])
    match = open_match(GAME, options, [parse_seat("bot:beginner")] * 2, 5)
    for _ in range(turns):
        match.play(match.ask())
    return match


def test_every_word_rests_on_more_shots_and_the_same_seed_says_the_same() -> None:
    state = _match(2).state
    told = list(appraising("penny-white", state, "club", 1))
    shots = [one.weighing.shots for one in told]
    assert shots == sorted(shots)
    assert len(told) >= 2
    assert not told[-1].guessed
    assert [one.rough for one in told] == [True] + [False] * (len(told) - 1)
    assert shots[0] < shots[1] / 2, "the first word waits for few shots"
    assert told == list(appraising("penny-white", state, "club", 1))
    best = told[-1].weighing.best[0].action
    (motion,) = showing("penny-white", state, best)
    assert isinstance(motion, Motion)
    assert motion.flick == best


def test_the_shots_told_of_as_they_are_settled_are_those_it_rests_on() -> None:
    heard: list[int] = []
    with while_heard(heard.append):
        first = next(appraising("penny-white", _match(2).state, "club", 1))
    assert sum(heard) == first.weighing.shots
    soonest, most = expected(GAME, mapped=True)
    assert first.weighing.shots < soonest < most


def test_a_finished_game_is_refused_in_a_sentence() -> None:
    match = _match(0)
    while not match.over:
        match.play(match.ask())
    with pytest.raises(BadOption, match="the game is over there"):
        next(appraising("penny-white", match.state, "club", 1))


def test_shares_of_two_sides_add_up_whoever_is_to_play() -> None:
    worth = Worth(chance=0.7, low=0.6, high=0.8, points=0.0, give=0.1, tries=64)
    best = (Weighed(action=Flick(piece="red-1", speed=1.0, azimuth=1.0), worth=worth),)

    def told(seat: int) -> Appraisal:
        return Appraisal(weighing=Weighing(seat=seat, best=best, sure=True, shots=64, each=1.0), guessed=False)

    assert told(0).shares(GAME.sides(2))[0] == (0.7, 0.6, 0.8)
    first, other = told(1).shares(GAME.sides(2))
    assert other == (0.7, 0.6, 0.8)
    assert first == pytest.approx((0.3, 0.2, 0.4))
    own, rest = told(2).shares(((0,), (1,), (2,)))
    assert own == (0.7, 0.6, 0.8)
    assert rest == pytest.approx((0.3, 0.2, 0.4))


def test_the_map_of_a_flick_is_told_about_that_flick() -> None:
    state = _match(2).state
    flick = next(appraising("penny-white", state, "club", 1)).weighing.best[0].action
    (told,) = charting("penny-white", state, "club", 1, (flick,))
    assert told.action == flick
    assert min(told.azimuths) < flick.azimuth < max(told.azimuths)
