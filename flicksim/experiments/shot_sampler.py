"""Sampling of the shots of an experiment: shot by index, singly or in batches.

A shot depends on the experiment and its index alone (one random stream a shot), not on worker, time or order.
"""

import timeit
from collections import deque
from collections.abc import Iterator
from functools import partial
from itertools import chain
from math import inf, prod
from time import perf_counter

import msgspec
import numpy as np

from flicksim.core.errors import FlicksimError, InvalidInput
from flicksim.core.limits import MAX_NAME_LENGTH, MAX_TITLE_LENGTH, truncate_middle
from flicksim.core.random_streams import RandomStreams
from flicksim.engine import simulate
from flicksim.experiments.disc_batch_sampler import BatchSampler, DiscBatchSampler, why_not_batched
from flicksim.experiments.experiment import Experiment
from flicksim.experiments.measure import CompiledMeasure, MeasuredValue, Shot, error_text
from flicksim.experiments.parameter_spec import Level
from flicksim.experiments.resolved_experiment import SHOT_ERRORS, ResolvedExperiment, fill
from flicksim.experiments.result_columns import Column, axis_columns
from flicksim.experiments.wink_batch_sampler import WinkBatchSampler
from flicksim.scene import Squidge

_INTERRUPT_INTERVAL = 20
"""Single shots between two checks for an interrupt."""
_TIMING_SHOTS = 100
"""Shots by which the time of a shot in a batch is measured."""
_PROBE_SHOTS = 8


class ShotSampler:
    """Sampler of the shots of an experiment.

    Attributes:
        columns: of the rows. axes: varying parameters. cells: number of cells of the crossed grids.
        scene: scene before a typical shot. piece: id of the flicked piece.
        why_not_batched: reason why shots are simulated one by one; "" if in batches.

    Args:
        trust: run functions that it names as measures (see `Measure`).

    Raises:
        InvalidInput: the experiment is invalid; quotes the value and says what would be right.
    """

    def __init__(self, experiment: Experiment, *, trust: bool = False) -> None:
        self.experiment = experiment
        self._seeds = RandomStreams(seed=experiment.seed)
        self._resolved = resolved = ResolvedExperiment(experiment)
        self.axes, self.game, self.piece = resolved.axes, resolved.game, resolved.piece
        self._grids = [axis.spec.levels or () for axis in self.axes]
        self.cells = prod(max(1, len(levels)) for levels in self._grids)
        self.scene = resolved.typical_setup()
        self.measures: tuple[CompiledMeasure, ...] = tuple(
            measure.compile(self.scene, self.piece, self.game, resolved.kind, trust=trust)
            for measure in experiment.measures
        )
        self.columns = self._columns()
        why_not = why_not_batched(resolved.kind, self.axes, self.scene, self.measures)
        self.why_not_batched = why_not or resolved.why_rules_checked()
        kind: type[BatchSampler] = WinkBatchSampler if resolved.kind is Squidge else DiscBatchSampler
        shared = (resolved, self.scene, self.cells, self._seeds, self.measures)
        self._batch = None if self.why_not_batched else kind(*shared)
        self._is_deterministic = all(axis.spec.levels for axis in self.axes) and resolved.template["hand"] == "steady"
        self._first_of_cell: dict[int, tuple[MeasuredValue, ...]] = {}

    def _columns(self) -> tuple[Column, ...]:
        columns = [Column(name="shot", kind="number", role="index", title="shot")]
        columns += axis_columns(self.axes)
        for measure in self.measures:
            for name in measure.columns:
                title = truncate_middle(measure.title, MAX_TITLE_LENGTH)
                columns.append(Column(name=name, kind=measure.kind, role="measure", title=title, unit=measure.unit))
        columns.append(Column(name="error", kind="text", role="error", title="error"))
        names = [column.name for column in columns]
        if "" in names:
            raise InvalidInput("a column of the results would have no name; give the parameter a name with a letter")
        if long := [name for name in names if len(name) > MAX_NAME_LENGTH]:
            shown = truncate_middle(repr(long[0]), 60)
            raise InvalidInput(
                f"a column would have a name of {len(long[0])} letters, {shown}; the most is {MAX_NAME_LENGTH}"
            )
        if repeated := [name for name in names if names.count(name) > 1]:
            raise InvalidInput(f"two columns of the results would be named {repeated[0]!r}; rename one parameter")
        for reference in self.experiment.references:
            if missing := [name for name in (reference.measure, *reference.parameters) if name not in names]:
                raise InvalidInput(
                    f"reference {reference.label!r}: no column {missing[0]!r}; there are {', '.join(names)}"
                )
        return tuple(columns)

    def probe(self) -> float:
        """Measure the time of a shot, by the fastest of the first few [s].

        Raises:
            InvalidInput: all of them fail; says why.
        """
        best, reason, count = inf, "", min(_TIMING_SHOTS, self.experiment.shots)
        for index in range(min(_PROBE_SHOTS, self.experiment.shots)):
            begin = perf_counter()
            row = self.row(index)
            best = min(best, perf_counter() - begin)
            if row[-1] is None:
                if self._batch is None:
                    return min(best, *timeit.repeat(partial(self.row, index), repeat=3, number=1))
                _, seconds = timeit.repeat(lambda: deque(self.rows(0, count), maxlen=0), repeat=2, number=1)
                return seconds / count  # of the second time: the first compiles
            reason = reason or str(row[-1])
        raise InvalidInput(f"all of the first shots fail: {reason}")

    def rows(self, first: int, last: int) -> Iterator[tuple[MeasuredValue, ...]]:
        """Yield the rows of shots `first` to before `last`."""
        return chain.from_iterable(self.batches(first, last))

    def batches(self, first: int, last: int) -> Iterator[list[tuple[MeasuredValue, ...]]]:
        """Yield the same rows in batches; an interrupt takes effect between them.

        In a deterministic experiment one shot of each grid cell is simulated and its row repeated.
        """
        batch_size = _INTERRUPT_INTERVAL if self._batch is None else self._batch.max_batch
        while first < last:
            is_repeat = self._is_deterministic and first >= self.cells
            end = min(first + batch_size, last if is_repeat or not self._is_deterministic else min(last, self.cells))
            if is_repeat:
                yield [(index, *self._cell_row(index % self.cells, batch_size)[1:]) for index in range(first, end)]
            elif self._batch is None:
                yield [self.row(index) for index in range(first, end)]
            else:
                yield self._batch.rows(first, end, self.row)
            first = end

    def _cell_row(self, cell: int, maximum: int) -> tuple[MeasuredValue, ...]:
        """Row of the first shot of a cell; simulated once, in a batch of at most `maximum`."""
        if cell not in self._first_of_cell:
            begin = cell - cell % maximum
            for row in self.rows(begin, min(begin + maximum, self.cells)):
                self._first_of_cell[begin] = row
                begin += 1
        return self._first_of_cell[cell]

    def row(self, index: int) -> tuple[MeasuredValue, ...]:
        """Sample one shot: index, parameters, measures, and the error or None."""
        rng = self._seeds.spawn("shot", index).generator()
        values = self._draw_values(index, rng)
        stored = [value if isinstance(value, str) else value + 0.0 for value in values]
        try:
            shot = self._simulate(values, rng)
            measured: list[MeasuredValue] = []
            for measure in self.measures:
                try:
                    measured += measure.values(shot)
                except FlicksimError:
                    raise
                except (Exception, SystemExit) as error:
                    raise InvalidInput(
                        f"measure {measure.name!r} failed on shot {index}: {error_text(error)}"
                    ) from error
            return (index, *stored, *measured, None)
        except SHOT_ERRORS as error:
            return (index, *stored, *[None] * (len(self.columns) - len(stored) - 2), str(error))

    def _draw_values(self, index: int, rng: np.random.Generator) -> list[Level]:
        cell, values = index % self.cells, list[Level]()
        for axis, levels in zip(self.axes, self._grids, strict=True):
            if levels:
                cell, level = divmod(cell, len(levels))
                values.append(levels[level])
            else:
                values.append(axis.spec.draw(rng))
        return values

    def _simulate(self, values: list[Level], rng: np.random.Generator) -> Shot:
        resolved = self._resolved
        scene = resolved.make_scene(values) if resolved.pieces_vary else resolved.typical_scene
        settings, state = resolved.settings(values), resolved.state
        if resolved.pieces_vary and state is not None:
            state = msgspec.structs.replace(state, scene=scene)
        meant = resolved.intended_action(scene, state, values)
        made = resolved.noise(fill(resolved.template["hand"], values)).execute(meant, rng)
        if self.game is None:
            return Shot(meant=meant, made=made, motion=simulate(scene, made, settings))
        self.game.rules.check_action(state, meant)
        setup = self.game.rules.simulation_setup(state, made)
        assert setup is not None
        motion = simulate(*setup, settings)
        return Shot(meant=meant, made=made, motion=motion, game=self.game, state=state)
