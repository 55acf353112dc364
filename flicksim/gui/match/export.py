"""Export of turns and games as images, without a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from flicksim.ai import stop_if_cancelled
from flicksim.core.errors import InvalidFile
from flicksim.gui.app.game_view import TurnRenderer
from flicksim.gui.toolkit.image_files import save_png
from flicksim.match import Turn
from flicksim.referee import Game


def with_progress(turns: Sequence[Turn], on_progress: Callable[[int], None]) -> Iterator[Turn]:
    """The turns, one after another, reporting progress."""
    for count, turn in enumerate(turns):
        on_progress(count)
        yield turn
    on_progress(len(turns))


def write_png(path: Path, renderer: TurnRenderer, game: Game, turn: Turn) -> Path:
    """Write an image of a turn's result: the table with the paths of the pieces, or the cards.

    Raises:
        InvalidFile: it cannot be written.
    """
    image = renderer.still_image(game, turn)
    if image is not None:
        return save_png(image, path)
    frame = None
    for frame in renderer.frames(game, [turn]):  # noqa: B007 - one at a time: all together they are large
        stop_if_cancelled()
    if frame is None:
        raise InvalidFile(f"nothing lies there that could be shown in {str(path)!r}")
    return save_png(frame[0], path)
