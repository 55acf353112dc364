"""Forward model of a game for lookahead: its rules with the physics simulator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np

from flicksim.ai import stop_if_cancelled
from flicksim.core.errors import FlicksimError, InvalidAction, InvalidOption, InvalidScene
from flicksim.core.type_aliases import Action, InitialState, SimulationResult, State, View
from flicksim.engine import Settings, simulate, simulate_batch
from flicksim.match.interrupts import check_interrupt
from flicksim.match.match import Simulator
from flicksim.referee import Game
from flicksim.scene import Flick, Scene, Trajectory

SEARCH_SETTINGS = Settings(max_flight_time=1.5, step_factor=3.0)
"""The settings of what is only thought of: nobody watches in his mind how a wink whirls on, and steps are coarse."""


class PhysicsSimulator:
    """Simulator of flicks on a table by the physics engine."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()

    def simulate(self, before: InitialState, action: Action) -> SimulationResult:
        """The finished motion; nothing is half done before it, also in a thought."""
        check_interrupt()
        return simulate(before, action, self.settings)


def simulate_each(simulator: Simulator, shots: Sequence[tuple[InitialState, Action]]) -> Iterator[SimulationResult]:
    """The account of each of many shots, or the `FlicksimError` raised for it.

    Flicks on a board are simulated in one batch, with only the first and last state of their tracks (see
    `simulate_batch`); other shots one by one, when the iterator reaches them.
    """
    if isinstance(simulator, PhysicsSimulator) and all(_is_planar(*shot) for shot in shots):
        with suppress(InvalidScene):
            yield from _simulate_batch(simulator.settings, shots)
            return
    for before, action in shots:
        try:
            yield simulator.simulate(before, action)
        except FlicksimError as wrong:
            yield wrong


def _is_planar(before: InitialState, action: Action) -> bool:
    """Tell whether only what lies flat moves there."""
    return isinstance(action, Flick) and isinstance(before, Scene) and before.surface.pot is None


def _simulate_batch(settings: Settings, shots: Sequence[tuple[Scene, Flick]]) -> list[Trajectory | FlicksimError]:
    check_interrupt()
    if not shots:
        return []
    many = simulate_batch([before for before, _ in shots], [flick for _, flick in shots], settings,
                       events=True, on_error="mark")  # fmt: skip
    return [InvalidAction(str(why)) if why else many.trajectory(shot) for shot, why in enumerate(many.error)]


class GameModel:
    """A game as a search sees it: its own rules and its own physics, asked what would be.

    Args:
        style: one of the styles the game's bot knows; its usual one without.
        grade: grade of thought, for games whose bots know the more by heart the deeper they think (`for_grade`); all
            there is to know without.
    """

    def __init__(self, game: Game, simulator: Simulator, style: str = "", grade: str = "") -> None:
        self._rules = game.rules
        self._bot, self._simulator = game.bot, simulator
        if grade and hasattr(game.bot, "for_grade"):
            self._bot = game.bot.for_grade(grade)
        if style:
            styles = getattr(game.bot, "STYLES", ())
            if style not in styles:
                known = f"its bots play {', '.join(styles)}" if styles else "its bots play in one style only"
                raise InvalidOption(f"{game.title} has no style {style!r}; {known}")
            self._bot = game.bot.for_style(style)

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """Actions worth a thought."""
        found: list[Action] = self._bot.candidates(view, rng, count)
        return found

    def next_states(self, view: View, actions: Sequence[Action]) -> Iterator[State]:
        """The state after each of these actions, or why it cannot be done.

        A bot may leave out of it what makes no difference and takes long to settle.
        """
        return self.next_states_each([(view, action) for action in actions])

    def next_states_each(self, transitions: Sequence[tuple[View, Action]]) -> Iterator[State]:
        """The state after each of these actions, each in its own view, or why it cannot be done."""
        leave_out = getattr(self._bot, "search_state", lambda view: view)
        lefts: list[State] = []
        staged = []
        for k, (view, action) in enumerate(transitions):
            lefts.append(lefts[-1] if k and transitions[k - 1][0] is view else leave_out(view))
            staged.append(self._setup(view, lefts[-1], action))
        accounts = simulate_each(self._simulator, [shot for shot in staged if isinstance(shot, tuple)])
        for (_, action), left, shot in zip(transitions, lefts, staged, strict=True):
            stop_if_cancelled()
            account = next(accounts) if isinstance(shot, tuple) else shot
            yield account if isinstance(account, FlicksimError) else self._next_state(left, action, account)

    def _setup(
        self, view: View, reduced_state: State, action: Action
    ) -> tuple[InitialState, Action] | FlicksimError | None:
        try:
            self._rules.check_action(view, action)
            return self._rules.simulation_setup(reduced_state, action)
        except FlicksimError as wrong:
            return wrong

    def _next_state(self, view: View, action: Action, result: SimulationResult) -> State:
        try:
            return self._rules.next_state(view, result, self._rules.judge(view, action, result))
        except FlicksimError as wrong:
            return wrong

    def value(self, view: View, seat: int) -> float:
        """Worth of a view to a seat."""
        return float(self._bot.value(view, seat))
