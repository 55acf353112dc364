"""Report on a position: squops, duties, missed shots, points."""

from __future__ import annotations

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import free_turns, scoring
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.referee import Reason


def describe_position(state: State) -> tuple[Reason, ...]:
    """Describe a position by reasons, each with its ledger id."""
    book, squops = state.book, Squops(state.scene, state.book)
    reasons: list[Reason] = []
    for wink in kit.WINKS:
        if covering := squops.covering(wink):
            text = f"{kit.display_name(wink)} is squopped by {' and '.join(map(kit.display_name, covering))}."
            reasons.append(Reason(rule="TW-9a1", text=text))
    for pair in (0, 1):
        if squops.is_squopped_out(pair) and not book.potted_out:
            free = squops.count_free(1 - pair)
            reasons.append(Reason(rule="TW-9c1", text=f"Every wink {kit.PAIRS[pair]} have left is squopped."))
            free_text = "1 free wink" if free == 1 else f"{free or 'no'} free winks"
            reasons.append(Reason(rule="TW-9c2", text=f"{kit.PAIRS[1 - pair]} have {free_text}."))
    if book.to_play is not None and free_turns.must_free(book.episode, book.to_play):
        reasons.append(Reason(rule="TW-9c6", text=f"{kit.SEATS[book.to_play]}'s shot must free an opposing wink."))
    reasons += [Reason(rule="TW-8i", text=f"{kit.SEATS[seat]} misses his next shot.") for seat in book.missing]
    if book.potted_out:
        reasons.append(Reason(rule="TW-10b", text="Squopping has no effect any more."))
    if book.laps is not None:
        left = "1 turn" if book.laps == 1 else f"{book.laps} turns"
        reasons.append(Reason(rule="TW-11c", text=f"{kit.SEATS[book.opener or 0]} has {left} left."))
    if book.opener is not None:
        totals = scoring.time_limit_points(state.options, state.scene, book)
        listed = ", ".join(f"{name} {total}" for name, total in zip(kit.SEATS, totals, strict=True))
        reasons.append(Reason(rule="TW-11g", text=f"Time-limit points as it lies: {listed}."))
        ours, theirs = scoring.pair_points(scoring.provisional_points(state.options, state.scene, book))
        text = f"That would be {ours} for {kit.PAIRS[0]} and {theirs} for {kit.PAIRS[1]}."
        reasons.append(Reason(rule="TW-5e" if book.potted_out else "TW-11i", text=text))
    return tuple(reasons)
