"""Self-reported fouls of the last shot and their correction (paragraph 12).

A corrected shot is judged again from the state before it, so that all consequences of the accident are undone: a
penalty, free turns, skipped turns, a pot-out, the end of the game.
"""

from collections.abc import Iterable

import msgspec

from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import state as states
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.wink_placement import lift_winks, scene_with_pieces
from flicksim.referee import ActionField, SelfReport
from flicksim.scene import Scene, place_flat, place_piece


def disturbable_winks(shot: states.Shot) -> tuple[str, ...]:
    """Winks that may have been moved by accident in a shot: all that moved but the one squidged (TW-12a)."""
    return tuple(wink for wink in shot.moved_winks() if wink != shot.flick.piece and _was_in_field(shot, wink))


def obstructable_winks(shot: states.Shot) -> tuple[str, ...]:
    """Winks that may have been obstructed in a shot: the one squidged, and all that moved (TW-12b)."""
    moved = shot.moved_winks()
    return tuple(
        wink for wink in kit.WINKS if wink == shot.flick.piece or (wink in moved and _was_in_field(shot, wink))
    )


def _was_in_field(shot: states.Shot, wink: str) -> bool:
    """Return True if a wink lay in the field; others go back into the pot or behind their lines in any case."""
    book = shot.former.book
    return book.in_play(wink) or (wink in book.shots and wink not in book.off)


def scene_with_restored(shot: states.Shot, winks: Iterable[str]) -> Scene:
    """Scene after a shot with some winks restored to where they lay before it."""
    names = tuple(winks)
    restored = tuple(shot.before.piece(wink) for wink in names)
    scene = scene_with_pieces(shot.after, (*shot.after.without(*names).pieces, *restored))
    # winks on top of restored ones stay there if that is possible, else they drop
    if _new_problems(shot, scene):
        return scene_with_pieces(shot.after, (*lift_winks(shot.after, names).pieces, *restored))
    return scene


def restore_problem(shot: states.Shot, winks: Iterable[str]) -> str | None:
    """Reason why some winks cannot be restored to where they lay before a shot, or None."""
    return next(iter(_new_problems(shot, scene_with_restored(shot, winks))), None)


def _new_problems(shot: states.Shot, scene: Scene) -> list[str]:
    known = shot.after.problems()
    return [problem for problem in scene.problems() if problem not in known]


def undo_disturbance(shot: states.Shot, winks: tuple[str, ...]) -> states.Shot:
    """Correct a shot as if nobody had moved these winks (TW-12a)."""
    return msgspec.structs.replace(shot, after=scene_with_restored(shot, winks), events=_events_without(shot, winks))


def resolve_obstruction(shot: states.Shot, action: states.Obstruct) -> states.Shot:
    """Correct a shot for its obstructed wink (TW-12b): set where agreed, else as the option says."""
    wink, target = action.wink, action.at
    if target is None and shot.former.options.obstruct_fallback == "replay":
        target = shot.former.scene.piece(wink).position
    if target is None:
        return msgspec.structs.replace(shot, obstructed=True)
    piece = shot.after.piece(wink) if shot.after.has(wink) else shot.before.piece(wink)
    others = lift_winks(shot.after, (wink,)).pieces
    after = scene_with_pieces(shot.after, (*others, place_piece(others, place_flat(piece, target), target)))
    return msgspec.structs.replace(shot, after=after, events=_events_without(shot, (wink,)), obstructed=True)


def _events_without(shot: states.Shot, winks: tuple[str, ...]) -> tuple[states.RuleEvent, ...]:
    return tuple(event for event in shot.events if event.piece not in winks)


def turnable_winks(state: states.State, seat: int) -> tuple[str, ...]:
    """Winks of a seat that squop nothing and are not squopped; one behind its base line does neither (TW-12g)."""
    book, squops = state.book, Squops(state.scene, state.book)
    excluded = (*book.potted, *book.shots)  # in the pot, or to be measured in the squidge-off
    return tuple(
        wink
        for wink in kit.winks_of(seat)
        if wink not in excluded and not squops.is_squopped(wink) and not squops.is_squopping(wink)
    )


_FOUL_REPORTS = (
    (states.CallFoul(how="out_of_turn"), "it was not that player's turn"),
    (states.CallFoul(how="other_wink"), "it was not that player's wink"),
    (states.CallFoul(how="squopped"), "the wink was squopped"),
    (states.CallFoul(how="stroke"), "the stroke was not short and in one go"),
)


_SEAT_PICK = ActionField(field="seat", prompt="who", kind="one", options=(0, 1, 2, 3))
_INTERFERENCE_REPORTS = (
    SelfReport(
        text="A player interfered with a wink on purpose: in play, that forfeits the game.",
        action=states.Interfere(seat=0),
        fields=(_SEAT_PICK, ActionField(field="wink", prompt="with which wink", kind="one", options=kit.WINKS)),
    ),
    SelfReport(
        text="A player impeded an opponent: that forfeits the game.",
        action=states.Interfere(seat=0),
        fields=(_SEAT_PICK,),
    ),
)
_CLOCK_FIELD = ActionField(field="seconds", prompt="how many seconds", kind="number")


def self_reports(state: states.State) -> tuple[SelfReport, ...]:
    """Self-reports available now; they are offered to people only."""
    reports: list[SelfReport] = []
    shot, book = state.last_shot, state.book
    if shot is not None and book.phase != "foul":
        reports += _shot_reports(shot)
    if book.phase == "over" and shot is None:
        return ()
    reports += _INTERFERENCE_REPORTS
    may_turn = book.to_play is not None and book.phase in ("squidge_off", "shot")
    if may_turn and (own := turnable_winks(state, book.turn)):
        field = ActionField(field="wink", prompt="which", kind="one", options=own)
        action = states.TurnOver(wink=own[0])
        reports.append(
            SelfReport(text="Turn over a wink of one's own.", action=action, fields=(field,), seat=book.to_play)
        )
    if book.opener is not None and book.phase in ("shot", "aside"):
        text, passed = "Time has gone by at the table.", states.Clock(seconds=1.0)
        reports.append(SelfReport(text=text, action=passed, fields=(_CLOCK_FIELD,), seat=book.to_play))
    return tuple(reports)


def _shot_reports(shot: states.Shot) -> list[SelfReport]:
    reports, seat = [], shot.former.book.turn
    name = kit.SEATS[seat]
    if winks := disturbable_winks(shot):
        field = ActionField(field="winks", prompt="which", kind="some", options=winks)
        text = f"In {name}'s shot winks were moved by accident: they go back."
        reports.append(SelfReport(text=text, action=states.Disturb(winks=()), fields=(field,), seat=seat))
    winks = obstructable_winks(shot)
    place_field = ActionField(
        field="at", prompt="where both sides agree that it lies", kind="point", none_label="no agreement"
    )
    field = ActionField(field="wink", prompt="which", kind="one", options=winks)
    text = f"In {name}'s shot a moving wink was obstructed: it is set where both sides agree."
    reports.append(
        SelfReport(text=text, action=states.Obstruct(wink=shot.flick.piece), fields=(field, place_field), seat=seat)
    )
    reports += [
        SelfReport(text=f"{name}'s shot was foul: {reason}.", action=action, seat=seat)
        for action, reason in _FOUL_REPORTS
    ]
    return reports
