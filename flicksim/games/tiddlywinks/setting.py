"""Positions of tiddlywinks set up by hand: winks dragged from behind their base lines, onto others, into the pot."""

from __future__ import annotations

from math import hypot

import msgspec

from flicksim.base.geometry import Point
from flicksim.base.units import to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.position import Colour, Lying, Position, laid
from flicksim.referee import Count
from flicksim.table import Scene

_COLOURS: tuple[Colour, ...] = ("blue", "green", "red", "yellow")


def bare() -> Position:
    """A position to begin with: a wink of each colour on the mat."""
    spots = {"blue-3": (120.0, 60.0), "green-3": (-140.0, 90.0), "red-3": (-90.0, -70.0), "yellow-3": (150.0, -110.0)}
    return Position(title="Study", winks=tuple(Lying(wink=wink, at=at) for wink, at in spots.items()))


def table(position: Position) -> Scene:
    """The mat of a position, be it allowed or not; the winks not yet brought in lie behind their base lines."""
    return laid(position)


def spare(position: Position) -> tuple[str, ...]:
    """Nothing: every wink lies behind its base line until it is brought in."""
    del position
    return ()


def put(position: Position, piece: str, at: Point) -> Position:
    """The same with a wink laid there last [m]: on whatever lies there, or in the pot."""
    pot = kit.pot(position.options)
    spot = (round(to_mm(at[0]), 1), round(to_mm(at[1]), 1))
    potted = hypot(at[0] - pot.x, at[1] - pot.y) < pot.top_radius
    lying = Lying(wink=piece, where="pot") if potted else Lying(wink=piece, at=spot)
    others = taken(position, piece).winks
    return msgspec.structs.replace(position, winks=(*others, lying))


def taken(position: Position, piece: str) -> Position:
    """The same with a wink behind its base line; those that lay on it come down."""
    rest = tuple(_settled(one, piece) for one in position.winks if one.wink != piece)
    return msgspec.structs.replace(position, winks=rest)


def _settled(lying: Lying, gone: str) -> Lying:
    """A wink as it is laid down anew where another has gone from under it."""
    if gone not in lying.on or lying.where != "surface":
        return lying
    return Lying(wink=lying.wink, at=lying.at, face=lying.face)


def turned(position: Position, piece: str) -> Position:
    """The same with a wink the other side up."""
    winks = tuple(
        msgspec.structs.replace(one, face=-1 if one.face == 1 else 1) if one.wink == piece else one
        for one in position.winks
    )
    return msgspec.structs.replace(position, winks=winks)


def due(position: Position, seat: int) -> Position:
    """The same with that colour to play."""
    return msgspec.structs.replace(position, to_play=_COLOURS[seat])


def counts(position: Position) -> tuple[Count, ...]:
    """The numbers beside the mat."""
    return (Count(name="extra", label="Extra shots", value=position.extra, low=0, high=6),)


def counted(position: Position, name: str, value: int) -> Position:
    """The same with one of these numbers changed."""
    return msgspec.structs.replace(position, **{name: value})
