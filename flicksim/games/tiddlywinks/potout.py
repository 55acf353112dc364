"""Potting out: who is first, second and third, and what ends with it (TW-5a to TW-5d, TW-10)."""

from __future__ import annotations

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.aside import uncover_all
from flicksim.games.tiddlywinks.hearing import Hearing
from flicksim.games.tiddlywinks.state import Shot
from flicksim.table import Rested

_TICK = 1e-9
"""Rest times this close are the same [s]."""
_PLACE = ("first", "second", "third", "fourth")


def enter_finishers(hearing: Hearing, shot: Shot) -> None:
    """Players whose sixth wink was potted by this shot take their places, whoever played it (TW-10a).

    When one shot finishes several, the one whose last wink came to rest earlier is earlier; at the same instant they
    share the places (TW-5a).
    """
    book = hearing.book
    new = [seat for seat in range(4) if book.done(seat) and not any(seat in group for group in book.finished)]
    if not new:
        return
    rest = {seat: _last_rest(hearing, shot, seat) for seat in new}
    groups: list[list[int]] = []
    for seat in sorted(new, key=lambda seat: rest[seat]):
        same = groups and (hearing.options.simul_potout == "average" or rest[seat] - rest[groups[-1][-1]] <= _TICK)
        if same:
            groups[-1].append(seat)
        else:
            groups.append([seat])
    if not book.finished:
        hearing.enter(episode=None, protected=None, laps=None)
    for group in groups:
        place = sum(len(done) for done in hearing.book.finished)
        hearing.enter(finished=(*hearing.book.finished, tuple(sorted(group))))
        names = " and ".join(kit.SEATS[seat] for seat in sorted(group))
        rule = "TW-10a" if place == 0 else ("TW-5b", "TW-5c", "TW-5d")[place - 1]
        have, together = ("have", " together") if len(group) > 1 else ("has", "")
        hearing.say(rule, f"{names} {have} all six winks potted: {_PLACE[place]}{together}.")
    if not book.finished:
        hearing.say("TW-10b", "Squopping has no effect from now on.")
        hearing.say("TW-10h", "Nothing limits the length of the game any more.")


def _last_rest(hearing: Hearing, shot: Shot, seat: int) -> float:
    """Time at which the last of the winks that this shot potted for a seat came to rest [s]."""
    winks = set(kit.winks_of(seat)) & set(hearing.newly_potted())
    return max(
        (event.t for event in shot.events if isinstance(event, Rested) and event.piece in winks),
        default=shot.duration,
    )


def uncover(hearing: Hearing) -> None:
    """After a pot-out no wink stays squopped (TW-10b to TW-10g)."""
    if hearing.book.potted_out:
        uncover_all(hearing)


def decided(hearing: Hearing) -> bool:
    """True where the game is over: three are out, or the pairs' points can no longer change (TW-5c)."""
    out = [seat for group in hearing.book.finished for seat in group]
    if len(out) >= 3:
        return True
    return hearing.options.stop_when_decided and any(pair in out and pair + 2 in out for pair in (0, 1))
