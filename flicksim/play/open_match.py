"""The door where the wings are joined: a game's card, who sits down, and a seed become a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from flicksim.base.codec import Value
from flicksim.base.errors import BadOption
from flicksim.base.seeding import Seeds
from flicksim.cards import Dealer
from flicksim.physics import Settings, settle
from flicksim.play.match import Begun, Match, Player, Rules, Stage
from flicksim.players import GRADES, PONDERINGS, DeterminisedPlayer, RandomPlayer, SearchPlayer, grade
from flicksim.players.hand import STEADY, Hand
from flicksim.players.search import THOUGHTS, Thought
from flicksim.referee import Game, check_seats

_PATIENCE = 1.5
"""A bot does not watch longer in its mind how a wink whirls on [s]; most shots are over in half of that."""


class Seat(Value, frozen=True, kw_only=True):
    """Who sits on a seat: `human`, `random`, or a bot with a hand, a depth of thought and maybe a style of play."""

    kind: str
    hand: str = ""
    thought: str = ""
    style: str = ""

    def __str__(self) -> str:
        if self.kind != "bot":
            return self.kind
        thought = f"/{self.thought}" if self.thought != self.hand else ""
        return f"bot:{self.hand}{thought}" + (f"@{self.style}" if self.style else "")


def parse_seat(word: str) -> Seat:
    """A seat as written: human, random, bot:GRADE, or bot:HAND/THOUGHT; a bot's style of play may follow, as @STYLE.

    Raises:
        BadOption: nothing of the kind; says what there is.
    """
    kind, _, rest = word.strip().partition(":")
    if kind in ("human", "random") and not rest:
        return Seat(kind=kind)
    if kind == "bot" and rest:
        skill, _, style = rest.partition("@")
        hand, _, thought = skill.partition("/")
        return Seat(kind="bot", hand=grade(hand), thought=grade(thought or hand), style=style)
    raise BadOption(f"no seat {word!r}; a seat is human, random or bot:GRADE with a grade of {', '.join(GRADES)}")


class TableStage:
    """The table wing: flicks settled by physics."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()

    def settle(self, before: Any, action: Any) -> Any:
        """The finished motion."""
        return settle(before, action, self._settings)


class GameModel:
    """A game as a search sees it: its own rules and its own physics, asked what would be.

    Args:
        style: one of the styles the game's bot knows; its usual one without.
    """

    def __init__(self, game: Game, stage: Stage, style: str = "") -> None:
        self._rules: Rules = game.rules
        self._bot, self._stage = game.bot, stage
        if style:
            styles = getattr(game.bot, "STYLES", ())
            if style not in styles:
                known = f"its bots play {', '.join(styles)}" if styles else "its bots play in one style only"
                raise BadOption(f"{game.title} has no style {style!r}; {known}")
            self._bot = game.bot.styled(style)

    def candidates(self, view: Any, rng: np.random.Generator, count: int) -> list[Any]:
        """Actions worth a thought."""
        found: list[Any] = self._bot.candidates(view, rng, count)
        return found

    def imagine(self, view: Any, action: Any) -> Any:
        """The state after it; a bot may leave out of it what makes no difference and takes long to settle."""
        self._rules.check(view, action)
        leave_out = getattr(self._bot, "imagined", None)
        if leave_out is not None:
            view = leave_out(view)
        staged = self._rules.stage(view, action)
        account = None if staged is None else self._stage.settle(*staged)
        return self._rules.advance(view, account, self._rules.judge(view, action, account))

    def value(self, view: Any, seat: int) -> float:
        """How good it is for a seat."""
        return float(self._bot.value(view, seat))


def open_match(
    game: Game, options: Value, seats: Sequence[Seat], seed: int, *, stage: Stage | None = None, position: Any = None
) -> Match:
    """A match ready to be played.

    Args:
        position: where it begins, written as the game's `positions` have it; the game's own beginning without.

    Raises:
        BadOption: too few or too many seats for the game, or a style its bots do not know.
        BadScene: the position cannot be played from; lists everything wrong with it.
    """
    check_seats(game, len(seats))
    seeds = Seeds(seed=seed)
    imagined = stage or TableStage(Settings(max_flight=_PATIENCE))
    stage = stage or (Dealer() if game.wing == "cards" else TableStage())
    players = [_player(game, imagined, seat, number) for number, seat in enumerate(seats)]
    hands: list[Hand] = [GRADES[seat.hand] if seat.kind == "bot" else STEADY for seat in seats]
    return Match(game, options, seeds, stage, hands, players, begun_at(game, options, position))


def begun_at(game: Game, options: Value, position: Any) -> Begun | None:
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


def _player(game: Game, stage: Stage, seat: Seat, number: int) -> Player | None:
    match seat.kind:
        case "random":
            return RandomPlayer(game.rules.check)
        case "bot" if game.wing == "cards":
            return DeterminisedPlayer(game.bot, PONDERINGS[seat.thought])
        case "bot":
            model = GameModel(game, stage, seat.style)
            return SearchPlayer(model, number, GRADES[seat.hand], thought_of(game, seat.thought))
    return None


def thought_of(game: Game, name: str) -> Thought:
    """How deep a grade thinks in a game: a game whose shots take long to settle says so itself."""
    own = getattr(game.bot, "THOUGHTS", {}).get(name)
    if own is None:
        return THOUGHTS[name]
    candidates, keep, samples = own
    return Thought(candidates=candidates, keep=keep, samples=samples)
