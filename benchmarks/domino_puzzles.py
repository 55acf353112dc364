"""Search of endings of dominoes for two in which one move alone wins.

`python -m benchmarks.domino_puzzles --games 200 --count 20` plays seeded games of bots, solves their endings exactly
(`games.dominoes.endgame`) and keeps at most one of each game: every move but one loses, the bots' usual choice among
them, and the move has a property that no other has (`challenges.idea`). The puzzles are sorted by how many of eight
choices by bots of all grades lose, then by the number of tiles, and written to `games/dominoes/puzzles.json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
import numpy as np

from benchmarks import command_line
from flicksim.ai import GRADES
from flicksim.core.serialization import to_json
from flicksim.core.type_aliases import Action
from flicksim.games.dominoes import GAME, bot, challenges, deck, endgame, state
from flicksim.match import open_match
from flicksim.match.series import game_seed

TILES_HELD = (5, 15)
"""Least and largest number of tiles in both hands."""
MIN_MOVES = 3
"""Least number of different moves."""
MOST_OF_AN_IDEA = 4
"""Largest number of puzzles with one idea."""
CHOICE_SEEDS = (1, 2)
"""Seeds of the choices of each grade."""


def find(seed: int, games: int) -> Iterator[tuple[str, int, challenges.Puzzle]]:
    """Yield puzzles with their idea and number of tiles held, at most one of each game."""
    for number in range(1, games + 1):
        match = open_match(GAME, deck.Options(rounds=1), ["bot:club", "bot:club"], game_seed(seed, number))
        for turn in match.run():
            found = _puzzle(turn.before, game_seed(seed, number), turn.number)
            if found is not None:
                yield found
                break


def _puzzle(before: state.State, seed: int, turn: int) -> tuple[str, int, challenges.Puzzle] | None:
    if before.to_play is None or before.phase not in ("tile", "second"):
        return None
    held = sum(state.hand_bits(before, seat).bit_count() for seat in range(2))
    if not TILES_HELD[0] <= held <= TILES_HELD[1]:
        return None
    values = endgame.move_values(before)
    solution = next((move for move, value in values.items() if value == 1.0), None)
    if solution is None or any(
        value > 0.0 for move, value in values.items() if not endgame.is_mirror_image(before, move, solution)
    ):
        return None
    after = (endgame.position_after(before, move) for move in values)
    if len({(one.mine, *sorted((one.left, one.right))) for one in after}) < MIN_MOVES:
        return None
    usual: Action = bot.candidates(GAME.rules.view(before, before.to_play), np.random.default_rng(0), 1)[0]
    idea = challenges.idea(before, solution)
    if values[usual] > 0.0 or idea is None:
        return None
    position = msgspec.structs.replace(before, seeds=None)
    missed = sum(values[choice] < 1.0 for choice in _choices(position))
    puzzle = challenges.Puzzle(
        state=position, seat=before.to_play, solution=solution, chance=1.0, next_best_chance=0.0, tries=0,
        game_seed=seed, turn=turn, hand="", missed=missed,
    )  # fmt: skip
    return idea, held, puzzle


def _choices(position: state.State) -> Iterator[Action]:
    for grade in GRADES:
        for seed in CHOICE_SEEDS:
            match = open_match(GAME, position.options, [f"bot:{grade}"] * 2, seed)
            match.set_opening(position)
            yield match.ask_player()


def select(found: list[tuple[str, int, challenges.Puzzle]], count: int) -> list[challenges.Puzzle]:
    """Select puzzles of different titles and ideas, from both ends of their difficulty; sorted, easiest first."""
    ordered = sorted(found, key=lambda one: (one[2].missed, one[1]))
    ideas, titles = Counter[str](), set[str]()
    chosen: list[tuple[int, int, challenges.Puzzle]] = []
    for idea, held, puzzle in (one for pair in zip(ordered, reversed(ordered), strict=True) for one in pair):
        title = challenges.puzzle_challenge(1, puzzle).title
        if ideas[idea] < MOST_OF_AN_IDEA and title not in titles and len(chosen) < count:
            ideas[idea] += 1
            titles.add(title)
            chosen.append((puzzle.missed, held, puzzle))
    return [puzzle for *_, puzzle in sorted(chosen, key=lambda one: one[:2])]


def main() -> None:
    """Search and write."""
    asked = command_line.parser("domino_puzzles", __doc__, seed=7, games=200, count=20).parse_args()
    found = list(find(asked.seed, asked.games))
    chosen = select(found, asked.count)
    challenges.FILE.write_bytes(to_json(tuple(chosen)))
    print(f"{len(found)} found, {len(chosen)} kept")


if __name__ == "__main__":
    main()
