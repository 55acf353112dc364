"""Simulation, play and study of tabletop flicking games.

Discs, winks and pyramids are simulated until they are at rest (`engine`); card games are moves of cards and tiles.
Rules only read finished results (`referee`, `games`). Imports run only downwards:

    cli | api
    gui | training | validation
    envs
    experiments
    challenges | profiles | net
    match
    games/<one package each>
    engine | ai | referee | render
    scene | cards
    core

Packages on one line do not import each other. pymunk is imported only by `engine` and `validation`, pygame only by
`gui`, gymnasium only by `envs` and `training`; `engine`, `scene` and `referee` draw no random numbers. import-linter
checks it in the tests.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from flicksim.core import deprecation
from flicksim.core.rich_display import set_renderer
from flicksim.core.version import __version__

if TYPE_CHECKING:
    from flicksim.api.analysis import evaluate
    from flicksim.api.games import GameResult, load_game, new_game, play_game, replay
    from flicksim.api.simulation import load_flick, load_launch, load_pyramids, load_scene, simulate, simulate_batch
    from flicksim.core.errors import FlicksimError
    from flicksim.engine import Settings
    from flicksim.experiments import Experiment, ParameterSpec, find_shot, read_results, run_experiment
    from flicksim.match import GameState, Player, read_record
    from flicksim.scene import Flick, Launch, Scene, Squidge

__all__ = [
    "Experiment",
    "Flick",
    "FlicksimError",
    "GameResult",
    "GameState",
    "Launch",
    "ParameterSpec",
    "Player",
    "Scene",
    "Settings",
    "Squidge",
    "__version__",
    "evaluate",
    "find_shot",
    "load_flick",
    "load_game",
    "load_launch",
    "load_pyramids",
    "load_scene",
    "new_game",
    "play_game",
    "read_record",
    "read_results",
    "replay",
    "run_experiment",
    "simulate",
    "simulate_batch",
]  # fmt: skip

set_renderer(f"{__name__}.render.notebook")
deprecation.install()

_EXPORTS = {
    "api.analysis": ("evaluate",),
    "api.games": ("GameResult", "load_game", "new_game", "play_game", "replay"),
    "api.simulation": ("load_flick", "load_launch", "load_pyramids", "load_scene", "simulate", "simulate_batch"),
    "core.errors": ("FlicksimError",),
    "engine": ("Settings",),
    "experiments": ("Experiment", "ParameterSpec", "find_shot", "read_results", "run_experiment"),
    "match": ("GameState", "Player", "read_record"),
    "scene": ("Flick", "Launch", "Scene", "Squidge"),
}
_MODULE_OF = {name: module for module, names in _EXPORTS.items() for name in names}
"""Module of each public name; it is loaded when the name is first used."""
_RENAMED = {
    "Played": "GameResult",
    "Spread": "ParameterSpec",
    "ask": "run_experiment",
    "settle": "simulate",
    "settle_many": "simulate_batch",
}
"""Old names, which warn for one release."""


def __getattr__(name: str) -> Any:
    if name in _RENAMED:
        deprecation.warn_renamed(f"{__name__}.{name}", f"{__name__}.{_RENAMED[name]}")
        return globals().setdefault(name, __getattr__(_RENAMED[name]))
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
    found = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
