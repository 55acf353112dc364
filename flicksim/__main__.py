"""`python -m flicksim` is `flicksim`."""

from __future__ import annotations

import signal
import sys

from flicksim.core.version import __version__


def run() -> int:
    """Run the command line; Ctrl-C, SIGTERM and SIGHUP end it with one line, also while it is still being imported."""
    if sys.argv[1:] == ["--version"]:  # without importing the commands
        print(f"flicksim {__version__}")
        return 0
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # what is ignored stays so, as under nohup
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    try:
        from flicksim.cli import main

        return main()
    except KeyboardInterrupt:
        print("flicksim: stopped", file=sys.stderr)
        return 1


if __name__ == "__main__":
    raise SystemExit(run())
