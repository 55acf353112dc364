"""Figures of a game at its end: what each seat has done with its shots, and the best of them all."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, pi, remainder

from flicksim.base.units import to_degrees
from flicksim.play import Match, Turn
from flicksim.table import Flick, Motion, Squidge, Touched
from flicksim.ui.table.moments import gap, potted, squopping

Figures = Sequence[tuple[str, tuple[str, ...]]]
"""A label, and a word for each seat."""
_NONE = "–"


def shots(match: Match, seat: int) -> list[tuple[Turn, Motion]]:
    """The shots of a seat."""
    return [(turn, turn.account) for turn in match.turns if turn.seat == seat and isinstance(turn.account, Motion)]


def figures(match: Match) -> Figures:
    """The figures of every seat; none where nothing was shot."""
    seats = range(len(match.players))
    found = [shots(match, seat) for seat in seats]
    if not any(found):
        return ()
    rows = [("Shots", tuple(str(len(own)) if own else _NONE for own in found))]
    pots = [sum(len(potted(motion)) for _, motion in own) for own in found]
    squops = [sum(len(squopping(motion)) for _, motion in own) for own in found]
    if any(motion.before.surface.pot is not None for own in found for _, motion in own):
        rows.append(("Potted, squopped", tuple(f"{a}, {b}" for a, b in zip(pots, squops, strict=True))))
    else:
        rows.append(("Touched another", tuple(_share([_touched(motion) for _, motion in own]) for own in found)))
    rows.append(("Off the aim, on average", tuple(_off([turn for turn, _ in own]) for own in found)))
    return tuple(rows)


def _touched(motion: Motion) -> bool:
    return any(isinstance(event, Touched) for event in motion.events)


def _share(found: Sequence[bool]) -> str:
    return f"{sum(found) / len(found):.0%}" if found else _NONE


def _off(turns: Sequence[Turn]) -> str:
    """Mean distance of shots from what was meant: in angle, and in strength."""
    pairs = [
        (turn.meant, turn.made)
        for turn in turns
        if isinstance(turn.meant, Flick | Squidge) and isinstance(turn.made, Flick | Squidge)
    ]
    if not pairs:
        return _NONE
    turn = sum(abs(remainder(made.azimuth - meant.azimuth, 2.0 * pi)) for meant, made in pairs) / len(pairs)
    push = sum(abs(made.speed / meant.speed - 1.0) for meant, made in pairs) / len(pairs)
    return f"{to_degrees(turn):.1f}°, {push:.1%}"


def best(match: Match) -> int | None:
    """The place in the list of the best shot: for what it won, else for how near it came; None where none was shot."""
    worth = [
        (_worth(turn.account), -place) for place, turn in enumerate(match.turns) if isinstance(turn.account, Motion)
    ]
    return -max(worth)[1] if worth else None


def _worth(motion: Motion) -> tuple[float, float]:
    """The worth of a shot: winks potted and squopped, then the way it came and how near to the white it lies."""
    won = 2.0 * len(potted(motion)) + len(squopping(motion))
    name, after = motion.flick.piece, motion.after
    if not after.has(name):
        return (won, -1.0)
    white = next((piece for piece in after.pieces if piece.kind == "white" and piece.id != name), None)
    if white is not None:
        return (won, -gap(after.piece(name), white))
    begin, end = motion.before.piece(name).at, after.piece(name).at
    return (won, hypot(end[0] - begin[0], end[1] - begin[1]) if won else -1.0)
