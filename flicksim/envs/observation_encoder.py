"""Encoder of a seat's view as an array, derived from the types of the fields of a game's state.

How values are encoded:
a number, a boolean - itself; one of a few words, a card - one-hot;
the number of a seat (`SEAT_FIELDS`) - one-hot, the observer first, the others clockwise;
one value a seat - in the same order; an order of seats (`SEAT_ORDER_FIELDS`) - the place of each;
several seats, numbers or cards - which, or how many of each;
pieces on a table - a row each (`table_features`), and the missile each seat has in the air;
names of pieces by seat - which of those it had at the opening; cards and tiles - counts pile by pile (`pile_features`).
Omitted are options, which do not change, former states, and lists of records (score sheets).

Bounds come from the same types, and from the opening: how large the table is, how many cards there are. Points, turns
and seconds are unbounded.
"""

import fractions
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf

from msgspec import inspect

from flicksim.cards import Zones
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import StringValue
from flicksim.core.type_aliases import JsonValue, State, View
from flicksim.envs.features import (
    Feature,
    FeatureGroup,
    boolean_features,
    count_features,
    one_hot,
    relative_seat_name,
    unbounded_feature,
)
from flicksim.envs.pile_features import pile_features
from flicksim.envs.table_features import missile_features, table_features
from flicksim.referee import Game
from flicksim.scene import Launch, PyramidScene, Scene

SEAT_FIELDS = frozenset({"to_play", "dealer", "starter", "flicker", "opener", "owner", "heat", "missing"})
"""Names of fields whose integers are seats."""
SEAT_ORDER_FIELDS = frozenset({"order"})
"""Names of fields that hold all seats in the order of play."""
_MAX_COUNTED = 16
"""Lists of whole numbers hold numbers below this: pips, seats."""
_SKIPPED_FIELDS = ("options", "seats", "last_shot")


class ObservationEncoder:
    """Encoder of views of a game as arrays.

    Args:
        game: the game. opening: its full state at the opening, with all piles. seats: number of seats.
    """

    def __init__(self, game: Game, opening: State, seats: int) -> None:
        kind = inspect.type_info(game.state)
        leaves = list(_state_fields(kind, opening, "", lambda view: view, {RandomStreams}))
        lists = [(leaf.path, leaf.get) for leaf in leaves if _names_pieces(leaf.kind)]
        own = FeatureGroup(boolean_features(f"seat is {k}" for k in range(seats)), lambda _, seat: one_hot(seat, seats))
        parts = [own]
        for leaf in leaves:
            if isinstance(leaf.example, Scene | PyramidScene):
                parts.append(table_features(leaf.path, leaf.get, leaf.example, seats, lists))
            elif isinstance(leaf.example, Zones):
                parts.append(pile_features(leaf.path, leaf.get, leaf.example, seats, game))
            elif (part := _value_features(leaf.kind, leaf.example, leaf.name, leaf.path, leaf.get, seats)) is not None:
                parts.append(part)
        self._parts = tuple(parts)
        self.features = tuple(number for part in parts for number in part.features)

    def encode(self, view: View, seat: int) -> list[float]:
        """Unscaled features of a view, as a seat sees it. [features]"""
        return [number for part in self._parts for number in part.encode(view, seat)]


@dataclass(frozen=True, slots=True)
class StateField:
    """A field of a state: name, path, type, value at the opening, and getter."""

    name: str
    path: str
    kind: inspect.Type
    example: JsonValue
    get: Callable[[View], JsonValue]


def _state_fields(
    kind: inspect.Type, example: JsonValue, path: str, get: Callable[[View], JsonValue], seen: set[JsonValue]
) -> Iterator[StateField]:
    """Yield the leaf fields, depth first; a struct of a type seen before is left out."""
    assert isinstance(kind, inspect.StructType)
    seen.add(kind.cls)
    for entry in kind.fields:
        name, field_path, field_type = entry.name, f"{path}{entry.name}", entry.type
        if name in _SKIPPED_FIELDS:
            continue
        if isinstance(field_type, inspect.UnionType):
            members = [one for one in field_type.types if not isinstance(one, inspect.NoneType)]
            field_type = members[0] if len(members) == 1 else field_type
        value = getattr(example, name, None)
        further = partial(_get_nested, get, name)
        if isinstance(field_type, inspect.StructType) and not isinstance(value, Scene | PyramidScene | Zones):
            if field_type.cls not in seen:
                yield from _state_fields(field_type, value, f"{field_path}.", further, seen)
        else:
            yield StateField(name, field_path, field_type, value, further)


def _get_nested(get: Callable[[View], JsonValue], name: str, view: View) -> JsonValue:
    """Attribute of a nested value; None where a part of the path is missing."""
    return getattr(get(view), name, None)


def _names_pieces(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.VarTupleType) and isinstance(kind.item_type, inspect.StrType)


def _value_features(
    kind: inspect.Type, example: JsonValue, name: str, path: str, get: Callable[[View], JsonValue], seats: int
) -> FeatureGroup | None:
    """Features of one value, or of several in a tuple; None for a type without numbers."""

    def number(view: View, seat: int) -> list[float]:
        del seat
        return [float(get(view) or 0)]

    match kind:
        case inspect.IntType() if name in SEAT_FIELDS:
            names = (f"{path} is {relative_seat_name(k, seats)}" for k in range(seats))
            return FeatureGroup(boolean_features(names), lambda view, seat: _seat_one_hot(get(view), seat, seats))
        case inspect.BoolType():
            return FeatureGroup(boolean_features((path,)), number)
        case inspect.IntType(ge=int(low), le=int(high)):
            return FeatureGroup((Feature(name=path, low=min(0, low), high=high),), number)
        case inspect.IntType() | inspect.FloatType() | inspect.CustomType(cls=fractions.Fraction):
            return FeatureGroup((unbounded_feature(path),), number)
        case inspect.LiteralType(values=words):
            names = (f"{path} is {word}" for word in words)
            return FeatureGroup(boolean_features(names), lambda view, _: [float(get(view) == word) for word in words])
        case inspect.CustomType(cls=cls) if issubclass(cls, StringValue):
            return count_features(cls, path, lambda view, _: (get(view),) if get(view) is not None else ())
    return _sequence_features(kind, example, name, path, get, seats)


def _sequence_features(
    kind: inspect.Type, example: JsonValue, name: str, path: str, get: Callable[[View], JsonValue], seats: int
) -> FeatureGroup | None:
    """Features of the values of a tuple; None for another type."""
    match kind:
        case inspect.VarTupleType(item_type=inspect.IntType()) if name in SEAT_FIELDS:
            names = (f"{path}: {relative_seat_name(k, seats)}" for k in range(seats))
            return FeatureGroup(
                boolean_features(names),
                lambda view, seat: [float((seat + k) % seats in (get(view) or ())) for k in range(seats)],
            )
        case inspect.TupleType(item_types=(item, *rest)) if len(rest) + 1 == seats:
            return _per_seat_features(item, example, path, get, seats)
        case inspect.VarTupleType(item_type=inspect.StructType(cls=cls)) if cls is Launch:
            return missile_features(path, get, seats)
        case inspect.VarTupleType(item_type=inspect.IntType()) if name in SEAT_ORDER_FIELDS:
            places = tuple(
                Feature(name=f"{path}: place of {relative_seat_name(k, seats)}", high=max(1.0, seats - 1.0))
                for k in range(seats)
            )
            return FeatureGroup(
                places, lambda view, seat: [float(get(view).index((seat + k) % seats)) for k in range(seats)]
            )
        case inspect.VarTupleType(item_type=item) if example is not None and len(example) == seats:
            return _per_seat_features(item, example, path, get, seats)
        case inspect.VarTupleType(item_type=inspect.CustomType(cls=cls)) if issubclass(cls, StringValue):
            return count_features(cls, path, lambda view, _: get(view) or ())
        case inspect.VarTupleType(item_type=inspect.IntType()):
            counts = tuple(Feature(name=f"{path}: {k}", high=inf, half_range=1.0) for k in range(_MAX_COUNTED))
            return FeatureGroup(
                counts, lambda view, _: [float((get(view) or ()).count(k)) for k in range(_MAX_COUNTED)]
            )
    return None


def _seat_one_hot(owner: int | None, seat: int, seats: int) -> list[float]:
    return [0.0] * seats if owner is None else one_hot((owner - seat) % seats, seats)


def _per_seat_features(
    item: inspect.Type, example: JsonValue, path: str, get: Callable[[View], JsonValue], seats: int
) -> FeatureGroup | None:
    """Features of one value a seat, the observer first."""
    if _names_pieces(item) and example:
        return _held_piece_features(example, path, get, seats)
    parts = []
    for k in range(seats):
        own = f"{path} of {relative_seat_name(k, seats)}"
        part = _value_features(item, example[0] if example else None, "", own, lambda of: of, seats)
        if part is None:
            return None
        parts.append(part)

    def write(view: View, seat: int) -> list[float]:
        value = get(view)
        return [
            number
            for k, part in enumerate(parts)
            for number in part.encode(value[(seat + k) % seats] if value else None, seat)
        ]

    return FeatureGroup(tuple(number for part in parts for number in part.features), write)


def _held_piece_features(opening: State, path: str, get: Callable[[View], JsonValue], seats: int) -> FeatureGroup:
    """Features of the pieces of the opening that each seat still has, the observer first."""
    most_pieces = max(map(len, opening))

    def write(view: View, seat: int) -> list[float]:
        held, features = get(view), []
        for k in range(seats):
            owner = (seat + k) % seats
            features += [float(name in held[owner]) for name in opening[owner]] + [0.0] * (
                most_pieces - len(opening[owner])
            )
        return features

    return FeatureGroup(
        boolean_features(
            f"{path} of {relative_seat_name(k, seats)}: {j}" for k in range(seats) for j in range(most_pieces)
        ),
        write,
    )
