"""Purposes of flicks in every game."""

from itertools import islice

import pytest

from flicksim.games import load
from flicksim.match import GameRolloutModel
from flicksim.scene import Flick, Launch, Squidge
from tests.matches import new_match


@pytest.mark.parametrize(
    ("name", "seats", "turns"),
    [
        ("penny-white", 2, 60), ("tiddlywinks", 4, 30), ("ice", 2, 24), ("dominoes", 2, 60), ("dominoes", 5, 60),
        ("tinkle", 3, 60),
    ],
)  # fmt: skip
@pytest.mark.parametrize("player", ["random", "bot:beginner"])
def test_purpose_is_valid_or_none_in_every_game(name: str, seats: int, turns: int, player: str) -> None:
    """Asked again it is the same, and by all cards as by those that the seat sees."""
    game = load(name)
    model, purposes = GameRolloutModel(game), game.purposes
    assert purposes is not None
    told = set()
    for turn in islice(new_match(name, *[player] * seats, seed=2).run(), turns):
        found = model.purpose(turn.before, turn.meant)
        assert found == model.purpose(game.rules.view(turn.before, turn.seat), turn.meant)
        if game.category == "table" and not isinstance(turn.meant, Flick | Squidge | Launch):
            assert found is None
        elif found is not None:
            if game.category == "table":
                assert set(found.pieces) <= {turn.meant.piece, *(piece.id for piece in turn.before.scene.pieces)}
            assert found.text == purposes.describe(found.kind, found.pieces)
            told.add(found.kind)
    assert len(told) > (2 if game.category == "cards" else 0)
    assert told <= set(purposes.TEMPLATES)
