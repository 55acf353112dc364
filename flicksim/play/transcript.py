"""A game told turn by turn for people: what was due and done, how it was ruled, and what has changed on the table.

It teaches a game, and beside the text of yesterday it shows what a change of the program has changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from flicksim.base.codec import to_plain
from flicksim.base.kinds import Plain
from flicksim.play.match import Match, Turn

_WORDS = 160
"""A value that takes more letters is told by its beginning."""


def transcript(match: Match, turns: Iterable[Turn], seats: Sequence[str]) -> Iterator[str]:
    """The lines of a game.

    Args:
        match: the game, as it was begun or as it ended. turns: of it, in order. seats: who sits there, in words.
    """
    game, names = match.game, match.game.seat_names
    yield f"{game.title} (edition {game.edition}), seed {match.seeds.seed}"
    yield "; ".join(f"{name}: {who}" for name, who in zip(names, seats, strict=False))
    options = to_plain(match.options)
    yield "options: " + ", ".join(f"{name} {_told(options[name])}" for name in sorted(options))
    for turn in turns:
        yield ""
        yield f"{turn.number} {names[turn.seat]}"
        yield f"  due: {match.rules.choices(turn.before).says}"
        yield f"  meant: {_told(to_plain(turn.meant))}"
        if turn.made != turn.meant:
            yield f"  made: {_told(to_plain(turn.made))}"
        yield f"  ruled: {turn.verdict}"
        points = zip(names, match.rules.scores(turn.after), strict=False)
        yield "  score: " + ", ".join(f"{name} {score}" for name, score in points)
        for line in _changes(to_plain(turn.before), to_plain(turn.after), ""):
            yield f"  {line}"


def _changes(before: Plain, after: Plain, where: str) -> Iterator[str]:
    """The differences from before, by its place."""
    if before == after:
        return
    before, after = _by_id(before), _by_id(after)
    if isinstance(before, dict) and isinstance(after, dict):
        for name in [*before, *(name for name in after if name not in before)]:
            if name == "former":  # the state before, kept within the state: told a turn ago
                continue
            place = f"{where}.{name}" if where else str(name)
            if name not in after:
                yield f"{place}: no more"
            elif name not in before:
                yield f"{place}: {_told(after[name])}"
            else:
                yield from _changes(before[name], after[name], place)
        return
    rows = [isinstance(one, list | tuple) and any(map(_nested, one)) for one in (before, after)]
    if all(rows) and len(before) == len(after):
        for row, (was, now) in enumerate(zip(before, after, strict=True)):
            yield from _changes(was, now, f"{where}.{row + 1}")
        return
    if changed := _less_and_more(before, after):
        yield f"{where}: {changed}"
        return
    if _told(before) != _told(after):
        yield f"{where}: {_told(before)} -> {_told(after)}"


def _by_id(value: Plain) -> Plain:
    """A list of things that have ids, by them."""
    if isinstance(value, list | tuple) and value and all(isinstance(one, dict) and "id" in one for one in value):
        return {one["id"]: {name: of for name, of in one.items() if name != "id"} for one in value}
    return value


def _less_and_more(before: Plain, after: Plain) -> str:
    """The losses and gains of a list of words or numbers; empty for anything else, and where only the order changed."""
    if not all(isinstance(one, list | tuple) and not any(map(_nested, one)) for one in (before, after)):
        return ""
    if len(before) == len(after):
        return ""
    less, more = Counter[Plain](before) - Counter(after), Counter[Plain](after) - Counter(before)
    return " ".join([*(f"- {_told(one)}" for one in less.elements()), *(f"+ {_told(one)}" for one in more.elements())])


def _nested(value: Plain) -> bool:
    return isinstance(value, dict | list | tuple)


def _told(value: Plain) -> str:
    """A value in a few letters; numbers to a micrometre or so, where machines still agree."""
    if isinstance(value, float):
        return "0" if abs(value) < 1e-9 else f"{value:.6g}"
    if isinstance(value, dict):
        text = "{" + ", ".join(f"{name} {_told(of)}" for name, of in value.items()) + "}"
    elif isinstance(value, list | tuple):
        text = "(" + " ".join(map(_told, value)) + ")"
    else:
        return "none" if value is None else str(value)
    return text if len(text) <= _WORDS else f"{text[:_WORDS]} ..."
