"""The list of challenges: that of the day first, each with its stars and the best that was done."""

from __future__ import annotations

from datetime import date

import pygame

from flicksim.base.errors import FlicksimError
from flicksim.challenges import Posed, daily, every
from flicksim.people import Best
from flicksim.referee import MOST_STARS, Game
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.frame.face import Faces
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.scroll import Scroll
from flicksim.ui.kit.stars import stars
from flicksim.ui.kit.widgets import PRESS, Button, Widget
from flicksim.ui.match.tried import Trying

_FAR = {pygame.K_HOME: -(10**6), pygame.K_END: 10**6, pygame.K_PAGEUP: -10, pygame.K_PAGEDOWN: 10}
"""Rows that the keys go on by which go far."""
_ROW, _HEAD = 30.0, 30.0
"""Height of a line of the list, and of the name of a game over its own [units]."""


class _Row(Widget):
    """A challenge in the list."""

    def __init__(self, posed: Posed, screen: ChallengesScreen) -> None:
        super().__init__("Today" if posed.day is not None else posed.challenge.title)
        self.posed, self._screen = posed, screen
        self.best: Best | None = None

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Its title, its stars, its best."""
        rect, pad = self.rect, canvas.px(10)
        if focused or hovered:
            canvas.box(rect, palette.RAISED, 6, palette.ACCENT if focused else None)
        title = f"Today: {self.posed.challenge.title}" if self.posed.day is not None else self.label
        row, best = canvas.px(7), self.best
        right = rect.right - pad - canvas.px(26)
        colour, room = palette.TEXT if focused else palette.FAINT, right - rect.x - canvas.px(150)
        canvas.text(title, (rect.x + pad, rect.centery), 15, colour, bold=self.posed.day is not None,
                    anchor="midleft", within=room)  # fmt: skip
        stars(canvas, (right, rect.centery), row, best.stars if best is not None else 0, MOST_STARS)
        if best is not None:
            words = best.words() or (f"{best.tries} tries" if best.tries > 1 else "1 try")
            canvas.text(words, (right - canvas.px(34), rect.centery), 13, palette.FAINT, anchor="midright")

    def key(self, event: pygame.event.Event) -> bool:
        """Enter and Space begin it."""
        if event.key in PRESS:
            self._screen.begin(self.posed)
            return True
        return False

    def press(self, at: tuple[int, int]) -> None:
        """A click chooses it, a second one begins it."""
        del at
        if self._screen.clicked(self.posed):
            self._screen.begin(self.posed)


class ChallengesScreen(Screen):
    """The list on the left, what is chosen on the right.

    Args:
        faces: of all games. today: whose challenge is the daily one.
    """

    def __init__(self, app: App, faces: Faces, today: date | None = None) -> None:
        super().__init__(app)
        self._faces, self._today = faces, today or date.today()
        shown = [one for one in every() if not faces.missing(one.game)]
        self.rows = [_Row(daily(self._today), self), *(_Row(one, self) for one in shown)]
        self._play = Button("Try it", self.play, key="Enter", main=True)
        self._back = Button("Back", app.pop, key="Esc")
        self.form = Form([*self.rows, self._play, self._back])
        self.listed = self._shown = self._body = pygame.Rect(0, 0, 1, 1)
        """Places of the list, of the picture, and of all that is told of the chosen one [pixels]."""
        self._scroll = Scroll()
        self._chosen = self.rows[0]
        self._clicked: Posed | None = None
        self._table: tuple[object, pygame.Surface] | None = None
        self.notice = ""
        self.renew()

    def renew(self) -> None:
        """Read anew what was done."""
        bests = self.app.player.bests()
        for row in self.rows:
            row.best = bests.get(row.posed.name)
        self._streak = self.app.player.streak(self._today)

    def about(self) -> Game | None:
        """The game whose words are used."""
        return self._chosen.posed.game

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        return "Up Down, Home End choose   ·   Enter tries it   ·   Esc back"

    # -- doing ----------------------------------------------------------------------------------------------------

    def clicked(self, posed: Posed) -> bool:
        """Note that a challenge was clicked; true the second time in a row."""
        twice, self._clicked = self._clicked is posed, posed
        return twice

    def play(self) -> None:
        """Try the one that is chosen."""
        self.begin(self._chosen.posed)

    def begin(self, posed: Posed) -> None:
        """Try a challenge."""
        names = [row.posed for row in self.rows]
        at = names.index(posed)
        following = names[at + 1] if 0 < at + 1 < len(names) else None
        trying = Trying(self.app, posed, self.renew, None if following is None else lambda: self.begin(following))
        for k, row in enumerate(self.rows):
            if row.posed is posed:
                self.form.focus, self._chosen = k, row
        try:
            trying.begin()
        except FlicksimError as wrong:
            self.notice = str(wrong)

    # -- events, picture ------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Keys and mouse; the wheel scrolls."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.pop()
            return
        if self._scroll.wheel(event, 48 * self.app.scale):
            self._place()
            return
        if event.type == pygame.KEYDOWN and event.key in _FAR and isinstance(self.form.focused, _Row):
            at = (self.form.focus or 0) + _FAR[event.key]
            self.form.focus = min(max(at, 0), len(self.rows) - 1)
        mouse = event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN)
        if mouse and event.pos[0] < self.listed.right and not self.listed.collidepoint(event.pos):
            return
        if mouse and self._scroll.cuts(event.pos, (row.rect for row in self.rows)):
            return
        self.form.handle(event)
        focused = self.form.focused
        if isinstance(focused, _Row):
            self._chosen = focused
            if event.type == pygame.KEYDOWN:
                self._reveal()

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The list left, picture and words right, buttons at the foot."""
        w, h = min(size[0], round(1400 * scale)), size[1]
        pad, top, high = round(24 * scale), round(84 * scale), round(40 * scale)
        left = (size[0] - w) // 2 + pad
        self.listed = pygame.Rect(left, top, round((w - 3 * pad) * 0.46), h - top - pad)
        self._body = pygame.Rect(self.listed.right + pad, top, w - 3 * pad - self.listed.w, h - top - pad)
        self._shown = pygame.Rect(self._body.x, self._body.y, self._body.w, round(self._body.h * 0.56))
        wide = (self._body.w - round(10 * scale)) // 2
        for k, button in enumerate((self._play, self._back)):
            x = self._body.x + k * (wide + round(10 * scale))
            button.rect = pygame.Rect(x, self._body.bottom - high, wide, high)
        self._place()

    def _place(self) -> None:
        """Put the rows where the scrolling has them, a head over each game's own."""
        scale = self.app.scale
        step, head = round(_ROW * scale), round(_HEAD * scale)
        heads = 1 + len({row.posed.game.name for row in self.rows[1:]})
        self._scroll.hold(self.listed, len(self.rows) * step + heads * head)
        y, last = self._scroll.top, ""
        for row in self.rows:
            named = "" if row.posed.day is not None else row.posed.game.name
            if row.posed.day is not None or named != last:
                y += head
            last = named
            row.rect = pygame.Rect(self.listed.x, y, self.listed.w - round(10 * scale), step - round(2 * scale))
            y += step

    def _reveal(self) -> None:
        self._scroll.reveal(self._chosen.rect, round(_HEAD * self.app.scale))
        self._place()

    def draw(self, canvas: Canvas) -> None:
        """List, the chosen one with its picture, goal and best."""
        canvas.text("Challenges", (self.listed.x, canvas.px(20)), 26, bold=True)
        won = sum(row.best.stars for row in self.rows if row.best is not None)
        told = f"{won} of {MOST_STARS * len(self.rows)} stars"
        if self._streak:
            told += f"   ·   {self._streak} day{'s' if self._streak > 1 else ''} in a row"
        canvas.text(told, (self.listed.x, canvas.px(54)), 14, palette.FAINT)
        self._draw_list(canvas)
        self._draw_chosen(canvas)
        for button in (self._play, self._back):
            over = button.rect.collidepoint(pygame.mouse.get_pos())
            button.draw(canvas, focused=button is self.form.focused, hovered=over)

    def _draw_list(self, canvas: Canvas) -> None:
        focused, mouse = self.form.focused, pygame.mouse.get_pos()
        with canvas.clipped(self.listed):
            last = ""
            for row in self.rows:
                named = "The challenge of the day" if row.posed.day is not None else row.posed.game.title
                if not self._scroll.whole(row.rect.y, row.rect.h):
                    last = named
                    continue
                at = (row.rect.x + canvas.px(2), row.rect.y - canvas.px(5))
                if named != last and self._scroll.whole(at[1] - canvas.high(12), canvas.high(12)):
                    canvas.text(named.upper(), at, 12, palette.ACCENT, bold=True, anchor="bottomleft")
                last = named
                over = row.rect.collidepoint(mouse) and self.listed.collidepoint(mouse)
                row.draw(canvas, focused=row is self._chosen and (focused is row or not isinstance(focused, _Row)),
                         hovered=over)  # fmt: skip
        self._scroll.draw(canvas)

    def _draw_chosen(self, canvas: Canvas) -> None:
        posed, best = self._chosen.posed, self._chosen.best
        self._draw_table(canvas, posed)
        body = self._body
        y = self._shown.bottom + canvas.px(14)
        y = canvas.text(posed.challenge.title, (body.x, y), 20, bold=True, within=body.w - canvas.px(110)).bottom
        stars(canvas, (body.right - canvas.px(46), y - canvas.px(12)), canvas.px(12), best.stars if best else 0,
              MOST_STARS)  # fmt: skip
        for words, size, colour in ((posed.challenge.goal, 16, palette.TEXT),
                                    (posed.challenge.trick, 14, palette.FAINT),
                                    (posed.challenge.earns, 14, palette.TEXT), (self.notice, 14, palette.BAD),
                                    (_told(best), 14, palette.FAINT)):  # fmt: skip
            if words:
                room = pygame.Rect(body.x, y + canvas.px(6), body.w, max(1, self._play.rect.y - y - canvas.px(12)))
                y = canvas.paragraph(words, room, size, colour)

    def _draw_table(self, canvas: Canvas, posed: Posed) -> None:
        """The table as the challenge begins; drawn once for each size and palette."""
        key = (posed.name, self._shown.size, palette.name)
        if self._table is None or self._table[0] != key:
            scene = posed.challenge.begin().scene
            self._table = (key, self._faces.picture(scene, self._shown.size, posed.game.seat_names))
        canvas.surface.blit(self._table[1], self._shown)
        canvas.outline(self._shown, palette.EDGE, 1.0)


def _told(best: Best | None) -> str:
    if best is None:
        return ""
    tries = "one try" if best.tries == 1 else f"{best.tries} tries"
    return f"Your best: {best.words()}, in {tries}." if best.words() else f"So far {tries}."
