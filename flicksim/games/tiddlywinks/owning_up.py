"""Owning up to what no log shows (paragraph 12): what people may say of the last shot, and that shot put right.

A shot put right is judged anew from the state before it. So all that followed from what should not have happened goes
with it: a fine, free turns, turns passed over, a pot-out, the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.hands import arranged, lift
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import CallFoul, Clock, Disturb, Interfere, Obstruct, Shot, State, Told, TurnOver
from flicksim.referee import OwnUp, Pick
from flicksim.table import Scene, flat, lay


def disturbed(shot: Shot) -> tuple[str, ...]:
    """Winks that may have been moved by accident in a shot: all that moved but the one squidged (TW-12a)."""
    return tuple(wink for wink in shot.moved() if wink != shot.flick.piece and _lay_open(shot, wink))


def obstructed(shot: Shot) -> tuple[str, ...]:
    """Winks that may have been obstructed in a shot: the one squidged, and all that moved (TW-12b)."""
    moved = shot.moved()
    return tuple(wink for wink in kit.WINKS if wink == shot.flick.piece or (wink in moved and _lay_open(shot, wink)))


def _lay_open(shot: Shot, wink: str) -> bool:
    """True where it lay in the field: others go back into the pot or behind their lines whatever moved them."""
    book = shot.former.book
    return book.in_play(wink) or (wink in book.shots and wink not in book.off)


def back(shot: Shot, winks: Iterable[str]) -> Scene:
    """The scene after a shot with these winks as they lay before it."""
    names = tuple(winks)
    again = tuple(shot.before.piece(wink) for wink in names)
    stayed = arranged(shot.after, (*shot.after.without(*names).pieces, *again))
    # what lies on them may lie there rightly, as before: it comes down only where it could not stay
    if _new_problems(shot, stayed):
        return arranged(shot.after, (*lift(shot.after, names).pieces, *again))
    return stayed


def cannot_go_back(shot: Shot, winks: Iterable[str]) -> str | None:
    """The reason why these winks cannot lie as they lay before a shot, or None."""
    return next(iter(_new_problems(shot, back(shot, winks))), None)


def _new_problems(shot: Shot, scene: Scene) -> list[str]:
    known = shot.after.problems()
    return [problem for problem in scene.problems() if problem not in known]


def undisturbed(shot: Shot, winks: tuple[str, ...]) -> Shot:
    """The shot as it would have been had nobody moved these winks (TW-12a)."""
    return msgspec.structs.replace(shot, after=back(shot, winks), events=_without(shot, winks))


def set_right(shot: Shot, action: Obstruct) -> Shot:
    """The shot with its obstructed wink where it is to lie (TW-12b): where agreed, else as the option says."""
    wink, to = action.wink, action.at
    if to is None and shot.former.options.obstruct_fallback == "replay":
        to = shot.former.scene.piece(wink).at
    if to is None:
        return msgspec.structs.replace(shot, obstructed=True)
    piece = shot.after.piece(wink) if shot.after.has(wink) else shot.before.piece(wink)
    rest = lift(shot.after, (wink,)).pieces
    after = arranged(shot.after, (*rest, lay(rest, flat(piece, to), to)))
    return msgspec.structs.replace(shot, after=after, events=_without(shot, (wink,)), obstructed=True)


def _without(shot: Shot, winks: tuple[str, ...]) -> tuple[Told, ...]:
    return tuple(event for event in shot.events if event.piece not in winks)


def may_be_turned(state: State, seat: int) -> tuple[str, ...]:
    """Winks of a seat that squop nothing and are not squopped; one behind its base line does neither (TW-12g)."""
    book, squops = state.book, Squops(state.scene, state.book)
    lie_fast = (*book.potted, *book.shots)  # in the pot, or where the squidge-off measures them
    return tuple(
        wink
        for wink in kit.winks_of(seat)
        if wink not in lie_fast and not squops.squopped(wink) and not squops.squopping(wink)
    )


_FOULS = (
    (CallFoul(how="out_of_turn"), "it was not that player's turn"),
    (CallFoul(how="other_wink"), "it was not that player's wink"),
    (CallFoul(how="squopped"), "the wink was squopped"),
    (CallFoul(how="stroke"), "the stroke was not short and in one go"),
)


_WHO = Pick(field="seat", says="who", kind="one", among=(0, 1, 2, 3))
_INTERFERENCE = (
    OwnUp(
        says="A player interfered with a wink on purpose: in play, that forfeits the game.",
        action=Interfere(seat=0),
        pick=(_WHO, Pick(field="wink", says="with which wink", kind="one", among=kit.WINKS)),
    ),
    OwnUp(says="A player impeded an opponent: that forfeits the game.", action=Interfere(seat=0), pick=(_WHO,)),
)
_TIME = OwnUp(
    says="Time has gone by at the table.",
    action=Clock(seconds=1.0),
    pick=(Pick(field="seconds", says="how many seconds", kind="number"),),
)


def offers(state: State) -> tuple[OwnUp, ...]:
    """The things people may say now; nobody else is offered it."""
    found: list[OwnUp] = []
    shot, book = state.last_shot, state.book
    if shot is not None and book.phase != "foul":
        found += _of_shot(shot)
    if book.phase == "over" and shot is None:
        return ()
    found += _INTERFERENCE
    turning = book.to_play is not None and book.phase in ("squidge_off", "shot")
    if turning and (own := may_be_turned(state, book.turn)):
        which = Pick(field="wink", says="which", kind="one", among=own)
        found.append(OwnUp(says="Turn over a wink of one's own.", action=TurnOver(wink=own[0]), pick=(which,)))
    if book.opener is not None and book.phase in ("shot", "aside"):
        found.append(_TIME)
    return tuple(found)


def _of_shot(shot: Shot) -> list[OwnUp]:
    found, name = [], kit.SEATS[shot.former.book.turn]
    if winks := disturbed(shot):
        which = Pick(field="winks", says="which", kind="some", among=winks)
        says = f"In {name}'s shot winks were moved by accident: they go back."
        found.append(OwnUp(says=says, action=Disturb(winks=()), pick=(which,)))
    winks = obstructed(shot)
    where = Pick(field="at", says="where both sides agree that it lies", kind="point", none="no agreement")
    which = Pick(field="wink", says="which", kind="one", among=winks)
    says = f"In {name}'s shot a moving wink was obstructed: it is set where both sides agree."
    found.append(OwnUp(says=says, action=Obstruct(wink=shot.flick.piece), pick=(which, where)))
    found += [OwnUp(says=f"{name}'s shot was foul: {why}.", action=called) for called, why in _FOULS]
    return found
