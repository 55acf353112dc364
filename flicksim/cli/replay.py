"""Command `flicksim replay`: show, draw or verify a recorded game."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from flicksim import gui, match
from flicksim.cli import formatting
from flicksim.cli.arguments import AsJson, argument, check_picture, check_suffix, option, switch
from flicksim.cli.console import err, out, show_json
from flicksim.core.atomic_files import path_exists
from flicksim.core.errors import InvalidFile, InvalidOption, RecordTampered
from flicksim.core.type_aliases import Unchecked
from flicksim.render import draw
from flicksim.render.pillow_backend import save_png
from flicksim.scene import Trajectory, VolleyTrajectory


def replay_command(
    file: Annotated[Path, argument("FILE", "Recorded game.")],
    verify: Annotated[bool, switch("--verify", "Replay it and report the first difference.")] = False,
    png: Annotated[Path | None, option("--png", "FILE", "Draw its last trajectory to a file.")] = None,
    gif: Annotated[Path | None, option("--gif", "FILE", "Draw its turns as an animation.")] = None,
    as_transcript: Annotated[
        bool, switch("--transcript", "Print every turn in full: prompt, action, ruling, changes.")
    ] = False,
    turn: Annotated[int | None, option("--turn", "N", "Turn to print in full or draw. [default: all]", min=1)] = None,
    keep: Annotated[
        Path | None,
        option("--keep", "FILE", "Write the turns before the first difference or cut line, if the header is sound."),
    ] = None,
    window: Annotated[bool, switch("--window", "Show its turns in the window.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show or verify a recorded game."""
    if turn is not None and (verify or as_json or window) and png is None and gif is None:
        raise InvalidOption(f"--turn {turn} prints or draws one turn; leave it out for the whole game")
    _check_outputs(window, png, gif, keep)
    replay, seats = _open_replay(file, as_json)
    turns = list(replay.run())
    selected = turns if turn is None else [_turn_of(file, replay, turns, turn)]
    if replay.divergence is not None:
        err.print_line(f"{file} {replay.divergence.predicate}.")
    _draw_turns(file, replay, selected, png, gif)
    is_printed = not any((as_json, verify, png, gif, window, keep))
    if is_printed and turn is not None:
        _print_game(replay.match, selected, replay.record.header.seats)
    elif is_printed and replay.divergence is None:
        _print_game(replay.match, turns, replay.record.header.seats if as_transcript else None)
        formatting.show_score(replay.match, seats)
    if as_json:
        show_json(_summary(replay, len(_sound_turns(replay, turns))))
    elif replay.divergence is None:
        _print_done(replay, (png, gif), verify)
    if replay.divergence is not None or keep is not None:
        _keep_turns(replay, _sound_turns(replay, turns), keep)
    if replay.divergence is not None:
        raise typer.Exit(1)
    if window:
        raise typer.Exit(gui.run(match=replay.match, turns=turns))


def _check_outputs(window: bool, png: Path | None, gif: Path | None, keep: Path | None) -> None:
    """Check that a window can be opened and files can be written, where they are asked for."""
    if window and (reason := gui.display_unavailable_reason()) is not None:
        raise InvalidOption(f"--window cannot open one: {reason}")
    if keep is not None and path_exists(keep):
        raise InvalidFile(f"{str(keep)!r} exists; --keep writes another file, so name a new one")
    check_picture(png)
    check_picture(gif, ".gif")
    check_suffix(keep, ".jsonl", "a record")


def _open_replay(file: Path, as_json: bool) -> tuple[match.Replay, list[match.Seat]]:
    """Open the replay of a record, and name the seats; exit where it has been altered."""
    try:
        record = match.read_record(file, up_to_damage=True)
        replay, seats = match.open_replay(record)
    except RecordTampered as error:
        if as_json:
            show_json({"same": False, "divergence": str(error)})
        err.print_line(f"flicksim: {error}")
        raise typer.Exit(1) from None
    if text := record.truncation_text:
        err.print_line(text)
    return replay, seats


def _sound_turns(replay: match.Replay, turns: Sequence[match.Turn]) -> Sequence[match.Turn]:
    """Turns that replay alike: those before the first difference."""
    return turns if replay.divergence is None else turns[: replay.divergence.sound_turns]


def _turn_of(file: Path, replay: match.Replay, turns: Sequence[match.Turn], number: int) -> match.Turn:
    """Turn of a number, which may lie behind the last that was replayed."""
    if number > len(turns):
        if (found := replay.divergence) is not None:
            what = f"{str(file)!r} {found.predicate}, so turn {number} cannot be shown"
            raise InvalidOption(f"{what}; {found.keep_hint(file)}")
        raise InvalidOption(f"turn {number} of {str(file)!r} is not there; it has {len(turns)}")
    return turns[number - 1]


def _draw_turns(
    file: Path, replay: match.Replay, turns: Sequence[match.Turn], png: Path | None, gif: Path | None
) -> None:
    """Draw the last trajectory of some turns, all of them as an animation, or neither; nothing before a difference in
    the first turn."""
    if not turns and replay.divergence is not None:
        return
    game = replay.match.game
    if png is not None:
        if (last := _last_trajectory(turns)) is None:
            raise InvalidFile(f"{str(file)!r} has no trajectory to draw")
        save_png(draw(last, seats=game.seat_names), png)
    if gif is not None:
        with formatting.progress_bar("turn") as bar:
            task = bar.add_task(gif.name, total=len(turns))
            gui.save_gif(game, turns, gif, lambda done: bar.update(task, completed=done))


def _last_trajectory(turns: Sequence[match.Turn]) -> Trajectory | VolleyTrajectory | None:
    """Trajectory of the last turn in which something moved."""
    results = (turn.result for turn in reversed(turns))
    moved = (result for result in results if isinstance(result, Trajectory | VolleyTrajectory))
    return next((result for result in moved if isinstance(result, Trajectory) or result.trajectories), None)


def _print_done(replay: match.Replay, pictures: Sequence[Path | None], is_verified: bool) -> None:
    """Print the files drawn; of a record that was verified, how many turns were replayed alike, and what that cannot
    show."""
    for picture in filter(None, pictures):
        out.print(f"Drawn in {picture}.")
    if not is_verified:
        return
    out.print(f"Turns replayed: {len(replay.match.turns)}; every ruling and every state is the same.")
    if not replay.is_finished:
        out.print("The record is not finished: more turns may have been played than it has.")
    if replay.record.digest_chain is None:
        out.print("Its lines are of format 1, without digests: changes that affect no ruling cannot be detected.")


def _keep_turns(replay: match.Replay, sound: Sequence[match.Turn], path: Path | None) -> None:
    """Tell how many turns before the first difference are sound, and write them as a record where a path is given."""
    divergence, record = replay.divergence, replay.record
    if divergence is None and not record.is_truncated:
        err.print_line(f"All turns of {record.path} replay as recorded, so {path} is not written.")
    elif divergence is not None and divergence.is_of_header:
        err.print_line(f"The header was altered: {divergence.keep_hint(record.path)}.")
    elif path is not None and not sound:
        err.print_line(f"No turn is before it, so {path} is not written.")
    elif path is not None:
        with match.Recorder(path, match.match_header(replay.match, record.header.seats)) as recorder:
            for turn in sound:
                recorder.write_turn(turn)
            if divergence is None and replay.match.forfeit is not None:  # else it may be what was altered
                recorder.write_forfeit(replay.match.forfeit)
        err.print_line(f"The turns before it replay alike, {len(sound)} in all; they are written to {str(path)!r}.")
    elif divergence is not None and sound:
        err.print_line(f"Until then the game replays alike; {divergence.keep_hint(record.path)}.")


def _summary(replay: match.Replay, turns: int) -> dict[str, Unchecked]:
    """Result of a replay, for programs, after the turns that replay alike; how many turns are recorded behind a damaged
    line is not known."""
    record = replay.record
    if replay.divergence is not None:
        replay.match.forfeit = None  # it may be what was altered
    while len(replay.match.turns) > turns:
        replay.match.undo()
    is_damaged = record.tampering is not None and record.tampering.is_damage
    return {
        "game": record.header.game, "seed": record.header.seed, "turns": turns,
        "recorded": None if is_damaged else len(record.turns),
        "cut": record.is_truncated, "over": replay.match.is_over, "points": replay.match.scores,
        "winners": replay.match.winners, "same": replay.divergence is None,
        "divergence": None if replay.divergence is None else str(replay.divergence),
        "forfeit": replay.match.forfeit, "finished": replay.is_finished, "chained": record.digest_chain is not None,
    }  # fmt: skip


def _print_game(game_match: match.Match, turns: Sequence[match.Turn], players: Sequence[str] | None) -> None:
    """Print each turn's verdict, or a transcript where the players are given."""
    if game_match.custom_start is not None:
        formatting.show_corrections(game_match.custom_start.corrections)
    verdicts = (f"{turn.number:3d} {game_match.game.seat_names[turn.seat]}: {turn.verdict}" for turn in turns)
    lines = verdicts if players is None else chain(match.transcript(game_match, turns, players), ("",))
    for line in lines:
        out.print_line(line)
