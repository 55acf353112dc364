"""Adjudication of a shot in the order of TW-D4, fouls of the stroke (TW-4e, 7b, 9a1, 9b), the squidge-off (TW-6)."""

from collections.abc import Sequence
from math import hypot, inf

from flicksim.core.units import mm, to_mm
from flicksim.games.tiddlywinks import boundaries, potting, scoring, turn_order
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext
from flicksim.games.tiddlywinks.boundaries import out_of_bounds_rule
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.move_aside import uncover_all
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Shot
from flicksim.games.tiddlywinks.wink_placement import place_wink, scene_with_pieces
from flicksim.referee import Reason, queries
from flicksim.scene import Piece, SquidgerContact


def judge_shot(shot: Shot) -> tuple[AdjudicationContext, Reason | None]:
    """Adjudicate a shot as if it were fair; return the context and the foul in it, if any."""
    state = shot.former
    context = AdjudicationContext(state, scene_with_pieces(shot.after, shot.after.pieces))
    before = Squops(shot.before, state.book)
    seat = state.book.turn
    foul = None if shot.let_stand else stroke_foul(state.options, before, seat, shot.squidger)
    if state.phase == "squidge_off":
        judge_heat(context, shot)
        return context, foul
    turn_order.advance_clock(context, state.options.seconds_per_shot)
    reason_count = len(context.reasons)
    _locate_winks(context, shot, seat)
    _report_squops(context, before, shot.flick.piece)
    potting.record_finishers(context, shot)
    if context.book.potted_out:
        uncover_all(context)
    if potting.is_decided(context):
        scoring.finish(context)
        return context, foul
    fair = foul is None and not shot.let_stand
    if fair and state.options.resquop_remedy == "foul" and turn_order.resquopped(context, seat):
        foul = Reason("TW-9c11", "A pair freed just before was squopped again before it had a shot.")
    turn_order.after_shot(context, seat, before, shot.aside)
    _award_extra_shots(context, shot, seat)
    if len(context.reasons) == reason_count:
        context.add_reason("TW-7c", shot_text(context, shot.flick.piece))
    if context.book.phase != "aside":
        turn_order.continue_turn(context)
    return context, foul


def _award_extra_shots(context: AdjudicationContext, shot: Shot, seat: int) -> None:
    """Award an extra shot per own wink potted (TW-7d), unless none is left to play; none for an obstructed shot."""
    own = [wink for wink in context.newly_potted() if kit.seat_of(wink) == seat]
    if own and not context.book.has_potted_all(seat):
        context.update_book(extra=context.book.extra + len(own))
        shots = "an extra shot" if len(own) == 1 else f"{len(own)} extra shots"
        context.add_reason("TW-7d", f"{kit.SEATS[seat]} has earned {shots}.")
    if context.book.extra and shot.obstructed:
        context.add_reason("TW-12c", "It was obstructed: no extra shot is played, the next player takes his turn.")
        context.update_book(extra=0)
    elif context.book.extra and shot.let_stand and not context.options.foul_keep_extras:
        context.add_reason("TW-12f", f"It was foul: {kit.SEATS[seat]} gets no extra shot from it.")
        context.update_book(extra=0)


def _locate_winks(context: AdjudicationContext, shot: Shot, seat: int) -> None:
    """Determine the place and status of every wink: pot, rim and boundary (TW-D1, TW-D4)."""
    lost = tuple(piece for piece in shot.before.pieces if not shot.after.has(piece.id))
    potting.record_potted(context, lost)
    potting.lay_leaners_flat(context)
    out = boundaries.winks_out_of_bounds(context.options, shot, context.scene, context.book)
    played = shot.flick.piece
    if played in context.book.behind:
        if any(item.wink == played for item in out) or _lies_in_field(context, played):
            context.update_book(behind=tuple(wink for wink in context.book.behind if wink != played))
        else:
            context.add_reason("TW-8e", f"{kit.display_name(played)} did not cross its base line and stays behind it.")
    for wink in context.book.behind:
        on_mat = context.scene.has(wink)
        home = kit.returned_home(context.options, context.scene.piece(wink) if on_mat else shot.before.piece(wink))
        if not on_mat or context.scene.piece(wink) != home:
            context.scene = place_wink(context.scene, home)
            if wink != played:
                context.add_reason(
                    "TW-12a", f"{kit.display_name(wink)} was disturbed behind its base line and is put back."
                )
    if out:
        context.scene = boundaries.return_to_play(context.options, context.scene, shot.before, out)
        _report_out_winks(context, out, seat)


def _report_squops(context: AdjudicationContext, before: Squops, played: str) -> None:
    """Report winks newly squopped (TW-9a3), and those freed by a shot from a pile: a desquop (TW-9b4)."""
    after = context.squops()
    for wink in kit.WINKS:
        new_squoppers = [upper for upper in after.covering(wink) if upper not in before.covering(wink)]
        if new_squoppers:
            context.add_reason(
                "TW-9a3", f"{' and '.join(map(kit.display_name, new_squoppers))} squopped {kit.display_name(wink)}."
            )
    freed = [
        wink
        for wink in kit.WINKS
        if before.is_squopped(wink) and not after.is_squopped(wink) and wink not in context.book.potted
    ]
    if before.is_squopping(played) and freed:
        context.add_reason("TW-9b4", f"A desquop: {' and '.join(map(kit.display_name, freed))} can be played again.")


def _lies_in_field(context: AdjudicationContext, wink: str) -> bool:
    return context.scene.has(wink) and boundaries.out_of_bounds_rule(context.options, context.scene.piece(wink)) is None


_OUT_TEXT = {
    "TW-8b": "went over the boundary",
    "TW-8c": "came to rest on the boundary",
    "TW-8d": "came to rest too near the mat's edge to be played",
}


def _report_out_winks(context: AdjudicationContext, out: tuple[boundaries.OutOfBounds, ...], seat: int) -> None:
    """Report winks returned to play, and penalise the player whose own wink it was (TW-8i, TW-8j)."""
    for item in out:
        context.add_reason(
            item.rule, f"{kit.display_name(item.wink)} {_OUT_TEXT[item.rule]} and is put back, 22.225 mm in."
        )
    if any(kit.seat_of(item.wink) == seat for item in out):
        context.update_book(missing=tuple(sorted({*context.book.missing, seat})))
        context.add_reason("TW-8i", f"{kit.SEATS[seat]} sent off a wink of his own and misses his next shot.")


def distance_to_pot_text(context: AdjudicationContext, wink: str) -> str:
    """Text of the distance between the edges of a wink and the pot: in millimetres, in tenths if near."""
    gap = to_mm(_gap_to_pot(context, wink))
    return f"{gap:.0f} mm from the pot" if gap >= 20.0 else f"{gap:.1f} mm from the pot"


def shot_text(context: AdjudicationContext, wink: str) -> str:
    """Text of where the squidged wink came to rest, and what it lies on."""
    name = kit.display_name(wink)
    if wink in context.book.behind:
        return f"{name} stays behind its base line."
    if wink in context.book.potted:
        return f"{name} stays in the pot."
    entry_text = " is brought in and" if wink in context.initial_book.behind else ""
    on = context.scene.piece(wink).lies_on
    rest_text = f" lies on {' and '.join(map(kit.display_name, on))}," if on else " rests"
    return f"{name}{entry_text}{rest_text} {distance_to_pot_text(context, wink)}."


_CONTACT_GAP_TIME = 1e-6
"""Contacts that begin within this time begin together [s]."""
_MAX_CONTACT_GAP = 0.005
"""Longest pause between contacts within a stroke [s], as the squidger moves from wink to wink."""


def stroke_foul(options: Options, squops: Squops, seat: int, log: Sequence[SquidgerContact]) -> Reason | None:
    """Foul in a stroke; None if there is none, or the contact log is empty.

    Args:
        squops: squops before the stroke. seat: seat that played. log: contacts of the squidger.
    """
    touches = sorted(log, key=lambda touch: touch.begin)
    if not touches:
        return None
    first = touches[0]
    simultaneous = [
        touch.piece
        for touch in touches
        if touch.begin - first.begin <= _CONTACT_GAP_TIME and touch.piece != first.piece
    ]
    if simultaneous:
        names = " and ".join(kit.display_name(name) for name in (first.piece, *simultaneous))
        return Reason("TW-9b1", f"The squidger touched {names} at once; the first touch must be of one wink.")
    if kit.seat_of(first.piece) != seat:
        return Reason("TW-7b", f"{kit.SEATS[seat]} played {kit.display_name(first.piece)}, which is not his.")
    if squops.is_squopped(first.piece):
        return Reason("TW-9a1", f"{kit.display_name(first.piece)} was played though squopped.")
    # a wrong contact takes precedence: the gap before a contact beside the pile is no pause of the stroke
    return _wrong_contact_foul(squops, first.piece, touches) or _long_stroke_foul(options, touches)


def _long_stroke_foul(options: Options, touches: Sequence[SquidgerContact]) -> Reason | None:
    """Foul of a stroke that is not short and continuous (TW-9b2)."""
    last_end, length = touches[0].begin, 0.0
    for touch in touches:
        if touch.begin > last_end + _MAX_CONTACT_GAP:
            return Reason(
                "TW-9b2",
                f"The stroke broke off for {(touch.begin - last_end) * 1000:.0f} ms; it must be continuous.",
            )
        # overlapping contacts count once
        duration = touch.end - touch.begin
        length += touch.way * (max(0.0, touch.end - max(last_end, touch.begin)) / duration if duration > 0.0 else 1.0)
        last_end = max(last_end, touch.end)
    if length > mm(options.stroke_max_mm) + 1e-9:
        text = f"The stroke was {to_mm(length):.0f} mm long; it may be {options.stroke_max_mm:g} mm."
        return Reason("TW-9b2", text)
    if last_end - touches[0].begin > options.stroke_max_s + 1e-9:
        text = f"The stroke took {last_end - touches[0].begin:.2f} s; it may take {options.stroke_max_s:g} s."
        return Reason("TW-9b2", text)
    return None


def _wrong_contact_foul(squops: Squops, played: str, touches: Sequence[SquidgerContact]) -> Reason | None:
    """Foul of touching a wink other than the played one and those vertically under it (TW-9b3)."""
    allowed = {played, *squops.covered(played)}
    for touch in touches:
        if touch.piece not in allowed:
            touched, upper = kit.display_name(touch.piece), kit.display_name(played)
            return Reason("TW-9b3", f"The squidger touched {touched}, which did not lie under {upper}.")
    return None


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
    return potting.is_potted(context.scene, piece) or out_of_bounds_rule(context.options, piece) in (None, "TW-8d")


def distance_to_pot(context: AdjudicationContext, wink: str) -> float:
    """Distance of a wink from the pot [m]: below 0 in it, infinite off the field (TW-6d)."""
    if wink in context.book.off:
        return inf
    if potting.is_potted(context.scene, context.scene.piece(wink)):
        return -1.0
    return _gap_to_pot(context, wink, by_centre=context.options.squidgeoff_measure == "centre")


def _gap_to_pot(context: AdjudicationContext, wink: str, *, by_centre: bool = False) -> float:
    """Distance between the edges of a wink and the pot [m], or between their middles."""
    piece, pot = context.scene.piece(wink), context.scene.surface.pot
    assert pot is not None
    distance = hypot(piece.x - pot.x, piece.y - pot.y)
    return distance if by_centre else max(0.0, distance - piece.radius - pot.top_radius)


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
