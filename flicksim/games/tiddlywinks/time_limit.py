"""Time limit: game clock, the current turn, and the five rounds after it (TW-11a to TW-11c)."""

from __future__ import annotations

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext


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


def turn_ended(context: AdjudicationContext, seat: int) -> None:
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
