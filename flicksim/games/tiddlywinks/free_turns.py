"""Free turns: a pair squopped altogether, the turns the other pair then has, and its duty afterwards (TW-9c)."""

from __future__ import annotations

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.aside import Freeing
from flicksim.games.tiddlywinks.hearing import Hearing
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Episode


def compulsory(episode: Episode | None, seat: int) -> bool:
    """True where a seat's shot must free an opposing wink: its pair's free turns are used up (TW-9c6)."""
    return episode is not None and episode.left == 0 and kit.pair_of(seat) == episode.pair


def resquopped(hearing: Hearing, shooter: int) -> bool:
    """True where a pair freed just before is squopped out again before it has taken a shot (TW-9c11)."""
    protected = hearing.book.protected
    return protected is not None and protected != kit.pair_of(shooter) and hearing.squops().out(protected)


def after_shot(hearing: Hearing, shooter: int, before: Squops, chosen: tuple[str, ...] = ()) -> None:
    """Free turns after a shot; may leave the book in the phase "aside", when the shooter has to choose.

    Args:
        before: who covered whom before the shot. chosen: winks he has chosen to move aside, when it is judged anew.
    """
    if hearing.book.potted_out:
        return
    if resquopped(hearing, shooter):
        _keep_freed(hearing, before)
    if hearing.book.protected == kit.pair_of(shooter):
        hearing.enter(protected=None)
    episode = hearing.book.episode
    if episode is not None:
        _go_on(hearing, episode, shooter, before, chosen)
    if hearing.book.episode is None and hearing.book.phase != "aside":
        begin(hearing)


def _go_on(hearing: Hearing, episode: Episode, shooter: int, before: Squops, chosen: tuple[str, ...]) -> None:
    victims = episode.victims
    due = compulsory(episode, shooter)
    if not hearing.squops().out(victims):
        if _left(hearing, victims):
            rule, why = (
                ("TW-9c6", "which the shot had to bring") if due else ("TW-9c12", "so the free turns cease at once")
            )
            hearing.say(rule, f"A wink of {kit.PAIRS[victims]} is free again, {why}.")
        _freed(hearing, victims)
        return
    potted = [
        wink for wink in hearing.newly_potted() if kit.pair_of(kit.seat_of(wink)) == victims and before.squopped(wink)
    ]
    if not due and not (potted and hearing.options.free_turn_pot == "cease"):
        return
    freeing = Freeing(hearing, victims)
    if potted:
        hearing.say("TW-9c9", f"{kit.called(potted[0])} was freed but potted: another wink must be moved aside.")
    else:
        hearing.say("TW-9c7", f"The shot freed no wink of {kit.PAIRS[victims]}: a squopping wink must be moved aside.")
    ways = ways_aside(freeing, shooter, after_pot=bool(potted))
    if hearing.options.aside_choice == "smallest" or len(ways) == 1:
        move_aside(hearing, freeing, ways[0], victims)
    elif chosen in ways:
        move_aside(hearing, freeing, chosen, victims)
    else:
        hearing.enter(phase="aside", to_play=shooter)


def ways_aside(freeing: Freeing, shooter: int, *, after_pot: bool) -> tuple[tuple[str, ...], ...]:
    """The winks that may be moved; after potting the freed wink one's own before one's partner's (TW-9c10)."""
    if not after_pot:
        return freeing.ways()
    own = kit.winks_of(shooter)
    return freeing.ways(prefer=lambda way: all(wink in own for wink in way))


def move_aside(hearing: Hearing, freeing: Freeing, way: tuple[str, ...], victims: int) -> None:
    """Move these winks aside; the squopped pair can then play (TW-9c7, TW-9c8)."""
    freeing.do(hearing, way)
    names = " and ".join(map(kit.called, way))
    freed = " and ".join(map(kit.called, freeing.frees(way)))
    hearing.say("TW-9c7", f"{names} moved aside round the pot.")
    hearing.say("TW-9c8", f"{freed} can be played again.")
    _freed(hearing, victims)


def _freed(hearing: Hearing, victims: int) -> None:
    """Free turns and duty are over; the freed pair is safe till its next player has taken a shot (TW-9c11, TW-9c12)."""
    hearing.enter(episode=None, protected=victims)


def _keep_freed(hearing: Hearing, before: Squops) -> None:
    """The wink that squops the freed pair out again too early is moved aside at once (TW-9c11)."""
    protected = hearing.book.protected
    assert protected is not None
    freeing = Freeing(hearing, protected)
    # of several, one that uncovers what was free before this shot
    way = freeing.ways(prefer=lambda way: any(not before.squopped(wink) for wink in freeing.frees(way)))[0]
    freeing.do(hearing, way)
    names = " and ".join(map(kit.called, way))
    hearing.say("TW-9c11", f"{kit.PAIRS[protected]} must have a shot before being squopped again: {names} moved aside.")


def begin(hearing: Hearing) -> None:
    """A pair of which every remaining wink is squopped gives the other free turns (TW-9c1 to TW-9c3)."""
    squops = hearing.squops()
    for victims in (0, 1):
        if not squops.out(victims):
            continue
        pair = 1 - victims
        count = squops.count_free(pair)
        hearing.enter(episode=Episode(pair=pair, left=count))
        hearing.say("TW-9c1", f"Every wink {kit.PAIRS[victims]} have left is squopped.")
        turns = "1 free turn" if count == 1 else f"{count} free turns"
        if count:
            hearing.say("TW-9c3", f"{kit.PAIRS[pair]} have {turns}, one for each of their free winks.")
        else:
            hearing.say("TW-9c3", f"{kit.PAIRS[pair]} have no free turns: none of their winks is free.")
            hearing.say("TW-9c6", "Their next shot must free an opposing wink.")


def turn_ended(hearing: Hearing, seat: int, *, used: bool) -> None:
    """A turn of the free pair uses up a free turn, unless its player had no wink to play (TW-9c4, TW-9c5)."""
    episode = hearing.book.episode
    if episode is None:
        return
    if episode.fresh:
        hearing.enter(episode=Episode(pair=episode.pair, left=episode.left, fresh=False))
        return
    if kit.pair_of(seat) != episode.pair or not used or not episode.left:
        return
    left = episode.left - 1
    hearing.enter(episode=Episode(pair=episode.pair, left=left, fresh=False))
    if left:
        hearing.say("TW-9c5", f"{left} free turn{'s' if left > 1 else ''} left for {kit.PAIRS[episode.pair]}.")
    else:
        hearing.say(
            "TW-9c6", f"The free turns are used up: {kit.PAIRS[episode.pair]} must free a wink with their next shot."
        )


def _left(hearing: Hearing, pair: int) -> bool:
    """True where a pair has winks not yet potted."""
    return not (hearing.book.done(pair) and hearing.book.done(pair + 2))
