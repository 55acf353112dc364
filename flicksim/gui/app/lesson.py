"""Lesson model: steps with a sentence, and a predicate that recognises when each is done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flicksim.challenges import attempt_status, find_challenge, start_attempt
from flicksim.match import Match, Turn, open_match, parse_seat
from flicksim.referee import Game


@dataclass(frozen=True, slots=True)
class LessonStep:
    """Step of a lesson.

    Args:
        text: what to do, and why. is_done: True if these turns of the person, made since the step began, achieve it.
        praise: shown then. make_match: the step's own position; None: it continues where the step before ended.
        feedback: a sentence on the outcome of turns that did not achieve it; empty for none.
    """

    text: str
    is_done: Callable[[Sequence[Turn]], bool]
    praise: str
    make_match: Callable[[], Match] | None = None
    feedback: Callable[[Sequence[Turn]], str] = lambda _: ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Lesson of about 90 seconds.

    Args:
        steps: in order; the first has a position of its own. summary: what to remember, shown at the end.
    """

    steps: tuple[LessonStep, ...]
    summary: str


def challenge_match(challenge: str) -> Callable[[], Match]:
    """Match at the initial position of a challenge."""
    return lambda: start_attempt(find_challenge(challenge))


def challenge_solved(challenge: str) -> Callable[[Sequence[Turn]], bool]:
    """Predicate that is true of turns that solve a challenge."""
    return lambda turns: attempt_status(find_challenge(challenge), turns).is_solved


def challenge_feedback(challenge: str) -> Callable[[Sequence[Turn]], str]:
    """Function that describes the result of turns at a challenge."""
    return lambda turns: attempt_status(find_challenge(challenge), turns).text


def action_made(*kinds: type) -> Callable[[Sequence[Turn]], bool]:
    """Predicate that is true of turns that contain an action of one of these types."""
    return lambda turns: any(isinstance(turn.made, kinds) for turn in turns)


def beginner_match(game: Game) -> Callable[[], Match]:
    """Match against the fewest beginner bots, with default options and a fixed seed."""
    seats = ["human", *["bot:beginner"] * max(1, game.seats[0] - 1)]
    return lambda: open_match(game, game.options(), [parse_seat(seat) for seat in seats], 4)
