"""Public functions to load, start, play and replay games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike

from flicksim import games
from flicksim import match as matches
from flicksim.ai import ExecutionNoise, noise_named
from flicksim.core.counting import count_of
from flicksim.core.errors import InvalidOption, RecordTampered
from flicksim.core.limits import MAX_SEED
from flicksim.core.random_streams import RandomStreams
from flicksim.core.results_table import ColumnInfo, ResultsTable
from flicksim.core.rich_display import Animatable, AnimationSequence
from flicksim.core.serialization import Value, to_builtins
from flicksim.core.type_aliases import JsonValue, Unchecked
from flicksim.core.validation import as_path, check_int, check_type, short_repr
from flicksim.match import GameState, Match, Player, Turn, read_record
from flicksim.referee import Game, assign_seats, check_seat_count, parse_options

_MAX_LIMIT = 10_000_000


def load_game(name: str) -> Game:
    """Load a game by name: its rules, its options (`game.options(ends=1)`), its seats.

    >>> load_game("penny-white")
    <game penny-white: 2 players, edition 2>

    Raises:
        InvalidOption: there is no such game; lists those there are.
    """
    return games.load(name)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GameResult(Animatable):
    """Result of a played game: its turns and how it ended.

    Args:
        match: the match that was played. seats: players by seat, as words.
    """

    match: Match
    seats: tuple[str, ...]

    def _key(self) -> tuple[object, ...]:
        match = self.match
        return (match.game.name, match.options, match.streams, match.opening, match.limits, match.turns, match.forfeit)

    def __eq__(self, other: object) -> bool:
        """Return True if the same game was played; a copy, pickled or not, is equal."""
        return self.seats == other.seats and self._key() == other._key() if isinstance(other, GameResult) else False

    def __hash__(self) -> int:
        return hash((self.match.game.name, self.match.streams.seed, len(self.match.turns), self.seats))

    @property
    def game(self) -> Game:
        """Game of the match."""
        return self.match.game

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Turns in order: state before, action meant and made, simulation result, verdict, state after."""
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
    def is_over(self) -> bool:
        """True once the game has ended, by its rules or by a limit."""
        return self.match.is_over

    @property
    def is_truncated(self) -> bool:
        """True where a limit ended the game."""
        return self.match.is_truncated

    @property
    def forfeit(self) -> matches.Forfeit | None:
        """Seat that gave up and the reason; None where none did."""
        return self.match.forfeit

    def state(self, turn: int | None = None) -> GameState:
        """State before a turn, from 1; without a number, after the last.

        >>> play_game("dominoes", ["random"] * 2, seed=3).state(turn=9)
        <dominoes, Bob to play: points 0, 0>

        Raises:
            InvalidInput: there is no such turn.
        """
        match, played = self.match, self.match.turns
        index = len(played) if turn is None else check_int(turn, "turn", 1, len(played)) - 1
        state = match.state if index == len(played) else played[index].before
        reasons = played[index - 1].verdict.reasons if index else ()
        return GameState(name=match.game.name, state=state, noise=match.seated_noise, reasons=reasons)

    def display_value(self) -> object:
        """Value to draw: an animation of all turns."""
        return AnimationSequence(self.match.turns)

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def table(self) -> ResultsTable[ColumnInfo]:
        """Table of the turns, one row each."""
        return matches.turn_table([matches.turn_line(turn) for turn in self.match.turns], self.seats)

    def transcript(self) -> str:
        """Transcript of every turn: the decision due, the action meant and made, the ruling, and the changes."""
        return "\n".join(matches.transcript(self.match, self.match.turns, self.seats))

    def notation(self, date: str = "") -> str:
        """Write the game as text, with every number exact; `flicksim import` and `flicksim.match.parse_game` read it.

        >>> print(play_game("dominoes", ["random"] * 2, seed=3).notation().splitlines()[10])
        2. Bob 6-0 right ; Bob plays 6-0 on the right; 0 is open. [DO-B9]

        Args:
            date: of the game, which it does not know, as "2026-11-25"; left out where empty.

        Raises:
            InvalidOption: the date is no day.
        """
        return matches.format_game(self.match, self.seats, date=date)

    def __repr__(self) -> str:
        names = self.game.seat_names
        who = ", ".join(
            f"{names[seat]} ({word}) {points}"
            for seat, (word, points) in enumerate(zip(self.seats, self.scores, strict=True))
        )
        won = " and ".join(names[seat] for seat in self.winners)
        end = f"won by {won}" if won else "won by nobody" if self.is_over else "not over"
        turns = count_of(len(self.match.turns), "turn")
        if self.forfeit is not None:
            end = f"{names[self.forfeit.seat]} forfeits, {end}"
        if self.is_truncated:
            end = f"cut short after {turns}, {end}"
        return f"<{self.game.name}, seed {self.match.streams.seed}, {turns}: {who}; {end}>"


def new_game(
    game: str | Game,
    seats: int | None = None,
    *,
    seed: int = 1,
    options: Mapping[str, object] | Sequence[str] | Value | None = None,
    position: str | PathLike[str] | None = None,
    noise: str | ExecutionNoise | Sequence[str | ExecutionNoise] = "steady",
) -> GameState:
    """State at the start of a game, or of a position, to search and learn from.

    >>> state = new_game("dominoes", seats=2, seed=1)
    >>> state
    <dominoes, Ann to play: points 0, 0>
    >>> state.apply(state.legal_actions().actions[0])
    <dominoes, Ann to play: points 0, 0>

    Args:
        game: the game or its name. seats: number of seats; by default the fewest that play against each other.
        seed: of the opening: who begins, and all cards that are dealt. options: by name, as for `play_game`.
        position: start: the name of a shipped position, or a file.
        noise: execution noise of all seats, or of each: a grade, "steady", or the noise itself.

    Raises:
        InvalidOption: no such game, option or value, or the game is not for so many; says what there is.
        InvalidInput, InvalidFile, InvalidScene: there is no such noise, or the position cannot be read or played from.
    """
    card = game if isinstance(game, Game) else load_game(game)
    check_int(seed, "seed", 0, MAX_SEED)
    words = _option_values(options)
    if position is None:
        chosen = parse_options(card, words)
        low, high = card.seats
        count = min(max(2, low), high) if seats is None else check_int(seats, "seats", 1, 100)
        check_seat_count(card, count)
        state = card.rules.initial_state(chosen, count, RandomStreams(seed=seed))
    else:
        at, chosen = matches.load_start(card, str(as_path(position, "position")), words)
        start = matches.custom_start_at(card, chosen, at, seats)
        assert start is not None
        state, count = start.state, len(card.rules.scores(start.state))
    hands = tuple(noise) if isinstance(noise, Sequence) and not isinstance(noise, str) else (noise,) * count
    for hand in hands:
        check_type(hand, (str, ExecutionNoise), "noise", "it is a grade, 'steady' or the noise itself")
    if len(hands) != count:
        raise InvalidOption(f"noise is given for {len(hands)} seats; there are {count}")
    return GameState(name=card.name, state=state, noise=tuple(map(noise_named, hands)))


def play_game(
    game: str | Game,
    seats: Sequence[matches.SeatLike] | None = None,
    *,
    seed: int = 1,
    options: Mapping[str, object] | Sequence[str] | Value | None = None,
    position: str | PathLike[str] | None = None,
    max_turns: int | None = None,
    max_moves: int | None = None,
    record: str | PathLike[str] | None = None,
) -> GameResult:
    """Play a game to its end.

    >>> play_game("penny-white", ["random", "random"], seed=3, options={"ends": 1})
    <penny-white, seed 3, 11 turns: Blue (random) 8, Red (random) 1; won by Blue>

    Args:
        game: the game or its name. seats: players in the order of the seats: words as on the command line (`random`,
            `bot:club`, `cmd:PROGRAM`), players with `choose(view, legal_actions, rng)`, or functions of these three;
            club bots by default. A player's attribute `hand` may name the grade of its execution noise.
        seed: seed of all random streams. options: by name, or as words of the command line ("ends=1").
        position: initial position: the name of a shipped one, or a file. max_turns, max_moves: limits at which the game
            ends and counts as it stands; moves are of one seat in a row.
        record: write the game to this file, turn by turn.

    Raises:
        InvalidOption: no such game, seat, option or value; says what there is.
        PlayerError: a Python player raised an error, or returned an illegal action.
        InvalidFile: the record cannot be written, or would overwrite something.
        CannotContinue: the next turn cannot be played, through no player's fault.
    """
    card = game if isinstance(game, Game) else load_game(game)
    check_int(seed, "seed", 0, MAX_SEED)
    bounds = _turn_limits(max_turns, max_moves)
    words = _option_values(options)
    at, chosen = None, parse_options(card, words)
    if position is not None:
        at, chosen = matches.load_start(card, str(as_path(position, "position")), words)
    who = _resolve_seats(card, chosen, seats)
    names = tuple(str(matches.to_seat(one)) for one in who)
    match = matches.open_match(card, chosen, who, seed, position=at, bounds=bounds)
    matches.play_match(match, names, None if record is None else as_path(record, "record"))
    return GameResult(match=match, seats=names)


def _turn_limits(turns: int | None, moves: int | None) -> matches.MatchLimits:
    usual = matches.MatchLimits()
    return matches.MatchLimits(
        turns=usual.turns if turns is None else check_int(turns, "max_turns", 1, _MAX_LIMIT),
        moves=usual.moves if moves is None else check_int(moves, "max_moves", 1, _MAX_LIMIT),
    )


def _option_values(options: Unchecked) -> Mapping[str, JsonValue] | Sequence[str]:
    """Options as `parse_options` reads them."""
    right = "give them by name, as {'ends': 1}"
    if options is None:
        return {}
    if isinstance(options, Value):
        found: Mapping[str, JsonValue] = to_builtins(options)
        return found
    if isinstance(options, str):
        raise InvalidOption(f"options cannot be the word {options!r}; {right}")
    check_type(options, (Mapping, Sequence), "options", right)
    for name in options:
        check_type(name, str, "the name of an option", right)
    return dict(options) if isinstance(options, Mapping) else options


def _resolve_seats(card: Game, options: Unchecked, seats: Unchecked) -> tuple[matches.SeatLike, ...]:
    """Players by seat; club bots where none is named."""
    if seats is None:
        fewest = 2 if getattr(options, "seats", None) == 2 else card.seats[0]
        seats = ["bot:club"] * fewest
    if isinstance(seats, str | Mapping) or not isinstance(seats, Sequence):
        raise InvalidOption(f"seats cannot be {short_repr(seats)}; name one for each seat, as ['bot:club', 'random']")
    who = assign_seats(card, options, tuple(seats))
    sitting = [matches.to_seat(one) for one in who]
    if any(seat.kind == "human" for seat in sitting):
        raise InvalidOption(
            "a human seat needs the window or the shell: `flicksim play`; seat bots, programs or functions"
        )
    matches.check_programs(
        [seat for seat, one in zip(sitting, who, strict=True) if isinstance(one, str | matches.Seat)]
    )
    return who


def replay(record: matches.Record | str | PathLike[str]) -> GameResult:
    """Play a recorded game again, turn by turn, with the simulation of every action.

    Raises:
        InvalidFile: it is no record, or of an unknown game or edition.
        RecordTampered: the replay differs from the record; names the first turn that differs.
    """
    found = record if isinstance(record, matches.Record) else read_record(record)
    again, seats = matches.open_replay(found)
    list(again.run())
    if (difference := again.divergence) is not None:
        raise RecordTampered(f"{str(found.path)!r} {difference.predicate}; {difference.keep_hint(found.path)}")
    return GameResult(match=again.match, seats=tuple(map(str, seats)))


__all__ = ["GameResult", "GameState", "Player", "load_game", "new_game", "play_game", "read_record", "replay"]
