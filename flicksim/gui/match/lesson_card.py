"""Lesson card: the steps of a lesson, one after another."""

from collections.abc import Sequence
from secrets import randbelow

import pygame

from flicksim.gui.app import ActivityCard, App, Lesson, Overlay
from flicksim.gui.match.match_screen import piece_positions_below
from flicksim.gui.match.start_match import FIRST_OPPONENT, open_activity, quick_seats, start_match
from flicksim.gui.toolkit import Button, Canvas, Form, palette
from flicksim.match import Turn, open_match, parse_seat
from flicksim.referee import Game

_PRAISE_TIME = 1.0
"""Time for which the praise of a completed step is shown, beside a second for 60 letters [s]."""
_VIEWING_TIME = 1.2
"""Time before the table is set up again [s]."""


class LessonCard(ActivityCard):
    """Card of a running lesson."""

    def __init__(self, app: App, game: Game, lesson: Lesson) -> None:
        super().__init__()
        self.app, self.game, self.lesson = app, game, lesson
        self.step_index = 0
        self._turns_before = 0
        self._turns: Sequence[Turn] = ()
        self._praise_elapsed = self._idle_time = 0.0
        self._is_idle_table = False
        self._players: Sequence[object] = ()

    def start(self, index: int = 0) -> None:
        """Begin a step, the first by default."""
        step = self.lesson.steps[index]
        self.step_index, self.is_done, self._praise_elapsed, self._idle_time = index, False, 0.0, 0.0
        self.title = f"{self.game.title}: {index + 1} of {len(self.lesson.steps)}"
        self.text = step.text
        self.note = "PgDn goes on to the next step, Esc leaves. L in the main menu brings the lesson back."
        self._turns_before = len(self._turns)
        if step.has_table:
            self._set_up(index)

    def _set_up(self, index: int) -> None:
        """Set up a new table for a step, replacing the last one."""
        self._turns, self._turns_before, self._idle_time = (), 0, 0.0
        step = self.lesson.steps[index]
        match, self.hint_policy = step.make_match(randbelow(10**9)), step.hint_policy
        self.replaces_table, self._players = bool(self._players), match.players
        open_activity(self.app, match, self)

    def on_turns(self, turns: Sequence[Turn], *, is_idle: bool) -> None:
        """Check if the last turn completes the step."""
        self._turns, self._is_idle_table = turns, is_idle
        own = [turn for turn in turns[self._turns_before :] if self._players[turn.seat] is None]
        step = self.lesson.steps[self.step_index]
        if self.is_done or not is_idle or not own:
            return
        if self.lesson.is_done(step, own):
            self.is_done, self.text, self.note = True, step.praise, ""  # it goes on by itself
            self.app.sounds.play("chime")
        elif feedback := step.feedback(own):
            self.note = f"Not yet: {feedback}"

    def update(self, dt: float) -> None:
        """Show praise for a while, then go on; set up a table again once the turn has passed or the game is over."""
        if self.is_done:
            self._praise_elapsed += dt
            if self._praise_elapsed > _PRAISE_TIME + len(self.text) / 60.0 and self._is_idle_table:
                self.next_step()
            return
        step = self.lesson.steps[self.step_index]
        has_passed = bool(self._turns) and self.game.rules.to_play(self._turns[-1].after) != self._turns[0].seat
        is_exhausted = has_passed and self.game.uses_physics and self._is_idle_table
        self._idle_time = self._idle_time + dt if is_exhausted and step.has_table else 0.0
        if self._idle_time > _VIEWING_TIME:
            self.text = f"Once more. {step.text}"
            self._set_up(self.step_index)

    def next_step(self) -> None:
        """Go to the next step; after the last, show the summary."""
        if self.step_index + 1 < len(self.lesson.steps):
            self.start(self.step_index + 1)
            return
        self.app.player.record_lesson(self.game.name)
        self.app.push(LessonEndScreen(self.app, self))
        self.is_done, self._praise_elapsed = False, -1e9

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key: Page down skips a step."""
        if event.key == pygame.K_PAGEDOWN:
            self.next_step()
            return True
        return False

    def play_beginner(self) -> None:
        """Start a game against a beginner bot that waits."""
        seats = quick_seats(self.game, FIRST_OPPONENT)
        match = open_match(self.game, self.game.options(), [parse_seat(seat) for seat in seats], randbelow(10**9))
        start_match(self.app, match, seats, bots_wait=True)

    def on_escape(self) -> None:
        self.app.show_main_menu()


def start_lesson(app: App, game: Game, lesson: Lesson) -> None:
    """Start the lesson of a game from the main menu."""
    app.show_main_menu()
    LessonCard(app, game, lesson).start()


class LessonEndScreen(Overlay):
    """Screen at the end of a lesson: a summary, and a first game."""

    STATUS = "Enter plays   ·   R the lesson again   ·   Esc main menu"
    BUTTON_STACK = (300, 38, 44, 14)

    def __init__(self, app: App, lesson_card: LessonCard) -> None:
        super().__init__(app, 500, 320)
        self._lesson_card = lesson_card
        self.form = Form([
            Button("Play against a beginner", lesson_card.play_beginner, key="Enter", is_primary=True),
            Button("The lesson again", self.closing(lesson_card.start), key="R"),
            Button("Main menu", app.show_main_menu, key="Esc"),
        ])  # fmt: skip

    def layout(self, size: tuple[int, int], scale: float) -> None:
        super().layout(size, scale)
        self.avoid_points(piece_positions_below(self))

    def draw(self, canvas: Canvas) -> None:
        super().draw(canvas)
        area = self.rect.inflate(-canvas.px(60), -canvas.px(40))
        y = canvas.text("That is all you need", (self.rect.centerx, area.y), 24, palette.GOOD, bold=True,
                        anchor="midtop").bottom + canvas.px(8)  # fmt: skip
        canvas.paragraph(self._lesson_card.lesson.summary, pygame.Rect(area.x, y, area.w, area.bottom - y), 16)
