"""Purposes of flicks in every game."""

from itertools import islice

import pytest

from flicksim.games import load
from flicksim.match import SEARCH_SETTINGS, GameRolloutModel, PhysicsSimulator
from flicksim.scene import Flick, Launch, Squidge
from tests.matches import new_match


@pytest.mark.parametrize(("name", "seats", "turns"), [("penny-white", 2, 60), ("tiddlywinks", 4, 30), ("ice", 2, 24)])
@pytest.mark.parametrize("player", ["random", "bot:beginner"])
def test_purpose_is_valid_or_none_in_every_game(name: str, seats: int, turns: int, player: str) -> None:
    game = load(name)
    future, purposes = GameRolloutModel(game, PhysicsSimulator(SEARCH_SETTINGS)), game.purposes
    assert purposes is not None
    told = set()
    for turn in islice(new_match(name, *[player] * seats, seed=2).run(), turns):
        found = future.purpose(turn.before, turn.meant)
        if not isinstance(turn.meant, Flick | Squidge | Launch):
            assert found is None
        elif found is not None:
            assert set(found.pieces) <= {turn.meant.piece, *(piece.id for piece in turn.before.scene.pieces)}
            assert found == future.purpose(turn.before, turn.meant), "asked again it is the same"
            assert found.text == purposes.describe(found.kind, found.pieces)
            told.add(found.kind)
    assert told
    assert told <= set(purposes.TEMPLATES)


@pytest.mark.parametrize(("name", "seats"), [("dominoes", 2), ("dominoes", 5), ("tinkle", 3)])
@pytest.mark.parametrize("player", ["random", "bot:beginner"])
def test_moves_of_cards_have_purposes(name: str, seats: int, player: str) -> None:
    """The purpose is the same by all cards as by those that the seat sees."""
    game = load(name)
    model, purposes = GameRolloutModel(game, PhysicsSimulator()), game.purposes
    assert purposes is not None
    told = set()
    for turn in islice(new_match(name, *[player] * seats, seed=2).run(), 60):
        view = game.rules.view(turn.before, turn.seat)
        found = model.purpose(view, turn.meant)
        assert found == model.purpose(turn.before, turn.meant)
        if found is not None:
            assert found.text == purposes.describe(found.kind, found.pieces)
            told.add(found.kind)
    assert len(told) > 2
    assert told <= set(purposes.TEMPLATES)
