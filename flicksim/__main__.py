"""`python -m flicksim` is `flicksim`."""

import sys
from contextlib import suppress

from flicksim.core.version import __version__


def run() -> int:
    """Run the command line; Ctrl-C, SIGTERM and SIGHUP end it with one line, also while it is still being imported."""
    if sys.argv[1:] == ["--version"]:  # without importing the commands
        with suppress(OSError):  # the command tries again, and says what is wrong
            print(f"flicksim {__version__}", flush=True)
            return 0
    try:
        from flicksim.core.signals import install_interrupt_handlers

        install_interrupt_handlers()
        from flicksim.cli import main

        return main()
    except KeyboardInterrupt:
        print("flicksim: stopped", file=sys.stderr)
        return 1


if __name__ == "__main__":
    raise SystemExit(run())
