"""Costs of a batch of shots: `python -m benchmarks.batch_costs [--shots N] [--no-peers] [--results FOLDER]`.

Two questions, each in several hands, in one run: a coin drawn up to another (against a plain pymunk script and a
pooltool shot of two balls), and a wink squidged at the pot (against MuJoCo). All get the very flicks that the
experiment's hand made. Then boards and mats with much on them, launches of pyramids, and steps of the vector
environments. Beside them stand the bare steps: pymunk's `Space.step` of the same two coins, as often as the step rule
asks (see `validation.measure_timings`), and the flight's compiled loop alone. Peers are of the extra `peers`; what is
not there is said so. Times are of this process alone, which a busy machine disturbs less; still only ratios within a
run mean much.
"""

import cProfile
import importlib
import pstats
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle
from math import inf, pi
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import msgspec
import numpy as np
import pymunk
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks import command_line, csv_results, other_engines, squidge_costs
from flicksim import experiments
from flicksim.ai import GRADES, ExecutionNoise
from flicksim.core.errors import MissingExtra
from flicksim.core.platform_info import platform_tag
from flicksim.core.serialization import Value
from flicksim.engine import Flicks, Launches, Settings, Squidges, simulate, simulate_batch
from flicksim.engine.launcher import side_profile
from flicksim.engine.squidge_motion import squidge_motion
from flicksim.engine.wink_scenes import cup_geometry, wink_params, wink_states
from flicksim.engine.winks import simulate_winks
from flicksim.experiments.results_store import STORES
from flicksim.experiments.shot_sampler import ShotSampler
from flicksim.games.ice.aiming import SLANTS, speed_for_carry
from flicksim.scene import Flick, Launch, Scene, Squidge, samples
from flicksim.scene.pyramid import SIZES, standard_shape
from flicksim.validation.performance import pymunk_space, reference_time_steps

_LEVEL = (0.0, 0.0, 1.0)
_FEWER = 10
"""Peers are given so many times fewer shots."""
_STEPS = 20
"""Bare steps of pyramids timed at one go."""
_MORE: dict[type, int] = {Flick: 200}
"""So many times more shots of a kind are kept, and shared by threads: of coins a thousand are over in milliseconds."""

COINS = experiments.Experiment(
    title="a coin drawn up to another",
    scene="draw",
    flick={"piece": "a", "target": "white", "overshoot": 0.02},
    hand="plain",
    hands={"plain": ExecutionNoise(speed=0.018, azimuth=0.028)},  # no spin: a script knows nothing of spinning coins
    measure=("distance white", "executed speed", "executed azimuth"),
)
POT = msgspec.structs.replace(
    experiments.read_experiment("pot-chance"),
    title="a wink squidged at the pot from 18 in",
    hand="club",
    pieces={},
    # MuJoCo's wink flies without air; a player reckons with it
    settings={"drag_coefficient": 0.0},
    flick={**experiments.read_experiment("pot-chance").flick_fields, "speed_factor": 0.96},
    measure=tuple(
        map(
            experiments.Measure,
            ("potted", "executed speed", "executed azimuth", "executed elevation", "executed tumble"),
        )
    ),
    references=(),
)


LAUNCHES = "a launch of a pyramid"
LEARNERS = "a step of a vector environment, shot, judged and laid out anew"


class Rate(Value, frozen=True, kw_only=True):
    """One measurement.

    Args:
        task: of the two. engine: makes the shots. shots: how many were timed.
        microseconds: a shot [us]; null where it could not be measured. per_second: shots. baseline: times the bare
            steps.
        text: what came of the shots, or why they could not be made.
    """

    task: str
    engine: str
    shots: int = 0
    microseconds: float | None = None
    per_second: float | None = None
    baseline: float | None = None
    text: str = ""

    @classmethod
    def measured(
        cls, task: str, engine: str, us: float, shots: int, bare: float | None = None, text: str = ""
    ) -> "Rate":
        """Rate of so many microseconds a shot, beside those of the bare steps."""
        baseline = None if bare is None else us / bare
        return cls(
            task=task, engine=engine, shots=shots, microseconds=us, per_second=1e6 / us, baseline=baseline, text=text
        )


def time_batch(work: Callable[[], Any], shots: int) -> float:
    """Microseconds a shot when so many are made at one go; once beforehand to warm up."""
    work()
    begin = process_time()
    work()
    return (process_time() - begin) / shots * 1e6


def batch_times(scene: Scene, flicks: Sequence[Any], settings: Settings, **how: Any) -> float:
    """Microseconds a shot takes in `simulate_batch`."""
    columns = (Squidges if isinstance(flicks[0], Squidge) else Flicks).from_actions(flicks)
    return time_batch(lambda: simulate_batch(scene, columns, settings, **how), len(flicks))


def time_two_threads(scene: Scene, flicks: Sequence[Any], settings: Settings) -> tuple[float, str]:
    """Microseconds of the clock a shot takes in `simulate_batch` with two threads, and how many times one thread that
    is.

    The best of three of each, taken by turns.
    """
    columns = (Squidges if isinstance(flicks[0], Squidge) else Flicks).from_actions(flicks)
    best = {1: inf, 2: inf}
    for _ in range(3):
        for threads in best:
            begin = perf_counter()
            simulate_batch(scene, columns, settings, threads=threads)
            best[threads] = min(best[threads], perf_counter() - begin)
    return best[2] / len(flicks) * 1e6, f"{best[1] / best[2]:.2f} times one thread, by the clock"


def boards(shots: int) -> Iterator[Rate]:
    """Boards with much on them, settled one by one and all at once, beside bare steps of the same coins."""
    hand = ExecutionNoise(speed=0.018, azimuth=0.028)
    for name, says in (("crowd", "a Penny White end's crowd, 26 discs"), ("break-up", "a break-up of 26")):
        scene, flick = samples.sample(name)
        rng = np.random.default_rng(1)
        flicks = [hand.execute(flick, rng) for _ in range(shots)]
        sample = flicks[: max(2, shots // _FEWER)]
        bare, steps = pymunk_step_time(scene, sample, Settings())
        for who, us, count, what in (
            ("bare steps", bare, len(sample), steps),
            ("flicksim: settled", time_shots(partial(simulate, scene), sample), len(sample), ""),
            ("flicksim: settled all at once", batch_times(scene, flicks, Settings()), shots, ""),
        ):
            yield Rate.measured(says, who, us, count, bare, what)


def launches(count: int, seed: int = 1) -> Iterator[Launch]:
    """Launches of all sizes from the middle of one side to the middle of the table, by a club hand, over and over."""
    rng = np.random.default_rng(seed)
    made = []
    for k in range(count):
        size, slant = SIZES[k % 3], k // 3 % 3
        meant = Launch(
            piece="missile", size=size, hold=(0.45, 0.075), azimuth=pi / 2.0 + 0.6 * (rng.random() - 0.5),
            speed=speed_for_carry(size, slant, 0.35), height=0.008 * rng.random(), slant=SLANTS[slant],
        )  # fmt: skip
        made.append(GRADES["club"].execute(meant, rng))
    return cycle(made)


def pyramid_step_time(pieces: int) -> float:
    """Microseconds of a `Space.step` of so many pyramids standing on a table and another, which moves."""
    space = pymunk.Space()
    space.gravity = (0.0, -9.81)
    space.collision_slop = 1e-5
    space.add(pymunk.Segment(space.static_body, (-1.0, 0.0), (0.1 * pieces + 1.0, 0.0), 0.0))
    for k in range(pieces + 1):
        shape = standard_shape(SIZES[k % 3])
        body = pymunk.Body(shape.mass, shape.transverse_inertia)
        body.position = (0.1 * k, shape.centroid)
        space.add(body, pymunk.Poly(body, side_profile(shape)))
    next(iter(space.bodies)).velocity = (0.01, 0.0)

    def steps() -> None:
        for _ in range(_STEPS):
            space.step(2e-4)

    return time_batch(steps, _STEPS)


def launch_times(shots: int) -> Iterator[Rate]:
    """Launches by a club hand onto tables with more and more pieces, settled one by one and all at once, beside bare
    steps of as many pyramids; none is given twice, for a launcher's part is remembered."""
    fresh = launches(12 * shots)
    sample = max(2, shots // _FEWER)
    for pieces in (0, 20, 80):
        scene, where = samples.scattered_pyramids(pieces), f"onto {pieces} pieces" if pieces else "onto an empty table"
        bare = pyramid_step_time(pieces)
        alone = time_shots(partial(simulate, scene), [next(fresh) for _ in range(sample)])
        simulate_batch(scene, next(fresh))
        columns = Launches.from_actions([next(fresh) for _ in range(shots)])
        begin = process_time()
        simulate_batch(scene, columns)
        us = (process_time() - begin) / shots * 1e6
        yield Rate.measured(LAUNCHES, f"{where}: settled", alone, sample, bare)
        says = f"{alone / us:.1f} times as many as one by one"
        yield Rate.measured(LAUNCHES, f"{where}: all at once", us, shots, bare, says)


def squop_times(shots: int) -> Iterator[Rate]:
    """Squops among 24 winks, settled one by one and all at once, as a hand would make them."""
    scene = squidge_costs.crowded_mat()
    meant = squidge_costs.shots(scene)["squop"]
    rng, hand = np.random.default_rng(1), ExecutionNoise(speed=0.018, azimuth=0.028, elevation=0.035, tumble=20.0)
    squidges = [hand.execute(meant, rng) for _ in range(shots)]
    sample, question = squidges[: max(2, shots // _FEWER)], "a squop among 24 winks"
    for who, us, count in (
        ("flicksim: settled", time_shots(partial(simulate, scene), sample), len(sample)),
        ("flicksim: settled all at once", batch_times(scene, sample, Settings()), len(sample)),
    ):
        yield Rate.measured(question, who, us, count)


def environment_times(tables: int) -> Iterator[Rate]:
    """Steps of the vector environments."""
    try:
        gymnasium = importlib.import_module("gymnasium")
        importlib.import_module("flicksim.envs")
    except (ImportError, MissingExtra):
        yield Rate(task=LEARNERS, engine="environments", text="needs the extra 'env'")
        return
    for name, count in (("Draw", tables), ("Pot", max(2, tables)), ("Squop", max(2, tables // _FEWER))):
        env = gymnasium.make_vec(
            f"flicksim/{name}-v1", num_envs=count, execution_noise="club", autoreset_mode="SameStep"
        )
        env.reset(seed=1)
        env.action_space.seed(1)
        actions = env.action_space.sample()
        us = time_batch(partial(env.step, actions), count)
        yield Rate.measured(LEARNERS, f"flicksim/{name}-v1", us, count)


def time_shots(work: Callable[[Any], Any], given: Sequence[Any]) -> float:
    """Microseconds for each of what is given, the first of it once more beforehand to warm up."""
    work(given[0])
    begin = process_time()
    for one in given:
        work(one)
    return (process_time() - begin) / len(given) * 1e6


def measure_rates(experiment: experiments.Experiment, shots: int, *, with_peers: bool) -> Iterator[Rate]:
    """Everything measured about one question; the bare steps come first."""
    experiment = msgspec.structs.replace(experiment, shots=shots)
    shooter, table = ShotSampler(experiment), experiments.run_experiment(experiment)
    column = next(column for column in shooter.columns if column.role == "measure")
    kind = Squidge if experiment.flick_fields.get("do") == "squidge" else Flick
    flicks = list(make_flicks(table, shooter.piece, kind))
    scene, settings = shooter.scene, Settings(**experiment.settings)  # type: ignore[arg-type]
    assert isinstance(scene, Scene)
    bare, says = (pymunk_step_time if kind is Flick else flight_loop_time)(scene, flicks, settings)

    def rate(who: str, us: float, says: str = "", count: int = shots) -> Rate:
        return Rate.measured(experiment.title, who, us, count, bare, says)

    def mean_text(answers: Sequence[Any]) -> str:
        return f"{column.title}: {np.nanmean(answers):.4g} {column.unit}".rstrip()

    yield rate("bare steps", bare, says)
    yield rate("flicksim: settled", time_shots(lambda flick: simulate(scene, flick, settings), flicks))
    yield rate("flicksim: settled all at once", batch_times(scene, flicks, settings))
    if kind is Squidge:
        for who, until in (("to rest unless potted", "potted"), ("the verdict alone", "decided")):
            yield rate(f"flicksim: all at once, {who}", batch_times(scene, flicks, settings, until=until))
    more = _MORE.get(kind, 1)
    yield rate("flicksim: all at once, by two threads", *time_two_threads(scene, flicks * more, settings), shots * more)
    yield rate("flicksim: drawn, settled, measured", time_batch(lambda: list(shooter.rows(0, shots)), shots))
    for store in STORES:
        us, reported, answer = time_run_to_disk(
            msgspec.structs.replace(experiment, shots=shots * more), column.name, store
        )
        yield rate(f"flicksim: the same, kept in {store}", us, mean_text([answer]), shots * more)
        yield rate(f"flicksim: read back from {store} and reported", reported, count=shots * more)
    sample = flicks[: max(1, shots // _FEWER)]
    for who, begin, comparable in _other_engines(scene, settings, kind) if with_peers else ():
        try:
            shot = begin()
        except ImportError:
            yield Rate(task=experiment.title, engine=who, text="needs the extra 'peers'")
            continue
        answers: list[Any] = []
        us = time_shots(_collected(shot, answers), sample)
        ours = table[column.name][: len(sample)]
        says = f"{mean_text(answers[1:])} (ours: {np.nanmean(ours):.4g})" if comparable else "balls, on its own table"
        yield rate(who, us, says, len(sample))


def _collected(shot: Callable[[Any], Any], answers: list[Any]) -> Callable[[Any], None]:
    return lambda flick: answers.append(shot(flick))


def _other_engines(
    scene: Scene, settings: Settings, kind: type
) -> list[tuple[str, Callable[[], Callable[[Any], Any]], bool]]:
    """Other makers of such shots, the start of each, and whether the answers may be compared."""
    if kind is Squidge:
        return [("MuJoCo", lambda: other_engines.mujoco(scene, settings), True)]
    return [
        ("a plain pymunk script", lambda: other_engines.pymunk_script(scene, settings), True),
        ("pooltool, two balls", other_engines.pooltool, False),
    ]


def make_flicks(table: experiments.Table, piece: str, kind: type) -> Iterator[Any]:
    """Executed flicks of a table of results."""
    prefix = "executed_"
    names = [name.removeprefix(prefix) for name in table if name.startswith(prefix)]
    for index in range(len(table)):
        yield kind(piece=piece, **{name: float(table[prefix + name][index]) for name in names})


def time_run_to_disk(experiment: experiments.Experiment, column: str, store: str) -> tuple[float, float, float]:
    """Microseconds a shot of a whole run into a folder by one worker, from its first chunk on, and of reading it with
    all hashes checked and reporting on it; and the mean answer."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "run"
        begin, first = 0.0, 0
        for completed in experiments.Run(experiment, folder, chunk=max(1, experiment.shots // 20), store=store):
            if not first:
                begin, first = process_time(), completed
        us = (process_time() - begin) / max(1, experiment.shots - first) * 1e6
        begin = process_time()
        manifest, table = experiments.read_results(folder)
        experiments.write_report(folder, manifest, table)
        reported = (process_time() - begin) / experiment.shots * 1e6
        return us, reported, float(np.nanmean(table[column]))


def pymunk_step_time(scene: Scene, flicks: Sequence[Flick], settings: Settings) -> tuple[float, str]:
    """Microseconds a shot takes in bare `Space.step`s, and how many they are."""
    spent, count = 0.0, 0
    for flick in flicks[:100]:
        motion = simulate(scene, flick, settings)
        steps, space = reference_time_steps(motion), pymunk_space(scene, motion, "none", settings)
        begin = process_time()
        for dt in steps:
            space.step(dt)
        spent += process_time() - begin
        count += len(steps)
    timed_shots = len(flicks[:100])
    return spent / timed_shots * 1e6, f"{count / timed_shots:.0f} Space.step a shot"


def flight_loop_time(scene: Scene, flicks: Sequence[Squidge], settings: Settings) -> tuple[float, str]:
    """Microseconds per shot in the compiled loop alone, without lookup or recording, and its number of steps."""
    params, cup, edge = wink_params(scene, settings), cup_geometry(scene.surface.pot), np.array(scene.surface.outline)
    lying, steps = wink_states(scene), list[int]()
    ready = [lying.with_motion(0, *squidge_motion(scene.pieces[0], _LEVEL, flick)) for flick in flicks]
    us = time_shots(
        lambda winks: steps.append(
            simulate_winks(winks, params, cup, shooter=0, outline=edge, t_max=settings.max_flight_time).steps
        ),
        ready,
    )
    return us, f"{np.mean(steps):.0f} compiled steps a shot"


def profile_shares(experiment: experiments.Experiment, shots: int) -> list[tuple[str, float]]:
    """Shares of a worker's time by module, the largest first; profiling inflates the cost of calls."""
    shooter = ShotSampler(experiment)
    list(shooter.rows(0, shots))
    with cProfile.Profile() as profile:
        list(shooter.rows(0, shots))
    found: Counter[str] = Counter()
    for (file, _, _), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        parts = Path(file).parts
        if "flicksim" in parts:
            rest = parts[len(parts) - parts[::-1].index("flicksim") :]
            found["/".join(rest[:2]).removesuffix(".py")] += own
        else:
            found["numpy and Python"] += own
    total = sum(found.values())
    return [(module, own / total) for module, own in found.most_common(7)]


def main(argv: Sequence[str] | None = None) -> list[Rate]:
    """Measure, print, and write a CSV."""
    parser = command_line.parser("batch_costs", __doc__, shots=1000, results=command_line.RESULTS)
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="ours alone")
    args = parser.parse_args(argv)
    rows: list[Rate] = []
    out = Console(width=140)
    for title, result in (
        *(
            (experiment.title, measure_rates(experiment, args.shots, with_peers=args.peers))
            for experiment in (COINS, POT)
        ),
        ("boards with much on them", boards(args.shots)),
        ("mats with much on them", squop_times(args.shots)),
        (LAUNCHES, launch_times(args.shots)),
        (LEARNERS, environment_times(args.shots)),
    ):
        table = Table("who", "us a shot", "shots a second", "times bare", "what came of it", title=title)
        for rate in result:
            rows.append(rate)
            who = rate.engine if rate.task == title else f"{rate.task}: {rate.engine}"
            us, each = ("-" if one is None else f"{one:,.1f}" for one in (rate.microseconds, rate.per_second))
            baseline = "-" if rate.baseline is None else f"{rate.baseline:.3g}"
            table.add_row(who, us, each.partition(".")[0], baseline, escape(rate.text))
        out.print(table)
    for experiment in (COINS, POT):
        shares = ", ".join(
            f"{module} {share:.0%}" for module, share in profile_shares(experiment, max(1, args.shots // 5))
        )
        out.print(f"A worker's time, {experiment.title}: {shares}.", soft_wrap=True)
    path = args.results / f"batch-{platform_tag()}.csv"
    csv_results.write(path, rows)
    out.print(f"written to {path}")
    return rows


if __name__ == "__main__":
    main()
