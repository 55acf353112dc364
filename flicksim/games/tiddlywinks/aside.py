"""Moving winks aside: round the pot, at the same distance from it, until clear of every other (TW-10e to TW-10g)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import acos, atan2, cos, hypot, pi, sin

from flicksim.base.geometry import Point
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.boundaries import out_at_rest, room
from flicksim.games.tiddlywinks.hands import put
from flicksim.games.tiddlywinks.hearing import Hearing
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.table import Piece, Scene, flat

_NUDGE = 1e-8
"""Clear means clear after places are kept to the nanometre [m]."""


def aside(options: Options, scene: Scene, wink: str) -> tuple[Piece, float]:
    """A wink moved round the pot to the nearest spot where it lies clear, and how far that is [m].

    The smaller turn is taken, clockwise when level; a turn that would leave the field, or end where no wink may lie in
    it, is not (TW-10f). It comes to rest neither on nor under another wink (TW-10g).
    """
    piece = scene.piece(wink)
    others = [other for other in scene.pieces if other.id != wink and other.support == "surface"]
    distance, begin = hypot(piece.x, piece.y), atan2(piece.y, piece.x)
    found = {0.0}
    for other in others:
        found.update(_touching(piece, other, distance, begin))
    for edge in kit.edges(options):
        found.update(_coming_in(options, piece, edge, distance, begin))
    turns = sorted(found, key=lambda turn: (round(abs(turn), 9), turn))
    for turn in turns:
        spot = (distance * cos(begin + turn), distance * sin(begin + turn))
        if _clear(options, piece, others, spot):
            return flat(piece, spot), abs(turn) * distance
    return _anywhere(options, piece, others)


def _touching(piece: Piece, other: Piece, distance: float, begin: float) -> list[float]:
    """Turns round the pot after which two winks just touch [rad], negative clockwise."""
    far, need = hypot(other.x, other.y), piece.radius + other.span + _NUDGE
    if not distance or not far:
        return []
    cosine = (distance * distance + far * far - need * need) / (2.0 * distance * far)
    if abs(cosine) > 1.0:
        return []
    half, middle = acos(cosine), atan2(other.y, other.x) - begin
    return [_turn(middle + half), _turn(middle - half)]


def _coming_in(options: Options, piece: Piece, edge: kit.Edge, distance: float, begin: float) -> list[float]:
    """Turns round the pot after which a wink lies just inside a boundary [rad], negative clockwise."""
    need = piece.radius + room(options, edge) + _NUDGE
    cosine = (edge.inward((0.0, 0.0)) - need) / distance if distance else 2.0
    if abs(cosine) > 1.0:
        return []
    half, outward = acos(cosine), atan2(edge.a[0] - edge.b[0], edge.b[1] - edge.a[1])
    return [_turn(outward - begin + half), _turn(outward - begin - half)]


def _turn(angle: float) -> float:
    """A turn, -pi to pi [rad], to the last bit as records of before were settled with."""
    return (angle + pi) % (2.0 * pi) - pi


def _clear(options: Options, piece: Piece, others: list[Piece], spot: Point) -> bool:
    return out_at_rest(options, flat(piece, spot)) is None and all(
        hypot(spot[0] - other.x, spot[1] - other.y) >= piece.radius + other.span - _NUDGE / 2.0 for other in others
    )


def _anywhere(options: Options, piece: Piece, others: list[Piece]) -> tuple[Piece, float]:
    """No spot at that distance is clear (only in a corner of the field): the nearest clear one on a fine grid."""
    step = piece.radius / 2.0
    for ring in range(1, 400):
        for k in range(6 * ring):
            way = k * pi / (3 * ring)
            spot = (piece.x + ring * step * cos(way), piece.y + ring * step * sin(way))
            if _clear(options, piece, others, spot) and hypot(*spot) > kit.POT_TOP + piece.radius:
                return flat(piece, spot), ring * step
    raise AssertionError("a mat has room for 24 winks")


def from_the_top(winks: Iterable[str], squops: Squops) -> tuple[str, ...]:
    """Winks in an order in which each is uncovered when its turn comes (TW-10c: from the top down)."""
    left, order = list(winks), []
    while left:
        top = next((wink for wink in left if not any(over in left for over in squops.over(wink))), left[0])
        left.remove(top)
        order.append(top)
    return tuple(order)


def moved_aside(options: Options, scene: Scene, winks: Iterable[str]) -> tuple[tuple[Piece, ...], float]:
    """These winks moved aside one after the other, and how far together [m]."""
    total, moved = 0.0, []
    for wink in winks:
        piece, way = aside(options, scene, wink)
        scene = scene.with_piece(piece)
        moved.append(piece)
        total += way
    return tuple(moved), total


def uncover_all(hearing: Hearing) -> None:
    """Every squopping wink is moved aside, from the top of each pile down, until none covers another (TW-10c)."""
    while True:
        squops = hearing.squops()
        tops = [wink for wink in kit.WINKS if squops.squopping(wink)]
        if not tops:
            return
        # winks propped in a ring, each over the next, have no top: any of them will do
        top = next((wink for wink in tops if not squops.squopped(wink)), tops[0])
        piece, way = aside(hearing.options, hearing.scene, top)
        hearing.scene = put(hearing.scene, piece)
        hearing.say("TW-10e", f"{kit.called(top)} is moved {way * 1000:.1f} mm round the pot, clear of every wink.")


class Freeing:
    """Ways to free a squopped pair by moving winks aside, the smallest move first.

    Each way is the winks that cover one of its winks, with whatever covers those, and nothing of the pair's own: its
    own upper winks are freed first.
    """

    def __init__(self, hearing: Hearing, victims: int) -> None:
        squops = hearing.squops()
        self._found: dict[tuple[str, ...], tuple[tuple[Piece, ...], float]] = {}
        self._frees: dict[tuple[str, ...], list[str]] = {}
        for own_too in (False, True):
            for wink in kit.WINKS:
                if kit.pair_of(kit.seat_of(wink)) != victims or not squops.squopped(wink):
                    continue
                movers = _above(wink, squops) - {wink}
                if not own_too and any(kit.pair_of(kit.seat_of(mover)) == victims for mover in movers):
                    continue
                order = from_the_top((name for name in kit.WINKS if name in movers), squops)
                self._frees.setdefault(order, []).append(wink)
                if order not in self._found:
                    self._found[order] = moved_aside(hearing.options, hearing.scene, order)
            if self._found:
                break

    def ways(self, prefer: Callable[[tuple[str, ...]], bool] = lambda _: True) -> tuple[tuple[str, ...], ...]:
        """The sets of winks that may be moved; only the preferred ones when there are such (TW-9c10)."""
        ways = sorted(self._found, key=lambda order: (round(self._found[order][1], 9), order))
        return tuple(way for way in ways if prefer(way)) or tuple(ways)

    def frees(self, way: tuple[str, ...]) -> tuple[str, ...]:
        """The winks of the squopped pair that this way uncovers."""
        return tuple(self._frees[way])

    def do(self, hearing: Hearing, way: tuple[str, ...]) -> None:
        """Move them."""
        for piece in self._found[way][0]:
            hearing.scene = put(hearing.scene, piece)


def _above(wink: str, squops: Squops) -> frozenset[str]:
    found: set[str] = set()
    edge = [wink]
    while edge:
        for over in squops.over(edge.pop()):
            if over not in found:
                found.add(over)
                edge.append(over)
    return frozenset(found)
