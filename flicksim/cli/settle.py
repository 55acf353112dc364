"""`flicksim settle`: one flick, squidge or launch of a scene, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flicksim import ui
from flicksim.base.codec import from_json, read_bytes
from flicksim.base.errors import BadInput
from flicksim.cli.arguments import AsJson
from flicksim.cli.motion import show_motion
from flicksim.cli.position import scene_named
from flicksim.cli.pyramids import settle_launch
from flicksim.cli.words import out, show_json
from flicksim.physics import settle
from flicksim.table import Flick, PyramidScene, Squidge


def settle_command(
    scene: Annotated[str, typer.Argument(metavar="SCENE", help="A scene in SI units, or a position: file or name.")],
    flick: Annotated[Path, typer.Argument(metavar="FLICK.json", help="A flick or a squidge in SI units.")],
    as_json: AsJson = False,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="Draw what happened.")] = None,
) -> None:
    """Flick a piece of a scene, or launch a pyramid, and say what happens."""
    table = scene_named(scene)
    if isinstance(table, PyramidScene):
        settle_launch(table, flick, as_json, png)
        return
    motion = settle(table, _read_flick(flick))
    if png is not None:
        ui.picture(motion, png)
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


def _read_flick(path: Path) -> Flick | Squidge:
    """A flick; one that does not say what it is, is a finger's."""
    text = read_bytes(path)
    plain = from_json(text, dict, name=str(path))
    if plain.get("do") == "launch":
        raise BadInput(f'{str(path)!r} is a launch; it needs a table with pyramids (a scene that says "pyramids")')
    if "do" not in plain and (more := set(Squidge.__struct_fields__) - set(Flick.__struct_fields__)) & set(plain):
        has = ", ".join(sorted(more & set(plain)))
        raise BadInput(f'{path}: a flick has no {has}; a squidge has, and begins with "do": "squidge"')
    kind: Any = Flick | Squidge if "do" in plain else Flick
    found: Flick | Squidge = from_json(text, kind, name=str(path))
    return found
