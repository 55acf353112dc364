"""Series of games between the same players, sequential or parallel, with confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from fractions import Fraction
from math import sqrt
from pathlib import Path

from flicksim.core.atomic_files import os_error_message
from flicksim.core.errors import CannotContinue, InvalidFile
from flicksim.core.file_lock import FileLock
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import JsonValue
from flicksim.games import load
from flicksim.match.match import Forfeit, Match, MatchLimits
from flicksim.match.match_factory import Seat, check_shell_seats, open_match, parse_seat
from flicksim.match.record_format import match_header
from flicksim.match.recorder import Recorder
from flicksim.match.workers import map_unordered
from flicksim.referee import parse_options


class GameResult(Value, frozen=True, kw_only=True):
    """The end of one game of a series.

    Args:
        number: from 1. seed: its chance. points: by seat. winners: nobody, where it could not go on.
        turns: how many were played. forfeit: who gave up, if anybody. lost: why it could not go on, if it could not.
        cut_short: whether one of the bounds ended it.
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
    """The points and wins of a seat in a series.

    Args:
        wins: games won by the seat's side alone, which is itself or it and its partner.
        shared: games drawn or won jointly with another side. points: sum over all games.
        forfeits: games lost because the player could not go on. forfeit_reason: how it was the first time.
        rate: share of games won, a shared win counted by the side's share. low, high: its 95 % interval (Wilson).
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
    """A series as far as it was played.

    Args:
        games: that came to an end; of these all else is told. lost: those that could not go on.
        cut_short: so many games reached a bound and count as they stood.
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
    """Seed of the n-th game of a series: it does not depend on how many are played or by how many workers."""
    return RandomStreams(seed=seed).spawn("game", number).derived_seed() % 2**53


def play_one(
    game: str, options: dict[str, JsonValue], seats: tuple[str, ...], seed: int, number: int, record: str,
    bounds: MatchLimits | None = None,
) -> GameResult:  # fmt: skip
    """Play the n-th game of a series; with the name of a record, it is written there turn by turn.

    A game that cannot go on is one result among others.
    """
    card = load(game)
    sitting = [parse_seat(seat) for seat in seats]
    match = open_match(card, parse_options(card, options), sitting, game_seed(seed, number), bounds=bounds)
    recorder = None
    if record:
        recorder = Recorder(Path(record), match_header(match, seats), durable=False)
    lost = ""
    try:
        try:
            for turn in match.run():
                if recorder is not None:
                    recorder.write_turn(turn)
        except CannotContinue as wrong:
            lost = str(wrong)
        if recorder is not None and match.forfeit is not None:
            recorder.write_forfeit(match.forfeit)
    finally:
        match.close()
        if recorder is not None:
            recorder.close()
    return game_result(match, number, lost)


def game_result(match: Match, number: int, error: str = "") -> GameResult:
    """The end of a game, or why it could not go on."""
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
) -> Iterator[GameResult]:
    """The games of a series as they finish. The results do not depend on `jobs`, only their order does.

    Args:
        jobs, executor: how many workers, and where they work (see `workers.map_unordered`).
        folder: for the records; something.jsonl is a file, for a single game.
        lineup: who sits where in the n-th game, where that changes from game to game.
        bounds: the longest a game may last.

    Raises:
        InUse: another process writes records there. InvalidFile: the folder cannot be made or already holds records, or
            a file is named for several games.
        InvalidOption: a program that is to sit down is not there.
    """
    check_shell_seats(seats)
    check_record_path(games, folder)
    alone = _is_record_file(folder)

    def work(number: int) -> tuple[object, ...]:
        those = seats if lineup is None else lineup(number)
        record = folder if folder is None or alone else folder / f"game-{number:05d}.jsonl"
        return (game, options, tuple(str(seat) for seat in those), seed, number, str(record or ""), bounds)

    with nullcontext() if folder is None or alone else _prepare_folder(folder):
        yield from map_unordered(play_one, map(work, range(1, games + 1)), jobs=jobs, executor=executor)


def check_record_path(games: int, path: Path | None) -> None:
    """See that records of so many games have room there.

    Raises:
        InvalidFile: it is the name of a single record, something.jsonl.
    """
    if games != 1 and _is_record_file(path):
        raise InvalidFile(f"{str(path)!r} is the name of a file, for one game; name a folder for {games} games")


def _is_record_file(path: Path | None) -> bool:
    """Tell whether that is the name of a record, something.jsonl, not of a folder for records."""
    return path is not None and path.suffix == ".jsonl" and not path.is_dir()


def _prepare_folder(folder: Path) -> FileLock:
    """The folder for records, there, empty of them, and nobody else's meanwhile."""
    try:
        folder.mkdir(exist_ok=True)
        lock = FileLock(folder)
        taken = next(folder.glob("game-*.jsonl"), None)
    except OSError as wrong:
        raise InvalidFile(f"cannot write to {str(folder)!r}: {os_error_message(wrong)}") from None
    if taken is not None:
        lock.release()
        raise InvalidFile(f"{str(folder)!r} already holds records ({taken.name}); choose an empty folder")
    return lock


def summarise_series(
    game: str,
    options: dict[str, JsonValue],
    seats: Sequence[Seat],
    requested: int,
    seed: int,
    results: Sequence[GameResult],
) -> SeriesResult:
    """The figures of a series; games that could not go on are told of and left out of the figures."""
    stuck = tuple(result for result in results if result.error)
    results = [result for result in results if not result.error]
    count = len(results)
    sides = load(game).sides(len(seats))
    rows = []
    for seat, who in enumerate(seats):
        heads = [winning_sides(sides, result.winners) for result in results if seat in result.winners]
        wins = heads.count(1)
        shared = len(heads) - wins
        share = sum((Fraction(1, many) for many in heads), Fraction(0))
        points = sum((result.points[seat] for result in results), Fraction(0))
        rate = float(share / count) if count else 0.0
        low, high = wilson_interval(rate, count)
        lost = [result.forfeit.says for result in results if result.forfeit is not None and result.forfeit.seat == seat]
        rows.append(
            SeatResult(
                player=str(who), wins=wins, shared_wins=shared, points=points, rate=rate, low=low, high=high,
                forfeits=len(lost), forfeit_reason=lost[0] if lost else "",
            )
        )  # fmt: skip
    draws = sum(winning_sides(sides, result.winners) > 1 for result in results)
    return SeriesResult(
        game=game, games=count, requested_games=requested, seed=seed, options=options, draws=draws, seats=tuple(rows),
        failed_games=stuck, truncated_games=sum(result.is_truncated for result in results),
    )  # fmt: skip


def winning_sides(sides: Sequence[Sequence[int]], winners: Sequence[int]) -> int:
    """The number of sides that win a game: partners are one (TW-1b, TW-5e)."""
    return sum(any(seat in winners for seat in side) for side in sides)


def wilson_interval(rate: float, count: int) -> tuple[float, float]:
    """95 % interval of a share seen in so many trials (Wilson, 1927)."""
    if count == 0:
        return (0.0, 1.0)
    z = 1.959964
    middle = (rate + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    return (max(0.0, round(middle - half, 12)), min(1.0, round(middle + half, 12)))
