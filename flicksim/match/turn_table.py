"""Table of the turns of a game, one row per turn."""

from collections.abc import Sequence

from flicksim.core.results_table import ColumnInfo, ResultsTable
from flicksim.core.serialization import to_json
from flicksim.core.type_aliases import JsonValue
from flicksim.match.record_format import TurnLine

_FLICK_COLUMNS = (
    ("speed", "m/s"), ("azimuth", "rad"), ("elevation", "rad"), ("tumble", "rad/s"), ("offset", "radii"),
)  # fmt: skip
"""Fields of flicks with columns of their own, as meant and as made, where any turn has them."""


def turn_table(lines: Sequence[TurnLine], players: Sequence[str]) -> ResultsTable[ColumnInfo]:
    """Make the table, one row per turn.

    Args:
        lines: of a record. players: by seat, in words.
    """
    flick_columns = [(name, unit) for name, unit in _FLICK_COLUMNS if any(name in line.meant for line in lines)]
    columns = [
        ColumnInfo(name="turn", title="number of the turn, from 1"),
        ColumnInfo(name="seat", title="seat that acted, from 0"),
        ColumnInfo(name="player", kind="text", title="who sits there"),
        ColumnInfo(name="do", kind="text", title="kind of action"),
    ]
    if flick_columns:
        columns.append(ColumnInfo(name="piece", kind="text", title="id of the piece"))
    for name, unit in flick_columns:
        columns.append(ColumnInfo(name=name, title=f"{name} as meant", unit=unit))
        columns.append(ColumnInfo(name=f"made_{name}", title=f"{name} as the hand made it", unit=unit))
    columns += [
        ColumnInfo(name="action", kind="text", title="the whole action as made, as JSON"),
        ColumnInfo(name="verdict", kind="text", title="the ruling in words"),
        ColumnInfo(name="rules", kind="text", title="numbers of the rules it cites"),
        *(ColumnInfo(name=f"gained_{seat}", title=f"points gained by seat {seat}") for seat in range(len(players))),
    ]
    return ResultsTable(columns, [_row(line, players, [name for name, _ in flick_columns]) for line in lines])


def _row(line: TurnLine, players: Sequence[str], flick_fields: Sequence[str]) -> list[JsonValue]:
    values: list[JsonValue] = [line.meant.get("piece")] if flick_fields else []
    for name in flick_fields:
        values += [line.meant.get(name), line.made.get(name)]
    gained = [float(points) for points in line.points] or [0.0] * len(players)
    return [
        line.number, line.seat, players[line.seat], line.made.get("do", ""), *values, to_json(line.made).decode(),
        line.verdict, " ".join(line.reasons), *gained,
    ]  # fmt: skip
