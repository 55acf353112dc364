"""Forward model of a game for lookahead: its rules with the physics simulator."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np

from flicksim.ai import stop_if_cancelled
from flicksim.core.errors import FlicksimError, InvalidAction, InvalidOption, InvalidScene
from flicksim.core.signals import check_interrupt
from flicksim.core.type_aliases import Action, InitialState, SimulationResult, State, View
from flicksim.engine import Settings, simulate, simulate_batch
from flicksim.match.match import Simulator
from flicksim.referee import Game
from flicksim.scene import Flick, Scene, Trajectory

SEARCH_SETTINGS = Settings(max_flight_time=1.5)
"""Simulation settings of searches: a short limit on the time of flight, and the time steps of play."""


class PhysicsSimulator:
    """Simulator of flicks on a table by the physics engine."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()

    def simulate(self, before: InitialState, action: Action) -> SimulationResult:
        """Simulate a shot; a pending interrupt is raised before it."""
        check_interrupt()
        return simulate(before, action, self.settings)


def simulate_each(simulator: Simulator, shots: Sequence[tuple[InitialState, Action]]) -> Iterator[SimulationResult]:
    """Simulate many shots; yields the result of each, or the `FlicksimError` raised by it.

    Flicks on a board are simulated in one batch, with only the first and last state of their tracks (see
    `simulate_batch`); other shots one by one, when the iterator reaches them.
    """
    if isinstance(simulator, PhysicsSimulator) and all(
        isinstance(action, Flick) and isinstance(before, Scene) and before.surface.pot is None
        for before, action in shots
    ):
        with suppress(InvalidScene):
            yield from _simulate_batch(simulator.settings, shots)
            return
    for before, action in shots:
        try:
            yield simulator.simulate(before, action)
        except FlicksimError as error:
            yield error


def _simulate_batch(settings: Settings, shots: Sequence[tuple[Scene, Flick]]) -> list[Trajectory | FlicksimError]:
    check_interrupt()
    if not shots:
        return []
    scenes, flicks = [before for before, _ in shots], [flick for _, flick in shots]
    result = simulate_batch(scenes, flicks, settings, events=True, on_error="mark")
    return [InvalidAction(str(error)) if error else result.trajectory(shot) for shot, error in enumerate(result.error)]


class GameModel:
    """Forward model of a game for searches: its rules, its simulator and its bot.

    Args:
        simulator: of actions; one of physics with `SEARCH_SETTINGS` where None.
        style: of play, one of the bot's `STYLES`; its default one where empty.
        grade: of search, for bots whose knowledge depends on it (`for_grade`); full knowledge where empty.
    """

    def __init__(self, game: Game, simulator: Simulator | None = None, style: str = "", grade: str = "") -> None:
        self._rules = game.rules
        self._bot, self._simulator = game.bot, simulator or PhysicsSimulator(SEARCH_SETTINGS)
        if grade and hasattr(game.bot, "for_grade"):
            self._bot = game.bot.for_grade(grade)
        if style:
            styles = getattr(game.bot, "STYLES", ())
            if style not in styles:
                known = f"its bots play {', '.join(styles)}" if styles else "its bots play in one style only"
                raise InvalidOption(f"{game.title} has no style {style!r}; {known}")
            self._bot = game.bot.for_style(style)

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """Propose up to `count` actions worth evaluating."""
        actions: list[Action] = self._bot.candidates(view, rng, count)
        return actions

    def next_states(self, view: View, actions: Sequence[Action]) -> Iterator[State]:
        """Yield the state after each of these actions, or the `FlicksimError` by which it failed.

        A bot may remove from the state what is irrelevant and slow to simulate (`search_state`).
        """
        return self.next_states_each([(view, action) for action in actions])

    def next_states_each(self, transitions: Sequence[tuple[View, Action]]) -> Iterator[State]:
        """Yield the state after each action, in its own view, or the `FlicksimError` by which it failed."""
        reduce = getattr(self._bot, "search_state", lambda view: view)
        states: list[State] = []
        setups = []
        for k, (view, action) in enumerate(transitions):
            states.append(states[-1] if k and transitions[k - 1][0] is view else reduce(view))
            setups.append(self._setup(view, states[-1], action))
        results = simulate_each(self._simulator, [setup for setup in setups if isinstance(setup, tuple)])
        for (_, action), state, setup in zip(transitions, states, setups, strict=True):
            stop_if_cancelled()
            result = next(results) if isinstance(setup, tuple) else setup
            yield result if isinstance(result, FlicksimError) else self._next_state(state, action, result)

    def _setup(
        self, view: View, reduced_state: State, action: Action
    ) -> tuple[InitialState, Action] | FlicksimError | None:
        try:
            self._rules.check_action(view, action)
            return self._rules.simulation_setup(reduced_state, action)
        except FlicksimError as error:
            return error

    def _next_state(self, view: View, action: Action, result: SimulationResult) -> State:
        try:
            return self._rules.next_state(view, result, self._rules.judge(view, action, result))
        except FlicksimError as error:
            return error

    def value(self, view: View, seat: int) -> float:
        """Heuristic value of a view to a seat [points]."""
        return float(self._bot.value(view, seat))
