"""Interface of the 3D pyramid simulation: pieces in; resting poses, tracks and events out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import hypot, inf
from typing import Final, Literal

import msgspec
import numpy as np

from flicksim.core.errors import DidNotSettle
from flicksim.core.geometry import Point
from flicksim.engine.pyramids import bodies as P
from flicksim.engine.pyramids import integrator as loop
from flicksim.engine.pyramids import recorder as R
from flicksim.engine.pyramids.bodies import make_body_row, update_all_vertices, update_angular_momentum
from flicksim.engine.pyramids.broadphase import find_contacts_between, list_awake, wake
from flicksim.engine.pyramids.contact_solver import CONTACT_COLUMNS, HARD_APPROACH
from flicksim.engine.pyramids.sleeping import CONTACT_LINK_TIME, is_stable
from flicksim.engine.rigid_bodies import bodies as B
from flicksim.engine.rigid_bodies import contacts as C
from flicksim.engine.rigid_bodies.bodies import Floats, total_energy
from flicksim.engine.winks.params import damping_from_restitution
from flicksim.scene.launch_trajectory import LaunchEvent, PyramidCameToRest, PyramidCollision, PyramidLeftSurface, Track
from flicksim.scene.material import Pairing
from flicksim.scene.orientation import Point3, quaternions_from_axes
from flicksim.scene.pyramid import SURFACE_ID, Pyramid, SupportContact
from flicksim.scene.pyramid_scene import TOUCH_TOLERANCE

_KEYFRAME_ROWS: Final = 1024
_MAX_CONTACTS: Final = 1024
_CONTACTS_PER_PIECE: Final = 128
"""Capacity for contacts in a step: per piece, and in all."""
_KEYFRAME_INTERVAL: Final = 1.0 / 120.0
"""Time between keyframes of the tracks [s]."""
_RELAX_AFTER: Final = 3.0
"""Time after which the tolerances of rest grow [s]."""
_MAX_TIME: Final = 15.0
"""Time limit [s]."""
_MIN_SUPPORT_SHARE: Final = 1e-3
"""Smallest contact force that supports a piece, over its weight [-]."""
_MAX_DOWNWARD_SHARE: Final = -0.1
"""Smallest vertical share of a supporting force [-]."""
_SUPPORT_GAP: Final = 1e-5
"""Largest gap of a supporting contact of two pieces [m]; if there is none, `TOUCH_TOLERANCE`."""
_SNAP_ANGLE: Final = 4e-4
"""Angle within which a pose is snapped to upright or to flat on a side [rad]."""
_MAX_UPRIGHT_TILT: Final = 0.8
"""Tilt below which a piece resting stably on the table alone is on its base, and above on a side [rad]."""
_MOVE_TOLERANCE: Final = 1e-7
"""Displacement above which a piece counts as moved [m]."""


@lru_cache(maxsize=4096)
def _body_row(piece: Pyramid) -> Floats:
    """Body row of a piece at rest. [BODY_COLUMNS]"""
    row = make_body_row(piece.shape).copy()
    row[B.CX : B.CZ + 1], row[B.NX : B.NZ + 1] = piece.centre_of_mass, piece.axis
    row[P.SIDE_X : P.SIDE_Z + 1], row[P.SIDE2_X : P.SIDE2_Z + 1] = piece.base_axes
    return row


@lru_cache(maxsize=64)
def _outline_rows(outline: tuple[Point, ...]) -> Floats:
    """Sides of a table as in `RunState.outline`. [E, 7]"""
    rows = []
    for i in range(len(outline)):
        (ax, ay), (bx, by) = outline[i - 1], outline[i]
        long = hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / long, (by - ay) / long
        rows.append((ax, ay, ux, uy, uy, -ux, long))
    return np.array(rows)


@lru_cache(maxsize=64)
def _materials(table: Pairing, piece: Pairing) -> Floats:
    """Damping ratio and friction of a piece with the table and with a piece. [2, 2]"""
    return np.array([(damping_from_restitution(pair.restitution), pair.friction) for pair in (table, piece)])


class PyramidWorld:
    """Pyramids on a table, asleep until thrown, touched or no longer supported.

    Args:
        pieces: with unique ids. outline: of the table, counter-clockwise [m].
        table, piece: contact materials of a piece with the table and with another piece. gravity: [m/s^2].
        begin: initial time [s]. max_time: limit of time, if earlier than that of every world [s].
    """

    def __init__(
        self, pieces: Sequence[Pyramid], outline: tuple[Point, ...], table: Pairing, piece: Pairing, gravity: float,
        begin: float = 0.0, max_time: float = inf,
    ) -> None:  # fmt: skip
        self._pieces, self._gravity = list(pieces), gravity
        self._index = {one.id: i for i, one in enumerate(pieces)}
        many = len(pieces)
        room = min(_MAX_CONTACTS, _CONTACTS_PER_PIECE * many)
        self._bodies = b = np.array([_body_row(one) for one in pieces]).reshape(many, -1)
        self._state = r = R.make_run_state(many, _outline_rows(outline), room, max(_KEYFRAME_ROWS, 8 * many))
        update_all_vertices(b, r.corners, r.walls, r.edges)
        self._contacts = np.zeros((room, CONTACT_COLUMNS))
        self._materials = _materials(table, piece)
        clock = r.clock
        clock[R.TIME] = clock[R.NEXT_KEYFRAME] = begin
        clock[R.CONTACT_SCALE], clock[R.RECENT_APPROACH] = 1.0, HARD_APPROACH
        clock[R.KEYFRAME_INTERVAL], clock[R.FIRST_CONTACT_TIME] = _KEYFRAME_INTERVAL, inf
        clock[R.RELAX_AFTER], clock[R.MAX_TIME] = begin + _RELAX_AFTER, min(begin + _MAX_TIME, max_time)
        clock[R.MASS_UNIT] = 1.0 / float(b[:, B.INV_MASS].max(initial=1e-9))
        r.counters[R.THROWN_BODY] = -1
        for one in pieces:
            if one.is_hand_placed:
                self.wake(one.id)
        self._keyframes: list[Floats] = []
        self._hits: list[Floats] = []
        self.final_positions: dict[int, Floats] = {}
        """Centres of mass, where they came to rest or left the table, of all pieces that were ever awake [m]."""

    def set_velocity(self, name: str, velocity: Point3, spin: Point3) -> None:
        """Throw a piece: set its velocity [m/s] and angular velocity [rad/s], and wake it."""
        b, i = self._bodies, self._index[name]
        b[i, B.VX : B.VZ + 1], b[i, B.WX : B.WZ + 1] = velocity, spin
        update_angular_momentum(b, i)
        self._state.counters[R.THROWN_BODY] = i
        self.wake(name)

    def wake(self, name: str) -> None:
        """Wake a piece and all pieces in contact with it."""
        i = self._index[name]
        if self._bodies[i, B.STATE] == B.ASLEEP:
            wake(self._bodies, self._state, self._contacts, 0, i, self._gravity)

    def remove(self, name: str) -> None:
        """Remove a piece and wake what touched it."""
        self.wake(name)
        self._bodies[self._index[name], B.STATE] = B.REMOVED
        list_awake(self._bodies, self._state)

    def run(self) -> None:
        """Run until everything is at rest or off the table.

        Raises:
            DidNotSettle: time limit reached; names the pieces that still move.
        """
        r, b = self._state, self._bodies
        r.clock[R.MIN_ENERGY] = (
            total_energy(b, r.awake[: r.counters[R.AWAKE_COUNT]], self._gravity) / r.clock[R.MASS_UNIT]
        )
        why = loop.BUFFER_FULL
        while why == loop.BUFFER_FULL:
            why = loop.simulate_until(b, r, self._contacts, self._materials, self._gravity)
            self._keyframes.append(r.keyframes[: r.counters[R.KEYFRAME_COUNT]].copy())
            self._hits.append(r.hits[: r.counters[R.HIT_COUNT]].copy())
            r.counters[R.KEYFRAME_COUNT] = r.counters[R.HIT_COUNT] = 0
        rows = np.concatenate(self._keyframes)
        self.final_positions = dict(zip(rows[:, 1].astype(int).tolist(), rows[:, 2:5], strict=True))
        if why == loop.TIMED_OUT:
            names = ", ".join(repr(one.id) for one in self._pieces if b[self._index[one.id], B.STATE] == B.AWAKE)
            raise DidNotSettle(f"after {self.time:.3g} s {names} still moved")

    @property
    def time(self) -> float:
        """Current time [s]."""
        return float(self._state.clock[R.TIME])

    @property
    def first_contact_time(self) -> float:
        """Time of the first contact of the thrown piece [s]; inf without one."""
        return float(self._state.clock[R.FIRST_CONTACT_TIME])

    def tracks(self) -> tuple[Track, ...]:
        """Tracks of all pieces that were ever awake."""
        rows = np.concatenate(self._keyframes)
        rows = rows[np.argsort(rows[:, 1], kind="stable")]
        turns = quaternions_from_axes(rows[:, 5:8], rows[:, 8:11])
        found, end = [], 0
        for i, piece in enumerate(self._pieces):
            first, end = end, int(np.searchsorted(rows[:, 1], i, side="right"))
            if end > first:
                gone = bool(self._bodies[i, B.STATE] == B.REMOVED)
                times, middles = rows[first:end, 0], rows[first:end, 2:5]
                found.append(
                    Track(
                        id=piece.id, times=times, positions=middles, orientations=turns[first:end], has_left_table=gone
                    )
                )
        return tuple(found)

    def contact_pairs(self) -> list[tuple[int, int]]:
        """Index pairs of all impacts in order; -1 is the table."""
        return [(int(row[1]), int(row[2])) for rows in self._hits for row in rows]

    def events(self, tracks: Sequence[Track], pieces: Sequence[Pyramid]) -> list[LaunchEvent]:
        """Collisions, and pieces that fell off the table or came to rest elsewhere.

        Args:
            pieces: at rest, as `pieces` returns them.
        """
        positions = {piece.id: piece.position for piece in pieces}
        found: list[LaunchEvent] = []
        for t, i, j, x, y, z, speed in np.concatenate(self._hits).tolist():
            name, on = self._pieces[int(i)].id, SURFACE_ID if j < 0 else self._pieces[int(j)].id
            found.append(PyramidCollision(t=t, piece=name, on=on, point=(x, y), height=max(0.0, z), speed=speed))
        for track in tracks:
            t = float(track.times[-1])
            if track.has_left_table:
                x, y, _ = track.positions[-1].tolist()
                found.append(PyramidLeftSurface(t=t, piece=track.id, point=(x, y)))
            elif np.abs(track.positions - track.positions[0]).max() > _MOVE_TOLERANCE:
                found.append(PyramidCameToRest(t=t, piece=track.id, point=positions[track.id]))
        return found

    def pieces(self) -> tuple[Pyramid, ...]:
        """Pieces still on the table, with resting poses and supports."""
        return tuple(
            self._resting_piece(i) if i in self.final_positions else piece
            for i, piece in enumerate(self._pieces)
            if self._bodies[i, B.STATE] != B.REMOVED
        )

    def _resting_piece(self, i: int) -> Pyramid:
        """Piece `i` with its resting pose, snapped if it lies flat, and its supports."""
        row, piece = self._bodies[i], self._pieces[i]
        (x, y, z), side, axis = (tuple(row[at : at + 3].tolist()) for at in (B.CX, P.SIDE_X, B.NX))
        bare = piece.with_supports(()) if piece.bearings or piece.rests_on else piece
        bearings: tuple[SupportContact, ...] = ()
        flat = is_stable(self._bodies, self._state, i)
        if not flat or (self._state.last_contact[i, 1:] >= self._recent_contact_since(i)).any():
            bearings = self._bearings(i)
            flat = flat and not any(one.on != SURFACE_ID for one in bearings)
        now = bare.with_pose((x, y, z), side, axis)
        if now.tilt < (_MAX_UPRIGHT_TILT if flat else _SNAP_ANGLE):
            now = msgspec.structs.replace(now, tilt=0.0, heading=now.heading + now.roll, roll=0.0)
        elif flat or (abs(now.tilt - now.shape.lying_tilt) < _SNAP_ANGLE and abs(now.roll) < _SNAP_ANGLE):
            now = msgspec.structs.replace(now, tilt=now.shape.lying_tilt, roll=0.0)
        if flat:
            now, bearings = msgspec.structs.replace(now, z=now.z - now.lowest), ()
        kept = msgspec.structs.replace(
            now, x=round(now.x, 9), y=round(now.y, 9), z=round(now.z, 9), heading=round(now.heading, 9),
            roll=round(now.roll, 9), tilt=now.tilt if now.is_upright or now.is_on_side else round(now.tilt, 9),
        )  # fmt: skip
        return kept.with_supports(bearings) if bearings else kept

    def _recent_contact_since(self, i: int) -> float:
        """Earliest time of last contacts that still count as supports of piece `i` [s]."""
        return max(0.0, float(self._bodies[i, P.LAST_CONTACT_TIME]) - CONTACT_LINK_TIME)

    def _bearings(self, i: int) -> tuple[SupportContact, ...]:
        """Supporting contacts of piece `i`: with everything in recent contact, except what pushes it down.

        If that leaves only the table, on which the pose is not stable, contacts that push down count: an overhanging
        wall keeps a piece from falling back onto its base.
        """
        b, r = self._bodies, self._state
        weight, late = self._gravity / b[i, B.INV_MASS], self._recent_contact_since(i)
        found, down = [], []
        for j in (np.flatnonzero(r.last_contact[i] >= late) - 1).tolist():
            fx, fy, fz = r.contact_force[i, j + 1].tolist()
            size = hypot(fx, fy, fz)
            if size >= _MIN_SUPPORT_SHARE * weight and fz >= _MAX_DOWNWARD_SHARE * size:
                found += self._contacts_with(i, j)
            elif j >= 0:
                down += self._contacts_with(i, j)
        if not any(one.on != SURFACE_ID for one in found) and not is_stable(b, r, i):
            found += down
        return tuple(found)

    def _contacts_with(self, i: int, j: int) -> list[SupportContact]:
        """Contacts of piece `i` with piece `j`, or with the table (-1)."""
        k = self._contacts
        for margin in (_SUPPORT_GAP, TOUCH_TOLERANCE):
            count, _ = find_contacts_between(self._bodies, self._state, i, j, k, 0, margin)
            if count > 0:
                break
        sign = 1.0 if j < 0 or i < j else -1.0
        on = SURFACE_ID if j < 0 else self._pieces[j].id
        found = []
        for row in k[:count].tolist():
            x, y, z = row[C.POINT_X : C.POINT_Z + 1]
            nx, ny, nz = row[C.NORMAL_X : C.NORMAL_Z + 1]
            found.append(
                SupportContact(
                    on=on, part=_part_name(int(row[C.FEATURE_ID]), sign > 0.0), gap=round(row[C.GAP], 9),
                    at=(round(x, 9), round(y, 9), round(z, 9)),
                    normal=(round(sign * nx, 9), round(sign * ny, 9), round(sign * nz, 9)),
                )
            )  # fmt: skip
        return found


def _part_name(kind: int, first: bool) -> Literal["base", "hollow", "side"]:
    """Part of the first or second piece of a contact, decoded from its feature id."""
    if kind >= 256:
        edge = (kind - 256) // 16 if first else kind % 16
        return "base" if edge < 4 else "side" if edge < 8 else "hollow"
    corner, wall = kind % 128 // 16, kind % 16
    if first == (kind < 128):
        return "base" if corner < 4 else "side"
    return "side" if wall < 4 else "base" if wall == 4 else "hollow"
