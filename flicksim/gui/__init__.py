"""Graphical user interface with pygame: shows a match, and turns keys and mouse into actions.

Importing this package loads no pygame; the window itself is loaded when it is opened.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from flicksim.core.errors import InvalidFile, MissingExtra
from flicksim.gui.match_recorder import MatchRecorder
from flicksim.match import Match, Turn
from flicksim.referee import Game
from flicksim.scene import LaunchTrajectory, PyramidScene, Scene, Trajectory, VolleyTrajectory

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

__all__ = ["MatchRecorder", "can_open_window", "display_unavailable_reason", "run", "save_gif", "save_image"]


def display_unavailable_reason(environ: Mapping[str, str] | None = None) -> str | None:
    """Reason why no window can be shown here, in plain words; None when one can."""
    env = os.environ if environ is None else environ
    if find_spec("pygame") is None:
        return str(MissingExtra("the window", "play"))
    driver = env.get("SDL_VIDEODRIVER", "")
    if driver in _HIDDEN_DRIVERS:
        return f"SDL_VIDEODRIVER={driver} asks for a screen nobody can see"
    if driver or not sys.platform.startswith("linux"):
        return None
    display = env.get("WAYLAND_DISPLAY") or env.get("DISPLAY")
    if not display:
        return "there is no display here: neither DISPLAY nor WAYLAND_DISPLAY is set"
    if environ is None and _selected_driver() in _HIDDEN_DRIVERS:
        return f"the display {display!r} cannot be reached"
    return None


_HIDDEN_DRIVERS = ("dummy", "offscreen")
"""Drivers of SDL that show nothing; it selects one where no display can be reached."""


def _selected_driver() -> str:
    """Video driver that SDL selects here.

    A display that can show something stays connected, for the window: a server that has this client alone, as of
    `xvfb-run`, starts anew when it leaves, and refuses it meanwhile.
    """
    import pygame

    if pygame.display.get_init():
        return pygame.display.get_driver()
    try:
        pygame.display.init()
        driver = pygame.display.get_driver()
    except pygame.error:
        driver = _HIDDEN_DRIVERS[0]
    if driver in _HIDDEN_DRIVERS:
        pygame.display.quit()
    return driver


def can_open_window() -> bool | str:
    """Return True when a window can be shown here; otherwise the reason in plain words.

    Where it can, `pygame.display` stays connected for it.
    """
    return display_unavailable_reason() or True


def run(
    game: Game | None = None,
    match: Match | None = None,
    recorder: MatchRecorder | Callable[[Match], MatchRecorder] | None = None,
    turns: Sequence[Turn] | None = None,
    screenshot: Path | None = None,
    frames: int | None = None,
    seats: Sequence[str] = (),
) -> int:
    """Open the window and block until it is closed.

    Args:
        game: show this game's options first. match: play this at once. Neither: the menu.
        recorder: notified of every turn and every undo of `match`; or a callable that is handed each match begun in the
            window and gives its recorder.
        turns: turns of a finished game, to look through instead of playing (with `game` or `match` to say which).
        screenshot: where to write a picture of the window when it closes. frames: close by itself after so many.
        seats: seat specifications of `match`; with them and without `recorder` it is kept and counted like a game begun
            in the window.

    Returns:
        0 when the window was closed in peace.

    Raises:
        MissingExtra: pygame is not installed.
        FlicksimError: no window can be opened.
    """
    _require_pygame()
    from flicksim.gui.startup import open_window

    app = open_window(game, match, recorder, turns, seats)
    return app.run(frames=frames, screenshot=screenshot)


def save_image(
    content: Scene | Trajectory | PyramidScene | LaunchTrajectory | VolleyTrajectory,
    path: Path,
    size: tuple[int, int] | None = None,
    seats: Sequence[str] = ("Blue", "Red"),
) -> Path:
    """Write a PNG of a scene, or of a trajectory or launches with the paths of the pieces. Needs no display.

    Args:
        content: what to draw. path: file to write. size: width and height [pixels]; as suits the table without.
        seats: names of the seats, from which pieces take their colours.

    Raises:
        MissingExtra: pygame is not installed.
        InvalidFile: the file cannot be written.
    """
    _require_pygame()
    from flicksim.gui.game_views import discover_game_views
    from flicksim.gui.toolkit.image_files import save_png

    return save_png(discover_game_views().render(content, size, seats), path)


def save_gif(
    game: Game, turns: Sequence[Turn], path: Path, on_progress: Callable[[int], None] = lambda _: None
) -> Path:
    """Write a GIF of turns of a game. Needs no display.

    Args:
        game: whose turns. turns: which; a single one is drawn with more pictures. path: file to write.
        on_progress: called from time to time with the number of turns drawn.

    Raises:
        MissingExtra: pygame or Pillow is not installed.
        InvalidFile: nothing can be shown, or the file cannot be written.
    """
    _require_pygame()
    if path.suffix.lower() != ".gif":
        raise InvalidFile(f"the moving picture {str(path)!r} must be called something.gif")
    from flicksim.gui.game_views import discover_game_views
    from flicksim.gui.match.share import with_progress
    from flicksim.gui.toolkit.image_files import write_gif

    prints = discover_game_views().view_of(game, turns[0].before if turns else None).turn_renderer
    return write_gif(path, prints.frames(game, with_progress(turns, on_progress), is_detailed=len(turns) == 1))


def _require_pygame() -> None:
    """Import pygame, or raise with the reason."""
    if find_spec("pygame") is None:
        raise MissingExtra("the window", "play")
