"""Batch sampling of squidges: parameters, aim, execution noise, simulation and measures of many shots at once.

Random draws and results equal those of single shots (see `engine.batch.simulate_mats`).
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from math import atan2, cos, nan, pi, sin
from typing import TypeVar

import numpy as np

from flicksim.ai import ExecutionNoise
from flicksim.core.arrays import Bools, Floats
from flicksim.core.errors import FlicksimError, InvalidAction
from flicksim.core.geometry import Point
from flicksim.engine import Settings, Squidges
from flicksim.engine.batch import simulate_mats
from flicksim.engine.jit import njit_entry, njit_no_refcount
from flicksim.experiments.aiming import aim_point
from flicksim.experiments.disc_batch_sampler import AxisValues, BatchSampler
from flicksim.experiments.measure import ShotBatch, lengths
from flicksim.experiments.parameter_spec import Level
from flicksim.experiments.resolved_experiment import Template, fill
from flicksim.scene import MAX_SPEED, Scene, ballistics

_CACHE_SIZE = 1024
"""Size of the caches of scenes and settings."""
_SQUIDGE_DEFAULTS = {"press": 0.0, "drag": 0.0, "squidger": 38.1e-3}
"""Defaults of the other fields of a squidge."""

njit_no_refcount(ballistics.flight_range)
_speed_for = njit_entry(ballistics.solve_launch_speed)

T = TypeVar("T")

AimGeometry = tuple[Point, Point, float, tuple[float, float]]
"""Position of a wink, its target and the height there [m], and the drag deceleration rates [1/m]."""


class WinkBatchSampler(BatchSampler):
    """Batch sampler of experiments with winks."""

    max_batch = 512
    noise_draws = 4

    def _prepare(self) -> None:
        resolved, scene = self._resolved, self._scene
        make_scene = resolved.make_scene if resolved.game is None else lambda _: scene
        self._scene_axes = [k for k, axis in enumerate(self._axes) if axis.path[0] == "pieces"]
        self._physics_axes = [k for k, axis in enumerate(self._axes) if axis.path[0] in ("settings", "pairings")]
        self._make_scene = lru_cache(maxsize=_CACHE_SIZE)(
            lambda given: make_scene(self._values(self._scene_axes, given))
        )
        self._make_settings = lru_cache(maxsize=_CACHE_SIZE)(
            lambda given: resolved.settings(self._values(self._physics_axes, given))
        )
        self._stop_at_verdict = all(gauge.known_at_verdict for gauge in self._measures)

    def _values(self, axis_indices: Sequence[int], axis_values: Sequence[Level]) -> list[Level]:
        """Values of all axes: these at these indices, NaN elsewhere."""
        values: list[Level] = [nan] * len(self._axes)
        for index, level in zip(axis_indices, axis_values, strict=True):
            values[index] = level
        return values

    def simulate(self, axis_values: AxisValues) -> ShotBatch:
        """As `BatchSampler.simulate`."""
        count = len(axis_values)
        invalid = np.zeros(count, np.bool_)
        scenes = self._per_shot(self._make_scene, self._scene_axes, axis_values, invalid)
        settings = self._per_shot(self._make_settings, self._physics_axes, axis_values, invalid)
        squidges = self._squidges(axis_values, scenes, invalid)
        # of a shot alone the limit counts to its end, which an early verdict does not reach
        can_time_out = min(one.max_time for one in settings) < Settings().max_time
        result = simulate_mats(
            scenes,
            squidges,
            settings,
            until="decided" if self._stop_at_verdict and not can_time_out else "rest",
            on_error="mark",
            checked=True,
        )
        initial_positions = np.full((count, len(result.ids), 3), nan)
        positions_of = {id(scene): [(piece.id, piece.position) for piece in scene.pieces] for scene in scenes}
        for row in range(count):
            for name, position in positions_of[id(scenes[row if len(scenes) > 1 else 0])]:
                initial_positions[row, result.ids.index(name), :2] = position
        if squidges.start is not None:
            initial_positions[:, result.column(self._piece), :2] = squidges.start
        return ShotBatch(piece=self._piece, made=squidges, initial_positions=initial_positions, result=result)

    def _per_shot(
        self,
        make: Callable[[tuple[Level, ...]], T],
        axis_indices: Sequence[int],
        axis_values: AxisValues,
        invalid: Bools,
    ) -> list[T]:
        """Scene or settings of each shot, or a single one for all; marks shots with invalid values."""
        if not axis_indices:
            return [make(())]
        made: list[T | None] = []
        for row in range(len(invalid)):
            try:
                made.append(make(tuple(self._level(index, axis_values, row) for index in axis_indices)))
            except (FlicksimError, ValueError):
                invalid[row] = True
                made.append(None)
        default = next((item for item in made if item is not None), None)
        if default is None:
            default = make(tuple(self._axes[index].spec.typical for index in axis_indices))
        return [default if item is None else item for item in made]

    def _level(self, axis_index: int, axis_values: AxisValues, row: int) -> Level:
        """Level of an axis in a shot."""
        indices, levels = axis_values.level_indices[axis_index], self._axes[axis_index].spec.levels
        if indices is not None and levels is not None:
            return levels[int(indices[row])]
        return float(axis_values.numbers[axis_index][row])

    def _squidges(self, axis_values: AxisValues, scenes: Sequence[Scene], invalid: Bools) -> Squidges:
        """Executed squidges; NaN where they are invalid or need a redraw."""
        elevation = self._quantity(axis_values, "elevation", pi / 4.0)
        tumble = self._quantity(axis_values, "tumble", 0.0)
        start = self._start_points(axis_values)
        if "target" in self._template["flick"]:
            speed, azimuth = self._aim(axis_values, scenes, start, elevation, tumble)
        else:
            speed, azimuth = self._quantity(axis_values, "speed", nan), self._quantity(axis_values, "azimuth", nan)
        intended = Squidges(
            piece=self._piece, speed=speed, azimuth=azimuth, elevation=elevation, tumble=tumble, start=start,
            **{name: self._quantity(axis_values, name, usual) for name, usual in _SQUIDGE_DEFAULTS.items()},
        )  # fmt: skip
        is_invalid = invalid | intended.invalid_rows(len(axis_values))
        made = self._executed(axis_values, ExecutionNoise.execute_squidges, speed, azimuth, elevation, tumble)
        made[0, is_invalid] = nan
        return replace(intended, speed=made[0], azimuth=made[1], elevation=made[2], tumble=made[3])

    def _aim(
        self, axis_values: AxisValues, scenes: Sequence[Scene], start: Floats | None, elevation: Floats, tumble: Floats
    ) -> tuple[Floats, Floats]:
        """Speed and azimuth of these aimed shots."""
        count = len(axis_values)
        start_points, targets, drag = (np.empty((count, 2)) for _ in range(3))
        heights = np.empty(count)
        cache: dict[tuple[int, str | None], AimGeometry] = {}
        for shots, values in self._group_by_words(axis_values):
            target = fill(self._template["flick"]["target"], values)
            for row in shots.tolist():
                scene = scenes[row if len(scenes) > 1 else 0]
                key = id(scene), target if isinstance(target, str) else None
                if key not in cache:
                    cache[key] = _aim_geometry(scene, self._piece, target)
                start_points[row], targets[row], heights[row], drag[row] = cache[key]
        if start is not None:
            start_points = start
        point = self._template["flick"]["target"]
        if isinstance(point, tuple):
            targets = axis_values.points(point)
        dx, dy = targets[:, 0] - start_points[:, 0], targets[:, 1] - start_points[:, 1]
        travel = lengths(dx, dy) + self._quantity(axis_values, "overshoot", 0.0)
        is_ahead = travel > 0.0  # False for NaN
        speeds, azimuth = np.full(count, nan), np.full(count, nan)
        speed_factor = self._quantity(axis_values, "speed_factor", 1.0)
        aim_offset = self._quantity(axis_values, "aim_offset", 0.0)
        for row in np.flatnonzero(is_ahead).tolist():
            rounded = ballistics.round_inputs(float(travel[row]), float(heights[row]), float(elevation[row]))
            speed = _speed_for(*rounded, float(tumble[row]), float(drag[row, 0]), float(drag[row, 1]))
            speeds[row] = min(MAX_SPEED, speed * speed_factor[row])
            rotated = atan2(dy[row], dx[row]) + aim_offset[row]
            azimuth[row] = atan2(sin(rotated), cos(rotated))
        return speeds, azimuth


def _aim_geometry(scene: Scene, name: str, target: Template) -> AimGeometry:
    """Geometry of an aimed squidge; NaN if the target does not exist, which the single shot reports."""
    piece = scene.piece(name)
    face, side = ballistics.drag_deceleration_rates(piece)
    drag = (round(face, 5), round(side, 5))
    point, height = (nan, nan), 0.0
    if isinstance(target, str):
        with suppress(InvalidAction):
            point, height = aim_point(scene, target)
    return piece.position, point, height, drag
