"""Generator of the environments' documentation pages (`python -m benchmarks.environment_pages`): tables and pictures.

A page is written by hand except the text between `<!-- NAME -->` and `<!-- end -->`, which is generated.
"""

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from msgspec import inspect

from flicksim.core.atomic_files import write_atomic
from flicksim.core.type_aliases import Unchecked
from flicksim.envs.action_spaces import CHOICE_SLOTS
from flicksim.envs.features import Feature
from flicksim.envs.game_adapter import seat_count
from flicksim.envs.game_env import GameEnv
from flicksim.envs.shot_env import ShotEnv
from flicksim.envs.shot_tasks import TASKS
from flicksim.games import load, names
from flicksim.referee import options_of

ROOT = Path(__file__).resolve().parents[1]
DOC_PAGES = ROOT / "flicksim" / "envs" / "pages"
_MIN_GROUPED = 8
"""More similar features than this share one row of a table."""
_ITEM_PATTERN = re.compile(r"\d+|\w{2,3}|\d+-\d+")
"""Pattern of an item: a number, a card, a tile."""


def page_names() -> tuple[str, ...]:
    """Names of the pages: shots in lower case, then games."""
    return (*map(str.lower, TASKS), *names())


def tables(page: str) -> dict[str, str]:
    """Generated text of a page by its mark."""
    shot = next((name for name in TASKS if name.lower() == page), None)
    return _shot_tables(shot) if shot is not None else _game_tables(page)


def _shot_tables(name: str) -> dict[str, str]:
    env = ShotEnv(name)
    does = (
        (k, one.name, _format_number(one.low), _format_number(one.high), one.unit, one.description)
        for k, one in enumerate(env.task.action_dimensions)
    )
    settings = ((f"`{field}`", f"`{getattr(env.task, field)!r}`") for field in env.task.__dataclass_fields__)
    return {
        "actions": _table(("number", "name", "-1 means", "1 means", "unit", "meaning"), does),
        "observations": _observation_table(env.task.features),
        "settings": _table(("setting", "default"), settings),
    }


def _game_tables(name: str) -> dict[str, str]:
    game = load(name)
    env = GameEnv(name)
    if env.adapter.flick_space is not None:
        last = CHOICE_SLOTS - 1
        meaning = "preferences: the legal choice with the strongest one is taken"
        rows = [(f"0 to {last}", f"wish 0 to wish {last}", meaning)]
        rows += [
            (str(CHOICE_SLOTS + k), one, "from the lowest to the highest legal value")
            for k, one in enumerate(env.adapter.flick_space.names[CHOICE_SLOTS:])
        ]
        actions = _table(("number", "name", "meaning"), rows)
    else:
        assert env.adapter.move_space is not None
        meaning = "number of a move in `legal_moves`; legal ones are 1 in the mask"
        rows = [(f"0 to {env.adapter.move_space.size - 1}", "a move", meaning)]
        actions = _table(("action", "name", "meaning"), rows)
    options = (
        (f"`{one.name}`", f"`{one.default!r}`", one.allowed.replace("|", "or"), one.help) for one in options_of(game)
    )
    seats = seat_count(game, None)
    example = {} if env.adapter.move_space is None else {"shown": f"```\n{_game_text(name)}```"}
    return example | {
        "actions": actions,
        "observations": f"For {seats} seats:\n\n"
        + _observation_table(env.adapter.features, _field_docs(game.state, set())),
        "settings": _table(("option", "default", "values", "meaning"), options),
    }


def _game_text(name: str) -> str:
    """Text of a game some moves after its start."""
    env = GameEnv(name, render_mode="ansi")
    env.reset(seed=1)
    for _ in range(6):
        env.step(min(env.legal_moves(env.agent_selection)))
    return str(env.render())


def _field_docs(kind: type, seen: set[type]) -> dict[str, str]:
    """Descriptions of the fields of a state by name, from its docstrings."""
    struct_type = inspect.type_info(kind)
    assert isinstance(struct_type, inspect.StructType)
    docs: dict[str, str] = {}
    for part in struct_type.fields:
        for member in getattr(part.type, "types", (part.type,)):
            if isinstance(member, inspect.StructType) and member.cls not in seen and member.cls is not kind:
                docs |= _field_docs(member.cls, seen | {kind, member.cls})
    text = " ".join((kind.__doc__ or "").partition("Args:")[2].split())
    known = "|".join(part.name for part in struct_type.fields)
    for match in re.finditer(rf"\b((?:{known})(?:, (?:{known}))*): (.*?)(?=\. (?:{known})\b[^.]*?: |$)", text):
        docs |= dict.fromkeys(match[1].split(", "), match[2].rstrip("."))
    return docs


def _observation_table(features: Sequence[Feature], field_docs: Mapping[str, str] | None = None) -> str:
    """Table of the features of an observation: a row for each, or for many similar ones.

    Args:
        field_docs: descriptions of the state's fields, for the first row of each.
    """
    rows, remaining = [], dict(field_docs or {})
    for name, members in _group_features(features):
        index, feature = members[0], features[members[0]]
        scale = "log-scaled" if feature.is_log_scaled else f"{_format_number(feature.centre + feature.scale)}"
        which = str(index) if len(members) == 1 else f"{len(members)} from {index} on"
        field = re.match(r"(?:\w+\.)*(\w+)", name)
        description = feature.description or (
            remaining.pop(field[1], "") if field is not None and " K:" not in name else ""
        )
        low, high, centre = map(_format_number, (feature.low, feature.high, feature.centre))
        rows.append((which, name, low, high, feature.unit, centre, scale, description.replace("|", "or")))
    return _table(
        ("number", "name", "lower bound", "upper bound", "unit", "scaled to 0", "scaled to 1", "meaning"), rows
    )


def _group_features(features: Sequence[Feature]) -> list[tuple[str, list[int]]]:
    """Group the indices of features that differ only in their row or in their card or tile."""
    rows: dict[str, list[int]] = {}
    for place, number in enumerate(features):
        head, colon, tail = number.name.partition(": ")
        rows.setdefault(re.sub(r"(?<=\w )\d+$", "K", head) + colon + tail, []).append(place)
    groups: list[tuple[str, list[int]]] = []

    def kind(row: tuple[str, list[int]]) -> tuple[Unchecked, ...]:
        feature = features[row[1][0]]
        head, _, tail = row[0].partition(": ")
        suffix = tail if _ITEM_PATTERN.fullmatch(tail) is None else ""
        return head, suffix, feature.low, feature.high, feature.unit, feature.scale, feature.description, len(row[1])

    for (head, *_), group in groupby(rows.items(), kind):
        members = list(group)
        if len(members) <= _MIN_GROUPED:
            groups += members
            continue
        ends = (row[0].partition(": ")[2] for row in (members[0], members[-1]))
        places = sorted(place for row in members for place in row[1])
        groups.append((f"{head}: {' to '.join(ends)}", places))
    return groups


def _format_number(value: float) -> str:
    if abs(value) == np.inf:
        return "none"
    return f"{value:.4g}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[Unchecked]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def regenerate(text: str, generated: dict[str, str]) -> str:
    """Replace the generated parts of a page."""

    def between(match: re.Match[str]) -> str:
        return f"<!-- {match[1]} -->\n\n{generated[match[1]]}\n\n<!-- end -->"

    return re.sub(r"<!-- (\w+) -->\n.*?<!-- end -->", between, text, flags=re.S)


def paint_pictures(folder: Path) -> None:
    """Paint pictures of the environments with tables, after a few steps."""
    from matplotlib.image import imsave

    folder.mkdir(parents=True, exist_ok=True)
    for task in TASKS:
        imsave(folder / f"{task.lower()}.png", _shot_picture(task))
    for game in names():
        if load(game).category == "table":
            imsave(folder / f"{game}.png", _game_picture(game))


def _shot_picture(name: str) -> Unchecked:
    env = ShotEnv(name, render_mode="rgb_array")
    env.reset(seed=4)
    return env.render()


def _game_picture(name: str) -> Unchecked:
    env = GameEnv(name, render_mode="rgb_array", execution_noise="club")
    env.reset(seed=4)
    for agent in env.possible_agents:
        env.action_space(agent).seed(2)
    for _ in range(24):
        env.step(env.action_space(env.agent_selection).sample())
    return env.render()


def main() -> None:
    """Regenerate the tables, and the pictures if a folder is given."""
    parser = argparse.ArgumentParser(description="Regenerate the tables on the pages of the environments.")
    parser.add_argument("--pictures", type=Path, default=None, metavar="DIR", help="also write pictures (extra 'lab')")
    args = parser.parse_args()
    for name in page_names():
        page = DOC_PAGES / f"{name}.md"
        write_atomic(page, regenerate(page.read_text(encoding="utf-8"), tables(name)).encode())
    if args.pictures is not None:
        paint_pictures(args.pictures)


if __name__ == "__main__":
    main()
