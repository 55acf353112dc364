"""Batched backend of the draw shot of Penny White: set-up, observation, simulation and rewards of many boards."""

from collections.abc import Sequence

import msgspec
import numpy as np

from flicksim.ai import ExecutionNoise
from flicksim.engine import Flicks, Settings
from flicksim.engine.batch import AT_REST, board_arrays, contact_rings, scene_arrays, simulate_scene_arrays
from flicksim.envs import shot_tasks
from flicksim.envs.features import Bools, InfoColumns, Ints
from flicksim.envs.old_keywords import with_old_keys
from flicksim.envs.shot_tasks import MIDDLE_LINE, START_LINE, Floats
from flicksim.experiments.disc_batch_sampler import apply_noise
from flicksim.games.penny_white import equipment as board_kit
from flicksim.scene import Flick, Scene

_WHITE, _PENNY, _FIRST = 0, 1, 2
"""Columns of the white, of the penny that is flicked, and of the first guard."""


class DrawBackend:
    """Backend of the draw shot: a batch of boards.

    Args:
        task: parameters of the shot. count: number of boards. noise: execution noise; None for none.
        threads: number of threads.
    """

    def __init__(self, task: shot_tasks.DrawTask, count: int, noise: ExecutionNoise | None, threads: int) -> None:
        self._task, self._threads = task, threads
        self._errors = None if noise is None else np.array([noise.speed, noise.azimuth, noise.offset])
        self._template = Scene(
            surface=board_kit.board(shot_tasks.COIN_OPTIONS), pieces=shot_tasks.make_coins(task.guards)
        )
        self._ids = tuple(coin.id for coin in self._template.pieces)
        rings = contact_rings([self._template])
        self._board = board_arrays(self._template, rings)
        self._arrays = scene_arrays([self._template], [Settings()], self._ids, rings)
        self._contact_distance = sum(self._template.pieces[k].radius for k in (_WHITE, _PENNY))
        self._positions = np.zeros((count, len(self._ids), 3))
        self._present = np.zeros((count, len(self._ids)), np.bool_)
        self._present[:, : _PENNY + 1] = True
        self._executed = np.full((count, 3), np.nan)

    def reset(self, rows: Ints, rngs: Sequence[np.random.Generator]) -> None:
        """Place the white on the middle line past the 45 cm line, and guards where they touch nothing."""
        guards = self._task.guards
        numbers = np.empty((len(rows), 2 + 2 * guards))
        for n, row in enumerate(rows.tolist()):
            rngs[row].random(out=numbers[n])
        positions = np.zeros((len(rows), len(self._ids), 3))
        positions[:, _WHITE, 0], positions[:, _WHITE, 1] = shot_tasks.white_position(numbers[:, 0])
        positions[:, _PENNY, :2] = MIDDLE_LINE, START_LINE
        positions[:, _FIRST:, 0], positions[:, _FIRST:, 1] = shot_tasks.guard_position(
            numbers[:, 2::2], numbers[:, 3::2]
        )
        present = np.ones((len(rows), len(self._ids)), np.bool_)
        present[:, _FIRST:] = np.arange(guards) < np.floor(numbers[:, 1, None] * (guards + 1))
        for column in range(_FIRST, len(self._ids)):
            remaining = np.flatnonzero(present[:, column] & _too_close(positions, present, column))
            while len(remaining):
                again = np.array([rngs[row].random(2) for row in rows[remaining].tolist()])
                positions[remaining, column, 0], positions[remaining, column, 1] = shot_tasks.guard_position(
                    again[:, 0], again[:, 1]
                )
                remaining = remaining[_too_close(positions[remaining], present[remaining], column)]
        self._positions[rows], self._present[rows] = positions, present

    def observe(self) -> Floats:
        """Features of each board. [N, 1 + 3 guards]"""
        here, up = self._present[:, _FIRST:], self._positions[:, _WHITE, 1]
        features = np.empty((len(up), 1 + 3 * self._task.guards))
        features[:, 0], features[:, 1::3] = up, here
        features[:, 2::3] = np.where(here, self._positions[:, _FIRST:, 0] - MIDDLE_LINE, 0.0)
        features[:, 3::3] = np.where(here, self._positions[:, _FIRST:, 1] - up[:, None], 0.0)
        return features

    def step(
        self, actions: Floats, rows: Ints, rngs: Sequence[np.random.Generator]
    ) -> tuple[Floats, Bools, InfoColumns]:
        """Simulate a shot on each of these boards.

        Returns:
            rewards; mask of the shots that settled; info columns. [R]
        """
        across, aim_offset, speed, offset = (
            one.to_value(actions[:, k]) for k, one in enumerate(self._task.action_dimensions)
        )
        start = np.stack([MIDDLE_LINE + across, np.full(len(rows), START_LINE)], axis=1)
        azimuth = np.arctan2(self._positions[rows, _WHITE, 1] - START_LINE, -across) + aim_offset
        if self._errors is not None:
            errors = np.empty((len(rows), 3))
            for n, row in enumerate(rows.tolist()):
                rngs[row].standard_normal(out=errors[n])
            apply_noise(self._errors, errors, speed, azimuth, offset)
        self._positions[rows, _PENNY, :2] = start
        self._executed[rows] = np.stack([speed, azimuth, offset], axis=1)
        scenes = self._arrays._replace(positions=self._positions[rows], present=self._present[rows])
        flicks = Flicks(piece=self._ids[_PENNY], speed=speed, azimuth=azimuth, offset=offset)
        failures = np.full(len(rows), "", dtype=object)
        result = simulate_scene_arrays(
            [self._template], self._ids, self._board, scenes, flicks, failures, threads=self._threads
        )  # fmt: skip
        settled = result.error == ""
        both = (result.outcome[:, : _PENNY + 1] == AT_REST).all(axis=1)
        displacement = result.positions[:, _PENNY, :2] - result.positions[:, _WHITE, :2]
        gap = np.maximum(
            0.0,
            np.sqrt(displacement[:, 0] * displacement[:, 0] + displacement[:, 1] * displacement[:, 1])
            - self._contact_distance,
        )
        gap = np.where(both, gap, np.inf)
        info: InfoColumns = {"distance": (gap, settled)}
        if not settled.all():
            info["did_not_settle"] = result.error.astype(object), ~settled
        return shot_tasks.proximity_reward(gap), settled, with_old_keys(info)

    def initial_scene(self, row: int) -> Scene:
        """Scene of a board before the shot."""
        lying = (
            msgspec.structs.replace(piece, x=x, y=y)
            for piece, (x, y, _), here in zip(
                self._template.pieces, self._positions[row].tolist(), self._present[row].tolist(), strict=True
            )
            if here
        )
        return msgspec.structs.replace(self._template, pieces=tuple(lying))

    def executed_action(self, row: int) -> Flick:
        """Last executed shot of a board."""
        speed, azimuth, offset = self._executed[row].tolist()
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
