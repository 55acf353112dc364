"""A shot that once never came to rest: two large winks jammed into each other in the pot."""

from __future__ import annotations

import json
from pathlib import Path

from flicksim.base.codec import from_plain
from flicksim.physics import settle
from flicksim.table.flick import Squidge
from flicksim.table.scene import Scene


def test_winks_jammed_in_the_pot_come_to_rest() -> None:
    """Whatever they do to each other in there, both are potted in the end, and the scene can lie so."""
    kept = json.loads((Path(__file__).parent / "jammed.json").read_text(encoding="utf-8"))
    scene, squidge = from_plain(kept["scene"], Scene), from_plain(kept["squidge"], Squidge)
    after = settle(scene, squidge).after
    assert [after.piece(name).support for name in ("green-1", "green-2")] == ["pot", "pot"]
    assert not after.problems()
