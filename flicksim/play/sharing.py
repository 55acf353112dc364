"""A position or a game as one short text that another copy opens: packed, with a format number and a check sum.

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

from flicksim.base.bounds import FILE, Name, SeedNumber, Words, bounded
from flicksim.base.codec import Value, from_plain, to_plain
from flicksim.base.errors import BadInput, BadOption, FlicksimError
from flicksim.base.kinds import Plain, Position
from flicksim.base.kinds import State as GameState
from flicksim.games import load, names
from flicksim.play.lines import Header, TurnLine, header_of, line_of, position_in, state_fingerprint
from flicksim.play.match import Bounds, Forfeit, Match, Turn
from flicksim.play.open_match import open_match, parse_seat
from flicksim.play.record import Record
from flicksim.play.tables import notation_of
from flicksim.players import GRADES, HANDS, Hand, OwnPlayer, ProgramPlayer, RandomPlayer, name_of
from flicksim.referee import Game, parse_options

FORMAT = 1
"""Raised when such a text cannot be read as before."""
_HEAD = "flicksim"
_LIKE = re.compile(rf"{_HEAD}(\d{{1,4}})\.([A-Za-z0-9_=-]*)")
_SUM = 4
"""Bytes of the check sum, before all others."""
_END = 10
"""Letters of the last state's digest [-]."""
_GAVE_UP = "its player could not go on"
"""Told of a seat lost by a program: its own words may name files or people."""
_NEARBY = 3
"""Numbers to either side of a quotient that are tried [-]."""

_Whose = tuple[Name, Annotated[float, msgspec.Meta(ge=0.0, le=100.0)]] | str | Hand | None
"""Hand that made a turn: a grade, one that erred so many times as usual, any other; None: that of its seat."""


class SharedTurn(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """A turn: what was meant, whose hand made it, and what it made where that does not follow."""

    meant: dict[str, Plain]
    hand: _Whose = None
    made: dict[str, Plain] | None = None


class SharedGame(Value, frozen=True, kw_only=True, tag="game", tag_field="is", omit_defaults=True):
    """A game, from its beginning.

    Args:
        game, edition, seed, seats, position, bounds: as in the header of a record. options: that are not as usual.
        turns: in order. lost: the seat that could not go on, and why. end: the beginning of the last state's digest.
    """

    game: Name
    edition: int
    options: dict[str, Plain] = msgspec.field(default_factory=dict)
    seed: SeedNumber
    seats: Annotated[tuple[Name, ...], msgspec.Meta(max_length=20)]
    position: dict[str, Plain] | None = None
    bounds: Bounds = msgspec.field(default_factory=Bounds)
    turns: tuple[SharedTurn, ...]
    lost: tuple[int, Words] | None = None
    end: Name = ""

    @property
    def title(self) -> str:
        """The game in a few words."""
        many = len(self.turns)
        return f"{_card(self.game).title}, {many} turn{'' if many == 1 else 's'}"

    def opened(self) -> Match:
        """The match as it began.

        Raises:
            FlicksimError: it cannot be set up here; says why.
        """
        card = _card(self.game)
        if self.edition != card.edition:
            raise BadInput(
                f"the shared game was ruled by edition {self.edition} of {card.title}; this flicksim has edition "
                f"{card.edition}"
            )
        header = Header(flicksim="", format=0, game=self.game, edition=self.edition, options=self.options,
                        seed=self.seed, seats=self.seats, position=self.position)  # fmt: skip
        seats = [parse_seat(word) for word in self.seats]
        if any(seat.kind in ("cmd", "own") for seat in seats):
            raise BadInput("the shared game would start a program; nobody's program is started by a text")
        options, position = parse_options(card, self.options), position_in(header, card)
        return open_match(card, options, seats, self.seed, position=position, bounds=self.bounds)

    def played(self, match: Match) -> Iterator[Turn]:
        """The turns, one after another, played in the match as it began.

        Raises:
            FlicksimError: one of them cannot be; says which.
        """
        for number, turn in enumerate(self.turns, 1):
            try:
                yield _again(match, turn)
            except FlicksimError as wrong:
                raise BadInput(f"turn {number} of the shared game cannot be played here: {wrong}") from None
        if self.lost is not None and match.to_play == self.lost[0]:
            match.give_up(Forfeit(seat=self.lost[0], says=self.lost[1]))

    def amiss(self, match: Match) -> str:
        """Say why the game that was played again is another; empty when it is the same."""
        if not self.end or state_fingerprint(match.state).startswith(self.end):
            return ""
        return "This game comes out otherwise here than where it was played: that was another version, or machine."


class SharedPosition(Value, frozen=True, kw_only=True, tag="position", tag_field="is"):
    """A position of a game, as its notation writes it."""

    game: Name
    position: dict[str, Plain]

    @property
    def title(self) -> str:
        """The position in a few words."""
        return f"{_card(self.game).title}, a position"

    def read(self) -> tuple[Game, Position]:
        """Its game, and itself.

        Raises:
            FlicksimError: it is none of this game; says why.
        """
        card = _card(self.game)
        return card, from_plain(self.position, notation_of(card).Position, name="the shared position")


Shared = SharedGame | SharedPosition


def _card(name: str) -> Game:
    if name not in names():
        raise BadInput(f"this is a game of {name!r}; this flicksim has {', '.join(names())}")
    return load(name)


# -- writing --------------------------------------------------------------------------------------------------------


def share_record(record: Record) -> str:
    """The text of a recorded game."""
    lost = record.forfeit
    return _shared(record.header, record.turns, None if lost is None else (lost.seat, lost.says))


def share_match(match: Match) -> str:
    """The text of a game as it stands."""
    lost, seats = match.forfeit, [_sitting(match, seat) for seat in range(len(match.players))]
    lines = [line_of(turn) for turn in match.turns]
    return _shared(header_of(match, tuple(seats)), lines, None if lost is None else (lost.seat, lost.says))


def _shared(header: Header, lines: Sequence[TurnLine], lost: tuple[int, str] | None) -> str:
    usual = to_plain(_card(header.game).options())
    seats = tuple(_plain_seat(word) for word in header.seats)
    acted = [line.seat for line in lines] + ([] if lost is None else [lost[0]])
    if gone := [seat for seat in acted if not 0 <= seat < len(seats)]:
        raise BadInput(f"a turn of seat {gone[0]} cannot be shared: there are {len(seats)} seats")
    bots = [parse_seat(word).kind == "bot" and word == header.seats[k] for k, word in enumerate(seats)]
    return _text(SharedGame(
        game=header.game, edition=header.edition, seed=header.seed, seats=seats, position=header.position,
        bounds=header.bounds, options={name: now for name, now in header.options.items() if usual.get(name) != now},
        turns=tuple(_turn(line, bot=bots[line.seat]) for line in lines),
        lost=lost if lost is None or bots[lost[0]] else (lost[0], _GAVE_UP),
        end=lines[-1].state[:_END] if lines else "",
    ))  # fmt: skip


def _sitting(match: Match, seat: int) -> str:
    """The seat as a word: a bot by its hand, whoever has no word as a person."""
    player, hand = match.players[seat], name_of(match.hands[seat])
    if isinstance(player, RandomPlayer):
        return "random"
    if player is None or isinstance(player, ProgramPlayer | OwnPlayer) or not match.game.flicked:
        return "human"
    return f"bot:{hand}" if isinstance(hand, str) and hand in GRADES else "human"


def _plain_seat(word: str) -> str:
    """The seat without a program or a style: those are not shared, only what they did."""
    seat = parse_seat(word)
    return "human" if seat.kind in ("cmd", "own") else word


def _turn(line: TurnLine, *, bot: bool) -> SharedTurn:
    """A turn, as short as it can be."""
    if bot or line.made == line.meant:
        return SharedTurn(line.meant, None if bot else "steady")
    if line.hand == "steady":  # of a record that knows no hands
        return SharedTurn(line.meant, None, line.made)
    if isinstance(line.hand, str):
        return SharedTurn(line.meant, line.hand)
    return SharedTurn(line.meant, _times(line.hand) or line.hand)


def _times(hand: Hand) -> tuple[str, float] | None:
    """The grade of which a hand errs so many times; None where it is of no grade."""
    for name, known in GRADES.items():
        by = hand.speed / known.speed if known.speed else 0.0
        for way in (0.0, float("inf")):
            near = by
            for _ in range(_NEARBY):
                if known.times(near) == hand:
                    return name, near
                near = nextafter(near, way)
    return None


def share_position(game: Game, position: Position) -> str:
    """The text of a position."""
    return _text(SharedPosition(game=game.name, position=to_plain(position)))


def position_now(game: Game, state: GameState, title: str) -> Position:
    """The position a game stands in; None where the game has no notation for it, or none for such a state."""
    try:
        return None if game.positions is None else game.positions.position_of(state, title)
    except BadOption:
        return None


def _text(shared: Shared) -> str:
    packed = zlib.compress(msgspec.msgpack.encode(shared, enc_hook=to_plain), 9)
    summed = zlib.crc32(packed).to_bytes(_SUM, "big") + packed
    return f"{_HEAD}{FORMAT}." + urlsafe_b64encode(summed).decode().rstrip("=")


# -- reading --------------------------------------------------------------------------------------------------------


def looks_shared(text: str) -> bool:
    """True of a text in which somebody seems to have shared something."""
    return _LIKE.search(text) is not None


def why_nothing_shared(word: str) -> str:
    """The sentence on a word that is neither a file nor a shared text, where one is wanted; empty where it is one."""
    there = looks_shared(word)
    with suppress(OSError, ValueError):  # no system has a file of such a name
        there = there or Path(word).exists()
    if there:
        return ""
    return f"{_quoted(word)} is neither a file nor a shared text; such a text begins with '{_HEAD}{FORMAT}.'"


def _quoted(text: str) -> str:
    return repr(bounded(text.strip(), 60))


def read_shared(text: str) -> Shared:
    """The position or game that somebody shared; what stands around it does not matter.

    Raises:
        BadInput: it is none, was cut or altered, or comes from a newer flicksim.
    """
    joined = "".join(text.split())  # letters break long lines
    found = [one for one in (_LIKE.search(text), _LIKE.search(joined)) if one is not None]
    if not found:
        raise BadInput(f"{_quoted(text)} is no shared position or game; such a text begins with '{_HEAD}{FORMAT}.'")
    if int(found[0][1]) > FORMAT:
        raise BadInput(f"this was shared by a newer flicksim (format {found[0][1]}); this one reads format {FORMAT}")
    packed = next(filter(None, (_unpacked(one[2]) for one in found)), None)
    if packed is None:
        like = _quoted(found[0].group())
        raise BadInput(f"{like} was cut short or altered on its way; ask for the shared text once more")
    try:
        plain = zlib.decompressobj().decompress(packed, FILE)
        shared: Shared = msgspec.msgpack.decode(plain, type=Shared)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as wrong:
        raise BadInput(f"the shared text holds no position or game: {bounded(str(wrong), 200)}") from None
    return shared


def _unpacked(letters: str) -> bytes | None:
    """Bytes packed in these letters; None where their check sum does not fit."""
    try:
        summed = urlsafe_b64decode(letters.rstrip("=") + "=" * (-len(letters.rstrip("=")) % 4))
    except ValueError:
        return None
    packed = summed[_SUM:]
    return packed if packed and zlib.crc32(packed).to_bytes(_SUM, "big") == summed[:_SUM] else None


def _again(match: Match, turn: SharedTurn) -> Turn:
    """Play a turn again."""
    kind = match.game.action
    meant, seat = from_plain(turn.meant, kind, name="what was meant"), match.to_play
    if turn.made is not None:
        return match.play(meant, made=from_plain(turn.made, kind, name="what was made"))
    if turn.hand is None or seat is None:
        return match.play(meant)
    return match.play(meant, hand=_hand(turn.hand))


def _hand(word: tuple[str, float] | str | Hand) -> Hand:
    name, by = word if isinstance(word, tuple) else (word, None)
    hand = HANDS.get(name) if isinstance(name, str) else name
    if hand is None:
        raise BadInput(f"there is no hand {bounded(repr(name), 40)}; there are {', '.join(HANDS)}")
    return hand if by is None else hand.times(by)
