"""Free turns: a pair squopped out, the other pair's free turns, and its duty afterwards (TW-9c)."""

from flicksim.games.tiddlywinks import equipment as kit
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
        if _has_winks_left(context, victims):
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


def _has_winks_left(context: AdjudicationContext, pair: int) -> bool:
    """Return True if a pair has winks not yet potted."""
    return not (context.book.has_potted_all(pair) and context.book.has_potted_all(pair + 2))
