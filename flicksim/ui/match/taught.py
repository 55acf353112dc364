"""A lesson on the table: its steps on a card, one after another; leaving it in the middle loses nothing."""

from __future__ import annotations

from collections.abc import Sequence
from secrets import randbelow

import pygame

from flicksim.play import Turn, open_match, parse_seat
from flicksim.referee import Game
from flicksim.ui.frame.app import App
from flicksim.ui.frame.beside import Beside
from flicksim.ui.frame.lesson import Lesson
from flicksim.ui.frame.overlay import Overlay
from flicksim.ui.frame.sitting import Sitting
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.widgets import Button
from flicksim.ui.match.at_table import lying_under
from flicksim.ui.match.starting import FIRST, alone, begin, quick_seats

_PRAISED = 2.2
"""Time that a step that was done is praised [s]."""
_LOOK = 1.2
"""Time that the table is left to be seen before it is laid again [s]."""


class Teaching(Beside):
    """A lesson under way.

    Args:
        game: whose.
    """

    def __init__(self, app: App, game: Game, lesson: Lesson) -> None:
        super().__init__()
        self.app, self.game, self.lesson = app, game, lesson
        self.at = 0
        self._before = 0
        self._turns: Sequence[Turn] = ()
        self._praised = self._over = 0.0
        self._quiet = False
        self._players: Sequence[object] = ()

    def begin(self) -> None:
        """Lay the table of the first step."""
        self._step(0)

    def _step(self, number: int) -> None:
        """Turn to a step."""
        step = self.lesson.steps[number]
        self.at, self.done, self._praised, self._over = number, False, 0.0, 0.0
        self.head = f"{self.game.title}: {number + 1} of {len(self.lesson.steps)}"
        self.says = step.says
        self.note = "PgDn goes on to the next step, Esc leaves. L at the front door brings the lesson back."
        self._before = len(self._turns)
        if step.lays is not None:
            self._lay(number)

    def _lay(self, number: int) -> None:
        """A fresh table for a step, over none that is left open."""
        lays = self.lesson.steps[number].lays
        assert lays is not None
        self._turns, self._before, self._over = (), 0, 0.0
        match = lays()
        match.people = alone(match, self.app.player.name)
        self._players = match.players
        if self.app.screens and self.app.top.beside is self:
            self.app.pop()
        self.app.push(self.app.routes.play(self.app, Sitting(match, None, None, beside=self)))

    def seen(self, turns: Sequence[Turn], *, quiet: bool) -> None:
        """See whether what happened is what the step asks for."""
        self._turns, self._quiet = turns, quiet
        own = [turn for turn in turns[self._before :] if self._players[turn.seat] is None]
        step = self.lesson.steps[self.at]
        if self.done or not quiet or not own:
            return
        if step.done(own):
            self.done, self.says = True, step.praise
            self.app.sounds.play("chime")
        elif told := step.told(own):
            self.note = f"Not yet: {told}"

    def advance(self, dt: float) -> None:
        """Praise a while, then go on; lay the table again where nothing more can be done on it."""
        if self.done:
            self._praised += dt
            if self._praised > _PRAISED and self._quiet:
                self.next()
            return
        step = self.lesson.steps[self.at]
        spent = bool(self._turns) and self._quiet and step.lays is not None and self._idle()
        self._over = self._over + dt if spent else 0.0
        if self._over > _LOOK:
            self.says = f"Once more. {step.says}"
            self._lay(self.at)

    def _idle(self) -> bool:
        """True where the shots of the table have been made: the turn has passed, or the game is over."""
        first, after = self._turns[0].seat, self._turns[-1].after
        return bool(self.game.flicked) and self.game.rules.to_play(after) != first

    def next(self) -> None:
        """Go on to the next step; after the last, say what to remember."""
        if self.at + 1 < len(self.lesson.steps):
            self._step(self.at + 1)
            return
        self.app.player.taught(self.game.name)
        self.app.push(TaughtScreen(self.app, self))
        self.done, self._praised = False, -1e9

    def key(self, event: pygame.event.Event) -> bool:
        """Page down skips a step."""
        if event.key == pygame.K_PAGEDOWN:
            self.next()
            return True
        return False

    def play(self) -> None:
        """A game against a beginner who waits."""
        words = quick_seats(self.game, FIRST)
        match = open_match(self.game, self.game.options(), [parse_seat(word) for word in words], randbelow(10**9))
        begin(self.app, match, words, patient=True)

    def leave(self) -> None:
        """Back to the front door."""
        self.app.home()


def taught(app: App, game: Game, lesson: Lesson) -> None:
    """Begin the lesson of a game, over nothing but the front door."""
    app.home()
    Teaching(app, game, lesson).begin()


class TaughtScreen(Overlay):
    """The end of a lesson: what to remember, and a first game."""

    def __init__(self, app: App, teaching: Teaching) -> None:
        super().__init__(app, 500, 320)
        self._teaching = teaching
        self.form = Form([
            Button("Play against a beginner", teaching.play, key="Enter", main=True),
            Button("The lesson again", self._again, key="R"), Button("Front door", app.home, key="Esc"),
        ])  # fmt: skip

    def _again(self) -> None:
        self.app.pop()
        self._teaching.begin()

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        return "Enter plays   ·   R the lesson again   ·   Esc front door"

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The buttons at the foot."""
        super().layout(size, scale)
        self.stand_clear(lying_under(self))
        self.stack(300, 38, 44, 14)

    def draw(self, canvas: Canvas) -> None:
        """Draw what to remember."""
        super().draw(canvas)
        room = self.rect.inflate(-canvas.px(60), -canvas.px(40))
        y = canvas.text("That is all you need", (self.rect.centerx, room.y), 24, palette.GOOD, bold=True,
                        anchor="midtop").bottom + canvas.px(8)  # fmt: skip
        canvas.paragraph(self._teaching.lesson.ends, pygame.Rect(room.x, y, room.w, room.bottom - y), 16)
