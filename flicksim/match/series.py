"""Series of games between the same players, sequential or parallel, with confidence intervals."""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from fractions import Fraction
from multiprocessing import parent_process
from pathlib import Path

from flicksim.ai import wilson_interval as wilson_interval
from flicksim.core.atomic_files import os_error_message, path_exists
from flicksim.core.errors import CannotContinue, InvalidFile, advise
from flicksim.core.file_lock import FileLock
from flicksim.core.limits import truncate_middle
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value, to_json
from flicksim.core.type_aliases import JsonValue
from flicksim.games import load
from flicksim.match.match import Forfeit, Match, MatchLimits
from flicksim.match.match_factory import Seat, check_shell_seats, open_match, parse_seat
from flicksim.match.record import is_unbegun, open_replay, read_record, require_untampered, resume_record
from flicksim.match.record_format import Header, Recorder, match_header
from flicksim.match.warmup_targets import warm_up_match
from flicksim.match.workers import check_main_guard, map_unordered
from flicksim.referee import parse_options

_MOVE = "move it elsewhere, and its game is played anew"
"""Advice for a record that cannot be resumed."""
_RESUME = "--resume (in Python resume=True)"


class GameResult(Value, frozen=True, kw_only=True):
    """Result of one game of a series.

    Args:
        number: from 1. seed: of the game. points: by seat. winners: seats; empty where the game failed.
        turns: number played. forfeit: that ended it, if any. error: message, where it could not continue.
        is_truncated: whether a limit ended it.
    """

    number: int
    seed: int
    points: tuple[Fraction, ...]
    winners: tuple[int, ...]
    turns: int
    forfeit: Forfeit | None = None
    error: str = ""
    is_truncated: bool = False


class SeatResult(Value, frozen=True, kw_only=True):
    """Points and wins of a seat in a series.

    Args:
        wins: games won by the seat's side alone, with its partner if it has one.
        shared_wins: games drawn or won jointly with another side. points: sum over all games.
        rate: share of games won, a shared win counted by the side's share. low, high: its 95 % interval (Wilson).
        forfeits: games lost because the player could not continue. forfeit_reason: of the first of them.
    """

    player: str
    wins: int
    shared_wins: int
    points: Fraction
    rate: float
    low: float
    high: float
    forfeits: int = 0
    forfeit_reason: str = ""


class SeriesResult(Value, frozen=True, kw_only=True):
    """Result of a series, or of its games played so far.

    Args:
        games: number finished; all else is about these. failed_games: those that could not continue.
        truncated_games: number ended by a limit and scored as they stood.
    """

    game: str
    games: int
    requested_games: int
    seed: int
    options: dict[str, JsonValue]
    draws: int
    seats: tuple[SeatResult, ...]
    failed_games: tuple[GameResult, ...] = ()
    truncated_games: int = 0


def game_seed(seed: int, number: int) -> int:
    """Seed of the n-th game of a series; independent of the number of games and workers."""
    return RandomStreams(seed=seed).spawn("game", number).derived_seed() % 2**53


def play_match(
    match: Match,
    seats: tuple[str, ...],
    record: Path | None,
    *,
    choose: Callable[[Match], Value] | None = None,
    durable: bool = True,
) -> None:
    """Play a match to its end, recorded turn by turn if `record` is a path; `choose` as in `Match.run`."""
    turns = match.run(choose=choose)
    if record is None:
        list(turns)
        return
    with Recorder(record, match_header(match, seats), durable=durable) as recorder:
        recorder.write_match(match, turns)


def play_one(
    game: str, options: dict[str, JsonValue], seats: tuple[str, ...], seed: int, number: int, record: str,
    bounds: MatchLimits | None = None, resume: bool = False,
) -> GameResult:  # fmt: skip
    """Play the n-th game of a series, recorded turn by turn if `record` is a path.

    A game that cannot continue is a result with an error. With `resume`, an existing record is continued, which is of
    this game (`play_series` checks that), or replaced where that has not begun.
    """
    match = _open_game(game, options, seats, seed, number, bounds)
    message, path, recorder = "", Path(record) if record else None, None
    try:
        if resume and path is not None and is_unbegun(path):
            with FileLock(path):
                if is_unbegun(path):  # another process may have written the first line meanwhile
                    path.unlink()
        if resume and path is not None and path.exists():
            with advise(_MOVE):
                replay, _ = open_replay(read_record(path))
            match, recorder = replay.match, resume_record(replay, "resumed", may_be_finished=True)
        choose = None if parent_process() is not None else warm_up_match(match, None)  # workers compile where they are
        if recorder is None:
            play_match(match, seats, path, choose=choose, durable=False)
        else:
            with recorder:
                if not match.is_over:
                    recorder.write_match(match, match.run(choose=choose))
    except CannotContinue as error:
        message = str(error)
    finally:
        match.close()
    return game_result(match, number, message)


def _open_game(
    game: str, options: dict[str, JsonValue], seats: tuple[str, ...], seed: int, number: int, bounds: MatchLimits | None
) -> Match:
    """Open the n-th game of a series."""
    loaded, specs = load(game), [parse_seat(seat) for seat in seats]
    return open_match(loaded, parse_options(loaded, options), specs, game_seed(seed, number), bounds=bounds)


def game_result(match: Match, number: int, error: str = "") -> GameResult:
    """Make the result of a game, or of one that failed with an error."""
    return GameResult(
        number=number, seed=match.streams.seed, points=match.scores, winners=match.winners, turns=len(match.turns),
        forfeit=match.forfeit, error=error, is_truncated=match.is_truncated,
    )  # fmt: skip


def play_series(
    game: str,
    options: dict[str, JsonValue],
    seats: Sequence[Seat],
    games: int,
    seed: int,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    folder: Path | None = None,
    lineup: Callable[[int], Sequence[Seat]] | None = None,
    bounds: MatchLimits | None = None,
    resume: bool = False,
) -> Iterator[GameResult]:
    """Play a series of games; yields results as games finish. Only their order depends on `jobs`.

    The folder is checked and locked at once, before the first game is asked for.

    Args:
        jobs, executor: number and place of the workers (see `workers.map_unordered`).
        folder: of the records, or a file *.jsonl for a single game.
        lineup: seats of the n-th game, where they change from game to game.
        bounds: limits on the length of a game.
        resume: whether records in the folder are continued, those of finished games by a replay; the game of one that
            is empty or cut in its first line has not begun.

    Raises:
        FileLocked: another process writes records there.
        InvalidFile: a file is named for several games; the folder cannot be made, or is not empty; or, with `resume`,
            is not there, or its records are of another match.
        InvalidOption: the program of a seat does not exist.
    """
    check_main_guard(jobs, executor)
    check_shell_seats(seats)
    check_record_path(games, folder)
    is_file = _is_record_file(folder)

    def lined_up(number: int) -> tuple[str, ...]:
        return tuple(str(seat) for seat in (seats if lineup is None else lineup(number)))

    def header(number: int) -> Header:
        with closing(_open_game(game, options, lined_up(number), seed, number, bounds)) as match:
            return match_header(match, lined_up(number))

    def task(number: int) -> tuple[object, ...]:
        record = folder if folder is None or is_file else folder / f"game-{number:05d}.jsonl"
        return (game, options, lined_up(number), seed, number, str(record or ""), bounds, resume)

    def play(lock: AbstractContextManager[object]) -> Iterator[GameResult]:
        with lock:
            try:
                yield from map_unordered(play_one, map(task, range(1, games + 1)), jobs=jobs, executor=executor)
            finally:
                _remove_stale_locks(folder)

    if folder is None:
        return play(nullcontext())
    _check_place(folder, resume=resume)
    if is_file:
        if resume:
            _check_same_game(folder, header(1), seed, 1)
        return play(nullcontext())
    with ExitStack() as stack:
        lock = stack.enter_context(_lock_folder(folder))
        records = _find_records(folder, resume=resume)
        for number, path in records:
            if number <= games:
                _check_same_game(path, header(number), seed, number)
        if others := [path.name for number, path in records if number > games]:
            only = f"{str(folder)!r} holds more games than {games}; these are neither continued nor counted"
            logging.getLogger("flicksim").warning(f"{only}: {truncate_middle(', '.join(others), 100)}")
        stack.pop_all()
    return play(lock)


def check_record_path(games: int, path: Path | None) -> None:
    """Check that a path can take the records of so many games.

    Raises:
        InvalidFile: it is that of a single record (*.jsonl), for several games.
    """
    if games != 1 and _is_record_file(path):
        raise InvalidFile(f"{str(path)!r} is the name of a file, for one game; name a folder for {games} games")


def _is_record_file(path: Path | None) -> bool:
    """Return True for the path of a record file (*.jsonl), not of a folder."""
    return path is not None and path.suffix == ".jsonl" and not path.is_dir()


def _check_place(path: Path, *, resume: bool) -> None:
    """Check that records can be at a path: that it is there, or for a new match can be made."""
    if not path_exists(path):
        if resume:
            raise InvalidFile(
                f"{str(path)!r} does not exist; name the folder of the match, or begin one without {_RESUME}"
            )
        if not path_exists(path.absolute().parent):
            raise InvalidFile(f"the folder of {str(path)!r} does not exist; make {str(path.parent)!r} first")
    elif _is_record_file(path) and path.is_file():  # and no device
        if not resume:
            raise InvalidFile(f"{str(path)!r} exists; resume it by {_RESUME}, or choose another name")
    elif not path.is_dir():
        raise InvalidFile(f"{str(path)!r} is a file; name a folder for the records, new or empty")


def _lock_folder(folder: Path) -> FileLock:
    """Make the folder, if it is not there, and lock it."""
    try:
        folder.mkdir(exist_ok=True)
        return FileLock(folder)
    except OSError as error:
        raise InvalidFile(f"cannot write to {str(folder)!r}: {os_error_message(error)}") from None


def _remove_stale_locks(folder: Path | None) -> None:
    """Remove the lock files of records in a folder whose writers, workers, were ended."""
    for path in () if folder is None else folder.glob(".game-*.jsonl.lock"):
        with suppress(InvalidFile):  # as where one is still being written
            FileLock(path.with_name(path.name[1:-5])).release()


def _find_records(folder: Path, *, resume: bool) -> list[tuple[int, Path]]:
    """Numbers and records of the games in a folder; a new match needs one without other files, so that none mix."""
    try:
        files = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise InvalidFile(f"cannot read {str(folder)!r}: {os_error_message(error)}") from None
    records = [(int(path.stem[5:]), path) for path in files if re.fullmatch(r"game-\d{5,}\.jsonl", path.name)]
    if resume:
        if not records:
            problem = f"holds no records to resume; name the folder of the match, or begin one without {_RESUME}"
            raise InvalidFile(f"{str(folder)!r} {problem}")
        return records
    if records:
        raise InvalidFile(
            f"{str(folder)!r} already holds records ({records[0][1].name}); resume them by {_RESUME}, "
            "or choose an empty folder"
        )
    if files:
        raise InvalidFile(f"{str(folder)!r} holds {files[0].name!r} and no match; choose a new or empty folder")
    return []


def _check_same_game(path: Path, expected: Header, seed: int, number: int) -> None:
    """Check that a record is of the expected game, the n-th of a series, or of one that has not begun.

    Raises:
        InvalidFile: it is of another one; says what differs, with both values.
    """
    if is_unbegun(path):
        state = "is cut in its first line" if path.stat().st_size else "is empty"
        logging.getLogger("flicksim").warning(f"{str(path)!r} {state}: its game begins anew")
        return
    with advise(_MOVE):
        recorded = require_untampered(read_record(path)).header
    there, here = (_settings(header, seed, number) for header in (recorded, expected))
    names = [name for name in {**here, **there} if there.get(name) != here.get(name)]
    if "game" in names:  # the options of another game say nothing
        names = ["game"]
    if names == ["seed"]:
        others = (other for other in range(1, 1000) if game_seed(seed, other) == recorded.seed)
        if other := next(others, None):
            raise InvalidFile(f"{str(path)!r} is game {other} of this match, not game {number}; {_MOVE}")
    if names:
        differing = (f"{name} {there.get(name, 'none')} there, {here.get(name, 'none')} here" for name in names)
        raise InvalidFile(f"{str(path)!r} is of another match: {'; '.join(differing)}")


def _settings(header: Header, seed: int, number: int) -> dict[str, str]:
    """Settings of the n-th game of a series, by the words of errors; another seed is searched for."""
    seeds = (known for known in (seed, *range(1000)) if game_seed(known, number) == header.seed)
    series_seed = str(next(seeds, f"unknown (that of its game is {header.seed})"))
    settings = {
        "game": header.game, "edition of the rules": header.edition, "seats": header.seats,
        **{f"option {name}": value for name, value in header.options.items()},
        "limit of turns": header.bounds.turns, "limit of moves": header.bounds.moves, "position": header.position,
    }  # fmt: skip
    return {name: to_json(value).decode() for name, value in settings.items()} | {"seed": series_seed}


def summarise_series(
    game: str,
    options: dict[str, JsonValue],
    seats: Sequence[Seat],
    requested: int,
    seed: int,
    results: Sequence[GameResult],
) -> SeriesResult:
    """Summarise a series; failed games are listed and not counted."""
    failed = tuple(result for result in results if result.error)
    results = [result for result in results if not result.error]
    count = len(results)
    sides = load(game).sides(len(seats))
    rows = []
    for seat, player in enumerate(seats):
        shares = [winning_sides(sides, result.winners) for result in results if seat in result.winners]
        wins = shares.count(1)
        shared = len(shares) - wins
        share = sum((Fraction(1, sharing) for sharing in shares), Fraction(0))
        points = sum((result.points[seat] for result in results), Fraction(0))
        rate = float(share / count) if count else 0.0
        low, high = wilson_interval(rate, count)
        reasons = [
            result.forfeit.reason for result in results if result.forfeit is not None and result.forfeit.seat == seat
        ]
        rows.append(
            SeatResult(
                player=str(player), wins=wins, shared_wins=shared, points=points, rate=rate, low=low, high=high,
                forfeits=len(reasons), forfeit_reason=reasons[0] if reasons else "",
            )
        )  # fmt: skip
    draws = sum(winning_sides(sides, result.winners) > 1 for result in results)
    return SeriesResult(
        game=game, games=count, requested_games=requested, seed=seed, options=options, draws=draws, seats=tuple(rows),
        failed_games=failed, truncated_games=sum(result.is_truncated for result in results),
    )  # fmt: skip


def winning_sides(sides: Sequence[Sequence[int]], winners: Sequence[int]) -> int:
    """Number of sides that win a game; partners are one side (TW-1b, TW-5e)."""
    return sum(any(seat in winners for seat in side) for side in sides)
