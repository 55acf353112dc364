"""Display lists of whole scenes: at rest, a trajectory with its paths, a launch, and frames of each."""

from collections.abc import Callable, Iterator, Sequence
from math import cos, hypot, isnan, sin

import numpy as np

from flicksim.core.geometry import Point, clip_behind_line
from flicksim.render import colours, display_list, procedural_textures, table_tops
from flicksim.render.camera import Camera, fit_around, fit_camera
from flicksim.render.colours import PALE, PANEL, SHADE, TEXT, board_colour, colour_key, mix, seat_colour
from flicksim.render.display_list import Colour, Disc, DisplayList, Label, Polygon, Polyline, Primitive, polygon_outline
from flicksim.render.moving_pieces import pieces_at, stacking_order, top_of, winks_at
from flicksim.render.pieces import draw_coin, draw_pyramid, draw_pyramid_shadow, draw_shadow, draw_wink
from flicksim.scene import (
    LaunchTrajectory,
    Piece,
    Pyramid,
    PyramidScene,
    Scene,
    Squidge,
    Surface,
    Trajectory,
    VolleyTrajectory,
    convex_hull,
)

Drawable = Scene | PyramidScene | Trajectory | LaunchTrajectory | VolleyTrajectory
DEFAULT_SEAT_NAMES = ("Blue", "Red", "Green", "Yellow", "Black", "White")
"""Default seat names, which determine the colours of pieces."""
_BOARD_SIZE, _MAT_SIZE, _TABLE_SIZE = (900, 1200), (1200, 900), (1000, 1200)
"""Width and height by kind of table [pixels]."""
_Area = tuple[float, float, float, float]
"""x, y, width, height [pixels]."""


def draw(
    value: Drawable,
    size: tuple[int, int] | None = None,
    seats: Sequence[str] = DEFAULT_SEAT_NAMES,
    until: float | None = None,
    *,
    with_ids: bool = False,
) -> DisplayList:
    """Draw a scene, or a trajectory with the paths of its pieces.

    Args:
        value: scene or trajectory. size: width and height [pixels]; None: as suits the table.
        seats: names of the seats, which give colours. until: time within a trajectory [s]; None: its end.
        with_ids: whether the ids of the pieces of a scene are written beside them.
    """
    if isinstance(value, VolleyTrajectory):
        return draw(value.trajectories[-1] if value.trajectories else value.after, size, seats, until)
    if isinstance(value, PyramidScene | LaunchTrajectory):
        size = size or _TABLE_SIZE
        primitives = _draw_pyramids(value, size, seats, until, with_ids)
    else:
        scene = value.before if isinstance(value, Trajectory) else value
        is_mat = scene.surface.pot is not None or any(piece.thickness and piece.lies_on for piece in scene.pieces)
        size = size or (_MAT_SIZE if is_mat else _BOARD_SIZE)
        primitives = (_draw_mat if is_mat else _draw_board)(value, size, seats, until, with_ids)
    return DisplayList(size, colours.BACKGROUND, tuple(primitives))


def draw_frames(
    trajectory: Trajectory | LaunchTrajectory | VolleyTrajectory,
    size: tuple[int, int] | None = None,
    seats: Sequence[str] = DEFAULT_SEAT_NAMES,
    frame_interval: float = 0.04,
) -> Iterator[DisplayList]:
    """Draw a trajectory as frames at a time interval [s]; the last one shows all at rest."""
    if isinstance(trajectory, VolleyTrajectory):
        for launch in trajectory.trajectories:
            yield from draw_frames(launch, size, seats, frame_interval)
        return
    end = trajectory.motion_end if isinstance(trajectory, Trajectory) else trajectory.duration
    for k in range(int(end / frame_interval) + 1):
        yield draw(trajectory, size, seats, k * frame_interval)
    yield draw(trajectory, size, seats, trajectory.duration)


def _unit_pixels(size: tuple[int, int]) -> float:
    """Scale of text and lines [pixels], by image size."""
    return max(0.5, min(size) / 700.0)


# -- boards ------------------------------------------------------------------------------------------------------------


def _draw_ids(pieces: Sequence[Piece | Pyramid], camera: Camera, unit: float) -> list[Primitive]:
    """Write the ids of pieces to the right of all pieces there, of close ones below one another, with lines to them."""
    height, gap = 15.0 * unit, 5.0 * unit
    extents, placed = list[tuple[float, float, float, float]](), list[tuple[float, float]]()
    for piece in pieces:
        if isinstance(piece, Pyramid):
            outline = [(x, y) for x, y, _ in (piece.tip, *piece.base_corners())]
        else:
            outline = [(piece.x + side * piece.radius, piece.y + side * piece.radius) for side in (-1.0, 1.0)]
        xs, ys = zip(*map(camera.to_screen, outline), strict=True)
        extents.append((min(xs), max(xs), (min(ys) + max(ys)) / 2.0, (max(ys) - min(ys) + height) / 2.0))
    primitives: list[Primitive] = []
    order = sorted(range(len(pieces)), key=lambda k: -extents[k][1])  # from the right, so that few lines cross
    for piece, (start, edge, middle, _) in ((pieces[k], extents[k]) for k in order):
        x, y, is_moved = edge + gap, middle, True
        while is_moved:
            over = [right for left, right, at, reach in extents if left < x + 5.0 * height and x < right + gap
                    and abs(at - y) < reach]  # fmt: skip
            x, is_moved = max([x, *(right + gap for right in over)]), False
            while any(abs(x - left) < 5.0 * height and abs(y - at) < height for left, at in placed):
                y, is_moved = y + 0.25 * height, True
        placed.append((x, y))
        if (x, y) != (edge + gap, middle):
            primitives.append(Polyline((((start + edge) / 2.0, middle), (x - gap / 2.0, y)), TEXT, unit))
        for offset, colour in ((unit, SHADE), (0.0, TEXT)):
            primitives.append(Label(piece.id, (x + offset, y + offset), 13.0 * unit, colour, "lm"))
    return primitives


def _draw_board(
    value: Scene | Trajectory, size: tuple[int, int], seats: Sequence[str], until: float | None, with_ids: bool
) -> list[Primitive]:
    scene, unit = value.before if isinstance(value, Trajectory) else value, _unit_pixels(size)
    camera = fit_camera(scene.surface.outline, (0, 0, *size), 64.0 * unit)
    primitives = _draw_board_surface(scene.surface, camera, unit, size)
    is_moving = isinstance(value, Trajectory)
    for piece in scene.pieces if until is None or not is_moving else ():
        primitives += draw_coin(piece, camera, seats, translucent=is_moving)
    if not isinstance(value, Trajectory):
        return primitives + _draw_ids(scene.pieces if with_ids else (), camera, unit)
    end = value.duration if until is None else until
    primitives += _draw_seat_paths(value, camera, end, unit, seats, 0.35)
    for piece in pieces_at(value, end).values():
        primitives += draw_coin(piece, camera, seats)
    return primitives


def _draw_board_surface(surface: Surface, camera: Camera, unit: float, size: tuple[int, int]) -> list[Primitive]:
    """Draw a board with its lines, their names, and a ruler in millimetres on its left."""
    primitives = _draw_board_top(surface, camera, unit, size)
    right = max(x for x, _ in camera.points_to_screen(surface.outline))
    burnt = surface.material in ("polished", "wood")
    for line in surface.lines:
        a, b = camera.points_to_screen((line.a, line.b))
        colour = board_colour(surface.material) if burnt else colours.LINE
        primitives += table_tops.draw_burnt_line(a, b, colour, unit, dark=burnt)
    for line in surface.lines:
        _, y = camera.to_screen(max(line.a, line.b))
        primitives.append(Label(line.name, (right + 9.0 * unit, y), 13.0 * unit, TEXT, "lm"))
    return primitives + table_tops.draw_ruler(
        surface, camera, colours.MUTED_TEXT, 11.0 * unit, lambda u: u * unit, size
    )


def _draw_board_top(surface: Surface, camera: Camera, unit: float, size: tuple[float, float]) -> list[Primitive]:
    """Draw a bare board."""
    colour, box = board_colour(surface.material), (0.0, 0.0, *size)
    return table_tops.draw_table_top(surface, camera, surface.material, colour, colours.DROP_SHADOW, unit, box)


def draw_paths(
    trajectory: Trajectory, camera: Camera, end: float, width: float, colour_of: Callable[[Piece], Colour]
) -> list[Primitive]:
    """Draw the paths of pieces up to a time [s], in lines of a width [pixels] and of a colour for each piece."""
    tracks, primitives = trajectory.tracks, list[Primitive]()
    keyframe_count = int(np.searchsorted(tracks.times, end, side="right"))
    end_poses = tracks.poses_at(end)
    for column, name in enumerate(tracks.ids):
        positions = [*tracks.states[:keyframe_count, column, :2].tolist(), end_poses[column, :2].tolist()]
        points: list[Point] = []
        for x, y in positions:
            if not isnan(x) and (not points or hypot(x - points[-1][0], y - points[-1][1]) > 2e-4):
                points.append((x, y))
        if len(points) > 1:
            colour = colour_of(trajectory.before.piece(name))
            primitives.append(Polyline(camera.points_to_screen(points), colour, width))
    return primitives


def _draw_seat_paths(
    trajectory: Trajectory, camera: Camera, end: float, unit: float, seats: Sequence[str], lightening: float
) -> list[Primitive]:
    """Draw the paths of pieces up to a time [s], in the lightened colours of their seats."""

    def colour_of(piece: Piece) -> Colour:
        key = colour_key(piece.owner, seats, piece.id)
        return mix(seat_colour(key), PALE, lightening) if key else PALE

    return draw_paths(trajectory, camera, end, max(1.0, 1.6 * unit), colour_of)


# -- mats --------------------------------------------------------------------------------------------------------------


def _draw_mat(
    value: Scene | Trajectory, size: tuple[int, int], seats: Sequence[str], until: float | None, with_ids: bool
) -> list[Primitive]:
    motion = value if isinstance(value, Trajectory) else None
    scene, unit = value.before if isinstance(value, Trajectory) else value, _unit_pixels(size)
    squidged = motion is not None and isinstance(motion.flick, Squidge)
    top_area = (0.0, 0.0, float(size[0]), size[1] * 0.64 if squidged else float(size[1]))
    camera = fit_around(_visible_points(value), top_area, 24.0 * unit)
    primitives = _draw_mat_surface(scene.surface, camera, unit, (top_area[2], top_area[3]))
    end = 0.0
    if motion is None:
        winks = stacking_order(scene.pieces)
    else:
        end = motion.duration if until is None else until
        primitives += draw_wink(scene.piece(motion.flick.piece), camera, seats, translucent=True)
        primitives += _draw_seat_paths(motion, camera, end, unit, seats, 0.5)
        winks = winks_at(motion, end)
    pot = scene.surface.pot
    rim = [] if pot is None else [_draw_pot_rim(scene.surface, camera, unit)]
    for wink in winks:
        if rim and pot is not None and top_of(wink) > pot.height + 1e-4:
            primitives += rim
            rim = []
        primitives += draw_wink(wink, camera, seats)
    bottom = (top_area[2] / 2.0, top_area[3] - 11.0 * unit)
    primitives += [*rim, *table_tops.draw_scale_bar(camera, bottom, TEXT, 12.0 * unit, lambda units: units * unit)]
    primitives += _draw_ids(scene.pieces if with_ids and motion is None else (), camera, unit)
    if motion is not None and squidged:
        side_area = (0.0, top_area[3], float(size[0]), size[1] - top_area[3])
        primitives += _draw_side_view(motion, side_area, unit, end, seats)
    return primitives


def _visible_points(value: Scene | Trajectory) -> list[Point]:
    """Points of a mat that must be visible [m]: all that moved, or at rest all winks in the field, and the pot."""
    if isinstance(value, Trajectory):
        states = value.tracks.states[:, :, :2]
        moved = np.nanmax(np.abs(states - states[0]), axis=(0, 2)) > 1e-4
        points = [(float(x), float(y)) for x, y in states[:, moved].reshape(-1, 2).tolist() if not isnan(x)]
        surface, flicked = value.before.surface, value.before.piece(value.flick.piece)
        points.append(flicked.position)
    else:
        positions = [piece.position for piece in value.pieces]
        in_field = [position for position in positions if not value.surface.is_behind_line(position)]
        surface, points = value.surface, in_field or positions
    if surface.pot is not None:
        points.append(surface.pot.position)
    return points or list(surface.outline)


def _draw_mat_surface(surface: Surface, camera: Camera, unit: float, size: tuple[float, float]) -> list[Primitive]:
    """Draw a mat with its corners tinted by seat, its base lines, and the inside of the pot."""
    primitives = table_tops.draw_table_top(
        surface, camera, "felt", colours.FELT, colours.DROP_SHADOW, unit, (0.0, 0.0, *size)
    )
    primitives += table_tops.draw_mat_lines(surface, camera, colours.SEAT_COLOURS, colours.LINE, max(1.6, 1.8 * unit))
    pot = surface.pot
    if pot is not None:
        at, r, height = camera.to_screen(pot.position), round(pot.top_radius * camera.zoom), pot.height * camera.zoom
        inner = pot.inner_radius(pot.height) * camera.zoom
        texture = procedural_textures.pot_texture(r, inner, colours.POT, colours.POT_INSIDE)
        primitives += [draw_shadow(r, 0.6 * height, at), display_list.centred_bitmap(texture, at)]
    return primitives


def _draw_pot_rim(surface: Surface, camera: Camera, unit: float) -> Primitive:
    pot = surface.pot
    assert pot is not None
    r, wall = round(pot.top_radius * camera.zoom), max(pot.wall * camera.zoom, 2.2 * unit)
    texture = procedural_textures.pot_rim_texture(r, wall, colours.POT)
    return display_list.centred_bitmap(texture, camera.to_screen(pot.position))


def _draw_side_view(motion: Trajectory, area: _Area, unit: float, end: float, seats: Sequence[str]) -> list[Primitive]:
    """Draw the flight from the side, along the direction of aim."""
    flick, heights, pot = motion.flick, motion.tracks.heights_and_normals, motion.before.surface.pot
    if heights is None:
        return []
    along = _coordinates_along(flick.azimuth, motion.before.piece(flick.piece).position)
    column = motion.tracks.ids.index(flick.piece)
    flown = zip(motion.tracks.states[:, column, :2].tolist(), heights[:, column, 0].tolist(), strict=True)
    path = [(along((x, y))[0], z) for (x, y), z in flown if not isnan(x)]
    visible, is_near = [*path, (0.0, 0.0), (0.1, 0.05)], False
    if pot is not None:
        middle, offset = along(pot.position)
        is_near = offset < 0.15
        visible += [(middle - pot.top_radius, 0.0), (middle + pot.top_radius, pot.height)] if is_near else []
    camera, primitives = _side_view_frame(visible, area, unit, f"{motion.duration:.2f} s")
    if pot is not None and is_near:
        base_points = [(middle + sign * pot.base_radius, 0.0) for sign in (-1.0, 1.0)]
        rim_points = [(middle + sign * pot.top_radius, pot.height) for sign in (-1.0, 1.0)]
        outline = camera.points_to_screen((base_points[0], *rim_points, base_points[1]))
        primitives.append(Polygon(outline, mix(PANEL, colours.POT, 0.18)))
        for wall in zip(base_points, rim_points, strict=True):
            primitives.append(Polyline(camera.points_to_screen(wall), colours.POT, max(2.0, pot.wall * camera.zoom)))
    shown = int(np.searchsorted(motion.tracks.times, end, side="right"))
    piece = motion.before.piece(flick.piece)
    if shown > 1:
        colour = seat_colour(colour_key(piece.owner, seats, piece.id))
        primitives.append(Polyline(camera.points_to_screen(path[:shown]), mix(colour, PALE, 0.5), max(1.0, 1.6 * unit)))
    for other in winks_at(motion, end):
        height, (s, beside) = other.height, along(other.position)
        if other.id != piece.id and beside > 3.0 * other.radius:
            continue
        slope = sin(other.tilt) * cos(other.lean - flick.azimuth)
        flat = other.radius * (1.0 - slope * slope) ** 0.5
        rise = other.radius * slope
        ends = camera.points_to_screen(((s - flat, height + rise), (s + flat, height - rise)))
        colour = seat_colour(colour_key(other.owner, seats, other.id))
        primitives.append(Polyline(ends, colour, max(2.0, other.thickness * camera.zoom)))
    return primitives


def _coordinates_along(azimuth: float, origin: Sequence[float]) -> Callable[[Sequence[float]], tuple[float, float]]:
    """Function from a point to its distance from an origin along a direction, and its distance beside it [m]."""
    ux, uy = cos(azimuth), sin(azimuth)

    def along(at: Sequence[float]) -> tuple[float, float]:
        x, y = at[0] - origin[0], at[1] - origin[1]
        return x * ux + y * uy, abs(y * ux - x * uy)

    return along


def _side_view_frame(points: Sequence[Point], area: _Area, unit: float, caption: str) -> tuple[Camera, list[Primitive]]:
    """Frame of a view from the side, with ground and height scale; returns its camera and primitives.

    Args:
        points: points that must be visible: distance along the view, and height [m]. area: box of the view [pixels].
        unit: scale of text and lines [pixels]. caption: text at the top right.
    """
    x, y, w, h = area
    pad, head = 16.0 * unit, 26.0 * unit
    left, top, right, bottom = x + pad, y + head, x + w - pad, y + h - pad
    camera = fit_camera([*points, (0.0, -0.006)], (left, top, right - left, bottom - top), 22.0 * unit)
    frame = ((left, top), (right, top), (right, bottom), (left, bottom))
    primitives: list[Primitive] = [
        Polygon(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), colours.BACKGROUND),
        Polygon(frame, PANEL),
        polygon_outline(frame, colours.EDGE, 1.0),
        Label("FROM THE SIDE", (left, y + head / 2.0), 12.0 * unit, colours.MUTED_TEXT, "lm"),
        Label(caption, (right, y + head / 2.0), 12.0 * unit, colours.MUTED_TEXT, "rm"),
    ]
    step = next((s for s in (10, 20, 50, 100, 200, 500, 1000) if s / 1000.0 * camera.zoom >= 30.0 * unit), 2000)
    for k in range(1, 50):
        level = camera.to_screen((0.0, k * step / 1000.0))[1]
        if level < top + 6.0 * unit:
            break
        primitives.append(Polyline(((left + 34.0 * unit, level), (right, level)), mix(PANEL, colours.EDGE, 0.5), 1.0))
        primitives.append(Label(f"{k * step}", (left + 30.0 * unit, level), 11.0 * unit, colours.MUTED_TEXT, "rm"))
    floor = camera.to_screen((0.0, 0.0))[1]
    primitives.append(Polyline(((left, floor), (right, floor)), colours.FELT, max(2.0, 3.0 * unit)))
    primitives.append(Label("mm", (left + 30.0 * unit, floor), 11.0 * unit, colours.MUTED_TEXT, "rb"))
    return camera, primitives


# -- pyramids ----------------------------------------------------------------------------------------------------------


def _draw_pyramids(
    value: PyramidScene | LaunchTrajectory,
    size: tuple[int, int],
    seats: Sequence[str],
    until: float | None,
    with_ids: bool,
) -> list[Primitive]:
    trajectory = value if isinstance(value, LaunchTrajectory) else None
    scene, unit = trajectory.before if trajectory is not None else value, _unit_pixels(size)
    assert isinstance(scene, PyramidScene)
    top_area = (0.0, 0.0, float(size[0]), size[1] * 0.66 if trajectory is not None else float(size[1]))
    camera = fit_camera(scene.surface.outline, top_area, 30.0 * unit)
    primitives = _draw_board_top(scene.surface, camera, unit, (top_area[2], top_area[3]))
    for number, line in enumerate(scene.surface.lines):
        colour = seat_colour(colour_key(number, seats))
        area = clip_behind_line(scene.surface.outline, line.a, line.b)
        if len(area) > 2:
            primitives.append(Polygon(camera.points_to_screen(area), colour, 62))
        ends = camera.points_to_screen((line.a, line.b))
        primitives += [Polyline(ends, colours.LINE, max(3.0, 3.2 * unit)), Polyline(ends, colour, max(1.6, 1.6 * unit))]
    if trajectory is None:
        primitives += _draw_standing_pieces(scene.pieces, camera, unit, seats)
        return primitives + _draw_ids(scene.pieces if with_ids else (), camera, unit)
    end = trajectory.duration if until is None else until
    pieces, path = trajectory.pieces_at(end), _launch_path(trajectory, end)
    if len(path) > 1:
        a, b = camera.points_to_screen([path[0][:2], path[-1][:2]])
        primitives += display_list.dashed_line(a, b, _launch_colour(trajectory, seats), 1.4 * unit, 4.0 * unit)
    primitives += _draw_standing_pieces(pieces, camera, unit, seats)
    side_area = (0.0, top_area[3], float(size[0]), size[1] - top_area[3])
    return primitives + _draw_launch_side_view(trajectory, pieces, side_area, unit, end, seats)


def _launch_path(trajectory: LaunchTrajectory, end: float) -> list[tuple[float, float, float]]:
    """Positions of the missile up to a time [s]."""
    track = trajectory.track(trajectory.launch.piece)
    if track is None:
        return []
    return [(x, y, z) for x, y, z in track.positions[: int(np.searchsorted(track.times, end, side="right"))].tolist()]


def _launch_colour(trajectory: LaunchTrajectory, seats: Sequence[str]) -> Colour:
    return mix(seat_colour(colour_key(trajectory.launch.owner, seats)), PALE, 0.45)


def _draw_standing_pieces(
    pieces: Sequence[Pyramid], camera: Camera, unit: float, seats: Sequence[str]
) -> list[Primitive]:
    """Draw pyramids from the lowest up, and links from leaning ones to what they rest on."""
    ordered = sorted(pieces, key=lambda piece: piece.centre_of_mass[2])
    primitives: list[Primitive] = []
    for piece in ordered:
        primitives += draw_pyramid_shadow(piece, camera, seat_colour(colour_key(piece.owner, seats)))
    for piece in ordered:
        primitives += draw_pyramid(piece, camera, seats)
    by_name = {piece.id: piece for piece in ordered}
    for piece in ordered:
        is_leaning = not (piece.is_on_side or (piece.is_upright and not piece.stands_on))
        for name in piece.rests_on if is_leaning else ():
            if name in by_name:
                a, b = camera.to_screen(piece.centre_of_mass[:2]), camera.to_screen(by_name[name].centre_of_mass[:2])
                primitives += display_list.dashed_line(a, b, colours.INK, 2.0 * unit, 2.0 * unit)
                primitives += [Disc(b, 3.0 * unit, colours.INK), Disc(b, 2.0 * unit, colours.HIGHLIGHT)]
    return primitives


def _draw_launch_side_view(
    trajectory: LaunchTrajectory, pieces: Sequence[Pyramid], area: _Area, unit: float, end: float, seats: Sequence[str]
) -> list[Primitive]:
    """Draw a launch from the side, along its azimuth: the path of the missile, and the pieces near it."""
    launch = trajectory.launch
    along = _coordinates_along(launch.azimuth, launch.hold)
    path = [(along(at)[0], at[2]) for at in _launch_path(trajectory, trajectory.duration)]
    visible = [*path, (-0.03, 0.0), (0.15, 0.1)]
    camera, primitives = _side_view_frame(visible, area, unit, f"{trajectory.duration:.2f} s")
    shown = camera.points_to_screen(path[: len(_launch_path(trajectory, end))])
    if len(shown) > 1:
        primitives.append(Polyline(shown, _launch_colour(trajectory, seats), max(1.0, 1.6 * unit)))
    for piece in pieces:
        if piece.id == launch.piece or along(piece.centre_of_mass)[1] < 0.12:
            colour = seat_colour(colour_key(piece.owner, seats))
            corners = [(along(at)[0], max(at[2], 0.0)) for at in (*piece.base_corners(), piece.tip)]
            outline = camera.points_to_screen(list(convex_hull(corners)))
            primitives += [Polygon(outline, colour), polygon_outline(outline, mix(colour, SHADE, 0.6), 1.0)]
    return primitives
