"""Series of games between the same players, sequential or parallel, with confidence intervals."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from multiprocessing import parent_process
from pathlib import Path

from msgspec.structs import replace

from flicksim.ai import wilson_interval as wilson_interval
from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import CannotContinue, InvalidFile
from flicksim.core.file_lock import FileLock
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value, to_json
from flicksim.core.type_aliases import JsonValue
from flicksim.games import load
from flicksim.match.match import Forfeit, Match, MatchLimits
from flicksim.match.match_factory import Seat, check_shell_seats, open_match, parse_seat
from flicksim.match.record import open_replay, read_record, resume_record
from flicksim.match.record_format import Recorder, match_header
from flicksim.match.warmup_targets import warm_up_match
from flicksim.match.workers import map_unordered
from flicksim.referee import parse_options


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

    A game that cannot continue is a result with an error. With `resume`, an existing record is continued.
    """
    loaded = load(game)
    specs = [parse_seat(seat) for seat in seats]
    match = open_match(loaded, parse_options(loaded, options), specs, game_seed(seed, number), bounds=bounds)
    message, path, recorder = "", Path(record) if record else None, None
    try:
        if resume and path is not None and path.exists():
            match, recorder = _resume_game(match, seats, path)
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


def _resume_game(match: Match, seats: tuple[str, ...], path: Path) -> tuple[Match, Recorder]:
    """Replay the record of a game of a series, finished or not.

    Raises:
        InvalidFile: it is not that of `match`, or see `resume_record`.
    """
    record, header = read_record(path), match_header(match, seats)
    same = replace(record.header, flicksim=header.flicksim, format=header.format, chain="")
    if to_json(same) != to_json(header):
        raise InvalidFile(f"{str(path)!r} is of another series: its game, seats, options, seed or limits differ")
    replay, _ = open_replay(record)
    return replay.match, resume_record(replay, "resumed", may_be_finished=True)


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
        resume: whether records in the folder are continued, those of finished games by a replay.

    Raises:
        FileLocked: another process writes records there. InvalidFile: the folder cannot be made or contains records, or
            a file is named for several games.
        InvalidOption: the program of a seat does not exist.
    """
    check_shell_seats(seats)
    check_record_path(games, folder)
    is_file = _is_record_file(folder)
    if folder is not None and is_file and not resume and folder.exists():
        raise InvalidFile(f"{str(folder)!r} exists; resume it (--resume in the shell), or choose another name")

    def task(number: int) -> tuple[object, ...]:
        lined_up = seats if lineup is None else lineup(number)
        record = folder if folder is None or is_file else folder / f"game-{number:05d}.jsonl"
        return (game, options, tuple(str(seat) for seat in lined_up), seed, number, str(record or ""), bounds, resume)

    def play(lock: AbstractContextManager[object]) -> Iterator[GameResult]:
        with lock:
            yield from map_unordered(play_one, map(task, range(1, games + 1)), jobs=jobs, executor=executor)

    return play(nullcontext() if folder is None or is_file else _prepare_folder(folder, resume=resume))


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


def _prepare_folder(folder: Path, *, resume: bool) -> FileLock:
    """Make and lock a folder for records, which is empty unless `resume`."""
    try:
        folder.mkdir(exist_ok=True)
        lock = FileLock(folder)
        existing = None if resume else min(folder.glob("game-*.jsonl"), default=None)
    except OSError as error:
        raise InvalidFile(f"cannot write to {str(folder)!r}: {os_error_message(error)}") from None
    if existing is not None:
        lock.release()
        raise InvalidFile(
            f"{str(folder)!r} already holds records ({existing.name}); resume them (--resume in the shell), or choose "
            "an empty folder"
        )
    return lock


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
