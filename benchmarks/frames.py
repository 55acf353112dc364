"""Milliseconds of processor a frame of the window takes, for each table of flicks, resting, in flight, and turning.

    python -m benchmarks.frames [--frames 120] [--size 1280x800 ...]

Nothing is shown (SDL's dummy driver), so that what is measured is the program and its drawing, on one core.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from time import sleep, thread_time

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import numpy as np

from flicksim.games import load
from flicksim.play import open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.ui.frame.app import App
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit.preferences import Preferences
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.opening import window

SIZES = ((1280, 800), (1920, 1080))
GAMES = {"penny-white": 2, "tiddlywinks": 4, "ice": 2}
"""Tables, and how many sit at them."""
_FRAME = 1.0 / 60.0
_SETTLED = 600.0
"""The longest to wait for a compiler [s]."""


def opened(game: str, size: tuple[int, int]) -> tuple[App, AtTable]:
    """A window of that size with a match of bots at that table."""
    played = load(game)
    match = open_match(played, parse_options(played, []), [parse_seat("bot:beginner")] * GAMES[game], 3)
    app = window(size=size, preferences=Preferences(quiet=True))
    screen = app.routes.play(app, Sitting(match))
    assert isinstance(screen, AtTable)
    app.show(screen)
    return app, screen


def timed(app: App, screen: AtTable, moving: bool, count: int) -> Iterator[float]:
    """Processor time of so many frames [ms] in which pieces are seen to move, or none are."""
    waited, found = 0.0, 0
    while found < count and waited < _SETTLED and not screen.match.over:
        shown = screen.course.stage == "show" or (moving and bool(getattr(screen.course, "flights", ())))
        before = thread_time()
        app.frame(_FRAME)
        spent = (thread_time() - before) * 1000.0
        if shown == moving and (moving or screen.course.paused):
            found += 1
            yield spent
        elif not moving and not screen.course.paused:
            screen.course.paused = True
        else:
            sleep(0.004)
            waited += 0.02


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=120)
    parser.add_argument("--size", action="append", default=[])
    asked = parser.parse_args()
    sizes = [tuple(map(int, size.split("x"))) for size in asked.size] or list(SIZES)
    print("| table | window | | median [ms] | 95 of 100 below [ms] |\n|---|---|---|---|---|")
    for game in GAMES:
        for width, height in sizes:
            app, screen = opened(game, (width, height))
            for moving in (False, True):
                screen.course.paused = not moving
                spent = list(timed(app, screen, moving, asked.frames))
                if spent:
                    low, high = np.percentile(spent, (50, 95))
                    state = "in flight" if moving else "resting"
                    print(f"| {game} | {width}x{height} | {state} | {low:.1f} | {high:.1f} |", flush=True)
            app.close()


if __name__ == "__main__":
    main()
