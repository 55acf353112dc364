"""Command `flicksim replay`: show, draw or verify a recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flicksim import gui
from flicksim.cli import formatting
from flicksim.cli.arguments import AsJson
from flicksim.cli.console import err, out, show_json
from flicksim.cli.picture_file import save_picture
from flicksim.core.errors import InvalidFile, InvalidOption, RecordTampered
from flicksim.match import Turn, open_replay, read_record, transcript
from flicksim.scene import Trajectory, VolleyTrajectory


def replay_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recorded game.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Play it again and say where it first differs, if anywhere.")
    ] = False,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Draw its last motion.")] = None,
    gif: Annotated[
        Path | None, typer.Option("--gif", metavar="FILE", help="Draw its turns as a moving picture.")
    ] = None,
    as_transcript: Annotated[
        bool, typer.Option("--transcript", help="Tell every turn in full: what was due, done, ruled, and has changed.")
    ] = False,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N", help="Draw only this turn.", min=1)] = None,
    window: Annotated[bool, typer.Option("--window", help="Browse its turns in the window.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a recorded game, or check it turn by turn."""
    if window and (why_not := gui.display_unavailable_reason()) is not None:
        raise InvalidOption(f"--window cannot open one: {why_not}")
    if turn is not None and png is None and gif is None:
        raise InvalidOption(f"--turn {turn} says what to draw; say where to with --png or --gif")
    try:
        record = read_record(file)
        replay, seats = open_replay(record)
    except RecordTampered as wrong:
        if as_json:
            show_json({"same": False, "divergence": str(wrong)})
        err.print(f"flicksim: {wrong}", soft_wrap=True)
        raise typer.Exit(1) from None
    turns = list(replay.run())
    if record.is_truncated:
        err.print(f"The last line of {file} was cut; {len(record.turns)} whole turns are there.")
    if png is not None:
        drawn = _select_turns(turns, turn, file)
        moved = (one.result for one in reversed(drawn) if isinstance(one.result, Trajectory | VolleyTrajectory))
        last = next((account for account in moved if isinstance(account, Trajectory) or account.trajectories), None)
        if last is None:
            raise InvalidFile(f"{str(file)!r} holds no motion that could be drawn")
        save_picture(last, png, seats=replay.match.game.seat_names)
    if gif is not None:
        gui.check_gif(gif)
        shown = _select_turns(turns, turn, file)
        with formatting.progress_bar("turn") as bar:
            task = bar.add_task(gif.name, total=len(shown))
            gui.save_gif(replay.match.game, shown, gif, lambda done: bar.update(task, completed=done))
    if as_json:
        show_json(
            {
                "game": record.header.game, "seed": record.header.seed,
                "turns": len(turns), "recorded": len(record.turns),
                "cut": record.is_truncated, "over": replay.match.is_over, "points": replay.match.scores,
                "winners": replay.match.winners, "same": replay.divergence is None,
                "divergence": None if replay.divergence is None else str(replay.divergence),
                "forfeit": record.forfeit, "finished": replay.is_finished, "chained": record.digest_chain is not None,
            }
        )  # fmt: skip
    elif replay.divergence is None and not verify:
        if replay.match.custom_start is not None:
            formatting.show_corrections(replay.match.custom_start.corrections)
        if as_transcript:
            for line in transcript(replay.match, turns, record.header.seats):
                out.print(line, soft_wrap=True)
            out.print()
        for one in () if as_transcript else turns:
            name = replay.match.game.seat_names[one.seat]
            out.print(f"{one.number:3d} {name}: {one.verdict}", soft_wrap=True)
        formatting.show_score(replay.match, seats)
    if replay.divergence is not None:
        err.print(f"{file} diverges at {replay.divergence}.", soft_wrap=True)
        raise typer.Exit(1)
    for picture in (png, gif):
        if picture is not None and not as_json:
            out.print(f"Drawn in {picture}.")
    if verify and not as_json:
        out.print(f"{len(turns)} turns played again: every ruling and every state is the same.")
        if not replay.is_finished:
            out.print("The record is not finished: more may have been played than stands in it.")
        if record.digest_chain is None:
            out.print("Its lines are of format 1, without digests: what changes no ruling may have been altered.")
    if window:
        raise typer.Exit(gui.run(match=replay.match, turns=turns))


def _select_turns(turns: list[Turn], number: int | None, file: Path) -> list[Turn]:
    """All turns, or the one of that number."""
    if number is not None and number > len(turns):
        raise InvalidOption(f"turn {number} of {str(file)!r} is not there; it has {len(turns)}")
    return turns if number is None else [turns[number - 1]]
