"""Exact solver of rounds of two, against the rules and the solver of rollouts, and the puzzles made with it."""

from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim.cards import Pass, PlaceTile, tile_set
from flicksim.challenges import attempt_status, find_challenge, start_attempt
from flicksim.games import load
from flicksim.games.dominoes import bot, challenges, endgame
from flicksim.games.dominoes.deck import HANDS
from flicksim.games.dominoes.rollouts import TIE_SPLIT, rollout_rounds
from flicksim.games.dominoes.state import State

GAME = load("dominoes")
PUZZLES = challenges.load_puzzles()
Move = PlaceTile | Pass


def share_by_rules(state: State, seat: int) -> float:
    """Share of a seat by minimax over the rules themselves, as far as a move that none can better."""
    if state.to_play is None:
        won = state.sheet[-1].won
        return 1.0 / len(won) if seat in won else 0.0
    found, best = list[float](), float(state.to_play == seat)
    for move in GAME.rules.legal_actions(state).actions:
        found.append(share_by_rules(after(state, move), seat))
        if found[-1] == best:
            break
    return max(found) if best else min(found)


def held(puzzle: challenges.Puzzle) -> int:
    return sum(len(puzzle.state.zones.cards(hand)) for hand in HANDS[:2])


def after(state: State, move: Any) -> State:
    setup = GAME.rules.simulation_setup(state, move)
    result = None if setup is None else start_attempt(find_challenge("ending-1")).simulator.simulate(*setup)
    return GAME.rules.next_state(state, result, GAME.rules.judge(state, move, result))


def is_solution(puzzle: challenges.Puzzle, move: Move) -> bool:
    return endgame.is_mirror_image(puzzle.state, move, puzzle.solution)


@pytest.mark.parametrize("puzzle", sorted(PUZZLES, key=held)[:3])
def test_values_are_those_of_the_rules(puzzle: challenges.Puzzle) -> None:
    for move, value in endgame.move_values(puzzle.state).items():
        assert share_by_rules(after(puzzle.state, move), puzzle.seat) == value


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda one: f"{one.game_seed}-{one.turn}")
def test_only_the_solution_wins_by_another_solver_too(puzzle: challenges.Puzzle) -> None:
    state, values = puzzle.state, endgame.move_values(puzzle.state)
    GAME.rules.check_action(state, puzzle.solution)
    deals = bot.sample_deals(GAME.rules.view(state, puzzle.seat), np.array([5]), None)
    position = (puzzle.seat, state.left, state.right, state.phase == "second", False, TIE_SPLIT, 2)
    halves = np.array([(tile.high, tile.low) for tile in tile_set(6)])
    for move, value in values.items():
        assert value == float(is_solution(puzzle, move))
        if len(deals[0][deals[0] >= 0]) <= 10:
            shares = np.zeros((1, 1, 2))
            rollout_rounds(
                halves, deals, np.array(position), np.array([bot.encode_move(move)]), np.array([1]), 28, 0.0, shares
            )
            assert shares[0, 0, puzzle.seat] == value


def test_the_bots_first_choice_loses_and_harder_puzzles_come_later() -> None:
    assert len(PUZZLES) >= 20
    for puzzle in PUZZLES:
        view = GAME.rules.view(puzzle.state, puzzle.seat)
        assert not is_solution(puzzle, bot.candidates(view, np.random.default_rng(0), 1)[0])
        assert puzzle.state.seeds is None
    assert [one.missed for one in PUZZLES] == sorted(one.missed for one in PUZZLES)
    assert len({one.title for one in challenges.builtin()}) == len(PUZZLES)
    assert {challenges.idea(one.state, one.solution) for one in PUZZLES} >= {
        "block", "stop", "shut out", "hold a number", "double",
    }  # fmt: skip
    assert None not in {challenges.idea(one.state, one.solution) for one in PUZZLES}


@pytest.mark.parametrize("number", range(1, len(PUZZLES) + 1))
def test_a_puzzle_is_solved_by_its_solution_alone(number: int) -> None:
    entry, puzzle = find_challenge(f"ending-{number}"), PUZZLES[number - 1]
    for move in endgame.move_values(puzzle.state):
        match = start_attempt(entry, "human", 1)
        assert [player is None for player in match.players] == [seat == puzzle.seat for seat in range(2)]
        match.play(move)
        while not (came := attempt_status(entry, match.turns)).is_over:
            match.play(endgame.best_move(match.state))
        assert came.is_solved == is_solution(puzzle, move)


def test_a_second_tile_that_gives_the_round_away_fails() -> None:
    entry, puzzle = next(
        (find_challenge(f"ending-{number}"), one)
        for number, one in enumerate(PUZZLES, 1)
        if challenges.idea(one.state, one.solution) == "double"
    )
    match = start_attempt(entry, "human", 1)
    match.play(puzzle.solution)
    assert not attempt_status(entry, match.turns).is_over, "a second tile may follow"
    values = endgame.move_values(match.state)
    worst = min(values, key=lambda move: values[move])
    assert values[worst] < 1.0
    match.play(worst)
    came = attempt_status(entry, match.turns)
    assert (came.is_over, came.is_solved) == (True, False)
    assert came.text.startswith("Now ")


def test_a_blocked_round_counts_only_where_it_should() -> None:
    blocks = next(one for one in PUZZLES if challenges.idea(one.state, one.solution) == "block")
    assert endgame.move_values(blocks.state)[blocks.solution] == 1.0
    assert endgame.move_values(blocks.state, blocks_count=False)[blocks.solution] == 0.0


def test_an_end_left_out_is_the_one_that_fits() -> None:
    puzzle = next(one for one in PUZZLES if isinstance(one.solution, PlaceTile) and one.state.left != one.state.right)
    tile = puzzle.solution.tile
    if {puzzle.state.left, puzzle.state.right} <= {tile.high, tile.low}:
        return
    bare = msgspec.structs.replace(puzzle.solution, end=None)
    assert endgame.position_after(puzzle.state, bare) == endgame.position_after(puzzle.state, puzzle.solution)
