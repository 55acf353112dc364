"""Lesson of a game: steps with a sentence, a position, and a condition that recognises when each is done."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flicksim import games
from flicksim.challenges import attempt_status, find_challenge, start_attempt
from flicksim.core.serialization import Value
from flicksim.match import Match, Turn, open_match, parse_seat

Condition = Callable[[Sequence[Turn]], bool]
"""True if turns achieve a step of a lesson."""
_SOLVED = "solved"


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
    def has_table(self) -> bool:
        """True if the step has a position of its own."""
        return bool(self.game or self.challenge)

    def make_match(self) -> Match:
        """Match of a step with a table: at the position of the challenge, or against the fewest beginner bots, with
        default options and a fixed seed."""
        if not self.game:
            return start_attempt(find_challenge(self.challenge))
        game = games.load(self.game)
        seats = ["human", *["bot:beginner"] * max(1, game.seats[0] - 1)]
        return open_match(game, game.options(), [parse_seat(seat) for seat in seats], 4)

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
