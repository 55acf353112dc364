"""Costs of a batch of shots: `python -m benchmarks.batch [--shots N] [--no-peers] [--results FOLDER]`.

Two questions, each in several hands, in one run: a coin drawn up to another (against a plain pymunk script and a
pooltool shot of two balls), and a wink squidged at the pot (against MuJoCo). All get the very flicks that the
experiment's hand made. Then boards and mats with much on them, launches of pyramids, and steps of the vector
environments. Beside them stand the bare steps: pymunk's `Space.step` of the same two coins, as often as the step rule
asks (see `bench.costs`), and the flight's compiled loop alone. Peers are of the extra `peers`; what is not there is
said so. Times are of this process alone, which a busy machine disturbs less; still only ratios within a run mean much.
"""

from __future__ import annotations

import argparse
import cProfile
import importlib
import pstats
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import inf
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import msgspec
import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks import peers, sheet, winks
from benchmarks.launches import launches
from flicksim.base.codec import Value
from flicksim.base.errors import MissingExtra
from flicksim.base.machine import machine
from flicksim.bench.costs import step_times, stepped_space
from flicksim.lab import Experiment, Measure, Run, ask, read_experiment, read_results
from flicksim.lab import Table as Results
from flicksim.lab.shooter import Shooter
from flicksim.physics import Flicks, Launches, Settings, Squidges, settle, settle_many
from flicksim.physics.flight import fly
from flicksim.physics.squidge import cup_of, params_of, winks_of
from flicksim.physics.strike import squidged
from flicksim.players import Hand
from flicksim.table import Flick, Scene, Squidge, samples

_LEVEL = (0.0, 0.0, 1.0)
_FEWER = 10
"""Peers are given so many times fewer shots."""
_MORE = {Flick: 200}
"""So many times more shots of a kind are kept, and shared by threads: of coins a thousand are over in milliseconds."""

COINS = Experiment(
    title="a coin drawn up to another",
    scene="draw",
    flick={"piece": "a", "to": "white", "beyond": 0.02},
    hand="plain",
    hands={"plain": Hand(speed=0.018, azimuth=0.028)},  # no spin: a script knows nothing of spinning coins
    measure=("gap white", "made speed", "made azimuth"),
)
POT = msgspec.structs.replace(
    read_experiment("pot-chance"),
    title="a wink squidged at the pot from 18 in",
    hand="club",
    pieces={},
    # MuJoCo's wink flies without air; a player reckons with it
    settings={"drag": 0.0},
    flick={**read_experiment("pot-chance").flick, "effort": 0.96},
    measure=tuple(map(Measure, ("potted", "made speed", "made azimuth", "made elevation", "made tumble"))),
    marks=(),
)


LAUNCHES = "a launch of a pyramid"
LEARNERS = "a step of a vector environment, shot, judged and laid out anew"


class Rate(Value, frozen=True, kw_only=True):
    """One measurement.

    Args:
        question: of the two. who: makes the shots. shots: how many were timed.
        us: a shot [us]; null where it could not be measured. per_second: shots. bare: times the bare steps.
        says: what came of the shots, or why they could not be made.
    """

    question: str
    who: str
    shots: int = 0
    us: float | None = None
    per_second: float | None = None
    bare: float | None = None
    says: str = ""


def together(work: Callable[[], Any], shots: int) -> float:
    """Microseconds a shot when so many are made at one go; once beforehand to warm up."""
    work()
    begin = process_time()
    work()
    return (process_time() - begin) / shots * 1e6


def at_once(scene: Scene, flicks: Sequence[Any], settings: Settings, **how: Any) -> float:
    """Microseconds a shot takes in `settle_many`."""
    columns = (Squidges if isinstance(flicks[0], Squidge) else Flicks).of(flicks)
    return together(lambda: settle_many(scene, columns, settings, **how), len(flicks))


def by_two(scene: Scene, flicks: Sequence[Any], settings: Settings) -> tuple[float, str]:
    """Microseconds of the clock a shot takes in `settle_many` with two threads, and how many times one thread that is.

    The best of three of each, taken by turns.
    """
    columns = (Squidges if isinstance(flicks[0], Squidge) else Flicks).of(flicks)
    best = {1: inf, 2: inf}
    for _ in range(3):
        for threads in best:
            begin = perf_counter()
            settle_many(scene, columns, settings, threads=threads)
            best[threads] = min(best[threads], perf_counter() - begin)
    return best[2] / len(flicks) * 1e6, f"{best[1] / best[2]:.2f} times one thread, by the clock"


def boards(shots: int) -> Iterator[Rate]:
    """Boards with much on them, settled one by one and all at once, beside bare steps of the same coins."""
    hand = Hand(speed=0.018, azimuth=0.028)
    for name, says in (("crowd", "a Penny White end's crowd, 26 discs"), ("break-up", "a break-up of 26")):
        scene, flick = samples.sample(name)
        rng = np.random.default_rng(1)
        flicks = [hand.make(flick, rng) for _ in range(shots)]
        few = flicks[: max(2, shots // _FEWER)]
        bare, steps = stepped(scene, few, Settings())
        for who, us, count, what in (
            ("bare steps", bare, len(few), steps),
            ("flicksim: settled", timed(lambda one, scene=scene: settle(scene, one), few), len(few), ""),
            ("flicksim: settled all at once", at_once(scene, flicks, Settings()), shots, ""),
        ):
            yield Rate(question=says, who=who, shots=count, us=us, per_second=1e6 / us, bare=us / bare, says=what)


def launched(shots: int) -> Iterator[Rate]:
    """Launches by a club hand onto an empty table and one with twenty pieces, settled one by one and all at once; none
    is given twice, for a launcher's part is remembered."""
    fresh = launches(8 * shots)
    few = max(2, shots // _FEWER)
    for pieces in (0, 20):
        scene, where = samples.strewn(pieces), f"onto {pieces} pieces" if pieces else "onto an empty table"
        alone = timed(lambda one, scene=scene: settle(scene, one), [next(fresh) for _ in range(few)])
        settle_many(scene, next(fresh))
        columns = Launches.of([next(fresh) for _ in range(shots)])
        begin = process_time()
        settle_many(scene, columns)
        us = (process_time() - begin) / shots * 1e6
        yield Rate(question=LAUNCHES, who=f"{where}: settled", shots=few, us=alone, per_second=1e6 / alone)
        says = f"{alone / us:.1f} times as many as one by one"
        yield Rate(question=LAUNCHES, who=f"{where}: all at once", shots=shots, us=us, per_second=1e6 / us, says=says)


def squops(shots: int) -> Iterator[Rate]:
    """Squops among 24 winks, settled one by one and all at once, as a hand would make them."""
    scene = winks.crowd()
    meant = winks.shots(scene)["squop"]
    rng, hand = np.random.default_rng(1), Hand(speed=0.018, azimuth=0.028, elevation=0.035, tumble=20.0)
    squidges = [hand.make(meant, rng) for _ in range(shots)]
    few, question = squidges[: max(2, shots // _FEWER)], "a squop among 24 winks"
    for who, us, count in (
        ("flicksim: settled", timed(lambda one: settle(scene, one), few), len(few)),
        ("flicksim: settled all at once", at_once(scene, few, Settings()), len(few)),
    ):
        yield Rate(question=question, who=who, shots=count, us=us, per_second=1e6 / us)


def learners(tables: int) -> Iterator[Rate]:
    """Steps of the vector environments."""
    try:
        gymnasium = importlib.import_module("gymnasium")
        importlib.import_module("flicksim.lab.env")
    except (ImportError, MissingExtra):
        yield Rate(question=LEARNERS, who="environments", says="not installed: pip install 'flicksim[env]'")
        return
    for name, count in (("Draw", tables), ("Pot", max(2, tables)), ("Squop", max(2, tables // _FEWER))):
        env = gymnasium.make_vec(f"flicksim/{name}-v1", num_envs=count, hand="club", autoreset_mode="SameStep")
        env.reset(seed=1)
        env.action_space.seed(1)
        actions = env.action_space.sample()
        us = together(lambda env=env, actions=actions: env.step(actions), count)
        yield Rate(question=LEARNERS, who=f"flicksim/{name}-v1", shots=count, us=us, per_second=1e6 / us)


def timed(work: Callable[[Any], Any], given: Sequence[Any]) -> float:
    """Microseconds for each of what is given, the first of it once more beforehand to warm up."""
    work(given[0])
    begin = process_time()
    for one in given:
        work(one)
    return (process_time() - begin) / len(given) * 1e6


def rates(asked: Experiment, shots: int, *, with_peers: bool) -> Iterator[Rate]:
    """Everything measured about one question; the bare steps come first."""
    asked = msgspec.structs.replace(asked, shots=shots)
    shooter, table = Shooter(asked), ask(asked)
    column = next(column for column in shooter.columns if column.role == "answer")
    kind = Squidge if asked.flick.get("do") == "squidge" else Flick
    flicks = list(made(table, shooter.piece, kind))
    scene, settings = shooter.scene, Settings(**asked.settings)  # type: ignore[arg-type]
    bare, says = (stepped if kind is Flick else flown)(scene, flicks, settings)

    def rate(who: str, us: float, says: str = "", count: int = shots) -> Rate:
        return Rate(question=asked.title, who=who, shots=count, us=us, per_second=1e6 / us, bare=us / bare, says=says)

    def told(answers: Sequence[Any]) -> str:
        return f"{column.title}: {np.nanmean(answers):.4g} {column.unit}".rstrip()

    yield rate("bare steps", bare, says)
    yield rate("flicksim: settled", timed(lambda flick: settle(scene, flick, settings), flicks))
    yield rate("flicksim: settled all at once", at_once(scene, flicks, settings))
    if kind is Squidge:
        for who, until in (("to rest unless potted", "potted"), ("the verdict alone", "verdict")):
            yield rate(f"flicksim: all at once, {who}", at_once(scene, flicks, settings, until=until))
    more = _MORE.get(kind, 1)
    yield rate("flicksim: all at once, by two threads", *by_two(scene, flicks * more, settings), shots * more)
    yield rate("flicksim: drawn, settled, measured", together(lambda: list(shooter.rows(0, shots)), shots))
    us, answer = kept(msgspec.structs.replace(asked, shots=shots * more), column.name)
    yield rate("flicksim: the same, kept in SQLite", us, told([answer]), shots * more)
    few = flicks[: max(1, shots // _FEWER)]
    for who, begin, comparable in _peers(scene, settings, kind) if with_peers else ():
        try:
            shot = begin()
        except ImportError:
            yield Rate(question=asked.title, who=who, says="not installed: pip install 'flicksim[peers]'")
            continue
        answers: list[Any] = []
        us = timed(_collected(shot, answers), few)
        ours = table[column.name][: len(few)]
        says = f"{told(answers[1:])} (ours: {np.nanmean(ours):.4g})" if comparable else "balls, on its own table"
        yield rate(who, us, says, len(few))


def _collected(shot: Callable[[Any], Any], answers: list[Any]) -> Callable[[Any], None]:
    return lambda flick: answers.append(shot(flick))


def _peers(scene: Scene, settings: Settings, kind: type) -> list[tuple[str, Callable[[], Callable[[Any], Any]], bool]]:
    """Other makers of such shots, the start of each, and whether the answers may be compared."""
    if kind is Squidge:
        return [("MuJoCo", lambda: peers.mujoco(scene, settings), True)]
    return [
        ("a plain pymunk script", lambda: peers.script(scene, settings), True),
        ("pooltool, two balls", peers.pooltool, False),
    ]


def made(table: Results, piece: str, kind: type) -> Iterator[Any]:
    """The flicks as the hand made them."""
    names = [name.removeprefix("made_") for name in table if name.startswith("made_")]
    for index in range(len(table)):
        yield kind(piece=piece, **{name: float(table[f"made_{name}"][index]) for name in names})


def kept(asked: Experiment, column: str) -> tuple[float, float]:
    """Microseconds a shot of a whole run into a folder by one worker, from its first chunk on, and the mean answer."""
    with tempfile.TemporaryDirectory() as folder:
        run = Run(asked, Path(folder) / "run", chunk=max(1, asked.shots // 20))
        begin, first = 0.0, 0
        for done in run:
            if not first:
                begin, first = process_time(), done
        us = (process_time() - begin) / max(1, asked.shots - first) * 1e6
        return us, float(np.nanmean(read_results(Path(folder) / "run")[1][column]))


def stepped(scene: Scene, flicks: Sequence[Flick], settings: Settings) -> tuple[float, str]:
    """Microseconds a shot takes in bare `Space.step`s, and how many they are."""
    spent, count = 0.0, 0
    for flick in flicks[:100]:
        motion = settle(scene, flick, settings)
        steps, space = step_times(motion), stepped_space(scene, motion, "none", settings)
        begin = process_time()
        for dt in steps:
            space.step(dt)
        spent += process_time() - begin
        count += len(steps)
    timed_shots = len(flicks[:100])
    return spent / timed_shots * 1e6, f"{count / timed_shots:.0f} Space.step a shot"


def flown(scene: Scene, flicks: Sequence[Squidge], settings: Settings) -> tuple[float, str]:
    """Microseconds a shot takes in the flight's loop, with nothing looked up, recorded or told, and its steps."""
    params, cup, edge = params_of(scene, settings), cup_of(scene.surface.pot), np.array(scene.surface.outline)
    lying, steps = winks_of(scene), list[int]()
    ready = [lying.moved(0, *squidged(scene.pieces[0], _LEVEL, flick)) for flick in flicks]
    us = timed(
        lambda winks: steps.append(fly(winks, params, cup, shooter=0, edge=edge, t_max=settings.max_flight).steps),
        ready,
    )
    return us, f"{np.mean(steps):.0f} compiled steps a shot"


def spent_on(asked: Experiment, shots: int) -> list[tuple[str, float]]:
    """Shares of a worker's time by room of the house, the most first; a profile makes calls dearer."""
    shooter = Shooter(asked)
    list(shooter.rows(0, shots))
    profile = cProfile.Profile()
    profile.enable()
    list(shooter.rows(0, shots))
    profile.disable()
    found: Counter[str] = Counter()
    for (file, _, _), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        parts = Path(file).parts
        if "flicksim" in parts:
            rest = parts[len(parts) - parts[::-1].index("flicksim") :]
            found["/".join(rest[:2]).removesuffix(".py")] += own
        else:
            found["numpy and Python"] += own
    total = sum(found.values())
    return [(room, own / total) for room, own in found.most_common(7)]


def main(words: Sequence[str] | None = None) -> list[Rate]:
    """Measure, print, and write a CSV."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch", description=__doc__)
    parser.add_argument("--shots", type=int, default=1000)
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="ours alone")
    parser.add_argument("--results", type=Path, default=Path(__file__).parent / "results")
    given = parser.parse_args(words)
    rows: list[Rate] = []
    out = Console(width=140)
    for title, found in (
        *((asked.title, rates(asked, given.shots, with_peers=given.peers)) for asked in (COINS, POT)),
        ("boards with much on them", boards(given.shots)),
        ("mats with much on them", squops(given.shots)),
        (LAUNCHES, launched(given.shots)),
        (LEARNERS, learners(given.shots)),
    ):
        table = Table("who", "us a shot", "shots a second", "times bare", "what came of it", title=title)
        for rate in found:
            rows.append(rate)
            who = rate.who if rate.question == title else f"{rate.question}: {rate.who}"
            us, each = ("-" if one is None else f"{one:,.1f}" for one in (rate.us, rate.per_second))
            table.add_row(
                who, us, each.partition(".")[0], "-" if rate.bare is None else f"{rate.bare:.3g}", escape(rate.says)
            )
        out.print(table)
    for asked in (COINS, POT):
        shares = ", ".join(f"{room} {share:.0%}" for room, share in spent_on(asked, max(1, given.shots // 5)))
        out.print(f"A worker's time, {asked.title}: {shares}.", soft_wrap=True)
    path = given.results / f"batch-{machine()}.csv"
    sheet.write(path, rows)
    out.print(f"written to {path}")
    return rows


if __name__ == "__main__":
    main()
