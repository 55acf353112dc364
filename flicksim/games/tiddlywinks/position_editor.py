"""Position editing of tiddlywinks: winks moved onto the mat, onto others, into the pot."""

from __future__ import annotations

from math import hypot

import msgspec

from flicksim.core.geometry import Point
from flicksim.core.units import to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.position import Colour, Position, WinkPlacement, scene_of
from flicksim.referee import Counter
from flicksim.scene import Scene

_COLOURS: tuple[Colour, ...] = ("blue", "green", "red", "yellow")


def empty_position() -> Position:
    """Initial position of the editor: a wink of each colour on the mat."""
    spots = {"blue-3": (120.0, 60.0), "green-3": (-140.0, 90.0), "red-3": (-90.0, -70.0), "yellow-3": (150.0, -110.0)}
    return Position(title="Study", winks=tuple(WinkPlacement(wink=wink, at=at) for wink, at in spots.items()))


def to_scene(position: Position) -> Scene:
    """Scene of a position, also of one with problems; winks not yet brought in lie behind their base lines."""
    return scene_of(position)


def available_pieces(position: Position) -> tuple[str, ...]:
    """Pieces that may be added: none, every wink lies behind its base line until it is brought in."""
    del position
    return ()


def place_piece(position: Position, piece: str, at: Point) -> Position:
    """Place a wink at a point [m]: on top of whatever lies there, or in the pot."""
    pot = kit.pot(position.options)
    spot = (round(to_mm(at[0]), 1), round(to_mm(at[1]), 1))
    potted = hypot(at[0] - pot.x, at[1] - pot.y) < pot.top_radius
    placement = WinkPlacement(wink=piece, where="pot") if potted else WinkPlacement(wink=piece, at=spot)
    others = remove_piece(position, piece).winks
    return msgspec.structs.replace(position, winks=(*others, placement))


def remove_piece(position: Position, piece: str) -> Position:
    """Return a wink behind its base line; those that lay on it drop."""
    winks = tuple(_dropped(placement, piece) for placement in position.winks if placement.wink != piece)
    return msgspec.structs.replace(position, winks=winks)


def _dropped(placement: WinkPlacement, removed: str) -> WinkPlacement:
    """Lay a wink down anew after another was removed from under it."""
    if removed not in placement.on or placement.where != "surface":
        return placement
    return WinkPlacement(wink=placement.wink, at=placement.at, face=placement.face)


def flip_piece(position: Position, piece: str) -> Position:
    """Turn a wink over."""
    winks = tuple(
        msgspec.structs.replace(placement, face=-1 if placement.face == 1 else 1)
        if placement.wink == piece
        else placement
        for placement in position.winks
    )
    return msgspec.structs.replace(position, winks=winks)


def with_current_seat(position: Position, seat: int) -> Position:
    """Set the colour to play."""
    return msgspec.structs.replace(position, to_play=_COLOURS[seat])


def counters(position: Position) -> tuple[Counter, ...]:
    """Counters of the editor."""
    return (Counter(name="extra", label="Extra shots", value=position.extra, low=0, high=6),)


def set_counter(position: Position, name: str, value: int) -> Position:
    """Set one of the counters."""
    return msgspec.structs.replace(position, **{name: value})
