"""The door from the shell; a command that does more than list has a file of its own. Answers go to stdout, everything
else to stderr.

Exit codes: 0 done; 1 the answer is no (a record diverges, a world would not settle, a match was interrupted);
2 what was asked for cannot be done as asked. Errors are one plain sentence.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from flicksim import __version__, ui
from flicksim.base.bounds import bounded
from flicksim.base.errors import BadFile, CannotGoOn, FlicksimError, MissingExtra, Unsettled, WorkersLost
from flicksim.base.kinds import Plain
from flicksim.base.legible import legible
from flicksim.cli import lab, words
from flicksim.cli.arguments import AsJson, GameName
from flicksim.cli.bench import bench_command
from flicksim.cli.match import match_command
from flicksim.cli.play import play_command
from flicksim.cli.position import position_command
from flicksim.cli.replay import replay_command
from flicksim.cli.settle import settle_command
from flicksim.cli.words import err, out, show_json
from flicksim.games import load, names
from flicksim.play import open_match, parse_seat
from flicksim.referee import Game, options_of, parse_options

_UsageError: Any = typer.BadParameter.__base__
"""What typer raises for a wrong command line; it has moved between packages, so it is asked of typer itself."""

app = typer.Typer(
    name="flicksim", help="Flicking games played and studied properly.", add_completion=False,
    pretty_exceptions_enable=False, no_args_is_help=False, rich_markup_mode=None,
    context_settings={"help_option_names": ["--help", "-h"]},
)  # fmt: skip


def main() -> int:
    """Run the command line and return its exit code."""
    if sys.stdout is None or sys.stderr is None:  # one was closed before we began
        _open_nowhere()
    try:
        code = app(standalone_mode=False)
    except typer.Abort:
        return _fail("stopped", 1)
    except _UsageError as wrong:
        return _fail(wrong.format_message(), 2)
    except (CannotGoOn, Unsettled, WorkersLost) as wrong:
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


def _open_nowhere() -> None:
    """Give closed streams a place to go to: what nobody can read is no error."""
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _drop_stdout() -> None:
    """Whoever read us is gone, or cannot take more: what is left in the buffer must not raise again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(sentence: str, code: int) -> int:
    err.print(f"flicksim: {legible(bounded(sentence))}", soft_wrap=True)
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
    """The window's first moves, told in words and a picture file."""
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


def _card(game: Game) -> dict[str, Plain]:
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


app.command("play")(play_command)
app.command("match")(match_command)
app.command("settle")(settle_command)
app.command("position")(position_command)
app.command("replay")(replay_command)
app.command("bench")(bench_command)
app.command("experiment")(lab.experiment)
app.command("report")(lab.report)
app.command("ladder")(lab.ladder)
