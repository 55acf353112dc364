"""Playback clock of a trajectory: real time, slow motion, pause, step and scrub."""

from math import hypot

from flicksim.scene import LeftSurface, Trajectory

RATES = (1.0, 0.25, 0.1)
"""Playback speeds, real time first [1]."""
FRAME_STEP = 1.0 / 60.0
"""Duration of a single step at real time [s]."""
CLOSE_CALL_RATE = 0.25
"""Playback speed of a close call [1]."""
_FALL_TIME, _FALL_DISTANCE = 0.4, 0.12
"""Longest fall of a piece over the edge [s], and the distance after which a fast one has faded [m]."""


class PlaybackClock:
    """Clock of a playback.

    Args:
        duration: [s]. rate: initial index into `RATES`.
        motion_duration: time until which anything moves [s]; the duration if None.
    """

    def __init__(self, duration: float, rate: int = 0, motion_duration: float | None = None) -> None:
        self.duration, self.rate = duration, rate
        self.motion_duration = duration if motion_duration is None else motion_duration
        self.time = 0.0
        self.is_paused = False

    @property
    def rate_text(self) -> str:
        """Text of the present playback speed."""
        return rate_text(self.rate)

    @property
    def is_finished(self) -> bool:
        """True once the end is reached."""
        return self.time >= self.duration

    @property
    def speed(self) -> float:
        """Present playback speed [s/s]."""
        return RATES[self.rate]

    @property
    def progress(self) -> float:
        """Fraction shown, 0 to 1."""
        return self.time / self.duration if self.duration > 0.0 else 1.0

    def advance(self, dt: float) -> None:
        """Advance by a real time [s]."""
        if not self.is_paused:
            self.time = min(self.time + dt * self.speed, self.duration)

    def step(self, steps: int = 1) -> None:
        """Pause and step forward or back."""
        self.is_paused = True
        self.time = min(max(self.time + steps * FRAME_STEP * self.speed, 0.0), self.duration)

    def cycle_rate(self) -> None:
        """Switch to the next speed, cyclically."""
        self.rate = (self.rate + 1) % len(RATES)

    def skip(self) -> None:
        """Skip to the end."""
        self.time = self.duration

    def seek(self, fraction: float) -> None:
        """Seek to a fraction from 0 to 1, paused."""
        self.is_paused = True
        self.time = min(max(fraction, 0.0), 1.0) * self.duration


class Playback(PlaybackClock):
    """Playback of a trajectory.

    Args:
        trajectory: to show. rate: see `PlaybackClock`.
        close_call: start and end of a close call [s], shown in slow motion at the first rate.
    """

    def __init__(self, trajectory: Trajectory, rate: int = 0, close_call: tuple[float, float] | None = None) -> None:
        falls = [event.t + fall_time(event) for event in trajectory.events if isinstance(event, LeftSurface)]
        super().__init__(max([trajectory.motion_end, *falls]), rate, trajectory.motion_end)
        self.trajectory, self.close_call = trajectory, close_call

    @property
    def is_slowed(self) -> bool:
        """True while a key moment is shown in slow motion."""
        return self.rate == 0 and self.close_call is not None and self.close_call[0] <= self.time < self.close_call[1]

    @property
    def rate_text(self) -> str:
        """Text of the present playback speed; key moments are shown in slow motion."""
        return "close: slowly" if self.is_slowed else super().rate_text

    def advance(self, dt: float) -> None:
        if self.close_call is None or self.rate or self.is_paused:
            super().advance(dt)
            return
        for end, speed in ((self.close_call[0], 1.0), (self.close_call[1], CLOSE_CALL_RATE), (self.duration, 1.0)):
            if self.time < end and dt > 0.0:
                elapsed = min(dt, (end - self.time) / speed)
                self.time, dt = min(self.time + elapsed * speed, end), dt - elapsed


def fall_time(event: LeftSurface) -> float:
    """Duration of the fall of a piece over the edge [s]."""
    speed = hypot(*event.velocity)
    return min(_FALL_TIME, _FALL_DISTANCE / speed) if speed else _FALL_TIME


def rate_text(rate: int) -> str:
    """Format a playback speed."""
    return ("true speed", "slow: 1/4 speed", "slow: 1/10 speed")[rate]
