"""Pieces on their way to where a ruling puts them."""

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from flicksim import load_scene
from flicksim.gui.match.ruling_moves import scene_while_moving


def test_a_piece_that_a_ruling_moves_goes_there_as_it_will_lie() -> None:
    before = load_scene("draw")
    piece, *_ = before.pieces
    after = before.with_piece(replace(piece, x=piece.x + 0.1, angle=2.0))
    turn: Any = SimpleNamespace(result=None, before=SimpleNamespace(scene=before), after=SimpleNamespace(scene=after))
    halfway = scene_while_moving(turn, 0.5)
    assert halfway is not None
    assert halfway.piece(piece.id).x == pytest.approx(piece.x + 0.05)
    assert halfway.piece(piece.id).angle == 2.0, "no jump as it arrives"
    assert scene_while_moving(turn, 2.0) == after
