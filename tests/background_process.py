"""Processes as a shell begins them with "&"."""

import signal


def start_in_background() -> None:
    """Ignore SIGINT from now on, and with this process all that it begins; for `preexec_fn`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
