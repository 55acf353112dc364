"""Compiling of all that shots and bots need, once, beside a game, which goes on meanwhile.

A compiler in this process would hold it up, so another process does the work and leaves it on the disk, one part after
another, and first the part that somebody waits for. Shots meanwhile are made with the plain functions, and so are bots'
thoughts: either less deep ones, in a moment, or the very same, however long that takes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Condition, Event

from flicksim.base.errors import FlicksimError
from flicksim.base.kinds import Account, Action, Staged
from flicksim.physics.flight import jit
from flicksim.play.background import Background
from flicksim.play.compiling import is_kept
from flicksim.play.future import rehearse
from flicksim.play.interrupt import safe_point
from flicksim.play.match import Match, Stage
from flicksim.play.meanwhile import THINKERS, Meanwhile
from flicksim.play.model import TableStage
from flicksim.players import WeighingPlayer, stop_if_cancelled
from flicksim.referee import Game

Asks = Callable[[Match], Action]
"""Way to ask the player whose turn it is."""
PATIENCE = 1.2
"""Thoughts that somebody waits for, while they are made plainly, are cut short after so long [s]."""
_LONGEST = 300.0
_COMPILE = """
import gc, os, sys
from threading import Thread
Thread(target=lambda: (sys.stdin.buffer.read(), os._exit(0)), daemon=True).start()  # nobody is there to play any more
gc.disable()  # a compiler makes much and lets go of little
from {module} import {name}
{name}({given})
"""
_PHYSICS = Path(jit.__file__).parents[1]
_COMPILED = re.compile(r"^@(?:compiled|bare|inlined)\b", re.MULTILINE)
"""Stands over each function that is compiled."""


class _Turns:
    """One compiler at a time, for what is wanted soonest: it takes over from another, whose parts stay on the disk."""

    def __init__(self) -> None:
        self._free = Condition()
        self._waiting: list[Warming] = []
        self._at: Warming | None = None
        self._stop: Callable[[], None] = lambda: None

    def run(self, one: Warming) -> None:
        """Compile it when its turn has come; again, where another was wanted sooner."""
        over = False
        while not over:
            with self._free:
                self._waiting.append(one)
                self._give_way()
                self._free.wait_for(lambda: self._at is None and self._next() is one)
                self._waiting.remove(one)
                self._at = one
            try:
                over = _run(one.code, self._stopped_by)
            finally:
                with self._free:
                    self._at, self._stop = None, lambda: None
                    self._free.notify_all()

    def hurry(self, one: Warming) -> None:
        """Somebody waits for it now; one that does not stand here yet is seen to when it comes."""
        with self._free:
            if one in self._waiting:
                self._give_way()

    def waits(self, one: Warming) -> bool:
        """True while its turn is still to come."""
        with self._free:
            return one in self._waiting

    def _give_way(self) -> None:
        """Stop the one at work where nobody waits for it, but for another."""
        if self._at is not None and not self._at.wanted and self._waiting and self._next().wanted:
            self._stop()

    def _next(self) -> Warming:
        return next((one for one in self._waiting if one.wanted), self._waiting[0])

    def _stopped_by(self, stop: Callable[[], None]) -> None:
        with self._free:
            self._stop = stop
            self._give_way()


_TURNS = _Turns()


class Warming:
    """The warming up of one kind of physics, begun at the front door.

    Args:
        name: of what waits for it, for people.
        shoot: makes a shot that needs all of it; a function by itself, which another process can import.
        parts: the files of the physics that are compiled for it, as patterns. last: the function compiled last.
    """

    def __init__(self, name: str, shoot: Callable[[], None], parts: Sequence[str], last: str) -> None:
        self._name, self._shoot, self._parts, self._last = name, shoot, tuple(parts), last
        self.wanted = False
        """True once somebody has sat down to what needs it."""
        self._compiled: Background[None] | None = None
        self._job: Background[None] | None = None
        self.meanwhile = Meanwhile()
        """Process in which shots and thoughts are made until it is ready."""
        self._needed, self._beside, self._looked = False, False, Event()

    @property
    def queued(self) -> bool:
        """True while it is to be compiled after another."""
        return _TURNS.waits(self)

    def compile(self) -> None:
        """Begin to compile, beside this process, unless that has begun or is done."""
        if self._compiled is None:
            self._compiled = Background(self._compile)

    def begin(self) -> None:
        """Begin to make ready for shots in this process, unless that has begun."""
        self.wanted = True
        self.compile()
        if self._job is None:
            self._job = Background(self._work)
            _TURNS.hurry(self)

    @property
    def ready(self) -> bool:
        """Tell whether shots come at once now."""
        return self._job is not None and self._job.done

    def wait(self) -> None:
        """Until it is done; not for the window's own thread."""
        self.begin()
        assert self._job is not None
        self._job.result()

    def wait_compiled(self) -> None:
        """Until another process can load it from the disk; not for the window's own thread."""
        self.wanted = True
        self.compile()
        assert self._compiled is not None
        _TURNS.hurry(self)
        self._compiled.result()

    @property
    def says(self) -> str:
        """The work of the compiler, in words, with how far it has come; empty when it has none."""
        brief = self.brief
        return brief and f"{brief} That takes about a minute; you can play already, and bots think less far meanwhile."

    @property
    def brief(self) -> str:
        """The same in few words, for those who wait."""
        if not self.working:
            return ""
        done, of = self.progress
        return f"Getting {self._name} ready, once: {done} of {of} parts."

    @property
    def working(self) -> bool:
        """True while the compiler is at work on it, or still to be."""
        return self._needed and self._compiled is not None and not self._compiled.done

    @property
    def progress(self) -> tuple[int, int]:
        """The number of functions that are compiled, and of all that have to be."""
        every = _functions(self._parts)
        done = sum(len(list(Path(jit.kept_in()).glob(f"{one.replace('/', '_*/')}.*.nbi"))) for one in self._parts)
        return min(done, every - 1), every

    def stage(self, usual: Stage) -> Stage:
        """The same stage, but that shots while the compiler is at work are made beside it."""
        self._beside = True
        return _Beside(self, usual) if isinstance(usual, TableStage) else usual

    def settle(self, before: Staged, action: Action, usual: TableStage) -> Account:
        """Settle a shot with what is there."""
        if self.plainly():
            with suppress(OSError):
                return self.meanwhile.settle(before, action, usual.settings)
        self.wait()
        return usual.settle(before, action)

    def asker(self, patience: float | None = PATIENCE) -> Asks:
        """The way to ask bots, who think with what is there: what they need meanwhile begins as one sits down.

        Args:
            patience: a thought has so long, and is less deep, until all is compiled [s]; without it is the very same
                whatever is compiled, however long it takes; one that would take minutes waits for the compiler.
        """
        self._beside = True
        return lambda match: _asked(match, (self,), patience)

    def plainly(self) -> bool:
        """Tell whether it has to go without the compiler just now."""
        self.begin()
        self._looked.wait()
        return self._needed and not self.ready

    @property
    def code(self) -> str:
        """The code that the other process runs."""
        return _COMPILE.format(module=self._shoot.__module__, name=self._shoot.__name__, given="")

    @property
    def missing(self) -> bool:
        """Tell whether it can be kept on the disk, and was not there when it was begun."""
        self.compile()
        self._looked.wait()
        return self._needed

    def kept(self, folder: Path) -> bool:
        """Tell whether all of it is on the disk, in the folder of compiled code."""
        room = self._parts[-1].partition("/")[0]
        return any(folder.glob(f"{room}_*/{self._last}-*.nbi"))

    def _compile(self) -> None:
        try:
            folder = jit.kept_in()
            self._needed = bool(folder) and not self.kept(Path(folder))
        finally:
            self._looked.set()
        if self._needed:
            # where no other process can be had, this one compiles, and the window stutters meanwhile
            with suppress(OSError, subprocess.SubprocessError):
                _TURNS.run(self)

    def _work(self) -> None:
        assert self._compiled is not None
        if self.missing and self._beside:
            self.meanwhile.begin()
        self._compiled.result()
        self._shoot()
        self.meanwhile.end()


class Thoughts(Warming):
    """The warming up of the functions by which the bots of a game play it on in their heads.

    Args:
        game: whose. functions: that its bots have compiled.
    """

    def __init__(self, game: Game, functions: Sequence[Callable[..., object]]) -> None:
        super().__init__("the bots' thought", lambda: rehearse(game.name), (), "")
        self._game, self._functions = game, tuple(functions)

    @property
    def brief(self) -> str:
        """The work of the compiler, in few words."""
        brief = super().brief
        return brief and f"{brief} They think less far meanwhile."

    @property
    def progress(self) -> tuple[int, int]:
        """The number of functions that are compiled, and of all that have to be."""
        folder, every = Path(jit.kept_in()), len(self._functions)
        return min(sum(is_kept(one, folder) for one in self._functions), every - 1), every

    @property
    def says(self) -> str:
        """The same: there is no more to say."""
        return self.brief

    @property
    def code(self) -> str:
        """The code that the other process runs."""
        return _COMPILE.format(module=rehearse.__module__, name=rehearse.__name__, given=repr(self._game.name))

    def kept(self, folder: Path) -> bool:
        """Tell whether all of it is on the disk, compiled since its source was written."""
        return all(is_kept(one, folder) for one in self._functions)

    def awaits(self, match: Match) -> bool:
        """Tell whether the player whose turn it is needs it: not where the game's bots only do as is natural."""
        seat, plays_on = match.to_play, getattr(self._game.bot, "plays_on", lambda _state: True)
        return seat is not None and isinstance(match.players[seat], WeighingPlayer) and bool(plays_on(match.state))

    def asker_of(self, match: Match, *physics: Warming, patience: float | None = PATIENCE) -> Asks:
        """The way to ask the bots of a match, who need it and all of the physics, or only the first of the physics."""
        usual = physics[0].asker(patience) if physics else Match.ask
        if any(isinstance(player, WeighingPlayer) for player in match.players):
            self._beside = not physics  # else plain thoughts are first made where plain shots are
            self.begin()
        return lambda match: _asked(match, (*physics, self), patience) if self.awaits(match) else usual(match)


def _asked(match: Match, needed: Sequence[Warming], patience: float | None) -> Action:
    """Ask the player whose turn it is, who thinks with what is there: plainly, until all that is needed is ready.

    Args:
        patience: see `Warming.asker`.
    """
    player = None if match.to_play is None else match.players[match.to_play]
    if not isinstance(player, THINKERS):
        return match.ask()
    waits = patience is None and isinstance(player, WeighingPlayer) and player.too_deep

    def look() -> None:
        safe_point()
        stop_if_cancelled()
        if all(one.ready for one in needed):
            raise _Ready

    for one in needed:
        one.begin()
    for one in needed:
        if one.plainly() and not waits:
            with suppress(OSError, _Ready):  # its process ends when it is ready: then another's is asked
                return one.meanwhile.choose(match.question(), patience, look)
    for one in needed:
        one.wait()
    stop_if_cancelled()
    return match.ask()


class _Ready(FlicksimError):
    """All is compiled now: a plain thought need not be waited for."""


_THOUGHTS: dict[str, Thoughts | None] = {}


def thoughts_of(game: Game) -> Thoughts | None:
    """The one warming up of a game's thoughts in this process; None where its bots have nothing compiled."""
    if game.name not in _THOUGHTS:
        functions: Sequence[Callable[..., object]] = getattr(game.bot, "COMPILED", ())
        _THOUGHTS[game.name] = Thoughts(game, functions) if functions else None
    return _THOUGHTS[game.name]


def asker(match: Match, *physics: Warming, patience: float | None = PATIENCE) -> Asks:
    """The way to ask the bots of a match, who think with what is there.

    Args:
        physics: that is compiled for it. patience: see `Warming.asker`.
    """
    thoughts = thoughts_of(match.game)
    if thoughts is not None:
        return thoughts.asker_of(match, *physics, patience=patience)
    return physics[0].asker(patience) if physics else Match.ask


def awaited(*warmings: Warming | None) -> tuple[Callable[[], None], Callable[[], str]]:
    """Ways to wait for what another process needs compiled, and to say that one waits; nothing to wait for of None."""
    every = [one for one in warmings if one is not None]

    def wait() -> None:
        for one in every:
            one.wait_compiled()

    return wait, lambda: next(filter(None, (one.brief for one in every)), "")


@cache
def _functions(parts: tuple[str, ...]) -> int:
    """The number of functions that are compiled of these files of the physics."""
    paths = (path for one in parts for path in _PHYSICS.glob(f"{one}.py"))
    return sum(len(_COMPILED.findall(path.read_text(encoding="utf-8"))) for path in paths)


def _run(code: str, stopped_by: Callable[[Callable[[], None]], None]) -> bool:
    """Run code in a process of its own. It listens, and ends with this one, however that ends.

    Args:
        stopped_by: is handed a way to stop it before its end. Returns whether it was let come to its end.
    """
    nowhere, stopped = subprocess.DEVNULL, Event()
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere)
    assert process.stdin is not None

    def stop() -> None:
        stopped.set()
        process.kill()

    stopped_by(stop)
    with process.stdin:
        try:
            process.wait(_LONGEST)
        finally:
            process.kill()
            process.wait()
    return not stopped.is_set()


class _Beside:
    """A stage that settles with what is there."""

    def __init__(self, warming: Warming, usual: TableStage) -> None:
        self._warming, self._usual, self.settings = warming, usual, usual.settings

    def settle(self, before: Staged, action: Action) -> Account:
        """A finished, frozen account."""
        return self._warming.settle(before, action, self._usual)
