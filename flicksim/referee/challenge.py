"""Challenges: a position, a goal, and the result of an attempt, judged from finished trajectories."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

import msgspec
import numpy as np

from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, Options, SimulationResult, State

MAX_STARS = 3
_TWO_STAR_ATTEMPTS = 3
"""Largest number of tries that earns two stars."""
_GRADE_POSSESSIVES = {
    "beginner": "a beginner's", "club": "a club player's", "expert": "an expert's", "world": "a world-class player's",
}  # fmt: skip
_GRADE_NAMES = {"beginner": "Beginner", "club": "Club", "expert": "Expert", "world": "World-class"}
_SINGULAR_UNITS = {"launches": "launch", "shots": "shot", "winks": "wink"}
"""Singular forms of units."""


class CompletedAction(Protocol):
    """Action with its result and the states before and after; a turn of a match is one."""

    @property
    def before(self) -> State: ...
    @property
    def made(self) -> Action: ...
    @property
    def result(self) -> SimulationResult: ...
    @property
    def after(self) -> State: ...


class AttemptStatus(Value, frozen=True, kw_only=True):
    """Status of an attempt at a challenge.

    Args:
        text: status in a sentence. is_solved: whether the goal is reached. is_over: whether the attempt has ended.
        measure: measured value, in the unit of its challenge; None while there is none.
    """

    text: str = ""
    is_solved: bool = False
    is_over: bool = False
    measure: float | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """Solution of a puzzle, shown after it is solved or given up.

    Args:
        action: the flick or move. grade: grade of execution noise it was evaluated with; empty for a move.
        chance: win probability with it. next_best_chance: win probability with the next best candidate.
        idea: why it wins, in a sentence or two.
    """

    action: Action
    grade: str
    chance: float
    next_best_chance: float
    idea: str = ""

    @property
    def description(self) -> str:
        """The idea, and where execution noise counts both win probabilities."""
        if not self.grade:
            return self.idea
        name = _GRADE_NAMES.get(self.grade, self.grade)
        chances = f"{name} hand: {100.0 * self.chance:.0f} of 100; the next best {100.0 * self.next_best_chance:.0f}."
        return f"{self.idea} {chances}".lstrip()


S = TypeVar("S")
F = TypeVar("F")


class Puzzle(Value, Generic[S, F], frozen=True, kw_only=True):
    """Position from a game of bots, with the best flick or move.

    Args:
        state: the position. seat: seat to play. solution: the best action.
        chance: win probability with the solution. next_best_chance: win probability with the best different action.
        tries: number of rollouts of each estimate; 0 if exact. game_seed, turn: origin of the position.
        hand: grade of execution noise of all players; empty for moves.
        missed: measure of difficulty: number of bots' moves that were worse, or trials of 100 of the bots' candidate
            shots that do not win.
        idea: purpose of the solution, in words (`Purpose.text`).
        points_after: points by seat after the solution without noise, where they are told.
    """

    state: S
    seat: int
    solution: F
    chance: float
    next_best_chance: float = msgspec.field(name="rival")
    tries: int
    game_seed: int
    turn: int
    hand: str = "club"
    missed: int = 0
    idea: str = ""
    points_after: tuple[int, ...] = ()

    def to_challenge(
        self, name: str, title: str, goal: str, seats: int, judge: Callable[[Sequence[CompletedAction]], AttemptStatus],
        continuation: Callable[[State, np.random.Generator], Action] | None = None, *, idea: str = "", hint: str = "",
        opponent: str = "",
    ) -> "Challenge":  # fmt: skip
        """Make a challenge of the puzzle, whose bot plays the solution and then the continuation.

        Args:
            name, title, goal, seats, judge: of the challenge. continuation: policy after the first action, if any.
            idea: of the solution, in a sentence or two. hint: advice; both win probabilities where empty.
            opponent: player of the other seats, if it is not the one who attempts it.
        """
        start: State = self.state

        def policy(state: State, rng: np.random.Generator) -> Action:
            return self.solution if continuation is None or state == start else continuation(state, rng)

        return Challenge(
            name=name,
            title=title,
            group="Puzzles",
            goal=goal,
            options=start.options,
            seats=seats,
            hint=hint
            or f"Of {_GRADE_POSSESSIVES.get(self.hand, self.hand)} tries the best idea wins {self.chance:.0%}, "
            f"the next best {self.next_best_chance:.0%}.",
            initial_state=lambda: start,
            judge=judge,
            policy=policy,
            opponent=opponent,
            solution=Solution(
                self.solution,
                self.hand,
                self.chance,
                self.next_best_chance,
                idea or (self.idea and f"The idea: {self.idea}."),
            ),
        )


Policy = Callable[[State, np.random.Generator], Action]
"""Chooses an action in a state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """Challenge: a position with a goal.

    Args:
        name: name in commands. title: for people. group: heading it is listed under, as "Potting".
        goal: goal, in a sentence. hint: advice, in a sentence.
        options: options of the game. seats: number of seats.
        opponent: player of the seats that are not to play first; empty: one player plays all.
        initial_state: function that makes the state an attempt begins in. judge: status after some actions.
        unit: unit of the measure; empty: nothing is measured. objective: whether less or more of it is better.
        star_thresholds: measures that earn three and two stars; None: stars depend on the number of tries.
        policy: actions of a bot; None: the game's own bot plays. solution: of a puzzle.
        target: id of the piece at which the first aim is set; empty: the game's own first aim.
    """

    name: str
    title: str
    group: str
    goal: str
    hint: str
    options: Options
    seats: int
    initial_state: Callable[[], State] = field(repr=False)
    judge: Callable[[Sequence[CompletedAction]], AttemptStatus] = field(repr=False)
    unit: str = ""
    objective: Literal["less", "more"] = "less"
    star_thresholds: tuple[float, float] | None = None
    policy: Policy | None = field(default=None, repr=False)
    opponent: str = ""
    solution: Solution | None = field(default=None, repr=False)
    target: str = ""

    def stars(self, status: AttemptStatus, tries: int) -> int:
        """Stars of an attempt: by its measure if there are thresholds, else by the number of tries."""
        if not status.is_solved:
            return 0
        if self.star_thresholds is None or status.measure is None:
            return MAX_STARS if tries <= 1 else 2 if tries <= _TWO_STAR_ATTEMPTS else 1
        sign = 1.0 if self.objective == "less" else -1.0
        return 1 + sum(sign * status.measure <= sign * limit for limit in self.star_thresholds)

    def unit_for(self, count: float) -> str:
        """Unit of a measure, singular for one."""
        return _SINGULAR_UNITS.get(self.unit, self.unit) if count == 1.0 else self.unit

    @property
    def star_criteria(self) -> str:
        """Conditions for its stars, in a sentence."""
        if self.star_thresholds is None:
            return f"Three stars if the first try does it, two by try {_TWO_STAR_ATTEMPTS}, one for any later."
        three, two = (
            f"{limit:g}{unit} or {self.objective}"
            for limit, unit in zip(
                self.star_thresholds, (f" {self.unit_for(self.star_thresholds[0])}", ""), strict=True
            )
        )
        return f"Three stars for {three}, two for {two}, one once it is done."

    def is_better(self, measure: float, best_so_far: float | None) -> bool:
        """True if a measure is better than the best so far, or the first."""
        return best_so_far is None or (measure < best_so_far if self.objective == "less" else measure > best_so_far)


class ChallengeSource(Protocol):
    """Source of the challenges of a game."""

    def builtin(self) -> tuple[Challenge, ...]:
        """Challenges shipped with the game, easiest first."""

    @property
    def generate(self) -> Callable[[np.random.Generator, str], Challenge] | None:
        """Function that generates a challenge with a name from a random generator, the same on every machine; None:
        the game has none."""
