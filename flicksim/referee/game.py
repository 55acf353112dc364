"""Description of a game: name, seats, options, rules, and the functions it provides."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeVar

from flicksim.core.errors import InvalidOption
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import ActionTypes, BotModel, Options, State
from flicksim.referee.challenge import ChallengeSource
from flicksim.referee.game_protocols import (
    CardPositionEditor,
    PositionEditor,
    PositionNotation,
    Rules,
    ScenePositionEditor,
    TeamMatch,
)
from flicksim.referee.purpose import PurposeModel
from flicksim.referee.rulebook import RuleEntry
from flicksim.referee.verdict import Ruling

T = TypeVar("T")


class Progress(Value, frozen=True, kw_only=True):
    """Progress of a game, for people.

    Args:
        part_name: name of a part of the game, as "End"; empty: it has no parts.
        number: number of the current part, from 1.
        total: number of parts; None if not known. scored_by_part: whether points are reported by part.
        goal: what is to be reached in the current part, as a sentence without its end; "" if there is nothing special.
        pieces_left: pieces not yet played, by seat; None if not counted.
    """

    part_name: str = ""
    number: int = 0
    total: int | None = None
    scored_by_part: bool = False
    goal: str = ""
    pieces_left: tuple[int, ...] | None = None

    @property
    def text(self) -> str:
        """Current part of the game: "End 2 of 6"; empty when the game has no parts."""
        if not self.part_name:
            return ""
        is_last_known = self.total is not None and self.number <= self.total
        return f"{self.part_name} {self.number}{f' of {self.total}' if is_last_known else ''}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Game:
    """Description of a game for the rest of the package.

    Args:
        name: name on the command line.
        title: name for people.
        summary: one sentence about it.
        category: "table" (flicks are simulated by physics) or "cards" (moves by the dealer).
        rules_version: increased when the same record would be ruled differently.
        seats: fewest and most players.
        seat_names: names of the seats.
        options: a Value with a default for every field; `options_of` describes them.
        action: type of its actions, for decoding.
        state: type of its states.
        ruling: type of its rulings, for decoding those of others where cards are hidden.
        rules: rules as pure functions.
        bot: model for the search of bots: candidate actions and values (`flicksim.ai`).
        rulebook: the rules, paraphrased.
        description: course of a game, in a few sentences for a beginner.
        has_partners: whether seats that face each other (0 and 2, 1 and 3) play together.
        team_match: schedule and score of a match between teams; None: it has none.
        positions: notation of positions; None: it has none.
        position_editor: editor of positions; None: it has none.
        challenges: positions with a goal; None: it has none.
        purposes: purposes of its actions (of flicks a `FlickPurposeModel`); None: it names none.
        progress: function from a state to its progress, for people; empty for a game without parts.
        provisional_points: function from a state to the points by seat if the game ended as it lies, where the score
            does not have them before the end; empty where it does.
        option_warnings: function from options to sentences on those that the rules recommend against.
        sources: sources of the rules.
    """

    name: str
    title: str
    summary: str
    category: Literal["table", "cards"]
    rules_version: int
    seats: tuple[int, int]
    seat_names: tuple[str, ...]
    options: type[Value]
    action: ActionTypes
    state: type[Value]
    rules: Rules = field(repr=False)
    bot: BotModel = field(repr=False)
    rulebook: tuple[RuleEntry, ...] = field(repr=False)
    sources: tuple[str, ...] = ()
    description: str = ""
    has_partners: bool = False
    team_match: TeamMatch | None = field(default=None, repr=False)
    positions: PositionNotation | None = field(default=None, repr=False)
    position_editor: PositionEditor | ScenePositionEditor | CardPositionEditor | None = field(default=None, repr=False)
    challenges: ChallengeSource | None = field(default=None, repr=False)
    purposes: PurposeModel | None = field(default=None, repr=False)
    ruling: type[Ruling] = field(default=Ruling, repr=False)
    progress: Callable[[State], Progress] = field(default=lambda _: Progress(), repr=False)
    provisional_points: Callable[[State], Sequence[Fraction | int]] = field(default=lambda _: (), repr=False)
    option_warnings: Callable[[Options], tuple[str, ...]] = field(default=lambda _: (), repr=False)

    @property
    def uses_physics(self) -> bool:
        """True for a game of flicks; False for cards or tiles."""
        return self.category == "table"

    def __repr__(self) -> str:
        low, high = self.seats
        return f"<game {self.name}: {low if low == high else f'{low} to {high}'} players, edition {self.rules_version}>"

    def sides(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """Seats by side: partners together, or each seat alone."""
        if self.has_partners:
            return tuple(tuple(range(first, seats, 2)) for first in range(2))
        return tuple((seat,) for seat in range(seats))


def assign_seats(game: Game, options: Value, players: Sequence[T]) -> tuple[T, ...]:
    """Assign players to seats; with the option seats=2 each of two people holds both seats of a pair (TW-1a).

    Raises:
        InvalidOption: too few or too many players, or partners who differ although the option says seats=2.
    """
    is_two_people = game.has_partners and getattr(options, "seats", None) == 2
    full_count = game.seats[0]
    if is_two_people and len(players) == 2:
        return tuple(players[seat % 2] for seat in range(full_count))
    if (
        is_two_people
        and len(players) == full_count
        and any(players[seat] != players[seat - 2] for seat in range(2, full_count))
    ):
        raise InvalidOption(
            f"with the option seats=2 each of two people holds both colours of a pair, not "
            f"{', '.join(map(str, players))}; name two seats (TW-1a)"
        )
    if game.has_partners and len(players) != full_count:
        count = f"{game.title} is for {full_count} players, not {len(players)}"
        raise InvalidOption(f"{count}; with the option seats=2 two people hold two each (TW-1a)")
    check_seat_count(game, len(players))
    return tuple(players)


def check_seat_count(game: Game, seat_count: int) -> None:
    """Check that a game can be played by a number of seats.

    Raises:
        InvalidOption: it cannot.
    """
    low, high = game.seats
    if not low <= seat_count <= high:
        allowed = f"{low}" if low == high else f"{low} to {high}"
        raise InvalidOption(f"{game.title} is for {allowed} players, not {seat_count}")
