"""Export of turns and games as images."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from flicksim.ai import stop_if_cancelled
from flicksim.core.errors import FlicksimError, InvalidFile
from flicksim.gui.app import App, TurnRenderer
from flicksim.gui.toolkit import keep_file
from flicksim.gui.toolkit.image_files import save_png, write_gif
from flicksim.match import BackgroundTask, Turn
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


class ImageExporter:
    """Exporter of turns of a game to the player's pictures, on a background thread, one image at a time.

    Args:
        app: shows notices. game: of the turns. renderer: draws turns.
    """

    def __init__(self, app: App, game: Game, renderer: TurnRenderer) -> None:
        self._app, self._game, self._renderer = app, game, renderer
        self.job: BackgroundTask[Path] | None = None
        self.status = ""
        """Progress of the export as text."""

    def export_gif(self, turns: Sequence[Turn], *, is_detailed: bool) -> None:
        """Export turns as a GIF."""
        game, frames = self._game, self._renderer.frames

        def on_progress(count: int) -> None:
            self.status = f"{count:,} of {len(turns):,} turns are drawn"

        def write(path: Path) -> Path:
            return write_gif(path, frames(game, with_progress(turns, on_progress), is_detailed=is_detailed))

        self._start(".gif", write)

    def export_png(self, turn: Turn) -> None:
        """Export the result of a turn as a PNG."""
        self._start(".png", lambda path: write_png(path, self._renderer, self._game, turn))

    def _start(self, suffix: str, write: Callable[[Path], Path]) -> None:
        if self.job is None:
            self.status, name = "The picture is drawn", f"flicksim-{self._game.name}"
            self.job = BackgroundTask(lambda: keep_file("pictures", name, suffix, write))

    def update(self) -> None:
        """Show a notice once the export is done."""
        if self.job is not None and self.job.is_done:
            job, self.job = self.job, None
            try:
                self._app.show_notice(f"The picture is kept as {job.result()}.")
            except FlicksimError as error:
                self._app.show_notice(f"No picture was kept: {error}.")

    def cancel(self) -> None:
        """Cancel the export; no file is left."""
        if self.job is not None:
            self.job.cancel()
            with suppress(FlicksimError):
                self.job.result()  # waits for one frame at most
            self.job = None
