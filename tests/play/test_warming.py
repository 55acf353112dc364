"""Physics is made ready beside the window, and shots are made meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from flicksim.base.errors import GivenUp
from flicksim.games import load, names
from flicksim.physics.flight import jit
from flicksim.play import (
    FLICKS,
    PATIENCE,
    PYRAMIDS,
    SQUIDGES,
    WINKS,
    Background,
    Match,
    TableStage,
    Thoughts,
    Warming,
    awaited,
    beside,
    open_match,
    parse_seat,
    physics_of,
    thoughts_of,
    warm,
    warming,
)
from flicksim.play.warming import Asks
from flicksim.players import GRADES, STEADY
from flicksim.referee import parse_options
from flicksim.table import Flick, Launch, Squidge, samples
from tests.waiting import until

FLIGHT = ("flight/*",)


def shoot() -> None:
    """Nothing has to be made ready."""


def nothing() -> None:
    """Nor here."""


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Nothing is compiled yet, and the compiler goes on until it is told to end."""
    goes_on = Event()
    monkeypatch.setattr(jit, "kept_in", lambda: str(tmp_path))
    monkeypatch.setattr(warming, "_run", lambda _code, _stop: goes_on.wait(60.0))
    yield goes_on
    goes_on.set()


def test_a_shot_is_made_while_the_compiler_is_at_work(compiling: Event) -> None:
    one = Warming("the flight of winks", shoot, FLIGHT, "advance.advance")
    stage = one.stage(TableStage())
    scene, flick = samples.sample("draw")
    came = stage.settle(scene, flick)
    assert not one.ready
    assert came.after == TableStage().settle(scene, flick).after
    compiling.set()
    one.wait()
    assert one.ready
    assert stage.settle(scene, flick).after == came.after


def test_it_tells_what_is_coming_and_how_far_it_is(compiling: Event, tmp_path: Path) -> None:
    one = Warming("bots", shoot, ("batch/glide", "batch/coins"), "coins.shoot")
    assert one.says == ""
    one.begin()
    scene, flick = samples.sample("draw")
    one.stage(TableStage()).settle(scene, flick)
    done, of = one.progress
    assert done == 0
    assert of > 10
    (tmp_path / "batch_x").mkdir()
    for name in ("glide.turned", "glide.knot", "coins.shoot", "lone.shoot"):
        (tmp_path / "batch_x" / f"{name}-1.py311.nbi").touch()
    assert one.progress == (3, of)
    assert one.says.startswith(f"Getting bots ready, once: 3 of {of} parts. ")
    compiling.set()
    one.wait()
    assert one.says == ""


def test_what_somebody_waits_for_is_compiled_first_and_what_gave_way_comes_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runs: list[str] = []
    begun, ended = Event(), Event()

    def run(code: str, stopped_by: Callable[[Callable[[], None]], None]) -> bool:
        name = code.split()[-1]
        runs.append(name)
        stopped_by(ended.set)
        begun.set()
        return len(runs) > 1 or not ended.wait(60.0)

    def then(second: Warming) -> None:
        second.compile()
        stands(second)

    monkeypatch.setattr(jit, "kept_in", lambda: str(tmp_path))
    monkeypatch.setattr(warming, "_run", run)
    one_then_another(begun, then)
    assert runs == ["shoot()", "nothing()", "shoot()"]


def one_then_another(begun: Event, then: Callable[[Warming], None]) -> None:
    """Compile what bots need, and once that has begun what hints need, until both are done."""
    first, second = Warming("bots", shoot, FLIGHT, "a.a"), Warming("hints", nothing, FLIGHT, "b.b")
    first.compile()
    assert begun.wait(60.0)
    then(second)
    second.wait()
    first.wait()


def stands(one: Warming) -> None:
    """Wait until it stands among those whose turn comes later."""
    until(lambda: one.queued)


def test_one_that_comes_only_after_somebody_has_sat_down_is_compiled_first_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runs: list[str] = []
    begun, ended, goes_on = Event(), Event(), Event()

    def run(code: str, stopped_by: Callable[[Callable[[], None]], None]) -> bool:
        runs.append(code.split()[-1])
        stopped_by(ended.set)
        begun.set()
        return len(runs) > 1 or not ended.wait(60.0)

    def kept_in() -> str:
        assert not begun.is_set() or goes_on.wait(60.0)
        return str(tmp_path)

    def then(second: Warming) -> None:
        second.begin()
        assert not ended.is_set(), "it does not stand there yet"
        goes_on.set()
        assert ended.wait(60.0)

    monkeypatch.setattr(jit, "kept_in", kept_in)
    monkeypatch.setattr(warming, "_run", run)
    one_then_another(begun, then)
    assert runs == ["shoot()", "nothing()", "shoot()"]


def test_one_whose_process_only_begins_gives_way_as_soon_as_it_can(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runs: list[str] = []
    begun, ended, handed = Event(), Event(), Event()

    def run(code: str, stopped_by: Callable[[Callable[[], None]], None]) -> bool:
        runs.append(code.split()[-1])
        if len(runs) > 1:
            return True
        begun.set()
        assert handed.wait(60.0)
        stopped_by(ended.set)
        return not ended.wait(60.0)

    def then(second: Warming) -> None:
        second.begin()
        stands(second)
        handed.set()
        assert ended.wait(60.0)

    monkeypatch.setattr(jit, "kept_in", lambda: str(tmp_path))
    monkeypatch.setattr(warming, "_run", run)
    one_then_another(begun, then)
    assert runs == ["shoot()", "nothing()", "shoot()"]


def test_where_all_is_compiled_nothing_is_said_and_no_process_begun(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "flight_x").mkdir()
    (tmp_path / "flight_x" / "advance.advance-1.nbi").touch()
    monkeypatch.setattr(jit, "kept_in", lambda: str(tmp_path))
    monkeypatch.setattr(warming, "_run", lambda *_: pytest.fail("a process was begun"))
    one = Warming("the flight of winks", shoot, FLIGHT, "advance.advance")
    one.wait()
    assert one.ready
    assert one.says == ""


def test_many_shots_at_once_are_known_to_be_compiled_by_their_own_loop(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "batch_x").mkdir()
    (tmp_path / "batch_x" / "coins.shoot-1.nbi").touch()
    compiled: list[object] = []
    monkeypatch.setattr(jit, "kept_in", lambda: str(tmp_path))
    monkeypatch.setattr(warming, "_run", lambda code, _stop: compiled.append(code) or True)
    Warming("Flicks", shoot, ("batch/coins",), "coins.shoot").wait()
    assert not compiled
    Warming("Squidges", shoot, ("flight/*", "batch/lone"), "lone.shoot").wait()
    assert len(compiled) == 1


def test_the_other_process_ends_when_nobody_listens_any_more() -> None:
    """However the window ends, also killed: its end of the pipe is closed then."""
    code = (
        Warming("bots", shoot, FLIGHT, "advance.advance").code.rpartition("from ")[0] + "import time; time.sleep(60.0)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(10.0) == 0


@pytest.mark.parametrize("one", [WINKS, PYRAMIDS, FLICKS, SQUIDGES])
def test_the_other_process_runs_what_is_to_be_compiled(one: Warming) -> None:
    name = one.code.split()[-1]
    code = one.code.rpartition(name)[0] + f"assert callable({name.removesuffix('()')})"
    assert subprocess.run([sys.executable, "-c", code], stdin=subprocess.PIPE, check=False).returncode == 0


class Noting:
    """The means of a bot that plays on in its head: nothing is compiled or played, only noted."""

    learnt = True

    def __init__(self) -> None:
        self.calls: dict[object, set[object]] = {}

    def quick(self, function: Callable[..., object]) -> Callable[..., None]:
        return lambda *given: self.calls.setdefault(function, set()).add(tuple(map(kind, given)))


def kind(one: object) -> object:
    """The kind of an argument, as the compiler tells kinds apart."""
    if isinstance(one, np.ndarray):
        return one.dtype.str, one.ndim, one.flags.c_contiguous, one.flags.writeable
    return (type(one), *map(kind, one)) if isinstance(one, tuple) else type(one)


def thought(name: str, shots: int) -> Noting:
    """The kinds that a bot hands to what it has compiled, in the middle of a game."""
    game, noting = load(name), Noting()
    if name == "tiddlywinks":
        assert game.positions is not None
        state, _ = game.positions.begin(game.positions.shipped(game.positions.names()[0]))
    else:
        match = open_match(game, parse_options(game, []), [parse_seat("bot:beginner")] * 4, 5)
        for _ in range(shots):
            match.play(match.ask())
        state = match.state
    seat = game.rules.to_play(state)
    assert seat is not None
    view = game.rules.view(state, seat)
    plans = game.bot.candidates(view, np.random.Generator(np.random.PCG64(1)), 4)
    asks = getattr(game.bot, "guesses", None)
    if asks is not None:
        asks(view, seat, plans, STEADY, 1, noting)
    else:
        game.bot.play_out(view, seat, plans, STEADY, 3, 1, noting)  # type: ignore[attr-defined]
    return noting


@pytest.mark.parametrize("name", ["tiddlywinks", "dominoes", "tinkle"])
def test_what_is_compiled_beforehand_is_just_what_bots_play_on_with(name: str) -> None:
    beforehand, game = Noting(), load(name)
    game.bot.rehearse(beforehand)  # type: ignore[attr-defined]
    assert set(beforehand.calls) == set(game.bot.COMPILED)  # type: ignore[attr-defined]
    assert beforehand.calls == thought(name, 6).calls


@pytest.fixture
def under_way(monkeypatch: pytest.MonkeyPatch):
    """Nothing is known to be compiled, and the compiler goes on until it is told to end."""
    goes_on = Event()
    for kind in (Warming, Thoughts):
        monkeypatch.setattr(kind, "kept", lambda *_: False)
    monkeypatch.setattr(warming, "_run", lambda _code, _stop: goes_on.wait(60.0))
    yield goes_on
    goes_on.set()


def asked(name: str, grade: str, patience: float | None, played: int = 0) -> tuple[Match, Asks, Sequence[Warming]]:
    """A match of bots of a grade some turns on, the way to ask them, and what is compiled for it."""
    game = load(name)
    match = open_match(game, game.options(), [parse_seat(f"bot:{grade}")] * max(2, game.seats[0]), 5)
    for _ in range(played):
        match.play(next(iter(match.choices().actions), None) or match.ask())
    physics = [Warming("shots", shoot, FLIGHT, "a.a") for _ in physics_of(game)]
    functions = getattr(game.bot, "COMPILED", ())
    if functions:
        thoughts = Thoughts(game, functions)
        return match, thoughts.asker_of(match, *physics, patience=patience), [*physics, thoughts]
    return match, physics[0].asker(patience), physics


@pytest.mark.parametrize("name", names())
@pytest.mark.usefixtures("under_way")
def test_no_bots_first_action_waits_for_the_compiler(name: str) -> None:
    for grade in GRADES:
        match, asks, needed = asked(name, grade, PATIENCE)
        for _ in range(2):
            match.play(asks(match))
        assert not any(one.ready for one in needed), "the compiler is still at work"
        match.close()


@pytest.mark.parametrize("name", ["penny-white", "tiddlywinks", "dominoes", "tinkle"])
@pytest.mark.usefixtures("under_way")
def test_a_thought_whose_time_is_up_does_what_is_natural(name: str) -> None:
    match, asks, _ = asked(name, "world", -1.0, played=2)
    view = match.question().view
    natural = match.game.bot.candidates(view, match.question().rng, 1)
    assert asks(match) == natural[0]


@pytest.mark.parametrize(
    ("name", "grade"),
    [
        ("penny-white", "beginner"), ("penny-white", "club"), ("ice", "beginner"), ("tiddlywinks", "beginner"),
        ("dominoes", "expert"),
    ],
)  # fmt: skip
def test_patient_thoughts_are_the_same_with_the_compiler_at_work_or_done(
    name: str, grade: str, under_way: Event
) -> None:
    match, asks, needed = asked(name, grade, None, played=1)
    came = asks(match)
    assert not any(one.ready for one in needed)
    under_way.set()
    for one in needed:
        one.wait()
    assert asks(match) == came == match.ask()


def test_a_plain_thought_is_dropped_when_the_compiler_is_done(under_way: Event) -> None:
    """World class at dominoes would think for many seconds."""
    match, asks, needed = asked("dominoes", "world", None, played=1)
    came = Background(lambda: asks(match))
    until(lambda: needed[0].meanwhile.process is not None)
    under_way.set()
    assert came.result() == match.ask()


def test_a_patient_thought_that_would_take_minutes_plainly_waits_for_the_compiler(under_way: Event) -> None:
    match, asks, needed = asked("tiddlywinks", "world", None)
    came, unwanted = (Background(lambda: asks(match)) for _ in "ab")
    until(lambda: needed[0].working)
    assert not came.done
    unwanted.leave()
    under_way.set()
    assert came.result() == match.ask()
    with pytest.raises(GivenUp):
        unwanted.result()


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Physics and thoughts of which nothing has begun to be compiled."""
    kinds = {kind: Warming("shots", shoot, FLIGHT, "a.a") for kind in (Flick, Squidge, Launch)}
    monkeypatch.setattr(warm, "_BY_KIND", kinds)
    monkeypatch.setattr(warm, "_SETTLING", (kinds[Squidge], kinds[Launch]))
    monkeypatch.setattr(warming, "_THOUGHTS", {})


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize(
    ("name", "seat"), [("penny-white", "bot:beginner"), ("ice", "bot:beginner"), ("tiddlywinks", "random")]
)
def test_a_game_of_one_seed_is_the_same_without_the_compiler_while_it_works_and_after(
    name: str, seat: str, under_way: Event
) -> None:
    game = load(name)
    for done in (False, True):
        match, usual = (open_match(game, game.options(), [parse_seat(seat)] * max(2, game.seats[0]), 5) for _ in "ab")
        if done:
            under_way.set()
            for one in physics_of(game):
                one.wait()
        asks = beside(match, None)
        assert asks is not None
        came = [(turn.meant, turn.made, turn.after) for turn in islice(match.run(asks=asks), 5)]
        assert came == [(turn.meant, turn.made, turn.after) for turn in islice(usual.run(), 5)]
        assert all(one.ready == done for one in physics_of(game))


@pytest.mark.usefixtures("anew")
def test_beside_a_game_nothing_is_begun_that_it_does_not_need(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (Warming, Thoughts):
        monkeypatch.setattr(kind, "kept", lambda *_: False)
    monkeypatch.setattr(warming, "_run", lambda *_: pytest.fail("a process was begun"))
    coins, tiles = load("penny-white"), load("dominoes")
    for game, seat in ((coins, "random"), (tiles, "bot:club")):
        match = open_match(game, game.options(), [parse_seat(seat)] * 2, 5)
        usual = match.stage
        assert beside(match, PATIENCE) is None
        assert match.stage is usual
    monkeypatch.setattr(Warming, "kept", lambda *_: True)
    assert beside(open_match(coins, coins.options(), [parse_seat("bot:club")] * 2, 5), None) is None


@pytest.mark.usefixtures("under_way")
def test_bots_that_need_nothing_compiled_are_asked_here() -> None:
    match, asks, needed = asked("dominoes", "club", PATIENCE)
    assert asks(match) == match.ask()
    assert not any(one.working for one in needed)


def test_thoughts_are_compiled_anew_where_their_source_is_younger(tmp_path: Path) -> None:
    game = load("dominoes")
    one = thoughts_of(game)
    assert one is thoughts_of(game)
    assert one is not None
    assert not one.kept(tmp_path)
    (tmp_path / "dominoes_x").mkdir()
    there = [tmp_path / "dominoes_x" / f"lines.{name}-20.py311.1.nbi" for name in ("deal_out", "play_on")]
    there[0].touch()
    assert not one.kept(tmp_path)
    there[1].touch()
    assert one.kept(tmp_path)
    os.utime(there[0], (1.0, 1.0))
    assert not one.kept(tmp_path)


def test_games_that_have_nothing_compiled_wait_for_nothing() -> None:
    assert thoughts_of(load("penny-white")) is None
    wait, says = awaited(None, thoughts_of(load("ice")))
    wait()
    assert says() == ""


def test_the_other_process_compiles_the_thoughts_of_a_game() -> None:
    one = thoughts_of(load("tinkle"))
    assert one is not None
    code = one.code.replace("rehearse('tinkle')", "assert callable(rehearse)")
    assert "assert callable" in code
    assert subprocess.run([sys.executable, "-c", code], stdin=subprocess.PIPE, check=False).returncode == 0


def test_at_the_squidge_off_nobody_waits_for_the_compiler() -> None:
    game = load("tiddlywinks")
    match = open_match(game, game.options(), [parse_seat("bot:club")] * 4, 1)
    one = thoughts_of(game)
    assert one is not None
    assert not one.awaits(match), "who begins is found by what is natural"
    noting, plans = Noting(), game.bot.candidates(match.state, np.random.Generator(np.random.PCG64(1)), 4)
    assert game.bot.guesses(match.state, 0, plans, STEADY, 1, noting) is None  # type: ignore[attr-defined]
    assert not noting.calls
    assert game.positions is not None
    opened, _ = game.positions.begin(game.positions.shipped(game.positions.names()[0]))
    match.set_up(opened)
    assert one.awaits(match)


def test_the_sentence_for_those_who_wait_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(Warming, "brief", property(lambda one: asked.append(one) or "It is compiled."))
    one = Warming("bots", lambda: None, (), "")
    _, says = awaited(None, one, one)
    assert says() == "It is compiled."
    assert asked == [one]
