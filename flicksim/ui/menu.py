"""The first screen: which game, and how to begin."""

from __future__ import annotations

import secrets

import pygame

from flicksim import games
from flicksim.base.errors import FlicksimError
from flicksim.play import open_match, parse_seat
from flicksim.referee import Game, parse_options
from flicksim.ui import coins, palette
from flicksim.ui.app import App, Screen
from flicksim.ui.canvas import Canvas
from flicksim.ui.form import Form
from flicksim.ui.starting import begin, missing, usual_seats
from flicksim.ui.widgets import Button, Widget
from flicksim.ui.winks.doors import beside

_AGAINST = "You against a club player, usual rules."


class GameCard(Widget):
    """A game on the list."""

    def __init__(self, game: Game, menu: MenuScreen) -> None:
        super().__init__(game.title)
        self.game, self._menu = game, menu

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """Title and one sentence; the chosen one marked."""
        chosen = self._menu.game is self.game
        self._frame(canvas, focused, hovered)
        if chosen:
            bar = pygame.Rect(self.rect.x + canvas.px(6), self.rect.y + canvas.px(12), canvas.px(5),
                              self.rect.h - canvas.px(24))  # fmt: skip
            canvas.box(bar, palette.ACCENT, 2)
        x, room = self.rect.x + canvas.px(24), self.rect.w - canvas.px(40)
        y = canvas.text(self.game.title, (x, self.rect.y + canvas.px(12)), 19, bold=True, within=room).bottom
        canvas.paragraph(
            self.game.blurb, pygame.Rect(x, y + canvas.px(2), room, self.rect.bottom - y - canvas.px(4)), 14,
            palette.FAINT,
        )  # fmt: skip

    def key(self, event: pygame.event.Event) -> bool:
        """Enter or Space choose it."""
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self._menu.choose(self.game)
            return True
        return False

    def press(self, at: tuple[int, int]) -> None:
        """Choose it."""
        del at
        self._menu.choose(self.game)


class MenuScreen(Screen):
    """Games on the left, what to do with the chosen one on the right."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        found = [games.load(name) for name in games.names()]
        self.game = found[0]
        self.notice = ""
        self._cards = [GameCard(game, self) for game in found]
        self._quick = Button("Quick game", self._begin, main=True, says=_AGAINST)
        self._new = Button("New game ...", self._options, says="Choose who plays, every option, and the seed.")
        self._help = Button("Keys", self._keys, key="?")
        self._quit = Button("Quit", app.quit, key="Esc")
        self._beside: list[Button] = beside(app, self.game)
        self.form = Form([*self._cards, *self._ways()])
        self.form.focus = len(self._cards)
        self._right = pygame.Rect(0, 0, 0, 0)

    def _ways(self) -> list[Button]:
        """What can be done with the chosen game, and the rest."""
        return [self._quick, self._new, *self._beside, self._help, self._quit]

    def choose(self, game: Game) -> None:
        """Take this game."""
        self.game, self.notice = game, missing(game)
        self._beside = beside(self.app, game)
        others = usual_seats(game) - 1
        self._quick.says = f"You and {others} club players, usual rules." if others > 1 else _AGAINST
        self.form.widgets = [*self._cards, *self._ways()]
        self.layout(self.app.size, self.app.scale)
        self.form.focus = len(self._cards)

    def _begin(self) -> None:
        """You on the first seat, club players on the others."""
        if self.notice:
            return
        try:
            seats = [parse_seat("human"), *[parse_seat("bot:club")] * (usual_seats(self.game) - 1)]
            begin(self.app, open_match(self.game, parse_options(self.game, []), seats, secrets.randbelow(10**9)))
        except FlicksimError as wrong:
            self.notice = str(wrong)

    def _options(self) -> None:
        from flicksim.ui.new_game import NewGameScreen

        self.app.push(NewGameScreen(self.app, self.game))

    def _keys(self) -> None:
        from flicksim.ui.felt.cloths import CLOTHS, keys
        from flicksim.ui.overlays import KEYS, HelpScreen

        self.app.push(HelpScreen(self.app, keys(self.game) if self.game.name in CLOTHS else KEYS))

    def handle(self, event: pygame.event.Event) -> None:
        """Keys and mouse."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.quit()
        elif event.type == pygame.KEYDOWN and event.unicode == "?":
            self._keys()
        elif event.type == pygame.KEYDOWN and event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            at = self._cards.index(next(card for card in self._cards if card.game is self.game))
            self.form.focus = at if event.key == pygame.K_LEFT else len(self._cards)
        else:
            self.form.handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Two columns, in the middle of wide windows."""
        w = min(size[0], round(1060 * scale))
        x, top = (size[0] - w) // 2 + round(30 * scale), round(150 * scale)
        left = round((w - 90 * scale) * 0.56)
        room = size[1] - top - round(50 * scale)
        high = min(round(96 * scale), room // max(1, len(self._cards)) - round(10 * scale))
        for k, card in enumerate(self._cards):
            card.rect = pygame.Rect(x, top + k * (high + round(10 * scale)), left, high)
        self._right = pygame.Rect(x + left + round(30 * scale), top, w - left - round(90 * scale), room)
        y, tall = top + round(110 * scale), round(46 * scale)
        ways = self._ways()
        close = sum(54.0 if button.says else 30.0 for button in ways) + 26.0 * len(ways) > room / scale - 110
        for button in ways:
            button.rect = pygame.Rect(self._right.x, y, self._right.w, tall)
            y += tall + round((10 if not button.says else 24 if close else 34) * scale)

    def draw(self, canvas: Canvas) -> None:
        """Title, games, buttons."""
        x, y = self._cards[0].rect.x, canvas.px(44)
        r = canvas.px(21)
        for k, (key, kind) in enumerate((("blue", "penny"), ("red", "penny"), (None, "white"))):
            picture = coins.coin(r, key, kind, 0.3 * k)
            canvas.surface.blit(picture, picture.get_rect(center=(x + r + k * canvas.px(36), y + canvas.px(24))))
        title = canvas.text("flicksim", (x + canvas.px(136), y - canvas.px(4)), 40, bold=True)
        canvas.text("flicking games, played and studied properly", (title.x + 2, title.bottom), 15, palette.FAINT)
        canvas.text(self.game.title, self._right.topleft, 24, bold=True, within=self._right.w)
        words = pygame.Rect(self._right.x, self._right.y + canvas.px(36), self._right.w, canvas.px(66))
        if self.notice:
            canvas.paragraph(self.notice, words, 15, palette.BAD)
        else:
            low, high = self.game.seats
            many = f"For {low} players" if low == high else f"For {low} to {high} players"
            names = ", ".join(self.game.seat_names[:high])
            canvas.paragraph(f"{many}: {names}.", words, 15, palette.FAINT)
        self.form.draw(canvas)
        for button in (way for way in self._ways() if way.says):
            canvas.text(button.says, (button.rect.x + 2, button.rect.bottom + canvas.px(4)), 13, palette.FAINT,
                        within=button.rect.w)  # fmt: skip
        foot = canvas.size[1] - canvas.px(30)
        canvas.text("Tab and arrows move, Enter chooses, F11 whole screen", (x, foot), 13, palette.FAINT)
