"""List of challenges: the daily one first, each with its stars and best result."""

from __future__ import annotations

from datetime import date

import pygame

from flicksim.challenges import ChallengeEntry, all_challenges, daily_challenge
from flicksim.core.errors import FlicksimError
from flicksim.gui.app.application import App, Screen
from flicksim.gui.app.game_view import GameViews
from flicksim.gui.game_view_kit.layout import place_in_grid
from flicksim.gui.match.challenge_card import ChallengeCard
from flicksim.gui.toolkit import palette
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.form import Form
from flicksim.gui.toolkit.scroll import ScrollArea
from flicksim.gui.toolkit.stars import draw_stars
from flicksim.gui.toolkit.widgets import PRESS_KEYS, Button, Widget
from flicksim.profiles import BestAttempt
from flicksim.referee import MAX_STARS, Game

_KEY_STEPS = {pygame.K_HOME: -(10**6), pygame.K_END: 10**6, pygame.K_PAGEUP: -10, pygame.K_PAGEDOWN: 10}
"""Rows by which a key moves the selection."""
_ROW_HEIGHT, _HEADER_HEIGHT = 30.0, 30.0
"""Heights of a row of the list, and of the heading of a game [units]."""


class _ChallengeRow(Widget):
    """Challenge in the list."""

    def __init__(self, entry: ChallengeEntry, screen: ChallengesScreen) -> None:
        super().__init__("Today" if entry.day is not None else entry.challenge.title)
        self.entry, self._screen = entry, screen
        self.best: BestAttempt | None = None

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Draw title, stars and best result."""
        rect, pad = self.rect, canvas.px(10)
        if focused or hovered:
            canvas.box(rect, palette.RAISED_PANEL, 6, palette.ACCENT if focused else None)
        title = f"Today: {self.entry.challenge.title}" if self.entry.day is not None else self.label
        row, best = canvas.px(7), self.best
        right = rect.right - pad - canvas.px(26)
        colour, width = palette.TEXT if focused else palette.MUTED_TEXT, right - rect.x - canvas.px(150)
        canvas.text(title, (rect.x + pad, rect.centery), 15, colour, bold=self.entry.day is not None,
                    anchor="midleft", max_width=width)  # fmt: skip
        draw_stars(canvas, (right, rect.centery), row, best.stars if best is not None else 0, MAX_STARS)
        if best is not None:
            text = best.format_measure() or (f"{best.attempts} tries" if best.attempts > 1 else "1 try")
            canvas.text(text, (right - canvas.px(34), rect.centery), 13, palette.MUTED_TEXT, anchor="midright")

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Start the challenge on Enter or Space."""
        if event.key in PRESS_KEYS:
            self._screen.start(self.entry)
            return True
        return False

    def handle_press(self, position: tuple[int, int]) -> None:
        """Select the challenge on a click, start it on a second one."""
        del position
        if self._screen.on_click(self.entry):
            self._screen.start(self.entry)


class ChallengesScreen(Screen):
    """Screen with the list of challenges on the left and the selected one on the right.

    Args:
        app: the application. game_views: of all games. today: date of the daily challenge.
    """

    def __init__(self, app: App, game_views: GameViews, today: date | None = None) -> None:
        super().__init__(app)
        self._game_views, self._today = game_views, today or date.today()
        available = [one for one in all_challenges() if not game_views.unavailable_reason(one.game)]
        self.rows = [_ChallengeRow(entry, self) for entry in (daily_challenge(self._today), *available)]
        self._play = Button("Try it", self.start_selected, key="Enter", is_primary=True)
        self._back = Button("Back", app.pop, key="Esc")
        self.form = Form([*self.rows, self._play, self._back])
        self.list_form = self._list_area = self._body = pygame.Rect(0, 0, 1, 1)
        """Rectangles of the list, the picture and the description of the selected challenge [pixels]."""
        self._scroll = ScrollArea()
        self._selected = self.rows[0]
        self._last_clicked: ChallengeEntry | None = None
        self._table_image: tuple[object, pygame.Surface] | None = None
        self.notice = ""
        self.refresh()

    def refresh(self) -> None:
        """Reload the results."""
        bests = self.app.player.best_results()
        for row in self.rows:
            row.best = bests.get(row.entry.name)
        self._streak = self.app.player.streak(self._today)

    def context_game(self) -> Game | None:
        """Game whose glossary is used."""
        return self._selected.entry.game

    def status_line(self) -> str:
        """Status line: the actions available now."""
        return "Up Down, Home End choose   ·   Enter tries it   ·   Esc back"

    # -- doing ----------------------------------------------------------------------------------------------------

    def on_click(self, entry: ChallengeEntry) -> bool:
        """Note a click on a challenge; return True the second time in a row."""
        twice, self._last_clicked = self._last_clicked is entry, entry
        return twice

    def start_selected(self) -> None:
        """Start the selected challenge."""
        self.start(self._selected.entry)

    def start(self, entry: ChallengeEntry) -> None:
        """Start a challenge."""
        names = [row.entry for row in self.rows]
        at = names.index(entry)
        following = names[at + 1] if 0 < at + 1 < len(names) else None
        on_next = None if following is None else lambda: self.start(following)
        card = ChallengeCard(self.app, entry, self.refresh, on_next)
        for k, row in enumerate(self.rows):
            if row.entry is entry:
                self.form.focus, self._selected = k, row
        try:
            card.start()
        except FlicksimError as wrong:
            self.notice = str(wrong)

    # -- events, picture ------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Handle keys and mouse; the wheel scrolls."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.pop()
            return
        if self._scroll.handle_wheel(event, 48 * self.app.scale):
            self._layout_rows()
            return
        if event.type == pygame.KEYDOWN and event.key in _KEY_STEPS and isinstance(self.form.focused, _ChallengeRow):
            at = (self.form.focus or 0) + _KEY_STEPS[event.key]
            self.form.focus = min(max(at, 0), len(self.rows) - 1)
        mouse = event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN)
        if mouse and event.pos[0] < self.list_form.right and not self.list_form.collidepoint(event.pos):
            return
        if mouse and self._scroll.is_clipped(event.pos, (row.rect for row in self.rows)):
            return
        self.form.handle(event)
        focused = self.form.focused
        if isinstance(focused, _ChallengeRow):
            self._selected = focused
            if event.type == pygame.KEYDOWN:
                self._scroll_to_focus()

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the list on the left, picture and text on the right, buttons at the bottom."""
        w, h = min(size[0], round(1400 * scale)), size[1]
        pad, top, high = round(24 * scale), round(84 * scale), round(40 * scale)
        left = (size[0] - w) // 2 + pad
        self.list_form = pygame.Rect(left, top, round((w - 3 * pad) * 0.46), h - top - pad)
        self._body = pygame.Rect(self.list_form.right + pad, top, w - 3 * pad - self.list_form.w, h - top - pad)
        self._list_area = pygame.Rect(self._body.x, self._body.y, self._body.w, round(self._body.h * 0.56))
        place_in_grid((self._play, self._back), self._body, high, round(10 * scale), 2, at_bottom=True)
        self._layout_rows()

    def _layout_rows(self) -> None:
        """Place the rows by the scroll position, with a heading over those of each game."""
        scale = self.app.scale
        step, head = round(_ROW_HEIGHT * scale), round(_HEADER_HEIGHT * scale)
        heads = 1 + len({row.entry.game.name for row in self.rows[1:]})
        self._scroll.set_content(self.list_form, len(self.rows) * step + heads * head)
        y, last = self._scroll.top, ""
        for row in self.rows:
            named = "" if row.entry.day is not None else row.entry.game.name
            if row.entry.day is not None or named != last:
                y += head
            last = named
            row.rect = pygame.Rect(self.list_form.x, y, self.list_form.w - round(10 * scale), step - round(2 * scale))
            y += step

    def _scroll_to_focus(self) -> None:
        self._scroll.reveal(self._selected.rect, round(_HEADER_HEIGHT * self.app.scale))
        self._layout_rows()

    def draw(self, canvas: Canvas) -> None:
        """Draw the list and the selected challenge with its picture, goal and best result."""
        canvas.text("Challenges", (self.list_form.x, canvas.px(20)), 26, bold=True)
        won = sum(row.best.stars for row in self.rows if row.best is not None)
        text = f"{won} of {MAX_STARS * len(self.rows)} stars"
        if self._streak:
            text += f"   ·   {self._streak} day{'s' if self._streak > 1 else ''} in a row"
        canvas.text(text, (self.list_form.x, canvas.px(54)), 14, palette.MUTED_TEXT)
        self._draw_list(canvas)
        self._draw_selected(canvas)
        for button in (self._play, self._back):
            over = button.rect.collidepoint(pygame.mouse.get_pos())
            button.draw(canvas, focused=button is self.form.focused, hovered=over)

    def _draw_list(self, canvas: Canvas) -> None:
        focused, mouse = self.form.focused, pygame.mouse.get_pos()
        with canvas.clipped(self.list_form):
            last = ""
            for row in self.rows:
                named = "The challenge of the day" if row.entry.day is not None else row.entry.game.title
                if not self._scroll.is_fully_visible(row.rect.y, row.rect.h):
                    last = named
                    continue
                at, high = (row.rect.x + canvas.px(2), row.rect.y - canvas.px(5)), canvas.line_height(12)
                if named != last and self._scroll.is_fully_visible(at[1] - high, high):
                    canvas.text(named.upper(), at, 12, palette.ACCENT, bold=True, anchor="bottomleft")
                last = named
                over = row.rect.collidepoint(mouse) and self.list_form.collidepoint(mouse)
                is_focused = row is self._selected and (focused is row or not isinstance(focused, _ChallengeRow))
                row.draw(canvas, focused=is_focused, hovered=over)
        self._scroll.draw(canvas)

    def _draw_selected(self, canvas: Canvas) -> None:
        posed, best = self._selected.entry, self._selected.best
        self._draw_table(canvas, posed)
        body = self._body
        y = self._list_area.bottom + canvas.px(14)
        y = canvas.text(posed.challenge.title, (body.x, y), 20, bold=True, max_width=body.w - canvas.px(110)).bottom
        draw_stars(canvas, (body.right - canvas.px(46), y - canvas.px(12)), canvas.px(12), best.stars if best else 0,
              MAX_STARS)  # fmt: skip
        for text, size, colour in ((posed.challenge.goal, 16, palette.TEXT),
                                    (posed.challenge.hint, 14, palette.MUTED_TEXT),
                                    (posed.challenge.star_criteria, 14, palette.TEXT), (self.notice, 14, palette.BAD),
                                    (_best_text(best), 14, palette.MUTED_TEXT)):  # fmt: skip
            if text:
                text_rect = pygame.Rect(body.x, y + canvas.px(6), body.w, max(1, self._play.rect.y - y - canvas.px(12)))
                y = canvas.paragraph(text, text_rect, size, colour)

    def _draw_table(self, canvas: Canvas, entry: ChallengeEntry) -> None:
        """Draw the starting position of a challenge; cached by size and palette."""
        key = (entry.name, self._list_area.size, palette.palette_name)
        if self._table_image is None or self._table_image[0] != key:
            scene = entry.challenge.initial_state().scene
            self._table_image = (key, self._game_views.render(scene, self._list_area.size, entry.game.seat_names))
        canvas.surface.blit(self._table_image[1], self._list_area)
        canvas.outline(self._list_area, palette.BORDER, 1.0)


def _best_text(result: BestAttempt | None) -> str:
    if result is None:
        return ""
    attempts = "one try" if result.attempts == 1 else f"{result.attempts} tries"
    return f"Your best: {result.format_measure()}, in {attempts}." if result.format_measure() else f"So far {attempts}."
