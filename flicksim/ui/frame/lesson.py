"""A playable lesson: a few steps, each a sentence and a thing to do, recognised by what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flicksim.challenges import find, laid, stood
from flicksim.play import Match, Turn, open_match, parse_seat
from flicksim.referee import Game


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a lesson.

    Args:
        says: what to do, and why. done: whether these turns of the person, made since it began, did it.
        praise: said then. lays: a table of its own; None: it goes on where the step before ended.
        told: what came of turns that did not do it, in a sentence; empty where there is nothing to say.
    """

    says: str
    done: Callable[[Sequence[Turn]], bool]
    praise: str
    lays: Callable[[], Match] | None = None
    told: Callable[[Sequence[Turn]], str] = lambda _: ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson of about a minute and a half.

    Args:
        steps: in order; the first has a table. ends: what to remember, said at the end.
    """

    steps: tuple[Step, ...]
    ends: str


def at(challenge: str) -> Callable[[], Match]:
    """The table of a challenge."""
    return lambda: laid(find(challenge))


def reached(challenge: str) -> Callable[[Sequence[Turn]], bool]:
    """True of turns that do a challenge."""
    return lambda turns: stood(find(challenge), turns).done


def came(challenge: str) -> Callable[[Sequence[Turn]], str]:
    """Say what came of turns at a challenge."""
    return lambda turns: stood(find(challenge), turns).says


def made(*kinds: type) -> Callable[[Sequence[Turn]], bool]:
    """True of turns with an action of one of these kinds among them."""
    return lambda turns: any(isinstance(turn.made, kinds) for turn in turns)


def against(game: Game) -> Callable[[], Match]:
    """A game against as few beginners as make one, by usual rules, the same every time."""
    words = ["human", *["bot:beginner"] * max(1, game.seats[0] - 1)]
    return lambda: open_match(game, game.options(), [parse_seat(word) for word in words], 4)
