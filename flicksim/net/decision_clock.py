"""Clock of the decision of a person, which may stand still while a connection is lost."""

from time import monotonic


class DecisionClock:
    """Time for one decision.

    Args:
        limit: [s]; None without one.
        pauses: whether it stands still while the connection of the person to play is lost.
    """

    def __init__(self, limit: float | None, pauses: bool) -> None:
        self.limit, self.pauses = limit, pauses
        self.restart()

    def restart(self) -> None:
        """Begin a new decision."""
        self._used = 0.0
        self.go_on()

    def go_on(self) -> None:
        """Count from now on, beside what is used already."""
        self._start = monotonic()

    def on_connection_lost(self) -> None:
        """Keep the time used so far, if the clock pauses now."""
        if self.pauses:
            self._used += monotonic() - self._start

    def time_left(self, *, is_connected: bool) -> float | None:
        """Time left [s]; None without a limit."""
        if self.limit is None:
            return None
        running = 0.0 if self.pauses and not is_connected else monotonic() - self._start
        return max(0.0, self.limit - self._used - running)
