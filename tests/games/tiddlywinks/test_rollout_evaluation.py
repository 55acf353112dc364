"""Tests of rollout evaluation at tiddlywinks: known values, and properties of the rollouts."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import msgspec
import numpy as np
import pytest

from flicksim.ai import GRADES, ExecutionNoise, RolloutPlayer, SearchConfig, SuccessiveElimination, evaluate
from flicksim.core.serialization import fingerprint, to_json
from flicksim.games import load
from flicksim.games.tiddlywinks import bot, rollout_evaluation, rules
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.candidate_shots import POT, candidate_shots
from flicksim.games.tiddlywinks.heuristic_value import DEFAULT_STYLE, STYLES_BY_NAME
from flicksim.games.tiddlywinks.position import load_builtin, to_state
from flicksim.games.tiddlywinks.rollouts import POLICY_WEIGHTS, rollout_states, shot_features
from flicksim.games.tiddlywinks.shot_chances import DISTANCE_STEP, MISSES_PER_CELL, chance_lookup, load_shot_chances
from flicksim.games.tiddlywinks.state import State
from flicksim.match import GameModel, GameRolloutModel, PhysicsSimulator
from flicksim.scene import Squidge
from tests.games.tiddlywinks.helpers import book, potted_except, state_from_position

GAME = load("tiddlywinks")


@pytest.fixture(scope="module")
def rollout_model() -> GameRolloutModel:
    return GameRolloutModel(GAME, PhysicsSimulator())


def last_shot(direction: float = 300.0) -> State:
    """Blue has the last shot of the game: a lone wink so far from the pot [mm]. Potted it wins, else Green does."""
    state = state_from_position({"blue-3": (direction, 0.0), "green-3": (-300.0, 250.0), "green-4": (-300.0, -250.0)})
    return book(state, opener=0, turn=0, to_play=0, laps=1, clock=1200.0)


def pot_of(state: State) -> Squidge:
    return next(
        plan.shot
        for plan in candidate_shots(state, STYLES_BY_NAME[DEFAULT_STYLE])
        if plan.target == POT and not plan.shot.start
    )


def test_chance_table_matches_its_fingerprint_and_holds_probabilities() -> None:
    table = load_shot_chances()
    assert fingerprint(table) == "30859a8f072dafdd"
    assert len(table.pot) == 4 * 2 * len(table.pots)
    assert len(table.squop_miss) == 4 * 4 * len(table.squops) * MISSES_PER_CELL * 2
    assert all(0.0 <= chance <= 1.0 for chance in (*table.pot, *table.squop))
    best, club, worst = (chance_lookup(GRADES[grade]).pot[1] for grade in ("world", "club", "beginner"))
    assert best[40:].mean() > worst[40:].mean() + 0.3, "a steadier hand pots more"
    assert worst[60] > worst[100] > worst[160], "and from nearer by"
    between = chance_lookup(ExecutionNoise(speed=0.03, azimuth=0.05)).pot[1]
    assert worst[100] < between[100] < club[100]


@pytest.mark.parametrize("hand", ["beginner", "club"])
def test_value_of_a_lone_pot_is_its_probability(rollout_model: GameRolloutModel, hand: str) -> None:
    """Equal to the table, and within four standard errors of 40 simulations."""
    state = last_shot()
    shot = pot_of(state)
    result = rollout_model.prior_values(state, 0, [shot], GRADES[hand], 1)
    expected = float(chance_lookup(GRADES[hand]).pot[1, int(0.3 / DISTANCE_STEP)])
    assert result[0][0] == pytest.approx(expected, abs=0.06)
    found = rollout_model.rollout(state, 0, [shot], GRADES[hand], 40, 3)
    assert set(np.unique(found.win_probability)) <= {0.0, 1.0}, "potted or not, the game is over"
    assert found.win_probability.mean() == pytest.approx(expected, abs=4.0 * np.sqrt(0.25 / 40))


def test_win_probability_of_a_won_game_is_one_for_every_action(rollout_model: GameRolloutModel) -> None:
    """Blue has all but one in the pot and the game ends after this shot; nobody else has a wink in play."""
    state = state_from_position({**potted_except("blue", "blue-6"), "blue-6": (600.0, 0.0)})
    state = book(state, opener=0, turn=0, to_play=0, laps=1, clock=1200.0)
    found = rollout_model.rollout(state, 0, rollout_model.top_candidates(state, 3), GRADES["beginner"], 4, 1)
    assert (found.win_probability == 1.0).all()
    assert (
        rollout_model.rollout(
            state, 1, rollout_model.top_candidates(state, 3), GRADES["beginner"], 4, 1
        ).win_probability
        == 0.0
    ).all()


def test_a_foul_shot_has_a_lower_value_than_any_fair_one(rollout_model: GameRolloutModel) -> None:
    """Opponents can have a foul replayed for ever, so it must gain nothing (TW-9b3): in rollouts and by heuristic."""
    state = state_from_position({"blue-3": (200.0, 0.0), "green-3": (182.0, 0.0), "red-3": (-300.0, 100.0)})
    fair = Squidge(piece="blue-3", speed=1.0, azimuth=0.0, elevation=1.0)
    foul = Squidge(piece="blue-3", speed=1.0, azimuth=np.pi, elevation=1.0, press=1.0, drag=0.03)
    found = rollout_model.rollout(state, 0, [fair, foul], GRADES["club"], 4, 1)
    assert found.win_probability[0].mean() > 0.2
    assert (found.win_probability[1] == 0.0).all()
    kept, lost = GameModel(GAME, PhysicsSimulator()).next_states(state, [fair, foul])
    assert lost.book.phase == "foul"
    for seat, sign in ((0, 1.0), (1, -1.0)):
        assert sign * (bot.value(kept, seat) - bot.value(lost, seat)) > 2.0


def test_rollouts_are_even_for_equal_sides_and_favour_the_leader(rollout_model: GameRolloutModel) -> None:
    even = state_from_position({f"{colour}-3": (x, y) for colour, (x, y) in
                     zip(("blue", "green", "red", "yellow"), ((300, 200), (300, -200), (-300, -200), (-300, 200)),
                         strict=True)})  # fmt: skip
    ahead = state_from_position({**potted_except("blue", "blue-6"), "blue-6": (150.0, 0.0)}, to_play="green")
    samples = np.random.default_rng(1).integers(1, 2**31 - 2, (2, 2000))
    result = rollout_evaluation.rollout_leads([even, ahead], np.array([0, 1]), samples, GRADES["club"], rollout_model)
    assert 0.4 < (result[0] > 0).mean() < 0.75, "who plays first is a little better off"
    assert (result[1] > 0).mean() > 0.85
    assert np.abs(result).max() <= 7.0


def test_rollouts_use_squops_and_the_clock() -> None:
    state = state_from_position({"green-3": (200.0, 0.0), "blue-1": (203.0, 0.0), "red-1": (100.0, 50.0)})
    state = book(state, opener=2, clock=1170.0)
    heads = rollout_states([state])
    column = {name: k for k, name in enumerate(kit.WINKS)}
    assert heads.covered_by[0, column["green-3"]] == column["blue-1"]
    assert heads.covered_by[0, column["red-1"]] == -1
    assert heads.scalars[0, 2] == 2, "thirty seconds are two shots"
    assert heads.scalars[0, 3] == -1
    assert heads.wink_states[0].tolist().count(1) == 3


def test_rollouts_sample_shots_by_the_softmax_of_their_values(rollout_model: GameRolloutModel) -> None:
    """Only a pot with the last shot wins: the policy's probability of each pot, times its chance."""
    state, lookup = last_shot(200.0), chance_lookup(GRADES["club"])
    shots, features = shot_features(state, lookup)
    odds = np.exp(features @ POLICY_WEIGHTS)
    expected = 0.0
    for (wink, target), share in zip(shots, odds / odds.sum(), strict=True):
        x, y = rollout_states([state]).positions[0, wink]
        chance = lookup.pot[0 if wink % 6 < 2 else 1, min(239, int(np.hypot(x, y) / DISTANCE_STEP))]
        expected += share * chance if target == -1 else 0.0
    assert 0.2 < expected < 0.95
    seeds = np.random.default_rng(1).integers(1, 2**31 - 2, (1, 4000))
    lead = rollout_evaluation.rollout_leads([state], np.array([0]), seeds, GRADES["club"], rollout_model)
    assert (lead > 0).mean() == pytest.approx(expected, abs=0.03)


def test_policy_values_what_a_shot_frees_and_releases() -> None:
    """Blue's wink covers one of Green's: it releases that wherever it goes, and cannot cover it anew."""
    state = state_from_position({"green-3": (300.0, 0.0), "green-4": (60.0, 0.0), "blue-3": (304.0, 0.0)})
    shots, features = shot_features(state, chance_lookup(GRADES["club"]))
    column = {name: k for k, name in enumerate(kit.WINKS)}
    own = [k for k, (wink, _) in enumerate(shots) if wink == column["blue-3"]]
    assert {shots[k][1] for k in own} == {column["green-4"], -1, -2}
    assert features[own, :2].tolist() == [[0.0, 1.0]] * 3
    others = [k for k in range(len(shots)) if k not in own]
    assert not features[others, :2].any()


def test_rollouts_are_reproducible_with_one_thread_or_two() -> None:
    state = last_shot()

    def result(_: int) -> bytes:
        own = GameRolloutModel(GAME, PhysicsSimulator())
        found = own.rollout(state, 0, own.top_candidates(state, 2), GRADES["club"], 3, 7)
        return to_json((found.win_probability.tolist(), found.point_margin.tolist(), found.executed.tolist()))

    with ThreadPoolExecutor(2) as pool:
        assert len({result(0), *pool.map(result, range(2))}) == 1


def test_common_random_numbers_reduce_the_variance_of_differences(rollout_model: GameRolloutModel) -> None:
    state = last_shot()
    shot = pot_of(state)
    other = msgspec.structs.replace(shot, speed=shot.speed * 1.002)
    same = rollout_model.rollout(state, 0, [shot, other], GRADES["club"], 24, 1).win_probability
    own = rollout_model.rollout(state, 0, [other], GRADES["club"], 24, 2).win_probability[0]
    assert (same[0] - same[1]).std() < (same[0] - own).std()


def test_who_goes_by_tables_settles_nothing_and_finds_the_shot_that_wins(rollout_model: GameRolloutModel) -> None:
    """A wink a hand's breadth from the pot, and the last shot of the game: nothing else wins."""
    state = last_shot(110.0)
    race = SuccessiveElimination(
        rollout_model,
        GRADES["club"],
        SearchConfig(shots=0, candidates=24, new_candidates=0, prior_tries=1),
        state,
        0,
        np.random.default_rng(1),
    )
    race.run()
    assert race.shots == 0
    assert race.candidates[0].action == pot_of(state)
    player = RolloutPlayer(
        rollout_model,
        0,
        GRADES["club"],
        SearchConfig(shots=12, candidates=4, new_candidates=0, min_tries=3, prior_tries=4),
    )
    assert player.choose(state, rules.legal_actions(state), np.random.default_rng(2)) == pot_of(state)


@pytest.mark.long
def test_shots_of_one_wink_with_one_purpose_are_listed_once(rollout_model: GameRolloutModel) -> None:
    """Three ways to bring the same wink in are one idea; to pot it is another."""
    state = to_state(load_builtin("pile_of_three"))
    seat = GAME.rules.to_play(state)
    result = [one.action for one in evaluate(rollout_model, GRADES["club"], state, seat, 1, 600).best]
    purposes = [(one.piece, rollout_model.purpose(state, one)) for one in result]
    assert len(set(purposes)) == len(purposes) == 3
    assert not any(rollout_model.is_similar(state, one, other, GRADES["club"]) for one, other in pairwise(result))
    bring, far = result[0], msgspec.structs.replace(result[0], azimuth=result[0].azimuth + 0.1)
    assert rollout_model.purpose(state, bring) == rollout_model.purpose(state, far)
    assert rollout_model.is_similar(state, bring, far, GRADES["club"])
