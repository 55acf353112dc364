"""Rollout model of a game: win probabilities from its rules, its physics and its bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import tanh
from pathlib import Path
from typing import TypeVar, cast

import numpy as np

from flicksim import ai
from flicksim.core.arrays import Bools, Floats, Ints
from flicksim.core.errors import FlicksimError
from flicksim.core.signals import check_interrupt
from flicksim.core.type_aliases import Action, State, View
from flicksim.engine import Settings
from flicksim.engine.batch import OFF_TABLE, Flicks, board_arrays, contact_rings, scene_arrays, simulate_scene_arrays
from flicksim.engine.jit import njit_with_callees
from flicksim.games import load
from flicksim.match.game_model import GameModel, PhysicsSimulator
from flicksim.match.match import Simulator
from flicksim.match.purpose import is_similar_action, purpose_of
from flicksim.referee import Game, Purpose
from flicksim.scene import Flick, Launch, Scene, Squidge

_MAX_PARALLEL_ROLLOUTS = 4096
"""Largest number of rollouts in one batch; more would only take more memory."""
_DEFAULT_SHOTS = 1000
"""Default number of shots of an evaluation, for games without their own."""
_POINTS_SCALE = 3.0
"""Lead at which the default heuristic win probability is 0.88 [points]."""


F = TypeVar("F", bound=Callable[..., object])


class GameRolloutModel(GameModel):
    """Rollout model of a game from its rules, its simulator and its bot.

    A bot may have a vectorised `rollout` of its own, as in all card games, where it samples the hidden cards. Otherwise
    every rollout continues with the bot's first candidate for `DEFAULT_ROLLOUT_TURNS` turns and ends in the bot's
    `evaluate_state` or `value`.

    Args:
        simulator, style: see `GameModel`.
        use_learned: whether the learned tables of the game are used.
        max_turns: length of a rollout; the bot's default where None.
    """

    def __init__(
        self,
        game: Game,
        simulator: Simulator | None = None,
        style: str = "",
        *,
        use_learned: bool = True,
        max_turns: int | None = None,
    ) -> None:
        super().__init__(game, simulator, style)
        self.game, self.use_learned = game, use_learned
        self._max_turns: int = getattr(game.bot, "DEFAULT_ROLLOUT_TURNS", 0) if max_turns is None else max_turns
        self._disc_simulators: list[tuple[Scene, ai.DiscSimulator]] = []
        self._purpose_cache: tuple[View, dict[Action, Purpose | None]] = (None, {})
        self._reported_shots = 0
        """Number of shots already reported while they were simulated."""

    def __getstate__(self) -> dict[str, object]:
        """State without its cache of simulators."""
        return self.__dict__ | {"_disc_simulators": []}

    @property
    def default_shots(self) -> int:
        """Default number of shots of an evaluation."""
        shots: int = getattr(self.game.bot, "DEFAULT_SHOTS", _DEFAULT_SHOTS)
        return shots

    def top_candidates(self, view: View, count: int) -> list[Action]:
        """Propose candidates with a fixed seed."""
        return self.candidates(view, np.random.Generator(np.random.PCG64(0)), count)

    def check(self, view: View, action: Action) -> None:
        """Raise IllegalAction if the rules do not allow an action."""
        self._rules.check_action(view, action)

    def target_of(self, view: View, action: Action) -> str | None:
        """Target of a shot, in words; None where the bot has no `target_of`."""
        target_of = getattr(self.game.bot, "target_of", None)
        return (
            target_of(view, action) if target_of is not None and isinstance(action, Flick | Squidge | Launch) else None
        )

    def is_similar(self, view: View, first: Action, second: Action, noise: ai.ExecutionNoise) -> bool:
        """Return True if two actions are within execution noise, or have the same piece and target, end point or
        purpose."""
        if ai.within_execution_noise(first, second, noise):
            return True
        if (
            not isinstance(first, Flick | Squidge | Launch)
            or type(first) is not type(second)
            or first.piece != second.piece
        ):
            return False
        targets = self.target_of(view, first), self.target_of(view, second)
        # winks that fly to one place may have the pot or a wink beside it as target
        if not isinstance(first, Squidge) and is_similar_action(first, second, noise, targets):
            return True
        purpose = self.purpose(view, first)
        return purpose is not None and purpose == self.purpose(view, second)

    def simpler_action(self, view: View, action: Action) -> Action | None:
        """Return a simpler equivalent of an action, as people would play it; None where there is none."""
        simpler_action = getattr(self.game.bot, "simpler_action", None)
        return None if simpler_action is None else simpler_action(view, action)

    def purpose(self, view: View, action: Action) -> Purpose | None:
        """Purpose of an action, None where it has none; cached for the last view."""
        if self._purpose_cache[0] is not view:
            self._purpose_cache = (view, {})
        cache = self._purpose_cache[1]
        if action not in cache:
            cache[action] = purpose_of(self.game, self._simulator, view, action)
        return cache[action]

    def fraction_played(self, view: View) -> float:
        """Fraction of the game that has been played, 0 to 1; 0 where the bot cannot estimate it."""
        fraction_played = getattr(self.game.bot, "fraction_played", None)
        return 0.0 if fraction_played is None else float(fraction_played(view))

    def model_error(self, view: View) -> ai.ModelError | None:
        """Measured model error of evaluations of a view; None where it was never measured, or there is none because the
        last shot of the game is enumerated (`is_final_shot`)."""
        if getattr(self.game.bot, "is_final_shot", lambda _: False)(view):
            return None
        file = getattr(self.game.bot, "__file__", None)
        return None if file is None else ai.model_error_at(Path(file).parent, self.fraction_played(view))

    @property
    def plays_to_end(self) -> bool:
        """True where rollouts end with the game, not in a heuristic value."""
        return hasattr(self.game.bot, "rollout")

    def rollout(
        self, view: View, seat: int, candidates: Sequence[Action], noise: ai.ExecutionNoise, rollouts: int, seed: int,
        *, exact: bool = False,
    ) -> ai.RolloutOutcomes:  # fmt: skip
        """Roll out each candidate `rollouts` times, with common random numbers."""
        own = getattr(self.game.bot, "rollout", None)
        if self.game.uses_physics and not isinstance(self._simulator, PhysicsSimulator):
            own = None
        size = max(1, _MAX_PARALLEL_ROLLOUTS // rollouts)
        parts = list[ai.RolloutOutcomes]()
        for first in range(0, len(candidates), size):
            check_interrupt()
            ai.stop_if_cancelled()
            reported = self._reported_shots
            batch = candidates[first : first + size]
            outcomes = own and own(view, seat, batch, noise, rollouts, seed, self, exact=exact)
            parts.append(outcomes or self._rollout_serially(view, seat, batch, noise, rollouts, seed, exact))
            self._report_shots(parts[-1].shots - (self._reported_shots - reported))
        if len(parts) == 1:
            return parts[0]
        return ai.RolloutOutcomes(
            win_probability=np.concatenate([part.win_probability for part in parts]),
            point_margin=np.concatenate([part.point_margin for part in parts]),
            executed=np.concatenate([part.executed for part in parts]),
            shots=sum(part.shots for part in parts),
        )

    def prior_values(
        self, view: View, seat: int, candidates: Sequence[Action], noise: ai.ExecutionNoise, seed: int
    ) -> tuple[Floats, Floats] | None:  # fmt: skip
        """Win probability and point margin of each candidate from learned tables; NaN where a table has no entry, None
        without tables. [P], [P]"""
        prior_values = getattr(self.game.bot, "prior_values", None)
        if prior_values is None or not isinstance(self._simulator, PhysicsSimulator):
            return None
        values: tuple[Floats, Floats] | None = prior_values(view, seat, candidates, noise, seed, self)
        return values

    def states_after(self, transitions: Sequence[tuple[View, Action]]) -> Iterator[State]:
        """Yield the state after each of these actions, or the `FlicksimError` by which it failed."""
        for state in self.next_states_each(transitions):
            self._report_shots(1)
            yield state

    def _report_shots(self, shots: int) -> None:
        """Report simulated shots to the progress callback."""
        self._reported_shots += shots
        ai.report_shots(shots)

    def compile(self, function: F) -> F:
        """Compile a function of numbers and arrays, where numba is available; cached."""
        return cast(F, njit_with_callees(function))

    def disc_simulator(self, scene: Scene) -> ai.DiscSimulator:
        """Simulator of flicks of a scene's coins; cached for the last scene."""
        assert isinstance(self._simulator, PhysicsSimulator)
        if not self._disc_simulators or self._disc_simulators[0][0] != scene:
            self._disc_simulators = [(scene, make_disc_simulator(scene, self._simulator.settings))]
        return self._disc_simulators[0][1]

    def _rollout_serially(
        self,
        view: View,
        seat: int,
        candidates: Sequence[Action],
        noise: ai.ExecutionNoise,
        rollouts: int,
        seed: int,
        exact: bool,
    ) -> ai.RolloutOutcomes:
        first = ai.NO_NOISE if exact else noise
        batch = []
        for candidate in candidates:
            for k in range(rollouts):
                rng = np.random.Generator(np.random.PCG64([seed, k]))
                batch.append(_Rollout(rng, view, first.execute(candidate, rng)))
        shots = len(batch)
        aims = [(getattr(rollout.action, "speed", 0.0), getattr(rollout.action, "azimuth", 0.0)) for rollout in batch]
        made = np.array(aims).reshape(len(candidates), rollouts, 2)
        self._apply_actions(batch)
        for _ in range(self._max_turns):
            running = [
                rollout
                for rollout in batch
                if not isinstance(rollout.state, FlicksimError) and self._rules.to_play(rollout.state) is not None
            ]
            for rollout in running:
                rollout.action = noise.execute(self._default_action(rollout), rollout.rng)
            shots += len(running)
            self._apply_actions(running)
        values = np.array([self._state_value(view, rollout.state, seat, noise) for rollout in batch])
        values = values.reshape(len(candidates), rollouts, 2)
        return ai.RolloutOutcomes(
            win_probability=values[..., 0], point_margin=values[..., 1], executed=made, shots=shots
        )

    def final_value(self, state: State, seat: int) -> ai.ValueEstimate | None:
        """Value to a seat of a game of flicks that is over, which is certain; None of any other."""
        if not self.game.uses_physics or self._rules.to_play(state) is not None:
            return None
        share = win_share(self.game, state, seat)
        return ai.ValueEstimate(
            win_probability=share, low=share, high=share, point_margin=self.value(state, seat), margin=0.0, tries=1
        )

    def _apply_actions(self, rollouts: Sequence[_Rollout]) -> None:
        """Apply the action of each rollout; an illegal one ends it."""
        states = self.next_states_each([(rollout.state, rollout.action) for rollout in rollouts])
        for rollout in rollouts:
            ai.stop_if_cancelled()
            rollout.state = next(states)
            self._report_shots(1)

    def _default_action(self, rollout: _Rollout) -> Action:
        """First candidate of the seat to play, or its first legal action."""
        seat = self._rules.to_play(rollout.state)
        assert seat is not None
        candidates = self.candidates(self._rules.view(rollout.state, seat), rollout.rng, 1)
        return candidates[0] if candidates else self._rules.legal_actions(rollout.state).actions[0]

    def _state_value(self, view: View, state: State, seat: int, noise: ai.ExecutionNoise) -> tuple[float, float]:
        """Win probability and point margin of a seat in the final state of a rollout from a view."""
        if isinstance(state, FlicksimError):
            return 0.0, -_POINTS_SCALE
        evaluate_state = getattr(self.game.bot, "evaluate_state", None)
        if evaluate_state is not None:
            value: tuple[float, float] = evaluate_state(view, state, seat, noise)
            return value
        try:
            margin = self.value(state, seat)
        except FlicksimError:
            return 0.0, -_POINTS_SCALE
        if self._rules.to_play(state) is not None:
            return 0.5 + 0.5 * tanh(margin / _POINTS_SCALE), margin
        return win_share(self.game, state, seat), margin


@dataclass(slots=True)
class _Rollout:
    """Rollout in progress: its random numbers, its state and its next action."""

    rng: np.random.Generator
    state: State
    action: Action


def warmup(name: str) -> None:
    """Compile the functions that the bots of a game run in rollouts (`JIT_FUNCTIONS` of the bot)."""
    game = load(name)
    warmup_bot: Callable[[GameRolloutModel], None] | None = getattr(game.bot, "warmup", None)
    if warmup_bot is not None:
        warmup_bot(GameRolloutModel(game))


def win_share(game: Game, state: State, seat: int) -> float:
    """Share of the win of a seat's side in a state: leading sides that are level share it."""
    leaders = game.rules.leaders(state)
    leading = [side for side in game.sides(len(game.rules.scores(state))) if not set(side).isdisjoint(leaders)]
    return 1.0 / len(leading) if any(seat in side for side in leading) else 0.0


def make_disc_simulator(scene: Scene, settings: Settings) -> ai.DiscSimulator:
    """Make a vectorised simulator of flicks of these coins from any positions on their board."""
    ids, rings = tuple(piece.id for piece in scene.pieces), contact_rings([scene])
    board, arrays = board_arrays(scene, rings), scene_arrays([scene], [settings], ids, rings)
    names = np.array(ids, dtype=object)

    def simulate_flicks(
        positions: Floats, present: Bools, column: Ints, speed: Floats, azimuth: Floats, offset: Floats
    ) -> tuple[Floats, Bools]:
        poses = np.zeros((*positions.shape[:2], 3))
        poses[..., :2] = positions
        flicks = Flicks(piece=list(names[column]), speed=speed, azimuth=azimuth, offset=offset)
        errors = np.full(len(speed), "", dtype=object)
        initial = arrays._replace(positions=poses, present=present)
        result = simulate_scene_arrays([scene], ids, board, initial, flicks, errors)
        at_rest = (result.error == "")[:, None]  # one shot in a million does not settle, and then moves nothing
        final = np.where(present[..., None] & at_rest[..., None], result.positions[..., :2], positions)
        return final, at_rest & (result.outcome == OFF_TABLE)

    return simulate_flicks
