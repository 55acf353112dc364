"""Challenges: a position, a goal in one sentence, and what a try came to, read from finished accounts as rules do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

import numpy as np

from flicksim.base.codec import Value
from flicksim.base.kinds import Account, Action, Options, State

MOST_STARS = 3
_SECOND = 3
"""So many tries leave two stars."""
_WHOSE = {
    "beginner": "a beginner's", "club": "a club player's", "expert": "an expert's", "world": "a world-class player's",
}  # fmt: skip
_CALLED = {"beginner": "Beginner", "club": "Club", "expert": "Expert", "world": "World-class"}
_ONE = {"launches": "launch", "shots": "shot", "winks": "wink"}
"""Units of which there may be one."""


class Done(Protocol):
    """One action of a try and what came of it; the turn of a match is one."""

    @property
    def before(self) -> State: ...
    @property
    def made(self) -> Action: ...
    @property
    def account(self) -> Account: ...
    @property
    def after(self) -> State: ...


class Came(Value, frozen=True, kw_only=True):
    """State of a try.

    Args:
        says: in a sentence. done: whether the goal is reached. ended: whether nothing more belongs to the try.
        measure: what is measured, in the unit of its challenge; None while there is nothing to measure.
    """

    says: str = ""
    done: bool = False
    ended: bool = False
    measure: float | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """The best idea of a puzzle, to be told once it is done or given up.

    Args:
        action: the flick. hand: grade it was weighed with. chance: to win with it. rival: with the next best idea.
    """

    action: Action
    hand: str
    chance: float
    rival: float

    @property
    def says(self) -> str:
        """Its chance, in a sentence."""
        called = _CALLED.get(self.hand, self.hand)
        return f"{called} hand: {100.0 * self.chance:.0f} of 100; the next best {100.0 * self.rival:.0f}."


S = TypeVar("S")
F = TypeVar("F")


class Puzzle(Value, Generic[S, F], frozen=True, kw_only=True):
    """A position out of a game of bots with the flick that is best there.

    Args:
        seat: who is to play. hand: grade of everybody's. chance: to win with the solution. rival: with the best that is
            not like it. tries: both rest on so many. game_seed, turn: out of which game.
    """

    state: S
    seat: int
    solution: F
    chance: float
    rival: float
    tries: int
    game_seed: int
    turn: int
    hand: str = "club"

    def posed(
        self, name: str, title: str, goal: str, seats: int, judge: Callable[[Sequence[Done]], Came],
        onward: Callable[[State, np.random.Generator], Action] | None = None,
    ) -> Challenge:  # fmt: skip
        """It as a challenge: a bot makes the solution, and goes on as is natural where the flick does not end it.

        Args:
            name, title, goal, seats, judge: of the challenge. onward: what is natural, where a game may go on.
        """
        start: State = self.state

        def plan(state: State, dice: np.random.Generator) -> Action:
            return self.solution if onward is None or state == start else onward(state, dice)

        return Challenge(
            name=name, title=title, ladder="Puzzles", goal=goal, options=start.options, seats=seats,
            trick=f"Of {_WHOSE.get(self.hand, self.hand)} tries the best idea wins {self.chance:.0%}, the next best "
            f"{self.rival:.0%}.", begin=lambda: start, judge=judge, plan=plan,
            solution=Solution(self.solution, self.hand, self.chance, self.rival),
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """A thing to be done at a table.

    Args:
        name: as written in the shell. title: for people. ladder: those it stands with, as "Potting".
        goal: what is to be done. trick: how it is done best. Each in a sentence.
        options: of the game. seats: how many sit there, all of them played by whoever tries.
        begin: the state a try begins in. judge: how a try stands after some actions.
        unit: of what is measured; empty: nothing is. best: whether less or more of it is better.
        par: measures that earn three and two stars; None: stars go by tries.
        plan: what a bot does, where the game's own bot has another goal. solution: of a puzzle.
    """

    name: str
    title: str
    ladder: str
    goal: str
    trick: str
    options: Options
    seats: int
    begin: Callable[[], State] = field(repr=False)
    judge: Callable[[Sequence[Done]], Came] = field(repr=False)
    unit: str = ""
    best: Literal["less", "more"] = "less"
    par: tuple[float, float] | None = None
    plan: Callable[[State, np.random.Generator], Action] | None = field(default=None, repr=False)
    solution: Solution | None = field(default=None, repr=False)

    def stars(self, came: Came, tries: int) -> int:
        """Stars of a try that was the so-manieth: by its measure where there is a par, else by how many it took."""
        if not came.done:
            return 0
        if self.par is None or came.measure is None:
            return MOST_STARS if tries <= 1 else 2 if tries <= _SECOND else 1
        sign = 1.0 if self.best == "less" else -1.0
        return 1 + sum(sign * came.measure <= sign * par for par in self.par)

    def units(self, count: float) -> str:
        """The unit of a measure of so many: one is one."""
        return _ONE.get(self.unit, self.unit) if count == 1.0 else self.unit

    @property
    def earns(self) -> str:
        """The ways to its stars, in a sentence."""
        if self.par is None:
            return f"Three stars if the first try does it, two by try {_SECOND}, one for any later."
        three, two = (
            f"{par:g}{unit} or {self.best}"
            for par, unit in zip(self.par, (f" {self.units(self.par[0])}", ""), strict=True)
        )
        return f"Three stars for {three}, two for {two}, one once it is done."

    def better(self, measure: float, than: float | None) -> bool:
        """True where a measure is better than another, or the first."""
        return than is None or (measure < than if self.best == "less" else measure > than)


class Challenges(Protocol):
    """The challenges of a game."""

    def shipped(self) -> tuple[Challenge, ...]:
        """Those that come with it, easiest first."""

    def drawn(self, dice: np.random.Generator, name: str) -> Challenge:
        """One made by dice: the same dice make the same on every machine."""
