"""Rollout model of a game: win probabilities from its rules, its physics and its bot."""

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

from flicksim.ai import (
    NO_NOISE,
    DiscSimulator,
    ExecutionNoise,
    ModelError,
    RolloutOutcomes,
    model_error_at,
    report_shots,
    stop_if_cancelled,
    within_execution_noise,
)
from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import Action, State, Unchecked, View
from flicksim.engine import Settings
from flicksim.engine.batch import OFF_TABLE, Flicks, board_arrays, contact_rings, scene_arrays, simulate_scene_arrays
from flicksim.engine.jit import njit
from flicksim.games import load
from flicksim.match.action_similarity import is_similar_action
from flicksim.match.compile_progress import current_listener
from flicksim.match.game_model import SEARCH_SETTINGS, GameModel, PhysicsSimulator
from flicksim.match.interrupts import check_interrupt
from flicksim.match.match import Simulator
from flicksim.match.purpose import purpose_of
from flicksim.referee import Game, Purpose
from flicksim.scene import Flick, Launch, Scene, Squidge

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

_MAX_PARALLEL_ROLLOUTS = 4096
"""So many lines are played out side by side; more would only take more memory."""
_DEFAULT_SHOTS = 1000
"""Shots settled for a position of a game that does not say."""
_POINTS_SCALE = 3.0
"""A lead of so many points is a chance of .88 to win, where a game does not say."""


F = TypeVar("F", bound=Callable[..., object])
_COMPILED_FUNCTIONS: dict[Callable[..., object], Callable[..., object]] = {}
"""Functions that bots had compiled."""
_COMPILE_DELAY = 3.0
"""A first call that lasts longer is being compiled [s]."""
_COMPILE_NOTICE = (
    "The playing out of this game is being compiled, once; the first answer waits for it, for half a minute or so."
)


class GameRolloutModel:
    """Chances of a game, by its rules and its bot.

    A bot that plays its game out by itself, many lines at once, brings `rollout`. Of others every line is played on by
    its most natural action for `DEFAULT_ROLLOUT_TURNS` turns, and then has the bot's `value`, or its
    `evaluate_state`.
    A game of cards always brings it: it deals what is hidden anew for every line.

    Args:
        simulator: settles what the rules put on it. style: one of the styles the game's bot knows.
        use_learned: whether it knows what was learnt of the game from many others.
        max_turns: that a line is played on; as many as the bot says without.
    """

    def __init__(
        self,
        game: Game,
        simulator: Simulator,
        style: str = "",
        *,
        use_learned: bool = True,
        max_turns: int | None = None,
    ) -> None:
        self._game, self._simulator, self.use_learned = game, simulator, use_learned
        self._model = GameModel(game, simulator, style)
        self._max_turns: int = getattr(game.bot, "DEFAULT_ROLLOUT_TURNS", 0) if max_turns is None else max_turns
        self._disc_simulators: list[tuple[Scene, DiscSimulator]] = []
        self._purpose_cache: tuple[View, dict[Action, Purpose | None]] = (None, {})
        self._reported_shots = 0
        """Shots that were told of as they were settled."""

    def __getstate__(self) -> dict[str, object]:
        """All but what is kept to save time: another process makes that for itself."""
        return self.__dict__ | {"_disc_simulators": []}

    @property
    def default_shots(self) -> int:
        """Shots that are settled for a position, where nobody says how many."""
        shots: int = getattr(self._game.bot, "DEFAULT_SHOTS", _DEFAULT_SHOTS)
        return shots

    def top_candidates(self, view: View, count: int) -> list[Action]:
        """The most natural plans, always the same ones."""
        return self.candidates(view, np.random.Generator(np.random.PCG64(0)), count)

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """Actions worth a thought."""
        return self._model.candidates(view, rng, count)

    def check(self, view: View, action: Action) -> None:
        """Raises IllegalAction when the rules do not allow it."""
        self._game.rules.check_action(view, action)

    def target_of(self, view: View, action: Action) -> str | None:
        """The aim of an action, in words; None where the game's bot does not tell (`target_of`)."""
        own = getattr(self._game.bot, "target_of", None)
        return own(view, action) if own is not None and isinstance(action, Flick | Squidge | Launch) else None

    def is_similar(self, view: View, first: Action, second: Action, noise: ExecutionNoise) -> bool:
        """Tell whether two actions are one idea: a hand makes no difference between them, or they are alike, or are for
        the same with the same piece."""
        if within_execution_noise(first, second, noise):
            return True
        if (
            not isinstance(first, Flick | Squidge | Launch)
            or type(first) is not type(second)
            or first.piece != second.piece
        ):
            return False
        aims = self.target_of(view, first), self.target_of(view, second)
        # winks that fly to one place may be bound for the pot or for a wink beside it
        if not isinstance(first, Squidge) and is_similar_action(first, second, noise, aims):
            return True
        purpose = self.purpose(view, first)
        return purpose is not None and purpose == self.purpose(view, second)

    def simpler_action(self, view: View, action: Action) -> Action | None:
        """The same idea as people would do it; None where they would do it so, as far as the game's bot tells."""
        own = getattr(self._game.bot, "simpler_action", None)
        return None if own is None else own(view, action)

    def purpose(self, view: View, action: Action) -> Purpose | None:
        """The purpose of a flick, where it has one that its game has words for; kept for the view asked about."""
        if self._purpose_cache[0] is not view:
            self._purpose_cache = (view, {})
        known = self._purpose_cache[1]
        if action not in known:
            known[action] = purpose_of(self._game, self._simulator, view, action)
        return known[action]

    def fraction_played(self, view: View) -> float:
        """The share of the game that is over, 0 to 1, as far as its bot tells."""
        own = getattr(self._game.bot, "fraction_played", None)
        return 0.0 if own is None else float(own(view))

    def model_error(self, view: View) -> ModelError | None:
        """The error of what is told of a view beside the luck of the tries, as it was measured; None where it never
        was, or where all that may come of it is counted (`last`)."""
        if getattr(self._game.bot, "is_final_shot", lambda _: False)(view):
            return None
        file = getattr(self._game.bot, "__file__", None)
        return None if file is None else model_error_at(Path(file).parent, self.fraction_played(view))

    @property
    def plays_to_end(self) -> bool:
        """True where every line is played on to the end, not only judged by what a bot takes it to be worth."""
        return hasattr(self._game.bot, "rollout")

    def rollout(
        self, view: View, seat: int, candidates: Sequence[Action], noise: ExecutionNoise, rollouts: int, seed: int, *,
        exact: bool = False,
    ) -> RolloutOutcomes:  # fmt: skip
        """Make each plan so often and play on; try for try by the same luck."""
        many = max(1, _MAX_PARALLEL_ROLLOUTS // rollouts)
        parts = []
        for first in range(0, len(candidates), many):
            check_interrupt()
            stop_if_cancelled()
            heard = self._reported_shots
            parts.append(
                self._rollout_batch(view, seat, candidates[first : first + many], noise, rollouts, seed, exact)
            )
            self._report_shots(parts[-1].shots - (self._reported_shots - heard))
        if len(parts) == 1:
            return parts[0]
        return RolloutOutcomes(
            win_probability=np.concatenate([part.win_probability for part in parts]),
            point_margin=np.concatenate([part.point_margin for part in parts]),
            executed=np.concatenate([part.executed for part in parts]),
            shots=sum(part.shots for part in parts),
        )

    def prior_values(
        self, view: View, seat: int, candidates: Sequence[Action], noise: ExecutionNoise, seed: int
    ) -> tuple[Floats, Floats] | None:  # fmt: skip
        """The chance to win and the points ahead of each plan, as tables tell them before it is tried; NaN of those no
        table tells of, None where there is no table. [P], [P]"""
        own = getattr(self._game.bot, "prior_values", None)
        if own is None or not isinstance(self._simulator, PhysicsSimulator):
            return None
        found: tuple[Floats, Floats] | None = own(view, seat, candidates, noise, seed, self)
        return found

    def _rollout_batch(
        self,
        view: View,
        seat: int,
        candidates: Sequence[Action],
        noise: ExecutionNoise,
        rollouts: int,
        seed: int,
        exact: bool,
    ) -> RolloutOutcomes:
        own = getattr(self._game.bot, "rollout", None)
        if own is not None and (isinstance(self._simulator, PhysicsSimulator) or not self._game.uses_physics):
            found: RolloutOutcomes | None = own(view, seat, candidates, noise, rollouts, seed, self, exact=exact)
            if found is not None:
                return found
        return self._rollout_serially(view, seat, candidates, noise, rollouts, seed, exact)

    def states_after(self, transitions: Sequence[tuple[View, Action]]) -> Iterator[State]:
        """The state after each of these actions, or the `FlicksimError` for which it cannot be done."""
        for state in self._model.next_states_each(transitions):
            self._report_shots(1)
            yield state

    def _report_shots(self, shots: int) -> None:
        """Tell whoever listens of more shots settled."""
        self._reported_shots += shots
        report_shots(shots)

    def compile(self, function: F) -> F:
        """A function of numbers and arrays, compiled where that can be; kept for the next that asks."""
        if function not in _COMPILED_FUNCTIONS:
            _COMPILED_FUNCTIONS[function] = _compile_announced(function)
        return cast(F, _COMPILED_FUNCTIONS[function])

    def disc_simulator(self, scene: Scene) -> DiscSimulator:
        """The settling of flicks of a scene's coins, kept for the next that asks."""
        assert isinstance(self._simulator, PhysicsSimulator)
        if not self._disc_simulators or self._disc_simulators[0][0] != scene:
            self._disc_simulators = [(scene, make_disc_simulator(scene, self._simulator.settings))]
        return self._disc_simulators[0][1]

    def _rollout_serially(
        self,
        view: View,
        seat: int,
        candidates: Sequence[Action],
        noise: ExecutionNoise,
        rollouts: int,
        seed: int,
        exact: bool,
    ) -> RolloutOutcomes:
        first = NO_NOISE if exact else noise
        lines = []
        for plan in candidates:
            for k in range(rollouts):
                rng = np.random.Generator(np.random.PCG64([seed, k]))
                lines.append(_Rollout(rng, view, first.execute(plan, rng)))
        shots = len(lines)
        numbers = [(getattr(line.action, "speed", 0.0), getattr(line.action, "azimuth", 0.0)) for line in lines]
        made = np.array(numbers).reshape(len(candidates), rollouts, 2)
        self._apply_actions(lines)
        for _ in range(self._max_turns):
            live = [line for line in lines if self._is_running(line.state)]
            for line in live:
                line.action = noise.execute(self._default_action(line), line.rng)
            shots += len(live)
            self._apply_actions(live)
        told = np.array([self._state_value(view, line.state, seat, noise) for line in lines]).reshape(
            len(candidates), rollouts, 2
        )
        return RolloutOutcomes(win_probability=told[..., 0], point_margin=told[..., 1], executed=made, shots=shots)

    def _apply_actions(self, rollouts: Sequence[_Rollout]) -> None:
        """Make the action of each line; one that cannot be done ends its line."""
        after = self._model.next_states_each([(line.state, line.action) for line in rollouts])
        for line in rollouts:
            stop_if_cancelled()
            line.state = next(after)
            self._report_shots(1)

    def _is_running(self, state: State) -> bool:
        return not isinstance(state, FlicksimError) and self._game.rules.to_play(state) is not None

    def _default_action(self, rollout: _Rollout) -> Action:
        """The most natural action of whoever is to play, or the first that is allowed."""
        seat = self._game.rules.to_play(rollout.state)
        assert seat is not None
        found = self._model.candidates(self._game.rules.view(rollout.state, seat), rollout.rng, 1)
        return found[0] if found else self._game.rules.legal_actions(rollout.state).actions[0]

    def _state_value(self, view: View, state: State, seat: int, noise: ExecutionNoise) -> tuple[float, float]:
        """The chance to win and the points ahead of a seat, as a state stands that came of a view."""
        if isinstance(state, FlicksimError):
            return 0.0, -_POINTS_SCALE
        rules, own = self._game.rules, getattr(self._game.bot, "evaluate_state", None)
        if own is not None:
            found: tuple[float, float] = own(view, state, seat, noise)
            return found
        try:
            ahead = self._model.value(state, seat)
        except FlicksimError:
            return 0.0, -_POINTS_SCALE
        if rules.to_play(state) is not None:
            return 0.5 + 0.5 * tanh(ahead / _POINTS_SCALE), ahead
        return win_share(self._game, state, seat), ahead


def announce_compiling() -> None:
    """Say what is waited for, once for this process, unless somebody is told of it part by part just now."""
    if current_listener() is None:
        log_compile_notice()


@cache
def log_compile_notice() -> None:
    """Say it, once for this process."""
    logging.getLogger("flicksim").warning(_COMPILE_NOTICE)


def _compile_announced(function: F) -> F:
    """The function, compiled. Its first call, where it lasts, says what is waited for: what is kept comes at once."""
    quick = njit(function)
    if quick is function or parent_process() is not None:
        return quick

    def first_call(*given: Unchecked) -> object:
        _COMPILED_FUNCTIONS[function] = quick
        waits = Timer(_COMPILE_DELAY, announce_compiling)
        waits.daemon = True
        waits.start()
        try:
            return quick(*given)
        finally:
            waits.cancel()

    return cast(F, first_call)


@dataclass(slots=True)
class _Rollout:
    """One way in which a game may go on: by which luck, how it stands, and what is done next."""

    rng: np.random.Generator
    state: State
    action: Action


def warmup(name: str) -> None:
    """Have all compiled that the bots of a game, which names it in `COMPILED`, play on in their heads with."""
    game = load(name)
    own: Callable[[GameRolloutModel], None] | None = getattr(game.bot, "warmup", None)
    if own is not None:
        own(GameRolloutModel(game, PhysicsSimulator(SEARCH_SETTINGS)))


def win_share(game: Game, state: State, seat: int) -> float:
    """The share that a seat's side has in the win as a state stands: sides that are level share it."""
    best = game.rules.leaders(state)
    sides = game.sides(len(game.rules.scores(state)))
    ahead = [side for side in sides if any(one in best for one in side)]
    return 1.0 / len(ahead) if any(seat in side for side in ahead) else 0.0


def make_disc_simulator(scene: Scene, settings: Settings) -> DiscSimulator:
    """The settling of flicks of these coins, many at once, wherever on their board they lie."""
    ids, rings = tuple(piece.id for piece in scene.pieces), contact_rings([scene])
    board, laid = board_arrays(scene, rings), scene_arrays([scene], [settings], ids, rings)
    names = np.array(ids, dtype=object)

    def slide(
        positions: Floats, present: Bools, column: Ints, speed: Floats, azimuth: Floats, offset: Floats
    ) -> tuple[Floats, Bools]:
        whole = np.zeros((*positions.shape[:2], 3))
        whole[..., :2] = positions
        flicks = Flicks(piece=list(names[column]), speed=speed, azimuth=azimuth, offset=offset)
        why = np.full(len(speed), "", dtype=object)
        found = simulate_scene_arrays([scene], ids, board, laid._replace(positions=whole, present=present), flicks, why)
        rests = (found.error == "")[:, None]  # a shot in a million does not settle: nothing moves then
        at = np.where(present[..., None] & rests[..., None], found.positions[..., :2], positions)
        return at, rests & (found.outcome == OFF_TABLE)

    return slide
