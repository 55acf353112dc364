"""Command `flicksim simulate`: one flick, squidge or launch of a scene."""

from pathlib import Path
from typing import Annotated

from flicksim.cli.arguments import AsJson, argument, check_picture, option
from flicksim.cli.console import out, show_json
from flicksim.cli.trajectory_text import show_launch, show_trajectory
from flicksim.core.errors import InvalidOption
from flicksim.core.type_aliases import Unchecked
from flicksim.games import load
from flicksim.match import Shot, find_sample, load_scene_by_name, load_shot, simulate_shot
from flicksim.render import DEFAULT_SEAT_NAMES, draw
from flicksim.render.pillow_backend import save_png
from flicksim.scene import LaunchTrajectory, PyramidScene, Scene, Trajectory


def simulate_command(
    scene: Annotated[str, argument("SCENE", "Scene file in SI units, position, or sample as sample:draw.")],
    flick: Annotated[
        str | None, argument("FLICK", "File with a flick, squidge or launch in SI units; a sample has its own.")
    ] = None,
    as_json: AsJson = False,
    png: Annotated[Path | None, option("--png", "FILE", "Draw the simulated shot to a file.")] = None,
) -> None:
    """Simulate a flick, squidge or launch of a scene and print its events."""
    check_picture(png)
    table = load_scene_by_name(scene)
    trajectory = simulate_shot(table, _load_shot(scene, flick, table))
    if png is not None:
        seats = load("ice").seat_names if isinstance(table, PyramidScene) else DEFAULT_SEAT_NAMES
        save_png(draw(trajectory, seats=seats), png)
    if as_json:
        show_json(_trajectory_json(trajectory))
        return
    if isinstance(trajectory, Trajectory):
        show_trajectory(trajectory)
    else:
        show_launch(trajectory)
    if png is not None:
        out.print(f"Drawn in {png}.")


def _trajectory_json(trajectory: Trajectory | LaunchTrajectory) -> dict[str, Unchecked]:
    """Result of a shot, for programs."""
    tracks: Unchecked
    if isinstance(trajectory, Trajectory):
        motion = trajectory.tracks
        start: dict[str, Unchecked] = {"duration": trajectory.duration, "settled": trajectory.settled}
        tracks = {
            "ids": motion.ids, "times": motion.times, "states": motion.states, "air": motion.heights_and_normals,
        }  # fmt: skip
    else:
        start = {"down": trajectory.first_contact_time, "duration": trajectory.duration}
        tracks = [
            {"id": track.id, "gone": track.has_left_table, "times": track.times, "middles": track.positions,
             "turns": track.orientations}
            for track in trajectory.tracks
        ]  # fmt: skip
    return {**start, "events": trajectory.events, "after": trajectory.after, "tracks": tracks}


def _load_shot(scene: str, flick: str | None, table: Scene | PyramidScene) -> Shot:
    """Load the shot of a file; without a file, the one of a sample scene."""
    if flick is not None:
        return load_shot(flick, table)
    sample = find_sample(scene)
    if sample is None:
        raise InvalidOption(f"no shot for {scene!r}: name a file with a flick, squidge or launch")
    return sample[1]
