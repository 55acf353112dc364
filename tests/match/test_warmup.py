"""JIT warm-up in a background process, with a fallback worker."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim import engine
from flicksim.ai import GRADES, NO_NOISE
from flicksim.core.errors import Cancelled, InvalidAction
from flicksim.engine import jit, winks
from flicksim.engine.batch import disc_batch
from flicksim.games import load, names
from flicksim.match import (
    DISC_BATCH_WARMUP,
    FALLBACK_TIME_LIMIT,
    PYRAMID_WARMUP,
    WINK_BATCH_WARMUP,
    WINK_WARMUP,
    BackgroundTask,
    BotWarmup,
    Match,
    PhysicsSimulator,
    Warmup,
    action_chooser,
    bot_warmup,
    load_scene_by_name,
    load_shot,
    simulate_shot,
    wait_for_warmups,
    warm_up_match,
    warmup_targets,
    warmups_of,
)
from flicksim.match.warmup import ChooseAction, joint_message
from flicksim.scene import Flick, Launch, Scene, Squidge, samples
from tests.matches import new_match
from tests.polling import wait_until

FLIGHT = winks.shots.simulate_shots
KERNELS = (FLIGHT, disc_batch.simulate_shots)
warmup = sys.modules[Warmup.__module__]


def kernel_of(function: Any) -> Any:
    """Compiled form of a function that is compiled, or to be compiled, with its callees."""
    return function if hasattr(function, "py_func") else jit.njit_with_callees(function)


def store(function: Any) -> Path:
    """Make a file as of a compiled function where it would be stored."""
    kernel = kernel_of(function)
    source = Path(kernel.py_func.__code__.co_filename)
    path = Path(kernel.dispatcher.stats.cache_path, f"{source.stem}.{kernel.py_func.__name__}-1.nbi")
    path.touch()
    return path


@pytest.fixture(autouse=True)
def _fresh_dispatchers():
    """The folder of compiled code that a test names is read when a dispatcher is made."""
    bots = load("dominoes").bot.JIT_FUNCTIONS  # type: ignore[attr-defined]
    before = [(kernel, kernel.__dict__.pop("dispatcher", None)) for kernel in map(kernel_of, (*KERNELS, *bots))]
    yield
    for kernel, dispatcher in before:
        kernel.__dict__.pop("dispatcher", None)
        if dispatcher is not None:
            kernel.__dict__["dispatcher"] = dispatcher


def make_shot() -> None:
    """Compile nothing."""


def nothing() -> None:
    """Compile nothing either."""


def test_all_that_is_compiled_is_counted_together(compiling: Event) -> None:
    physics, bots = Warmup("winks", make_shot, FLIGHT), Warmup("bots", make_shot, disc_batch.simulate_shots)
    assert joint_message((physics, bots)) == ""
    assert physics.is_missing
    assert joint_message((physics, bots)) == physics.message
    assert bots.is_missing
    physics.on_progress(1)
    bots.on_progress(3)
    (done, of), (also_done, also_of) = physics.progress, bots.progress
    text = f"Getting the physics and the bots ready, once: {done + also_done} of {of + also_of} parts. "
    assert joint_message((physics, bots)).startswith(text)
    compiling.set()
    wait_until(lambda: not joint_message((physics, bots)))


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Nothing is compiled yet, and the compiler goes on until it is told to end."""
    goes_on = Event()
    monkeypatch.setattr(jit, "cache_dir", lambda: str(tmp_path))
    monkeypatch.setattr(warmup, "run_script", lambda *_: goes_on.wait(60.0))
    yield goes_on
    goes_on.set()


def test_shot_is_simulated_while_compiling(compiling: Event) -> None:
    one = Warmup("the simulation of winks", make_shot, FLIGHT)
    stage = one.with_fallback(PhysicsSimulator())
    scene, flick = samples.sample("draw")
    came = stage.simulate(scene, flick)
    assert not one.is_ready
    assert came.after == PhysicsSimulator().simulate(scene, flick).after
    compiling.set()
    one.wait()
    assert one.is_ready
    assert stage.simulate(scene, flick).after == came.after


def test_message_has_label_and_progress(compiling: Event) -> None:
    one = Warmup("bots", make_shot, disc_batch.simulate_shots)
    assert one.message == ""
    one.start()
    scene, flick = samples.sample("draw")
    one.with_fallback(PhysicsSimulator()).simulate(scene, flick)
    done, of = one.progress
    assert done == 0
    assert of > 10
    one.on_progress(3)
    assert one.progress == (3, of)
    assert one.message == f"Getting bots ready, once: 3 of {of} parts. You can play; bots search less."
    compiling.set()
    one.wait()
    assert one.message == ""


class Compiler:
    """Stand-in of the compiler process: its first run goes on until it is stopped, and says how once it may."""

    def __init__(self) -> None:
        self.runs: list[str] = []
        self.begun, self.ended, self.may_hand = Event(), Event(), Event()
        self.hands_late = False
        """True if it begins before it says how it is stopped."""

    def __call__(self, code: str, stopped_by: Callable[[Callable[[], None]], None], _: object) -> bool:
        self.runs.append(code.split()[-1])
        if len(self.runs) > 1:
            return True
        if self.hands_late:
            self.begun.set()
            assert self.may_hand.wait(60.0)
        stopped_by(self.ended.set)
        self.begun.set()
        return not self.ended.wait(60.0)

    def one_then_another(self, then: Callable[[Warmup], None]) -> None:
        """Compile what bots need, and once that has begun what hints need, until both are done; the first twice."""
        first, second = Warmup("bots", make_shot, FLIGHT), Warmup("hints", nothing, FLIGHT)
        first.compile()
        assert self.begun.wait(60.0)
        then(second)
        second.wait()
        first.wait()
        assert self.runs == ["make_shot()", "nothing()", "make_shot()"]


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Compiler:
    """The compiler, with nothing compiled yet."""
    stand_in = Compiler()
    monkeypatch.setattr(jit, "cache_dir", lambda: str(tmp_path))
    monkeypatch.setattr(warmup, "run_script", stand_in)
    return stand_in


def test_wanted_warmup_preempts_and_the_other_is_compiled_again(compiler: Compiler) -> None:
    def then(second: Warmup) -> None:
        second.compile()
        wait_until(lambda: second.is_queued)

    compiler.one_then_another(then)


def test_warmup_queued_after_being_wanted_is_first(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    goes_on = Event()

    def cache_dir() -> str:
        assert not compiler.begun.is_set() or goes_on.wait(60.0)
        return str(tmp_path)

    def then(second: Warmup) -> None:
        second.start()
        assert not compiler.ended.is_set(), "it does not stand there yet"
        goes_on.set()
        assert compiler.ended.wait(60.0)

    monkeypatch.setattr(jit, "cache_dir", cache_dir)
    compiler.one_then_another(then)


def test_starting_compiler_is_preempted(compiler: Compiler) -> None:
    def then(second: Warmup) -> None:
        second.start()
        wait_until(lambda: second.is_queued)
        compiler.may_hand.set()
        assert compiler.ended.wait(60.0)

    compiler.hands_late = True
    compiler.one_then_another(then)


def test_cached_kernels_start_no_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jit, "cache_dir", lambda: str(tmp_path))
    store(FLIGHT)
    monkeypatch.setattr(warmup, "run_script", lambda *_: pytest.fail("a process was begun"))
    one = Warmup("the simulation of winks", make_shot, FLIGHT)
    one.wait()
    assert one.is_ready
    assert one.message == ""


def test_batch_kernels_are_detected_by_their_last_function(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jit, "cache_dir", lambda: str(tmp_path))
    store(disc_batch.simulate_shots)
    compiled: list[object] = []
    monkeypatch.setattr(warmup, "run_script", lambda code, *_: compiled.append(code) or True)
    Warmup("Flicks", make_shot, disc_batch.simulate_shots).wait()
    assert not compiled
    Warmup("Squidges", make_shot, winks.shots.simulate_shots).wait()
    assert len(compiled) == 1


def test_killed_compiler_is_begun_again_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jit, "cache_dir", lambda: str(tmp_path))
    may_load, log = Event(), tmp_path / "log"
    one = Warmup("bots", lambda: may_load.wait(60.0), FLIGHT)
    one.code = f"import os; print('begun', file=open({str(log)!r}, 'a'), flush=True); os.kill(os.getpid(), 9)"
    one.start()
    one.wait_compiled()
    assert log.read_text() == "begun\nbegun\n"
    assert one.message.startswith("Getting bots ready"), "this process compiles what the others have not"
    assert one.needs_fallback()
    may_load.set()
    one.wait()
    assert one.message == ""


@pytest.mark.parametrize(
    ("code", "time_limit"),
    [("raise SystemExit(1)", 300.0), ("import time; print(1, flush=True); time.sleep(60.0)", 0.01)],
)
def test_failed_or_stuck_compiler_is_not_begun_again(
    code: str, time_limit: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runs: list[str] = []

    def run_script(code: str, *others: Any) -> bool:
        runs.append(code)
        return run_once(code, *others)

    run_once = warmup.run_script
    monkeypatch.setattr(warmup, "run_script", run_script)
    monkeypatch.setattr(warmup, "_COMPILE_TIMEOUT", time_limit)
    monkeypatch.setattr(jit, "cache_dir", lambda: str(tmp_path))
    one = Warmup("bots", nothing, FLIGHT)
    one.code = code
    one.wait_compiled()
    assert runs == [code]


def test_stopped_compiler_is_told_so() -> None:
    assert not warmup.run_script("import time; time.sleep(60.0)", lambda stop: stop(), lambda _: None)


def test_compiler_process_ends_with_its_parent() -> None:
    """However the window ends, also killed: its end of the pipe is closed then."""
    code = Warmup("bots", make_shot, FLIGHT).code.rpartition("from ")[0] + "import time; time.sleep(60.0)"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
        process.stdin.close()
        assert process.wait(10.0) == 0


def test_compiler_processes_run_the_warmups() -> None:
    """The scripts of all are run by one process, whose input stays open: it would end before the imports."""
    scripts = []
    for one in (WINK_WARMUP, PYRAMID_WARMUP, DISC_BATCH_WARMUP, WINK_BATCH_WARMUP, bot_warmup(load("tinkle"))):
        *lines, call = one.code.splitlines()
        scripts += [*lines, f"assert callable({call.partition('(')[0]})"]
    with subprocess.Popen([sys.executable, "-c", "\n".join(scripts)], stdin=subprocess.PIPE) as process:
        assert process.wait(60.0) == 0


class RecordingModel:
    """The means of a bot that plays on in its head: nothing is compiled or played, only noted."""

    use_learned = True

    def __init__(self) -> None:
        self.calls: dict[object, set[object]] = {}

    def compile(self, function: Callable[..., object]) -> Callable[..., None]:
        return lambda *given: self.calls.setdefault(function, set()).add(tuple(map(kind, given)))


def kind(one: object) -> object:
    """The kind of an argument, as the compiler tells kinds apart."""
    if isinstance(one, np.ndarray):
        return one.dtype.str, one.ndim, one.flags.c_contiguous, one.flags.writeable
    return (type(one), *map(kind, one)) if isinstance(one, tuple) else type(one)


def search_player(name: str, shots: int) -> RecordingModel:
    """The kinds that a bot hands to what it has compiled, in the middle of a game."""
    game, noting = load(name), RecordingModel()
    if name == "tiddlywinks":
        state, _ = game.positions.start_state(game.positions.load_builtin(game.positions.builtin_names()[0]))
    else:
        match = new_match(name, *["bot:beginner"] * 4, seed=5)
        for _ in range(shots):
            match.play(match.ask_player())
        state = match.state
    seat = game.rules.to_play(state)
    assert seat is not None
    view = game.rules.view(state, seat)
    plans = game.bot.candidates(view, np.random.Generator(np.random.PCG64(1)), 4)
    asks = getattr(game.bot, "prior_values", None)
    if asks is not None:
        asks(view, seat, plans, NO_NOISE, 1, noting)
    else:
        game.bot.rollout(view, seat, plans, NO_NOISE, 3, 1, noting)  # type: ignore[attr-defined]
    return noting


@pytest.mark.parametrize("name", ["tiddlywinks", "dominoes", "tinkle"])
def test_warmup_compiles_the_signatures_used_by_bots(name: str) -> None:
    beforehand, game = RecordingModel(), load(name)
    game.bot.warmup(beforehand)  # type: ignore[attr-defined]
    assert set(beforehand.calls) == set(game.bot.JIT_FUNCTIONS)  # type: ignore[attr-defined]
    assert beforehand.calls == search_player(name, 6).calls


@pytest.fixture
def under_way(monkeypatch: pytest.MonkeyPatch):
    """Nothing is known to be compiled, and the compiler goes on until it is told to end."""
    goes_on = Event()
    for kind in (Warmup, BotWarmup):
        monkeypatch.setattr(kind, "is_cached", False)
    monkeypatch.setattr(warmup, "_BOT_WARMUPS", {})
    monkeypatch.setattr(warmup, "run_script", lambda *_: goes_on.wait(60.0))
    yield goes_on
    goes_on.set()


def physics_of(name: str) -> list[Warmup]:
    """Physics of a game that is not compiled."""
    return [Warmup("shots", make_shot, FLIGHT) for _ in warmups_of(load(name))]


def choose_action(
    name: str, grade: str, patience: float | None, played: int = 0, physics: Sequence[Warmup] | None = None
) -> tuple[Match, ChooseAction, Sequence[Warmup]]:
    """A match of bots of a grade some turns on, the way to ask them, and what is compiled for it."""
    game, physics = load(name), physics_of(name) if physics is None else physics
    match = new_match(name, *[f"bot:{grade}"] * max(2, game.seats[0]), seed=5)
    for _ in range(played):
        match.play(next(iter(match.legal_actions().actions), None) or match.ask_player())
    needed = [*physics, *filter(None, [bot_warmup(game)])]
    return match, action_chooser(match, *physics, time_limit=patience), needed


@pytest.mark.parametrize("name", names())
@pytest.mark.usefixtures("under_way")
def test_first_action_does_not_wait_for_the_compiler(name: str) -> None:
    physics = physics_of(name)
    for grade in GRADES:
        match, asks, needed = choose_action(name, grade, FALLBACK_TIME_LIMIT, physics=physics)
        for _ in range(2):
            match.play(asks(match))
        assert not any(one.is_ready for one in needed), "the compiler is still at work"
        match.close()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if name == "penny-white" else []) for name in names()]
)
def test_first_action_of_bots_alone_is_equal_while_and_after_compiling(name: str, under_way: Event) -> None:
    """A game of bots alone is the same by its seed: its opening is found without waiting, whatever is compiled."""
    physics = physics_of(name)
    asked = [choose_action(name, grade, None, physics=physics) for grade in GRADES]
    came = [asks(match) for match, asks, _ in asked]
    assert not any(one.is_ready for _, _, needed in asked for one in needed), "the compiler is still at work"
    under_way.set()
    for (match, asks, needed), first in zip(asked, came, strict=True):
        for one in needed:
            one.wait()
        assert first == asks(match) == match.ask_player()
        match.close()


@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks", "dominoes", "tinkle"])
@pytest.mark.usefixtures("under_way")
def test_decision_after_its_time_limit_is_the_default(name: str) -> None:
    match, asks, _ = choose_action(name, "world", -1.0, played=2)
    view = match.decision().view
    natural = match.game.bot.candidates(view, match.decision().rng, 1)
    assert asks(match) == natural[0]


@pytest.mark.parametrize(
    ("name", "grade"),
    [
        pytest.param("penny-white", "beginner", marks=pytest.mark.long), ("penny-white", "club"), ("ice", "beginner"),
        ("tiddlywinks", "beginner"), ("dominoes", "expert"),
    ],
)  # fmt: skip
def test_full_search_is_equal_while_and_after_compiling(name: str, grade: str, under_way: Event) -> None:
    match, asks, needed = choose_action(name, grade, None, played=1)
    came = asks(match)
    assert not any(one.is_ready for one in needed)
    under_way.set()
    for one in needed:
        one.wait()
    assert asks(match) == came == match.ask_player()


def test_fallback_decision_is_dropped_when_compiled(under_way: Event) -> None:
    """World class at dominoes would think for many seconds."""
    match, asks, needed = choose_action("dominoes", "world", None, played=1)
    came = BackgroundTask(lambda: asks(match))
    wait_until(lambda: needed[0].fallback.process is not None)
    under_way.set()
    assert came.result() == match.ask_player()


def test_slow_full_search_waits_for_the_compiler(under_way: Event) -> None:
    match, asks, needed = choose_action("tiddlywinks", "world", None)
    opened, _ = match.game.positions.start_state(match.game.positions.load_builtin("double_squop"))
    match.set_opening(opened)
    came, unwanted = (BackgroundTask(lambda: asks(match)) for _ in "ab")
    wait_until(lambda: needed[0].is_compiling)
    assert not came.is_done
    unwanted.cancel()
    under_way.set()
    assert came.result() == match.ask_player()
    with pytest.raises(Cancelled):
        unwanted.result()


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Physics and thoughts of which nothing has begun to be compiled."""
    kinds = {kind: Warmup("shots", make_shot, FLIGHT) for kind in (Flick, Squidge, Launch)}
    monkeypatch.setattr(warmup_targets, "_WARMUP_BY_ACTION", kinds)
    monkeypatch.setattr(warmup_targets, "_SINGLE_SHOT_WARMUPS", (kinds[Squidge], kinds[Launch]))
    monkeypatch.setattr(warmup, "_BOT_WARMUPS", {})


@pytest.mark.long
@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize(
    ("name", "seat"), [("penny-white", "bot:beginner"), ("ice", "bot:beginner"), ("tiddlywinks", "random")]
)
def test_game_is_equal_without_while_and_after_compiling(name: str, seat: str, under_way: Event) -> None:
    game = load(name)
    for done in (False, True):
        match, usual = (new_match(name, *[seat] * max(2, game.seats[0]), seed=5) for _ in "ab")
        if done:
            under_way.set()
            for one in warmups_of(game):
                one.wait()
        asks = warm_up_match(match, None)
        assert asks is not None
        came = [(turn.meant, turn.made, turn.after) for turn in islice(match.run(choose=asks), 5)]
        assert came == [(turn.meant, turn.made, turn.after) for turn in islice(usual.run(), 5)]
        assert all(one.is_ready == done for one in warmups_of(game))


@pytest.mark.usefixtures("anew")
def test_match_starts_only_needed_warmups(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (Warmup, BotWarmup):
        monkeypatch.setattr(kind, "is_cached", False)
    monkeypatch.setattr(warmup, "run_script", lambda *_: pytest.fail("a process was begun"))
    for name, seat in (("penny-white", "random"), ("dominoes", "bot:club")):
        match = new_match(name, seat, seat, seed=5)
        usual = match.simulator
        assert warm_up_match(match, FALLBACK_TIME_LIMIT) is None
        assert match.simulator is usual
    monkeypatch.setattr(Warmup, "is_cached", True)
    assert warm_up_match(new_match("penny-white", "bot:club", "bot:club", seed=5), None) is None


@pytest.mark.usefixtures("anew", "compiling")
@pytest.mark.parametrize(
    ("name", "seat", "what"),
    [("dominoes", "bot:world", "The bots' search"), ("penny-white", "bot:club", "The simulation")],
)
def test_notice_says_what_is_compiled(name: str, seat: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of cards or tiles has no simulation."""
    told = list[str]()
    monkeypatch.setattr(warmup_targets, "_log_compiling", lambda what, _bots: told.append(what))
    # nothing is compiled: a thread that went on would fill the cache of later tests
    monkeypatch.setattr(warmup_targets, "action_chooser", lambda *_, **_options: None)
    warm_up_match(new_match(name, seat, seat, seed=5), None)
    assert told == [what]


@pytest.mark.usefixtures("under_way")
def test_bots_without_compiled_code_run_in_process() -> None:
    match, asks, needed = choose_action("dominoes", "club", FALLBACK_TIME_LIMIT)
    assert asks(match) == match.ask_player()
    assert not any(one.is_compiling for one in needed)


def test_bot_functions_older_than_their_source_are_recompiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("dominoes")
    one = bot_warmup(game)
    assert one is bot_warmup(game)
    functions = game.bot.JIT_FUNCTIONS  # type: ignore[attr-defined]
    monkeypatch.setattr(jit, "cache_dir", lambda: str(tmp_path))
    assert not one.is_cached
    stored = [store(function) for function in functions[:-1]]
    assert not one.is_cached
    store(functions[-1])
    assert one.is_cached
    os.utime(stored[0], (1.0, 1.0))
    assert not one.is_cached


def test_games_without_compiled_code_have_no_warmup() -> None:
    assert bot_warmup(load("penny-white")) is None
    wait, says = wait_for_warmups(None, bot_warmup(load("ice")))
    wait()
    assert says() == ""


def test_squidge_off_does_not_wait_for_the_compiler() -> None:
    game = load("tiddlywinks")
    match = new_match("tiddlywinks", *["bot:club"] * 4)
    one = bot_warmup(game)
    assert not one.is_needed_by(match.players[0], match.state), "who begins is found by what is natural"
    noting, plans = RecordingModel(), game.bot.candidates(match.state, np.random.Generator(np.random.PCG64(1)), 4)
    assert game.bot.prior_values(match.state, 0, plans, NO_NOISE, 1, noting) is None  # type: ignore[attr-defined]
    assert not noting.calls
    opened, _ = game.positions.start_state(game.positions.load_builtin(game.positions.builtin_names()[0]))
    match.set_opening(opened)
    assert one.is_needed_by(match.players[0], match.state)


def test_function_count_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(Warmup, "short_message", property(lambda one: asked.append(one) or "It is compiled."))
    one = Warmup("bots", lambda: None)
    _, says = wait_for_warmups(None, one, one)
    assert says() == "It is compiled."
    assert asked == [one]


@pytest.mark.parametrize("missing", [False, True])
def test_single_shot_takes_the_fallback_until_its_kernels_are_compiled(
    missing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[str]()
    monkeypatch.setattr(warmup_targets, "_log_compiling", lambda *words: told.append(" ".join(words)))
    monkeypatch.setattr(warmup_targets, "numba_njit", object())
    monkeypatch.setattr(Warmup, "is_missing", missing)
    asked = []

    def simulate(self: Warmup, before: Scene, action: Squidge, simulator: PhysicsSimulator) -> object:
        asked.append(self)
        return engine.simulate(before, action, simulator.settings)

    monkeypatch.setattr(Warmup, "simulate", simulate)
    scene, squidge = load_scene_by_name("sample:squidge"), load_shot("sample:squidge")
    assert isinstance(scene, Scene)
    assert isinstance(squidge, Squidge)
    assert simulate_shot(scene, squidge) == engine.simulate(scene, squidge)
    assert asked == [WINK_WARMUP] * missing
    assert told == ["The simulation a shot takes seconds meanwhile"] * missing
    board, flick = samples.sample("draw")
    assert simulate_shot(board, flick) == engine.simulate(board, flick)
    assert asked == [WINK_WARMUP] * missing, "flicks of coins run no compiled code"


@pytest.mark.parametrize(
    ("scene", "change"),
    [("squidge", {"start": (9.0, 0.0)}), ("squidge", {"piece": "none"}), ("launch", {"piece": "prop"})],
)
def test_shot_that_is_refused_tells_nothing_of_the_compiler(
    scene: str, change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warmup_targets, "numba_njit", object())
    monkeypatch.setattr(Warmup, "is_missing", True)
    monkeypatch.setattr(warmup_targets, "_log_compiling", lambda *_: pytest.fail("it was told"))
    table, shot = load_scene_by_name(f"sample:{scene}"), load_shot(f"sample:{scene}")
    with pytest.raises(InvalidAction):
        simulate_shot(table, msgspec.structs.replace(shot, **change))
