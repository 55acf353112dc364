"""The sounds of a motion: every event by what met what, and how hard."""

from __future__ import annotations

from collections.abc import Callable

from flicksim.table import Landed, Left, Motion, Squidge, Struck, Touched
from flicksim.ui.kit.sounds import Heard
from flicksim.ui.table.moments import close_call, covering, potted

_HARD = 1.5
"""Pieces that meet this fast are heard at full strength [m/s]."""
_SOFT = 0.04
"""Slower touches are not heard [m/s]."""


def heard(motion: Motion, since: float, until: float) -> list[Heard]:
    """The sounds of the events after one time [s] and up to another, each once and no louder than it was."""
    found: dict[str, float] = {}

    def add(name: str, loud: float) -> None:
        found[name] = max(found.get(name, 0.0), min(loud, 1.0))

    flying = isinstance(motion.flick, Squidge)
    for event in motion.events:
        if not (since < event.t <= until or (since <= 0.0 and event.t == 0.0)):
            continue
        match event:
            case Struck():
                hard = motion.flick.speed / 3.0
                add("snap", 0.3 + 0.7 * hard)
                if not flying:
                    add("slide", hard)
            case Touched(speed=speed) if speed > _SOFT and not flying:
                add("click", (speed / _HARD) ** 0.7)
            case Landed(on="pot", speed=speed) if speed > _SOFT:
                add("rattle", (speed / _HARD) ** 0.7)
            case Landed(on="surface", speed=speed) if speed > _SOFT:
                add("knock", (speed / _HARD) ** 0.7)
            case Landed(speed=speed) if speed > _SOFT:
                add("click", 0.5 * (speed / _HARD) ** 0.7)
            case Left():
                add("fall", 0.7)
    if since < motion.duration <= until:
        _ends(motion, add)
    return list(found.items())


def _ends(motion: Motion, add: Callable[[str, float], None]) -> None:
    """Add the sounds of the end: a pot that rings, a squop with a small clap, a murmur for a near miss."""
    if covering(motion):
        add("squop", 0.8)
        add("clap", 0.5)
    if potted(motion):
        add("ring", 0.9)
    elif motion.before.surface.pot is not None and close_call(motion) is not None:
        add("murmur", 0.5)
