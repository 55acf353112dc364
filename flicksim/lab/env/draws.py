"""Draws in Penny White for any number of learners: tables laid, seen, shot at and judged together, as columns."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from flicksim.games.penny_white import equipment as board_kit
from flicksim.lab.columns import unsteady
from flicksim.lab.env import shots
from flicksim.lab.env.parts import Bools, Ints, Said
from flicksim.lab.env.shots import MIDDLE, START, Floats
from flicksim.physics import Flicks, Settings
from flicksim.physics.batch import RESTS, board_of, laid_of, rings_of, settle_laid
from flicksim.players import Hand
from flicksim.table import Flick, Scene

_WHITE, _PENNY, _FIRST = 0, 1, 2
"""Columns of the white, of the penny that is flicked, and of the first guard."""


class Draws:
    """Boards side by side.

    Args:
        task: the kind of shot. count: how many boards. hand: how steady; None: just as meant.
        threads: how many work at it.
    """

    def __init__(self, task: shots.Draw, count: int, hand: Hand | None, threads: int) -> None:
        self._task, self._threads = task, threads
        self._errors = None if hand is None else np.array([hand.speed, hand.azimuth, hand.offset])
        self._template = Scene(surface=board_kit.board(shots.COINS), pieces=shots.coins(task.guards))
        self._ids = tuple(coin.id for coin in self._template.pieces)
        rings = rings_of([self._template])
        self._board = board_of(self._template, rings)
        self._laid = laid_of([self._template], [Settings()], self._ids, rings)
        self._wide = sum(self._template.pieces[k].radius for k in (_WHITE, _PENNY))
        self._places = np.zeros((count, len(self._ids), 3))
        self._there = np.zeros((count, len(self._ids)), np.bool_)
        self._there[:, : _PENNY + 1] = True
        self._made = np.full((count, 3), np.nan)

    def lay(self, rows: Ints, dice: Sequence[np.random.Generator]) -> None:
        """The white on the middle line past the 45 cm line; guards where they touch nothing."""
        guards = self._task.guards
        numbers = np.empty((len(rows), 2 + 2 * guards))
        for n, row in enumerate(rows.tolist()):
            dice[row].random(out=numbers[n])
        places = np.zeros((len(rows), len(self._ids), 3))
        places[:, _WHITE, 0], places[:, _WHITE, 1] = shots.white_at(numbers[:, 0])
        places[:, _PENNY, :2] = MIDDLE, START
        places[:, _FIRST:, 0], places[:, _FIRST:, 1] = shots.guard_at(numbers[:, 2::2], numbers[:, 3::2])
        there = np.ones((len(rows), len(self._ids)), np.bool_)
        there[:, _FIRST:] = np.arange(guards) < np.floor(numbers[:, 1, None] * (guards + 1))
        for column in range(_FIRST, len(self._ids)):
            left = np.flatnonzero(there[:, column] & _touches(places, there, column))
            while len(left):
                again = np.array([dice[row].random(2) for row in rows[left].tolist()])
                places[left, column, 0], places[left, column, 1] = shots.guard_at(again[:, 0], again[:, 1])
                left = left[_touches(places[left], there[left], column)]
        self._places[rows], self._there[rows] = places, there

    def look(self) -> Floats:
        """The view of each board. [N, 1 + 3 guards]"""
        here, up = self._there[:, _FIRST:], self._places[:, _WHITE, 1]
        seen = np.empty((len(up), 1 + 3 * self._task.guards))
        seen[:, 0], seen[:, 1::3] = up, here
        seen[:, 2::3] = np.where(here, self._places[:, _FIRST:, 0] - MIDDLE, 0.0)
        seen[:, 3::3] = np.where(here, self._places[:, _FIRST:, 1] - up[:, None], 0.0)
        return seen

    def shoot(self, actions: Floats, rows: Ints, dice: Sequence[np.random.Generator]) -> tuple[Floats, Bools, Said]:
        """Make a shot at each of these boards.

        Returns:
            rewards; which came to an end; what else is said, by name, with the boards of which it is. [R]
        """
        across, aside, speed, offset = (one.meant(actions[:, k]) for k, one in enumerate(self._task.does))
        start = np.stack([MIDDLE + across, np.full(len(rows), START)], axis=1)
        azimuth = np.arctan2(self._places[rows, _WHITE, 1] - START, -across) + aside
        if self._errors is not None:
            errors = np.empty((len(rows), 3))
            for n, row in enumerate(rows.tolist()):
                dice[row].standard_normal(out=errors[n])
            unsteady(self._errors, errors, speed, azimuth, offset)
        self._places[rows, _PENNY, :2] = start
        self._made[rows] = np.stack([speed, azimuth, offset], axis=1)
        laid = self._laid._replace(places=self._places[rows], there=self._there[rows])
        flicks = Flicks(piece=self._ids[_PENNY], speed=speed, azimuth=azimuth, offset=offset)
        why = np.full(len(rows), "", dtype=object)
        settled = settle_laid(
            [self._template], self._ids, self._board, laid, flicks, why, threads=self._threads
        )  # fmt: skip
        rested = settled.failed == ""
        both = (settled.fate[:, : _PENNY + 1] == RESTS).all(axis=1)
        way = settled.places[:, _PENNY, :2] - settled.places[:, _WHITE, :2]
        gap = np.maximum(0.0, np.sqrt(way[:, 0] * way[:, 0] + way[:, 1] * way[:, 1]) - self._wide)
        gap = np.where(both, gap, np.inf)
        said: Said = {"gap": (gap, rested)}
        if not rested.all():
            said["unsettled"] = settled.failed.astype(object), ~rested
        return shots.closeness(gap), rested, said

    def before(self, row: int) -> Scene:
        """A board as it lay before the shot."""
        lying = (
            msgspec.structs.replace(piece, x=x, y=y)
            for piece, (x, y, _), here in zip(
                self._template.pieces, self._places[row].tolist(), self._there[row].tolist(), strict=True
            )
            if here
        )
        return msgspec.structs.replace(self._template, pieces=tuple(lying))

    def made(self, row: int) -> Flick:
        """The shot last made there."""
        speed, azimuth, offset = self._made[row].tolist()
        return Flick(piece=self._ids[_PENNY], speed=speed, azimuth=azimuth, offset=offset)


def _touches(places: Floats, there: Bools, column: int) -> Bools:
    """Tell where a guard lies too near to one that was laid before it, or to the white. [R]"""
    away = places[:, :column, :2] - places[:, column : column + 1, :2]
    near = away[:, :, 0] * away[:, :, 0] + away[:, :, 1] * away[:, :, 1] <= shots.APART * shots.APART
    near &= there[:, :column]
    near[:, _PENNY] = False  # it starts where no guard is laid
    found: Bools = np.any(near, axis=1)
    return found
