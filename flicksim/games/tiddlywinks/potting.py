"""Adjudication of potted winks, winks that lean on the pot, and potting out (TW-5, TW-7e to TW-7i, TW-10)."""

from math import cos, sin

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext
from flicksim.games.tiddlywinks.state import Shot
from flicksim.games.tiddlywinks.wink_placement import lift_winks, place_in_pot, place_wink, spot_touching_pot
from flicksim.scene import CameToRest, Piece, Pot, Scene, place_flat, place_piece


def is_potted(scene: Scene, piece: Piece) -> bool:
    """Return True if a wink at rest is in the pot, or balanced on its rim and held by nothing else (TW-7e, TW-7f)."""
    return piece.support == "pot" or (piece.support == "rim" and not _is_propped(scene, piece))


def is_leaning(scene: Scene, piece: Piece) -> bool:
    """Return True if a wink at rest leans against the pot; one on the rim that a wink props up does (TW-7h)."""
    return piece.support == "leaning" or (piece.support == "rim" and _is_propped(scene, piece))


def _is_propped(scene: Scene, piece: Piece) -> bool:
    return any(scene.piece(under).support in ("surface", "leaning") for under in piece.lies_on)


def record_potted(context: AdjudicationContext, lost: tuple[Piece, ...]) -> None:
    """Record newly potted winks, and put back potted ones no longer in the pot (TW-7e to TW-7g).

    Args:
        lost: pieces that left the mat, as they were before.
    """
    for piece in context.scene.pieces:
        if piece.id not in context.book.potted and is_potted(context.scene, piece):
            rule, where_text = (
                ("TW-7e", "rests in the pot") if piece.support == "pot" else ("TW-7f", "balances on the rim")
            )
            context.add_reason(rule, f"{kit.display_name(piece.id)} {where_text}: it is potted.")
            context.update_book(
                potted=(*context.book.potted, piece.id),
                behind=tuple(wink for wink in context.book.behind if wink != piece.id),
            )
    potted = context.book.potted
    knocked_out = [
        piece for piece in context.scene.pieces if piece.id in potted and not is_potted(context.scene, piece)
    ]
    for piece in (*knocked_out, *(piece for piece in lost if piece.id in potted)):
        context.scene = place_in_pot(context.scene, piece, _pot(context.scene))
        context.add_reason("TW-7g", f"{kit.display_name(piece.id)} was knocked out of the pot and is put back.")


def lay_leaners_flat(context: AdjudicationContext) -> None:
    """Lay each wink leaning on the pot flat, just touching it, on top of whatever lies there (TW-7h, TW-7i)."""
    pot = _pot(context.scene)
    leaning = [piece for piece in context.scene.pieces if is_leaning(context.scene, piece)]
    for piece in sorted(leaning, key=lambda piece: piece.height):
        others = lift_winks(context.scene, (piece.id,)).pieces
        bearing, down = _bearing(piece, pot), place_flat(piece, piece.position)
        flat = place_piece(others, down, spot_touching_pot(down, pot, bearing))
        # on a tapered pot a wink lying higher stands farther out
        flat = place_piece(others, down, spot_touching_pot(flat, pot, bearing))
        context.scene = place_wink(context.scene, flat)
        under = [name for name in flat.lies_on if context.book.in_play(name)]
        where_text = "just touching it" + (f", on top of {', '.join(map(kit.display_name, under))}" if under else "")
        rule = "TW-7i" if under else "TW-7h"
        context.add_reason(rule, f"{kit.display_name(piece.id)} leaned against the pot and is laid flat, {where_text}.")


def _pot(scene: Scene) -> Pot:
    assert scene.surface.pot is not None
    return scene.surface.pot


def _bearing(piece: Piece, pot: Pot) -> tuple[float, float]:
    """Bearing of a leaning wink from the pot: of its centre, or of its foot if its centre is over the pot (TW-7h)."""
    offset = (piece.x - pot.x, piece.y - pot.y)
    if offset[0] ** 2 + offset[1] ** 2 > pot.top_radius**2:
        return offset
    foot = piece.radius * cos(piece.tilt)
    return (offset[0] + foot * cos(piece.lean), offset[1] + foot * sin(piece.lean))


_SAME_TIME = 1e-9
"""Rest times closer than this are equal [s]."""
_PLACE_NAMES = ("first", "second", "third", "fourth")


def record_finishers(context: AdjudicationContext, shot: Shot) -> None:
    """Record the places of players whose sixth wink was potted by this shot, whoever played it (TW-10a).

    When one shot finishes several, the one whose last wink came to rest earlier is earlier; at the same instant they
    share the places (TW-5a).
    """
    book = context.book
    new = [seat for seat in range(4) if book.has_potted_all(seat) and not any(seat in group for group in book.finished)]
    if not new:
        return
    rest_times = {seat: _last_rest(context, shot, seat) for seat in new}
    groups: list[list[int]] = []
    for seat in sorted(new, key=lambda seat: rest_times[seat]):
        is_level = groups and (
            context.options.simul_potout == "average" or rest_times[seat] - rest_times[groups[-1][-1]] <= _SAME_TIME
        )
        if is_level:
            groups[-1].append(seat)
        else:
            groups.append([seat])
    if not book.finished:
        context.update_book(episode=None, protected=None, laps=None)
    for group in groups:
        place = sum(len(earlier) for earlier in context.book.finished)
        context.update_book(finished=(*context.book.finished, tuple(sorted(group))))
        names = " and ".join(kit.SEATS[seat] for seat in sorted(group))
        rule = "TW-10a" if place == 0 else ("TW-5b", "TW-5c", "TW-5d")[place - 1]
        verb, together = ("have", " together") if len(group) > 1 else ("has", "")
        context.add_reason(rule, f"{names} {verb} all six winks potted: {_PLACE_NAMES[place]}{together}.")
    if not book.finished:
        context.add_reason("TW-10b", "Squopping has no effect from now on.")
        context.add_reason("TW-10h", "Nothing limits the length of the game any more.")


def _last_rest(context: AdjudicationContext, shot: Shot, seat: int) -> float:
    """Time at which the last of the winks that this shot potted for a seat came to rest [s]."""
    winks = set(kit.winks_of(seat)) & set(context.newly_potted())
    return max(
        (event.t for event in shot.events if isinstance(event, CameToRest) and event.piece in winks),
        default=shot.duration,
    )


def is_decided(context: AdjudicationContext) -> bool:
    """Return True if the game is over: three are out, or the pairs' points can no longer change (TW-5c)."""
    finished = [seat for group in context.book.finished for seat in group]
    if len(finished) >= 3:
        return True
    return context.options.stop_when_decided and any(pair in finished and pair + 2 in finished for pair in (0, 1))
