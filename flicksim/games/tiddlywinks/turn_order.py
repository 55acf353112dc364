"""Turn order and time limit: extra and missed shots, passes, free turns, game clock, last rounds.

Free turns are those of a pair while the other is squopped out, with the duty afterwards (TW-7, TW-8i, TW-9c, TW-11).
"""

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import scoring
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext
from flicksim.games.tiddlywinks.move_aside import FreeingMoves
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Episode


def must_free(episode: Episode | None, seat: int) -> bool:
    """Return True if a seat's shot must free an opposing wink: its pair's free turns are used up (TW-9c6)."""
    return episode is not None and episode.left == 0 and kit.pair_of(seat) == episode.pair


def resquopped(context: AdjudicationContext, shooter: int) -> bool:
    """Return True if a pair freed just before is squopped out again before it has taken a shot (TW-9c11)."""
    protected = context.book.protected
    return protected is not None and protected != kit.pair_of(shooter) and context.squops().is_squopped_out(protected)


def after_shot(context: AdjudicationContext, shooter: int, before: Squops, chosen: tuple[str, ...] = ()) -> None:
    """Update free turns after a shot; the phase becomes "aside" if the shooter has to choose winks to move.

    Args:
        before: squops before the shot. chosen: winks the shooter chose to move aside, if the shot is judged again.
    """
    if context.book.potted_out:
        return
    if resquopped(context, shooter):
        _undo_resquop(context, before)
    if context.book.protected == kit.pair_of(shooter):
        context.update_book(protected=None)
    episode = context.book.episode
    if episode is not None:
        _continue_episode(context, episode, shooter, before, chosen)
    if context.book.episode is None and context.book.phase != "aside":
        start_if_squopped_out(context)


def _continue_episode(
    context: AdjudicationContext, episode: Episode, shooter: int, before: Squops, chosen: tuple[str, ...]
) -> None:
    victims = episode.victims
    must_free_now = must_free(episode, shooter)
    if not context.squops().is_squopped_out(victims):
        if not (context.book.has_potted_all(victims) and context.book.has_potted_all(victims + 2)):
            rule, explanation = (
                ("TW-9c6", "which the shot had to bring")
                if must_free_now
                else ("TW-9c12", "so the free turns cease at once")
            )
            context.add_reason(rule, f"A wink of {kit.PAIRS[victims]} is free again, {explanation}.")
        _end_episode(context, victims)
        return
    potted = [
        wink
        for wink in context.newly_potted()
        if kit.pair_of(kit.seat_of(wink)) == victims and before.is_squopped(wink)
    ]
    if not must_free_now and not (potted and context.options.free_turn_pot == "cease"):
        return
    freeing = FreeingMoves(context, victims)
    if potted:
        context.add_reason(
            "TW-9c9", f"{kit.display_name(potted[0])} was freed but potted: another wink must be moved aside."
        )
    else:
        context.add_reason(
            "TW-9c7", f"The shot freed no wink of {kit.PAIRS[victims]}: a squopping wink must be moved aside."
        )
    move_sets = move_aside_options(freeing, shooter, after_pot=bool(potted))
    if context.options.aside_choice == "smallest" or len(move_sets) == 1:
        apply_move_aside(context, freeing, move_sets[0], victims)
    elif chosen in move_sets:
        apply_move_aside(context, freeing, chosen, victims)
    else:
        context.update_book(phase="aside", to_play=shooter)


def move_aside_options(freeing: FreeingMoves, shooter: int, *, after_pot: bool) -> tuple[tuple[str, ...], ...]:
    """Winks that may be moved aside; after the freed wink was potted, own ones before the partner's (TW-9c10)."""
    if not after_pot:
        return freeing.move_sets()
    own = kit.winks_of(shooter)
    return freeing.move_sets(prefer=lambda move_set: all(wink in own for wink in move_set))


def apply_move_aside(
    context: AdjudicationContext, freeing: FreeingMoves, move_set: tuple[str, ...], victims: int
) -> None:
    """Move winks aside so that the squopped pair can play (TW-9c7, TW-9c8)."""
    freeing.apply(context, move_set)
    names = " and ".join(map(kit.display_name, move_set))
    freed = " and ".join(map(kit.display_name, freeing.freed_winks(move_set)))
    context.add_reason("TW-9c7", f"{names} moved aside round the pot.")
    context.add_reason("TW-9c8", f"{freed} can be played again.")
    _end_episode(context, victims)


def _end_episode(context: AdjudicationContext, victims: int) -> None:
    """End free turns and duty; the freed pair is safe until its next player has taken a shot (TW-9c11, TW-9c12)."""
    context.update_book(episode=None, protected=victims)


def _undo_resquop(context: AdjudicationContext, before: Squops) -> None:
    """Move the wink aside that squops the freed pair out again too early (TW-9c11)."""
    protected = context.book.protected
    assert protected is not None
    freeing = FreeingMoves(context, protected)
    # prefer one that uncovers a wink that was free before this shot
    move_set = freeing.move_sets(
        prefer=lambda move_set: any(not before.is_squopped(wink) for wink in freeing.freed_winks(move_set))
    )[0]
    freeing.apply(context, move_set)
    names = " and ".join(map(kit.display_name, move_set))
    context.add_reason(
        "TW-9c11", f"{kit.PAIRS[protected]} must have a shot before being squopped again: {names} moved aside."
    )


def start_if_squopped_out(context: AdjudicationContext) -> None:
    """Start free turns if every remaining wink of a pair is squopped (TW-9c1 to TW-9c3)."""
    squops = context.squops()
    for victims in (0, 1):
        if not squops.is_squopped_out(victims):
            continue
        pair = 1 - victims
        count = squops.count_free(pair)
        context.update_book(episode=Episode(pair=pair, left=count))
        context.add_reason("TW-9c1", f"Every wink {kit.PAIRS[victims]} have left is squopped.")
        turns = "1 free turn" if count == 1 else f"{count} free turns"
        if count:
            context.add_reason("TW-9c3", f"{kit.PAIRS[pair]} have {turns}, one for each of their free winks.")
        else:
            context.add_reason("TW-9c3", f"{kit.PAIRS[pair]} have no free turns: none of their winks is free.")
            context.add_reason("TW-9c6", "Their next shot must free an opposing wink.")


def turn_ended(context: AdjudicationContext, seat: int, *, used: bool) -> None:
    """Count a turn of the free pair as a free turn, unless its player had no wink to play (TW-9c4, TW-9c5)."""
    episode = context.book.episode
    if episode is None:
        return
    if episode.fresh:
        context.update_book(episode=Episode(pair=episode.pair, left=episode.left, fresh=False))
        return
    if kit.pair_of(seat) != episode.pair or not used or not episode.left:
        return
    left = episode.left - 1
    context.update_book(episode=Episode(pair=episode.pair, left=left, fresh=False))
    if left:
        context.add_reason("TW-9c5", f"{left} free turn{'s' if left > 1 else ''} left for {kit.PAIRS[episode.pair]}.")
    else:
        context.add_reason(
            "TW-9c6", f"The free turns are used up: {kit.PAIRS[episode.pair]} must free a wink with their next shot."
        )


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
        turn_ended(context, seat, used=used)
        count_turn(context, seat)
        if context.book.laps == 0:  # the last round has ended
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
