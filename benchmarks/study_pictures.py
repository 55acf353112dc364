"""Draw positions on the study board with the value map of their best flick, as images for the documentation.

`python -m benchmarks.study_pictures` writes them to `assets` without opening a window, each after its full analysis.
"""

import argparse
import os
from pathlib import Path
from time import monotonic, sleep

import pygame

from flicksim import games
from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import Position
from flicksim.games.penny_white.equipment import Options
from flicksim.games.penny_white.position import Position as Pennies
from flicksim.gui.match.position_editor import PositionEditorScreen
from flicksim.gui.startup import open_window

ROOT = Path(__file__).resolve().parents[1]
_LAST = Options(ends=1)
PENNIES = {
    "open": Pennies(title="Open", white=(149.0, 600.0), blue=((127.0, 546.0),), red=((170.0, 569.0),), options=_LAST),
    "guard": Pennies(
        title="Guarded", white=(178.0, 600.0), blue=((119.0, 469.0),), red=((164.0, 558.0), (196.0, 581.0)),
        options=_LAST,
    ),
    "hugs": Pennies(title="Hidden", white=(149.0, 600.0), blue=((93.0, 588.0),), red=((149.0, 577.0),), options=_LAST),
}  # fmt: skip
"""Positions of Penny White, with one penny each left in the only end."""
PICTURES = {"winks": "tiddlywinks", "ice": "ice", **dict.fromkeys(PENNIES, "penny-white")}
"""Game of each image; those not in `PENNIES` show the initial position of the study board."""
_TIMEOUT = 900.0
"""Longest analysis of a position [s]."""


def draw_pictures(game: str, position: Position, path: Path, timeout: float = _TIMEOUT) -> str:
    """Draw a position as the study board shows it. Returns the win probability of its best flick as text.

    Raises:
        FlicksimError: the analysis failed or timed out.
    """
    app = open_window(None, None, None, None)
    try:
        screen = app.routes.position_editor(app, games.load(game), position)
        assert isinstance(screen, PositionEditorScreen)
        app.push(screen)
        analysis, start = screen.analysis, monotonic()
        while not (analysis.is_complete and not analysis.is_busy):
            app.run_frame(0.05)
            sleep(0.05)
            if monotonic() - start > timeout:
                raise FlicksimError(f"the analysis of {game} is not over after {timeout:g} s")
        app.run_frame(0.05)
        best = analysis.best_candidates[0]
        pygame.image.save(app.surface, str(path))
        return f"{best.value.win_probability:.0%} ({best.value.low:.0%} to {best.value.high:.0%})"
    finally:
        while app.screens:
            app.screens.pop().close()
        app.sounds.close()


def main() -> None:
    """Draw the images named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"pictures: {', '.join(PICTURES)}; default: all")
    parser.add_argument("--folder", type=Path, default=ROOT / "assets", help="folder of the pictures; default: assets")
    args = parser.parse_args()
    if unknown := set(args.names) - set(PICTURES):
        parser.error(f"no picture {min(unknown)!r}; there are {', '.join(PICTURES)}")
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    for name in args.names or PICTURES:
        game = PICTURES[name]
        loaded = games.load(game)
        assert loaded.position_editor is not None
        position = PENNIES.get(name) or loaded.position_editor.empty_position()
        path = args.folder / f"study-{name}.jpg"
        print(f"{path.name}: the best flick wins {draw_pictures(game, position, path)}")


if __name__ == "__main__":
    main()
