"""Command `flicksim aim`: find the shot that most probably reaches a goal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from flicksim import ai, match
from flicksim.cli.analysis_text import exit_stopped
from flicksim.cli.arguments import AsJson, SeedNumber, argument, option
from flicksim.cli.console import out, show_json, show_table
from flicksim.core.errors import InvalidOption, NameNotFound
from flicksim.core.paths import resolve_asset
from flicksim.core.serialization import from_json, read_json_object
from flicksim.core.units import to_degrees
from flicksim.experiments import MAX_SHOTS, FoundShot, SearchInterrupted, find_shot
from flicksim.scene import PyramidScene, Scene, Squidge, samples


def aim_command(
    file: Annotated[str, argument("FILE", "Recorded game, position, scene file, or sample as sample:draw.")],
    goal: Annotated[str, argument("GOAL", "Measure that is true, as potted, or limited, as 'distance white<=0.03'.")],
    turn: Annotated[int | None, option("--turn", "N", "Turn of a recorded game. [default: its end]", min=1)] = None,
    piece: Annotated[str | None, option("--piece", "ID", "Piece to flick. [default: any that the rules allow]")] = None,
    shot: Annotated[str | None, option("--shot", "FILE", "Shot to begin with. [default: that of a sample]")] = None,
    hand: Annotated[str, option("--hand", "GRADE", "Grade of the execution noise, or steady.")] = "club",
    shots: Annotated[
        int | None,
        option(
            "--shots",
            "N",
            "Shots to simulate. [default: 20,000 flicks, 2,000 squidges or 3,000 launches]",
            min=1,
            max=MAX_SHOTS,
        ),
    ] = None,
    seed: SeedNumber = 1,
    as_json: AsJson = False,
) -> None:
    """Find the shot that most probably reaches a goal."""
    start, initial = _load(file, turn)
    if shot is not None:
        initial = (match.load_shot(shot, start if isinstance(start, Scene | PyramidScene) else None),)
    is_stopped = False
    try:
        found = find_shot(start, goal, hand, piece=piece, initial=initial, shots=shots, seed=seed)
    except SearchInterrupted as interrupted:
        found, is_stopped = interrupted.found, True
    if as_json:
        fields = {name: getattr(found, name) for name in found.__struct_fields__}
        show_json({"hand": hand, "seed": seed, "stopped": is_stopped, **fields})
    else:
        _show(found, hand)
    if is_stopped:
        raise exit_stopped("Stopped: the probability of the best shot is a little too high.")
    if found.probability == 0.0:
        raise typer.Exit(1)


def _show(found: FoundShot, hand: str) -> None:
    """Print the shots found, the best first."""
    rows = []
    for one in (found, *found.others):
        action = one.action
        rise = action.elevation if isinstance(action, Squidge) else getattr(action, "slant", None)
        rising = "" if rise is None else f"{to_degrees(rise):.1f}°"
        interval = f"{one.low:.1%} to {one.high:.1%}"
        shot_text = (action.piece, f"{action.speed:.3f}", f"{to_degrees(action.azimuth):.2f}°", rising)
        rows.append((*shot_text, f"{one.probability:.1%}", interval, one.tries))
    headings = ("piece", "m/s", "azimuth", "rising", "reached", "95 %", "tries")
    show_table(headings, rows, title=f"{found.goal}, {hand} hand")
    out.print(f"{found.shots:,} shots were simulated; `--json` gives every field of the shots.")
    if found.probability == 0.0:
        out.print(
            "No try of these shots reached the goal: it may be out of reach from here or for this hand, or need more "
            "`--shots` to be found."
        )


def _load(file: str, turn: int | None) -> tuple[match.GameState | Scene | PyramidScene, Sequence[match.Shot]]:
    """Load the state or the scene, and the shots to begin with."""
    path = resolve_asset(Path(file))
    if match.is_record(path):
        return _state_of_record(path, turn), ()
    if turn is not None:
        raise InvalidOption(f"--turn {turn} is for a recorded game, not for {file!r}")
    sample = match.find_sample(file)
    if sample is not None:
        return sample[0], (sample[1],)
    fields = from_json(read_json_object(path, "position and no scene"), dict, name=str(path)) if path.is_file() else {}
    if "surface" in fields or "scene" in fields:
        return match.load_scene_by_name(file), ()
    try:
        game = match.game_of_position(file)
    except NameNotFound as error:
        raise NameNotFound(f"{error}; samples are {', '.join(samples.all_sample_names())}") from None
    _, state = match.load_start_state(game, file)
    return match.GameState(name=game.name, state=state, noise=(ai.NO_NOISE,) * len(game.rules.scores(state))), ()


def _state_of_record(path: Path, turn: int | None) -> match.GameState:
    """Load the state before a turn of a record, without a number that after the last."""
    played = match.replay_whole(path, "no shot is found in it")[0].match
    turns = played.turns
    if turn is None and played.is_over:
        raise InvalidOption(f"the game of {str(path)!r} is over; --turn N, 1 to {len(turns)}, is before a turn of it")
    if turn is not None and turn > len(turns):
        raise InvalidOption(f"turn {turn} of {str(path)!r} is not there; it has {len(turns)}")
    state = played.state if turn is None else turns[turn - 1].before
    return match.GameState(name=played.game.name, state=state, noise=played.seated_noise)
