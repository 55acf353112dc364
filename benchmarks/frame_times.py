"""Processor time per frame of the window, for each flicking game, with pieces at rest and in motion.

    python -m benchmarks.frame_times [--frames 120] [--size 1280x800 ...]

With SDL's dummy driver nothing is shown: the program and its software rendering are measured, on one core.
"""

import os
from collections.abc import Iterator
from time import sleep, thread_time

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import numpy as np

from benchmarks import command_line
from flicksim.games import load
from flicksim.gui.app import App, MatchSession
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.gui.startup import create_window
from flicksim.gui.toolkit import Preferences
from flicksim.match import open_match, parse_seat
from flicksim.referee import parse_options

SIZES = ((1280, 800), (1920, 1080))
GAMES = {"penny-white": 2, "tiddlywinks": 4, "ice": 2}
"""Games and their numbers of seats."""
_FRAME = 1.0 / 60.0
_COMPILE_TIMEOUT = 600.0
"""Longest wait for the JIT compiler [s]."""


def open_game(game: str, size: tuple[int, int]) -> tuple[App, MatchScreen]:
    """Open a window of a size with a match of bots."""
    loaded = load(game)
    match = open_match(loaded, parse_options(loaded, []), [parse_seat("bot:beginner")] * GAMES[game], 3)
    app = create_window(size=size, preferences=Preferences(muted=True))
    screen = app.routes.match_screen(app, MatchSession(match))
    assert isinstance(screen, MatchScreen)
    app.replace_all(screen)
    return app, screen


def time_frames(app: App, screen: MatchScreen, moving: bool, count: int) -> Iterator[float]:
    """Processor time of so many frames in which pieces move (or none does) [ms]."""
    waited, measured = 0.0, 0
    while measured < count and waited < _COMPILE_TIMEOUT and not screen.match.is_over:
        flights = getattr(getattr(screen.controller, "visible", None), "flights", ())
        in_motion = screen.controller.phase == "show" or (moving and bool(flights))
        start = thread_time()
        app.run_frame(_FRAME)
        elapsed = (thread_time() - start) * 1000.0
        if in_motion == moving and (moving or screen.controller.is_paused):
            measured += 1
            yield elapsed
        elif not moving and not screen.controller.is_paused:
            screen.controller.is_paused = True
        else:
            sleep(0.004)
            waited += 0.02


def main() -> None:
    """Measure every game and size; print a table."""
    args = command_line.parser("frame_times", __doc__, frames=120, size=[]).parse_args()
    sizes = [tuple(map(int, size.split("x"))) for size in args.size] or list(SIZES)
    print("| game | window | | median [ms] | 95 of 100 below [ms] |\n|---|---|---|---|---|")
    for game in GAMES:
        for width, height in sizes:
            app, screen = open_game(game, (width, height))
            for moving in (False, True):
                screen.controller.is_paused = not moving
                times = list(time_frames(app, screen, moving, args.frames))
                if times:
                    low, high = np.percentile(times, (50, 95))
                    state = "in flight" if moving else "resting"
                    print(f"| {game} | {width}x{height} | {state} | {low:.1f} | {high:.1f} |", flush=True)
            app.close()


if __name__ == "__main__":
    main()
