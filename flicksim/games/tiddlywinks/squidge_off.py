"""The squidge-off: one wink each at the pot, the nearest opens, and those who tie squidge again (TW-6)."""

from __future__ import annotations

from math import hypot, inf

from flicksim.base.units import mm, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.boundaries import out_at_rest
from flicksim.games.tiddlywinks.hands import put
from flicksim.games.tiddlywinks.hearing import Hearing
from flicksim.games.tiddlywinks.potting import lies_potted
from flicksim.games.tiddlywinks.state import Shot
from flicksim.referee import Reason, reading
from flicksim.table import Piece


def judge_heat(hearing: Hearing, shot: Shot) -> None:
    """A shot of the squidge-off is over; when all have played, the nearest opens the game."""
    book = hearing.book
    played = shot.flick.piece
    hearing.enter(shots=(*book.shots, played))
    send_home(hearing, shot)
    came = "" if played in hearing.book.off else f" and is {_came(hearing, played)}"
    said = Reason(rule="TW-6b", says=f"{kit.called(played)} was squidged at the pot{came}.")
    hearing.reasons.insert(0, said)
    if len(hearing.book.shots) < len(book.heat):
        following = book.heat[len(hearing.book.shots)]
        hearing.enter(to_play=following, turn=following)
        return
    _measure(hearing)


def send_home(hearing: Hearing, shot: Shot) -> None:
    """Winks of this heat stay where they lie in the field and may be hit; all others are behind their lines."""
    for wink in kit.WINKS:
        there = hearing.scene.has(wink)
        piece = hearing.scene.piece(wink) if there else shot.before.piece(wink)
        if there and wink in hearing.book.shots and wink not in hearing.book.off and _on_field(hearing, piece):
            continue
        if wink in hearing.book.shots and wink not in hearing.book.off:
            hearing.enter(off=(*hearing.book.off, wink))
            hearing.say("TW-6d", f"{kit.called(wink)} is off the field: farther than any that stayed on it.")
        home = kit.gone_home(hearing.options, piece)
        if not there or home != piece:
            hearing.scene = put(hearing.scene, home)


def _on_field(hearing: Hearing, piece: Piece) -> bool:
    return lies_potted(hearing.scene, piece) or out_at_rest(hearing.options, piece) in (None, "TW-8d")


def gap(hearing: Hearing, wink: str) -> float:
    """Distance of a wink from the pot [m]: below 0 in it, infinite off the field (TW-6d)."""
    if wink in hearing.book.off:
        return inf
    piece, pot = hearing.scene.piece(wink), hearing.scene.surface.pot
    assert pot is not None
    if lies_potted(hearing.scene, piece):
        return -1.0
    apart = hypot(piece.x - pot.x, piece.y - pot.y)
    return apart if hearing.options.squidgeoff_measure == "centre" else max(0.0, apart - piece.radius - pot.top_radius)


def _came(hearing: Hearing, wink: str) -> str:
    far = gap(hearing, wink)
    return "in it" if far < 0.0 else f"{_far(far)} from it"


def _measure(hearing: Hearing) -> None:
    """Find who is nearest; all winks go back behind the lines (TW-6c to TW-6e)."""
    book = hearing.book
    gaps = {seat: gap(hearing, wink) for seat, wink in zip(book.heat, book.shots, strict=True)}
    best = min(gaps.values())
    slack = max(mm(hearing.options.measure_tol_mm), reading.EPS)
    nearest = tuple(seat for seat in book.heat if gaps[seat] == best or gaps[seat] - best <= slack)
    for wink in book.shots:
        hearing.scene = put(hearing.scene, kit.gone_home(hearing.options, hearing.scene.piece(wink)))
    hearing.say("TW-6c", "The winks go back behind the base lines.")
    hearing.enter(shots=(), off=(), heat=nearest)
    names = " and ".join(kit.SEATS[seat] for seat in nearest)
    seat = nearest[0]
    if len(nearest) > 1:
        hearing.enter(to_play=seat, turn=seat)
        hearing.say("TW-6e", f"{names} are level ({_far(best)}): they squidge again.")
        return
    hearing.enter(heat=(), phase="shot", to_play=seat, turn=seat, opener=seat)
    hearing.say("TW-6d", f"{names} is nearest ({_far(best)}) and has the first squidge into play.")


def _far(far: float) -> str:
    return "off the field" if far == inf else "potted" if far < 0.0 else f"{to_mm(far):.2f} mm"
