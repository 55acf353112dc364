"""Command `flicksim simulate`: one flick, squidge or launch of a scene."""

from pathlib import Path
from typing import Annotated

import typer

from flicksim.cli.arguments import AsJson
from flicksim.cli.console import out, show_json
from flicksim.cli.launch_text import simulate_launch
from flicksim.cli.picture_file import save_picture
from flicksim.cli.trajectory_text import show_trajectory
from flicksim.core.errors import InvalidOption
from flicksim.match import Shot, find_sample, load_scene_by_name, load_shot, simulate_shot
from flicksim.scene import Launch, PyramidScene, Scene, Trajectory


def simulate_command(
    scene: Annotated[
        str,
        typer.Argument(metavar="SCENE", help="Scene file in SI units, position, or sample as sample:draw."),
    ],
    flick: Annotated[
        str | None,
        typer.Argument(metavar="FLICK", help="File with a flick, squidge or launch in SI units; a sample has its own."),
    ] = None,
    as_json: AsJson = False,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="Draw the simulated shot to a file.")
    ] = None,
) -> None:
    """Simulate a flick, squidge or launch of a scene and print its events."""
    table = load_scene_by_name(scene)
    shot = _load_shot(scene, flick, table)
    if isinstance(table, PyramidScene):
        assert isinstance(shot, Launch)
        simulate_launch(table, shot, as_json, png)
        return
    assert not isinstance(shot, Launch)
    trajectory = simulate_shot(table, shot)
    assert isinstance(trajectory, Trajectory)
    if png is not None:
        save_picture(trajectory, png)
    if as_json:
        show_json(
            {
                "duration": trajectory.duration, "settled": trajectory.settled,
                "events": trajectory.events, "after": trajectory.after,
                "tracks": {
                    "ids": trajectory.tracks.ids, "times": trajectory.tracks.times, "states": trajectory.tracks.states,
                    "air": trajectory.tracks.heights_and_normals,
                },
            }
        )  # fmt: skip
        return
    show_trajectory(trajectory)
    if png is not None:
        out.print(f"Drawn in {png}.")


def _load_shot(scene: str, flick: str | None, table: Scene | PyramidScene) -> Shot:
    """Load the shot of a file; without a file, the one of a sample scene."""
    if flick is not None:
        return load_shot(flick, table)
    sample = find_sample(scene)
    if sample is None:
        raise InvalidOption(f"no shot for {scene!r}: name a file with a flick, squidge or launch")
    return sample[1]
