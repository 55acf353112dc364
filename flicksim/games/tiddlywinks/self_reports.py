"""Self-reported fouls of the last shot and their correction (paragraph 12).

A shot put right is judged anew from the state before it. So all that followed from what should not have happened goes
with it: a fine, free turns, turns passed over, a pot-out, the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import (
    CallFoul,
    Clock,
    Disturb,
    Interfere,
    Obstruct,
    RuleEvent,
    Shot,
    State,
    TurnOver,
)
from flicksim.games.tiddlywinks.wink_placement import lift_winks, scene_with_pieces
from flicksim.referee import ActionField, SelfReport
from flicksim.scene import Scene, place_flat, place_piece


def disturbable_winks(shot: Shot) -> tuple[str, ...]:
    """Winks that may have been moved by accident in a shot: all that moved but the one squidged (TW-12a)."""
    return tuple(wink for wink in shot.moved_winks() if wink != shot.flick.piece and _was_in_field(shot, wink))


def obstructable_winks(shot: Shot) -> tuple[str, ...]:
    """Winks that may have been obstructed in a shot: the one squidged, and all that moved (TW-12b)."""
    moved = shot.moved_winks()
    return tuple(
        wink for wink in kit.WINKS if wink == shot.flick.piece or (wink in moved and _was_in_field(shot, wink))
    )


def _was_in_field(shot: Shot, wink: str) -> bool:
    """Return True if a wink lay in the field; others go back into the pot or behind their lines in any case."""
    book = shot.former.book
    return book.in_play(wink) or (wink in book.shots and wink not in book.off)


def scene_with_restored(shot: Shot, winks: Iterable[str]) -> Scene:
    """Scene after a shot with some winks restored to where they lay before it."""
    names = tuple(winks)
    again = tuple(shot.before.piece(wink) for wink in names)
    stayed = scene_with_pieces(shot.after, (*shot.after.without(*names).pieces, *again))
    # what lies on them may lie there rightly, as before: it comes down only where it could not stay
    if _new_problems(shot, stayed):
        return scene_with_pieces(shot.after, (*lift_winks(shot.after, names).pieces, *again))
    return stayed


def restore_problem(shot: Shot, winks: Iterable[str]) -> str | None:
    """Reason why some winks cannot be restored to where they lay before a shot, or None."""
    return next(iter(_new_problems(shot, scene_with_restored(shot, winks))), None)


def _new_problems(shot: Shot, scene: Scene) -> list[str]:
    known = shot.after.problems()
    return [problem for problem in scene.problems() if problem not in known]


def undo_disturbance(shot: Shot, winks: tuple[str, ...]) -> Shot:
    """Correct a shot as if nobody had moved these winks (TW-12a)."""
    return msgspec.structs.replace(shot, after=scene_with_restored(shot, winks), events=_events_without(shot, winks))


def resolve_obstruction(shot: Shot, action: Obstruct) -> Shot:
    """Correct a shot for its obstructed wink (TW-12b): set where agreed, else as the option says."""
    wink, to = action.wink, action.at
    if to is None and shot.former.options.obstruct_fallback == "replay":
        to = shot.former.scene.piece(wink).position
    if to is None:
        return msgspec.structs.replace(shot, obstructed=True)
    piece = shot.after.piece(wink) if shot.after.has(wink) else shot.before.piece(wink)
    rest = lift_winks(shot.after, (wink,)).pieces
    after = scene_with_pieces(shot.after, (*rest, place_piece(rest, place_flat(piece, to), to)))
    return msgspec.structs.replace(shot, after=after, events=_events_without(shot, (wink,)), obstructed=True)


def _events_without(shot: Shot, winks: tuple[str, ...]) -> tuple[RuleEvent, ...]:
    return tuple(event for event in shot.events if event.piece not in winks)


def turnable_winks(state: State, seat: int) -> tuple[str, ...]:
    """Winks of a seat that squop nothing and are not squopped; one behind its base line does neither (TW-12g)."""
    book, squops = state.book, Squops(state.scene, state.book)
    lie_fast = (*book.potted, *book.shots)  # in the pot, or where the squidge-off measures them
    return tuple(
        wink
        for wink in kit.winks_of(seat)
        if wink not in lie_fast and not squops.is_squopped(wink) and not squops.is_squopping(wink)
    )


_FOUL_REPORTS = (
    (CallFoul(how="out_of_turn"), "it was not that player's turn"),
    (CallFoul(how="other_wink"), "it was not that player's wink"),
    (CallFoul(how="squopped"), "the wink was squopped"),
    (CallFoul(how="stroke"), "the stroke was not short and in one go"),
)


_SEAT_PICK = ActionField(field="seat", prompt="who", kind="one", options=(0, 1, 2, 3))
_INTERFERENCE_REPORTS = (
    SelfReport(
        text="A player interfered with a wink on purpose: in play, that forfeits the game.",
        action=Interfere(seat=0),
        fields=(_SEAT_PICK, ActionField(field="wink", prompt="with which wink", kind="one", options=kit.WINKS)),
    ),
    SelfReport(
        text="A player impeded an opponent: that forfeits the game.", action=Interfere(seat=0), fields=(_SEAT_PICK,)
    ),
)
_CLOCK_REPORT = SelfReport(
    text="Time has gone by at the table.",
    action=Clock(seconds=1.0),
    fields=(ActionField(field="seconds", prompt="how many seconds", kind="number"),),
)


def self_reports(state: State) -> tuple[SelfReport, ...]:
    """Self-reports available now; they are offered to people only."""
    found: list[SelfReport] = []
    shot, book = state.last_shot, state.book
    if shot is not None and book.phase != "foul":
        found += _shot_reports(shot)
    if book.phase == "over" and shot is None:
        return ()
    found += _INTERFERENCE_REPORTS
    turning = book.to_play is not None and book.phase in ("squidge_off", "shot")
    if turning and (own := turnable_winks(state, book.turn)):
        which = ActionField(field="wink", prompt="which", kind="one", options=own)
        found.append(SelfReport(text="Turn over a wink of one's own.", action=TurnOver(wink=own[0]), fields=(which,)))
    if book.opener is not None and book.phase in ("shot", "aside"):
        found.append(_CLOCK_REPORT)
    return tuple(found)


def _shot_reports(shot: Shot) -> list[SelfReport]:
    found, name = [], kit.SEATS[shot.former.book.turn]
    if winks := disturbable_winks(shot):
        which = ActionField(field="winks", prompt="which", kind="some", options=winks)
        says = f"In {name}'s shot winks were moved by accident: they go back."
        found.append(SelfReport(text=says, action=Disturb(winks=()), fields=(which,)))
    winks = obstructable_winks(shot)
    where = ActionField(
        field="at", prompt="where both sides agree that it lies", kind="point", none_label="no agreement"
    )
    which = ActionField(field="wink", prompt="which", kind="one", options=winks)
    says = f"In {name}'s shot a moving wink was obstructed: it is set where both sides agree."
    found.append(SelfReport(text=says, action=Obstruct(wink=shot.flick.piece), fields=(which, where)))
    found += [SelfReport(text=f"{name}'s shot was foul: {why}.", action=called) for called, why in _FOUL_REPORTS]
    return found
