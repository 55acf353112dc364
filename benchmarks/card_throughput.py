"""Moves and games per second of the card games, compared with the packages `dominoes` and `rlcard` if installed.

    python benchmarks/card_throughput.py [--seconds 3]

Only ratios within one run mean anything. Each line plays whole games or rounds, seeds counted up from 1:

* full: all steps of a match: legal actions, check, simulate, judge, next state, with immutable states and reasons.
* compiled: rounds rolled out by the heuristic policy in compiled code, as the bots use them; rounds a second.

A move is a tile placed (dominoes; passes do not count) or a decision (Tinkle, gin rummy). The package `dominoes` plays
its four-handed default; `rlcard` its gin rummy, through its environment and on its game object alone.
"""

import importlib
from collections.abc import Callable
from random import Random, seed
from time import process_time
from typing import Any

from benchmarks import command_line
from flicksim.ai import NO_NOISE
from flicksim.cards import Dealer, PlaceTile
from flicksim.core.random_streams import RandomStreams
from flicksim.games import load
from flicksim.match import GameRolloutModel, PhysicsSimulator

Game = Callable[[int], int]
"""Plays the game of a seed; returns the number of moves."""
_ROLLOUTS = 500


def measure(game: Game, seconds: float) -> tuple[float, float]:
    """Moves and games per second of processor time, which other load on the machine disturbs little."""
    game(0)
    start, moves, games = process_time(), 0, 0
    while (elapsed := process_time() - start) < seconds:
        games += 1
        moves += game(games)
    return moves / elapsed, games / elapsed


def full_game(name: str, seats: int, counts: Callable[[Any], bool]) -> Game:
    """A whole random game through all steps of a match."""
    rules, options, dealer = load(name).rules, load(name).options(), Dealer()

    def run(number: int) -> int:
        random, moves = Random(number).random, 0
        state = rules.initial_state(options, seats, RandomStreams(seed=number))
        while rules.to_play(state) is not None:
            actions = rules.legal_actions(state).actions
            action = actions[int(random() * len(actions))]
            rules.check_action(state, action)
            setup = rules.simulation_setup(state, action)
            result = None if setup is None else dealer.simulate(*setup)
            state = rules.next_state(state, result, rules.judge(state, action, result))
            moves += counts(action)
        return moves

    return run


def compiled_rounds(name: str, seats: int) -> Game:
    """Compiled rollouts of a first round by the heuristic, as the bots use them; moves are not counted."""
    game = load(name)
    model, rules = GameRolloutModel(game, PhysicsSimulator()), game.rules

    def run(number: int) -> int:
        state = rules.initial_state(game.options(), seats, RandomStreams(seed=number))
        view, seat = rules.view(state, state.to_play), state.to_play
        model.rollout(view, seat, rules.legal_actions(view).actions[:1], NO_NOISE, _ROLLOUTS, number + 1)
        return 0

    return run


def package_dominoes() -> Game:
    """A random game of the package `dominoes`."""
    dominoes: Any = importlib.import_module("dominoes")

    def run(number: int) -> int:
        seed(number)
        game, random, moves = dominoes.Game.new(), Random(number).random, 0
        while game.result is None:
            valid = game.valid_moves
            game.make_move(*valid[int(random() * len(valid))])
            moves += 1
        return moves

    return run


def rlcard_gin_environment() -> Game:
    """A random game of `rlcard` gin rummy, through its environment."""
    rlcard: Any = importlib.import_module("rlcard")
    environment = rlcard.make("gin-rummy", config={"seed": 1})

    def run(number: int) -> int:
        random, moves = Random(number).random, 0
        state, _ = environment.reset()
        while not environment.is_over():
            legal = list(state["legal_actions"])
            state, _ = environment.step(legal[int(random() * len(legal))])
            moves += 1
        return moves

    return run


def rlcard_gin_game() -> Game:
    """A random game of `rlcard` gin rummy, on its game object alone."""
    rlcard: Any = importlib.import_module("rlcard")
    game = rlcard.make("gin-rummy", config={"seed": 1}).game

    def run(number: int) -> int:
        random, moves = Random(number).random, 0
        game.init_game()
        while not game.is_over():
            legal = game.judge.get_legal_actions()
            game.step(legal[int(random() * len(legal))])
            moves += 1
        return moves

    return run


def main() -> None:
    """Measure every line and print the table."""
    seconds = command_line.parser("card_throughput", __doc__, seconds=3.0).parse_args().seconds
    lines: list[tuple[str, Callable[[], Game], str]] = [
        ("package dominoes, random", package_dominoes, "dominoes"),
        (
            "dominoes full, random",
            lambda: full_game("dominoes", 4, lambda action: isinstance(action, PlaceTile)),
            "dominoes",
        ),
        ("rlcard gin rummy, random", rlcard_gin_environment, "gin"),
        ("rlcard gin rummy game, random", rlcard_gin_game, "gin"),
        ("tinkle full, random", lambda: full_game("tinkle", 4, lambda _: True), "gin"),
        ("dominoes compiled, heuristic", lambda: compiled_rounds("dominoes", 4), "compiled"),
        ("tinkle compiled, heuristic", lambda: compiled_rounds("tinkle", 4), "compiled"),
    ]
    base: dict[str, float] = {}
    print(f"{'':32}{'moves/s':>12}{'games/s':>12}{'ratio':>8}")
    for name, build, family in lines:
        try:
            game = build()
        except ImportError:
            print(f"{name:32}{'not installed':>24}")
            continue
        moves, games = measure(game, seconds)
        games *= _ROLLOUTS if family == "compiled" else 1
        first = name.startswith(("package", "rlcard"))
        if first and family not in base:
            base[family] = moves
        ratio = f"{moves / base[family]:8.2f}" if family in base else f"{'':>8}"
        print(f"{name:32}{moves:12,.0f}{games:12,.1f}{ratio}", flush=True)


if __name__ == "__main__":
    main()
