"""Shots of an experiment by the thousand, as columns: drawn, aimed, made by the hand, settled and measured together.

The dice are the same, and what is settled agrees with `settle` far below a nanometre. What cannot be put in columns is
said by `why_not`, and shot one by one (see `lab.shooter`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, inf, nan, sin, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from flicksim.base.seeding import Seeds
from flicksim.lab.column import Axis
from flicksim.lab.dice import Normal, Uniform, drawn
from flicksim.lab.measure import Answer, Array, Gauge, Kind, Shots
from flicksim.lab.slots import From, Slots, filled
from flicksim.lab.spread import Level, Spread
from flicksim.physics import Flicks, Settings
from flicksim.physics.batch import Laid, board_of, laid_of, rings_of, settle_laid
from flicksim.physics.flight.jit import compiled
from flicksim.players import Hand
from flicksim.table import MAX_SPEED, TURN, Flick, PyramidScene, Scene, Squidge

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]

Row = tuple[Answer, ...]

HAND_DICE: Final = 3
"""Numbers a hand draws for a flick of a coin: turn, push, slip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The values of an experiment's axes, a column each.

    Args:
        numbers: of each axis, NaN where it holds words. [A][S]
        words: of each axis whose levels are words, the place of each shot's word among them; None for numbers. [A][S]
        dice: what the hand drew. [S, 3], of squidges [S, 4]
    """

    numbers: tuple[Floats, ...]
    words: tuple[Rows | None, ...]
    dice: Floats


def asked(seeds: Seeds, axes: Sequence[Axis], cells: int, first: int, last: int, hand_dice: int = HAND_DICE) -> Asked:
    """The values of the axes from one shot to before another: grids gone through, the rest drawn as each shot's own
    dice say."""
    cell = np.arange(first, last) % cells
    plan = [_die(axis.spread) for axis in axes if axis.spread.levels is None] + [Normal()] * hand_dice
    dice = drawn(seeds, "shot", first, last, plan)
    numbers: list[Floats] = []
    words: list[Rows | None] = []
    at = 0
    for axis in axes:
        levels = axis.spread.levels
        if levels is None:
            numbers.append(dice[:, at])
            words.append(None)
            at += 1
            continue
        cell, place = np.divmod(cell, len(levels))
        wordy = isinstance(levels[0], str)
        numbers.append(np.array([np.nan if wordy else float(level) for level in levels])[place])
        words.append(place if wordy else None)
    return Asked(numbers=tuple(numbers), words=tuple(words), dice=dice[:, at:])


def _die(spread: Spread) -> Uniform | Normal:
    """The way a quantity is drawn."""
    if spread.uniform is not None:
        return Uniform(*spread.uniform)
    assert spread.normal is not None
    return Normal(*spread.normal, *(spread.within or (-inf, inf)))


def apart(dx: Floats, dy: Floats) -> Floats:
    """Lengths of many differences, as `geometry.distance` has them."""
    found: Floats = np.sqrt(dx * dx + dy * dy)
    return found


@compiled
def aim(
    at: Floats, to: Floats, beyond: Floats, effort: Floats, turn: Floats, pull: float, speed: Floats, azimuth: Floats
) -> None:
    """Write the speed and azimuth that each aimed flick needs (see `lab.aim`); NaN where there is no way to go.

    Args:
        at, to: from where and where to [m]. [S, 2]
    """
    for k in range(speed.shape[0]):
        dx, dy = to[k, 0] - at[k, 0], to[k, 1] - at[k, 1]
        way = sqrt(dx * dx + dy * dy) + beyond[k]
        speed[k] = azimuth[k] = nan
        if way > 0.0:
            speed[k] = min(MAX_SPEED, sqrt(2.0 * pull * way) * effort[k])
            turned = atan2(dy, dx) + turn[k]
            azimuth[k] = atan2(sin(turned), cos(turned))


@compiled
def unsteady(hand: Floats, dice: Floats, speed: Floats, azimuth: Floats, offset: Floats) -> None:
    """Turn flicks as meant into flicks as a hand makes them (see `Hand.make`); NaN where that needs another turn.

    Args:
        hand: its errors of speed, azimuth and offset. [3]
    """
    for k in range(speed.shape[0]):
        speed[k] = min(MAX_SPEED, max(1e-3, speed[k] * (1.0 + hand[0] * dice[k, 1])))
        azimuth[k] = azimuth[k] + hand[1] * dice[k, 0]
        offset[k] = min(0.95, max(-0.95, offset[k] + hand[2] * dice[k, 2]))
        if abs(azimuth[k]) > TURN:
            azimuth[k] = nan


def answers(kind: Kind, values: Array) -> list[Answer]:
    """A column of a measure as it is kept: no NaN, no -0.0, shares as 0 and 1."""
    if kind == "text":
        return list(values.tolist())
    if kind == "share":
        return list(map(int, values.tolist()))
    found: list[Answer] = (values + 0.0).tolist()
    for row in np.flatnonzero(~np.isfinite(values)):
        found[row] = None
    return found


class Together:
    """Shots made ready to be shot in columns: what all kinds of them share.

    Args:
        slots: what is given, with `From` in the places of what varies (see `Shooter`).
        axes: what varies. cells: how many there are of the crossed grids. seeds: of all chance.
        piece: id of what is flicked. gauges: what is measured. hand_of: a hand by its name.
    """

    most: int
    """Shots best made at once."""

    def __init__(
        self, slots: Mapping[str, Slots], axes: Sequence[Axis], cells: int, seeds: Seeds, piece: str,
        gauges: Sequence[Gauge], hand_of: Callable[[Slots], Hand],
    ) -> None:  # fmt: skip
        self._slots, self._axes, self._cells, self._seeds = slots, axes, cells, seeds
        self._piece, self._gauges, self._hand_of = piece, gauges, hand_of

    def rows(self, first: int, last: int, again: Callable[[int], Row]) -> list[Row]:
        """The shots from one index to before another; those that cannot be made or settled are asked for `again`."""
        raise NotImplementedError

    def _table(self, first: int, given: Asked, shots: Shots, again: Callable[[int], Row]) -> list[Row]:
        """The values and answers of these shots, a row each."""
        count = len(given.dice)
        columns: list[Sequence[Answer]] = [range(first, first + count)]
        for axis, numbers, words in zip(self._axes, given.numbers, given.words, strict=True):
            levels = axis.spread.levels or ()
            columns.append((numbers + 0.0).tolist() if words is None else [str(levels[place]) for place in words])
        for gauge in self._gauges:
            assert gauge.many is not None
            columns += [answers(gauge.kind, values) for values in gauge.many(shots)]
        found: list[Row] = list(zip(*columns, [None] * count, strict=True))
        for row in np.flatnonzero(shots.settled.failed != ""):
            found[row] = again(first + int(row))
        return found

    def _alike(self, given: Asked, count: int) -> Iterator[tuple[Rows, list[Level]]]:
        """Shots that share all words, and these words in the places of their axes."""
        wordy = [k for k, words in enumerate(given.words) if words is not None]
        if not wordy:
            yield np.arange(count), [nan] * len(self._axes)
            return
        places = np.stack([given.words[k] for k in wordy])  # type: ignore[misc]
        for one in np.unique(places, axis=1).T:
            values: list[Level] = [nan] * len(self._axes)
            for k, place in zip(wordy, one, strict=True):
                values[k] = (self._axes[k].spread.levels or ())[place]
            yield np.flatnonzero((places == one[:, None]).all(axis=0)), values

    def _numbers(self, slot: Slots, given: Asked, rows: Rows) -> Floats:
        """A quantity in these shots."""
        if isinstance(slot, From):
            return np.ascontiguousarray(given.numbers[slot.index][rows])
        return np.full(len(rows), float(slot))


class Columns(Together):
    """An experiment with coins made ready to be shot in columns.

    Args:
        scene: the table with nothing varied. settings: physics with nothing varied. nominal: what a player reckons
            with. The others as for `Together`.
    """

    most = 4096

    def __init__(
        self, slots: Mapping[str, Slots], axes: Sequence[Axis], cells: int, seeds: Seeds, piece: str,
        gauges: Sequence[Gauge], hand_of: Callable[[Slots], Hand], *, scene: Scene, settings: Settings,
        nominal: Settings,
    ) -> None:  # fmt: skip
        super().__init__(slots, axes, cells, seeds, piece, gauges, hand_of)
        self._scene = scene
        self._ids = tuple(one.id for one in scene.pieces)
        self._rings = rings_of([scene])
        self._board = board_of(scene, self._rings)
        self._laid = laid_of([scene], [settings], self._ids, self._rings)
        self._settings = settings
        flicked = scene.piece(piece)
        self._pull = nominal.pairings.of(flicked.material, scene.surface.material).friction * nominal.gravity

    def rows(self, first: int, last: int, again: Callable[[int], Row]) -> list[Row]:
        """The shots from one index to before another; those that cannot be made or settled are asked for `again`."""
        count = last - first
        given = asked(self._seeds, self._axes, self._cells, first, last)
        speed, azimuth, offset = (np.empty(count) for _ in range(3))
        laid, odd = self._varied(given, count)
        start = self._start(given, count)
        at = laid.places[:, self._ids.index(self._piece), :2] if start is None else start
        for rows, values in self._alike(given, count):
            self._make(rows, values, given, laid, np.broadcast_to(at, (count, 2)), speed, azimuth, offset)
        flicks = Flicks(piece=self._piece, speed=speed, azimuth=azimuth, offset=offset, start=start)
        settled = settle_laid(
            (self._scene,), self._ids, self._board, laid, flicks, np.where(odd, "odd", "").astype(object)
        )
        began = np.broadcast_to(laid.places, (count, len(self._ids), 3)).copy()
        if start is not None:
            began[:, self._ids.index(self._piece), :2] = start
        shots = Shots(piece=self._piece, made=flicks, began=began, settled=settled)
        return self._table(first, given, shots, again)

    def _make(
        self, rows: Rows, values: Sequence[Level], given: Asked, laid: Laid, at: Floats,
        speed: Floats, azimuth: Floats, offset: Floats,
    ) -> None:  # fmt: skip
        """Aim these shots and let the hand make them."""
        flick = self._slots["flick"]

        def quantity(name: str, usual: float) -> Floats:
            return self._numbers(flick.get(name, usual), given, rows)

        if "to" in flick:
            to = self._target(filled(flick["to"], values), given, rows, laid)
            hard, way = np.empty(len(rows)), np.empty(len(rows))
            aim(
                np.ascontiguousarray(at[rows]), to, quantity("beyond", 0.0), quantity("effort", 1.0),
                quantity("turn", 0.0), self._pull, hard, way,
            )  # fmt: skip
        else:
            hard, way = quantity("speed", nan), quantity("azimuth", nan)
        side = quantity("offset", 0.0)
        wrong = ~((hard > 0.0) & (hard <= MAX_SPEED) & (np.abs(way) <= TURN) & (np.abs(side) <= 0.95))
        hand = self._hand_of(filled(self._slots["hand"], values))
        errors = np.array([hand.speed, hand.azimuth, hand.offset])
        unsteady(errors, np.ascontiguousarray(given.dice[rows]), hard, way, side)
        hard[wrong] = nan
        speed[rows], azimuth[rows], offset[rows] = hard, way, side

    def _target(self, to: Slots, given: Asked, rows: Rows, laid: Laid) -> Floats:
        """Targets of these shots [m]. [R, 2]"""
        if isinstance(to, str) and to not in self._ids:
            return np.full((len(rows), 2), nan)  # asked about one by one it is told of
        if isinstance(to, str):
            places = laid.places[:, self._ids.index(to), :2]
            return np.ascontiguousarray(np.broadcast_to(places, (len(given.dice), 2))[rows])
        point = self._slots["flick"]["to"]
        return np.stack([self._numbers(part, given, rows) for part in point], axis=1)

    def _start(self, given: Asked, count: int) -> Floats | None:
        """Start of the piece, where one is asked for [m]. [S, 2]"""
        start = self._slots["flick"].get("start")
        if start is None:
            return None
        return np.stack([self._numbers(part, given, np.arange(count)) for part in start], axis=1)

    def _varied(self, given: Asked, count: int) -> tuple[Laid, Bools]:
        """The table as these shots find it, and those that find it impossible."""
        laid, rows = self._laid, np.arange(count)
        odd = np.zeros(count, np.bool_)

        def wide(array: Array) -> Array:
            return np.broadcast_to(array, (count, *array.shape[1:])).copy()

        moved = {
            (name, field): slot
            for name, fields in self._slots["pieces"].items()
            for field, slot in fields.items()
            if isinstance(slot, From)
        }
        if moved:
            laid = laid._replace(places=wide(laid.places), radius=wide(laid.radius), mass=wide(laid.mass))
            for (name, field), slot in moved.items():
                column, values = self._ids.index(name), self._numbers(slot, given, rows)
                if field in _PLACE:
                    laid.places[:, column, _PLACE.index(field)] = values
                else:
                    getattr(laid, field)[:, column] = values
            odd |= impossible(laid, self._scene)
        laws = {
            (pair, name): slot
            for group, fields in (("", self._slots["settings"]), *self._slots["pairings"].items())
            for pair, name, slot in ((group, name, slot) for name, slot in fields.items())
            if isinstance(slot, From)
        }
        if moved or laws:
            names = ("radius", "mass", "pull", "contact", "friction", "restitution", "yields")
            laid = laid._replace(**{name: wide(getattr(laid, name)) for name in names})
        if laws:
            law = ("nail", "gentle", "longest", "most")
            laid = laid._replace(**{name: wide(getattr(laid, name)) for name in law})
            odd |= self._laws(laws, given, laid, rows)
        return laid, odd

    def _laws(self, laws: Mapping[tuple[str, str], From], given: Asked, laid: Laid, rows: Rows) -> Bools:
        """Write varied physics into the table of the shots; those whose numbers cannot be."""
        odd = np.zeros(len(rows), np.bool_)
        board = self._scene.surface.material
        gravity = np.full(len(rows), self._settings.gravity)
        grips = {one.material: self._settings.pairings.of(one.material, board).friction for one in self._scene.pieces}
        grip = {material: np.full(len(rows), friction) for material, friction in grips.items()}
        for (pair, name), slot in laws.items():
            values = self._numbers(slot, given, rows)
            if not pair:
                if name == "gravity":
                    gravity = values
                elif name in _LAWS:
                    getattr(laid, _LAWS[name])[:] = values
            odd |= ~((values >= _BOUNDS[name][0]) & (values <= _BOUNDS[name][1]))
            for material in grip:
                if pair == "|".join(sorted((material, board))) and name == "friction":
                    grip[material] = values
            for a, one in enumerate(self._scene.pieces):
                for b, other in enumerate(self._scene.pieces):
                    if a != b and pair == "|".join(sorted((one.material, other.material))):
                        getattr(laid, _PAIRS[name])[:, a, b] = values
        for column, piece in enumerate(self._scene.pieces):
            laid.pull[:, column] = grip[piece.material] * gravity
        return odd


def why_not(kind: type, axes: Sequence[Axis], scene: Scene | PyramidScene, gauges: Sequence[Gauge]) -> str:
    """The reason why an experiment cannot be shot in columns, in a few words; "" when it can."""
    if kind not in (Flick, Squidge):
        return f"a {kind.__name__.lower()} is settled by itself"
    if kind is Flick and scene.surface.pot is not None:
        return "a pot stands there"
    if len(scene.pieces) > MOST:
        return f"{len(scene.pieces)} pieces are more than {MOST}"
    for axis in axes if kind is Flick else ():
        group, *names = axis.path
        if group == "pieces" and names[-1] not in (*_PLACE, "radius", "mass"):
            return f"{axis.title} varies"
        if group == "settings" and names[-1] in ("max_impacts", "max_time", "gentle"):
            return f"{axis.title} varies"
        if group == "pairings" and names[-1] == "yield_speed":
            return f"{axis.title} varies"
    slow = [gauge.name for gauge in gauges if gauge.many is None]
    return f"measure {slow[0]!r} is asked shot by shot" if slow else ""


def impossible(laid: Laid, scene: Scene) -> Bools:
    """Shots whose pieces overlap, lie off the surface or are no pieces. [S]"""
    x, y = laid.places[:, :, 0], laid.places[:, :, 1]
    odd = np.asarray(~np.isfinite(laid.places).all(axis=(1, 2)))
    outline = scene.surface.outline
    for i in range(len(outline)):
        (ax, ay), (bx, by) = outline[i - 1], outline[i]
        odd |= (((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < 0.0).any(axis=1)
    for a in range(x.shape[1]):
        for b in range(a):
            odd |= apart(x[:, a] - x[:, b], y[:, a] - y[:, b]) - laid.radius[:, a] - laid.radius[:, b] < 0.0
    odd |= ~((laid.radius >= 1e-4) & (laid.radius <= 1.0) & (laid.mass >= 1e-6) & (laid.mass <= 100.0)).all(axis=1)
    return odd


MOST: Final = 40
"""Pieces up to which a table of all pairs is made for every shot."""
_PLACE: Final = ("x", "y", "angle")
_LAWS: Final = {"nail_friction": "nail"}
_PAIRS: Final = {"friction": "friction", "restitution": "restitution"}
_BOUNDS: Final = dict.fromkeys(Settings.__struct_fields__, (-inf, inf)) | {
    "gravity": (1e-9, 100.0), "nail_friction": (0.0, 5.0), "friction": (0.0, 5.0), "restitution": (0.0, 1.0),
}  # fmt: skip
"""Ranges in which a number is surely possible; what lies outside is asked about one by one."""
