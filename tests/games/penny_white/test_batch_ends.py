"""Tests of batched ends of Penny White against the rules, and of rollouts with them."""

from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim.ai import GRADES, NO_NOISE, RolloutPlayer, SearchConfig
from flicksim.core.random_streams import RandomStreams
from flicksim.engine import Settings, simulate
from flicksim.games.penny_white import GAME, rollouts, rules, value_table
from flicksim.games.penny_white.batch_ends import EndBatch, EndSimulator, coin_ids, is_supported, scene_with_all_coins
from flicksim.games.penny_white.equipment import WHITE, Options
from flicksim.games.penny_white.state import Remove, State
from flicksim.match import GameRolloutModel, PhysicsSimulator
from flicksim.match.rollout_model import make_disc_simulator
from flicksim.scene import Flick
from tests.games.penny_white.helpers import state as state_of


def placed(options: Options, **more: Any) -> State:
    """An end whose white is placed, with more as said (see `helpers.state`); the starter is to play."""
    options = msgspec.structs.replace(options, jack_mode="beginner")
    starter, middle = int(options.first == "second"), options.board_mm[0] / 2.0
    return state_of(options, **{"white": (middle, 575.0), "starter": starter, "to_play": starter, **more})


def play_of(options: Options, hand: str = "club") -> EndSimulator:
    return EndSimulator(options, make_disc_simulator(scene_with_all_coins(options), Settings()), GRADES[hand])


@pytest.mark.parametrize(
    "options",
    [Options(first="first"), Options(first="first", off_rule="overhang", short_penny="removed", pennies=3),
     Options(first="second", removals_per_coin=False, board_mm=(200.0, 700.0))],
)  # fmt: skip
def test_batch_ends_match_the_rules(options: Options) -> None:
    """Every end that is played here by arrays is played again turn by turn, by `simulate` and the rules."""
    count, state = 30, placed(options)
    play = play_of(options, "beginner")
    ends = play.from_state(state, count)
    samples = np.random.Generator(np.random.PCG64(4)).standard_normal((count, 2 * options.pennies, 3))
    one_by_one = [state] * count
    points = np.zeros((count, 2))
    for step in range(2 * options.pennies):
        rows = np.flatnonzero(ends.running)
        some = ends.select(rows)
        start, speed, azimuth = play.heuristic_flick(some)
        for row, at, push, turn in zip(rows.tolist(), start.tolist(), speed.tolist(), azimuth.tolist(), strict=True):
            points[row] += followed(one_by_one, row, at, push, turn, samples[row, step])
        play.flick(some, start, speed, azimuth, samples[rows, step])
        ends.update(rows, some)
        for row in np.flatnonzero(ends.running).tolist():
            assert_same(one_by_one[row], ends, row)
    assert (points == ends.points).all()
    assert ends.points.any(axis=1).mean() > 0.8


def followed(
    states: list[State], row: int, at: list[float], speed: float, azimuth: float, samples: np.ndarray
) -> np.ndarray:
    """Play a turn, and the removals it leads to, by the rules; the points it gained."""
    state, hand = states[row], GRADES["beginner"]
    name = rules.next_coin(state)
    flick = Flick(
        piece=name, start=(at[0], at[1]), speed=float(np.clip(speed * (1 + hand.speed * samples[1]), 1e-3, 20.0)),
        azimuth=float(azimuth + hand.azimuth * samples[0]),
        offset=float(np.clip(hand.offset * samples[2], -0.95, 0.95)),
    )  # fmt: skip
    rules.check_action(state, flick)
    before = state.scores
    scene, flick = rules.simulation_setup(state, flick) or pytest.fail("nothing moves")
    motion = simulate(scene, flick)
    state = rules.next_state(state, motion, rules.judge(state, flick, motion))
    state = rollouts.resolve_removals(state)
    states[row] = state
    return np.subtract(state.scores, before)


def assert_same(state: State, ends: EndBatch, row: int) -> None:
    ids = coin_ids(state.options)
    assert {ids[k] for k in np.flatnonzero(ends.on_board[row])} == {piece.id for piece in state.scene.pieces}
    for piece in state.scene.pieces:
        assert ends.positions[row, ids.index(piece.id)] == pytest.approx(piece.position, abs=1e-6)
    assert tuple(ends.pennies_left[row]) == state.left
    assert ends.to_play[row] == state.to_play


def test_what_options_ask_for_rarely_is_not_played_here() -> None:
    assert is_supported(Options())
    for one in (Options(tie="replay"), Options(removal_scope="any"), Options(blocked_start="lift")):
        assert not is_supported(one)


def test_a_failed_opening_gives_the_opponent_a_point_and_restarts_the_end() -> None:
    options = Options(first="first", ends=1)
    state = rules.initial_state(options, 2, RandomStreams(seed=1))
    future = GameRolloutModel(GAME, PhysicsSimulator())
    short, good = (Flick(piece=WHITE, speed=speed, azimuth=np.pi / 2) for speed in (0.5, 1.45))
    found = future.rollout(state, 0, [short, good], GRADES["world"], 200, 1)
    assert (found.point_margin[0] == -1).all(), "a point behind, and the end is still to be played"
    assert 0.05 < found.win_probability[0].mean() < 0.45
    assert (found.win_probability[0] == found.win_probability[0, 0]).all()
    # of 80 such games between world-class players the starter won .36 (.25 to .46): the other has the last penny
    assert 0.25 < found.win_probability[1].mean() < 0.46


@pytest.mark.parametrize(("scores", "chance"), [((10, 0), 1.0), ((0, 10), 0.0)])
def test_a_game_whose_last_end_cannot_change_it_is_won_or_lost(scores: tuple[int, int], chance: float) -> None:
    """The last penny of the last end, ten points ahead or behind."""
    options = Options(first="first", ends=1, pennies=1)
    state = placed(options, left=(0, 1), to_play=1, blue_1=(150.0, 450.0))
    state = msgspec.structs.replace(state, scores=scores)
    future = GameRolloutModel(GAME, PhysicsSimulator())
    actions = future.top_candidates(state, 6)
    assert (future.rollout(state, 0, actions, GRADES["club"], 50, 1).win_probability == chance).all()
    assert (future.rollout(state, 1, actions, GRADES["club"], 50, 1).win_probability == 1.0 - chance).all()


def test_a_removal_that_ends_the_game_is_valued_by_the_result() -> None:
    """Nobody has a penny left; Red may take Blue's nearest off, after which his own is the nearest."""
    options = Options(first="first", ends=1, pennies=1)
    state = placed(options, left=(0, 0), to_play=1, blue_1=(150.0, 550.0), red_1=(150.0, 450.0))
    state = msgspec.structs.replace(state, phase="remove", removals=1, flicker=0)
    future = GameRolloutModel(GAME, PhysicsSimulator())
    actions = [Remove(penny="blue-1"), Remove(penny=None)]
    found = future.rollout(state, 1, actions, GRADES["club"], 20, 1)
    assert (found.win_probability[0] == 1.0).all()
    assert (found.win_probability[1] == 0.0).all()
    player = RolloutPlayer(future, 1, GRADES["club"], SearchConfig(shots=500))
    assert player.choose(state, GAME.rules.legal_actions(state), np.random.default_rng(1)) == actions[0]


def test_win_probability_is_symmetric_and_grows_with_the_lead() -> None:
    assert rollouts.win_probability_by_lead(0, True, False, GRADES["club"])[40] == 0.5, "a level game that is over"
    for left in (1, 2, 5):
        mine, theirs = (
            rollouts.win_probability_by_lead(left, starts, False, GRADES["club"]) for starts in (True, False)
        )
        assert (np.diff(mine) >= 0.0).all()
        assert mine + theirs[::-1] == pytest.approx(1.0), "what one wins the other loses"
        assert mine[40] == pytest.approx(0.5) if left == 2 else 0.44 < mine[40] < 0.5, "the last penny is worth more"
        starter = value_table.starter_gain_probabilities(GRADES["club"])
        assert left > 1 or mine[40] == pytest.approx(sum(starter[5:]) + 0.5 * starter[4], abs=1e-4)


def test_common_random_numbers_reduce_the_variance_of_differences() -> None:
    """Common random numbers: two flicks hardly apart differ less in pairs than in tries of their own."""
    state = placed(Options(first="first"))
    future = GameRolloutModel(GAME, PhysicsSimulator())
    one = future.top_candidates(state, 1)[0]
    other = msgspec.structs.replace(one, azimuth=one.azimuth + 0.001)
    same = future.rollout(state, 0, [one, other], GRADES["club"], 400, 1).point_margin
    own = future.rollout(state, 0, [other], GRADES["club"], 400, 2).point_margin[0]
    assert (same[0] - same[1]).std() < 0.8 * (same[0] - own).std()


def test_exact_rollouts_execute_without_noise() -> None:
    state = placed(Options(first="first"))
    future = GameRolloutModel(GAME, PhysicsSimulator())
    plan = future.top_candidates(state, 1)[0]
    found = future.rollout(state, 0, [plan], GRADES["club"], 3, 1, exact=True)
    assert found.executed[0] == pytest.approx(np.array([[plan.speed, plan.azimuth]] * 3))
    assert found.shots == 3, "what comes after is known"
    by_thumb = GameRolloutModel(GAME, PhysicsSimulator(), use_learned=False)
    assert by_thumb.rollout(state, 0, [plan], GRADES["club"], 3, 1, exact=True).shots == 3 * 8
    last_but_one = placed(Options(first="first"), left=(1, 1), blue_1=(150.0, 500.0), red_1=(170.0, 540.0))
    plan = future.top_candidates(last_but_one, 1)[0]
    found = by_thumb.rollout(last_but_one, 0, [plan], GRADES["club"], 3, 1, exact=True)
    assert found.shots == 3, "the reply to the last flick but one is foreseen without learned tables too"
    opening = rules.initial_state(Options(), 2, RandomStreams(seed=0))
    plan = future.top_candidates(opening, 1)[0]
    found = by_thumb.rollout(opening, opening.starter, [plan], GRADES["club"], 3, 1, exact=True)
    assert found.shots == 3, "and so is all that follows the opening"
    unlike = msgspec.structs.replace(state, options=msgspec.structs.replace(state.options, board_mm=(300.0, 900.0)))
    plan = future.top_candidates(state, 1)[0]
    assert future.rollout(unlike, 0, [plan], GRADES["club"], 3, 1, exact=True).shots == 3 * 8
    assert NO_NOISE.speed == 0.0
