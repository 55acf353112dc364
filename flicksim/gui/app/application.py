"""Application: main loop, screen stack and user-interface scale."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")  # sharp letters on dense screens

import pygame

from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import Position
from flicksim.gui.app.activity_card import ActivityCard
from flicksim.gui.app.current_player import CurrentPlayer, profile_store
from flicksim.gui.app.glossary import Glossary, Tooltips
from flicksim.gui.app.match_session import MatchSession, TableBar
from flicksim.gui.app.notice import Notice
from flicksim.gui.app.pressed_keys import PressedKeys
from flicksim.gui.app.status_line import STATUS_LINE_HEIGHT, draw_status_line
from flicksim.gui.app.window import Window
from flicksim.gui.match_recorder import MatchRecorder
from flicksim.gui.toolkit import Canvas, Sounds, common_action, palette, save_png, translation
from flicksim.gui.toolkit.gamepad import EVENT_TYPES, Gamepad
from flicksim.gui.toolkit.gamepad import HELP_TEXT as PAD
from flicksim.gui.toolkit.preferences import Preferences, SettingsFile
from flicksim.gui.toolkit.user_folders import keep_file
from flicksim.match import Match, Turn
from flicksim.referee import Game

FRAME_RATE = 60
"""Frames a second."""
_IDLE_FRAME_INTERVAL = 0.1
"""Interval of frames while nothing moves [s]; background work such as compilation needs the processor more."""
_ACTIVE_TIME = 0.5
"""Time after an input during which frames are drawn at full rate [s]."""
_POLL_INTERVAL = 5
"""Interval at which the event queue is polled while idle [ms]."""
_SWITCH_INTERVAL = 0.001
"""Thread switch interval of the interpreter while the window is open [s]."""
_BACKGROUND_REFRESH = 1.0
"""Interval at which the screen below an overlay is redrawn [s]; it may show the progress of compilation."""


class Screen:
    """Base class of screens. The top of the stack receives input; below an `is_transparent` one the next screen is
    visible, dimmed if `dims_below`."""

    is_transparent = False
    dims_below = True
    activity_card: ActivityCard | None = None
    """Activity card shown over the screen."""
    bar: TableBar | None = None
    """Bar of the match, under this screen and those above it."""
    STATUS = "Tab goes through buttons and fields   ·   Enter presses   ·   Esc back"
    """Status line, where it is always the same."""
    game: Game | None = None
    """Game whose glossary is used; None for that of the screen below, or none."""
    notice_area: pygame.Rect | None = None
    """Part of the window for notices, where they cover no widget; None: above the status line."""

    def __init__(self, app: "App") -> None:
        self.app = app

    @property
    def is_animating(self) -> bool:
        """True while anything moves; otherwise few frames are drawn until the next input."""
        return False

    def card_area(self, area: pygame.Rect) -> pygame.Rect:
        """Area for a floating card, within the whole window [pixels]."""
        return area

    def status_line(self) -> str:
        """Status line at the bottom of the window: the actions available now."""
        return self.STATUS

    def shown_names(self) -> Iterable[str]:
        """Names of people that the screen shows, besides the player and friends: they are not translated."""
        return ()

    def show_help(self) -> None:
        """Open the help: by default, that of the screen below."""
        index = self.app.screens.index(self)
        if index:
            self.app.screens[index - 1].show_help()

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Lay out the screen: window size [pixels], pixels per unit."""

    def handle(self, event: pygame.event.Event) -> None:
        """Handle one event."""

    def update(self, dt: float) -> None:
        """Advance time by dt [s]."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the screen."""

    def draw_overlay(self, canvas: Canvas) -> None:
        """Draw transient effects over the screen; not while another screen is on top."""

    def closing_question(self) -> "Screen | None":
        """Make the question before the close button of the window takes effect; None: it does at once."""
        return None

    def show_turn(self, index: int, *, is_playing: bool = False) -> None:
        """Show another turn by its index, animated if possible."""

    def analyse(self) -> None:
        """Analyse the turns shown, where that is possible."""

    def close(self) -> None:
        """Release the resources of the screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routes:
    """Factories of screens that are defined in higher layers.

    Args:
        main_menu: the first screen. word_list: explanations of the terms on the screen (a game or None; the terms).
        start_lesson: begins the lesson of a game; None: it has none.
        position_editor: of a game; None: it has none.
        match_screen: of a match. replay_screen: of turns of a game (see `ReplayScreen`).
    """

    main_menu: "Callable[[App], Screen]"
    word_list: "Callable[[App, Game | None, Sequence[tuple[str, str]]], Screen]"
    match_screen: "Callable[[App, MatchSession], Screen]"
    replay_screen: "Callable[[App, Game, Sequence[Turn], Callable[[int], None] | None], Screen]"
    online: "Callable[[App], Screen]"
    start_lesson: "Callable[[App, Game], Callable[[], None] | None]" = lambda _app, _game: None
    position_editor: "Callable[[App, Game, Position | None], Screen | None]" = lambda _app, _game, _position: None


class App:
    """The window.

    Args:
        routes: to the screens. glossary: of players' terms.
        size: at first [pixels].
        make_recorder: returns the recorder of a match begun in the window; None: the window saves the
            last games itself.
        preferences: of the player; None: those saved.

    Raises:
        FlicksimError: no window can be opened here.
    """

    def __init__(
        self,
        routes: Routes,
        glossary: Glossary,
        size: tuple[int, int] = (1280, 800),
        make_recorder: Callable[[Match], MatchRecorder] | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        self._settings_file = SettingsFile()
        self.preferences, warning = (preferences, "") if preferences is not None else self._settings_file.open()
        try:
            self.window = Window(size, is_fullscreen=self.preferences.fullscreen)
        except FlicksimError:
            self._settings_file.close()
            raise
        pygame.key.set_repeat(280, 28)
        self.routes, self.glossary = routes, glossary
        self.screens: list[Screen] = []
        self.make_recorder = make_recorder
        palette.set_palette(self.preferences.palette)
        language_warning = translation.set_language(translation.preferred_language(self.preferences.language))
        self.sounds = Sounds(self.preferences)
        self.notice = Notice()
        self.player = CurrentPlayer(profile_store(), self.show_notice)
        self.gamepad = Gamepad()
        self.running = True
        self._closing_question: Screen | None = None
        if warning or language_warning:
            self.show_notice(" ".join(filter(None, (warning, language_warning, self.notice.text))))
        self._layout_key: tuple[int, int] | None = None
        self._last_activity = self._undrawn = 0.0
        """Times since the last input and since the last drawing [s]."""
        if self.preferences.fullscreen:
            self._apply_fullscreen(True)
        self._draw_name()
        self.background: pygame.Surface | None = None
        """Screens below the top one; None: redrawn in the next frame."""
        self._background_age = 0.0
        """Time since the background was drawn [s]."""
        self._pressed_keys = PressedKeys()
        self.last_studied: dict[str, tuple[Position, Sequence[Position]]] = {}
        """Last position of the position editor by game, and its undo stack."""
        self.tooltips = Tooltips(glossary)
        self._word_list: Screen | None = None
        self._global_actions: dict[str, Callable[[], None]] = {
            "full": lambda: self.set_fullscreen(not self.window.is_fullscreen),
            "sound": self.toggle_mute,
            "picture": self.save_screenshot,
            "words": self.toggle_word_list,
        }
        """Handlers of the keys that have the same action on every screen."""

    def _draw_name(self) -> None:
        """Draw the name alone, to be seen until there is a first screen: on a busy machine that takes seconds."""
        canvas = Canvas(self.surface, self.scale)
        canvas.surface.fill(palette.BACKGROUND)
        canvas.text("flicksim", canvas.surface.get_rect().center, 40, bold=True, anchor="center")
        pygame.event.pump()  # the system shows nothing of a window before that
        pygame.display.flip()

    # -- screens --------------------------------------------------------------------------------------------------

    @property
    def top(self) -> Screen:
        """Screen on top of the stack; it receives the keys."""
        return self.screens[-1]

    @property
    def game(self) -> Game | None:
        """Game shown now."""
        return next((screen.game for screen in reversed(self.screens) if screen.game is not None), None)

    def push(self, screen: Screen) -> None:
        """Push a screen onto the stack."""
        self.screens.append(screen)
        self._layout_key = None

    def pop(self) -> None:
        """Remove the top screen; close the window with the last."""
        self.screens.pop().close()
        if not self.screens:
            self.running = False
        self._layout_key = None

    def replace_all(self, *screens: Screen) -> None:
        """Replace the stack by these screens, the last on top."""
        while self.screens:
            self.screens.pop().close()
        self.screens = list(screens)
        self._layout_key = None

    def show_main_menu(self) -> None:
        """Close all screens and open the main menu."""
        self.replace_all()
        self.push(self.routes.main_menu(self))

    def quit(self) -> None:
        """Close the window after this frame."""
        self.running = False

    def _close(self) -> None:
        """Close the window, after the question of a screen; a second time, without an answer to that, at once."""
        questions = (screen.closing_question() for screen in reversed(self.screens))
        question = next((question for question in questions if question is not None), None)
        if question is None or self._closing_question in self.screens:
            self.quit()
        else:
            self._closing_question = question
            self.push(question)

    # -- main loop ------------------------------------------------------------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        """Size of the window [pixels]."""
        return self.window.size

    @property
    def surface(self) -> pygame.Surface:
        """Surface of the window."""
        return self.window.surface

    @property
    def scale(self) -> float:
        """Pixels per unit: 1 in a window of 1280 x 800, changed by the player's preference and the window size."""
        return self.window.usual_scale * min(self.preferences.scale, self.window.scale_limit)

    @property
    def bar(self) -> TableBar | None:
        """Bar of the online match that is shown; None without one."""
        return next((screen.bar for screen in reversed(self.screens) if screen.bar is not None), None)

    @property
    def screen_area(self) -> pygame.Rect:
        """Area of the screens: the window without status line and bar [pixels]."""
        w, h = self.size
        used = STATUS_LINE_HEIGHT + (TableBar.HEIGHT if self.bar is not None else 0.0)
        return pygame.Rect(0, 0, w, h - round(used * self.scale))

    def layout_screen(self, screen: Screen) -> None:
        """Lay out a screen in the present window."""
        area = self.screen_area
        screen.layout(area.size, self.scale)
        if screen.activity_card is not None:
            screen.activity_card.set_area(screen.card_area(area))

    def apply_preferences(self) -> None:
        """Apply changed preferences to everything shown, and save them."""
        palette.set_palette(self.preferences.palette)
        if warning := translation.set_language(translation.preferred_language(self.preferences.language)):
            self.show_notice(warning)
        self._layout_key = None
        if warning := self._settings_file.save(self.preferences):
            self.show_notice(warning)

    def show_notice(self, text: str) -> None:
        """Show a notice for a few seconds: over the screen on top at the end of this frame, and over no other."""
        self.notice.show(text)

    def run(self, *, frames: int | None = None, screenshot: Path | None = None) -> int:
        """Run until the window is closed, or for a number of frames; optionally save an image of the last one.

        Raises:
            InvalidFile: the picture cannot be written.
        """
        clock = pygame.time.Clock()
        frame_count = 0
        switch_interval = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_INTERVAL)  # else a bot thinking in another thread delays frames
        try:
            while self.running and (frames is None or frame_count < frames):
                self.run_frame(clock.tick(FRAME_RATE) / 1000.0)
                frame_count += 1
                if frames is None and self.is_idle:
                    _wait_for_event()
            if screenshot is not None:
                save_png(self.surface, screenshot)
        finally:
            sys.setswitchinterval(switch_interval)
            self.close()
        return 0

    def close(self) -> None:
        """Close the window and all its screens."""
        for card in {screen.activity_card for screen in self.screens if screen.activity_card is not None}:
            card.on_window_closed()
        self.replace_all()
        self.sounds.close()
        self._settings_file.close()
        pygame.display.quit()

    @property
    def is_idle(self) -> bool:
        """True while nothing is animated and there is no input."""
        is_active = self._last_activity <= _ACTIVE_TIME or self.gamepad.is_pressed
        return self.running and not is_active and not self.top.is_animating

    def run_frame(self, dt: float) -> None:
        """Process one frame: events, time, drawing."""
        self.update(dt)
        if self.running:
            self.draw()
            pygame.display.flip()

    def update(self, dt: float) -> None:
        """Process the events and the time of a frame [s]."""
        self._last_activity += dt
        self._undrawn += dt
        for event in pygame.event.get():
            self._last_activity = 0.0
            for translated in self._translate_gamepad(event):
                self._dispatch(translated)
            if not self.running:
                return
        for event in self.gamepad.repeat_events(dt):
            self._dispatch(event)
        if self.bar is not None:
            self.bar.update()
        self._layout()
        if self.top.activity_card is not None:
            self.top.activity_card.update(min(dt, 0.1))
        self.top.update(min(dt, 0.1))

    def draw(self) -> None:
        """Lay out and draw the present frame."""
        dt, self._undrawn = self._undrawn, 0.0
        self._layout()
        canvas = Canvas(self.surface, self.scale)
        self._background_age += dt
        if self.top.is_transparent and self.background is not None and self._background_age < _BACKGROUND_REFRESH:
            canvas.surface.blit(self.background, (0, 0))
        else:
            self._draw_background(canvas)
        canvas.drawn_texts = self.tooltips.drawn_texts = []
        self.top.draw(canvas)
        self.top.draw_overlay(canvas)
        if self.top.activity_card is not None:
            self.top.activity_card.draw(canvas)
        if self.bar is not None:
            self.bar.draw(canvas)
        draw_status_line(canvas, self.top.status_line())
        canvas.drawn_texts = []  # a term in a tooltip has none of its own
        self.tooltips.draw(canvas, self.game, dt)
        if self.notice.update(dt, self.top):
            self.notice.draw(canvas, self.top.notice_area or self.screen_area, self._areas_without_notice())

    def _draw_background(self, canvas: Canvas) -> None:
        """Draw the screens behind the top one: still, dimmed, and redrawn rarely."""
        canvas.surface.fill(palette.BACKGROUND)
        if not self.top.is_transparent:
            return
        first = len(self.screens) - 2
        while first > 0 and self.screens[first].is_transparent:
            first -= 1
        for screen in self.screens[first:-1]:
            screen.draw(canvas)
            if self.top.dims_below:
                canvas.translucent_rect(canvas.surface.get_rect(), palette.OVERLAY_SHADE, 150)
        self.background, self._background_age = canvas.surface.copy(), 0.0

    def _areas_without_notice(self) -> list[pygame.Rect]:
        """Rectangles of the widgets and of the activity card, which a notice does not cover [pixels]."""
        form, card = getattr(self.top, "form", None), self.top.activity_card
        widgets = [widget.rect for widget in form.widgets] if form is not None else []
        return widgets if card is None else [*widgets, card.rect]

    def _translate_gamepad(self, event: pygame.event.Event) -> Sequence[pygame.event.Event]:
        """Translate a gamepad event into key events; return any other event unchanged."""
        if event.type not in EVENT_TYPES:
            return (event,)
        if event.type == pygame.JOYDEVICEADDED:
            if self.gamepad.connect(event.device_index):
                self.show_notice(PAD)
            return ()
        if event.type == pygame.JOYDEVICEREMOVED:
            if self.gamepad.disconnect(event.instance_id):
                self.show_notice("The gamepad is gone. Nothing was flicked; keys and mouse go on.")
            # cancel a gesture in progress, as when the window loses focus
            return (pygame.event.Event(pygame.WINDOWFOCUSLOST),)
        return self.gamepad.key_events(event)

    def _dispatch(self, event: pygame.event.Event) -> None:
        self.tooltips.handle(event)
        if not self._pressed_keys.accepts(event, self.screens[-1] if self.screens else None):
            return
        match event.type:
            case pygame.QUIT:
                self._close()
                return
            case pygame.VIDEORESIZE:
                self.window.resize(event.w, event.h)
                return
            case pygame.MOUSEBUTTONDOWN if event.button == 1 and self.notice.press(event.pos):
                return  # what it covers was not meant
            case pygame.KEYDOWN if (action := common_action(event)) in self._global_actions:
                self._global_actions[action]()
                return
            case pygame.KEYDOWN if event.key == pygame.K_F1 and self.screens:
                self.top.show_help()
                return
        if self.screens:
            self._hand_to_screen(event)

    def _hand_to_screen(self, event: pygame.event.Event) -> None:
        """Hand an event to the bar, the activity card or the screen on top."""
        self._layout()
        if self.bar is not None and self.bar.handle(event):
            return
        card = self.top.activity_card
        if card is None or event.type != pygame.KEYDOWN or not card.handle_key(event):
            self.top.handle(event)

    def set_fullscreen(self, enabled: bool) -> None:
        """Switch full screen on or off, and save the choice."""
        if enabled != self.window.is_fullscreen:
            self._apply_fullscreen(enabled)
        self.preferences.fullscreen = enabled
        self.apply_preferences()

    def _apply_fullscreen(self, enabled: bool) -> None:
        if refusal := self.window.set_fullscreen(enabled):
            self.show_notice(refusal)
        self._layout_key = None

    def toggle_word_list(self) -> None:
        """Show or hide the list of terms on the screen."""
        if self.top is self._word_list:
            self.pop()
        else:
            self._word_list = self.routes.word_list(self, self.game, self.tooltips.visible_terms(self.game))
            self.push(self._word_list)

    def toggle_mute(self) -> None:
        """Switch sounds on or off."""
        self.preferences.muted = not self.preferences.muted
        self.show_notice("Sounds are off." if self.preferences.muted else "Sounds are on.")
        self.apply_preferences()

    def save_screenshot(self) -> None:
        """Save an image of the window in the player's folder, and show its path."""
        self.notice.hide()
        self.draw()  # without the notice of the last screenshot
        try:
            path = keep_file("pictures", "flicksim", ".png", lambda path: save_png(self.surface, path))
            self.show_notice(f"A picture of the window is kept as {path}.")
        except FlicksimError as error:
            self.show_notice(f"No picture was kept: {error}.")

    def _layout(self) -> None:
        """Lay out the screens again if the window or the stack has changed; set the names that they show."""
        shown = chain.from_iterable(screen.shown_names() for screen in self.screens)
        games = [screen.game for screen in self.screens if screen.game is not None and screen.game.uses_physics]
        sides = chain.from_iterable(game.seat_names for game in games)  # "Blue to play" is of the side
        names = {self.player.name, *self.player.profile.friends, *shown}
        translation.set_untranslated_names(names.difference(sides))
        if self._layout_key != self.size:
            self._layout_key, self.background = self.size, None
            for screen in self.screens:
                self.layout_screen(screen)
            if self.bar is not None:
                top, height = self.screen_area.bottom, round(TableBar.HEIGHT * self.scale)
                self.bar.set_area(pygame.Rect(0, top, self.size[0], height))


def _wait_for_event() -> None:
    """Wait for an event, or until the next idle frame."""
    until = pygame.time.get_ticks() + round(1000.0 * _IDLE_FRAME_INTERVAL)
    while pygame.time.get_ticks() < until and not pygame.event.peek():
        pygame.time.wait(_POLL_INTERVAL)
