"""Games of tiddlywinks between bots: results, and counts of pots, squops and fouls.

`python -m benchmarks.bot_games --seat bot:club ... --games 20 --option time_limit_s=600` plays seeded
games, prints counts of pots, squops, boundary crossings and free turns, and saves every shot that did not come to rest
or ended in an invalid scene.
"""

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import command_line
from flicksim.core.errors import DidNotSettle, FlicksimError
from flicksim.core.serialization import to_json
from flicksim.games import load
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.match.game_model import PhysicsSimulator
from flicksim.match.match import Turn
from flicksim.match.match_factory import open_match, parse_seat
from flicksim.match.series import game_seed, wilson_interval
from flicksim.referee import parse_options


class CheckedSimulator:
    """Simulator that saves faulty shots: those that did not come to rest, and those that ended in an invalid scene."""

    def __init__(self, folder: Path) -> None:
        self._simulator, self._folder = PhysicsSimulator(), folder
        self.simulated, self.faulty = 0, 0

    def simulate(self, before: Any, action: Any) -> Any:
        """Simulate the shot; save it if it fails."""
        try:
            trajectory = self._simulator.simulate(before, action)
        except DidNotSettle as error:
            self._save_shot(before, action, str(error))
            raise
        self.simulated += 1
        if problems := trajectory.after.problems():
            self._save_shot(before, action, problems[0])
        return trajectory

    def _save_shot(self, before: Any, action: Any, error: str) -> None:
        self.faulty += 1
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"faulty-{self.faulty:03d}.json"
        path.write_bytes(to_json({"error": error, "scene": before, "squidge": action}))


def summary(turn: Turn) -> Counter[str]:
    """Count the notable events of a turn."""
    rules = Counter(reason.rule for reason in turn.verdict.reasons)
    counts = Counter(
        pots=rules["TW-7e"] + rules["TW-7f"] if turn.after.book.opener is not None else 0,
        crossings=rules["TW-8b"] + rules["TW-8c"] + rules["TW-8d"],
        episodes=rules["TW-9c1"],
        freed=rules["TW-9c6"] + rules["TW-9c12"],
        fouls=rules["TW-12d"],
    )
    before, after = (Squops(state.scene, state.book) for state in (turn.before, turn.after))
    for wink in kit.WINKS:
        new = set(after.covering(wink)) - set(before.covering(wink))
        enemies = [over for over in new if (kit.seat_of(over) - kit.seat_of(wink)) % 2]
        counts["squops"] += bool(enemies) and kit.pair_of(turn.seat) != kit.pair_of(kit.seat_of(wink))
        counts["desquops"] += (
            before.is_squopped(wink)
            and turn.after.book.in_play(wink)
            and not after.is_squopped(wink)
            and kit.pair_of(turn.seat) == kit.pair_of(kit.seat_of(wink))
        )
    return counts


def main(argv: Sequence[str] | None = None) -> None:
    """Play the games and print the counts."""
    parser = command_line.parser("bot_games", __doc__, seat=[], games=20, seed=1, option=[], faulty=Path("faulty"))
    args = parser.parse_args(argv)
    game, seats = load("tiddlywinks"), [parse_seat(word) for word in args.seat or ["bot:club"] * 4]
    console, simulator = Console(), CheckedSimulator(args.faulty)
    table = Table("game", "end", "Blue+Red", "Green+Yellow", "turns", "pots", "squops", "desquops", "crossings",
                  "episodes", "freed", "fouls", "s")  # fmt: skip
    total: Counter[str] = Counter()
    share = points = 0.0
    for number in range(1, args.games + 1):
        options = parse_options(game, args.option)
        match = open_match(game, options, seats, game_seed(args.seed, number))
        match.simulator = simulator
        count: Counter[str] = Counter()
        begin = time.process_time()
        try:
            for turn in match.run():
                count += summary(turn)
        except FlicksimError as error:
            console.print(f"game {number} failed: {type(error).__name__}: {error}", markup=False)
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
    low, high = wilson_interval(share / args.games, args.games)
    console.print(f"all: {dict(total)}; {simulator.simulated} shots simulated, {simulator.faulty} faulty", markup=False)
    console.print(
        f"Blue and Red ({seats[0]}, {seats[2]}) took {points:g} of {7 * args.games} points and {share:g} of "
        f"{args.games} games: {share / args.games:.2f} ({low:.2f} to {high:.2f})", markup=False
    )  # fmt: skip


if __name__ == "__main__":
    main()
