"""Turn order and time limit: extra and missed shots, passes, game clock, last rounds (TW-7, TW-8i, TW-11)."""

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import free_turns, scoring
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext


def continue_turn(context: AdjudicationContext) -> None:
    """Continue after a shot: the extra shots of this turn, else the next turn (TW-7c, TW-7d)."""
    book = context.book
    seat, name = book.turn, kit.SEATS[book.turn]
    if book.extra and seat in book.missing and context.options.miss_scope == "next_shot":
        context.update_book(extra=book.extra - 1, missing=_remove_seat(book.missing, seat))
        context.add_reason(
            "TW-8i", f"{name} sent a wink of his own off: the extra shot just earned is the one he misses."
        )
    if context.book.extra:
        if context.squops().playable_winks(seat):
            context.update_book(phase="shot", to_play=seat, extra=context.book.extra - 1)
            if all(kit.seat_of(wink) != seat for wink in context.newly_potted()):  # else reported with the pot
                context.add_reason("TW-7d", f"{name} has another extra shot.")
            return
        if not book.has_potted_all(seat):
            context.add_reason("TW-7a", f"{name} has no wink to play his extra shot with.")
    next_turn(context)


def next_turn(context: AdjudicationContext, *, used: bool = True) -> None:
    """End the turn: clockwise to the next player who can play, or to the end (TW-7a, TW-11).

    Args:
        used: whether the turn that ends contained a shot, or one missed or declined.
    """
    squops = context.squops()
    while True:
        seat = context.book.turn
        free_turns.turn_ended(context, seat, used=used)
        count_turn(context, seat)
        if is_time_over(context):
            scoring.adjudicate(context)
            return
        seat = (seat + 1) % 4
        while context.book.has_potted_all(seat):
            seat = (seat + 1) % 4
        context.update_book(turn=seat, extra=0)
        name = kit.SEATS[seat]
        if not squops.playable_winks(seat):
            context.add_reason("TW-7a", f"{name} has no wink he may play: his turn passes.")
            used = False
        elif seat in context.book.missing:
            skip_missed_shot(context)
            used = True
        else:
            context.update_book(phase="shot", to_play=seat)
            return


def skip_missed_shot(context: AdjudicationContext) -> None:
    """Skip the shot that the player to play must miss (TW-8i)."""
    seat = context.book.turn
    context.update_book(missing=_remove_seat(context.book.missing, seat))
    context.add_reason("TW-8i", f"{kit.SEATS[seat]} misses his shot: his turn passes.")


def _remove_seat(missing: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in missing if other != seat)


def advance_clock(context: AdjudicationContext, seconds: float) -> None:
    """Advance the game clock, once the squidge-off is over (TW-11a).

    When the limit is reached the opener's turn is played to its end, then the rounds.
    """
    book, limit, opener = context.book, context.options.time_limit_s, context.book.opener
    if opener is None:
        return
    context.update_book(clock=round(book.clock + seconds, 9))
    if limit is None or book.laps is not None or book.potted_out or context.book.clock < limit:
        return
    # the next end of the opener's turn, possibly of this one, and one for each round after it
    context.update_book(laps=context.options.rounds + 1)
    context.add_reason(
        "TW-11b", f"Time is up after {context.book.clock:g} s: play goes on to the end of {kit.SEATS[opener]}'s turn."
    )


def count_turn(context: AdjudicationContext, seat: int) -> None:
    """Count a finished turn, also one passed or missed; the opener's ends a round (TW-11b, TW-11c)."""
    book = context.book
    if book.laps is None or seat != book.opener:
        return
    context.update_book(laps=book.laps - 1)
    if context.book.laps:
        rounds = context.book.laps
        rounds_text = "The last round begins." if rounds == 1 else f"{rounds} rounds are to come."
        context.add_reason("TW-11c", f"{kit.SEATS[seat]}'s turn has ended. {rounds_text}")


def is_time_over(context: AdjudicationContext) -> bool:
    """Return True if the last round has ended."""
    return context.book.laps == 0
