"""List of challenges: the daily one first, each with its stars and best result."""

from datetime import date

import pygame

from flicksim.challenges import ChallengeEntry, all_challenges, daily_challenge, daily_puzzle
from flicksim.core.errors import FlicksimError
from flicksim.gui.app import App, GameViews, Screen
from flicksim.gui.match.challenge_card import ChallengeCard, draw_stars, no_stars_text
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import PRESS_KEYS, Button, Canvas, Form, Widget, palette, place_in_grid, translation
from flicksim.gui.toolkit.scroll import RowList, RowMetrics
from flicksim.gui.toolkit.surface_cache import CACHE
from flicksim.profiles import BestAttempt
from flicksim.referee import MAX_STARS

_CARD_TABLE_WIDTH = 900.0
"""Width at which a card table is drawn before it is scaled to its picture [units]."""
_KEY_STEPS = {pygame.K_HOME: -(10**6), pygame.K_END: 10**6, pygame.K_PAGEUP: -10, pygame.K_PAGEDOWN: 10}
"""Rows by which a key moves the selection."""
_PICTURE_SHARE = 0.56
"""Share of the picture in the height of the right side, where the texts below it leave so much."""
_ROWS = RowMetrics(height=30.0, heading=30.0, gap=2.0, indent=2.0)


class _ChallengeRow(Widget):
    """Challenge in the list."""

    def __init__(self, entry: ChallengeEntry, screen: "ChallengesScreen") -> None:
        super().__init__(entry.title)
        self.entry, self._screen = entry, screen
        self.best: BestAttempt | None = None

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Draw title, stars and best result."""
        rect, pad = self.rect, canvas.px(10)
        if focused or hovered:
            canvas.box(rect, palette.RAISED_PANEL, 6, palette.ACCENT if focused else None)
        row, best = canvas.px(7), self.best
        right = rect.right - pad - canvas.px(26)
        colour = palette.TEXT if focused else palette.MUTED_TEXT
        text = ""
        if best is not None:
            text = best.format_measure() or (f"{best.attempts} tries" if best.attempts > 1 else "1 try")
        width = right - rect.x - canvas.px(44)
        beside = width - canvas.text_width(text, 13) - canvas.px(6)
        if self.entry.day is not None and canvas.text_width(self.label, 15) > beside:
            text = ""  # that it is the one of the day matters more
        title = canvas.first_fitting((self.label, self.entry.challenge.title), beside if text else width, 15)
        canvas.text(title, (rect.x + pad, rect.centery), 15, colour, anchor="midleft")
        draw_stars(canvas, (right, rect.centery), row, best.stars if best is not None else 0, MAX_STARS)
        if text:
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
        self._screen.on_click(self.entry)


class ChallengesScreen(Screen):
    """Screen with the list of challenges on the left and the selected one on the right.

    Args:
        app: the application. game_views: of all games. today: date of the daily challenge.
    """

    STATUS = "Up Down, Home End choose   ·   Enter tries it   ·   Esc back"

    def __init__(self, app: App, game_views: GameViews, today: date | None = None) -> None:
        super().__init__(app)
        self._game_views, self._today = game_views, today or date.today()
        available = [one for one in all_challenges() if not game_views.unavailable_reason(one.game)]
        entries = (daily_challenge(self._today), daily_puzzle(self._today), *available)
        self.rows = [_ChallengeRow(entry, self) for entry in entries]
        self._play = Button("Try it", lambda: self.start(self._selected.entry), key="Enter", is_primary=True)
        self._back = Button("Back", app.pop, key="Esc")
        self.form = Form([*self.rows, self._play, self._back])
        self._body = pygame.Rect(0, 0, 1, 1)
        """Rectangle of the picture and the description of the selected challenge [pixels]."""
        self.list = RowList(_ROWS)
        groups: dict[str, list[Widget]] = {"Today": [*self.rows[:2]]}
        for row in self.rows[2:]:
            groups.setdefault(row.entry.game.title, []).append(row)
        self.list.set_groups(list(groups.items()))
        self._select(self.rows[0])
        self._last_clicked: ChallengeEntry | None = None
        self.notice = ""
        self.refresh()

    def refresh(self) -> None:
        """Reload the results."""
        bests = self.app.player.best_results()
        for row in self.rows:
            row.best = bests.get(row.entry.name)
        self._streak = self.app.player.streak(self._today)

    # -- doing ----------------------------------------------------------------------------------------------------

    def on_click(self, entry: ChallengeEntry) -> None:
        """Start a challenge on the second click in a row."""
        is_second, self._last_clicked = self._last_clicked is entry, entry
        if is_second:
            self.start(entry)

    def _select(self, row: _ChallengeRow) -> None:
        self._selected, self.game = row, row.entry.game

    def start(self, entry: ChallengeEntry) -> None:
        """Start a challenge."""
        names = [row.entry for row in self.rows]
        at = names.index(entry)
        following = names[at + 1] if 0 < at + 1 < len(names) else None
        on_next = None if following is None else lambda: self.start(following)
        card = ChallengeCard(self.app, entry, self.refresh, on_next)
        for k, row in enumerate(self.rows):
            if row.entry is entry:
                self.form.focus = k
                self._select(row)
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
        if self.list.handle_mouse(event):
            return
        if event.type == pygame.KEYDOWN and event.key in _KEY_STEPS and isinstance(self.form.focused, _ChallengeRow):
            at = (self.form.focus or 0) + _KEY_STEPS[event.key]
            self.form.focus = min(max(at, 0), len(self.rows) - 1)
        else:
            self.form.handle(event)
        focused = self.form.focused
        if isinstance(focused, _ChallengeRow):
            self._select(focused)
            if event.type == pygame.KEYDOWN:
                self.list.show_row(focused, round(_ROWS.heading * self.app.scale))

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the list on the left, picture and text on the right, buttons at the bottom."""
        w, h = min(size[0], round(1400 * scale)), size[1]
        pad, top, high = round(24 * scale), round(84 * scale), round(40 * scale)
        left = (size[0] - w) // 2 + pad
        area = pygame.Rect(left, top, round((w - 3 * pad) * 0.46), h - top - pad)
        self._body = pygame.Rect(area.right + pad, top, w - 3 * pad - area.w, h - top - pad)
        place_in_grid((self._play, self._back), self._body, high, round(10 * scale), 2, at_bottom=True)
        self.list.place(area, scale)

    def draw(self, canvas: Canvas) -> None:
        """Draw the list and the selected challenge with its picture, goal and best result."""
        canvas.text("Challenges", (self.list.viewport.x, canvas.px(20)), 26, bold=True)
        won = sum(row.best.stars for row in self.rows if row.best is not None)
        text = f"{won} of {MAX_STARS * len(self.rows)} stars"
        if self._streak:
            text += f"   ·   {self._streak} day{'s' if self._streak > 1 else ''} in a row"
        canvas.text(text, (self.list.viewport.x, canvas.px(54)), 14, palette.MUTED_TEXT)
        self.list.draw_rows(canvas, lambda row: self._draw_row(canvas, row))
        self._draw_selected(canvas)
        for button in (self._play, self._back):
            over = button.rect.collidepoint(pygame.mouse.get_pos())
            button.draw(canvas, focused=button is self.form.focused, hovered=over)

    def _draw_row(self, canvas: Canvas, row: Widget) -> None:
        focused = self.form.focused
        is_focused = row is self._selected and (focused is row or not isinstance(focused, _ChallengeRow))
        mouse = pygame.mouse.get_pos()
        row.draw(canvas, focused=is_focused, hovered=row.rect.collidepoint(mouse))

    def _draw_selected(self, canvas: Canvas) -> None:
        posed, best = self._selected.entry, self._selected.best
        own_name, body, gap = self._own_name(posed), self._body, canvas.px(6)
        stars_text = no_stars_text(best) or posed.challenge.star_criteria
        texts = [
            (match_text.with_player_names(posed.game, own_name, text), size, colour)
            for text, size, colour in (
                (posed.challenge.goal, 16, palette.TEXT), (posed.challenge.hint, 14, palette.MUTED_TEXT),
                (stars_text, 14, palette.TEXT), (self.notice, 14, palette.BAD),
                (_best_text(best), 14, palette.MUTED_TEXT),
            )
            if text
        ]  # fmt: skip
        heights = (canvas.line_height(size) * len(canvas.wrap(text, body.w, size)) + gap for text, size, _ in texts)
        picture = pygame.Rect(body.topleft, (body.w, round(body.h * _PICTURE_SHARE)))
        below = canvas.px(14) + canvas.line_height(20) + sum(heights) + gap
        picture.h = max(1, min(picture.h, self._play.rect.y - below - body.y))
        self._draw_table(canvas, posed, picture)
        y = picture.bottom + canvas.px(14)
        y = canvas.text(posed.challenge.title, (body.x, y), 20, bold=True, max_width=body.w - canvas.px(110)).bottom
        draw_stars(canvas, (body.right - canvas.px(46), y - canvas.px(12)), canvas.px(12), best.stars if best else 0,
              MAX_STARS)  # fmt: skip
        for text, size, colour in texts:
            text_rect = pygame.Rect(body.x, y + gap, body.w, max(1, self._play.rect.y - y - gap))
            y = canvas.paragraph(text, text_rect, size, colour)

    def _own_name(self, entry: ChallengeEntry) -> dict[int, str]:
        """Name of the player at the seat to play, where seats of tiles and cards go by names."""
        name = self.app.player.name
        if entry.game.uses_physics or not name:
            return {}
        seat = entry.game.rules.to_play(entry.challenge.initial_state())
        return {} if seat is None else {seat: name}

    def _draw_table(self, canvas: Canvas, entry: ChallengeEntry, rect: pygame.Rect) -> None:
        """Draw the starting position of a challenge."""
        size, own_name = rect.size, self._own_name(entry)

        def draw() -> pygame.Surface:
            state = entry.challenge.initial_state()
            if (scene := getattr(state, "scene", None)) is not None:
                return self._game_views.render(scene, size, entry.game.seat_names)
            picture = pygame.Surface(size)
            picture.fill(palette.BACKGROUND)
            if (draw_state := self._game_views.view_of(entry.game).draw_state) is not None:
                game = match_text.named_game(entry.game, own_name)
                draw_state(Canvas(picture, size[0] / _CARD_TABLE_WIDTH), picture.get_rect(), game, state)
            return picture

        key = ("challenge", entry.name, size, *own_name.values(), translation.current_language())
        canvas.surface.blit(CACHE.get_or_draw(key, draw), rect)
        canvas.outline(rect, palette.BORDER, 1.0)


def _best_text(result: BestAttempt | None) -> str:
    if result is None:
        return ""
    attempts = "one try" if result.attempts == 1 else f"{result.attempts} tries"
    return f"Your best: {result.format_measure()}, in {attempts}." if result.format_measure() else f"So far {attempts}."
