"""Tamper test of game records: `flicksim replay --verify` detects every alteration, and the window refuses the record.

`python -m benchmarks.tampered_records [--records N] [--seed S] [--jobs J] [--only NUMBER]`. Records of every game, with
people, bots and random players, with undone turns, unfinished and finished; each is altered in one way that a text
editor can. Records whose digests were all recomputed cannot be detected and are not tried.
"""

import json
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np

from benchmarks import command_line
from benchmarks.fuzz_files import run_command
from benchmarks.trial_report import TrialReport, time_limit
from flicksim.ai import GRADES, RandomPlayer
from flicksim.core.errors import FlicksimError
from flicksim.core.random_streams import RandomStreams
from flicksim.games import load, names
from flicksim.gui.match import saved_games
from flicksim.match import Forfeit, Match, Recorder, Turn, match_header, open_match, parse_seat
from flicksim.referee import options_of, parse_options

_SHORT_OPTIONS = {"ends": 1, "rounds": 1}
"""Options that make games short, where they exist."""
_TURNS = 12
"""Turns of an unfinished game."""
_UNDONE_TURN = 4
"""This turn is undone and played again."""
_FULL_GAMES = ("penny-white", "dominoes")
"""Games that are also played to the end."""
_LIMIT = 60.0
"""Processor time limit per record [s]."""
_GUI_EVERY = 4
"""One record in so many is also opened as the window does."""

Lines = list[dict[str, Any]]
Alteration = Callable[[np.random.Generator, Lines], Lines]


def _match(name: str) -> tuple[Match, tuple[str, ...]]:
    game = load(name)
    seats = tuple(("human", "random", "bot:beginner")[k % 3] for k in range(max(game.seats[0], 2)))
    available = {option.name for option in options_of(game)}
    options = parse_options(game, {option: value for option, value in _SHORT_OPTIONS.items() if option in available})
    match = open_match(game, options, [parse_seat(word) for word in seats], 4)
    match.noise = tuple(  # the window gives people execution noise
        GRADES["club"] if player is None else noise for noise, player in zip(match.noise, match.players, strict=True)
    )
    return match, seats


def play_turn(match: Match) -> Turn:
    """Play one turn by the seat's player, or a random player for people."""
    seat = match.to_play
    assert seat is not None
    player = match.players[seat] or RandomPlayer(match.rules.check_action)
    rng = match.streams.spawn("player", seat, len(match.turns) + 1).generator()
    return match.play(player.choose(match.rules.view(match.state, seat), match.legal_actions(), rng))


def _write_record(path: Path, name: str, max_turns: int, *, forfeit: bool = False) -> bytes:
    """Write a record of at most so many turns; one turn is undone, and the game may end by forfeit."""
    match, seats = _match(name)
    with Recorder(path, match_header(match, seats), durable=False) as recorder:
        while not match.is_over and len(match.turns) < max_turns:
            recorder.write_turn(play_turn(match))
            if len(match.turns) == _UNDONE_TURN and not match.is_over:
                match.undo()
                recorder.write_undo(len(match.turns))
                recorder.write_turn(play_turn(match))
        if forfeit and match.to_play is not None:
            recorder.write_forfeit(Forfeit(seat=match.to_play, reason="went home"))
    return path.read_bytes()


@lru_cache(maxsize=1)
def records() -> dict[str, bytes]:
    """Records of every game by name: unfinished, forfeited, and for short games finished."""
    found = {}
    with TemporaryDirectory() as folder:
        for name in names():
            path = Path(folder) / name
            found[f"{name}, unfinished"] = _write_record(path.with_suffix(".unfinished"), name, _TURNS)
            found[f"{name}, forfeited"] = _write_record(
                path.with_suffix(".forfeited"), name, _UNDONE_TURN + 1, forfeit=True
            )
            if name in _FULL_GAMES:
                found[f"{name}, finished"] = _write_record(path.with_suffix(".finished"), name, 10**6)
    return found


# -- alterations ------------------------------------------------------------------------------------------------------


def _choose_turn(rng: np.random.Generator, lines: Lines) -> dict[str, Any]:
    turns = [line for line in lines if line["line"] == "turn"]
    return turns[int(rng.integers(len(turns)))]


def _other(rng: np.random.Generator, value: Any) -> Any:
    """Another value of the same type."""
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


def _alter_header(name: str, rng: np.random.Generator, lines: Lines) -> Lines:
    lines[0][name] = _other(rng, lines[0][name])
    return lines


def _alter_option(rng: np.random.Generator, lines: Lines) -> Lines:
    options = lines[0]["options"]
    name = str(rng.choice(list(options)))
    options[name] = _other(rng, options[name])
    return lines


def _alter_seat(rng: np.random.Generator, lines: Lines) -> Lines:
    seats = lines[0]["seats"]
    k = int(rng.integers(len(seats)))
    seats[k] = str(rng.choice([word for word in ("human", "random", "bot:club", "bot:world") if word != seats[k]]))
    return lines


def _alter_turn(name: str, rng: np.random.Generator, lines: Lines) -> Lines:
    turn = _choose_turn(rng, lines)
    turn[name] = _other(rng, turn[name])
    return lines


def _alter_grade(rng: np.random.Generator, lines: Lines) -> Lines:
    turn = _choose_turn(rng, lines)
    turn["hand"] = "world" if turn.get("hand") != "world" else "steady"
    return lines


def _alter_action(fields: Sequence[str], rng: np.random.Generator, lines: Lines) -> Lines:
    """Alter the intended action, the executed one or both: change a value, or take the action of another turn."""
    turn, another = _choose_turn(rng, lines), _choose_turn(rng, lines)
    if rng.random() < 0.3:
        changed = dict(another[fields[0]])
    else:
        changed = dict(turn[fields[0]])
        name = str(rng.choice(list(changed)))
        changed[name] = _other(rng, changed[name])
    for field in fields:
        turn[field] = changed
    return lines


def _swap_lines(rng: np.random.Generator, lines: Lines) -> Lines:
    k = int(rng.integers(1, len(lines) - 1))
    lines[k], lines[k + 1] = lines[k + 1], lines[k]
    return lines


def _duplicate_line(rng: np.random.Generator, lines: Lines) -> Lines:
    k = int(rng.integers(1, len(lines)))
    return [*lines[: k + 1], *lines[k:]]


def _delete_line(rng: np.random.Generator, lines: Lines) -> Lines:
    del lines[int(rng.integers(1, len(lines) - 1))]
    return lines


def _truncate(rng: np.random.Generator, lines: Lines) -> Lines:
    return lines[: int(rng.integers(1, len(lines)))]


def _count_turns(lines: Lines) -> int:
    """Number of turns after these lines."""
    turns = 0
    for line in lines:
        turns = {"turn": turns + 1, "undo": line.get("turns", 0)}.get(line["line"], turns)
    return turns


def _append_undo(rng: np.random.Generator, lines: Lines) -> Lines:
    return [*lines, {"line": "undo", "turns": int(rng.integers(_count_turns(lines)))}]


def _append_forfeit(rng: np.random.Generator, lines: Lines) -> Lines:
    left = _truncate(rng, lines)
    return [*left, {"line": "forfeit", "seat": int(rng.integers(len(lines[0]["seats"]))), "says": "went home"}]


def _append_end(rng: np.random.Generator, lines: Lines) -> Lines:
    left = _truncate(rng, lines)
    return [*left, {"line": "end", "turns": _count_turns(left)}]


def _change_digest(rng: np.random.Generator, lines: Lines) -> Lines:
    line = lines[int(rng.integers(len(lines)))]
    line["chain"] = _other(rng, line["chain"])
    return lines


def _drop_digests(rng: np.random.Generator, lines: Lines) -> Lines:
    for line in lines[int(rng.integers(len(lines))) :]:
        del line["chain"]
    return lines


TRUNCATION = "last lines cut off"
ALTERATIONS: dict[str, Alteration] = {
    "version": partial(_alter_header, "flicksim"),
    "seed": partial(_alter_header, "seed"),
    "edition": partial(_alter_header, "edition"),
    "format": partial(_alter_header, "format"),
    "an option": _alter_option,
    "seat words": _alter_seat,
    "points": partial(_alter_turn, "points"),
    "verdict": partial(_alter_turn, "verdict"),
    "reasons": partial(_alter_turn, "reasons"),
    "state": partial(_alter_turn, "state"),
    "seat": partial(_alter_turn, "seat"),
    "number": partial(_alter_turn, "number"),
    "hand": _alter_grade,
    "meant": partial(_alter_action, ("meant",)),
    "made": partial(_alter_action, ("made",)),
    "meant and made": partial(_alter_action, ("meant", "made")),
    "swapped": _swap_lines,
    "doubled": _duplicate_line,
    "deleted": _delete_line,
    TRUNCATION: _truncate,
    "undo appended": _append_undo,
    "forfeit appended": _append_forfeit,
    "end appended": _append_end,
    "a digest": _change_digest,
    "digests taken off": _drop_digests,
}
"""Alterations of a record that a text editor can make, by name."""


def lines_of(text: bytes) -> Lines:
    """Parse the lines of a record."""
    return [json.loads(line) for line in text.splitlines()]


def text_of(lines: Lines) -> bytes:
    """Write lines as a record does."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def alter(rng: np.random.Generator, text: bytes, name: str) -> bytes | None:
    """Apply an alteration to a record; None if it changes nothing."""
    found = text_of(ALTERATIONS[name](rng, lines_of(text)))
    return None if found == text else found


def outcome(path: Path, name: str) -> tuple[str, list[str]]:
    """Outcome of verifying an altered record, and the problems. A truncated record may be reported as unfinished."""
    output = run_command(["replay", str(path), "--verify"])
    problems = list(output.problems())
    if output.code in (1, 2):
        return {1: "diverges", 2: "refused"}[output.code], problems
    if output.code == 0 and "not finished" in output.out and name == TRUNCATION:
        return "not finished", problems
    return "missed", [*problems, f"nothing is found: {output.out[-200:]!r}"]


def _open_in_gui(path: Path, verified: str) -> list[str]:
    """Open a record as the window does; return the problems."""
    before = path.read_bytes()
    problems = []
    try:
        with time_limit(_LIMIT):
            opened = saved_games.resume(path)
        if opened.recorder is not None:
            opened.recorder.close()
        if verified != "not finished":
            problems.append("the window resumes it")
    except FlicksimError as error:
        if "\n" in str(error):
            problems.append(f"not a one-line error: {str(error)[:200]!r}")
    except Exception as error:
        problems.append(f"in the window: {type(error).__name__}: {error}")
    if path.exists() and path.read_bytes() != before:
        problems.append("the window changed it")
    return problems


def run_trials(seed: int, numbers: Sequence[int]) -> TrialReport:
    """Try the records of these numbers."""
    report, originals = TrialReport(), records()
    with TemporaryDirectory() as scratch:
        for number in numbers:
            rng = RandomStreams(seed=seed).spawn("altered", number).generator()
            alteration = list(ALTERATIONS)[number % len(ALTERATIONS)]
            name, text = next(
                (str(name), text)
                for name in rng.permutation(list(originals))
                if (text := alter(rng, originals[str(name)], alteration)) is not None
            )
            path = Path(scratch) / f"game-{number}.jsonl"
            path.write_bytes(text)
            report.count(alteration, "records")
            verified, problems = outcome(path, alteration)
            report.count(alteration, verified)
            if number % _GUI_EVERY == 0:
                report.count(alteration, "in the window")
                problems += _open_in_gui(path, verified)
            for problem in problems:
                again = f"python -m benchmarks.tampered_records --seed {seed} --only {number}"
                report.find(alteration, f"{name}: {problem}", again)
            path.unlink(missing_ok=True)
    return report


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    return command_line.run_trials("tampered_records", __doc__, argv, "Altered records", run_trials, records=1_000)


if __name__ == "__main__":
    raise SystemExit(main())
