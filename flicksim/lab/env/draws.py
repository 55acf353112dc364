"""Draws in Penny White for many learners at once: tables as arrays, laid, seen, shot at and judged together.

Row n is what a table of its own is that has the same dice (see `shots.Draw`); places agree to the nanometre.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2

import msgspec
import numpy as np
import numpy.typing as npt

from flicksim.games.penny_white import equipment as board_kit
from flicksim.lab.columns import unsteady
from flicksim.lab.env import shots
from flicksim.lab.env.parts import Bools, Ints, Said
from flicksim.lab.env.shots import span
from flicksim.physics import Flicks, Settings
from flicksim.physics.batch import RESTS, board_of, laid_of, rings_of, settle_laid
from flicksim.players import Hand
from flicksim.table import Scene

Floats = npt.NDArray[np.float64]

_WHITE, _BLUE, _FIRST = 0, 1, 2
"""Columns of the white, of the penny that is flicked, and of the first guard."""


class Draws:
    """Tables side by side.

    Args:
        task: the kind of shot. count: how many tables. hand: how steady; None: just as meant.
    """

    def __init__(self, task: shots.Draw, count: int, hand: Hand | None) -> None:
        self.task, self._hand = task, hand
        coins = [shots.white(shots.white_at(0.0)), shots.penny(shots.start_at(0.0))]
        coins += [shots.guard(k + 1, shots.guard_at(0.0, k / 8.0)) for k in range(task.guards)]
        self._template = Scene(surface=board_kit.board(shots.COINS), pieces=tuple(coins))
        self._ids = tuple(coin.id for coin in coins)
        rings = rings_of([self._template])
        self._board = board_of(self._template, rings)
        self._laid = laid_of([self._template], [Settings()], self._ids, rings)
        self.places = np.zeros((count, len(coins), 3))
        self.there = np.zeros((count, len(coins)), np.bool_)

    def lay(self, rows: Ints, dice: Sequence[np.random.Generator]) -> None:
        """Lay the next shots of these tables out, each by its own dice."""
        guards = self.task.guards
        numbers = np.empty((len(rows), 2 + 2 * guards))
        for n, row in enumerate(rows.tolist()):
            dice[row].random(out=numbers[n])
        self.places[rows], self.there[rows] = 0.0, False
        self.there[rows, _WHITE] = True
        self.places[rows, _WHITE, 0], self.places[rows, _WHITE, 1] = shots.white_at(numbers[:, 0])
        many = (numbers[:, 1] * (guards + 1)).astype(np.int64)
        for k in range(guards):
            here = np.flatnonzero(many > k)
            column, who = _FIRST + k, rows[here]
            x, y = shots.guard_at(numbers[here, 2 + 2 * k], numbers[here, 3 + 2 * k])
            self.places[who, column, 0], self.places[who, column, 1] = x, y
            for row in who[self._touches(who, column)].tolist():
                while self._touches(np.array([row]), column)[0]:
                    self.places[row, column, :2] = shots.guard_at(*dice[row].random(2))
            self.there[who, column] = True

    def _touches(self, rows: Ints, column: int) -> Bools:
        """Tell at which tables a piece lies too near to one that lies there already. [R]"""
        away = self.places[rows, :, :2] - self.places[rows, column : column + 1, :2]
        near = np.sqrt(away[:, :, 0] * away[:, :, 0] + away[:, :, 1] * away[:, :, 1]) <= shots.APART
        found: Bools = np.any(near & self.there[rows], axis=1)
        return found

    def look(self) -> Floats:
        """What is seen of each table. [S, 1 + 2 guards]"""
        seen = np.where(self.there[:, :, None], self.places[:, :, :2], 0.0)
        found: Floats = np.concatenate([seen[:, _WHITE, 1:], seen[:, _FIRST:].reshape(len(seen), -1)], axis=1)
        return found

    def shoot(self, actions: Floats, rows: Ints, dice: Sequence[np.random.Generator]) -> tuple[Floats, Bools, Said]:
        """Make a shot at each of these tables.

        Returns:
            rewards; which came to rest; what else is said, by name, with the tables of which it is. [R]
        """
        if not len(rows):
            return np.zeros(0), np.zeros(0, np.bool_), {}
        start = np.stack(np.broadcast_arrays(*shots.start_at(actions[:, 0])), axis=1)
        white = self.places[rows, _WHITE, :2]
        straight = np.array([atan2(y, x) for x, y in (white - start).tolist()])
        azimuth, speed = straight + span(-shots.ASIDE, shots.ASIDE, actions[:, 1]), span(*shots.PUSH, actions[:, 2])
        offset = span(*shots.OFFSET, actions[:, 3])
        if self._hand is not None:
            errors = np.empty((len(rows), 3))
            for n, row in enumerate(rows.tolist()):
                dice[row].standard_normal(out=errors[n])
            unsteady(
                np.array([self._hand.speed, self._hand.azimuth, self._hand.offset]), errors, speed, azimuth, offset
            )
        self.places[rows, _BLUE], self.there[rows, _BLUE] = 0.0, True
        self.places[rows, _BLUE, :2] = start
        laid = self._laid._replace(places=self.places[rows], there=self.there[rows])
        flicks = Flicks(piece=self._ids[_BLUE], speed=speed, azimuth=azimuth, offset=offset, start=start)
        why = np.full(len(rows), "", dtype=object)
        why[~self.there[rows, _WHITE]] = "the white has left the board; reset first"
        settled = settle_laid([self._template], self._ids, self._board, laid, flicks, why)
        rested = settled.failed == ""
        self.places[rows[rested]] = settled.places[rested]
        self.there[rows[rested]] = settled.fate[rested] == RESTS
        both = rested & self.there[rows, _WHITE] & self.there[rows, _BLUE]
        away = self.places[rows, _BLUE, :2] - self.places[rows, _WHITE, :2]
        wide = self._template.pieces[_BLUE].radius + self._template.pieces[_WHITE].radius
        gap = np.maximum(0.0, np.sqrt(away[:, 0] * away[:, 0] + away[:, 1] * away[:, 1]) - wide)
        gap[~both] = np.inf
        rewards = np.array([shots.closeness(one) for one in gap.tolist()])
        said: Said = {}
        if rested.any():
            said["gap"] = np.where(rested, gap, 0.0), rested
        if not rested.all():
            told = np.full(len(rows), None, dtype=object)
            told[~rested] = settled.failed[~rested].tolist()
            said["unsettled"] = told, ~rested
        return rewards, rested, said

    def scene(self, row: int) -> Scene:
        """The table as it lies there."""
        lying = (
            msgspec.structs.replace(piece, **dict(zip(("x", "y", "angle"), place, strict=True)))
            for piece, place, here in zip(
                self._template.pieces, self.places[row].tolist(), self.there[row].tolist(), strict=True
            )
            if here
        )
        return msgspec.structs.replace(self._template, pieces=tuple(lying))
