"""Challenge card: the goal, and the result after every shot of an attempt."""

import secrets
from collections.abc import Callable, Sequence
from math import cos, pi, sin

import pygame

from flicksim.challenges import ChallengeEntry, attempt_status, start_attempt
from flicksim.core.geometry import Point
from flicksim.core.units import to_degrees, to_mm
from flicksim.gui.app import ActivityCard, App, Overlay
from flicksim.gui.match.match_screen import MatchScreen, piece_positions_below
from flicksim.gui.match.start_match import open_activity
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import Button, Canvas, Form, palette
from flicksim.match import Match, Turn
from flicksim.profiles import BestAttempt
from flicksim.referee import MAX_STARS, AttemptStatus, Solution
from flicksim.scene import Launch

_VIEWING_TIME = 0.9
"""Time for which the table stays visible after an attempt [s]."""
_TEXT_GAP = 10.0
"""Gap between texts and buttons at the end of an attempt [units]."""
_INNER_RADIUS = 0.44
"""Inner radius of a star, relative to the outer one."""
NO_STARS_TEXT = "No more stars: the solution was told."
"""Reason why a puzzle earns none."""


class ChallengeCard(ActivityCard):
    """Card of a challenge: attempts, one after another.

    Args:
        entry: the challenge. on_back: shows the list again. next_challenge: starts the next one; None without one.
    """

    allows_hints = False

    def __init__(
        self,
        app: App,
        entry: ChallengeEntry,
        on_back: Callable[[], None],
        next_challenge: Callable[[], None] | None = None,
    ) -> None:
        super().__init__()
        self.app, self.entry, self._on_back, self._next_challenge = app, entry, on_back, next_challenge
        self.attempts = app.player.next_attempt(entry)
        self._elapsed, self._end_elapsed, self._is_end_shown = 0.0, 0.0, False
        self._turns: Sequence[Turn] = ()
        self.status = AttemptStatus()
        self.is_demo_played = False
        """True once the solution has been played in this attempt."""
        self.demo_counts = (0, 0)
        """Number of attempts in which the solution was played, and of those that succeeded."""
        self._is_told_now = False
        """True if the solution was told after an attempt on this card: later ones on it are not recorded."""
        self._match: Match | None = None
        self._previous_best: BestAttempt | None = None
        self.title = entry.title
        self.text = self._goal = entry.challenge.goal
        self.target = entry.challenge.target

    def start(self) -> None:
        """Set up the table for the next attempt; close the result screen of the last one."""
        self._end_elapsed, self._is_end_shown, self._turns, self.status = 0.0, False, (), AttemptStatus()
        self.is_done = self.is_demo_played = False
        self._previous_best = self.app.player.best_results().get(self.entry.name)
        if self.is_told and self.solution is not None:
            self.shown_puzzle = self.entry.challenge
            self.title = f"The solution: {self.shown_puzzle.title}"
            self._goal = f"{solution_text(self.solution)} {self.solution.description}"
        self._match = start_attempt(self.entry, seed=secrets.randbelow(10**9))
        open_activity(self.app, self._match, self, self.restart)
        if self.solution is not None:  # no other seat of a puzzle is the player's
            others = [seat for seat in range(len(self._match.players)) if seat != self._match.to_play]
            self._match.player_names |= dict.fromkeys(others, "")
        self.text = self.with_names(self._goal)

    def with_names(self, text: str) -> str:
        """Text with the name of the player in place of that of a seat with tiles or cards."""
        return text if self._match is None else match_text.ruling_text(self._match, text)

    @property
    def is_told(self) -> bool:
        """True of a puzzle whose solution the player was told before this attempt."""
        return self._previous_best is not None and self._previous_best.is_told

    @property
    def solution(self) -> Solution | None:
        """Solution of a puzzle; None for any other challenge."""
        return self.entry.challenge.solution

    def reveal_solution(self) -> None:
        """Show the solution on a new set-up of the table."""
        if self.solution is not None:
            self.app.player.record_attempt(self.entry, AttemptStatus(), self.attempts, 0, is_told=True)
            self._is_told_now = True
            self.restart()

    def show_solution(self) -> None:
        """Set up the table again and play the solution on it."""
        self.restart()
        if isinstance(self.app.top, MatchScreen):
            self.app.top.show_demo()

    def on_demo_shown(self) -> None:
        self.is_demo_played = True

    def restart(self) -> None:
        """Start another attempt; from the beginning if it was finished."""
        self.attempts = self.app.player.next_attempt(self.entry) if self.status.is_solved else self.attempts + 1
        self._elapsed = 0.0 if self.status.is_solved else self._elapsed
        while self.app.top.activity_card is not self:
            self.app.pop()
        self.start()

    def on_window_closed(self) -> None:
        """Record an attempt that is left before its end, once something was played."""
        screens = [screen for screen in self.app.screens if isinstance(screen, MatchScreen)]
        is_in_flight = any(one.activity_card is self and one.controller.is_playing_turn for one in screens)
        turns = () if self._match is None else self._match.turns
        if (turns or is_in_flight) and not self._is_end_shown:
            status = attempt_status(self.entry, turns) if turns else AttemptStatus()
            self._record(status if status.is_over else AttemptStatus())

    def on_escape(self) -> None:
        self.on_window_closed()
        while self.app.top.activity_card is not self:
            self.app.pop()
        self.app.pop()
        self._on_back()

    def next_challenge(self) -> None:
        """Start the next challenge."""
        self.on_escape()
        if self._next_challenge is not None:
            self._next_challenge()

    # -- progress -------------------------------------------------------------------------------------------------

    def on_turns(self, turns: Sequence[Turn], *, is_idle: bool) -> None:
        """Evaluate new turns; end the attempt when it is over."""
        if len(turns) != len(self._turns):
            self._turns = tuple(turns)
            self.status = attempt_status(self.entry, self._turns) if turns else AttemptStatus()
        self.is_done = self.status.is_solved
        if not (self.status.is_over and is_idle):
            self._end_elapsed = 0.0
        elif self._end_elapsed > _VIEWING_TIME and not self._is_end_shown:
            self._is_end_shown = True
            self._finish()

    def update(self, dt: float) -> None:
        if self.status.is_over:
            self._end_elapsed += dt
        else:
            self._elapsed += dt
        has_stars = self._previous_best is not None and self._previous_best.stars > 0
        attempt_text = f"New series, try {self.attempts}" if has_stars else f"Try {self.attempts}"
        attempt_text += f"   ·   {match_text.format_clock(self._elapsed)}"
        if self.shown_puzzle is not None and self.solution is not None:
            hint = "V shows it, by such a hand. " if self.solution.grade else "V shows it. "
            text = f"{'' if self._turns else hint}{no_stars_text(self._previous_best)}"
            self.note = self.with_names(self.status.text) or text
        else:
            self.note = f"{self.with_names(self.status.text or self.entry.challenge.hint)}\n{attempt_text}"

    def _record(self, status: AttemptStatus) -> int:
        """Record the attempt, or count the demonstration. Return the stars earned."""
        stars = 0 if self.is_told else self.entry.challenge.stars(status, self.attempts)
        if self.is_demo_played:
            played, won = self.demo_counts
            self.demo_counts = (played + 1, won + status.is_solved)
        elif not self._is_told_now:
            self.app.player.record_attempt(self.entry, status, self.attempts, stars)
        return stars

    def _finish(self) -> None:
        stars = self._record(self.status)
        self.app.sounds.play("chime" if self.status.is_solved else "murmur")
        elapsed, has_next = match_text.format_clock(self._elapsed), self._next_challenge is not None
        self.app.push(ChallengeEndScreen(self.app, self, stars, self._previous_best, elapsed, has_next))


class ChallengeEndScreen(Overlay):
    """Screen at the end of an attempt: stars, the measure and the best, next steps.

    Args:
        card: card of the attempts. stars: stars earned. previous_best: the best before. elapsed: time as text.
        has_next: another challenge follows.
    """

    BUTTON_STACK = (260, 36, 42, 14)

    def __init__(
        self, app: App, card: ChallengeCard, stars: int, previous_best: BestAttempt | None, elapsed: str, has_next: bool
    ) -> None:
        super().__init__(app, 460, 0)
        self._card, self._stars, self._previous_best, self._elapsed = card, stars, previous_best, elapsed
        is_solved = card.status.is_solved
        retry = Button("Again" if is_solved else "Try again", card.restart, key="R", is_primary=not is_solved)
        self._next = [Button("Next challenge", card.next_challenge, key="N", is_primary=is_solved)] if has_next else []
        buttons = [*self._next, retry] if is_solved else [retry, *self._next]
        if card.shown_puzzle is not None:
            buttons.insert(1, Button("Show the solution again", card.show_solution, key="V"))
        elif card.solution is not None:
            most = max(stars, previous_best.stars if previous_best is not None else 0)
            label = {0: "Solution, then no stars", MAX_STARS: "Solution"}.get(most, "Solution, then no more stars")
            buttons.append(Button(label, card.reveal_solution, key="S"))
        # no initial focus: a late Space must not start another attempt
        self.form = Form([*buttons, Button("All challenges", card.on_escape, key="Esc")], None)

    def status_line(self) -> str:
        is_told = self._card.shown_puzzle is not None
        items = ["N next"] * bool(self._next) + ["S solution"] * (self._card.solution is not None and not is_told)
        items += ["V shows it again"] * is_told
        return "   ·   ".join(["R again", *items, "Tab, Up Down move", "Esc all"])

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Make the box as high as its text and buttons, where it covers the fewest pieces."""
        canvas = Canvas.measuring(scale)
        text_height = self._draw_result(canvas, pygame.Rect(0, 0, min(canvas.px(self._width), size[0] - 16), 0))
        _, _, step, margin = self.BUTTON_STACK
        self._height = text_height / scale + _TEXT_GAP + len(self.form.widgets) * step + margin
        super().layout(size, scale)
        self.avoid_points(piece_positions_below(self))

    def draw(self, canvas: Canvas) -> None:
        super().draw(canvas)
        self._draw_result(canvas, self.rect)

    def _draw_result(self, canvas: Canvas, rect: pygame.Rect) -> int:
        """Draw title, stars and texts from the top of a box. Return their lower end [pixels]."""
        status, x, y = self._card.status, rect.centerx, rect.y + canvas.px(18)
        is_demo, has_demo = self._card.is_demo_played, self._card.shown_puzzle is not None
        title = "Done!" if status.is_solved else "Not this time"
        if is_demo:
            title = "Shown: it wins" if status.is_solved else "Shown: not this time"
        colour = palette.GOOD if status.is_solved else palette.TEXT
        y = canvas.text(title, (x, y), 26, colour, bold=True, anchor="midtop").bottom
        if not has_demo:
            draw_stars(canvas, (x, y + canvas.px(26)), canvas.px(15), self._stars, MAX_STARS)
        y += canvas.px(10 if has_demo else 52)
        for text, is_muted in ((status.text, False), *((text, True) for text in self._lines())):
            for line in canvas.wrap(self._card.with_names(text), rect.w - canvas.px(40), 15) if text else ():
                colour = palette.MUTED_TEXT if is_muted else palette.TEXT
                y = canvas.text(line, (x, y), 15, colour, anchor="midtop").bottom + canvas.px(2)
        return y

    def _lines(self) -> tuple[str, ...]:
        """Smaller lines: tries, time and previous best; of a revealed puzzle, the results of its demonstrations."""
        card = self._card
        if card.shown_puzzle is None:
            attempts_text = "1 try" if card.attempts == 1 else f"{card.attempts} tries"
            idea = card.solution.idea if card.solution is not None and card.status.is_solved else ""
            return f"{attempts_text}, {self._elapsed}", self.record_text, idea
        played, won = card.demo_counts
        assert card.solution is not None
        differ = card.is_demo_played and card.solution.grade  # by the error of the hand
        shown = f"Shown so far: {won} of {played} won." if differ else ""
        return shown, card.solution.description, no_stars_text(self._previous_best)

    @property
    def record_text(self) -> str:
        """Text of the previous best, or of a new one."""
        status, challenge = self._card.status, self._card.entry.challenge
        if status.measure is None:
            return ""
        previous = self._previous_best.measure if self._previous_best is not None else None
        if challenge.is_better(status.measure, previous):
            return "Your best so far!" if status.is_solved else "Better than before." if previous is not None else ""
        return f"Your best: {self._previous_best.format_measure()}" if self._previous_best is not None else ""


def no_stars_text(best: BestAttempt | None) -> str:
    """Reason why a puzzle earns no more stars; empty if it does, or has earned all."""
    return NO_STARS_TEXT if best is not None and best.is_told and best.stars < MAX_STARS else ""


def solution_text(solution: Solution) -> str:
    """Describe the solution of a puzzle, a launch with all its numbers."""
    action = solution.action
    text = f"Best: {match_text.format_action(action)}."
    if not isinstance(action, Launch):
        return text
    height, lift = to_mm(action.height), to_mm(action.lift)
    return f"{text} {to_degrees(action.slant):.0f}° up, nail {height:.1f} mm up the base, held {lift:.0f} mm high."


def draw_stars(canvas: Canvas, center: Point, size: float, filled: int, total: int) -> None:
    """Draw stars of an outer radius [pixels] around a point: those won are filled."""
    for k in range(total):
        x = center[0] + (k - (total - 1) / 2.0) * 2.3 * size
        radii = (size, _INNER_RADIUS * size) * 5
        corners = [(x + r * sin(pi * n / 5), center[1] - r * cos(pi * n / 5)) for n, r in enumerate(radii)]
        if k < filled:
            canvas.polygon(corners, palette.HIGHLIGHT)
        else:
            canvas.polyline([*corners, corners[0]], palette.BORDER, max(1.2, size / 9.0))
