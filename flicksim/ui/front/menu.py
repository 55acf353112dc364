"""The front door: every game with a small living table, one key from a quick game; and all the other ways in."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path

import pygame

from flicksim import games
from flicksim.base.errors import FlicksimError
from flicksim.play import Background, open_match, parse_seat, thoughts_of
from flicksim.referee import Game, parse_options
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.frame.face import Faces, Miniature, Practice
from flicksim.ui.frame.help import HelpScreen
from flicksim.ui.frame.settings import SettingsScreen
from flicksim.ui.front.challenges import ChallengesScreen
from flicksim.ui.front.figures import FiguresScreen
from flicksim.ui.front.greeting import GreetingScreen
from flicksim.ui.front.lessons import LessonsScreen
from flicksim.ui.front.new_game import NewGameScreen
from flicksim.ui.front.open_files import OpenScreen
from flicksim.ui.kit import clipboard, coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.keys import COMMON, Key, Keys
from flicksim.ui.kit.widgets import PRESS, Button, Widget
from flicksim.ui.match import kept_games
from flicksim.ui.match.overlays import AskScreen
from flicksim.ui.match.starting import FIRST, begin, go_on, quick_seats

_LOTS = 40
"""Seeds that are tried for a first game that the person begins [-]."""
_DIGITS = range(pygame.K_1, pygame.K_9 + 1)


class GameCard(Widget):
    """A game: its living table, its name, a sentence.

    Args:
        small: its table. number: the key that begins it. begin, more: a quick game; seats and options first.
    """

    def __init__(
        self, game: Game, small: Miniature, number: int, begin: Callable[[Game], None], more: Callable[[Game], None]
    ) -> None:
        super().__init__(game.title)
        self.game, self._number, self._begin, self._more = game, number, begin, more
        self.small = small
        self.t = 0.7 * number
        self._button = pygame.Rect(0, 0, 0, 0)

    def draw(self, canvas: Canvas, *, focused: bool, hovered: bool) -> None:
        """The table over the words; the key in a corner, the way to the options in another."""
        rect, pad = self.rect, canvas.px(10)
        self._frame(canvas, focused, hovered)
        room = rect.w - 2 * pad
        lines = max(2, min(5, len(canvas.wrapped(self.game.blurb, room, 13))))
        words = canvas.high(18) + lines * canvas.high(13) + canvas.px(38)
        table = pygame.Rect(rect.x + pad, rect.y + pad, room, max(canvas.px(40), rect.h - words - pad))
        self.small.draw(canvas, table, self.t)
        y = table.bottom + canvas.px(6)
        r = canvas.px(11)
        canvas.disc((rect.x + pad + r, y + r), r, palette.ACCENT)
        canvas.text(str(self._number), (rect.x + pad + r, y + r), 15, palette.ON_ACCENT, bold=True, anchor="center")
        room -= 2 * r + canvas.px(8)
        title = self.game.title
        size = next((size for size in range(18, 10, -1) if canvas.wide(title, size, bold=True) <= room), 10)
        canvas.text(title, (rect.x + pad + 2 * r + canvas.px(8), y + r), size, bold=True, anchor="midleft",
                    within=room)  # fmt: skip
        y += canvas.high(18)
        foot = canvas.px(26)
        room_ = pygame.Rect(rect.x + pad, y + canvas.px(1), rect.w - 2 * pad, rect.bottom - foot - y)
        canvas.paragraph(self.game.blurb, room_, 13, palette.FAINT)
        self._button = pygame.Rect(rect.right - canvas.px(92), rect.bottom - foot, canvas.px(86), foot - canvas.px(4))
        over = self._button.collidepoint(pygame.mouse.get_pos())
        canvas.text("more ...  M" if focused else "more ...", (self._button.right - canvas.px(4), self._button.centery),
                    13, palette.ACCENT if over or focused else palette.FAINT, bold=True, anchor="midright")  # fmt: skip
        canvas.text("Enter plays" if focused else "click to play", (rect.x + pad, self._button.centery), 12,
                    palette.FAINT, anchor="midleft")  # fmt: skip

    def key(self, event: pygame.event.Event) -> bool:
        """Enter or Space begin a quick game, M goes to seats and options."""
        if event.key in PRESS:
            self._begin(self.game)
        elif event.key == pygame.K_m:
            self._more(self.game)
        else:
            return False
        return True

    def press(self, at: tuple[int, int]) -> None:
        """Play it, or choose seats and options first."""
        (self._more if self._button.collidepoint(at) else self._begin)(self.game)


class MenuScreen(Screen):
    """Games on the left, the other ways in on the right.

    Args:
        faces: of all games.
    """

    def __init__(self, app: App, faces: Faces) -> None:
        super().__init__(app)
        self._faces = faces
        found = [games.load(name) for name in games.names()]
        self.cards = [
            GameCard(game, miniature(faces, game), k + 1, self.quick, self.more) for k, game in enumerate(found)
        ]
        self.notice = ""
        thoughts = (thoughts_of(game) for game in found)
        self._warmings = (*faces.warmings, *(one for one in thoughts if one is not None))
        for warming in self._warmings:
            warming.compile()
        self._last = kept_games.last()
        self._loading: Background[kept_games.Resumed] | None = None
        self._continue = Button("Continue", self.go_on, key="C")
        self._continue.enabled = self._last is not None
        self._you = Button(_called(app.player.name), self.figures, key="Y")
        self._ways = [
            self._continue,
            Button("Lessons", self.lessons, key="L"),
            Button("Challenges", self.challenges, key="H"),
            Button("Open ...", self._open, key="O"),
            Button("Study board", self.study, key="B"),
            *(
                Button(one.label, lambda one=one: self._practise(one), key=one.key)  # type: ignore[misc]
                for one in faces.practices
            ),
            self._you,
            Button("Settings", self._settings, key="S"),
            Button("Help", self._help, key="?"),
            Button("Quit", self.leave, key="Esc"),
        ]
        self.form = Form([*self.cards, *self._ways], arrows=False)
        self._right = pygame.Rect(0, 0, 0, 0)
        self.told = _about(self._last)

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        ways = [f"1 to {len(self.cards)} play a quick game", "with Shift: seats and options", "Arrows go about",
                "Enter plays", "? help", "Esc quits"]  # fmt: skip
        return "   ·   ".join(ways)

    # -- ways in --------------------------------------------------------------------------------------------------

    def quick(self, game: Game) -> None:
        """You against bots, usual rules."""
        if reason := self._faces.missing(game):
            self.notice = reason
            return
        first = self.app.player.new_to(game.name)
        words = quick_seats(game, FIRST if first else self.app.preferences.grade)
        try:
            seats = [parse_seat(word) for word in words]
            match = open_match(game, parse_options(game, []), seats, secrets.randbelow(10**9))
            for _ in range(_LOTS if first else 0):  # whoever is new begins, and waits for no bot
                if match.to_play is not None and match.players[match.to_play] is None:
                    break
                match = open_match(game, parse_options(game, []), seats, secrets.randbelow(10**9))
        except FlicksimError as wrong:
            self.notice = str(wrong)
            return
        begin(self.app, match, words, patient=first)

    def more(self, game: Game) -> None:
        """Seats and options first."""
        self.app.push(NewGameScreen(self.app, game, self._faces.missing(game)))

    def go_on(self) -> None:
        """The last game, as it was left."""
        path = self._last
        if path is not None and self._loading is None:
            self._loading = Background(lambda: kept_games.resumed(path))
            self.notice = "The table is set up as it was ..."

    def figures(self) -> None:
        """Show what was done here, name and colour."""
        self.app.push(FiguresScreen(self.app))

    def leave(self) -> None:
        """Close the window, if that was meant."""
        self.app.push(AskScreen(self.app, "Close flicksim?", self.app.quit))

    def greet(self) -> None:
        """Ask a new player for a name and a colour, then offer a lesson."""
        if not self.app.player.profile.greeted:
            self.app.push(GreetingScreen(self.app, self.lessons))

    def lessons(self) -> None:
        """The lessons there are."""
        self.app.push(LessonsScreen(self.app, self._faces))

    def challenges(self) -> None:
        """The list of challenges, that of the day first."""
        self.app.push(ChallengesScreen(self.app, self._faces))

    def study(self) -> None:
        """The study board of the first game that has one."""
        found = (
            self.app.routes.study(self.app, card.game, None) for card in self.cards if card.game.setting is not None
        )
        if (screen := next(filter(None, found), None)) is not None:
            self.app.push(screen)

    def _open(self) -> None:
        self.app.push(OpenScreen(self.app, self._faces))

    def _practise(self, one: Practice) -> None:
        try:
            one.begin(self.app)
        except FlicksimError as wrong:
            self.notice = str(wrong)

    def _settings(self) -> None:
        self.app.push(SettingsScreen(self.app))

    def _help(self) -> None:
        self.app.push(HelpScreen(self.app, (front_keys(self._faces.practices), *COMMON)))

    # -- events ---------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Numbers begin games, letters press buttons, arrows go about; a file dropped here is opened."""
        if event.type == pygame.DROPFILE:
            self.app.push(OpenScreen(self.app, self._faces, Path(event.file)))
            return
        if event.type != pygame.KEYDOWN:
            self.form.handle(event)
            return
        if clipboard.pastes(event):
            self.app.push(OpenScreen(self.app, self._faces, text=clipboard.pasted()))
            return
        letters = {way.shortcut: way.action for way in self._ways}
        number = event.key - pygame.K_1
        if event.key == pygame.K_ESCAPE:
            self.leave()
        elif event.unicode == "?" or event.key == pygame.K_F1:
            self._help()
        elif event.key in _DIGITS and number < len(self.cards):
            (self.more if event.mod & pygame.KMOD_SHIFT else self.quick)(self.cards[number].game)
        elif event.unicode and (act := letters.get(event.unicode.upper())) is not None:
            act()
        elif event.key in _WAYS:
            self._step(*_WAYS[event.key])
        else:
            self.form.handle(event)

    def _step(self, dx: int, dy: int) -> None:
        """The focus goes to the nearest card or button that way."""
        here = self.form.focused
        if here is None:
            self.form.focus = 0
            return
        x, y = here.rect.center

        def far(widget: Widget) -> float:
            ax, ay = widget.rect.centerx - x, widget.rect.centery - y
            along, aside = ax * dx + ay * dy, abs(ax * dy) + abs(ay * dx)
            return along + 2.0 * aside if along > 8 else 1e9

        best = min((w for w in self.form.widgets if w is not here and w.enabled), key=far)
        if far(best) < 1e9:
            self.form.focus = self.form.widgets.index(best)

    def update(self, dt: float) -> None:
        """The small tables live; a game that was left is set up."""
        self._you.label = _called(self.app.player.name)
        for card in self.cards:
            card.t += dt
        if self._loading is not None and self._loading.done:
            job, self._loading = self._loading, None
            try:
                found = job.result()
            except FlicksimError as wrong:
                self.notice = str(wrong)
                return
            go_on(self.app, found)

    # -- picture --------------------------------------------------------------------------------------------------

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Three cards in a row, the buttons beside them."""
        w, h = min(size[0], round(1500 * scale)), size[1]
        left, pad, gap = (size[0] - w) // 2, round(24 * scale), round(12 * scale)
        top, foot = round(96 * scale), round(16 * scale)
        right = round(216 * scale)
        self._right = pygame.Rect(left + w - right - pad, top, right, h - top - foot)
        area = pygame.Rect(left + pad, top, w - right - 3 * pad, h - top - foot)
        across = 3 if len(self.cards) > 4 else 2
        rows = -(-len(self.cards) // across)
        wide, high = (area.w - (across - 1) * gap) // across, (area.h - (rows - 1) * gap) // rows
        for k, card in enumerate(self.cards):
            row, at = divmod(k, across)
            many = min(across, len(self.cards) - row * across)
            x = area.x + (area.w - many * wide - (many - 1) * gap) // 2 + at * (wide + gap)
            card.rect = pygame.Rect(x, area.y + row * (high + gap), wide, high)
        y, about = self._right.y, round(42 * scale)
        step = min(round(54 * scale), (self._right.h - about) // len(self._ways))
        for button in self._ways:
            button.rect = pygame.Rect(self._right.x, y, self._right.w, round(step * 0.8))
            y += step + (about if button is self._continue else 0)

    def draw(self, canvas: Canvas) -> None:
        """Title, games, buttons."""
        x, y = self.cards[0].rect.x, canvas.px(26)
        r = canvas.px(21)
        for k, (key, kind) in enumerate((("blue", "penny"), ("red", "penny"), (None, "white"))):
            picture = coins.coin(r, key, kind, 0.3 * k)
            canvas.surface.blit(picture, picture.get_rect(center=(x + r + k * canvas.px(36), y + canvas.px(24))))
        title = canvas.text("flicksim", (x + canvas.px(136), y - canvas.px(8)), 38, bold=True)
        canvas.text("flicking games, played and studied properly", (title.x + 2, title.bottom - canvas.px(4)), 15,
                    palette.FAINT)  # fmt: skip
        self.form.draw(canvas)
        about = self._continue.rect
        room = pygame.Rect(about.x + 2, about.bottom + canvas.px(4), about.w - 2, canvas.high(12) * 2)
        canvas.paragraph(self.told, room, 12, palette.FAINT)
        warming = next((one.says for one in self._warmings if one.says), "")
        if self.notice or warming:
            low = self._ways[-1].rect.bottom + canvas.px(14)
            room, says = pygame.Rect(about.x, low, about.w, max(20, self._right.bottom - low)), self.notice or warming
            if len(canvas.wrapped(says, room.w, 14)) * canvas.high(14) > room.h:  # beside the title there is more
                left = title.right + canvas.px(60)
                room = pygame.Rect(left, canvas.px(20), self._right.right - left, about.y - canvas.px(24))
            bad = self.notice and self._loading is None
            canvas.paragraph(says, room, 14, palette.BAD if bad else palette.ACCENT)


def _called(name: str) -> str:
    return f"{name}: figures" if name else "You: figures"


def _about(path: Path | None) -> str:
    """Words for the game that would be continued."""
    if path is None:
        return "No game was left before its end."
    try:
        return kept_games.told(path)
    except FlicksimError as wrong:
        return str(wrong)


_WAYS = {pygame.K_LEFT: (-1, 0), pygame.K_RIGHT: (1, 0), pygame.K_UP: (0, -1), pygame.K_DOWN: (0, 1)}


def front_keys(practices: Sequence[Practice]) -> Keys:
    """The keys of the front door."""
    return Keys("Front door", (
        Key("A number, or click", "a quick game against bots"),
        Key("Shift + number, or M", "choose seats and options first"),
        Key("Arrows, Tab", "go about; Enter plays or presses"),
        Key("C", "continue the last game"),
        Key("L", "lessons: the first steps of each game, a minute and a half"),
        Key("H", "challenges: positions with a goal, stars, and one for each day"),
        Key("Y", "your figures: games, challenges, days in a row; name and colour"),
        Key("O", "open a position or a recorded game; a file can also be dropped on the window"),
        Key("B", "the study board: a position set up by hand, weighed while you move things"),
        Key("Ctrl + V", "open the game or position that somebody shared as a text"),
        *(Key(one.key, one.says) for one in practices),
        Key("S", "settings: colours, size of letters, sounds, bots"),
        Key("Esc", "close the window"),
    ))  # fmt: skip


class Still:
    """The miniature of a game nobody has recorded anything of: its name on a bare cloth."""

    def __init__(self, title: str) -> None:
        self._title = title

    def draw(self, canvas: Canvas, rect: pygame.Rect, t: float) -> None:
        """The cloth and the name."""
        del t
        canvas.box(rect, palette.FELT, 6)
        canvas.text(self._title, rect.center, 17, palette.CHALK, bold=True, anchor="center", within=rect.w)


def miniature(faces: Faces, game: Game) -> Miniature:
    """The small table of a game; still where it has none that lives."""
    try:
        return faces.of(game).miniature(game)
    except FlicksimError:
        return Still(game.title)
