"""State of a game to search and learn from: legal actions, transitions, returns, views, with chance made explicit.

Chance enters in three places, and each can be sampled or fixed by the caller: the opening (the seed), the execution of
an action (`sample`), and hidden or later cards (`resample`). `apply` itself is deterministic.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Self, get_args

import msgspec
import numpy as np

from flicksim.ai import ExecutionNoise
from flicksim.cards import Dealer
from flicksim.core.errors import IllegalAction, InvalidInput
from flicksim.core.limits import MAX_SEED, Name
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value, from_builtins, from_json, to_json
from flicksim.core.type_aliases import Action, JsonValue, SimulationResult, State, View
from flicksim.core.validation import check_type, short_repr
from flicksim.games import load
from flicksim.match.game_model import PhysicsSimulator
from flicksim.referee import Game, LegalActions, Reason


class _EncodedState(Value, frozen=True, kw_only=True):
    """JSON of a state."""

    game: Name
    noise: tuple[ExecutionNoise, ...]
    reasons: tuple[Reason, ...] = ()
    state: dict[str, JsonValue]


class GameState(Value, frozen=True, kw_only=True):
    """State of a game between two actions. It is immutable and can be compared, copied and pickled.

    Args:
        name: of the game. state: in the game's own type (`Rules`). noise: execution noise by seat, for `sample`.
        reasons: reasons of the verdict on the last action, each with its rule id; empty at the start.
    """

    name: str
    state: State
    noise: tuple[ExecutionNoise, ...]
    reasons: tuple[Reason, ...] = ()

    def __repr__(self) -> str:
        seat = self.current_player()
        turn = "over" if seat is None else f"{self.game.seat_names[seat]} to play"
        return f"<{self.name}, {turn}: points {', '.join(map(str, self.scores()))}>"

    @property
    def game(self) -> Game:
        """Game: its rules, options and names of seats."""
        return load(self.name)

    @property
    def num_players(self) -> int:
        """Number of seats."""
        return len(self.noise)

    def current_player(self) -> int | None:
        """Seat to play, from 0; None when the game is over."""
        return self.game.rules.to_play(self.state)

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self.current_player() is None

    def legal_actions(self) -> LegalActions:
        """Legal actions of the seat to play: decisions in `actions`, ranges of flicks in `flicks`."""
        return msgspec.structs.replace(self.game.rules.legal_actions(self.state), self_reports=())

    def is_legal(self, action: Action) -> bool:
        """Return True if the rules allow an action now."""
        try:
            self.game.rules.check_action(self.state, action)
        except IllegalAction:
            return False
        return True

    def sample(self, action: Action, rng: np.random.Generator) -> Action:
        """Draw the executed action of an intended one, by the execution noise of the seat to play.

        It is the chance step of a flick: `state.apply(state.sample(action, rng))`. Decisions and moves of cards are
        executed as intended.
        """
        _check_generator(rng)
        seat = self.current_player()
        return action if seat is None else self.noise[seat].execute(action, rng)

    def simulate(self, action: Action) -> SimulationResult:
        """Simulate an executed action: the trajectory of a flick, or the moved cards; None when nothing moves."""
        setup = self.game.rules.simulation_setup(self.state, action)
        simulator = PhysicsSimulator() if self.game.uses_physics else Dealer()
        return None if setup is None else simulator.simulate(*setup)

    def apply(self, action: Action, rng: np.random.Generator | None = None) -> Self:
        """State after an executed action. Deterministic without `rng`: cards still to be dealt are those of the seed.

        Args:
            rng: draws the execution error first (`sample`), and cards still to be dealt anew (`reseed`).

        Raises:
            IllegalAction: the rules do not allow it. InvalidInput: it is no action of this game.
        """
        kinds = get_args(self.game.action) or (self.game.action,)
        if not isinstance(action, kinds):
            names = ", ".join(kind.__name__ for kind in kinds)
            raise InvalidInput(f"action cannot be {short_repr(action)}; those of {self.game.title} are: {names}")
        if rng is not None:
            return self.reseed(rng).apply(self.sample(action, rng))
        rules = self.game.rules
        rules.check_action(self.state, action)
        result = self.simulate(action)
        verdict = rules.judge(self.state, action, result)
        after = rules.next_state(self.state, result, verdict)
        return msgspec.structs.replace(self, state=after, reasons=verdict.reasons)

    def reseed(self, rng: np.random.Generator) -> Self:
        """Copy with new random streams of later deals and shuffles; itself where nothing is dealt or shuffled later."""
        _check_generator(rng)
        if getattr(self.state, "seeds", None) is None:
            return self
        streams = RandomStreams(seed=int(rng.integers(MAX_SEED)))
        return msgspec.structs.replace(self, state=msgspec.structs.replace(self.state, seeds=streams))

    def resample(self, seat: int, rng: np.random.Generator) -> Self:
        """Copy in which all that a seat cannot see is drawn anew, consistent with its view (determinization).

        Hidden cards are drawn as bots draw them: uniformly at Tinkle, in accordance with passes and the lead at
        dominoes; what players reveal by their choices is ignored. Games without hidden cards return themselves.
        """
        _check_generator(rng)
        sample_hidden: Callable[[View, np.random.Generator], State] | None
        sample_hidden = getattr(self.game.bot, "sample_hidden", None)
        if sample_hidden is None:
            return self
        state = sample_hidden(self.view(seat), rng)
        return msgspec.structs.replace(self, state=msgspec.structs.replace(state, seeds=self.state.seeds)).reseed(rng)

    def clone(self) -> Self:
        """Copy: itself, as states are immutable."""
        return self

    def scores(self) -> tuple[Fraction, ...]:
        """Points by seat."""
        return self.game.rules.scores(self.state)

    def winners(self) -> tuple[int, ...]:
        """Seats that win, or share the win; empty before the end."""
        return self.game.rules.leaders(self.state) if self.is_terminal() else ()

    def returns(self) -> tuple[float, ...]:
        """Return of each seat: 1 for winners and -1 for the others; 0 before the end, and where all win."""
        winners = self.winners()
        if len(winners) in (0, self.num_players):
            return (0.0,) * self.num_players
        return tuple(1.0 if seat in winners else -1.0 for seat in range(self.num_players))

    def view(self, seat: int | None = None) -> View:
        """Observation: the state as a seat sees it, by default that to play; without hidden cards and seeds.

        Raises:
            InvalidInput: there is no such seat.
        """
        seat = self.current_player() if seat is None else seat
        if seat is None or not 0 <= seat < self.num_players:
            raise InvalidInput(f"there is no seat {seat!r}; seats are 0 to {self.num_players - 1}")
        return self.game.rules.view(self.state, seat)

    def to_json(self) -> str:
        """Encode as JSON, with every number exact."""
        return to_json({"game": self.name, "noise": self.noise, "reasons": self.reasons, "state": self.state}).decode()

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Decode the JSON of a state.

        Raises:
            InvalidInput, InvalidOption: it is none; says why.
        """
        encoded = from_json(text, _EncodedState, name="the state")
        game = load(encoded.game)
        state = from_builtins(encoded.state, game.state, name="the state")
        if len(encoded.noise) != len(game.rules.scores(state)):
            raise InvalidInput(f"the state has noise of {len(encoded.noise)} seats; one is needed for each seat")
        return cls(name=encoded.game, state=state, noise=encoded.noise, reasons=encoded.reasons)


def _check_generator(rng: object) -> None:
    check_type(rng, np.random.Generator, "rng", "numpy.random.default_rng(3) makes one; use it for a whole game")
