"""Records altered by hand: `flicksim replay --verify` finds every one out, and the window refuses it in a sentence.

`python -m benchmarks.altered [--records N] [--seed S] [--jobs J] [--only NUMBER]`. Records of every game, with people,
bots and chance at the seats, with turns taken back, broken off and ended; each is altered in one way a text editor can.
What nobody can find out, a record whose digests were all made anew, is not among them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np

from benchmarks.mutants import said_of
from benchmarks.tally import Tally, parser, shared, within
from flicksim.base.errors import FlicksimError
from flicksim.base.seeding import Seeds
from flicksim.games import load, names
from flicksim.play import Forfeit, Match, Recorder, Turn, header_of, open_match, parse_seat
from flicksim.players import GRADES, RandomPlayer
from flicksim.referee import options_of, parse_options
from flicksim.ui.match import kept_games

_SHORT = {"ends": 1, "rounds": 1}
"""Options that make a game short, where it has them."""
_TURNS = 12
"""Turns of a game that is broken off."""
_BACK = 4
"""This turn is taken back and played again."""
_SOON = ("penny-white", "dominoes")
"""Games that are also played to their end."""
_LIMIT = 60.0
"""No record takes longer to be found out [s]."""
_WINDOW = 4
"""Every so many are also opened as the window does."""

Lines = list[dict[str, Any]]
Way = Callable[[np.random.Generator, Lines], Lines | None]


def _match(name: str) -> tuple[Match, tuple[str, ...]]:
    card = load(name)
    seats = tuple(("human", "random", "bot:beginner")[k % 3] for k in range(max(card.seats[0], 2)))
    there = {option.name for option in options_of(card)}
    options = parse_options(card, {option: value for option, value in _SHORT.items() if option in there})
    match = open_match(card, options, [parse_seat(word) for word in seats], 4)
    match.hands = tuple(  # as the window lends a hand to the people at it
        GRADES["club"] if player is None else hand for hand, player in zip(match.hands, match.players, strict=True)
    )
    return match, seats


def played(match: Match) -> Turn:
    """One more turn, by whoever sits there; chance plays for people."""
    seat = match.to_play
    assert seat is not None
    asked = match.players[seat] or RandomPlayer(match.rules.check)
    rng = match.seeds.child("player", seat, len(match.turns) + 1).generator()
    return match.play(asked.choose(match.rules.view(match.state, seat), match.choices(), rng))


def _written(path: Path, name: str, most: int, *, forfeit: bool = False) -> bytes:
    """A record of so many turns of a game, or of all; one is taken back, the last may be given up."""
    match, seats = _match(name)
    with Recorder(path, header_of(match, seats), durable=False) as recorder:
        while not match.over and len(match.turns) < most:
            recorder.turn(played(match))
            if len(match.turns) == _BACK and not match.over:
                match.undo()
                recorder.undo(len(match.turns))
                recorder.turn(played(match))
        if forfeit and match.to_play is not None:
            recorder.forfeit(Forfeit(seat=match.to_play, says="went home"))
    return path.read_bytes()


@lru_cache(maxsize=1)
def records() -> dict[str, bytes]:
    """Records of every game, by name: broken off, given up, and, where that is soon, ended."""
    found = {}
    with TemporaryDirectory() as folder:
        for name in names():
            path = Path(folder) / name
            found[f"{name}, broken off"] = _written(path.with_suffix(".broken"), name, _TURNS)
            found[f"{name}, given up"] = _written(path.with_suffix(".given"), name, _BACK + 1, forfeit=True)
            if name in _SOON:
                found[f"{name}, ended"] = _written(path.with_suffix(".ended"), name, 10**6)
    return found


# -- ways to alter one ------------------------------------------------------------------------------------------------


def _pick(rng: np.random.Generator, lines: Lines, kind: str) -> dict[str, Any] | None:
    some = [line for line in lines if line["line"] == kind]
    return some[int(rng.integers(len(some)))] if some else None


def _other(rng: np.random.Generator, value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + int(rng.choice([-1, 1, 7]))
    if isinstance(value, float):
        return value + float(rng.choice([1e-12, 1e-3, -0.3]))
    if isinstance(value, str):
        return value[:-1] + ("1" if value[-1:] != "1" else "2")
    if isinstance(value, list):
        return value[1:] if value else ["X-1"]
    return value


def _head(name: str) -> Way:
    def way(rng: np.random.Generator, lines: Lines) -> Lines:
        lines[0][name] = _other(rng, lines[0][name])
        return lines

    return way


def _option(rng: np.random.Generator, lines: Lines) -> Lines:
    options = lines[0]["options"]
    name = str(rng.choice(list(options)))
    options[name] = _other(rng, options[name])
    return lines


def _seat_word(rng: np.random.Generator, lines: Lines) -> Lines:
    seats = lines[0]["seats"]
    k = int(rng.integers(len(seats)))
    seats[k] = str(rng.choice([word for word in ("human", "random", "bot:club", "bot:world") if word != seats[k]]))
    return lines


def _in_turn(name: str) -> Way:
    def way(rng: np.random.Generator, lines: Lines) -> Lines | None:
        turn = _pick(rng, lines, "turn")
        if turn is None:
            return None
        turn[name] = _other(rng, turn[name])
        return lines

    return way


def _hand(rng: np.random.Generator, lines: Lines) -> Lines | None:
    turn = _pick(rng, lines, "turn")
    if turn is None:
        return None
    turn["hand"] = "world" if turn.get("hand") != "world" else "steady"
    return lines


def _action(*which: str) -> Way:
    """Alter what was meant, made, or both alike: another number in it, another word, or the action of another turn."""

    def way(rng: np.random.Generator, lines: Lines) -> Lines | None:
        turn, another = _pick(rng, lines, "turn"), _pick(rng, lines, "turn")
        if turn is None or another is None:
            return None
        if rng.random() < 0.3:
            changed = dict(another[which[0]])
        else:
            changed = dict(turn[which[0]])
            name = str(rng.choice(list(changed)))
            changed[name] = _other(rng, changed[name])
        for one in which:
            turn[one] = changed
        return lines

    return way


def _swapped(rng: np.random.Generator, lines: Lines) -> Lines | None:
    if len(lines) < 3:
        return None
    k = int(rng.integers(1, len(lines) - 1))
    lines[k], lines[k + 1] = lines[k + 1], lines[k]
    return lines


def _doubled(rng: np.random.Generator, lines: Lines) -> Lines:
    k = int(rng.integers(1, len(lines)))
    return [*lines[: k + 1], *lines[k:]]


def _deleted(rng: np.random.Generator, lines: Lines) -> Lines | None:
    if len(lines) < 3:
        return None
    del lines[int(rng.integers(1, len(lines) - 1))]
    return lines


def _cut(rng: np.random.Generator, lines: Lines) -> Lines:
    return lines[: int(rng.integers(1, len(lines)))]


def _turns(lines: Lines) -> int:
    """Number of turns after these lines."""
    many = 0
    for line in lines:
        many = {"turn": many + 1, "undo": line.get("turns", 0)}.get(line["line"], many)
    return many


def _undo(rng: np.random.Generator, lines: Lines) -> Lines | None:
    many = _turns(lines)
    return [*lines, {"line": "undo", "turns": int(rng.integers(many))}] if many else None


def _forfeit(rng: np.random.Generator, lines: Lines) -> Lines:
    left = _cut(rng, lines)
    return [*left, {"line": "forfeit", "seat": int(rng.integers(len(lines[0]["seats"]))), "says": "went home"}]


def _ended(rng: np.random.Generator, lines: Lines) -> Lines:
    left = _cut(rng, lines)
    return [*left, {"line": "end", "turns": _turns(left)}]


def _digest(rng: np.random.Generator, lines: Lines) -> Lines:
    line = lines[int(rng.integers(len(lines)))]
    line["chain"] = _other(rng, line["chain"])
    return lines


def _bare(rng: np.random.Generator, lines: Lines) -> Lines:
    for line in lines[int(rng.integers(len(lines))) :]:
        del line["chain"]
    return lines


CUT = "last lines cut off"
WAYS: dict[str, Way] = {
    "version": _head("flicksim"), "seed": _head("seed"), "edition": _head("edition"), "format": _head("format"),
    "an option": _option, "seat words": _seat_word, "points": _in_turn("points"), "verdict": _in_turn("verdict"),
    "reasons": _in_turn("reasons"), "state": _in_turn("state"), "seat": _in_turn("seat"), "number": _in_turn("number"),
    "hand": _hand, "meant": _action("meant"), "made": _action("made"), "meant and made": _action("meant", "made"),
    "swapped": _swapped, "doubled": _doubled, "deleted": _deleted, CUT: _cut, "undo appended": _undo,
    "forfeit appended": _forfeit, "end appended": _ended, "a digest": _digest, "digests taken off": _bare,
}  # fmt: skip
"""Everything a text editor does to a record, by what it alters."""


def lines_of(text: bytes) -> Lines:
    """A record as values, line by line."""
    return [json.loads(line) for line in text.splitlines()]


def text_of(lines: Lines) -> bytes:
    """The same written again, as a record writes it."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def altered(rng: np.random.Generator, text: bytes, way: str) -> bytes | None:
    """A record altered that way; None where it has nothing of the kind."""
    lines = WAYS[way](rng, lines_of(text))
    found = text if lines is None else text_of(lines)
    return None if found == text else found


def outcome(path: Path, way: str) -> tuple[str, list[str]]:
    """Way in which an altered record is found out, and what is wrong with that. Of a cut one it is said that more may
    follow."""
    said = said_of(["replay", str(path), "--verify"])
    wrong = list(said.wrong())
    if said.code in (1, 2):
        return {1: "diverges", 2: "refused"}[said.code], wrong
    if said.code == 0 and "not finished" in said.out and way == CUT:
        return "not finished", wrong
    return "missed", [*wrong, f"nothing is found: {said.out[-200:]!r}"]


def _in_window(path: Path, caught: str) -> list[str]:
    """As the window opens it."""
    before = path.read_bytes()
    wrong = []
    try:
        with within(_LIMIT):
            opened = kept_games.resumed(path)
        if opened.keeper is not None:
            opened.keeper.close()
        if caught != "not finished":
            wrong.append("the window goes on with it")
    except FlicksimError as said:
        if "\n" in str(said):
            wrong.append(f"not one sentence: {str(said)[:200]!r}")
    except Exception as broken:
        wrong.append(f"in the window: {type(broken).__name__}: {broken}")
    if path.exists() and path.read_bytes() != before:
        wrong.append("the window changed it")
    return wrong


def trial(many: int, seed: int, jobs: int = 1) -> Tally:
    """So many records, one way after another."""
    return shared(partial(tries_of, seed), range(many), jobs)


def tries_of(seed: int, numbers: Sequence[int]) -> Tally:
    """The records of these numbers."""
    found, there = Tally(), records()
    with TemporaryDirectory() as scratch:
        for number in numbers:
            rng = Seeds(seed=seed).child("altered", number).generator()
            way = list(WAYS)[number % len(WAYS)]
            name, text = next(
                (str(name), text)
                for name in rng.permutation(list(there))
                if (text := altered(rng, there[str(name)], way)) is not None
            )
            path = Path(scratch) / f"game-{number}.jsonl"
            path.write_bytes(text)
            found.count(way, "records")
            caught, wrong = outcome(path, way)
            found.count(way, caught)
            if number % _WINDOW == 0:
                found.count(way, "in the window")
                wrong += _in_window(path, caught)
            for one in wrong:
                again = f"python -m benchmarks.altered --seed {seed} --only {number}"
                found.find(way, f"{name}: {one}", again)
            path.unlink(missing_ok=True)
    return found


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    given = parser("altered", __doc__, records=1_000).parse_args(words)
    only = given.only is not None
    found = tries_of(given.seed, [given.only]) if only else trial(given.records, given.seed, given.jobs)
    return found.show(f"Altered records, seed {given.seed}")


if __name__ == "__main__":
    raise SystemExit(main())
