"""Many squidges at once: `settle_many` where winks lie on a mat.

A wink that is alone in motion flies in the compiled loop (see `lone`); a shot in which others have a part is settled
by itself, as `settle` does it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from flicksim.base.errors import BadFlick, BadInput, FlicksimError, Unsettled
from flicksim.base.geometry import inside
from flicksim.physics.batch import lone
from flicksim.physics.batch.asking import check_scenes, complain, length
from flicksim.physics.batch.flicks import Array, Squidges, column
from flicksim.physics.batch.laying import board_of, columns_of, rings_of, same_surface
from flicksim.physics.batch.outcome import ABSENT, FATES, GONE, RESTS, Shots, in_words
from flicksim.physics.batch.rounding import keep
from flicksim.physics.batch.tables import SETTLED, SKIPPED
from flicksim.physics.flight import FELT, POT, Status
from flicksim.physics.flight import advance as loop
from flicksim.physics.flight.apart import LAID
from flicksim.physics.flight.bodies import COLUMNS, CX, CZ, HALF, IM, NX, NZ, RADIUS, STATE, bodies
from flicksim.physics.flight.bodies import GONE as NOT_THERE
from flicksim.physics.plan import foot_radius
from flicksim.physics.settings import Settings
from flicksim.physics.squidge import (
    DEADENING,
    LEVEL_REST,
    STILL,
    cup_of,
    deadened,
    lying,
    normal_of,
    params_of,
    settle_squidge,
    winks_of,
)
from flicksim.physics.strike import squidged
from flicksim.table.motion import Crossed, Landed, Left, Motion, Touched
from flicksim.table.pile import flat
from flicksim.table.scene import Scene

UNTOLD: Final = 2
"""Fate of a wink that was followed no further than was asked."""
SUPPORTS: Final = ("surface", "leaning", "pot", "rim")
"""Supports of a wink, by the numbers in `SettledMats.support`."""
_RESTS_ON: Final = ("rests", "leans", "in the pot", "on the rim")
NOTHING: Final = -3
"""In place of a wink: nothing was touched."""
CHUNK: Final = 64
"""Shots a thread takes at once."""

_STATUS: Final = (Status.FLAT, Status.LEANING, Status.ON_EDGE, Status.POTTED, Status.ON_RIM, Status.LEFT)
_SUPPORT_OF: Final = np.array([0, 1, 0, 2, 3, 0, 0], np.int8)
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
T = TypeVar("T")
Until = Literal["rest", "potted", "verdict"]
_GOALS: Final[dict[Until, int]] = {"rest": loop.TO_GLIDE, "potted": loop.TO_POTTED, "verdict": loop.TO_VERDICT}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SettledMats(Shots):
    """The outcome of S squidges on mats with N winks.

    Args:
        ids: the winks, in the order of the columns.
        places: x, y, z of the middle of each at rest [m], to the nanometre; where it left, for one that is gone; NaN
            where it never was or was not followed so far. [S, N, 3]
        normals: unit normal of the side that was up, likewise. [S, N, 3]
        fate: of each, `RESTS`, `GONE`, `ABSENT` or `UNTOLD`. [S, N]
        support: what each rests on, a place in `SUPPORTS`. [S, N]
        lies_on: which lies on which. [S, N, N]
        moved: winks that rest elsewhere than before. [S, N]
        potted: whether the wink squidged rests in the pot or on its rim. [S]
        first: column of the wink squidged, and of what it touched first: a wink, or FELT or POT; -3 for nothing. [S, 2]
        landing: where the wink squidged first came down [m]; NaN where it did not. [S, 2]
        met: winks that met each other. [S, N, N]
        crossed: how often the middle of each crossed each line. [S, N, L]
        lines: names of the L lines.
        duration: until all rested or was gone, or it was sure what was asked [s]. [S]
        failed: why a shot could not be made or would not settle; "" for the others. [S]
        by_itself: shots in which other winks had a part, or the pot's foot; they were settled one by one. [S]
        scenes, flicks: what was asked.
    """

    ids: tuple[str, ...]
    places: Array
    normals: Array
    fate: npt.NDArray[np.int8]
    support: npt.NDArray[np.int8]
    lies_on: Bools
    moved: Bools
    potted: Bools
    first: Ints
    landing: Array
    met: Bools
    crossed: Ints
    lines: tuple[str, ...]
    duration: Array
    failed: npt.NDArray[np.str_]
    by_itself: Bools
    scenes: tuple[Scene, ...] = field(repr=False)
    flicks: Squidges = field(repr=False)
    _how: Ints = field(repr=False)
    _after: dict[int, Scene] = field(repr=False)

    def _fates(self) -> npt.NDArray[np.object_]:
        words = in_words(self.fate, {**FATES, UNTOLD: "untold"})
        on = in_words(self.support, dict(enumerate(_RESTS_ON)))
        words[self.fate == RESTS] = on[self.fate == RESTS]
        return words

    def _numbers(self) -> dict[tuple[str, str], Array]:
        x, y, z = np.moveaxis(self.places, -1, 0)
        return {("x", "m"): x, ("y", "m"): y, ("z", "m"): z}

    def after(self, shot: int) -> Scene:
        """The mat as it lies after a shot.

        Raises:
            BadInput: the shot failed, was not followed so far, or there is none of that number.
        """
        shot = self.row(shot)
        if self.failed[shot]:
            raise BadInput(f"shot {shot} failed: {self.failed[shot]}")
        if (self.fate[shot] == UNTOLD).any():
            raise BadInput(f"shot {shot} was followed no further than was asked; ask with until='rest'")
        if shot in self._after:
            return self._after[shot]
        scene, name = self.scenes[min(shot, len(self.scenes) - 1)], self.flicks.row(shot).piece
        k = self.ids.index(name)
        if self.fate[shot, k] == GONE:
            return scene.without(name)
        status = _STATUS[self._how[shot]]
        return scene.with_piece(
            lying(scene.piece(name), self.places[shot, k].tolist(), self.normals[shot, k].tolist(), status, ())
        )


class Mats:
    """Mats made ready for squidges.

    Args:
        scenes, settings: as many of each, or one of either for all; all on one surface.
        ids: the winks, a column each.
    """

    def __init__(self, scenes: Sequence[Scene], settings: Sequence[Settings], ids: Sequence[str]) -> None:
        self.scenes, self.settings, self.ids = tuple(scenes), tuple(settings), tuple(ids)
        rings = rings_of(scenes)
        self.board = board_of(scenes[0], rings)
        at: dict[tuple[int, int], int] = {}
        pairs = [
            (scenes[min(row, len(scenes) - 1)], settings[min(row, len(settings) - 1)])
            for row in range(max(len(scenes), len(settings)))
        ]
        self.kit_of = np.array([at.setdefault((id(one), id(other)), len(at)) for one, other in pairs], dtype=np.int64)
        first = {kit: row for row, kit in reversed(list(enumerate(self.kit_of.tolist())))}
        self._pairs = [pairs[first[kit]] for kit in range(len(at))]
        self.kits = _kits(self._pairs, self.ids, rings)
        self.lines = tuple(line.name for line in scenes[0].surface.lines)
        self.support = np.zeros((len(at), len(ids)), np.int8)
        self.lies_on = np.zeros((len(at), len(ids), len(ids)), np.bool_)
        column_of = {name: k for k, name in enumerate(ids)}
        for kit, (scene, _) in enumerate(self._pairs):
            for piece in scene.pieces:
                k = column_of[piece.id]
                self.support[kit, k] = SUPPORTS.index(piece.support)
                for lower in piece.lies_on:
                    if lower in column_of:
                        self.lies_on[kit, k, column_of[lower]] = True

    def motions(self, piece: Ints, kit: Ints, flicks: Squidges, at: Array) -> lone.Shot:
        """The squidges as the loop reads them: these winks on these mats."""
        shots = len(piece)
        # copies, for a view cannot be written to, and the loop would be compiled anew for each column that is one
        speed, azimuth, elevation, tumble = (np.array(column(getattr(flicks, name), shots)) for name in _MOTION)
        rows = self.kits.bodies[kit, piece]
        v, spin = np.zeros((shots, 3)), np.zeros((shots, 3))
        n = np.ascontiguousarray(rows[:, NX : NZ + 1])
        radius, half = np.ascontiguousarray(rows[:, RADIUS]), np.ascontiguousarray(rows[:, HALF])
        lone.launched(n, radius, half, speed, azimuth, elevation, tumble, v, spin)
        return lone.Shot(kit=kit, piece=piece, at=at, v=v, spin=spin)

    def fly(self, shot: lone.Shot, skip: Bools, *, until: Until, threads: int) -> lone.Flown:
        """Make the shots but those to be skipped."""
        shots = len(shot.piece)
        flown = lone.Flown(
            centre=np.full((shots, 3), np.nan), normal=np.full((shots, 3), np.nan), how=np.full(shots, -1, np.int64),
            time=np.full(shots, np.nan), first=np.zeros(shots, np.int64), landing=np.full((shots, 2), np.nan),
            crossed=np.zeros((shots, len(self.board.lines)), np.int64), why=np.where(skip, SKIPPED, 0),
        )  # fmt: skip
        goal = _GOALS[until] if len(self.kits.pot) else loop.TO_GLIDE

        def chunk(first: int) -> None:
            lone.shoot(first, min(first + CHUNK, shots), goal, self.kits, shot, self.board, flown)

        shared_out(chunk, range(0, shots, CHUNK), threads)
        return flown

    def settle(
        self, scenes: Sequence[Scene], settings: Sequence[Settings], names: npt.NDArray[np.object_], kit: Ints,
        flicks: Squidges, why: npt.NDArray[np.object_], *, at: Array | None = None, threads: int = 1,
        until: Until = "rest", failed: Literal["raise", "mark"] = "mark",
    ) -> SettledMats:  # fmt: skip
        """Make many squidges (see `settle_mats`).

        Args:
            scenes, settings: one a shot, or one for all.
            names: of the winks squidged. kit: which of these mats each shot is made on. [S]
            at: where the winks lie in its scene [m], where that is not as on its mat. [S, N, 2]
            why: why a shot cannot be made; "" for the others. [S]
        """
        shots = len(why)
        piece, free = _pieces(self, names, kit, why)
        if failed == "raise":
            complain(why, BadFlick)
        able = np.asarray(why == "")
        shot = self.motions(piece, kit, flicks, np.zeros((shots, 0, 2)) if at is None else at)
        for row in np.flatnonzero(able & (np.abs(self.kits.bodies[kit, piece, NZ]) < 1.0)).tolist():
            top = _of(scenes, row).piece(names[row])
            shot.v[row], shot.spin[row] = squidged(top, normal_of(top), flicks.row(row))
        flown = self.fly(shot, ~(able & free), until=until, threads=threads)
        again = able & (~free | (flown.why != SETTLED))
        found = _told(self, shot, flown, able & ~again, until)
        after: dict[int, Scene] = {}

        def by_itself(row: int) -> None:
            squidge = msgspec.structs.replace(flicks.row(row), start=None)
            try:
                motion = settle_squidge(_of(scenes, row), squidge, _of(settings, row))
            except FlicksimError as wrong:
                why[row] = str(wrong)
            else:
                after[row] = motion.after
                _fill(found, row, motion, self.ids, self.lines)

        shared_out(by_itself, np.flatnonzero(again).tolist(), threads)
        if failed == "raise":
            complain(why, Unsettled)
        found["places"][why != ""] = found["normals"][why != ""] = np.nan
        found["fate"][why != ""] = ABSENT
        return SettledMats(
            ids=self.ids, lines=self.lines, failed=why.astype(str), by_itself=again, scenes=tuple(scenes),
            flicks=flicks, _how=flown.how, _after=after, **found,
        )  # fmt: skip


_MOTION: Final = ("speed", "azimuth", "elevation", "tumble")


def shared_out(work: Callable[[int], None], parts: Sequence[int], threads: int) -> None:
    """Have threads do all parts of some work."""
    if threads > 1 and len(parts) > 1:
        with ThreadPoolExecutor(threads) as pool:
            for _ in pool.map(work, parts):
                pass
    else:
        for part in parts:
            work(part)


def _kits(pairs: Sequence[tuple[Scene, Settings]], ids: tuple[str, ...], rings: list[float]) -> lone.Kits:
    """These scenes with these settings, as the loop reads them.

    Raises:
        BadScene: materials the table of pairings does not know.
    """
    count, column_of = len(ids), {name: k for k, name in enumerate(ids)}
    rows, surface = len(pairs), pairs[0][0].surface
    cup = cup_of(surface.pot)
    made = lone.Kits(
        bodies=np.zeros((rows, count, COLUMNS)), pairs=np.zeros((rows, count, count, 5)),
        materials=np.zeros((rows, len(DEADENING), 3, 4)), numbers=np.zeros((rows, 4)), unit=np.ones(rows),
        pull=np.zeros((rows, count)), contact=np.zeros((rows, count), np.int64), foot=np.zeros((rows, count)),
        gentle=np.zeros(rows), longest=np.zeros(rows), every=np.zeros(rows),
        pot=np.zeros(0) if cup is None else cup.numbers(), edge=np.array(surface.outline, dtype=np.float64),
    )  # fmt: skip
    made.bodies[:, :, STATE], made.bodies[:, :, IM] = NOT_THERE, 1.0
    for row, (scene, settings) in enumerate(pairs):
        if not scene.pieces:
            continue
        params, winks = params_of(scene, settings), winks_of(scene)
        drag = params.drag_rate(winks.R, winks.h, winks.mass)
        at = [column_of[piece.id] for piece in scene.pieces]
        made.bodies[row, at] = bodies(winks.c, winks.v, winks.n, winks.L, winks.R, winks.h, winks.mass, drag)
        for piece in scene.pieces:
            for lower in piece.lies_on:
                if lower in column_of:
                    a, b = sorted((column_of[piece.id], column_of[lower]))
                    made.pairs[row, a, b, LAID] = 1.0
        for q, more in enumerate(DEADENING):
            made.materials[row, q] = deadened(params, more).materials()
        made.numbers[row], made.unit[row] = params.numbers(), winks.mass.min()
        for k, piece in zip(at, scene.pieces, strict=True):
            grip = settings.pairings.of(piece.material, surface.material).friction
            made.pull[row, k], made.contact[row, k] = grip * settings.gravity, rings.index(piece.ring)
            if surface.pot is not None:
                made.foot[row, k] = piece.radius + foot_radius(surface.pot, piece.thickness)
        made.gentle[row], made.longest[row] = settings.gentle, settings.max_flight
        made.every[row] = settings.frame / 4.0 if surface.lines else 0.0
    return made


def settle_mats(
    scenes: Sequence[Scene], flicks: Squidges, settings: Sequence[Settings], *, threads: int = 1,
    until: Until = "rest", failed: Literal["raise", "mark"] = "raise", checked: bool = False,
) -> SettledMats:  # fmt: skip
    """`settle_many` for squidges.

    Args:
        until: "verdict" follows a shot only until it is sure whether the wink is potted; "potted" follows to rest
            those alone that are not.
        checked: the scenes are known to be possible.
    """
    shots = length(scenes, settings, flicks)
    same_surface(scenes)
    why = np.full(shots, "", dtype=object)
    if not checked:
        check_scenes(scenes, why, failed)
    names = np.broadcast_to(np.array([flicks.piece] if isinstance(flicks.piece, str) else flicks.piece, object), shots)
    for wrong, says in flicks.problems(shots):
        why[wrong & (why == "")] = says
    ids = columns_of(scenes)
    scenes = _started(tuple(scenes), names, flicks, why)
    mats = Mats(scenes, settings, ids)
    kit = np.array(np.broadcast_to(mats.kit_of, shots))
    return mats.settle(scenes, settings, names, kit, flicks, why, threads=threads, until=until, failed=failed)


def _of(many: Sequence[T], row: int) -> T:
    """The one of these for a shot: its own, or the one for all."""
    return many[row if len(many) > 1 else 0]


def _started(
    scenes: tuple[Scene, ...], names: npt.NDArray[np.object_], flicks: Squidges,
    why: npt.NDArray[np.object_],
) -> tuple[Scene, ...]:  # fmt: skip
    """The mats with winks put where they start; what cannot be is noted in `why`."""
    if flicks.start is None:
        return scenes
    found = []
    for row, name in enumerate(names.tolist()):
        scene, start = _of(scenes, row), flicks.start[min(row, len(flicks.start) - 1)].tolist()
        found.append(scene)
        if why[row] or not scene.has(name) or start[0] != start[0]:
            continue
        if not inside((start[0], start[1]), scene.surface.outline):
            why[row] = "the start is off the surface"
            continue
        found[-1] = scene.with_piece(flat(scene.piece(name), (start[0], start[1])))
        if any(repr(name) in one for one in found[-1].problems()):
            why[row] = "the start overlaps another piece"
    return tuple(found)


def _pieces(mats: Mats, names: npt.NDArray[np.object_], kit: Ints, why: npt.NDArray[np.object_]) -> tuple[Ints, Bools]:
    """Columns of the winks squidged, and which of them lie on none and under none; absent ones are noted in `why`."""
    if not mats.ids:
        raise BadFlick("no wink lies on the mat, so none can be squidged")
    at = {name: k for k, name in enumerate(mats.ids)}
    piece = np.array([at.get(name, -1) for name in names], dtype=np.int64)
    absent = (piece < 0) | (mats.kits.bodies[kit, piece, STATE] == NOT_THERE)
    known = ", ".join(map(repr, mats.ids)) or "none"
    for row in np.flatnonzero(absent & (why == "")):
        why[row] = f"there is no piece {names[row]!r} to flick; pieces on the table: {known}"
    piece[absent] = 0
    lying_on = mats.lies_on[kit, piece].any(axis=1) | mats.lies_on[kit, :, piece].any(axis=1)
    return piece, np.asarray(~lying_on)


def _told(mats: Mats, shot: lone.Shot, flown: lone.Flown, alone: Bools, until: Until) -> dict[str, Any]:
    """The findings of the compiled loop, of the shots that it made, as `SettledMats` has it."""
    shots, count = len(shot.piece), len(mats.ids)
    rows, kit, piece = np.arange(shots), shot.kit, shot.piece
    before = mats.kits.bodies[kit]
    places, normals = before[:, :, CX : CZ + 1].copy(), before[:, :, NX : NZ + 1].copy()
    there = before[:, :, STATE] != NOT_THERE
    fate = np.where(there, RESTS, ABSENT).astype(np.int8)
    places[~there] = normals[~there] = np.nan
    if shot.at.shape[1]:
        put = ~np.isnan(shot.at)
        places[:, :, :2][put] = shot.at[put]
    support, moved = mats.support[kit].copy(), np.zeros((shots, count), np.bool_)
    own, turned = places[rows, piece], normals[rows, piece]
    left = alone & (flown.how == lone.LEFT)
    untold = alone & ((until == "verdict") | ((until == "potted") & (flown.how == lone.IN_POT)))
    rests = alone & ~left & ~untold
    tilt = np.arccos(np.minimum(1.0, np.abs(flown.normal[:, 2])))
    off = np.abs(flown.centre - own).max(axis=1)
    same = (off < STILL) & (np.abs(tilt - np.arccos(np.minimum(1.0, np.abs(turned[:, 2])))) < 1e-4)
    stirred = rests & ~same
    level = stirred & (tilt < LEVEL_REST) & (_SUPPORT_OF[flown.how] == 0)
    end = flown.centre.copy()
    end[level, 2] = before[rows, piece, HALF][level]
    keep(end, stirred, mats.scenes[0].surface)
    end[left, 2] = np.nan
    own[stirred | left], turned[stirred | left] = end[stirred | left], flown.normal[stirred | left]
    places[rows, piece], normals[rows, piece] = own, turned
    moved[rows, piece] = stirred
    support[rows[stirred], piece[stirred]] = _SUPPORT_OF[flown.how[stirred]]
    fate[rows[left], piece[left]] = GONE
    fate[rows[untold], piece[untold]] = UNTOLD
    places[rows[untold], piece[untold]] = normals[rows[untold], piece[untold]] = np.nan
    crossed = np.zeros((shots, count, len(mats.lines)), np.int64)
    crossed[rows[alone], piece[alone]] = flown.crossed[alone]
    first = np.stack([piece, np.where(flown.first < 0, flown.first, NOTHING)], axis=1)
    return {
        "places": places, "normals": normals, "fate": fate, "support": support, "lies_on": mats.lies_on[kit].copy(),
        "moved": moved, "potted": alone & ((flown.how == lone.IN_POT) | (flown.how == lone.ON_RIM)), "first": first,
        "landing": flown.landing, "met": np.zeros((shots, count, count), np.bool_), "crossed": crossed,
        "duration": flown.time,
    }  # fmt: skip


def _fill(found: dict[str, Any], row: int, motion: Motion, ids: tuple[str, ...], lines: tuple[str, ...]) -> None:
    """Write what came of a shot made by itself into its row."""
    at = {name: k for k, name in enumerate(ids)}
    name = motion.flick.piece
    found["lies_on"][row], found["landing"][row] = False, np.nan
    for piece in motion.after.pieces:
        k, was = at[piece.id], motion.before.piece(piece.id)
        up = 1.0 if piece.face == was.face else -1.0
        found["places"][row, k] = piece.x, piece.y, piece.height
        found["normals"][row, k] = [up * part for part in normal_of(piece)]
        found["moved"][row, k] = piece != was
        found["support"][row, k] = SUPPORTS.index(piece.support)
        for lower in piece.lies_on:
            found["lies_on"][row, k, at[lower]] = True
    found["potted"][row] = motion.after.has(name) and motion.after.piece(name).support in ("pot", "rim")
    found["duration"][row], first = motion.duration, NOTHING
    for event in motion.events:
        match event:
            case Touched(piece=one, other=other):
                found["met"][row, at[one], at[other]] = found["met"][row, at[other], at[one]] = True
                if name in (one, other) and first == NOTHING:
                    first = at[other if one == name else one]
            case Landed(piece=one, on=on, point=point) if one == name:
                if first == NOTHING:
                    first = {"surface": FELT, "pot": POT}.get(on, at.get(on, NOTHING))
                if np.isnan(found["landing"][row, 0]):
                    found["landing"][row] = point
            case Crossed(piece=one, line=line):
                found["crossed"][row, at[one], lines.index(line)] += 1
            case Left(piece=one, point=(x, y)):
                found["places"][row, at[one]], found["fate"][row, at[one]] = (x, y, np.nan), GONE
            case _:
                pass
    found["first"][row] = at[name], first
