"""Named shots and scenes for the tests of the 3D wink simulation."""

import csv
import json
import math
from pathlib import Path

import numpy as np

from flicksim.core.serialization import from_builtins
from flicksim.engine import winks
from flicksim.scene import Scene, Squidge

REFERENCE_TABLES = Path(__file__).parents[3] / "assets" / "reference"


def table(name: str) -> list[dict[str, str]]:
    """Rows of a reference table."""
    with (REFERENCE_TABLES / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def stored_shot(name: str) -> tuple[Scene, Squidge]:
    """Scene and squidge of a file beside the tests."""
    stored = json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
    return from_builtins(stored["scene"], Scene), from_builtins(stored["squidge"], Squidge)


def single_wink_shot(
    speed: float,
    elevation_deg: float = 45.0,
    azimuth_deg: float = 90.0,
    tumble: float = 100.0,
    *,
    distance: float = 0.914,
    params: winks.WinkParams = winks.PLAY_PARAMS,
    pot: winks.Cup | None = winks.Cup(),  # noqa: B008 - frozen
    until: winks.Until = winks.Until.REST,
    record: float | None = None,
    t_max: float = 10.0,
) -> winks.WinkResult:
    """A small wink shot from (0, -distance) along +y at a pot in the origin."""
    radius, half, _ = winks.SMALL_WINK
    wink = winks.WinkStates.at_rest(np.array([[0.0, -distance, half]]), [winks.SMALL_WINK])
    v, spin = winks.launch_motion(
        radius, half, wink.n[0], speed, math.radians(elevation_deg), math.radians(azimuth_deg), tumble
    )
    return winks.simulate_winks(
        wink.with_motion(0, v, spin), params, pot, shooter=0, until=until, keyframe_interval=record, t_max=t_max
    )


def resting_field(rng: np.random.Generator, count: int, *, clear: float = 0.03) -> np.ndarray:
    """Centres of `count` small winks lying apart on a mat around the pot and away from (0, -.914) [count, 3]."""
    _, half, _ = winks.SMALL_WINK
    places: list[tuple[float, float]] = [(0.0, 0.0), (0.0, -0.914)]
    while len(places) < count + 2:
        x, y = rng.uniform(-0.4, 0.4), rng.uniform(-0.8, 0.6)
        if all(math.hypot(x - a, y - b) > clear + (0.03 if k == 0 else 0.0) for k, (a, b) in enumerate(places)):
            places.append((x, y))
    return np.array([[x, y, half] for x, y in places[2:]])
