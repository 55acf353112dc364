"""Positions of Ice Tiddly Winks as a person writes them down, in millimetres and degrees; and setting them up by hand.

Nothing is in the air in them: whoever is to play launches, and the others wait. What lies there has been played.
"""

from __future__ import annotations

from math import pi
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from flicksim.base.bounds import Title, Words
from flicksim.base.codec import Value, from_json, read_notation
from flicksim.base.errors import BadOption, BadScene
from flicksim.base.geometry import Point
from flicksim.base.showing import Shows
from flicksim.base.units import degrees, mm, to_degrees, to_mm
from flicksim.games.ice import seats as round_table
from flicksim.games.ice.options import Options, kit
from flicksim.games.ice.seats import EACH, SEATS
from flicksim.games.ice.state import State
from flicksim.referee import Count, Reason
from flicksim.table import SIZES, Pyramid, PyramidScene, Size

_Millimetres = Annotated[float, Meta(ge=-10_000.0, le=10_000.0)]
_Degrees = Annotated[float, Meta(ge=-360.0, le=360.0)]
_Number = Annotated[int, Meta(ge=0, le=EACH)]
Left = tuple[_Number, _Number, _Number]
"""Missiles still to be launched: small, medium and large."""
_LEANS = 45.0
"""A piece that leaned by more lies on a side when it is put elsewhere [degrees]."""
_UPRIGHT = 0.01
"""A piece that leans by less sinks straight down [degrees]."""

_STASHES = "a position is written down only where stashes do not stand on the table; give stash_bodies=false"


class Lying(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A pyramid on the table.

    Args:
        piece: its id, as "red-large-1". at: the middle of its base [mm]. heading: which way its tip leans, or one of
            its faces looks while it stands [degrees].
        tilt: of its axis from upright [degrees]; on_side: it lies flat on a side instead.
        z: height of the middle of its base [mm]. roll: about its own axis [degrees].
        stands_on, leans_on: ids of pieces that bear its base, or the rest of it.
    """

    piece: str
    at: tuple[_Millimetres, _Millimetres]
    heading: _Degrees = 0.0
    tilt: _Degrees = 0.0
    on_side: bool = False
    z: _Millimetres = 0.0
    roll: _Degrees = 0.0
    stands_on: tuple[str, ...] = ()
    leans_on: tuple[str, ...] = ()


class Position(Shows, Value, frozen=True, kw_only=True, omit_defaults=True):
    """A position.

    Args:
        title: its name. look: the thing to look at in it.
        pieces: those on the table. left: missiles that each seat still has.
        to_play: who launches next, from 0. options: the game's switches.
    """

    title: Title
    look: Words = ""
    pieces: tuple[Lying, ...] = ()
    left: Annotated[tuple[Left, ...], Meta(min_length=1, max_length=len(SEATS))] = ((0, 0, 1), (0, 0, 0))
    to_play: Annotated[int, Meta(ge=0, lt=len(SEATS))] = 0
    options: Options = Options()

    def shown_as(self) -> PyramidScene:
        """The table as it lies."""
        return table(self)

    def problems(self) -> list[str]:
        """Everything wrong with it, one sentence each; empty when it can be played from."""
        seats = len(self.left)
        names = [name for seat in range(seats) for name in round_table.missiles(seat)]
        found = [f"there is no missile {lying.piece!r} here; missiles are called as {names[0]!r}"
                 for lying in self.pieces if lying.piece not in names]  # fmt: skip
        if found:
            return found
        found = table(self).problems()
        if self.options.stash_bodies:
            found.append(_STASHES)
        if self.to_play >= seats or not any(self.left[self.to_play]):
            found.append(f"{SEATS[self.to_play]} is to play and has no missile left; give one, or let another play "
                         "(ITW-4d)")  # fmt: skip
        for seat in range(seats):
            for size, left in zip(SIZES, self.left[seat], strict=True):
                there, of = len(_names(self, seat, size)), _each(size)
                if there + left > of:
                    found.append(f"{SEATS[seat]} has {there} {size} on the table and {left} to launch; there are {of} "
                                 "in all (ITW-2g)")  # fmt: skip
        return found


def _each(size: Size) -> int:
    """Missiles of a size that a seat has: one of the large pieces is the launcher."""
    return EACH - (size == "large")


def _names(position: Position, seat: int, size: Size) -> list[str]:
    """The pieces of a seat and size on the table."""
    return [one.piece for one in position.pieces if one.piece.startswith(f"{SEATS[seat].lower()}-{size}-")]


def table(position: Position) -> PyramidScene:
    """The table of a position, be it allowed or not."""
    options = position.options
    scene = PyramidScene(surface=round_table.surface(options, len(position.left)), kit=kit(options))
    known = {name for seat in range(len(SEATS)) for name in round_table.missiles(seat)}
    pieces = tuple(_laid(scene, one) for one in position.pieces if one.piece in known)
    return msgspec.structs.replace(scene, pieces=pieces)


def _laid(scene: PyramidScene, one: Lying) -> Pyramid:
    size = round_table.size_of(one.piece)
    shape = scene.kit.shape(size)
    piece = Pyramid(
        id=one.piece, size=size, shape=shape, x=mm(one.at[0]), y=mm(one.at[1]), z=mm(one.z), roll=degrees(one.roll),
        tilt=shape.lying if one.on_side else min(max(degrees(one.tilt), 0.0), pi), heading=degrees(one.heading),
        owner=round_table.owner_of(one.piece), stands_on=one.stands_on, leans_on=one.leans_on,
    )  # fmt: skip
    if one.on_side:
        # flat on the table, whatever the height of the middle of its base is then
        piece = msgspec.structs.replace(piece, z=piece.z - piece.lowest + mm(one.z))
    return piece


def begin(position: Position) -> tuple[State, tuple[Reason, ...]]:
    """The state to play on from; nothing has to be put right first.

    Raises:
        BadScene: it cannot be played from; lists everything wrong with it.
    """
    if found := position.problems():
        raise BadScene(found)
    scene, seats = table(position), len(position.left)
    hands = []
    for seat, left in enumerate(position.left):
        free = {size: [name for name in round_table.missiles(seat) if f"-{size}-" in name and not scene.has(name)]
                for size in SIZES}  # fmt: skip
        hands.append(tuple(name for size, count in zip(SIZES, left, strict=True) for name in free[size][:count]))
    return State(
        options=position.options, order=tuple((position.to_play + k) % seats for k in range(seats)), scene=scene,
        committed=tuple(sorted(piece.id for piece in scene.pieces)), hands=tuple(hands), loaded=(None,) * seats,
        started=True, ready=(0.0,) * seats,
    ), ()  # fmt: skip


def state_of(position: Position) -> State:
    """The state it stands for (see `begin`)."""
    return begin(position)[0]


def position_of(state: State, title: str, look: str = "") -> Position:
    """A state written down: how long everybody has still to wait is left out.

    Raises:
        BadOption: missiles are in the air or the first are still being stacked there, the game is over, or stashes
            stand on the table.
    """
    free = [seat for seat in state.order if state.hands[seat]]
    if not state.started or state.aloft or not free:
        raise BadOption("only a position in which nothing is in the air and somebody has a missile is written down")
    if state.options.stash_bodies:
        raise BadOption(_STASHES)
    pieces = tuple(_written(piece) for piece in state.scene.without(*state.lift).pieces)
    left = tuple(
        (
            sum("-small-" in name for name in hand),
            sum("-medium-" in name for name in hand),
            sum("-large-" in name for name in hand),
        )
        for hand in state.hands
    )
    return Position(title=title, look=look, pieces=pieces, left=left,
                    to_play=min(free, key=lambda seat: state.ready[seat]), options=state.options)  # fmt: skip


def _written(piece: Pyramid) -> Lying:
    # written finely enough that what touches still does
    return Lying(
        piece=piece.id, at=(round(to_mm(piece.x), 9), round(to_mm(piece.y), 9)), z=round(to_mm(piece.z), 9),
        heading=to_degrees(piece.heading), tilt=to_degrees(piece.tilt), roll=to_degrees(piece.roll),
        stands_on=piece.stands_on, leans_on=piece.leans_on,
    )  # fmt: skip


def ruling(state: State) -> tuple[Reason, ...]:
    """Nothing is ruled on before a launch."""
    del state
    return ()


def names() -> tuple[str, ...]:
    """No position comes with the game."""
    return ()


def shipped(name: str) -> Position:
    """Refuse: none is shipped.

    Raises:
        BadOption: always.
    """
    raise BadOption(f"no position {name!r} of Ice Tiddly Winks is shipped; give a file")


def read(path: Path) -> Position:
    """A position from a file.

    Raises:
        BadFile, BadInput: it cannot be read.
    """
    return from_json(read_notation(path), Position, name=str(path))


# -- set up by hand ---------------------------------------------------------------------------------------------------


def bare() -> Position:
    """A position to begin with: Red has the last missile, and is two points behind."""
    return Position(title="Study", left=((0, 0, 1), (0, 0, 0)), pieces=(
        Lying(piece="red-medium-1", at=(430.0, 470.0), heading=30.0),
        Lying(piece="red-small-1", at=(560.0, 400.0), heading=140.0, on_side=True),
        Lying(piece="yellow-large-1", at=(455.0, 560.0), heading=60.0),
        Lying(piece="yellow-small-1", at=(340.0, 420.0)),
    ))  # fmt: skip


def spare(position: Position) -> tuple[str, ...]:
    """Pieces that may still be put on the table, one of a kind."""
    found = []
    for seat in range(len(position.left)):
        for size in SIZES:
            there = _names(position, seat, size)
            free = (name for name in round_table.missiles(seat) if f"-{size}-" in name and name not in there)
            found += list(free)[:1]
    return tuple(found)


def put(position: Position, piece: str, at: Point) -> Position:
    """The same with a piece there [m], brought in upright or moved as it lies; what it stood on, it stands on no more.

    A hand that has no more of its size has one less.
    """
    spot = (round(to_mm(at[0]), 1), round(to_mm(at[1]), 1))
    old = next((one for one in position.pieces if one.piece == piece), None)
    flat = old is not None and (old.on_side or old.tilt > _LEANS)
    lying = Lying(piece=piece, at=spot, heading=old.heading if old is not None else 0.0, on_side=flat)
    pieces = (*taken(position, piece).pieces, lying)
    return _fitted(msgspec.structs.replace(position, pieces=pieces))


def taken(position: Position, piece: str) -> Position:
    """The same without a piece; those that rested on it come down where they are."""
    return msgspec.structs.replace(position, pieces=tuple(_without(position, piece).values()))


def _without(position: Position, piece: str) -> dict[str, Lying]:
    """The pieces without one, by name: what rested on it comes down; what stands on a piece that sinks, sinks too."""
    pieces = {one.piece: one for one in position.pieces if one.piece != piece}
    sank: dict[str, float | None] = {piece: None}  # None: it does not bear as before what was on it
    loose = True
    while loose:
        loose = False
        for name, one in pieces.items():
            if name in sank or not any(under in sank for under in (*one.stands_on, *one.leans_on)):
                continue
            loose = True
            under = sank.get(one.stands_on[0]) if len(one.stands_on) == 1 and not one.leans_on else None
            sank[name] = under
            if under is not None:
                pieces[name] = msgspec.structs.replace(one, z=one.z - under)
                continue
            flat = one.on_side or one.tilt > _LEANS
            pieces[name] = Lying(piece=name, at=one.at, heading=one.heading, on_side=flat)
            sank[name] = one.z if not flat and one.tilt < _UPRIGHT else None
    return pieces


def turned(position: Position, piece: str) -> Position:
    """The same with a piece laid on its side, or set upright; on its side it is turned on by a quarter each time.

    Those that rested on it come down where they are.
    """
    rest, pieces = _without(position, piece), []
    for one in position.pieces:
        if one.piece == piece:
            flat = one.on_side or one.tilt > _LEANS
            last = flat and one.heading >= 270.0 - 1e-6
            heading = 0.0 if last else one.heading + 90.0 if flat else 0.0
            pieces.append(Lying(piece=piece, at=one.at, heading=heading, on_side=not last))
        else:
            pieces.append(rest[one.piece])
    return msgspec.structs.replace(position, pieces=tuple(pieces))


def due(position: Position, seat: int) -> Position:
    """The same with that seat to play."""
    return msgspec.structs.replace(position, to_play=seat)


def counts(position: Position) -> tuple[Count, ...]:
    """The numbers beside the table: missiles that each seat has left."""
    return tuple(
        Count(name=f"{seat}-{k}", label=f"{SEATS[seat]} {size}", value=left[k], low=0, high=_each(size))
        for seat, left in enumerate(position.left)
        for k, size in enumerate(SIZES)
    )


def counted(position: Position, name: str, value: int) -> Position:
    """The same with one of these numbers changed."""
    seat, _, k = name.partition("-")
    left = [list(one) for one in position.left]
    left[int(seat)][int(k)] = value
    return msgspec.structs.replace(position, left=tuple((one[0], one[1], one[2]) for one in left))


def _fitted(position: Position) -> Position:
    """The same with no more missiles in hand than there are."""
    for seat, left in enumerate(position.left):
        for k, size in enumerate(SIZES):
            most = _each(size) - len(_names(position, seat, size))
            if left[k] > most:
                position = counted(position, f"{seat}-{k}", max(0, most))
    return position
