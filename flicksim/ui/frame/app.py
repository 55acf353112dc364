"""The window itself: a loop, a stack of screens, and a scale that grows with the window."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")  # sharp letters on dense screens

import pygame

from flicksim.base.errors import BadFile, FlicksimError, InUse
from flicksim.base.kinds import Position
from flicksim.base.lock import Lock
from flicksim.play import Match, Turn
from flicksim.referee import Game
from flicksim.ui.frame.beside import Beside
from flicksim.ui.frame.explaining import Explaining
from flicksim.ui.frame.glossary import Glossary
from flicksim.ui.frame.player import Player, store
from flicksim.ui.frame.sitting import Keeper, Sitting
from flicksim.ui.kit import language, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.coins import coin
from flicksim.ui.kit.gamepad import KINDS, Gamepad
from flicksim.ui.kit.gamepad import SAYS as PAD
from flicksim.ui.kit.keys import meant
from flicksim.ui.kit.pictures import save
from flicksim.ui.kit.places import UNSEEN, made, numbered, place
from flicksim.ui.kit.preferences import Preferences, claimed, remember, remembered
from flicksim.ui.kit.sounds import Sounds

FRAMES = 60
"""Frames a second."""
_STILL = 0.1
"""Time between frames while nothing moves [s]: who works meanwhile, as the compiler, needs the processor more."""
_AWAKE = 0.5
"""Time that frames come fast after anything was done [s]."""
_LOOK = 5
"""Time between looks for anything done [ms]."""
SMALLEST = (640, 480)
_LEAST = (820.0, 615.0)
"""Every screen finds room in a window of so many units; letters are never larger than that allows."""
_LINE = 24.0
"""Height of the line at the foot [units]."""
_BARS = 72
"""Room for the title and the system's bars where the screen is smaller than the window would be [pixels]."""
_SHARE = 0.001
"""Time that a thread beside the window may run before the window is asked again [s]."""
_STALE = 1.0
"""Time after which the screen below is drawn anew [s]: a line there may tell how far the compiler is."""
_BETWEEN = "   ·   "
"""Gap between the things that can be done."""
BACK = "Tab goes through buttons and fields   ·   Enter presses   ·   Esc back"
"""Keys of most screens that are no table."""
_SAID = 5.0
"""Time that a notice stays [s]."""
ONCE = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE, pygame.K_ESCAPE, pygame.K_F2, pygame.K_F7, pygame.K_F8,
        pygame.K_F9, pygame.K_F11, pygame.K_F12, pygame.K_u, pygame.K_p, pygame.K_s, pygame.K_f, pygame.K_h,
        pygame.K_r, pygame.K_n, pygame.K_v)  # fmt: skip
"""Keys that do nothing more while they are held down."""


def fitting(size: tuple[int, int], desktops: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """A window's size that the first screen has room for [pixels], below its title and beside the system's bars."""
    if not desktops or (size[0] <= desktops[0][0] and size[1] <= desktops[0][1]):
        return size
    wide, high = desktops[0]
    return max(SMALLEST[0], min(size[0], wide)), max(SMALLEST[1], min(size[1], high - _BARS))


_SECOND = "Another flicksim window is open here. You can play; settings changed in this one last until it closes."


class Screen:
    """One thing the window shows. Those on top of the stack get the keys; a `clear` one lets the one below be seen,
    dimmed unless it is to be used meanwhile."""

    clear = False
    dims = True
    beside: Beside | None = None
    """Companion of the screen, on a card of its own."""
    notices: pygame.Rect | None = None
    """Part of the window in which notices lie over nothing that is to be pressed; None: above the line at the foot."""

    def __init__(self, app: App) -> None:
        self.app = app

    @property
    def moves(self) -> bool:
        """True while anything may be seen to move; else few frames are drawn until somebody does something."""
        return True

    def room(self, whole: pygame.Rect) -> pygame.Rect:
        """Room for a floating card, of the whole window [pixels]."""
        return whole

    def can(self) -> str:
        """The line of what can be done now; it always stands at the foot of the window."""
        return BACK

    def about(self) -> Game | None:
        """The game whose words are used; None where it is that of the screen below, or none."""
        return None

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Put everything in its place: window size [pixels], pixels per unit."""

    def handle(self, event: pygame.event.Event) -> None:
        """Take one event."""

    def update(self, dt: float) -> None:
        """Let time go on by dt [s]."""

    def draw(self, canvas: Canvas) -> None:
        """Show it."""

    def over(self, canvas: Canvas) -> None:
        """Show what comes and goes over it; not while something else is on top."""

    def leaf_to(self, place: int, *, play: bool = False) -> None:
        """Show another of the things it shows one after the other, by its place; moving, if it can be seen to move."""

    def weigh_all(self) -> None:
        """Have all that it shows gone through by the analyst, where that can be."""

    def close(self) -> None:
        """It is left for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routes:
    """Ways to screens that are built where they are known, far above the window itself.

    Args:
        home: the front door. words: what the words on the screen mean (a game, or none; words found on the screen).
        teach: begins the lesson of a game; None: it has none.
        study: the board on which positions of a game are set up; None: it has none.
        play: a match on its table. replay: turns of a game looked through (see `ReplayScreen`).
    """

    home: Callable[[App], Screen]
    words: Callable[[App, Game | None, Sequence[tuple[str, str]]], Screen]
    play: Callable[[App, Sitting], Screen]
    replay: Callable[[App, Game, Sequence[Turn], Callable[[int], None] | None], Screen]
    teach: Callable[[App, Game], Callable[[], None] | None] = lambda _app, _game: None
    study: Callable[[App, Game, Position | None], Screen | None] = lambda _app, _game, _position: None


class App:
    """The window.

    Args:
        routes: to the screens. glossary: what players' words mean.
        size: at first [pixels].
        keep: handed each match begun in the window, gives what is told of its turns; None: the window keeps the
            last games itself.
        preferences: the player's likings; None: those remembered from the last time.

    Raises:
        FlicksimError: no window can be opened here.
    """

    def __init__(
        self, routes: Routes, glossary: Glossary, size: tuple[int, int] = (1280, 800),
        keep: Callable[[Match], Keeper] | None = None, preferences: Preferences | None = None,
    ) -> None:  # fmt: skip
        self._own: Lock | None = None
        self.preferences, amiss = (preferences, "") if preferences is not None else self._remembered()
        try:
            pygame.display.init()
            pygame.joystick.init()
            pygame.font.init()
            pygame.display.set_caption("flicksim")
            pygame.display.set_icon(coin(30.0, "blue", "penny", 0.0))
            if pygame.display.get_driver() not in UNSEEN:
                size = fitting(size, pygame.display.get_desktop_sizes())
            if not self.preferences.full:  # else it is opened so at once, and no window is seen before
                pygame.display.set_mode(size, pygame.RESIZABLE)
        except pygame.error as wrong:
            if self._own is not None:
                self._own.release()
            raise FlicksimError(f"no window can be opened here: {wrong}") from None
        pygame.key.set_repeat(280, 28)
        self.routes, self.glossary = routes, glossary
        self.screens: list[Screen] = []
        self.keep = keep
        palette.use(self.preferences.palette)
        foreign = language.use(language.wanted(self.preferences.language))
        self.sounds = Sounds(self.preferences)
        self.notice, self._noticed = "", 0.0
        self.player = Player(store(), self.say)
        self.gamepad = Gamepad()
        self.running = True
        if amiss or foreign:
            self.say(" ".join(filter(None, (amiss, foreign, self.notice))))
        self._laid: tuple[int, int] | None = None
        self._done = 0.0
        """Time since anything was done [s]."""
        self._windowed = size
        self._full = False
        if self.preferences.full:
            self._show_full(True)
        self.below: pygame.Surface | None = None
        self._aged = 0.0
        """Time since that was drawn [s]."""
        self._down: set[int] = set()
        self.studied: dict[str, tuple[Position, Sequence[Position]]] = {}
        """Position on the study board of each game as it was left, and those before it."""
        self.explaining = Explaining(glossary)
        self._words: Screen | None = None
        self._ways: dict[str, Callable[[], None]] = {
            "full": lambda: self.fill(not self._full), "sound": self.hush, "picture": self.keep_picture,
            "words": self.explain,
        }  # fmt: skip
        """Actions of the keys that mean the same on every screen."""

    def _remembered(self) -> tuple[Preferences, str]:
        """The settings of the last time, and a sentence about them if there is something to say."""
        try:
            self._own = claimed(begin=False)
        except InUse:
            return remembered()[0], _SECOND
        except BadFile:  # told of when there is something to be kept
            pass
        return remembered()

    # -- screens --------------------------------------------------------------------------------------------------

    @property
    def top(self) -> Screen:
        """The screen that gets the keys."""
        return self.screens[-1]

    @property
    def game(self) -> Game | None:
        """The game that the window is about just now."""
        return next((game for screen in reversed(self.screens) if (game := screen.about()) is not None), None)

    def push(self, screen: Screen) -> None:
        """Show a screen over the others."""
        self.screens.append(screen)
        self._laid = None

    def pop(self) -> None:
        """Go back to the one below; from the last, close."""
        self.screens.pop().close()
        if not self.screens:
            self.running = False
        self._laid = None

    def show(self, *screens: Screen) -> None:
        """Leave all others and show these, the last on top."""
        while self.screens:
            self.screens.pop().close()
        self.screens = list(screens)
        self._laid = None

    def home(self) -> None:
        """Leave all and go to the front door; what is left is closed before that looks what can be gone on with."""
        while self.screens:
            self.screens.pop().close()
        self.show(self.routes.home(self))

    def stir(self) -> None:
        """Note that what is seen below the uppermost screen has changed."""
        self.below = None

    def quit(self) -> None:
        """Close the window after this frame."""
        self.running = False

    # -- the loop -------------------------------------------------------------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """Of the window [pixels]."""
        return self.surface.get_size()

    @property
    def surface(self) -> pygame.Surface:
        """The surface that is shown."""
        return pygame.display.get_surface() or pygame.display.set_mode(self._windowed, pygame.RESIZABLE)

    @property
    def scale(self) -> float:
        """Pixels per unit: 1 in a window of 1280 x 800, more or less as the player likes and the window has room."""
        w, h = self.size
        usual = max(0.78, min(w / 1280.0, h / 800.0))
        return min(usual * self.preferences.scale, max(usual, min(w / _LEAST[0], h / _LEAST[1])))

    def lay(self, screen: Screen) -> None:
        """Let a screen lay itself out in the room it has."""
        w, h = self.size
        whole = pygame.Rect(0, 0, w, h - round(_LINE * self.scale))
        screen.layout(whole.size, self.scale)
        if screen.beside is not None:
            screen.beside.place(screen.room(whole))

    def renew(self) -> None:
        """The likings have changed: show everything by them, and write them down."""
        palette.use(self.preferences.palette)
        if amiss := language.use(language.wanted(self.preferences.language)):
            self.say(amiss)
        self._laid = None
        try:
            self._own = self._own or claimed(begin=True)
            remember(self.preferences)
        except InUse:
            self.say(_SECOND)
        except FlicksimError as wrong:
            self.say(f"The settings could not be kept: {wrong}.")

    def say(self, notice: str) -> None:
        """Show a notice for a while, over whatever is shown."""
        self.notice, self._noticed = notice, _SAID + len(notice) / 40.0

    def run(self, *, frames: int | None = None, screenshot: Path | None = None) -> int:
        """Go on until the window is closed, or for so many frames; write a picture of the last one if asked.

        Raises:
            BadFile: the picture cannot be written.
        """
        clock = pygame.time.Clock()
        done = 0
        patience = sys.getswitchinterval()
        sys.setswitchinterval(_SHARE)  # a bot that thinks in another thread hands over that often
        try:
            while self.running and (frames is None or done < frames):
                self.frame(clock.tick(FRAMES) / 1000.0)
                done += 1
                if frames is None and self.still:
                    _rest()
            if screenshot is not None:
                save(self.surface, screenshot)
        finally:
            sys.setswitchinterval(patience)
            self.close()
        return 0

    def close(self) -> None:
        """The window is gone, and all that was open in it."""
        while self.screens:
            self.screens.pop().close()
        self.sounds.close()
        if self._own is not None:
            self._own.release()
        pygame.display.quit()

    @property
    def still(self) -> bool:
        """True while nothing moves and nobody does anything."""
        return self.running and self._done > _AWAKE and not self.top.moves and not self.gamepad.held

    def frame(self, dt: float) -> None:
        """One frame: events, time, picture."""
        self._done += dt
        for event in pygame.event.get():
            self._done = 0.0
            for one in self._played(event):
                self._take(one)
            if not self.running:
                return
        for event in self.gamepad.update(dt):
            self._take(event)
        self._lay()
        if self.top.beside is not None:
            self.top.beside.advance(min(dt, 0.1))
        self.top.update(min(dt, 0.1))
        if not self.running:
            return
        self._lay()
        self._draw(dt)
        pygame.display.flip()

    def _draw(self, dt: float) -> None:
        """The picture of this moment."""
        canvas = Canvas(self.surface, self.scale)
        language.spare((self.player.name, *self.player.profile.friends))
        self._aged += dt
        if self.top.clear and self.below is not None and self._aged < _STALE:
            canvas.surface.blit(self.below, (0, 0))
        else:
            self._draw_below(canvas)
        canvas.said = self.explaining.said = []
        self.top.draw(canvas)
        self.top.over(canvas)
        if self.top.beside is not None:
            self.top.beside.draw(canvas)
        self._foot(canvas, self.top)
        canvas.said = None
        self.explaining.draw(canvas, self.game, dt)
        self._noticed -= dt
        if self._noticed > 0.0:
            self._notice(canvas)

    def _draw_below(self, canvas: Canvas) -> None:
        """Draw what is seen beside and behind the uppermost screen: it stands still, dimmed, and is drawn seldom."""
        canvas.surface.fill(palette.GROUND)
        if not self.top.clear:
            return
        first = len(self.screens) - 2
        while first > 0 and self.screens[first].clear:
            first -= 1
        for screen in self.screens[first:-1]:
            screen.draw(canvas)
            if self.top.dims:
                canvas.veil(canvas.surface.get_rect(), palette.SHADE, 150)
        self.below, self._aged = canvas.surface.copy(), 0.0

    def _foot(self, canvas: Canvas, screen: Screen) -> None:
        """The line that says what can be done now."""
        w, h = self.size
        strip = pygame.Rect(0, h - round(_LINE * self.scale), w, round(_LINE * self.scale))
        canvas.box(strip, palette.WELL)
        canvas.line(strip.topleft, strip.topright, palette.EDGE, 1.0)
        pad, ways = canvas.px(14), screen.can().split(_BETWEEN)
        while len(ways) > 2 and canvas.wide(_BETWEEN.join(ways), 13) > strip.w - 2 * pad:
            del ways[-3]  # the last two, as help and menu, stay: there the others can be found
        canvas.text(_BETWEEN.join(ways), (strip.x + pad, strip.centery), 13, palette.TEXT, anchor="midleft",
                    within=strip.w - 2 * pad)  # fmt: skip

    def _notice(self, canvas: Canvas) -> None:
        """Draw what there is to tell, over the line at the foot: titles and scores stay in sight."""
        whole = pygame.Rect(0, 0, self.size[0], self.size[1] - round(_LINE * self.scale))
        room = self.top.notices or whole
        wide = min(canvas.px(620), room.w - canvas.px(40))
        lines = canvas.wrapped(self.notice, wide - canvas.px(28), 14)
        rect = pygame.Rect(0, 0, wide, len(lines) * canvas.high(14) + canvas.px(18))
        rect.midbottom = (room.centerx, room.bottom - canvas.px(10))
        canvas.box(rect, palette.RAISED, 8, palette.ACCENT)
        for k, line in enumerate(lines):
            canvas.text(line, (rect.centerx, rect.y + canvas.px(9) + k * canvas.high(14)), 14, anchor="midtop")

    def _played(self, event: pygame.event.Event) -> Sequence[pygame.event.Event]:
        """An event as it is, or the keys that it presses when it is a gamepad's."""
        if event.type not in KINDS:
            return (event,)
        if event.type == pygame.JOYDEVICEADDED:
            if self.gamepad.added(event.device_index):
                self.say(PAD)
            return ()
        if event.type == pygame.JOYDEVICEREMOVED:
            if self.gamepad.removed(event.instance_id):
                self.say("The gamepad is gone. Nothing was flicked; keys and mouse go on.")
            # whatever was begun with it is not made, as when the window is left in the middle of it
            return (pygame.event.Event(pygame.WINDOWFOCUSLOST),)
        return self.gamepad.keys(event)

    def _take(self, event: pygame.event.Event) -> None:
        self.explaining.notice(event)
        match event.type:
            case pygame.QUIT:
                self.running = False
            case pygame.VIDEORESIZE:
                wanted = (max(event.w, SMALLEST[0]), max(event.h, SMALLEST[1]))
                if not self._full and self.size != wanted:
                    pygame.display.set_mode(wanted, pygame.RESIZABLE)
            case pygame.WINDOWFOCUSLOST:
                self._down.clear()
            case pygame.KEYUP:
                self._down.discard(event.key)
            case pygame.KEYDOWN if event.key in self._down and event.key in ONCE:
                return  # a key held down presses a button once
            case pygame.KEYDOWN if (word := meant(event)) in self._ways:
                self._down.add(event.key)
                self._ways[word]()
                return
        if event.type == pygame.KEYDOWN:
            self._down.add(event.key)
        if event.type not in (pygame.QUIT, pygame.VIDEORESIZE) and self.screens:
            self._lay()
            beside = self.top.beside
            if beside is None or event.type != pygame.KEYDOWN or not beside.key(event):
                self.top.handle(event)

    def fill(self, whole: bool) -> None:
        """Take the whole screen, or a window of it again; kept from one time to the next."""
        if whole != self._full:
            self._show_full(whole)
        self.preferences.full = whole
        self.renew()

    def _show_full(self, whole: bool) -> None:
        self._full = whole
        try:
            if whole:
                shown = pygame.display.get_surface()
                self._windowed = self._windowed if shown is None else shown.get_size()
                pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
            else:
                pygame.display.set_mode(self._windowed, pygame.RESIZABLE)
        except pygame.error as wrong:
            self._full = False
            pygame.display.set_mode(self._windowed, pygame.RESIZABLE)
            self.say(f"The window cannot take the whole screen here: {wrong}.")
        self._laid = None

    def explain(self) -> None:
        """Say what the words on the screen mean, or stop saying it."""
        if self.top is self._words:
            self.pop()
        else:
            self._words = self.routes.words(self, self.game, self.explaining.here(self.game))
            self.push(self._words)

    def hush(self) -> None:
        """Sounds on or off."""
        self.preferences.quiet = not self.preferences.quiet
        self.say("Sounds are off." if self.preferences.quiet else "Sounds are on.")
        self.renew()

    def keep_picture(self) -> None:
        """Write a picture of the window among the player's pictures, and say where."""
        folder = place("pictures")
        if folder is None:
            self.say("No picture was kept: this window keeps no files.")
            return
        self._noticed = 0.0
        self._lay()
        self._draw(0.0)  # without what was said of the picture before
        try:
            path = save(self.surface, numbered(made(folder), "flicksim", ".png"))
        except FlicksimError as wrong:
            self.say(f"No picture was kept: {wrong}.")
            return
        self.say(f"A picture of the window is kept as {path}.")

    def _lay(self) -> None:
        """Lay out anew when the window or the screens have changed."""
        if self._laid != self.size:
            self._laid, self.below = self.size, None
            for screen in self.screens:
                self.lay(screen)


def _rest() -> None:
    """Wait until something is done, or a frame is due though nothing moves."""
    until = pygame.time.get_ticks() + round(1000.0 * _STILL)
    while pygame.time.get_ticks() < until and not pygame.event.peek():
        pygame.time.wait(_LOOK)
