"""A game's card: what it is called, who sits down, what can be set, by which rules, and how it is told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from flicksim.base.codec import Value
from flicksim.base.errors import BadOption
from flicksim.base.kinds import Bot, Kinds, State
from flicksim.referee.challenge import Challenges
from flicksim.referee.parts import Positions, Rules, Setting, Team
from flicksim.referee.purpose import Purposes

T = TypeVar("T")


class Row(Value, frozen=True, kw_only=True):
    """One rule in our own words.

    Args:
        id: ledger id. text: the rule. option: name of the option that changes it, if any.
    """

    id: str
    text: str
    option: str | None = None


class Progress(Value, frozen=True, kw_only=True):
    """The progress of a game, for people.

    Args:
        part: what a part of the game is called, as "End"; empty: it has none. number: of the part that is on, from 1.
        of: parts in all; None when nobody knows. tallied: whether points are told part by part.
        left: pieces not yet played, by seat; None when they are not counted.
    """

    part: str = ""
    number: int = 0
    of: int | None = None
    tallied: bool = False
    left: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Game:
    """All that the rest of the house needs to know of a game.

    Args:
        name: as written on the command line.
        title: as written for people.
        blurb: one sentence about it.
        wing: "table" (flicks are settled by physics) or "cards" (moves by the dealer).
        edition: raised when the same record would be ruled otherwise.
        seats: fewest and most players.
        seat_names: how the seats are called.
        options: a Value with a default for every field; its `Annotated` descriptions are shown to people.
        action: type of everything a player may do, for reading it back.
        state: type of its states.
        rules: the pure functions.
        bot: candidate actions and values for a search (see `players.search.Model`).
        rows: the rules in our own words.
        story: how a game goes, in a few sentences for somebody who has never seen it.
        partners: whether seats that face each other (0 and 2, 1 and 3) play together.
        team: schedule and tally of a match between teams, where the game has one.
        positions: how positions are written by people, where the game has a way.
        setting: how positions are set up by hand, where they can be.
        challenges: positions with a goal, where the game has some.
        purposes: what its flicks may be for, where it has words for that.
        progress: how far a state is, for people; of a game without parts, nothing.
        sources: where they come from.
    """

    name: str
    title: str
    blurb: str
    wing: Literal["table", "cards"]
    edition: int
    seats: tuple[int, int]
    seat_names: tuple[str, ...]
    options: type[Value]
    action: Kinds
    state: type[Value]
    rules: Rules = field(repr=False)
    bot: Bot = field(repr=False)
    rows: tuple[Row, ...] = field(repr=False)
    sources: tuple[str, ...] = ()
    story: str = ""
    partners: bool = False
    team: Team | None = field(default=None, repr=False)
    positions: Positions | None = field(default=None, repr=False)
    setting: Setting | None = field(default=None, repr=False)
    challenges: Challenges | None = field(default=None, repr=False)
    purposes: Purposes | None = field(default=None, repr=False)
    progress: Callable[[State], Progress] = field(default=lambda _: Progress(), repr=False)

    @property
    def flicked(self) -> bool:
        """True where pieces are flicked; else cards or tiles are played."""
        return self.wing == "table"

    def __repr__(self) -> str:
        low, high = self.seats
        return f"<game {self.name}: {low if low == high else f'{low} to {high}'} players, edition {self.edition}>"

    def sides(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """Seats of so many that play together: partners, or everybody alone."""
        if self.partners:
            return tuple(tuple(range(first, seats, 2)) for first in range(2))
        return tuple((seat,) for seat in range(seats))


def seated(game: Game, options: Value, who: Sequence[T]) -> tuple[T, ...]:
    """The holders of the seats when these sit down; two people, where an option says so, hold a pair's seats each
    (TW-1a).

    Raises:
        BadOption: too few or too many, or partners who are not one person although the options say so.
    """
    two = game.partners and getattr(options, "seats", None) == 2
    whole = game.seats[0]
    if two and len(who) == 2:
        return tuple(who[seat % 2] for seat in range(whole))
    if two and len(who) == whole and any(who[seat] != who[seat - 2] for seat in range(2, whole)):
        raise BadOption(
            f"with option seats=2 each of two people holds both colours of a pair, not "
            f"{', '.join(map(str, who))}; name two seats (TW-1a)"
        )
    if game.partners and len(who) == 2:
        raise BadOption(
            f"{game.title} is for {whole} players, not 2; with --option seats=2 two people hold two each (TW-1a)"
        )
    check_seats(game, len(who))
    return tuple(who)


def check_seats(game: Game, count: int) -> None:
    """Raises:
    BadOption: the game is not for that many.
    """
    low, high = game.seats
    if not low <= count <= high:
        allowed = f"{low}" if low == high else f"{low} to {high}"
        raise BadOption(f"{game.title} is for {allowed} players, not {count}")
