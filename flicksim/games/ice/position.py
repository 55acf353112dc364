"""Position notation of Ice Tiddly Winks in mm and degrees, and position editing.

No missile is in flight in a position: the seat to play launches next. All pieces on the table have been played.
"""

from math import pi
from typing import Annotated

import msgspec
from msgspec import Meta

from flicksim.core.errors import InvalidOption
from flicksim.core.geometry import Point
from flicksim.core.limits import Text, Title
from flicksim.core.rich_display import Displayable
from flicksim.core.serialization import Value
from flicksim.core.units import deg2rad, mm, to_degrees, to_mm
from flicksim.games.ice import table_layout as round_table
from flicksim.games.ice.state import State
from flicksim.games.ice.table_layout import PIECES_PER_SIZE, SEATS, Options, kit
from flicksim.referee import Counter, UnruledPositions
from flicksim.scene import SIZES, Pyramid, PyramidScene, Size

_Millimetres = Annotated[float, Meta(ge=-10_000.0, le=10_000.0)]
_Degrees = Annotated[float, Meta(ge=-360.0, le=360.0)]
_Number = Annotated[int, Meta(ge=0, le=PIECES_PER_SIZE)]
Left = tuple[_Number, _Number, _Number]
"""Missiles still to be launched: small, medium and large."""
_FLAT_TILT = 45.0
"""Tilt above which a piece lies on a side after it is moved [degrees]."""
_UPRIGHT_TILT = 0.01
"""Tilt below which a piece drops straight down [degrees]."""

_STASH_MESSAGE = "a position is written down only where stashes do not stand on the table; give stash_bodies=false"


class PiecePlacement(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A pyramid on the table.

    Args:
        piece: its id, as "red-large-1". at: the middle of its base [mm].
        heading: azimuth of its tip, or of one of its faces while it stands [degrees].
        tilt: of its axis from upright [degrees]. on_side: whether it lies flat on a side instead.
        z: height of the middle of its base [mm]. roll: about its own axis [degrees].
        stands_on, leans_on: ids of pieces that support its base, or its sides.
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


class Position(Displayable, Value, frozen=True, kw_only=True, omit_defaults=True):
    """A position.

    Args:
        title: its name. look: note on what is instructive in it.
        pieces: pieces on the table. left: missiles in hand, by seat.
        to_play: seat to launch next, from 0. options: options of the game.
    """

    title: Title
    look: Text = ""
    pieces: tuple[PiecePlacement, ...] = ()
    left: Annotated[tuple[Left, ...], Meta(min_length=1, max_length=len(SEATS))] = ((0, 0, 1), (0, 0, 0))
    to_play: Annotated[int, Meta(ge=0, lt=len(SEATS))] = 0
    options: Options = Options()

    def display_value(self) -> PyramidScene:
        """Scene of the position, for display."""
        return to_scene(self)

    def problems(self) -> list[str]:
        """List the problems of the position, one sentence each; empty if it can be played from."""
        seats = len(self.left)
        names = [name for seat in range(seats) for name in round_table.missiles(seat)]
        problems = [f"there is no missile {placement.piece!r} here; missiles are called as {names[0]!r}"
                 for placement in self.pieces if placement.piece not in names]  # fmt: skip
        if problems:
            return problems
        problems = to_scene(self).problems()
        if self.options.stash_bodies:
            problems.append(_STASH_MESSAGE)
        if self.to_play >= seats or not any(self.left[self.to_play]):
            problems.append(f"{SEATS[self.to_play]} is to play and has no missile left; give one, or let another play "
                         "(ITW-4d)")  # fmt: skip
        for seat in range(seats):
            for size, in_hand in zip(SIZES, self.left[seat], strict=True):
                lying, total = len(_pieces_on_table(self, seat, size)), _missiles_per_size(size)
                if lying + in_hand > total:
                    problems.append(
                        f"{SEATS[seat]} has {lying} {size} on the table and {in_hand} to launch; there are {total} in "
                        "all (ITW-2g)"
                    )
        return problems


def _missiles_per_size(size: Size) -> int:
    """Missiles of a size that a seat has: one of the large pieces is the launcher."""
    return PIECES_PER_SIZE - (size == "large")


def _pieces_on_table(position: Position, seat: int, size: Size) -> list[str]:
    return [
        placement.piece for placement in position.pieces if placement.piece.startswith(f"{SEATS[seat].lower()}-{size}-")
    ]


def to_scene(position: Position) -> PyramidScene:
    """Scene of a position, also of one with problems."""
    options = position.options
    scene = PyramidScene(surface=round_table.surface(options, len(position.left)), kit=kit(options))
    known = {name for seat in range(len(SEATS)) for name in round_table.missiles(seat)}
    pieces = tuple(_pyramid_of(scene, placement) for placement in position.pieces if placement.piece in known)
    return msgspec.structs.replace(scene, pieces=pieces)


def _pyramid_of(scene: PyramidScene, one: PiecePlacement) -> Pyramid:
    size = round_table.size_of(one.piece)
    shape = scene.kit.shape(size)
    piece = Pyramid(
        id=one.piece, size=size, shape=shape, x=mm(one.at[0]), y=mm(one.at[1]), z=mm(one.z), roll=deg2rad(one.roll),
        tilt=shape.lying_tilt if one.on_side else min(max(deg2rad(one.tilt), 0.0), pi), heading=deg2rad(one.heading),
        owner=round_table.owner_of(one.piece), stands_on=one.stands_on, leans_on=one.leans_on,
    )  # fmt: skip
    if one.on_side:
        # flat on the table: its lowest point is at the written height
        piece = msgspec.structs.replace(piece, z=piece.z - piece.lowest + mm(one.z))
    return piece


def _make_state(position: Position) -> State:
    scene, seats = to_scene(position), len(position.left)
    hands = []
    for seat, left in enumerate(position.left):
        free = {size: [name for name in round_table.missiles(seat) if f"-{size}-" in name and not scene.has(name)]
                for size in SIZES}  # fmt: skip
        hands.append(tuple(name for size, count in zip(SIZES, left, strict=True) for name in free[size][:count]))
    return State(
        options=position.options, order=tuple((position.to_play + k) % seats for k in range(seats)), scene=scene,
        committed=tuple(sorted(piece.id for piece in scene.pieces)), hands=tuple(hands), loaded=(None,) * seats,
        started=True, ready=(0.0,) * seats,
    )  # fmt: skip


def from_state(state: State, title: str) -> Position:
    """Position of a state, without the waiting times.

    Raises:
        InvalidOption: missiles are in flight, not all seats are loaded, the game is over, or stashes are on the table.
    """
    free = [seat for seat in state.order if state.hands[seat]]
    if not state.started or state.aloft or not free:
        raise InvalidOption("only a position in which nothing is in the air and somebody has a missile is written down")
    if state.options.stash_bodies:
        raise InvalidOption(_STASH_MESSAGE)
    pieces = tuple(_placement_of(piece) for piece in state.scene.without(*state.lift).pieces)
    sizes = [[round_table.size_of(name) for name in hand] for hand in state.hands]
    left = tuple((hand.count("small"), hand.count("medium"), hand.count("large")) for hand in sizes)
    return Position(title=title, pieces=pieces, left=left,
                    to_play=min(free, key=lambda seat: state.ready[seat]), options=state.options)  # fmt: skip


def _placement_of(piece: Pyramid) -> PiecePlacement:
    # nine decimals [mm], so that pieces in contact stay in contact
    return PiecePlacement(
        piece=piece.id, at=(round(to_mm(piece.x), 9), round(to_mm(piece.y), 9)), z=round(to_mm(piece.z), 9),
        heading=to_degrees(piece.heading), tilt=to_degrees(piece.tilt), roll=to_degrees(piece.roll),
        stands_on=piece.stands_on, leans_on=piece.leans_on,
    )  # fmt: skip


load, builtin_names, load_builtin, to_state, start_state, ruling_reasons = UnruledPositions(
    Position, "Ice Tiddly Winks", None, _make_state
).functions

# -- position editor ---------------------------------------------------------------------------------------------------


def empty_position() -> Position:
    """Initial position of the editor: Red has the last missile and is two points behind."""
    return Position(title="Study", left=((0, 0, 1), (0, 0, 0)), pieces=(
        PiecePlacement(piece="red-medium-1", at=(430.0, 470.0), heading=30.0),
        PiecePlacement(piece="red-small-1", at=(560.0, 400.0), heading=140.0, on_side=True),
        PiecePlacement(piece="yellow-large-1", at=(455.0, 560.0), heading=60.0),
        PiecePlacement(piece="yellow-small-1", at=(340.0, 420.0)),
    ))  # fmt: skip


def available_pieces(position: Position) -> tuple[str, ...]:
    """Pieces that may still be put on the table, one of a kind."""
    pieces = []
    for seat in range(len(position.left)):
        for size in SIZES:
            on_table = _pieces_on_table(position, seat, size)
            free = (name for name in round_table.missiles(seat) if f"-{size}-" in name and name not in on_table)
            pieces += list(free)[:1]
    return tuple(pieces)


def place_piece(position: Position, piece: str, at: Point) -> Position:
    """Place a piece at a point [m], new and upright, or moved as it lies; it no longer rests on other pieces.

    If all pieces of its size are in use, the seat has one fewer in hand.
    """
    spot = (round(to_mm(at[0]), 1), round(to_mm(at[1]), 1))
    old = next((placement for placement in position.pieces if placement.piece == piece), None)
    flat = old is not None and (old.on_side or old.tilt > _FLAT_TILT)
    new = PiecePlacement(piece=piece, at=spot, heading=old.heading if old is not None else 0.0, on_side=flat)
    pieces = (*remove_piece(position, piece).pieces, new)
    return _limit_missiles_left(msgspec.structs.replace(position, pieces=pieces))


def remove_piece(position: Position, piece: str) -> Position:
    """Remove a piece; pieces that rested on it drop straight down."""
    return msgspec.structs.replace(position, pieces=tuple(_remove_and_drop(position, piece).values()))


def _remove_and_drop(position: Position, piece: str) -> dict[str, PiecePlacement]:
    """Pieces without one, by name: those that rested on it drop, and with them those that stand on them."""
    pieces = {placement.piece: placement for placement in position.pieces if placement.piece != piece}
    drop: dict[str, float | None] = {piece: None}  # None: pieces on it lose their support
    changed = True
    while changed:
        changed = False
        for name, placement in pieces.items():
            if name in drop or not any(height in drop for height in (*placement.stands_on, *placement.leans_on)):
                continue
            changed = True
            height = (
                drop.get(placement.stands_on[0]) if len(placement.stands_on) == 1 and not placement.leans_on else None
            )
            drop[name] = height
            if height is not None:
                pieces[name] = msgspec.structs.replace(placement, z=placement.z - height)
                continue
            flat = placement.on_side or placement.tilt > _FLAT_TILT
            pieces[name] = PiecePlacement(piece=name, at=placement.at, heading=placement.heading, on_side=flat)
            drop[name] = placement.z if not flat and placement.tilt < _UPRIGHT_TILT else None
    return pieces


def flip_piece(position: Position, piece: str) -> Position:
    """Lay a piece on its side or set it upright; on its side it is turned by a quarter each time.

    Pieces that rested on it drop straight down.
    """
    dropped, pieces = _remove_and_drop(position, piece), []
    for placement in position.pieces:
        if placement.piece == piece:
            flat = placement.on_side or placement.tilt > _FLAT_TILT
            is_last_side = flat and placement.heading >= 270.0 - 1e-6
            heading = 0.0 if is_last_side else placement.heading + 90.0 if flat else 0.0
            pieces.append(PiecePlacement(piece=piece, at=placement.at, heading=heading, on_side=not is_last_side))
        else:
            pieces.append(dropped[placement.piece])
    return msgspec.structs.replace(position, pieces=tuple(pieces))


def with_current_seat(position: Position, seat: int) -> Position:
    """Set the seat to play."""
    return msgspec.structs.replace(position, to_play=seat)


def counters(position: Position) -> tuple[Counter, ...]:
    """Counters of the editor: missiles that each seat has left."""
    return tuple(
        Counter(name=f"{seat}-{k}", label=f"{SEATS[seat]} {size}", value=left[k], low=0, high=_missiles_per_size(size))
        for seat, left in enumerate(position.left)
        for k, size in enumerate(SIZES)
    )


def set_counter(position: Position, name: str, value: int) -> Position:
    """Set one of the counters."""
    seat, _, k = name.partition("-")
    in_hand = [list(counts) for counts in position.left]
    in_hand[int(seat)][int(k)] = value
    return msgspec.structs.replace(position, left=tuple((counts[0], counts[1], counts[2]) for counts in in_hand))


def _limit_missiles_left(position: Position) -> Position:
    """Limit the missiles in hand to those not on the table."""
    for seat, left in enumerate(position.left):
        for k, size in enumerate(SIZES):
            limit = _missiles_per_size(size) - len(_pieces_on_table(position, seat, size))
            if left[k] > limit:
                position = set_counter(position, f"{seat}-{k}", max(0, limit))
    return position
