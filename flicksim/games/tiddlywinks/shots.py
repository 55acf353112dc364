"""A shot judged, in the order in which things are settled after it (TW-D4)."""

from __future__ import annotations

from math import hypot

from flicksim.base.units import to_mm
from flicksim.games.tiddlywinks import (
    boundaries,
    fouls,
    free_turns,
    potout,
    potting,
    scoring,
    squidge_off,
    time_limit,
    turns,
)
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.hands import arranged, put
from flicksim.games.tiddlywinks.hearing import Hearing
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Shot
from flicksim.referee import Reason


def judge_shot(shot: Shot) -> tuple[Hearing, Reason | None]:
    """The hearing of a shot as if it were fair, and the foul in it, if any."""
    state = shot.former
    hearing = Hearing(state, arranged(shot.after, shot.after.pieces))
    before = Squops(shot.before, state.book)
    seat = state.book.turn
    foul = None if shot.let_stand else fouls.stroke_foul(state.options, before, seat, shot.squidger)
    if state.phase == "squidge_off":
        squidge_off.judge_heat(hearing, shot)
        return hearing, foul
    time_limit.tick(hearing, state.options.seconds_per_shot)
    heard = len(hearing.reasons)
    _find_winks(hearing, shot, seat)
    _name_squops(hearing, before, shot.flick.piece)
    potout.enter_finishers(hearing, shot)
    potout.uncover(hearing)
    if potout.decided(hearing):
        scoring.finish(hearing)
        return hearing, foul
    fair = foul is None and not shot.let_stand
    if fair and state.options.resquop_remedy == "foul" and free_turns.resquopped(hearing, seat):
        foul = Reason(rule="TW-9c11", says="A pair freed just before was squopped again before it had a shot.")
    free_turns.after_shot(hearing, seat, before, shot.aside)
    _earn(hearing, shot, seat)
    if len(hearing.reasons) == heard:
        hearing.say("TW-7c", shot_told(hearing, shot.flick.piece))
    if hearing.book.phase != "aside":
        turns.go_on(hearing)
    return hearing, foul


def _earn(hearing: Hearing, shot: Shot, seat: int) -> None:
    """An extra shot for each own wink potted (TW-7d), unless none is left to play; an obstructed shot earns none."""
    own = [wink for wink in hearing.newly_potted() if kit.seat_of(wink) == seat]
    if own and not hearing.book.done(seat):
        hearing.enter(extra=hearing.book.extra + len(own))
        shots = "an extra shot" if len(own) == 1 else f"{len(own)} extra shots"
        hearing.say("TW-7d", f"{kit.SEATS[seat]} has earned {shots}.")
    if hearing.book.extra and shot.obstructed:
        hearing.say("TW-12c", "It was obstructed: no extra shot is played, the next player takes his turn.")
        hearing.enter(extra=0)
    elif hearing.book.extra and shot.let_stand and not hearing.options.foul_keep_extras:
        hearing.say("TW-12f", f"It was foul: {kit.SEATS[seat]} gets no extra shot from it.")
        hearing.enter(extra=0)


def _find_winks(hearing: Hearing, shot: Shot, seat: int) -> None:
    """Pot, rim and boundary: where every wink now lies and what it is (TW-D1, TW-D4)."""
    lost = tuple(piece for piece in shot.before.pieces if not shot.after.has(piece.id))
    potting.count_potted(hearing, lost)
    potting.lay_leaners(hearing)
    away = boundaries.gone(hearing.options, shot, hearing.scene, hearing.book)
    played = shot.flick.piece
    if played in hearing.book.behind:
        if any(one.wink == played for one in away) or _came_to_lie_in_field(hearing, played):
            hearing.enter(behind=tuple(wink for wink in hearing.book.behind if wink != played))
        else:
            hearing.say("TW-8e", f"{kit.called(played)} did not cross its base line and stays behind it.")
    for wink in hearing.book.behind:
        there = hearing.scene.has(wink)
        home = kit.gone_home(hearing.options, hearing.scene.piece(wink) if there else shot.before.piece(wink))
        if not there or hearing.scene.piece(wink) != home:
            hearing.scene = put(hearing.scene, home)
            if wink != played:
                hearing.say("TW-12a", f"{kit.called(wink)} was disturbed behind its base line and is put back.")
    if away:
        hearing.scene = boundaries.put_back(hearing.options, hearing.scene, shot.before, away)
        _sent_off(hearing, away, seat)


def _name_squops(hearing: Hearing, before: Squops, played: str) -> None:
    """Say which winks are newly squopped (TW-9a3), and which a shot from a pile has freed: a desquop (TW-9b4)."""
    now = hearing.squops()
    for wink in kit.WINKS:
        new = [over for over in now.over(wink) if over not in before.over(wink)]
        if new:
            hearing.say("TW-9a3", f"{' and '.join(map(kit.called, new))} squopped {kit.called(wink)}.")
    freed = [
        wink
        for wink in kit.WINKS
        if before.squopped(wink) and not now.squopped(wink) and wink not in hearing.book.potted
    ]
    if before.squopping(played) and freed:
        hearing.say("TW-9b4", f"A desquop: {' and '.join(map(kit.called, freed))} can be played again.")


def _came_to_lie_in_field(hearing: Hearing, wink: str) -> bool:
    return hearing.scene.has(wink) and boundaries.out_at_rest(hearing.options, hearing.scene.piece(wink)) is None


_WENT = {
    "TW-8b": "went over the boundary",
    "TW-8c": "came to rest on the boundary",
    "TW-8d": "came to rest too near the mat's edge to be played",
}


def _sent_off(hearing: Hearing, away: tuple[boundaries.Gone, ...], seat: int) -> None:
    """Say what was put back, and fine the player whose own wink it was (TW-8i, TW-8j)."""
    for one in away:
        hearing.say(one.rule, f"{kit.called(one.wink)} {_WENT[one.rule]} and is put back, 22.225 mm in.")
    if any(kit.seat_of(one.wink) == seat for one in away):
        hearing.enter(missing=tuple(sorted({*hearing.book.missing, seat})))
        hearing.say("TW-8i", f"{kit.SEATS[seat]} sent off a wink of his own and misses his next shot.")


def from_pot(hearing: Hearing, wink: str) -> str:
    """Distance of a wink's edge from the pot's, in whole millimetres; from near in tenths."""
    piece, pot = hearing.scene.piece(wink), hearing.scene.surface.pot
    assert pot is not None
    gap = to_mm(max(0.0, hypot(piece.x - pot.x, piece.y - pot.y) - piece.radius - pot.top_radius))
    return f"{gap:.0f} mm from the pot" if gap >= 20.0 else f"{gap:.1f} mm from the pot"


def shot_told(hearing: Hearing, wink: str) -> str:
    """Account of where the squidged wink came to rest, and of what it lies on."""
    name = kit.called(wink)
    if wink in hearing.book.behind:
        return f"{name} stays behind its base line."
    if wink in hearing.book.potted:
        return f"{name} stays in the pot."
    brought = " is brought in and" if wink in hearing.was.behind else ""
    on = hearing.scene.piece(wink).lies_on
    lies = f" lies on {' and '.join(map(kit.called, on))}," if on else " rests"
    return f"{name}{brought}{lies} {from_pot(hearing, wink)}."
