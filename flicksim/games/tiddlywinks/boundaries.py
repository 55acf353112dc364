"""Boundary crossings: winks out of bounds, where they left, and where they are put back (TW-8)."""

from math import hypot, inf, sqrt

from flicksim.core.geometry import Point, clearance, distance, is_inside_convex
from flicksim.core.serialization import Value
from flicksim.core.units import mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.state import Book, Shot
from flicksim.games.tiddlywinks.wink_placement import lift_winks, scene_with_pieces
from flicksim.referee import queries
from flicksim.scene import CameToRest, Landed, LeftSurface, LineCrossed, Piece, Scene, place_flat

_STEP_IN = 1e-8
"""Margin that keeps a place legal after rounding to the nanometre [m]."""


class OutOfBounds(Value, frozen=True, kw_only=True):
    """Wink to return to play: place [m] and time [s] of its exit, and rule id."""

    wink: str
    point: Point
    t: float
    rule: str


def out_of_bounds_rule(options: Options, piece: Piece) -> str | None:
    """Ledger id by which a wink is out: past or on the boundary, or too near the mat's edge (TW-8b to 8d)."""
    rule = None
    for edge in kit.edges(options):
        gap = edge.inward(piece.position) - piece.radius
        if gap < -2.0 * piece.radius:
            return "TW-8b"
        if gap <= _boundary_tolerance(options):
            rule = "TW-8c"
        elif edge.seat is None and gap < mm(options.unplayable_margin_mm) - queries.LENGTH_TOLERANCE:
            rule = rule or "TW-8d"
    return rule


def _boundary_tolerance(options: Options) -> float:
    """Largest inset of the rim of a wink that is on the boundary [m] (TW-8c)."""
    return queries.LENGTH_TOLERANCE if options.boundary_touch == "out" else -queries.LENGTH_TOLERANCE


def inset_of_last_legal_rim(options: Options, edge: kit.Edge) -> float:
    """Inset of the rim of a wink that is just not out [m] (see `out_of_bounds_rule`)."""
    margin = mm(options.unplayable_margin_mm) if edge.seat is None else 0.0
    return max(margin, _boundary_tolerance(options) + _STEP_IN)


def winks_out_of_bounds(options: Options, shot: Shot, scene: Scene, book: Book) -> tuple[OutOfBounds, ...]:
    """Winks in play, or brought in by this shot, that are to be put back, in the order of leaving (TW-8e, TW-8h).

    Args:
        scene: as it lies now. book: as it was before the shot but for winks potted by it.
    """
    out = []
    for wink in kit.WINKS:
        is_played = wink == shot.flick.piece
        if wink in book.potted or (wink in book.behind and not is_played):
            continue
        exit = _first_exit(options, shot, wink, wink in book.behind)
        if scene.has(wink):
            piece = scene.piece(wink)
            # only a wink moved by the shot can be out by its position; others were placed there by hand
            rule = out_of_bounds_rule(options, piece) if _was_moved(shot, piece) else None
            if wink in book.behind and _is_behind_own_line(options, shot, piece):
                continue
            if exit is None and rule is not None:
                rest_time = max(
                    (event.t for event in shot.events if isinstance(event, CameToRest) and event.piece == wink),
                    default=inf,
                )
                exit = (nearest_boundary(options, piece.position), min(rest_time, shot.duration))
            elif exit is not None and rule is None and options.boundary_return == "rest":
                exit = None
            if exit is not None:
                out.append(OutOfBounds(wink=wink, point=exit[0], t=exit[1], rule=rule or "TW-8b"))
        elif wink not in book.behind or options.bring_in_short == "literal" or _has_entered(shot, wink):
            exit = exit or (nearest_boundary(options, shot.before.piece(wink).position), shot.duration)
            out.append(OutOfBounds(wink=wink, point=exit[0], t=exit[1], rule="TW-8b"))
    return tuple(sorted(out, key=lambda item: item.t))


def _was_moved(shot: Shot, piece: Piece) -> bool:
    return distance(piece.position, shot.before.piece(piece.id).position) > queries.LENGTH_TOLERANCE


def _first_exit(options: Options, shot: Shot, wink: str, bringing_in: bool) -> tuple[Point, float] | None:
    """Place and time of a wink's first exit; a wink being brought in must have entered before (TW-8b, TW-D5)."""
    seat = kit.seat_of(wink)
    has_entered = not bringing_in
    for event in shot.events:
        if getattr(event, "piece", None) != wink:
            continue
        match event:
            case LineCrossed(forward=True, line=line) if line == kit.line_name(seat):
                has_entered = True
            case LineCrossed(forward=False) if has_entered or event.line != kit.line_name(seat):
                if any(event.line == kit.line_name(owner) for owner in range(4)):
                    return event.point, event.t
            case Landed(point=point) if not is_inside_convex(point, kit.field(options)):
                is_behind_own = kit.is_behind_line(options, seat, point, 0.0)
                if has_entered or not is_behind_own:
                    return nearest_boundary(options, point), event.t
            case LeftSurface():
                return nearest_boundary(options, event.point), event.t
    return None


def _has_entered(shot: Shot, wink: str) -> bool:
    line = kit.line_name(kit.seat_of(wink))
    return any(
        isinstance(event, LineCrossed) and event.piece == wink and event.line == line and event.forward
        for event in shot.events
    )


def _is_behind_own_line(options: Options, shot: Shot, piece: Piece) -> bool:
    """Return True if a wink just squidged is still behind its own line, having crossed nothing (TW-8e)."""
    if _has_entered(shot, piece.id):
        return False
    seat = kit.seat_of(piece.id)
    base_line = next(edge for edge in kit.edges(options) if edge.seat == seat)
    if options.bring_in_short == "stay":
        return base_line.inward(piece.position) <= piece.radius
    on_mat = clearance(piece.position, kit.mat_surface(options).outline) >= piece.radius
    return on_mat and base_line.inward(piece.position) < -piece.radius - queries.LENGTH_TOLERANCE


def nearest_boundary(options: Options, point: Point) -> Point:
    """Point of the boundary nearest to a point (TW-D5)."""
    return min((_project_on_edge(point, edge) for edge in kit.edges(options)), key=lambda spot: distance(spot, point))


def _project_on_edge(point: Point, edge: kit.Edge) -> Point:
    ex, ey = edge.b[0] - edge.a[0], edge.b[1] - edge.a[1]
    fraction = ((point[0] - edge.a[0]) * ex + (point[1] - edge.a[1]) * ey) / (ex * ex + ey * ey)
    fraction = min(1.0, max(0.0, fraction))
    return (edge.a[0] + ex * fraction, edge.a[1] + ey * fraction)


def return_to_play(options: Options, scene: Scene, before: Scene, out_winks: tuple[OutOfBounds, ...]) -> Scene:
    """Return winks to play, each near where it left, in the order of leaving (TW-8f to TW-8l).

    Args:
        before: scene before the shot, for the winks that left the mat.
    """
    winks = [item.wink for item in out_winks]
    pieces = {name: scene.piece(name) if scene.has(name) else before.piece(name) for name in winks}
    scene = lift_winks(scene, winks)
    returned: list[Piece] = []
    for item in out_winks:
        piece = place_flat(pieces[item.wink], return_spot(options, scene, pieces[item.wink], item.point, returned))
        returned.append(piece)
        scene = scene_with_pieces(scene, (*scene.pieces, piece))
    return scene


def return_spot(options: Options, scene: Scene, piece: Piece, point: Point, returned: list[Piece]) -> Point:
    """Place to which a wink is put back, on an octagon 22.225 mm inside the boundary (TW-8g).

    It is the point of the octagon nearest, along its perimeter, to where the wink left (TW-8h, clockwise when level)
    that is 101.6 mm from each wink put back for the same shot (TW-8k) and clear of all others (TW-8l).
    """
    inset = kit.INSET + (piece.radius if options.replace_measure == "edge" else 0.0)
    perimeter = _PolygonPerimeter(_inset_octagon(options, inset))
    blocked_discs = []
    for other in scene.pieces:
        clearance_needed = piece.radius + other.bounding_radius
        if any(other.id == earlier.id for earlier in returned):
            clearance_needed = kit.APART + (clearance_needed if options.apart_measure == "edge" else 0.0)
        blocked_discs.append((other.position, clearance_needed + _STEP_IN))
    pot = scene.surface.pot
    if pot is not None:
        blocked_discs.append((pot.position, pot.top_radius + piece.radius + _STEP_IN))
    return perimeter.nearest_position(perimeter.corner_position(point), blocked_discs)


def _inset_octagon(options: Options, inset: float) -> tuple[Point, ...]:
    """Corners of the octagon that lies that far inside the boundaries [m]."""
    lines = []
    for edge in kit.edges(options):
        length = distance(edge.a, edge.b)
        ux, uy = (edge.b[0] - edge.a[0]) / length, (edge.b[1] - edge.a[1]) / length
        lines.append((edge.a[0] - uy * inset, edge.a[1] + ux * inset, ux, uy))
    corners = []
    for k in range(len(lines)):
        px, py, ux, uy = lines[k - 1]
        qx, qy, vx, vy = lines[k]
        along = ((qx - px) * vy - (qy - py) * vx) / (ux * vy - uy * vx)
        corners.append((px + ux * along, py + uy * along))
    return tuple(corners)


class _PolygonPerimeter:
    """Arc length parametrisation of a polygon's perimeter, counter-clockwise from its first corner."""

    def __init__(self, corners: tuple[Point, ...]) -> None:
        self._edges = [kit.Edge(a=a, b=b) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)]
        self._sides = [distance(edge.a, edge.b) for edge in self._edges]
        self._begin = [sum(self._sides[:k]) for k in range(len(corners))]
        self._all = sum(self._sides)

    def _point_at(self, s: float) -> Point:
        s %= self._all
        k = max(i for i, begin in enumerate(self._begin) if begin <= s)
        a, b = self._edges[k].a, self._edges[k].b
        fraction = (s - self._begin[k]) / self._sides[k]
        return (a[0] + (b[0] - a[0]) * fraction, a[1] + (b[1] - a[1]) * fraction)

    def corner_position(self, point: Point) -> float:
        """Arc length of the perimeter point nearest to a point [m]."""
        spots = [_project_on_edge(point, edge) for edge in self._edges]
        k = min(range(len(spots)), key=lambda k: distance(spots[k], point))
        return self._begin[k] + distance(self._edges[k].a, spots[k])

    def nearest_position(self, s: float, blocked_discs: list[tuple[Point, float]]) -> Point:
        """Perimeter point nearest to arc length s that lies outside every blocked disc (middle, radius)."""
        positions = [s]
        for k, edge in enumerate(self._edges):
            a, b = edge.a, edge.b
            ux, uy = (b[0] - a[0]) / self._sides[k], (b[1] - a[1]) / self._sides[k]
            for (x, y), radius in blocked_discs:
                along, offset = (x - a[0]) * ux + (y - a[1]) * uy, (x - a[0]) * uy - (y - a[1]) * ux
                if abs(offset) < radius:
                    half = sqrt(radius * radius - offset * offset)
                    positions += [
                        self._begin[k] + position
                        for position in (along - half, along + half)
                        if 0 <= position <= self._sides[k]
                    ]
        # the arc length increases counter-clockwise
        positions.sort(key=lambda position: (round(abs(self._turn(position - s)), 9), self._turn(position - s)))
        for position in positions:
            spot = self._point_at(position)
            if all(hypot(spot[0] - x, spot[1] - y) >= radius - _STEP_IN / 2.0 for (x, y), radius in blocked_discs):
                return spot
        raise AssertionError("the boundary has no free place for 24 winks")

    def _turn(self, s: float) -> float:
        """Signed difference of arc length, the shorter way round [m], negative clockwise."""
        return (s + self._all / 2.0) % self._all - self._all / 2.0
