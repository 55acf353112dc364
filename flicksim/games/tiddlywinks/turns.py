"""Turns: extra shots, missed shots, turns that pass, and the end by time (TW-7a to TW-7d, TW-8i)."""

from __future__ import annotations

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import free_turns, scoring, time_limit
from flicksim.games.tiddlywinks.hearing import Hearing


def go_on(hearing: Hearing) -> None:
    """After a shot and all it led to: the extra shots of this turn, else the next turn (TW-7c, TW-7d)."""
    book = hearing.book
    seat, name = book.turn, kit.SEATS[book.turn]
    if book.extra and seat in book.missing and hearing.options.miss_scope == "next_shot":
        hearing.enter(extra=book.extra - 1, missing=_without(book.missing, seat))
        hearing.say("TW-8i", f"{name} sent a wink of his own off: the extra shot just earned is the one he misses.")
    if hearing.book.extra:
        if hearing.squops().playable(seat):
            hearing.enter(phase="shot", to_play=seat, extra=hearing.book.extra - 1)
            if all(kit.seat_of(wink) != seat for wink in hearing.newly_potted()):  # else said with what earned it
                hearing.say("TW-7d", f"{name} has another extra shot.")
            return
        if not book.done(seat):
            hearing.say("TW-7a", f"{name} has no wink to play his extra shot with.")
    next_turn(hearing)


def next_turn(hearing: Hearing, *, used: bool = True) -> None:
    """The turn is over: clockwise to the next player who can play, or to the end (TW-7a, TW-11).

    Args:
        used: whether the turn that ends held a shot, or one that was missed or declined.
    """
    squops = hearing.squops()
    while True:
        seat = hearing.book.turn
        free_turns.turn_ended(hearing, seat, used=used)
        time_limit.turn_ended(hearing, seat)
        if time_limit.run_out(hearing):
            scoring.adjudicate(hearing)
            return
        seat = (seat + 1) % 4
        while hearing.book.done(seat):
            seat = (seat + 1) % 4
        hearing.enter(turn=seat, extra=0)
        name = kit.SEATS[seat]
        if not squops.playable(seat):
            hearing.say("TW-7a", f"{name} has no wink he may play: his turn passes.")
            used = False
        elif seat in hearing.book.missing:
            miss(hearing)
            used = True
        else:
            hearing.enter(phase="shot", to_play=seat)
            return


def miss(hearing: Hearing) -> None:
    """The player whose turn it is misses his shot (TW-8i)."""
    seat = hearing.book.turn
    hearing.enter(missing=_without(hearing.book.missing, seat))
    hearing.say("TW-8i", f"{kit.SEATS[seat]} misses his shot: his turn passes.")


def _without(missing: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in missing if other != seat)
