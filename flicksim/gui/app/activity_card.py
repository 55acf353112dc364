"""Activities at a table: the floating card of a challenge or lesson, and the steps of a lesson."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pygame

from flicksim import games
from flicksim.challenges import attempt_status, find_challenge, start_attempt
from flicksim.core.serialization import Value
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import Match, Turn, open_match, parse_seat
from flicksim.referee import Challenge, Policy

_WIDTH, _PADDING = 460.0, 12.0
"""Greatest width of a card, and its margin [units]."""
_SMALLER = (0.0, 1.0, 2.0)
"""Reductions of the letters that are tried where the area is too low [units]."""


class ActivityCard:
    """Base class of cards beside a match, notified of every turn shown and of Esc."""

    title, text, note = "", "", ""
    """Texts on the card: title, description, and a smaller line."""
    feedback = ""
    """Feedback on the last flick; it outlasts a new table."""
    allows_hints = True
    """True if the table may give hints while the card is shown."""
    hint_policy: Policy | None = None
    """Choice that hints give in place of a club player's, where he would not aim at the goal of the card."""
    target = ""
    """Id of the piece at which the first aim is set; empty: the table's own first aim."""
    shown_puzzle: Challenge | None = None
    """Puzzle whose solution is demonstrated at the table; None without one."""
    replaces_table = False
    """True if the table has been put by itself in the place of another, so that a key may still be meant for that."""
    is_done = False
    """True while the card shows that a step is completed."""

    def __init__(self) -> None:
        self._area = pygame.Rect(0, 0, 1, 1)
        self.rect = pygame.Rect(0, 0, 0, 0)

    def on_turns(self, turns: Sequence[Turn], *, is_idle: bool) -> None:
        """Handle turns that have been shown; `is_idle`: nothing is being simulated or shown now."""

    def update(self, dt: float) -> None:
        """Advance time [s]."""

    def on_demo_shown(self) -> None:
        """Handle the start of the demonstration shot."""

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key before the table does; return True if it was used."""
        del event
        return False

    def on_escape(self) -> None:
        """Handle Esc where the table does not use it."""

    def on_window_closed(self) -> None:
        """Handle the end of the window."""

    def set_area(self, area: pygame.Rect) -> None:
        """Set the area of the window that holds the card."""
        self._area = area

    def draw(self, canvas: Canvas) -> None:
        """Draw the card, as high as its text needs."""
        pad = canvas.px(_PADDING)
        width = min(canvas.px(_WIDTH), self._area.w)
        text_width, edge = width - 2 * pad, palette.GOOD if self.is_done else palette.ACCENT
        muted = palette.MUTED_TEXT
        texts = ((self.title, 15, edge, True), (self.text, 15, palette.TEXT, False), (self.note, 13, muted, False))
        for smaller in _SMALLER:
            lines = [
                (line, size - smaller, colour, bold)
                for text, size, colour, bold in texts
                for line in (canvas.wrap(text, text_width, size - smaller, bold=bold) if text else ())
            ]
            height = sum(canvas.line_height(size) for _, size, *_ in lines) + 2 * pad
            if height + pad <= self._area.h:
                break
        self.rect = pygame.Rect(self._area.right - width, self._area.bottom - height - pad, width, height)
        canvas.translucent_rect(self.rect.move(0, canvas.px(3)), palette.OVERLAY_SHADE, 90)
        canvas.box(self.rect, palette.PANEL, 10, edge)
        x, y = self.rect.x + pad, self.rect.y + pad
        for line, size, colour, bold in lines:
            canvas.text(line, (x, y), size, colour, bold=bold)
            y += canvas.line_height(size)


Condition = Callable[[Sequence[Turn]], bool]
"""True if turns achieve a step of a lesson."""
_SOLVED = "solved"
_LESSON_SEED = 4
"""Seed of the deal of lessons."""


class LessonStep(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Step of a lesson.

    Args:
        text: what to do, and why. praise: shown when it is done. challenge: whose position it begins with. game: whose
            match against beginners it begins with; without either it continues where the step before ended.
            condition: name of the condition by which it is done; by default the challenge is solved.
            has_feedback: True if turns that fail are described by the challenge.
    """

    text: str
    praise: str
    challenge: str = ""
    game: str = ""
    condition: str = _SOLVED
    has_feedback: bool = False

    @property
    def hint_policy(self) -> Policy | None:
        """Policy towards the goal of the challenge; None: a club player finds it."""
        return find_challenge(self.challenge).challenge.policy if self.challenge else None

    @property
    def has_table(self) -> bool:
        """True if the step has a position of its own."""
        return bool(self.game or self.challenge)

    def make_match(self, seed: int) -> Match:
        """Match of a step with a table: at the position of the challenge with that seed, or against the fewest beginner
        bots, with default options and always the same deal, in which the person begins."""
        if not self.game:
            return start_attempt(find_challenge(self.challenge), seed=seed)
        game = games.load(self.game)
        people = [parse_seat("human")] * max(2, game.seats[0])
        first = open_match(game, game.options(), people, _LESSON_SEED).to_play
        seats = ["human" if seat == first else "bot:beginner" for seat in range(len(people))]
        return open_match(game, game.options(), [parse_seat(seat) for seat in seats], _LESSON_SEED)

    def feedback(self, turns: Sequence[Turn]) -> str:
        """Sentence on the outcome of turns that did not achieve the step; empty for none."""
        return attempt_status(find_challenge(self.challenge), turns).text if self.has_feedback else ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Lesson of about 90 seconds.

    Args:
        steps: in order; the first has a position of its own. summary: what to remember, shown at the end.
        conditions: of the steps, by name.
    """

    steps: tuple[LessonStep, ...]
    summary: str
    conditions: Mapping[str, Condition]

    def __post_init__(self) -> None:
        for step in self.steps:
            if step.condition not in (_SOLVED, *self.conditions):
                known = ", ".join((_SOLVED, *self.conditions))
                raise ValueError(f"no condition {step.condition!r} of a lesson's step; there are {known}")

    def is_done(self, step: LessonStep, turns: Sequence[Turn]) -> bool:
        """Return True if these turns of the person, made since a step began, achieve it."""
        if step.condition == _SOLVED:
            return attempt_status(find_challenge(step.challenge), turns).is_solved
        return self.conditions[step.condition](turns)


def action_made(*kinds: type) -> Condition:
    """Condition that turns contain an action of one of these types."""
    return lambda turns: any(isinstance(turn.made, kinds) for turn in turns)
