"""Rules of tiddlywinks as pure functions (see `referee.Rules`); rule ids TW- stand where they apply.

A game: the squidge-off finds who opens; winks are brought in, potted, squopped and freed in turns clockwise; it ends
when three players have potted out, or by the clock and five rounds, or by forfeit. Seven points are shared out.
"""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from flicksim.core.errors import DidNotSettle, InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.core.type_aliases import Unchecked
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import potting, scoring, self_reports, shot_adjudication, turn_order
from flicksim.games.tiddlywinks import state as states
from flicksim.games.tiddlywinks.adjudication_context import AdjudicationContext
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.legal_actions import check_action as check_action
from flicksim.games.tiddlywinks.legal_actions import legal_actions as legal_actions
from flicksim.games.tiddlywinks.move_aside import FreeingMoves, uncover_all
from flicksim.games.tiddlywinks.shot_adjudication import judge_shot
from flicksim.games.tiddlywinks.state import Book, Shot, State, WinksRuling
from flicksim.games.tiddlywinks.wink_placement import moved_pieces, scene_with_pieces
from flicksim.referee import Reason, Verdict, common_rules
from flicksim.scene import Scene, Squidge, Trajectory

to_play, view = common_rules.to_play, common_rules.view


def initial_state(options: Options, seats: int, streams: RandomStreams) -> State:
    """State before the squidge-off: all winks behind their lines (TW-6a).

    Raises:
        InvalidOption: not four seats (TW-1a), or unplayable options.
    """
    if seats != 4:
        raise InvalidOption(f"tiddlywinks is for 4 seats, not {seats}; two people hold two seats each (TW-1a)")
    kit.check_options(options)
    first = 0
    if options.squidgeoff_order == "toss":
        first = int(streams.spawn("toss").generator().integers(4))
    heat = tuple((first + k) % 4 for k in range(4))
    scene = Scene(surface=kit.mat_surface(options), pieces=kit.opening(options))
    return State(options=options, scene=scene, book=Book(phase="squidge_off", to_play=first, turn=first, heat=heat))


def scores(state: State) -> tuple[Fraction, ...]:
    """Points by seat; 0 before the game is over."""
    return state.book.points


def provisional_points(state: State) -> Sequence[Fraction]:
    """Points by seat if the game were adjudicated as it lies; empty before the squidge-off is decided."""
    return () if state.book.opener is None else scoring.provisional_points(state.options, state.scene, state.book)


def leaders(state: State) -> tuple[int, ...]:
    """Seats of the pair with more points, all four when level (TW-5e)."""
    ours, theirs = scoring.pair_points(state.book.points)
    return (0, 2) if ours > theirs else (1, 3) if theirs > ours else (0, 1, 2, 3)


def simulation_setup(state: State, action: object) -> tuple[Scene, Squidge] | None:
    """Scene and shot to simulate for an action; None if nothing moves."""
    if not isinstance(action, Squidge):
        return None
    scene = state.scene if action.start is None else state.scene.with_piece_at(action.piece, action.start)
    return scene, action


def judge(state: State, action: object, result: Trajectory | None) -> Verdict:
    """Adjudicate an action and its simulation result.

    Raises:
        DidNotSettle: the trajectory does not end at rest (X-1).
    """
    context = AdjudicationContext(state, state.scene)
    match action:
        case Squidge():
            assert result is not None
            return _judge_shot(state, result)
        case states.Decide(replay=replay):
            return _decide(state, context, replay=replay)
        case states.CallFoul(how=how):
            rule = {"out_of_turn": "TW-7a", "other_wink": "TW-7b", "squopped": "TW-9a1", "stroke": "TW-9b2"}[how]
            assert state.last_shot is not None
            reason = Reason(rule, "The last shot is owned to have been foul.")
            return _foul(state, context, reason, state.last_shot)
        case states.Interfere(seat=seat, wink=wink):
            return _interfere(state, context, seat, wink)
        case states.MoveAside(winks=winks):
            episode = state.book.episode
            assert episode is not None
            context.update_book(phase="shot")
            turn_order.apply_move_aside(context, FreeingMoves(context, episode.victims), winks, episode.victims)
            turn_order.continue_turn(context)
            last = state.last_shot
            return _verdict(state, context, last_shot=last and msgspec.structs.replace(last, aside=winks))
        case states.Pass():
            _decline(state, context)
            return _verdict(state, context, last_shot=None)
        case states.TurnOver(wink=wink):
            piece = state.scene.piece(wink)
            turned = msgspec.structs.replace(piece, face=1 if piece.face == -1 else -1)
            context.scene = state.scene.with_piece(turned)
            context.add_reason(
                "TW-12g", f"{kit.display_name(wink)} is turned over; it squops nothing and is not squopped."
            )
        case states.Clock(seconds=seconds):
            context.add_reason("TW-11a", f"{seconds:g} s go by.")
            turn_order.advance_clock(context, seconds)
            if state.book.potted_out:
                context.add_reason("TW-10h", "Nothing limits the length of the game any more.")
        case states.Disturb(winks=winks):
            assert state.last_shot is not None
            names = " and ".join(map(kit.display_name, winks)) + (" were" if len(winks) > 1 else " was")
            text = f"{names} moved by accident: back to the former place. The shot stands."
            shot = self_reports.undo_disturbance(state.last_shot, winks)
            return _rejudge(state, shot, Reason("TW-12a", text), winks)
        case states.Obstruct():
            return _obstruct(state, action)
    return _verdict(state, context)


def _verdict(state: State, context: AdjudicationContext, base: Scene | None = None, **more: Unchecked) -> Verdict:
    base = state.scene if base is None else base
    more.setdefault("last_shot", state.last_shot)
    gained = tuple(after - before for after, before in zip(context.book.points, state.book.points, strict=True))
    ruling = WinksRuling(
        points=gained, next=context.book.to_play, moved=moved_pieces(base, context.scene), book=context.book, **more
    )
    return Verdict(reasons=tuple(context.reasons), ruling=ruling)


def _judge_shot(state: State, trajectory: Trajectory) -> Verdict:
    if not trajectory.settled:
        raise DidNotSettle("the shot cannot be judged: not everything came to rest")
    shot = Shot.from_trajectory(state, trajectory)
    context, foul = judge_shot(shot)
    if foul is not None:
        return _foul(state, context, foul, shot, trajectory.after, scene="rested")
    return _verdict(state, context, trajectory.after, scene="rested", last_shot=shot)


def _foul(
    state: State, context: AdjudicationContext, foul: Reason, shot: Shot, base: Scene | None = None, **more: Unchecked
) -> Verdict:
    """Record a foul: the next opponent clockwise decides for the pair; nothing else is adjudicated yet (TW-12d)."""
    fouler = shot.former.book.turn
    chooser = (fouler + 1) % 4
    context.reasons = [foul, *context.reasons]
    text = f"{kit.SEATS[chooser]} and partner decide: {kit.SEATS[fouler]} plays again, or the winks stay as they lie."
    context.add_reason("TW-12d", text)
    context.update_book(phase="foul", to_play=chooser, foul=foul.rule, points=shot.former.book.points)
    return _verdict(state, context, base, last_shot=shot, **more)


def _decide(state: State, context: AdjudicationContext, *, replay: bool) -> Verdict:
    """Apply the opponents' choice: replay from the state before the shot, or let it stand as fair (TW-12e, TW-12f)."""
    shot, book = state.last_shot, state.book
    assert shot is not None
    if not replay:
        stays = Reason("TW-12f", "The winks stay as they lie; the shot counts as a fair one.")
        reasons = judge_shot(shot)[0].reasons
        return _rejudge(state, msgspec.structs.replace(shot, let_stand=True), stays, known_reasons=reasons)
    former = shot.former
    name = kit.SEATS[former.book.turn]
    context.book = former.book
    turn_order.advance_clock(context, book.clock - former.book.clock)
    if state.options.foul_replay_restores:
        context.add_reason("TW-12e", f"Everything is put back as it was and {name} plays again.")
        context.scene = former.scene
        return _verdict(state, context, former.scene, scene="former", last_shot=None)
    context.add_reason("TW-12e", f"{name} plays again from where the winks lie now.")
    context.update_book(behind=book.behind, potted=book.potted, finished=book.finished)
    if context.book.phase == "squidge_off":
        shot_adjudication.return_others_home(
            context, shot
        )  # squidge-off shots are not played from where a wink came to rest
    elif potting.is_decided(context):
        scoring.finish(context)
    elif context.book.phase == "shot":
        _refresh_squops(context)
    return _verdict(state, context, last_shot=None)


def _interfere(state: State, context: AdjudicationContext, seat: int, wink: str | None) -> Verdict:
    """Judge deliberate interference: the game is forfeited; a wink taken from the pot goes back into it (TW-12h)."""
    name = kit.SEATS[seat]
    if wink is None:
        context.add_reason("TW-12i", f"{name} impeded an opponent: the game ceases, all 7 points go to the opponents.")
    elif state.book.in_play(wink):
        context.add_reason(
            "TW-12h", f"{name} interfered with {kit.display_name(wink)}: all 7 points go to the opponents."
        )
    else:
        is_behind = wink in state.book.behind and (wink not in state.book.shots or wink in state.book.off)
        where_text = (
            "behind its base line" if is_behind else "into the pot" if wink in state.book.potted else "where it lay"
        )
        reason = Reason("TW-3e", f"{name} took {kit.display_name(wink)}: it goes back, {where_text}.")
        last = state.last_shot
        is_own_shot = last is not None and last.former.book.turn == seat and state.book.phase != "foul"
        if wink in state.book.potted and last is not None and is_own_shot:
            return _foul(state, context, reason, last)
        context.reasons.append(reason)
        return _verdict(state, context)
    scoring.end_game(context, scoring.forfeit_points(seat), "TW-12i" if wink is None else "TW-12h")
    return _verdict(state, context, last_shot=None)


def _decline(state: State, context: AdjudicationContext) -> None:
    """Decline a shot: it takes the time of one (TW-7c) and ends the protection of a freed pair (TW-9c11)."""
    seat = state.book.turn
    context.add_reason("TW-7c", f"{kit.SEATS[seat]} declines his shot.")
    turn_order.advance_clock(context, state.options.seconds_per_shot)
    if state.book.protected == kit.pair_of(seat):
        context.update_book(protected=None)
    turn_order.next_turn(context)


def _obstruct(state: State, action: states.Obstruct) -> Verdict:
    """Set an obstructed wink where agreed, else where it would have rested; the next player goes on (TW-12b)."""
    assert state.last_shot is not None
    if action.at is not None:
        place_text = "is set where both sides agree"
    elif state.options.obstruct_fallback == "replay":
        place_text = "goes back, without agreement, to where it lay"
    else:
        place_text = "lies, without agreement, where it would have come to rest"
    reason = Reason("TW-12b", f"{kit.display_name(action.wink)} was obstructed and {place_text}.")
    return _rejudge(state, self_reports.resolve_obstruction(state.last_shot, action), reason, (action.wink,))


def _rejudge(
    state: State, shot: Shot, first_reason: Reason, winks: tuple[str, ...] = (), known_reasons: Sequence[Reason] = ()
) -> Verdict:
    """Judge the last shot again from the state before it, with the self-reports made since (TW-12j).

    Time advanced and winks turned over since are kept, except for the winks corrected.

    Args:
        winks: winks corrected. known_reasons: reasons that are not repeated.
    """
    context, foul = judge_shot(shot)
    context.reasons = [first_reason, *(reason for reason in context.reasons if reason not in known_reasons)]
    turn_order.advance_clock(context, state.book.clock - context.book.clock)
    for piece in context.scene.pieces:
        if piece.id not in winks and piece.face != (face := state.scene.piece(piece.id).face):
            context.scene = context.scene.with_piece(msgspec.structs.replace(piece, face=face))
    if foul is not None:
        return _foul(state, context, foul, shot)
    return _verdict(state, context, last_shot=shot)


def _refresh_squops(context: AdjudicationContext) -> None:
    """Update squops and playable winks after winks were moved by hand."""
    book = context.book
    if book.potted_out:
        context.update_book(episode=None, protected=None, laps=None)
        uncover_all(context)
    elif book.episode is not None and not context.squops().is_squopped_out(book.episode.victims):
        context.add_reason("TW-9c12", f"A wink of {kit.PAIRS[book.episode.victims]} is free again: free turns cease.")
        context.update_book(
            episode=None, protected=book.episode.victims, phase="shot" if book.phase == "aside" else book.phase
        )
    elif book.episode is None and book.phase == "shot":
        turn_order.start_if_squopped_out(context)
    seat = context.book.to_play
    if context.book.phase == "shot" and seat is not None and not context.squops().playable_winks(seat):
        turn_order.next_turn(context, used=False)


def next_state(state: State, result: Trajectory | None, verdict: Verdict) -> State:
    """Apply a verdict to a state."""
    ruling = verdict.ruling
    assert isinstance(ruling, WinksRuling)
    base = state.scene
    if ruling.scene == "rested":
        assert result is not None
        base = result.after
    elif ruling.scene == "former":
        assert state.former is not None
        base = state.former.scene
    moved_ids = {piece.id for piece in ruling.moved}
    scene = scene_with_pieces(base, (*(piece for piece in base.pieces if piece.id not in moved_ids), *ruling.moved))
    return State(options=state.options, scene=scene, book=ruling.book, last_shot=ruling.last_shot)
