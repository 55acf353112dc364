"""Position notation of Penny White in mm, and position editing.

Pennies of a colour are interchangeable and have no ids; flicked pennies without a place are off the board. If the white
is null, the end has not been opened.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from flicksim.core.errors import InvalidInput, InvalidOption
from flicksim.core.geometry import Point
from flicksim.core.limits import Text, Title
from flicksim.core.rich_display import Displayable
from flicksim.core.serialization import Value
from flicksim.core.units import mm, to_mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white.equipment import WHITE, Options
from flicksim.games.penny_white.state import SEATS, Pennies, State, penny_id
from flicksim.referee import Counter, UnruledPositions
from flicksim.scene import Scene

Colour = Literal["blue", "red"]
_Millimetres = Annotated[float, Meta(ge=-10_000.0, le=10_000.0)]
_Spot = tuple[_Millimetres, _Millimetres]
_COLOURS: tuple[Colour, Colour] = ("blue", "red")
_MAX_PENNIES = 12


class Position(Displayable, Value, frozen=True, kw_only=True, omit_defaults=True):
    """A position.

    Args:
        title: its name. look: note on what is instructive in it.
        white, blue, red: places of the white and of the pennies on the board [mm].
        to_play: seat to flick next. starter: seat that started the end. left: pennies not yet flicked, by seat.
        scores: points so far. end: number of the end. options: options of the game.
    """

    title: Title
    look: Text = ""
    white: _Spot | None
    blue: tuple[_Spot, ...] = ()
    red: tuple[_Spot, ...] = ()
    to_play: Colour = "blue"
    starter: Colour = "blue"
    left: tuple[Pennies, Pennies] = (1, 1)
    scores: tuple[Annotated[int, Meta(ge=-999, le=999)], Annotated[int, Meta(ge=-999, le=999)]] = (0, 0)
    end: Annotated[int, Meta(ge=1, le=200)] = 1
    options: Options = Options()

    def display_value(self) -> Scene:
        """Scene of the position, for display."""
        return to_scene(self)

    def problems(self) -> list[str]:
        """List the problems of the position, one sentence each; empty if it can be played from."""
        problems, seat_to_play = (
            to_scene(self).problems(),
            _COLOURS.index(self.starter if self.white is None else self.to_play),
        )
        if self.white is None and (self.blue or self.red):
            problems.append("without a white no penny can have been flicked; put the white on the board (PW-1)")
        if not self.left[seat_to_play]:
            problems.append(
                f"{SEATS[seat_to_play]} is to play and has no penny left; give one, or let the other play (PW-6a)"
            )
        for seat, lying in enumerate((self.blue, self.red)):
            count = self.options.pennies
            if len(lying) + self.left[seat] > count:
                problems.append(f"{SEATS[seat]} has {len(lying)} pennies on the board and {self.left[seat]} to come; "
                             f"each has {count} in all (PW-E3)")  # fmt: skip
        return problems


def to_scene(position: Position) -> Scene:
    """Scene of a position, also of one with problems."""
    options = position.options
    coins = [] if position.white is None else [kit.coin(options, WHITE, None, _to_metres(position.white))]
    for seat, lying in enumerate((position.blue, position.red)):
        coins += [kit.coin(options, penny_id(seat, k), seat, _to_metres(at)) for k, at in enumerate(lying, 1)]
    return Scene(surface=kit.board(options), pieces=tuple(coins))


def _to_metres(at: Point) -> Point:
    return (mm(at[0]), mm(at[1]))


def _make_state(position: Position) -> State:
    return State(
        options=position.options, scene=to_scene(position), end=position.end, starter=_COLOURS.index(position.starter),
        to_play=_COLOURS.index(position.to_play if position.white is not None else position.starter),
        phase="white" if position.white is None else "penny", left=position.left, scores=position.scores,
    )  # fmt: skip


def from_state(state: State, title: str) -> Position:
    """Position of a state.

    Raises:
        InvalidOption: a decision is due, or the game is over: such states have no notation.
    """
    if state.phase not in ("white", "penny"):
        raise InvalidOption("only a position in which somebody is to flick can be written down")
    spots: dict[int | None, list[_Spot]] = {None: [], 0: [], 1: []}
    for piece in state.scene.pieces:
        spots[piece.owner].append((round(to_mm(piece.x), 6), round(to_mm(piece.y), 6)))
    return Position(
        title=title, white=next(iter(spots[None]), None), blue=tuple(spots[0]), red=tuple(spots[1]),
        to_play=_COLOURS[state.to_play or 0], starter=_COLOURS[state.starter], left=state.left, scores=state.scores,
        end=state.end, options=state.options,
    )  # fmt: skip


load, builtin_names, load_builtin, to_state, start_state, ruling_reasons = UnruledPositions(
    Position, "Penny White", None, _make_state
).functions

# -- position editor ---------------------------------------------------------------------------------------------------


def empty_position() -> Position:
    """Initial position of the editor: one penny of each seat, and one more to come."""
    return Position(title="Study", white=(150.0, 600.0), blue=((128.0, 548.0),), red=((172.0, 570.0),),
                    options=Options(ends=1, pennies=2))  # fmt: skip


def available_pieces(position: Position) -> tuple[str, ...]:
    """Pieces that may still be put on the board, one of a kind."""
    pieces = [] if position.white is not None else [WHITE]
    return (*pieces, *(penny_id(seat, len(lying) + 1) for seat, lying in enumerate((position.blue, position.red))
                      if len(lying) + position.left[seat] < _MAX_PENNIES))  # fmt: skip


def place_piece(position: Position, piece: str, at: Point) -> Position:
    """Place a piece at a point [m], new or moved."""
    spot = (round(to_mm(at[0]), 1), round(to_mm(at[1]), 1))
    if piece == WHITE:
        return msgspec.structs.replace(position, white=spot)
    colour, number = _piece_id(piece)
    lying = list(getattr(position, colour))
    lying[number - 1 : number] = [spot]
    return _limit_pennies_left(msgspec.structs.replace(position, **{colour: tuple(lying)}))


def remove_piece(position: Position, piece: str) -> Position:
    """Remove a piece."""
    if piece == WHITE:
        return msgspec.structs.replace(position, white=None)
    colour, number = _piece_id(piece)
    lying = tuple(at for k, at in enumerate(getattr(position, colour), 1) if k != number)
    return _limit_pennies_left(msgspec.structs.replace(position, **{colour: lying}))


def flip_piece(position: Position, piece: str) -> Position:
    """Return the position unchanged: the sides of a coin do not matter."""
    del piece
    return position


def with_current_seat(position: Position, seat: int) -> Position:
    """Set the seat to play; it starts the end if that is to be opened."""
    colour = _COLOURS[seat]
    return msgspec.structs.replace(
        position, to_play=colour, starter=colour if position.white is None else position.starter
    )


def counters(position: Position) -> tuple[Counter, ...]:
    """Counters of the editor: pennies to come and points."""
    return (
        *(Counter(name=f"left-{k}", label=f"{name} to come", value=position.left[k], low=0, high=_MAX_PENNIES)
          for k, name in enumerate(SEATS)),
        *(Counter(name=f"scores-{k}", label=f"{name}, points", value=position.scores[k], low=0, high=99)
          for k, name in enumerate(SEATS)),
    )  # fmt: skip


def set_counter(position: Position, name: str, value: int) -> Position:
    """Set one of the counters."""
    field, _, seat = name.partition("-")
    values = list(getattr(position, field))
    values[int(seat)] = value
    return _limit_pennies_left(msgspec.structs.replace(position, **{field: tuple(values)}))


def _piece_id(piece: str) -> tuple[Colour, int]:
    colour, _, number = piece.partition("-")
    if colour not in _COLOURS or not number.isdigit():
        raise InvalidInput(f"there is no piece {piece!r}; there are the white and pennies as blue-1")
    return _COLOURS[_COLOURS.index(colour)], int(number)


def _limit_pennies_left(position: Position) -> Position:
    """Limit the pennies to come to those not on the board."""
    needed = max(len(lying) + left for lying, left in zip((position.blue, position.red), position.left, strict=True))
    options = msgspec.structs.replace(position.options, pennies=min(max(needed, 1), _MAX_PENNIES))
    return msgspec.structs.replace(position, options=options)
