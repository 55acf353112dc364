"""Chances of a game, found by playing it out many times: the joint of a game's rules, its physics and whoever
weighs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import tanh
from multiprocessing import parent_process
from pathlib import Path
from threading import Timer
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

from flicksim.base.errors import FlicksimError
from flicksim.base.kinds import Action, Given, State, View
from flicksim.games import load
from flicksim.physics import Settings
from flicksim.physics.batch import GONE, Flicks, board_of, laid_of, rings_of, settle_laid
from flicksim.physics.flight.jit import compiled
from flicksim.play.compiling import told
from flicksim.play.ideas import alike
from flicksim.play.interrupt import safe_point
from flicksim.play.match import Stage
from flicksim.play.model import THOUGHT, GameModel, TableStage
from flicksim.play.purpose import purpose_of
from flicksim.players import (
    STEADY,
    Hand,
    ModelError,
    Outcomes,
    Slide,
    measured_error,
    one_idea,
    stop_if_cancelled,
    tell_settled,
)
from flicksim.referee import Game, Purpose
from flicksim.table import Flick, Launch, Scene, Squidge

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

_ROWS = 4096
"""So many lines are played out side by side; more would only take more memory."""
_USUAL = 1000
"""Shots settled for a position of a game that does not say."""
_SWING = 3.0
"""A lead of so many points is a chance of .88 to win, where a game does not say."""


F = TypeVar("F", bound=Callable[..., object])
_COMPILED: dict[Callable[..., object], Callable[..., object]] = {}
"""Functions that bots had compiled."""
_LASTS = 3.0
"""A first call that lasts longer is being compiled [s]."""
_SAYS = "The playing out of this game is being compiled, once; the first answer waits for it, for half a minute or so."


class GameFuture:
    """Chances of a game, by its rules and its bot.

    A bot that plays its game out by itself, many lines at once, brings `play_out`. Of others every line is played on by
    its most natural action for `LINES` turns, and is then worth its `value`, or what the bot tells of it (`told`).
    A game of cards always brings it: it deals what is hidden anew for every line.

    Args:
        stage: settles what the rules put on it. style: one of the styles the game's bot knows.
        learnt: whether it knows what was learnt of the game from many others.
        turns: that a line is played on; as many as the bot says without.
    """

    def __init__(
        self, game: Game, stage: Stage, style: str = "", *, learnt: bool = True, turns: int | None = None
    ) -> None:
        self._game, self._stage, self.learnt = game, stage, learnt
        self._model = GameModel(game, stage, style)
        self._turns: int = getattr(game.bot, "LINES", 0) if turns is None else turns
        self._slides: list[tuple[Scene, Slide]] = []
        self._purposes: tuple[View, dict[Action, Purpose | None]] = (None, {})
        self._heard = 0
        """Shots that were told of as they were settled."""

    def __getstate__(self) -> dict[str, object]:
        """All but what is kept to save time: another process makes that for itself."""
        return self.__dict__ | {"_slides": []}

    @property
    def usual(self) -> int:
        """Shots that are settled for a position, where nobody says how many."""
        shots: int = getattr(self._game.bot, "SHOTS", _USUAL)
        return shots

    def plans(self, view: View, count: int) -> list[Action]:
        """The most natural plans, always the same ones."""
        return self.candidates(view, np.random.Generator(np.random.PCG64(0)), count)

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """Actions worth a thought."""
        return self._model.candidates(view, rng, count)

    def check(self, view: View, action: Action) -> None:
        """Raises IllegalAction when the rules do not allow it."""
        self._game.rules.check(view, action)

    def aim(self, view: View, action: Action) -> str | None:
        """The aim of an action, in words; None where the game's bot does not tell (`aimed_at`)."""
        own = getattr(self._game.bot, "aimed_at", None)
        return own(view, action) if own is not None and isinstance(action, Flick | Squidge | Launch) else None

    def same_idea(self, view: View, one: Action, other: Action, hand: Hand) -> bool:
        """Tell whether two actions are one idea: a hand makes no difference between them, or they are alike, or are for
        the same with the same piece."""
        if one_idea(one, other, hand):
            return True
        if not isinstance(one, Flick | Squidge | Launch) or type(one) is not type(other) or one.piece != other.piece:
            return False
        aims = self.aim(view, one), self.aim(view, other)
        # winks that fly to one place may be bound for the pot or for a wink beside it
        if not isinstance(one, Squidge) and alike(one, other, hand, aims):
            return True
        purpose = self.purpose(view, one)
        return purpose is not None and purpose == self.purpose(view, other)

    def plainer(self, view: View, action: Action) -> Action | None:
        """The same idea as people would do it; None where they would do it so, as far as the game's bot tells."""
        own = getattr(self._game.bot, "plainer", None)
        return None if own is None else own(view, action)

    def purpose(self, view: View, action: Action) -> Purpose | None:
        """The purpose of a flick, where it has one that its game has words for; kept for the view asked about."""
        if self._purposes[0] is not view:
            self._purposes = (view, {})
        known = self._purposes[1]
        if action not in known:
            known[action] = purpose_of(self._game, self._stage, view, action)
        return known[action]

    def gone(self, view: View) -> float:
        """The share of the game that is over, 0 to 1, as far as its bot tells."""
        own = getattr(self._game.bot, "gone", None)
        return 0.0 if own is None else float(own(view))

    def model_error(self, view: View) -> ModelError | None:
        """The error of what is told of a view beside the luck of the tries, as it was measured; None where it never
        was, or where all that may come of it is counted (`last`)."""
        if getattr(self._game.bot, "last", lambda _: False)(view):
            return None
        file = getattr(self._game.bot, "__file__", None)
        return None if file is None else measured_error(Path(file).parent, self.gone(view))

    @property
    def played_out(self) -> bool:
        """True where every line is played on to the end, not only judged by what a bot takes it to be worth."""
        return hasattr(self._game.bot, "play_out")

    def play_out(
        self, view: View, seat: int, plans: Sequence[Action], hand: Hand, tries: int, seed: int, *,
        exact: bool = False,
    ) -> Outcomes:  # fmt: skip
        """Make each plan so often and play on; try for try by the same luck."""
        many = max(1, _ROWS // tries)
        parts = []
        for first in range(0, len(plans), many):
            safe_point()
            stop_if_cancelled()
            heard = self._heard
            parts.append(self._played(view, seat, plans[first : first + many], hand, tries, seed, exact))
            self._hear(parts[-1].shots - (self._heard - heard))
        if len(parts) == 1:
            return parts[0]
        return Outcomes(
            chance=np.concatenate([part.chance for part in parts]),
            points=np.concatenate([part.points for part in parts]),
            made=np.concatenate([part.made for part in parts]),
            shots=sum(part.shots for part in parts),
        )

    def guesses(
        self, view: View, seat: int, plans: Sequence[Action], hand: Hand, seed: int
    ) -> tuple[Floats, Floats] | None:  # fmt: skip
        """The chance to win and the points ahead of each plan, as tables tell them before it is tried; NaN of those no
        table tells of, None where there is no table. [P], [P]"""
        own = getattr(self._game.bot, "guesses", None)
        if own is None or not isinstance(self._stage, TableStage):
            return None
        found: tuple[Floats, Floats] | None = own(view, seat, plans, hand, seed, self)
        return found

    def _played(
        self, view: View, seat: int, plans: Sequence[Action], hand: Hand, tries: int, seed: int, exact: bool
    ) -> Outcomes:
        own = getattr(self._game.bot, "play_out", None)
        if own is not None and (isinstance(self._stage, TableStage) or not self._game.flicked):
            found: Outcomes | None = own(view, seat, plans, hand, tries, seed, self, exact=exact)
            if found is not None:
                return found
        return self._line_by_line(view, seat, plans, hand, tries, seed, exact)

    def after(self, turns: Sequence[tuple[View, Action]]) -> Iterator[State]:
        """The state after each of these actions, or the `FlicksimError` for which it cannot be done."""
        for state in self._model.imagine_each(turns):
            self._hear(1)
            yield state

    def _hear(self, shots: int) -> None:
        """Tell whoever listens of more shots settled."""
        self._heard += shots
        tell_settled(shots)

    def quick(self, function: F) -> F:
        """A function of numbers and arrays, compiled where that can be; kept for the next that asks."""
        if function not in _COMPILED:
            _COMPILED[function] = _announced(function)
        return cast(F, _COMPILED[function])

    def slide(self, scene: Scene) -> Slide:
        """The settling of flicks of a scene's coins, kept for the next that asks."""
        assert isinstance(self._stage, TableStage)
        if not self._slides or self._slides[0][0] != scene:
            self._slides = [(scene, sliding(scene, self._stage.settings))]
        return self._slides[0][1]

    def _line_by_line(
        self, view: View, seat: int, plans: Sequence[Action], hand: Hand, tries: int, seed: int, exact: bool
    ) -> Outcomes:
        first = STEADY if exact else hand
        lines = []
        for plan in plans:
            for k in range(tries):
                rng = np.random.Generator(np.random.PCG64([seed, k]))
                lines.append(_Line(rng, view, first.make(plan, rng)))
        shots = len(lines)
        numbers = [(getattr(line.action, "speed", 0.0), getattr(line.action, "azimuth", 0.0)) for line in lines]
        made = np.array(numbers).reshape(len(plans), tries, 2)
        self._step(lines)
        for _ in range(self._turns):
            live = [line for line in lines if self._goes_on(line.state)]
            for line in live:
                line.action = hand.make(self._natural(line), line.rng)
            shots += len(live)
            self._step(live)
        told = np.array([self._told(view, line.state, seat, hand) for line in lines]).reshape(len(plans), tries, 2)
        return Outcomes(chance=told[..., 0], points=told[..., 1], made=made, shots=shots)

    def _step(self, lines: Sequence[_Line]) -> None:
        """Make the action of each line; one that cannot be done ends its line."""
        after = self._model.imagine_each([(line.state, line.action) for line in lines])
        for line in lines:
            stop_if_cancelled()
            line.state = next(after)
            self._hear(1)

    def _goes_on(self, state: State) -> bool:
        return not isinstance(state, FlicksimError) and self._game.rules.to_play(state) is not None

    def _natural(self, line: _Line) -> Action:
        """The most natural action of whoever is to play, or the first that is allowed."""
        seat = self._game.rules.to_play(line.state)
        assert seat is not None
        found = self._model.candidates(self._game.rules.view(line.state, seat), line.rng, 1)
        return found[0] if found else self._game.rules.choices(line.state).actions[0]

    def _told(self, view: View, state: State, seat: int, hand: Hand) -> tuple[float, float]:
        """The chance to win and the points ahead of a seat, as a state stands that came of a view."""
        if isinstance(state, FlicksimError):
            return 0.0, -_SWING
        rules, own = self._game.rules, getattr(self._game.bot, "told", None)
        if own is not None:
            found: tuple[float, float] = own(view, state, seat, hand)
            return found
        try:
            ahead = self._model.value(state, seat)
        except FlicksimError:
            return 0.0, -_SWING
        if rules.to_play(state) is not None:
            return 0.5 + 0.5 * tanh(ahead / _SWING), ahead
        return share_won(self._game, state, seat), ahead


def announce() -> None:
    """Say what is waited for, once for this process, unless somebody is told of it part by part just now."""
    if told() is None:
        speak()


@cache
def speak() -> None:
    """Say it, once for this process."""
    logging.getLogger("flicksim").warning(_SAYS)


def _announced(function: F) -> F:
    """The function, compiled. Its first call, where it lasts, says what is waited for: what is kept comes at once."""
    quick = compiled(function)
    if quick is function or parent_process() is not None:
        return quick

    def first(*given: Given) -> object:
        _COMPILED[function] = quick
        waits = Timer(_LASTS, announce)
        waits.daemon = True
        waits.start()
        try:
            return quick(*given)
        finally:
            waits.cancel()

    return cast(F, first)


@dataclass(slots=True)
class _Line:
    """One way in which a game may go on: by which luck, how it stands, and what is done next."""

    rng: np.random.Generator
    state: State
    action: Action


def rehearse(name: str) -> None:
    """Have all compiled that the bots of a game, which names it in `COMPILED`, play on in their heads with."""
    game = load(name)
    own: Callable[[GameFuture], None] | None = getattr(game.bot, "rehearse", None)
    if own is not None:
        own(GameFuture(game, TableStage(THOUGHT)))


def share_won(game: Game, state: State, seat: int) -> float:
    """The share that a seat's side has in the win as a state stands: sides that are level share it."""
    best = game.rules.winning(state)
    sides = game.sides(len(game.rules.scores(state)))
    ahead = [side for side in sides if any(one in best for one in side)]
    return 1.0 / len(ahead) if any(seat in side for side in ahead) else 0.0


def sliding(scene: Scene, settings: Settings) -> Slide:
    """The settling of flicks of these coins, many at once, wherever on their board they lie."""
    ids, rings = tuple(piece.id for piece in scene.pieces), rings_of([scene])
    board, laid = board_of(scene, rings), laid_of([scene], [settings], ids, rings)
    names = np.array(ids, dtype=object)

    def slide(
        places: Floats, there: Bools, column: Ints, speed: Floats, azimuth: Floats, offset: Floats
    ) -> tuple[Floats, Bools]:
        whole = np.zeros((*places.shape[:2], 3))
        whole[..., :2] = places
        flicks = Flicks(piece=list(names[column]), speed=speed, azimuth=azimuth, offset=offset)
        why = np.full(len(speed), "", dtype=object)
        found = settle_laid([scene], ids, board, laid._replace(places=whole, there=there), flicks, why)
        rests = (found.failed == "")[:, None]  # a shot in a million does not settle: nothing moves then
        at = np.where(there[..., None] & rests[..., None], found.places[..., :2], places)
        return at, rests & (found.fate == GONE)

    return slide
