"""Main menu: every game with an animated miniature and a quick start by one key, and all other entries."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pygame

from flicksim import games
from flicksim.core.errors import FlicksimError
from flicksim.gui.app import App, HelpScreen, Screen, SettingsScreen
from flicksim.gui.app.game_view import GameViews, Miniature, PracticeMode
from flicksim.gui.match import saved_games
from flicksim.gui.match.overlays import ConfirmScreen
from flicksim.gui.match.start_match import has_beginner_bot, quick_grade, quick_seats, resume_match, start_match
from flicksim.gui.menus.challenges import ChallengesScreen
from flicksim.gui.menus.game_loading import GameLoading
from flicksim.gui.menus.new_game import NewGameScreen
from flicksim.gui.menus.open_files import OpenScreen
from flicksim.gui.menus.statistics import StatisticsScreen
from flicksim.gui.menus.welcome import LessonsScreen, WelcomeScreen
from flicksim.gui.toolkit import PRESS_KEYS, Button, Canvas, Form, Widget, clipboard, palette, piece_sprites
from flicksim.gui.toolkit.key_bindings import COMMON_KEYS, KEY_MAPS, KeyBinding, KeyMap
from flicksim.match import bot_warmup, joint_message, open_match, parse_seat, read_record
from flicksim.referee import Game, parse_options

_MANY_CARDS = 40
"""Number of seeds tried to find a first game that the person begins [-]."""
_SUBTITLE = "flicking games, played and studied properly"
_DIGITS = range(pygame.K_1, pygame.K_9 + 1)


class GameCard(Widget):
    """Card of a game: miniature, name and a sentence.

    Args:
        game: the game. miniature: of its table. number: key that starts it. on_start: starts a quick game.
            on_options: opens seats and options.
    """

    def __init__(
        self, game: Game, miniature: Miniature, number: int, on_start: Callable[[Game], None],
        on_options: Callable[[Game], None],
    ) -> None:  # fmt: skip
        super().__init__(game.title)
        self.game, self._number, self._on_start, self._on_options = game, number, on_start, on_options
        self.miniature = miniature
        self.time = 0.7 * number
        self.line_count = 2
        """Number of lines for the sentence: as many in all cards, so that their titles are level."""
        self._button = pygame.Rect(0, 0, 0, 0)

    def lines_needed(self, canvas: Canvas) -> int:
        """Number of lines that the sentence takes."""
        return min(6, len(canvas.wrap(self.game.summary, self.rect.w - 2 * canvas.px(10), 13)))

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Draw the miniature over the text, the key and the options button in the corners."""
        rect, pad = self.rect, canvas.px(10)
        self._draw_frame(canvas, focused, hovered)
        width = rect.w - 2 * pad
        text_height = canvas.line_height(18) + self.line_count * canvas.line_height(13) + canvas.px(38)
        table = pygame.Rect(rect.x + pad, rect.y + pad, width, max(canvas.px(40), rect.h - text_height - pad))
        self.miniature.draw(canvas, table, self.time)
        y = table.bottom + canvas.px(6)
        r = canvas.px(11)
        canvas.disc((rect.x + pad + r, y + r), r, palette.ACCENT)
        canvas.text(str(self._number), (rect.x + pad + r, y + r), 15, palette.ON_ACCENT, bold=True, anchor="center")
        width -= 2 * r + canvas.px(8)
        title = self.game.title
        size = next((size for size in range(18, 10, -1) if canvas.text_width(title, size, bold=True) <= width), 10)
        canvas.text(title, (rect.x + pad + 2 * r + canvas.px(8), y + r), size, bold=True, anchor="midleft",
                    max_width=width)  # fmt: skip
        y += canvas.line_height(18)
        foot = canvas.px(26)
        text_rect = pygame.Rect(rect.x + pad, y + canvas.px(4), rect.w - 2 * pad, rect.bottom - foot - y)
        canvas.paragraph(self.game.summary, text_rect, 13, palette.MUTED_TEXT)
        self._button = pygame.Rect(rect.right - canvas.px(92), rect.bottom - foot, canvas.px(86), foot - canvas.px(4))
        over = self._button.collidepoint(pygame.mouse.get_pos())
        at, colour = (self._button.right - canvas.px(4), self._button.centery), palette.MUTED_TEXT
        canvas.text("more ...  M" if focused else "more ...", at, 13, palette.ACCENT if over or focused else colour,
                    bold=True, anchor="midright")  # fmt: skip
        canvas.text("Enter plays" if focused else "click to play", (rect.x + pad, self._button.centery), 12,
                    palette.MUTED_TEXT, anchor="midleft")  # fmt: skip

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Start a quick game on Enter or Space, open seats and options on M."""
        if event.key in PRESS_KEYS:
            self._on_start(self.game)
        elif event.key == pygame.K_m:
            self._on_options(self.game)
        else:
            return False
        return True

    def handle_press(self, position: tuple[int, int]) -> None:
        """Start a quick game, or open seats and options."""
        (self._on_options if self._button.collidepoint(position) else self._on_start)(self.game)


class MainMenuScreen(Screen):
    """Main menu with the games on the left and the other entries on the right.

    Args:
        app: the application. game_views: of all games.
    """

    def __init__(self, app: App, game_views: GameViews) -> None:
        super().__init__(app)
        self._game_views = game_views
        all_games = [games.load(name) for name in games.names()]
        self.cards = [
            GameCard(game, miniature_of(game_views, game), k + 1, self.start_quick_game, self.open_new_game)
            for k, game in enumerate(all_games)
        ]
        self.notice = ""
        thoughts = (bot_warmup(game) for game in all_games)
        self._warmups = (*game_views.warmups, *(one for one in thoughts if one is not None))
        for warming in self._warmups:
            warming.compile()
        self._last_record = saved_games.last_unfinished()
        self._loading: GameLoading | None = None
        self._continue = Button("Continue", self.continue_game, key="C")
        self._continue.enabled = self._last_record is not None
        self._profile_button = Button(_record_title(app.player.name), lambda: app.push(StatisticsScreen(app)), key="Y")
        self._menu_buttons = [
            self._continue,
            Button("Play online", self.open_online, key="N"),
            Button("Lessons", self.open_lessons, key="L"),
            Button("Challenges", lambda: app.push(ChallengesScreen(app, game_views)), key="H"),
            Button("Open ...", lambda: app.push(OpenScreen(app, game_views)), key="O"),
            Button("Study board", self.open_position_editor, key="B"),
            *(Button(mode.label, partial(self._attempt, partial(mode.start, app)), key=mode.key)
              for mode in game_views.practice_modes),
            self._profile_button,
            Button("Settings", lambda: app.push(SettingsScreen(app)), key="S"),
            Button("Help", self.show_help, key="?"),
            Button("Quit", self.quit, key="Esc"),
        ]  # fmt: skip
        self.form = Form([*self.cards, *self._menu_buttons], arrows=False)
        self._menu_column = pygame.Rect(0, 0, 0, 0)
        self.progress_text = _record_summary(self._last_record)

    def status_line(self) -> str:
        if self._loading is not None:
            return "Esc stops"
        hints = "with Shift: seats and options   ·   Arrows move   ·   Enter plays   ·   ? help   ·   Esc quits"
        return f"1 to {len(self.cards)} play a quick game   ·   {hints}"

    # -- ways in --------------------------------------------------------------------------------------------------

    def start_quick_game(self, game: Game) -> None:
        """Start a game of the player against bots with the usual rules."""
        if reason := self._game_views.unavailable_reason(game):
            self.notice = reason
            return
        first = self.app.player.is_new_to(game.name)
        seat_specs = quick_seats(game, quick_grade(self.app, game))
        try:
            seats = [parse_seat(spec) for spec in seat_specs]
            for _ in range(_MANY_CARDS + 1 if first else 1):  # a new player begins and need not wait for a bot
                match = open_match(game, parse_options(game, []), seats, secrets.randbelow(10**9))
                if match.to_play is not None and match.players[match.to_play] is None:
                    break
        except FlicksimError as wrong:
            self.notice = str(wrong)
            return
        start_match(self.app, match, seat_specs, bots_wait=has_beginner_bot(seat_specs))

    def open_new_game(self, game: Game) -> None:
        """Open seats and options of a game."""
        reason, miniature = self._game_views.unavailable_reason(game), miniature_of(self._game_views, game)
        self.app.push(NewGameScreen(self.app, game, reason, miniature))

    def continue_game(self) -> None:
        """Continue the last game."""
        path = self._last_record
        if path is not None and self._loading is None:
            self._loading = GameLoading(lambda on_turn: saved_games.resume(path, on_turn=on_turn))

    def close(self) -> None:
        """Stop loading a game when the screen is left."""
        if self._loading is not None:
            self._loading.cancel()

    def quit(self) -> None:
        """Close the window after a confirmation."""
        self.app.push(ConfirmScreen(self.app, "Close flicksim?", self.app.quit))

    def show_welcome(self) -> None:
        """Ask a new player for a name and a colour, then offer a lesson."""
        if not self.app.player.profile.greeted:
            self.app.push(WelcomeScreen(self.app, self.open_lessons))

    def open_online(self) -> None:
        """Open hosting and joining, or say what is to be installed."""
        self._attempt(lambda: self.app.push(self.app.routes.online(self.app)))

    def open_lessons(self) -> None:
        """Open the list of lessons."""
        self.app.push(LessonsScreen(self.app, self._game_views))

    def open_position_editor(self) -> None:
        """Open the position editor of the first game that has one."""
        screens = (self.app.routes.position_editor(self.app, card.game, None) for card in self.cards)
        if (screen := next(filter(None, screens), None)) is not None:
            self.app.push(screen)

    def _attempt(self, action: Callable[[], None]) -> None:
        """Do something, or say why it cannot be done."""
        try:
            action()
        except FlicksimError as wrong:
            self.notice = wrong.sentence

    def show_help(self) -> None:
        self.app.push(HelpScreen(self.app, (main_menu_keys(self._game_views.practice_modes), *COMMON_KEYS)))

    # -- events ---------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event: numbers start games, letters press buttons, arrows move the focus, files may be dropped."""
        if event.type == pygame.DROPFILE:
            self.app.push(OpenScreen(self.app, self._game_views, Path(event.file)))
            return
        if event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            self.notice = ""
        if event.type != pygame.KEYDOWN:
            self.form.handle(event)
            return
        if clipboard.is_paste_key(event):
            self.app.push(OpenScreen(self.app, self._game_views, text=clipboard.paste()))
            return
        letters = {button.shortcut: button.action for button in self._menu_buttons}
        number = event.key - pygame.K_1
        if event.key == pygame.K_ESCAPE and self._loading is not None:
            self._loading.cancel()
            self._loading = None
        elif event.key == pygame.K_ESCAPE:
            self.quit()
        elif event.unicode == "?":
            self.show_help()
        elif event.key in _DIGITS and number < len(self.cards):
            (self.open_new_game if event.mod & pygame.KMOD_SHIFT else self.start_quick_game)(self.cards[number].game)
        elif event.unicode and (act := letters.get(event.unicode.upper())) is not None:
            act()
        elif event.key in _ARROW_DIRECTIONS:
            self._move_focus(*_ARROW_DIRECTIONS[event.key])
        else:
            self.form.handle(event)

    def _move_focus(self, dx: int, dy: int) -> None:
        """Move the focus to the nearest card or button in a direction."""
        here = self.form.focused
        if here is None:
            self.form.focus = 0
            return
        x, y = here.rect.center

        def far(widget: Widget) -> float:
            ax, ay = widget.rect.centerx - x, widget.rect.centery - y
            along, offset = ax * dx + ay * dy, abs(ax * dy) + abs(ay * dx)
            return along + 2.0 * offset if along > 8 else 1e9

        best = min((w for w in self.form.widgets if w is not here and w.enabled), key=far)
        if far(best) < 1e9:
            self.form.focus = self.form.widgets.index(best)

    @property
    def is_animating(self) -> bool:
        return self._loading is None  # miniatures move; but a game is loaded the sooner, the fewer frames are drawn

    def update(self, dt: float) -> None:
        """Advance the miniatures; open a game to be continued once it is loaded."""
        self._profile_button.label = _record_title(self.app.player.name)
        for card in self.cards:
            card.time += dt
        if self._loading is not None and self._loading.is_done:
            job, self._loading = self._loading, None
            try:
                saved = job.result()
            except saved_games.AlteredGame as wrong:
                self.notice = f"{wrong}. The turns before it are offered under Open."
            except FlicksimError as wrong:
                self.notice = str(wrong)
            else:
                resume_match(self.app, saved)

    # -- picture --------------------------------------------------------------------------------------------------

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place three cards in a row and the buttons beside them."""
        w, h = min(size[0], round(1500 * scale)), size[1]
        left, pad, gap = (size[0] - w) // 2, round(24 * scale), round(12 * scale)
        top, foot = round(96 * scale), round(16 * scale)
        right = round(216 * scale)
        self._menu_column = pygame.Rect(left + w - right - pad, top, right, h - top - foot)
        area = pygame.Rect(left + pad, top, w - right - 3 * pad, h - top - foot)
        across = 3 if len(self.cards) > 4 else 2
        rows = -(-len(self.cards) // across)
        wide, high = (area.w - (across - 1) * gap) // across, (area.h - (rows - 1) * gap) // rows
        for k, card in enumerate(self.cards):
            row, at = divmod(k, across)
            in_row = min(across, len(self.cards) - row * across)
            x = area.x + (area.w - in_row * wide - (in_row - 1) * gap) // 2 + at * (wide + gap)
            card.rect = pygame.Rect(x, area.y + row * (high + gap), wide, high)
        y, about = self._menu_column.y, round(42 * scale)
        step = min(round(54 * scale), (self._menu_column.h - about) // len(self._menu_buttons))
        for button in self._menu_buttons:
            button.rect = pygame.Rect(self._menu_column.x, y, self._menu_column.w, round(step * 0.8))
            y += step + (about if button is self._continue else 0)
        canvas = Canvas.measuring(scale)
        widths = (canvas.text_width(_SUBTITLE, 15), canvas.text_width("flicksim", 38, bold=True))
        edges = [self.cards[0].rect.x + canvas.px(136) + width for width in widths]
        left = next((x for x in edges if self._menu_column.right - x >= canvas.px(500)), edges[-1])
        self.notice_area = pygame.Rect(left, 0, self._menu_column.right - left, top)  # beside the title

    def draw(self, canvas: Canvas) -> None:
        x, y = self.cards[0].rect.x, canvas.px(26)
        r = canvas.px(21)
        for k, (key, kind) in enumerate((("blue", "penny"), ("red", "penny"), (None, "white"))):
            picture = piece_sprites.piece_sprite(r, key, kind, 0.3 * k)
            canvas.surface.blit(picture, picture.get_rect(center=(x + r + k * canvas.px(36), y + canvas.px(24))))
        title = canvas.text("flicksim", (x + canvas.px(136), y - canvas.px(8)), 38, bold=True)
        canvas.text(_SUBTITLE, (title.x + 2, title.bottom - canvas.px(4)), 15,
                    palette.MUTED_TEXT)  # fmt: skip
        line_count = max(card.lines_needed(canvas) for card in self.cards)
        for card in self.cards:
            card.line_count = line_count
        self.form.draw(canvas)
        about = self._continue.rect
        text_rect = pygame.Rect(about.x + 2, about.bottom + canvas.px(4), about.w - 2, canvas.line_height(12) * 2)
        canvas.paragraph(self.progress_text, text_rect, 12, palette.MUTED_TEXT)
        message = joint_message(self._warmups)
        loading = self._loading
        if self.notice or message or loading is not None:
            low, text = self._menu_buttons[-1].rect.bottom + canvas.px(14), self.notice or message
            text_rect = pygame.Rect(about.x, low, about.w, max(20, self._menu_column.bottom - low))
            is_too_long = loading or len(canvas.wrap(text, text_rect.w, 14)) * canvas.line_height(14) > text_rect.h
            if is_too_long:  # there is more space beside the title
                left = title.right + canvas.px(60)
                text_rect = pygame.Rect(left, canvas.px(20), self._menu_column.right - left, about.y - canvas.px(24))
            if loading is not None:
                loading.draw(canvas, text_rect)
            else:
                canvas.paragraph(text, text_rect, 14, palette.BAD if self.notice else palette.ACCENT)


def _record_title(name: str) -> str:
    return f"{name}: statistics" if name else "You: statistics"


def _record_summary(path: Path | None) -> str:
    """Text for the game that would be continued."""
    if path is None:
        return "No game was left before its end."
    try:
        return saved_games.record_text(read_record(path, up_to_damage=True))
    except FlicksimError as wrong:
        return str(wrong)


_ARROW_DIRECTIONS = {pygame.K_LEFT: (-1, 0), pygame.K_RIGHT: (1, 0), pygame.K_UP: (0, -1), pygame.K_DOWN: (0, 1)}


def main_menu_keys(practice_modes: Sequence[PracticeMode]) -> KeyMap:
    """Key bindings of the main menu: those of practice modes come before settings and closing."""
    keys, practice = KEY_MAPS["main_menu"], (KeyBinding(mode.key, mode.text) for mode in practice_modes)
    return replace(keys, bindings=(*keys.bindings[:-2], *practice, *keys.bindings[-2:]))


class StaticMiniature:
    """Miniature of a game without a recorded one: its name on a bare background."""

    def __init__(self, title: str) -> None:
        self._title = title

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """Draw the background and the name."""
        del t
        canvas.box(rect, palette.FELT, 6)
        canvas.text(self._title, rect.center, 17, palette.TABLE_TEXT, bold=True, anchor="center", max_width=rect.w)


def miniature_of(game_views: GameViews, game: Game) -> Miniature:
    """Miniature of a game; a static one where it has no animation."""
    try:
        return game_views.view_of(game).miniature(game)
    except FlicksimError:
        return StaticMiniature(game.title)
