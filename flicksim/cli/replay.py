"""`flicksim replay`: a recorded game played again, shown, drawn, or checked turn by turn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flicksim import ui
from flicksim.base.errors import Altered, BadFile, BadOption
from flicksim.cli import words
from flicksim.cli.arguments import AsJson
from flicksim.cli.drawn import draw
from flicksim.cli.sheet import err, out, show_json
from flicksim.play import Turn, read_record, reopened, transcript
from flicksim.table import Landings, Motion


def replay_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recorded game.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Play it again and say where it first differs, if anywhere.")
    ] = False,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Draw its last motion.")] = None,
    gif: Annotated[
        Path | None, typer.Option("--gif", metavar="FILE", help="Draw its turns as a moving picture.")
    ] = None,
    told: Annotated[
        bool, typer.Option("--transcript", help="Tell every turn in full: what was due, done, ruled, and has changed.")
    ] = False,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N", help="Draw only this turn.", min=1)] = None,
    window: Annotated[bool, typer.Option("--window", help="Browse its turns in the window.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a recorded game, or check it turn by turn."""
    if window and (why_not := ui.why_no_window()) is not None:
        raise BadOption(f"--window cannot open one: {why_not}")
    if turn is not None and png is None and gif is None:
        raise BadOption(f"--turn {turn} says what to draw; say where to with --png or --gif")
    try:
        record = read_record(file)
        replay, seats = reopened(record)
    except Altered as wrong:
        if as_json:
            show_json({"same": False, "divergence": str(wrong)})
        err.print(f"flicksim: {wrong}", soft_wrap=True)
        raise typer.Exit(1) from None
    turns = list(replay.run())
    if record.cut:
        err.print(f"The last line of {file} was cut; {len(record.turns)} whole turns are there.")
    if png is not None:
        drawn = _only(turns, turn, file)
        moved = (one.account for one in reversed(drawn) if isinstance(one.account, Motion | Landings))
        last = next((account for account in moved if isinstance(account, Motion) or account.landings), None)
        if last is None:
            raise BadFile(f"{str(file)!r} holds no motion that could be drawn")
        draw(last, png, seats=replay.match.game.seat_names)
    if gif is not None:
        ui.check_gif(gif)
        shown = _only(turns, turn, file)
        with words.progress("turn") as bar:
            task = bar.add_task(gif.name, total=len(shown))
            ui.gif(replay.match.game, shown, gif, lambda done: bar.update(task, completed=done))
    if as_json:
        show_json(
            {
                "game": record.header.game, "seed": record.header.seed,
                "turns": len(turns), "recorded": len(record.turns),
                "cut": record.cut, "over": replay.match.over, "points": replay.match.scores,
                "winners": replay.match.winners, "same": replay.divergence is None,
                "divergence": None if replay.divergence is None else str(replay.divergence),
                "forfeit": record.forfeit, "finished": replay.finished, "chained": record.chain is not None,
            }
        )  # fmt: skip
    elif replay.divergence is None and not verify:
        if replay.match.begun is not None:
            words.show_put_right(replay.match.begun.reasons)
        if told:
            for line in transcript(replay.match, turns, record.header.seats):
                out.print(line, soft_wrap=True)
            out.print()
        for one in () if told else turns:
            name = replay.match.game.seat_names[one.seat]
            out.print(f"{one.number:3d} {name}: {one.verdict}", soft_wrap=True)
        words.show_score(replay.match, seats)
    if replay.divergence is not None:
        err.print(f"{file} diverges at {replay.divergence}.", soft_wrap=True)
        raise typer.Exit(1)
    for picture in (png, gif):
        if picture is not None and not as_json:
            out.print(f"Drawn in {picture}.")
    if verify and not as_json:
        out.print(f"{len(turns)} turns played again: every ruling and every state is the same.")
        if not replay.finished:
            out.print("The record is not finished: more may have been played than stands in it.")
        if record.chain is None:
            out.print("Its lines are of format 1, without digests: what changes no ruling may have been altered.")
    if window:
        raise typer.Exit(ui.run(match=replay.match, turns=turns))


def _only(turns: list[Turn], number: int | None, file: Path) -> list[Turn]:
    """All turns, or the one of that number."""
    if number is not None and number > len(turns):
        raise BadOption(f"turn {number} of {str(file)!r} is not there; it has {len(turns)}")
    return turns if number is None else [turns[number - 1]]
