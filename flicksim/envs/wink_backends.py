"""Batched backends of the pot and squop shots: set-up, observation, simulation and rewards of many mats."""

from collections.abc import Sequence
from math import pi

import numpy as np

from flicksim.ai import ExecutionNoise
from flicksim.core.units import mm
from flicksim.engine import Settings, Squidges
from flicksim.engine.batch import MatBatch, MatRows
from flicksim.envs.features import Bools, InfoColumns, Ints
from flicksim.envs.old_keywords import with_old_keys
from flicksim.envs.shot_tasks import MAT, WINK_OPTIONS, ActionDimension, Floats, PotTask, SquopTask, in_field_of_play
from flicksim.games.tiddlywinks import equipment as mat_kit
from flicksim.scene import MAX_SPEED, MAX_TUMBLE, Scene, Squidge

_LOST_DISTANCE = mm(1000.0)
"""Distance that counts for a wink that has left the mat [m]."""
_MIN_POT_DISTANCE = mm(50.0)
"""Least distance of the winks of a squop from the pot's axis [m]."""


class _MatBackend:
    """Mats side by side, with the same number of winks on each; the first is squidged.

    Args:
        action_dimensions: of an action. wink_names: ids of the winks on each kind of mat. count: number of mats.
        noise: execution noise; None for none. threads: number of threads.
    """

    def __init__(
        self,
        action_dimensions: Sequence[ActionDimension],
        wink_names: Sequence[tuple[str, ...]],
        count: int,
        noise: ExecutionNoise | None,
        threads: int,
    ) -> None:
        self._action_dimensions, self._wink_names, self._noise, self._threads = (
            action_dimensions,
            wink_names,
            noise,
            threads,
        )
        self._batches = [
            MatBatch([self._scene(names, np.zeros((len(names), 2)))], (Settings(),), names) for names in wink_names
        ]
        self.kit_index = np.zeros(count, np.int64)
        self.positions = np.zeros((count, len(wink_names[0]), 2))
        self._executed = np.full((count, len(action_dimensions)), np.nan)

    def _scene(self, names: Sequence[str], at: Floats) -> Scene:
        winks = (mat_kit.wink(WINK_OPTIONS, name, (x, y)) for name, (x, y) in zip(names, at.tolist(), strict=True))
        return Scene(surface=MAT, pieces=tuple(winks))

    def initial_scene(self, row: int) -> Scene:
        """Scene of a mat before the shot."""
        return self._scene(self._wink_names[self.kit_index[row]], self.positions[row])

    def executed_action(self, row: int) -> Squidge:
        """Last executed shot of a mat."""
        numbers = dict(zip(("azimuth", "speed", "elevation", "tumble"), self._executed[row].tolist(), strict=True))
        return Squidge(piece=self._wink_names[self.kit_index[row]][0], **numbers)

    def _simulate(
        self, actions: Floats, rows: Ints, rngs: Sequence[np.random.Generator], targets: Floats, *, until_verdict: bool
    ) -> list[tuple[Ints, MatRows]]:
        """Squidge the first wink of each of these mats towards a target; results by kind of mat."""
        own = self.positions[rows, 0]
        azimuth = np.arctan2(targets[:, 1] - own[:, 1], targets[:, 0] - own[:, 0])
        aim_offset, speed, elevation, tumble = (
            one.to_value(actions[:, k]) for k, one in enumerate(self._action_dimensions)
        )
        azimuth += aim_offset
        if self._noise is not None:
            # the same draws in the same order as in `ExecutionNoise.execute`
            errors = np.empty((len(rows), 4))
            for n, row in enumerate(rows.tolist()):
                rngs[row].standard_normal(out=errors[n])
            azimuth += self._noise.azimuth * errors[:, 0]
            speed = np.clip(speed * (1.0 + self._noise.speed * errors[:, 1]), 1e-3, MAX_SPEED)
            elevation = np.clip(elevation + self._noise.elevation * errors[:, 2], 0.0, pi / 2.0)
            tumble = np.clip(tumble + self._noise.tumble * errors[:, 3], -MAX_TUMBLE, MAX_TUMBLE)
        azimuth = np.remainder(azimuth + pi, 2.0 * pi) - pi
        self._executed[rows] = np.stack([azimuth, speed, elevation, tumble], axis=1)
        results = []
        for kit, (names, mats) in enumerate(zip(self._wink_names, self._batches, strict=True)):
            members = np.flatnonzero(self.kit_index[rows] == kit)
            if not len(members):
                continue
            zeros = np.zeros(len(members), np.int64)
            columns = dict(
                zip(("azimuth", "speed", "elevation", "tumble"), self._executed[rows[members]].T, strict=True)
            )
            shot = mats.squidge_arrays(zeros, zeros, Squidges(piece=names[0], **columns), self.positions[rows[members]])
            skip = np.zeros(len(members), np.bool_)
            rows_made = mats.run(shot, skip, until="decided" if until_verdict else "rest", threads=self._threads)
            results.append((members, mats.summary(shot, rows_made)))
        return results


class PotBackend(_MatBackend):
    """Backend of the pot shot: mats with one wink each."""

    def __init__(self, task: PotTask, count: int, noise: ExecutionNoise | None, threads: int) -> None:
        super().__init__(task.action_dimensions, (("blue-3",), ("blue-1",)), count, noise, threads)
        self._task = task
        self._radius = np.array([mat_kit.wink(WINK_OPTIONS, names[0]).radius for names in self._wink_names])

    def reset(self, rows: Ints, rngs: Sequence[np.random.Generator]) -> None:
        """Place one wink on each mat, at a uniformly drawn distance and direction from the pot within the field."""
        numbers = np.empty((len(rows), 3))
        for n, row in enumerate(rows.tolist()):
            rngs[row].random(out=numbers[n])
        self.kit_index[rows] = numbers[:, 0] < self._task.large_share
        distance = self._task.min_distance + (self._task.max_distance - self._task.min_distance) * numbers[:, 1]
        direction, remaining = 2.0 * pi * numbers[:, 2], np.arange(len(rows))
        while len(remaining):
            x, y = (
                distance[remaining] * np.cos(direction[remaining]),
                distance[remaining] * np.sin(direction[remaining]),
            )
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

    def step(
        self, actions: Floats, rows: Ints, rngs: Sequence[np.random.Generator]
    ) -> tuple[Floats, Bools, InfoColumns]:
        """Simulate a shot on each of these mats.

        Returns:
            rewards; mask of the shots that settled; info columns. [R]
        """
        count, penalty = len(rows), self._task.distance_penalty
        potted, settled, distance = np.zeros(count, np.bool_), np.ones(count, np.bool_), np.zeros(count)
        errors = np.full(count, None, dtype=object)
        for members, result in self._simulate(actions, rows, rngs, np.zeros((count, 2)), until_verdict=not penalty):
            potted[members] = result.potted
            x, y = result.positions[:, 0].T
            distance[members] = np.where(result.left[:, 0], _LOST_DISTANCE, np.hypot(x, y))
            settled[members], errors[members] = result.error == "", result.error
        info: InfoColumns = {"potted": (potted, settled)}
        if penalty:
            info["distance"] = distance, settled
        if not settled.all():
            info["did_not_settle"] = errors, ~settled
        return (
            np.where(potted | ~settled, potted, -penalty * distance),
            settled,
            with_old_keys(info, keep=("distance",)),
        )


class SquopBackend(_MatBackend):
    """Backend of the squop: mats with two winks each."""

    def __init__(self, task: SquopTask, count: int, noise: ExecutionNoise | None, threads: int) -> None:
        super().__init__(task.action_dimensions, (("blue-3", "green-3"),), count, noise, threads)
        self._task = task
        self._radius = mat_kit.wink(WINK_OPTIONS, "blue-3").radius

    def reset(self, rows: Ints, rngs: Sequence[np.random.Generator]) -> None:
        """Place the other wink well inside the field and clear of the pot, and the own wink near it."""
        remaining = rows
        while len(remaining):
            numbers = np.empty((len(remaining), 4))
            for n, row in enumerate(remaining.tolist()):
                rngs[row].random(out=numbers[n])
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

    def step(
        self, actions: Floats, rows: Ints, rngs: Sequence[np.random.Generator]
    ) -> tuple[Floats, Bools, InfoColumns]:
        """Simulate a shot on each of these mats, as `PotBackend.step`."""
        count = len(rows)
        squopped, settled, distance = np.zeros(count, np.bool_), np.ones(count, np.bool_), np.zeros(count)
        errors = np.full(count, None, dtype=object)
        for members, result in self._simulate(actions, rows, rngs, self.positions[rows, 1], until_verdict=False):
            x, y = (result.positions[:, 0] - result.positions[:, 1]).T
            distance[members] = np.where(result.left.any(axis=1), _LOST_DISTANCE, np.hypot(x, y))
            squopped[members] = result.lies_on[:, 0, 1] & ~result.left.any(axis=1)
            settled[members], errors[members] = result.error == "", result.error
        info: InfoColumns = {"squopped": (squopped, settled), "distance": (distance, settled)}
        if not settled.all():
            info["did_not_settle"] = errors, ~settled
        rewards = np.where(squopped | ~settled, squopped, -self._task.distance_penalty * distance)
        return rewards, settled, with_old_keys(info, keep=("distance",))
