"""A show where no window can be: a bot match in words, and a picture of its last flick."""

from __future__ import annotations

from pathlib import Path

from flicksim.base.errors import BadFile, MissingExtra
from flicksim.cli import words
from flicksim.cli.drawn import draw
from flicksim.cli.sheet import err, out
from flicksim.games import load
from flicksim.play import open_match, parse_seat
from flicksim.referee import parse_options


def demonstrate(why_not: str) -> None:
    """Show what the window would show, told in words and a picture file."""
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
        draw(last, picture)
        out.print(f"The last flick is drawn in {picture}.")
    except (MissingExtra, BadFile) as wrong:
        err.print(f"No picture: {wrong}", soft_wrap=True)
