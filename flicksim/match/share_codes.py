"""Share codes: a position or a game as one short text with a version and a checksum.

A game is shared as its beginning and what was meant in each turn; hands and motions come out the same wherever it is
played again. No program is started for it, and nobody's name is in it.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import nextafter
from pathlib import Path
from typing import Annotated

import msgspec

from flicksim.ai import GRADES, NOISE_LEVELS, ExecutionNoise, PythonPlayer, RandomPlayer, SubprocessPlayer, grade_name
from flicksim.core.errors import FlicksimError, InvalidInput, InvalidOption
from flicksim.core.limits import MAX_FILE_BYTES, Name, SeedInt, Text, truncate_middle
from flicksim.core.serialization import Value, from_builtins, to_builtins
from flicksim.core.type_aliases import JsonValue, Position
from flicksim.core.type_aliases import State as GameState
from flicksim.games import load, names
from flicksim.match.asset_lookup import position_notation
from flicksim.match.match import Forfeit, Match, MatchLimits, Turn
from flicksim.match.match_factory import open_match, parse_seat
from flicksim.match.record import Record
from flicksim.match.record_format import Header, TurnLine, header_position, match_header, state_fingerprint, turn_line
from flicksim.referee import Game, parse_options

FORMAT = 1
"""Raised when such a text cannot be read as before."""
_PREFIX = "flicksim"
_PATTERN = re.compile(rf"{_PREFIX}(\d{{1,4}})\.([A-Za-z0-9_=-]*)")
_CHECKSUM_BYTES = 4
"""Bytes of the check sum, before all others."""
_END_DIGITS = 10
"""Letters of the last state's digest [-]."""
_FORFEIT_TEXT = "its player could not go on"
"""Told of a seat lost by a program: its own words may name files or people."""
_ROUNDING_STEPS = 3
"""Numbers to either side of a quotient that are tried [-]."""

_SharedNoise = tuple[Name, Annotated[float, msgspec.Meta(ge=0.0, le=100.0)]] | str | ExecutionNoise | None
"""Hand that made a turn: a grade, one that erred so many times as usual, any other; None: that of its seat."""


class SharedTurn(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """A turn: what was meant, whose hand made it, and what it made where that does not follow."""

    meant: dict[str, JsonValue]
    hand: _SharedNoise = None
    made: dict[str, JsonValue] | None = None


class SharedGame(Value, frozen=True, kw_only=True, tag="game", tag_field="is", omit_defaults=True):
    """A game, from its beginning.

    Args:
        game, edition, seed, seats, position, bounds: as in the header of a record. options: that are not as usual.
        turns: in order. lost: the seat that could not go on, and why. end: the beginning of the last state's digest.
    """

    game: Name
    edition: int
    options: dict[str, JsonValue] = msgspec.field(default_factory=dict)
    seed: SeedInt
    seats: Annotated[tuple[Name, ...], msgspec.Meta(max_length=20)]
    position: dict[str, JsonValue] | None = None
    bounds: MatchLimits = msgspec.field(default_factory=MatchLimits)
    turns: tuple[SharedTurn, ...]
    lost: tuple[int, Text] | None = None
    end: Name = ""

    @property
    def title(self) -> str:
        """The game in a few words."""
        many = len(self.turns)
        return f"{_game_named(self.game).title}, {many} turn{'' if many == 1 else 's'}"

    def open(self) -> Match:
        """The match as it began.

        Raises:
            FlicksimError: it cannot be set up here; says why.
        """
        card = _game_named(self.game)
        if self.edition != card.rules_version:
            raise InvalidInput(
                f"the shared game was ruled by edition {self.edition} of {card.title}; this flicksim has edition "
                f"{card.rules_version}"
            )
        header = Header(flicksim="", format=0, game=self.game, edition=self.edition, options=self.options,
                        seed=self.seed, seats=self.seats, position=self.position)  # fmt: skip
        seats = [parse_seat(word) for word in self.seats]
        if any(seat.kind in ("cmd", "own") for seat in seats):
            raise InvalidInput("the shared game would start a program; nobody's program is started by a text")
        options, position = parse_options(card, self.options), header_position(header, card)
        return open_match(card, options, seats, self.seed, position=position, bounds=self.bounds)

    def replay_turns(self, match: Match) -> Iterator[Turn]:
        """The turns, one after another, played in the match as it began.

        Raises:
            FlicksimError: one of them cannot be; says which.
        """
        for number, turn in enumerate(self.turns, 1):
            try:
                yield _replay_turn(match, turn)
            except FlicksimError as wrong:
                raise InvalidInput(f"turn {number} of the shared game cannot be played here: {wrong}") from None
        if self.lost is not None and match.to_play == self.lost[0]:
            match.forfeit_by(Forfeit(seat=self.lost[0], says=self.lost[1]))

    def mismatch(self, match: Match) -> str:
        """Say why the game that was played again is another; empty when it is the same."""
        if not self.end or state_fingerprint(match.state).startswith(self.end):
            return ""
        return "This game comes out otherwise here than where it was played: that was another version, or machine."


class SharedPosition(Value, frozen=True, kw_only=True, tag="position", tag_field="is"):
    """A position of a game, as its notation writes it."""

    game: Name
    position: dict[str, JsonValue]

    @property
    def title(self) -> str:
        """The position in a few words."""
        return f"{_game_named(self.game).title}, a position"

    def decode(self) -> tuple[Game, Position]:
        """Its game, and itself.

        Raises:
            FlicksimError: it is none of this game; says why.
        """
        card = _game_named(self.game)
        return card, from_builtins(self.position, position_notation(card).Position, name="the shared position")


Shared = SharedGame | SharedPosition


def _game_named(name: str) -> Game:
    if name not in names():
        raise InvalidInput(f"this is a game of {name!r}; this flicksim has {', '.join(names())}")
    return load(name)


# -- writing --------------------------------------------------------------------------------------------------------


def encode_record(record: Record) -> str:
    """The text of a recorded game."""
    lost = record.forfeit
    return _encode_game(record.header, record.turns, None if lost is None else (lost.seat, lost.says))


def encode_match(match: Match) -> str:
    """The text of a game as it stands."""
    lost, seats = match.forfeit, [_seat_word(match, seat) for seat in range(len(match.players))]
    lines = [turn_line(turn) for turn in match.turns]
    return _encode_game(match_header(match, tuple(seats)), lines, None if lost is None else (lost.seat, lost.says))


def _encode_game(header: Header, lines: Sequence[TurnLine], forfeit: tuple[int, str] | None) -> str:
    usual = to_builtins(_game_named(header.game).options())
    seats = tuple(_anonymous_seat(word) for word in header.seats)
    acted = [line.seat for line in lines] + ([] if forfeit is None else [forfeit[0]])
    if gone := [seat for seat in acted if not 0 <= seat < len(seats)]:
        raise InvalidInput(f"a turn of seat {gone[0]} cannot be shared: there are {len(seats)} seats")
    bots = [parse_seat(word).kind == "bot" and word == header.seats[k] for k, word in enumerate(seats)]
    return _encode(SharedGame(
        game=header.game, edition=header.edition, seed=header.seed, seats=seats, position=header.position,
        bounds=header.bounds, options={name: now for name, now in header.options.items() if usual.get(name) != now},
        turns=tuple(_shared_turn(line, bot=bots[line.seat]) for line in lines),
        lost=forfeit if forfeit is None or bots[forfeit[0]] else (forfeit[0], _FORFEIT_TEXT),
        end=lines[-1].state[:_END_DIGITS] if lines else "",
    ))  # fmt: skip


def _seat_word(match: Match, seat: int) -> str:
    """The seat as a word: a bot by its hand, whoever has no word as a person."""
    player, hand = match.players[seat], grade_name(match.noise[seat])
    if isinstance(player, RandomPlayer):
        return "random"
    if player is None or isinstance(player, SubprocessPlayer | PythonPlayer) or not match.game.uses_physics:
        return "human"
    return f"bot:{hand}" if isinstance(hand, str) and hand in GRADES else "human"


def _anonymous_seat(seat_text: str) -> str:
    """The seat without a program or a style: those are not shared, only what they did."""
    seat = parse_seat(seat_text)
    return "human" if seat.kind in ("cmd", "own") else seat_text


def _shared_turn(line: TurnLine, *, bot: bool) -> SharedTurn:
    """A turn, as short as it can be."""
    if bot or line.made == line.meant:
        return SharedTurn(line.meant, None if bot else "steady")
    if line.hand == "steady":  # of a record that knows no hands
        return SharedTurn(line.meant, None, line.made)
    if isinstance(line.hand, str):
        return SharedTurn(line.meant, line.hand)
    return SharedTurn(line.meant, _noise_as_grade(line.hand) or line.hand)


def _noise_as_grade(noise: ExecutionNoise) -> tuple[str, float] | None:
    """The grade of which a hand errs so many times; None where it is of no grade."""
    for name, known in GRADES.items():
        by = noise.speed / known.speed if known.speed else 0.0
        for way in (0.0, float("inf")):
            near = by
            for _ in range(_ROUNDING_STEPS):
                if known.scaled(near) == noise:
                    return name, near
                near = nextafter(near, way)
    return None


def encode_position(game: Game, position: Position) -> str:
    """The text of a position."""
    return _encode(SharedPosition(game=game.name, position=to_builtins(position)))


def current_position(game: Game, state: GameState, title: str) -> Position:
    """The position a game stands in; None where the game has no notation for it, or none for such a state."""
    try:
        return None if game.positions is None else game.positions.from_state(state, title)
    except InvalidOption:
        return None


def _encode(shared: Shared) -> str:
    packed = zlib.compress(msgspec.msgpack.encode(shared, enc_hook=to_builtins), 9)
    summed = zlib.crc32(packed).to_bytes(_CHECKSUM_BYTES, "big") + packed
    return f"{_PREFIX}{FORMAT}." + urlsafe_b64encode(summed).decode().rstrip("=")


# -- reading --------------------------------------------------------------------------------------------------------


def has_share_code(text: str) -> bool:
    """True of a text in which somebody seems to have shared something."""
    return _PATTERN.search(text) is not None


def explain_missing_code(word: str) -> str:
    """The sentence on a word that is neither a file nor a shared text, where one is wanted; empty where it is one."""
    there = has_share_code(word)
    with suppress(OSError, ValueError):  # no system has a file of such a name
        there = there or Path(word).exists()
    if there:
        return ""
    return f"{_quoted(word)} is neither a file nor a shared text; such a text begins with '{_PREFIX}{FORMAT}.'"


def _quoted(text: str) -> str:
    return repr(truncate_middle(text.strip(), 60))


def decode_share_code(text: str) -> Shared:
    """The position or game that somebody shared; what stands around it does not matter.

    Raises:
        InvalidInput: it is none, was cut or altered, or comes from a newer flicksim.
    """
    joined = "".join(text.split())  # letters break long lines
    found = [one for one in (_PATTERN.search(text), _PATTERN.search(joined)) if one is not None]
    if not found:
        raise InvalidInput(
            f"{_quoted(text)} is no shared position or game; such a text begins with '{_PREFIX}{FORMAT}.'"
        )
    if int(found[0][1]) > FORMAT:
        raise InvalidInput(
            f"this was shared by a newer flicksim (format {found[0][1]}); this one reads format {FORMAT}"
        )
    packed = next(filter(None, (_unpack(one[2]) for one in found)), None)
    if packed is None:
        like = _quoted(found[0].group())
        raise InvalidInput(f"{like} was cut short or altered on its way; ask for the shared text once more")
    try:
        plain = zlib.decompressobj().decompress(packed, MAX_FILE_BYTES)
        shared: Shared = msgspec.msgpack.decode(plain, type=Shared)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as wrong:
        raise InvalidInput(f"the shared text holds no position or game: {truncate_middle(str(wrong), 200)}") from None
    return shared


def _unpack(encoded: str) -> bytes | None:
    """Bytes packed in these letters; None where their check sum does not fit."""
    try:
        summed = urlsafe_b64decode(encoded.rstrip("=") + "=" * (-len(encoded.rstrip("=")) % 4))
    except ValueError:
        return None
    packed = summed[_CHECKSUM_BYTES:]
    return (
        packed if packed and zlib.crc32(packed).to_bytes(_CHECKSUM_BYTES, "big") == summed[:_CHECKSUM_BYTES] else None
    )


def _replay_turn(match: Match, turn: SharedTurn) -> Turn:
    """Play a turn again."""
    kind = match.game.action
    meant, seat = from_builtins(turn.meant, kind, name="what was meant"), match.to_play
    if turn.made is not None:
        return match.play(meant, made=from_builtins(turn.made, kind, name="what was made"))
    if turn.hand is None or seat is None:
        return match.play(meant)
    return match.play(meant, noise=_noise(turn.hand))


def _noise(noise_code: tuple[str, float] | str | ExecutionNoise) -> ExecutionNoise:
    name, by = noise_code if isinstance(noise_code, tuple) else (noise_code, None)
    hand = NOISE_LEVELS.get(name) if isinstance(name, str) else name
    if hand is None:
        raise InvalidInput(f"there is no hand {truncate_middle(repr(name), 40)}; there are {', '.join(NOISE_LEVELS)}")
    return hand if by is None else hand.scaled(by)
