"""The door where the wings are joined: a game's card, who sits down, and a seed become a match."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import msgspec
import numpy as np

from flicksim.base.asked import shown
from flicksim.base.codec import Value
from flicksim.base.errors import BadOption
from flicksim.base.kinds import Action, Position, View
from flicksim.base.seeding import Seeds
from flicksim.cards import Dealer
from flicksim.physics.flight.jit import njit
from flicksim.play.future import GameFuture
from flicksim.play.match import Begun, Bounds, Match, Player, Stage
from flicksim.play.model import THOUGHT, GameModel, TableStage
from flicksim.players import (
    GRADES,
    PATIENCE,
    SLIPS,
    STEADY,
    THOUGHTS,
    Absent,
    Depth,
    Hand,
    OwnPlayer,
    ProgramPlayer,
    RandomPlayer,
    SearchPlayer,
    Thought,
    ThumbPlayer,
    WeighingPlayer,
    chooses,
    grade,
    must_be_there,
    name_of_own,
    words_of,
)
from flicksim.referee import Choices, Game, check_seats


class Seat(Value, frozen=True, kw_only=True):
    """A player at a seat: `human`, maybe with a hand, `random`, a bot with a hand, a depth of thought and maybe a
    style of play, a program with a command, a time limit for each decision [s] and maybe a hand, or a player of one's
    own in Python (`own`) with its name and maybe a hand."""

    kind: str
    hand: str = ""
    thought: str = ""
    style: str = ""
    program: str = ""
    limit: float = PATIENCE

    def __str__(self) -> str:
        if self.kind == "cmd":
            hand = f"/{self.hand}" if self.hand else ""
            return f"cmd{hand}" + (f"@{self.limit:g}" if self.limit != PATIENCE else "") + f":{self.program}"
        if self.kind == "own":
            return "own" + (f"/{self.hand}" if self.hand else "") + f":{self.program}"
        if self.kind != "bot":
            return self.kind + (f"/{self.hand}" if self.hand else "")
        thought = f"/{self.thought}" if self.thought != self.hand else ""
        return f"bot:{self.hand}{thought}" + (f"@{self.style}" if self.style else "")


def parse_seat(word: str) -> Seat:
    """A seat as written: human, random, bot:GRADE, or bot:HAND/THOUGHT; a bot's style of play may follow, as @STYLE.

    A person is lent the hand of the window, or has one of their own as human/GRADE.
    A program is cmd:PROGRAM; cmd/GRADE:PROGRAM gives it that hand, cmd@SECONDS:PROGRAM another time limit. In records
    stands own:NAME of a player in Python.

    Raises:
        BadOption: nothing of the kind; says what there is.
    """
    kind, _, rest = word.strip().partition(":")
    front, _, hand = kind.partition("/")
    if front == "own" and rest:
        return Seat(kind="own", hand=grade(hand) if hand else "", program=rest)
    if kind == "cmd" or kind.startswith(("cmd/", "cmd@")):
        return _program(kind, rest.strip())
    if front == "human" and hand and not rest:
        return Seat(kind=front, hand=grade(hand))
    if kind in ("human", "random") and not rest:
        return Seat(kind=kind)
    if kind == "bot" and rest:
        skill, _, style = rest.partition("@")
        hand, also, thought = skill.partition("/")
        if "@" in rest and not style:
            raise BadOption(f"no seat {word!r}; a style follows the @, or leave that out")
        return Seat(kind="bot", hand=grade(hand), thought=grade(thought if also else hand), style=style)
    grades = ", ".join(GRADES)
    raise BadOption(
        f"no seat {word!r}; a seat is human, human/GRADE, random, cmd:PROGRAM or bot:GRADE with a grade of {grades}"
    )


def _program(kind: str, program: str) -> Seat:
    words_of(program)
    front, _, seconds = kind.partition("@")
    _, _, hand = front.partition("/")
    limit = PATIENCE
    if "@" in kind:
        try:
            limit = float(seconds)
        except ValueError:
            limit = 0.0
        if not 0.01 <= limit <= 3600.0:
            raise BadOption(f"time limit {seconds!r} must be seconds, 0.01 to 3600, as in 'cmd@5:{program}'")
    return Seat(kind="cmd", hand=grade(hand) if "/" in front else "", program=program, limit=limit)


Seating = Seat | str | Player | Callable[[View, Choices, np.random.Generator], Action]
"""Player to be seated: a seat, its word, or a player of one's own: an object with `choose`, or a function."""


def seat_of(who: Seating) -> Seat:
    """The seat of anybody who may sit down. A player of one's own flicks with the hand of the grade `who.hand` names.

    Raises:
        BadOption: nobody can be seated so; says who may.
    """
    if isinstance(who, Seat):
        return who
    if isinstance(who, str):
        return parse_seat(who)
    chooses(who)
    hand = getattr(who, "hand", "")
    if not isinstance(hand, str):
        raise BadOption(f"the player {name_of_own(who)!r} has the hand {shown(hand)}; a grade is {', '.join(GRADES)}")
    return Seat(kind="own", hand=grade(hand) if hand and hand != "steady" else "", program=name_of_own(who))


def programs_found(seats: Sequence[Seat]) -> None:
    """See that all these can sit down at the shell: programs can be started, and nobody is a player in Python.

    Raises:
        BadOption: one cannot.
    """
    for seat in seats:
        if seat.kind == "own":
            raise BadOption(f"seat '{seat}' is a player in Python, which sits down by flicksim.play_game alone")
    programs_there(seats)


def programs_there(seats: Sequence[Seat]) -> None:
    """See that every program that is to sit down can be started here.

    Raises:
        BadOption: one is not there.
    """
    for seat in seats:
        if seat.kind == "cmd":
            must_be_there(seat.program)


def open_match(
    game: Game, options: Value, seats: Sequence[Seating], seed: int, *, stage: Stage | None = None,
    position: Position = None, bounds: Bounds | None = None,
) -> Match:  # fmt: skip
    """A match ready to be played.

    Args:
        seats: who sits down, in the order of the game's seats: as seats, words, or players of one's own.
        position: where it begins, written as the game's `positions` have it; the game's own beginning without.
        bounds: the longest it may last.

    Raises:
        BadOption: too few or too many seats for the game, nobody who could sit there, or a style its bots do not know.
        BadScene: the position cannot be played from; lists everything wrong with it.
    """
    check_seats(game, len(seats))
    seeds = Seeds(seed=seed)
    imagined = stage or TableStage(THOUGHT)
    stage = stage or (Dealer() if not game.flicked else TableStage())
    sitting = [seat_of(who) for who in seats]
    players = [player_of(game, imagined, sitting, number, who) for number, who in enumerate(seats)]
    hands: list[Hand] = [GRADES[seat.hand] if seat.hand else STEADY for seat in sitting]
    return Match(game, options, seeds, stage, hands, players, begun_at(game, options, position), bounds)


def begun_at(game: Game, options: Value, position: Position) -> Begun | None:
    """A position to play on from under these options; None when there is none.

    Raises:
        BadOption: the game has no way to write positions. BadScene: it cannot be played from.
    """
    if position is None:
        return None
    if game.positions is None:
        raise BadOption(f"{game.title} has no notation for positions; it begins at its beginning")
    position = msgspec.structs.replace(position, options=options)
    state, reasons = game.positions.begin(position)
    return Begun(position=position, state=state, reasons=reasons)


def player_of(game: Game, stage: Stage, seats: Sequence[Seat], number: int, who: Seating = "") -> Player | None:
    """Whoever plays at the seat of that number; nobody for a person."""
    seat = seats[number]
    match seat.kind:
        case "own":
            if isinstance(who, Seat | str):
                return Absent(seat.program)
            return OwnPlayer(who, seat.program, game.action, game.rules.check)
        case "random":
            return RandomPlayer(game.rules.check)
        case "cmd":
            names = game.seat_names[: len(seats)]
            head = {"game": game.name, "edition": game.edition, "seat": number, "names": names}
            return ProgramPlayer(seat.program, seat.limit, head, game.action, game.rules.check)
        case "bot":
            hand, depth = GRADES[seat.hand], depth_of(game, seat.thought)
            if depth is not None:
                future = GameFuture(game, stage, seat.style, learnt=depth.learnt)
                return WeighingPlayer(future, number, hand, depth, _plain_depth(game, seat.thought))
            if not game.flicked:
                slips: Mapping[str, float] = getattr(game.bot, "SLIPS", SLIPS)
                return ThumbPlayer(game.bot, slips.get(seat.thought, 0.0))
            model = GameModel(game, stage, seat.style, seat.thought)
            return SearchPlayer(model, number, hand, thought_of(game, seat.thought))
    return None


def depth_of(game: Game, name: str) -> Depth | None:
    """The depth to which a grade weighs its plans in a game; None where it does not weigh.

    Where nothing is compiled it tries less (`PLAIN`) to keep to its time, and that is said once.
    """
    depth: Depth | None = getattr(game.bot, "DEPTHS", {}).get(name)
    if njit is not None:
        return depth
    plain = _plain_depth(game, name)
    if plain is not None:
        _thinks_less(game.title)
    return plain or depth


def _plain_depth(game: Game, name: str) -> Depth | None:
    """The depth to which a grade weighs where nothing is compiled; None where that is no other."""
    found: Depth | None = getattr(game.bot, "PLAIN", {}).get(name)
    return found


@cache
def _thinks_less(title: str) -> None:
    logging.getLogger("flicksim").warning(
        f"Nothing is compiled here, so bots try less at {title} than their grade does, to keep to their time; "
        "the extra 'fast' makes up for it: pip install 'flicksim[fast]'"
    )


def thought_of(game: Game, name: str) -> Thought:
    """The depth to which a grade thinks in a game: a game whose shots take long to settle says so itself."""
    own = getattr(game.bot, "THOUGHTS", {}).get(name)
    if own is None:
        return THOUGHTS[name]
    candidates, keep, samples = own
    return Thought(candidates=candidates, keep=keep, samples=samples)
