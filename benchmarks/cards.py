"""Moves and games per second of the card wing, beside the packages `dominoes` and `rlcard` when they are installed.

    python benchmarks/cards.py [--seconds 3]

Only ratios within one run mean anything. Each line plays whole games or rounds, seeds counted up from 1:

* paper: the full path: choices, check, stage, settle, judge, advance, every state kept apart and every reason given.
* quick: one round on whole numbers with the same rule functions, as the bots' playouts use it.
* thumb: the same, played by rules of thumb instead of at random.

A move is a tile laid (dominoes, so that passes count for nobody) or a decision made (Tinkle, gin rummy). The package
`dominoes` plays its four-handed default; `rlcard` its gin rummy, through its environment and on its bare game.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from random import Random, seed
from time import process_time
from typing import Any

from flicksim.base.seeding import Seeds
from flicksim.cards import Dealer, Lay, bits, deal, tile_set
from flicksim.games import load
from flicksim.games.dominoes import bot as domino_bot
from flicksim.games.dominoes import line
from flicksim.games.dominoes import quick as domino_quick
from flicksim.games.tinkle import heuristic
from flicksim.games.tinkle import quick as tinkle_quick

Game = Callable[[int], int]
"""Plays the game of a seed: how many moves it took."""


def measure(game: Game, seconds: float) -> tuple[float, float]:
    """Moves and games per second of processor time, so that a busy machine spoils less."""
    game(0)
    began, moves, games = process_time(), 0, 0
    while (spent := process_time() - began) < seconds:
        games += 1
        moves += game(games)
    return moves / spent, games / spent


def paper(name: str, seats: int, counts: Callable[[Any], bool]) -> Game:
    """A whole game at random through the full path."""
    rules, options, dealer = load(name).rules, load(name).options(), Dealer()

    def run(number: int) -> int:
        random, moves = Random(number).random, 0
        state = rules.start(options, seats, Seeds(seed=number))
        while rules.to_play(state) is not None:
            actions = rules.choices(state).actions
            action = actions[int(random() * len(actions))]
            rules.check(state, action)
            staged = rules.stage(state, action)
            account = None if staged is None else dealer.settle(*staged)
            state = rules.advance(state, account, rules.judge(state, action, account))
            moves += counts(action)
        return moves

    return run


def dealt(rng: Random, seats: int) -> domino_quick.Quick:
    """A British double-six round, dealt and led."""
    pack = list(tile_set(6))
    rng.shuffle(pack)
    hands = [bits(hand) for hand in deal(pack, seats, 28 // seats, 0)[0]]
    first = line.leader(hands)
    assert first is not None
    return domino_quick.Quick.led(hands, first, line.largest_double(hands[first]), 2, False)


def quick_dominoes(number: int) -> int:
    """A round at random on whole numbers."""
    rng = Random(number)
    return 1 + domino_quick.run_random(dealt(rng, 4), rng)


def thumb_dominoes(number: int) -> int:
    """A round by rules of heuristic."""
    rng = Random(number)
    quick, moves = dealt(rng, 4), 1
    while not quick.over:
        move = domino_bot.pick(quick, rng)
        moves += move >= 0
        quick.play(move)
    return moves


def quick_tinkle(number: int) -> int:
    """A round at random on whole numbers, the contracts in turn."""
    return tinkle_quick.run_random(tinkle_quick.Quick.dealt(Random(number), round_=number % 8 + 1, turns=30))


def thumb_tinkle(number: int) -> int:
    """A round by rules of heuristic."""
    quick, moves = tinkle_quick.Quick.dealt(Random(number), round_=number % 8 + 1), 0
    while not quick.over:
        quick.play(heuristic.step(quick))
        moves += 1
    return moves


def peer_dominoes() -> Game:
    """The package `dominoes` at random."""
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


def peer_gin_environment() -> Game:
    """`rlcard` gin rummy at random, through its environment."""
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


def peer_gin_bare() -> Game:
    """`rlcard` gin rummy at random, on its bare game."""
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
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="spent on each line")
    seconds = parser.parse_args().seconds
    lines: list[tuple[str, Callable[[], Game], str]] = [
        ("package dominoes, random", peer_dominoes, "dominoes"),
        ("dominoes quick, random", lambda: quick_dominoes, "dominoes"),
        ("dominoes quick, thumb", lambda: thumb_dominoes, "dominoes"),
        ("dominoes paper, random", lambda: paper("dominoes", 4, lambda action: isinstance(action, Lay)), "dominoes"),
        ("rlcard gin rummy, random", peer_gin_environment, "gin"),
        ("rlcard gin rummy bare, random", peer_gin_bare, "gin"),
        ("tinkle quick, random", lambda: quick_tinkle, "gin"),
        ("tinkle quick, thumb", lambda: thumb_tinkle, "gin"),
        ("tinkle paper, random", lambda: paper("tinkle", 4, lambda _: True), "gin"),
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
        first = name.startswith(("package", "rlcard"))
        if first and family not in base:
            base[family] = moves
        ratio = f"{moves / base[family]:8.2f}" if family in base else f"{'':>8}"
        print(f"{name:32}{moves:12,.0f}{games:12,.1f}{ratio}", flush=True)


if __name__ == "__main__":
    main()
