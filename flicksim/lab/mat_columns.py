"""Squidges of an experiment by the hundred, as columns: drawn, aimed, made by the hand, settled and measured together.

The dice are the same, and so is what comes of each (see `physics.batch.mats`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import atan2, cos, nan, pi, sin
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from flicksim.base.errors import FlicksimError
from flicksim.base.geometry import Point
from flicksim.base.kinds import Plain
from flicksim.lab.columns import Asked, Floats, Row, Together, apart, asked
from flicksim.lab.measure import Shots
from flicksim.lab.slots import Slots, filled
from flicksim.lab.spread import Level
from flicksim.physics import Settings, Squidges
from flicksim.physics.batch import settle_mats
from flicksim.physics.flight.jit import bare
from flicksim.players import Hand
from flicksim.table import MAX_SPEED, MAX_TUMBLE, TURN, Scene, ballistics

HAND_DICE = 4
"""Numbers a hand draws for a squidge: turn, push, rise, tumble."""
_KEPT = 1024
"""Tables and settings kept in mind."""
_OTHERS = {"press": 0.0, "drag": 0.0, "squidger": 38.1e-3}
"""Other parts of a squidge, and their values when nothing is said."""

# both stand in one file, by which it is known whether what was compiled is theirs
_reach = bare(ballistics.reach)
_speed_for = bare(ballistics.speed_for)

T = TypeVar("T")

Aimed = tuple[Point, Point, float, tuple[float, float]]
"""Place of a wink, its target and the height over it [m], and the drag of the air [1/m]."""


class MatColumns(Together):
    """An experiment with winks made ready to be shot in columns.

    Args:
        lay: the mat that some values give. physics: the settings. The others as for `Together`.
    """

    most = 512

    def __init__(
        self, *shared: Plain, lay: Callable[[list[Level]], Scene], physics: Callable[[list[Level]], Settings]
    ) -> None:
        super().__init__(*shared)
        self._of_scene = [k for k, axis in enumerate(self._axes) if axis.path[0] == "pieces"]
        self._of_physics = [k for k, axis in enumerate(self._axes) if axis.path[0] in ("settings", "pairings")]
        self._lay = lru_cache(maxsize=_KEPT)(lambda given: lay(self._values(self._of_scene, given)))
        self._physics = lru_cache(maxsize=_KEPT)(lambda given: physics(self._values(self._of_physics, given)))
        self._soon = all(gauge.soon for gauge in self._gauges)

    def _values(self, places: Sequence[int], given: Sequence[Level]) -> list[Level]:
        """These values in these places of all."""
        values: list[Level] = [nan] * len(self._axes)
        for place, one in zip(places, given, strict=True):
            values[place] = one
        return values

    def rows(self, first: int, last: int, again: Callable[[int], Row]) -> list[Row]:
        """As `Together.rows`."""
        count = last - first
        given = asked(self._seeds, self._axes, self._cells, first, last, HAND_DICE)
        odd = np.zeros(count, np.bool_)
        scenes = self._each(self._lay, self._of_scene, given, odd)
        settings = self._each(self._physics, self._of_physics, given, odd)
        squidges = self._made(given, scenes, odd)
        settled = settle_mats(
            scenes, squidges, settings, until="verdict" if self._soon else "rest", failed="mark", checked=True
        )
        began = np.full((count, len(settled.ids), 3), nan)
        column = settled.column(self._piece)
        places = {id(scene): [(piece.id, piece.at) for piece in scene.pieces] for scene in scenes}
        for row in range(count):
            for name, at in places[id(scenes[row if len(scenes) > 1 else 0])]:
                began[row, settled.ids.index(name), :2] = at
        if squidges.start is not None:
            began[:, column, :2] = squidges.start
        return self._table(first, given, Shots(piece=self._piece, made=squidges, began=began, settled=settled), again)

    def _each(
        self, make: Callable[[tuple[Level, ...]], T], places: Sequence[int], given: Asked, odd: npt.NDArray[np.bool_]
    ) -> list[T]:
        """The thing that each shot's values give, or the one that serves all; shots are `odd` whose values cannot
        be."""
        if not places:
            return [make(())]
        found: list[T | None] = []
        for row in range(len(odd)):
            try:
                found.append(make(tuple(self._level(place, given, row) for place in places)))
            except (FlicksimError, ValueError):
                odd[row] = True
                found.append(None)
        usable = next((one for one in found if one is not None), None)
        if usable is None:
            usable = make(tuple(self._axes[place].spread.typical for place in places))
        return [usable if one is None else one for one in found]

    def _level(self, place: int, given: Asked, row: int) -> Level:
        """The value of an axis in a shot, as it was given."""
        words, levels = given.words[place], self._axes[place].spread.levels
        if words is not None and levels is not None:
            return levels[int(words[row])]
        return float(given.numbers[place][row])

    def _made(self, given: Asked, scenes: Sequence[Scene], odd: npt.NDArray[np.bool_]) -> Squidges:
        """The squidges as the hand makes them; NaN where they cannot be, or another turn is needed."""
        flick, rows = self._slots["flick"], np.arange(len(odd))

        def quantity(name: str, usual: float) -> Floats:
            return self._numbers(flick.get(name, usual), given, rows)

        rise, tumble = quantity("elevation", pi / 4.0), quantity("tumble", 0.0)
        start = None
        if flick.get("start") is not None:
            start = np.stack([self._numbers(part, given, rows) for part in flick["start"]], axis=1)
        if "to" in flick:
            hard, way = self._aimed(given, scenes, start, rise, tumble, quantity)
        else:
            hard, way = quantity("speed", nan), quantity("azimuth", nan)
        meant = Squidges(
            piece=self._piece, speed=hard, azimuth=way, elevation=rise, tumble=tumble, start=start,
            **{name: quantity(name, usual) for name, usual in _OTHERS.items()},
        )  # fmt: skip
        wrong = odd.copy()
        for rows_of, _ in meant.problems(len(rows)):
            wrong |= rows_of
        speed, azimuth, elevation, spin = (np.empty(len(rows)) for _ in range(4))
        for shots, values in self._alike(given, len(rows)):
            hand: Hand = self._hand_of(filled(self._slots["hand"], values))
            dice = given.dice[shots]
            speed[shots] = np.clip(hard[shots] * (1.0 + hand.speed * dice[:, 1]), 1e-3, MAX_SPEED)
            azimuth[shots] = way[shots] + hand.azimuth * dice[:, 0]
            elevation[shots] = np.clip(rise[shots] + hand.elevation * dice[:, 2], 0.0, pi / 2.0)
            spin[shots] = np.clip(tumble[shots] + hand.tumble * dice[:, 3], -MAX_TUMBLE, MAX_TUMBLE)
        azimuth[np.abs(azimuth) > TURN] = nan
        speed[wrong] = nan
        return Squidges(
            piece=self._piece, speed=speed, azimuth=azimuth, elevation=elevation, tumble=spin, start=start,
            press=meant.press, drag=meant.drag, squidger=meant.squidger,
        )  # fmt: skip

    def _aimed(
        self, given: Asked, scenes: Sequence[Scene], start: Floats | None, rise: Floats, tumble: Floats,
        quantity: Callable[[str, float], Floats],
    ) -> tuple[Floats, Floats]:  # fmt: skip
        """Speed and azimuth of these shots, aimed as a player would."""
        count = len(rise)
        at, to, height, air = np.empty((count, 2)), np.empty((count, 2)), np.empty(count), np.empty((count, 2))
        known: dict[tuple[int, str | None], Aimed] = {}
        for shots, values in self._alike(given, count):
            target = filled(self._slots["flick"]["to"], values)
            for row in shots.tolist():
                scene = scenes[row if len(scenes) > 1 else 0]
                key = id(scene), target if isinstance(target, str) else None
                if key not in known:
                    known[key] = _place(scene, self._piece, target)
                at[row], to[row], height[row], air[row] = known[key]
        if start is not None:
            at = start
        point = self._slots["flick"]["to"]
        if isinstance(point, tuple):
            to = np.stack([self._numbers(part, given, np.arange(count)) for part in point], axis=1)
        dx, dy = to[:, 0] - at[:, 0], to[:, 1] - at[:, 1]
        way = apart(dx, dy) + quantity("beyond", 0.0)
        able = way > 0.0  # and not NaN, where there is nothing to aim at
        hard, azimuth = np.full(count, nan), np.full(count, nan)
        effort, turn = quantity("effort", 1.0), quantity("turn", 0.0)
        for row in np.flatnonzero(able).tolist():
            rough = ballistics.rounded(float(way[row]), float(height[row]), float(rise[row]))
            speed = _speed_for(*rough, float(tumble[row]), float(air[row, 0]), float(air[row, 1]), _reach)
            hard[row] = min(MAX_SPEED, speed * effort[row])
            turned = atan2(dy[row], dx[row]) + turn[row]
            azimuth[row] = atan2(sin(turned), cos(turned))
        return hard, azimuth


def _place(scene: Scene, name: str, to: Slots) -> Aimed:
    """Place of a wink, its target and the height over it [m], and the drag of the air [1/m].

    NaN where there is nothing to aim at; asked about one by one it is told of.
    """
    piece, pot = scene.piece(name), scene.surface.pot
    face, side = ballistics.drag_rates(piece)
    air = (round(face, 5), round(side, 5))
    if not isinstance(to, str):
        return piece.at, (nan, nan), 0.0, air
    if to == "pot" and pot is not None:
        return piece.at, pot.at, pot.height, air
    if scene.has(to):
        return piece.at, scene.piece(to).at, scene.piece(to).highest, air
    return piece.at, (nan, nan), 0.0, air
