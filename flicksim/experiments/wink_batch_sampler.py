"""Batch sampling of squidges: parameters, aim, execution noise, simulation and measures of many shots at once.

Random draws and results equal those of single shots (see `engine.batch.simulate_mats`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import atan2, cos, nan, pi, sin
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from flicksim.ai import ExecutionNoise
from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import JsonValue
from flicksim.engine import Settings, Squidges
from flicksim.engine.batch import simulate_mats
from flicksim.engine.jit import njit_no_refcount
from flicksim.experiments.disc_batch_sampler import AxisValues, BatchSampler, Floats, Row, draw_axis_values, lengths
from flicksim.experiments.measure import ShotBatch
from flicksim.experiments.parameter_spec import Level
from flicksim.experiments.placeholders import Template, fill
from flicksim.scene import FULL_TURN, MAX_SPEED, MAX_TUMBLE, Scene, ballistics

NOISE_DRAWS = 4
"""Normal draws of the execution noise of a squidge: azimuth, speed, elevation, tumble."""
_CACHE_SIZE = 1024
"""Size of the caches of scenes and settings."""
_SQUIDGE_DEFAULTS = {"press": 0.0, "drag": 0.0, "squidger": 38.1e-3}
"""Defaults of the other fields of a squidge."""

# both stand in one file, by which it is known whether what was compiled is theirs
_reach = njit_no_refcount(ballistics.flight_range)
_speed_for = njit_no_refcount(ballistics.solve_launch_speed)

T = TypeVar("T")

AimGeometry = tuple[Point, Point, float, tuple[float, float]]
"""Place of a wink, its target and the height over it [m], and the drag of the air [1/m]."""


class WinkBatchSampler(BatchSampler):
    """Batch sampler of experiments with winks.

    Args:
        make_scene: the mat that some values give. make_settings: the settings. The others as for `BatchSampler`.
    """

    max_batch = 512

    def __init__(
        self,
        *shared: JsonValue,
        make_scene: Callable[[list[Level]], Scene],
        make_settings: Callable[[list[Level]], Settings],
    ) -> None:
        super().__init__(*shared)
        self._scene_axes = [k for k, axis in enumerate(self._axes) if axis.path[0] == "pieces"]
        self._physics_axes = [k for k, axis in enumerate(self._axes) if axis.path[0] in ("settings", "pairings")]
        self._lay = lru_cache(maxsize=_CACHE_SIZE)(lambda given: make_scene(self._values(self._scene_axes, given)))
        self._physics = lru_cache(maxsize=_CACHE_SIZE)(
            lambda given: make_settings(self._values(self._physics_axes, given))
        )
        self._stop_at_verdict = all(gauge.known_at_verdict for gauge in self._measures)

    def _values(self, axis_indices: Sequence[int], axis_values: Sequence[Level]) -> list[Level]:
        """Values of all axes: these at these indices, NaN elsewhere."""
        values: list[Level] = [nan] * len(self._axes)
        for place, one in zip(axis_indices, axis_values, strict=True):
            values[place] = one
        return values

    def rows(self, first: int, last: int, single_shot: Callable[[int], Row]) -> list[Row]:
        """As `BatchSampler.rows`."""
        count = last - first
        given = draw_axis_values(self._seeds, self._axes, self._cells, first, last, NOISE_DRAWS)
        odd = np.zeros(count, np.bool_)
        scenes = self._per_shot(self._lay, self._scene_axes, given, odd)
        settings = self._per_shot(self._physics, self._physics_axes, given, odd)
        squidges = self._execute(given, scenes, odd)
        settled = simulate_mats(
            scenes,
            squidges,
            settings,
            until="decided" if self._stop_at_verdict else "rest",
            on_error="mark",
            checked=True,
        )
        began = np.full((count, len(settled.ids), 3), nan)
        column = settled.column(self._piece)
        places = {id(scene): [(piece.id, piece.position) for piece in scene.pieces] for scene in scenes}
        for row in range(count):
            for name, at in places[id(scenes[row if len(scenes) > 1 else 0])]:
                began[row, settled.ids.index(name), :2] = at
        if squidges.start is not None:
            began[:, column, :2] = squidges.start
        return self._rows_of(
            first,
            given,
            ShotBatch(piece=self._piece, made=squidges, initial_positions=began, result=settled),
            single_shot,
        )

    def _per_shot(
        self,
        make: Callable[[tuple[Level, ...]], T],
        axis_indices: Sequence[int],
        axis_values: AxisValues,
        invalid: npt.NDArray[np.bool_],
    ) -> list[T]:
        """The thing that each shot's values give, or the one that serves all; shots are `invalid` whose values cannot
        be."""
        if not axis_indices:
            return [make(())]
        found: list[T | None] = []
        for row in range(len(invalid)):
            try:
                found.append(make(tuple(self._level(place, axis_values, row) for place in axis_indices)))
            except (FlicksimError, ValueError):
                invalid[row] = True
                found.append(None)
        usable = next((one for one in found if one is not None), None)
        if usable is None:
            usable = make(tuple(self._axes[place].spec.typical for place in axis_indices))
        return [usable if one is None else one for one in found]

    def _level(self, axis_index: int, axis_values: AxisValues, row: int) -> Level:
        """Level of an axis in a shot."""
        words, levels = axis_values.level_indices[axis_index], self._axes[axis_index].spec.levels
        if words is not None and levels is not None:
            return levels[int(words[row])]
        return float(axis_values.numbers[axis_index][row])

    def _execute(self, axis_values: AxisValues, scenes: Sequence[Scene], invalid: npt.NDArray[np.bool_]) -> Squidges:
        """Executed squidges; NaN where they are invalid or need a redraw."""
        flick, rows = self._template["flick"], np.arange(len(invalid))

        def quantity(name: str, default: float) -> Floats:
            return self._quantity(flick.get(name, default), axis_values, rows)

        rise, tumble = quantity("elevation", pi / 4.0), quantity("tumble", 0.0)
        start = None
        if flick.get("start") is not None:
            start = np.stack([self._quantity(part, axis_values, rows) for part in flick["start"]], axis=1)
        if "target" in flick:
            hard, way = self._aim(axis_values, scenes, start, rise, tumble, quantity)
        else:
            hard, way = quantity("speed", nan), quantity("azimuth", nan)
        meant = Squidges(
            piece=self._piece, speed=hard, azimuth=way, elevation=rise, tumble=tumble, start=start,
            **{name: quantity(name, usual) for name, usual in _SQUIDGE_DEFAULTS.items()},
        )  # fmt: skip
        wrong = invalid.copy()
        for rows_of, _ in meant.problems(len(rows)):
            wrong |= rows_of
        speed, azimuth, elevation, spin = (np.empty(len(rows)) for _ in range(4))
        for shots, values in self._group_by_words(axis_values, len(rows)):
            hand: ExecutionNoise = self._noise_of(fill(self._template["hand"], values))
            dice = axis_values.noise_draws[shots]
            speed[shots] = np.clip(hard[shots] * (1.0 + hand.speed * dice[:, 1]), 1e-3, MAX_SPEED)
            azimuth[shots] = way[shots] + hand.azimuth * dice[:, 0]
            elevation[shots] = np.clip(rise[shots] + hand.elevation * dice[:, 2], 0.0, pi / 2.0)
            spin[shots] = np.clip(tumble[shots] + hand.tumble * dice[:, 3], -MAX_TUMBLE, MAX_TUMBLE)
        azimuth[np.abs(azimuth) > FULL_TURN] = nan
        speed[wrong] = nan
        return Squidges(
            piece=self._piece, speed=speed, azimuth=azimuth, elevation=elevation, tumble=spin, start=start,
            press=meant.press, drag=meant.drag, squidger=meant.squidger,
        )  # fmt: skip

    def _aim(
        self, axis_values: AxisValues, scenes: Sequence[Scene], start: Floats | None, elevation: Floats, tumble: Floats,
        quantity: Callable[[str, float], Floats],
    ) -> tuple[Floats, Floats]:  # fmt: skip
        """Speed and azimuth of these aimed shots."""
        count = len(elevation)
        at, to, height, air = np.empty((count, 2)), np.empty((count, 2)), np.empty(count), np.empty((count, 2))
        known: dict[tuple[int, str | None], AimGeometry] = {}
        for shots, values in self._group_by_words(axis_values, count):
            target = fill(self._template["flick"]["target"], values)
            for row in shots.tolist():
                scene = scenes[row if len(scenes) > 1 else 0]
                key = id(scene), target if isinstance(target, str) else None
                if key not in known:
                    known[key] = _aim_geometry(scene, self._piece, target)
                at[row], to[row], height[row], air[row] = known[key]
        if start is not None:
            at = start
        point = self._template["flick"]["target"]
        if isinstance(point, tuple):
            to = np.stack([self._quantity(part, axis_values, np.arange(count)) for part in point], axis=1)
        dx, dy = to[:, 0] - at[:, 0], to[:, 1] - at[:, 1]
        way = lengths(dx, dy) + quantity("overshoot", 0.0)
        able = way > 0.0  # and not NaN, where there is nothing to aim at
        hard, azimuth = np.full(count, nan), np.full(count, nan)
        effort, turn = quantity("speed_factor", 1.0), quantity("aim_offset", 0.0)
        for row in np.flatnonzero(able).tolist():
            rough = ballistics.round_inputs(float(way[row]), float(height[row]), float(elevation[row]))
            speed = _speed_for(*rough, float(tumble[row]), float(air[row, 0]), float(air[row, 1]), _reach)
            hard[row] = min(MAX_SPEED, speed * effort[row])
            turned = atan2(dy[row], dx[row]) + turn[row]
            azimuth[row] = atan2(sin(turned), cos(turned))
        return hard, azimuth


def _aim_geometry(scene: Scene, name: str, target: Template) -> AimGeometry:
    """Place of a wink, its target and the height over it [m], and the drag of the air [1/m].

    NaN where there is nothing to aim at; asked about one by one it is told of.
    """
    piece, pot = scene.piece(name), scene.surface.pot
    face, side = ballistics.drag_deceleration_rates(piece)
    air = (round(face, 5), round(side, 5))
    if not isinstance(target, str):
        return piece.position, (nan, nan), 0.0, air
    if target == "pot" and pot is not None:
        return piece.position, pot.position, pot.height, air
    if scene.has(target):
        return piece.position, scene.piece(target).position, scene.piece(target).highest, air
    return piece.position, (nan, nan), 0.0, air
