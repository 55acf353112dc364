"""Sharing of games and positions: as share codes, by clipboard, screen and file, and as images."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import pygame

from flicksim.ai import stop_if_cancelled
from flicksim.core.atomic_files import write_atomic
from flicksim.core.errors import FlicksimError, InvalidFile
from flicksim.gui.app import App, Overlay, TurnRenderer
from flicksim.gui.toolkit import Button, Canvas, Form, Untranslated, clipboard, keep_file, palette
from flicksim.gui.toolkit.image_files import save_png, write_gif
from flicksim.match import BackgroundTask, Match, Turn, current_position, encode_match, encode_position
from flicksim.referee import Game

FILE_SUFFIX = ".flicksim"
"""Suffix of files with a share code."""
_MAX_LINES = 5
"""Greatest number of lines of the code shown."""
HIDDEN_WARNING = "All hands are in it, and all that is still to be drawn."
"""Warning where a share code reveals hidden cards."""
_HELP_TEXT = "Send this text to somebody: Ctrl + V in their main menu opens it, or `flicksim open` in a shell."
_GAME_TEXT = "They can look through the game, or go on with it from where it stands."
_POSITION_TEXT = "They can play on from there."


def open_share_screen(app: App, match: Match) -> None:
    """Show the share code of a match, and of its position if its game can encode one."""
    try:
        texts = [("game", encode_match(match))]
        position = current_position(match.game, match.state, match.game.title)
        if position is not None:
            texts.append(("position", encode_position(match.game, position)))
    except FlicksimError as error:
        app.show_notice(f"This cannot be shared: {error}.")
        return
    has_hidden_cards = not match.game.uses_physics and not match.is_over
    app.push(ShareScreen(app, match.game.name, texts, HIDDEN_WARNING if has_hidden_cards else ""))


class ShareScreen(Overlay):
    """Screen with share codes; the first is copied to the clipboard.

    Args:
        name: of the game, for the file. texts: labels and codes. warning: about what the texts reveal.
    """

    BUTTON_STACK = (300, 38, 44, 14)

    def __init__(self, app: App, name: str, texts: Sequence[tuple[str, str]], warning: str = "") -> None:
        super().__init__(app, 560, 280 + 44 * len(texts))
        self._name, self.text, self.message, self._warning = name, "", "", warning
        self._labels = [label for label, _ in texts]
        self.form = Form([
            *(Button(f"Copy the {label}", partial(self.copy, label, text), key=label[0].upper(), is_primary=not k)
              for k, (label, text) in enumerate(texts)),
            Button("Keep as a file", self.save, key="F"), Button("Back", app.pop, key="Esc"),
        ])  # fmt: skip
        self.copy(*texts[0])

    def copy(self, label: str, text: str) -> None:
        """Copy a code to the clipboard, and show it."""
        self.text = text
        where = f"The {label} is on the clipboard," if clipboard.copy(text) else "There is no clipboard here."
        self.message = f"{where} {len(text):,} letters."

    def save(self) -> None:
        """Save the code shown to a file, and show its path."""
        text = self.text.encode() + b"\n"
        try:
            path = keep_file("data", self._name, FILE_SUFFIX, lambda path: write_atomic(path, text), "shared")
            self.message = f"It is kept as {path}."
        except FlicksimError as error:
            self.message = f"No file was written: {error}."

    def status_line(self) -> str:
        items = [f"{label[0].upper()} copies the {label}" for label in self._labels]
        return "   ·   ".join([*items, "F keeps a file", "Tab, Up Down move", "Esc back"])

    def draw(self, canvas: Canvas) -> None:
        """Draw the code, cut to the space, and the message of the last action."""
        super().draw(canvas)
        area = self.rect.inflate(-canvas.px(48), -canvas.px(36))
        y = canvas.text("Share", area.topleft, 22, bold=True).bottom + canvas.px(4)
        help_rect, two_lines = pygame.Rect(area.x, y, area.w, canvas.px(60)), canvas.line_height(14) * 2
        help_text = f"{_HELP_TEXT} {_GAME_TEXT if 'game' in self._labels else _POSITION_TEXT}"
        y = canvas.paragraph(help_text, help_rect, 14, palette.MUTED_TEXT) + canvas.px(6)
        if self._warning:
            y = canvas.paragraph(self._warning, pygame.Rect(area.x, y, area.w, two_lines), 14, palette.ACCENT)
        bottom = self.form.widgets[0].rect.y - canvas.px(8)
        y = canvas.paragraph(self.message, pygame.Rect(area.x, y, area.w, two_lines), 14, palette.GOOD)
        line_length = max(8, area.w * 10 // max(1, canvas.text_width("0123456789", 12)))
        lines = [self.text[k : k + line_length] for k in range(0, len(self.text), line_length)]
        max_lines = min(_MAX_LINES, max(1, (bottom - y) // canvas.line_height(12)))
        if len(lines) > max_lines:
            lines = [*lines[: max_lines - 1], lines[max_lines - 1][: line_length - 3] + "..."]
        for line in lines:
            canvas.text(Untranslated(line), (area.x, y), 12, palette.MUTED_TEXT, max_width=area.w)
            y += canvas.line_height(12)


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
    """Exporter of turns of a game to the player's pictures, on a background thread, one image at a time."""

    def __init__(self, app: App, game: Game, renderer: TurnRenderer) -> None:
        self._app, self._game, self._renderer = app, game, renderer
        self.job: BackgroundTask[Path] | None = None
        self.status = ""
        """Progress of the export as text."""

    def export_gif(self, turns: Sequence[Turn], *, is_detailed: bool) -> None:
        """Export turns as a GIF."""
        game, frames = self._game, self._renderer.frames

        def on_progress(count: int) -> None:
            self.status = f"The picture is drawn: {count / len(turns):.0%}"

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
