"""`flicksim settle`: one flick, squidge or launch of a scene, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flicksim.base.errors import BadOption
from flicksim.cli.arguments import AsJson
from flicksim.cli.drawn import draw
from flicksim.cli.motion import show_motion
from flicksim.cli.pyramids import settle_launch
from flicksim.cli.sheet import out, show_json
from flicksim.physics import settle
from flicksim.play import Shot, sample_named, scene_named, shot_named
from flicksim.table import Launch, PyramidScene, Scene


def settle_command(
    scene: Annotated[
        str,
        typer.Argument(metavar="SCENE", help="A scene in SI units, a position, or a sample as sample:draw."),
    ],
    flick: Annotated[
        str | None,
        typer.Argument(metavar="FLICK", help="A flick, squidge or launch in SI units; a sample has one."),
    ] = None,
    as_json: AsJson = False,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Draw what happened.")] = None,
) -> None:
    """Flick a piece of a scene, or launch a pyramid, and say what happens."""
    table = scene_named(scene)
    shot = _shot(scene, flick, table)
    if isinstance(table, PyramidScene):
        assert isinstance(shot, Launch)
        settle_launch(table, shot, as_json, png)
        return
    assert not isinstance(shot, Launch)
    motion = settle(table, shot)
    if png is not None:
        draw(motion, png)
    if as_json:
        show_json(
            {
                "duration": motion.duration, "settled": motion.settled, "events": motion.events, "after": motion.after,
                "tracks": {
                    "ids": motion.tracks.ids, "times": motion.tracks.times, "states": motion.tracks.states,
                    "air": motion.tracks.air,
                },
            }
        )  # fmt: skip
        return
    show_motion(motion)
    if png is not None:
        out.print(f"Drawn in {png}.")


def _shot(scene: str, flick: str | None, table: Scene | PyramidScene) -> Shot:
    """The shot; a sample brings its own."""
    if flick is not None:
        return shot_named(flick, table)
    sample = sample_named(scene)
    if sample is None:
        raise BadOption(f"say what is done with {scene!r}: a file with a flick, squidge or launch")
    return sample[1]
