"""Search of puzzles in games of bots, with a search of its own that verifies each.

`python -m benchmarks.puzzle_search tiddlywinks --seed 1 --games 40 --out found.jsonl` examines positions of seeded
games as the last turn or launch of a game, where what a shot wins is counted and not estimated. Ideas are the purposes
of shots. Successive elimination: few trials of the bots' candidates under common random numbers reject most positions;
of the others, candidates and perturbations are searched again with other seeds; what is then ahead of every other idea
is counted once more with the exact physics and new seeds, until the lead is certain.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks import command_line, puzzle_positions
from benchmarks.puzzle_positions import Subject, Tried
from flicksim.ai import GRADES
from flicksim.core.arrays import Floats
from flicksim.core.atomic_files import write_atomic
from flicksim.core.serialization import from_json, to_json
from flicksim.core.type_aliases import Action, State
from flicksim.games import load
from flicksim.referee import Puzzle

MIN_SIGMAS = 4.0
"""Least lead of a solution, in standard errors."""
FIRST_TRIES, SCREENED, SECOND_TRIES = 4, 14, 12
"""Screening: trials of each candidate, number kept, and trials of those."""
VARIANTS, VARIANT_TRIES, THIRD_TRIES = 10, 6, 24
"""Perturbations of the best shot and of the best other, trials of each, and trials of the best of them."""
OTHER_VARIANTS, RIVALS = 1, 2
"""Second search: perturbations of every candidate; number of other ideas that are counted to the end."""
FINAL_TRIES = (80, 300, 1300)
"""Trials with the exact physics: of the solution and all rivals, twice, then of the solution and close rivals."""
SURE_SIGMAS = 8.0
"""Lead of a solution in standard errors at which a rival is not counted further."""
SURE = 0.95
"""Win probability from which on a solution is sure [1]."""
MAX_SHOT_TIME = 0.02
"""Largest mean time of a trial in the screening [s]; shots into large piles take far longer."""


def sigmas(first: Floats, other: Floats) -> float:
    """Lead of one action over another in standard errors, under common random numbers."""
    gain = first - other
    spread = float(gain.std(ddof=1)) / sqrt(len(gain))
    return float(gain.mean()) / spread if spread > 0.0 else inf if gain.mean() > 0.0 else 0.0


def label(kind: str, one: Tried) -> str:
    """Kind of an idea, told apart where it needs no skill."""
    return f"sure {kind}" if one.mean > SURE else kind


@dataclass(frozen=True)
class Found:
    """Solution and best rival, with the share of the bots' candidates that do not win."""

    solution: Tried
    rivals: list[Tried]
    missed: float


class Search:
    """Search of one position, with random numbers of a seed."""

    def __init__(self, subject: Subject, state: State, seed: int) -> None:
        self.subject, self.state, self.seed = subject, state, seed
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.shots, self._part = 0, 0

    def rank(self, actions: Sequence[Action], tries: int, *, exact: bool = False, quick: bool = False) -> list[Tried]:
        """Try actions with seeds not used before; the best first."""
        actions = list(dict.fromkeys(actions))
        self._part += 1
        self.shots += len(actions) * tries
        wins = self.subject.wins(self.state, actions, tries, self.seed * 32 + self._part, exact=exact, quick=quick)
        return sorted((Tried(a, row) for a, row in zip(actions, wins, strict=True)), key=lambda one: -one.mean)

    def by_idea(self, tried: Sequence[Tried], count: int) -> list[Tried]:
        """Best action of each idea, the best first; actions without a purpose are of the idea ''."""
        best: dict[str, Tried] = {}
        for one in tried:
            if len(best) >= count:
                break
            one.idea = self.subject.idea(self.state, one.action)
            best.setdefault(one.idea, one)
        return list(best.values())

    def run(self, unwanted: set[str]) -> Found | str:
        """Return the solution, or the reason why the position is no puzzle.

        Args:
            unwanted: kinds of ideas of which there are enough puzzles.
        """
        candidates = self.subject.candidates(self.state)
        if len(candidates) < 4:
            return "few shots"
        began = process_time()
        first = self.rank(candidates, FIRST_TRIES, quick=True)
        if process_time() - began > MAX_SHOT_TIME * self.shots:
            return "slow"
        share = float(np.mean([one.mean for one in first]))
        if first[0].mean < self.subject.min_chance:
            return "nothing wins"
        if share > 0.5 or first[len(first) // 2].mean > 0.6:
            return "all wins"
        second = self.rank([one.action for one in first[:SCREENED]], SECOND_TRIES, quick=True)
        if second[0].mean < self.subject.min_chance:
            return "little wins"
        ideas = self.by_idea([one for one in second if one.mean > second[0].mean - self.subject.first_lead], 2)
        if len(ideas) > 1 or not ideas[0].idea:
            return "rival at first"
        if label(self.subject.kind(self.state, ideas[0].action), second[0]) in unwanted:
            return "unwanted"
        others = [one for one in second if self.subject.idea(self.state, one.action) != ideas[0].idea][:2]
        variants = [
            self.subject.perturbed(one.action, self.rng) for one in (*second[:1], *others) for _ in range(VARIANTS)
        ]
        better = self.rank(variants, VARIANT_TRIES)[: SCREENED // 2]
        pool = [*(one.action for one in second[:4]), *(one.action for one in others), *(one.action for one in better)]
        third = self.rank(pool, THIRD_TRIES)
        ideas = self.by_idea(third, 3)
        if ideas[0].mean < self.subject.min_chance or (
            len(ideas) > 1 and ideas[0].mean - ideas[1].mean < self.subject.margin
        ):
            return "rival"
        # another search, of all candidates anew
        fresh = [self.subject.perturbed(shot, self.rng) for shot in candidates for _ in range(OTHER_VARIANTS)]
        found = self.rank([*candidates, *fresh], FIRST_TRIES)[:SCREENED]
        fourth = self.rank([*(one.action for one in third[:3]), *(one.action for one in found)], THIRD_TRIES)
        ideas = [*self.by_idea(fourth, RIVALS + 1), *ideas]
        finalists: dict[str, Action] = {}
        for one in sorted(ideas, key=lambda one: -one.mean):
            finalists.setdefault(one.idea, one.action)
        return self.confirm(finalists, share)

    def confirm(self, finalists: dict[str, Action], share: float) -> Found | str:
        """Count the wins of the best ideas with the exact physics."""
        name = {action: idea for idea, action in finalists.items()}
        actions = list(finalists.values())[: RIVALS + 1]
        counted = self.rank(actions, FINAL_TRIES[0], exact=True)
        if self._leads(counted[0], counted[1:], 0.0):
            counted = self.rank(actions, FINAL_TRIES[1], exact=True)
        for one in counted:
            one.idea = name[one.action]
        solution, *rivals = counted
        if not solution.idea or solution.mean < self.subject.min_chance:
            return "little at last"
        if not self._leads(solution, rivals, MIN_SIGMAS):
            return "rival at last"
        if not self.subject.is_solved_by(self.state, solution.action):
            return "not without noise"
        close = [one for one in rivals if not self._leads(solution, [one], SURE_SIGMAS)]
        for one in self.rank([one.action for one in (solution, *close)], FINAL_TRIES[2], exact=True):
            before = next(other for other in counted if other.action == one.action)
            before.wins = np.concatenate([before.wins, one.wins])
        if not self._leads(solution, close, MIN_SIGMAS):
            return "rival at last"
        return Found(solution, rivals, 1.0 - share)

    def _leads(self, solution: Tried, rivals: Sequence[Tried], least: float) -> bool:
        """Return True if a solution leads all these rivals by the margin, and by a number of standard errors."""
        return all(
            solution.mean - one.mean >= self.subject.margin and sigmas(solution.wins, one.wins) >= least
            for one in rivals
        )


def find(subject: Subject, seed: int, games: int, limits: Counter[str]) -> Iterator[Puzzle[Any, Any]]:
    """Yield puzzles.

    Args:
        limits: number of puzzles of each kind of idea that are wanted.
    """
    reasons, kinds, spent = Counter[str](), Counter[str](), defaultdict[str, float](float)
    for number in range(1, games + 1):
        began = process_time()
        unwanted = {kind for kind in limits if kinds[kind] >= limits[kind]}
        positions = list(subject.positions(seed, number, unwanted))
        spent["games"] += process_time() - began
        seats = set[int]()
        for index, (source, turn, state) in enumerate(positions):
            if subject.seat(state) in seats:
                continue  # it would be much the same puzzle again
            began = process_time()
            search = Search(subject, state, source % 10**9 + 512 * turn + index)
            result = search.run(unwanted)
            reason = result if isinstance(result, str) else "found"
            reasons[reason] += 1
            spent[reason] += process_time() - began
            if isinstance(result, str):
                continue
            kinds[label(subject.kind(state, result.solution.action), result.solution)] += 1
            seats.add(subject.seat(state))
            print(
                f"{number}/{turn}: {result.solution.idea} {result.solution.mean:.3f}, "
                + ", ".join(f"{one.idea or '-'} {one.mean:.3f}" for one in result.rivals)
                + f"; missed {result.missed:.2f}; {search.shots} shots, {process_time() - began:.0f} s",
                flush=True,
            )
            yield subject.puzzle(state, source, turn, result.solution, result.rivals, result.missed)
        print(f"game {number}:", ", ".join(f"{k} {reasons[k]} ({spent[k]:.0f} s)" for k in spent), flush=True)


def select(game: str, found: Sequence[Puzzle[Any, Any]], most_of_a_kind: Counter[str]) -> list[Puzzle[Any, Any]]:
    """Select puzzles with different titles and no idea of a seat in a game twice, the first found; easiest first."""
    subject = puzzle_positions.SUBJECTS[game]("club")
    challenges: Any = load(game).challenges
    kinds, titles, ideas = Counter[str](), set[str](), set[tuple[int, int, str]]()
    chosen: list[Puzzle[Any, Any]] = []
    for puzzle in found:
        kind, title = subject.kind(puzzle.state, puzzle.solution), challenges.puzzle_challenge(1, puzzle).title
        idea = (puzzle.game_seed, puzzle.seat, puzzle.idea)
        if title not in titles and idea not in ideas and kinds[kind] < most_of_a_kind.get(kind, len(found)):
            kinds[kind] += 1
            titles.add(title)
            ideas.add(idea)
            chosen.append(puzzle)
    print(dict(kinds), f"{len(chosen)} of {len(found)}")
    return sorted(chosen, key=lambda one: (one.missed, -one.chance))


def parse_limits(text: str) -> Counter[str]:
    """Parse numbers of puzzles by kind, as in pot=20,squop=9.

    Raises:
        ArgumentTypeError: an item is not KIND=NUMBER.
    """
    limits = Counter[str]()
    for item in filter(None, text.split(",")):
        kind, _, number = item.partition("=")
        if not kind or not number.isdecimal():
            raise argparse.ArgumentTypeError(f"{item!r} must be KIND=NUMBER, as in pot=20")
        limits[kind] = int(number)
    return limits


def main() -> None:
    """Search and write one puzzle a line."""
    parser = command_line.parser("puzzle_search", __doc__, seed=1, games=20)
    parser.add_argument("game", choices=list(puzzle_positions.SUBJECTS), help="game of the puzzles")
    parser.add_argument("--hand", default="club", choices=list(GRADES), help="grade of hand of every player")
    parser.add_argument("--limit", type=parse_limits, default="", help="most of a kind, as pot=20,sure pot=9,squop=20")
    parser.add_argument("--out", type=Path, help="file that found puzzles are added to, one a line")
    parser.add_argument("--select", type=Path, nargs="+", help="files of found puzzles to ship instead of searching")
    asked = parser.parse_args()
    if asked.select:
        module: Any = load(asked.game).challenges
        lines = [line for path in asked.select for line in path.read_bytes().splitlines()]
        chosen = select(asked.game, [from_json(one, module.Puzzle) for one in lines], asked.limit)
        write_atomic(module.FILE, to_json(chosen))
        return
    if asked.out is None:
        parser.error("a search needs --out FILE, which found puzzles are added to")
    for puzzle in find(puzzle_positions.SUBJECTS[asked.game](asked.hand), asked.seed, asked.games, asked.limit):
        with asked.out.open("ab") as stream:
            stream.write(to_json(puzzle) + b"\n")


if __name__ == "__main__":
    main()
