"""Commands `experiment`, `report`, `export` and `tournament`."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from flicksim.cli import formatting
from flicksim.cli.arguments import AsJson, GameName, OptionWords, SeedNumber
from flicksim.cli.console import err, out, show_json
from flicksim.cli.match_limits import MaxMoves, MaxTurns, match_limits
from flicksim.core.errors import InvalidFile, InvalidOption, WorkersLost
from flicksim.core.sanitize import escape_unprintable
from flicksim.core.serialization import to_builtins
from flicksim.experiments import (
    RoundRobin,
    Run,
    Standings,
    dask_executor,
    experiment_names,
    read_experiment,
    read_results,
    write_dataset,
    write_report,
)
from flicksim.games import load
from flicksim.match import parse_seat
from flicksim.referee import parse_options

Jobs = Annotated[int, typer.Option("--jobs", metavar="N", help="Number of worker processes.", min=1, max=1024)]
Dask = Annotated[
    str | None, typer.Option("--dask", metavar="ADDRESS", help="Run on a Dask cluster, as tcp://host:8786.")
]


def experiment(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE", help="A TOML or JSON file, or the name of a shipped experiment; none lists those."
        ),
    ] = None,
    folder: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder for the results.")] = None,
    shots: Annotated[
        int | None, typer.Option("--shots", metavar="N", help="Number of shots, instead of the file's.", min=1)
    ] = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted run in DIR.")] = False,
    store: Annotated[
        str, typer.Option("--format", metavar="KIND", help="Format of the results: sqlite, or parquet (extra 'lab').")
    ] = "sqlite",
    chunk: Annotated[
        int | None,
        typer.Option(
            "--batch-size", metavar="N", help="Shots that a worker takes at once; without, about a second's.", min=1
        ),
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Run the functions FILE names as measures: code, which can do anything.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run an experiment of many shots and save its results."""
    if file is None:
        _list_experiments(as_json)
        return
    asked = read_experiment(file, on_old_words=_note_old_words)
    if folder is None:
        raise InvalidOption("say where the results go: --out DIR")
    with _executor(jobs, dask) as (executor, count):
        run = Run(
            asked, folder, shots=shots, jobs=count, executor=executor, store=store, chunk=chunk, resume=resume,
            trust=trust, module_folder=Path(file).parent,
        )  # fmt: skip
        kept = run.done
        try:
            with formatting.progress_bar("shot", rate=True) as bar:
                task = bar.add_task(escape_unprintable(asked.title), total=run.total, completed=run.done)
                for done in run:
                    bar.update(task, completed=done)
        except KeyboardInterrupt:
            err.print(f"Stopped with {run.done} of {run.total} shots kept; go on with --resume.", soft_wrap=True)
            raise typer.Exit(1) from None
        except (WorkersLost, InvalidFile) as wrong:
            raise type(wrong)(f"{wrong}; {run.done} of {run.total} shots are kept, go on with --resume") from None
    manifest = run.manifest
    if as_json:
        show_json(manifest)
        return
    made = f"{run.total - kept} shots" if kept else f"{run.total} shots"
    failed = f", {manifest.failed} of all could not be made" if manifest.failed else ""
    out.print(
        f"{asked.title}: {made} made, {run.total} in {folder}{failed}; {manifest.seconds:.1f} s in all.", soft_wrap=True
    )
    out.print(f"hash {manifest.hash}", soft_wrap=True)
    out.print(f"`flicksim report {folder}` shows them.", soft_wrap=True)


def _note_old_words(file: Path) -> None:
    note = f"flicksim: {file} is in the words of 0.1.0, which are still read; the changelog lists the new ones"
    err.print(escape_unprintable(note), soft_wrap=True, markup=False)


def _list_experiments(as_json: bool) -> None:
    found = {name: read_experiment(name) for name in experiment_names()}
    if as_json:
        show_json([{"name": name, "title": one.title, "shots": one.shots} for name, one in found.items()])
        return
    table = Table("experiment", "shots", "what it asks")
    for name, one in found.items():
        table.add_row(name, str(one.shots), one.title)
    out.print(table)
    out.print("`flicksim experiment NAME --out DIR` runs one.")


@contextmanager
def _executor(jobs: int, dask: str | None) -> Iterator[tuple[Executor | None, int]]:
    """Yield the executor of a Dask cluster and its threads; without one, None and the number of processes."""
    if dask is None:
        yield None, jobs
        return
    with dask_executor(dask) as (executor, threads):
        yield executor, threads


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with results of an experiment.")],
    as_json: AsJson = False,
) -> None:
    """Make a page of tables and pictures of an experiment's results; those of others are only read, never run."""
    manifest, table = read_results(folder)
    written = write_report(folder, manifest, table)
    if as_json:
        show_json({"page": str(written[0]), "pictures": [str(path) for path in written[1:]]})
        return
    pictures = "a picture" if len(written) == 2 else f"{len(written) - 1} pictures"
    out.print(f"{written[0]} and {pictures} are written.", soft_wrap=True)


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with results of an experiment.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write: NAME.csv or NAME.parquet.")],
    as_json: AsJson = False,
) -> None:
    """Write an experiment's results as one file, CSV or Parquet, with a data sheet beside it."""
    manifest, table = read_results(folder)
    data, sheet = write_dataset(file, manifest, table)
    if as_json:
        show_json({"file": str(data), "sheet": str(sheet), "rows": len(table)})
        return
    out.print(f"{len(table)} shots are in {data}; {sheet} says what they are.", soft_wrap=True)


def tournament(
    game: GameName,
    bots: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="SEAT", help="random, bot:GRADE or cmd:PROGRAM; once a player."),
    ] = None,
    games: Annotated[int, typer.Option("--games", metavar="N", help="Games of each pair.", min=1, max=1_000_000)] = 10,
    seed: SeedNumber = 1,
    option: OptionWords = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    max_turns: MaxTurns = None,
    max_moves: MaxMoves = None,
    as_json: AsJson = False,
) -> None:
    """Play a round robin between players: ratings with 95 % intervals."""
    card = load(game)
    options = to_builtins(parse_options(card, option or []))
    seats = [parse_seat(word) for word in bots or ["bot:expert", "bot:club", "bot:beginner", "random"]]
    contest = RoundRobin(card, seats, games, options, seed, match_limits(max_turns, max_moves))
    stopped = False
    with _executor(jobs, dask) as (executor, count), formatting.progress_bar("game") as bar:
        task = bar.add_task(card.title, total=contest.total)
        try:
            for _ in contest.play(jobs=count, executor=executor):
                bar.advance(task)
        except KeyboardInterrupt:
            stopped = True
    standings = contest.standings()
    if as_json:
        show_json(standings)
    else:
        _show_standings(card.title, standings)
    if stopped:
        played = standings.games + len(standings.failed_games)
        err.print(f"Stopped after {played} of {standings.requested_games} games.", soft_wrap=True)
    if stopped or standings.failed_games:
        raise typer.Exit(1)


def _show_standings(title: str, standings: Standings) -> None:
    table = Table("player", "rating", "95 % interval", "games", "won", "drawn", "lost", "score")
    games = "1 game" if standings.games == 1 else f"{standings.games} games"
    table.title = f"{title}: {games}, seed {standings.seed}"
    for place in standings.places:
        rating = place.rating
        known = rating.low is not None and rating.high is not None
        table.add_row(
            place.player, f"{rating.points:+.0f}", f"{rating.low:+.0f} to {rating.high:+.0f}" if known else "-",
            str(place.games),
            str(place.wins), str(place.draws), str(place.losses), f"{place.score:.1%}",
        )  # fmt: skip
    out.print(table)
    cross = Table("score against", *(place.player for place in standings.places))
    for place in standings.places:
        cross.add_row(place.player, *("" if share is None else f"{share:.1%}" for share in place.score_against))
    out.print(cross)
    for place in standings.places:
        if place.forfeits:
            games = "a game" if place.forfeits == 1 else f"{place.forfeits} games"
            told = f"{place.player} lost {games} without playing on: {place.forfeit_reason}"
            out.print(escape_unprintable(told), soft_wrap=True, markup=False)
    formatting.show_failed_games(standings.failed_games, standings.games + len(standings.failed_games))
    if standings.truncated_games:
        out.print(formatting.truncated_text(standings.truncated_games, standings.games))
    out.print("Ratings are about a mean of 0; 400 points are odds of ten to one.")
