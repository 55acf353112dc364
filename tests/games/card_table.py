"""Card and tile games played by notation, for the tests of their rules."""

from typing import Any

import pytest

from flicksim.cards import Dealer, hand_zone, parse_move
from flicksim.core.errors import IllegalAction
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import to_json
from flicksim.referee import Game, Verdict


class CardTable:
    """A game whose moves are typed."""

    def __init__(self, game: Game) -> None:
        self._game, self._rules = game, game.rules

    def initial_state(self, seats: int = 3, seed: int = 1, **options: Any) -> Any:
        return self._rules.initial_state(self._game.options(**options), seats, RandomStreams(seed=seed))

    def play(self, state: Any, *texts: str) -> tuple[Any, Verdict]:
        """Moves by their notation, through the whole path; the last verdict. Each gives the points that it says, and
        the turn to the seat that it names."""
        for text in texts:
            action = parse_move(text, self._game.action)
            self._rules.check_action(state, action)
            staged = self._rules.simulation_setup(state, action)
            result = None if staged is None else Dealer().simulate(*staged)
            verdict = self._rules.judge(state, action, result)
            scores = map(sum, zip(state.scores, verdict.ruling.points, strict=True))
            state = self._rules.next_state(state, result, verdict)
            assert (state.scores, state.to_play) == (tuple(scores), verdict.ruling.next)
        return state, verdict

    def refusal(self, state: Any, text: str) -> str:
        """The row by which a move is refused, which changes nothing; the state must offer no such move."""
        action, before = parse_move(text, self._game.action), to_json(state)
        with pytest.raises(IllegalAction) as caught:
            self._rules.check_action(state, action)
        assert to_json(state) == before
        assert action not in self._rules.legal_actions(state).actions
        return caught.value.rule

    def offered_actions(self, state: Any) -> set[str]:
        return {str(action) for action in self._rules.legal_actions(state).actions}

    @staticmethod
    def hand(state: Any, seat: int = 0) -> str:
        return " ".join(map(str, state.zones.cards(hand_zone(seat))))
