"""Positions of Penny White as a person writes them down, in millimetres; and setting them up by hand.

Of a penny only its place counts, so pennies are told by colour alone; those flicked earlier that lie nowhere are off
the board. Where the white is null, the end is still to be opened.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from flicksim.base.bounds import Title, Words
from flicksim.base.codec import Value, from_json, read_notation
from flicksim.base.errors import BadInput, BadOption, BadScene
from flicksim.base.geometry import Point
from flicksim.base.showing import Shows
from flicksim.base.units import mm, to_mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white.equipment import WHITE, Options
from flicksim.games.penny_white.state import SEATS, Pennies, State, penny_id
from flicksim.referee import Count, Reason
from flicksim.table import Scene

Colour = Literal["blue", "red"]
_Millimetres = Annotated[float, Meta(ge=-10_000.0, le=10_000.0)]
_Spot = tuple[_Millimetres, _Millimetres]
_COLOURS: tuple[Colour, Colour] = ("blue", "red")
_MOST = 12


class Position(Shows, Value, frozen=True, kw_only=True, omit_defaults=True):
    """A position.

    Args:
        title: its name. look: the thing to look at in it.
        white, blue, red: places of the white and of the pennies on the board [mm].
        to_play: who flicks next. starter: who began the end. left: pennies of each not yet flicked.
        scores: points so far. end: number of the end. options: the game's switches.
    """

    title: Title
    look: Words = ""
    white: _Spot | None
    blue: tuple[_Spot, ...] = ()
    red: tuple[_Spot, ...] = ()
    to_play: Colour = "blue"
    starter: Colour = "blue"
    left: tuple[Pennies, Pennies] = (1, 1)
    scores: tuple[Annotated[int, Meta(ge=-999, le=999)], Annotated[int, Meta(ge=-999, le=999)]] = (0, 0)
    end: Annotated[int, Meta(ge=1, le=200)] = 1
    options: Options = Options()

    def shown_as(self) -> Scene:
        """The board as it lies."""
        return table(self)

    def problems(self) -> list[str]:
        """Everything wrong with it, one sentence each; empty when it can be played from."""
        found, who = table(self).problems(), _COLOURS.index(self.starter if self.white is None else self.to_play)
        if self.white is None and (self.blue or self.red):
            found.append("without a white no penny can have been flicked; put the white on the board (PW-1)")
        if not self.left[who]:
            found.append(f"{SEATS[who]} is to play and has no penny left; give one, or let the other play (PW-6a)")
        for seat, lying in enumerate((self.blue, self.red)):
            many = self.options.pennies
            if len(lying) + self.left[seat] > many:
                found.append(f"{SEATS[seat]} has {len(lying)} pennies on the board and {self.left[seat]} to come; "
                             f"each has {many} in all (PW-E3)")  # fmt: skip
        return found


def table(position: Position) -> Scene:
    """The board of a position, be it allowed or not."""
    options = position.options
    coins = [] if position.white is None else [kit.coin(options, WHITE, None, _metres(position.white))]
    for seat, lying in enumerate((position.blue, position.red)):
        coins += [kit.coin(options, penny_id(seat, k), seat, _metres(at)) for k, at in enumerate(lying, 1)]
    return Scene(surface=kit.board(options), pieces=tuple(coins))


def _metres(at: Point) -> Point:
    return (mm(at[0]), mm(at[1]))


def begin(position: Position) -> tuple[State, tuple[Reason, ...]]:
    """The state to play on from; nothing has to be put right first.

    Raises:
        BadScene: it cannot be played from; lists everything wrong with it.
    """
    if found := position.problems():
        raise BadScene(found)
    return State(
        options=position.options, scene=table(position), end=position.end, starter=_COLOURS.index(position.starter),
        to_play=_COLOURS.index(position.to_play if position.white is not None else position.starter),
        phase="white" if position.white is None else "penny", left=position.left, scores=position.scores,
    ), ()  # fmt: skip


def state_of(position: Position) -> State:
    """The state it stands for (see `begin`)."""
    return begin(position)[0]


def position_of(state: State, title: str, look: str = "") -> Position:
    """A state written down.

    Raises:
        BadOption: a decision is due there, or the game is over; only flicks are written down.
    """
    if state.phase not in ("white", "penny"):
        raise BadOption("only a position in which somebody is to flick can be written down")
    spots: dict[int | None, list[_Spot]] = {None: [], 0: [], 1: []}
    for piece in state.scene.pieces:
        spots[piece.owner].append((round(to_mm(piece.x), 6), round(to_mm(piece.y), 6)))
    return Position(
        title=title, look=look, white=next(iter(spots[None]), None), blue=tuple(spots[0]), red=tuple(spots[1]),
        to_play=_COLOURS[state.to_play or 0], starter=_COLOURS[state.starter], left=state.left, scores=state.scores,
        end=state.end, options=state.options,
    )  # fmt: skip


def ruling(state: State) -> tuple[Reason, ...]:
    """Nothing is ruled on before a flick."""
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
    raise BadOption(f"no position {name!r} of Penny White is shipped; give a file")


def read(path: Path) -> Position:
    """A position from a file.

    Raises:
        BadFile, BadInput: it cannot be read.
    """
    return from_json(read_notation(path), Position, name=str(path))


# -- set up by hand ---------------------------------------------------------------------------------------------------


def bare() -> Position:
    """A position to begin with: a penny of each, and one more to come."""
    return Position(title="Study", white=(150.0, 600.0), blue=((128.0, 548.0),), red=((172.0, 570.0),),
                    options=Options(ends=1, pennies=2))  # fmt: skip


def spare(position: Position) -> tuple[str, ...]:
    """Pieces that may still be put on the board, one of a kind."""
    found = [] if position.white is not None else [WHITE]
    return (*found, *(penny_id(seat, len(lying) + 1) for seat, lying in enumerate((position.blue, position.red))
                      if len(lying) + position.left[seat] < _MOST))  # fmt: skip


def put(position: Position, piece: str, at: Point) -> Position:
    """The same with a piece there [m], brought in or moved."""
    spot = (round(to_mm(at[0]), 1), round(to_mm(at[1]), 1))
    if piece == WHITE:
        return msgspec.structs.replace(position, white=spot)
    colour, number = _named(piece)
    lying = list(getattr(position, colour))
    lying[number - 1 : number] = [spot]
    return _fitted(msgspec.structs.replace(position, **{colour: tuple(lying)}))


def taken(position: Position, piece: str) -> Position:
    """The same without a piece."""
    if piece == WHITE:
        return msgspec.structs.replace(position, white=None)
    colour, number = _named(piece)
    lying = tuple(at for k, at in enumerate(getattr(position, colour), 1) if k != number)
    return _fitted(msgspec.structs.replace(position, **{colour: lying}))


def turned(position: Position, piece: str) -> Position:
    """The same: a penny has no other side."""
    del piece
    return position


def due(position: Position, seat: int) -> Position:
    """The same with that seat to play; it begins the end where that is to be opened."""
    who = _COLOURS[seat]
    return msgspec.structs.replace(position, to_play=who, starter=who if position.white is None else position.starter)


def counts(position: Position) -> tuple[Count, ...]:
    """The numbers beside the board."""
    return (
        *(Count(name=f"left-{k}", label=f"{who} to come", value=position.left[k], low=0, high=_MOST)
          for k, who in enumerate(SEATS)),
        *(Count(name=f"scores-{k}", label=f"{who}, points", value=position.scores[k], low=0, high=99)
          for k, who in enumerate(SEATS)),
    )  # fmt: skip


def counted(position: Position, name: str, value: int) -> Position:
    """The same with one of these numbers changed."""
    field, _, seat = name.partition("-")
    both = list(getattr(position, field))
    both[int(seat)] = value
    return _fitted(msgspec.structs.replace(position, **{field: tuple(both)}))


def _named(piece: str) -> tuple[Colour, int]:
    colour, _, number = piece.partition("-")
    if colour not in _COLOURS or not number.isdigit():
        raise BadInput(f"there is no piece {piece!r}; there are the white and pennies as blue-1")
    return _COLOURS[_COLOURS.index(colour)], int(number)


def _fitted(position: Position) -> Position:
    """The same with as many pennies in the game as there are."""
    many = max(len(lying) + left for lying, left in zip((position.blue, position.red), position.left, strict=True))
    options = msgspec.structs.replace(position.options, pennies=min(max(many, 1), _MOST))
    return msgspec.structs.replace(position, options=options)
