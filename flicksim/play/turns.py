"""The turns of a game as a table: who did what, how it was made, what was ruled, what it gained."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.base.codec import to_json
from flicksim.base.kinds import Plain
from flicksim.base.tabular import Heading, Table
from flicksim.play.lines import TurnLine

_FLICKED = (
    ("speed", "m/s"), ("azimuth", "rad"), ("elevation", "rad"), ("tumble", "rad/s"), ("offset", "radii"),
)  # fmt: skip
"""Numbers of flicks that have a column of their own, where any turn has them; as meant, and as made."""


def table_of(lines: Sequence[TurnLine], players: Sequence[str]) -> Table[Heading]:
    """A row a turn.

    Args:
        lines: as a record holds them. players: who sits on each seat, in words.
    """
    flicked = [(name, unit) for name, unit in _FLICKED if any(name in line.meant for line in lines)]
    heads = [
        Heading(name="turn", title="number of the turn, from 1"),
        Heading(name="seat", title="seat that acted, from 0"),
        Heading(name="player", kind="text", title="who sits there"),
        Heading(name="do", kind="text", title="kind of action"),
    ]
    if flicked:
        heads.append(Heading(name="piece", kind="text", title="id of the piece"))
    for name, unit in flicked:
        heads.append(Heading(name=name, title=f"{name} as meant", unit=unit))
        heads.append(Heading(name=f"made_{name}", title=f"{name} as the hand made it", unit=unit))
    heads += [
        Heading(name="action", kind="text", title="the whole action as made, as JSON"),
        Heading(name="verdict", kind="text", title="the ruling in words"),
        Heading(name="rules", kind="text", title="numbers of the rules it cites"),
        *(Heading(name=f"gained_{seat}", title=f"points gained by seat {seat}") for seat in range(len(players))),
    ]
    return Table(heads, [_row(line, players, [name for name, _ in flicked]) for line in lines])


def _row(line: TurnLine, players: Sequence[str], flicked: Sequence[str]) -> list[Plain]:
    numbers: list[Plain] = [line.meant.get("piece")] if flicked else []
    for name in flicked:
        numbers += [line.meant.get(name), line.made.get(name)]
    gained = [float(points) for points in line.points] or [0.0] * len(players)
    return [
        line.number, line.seat, players[line.seat], line.made.get("do", ""), *numbers, to_json(line.made).decode(),
        line.verdict, " ".join(line.reasons), *gained,
    ]  # fmt: skip
