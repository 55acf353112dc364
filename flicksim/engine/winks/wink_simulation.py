"""Interface of the 3D wink simulation: winks in, a frozen result out.

`simulate_winks` runs to the end; a `WinkSimulation` can be paused. Both are a batch of one of the compiled loop over
shots, in which no wink is handed over to the plane.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Final

import numpy as np

from flicksim.engine.planar_discs.board import make_board
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.winks import integrator as loop
from flicksim.engine.winks.bodies import make_bodies
from flicksim.engine.winks.params import PLAY_PARAMS, Cup, Floats, WinkParams
from flicksim.engine.winks.result import WinkResult, make_result
from flicksim.engine.winks.shot_arrays import (
    OUT_OF_ROWS,
    PAUSED,
    SETTLED,
    ShotArrays,
    make_mats,
    make_results,
    make_workspace,
)
from flicksim.engine.winks.shots import simulate_rows, simulate_shots
from flicksim.engine.winks.wink_states import WinkStates

_NO_OUTLINE: Final = np.zeros((0, 2))


class Until(Enum):
    """Stop condition of a run."""

    REST = loop.UNTIL_REST
    """Until everything is at rest."""
    DECIDED = loop.UNTIL_DECIDED
    """Until it is decided whether the shooter is potted; no other final state is reported."""


class WinkSimulation:
    """Resumable simulation of winks in motion.

    Args:
        winks, params, pot, shooter, moving, stacked, outline, keyframe_interval, until: see `simulate_winks`.
    """

    def __init__(
        self,
        winks: WinkStates,
        params: WinkParams = PLAY_PARAMS,
        pot: Cup | None = None,
        *,
        shooter: int | None = None,
        moving: Sequence[int] | None = None,
        stacked: Sequence[tuple[int, int]] = (),
        outline: Floats | None = None,
        keyframe_interval: float | None = None,
        until: Until = Until.REST,
    ) -> None:
        discs = len(winks.R)
        for name, array in (("c", winks.c), ("n", winks.n), ("v", winks.v), ("L", winks.L)):
            if array.shape != (discs, 3) or not np.isfinite(array).all():
                raise ValueError(f"winks.{name} must be {discs} finite rows of 3, not {array!r}")
        self._winks, self._pot, self._goal = winks, pot, until.value
        corners = _NO_OUTLINE if outline is None else np.array(outline, dtype=np.float64)
        mats = make_mats(1, discs, 1, np.zeros(0) if pot is None else pot.to_array(), corners)
        drag = params.drag_rate(winks.R, winks.h, winks.mass)
        mats.bodies[0] = make_bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, drag)
        mats.bodies[0, _moving_winks(winks) if moving is None else list(moving), B.STATE] = B.AWAKE
        for upper, lower in stacked:
            mats.stacked[0, min(upper, lower), max(upper, lower)] = True
        mats.materials[0, 0], mats.solver_params[0] = params.material_table(), params.solver_array(pot)
        mats.mass_unit[0], mats.keyframe_interval[0] = winks.mass.min(), keyframe_interval or 0.0
        self._mats = mats
        self._shots = ShotArrays(
            mat=np.zeros(1, np.int64), shooter=np.full(1, -1 if shooter is None else shooter, np.int64),
            launched=np.zeros((1, 0), np.int64), velocity=np.zeros((1, 0, 3)), angular_momentum=np.zeros((1, 0, 3)),
            positions=np.zeros((1, 0, 2)),
        )  # fmt: skip
        self._board = make_board((), (), (0.0,))
        self._results, self._work = make_results(1, discs, 0), make_workspace(discs, corners)
        self._time = 0.0

    def run_until(self, time: float) -> int:
        """Run until that time [s] or the stop condition; return the stop reason (see `integrator.ALL_ASLEEP`)."""
        arguments = self._goal, self._mats, self._shots, self._board, self._results
        self._mats.max_flight_time[0] = time - self._time
        simulate_shots(0, 1, *arguments, self._work)
        if self._results.status[0] == OUT_OF_ROWS:  # from the beginning, with more of them
            self._mats.max_flight_time[0], self._results.status[0] = time, SETTLED
            self._work = simulate_rows(0, 1, *arguments)
        self._time, self._results.status[0] = float(self._results.time[0]), PAUSED
        return int(self._results.reason[0])

    def result(self) -> WinkResult:
        """Frozen result so far."""
        return make_result(self._work, self._results, 0, self._winks, self._pot)


def simulate_winks(
    winks: WinkStates,
    params: WinkParams = PLAY_PARAMS,
    pot: Cup | None = None,
    *,
    shooter: int | None = None,
    moving: Sequence[int] | None = None,
    stacked: Sequence[tuple[int, int]] = (),
    outline: Floats | None = None,
    t_max: float = 10.0,
    until: Until = Until.REST,
    keyframe_interval: float | None = None,
) -> WinkResult:
    """Simulate winks until they rest.

    Args:
        winks: initial states.
        params: materials, air and solver settings.
        pot: the pot, if any.
        shooter: the launched wink. Until it has first cleared the felt it rolls off its trailing edge: otherwise a
            backspinning wink would hit the felt with it during the launch.
        moving: winks initially awake; by default those with a velocity or spin. The others sleep until touched.
        stacked: pairs (upper, lower) placed by hand; they wake together, even if they do not quite touch.
        outline: corners of the mat, in either orientation [M, 2] [m]; None for an unbounded mat.
        t_max: time limit [s].
        until: stop condition.
        keyframe_interval: spacing of the recorded keyframes [s]; impacts have additional ones. None records nothing.

    Raises:
        ValueError: `until` is DECIDED without a shooter or a pot, or a state is not finite.
    """
    if until is Until.DECIDED and (shooter is None or pot is None):
        raise ValueError("Until.DECIDED is about a shooter and a pot: give both")
    simulation = WinkSimulation(
        winks, params, pot, shooter=shooter, moving=moving, stacked=stacked, outline=outline,
        keyframe_interval=keyframe_interval, until=until,
    )  # fmt: skip
    simulation.run_until(t_max)
    return simulation.result()


def _moving_winks(winks: WinkStates) -> list[int]:
    """Indices of the winks with a velocity or a spin."""
    moving = np.any(winks.v != 0.0, axis=1) | np.any(winks.L != 0.0, axis=1)
    return [int(i) for i in np.flatnonzero(moving)]
