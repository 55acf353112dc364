"""Legal actions of tiddlywinks, and the errors for illegal ones."""

from collections.abc import Sequence
from math import atan2, hypot, pi

import msgspec

from flicksim.core.errors import IllegalAction
from flicksim.core.geometry import Point
from flicksim.core.units import deg2rad, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import self_reports
from flicksim.games.tiddlywinks import state as states
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext
from flicksim.games.tiddlywinks.boundaries import out_of_bounds_rule
from flicksim.games.tiddlywinks.move_aside import FreeingMoves
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.turn_order import move_aside_options, must_free
from flicksim.referee import LegalActions, SquidgeRange
from flicksim.scene import Squidge

_SPEEDS = (0.2, 4.0)
"""Useful speeds [m/s]: from a nudge to a long pot; break-ups and boondocks up to 20."""


def legal_actions(state: states.State) -> LegalActions:
    """Legal actions of the seat to play, and self-reports, also after the end of the game (TW-12j)."""
    return msgspec.structs.replace(_prompt_and_actions(state), self_reports=self_reports.self_reports(state))


def _prompt_and_actions(state: states.State) -> LegalActions:
    book = state.book
    if book.to_play is None:
        return LegalActions(prompt="The game is over.")
    name = kit.SEATS[book.to_play]
    match book.phase:
        case "foul":
            assert state.former is not None
            fouler = kit.SEATS[state.former.book.turn]
            prompt = f"{name}: the shot was foul ({book.foul}). {fouler} plays again, or the winks stay as they lie."
            return LegalActions(prompt=prompt, actions=(states.Decide(replay=True), states.Decide(replay=False)))
        case "aside":
            move_sets = move_aside_choices(state)
            prompt = f"{name}: move a squopping wink aside; the shortest way is that of {_join_names(move_sets[0])}."
            return LegalActions(
                prompt=prompt, actions=tuple(states.MoveAside(winks=move_set) for move_set in move_sets)
            )
        case "squidge_off":
            flicks = tuple(_squidge_range(state, wink) for wink in kit.winks_of(book.to_play))
            return LegalActions(prompt=f"{name}: squidge one wink at the pot; the nearest opens.", flicks=flicks)
    flicks = tuple(_squidge_range(state, wink) for wink in Squops(state.scene, book).playable_winks(book.to_play))
    task = "play an extra shot" if _is_extra_shot(state) else "play a shot"
    if must_free(book.episode, book.to_play):
        task += " that frees an opposing wink"
    elif book.episode is not None and kit.pair_of(book.to_play) == book.episode.pair and not book.episode.fresh:
        task = f"play a free turn ({book.episode.left} left)"
    actions = (states.Pass(),) if _may_decline(state) else ()
    return LegalActions(prompt=f"{name}: {task}.", flicks=flicks, actions=actions)


def _may_decline(state: states.State) -> bool:
    """Return True if a shot may be declined: by option, but not one that must free an opposing wink (TW-7c, TW-9c6)."""
    book = state.book
    is_duty = book.to_play is not None and must_free(book.episode, book.to_play)
    return state.options.allow_pass and book.phase == "shot" and not is_duty


def _is_extra_shot(state: states.State) -> bool:
    """Return True if the shot to play was earned by potting in this turn (TW-7d)."""
    book, former = state.book, state.former
    if former is None or former.book.phase != "shot" or former.book.turn != book.turn:
        return False
    own = [wink for wink in book.potted if wink not in former.book.potted and kit.seat_of(wink) == book.turn]
    return bool(own) or former.book.extra > 0


def _squidge_range(state: states.State, wink: str) -> SquidgeRange:
    seat, kind = kit.seat_of(wink), kit.kind_of(wink)
    elevations, tumbles = (deg2rad(15.0), deg2rad(80.0)), (0.0, 100.0)
    if wink not in state.book.behind:
        return SquidgeRange(piece=wink, azimuth=(-pi, pi), speed=_SPEEDS, elevation=elevations, tumble=tumbles)
    zone = kit.start_zone(state.options, seat, kind)
    start = kit.start_spot(state.options, seat, kind)
    to_pot = atan2(-start[1], -start[0])
    azimuths = (to_pot - deg2rad(20.0), to_pot + deg2rad(20.0))
    return SquidgeRange(piece=wink, start=zone, azimuth=azimuths, speed=_SPEEDS, elevation=elevations, tumble=tumbles)


def move_aside_choices(state: states.State) -> tuple[tuple[str, ...], ...]:
    """Sets of winks one of which the shooter has to move aside now, the shortest move first (TW-9c7, TW-9c10)."""
    episode, former = state.book.episode, state.former
    assert episode is not None
    assert state.book.to_play is not None
    context = AdjudicationContext(state, state.scene)
    potted_before = former.book.potted if former is not None else state.book.potted
    newly_potted = [wink for wink in state.book.potted if wink not in potted_before]
    after_pot = any(kit.pair_of(kit.seat_of(wink)) == episode.victims for wink in newly_potted)
    return move_aside_options(FreeingMoves(context, episode.victims), state.book.to_play, after_pot=after_pot)


def check_action(state: states.State, action: object) -> None:
    """Check that the rules allow the action now.

    Raises:
        IllegalAction: they do not; with the rule id.
    """
    is_report = isinstance(action, states.Disturb | states.Obstruct | states.CallFoul | states.Interfere)
    if state.book.phase == "over" and not (is_report and state.last_shot is not None):
        raise IllegalAction("TW-5c" if state.book.potted_out else "TW-11d", "the game is over; nothing more is played")
    match action:
        case states.Interfere():
            _check_wink_id(action.wink)
        case states.Clock():
            if state.book.opener is None:
                raise IllegalAction("TW-11a", "the clock starts with the first squidge into play")
            if state.book.phase == "foul":
                raise IllegalAction("TW-12d", "the clock waits until the opponents have decided about the foul")
        case states.Disturb():
            _check_disturb(state, action)
        case states.Obstruct():
            _check_obstruct(state, action)
        case states.CallFoul():
            _last_shot(state, "TW-12d", "that could be called foul")
        case _:
            _check_turn(state, action)


def _check_turn(state: states.State, action: object) -> None:
    match state.book.phase:
        case "foul":
            if not isinstance(action, states.Decide):
                raise IllegalAction("TW-12d", "first decide about the foul: play again, or leave the winks as they lie")
        case "aside":
            if not isinstance(action, states.MoveAside):
                raise IllegalAction("TW-9c7", "first move a squopping wink aside")
            move_sets = move_aside_choices(state)
            if action.winks not in move_sets:
                listed = " or ".join(_join_names(move_set) for move_set in move_sets)
                raise IllegalAction("TW-9c7", f"{_join_names(action.winks)} cannot be moved aside; choose {listed}")
        case _:
            match action:
                case Squidge():
                    _check_squidge(state, action)
                case states.TurnOver():
                    _check_turn_over(state, action)
                case states.Pass():
                    if not (state.options.allow_pass and state.book.phase == "shot"):
                        raise IllegalAction("TW-7c", "a shot may not be declined while there is a wink to play")
                    if not _may_decline(state):
                        raise IllegalAction("TW-9c6", "a shot that must free an opposing wink may not be declined")
                case _:
                    raise IllegalAction("TW-4e", f"winks are played with the squidger, not by {type(action).__name__}")


def _check_wink_id(wink: str | None) -> None:
    if wink is not None and wink not in kit.WINKS:
        raise IllegalAction("TW-4a", f"there is no wink {wink!r}; each colour has six, as blue-1 to blue-6")


def _check_squidge(state: states.State, squidge: Squidge) -> None:
    book, wink = state.book, squidge.piece
    _check_wink_id(wink)
    assert book.to_play is not None
    if kit.seat_of(wink) != book.to_play:
        raise IllegalAction("TW-7b", f"{wink!r} is not {kit.SEATS[book.to_play]}'s to play; only his own six are")
    if wink in book.potted:
        raise IllegalAction("TW-3e", f"{wink!r} is potted, and potted winks are not taken out")
    covering = Squops(state.scene, book).covering(wink)
    if covering:
        raise IllegalAction("TW-9a1", f"{wink!r} may not be played: it is squopped by {_join_names(covering)}")
    if squidge.start is None:
        return
    at, piece = squidge.start, state.scene.piece(wink)
    where_text = f"the start at ({to_mm(at[0]):g}, {to_mm(at[1]):g}) mm"
    if wink not in book.behind:
        raise IllegalAction(
            "TW-7b", f"{where_text} is not allowed: {wink!r} is in play and is played from where it lies"
        )
    if not kit.is_behind_line(state.options, book.to_play, at, piece.radius):
        raise IllegalAction("TW-6a", f"{where_text} is not wholly behind the {kit.line_name(book.to_play)}, on the mat")
    for other in state.scene.pieces:
        if other.id != wink and hypot(at[0] - other.x, at[1] - other.y) < piece.radius + other.radius:
            raise IllegalAction("TW-6a", f"{where_text} lies on {other.id!r}")


def _check_turn_over(state: states.State, action: states.TurnOver) -> None:
    _check_wink_id(action.wink)
    if kit.seat_of(action.wink) != state.book.to_play:
        raise IllegalAction("TW-12g", f"{action.wink!r} may be turned over by its owner, on his turn")
    if action.wink not in self_reports.turnable_winks(state, kit.seat_of(action.wink)):
        raise IllegalAction("TW-12g", f"{action.wink!r} may not be turned over: it squops, is squopped or lies fast")


def _check_disturb(state: states.State, action: states.Disturb) -> None:
    shot = _last_shot(state, "TW-12a", "in which a wink could have been disturbed")
    if not action.winks:
        raise IllegalAction("TW-12a", "no wink is named; say which were moved by accident")
    for wink in action.winks:
        _check_wink_id(wink)
        if wink == shot.flick.piece:
            raise IllegalAction("TW-12a", f"{wink!r} was squidged, and the shot stands; only other winks go back")
        if wink not in self_reports.disturbable_winks(shot):
            raise IllegalAction("TW-12a", f"{wink!r} was not moved in the field by the last shot; it goes nowhere back")
    if problem := self_reports.restore_problem(shot, action.winks):
        raise IllegalAction("TW-12a", f"{_join_names(action.winks)} cannot go back: {problem}")


def _last_shot(state: states.State, rule: str, purpose: str) -> states.Shot:
    """Shot that can still be corrected: the last, until the next is played or declined (TW-12j)."""
    if state.book.phase == "foul":
        raise IllegalAction("TW-12d", "first decide about the foul: play again, or leave the winks as they lie")
    if state.last_shot is None:
        raise IllegalAction(rule, f"no shot has just been played {purpose}")
    return state.last_shot


def _check_obstruct(state: states.State, action: states.Obstruct) -> None:
    _check_wink_id(action.wink)
    shot = _last_shot(state, "TW-12b", "in which a wink could have been obstructed")
    if action.wink not in self_reports.obstructable_winks(shot):
        raise IllegalAction("TW-12b", f"{action.wink!r} did not move in the field in the last shot")
    if action.at is not None:
        _check_spot(state, action.wink, action.at)


def _check_spot(state: states.State, wink: str, at: Point) -> None:
    where_text = f"({to_mm(at[0]):g}, {to_mm(at[1]):g}) mm"
    piece = kit.wink(state.options, wink, at)
    if out_of_bounds_rule(state.options, piece) is not None:
        raise IllegalAction("TW-12b", f"{where_text} is not in the field; an agreed place must be")
    if hypot(*at) < kit.POT_TOP + piece.radius:
        raise IllegalAction("TW-12b", f"{where_text} is where the pot stands; an agreed place must be beside it")


def _join_names(winks: Sequence[str]) -> str:
    return " and ".join(kit.display_name(wink) if wink in kit.WINKS else repr(wink) for wink in winks) or "no wink"
