"""Figures of a player here: games by opponent, pots, challenges and days in a row, with a few charts."""

from __future__ import annotations

from datetime import date, timedelta

import pygame

from flicksim.challenges import every
from flicksim.games import load, names
from flicksim.people import GameLine, TryLine, bests, days, streak, tallies
from flicksim.players import GRADES
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.front.greeting import GreetingScreen
from flicksim.ui.kit import coins, language, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.widgets import Button, Choice
from flicksim.ui.match.results import FRIENDS

_AGAINST = (FRIENDS, "random", *GRADES)
"""Opponents, as they are listed."""
_WEEKS = 12
"""So many weeks are charted."""
_LAST = 20
"""So many games make a point of the curve of games won."""


class FiguresScreen(Screen):
    """Statistics of a player, chosen at the head.

    Args:
        today: the last day that is charted.
    """

    def __init__(self, app: App, today: date | None = None) -> None:
        super().__init__(app)
        self._today = today or date.today()
        home = app.player.name
        who = dict.fromkeys([home, *(line.who for line in app.player.lines)])
        language.spare(who)
        self._titles = {posed.name: posed.challenge.title for posed in every()}
        self.who = Choice("Of", list(who), 0, shown={name: name or "you" for name in who})
        self.who.share = 0.16
        self._name = Button("Name and colour", self._rename, key="N")
        self._back = Button("Back", app.pop, key="Esc", main=True)
        self.form = Form([self.who, self._name, self._back], 2)
        self._body = pygame.Rect(0, 0, 1, 1)

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        return "Left Right: of whom   ·   N name and colour   ·   Esc back"

    def _rename(self) -> None:
        self.app.push(GreetingScreen(self.app, self._renamed))

    def _renamed(self) -> None:
        self.app.pop()
        self.app.push(FiguresScreen(self.app, self._today))

    def handle(self, event: pygame.event.Event) -> None:
        """Keys and mouse."""
        key = event.key if event.type == pygame.KEYDOWN else None
        if key == pygame.K_ESCAPE:
            self.app.pop()
        elif key == pygame.K_n:
            self._rename()
        elif key in (pygame.K_LEFT, pygame.K_RIGHT):
            self.who.key(event)
        else:
            self.form.handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Head, charts, buttons."""
        w = min(size[0], round(1200 * scale))
        x, pad, high = (size[0] - w) // 2, round(24 * scale), round(38 * scale)
        self.who.rect = pygame.Rect(x + w - pad - round(330 * scale), round(24 * scale), round(330 * scale), high)
        foot = size[1] - pad - high
        wide = round(200 * scale)
        self._back.rect = pygame.Rect(x + w - pad - wide, foot, wide, high)
        self._name.rect = pygame.Rect(x + w - pad - 2 * wide - round(10 * scale), foot, wide, high)
        self._body = pygame.Rect(x + pad, round(88 * scale), w - 2 * pad, foot - round(100 * scale))

    # -- picture --------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        """Four boxes: games by opponent, games won, challenges, pots and days."""
        body, who, profile = self._body, self.who.value, self.app.player.profile
        mark = coins.coin(canvas.px(18), profile.colour, "penny", 0.0)
        canvas.surface.blit(mark, mark.get_rect(midleft=(body.x, canvas.px(42))))
        title = f"{who or 'You'}: what was done"
        canvas.text(title, (body.x + canvas.px(48), canvas.px(42)), 26, bold=True, anchor="midleft",
                    within=self.who.rect.x - body.x - canvas.px(60))  # fmt: skip
        gap = canvas.px(16)
        wide, high = (body.w - gap) // 2, (body.h - gap) // 2
        boxes = [
            pygame.Rect(body.x + k % 2 * (wide + gap), body.y + k // 2 * (high + gap), wide, high) for k in range(4)
        ]
        for box, (head, draw) in zip(boxes, (("Games won, by opponent", self._opponents), ("Form", self._form),
                                             ("Challenges", self._challenges), ("Weeks", self._weeks)),
                                     strict=True):  # fmt: skip
            canvas.box(box, palette.PANEL, 10, palette.EDGE)
            inner = box.inflate(-2 * canvas.px(14), -2 * canvas.px(10))
            y = canvas.text(head.upper(), inner.topleft, 12, palette.ACCENT, bold=True).bottom + canvas.px(4)
            draw(canvas, pygame.Rect(inner.x, y, inner.w, inner.bottom - y))
        self.form.draw(canvas)

    def _opponents(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """A row for each game and opponent: a bar of the share won."""
        found = tallies(self.app.player.lines, self.who.value)
        known = {name: load(name).title for name in names()}
        rows = sorted(found, key=lambda key: (list(known).index(key[0]) if key[0] in known else 99,
                                              _AGAINST.index(key[1]) if key[1] in _AGAINST else 99))  # fmt: skip
        if not rows:
            _nothing(canvas, rect, "No game has been played to its end yet.")
            return
        step = min(canvas.px(26), rect.h // len(rows))
        for k, (game, against) in enumerate(rows[: max(1, rect.h // max(step, canvas.px(14)))]):
            one, y = found[game, against], rect.y + k * step
            share = one.won / one.played
            label = f"{known.get(game, game)}, {against}"
            canvas.text(label, (rect.x, y), 13, palette.FAINT, within=round(rect.w * 0.42))
            bar = pygame.Rect(rect.x + round(rect.w * 0.44), y + canvas.px(3), round(rect.w * 0.36), canvas.px(11))
            canvas.box(bar, palette.WELL, 4, palette.EDGE)
            if share:
                canvas.box(pygame.Rect(bar.x, bar.y, max(3, round(bar.w * share)), bar.h), palette.GOOD, 4)
            canvas.text(f"{one.won:g} of {one.played}", (rect.right, y), 13, anchor="topright")

    def _form(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """The share of games won among the last few, as it went."""
        shares = [
            line.share for line in self.app.player.lines if isinstance(line, GameLine) and line.who == self.who.value
        ]
        if len(shares) < 2:
            _nothing(canvas, rect, "After two games a curve shows how they went.")
            return
        room = pygame.Rect(
            rect.x + canvas.px(44), rect.y + canvas.px(8), rect.w - canvas.px(44), rect.h - canvas.px(28)
        )
        for part, word in ((0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")):
            y = room.bottom - round(part * room.h)
            canvas.line((room.x, y), (room.right, y), palette.EDGE, 1.0)
            canvas.text(word, (room.x - canvas.px(6), y), 12, palette.FAINT, anchor="midright")
        means = [sum(shares[max(0, k - _LAST + 1) : k + 1]) / min(k + 1, _LAST) for k in range(len(shares))]
        points = [(room.x + room.w * k / (len(means) - 1), room.bottom - room.h * mean) for k, mean in enumerate(means)]
        canvas.path(points, palette.ACCENT, canvas.px(2))
        canvas.text(f"{len(shares)} games, each point the {_LAST} before it at most", (room.x, rect.bottom), 12,
                    palette.FAINT, anchor="bottomleft", within=room.w)  # fmt: skip

    def _challenges(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Stars, tries, days in a row, and the best of the measured ones."""
        lines, who = self.app.player.lines, self.who.value
        best = bests(lines, who)
        if not best:
            _nothing(canvas, rect, "No challenge has been tried yet: H at the front door.")
            return
        stars, tries = sum(one.stars for one in best.values()), sum(one.tries for one in best.values())
        row = streak(days(lines, who), self._today)
        head = f"{stars} stars, {tries} tries, {row} day{'' if row == 1 else 's'} in a row"
        y = canvas.text(head, rect.topleft, 16, bold=True, within=rect.w).bottom + canvas.px(4)
        measured = [(name, one) for name, one in best.items() if one.measure is not None and "daily" not in name]
        for name, one in measured[: max(0, (rect.bottom - y) // canvas.high(13))]:
            title = self._titles.get(name, name.rpartition("/")[2].replace("-", " "))
            canvas.text(title, (rect.x, y), 13, palette.FAINT, within=round(rect.w * 0.6))
            canvas.text(f"{one.words()}   ·   {'★' * one.stars or '–'}", (rect.right, y), 13, anchor="topright")
            y += canvas.high(13)

    def _weeks(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Games and tries in each of the last weeks, one on the other; pots below."""
        lines = [line for line in self.app.player.lines if line.who == self.who.value]
        counts = [[0, 0] for _ in range(_WEEKS)]
        for line in lines:
            week = (self._today - _day(line.day, self._today)).days // 7
            if 0 <= week < _WEEKS:  # a day to come counts nowhere: the clock may have been ahead
                counts[_WEEKS - 1 - week][isinstance(line, TryLine)] += 1
        tried = sum(line.tried for line in lines if isinstance(line, GameLine))
        made = sum(line.made for line in lines if isinstance(line, GameLine))
        words = f"Pots: {made} with {tried} squidges." if tried else "No wink has been squidged in a finished game yet."
        canvas.text(words, rect.bottomleft, 13, palette.FAINT, anchor="bottomleft", within=rect.w)
        room = pygame.Rect(rect.x, rect.y + canvas.px(18), rect.w, rect.h - canvas.px(58))
        most = max(1, *(sum(count) for count in counts))
        wide = room.w / _WEEKS
        for k, (games, tries) in enumerate(counts):
            y = room.bottom
            for many, colour in ((games, palette.ACCENT), (tries, palette.GOOD)):
                high = round(room.h * many / most)
                if high:
                    canvas.box(
                        pygame.Rect(round(room.x + k * wide) + 2, y - high, max(3, round(wide) - 5), high), colour, 2
                    )
                y -= high
        canvas.line(room.bottomleft, room.bottomright, palette.EDGE, 1.0)
        canvas.text(f"{_WEEKS} weeks, the last on the right", (room.x, room.bottom + canvas.px(2)), 12, palette.FAINT)
        x = rect.right
        for word, colour in (("tries", palette.GOOD), ("games", palette.ACCENT)):
            x = canvas.text(word, (x, rect.y), 12, palette.FAINT, anchor="topright").x - canvas.px(6)
            canvas.box(pygame.Rect(x - canvas.px(10), rect.y + canvas.px(3), canvas.px(10), canvas.px(10)), colour, 2)
            x -= canvas.px(18)


def _day(word: str, today: date) -> date:
    try:
        return date.fromisoformat(word)
    except ValueError:  # as the 30th of February
        return today - timedelta(days=7 * _WEEKS)


def _nothing(canvas: Canvas, rect: pygame.Rect, words: str) -> None:
    canvas.paragraph(words, rect, 15, palette.FAINT)
