"""Construction of a match from a game, its options, the seats and a seed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import msgspec
import numpy as np

from flicksim.ai import (
    DEFAULT_TIME_LIMIT,
    EPSILONS,
    GRADES,
    LOOKAHEAD_CONFIGS,
    NO_NOISE,
    AbsentPlayer,
    ExecutionNoise,
    HeuristicPlayer,
    LookaheadConfig,
    LookaheadPlayer,
    PythonPlayer,
    RandomPlayer,
    RolloutPlayer,
    SearchConfig,
    SubprocessPlayer,
    as_choose_function,
    parse_grade,
    player_name,
    require_executable,
    split_command,
)
from flicksim.cards import Dealer
from flicksim.core.errors import InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, Position, View
from flicksim.core.validation import short_repr
from flicksim.engine.jit import numba_njit
from flicksim.match.game_model import SEARCH_SETTINGS, GameModel, PhysicsSimulator
from flicksim.match.match import CustomStart, Match, MatchLimits, Player, Simulator
from flicksim.match.rollout_model import GameRolloutModel
from flicksim.referee import Game, LegalActions, check_seat_count


class Seat(Value, frozen=True, kw_only=True):
    """A player at a seat: `human`, maybe with a hand, `random`, a bot with a hand, a depth of thought and maybe a
    style of play, a program with a command, a time limit for each decision [s] and maybe a hand, or a player of one's
    own in Python (`own`) with its name and maybe a hand."""

    kind: str
    hand: str = ""
    thought: str = ""
    style: str = ""
    program: str = ""
    time_limit: float = DEFAULT_TIME_LIMIT

    def __str__(self) -> str:
        if self.kind == "cmd":
            hand = f"/{self.hand}" if self.hand else ""
            return (
                f"cmd{hand}"
                + (f"@{self.time_limit:g}" if self.time_limit != DEFAULT_TIME_LIMIT else "")
                + f":{self.program}"
            )
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
        InvalidOption: nothing of the kind; says what there is.
    """
    kind, _, rest = word.strip().partition(":")
    front, _, hand = kind.partition("/")
    if front == "own" and rest:
        return Seat(kind="own", hand=parse_grade(hand) if hand else "", program=rest)
    if kind == "cmd" or kind.startswith(("cmd/", "cmd@")):
        return _parse_program(kind, rest.strip())
    if front == "human" and hand and not rest:
        return Seat(kind=front, hand=parse_grade(hand))
    if kind in ("human", "random") and not rest:
        return Seat(kind=kind)
    if kind == "bot" and rest:
        skill, _, style = rest.partition("@")
        hand, also, thought = skill.partition("/")
        if "@" in rest and not style:
            raise InvalidOption(f"no seat {word!r}; a style follows the @, or leave that out")
        return Seat(kind="bot", hand=parse_grade(hand), thought=parse_grade(thought if also else hand), style=style)
    grades = ", ".join(GRADES)
    raise InvalidOption(
        f"no seat {word!r}; a seat is human, human/GRADE, random, cmd:PROGRAM or bot:GRADE with a grade of {grades}"
    )


def _parse_program(kind: str, program: str) -> Seat:
    split_command(program)
    front, _, seconds = kind.partition("@")
    _, _, hand = front.partition("/")
    limit = DEFAULT_TIME_LIMIT
    if "@" in kind:
        try:
            limit = float(seconds)
        except ValueError:
            limit = 0.0
        if not 0.01 <= limit <= 3600.0:
            raise InvalidOption(f"time limit {seconds!r} must be seconds, 0.01 to 3600, as in 'cmd@5:{program}'")
    return Seat(kind="cmd", hand=parse_grade(hand) if "/" in front else "", program=program, time_limit=limit)


SeatLike = Seat | str | Player | Callable[[View, LegalActions, np.random.Generator], Action]
"""Player to be seated: a seat, its word, or a player of one's own: an object with `choose`, or a function."""


def to_seat(player: SeatLike) -> Seat:
    """Convert a player to a seat. A Python player flicks with the hand of the grade that `player.hand` names.

    Raises:
        InvalidOption: nobody can be seated so; says who may.
    """
    if isinstance(player, Seat):
        return player
    if isinstance(player, str):
        return parse_seat(player)
    as_choose_function(player)
    hand = getattr(player, "hand", "")
    if not isinstance(hand, str):
        raise InvalidOption(
            f"the player {player_name(player)!r} has the hand {short_repr(hand)}; a grade is {', '.join(GRADES)}"
        )
    return Seat(kind="own", hand=parse_grade(hand) if hand and hand != "steady" else "", program=player_name(player))


def check_shell_seats(seats: Sequence[Seat]) -> None:
    """See that all these can sit down at the shell: programs can be started, and nobody is a player in Python.

    Raises:
        InvalidOption: one cannot.
    """
    for seat in seats:
        if seat.kind == "own":
            raise InvalidOption(f"seat '{seat}' is a player in Python, which sits down by flicksim.play_game alone")
    check_programs(seats)


def check_programs(seats: Sequence[Seat]) -> None:
    """See that every program that is to sit down can be started here.

    Raises:
        InvalidOption: one is not there.
    """
    for seat in seats:
        if seat.kind == "cmd":
            require_executable(seat.program)


def open_match(
    game: Game, options: Value, seats: Sequence[SeatLike], seed: int, *, simulator: Simulator | None = None,
    position: Position = None, bounds: MatchLimits | None = None,
) -> Match:  # fmt: skip
    """A match ready to be played.

    Args:
        seats: who sits down, in the order of the game's seats: as seats, words, or players of one's own.
        position: where it begins, written as the game's `positions` have it; the game's own beginning without.
        bounds: the longest it may last.

    Raises:
        InvalidOption: too few or too many seats for the game, an invalid seat, or a style its bots do not know.
        InvalidScene: the position cannot be played from; lists everything wrong with it.
    """
    check_seat_count(game, len(seats))
    seeds = RandomStreams(seed=seed)
    imagined = simulator or PhysicsSimulator(SEARCH_SETTINGS)
    simulator = simulator or (Dealer() if not game.uses_physics else PhysicsSimulator())
    sitting = [to_seat(who) for who in seats]
    players = [make_player(game, imagined, sitting, number, who) for number, who in enumerate(seats)]
    hands: list[ExecutionNoise] = [GRADES[seat.hand] if seat.hand else NO_NOISE for seat in sitting]
    return Match(game, options, seeds, simulator, hands, players, custom_start_at(game, options, position), bounds)


def custom_start_at(game: Game, options: Value, position: Position) -> CustomStart | None:
    """A position to play on from under these options; None when there is none.

    Raises:
        InvalidOption: the game has no way to write positions. InvalidScene: it cannot be played from.
    """
    if position is None:
        return None
    if game.positions is None:
        raise InvalidOption(f"{game.title} has no notation for positions; it begins at its beginning")
    position = msgspec.structs.replace(position, options=options)
    state, reasons = game.positions.start_state(position)
    return CustomStart(position=position, state=state, corrections=reasons)


def make_player(
    game: Game, simulator: Simulator, seats: Sequence[Seat], index: int, player: SeatLike = ""
) -> Player | None:
    """Whoever plays at the seat of that number; nobody for a person."""
    seat = seats[index]
    match seat.kind:
        case "own":
            if isinstance(player, Seat | str):
                return AbsentPlayer(seat.program)
            return PythonPlayer(player, seat.program, game.action, game.rules.check_action)
        case "random":
            return RandomPlayer(game.rules.check_action)
        case "cmd":
            names = game.seat_names[: len(seats)]
            head = {"game": game.name, "edition": game.rules_version, "seat": index, "names": names}
            return SubprocessPlayer(seat.program, seat.time_limit, head, game.action, game.rules.check_action)
        case "bot":
            hand, depth = GRADES[seat.hand], search_config_of(game, seat.thought)
            if depth is not None:
                future = GameRolloutModel(game, simulator, seat.style, use_learned=depth.use_learned)
                return RolloutPlayer(future, index, hand, depth, _no_jit_config(game, seat.thought))
            if not game.uses_physics:
                slips: Mapping[str, float] = getattr(game.bot, "EPSILONS", EPSILONS)
                return HeuristicPlayer(game.bot, slips.get(seat.thought, 0.0))
            model = GameModel(game, simulator, seat.style, seat.thought)
            return LookaheadPlayer(model, index, hand, lookahead_config_of(game, seat.thought))
    return None


def search_config_of(game: Game, name: str) -> SearchConfig | None:
    """The depth to which a grade weighs its plans in a game; None where it does not weigh.

    Where nothing is compiled it tries less (`SEARCH_CONFIGS_NO_JIT`) to keep to its time, and that is said once.
    """
    depth: SearchConfig | None = getattr(game.bot, "SEARCH_CONFIGS", {}).get(name)
    if numba_njit is not None:
        return depth
    plain = _no_jit_config(game, name)
    if plain is not None:
        _warn_reduced_search(game.title)
    return plain or depth


def _no_jit_config(game: Game, name: str) -> SearchConfig | None:
    """The depth to which a grade weighs where nothing is compiled; None where that is no other."""
    found: SearchConfig | None = getattr(game.bot, "SEARCH_CONFIGS_NO_JIT", {}).get(name)
    return found


@cache
def _warn_reduced_search(title: str) -> None:
    logging.getLogger("flicksim").warning(
        f"Nothing is compiled here, so bots try less at {title} than their grade does, to keep to their time; "
        "the extra 'fast' makes up for it: pip install 'flicksim[fast]'"
    )


def lookahead_config_of(game: Game, name: str) -> LookaheadConfig:
    """The depth to which a grade thinks in a game: a game whose shots take long to settle says so itself."""
    own = getattr(game.bot, "LOOKAHEAD_CONFIGS", {}).get(name)
    if own is None:
        return LOOKAHEAD_CONFIGS[name]
    candidates, keep, samples = own
    return LookaheadConfig(candidates=candidates, refined=keep, samples=samples)
