"""Moving winks aside: round the pot, at the same distance from it, until clear of every other (TW-10e to TW-10g)."""

from collections.abc import Callable, Iterable
from math import acos, atan2, cos, hypot, pi, sin

from flicksim.core.geometry import Point
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext
from flicksim.games.tiddlywinks.boundaries import inset_of_last_legal_rim, out_of_bounds_rule
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.wink_placement import place_wink
from flicksim.scene import Piece, Scene, all_supports, place_flat

_CLEARANCE = 1e-8
"""Margin that keeps a place clear after rounding to the nanometre [m]."""


def moved_aside_position(options: Options, scene: Scene, wink: str) -> tuple[Piece, float]:
    """Move a wink round the pot to the nearest clear spot; return it and the distance moved [m].

    The smaller turn is taken, clockwise when level, among those that end on a legal place of the field (TW-10f). The
    wink comes to rest neither on nor under another (TW-10g).
    """
    piece = scene.piece(wink)
    others = [other for other in scene.pieces if other.id != wink and other.support == "surface"]
    distance, start_angle = hypot(piece.x, piece.y), atan2(piece.y, piece.x)
    angles = {0.0}
    for other in others:
        angles.update(_touching_angles(piece, other, distance, start_angle))
    for edge in kit.edges(options):
        angles.update(_boundary_angles(options, piece, edge, distance, start_angle))
    angles_by_size = sorted(angles, key=lambda angle: (round(abs(angle), 9), angle))
    for angle in angles_by_size:
        spot = (distance * cos(start_angle + angle), distance * sin(start_angle + angle))
        if _is_clear(options, piece, others, spot):
            return place_flat(piece, spot), abs(angle) * distance
    return _nearest_clear_spot(options, piece, others)


def _touching_angles(piece: Piece, other: Piece, distance: float, start_angle: float) -> list[float]:
    """Angles round the pot at which two winks just touch [rad], negative clockwise."""
    other_distance, contact_distance = hypot(other.x, other.y), piece.radius + other.bounding_radius + _CLEARANCE
    if not distance or not other_distance:
        return []
    cosine = (distance * distance + other_distance * other_distance - contact_distance * contact_distance) / (
        2.0 * distance * other_distance
    )
    if abs(cosine) > 1.0:
        return []
    half, middle = acos(cosine), atan2(other.y, other.x) - start_angle
    return [_wrap_angle(middle + half), _wrap_angle(middle - half)]


def _boundary_angles(
    options: Options, piece: Piece, edge: kit.Edge, distance: float, start_angle: float
) -> list[float]:
    """Angles round the pot at which a wink lies just inside a boundary [rad], negative clockwise."""
    inset = piece.radius + inset_of_last_legal_rim(options, edge) + _CLEARANCE
    cosine = (edge.inward((0.0, 0.0)) - inset) / distance if distance else 2.0
    if abs(cosine) > 1.0:
        return []
    half_angle, outward = acos(cosine), atan2(edge.a[0] - edge.b[0], edge.b[1] - edge.a[1])
    return [_wrap_angle(outward - start_angle + half_angle), _wrap_angle(outward - start_angle - half_angle)]


def _wrap_angle(angle: float) -> float:
    """Wrap an angle to -pi to pi [rad], with the rounding that existing records were simulated with."""
    return (angle + pi) % (2.0 * pi) - pi


def _is_clear(options: Options, piece: Piece, others: list[Piece], spot: Point) -> bool:
    return out_of_bounds_rule(options, place_flat(piece, spot)) is None and all(
        hypot(spot[0] - other.x, spot[1] - other.y) >= piece.radius + other.bounding_radius - _CLEARANCE / 2.0
        for other in others
    )


def _nearest_clear_spot(options: Options, piece: Piece, others: list[Piece]) -> tuple[Piece, float]:
    """Nearest clear spot on a fine grid, if none at the same distance is clear (only in a corner of the field)."""
    step = piece.radius / 2.0
    for ring in range(1, 400):
        for k in range(6 * ring):
            angle = k * pi / (3 * ring)
            spot = (piece.x + ring * step * cos(angle), piece.y + ring * step * sin(angle))
            if _is_clear(options, piece, others, spot) and hypot(*spot) > kit.POT_TOP + piece.radius:
                return place_flat(piece, spot), ring * step
    raise AssertionError("the mat has no clear place for 24 winks")


def top_down_order(winks: Iterable[str], squops: Squops) -> tuple[str, ...]:
    """Order winks from the top down, so that each is uncovered when its turn comes (TW-10c)."""
    remaining, order = list(winks), []
    while remaining:
        top = next(
            (wink for wink in remaining if not any(other in remaining for other in squops.covering(wink))), remaining[0]
        )
        remaining.remove(top)
        order.append(top)
    return tuple(order)


def move_all_aside(options: Options, scene: Scene, winks: Iterable[str]) -> tuple[tuple[Piece, ...], float]:
    """Move winks aside one after the other; return the scene and the total distance [m]."""
    total, moved = 0.0, []
    for wink in winks:
        piece, distance = moved_aside_position(options, scene, wink)
        scene = scene.with_piece(piece)
        moved.append(piece)
        total += distance
    return tuple(moved), total


def uncover_all(context: AdjudicationContext) -> None:
    """Move every squopping wink aside, from the top of each pile down, until none covers another (TW-10b to TW-10g)."""
    while True:
        squops = context.squops()
        tops = [wink for wink in kit.WINKS if squops.is_squopping(wink)]
        if not tops:
            return
        # winks in a ring, each over the next, have no top: take the first
        top = next((wink for wink in tops if not squops.is_squopped(wink)), tops[0])
        piece, distance = moved_aside_position(context.options, context.scene, top)
        context.scene = place_wink(context.scene, piece)
        context.add_reason(
            "TW-10e", f"{kit.display_name(top)} is moved {distance * 1000:.1f} mm round the pot, clear of every wink."
        )


class FreeingMoves:
    """Sets of winks to move aside in order to free a squopped pair, the smallest move first.

    A set is the winks that cover one of the pair's winks, directly or indirectly; sets that contain winks of the pair
    itself are used only if there are no others.
    """

    def __init__(self, context: AdjudicationContext, squopped_pair: int) -> None:
        squops = context.squops()
        covering = {wink: squops.covering(wink) for wink in kit.WINKS}
        self._found: dict[tuple[str, ...], tuple[tuple[Piece, ...], float]] = {}
        self._frees: dict[tuple[str, ...], list[str]] = {}
        for allow_own in (False, True):
            for wink in kit.WINKS:
                if kit.pair_of(kit.seat_of(wink)) != squopped_pair or not squops.is_squopped(wink):
                    continue
                movers = all_supports(covering, wink) - {wink}
                if not allow_own and any(kit.pair_of(kit.seat_of(mover)) == squopped_pair for mover in movers):
                    continue
                order = top_down_order((name for name in kit.WINKS if name in movers), squops)
                self._frees.setdefault(order, []).append(wink)
                if order not in self._found:
                    self._found[order] = move_all_aside(context.options, context.scene, order)
            if self._found:
                break

    def move_sets(self, prefer: Callable[[tuple[str, ...]], bool] = lambda _: True) -> tuple[tuple[str, ...], ...]:
        """Sets of winks that may be moved; only the preferred ones if there are any (TW-9c10)."""
        ordered = sorted(self._found, key=lambda order: (round(self._found[order][1], 9), order))
        return tuple(move_set for move_set in ordered if prefer(move_set)) or tuple(ordered)

    def freed_winks(self, move_set: tuple[str, ...]) -> tuple[str, ...]:
        """Winks of the squopped pair that a move set uncovers."""
        return tuple(self._frees[move_set])

    def apply(self, context: AdjudicationContext, move_set: tuple[str, ...]) -> None:
        """Move a set of winks."""
        for piece in self._found[move_set][0]:
            context.scene = place_wink(context.scene, piece)
