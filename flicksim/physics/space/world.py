"""A table with pyramids in motion: pieces in, and what became of them when all is at rest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import hypot, inf
from typing import Final, Literal

import msgspec
import numpy as np

from flicksim.base.errors import Unsettled
from flicksim.base.geometry import Point
from flicksim.physics.flight.params import zeta_from_e
from flicksim.physics.space import advance as loop
from flicksim.physics.space.bodies import (
    ASLEEP,
    AWAKE,
    CX,
    CZ,
    GONE,
    IM,
    NX,
    NZ,
    PX,
    PZ,
    QX,
    QZ,
    STATE,
    TOUCHED_T,
    VX,
    VZ,
    WX,
    WZ,
    Floats,
    body_row,
    place_all,
    set_momentum,
)
from flicksim.physics.space.contacts import AX, AZ, DX, DZ, GAP, KIND, WIDTH
from flicksim.physics.space.guard import whole
from flicksim.table.attitude import Point3, turns_of
from flicksim.table.landing import Fell, Hit, LandingEvent, Lay, Track
from flicksim.table.material import Pairing
from flicksim.table.pyramid import SURFACE, Bearing, Pyramid
from flicksim.table.pyramid_scene import TOUCH

_KNOTS: Final = 1024
_ROOM: Final = 1024
_EACH: Final = 128
"""Contacts there is room for in a step: so many for each piece, up to so many."""
_FRAME: Final = 1.0 / 120.0
"""Longest time between knots of the tracks [s]."""
_PATIENCE: Final = 3.0
"""After so long less is asked of what is to be at rest [s]."""
_LONGEST: Final = 15.0
"""Time after which what still moves never rests [s]."""
_BEARS: Final = 1e-3
"""Share of a piece's weight from which on a push bears it [-]."""
_DOWN: Final = -0.1
"""Unless it is pushed down with a larger share of that force than this [-]."""
_CLOSE: Final = 1e-5
"""Of two pieces in contact those places bear that are so near [m]; where none is, those that touch."""
_SQUARE: Final = 4e-4
"""Pieces this near to upright, or to lying on a side, are so [rad]."""
_UPRIGHT: Final = 0.8
"""And those the table alone bears, on a whole face: on their base up to here, else on a side [rad]."""
_MOVED: Final = 1e-7
"""A piece that has moved farther has moved [m]."""


@lru_cache(maxsize=4096)
def _row(piece: Pyramid) -> Floats:
    """A piece at rest as a body."""
    row = body_row(piece.shape).copy()
    side, other = piece.sides
    row[CX : CZ + 1], row[PX : PZ + 1], row[QX : QZ + 1] = piece.centre, side, other
    row[NX : NZ + 1] = piece.axis
    return row


@lru_cache(maxsize=64)
def _sides(outline: tuple[Point, ...]) -> Floats:
    """Sides of a table as the loop wants them. [E, 7]"""
    rows = []
    for i in range(len(outline)):
        (ax, ay), (bx, by) = outline[i - 1], outline[i]
        long = hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / long, (by - ay) / long
        rows.append((ax, ay, ux, uy, uy, -ux, long))
    return np.array(rows)


@lru_cache(maxsize=64)
def _materials(table: Pairing, piece: Pairing) -> Floats:
    """Damping ratio and friction of a piece on the table and on a piece. [2, 2]"""
    return np.array([(zeta_from_e(pair.restitution), pair.friction) for pair in (table, piece)])


class World:
    """Pyramids on a table, at rest until thrown, touched or left by what bore them.

    Args:
        pieces: no two with the same id. outline: of the table, counter-clockwise [m].
        table, piece: how a piece meets the table and another piece. gravity: [m/s^2].
        begin: the time at which the clock stands [s].
    """

    def __init__(
        self, pieces: Sequence[Pyramid], outline: tuple[Point, ...], table: Pairing, piece: Pairing, gravity: float,
        begin: float = 0.0,
    ) -> None:  # fmt: skip
        self._pieces, self._gravity = list(pieces), gravity
        self._index = {one.id: i for i, one in enumerate(pieces)}
        many = len(pieces)
        room = min(_ROOM, _EACH * many)
        self._bodies = b = np.array([_row(one) for one in pieces]).reshape(many, -1)
        self._run = r = loop.run_of(many, _sides(outline), room, max(_KNOTS, 8 * many))
        place_all(b, r.corners, r.walls, r.edges)
        self._contacts = np.zeros((room, WIDTH))
        self._materials = _materials(table, piece)
        clock = r.clock
        clock[loop.TIME], clock[loop.NEXT], clock[loop.SCALE], clock[loop.LATELY] = begin, begin, 1.0, loop.HARD
        clock[loop.EVERY], clock[loop.PATIENCE], clock[loop.MET] = _FRAME, begin + _PATIENCE, inf
        clock[loop.T_MAX], clock[loop.UNIT] = begin + _LONGEST, 1.0 / float(b[:, IM].max(initial=1e-9))
        r.tally[loop.THROWN] = -1
        for one in pieces:
            if one.laid:
                self.wake(one.id)
        self._knots: list[Floats] = []
        self._hits: list[Floats] = []
        self._ends: dict[int, Floats] = {}

    def throw(self, name: str, velocity: Point3, spin: Point3) -> None:
        """A piece leaves where it is with a velocity [m/s] and an angular velocity [rad/s]."""
        b, i = self._bodies, self._index[name]
        b[i, VX : VZ + 1], b[i, WX : WZ + 1] = velocity, spin
        set_momentum(b, i)
        self._run.tally[loop.THROWN] = i
        self.wake(name)

    def wake(self, name: str) -> None:
        """A piece, and all that touch it, move as they must."""
        i = self._index[name]
        if self._bodies[i, STATE] == ASLEEP:
            loop.wake(self._bodies, self._run, self._contacts, 0, i, self._gravity)

    def take(self, name: str) -> None:
        """A piece is picked up; what touched it is awake."""
        self.wake(name)
        self._bodies[self._index[name], STATE] = GONE
        loop.call_roll(self._bodies, self._run)

    def run(self) -> None:
        """Go on until everything rests or is gone.

        Raises:
            Unsettled: it would not; names what still moves.
        """
        r, b = self._run, self._bodies
        r.clock[loop.LEAST] = whole(b, r.roster[: r.tally[loop.UP]], self._gravity) / r.clock[loop.UNIT]
        why = loop.FULL
        while why == loop.FULL:
            why = loop.advance(b, r, self._contacts, self._materials, self._gravity)
            self._knots.append(r.knots[: r.tally[loop.KNOTS]].copy())
            self._hits.append(r.hits[: r.tally[loop.HITS]].copy())
            r.tally[loop.KNOTS] = r.tally[loop.HITS] = 0
        late = np.concatenate(self._knots)[::-1]
        self._ends = {int(late[at, 1]): late[at, 2:5] for at in np.unique(late[:, 1], return_index=True)[1]}
        if why == loop.LATE:
            names = ", ".join(repr(one.id) for one in self._pieces if b[self._index[one.id], STATE] == AWAKE)
            raise Unsettled(f"after {self.time:.1f} s {names} still moved")

    @property
    def time(self) -> float:
        """Now [s]."""
        return float(self._run.clock[loop.TIME])

    @property
    def met(self) -> float:
        """Time at which the piece that was thrown first met anything [s]; inf when it never has."""
        return float(self._run.clock[loop.MET])

    @property
    def steps(self) -> int:
        """The number of steps it has taken."""
        return int(self._run.tally[loop.STEPS])

    @property
    def gained(self) -> float:
        """The most by which energy ever stood above the least it had been before, over the lightest mass [J/kg]."""
        return float(self._run.clock[loop.GAIN])

    def tracks(self) -> tuple[Track, ...]:
        """Paths of everything that was ever awake."""
        rows = np.concatenate(self._knots)
        rows = rows[np.argsort(rows[:, 1], kind="stable")]
        turns = turns_of(rows[:, 5:8], rows[:, 8:11])
        found, end = [], 0
        for i, piece in enumerate(self._pieces):
            first, end = end, int(np.searchsorted(rows[:, 1], i, side="right"))
            if end > first:
                gone = bool(self._bodies[i, STATE] == GONE)
                times, middles = rows[first:end, 0], rows[first:end, 2:5]
                found.append(Track(id=piece.id, times=times, middles=middles, turns=turns[first:end], gone=gone))
        return tuple(found)

    def ends(self) -> dict[int, Floats]:
        """Places of the middles of all that was ever awake when they came to rest, or left the table [m]."""
        return self._ends

    def meetings(self) -> list[tuple[int, int]]:
        """The pairs that met, by their numbers, in order; -1 is the table."""
        return [(int(row[1]), int(row[2])) for rows in self._hits for row in rows]

    def events(self, tracks: Sequence[Track]) -> list[LandingEvent]:
        """Meetings, and what fell off the table or came to lie anew."""
        found: list[LandingEvent] = []
        for t, i, j, x, y, z, speed in np.concatenate(self._hits).tolist():
            name, on = self._pieces[int(i)].id, SURFACE if j < 0 else self._pieces[int(j)].id
            found.append(Hit(t=t, piece=name, on=on, point=(x, y), height=max(0.0, z), speed=speed))
        for track in tracks:
            t, (x, y, _) = float(track.times[-1]), track.middles[-1].tolist()
            if track.gone:
                found.append(Fell(t=t, piece=track.id, point=(x, y)))
            elif np.abs(track.middles - track.middles[0]).max() > _MOVED:
                found.append(Lay(t=t, piece=track.id, point=(x, y)))
        return found

    def pieces(self) -> tuple[Pyramid, ...]:
        """Everything still on the table, where it has come to rest and on what."""
        return tuple(
            self._rested(i) if i in self._ends else piece
            for i, piece in enumerate(self._pieces)
            if self._bodies[i, STATE] != GONE
        )

    def _rested(self, i: int) -> Pyramid:
        """Piece `i` as it lies, on what."""
        row, piece = self._bodies[i], self._pieces[i]
        (x, y, z), side, axis = (tuple(row[at : at + 3].tolist()) for at in (CX, PX, NX))
        bare = piece.borne(()) if piece.bearings or piece.rests_on else piece
        bearings: tuple[Bearing, ...] = ()
        flat = loop.firm(self._bodies, self._run, i)
        if not flat or (self._run.seen[i, 1:] >= self._late(i)).any():
            bearings = self._bearings(i)
            flat = flat and not any(one.on != SURFACE for one in bearings)
        now = bare.posed((x, y, z), side, axis)
        if now.tilt < (_UPRIGHT if flat else _SQUARE):
            now = msgspec.structs.replace(now, tilt=0.0, heading=now.heading + now.roll, roll=0.0)
        elif flat or (abs(now.tilt - now.shape.lying) < _SQUARE and abs(now.roll) < _SQUARE):
            now = msgspec.structs.replace(now, tilt=now.shape.lying, roll=0.0)
        if flat:
            now, bearings = msgspec.structs.replace(now, z=now.z - now.lowest), ()
        kept = msgspec.structs.replace(
            now, x=round(now.x, 9), y=round(now.y, 9), z=round(now.z, 9), heading=round(now.heading, 9),
            roll=round(now.roll, 9), tilt=now.tilt if now.standing or now.on_side else round(now.tilt, 9),
        )  # fmt: skip
        return kept.borne(bearings) if bearings else kept

    def _late(self, i: int) -> float:
        """Since when what has touched piece `i` holds it yet [s]."""
        return max(0.0, float(self._bodies[i, TOUCHED_T]) - loop.LINGER)

    def _bearings(self, i: int) -> tuple[Bearing, ...]:
        """The contacts that bear piece `i`: those with all that has pushed it of late, unless it is pushed down.

        Where that leaves the table alone, and the table alone cannot hold it so, what pushes it down holds it: a wall
        that overhangs keeps a piece from falling back onto its base.
        """
        b, r = self._bodies, self._run
        weight, late = self._gravity / b[i, IM], self._late(i)
        found, down = [], []
        for j in (np.flatnonzero(r.seen[i] >= late) - 1).tolist():
            fx, fy, fz = r.force[i, j + 1].tolist()
            size = hypot(fx, fy, fz)
            if size >= _BEARS * weight and fz >= _DOWN * size:
                found += self._touching(i, j)
            elif j >= 0:
                down += self._touching(i, j)
        if not any(one.on != SURFACE for one in found) and not loop.firm(b, r, i):
            found += down
        return tuple(found)

    def _touching(self, i: int, j: int) -> list[Bearing]:
        """Contacts of piece `i` with piece `j`, or with the table."""
        k = self._contacts
        for margin in (_CLOSE, TOUCH):
            count, _ = loop.touching(self._bodies, self._run, i, j, k, 0, margin)
            if count > 0:
                break
        sign = 1.0 if j < 0 or i < j else -1.0
        on = SURFACE if j < 0 else self._pieces[j].id
        found = []
        for row in k[:count].tolist():
            x, y, z = row[AX : AZ + 1]
            nx, ny, nz = row[DX : DZ + 1]
            found.append(
                Bearing(
                    on=on, part=_part(int(row[KIND]), sign > 0.0), gap=round(row[GAP], 9),
                    at=(round(x, 9), round(y, 9), round(z, 9)),
                    normal=(round(sign * nx, 9), round(sign * ny, 9), round(sign * nz, 9)),
                )
            )  # fmt: skip
        return found


def _part(kind: int, first: bool) -> Literal["base", "hollow", "side"]:
    """Part of a piece at a contact of that kind: of the first piece of the contact, or of the second."""
    if kind >= 256:
        edge = (kind - 256) // 16 if first else kind % 16
        return "base" if edge < 4 else "side" if edge < 8 else "hollow"
    corner, wall = kind % 128 // 16, kind % 16
    if first == (kind < 128):
        return "base" if corner < 4 else "side"
    return "side" if wall < 4 else "base" if wall == 4 else "hollow"
