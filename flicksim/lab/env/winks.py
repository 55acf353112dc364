"""Pots and squops for any number of learners: mats laid, seen, shot at and judged together, as columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import numpy as np

from flicksim.base.errors import FlicksimError
from flicksim.base.units import mm
from flicksim.games.tiddlywinks import equipment as mat_kit
from flicksim.lab.env.parts import Bools, Ints, Said
from flicksim.lab.env.shots import MAT, WINKS, Doing, Floats, Pot, Squop, in_the_field
from flicksim.physics import Settings, Squidges, settle
from flicksim.physics.batch import Mats, lone
from flicksim.physics.batch.tables import SETTLED
from flicksim.players import Hand
from flicksim.table import MAX_SPEED, MAX_TUMBLE, Scene, Squidge, beneath

_LOST = mm(1000.0)
"""So far off counts a wink that has left the mat [m]."""
_NEAREST = mm(50.0)
"""Winks of a squop lie farther than this from the pot's axis [m]."""


class _Mats:
    """Mats side by side, with the same number of winks on each; the first is squidged.

    Args:
        does: what the numbers of an action mean. kits: names of the winks on each kind of mat. count: how many mats.
        hand: how steady; None: just as meant. threads: how many work at it.
    """

    def __init__(
        self, does: Sequence[Doing], kits: Sequence[tuple[str, ...]], count: int, hand: Hand | None, threads: int
    ) -> None:
        self._does, self._kits, self._hand, self._threads = does, kits, hand, threads
        self._ready = [Mats([self._scene(names, np.zeros((len(names), 2)))], (Settings(),), names) for names in kits]
        self.kit = np.zeros(count, np.int64)
        self.at = np.zeros((count, len(kits[0]), 2))
        self._made = np.full((count, len(does)), np.nan)

    def _scene(self, names: Sequence[str], at: Floats) -> Scene:
        winks = (mat_kit.wink(WINKS, name, (x, y)) for name, (x, y) in zip(names, at.tolist(), strict=True))
        return Scene(surface=MAT, pieces=tuple(winks))

    def before(self, row: int) -> Scene:
        """A mat as it lay before the shot."""
        return self._scene(self._kits[self.kit[row]], self.at[row])

    def made(self, row: int) -> Squidge:
        """The shot last made there."""
        numbers = dict(zip(("azimuth", "speed", "elevation", "tumble"), self._made[row].tolist(), strict=True))
        return Squidge(piece=self._kits[self.kit[row]][0], **numbers)

    def _squidge(
        self, actions: Floats, rows: Ints, dice: Sequence[np.random.Generator], to: Floats, *, verdict: bool
    ) -> list[tuple[Ints, lone.Flown]]:
        """Squidge the first wink of each of these mats towards a place, and what came of it, kind by kind of mat."""
        own = self.at[rows, 0]
        azimuth = np.arctan2(to[:, 1] - own[:, 1], to[:, 0] - own[:, 0])
        aside, speed, elevation, tumble = (one.meant(actions[:, k]) for k, one in enumerate(self._does))
        azimuth += aside
        if self._hand is not None:
            # as `Hand.make` has it, with the same dice in the same order
            errors = np.empty((len(rows), 4))
            for n, row in enumerate(rows.tolist()):
                dice[row].standard_normal(out=errors[n])
            azimuth += self._hand.azimuth * errors[:, 0]
            speed = np.clip(speed * (1.0 + self._hand.speed * errors[:, 1]), 1e-3, MAX_SPEED)
            elevation = np.clip(elevation + self._hand.elevation * errors[:, 2], 0.0, pi / 2.0)
            tumble = np.clip(tumble + self._hand.tumble * errors[:, 3], -MAX_TUMBLE, MAX_TUMBLE)
        azimuth = np.remainder(azimuth + pi, 2.0 * pi) - pi
        self._made[rows] = np.stack([azimuth, speed, elevation, tumble], axis=1)
        found = []
        for kit, (names, mats) in enumerate(zip(self._kits, self._ready, strict=True)):
            members = np.flatnonzero(self.kit[rows] == kit)
            if not len(members):
                continue
            nothing = np.zeros(len(members), np.int64)
            columns = dict(zip(("azimuth", "speed", "elevation", "tumble"), self._made[rows[members]].T, strict=True))
            shot = mats.motions(nothing, nothing, Squidges(piece=names[0], **columns), self.at[rows[members]])
            skip = np.zeros(len(members), np.bool_)
            found.append((members, mats.fly(shot, skip, until="verdict" if verdict else "rest", threads=self._threads)))
        return found

    def _by_itself(self, row: int) -> Scene | str:
        """The mat after the shot last made there, or why it will not come to rest."""
        try:
            return settle(self.before(row), self.made(row)).after
        except FlicksimError as wrong:
            return str(wrong)


class Pots(_Mats):
    """Mats with one wink each, to be potted."""

    def __init__(self, task: Pot, count: int, hand: Hand | None, threads: int) -> None:
        super().__init__(task.does, (("blue-3",), ("blue-1",)), count, hand, threads)
        self._task = task
        self._radius = np.array([mat_kit.wink(WINKS, names[0]).radius for names in self._kits])

    def lay(self, rows: Ints, dice: Sequence[np.random.Generator]) -> None:
        """One wink each, at a distance drawn evenly, anywhere in the field that far from the pot."""
        numbers = np.empty((len(rows), 3))
        for n, row in enumerate(rows.tolist()):
            dice[row].random(out=numbers[n])
        self.kit[rows] = numbers[:, 0] < self._task.large
        far = self._task.near + (self._task.far - self._task.near) * numbers[:, 1]
        turn, left = 2.0 * pi * numbers[:, 2], np.arange(len(rows))
        while len(left):
            x, y = far[left] * np.cos(turn[left]), far[left] * np.sin(turn[left])
            self.at[rows[left], 0, 0], self.at[rows[left], 0, 1] = x, y
            large = self.kit[rows[left]]
            within = np.where(large, in_the_field(x, y, self._radius[1]), in_the_field(x, y, self._radius[0]))
            left = left[~within]
            for n in left.tolist():
                turn[n] = 2.0 * pi * dice[rows[n]].random()

    def look(self) -> Floats:
        """The view of each mat. [N, 4]"""
        x, y = self.at[:, 0].T
        return np.stack([x, y, np.sqrt(x * x + y * y), self.kit.astype(np.float64)], axis=1)

    def shoot(self, actions: Floats, rows: Ints, dice: Sequence[np.random.Generator]) -> tuple[Floats, Bools, Said]:
        """Make a shot at each of these mats.

        Returns:
            rewards; which came to an end; what else is said, by name, with the mats of which it is. [R]
        """
        count, shaping = len(rows), self._task.shaping
        potted, ended, far = np.zeros(count, np.bool_), np.ones(count, np.bool_), np.zeros(count)
        why = np.full(count, None, dtype=object)
        for members, flown in self._squidge(actions, rows, dice, np.zeros((count, 2)), verdict=not shaping):
            potted[members] = (flown.how == lone.IN_POT) | (flown.how == lone.ON_RIM)
            far[members] = np.where(flown.how == lone.LEFT, _LOST, np.hypot(flown.centre[:, 0], flown.centre[:, 1]))
            for n in members[flown.why != SETTLED].tolist():
                after = self._by_itself(int(rows[n]))
                if isinstance(after, str):
                    potted[n], ended[n], why[n] = False, False, after
                    continue
                potted[n] = any(wink.support in ("pot", "rim") for wink in after.pieces)
                far[n] = np.hypot(*after.pieces[0].at) if after.pieces else _LOST
        said: Said = {"potted": (potted, ended)}
        if shaping:
            said["distance"] = far, ended
        if not ended.all():
            said["unsettled"] = why, ~ended
        return np.where(potted | ~ended, potted, -shaping * far), ended, said


class Squops(_Mats):
    """Mats with two winks each, one to come to rest on the other."""

    def __init__(self, task: Squop, count: int, hand: Hand | None, threads: int) -> None:
        super().__init__(task.does, (("blue-3", "green-3"),), count, hand, threads)
        self._task = task
        self._radius = mat_kit.wink(WINKS, "blue-3").radius

    def lay(self, rows: Ints, dice: Sequence[np.random.Generator]) -> None:
        """The other wink anywhere well inside the field and clear of the pot, one's own beside it."""
        left = rows
        while len(left):
            numbers = np.empty((len(left), 4))
            for n, row in enumerate(left.tolist()):
                dice[row].random(out=numbers[n])
            x, y = 1.6 * numbers[:, 0] - 0.8, 0.8 * numbers[:, 1] - 0.4
            far = self._task.near + (self._task.far - self._task.near) * numbers[:, 2]
            turn = 2.0 * pi * numbers[:, 3]
            own_x, own_y = x + far * np.cos(turn), y + far * np.sin(turn)
            self.at[left] = np.stack([np.stack([own_x, own_y], axis=1), np.stack([x, y], axis=1)], axis=1)
            fits = np.minimum(x * x + y * y, own_x * own_x + own_y * own_y) > _NEAREST * _NEAREST
            fits &= in_the_field(x, y, self._radius) & in_the_field(own_x, own_y, self._radius)
            left = left[~fits]

    def look(self) -> Floats:
        """The view of each mat. [N, 5]"""
        own, other = self.at[:, 0], self.at[:, 1]
        way = other - own
        far = np.sqrt(way[:, 0] * way[:, 0] + way[:, 1] * way[:, 1])
        return np.concatenate([way, far[:, None], own], axis=1)

    def shoot(self, actions: Floats, rows: Ints, dice: Sequence[np.random.Generator]) -> tuple[Floats, Bools, Said]:
        """Make a shot at each of these mats, as in `Pots`."""
        count = len(rows)
        squopped, ended, far = np.zeros(count, np.bool_), np.ones(count, np.bool_), np.zeros(count)
        why = np.full(count, None, dtype=object)
        for members, flown in self._squidge(actions, rows, dice, self.at[rows, 1], verdict=False):
            way = flown.centre[:, :2] - self.at[rows[members], 1]
            far[members] = np.where(flown.how == lone.LEFT, _LOST, np.hypot(way[:, 0], way[:, 1]))
            # whoever meets the other is flown by itself, so none of the rest lies on it
            for n in members[flown.why != SETTLED].tolist():
                after = self._by_itself(int(rows[n]))
                if isinstance(after, str):
                    ended[n], why[n] = False, after
                    continue
                both = after.has("blue-3") and after.has("green-3")
                squopped[n] = both and "green-3" in beneath(after.pieces, "blue-3")
                way = np.subtract(after.piece("blue-3").at, after.piece("green-3").at) if both else (_LOST, 0.0)
                far[n] = np.hypot(*way)
        said: Said = {"squopped": (squopped, ended), "distance": (far, ended)}
        if not ended.all():
            said["unsettled"] = why, ~ended
        return np.where(squopped | ~ended, squopped, -self._task.shaping * far), ended, said
