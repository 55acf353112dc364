"""Tiddlywinks matches and start positions."""

from collections.abc import Sequence
from typing import Any

import msgspec

from flicksim.core.units import mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.state import Book, State
from flicksim.match import Match
from flicksim.scene.wink_stacking import place_piece
from tests.matches import new_match

PILE = (
    ("red-1", 60, 40),
    ("green-2", 72, 44),
    ("blue-1", 66, 52),
    ("blue-4", 71, 40),
    ("green-5", -80, 30),
    ("blue-5", -70, 36),
    ("blue-2", 150, 60),
)
"""Blue 1 is squopped by Blue 4; Blue 5 lies on Green 5."""


def winks_match(*seats: str, **options: Any) -> Match:
    """A game of tiddlywinks, people on the seats not named."""
    return new_match("tiddlywinks", *seats, *["human"] * (4 - len(seats)), seed=5, **options)


def at_position(match: Match, winks: Sequence[tuple[str, float, float]] = PILE, **book: object) -> Match:
    """The match begun with these winks laid down in order [mm], and the others behind their lines."""
    state = match.opening
    there = [name for name, *_ in winks]
    scene = state.scene.without(*there)
    for name, x, y in winks:
        scene = scene.with_piece(
            place_piece(scene.pieces, kit.wink(state.options, name, (mm(x), mm(y))), (mm(x), mm(y)))
        )
    scene = msgspec.structs.replace(scene, pieces=kit.in_order(scene.pieces))
    entries: dict[str, object] = {
        "phase": "shot",
        "to_play": 0,
        "turn": 0,
        "opener": 0,
        "behind": tuple(name for name in kit.WINKS if name not in there),
    }
    entries.update(book)
    match.opening = State(options=state.options, scene=scene, book=Book(**entries))  # type: ignore[arg-type]
    return match
