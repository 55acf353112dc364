"""Boundaries: which winks went out, where each left, and where it is put back (TW-8)."""

from __future__ import annotations

from math import hypot, inf, sqrt

from flicksim.base.codec import Value
from flicksim.base.geometry import Point, clearance, distance, inside
from flicksim.base.units import mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.hands import arranged, lift
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.state import Book, Shot
from flicksim.referee import reading
from flicksim.table import Crossed, Landed, Left, Piece, Rested, Scene, flat

_NUDGE = 1e-8
"""Legal means legal after places are kept to the nanometre [m]."""


class Gone(Value, frozen=True, kw_only=True):
    """A wink that is to be put back: where [m] and when [s] it left, and by which row."""

    wink: str
    point: Point
    t: float
    rule: str


def out_at_rest(options: Options, piece: Piece) -> str | None:
    """The row by which a wink lying there is out: past or on the boundary, or too near the mat's edge (TW-8b to 8d)."""
    rule = None
    for edge in kit.edges(options):
        gap = edge.inward(piece.at) - piece.radius
        if gap < -2.0 * piece.radius:
            return "TW-8b"
        if gap <= _touch(options):
            rule = "TW-8c"
        elif edge.seat is None and gap < mm(options.unplayable_margin_mm) - reading.EPS:
            rule = rule or "TW-8d"
    return rule


def _touch(options: Options) -> float:
    """A wink whose rim lies no farther in than this is on the boundary [m] (TW-8c)."""
    return reading.EPS if options.boundary_touch == "out" else -reading.EPS


def room(options: Options, edge: kit.Edge) -> float:
    """Distance inside a boundary of the rim of a wink that is just not out [m] (see `out_at_rest`)."""
    margin = mm(options.unplayable_margin_mm) if edge.seat is None else 0.0
    return max(margin, _touch(options) + _NUDGE)


def gone(options: Options, shot: Shot, scene: Scene, book: Book) -> tuple[Gone, ...]:
    """Every wink in play, or brought in by this shot, that is to be put back, in the order of leaving (TW-8e, TW-8h).

    Args:
        scene: as it lies now. book: as it was before the shot but for winks potted by it.
    """
    found = []
    for wink in kit.WINKS:
        played = wink == shot.flick.piece
        if wink in book.potted or (wink in book.behind and not played):
            continue
        left = _left(options, shot, wink, wink in book.behind)
        if scene.has(wink):
            piece = scene.piece(wink)
            # where hands laid it, nobody has squidged it: only what has moved since can be out by where it lies
            rule = out_at_rest(options, piece) if _moved(shot, piece) else None
            if wink in book.behind and _stays_behind(options, shot, piece):
                continue
            if left is None and rule is not None:
                t = max((e.t for e in shot.events if isinstance(e, Rested) and e.piece == wink), default=inf)
                left = (nearest_boundary(options, piece.at), min(t, shot.duration))
            elif left is not None and rule is None and options.boundary_return == "rest":
                left = None
            if left is not None:
                found.append(Gone(wink=wink, point=left[0], t=left[1], rule=rule or "TW-8b"))
        elif wink not in book.behind or options.bring_in_short == "literal" or _came_in(shot, wink):
            left = left or (nearest_boundary(options, shot.before.piece(wink).at), shot.duration)
            found.append(Gone(wink=wink, point=left[0], t=left[1], rule="TW-8b"))
    return tuple(sorted(found, key=lambda one: one.t))


def _moved(shot: Shot, piece: Piece) -> bool:
    return distance(piece.at, shot.before.piece(piece.id).at) > reading.EPS


def _left(options: Options, shot: Shot, wink: str, bringing_in: bool) -> tuple[Point, float] | None:
    """Place and time at which a wink first went out; one being brought in must have come in before (TW-8b, TW-D5)."""
    seat = kit.seat_of(wink)
    came_in = not bringing_in
    for event in shot.events:
        if getattr(event, "piece", None) != wink:
            continue
        match event:
            case Crossed(forward=True, line=line) if line == kit.line_name(seat):
                came_in = True
            case Crossed(forward=False) if came_in or event.line != kit.line_name(seat):
                if any(event.line == kit.line_name(owner) for owner in range(4)):
                    return event.point, event.t
            case Landed(point=point) if not inside(point, kit.field(options)):
                own = kit.behind(options, seat, point, 0.0)
                if came_in or not own:
                    return nearest_boundary(options, point), event.t
            case Left():
                return nearest_boundary(options, event.point), event.t
    return None


def _came_in(shot: Shot, wink: str) -> bool:
    line = kit.line_name(kit.seat_of(wink))
    return any(isinstance(e, Crossed) and e.piece == wink and e.line == line and e.forward for e in shot.events)


def _stays_behind(options: Options, shot: Shot, piece: Piece) -> bool:
    """True where a wink just squidged is still behind its own line, having crossed nothing (TW-8e)."""
    if _came_in(shot, piece.id):
        return False
    seat = kit.seat_of(piece.id)
    line = next(edge for edge in kit.edges(options) if edge.seat == seat)
    if options.bring_in_short == "stay":
        return line.inward(piece.at) <= piece.radius
    on_mat = clearance(piece.at, kit.mat(options).outline) >= piece.radius
    return on_mat and line.inward(piece.at) < -piece.radius - reading.EPS


def nearest_boundary(options: Options, point: Point) -> Point:
    """The boundary point nearest to a point (TW-D5)."""
    return min((_onto(point, edge) for edge in kit.edges(options)), key=lambda spot: distance(spot, point))


def _onto(point: Point, edge: kit.Edge) -> Point:
    ex, ey = edge.b[0] - edge.a[0], edge.b[1] - edge.a[1]
    share = ((point[0] - edge.a[0]) * ex + (point[1] - edge.a[1]) * ey) / (ex * ex + ey * ey)
    share = min(1.0, max(0.0, share))
    return (edge.a[0] + ex * share, edge.a[1] + ey * share)


def put_back(options: Options, scene: Scene, before: Scene, away: tuple[Gone, ...]) -> Scene:
    """The scene with these winks put back into play, each near where it left, in the order of leaving (TW-8f to TW-8l).

    Args:
        before: the scene before the shot, which knows winks that left the mat.
    """
    names = [one.wink for one in away]
    pieces = {name: scene.piece(name) if scene.has(name) else before.piece(name) for name in names}
    scene = lift(scene, names)
    returned: list[Piece] = []
    for one in away:
        piece = flat(pieces[one.wink], replacement(options, scene, pieces[one.wink], one.point, returned))
        returned.append(piece)
        scene = arranged(scene, (*scene.pieces, piece))
    return scene


def replacement(options: Options, scene: Scene, piece: Piece, point: Point, returned: list[Piece]) -> Point:
    """Place to which a wink is put back: in from the boundary opposite where it left, slid along no farther than it
    must.

    The spots 22.225 mm in from the boundary form a smaller octagon (TW-8g). The wink goes to the spot on it nearest
    along it to where it left (TW-8h, clockwise when level) that is 101.6 mm from each wink put back for the same shot
    (TW-8k) and clear of all others (TW-8l).
    """
    inset = kit.INSET + (piece.radius if options.replace_measure == "edge" else 0.0)
    ring = _Ring(_inset(options, inset))
    blocks = []
    for other in scene.pieces:
        need = piece.radius + other.span
        if any(other.id == back.id for back in returned):
            need = kit.APART + (need if options.apart_measure == "edge" else 0.0)
        blocks.append((other.at, need + _NUDGE))
    pot = scene.surface.pot
    if pot is not None:
        blocks.append((pot.at, pot.top_radius + piece.radius + _NUDGE))
    return ring.nearest(ring.foot(point), blocks)


def _inset(options: Options, by: float) -> tuple[Point, ...]:
    """Corners of the octagon that lies that far inside the boundaries [m]."""
    lines = []
    for edge in kit.edges(options):
        length = distance(edge.a, edge.b)
        ux, uy = (edge.b[0] - edge.a[0]) / length, (edge.b[1] - edge.a[1]) / length
        lines.append((edge.a[0] - uy * by, edge.a[1] + ux * by, ux, uy))
    corners = []
    for k in range(len(lines)):
        px, py, ux, uy = lines[k - 1]
        qx, qy, vx, vy = lines[k]
        along = ((qx - px) * vy - (qy - py) * vx) / (ux * vy - uy * vx)
        corners.append((px + ux * along, py + uy * along))
    return tuple(corners)


class _Ring:
    """The way round a polygon, as one length from its first corner, counter-clockwise."""

    def __init__(self, corners: tuple[Point, ...]) -> None:
        self._corners = corners
        n = len(corners)
        self._sides = [distance(corners[k], corners[(k + 1) % n]) for k in range(n)]
        self._begin = [sum(self._sides[:k]) for k in range(n)]
        self._all = sum(self._sides)

    def _at(self, s: float) -> Point:
        s %= self._all
        k = max(i for i in range(len(self._begin)) if self._begin[i] <= s)
        a, b = self._corners[k], self._corners[(k + 1) % len(self._corners)]
        share = (s - self._begin[k]) / self._sides[k]
        return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)

    def foot(self, point: Point) -> float:
        """Distance along it of the spot nearest to a point [m]."""
        best, found = inf, 0.0
        for k, a in enumerate(self._corners):
            b = self._corners[(k + 1) % len(self._corners)]
            spot = _onto(point, kit.Edge(a=a, b=b))
            if distance(spot, point) < best:
                best, found = distance(spot, point), self._begin[k] + distance(a, spot)
        return found

    def nearest(self, s: float, blocks: list[tuple[Point, float]]) -> Point:
        """The spot nearest along the way to s that lies outside every block (middle, radius)."""
        ends = [s]
        for k, a in enumerate(self._corners):
            b = self._corners[(k + 1) % len(self._corners)]
            ux, uy = (b[0] - a[0]) / self._sides[k], (b[1] - a[1]) / self._sides[k]
            for (x, y), radius in blocks:
                along, off = (x - a[0]) * ux + (y - a[1]) * uy, (x - a[0]) * uy - (y - a[1]) * ux
                if abs(off) < radius:
                    half = sqrt(radius * radius - off * off)
                    ends += [self._begin[k] + end for end in (along - half, along + half) if 0 <= end <= self._sides[k]]
        # clockwise is backwards on a way that runs counter-clockwise
        ends.sort(key=lambda end: (round(abs(self._turn(end - s)), 9), self._turn(end - s)))
        for end in ends:
            spot = self._at(end)
            if all(hypot(spot[0] - x, spot[1] - y) >= radius - _NUDGE / 2.0 for (x, y), radius in blocks):
                return spot
        raise AssertionError("a boundary has room for 24 winks")

    def _turn(self, s: float) -> float:
        """A way along, the shorter way round [m], negative clockwise."""
        return (s + self._all / 2.0) % self._all - self._all / 2.0
