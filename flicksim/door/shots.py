"""Flicks settled: one, or many, on tables that are made here or read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike, fspath
from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from flicksim import physics
from flicksim.base.asked import explained, must_be, path_of, shown, whole_number
from flicksim.base.errors import BadInput
from flicksim.base.kinds import Given, Kinds, Plain
from flicksim.physics import (
    Flicks,
    Launches,
    Settings,
    Settled,
    SettledLaunches,
    SettledMats,
    Squidges,
)
from flicksim.play import scene_named, shot_named
from flicksim.table import Flick, Landing, Landings, Launch, Motion, PyramidScene, Scene, Squidge, Volley

_FLICKS: Kinds = (Flick, Squidge, Launch, Volley)
_TABLES: Kinds = (Scene, PyramidScene)
_MANY: Kinds = (Flicks, Squidges, Launches)
_MOST_THREADS = 1024


def load_scene(which: str | PathLike[str]) -> Scene:
    """A board or a mat with its pieces: a sample's by name (`"draw"`), a shipped position's, or a file's.

    >>> load_scene("draw").piece("white").y
    0.575

    Raises:
        NoSuchName: there is none; lists those there are. BadFile, BadInput: the file cannot be read.
        BadScene: the pieces cannot lie so; says everything that is wrong.
    """
    found = scene_named(_word(which, "the scene"))
    if isinstance(found, PyramidScene):
        raise BadInput(f"{fspath(which)!r} is a table with pyramids; load_pyramids reads it")
    return found


def load_pyramids(which: str | PathLike[str]) -> PyramidScene:
    """A table with pyramids: a sample's by name (`"launch"`), or a file's.

    Raises:
        NoSuchName, BadFile, BadInput: see `load_scene`.
    """
    found = scene_named(_word(which, "the table"))
    if isinstance(found, Scene):
        raise BadInput(f"{fspath(which)!r} is a table of flat pieces; load_scene reads it")
    return found


def load_flick(which: str | PathLike[str]) -> Flick | Squidge:
    """A flick or a squidge: that of a sample by name, or a file's.

    >>> load_flick("draw").piece
    'a'

    Raises:
        NoSuchName: there is none. BadFile, BadInput: the file cannot be read, or holds something else.
    """
    found = shot_named(_word(which, "the flick"))
    if isinstance(found, Launch):
        raise BadInput(f"{fspath(which)!r} is a launch; load_launch reads it")
    return found


def load_launch(which: str | PathLike[str]) -> Launch:
    """A launch of a pyramid: that of a sample by name, or a file's.

    Raises:
        NoSuchName, BadFile, BadInput: see `load_flick`.
    """
    found = shot_named(_word(which, "the launch"))
    if not isinstance(found, Launch):
        raise BadInput(f"{fspath(which)!r} is no launch; load_flick reads it")
    return found


def _word(which: str | PathLike[str], what: str) -> str:
    return str(path_of(which, what))


@overload
def settle(scene: Scene, flick: Flick | Squidge, settings: Settings | None = None) -> Motion: ...
@overload
def settle(scene: PyramidScene, flick: Launch, settings: Settings | None = None) -> Landing: ...
@overload
def settle(scene: PyramidScene, flick: Volley, settings: Settings | None = None) -> Landings: ...
def settle(
    scene: Scene | PyramidScene, flick: Flick | Squidge | Launch | Volley, settings: Settings | None = None
) -> Motion | Landing | Landings:
    """Flick a piece and let the table come to rest. The same scene, flick and settings give the same bits.

    >>> motion = settle(load_scene("draw"), Flick(piece="a", speed=1.46, azimuth=1.5708))
    >>> f"{motion.after.piece('white').y:.3f} m after {motion.duration:.2f} s"
    '0.596 m after 0.72 s'

    Args:
        scene: a board or a mat for a `Flick` or a `Squidge`; a table with pyramids for a `Launch` or a `Volley`.
        flick: what the hand does. settings: of the physics, where they differ from the house's.

    Returns:
        Scene before and after, events in order of time, tracks of everything meanwhile.

    Raises:
        BadScene: pieces overlap, lie off the surface, or are of unknown materials.
        BadFlick: the piece is not there, or cannot be put where the flick starts.
        BadInput: an argument is something else than it should be.
        Unsettled: it would not come to rest; names what still moved.
    """
    _check_scene(scene, flick)
    must_be(flick, _FLICKS, "flick", "it is a Flick, a Squidge or a Launch (load_flick reads one)")
    _check_settings(settings)
    with explained(scene=scene, flick=flick, settings=settings or Settings()):
        settled: Callable[..., Motion | Landing | Landings] = physics.settle  # refuses what does not go together
        return settled(scene, flick, settings)


def _check_scene(scene: Given, flick: Given) -> None:
    if isinstance(scene, _FLICKS) and isinstance(flick, _TABLES):
        raise BadInput(f"scene is {shown(scene)} and flick is {shown(flick)}: the scene comes first, then the flick")
    must_be(scene, _TABLES, "scene", "it is a Scene or a PyramidScene (load_scene reads one)")


def _check_settings(settings: Given) -> None:
    if settings is not None:
        must_be(settings, Settings, "settings", "it is a Settings, as Settings(gravity=9.8), or left out")


@overload
def settle_many(
    scene: Scene | Iterable[Scene],
    flicks: Flick | Iterable[Flick] | Flicks,
    settings: Settings | Iterable[Settings] | None = None,
    *,
    places: npt.ArrayLike | None = None,
    threads: int = 1,
    events: bool = False,
    failed: Literal["raise", "mark"] = "raise",
) -> Settled: ...
@overload
def settle_many(
    scene: Scene | Iterable[Scene],
    flicks: Squidge | Iterable[Squidge] | Squidges,
    settings: Settings | Iterable[Settings] | None = None,
    *,
    threads: int = 1,
    until: Literal["rest", "potted", "verdict"] = "rest",
    failed: Literal["raise", "mark"] = "raise",
) -> SettledMats: ...
@overload
def settle_many(
    scene: PyramidScene | Iterable[PyramidScene],
    flicks: Launch | Iterable[Launch] | Launches,
    settings: Settings | Iterable[Settings] | None = None,
    *,
    threads: int = 1,
    failed: Literal["raise", "mark"] = "raise",
) -> SettledLaunches: ...
def settle_many(
    scene: Scene | PyramidScene | Iterable[Scene] | Iterable[PyramidScene],
    flicks: Flick
    | Squidge
    | Launch
    | Iterable[Flick]
    | Iterable[Squidge]
    | Iterable[Launch]
    | Flicks
    | Squidges
    | Launches,
    settings: Settings | Iterable[Settings] | None = None,
    *,
    places: npt.ArrayLike | None = None,
    threads: int = 1,
    events: bool = False,
    until: Literal["rest", "potted", "verdict"] = "rest",
    failed: Literal["raise", "mark"] = "raise",
) -> Settled | SettledMats | SettledLaunches:
    """Make many shots, and let the table come to rest after each. One of anything serves all shots.

    >>> shots = settle_many(load_scene("draw"), [Flick(piece="a", speed=s, azimuth=1.5708) for s in (1.3, 1.4, 1.5)])
    >>> shots.places[:, shots.column("white"), 1].round(3).tolist()
    [0.575, 0.575, 0.62]

    Args:
        scene: where they are made, one for all or one a shot; boards and mats all of the same outline.
        flicks: one, many, or columns of them (`flicksim.physics.Flicks`).
        settings: of the physics, one for all or one a shot.
        places: x, y [m] and angle [rad] of the pieces before each shot, instead of the scene's. [S, N, 3]
        threads: how many work at it; the answer is the same for any number.
        events: keep what `motion` needs to tell events; of coins only.
        until: how far winks are followed: to "rest"; to their "verdict", whether the one squidged is potted; or until
            it is "potted", where it is, and else to rest.
        failed: "raise" at the first shot that cannot be, or "mark" it and let the others go on.

    Raises:
        BadScene, BadFlick, Unsettled: as `settle`; names the first such shot and counts them.
        BadInput: an argument is something else than it should be, or shapes do not match.
    """
    if isinstance(scene, (*_FLICKS, *_MANY)):
        _check_scene(scene, flicks)
    tables = scene if isinstance(scene, _TABLES) else _each(scene, _TABLES, "scene", "a Scene or a PyramidScene")
    asked = _columns(flicks) if isinstance(flicks, _MANY) else _shots(flicks)
    if not isinstance(settings, Settings | None):
        settings = _each(settings, Settings, "settings", "a Settings")
    whole_number(threads, "threads", 1, _MOST_THREADS)
    if places is not None:
        places = _array(places, "places", "numbers [shots, pieces, 3]")
    shaky = {"scene": tables, "settings": settings or [], "flicks": [] if isinstance(asked, _MANY) else asked}
    with explained(**shaky):
        settled: Callable[..., Settled | SettledMats | SettledLaunches] = physics.settle_many
        return settled(
            tables, asked, settings, places=places, threads=threads, events=bool(events), until=until, failed=failed
        )


def _shots(flicks: Given) -> Plain:
    """Flicks one by one, all of one kind."""
    if isinstance(flicks, (Flick, Squidge, Launch)):
        return flicks
    found = _each(flicks, (Flick, Squidge, Launch), "flicks", "a Flick, a Squidge or a Launch")
    for row, flick in enumerate(found):
        if type(flick) is not type(found[0]):
            raise BadInput(
                f"flicks[{row}] is {shown(flick)} and the first is {shown(found[0])}; all must be of one kind"
            )
    return found


def _each(given: Given, kind: Given, what: str, right: str) -> list[Plain]:
    """The things of an iterable, all of a kind."""
    if isinstance(given, str | bytes | dict) or not isinstance(given, Iterable):
        raise BadInput(f"{what} cannot be {shown(given)}; give {right}, or many")
    found = list(given)
    if not found:
        raise BadInput(f"{what} is empty; give {right} at least")
    for row, one in enumerate(found):
        must_be(one, kind, f"{what}[{row}]", f"each is {right}")
    return found


def _columns(flicks: Given) -> Plain:
    """The same columns, as arrays that can be reckoned with."""
    found: dict[str, Plain] = {}
    for name in type(flicks).__dataclass_fields__:
        given = getattr(flicks, name)
        if isinstance(given, str) or given is None:
            found[name] = given
        elif name in ("piece", "size"):
            found[name] = _each(given, str, name, "the id of a piece" if name == "piece" else "a size")
        else:
            found[name] = _array(given, name, "numbers, one a shot")
            wide = 2 if name in ("start", "hold") else 1
            if found[name].ndim > wide:
                shape = "[shots, 2]" if wide == 2 else "[shots]"
                raise BadInput(f"{name} has shape {list(found[name].shape)}; it must be {shape}")
    if found.get("piece", "") is None:
        raise BadInput("piece cannot be None; give the id of a piece, or one a shot")
    return type(flicks)(**found)


def _array(given: Given, what: str, right: str) -> npt.NDArray[np.float64]:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"{what} cannot be {shown(given)}; give {right}") from None


__all__ = ["load_flick", "load_launch", "load_pyramids", "load_scene", "settle", "settle_many"]
