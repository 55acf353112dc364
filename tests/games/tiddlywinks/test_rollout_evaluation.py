"""The worth of plans in tiddlywinks where it is known: a lone pot, a won game; and games played on in the head."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import msgspec
import numpy as np
import pytest

from flicksim.ai import GRADES, ExecutionNoise, RolloutPlayer, SearchConfig, SuccessiveElimination, evaluate
from flicksim.core.serialization import to_json
from flicksim.games import load
from flicksim.games.tiddlywinks import bot, rollout_evaluation, rules
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.candidate_shots import POT, candidate_shots
from flicksim.games.tiddlywinks.playing_style import DEFAULT_STYLE, STYLES_BY_NAME
from flicksim.games.tiddlywinks.position import load_builtin, to_state
from flicksim.games.tiddlywinks.rollouts import rollout_states
from flicksim.games.tiddlywinks.shot_chances import MISSES_PER_CELL, chance_table_for, fingerprint_of, load_shot_chances
from flicksim.games.tiddlywinks.state import State
from flicksim.match import GameModel, GameRolloutModel, PhysicsSimulator
from flicksim.scene import Squidge
from tests.games.tiddlywinks.helpers import book, potted_except, state_from_position

GAME = load("tiddlywinks")


@pytest.fixture(scope="module")
def future() -> GameRolloutModel:
    return GameRolloutModel(GAME, PhysicsSimulator())


def last_shot(way: float = 300.0) -> State:
    """Blue has the last shot of the game: a lone wink so far from the pot [mm]. Potted it wins, else Green does."""
    state = state_from_position({"blue-3": (way, 0.0), "green-3": (-300.0, 250.0), "green-4": (-300.0, -250.0)})
    return book(state, opener=0, turn=0, to_play=0, laps=1, clock=1200.0)


def pot_of(state: State) -> Squidge:
    return next(
        plan.shot
        for plan in candidate_shots(state, STYLES_BY_NAME[DEFAULT_STYLE])
        if plan.target == POT and not plan.shot.start
    )


def test_the_table_is_the_one_that_was_counted_and_its_chances_are_chances() -> None:
    table = load_shot_chances()
    assert fingerprint_of(table) == "1434fe79c11ba4df"
    assert len(table.pot) == 4 * 2 * len(table.pots)
    assert len(table.squop_miss) == 4 * 4 * len(table.squops) * MISSES_PER_CELL * 2
    assert all(0.0 <= chance <= 1.0 for chance in (*table.pot, *table.squop))
    best, worst = chance_table_for(GRADES["world"]), chance_table_for(GRADES["beginner"])
    assert best.pot[1, 4:].mean() > worst.pot[1, 4:].mean() + 0.3, "a steadier hand pots more"
    assert worst.pot[1, 5] > worst.pot[1, 8] > worst.pot[1, 11], "and from nearer by"
    between = chance_table_for(ExecutionNoise(speed=0.03, azimuth=0.05))
    assert worst.pot[1, 8] < between.pot[1, 8] < chance_table_for(GRADES["club"]).pot[1, 8]


@pytest.mark.parametrize("hand", ["beginner", "club"])
def test_a_lone_pot_is_worth_its_chance(future: GameRolloutModel, hand: str) -> None:
    """As the table tells it, and as the physics does by 40 tries; four standard errors apart at most."""
    state = last_shot()
    shot = pot_of(state)
    told = future.prior_values(state, 0, [shot], GRADES[hand], 1)
    assert told is not None
    chance = chance_table_for(GRADES[hand]).pot[1]
    expected = float(np.interp(0.3, load_shot_chances().pots, chance))
    assert told[0][0] == pytest.approx(expected, abs=0.06)
    found = future.rollout(state, 0, [shot], GRADES[hand], 40, 3)
    assert set(np.unique(found.win_probability)) <= {0.0, 1.0}, "potted or not, the game is over"
    assert found.win_probability.mean() == pytest.approx(expected, abs=4.0 * np.sqrt(0.25 / 40))


def test_a_won_game_is_worth_one_whatever_is_done(future: GameRolloutModel) -> None:
    """Blue has all but one in the pot and the game ends after this shot; nobody else has a wink in play."""
    state = state_from_position({**potted_except("blue", "blue-6"), "blue-6": (600.0, 0.0)})
    state = book(state, opener=0, turn=0, to_play=0, laps=1, clock=1200.0)
    found = future.rollout(state, 0, future.top_candidates(state, 3), GRADES["beginner"], 4, 1)
    assert (found.win_probability == 1.0).all()
    assert (
        future.rollout(state, 1, future.top_candidates(state, 3), GRADES["beginner"], 4, 1).win_probability == 0.0
    ).all()


def test_a_foul_shot_is_worth_less_than_any_fair_one(future: GameRolloutModel) -> None:
    """The others may have it made again for ever, so a game would not end (TW-9b3): in the head, and by the look."""
    state = state_from_position({"blue-3": (200.0, 0.0), "green-3": (182.0, 0.0), "red-3": (-300.0, 100.0)})
    fair = Squidge(piece="blue-3", speed=1.0, azimuth=0.0, elevation=1.0)
    foul = Squidge(piece="blue-3", speed=1.0, azimuth=np.pi, elevation=1.0, press=1.0, drag=0.03)
    found = future.rollout(state, 0, [fair, foul], GRADES["club"], 4, 1)
    assert found.win_probability[0].mean() > 0.2
    assert (found.win_probability[1] == 0.0).all()
    kept, lost = GameModel(GAME, PhysicsSimulator()).next_states(state, [fair, foul])
    assert isinstance(lost, State)
    assert lost.book.phase == "foul"
    for seat, sign in ((0, 1.0), (1, -1.0)):
        assert sign * (bot.value(kept, seat) - bot.value(lost, seat)) > 2.0


def test_games_in_the_head_are_even_for_even_sides_and_favour_who_is_ahead(future: GameRolloutModel) -> None:
    even = state_from_position({f"{colour}-3": (x, y) for colour, (x, y) in
                     zip(("blue", "green", "red", "yellow"), ((300, 200), (300, -200), (-300, -200), (-300, 200)),
                         strict=True)})  # fmt: skip
    ahead = state_from_position({**potted_except("blue", "blue-6"), "blue-6": (150.0, 0.0)}, to_play="green")
    luck = np.random.default_rng(1).integers(1, 2**31 - 2, (2, 2000))
    told = rollout_evaluation.rollout_leads([even, ahead], np.array([0, 1]), luck, GRADES["club"], future)
    assert 0.4 < (told[0] > 0).mean() < 0.75, "who plays first is a little better off"
    assert (told[1] > 0).mean() > 0.85
    assert np.abs(told).max() <= 7.0


def test_squopped_winks_and_the_clock_are_known_in_the_head() -> None:
    state = state_from_position({"green-3": (200.0, 0.0), "blue-1": (203.0, 0.0), "red-1": (100.0, 50.0)})
    state = book(state, opener=2, clock=1170.0)
    heads = rollout_states([state])
    column = {name: k for k, name in enumerate(kit.WINKS)}
    assert heads.covered_by[0, column["green-3"]] == column["blue-1"]
    assert heads.covered_by[0, column["red-1"]] == -1
    assert heads.scalars[0, 2] == 2, "thirty seconds are two shots"
    assert heads.scalars[0, 3] == -1
    assert heads.wink_states[0].tolist().count(1) == 3


def test_the_same_seed_tells_the_same_with_one_thread_or_two() -> None:
    state = last_shot()

    def told(_: int) -> bytes:
        own = GameRolloutModel(GAME, PhysicsSimulator())
        found = own.rollout(state, 0, own.top_candidates(state, 2), GRADES["club"], 3, 7)
        return to_json((found.win_probability.tolist(), found.point_margin.tolist(), found.executed.tolist()))

    with ThreadPoolExecutor(2) as pool:
        assert len({told(0), *pool.map(told, range(2))}) == 1


def test_the_same_luck_for_all_plans_tells_them_apart_sooner(future: GameRolloutModel) -> None:
    state = last_shot()
    shot = pot_of(state)
    other = msgspec.structs.replace(shot, speed=shot.speed * 1.002)
    same = future.rollout(state, 0, [shot, other], GRADES["club"], 24, 1).win_probability
    own = future.rollout(state, 0, [other], GRADES["club"], 24, 2).win_probability[0]
    assert (same[0] - same[1]).std() < (same[0] - own).std()


def test_who_goes_by_tables_settles_nothing_and_finds_the_shot_that_wins(future: GameRolloutModel) -> None:
    """A wink a hand's breadth from the pot, and the last shot of the game: nothing else wins."""
    state = last_shot(110.0)
    race = SuccessiveElimination(
        future,
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
        future, 0, GRADES["club"], SearchConfig(shots=12, candidates=4, new_candidates=0, min_tries=3, prior_tries=4)
    )
    assert player.choose(state, rules.legal_actions(state), np.random.default_rng(2)) == pot_of(state)


def test_of_shots_that_are_for_the_same_with_one_wink_one_is_told(future: GameRolloutModel) -> None:
    """Three ways to bring the same wink in are one idea; to pot it is another."""
    state = to_state(load_builtin("pile_of_three"))
    seat = GAME.rules.to_play(state)
    assert seat is not None
    told = [one.action for one in evaluate(future, GRADES["club"], state, seat, 1, 600).best]
    purposes = [(one.piece, future.purpose(state, one)) for one in told]
    assert len(set(purposes)) == len(purposes) == 3
    assert not any(future.is_similar(state, one, other, GRADES["club"]) for one, other in pairwise(told))
    bring, far = told[0], msgspec.structs.replace(told[0], azimuth=told[0].azimuth + 0.1)
    assert future.purpose(state, bring) == future.purpose(state, far)
    assert future.is_similar(state, bring, far, GRADES["club"])
