"""Strokes: what the squidger may touch, in which order and for how long (TW-4e, TW-7b, TW-9a1, TW-9b)."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.base.units import mm, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.referee import Reason
from flicksim.table import SquidgerTouch

_SAME = 1e-6
"""Touches that begin within this of one another begin together [s]."""
_BREAK = 0.005
"""A pause longer than this breaks the stroke [s]; shorter ones are the squidger stepping from wink to wink."""


def stroke_foul(options: Options, squops: Squops, seat: int, log: Sequence[SquidgerTouch]) -> Reason | None:
    """The foul in a stroke; None where there is none. An empty log says nothing against it.

    Args:
        squops: who covered whom when the stroke began. seat: who played. log: what the squidger touched.
    """
    touches = sorted(log, key=lambda touch: touch.begin)
    if not touches:
        return None
    first = touches[0]
    together = [touch.piece for touch in touches if touch.begin - first.begin <= _SAME and touch.piece != first.piece]
    if together:
        names = " and ".join(kit.called(name) for name in (first.piece, *together))
        return Reason(rule="TW-9b1", says=f"The squidger touched {names} at once; the first touch must be of one wink.")
    if kit.seat_of(first.piece) != seat:
        return Reason(rule="TW-7b", says=f"{kit.SEATS[seat]} played {kit.called(first.piece)}, which is not his.")
    if squops.squopped(first.piece):
        return Reason(rule="TW-9a1", says=f"{kit.called(first.piece)} was played though squopped.")
    # what it went on to beside the pile is told first: the felt on the way there is no pause of the stroke
    return _beside(squops, first.piece, touches) or _not_short(options, touches)


def _not_short(options: Options, touches: Sequence[SquidgerTouch]) -> Reason | None:
    """A stroke is short and in one go (TW-9b2)."""
    till, way = touches[0].begin, 0.0
    for touch in touches:
        if touch.begin > till + _BREAK:
            return Reason(
                rule="TW-9b2",
                says=f"The stroke broke off for {(touch.begin - till) * 1000:.0f} ms; it must be continuous.",
            )
        # time already counted is not counted twice when two winks are touched at once
        span = touch.end - touch.begin
        way += touch.way * (max(0.0, touch.end - max(till, touch.begin)) / span if span > 0.0 else 1.0)
        till = max(till, touch.end)
    if way > mm(options.stroke_max_mm) + 1e-9:
        says = f"The stroke was {to_mm(way):.0f} mm long; it may be {options.stroke_max_mm:g} mm."
        return Reason(rule="TW-9b2", says=says)
    if till - touches[0].begin > options.stroke_max_s + 1e-9:
        says = f"The stroke took {till - touches[0].begin:.2f} s; it may take {options.stroke_max_s:g} s."
        return Reason(rule="TW-9b2", says=says)
    return None


def _beside(squops: Squops, played: str, touches: Sequence[SquidgerTouch]) -> Reason | None:
    """Beside the wink played only those vertically under it may be touched (TW-9b3)."""
    allowed = {played, *squops.under(played)}
    for touch in touches:
        if touch.piece not in allowed:
            says = f"The squidger touched {kit.called(touch.piece)}, which did not lie under {kit.called(played)}."
            return Reason(rule="TW-9b3", says=says)
    return None
