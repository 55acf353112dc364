"""Compare shots by the two devices to the last bit, for `test_cuda_batch`: rows of keyframes and what fills memory are
arguments of the command.

The test runs it with kernels as Python functions and without the compiler, where both round alike.
Several launches are needed, and the memory of workspaces holds numbers from before.
"""

import sys
from typing import Any

import msgspec
import numpy as np

from flicksim.core.errors import InvalidInput
from flicksim.engine import Flicks, Squidges, simulate_batch
from flicksim.engine.batch import cuda_batch
from flicksim.envs.shot_env import ShotVectorEnv
from flicksim.scene import samples


def compare(scene: Any, shots: Any, columns: tuple[str, ...], **options: Any) -> Any:
    """Simulate shots on both devices, and return the result of the second.

    Raises:
        AssertionError: one of the columns differs.
    """
    here, there = (simulate_batch(scene, shots, device=device, **options) for device in ("cpu", "cuda"))
    for name in columns:
        mine, other = getattr(here, name), getattr(there, name)
        assert np.array_equal(mine, other, equal_nan=mine.dtype.kind == "f"), name
    return there


def fill_memory(arrays: Any, value: float) -> Any:
    """Set all elements of these arrays."""
    for one in arrays:
        if isinstance(one, tuple):
            fill_memory(one, value)
        else:
            one[:] = value
    return arrays


def main() -> None:
    """Compare shots of coins, and of winks until both stop conditions."""
    made, fill = cuda_batch.make_workspaces, float(sys.argv[2])
    cuda_batch.KEYFRAME_ROWS, cuda_batch.LAUNCH_SIZE = int(sys.argv[1]), 4  # type: ignore[misc]
    cuda_batch.make_workspaces = lambda workspace, threads: fill_memory(made(workspace, threads), fill)
    scene, _ = samples.sample("draw")
    flicks = Flicks(
        piece=[*["a"] * 7, "nobody", "a"], speed=np.array([*np.linspace(1.2, 1.6, 8), 1e9]), azimuth=np.full(9, 1.57),
        offset=np.zeros(9),
    )  # fmt: skip
    columns = ("positions", "outcome", "moved", "first_contact", "collided", "crossed", "duration", "error")
    coins = compare(scene, flicks, columns, on_error="mark")
    assert coins.collided.any()
    assert list(coins.error != "") == [*[False] * 7, True, True]
    try:
        coins.events(0)
    except InvalidInput as none:
        print(none)
    mat, meant = samples.sample_shot("squidge")
    near = msgspec.structs.replace(mat, pieces=mat.pieces[:3])
    squidges = Squidges(
        piece=meant.piece, speed=np.array([meant.speed, 0.3, 0.5]), azimuth=np.full(3, meant.azimuth),
        elevation=np.full(3, 1.1), tumble=np.zeros(3),
    )  # fmt: skip
    for until in ("rest", "decided"):
        compare(near, squidges, ("positions", "outcome", "support", "lies_on", "potted", "duration"), until=until)
    compare_environments()


def compare_environments() -> None:
    """Compare a step of vectors of two environments."""
    for shot in ("Draw", "Pot"):
        rewards = []
        for device in ("cpu", "cuda"):
            env = ShotVectorEnv(shot, num_envs=2, device=device)
            env.reset(seed=1)
            rewards.append(env.step(np.zeros(env.action_space.shape or (), np.float32))[1])
        assert np.array_equal(*rewards), shot
