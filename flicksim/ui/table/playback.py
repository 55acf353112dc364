"""A motion shown in time: true speed, slow, paused, step by step, scrubbed. No drawing."""

from __future__ import annotations

from flicksim.table import Left, Motion

RATES = (1.0, 0.25, 0.1)
"""Speeds to show at, true speed first."""
STEP = 1.0 / 60.0
"""One step at true speed [s]."""
SLOW = 0.25
"""Speed at which what was close is shown, as a share."""
FALL = 0.4
"""Time that a piece is seen falling over the edge [s]."""


class Clock:
    """Clock of the showing of anything that takes time.

    Args:
        length: how long it is [s]. rate: which of RATES it begins with (an index).
        moves: how long anything moves in it [s]; all the time without.
    """

    def __init__(self, length: float, rate: int = 0, moves: float | None = None) -> None:
        self.length, self.rate = length, rate
        self.moves = length if moves is None else moves
        self.t = 0.0
        self.paused = False

    @property
    def pace(self) -> str:
        """Words for the speed at which it is shown just now."""
        return rate_words(self.rate)

    @property
    def done(self) -> bool:
        """True once all has been shown."""
        return self.t >= self.length

    @property
    def speed(self) -> float:
        """Shown seconds a second."""
        return RATES[self.rate]

    @property
    def share(self) -> float:
        """The share that has been shown, 0 to 1."""
        return self.t / self.length if self.length > 0.0 else 1.0

    def advance(self, dt: float) -> None:
        """Let the viewer's time go on [s]."""
        if not self.paused:
            self.t = min(self.t + dt * self.speed, self.length)

    def step(self, by: int = 1) -> None:
        """Pause and go one step on or back."""
        self.paused = True
        self.t = min(max(self.t + by * STEP * self.speed, 0.0), self.length)

    def slower(self) -> None:
        """The next of the speeds, after the slowest the true one."""
        self.rate = (self.rate + 1) % len(RATES)

    def skip(self) -> None:
        """To the end."""
        self.t = self.length

    def scrub(self, share: float) -> None:
        """To a place between 0 and 1, paused."""
        self.paused = True
        self.t = min(max(share, 0.0), 1.0) * self.length


class Playback(Clock):
    """Showing of a motion.

    Args:
        motion: what is shown. rate: see `Clock`. close: from when to when it was close [s], shown slowly where all else
            is shown at true speed.
    """

    def __init__(self, motion: Motion, rate: int = 0, close: tuple[float, float] | None = None) -> None:
        falls = any(isinstance(event, Left) for event in motion.events)
        super().__init__(motion.duration + (FALL if falls else 0.0), rate, motion.duration)
        self.motion, self.close = motion, close

    @property
    def slowed(self) -> bool:
        """True while what was close is shown slowly."""
        return self.rate == 0 and self.close is not None and self.close[0] <= self.t < self.close[1]

    @property
    def pace(self) -> str:
        """Words for the speed at which it is shown just now; what is close is shown slowly."""
        return "close: slowly" if self.slowed else super().pace

    def advance(self, dt: float) -> None:
        """Let the viewer's time go on [s]."""
        if self.close is None or self.rate or self.paused:
            super().advance(dt)
            return
        for until, share in ((self.close[0], 1.0), (self.close[1], SLOW), (self.length, 1.0)):
            if self.t < until and dt > 0.0:
                gone = min(dt, (until - self.t) / share)
                self.t, dt = min(self.t + gone * share, until), dt - gone


def rate_words(rate: int) -> str:
    """A speed as people say it."""
    return ("true speed", "slow: 1/4 speed", "slow: 1/10 speed")[rate]
