"""Protocols that a game implements: rules, position notation, position editing, team matches."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Protocol

from flicksim.core import type_aliases
from flicksim.core.geometry import Point
from flicksim.core.serialization import StringValue, Value
from flicksim.core.type_aliases import Action, InitialState, Options, SimulationResult, State, Streams, View
from flicksim.referee.legal_actions import LegalActions
from flicksim.referee.verdict import Reason, Verdict


class Rules(Protocol):
    """Rules of a game as pure functions of states, actions and simulation results."""

    def initial_state(self, options: Options, seats: int, streams: Streams) -> State:
        """State before the first action."""

    def to_play(self, state: State) -> int | None:
        """Seat that acts now; None when the game is over."""

    def view(self, state: State, seat: int) -> View:
        """State as a seat sees it."""

    def legal_actions(self, state: State) -> LegalActions:
        """Legal actions of the seat to play, and self-reports of people, also after the end of the game."""

    def check_action(self, state: State, action: Action) -> None:
        """Raise IllegalAction if the rules do not allow the action now."""

    def simulation_setup(self, state: State, action: Action) -> tuple[InitialState, Action] | None:
        """Initial state and action to simulate; None if nothing moves.

        The initial state, and whether `check_action` allows the action, depend on the piece and its start, not on speed
        or direction.
        """

    def judge(self, state: State, action: Action, result: SimulationResult) -> Verdict:
        """Verdict on a simulation result."""

    def next_state(self, state: State, result: SimulationResult, verdict: Verdict) -> State:
        """State after the turn."""

    def scores(self, state: State) -> tuple[Fraction, ...]:
        """Points by seat."""

    def leaders(self, state: State) -> tuple[int, ...]:
        """Seats that win, or share the win, at the current score."""


class PositionNotation(Protocol):
    """Editable notation of the positions of a game."""

    @property
    def Position(self) -> type[Value]:
        """Type of the notation."""

    def builtin_names(self) -> tuple[str, ...]:
        """Names of the positions shipped with the game."""

    def load_builtin(self, name: str) -> type_aliases.Position:
        """Load a shipped position."""

    def load(self, path: Path) -> type_aliases.Position:
        """Load a position from a file."""

    def to_state(self, position: type_aliases.Position) -> State:
        """State of a position."""

    def from_state(self, state: State, title: str) -> type_aliases.Position:
        """Position of a state."""

    def start_state(self, position: type_aliases.Position) -> tuple[State, tuple[Reason, ...]]:
        """State to play on from, and the rulings on the position, as reasons."""

    def ruling_reasons(self, state: State) -> tuple[Reason, ...]:
        """Reasons of the rulings on a state."""


class Counter(Value, frozen=True, kw_only=True):
    """Number that belongs to a position, beside its pieces.

    Args:
        name: identifier. label: name for people. value: current value. low, high: range it may be set to.
        words: names of the values from `low` on, where they are not numbers.
    """

    name: str
    label: str
    value: int
    low: int
    high: int
    words: tuple[str, ...] = ()


class PositionEditor(Protocol):
    """Editor of positions. It refuses nothing: `PositionNotation` reports what is wrong."""

    def empty_position(self) -> type_aliases.Position:
        """Position to begin with."""

    def with_current_seat(self, position: type_aliases.Position, seat: int) -> type_aliases.Position:
        """Copy with that seat to play."""

    def counters(self, position: type_aliases.Position) -> tuple[Counter, ...]:
        """Counters of a position."""

    def set_counter(self, position: type_aliases.Position, name: str, value: int) -> type_aliases.Position:
        """Copy with one counter changed."""


class ScenePositionEditor(PositionEditor, Protocol):
    """Editor of positions of pieces."""

    def to_scene(self, position: type_aliases.Position) -> InitialState:
        """Scene of a position, valid or not."""

    def available_pieces(self, position: type_aliases.Position) -> tuple[str, ...]:
        """Pieces that may still be placed, one of each kind."""

    def place_piece(self, position: type_aliases.Position, piece: str, at: Point) -> type_aliases.Position:
        """Copy with a piece added or moved to a point [m]."""

    def remove_piece(self, position: type_aliases.Position, piece: str) -> type_aliases.Position:
        """Copy without a piece."""

    def flip_piece(self, position: type_aliases.Position, piece: str) -> type_aliases.Position:
        """Copy with a piece turned over, in games where that matters."""


class CardZone(Value, frozen=True, kw_only=True):
    """Cards or tiles of a position that lie in one place.

    Args:
        name: identifier. label: name for people. cards: in order. seat: whose hand it is. is_rest: True for the cards
            that are nowhere else. halves: of tiles that lie in a line, each from left to right.
    """

    name: str
    label: str
    cards: tuple[StringValue, ...]
    seat: int | None = None
    is_rest: bool = False
    halves: tuple[tuple[int, int], ...] = ()


class CardPositionEditor(PositionEditor, Protocol):
    """Editor of positions of cards or tiles."""

    def zones(self, position: type_aliases.Position) -> tuple[CardZone, ...]:
        """Hands, what lies on the table, and last the cards that are nowhere else."""

    def move_card(
        self, position: type_aliases.Position, card: StringValue, source: str, target: str, index: int
    ) -> type_aliases.Position:
        """Copy with a card moved between zones, to an index in the target as it is without that card."""


class Fixture(Value, frozen=True, kw_only=True):
    """Game of a team match.

    Args:
        number: from 1. round: from 1; the games of a round can be played at the same time.
        home, away: pair of each team, from 0.
        home_colours: seats of the home pair: 0 the first and third, 1 the others; at tiddlywinks 0 is Blue and Red.
    """

    number: int
    round: int
    home: int
    away: int
    home_colours: int


class TeamScore(Value, frozen=True, kw_only=True):
    """Score of a match between teams.

    Args:
        points: of home and away. won: games won by each. played: games played.
        winner: 0 home, 1 away; None while games are to come, or when drawn.
    """

    points: tuple[Fraction, Fraction]
    won: tuple[int, int]
    played: int
    winner: int | None


class TeamMatch(Protocol):
    """Match between teams of pairs."""

    def schedule(self, options: Options) -> Sequence[Fixture]:
        """Games of the match, in order."""

    def team_score(self, options: Options, results: Mapping[int, tuple[Fraction, Fraction]]) -> TeamScore:
        """Score of the teams after these games."""
