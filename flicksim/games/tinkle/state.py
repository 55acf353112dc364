"""State of a game of Tinkle between two actions."""

from typing import Annotated, Literal

from msgspec import Meta

from flicksim.cards import Card, Discard, Draw, KeepLastCard, LayOff, Meld, Move, MoveWild, TakeBack, Zones
from flicksim.core.errors import InvalidValue
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.games.tinkle.deck import ROUNDS, Options
from flicksim.games.tinkle.melds import Groups


class Tinkle(Move, tag="tinkle", tag_field="do", frozen=True, kw_only=True):
    """Pay tokens into the jar: a discard and three stock cards for each (TK-8d to TK-8f)."""

    form, notation = "tinkle {count}", "tinkle 2"
    count: int = 1

    @classmethod
    def read(cls, words: list[str]) -> "Tinkle | None":
        """Parse a move from words (see `Move.read`)."""
        match words:
            case ["tinkle"]:
                return cls()
            case ["tinkle", count] if count.isascii() and count.isdigit():
                return cls(count=int(count))
            case ["tinkle", *_]:
                raise InvalidValue(f"{' '.join(words)!r} must be written {cls.notation}")
        return None


Action = Draw | Tinkle | Meld | LayOff | TakeBack | MoveWild | Discard | KeepLastCard


Phase = Literal["draw", "play", "over"]


class Round(Value, frozen=True, kw_only=True):
    """A finished round, for the score sheet.

    Args:
        out: seat that went out; None when the agreed turns ran out. tabled: points on the table, by seat.
        held: points in hand, by seat. bonus: of the dealer, for the cut. points: gain or loss of each seat.
    """

    out: int | None
    tabled: tuple[int, ...]
    held: tuple[int, ...]
    bonus: int
    dealer: int
    points: tuple[int, ...]


class State(Value, frozen=True, kw_only=True):
    """State of a game.

    Args:
        seats: number of seats. round: 1 to 8. dealer: seat that dealt it.
        to_play: seat that acts now; None when the game is over. phase: draw, play, or the game is over.
        turn: number of the turn within the round, from 1; cards put down in it may still be moved.
        zones: hands, stock, discards and groups; tokens and the jar.
        groups: owner of each group, and the seat and turn of each card in it.
        opened: seats that have melded the contract in an earlier turn.
        known: cards each seat is publicly known to hold: bought or taken back.
        cut: cards the dealer cut. shuffles: times the stock was renewed in this round.
        scores: of finished rounds, by seat. sheet: rounds finished.
        seeds: random streams of later deals and shuffles; no seat's view has them.
    """

    options: Options
    seats: int
    round: Annotated[int, Meta(ge=1, le=ROUNDS)]
    dealer: int
    to_play: int | None
    phase: Phase
    zones: Zones[Card]
    turn: int = 0
    groups: Groups = ()
    opened: tuple[bool, ...] = ()
    known: tuple[tuple[Card, ...], ...] = ()
    cut: int = 0
    shuffles: int = 0
    scores: tuple[int, ...] = ()
    sheet: tuple[Round, ...] = ()
    seeds: RandomStreams | None = None
