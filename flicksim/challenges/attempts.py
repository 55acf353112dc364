"""Attempts at a challenge by a bot, and their results."""

from collections.abc import Sequence

import msgspec

from flicksim.challenges.registry import ChallengeEntry
from flicksim.core.errors import FlicksimError
from flicksim.core.serialization import Value
from flicksim.match import Match, SeatLike, Turn, open_match
from flicksim.referee import AttemptStatus


class AttemptResult(Value, frozen=True, kw_only=True):
    """Result of one or more attempts at a challenge.

    Args:
        challenge: its name. tries: number of attempts. done: whether the last one solved it. stars: stars earned.
        measure: measure of the last attempt, in `unit`. text: its status in a sentence. shots: its number of turns.
    """

    challenge: str
    tries: int
    done: bool
    stars: int
    measure: float | None = None
    unit: str = ""
    text: str = msgspec.field(default="", name="says")
    shots: int = 0


def start_attempt(entry: ChallengeEntry, player: SeatLike = "human", seed: int = 0) -> Match:
    """Start an attempt: a match at the position of the challenge, with one player at all seats, or at the one to play
    where the challenge has an opponent."""
    challenge, state = entry.challenge, entry.challenge.initial_state()
    own = entry.game.rules.to_play(state)
    players = [player if seat == own else challenge.opponent or player for seat in range(challenge.seats)]
    match = open_match(entry.game, challenge.options, players, seed)
    match.set_opening(state)
    return match


def attempt_status(entry: ChallengeEntry, turns: Sequence[Turn]) -> AttemptStatus:
    """Status of an attempt after these turns."""
    return entry.challenge.judge(turns)


def run_attempts(entry: ChallengeEntry, player: str, seed: int, max_attempts: int = 1) -> AttemptResult:
    """Let a bot attempt a challenge until it is solved, at most `max_attempts` times.

    Args:
        player: the bot, as "bot:club". seed: seed of the first attempt; later ones count up.

    Raises:
        FlicksimError: the challenge has no turn to play.
    """
    status, match, count = AttemptStatus(), None, 0
    for count in range(1, max_attempts + 1):
        match = start_attempt(entry, player, seed + count - 1)
        status = _play_attempt(entry, match)
        if status.is_solved:
            break
    return AttemptResult(
        challenge=entry.name, tries=count, done=status.is_solved, stars=entry.challenge.stars(status, count),
        measure=status.measure, unit=entry.challenge.unit, text=status.text, shots=len(match.turns) if match else 0,
    )  # fmt: skip


def _play_attempt(entry: ChallengeEntry, match: Match) -> AttemptStatus:
    """Play one attempt to its end."""
    challenge, status = entry.challenge, AttemptStatus()
    while not status.is_over and not match.is_over:
        if challenge.policy is None:
            match.play(match.ask_player())
        else:
            rng = match.streams.spawn("plan", len(match.turns)).generator()
            match.play(challenge.policy(match.state, rng))
        status = attempt_status(entry, match.turns)
    if not match.turns:
        raise FlicksimError(f"{entry.name!r} cannot be tried: nobody is to play there")
    return status
