"""Command `flicksim match`: series of bot games, and team matches."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from flicksim.cli import formatting
from flicksim.cli.arguments import (
    AsJson,
    GameName,
    Jobs,
    OptionWords,
    SeatWords,
    SeedNumber,
    check_suffix,
    option,
    switch,
)
from flicksim.cli.console import err, out, show_json
from flicksim.cli.match_limits import MaxMoves, MaxTurns, match_limits
from flicksim.cli.play import print_option_warnings, resolve_seats
from flicksim.core.counting import count_of
from flicksim.core.errors import InvalidFile, InvalidOption, WorkersLost
from flicksim.core.sanitize import escape_unprintable
from flicksim.core.serialization import to_builtins
from flicksim.core.type_aliases import Unchecked
from flicksim.games import load
from flicksim.match import (
    GameResult,
    MatchLimits,
    Seat,
    check_record_path,
    parse_seat,
    play_series,
    read_record,
    summarise_series,
)
from flicksim.referee import Fixture, Game, TeamScore, parse_options


def match_command(
    game: GameName,
    seat: SeatWords = None,
    games: Annotated[
        int | None, option("--games", "N", "Number of games. [default: 10]", min=1, max=10_000_000)
    ] = None,
    seed: SeedNumber = 1,
    option: OptionWords = None,
    jobs: Jobs = 1,
    record: Annotated[
        Path | None,
        option("--record", "DIR|FILE", "Folder for the records of all games, or FILE.jsonl for the record of one."),
    ] = None,
    resume: Annotated[bool, switch("--resume", "Continue an interrupted match with the records of --record.")] = False,
    team_match: Annotated[bool, switch("--team-match", "Play a team match; --seat HOME --seat AWAY.")] = False,
    max_turns: MaxTurns = None,
    max_moves: MaxMoves = None,
    as_json: AsJson = False,
) -> None:
    """Play many games between bots, with progress and a table of results."""
    loaded, bounds = load(game), match_limits(max_turns, max_moves)
    if resume and record is None:
        raise InvalidOption("--resume continues the records of a match; name them too: --record DIR")
    if team_match:
        if games is not None:
            raise InvalidOption(f"a team match has as many games as its teams have pairings; leave out --games {games}")
        _team_match(loaded, seat, option, seed, jobs, record, resume, bounds, as_json)
        return
    games = 10 if games is None else games
    chosen = parse_options(loaded, option or [])
    print_option_warnings(loaded, chosen)
    seats = resolve_seats(loaded, chosen, seat, "bot:expert")
    if any(player.kind == "human" for player in seats):
        raise InvalidOption("a match of many games is for bots; seat 'human' plays by `flicksim play`")
    options = to_builtins(chosen)
    _check_name(games, record)
    playing = play_series(
        loaded.name, options, seats, games, seed, jobs=jobs, folder=record, bounds=bounds, resume=resume
    )
    results, stopped = _play(loaded.title, playing, games, record)
    series = summarise_series(loaded.name, options, seats, games, seed, results)
    if as_json:
        show_json(series)
    elif results:
        formatting.show_series(loaded, series)
    if stopped:
        err.print_line(stopped)
    if stopped or series.failed_games:
        raise typer.Exit(1)


def _check_name(games: int, record: Path | None) -> None:
    """Check the name of the record of one game, or of the folder of those of more, where that is not there yet."""
    check_record_path(games, record)
    if record is not None and not record.is_dir():
        suffix, content = (".jsonl", "a record") if games == 1 else ("", "a folder of records")
        check_suffix(record, suffix, content)


def _play(title: str, series: Iterator[GameResult], games: int, record: Path | None) -> tuple[list[GameResult], str]:
    """Play a series with a progress bar; returns the results in order, and why and where it was stopped, or no text."""
    results: list[GameResult] = []
    stopped = ""
    with formatting.progress_bar("game") as bar:
        task = bar.add_task(title, total=games)
        try:
            for result in series:
                results.append(result)
                bar.advance(task)
        except KeyboardInterrupt:
            if len(results) < games:  # else it is finished, by games that were already being played
                stopped = _stopped_text(results, games, record)
        except (WorkersLost, InvalidFile) as error:
            stopped = f"flicksim: {error}. {_stopped_text(results, games, record)}"
    return sorted(results, key=lambda result: result.number), stopped


def _stopped_text(results: list[GameResult], games: int, record: Path | None) -> str:
    """Sentence on a series that was stopped: how many games are played, and how it goes on where it has records."""
    text = f"Stopped after {len(results)} of {count_of(games, 'game')}"
    if record is not None and (record.is_file() or any(record.glob("game-*.jsonl"))):
        finished = {f"game-{result.number:05d}.jsonl" for result in results}
        others = sorted(path for path in record.glob("game-*.jsonl") if path.name not in finished)
        cut = [path.name for path in others if not _is_complete(path)]
        unfinished = f", {' and '.join(cut)} unfinished" if cut else ""
        text += f"; the records are in {record}{unfinished}, and the same command with --resume goes on"
    return f"{text}."


def _is_complete(record: Path) -> bool:
    """True if a record has an end line; a run before may have written it."""
    try:
        return read_record(record).is_complete
    except InvalidFile:
        return False


def _team_match(
    game: Game,
    seats: list[str] | None,
    option: list[str] | None,
    seed: int,
    jobs: int,
    record: Path | None,
    resume: bool,
    bounds: MatchLimits,
    as_json: bool,
) -> None:
    """Play every pair of one team against every pair of the other, and add the points."""
    if game.team_match is None:
        raise InvalidOption(f"{game.title} has no team match; tiddlywinks has")
    teams = [parse_seat(word) for word in seats or ["bot:expert", "bot:club"]]
    if len(teams) != 2:
        raise InvalidOption(f"a team match takes two --seat words, home and away, not {len(teams)}")
    if any(seat.kind == "human" for seat in teams):
        raise InvalidOption("a team match is for bots; seat 'human' plays by `flicksim play`")
    options = parse_options(game, option or [])
    fixtures = {fixture.number: fixture for fixture in game.team_match.schedule(options)}
    home, away = teams

    def lineup(number: int) -> list[Seat]:
        return [home, away, home, away] if fixtures[number].home_colours == 0 else [away, home, away, home]

    _check_name(len(fixtures), record)
    playing = play_series(
        game.name, to_builtins(options), lineup(1), len(fixtures), seed, jobs=jobs, folder=record, lineup=lineup,
        bounds=bounds, resume=resume,
    )  # fmt: skip
    played_games, stopped = _play(f"{game.title}, team match", playing, len(fixtures), record)
    if stopped:
        err.print_line(stopped)
        raise typer.Exit(1)
    failed = [result for result in played_games if result.error]
    results: dict[int, tuple[Fraction, Fraction]] = {
        result.number: (result.points[0] + result.points[2], result.points[1] + result.points[3])
        for result in played_games
        if not result.error
    }
    score = game.team_match.team_score(options, results)
    played = [(fixtures[number], *results[number]) for number in sorted(results)]
    if as_json:
        show_json(
            {
                "game": game.name, "seed": seed, "home": str(home), "away": str(away),
                **{name: getattr(score, name) for name in ("points", "won", "played", "winner")},
                "games": [_team_game_json(fixture, points) for fixture, *points in played], "failed_games": failed,
            }
        )  # fmt: skip
    else:
        _show_team_match(played, score, (home, away), failed, len(fixtures))
    if failed:
        raise typer.Exit(1)


def _team_game_json(fixture: Fixture, points: Sequence[Fraction]) -> dict[str, Unchecked]:
    """Result of a game of a team match, for programs; `points`: of Blue and Red, of Green and Yellow."""
    return {
        "number": fixture.number, "round": fixture.round,
        "home_pair": fixture.home + 1, "away_pair": fixture.away + 1,
        "home_colours": fixture.home_colours,
        "points": (points[fixture.home_colours], points[1 - fixture.home_colours]),
    }  # fmt: skip


def _show_team_match(
    played: Sequence[tuple[Fixture, Fraction, Fraction]], score: TeamScore, teams: Sequence[Seat],
    failed: Sequence[GameResult], fixtures: int,
) -> None:  # fmt: skip
    """Print the games of a team match and its score; `teams`: home and away."""
    formatting.show_team_games(played)
    for side, (name, seat) in enumerate(zip(("Home", "Away"), teams, strict=True)):
        suffix = "  wins the match" if score.winner == side else ""
        won = f"{score.won[side]} of {score.played} games won{suffix}"
        out.print(f"{name} ({escape_unprintable(str(seat))}): {score.points[side]} points, {won}")
    formatting.show_failed_games(failed, fixtures)
    if score.winner is None and not failed:
        out.print("The match is drawn.")
