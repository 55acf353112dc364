"""Headless demo: a bot match with progress, result and a picture of the last flick."""

from pathlib import Path

from flicksim.cli import formatting
from flicksim.cli.console import err, out
from flicksim.cli.picture_file import save_picture
from flicksim.core.errors import InvalidFile, MissingExtra
from flicksim.games import load
from flicksim.match import open_match, parse_seat
from flicksim.referee import parse_options


def run_demo(reason: str) -> None:
    """Play a bot match in the terminal, and save a picture of its last flick."""
    err.print_line(f"No window: {reason}. Two bots play a game of Penny White instead.")
    game = load("penny-white")
    seats = (parse_seat("bot:expert"), parse_seat("bot:club"))
    match = open_match(game, parse_options(game, []), seats, 1)
    ends, last = match.state.options.ends, None
    with formatting.progress_bar("end") as bar:
        task = bar.add_task("Penny White", total=ends)
        for turn in match.run():
            last = turn.result or last
            bar.update(task, completed=ends if match.is_over else match.state.end - 1)
    formatting.show_score(match, seats)
    picture = Path("flicksim-demo.png")
    try:
        assert last is not None
        save_picture(last, picture)
        out.print(f"The last flick is drawn in {picture}.")
    except (MissingExtra, InvalidFile) as error:
        err.print_line(f"No picture: {error}")
