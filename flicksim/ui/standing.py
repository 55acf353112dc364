"""Who plays and how it stands, in words: read from a match without knowing its game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flicksim.play import Match, Turn
from flicksim.players import GRADES, RandomPlayer
from flicksim.table import Flick


def who(match: Match, seat: int) -> str:
    """Who sits there: "you", "random", "bot, club"."""
    player = match.players[seat]
    if player is None:
        return "human"
    if isinstance(player, RandomPlayer):
        return "random"
    grade = next((name for name, hand in GRADES.items() if hand == match.hands[seat]), "")
    return f"bot, {grade}" if grade else "bot"


def name(match: Match, seat: int) -> str:
    """What a seat is called."""
    names = match.game.seat_names
    return names[seat] if seat < len(names) else f"Seat {seat + 1}"


def stretch(state: object, options: object) -> str:
    """Which part of the game is on: "End 2 of 6"; empty when the game has no such parts."""
    end, ends = getattr(state, "end", None), getattr(options, "ends", None)
    if not isinstance(end, int):
        return ""
    return f"End {min(end, ends) if ends else end} of {ends}" if isinstance(ends, int) and end <= ends else f"End {end}"


def in_hand(state: object, seat: int) -> int | None:
    """How many pieces a seat has not yet played; None when the game does not count them."""
    left = getattr(state, "left", None)
    if isinstance(left, Sequence) and seat < len(left) and isinstance(left[seat], int):
        return left[seat]
    return None


def number(points: Fraction) -> str:
    """Points as people write them: "3", "2 1/3"."""
    whole, rest = divmod(points, 1)
    if not rest:
        return str(whole)
    return f"{whole} {rest}" if whole else str(rest)


def summary(match: Match, turn: Turn) -> str:
    """One line about a turn."""
    gained = [f"{name(match, s)} +{number(p)}" for s, p in enumerate(turn.verdict.ruling.points) if p]
    if gained:
        what = ", ".join(gained)
    elif isinstance(turn.made, Flick):
        what = f"{turn.made.piece} at {turn.made.speed:.2f} m/s"
        if len(turn.verdict.reasons) > 1:
            what += ", " + turn.verdict.reasons[0].says.rstrip(".")
    else:
        what = turn.verdict.reasons[0].says if turn.verdict.reasons else ""
    return f"{turn.number}. {name(match, turn.seat)}: {what}"


@dataclass(frozen=True, slots=True)
class Row:
    """Points gained in one part of the game, by seat."""

    label: str
    points: tuple[Fraction, ...]


def table(match: Match) -> list[Row]:
    """Points part by part (ends, where the game has them; else every turn that gave any)."""
    found: dict[str, list[Fraction]] = {}
    for turn in match.turns:
        end = getattr(turn.before, "end", None)
        gained = turn.verdict.ruling.points
        label = f"End {end}" if isinstance(end, int) else f"Turn {turn.number}"
        if not any(gained) and not isinstance(end, int):
            continue
        sums = found.setdefault(label, [Fraction(0)] * len(gained))
        found[label] = [a + b for a, b in zip(sums, gained, strict=True)]
    return [Row(label, tuple(points)) for label, points in found.items()]


def result(match: Match) -> str:
    """Who has won."""
    best = match.winners
    if not best:
        return "The game is not over."
    if len(best) == 1:
        return f"{name(match, best[0])} wins"
    if len(best) == len(match.players):
        return "A draw"
    return " and ".join(name(match, seat) for seat in best) + " share the win"
