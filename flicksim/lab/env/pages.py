"""The tables and pictures of the environments' pages, made from the environments: `python -m flicksim.lab.env.pages`.

A page is written by hand but for what stands between `<!-- NAME -->` and `<!-- end -->`; that is written anew.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from msgspec import inspect

from flicksim.base.files import write_aside
from flicksim.base.kinds import Given
from flicksim.games import load, names
from flicksim.lab.env.flicks import SLOTS
from flicksim.lab.env.game_env import GameEnv
from flicksim.lab.env.parts import Number
from flicksim.lab.env.shot_env import ShotEnv
from flicksim.lab.env.shots import TASKS
from flicksim.lab.env.telling import seats_of
from flicksim.referee import options_of

PAGES = Path(__file__).parent / "pages"
_MANY = 8
"""More numbers alike in one place are told of in one row."""
_ONE = re.compile(r"\d+|\w{2,3}|\d+-\d+")
"""Pattern of one of many: a number, a card, a tile."""


def every() -> tuple[str, ...]:
    """Names of the pages there are: shots in small letters, then games."""
    return (*map(str.lower, TASKS), *names())


def tables(page: str) -> dict[str, str]:
    """The text between the marks of a page, by mark."""
    shot = next((name for name in TASKS if name.lower() == page), None)
    return _of_a_shot(shot) if shot is not None else _of_a_game(page)


def _of_a_shot(name: str) -> dict[str, str]:
    env = ShotEnv(name)
    does = (
        (k, one.name, _shown(one.low), _shown(one.high), one.unit, one.says) for k, one in enumerate(env.task.does)
    )  # fmt: skip
    settings = (
        (f"`{field}`", f"`{getattr(env.task, field)!r}`")
        for field in env.task.__dataclass_fields__  # type: ignore[attr-defined]
    )
    return {
        "actions": _table(("number", "name", "-1 means", "1 means", "unit", "what it is"), does),
        "observations": _seen(env.task.sees),
        "settings": _table(("setting", "usually"), settings),
    }


def _of_a_game(name: str) -> dict[str, str]:
    game = load(name)
    env = GameEnv(name)
    if env.telling.flicks is not None:
        rows = [
            (f"0 to {SLOTS - 1}", f"wish 0 to wish {SLOTS - 1}", "the strongest wish for what is on offer is granted")
        ]
        rows += [
            (str(SLOTS + k), one, "from the least to the most that is offered")
            for k, one in enumerate(env.telling.flicks.names[SLOTS:])
        ]
        actions = _table(("number", "name", "what it is"), rows)
    else:
        assert env.telling.moves is not None
        rows = [
            (
                f"0 to {env.telling.moves.size - 1}",
                "a move",
                "which one, `offered` says; those on offer are 1 in the mask",
            )
        ]
        actions = _table(("action", "name", "what it is"), rows)
    options = (
        (f"`{one.name}`", f"`{one.default!r}`", one.allowed.replace("|", "or"), one.says) for one in options_of(game)
    )
    seats = seats_of(game, None)
    shown = {} if env.telling.moves is None else {"shown": f"```\n{_words(name)}```"}
    return shown | {
        "actions": actions,
        "observations": f"As {seats} sit down:\n\n" + _seen(env.telling.numbers, _fields(game.state, set())),
        "settings": _table(("option", "usually", "it may be", "what it does"), options),
    }


def _words(name: str) -> str:
    """A game in words, some moves after its beginning."""
    env = GameEnv(name, render_mode="ansi")
    env.reset(seed=1)
    for _ in range(6):
        env.step(min(env.offered(env.agent_selection)))
    return str(env.render())


def _fields(kind: type, seen: set[type]) -> dict[str, str]:
    """The meaning of the fields of a state, by name, as its docstrings have it."""
    told = inspect.type_info(kind)
    assert isinstance(told, inspect.StructType)
    found: dict[str, str] = {}
    for part in told.fields:
        for one in getattr(part.type, "types", (part.type,)):
            if isinstance(one, inspect.StructType) and one.cls not in seen and one.cls is not kind:
                found |= _fields(one.cls, seen | {kind, one.cls})
    text = " ".join((kind.__doc__ or "").partition("Args:")[2].split())
    known = "|".join(part.name for part in told.fields)
    for match in re.finditer(rf"\b((?:{known})(?:, (?:{known}))*): (.*?)(?=\. (?:{known})\b[^.]*?: |$)", text):
        found |= dict.fromkeys(match[1].split(", "), match[2].rstrip("."))
    return found


def _seen(numbers: Sequence[Number], fields: Mapping[str, str] | None = None) -> str:
    """The table of what is seen: a row for each number, or for many that are alike.

    Args:
        fields: what the state's fields are, told in the first row of each.
    """
    rows, left = [], dict(fields or {})
    for name, members in _alike(numbers):
        first, one = members[0], numbers[members[0]]
        told = "its logarithm" if one.by_logarithm else f"{_shown(one.middle + one.reach)}"
        which = str(first) if len(members) == 1 else f"{len(members)} from {first} on"
        field = re.match(r"(?:\w+\.)*(\w+)", name)
        says = one.says or (left.pop(field[1], "") if field is not None and " K:" not in name else "")
        rows.append((which, name, _shown(one.low), _shown(one.high), one.unit, told, says.replace("|", "or")))
    return _table(("number", "name", "least", "most", "unit", "told as 1", "what it is"), rows)


def _alike(numbers: Sequence[Number]) -> list[tuple[str, list[int]]]:
    """The places of numbers, those together that differ in the row they are of, or in the card, or in nothing told."""
    rows: dict[str, list[int]] = {}
    for place, number in enumerate(numbers):
        head, colon, tail = number.name.partition(": ")
        rows.setdefault(re.sub(r"(?<=\w )\d+$", "K", head) + colon + tail, []).append(place)
    found: list[tuple[str, list[int]]] = []

    def kind(row: tuple[str, list[int]]) -> tuple[Given, ...]:
        one = numbers[row[1][0]]
        head, _, tail = row[0].partition(": ")
        alike = tail if _ONE.fullmatch(tail) is None else ""
        return head, alike, one.low, one.high, one.unit, one.reach, one.says, len(row[1])

    for (head, *_), some in groupby(rows.items(), kind):
        members = list(some)
        if len(members) <= _MANY:
            found += members
            continue
        ends = (row[0].partition(": ")[2] for row in (members[0], members[-1]))
        places = sorted(place for row in members for place in row[1])
        found.append((f"{head}: {' to '.join(ends)}", places))
    return found


def _shown(value: float) -> str:
    if abs(value) == np.inf:
        return "none"
    return f"{value:.4g}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[Given]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def renewed(text: str, found: dict[str, str]) -> str:
    """A page with its tables made anew."""

    def between(match: re.Match[str]) -> str:
        return f"<!-- {match[1]} -->\n\n{found[match[1]]}\n\n<!-- end -->"

    return re.sub(r"<!-- (\w+) -->\n.*?<!-- end -->", between, text, flags=re.S)


def pictures(folder: Path) -> None:
    """Paint what the environments of tables show, after a few steps."""
    from matplotlib.image import imsave

    for shot in TASKS:
        imsave(folder / f"{shot.lower()}.png", _shot(shot))
    for game in names():
        if load(game).wing == "table":
            imsave(folder / f"{game}.png", _game(game))


def _shot(name: str) -> Given:
    env = ShotEnv(name, render_mode="rgb_array")
    env.reset(seed=4)
    return env.render()


def _game(name: str) -> Given:
    env = GameEnv(name, render_mode="rgb_array", hand="club")
    env.reset(seed=4)
    for agent in env.possible_agents:
        env.action_space(agent).seed(2)
    for _ in range(24):
        env.step(env.action_space(env.agent_selection).sample())
    return env.render()


def main() -> None:
    """Write the tables anew, and the pictures where they are to go."""
    say = argparse.ArgumentParser(description="Write the tables of the environments' pages anew.")
    say.add_argument("--pictures", type=Path, default=None, metavar="DIR", help="paint pictures too (extra 'lab')")
    asked = say.parse_args()
    for name in every():
        page = PAGES / f"{name}.md"
        write_aside(page, renewed(page.read_text(encoding="utf-8"), tables(name)).encode())
    if asked.pictures is not None:
        pictures(asked.pictures)


if __name__ == "__main__":
    main()
