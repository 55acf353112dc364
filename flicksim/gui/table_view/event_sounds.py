"""Sounds of a trajectory's events, by materials and impact speed."""

from collections.abc import Callable

from flicksim.gui.table_view.key_moments import close_call_interval, newly_covering, potted_pieces
from flicksim.gui.toolkit.sounds import SoundCue
from flicksim.scene import Collision, Landed, LeftSurface, Squidge, Struck, Trajectory

_MAX_SPEED = 1.5
"""Impact speed of full volume [m/s]."""
_MIN_SPEED = 0.04
"""Lowest audible impact speed [m/s]."""


def event_sounds(trajectory: Trajectory, start_time: float, end_time: float) -> list[SoundCue]:
    """Sounds of the events in a time interval (start, end] [s], each once and at its loudest."""
    cues: dict[str, float] = {}

    def add(name: str, volume: float) -> None:
        cues[name] = max(cues.get(name, 0.0), min(volume, 1.0))

    is_squidge = isinstance(trajectory.flick, Squidge)
    for event in trajectory.events:
        if not (start_time < event.t <= end_time or (start_time <= 0.0 and event.t == 0.0)):
            continue
        match event:
            case Struck():
                strength = trajectory.flick.speed / 3.0
                add("snap", 0.3 + 0.7 * strength)
                if not is_squidge:
                    add("slide", strength)
            case Collision(speed=speed) if speed > _MIN_SPEED and not is_squidge:
                add("click", (speed / _MAX_SPEED) ** 0.7)
            case Landed(on="pot", speed=speed) if speed > _MIN_SPEED:
                add("rattle", (speed / _MAX_SPEED) ** 0.7)
            case Landed(on="surface", speed=speed) if speed > _MIN_SPEED:
                add("knock", (speed / _MAX_SPEED) ** 0.7)
            case Landed(speed=speed) if speed > _MIN_SPEED:
                add("click", 0.5 * (speed / _MAX_SPEED) ** 0.7)
            case LeftSurface():
                add("fall", 0.7)
    if start_time < trajectory.duration <= end_time:
        _final_sounds(trajectory, add)
    return list(cues.items())


def _final_sounds(trajectory: Trajectory, add: Callable[[str, float], None]) -> None:
    """Add the final sounds: a pot that rings, a squop with a small clap, a murmur for a near miss."""
    if newly_covering(trajectory):
        add("squop", 0.8)
        add("clap", 0.5)
    if potted_pieces(trajectory):
        add("ring", 0.9)
    elif trajectory.before.surface.pot is not None and close_call_interval(trajectory) is not None:
        add("murmur", 0.5)
