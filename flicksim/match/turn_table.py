"""Table of the turns of a game, one row per turn."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.core.results_table import ColumnInfo, ResultsTable
from flicksim.core.serialization import to_json
from flicksim.core.type_aliases import JsonValue
from flicksim.match.record_format import TurnLine

_FLICK_COLUMNS = (
    ("speed", "m/s"), ("azimuth", "rad"), ("elevation", "rad"), ("tumble", "rad/s"), ("offset", "radii"),
)  # fmt: skip
"""Numbers of flicks that have a column of their own, where any turn has them; as meant, and as made."""


def turn_table(lines: Sequence[TurnLine], players: Sequence[str]) -> ResultsTable[ColumnInfo]:
    """A row a turn.

    Args:
        lines: as a record holds them. players: who sits on each seat, in words.
    """
    flicked = [(name, unit) for name, unit in _FLICK_COLUMNS if any(name in line.meant for line in lines)]
    heads = [
        ColumnInfo(name="turn", title="number of the turn, from 1"),
        ColumnInfo(name="seat", title="seat that acted, from 0"),
        ColumnInfo(name="player", kind="text", title="who sits there"),
        ColumnInfo(name="do", kind="text", title="kind of action"),
    ]
    if flicked:
        heads.append(ColumnInfo(name="piece", kind="text", title="id of the piece"))
    for name, unit in flicked:
        heads.append(ColumnInfo(name=name, title=f"{name} as meant", unit=unit))
        heads.append(ColumnInfo(name=f"made_{name}", title=f"{name} as the hand made it", unit=unit))
    heads += [
        ColumnInfo(name="action", kind="text", title="the whole action as made, as JSON"),
        ColumnInfo(name="verdict", kind="text", title="the ruling in words"),
        ColumnInfo(name="rules", kind="text", title="numbers of the rules it cites"),
        *(ColumnInfo(name=f"gained_{seat}", title=f"points gained by seat {seat}") for seat in range(len(players))),
    ]
    return ResultsTable(heads, [_row(line, players, [name for name, _ in flicked]) for line in lines])


def _row(line: TurnLine, players: Sequence[str], flick_fields: Sequence[str]) -> list[JsonValue]:
    numbers: list[JsonValue] = [line.meant.get("piece")] if flick_fields else []
    for name in flick_fields:
        numbers += [line.meant.get(name), line.made.get(name)]
    gained = [float(points) for points in line.points] or [0.0] * len(players)
    return [
        line.number, line.seat, players[line.seat], line.made.get("do", ""), *numbers, to_json(line.made).decode(),
        line.verdict, " ".join(line.reasons), *gained,
    ]  # fmt: skip
