"""The game's clock, the turn that is played out, and the rounds after it (TW-11a to TW-11c). No real clock is read."""

from __future__ import annotations

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.hearing import Hearing


def tick(hearing: Hearing, seconds: float) -> None:
    """So much time goes by, once the squidge-off is over (TW-11a).

    When the limit is reached the opener's turn is played to its end, then the rounds.
    """
    book, limit, opener = hearing.book, hearing.options.time_limit_s, hearing.book.opener
    if opener is None:
        return
    hearing.enter(clock=round(book.clock + seconds, 9))
    if limit is None or book.laps is not None or book.potted_out or hearing.book.clock < limit:
        return
    # the opener's turn that ends next, be it this one, and then as many again as there are rounds
    hearing.enter(laps=hearing.options.rounds + 1)
    hearing.say(
        "TW-11b",
        f"Time is up after {hearing.book.clock:g} s: play goes on to the end of {kit.SEATS[opener]}'s turn.",
    )


def turn_ended(hearing: Hearing, seat: int) -> None:
    """A turn is over, also one passed or missed; the opener's ends a round (TW-11b, TW-11c)."""
    book = hearing.book
    if book.laps is None or seat != book.opener:
        return
    hearing.enter(laps=book.laps - 1)
    if hearing.book.laps:
        rounds = hearing.book.laps
        to_come = "The last round begins." if rounds == 1 else f"{rounds} rounds are to come."
        hearing.say("TW-11c", f"{kit.SEATS[seat]}'s turn has ended. {to_come}")


def run_out(hearing: Hearing) -> bool:
    """True where the last round has ended."""
    return hearing.book.laps == 0
