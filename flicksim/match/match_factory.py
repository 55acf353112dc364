"""Construction of a match from a game, its options, the seats and a seed."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import msgspec
import numpy as np

from flicksim import ai
from flicksim.cards import Dealer
from flicksim.core.errors import InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.shell import install_command
from flicksim.core.type_aliases import JsonValue, Position, View
from flicksim.core.validation import short_repr
from flicksim.engine.jit import numba_njit
from flicksim.match.game_model import GameModel, PhysicsSimulator
from flicksim.match.match import CustomStart, Match, MatchLimits, Player, Simulator
from flicksim.match.rollout_model import GameRolloutModel
from flicksim.referee import Game, LegalActions, check_seat_count


class Seat(Value, frozen=True, kw_only=True):
    """Specification of the player at a seat.

    Args:
        kind: `human`, `random`, `bot`, `cmd` (a program) or `own` (a Python player).
        hand: grade of the execution noise. thought: grade of a bot's search. style: of a bot's play.
        program: command of a program, or name of a Python player. time_limit: of a program's decision [s].
    """

    kind: str
    hand: str = ""
    thought: str = ""
    style: str = ""
    program: str = ""
    time_limit: float = ai.DEFAULT_TIME_LIMIT

    def __str__(self) -> str:
        hand = f"/{self.hand}" if self.hand else ""
        if self.kind == "cmd":
            limit = f"@{self.time_limit:g}" if self.time_limit != ai.DEFAULT_TIME_LIMIT else ""
            return f"cmd{hand}{limit}:{self.program}"
        if self.kind == "own":
            return f"own{hand}:{self.program}"
        if self.kind != "bot":
            return self.kind + hand
        thought = f"/{self.thought}" if self.thought != self.hand else ""
        return f"bot:{self.hand}{thought}" + (f"@{self.style}" if self.style else "")


def parse_seat(text: str) -> Seat:
    """Parse a seat.

    The grammar: human, human/GRADE, random, bot:GRADE, bot:HAND/THOUGHT, bot:GRADE@STYLE, cmd:PROGRAM,
    cmd/GRADE:PROGRAM, cmd@SECONDS:PROGRAM, and in records own:NAME or own/GRADE:NAME of a Python player. A person
    without a grade has the one set in the window.

    Raises:
        InvalidOption: it is none of these; lists them.
    """
    kind, _, rest = text.strip().partition(":")
    name, _, hand = kind.partition("/")
    if name == "own" and rest:
        return Seat(kind="own", hand=ai.parse_grade(hand) if hand else "", program=rest)
    if kind == "cmd" or kind.startswith(("cmd/", "cmd@")):
        return _parse_program(kind, rest.strip())
    if name == "human" and hand and not rest:
        return Seat(kind=name, hand=ai.parse_grade(hand))
    if kind in ("human", "random") and not rest:
        return Seat(kind=kind)
    if kind == "bot" and rest:
        skill, _, style = rest.partition("@")
        hand, slash, thought = skill.partition("/")
        if "@" in rest and not style:
            raise InvalidOption(f"no seat {text!r}; a style follows the @, or leave that out")
        return Seat(
            kind="bot", hand=ai.parse_grade(hand), thought=ai.parse_grade(thought if slash else hand), style=style
        )
    grades = ", ".join(ai.GRADES)
    raise InvalidOption(
        f"no seat {text!r}; a seat is human, human/GRADE, random, cmd:PROGRAM or bot:GRADE with a grade of {grades}"
    )


def _parse_program(kind: str, program: str) -> Seat:
    ai.split_command(program)
    front, _, seconds = kind.partition("@")
    _, _, hand = front.partition("/")
    limit = ai.DEFAULT_TIME_LIMIT
    if "@" in kind:
        try:
            limit = float(seconds)
        except ValueError:
            limit = 0.0
        if not 0.01 <= limit <= 3600.0:
            raise InvalidOption(f"time limit {seconds!r} must be seconds, 0.01 to 3600, as in 'cmd@5:{program}'")
    return Seat(kind="cmd", hand=ai.parse_grade(hand) if "/" in front else "", program=program, time_limit=limit)


SeatLike = Seat | str | Player | Callable[[View, LegalActions, np.random.Generator], Value]
"""Player of a seat: a specification, its text, or a Python player: an object with `choose`, or a function."""


def to_seat(player: SeatLike) -> Seat:
    """Convert a player to a seat. A Python player has the execution noise of the grade `player.hand`, if any.

    Raises:
        InvalidOption: it is not a player; the message says what is expected.
    """
    if isinstance(player, Seat):
        return player
    if isinstance(player, str):
        return parse_seat(player)
    ai.as_choose_function(player)
    hand = getattr(player, "hand", "")
    if not isinstance(hand, str):
        raise InvalidOption(
            f"the player {ai.player_name(player)!r} has the hand {short_repr(hand)}; a grade is {', '.join(ai.GRADES)}"
        )
    return Seat(
        kind="own", hand=ai.parse_grade(hand) if hand and hand != "steady" else "", program=ai.player_name(player)
    )


def check_shell_seats(seats: Sequence[Seat]) -> None:
    """Check that the seats can be played from the shell: programs exist, and none is a Python player.

    Raises:
        InvalidOption: one cannot.
    """
    for seat in seats:
        if seat.kind == "own":
            raise InvalidOption(f"seat '{seat}' is a player in Python, which sits down by flicksim.play_game alone")
    check_programs(seats)


def check_programs(seats: Sequence[Seat]) -> None:
    """Check that the program of every seat exists.

    Raises:
        InvalidOption: one does not.
    """
    for seat in seats:
        if seat.kind == "cmd":
            ai.require_executable(seat.program)


def open_match(
    game: Game, options: Value, seats: Sequence[SeatLike], seed: int, *, simulator: Simulator | None = None,
    position: Position = None, bounds: MatchLimits | None = None,
) -> Match:  # fmt: skip
    """Set up a match.

    Args:
        seats: players, in the order of the game's seats.
        position: start, in the notation of the game; the game's opening where None.
        bounds: limits on the length of the match.

    Raises:
        InvalidOption: wrong number of seats for the game, an invalid seat, or an unknown style.
        InvalidScene: the position cannot be played from; lists everything wrong with it.
    """
    check_seat_count(game, len(seats))
    streams = RandomStreams(seed=seed)
    specs = [to_seat(player) for player in seats]
    players = [make_player(game, simulator, specs, index, player) for index, player in enumerate(seats)]
    simulator = simulator or (Dealer() if not game.uses_physics else PhysicsSimulator())
    noise: list[ai.ExecutionNoise] = [ai.GRADES[seat.hand] if seat.hand else ai.NO_NOISE for seat in specs]
    start = custom_start_at(game, options, position, len(players))
    return Match(game, options, streams, simulator, noise, players, start, bounds)


def custom_start_at(game: Game, options: Value, position: Position, seats: int | None = None) -> CustomStart | None:
    """Make the start of a match from a position and options; None without a position.

    Args:
        seats: number of players; any where None.

    Raises:
        InvalidOption: the game has no notation for positions, or the position is for another number of seats.
        InvalidScene: it cannot be played from.
    """
    if position is None:
        return None
    if game.positions is None:
        raise InvalidOption(f"{game.title} has no notation for positions; it starts from its opening")
    position = msgspec.structs.replace(position, options=options)
    state, reasons = game.positions.start_state(position)
    if seats not in (None, count := len(game.rules.scores(state))):
        raise InvalidOption(f"that position is for {count} seats, not {seats}")
    return CustomStart(position=position, state=state, corrections=reasons)


def decision_header(game: Game, seat_count: int, seat: int) -> dict[str, JsonValue]:
    """First fields of the description of a decision for programs: game, edition, seat, and names of the seats."""
    return {"game": game.name, "edition": game.rules_version, "seat": seat, "names": game.seat_names[:seat_count]}


def make_player(
    game: Game, simulator: Simulator | None, seats: Sequence[Seat], index: int, player: SeatLike = ""
) -> Player | None:
    """Make the player of a seat; None for a person.

    A bot may reduce the search budget of some states (`limit_config`), as at the opening of a game.
    """
    seat = seats[index]
    match seat.kind:
        case "own":
            if isinstance(player, Seat | str):
                return ai.AbsentPlayer(seat.program)
            return ai.PythonPlayer(player, seat.program, game.action, game.rules.check_action)
        case "random":
            return ai.RandomPlayer(game.rules.check_action)
        case "cmd":
            header = decision_header(game, len(seats), index)
            return ai.SubprocessPlayer(seat.program, seat.time_limit, header, game.action, game.rules.check_action)
        case "bot":
            noise, config = ai.GRADES[seat.hand], search_config_of(game, seat.thought)
            if config is not None:
                rollouts = GameRolloutModel(game, simulator, seat.style, use_learned=config.use_learned)
                limit_config = getattr(game.bot, "limit_config", None)
                return ai.RolloutPlayer(
                    rollouts, index, noise, config, _no_jit_config(game, seat.thought), limit_config
                )
            if not game.uses_physics:
                epsilons: Mapping[str, float] = getattr(game.bot, "EPSILONS", ai.EPSILONS)
                return ai.HeuristicPlayer(game.bot, epsilons.get(seat.thought, 0.0))
            model = GameModel(game, simulator, seat.style, seat.thought)
            return ai.LookaheadPlayer(model, index, noise, lookahead_config_of(game, seat.thought))
    return None


def search_config_of(game: Game, name: str) -> ai.SearchConfig | None:
    """Search budget of a grade in a game; None where its bots do not search by rollouts.

    Without JIT it is reduced to keep the time (`SEARCH_CONFIGS_NO_JIT`), with one warning.
    """
    config: ai.SearchConfig | None = getattr(game.bot, "SEARCH_CONFIGS", {}).get(name)
    if numba_njit is not None:
        return config
    reduced = _no_jit_config(game, name)
    if reduced is not None:
        _warn_reduced_search(game.title)
    return reduced or config


def _no_jit_config(game: Game, name: str) -> ai.SearchConfig | None:
    """Search budget of a grade without JIT; None where it is the same."""
    config: ai.SearchConfig | None = getattr(game.bot, "SEARCH_CONFIGS_NO_JIT", {}).get(name)
    return config


@cache
def _warn_reduced_search(title: str) -> None:
    logging.getLogger("flicksim").warning(
        f"Nothing is compiled here, so bots try less at {title} than their grade does, to keep to their time; "
        f"the extra 'fast' makes up for it: {install_command('fast')}"
    )


def lookahead_config_of(game: Game, name: str) -> ai.LookaheadConfig:
    """Lookahead budget of a grade; games with slow simulation have their own."""
    config: ai.LookaheadConfig | None = getattr(game.bot, "LOOKAHEAD_CONFIGS", {}).get(name)
    return config or ai.LOOKAHEAD_CONFIGS[name]
