"""`python -m flicksim` is `flicksim`."""

from __future__ import annotations

import sys


def run() -> int:
    """The command line; Ctrl-C while it is still being loaded ends it quietly too."""
    try:
        from flicksim.cli import main

        return main()
    except KeyboardInterrupt:
        print("flicksim: stopped", file=sys.stderr)
        return 1


if __name__ == "__main__":
    raise SystemExit(run())
