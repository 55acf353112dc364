"""Tries at a challenge: the table laid, a bot's hand at it, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.base.codec import Value
from flicksim.base.errors import FlicksimError
from flicksim.challenges.shelf import Posed
from flicksim.play import Match, Seating, Turn, open_match
from flicksim.referee import Came


class Outcome(Value, frozen=True, kw_only=True):
    """Result of some tries at a challenge.

    Args:
        challenge: its name. tries: how many. done: whether the last did it. stars: for it. measure: of the last, in
            `unit`. says: in a sentence. shots: turns of the last try.
    """

    challenge: str
    tries: int
    done: bool
    stars: int
    measure: float | None = None
    unit: str = ""
    says: str = ""
    shots: int = 0


def laid(posed: Posed, who: Seating = "human", seed: int = 0) -> Match:
    """The table of a challenge, one player at all its seats."""
    challenge = posed.challenge
    match = open_match(posed.game, challenge.options, [who] * challenge.seats, seed)
    match.set_up(challenge.begin())
    return match


def stood(posed: Posed, turns: Sequence[Turn]) -> Came:
    """State of a try after these turns."""
    return posed.challenge.judge(turns)


def tried(posed: Posed, who: str, seed: int, tries: int = 1) -> Outcome:
    """Try with a bot's hand until it is done, or so many times.

    Args:
        who: the bot, as "bot:club". seed: of all chance.

    Raises:
        FlicksimError: nobody can sit there.
    """
    came, match, count = Came(), None, 0
    for count in range(1, tries + 1):
        match = laid(posed, who, seed + count - 1)
        came = _attempted(posed, match)
        if came.done:
            break
    return Outcome(
        challenge=posed.name, tries=count, done=came.done, stars=posed.challenge.stars(came, count),
        measure=came.measure, unit=posed.challenge.unit, says=came.says, shots=len(match.turns) if match else 0,
    )  # fmt: skip


def _attempted(posed: Posed, match: Match) -> Came:
    """Play a try to its end."""
    challenge, came = posed.challenge, Came()
    while not came.ended and not match.over:
        if challenge.plan is None:
            match.play(match.ask())
        else:
            dice = match.seeds.child("plan", len(match.turns)).generator()
            match.play(challenge.plan(match.state, dice))
        came = stood(posed, match.turns)
    if not match.turns:
        raise FlicksimError(f"{posed.name!r} cannot be tried: nobody is to play there")
    return came
