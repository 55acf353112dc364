"""The parts of a game's card beside its words: the rules, and, where a game has them, positions and a team match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Protocol

from flicksim.base import kinds
from flicksim.base.codec import Value
from flicksim.base.geometry import Point
from flicksim.base.kinds import Account, Action, Options, Staged, State, Streams, View
from flicksim.referee.choices import Choices
from flicksim.referee.verdict import Reason, Verdict


class Rules(Protocol):
    """The questions that a game's rules answer. Pure: the same questions get the same answers."""

    def start(self, options: Options, seats: int, seeds: Streams) -> State:
        """The state before the first action."""

    def to_play(self, state: State) -> int | None:
        """Seat that acts now; None when the game is over."""

    def view(self, state: State, seat: int) -> View:
        """The state as a seat may see it."""

    def choices(self, state: State) -> Choices:
        """The choices of the seat to play, and what people may own up to, also once the game is over."""

    def check(self, state: State, action: Action) -> None:
        """Raises IllegalAction when the rules do not allow it now."""

    def stage(self, state: State, action: Action) -> tuple[Staged, Action] | None:
        """The scene and action to be settled; None when nothing moves.

        The table, and whether `check` allows the action, hang on what is flicked and from where, not on how hard or
        which way.
        """

    def judge(self, state: State, action: Action, account: Account) -> Verdict:
        """The ruling on a finished account."""

    def advance(self, state: State, account: Account, verdict: Verdict) -> State:
        """The next state."""

    def scores(self, state: State) -> tuple[Fraction, ...]:
        """Points by seat."""

    def winning(self, state: State) -> tuple[int, ...]:
        """Seats that win or share the win as it stands."""


class Positions(Protocol):
    """The notation of where a game stands."""

    @property
    def Position(self) -> type[Value]:
        """The type of what is written."""

    def names(self) -> tuple[str, ...]:
        """Those that come with the game."""

    def shipped(self, name: str) -> kinds.Position:
        """One of them."""

    def read(self, path: Path) -> kinds.Position:
        """One from a file."""

    def state_of(self, position: kinds.Position) -> State:
        """The state it stands for."""

    def position_of(self, state: State, title: str) -> kinds.Position:
        """The position a state is written as."""

    def begin(self, position: kinds.Position) -> tuple[State, tuple[Reason, ...]]:
        """The state to go on from, and what the rules say to it."""

    def ruling(self, state: State) -> tuple[Reason, ...]:
        """The reasons of the rules for a state."""


class Count(Value, frozen=True, kw_only=True):
    """A number that belongs to a position beside what lies there.

    Args:
        name: of it. label: for people. value: as it is. low, high: from and to what it may be set.
    """

    name: str
    label: str
    value: int
    low: int
    high: int


class Setting(Protocol):
    """Positions set up by hand. Nothing is refused while it is done: the notation says what is wrong."""

    def bare(self) -> kinds.Position:
        """A position to begin with."""

    def table(self, position: kinds.Position) -> Staged:
        """The table of a position, be it allowed or not."""

    def spare(self, position: kinds.Position) -> tuple[str, ...]:
        """Pieces that may still be put on the table, one of a kind."""

    def put(self, position: kinds.Position, piece: str, at: Point) -> kinds.Position:
        """The same with a piece there [m], brought in or moved."""

    def taken(self, position: kinds.Position, piece: str) -> kinds.Position:
        """The same without a piece."""

    def turned(self, position: kinds.Position, piece: str) -> kinds.Position:
        """The same with a piece the other way up, where that makes a difference."""

    def due(self, position: kinds.Position, seat: int) -> kinds.Position:
        """The same with that seat to play."""

    def counts(self, position: kinds.Position) -> tuple[Count, ...]:
        """The numbers beside the table."""

    def counted(self, position: kinds.Position, name: str, value: int) -> kinds.Position:
        """The same with one of these numbers changed."""


class Fixture(Protocol):
    """A game of a team match: its number and round from 1, the pairs that meet, and which of them has which colours."""

    @property
    def number(self) -> int: ...
    @property
    def round(self) -> int: ...
    @property
    def home(self) -> int: ...
    @property
    def away(self) -> int: ...
    @property
    def home_colours(self) -> int: ...


class TeamScore(Protocol):
    """Score of a team match: points and games won of both teams, games played, and who has won, if anybody has."""

    @property
    def points(self) -> tuple[Fraction, Fraction]: ...
    @property
    def won(self) -> tuple[int, int]: ...
    @property
    def played(self) -> int: ...
    @property
    def winner(self) -> int | None: ...


class Team(Protocol):
    """A match between teams of pairs."""

    def schedule(self, options: Options) -> Sequence[Fixture]:
        """Its games, in order."""

    def tally(self, options: Options, results: Mapping[int, tuple[Fraction, Fraction]]) -> TeamScore:
        """The score of the teams when these games are over."""
