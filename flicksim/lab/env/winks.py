"""Pots and squops for many learners at once: mats laid, seen, shot at and judged together.

Row n is what a mat of its own is that has the same dice (see `shots`), to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from flicksim.lab.env.parts import Bools, Ints, Said, gathered
from flicksim.lab.env.shots import Shot, Task
from flicksim.physics import Settings, SettledMats, Squidges
from flicksim.physics.batch import Mats, settle_mats
from flicksim.players import Hand
from flicksim.table import Piece, Scene, Squidge

_SETTINGS = (Settings(),)


class Over(NamedTuple):
    """A shot that is over, as `Ended` knows it."""

    flick: Shot
    after: Scene


class Winks:
    """Mats side by side.

    Args:
        task: the kind of shot. count: how many mats. hand: how steady; None: just as meant.
    """

    def __init__(self, task: Task, count: int, hand: Hand | None) -> None:
        self._task, self._hand = task, hand
        self._scenes: list[Scene] = [Scene(surface=task.lay(np.random.default_rng(0)).surface, pieces=())] * count
        self._mats: dict[tuple[str, ...], Mats] = {}

    def lay(self, rows: Ints, dice: Sequence[np.random.Generator]) -> None:
        """Lay the next shots of these mats out, each by its own dice."""
        for row in rows.tolist():
            self._scenes[row] = self._task.lay(dice[row])

    def look(self) -> npt.NDArray[Any]:
        """What is seen of each mat. [N, numbers]"""
        return np.array([self._task.look(scene) for scene in self._scenes])

    def shoot(
        self, actions: npt.NDArray[np.float64], rows: Ints, dice: Sequence[np.random.Generator]
    ) -> tuple[npt.NDArray[np.float64], Bools, Said]:
        """Make a shot at each of these mats.

        Returns:
            rewards; which came to rest; what else is said, by name, with the mats of which it is. [R]
        """
        shots: list[Squidge] = []
        groups: dict[tuple[str, ...], list[int]] = {}
        for n, row in enumerate(rows.tolist()):
            scene, shot = self._task.shot(self._scenes[row], actions[n])
            if self._hand is not None:
                shot = self._hand.make(shot, dice[row])
            assert isinstance(shot, Squidge)
            shots.append(shot)
            flat = all(map(_lies_flat, scene.pieces))
            groups.setdefault(tuple(piece.id for piece in scene.pieces) if flat else (), []).append(n)
        rewards, rested, said = np.zeros(len(rows)), np.zeros(len(rows), np.bool_), [dict[str, Any]() for _ in shots]
        for ids, members in groups.items():
            scenes = [self._scenes[rows[n]] for n in members]
            settled = self._settled(ids, scenes, Squidges.of([shots[n] for n in members]))
            for k, n in enumerate(members):
                if settled.failed[k]:
                    said[n] = {"unsettled": str(settled.failed[k])}
                    continue
                self._scenes[rows[n]] = settled.after(k)
                rewards[n], said[n] = self._task.worth(Over(shots[n], self._scenes[rows[n]]))
                rested[n] = True
        return rewards, rested, gathered(said)

    def _settled(self, ids: tuple[str, ...], scenes: list[Scene], squidges: Squidges) -> SettledMats:
        """What comes of squidges on mats with these winks, all flat on the felt; where there are none, on any mats."""
        if not ids:
            return settle_mats(scenes, squidges, _SETTINGS, failed="mark", checked=True)
        mats = self._mats.get(ids)
        if mats is None:
            mats = self._mats[ids] = Mats(scenes[:1], _SETTINGS, ids)
        at = np.array([[piece.at for piece in scene.pieces] for scene in scenes])
        count = len(scenes)
        names = np.broadcast_to(
            np.array([squidges.piece] if isinstance(squidges.piece, str) else squidges.piece, object), count
        )
        kit, why = np.zeros(count, np.int64), np.full(count, "", dtype=object)
        return mats.settle(scenes, _SETTINGS, names, kit, squidges, why, at=at)

    def scene(self, row: int) -> Scene:
        """The mat as it lies there."""
        return self._scenes[row]


def _lies_flat(piece: Piece) -> bool:
    """Whether a wink lies on the felt, level and alone."""
    return piece.support == "surface" and piece.z is None and piece.tilt == 0.0 and not piece.lies_on
