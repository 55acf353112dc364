"""GIFs of long games: they are complete, and memory does not grow with their length.

`python -m benchmarks.gif_memory [--turns N] [--seed S] [--jobs J] [--only NUMBER]`. Each trial plays another game, over
and over until there are enough turns. Memory in the last quarter is compared with that in the second.
"""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from benchmarks import command_line
from benchmarks.trial_report import TrialReport, resident_memory, run_in_processes
from flicksim.games import load, names
from flicksim.gui import game_views
from flicksim.gui.toolkit.image_files import write_gif
from flicksim.match import Turn, open_match, parse_seat
from flicksim.match.series import game_seed
from flicksim.referee import Game, parse_options

MAX_MEMORY_GROWTH = 1.1
"""Largest allowed ratio of the last quarter's memory to the second's."""


def play_turns(game: Game, seed: int, count: int, memory: list[float]) -> Iterator[Turn]:
    """Yield so many turns; append the memory of this process at each of them [MB]."""
    number = 0
    while True:
        number += 1
        seats = [parse_seat("random")] * game.seats[0]
        match = open_match(game, parse_options(game, []), seats, game_seed(seed, number))
        for turn in match.run():
            memory.append(resident_memory())
            yield turn
            if len(memory) >= count:
                return


def run_trials(turn_count: int, seed: int, numbers: Sequence[int]) -> TrialReport:
    """Run the trials of these numbers."""
    report = TrialReport()
    for number in numbers:
        game = load(names()[number % len(names())])
        again = f"python -m benchmarks.gif_memory --turns {turn_count} --seed {seed} --only {number}"
        memory: list[float] = []
        with TemporaryDirectory() as folder:
            path = Path(folder) / "game.gif"
            turns = play_turns(game, seed + number, turn_count, memory)
            renderer = game_views.discover_game_views().view_of(game).turn_renderer
            write_gif(path, renderer.frames(game, turns, is_detailed=False))
            with Image.open(path) as picture:
                frames = getattr(picture, "n_frames", 1)
            report.count(game.name, "turns", turn_count)
            report.count(game.name, "frames", frames)
            report.count(game.name, "file, KB", path.stat().st_size // 1024)
            if [file.name for file in path.parent.iterdir()] != [path.name]:
                report.find(game.name, "another file is left behind", again)
        second, last = memory[turn_count // 4 : turn_count // 2], memory[-(turn_count // 4) :]
        report.most(game.name, "most MB", round(max(memory)))
        if frames < 2:
            report.find(game.name, f"{turn_count} turns are one frame", again)
        if max(last) > MAX_MEMORY_GROWTH * max(second):
            report.find(game.name, f"memory grew from {max(second):.0f} to {max(last):.0f} MB", again)
    return report


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    args = command_line.trial_parser("gif_memory", __doc__, turns=400).parse_args(argv)
    numbers = range(len(names())) if args.only is None else [args.only]
    return run_in_processes(partial(run_trials, args.turns, args.seed), numbers, args.jobs).show(
        f"GIFs of {args.turns} turns"
    )


if __name__ == "__main__":
    raise SystemExit(main())
