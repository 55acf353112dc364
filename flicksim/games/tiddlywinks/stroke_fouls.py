"""Stroke fouls: contacts of the squidger, their order and duration (TW-4e, 7b, 9a1, 9b)."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.core.units import mm, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.referee import Reason
from flicksim.scene import SquidgerContact

_CONTACT_GAP_TIME = 1e-6
"""Contacts that begin within this time begin together [s]."""
_MAX_CONTACT_GAP = 0.005
"""Longest pause between contacts within a stroke [s], as the squidger moves from wink to wink."""


def stroke_foul(options: Options, squops: Squops, seat: int, log: Sequence[SquidgerContact]) -> Reason | None:
    """Foul in a stroke; None if there is none, or the contact log is empty.

    Args:
        squops: squops before the stroke. seat: seat that played. log: contacts of the squidger.
    """
    touches = sorted(log, key=lambda touch: touch.begin)
    if not touches:
        return None
    first = touches[0]
    simultaneous = [
        touch.piece
        for touch in touches
        if touch.begin - first.begin <= _CONTACT_GAP_TIME and touch.piece != first.piece
    ]
    if simultaneous:
        names = " and ".join(kit.display_name(name) for name in (first.piece, *simultaneous))
        return Reason(rule="TW-9b1", text=f"The squidger touched {names} at once; the first touch must be of one wink.")
    if kit.seat_of(first.piece) != seat:
        return Reason(rule="TW-7b", text=f"{kit.SEATS[seat]} played {kit.display_name(first.piece)}, which is not his.")
    if squops.is_squopped(first.piece):
        return Reason(rule="TW-9a1", text=f"{kit.display_name(first.piece)} was played though squopped.")
    # a wrong contact takes precedence: the gap before a contact beside the pile is no pause of the stroke
    return _wrong_contact_foul(squops, first.piece, touches) or _long_stroke_foul(options, touches)


def _long_stroke_foul(options: Options, touches: Sequence[SquidgerContact]) -> Reason | None:
    """Foul of a stroke that is not short and continuous (TW-9b2)."""
    last_end, length = touches[0].begin, 0.0
    for touch in touches:
        if touch.begin > last_end + _MAX_CONTACT_GAP:
            return Reason(
                rule="TW-9b2",
                text=f"The stroke broke off for {(touch.begin - last_end) * 1000:.0f} ms; it must be continuous.",
            )
        # overlapping contacts count once
        duration = touch.end - touch.begin
        length += touch.way * (max(0.0, touch.end - max(last_end, touch.begin)) / duration if duration > 0.0 else 1.0)
        last_end = max(last_end, touch.end)
    if length > mm(options.stroke_max_mm) + 1e-9:
        text = f"The stroke was {to_mm(length):.0f} mm long; it may be {options.stroke_max_mm:g} mm."
        return Reason(rule="TW-9b2", text=text)
    if last_end - touches[0].begin > options.stroke_max_s + 1e-9:
        text = f"The stroke took {last_end - touches[0].begin:.2f} s; it may take {options.stroke_max_s:g} s."
        return Reason(rule="TW-9b2", text=text)
    return None


def _wrong_contact_foul(squops: Squops, played: str, touches: Sequence[SquidgerContact]) -> Reason | None:
    """Foul of touching a wink other than the played one and those vertically under it (TW-9b3)."""
    allowed = {played, *squops.covered(played)}
    for touch in touches:
        if touch.piece not in allowed:
            touched, upper = kit.display_name(touch.piece), kit.display_name(played)
            return Reason(rule="TW-9b3", text=f"The squidger touched {touched}, which did not lie under {upper}.")
    return None
