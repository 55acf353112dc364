"""Positions on the study board with the map of their best flick, as pictures.

`python -m benchmarks.studies` draws them in `assets` without opening a window; each waits for the whole analysis.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from time import monotonic, sleep

import pygame

from flicksim import games
from flicksim.base.errors import FlicksimError
from flicksim.base.kinds import Position
from flicksim.games.penny_white.equipment import Options
from flicksim.games.penny_white.position import Position as Pennies
from flicksim.ui.match.study import StudyScreen
from flicksim.ui.opening import opened

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
"""Positions of pennies, one each to come in the only end."""
PICTURES = {"winks": "tiddlywinks", "ice": "ice", **dict.fromkeys(PENNIES, "penny-white")}
"""Name of a picture and its game; what is not among these is the position that the study board begins with."""
_LONGEST = 900.0
"""Nobody waits longer for the analysis of a position [s]."""


def draw(game: str, position: Position, path: Path, longest: float = _LONGEST) -> str:
    """Draw a position with the map of its best flick, as the study board shows it. Returns what is said there.

    Raises:
        FlicksimError: the analysis is not over in time, or failed.
    """
    app = opened(None, None, None, None)
    try:
        screen = app.routes.study(app, games.load(game), position)
        assert isinstance(screen, StudyScreen)
        app.push(screen)
        insight, begun = screen.insight, monotonic()
        while not (insight.seen and not insight.busy):
            app.frame(0.05)
            sleep(0.05)
            if monotonic() - begun > longest:
                raise FlicksimError(f"the analysis of {game} is not over after {longest:g} s")
        app.frame(0.05)
        best = insight.best[0]
        pygame.image.save(app.surface, str(path))
        return f"{best.worth.chance:.0%} ({best.worth.low:.0%} to {best.worth.high:.0%})"
    finally:
        while app.screens:
            app.screens.pop().close()
        app.sounds.close()


def main() -> None:
    """Draw all, or those that are named."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("names", nargs="*", help=f"pictures: {', '.join(PICTURES)}; all without")
    words.add_argument("--folder", type=Path, default=ROOT / "assets")
    asked = words.parse_args()
    if strange := set(asked.names) - set(PICTURES):
        words.error(f"no picture {min(strange)!r}; there are {', '.join(PICTURES)}")
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    for name in asked.names or PICTURES:
        game = PICTURES[name]
        card = games.load(game)
        assert card.setting is not None
        position = PENNIES.get(name) or card.setting.bare()
        path = asked.folder / f"study-{name}.jpg"
        print(f"{path.name}: the best flick wins {draw(game, position, path)}")


if __name__ == "__main__":
    main()
