"""An experiment made ready: everything in it looked up and checked, then shot after shot by its index alone.

What a shot is depends on the experiment and its index, on nothing else: not on who shoots it, when, or after which.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import inf, prod
from time import perf_counter

import msgspec
import numpy as np

from flicksim.base.bounds import NAME, TITLE, bounded
from flicksim.base.errors import BadInput, FlicksimError
from flicksim.base.kinds import Staged
from flicksim.base.seeding import Seeds
from flicksim.lab import columns
from flicksim.lab.checked import Checked
from flicksim.lab.column import Column, varied
from flicksim.lab.experiment import Experiment
from flicksim.lab.laying import FAILS, Laying
from flicksim.lab.mat_columns import MatColumns
from flicksim.lab.measure import Answer, Gauge, Shot, told
from flicksim.lab.slots import filled
from flicksim.lab.spread import Level
from flicksim.physics import settle
from flicksim.table import Squidge

MANY = 4096
"""Shots made at once, at most."""
_HEARD = 20
"""Shots made one by one before Ctrl-C is heard."""
_FEW = 100
"""Shots by which it is measured how long one takes among many."""
_TRIALS = 8


class Shooter:
    """An experiment made ready.

    Attributes:
        columns: of the rows it makes. axes: what varies. cells: how many there are of the crossed grids.
        scene: the table before a typical shot. piece: id of what is flicked.
        one_by_one: why shots are made one by one; "" where many are made at once.

    Args:
        trust: run functions that it names as measures (see `Measure`).

    Raises:
        BadInput: something in it cannot be; says what, and what would be right.
    """

    def __init__(self, experiment: Experiment, *, trust: bool = False) -> None:
        self.experiment = experiment
        self._seeds = Seeds(seed=experiment.seed)
        self._asked = asked = Checked(experiment)
        self.axes, self.game, self.piece = asked.axes, asked.game, asked.piece
        self._grids = [axis.spread.levels or () for axis in self.axes]
        self.cells = prod(max(1, len(levels)) for levels in self._grids)
        self._laying = Laying(asked)
        self.scene = self._laying.typical()
        self.gauges: tuple[Gauge, ...] = tuple(
            measure.ready(self.scene, self.piece, self.game, asked.kind, trust=trust) for measure in experiment.measures
        )
        self.columns = self._columns()
        self.one_by_one = columns.why_not(asked.kind, self.axes, self.scene, self.gauges) or self._laying.why_asked()
        self._many = None if self.one_by_one else self._in_columns()
        self._sure = all(axis.spread.levels for axis in self.axes) and asked.slots["hand"] == "steady"
        self._first: dict[int, tuple[Answer, ...]] = {}

    def _columns(self) -> tuple[Column, ...]:
        found = [Column(name="shot", kind="number", role="index", title="shot")]
        found += varied(self.axes)
        for gauge in self.gauges:
            for name in gauge.columns:
                title = bounded(gauge.title, TITLE)
                found.append(Column(name=name, kind=gauge.kind, role="answer", title=title, unit=gauge.unit))
        found.append(Column(name="failed", kind="text", role="failed", title="why it failed"))
        names = [column.name for column in found]
        if "" in names:
            raise BadInput("a column of the results would have no name; call what varies by a letter at least")
        if long := [name for name in names if len(name) > NAME]:
            shown = bounded(repr(long[0]), 60)
            raise BadInput(f"a column would have a name of {len(long[0])} letters, {shown}; the most is {NAME}")
        if twice := [name for name in names if names.count(name) > 1]:
            raise BadInput(f"two columns of the results would be called {twice[0]!r}; call or measure one otherwise")
        for mark in self.experiment.marks:
            if missing := [name for name in (mark.measure, *mark.at) if name not in names]:
                raise BadInput(f"mark {mark.says!r}: no column {missing[0]!r}; there are {', '.join(names)}")
        return tuple(found)

    def tried(self) -> float:
        """Seconds the fastest of a few first shots takes.

        Raises:
            BadInput: none of them can be made; says why not.
        """
        best, why = inf, ""
        for index in range(min(_TRIALS, self.experiment.shots)):
            begin = perf_counter()
            row = self.row(index)
            best = min(best, perf_counter() - begin)
            if row[-1] is None:
                return min(best, self._again(index)) if self._many is None else self._each()
            why = why or str(row[-1])
        raise BadInput(f"none of the first shots can be made: {why}")

    def _each(self) -> float:
        """Seconds a shot takes among many."""
        count = min(_FEW, self.experiment.shots)
        for _ in range(2):  # the first time compiles
            begin = perf_counter()
            for _ in self.rows(0, count):
                pass
        return (perf_counter() - begin) / count

    def _again(self, index: int) -> float:
        """Seconds of a shot once everything is warm."""
        spent = []
        for _ in range(3):
            begin = perf_counter()
            self.row(index)
            spent.append(perf_counter() - begin)
        return min(spent)

    def _in_columns(self) -> columns.Together:
        asked, laying = self._asked, self._laying
        shared = (asked.slots, self.axes, self.cells, self._seeds, self.piece, self.gauges, asked.hand)
        laid: Staged = laying.usual if self.game is None else self.scene
        if asked.kind is Squidge:
            lay = laying.lay if self.game is None else lambda _: laid
            return MatColumns(*shared, lay=lay, physics=laying.settings)
        return columns.Columns(*shared, scene=laid, settings=laying.fixed, nominal=laying.fixed)

    def rows(self, first: int, last: int) -> Iterator[tuple[Answer, ...]]:
        """The shots from one index to before another."""
        return chain.from_iterable(self.some(first, last))

    def some(self, first: int, last: int) -> Iterator[list[tuple[Answer, ...]]]:
        """The same by some at a time, as many as can be made at once; between them Ctrl-C is heard.

        Where nothing is left to chance, one shot of a cell says all: the others are the same, and are not made.
        """
        most = _HEARD if self._many is None else min(MANY, self._many.most)
        while first < last:
            again = self._sure and first >= self.cells
            end = min(first + most, last if again or not self._sure else min(last, self.cells))
            if again:
                yield [(index, *self._said(index % self.cells, most)[1:]) for index in range(first, end)]
            elif self._many is None:
                yield [self.row(index) for index in range(first, end)]
            else:
                yield self._many.rows(first, end, self.row)
            first = end

    def _said(self, cell: int, most: int) -> tuple[Answer, ...]:
        """The first shot of a cell, made once together with so many others."""
        if cell not in self._first:
            begin = cell - cell % most
            for row in self.rows(begin, min(begin + most, self.cells)):
                self._first[begin] = row
                begin += 1
        return self._first[cell]

    def row(self, index: int) -> tuple[Answer, ...]:
        """One shot: its index, what varied, what was measured, and why it failed, if it did."""
        rng = self._seeds.child("shot", index).generator()
        values = self._drawn(index, rng)
        shown = [value if isinstance(value, str) else value + 0.0 for value in values]
        try:
            shot = self._shoot(values, rng)
            answers: list[Answer] = []
            for gauge in self.gauges:
                try:
                    answers += gauge.answers(shot)
                except FlicksimError:
                    raise
                except (Exception, SystemExit) as wrong:
                    raise BadInput(f"measure {gauge.name!r} failed on shot {index}: {told(wrong)}") from wrong
            return (index, *shown, *answers, None)
        except FAILS as wrong:
            return (index, *shown, *[None] * (len(self.columns) - len(shown) - 2), str(wrong))

    def _drawn(self, index: int, rng: np.random.Generator) -> list[Level]:
        cell, values = index % self.cells, list[Level]()
        for axis, levels in zip(self.axes, self._grids, strict=True):
            if levels:
                cell, at = divmod(cell, len(levels))
                values.append(levels[at])
            else:
                values.append(axis.spread.draw(rng))
        return values

    def _shoot(self, values: list[Level], rng: np.random.Generator) -> Shot:
        asked, laying = self._asked, self._laying
        scene = laying.lay(values) if laying.moves else laying.usual
        settings, state = laying.settings(values), laying.state
        if laying.moves and state is not None:
            state = msgspec.structs.replace(state, scene=scene)
        meant = laying.meant(scene, state, values)
        made = asked.hand(filled(asked.slots["hand"], values)).make(meant, rng)
        if self.game is None:
            return Shot(meant=meant, made=made, motion=settle(scene, made, settings))
        self.game.rules.check(state, meant)
        staged = self.game.rules.stage(state, made)
        assert staged is not None
        motion = settle(*staged, settings)
        return Shot(meant=meant, made=made, motion=motion, game=self.game, state=state)
