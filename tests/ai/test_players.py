"""Execution noise, random players, and grades of bots."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from flicksim import ai
from flicksim.ai import GRADES, NO_NOISE, ExecutionNoise, LookaheadConfig, LookaheadPlayer, RandomPlayer
from flicksim.ai.players import LOOKAHEAD_CONFIGS
from flicksim.core.errors import FlicksimError, IllegalAction, InvalidOption, InvalidValue
from flicksim.core.units import deg2rad
from flicksim.games.penny_white import GAME
from flicksim.games.penny_white.rules import Remove
from flicksim.match import open_match, parse_seat
from flicksim.referee import FlickRange, LegalActions, parse_options
from flicksim.scene import MAX_SPEED, Flick, Squidge
from flicksim.scene.flick import FULL_TURN
from flicksim.scene.launch import Launch
from tests.matches import new_match

LAUNCH = Launch(piece="m", size="small", hold=(0.0, 0.0), azimuth=6.2, speed=3.0)
MEANT = Flick(piece="a", speed=1.5, azimuth=1.0, offset=0.1, start=(0.1, 0.02))


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


@pytest.mark.parametrize("times", [0.8, 1.0, 1.5])
@pytest.mark.parametrize("name", list(GRADES))
def test_noise_has_its_standard_deviations_scaled_or_not(name: str, times: float) -> None:
    """4,000 flicks: the spread is known to about a hundredth, the mean to a fiftieth of it."""
    hand, stream, n = GRADES[name].scaled(times), rng(), 4000
    made = [hand.execute(MEANT, stream) for _ in range(n)]
    for errors, spread in (
        ([flick.speed / 1.5 - 1.0 for flick in made], times * GRADES[name].speed),
        ([flick.azimuth - 1.0 for flick in made], times * GRADES[name].azimuth),
        ([flick.offset - 0.1 for flick in made], times * GRADES[name].offset),
    ):
        assert np.std(errors) == pytest.approx(spread, rel=0.05)
        assert abs(np.mean(errors)) < 4 * spread / n**0.5
    speeds, turns = np.array([(flick.speed, flick.azimuth) for flick in made]).T
    assert abs(np.corrcoef(speeds, turns)[0, 1]) < 0.06, "the errors are independent"
    assert all((flick.piece, flick.start) == ("a", (0.1, 0.02)) for flick in made)
    assert hand.free_launcher_factor == GRADES[name].free_launcher_factor


@pytest.mark.parametrize(("held", "times"), [(0.0, 1.5), (0.5, 1.15), (1.0, 0.8), (1.9, 0.8), (3.5, 1.15), (60.0, 1.5)])
def test_hold_time_noise_factor(held: float, times: float) -> None:
    assert ai.hold_time_noise_factor(held) == pytest.approx(times)


@pytest.mark.parametrize(("speed", "error"), [(0.5, 0.054), (1.0, 0.054), (3.0, 0.054), (6.0, 0.108)])
def test_a_gentle_squidge_errs_as_much_as_one_of_3_m_s(speed: float, error: float) -> None:
    """The error [m/s] of a club player, 1.8 %, over 4,000 squidges; many at once are executed alike."""
    hand, stream = GRADES["club"], rng()
    meant = Squidge(piece="a", speed=speed, azimuth=1.2, elevation=0.9, tumble=60.0)
    made = [hand.execute(meant, stream) for _ in range(4000)]
    assert np.std([one.speed for one in made]) == pytest.approx(error, rel=0.05)
    assert hand.speed_and_azimuth_std(meant) == pytest.approx((error / speed, hand.azimuth))
    intended = [np.full(4000, value) for value in (speed, 1.2, 0.9, 60.0)]
    executed = np.array(hand.execute_squidges(rng().standard_normal((4000, 4)), *intended)).T
    assert [(one.speed, one.azimuth, one.elevation, one.tumble) for one in made] == [tuple(row) for row in executed]


def test_grades_are_ordered_by_skill() -> None:
    world = GRADES["world"]
    assert (world.speed, world.azimuth) == pytest.approx((0.009, deg2rad(0.8)))
    assert GRADES["club"].speed == pytest.approx(2 * world.speed)
    assert GRADES["beginner"].azimuth == pytest.approx(6 * world.azimuth)
    spreads = [hand.speed for hand in GRADES.values()]
    assert spreads == sorted(spreads, reverse=True)
    assert list(GRADES) == list(LOOKAHEAD_CONFIGS)


def test_noise_is_deterministic_and_no_noise_exact() -> None:
    hand = GRADES["club"]
    assert hand.execute(MEANT, rng(3)) == hand.execute(MEANT, rng(3))
    assert hand.execute(MEANT, rng(3)) != hand.execute(MEANT, rng(4))
    assert NO_NOISE.execute(MEANT, rng()) == MEANT
    assert NO_NOISE.scaled(1.5) == NO_NOISE
    decision = Remove(penny="red-1")
    assert GRADES["beginner"].execute(decision, rng()) is decision


def test_executed_flicks_are_valid() -> None:
    wild = ExecutionNoise(speed=5.0, azimuth=20.0, offset=5.0)
    stream = rng()
    for _ in range(500):
        made = wild.execute(MEANT, stream)
        assert 0.0 < made.speed <= MAX_SPEED
        assert abs(made.offset) <= 0.95
        assert abs(wild.execute(LAUNCH, stream).azimuth) <= FULL_TURN


@pytest.mark.parametrize("spelling", ["world", "World", "world-class", "World class", "WORLD_CLASS"])
def test_grade_spellings(spelling: str) -> None:
    assert ai.parse_grade(spelling) == "world"


def test_unknown_grades_and_seats_and_impossible_errors_are_refused() -> None:
    with pytest.raises(InvalidValue, match="speed -1 of a hand must lie in 0 to"):
        ExecutionNoise(speed=-1, azimuth=0)
    with pytest.raises(InvalidOption, match=r"'master'.*beginner, club"):
        ai.parse_grade("master")
    for word in ("robot", "bot", "bot:", "bot:master", "human:club", "random:1", "bot:club/master", ""):
        with pytest.raises(InvalidOption, match="beginner"):
            parse_seat(word)
    assert str(parse_seat("bot:world/club")) == "bot:world/club"
    assert str(parse_seat("bot:club")) == "bot:club"


def test_random_player_covers_the_legal_actions() -> None:
    span = FlickRange(
        piece="a", start=((0.0, 0.0), (0.3, 0.0), (0.3, 0.04), (0.0, 0.04)), azimuth=(1.0, 2.0), speed=(0.3, 3.0)
    )
    choices = LegalActions(prompt="", flicks=(span,), actions=(Remove(penny=None),))
    player, dice = RandomPlayer(), rng()
    drawn = [player.choose(None, choices, dice) for _ in range(600)]
    flicks = [action for action in drawn if isinstance(action, Flick)]
    assert 200 < len(flicks) < 400
    for flick in flicks:
        assert 0.0 <= flick.start[0] <= 0.3
        assert 0.0 <= flick.start[1] <= 0.04
        assert 1.0 <= flick.azimuth <= 2.0
        assert 0.3 <= flick.speed <= 3.0
    assert min(flick.speed for flick in flicks) < 0.4
    assert max(flick.speed for flick in flicks) > 2.9


def test_random_player_redraws_refused_actions() -> None:
    def check(_view: Any, action: Any) -> None:
        if action.penny != "c":
            raise IllegalAction("X", "not that one")

    choices = LegalActions(prompt="", actions=tuple(Remove(penny=name) for name in "abc"))
    player = RandomPlayer(check)
    dice = rng()
    assert {player.choose(None, choices, dice).penny for _ in range(20)} == {"c"}


class Pegs:
    """A game of nothing but numbers: an action is worth its speed times how straight it goes."""

    def __init__(self) -> None:
        self.asked: dict[str, list[Flick]] = defaultdict(list)

    def candidates(self, view: Any, stream: np.random.Generator, count: int) -> list[Flick]:
        return [Flick(piece=name, speed=1.0, azimuth=1.0) for name in view][:count]

    def next_states(self, view: Any, actions: Sequence[Flick]) -> Iterator[Flick | FlicksimError]:
        for action in actions:
            self.asked[action.piece].append(action)
            yield FlicksimError("cannot be done") if action.piece == "forbidden" else action

    def value(self, view: Flick, seat: int) -> float:
        worth = {"safe": 1.0, "daring": 1.2 - 40.0 * abs(view.speed - 1.0), "poor": 0.5}[view.piece]
        return worth if seat == 0 else -worth


def test_lookahead_uses_common_random_numbers() -> None:
    model = Pegs()
    thought = LookaheadConfig(candidates=9, refined=2, samples=8)
    player = LookaheadPlayer(model, 0, GRADES["club"], thought)
    chosen = player.choose(["safe", "daring", "forbidden", "poor"], LegalActions(prompt=""), rng())
    assert chosen.piece == "safe", "the daring one is best only when nothing goes wrong"
    kept = [model.asked["safe"][1:], model.asked["daring"][1:]]
    assert [len(tries) for tries in kept] == [8, 8]
    assert [(f.speed, f.azimuth, f.offset) for f in kept[0]] == [(f.speed, f.azimuth, f.offset) for f in kept[1]]
    assert len({f.speed for f in kept[0]}) == 8
    assert len(model.asked["poor"]) == 1, "only the best few are tried again"


def test_lookahead_maximises_its_own_seat_and_is_deterministic() -> None:
    for seat, best in ((0, "safe"), (1, "poor")):
        player = LookaheadPlayer(Pegs(), seat, NO_NOISE, LookaheadConfig(candidates=9, refined=1, samples=1))
        assert player.choose(["safe", "poor"], LegalActions(prompt=""), rng()).piece == best
    chosen = []
    for _ in range(2):
        match = new_match("penny-white", *["bot:club/beginner"] * 2, seed=4, ends=1)
        for turn in match.run():
            chosen.append((turn.number, turn.meant))
            if turn.number >= 6:
                break
    assert chosen[:6] == chosen[6:]


def test_experts_beat_beginners() -> None:
    """Twelve short games, each side of the table in turn: experience shows long before luck evens out."""
    options = parse_options(GAME, ["ends=2", "pennies=2"])
    expert, beginner = parse_seat("bot:expert/club"), parse_seat("bot:beginner")  # so that the series stays quick
    points = [0, 0]
    for seed in range(12):
        seats = [expert, beginner] if seed % 2 == 0 else [beginner, expert]
        match = open_match(GAME, options, seats, 100 + seed)
        list(match.run())
        mine = seed % 2
        points[0] += int(match.scores[mine])
        points[1] += int(match.scores[1 - mine])
    assert points[0] >= 2 * points[1], f"{points[0]} to {points[1]}"


def test_executed_action_is_judged() -> None:
    match = new_match("penny-white", *["bot:beginner"] * 2, seed=8)
    turn = match.play(match.ask_player())
    assert isinstance(turn.meant, Flick)
    assert turn.made != turn.meant
    assert turn.result.flick == turn.made
    assert replace(turn, meant=turn.made) != turn
