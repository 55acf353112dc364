"""The door from the shell. Answers go to stdout, everything else to stderr.

Exit codes: 0 done; 1 the answer is no (a record diverges, a world would not settle, a match was interrupted);
2 what was asked for cannot be done as asked. Errors are one plain sentence.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, TypeVar

import typer

from flicksim import __version__, ui
from flicksim.base.assets import assets
from flicksim.base.codec import Value, from_json, read_bytes, to_plain
from flicksim.base.errors import BadFile, BadInput, BadOption, FlicksimError, MissingExtra, Unsettled, WorkersLost
from flicksim.base.seeding import Seeds
from flicksim.cli import lab, words
from flicksim.cli.arguments import AsJson, GameName, OptionWords, SeatWords, SeedNumber
from flicksim.cli.landing import show_beside, show_landing, show_outcomes
from flicksim.cli.motion import show_motion
from flicksim.cli.position import begun, position_command, scene_named
from flicksim.cli.words import err, out, show_json
from flicksim.games import load, names
from flicksim.physics import settle as settle_scene
from flicksim.physics.bench import SCENES, Cost, machine
from flicksim.physics.bench import costs as costs_of
from flicksim.physics.flight import truths as winks
from flicksim.physics.slice import truths as pyramids
from flicksim.physics.truths import truths
from flicksim.play import (
    GameResult,
    Match,
    Recorder,
    Replay,
    Seat,
    Turn,
    between_turns,
    go_on,
    header_of,
    open_match,
    parse_seat,
    play_series,
    position_in,
    programs_found,
    read_record,
    result_of,
    summary,
)
from flicksim.referee import Game, options_of, parse_options, seated
from flicksim.table import Flick, Landings, Launch, Motion, PyramidScene, Squidge

T = TypeVar("T")

_UsageError: Any = typer.BadParameter.__base__
"""What typer raises for a wrong command line; it has moved between packages, so it is asked of typer itself."""

app = typer.Typer(
    name="flicksim", help="Flicking games played and studied properly.", add_completion=False,
    pretty_exceptions_enable=False, no_args_is_help=False, rich_markup_mode=None,
)  # fmt: skip


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        code = app(standalone_mode=False)
    except typer.Abort:
        return _fail("stopped", 1)
    except _UsageError as wrong:
        return _fail(wrong.format_message(), 2)
    except (Unsettled, WorkersLost) as wrong:
        return _fail(str(wrong), 1)
    except FlicksimError as wrong:
        return _fail(str(wrong), 2)
    except KeyboardInterrupt:
        return _fail("stopped", 1)
    except BrokenPipeError:
        _drop_stdout()
        return 0
    except OSError as wrong:
        _drop_stdout()
        return _fail(f"cannot write the answer: {(wrong.strerror or str(wrong)).lower()}", 2)
    if code == 130:  # how typer reports Ctrl-C
        return _fail("stopped", 1)
    return code if isinstance(code, int) else 0


def _drop_stdout() -> None:
    """Whoever read us is gone, or cannot take more: what is left in the buffer must not raise again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(sentence: str, code: int) -> int:
    err.print(f"flicksim: {sentence}", soft_wrap=True)
    return code


@app.callback(invoke_without_command=True)
def front_door(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    """Open the window; without a display, play a demonstration match."""
    if version:
        print(f"flicksim {__version__}")
    elif context.invoked_subcommand is None:
        why_not = ui.why_no_window()
        if why_not is None:
            raise typer.Exit(ui.run())
        _demonstration(why_not)


def _demonstration(why_not: str) -> None:
    """What the window would show, told in words and a picture file."""
    err.print(f"No window: {why_not}. Two bots play a game of Penny White instead.", soft_wrap=True)
    game = load("penny-white")
    seats = (parse_seat("bot:expert"), parse_seat("bot:club"))
    match = open_match(game, parse_options(game, []), seats, 1)
    ends, last = match.state.options.ends, None
    with words.progress("end") as bar:
        task = bar.add_task("Penny White", total=ends)
        for turn in match.run():
            last = turn.account or last
            bar.update(task, completed=ends if match.over else match.state.end - 1)
    words.show_score(match, seats)
    picture = Path("flicksim-demo.png")
    try:
        assert last is not None
        ui.picture(last, picture)
        out.print(f"The last flick is drawn in {picture}.")
    except (MissingExtra, BadFile) as wrong:
        err.print(f"No picture: {wrong}", soft_wrap=True)


@app.command("games")
def games_command(as_json: AsJson = False) -> None:
    """List the games."""
    cards = [load(name) for name in names()]
    if as_json:
        show_json([_card(game) for game in cards])
        return
    words.show_games(cards)


def _card(game: Game) -> dict[str, Any]:
    return {
        "name": game.name, "title": game.title, "blurb": game.blurb, "seats": list(game.seats),
        "seat_names": list(game.seat_names), "edition": game.edition,
    }  # fmt: skip


@app.command("rules")
def rules_command(game: GameName, as_json: AsJson = False) -> None:
    """A game's rules in our own words, with ledger ids, options and defaults."""
    card = load(game)
    options = options_of(card)
    if as_json:
        show_json({**_card(card), "rules": card.rows, "options": options, "sources": card.sources})
        return
    words.show_rules(card)


@app.command("play")
def play_command(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Which game; a resumed record knows its own.")
    ] = None,
    seat: SeatWords = None,
    option: OptionWords = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", help="All chance comes from it; 1 unless said.", min=0, max=2**53 - 1),
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write the game there, turn by turn.")
    ] = None,
    resume: Annotated[Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a recorded game.")] = None,
    position: Annotated[
        str | None, typer.Option("--position", metavar="FILE|NAME", help="Begin there (see `flicksim position`).")
    ] = None,
    headless: Annotated[bool, typer.Option("--headless", help="No window, even where one could be opened.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play one game: in a window, or headless if only bots sit down."""
    recorder: Recorder | None
    if resume is not None:
        if option or record is not None or seed is not None or position is not None:
            raise BadOption(
                f"--resume {str(resume)!r} brings its own seats, options, seed, position and file; leave the others out"
            )
        match, seats, recorder = _resumed(resume, game, seat or [])
    else:
        if game is None:
            raise BadOption(f"say which game; there are {', '.join(names())}")
        card = load(game)
        at = None
        options = parse_options(card, option or [])
        if position is not None:
            at, options = begun(card, position, option or [])
        seats = _seats(card, options, seat, "human")
        match = open_match(card, options, seats, 1 if seed is None else seed, position=at)
        _must_be_playable(seats, headless or as_json)
        recorder = None if record is None else Recorder(record, header_of(match, tuple(map(str, seats))))
    people = _must_be_playable(seats, headless or as_json)
    try:
        if people or (not headless and not as_json and ui.why_no_window() is None):
            raise typer.Exit(ui.run(match=match, recorder=recorder))
        _play_headless(match, seats, recorder, as_json)
    except KeyboardInterrupt:
        kept = f"; go on with --resume {recorder.path}" if recorder is not None else ""
        err.print(f"Stopped after turn {len(match.turns)}{kept}.", soft_wrap=True)
        raise typer.Exit(1) from None
    finally:
        if recorder is not None:
            recorder.close()


def _must_be_playable(seats: Iterable[Seat], headless: bool) -> bool:
    """Whether people play; raises when they cannot."""
    if not any(seat.kind == "human" for seat in seats):
        return False
    why_not = "--headless and --json open none" if headless else ui.why_no_window()
    if why_not is not None:
        raise BadOption(f"a human seat needs a window: {why_not}; seat only bot:GRADE or random to play without one")
    return True


def _resumed(path: Path, game: str | None, said: list[str]) -> tuple[Match, list[Seat], Recorder]:
    record = read_record(path)
    if game is not None and game != record.header.game:
        raise BadOption(f"{str(path)!r} is a game of {record.header.game}, not {game!r}")
    replay, seats = _replay(record)
    if any(seat.kind == "cmd" for seat in seats):
        # a file from somebody else must not start programs unasked
        if [parse_seat(word) for word in said] != seats:
            again = " ".join(f"--seat {quote(str(seat))}" for seat in seats)
            raise BadOption(f"{str(path)!r} starts a program; if you want that, say its seats too: {again}")
        programs_found(seats)
    elif said:
        raise BadOption(f"--resume {str(path)!r} brings its own seats; leave --seat out")
    for _ in replay.run():
        pass
    if replay.divergence is not None:
        raise BadFile(f"{str(path)!r} cannot be resumed: {replay.divergence}")
    if replay.match.over:
        raise BadFile(f"{str(path)!r} is finished; `flicksim replay` shows it")
    if record.cut:
        err.print(f"The last line of {path} was cut; going on after turn {len(record.turns)}.")
    return replay.match, seats, go_on(record)


def _replay(record: Any) -> tuple[Replay, list[Seat]]:
    header = record.header
    if header.game not in names():
        raise BadFile(f"{str(record.path)!r} is a game of {header.game!r}; this flicksim has {', '.join(names())}")
    card = load(header.game)
    seats = [parse_seat(word) for word in header.seats]
    position = position_in(header, card)
    match = open_match(card, parse_options(card, header.options), seats, header.seed, position=position)
    return Replay(record, match), seats


def _play_headless(match: Match, seats: list[Seat], recorder: Recorder | None, as_json: bool) -> None:
    if not as_json and match.begun is not None and not match.turns:
        words.show_put_right(match.begun.reasons)
    with between_turns():
        for turn in match.run():
            if recorder is not None:
                recorder.turn(turn)
            if not as_json:
                name = match.game.seat_names[turn.seat]
                out.print(f"{turn.number:3d} {name}: {turn.verdict}", soft_wrap=True)
    if recorder is not None and match.forfeit is not None:
        recorder.forfeit(match.forfeit)
    if as_json:
        fixed = (match.game.name, to_plain(match.options), seats, 1, match.seeds.seed)
        show_json(summary(*fixed, [result_of(match, 1)]))
    else:
        words.show_score(match, seats)


def _seats(game: Game, options: Value, words: list[str] | None, first: str) -> list[Seat]:
    """Who sits down, seat by seat; when nobody is named, this one first against club players."""
    fewest = 2 if getattr(options, "seats", None) == 2 else game.seats[0]
    seats = [parse_seat(word) for word in words or [first, *["bot:club"] * (fewest - 1)]]
    found = list(seated(game, options, seats))
    programs_found(found)
    return found


@app.command("match")
def match_command(
    game: GameName,
    seat: SeatWords = None,
    games: Annotated[int, typer.Option("--games", help="How many games.", min=1, max=10_000_000)] = 10,
    seed: SeedNumber = 1,
    option: OptionWords = None,
    jobs: Annotated[int, typer.Option("--jobs", help="Games played side by side.", min=1, max=1024)] = 1,
    record: Annotated[Path | None, typer.Option("--record", metavar="DIR", help="Write every game there.")] = None,
    team_match: Annotated[
        bool, typer.Option("--team-match", help="A match of teams; --seat home --seat away.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Play many games between bots, with progress and a table of results."""
    card = load(game)
    if team_match:
        _team_match(card, seat, option, seed, jobs, record, as_json)
        return
    chosen = parse_options(card, option or [])
    seats = _seats(card, chosen, seat, "bot:expert")
    if any(one.kind == "human" for one in seats):
        raise BadOption("a match of many games is for bots; seat 'human' plays by `flicksim play`")
    options = to_plain(chosen)
    results: list[GameResult] = []
    stopped = False
    with words.progress("game") as bar:
        task = bar.add_task(card.title, total=games)
        try:
            for result in play_series(card.name, options, seats, games, seed, jobs=jobs, folder=record):
                results.append(result)
                bar.advance(task)
        except KeyboardInterrupt:
            stopped = True
    results.sort(key=lambda result: result.number)
    series = summary(card.name, options, seats, games, seed, results)
    if as_json:
        show_json(series)
    else:
        words.show_series(card, series)
    if stopped:
        where = f"; their records are in {record}" if record is not None else ""
        err.print(f"Stopped after {len(results)} of {games} games{where}.", soft_wrap=True)
        raise typer.Exit(1)


def _team_match(
    game: Game,
    seats: list[str] | None,
    option: list[str] | None,
    seed: int,
    jobs: int,
    record: Path | None,
    as_json: bool,
) -> None:
    """Every pair of one team against every pair of the other; points added."""
    if game.team is None:
        raise BadOption(f"{game.title} has no team match; tiddlywinks has")
    teams = [parse_seat(word) for word in seats or ["bot:expert", "bot:club"]]
    if len(teams) != 2 or any(seat.kind == "human" for seat in teams):
        raise BadOption(f"a team match takes two --seat words for bots, home and away, not {len(teams)}")
    options = parse_options(game, option or [])
    fixtures = {fixture.number: fixture for fixture in game.team.schedule(options)}
    home, away = teams

    def lineup(number: int) -> list[Seat]:
        return [home, away, home, away] if fixtures[number].home_colours == 0 else [away, home, away, home]

    results: dict[int, tuple[Any, Any]] = {}
    with words.progress("game") as bar:
        task = bar.add_task(f"{game.title}, team match", total=len(fixtures))
        for result in play_series(
            game.name, to_plain(options), lineup(1), len(fixtures), seed, jobs=jobs, folder=record, lineup=lineup
        ):
            results[result.number] = (result.points[0] + result.points[2], result.points[1] + result.points[3])
            bar.advance(task)
    score = game.team.tally(options, results)
    played = [(fixtures[number], *results[number]) for number in sorted(results)]
    if as_json:
        show_json(
            {
                "game": game.name, "seed": seed, "home": str(home), "away": str(away),
                **{name: getattr(score, name) for name in ("points", "won", "played", "winner")},
                "games": [
                    {
                        "number": one.number, "round": one.round, "home_pair": one.home + 1, "away_pair": one.away + 1,
                        "home_colours": one.home_colours,
                        "points": (both[one.home_colours], both[1 - one.home_colours]),
                    }
                    for one, *both in played
                ],
            }
        )  # fmt: skip
        return
    words.show_team_games(played)
    for name, seat, side in (("Home", home, 0), ("Away", away, 1)):
        crown = "  wins the match" if score.winner == side else ""
        out.print(f"{name} ({seat}): {score.points[side]} points, {score.won[side]} of {score.played} games won{crown}")
    if score.winner is None:
        out.print("The match is drawn.")


@app.command("settle")
def settle_command(
    scene: Annotated[str, typer.Argument(metavar="SCENE", help="A scene in SI units, or a position: file or name.")],
    flick: Annotated[Path, typer.Argument(metavar="FLICK.json", help="A flick or a squidge in SI units.")],
    as_json: AsJson = False,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Draw what happened.")] = None,
) -> None:
    """Flick a piece of a scene, or launch a pyramid, and say what happens."""
    path = Path(scene)
    if path.is_file() and from_json(read_bytes(path), dict, name=scene).get("scene") == "pyramids":
        _settle_launch(_read(path, PyramidScene), _read(flick, Launch), as_json, png)
        return
    motion = settle_scene(scene_named(scene), _read_flick(flick))
    if png is not None:
        ui.picture(motion, png)
    if as_json:
        show_json(
            {
                "duration": motion.duration, "settled": motion.settled, "events": motion.events, "after": motion.after,
                "tracks": {
                    "ids": motion.tracks.ids, "times": motion.tracks.times, "states": motion.tracks.states,
                    "air": motion.tracks.air,
                },
            }
        )  # fmt: skip
        return
    show_motion(motion)
    if png is not None:
        out.print(f"Drawn in {png}.")


def _settle_launch(scene: PyramidScene, launch: Launch, as_json: bool, png: Path | None) -> None:
    """Launch a missile on a table with pyramids and say what happens."""
    landing = settle_scene(scene, launch)
    if png is not None:
        ui.picture(landing, png, seats=load("ice").seat_names)
    if not as_json:
        show_landing(landing)
        if png is not None:
            out.print(f"Drawn in {png}.")
        return
    show_json(
        {
            "down": landing.down, "duration": landing.duration, "events": landing.events, "after": landing.after,
            "slices": [
                {
                    "origin": part.origin, "azimuth": part.azimuth, "ids": part.ids, "lateral": part.lateral,
                    "times": part.times, "states": part.states,
                }
                for part in landing.slices
            ],
        }
    )  # fmt: skip


def _read(path: Path, kind: type[T]) -> T:
    return from_json(read_bytes(path), kind, name=str(path))


def _read_flick(path: Path) -> Flick | Squidge:
    """A flick; one that does not say what it is, is a finger's."""
    plain = from_json(read_bytes(path), dict, name=str(path))
    if plain.get("do") == "launch":
        raise BadInput(f'{str(path)!r} is a launch; it needs a table with pyramids (a scene that says "pyramids")')
    return _read(path, Squidge) if plain.get("do") == "squidge" else _read(path, Flick)


app.command("position")(position_command)


@app.command("replay")
def replay_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recorded game.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Play it again and say where it first differs, if anywhere.")
    ] = False,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Draw its last motion.")] = None,
    gif: Annotated[
        Path | None, typer.Option("--gif", metavar="FILE", help="Draw its turns as a moving picture.")
    ] = None,
    turn: Annotated[int | None, typer.Option("--turn", help="Draw only this turn.", min=1)] = None,
    window: Annotated[bool, typer.Option("--window", help="Browse its turns in the window.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a recorded game, or check it turn by turn."""
    if window and (why_not := ui.why_no_window()) is not None:
        raise BadOption(f"--window cannot open one: {why_not}")
    record = read_record(file)
    replay, seats = _replay(record)
    turns = list(replay.run())
    if record.cut:
        err.print(f"The last line of {file} was cut; {len(record.turns)} whole turns are there.")
    if png is not None:
        drawn = _only(turns, turn, file)
        moved = (one.account for one in reversed(drawn) if isinstance(one.account, Motion | Landings))
        last = next((account for account in moved if isinstance(account, Motion) or account.landings), None)
        if last is None:
            raise BadFile(f"{str(file)!r} holds no motion that could be drawn")
        ui.picture(last, png, seats=replay.match.game.seat_names)
    if gif is not None:
        ui.gif(replay.match.game, _only(turns, turn, file), gif)
    if as_json:
        show_json(
            {
                "game": record.header.game, "seed": record.header.seed,
                "turns": len(turns), "recorded": len(record.turns),
                "cut": record.cut, "over": replay.match.over, "points": replay.match.scores,
                "winners": replay.match.winners, "same": replay.divergence is None,
                "divergence": None if replay.divergence is None else str(replay.divergence),
                "forfeit": record.forfeit,
            }
        )  # fmt: skip
    elif replay.divergence is None and not verify:
        if replay.match.begun is not None:
            words.show_put_right(replay.match.begun.reasons)
        for one in turns:
            name = replay.match.game.seat_names[one.seat]
            out.print(f"{one.number:3d} {name}: {one.verdict}", soft_wrap=True)
        words.show_score(replay.match, seats)
    if replay.divergence is not None:
        err.print(f"{file} diverges at {replay.divergence}.", soft_wrap=True)
        raise typer.Exit(1)
    if verify and not as_json:
        out.print(f"{len(turns)} turns played again: every ruling and every state is the same.")
    if window:
        raise typer.Exit(ui.run(match=replay.match, turns=turns))


def _only(turns: list[Turn], number: int | None, file: Path) -> list[Turn]:
    """All turns, or the one of that number."""
    if number is not None and number > len(turns):
        raise BadOption(f"turn {number} of {str(file)!r} is not there; it has {len(turns)}")
    return turns if number is None else [turns[number - 1]]


def _wink_truths(shots: int) -> list[winks.Truth]:
    """The height layer beside the tables of an independent 3D engine, so many noisy shots a row."""
    tables = assets() / "reference"
    dice = Seeds(seed=1).child("bench", "winks").generator()

    def rows(name: str) -> list[dict[str, str]]:
        return list(csv.DictReader(read_bytes(tables / name).decode().splitlines()))

    return [
        *winks.pot_truths(rows("pot_table.csv"), shots, dice),
        *winks.carry_truths(rows("bounce_roll.csv"), shots, dice),
        *winks.squop_truths(rows("squop.csv"), shots, dice),
    ]


def _pyramids(shots: int, as_json: bool) -> None:
    """How pyramids come to rest, by size and strength, and beside a 3D engine's throws of the medium one."""
    dice = Seeds(seed=1).child("bench", "pyramids")
    rows = list(csv.DictReader(read_bytes(assets() / "reference" / "pyramids.csv").decode().splitlines()))
    found = list(pyramids.outcomes(shots, dice.child("launches").generator()))
    thrown = list(pyramids.beside(rows, shots, dice.child("throws").generator()))
    if as_json:
        show_json({"launches": found, "throws": thrown})
    else:
        show_outcomes(found)
        show_beside(thrown)


@app.command("bench")
def bench_command(
    what: Annotated[
        str, typer.Argument(metavar="[speed|truths|winks|pyramids]", help="What it costs, or how true it is.")
    ] = "speed",
    repeats: Annotated[int, typer.Option("--repeats", help="Shots measured of each kind.", min=3, max=100_000)] = 60,
    as_json: AsJson = False,
) -> None:
    """Measure the physics: what it costs beside bare pymunk, or how true it is."""
    if what == "truths":
        rows = list(truths())
        if as_json:
            show_json(rows)
        else:
            words.show_truths(rows)
        if not all(row.holds for row in rows):
            raise typer.Exit(1)
        return
    if what == "winks":
        found_winks = _wink_truths(repeats)
        if as_json:
            show_json(found_winks)
        else:
            words.show_wink_truths(found_winks)
        if repeats >= words.ENOUGH and not all(row.holds for row in found_winks):
            raise typer.Exit(1)
        return
    if what == "pyramids":
        _pyramids(repeats, as_json)
        return
    if what != "speed":
        raise BadOption(f"no benchmark {what!r}; there are speed, truths, winks and pyramids")
    found: list[Cost] = []
    for scene in SCENES:
        costs = list(costs_of(scene, repeats=repeats))
        found += costs
        if not as_json:
            words.show_costs(scene, costs)
    if as_json:
        show_json(found)
    else:
        out.print(f"{machine()}: only ratios within a run, and changes between runs, mean anything.")


app.command("experiment")(lab.experiment)
app.command("report")(lab.report)
app.command("ladder")(lab.ladder)
