"""Statistics of a player: games by opponent, pots, challenges and days in a row, with charts."""

from collections.abc import Iterable
from datetime import date, timedelta

import pygame

from flicksim import profiles
from flicksim.ai import GRADES
from flicksim.challenges import all_challenges
from flicksim.core.counting import count_of
from flicksim.games import load, names
from flicksim.gui.app import App, Screen
from flicksim.gui.match.record_results import FRIENDS_LABEL
from flicksim.gui.menus.welcome import WelcomeScreen
from flicksim.gui.toolkit import Button, Canvas, Choice, Form, palette, piece_sprites

_OPPONENT_LABELS = (FRIENDS_LABEL, "random", *GRADES)
"""Labels of opponents, in the order of the list."""
_WEEK_COUNT = 12
"""Number of weeks in the chart."""
_RECENT_GAMES = 20
"""Number of games averaged for a point of the curve of games won."""


class StatisticsScreen(Screen):
    """Statistics of a player, selected at the top.

    Args:
        app: the application. today: last day of the charts.
    """

    STATUS = "Left Right: player   ·   N name and colour   ·   Esc back"

    def __init__(self, app: App, today: date | None = None) -> None:
        super().__init__(app)
        self._today = today or date.today()
        home = app.player.name
        who = dict.fromkeys([home, *(line.who for line in app.player.history)])
        self._titles = {posed.name: posed.challenge.title for posed in all_challenges()}
        self.profile_choice = Choice("Player", list(who), 0, labels={name: name or "you" for name in who})
        self.profile_choice.label_fraction = 0.16
        self._name = Button("Name and colour", lambda: app.push(WelcomeScreen(app, self._on_rename)), key="N")
        self._back = Button("Back", app.pop, key="Esc", is_primary=True)
        self.form = Form([self.profile_choice, self._name, self._back], 2)
        self._body = pygame.Rect(0, 0, 1, 1)

    def shown_names(self) -> Iterable[str]:
        return self.profile_choice.values

    def _on_rename(self) -> None:
        self.app.pop()
        self.app.push(StatisticsScreen(self.app, self._today))

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            self.profile_choice.handle_key(event)
        elif not self.form.press_shortcut(event):
            self.form.handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        w = min(size[0], round(1200 * scale))
        x, pad, high = (size[0] - w) // 2, round(24 * scale), round(38 * scale)
        side = round(330 * scale)
        self.profile_choice.rect = pygame.Rect(x + w - pad - side, round(24 * scale), side, high)
        foot = size[1] - pad - high
        wide = round(200 * scale)
        self._back.rect = pygame.Rect(x + w - pad - wide, foot, wide, high)
        self._name.rect = pygame.Rect(x + w - pad - 2 * wide - round(10 * scale), foot, wide, high)
        self._body = pygame.Rect(x + pad, round(88 * scale), w - 2 * pad, foot - round(100 * scale))

    # -- picture --------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Draw four boxes: games by opponent, games won, challenges, pots and days."""
        body, who, profile = self._body, self.profile_choice.value, self.app.player.profile
        mark = piece_sprites.piece_sprite(canvas.px(18), profile.colour, "penny", 0.0)
        canvas.surface.blit(mark, mark.get_rect(midleft=(body.x, canvas.px(42))))
        title = f"{who or 'You'}: statistics"
        canvas.text(title, (body.x + canvas.px(48), canvas.px(42)), 26, bold=True, anchor="midleft",
                    max_width=self.profile_choice.rect.x - body.x - canvas.px(60))  # fmt: skip
        gap = canvas.px(16)
        wide, high = (body.w - gap) // 2, (body.h - gap) // 2
        charts = (("Games won, by opponent", self._draw_opponents), ("Form", self._draw_form),
                  ("Challenges", self._draw_challenges), ("Weeks", self._draw_weeks))  # fmt: skip
        for k, (head, draw) in enumerate(charts):
            box = pygame.Rect(body.x + k % 2 * (wide + gap), body.y + k // 2 * (high + gap), wide, high)
            canvas.box(box, palette.PANEL, 10, palette.BORDER)
            inner = box.inflate(-2 * canvas.px(14), -2 * canvas.px(10))
            y = canvas.text(head.upper(), inner.topleft, 12, palette.ACCENT, bold=True).bottom + canvas.px(4)
            draw(canvas, pygame.Rect(inner.x, y, inner.w, inner.bottom - y))
        self.form.draw(canvas)

    def _draw_opponents(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Draw a row for each game and opponent: a bar of the share of games won."""
        tallies = profiles.game_tallies(self.app.player.history, self.profile_choice.value)
        known = {name: load(name).title for name in names()}
        game_order = {name: k for k, name in enumerate(known)}
        opponent_order = {name: k for k, name in enumerate(_OPPONENT_LABELS)}
        rows = sorted(tallies, key=lambda key: (game_order.get(key[0], 99), opponent_order.get(key[1], 99)))
        if not rows:
            _draw_empty(canvas, rect, "No game has been played to its end yet.")
            return
        step = min(canvas.px(26), rect.h // len(rows))
        for k, (game, against) in enumerate(rows[: max(1, rect.h // max(step, canvas.px(14)))]):
            tally, y = tallies[game, against], rect.y + k * step
            share = tally.won / tally.played
            label = f"{known.get(game, game)}, {against}"
            canvas.text(label, (rect.x, y), 13, palette.MUTED_TEXT, max_width=round(rect.w * 0.42))
            bar = pygame.Rect(rect.x + round(rect.w * 0.44), y + canvas.px(3), round(rect.w * 0.36), canvas.px(11))
            canvas.box(bar, palette.INSET_BACKGROUND, 4, palette.BORDER)
            if share:
                canvas.box(pygame.Rect(bar.x, bar.y, max(3, round(bar.w * share)), bar.h), palette.GOOD, 4)
            canvas.text(f"{tally.won:g} of {tally.played}", (rect.right, y), 13, anchor="topright")

    def _draw_form(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Draw the moving share of games won."""
        own = (entry for entry in self.app.player.history if entry.who == self.profile_choice.value)
        shares = [entry.share for entry in own if isinstance(entry, profiles.GameEntry)]
        if len(shares) < 2:
            _draw_empty(canvas, rect, "After two games a curve shows how they went.")
            return
        left = canvas.px(44)
        chart = pygame.Rect(rect.x + left, rect.y + canvas.px(8), rect.w - left, rect.h - canvas.px(28))
        for part, label in ((0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")):
            y = chart.bottom - round(part * chart.h)
            canvas.line((chart.x, y), (chart.right, y), palette.BORDER, 1.0)
            canvas.text(label, (chart.x - canvas.px(6), y), 12, palette.MUTED_TEXT, anchor="midright")
        recent = [shares[max(0, k - _RECENT_GAMES + 1) : k + 1] for k in range(len(shares))]
        points = [
            (chart.x + chart.w * k / (len(shares) - 1), chart.bottom - chart.h * (sum(part) / len(part)))
            for k, part in enumerate(recent)
        ]
        canvas.polyline(points, palette.ACCENT, canvas.px(2))
        caption = f"{len(shares)} games, each point the {_RECENT_GAMES} before it at most"
        canvas.text(caption, (chart.x, rect.bottom), 12,
                    palette.MUTED_TEXT, anchor="bottomleft", max_width=chart.w)  # fmt: skip

    def _draw_challenges(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Draw stars, attempts, days in a row, and the best results."""
        entries, who = self.app.player.history, self.profile_choice.value
        best = profiles.best_attempts(entries, who)
        if not best:
            _draw_empty(canvas, rect, "No challenge has been tried yet: H in the main menu.")
            return
        stars, attempts = (sum(getattr(one, field) for one in best.values()) for field in ("stars", "attempts"))
        row = profiles.current_streak(profiles.daily_challenge_dates(entries, who), self._today)
        counts = count_of(stars, "star"), count_of(attempts, "try", "tries"), f"{count_of(row, 'day')} in a row"
        head = "   ·   ".join(counts)
        y = canvas.text(head, rect.topleft, 16, bold=True, max_width=rect.w).bottom + canvas.px(4)
        measured = [item for item in best.items() if item[1].measure is not None and "daily" not in item[0]]
        for name, result in measured[: max(0, (rect.bottom - y) // canvas.line_height(13))]:
            title = self._titles.get(name, name.rpartition("/")[2].replace("-", " "))
            canvas.text(title, (rect.x, y), 13, palette.MUTED_TEXT, max_width=round(rect.w * 0.6))
            value = f"{result.format_measure()}   ·   {'★' * result.stars or '–'}"
            canvas.text(value, (rect.right, y), 13, anchor="topright")
            y += canvas.line_height(13)

    def _draw_weeks(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Draw stacked bars of games and attempts in each of the last weeks, and pots below."""
        who, history = self.profile_choice.value, self.app.player.history
        entries = [line for line in history if line.who == who and not getattr(line, "told", False)]
        counts = [[0, 0] for _ in range(_WEEK_COUNT)]
        for line in entries:
            week = (self._today - _parse_day(line.day, self._today)).days // 7
            if 0 <= week < _WEEK_COUNT:  # dates in the future are ignored: the clock may have been ahead
                counts[_WEEK_COUNT - 1 - week][isinstance(line, profiles.AttemptEntry)] += 1
        attempts = sum(line.tried for line in entries if isinstance(line, profiles.GameEntry))
        pots = sum(line.made for line in entries if isinstance(line, profiles.GameEntry))
        text = "No wink has been squidged in a finished game yet."
        text = f"Pots: {pots} with {attempts} squidges." if attempts else text
        canvas.text(text, rect.bottomleft, 13, palette.MUTED_TEXT, anchor="bottomleft", max_width=rect.w)
        chart = pygame.Rect(rect.x, rect.y + canvas.px(18), rect.w, rect.h - canvas.px(58))
        maximum = max(1, *(sum(count) for count in counts))
        wide = chart.w / _WEEK_COUNT
        for k, (game_count, attempt_count) in enumerate(counts):
            y = chart.bottom
            for number, colour in ((game_count, palette.ACCENT), (attempt_count, palette.GOOD)):
                high = round(chart.h * number / maximum)
                bar = pygame.Rect(round(chart.x + k * wide) + 2, y - high, max(3, round(wide) - 5), high)
                if high:
                    canvas.box(bar, colour, 2)
                y -= high
        canvas.line(chart.bottomleft, chart.bottomright, palette.BORDER, 1.0)
        caption = f"{_WEEK_COUNT} weeks, the last on the right"
        canvas.text(caption, (chart.x, chart.bottom + canvas.px(2)), 12, palette.MUTED_TEXT)
        x = rect.right
        for label, colour in (("tries", palette.GOOD), ("games", palette.ACCENT)):
            x = canvas.text(label, (x, rect.y), 12, palette.MUTED_TEXT, anchor="topright").x - canvas.px(6)
            canvas.box(pygame.Rect(x - canvas.px(10), rect.y + canvas.px(3), canvas.px(10), canvas.px(10)), colour, 2)
            x -= canvas.px(18)


def _parse_day(text: str, today: date) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:  # e.g. 30 February
        return today - timedelta(days=7 * _WEEK_COUNT)


def _draw_empty(canvas: Canvas, rect: pygame.Rect, text: str) -> None:
    canvas.paragraph(text, rect, 15, palette.MUTED_TEXT)
