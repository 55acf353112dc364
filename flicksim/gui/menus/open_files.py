"""Screen to open games and positions: shipped or saved positions, recorded games, and any file by its path."""

import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pygame

from flicksim import match
from flicksim.core.errors import FlicksimError
from flicksim.gui.app import App, GameViews, Screen
from flicksim.gui.match import saved_games
from flicksim.gui.match.share import ShareScreen
from flicksim.gui.match.start_match import open_replay, quick_grade, resume_match, start_match
from flicksim.gui.menus import openable_items
from flicksim.gui.menus.game_loading import GameLoading
from flicksim.gui.menus.openable_items import OpenableItem, shared_item
from flicksim.gui.toolkit import Button, Canvas, Form, ListBox, TextField, clipboard, palette, place_in_grid
from flicksim.referee import Game
from flicksim.scene import PyramidScene, Scene

_GAME_ACTIONS, _POSITION_ACTIONS = ("Play on", "Look through"), ("Play against bots", "Play every seat")
"""Labels of the buttons for a game, and for a position."""


class OpenScreen(Screen):
    """Screen with the list on the left, the selected entry on the right and two actions under it.

    Args:
        app: the application. game_views: of all games. path, text: a file or share code to be opened first.
    """

    def __init__(self, app: App, game_views: GameViews, path: Path | None = None, text: str | None = None) -> None:
        super().__init__(app)
        self._game_views = game_views
        self.items = openable_items.list_items()
        if path is not None or text is not None:
            brought = _opened_item(path) if path is not None else shared_item(text or "")
            self.items = _with_first(brought, self.items)
        self.list = ListBox("To open", openable_items.list_lines(self.items), on_select=lambda _: self._on_select(),
                            on_activate=self._on_activate, row_height=30.0, wrap_lines=True)  # fmt: skip
        self.path = TextField("File", "", help_text="A path to type in.", max_length=400)
        self._fetch = Button("Open file", self.load_typed_path)
        self._paste = Button("Paste", self.paste_shared, key="Ctrl + V", help_text="Open a text that somebody shared.")
        self._share = Button("Share", self.share_selected, help_text="The chosen one as a short text.")
        self.primary_button = Button("Play on", self.open_selected, key="Enter", is_primary=True)
        self.secondary_button = Button("", lambda: self.open_selected(is_primary=False))
        self._set_up = Button("Set up", self.edit_position, help_text="On the study board.")
        self._back = Button("Back", app.pop, key="Esc")
        actions = (self.primary_button, self.secondary_button, self._set_up, self._share)
        self.form = Form([self.list, *actions, self.path, self._fetch, self._paste, self._back])
        self.picture = pygame.Rect(0, 0, 10, 10)
        self._job: GameLoading | None = None
        self._is_replay = False
        self._loading: OpenableItem | None = None
        """Entry that is being loaded, whatever is selected meanwhile."""
        self.notice = ""
        self._last_clicked = -1
        self.drawn_item: tuple[object, pygame.Surface | None] | None = None
        self._preview: tuple[object, match.BackgroundTask[tuple[match.Match, pygame.Surface | None]]] | None = None
        self._on_select()

    @property
    def selected(self) -> OpenableItem | None:
        """Entry selected in the list."""
        return self.items[self.list.index] if self.items else None

    def _on_select(self) -> None:
        item = self.selected
        is_valid = item is not None and not item.error
        item = item or OpenableItem("")
        is_shared, is_game = item.shared_game is not None, item.path is not None or item.shared_game is not None
        self.primary_button.enabled = is_valid
        self.secondary_button.enabled = is_valid and (not item.is_over or bool(item.sound_turns))
        self._share.enabled = is_valid and not is_shared and not item.notation and not item.sound_turns
        self._set_up.enabled = is_valid and not is_game
        labels = _GAME_ACTIONS if is_game else _POSITION_ACTIONS
        is_swapped = item.is_finished if is_game else item.is_study
        self.primary_button.label, self.secondary_button.label = labels[::-1] if is_swapped else labels
        self.notice = ""

    def _on_activate(self, index: int) -> None:
        """Open the entry on Enter or a second click; a first click only selects."""
        if pygame.mouse.get_pressed()[0] and self._last_clicked != index:
            self._last_clicked = index
            return
        self.open_selected()

    def load_typed_path(self) -> None:
        """Add the file whose path is typed to the top of the list."""
        if match.has_share_code(self.path.value):
            self._prepend(shared_item(self.path.value))
        elif self.path.value:
            self.add_file(self._typed_path)

    @property
    def _typed_path(self) -> Path:
        path = Path(self.path.value)
        with suppress(RuntimeError):  # "~" without a home folder
            path = path.expanduser()
        return path

    def add_file(self, path: Path) -> None:
        """Add a file to the top of the list and select it."""
        self._prepend(_opened_item(path))

    def paste_shared(self) -> None:
        """Add the share code on the clipboard to the top of the list."""
        self._prepend(shared_item(clipboard.paste()))

    def edit_position(self) -> None:
        """Open the selected position in the position editor."""
        item = self.selected
        if item is None or item.error or item.game is None or item.path is not None:
            return
        screen = self.app.routes.position_editor(self.app, item.game, item.position)
        if screen is None:
            self.notice = f"Positions of {item.game.title} are not set up by hand."
        else:
            self.app.push(screen)

    def share_selected(self) -> None:
        """Show the selected entry as a share code."""
        item = self.selected
        if item is None or item.error or item.game is None:
            return
        try:
            if item.path is not None:
                text = "game", match.encode_record(match.read_record(item.path))
            else:
                text = "position", match.encode_position(item.game, item.position)
        except FlicksimError as wrong:
            self.notice = str(wrong)
            return
        self.app.push(ShareScreen(self.app, item.game.name, [text]))

    def _prepend(self, item: OpenableItem) -> None:
        self.items = _with_first(item, self.items)
        self.list.set_lines(openable_items.list_lines(self.items), 0)
        self._on_select()

    def status_line(self) -> str:
        if self._job is not None:
            return "Esc stops"
        if self.form.focused is self.path:
            return f"{self._path_status()}   ·   Tab to the buttons and the list   ·   Esc back"
        enter = self._enter_button
        action = f"Enter: {enter.label.lower()}   ·   " if enter.enabled else ""
        return f"Up Down choose   ·   {action}Tab to the buttons and the path   ·   Esc back"

    @property
    def _enter_button(self) -> Button:
        """Button whose action Enter does: the focused one, that beside the path, or the first one at the list."""
        beside = self._fetch if self.form.focused is self.path else self.primary_button
        return self.form.focused if isinstance(self.form.focused, Button) else beside

    def _path_status(self) -> str:
        """Text about what Enter does with the typed path."""
        if match.has_share_code(self.path.value):
            return "Enter: read the shared text"
        if not self.path.value:
            return "Type the path of a file, or a text that somebody shared"
        if os.path.isfile(self._typed_path):  # noqa: PTH113 - unlike the method, False of a name that is too long
            return "Enter: put this file on the list"
        if os.path.isdir(self._typed_path):  # noqa: PTH112
            return "That is a folder, not a file"
        return "There is no such file"

    # -- ways to begin --------------------------------------------------------------------------------------------

    def open_selected(self, *, is_primary: bool = True) -> None:
        """Continue or replay a recorded game; play a position, oneself and one's partner against bots, or every seat.

        Args:
            is_primary: do what the first button says, or the second.
        """
        item = self.selected
        if item is None or item.error:
            return
        if item.shared_game is not None or item.path is not None:
            self._load_in_background(item, is_replay=item.is_finished == is_primary)
        else:
            assert item.game is not None
            is_alone = item.is_study == is_primary
            first, bot = item.game.rules.to_play(item.state) or 0, f"bot:{quick_grade(self.app, item.game)}"
            side = next(side for side in item.game.sides(item.seat_count) if first in side)
            seats = ["human" if is_alone or seat in side else bot for seat in range(item.seat_count)]
            players, position, seed = map(match.parse_seat, seats), item.position, secrets.randbelow(10**6)
            played = match.open_match(item.game, position.options, list(players), seed, position=position)
            start_match(self.app, played, seats)

    def _load_in_background(self, item: OpenableItem, *, is_replay: bool) -> None:
        if self._job is None:
            self._is_replay, self._loading = is_replay, item
            self._clear_preview()  # which would replay it a second time meanwhile
            self._job = GameLoading(lambda on_turn: item.replay(is_recording=not is_replay, on_turn=on_turn))

    def _cancel_loading(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._job = None

    # -- events, picture ------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Handle keys and mouse; a dropped file is opened, and typing goes to the field for a path."""
        is_key = event.type == pygame.KEYDOWN
        if event.type == pygame.DROPFILE:
            self.add_file(Path(event.file))
        elif clipboard.is_paste_key(event):
            self.paste_shared()
        elif is_key and event.key == pygame.K_ESCAPE and self._job is not None:
            self._cancel_loading()
        elif is_key and event.key == pygame.K_ESCAPE:
            self.app.pop()
        elif is_key and event.key == pygame.K_RETURN and self.form.focused is self.path:
            self.load_typed_path()
            if self.selected is not None and not self.selected.error:  # the next Enter opens it
                self.form.focus = self.form.widgets.index(self.list)
        elif is_key and event.key in (pygame.K_LEFT, pygame.K_RIGHT) and self.form.focus in (1, 2):
            self.form.focus = 3 - self.form.focus
        elif not self.form.handle(event) and is_key and event.unicode.isprintable() and event.unicode:
            self.form.focus = self.form.widgets.index(self.path)
            self.path.is_selected = True  # a new path replaces the last one
            self.path.handle_key(event)

    def update(self, dt: float) -> None:
        """Advance the screen; a recorded game is opened once it is loaded."""
        del dt
        if self._job is None or not self._job.is_done:
            return
        job, self._job = self._job, None
        try:
            played = job.result()
        except saved_games.AlteredGame as wrong:
            assert self._loading is not None
            self._offer_sound_turns(self._loading, wrong)
            return
        except FlicksimError as wrong:
            self.notice = str(wrong)
            return
        self.notice = ""
        item = self._loading
        if item is not None and item.shared_game is not None and (mismatch := item.shared_game.mismatch(played.match)):
            self.app.show_notice(mismatch)
        if self._is_replay:
            open_replay(self.app, played)
        else:
            resume_match(self.app, played)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the list on the left and the picture on the right."""
        w, h = size
        pad, top, high, gap = round(20 * scale), round(70 * scale), round(38 * scale), round(8 * scale)
        wide = round(w * 0.4)
        foot = h - pad - high
        self.path.rect = pygame.Rect(pad, foot - gap - high, wide, high)
        self.path.label_fraction = 46 * scale / wide
        self.list.rect = pygame.Rect(pad, top, wide, self.path.rect.y - gap - top)
        place_in_grid((self._fetch, self._paste), pygame.Rect(pad, foot, wide, high), high, gap, 2)
        x = pad * 2 + wide
        self.picture = pygame.Rect(x, top, w - x - pad, round((h - top) * 0.5))
        row = pygame.Rect(x, foot, w - x - pad, high)
        place_in_grid((self._set_up, self._share, self._back), row, high, gap, 3)
        place_in_grid((self.primary_button, self.secondary_button), row.move(0, -gap - high), high, gap, 2)

    def draw(self, canvas: Canvas) -> None:
        """Draw the selected position and its description."""
        head = canvas.text("Open", (self.list.rect.x, canvas.px(18)), 26, bold=True)
        canvas.text("Recorded games and positions. A file can also be dropped on the window.",
                    (head.right + canvas.px(20), canvas.px(30)), 13, palette.MUTED_TEXT)  # fmt: skip
        item, picture = self.selected, self.picture
        y = picture.bottom + canvas.px(12)
        if not self.draw_position(canvas, picture):
            y = picture.y
        high = max(canvas.line_height(16), self.primary_button.rect.y - y - canvas.px(10))
        text_rect = pygame.Rect(picture.x, y, picture.w, high)
        if item is None:
            canvas.paragraph("There is nothing to open yet.", text_rect, 15, palette.MUTED_TEXT)
        else:
            end = canvas.paragraph(self.list.lines[self.list.index], text_rect, 19, bold=True)
            rect = pygame.Rect(text_rect.x, end, text_rect.w, text_rect.bottom - end)
            end = _draw_scores(canvas, rect, item.summary)
            if item.standing:
                text = "   ·   ".join(item.standing)
                end = canvas.paragraph(text, pygame.Rect(text_rect.x, end, text_rect.w, text_rect.bottom - end), 15)
            high = max(canvas.line_height(15), text_rect.bottom - end)
            text_rect = pygame.Rect(text_rect.x, end + canvas.px(4), text_rect.w, high)
            colour = palette.BAD if item.error else palette.TEXT if self.notice else palette.MUTED_TEXT
            if self._job is not None:
                self._job.draw(canvas, text_rect)
            else:
                text = item.text if self._preview is None else f"{item.text} The game is played again ..."
                canvas.paragraph(item.error or self.notice or text, text_rect, 15, colour)
        for button in (self.primary_button, self._fetch):
            button.shortcut = "Enter" if button is self._enter_button else ""
        self.form.draw(canvas)

    def draw_position(self, canvas: Canvas, rect: pygame.Rect) -> bool:
        """Draw the selected position on its table; return False if none is selected or it cannot be drawn."""
        item = self.selected
        if item is None or item.game is None or self._game_views.unavailable_reason(item.game):
            return False
        picture = self._position_image(item, item.game, rect.size, canvas.scale)
        if picture is not None:
            canvas.surface.blit(picture, picture.get_rect(center=rect.center))
        return picture is not None

    def _position_image(
        self, item: OpenableItem, game: Game, size: tuple[int, int], scale: float
    ) -> pygame.Surface | None:
        """Image of a position, or of the last one of a game; None until it is known. Cards are replayed for it."""
        key = (self.list.index, item.as_listed, size, palette.palette_name)  # titles of two files may be the same
        if self.drawn_item is not None and self.drawn_item[0] == key:
            return self.drawn_item[1]
        if item.state is not None and not item.is_study:
            picture = pygame.Surface(size)
            picture.fill(palette.BACKGROUND)
            if (draw := self._game_views.view_of(game, item.state).draw_state) is not None:
                draw(Canvas(picture, scale), picture.get_rect(), game, item.state)
            self.drawn_item = (key, None if draw is None else picture)
            return self.drawn_item[1]
        lying = item.summary.final_scene if item.summary is not None else getattr(item.state, "scene", None)
        if lying is not None:  # a shared game is shown as its final scene
            self.drawn_item = (key, self._game_views.render(lying, size, game.seat_names))
            return self.drawn_item[1]
        if self._preview is None or self._preview[0] != key:
            self._clear_preview()
            if item.error or (item.path is None and item.shared_game is None) or self._job is not None:
                return None
            self._preview = (key, match.BackgroundTask(lambda: _replayed(self._game_views, item, size)))
        job = self._preview[1]
        if not job.is_done:
            return None
        self._preview = None
        try:
            played, shown = job.result()
            self.drawn_item = (key, shown)
            summary, is_over = item.summary or saved_games.summarize(played), item.is_over or played.is_over
            self.items[self.list.index] = replace(item, summary=summary, is_over=is_over)
            if is_over != item.is_over:
                self._on_select()
        except saved_games.AlteredGame as wrong:
            self.drawn_item = None
            self._offer_sound_turns(item, wrong)
            return None
        except FlicksimError as wrong:  # as of a record whose header was altered
            self.drawn_item = (key, None)
            self.items[self.list.index] = replace(item, error=str(wrong))
            self._on_select()
        return self.drawn_item[1]

    def _offer_sound_turns(self, item: OpenableItem, wrong: saved_games.AlteredGame) -> None:
        """Offer the turns of a record before its alteration."""
        text = openable_items.sound_turns_text(str(wrong), wrong.sound_turns)
        sound = replace(item, text=text, summary=None, sound_turns=wrong.sound_turns)
        self.items = [sound if one == item else one for one in self.items]
        self._on_select()

    def _clear_preview(self) -> None:
        if self._preview is not None:
            self._preview[1].cancel()
        self._preview = None

    def close(self) -> None:
        """Cancel background work when the screen is left."""
        self._cancel_loading()
        self._clear_preview()


def _opened_item(path: Path) -> OpenableItem:
    """Entry for a file, which is remembered if it can be opened."""
    item = openable_items.item_from_path(path)
    if not item.error and item.file is not None:
        openable_items.remember_file(item.file)
    return item


def _with_first(item: OpenableItem, items: Sequence[OpenableItem]) -> list[OpenableItem]:
    """Entries with one at the top, listed once as it is now, in the place of one there that could not be opened."""
    others = items[1:] if items and items[0].error else items

    def is_same(one: OpenableItem) -> bool:
        return one.as_listed == item.as_listed or (item.file is not None and one.file == item.file)

    return [item, *(one for one in others if not is_same(one))]


def _replayed(
    game_views: GameViews, item: OpenableItem, size: tuple[int, int]
) -> tuple[match.Match, pygame.Surface | None]:
    """Match of an entry, and an image of at most a size [pixels] of its table; None before the first turn."""
    played = item.replay().match
    scene = getattr(played.state, "scene", None)
    if isinstance(scene, Scene | PyramidScene):
        return played, game_views.render(scene, size, played.game.seat_names)
    if not played.turns:
        return played, None
    renderer = game_views.view_of(played.game, played.state).turn_renderer
    drawn, _ = next(iter(renderer.frames(played.game, played.turns[-1:], is_detailed=False)))
    share = min(size[0] / drawn.get_width(), size[1] / drawn.get_height(), 1.0)
    return played, pygame.transform.smoothscale_by(drawn, share)


def _draw_scores(canvas: Canvas, rect: pygame.Rect, summary: saved_games.GameSummary | None) -> int:
    """Draw the result or score of a saved game. Return its lower end [pixels]."""
    if summary is None:
        return rect.y
    top = (rect.x, rect.y + canvas.px(2))
    y = canvas.text(summary.result, top, 17, palette.ACCENT, bold=True, max_width=rect.w).bottom
    scores = "   ·   ".join(f"{name} {points}" for name, points in summary.scores)
    return canvas.paragraph(scores, pygame.Rect(rect.x, y, rect.w, canvas.px(44)), 15)
