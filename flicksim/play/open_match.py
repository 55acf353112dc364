"""The door where the wings are joined: a game's card, who sits down, and a seed become a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flicksim.base.codec import Value
from flicksim.base.errors import BadOption
from flicksim.base.seeding import Seeds
from flicksim.cards import Dealer
from flicksim.physics import Settings, settle
from flicksim.play.match import Match, Player, Rules, Stage
from flicksim.players import GRADES, PONDERINGS, DeterminisedPlayer, RandomPlayer, SearchPlayer, grade
from flicksim.players.hand import STEADY, Hand
from flicksim.players.search import THOUGHTS
from flicksim.referee import Game, check_seats


class Seat(Value, frozen=True, kw_only=True):
    """Who sits on a seat: `human`, `random`, or a bot with a hand and a depth of thought."""

    kind: str
    hand: str = ""
    thought: str = ""

    def __str__(self) -> str:
        if self.kind != "bot":
            return self.kind
        return f"bot:{self.hand}" + (f"/{self.thought}" if self.thought != self.hand else "")


def parse_seat(word: str) -> Seat:
    """A seat as written: human, random, bot:GRADE, or bot:HAND/THOUGHT.

    Raises:
        BadOption: nothing of the kind; says what there is.
    """
    kind, _, rest = word.strip().partition(":")
    if kind in ("human", "random") and not rest:
        return Seat(kind=kind)
    if kind == "bot" and rest:
        hand, _, thought = rest.partition("/")
        return Seat(kind="bot", hand=grade(hand), thought=grade(thought or hand))
    raise BadOption(f"no seat {word!r}; a seat is human, random or bot:GRADE with a grade of {', '.join(GRADES)}")


class TableStage:
    """The table wing: flicks settled by physics."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()

    def settle(self, before: Any, action: Any) -> Any:
        """The finished motion."""
        return settle(before, action, self._settings)


class GameModel:
    """A game as a search sees it: its own rules and its own physics, asked what would be."""

    def __init__(self, game: Game, stage: Stage) -> None:
        self._rules: Rules = game.rules
        self._bot, self._stage = game.bot, stage

    def candidates(self, view: Any, rng: np.random.Generator, count: int) -> list[Any]:
        """Actions worth a thought."""
        found: list[Any] = self._bot.candidates(view, rng, count)
        return found

    def imagine(self, view: Any, action: Any) -> Any:
        """The state after it."""
        self._rules.check(view, action)
        staged = self._rules.stage(view, action)
        account = None if staged is None else self._stage.settle(*staged)
        return self._rules.advance(view, account, self._rules.judge(view, action, account))

    def value(self, view: Any, seat: int) -> float:
        """How good it is for a seat."""
        return float(self._bot.value(view, seat))


def open_match(game: Game, options: Value, seats: Sequence[Seat], seed: int, *, stage: Stage | None = None) -> Match:
    """A match ready to be played.

    Raises:
        BadOption: too few or too many seats for the game.
    """
    check_seats(game, len(seats))
    seeds = Seeds(seed=seed)
    stage = stage or (Dealer() if game.wing == "cards" else TableStage())
    players = [_player(game, stage, seat, number) for number, seat in enumerate(seats)]
    hands: list[Hand] = [GRADES[seat.hand] if seat.kind == "bot" else STEADY for seat in seats]
    return Match(game, options, seeds, stage, hands, players)


def _player(game: Game, stage: Stage, seat: Seat, number: int) -> Player | None:
    match seat.kind:
        case "random":
            return RandomPlayer(game.rules.check)
        case "bot" if game.wing == "cards":
            return DeterminisedPlayer(game.bot, PONDERINGS[seat.thought])
        case "bot":
            return SearchPlayer(GameModel(game, stage), number, GRADES[seat.hand], THOUGHTS[seat.thought])
    return None
