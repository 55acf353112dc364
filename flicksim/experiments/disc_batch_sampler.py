"""Batch sampling of disc shots: parameters, aim, execution noise, simulation and measures of many shots at once.

Random draws equal those of single shots, and results agree with `simulate` far below a nanometre. `why_not_batched`
names the experiments that are simulated shot by shot instead (see `shot_sampler`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, inf, nan, sin, sqrt
from typing import Final

import numpy as np

from flicksim.ai import ExecutionNoise
from flicksim.core.arrays import Array, Bools, Floats, Ints
from flicksim.core.random_streams import RandomStreams
from flicksim.core.type_aliases import InitialState
from flicksim.engine import Flicks, Settings
from flicksim.engine.batch import SceneArrays, board_arrays, contact_rings, scene_arrays, simulate_scene_arrays
from flicksim.engine.jit import njit
from flicksim.experiments.batch_rng import STANDARD_NORMAL, draw_batch
from flicksim.experiments.measure import ColumnKind, CompiledMeasure, MeasuredValue, ShotBatch, lengths
from flicksim.experiments.parameter_spec import Level
from flicksim.experiments.resolved_experiment import Placeholder, ResolvedExperiment, Template, fill
from flicksim.experiments.result_columns import Axis
from flicksim.scene import FULL_TURN, MAX_SPEED, Flick, PyramidScene, Scene, Squidge

Row = tuple[MeasuredValue, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisValues:
    """Values of the axes of a batch of shots, a column each.

    Args:
        numbers: of each axis, NaN for one of text. [A][S]
        level_indices: of each axis of text, the index of each shot's level; None for numbers. [A][S]
        noise_draws: standard normal draws of the execution noise. [S, 3], of squidges [S, 4]
    """

    numbers: tuple[Floats, ...]
    level_indices: tuple[Ints | None, ...]
    noise_draws: Floats

    def __len__(self) -> int:
        return len(self.noise_draws)

    def column(self, slot: Template) -> Floats:
        """Values of a number of the template in each shot. [S]"""
        if isinstance(slot, Placeholder):
            return np.ascontiguousarray(self.numbers[slot.index])
        return np.full(len(self), float(slot))

    def points(self, slots: Sequence[Template]) -> Floats:
        """The same of a point. [S, 2]"""
        return np.stack([self.column(slot) for slot in slots], axis=1)


@njit
def aim_speeds(
    at: Floats,
    target: Floats,
    overshoot: Floats,
    speed_factor: Floats,
    aim_offset: Floats,
    friction_deceleration: float,
    speed: Floats,
    azimuth: Floats,
) -> None:
    """Write speed and azimuth of aimed flicks (see `aiming.resolve_aim`); NaN where the target is not ahead.

    Args:
        at, target: from where and where to [m]. [S, 2]
    """
    for k in range(speed.shape[0]):
        dx, dy = target[k, 0] - at[k, 0], target[k, 1] - at[k, 1]
        travel = sqrt(dx * dx + dy * dy) + overshoot[k]
        speed[k] = azimuth[k] = nan
        if travel > 0.0:
            speed[k] = min(MAX_SPEED, sqrt(2.0 * friction_deceleration * travel) * speed_factor[k])
            rotated = atan2(dy, dx) + aim_offset[k]
            azimuth[k] = atan2(sin(rotated), cos(rotated))


def to_stored(kind: ColumnKind, values: Array) -> list[MeasuredValue]:
    """Column of a measure as it is stored: None for NaN, no -0.0, booleans as 0 and 1."""
    if kind == "text":
        return list(values.tolist())
    if kind == "boolean":
        return list(map(int, values.tolist()))
    stored: list[MeasuredValue] = (values + 0.0).tolist()
    for row in np.flatnonzero(~np.isfinite(values)):
        stored[row] = None
    return stored


class BatchSampler(ABC):
    """Base of the batch samplers.

    Args:
        resolved: the experiment. scene: of a typical shot, with the flicked piece on it.
        cells: number of cells of the crossed grids. streams: random streams. measures: compiled measures.
    """

    max_batch: int
    """Best size of a batch."""
    noise_draws: int
    """Normal draws of the execution noise of a shot."""

    def __init__(
        self, resolved: ResolvedExperiment, scene: InitialState, cells: int, streams: RandomStreams,
        measures: Sequence[CompiledMeasure],
    ) -> None:  # fmt: skip
        self._resolved, self._scene, self._cells = resolved, scene, cells
        self._seeds, self._measures = streams, measures
        self._template, self._axes, self._piece = resolved.template, resolved.axes, resolved.piece
        self._prepare()

    @abstractmethod
    def _prepare(self) -> None:
        """Prepare what all batches share."""

    @abstractmethod
    def simulate(self, axis_values: AxisValues) -> ShotBatch:
        """Simulate shots with these values of the axes."""

    def rows(self, first: int, last: int, single_shot: Callable[[int], Row]) -> list[Row]:
        """Simulate shots `first` to before `last`; those that fail in the batch are simulated by `single_shot`."""
        axis_values = self.draw(first, last)
        shots = self.simulate(axis_values)
        columns: list[Sequence[MeasuredValue]] = [range(first, last)]
        for axis, numbers, indices in zip(self._axes, axis_values.numbers, axis_values.level_indices, strict=True):
            levels = axis.spec.levels or ()
            columns.append((numbers + 0.0).tolist() if indices is None else [str(levels[index]) for index in indices])
        for measure in self._measures:
            assert measure.evaluate_batch is not None
            columns += [to_stored(measure.kind, values) for values in measure.evaluate_batch(shots)]
        rows: list[Row] = list(zip(*columns, [None] * len(axis_values), strict=True))
        for failed in np.flatnonzero(shots.result.error != ""):
            rows[failed] = single_shot(first + int(failed))
        return rows

    def draw(self, first: int, last: int) -> AxisValues:
        """Values of the axes of shots `first` to before `last`: grid levels, and samples of each shot's own stream."""
        cell = np.arange(first, last) % self._cells
        random = [axis.spec for axis in self._axes if axis.spec.levels is None]
        samples = draw_batch(self._seeds, "shot", first, last, [*random, *[STANDARD_NORMAL] * self.noise_draws])
        numbers: list[Floats] = []
        level_indices: list[Ints | None] = []
        column = 0
        for axis in self._axes:
            levels = axis.spec.levels
            if levels is None:
                numbers.append(samples[:, column])
                level_indices.append(None)
                column += 1
                continue
            cell, indices = np.divmod(cell, len(levels))
            is_text = isinstance(levels[0], str)
            numbers.append(np.array([np.nan if is_text else float(level) for level in levels])[indices])
            level_indices.append(indices if is_text else None)
        return AxisValues(numbers=tuple(numbers), level_indices=tuple(level_indices), noise_draws=samples[:, column:])

    def _group_by_words(self, axis_values: AxisValues) -> Iterator[tuple[Ints, list[Level]]]:
        """Yield groups of shots with the same levels of text axes, and these levels by axis."""
        text_axes = [k for k, words in enumerate(axis_values.level_indices) if words is not None]
        if not text_axes:
            yield np.arange(len(axis_values)), [nan] * len(self._axes)
            return
        indices = np.stack([axis_values.level_indices[k] for k in text_axes])  # type: ignore[misc]
        for group in np.unique(indices, axis=1).T:
            values: list[Level] = [nan] * len(self._axes)
            for k, place in zip(text_axes, group, strict=True):
                values[k] = (self._axes[k].spec.levels or ())[place]
            yield np.flatnonzero((indices == group[:, None]).all(axis=0)), values

    def _quantity(self, axis_values: AxisValues, name: str, default: float) -> Floats:
        """Values of a field of the intended flick. [S]"""
        return axis_values.column(self._template["flick"].get(name, default))

    def _start_points(self, axis_values: AxisValues) -> Floats | None:
        """Start of the flicked piece where the flick gives one [m]. [S, 2]"""
        start = self._template["flick"].get("start")
        return None if start is None else axis_values.points(start)

    def _executed(
        self, axis_values: AxisValues, execute: Callable[..., tuple[Floats, ...]], *intended: Floats
    ) -> Floats:
        """Columns of the executed flicks; NaN where one needs a redraw. [K, S]

        Args:
            execute: method of `ExecutionNoise`. intended: its arguments after the draws: speed, azimuth and others. [S]
        """
        made = np.empty((len(intended), len(axis_values)))
        for shots, values in self._group_by_words(axis_values):
            noise = self._resolved.noise(fill(self._template["hand"], values))
            draws = axis_values.noise_draws[shots]
            made[:, shots] = execute(noise, draws, *(column[shots] for column in intended))
        made[1, np.abs(made[1]) > FULL_TURN] = nan
        return made


class DiscBatchSampler(BatchSampler):
    """Batch sampler of experiments with coins."""

    max_batch = 4096
    noise_draws = 3

    def _prepare(self) -> None:
        scene, settings = self._scene, self._resolved.nominal_settings
        self._ids = tuple(one.id for one in scene.pieces)
        self._contact_radii = contact_rings([scene])
        self._board = board_arrays(scene, self._contact_radii)
        self._arrays = scene_arrays([scene], [settings], self._ids, self._contact_radii)
        material = scene.piece(self._piece).material
        friction = settings.pairings.lookup(material, scene.surface.material).friction
        self._friction_deceleration = friction * settings.gravity

    def simulate(self, axis_values: AxisValues) -> ShotBatch:
        """As `BatchSampler.simulate`."""
        count, column = len(axis_values), self._ids.index(self._piece)
        arrays, invalid = self._varied_arrays(axis_values)
        initial_positions = np.broadcast_to(arrays.positions, (count, len(self._ids), 3)).copy()
        start = self._start_points(axis_values)
        if start is not None:
            initial_positions[:, column, :2] = start
        speed, azimuth = self._aim(axis_values, initial_positions)
        offset = self._quantity(axis_values, "offset", 0.0)
        is_valid = (speed > 0.0) & (speed <= MAX_SPEED) & (np.abs(azimuth) <= FULL_TURN) & (np.abs(offset) <= 0.95)
        made = self._executed(
            axis_values, ExecutionNoise.execute_flicks, np.where(is_valid, speed, nan), azimuth, offset
        )
        flicks = Flicks(piece=self._piece, speed=made[0], azimuth=made[1], offset=made[2], start=start)
        errors = np.full(count, "", dtype=object)
        errors[invalid] = "invalid"
        result = simulate_scene_arrays((self._scene,), self._ids, self._board, arrays, flicks, errors)
        return ShotBatch(piece=self._piece, made=flicks, initial_positions=initial_positions, result=result)

    def _aim(self, axis_values: AxisValues, initial_positions: Floats) -> tuple[Floats, Floats]:
        """Speed and azimuth of the intended flicks. [S], [S]"""
        target = self._template["flick"].get("target")
        if target is None:
            return self._quantity(axis_values, "speed", nan), self._quantity(axis_values, "azimuth", nan)
        if isinstance(target, tuple):
            targets = axis_values.points(target)
        else:
            targets = np.full((len(axis_values), 2), nan)  # of no piece: reported by the single shot
            for shots, values in self._group_by_words(axis_values):
                if (name := fill(target, values)) in self._ids:
                    targets[shots] = initial_positions[shots, self._ids.index(name), :2]
        speed, azimuth = np.empty(len(axis_values)), np.empty(len(axis_values))
        aim_speeds(
            np.ascontiguousarray(initial_positions[:, self._ids.index(self._piece), :2]), targets,
            self._quantity(axis_values, "overshoot", 0.0), self._quantity(axis_values, "speed_factor", 1.0),
            self._quantity(axis_values, "aim_offset", 0.0), self._friction_deceleration, speed, azimuth,
        )  # fmt: skip
        return speed, azimuth

    def _varied_arrays(self, axis_values: AxisValues) -> tuple[SceneArrays, Bools]:
        """Scene arrays of these shots, and a mask of shots with an invalid scene."""
        arrays, count = self._arrays, len(axis_values)
        invalid = np.zeros(count, np.bool_)

        def wide(array: Array) -> Array:
            return np.broadcast_to(array, (count, *array.shape[1:])).copy()

        moved = {
            (name, field): slot
            for name, fields in self._template["pieces"].items()
            for field, slot in fields.items()
            if isinstance(slot, Placeholder)
        }
        if moved:
            arrays = arrays._replace(
                positions=wide(arrays.positions), radius=wide(arrays.radius), mass=wide(arrays.mass)
            )
            for (name, field), slot in moved.items():
                column, values = self._ids.index(name), axis_values.column(slot)
                if field in _POSE_FIELDS:
                    arrays.positions[:, column, _POSE_FIELDS.index(field)] = values
                else:
                    getattr(arrays, field)[:, column] = values
            invalid |= invalid_scenes(arrays, self._scene)
        laws = {
            (pair, name): slot
            for pair, slots in (("", self._template["settings"]), *self._template["pairings"].items())
            for name, slot in slots.items()
            if isinstance(slot, Placeholder)
        }
        if moved or laws:
            names = ("radius", "mass", "deceleration", "contact_kind", "friction", "restitution", "yield_speed")
            arrays = arrays._replace(**{name: wide(getattr(arrays, name)) for name in names})
        if laws:
            law = ("nail_friction", "elastic_threshold", "max_time", "max_impacts")
            arrays = arrays._replace(**{name: wide(getattr(arrays, name)) for name in law})
            invalid |= self._apply_physics(laws, axis_values, arrays)
        return arrays, invalid

    def _apply_physics(
        self,
        varied_settings: Mapping[tuple[str, str], Placeholder],
        axis_values: AxisValues,
        arrays: SceneArrays,
    ) -> Bools:
        """Write varied physics into the arrays; return a mask of shots with invalid values."""
        count = len(axis_values)
        invalid = np.zeros(count, np.bool_)
        board = self._scene.surface.material
        settings = self._resolved.nominal_settings
        gravity = np.full(count, settings.gravity)
        friction_of = {
            material: np.full(count, settings.pairings.lookup(material, board).friction)
            for material in {one.material for one in self._scene.pieces}
        }
        for (pair, name), slot in varied_settings.items():
            values = axis_values.column(slot)
            if not pair:
                if name == "gravity":
                    gravity = values
                elif name == "nail_friction":
                    arrays.nail_friction[:] = values
            invalid |= ~((values >= _SAFE_RANGES[name][0]) & (values <= _SAFE_RANGES[name][1]))
            for material in friction_of:
                if pair == "|".join(sorted((material, board))) and name == "friction":
                    friction_of[material] = values
            for a, one in enumerate(self._scene.pieces):
                for b, other in enumerate(self._scene.pieces):
                    if a != b and pair == "|".join(sorted((one.material, other.material))):
                        getattr(arrays, name)[:, a, b] = values
        for column, piece in enumerate(self._scene.pieces):
            arrays.deceleration[:, column] = friction_of[piece.material] * gravity
        return invalid


def why_not_batched(
    kind: type, axes: Sequence[Axis], scene: Scene | PyramidScene, measures: Sequence[CompiledMeasure]
) -> str:
    """Reason why an experiment cannot be simulated in batches, in a few words; "" if it can."""
    if kind not in (Flick, Squidge):
        return f"a {kind.__name__.lower()} is simulated singly"
    if kind is Flick and scene.surface.pot is not None:
        return "the scene has a pot"
    if len(scene.pieces) > MAX_PIECES:
        return f"{len(scene.pieces)} pieces are more than {MAX_PIECES}"
    for axis in axes if kind is Flick else ():
        group, *names = axis.path
        if (group == "pieces" and names[-1] not in (*_POSE_FIELDS, "radius", "mass")) or (
            group in ("settings", "pairings") and names[-1] in _SINGLY_VARIED
        ):
            return f"{axis.title} varies"
    slow = [measure.name for measure in measures if measure.evaluate_batch is None]
    return f"measure {slow[0]!r} is evaluated shot by shot" if slow else ""


def invalid_scenes(arrays: SceneArrays, scene: Scene) -> Bools:
    """Mask of shots whose pieces overlap, lie off the surface or are invalid. [S]"""
    x, y = arrays.positions[:, :, 0], arrays.positions[:, :, 1]
    invalid = np.asarray(~np.isfinite(arrays.positions).all(axis=(1, 2)))
    outline = scene.surface.outline
    for i in range(len(outline)):
        (ax, ay), (bx, by) = outline[i - 1], outline[i]
        invalid |= (((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < 0.0).any(axis=1)
    for a in range(x.shape[1]):
        for b in range(a):
            invalid |= lengths(x[:, a] - x[:, b], y[:, a] - y[:, b]) - arrays.radius[:, a] - arrays.radius[:, b] < 0.0
    invalid |= ~((arrays.radius >= 1e-4) & (arrays.radius <= 1.0) & (arrays.mass >= 1e-6) & (arrays.mass <= 100.0)).all(
        axis=1
    )
    return invalid


MAX_PIECES: Final = 40
"""Most pieces of a batch: arrays hold a value for every pair."""
_POSE_FIELDS: Final = ("x", "y", "angle")
_SINGLY_VARIED: Final = ("max_impacts", "max_time", "elastic_threshold", "yield_speed")
"""Physics that is the same in all shots of a batch."""
_SAFE_RANGES: Final = dict.fromkeys(Settings.__struct_fields__, (-inf, inf)) | {
    "gravity": (1e-9, 100.0), "nail_friction": (0.0, 5.0), "friction": (0.0, 5.0), "restitution": (0.0, 1.0),
}  # fmt: skip
"""Ranges in which every value is valid; shots outside are simulated singly."""
