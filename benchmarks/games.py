"""Whole games between bots: how they end, and what happens in them.

`python -m benchmarks.games --seat bot:club ... --games 20 --option time_limit_s=600` plays seeded games, prints counts
of pots, squops, boundary crossings and free turns, and writes down any shot that would not settle or came to lie
wrongly.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from flicksim.base.codec import to_json
from flicksim.base.errors import FlicksimError, Unsettled
from flicksim.games import load
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.play.match import Turn
from flicksim.play.model import TableStage
from flicksim.play.open_match import open_match, parse_seat
from flicksim.play.series import game_seed, wilson
from flicksim.referee import parse_options


class Watched:
    """A stage that keeps what went wrong: flicks that did not settle, and scenes that cannot lie so."""

    def __init__(self, folder: Path) -> None:
        self._stage, self._folder = TableStage(), folder
        self.settled, self.wrong = 0, 0

    def settle(self, before: Any, action: Any) -> Any:
        """The motion, or what it fails with."""
        try:
            motion = self._stage.settle(before, action)
        except Unsettled as why:
            self._keep(before, action, str(why))
            raise
        self.settled += 1
        if problems := motion.after.problems():
            self._keep(before, action, problems[0])
        return motion

    def _keep(self, before: Any, action: Any, why: str) -> None:
        self.wrong += 1
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"wrong-{self.wrong:03d}.json"
        path.write_bytes(to_json({"why": why, "scene": before, "squidge": action}))


def told(turn: Turn) -> Counter[str]:
    """Count of what happened in a turn."""
    rules = Counter(reason.rule for reason in turn.verdict.reasons)
    found = Counter(
        pots=rules["TW-7e"] + rules["TW-7f"] if turn.after.book.opener is not None else 0,
        crossings=rules["TW-8b"] + rules["TW-8c"] + rules["TW-8d"],
        episodes=rules["TW-9c1"],
        freed=rules["TW-9c6"] + rules["TW-9c12"],
        fouls=rules["TW-12d"],
    )
    before, after = (Squops(state.scene, state.book) for state in (turn.before, turn.after))
    for wink in kit.WINKS:
        new = set(after.over(wink)) - set(before.over(wink))
        enemies = [over for over in new if (kit.seat_of(over) - kit.seat_of(wink)) % 2]
        found["squops"] += bool(enemies) and kit.pair_of(turn.seat) != kit.pair_of(kit.seat_of(wink))
        found["desquops"] += (
            before.squopped(wink)
            and turn.after.book.in_play(wink)
            and not after.squopped(wink)
            and kit.pair_of(turn.seat) == kit.pair_of(kit.seat_of(wink))
        )
    return found


def main(words: Sequence[str] | None = None) -> None:
    """Play and tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.games", description=__doc__)
    parser.add_argument("--seat", action="append")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--wrong", type=Path, default=Path("wrong"), help="where bad shots are written")
    given = parser.parse_args(words)
    game, seats = load("tiddlywinks"), [parse_seat(word) for word in given.seat or ["bot:club"] * 4]
    console, stage = Console(), Watched(given.wrong)
    table = Table("game", "end", "Blue+Red", "Green+Yellow", "turns", "pots", "squops", "desquops", "crossings",
                  "episodes", "freed", "fouls", "s")  # fmt: skip
    total: Counter[str] = Counter()
    share = points = 0.0
    for number in range(1, given.games + 1):
        options = parse_options(game, given.option)
        match = open_match(game, options, seats, game_seed(given.seed, number))
        match.stage = stage
        count: Counter[str] = Counter()
        begin = time.process_time()
        try:
            for turn in match.run():
                count += told(turn)
        except FlicksimError as wrong:
            console.print(f"game {number} broke off: {type(wrong).__name__}: {wrong}", markup=False)
            continue
        ours, theirs = match.scores[0] + match.scores[2], match.scores[1] + match.scores[3]
        ends = "potted out" if match.state.book.potted_out else "time"
        names = ("pots", "squops", "desquops", "crossings", "episodes", "freed", "fouls")
        total += count + Counter({ends: 1, "turns": len(match.turns)})
        share += 1.0 if ours > theirs else 0.5 if ours == theirs else 0.0
        points += float(ours)
        row = (number, ends, ours, theirs, len(match.turns), *(count[name] for name in names))
        console.print(*row, f"{time.process_time() - begin:.0f}s", markup=False)
        table.add_row(*map(str, row), f"{time.process_time() - begin:.0f}")
    console.print(table)
    low, high = wilson(share / given.games, given.games)
    console.print(f"all: {dict(total)}; {stage.settled} shots settled, {stage.wrong} of them wrong", markup=False)
    console.print(
        f"Blue and Red ({seats[0]}, {seats[2]}) took {points:g} of {7 * given.games} points and {share:g} of "
        f"{given.games} games: {share / given.games:.2f} ({low:.2f} to {high:.2f})", markup=False
    )  # fmt: skip


if __name__ == "__main__":
    main()
