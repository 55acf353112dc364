"""Report on a position: who squops whom, who may play, what is due, points."""

from __future__ import annotations

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import free_turns, scoring
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.referee import Reason


def describe_position(state: State) -> tuple[Reason, ...]:
    """Findings on a position, each with its ledger id."""
    book, squops = state.book, Squops(state.scene, state.book)
    said: list[Reason] = []
    for wink in kit.WINKS:
        if over := squops.covering(wink):
            says = f"{kit.display_name(wink)} is squopped by {' and '.join(map(kit.display_name, over))}."
            said.append(Reason(rule="TW-9a1", says=says))
    for pair in (0, 1):
        if squops.is_squopped_out(pair) and not book.potted_out:
            free = squops.count_free(1 - pair)
            said.append(Reason(rule="TW-9c1", says=f"Every wink {kit.PAIRS[pair]} have left is squopped."))
            many = "1 free wink" if free == 1 else f"{free or 'no'} free winks"
            said.append(Reason(rule="TW-9c2", says=f"{kit.PAIRS[1 - pair]} have {many}."))
    if book.to_play is not None and free_turns.must_free(book.episode, book.to_play):
        said.append(Reason(rule="TW-9c6", says=f"{kit.SEATS[book.to_play]}'s shot must free an opposing wink."))
    said += [Reason(rule="TW-8i", says=f"{kit.SEATS[seat]} misses his next shot.") for seat in book.missing]
    if book.potted_out:
        said.append(Reason(rule="TW-10b", says="Squopping has no effect any more."))
    if book.laps is not None:
        left = "1 turn" if book.laps == 1 else f"{book.laps} turns"
        said.append(Reason(rule="TW-11c", says=f"{kit.SEATS[book.opener or 0]} has {left} left."))
    if book.opener is not None:
        totals = scoring.time_limit_points(state.options, state.scene, book)
        listed = ", ".join(f"{name} {total}" for name, total in zip(kit.SEATS, totals, strict=True))
        said.append(Reason(rule="TW-11g", says=f"Time-limit points as it lies: {listed}."))
        ours, theirs = scoring.pair_points(scoring.provisional_points(state.options, state.scene, book))
        says = f"That would be {ours} for {kit.PAIRS[0]} and {theirs} for {kit.PAIRS[1]}."
        said.append(Reason(rule="TW-5e" if book.potted_out else "TW-11i", says=says))
    return tuple(said)
