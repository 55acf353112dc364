"""GIFs of long games: whole, and made in memory that does not grow with their length.

`python -m benchmarks.gifs [--turns N] [--seed S] [--jobs J] [--only NUMBER]`. Each try is a game of another kind,
gone on with by further ones of its kind until there are so many turns. Memory is held to that of its second quarter.
"""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from benchmarks.tally import Tally, parser, resident, shared
from flicksim.games import load, names
from flicksim.play import Turn, open_match, parse_seat
from flicksim.play.series import game_seed
from flicksim.referee import Game, parse_options
from flicksim.ui import faces
from flicksim.ui.kit.pictures import write_gif

GROWN = 1.1
"""Memory may grow by so much over its second quarter."""


def turns_of(card: Game, seed: int, many: int, memory: list[float]) -> Iterator[Turn]:
    """So many turns, one after another; at each the memory of this process is noted [MB]."""
    number = 0
    while True:
        number += 1
        seats = [parse_seat("random")] * card.seats[0]
        match = open_match(card, parse_options(card, []), seats, game_seed(seed, number))
        for turn in match.run():
            memory.append(resident())
            yield turn
            if len(memory) >= many:
                return


def tries_of(many: int, seed: int, numbers: Sequence[int]) -> Tally:
    """The games of these numbers."""
    found = Tally()
    for number in numbers:
        card = load(names()[number % len(names())])
        again = f"python -m benchmarks.gifs --turns {many} --seed {seed} --only {number}"
        memory: list[float] = []
        with TemporaryDirectory() as folder:
            path = Path(folder) / "game.gif"
            turns = turns_of(card, seed + number, many, memory)
            write_gif(path, faces.found().of(card).prints.frames(card, turns, fine=False))
            with Image.open(path) as picture:
                shown = getattr(picture, "n_frames", 1)
            found.count(card.name, "turns", many)
            found.count(card.name, "pictures", shown)
            found.count(card.name, "file, KB", path.stat().st_size // 1024)
            if [one.name for one in path.parent.iterdir()] != [path.name]:
                found.find(card.name, "something is left beside it", again)
        quarter, last = memory[many // 4 : many // 2], memory[-(many // 4) :]
        found.most(card.name, "most MB", round(max(memory)))
        if shown < 2:
            found.find(card.name, f"{many} turns are one picture", again)
        if max(last) > GROWN * max(quarter):
            found.find(card.name, f"memory grew from {max(quarter):.0f} to {max(last):.0f} MB", again)
    return found


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    given = parser("gifs", __doc__, turns=400).parse_args(words)
    numbers = range(len(names())) if given.only is None else [given.only]
    return shared(partial(tries_of, given.turns, given.seed), numbers, given.jobs).show(f"GIFs of {given.turns} turns")


if __name__ == "__main__":
    raise SystemExit(main())
