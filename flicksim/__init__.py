"""flicksim: flicking games played and studied properly.

Two wings on one ground floor, joined at one door (`play`). The table wing settles flicks (physics), the card wing
settles moves; both hand a finished account to rules that only read it. Imports run only downwards:

    cli | door
    ui | lab
    challenges | people
    play
    games/<one folder each>
    physics | players | referee | drawing
    table | cards
    base

Rooms on one line do not know each other. pymunk stays in `physics`, pygame in `ui`, dice out of `physics`, `table` and
`referee`; import-linter holds it in the test run.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from flicksim.base.showing import painted_by
from flicksim.base.version import __version__

if TYPE_CHECKING:
    from flicksim.base.errors import FlicksimError
    from flicksim.door.games import Played, load_game, play_game, replay
    from flicksim.door.questions import ask, read_results
    from flicksim.door.shots import load_flick, load_launch, load_pyramids, load_scene, settle, settle_many
    from flicksim.lab import Experiment, Spread
    from flicksim.physics import Settings
    from flicksim.play import Player, read_record
    from flicksim.table import Flick, Launch, Scene, Squidge

__all__ = [
    "Experiment", "Flick", "FlicksimError", "Launch", "Played", "Player", "Scene", "Settings", "Spread", "Squidge",
    "__version__", "ask", "load_flick", "load_game", "load_launch", "load_pyramids", "load_scene", "play_game",
    "read_record", "read_results", "replay", "settle", "settle_many",
]  # fmt: skip

painted_by(f"{__name__}.drawing.notebook")

_ROOMS = {
    "base.errors": ("FlicksimError",),
    "door.games": ("Played", "load_game", "play_game", "replay"),
    "door.questions": ("ask", "read_results"),
    "door.shots": ("load_flick", "load_launch", "load_pyramids", "load_scene", "settle", "settle_many"),
    "lab": ("Experiment", "Spread"),
    "physics": ("Settings",),
    "play": ("Player", "read_record"),
    "table": ("Flick", "Launch", "Scene", "Squidge"),
}
_WHERE = {name: room for room, names in _ROOMS.items() for name in names}
"""Room of each name of the front door: it is loaded when the name is first used."""


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
    found = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
