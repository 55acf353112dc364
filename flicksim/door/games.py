"""Games played from Python, and read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike

from flicksim import games
from flicksim.base.asked import must_be, path_of, shown, whole_number
from flicksim.base.bounds import SEED
from flicksim.base.codec import Value, to_plain
from flicksim.base.errors import Altered, BadOption
from flicksim.base.kinds import Given, Plain
from flicksim.base.showing import Moved, Moves
from flicksim.base.tabular import Heading, Table
from flicksim.play import (
    Bounds,
    Forfeit,
    Match,
    Player,
    Record,
    Recorder,
    Seat,
    Seating,
    Turn,
    begun,
    header_of,
    line_of,
    open_match,
    programs_there,
    read_record,
    reopened,
    seat_of,
    table_of,
    transcript,
)
from flicksim.referee import Game, parse_options, seated

_MOST = 10_000_000


def load_game(name: str) -> Game:
    """The game of that name: its rules, its options (`game.options(ends=1)`), its seats.

    >>> load_game("penny-white")
    <game penny-white: 2 players, edition 2>

    Raises:
        BadOption: there is none; lists those there are.
    """
    return games.load(name)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Played(Moves):
    """A game that was played: its turns, and how it ended.

    Args:
        match: the game itself. seats: who sat down, in words.
    """

    match: Match
    seats: tuple[str, ...]

    @property
    def game(self) -> Game:
        """Game of the match."""
        return self.match.game

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Every turn: state before, action meant and made, account of what moved, verdict, state after."""
        return tuple(self.match.turns)

    @property
    def scores(self) -> tuple[Fraction, ...]:
        """Points by seat."""
        return self.match.scores

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats that won or share the win; empty where the game is not over."""
        return self.match.winners

    @property
    def over(self) -> bool:
        """True once the game has come to an end, its own or a bound's."""
        return self.match.over

    @property
    def cut_short(self) -> bool:
        """True where a bound ended it."""
        return self.match.cut_short

    @property
    def forfeit(self) -> Forfeit | None:
        """Seat that gave up and the reason; None where none did."""
        return self.match.forfeit

    def shown_as(self) -> object:
        """All that moved in it."""
        return Moved(self.match.turns)

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def table(self) -> Table[Heading]:
        """The turns as a table, a row each."""
        return table_of([line_of(turn) for turn in self.match.turns], self.seats)

    def transcript(self) -> str:
        """Every turn told in full: what was due, meant, made and ruled, and what has changed."""
        return "\n".join(transcript(self.match, self.match.turns, self.seats))

    def __repr__(self) -> str:
        names = self.game.seat_names
        who = ", ".join(
            f"{names[seat]} ({word}) {points}"
            for seat, (word, points) in enumerate(zip(self.seats, self.scores, strict=True))
        )
        won = " and ".join(names[seat] for seat in self.winners)
        end = f"won by {won}" if won else "won by nobody" if self.over else "not over"
        count = len(self.match.turns)
        turns = "1 turn" if count == 1 else f"{count} turns"
        if self.cut_short:
            end = f"cut short after {turns}, {end}"
        return f"<{self.game.name}, seed {self.match.seeds.seed}, {turns}: {who}; {end}>"


def play_game(
    game: str | Game,
    seats: Sequence[Seating] | None = None,
    *,
    seed: int = 1,
    options: Mapping[str, object] | Sequence[str] | Value | None = None,
    position: str | PathLike[str] | None = None,
    max_turns: int | None = None,
    max_moves: int | None = None,
    record: str | PathLike[str] | None = None,
) -> Played:
    """Play a game to its end.

    >>> play_game("penny-white", ["random", "random"], seed=3, options={"ends": 1})
    <penny-white, seed 3, 11 turns: Blue (random) 8, Red (random) 1; won by Blue>

    Args:
        game: its name, or the game. seats: who sits down, in the order of its seats: words as in the shell (`random`,
            `bot:club`, `cmd:PROGRAM`), players with `choose(view, choices, rng)`, or functions of these three; club
            players where nobody is named. A player's attribute `hand` may name the grade of its hand.
        seed: all chance comes from it. options: by name, or as the words of the shell ("ends=1").
        position: begin there: a shipped one's name, or a file. max_turns, max_moves: the game ends there, and counts as
            it stands; moves are of one seat in a row.
        record: write the game to this file, turn by turn.

    Raises:
        BadOption: no such game, seat, option or value; says what there is.
        BadPlayer: a player of one's own raised an error, or did what cannot be done.
        BadFile: the record cannot be written, or would overwrite something.
        CannotGoOn: the next turn cannot be played, by nobody's fault.
    """
    card = game if isinstance(game, Game) else load_game(game)
    whole_number(seed, "seed", 0, SEED)
    bounds = _bounds(max_turns, max_moves)
    words = _option_words(options)
    at, chosen = None, parse_options(card, words)
    if position is not None:
        at, chosen = begun(card, str(path_of(position, "position")), words)
    who = _seated(card, chosen, seats)
    names = tuple(str(seat_of(one)) for one in who)
    match = open_match(card, chosen, who, seed, position=at, bounds=bounds)
    recorder = None if record is None else Recorder(path_of(record, "record"), header_of(match, names))
    try:
        for turn in match.run():
            if recorder is not None:
                recorder.turn(turn)
        if recorder is not None and match.forfeit is not None:
            recorder.forfeit(match.forfeit)
    finally:
        if recorder is not None:
            recorder.close()
    return Played(match=match, seats=names)


def _bounds(turns: int | None, moves: int | None) -> Bounds:
    usual = Bounds()
    return Bounds(
        turns=usual.turns if turns is None else whole_number(turns, "max_turns", 1, _MOST),
        moves=usual.moves if moves is None else whole_number(moves, "max_moves", 1, _MOST),
    )


def _option_words(options: Given) -> Mapping[str, Plain] | Sequence[str]:
    """Options as `parse_options` reads them."""
    right = "give them by name, as {'ends': 1}"
    if options is None:
        return {}
    if isinstance(options, Value):
        found: Mapping[str, Plain] = to_plain(options)
        return found
    if isinstance(options, str):
        raise BadOption(f"options cannot be the word {options!r}; {right}")
    must_be(options, (Mapping, Sequence), "options", right)
    for name in options:
        must_be(name, str, "the name of an option", right)
    return dict(options) if isinstance(options, Mapping) else options


def _seated(card: Game, options: Given, seats: Given) -> tuple[Seating, ...]:
    """The holders of the seats; club players where nobody is named."""
    if seats is None:
        fewest = 2 if getattr(options, "seats", None) == 2 else card.seats[0]
        seats = ["bot:club"] * fewest
    if isinstance(seats, str | Mapping) or not isinstance(seats, Sequence):
        raise BadOption(f"seats cannot be {shown(seats)}; name one for each seat, as ['bot:club', 'random']")
    who = seated(card, options, tuple(seats))
    sitting = [seat_of(one) for one in who]
    if any(seat.kind == "human" for seat in sitting):
        raise BadOption("a human seat needs the window or the shell: `flicksim play`; seat bots, programs or functions")
    programs_there([seat for seat, one in zip(sitting, who, strict=True) if isinstance(one, str | Seat)])
    return who


def replay(record: Record | str | PathLike[str]) -> Played:
    """A recorded game played again, turn by turn, with all that moved in it.

    Raises:
        BadFile: it is no record, or of a game or an edition that is not here.
        Altered: it does not come out as it was written; names the first turn that differs.
    """
    found = record if isinstance(record, Record) else read_record(record)
    again, seats = reopened(found)
    for _ in again.run():
        pass
    if again.divergence is not None:
        raise Altered(f"{str(found.path)!r} diverges at {again.divergence}")
    return Played(match=again.match, seats=tuple(map(str, seats)))


__all__ = ["Played", "Player", "load_game", "play_game", "read_record", "replay"]
