"""Whole pictures: a table at rest, a motion with the ways that pieces went, a launch, and each as frames of a film."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import acos, atan2, cos, hypot, isnan, sin

import numpy as np

from flicksim.base.geometry import Point, behind
from flicksim.drawing import matter, tops
from flicksim.drawing.camera import Camera, fit
from flicksim.drawing.colours import (
    DROP,
    EDGE,
    FAINT,
    FELT,
    GLOW,
    GROUND,
    INSIDE,
    LINE,
    PALE,
    POT,
    SEATS,
    SHADE,
    TEXT,
    WELL,
    board,
    key_of,
    mix,
    seat,
)  # fmt: skip
from flicksim.drawing.marks import Disc, Drawing, Mark, Patch, Stroke, Words, centred, closed, dashes
from flicksim.drawing.pieces import coin, pyramid, pyramid_shadow, wink
from flicksim.table import (
    Landing,
    Landings,
    Motion,
    Piece,
    Pyramid,
    PyramidScene,
    Scene,
    Squidge,
    Surface,
    beneath,
    hull,
)

Shown = Scene | PyramidScene | Motion | Landing | Landings
SEATS_SHOWN = ("Blue", "Red", "Green", "Yellow", "Black", "White")
"""The names from which pieces take their colours, where nobody says others."""
_BOARD, _MAT, _TABLE = (900, 1200), (1200, 900), (1000, 1200)
"""Width and height by kind of table [pixels]."""
_Pose = tuple[Piece, Point, float, float, float, int]
"""A wink, where it is [m], its height [m], tilt and lean [rad], and which face is up."""
_Area = tuple[float, float, float, float]
"""x, y, width, height [pixels]."""
_LEAST = 0.2
"""The least of a mat that is shown [m]."""


def picture(
    shown: Shown, size: tuple[int, int] | None = None, seats: Sequence[str] = SEATS_SHOWN, until: float | None = None
) -> Drawing:
    """A picture of a table, or of what moved there with the ways that pieces went.

    Args:
        size: width and height [pixels]; as suits the table without. seats: names of the seats, which give colours.
        until: of what moves, how it is then [s]; at its end without.
    """
    if isinstance(shown, Landings):
        return picture(shown.landings[-1] if shown.landings else shown.after, size, seats, until)
    if isinstance(shown, PyramidScene | Landing):
        return _pyramids(shown, size or _TABLE, seats, until)
    scene = shown.before if isinstance(shown, Motion) else shown
    if scene.surface.pot is not None or any(piece.thickness and piece.lies_on for piece in scene.pieces):
        return _mat(shown, size or _MAT, seats, until)
    return _board(shown, size or _BOARD, seats, until)


def frames(
    shown: Motion | Landing | Landings, size: tuple[int, int] | None = None, seats: Sequence[str] = SEATS_SHOWN,
    every: float = 0.04,
) -> Iterator[Drawing]:  # fmt: skip
    """Pictures of what moved, from beginning to end, one each so many seconds; the last shows all at rest."""
    if isinstance(shown, Landings):
        for landing in shown.landings:
            yield from frames(landing, size, seats, every)
        return
    for k in range(int(shown.duration / every) + 1):
        yield picture(shown, size, seats, k * every)
    yield picture(shown, size, seats, shown.duration)


def _px(size: tuple[int, int]) -> float:
    """Pixels per unit: letters and lines grow with the picture."""
    return max(0.5, min(size) / 700.0)


# -- boards ------------------------------------------------------------------------------------------------------------


def _board(shown: Scene | Motion, size: tuple[int, int], seats: Sequence[str], until: float | None) -> Drawing:
    scene, unit = shown.before if isinstance(shown, Motion) else shown, _px(size)
    camera = fit(scene.surface.outline, (0, 0, *size), 64.0 * unit)
    marks = _ground(scene.surface, camera, unit, size)
    if not isinstance(shown, Motion):
        for piece in scene.pieces:
            marks += coin(piece, camera, (piece.x, piece.y, piece.angle), seats)
        return Drawing(size, GROUND, tuple(marks))
    end = shown.duration if until is None else until
    if until is None:
        for piece in scene.pieces:
            marks += coin(piece, camera, (piece.x, piece.y, piece.angle), seats, faded=True)
    marks += _ways(shown, camera, end, unit, seats, 0.35)
    for name, (x, y, angle) in zip(shown.tracks.ids, shown.tracks.at(end).tolist(), strict=True):
        if not isnan(x):
            marks += coin(scene.piece(name), camera, (x, y, angle), seats)
    return Drawing(size, GROUND, tuple(marks))


def _ground(surface: Surface, camera: Camera, unit: float, size: tuple[int, int]) -> list[Mark]:
    """A board with its lines, their names, and millimetres up its left side."""
    marks = _wood(surface, camera, unit, size)
    right = max(x for x, _ in camera.all(surface.outline))
    burnt = surface.material in ("polished", "wood")
    for line in surface.lines:
        a, b = camera.all((line.a, line.b))
        marks += tops.burnt(a, b, board(surface.material) if burnt else LINE, unit, dark=burnt)
    for line in surface.lines:
        _, y = camera.to_screen(max(line.a, line.b))
        marks.append(Words(line.name, (right + 9.0 * unit, y), 13.0 * unit, TEXT, "lm"))
    return marks + _scale(surface, camera, unit, size)


def _wood(surface: Surface, camera: Camera, unit: float, size: tuple[float, float]) -> list[Mark]:
    """A bare board."""
    return tops.top(surface, camera, surface.material, board(surface.material), DROP, unit, (0.0, 0.0, *size))


def _scale(surface: Surface, camera: Camera, unit: float, size: tuple[int, int]) -> list[Mark]:
    low, high = min(y for _, y in surface.outline), max(y for _, y in surface.outline)
    left = min(x for x, _ in surface.outline)
    steps = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
    step = next((s for s in steps if s / 1000.0 * camera.zoom >= 30.0 * unit), 10_000)
    fine = step / (5 if step in (10, 50, 500) else 4 if step == 20 else 10)
    if fine / 1000.0 * camera.zoom < 3.0:
        fine = step / 2
    marks: list[Mark] = []
    for k in range(round((high - low) * 1000.0 / fine) + 1):
        x, y = camera.to_screen((left, low + k * fine / 1000.0))
        if not 0.0 <= y <= size[1]:
            continue
        whole = abs(k * fine / step - round(k * fine / step)) < 1e-9
        x -= 5.0 * unit
        marks.append(Stroke(((x, y), (x - (8.0 if whole else 4.0) * unit, y)), FAINT, 1.0))
        if whole:
            marks.append(Words(f"{k * fine:g}", (x - 11.0 * unit, y), 11.0 * unit, FAINT, "rm"))
    x, y = camera.to_screen((left, high))
    return [*marks, Words("mm", (x - 16.0 * unit, y - 10.0 * unit), 11.0 * unit, FAINT, "mb")]


def _ways(motion: Motion, camera: Camera, end: float, unit: float, seats: Sequence[str], pale: float) -> list[Mark]:
    """The ways pieces have gone up to a time [s]."""
    tracks, marks = motion.tracks, list[Mark]()
    shown = int(np.searchsorted(tracks.times, end, side="right"))
    here = tracks.at(end)
    for column, name in enumerate(tracks.ids):
        way = [*tracks.states[:shown, column, :2].tolist(), here[column, :2].tolist()]
        points: list[Point] = []
        for x, y in way:
            if not isnan(x) and (not points or hypot(x - points[-1][0], y - points[-1][1]) > 2e-4):
                points.append((x, y))
        if len(points) > 1:
            piece = motion.before.piece(name)
            key = key_of(piece.owner, seats, piece.id)
            colour = mix(seat(key), PALE, pale) if key else PALE
            marks.append(Stroke(camera.all(points), colour, max(1.0, 1.6 * unit)))
    return marks


# -- mats --------------------------------------------------------------------------------------------------------------


def _mat(shown: Scene | Motion, size: tuple[int, int], seats: Sequence[str], until: float | None) -> Drawing:
    motion = shown if isinstance(shown, Motion) else None
    scene, unit = shown.before if isinstance(shown, Motion) else shown, _px(size)
    squidged = motion is not None and isinstance(motion.flick, Squidge)
    above = (0.0, 0.0, float(size[0]), size[1] * 0.64 if squidged else float(size[1]))
    points = _seen(shown)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    mx, my = (min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0
    dx, dy = (max(max(v) - min(v), _LEAST) / 2.0 + 0.03 for v in (xs, ys))
    camera = fit([(mx - dx, my - dy), (mx + dx, my + dy)], above, 24.0 * unit)
    marks = _felt(scene.surface, camera, unit, (above[2], above[3]))
    end = 0.0
    if motion is None:
        winks: list[_Pose] = [(p, p.at, p.height, p.tilt, p.lean, p.face) for p in _upwards(scene)]
    else:
        end = motion.duration if until is None else until
        flicked = scene.piece(motion.flick.piece)
        marks += wink(flicked, camera, flicked.at, 0.0, flicked.tilt, flicked.lean, flicked.face, seats, faded=True)
        marks += _ways(motion, camera, end, unit, seats, 0.5)
        winks = _at(motion, end)
    pot = scene.surface.pot
    rim = [] if pot is None else [_rim(scene.surface, camera, unit)]
    for piece, at, height, tilt, lean, face in winks:
        if rim and pot is not None and height + piece.radius * sin(tilt) > pot.height + 1e-4:
            marks += rim
            rim = []
        marks += wink(piece, camera, at, height, tilt, lean, face, seats)
    marks += [*rim, *_length(camera, unit, above)]
    if motion is not None and squidged:
        marks += _side(motion, (0.0, above[3], float(size[0]), size[1] - above[3]), unit, end, seats)
    return Drawing(size, GROUND, tuple(marks))


def _upwards(scene: Scene) -> list[Piece]:
    """All winks, what lies on another after it."""
    return sorted(scene.pieces, key=lambda piece: (len(beneath(scene.pieces, piece.id)), piece.highest))


def _seen(shown: Scene | Motion) -> list[Point]:
    """The part of a mat that is to be seen [m]: all that moved and the pot; at rest, every wink and the pot."""
    if isinstance(shown, Motion):
        states = shown.tracks.states[:, :, :2]
        moved = np.nanmax(np.abs(states - states[0]), axis=(0, 2)) > 1e-4
        found = [(float(x), float(y)) for x, y in states[:, moved].reshape(-1, 2).tolist() if not isnan(x)]
        surface, flicked = shown.before.surface, shown.before.piece(shown.flick.piece)
        found.append(flicked.at)
    else:
        field = [piece for piece in shown.pieces if not shown.surface.behind(piece.at)] or list(shown.pieces)
        surface, found = shown.surface, [piece.at for piece in field]
    if surface.pot is not None:
        found.append(surface.pot.at)
    return found or list(surface.outline)


def _at(motion: Motion, t: float) -> list[_Pose]:
    """All winks at a time [s], from the lowest up: piece, place, height, tilt, lean, face."""
    depth = {piece.id: len(beneath(motion.before.pieces, piece.id)) for piece in motion.before.pieces}
    places, tracks = motion.tracks.at(t).tolist(), motion.tracks
    air = None if tracks.air is None else tracks.air_at(t).tolist()
    found: list[_Pose] = []
    for row, name in enumerate(tracks.ids):
        (x, y, _), piece = places[row], motion.before.piece(name)
        if isnan(x):
            continue
        if air is None:
            found.append((piece, (x, y), piece.height, piece.tilt, piece.lean, piece.face))
            continue
        z, nx, ny, nz = air[row]
        up = -1.0 if nz < 0.0 else 1.0
        found.append((piece, (x, y), z, acos(min(1.0, abs(nz))), atan2(up * ny, up * nx), piece.face * round(up)))
    return sorted(found, key=lambda one: (round(one[2] + one[0].radius * sin(one[3]), 4), depth[one[0].id]))


def _felt(surface: Surface, camera: Camera, unit: float, size: tuple[float, float]) -> list[Mark]:
    """A mat, its corners tinted by whose they are, its base lines, and the inside of the pot."""
    marks = tops.top(surface, camera, "felt", FELT, DROP, unit, (0.0, 0.0, *size))
    for line in surface.lines:
        mx, my = (line.a[0] + line.b[0]) / 2.0, (line.a[1] + line.b[1]) / 2.0
        corner = min(surface.outline, key=lambda p, mx=mx, my=my: hypot(p[0] - mx, p[1] - my))  # type: ignore[misc]
        tint = SEATS.get(line.name.split()[0])
        if tint is not None:
            marks.append(Patch(camera.all((line.a, line.b, corner)), tint, tops.TINT))
    marks += [Stroke(camera.all((line.a, line.b)), LINE, max(1.6, 1.8 * unit)) for line in surface.lines]
    pot = surface.pot
    if pot is not None:
        at, r = camera.to_screen(pot.at), round(pot.top_radius * camera.zoom)
        dx, dy = matter.drop(r, 0.6 * pot.height * camera.zoom)
        marks.append(centred(None, matter.fallen(r, 0.6 * pot.height * camera.zoom), (at[0] + dx, at[1] + dy)))
        inner = pot.inner(pot.height) * camera.zoom
        marks.append(centred(None, matter.pot(r, inner, POT, INSIDE), at))
    return marks


def _rim(surface: Surface, camera: Camera, unit: float) -> Mark:
    pot = surface.pot
    assert pot is not None
    r, wall = round(pot.top_radius * camera.zoom), max(pot.wall * camera.zoom, 2.2 * unit)
    return centred(None, matter.rim(r, wall, POT), camera.to_screen(pot.at))


def _length(camera: Camera, unit: float, area: _Area) -> list[Mark]:
    """A bar of a round length at the foot of the view."""
    step = next((s for s in (5, 10, 20, 50, 100, 200) if s / 1000.0 * camera.zoom >= 56.0 * unit), 200)
    wide = step / 1000.0 * camera.zoom
    x, y = area[0] + (area[2] - wide) / 2.0, area[1] + area[3] - 11.0 * unit
    ends = [Stroke(((at, y - 4.0 * unit), (at, y + 4.0 * unit)), TEXT, 1.0) for at in (x, x + wide)]
    bar = Stroke(((x, y), (x + wide, y)), TEXT, 2.0 * unit)
    return [bar, *ends, Words(f"{step} mm", (x + wide + 8.0 * unit, y), 12.0 * unit, TEXT, "lm")]


def _side(motion: Motion, area: _Area, unit: float, end: float, seats: Sequence[str]) -> list[Mark]:
    """The flight from the side, along the way that was aimed."""
    made, air, pot = motion.flick, motion.tracks.air, motion.before.surface.pot
    if air is None:
        return []
    ux, uy = cos(made.azimuth), sin(made.azimuth)
    origin = motion.before.piece(made.piece).at

    def along(at: Point) -> tuple[float, float]:
        """Distance along the way aimed, and beside it [m]."""
        x, y = at[0] - origin[0], at[1] - origin[1]
        return x * ux + y * uy, abs(y * ux - x * uy)

    column = motion.tracks.ids.index(made.piece)
    flown = zip(motion.tracks.states[:, column, :2].tolist(), air[:, column, 0].tolist(), strict=True)
    way = [(along((x, y))[0], z) for (x, y), z in flown if not isnan(x)]
    seen, near = [*way, (0.0, 0.0), (0.1, 0.05)], False
    if pot is not None:
        middle, aside = along(pot.at)
        near = aside < 0.15
        seen += [(middle - pot.top_radius, 0.0), (middle + pot.top_radius, pot.height)] if near else []
    camera, marks = _profile(seen, area, unit, f"{motion.duration:.2f} s")
    if pot is not None and near:
        feet = [(middle + sign * pot.base_radius, 0.0) for sign in (-1.0, 1.0)]
        tops = [(middle + sign * pot.top_radius, pot.height) for sign in (-1.0, 1.0)]
        marks.append(Patch(camera.all((feet[0], tops[0], tops[1], feet[1])), mix(WELL, POT, 0.18)))
        for wall in zip(feet, tops, strict=True):
            marks.append(Stroke(camera.all(wall), POT, max(2.0, pot.wall * camera.zoom)))
    shown = int(np.searchsorted(motion.tracks.times, end, side="right"))
    piece = motion.before.piece(made.piece)
    if shown > 1:
        colour = seat(key_of(piece.owner, seats, piece.id))
        marks.append(Stroke(camera.all(way[:shown]), mix(colour, PALE, 0.5), max(1.0, 1.6 * unit)))
    for other, at, height, tilt, lean, _ in _at(motion, end):
        s, beside = along(at)
        if other.id != piece.id and beside > 3.0 * other.radius:
            continue
        slope = sin(tilt) * cos(lean - made.azimuth)
        flat = other.radius * (1.0 - slope * slope) ** 0.5
        rise = other.radius * slope
        ends = camera.all(((s - flat, height + rise), (s + flat, height - rise)))
        marks.append(Stroke(ends, seat(key_of(other.owner, seats, other.id)), max(2.0, other.thickness * camera.zoom)))
    return marks


def _profile(seen: Sequence[Point], area: _Area, unit: float, says: str) -> tuple[Camera, list[Mark]]:
    """A frame for a view from the side, with the ground and heights to measure by; how points are placed in it.

    Args:
        seen: what must find room: along the way, and height [m].
    """
    x, y, w, h = area
    pad, head = 16.0 * unit, 26.0 * unit
    left, top, right, bottom = x + pad, y + head, x + w - pad, y + h - pad
    camera = fit([*seen, (0.0, -0.006)], (left, top, right - left, bottom - top), 22.0 * unit)
    frame = ((left, top), (right, top), (right, bottom), (left, bottom))
    marks: list[Mark] = [
        Patch(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), GROUND), Patch(frame, WELL), closed(frame, EDGE, 1.0),
        Words("FROM THE SIDE", (left, y + head / 2.0), 12.0 * unit, FAINT, "lm"),
        Words(says, (right, y + head / 2.0), 12.0 * unit, FAINT, "rm"),
    ]  # fmt: skip
    step = next((s for s in (10, 20, 50, 100, 200, 500, 1000) if s / 1000.0 * camera.zoom >= 30.0 * unit), 2000)
    for k in range(1, 50):
        level = camera.to_screen((0.0, k * step / 1000.0))[1]
        if level < top + 6.0 * unit:
            break
        marks.append(Stroke(((left + 34.0 * unit, level), (right, level)), mix(WELL, EDGE, 0.5), 1.0))
        marks.append(Words(f"{k * step}", (left + 30.0 * unit, level), 11.0 * unit, FAINT, "rm"))
    floor = camera.to_screen((0.0, 0.0))[1]
    marks.append(Stroke(((left, floor), (right, floor)), FELT, max(2.0, 3.0 * unit)))
    marks.append(Words("mm", (left + 30.0 * unit, floor), 11.0 * unit, FAINT, "rb"))
    return camera, marks


# -- pyramids ----------------------------------------------------------------------------------------------------------


def _pyramids(
    shown: PyramidScene | Landing, size: tuple[int, int], seats: Sequence[str], until: float | None
) -> Drawing:
    landing = shown if isinstance(shown, Landing) else None
    scene, unit = landing.before if landing is not None else shown, _px(size)
    assert isinstance(scene, PyramidScene)
    above = (0.0, 0.0, float(size[0]), size[1] * 0.66 if landing is not None else float(size[1]))
    camera = fit(scene.surface.outline, above, 30.0 * unit)
    marks = _wood(scene.surface, camera, unit, (above[2], above[3]))
    for number, line in enumerate(scene.surface.lines):
        own = seat(key_of(number, seats))
        area = behind(scene.surface.outline, line.a, line.b)
        if len(area) > 2:
            marks.append(Patch(camera.all(area), own, 62))
        ends = camera.all((line.a, line.b))
        marks += [Stroke(ends, LINE, max(3.0, 3.2 * unit)), Stroke(ends, own, max(1.6, 1.6 * unit))]
    pieces = scene.pieces
    if landing is not None:
        end = landing.duration if until is None else until
        pieces = landing.pieces_at(end)
        track = landing.track(landing.launch.piece)
        if track is not None:
            ways = track.middles[: int(np.searchsorted(track.times, end, side="right")), :2].tolist()
            own = mix(seat(key_of(landing.launch.owner, seats)), PALE, 0.45)
            if len(ways) > 1:
                a, b = camera.all([(ways[0][0], ways[0][1]), (ways[-1][0], ways[-1][1])])
                marks += dashes(a, b, own, 1.4 * unit, 4.0 * unit)
    order = sorted(pieces, key=lambda piece: piece.centre[2])
    for piece in order:
        marks += pyramid_shadow(piece, camera, seats)
    for piece in order:
        marks += pyramid(piece, camera, seats)
    by_name = {piece.id: piece for piece in order}
    for piece in order:
        if (piece.standing and not piece.stands_on) or piece.on_side:
            continue
        for name in piece.rests_on:
            if name in by_name:  # what leans is tied to what holds it
                a, b = camera.to_screen(piece.centre[:2]), camera.to_screen(by_name[name].centre[:2])
                marks += dashes(a, b, (24, 26, 30), 2.0 * unit, 2.0 * unit)
                marks += [Disc(b, 3.0 * unit, (24, 26, 30)), Disc(b, 2.0 * unit, GLOW)]
    if landing is not None:
        below = (0.0, above[3], float(size[0]), size[1] - above[3])
        marks += _launched(landing, pieces, below, unit, landing.duration if until is None else until, seats)
    return Drawing(size, GROUND, tuple(marks))


def _launched(
    landing: Landing, pieces: Sequence[Pyramid], area: _Area, unit: float, end: float, seats: Sequence[str]
) -> list[Mark]:
    """A launch from the side, along the way the nail strikes: the missile's way, and what lies near it."""
    launch, track = landing.launch, landing.track(landing.launch.piece)
    ux, uy = cos(launch.azimuth), sin(launch.azimuth)

    def along(x: float, y: float) -> float:
        return (x - launch.hold[0]) * ux + (y - launch.hold[1]) * uy

    middles = [] if track is None else track.middles.tolist()
    way = [(along(x, y), z) for x, y, z in middles]
    camera, marks = _profile([*way, (-0.03, 0.0), (0.15, 0.1)], area, unit, f"{landing.duration:.2f} s")
    shown = 0 if track is None else int(np.searchsorted(track.times, end, side="right"))
    if shown > 1:
        colour = mix(seat(key_of(launch.owner, seats)), PALE, 0.45)
        marks.append(Stroke(camera.all(way[:shown]), colour, max(1.0, 1.6 * unit)))
    for piece in pieces:
        x, y, _ = piece.centre
        beside = abs((y - launch.hold[1]) * ux - (x - launch.hold[0]) * uy)
        if piece.id == launch.piece or beside < 0.12:
            colour = seat(key_of(piece.owner, seats))
            corners = [(along(px, py), max(pz, 0.0)) for px, py, pz in (*piece.corners(), piece.tip)]
            outline = camera.all(list(hull(corners)))
            marks += [Patch(outline, colour), closed(outline, mix(colour, SHADE, 0.6), 1.0)]
    return marks
