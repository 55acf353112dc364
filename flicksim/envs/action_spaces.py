"""Action spaces of games: numbered moves of cards and tiles, arrays in [-1, 1] for flicks, squidges and launches.

An array begins with `CHOICE_SLOTS` preferences, one for each choice (pieces that may be flicked, then decisions): the
legal choice with the strongest preference is taken. The other numbers are the parameters of the flick, each from the
lowest to the highest legal value. So every array is a legal action, and no mask is needed.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, product
from math import inf, pi
from operator import index
from typing import get_args
from zlib import crc32

import numpy as np
import numpy.typing as npt
from msgspec import inspect, structs

from flicksim.ai import flick_in_range
from flicksim.core.errors import IllegalAction, InvalidInput
from flicksim.core.geometry import Point
from flicksim.core.serialization import StringValue
from flicksim.core.type_aliases import Action, JsonValue, Unchecked
from flicksim.envs import table_features
from flicksim.envs.features import Feature, boolean_features, card_faces, clip_action
from flicksim.referee import FlickRange, Game, LaunchRange, LegalActions
from flicksim.scene import BASE_HEIGHT_RANGE, MAX_TUMBLE, SIZES, Flick, Launch, PyramidScene, Scene, Squidge

HASHED_MOVES = 4096
"""Size of the action space of a game whose moves cannot be enumerated."""


class MoveActionSpace:
    """Discrete action space of a card game.

    Where all moves can be enumerated from the types of their fields (a tile, an end) each has its own number. Else,
    where a move may name any cards, its number is the CRC-32 of its notation, or the next free one when two legal moves
    share it: with 50 legal moves that happens in about one decision of four, to one move.

    Args:
        game: the game.

    Attributes:
        size: number of actions.
    """

    def __init__(self, game: Game) -> None:
        members = get_args(game.action) or (game.action,)
        notations = [_enumerate_moves(kind) for kind in members]
        self._number: dict[str, int] | None = None
        if all(some is not None for some in notations):
            self._number = {word: k for k, word in enumerate(word for some in notations for word in some or ())}
        self.size = HASHED_MOVES if self._number is None else len(self._number)

    def legal_moves(self, choices: LegalActions) -> dict[int, Action]:
        """Legal moves by number."""
        if self._number is not None:
            return {self._number[str(action)]: action for action in choices.actions}
        moves: dict[int, Action] = {}
        for notation, action in sorted((str(action), action) for action in choices.actions):
            number = crc32(notation.encode()) % HASHED_MOVES
            while number in moves:
                number = (number + 1) % HASHED_MOVES
            moves[number] = action
        return moves

    def action_mask(self, legal_moves: dict[int, Action]) -> npt.NDArray[np.int8]:
        """Mask of the legal moves. [size]"""
        mask = np.zeros(self.size, dtype=np.int8)
        mask[list(legal_moves)] = 1
        return mask


def decode_move(legal_moves: dict[int, Action], action: Action) -> Action:
    """Decode a move by its number.

    Raises:
        InvalidInput: it is not legal, or no whole number; lists the legal ones.
    """
    try:
        number = index(action)
    except TypeError:
        number = -1
    if number not in legal_moves:
        listed = ", ".join(f"{k} ({action})" for k, action in sorted(legal_moves.items())[:8])
        more = " and more" if len(legal_moves) > 8 else ""
        raise InvalidInput(f"action {action} is not legal now; there are {listed or 'none'}{more}: see the action mask")
    return legal_moves[number]


def _enumerate_moves(kind: Unchecked) -> list[str] | None:
    """Notation of every move of a kind; None if they cannot be enumerated."""
    struct_type = inspect.type_info(kind)
    assert isinstance(struct_type, inspect.StructType)
    values = [_enumerate_values(entry.type) for entry in struct_type.fields]
    if any(choices is None for choices in values):
        return None
    names = [entry.name for entry in struct_type.fields]
    return [str(kind(**dict(zip(names, one, strict=True)))) for one in product(*(choices or [] for choices in values))]


def _enumerate_values(kind: inspect.Type) -> list[JsonValue] | None:
    """Every value of a type; None if they cannot be enumerated."""
    match kind:
        case inspect.NoneType():
            return [None]
        case inspect.BoolType():
            return [False, True]
        case inspect.LiteralType(values=words):
            return list(words)
        case inspect.CustomType(cls=cls) if issubclass(cls, StringValue):
            return list(card_faces(cls))
        case inspect.UnionType(types=types):
            some = [_enumerate_values(one) for one in types]
            return None if any(one is None for one in some) else [value for one in some for value in one or []]
    return None


CHOICE_SLOTS = 16
"""Most choices of a decision; no position of the shipped games has more."""
_EXTRA_PARAMETERS: dict[type, tuple[str, ...]] = {
    Flick: ("offset",), Squidge: ("elevation", "tumble"), Launch: ("height", "slant"),
}  # fmt: skip
"""Parameters of each kind of action besides its azimuth, speed and start."""


def _range_features(number: Feature) -> tuple[Feature, Feature]:
    """Features of the lower and upper end of a range."""
    low, high = (replace(number, name=f"{number.name} {end}", low=min(0.0, number.low)) for end in ("from", "to"))
    return low, high


def _choice_features(scene: Scene | PyramidScene) -> tuple[Feature, ...]:
    return (
        *boolean_features(("there", "a flick")),
        *table_features.position_features(scene),
        *_range_features(table_features.DIRECTION),
        *_range_features(table_features.SPEED),
        *boolean_features(("starts anew",)),
        Feature(name="number", low=-inf, high=inf, half_range=1.0, description="the first number in a decision"),
    )


_EXTRA_FEATURES: dict[type, tuple[Feature, ...]] = {
    Squidge: (
        *_range_features(Feature(name="elevation", unit="rad", high=pi / 2.0 + 1e-6, half_range=pi / 2.0)),
        *_range_features(Feature(name="tumble", unit="rad/s", low=-MAX_TUMBLE, high=MAX_TUMBLE, half_range=200.0)),
    ),
    Launch: (
        table_features.PIPS,
        *_range_features(table_features.STRIKE_HEIGHT),
        *_range_features(table_features.SLANT_FEATURE),
    ),
}
_EDGE_MARGIN = 1e-9
"""Share of a region left free along its edge, so that rounding puts no start outside."""


class FlickActionSpace:
    """Continuous action space of a flicking game.

    Args:
        game: the game. scene: its scene at the opening.

    Attributes:
        names: name of each number of an action.
        choice_features: features that describe the choices, part of an observation.
    """

    def __init__(self, game: Game, scene: Scene | PyramidScene) -> None:
        members = get_args(game.action) or (game.action,)
        how = chain.from_iterable(more for kind, more in _EXTRA_PARAMETERS.items() if kind in members)
        self._parameters = ("azimuth", "speed", *how, "start along", "start across")
        self.names = (*(f"wish {k}" for k in range(CHOICE_SLOTS)), *self._parameters)
        more = chain.from_iterable(more for kind, more in _EXTRA_FEATURES.items() if kind in members)
        columns = (*_choice_features(scene), *more)
        self._columns = tuple(column.name for column in columns)
        self.choice_features = table_features.row_features(columns, (f"offer {k}" for k in range(CHOICE_SLOTS)))

    def encode_choices(self, choices: LegalActions | None, scene: Scene | PyramidScene) -> list[float]:
        """Features of the choices; None where this seat has none. [SLOTS * columns]"""
        rows = [] if choices is None else [_flick_features(span, scene) for span in choices.flicks]
        rows += [] if choices is None else [_decision_features(action, scene) for action in choices.actions]
        rows = rows[:CHOICE_SLOTS] + [{}] * (CHOICE_SLOTS - len(rows))
        return [row.get(column, 0.0) for row in rows for column in self._columns]

    def decode(self, choices: LegalActions, action: Action, check: Callable[[Action], None]) -> Action:
        """Decode an array to an action.

        A start that the rules refuse, on top of a coin, is left out; an obstructed launcher is held highest.

        Args:
            check: raises IllegalAction where the rules forbid an action.

        Raises:
            InvalidInput: it is no such array.
        """
        numbers = clip_action(action, self.names)
        legal = [*choices.flicks, *choices.actions][:CHOICE_SLOTS]
        chosen = legal[int(np.argmax(numbers[: len(legal)]))]
        if not isinstance(chosen, FlickRange):
            return chosen
        how = dict(zip(self._parameters, (numbers[CHOICE_SLOTS:] + 1.0) / 2.0, strict=True))
        flick = _make_flick(chosen, how)
        try:
            check(flick)
        except IllegalAction:
            return structs.replace(
                flick, **({"lift": BASE_HEIGHT_RANGE[1]} if isinstance(flick, Launch) else {"start": None})
            )
        return flick


def _make_flick(span: FlickRange, fractions: dict[str, JsonValue]) -> Flick | Squidge | Launch:
    along, across = fractions["start along"], fractions["start across"]
    start = _point_in_region(span.start, along, across) if span.start else None
    offset = 0.95 * (2.0 * fractions.get("offset", 0.5) - 1.0)
    return flick_in_range(span, start, lambda name: _interpolate(getattr(span, name), fractions[name]), offset)


def _interpolate(interval: tuple[float, float], fraction: float) -> float:
    return float(interval[0] + fraction * (interval[1] - interval[0]))


def _point_in_region(corners: Sequence[Point], u: float, v: float) -> Point:
    """Point of a convex region by bilinear interpolation between four of its corners [m]."""
    a, b, c, d = (corners[k * len(corners) // 4] for k in range(4))
    u, v = (_interpolate((_EDGE_MARGIN, 1.0 - _EDGE_MARGIN), share) for share in (u, v))
    x, y = ((1.0 - v) * ((1.0 - u) * a[i] + u * b[i]) + v * ((1.0 - u) * d[i] + u * c[i]) for i in (0, 1))
    return (float(x), float(y))


def _flick_features(flick_range: FlickRange, scene: Scene | PyramidScene) -> dict[str, float]:
    x, y = 0.0, 0.0
    if flick_range.start:
        x, y = np.mean(flick_range.start, axis=0)
    elif scene.has(flick_range.piece):
        x, y = scene.piece(flick_range.piece).position
    row = {"there": 1.0, "a flick": 1.0, "x": float(x), "y": float(y), "starts anew": float(bool(flick_range.start))}
    for name in ("azimuth", "speed", "elevation", "tumble", "height", "slant"):
        row[f"{name} from"], row[f"{name} to"] = getattr(flick_range, name, (0.0, 0.0))
    if isinstance(flick_range, LaunchRange):
        row["pips"] = 1.0 + SIZES.index(flick_range.size)
    return row


def _decision_features(action: Action, scene: Scene | PyramidScene) -> dict[str, float]:
    """Features of a decision: place of the piece that it names, and the first number in it."""
    values = structs.astuple(action)
    flat = [one for value in values for one in (value if isinstance(value, tuple) else (value,))]
    about = next((one for one in flat if isinstance(one, str) and scene.has(one)), None)
    x, y = scene.piece(about).position if about is not None else (0.0, 0.0)
    number = next((float(one) for one in flat if isinstance(one, bool | int | float)), 0.0)
    return {"there": 1.0, "x": x, "y": y, "number": number}
