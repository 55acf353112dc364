"""The outcomes of launches in words: a short line for lists, and the ruling on each with its ledger ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flicksim.base.units import to_degrees, to_mm
from flicksim.games.ice.state import Fate, IceRuling, Load, Wait
from flicksim.play import Turn
from flicksim.referee import Game, Reason
from flicksim.table import Kept, Landing, Landings, Launch, Pyramid

_FATES = ("ITW-5", "ITW-6b")
"""Ledger ids of the sentences that say what becomes of a missile; what follows is about pieces it knocked."""


@dataclass(frozen=True, slots=True)
class Told:
    """One missile that has come down.

    Args:
        turn: in which it did. landing: what it did. fate: what became of it. reasons: the ruling on it.
    """

    turn: Turn
    landing: Landing
    fate: Fate
    reasons: tuple[Reason, ...]

    @property
    def seat(self) -> int:
        """Seat of the missile."""
        return self.fate.seat


def told(turn: Turn) -> list[Told]:
    """Every missile that came down in a turn, in order."""
    ruling, account = turn.verdict.ruling, turn.account
    if not isinstance(ruling, IceRuling) or not isinstance(account, Landings):
        return []
    groups: list[list[Reason]] = []
    for reason in turn.verdict.reasons:
        if reason.rule.startswith(_FATES):
            groups.append([reason])
        elif reason.rule == "ITW-6c" and groups:
            groups[-1].append(reason)
    return [
        Told(turn, landing, fate, tuple(group))
        for landing, fate, group in zip(account.landings, ruling.fates, groups, strict=True)
    ]


def came(one: Told) -> str:
    """The outcome of a launch, in a few words: "Red medium: stands on another"."""
    landing = one.landing
    found = [ended(one)]
    before = {piece.id: piece for piece in landing.before.pieces}
    after = {piece.id: piece for piece in landing.after.pieces}
    fallen = sum(1 for name, piece in before.items() if piece.standing and name in after and not after[name].standing)
    gone = sum(1 for name in before if name not in after)
    if fallen:
        found.append(f"topples {fallen}")
    if gone:
        found.append(f"knocks {gone} off the table")
    return ", ".join(found)


def ended(one: Told) -> str:
    """The end of a missile itself, in words."""
    missile = one.landing.missile
    if any(isinstance(event, Kept) for event in one.landing.events):
        return "stays on the launcher"
    if missile is None:
        return "off the table, used again"
    if one.fate.fate == "returned":
        return "falls short, used again"
    return how(missile)


def how(piece: Pyramid) -> str:
    """The attitude of a piece at rest, in words."""
    if piece.standing:
        return "stands on another" if piece.stands_on else "stands"
    return "lies" if piece.on_side else "leans" if piece.rests_on else "moves"


def said(name: str) -> str:
    """A missile's name as people say it: "medium 2"."""
    _, size, number = name.split("-")
    return f"{size} {number}"


def line(game: Game, turn: Turn) -> str:
    """One line about a turn: what came down in it, else what was done."""
    names = game.seat_names
    found = [f"{names[one.seat]} {said(one.landing.launch.piece)} {came(one)}" for one in told(turn)]
    if not found:
        found = [f"{names[turn.seat]} {done(turn)}"]
    return f"{turn.number}. {' · '.join(found)}"


def done(turn: Turn) -> str:
    """The deed of a seat in a turn, in words."""
    match turn.made:
        case Launch(piece=piece, speed=speed):
            return f"launches {said(piece)} at {speed:.2f} m/s"
        case Load(piece=piece):
            return f"stacks {said(piece)}"
        case Wait(until=until):
            return f"waits until {until:.1f} s"
    return str(turn.made)


def numbers(launch: Launch) -> str:
    """A launch in numbers."""
    return (
        f"{launch.speed:.2f} m/s, {to_degrees(launch.slant):.0f}° up, nail {to_mm(launch.height):.1f} mm up the base, "
        f"held {to_mm(launch.lift):.0f} mm high"
    )


def worth_telling(turns: Sequence[Turn]) -> list[Turn]:
    """Turns in which something came down; all of them before anything has."""
    return [turn for turn in turns if told(turn)] or list(turns)
