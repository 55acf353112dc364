"""The rules of tiddlywinks as pure functions (see `referee.Rules`). Ledger ids TW- stand where they are decided.

A game: the squidge-off finds who opens; winks are brought in, potted, squopped and freed in turns clockwise; it ends
when three players have potted out, or by the clock and five rounds, or by forfeit. Seven points are shared out.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from flicksim.base.errors import BadOption, IllegalAction, Unsettled
from flicksim.base.kinds import Given
from flicksim.base.seeding import Seeds
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import free_turns, owning_up, potout, scoring, squidge_off, time_limit, turns
from flicksim.games.tiddlywinks.allowed import check, choices
from flicksim.games.tiddlywinks.aside import Freeing, uncover_all
from flicksim.games.tiddlywinks.hands import arranged, moved
from flicksim.games.tiddlywinks.hearing import Hearing
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.shots import judge_shot
from flicksim.games.tiddlywinks.state import (
    Aside,
    Book,
    CallFoul,
    Clock,
    Decide,
    Disturb,
    Interfere,
    Obstruct,
    Pass,
    Shot,
    State,
    TurnOver,
    WinksRuling,
)
from flicksim.referee import Reason, Verdict
from flicksim.table import Motion, Scene, Squidge

__all__ = [
    "IllegalAction",
    "advance",
    "check",
    "choices",
    "judge",
    "scores",
    "stage",
    "start",
    "to_play",
    "view",
    "winning",
]


def start(options: Options, seats: int, seeds: Seeds) -> State:
    """The state before the squidge-off: all winks behind their lines (TW-6a).

    Raises:
        BadOption: not four seats (TW-1a), or options nobody can play with.
    """
    if seats != 4:
        raise BadOption(f"tiddlywinks is for 4 seats, not {seats}; two people hold two seats each (TW-1a)")
    kit.check_options(options)
    first = 0
    if options.squidgeoff_order == "toss":
        first = int(seeds.child("toss").generator().integers(4))
    heat = tuple((first + k) % 4 for k in range(4))
    scene = Scene(surface=kit.mat(options), pieces=kit.opening(options))
    return State(options=options, scene=scene, book=Book(phase="squidge_off", to_play=first, turn=first, heat=heat))


def to_play(state: State) -> int | None:
    """Seat that acts now; None when the game is over."""
    return state.book.to_play


def view(state: State, seat: int) -> State:
    """The state as a seat may see it: everything lies open."""
    del seat
    return state


def scores(state: State) -> tuple[Fraction, ...]:
    """Points by seat; nobody has any before the game is over."""
    return state.book.points


def winning(state: State) -> tuple[int, ...]:
    """Seats of the pair with more points, all four when level (TW-5e)."""
    ours, theirs = scoring.pair_points(state.book.points)
    return (0, 2) if ours > theirs else (1, 3) if theirs > ours else (0, 1, 2, 3)


def stage(state: State, action: object) -> tuple[Scene, Squidge] | None:
    """The mat as it lies when this is done, and what moves it; None when nothing moves."""
    if not isinstance(action, Squidge):
        return None
    scene = state.scene if action.start is None else state.scene.moved(action.piece, action.start)
    return scene, action


def judge(state: State, action: object, account: Motion | None) -> Verdict:
    """The ruling on an action and what came of it.

    Raises:
        Unsettled: the motion has not come to rest (X-1).
    """
    hearing = Hearing(state, state.scene)
    match action:
        case Squidge():
            assert account is not None
            return _rule_on_shot(state, account)
        case Decide(replay=replay):
            return _decide(state, hearing, replay=replay)
        case CallFoul(how=how):
            rule = {"out_of_turn": "TW-7a", "other_wink": "TW-7b", "squopped": "TW-9a1", "stroke": "TW-9b2"}[how]
            assert state.last_shot is not None
            owned = Reason(rule=rule, says="The last shot is owned to have been foul.")
            return _foul(state, hearing, owned, state.last_shot)
        case Interfere(seat=seat, wink=wink):
            return _interfere(state, hearing, seat, wink)
        case Aside(winks=winks):
            episode = state.book.episode
            assert episode is not None
            hearing.enter(phase="shot")
            free_turns.move_aside(hearing, Freeing(hearing, episode.victims), winks, episode.victims)
            turns.go_on(hearing)
            last = state.last_shot
            return _verdict(state, hearing, last_shot=last and msgspec.structs.replace(last, aside=winks))
        case Pass():
            _decline(state, hearing)
            return _verdict(state, hearing, last_shot=None)
        case TurnOver(wink=wink):
            piece = state.scene.piece(wink)
            turned = msgspec.structs.replace(piece, face=1 if piece.face == -1 else -1)
            hearing.scene = state.scene.with_piece(turned)
            hearing.say("TW-12g", f"{kit.called(wink)} is turned over; it squops nothing and is not squopped.")
        case Clock(seconds=seconds):
            hearing.say("TW-11a", f"{seconds:g} s go by.")
            time_limit.tick(hearing, seconds)
            if state.book.potted_out:
                hearing.say("TW-10h", "Nothing limits the length of the game any more.")
        case Disturb(winks=winks):
            assert state.last_shot is not None
            says = f"{_called(winks)} moved by accident: back to the former place. The shot stands."
            shot = owning_up.undisturbed(state.last_shot, winks)
            return _judge_anew(state, shot, Reason(rule="TW-12a", says=says), winks)
        case Obstruct():
            return _obstruct(state, action)
    return _verdict(state, hearing)


def _verdict(state: State, hearing: Hearing, base: Scene | None = None, **more: Given) -> Verdict:
    base = state.scene if base is None else base
    more.setdefault("last_shot", state.last_shot)
    gained = tuple(now - was for now, was in zip(hearing.book.points, state.book.points, strict=True))
    ruling = WinksRuling(
        points=gained, next=hearing.book.to_play, moved=moved(base, hearing.scene), book=hearing.book, **more
    )
    return Verdict(reasons=tuple(hearing.reasons), ruling=ruling)


def _rule_on_shot(state: State, motion: Motion) -> Verdict:
    if not motion.settled:
        raise Unsettled("the shot cannot be judged: not everything came to rest")
    shot = Shot.of(state, motion)
    hearing, foul = judge_shot(shot)
    if foul is not None:
        return _foul(state, hearing, foul, shot, motion.after, scene="rested")
    return _verdict(state, hearing, motion.after, scene="rested", last_shot=shot)


def _foul(
    state: State, hearing: Hearing, foul: Reason, shot: Shot, base: Scene | None = None, **more: Given
) -> Verdict:
    """The shot is foul: the next opponent clockwise decides for his pair; all else waits (TW-12d)."""
    fouler = shot.former.book.turn
    chooser = (fouler + 1) % 4
    hearing.reasons = [foul, *hearing.reasons]
    decide = f"{kit.SEATS[chooser]} and partner decide: {kit.SEATS[fouler]} plays again, or the winks stay as they lie."
    hearing.say("TW-12d", decide)
    hearing.enter(phase="foul", to_play=chooser, foul=foul.rule, points=shot.former.book.points)
    return _verdict(state, hearing, base, last_shot=shot, **more)


def _decide(state: State, hearing: Hearing, *, replay: bool) -> Verdict:
    """The opponents' choice: as before the shot and again, or as it lies, as if it had been fair (TW-12e, TW-12f)."""
    shot, book = state.last_shot, state.book
    assert shot is not None
    if not replay:
        stays = Reason(rule="TW-12f", says="The winks stay as they lie; the shot counts as a fair one.")
        told = judge_shot(shot)[0].reasons
        return _judge_anew(state, msgspec.structs.replace(shot, let_stand=True), stays, told=told)
    former = shot.former
    name = kit.SEATS[former.book.turn]
    hearing.book = former.book
    time_limit.tick(hearing, book.clock - former.book.clock)
    if state.options.foul_replay_restores:
        hearing.say("TW-12e", f"Everything is put back as it was and {name} plays again.")
        hearing.scene = former.scene
        return _verdict(state, hearing, former.scene, scene="former", last_shot=None)
    hearing.say("TW-12e", f"{name} plays again from where the winks lie now.")
    hearing.enter(behind=book.behind, potted=book.potted, finished=book.finished)
    if hearing.book.phase == "squidge_off":
        squidge_off.send_home(hearing, shot)  # from where it came to lie nobody squidges off
    elif potout.decided(hearing):
        scoring.finish(hearing)
    elif hearing.book.phase == "shot":
        _look_again(hearing)
    return _verdict(state, hearing, last_shot=None)


def _interfere(state: State, hearing: Hearing, seat: int, wink: str | None) -> Verdict:
    """Deliberate interference forfeits the game; a wink taken from the pot goes back into it, as a foul (TW-12h)."""
    name = kit.SEATS[seat]
    if wink is None:
        hearing.say("TW-12i", f"{name} impeded an opponent: the game ceases, all 7 points go to the opponents.")
    elif state.book.in_play(wink):
        hearing.say("TW-12h", f"{name} interfered with {kit.called(wink)}: all 7 points go to the opponents.")
    else:
        out = wink in state.book.behind and (wink not in state.book.shots or wink in state.book.off)
        where = "behind its base line" if out else "into the pot" if wink in state.book.potted else "where it lay"
        reason = Reason(rule="TW-3e", says=f"{name} took {kit.called(wink)}: it goes back, {where}.")
        last = state.last_shot
        his_shot = last is not None and last.former.book.turn == seat and state.book.phase != "foul"
        if wink in state.book.potted and last is not None and his_shot:
            return _foul(state, hearing, reason, last)
        hearing.reasons.append(reason)
        return _verdict(state, hearing)
    scoring.close(hearing, scoring.forfeited(seat), "TW-12i" if wink is None else "TW-12h")
    return _verdict(state, hearing, last_shot=None)


def _decline(state: State, hearing: Hearing) -> None:
    """A shot declined takes the time of one (TW-7c); a pair freed just before has then had its shot (TW-9c11)."""
    seat = state.book.turn
    hearing.say("TW-7c", f"{kit.SEATS[seat]} declines his shot.")
    time_limit.tick(hearing, state.options.seconds_per_shot)
    if state.book.protected == kit.pair_of(seat):
        hearing.enter(protected=None)
    turns.next_turn(hearing)


def _obstruct(state: State, action: Obstruct) -> Verdict:
    """An obstructed wink is set where agreed, else where it would have rested; the next player goes on (TW-12b)."""
    assert state.last_shot is not None
    if action.at is not None:
        lies = "is set where both sides agree"
    elif state.options.obstruct_fallback == "replay":
        lies = "goes back, without agreement, to where it lay"
    else:
        lies = "lies, without agreement, where it would have come to rest"
    said = Reason(rule="TW-12b", says=f"{kit.called(action.wink)} was obstructed and {lies}.")
    return _judge_anew(state, owning_up.set_right(state.last_shot, action), said, (action.wink,))


def _judge_anew(
    state: State, shot: Shot, said: Reason, winks: tuple[str, ...] = (), told: Sequence[Reason] = ()
) -> Verdict:
    """The last shot as it is now known to have been, judged from the state before it (TW-12j).

    What has been done since stays done: time that has gone by, and winks turned over, but for those put right.

    Args:
        winks: those put right. told: reasons that need not be given again.
    """
    hearing, foul = judge_shot(shot)
    hearing.reasons = [said, *(reason for reason in hearing.reasons if reason not in told)]
    time_limit.tick(hearing, state.book.clock - hearing.book.clock)
    for piece in hearing.scene.pieces:
        if piece.id not in winks and piece.face != (face := state.scene.piece(piece.id).face):
            hearing.scene = hearing.scene.with_piece(msgspec.structs.replace(piece, face=face))
    if foul is not None:
        return _foul(state, hearing, foul, shot)
    return _verdict(state, hearing, last_shot=shot)


def _look_again(hearing: Hearing) -> None:
    """Winks lie otherwise than the last shot left them: squops and who can play are looked at again."""
    book = hearing.book
    if book.potted_out:
        hearing.enter(episode=None, protected=None, laps=None)
        uncover_all(hearing)
    elif book.episode is not None and not hearing.squops().out(book.episode.victims):
        hearing.say("TW-9c12", f"A wink of {kit.PAIRS[book.episode.victims]} is free again: free turns cease.")
        hearing.enter(
            episode=None, protected=book.episode.victims, phase="shot" if book.phase == "aside" else book.phase
        )
    elif book.episode is None and book.phase == "shot":
        free_turns.begin(hearing)
    seat = hearing.book.to_play
    if hearing.book.phase == "shot" and seat is not None and not hearing.squops().playable(seat):
        turns.next_turn(hearing, used=False)


def _called(winks: tuple[str, ...]) -> str:
    return " and ".join(map(kit.called, winks)) + (" were" if len(winks) > 1 else " was")


def advance(state: State, account: Motion | None, verdict: Verdict) -> State:
    """The next state: what the ruling says, done."""
    ruling = verdict.ruling
    assert isinstance(ruling, WinksRuling)
    base = state.scene
    if ruling.scene == "rested":
        assert account is not None
        base = account.after
    elif ruling.scene == "former":
        assert state.former is not None
        base = state.former.scene
    put_there = {piece.id for piece in ruling.moved}
    scene = arranged(base, (*(piece for piece in base.pieces if piece.id not in put_there), *ruling.moved))
    return State(options=state.options, scene=scene, book=ruling.book, last_shot=ruling.last_shot)
