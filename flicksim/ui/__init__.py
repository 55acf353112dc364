"""The window: the only room that knows pygame. It shows a match, and turns keys and mouse into actions.

Importing this package loads no pygame; the window itself is loaded when it is opened.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from flicksim.base.errors import BadFile, MissingExtra
from flicksim.play import Match, Turn
from flicksim.referee import Game
from flicksim.table import Landing, Landings, Motion, PyramidScene, Scene
from flicksim.ui.frame.sitting import Keeper

__all__ = ["Keeper", "can_open", "gif", "picture", "run", "why_no_window"]


def why_no_window(environ: Mapping[str, str] | None = None) -> str | None:
    """Reason why no window can be shown here, in plain words; None when one can."""
    env = os.environ if environ is None else environ
    if find_spec("pygame") is None:
        return str(MissingExtra("the window", "play"))
    driver = env.get("SDL_VIDEODRIVER", "")
    if driver in ("dummy", "offscreen"):
        return f"SDL_VIDEODRIVER={driver} asks for a screen nobody can see"
    if sys.platform.startswith("linux") and not driver and not (env.get("DISPLAY") or env.get("WAYLAND_DISPLAY")):
        return "there is no display here: neither DISPLAY nor WAYLAND_DISPLAY is set"
    return None


def can_open() -> bool | str:
    """True when a window can be shown here; otherwise the reason in plain words."""
    return why_no_window() or True


def run(
    game: Game | None = None,
    match: Match | None = None,
    recorder: Keeper | Callable[[Match], Keeper] | None = None,
    turns: Sequence[Turn] | None = None,
    screenshot: Path | None = None,
    frames: int | None = None,
) -> int:
    """Open the window and stay until it is closed.

    Args:
        game: show this game's options first. match: play this at once. Neither: the menu.
        recorder: told of every turn and every undo of `match`; or a callable that is handed each match begun in the
            window and gives its recorder.
        turns: turns of a finished game, to look through instead of playing (with `game` or `match` to say which).
        screenshot: where to write a picture of the window when it closes. frames: close by itself after so many.

    Returns:
        0 when the window was closed in peace.

    Raises:
        MissingExtra: pygame is not installed.
        FlicksimError: no window can be opened.
    """
    _need()
    from flicksim.ui.opening import opened

    app = opened(game, match, recorder, turns)
    return app.run(frames=frames, screenshot=screenshot)


def picture(
    shown: Scene | Motion | PyramidScene | Landing | Landings, path: Path, size: tuple[int, int] | None = None,
    seats: Sequence[str] = ("Blue", "Red"),
) -> Path:  # fmt: skip
    """Write a PNG of a scene, or of a motion or launches with the ways pieces went. Needs no display.

    Args:
        shown: what to draw. path: file to write. size: width and height [pixels]; as suits the table without.
        seats: names of the seats, from which pieces take their colours.

    Raises:
        MissingExtra: pygame is not installed.
        BadFile: the file cannot be written.
    """
    _need()
    from flicksim.ui.faces import found
    from flicksim.ui.kit.pictures import save

    return save(found().picture(shown, size, seats), path)


def check_gif(path: Path) -> None:
    """See that a moving picture can be called so.

    Raises:
        BadFile: it cannot.
    """
    if path.suffix.lower() != ".gif":
        raise BadFile(f"the moving picture {str(path)!r} must be called something.gif")


def gif(game: Game, turns: Sequence[Turn], path: Path, told: Callable[[int], None] = lambda _: None) -> Path:
    """Write a GIF of turns of a game. Needs no display.

    Args:
        game: whose turns. turns: which; a single one is drawn with more pictures. path: file to write.
        told: is told how many turns are drawn, from time to time.

    Raises:
        MissingExtra: pygame or Pillow is not installed.
        BadFile: nothing can be shown, or the file cannot be written.
    """
    _need()
    check_gif(path)
    from flicksim.ui.faces import found
    from flicksim.ui.kit.pictures import write_gif
    from flicksim.ui.match.export import counted

    prints = found().of(game, turns[0].before if turns else None).prints
    return write_gif(path, prints.frames(game, counted(turns, told), fine=len(turns) == 1))


def _need() -> None:
    """pygame, or the reason in words."""
    if find_spec("pygame") is None:
        raise MissingExtra("the window", "play")
