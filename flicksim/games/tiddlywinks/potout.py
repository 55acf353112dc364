"""Potting out: places and the end of the game (TW-5a to TW-5d, TW-10)."""

from __future__ import annotations

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext
from flicksim.games.tiddlywinks.move_aside import uncover_all
from flicksim.games.tiddlywinks.state import Shot
from flicksim.scene import CameToRest

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


def uncover_after_potout(context: AdjudicationContext) -> None:
    """Uncover all winks after a pot-out (TW-10b to TW-10g)."""
    if context.book.potted_out:
        uncover_all(context)


def is_decided(context: AdjudicationContext) -> bool:
    """Return True if the game is over: three are out, or the pairs' points can no longer change (TW-5c)."""
    finished = [seat for group in context.book.finished for seat in group]
    if len(finished) >= 3:
        return True
    return context.options.stop_when_decided and any(pair in finished and pair + 2 in finished for pair in (0, 1))
