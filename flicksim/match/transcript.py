"""Transcript of a game in words, turn by turn; a diff of two shows the effect of a change of the program."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from flicksim.core.serialization import to_builtins
from flicksim.core.type_aliases import JsonValue
from flicksim.match.match import Match, Turn

_MAX_LENGTH = 160
"""Longest text of a value, which is otherwise truncated [characters]."""


def transcript(match: Match, turns: Iterable[Turn], seats: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a transcript.

    Args:
        match: before or after its turns. turns: of it, in order. seats: players, in words.
    """
    game, names = match.game, match.game.seat_names
    yield f"{game.title} (edition {game.rules_version}), seed {match.streams.seed}"
    yield "; ".join(f"{name}: {player}" for name, player in zip(names, seats, strict=False))
    options = to_builtins(match.options)
    yield "options: " + ", ".join(f"{name} {_format(options[name])}" for name in sorted(options))
    for turn in turns:
        yield ""
        yield f"{turn.number} {names[turn.seat]}"
        yield f"  due: {match.rules.legal_actions(turn.before).prompt}"
        yield f"  meant: {_format(to_builtins(turn.meant))}"
        if turn.made != turn.meant:
            yield f"  made: {_format(to_builtins(turn.made))}"
        yield f"  ruled: {turn.verdict}"
        points = zip(names, match.rules.scores(turn.after), strict=False)
        yield "  score: " + ", ".join(f"{name} {score}" for name, score in points)
        for line in _changes(to_builtins(turn.before), to_builtins(turn.after), ""):
            yield f"  {line}"


def _changes(before: JsonValue, after: JsonValue, path: str) -> Iterator[str]:
    """Yield the differences of two values with their paths."""
    if before == after:
        return
    before, after = _by_id(before), _by_id(after)
    if isinstance(before, dict) and isinstance(after, dict):
        for name in [*before, *(name for name in after if name not in before)]:
            if name == "former":  # the state before, kept within the state
                continue
            place = f"{path}.{name}" if path else str(name)
            if name not in after:
                yield f"{place}: no more"
            elif name not in before:
                yield f"{place}: {_format(after[name])}"
            else:
                yield from _changes(before[name], after[name], place)
        return
    nested = [isinstance(value, list | tuple) and any(map(_nested, value)) for value in (before, after)]
    if all(nested) and len(before) == len(after):
        for row, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _changes(old, new, f"{path}.{row + 1}")
        return
    if changed := _removed_and_added(before, after):
        yield f"{path}: {changed}"
        return
    if _format(before) != _format(after):
        yield f"{path}: {_format(before)} -> {_format(after)}"


def _by_id(value: JsonValue) -> JsonValue:
    """Convert a list of objects with ids to a dict by id; other values are unchanged."""
    if isinstance(value, list | tuple) and value and all(isinstance(item, dict) and "id" in item for item in value):
        return {item["id"]: {name: of for name, of in item.items() if name != "id"} for item in value}
    return value


def _removed_and_added(before: JsonValue, after: JsonValue) -> str:
    """Removed and added items of a flat list; empty for anything else, and where the length is unchanged."""
    if not all(isinstance(value, list | tuple) and not any(map(_nested, value)) for value in (before, after)):
        return ""
    if len(before) == len(after):
        return ""
    removed, added = Counter[JsonValue](before) - Counter(after), Counter[JsonValue](after) - Counter(before)
    return " ".join(
        [*(f"- {_format(item)}" for item in removed.elements()), *(f"+ {_format(item)}" for item in added.elements())]
    )


def _nested(value: JsonValue) -> bool:
    return isinstance(value, dict | list | tuple)


def _format(value: JsonValue) -> str:
    """Format a value briefly; numbers to six digits, to which platforms agree."""
    if isinstance(value, float):
        return "0" if abs(value) < 1e-9 else f"{value:.6g}"
    if isinstance(value, dict):
        text = "{" + ", ".join(f"{name} {_format(of)}" for name, of in value.items()) + "}"
    elif isinstance(value, list | tuple):
        text = "(" + " ".join(map(_format, value)) + ")"
    else:
        return "none" if value is None else str(value)
    return text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]} ..."
