"""Commands `experiment`, `report`, `export`, `import` and `tournament`."""

from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from flicksim import experiments
from flicksim.cli import formatting
from flicksim.cli.arguments import (
    STDOUT,
    AsJson,
    GameName,
    Jobs,
    OptionWords,
    SeedNumber,
    argument,
    check_new,
    check_suffix,
    option,
    switch,
)
from flicksim.cli.console import err, out, show_answer, show_json, show_table
from flicksim.cli.match_limits import MaxMoves, MaxTurns, match_limits
from flicksim.core.atomic_files import path_exists, write_atomic
from flicksim.core.counting import count_of
from flicksim.core.errors import InvalidFile, InvalidInput, InvalidOption, WorkersLost
from flicksim.core.file_signatures import GAME_AS_TEXT
from flicksim.core.sanitize import escape_unprintable
from flicksim.core.serialization import read_document, to_builtins
from flicksim.core.shell import command_line
from flicksim.games import load
from flicksim.match import format_game, parse_game, parse_seat, replay_whole, write_match
from flicksim.referee import parse_options

Dask = Annotated[str | None, option("--dask", "ADDRESS", "Run on a Dask cluster, as tcp://host:8786.")]


def experiment_command(
    file: Annotated[
        str | None, argument("FILE", "TOML or JSON file, or name of a built-in experiment. [default: list them]")
    ] = None,
    folder: Annotated[Path | None, option("--out", "DIR", "Folder for the results.")] = None,
    shots: Annotated[int | None, option("--shots", "N", "Number of shots. [default: from the file]", min=1)] = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    resume: Annotated[bool, switch("--resume", "Continue an interrupted run in DIR.")] = False,
    store: Annotated[
        str | None,
        option("--format", "KIND", "Format of the results: sqlite, or parquet (extra 'lab'). [default: sqlite]"),
    ] = None,
    chunk: Annotated[
        int | None, option("--batch-size", "N", "Shots per task of a worker. [default: those of about a second]", min=1)
    ] = None,
    trust: Annotated[bool, switch("--trust", "Run the Python functions that FILE names as measures.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run an experiment of many shots and save its results."""
    if file is None:
        _list_experiments(as_json)
        return
    spec = experiments.read_experiment(file, on_old_words=_note_old_words)
    if folder is None:
        raise InvalidOption("name a folder for the results: --out DIR")
    with _executor(jobs, dask) as (executor, count):
        try:
            run = experiments.Run(
                spec, folder, shots=shots, jobs=count, executor=executor, store=store or "sqlite", chunk=chunk,
                resume=resume, trust=trust, module_folder=Path(file).parent,
            )  # fmt: skip
        except KeyboardInterrupt:  # while the physics is compiled
            err.print_line("Stopped before any more shots were saved; give the same command again.")
            raise typer.Exit(1) from None
        completed, earlier = run.done, run.manifest.seconds
        if store not in (None, kept := str(run.manifest.options["store"])):
            err.print_line(
                f"The results stay in {kept}, in which the run was begun; --format {store} is for a new one."
            )
        try:
            with formatting.progress_bar("shot", rate=True) as bar:
                title = escape_unprintable(spec.title)
                first = f"{title}: {count} workers start" if count > 1 else title  # which takes some seconds
                task = bar.add_task(first, total=run.total, completed=run.done)
                for done in run:
                    bar.update(task, completed=done, description=title)
        except KeyboardInterrupt:
            shown = f"`{_report_command(folder)}` shows them, and " if run.done else ""
            saved = f"{run.done} of {count_of(run.total, 'shot')} saved"
            err.print_line(f"Stopped with {saved}; {shown}the same command with --resume goes on.")
            raise typer.Exit(1) from None
        except (WorkersLost, InvalidFile) as error:
            message = f"{error}; {run.done} of {count_of(run.total, 'shot')} saved, go on with --resume"
            raise type(error)(message) from None
    manifest = run.manifest
    if as_json:
        show_json(manifest)
        return
    simulated = count_of(run.total - completed, "shot")
    starts = ", the start of its workers included" if count > 1 else ""
    failed = f", {manifest.failed} of all failed" if manifest.failed else ""
    out.print_line(
        f"{spec.title}: {simulated} simulated in {manifest.seconds - earlier:.1f} s{starts}{failed}; "
        f"{run.total} kept in {folder}."
    )
    out.print_line(f"hash {manifest.hash}")
    out.print_line(f"`{_report_command(folder)}` writes a page with plots of them.")


def _report_command(folder: Path) -> str:
    return command_line("flicksim", "report", str(folder))


def _note_old_words(file: Path) -> None:
    note = f"flicksim: {file} is in the words of 0.1.0, which are still read; the changelog lists the new ones"
    err.print_line(escape_unprintable(note))


def _list_experiments(as_json: bool) -> None:
    specs = {name: experiments.read_experiment(name) for name in experiments.experiment_names()}
    if as_json:
        show_json([{"name": name, "title": spec.title, "shots": spec.shots} for name, spec in specs.items()])
        return
    show_table(("experiment", "shots", "question"), ((name, spec.shots, spec.title) for name, spec in specs.items()))
    out.print("`flicksim experiment NAME --out DIR` runs one.")


def _executor(jobs: int, dask: str | None) -> AbstractContextManager[tuple[Executor | None, int]]:
    """Executor of a Dask cluster and its threads; without one, None and the number of processes."""
    return nullcontext((None, jobs)) if dask is None else experiments.dask_executor(dask)


def report_command(
    folder: Annotated[Path, argument("DIR", "Folder with results of an experiment.")],
    as_json: AsJson = False,
) -> None:
    """Make a page of tables and plots of an experiment's results."""
    manifest, table = experiments.read_results(folder)
    written = experiments.write_report(folder, manifest, table)
    pictures = "a picture" if len(written) == 2 else f"{len(written) - 1} pictures"
    answer = {"page": str(written[0]), "pictures": [str(path) for path in written[1:]]}
    show_answer(answer, f"{written[0]} and {pictures} are written.", as_json)


def export_command(
    folder: Annotated[Path, argument("DIR|RECORD", "Folder with results of an experiment, or recorded game.")],
    file: Annotated[
        Path, argument("FILE", "File to write: NAME.csv or NAME.parquet; for a game NAME.fgn, or - for stdout.")
    ],
    date: Annotated[str, option("--date", "DATE", "Date of the game, which no record has.")] = "",
    as_json: AsJson = False,
) -> None:
    """Write an experiment's results as CSV or Parquet, with a data sheet, or a recorded game as text."""
    is_stdout = str(file) == STDOUT
    is_game = is_stdout or file.suffix.lower() == ".fgn"
    if not path_exists(folder):
        raise InvalidFile(f"{str(folder)!r} does not exist; name a recorded game, or a folder of results")
    if folder.is_file() or (is_game and not (folder / experiments.MANIFEST).exists()):
        if is_stdout and as_json:
            raise InvalidOption("--json does not go with -, which prints the game on stdout")
        if not is_stdout:
            check_new(file)
            check_suffix(file, ".fgn", "a game, which is written as text", is_only=True)
        replay, _ = replay_whole(folder, "it is not written as text")
        match = replay.match
        text = format_game(match, replay.record.header.seats, date=date)
        if is_stdout:
            out.print_line(text.removesuffix("\n"))
            return
        write_atomic(file, text.encode())
        answer = {"file": str(file), "turns": len(match.turns)}
        show_answer(answer, f"{count_of(len(match.turns), 'turn')} written to {file}.", as_json)
        return
    if date:
        raise InvalidOption(f"--date {date} is for a recorded game; {str(folder)!r} is none")
    if not is_stdout:
        check_new(file, experiments.data_sheet_path(file))
    manifest, table = experiments.read_results(folder)
    data, sheet = experiments.write_dataset(file, manifest, table)
    described = {"file": str(data), "sheet": str(sheet), "rows": len(table)}
    show_answer(described, f"{count_of(len(table), 'shot')} written to {data}, with a data sheet, {sheet}.", as_json)


def import_command(
    file: Annotated[Path, argument("FILE", "Game as text, as `flicksim export` writes it, or - for stdin.")],
    record: Annotated[Path, argument("RECORD", "Record to write.")],
    as_json: AsJson = False,
) -> None:
    """Play a game that was written as text, and record it."""
    file = Path("/dev/stdin") if str(file) == "-" else file
    text = read_document(file, GAME_AS_TEXT).decode(errors="replace")
    check_suffix(record, ".jsonl", "a record")
    check_new(record)
    try:
        match, seats = parse_game(text)
    except InvalidInput as error:
        raise InvalidFile(f"{file}: {error}") from None
    write_match(record, match, seats)
    answer = {"file": str(record), "turns": len(match.turns), "points": match.scores}
    show_answer(answer, f"{count_of(len(match.turns), 'turn')} played again and recorded in {record}.", as_json)


def tournament_command(
    game: GameName,
    bots: Annotated[
        list[str] | None, option("--seat", "SEAT", "random, bot:GRADE or cmd:PROGRAM; one per player.")
    ] = None,
    games: Annotated[int, option("--games", "N", "Games of each pair.", min=1, max=1_000_000)] = 10,
    seed: SeedNumber = 1,
    option: OptionWords = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    max_turns: MaxTurns = None,
    max_moves: MaxMoves = None,
    as_json: AsJson = False,
) -> None:
    """Play a round robin between players, outside programs too: Elo ratings with 95 % intervals."""
    loaded = load(game)
    options = to_builtins(parse_options(loaded, option or []))
    seats = [parse_seat(word) for word in bots or ["bot:expert", "bot:club", "bot:beginner", "random"]]
    round_robin = experiments.RoundRobin(loaded, seats, games, options, seed, match_limits(max_turns, max_moves))
    reason = ""
    with _executor(jobs, dask) as (executor, count), formatting.progress_bar("game") as bar:
        task = bar.add_task(loaded.title, total=round_robin.total)
        try:
            for _ in round_robin.play(jobs=count, executor=executor):
                bar.advance(task)
        except KeyboardInterrupt:
            pass
        except WorkersLost as error:
            reason = f"flicksim: {error}. "
    standings = round_robin.standings()
    played = standings.games + len(standings.failed_games)
    if as_json:
        show_json(standings)
    elif played:
        _show_standings(loaded.title, standings)
    if stopped := played < standings.requested_games:  # not by an interrupt of the last games, which were finished
        err.print_line(f"{reason}Stopped after {played} of {count_of(standings.requested_games, 'game')}.")
    if stopped or standings.failed_games:
        raise typer.Exit(1)


def _show_standings(title: str, standings: experiments.Standings) -> None:
    rows = []
    for place in standings.places:
        rating = place.rating
        known = rating.low is not None and rating.high is not None
        interval = f"{rating.low:+.0f} to {rating.high:+.0f}" if known else "-"
        counts = (place.games, place.wins, place.draws, place.losses)
        rows.append((place.player, f"{rating.points:+.0f}", interval, *counts, f"{place.score:.1%}"))
    headings = ("player", "rating", "95 % interval", "games", "won", "drawn", "lost", "score")
    show_table(headings, rows, title=f"{title}: {count_of(standings.games, 'game')}, seed {standings.seed}")
    cross = (
        (place.player, *("" if share is None else f"{share:.1%}" for share in place.score_against))
        for place in standings.places
    )
    show_table(("score against", *(place.player for place in standings.places)), cross)
    for place in standings.places:
        if place.forfeits:
            games = "a game" if place.forfeits == 1 else f"{place.forfeits} games"
            message = f"{place.player} forfeited {games}: {place.forfeit_reason}"
            out.print_line(escape_unprintable(message))
    formatting.show_failed_games(standings.failed_games, standings.games + len(standings.failed_games))
    if standings.truncated_games:
        out.print(formatting.truncated_text(standings.truncated_games, standings.games))
    out.print_line(
        "Elo ratings with mean 0, fitted by maximum likelihood (Bradley-Terry), a draw as half a win; 400 points are "
        "odds of ten to one."
    )
