"""A seat's view as an array of numbers, read off the types of a game's state: no game is known here by name.

What becomes of what:
a number, a yes or no - itself; one of a few words, a card - a one among zeros;
a number that means a seat (`SEATED`) - a one among zeros, oneself first, the others clockwise;
one thing a seat - in the same order; an order of seats (`RANKED`) - the place of each;
several seats, numbers or cards - which, or how many of each;
pieces on a table - a row each (`pieces`, `pyramids`), and the missile each seat has in the air;
names of pieces by seat - which of those it had at the opening; cards and tiles - counts pile by pile (`piles`).
Left out are options, which do not change, what is kept of former states, and lists of records (score sheets).

Bounds come from the same types, and from the opening: how large the table is, how many cards there are. What nothing
bounds (points, turns, seconds) has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf

from msgspec import inspect

from flicksim.base.codec import Word
from flicksim.base.kinds import Plain, State, View
from flicksim.base.seeding import Seeds
from flicksim.cards import Zones
from flicksim.lab.env.parts import Number, Part, counts, endless, flags, one_of, whose
from flicksim.lab.env.pieces import pieces
from flicksim.lab.env.piles import piles
from flicksim.lab.env.pyramids import aloft, pyramids
from flicksim.referee import Game
from flicksim.table import Launch, PyramidScene, Scene

SEATED = frozenset({"to_play", "dealer", "starter", "flicker", "opener", "owner", "heat", "missing"})
"""Names under which whole numbers are seats."""
RANKED = frozenset({"order"})
"""Names under which all seats stand in the order in which they come."""
_SMALL = 16
"""Lists of whole numbers hold numbers below this: pips, seats."""
_LEFT_OUT = ("options", "seats", "last_shot")


class Numbers:
    """A way from views of a game to arrays.

    Args:
        game: which. opening: a whole state of it, which shows how many piles and seats there are. seats: how many.
    """

    def __init__(self, game: Game, opening: State, seats: int) -> None:
        kind = inspect.type_info(game.state)
        leaves = list(_leaves(kind, opening, "", lambda view: view, {Seeds}))
        lists = [(leaf.path, leaf.get) for leaf in leaves if _names_pieces(leaf.kind)]
        own = Part(flags(f"seat is {k}" for k in range(seats)), lambda _, seat: one_of(seat, seats))
        parts = [own]
        for leaf in leaves:
            if isinstance(leaf.example, Scene):
                parts.append(pieces(leaf.path, leaf.get, leaf.example, seats, lists))
            elif isinstance(leaf.example, PyramidScene):
                parts.append(pyramids(leaf.path, leaf.get, leaf.example, seats, lists))
            elif isinstance(leaf.example, Zones):
                parts.append(piles(leaf.path, leaf.get, leaf.example, seats, game))
            elif (part := _plain(leaf.kind, leaf.example, leaf.name, leaf.path, leaf.get, seats)) is not None:
                parts.append(part)
        self._parts = tuple(parts)
        self.numbers = tuple(number for part in parts for number in part.numbers)

    def read(self, view: View, seat: int) -> list[float]:
        """The numbers of a view, as a seat sees it, as they are. [len(numbers)]"""
        return [number for part in self._parts for number in part.write(view, seat)]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A place in a state: its name, the way to it, its type, what stands there at the opening, how it is got."""

    name: str
    path: str
    kind: inspect.Type
    example: Plain
    get: Callable[[View], Plain]


def _leaves(
    kind: inspect.Type, example: Plain, path: str, get: Callable[[View], Plain], seen: set[Plain]
) -> Iterator[Leaf]:
    """Every place that is not itself made of places. What is of the same type as something before is left out."""
    assert isinstance(kind, inspect.StructType)
    seen.add(kind.cls)
    for entry in kind.fields:
        name, there, found = entry.name, f"{path}{entry.name}", entry.type
        if name in _LEFT_OUT:
            continue
        if isinstance(found, inspect.UnionType):
            some = [one for one in found.types if not isinstance(one, inspect.NoneType)]
            found = some[0] if len(some) == 1 else found
        value = getattr(example, name, None)
        further = partial(_step, get, name)
        if isinstance(found, inspect.StructType) and not isinstance(value, Scene | PyramidScene | Zones):
            if found.cls not in seen:
                yield from _leaves(found, value, f"{there}.", further, seen)
        else:
            yield Leaf(name, there, found, value, further)


def _step(get: Callable[[View], Plain], name: str, view: View) -> Plain:
    """The next step of a way; what is not there has nothing further in it."""
    return getattr(get(view), name, None)


def _names_pieces(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.VarTupleType) and isinstance(kind.item_type, inspect.StrType)


def _plain(
    kind: inspect.Type, example: Plain, name: str, path: str, get: Callable[[View], Plain], seats: int
) -> Part | None:
    """One thing, or one a seat, or several; None for a kind that has no numbers."""
    match kind:
        case inspect.IntType() if name in SEATED:
            names = (f"{path} is {whose(k, seats)}" for k in range(seats))
            return Part(flags(names), lambda view, seat: _seated(get(view), seat, seats))
        case inspect.BoolType():
            return Part(flags((path,)), lambda view, _: [float(get(view) or 0)])
        case inspect.IntType(ge=int(low), le=int(high)):
            return Part((Number(name=path, low=min(0, low), high=high),), lambda view, _: [float(get(view) or 0)])
        case inspect.IntType() | inspect.FloatType():
            return Part((endless(path),), lambda view, _: [float(get(view) or 0)])
        case inspect.CustomType(cls=cls) if issubclass(cls, Fraction):
            return Part((endless(path),), lambda view, _: [float(get(view) or 0)])
        case inspect.LiteralType(values=words):
            names = (f"{path} is {word}" for word in words)
            return Part(flags(names), lambda view, _: [float(get(view) == word) for word in words])
        case inspect.CustomType(cls=cls) if issubclass(cls, Word):
            return counts(cls, path, lambda view, _: (get(view),) if get(view) is not None else ())
        case inspect.VarTupleType(item_type=inspect.IntType()) if name in SEATED:
            names = (f"{path}: {whose(k, seats)}" for k in range(seats))
            return Part(
                flags(names), lambda view, seat: [float((seat + k) % seats in (get(view) or ())) for k in range(seats)]
            )
        case inspect.TupleType(item_types=(item, *rest)) if len(rest) + 1 == seats:
            return _by_seat(item, example, path, get, seats)
        case inspect.VarTupleType(item_type=inspect.StructType(cls=cls)) if cls is Launch:
            return aloft(path, get, seats)
        case inspect.VarTupleType(item_type=inspect.IntType()) if name in RANKED:
            places = tuple(
                Number(name=f"{path}: place of {whose(k, seats)}", high=max(1.0, seats - 1.0)) for k in range(seats)
            )
            return Part(places, lambda view, seat: [float(get(view).index((seat + k) % seats)) for k in range(seats)])
        case inspect.VarTupleType(item_type=item) if example is not None and len(example) == seats:
            return _by_seat(item, example, path, get, seats)
        case inspect.VarTupleType(item_type=inspect.CustomType(cls=cls)) if issubclass(cls, Word):
            return counts(cls, path, lambda view, _: get(view) or ())
        case inspect.VarTupleType(item_type=inspect.IntType()):
            several = tuple(Number(name=f"{path}: {k}", high=inf, most=1.0) for k in range(_SMALL))
            return Part(several, lambda view, _: [float((get(view) or ()).count(k)) for k in range(_SMALL)])
    return None


def _seated(of: int | None, seat: int, seats: int) -> list[float]:
    return [0.0] * seats if of is None else one_of((of - seat) % seats, seats)


def _by_seat(item: inspect.Type, example: Plain, path: str, get: Callable[[View], Plain], seats: int) -> Part | None:
    """One thing a seat, oneself first."""
    if _names_pieces(item) and example:
        return _held(example, path, get, seats)
    parts = []
    for k in range(seats):
        own = f"{path} of {whose(k, seats)}"
        part = _plain(item, example[0] if example else None, "", own, lambda of: of, seats)
        if part is None:
            return None
        parts.append(part)

    def write(view: View, seat: int) -> list[float]:
        value = get(view)
        return [
            number
            for k, part in enumerate(parts)
            for number in part.write(value[(seat + k) % seats] if value else None, seat)
        ]

    return Part(tuple(number for part in parts for number in part.numbers), write)


def _held(opening: State, path: str, get: Callable[[View], Plain], seats: int) -> Part:
    """Pieces of the opening that each seat still has, oneself first."""
    most = max(map(len, opening))

    def write(view: View, seat: int) -> list[float]:
        has, found = get(view), []
        for k in range(seats):
            of = (seat + k) % seats
            found += [float(name in has[of]) for name in opening[of]] + [0.0] * (most - len(opening[of]))
        return found

    return Part(flags(f"{path} of {whose(k, seats)}: {j}" for k in range(seats) for j in range(most)), write)
