"""Public functions to load scenes and simulate shots, single or in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from numbers import Real
from os import PathLike, fspath
from typing import Any, Literal, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from flicksim import engine
from flicksim.core.deprecation import rename_value, renamed_keywords
from flicksim.core.errors import InvalidInput
from flicksim.core.type_aliases import ActionTypes, JsonValue, Unchecked
from flicksim.core.validation import as_path, check_int, check_type, explain_type_errors, short_repr
from flicksim.engine import DiscBatchResult, Flicks, LaunchBatchResult, Launches, Settings, Squidges, WinkBatchResult
from flicksim.match import load_scene_by_name, load_shot, simulate_shot
from flicksim.scene import (
    Flick,
    Launch,
    LaunchTrajectory,
    PyramidScene,
    Scene,
    Squidge,
    Trajectory,
    Volley,
    VolleyTrajectory,
)

_ACTION_TYPES: ActionTypes = (Flick, Squidge, Launch, Volley)
_SCENE_TYPES: ActionTypes = (Scene, PyramidScene)
_BATCH_TYPES: ActionTypes = (Flicks, Squidges, Launches)
_MAX_THREADS = 1024
F = TypeVar("F", bound=Callable[..., Any])


@renamed_keywords(which="name_or_path")
def load_scene(name_or_path: str | PathLike[str]) -> Scene:
    """Load a board or a mat with its pieces: a sample by name (`"draw"`), a shipped position, or a file.

    >>> load_scene("draw").piece("white").y
    0.575

    Raises:
        NameNotFound: there is none; lists those there are. InvalidFile, InvalidInput: the file cannot be read.
        InvalidScene: the pieces cannot lie so; lists everything that is wrong.
    """
    found = load_scene_by_name(_path_text(name_or_path, "the scene"))
    if isinstance(found, PyramidScene):
        raise InvalidInput(f"{fspath(name_or_path)!r} is a table with pyramids; load_pyramids reads it")
    return found


@renamed_keywords(which="name_or_path")
def load_pyramids(name_or_path: str | PathLike[str]) -> PyramidScene:
    """Load a table with pyramids: a sample by name (`"launch"`), or a file.

    Raises:
        NameNotFound, InvalidFile, InvalidInput: see `load_scene`.
    """
    found = load_scene_by_name(_path_text(name_or_path, "the table"))
    if isinstance(found, Scene):
        raise InvalidInput(f"{fspath(name_or_path)!r} is a table of flat pieces; load_scene reads it")
    return found


@renamed_keywords(which="name_or_path")
def load_flick(name_or_path: str | PathLike[str]) -> Flick | Squidge:
    """Load a flick or a squidge: that of a sample by name, or a file.

    >>> load_flick("draw").piece
    'a'

    Raises:
        NameNotFound: there is none; lists the samples.
        InvalidFile, InvalidInput: the file cannot be read, or holds something else.
    """
    found = load_shot(_path_text(name_or_path, "the flick"))
    if isinstance(found, Launch):
        raise InvalidInput(f"{fspath(name_or_path)!r} is a launch; load_launch reads it")
    return found


@renamed_keywords(which="name_or_path")
def load_launch(name_or_path: str | PathLike[str]) -> Launch:
    """Load a launch of a pyramid: that of a sample by name, or a file.

    Raises:
        NameNotFound, InvalidFile, InvalidInput: see `load_flick`.
    """
    found = load_shot(_path_text(name_or_path, "the launch"))
    if not isinstance(found, Launch):
        raise InvalidInput(f"{fspath(name_or_path)!r} is no launch; load_flick reads it")
    return found


def _path_text(name_or_path: str | PathLike[str], name: str) -> str:
    return str(as_path(name_or_path, name))


@overload
def simulate(scene: Scene, action: Flick | Squidge, settings: Settings | None = None) -> Trajectory: ...
@overload
def simulate(scene: PyramidScene, action: Launch, settings: Settings | None = None) -> LaunchTrajectory: ...
@overload
def simulate(scene: PyramidScene, action: Volley, settings: Settings | None = None) -> VolleyTrajectory: ...
@renamed_keywords(flick="action")
def simulate(
    scene: Scene | PyramidScene, action: Flick | Squidge | Launch | Volley, settings: Settings | None = None
) -> Trajectory | LaunchTrajectory | VolleyTrajectory:
    """Simulate one shot until everything is at rest. The same scene, action and settings give the same bits.

    A `Flick` slides any flat piece in the plane, a wink too, and the pot is a fixed circle there; a `Squidge` throws
    any into the air, a coin too. Whether a game has such a shot is for its rules to say (`new_game`).

    Squidges and launches that come before their kernels are compiled, once, in the background, take seconds.

    >>> trajectory = simulate(load_scene("draw"), Flick(piece="a", speed=1.46, azimuth=1.5708))
    >>> f"{trajectory.after.piece('white').y:.3f} m after {trajectory.duration:.2f} s"
    '0.596 m after 0.72 s'

    Args:
        scene: a board or a mat for a `Flick` or a `Squidge`; a table with pyramids for a `Launch` or a `Volley`.
        action: flick, squidge, launch or volley. settings: physics settings that differ from the defaults.

    Returns:
        Scene before and after, events in order of time, tracks of every piece in between.

    Raises:
        InvalidScene: pieces overlap, lie off the surface, or are of unknown materials.
        InvalidAction: the piece is not there, or cannot be put where the flick starts.
        InvalidInput: an argument is something else than it should be.
        DidNotSettle: it would not come to rest; names what still moved.
    """
    _check_scene(scene, action, "action")
    check_type(action, _ACTION_TYPES, "action", "it is a Flick, a Squidge or a Launch (load_flick reads one)")
    if settings is not None:
        check_type(settings, Settings, "settings", "it is a Settings, as Settings(gravity=9.8), or left out")
    with explain_type_errors(scene=scene, action=action, settings=settings or Settings()):
        # the engine refuses a scene and an action that do not go together
        function: Callable[..., Trajectory | LaunchTrajectory | VolleyTrajectory] = simulate_shot
        return function(scene, action, settings)


def _check_scene(scene: Unchecked, action: Unchecked, name: str) -> None:
    if isinstance(scene, _ACTION_TYPES) and isinstance(action, _SCENE_TYPES):
        raise InvalidInput(
            f"scene is {short_repr(scene)} and {name} is {short_repr(action)}: the scene comes first, then the {name}"
        )
    check_type(scene, _SCENE_TYPES, "scene", "it is a Scene or a PyramidScene (load_scene reads one)")


def _typed_like(function: F) -> Callable[[Callable[..., object]], F]:  # noqa: ARG001 - its type is what counts
    """Decorator of a function whose arguments and result have the types of another, for type checkers."""
    return lambda own: cast(F, own)


@_typed_like(engine.simulate_batch)
@renamed_keywords(places="positions", failed="on_error")
def simulate_batch(
    scene: Scene | PyramidScene | Iterable[Scene] | Iterable[PyramidScene],
    flicks: Flick | Squidge | Launch | Iterable[Flick | Squidge | Launch] | Flicks | Squidges | Launches,
    settings: Settings | Iterable[Settings] | None = None,
    *,
    positions: npt.ArrayLike | None = None,
    threads: int = 1,
    device: Literal["cpu", "cuda"] = "cpu",
    events: bool = False,
    until: Literal["rest", "potted", "decided"] = "rest",
    on_error: Literal["raise", "mark"] = "raise",
) -> DiscBatchResult | WinkBatchResult | LaunchBatchResult:
    """Simulate many shots until everything is at rest. One scene, flick or settings serves all shots.

    >>> shots = simulate_batch(load_scene("draw"), [Flick(piece="a", speed=s, azimuth=1.5708) for s in (1.3, 1.4, 1.5)])
    >>> shots.positions[:, shots.column("white"), 1].round(3).tolist()
    [0.575, 0.575, 0.62]

    Args:
        scene: initial scene, one for all or one a shot; boards and mats all of the same outline.
        flicks: one action, many, or columns of them (`flicksim.engine.Flicks`).
        settings: physics settings, one for all or one a shot.
        positions: x, y [m] and angle [rad] of the pieces before each shot, instead of the scene's. [S, N, 3]
        threads: number of worker threads; the result is the same for any number.
        device: "cpu", or "cuda" for a graphics processor: the same code, compiled for it once in minutes; of discs
            without events and of winks. Its rounding differs: a shot that amplifies it may end elsewhere, and of many
            shots each outcome comes as often.
        events: record events; of discs only.
        until: when the simulation of a wink ends: at "rest"; as soon as it is "decided" whether the squidged wink is
            potted; or as soon as it is "potted", and otherwise at rest.
        on_error: "raise" at the first invalid shot, or "mark" it and simulate the others: the rows of those that failed
            are NaN or masked, so means and counts leave them out.

    Raises:
        InvalidScene, InvalidAction, DidNotSettle: as `simulate`; names the first such shot and counts them.
        InvalidInput: an argument is something else than it should be, shapes do not match, or device is "cuda" and
            there is no graphics processor.
        MissingExtra: device "cuda" needs the extra `cuda`.
    """
    until = rename_value("until", until, {"verdict": "decided"}, stacklevel=5)
    if isinstance(scene, (*_ACTION_TYPES, *_BATCH_TYPES)):
        _check_scene(scene, flicks, "flicks")
    if not isinstance(scene, _SCENE_TYPES):
        scene = _as_list(scene, _SCENE_TYPES, "scene", "a Scene or a PyramidScene")
    actions = _as_columns(flicks) if isinstance(flicks, _BATCH_TYPES) else _as_actions(flicks)
    if not isinstance(settings, Settings | None):
        settings = _as_list(settings, Settings, "settings", "a Settings")
    check_int(threads, "threads", 1, _MAX_THREADS)
    if positions is not None:
        positions = _as_array(positions, "positions", "real numbers [shots, pieces, 3]")
    one_by_one = [] if isinstance(actions, _BATCH_TYPES) else actions
    with explain_type_errors(scene=scene, settings=settings or [], flicks=one_by_one):
        function: Callable[..., DiscBatchResult | WinkBatchResult | LaunchBatchResult] = engine.simulate_batch
        return function(
            scene,
            actions,
            settings,
            positions=positions,
            threads=threads,
            device=device,
            events=bool(events),
            until=until,
            on_error=on_error,
        )


def _as_actions(actions: Unchecked) -> JsonValue:
    """Actions as a list, all of one type."""
    if isinstance(actions, (Flick, Squidge, Launch)):
        return actions
    found = _as_list(actions, (Flick, Squidge, Launch), "flicks", "a Flick, a Squidge or a Launch")
    for row, flick in enumerate(found):
        if type(flick) is not type(found[0]):
            raise InvalidInput(
                f"flicks[{row}] is {short_repr(flick)} and the first is {short_repr(found[0])}; all must be of one kind"
            )
    return found


def _as_list(values: Unchecked, expected: Unchecked, name: str, hint: str) -> list[JsonValue]:
    """Elements of an iterable, all of the expected type."""
    if isinstance(values, str | bytes | dict) or not isinstance(values, Iterable):
        raise InvalidInput(f"{name} cannot be {short_repr(values)}; give {hint}, or many")
    found = list(values)
    if not found:
        raise InvalidInput(f"{name} is empty; give {hint} at least")
    for row, one in enumerate(found):
        check_type(one, expected, f"{name}[{row}]", f"each is {hint}")
    return found


def _as_columns(actions: Unchecked) -> JsonValue:
    """The same columns as float arrays."""
    found: dict[str, JsonValue] = {}
    for name in type(actions).__dataclass_fields__:
        given = getattr(actions, name)
        if isinstance(given, str) or given is None:
            found[name] = given
        elif name in ("piece", "size"):
            found[name] = _as_list(given, str, name, "the id of a piece" if name == "piece" else "a size")
        else:
            found[name] = _as_array(given, name, "real numbers, one a shot")
            wide = 2 if name in ("start", "hold") else 1
            if found[name].ndim > wide:
                shape = "[shots, 2]" if wide == 2 else "[shots]"
                raise InvalidInput(f"{name} has shape {list(found[name].shape)}; it must be {shape}")
    if found.get("piece", "") is None:
        raise InvalidInput("piece cannot be None; give the id of a piece, or one a shot")
    return type(actions)(**found)


def _as_array(values: Unchecked, name: str, hint: str) -> npt.NDArray[np.float64]:
    """Real numbers as an array of floats; True is no number, alone or among numbers."""
    try:
        found = np.asanyarray(values)
        if found.dtype.kind == "O" or not hasattr(values, "dtype"):  # an array would make a number of True among others
            elements = np.array(values, dtype=object)
            types = set(map(type, elements.flat)) - {np.ndarray}  # of no dimension, in a list
            if all(issubclass(one, Real) and not issubclass(one, bool | np.bool_) for one in types):
                found = elements.astype(np.float64)
            else:
                found = np.array(None)
    except (TypeError, ValueError, OverflowError):  # rows of different lengths; a number too large
        found = np.array(None)
    if isinstance(found, np.ma.MaskedArray) or (found.size and found.dtype.kind not in "iuf"):
        raise InvalidInput(f"{name} cannot be {short_repr(values)}; give {hint}")
    if not found.size:
        raise InvalidInput(f"{name} is empty; give {hint}")
    return np.asarray(found, dtype=np.float64)


__all__ = ["load_flick", "load_launch", "load_pyramids", "load_scene", "simulate", "simulate_batch"]
