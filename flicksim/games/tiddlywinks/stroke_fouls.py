"""Stroke fouls: what the squidger may touch, in which order and for how long (TW-4e, 7b, 9a1, 9b)."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.core.units import mm, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.referee import Reason
from flicksim.scene import SquidgerContact

_CONTACT_GAP_TIME = 1e-6
"""Touches that begin within this of one another begin together [s]."""
_MAX_CONTACT_GAP = 0.005
"""A pause longer than this breaks the stroke [s]; shorter ones are the squidger stepping from wink to wink."""


def stroke_foul(options: Options, squops: Squops, seat: int, log: Sequence[SquidgerContact]) -> Reason | None:
    """Foul in a stroke; None if there is none, or the contact log is empty.

    Args:
        squops: who covered whom when the stroke began. seat: who played. log: what the squidger touched.
    """
    touches = sorted(log, key=lambda touch: touch.begin)
    if not touches:
        return None
    first = touches[0]
    together = [
        touch.piece
        for touch in touches
        if touch.begin - first.begin <= _CONTACT_GAP_TIME and touch.piece != first.piece
    ]
    if together:
        names = " and ".join(kit.display_name(name) for name in (first.piece, *together))
        return Reason(rule="TW-9b1", says=f"The squidger touched {names} at once; the first touch must be of one wink.")
    if kit.seat_of(first.piece) != seat:
        return Reason(rule="TW-7b", says=f"{kit.SEATS[seat]} played {kit.display_name(first.piece)}, which is not his.")
    if squops.is_squopped(first.piece):
        return Reason(rule="TW-9a1", says=f"{kit.display_name(first.piece)} was played though squopped.")
    # what it went on to beside the pile is told first: the felt on the way there is no pause of the stroke
    return _wrong_contact_foul(squops, first.piece, touches) or _long_stroke_foul(options, touches)


def _long_stroke_foul(options: Options, touches: Sequence[SquidgerContact]) -> Reason | None:
    """Foul of a stroke that is not short and continuous (TW-9b2)."""
    till, way = touches[0].begin, 0.0
    for touch in touches:
        if touch.begin > till + _MAX_CONTACT_GAP:
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


def _wrong_contact_foul(squops: Squops, played: str, touches: Sequence[SquidgerContact]) -> Reason | None:
    """Foul of touching a wink other than the played one and those vertically under it (TW-9b3)."""
    allowed = {played, *squops.covered(played)}
    for touch in touches:
        if touch.piece not in allowed:
            touched, upper = kit.display_name(touch.piece), kit.display_name(played)
            return Reason(rule="TW-9b3", says=f"The squidger touched {touched}, which did not lie under {upper}.")
    return None
