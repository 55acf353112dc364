"""Simulate batches on a graphics processor, one shot per thread: the loops of the processor compiled by numba-cuda.

The two round differently. Shots that do not amplify rounding agree to a nanometre; those that do, as a squop into a
pile, agree in how often each outcome comes. On one device the same batch always has the same results.

Importing this module imports numba-cuda, of the extra `cuda`.

Raises:
    MissingExtra: it is not installed.
    InvalidInput: there is no graphics processor, or compilation is disabled.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from flicksim.core.errors import InvalidInput, MissingExtra
from flicksim.engine import jit
from flicksim.engine.batch.arrays import SKIPPED, BoardArrays, DiscBatchArrays, EventLog, FlickArrays, SceneArrays
from flicksim.engine.batch.disc_batch import simulate_shot
from flicksim.engine.planar_discs.plane import HAS_POT, Plane, make_plane
from flicksim.engine.winks.recorder import RunState
from flicksim.engine.winks.shot_arrays import MatArrays, ResultArrays, ShotArrays, Workspace, make_workspace
from flicksim.engine.winks.shots import finish_rows
from flicksim.engine.winks.shots import simulate_shots as simulate_squidges

IS_SIMULATED: Final = jit.numba is not None and bool(jit.numba.config.ENABLE_CUDASIM)
"""True if kernels run as Python functions in threads, by NUMBA_ENABLE_CUDASIM=1."""
if jit.numba is None and find_spec("numba") is not None:
    raise InvalidInput(f"device 'cuda' cannot be while {jit.NO_JIT_VARIABLE} is set; leave device out, or unset it")
if jit.numba is None or not (IS_SIMULATED or find_spec("numba_cuda")):
    raise MissingExtra("simulating on a graphics processor", "cuda")
cuda: Any = import_module("numba.cuda")
_DriverError: Any = import_module("numba.cuda.cudadrv.driver").CudaAPIError
jit.numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # for small batches
if not cuda.is_available():
    raise InvalidInput(
        "device 'cuda' cannot be: no graphics processor of NVIDIA with its driver is found; leave device out"
    )

_BLOCK_SIZE: Final = 1 if IS_SIMULATED else 32
_MAX_THREADS: Final = 4 if IS_SIMULATED else 16_384
"""Threads of a block, and most in all; each has a workspace of its own."""
_FULL_BLOCKS: Final = 4096
"""Shots from which on blocks are full. Threads of a block wait for one another wherever their shots differ, but fewer
blocks than processors leave some idle: by blocks of one thread 1,024 squops among winks take a third of the time, and
8,192 half as long again."""
_MEMORY_SHARE: Final = 0.6
"""Share of the free memory that workspaces may take."""
LAUNCH_SIZE: Final = 65_536
"""Shots of one launch of a kernel; Ctrl-C is heard between two."""
KEYFRAME_ROWS: Final = 256
"""Room for keyframes in a workspace; a shot that needs more, one of thousands, is simulated by the processor."""


def device_name() -> str:
    """Name of the graphics processor."""
    return "simulator" if IS_SIMULATED else str(cuda.get_current_device().name)


def simulate_discs(board: BoardArrays, scene: SceneArrays, flicks: FlickArrays, results: DiscBatchArrays) -> None:
    """Simulate all shots of discs in the plane, without events (see `disc_batch.simulate_shots`)."""
    log = EventLog(kind=np.zeros(0, np.int64), subjects=np.zeros((0, 2), np.int64), values=np.zeros((0, 6)))
    _launch(_simulate_discs, (board, scene, flicks, log, results), make_plane(results.positions.shape[1]))


def simulate_winks(
    goal: int, mats: MatArrays, shots: ShotArrays, board: BoardArrays, results: ResultArrays
) -> None:  # fmt: skip
    """Simulate all squidges (see `winks.shots.simulate_rows`)."""
    work = make_workspace(mats.bodies.shape[1], mats.outline, KEYFRAME_ROWS)
    _launch(_simulate_winks, (goal, mats, shots, board, results), work)
    finish_rows(0, len(results.status), goal, mats, shots, board, results, work)


def _launch(kernel: Callable[..., None], arguments: tuple[Any, ...], workspace: Any) -> None:
    """Launch a kernel over all rows of its last argument, the results; every thread gets a workspace like this one.

    Raises:
        InvalidInput: the driver refuses, as where the device's memory is too small.
    """
    results = arguments[-1]
    shots = len(results.status)
    try:
        on_device = [_to_device(one) for one in arguments]
        room = cuda.current_context().get_memory_info()[0] * _MEMORY_SHARE
        threads = int(min(shots, _MAX_THREADS, room // _size(workspace)))
        block_size = _BLOCK_SIZE if shots >= _FULL_BLOCKS else 1
        blocks = max(1, -(-threads // block_size))
        workspaces = make_workspaces(workspace, blocks * block_size)
        for first in range(0, shots, LAUNCH_SIZE):
            row = cuda.to_device(np.array([first]))
            _compile(kernel)[blocks, block_size](row, min(first + LAUNCH_SIZE, shots), *on_device, workspaces)
            cuda.synchronize()
        for host, device in zip(results, on_device[-1], strict=True):
            device.copy_to_host(host)
    except _DriverError as error:
        raise InvalidInput(
            f"the graphics processor cannot simulate {shots} shots at once ({error}); give fewer, or leave device out"
        ) from None


def _to_device(value: Any) -> Any:
    """Copy the arrays of a named tuple to the device; a number stays."""
    if not isinstance(value, tuple):
        return value
    return type(value)(*(cuda.to_device(np.ascontiguousarray(one)) for one in value))


def make_workspaces(workspace: Any, threads: int) -> Any:
    """Workspaces of threads, along the first axis of each array; their contents are undefined."""
    if isinstance(workspace, tuple):
        return type(workspace)(*(make_workspaces(one, threads) for one in workspace))
    return cuda.device_array((threads, *workspace.shape), workspace.dtype)


def _size(workspace: Any) -> int:
    """Size of a workspace [bytes]."""
    return sum(map(_size, workspace)) if isinstance(workspace, tuple) else int(workspace.nbytes)


# -- kernels ----------------------------------------------------------------------------------------------------------


def _simulate_discs(
    row: Any, last: int, board: BoardArrays, scene: SceneArrays, flicks: FlickArrays, log: EventLog,
    results: DiscBatchArrays, planes: Plane,
) -> None:  # fmt: skip
    """Simulate shots of discs until none before row `last` is left; `row` is the next one."""
    plane = _plane_of(planes, cuda.grid(1))
    for i in range(len(plane.obstacle_reach)):
        plane.obstacle_reach[i] = 0.0
    plane.counts[HAS_POT] = 0
    while True:
        shot = cuda.atomic.add(row, 0, 1)
        if shot >= last:
            return
        if results.status[shot] != SKIPPED:
            simulate_shot(shot, board, scene, flicks, results, log, 0, plane)


def _simulate_winks(
    row: Any, last: int, goal: int, mats: MatArrays, shots: ShotArrays, board: BoardArrays, results: ResultArrays,
    workspaces: Workspace,
) -> None:  # fmt: skip
    """Simulate squidges until none before row `last` is left; `row` is the next one."""
    work = _workspace_of(workspaces, cuda.grid(1), mats)
    while True:
        shot = cuda.atomic.add(row, 0, 1)
        if shot >= last:
            return
        simulate_squidges(shot, shot + 1, goal, mats, shots, board, results, work)


def _workspace_of(w: Workspace, thread: int, mats: MatArrays) -> Workspace:
    """Workspace of a thread."""
    r = w.run
    run = RunState(
        r.clock[thread], r.counters[thread], r.pairs[thread], mats.outline, r.open_contacts[thread],
        r.last_contact[thread], r.contact_log[thread], r.keyframe_times[thread], r.keyframes[thread],
        r.scratch[thread], r.awake[thread],
    )  # fmt: skip
    return Workspace(
        w.bodies[thread], run, _plane_of(w.plane, thread), w.contacts[thread], w.prev_contacts[thread],
        w.order[thread], w.stacks[thread], w.stack_count[thread],
    )  # fmt: skip


def _plane_of(p: Plane, thread: int) -> Plane:
    """Plane of a thread."""
    return Plane(
        p.segments[thread], p.moving[thread], p.present[thread], p.obstacle_reach[thread], p.rest_poses[thread],
        p.motion[thread], p.collision_times[thread], p.changed[thread], p.pairs[thread], p.speeds[thread],
        p.contacts[thread], p.clock[thread], p.counts[thread], p.sliding[thread], p.halted[thread],
        p.candidates[thread], p.layout[thread],
    )  # fmt: skip


@cache
def _compile(kernel: Callable[..., None]) -> Any:
    """Compile a kernel with all functions that it calls."""
    return cuda.jit(kernel) if IS_SIMULATED else jit.compile_for_cuda(kernel)
