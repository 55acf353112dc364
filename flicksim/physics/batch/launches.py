"""Many launches at once: columns of them in, arrays of what came of them out; each as `settle` has it, bit for bit.

Rows do not know each other, so the answer depends neither on how many threads there are nor on the order in which they
work. What is asked of a launch here is where all comes to rest, so no tracks are kept and no events told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from flicksim.base.errors import BadFlick, BadInput, BadScene, Unsettled
from flicksim.physics.batch.asking import complain
from flicksim.physics.batch.outcome import FATES, Shots, in_words
from flicksim.physics.launch import flown, refused, released
from flicksim.physics.settings import Settings
from flicksim.table.launch import Launch
from flicksim.table.pyramid import SIZES, Pyramid, Size
from flicksim.table.pyramid_scene import PyramidScene

Array = npt.NDArray[np.float64]

UPRIGHT, ON_SIDE, LEANS, FELL, KEPT = range(5)
"""Fates of a piece: at rest on its base, upright; flat on a side; any other way, on something; off the table; never off
the launcher."""
_FATES: Final = ("stands", "on its side", "leans", "fell", "kept on the launcher")
ABSENT: Final = -1
"""It never was there, or the launch failed."""
ON_TABLE, ON_NOTHING = -1, -2
"""First thing that a missile met, besides pieces."""
CHUNK: Final = 64
"""Launches a thread takes at once."""
_PLAIN: Final = Launch(piece="missile", size="small", hold=(0.0, 0.0), azimuth=0.0, speed=1.0)
"""A launch that names nothing it need not."""
_NUMBERS: Final = ("azimuth", "speed", "height", "slant", "lift", "askew", "twist", "aside")


@dataclass(frozen=True, slots=True, kw_only=True)
class Launches:
    """Launches as columns; a column of one row serves all (see `table.Launch`, where the numbers' ranges are told).

    Args:
        piece: id of the missile in each launch, or one for all. size: which it is, likewise.
        hold: where the launcher is held [m]. [S, 2] or [1, 2]
        azimuth, slant, askew, twist: [rad], speed: [m/s], height, lift, aside: [m]; those left out are as in a launch
            that does not name them. [S] or [1]
    """

    piece: str | Sequence[str]
    size: Size | Sequence[Size]
    hold: Array
    azimuth: Array
    speed: Array
    height: Array | float = _PLAIN.height
    slant: Array | float = _PLAIN.slant
    lift: Array | float = _PLAIN.lift
    askew: Array | float = 0.0
    twist: Array | float = 0.0
    aside: Array | float = 0.0

    @classmethod
    def of(cls, launches: Sequence[Launch]) -> Launches:
        """The columns of these launches."""
        for row, launch in enumerate(launches):
            if not isinstance(launch, Launch):
                raise BadFlick(f"row {row}: {type(launch).__name__} is no launch of a pyramid")
        columns = {name: np.array([getattr(one, name) for one in launches], dtype=np.float64) for name in _NUMBERS}
        names, sizes = [one.piece for one in launches], [one.size for one in launches]
        return cls(
            piece=names[0] if len(set(names)) == 1 else names, size=sizes[0] if len(set(sizes)) == 1 else sizes,
            hold=np.array([one.hold for one in launches], dtype=np.float64).reshape(-1, 2), **columns,
        )  # fmt: skip

    def rows(self) -> int:
        """Number of launches the columns hold.

        Raises:
            BadFlick: columns of different lengths.
        """
        if self.hold.ndim != 2 or self.hold.shape[1] != 2:
            raise BadFlick(f"hold has shape {list(self.hold.shape)}; it must be [launches, 2], x and y of each")
        found = {"hold": len(self.hold), **{name: len(np.atleast_1d(getattr(self, name))) for name in _NUMBERS}}
        found |= {name: len(of) for name in ("piece", "size") if not isinstance(of := getattr(self, name), str)}
        longest = max(found.values())
        if odd := [name for name, count in found.items() if count not in (1, longest)]:
            told = ", ".join(f"{name} {count}" for name, count in found.items())
            raise BadFlick(
                f"columns do not match in length ({told}); {odd[0]} must have {longest} rows, or one for all"
            )
        return longest

    def row(self, launch: int) -> Launch:
        """One of them.

        Raises:
            ValueError: its numbers cannot be; says which and what would be right.
        """

        def at(name: str) -> float:
            values = np.atleast_1d(getattr(self, name))
            return float(values[min(launch, len(values) - 1)])

        size = self.size if isinstance(self.size, str) else self.size[min(launch, len(self.size) - 1)]
        if size not in SIZES:
            raise ValueError(f"size {size!r} is none; sizes are {', '.join(SIZES)}")
        x, y = map(float, self.hold[min(launch, len(self.hold) - 1)])
        return Launch(
            piece=self.piece if isinstance(self.piece, str) else self.piece[min(launch, len(self.piece) - 1)],
            size=size, hold=(x, y), azimuth=at("azimuth"), speed=at("speed"), height=at("height"), slant=at("slant"),
            lift=at("lift"), askew=at("askew"), twist=at("twist"), aside=at("aside"),
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SettledLaunches(Shots):
    """The outcome of S launches over N - 1 pieces; the last column is the missile's.

    Args:
        ids: the pieces, in the order of the columns; of the missile, where it has one name.
        places: x, y, z of the middle of the base at rest [m]; of the middle of mass as it left, for a piece that is
            gone; NaN where there is none. [S, N, 3]
        attitudes: tilt, heading, roll at rest [rad] (see `table.Pyramid`); else NaN. [S, N, 3]
        fate: `UPRIGHT`, `ON_SIDE`, `LEANS`, `FELL`, `KEPT` or `ABSENT`. [S, N]
        moved: pieces that were touched or left by what bore them, so that they were not only looked at. [S, N]
        supports: what bears what moved and rests on pieces: launch, column of the piece, of what it rests on, and 1
            where its base stands on that, 0 where it leans. [M, 4]
        first: column of what the missile met first at more than 30 mm/s, `ON_TABLE` or `ON_NOTHING`. [S]
        down: when it first met anything [s]. duration: until the last piece rested or left [s]. [S]
        failed: why a launch could not be made or would not settle; "" for the others. [S]
        launches: what was asked.
    """

    ids: tuple[str, ...]
    places: Array
    attitudes: Array
    fate: npt.NDArray[np.int8]
    moved: npt.NDArray[np.bool_]
    supports: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    down: Array
    duration: Array
    failed: npt.NDArray[np.str_]
    launches: Launches = field(repr=False)

    def _fates(self) -> npt.NDArray[np.object_]:
        return in_words(self.fate, {ABSENT: FATES[ABSENT], **dict(enumerate(_FATES))})

    def _numbers(self) -> dict[tuple[str, str], Array]:
        x, y, z = np.moveaxis(self.places, -1, 0)
        tilt, heading, roll = np.moveaxis(self.attitudes, -1, 0)
        return {("x", "m"): x, ("y", "m"): y, ("z", "m"): z,
            ("tilt", "rad"): tilt, ("heading", "rad"): heading, ("roll", "rad"): roll}  # fmt: skip


def settle_launches(
    scene: PyramidScene | Sequence[PyramidScene],
    launches: Launch | Sequence[Launch] | Launches,
    settings: Settings | Sequence[Settings] | None = None,
    *,
    threads: int = 1,
    failed: Literal["raise", "mark"] = "raise",
) -> SettledLaunches:
    """Make many launches and let the table come to rest after each. One of anything serves all launches.

    Args:
        scene: over which they are made, one for all or one a launch. launches: one, many, or columns of them.
        settings: of the physics.
        threads: how many work at it; the answer is the same for any number.
        failed: "raise" at the first launch that cannot be, or "mark" it and let the others go on.

    Raises:
        BadScene: a scene cannot stand so. BadFlick: a launch is none, or cannot be; names the first and counts them.
        BadInput: shapes that do not match. Unsettled: a table would not come to rest.
    """
    scenes = (scene,) if isinstance(scene, PyramidScene) else tuple(scene)
    physics = (settings,) if isinstance(settings, Settings) else tuple(settings or (Settings(),))
    if not scenes:
        raise BadInput("no scene is given; one is needed, or one a launch")
    if isinstance(launches, Launch):
        launches = (launches,)
    asked = launches if isinstance(launches, Launches) else Launches.of(launches)
    counts = {"scenes": len(scenes), "settings": len(physics), "launches": asked.rows()}
    shots = max(counts.values())
    if any(count not in (1, shots) for count in counts.values()):
        told = ", ".join(f"{count} {name}" for name, count in counts.items())
        raise BadInput(f"{told} do not go together; give as many of each, or one for all")
    missile = asked.piece if isinstance(asked.piece, str) else "the missile"
    names: dict[str, None] = {}
    for row, one in enumerate(scenes):
        if not row or one is not scenes[row - 1]:
            names.update((piece.id, None) for piece in one.pieces)
    found = _Found(shots, {name: column for column, name in enumerate(names)})
    made = _checked(scenes, asked, found, failed)

    def chunk(rows: Sequence[int]) -> None:
        for row in rows:
            launch = made[row]
            if launch is not None:
                _one(scenes[min(row, len(scenes) - 1)], launch, physics[min(row, len(physics) - 1)], row, found)

    chunks = [range(first, min(first + CHUNK, shots)) for first in range(0, shots, CHUNK)]
    if threads > 1 and len(chunks) > 1:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(chunk, chunks))
    else:
        list(map(chunk, chunks))
    if failed == "raise":
        complain(found.why, Unsettled, "launch")
    supports = [(row, *rest) for row in sorted(found.supports) for rest in found.supports[row]]
    return SettledLaunches(
        ids=(*names, missile), places=found.places, attitudes=found.attitudes, fate=found.fate, moved=found.moved,
        supports=np.array(supports, dtype=np.int64).reshape(-1, 4), first=found.first, down=found.down,
        duration=found.duration, failed=found.why.astype(str), launches=asked,
    )  # fmt: skip


class _Found:
    """Arrays for what comes of so many launches, with room for the missile in the last column."""

    def __init__(self, shots: int, at: Mapping[str, int]) -> None:
        columns = len(at) + 1
        self.at, self.missile = at, len(at)
        self.places, self.attitudes = np.full((shots, columns, 3), np.nan), np.full((shots, columns, 3), np.nan)
        self.fate = np.full((shots, columns), ABSENT, dtype=np.int8)
        self.moved = np.zeros((shots, columns), dtype=np.bool_)
        self.first = np.full(shots, ON_NOTHING, dtype=np.int64)
        self.down, self.duration = np.full(shots, np.nan), np.full(shots, np.nan)
        self.why = np.full(shots, "", dtype=object)
        self.supports: dict[int, list[tuple[int, int, int]]] = {}
        self.standing: dict[int, tuple[PyramidScene, tuple[npt.NDArray[np.int64], Array, npt.NDArray[np.int8]]]] = {}

    def lies(self, row: int, column: int, piece: Pyramid) -> None:
        """A piece rests so after a launch."""
        self.places[row, column] = piece.x, piece.y, piece.z
        self.attitudes[row, column] = piece.tilt, piece.heading, piece.roll
        self.fate[row, column] = UPRIGHT if piece.standing else ON_SIDE if piece.on_side else LEANS

    def stands(self, row: int, scene: PyramidScene) -> None:
        """All pieces of a scene are where they were."""
        if id(scene) not in self.standing:
            for piece in scene.pieces:
                self.lies(row, self.at[piece.id], piece)
            columns = np.array([self.at[piece.id] for piece in scene.pieces], dtype=np.int64)
            poses = np.stack([self.places[row, columns], self.attitudes[row, columns]])
            self.standing[id(scene)] = scene, (columns, poses, self.fate[row, columns].copy())
            return
        columns, (places, attitudes), fate = self.standing[id(scene)][1]
        self.places[row, columns], self.attitudes[row, columns], self.fate[row, columns] = places, attitudes, fate


def _checked(
    scenes: Sequence[PyramidScene], asked: Launches, found: _Found, failed: Literal["raise", "mark"]
) -> list[Launch | None]:
    """The launches that can be made; the others are raised for, or marked."""
    for row, scene in enumerate(scenes):
        if row and scene is scenes[row - 1]:
            found.why[row] = found.why[row - 1]
        elif wrong := scene.problems():
            if failed == "raise" or len(scenes) == 1:
                raise BadScene(wrong if len(scenes) == 1 else [f"scene {row}: {one}" for one in wrong])
            found.why[row] = "; ".join(wrong)
    made: list[Launch | None] = []
    for row in range(len(found.why)):
        launch = None
        if not found.why[row]:
            try:
                launch = asked.row(row)
                found.why[row] = refused(scenes[min(row, len(scenes) - 1)], launch)
            except ValueError as impossible:
                found.why[row] = str(impossible)
        made.append(None if found.why[row] else launch)
    if failed == "raise":
        complain(found.why, BadFlick, "launch")
    return made


def _one(scene: PyramidScene, launch: Launch, settings: Settings, row: int, found: _Found) -> None:
    """Make one launch and write down what came of it."""
    free = released(scene, launch, settings)
    if not free.free:
        found.stands(row, scene)
        found.fate[row, found.missile] = KEPT
        found.down[row] = found.duration[row] = free.t
        return
    try:
        world = flown(scene, launch, free, settings)
    except Unsettled as wrong:
        found.why[row] = str(wrong)
        return
    found.stands(row, scene)
    columns = [*(found.at[piece.id] for piece in scene.pieces), found.missile]
    names = {**{piece.id: found.at[piece.id] for piece in scene.pieces}, launch.piece: found.missile}
    after = {names[piece.id]: piece for piece in world.pieces()}
    for i, middle in sorted(world.ends().items()):
        column = columns[i]
        found.moved[row, column] = True
        piece = after.get(column)
        if piece is None:
            found.places[row, column], found.attitudes[row, column], found.fate[row, column] = middle, np.nan, FELL
            continue
        found.lies(row, column, piece)
        for name in piece.rests_on:
            found.supports.setdefault(row, []).append((column, names[name], int(name in piece.stands_on)))
    i = len(scene.pieces)
    met = next(((a, b) for a, b in world.meetings() if i in (a, b)), None)
    if met is not None:
        other = met[0] if met[1] == i else met[1]
        found.first[row] = ON_TABLE if other < 0 else columns[other]
    found.down[row], found.duration[row] = min(world.met, world.time), world.time
