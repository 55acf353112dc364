"""Command `flicksim simulate`: one flick, squidge or launch of a scene."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flicksim.cli.arguments import AsJson
from flicksim.cli.console import out, show_json
from flicksim.cli.launch_text import simulate_launch
from flicksim.cli.picture_file import save_picture
from flicksim.cli.trajectory_text import show_trajectory
from flicksim.core.errors import InvalidOption
from flicksim.engine import simulate
from flicksim.match import Shot, find_sample, load_scene_by_name, load_shot
from flicksim.scene import Launch, PyramidScene, Scene


def simulate_command(
    scene: Annotated[
        str,
        typer.Argument(metavar="SCENE", help="A scene in SI units, a position, or a sample as sample:draw."),
    ],
    flick: Annotated[
        str | None,
        typer.Argument(metavar="FLICK", help="A flick, squidge or launch in SI units; a sample has one."),
    ] = None,
    as_json: AsJson = False,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="Draw the simulated shot to a file.")
    ] = None,
) -> None:
    """Simulate one flick, squidge or launch of a scene and print what happens."""
    table = load_scene_by_name(scene)
    shot = _load_shot(scene, flick, table)
    if isinstance(table, PyramidScene):
        assert isinstance(shot, Launch)
        simulate_launch(table, shot, as_json, png)
        return
    assert not isinstance(shot, Launch)
    motion = simulate(table, shot)
    if png is not None:
        save_picture(motion, png)
    if as_json:
        show_json(
            {
                "duration": motion.duration, "settled": motion.settled, "events": motion.events, "after": motion.after,
                "tracks": {
                    "ids": motion.tracks.ids, "times": motion.tracks.times, "states": motion.tracks.states,
                    "air": motion.tracks.heights_and_normals,
                },
            }
        )  # fmt: skip
        return
    show_trajectory(motion)
    if png is not None:
        out.print(f"Drawn in {png}.")


def _load_shot(scene: str, flick: str | None, table: Scene | PyramidScene) -> Shot:
    """Load the shot of a file; without a file, the one of a sample scene."""
    if flick is not None:
        return load_shot(flick, table)
    sample = find_sample(scene)
    if sample is None:
        raise InvalidOption(f"say what is done with {scene!r}: a file with a flick, squidge or launch")
    return sample[1]
