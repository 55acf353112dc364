"""Batched backends of the shot environments: set-up, observation, simulation and rewards of many tables at once."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import fields
from math import pi
from typing import TypedDict

import msgspec
import numpy as np
import numpy.typing as npt

from flicksim.ai import ExecutionNoise
from flicksim.core.arrays import Bools, Floats, Ints
from flicksim.core.units import mm
from flicksim.engine import Flicks, Settings, Squidges, batch
from flicksim.envs import shot_tasks
from flicksim.envs.arguments import warn_if_uncompiled
from flicksim.envs.features import InfoColumns
from flicksim.envs.shot_tasks import MAT, MIDDLE_LINE, START_LINE, WINK_OPTIONS, in_field_of_play
from flicksim.games.penny_white import equipment as board_kit
from flicksim.games.tiddlywinks import equipment as mat_kit
from flicksim.scene import Flick, Scene, Squidge

OLD_INFO_KEYS = {"gap": "distance", "unsettled": "did_not_settle"}
"""Info keys of release 0.1.0, old to new; an `info` has both for one release. `gap` was one of the shot `Draw` only."""
StepResult = tuple[Floats, Bools, InfoColumns]
"""Of each shot the reward and whether it settled, and info columns. [R]"""


class Compute(TypedDict):
    """Number of threads and device of a simulation, as arguments of `simulate_batch`."""

    threads: int
    device: batch.Device


class ShotBackend(ABC):
    """Base of the batches of tables that are shot at repeatedly; `rows` are tables, `rngs` one generator a table.

    Args:
        task: parameters of the shot. count: number of tables. noise: execution noise; None for none.
        compute: threads and device.
    """

    def __init__(self, task: shot_tasks.ShotTask, count: int, noise: ExecutionNoise | None, compute: Compute) -> None:
        self._dimensions, self._noise, self._compute = task.action_dimensions, noise, compute
        self._executed = np.full((count, len(self._dimensions)), np.nan)

    @abstractmethod
    def reset(self, rows: Ints, rngs: Sequence[np.random.Generator]) -> None:
        """Set up the next shots of these rows."""

    @abstractmethod
    def observe(self) -> Floats:
        """Features of each row. [N, features]"""

    @abstractmethod
    def step(self, actions: Floats, rows: Ints, rngs: Sequence[np.random.Generator]) -> StepResult:
        """Simulate a shot of each of these rows."""

    @abstractmethod
    def initial_scene(self, row: int) -> Scene:
        """Scene of a row before its shot."""

    @abstractmethod
    def executed_action(self, row: int) -> Flick | Squidge:
        """Last executed shot of a row."""

    def _values(self, actions: Floats) -> list[Floats]:
        """Columns of the actions in their units."""
        return [one.to_value(actions[:, k]) for k, one in enumerate(self._dimensions)]


def _draw(sample: Callable[..., object], rows: Ints, rngs: Sequence[np.random.Generator], columns: int) -> Floats:
    """So many samples of each row from its own generator. [R, columns]

    Args:
        sample: method of `np.random.Generator`.
    """
    numbers = np.empty((len(rows), columns))
    for n, row in enumerate(rows.tolist()):
        sample(rngs[row], out=numbers[n])
    return numbers


def _step_result(
    rewards: Floats, settled: Bools, errors: npt.NDArray[np.object_], info: InfoColumns, *keep: str
) -> StepResult:
    """Result of a step, with the errors of shots that did not settle, and info under its old keys too.

    Args:
        keep: info keys that release 0.1.0 had already.
    """
    if not settled.all():
        info["did_not_settle"] = errors, ~settled
    old = {old: info[new] for old, new in OLD_INFO_KEYS.items() if new in info and new not in keep}
    return rewards, settled, info | old


_WHITE, _PENNY, _FIRST = 0, 1, 2
"""Columns of the white, of the penny that is flicked, and of the first guard."""
_DISTANCE_SCALE = mm(30.0)
"""Distance from the white at which the reward falls to 1/e [m]."""


class DrawBackend(ShotBackend):
    """Backend of the draw shot: a batch of boards."""

    def __init__(self, task: shot_tasks.DrawTask, count: int, noise: ExecutionNoise | None, compute: Compute) -> None:
        super().__init__(task, count, noise, compute)
        self._guards = task.guards
        self._template = Scene(
            surface=board_kit.board(shot_tasks.COIN_OPTIONS), pieces=shot_tasks.make_coins(task.guards)
        )
        self._ids = tuple(coin.id for coin in self._template.pieces)
        rings = batch.contact_rings([self._template])
        self._board = batch.board_arrays(self._template, rings)
        self._arrays = batch.scene_arrays([self._template], [Settings()], self._ids, rings)
        self._contact_distance = sum(self._template.pieces[k].radius for k in (_WHITE, _PENNY))
        self._positions = np.zeros((count, len(self._ids), 3))
        self._present = np.zeros((count, len(self._ids)), np.bool_)
        self._present[:, : _PENNY + 1] = True

    def reset(self, rows: Ints, rngs: Sequence[np.random.Generator]) -> None:
        """Place the white on the middle line past the 45 cm line, and guards where they touch nothing."""
        numbers = _draw(np.random.Generator.random, rows, rngs, 2 + 2 * self._guards)
        positions = np.zeros((len(rows), len(self._ids), 3))
        positions[:, _WHITE, 0], positions[:, _WHITE, 1] = shot_tasks.white_position(numbers[:, 0])
        positions[:, _PENNY, :2] = MIDDLE_LINE, START_LINE
        positions[:, _FIRST:, 0], positions[:, _FIRST:, 1] = shot_tasks.guard_position(
            numbers[:, 2::2], numbers[:, 3::2]
        )
        present = np.ones((len(rows), len(self._ids)), np.bool_)
        present[:, _FIRST:] = np.arange(self._guards) < np.floor(numbers[:, 1, None] * (self._guards + 1))
        for column in range(_FIRST, len(self._ids)):
            remaining = np.flatnonzero(present[:, column] & _too_close(positions, present, column))
            while len(remaining):
                again = _draw(np.random.Generator.random, rows[remaining], rngs, 2)
                positions[remaining, column, 0], positions[remaining, column, 1] = shot_tasks.guard_position(
                    again[:, 0], again[:, 1]
                )
                remaining = remaining[_too_close(positions[remaining], present[remaining], column)]
        self._positions[rows], self._present[rows] = positions, present

    def observe(self) -> Floats:
        """Features of each board. [N, 1 + 3 guards]"""
        here, up = self._present[:, _FIRST:], self._positions[:, _WHITE, 1]
        features = np.empty((len(up), 1 + 3 * self._guards))
        features[:, 0], features[:, 1::3] = up, here
        features[:, 2::3] = np.where(here, self._positions[:, _FIRST:, 0] - MIDDLE_LINE, 0.0)
        features[:, 3::3] = np.where(here, self._positions[:, _FIRST:, 1] - up[:, None], 0.0)
        return features

    def step(self, actions: Floats, rows: Ints, rngs: Sequence[np.random.Generator]) -> StepResult:
        across, aim_offset, speed, offset = self._values(actions)
        start = np.stack([MIDDLE_LINE + across, np.full(len(rows), START_LINE)], axis=1)
        azimuth = np.arctan2(self._positions[rows, _WHITE, 1] - START_LINE, -across) + aim_offset
        if self._noise is not None:
            draws = _draw(np.random.Generator.standard_normal, rows, rngs, 3)
            speed, azimuth, offset = self._noise.execute_flicks(draws, speed, azimuth, offset)
        self._positions[rows, _PENNY, :2] = start
        self._executed[rows, :3] = np.stack([speed, azimuth, offset], axis=1)
        scenes = self._arrays._replace(positions=self._positions[rows], present=self._present[rows])
        flicks = Flicks(piece=self._ids[_PENNY], speed=speed, azimuth=azimuth, offset=offset)
        failures = np.full(len(rows), "", dtype=object)
        result = batch.simulate_scene_arrays(
            [self._template], self._ids, self._board, scenes, flicks, failures, **self._compute
        )  # fmt: skip
        settled = result.error == ""
        both = (result.outcome[:, : _PENNY + 1] == batch.AT_REST).all(axis=1)
        dx, dy = (result.positions[:, _PENNY, :2] - result.positions[:, _WHITE, :2]).T
        gap = np.where(both, np.maximum(0.0, np.sqrt(dx * dx + dy * dy) - self._contact_distance), np.inf)
        info: InfoColumns = {"distance": (gap, settled)}
        return _step_result(np.exp(-gap / _DISTANCE_SCALE), settled, result.error.astype(object), info)

    def initial_scene(self, row: int) -> Scene:
        lying = (
            msgspec.structs.replace(piece, x=x, y=y)
            for piece, (x, y, _), here in zip(
                self._template.pieces, self._positions[row].tolist(), self._present[row].tolist(), strict=True
            )
            if here
        )
        return msgspec.structs.replace(self._template, pieces=tuple(lying))

    def executed_action(self, row: int) -> Flick:
        speed, azimuth, offset = self._executed[row, :3].tolist()
        return Flick(piece=self._ids[_PENNY], speed=speed, azimuth=azimuth, offset=offset)


def _too_close(positions: Floats, present: Bools, column: int) -> Bools:
    """Mask of the boards where a guard lies too near to an earlier one or to the white. [R]"""
    away = positions[:, :column, :2] - positions[:, column : column + 1, :2]
    overlaps = (
        away[:, :, 0] * away[:, :, 0] + away[:, :, 1] * away[:, :, 1] <= shot_tasks.MIN_SPACING * shot_tasks.MIN_SPACING
    )
    overlaps &= present[:, :column]
    overlaps[:, _PENNY] = False  # the penny starts where no guard can lie
    any_overlap: Bools = np.any(overlaps, axis=1)
    return any_overlap


_LOST_DISTANCE = mm(1000.0)
"""Distance that counts for a wink that has left the mat [m]."""
_MIN_POT_DISTANCE = mm(50.0)
"""Least distance of the winks of a squop from the pot's axis [m]."""


class _MatBackend(ShotBackend):
    """Mats side by side, with the same number of winks on each; the first is squidged.

    Args:
        wink_names: ids of the winks on each kind of mat. The others as for `ShotBackend`.
    """

    def __init__(
        self, task: shot_tasks.ShotTask, count: int, noise: ExecutionNoise | None, compute: Compute,
        wink_names: Sequence[tuple[str, ...]],
    ) -> None:  # fmt: skip
        super().__init__(task, count, noise, compute)
        self._wink_names = wink_names
        self._batches = [
            batch.MatBatch([self._scene(names, np.zeros((len(names), 2)))], (Settings(),), names)
            for names in wink_names
        ]
        self.kit_index = np.zeros(count, np.int64)
        self.positions = np.zeros((count, len(wink_names[0]), 2))

    def _scene(self, names: Sequence[str], at: Floats) -> Scene:
        winks = (mat_kit.wink(WINK_OPTIONS, name, (x, y)) for name, (x, y) in zip(names, at.tolist(), strict=True))
        return Scene(surface=MAT, pieces=tuple(winks))

    def initial_scene(self, row: int) -> Scene:
        return self._scene(self._wink_names[self.kit_index[row]], self.positions[row])

    def executed_action(self, row: int) -> Squidge:
        numbers = dict(zip(("azimuth", "speed", "elevation", "tumble"), self._executed[row].tolist(), strict=True))
        return Squidge(piece=self._wink_names[self.kit_index[row]][0], **numbers)

    def _simulate(
        self, actions: Floats, rows: Ints, rngs: Sequence[np.random.Generator], targets: Floats, *, until_verdict: bool
    ) -> batch.MatRows:
        """Squidge the first wink of each of these mats towards a target."""
        own = self.positions[rows, 0]
        azimuth = np.arctan2(targets[:, 1] - own[:, 1], targets[:, 0] - own[:, 0])
        aim_offset, speed, elevation, tumble = self._values(actions)
        azimuth += aim_offset
        if self._noise is not None:
            draws = _draw(np.random.Generator.standard_normal, rows, rngs, 4)
            speed, azimuth, elevation, tumble = self._noise.execute_squidges(draws, speed, azimuth, elevation, tumble)
        azimuth = np.remainder(azimuth + pi, 2.0 * pi) - pi
        self._executed[rows] = np.stack([azimuth, speed, elevation, tumble], axis=1)
        results, members_of = [], [np.flatnonzero(self.kit_index[rows] == kit) for kit in range(len(self._batches))]
        for names, mats, members in zip(self._wink_names, self._batches, members_of, strict=True):
            if not len(members):
                continue
            zeros = np.zeros(len(members), np.int64)
            columns = dict(
                zip(("azimuth", "speed", "elevation", "tumble"), self._executed[rows[members]].T, strict=True)
            )
            shot = mats.squidge_arrays(zeros, zeros, Squidges(piece=names[0], **columns), self.positions[rows[members]])
            skip = np.zeros(len(members), np.bool_)
            rows_made = mats.run(shot, skip, until="decided" if until_verdict else "rest", **self._compute)
            results.append(mats.summary(shot, rows_made))
        order = np.argsort(np.concatenate(members_of))
        parts = {one.name: [getattr(result, one.name) for result in results] for one in fields(batch.MatRows)}
        return batch.MatRows(**{name: np.concatenate(part)[order] for name, part in parts.items()})


class PotBackend(_MatBackend):
    """Backend of the pot shot: mats with one wink each."""

    def __init__(self, task: shot_tasks.PotTask, count: int, noise: ExecutionNoise | None, compute: Compute) -> None:
        super().__init__(task, count, noise, compute, (("blue-3",), ("blue-1",)))
        self._task = task
        self._radius = np.array([mat_kit.wink(WINK_OPTIONS, names[0]).radius for names in self._wink_names])

    def reset(self, rows: Ints, rngs: Sequence[np.random.Generator]) -> None:
        """Place one wink on each mat, at a uniformly drawn distance and direction from the pot within the field."""
        numbers = _draw(np.random.Generator.random, rows, rngs, 3)
        self.kit_index[rows] = numbers[:, 0] < self._task.large_share
        distance = self._task.min_distance + (self._task.max_distance - self._task.min_distance) * numbers[:, 1]
        direction, remaining = 2.0 * pi * numbers[:, 2], np.arange(len(rows))
        while len(remaining):
            x = distance[remaining] * np.cos(direction[remaining])
            y = distance[remaining] * np.sin(direction[remaining])
            self.positions[rows[remaining], 0, 0], self.positions[rows[remaining], 0, 1] = x, y
            large = self.kit_index[rows[remaining]]
            within = np.where(large, in_field_of_play(x, y, self._radius[1]), in_field_of_play(x, y, self._radius[0]))
            remaining = remaining[~within]
            for n in remaining.tolist():
                direction[n] = 2.0 * pi * rngs[rows[n]].random()

    def observe(self) -> Floats:
        """Features of each mat. [N, 4]"""
        x, y = self.positions[:, 0].T
        return np.stack([x, y, np.sqrt(x * x + y * y), self.kit_index.astype(np.float64)], axis=1)

    def step(self, actions: Floats, rows: Ints, rngs: Sequence[np.random.Generator]) -> StepResult:
        penalty = self._task.distance_penalty
        result = self._simulate(actions, rows, rngs, np.zeros((len(rows), 2)), until_verdict=not penalty)
        potted, settled = result.potted, np.asarray(result.error == "")
        distance = np.where(result.left[:, 0], _LOST_DISTANCE, np.hypot(*result.positions[:, 0].T))
        info: InfoColumns = {"potted": (potted, settled)}
        if penalty:
            info["distance"] = distance, settled
        rewards = np.where(potted | ~settled, potted, 0.0 - penalty * distance)  # never -0.0
        return _step_result(rewards, settled, result.error, info, "distance")


class SquopBackend(_MatBackend):
    """Backend of the squop: mats with two winks each."""

    def __init__(self, task: shot_tasks.SquopTask, count: int, noise: ExecutionNoise | None, compute: Compute) -> None:
        super().__init__(task, count, noise, compute, (("blue-3", "green-3"),))
        self._task = task
        self._radius = mat_kit.wink(WINK_OPTIONS, "blue-3").radius

    def reset(self, rows: Ints, rngs: Sequence[np.random.Generator]) -> None:
        """Place the other wink well inside the field and clear of the pot, and the own wink near it."""
        remaining = rows
        while len(remaining):
            numbers = _draw(np.random.Generator.random, remaining, rngs, 4)
            x, y = 1.6 * numbers[:, 0] - 0.8, 0.8 * numbers[:, 1] - 0.4
            distance = self._task.min_distance + (self._task.max_distance - self._task.min_distance) * numbers[:, 2]
            direction = 2.0 * pi * numbers[:, 3]
            own_x, own_y = x + distance * np.cos(direction), y + distance * np.sin(direction)
            self.positions[remaining] = np.stack([np.stack([own_x, own_y], axis=1), np.stack([x, y], axis=1)], axis=1)
            is_valid = np.minimum(x * x + y * y, own_x * own_x + own_y * own_y) > _MIN_POT_DISTANCE * _MIN_POT_DISTANCE
            is_valid &= in_field_of_play(x, y, self._radius) & in_field_of_play(own_x, own_y, self._radius)
            remaining = remaining[~is_valid]

    def observe(self) -> Floats:
        """Features of each mat. [N, 5]"""
        own, other = self.positions[:, 0], self.positions[:, 1]
        offset = other - own
        distance = np.sqrt(offset[:, 0] * offset[:, 0] + offset[:, 1] * offset[:, 1])
        return np.concatenate([offset, distance[:, None], own], axis=1)

    def step(self, actions: Floats, rows: Ints, rngs: Sequence[np.random.Generator]) -> StepResult:
        result = self._simulate(actions, rows, rngs, self.positions[rows, 1], until_verdict=False)
        left, settled = result.left.any(axis=1), np.asarray(result.error == "")
        distance = np.where(left, _LOST_DISTANCE, np.hypot(*(result.positions[:, 0] - result.positions[:, 1]).T))
        squopped = result.lies_on[:, 0, 1] & ~left
        info: InfoColumns = {"squopped": (squopped, settled), "distance": (distance, settled)}
        rewards = np.where(squopped | ~settled, squopped, 0.0 - self._task.distance_penalty * distance)
        return _step_result(rewards, settled, result.error, info, "distance")


def make_backend(
    task: shot_tasks.ShotTask, count: int, noise: ExecutionNoise | None, *, threads: int = 1,
    device: batch.Device = "cpu",
) -> ShotBackend:  # fmt: skip
    """Backend of a task, for so many tables; warns if the engine that it needs is not compiled."""
    compute = Compute(threads=threads, device=device)
    match task:
        case shot_tasks.PotTask():
            warn_if_uncompiled("flicksim/Pot")
            return PotBackend(task, count, noise, compute)
        case shot_tasks.SquopTask():
            warn_if_uncompiled("flicksim/Squop")
            return SquopBackend(task, count, noise, compute)
    return DrawBackend(task, count, noise, compute)
