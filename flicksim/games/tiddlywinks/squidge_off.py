"""Squidge-off: one wink each at the pot, the nearest opens; ties are repeated (TW-6)."""

from math import hypot, inf

from flicksim.core.units import mm, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext
from flicksim.games.tiddlywinks.boundaries import out_of_bounds_rule
from flicksim.games.tiddlywinks.potting import is_potted
from flicksim.games.tiddlywinks.state import Shot
from flicksim.games.tiddlywinks.wink_placement import place_wink
from flicksim.referee import Reason, queries
from flicksim.scene import Piece


def judge_heat(context: AdjudicationContext, shot: Shot) -> None:
    """Continue after a shot of the squidge-off; when all have played, the nearest opens the game."""
    book = context.book
    played = shot.flick.piece
    context.update_book(shots=(*book.shots, played))
    return_others_home(context, shot)
    result = "" if played in context.book.off else f" and is {_result_text(context, played)}"
    reason = Reason("TW-6b", f"{kit.display_name(played)} was squidged at the pot{result}.")
    context.reasons.insert(0, reason)
    if len(context.book.shots) < len(book.heat):
        following = book.heat[len(context.book.shots)]
        context.update_book(to_play=following, turn=following)
        return
    _find_nearest(context)


def return_others_home(context: AdjudicationContext, shot: Shot) -> None:
    """Return all winks behind their lines but those of this heat in the field, which stay and may be hit."""
    for wink in kit.WINKS:
        on_mat = context.scene.has(wink)
        piece = context.scene.piece(wink) if on_mat else shot.before.piece(wink)
        if on_mat and wink in context.book.shots and wink not in context.book.off and _is_on_field(context, piece):
            continue
        if wink in context.book.shots and wink not in context.book.off:
            context.update_book(off=(*context.book.off, wink))
            context.add_reason(
                "TW-6d", f"{kit.display_name(wink)} is off the field: farther than any that stayed on it."
            )
        home = kit.returned_home(context.options, piece)
        if not on_mat or home != piece:
            context.scene = place_wink(context.scene, home)


def _is_on_field(context: AdjudicationContext, piece: Piece) -> bool:
    return is_potted(context.scene, piece) or out_of_bounds_rule(context.options, piece) in (None, "TW-8d")


def distance_to_pot(context: AdjudicationContext, wink: str) -> float:
    """Distance of a wink from the pot [m]: below 0 in it, infinite off the field (TW-6d)."""
    if wink in context.book.off:
        return inf
    piece, pot = context.scene.piece(wink), context.scene.surface.pot
    assert pot is not None
    if is_potted(context.scene, piece):
        return -1.0
    distance = hypot(piece.x - pot.x, piece.y - pot.y)
    return (
        distance
        if context.options.squidgeoff_measure == "centre"
        else max(0.0, distance - piece.radius - pot.top_radius)
    )


def _result_text(context: AdjudicationContext, wink: str) -> str:
    distance = distance_to_pot(context, wink)
    return "in it" if distance < 0.0 else f"{_distance_text(distance)} from it"


def _find_nearest(context: AdjudicationContext) -> None:
    """Find the nearest seats; all winks go back behind the lines (TW-6c to TW-6e)."""
    book = context.book
    distances = {seat: distance_to_pot(context, wink) for seat, wink in zip(book.heat, book.shots, strict=True)}
    best = min(distances.values())
    tolerance = max(mm(context.options.measure_tol_mm), queries.LENGTH_TOLERANCE)
    nearest = tuple(seat for seat in book.heat if distances[seat] == best or distances[seat] - best <= tolerance)
    for wink in book.shots:
        context.scene = place_wink(context.scene, kit.returned_home(context.options, context.scene.piece(wink)))
    context.add_reason("TW-6c", "The winks go back behind the base lines.")
    context.update_book(shots=(), off=(), heat=nearest)
    names = " and ".join(kit.SEATS[seat] for seat in nearest)
    seat = nearest[0]
    if len(nearest) > 1:
        context.update_book(to_play=seat, turn=seat)
        context.add_reason("TW-6e", f"{names} are level ({_distance_text(best)}): they squidge again.")
        return
    context.update_book(heat=(), phase="shot", to_play=seat, turn=seat, opener=seat)
    context.add_reason("TW-6d", f"{names} is nearest ({_distance_text(best)}) and has the first squidge into play.")


def _distance_text(distance: float) -> str:
    return "off the field" if distance == inf else "potted" if distance < 0.0 else f"{to_mm(distance):.2f} mm"
