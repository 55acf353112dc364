"""Costs of batches on a graphics processor: `python -m benchmarks.device_costs [--shots N] [--results FOLDER]`.

The same shots with `device="cuda"` and by one core of the processor: microseconds by the clock of the one and of
processor time of the other, their ratio, and how far the results agree. The processor simulates fewer of them. Then
steps of vectors of environments on the device, and of the single environment. Results are written with the name of the
card.
"""

from collections.abc import Callable, Sequence
from time import perf_counter, process_time
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console

from benchmarks import command_line, csv_results, environments, squidge_costs
from flicksim.core.errors import FlicksimError
from flicksim.core.serialization import Value
from flicksim.engine import Flicks, Squidges, simulate_batch
from flicksim.scene import Scene, samples

Batch = tuple[Scene, Flicks | Squidges]


class DeviceCost(Value, frozen=True, kw_only=True):
    """One measurement.

    Args:
        card: name of the device. shots: of a batch. device, core: time of a shot [us].
        same_outcome: share of shots after which every piece lies, leans, or has left alike.
        within_nm, within_um: share of shots after which no position differs by more than that.
    """

    shot: str
    card: str
    shots: int
    device: float
    core: float
    same_outcome: float
    within_nm: float
    within_um: float


def flicks(name: str, count: int) -> Batch:
    """Flicks of a sample scene by a club hand."""
    scene, meant = samples.sample(name)
    rng = np.random.default_rng(3)
    return scene, Flicks(
        piece=meant.piece,
        speed=meant.speed * rng.lognormal(0.0, 0.018, count),
        azimuth=meant.azimuth + rng.normal(0.0, 0.028, count),
        offset=meant.offset + rng.normal(0.0, 0.02, count),
    )


def squidges(name: str, count: int) -> Batch:
    """Squidges among 24 winks, varied by a few per cent."""
    scene = squidge_costs.crowded_mat()
    meant = squidge_costs.shots(scene)[name]
    rng = np.random.default_rng(5)
    return scene, Squidges(
        piece=meant.piece,
        speed=meant.speed * rng.lognormal(0.0, 0.03, count),
        azimuth=meant.azimuth + rng.normal(0.0, 0.03, count),
        elevation=meant.elevation + rng.normal(0.0, 0.03, count),
        tumble=np.zeros(count),
    )


CASES: dict[str, tuple[Callable[[str, int], Batch], str, int]] = {
    "coin drawn up to another": (flicks, "draw", 10),
    "crowd of 26 discs": (flicks, "crowd", 40),
    "break-up of 26 discs": (flicks, "break-up", 200),
    "pot among 24 winks, to rest": (squidges, "pot", 60),
    "squop among 24 winks, to rest": (squidges, "squop", 200),
    "break-up among 24 winks, to rest": (squidges, "break-up", 30),
}
"""Shots by what is measured, and how many times fewer of them the processor simulates."""


VECTOR_SIZES = (1024, 16_384, 65_536)
"""Numbers of environments in the vectors."""


def measure(shot: str, count: int, card: str) -> DeviceCost:
    """Measure one kind of shot; the device's time is the median of three."""
    make, name, fewer = CASES[shot]

    def run(shots: int, device: Any, clock: Callable[[], float]) -> tuple[Any, float]:
        scene, columns = make(name, shots)
        begin = clock()
        result = simulate_batch(scene, columns, device=device, on_error="mark")
        return result, (clock() - begin) / shots * 1e6

    sample = min(count, max(200, count // fewer))
    for device in ("cuda", "cpu"):
        run(sample, device, perf_counter)  # compiles
    device_time = float(np.median([run(count, "cuda", perf_counter)[1] for _ in range(3)]))
    here, core_time = run(sample, "cpu", process_time)
    there, _ = run(sample, "cuda", perf_counter)
    gap = np.nan_to_num(np.abs(here.positions - there.positions)).max(axis=(1, 2))
    return DeviceCost(
        shot=shot, card=card, shots=count, device=device_time, core=core_time,
        same_outcome=float((here.outcome == there.outcome).all(axis=1).mean()),
        within_nm=float((gap < 1.5e-9).mean()), within_um=float((gap < 1e-6).mean()),
    )  # fmt: skip


class VectorCost(Value, frozen=True, kw_only=True):
    """Cost of a step of an environment.

    Args:
        card: name of the device. size: number of environments of the vector.
        device, single: time of a step of one of them on the device, and of a single environment on one core [us].
    """

    environment: str
    card: str
    size: int
    device: float
    single: float


def measure_vectors(name: str, card: str) -> list[VectorCost]:
    """Measure vectors of a shot environment with club execution noise; the device's time is the least of three."""
    env_id = f"flicksim/{name}-v1"
    _, alone = environments.time_steps(environments.single(gymnasium.make(env_id, execution_noise="club"), 300), 3)
    costs = []
    for size in VECTOR_SIZES:
        envs = gymnasium.make_vec(
            env_id, num_envs=size, execution_noise="club", autoreset_mode="SameStep", device="cuda"
        )
        step = environments.vector(envs, 1)
        times = []
        for _ in range(3):
            begin = perf_counter()
            step()
            times.append((perf_counter() - begin) / size * 1e6)
        costs.append(VectorCost(environment=env_id, card=card, size=size, device=min(times), single=alone))
    return costs


def main(argv: Sequence[str] | None = None) -> list[DeviceCost]:
    """Measure, print, and write a CSV; say so if there is no graphics processor."""
    parser = command_line.parser("device_costs", __doc__, shots=65_536, results=command_line.RESULTS)
    args = parser.parse_args(argv)
    if args.shots < 1:
        parser.error(f"--shots {args.shots} must be 1 or more")
    try:
        from flicksim.engine.batch import cuda_batch
    except FlicksimError as missing:
        Console().print(str(missing), soft_wrap=True, markup=False)
        return []
    rows = [measure(shot, args.shots, cuda_batch.device_name()) for shot in CASES]
    command_line.show_table(
        ("shot", "us on the device", "a second", "us on one core", "times one core", "same outcome", "within 1 nm"),
        [
            (
                row.shot, f"{row.device:.3g}", f"{1e6 / row.device:,.0f}", f"{row.core:.4g}",
                f"{row.core / row.device:.3g}", f"{row.same_outcome:.4f}", f"{row.within_nm:.3f}",
            )
            for row in rows
        ],
        title=f"{args.shots:,} shots on {rows[0].card}",
        width=140,
    )  # fmt: skip
    csv_results.write(args.results / "device.csv", rows)
    vectors = [cost for name in environments.SHOTS for cost in measure_vectors(name, rows[0].card)]
    command_line.show_table(
        ("vector", "environments", "us a step", "steps a second", "times the single one"),
        [
            (one.environment, f"{one.size:,}", f"{one.device:.3g}", f"{1e6 / one.device:,.0f}",
             f"{one.single / one.device:.3g}")
            for one in vectors
        ],
        title="Vectors of environments on the device",
        width=140,
    )  # fmt: skip
    csv_results.write(args.results / "device_vectors.csv", vectors)
    return rows


if __name__ == "__main__":
    main()
